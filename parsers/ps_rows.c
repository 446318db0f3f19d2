/* SPDX-License-Identifier: MIT
 *
 * Rows of "ps aux" without their header, as a cron job or a loop with grep leaves them, usually
 * with a clock before each:
 *
 *   2019-10-04 06:00:01+00:00 app 476 14.6 9.2 24832100 1517576 ? Ssl Sep23 2248:49 /usr/bin/server
 *
 * Told by shape: user, pid, two decimals, two sizes, tty, state, start, time, command. RSS (KiB)
 * -> resident, TIME -> CPU seconds, command line kept. START (a clock time on the first day, a
 * date later) changes its form while a process lives, so it is not taken as its identity.
 * Left out: %CPU, %MEM, VSZ. Never a census: rows were picked out.
 */
#include "parsers/parser.h"

#include <string.h>

#include "parsers/columns.h"
#include "parsers/scan.h"
#include "parsers/stamp.h"
#include "parsers/tool_row.h"

enum { USER, PID, CPU, MEM, VSZ, RSS, TTY, STATE, START, TIME, COMMAND };

struct ps_row {
    struct ja_stamp stamp; /* parts == 0: none */
    struct ja_words words;
    int64_t pid;
    struct ja_quantity rss;
    int64_t cpu_s; /* JA_UNKNOWN */
};

static bool is_tty(const struct ja_words *words)
{
    const char *text = words->at[TTY].text;
    size_t length = words->at[TTY].length;
    return ja_text_is(text, length, "?") || ja_text_is(text, length, "-") ||
           ja_text_begins(text, length, "pts/") || ja_text_begins(text, length, "tty");
}

static bool is_state(const struct ja_words *words)
{
    const char *text = words->at[STATE].text;
    size_t length = words->at[STATE].length;
    if (length == 0 || length > 6 || !strchr("DIRSTtWXZ", text[0]))
        return false;
    for (size_t i = 1; i < length; i++)
        if (!strchr("<NLsl+W", text[i]))
            return false;
    return true;
}

/* "2248:49": minutes and seconds; "1-02:03:04" days, hours. JA_UNKNOWN also for more than a
 * nanosecond count holds (292 years). */
static int64_t cpu_seconds(const struct ja_words *words)
{
    struct ja_scan scan = ja_scan_of(words->at[TIME].text, words->at[TIME].length);
    int64_t total = 0, part = 0;
    if (!ja_scan_u63(&scan, &part) || part > 1000000000)
        return JA_UNKNOWN;
    total = part;
    if (ja_scan_char(&scan, '-')) {
        if (!ja_scan_u63(&scan, &part) || part > 23)
            return JA_UNKNOWN;
        total = total * 24 + part;
    }
    int colons = 0;
    while (ja_scan_char(&scan, ':')) {
        if (!ja_scan_u63(&scan, &part) || part > 59 || ++colons > 2)
            return JA_UNKNOWN;
        total = total * 60 + part;
    }
    bool whole = colons > 0 && ja_scan_end(&scan) && total <= INT64_MAX / JA_NS_PER_S;
    return whole ? total : JA_UNKNOWN;
}

static bool read_row(const struct ja_line *line, struct ja_arena *arena, struct ps_row *row)
{
    size_t used = 0;
    int64_t number = 0;
    int decimals = 0;
    memset(&row->stamp, 0, sizeof row->stamp);
    if (!ja_stamp_prefix(line->text, line->length, arena, &row->stamp, &used))
        used = 0;
    ja_words_split(line->text + used, line->length - used, &row->words);
    const struct ja_words *words = &row->words;
    if (words->count <= COMMAND || !ja_word_u63(words, PID, &row->pid) ||
        !ja_word_decimal(words, CPU, &number, &decimals) ||
        !ja_word_decimal(words, MEM, &number, &decimals) || !ja_word_u63(words, VSZ, &number) ||
        !ja_word_size(words, RSS, JA_KIB, &row->rss) || row->rss.rounding != JA_ROUNDING_EXACT)
        return false;
    row->cpu_s = cpu_seconds(words);
    return is_tty(words) && is_state(words);
}

static int bid(const struct ja_piece *piece)
{
    struct ja_arena *arena = ja_arena_new();
    struct ja_line line;
    struct ps_row row;
    size_t at = 0;
    int number = 0, rows = 0, others = 0;
    while (rows + others < 200 && ja_piece_line(piece, &at, &number, &line)) {
        if (line.length == 0)
            continue;
        if (read_row(&line, arena, &row) && row.cpu_s != JA_UNKNOWN)
            rows++;
        else
            others++;
    }
    ja_arena_free(arena);
    return rows > others ? 65 : 0;
}

static bool same_moment(const struct ja_stamp *a, const struct ja_stamp *b)
{
    return a->parts == b->parts && a->year == b->year && a->month == b->month && a->day == b->day &&
           a->hour == b->hour && a->minute == b->minute && a->second == b->second &&
           a->nanosecond == b->nanosecond && a->unix_ns == b->unix_ns;
}

static void take_row(struct ja_parse *parse, uint32_t record, const struct ps_row *row, int line)
{
    struct ja_evidence *evidence = parse->evidence;
    const char *command = NULL;
    size_t length = 0;
    if (!ja_word_rest(&row->words, COMMAND, &command, &length))
        return;
    uint32_t subject =
        ja_tool_process(parse, record, row->pid, command, length, JA_TOOL_ARGUMENTS, line);
    ja_tool_word_reading(parse, subject, JA_METRIC_RESIDENT, row->rss, &row->words, RSS, line);
    if (row->cpu_s == JA_UNKNOWN) {
        ja_diagnose(evidence, JA_ERROR, "bad-number", line, NULL,
                    "TIME is no CPU time that a process can have: the row is taken without it");
        return;
    }
    evidence->subjects[subject].cpu_ns = row->cpu_s * JA_NS_PER_S;
    ja_add_count(evidence, subject, "cpu_s", (double)row->cpu_s, ja_add_place_line(evidence, line));
}

static void parse_rows(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_stamp last = {.parts = 0};
    struct ja_line line;
    struct ps_row row;
    size_t at = 0;
    int number = 0;
    uint32_t record = JA_NONE;
    while (ja_piece_line(piece, &at, &number, &line)) {
        if (!read_row(&line, parse->evidence->arena, &row))
            continue;
        if (record == JA_NONE || row.stamp.parts == 0 || !same_moment(&row.stamp, &last)) {
            bool same_print = record != JA_NONE && row.stamp.parts == 0 && last.parts == 0 &&
                              piece->stamp != JA_NONE;
            uint32_t stamp =
                row.stamp.parts ? ja_add_stamp(parse->evidence, &row.stamp) : piece->stamp;
            if (!same_print)
                record = ja_tool_record(parse, JA_KIND_PS_LOG, stamp, line.number);
            last = row.stamp;
        }
        take_row(parse, record, &row, line.number);
    }
}

const struct ja_parser ja_parser_ps_rows = {
    .name = "ps_rows",
    .reads = "rows of Linux ps aux without their header",
    .bid = bid,
    .parse = parse_rows,
};
