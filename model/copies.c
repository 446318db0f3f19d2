/* SPDX-License-Identifier: MIT
 *
 * Which files are copies of others: equal bytes, equal incident ids, and snapshot folders that were
 * saved once and lie there twice. The most complete one is used, the others are named.
 */
#include "model/build.h"

#include <stdlib.h>
#include <string.h>

#include "model/digits.h"

/* ---- single files ---------------------------------------------------------------------------- */

/* Files whose meaning lies in their place or time of saving: equal bytes are no copies. */
static bool is_placed(const struct ja_evidence *evidence)
{
    if (evidence->kind >= JA_KIND_PROC_STATUS && evidence->kind <= JA_KIND_CGROUP)
        return true;
    for (size_t i = 0; i < evidence->record_count; i++)
        if (evidence->records[i].snapshot)
            return true;
    return false;
}

/* Does the file tell its own time? Then equal bytes speak of one moment. */
static bool dates_itself(const struct ja_evidence *evidence)
{
    for (size_t i = 0; i < evidence->stamp_count; i++) {
        enum ja_clock clock = evidence->stamps[i].clock;
        if (clock == JA_CLOCK_REPORT || clock == JA_CLOCK_STAMP)
            return true;
    }
    return false;
}

static int completeness(const struct ja_source *source)
{
    switch (source->evidence->status) {
    case JA_STATUS_UNREADABLE:
    case JA_STATUS_UNKNOWN:
    case JA_STATUS_NONE:
        return 0;
    case JA_STATUS_DAMAGED:
        return 1;
    case JA_STATUS_PARTLY:
        return 2;
    default:
        return 3;
    }
}

/* A file with nothing but the text of one panic: the boot session it prints is the incident id of
 * its report. NULL: anything else. */
static const char *pasted_incident(const struct ja_evidence *evidence)
{
    if (evidence->incident_id || evidence->kind != JA_KIND_PANIC || evidence->record_count != 1 ||
        evidence->event_count != 1 || evidence->records[0].system == JA_NONE)
        return NULL;
    const char *session = evidence->systems[evidence->records[0].system].boot_id;
    /* Names that an audit gives to boots ("b1") go back in as boot ids: these name no report. */
    return session && ja_is_uuid(session, strlen(session)) ? session : NULL;
}

/* A report before the text that was pasted from it, then the more complete one. */
static bool better(const struct ja_source *a, const struct ja_source *b)
{
    bool pasted_a = pasted_incident(a->evidence), pasted_b = pasted_incident(b->evidence);
    if (pasted_a != pasted_b)
        return pasted_b;
    int x = completeness(a), y = completeness(b);
    if (x != y)
        return x > y;
    if (a->evidence->readings_taken != b->evidence->readings_taken)
        return a->evidence->readings_taken > b->evidence->readings_taken;
    return a->size_bytes > b->size_bytes;
}

static void mark_copy(struct ja_case *item, uint32_t copy, uint32_t of)
{
    item->sources[copy].duplicate_of = of;
    char *why = ja_arena_print(item->arena, "copy of %s", item->sources[of].evidence->path);
    ja_set_status(item->sources[copy].evidence, JA_STATUS_DUPLICATE, why);
}

static void settle_copies(struct ja_case *item, const uint32_t *group, size_t count)
{
    uint32_t best = group[0];
    for (size_t i = 1; i < count; i++)
        if (better(&item->sources[group[i]], &item->sources[best]))
            best = group[i];
    for (size_t i = 0; i < count; i++) {
        const struct ja_source *source = &item->sources[group[i]];
        /* What a cut report lacks may stand in the text that was pasted from it. */
        bool needed = completeness(&item->sources[best]) < 2 && pasted_incident(source->evidence);
        if (group[i] != best && source->duplicate_of == JA_NONE && !needed)
            mark_copy(item, group[i], best);
    }
}

struct copy_key {
    const char *key;
    int kind; /* of the report, for incident ids; -1: bytes */
    int role;
    uint32_t source;
};

static int by_copy_key(const void *a, const void *b)
{
    const struct copy_key *x = a, *y = b;
    int order = strcmp(x->key, y->key);
    if (order)
        return order;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->source < y->source ? -1 : x->source > y->source;
}

static void settle_groups(struct ja_case *item, struct copy_key *keys, size_t count)
{
    qsort(keys, count, sizeof *keys, by_copy_key);
    uint32_t *group = ja_arena_alloc(item->arena, count, sizeof *group);
    for (size_t i = 0, end; i < count; i = end) {
        size_t members = 0;
        for (end = i; end < count && strcmp(keys[end].key, keys[i].key) == 0 &&
                      keys[end].kind == keys[i].kind;
             end++)
            group[members++] = keys[end].source;
        if (members > 1)
            settle_copies(item, group, members);
    }
}

static void find_single(struct ja_case *item)
{
    struct copy_key *keys = ja_arena_alloc(item->arena, item->source_count, sizeof *keys);
    size_t count = 0;
    for (uint32_t i = 0; i < item->source_count; i++) {
        const struct ja_source *source = &item->sources[i];
        if (!source->sha256[0] || source->size_bytes <= 0 || source->role == JA_ROLE_STATEMENT ||
            is_placed(source->evidence))
            continue;
        const char *key = source->sha256;
        if (!dates_itself(source->evidence)) {
            /* Undated outputs may well be equal at two moments that their names tell apart. */
            uint32_t named = source->evidence->name_stamp;
            const char *text = named == JA_NONE ? "" : source->evidence->stamps[named].text;
            key = ja_arena_print(item->arena, "%s %s", key, text ? text : "");
        }
        keys[count++] = (struct copy_key){key, -1, (int)source->role, i};
    }
    settle_groups(item, keys, count);
    count = 0;
    for (uint32_t i = 0; i < item->source_count; i++) {
        const struct ja_evidence *evidence = item->sources[i].evidence;
        const char *pasted = pasted_incident(evidence),
                   *id = pasted ? pasted : evidence->incident_id;
        if (id && id[0] && item->sources[i].duplicate_of == JA_NONE)
            keys[count++] = (struct copy_key){id, (int)evidence->kind, 0, i};
    }
    settle_groups(item, keys, count);
}

/* ---- snapshot folders ------------------------------------------------------------------------ */

/* A file of a snapshot folder whose name says when it was saved. */
struct part {
    const char *snapshot, *rest; /* rest: its path below the snapshot */
    const char *saved;           /* the time as the name tells it */
    uint32_t source;
};

struct folder {
    const struct part *parts;
    size_t count;
    uint64_t hash;
};

static const char *below(const char *path, const char *snapshot)
{
    size_t length = strlen(snapshot);
    if (strncmp(path, snapshot, length) == 0)
        return path + length;
    const char *slash = strrchr(path, '/');
    return slash ? slash : path;
}

static bool part_of(const struct ja_case *item, uint32_t index, struct part *ret)
{
    const struct ja_source *source = &item->sources[index];
    const struct ja_evidence *e = source->evidence;
    const char *snapshot = e->record_count ? e->records[0].snapshot : NULL;
    if (!snapshot || source->role == JA_ROLE_STATEMENT || e->name_stamp == JA_NONE ||
        !e->stamps[e->name_stamp].text)
        return false;
    for (size_t i = 1; i < e->record_count; i++)
        if (!e->records[i].snapshot || strcmp(e->records[i].snapshot, snapshot) != 0)
            return false;
    *ret = (struct part){snapshot, below(e->path, snapshot), e->stamps[e->name_stamp].text, index};
    return true;
}

static int by_place(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    int order = strcmp(x->snapshot, y->snapshot);
    if (!order)
        order = strcmp(x->rest, y->rest);
    return order ? order : (x->source > y->source) - (x->source < y->source);
}

static int by_hash(const void *a, const void *b)
{
    const struct folder *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return (x->parts > y->parts) - (x->parts < y->parts);
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return hash * 31;
}

static uint64_t hash_parts(const struct ja_case *item, const struct part *parts, size_t count)
{
    uint64_t hash = UINT64_C(1469598103934665603);
    for (size_t i = 0; i < count; i++) {
        hash = hash_text(hash, parts[i].rest);
        hash = hash_text(hash, parts[i].saved);
        hash = hash_text(hash, item->sources[parts[i].source].sha256);
    }
    return hash;
}

/* What was not hashed is like no other. */
static bool same_bytes(const struct ja_source *a, const struct ja_source *b)
{
    return a->sha256[0] && strcmp(a->sha256, b->sha256) == 0;
}

/* The same files with the same bytes, saved at the same time by their names. */
static bool same_folder(const struct ja_case *item, const struct folder *a, const struct folder *b)
{
    if (a->hash != b->hash || a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        const struct part *x = &a->parts[i], *y = &b->parts[i];
        if (strcmp(x->rest, y->rest) != 0 || strcmp(x->saved, y->saved) != 0 ||
            !same_bytes(&item->sources[x->source], &item->sources[y->source]) ||
            item->sources[x->source].role != item->sources[y->source].role)
            return false;
    }
    return true;
}

/* One file of a snapshot may equal one of another machine or moment; all of them do not. */
static void find_folders(struct ja_case *item)
{
    struct part *parts = ja_arena_alloc(item->arena, item->source_count, sizeof *parts);
    size_t count = 0, folder_count = 0;
    for (uint32_t i = 0; i < item->source_count; i++)
        count += part_of(item, i, &parts[count]);
    if (count < 2)
        return;
    qsort(parts, count, sizeof *parts, by_place);
    struct folder *folders = ja_arena_alloc(item->arena, count, sizeof *folders);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && strcmp(parts[end].snapshot, parts[i].snapshot) == 0;)
            end++;
        folders[folder_count++] =
            (struct folder){parts + i, end - i, hash_parts(item, parts + i, end - i)};
    }
    qsort(folders, folder_count, sizeof *folders, by_hash);
    for (size_t i = 1, first = 0; i < folder_count; i++) {
        if (!same_folder(item, &folders[first], &folders[i])) {
            first = i;
            continue;
        }
        for (size_t k = 0; k < folders[i].count; k++)
            mark_copy(item, folders[i].parts[k].source, folders[first].parts[k].source);
    }
}

void ja_find_copies(struct ja_case *item)
{
    find_single(item);
    find_folders(item);
}
