/* SPDX-License-Identifier: MIT
 *
 * NDJSON: the program's own line form, written by --ndjson and read back as evidence, so that
 * parsing can be spread over machines. Schema jetsam-audit-ndjson/1; the header line is optional.
 *
 *   {"type":"reading","host":"mac-7","boot":"b1","name":"embedd","pid":731,"metric":
 *    "phys_footprint","at":"2026-10-13T07:12:00.120Z","value_bytes":62277025792,
 *    "resolution_bytes":16384,"rounding":"down"}
 *
 * reading -> a reading of a subject at its own moment; work -> a count; event -> an event; state ->
 * a record that is believed as it stands; boot -> a system; process -> a subject with what another
 * audit established; fact, concern -> facts. A source line opens the evidence of an original file:
 * its record, row, reading, work, event and fact lines rebuild it (ndjson_records.c).
 * Unknown keys and types are kept out of the way, with a note. One bad line costs that line only.
 */
#include "parsers/ndjson.h"

#include <string.h>

#include "parsers/json.h"
#include "parsers/scan.h"

void ja_ndjson_bad(struct ja_ndjson_reader *r, const char *code, const char *what)
{
    ja_diagnose(r->evidence, JA_ERROR, code, r->line, NULL, "%s, line left out", what);
}

/* ---- moments --------------------------------------------------------------------------------- */

bool ja_ndjson_read_time(const cJSON *object, const char *key, int64_t *ret)
{
    const char *text = ja_json_string(object, key);
    return text && ja_instant_read(text, strlen(text), ret);
}

static enum ja_clock clock_of(const cJSON *object)
{
    int clock;
    const char *word = ja_json_string(object, "clock");
    return word && ja_clock_of(word, &clock) ? (enum ja_clock)clock : JA_CLOCK_REPORT;
}

/* A stamp of the moment under prefix "at" (early and late may be left out); JA_NONE: no time. */
uint32_t ja_ndjson_read_moment(struct ja_ndjson_reader *r, const cJSON *object)
{
    int64_t at, early, late;
    bool known = ja_ndjson_read_time(object, "at", &at);
    bool has_early = ja_ndjson_read_time(object, "early", &early),
         has_late = ja_ndjson_read_time(object, "late", &late);
    if (!known && !has_late)
        return JA_NONE;
    struct ja_stamp stamp = {.clock = clock_of(object), .parts = JA_STAMP_UNIX};
    if (!known) {
        stamp.parts |= JA_STAMP_NOT_AFTER;
        stamp.unix_ns = late;
        return ja_add_stamp(r->evidence, &stamp);
    }
    stamp.unix_ns = at;
    stamp.before_ns = has_early && early < at ? at - early : 0;
    stamp.after_ns = has_late && late > at ? late - at : 0;
    return ja_add_stamp(r->evidence, &stamp);
}

uint32_t ja_ndjson_stamp_at(struct ja_ndjson_reader *r, const cJSON *object, const char *key)
{
    struct ja_stamp stamp = {.clock = JA_CLOCK_REPORT, .parts = JA_STAMP_UNIX};
    if (!ja_ndjson_read_time(object, key, &stamp.unix_ns))
        return JA_NONE;
    return ja_add_stamp(r->evidence, &stamp);
}

/* ---- machines -------------------------------------------------------------------------------- */

static bool same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static size_t hash_of(const char *host, const char *boot)
{
    size_t h = 1469598103u;
    for (const char *at = host ? host : ""; *at; at++)
        h = (h ^ (unsigned char)*at) * 16777619u;
    for (const char *at = boot ? boot : "/"; *at; at++)
        h = (h ^ (unsigned char)*at) * 16777619u;
    return h ^ h >> 15;
}

static void grow_slots(struct ja_ndjson_reader *r)
{
    size_t larger = r->slot_count ? r->slot_count * 2 : 64;
    uint32_t *slots = ja_arena_alloc(r->scratch, larger, sizeof *slots);
    for (size_t i = 0; i < r->slot_count; i++) {
        if (!r->slots[i])
            continue;
        const struct ja_system *s = &r->evidence->systems[r->slots[i] - 1];
        size_t at = hash_of(s->host_name, s->boot_id) & (larger - 1);
        while (slots[at])
            at = (at + 1) & (larger - 1);
        slots[at] = r->slots[i];
    }
    r->slots = slots;
    r->slot_count = larger;
}

static uint32_t system_of(struct ja_ndjson_reader *r, const cJSON *object)
{
    const char *host = ja_json_string(object, "host"), *boot = ja_json_string(object, "boot");
    if (r->last_system != JA_NONE && same(host, r->last_host) && same(boot, r->last_boot))
        return r->last_system;
    if (r->system_count * 2 >= r->slot_count)
        grow_slots(r);
    size_t at = hash_of(host, boot) & (r->slot_count - 1);
    while (r->slots[at] && !(same(r->evidence->systems[r->slots[at] - 1].host_name, host) &&
                             same(r->evidence->systems[r->slots[at] - 1].boot_id, boot)))
        at = (at + 1) & (r->slot_count - 1);
    if (!r->slots[at]) {
        uint32_t system = ja_add_system(r->evidence);
        r->evidence->systems[system].host_name = ja_arena_string(r->evidence->arena, host);
        r->evidence->systems[system].boot_id = ja_arena_string(r->evidence->arena, boot);
        r->slots[at] = system + 1;
        r->system_count++;
    }
    r->last_system = r->slots[at] - 1;
    r->last_host = r->evidence->systems[r->last_system].host_name;
    r->last_boot = r->evidence->systems[r->last_system].boot_id;
    r->last_record = JA_NONE;
    return r->last_system;
}

/* What kind of evidence the line was made from, in the audit that wrote it. */
static enum ja_kind kind_of(const cJSON *object)
{
    enum ja_kind kind;
    const char *word = ja_json_string(object, "via");
    return word && ja_kind_of(word, &kind) ? kind : JA_KIND_NDJSON;
}

/* Lines of one moment from two files are of two records; some lines name no file. */
static bool same_source(const struct ja_ndjson_reader *r, const cJSON *object)
{
    const char *source = ja_json_string(object, "source");
    return !source || !r->last_source || strcmp(source, r->last_source) == 0;
}

/* The record of a line: neighbours of one machine and one moment share one. */
static uint32_t record_of(struct ja_ndjson_reader *r, const cJSON *object)
{
    uint32_t system = system_of(r, object);
    int64_t at = JA_UNKNOWN, early = JA_UNKNOWN, late = JA_UNKNOWN;
    ja_ndjson_read_time(object, "at", &at);
    ja_ndjson_read_time(object, "early", &early);
    ja_ndjson_read_time(object, "late", &late);
    if (r->last_record != JA_NONE && at == r->last_at && early == r->last_early &&
        late == r->last_late && kind_of(object) == r->last_kind && same_source(r, object))
        return r->last_record;
    uint32_t record = ja_add_record(r->evidence, kind_of(object), ja_ndjson_read_moment(r, object));
    r->evidence->records[record].system = system;
    r->evidence->records[record].place = ja_add_place_line(r->evidence, r->line);
    r->last_record = record;
    r->last_at = at;
    r->last_early = early;
    r->last_late = late;
    r->last_kind = kind_of(object);
    r->last_source = ja_arena_string(r->scratch, ja_json_string(object, "source"));
    return record;
}

static uint32_t new_record(struct ja_ndjson_reader *r, const cJSON *object)
{
    r->last_record = JA_NONE;
    uint32_t record = record_of(r, object);
    r->last_record = JA_NONE;
    return record;
}

static uint32_t subject_of(struct ja_ndjson_reader *r, const cJSON *object, uint32_t record)
{
    int64_t pid = JA_UNKNOWN;
    ja_json_int(r->evidence, object, "pid", "", -1, -1, -WHOLE_LIMIT, WHOLE_LIMIT, &pid);
    uint32_t subject = ja_add_subject(r->evidence, record, ja_json_string(object, "name"), pid);
    struct ja_subject *s = &r->evidence->subjects[subject];
    int scope;
    const char *word = ja_json_string(object, "scope");
    if (word && ja_scope_of(word, &scope))
        s->scope = (enum ja_scope)scope;
    uint32_t started = ja_ndjson_stamp_at(r, object, "started");
    r->evidence->subjects[subject].start_stamp = started;
    return subject;
}

/* ---- lines ----------------------------------------------------------------------------------- */

bool ja_ndjson_bytes_of(struct ja_ndjson_reader *r, const cJSON *object, const char *key,
                        int64_t *ret)
{
    return ja_json_int(r->evidence, object, key, "", -1, -1, -JA_LARGEST_BYTES, JA_LARGEST_BYTES,
                       ret);
}

static void take_reading(struct ja_ndjson_reader *r, const cJSON *line)
{
    r->reading_count++;
    const char *word = ja_json_string(line, "metric");
    enum ja_metric metric;
    if (!word || !ja_metric_of(word, &metric)) {
        ja_ndjson_bad(r, "bad-metric", "no known metric");
        return;
    }
    struct ja_quantity quantity = {0, 1, JA_ROUNDING_UNKNOWN};
    if (!ja_ndjson_bytes_of(r, line, "value_bytes", &quantity.value)) {
        ja_ndjson_bad(r, "bad-number", "no whole value_bytes");
        return;
    }
    int rounding;
    const char *mode = ja_json_string(line, "rounding");
    ja_ndjson_bytes_of(r, line, "resolution_bytes", &quantity.resolution);
    if (quantity.resolution < 0)
        quantity.resolution = 1;
    if (mode && ja_rounding_of(mode, &rounding))
        quantity.rounding = (enum ja_rounding)rounding;
    bool edge = false;
    if (quantity.rounding == JA_ROUNDING_NEAREST && ja_json_bool(line, "edge", &edge) && edge)
        quantity.rounding = JA_ROUNDING_EDGE;
    uint32_t subject = ja_ndjson_row(r, line);
    if (subject == JA_NONE)
        subject = subject_of(r, line, record_of(r, line));
    uint32_t place = ja_ndjson_place(r, line);
    uint32_t stamp = ja_ndjson_own_moment(r, line, subject);
    struct ja_reading *reading = ja_add_reading(r->evidence, subject, metric, quantity, place);
    int unit;
    bool approximate = false;
    const char *unit_word = ja_json_string(line, "unit");
    reading->printed = ja_arena_string(r->evidence->arena, ja_json_string(line, "raw"));
    reading->stamp = stamp;
    if (unit_word && ja_unit_of(unit_word, &unit))
        reading->unit = (uint8_t)unit;
    if (ja_json_bool(line, "approximate", &approximate))
        reading->approximate = approximate;
    const char *category = ja_json_string(line, "category");
    if (category)
        r->evidence->readings[r->evidence->reading_count - 1].category =
            ja_add_category(r->evidence, category);
}

static void take_work(struct ja_ndjson_reader *r, const cJSON *line)
{
    double total;
    const char *unit = ja_json_string(line, "unit");
    if (!ja_json_double(line, "total", &total)) {
        ja_ndjson_bad(r, "bad-number", "no number total");
        return;
    }
    uint32_t subject = ja_ndjson_row(r, line);
    if (subject == JA_NONE)
        subject = subject_of(r, line, record_of(r, line));
    uint32_t stamp = ja_ndjson_own_moment(r, line, subject);
    uint32_t place = ja_ndjson_place(r, line);
    ja_add_count(r->evidence, subject, unit ? unit : "work", total, place)->stamp = stamp;
}

static void take_event(struct ja_ndjson_reader *r, const cJSON *line)
{
    const char *word = ja_json_string(line, "kind");
    enum ja_event_kind kind;
    if (!word || !ja_event_of(word, &kind)) {
        ja_ndjson_bad(r, "bad-event", "no known kind of event");
        return;
    }
    struct ja_arena *arena = r->evidence->arena;
    uint32_t record = ja_ndjson_record(r, line), subject = ja_ndjson_row(r, line), stamp;
    if (record == JA_NONE) {
        record = new_record(r, line);
        stamp = r->evidence->records[record].stamp;
        if (ja_json_string(line, "name"))
            subject = subject_of(r, line, record);
    } else {
        stamp = ja_ndjson_event_moment(r, line, record);
    }
    uint32_t place = ja_ndjson_place(r, line);
    struct ja_event_seen *event = ja_add_event(r->evidence, kind, record, stamp, place);
    event->subject = subject;
    event->reason = ja_arena_string(arena, ja_json_string(line, "reason"));
    event->detail = ja_arena_string(arena, ja_json_string(line, "detail"));
    ja_ndjson_bytes_of(r, line, "bytes", &event->bytes);
    ja_ndjson_bytes_of(r, line, "limit_bytes", &event->limit_bytes);
    int64_t order = 0;
    ja_json_int(r->evidence, line, "order", "", -1, -1, 0, INT32_MAX, &order);
    event->order = (int)order;
}

static void take_boot(struct ja_ndjson_reader *r, const cJSON *line)
{
    uint32_t index = system_of(r, line);
    uint32_t start = ja_ndjson_stamp_at(r, line, "start");
    struct ja_system *system = &r->evidence->systems[index];
    struct ja_arena *arena = r->evidence->arena;
    if (start != JA_NONE)
        system->boot_stamp = start;
    ja_ndjson_bytes_of(r, line, "ram_bytes", &system->ram_bytes);
    ja_ndjson_bytes_of(r, line, "page_bytes", &system->page_bytes);
    ja_json_int(r->evidence, line, "cores", "", -1, -1, 1, 1 << 20, &system->cores);
    system->model = ja_arena_string(arena, ja_json_string(line, "model"));
    system->os = ja_arena_string(arena, ja_json_string(line, "os"));
    system->kernel = ja_arena_string(arena, ja_json_string(line, "kernel"));
    /* A boot line stands for its machine even when no reading does. */
    uint32_t record =
        ja_add_record(r->evidence, JA_KIND_NDJSON, ja_ndjson_stamp_at(r, line, "last_seen"));
    r->evidence->records[record].system = index;
    r->evidence->records[record].place = ja_add_place_line(r->evidence, r->line);
}

static void take_process(struct ja_ndjson_reader *r, const cJSON *line)
{
    uint32_t record = new_record(r, line);
    uint32_t subject = subject_of(r, line, record);
    struct ja_subject *s = &r->evidence->subjects[subject];
    struct ja_arena *arena = r->evidence->arena;
    s->command = ja_arena_string(arena, ja_json_string(line, "command"));
    s->link = ja_arena_string(arena, ja_json_string(line, "link"));
    ja_ndjson_bytes_of(r, line, "peak_bytes", &s->peak_bytes);
    ja_json_int(r->evidence, line, "coalition", "", -1, -1, 0, WHOLE_LIMIT, &s->coalition);
    s->place = ja_add_place_line(r->evidence, r->line);
}

static void take_fact(struct ja_ndjson_reader *r, const cJSON *line)
{
    const char *word = ja_json_string(line, "key");
    enum ja_fact_key key;
    if (!word || !ja_fact_of(word, &key)) {
        ja_diagnose(r->evidence, JA_NOTE, "unknown-fact", r->line, NULL,
                    "fact of an unknown key, left out");
        return;
    }
    uint32_t record = ja_ndjson_record(r, line), subject = ja_ndjson_row(r, line);
    if (record == JA_NONE) {
        record = record_of(r, line);
        if (ja_json_string(line, "name"))
            subject = subject_of(r, line, record);
    }
    int64_t value = JA_UNKNOWN;
    ja_ndjson_bytes_of(r, line, "value", &value);
    uint32_t place = ja_ndjson_place(r, line);
    struct ja_fact *fact =
        ja_add_fact(r->evidence, record, key, value, ja_json_string(line, "text"), place);
    fact->subject = subject;
}

static void take_concern(struct ja_ndjson_reader *r, const cJSON *line)
{
    double slope;
    if (!ja_json_double(line, "bytes_per_hour", &slope) || slope <= 0 || slope > 1e18) {
        ja_ndjson_bad(r, "bad-number", "no usable bytes_per_hour");
        return;
    }
    /* It speaks of a name, not of a moment: its subject must make no process of its own. */
    ja_add_fact(r->evidence, record_of(r, line), JA_FACT_CONCERN, (int64_t)slope,
                ja_json_string(line, "name"), ja_add_place_line(r->evidence, r->line));
}

static void take_figures(struct ja_ndjson_reader *r, const cJSON *object, uint32_t record,
                         uint32_t place)
{
    const cJSON *child;
    cJSON_ArrayForEach(child, object)
    {
        enum ja_figure figure;
        int64_t value;
        if (child->string && ja_figure_of(child->string, &figure) &&
            ja_ndjson_bytes_of(r, object, child->string, &value))
            ja_set_figure(r->evidence, record, figure, value, place);
    }
}

static void take_part(struct ja_ndjson_reader *r, const cJSON *part, const char *key,
                      uint32_t record, enum ja_figure figure, uint32_t place)
{
    int64_t value;
    if (part && ja_ndjson_bytes_of(r, part, key, &value))
        ja_set_figure(r->evidence, record, figure, value, place);
}

static void take_state(struct ja_ndjson_reader *r, const cJSON *line)
{
    static const struct {
        const char *key;
        enum ja_figure figure;
    } physical[] = {
        {"managed_bytes", JA_FIGURE_MANAGED},
        {"used_bytes", JA_FIGURE_USED},
        {"free_bytes", JA_FIGURE_FREE},
        {"anonymous_bytes", JA_FIGURE_ANONYMOUS},
        {"file_backed_bytes", JA_FIGURE_FILE_BACKED},
        {"wired_bytes", JA_FIGURE_WIRED},
        {"compressor_bytes", JA_FIGURE_COMPRESSOR},
        {"uncompressed_bytes", JA_FIGURE_UNCOMPRESSED},
    };
    uint32_t record = new_record(r, line);
    uint32_t place = ja_add_place_line(r->evidence, r->line);
    const cJSON *books = ja_json_get(line, "books"), *swap = ja_json_get(line, "swap");
    r->evidence->records[record].believed = true;
    r->evidence->records[record].of =
        ja_arena_string(r->evidence->arena, ja_json_string(line, "of"));
    take_part(r, books, "sum_bytes", record, JA_FIGURE_BOOKS, place);
    take_part(r, books, "low_bytes", record, JA_FIGURE_BOOKS_LOW, place);
    take_part(r, books, "high_bytes", record, JA_FIGURE_BOOKS_HIGH, place);
    take_part(r, books, "processes", record, JA_FIGURE_BOOKS_ROWS, place);
    take_part(r, books, "killed_left_out", record, JA_FIGURE_BOOKS_KILLED, place);
    for (size_t i = 0; i < sizeof physical / sizeof *physical; i++)
        take_part(r, ja_json_get(line, "physical"), physical[i].key, record, physical[i].figure,
                  place);
    take_part(r, swap, "used_bytes", record, JA_FIGURE_SWAP_USED, place);
    take_part(r, swap, "total_bytes", record, JA_FIGURE_SWAP_TOTAL, place);
    take_part(r, line, "ram_bytes", record, JA_FIGURE_RAM, place);
    take_figures(r, ja_json_get(line, "figures"), record, place);
    if (!r->evidence->records[record].figures)
        ja_ndjson_bad(r, "bad-state", "a state without a figure");
}

static void take_header(struct ja_ndjson_reader *r, const cJSON *line)
{
    const char *schema = ja_json_string(line, "schema");
    if (!schema || strcmp(schema, "jetsam-audit-ndjson/1") != 0)
        ja_diagnose(r->evidence, JA_WARNING, "unknown-schema", r->line, NULL,
                    "not schema jetsam-audit-ndjson/1, read as if it were");
}

static const struct {
    const char *type;
    void (*take)(struct ja_ndjson_reader *r, const cJSON *line);
} types[] = {
    {"reading", take_reading},
    {"work", take_work},
    {"event", take_event},
    {"state", take_state},
    {"boot", take_boot},
    {"process", take_process},
    {"fact", take_fact},
    {"concern", take_concern},
    {"source", ja_ndjson_take_source},
    {"record", ja_ndjson_take_record},
    {"row", ja_ndjson_take_row},
    {"header", take_header},
};

static void take_line(struct ja_ndjson_reader *r, const cJSON *line)
{
    const char *type = ja_json_string(line, "type"), *from = ja_json_string(line, "from");
    if (from && strcmp(from, "records") == 0)
        return; /* what another audit made of the records that stand here as well */
    ja_ndjson_switch(r, line);
    for (size_t i = 0; type && i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i].type, type) == 0) {
            types[i].take(r, line);
            return;
        }
    }
    ja_diagnose(r->evidence, JA_NOTE, "unknown-type", r->line, NULL,
                "line of an unknown type, left out");
}

/* ---- the parser ------------------------------------------------------------------------------ */

/* A line of ours begins with an object whose type is one of ours. */
static bool is_ours(const char *text, size_t length)
{
    size_t end = ja_text_find(text, length, "\n");
    size_t at = ja_text_find(text, end, "\"type\"");
    if (at == end || text[0] != '{')
        return false;
    struct ja_scan scan = ja_scan_of(text, end);
    scan.at = at + 6;
    ja_scan_blanks(&scan);
    if (!ja_scan_char(&scan, ':'))
        return false;
    ja_scan_blanks(&scan);
    if (!ja_scan_char(&scan, '"'))
        return false;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (ja_text_begins(text + scan.at, end - scan.at, types[i].type) &&
            scan.at + strlen(types[i].type) < end && text[scan.at + strlen(types[i].type)] == '"')
            return true;
    return false;
}

static int bid(const struct ja_piece *piece)
{
    const char *text = piece->text;
    size_t length = piece->length;
    ja_text_trim(&text, &length);
    if (ja_text_begins(text, length, "{\"type\":\"header\",\"schema\":\"jetsam-audit-ndjson/"))
        return 100;
    return is_ours(text, length) ? 85 : 0;
}

static void parse(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_arena *trees = ja_arena_new(), *before = ja_json_use_arena(trees);
    struct ja_ndjson_reader r = {.file = parse->evidence,
                                 .evidence = parse->evidence,
                                 .scratch = parse->scratch,
                                 .last_system = JA_NONE,
                                 .last_record = JA_NONE};
    size_t at = 0;
    int number = 0;
    struct ja_line line;
    ja_set_kind(parse->evidence, JA_KIND_NDJSON);
    while (ja_piece_line(piece, &at, &number, &line)) {
        const char *text = line.text;
        size_t length = line.length, used;
        r.line = number;
        ja_text_trim(&text, &length);
        if (!length)
            continue;
        if (r.reading_count >= parse->max_readings) {
            ja_diagnose(parse->evidence, JA_WARNING, "too-many-readings", number, NULL,
                        "the limit of readings is reached, the rest is left out");
            ja_set_status(parse->evidence, JA_STATUS_PARTLY, "limit of readings reached");
            break;
        }
        cJSON *json = ja_json_parse(text, length, &used);
        if (json && cJSON_IsObject(json) && used == length) {
            take_line(&r, json);
        } else {
            ja_ndjson_bad(&r, "bad-json", "not one JSON object");
            ja_set_status(parse->evidence, JA_STATUS_DAMAGED, "a line is not JSON");
        }
        ja_arena_reset(trees);
    }
    ja_ndjson_close(&r);
    ja_json_use_arena(before);
    ja_arena_free(trees);
}

const struct ja_parser ja_parser_ndjson = {
    .name = "ndjson",
    .reads = "the program's own lines (jetsam-audit-ndjson/1), as --ndjson writes them",
    .whole = true,
    .bid = bid,
    .parse = parse,
};
