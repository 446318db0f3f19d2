/* SPDX-License-Identifier: MIT
 *
 * free of Linux (procps 3.2 to 4.0), in any language: words of the header and row labels vary,
 * the order of the columns does not.
 *
 *                  total        used        free      shared  buff/cache   available
 *   Mem:        24684084     1733612    18922852      107176     4443532    22950472
 *   Swap:              0           0           0
 *   -/+ buffers/cache:  1200000  23484084          and "buffers  cached" before procps 3.3.10
 *
 * total -> managed, free, shared, buff/cache (-w: buffers and cache apart), available, swap ->
 * figures. Plain numbers carry no unit: an echoed command line ("$ free -m") names it; else they
 * are bytes (-b) when all are whole pages of 4096 and 256 MiB or more of them, KiB when all are
 * multiples of 4 (pages are), else MiB (-m); that is said in a note. So few that they are no
 * machine's MiB, they are whole GiB (-g), cut down: left out. -h prints two significant digits
 * (7.7Gi: within 54 MB), said in a note too. Left out: the rows of -l and -t (Low, High, Total).
 */
#include "parsers/parser.h"

#include <string.h>

#include "parsers/columns.h"
#include "parsers/scan.h"
#include "parsers/tool_row.h"

#define LONGEST_COMMAND 200
#define MOST_COLUMNS 7
#define FEWEST_KIB (256 * 1024)         /* a smaller total is no machine's KiB */
#define FEWEST_MIB 100                  /* a smaller total is no machine's MiB */
#define FEWEST_BYTES (INT64_C(1) << 28) /* a smaller total is no machine's bytes */

enum layout { OLD, JOINED, WIDE }; /* of the columns from buffers on */

struct row {
    struct ja_quantity values[MOST_COLUMNS];
    size_t count;
    int line;
    bool scaled; /* with units */
};

/* Numbers behind the label; a label may be two words ("Partition d'échange:"). */
static bool read_row(const struct ja_line *line, struct row *row)
{
    struct ja_words words;
    size_t first = 0;
    ja_words_split(line->text, line->length, &words);
    while (first < words.count && !ja_text_ends(words.at[first].text, words.at[first].length, ":"))
        first++;
    if (first >= words.count || first > 3 || words.count - first - 1 < 3 ||
        words.count - first - 1 > MOST_COLUMNS)
        return false;
    *row = (struct row){.line = line->number};
    for (size_t i = first + 1; i < words.count; i++) {
        struct ja_quantity value;
        if (!ja_word_size(&words, i, 1, &value))
            return false;
        row->scaled = row->scaled || value.rounding == JA_ROUNDING_NEAREST;
        row->values[row->count++] = value;
    }
    return true;
}

static bool is_header(const char *line, size_t length)
{
    struct ja_words words;
    for (size_t i = 0; i < length; i++)
        if (line[i] >= '0' && line[i] <= '9')
            return false; /* "55d9624d1000-55d9624d3000 r-xp ... /srv/cache" is a mapping */
    ja_words_split(line, length, &words);
    if (words.count < 6 || words.count > 7)
        return false;
    return (ja_word_is(&words, 0, "total") && ja_word_is(&words, 2, "free")) ||
           ja_text_find(line, length, "buff/cache") < length ||
           ja_text_find(line, length, "/cache") < length ||
           ja_text_find(line, length, "/Cache") < length;
}

/* What an echoed command asked for ("$ free -m", "Every 2.0s: free --mega"): bytes of one unit, 0
 * for -h, JA_UNKNOWN where the line is no such command or names no unit. */
static int64_t asked_unit(const struct ja_line *line)
{
    static const struct {
        const char *name;
        char letter;
        int64_t bytes;
    } units[] = {{"--bytes", 'b', 1},          {"--kibi", 'k', JA_KIB}, {"--mebi", 'm', JA_MIB},
                 {"--gibi", 'g', JA_GIB},      {"--human", 'h', 0},     {"--kilo", '\0', 1000},
                 {"--mega", '\0', 1000 * 1000}};
    struct ja_words words;
    size_t at = 0;
    int64_t unit = JA_UNKNOWN;
    if (line->length > LONGEST_COMMAND ||
        ja_text_find(line->text, line->length, "free") == line->length)
        return JA_UNKNOWN;
    ja_words_split(line->text, line->length, &words);
    if (ja_word_is(&words, 0, "Every")) /* watch */
        at = 2;
    else if (!ja_word_is(&words, 0, "free"))
        at = 1; /* a prompt */
    if (at >= words.count || !ja_text_ends(words.at[at].text, words.at[at].length, "free"))
        return JA_UNKNOWN;
    for (at++; at < words.count && words.at[at].text[0] == '-'; at++)
        for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
            const char *word = words.at[at].text;
            bool letters = words.at[at].length > 1 && word[1] != '-' && units[u].letter;
            if (letters ? memchr(word + 1, units[u].letter, words.at[at].length - 1) != NULL
                        : ja_word_is(&words, at, units[u].name))
                unit = units[u].bytes;
        }
    return unit;
}

/* Bytes of one unit of the printed numbers. */
static int64_t unit_of(const struct row *memory, const struct row *swap)
{
    bool pages = true, fours = true;
    const struct row *rows[] = {memory, swap};
    for (size_t r = 0; r < 2; r++)
        for (size_t i = 0; i < rows[r]->count; i++) {
            pages = pages && rows[r]->values[i].value % 4096 == 0;
            fours = fours && rows[r]->values[i].value % 4 == 0;
        }
    int64_t total = memory->values[0].value;
    if (pages && total >= FEWEST_BYTES)
        return 1;
    return fours && total >= FEWEST_KIB / 16 ? JA_KIB : total >= 16 * FEWEST_KIB ? JA_KIB : JA_MIB;
}

static void set(struct ja_parse *parse, uint32_t record, enum ja_figure figure,
                const struct row *row, size_t column, int64_t unit)
{
    if (column < row->count)
        ja_tool_figure(parse, record, figure, row->values[column].value, unit, row->line);
}

static void add_figures(struct ja_parse *parse, uint32_t record, const struct row *memory,
                        const struct row *swap, enum layout layout, int64_t unit)
{
    set(parse, record, JA_FIGURE_MANAGED, memory, 0, unit);
    set(parse, record, JA_FIGURE_MEM_FREE, memory, 2, unit);
    set(parse, record, JA_FIGURE_SHMEM, memory, 3, unit);
    if (layout == JOINED) {
        set(parse, record, JA_FIGURE_CACHED, memory, 4, unit);
        set(parse, record, JA_FIGURE_MEM_AVAILABLE, memory, 5, unit);
    } else {
        set(parse, record, JA_FIGURE_BUFFERS, memory, 4, unit);
        set(parse, record, JA_FIGURE_CACHED, memory, 5, unit);
        set(parse, record, JA_FIGURE_MEM_AVAILABLE, memory, 6, unit);
    }
    set(parse, record, JA_FIGURE_SWAP_TOTAL, swap, 0, unit);
    set(parse, record, JA_FIGURE_SWAP_USED, swap, 1, unit);
}

static void say_unit(struct ja_parse *parse, const struct row *memory, int64_t unit)
{
    struct ja_evidence *evidence = parse->evidence;
    if (memory->scaled)
        ja_diagnose(evidence, JA_NOTE, "coarse-figures", memory->line, NULL,
                    "free -h prints few digits: kept, within half of the last one");
    else if (unit != JA_KIB)
        ja_diagnose(evidence, JA_NOTE, "unit-from-values", memory->line, NULL,
                    "free printed no unit, its numbers fit %s only", unit == 1 ? "bytes" : "MiB");
}

static bool begins(const char *text, size_t length)
{
    return is_header(text, length) ||
           asked_unit(&(struct ja_line){.text = text, .length = length}) != JA_UNKNOWN;
}

static int bid(const struct ja_piece *piece)
{
    struct ja_line line;
    struct row row;
    size_t at = 0;
    int number = 0;
    bool header = false;
    while (ja_piece_line(piece, &at, &number, &line)) {
        if (asked_unit(&line) != JA_UNKNOWN)
            return 60;
        if (header && read_row(&line, &row))
            return 85;
        header = is_header(line.text, line.length);
    }
    return 0;
}

static enum layout layout_of(const struct ja_line *header)
{
    struct ja_words words;
    ja_words_split(header->text, header->length, &words);
    if (words.count == MOST_COLUMNS)
        return WIDE;
    return ja_text_find(header->text, header->length, " cached") < header->length ? OLD : JOINED;
}

/* A row of -l or -t: parts and sums of the others. */
static bool is_extra(const struct ja_line *line)
{
    return ja_text_begins(line->text, line->length, "Low:") ||
           ja_text_begins(line->text, line->length, "High:") ||
           ja_text_begins(line->text, line->length, "Total:");
}

static void add(const struct ja_piece *piece, struct ja_parse *parse, const struct row *memory,
                const struct row *swap, enum layout layout)
{
    int64_t asked = parse->carry.free_unit_bytes;
    int64_t unit = memory->scaled ? 1 : asked > 0 ? asked : unit_of(memory, swap);
    uint32_t record = ja_tool_record(parse, JA_KIND_FREE, piece->stamp, memory->line);
    if (unit == JA_GIB || (unit == JA_MIB && memory->values[0].value < FEWEST_MIB)) {
        ja_diagnose(parse->evidence, JA_WARNING, "coarse-figures", memory->line, NULL,
                    "free -g prints whole GiB, cut down: too coarse, left out");
        return;
    }
    add_figures(parse, record, memory, swap, layout, unit);
    if (asked <= 0 || memory->scaled)
        say_unit(parse, memory, unit);
    ja_tool_settle(parse, record);
}

static void parse_free(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_line line;
    struct row memory = {.count = 0}, swap = {.count = 0}, row;
    enum layout layout = JOINED;
    size_t at = 0;
    int number = 0;
    bool header = false;
    while (ja_piece_line(piece, &at, &number, &line)) {
        int64_t asked = asked_unit(&line);
        if (asked != JA_UNKNOWN)
            parse->carry.free_unit_bytes = asked;
        if (is_header(line.text, line.length)) {
            header = true;
            layout = layout_of(&line);
        } else if (ja_text_begins(line.text, line.length, "-/+")) {
            layout = OLD;
        } else if (header && !is_extra(&line) && read_row(&line, &row)) {
            if (row.count >= 5 && memory.count == 0)
                memory = row;
            else if (row.count == 3 && swap.count == 0)
                swap = row;
        }
    }
    if (memory.count)
        add(piece, parse, &memory, &swap, layout);
}

const struct ja_parser ja_parser_free = {
    .name = "free",
    .reads = "free of Linux, plain, -b, -k, -m, -w and -h, any language",
    .begins = begins,
    .bid = bid,
    .parse = parse_free,
};
