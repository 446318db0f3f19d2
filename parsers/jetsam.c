/* SPDX-License-Identifier: MIT
 *
 * JetsamEvent reports, iOS 9 to 27, macOS, watchOS, tvOS (bug_type 298; 98 before).
 * Line 1 is a JSON header, then comes one JSON body:
 *   {"bug_type":"298","timestamp":"2026-03-14 15:07:53.00 +0100","os_version":"macOS 26.4 (...)"}
 *   { "product" : "Mac15,10", "date" : "...", "timeDelta" : 12, "memoryStatus" : { ... },
 *     "processes" : [ { "pid" : 1, "name" : "launchd", "rpages" : 1290 , ... } ] }
 * Each report becomes one system, one record (a census at snapshot time = date - timeDelta), its
 * figures (jetsam_head.c), one subject and one reading a row (jetsam_rows.c), one event a killed
 * row (jetsam_kills.c). A file may hold several reports, prose around them, or only parts of one.
 * Status: partly where a header or rows are missing, damaged where it is cut or broken.
 */
#include "parsers/jetsam.h"

#include <math.h>
#include <string.h>

#include "parsers/scan.h"

#define LARGEST_WHOLE 9007199254740992.0 /* 2^53 */
#define NOT_SEARCHED SIZE_MAX
#define SEARCH_BYTES ((size_t)256 * 1024)

static bool has_key(const char *text, size_t length, const char *key)
{
    return ja_text_find(text, length, key) < length;
}

/* By its own type, else by keys that no other report has. */
static int bid(const struct ja_piece *piece)
{
    size_t near = piece->length < SEARCH_BYTES ? piece->length : SEARCH_BYTES;
    struct ja_ips ips;
    struct ja_slice value;
    ja_ips_of(piece, &ips);
    if (ja_ips_is(&ips, "298"))
        return 96;
    if (ja_ips_is(&ips, "98") || ja_ips_is(&ips, "198"))
        return memchr(ips.body.text, '{', ips.body.length) ? 96 : 0;
    if (ips.bug_type.text)
        return 0;
    static const char *const strangers[] = {"\"processByPid\"", "\"panicString\"",
                                            "\"frontmostPids\"", "\"tuning\""};
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++)
        if (has_key(piece->text, near, strangers[i]))
            return 0;
    if (ja_ips_find(piece->text, near, "largestProcess", &value, NULL))
        return 85;
    if (ja_ips_find(piece->text, near, "rpages", &value, NULL))
        return 80;
    if (has_key(piece->text, near, "\"memoryPages\"") ||
        (has_key(piece->text, near, "\"memoryStatus\"") &&
         has_key(piece->text, near, "\"compressorSize\"")))
        return 75;
    return 0;
}

/* A member of an object; NULL when absent or null. Twice with different values: a value is left
 * out, of objects and arrays the first stands. */
static const cJSON *member(struct ja_evidence *evidence, const cJSON *object, const char *key,
                           const char *place)
{
    const cJSON *found = NULL, *item;
    bool conflict = false;
    cJSON_ArrayForEach(item, object)
    {
        if (!item->string || strcmp(item->string, key) != 0)
            continue;
        conflict |= found && !cJSON_Compare(found, item, true);
        found = found ? found : item;
    }
    bool container = cJSON_IsObject(found) || cJSON_IsArray(found);
    if (conflict)
        ja_diagnose(evidence, JA_ERROR, "conflict", 0, place,
                    "%s: stands twice with different values, %s", key,
                    container ? "the first is taken" : "value left out");
    return (conflict && !container) || cJSON_IsNull(found) ? NULL : found;
}

static const char *text_of(struct ja_parse *parse, const cJSON *object, const char *key)
{
    struct ja_evidence *evidence = parse->evidence;
    const char *place = ja_arena_print(parse->scratch, "$.%s", key);
    const cJSON *item = member(evidence, object, key, place);
    if (item && !cJSON_IsString(item))
        ja_diagnose(evidence, JA_ERROR, "bad-text", 0, place, "%s: not a text, left out", key);
    const char *text = cJSON_GetStringValue(item);
    return text ? ja_texts_keep(parse->texts, text, strlen(text)) : NULL;
}

static void number_of(struct ja_parse *parse, const cJSON *object, enum ja_jetsam_number number,
                      struct ja_jetsam_head *head)
{
    struct ja_evidence *evidence = parse->evidence;
    const struct ja_jetsam_number_row *row = &ja_jetsam_numbers[number];
    uint32_t place = ja_add_place_json(evidence, row->path, -1, -1, NULL);
    const char *where = ja_place_text(evidence, place, parse->scratch);
    const cJSON *item = member(evidence, object, row->key, where);
    if (!item)
        return;
    double value = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    if (!(value >= 0 && value <= LARGEST_WHOLE) || value != floor(value)) {
        ja_diagnose(evidence, JA_ERROR, "bad-number", 0, where,
                    "%s: not a whole number, value left out", row->key);
        return;
    }
    head->numbers[number] = (int64_t)value;
    head->places[number] = place;
}

static void read_head(struct ja_parse *parse, const cJSON *body, struct ja_jetsam_head *head)
{
    struct ja_evidence *evidence = parse->evidence;
    head->date = text_of(parse, body, "date");
    head->key = text_of(parse, body, "crashReporterKey");
    head->product = text_of(parse, body, "product");
    head->build = text_of(parse, body, "build");
    head->kernel = text_of(parse, body, "kernel");
    head->largest = text_of(parse, body, "largestProcess");
    head->place = ja_add_place_json(evidence, "/memoryStatus", -1, -1, NULL);
    const cJSON *status = member(evidence, body, "memoryStatus", "$.memoryStatus");
    const cJSON *pages = member(evidence, status, "memoryPages", "$.memoryStatus.memoryPages");
    for (int n = 0; n < JA_JETSAM_NUMBERS; n++) {
        const cJSON *from = ja_jetsam_numbers[n].in_pages ? pages : status;
        number_of(parse, n == JA_JETSAM_TIME_DELTA ? body : from, (enum ja_jetsam_number)n, head);
    }
}

/* Rows of a whole table, wherever they were read to; how many. */
static int read_rows(const struct ja_jetsam_body *body, const cJSON *table,
                     struct ja_jetsam *jetsam)
{
    int index = 0;
    ja_evidence_reserve(jetsam->parse->evidence, body->row_count);
    for (const struct ja_jetsam_rows *rows = body->rows; rows; rows = rows->next)
        for (size_t i = 0; i < rows->count; i++)
            ja_jetsam_row(jetsam, &rows->fields[i], index++, 0, NULL);
    const cJSON *row;
    cJSON_ArrayForEach(row, table)
    {
        struct ja_jetsam_fields fields;
        ja_jetsam_fields_json(row, &fields);
        ja_jetsam_row(jetsam, &fields, index++, 0, NULL);
    }
    return index;
}

/* A whole body. */
static void read_body(const struct ja_jetsam_body *body, uint32_t written, bool elided,
                      struct ja_parse *parse)
{
    struct ja_evidence *evidence = parse->evidence;
    struct ja_jetsam_head head;
    struct ja_jetsam jetsam;
    ja_jetsam_head_init(&head);
    head.written = written;
    read_head(parse, body->document, &head);
    ja_jetsam_begin(&head, JA_KIND_JETSAM, parse, &jetsam);
    const cJSON *table = member(evidence, body->document, "processes", "$.processes");
    int count = cJSON_IsArray(table) ? read_rows(body, table, &jetsam) : 0;
    if (elided) {
        ja_set_status(evidence, JA_STATUS_PARTLY, "rows were taken out by hand");
        ja_diagnose(evidence, JA_WARNING, "parts-missing", 0, "$.processes",
                    "rows were taken out by hand: %d read, no total is made of them", jetsam.rows);
        ja_jetsam_end(&jetsam, JA_JETSAM_ELIDED, "rows were taken out by hand");
    } else if (!cJSON_IsArray(table)) {
        ja_set_status(evidence, JA_STATUS_PARTLY, "no process table");
        ja_jetsam_end(&jetsam, JA_JETSAM_ABSENT, "the report has no process table");
    } else if (count != jetsam.rows) {
        ja_set_status(evidence, JA_STATUS_PARTLY, "some rows are broken");
        ja_jetsam_end(&jetsam, JA_JETSAM_CUT, "some rows are broken");
    } else {
        ja_jetsam_end(&jetsam, JA_JETSAM_WHOLE, NULL);
    }
}

static bool is_body(const cJSON *document)
{
    return cJSON_IsObject(document) &&
           (ja_json_get(document, "memoryStatus") || ja_json_get(document, "processes") ||
            ja_json_get(document, "largestProcess"));
}

/* Offset of the first line at or after from that begins with a brace; length: none. */
static size_t first_brace(const char *text, size_t length, size_t from)
{
    bool start = true;
    for (size_t at = from; at < length; at++) {
        if (start && text[at] == '{')
            return at;
        start = text[at] == '\n' || (start && (text[at] == ' ' || text[at] == '\t'));
    }
    return length;
}

/* Behind the last place where a key stands that only reports have; 0: nowhere. */
static size_t last_content(const char *text, size_t length)
{
    static const char *const keys[] = {"\"rpages\"", "\"memoryStatus\""};
    size_t last = 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        for (size_t at = 0; at < length;) {
            at += ja_text_find(text + at, length - at, keys[i]);
            at = at < length ? at + strlen(keys[i]) : length;
            last = at < length && at > last ? at : last;
        }
    }
    return last;
}

static int count_lines(const char *text, size_t length)
{
    int lines = 0;
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    return lines;
}

/* What was found wrong with the bodies behind one header. */
struct bodies {
    const char *text, *untidied;
    size_t length, at;
    size_t first;   /* where the first body begins */
    size_t last;    /* behind it no report says anything; NOT_SEARCHED */
    size_t counted; /* line is that of text[counted] */
    int line;
    uint32_t written;
    bool tidied, elided, changed;
    bool any, broken;
};

/* The line of text[at]. */
static int line_here(struct bodies *b)
{
    b->line += count_lines(b->text + b->counted, b->at - b->counted);
    b->counted = b->at;
    return b->line;
}

/* True when behind the present place a report says anything. */
static bool goes_on(struct bodies *b)
{
    if (b->last == NOT_SEARCHED)
        b->last = b->at + last_content(b->untidied + b->at, b->length - b->at);
    return b->at < b->last;
}

static void advance(struct bodies *b, size_t to)
{
    b->at = to;
    b->any = true;
    b->written = JA_NONE;
}

/* Reads the next body; false when there is none. Once one was broken, the next is looked for
 * where it can begin at the latest, so that no text is gone through again and again. */
static bool read_next(struct bodies *b, struct ja_parse *parse)
{
    size_t rest = b->length - b->at, used = 0;
    size_t extent = b->broken ? ja_jetsam_extent(b->text + b->at, rest) : rest;
    size_t end = b->at + extent, open = first_brace(b->text, end, b->at);
    struct ja_jetsam_body body = {.document = NULL};
    if (open < end)
        ja_jetsam_body_read(b->text + open, end - open, parse, &body, &used);
    if (is_body(body.document)) {
        read_body(&body, b->written, b->elided, parse);
        b->first = b->any ? b->first : open;
        advance(b, open + used);
        return goes_on(b);
    }
    if (!b->tidied) {
        b->text = ja_jetsam_tidy(b->text, b->length, parse->scratch, &b->elided, &b->changed);
        b->tidied = true;
        return true;
    }
    extent = b->broken ? extent : ja_jetsam_extent(b->text + b->at, rest);
    bool found =
        ja_jetsam_salvage(b->text + b->at, extent, line_here(b), b->written, b->elided, parse);
    b->broken |= found;
    if (found)
        advance(b, b->at + extent);
    else
        b->at += extent;
    return b->at < b->length;
}

/* The bodies behind one header: whole documents first; from the first broken one on, once tidied,
 * what can be salvaged. Returns where they end; *ret_first: where they begin. */
static size_t read_bodies(const char *text, size_t length, int line, uint32_t written,
                          struct ja_parse *parse, size_t *ret_first)
{
    struct bodies b = {.text = text,
                       .untidied = text,
                       .length = length,
                       .last = NOT_SEARCHED,
                       .line = line,
                       .written = written};
    while (b.at < length && read_next(&b, parse))
        ;
    if (b.changed && b.any && !b.broken)
        ja_diagnose(parse->evidence, JA_NOTE, "tidied", line, NULL,
                    "comments, elision marks or stray commas were taken off");
    *ret_first = b.first;
    if (b.any)
        return b.broken ? length : b.at;
    ja_set_status(parse->evidence, JA_STATUS_DAMAGED, "only its header line was left");
    ja_diagnose(parse->evidence, JA_WARNING, "cut", line, NULL,
                "a Jetsam report of which nothing but the header is left");
    return length;
}

static void say_header(const struct ja_ips *ips, struct ja_parse *parse)
{
    struct ja_evidence *evidence = parse->evidence;
    bool merged = ips->header == JA_IPS_MERGED && ips->timestamp.text && ips->os_version.text;
    if (ips->header == JA_IPS_LINE || ips->header == JA_IPS_PRETTY || merged)
        return;
    const char *why = ips->header == JA_IPS_TORN ? "its header is torn" : "its header line is lost";
    ja_set_status(evidence, JA_STATUS_PARTLY, why);
    ja_diagnose(evidence, JA_NOTE, "no-header", 0, NULL, "%s: known by its content", why);
}

/* One report with its header. Returns where it ends; *ret_first: where it begins. */
static size_t read_section(const char *text, size_t length, int line, struct ja_parse *parse,
                           size_t *ret_first)
{
    struct ja_ips ips;
    struct ja_evidence *evidence = parse->evidence;
    ja_ips_split(text, length, &ips);
    const char *first = evidence->incident_id;
    bool dated = evidence->written != JA_NONE;
    ja_ips_apply(&ips, parse);
    uint32_t written =
        dated ? ja_ips_stamp(&ips.timestamp, "$.timestamp", parse) : evidence->written;
    size_t body = (size_t)(ips.body.text - text), begin = 0, early = SIZE_MAX;
    if (last_content(text, ips.start))
        read_bodies(text, ips.start, line, JA_NONE, parse, &early);
    say_header(&ips, parse);
    size_t end = body + read_bodies(ips.body.text, ips.body.length, line + ips.body_line, written,
                                    parse, &begin);
    *ret_first = body ? ips.start : begin;
    *ret_first = early < *ret_first ? early : *ret_first;
    const char *own = ja_ips_text(&ips.incident_id, parse->scratch);
    if (first && own && strcmp(first, own) != 0) {
        ja_diagnose(evidence, JA_NOTE, "several-reports", line, NULL,
                    "the file holds more than one report");
        evidence->incident_id = NULL;
    }
    return end;
}

/* Most files are one header line and one whole body: no second header is looked for then. False,
 * and nothing is done, when the file is more or less than that. */
static bool read_lone(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_ips ips;
    struct ja_jetsam_body body;
    const char *text = piece->text;
    size_t length = piece->length, used;
    ja_text_trim(&text, &length);
    if (!ja_ips_of(piece, &ips) || ips.header != JA_IPS_LINE || ips.text + ips.start != text)
        return false;
    size_t open = first_brace(text, length, (size_t)(ips.body.text - text));
    if (open >= length || text[length - 1] != '}')
        return false;
    ja_jetsam_body_read(text + open, length - open, parse, &body, &used);
    if (!is_body(body.document) || open + used < length)
        return false;
    ja_ips_apply(&ips, parse);
    read_body(&body, parse->evidence->written, false, parse);
    return true;
}

static void parse_reports(const struct ja_piece *piece, struct ja_parse *parse)
{
    ja_set_kind(parse->evidence, JA_KIND_JETSAM);
    if (read_lone(piece, parse))
        return;
    size_t start = 0;
    int line = piece->first_line;
    while (start < piece->length) {
        size_t end = ja_ips_next(piece->text, piece->length, start), first;
        parse->took_to =
            start + read_section(piece->text + start, end - start, line, parse, &first);
        if (start == 0)
            parse->took_from = first;
        if (end < piece->length)
            line += count_lines(piece->text + start, end - start);
        start = end;
    }
    if (piece->length == 0)
        ja_set_status(parse->evidence, JA_STATUS_UNREADABLE, "empty");
}

const struct ja_parser ja_parser_jetsam = {
    .name = "jetsam",
    .reads =
        "JetsamEvent reports in JSON (bug_type 298): iOS 9 to 27, macOS, watchOS, tvOS; whole, "
        "cut, pasted or in parts",
    .whole = true,
    .bid = bid,
    .parse = parse_reports,
};
