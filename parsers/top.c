/* SPDX-License-Identifier: MIT
 *
 * top -l of macOS: one sample of the machine and its processes, perhaps one of many.
 * Seen: macOS 14.6 to 26.1; the older RSIZE column by its header word.
 *
 *     Processes: 554 total, 5 running, 549 sleeping, 4213 threads
 *     2026/05/28 03:43:04
 *     PhysMem: 15G used (2497M wired, 7090M compressor), 103M unused.
 *     PID    COMMAND          MEM    %CPU #TH  STATE
 *     66645  Google Chrome He 568M-  0.0  26   sleeping
 *
 * The second line is local time (pieces.c makes it the piece's stamp). MEM is the process's
 * footprint, rounded to its printed unit, with + or - behind it when it changed; CMPRS is the part
 * of it that is compressed; RSIZE (before 10.9) is resident. wired and compressor of PhysMem are
 * physical; "used" holds file pages and "unused" speculative ones, so neither is taken. COMMAND is
 * cut at 16 bytes and may hold blanks: columns behind it are counted from the right, columns before
 * it from the left (-stats gives any order; without PID the rows say nothing of one process). TIME
 * is CPU time. "554 total" tells whether the table is whole. Left out: network, disks, ports, PURG
 * (a part of MEM that the kernel may drop).
 */
#include "parsers/columns.h"
#include "parsers/dump.h"
#include "parsers/duration.h"
#include "parsers/proc_record.h"
#include "parsers/scan.h"
#include "parsers/side.h"

#include <string.h>

#define NAME_BYTES 16

struct reader {
    const struct ja_piece *piece;
    struct ja_parse *parse;
    uint32_t record;
    struct ja_words header;
    size_t command;     /* its column */
    size_t last_column; /* where the last word of the header begins */
    int64_t total, rows;
    bool cut;
};

static bool is_first_line(const char *line, size_t length)
{
    return ja_text_begins(line, length, "Processes: ") && length < 400 &&
           ja_text_find(line, length, " total") < length;
}

/* A title line in any order of columns. */
static bool is_header(const struct ja_words *words)
{
    return ja_word_find(words, "COMMAND") < JA_MOST_WORDS &&
           (ja_word_find(words, "MEM") < JA_MOST_WORDS ||
            ja_word_find(words, "RSIZE") < JA_MOST_WORDS ||
            ja_word_find(words, "CMPRS") < JA_MOST_WORDS);
}

/* The usual order, known as top's without the lines above the table. */
static bool is_usual_header(const struct ja_words *words)
{
    return ja_word_is(words, 1, "COMMAND") &&
           (ja_word_is(words, 0, "PID") || ja_word_is(words, 0, "ID")) && is_header(words);
}

static int bid(const struct ja_piece *piece)
{
    struct ja_line line;
    size_t at = 0;
    int number = 0, best = 0;
    while (ja_piece_line(piece, &at, &number, &line)) {
        struct ja_words words;
        if (is_first_line(line.text, line.length))
            best = 90;
        if (line.length > 400)
            continue;
        ja_words_split(line.text, line.length, &words);
        if (is_usual_header(&words) || (best && is_header(&words)))
            return best ? 95 : 80;
    }
    return best;
}

/* The size that ends right before label ("2497M wired"). */
static bool size_before(const struct ja_line *line, const char *label, struct ja_quantity *ret)
{
    size_t at = ja_text_find(line->text, line->length, label);
    if (at == line->length)
        return false;
    size_t start = at;
    while (start > 0 && line->text[start - 1] != ' ' && line->text[start - 1] != '(')
        start--;
    struct ja_scan scan = ja_scan_of(line->text, at);
    scan.at = start;
    return ja_scan_size(&scan, ret);
}

static void read_memory(struct reader *r, const struct ja_line *line)
{
    static const struct {
        const char *label;
        enum ja_figure figure;
    } parts[] = {
        {" wired", JA_FIGURE_WIRED},
        {" compressor", JA_FIGURE_COMPRESSOR},
        {" active", JA_FIGURE_ACTIVE},
        {" inactive", JA_FIGURE_INACTIVE},
    };
    struct ja_quantity size;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (size_before(line, parts[i].label, &size))
            ja_side_figure(r->parse, r->record, parts[i].figure, size.value, line->number);
}

/* "929703(0) swapouts": total since boot, and since the sample before */
static void read_swapouts(struct reader *r, const struct ja_line *line)
{
    size_t at = ja_text_find(line->text, line->length, " swapouts");
    if (at == line->length)
        return;
    size_t start = at;
    while (start > 0 && line->text[start - 1] != ' ')
        start--;
    struct ja_scan scan = ja_scan_of(line->text, at);
    scan.at = start;
    int64_t swapouts;
    if (ja_scan_u63(&scan, &swapouts))
        ja_side_figure(r->parse, r->record, JA_FIGURE_SWAPOUTS, swapouts, line->number);
}

static size_t column(const struct reader *r, const char *word)
{
    return ja_word_find(&r->header, word);
}

/* The cell of a column: before COMMAND its place is that of the header, behind it its distance from
 * the row's end is. */
static bool cell(const struct reader *r, const struct ja_words *row, const char *word,
                 size_t *ret_index)
{
    size_t at = column(r, word);
    if (at >= r->header.count || at == r->command)
        return false;
    *ret_index = at < r->command ? at : row->count - (r->header.count - at);
    return *ret_index < row->count;
}

/* "568M-", "6321K+", "0B" */
static bool size_cell(const struct reader *r, const struct ja_words *row, const char *word,
                      struct ja_quantity *ret)
{
    size_t index;
    if (!cell(r, row, word, &index))
        return false;
    struct ja_scan scan = ja_scan_of(row->at[index].text, row->at[index].length);
    if (!ja_scan_size(&scan, ret))
        return false;
    if (!ja_scan_char(&scan, '+'))
        ja_scan_char(&scan, '-');
    return ja_scan_end(&scan);
}

static void read_cpu(struct reader *r, const struct ja_words *row, uint32_t subject, uint32_t place)
{
    size_t index;
    int64_t ns;
    if (!cell(r, row, "TIME", &index) ||
        !ja_duration_read(row->at[index].text, row->at[index].length, &ns))
        return;
    r->parse->evidence->subjects[subject].cpu_ns = ns;
    ja_add_count(r->parse->evidence, subject, "cpu_s", (double)ns / 1e9, place);
}

static void add_sizes(struct reader *r, const struct ja_words *row, uint32_t subject,
                      uint32_t place)
{
    static const struct {
        const char *word;
        enum ja_metric metric;
    } sizes[] = {
        {"MEM", JA_METRIC_PHYS_FOOTPRINT},
        {"CMPRS", JA_METRIC_COMPRESSED},
        {"CMPR", JA_METRIC_COMPRESSED}, /* a narrow window cuts the head */
        {"RSIZE", JA_METRIC_RESIDENT},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct ja_quantity size;
        if (!size_cell(r, row, sizes[i].word, &size))
            continue;
        enum ja_unit unit = size.resolution == JA_GIB   ? JA_UNIT_GIB
                            : size.resolution == JA_MIB ? JA_UNIT_MIB
                            : size.resolution == JA_KIB ? JA_UNIT_KIB
                                                        : JA_UNIT_BYTES;
        ja_proc_reading(r->parse, subject, sizes[i].metric, size, place, unit);
    }
}

/* The last row of a text without a line end, which stops short of where the last column begins:
 * words of the name would stand for the columns that are missing. */
static bool row_ends_early(const struct reader *r, const struct ja_words *row,
                           const struct ja_line *line)
{
    return ja_line_bare(r->piece, line) && row->count > 0 &&
           (size_t)(row->end - line->text) <= r->last_column;
}

/* "66645", "66645*" (marked) */
static bool read_pid(const struct reader *r, const struct ja_words *row, int64_t *ret)
{
    size_t index;
    if (!cell(r, row, "PID", &index) && !cell(r, row, "ID", &index))
        return false;
    struct ja_scan scan = ja_scan_of(row->at[index].text, row->at[index].length);
    return ja_scan_u63(&scan, ret) && *ret <= INT32_MAX;
}

static void read_row(struct reader *r, const struct ja_words *row, const struct ja_line *line)
{
    struct ja_evidence *e = r->parse->evidence;
    int64_t pid, parent;
    size_t index;
    if (!read_pid(r, row, &pid))
        return;
    if (row->count < r->header.count || row_ends_early(r, row, line)) {
        r->cut = true;
        ja_diagnose(e, JA_WARNING, "cut", line->number, NULL,
                    "row with %zu of %zu columns, left out", row->count, r->header.count);
        return;
    }
    size_t last = row->count - (r->header.count - r->command); /* last word of the name */
    const char *name = row->at[r->command].text;
    size_t length = (size_t)(row->at[last].text + row->at[last].length - name);
    uint32_t place = ja_add_place_line(e, line->number);
    uint32_t subject = ja_add_subject(e, r->record, ja_arena_copy(e->arena, name, length), pid);
    e->subjects[subject].place = place;
    e->subjects[subject].name_cut = length >= NAME_BYTES;
    if (cell(r, row, "PPID", &index) && ja_word_u63(row, index, &parent))
        ja_subject_more(&e->subjects[subject], e->arena)->parent_pid = parent;
    add_sizes(r, row, subject, place);
    read_cpu(r, row, subject, place);
    r->rows++;
}

static void read_first(struct reader *r, const struct ja_line *line)
{
    struct ja_scan scan = ja_scan_of(line->text, line->length);
    int64_t total;
    if (ja_scan_text(&scan, "Processes: ") && ja_scan_u63(&scan, &total))
        r->total = total;
}

static void read_header(struct reader *r, const struct ja_words *words, const struct ja_line *line)
{
    r->header = *words;
    r->last_column = (size_t)(words->at[words->count - 1].text - line->text);
    r->command = column(r, "COMMAND");
    if (column(r, "PID") == JA_MOST_WORDS && column(r, "ID") == JA_MOST_WORDS)
        ja_diagnose(r->parse->evidence, JA_WARNING, "no-pid", line->number, NULL,
                    "table without PID, its rows say nothing of one process: left out");
}

static void read_line(struct reader *r, const struct ja_line *line)
{
    struct ja_words words = {.count = 0};
    if (is_first_line(line->text, line->length))
        read_first(r, line);
    else if (ja_text_begins(line->text, line->length, "PhysMem:"))
        read_memory(r, line);
    else if (ja_text_begins(line->text, line->length, "VM:"))
        read_swapouts(r, line);
    else if (line->length < 1000)
        ja_words_split(line->text, line->length, &words);
    if (is_header(&words)) {
        read_header(r, &words, line);
    } else if (words.count && r->header.count) {
        read_row(r, &words, line);
    }
}

/* Rows against the total that the first line states. */
static void settle(struct reader *r)
{
    struct ja_evidence *e = r->parse->evidence;
    struct ja_record *record = &e->records[r->record];
    record->census = r->rows > 0;
    record->complete = !r->cut && r->total != JA_UNKNOWN && r->rows >= r->total;
    if (r->rows)
        ja_add_fact(e, r->record, JA_FACT_ROWS, r->rows, NULL, record->place);
    if (r->total != JA_UNKNOWN && r->rows && r->rows < r->total)
        ja_add_fact(e, r->record, JA_FACT_TABLE_CUT, r->rows,
                    ja_arena_print(e->arena, "%lld of %lld processes", (long long)r->rows,
                                   (long long)r->total),
                    record->place);
    if (r->cut)
        ja_set_status(e, JA_STATUS_DAMAGED, "a row is cut off");
}

static void parse(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct reader r = {.piece = piece, .parse = parse, .total = JA_UNKNOWN};
    r.record = ja_side_record(piece, parse, JA_KIND_TOP, piece->first_line);
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    while (ja_piece_line(piece, &at, &number, &line))
        read_line(&r, &line);
    settle(&r);
}

const struct ja_parser ja_parser_top = {
    .name = "top",
    .reads = "top -l (macOS 10.8 to 26)",
    .begins = is_first_line,
    .bid = bid,
    .parse = parse,
};
