/* SPDX-License-Identifier: MIT
 *
 * vmstat -s of Linux (procps): one figure a line.
 *
 *       16315060 K total memory
 *        8123456 K free memory
 *         104856 K used swap
 *
 * total, free, active, inactive, buffer memory, "swap cache" (which is the page cache), total and
 * used swap -> figures, in the unit that the letter names (k, m: decimal; K, M: binary).
 * "pages swapped out" -> swap-outs. Left out: ticks, other counts since boot.
 */
#include "parsers/parser.h"

#include <string.h>

#include "parsers/columns.h"
#include "parsers/scan.h"
#include "parsers/tool_row.h"

static const struct {
    const char *words;
    enum ja_figure figure;
} figures[] = {
    {"total memory", JA_FIGURE_MANAGED},       {"free memory", JA_FIGURE_MEM_FREE},
    {"active memory", JA_FIGURE_ACTIVE},       {"inactive memory", JA_FIGURE_INACTIVE},
    {"buffer memory", JA_FIGURE_BUFFERS},      {"swap cache", JA_FIGURE_CACHED},
    {"total swap", JA_FIGURE_SWAP_TOTAL},      {"used swap", JA_FIGURE_SWAP_USED},
    {"pages swapped out", JA_FIGURE_SWAPOUTS},
};

static int64_t unit_of(char letter)
{
    static const struct {
        char letter;
        int64_t bytes;
    } units[] = {{'B', 1}, {'k', 1000}, {'K', JA_KIB}, {'m', 1000000}, {'M', JA_MIB}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (units[i].letter == letter)
            return units[i].bytes;
    return 0;
}

/* "16315060 K total memory": number, bytes of its unit (1 for a count), what it counts. */
static bool read_line(const struct ja_line *line, int64_t *ret_value, int64_t *ret_unit,
                      const char **ret_words, size_t *ret_length)
{
    struct ja_words words;
    ja_words_split(line->text, line->length, &words);
    if (words.count < 3 || !ja_word_u63(&words, 0, ret_value))
        return false;
    *ret_unit = words.at[1].length == 1 ? unit_of(words.at[1].text[0]) : 0;
    bool counted = *ret_unit == 0;
    if (counted)
        *ret_unit = 1;
    return ja_word_rest(&words, counted ? 1 : 2, ret_words, ret_length);
}

static bool begins(const char *text, size_t length)
{
    struct ja_line line = {.text = text, .length = length};
    int64_t value, unit;
    const char *words;
    size_t count;
    return length < 60 && ja_text_find(text, length, "total memory") < length &&
           read_line(&line, &value, &unit, &words, &count) && unit > 1 &&
           ja_text_is(words, count, "total memory");
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

static void parse_sums(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_line line;
    size_t at = 0, length = 0;
    int number = 0;
    int64_t value = 0, unit = 0;
    uint32_t record = JA_NONE;
    const char *words = NULL;
    while (ja_piece_line(piece, &at, &number, &line)) {
        if (!read_line(&line, &value, &unit, &words, &length))
            continue;
        if (record == JA_NONE)
            record = ja_tool_record(parse, JA_KIND_FREE, piece->stamp, line.number);
        for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
            if (ja_text_is(words, length, figures[i].words))
                ja_tool_figure(parse, record, figures[i].figure, value, unit, line.number);
    }
}

const struct ja_parser ja_parser_vmstat_sums = {
    .name = "vmstat_sums",
    .reads = "vmstat -s of Linux",
    .begins = begins,
    .bid = bid,
    .parse = parse_sums,
};
