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

#include <limits.h>

#include "parsers/scan.h"

void ja_ndjson_bad(struct ja_ndjson_reader *r, const char *code, const char *what)
{
    ja_diagnose(r->evidence, JA_ERROR, code, r->number, NULL, "%s, line left out", what);
}

bool ja_ndjson_bytes_of(struct ja_ndjson_reader *r, const char *key, int64_t *ret)
{
    return ja_ndjson_int(&r->line, key, r->evidence, -JA_LARGEST_BYTES, JA_LARGEST_BYTES, ret);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void take_header(struct ja_ndjson_reader *r)
{
    const char *schema = ja_ndjson_string(&r->line, "schema");
    if (!schema || strcmp(schema, "jetsam-audit-ndjson/1") != 0)
        ja_diagnose(r->evidence, JA_WARNING, "unknown-schema", r->number, NULL,
                    "not schema jetsam-audit-ndjson/1, read as if it were");
}

static const struct {
    const char *type;
    void (*take)(struct ja_ndjson_reader *r);
} types[] = {
    {"reading", ja_ndjson_take_reading}, {"work", ja_ndjson_take_work},
    {"event", ja_ndjson_take_event},     {"state", ja_ndjson_take_state},
    {"boot", ja_ndjson_take_boot},       {"process", ja_ndjson_take_process},
    {"fact", ja_ndjson_take_fact},       {"concern", ja_ndjson_take_concern},
    {"source", ja_ndjson_take_source},   {"record", ja_ndjson_take_record},
    {"row", ja_ndjson_take_row},         {"header", take_header},
};

static void take_members(struct ja_ndjson_reader *r)
{
    const struct ja_pull_value *type = ja_ndjson_text(&r->line, "type");
    const struct ja_pull_value *from = ja_ndjson_text(&r->line, "from");
    if (from && ja_pull_is(from, "records"))
        return; /* what another audit made of the records that stand here as well */
    ja_ndjson_switch(r);
    for (size_t i = 0; type && i < sizeof types / sizeof *types; i++) {
        if (ja_pull_is(type, types[i].type)) {
            types[i].take(r);
            return;
        }
    }
    ja_diagnose(r->evidence, JA_NOTE, "unknown-type", r->number, NULL,
                "line of an unknown type, left out");
}

static void take_line(struct ja_ndjson_reader *r, const struct ja_line *line)
{
    const char *text = line->text;
    size_t length = line->length;
    r->number = line->number;
    ja_text_trim(&text, &length);
    if (!length)
        return;
    if (r->reading_count >= r->parse->max_readings) {
        ja_diagnose(r->file, JA_WARNING, "too-many-readings", line->number, NULL,
                    "the limit of readings is reached, the rest is left out");
        ja_set_status(r->file, JA_STATUS_PARTLY, "limit of readings reached");
        r->full = true;
    } else if (ja_ndjson_line_read(&r->line, text, length)) {
        take_members(r);
    } else {
        ja_ndjson_bad(r, "bad-json", "not one JSON object");
        ja_set_status(r->file, JA_STATUS_DAMAGED, "a line is not JSON");
    }
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

static void *open_lines(struct ja_parse *parse)
{
    struct ja_ndjson_reader *r = ja_arena_alloc(parse->scratch, 1, sizeof *r);
    *r = (struct ja_ndjson_reader){.parse = parse,
                                   .file = parse->evidence,
                                   .evidence = parse->evidence,
                                   .scratch = parse->scratch,
                                   .last_system = JA_NONE,
                                   .last_record = JA_NONE,
                                   .last_start = JA_NONE,
                                   .last_place = JA_NONE};
    ja_ndjson_line_init(&r->line, parse->scratch);
    ja_set_kind(parse->evidence, JA_KIND_NDJSON);
    return r;
}

static int read_lines(void *reader, const struct ja_piece *piece)
{
    struct ja_ndjson_reader *r = reader;
    struct ja_arena *before = ja_json_use_arena(r->line.own);
    struct ja_line line;
    size_t at = 0;
    int number = piece->first_line - 1;
    ja_ndjson_line_forget(&r->line);
    while (!r->full && ja_piece_line(piece, &at, &number, &line))
        take_line(r, &line);
    ja_json_use_arena(before);
    return number < INT_MAX ? number + 1 : number;
}

static void close_lines(void *reader)
{
    struct ja_ndjson_reader *r = reader;
    ja_ndjson_close(r);
    ja_ndjson_line_done(&r->line);
}

static void parse(const struct ja_piece *piece, struct ja_parse *parse)
{
    void *reader = open_lines(parse);
    read_lines(reader, piece);
    close_lines(reader);
}

const struct ja_parser ja_parser_ndjson = {
    .name = "ndjson",
    .reads = "the program's own lines (jetsam-audit-ndjson/1), as --ndjson writes them",
    .whole = true,
    .bid = bid,
    .parse = parse,
    .open = open_lines,
    .lines = read_lines,
    .close = close_lines,
};
