/* SPDX-License-Identifier: MIT
 *
 * Home-made growth logs: a clock reading, a number and a unit a line.
 * Seen: watch scripts around ps, footprint and top.
 *
 *     10:04:59  8,761 MB (+471 MB in 10s)
 *     2026-06-11T10:04:59Z 512.5 MB name=embedd pid=731 metric=phys_footprint
 *
 * name=, pid= and metric= may stand before or after the number; without them the process is named
 * by the file and the metric is unstated. The step is the weight of the last printed digit, the
 * rounding unknown tools do is taken as to nearest. A bare time takes its date from the stamp line
 * above. When all figures of a process are multiples of 1024 MB from 10000 MB on, somebody
 * multiplied GB readings: the step is 1 GB then. What else stands behind the number, in parentheses
 * or behind #, is left out.
 */
#include "parsers/proc_record.h"
#include "parsers/scan.h"
#include "parsers/stamp_parts.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST_LINE 400
#define LEAST_CONVERTED_MIB 10000 /* the tools leave MB at four digits */

struct row {
    struct ja_stamp stamp;
    size_t stamp_start, stamp_end;
    struct ja_quantity size;
    enum ja_unit unit;
    const char *name, *metric;
    size_t name_length, metric_length;
    int64_t pid;
};

/* "name=embedd", "pid=731", "metric=resident": false when the word is none of them. */
static bool read_pair(const char *word, size_t length, struct row *row)
{
    if (ja_text_begins(word, length, "name=")) {
        row->name = word + 5;
        row->name_length = length - 5;
        return length > 5;
    }
    if (ja_text_begins(word, length, "metric=")) {
        row->metric = word + 7;
        row->metric_length = length - 7;
        return length > 7;
    }
    struct ja_scan scan = ja_scan_of(word, length);
    return ja_scan_text(&scan, "pid=") && ja_scan_u63(&scan, &row->pid) && ja_scan_end(&scan);
}

static bool read_pairs(struct ja_scan *scan, struct row *row)
{
    for (;;) {
        struct ja_scan copy = *scan;
        const char *word;
        size_t length;
        ja_scan_blanks(&copy);
        if (!ja_scan_word(&copy, &word, &length) || !read_pair(word, length, row))
            return true;
        *scan = copy;
    }
}

static bool read_size(struct ja_scan *scan, struct ja_quantity *ret)
{
    struct ja_scan copy = *scan;
    int64_t bytes;
    if (ja_scan_size(scan, ret))
        return true;
    if (!ja_scan_u63(&copy, &bytes) || bytes > JA_LARGEST_BYTES)
        return false;
    ja_scan_blanks(&copy);
    if (!ja_scan_text(&copy, "bytes"))
        return false;
    *ret = (struct ja_quantity){bytes, 1, JA_ROUNDING_EXACT};
    *scan = copy;
    return true;
}

/* The unit as printed: the letter that the size ends with. */
static enum ja_unit unit_before(const char *line, size_t end)
{
    while (end > 0 && (line[end - 1] == 'B' || line[end - 1] == 'b' || line[end - 1] == 'i'))
        end--;
    switch (end > 0 ? line[end - 1] | 32 : 0) {
    case 'k':
        return JA_UNIT_KIB;
    case 'm':
        return JA_UNIT_MIB;
    case 'g':
        return JA_UNIT_GIB;
    default:
        return JA_UNIT_BYTES;
    }
}

static bool read_row(const char *line, size_t length, struct row *ret)
{
    struct row row = {.pid = JA_UNKNOWN};
    struct ja_scan scan = ja_scan_of(line, length);
    ja_scan_blanks(&scan);
    char first = scan.at < length ? line[scan.at] : '\0';
    bool bracket = ja_scan_char(&scan, '[');
    if (!bracket && !(first >= '0' && first <= '9') &&
        !((first | 32) >= 'a' && (first | 32) <= 'z'))
        return false;
    row.stamp_start = scan.at;
    if (!ja_stamp_any(&scan, &row.stamp) || !(row.stamp.parts & (JA_STAMP_TIME | JA_STAMP_UNIX)))
        return false;
    row.stamp_end = scan.at;
    if (bracket && !ja_scan_char(&scan, ']'))
        return false;
    ja_scan_blanks(&scan);
    if (!ja_scan_char(&scan, ',') && !ja_scan_char(&scan, ';'))
        ja_scan_char(&scan, '|');
    ja_scan_blanks(&scan);
    read_pairs(&scan, &row);
    ja_scan_blanks(&scan);
    if (!read_size(&scan, &row.size))
        return false;
    row.unit = unit_before(line, scan.at);
    read_pairs(&scan, &row);
    ja_scan_blanks(&scan);
    if (!ja_scan_end(&scan) && line[scan.at] != '(' && line[scan.at] != '#')
        return false;
    *ret = row;
    return true;
}

static bool begins(const char *line, size_t length)
{
    struct row row;
    return length <= LONGEST_LINE && read_row(line, length, &row);
}

static int bid(const struct ja_piece *piece)
{
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    return ja_piece_line(piece, &at, &number, &line) && begins(line.text, line.length) ? 55 : 0;
}

static enum ja_metric metric_of(struct ja_parse *parse, const struct row *row, int line)
{
    enum ja_metric metric = JA_METRIC_UNSTATED;
    if (!row->metric)
        return metric;
    const char *word = ja_arena_copy(parse->scratch, row->metric, row->metric_length);
    if (ja_metric_of(word, &metric))
        return metric;
    if (strcmp(word, "rss") == 0 || strcmp(word, "RSS") == 0)
        return JA_METRIC_RESIDENT;
    if (strcmp(word, "footprint") == 0)
        return JA_METRIC_PHYS_FOOTPRINT;
    ja_diagnose(parse->evidence, JA_WARNING, "unknown-metric", line, NULL,
                "metric \"%.40s\" is none that is known, taken as unstated", word);
    return metric;
}

static void add_row(const struct ja_piece *piece, struct ja_parse *parse, struct row *row,
                    const struct ja_line *line)
{
    struct ja_evidence *e = parse->evidence;
    row->stamp.text =
        ja_arena_copy(e->arena, line->text + row->stamp_start, row->stamp_end - row->stamp_start);
    if (row->stamp.zone)
        row->stamp.zone = ja_arena_copy(e->arena, row->stamp.zone,
                                        strspn(row->stamp.zone, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"));
    if (piece->stamp != JA_NONE)
        row->stamp.date_from = piece->stamp + 1;
    ja_set_kind(e, JA_KIND_GROWTH_LOG);
    uint32_t record = ja_add_record(e, JA_KIND_GROWTH_LOG, ja_add_stamp(e, &row->stamp));
    uint32_t place = ja_add_place_line(e, line->number);
    e->records[record].place = place;
    const char *name = row->name ? ja_arena_copy(e->arena, row->name, row->name_length)
                                 : ja_proc_stem(piece, e->arena);
    uint32_t subject = ja_add_subject(e, record, name, row->pid);
    e->subjects[subject].place = place;
    ja_proc_reading(parse, subject, metric_of(parse, row, line->number), row->size, place,
                    row->unit);
}

static void parse(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    while (ja_piece_line(piece, &at, &number, &line)) {
        struct row row;
        if (line.length > LONGEST_LINE)
            ja_diagnose(parse->evidence, JA_WARNING, "line-too-long", line.number, NULL,
                        "longer than %d bytes, left out", LONGEST_LINE);
        else if (read_row(line.text, line.length, &row))
            add_row(piece, parse, &row, &line);
    }
}

/* Readings of one process of the file, neighbours after sorting. */
struct sized {
    const char *name;
    int64_t pid;
    uint32_t reading;
};

static int by_process(const void *a, const void *b)
{
    const struct sized *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    if (order == 0 && x->pid != y->pid)
        order = x->pid < y->pid ? -1 : 1;
    return order ? order : (x->reading > y->reading) - (x->reading < y->reading);
}

/* "15,360 MB": a whole number of GB that the tool would have printed as "15 GB". */
static bool looks_converted(const struct ja_reading *reading)
{
    return reading->unit == JA_UNIT_MIB && reading->resolution == JA_MIB &&
           reading->value >= LEAST_CONVERTED_MIB * JA_MIB && reading->value % JA_GIB == 0;
}

/* All figures of a process are whole GB in MB: somebody multiplied, each is good to half a GB. */
static void widen(struct ja_evidence *e, const struct sized *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!looks_converted(&e->readings[list[i].reading]))
            return;
    for (size_t i = 0; i < count; i++) {
        struct ja_reading *reading = &e->readings[list[i].reading];
        reading->resolution = JA_GIB;
        uint32_t record = e->subjects[reading->subject].record;
        struct ja_fact *fact = ja_add_fact(e, record, JA_FACT_HAND_EDITED, reading->value,
                                           "a GB figure multiplied by 1024", reading->place);
        fact->subject = reading->subject;
    }
    ja_diagnose(e, JA_WARNING, "converted", 0, NULL,
                "%zu figures of %.60s are all multiples of 1024 MB from 10000 MB on: GB readings "
                "times 1024, taken as good to half a GB",
                count, list[0].name);
}

static void finish(struct ja_parse *parse)
{
    struct ja_evidence *e = parse->evidence;
    struct sized *list = ja_arena_alloc(parse->scratch, e->reading_count, sizeof *list);
    size_t count = 0;
    for (uint32_t i = 0; i < e->reading_count; i++) {
        const struct ja_subject *subject = &e->subjects[e->readings[i].subject];
        if (e->records[subject->record].kind == JA_KIND_GROWTH_LOG)
            list[count++] = (struct sized){subject->name, subject->pid, i};
    }
    if (count)
        qsort(list, count, sizeof *list, by_process);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && list[end].pid == list[i].pid &&
                          strcmp(list[end].name, list[i].name) == 0;)
            end++;
        widen(e, list + i, end - i);
    }
}

const struct ja_parser ja_parser_growth_log = {
    .name = "growth_log",
    .reads = "home-made logs: stamp, number, unit, optional name= pid= metric=",
    .begins = begins,
    .bid = bid,
    .parse = parse,
    .finish = finish,
};
