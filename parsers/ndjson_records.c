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

static uint32_t map_get(const struct ja_ndjson_map *map, struct ja_ndjson_line *line,
                        const char *key)
{
    const struct ja_ndjson_member *member = ja_ndjson_get(line, key);
    if (!member || member->value.type != JA_PULL_NUMBER || member->value.number < 0 ||
        member->value.number >= (double)map->count)
        return JA_NONE;
    return map->to[(size_t)member->value.number];
}

struct ja_ndjson_child *ja_ndjson_child(const struct ja_ndjson_reader *r)
{
    return r->child < r->child_count ? &r->children[r->child] : NULL;
}

uint32_t ja_ndjson_record(struct ja_ndjson_reader *r)
{
    struct ja_ndjson_child *child = ja_ndjson_child(r);
    return child ? map_get(&child->records, &r->line, "record") : JA_NONE;
}

uint32_t ja_ndjson_row(struct ja_ndjson_reader *r)
{
    struct ja_ndjson_child *child = ja_ndjson_child(r);
    return child ? map_get(&child->rows, &r->line, "row") : JA_NONE;
}

/* An index that the line gives its record or row; no more rows than lines may be asked for. */
static bool index_of(struct ja_ndjson_reader *r, const char *key, int64_t *ret)
{
    if (ja_ndjson_int(&r->line, key, r->evidence, 0, MOST_INDEX, ret))
        return true;
    ja_ndjson_bad(r, "bad-number", "no index");
    return false;
}

/* ---- sources --------------------------------------------------------------------------------- */

/* The child that was made from path, the newest one of that path; child_count: none. */
static size_t find_child(struct ja_ndjson_reader *r, const char *key)
{
    const struct ja_pull_value *path = ja_ndjson_text(&r->line, key);
    const struct ja_ndjson_child *child = ja_ndjson_child(r);
    if (child && ja_ndjson_same(path, child->evidence->path))
        return r->child;
    uint32_t known = ja_index_find(&r->child_of, ja_ndjson_string(&r->line, key), 0);
    return known ? known - 1 : r->child_count;
}

static void add_child(struct ja_ndjson_reader *r, const char *path)
{
    struct ja_evidence *evidence = ja_evidence_new(path);
    JA_APPEND(r->scratch, r->children, r->child_count, r->child_capacity)->evidence = evidence;
    *JA_APPEND(r->file->arena, r->file->children, r->file->child_count, r->file->child_capacity) =
        evidence;
    *ja_index_note(&r->child_of, r->scratch, evidence->path, 0) = (uint32_t)r->child_count;
}

/* Paths are those of the audit that wrote the lines: joined lines of two machines, or of two days,
 * may name different files alike. Their bytes tell them apart. */
static bool is_same_file(struct ja_ndjson_reader *r, const struct ja_evidence *child)
{
    return ja_ndjson_same(ja_ndjson_text(&r->line, "sha256"), child->sha256);
}

static void use_child(struct ja_ndjson_reader *r, size_t child)
{
    r->child = child;
    r->evidence = child < r->child_count ? r->children[child].evidence : r->file;
    r->last_record = r->last_system = r->last_start = r->last_place = JA_NONE;
    r->last_name = r->last_started = NULL;
}

void ja_ndjson_switch(struct ja_ndjson_reader *r)
{
    const struct ja_pull_value *path = ja_ndjson_text(&r->line, "source");
    bool of_record = path && ja_ndjson_get(&r->line, "record");
    size_t child = of_record ? find_child(r, "source") : r->child_count;
    if (child != r->child)
        use_child(r, child);
}

static void take_diagnostics(struct ja_ndjson_reader *r)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, ja_ndjson_tree(&r->line, "diagnostics"))
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

static void take_kinds(struct ja_ndjson_reader *r)
{
    enum ja_kind kind;
    const cJSON *also;
    const char *word = ja_ndjson_string(&r->line, "kind");
    if (word && ja_kind_of(word, &kind))
        ja_set_kind(r->evidence, kind);
    cJSON_ArrayForEach(also, ja_ndjson_tree(&r->line, "also"))
    {
        if (cJSON_IsString(also) && ja_kind_of(also->valuestring, &kind))
            ja_set_kind(r->evidence, kind);
    }
}

static void describe(struct ja_ndjson_reader *r)
{
    static const struct ja_ndjson_time_keys captured = {"captured", "captured_early",
                                                        "captured_late", "captured_clock"};
    static const struct ja_ndjson_time_keys written = {"written", "written_early", "written_late",
                                                       "written_clock"};
    struct ja_evidence *e = r->evidence;
    enum ja_status status;
    int64_t readings;
    const char *word = ja_ndjson_string(&r->line, "status");
    take_kinds(r);
    if (word && ja_status_of(word, &status))
        ja_set_status(e, status, ja_ndjson_string(&r->line, "why"));
    e->sha256 = ja_ndjson_copy(&r->line, "sha256", e->arena);
    ja_ndjson_int(&r->line, "size_bytes", e, 0, WHOLE_LIMIT, &e->size_bytes);
    e->bug_type = ja_ndjson_copy(&r->line, "bug_type", e->arena);
    e->os = ja_ndjson_copy(&r->line, "os", e->arena);
    e->incident_id = ja_ndjson_copy(&r->line, "incident_id", e->arena);
    e->captured = ja_ndjson_stamp(r, &captured);
    e->written = ja_ndjson_stamp(r, &written);
    if (ja_ndjson_int(&r->line, "readings", e, 0, WHOLE_LIMIT, &readings)) {
        e->readings_taken = (size_t)readings;
        e->counts_settled = true;
    }
    take_diagnostics(r);
}

void ja_ndjson_take_source(struct ja_ndjson_reader *r)
{
    const struct ja_pull_value *path = ja_ndjson_text(&r->line, "path");
    if (!path || !path->length) {
        ja_ndjson_bad(r, "bad-source", "a source without a path");
        return;
    }
    size_t child = find_child(r, "path");
    if (child < r->child_count && is_same_file(r, r->children[child].evidence)) {
        use_child(r, child); /* the same host's lines twice: what is new is added */
        return;
    }
    add_child(r, ja_ndjson_string(&r->line, "path"));
    use_child(r, r->child_count - 1);
    describe(r);
}

/* ---- records --------------------------------------------------------------------------------- */

/* The text at key, copied unless the record before said the same. */
static const char *shared(struct ja_ndjson_reader *r, const char *key, const char *before)
{
    if (ja_ndjson_same(ja_ndjson_text(&r->line, key), before))
        return before;
    return ja_ndjson_copy(&r->line, key, r->evidence->arena);
}

static void take_system(struct ja_ndjson_reader *r, uint32_t record)
{
    static const struct ja_ndjson_time_keys booted = {"booted", "booted_early", "booted_late",
                                                      "booted_clock"};
    uint32_t index = ja_add_system(r->evidence);
    uint32_t boot_stamp = ja_ndjson_stamp(r, &booted);
    struct ja_system *system = &r->evidence->systems[index];
    const struct ja_system none = {.host_name = NULL}, *before = index ? system - 1 : &none;
    system->host_name = shared(r, "host", before->host_name);
    system->boot_id = shared(r, "boot", before->boot_id);
    system->processor = shared(r, "processor", before->processor);
    system->model = shared(r, "model", before->model);
    system->os = shared(r, "os", before->os);
    system->kernel = shared(r, "kernel", before->kernel);
    system->boot_stamp = boot_stamp;
    ja_ndjson_bytes_of(r, "page_bytes", &system->page_bytes);
    ja_ndjson_bytes_of(r, "tick_hz", &system->tick_hz);
    ja_ndjson_bytes_of(r, "cores", &system->cores);
    ja_ndjson_bytes_of(r, "ram_bytes", &system->ram_bytes);
    r->evidence->records[record].system = index;
}

/* Records of one stamp line share their stamp: it tells what was captured together. Those that only
 * have the same time say so. */
static uint32_t record_stamp(struct ja_ndjson_reader *r)
{
    const struct ja_evidence *e = r->evidence;
    uint32_t near[JA_NEAR_RECORDS];
    size_t count = 0;
    bool apart = ja_ndjson_true(&r->line, "apart");
    while (!apart && count < JA_NEAR_RECORDS && count < e->record_count) {
        near[count] = e->records[e->record_count - 1 - count].stamp;
        count++;
    }
    return ja_ndjson_shared_stamp(r, near, count);
}

void ja_ndjson_take_record(struct ja_ndjson_reader *r)
{
    int64_t index;
    enum ja_kind kind;
    const char *word = ja_ndjson_string(&r->line, "kind");
    struct ja_ndjson_child *child = ja_ndjson_child(r);
    if (!child || !word || !ja_kind_of(word, &kind)) {
        ja_ndjson_bad(r, "bad-record", "a record without its source or kind");
        return;
    }
    if (!index_of(r, "record", &index) || map_get(&child->records, &r->line, "record") != JA_NONE)
        return;
    uint32_t record = ja_add_record(r->evidence, kind, record_stamp(r));
    uint32_t place = ja_ndjson_place(r);
    struct ja_arena *arena = r->evidence->arena;
    struct ja_record *made = &r->evidence->records[record];
    made->place = place;
    made->snapshot = ja_ndjson_copy(&r->line, "snapshot", arena);
    made->of = ja_ndjson_copy(&r->line, "of", arena);
    made->census = ja_ndjson_true(&r->line, "census");
    made->complete = ja_ndjson_true(&r->line, "complete");
    made->believed = ja_ndjson_true(&r->line, "believed");
    map_set(r, &child->records, index, record);
    take_system(r, record);
    ja_ndjson_take_figures(r, record, place);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* A row of a Jetsam report says none of it, and takes no room for it. */
static void fill_more(struct ja_ndjson_reader *r, struct ja_subject *s, uint32_t start_stamp)
{
    struct ja_arena *arena = r->evidence->arena;
    struct ja_subject_more more = ja_subject_unsaid;
    more.command = ja_ndjson_copy(&r->line, "command", arena);
    more.link = ja_ndjson_copy(&r->line, "link", arena);
    more.start_stamp = start_stamp;
    ja_ndjson_bytes_of(r, "start_ticks", &more.start_ticks);
    ja_ndjson_bytes_of(r, "parent_pid", &more.parent_pid);
    if (more.command || more.link || more.start_stamp != JA_NONE ||
        more.start_ticks != JA_UNKNOWN || more.parent_pid != JA_UNKNOWN)
        *ja_subject_more(s, arena) = more;
}

static void fill_row(struct ja_ndjson_reader *r, struct ja_subject *s)
{
    struct ja_arena *arena = r->evidence->arena;
    int scope;
    int64_t life = 0;
    const char *word = ja_ndjson_string(&r->line, "scope");
    s->uuid = ja_ndjson_copy(&r->line, "uuid", arena);
    if (word && ja_scope_of(word, &scope))
        s->scope = (uint8_t)scope;
    ja_ndjson_bytes_of(r, "coalition", &s->coalition);
    ja_ndjson_bytes_of(r, "age_ticks", &s->age_ticks);
    ja_ndjson_bytes_of(r, "peak_bytes", &s->peak_bytes);
    ja_ndjson_bytes_of(r, "cpu_ns", &s->cpu_ns);
    if (ja_ndjson_int(&r->line, "life", r->evidence, 0, UINT32_MAX - 1, &life))
        s->life = (uint32_t)life;
    s->name_open = ja_ndjson_true(&r->line, "name_open");
    s->name_cut = s->name_open || ja_ndjson_true(&r->line, "name_cut");
    s->killed = ja_ndjson_true(&r->line, "killed");
    s->dead = ja_ndjson_true(&r->line, "dead");
}

void ja_ndjson_take_row(struct ja_ndjson_reader *r)
{
    static const struct ja_ndjson_time_keys start = {"start", "start_early", "start_late",
                                                     "start_clock"};
    int64_t index, pid = JA_UNKNOWN;
    struct ja_ndjson_child *child = ja_ndjson_child(r);
    uint32_t record = ja_ndjson_record(r);
    if (!child || record == JA_NONE) {
        ja_ndjson_bad(r, "bad-row", "a row without its record");
        return;
    }
    if (!index_of(r, "row", &index) || map_get(&child->rows, &r->line, "row") != JA_NONE)
        return;
    ja_ndjson_int(&r->line, "pid", r->evidence, -WHOLE_LIMIT, WHOLE_LIMIT, &pid);
    uint32_t start_stamp = ja_ndjson_stamp(r, &start);
    uint32_t place = ja_ndjson_place(r);
    uint32_t row = ja_add_subject(r->evidence, record, NULL, pid);
    fill_row(r, &r->evidence->subjects[row]);
    r->evidence->subjects[row].name = ja_ndjson_name(r);
    fill_more(r, &r->evidence->subjects[row], start_stamp);
    r->evidence->subjects[row].place = place;
    map_set(r, &child->rows, index, row);
}

/* ---- places ---------------------------------------------------------------------------------- */

/* What is said of one line has one place. */
static uint32_t place_of_line(struct ja_ndjson_reader *r, int number)
{
    if (r->last_place == JA_NONE || r->last_line != number)
        r->last_place = ja_add_place_line(r->evidence, number);
    r->last_line = number;
    return r->last_place;
}

uint32_t ja_ndjson_line_place(struct ja_ndjson_reader *r)
{
    return place_of_line(r, r->number);
}

uint32_t ja_ndjson_place(struct ja_ndjson_reader *r)
{
    int64_t number;
    if (!ja_ndjson_child(r))
        return ja_ndjson_line_place(r);
    const char *path = ja_ndjson_copy(&r->line, "place", r->evidence->arena);
    if (path)
        return ja_add_place_json(r->evidence, path, -1, -1, NULL);
    if (ja_ndjson_int(&r->line, "line", r->evidence, 1, INT32_MAX, &number))
        return place_of_line(r, (int)number);
    return JA_NONE;
}

void ja_ndjson_close(struct ja_ndjson_reader *r)
{
    for (size_t i = 0; i < r->child_count; i++)
        ja_evidence_close(r->children[i].evidence);
}
