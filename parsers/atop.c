/* SPDX-License-Identifier: MIT
 *
 * atop -P of Linux, atop 2.x: rows of label, host, epoch, date, time, interval, then the label's
 * fields. Read are PRM (memory of a process), PRG (its start and command line), MEM and SWP.
 *
 *   PRM vm 1796030815 2026/11/30 09:26:55 519 21066 (leak_linear) S 4096 316720 22740 8 316720 ...
 *   MEM vm 1796030815 2026/11/30 09:26:55 10 4096 6171021 5120000 700000 ...
 *   SEP
 *
 * PRM: page size -> system; resident (KiB), swap used (KiB), PSS (KiB, with -R) -> readings;
 * memory.max (KiB; -1 none, -2 and -3 unknown) -> limit. PRG: start (epoch) and command line.
 * MEM, SWP: pages of the printed size -> figures. Each epoch is one moment, exact to the second.
 * Left out: growth figures, faults, other labels, threads (PRM field 15 is "n"), processes that
 * have ended (state E: their sizes are 0). A census when pid 1 has a row.
 */
#include "parsers/parser.h"

#include "parsers/columns.h"
#include "parsers/scan.h"
#include "parsers/stamp.h"
#include "parsers/tool_row.h"

#define MOST_LINES_ABOVE 2000 /* of other text, in front of the first row */

struct atop {
    struct ja_parse *parse;
    uint32_t record;
    int64_t epoch;
    size_t first_subject; /* of the record */
    struct ja_index pids; /* 1 + the last subject of each; in scratch */
    int64_t page_bytes;   /* JA_UNKNOWN */
    bool has_init;
};

enum { IS_PROCESS = 14 }; /* field of PRM: "y", or "n" for a thread */

/* A row taken apart: fields behind the interval; for process rows pid and name apart. */
struct atop_row {
    struct ja_words head; /* label, host, epoch, date, time, interval */
    int64_t epoch, pid;
    const char *name;
    size_t name_length;
    struct ja_words field; /* behind the name, or behind the interval */
};

static bool is_row(const char *line, size_t length)
{
    return length > 4 && (line[0] == 'P' || line[0] == 'M' || line[0] == 'S') &&
           (ja_text_begins(line, length, "PRM ") || ja_text_begins(line, length, "PRG ") ||
            ja_text_begins(line, length, "MEM ") || ja_text_begins(line, length, "SWP "));
}

/* " (name) S " behind the pid: the name may hold blanks and brackets. */
static bool split_name(const char *text, size_t length, struct atop_row *row)
{
    struct ja_scan scan = ja_scan_of(text, length);
    if (!ja_scan_u63(&scan, &row->pid) || !ja_scan_text(&scan, " ("))
        return false;
    size_t begin = scan.at;
    for (size_t end = begin; end + 3 < length; end++) {
        bool closes = text[end] == ')' && text[end + 1] == ' ' && text[end + 3] == ' ' &&
                      text[end + 2] >= 'A' && text[end + 2] <= 'Z';
        if (!closes)
            continue;
        row->name = text + begin;
        row->name_length = end - begin;
        ja_words_split(text + end + 2, length - end - 2, &row->field);
        return true;
    }
    return false;
}

static bool split_row(const struct ja_line *line, struct atop_row *row)
{
    ja_words_split(line->text, line->length, &row->head);
    if (row->head.count < 8 || !ja_word_u63(&row->head, 2, &row->epoch) ||
        row->epoch > INT64_C(7000000000))
        return false;
    const char *rest = row->head.at[6].text;
    size_t length = (size_t)(line->text + line->length - rest);
    if (line->text[0] == 'P')
        return split_name(rest, length, row);
    ja_words_split(rest, length, &row->field);
    return true;
}

static void close_record(struct atop *atop)
{
    if (atop->record == JA_NONE)
        return;
    struct ja_record *record = &atop->parse->evidence->records[atop->record];
    record->census = record->complete = atop->has_init;
}

/* Rows of one epoch are one record. */
static void open_record(struct atop *atop, const struct atop_row *row, int line)
{
    struct ja_parse *parse = atop->parse;
    struct ja_evidence *evidence = parse->evidence;
    if (atop->record != JA_NONE && atop->epoch == row->epoch)
        return;
    close_record(atop);
    if (parse->carry.system == JA_NONE) {
        parse->carry.system = ja_add_system(evidence);
        evidence->systems[parse->carry.system].host_name =
            ja_arena_copy(evidence->arena, row->head.at[1].text, row->head.at[1].length);
    }
    struct ja_stamp stamp = {.clock = JA_CLOCK_STAMP,
                             .parts = JA_STAMP_UNIX,
                             .unix_ns = row->epoch * JA_NS_PER_S,
                             .step_ns = JA_NS_PER_S};
    stamp.text = ja_arena_copy(evidence->arena, row->head.at[2].text, row->head.at[2].length);
    atop->record = ja_tool_record(parse, JA_KIND_ATOP, ja_add_stamp(evidence, &stamp), line);
    atop->epoch = row->epoch;
    atop->first_subject = evidence->subject_count;
    atop->has_init = false;
}

static void take_page_size(struct atop *atop, const struct atop_row *row, size_t index)
{
    int64_t bytes = 0;
    if (!ja_word_u63(&row->field, index, &bytes) || bytes < 1024 || bytes > JA_MIB)
        return;
    atop->page_bytes = bytes;
    atop->parse->evidence->systems[atop->parse->carry.system].page_bytes = bytes;
}

static void kib_reading(struct atop *atop, uint32_t subject, enum ja_metric metric,
                        const struct atop_row *row, size_t index, int line)
{
    struct ja_quantity quantity;
    if (ja_word_size(&row->field, index, JA_KIB, &quantity))
        ja_tool_word_reading(atop->parse, subject, metric, quantity, &row->field, index, line);
}

/* The subject of a row's pid in this record. */
static uint32_t subject_of(struct atop *atop, const struct atop_row *row, int line)
{
    uint32_t *last = ja_index_note(&atop->pids, atop->parse->scratch, NULL, row->pid);
    if (*last <= atop->first_subject)
        *last = 1 + ja_tool_process(atop->parse, atop->record, row->pid, row->name,
                                    row->name_length, JA_TOOL_COMM, line);
    return *last - 1;
}

static void take_memory_row(struct atop *atop, const struct atop_row *row, int line)
{
    struct ja_evidence *evidence = atop->parse->evidence;
    int64_t limit = 0, pss = 0, bytes = 0;
    if (row->field.count <= IS_PROCESS) {
        ja_diagnose(evidence, JA_ERROR, "bad-row", line, NULL,
                    "row of atop that ends before it says whether it is a process, left out");
        return;
    }
    if (ja_word_is(&row->field, 0, "E") || ja_word_is(&row->field, IS_PROCESS, "n"))
        return;
    take_page_size(atop, row, 1);
    uint32_t subject = subject_of(atop, row, line);
    atop->has_init = atop->has_init || row->pid == 1;
    kib_reading(atop, subject, JA_METRIC_RESIDENT, row, 3, line);
    kib_reading(atop, subject, JA_METRIC_SWAP, row, 12, line);
    if (ja_word_u63(&row->field, 15, &pss) && pss > 0)
        kib_reading(atop, subject, JA_METRIC_PSS, row, 15, line);
    if (ja_word_u63(&row->field, 17, &limit) && limit > 0 && ja_multiply(limit, JA_KIB, &bytes))
        ja_add_fact(evidence, atop->record, JA_FACT_LIMIT, bytes, "memory.max",
                    ja_add_place_line(evidence, line))
            ->subject = subject;
}

/* PRG: state uid gid tgid threads exit-code start (command line) ppid ... */
static void take_general_row(struct atop *atop, const struct atop_row *row, int line)
{
    struct ja_evidence *evidence = atop->parse->evidence;
    int64_t start = 0;
    const char *command = NULL;
    size_t length = 0;
    if (ja_word_is(&row->field, 0, "E"))
        return;
    uint32_t subject = subject_of(atop, row, line);
    if (ja_word_u63(&row->field, 6, &start) && start > 0 && start <= row->epoch) {
        struct ja_stamp stamp = {.clock = JA_CLOCK_REPORT,
                                 .parts = JA_STAMP_UNIX,
                                 .unix_ns = start * JA_NS_PER_S,
                                 .step_ns = JA_NS_PER_S};
        uint32_t index = ja_add_stamp(evidence, &stamp);
        ja_subject_more(&evidence->subjects[subject], evidence->arena)->start_stamp = index;
    }
    if (!ja_word_rest(&row->field, 7, &command, &length) || command[0] != '(')
        return;
    size_t end = ja_text_find(command, length, ") ");
    if (end > 1 && end < length)
        ja_subject_more(&evidence->subjects[subject], evidence->arena)->command =
            ja_arena_copy(evidence->arena, command + 1, end - 1);
}

static void page_figure(struct atop *atop, const struct atop_row *row, size_t index,
                        enum ja_figure figure, int line)
{
    int64_t pages = 0;
    if (atop->page_bytes != JA_UNKNOWN && ja_word_u63(&row->field, index, &pages))
        ja_tool_figure(atop->parse, atop->record, figure, pages, atop->page_bytes, line);
}

static void take_system_row(struct atop *atop, const struct atop_row *row, bool swap, int line)
{
    int64_t total = 0, left = 0;
    take_page_size(atop, row, 0);
    if (!swap) {
        page_figure(atop, row, 1, JA_FIGURE_MANAGED, line);
        page_figure(atop, row, 2, JA_FIGURE_MEM_FREE, line);
        page_figure(atop, row, 3, JA_FIGURE_CACHED, line);
        page_figure(atop, row, 4, JA_FIGURE_BUFFERS, line);
        page_figure(atop, row, 7, JA_FIGURE_SLAB_RECLAIMABLE, line);
        page_figure(atop, row, 9, JA_FIGURE_SHMEM, line);
        return;
    }
    page_figure(atop, row, 1, JA_FIGURE_SWAP_TOTAL, line);
    if (ja_word_u63(&row->field, 1, &total) && ja_word_u63(&row->field, 2, &left) &&
        left <= total && atop->page_bytes != JA_UNKNOWN)
        ja_tool_figure(atop->parse, atop->record, JA_FIGURE_SWAP_USED, total - left,
                       atop->page_bytes, line);
}

static int bid(const struct ja_piece *piece)
{
    struct ja_line line;
    size_t at = 0;
    int number = 0, rows = 0, others = 0;
    while (rows < 50 && ja_piece_line(piece, &at, &number, &line)) {
        struct atop_row row;
        if (is_row(line.text, line.length) && split_row(&line, &row))
            rows++;
        else if (line.length > 0 && rows == 0 && others++ > MOST_LINES_ABOVE)
            return 0;
    }
    return rows > 0 ? 90 : 0;
}

static void parse_atop(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct atop atop = {.parse = parse, .record = JA_NONE, .page_bytes = JA_UNKNOWN};
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    ja_set_kind(parse->evidence, JA_KIND_ATOP);
    while (ja_piece_line(piece, &at, &number, &line)) {
        struct atop_row row;
        if (!is_row(line.text, line.length))
            continue;
        if (!split_row(&line, &row)) {
            ja_diagnose(parse->evidence, JA_ERROR, "bad-row", line.number, NULL,
                        "row of atop without its fields, left out");
            continue;
        }
        open_record(&atop, &row, line.number);
        if (ja_text_begins(line.text, line.length, "PRM"))
            take_memory_row(&atop, &row, line.number);
        else if (ja_text_begins(line.text, line.length, "PRG"))
            take_general_row(&atop, &row, line.number);
        else
            take_system_row(&atop, &row, line.text[0] == 'S', line.number);
    }
    close_record(&atop);
}

const struct ja_parser ja_parser_atop = {
    .name = "atop",
    .reads = "atop -P PRM,PRG,MEM,SWP of Linux, atop 2.x",
    .whole = true,
    .bid = bid,
    .most = 90,
    .parse = parse_atop,
};
