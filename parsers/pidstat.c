/* SPDX-License-Identifier: MIT
 *
 * pidstat -r of sysstat 10 to 12: memory of processes at intervals. The date stands in the first
 * line only, rows show the time of day (or epoch seconds) in words of the locale:
 *
 *   Linux 6.1.0 (host) 	11/30/26 	_x86_64_	(2 CPU)
 *   09:27:25      UID       PID  minflt/s  majflt/s     VSZ     RSS   %MEM  Command
 *   09:27:30     1000      4242    255.47      0.00  316720   53588   0.22  indexer
 *   # Time        UID       PID  minflt/s ...           with -h, one header a report or one in all
 *   19时06分04秒   UID       PID  minflt/s ...           and "Average:" rows at the end
 *
 * RSS (KiB; with --human 27.9M, step 0.1 M) -> resident at the row's time; release, host, CPUs ->
 * system. The day moves on when the clock falls. The first report's rates are averages since the
 * boot, its RSS is of the moment.
 * Left out: rates, VSZ, %MEM, threads (rows with a TID), averages. Only processes that did
 * something are listed: no census.
 */
#include "parsers/parser.h"

#include <string.h>

#include "parsers/columns.h"
#include "parsers/scan.h"
#include "parsers/stamp.h"
#include "parsers/tool_row.h"

struct pidstat {
    struct ja_parse *parse;
    struct ja_stamp day; /* date of the first line, later the last row's clock */
    bool has_columns;
    size_t pid, rss, command, tid; /* columns behind the time; JA_MOST_WORDS: none */
    struct ja_stamp clock;         /* of the present record */
    uint32_t record;               /* JA_NONE */
};

/* Words of the clock at the start of a row: 0 when there is none. */
static size_t clock_words(const struct ja_words *words, struct ja_arena *arena,
                          struct ja_stamp *ret)
{
    if (words->count < 2)
        return 0;
    const char *text = words->at[0].text;
    size_t both = (size_t)(words->at[1].text + words->at[1].length - text);
    if (words->at[1].length == 2 && ja_stamp_exact(text, both, arena, ret))
        return 2;
    if (!ja_stamp_exact(text, words->at[0].length, arena, ret))
        return 0;
    return ret->parts & (JA_STAMP_TIME | JA_STAMP_UNIX) ? 1 : 0;
}

static size_t behind(size_t index, size_t base)
{
    return index == JA_MOST_WORDS || index < base ? JA_MOST_WORDS : index - base;
}

/* A header names the columns; one without RSS (CPU, I/O) switches the rows off. */
static bool take_header(struct pidstat *state, const struct ja_words *words)
{
    struct ja_stamp ignored;
    size_t pid = ja_word_find(words, "PID");
    if (pid == JA_MOST_WORDS)
        pid = ja_word_find(words, "TGID");
    size_t command = ja_word_find(words, "Command");
    if (pid == JA_MOST_WORDS || command == JA_MOST_WORDS)
        return false;
    size_t base = ja_word_is(words, 0, "#") && ja_word_is(words, 1, "Time")
                      ? 2
                      : clock_words(words, state->parse->scratch, &ignored);
    if (base == 0)
        base = 1; /* "Average:" */
    state->has_columns = ja_word_find(words, "RSS") != JA_MOST_WORDS;
    state->pid = behind(pid, base);
    state->rss = behind(ja_word_find(words, "RSS"), base);
    state->tid = behind(ja_word_find(words, "TID"), base);
    state->command = behind(command, base);
    return true;
}

/* "11/30/26": the C locale's order of month and day, unless only the other one is possible. */
static bool short_date(const char *text, size_t length, struct ja_stamp *ret)
{
    struct ja_scan scan = ja_scan_of(text, length);
    int64_t a = 0, b = 0, year = 0;
    if (!ja_scan_u63(&scan, &a) || !ja_scan_char(&scan, '/') || !ja_scan_u63(&scan, &b) ||
        !ja_scan_char(&scan, '/') || !ja_scan_u63(&scan, &year) || !ja_scan_end(&scan))
        return false;
    if (year < 100)
        year += 2000;
    if (a > 12 && b <= 12) {
        int64_t swap = a;
        a = b;
        b = swap;
    }
    if (a < 1 || a > 12 || b < 1 || b > 31 || year < 2000 || year > 2199)
        return false;
    *ret = (struct ja_stamp){.clock = JA_CLOCK_STAMP,
                             .parts = JA_STAMP_DATE,
                             .year = (int)year,
                             .month = (int)a,
                             .day = (int)b};
    return true;
}

/* Linux 6.1.0 (host) <tab> date <tab> _x86_64_ <tab> (2 CPU) */
static bool take_first_line(struct pidstat *state, const struct ja_words *words)
{
    struct ja_evidence *evidence = state->parse->evidence;
    int64_t cores = 0;
    if (!ja_word_is(words, 0, "Linux") || words->count < 4 || words->at[2].text[0] != '(')
        return false;
    uint32_t system = ja_add_system(evidence);
    evidence->systems[system].kernel =
        ja_arena_copy(evidence->arena, words->at[1].text, words->at[1].length);
    if (words->at[2].length > 2)
        evidence->systems[system].host_name =
            ja_arena_copy(evidence->arena, words->at[2].text + 1, words->at[2].length - 2);
    for (size_t i = 4; i + 1 < words->count; i++) {
        struct ja_scan scan = ja_scan_of(words->at[i].text, words->at[i].length);
        if (ja_scan_char(&scan, '(') && ja_scan_u63(&scan, &cores) &&
            ja_word_is(words, i + 1, "CPU)"))
            evidence->systems[system].cores = cores;
    }
    state->parse->carry.system = system;
    const char *date = words->at[3].text;
    size_t length = words->at[3].length;
    if (!ja_stamp_exact(date, length, state->parse->scratch, &state->day) &&
        !short_date(date, length, &state->day))
        state->day = (struct ja_stamp){.clock = JA_CLOCK_NONE};
    state->record = JA_NONE;
    return true;
}

static bool same_clock(const struct ja_stamp *a, const struct ja_stamp *b)
{
    return a->parts == b->parts && a->hour == b->hour && a->minute == b->minute &&
           a->second == b->second && (!(a->parts & JA_STAMP_UNIX) || a->unix_ns == b->unix_ns);
}

static void take_row(struct pidstat *state, const struct ja_words *words, int line)
{
    struct ja_parse *parse = state->parse;
    struct ja_stamp clock;
    struct ja_quantity rss;
    int64_t pid = JA_UNKNOWN;
    const char *command = NULL;
    size_t length = 0, base = clock_words(words, parse->scratch, &clock);
    if (!state->has_columns || base == 0)
        return;
    if (state->tid != JA_MOST_WORDS && !ja_word_is(words, base + state->tid, "-"))
        return;
    if (!ja_word_u63(words, base + state->pid, &pid) ||
        !ja_word_size(words, base + state->rss, JA_KIB, &rss) ||
        !ja_word_rest(words, base + state->command, &command, &length)) {
        ja_diagnose(parse->evidence, JA_ERROR, "bad-row", line, NULL,
                    "row does not fit the header above it, left out");
        return;
    }
    if (state->record == JA_NONE || !same_clock(&clock, &state->clock)) {
        struct ja_stamp joined = ja_tool_clock(&state->day, &clock);
        uint32_t stamp = ja_add_stamp(parse->evidence, &joined);
        state->record = ja_tool_record(parse, JA_KIND_PIDSTAT, stamp, line);
        state->clock = clock;
        if (joined.parts & JA_STAMP_DATE)
            state->day = joined;
    }
    uint32_t subject = ja_tool_process(parse, state->record, pid, command, length,
                                       length > 15 ? JA_TOOL_ARGUMENTS : JA_TOOL_COMM, line);
    ja_tool_word_reading(parse, subject, JA_METRIC_RESIDENT, rss, words, base + state->rss, line);
}

static bool is_header(const char *line, size_t length)
{
    return (ja_text_find(line, length, " PID ") < length ||
            ja_text_find(line, length, " TGID ") < length) &&
           ja_text_find(line, length, "minflt/s") < length &&
           ja_text_find(line, length, "Command") < length;
}

static bool begins(const char *line, size_t length)
{
    return ja_text_begins(line, length, "Linux ") && ja_text_find(line, length, " CPU)") < length &&
           ja_text_find(line, length, " (") < length;
}

static int bid(const struct ja_piece *piece)
{
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    while (ja_piece_line(piece, &at, &number, &line))
        if (is_header(line.text, line.length))
            return 92;
    return 0;
}

static void parse_pidstat(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct pidstat state = {.parse = parse, .record = JA_NONE};
    struct ja_line line;
    struct ja_words words;
    size_t at = 0;
    int number = 0;
    if (piece->stamp != JA_NONE)
        state.day = parse->evidence->stamps[piece->stamp];
    ja_set_kind(parse->evidence, JA_KIND_PIDSTAT);
    while (ja_piece_line(piece, &at, &number, &line)) {
        ja_words_split(line.text, line.length, &words);
        if (words.count == 0 || take_first_line(&state, &words) || take_header(&state, &words))
            continue;
        take_row(&state, &words, line.number);
    }
}

const struct ja_parser ja_parser_pidstat = {
    .name = "pidstat",
    .reads = "pidstat -r of Linux, sysstat 10 to 12, any locale",
    .begins = begins,
    .bid = bid,
    .parse = parse_pidstat,
};
