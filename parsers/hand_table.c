/* SPDX-License-Identifier: MIT
 *
 * Tables made by hand or by a logger of one's own: a header that names its columns, rows below.
 * Seen: a table of footprint readings in an issue; CSV logs of watch scripts.
 *
 *     pid    rss_KB  phys_footprint     peak     comm
 *     94952  1588496 4483 MB            6215 MB  zotero
 *
 *     time,pid,name,rss_kb
 *     2026-10-02T10:00:00Z,731,embedd,40960
 *
 * Columns are found by their words: a clock, pid, a name, and sizes (rss, footprint, peak, pss,
 * swap, heap ...). A size needs its unit in the column's name or in the cell: without one the
 * column is left out, a unit is never guessed. Marks between columns: comma, semicolon, tab, bar or
 * blanks; with blanks the name must be one word unless it is the last column.
 */
#include "parsers/proc_record.h"
#include "parsers/scan.h"
#include "parsers/stamp.h"

#include <string.h>

#define LONGEST_LINE 1000
#define MOST_COLUMNS 48 /* those to the right of them are left out, which is said */

enum role { ROLE_OTHER, ROLE_TIME, ROLE_PID, ROLE_NAME, ROLE_SIZE };

struct head {
    enum role role;
    enum ja_metric metric;
    int64_t unit; /* bytes; 0: stands in the cell */
};

struct table {
    struct head heads[MOST_COLUMNS];
    size_t count;
    char mark;  /* ' ': blanks */
    bool wider; /* it has more than MOST_COLUMNS */
};

static const struct {
    const char *word;
    enum ja_metric metric;
} sizes[] = {
    {"rss", JA_METRIC_RESIDENT},
    {"vmrss", JA_METRIC_RESIDENT},
    {"resident", JA_METRIC_RESIDENT},
    {"footprint", JA_METRIC_PHYS_FOOTPRINT},
    {"phys_footprint", JA_METRIC_PHYS_FOOTPRINT},
    {"physfootprint", JA_METRIC_PHYS_FOOTPRINT},
    {"peak", JA_METRIC_PHYS_FOOTPRINT_PEAK},
    {"phys_footprint_peak", JA_METRIC_PHYS_FOOTPRINT_PEAK},
    {"vmhwm", JA_METRIC_RESIDENT_PEAK},
    {"rssanon", JA_METRIC_ANONYMOUS},
    {"pss", JA_METRIC_PSS},
    {"vmswap", JA_METRIC_SWAP},
    {"swap", JA_METRIC_SWAP},
    {"uss", JA_METRIC_PRIVATE_DIRTY},
    {"compressed", JA_METRIC_COMPRESSED},
    {"heap", JA_METRIC_HEAP},
    {"heap_used", JA_METRIC_HEAP},
};

static bool one_of(const char *text, size_t length, const char *const *words)
{
    for (; *words; words++)
        if (ja_text_is(text, length, *words))
            return true;
    return false;
}

/* "_kb", " (MB)", "[GiB]", "_bytes" at the end of a lower-case column name: unit and length before
 * it. */
static int64_t take_unit(const char *text, size_t *length)
{
    static const struct {
        const char *word;
        int64_t unit;
    } units[] = {{"bytes", 1},   {"kib", JA_KIB}, {"mib", JA_MIB}, {"gib", JA_GIB},
                 {"kb", JA_KIB}, {"mb", JA_MIB},  {"gb", JA_GIB}};
    size_t n = *length;
    if (n && (text[n - 1] == ')' || text[n - 1] == ']'))
        n--;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        size_t w = strlen(units[i].word);
        if (!ja_text_ends(text, n, units[i].word) || n <= w + 1 ||
            !strchr("_ ([-", text[n - w - 1]))
            continue;
        n -= w;
        while (n && strchr("_ ([-", text[n - 1]))
            n--;
        *length = n;
        return units[i].unit;
    }
    return 0;
}

static struct head head_of(const char *text, size_t length)
{
    static const char *const clocks[] = {"time",     "timestamp", "ts", "date",
                                         "datetime", "epoch",     "at", NULL};
    static const char *const names[] = {"name", "comm", "command", "process", "cmd", NULL};
    char word[32];
    struct head head = {.role = ROLE_OTHER};
    if (length == 0 || length > sizeof word)
        return head;
    for (size_t i = 0; i < length; i++)
        word[i] = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] + 32) : text[i];
    if (one_of(word, length, clocks))
        head.role = ROLE_TIME;
    else if (ja_text_is(word, length, "pid"))
        head.role = ROLE_PID;
    else if (one_of(word, length, names))
        head.role = ROLE_NAME;
    head.unit = take_unit(word, &length);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (!ja_text_is(word, length, sizes[i].word))
            continue;
        head.role = ROLE_SIZE;
        head.metric = sizes[i].metric;
    }
    return head;
}

/* The next cell of a row; with blanks a number's unit belongs to it. last: the rest of the line. */
static bool next_cell(struct ja_scan *scan, char mark, bool last, const char **ret,
                      size_t *ret_length)
{
    if (mark == ' ')
        ja_scan_blanks(scan);
    if (scan->at > scan->length || (scan->at == scan->length && mark == ' '))
        return false;
    *ret = scan->text + scan->at;
    if (last && mark == ' ') {
        *ret_length = scan->length - scan->at;
        scan->at = scan->length;
    } else if (mark != ' ') {
        const char *end = memchr(*ret, mark, scan->length - scan->at);
        *ret_length = end ? (size_t)(end - *ret) : scan->length - scan->at;
        scan->at += *ret_length + 1;
    } else {
        struct ja_quantity size;
        size_t start = scan->at;
        if (!ja_scan_size(scan, &size) && !ja_scan_word(scan, ret, ret_length))
            return false;
        *ret_length = scan->at - start;
    }
    ja_text_trim(ret, ret_length);
    if (*ret_length >= 2 && (*ret)[0] == '"' && (*ret)[*ret_length - 1] == '"') {
        ++*ret;
        *ret_length -= 2;
    }
    return true;
}

/* True when the line is a header with a size and something that says whose or when. */
static bool read_header(const char *line, size_t length, struct table *ret)
{
    static const char marks[] = ",;\t| ";
    if (length > LONGEST_LINE)
        return false;
    ja_text_trim(&line, &length);
    if (length && line[0] == '#') {
        line++;
        length--;
    }
    for (const char *mark = marks; *mark; mark++) {
        struct table table = {.mark = *mark};
        struct ja_scan scan = ja_scan_of(line, length);
        bool size = false, subject = false;
        size_t known = 0;
        const char *text;
        size_t n;
        if (*mark != ' ' && !memchr(line, *mark, length))
            continue;
        while (table.count < MOST_COLUMNS && next_cell(&scan, *mark, false, &text, &n)) {
            struct head head = head_of(text, n);
            /* A bare "rss" heads the tables of many tools; those have parsers of their own. */
            size |=
                head.role == ROLE_SIZE && (head.unit || head.metric == JA_METRIC_PHYS_FOOTPRINT);
            subject |= head.role != ROLE_SIZE && head.role != ROLE_OTHER;
            known += head.role != ROLE_OTHER;
            table.heads[table.count++] = head;
        }
        table.wider = table.count == MOST_COLUMNS && next_cell(&scan, *mark, false, &text, &n);
        *ret = table;
        /* Between blanks any sentence has columns: at least half of them must be known words. */
        return size && subject && table.count >= 2 && (*mark != ' ' || 2 * known >= table.count);
    }
    return false;
}

struct row {
    const char *time, *name;
    size_t time_length, name_length;
    int64_t pid;
    struct ja_quantity sizes[MOST_COLUMNS]; /* of size columns; resolution < 0: none */
    struct {
        const char *text;
        size_t length;
    } printed[MOST_COLUMNS];
    bool unitless;
};

static bool read_size(const struct head *head, const char *text, size_t length,
                      struct ja_quantity *ret, bool *ret_unitless)
{
    struct ja_scan scan = ja_scan_of(text, length);
    int64_t mantissa;
    int decimals;
    if (ja_scan_size(&scan, ret) && ja_scan_end(&scan))
        return true;
    scan.at = 0;
    if (!ja_scan_decimal(&scan, &mantissa, &decimals) || !ja_scan_end(&scan))
        return false;
    *ret_unitless |= head->unit == 0;
    return head->unit && ja_scale(mantissa, decimals, head->unit, ret);
}

/* False when the line has not the columns of the table. */
static bool read_row(const struct table *table, const char *line, size_t length, struct row *ret)
{
    struct ja_scan scan = ja_scan_of(line, length);
    *ret = (struct row){.pid = JA_UNKNOWN};
    for (size_t i = 0; i < table->count; i++) {
        const struct head *head = &table->heads[i];
        const char *text;
        size_t n;
        ret->sizes[i].resolution = -1;
        bool last = i + 1 == table->count && !table->wider;
        if (!next_cell(&scan, table->mark, last, &text, &n))
            return false;
        struct ja_scan cell = ja_scan_of(text, n);
        struct ja_quantity size;
        if (head->role == ROLE_TIME) {
            ret->time = text;
            ret->time_length = n;
        } else if (head->role == ROLE_NAME) {
            ret->name = text;
            ret->name_length = n;
        } else if (head->role == ROLE_PID) {
            if (!ja_scan_u63(&cell, &ret->pid) || !ja_scan_end(&cell) || ret->pid > INT32_MAX)
                return false;
        } else if (head->role == ROLE_SIZE && read_size(head, text, n, &size, &ret->unitless)) {
            ret->sizes[i] = size;
            ret->printed[i].text = text;
            ret->printed[i].length = n;
        }
    }
    return true;
}

static bool begins(const char *line, size_t length)
{
    struct table table;
    return read_header(line, length, &table);
}

/* Bids only when a row below the header gives a size. */
static int bid(const struct ja_piece *piece)
{
    struct table table;
    struct row row;
    struct ja_line line;
    size_t at = 0;
    int number = 0, tries = 0;
    bool header = false;
    while (tries < 20 && ja_piece_line(piece, &at, &number, &line)) {
        if (!header) {
            header = read_header(line.text, line.length, &table);
            continue;
        }
        tries++;
        if (line.length > LONGEST_LINE || !read_row(&table, line.text, line.length, &row))
            continue;
        for (size_t i = 0; i < table.count; i++)
            if (table.heads[i].role == ROLE_SIZE && row.sizes[i].resolution >= 0)
                return 52;
    }
    return 0;
}

/* A record per moment: rows of one clock reading share it. */
static uint32_t record_of(const struct ja_piece *piece, struct ja_parse *parse,
                          const struct row *row, const struct ja_line *line)
{
    struct ja_evidence *e = parse->evidence;
    struct ja_stamp stamp;
    bool timed = row->time && ja_stamp_exact(row->time, row->time_length, e->arena, &stamp);
    const struct ja_record *last = e->record_count ? &e->records[e->record_count - 1] : NULL;
    if (last && last->kind == JA_KIND_GROWTH_LOG) {
        bool same = timed && last->stamp != JA_NONE && e->stamps[last->stamp].text &&
                    strcmp(e->stamps[last->stamp].text, stamp.text) == 0;
        if (same || (!timed && last->stamp == piece->stamp))
            return (uint32_t)e->record_count - 1;
    }
    uint32_t index = piece->stamp;
    if (timed) {
        if (piece->stamp != JA_NONE)
            stamp.date_from = piece->stamp + 1;
        index = ja_add_stamp(e, &stamp);
    }
    uint32_t record = ja_add_record(e, JA_KIND_GROWTH_LOG, index);
    e->records[record].place = ja_add_place_line(e, line->number);
    return record;
}

/* The unit that the value is whole in; else its text is kept. */
static enum ja_unit whole_unit(int64_t resolution)
{
    return resolution == JA_GIB   ? JA_UNIT_GIB
           : resolution == JA_MIB ? JA_UNIT_MIB
           : resolution == JA_KIB ? JA_UNIT_KIB
           : resolution == 1      ? JA_UNIT_BYTES
                                  : JA_UNIT_TEXT;
}

static void add_row(const struct ja_piece *piece, struct ja_parse *parse, const struct table *table,
                    const struct row *row, const struct ja_line *line)
{
    struct ja_evidence *e = parse->evidence;
    uint32_t record = record_of(piece, parse, row, line);
    uint32_t place = ja_add_place_line(e, line->number);
    const char *name = row->name && row->name_length
                           ? ja_arena_copy(e->arena, row->name, row->name_length)
                           : ja_proc_stem(piece, e->arena);
    uint32_t subject = ja_add_subject(e, record, name, row->pid);
    e->subjects[subject].place = place;
    for (size_t i = 0; i < table->count; i++) {
        if (table->heads[i].role != ROLE_SIZE || row->sizes[i].resolution < 0)
            continue;
        enum ja_unit unit = whole_unit(row->sizes[i].resolution);
        struct ja_reading *reading =
            ja_proc_reading(parse, subject, table->heads[i].metric, row->sizes[i], place, unit);
        if (reading && unit == JA_UNIT_TEXT)
            reading->printed =
                ja_arena_copy(e->arena, row->printed[i].text, row->printed[i].length);
    }
}

/* A row of the table that cannot be read, not a rule or the prose below it. */
static bool lost_row(const struct table *table, const struct ja_line *line)
{
    bool digit = false;
    for (size_t i = 0; i < line->length; i++)
        digit = digit || (line->text[i] >= '0' && line->text[i] <= '9');
    return digit && table->mark != ' ' && memchr(line->text, table->mark, line->length);
}

static void parse(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct table table = {.count = 0};
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    bool unitless = false;
    ja_set_kind(parse->evidence, JA_KIND_GROWTH_LOG);
    while (ja_piece_line(piece, &at, &number, &line)) {
        struct row row;
        struct table other;
        if (read_header(line.text, line.length, &other)) {
            table = other;
            if (table.wider)
                ja_diagnose(parse->evidence, JA_WARNING, "too-many-columns", line.number, NULL,
                            "more than %d columns: those to the right of them were left out",
                            MOST_COLUMNS);
        } else if (table.count == 0 || line.length == 0) {
            continue;
        } else if (line.length <= LONGEST_LINE && read_row(&table, line.text, line.length, &row)) {
            add_row(piece, parse, &table, &row, &line);
            unitless |= row.unitless;
        } else if (lost_row(&table, &line)) {
            ja_diagnose(parse->evidence, JA_WARNING, "bad-row", line.number, NULL,
                        "not a row like the others, left out");
        }
    }
    if (unitless)
        ja_diagnose(parse->evidence, JA_WARNING, "no-unit", piece->first_line, NULL,
                    "a column of sizes names no unit, nor do its cells: left out");
}

const struct ja_parser ja_parser_hand_table = {
    .name = "hand_table",
    .reads =
        "home-made tables and CSV logs whose header names pid or time and a size with its unit",
    .begins = begins,
    .bid = bid,
    .parse = parse,
};
