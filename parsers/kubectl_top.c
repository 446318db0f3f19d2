/* SPDX-License-Identifier: MIT
 *
 * kubectl top pod / node, and the metrics API it asks.
 *
 *   NAMESPACE   NAME                        CPU(cores)   MEMORY(bytes)
 *   POD                         NAME          CPU(cores)   MEMORY(bytes)      with --containers
 *   repolite-5f9f6bb846-tx6mj   repolite      704m         1545Mi
 *   NAME     CPU(cores)   CPU%   MEMORY(bytes)   MEMORY%                      nodes
 *
 * MEMORY is the working set (usage without inactive file pages) of a window of 10 to 60 s, cut to
 * whole Mi -> cgroup_current of a container or pod ("pod/container"), rounded down; of a node with
 * scope host. No time is printed: it comes from a stamp line (watch prints one).
 * Left out: CPU, shares. The API's JSON is read by kube_json.c.
 */
#include "parsers/parser.h"

#include <string.h>

#include "parsers/columns.h"
#include "parsers/scan.h"
#include "parsers/tool_row.h"

static bool is_header(const char *line, size_t length)
{
    return ja_text_find(line, length, "MEMORY(bytes)") < length &&
           ja_text_find(line, length, "CPU(cores)") < length;
}

/* "1545Mi", "2Gi", "19732Ki": cut to the unit by the printer. */
static bool read_memory(const struct ja_words *words, size_t index, struct ja_quantity *ret)
{
    if (!ja_word_size(words, index, 1, ret))
        return false;
    if (ret->rounding == JA_ROUNDING_NEAREST)
        ret->rounding = JA_ROUNDING_DOWN;
    return true;
}

static char *subject_name(struct ja_parse *parse, const struct ja_words *words, size_t pod,
                          size_t name)
{
    struct ja_arena *arena = parse->evidence->arena;
    char *last = ja_arena_copy(arena, words->at[name].text, words->at[name].length);
    if (pod == JA_MOST_WORDS || pod >= words->count)
        return last;
    return ja_arena_print(arena, "%.*s/%s", (int)words->at[pod].length, words->at[pod].text, last);
}

struct columns {
    size_t pod, name, memory;
    bool node;
};

static void take_row(struct ja_parse *parse, uint32_t record, const struct ja_words *words,
                     const struct columns *columns, int line)
{
    struct ja_evidence *evidence = parse->evidence;
    struct ja_quantity memory;
    if (columns->name >= words->count || columns->memory >= words->count)
        return;
    if (ja_word_is(words, columns->memory, "<unknown>"))
        return;
    if (!read_memory(words, columns->memory, &memory)) {
        ja_diagnose(evidence, JA_ERROR, "bad-row", line, NULL,
                    "row of kubectl top without its memory, left out");
        return;
    }
    uint32_t subject = ja_add_subject(evidence, record, NULL, JA_UNKNOWN);
    uint32_t place = ja_add_place_line(evidence, line);
    evidence->subjects[subject].name = subject_name(parse, words, columns->pod, columns->name);
    evidence->subjects[subject].scope = columns->node ? JA_SCOPE_HOST : JA_SCOPE_CONTAINER;
    evidence->subjects[subject].place = place;
    ja_tool_word_reading(parse, subject, JA_METRIC_CGROUP_CURRENT, memory, words, columns->memory,
                         line);
}

static int bid(const struct ja_piece *piece)
{
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    while (ja_piece_line(piece, &at, &number, &line))
        if (is_header(line.text, line.length))
            return 93;
    return 0;
}

static void parse_kubectl(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_line line;
    struct ja_words words;
    struct columns columns = {0};
    size_t at = 0;
    int number = 0;
    uint32_t record = JA_NONE;
    while (ja_piece_line(piece, &at, &number, &line)) {
        ja_words_split(line.text, line.length, &words);
        if (is_header(line.text, line.length)) {
            columns.pod = ja_word_find(&words, "POD");
            columns.name = ja_word_find(&words, "NAME");
            columns.memory = ja_word_find(&words, "MEMORY(bytes)");
            columns.node = ja_word_find(&words, "CPU%") != JA_MOST_WORDS ||
                           ja_word_find(&words, "CPU(%)") != JA_MOST_WORDS;
            record = ja_tool_record(parse, JA_KIND_KUBECTL_TOP, piece->stamp, line.number);
        } else if (record != JA_NONE && words.count > 2) {
            take_row(parse, record, &words, &columns, line.number);
        }
    }
    if (record != JA_NONE)
        ja_tool_settle(parse, record);
}

const struct ja_parser ja_parser_kubectl_top = {
    .name = "kubectl_top",
    .reads = "kubectl top pod, kubectl top node",
    .begins = is_header,
    .bid = bid,
    .parse = parse_kubectl,
};
