/* SPDX-License-Identifier: MIT
 *
 * docker stats and podman stats, 2016 to now: a table whose cells stand two or more blanks apart.
 *
 *   CONTAINER ID   NAME        CPU %     MEM USAGE / LIMIT     MEM %     NET I/O           PIDS
 *   ea7aaf2c7e24   hass-test   19.34%    229MiB / 31.28GiB     0.71%     124MB / 6.6MB     86
 *   66a49567eab0   0.00%       159.7 kB / 0 B                  0.00%     648 B / 648 B     0
 *
 * Also with columns that somebody chose (--format 'table {{.Name}}\t{{.MemUsage}}').
 * Usage -> cgroup_current of a container (scope container, no pid): the cgroup's usage without
 * page cache (v1) or inactive file pages (v2), step = the last printed digit. KiB, MiB, GiB are
 * binary; kB, MB, GB (docker before 1.13, podman) are decimal. LIMIT -> limit, unless 0; without
 * a limit of its own docker prints the host's memory there.
 * Left out: shares, network, block I/O. No time is printed: it comes from a stamp line.
 */
#include "parsers/docker_stats.h"

#include "parsers/columns.h"
#include "parsers/scan.h"
#include "parsers/tool_row.h"

static bool is_header(const char *line, size_t length)
{
    return ja_text_find(line, length, "MEM USAGE / LIMIT") < length &&
           (ja_text_find(line, length, "CPU %") < length || ja_text_begins(line, length, "NAME ") ||
            ja_text_begins(line, length, "CONTAINER"));
}

/* Bytes of "MiB" (binary) or "MB" (decimal) at the cursor; 0 when it is neither. */
static int64_t unit_at(struct ja_scan *scan)
{
    static const struct {
        const char *word;
        int64_t bytes;
    } units[] = {{"KiB", JA_KIB}, {"MiB", JA_MIB},    {"GiB", JA_GIB},
                 {"TiB", JA_TIB}, {"kB", 1000},       {"KB", 1000},
                 {"MB", 1000000}, {"GB", 1000000000}, {"TB", INT64_C(1000000000000)},
                 {"B", 1}};
    ja_scan_blanks(scan);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (ja_scan_text(scan, units[i].word))
            return units[i].bytes;
    return 0;
}

static bool scan_bytes(struct ja_scan *scan, struct ja_quantity *ret)
{
    int64_t mantissa = 0;
    int decimals = 0;
    ja_scan_blanks(scan);
    if (!ja_scan_decimal(scan, &mantissa, &decimals))
        return false;
    int64_t unit = unit_at(scan);
    return unit > 0 && ja_scale(mantissa, decimals, unit, ret);
}

/* "229MiB / 31.28GiB": usage and limit. */
static bool read_usage(const char *text, size_t length, struct ja_quantity *ret_usage,
                       struct ja_quantity *ret_limit)
{
    struct ja_scan scan = ja_scan_of(text, length);
    if (!scan_bytes(&scan, ret_usage))
        return false;
    ja_scan_blanks(&scan);
    return ja_scan_char(&scan, '/') && scan_bytes(&scan, ret_limit) && ja_scan_end(&scan);
}

bool ja_docker_usage(struct ja_parse *parse, uint32_t record, const char *name, const char *text,
                     size_t length, int line)
{
    struct ja_evidence *evidence = parse->evidence;
    struct ja_quantity used, limit;
    if (!read_usage(text, length, &used, &limit))
        return false;
    uint32_t subject = ja_add_subject(evidence, record, name, JA_UNKNOWN);
    uint32_t place = ja_add_place_line(evidence, line);
    evidence->subjects[subject].scope = JA_SCOPE_CONTAINER;
    evidence->subjects[subject].place = place;
    ja_tool_reading(parse, subject, JA_METRIC_CGROUP_CURRENT, used, text,
                    ja_text_find(text, length, " /"), line);
    if (limit.value > 0)
        ja_add_fact(evidence, record, JA_FACT_LIMIT, limit.value,
                    "docker limit (the host's memory when none is set)", place)
            ->subject = subject;
    return true;
}

static void take_row(struct ja_parse *parse, uint32_t record, const struct ja_words *cells,
                     size_t name, size_t usage, int line)
{
    if (name >= cells->count || ja_word_is(cells, name, "--"))
        name = 0;
    const char *text = usage < cells->count ? cells->at[usage].text : "";
    size_t length = usage < cells->count ? cells->at[usage].length : 0;
    const char *who = ja_arena_copy(parse->scratch, cells->at[name].text, cells->at[name].length);
    if (ja_text_begins(text, length, "--"))
        return; /* stopped */
    if (!ja_docker_usage(parse, record, who, text, length, line))
        ja_diagnose(parse->evidence, JA_ERROR, "bad-row", line, NULL,
                    "row of docker stats without usage and limit, left out");
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

static void parse_docker(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_line line;
    struct ja_words cells;
    size_t at = 0, name = JA_MOST_WORDS, usage = JA_MOST_WORDS;
    int number = 0;
    uint32_t record = JA_NONE;
    while (ja_piece_line(piece, &at, &number, &line)) {
        ja_cells_split(line.text, line.length, &cells);
        if (is_header(line.text, line.length)) {
            name = ja_word_find(&cells, "NAME");
            usage = ja_word_find(&cells, "MEM USAGE / LIMIT");
            record = ja_tool_record(parse, JA_KIND_DOCKER_STATS, piece->stamp, line.number);
        } else if (record != JA_NONE && cells.count > 1) {
            take_row(parse, record, &cells, name, usage, line.number);
        }
    }
    if (record != JA_NONE)
        ja_tool_settle(parse, record);
}

const struct ja_parser ja_parser_docker_stats = {
    .name = "docker_stats",
    .reads = "docker stats, podman stats",
    .begins = is_header,
    .bid = bid,
    .parse = parse_docker,
};
