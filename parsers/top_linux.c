/* SPDX-License-Identifier: MIT
 *
 * top -b of procps 3.2 to 4.0, and of busybox: the machine's memory, then a table of processes.
 *
 *   top - 10:00:01 up 3 days,  2:11,  1 user,  load average: 0.52, 0.40, 0.35
 *   Tasks: 143 total,   1 running, 142 sleeping,   0 stopped,   0 zombie
 *   MiB Mem :  24105.6 total,  20131.8 free,    976.9 used,   3397.6 buff/cache
 *       PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND
 *      4242 app       20   0    3.9g   1.2g  31.4m S   6.2  15.6 12:00.11 vector_search
 *
 * RES -> resident: KiB, or scaled (99.2m, 1.2g: binary, step of the last digit), SWAP -> swap,
 * TIME+ -> CPU seconds. The header has a time of day without date: the date comes from a stamp
 * line above. Mem and Swap lines in KiB or MiB -> figures; in GiB they are too coarse and left out.
 * A census only when as many rows are there as "Tasks" says and pid 1 is among them. busybox
 * prints VSZ alone -> virtual.
 * Left out: VIRT, SHR, shares of CPU and memory; thread lists (-H), whose rows repeat a process.
 */
#include "parsers/parser.h"

#include <string.h>

#include "parsers/columns.h"
#include "parsers/dump.h"
#include "parsers/scan.h"
#include "parsers/stamp.h"
#include "parsers/tool_row.h"

struct top {
    const struct ja_piece *piece;
    struct ja_parse *parse;
    uint32_t record;
    int64_t tasks; /* JA_UNKNOWN */
    bool threads;  /* rows are threads */
    bool in_table, has_init, busybox;
    bool arguments; /* the last column is the command line (-c) */
    size_t pid, res, swap, time, command, vsz;
    size_t behind;      /* columns behind COMMAND: fields that somebody switched on */
    size_t last_column; /* where the header's last word begins */
    size_t rows;
};

/* "up 3 days,  2:11," "up 8 min," "up  1:52,": seconds; JA_UNKNOWN. */
static int64_t uptime_of(const char *text, size_t length)
{
    size_t up = ja_text_find(text, length, " up ");
    if (up >= length)
        return JA_UNKNOWN;
    struct ja_scan scan = ja_scan_of(text + up + 4, length - up - 4);
    int64_t seconds = 0, number = 0, minutes = 0;
    ja_scan_blanks(&scan);
    if (!ja_scan_u63(&scan, &number) || number > 100000)
        return JA_UNKNOWN;
    if (ja_scan_text(&scan, " day")) {
        (void)ja_scan_char(&scan, 's');
        (void)ja_scan_char(&scan, ',');
        ja_scan_blanks(&scan);
        seconds = number * 86400;
        if (!ja_scan_u63(&scan, &number) || number > 100000)
            return JA_UNKNOWN;
    }
    if (ja_scan_text(&scan, " min"))
        return seconds + number * 60;
    if (!ja_scan_char(&scan, ':') || !ja_scan_u63(&scan, &minutes) || minutes > 59)
        return JA_UNKNOWN;
    return seconds + number * 3600 + minutes * 60;
}

/* "top - 10:00:01 up ...": a new record on the day of the stamp line above. */
static void take_title(struct top *top, const struct ja_piece *piece, const struct ja_line *line)
{
    struct ja_parse *parse = top->parse;
    struct ja_stamp clock;
    size_t used = 0;
    uint32_t stamp = piece->stamp;
    int64_t uptime = uptime_of(line->text, line->length);
    if (ja_stamp_prefix(line->text + 6, line->length - 6, parse->scratch, &clock, &used)) {
        if (piece->stamp != JA_NONE)
            clock = ja_tool_clock(&parse->evidence->stamps[piece->stamp], &clock);
        stamp = ja_add_stamp(parse->evidence, &clock);
    }
    top->record =
        ja_tool_record(parse, piece->whole ? JA_KIND_TOP : JA_KIND_TOP_LOG, stamp, line->number);
    if (uptime != JA_UNKNOWN)
        ja_add_fact(parse->evidence, top->record, JA_FACT_UPTIME_S, uptime, NULL,
                    ja_add_place_line(parse->evidence, line->number));
}

/* A figure that the word behind its number names. */
static bool figure_of(const struct ja_words *words, size_t index, bool swap, enum ja_figure *ret)
{
    static const struct {
        const char *word;
        bool swap;
        enum ja_figure figure;
    } names[] = {
        {"total", false, JA_FIGURE_MANAGED},      {"free", false, JA_FIGURE_MEM_FREE},
        {"buff/cache", false, JA_FIGURE_CACHED},  {"buffers", false, JA_FIGURE_BUFFERS},
        {"total", true, JA_FIGURE_SWAP_TOTAL},    {"used", true, JA_FIGURE_SWAP_USED},
        {"avail", true, JA_FIGURE_MEM_AVAILABLE},
    };
    if (index >= words->count)
        return false;
    size_t length = words->at[index].length;
    while (length > 0 &&
           (words->at[index].text[length - 1] == ',' || words->at[index].text[length - 1] == '.'))
        length--;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].swap == swap && ja_text_is(words->at[index].text, length, names[i].word)) {
            *ret = names[i].figure;
            return true;
        }
    return false;
}

/* "MiB Mem :  24105.6 total, ..." or "Mem:   8167848k total, ..." */
static bool take_memory(struct top *top, const struct ja_words *words, int line)
{
    int64_t unit = ja_word_is(words, 0, "MiB")   ? JA_MIB
                   : ja_word_is(words, 0, "KiB") ? JA_KIB
                   : ja_word_is(words, 0, "GiB") ? JA_GIB
                                                 : 0;
    size_t label = unit ? 1 : 0;
    bool swap = ja_word_is(words, label, "Swap") || ja_word_is(words, label, "Swap:");
    bool memory = ja_word_is(words, label, "Mem") || ja_word_is(words, label, "Mem:");
    if (!swap && !memory)
        return false;
    for (size_t i = label + 1; i + 1 < words->count && unit != JA_GIB; i++) {
        struct ja_quantity quantity;
        struct ja_scan scan = ja_scan_of(words->at[i].text, words->at[i].length);
        int64_t mantissa = 0;
        int decimals = 0;
        enum ja_figure figure;
        if (!ja_scan_decimal(&scan, &mantissa, &decimals))
            continue;
        bool kib = ja_scan_char(&scan, 'k') || ja_scan_char(&scan, 'K');
        if (!figure_of(words, i + 1, swap, &figure) || (!unit && !kib) ||
            !ja_scale(mantissa, decimals, unit ? unit : JA_KIB, &quantity))
            continue;
        ja_tool_figure(top->parse, top->record, figure, quantity.value, 1, line);
    }
    return true;
}

static bool take_header(struct top *top, const struct ja_words *words)
{
    size_t pid = ja_word_find(words, "PID"), command = ja_word_find(words, "COMMAND");
    /* In other languages PID, RES, SHR keep their names, COMMAND does not: it is the last. */
    if (command == JA_MOST_WORDS && ja_word_find(words, "RES") < words->count &&
        ja_word_find(words, "SHR") < words->count)
        command = words->count - 1;
    if (pid == JA_MOST_WORDS || command == JA_MOST_WORDS)
        return false;
    top->pid = pid;
    top->command = command;
    top->behind = words->count - command - 1;
    top->res = ja_word_find(words, "RES");
    if (top->res == JA_MOST_WORDS)
        top->res = ja_word_find(words, "RSS");
    top->swap = ja_word_find(words, "SWAP");
    top->time = ja_word_find(words, "TIME+");
    top->vsz = ja_word_find(words, "VSZ");
    top->busybox = top->res == JA_MOST_WORDS && top->vsz != JA_MOST_WORDS;
    top->in_table = top->res != JA_MOST_WORDS || top->busybox;
    return true;
}

/* "12:00.11" minutes, seconds, hundredths: nanoseconds; JA_UNKNOWN. */
static int64_t cpu_time(const struct ja_words *words, size_t index)
{
    int64_t minutes = 0, seconds = 0, hundredths = 0;
    if (index >= words->count)
        return JA_UNKNOWN;
    struct ja_scan scan = ja_scan_of(words->at[index].text, words->at[index].length);
    if (!ja_scan_u63(&scan, &minutes) || !ja_scan_char(&scan, ':') ||
        !ja_scan_u63(&scan, &seconds) || !ja_scan_char(&scan, '.') ||
        !ja_scan_u63(&scan, &hundredths) || !ja_scan_end(&scan))
        return JA_UNKNOWN;
    if (minutes > 100000000 || seconds > 59 || hundredths > 99)
        return JA_UNKNOWN;
    return (minutes * 60 + seconds) * JA_NS_PER_S + hundredths * 10 * JA_NS_PER_MS;
}

static void add_size(struct top *top, uint32_t subject, enum ja_metric metric,
                     const struct ja_words *words, size_t index, int line)
{
    struct ja_quantity quantity;
    if (index == JA_MOST_WORDS || !ja_word_size(words, index, JA_KIB, &quantity))
        return;
    ja_tool_word_reading(top->parse, subject, metric, quantity, words, index, line);
}

/* The command, which may hold blanks: to the row's end, less the columns behind it. */
static bool command_of(const struct top *top, const struct ja_words *words, const char **ret,
                       size_t *ret_length)
{
    if (!ja_word_rest(words, top->command + top->behind, ret, ret_length) ||
        !ja_word_rest(words, top->command, ret, ret_length))
        return false;
    size_t last = words->count - 1 - top->behind;
    if (top->behind > 0)
        *ret_length = (size_t)(words->at[last].text + words->at[last].length - *ret);
    return true;
}

/* Where a column stands in a row: those behind COMMAND are counted from the end. */
static size_t place_of(const struct top *top, const struct ja_words *words, size_t column)
{
    if (column == JA_MOST_WORDS || column <= top->command)
        return column;
    return words->count - (top->command + top->behind + 1 - column);
}

static void take_row(struct top *top, const struct ja_words *words, int line)
{
    struct ja_evidence *evidence = top->parse->evidence;
    int64_t pid = 0;
    const char *command = NULL;
    size_t length = 0;
    struct ja_quantity size;
    size_t column = top->busybox ? top->vsz : top->res;
    if (!ja_word_u63(words, top->pid, &pid))
        return;
    if (!command_of(top, words, &command, &length) || !ja_word_size(words, column, JA_KIB, &size)) {
        ja_diagnose(evidence, JA_ERROR, "bad-row", line, NULL,
                    "row does not fit the header above it, left out");
        return;
    }
    uint32_t subject =
        ja_tool_process(top->parse, top->record, pid, command, length,
                        top->arguments || top->busybox ? JA_TOOL_ARGUMENTS : JA_TOOL_COMM, line);
    top->rows++;
    top->has_init = top->has_init || pid == 1;
    add_size(top, subject, top->busybox ? JA_METRIC_VIRTUAL : JA_METRIC_RESIDENT, words, column,
             line);
    add_size(top, subject, JA_METRIC_SWAP, words, place_of(top, words, top->swap), line);
    int64_t cpu_ns = cpu_time(words, top->time);
    if (cpu_ns == JA_UNKNOWN)
        return;
    evidence->subjects[subject].cpu_ns = cpu_ns;
    ja_add_count(evidence, subject, "cpu_s", (double)cpu_ns / 1e9,
                 ja_add_place_line(evidence, line));
}

static bool is_title(const char *line, size_t length)
{
    return ja_text_begins(line, length, "top - ") && ja_text_find(line, length, " up ") < length;
}

static bool is_busybox(const char *line, size_t length)
{
    return ja_text_begins(line, length, "Mem: ") && ja_text_find(line, length, "K used,") < length;
}

static bool begins(const char *line, size_t length)
{
    return is_title(line, length) || is_busybox(line, length);
}

static bool is_table(const char *line, size_t length)
{
    return ja_text_find(line, length, "PID ") < length &&
           ja_text_find(line, length, " COMMAND") < length &&
           ((ja_text_find(line, length, " RES ") < length &&
             ja_text_find(line, length, " VIRT ") < length) ||
            ja_text_find(line, length, " %VSZ ") < length);
}

static int bid(const struct ja_piece *piece)
{
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    while (ja_piece_line(piece, &at, &number, &line))
        if (begins(line.text, line.length) || is_table(line.text, line.length))
            return 91;
    return 0;
}

/* -c shows command lines: longer than any name of the kernel's, or a path. */
static bool shows_arguments(const struct ja_piece *piece)
{
    struct ja_line line;
    struct ja_words words;
    struct top top = {.command = JA_MOST_WORDS};
    size_t at = 0, length = 0;
    int number = 0;
    const char *text = NULL;
    while (ja_piece_line(piece, &at, &number, &line)) {
        ja_words_split(line.text, line.length, &words);
        if (!take_header(&top, &words) && command_of(&top, &words, &text, &length) &&
            (length > 15 || text[0] == '/'))
            return true;
    }
    return false;
}

static void close_table(struct top *top)
{
    struct ja_record *record = &top->parse->evidence->records[top->record];
    if (top->rows == 0 || top->busybox)
        return;
    record->census = record->complete =
        top->has_init && top->tasks != JA_UNKNOWN && top->tasks == (int64_t)top->rows;
}

/* A last row without its line end that stops short of the last column: words of the name would
 * stand for the columns that are missing. */
static bool ends_early(const struct top *top, const struct ja_line *line,
                       const struct ja_words *words)
{
    return top->behind > 0 && ja_line_bare(top->piece, line) &&
           (size_t)(words->end - line->text) <= top->last_column;
}

static void take_line(struct top *top, const struct ja_line *line)
{
    struct ja_words words;
    ja_words_split(line->text, line->length, &words);
    if (words.count == 0)
        return;
    if (ja_word_is(&words, 0, "Tasks:") || ja_word_is(&words, 0, "Threads:")) {
        top->threads = ja_word_is(&words, 0, "Threads:");
        (void)ja_word_u63(&words, 1, &top->tasks);
        return;
    }
    if (take_memory(top, &words, line->number))
        return;
    if (take_header(top, &words)) {
        top->last_column = (size_t)(words.at[words.count - 1].text - line->text);
        return;
    }
    if (top->in_table && !top->threads && !ends_early(top, line, &words))
        take_row(top, &words, line->number);
}

static void parse_top(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct top top = {.piece = piece, .parse = parse, .record = JA_NONE, .tasks = JA_UNKNOWN};
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    top.arguments = shows_arguments(piece);
    while (ja_piece_line(piece, &at, &number, &line)) {
        if (is_title(line.text, line.length)) {
            take_title(&top, piece, &line);
            continue;
        }
        if (top.record == JA_NONE)
            top.record = ja_tool_record(parse, piece->whole ? JA_KIND_TOP : JA_KIND_TOP_LOG,
                                        piece->stamp, line.number);
        take_line(&top, &line);
    }
    if (top.record == JA_NONE)
        return;
    if (top.threads)
        ja_diagnose(parse->evidence, JA_WARNING, "thread-rows", piece->first_line, NULL,
                    "top -H lists threads, each with its whole process's memory: rows left out");
    close_table(&top);
}

const struct ja_parser ja_parser_top_linux = {
    .name = "top_linux",
    .reads = "top -b of Linux (procps 3.2 to 4.0, busybox)",
    .begins = begins,
    .bid = bid,
    .parse = parse_top,
};
