/* SPDX-License-Identifier: MIT
 *
 * Logs of work done, for the question whether memory follows work.
 * Seen: exports of request counters, request logs in JSON lines.
 *
 *     time,total                      {"time":"2026-11-30T09:27:26.309Z","msg":"handled","total":1}
 *     2026-10-17T02:30:00Z,50
 *
 * "total" is cumulative since the start of the process (a fall is a restart), "count" belongs to
 * its row and is summed up here. The clock column is "time", "at" or "timestamp". The unit is the
 * file's name unless the operator names one. Other columns and keys are left out.
 */
#include "parsers/json.h"
#include "parsers/parser.h"
#include "parsers/proc_record.h"
#include "parsers/scan.h"
#include "parsers/stamp.h"

#include <math.h>
#include <string.h>

#define LONGEST_LINE 8192
#define MOST_COLUMNS 200 /* no header has more: it is at most LONGEST_HEADER bytes long */
#define LONGEST_HEADER 400

struct reader {
    const struct ja_piece *piece;
    struct ja_parse *parse;
    uint32_t record, subject;
    const char *unit;
    double sum; /* of counts per row */
    size_t rows, bad;
    char mark; /* of the CSV: , ; or tab */
    size_t time_column, value_column;
    bool total; /* the value column is cumulative */
    bool full;  /* the limit of readings is reached */
};

static void unquote(const char **text, size_t *length)
{
    ja_text_trim(text, length);
    if (*length >= 2 && (*text)[0] == '"' && (*text)[*length - 1] == '"') {
        ++*text;
        *length -= 2;
    }
}

/* The n-th column of a row. No quoted marks: times and numbers hold none. */
static bool column(const char *line, size_t length, char mark, size_t n, const char **ret,
                   size_t *ret_length)
{
    size_t start = 0;
    for (; n > 0; n--) {
        const char *next = memchr(line + start, mark, length - start);
        if (!next)
            return false;
        start = (size_t)(next - line) + 1;
    }
    const char *end = memchr(line + start, mark, length - start);
    *ret = line + start;
    *ret_length = end ? (size_t)(end - *ret) : length - start;
    unquote(ret, ret_length);
    return true;
}

static bool word_of(const char *text, size_t length, const char *const *words)
{
    for (; *words; words++)
        if (ja_text_is(text, length, *words))
            return true;
    return false;
}

static const char *const clocks[] = {"time", "at", "ts", "timestamp", "Time", "Timestamp", NULL};
static const char *const totals[] = {"total", "Total", NULL};
static const char *const counts[] = {"count", "Count", NULL};

/* Header line of a CSV; fills the columns. */
static bool csv_header(const char *line, size_t length, struct reader *r)
{
    static const char marks[] = ",;\t";
    if (length > LONGEST_HEADER)
        return false;
    for (const char *mark = marks; *mark; mark++) {
        bool clock = false, value = false;
        const char *text;
        size_t n;
        for (size_t i = 0; i < MOST_COLUMNS && column(line, length, *mark, i, &text, &n); i++) {
            bool total = word_of(text, n, totals);
            if (word_of(text, n, clocks) && !clock) {
                r->time_column = i;
                clock = true;
            } else if ((total || word_of(text, n, counts)) && !value) {
                r->value_column = i;
                r->total = total;
                value = true;
            }
        }
        r->mark = *mark;
        if (clock && value)
            return true;
    }
    return false;
}

static bool has_key(const char *line, size_t length, const char *const *keys)
{
    for (; *keys; keys++) {
        char quoted[24] = "\"";
        strcat(strcat(quoted, *keys), "\":");
        if (ja_text_find(line, length, quoted) < length)
            return true;
    }
    return false;
}

/* A JSON line with a clock and a counter, and nothing of a process's memory. */
static bool json_row(const char *line, size_t length)
{
    static const char *const memory[] = {"rss", "heapUsed", "type", "metric", "processes", NULL};
    ja_text_trim(&line, &length);
    return length > 2 && length <= LONGEST_LINE && line[0] == '{' && line[length - 1] == '}' &&
           has_key(line, length, clocks) &&
           (has_key(line, length, totals) || has_key(line, length, counts)) &&
           !has_key(line, length, memory);
}

static bool first_line(const struct ja_piece *piece, size_t *at, int *number, struct ja_line *ret)
{
    while (ja_piece_line(piece, at, number, ret)) {
        const char *text = ret->text;
        size_t length = ret->length;
        ja_text_trim(&text, &length);
        if (length && text[0] != '#')
            return true;
    }
    return false;
}

static int bid(const struct ja_piece *piece)
{
    struct reader r = {.mark = 0};
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    if (!first_line(piece, &at, &number, &line))
        return 0;
    if (csv_header(line.text, line.length, &r))
        return 80;
    return json_row(line.text, line.length) ? 65 : 0;
}

static void add(struct reader *r, const struct ja_stamp *stamp, double value, bool total, int line)
{
    struct ja_evidence *e = r->parse->evidence;
    if (e->count_count >= r->parse->max_readings) {
        if (!r->full)
            ja_diagnose(e, JA_WARNING, "too-many-readings", line, NULL,
                        "more rows than the limit: the rest was left out");
        r->full = true;
        return;
    }
    uint32_t index = ja_add_stamp(e, stamp);
    if (r->rows++ == 0)
        e->records[r->record].stamp = index;
    r->sum += value;
    struct ja_count *count =
        ja_add_count(e, r->subject, r->unit, total ? value : r->sum, ja_add_place_line(e, line));
    count->stamp = index;
}

static void bad_row(struct reader *r, int line, const char *what)
{
    if (r->bad++ < 5)
        ja_diagnose(r->parse->evidence, JA_WARNING, "bad-row", line, NULL, "%s, row left out",
                    what);
}

static void csv_line(struct reader *r, const struct ja_line *line)
{
    const char *clock, *text;
    size_t clock_length, length;
    struct ja_stamp stamp;
    double value;
    if (!column(line->text, line->length, r->mark, r->time_column, &clock, &clock_length) ||
        !column(line->text, line->length, r->mark, r->value_column, &text, &length)) {
        bad_row(r, line->number, "columns missing");
        return;
    }
    struct ja_scan scan = ja_scan_of(text, length);
    if (!ja_stamp_exact(clock, clock_length, r->parse->evidence->arena, &stamp))
        bad_row(r, line->number, "time not understood");
    else if (!ja_scan_double(&scan, &value) || !ja_scan_end(&scan) || value < 0)
        bad_row(r, line->number, "no number");
    else
        add(r, &stamp, value, r->total, line->number);
}

static bool json_value(const cJSON *row, const char *const *keys, double *ret)
{
    for (; *keys; keys++)
        if (ja_json_double(row, *keys, ret))
            return true;
    return false;
}

static bool json_stamp(struct reader *r, const cJSON *row, struct ja_stamp *ret)
{
    for (const char *const *key = clocks; *key; key++) {
        const char *text = ja_json_string(row, *key);
        double number;
        if (!text && ja_json_double(row, *key, &number) && number >= 0 && number < 1e16)
            text = ja_arena_print(r->parse->scratch, "%.0f", number);
        if (text && ja_stamp_exact(text, strlen(text), r->parse->evidence->arena, ret))
            return true;
    }
    return false;
}

static void json_line(struct reader *r, const struct ja_line *line)
{
    size_t used;
    struct ja_stamp stamp;
    double value;
    const cJSON *row = ja_json_parse(line->text, line->length, &used);
    bool total = json_value(row, totals, &value);
    if (!row)
        bad_row(r, line->number, "no JSON");
    else if (!total && !json_value(row, counts, &value))
        return; /* a line of the log that counts nothing */
    else if (value < 0)
        bad_row(r, line->number, "no number");
    else if (!json_stamp(r, row, &stamp))
        bad_row(r, line->number, "time not understood");
    else
        add(r, &stamp, value, total, line->number);
}

static void parse(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_evidence *e = parse->evidence;
    struct reader r = {.piece = piece, .parse = parse};
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    ja_set_kind(e, JA_KIND_WORK_LOG);
    if (!first_line(piece, &at, &number, &line))
        return;
    r.unit = ja_proc_stem(piece, e->arena);
    r.record = ja_add_record(e, JA_KIND_WORK_LOG, JA_NONE);
    r.subject = ja_add_subject(e, r.record, r.unit, JA_UNKNOWN);
    e->subjects[r.subject].scope = JA_SCOPE_HOST;
    bool csv = csv_header(line.text, line.length, &r);
    if (!csv)
        json_line(&r, &line);
    while (ja_piece_line(piece, &at, &number, &line)) {
        const char *text = line.text;
        size_t length = line.length;
        ja_text_trim(&text, &length);
        if (length == 0 || text[0] == '#')
            continue;
        if (length > LONGEST_LINE)
            bad_row(&r, line.number, "line too long");
        else if (csv)
            csv_line(&r, &line);
        else
            json_line(&r, &line);
    }
    if (r.bad && r.rows)
        ja_set_status(e, JA_STATUS_PARTLY, "some rows were not understood");
}

const struct ja_parser ja_parser_work_log = {
    .name = "work_log",
    .reads = "work counters: CSV time,total or time,count; JSON lines with time and total or count",
    .whole = true,
    .bid = bid,
    .most = 80,
    .parse = parse,
};
