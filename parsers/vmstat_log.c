/* SPDX-License-Identifier: MIT
 *
 * vmstat of Linux (procps): one row of the machine's memory an interval.
 *
 *   procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 *    r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
 *    1  0  71792 234960      0  14636    0    0    10     2   90  120  1  2 97  0  0
 *
 * (with -w a wider table, "--procs-- ---memory---")
 *
 * swpd -> swap used, free, buff, cache, with -a inact, active -> figures of one record a row: KiB,
 * or the unit of an echoed "-S m". With -t a row ends with its date and time, in the zone that the
 * header names; else row k stands at stamp + k x interval when both are known ("$ vmstat 5" above,
 * or the operator's interval_s), the first at the stamp. Other rows are undated. The header comes
 * back every screen, the rows below it go on.
 * Left out: rates. The first row's rates are averages since the boot, its memory is of the moment.
 */
#include "parsers/parser.h"

#include <string.h>

#include "parsers/columns.h"
#include "parsers/scan.h"
#include "parsers/stamp.h"
#include "parsers/tool_row.h"

#define LONGEST_COMMAND 200
#define LONGEST_INTERVAL_S 86400

static const struct {
    const char *word;
    enum ja_figure figure;
} columns[] = {
    {"swpd", JA_FIGURE_SWAP_USED}, {"free", JA_FIGURE_MEM_FREE},  {"buff", JA_FIGURE_BUFFERS},
    {"cache", JA_FIGURE_CACHED},   {"inact", JA_FIGURE_INACTIVE}, {"active", JA_FIGURE_ACTIVE},
};

enum { COLUMNS = sizeof columns / sizeof *columns };

struct vmstat {
    struct ja_parse *parse;
    const struct ja_piece *piece;
    size_t place[COLUMNS]; /* of the columns in a row */
    size_t swpd, count;    /* count 0: no header yet */
    const char *zone;      /* of the rows' clocks; NULL */
    int64_t rows;          /* so far, those below earlier headers too */
    int64_t interval_ns;
};

static bool is_header(const char *line, size_t length)
{
    return (ja_text_begins(line, length, "procs -") || ja_text_begins(line, length, "--procs-")) &&
           ja_text_find(line, length, "memory-") < length;
}

static int64_t unit_of(char letter)
{
    return letter == 'k' ? 1000 : letter == 'm' ? 1000000 : letter == 'M' ? JA_MIB : JA_KIB;
}

/* "$ vmstat -S M 5 12": the spacing (0: not said) and the unit. */
static bool take_command(const char *line, size_t length, int64_t *ret_seconds, int64_t *ret_unit)
{
    struct ja_words words;
    size_t at = 0;
    int64_t seconds = 0, unit = 0, number;
    if (length > LONGEST_COMMAND || ja_text_find(line, length, "vmstat ") >= length)
        return false;
    ja_words_split(line, length, &words);
    while (at < words.count && !ja_text_ends(words.at[at].text, words.at[at].length, "vmstat"))
        at++;
    if (at > 1) /* a prompt, at most */
        return false;
    for (size_t i = at + 1; i < words.count; i++) {
        if (ja_word_is(&words, i, "-S") && i + 1 < words.count)
            unit = unit_of(words.at[++i].text[0]);
        else if (ja_word_u63(&words, i, &number) && number > 0 && number <= LONGEST_INTERVAL_S)
            seconds = seconds ? seconds : number;
        else if (words.at[i].text[0] != '-')
            return false;
    }
    *ret_seconds = seconds;
    *ret_unit = unit;
    return words.count > at + 1;
}

static bool begins(const char *line, size_t length)
{
    int64_t seconds, unit;
    return is_header(line, length) || take_command(line, length, &seconds, &unit);
}

/* The line of words below "procs ---memory---"; with -t it ends with a zone. */
static bool take_header(struct vmstat *vmstat, const struct ja_words *words)
{
    size_t swpd = ja_word_find(words, "swpd");
    if (swpd == JA_MOST_WORDS)
        return false;
    vmstat->swpd = swpd;
    for (size_t i = 0; i < COLUMNS; i++)
        vmstat->place[i] = ja_word_find(words, columns[i].word);
    vmstat->count = ja_word_find(words, "id"); /* the row reaches at least as far */
    const char *last = words->at[words->count - 1].text;
    vmstat->zone = *last >= 'A' && *last <= 'Z'
                       ? ja_arena_copy(vmstat->parse->scratch, last, (size_t)(words->end - last))
                       : NULL;
    return true;
}

/* The row's own clock (-t): the words behind the columns. */
static bool own_stamp(struct vmstat *vmstat, const struct ja_words *words, struct ja_stamp *ret)
{
    if (words->count < vmstat->count + 3)
        return false;
    const char *text = words->at[words->count - 2].text;
    size_t length = (size_t)(words->end - text);
    if (vmstat->zone) {
        text = ja_arena_print(vmstat->parse->scratch, "%.*s %s", (int)length, text, vmstat->zone);
        length = strlen(text);
    }
    return ja_stamp_exact(text, length, vmstat->parse->evidence->arena, ret);
}

static uint32_t row_stamp(struct vmstat *vmstat, const struct ja_words *words)
{
    struct ja_evidence *evidence = vmstat->parse->evidence;
    struct ja_stamp stamp;
    if (own_stamp(vmstat, words, &stamp))
        return ja_add_stamp(evidence, &stamp);
    if (vmstat->piece->stamp == JA_NONE || (vmstat->interval_ns == JA_UNKNOWN && vmstat->rows > 0))
        return JA_NONE;
    if (vmstat->rows == 0)
        return vmstat->piece->stamp;
    stamp = evidence->stamps[vmstat->piece->stamp];
    stamp.clock = JA_CLOCK_DERIVED;
    stamp.shift_ns = ja_add(stamp.shift_ns, vmstat->rows * vmstat->interval_ns);
    return ja_add_stamp(evidence, &stamp);
}

static void take_row(struct vmstat *vmstat, const struct ja_line *line,
                     const struct ja_words *words)
{
    struct ja_parse *parse = vmstat->parse;
    int64_t number = 0;
    if (vmstat->count == 0 || !ja_word_u63(words, 0, &number))
        return;
    vmstat->rows++; /* it stands for a moment even when it is cut */
    if (words->count <= vmstat->count || !ja_word_u63(words, vmstat->swpd, &number)) {
        ja_diagnose(parse->evidence, JA_WARNING, "bad-row", line->number, NULL,
                    "row of vmstat that does not fit its header, left out");
        return;
    }
    vmstat->rows--;
    uint32_t stamp = row_stamp(vmstat, words);
    uint32_t record = ja_tool_record(parse, JA_KIND_FREE, stamp, line->number);
    int64_t unit = parse->carry.unit_bytes ? parse->carry.unit_bytes : JA_KIB;
    for (size_t i = 0; i < COLUMNS; i++)
        if (ja_word_u63(words, vmstat->place[i], &number))
            ja_tool_figure(parse, record, columns[i].figure, number, unit, line->number);
    vmstat->rows++;
}

static int bid(const struct ja_piece *piece)
{
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    while (ja_piece_line(piece, &at, &number, &line))
        if (begins(line.text, line.length))
            return 90;
    return 0;
}

/* A run goes on below a header that comes back; an echoed command or a stamp begins a new one. */
static bool goes_on(const struct ja_piece *piece, const struct ja_parse *parse)
{
    return parse->carry.table_stamp == piece->stamp + 1 &&
           parse->carry.table_record < parse->evidence->record_count &&
           parse->evidence->records[parse->carry.table_record].kind == JA_KIND_FREE;
}

static void parse_vmstat(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_carry *carry = &parse->carry;
    struct vmstat vmstat = {.parse = parse, .piece = piece};
    struct ja_line line;
    struct ja_words words;
    size_t at = 0;
    int number = 0;
    int64_t seconds;
    if (goes_on(piece, parse))
        vmstat.rows = carry->table_repeats;
    while (ja_piece_line(piece, &at, &number, &line)) {
        ja_words_split(line.text, line.length, &words);
        vmstat.interval_ns =
            parse->interval_ns != JA_UNKNOWN ? parse->interval_ns : carry->interval_ns;
        if (take_command(line.text, line.length, &seconds, &carry->unit_bytes)) {
            carry->interval_ns = seconds ? seconds * JA_NS_PER_S : JA_UNKNOWN;
            vmstat.rows = 0;
        } else if (!take_header(&vmstat, &words)) {
            take_row(&vmstat, &line, &words);
        }
    }
    carry->table_stamp = piece->stamp + 1;
    carry->table_record = (uint32_t)parse->evidence->record_count - 1;
    carry->table_repeats = (uint32_t)vmstat.rows;
}

const struct ja_parser ja_parser_vmstat_log = {
    .name = "vmstat_log",
    .reads = "vmstat of Linux, with and without -t",
    .begins = begins,
    .bid = bid,
    .parse = parse_vmstat,
};
