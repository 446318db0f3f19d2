/* SPDX-License-Identifier: MIT
 *
 * Whom a line speaks of when it names no record: its machine, its moment, its process. Lines that
 * follow each other share what they have in common.
 */
#include "parsers/ndjson.h"

bool ja_ndjson_same(const struct ja_pull_value *text, const char *string)
{
    if (!text || !string)
        return !text && !string;
    return strncmp(string, text->text, text->length) == 0 && string[text->length] == '\0';
}

/* ---- machines -------------------------------------------------------------------------------- */

static size_t hash_of(const char *host, const char *boot)
{
    size_t h = 1469598103u;
    for (const char *at = host ? host : ""; *at; at++)
        h = (h ^ (unsigned char)*at) * 16777619u;
    for (const char *at = boot ? boot : "/"; *at; at++)
        h = (h ^ (unsigned char)*at) * 16777619u;
    return h ^ h >> 15;
}

static void grow_slots(struct ja_ndjson_reader *r, struct ja_ndjson_systems *systems)
{
    size_t larger = systems->slot_count ? systems->slot_count * 2 : 64;
    uint32_t *slots = ja_arena_alloc(r->scratch, larger, sizeof *slots);
    for (size_t i = 0; i < systems->slot_count; i++) {
        if (!systems->slots[i])
            continue;
        const struct ja_system *s = &r->evidence->systems[systems->slots[i] - 1];
        size_t at = hash_of(s->host_name, s->boot_id) & (larger - 1);
        while (slots[at])
            at = (at + 1) & (larger - 1);
        slots[at] = systems->slots[i];
    }
    systems->slots = slots;
    systems->slot_count = larger;
}

static bool equal(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static uint32_t find_system(struct ja_ndjson_reader *r, const char *host, const char *boot)
{
    struct ja_evidence *e = r->evidence;
    struct ja_ndjson_child *child = ja_ndjson_child(r);
    struct ja_ndjson_systems *systems = child ? &child->systems : &r->systems;
    if (systems->count * 2 >= systems->slot_count)
        grow_slots(r, systems);
    size_t at = hash_of(host, boot) & (systems->slot_count - 1);
    while (systems->slots[at] && !(equal(e->systems[systems->slots[at] - 1].host_name, host) &&
                                   equal(e->systems[systems->slots[at] - 1].boot_id, boot)))
        at = (at + 1) & (systems->slot_count - 1);
    if (!systems->slots[at]) {
        uint32_t system = ja_add_system(e);
        e->systems[system].host_name = ja_arena_string(e->arena, host);
        e->systems[system].boot_id = ja_arena_string(e->arena, boot);
        systems->slots[at] = system + 1;
        systems->count++;
    }
    return systems->slots[at] - 1;
}

uint32_t ja_ndjson_system_of(struct ja_ndjson_reader *r)
{
    if (r->last_system != JA_NONE &&
        ja_ndjson_same(ja_ndjson_text(&r->line, "host"), r->last_host) &&
        ja_ndjson_same(ja_ndjson_text(&r->line, "boot"), r->last_boot))
        return r->last_system;
    const char *host = ja_ndjson_string(&r->line, "host");
    r->last_system = find_system(r, host, ja_ndjson_string(&r->line, "boot"));
    r->last_host = r->evidence->systems[r->last_system].host_name;
    r->last_boot = r->evidence->systems[r->last_system].boot_id;
    r->last_record = JA_NONE;
    return r->last_system;
}

/* ---- moments --------------------------------------------------------------------------------- */

/* What kind of evidence the line was made from, in the audit that wrote it. */
static enum ja_kind kind_of(struct ja_ndjson_reader *r)
{
    enum ja_kind kind;
    const char *word = ja_ndjson_string(&r->line, "via");
    return word && ja_kind_of(word, &kind) ? kind : JA_KIND_NDJSON;
}

/* Lines of one moment from two files are of two records; some lines name no file. */
static bool same_source(const struct ja_ndjson_reader *r, const struct ja_pull_value *source)
{
    return !source || !r->last_source || ja_ndjson_same(source, r->last_source);
}

uint32_t ja_ndjson_record_of(struct ja_ndjson_reader *r)
{
    uint32_t system = ja_ndjson_system_of(r);
    enum ja_kind kind = kind_of(r);
    const struct ja_ndjson_moment said = ja_ndjson_read_moment(r, &ja_ndjson_at);
    const struct ja_ndjson_moment last = r->last_moment;
    const struct ja_pull_value *source = ja_ndjson_text(&r->line, "source");
    if (r->last_record != JA_NONE && said.at == last.at && said.early == last.early &&
        said.late == last.late && kind == r->last_kind && same_source(r, source))
        return r->last_record;
    uint32_t record = ja_add_record(r->evidence, kind, ja_ndjson_add_stamp(r, &said));
    r->evidence->records[record].system = system;
    r->evidence->records[record].place = ja_ndjson_line_place(r);
    r->last_record = record;
    r->last_moment = said;
    r->last_kind = kind;
    if (!ja_ndjson_same(source, r->last_source))
        r->last_source = ja_ndjson_copy(&r->line, "source", r->scratch);
    return record;
}

uint32_t ja_ndjson_new_record(struct ja_ndjson_reader *r)
{
    r->last_record = JA_NONE;
    uint32_t record = ja_ndjson_record_of(r);
    r->last_record = JA_NONE;
    return record;
}

/* ---- processes ------------------------------------------------------------------------------- */

const char *ja_ndjson_name(struct ja_ndjson_reader *r)
{
    const struct ja_pull_value *name = ja_ndjson_text(&r->line, "name");
    if (!ja_ndjson_same(name, r->last_name))
        r->last_name = ja_ndjson_copy(&r->line, "name", r->evidence->arena);
    return r->last_name;
}

static uint32_t start_of(struct ja_ndjson_reader *r)
{
    const struct ja_pull_value *started = ja_ndjson_text(&r->line, "started");
    if (!started)
        return JA_NONE;
    if (!ja_ndjson_same(started, r->last_started)) {
        r->last_start = ja_ndjson_stamp_at(r, "started");
        r->last_started = ja_ndjson_copy(&r->line, "started", r->scratch);
    }
    return r->last_start;
}

uint32_t ja_ndjson_subject_of(struct ja_ndjson_reader *r, uint32_t record)
{
    int64_t pid = JA_UNKNOWN;
    int scope;
    ja_ndjson_int(&r->line, "pid", r->evidence, -WHOLE_LIMIT, WHOLE_LIMIT, &pid);
    uint32_t start = start_of(r);
    uint32_t subject = ja_add_subject(r->evidence, record, NULL, pid);
    struct ja_subject *s = &r->evidence->subjects[subject];
    const char *word = ja_ndjson_string(&r->line, "scope");
    if (word && ja_scope_of(word, &scope))
        s->scope = (uint8_t)scope;
    s->name = ja_ndjson_name(r);
    if (start != JA_NONE)
        ja_subject_more(s, r->evidence->arena)->start_stamp = start;
    return subject;
}
