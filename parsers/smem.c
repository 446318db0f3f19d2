/* SPDX-License-Identifier: MIT
 *
 * smem 1.4 and 1.5 of Linux: shared memory shared out fairly.
 *
 *     PID User     Command                         Swap      USS      PSS      RSS
 *     992 root     /usr/sbin/apache2 -k start         0    13644    15282    23216
 *   21103 root     bin/shm_pool shm 285 /tmp/r        0     2.0M    21.3M    99.2M       with -k
 *   -------------------------------------------------------------------------------
 *      23 2                                           0   380.1M   431.2M   980.0M       with -t
 *
 * Swap -> swap, USS -> category "USS", PSS -> pss, RSS -> resident; KiB, or with -k scaled with a
 * step of 0.1. The last four columns are taken from the right: the command may hold blanks, and
 * logs often lost their header. The command is cut by the tool, so it is kept as a name only.
 * A census when the totals of -t equal the sum of the rows.
 */
#include "parsers/parser.h"

#include "parsers/columns.h"
#include "parsers/scan.h"
#include "parsers/tool_row.h"

#define SIZES 4 /* Swap, USS, PSS, RSS */

struct smem {
    struct ja_parse *parse;
    uint32_t record;
    struct ja_quantity sums[SIZES];
    int64_t rows;
};

static bool is_header(const char *line, size_t length)
{
    return ja_text_find(line, length, "PID ") < length &&
           ja_text_find(line, length, "USS") < length &&
           ja_text_find(line, length, "PSS") < length && ja_text_find(line, length, "RSS") < length;
}

/* The four sizes at the end; false when the line ends otherwise. */
static bool read_sizes(const struct ja_words *words, struct ja_quantity sizes[SIZES])
{
    if (words->count < SIZES + 2)
        return false;
    for (size_t i = 0; i < SIZES; i++)
        if (!ja_word_size(words, words->count - SIZES + i, JA_KIB, &sizes[i]))
            return false;
    return true;
}

/* "21103 root bin/shm_pool ... 0 2.0M 21.3M 99.2M": USS <= PSS <= RSS tells it from other rows. */
static bool read_row(const struct ja_line *line, struct ja_words *words, int64_t *ret_pid,
                     struct ja_quantity sizes[SIZES])
{
    ja_words_split(line->text, line->length, words);
    if (words->count < SIZES + 3 || !ja_word_u63(words, 0, ret_pid) || !read_sizes(words, sizes))
        return false;
    char first = words->at[1].text[0];
    bool named = (first >= 'a' && first <= 'z') || first == '_' || (first >= 'A' && first <= 'Z');
    return named && sizes[1].value <= sizes[2].value + sizes[2].resolution &&
           sizes[2].value <= sizes[3].value + sizes[3].resolution;
}

static void add_sums(struct smem *smem, const struct ja_quantity sizes[SIZES])
{
    for (size_t i = 0; i < SIZES; i++) {
        smem->sums[i].value = ja_add(smem->sums[i].value, sizes[i].value);
        smem->sums[i].resolution = ja_add(smem->sums[i].resolution, sizes[i].resolution);
    }
    smem->rows++;
}

static void take_row(struct smem *smem, const struct ja_words *words, int64_t pid,
                     const struct ja_quantity sizes[SIZES], int line)
{
    static const enum ja_metric metrics[SIZES] = {JA_METRIC_SWAP, JA_METRIC_CATEGORY, JA_METRIC_PSS,
                                                  JA_METRIC_RESIDENT};
    struct ja_evidence *evidence = smem->parse->evidence;
    const char *command = words->at[2].text;
    const char *end =
        words->at[words->count - SIZES - 1].text + words->at[words->count - SIZES - 1].length;
    uint32_t subject = ja_tool_process(smem->parse, smem->record, pid, command,
                                       (size_t)(end - command), JA_TOOL_PROGRAM, line);
    for (size_t i = 0; i < SIZES; i++) {
        size_t before = evidence->reading_count;
        ja_tool_word_reading(smem->parse, subject, metrics[i], sizes[i], words,
                             words->count - SIZES + i, line);
        if (metrics[i] == JA_METRIC_CATEGORY && evidence->reading_count > before)
            evidence->readings[before].category = ja_add_category(evidence, "USS");
    }
    add_sums(smem, sizes);
}

/* The totals of -t: number of rows, of users, four sums. */
static void take_totals(struct smem *smem, const struct ja_words *words)
{
    struct ja_quantity sizes[SIZES];
    int64_t rows = 0;
    if (words->count != SIZES + 2 || !ja_word_u63(words, 0, &rows) || !read_sizes(words, sizes))
        return;
    bool whole = rows == smem->rows && rows > 0;
    for (size_t i = 0; i < SIZES; i++) {
        int64_t apart = ja_subtract(sizes[i].value, smem->sums[i].value);
        int64_t slack = ja_add(sizes[i].resolution, smem->sums[i].resolution);
        whole = whole && apart <= slack && apart >= -slack;
    }
    struct ja_record *record = &smem->parse->evidence->records[smem->record];
    record->census = record->complete = whole;
}

static int bid(const struct ja_piece *piece)
{
    struct ja_line line;
    struct ja_words words;
    struct ja_quantity sizes[SIZES];
    size_t at = 0;
    int number = 0, rows = 0, others = 0;
    int64_t pid = 0;
    while (ja_piece_line(piece, &at, &number, &line)) {
        if (is_header(line.text, line.length))
            return 90;
        if (line.length == 0 || line.text[0] == '-')
            continue;
        if (read_row(&line, &words, &pid, sizes))
            rows++;
        else
            others++;
    }
    return rows >= 2 && rows > others ? 60 : 0;
}

static void parse_smem(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct smem smem = {.parse = parse};
    struct ja_line line;
    struct ja_words words;
    struct ja_quantity sizes[SIZES];
    size_t at = 0;
    int number = 0;
    int64_t pid = 0;
    smem.record = ja_tool_record(parse, JA_KIND_SMEM, piece->stamp, piece->first_line);
    while (ja_piece_line(piece, &at, &number, &line)) {
        if (read_row(&line, &words, &pid, sizes))
            take_row(&smem, &words, pid, sizes, line.number);
        else
            take_totals(&smem, &words);
    }
    ja_tool_settle(parse, smem.record);
}

const struct ja_parser ja_parser_smem = {
    .name = "smem",
    .reads = "smem of Linux, plain and -k, with and without -t",
    .begins = is_header,
    .bid = bid,
    .parse = parse_smem,
};
