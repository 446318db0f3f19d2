/* SPDX-License-Identifier: MIT
 *
 * The lines that rebuild original evidence: source, record, row. What they say was settled by the
 * audit that wrote them (times, hosts, boots); identity, series, states and findings are made anew
 * from it, so that they come out the same.
 */
#include "parsers/ndjson.h"

#include <stdio.h>
#include <string.h>

#define MOST_INDEX (INT64_C(1) << 28)
#define NEAR_RECORDS 32 /* how far apart the records of one stamp line may stand */

/* ---- maps of indexes ------------------------------------------------------------------------- */

static void map_set(struct ja_ndjson_reader *r, struct ja_ndjson_map *map, int64_t from,
                    uint32_t to)
{
    if ((size_t)from >= map->count) {
        size_t larger = map->count ? map->count * 2 : 64;
        while (larger <= (size_t)from)
            larger *= 2;
        uint32_t *moved = ja_arena_alloc(r->scratch, larger, sizeof *moved);
        for (size_t i = 0; i < larger; i++)
            moved[i] = i < map->count ? map->to[i] : JA_NONE;
        map->to = moved;
        map->count = larger;
    }
    map->to[from] = to;
}

static uint32_t map_get(const struct ja_ndjson_map *map, const cJSON *line, const char *key)
{
    const cJSON *number = ja_json_get(line, key);
    if (!cJSON_IsNumber(number) || number->valuedouble < 0 ||
        number->valuedouble >= (double)map->count)
        return JA_NONE;
    return map->to[(size_t)number->valuedouble];
}

static struct ja_ndjson_child *current(const struct ja_ndjson_reader *r)
{
    return r->child < r->child_count ? &r->children[r->child] : NULL;
}

uint32_t ja_ndjson_record(const struct ja_ndjson_reader *r, const cJSON *line)
{
    return current(r) ? map_get(&current(r)->records, line, "record") : JA_NONE;
}

uint32_t ja_ndjson_row(const struct ja_ndjson_reader *r, const cJSON *line)
{
    return current(r) ? map_get(&current(r)->rows, line, "row") : JA_NONE;
}

/* An index that the line gives its record or row; no more rows than lines may be asked for. */
static bool index_of(struct ja_ndjson_reader *r, const cJSON *line, const char *key, int64_t *ret)
{
    if (ja_json_int(r->evidence, line, key, "", -1, -1, 0, MOST_INDEX, ret))
        return true;
    ja_ndjson_bad(r, "bad-number", "no index");
    return false;
}

/* ---- sources --------------------------------------------------------------------------------- */

static size_t find_child(const struct ja_ndjson_reader *r, const char *path)
{
    if (current(r) && strcmp(current(r)->evidence->path, path) == 0)
        return r->child;
    for (size_t i = r->child_count; i-- > 0;)
        if (strcmp(r->children[i].evidence->path, path) == 0)
            return i;
    return r->child_count;
}

static void use_child(struct ja_ndjson_reader *r, size_t child)
{
    r->child = child;
    r->evidence = child < r->child_count ? r->children[child].evidence : r->file;
    r->last_record = JA_NONE;
    if (child >= r->child_count)
        return;
    r->last_system = JA_NONE;
}

void ja_ndjson_switch(struct ja_ndjson_reader *r, const cJSON *line)
{
    const char *path = ja_json_string(line, "source");
    bool of_record = path && ja_json_get(line, "record");
    size_t child = of_record ? find_child(r, path) : r->child_count;
    if (child != r->child)
        use_child(r, child);
}

static uint32_t prefixed_stamp(struct ja_ndjson_reader *r, const cJSON *line, const char *key)
{
    char name[64];
    int clock;
    int64_t at, early, late;
    snprintf(name, sizeof name, "%s_early", key);
    bool has_early = ja_ndjson_read_time(line, name, &early);
    snprintf(name, sizeof name, "%s_late", key);
    bool has_late = ja_ndjson_read_time(line, name, &late);
    snprintf(name, sizeof name, "%s_clock", key);
    const char *word = ja_json_string(line, name);
    struct ja_stamp stamp = {.clock = JA_CLOCK_REPORT, .parts = JA_STAMP_UNIX};
    if (word && ja_clock_of(word, &clock))
        stamp.clock = (enum ja_clock)clock;
    if (!ja_ndjson_read_time(line, key, &at)) {
        if (!has_late)
            return JA_NONE;
        stamp.parts |= JA_STAMP_NOT_AFTER;
        stamp.unix_ns = late;
        return ja_add_stamp(r->evidence, &stamp);
    }
    stamp.unix_ns = at;
    stamp.before_ns = has_early && early < at ? at - early : 0;
    stamp.after_ns = has_late && late > at ? late - at : 0;
    return ja_add_stamp(r->evidence, &stamp);
}

static void take_diagnostics(struct ja_ndjson_reader *r, const cJSON *line)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, ja_json_get(line, "diagnostics"))
    {
        const char *code = ja_json_string(item, "code"), *text = ja_json_string(item, "text");
        const char *level = ja_json_string(item, "level");
        int64_t number = 0;
        ja_json_int(r->evidence, item, "line", "", -1, -1, 0, INT32_MAX, &number);
        if (!code || !text || !level)
            continue;
        enum ja_level worth = JA_NOTE;
        for (int i = JA_NOTE; i <= JA_UNREAD; i++)
            if (strcmp(ja_level_word((enum ja_level)i), level) == 0)
                worth = (enum ja_level)i;
        ja_diagnose(r->evidence, worth, ja_arena_string(r->evidence->arena, code), (int)number,
                    ja_json_string(item, "place"), "%s", text);
    }
}

static void take_kinds(struct ja_ndjson_reader *r, const cJSON *line)
{
    enum ja_kind kind;
    const cJSON *also;
    const char *word = ja_json_string(line, "kind");
    if (word && ja_kind_of(word, &kind))
        ja_set_kind(r->evidence, kind);
    cJSON_ArrayForEach(also, ja_json_get(line, "also"))
    {
        if (cJSON_IsString(also) && ja_kind_of(also->valuestring, &kind))
            ja_set_kind(r->evidence, kind);
    }
}

static void describe(struct ja_ndjson_reader *r, const cJSON *line)
{
    struct ja_evidence *e = r->evidence;
    enum ja_status status;
    int64_t readings;
    const char *word = ja_json_string(line, "status");
    take_kinds(r, line);
    if (word && ja_status_of(word, &status))
        ja_set_status(e, status, ja_json_string(line, "why"));
    e->sha256 = ja_arena_string(e->arena, ja_json_string(line, "sha256"));
    ja_json_int(e, line, "size_bytes", "", -1, -1, 0, WHOLE_LIMIT, &e->size_bytes);
    e->bug_type = ja_arena_string(e->arena, ja_json_string(line, "bug_type"));
    e->os = ja_arena_string(e->arena, ja_json_string(line, "os"));
    e->incident_id = ja_arena_string(e->arena, ja_json_string(line, "incident_id"));
    e->captured = prefixed_stamp(r, line, "captured");
    e->written = prefixed_stamp(r, line, "written");
    if (ja_json_int(e, line, "readings", "", -1, -1, 0, WHOLE_LIMIT, &readings)) {
        e->readings_taken = (size_t)readings;
        e->counts_settled = true;
    }
    take_diagnostics(r, line);
}

void ja_ndjson_take_source(struct ja_ndjson_reader *r, const cJSON *line)
{
    const char *path = ja_json_string(line, "path");
    if (!path || !path[0]) {
        ja_ndjson_bad(r, "bad-source", "a source without a path");
        return;
    }
    size_t child = find_child(r, path);
    if (child < r->child_count) {
        use_child(r, child); /* the same host's lines twice: what is new is added */
        return;
    }
    struct ja_evidence *evidence = ja_evidence_new(path);
    JA_APPEND(r->scratch, r->children, r->child_count, r->child_capacity)->evidence = evidence;
    *JA_APPEND(r->file->arena, r->file->children, r->file->child_count, r->file->child_capacity) =
        evidence;
    use_child(r, r->child_count - 1);
    describe(r, line);
}

/* ---- records --------------------------------------------------------------------------------- */

static bool flag(const cJSON *line, const char *key)
{
    bool value = false;
    return ja_json_bool(line, key, &value) && value;
}

static void take_system(struct ja_ndjson_reader *r, const cJSON *line, uint32_t record)
{
    uint32_t index = ja_add_system(r->evidence);
    uint32_t booted = prefixed_stamp(r, line, "booted");
    struct ja_arena *arena = r->evidence->arena;
    struct ja_system *system = &r->evidence->systems[index];
    system->host_name = ja_arena_string(arena, ja_json_string(line, "host"));
    system->boot_id = ja_arena_string(arena, ja_json_string(line, "boot"));
    system->processor = ja_arena_string(arena, ja_json_string(line, "processor"));
    system->model = ja_arena_string(arena, ja_json_string(line, "model"));
    system->os = ja_arena_string(arena, ja_json_string(line, "os"));
    system->kernel = ja_arena_string(arena, ja_json_string(line, "kernel"));
    system->boot_stamp = booted;
    ja_ndjson_bytes_of(r, line, "page_bytes", &system->page_bytes);
    ja_ndjson_bytes_of(r, line, "tick_hz", &system->tick_hz);
    ja_ndjson_bytes_of(r, line, "cores", &system->cores);
    ja_ndjson_bytes_of(r, line, "ram_bytes", &system->ram_bytes);
    r->evidence->records[record].system = index;
}

static void take_figures(struct ja_ndjson_reader *r, const cJSON *object, uint32_t record)
{
    const cJSON *child;
    cJSON_ArrayForEach(child, object)
    {
        enum ja_figure figure;
        int64_t value;
        if (child->string && ja_figure_of(child->string, &figure) &&
            ja_ndjson_bytes_of(r, object, child->string, &value))
            ja_set_figure(r->evidence, record, figure, value, r->evidence->records[record].place);
    }
}

static bool same_moment(const struct ja_evidence *evidence, uint32_t a, uint32_t b)
{
    if (a == JA_NONE || b == JA_NONE)
        return a == b;
    const struct ja_stamp *x = &evidence->stamps[a], *y = &evidence->stamps[b];
    return x->unix_ns == y->unix_ns && x->parts == y->parts && x->before_ns == y->before_ns &&
           x->after_ns == y->after_ns && x->clock == y->clock;
}

/* Records of one stamp line share their stamp: it tells what was captured together. */
static uint32_t record_stamp(struct ja_ndjson_reader *r, const cJSON *line)
{
    struct ja_evidence *e = r->evidence;
    uint32_t own = ja_ndjson_read_moment(r, line);
    if (own == JA_NONE)
        return own;
    size_t first = e->record_count > NEAR_RECORDS ? e->record_count - NEAR_RECORDS : 0;
    for (size_t i = e->record_count; i-- > first;) {
        uint32_t before = e->records[i].stamp;
        if (before == JA_NONE || !same_moment(e, own, before))
            continue;
        e->stamp_count--;
        return before;
    }
    return own;
}

void ja_ndjson_take_record(struct ja_ndjson_reader *r, const cJSON *line)
{
    int64_t index;
    enum ja_kind kind;
    const char *word = ja_json_string(line, "kind");
    struct ja_ndjson_child *child = current(r);
    if (!child || !word || !ja_kind_of(word, &kind)) {
        ja_ndjson_bad(r, "bad-record", "a record without its source or kind");
        return;
    }
    if (!index_of(r, line, "record", &index) || map_get(&child->records, line, "record") != JA_NONE)
        return;
    uint32_t record = ja_add_record(r->evidence, kind, record_stamp(r, line));
    uint32_t place = ja_ndjson_place(r, line);
    struct ja_arena *arena = r->evidence->arena;
    struct ja_record *made = &r->evidence->records[record];
    made->place = place;
    made->snapshot = ja_arena_string(arena, ja_json_string(line, "snapshot"));
    made->of = ja_arena_string(arena, ja_json_string(line, "of"));
    made->census = flag(line, "census");
    made->complete = flag(line, "complete");
    made->believed = flag(line, "believed");
    map_set(r, &child->records, index, record);
    take_system(r, line, record);
    take_figures(r, ja_json_get(line, "figures"), record);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void fill_row(struct ja_ndjson_reader *r, const cJSON *line, struct ja_subject *s)
{
    struct ja_arena *arena = r->evidence->arena;
    int scope;
    int64_t life = 0;
    const char *word = ja_json_string(line, "scope");
    s->uuid = ja_arena_string(arena, ja_json_string(line, "uuid"));
    s->command = ja_arena_string(arena, ja_json_string(line, "command"));
    s->link = ja_arena_string(arena, ja_json_string(line, "link"));
    if (word && ja_scope_of(word, &scope))
        s->scope = (enum ja_scope)scope;
    ja_ndjson_bytes_of(r, line, "coalition", &s->coalition);
    ja_ndjson_bytes_of(r, line, "age_ticks", &s->age_ticks);
    ja_ndjson_bytes_of(r, line, "start_ticks", &s->start_ticks);
    ja_ndjson_bytes_of(r, line, "peak_bytes", &s->peak_bytes);
    ja_ndjson_bytes_of(r, line, "cpu_ns", &s->cpu_ns);
    ja_ndjson_bytes_of(r, line, "parent_pid", &s->parent_pid);
    if (ja_json_int(r->evidence, line, "life", "", -1, -1, 0, UINT32_MAX - 1, &life))
        s->life = (uint32_t)life;
    s->name_cut = flag(line, "name_cut");
    s->killed = flag(line, "killed");
    s->dead = flag(line, "dead");
}

void ja_ndjson_take_row(struct ja_ndjson_reader *r, const cJSON *line)
{
    int64_t index, pid = JA_UNKNOWN;
    struct ja_ndjson_child *child = current(r);
    uint32_t record = ja_ndjson_record(r, line);
    if (!child || record == JA_NONE) {
        ja_ndjson_bad(r, "bad-row", "a row without its record");
        return;
    }
    if (!index_of(r, line, "row", &index) || map_get(&child->rows, line, "row") != JA_NONE)
        return;
    ja_json_int(r->evidence, line, "pid", "", -1, -1, -WHOLE_LIMIT, WHOLE_LIMIT, &pid);
    uint32_t start = prefixed_stamp(r, line, "start");
    uint32_t place = ja_ndjson_place(r, line);
    uint32_t row = ja_add_subject(r->evidence, record, ja_json_string(line, "name"), pid);
    fill_row(r, line, &r->evidence->subjects[row]);
    r->evidence->subjects[row].start_stamp = start;
    r->evidence->subjects[row].place = place;
    map_set(r, &child->rows, index, row);
}

/* ---- what other lines need ------------------------------------------------------------------- */

uint32_t ja_ndjson_place(struct ja_ndjson_reader *r, const cJSON *line)
{
    const char *place = current(r) ? ja_json_string(line, "place") : NULL;
    int64_t number;
    if (place)
        return ja_add_place_json(r->evidence, ja_arena_string(r->evidence->arena, place), -1, -1,
                                 NULL);
    if (!current(r))
        return ja_add_place_line(r->evidence, r->line);
    if (ja_json_int(r->evidence, line, "line", "", -1, -1, 1, INT32_MAX, &number))
        return ja_add_place_line(r->evidence, (int)number);
    return JA_NONE;
}

uint32_t ja_ndjson_event_moment(struct ja_ndjson_reader *r, const cJSON *line, uint32_t record)
{
    struct ja_evidence *e = r->evidence;
    uint32_t own = ja_ndjson_read_moment(r, line), shared = e->records[record].stamp;
    if (own == JA_NONE || !same_moment(e, own, shared))
        return own;
    e->stamp_count--; /* the one just made: the record's says the same */
    return shared;
}

uint32_t ja_ndjson_own_moment(struct ja_ndjson_reader *r, const cJSON *line, uint32_t subject)
{
    uint32_t record = r->evidence->subjects[subject].record;
    if (!current(r))
        return r->evidence->records[record].stamp;
    uint32_t own = ja_ndjson_event_moment(r, line, record);
    return own == JA_NONE ? r->evidence->records[record].stamp : own;
}

void ja_ndjson_close(struct ja_ndjson_reader *r)
{
    for (size_t i = 0; i < r->child_count; i++)
        ja_evidence_close(r->children[i].evidence);
}
