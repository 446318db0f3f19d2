/* SPDX-License-Identifier: MIT
 *
 * vmstat of Linux (procps): one row of the machine's memory an interval.
 *
 *   procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 *    r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
 *    1  0  71792 234960      0  14636    0    0    10     2   90  120  1  2 97  0  0
 *
 * swpd -> swap used, free, buff, cache -> figures of one record a row (KiB). With -t a row ends
 * with its date and time; else row k stands at stamp + k x interval when both are known ("$ vmstat
 * 5" above, or the operator's interval_s), the first at the stamp. Other rows are undated.
 * Left out: rates. The first row's rates are averages since the boot, its memory is of the moment.
 */
#include "parsers/parser.h"

#include "parsers/columns.h"
#include "parsers/scan.h"
#include "parsers/stamp.h"
#include "parsers/tool_row.h"

struct vmstat {
    struct ja_parse *parse;
    const struct ja_piece *piece;
    size_t swpd, free, buff, cache, count;
    int64_t rows;
    int64_t interval_ns;
};

static bool begins(const char *line, size_t length)
{
    return ja_text_begins(line, length, "procs -") &&
           ja_text_find(line, length, "memory-") < length;
}

static bool take_header(struct vmstat *vmstat, const struct ja_words *words)
{
    size_t swpd = ja_word_find(words, "swpd");
    if (swpd == JA_MOST_WORDS)
        return false;
    vmstat->swpd = swpd;
    vmstat->free = ja_word_find(words, "free");
    vmstat->buff = ja_word_find(words, "buff");
    vmstat->cache = ja_word_find(words, "cache");
    vmstat->count = ja_word_find(words, "id"); /* the row reaches at least as far */
    return true;
}

/* "$ vmstat 5 12": the spacing. */
static void take_command(struct vmstat *vmstat, const struct ja_words *words)
{
    int64_t seconds = 0;
    for (size_t i = 0; i + 1 < words->count; i++)
        for (size_t k = i + 1; ja_word_is(words, i, "vmstat") && k < words->count; k++)
            if (ja_word_u63(words, k, &seconds) && seconds > 0 && seconds <= 86400) {
                vmstat->interval_ns = seconds * JA_NS_PER_S;
                return;
            }
}

/* The row's own clock (-t): the words behind the columns. */
static uint32_t row_stamp(struct vmstat *vmstat, const struct ja_line *line,
                          const struct ja_words *words)
{
    struct ja_evidence *evidence = vmstat->parse->evidence;
    struct ja_stamp stamp;
    if (words->count >= vmstat->count + 3) {
        const char *text = words->at[words->count - 2].text;
        size_t length = (size_t)(line->text + line->length - text);
        if (ja_stamp_exact(text, length, evidence->arena, &stamp))
            return ja_add_stamp(evidence, &stamp);
    }
    if (vmstat->piece->stamp == JA_NONE || (vmstat->interval_ns == JA_UNKNOWN && vmstat->rows > 0))
        return JA_NONE;
    if (vmstat->rows == 0)
        return vmstat->piece->stamp;
    stamp = evidence->stamps[vmstat->piece->stamp];
    stamp.clock = JA_CLOCK_DERIVED;
    stamp.shift_ns = ja_add(stamp.shift_ns, vmstat->rows * vmstat->interval_ns);
    return ja_add_stamp(evidence, &stamp);
}

static void figure(struct vmstat *vmstat, uint32_t record, enum ja_figure which,
                   const struct ja_words *words, size_t column, int line)
{
    int64_t kib = 0;
    if (ja_word_u63(words, column, &kib))
        ja_tool_figure(vmstat->parse, record, which, kib, JA_KIB, line);
}

static void take_row(struct vmstat *vmstat, const struct ja_line *line,
                     const struct ja_words *words)
{
    int64_t number = 0;
    if (vmstat->count == 0 || words->count <= vmstat->count || !ja_word_u63(words, 0, &number) ||
        !ja_word_u63(words, vmstat->swpd, &number))
        return;
    uint32_t stamp = row_stamp(vmstat, line, words);
    uint32_t record = ja_tool_record(vmstat->parse, JA_KIND_FREE, stamp, line->number);
    figure(vmstat, record, JA_FIGURE_SWAP_USED, words, vmstat->swpd, line->number);
    figure(vmstat, record, JA_FIGURE_MEM_FREE, words, vmstat->free, line->number);
    figure(vmstat, record, JA_FIGURE_BUFFERS, words, vmstat->buff, line->number);
    figure(vmstat, record, JA_FIGURE_CACHED, words, vmstat->cache, line->number);
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

static void parse_vmstat(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct vmstat vmstat = {.parse = parse, .piece = piece, .interval_ns = parse->interval_ns};
    struct ja_line line;
    struct ja_words words;
    size_t at = 0;
    int number = 0;
    if (vmstat.interval_ns == JA_UNKNOWN)
        vmstat.interval_ns = parse->carry.interval_ns;
    while (ja_piece_line(piece, &at, &number, &line)) {
        ja_words_split(line.text, line.length, &words);
        take_command(&vmstat, &words);
        if (!take_header(&vmstat, &words))
            take_row(&vmstat, &line, &words);
    }
}

const struct ja_parser ja_parser_vmstat_log = {
    .name = "vmstat_log",
    .reads = "vmstat of Linux, with and without -t",
    .begins = begins,
    .bid = bid,
    .parse = parse_vmstat,
};
