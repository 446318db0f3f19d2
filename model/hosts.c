/* SPDX-License-Identifier: MIT
 *
 * Which machine each moment is of. A machine is known by what the operator calls it, by its report
 * key, by its host name; a file that names none belongs to the only one named.
 */
#include "model/build.h"
#include "model/index.h"
#include "model/sort.h"

#include <stdlib.h>
#include <string.h>

/* One way a machine was named: 'o' by the operator, 'k' by its report key, 'n' by its host name,
 * 'm' by its model alone. Names of one machine are linked by parent. */
struct name {
    const char *processor;
    uint32_t parent;
};

struct names {
    struct name *items;
    size_t count, capacity;
    struct ja_arena *arena;
    struct ja_index index;      /* text, kind and processor: 1 + name */
    struct ja_index processors; /* 1 + number */
    struct ja_index only;       /* model and processor: 2 + what only_one said of them */
};

static bool equal(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* 1 + the number of a processor's name; 0 of the main one. */
static uint32_t processor_number(struct names *names, const char *processor)
{
    if (!processor)
        return 0;
    uint32_t *note = ja_index_note(&names->processors, names->arena, processor, 0);
    if (!*note)
        *note = (uint32_t)names->processors.count;
    return *note;
}

static uint32_t find_name(struct names *names, char kind, const char *text, const char *processor)
{
    int64_t of = ((int64_t)processor_number(names, processor) << 8) + kind;
    uint32_t *note = ja_index_note(&names->index, names->arena, text, of);
    if (*note)
        return *note - 1;
    struct name *name = JA_APPEND(names->arena, names->items, names->count, names->capacity);
    *name = (struct name){processor, (uint32_t)names->count - 1};
    *note = (uint32_t)names->count;
    return name->parent;
}

static uint32_t root(struct names *names, uint32_t index)
{
    while (names->items[index].parent != index)
        index = names->items[index].parent = names->items[names->items[index].parent].parent;
    return index;
}

static void link_names(struct names *names, uint32_t a, uint32_t b)
{
    a = root(names, a);
    b = root(names, b);
    if (a < b)
        names->items[b].parent = a;
    else
        names->items[a].parent = b;
}

/* The name of a moment's machine; JA_NONE when it says nothing but perhaps a model. */
static uint32_t name_moment(const struct ja_build *build, struct names *names,
                            const struct ja_moment *moment)
{
    const struct ja_system *system = moment->system;
    const char *stated = ja_stated_host_of(&build->stated, ja_moment_evidence(build, moment)->path);
    uint32_t found = JA_NONE;
    const struct {
        char kind;
        const char *text;
    } ways[] = {{'o', stated}, {'k', system->host_key}, {'n', system->host_name}};
    for (size_t i = 0; i < 3; i++) {
        if (!ways[i].text)
            continue;
        uint32_t name = find_name(names, ways[i].kind, ways[i].text, system->processor);
        if (found == JA_NONE)
            found = name;
        else
            link_names(names, found, name);
    }
    return found;
}

/* Adds a machine to what was found so far; *many when it is another one. */
static void note_one(uint32_t machine, uint32_t *only, bool *many)
{
    *many |= *only != JA_NONE && *only != machine;
    *only = machine;
}

/* The only named machine of this processor: of this model, when one is said and known of any; else
 * the only one of all, unless its model is another. JA_NONE: none or many. */
static uint32_t look_for_one(struct names *names, const uint32_t *given,
                             const struct ja_build *build, const char *processor, const char *model)
{
    uint32_t only = JA_NONE, alike = JA_NONE;
    bool many = false, many_alike = false, other_model = false;
    for (size_t i = 0; i < build->moment_count; i++) {
        const struct ja_system *system = build->moments[i].system;
        if (given[i] == JA_NONE || !equal(system->processor, processor))
            continue;
        uint32_t r = root(names, given[i]);
        note_one(r, &only, &many);
        if (model && system->model && equal(model, system->model))
            note_one(r, &alike, &many_alike);
        other_model |= model && system->model && !equal(model, system->model);
    }
    if (alike != JA_NONE)
        return many_alike ? JA_NONE : alike;
    return many || other_model ? JA_NONE : only;
}

/* The same, looked for once. given is that of the first call. */
static uint32_t only_one(struct names *names, const uint32_t *given, const struct ja_build *build,
                         const char *processor, const char *model)
{
    uint32_t *note =
        ja_index_note(&names->only, names->arena, model, processor_number(names, processor));
    if (!*note)
        *note = look_for_one(names, given, build, processor, model) + 2;
    return *note - 2;
}

static void name_the_rest(const struct ja_build *build, struct names *names, uint32_t *given)
{
    /* First those that say a model: it is a name where nothing better is known. */
    uint32_t *settled = ja_arena_alloc(build->scratch, build->moment_count, sizeof *settled);
    memcpy(settled, given, build->moment_count * sizeof *settled);
    for (size_t i = 0; i < build->moment_count; i++) {
        const struct ja_system *system = build->moments[i].system;
        if (given[i] != JA_NONE || !system->model)
            continue;
        settled[i] = only_one(names, given, build, system->processor, system->model);
        if (settled[i] == JA_NONE)
            settled[i] = find_name(names, 'm', system->model, system->processor);
    }
    memcpy(given, settled, build->moment_count * sizeof *settled);
    uint32_t fallback = JA_NONE;
    for (size_t i = 0; i < build->moment_count; i++) {
        const struct ja_system *system = build->moments[i].system;
        if (given[i] != JA_NONE)
            continue;
        if (system->processor || fallback == JA_NONE) {
            uint32_t only = only_one(names, settled, build, system->processor, NULL);
            if (only == JA_NONE)
                only = find_name(names, 'n', NULL, system->processor);
            if (!system->processor)
                fallback = only;
            given[i] = only;
        } else {
            given[i] = fallback;
        }
    }
}

static const char *key_tail(struct ja_arena *arena, const char *key)
{
    char digits[5];
    size_t count = 0;
    for (; *key && count < 4; key++)
        if ((*key >= '0' && *key <= '9') || (*key >= 'a' && *key <= 'f') ||
            (*key >= 'A' && *key <= 'F'))
            digits[count++] = *key;
    return ja_arena_copy(arena, digits, count);
}

struct naming {
    const char *stated, *name, *key, *model;
};

static void see(struct naming *seen, const struct ja_build *build, const struct ja_moment *moment)
{
    const struct ja_system *system = moment->system;
    if (!seen->stated)
        seen->stated = ja_stated_host_of(&build->stated, ja_moment_evidence(build, moment)->path);
    if (system->host_name && !seen->name)
        seen->name = system->host_name;
    if (system->host_key && (!seen->key || strcmp(system->host_key, seen->key) < 0))
        seen->key = system->host_key;
    if (system->model && !seen->model)
        seen->model = system->model;
}

/* "iBridge2,14 c008" of a T2 is "iBridge2,14 c008 (T2)"; the label of an earlier audit is so
 * already. */
static const char *with_processor(struct ja_arena *arena, const char *label, const char *processor)
{
    const char *tail = ja_arena_print(arena, " (%s)", processor);
    size_t length = strlen(label), more = strlen(tail);
    bool there = length > more && strcmp(label + length - more, tail) == 0;
    return there ? label : ja_arena_print(arena, "%s%s", label, tail);
}

static const char *label_of(struct ja_arena *arena, const struct naming *seen, const char *fallback,
                            const char *processor)
{
    const char *label = seen->stated ? seen->stated : seen->name ? seen->name : NULL;
    if (!label && seen->model && seen->key)
        label = ja_arena_print(arena, "%s %s", seen->model, key_tail(arena, seen->key));
    if (!label)
        label = seen->model ? seen->model
                : seen->key ? ja_arena_print(arena, "host %s", key_tail(arena, seen->key))
                            : fallback;
    return processor ? with_processor(arena, label, processor) : label;
}

/* Host facts come from the newest moment that tells them: later systems are what is there now. */
static void describe(struct ja_host *host, const struct ja_moment *moment)
{
    const struct ja_system *system = moment->system;
    if (system->host_name)
        host->name = system->host_name;
    if (system->model)
        host->model = system->model;
    if (system->os)
        host->os = system->os;
    if (system->kernel)
        host->kernel = system->kernel;
    if (system->page_bytes != JA_UNKNOWN)
        host->page_bytes = system->page_bytes;
    if (system->cores != JA_UNKNOWN)
        host->cores = system->cores;
    if (system->ram_bytes != JA_UNKNOWN) {
        host->ram_bytes = system->ram_bytes;
        host->ram_from = "record";
    }
    host->processor = system->processor;
}

struct labelled {
    uint32_t root;
    const char *label;
    size_t first; /* first moment, breaks ties of equal labels */
};

static int by_label(const void *a, const void *b)
{
    const struct labelled *x = a, *y = b;
    int order = strcmp(x->label, y->label);
    return order ? order : (x->first < y->first ? -1 : x->first > y->first);
}

static int text_order(const char *a, const char *b)
{
    if (!a || !b)
        return a ? 1 : b ? -1 : 0;
    return strcmp(a, b);
}

/* What makes one state (a snapshot's host, each of its cgroups) stands together. */
static int by_host_and_time(const void *a, const void *b)
{
    const struct ja_moment *x = a, *y = b;
    if (x->host != y->host)
        return x->host < y->host ? -1 : 1;
    int order = ja_instant_order(&x->at, &y->at);
    if (!order && ja_instant_key(&x->at) != JA_UNKNOWN)
        order = text_order(x->snapshot, y->snapshot);
    if (!order && x->snapshot && y->snapshot)
        order = text_order(x->of, y->of);
    if (order)
        return order;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    return x->record < y->record ? -1 : x->record > y->record;
}

static void make_hosts(struct ja_build *build, struct names *names, const uint32_t *given)
{
    struct ja_case *item = build->item;
    struct naming *seen = ja_arena_alloc(item->arena, names->count, sizeof *seen);
    struct labelled *list = ja_arena_alloc(item->arena, names->count, sizeof *list);
    uint32_t *host_of = ja_arena_alloc(item->arena, names->count, sizeof *host_of);
    size_t count = 0;
    for (size_t i = 0; i < build->moment_count; i++) {
        uint32_t r = root(names, given[i]);
        see(&seen[r], build, &build->moments[i]);
        if (!host_of[r]) {
            host_of[r] = 1;
            list[count++] = (struct labelled){r, NULL, i};
        }
    }
    const char *fallback = item->statements->host ? item->statements->host : "host";
    for (size_t i = 0; i < count; i++)
        list[i].label = label_of(item->arena, &seen[list[i].root], fallback,
                                 names->items[list[i].root].processor);
    qsort(list, count, sizeof *list, by_label);
    /* Labels name hosts in every output: two machines never share one. */
    for (size_t i = 1, copies = 1; i < count; i++) {
        copies = strcmp(list[i].label, list[i - copies].label) == 0 ? copies + 1 : 1;
        if (copies > 1)
            list[i].label = ja_arena_print(item->arena, "%s #%zu", list[i].label, copies);
    }
    for (size_t i = 0; i < count; i++) {
        host_of[list[i].root] = (uint32_t)i;
        struct ja_host *host =
            JA_APPEND(item->arena, item->hosts, item->host_count, item->host_capacity);
        host->label = list[i].label;
        host->ram_bytes = host->managed_bytes = host->page_bytes = host->cores = JA_UNKNOWN;
    }
    for (size_t i = 0; i < build->moment_count; i++)
        build->moments[i].host = host_of[root(names, given[i])];
}

void ja_build_hosts(struct ja_build *build)
{
    struct ja_case *item = build->item;
    struct names names = {.arena = item->arena};
    uint32_t *given = ja_arena_alloc(build->scratch, build->moment_count, sizeof *given);
    for (size_t i = 0; i < build->moment_count; i++)
        given[i] = name_moment(build, &names, &build->moments[i]);
    name_the_rest(build, &names, given);
    make_hosts(build, &names, given);
    ja_sort(build->moments, build->moment_count, sizeof *build->moments, by_host_and_time);
    for (size_t i = 0; i < build->moment_count; i++) {
        const struct ja_moment *moment = &build->moments[i];
        describe(&item->hosts[moment->host], moment);
        item->sources[moment->source].record_host[moment->record] = moment->host;
        item->sources[moment->source].record_at[moment->record] = moment->at;
    }
    for (size_t i = 0; i < item->host_count; i++) {
        struct ja_host *host = &item->hosts[i];
        if (item->statements->ram_bytes != JA_UNKNOWN && !host->processor) {
            host->ram_bytes = item->statements->ram_bytes;
            host->ram_from = "operator";
        }
    }
}
