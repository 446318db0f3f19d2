/* SPDX-License-Identifier: MIT
 *
 * The memory files of a control group, one figure or one table a file, v2 and v1:
 *
 *     memory.current      427810816                 memory.usage_in_bytes   427810816
 *     memory.max          max                       memory.limit_in_bytes   9223372036854771712
 *     memory.peak         67108864                  memory.max_usage_in_bytes
 *     memory.events       oom_kill 1                memory.oom_control      oom_kill 1
 *     memory.stat         anon 66289664             memory.stat             rss 426651648
 *     memory.swap.current 68960256                  memory.failcnt          11050125
 *
 * All sizes are bytes, whole pages, exact. A group is a subject of scope cgroup: current usage ->
 * cgroup_current, peak -> peak_bytes, anon (v1: rss) -> anonymous, file (v1: cache) -> file, swap
 * -> swap, shmem -> shared. The record's figures (usage, limit, anon, file, kernel) speak `of` the
 * group. "max" and 9223372036854771712 (2^63 less a page) mean no limit and never become a number.
 * oom_kill and failcnt -> facts. v1 statistics of the whole subtree (total_...) are preferred:
 * usage_in_bytes counts it too.
 *
 * The group's path comes from the folders; a file that lies alone is named by its stem. Left out:
 * counts of faults and page moves in memory.stat, memory.low, memory.min, memory.numa_stat.
 */
#include "parsers/proc_record.h"

#include <string.h>

#include "parsers/scan.h"

static const struct single {
    const char *leaf;
    enum { USAGE, LIMIT, PEAK, SWAP, SWAP_LIMIT, KERNEL, FAILCNT, OTHER } what;
} singles[] = {
    {"memory.current", USAGE},
    {"memory.usage_in_bytes", USAGE},
    {"memory.max", LIMIT},
    {"memory.limit_in_bytes", LIMIT},
    {"memory.high", LIMIT},
    {"memory.peak", PEAK},
    {"memory.max_usage_in_bytes", PEAK},
    {"memory.swap.current", SWAP},
    {"memory.swap.max", SWAP_LIMIT},
    {"memory.kmem.usage_in_bytes", KERNEL},
    {"memory.failcnt", FAILCNT},
    {"memory.low", OTHER},
    {"memory.min", OTHER},
    {"memory.soft_limit_in_bytes", OTHER},
    {"memory.swappiness", OTHER},
    {"memory.oom.group", OTHER},
    {"memory.use_hierarchy", OTHER},
    {"memory.swap.peak", OTHER},
    {"memory.swap.high", OTHER},
    {"memory.zswap.current", OTHER},
    {"memory.zswap.max", OTHER},
    {"memory.memsw.usage_in_bytes", OTHER},
    {"memory.memsw.limit_in_bytes", OTHER},
    {"memory.kmem.limit_in_bytes", OTHER},
};

/* Limits from 2^62 on are v1's word for "none". */
static bool is_no_limit(int64_t value)
{
    return value >= JA_LARGEST_BYTES;
}

static const struct single *single_of(const char *leaf)
{
    for (size_t i = 0; i < sizeof singles / sizeof singles[0]; i++)
        if (strcmp(leaf, singles[i].leaf) == 0)
            return &singles[i];
    return NULL;
}

/* memory.stat keys. v1 has a total_ twin of each, for the subtree. */
static const struct stat_key {
    const char *v2, *v1, *total;
    enum ja_metric metric; /* JA_METRIC_COUNT: a figure only */
    enum ja_figure figure; /* JA_FIGURE_COUNT: a reading only */
} stat_keys[] = {
    {"anon", "rss", "total_rss", JA_METRIC_ANONYMOUS, JA_FIGURE_CGROUP_ANON},
    {"file", "cache", "total_cache", JA_METRIC_FILE, JA_FIGURE_CGROUP_FILE},
    {"kernel", "", "", JA_METRIC_COUNT, JA_FIGURE_CGROUP_KERNEL},
    {"shmem", "shmem", "total_shmem", JA_METRIC_SHARED, JA_FIGURE_SHMEM},
    {"", "swap", "total_swap", JA_METRIC_SWAP, JA_FIGURE_SWAP_USED},
};

enum { STAT_KEYS = sizeof stat_keys / sizeof stat_keys[0] };

static bool name_number(const struct ja_line *line, const char **ret_name, size_t *ret_length,
                        int64_t *ret_value)
{
    struct ja_scan scan = ja_scan_of(line->text, line->length);
    int64_t value;
    ja_scan_blanks(&scan);
    if (!ja_scan_word(&scan, ret_name, ret_length))
        return false;
    ja_scan_blanks(&scan);
    if (!ja_scan_u63(&scan, &value) || !(ja_scan_blanks(&scan), ja_scan_end(&scan)))
        return false;
    *ret_value = value;
    return true;
}

/* A table of memory.stat by content: how many of its typical keys are there. */
static size_t stat_score(const struct ja_piece *piece)
{
    static const char *const typical[] = {"anon",
                                          "file",
                                          "kernel_stack",
                                          "pagetables",
                                          "slab",
                                          "file_mapped",
                                          "anon_thp",
                                          "inactive_anon",
                                          "cache",
                                          "rss",
                                          "rss_huge",
                                          "mapped_file",
                                          "pgpgin",
                                          "active_file",
                                          "workingset_refault_anon",
                                          "hierarchical_memory_limit"};
    struct ja_line line;
    size_t at = 0, score = 0;
    int number = 0;
    while (ja_piece_line(piece, &at, &number, &line)) {
        const char *name;
        size_t length;
        int64_t value;
        if (!name_number(&line, &name, &length, &value))
            continue;
        for (size_t i = 0; i < sizeof typical / sizeof typical[0]; i++)
            score += ja_text_is(name, length, typical[i]);
    }
    return score;
}

static bool single_value(const struct ja_piece *piece, struct ja_line *ret_line, int64_t *ret_value,
                         bool *ret_none)
{
    size_t at = 0;
    int number = 0;
    while (ja_piece_line(piece, &at, &number, ret_line)) {
        ja_text_trim(&ret_line->text, &ret_line->length);
        if (ret_line->length == 0)
            continue;
        struct ja_scan scan = ja_scan_of(ret_line->text, ret_line->length);
        *ret_none = ja_text_is(ret_line->text, ret_line->length, "max") ||
                    ja_text_is(ret_line->text, ret_line->length, "18446744073709551615") ||
                    ja_text_is(ret_line->text, ret_line->length, "-1");
        return *ret_none || (ja_scan_u63(&scan, ret_value) && ja_scan_end(&scan));
    }
    return false;
}

/* A lone number that has no line end behind it (parsers/tail.h). */
static bool is_cut(const struct ja_line *line)
{
    return line->length > 0 && line->text[0] == '?' && line->text[line->length - 1] == '?';
}

static int bid(const struct ja_piece *piece)
{
    if (!strstr(piece->file->name, "memory.") && !strstr(piece->file->name, "cgroup."))
        return stat_score(piece) >= 4 ? 90 : 0;
    struct ja_arena *arena = ja_arena_new();
    struct ja_proc_place place = ja_proc_place_of(piece->file->path, arena);
    struct ja_line line = {.length = 0};
    int64_t value;
    bool none;
    int result = 0;
    bool ours = strncmp(place.leaf, "memory.", 7) == 0;
    if (ours && single_of(place.leaf))
        result = single_value(piece, &line, &value, &none) ? 95 : is_cut(&line) ? 90 : 0;
    else if (ours && (strncmp(place.leaf, "memory.events", 13) == 0 ||
                      strcmp(place.leaf, "memory.oom_control") == 0 ||
                      strcmp(place.leaf, "memory.numa_stat") == 0))
        result = 90;
    else if (strncmp(place.leaf, "cgroup.", 7) == 0 && place.group)
        result = 60;
    else if (stat_score(piece) >= (strcmp(place.leaf, "memory.stat") == 0 ? 1 : 4))
        result = 90; /* by its name a few keys are enough: people grep it */
    ja_arena_free(arena);
    return result;
}

static uint32_t add_group(const struct ja_piece *piece, struct ja_parse *parse,
                          const struct ja_proc_place *place, uint32_t *ret_record)
{
    struct ja_evidence *evidence = parse->evidence;
    uint32_t record = ja_proc_record(piece, parse, place, JA_KIND_CGROUP);
    const char *name = place->group;
    if (!name)
        name = strncmp(place->leaf, "memory.", 7) == 0 && place->snapshot
                   ? "cgroup"
                   : ja_proc_stem(piece, parse->scratch);
    uint32_t subject = ja_add_subject(evidence, record, name, JA_UNKNOWN);
    evidence->subjects[subject].scope = JA_SCOPE_CGROUP;
    evidence->subjects[subject].place = evidence->records[record].place;
    evidence->records[record].of = evidence->subjects[subject].name;
    *ret_record = record;
    return subject;
}

static void add_size(struct ja_parse *parse, uint32_t subject, enum ja_metric metric, int64_t bytes,
                     uint32_t place)
{
    struct ja_quantity quantity = {bytes, bytes % (4 * JA_KIB) == 0 ? 4 * JA_KIB : 1,
                                   JA_ROUNDING_EXACT};
    ja_proc_reading(parse, subject, metric, quantity, place, JA_UNIT_BYTES);
}

static void add_limit(struct ja_parse *parse, uint32_t record, uint32_t subject, const char *leaf,
                      int64_t value, uint32_t place)
{
    if (is_no_limit(value))
        return;
    if (strcmp(leaf, "memory.high") != 0)
        ja_set_figure(parse->evidence, record, JA_FIGURE_CGROUP_LIMIT, value, place);
    ja_add_fact(parse->evidence, record, JA_FACT_LIMIT, value, leaf, place)->subject = subject;
}

static void parse_single(const struct ja_piece *piece, struct ja_parse *parse,
                         const struct ja_proc_place *place, const struct single *single)
{
    struct ja_evidence *evidence = parse->evidence;
    struct ja_line line;
    int64_t value = 0;
    bool none;
    if (!single_value(piece, &line, &value, &none)) {
        ja_set_kind(evidence, JA_KIND_CGROUP);
        ja_set_status(evidence, JA_STATUS_DAMAGED, "its only number may be cut");
        return;
    }
    uint32_t record, subject = add_group(piece, parse, place, &record);
    uint32_t at = ja_add_place_line(evidence, line.number);
    if (none || (value >= JA_LARGEST_BYTES && single->what != LIMIT))
        return;
    switch (single->what) {
    case USAGE:
        add_size(parse, subject, JA_METRIC_CGROUP_CURRENT, value, at);
        ja_set_figure(evidence, record, JA_FIGURE_CGROUP_USAGE, value, at);
        break;
    case LIMIT:
        add_limit(parse, record, subject, single->leaf, value, at);
        break;
    case PEAK:
        evidence->subjects[subject].peak_bytes = value;
        break;
    case SWAP:
        add_size(parse, subject, JA_METRIC_SWAP, value, at);
        ja_set_figure(evidence, record, JA_FIGURE_SWAP_USED, value, at);
        break;
    case SWAP_LIMIT:
        ja_set_figure(evidence, record, JA_FIGURE_SWAP_TOTAL, value, at);
        break;
    case KERNEL:
        ja_set_figure(evidence, record, JA_FIGURE_CGROUP_KERNEL, value, at);
        break;
    case FAILCNT:
        ja_add_fact(evidence, record, JA_FACT_LIMIT_HITS, value, NULL, at)->subject = subject;
        break;
    case OTHER:
        break;
    }
}

static void take_stat_line(struct ja_parse *parse, const struct ja_line *line,
                           int64_t values[STAT_KEYS], int lines[STAT_KEYS], bool totals[STAT_KEYS])
{
    const char *name;
    size_t length;
    int64_t value;
    if (!name_number(line, &name, &length, &value))
        return;
    for (size_t i = 0; i < STAT_KEYS; i++) {
        bool total = *stat_keys[i].total && ja_text_is(name, length, stat_keys[i].total);
        bool plain = (*stat_keys[i].v2 && ja_text_is(name, length, stat_keys[i].v2)) ||
                     (*stat_keys[i].v1 && ja_text_is(name, length, stat_keys[i].v1));
        if (!total && !(plain && !totals[i]))
            continue;
        if (value >= JA_LARGEST_BYTES) {
            ja_diagnose(parse->evidence, JA_ERROR, "bad-number", line->number, NULL,
                        "%.*s is larger than any memory, left out", (int)length, name);
            return;
        }
        values[i] = value;
        lines[i] = line->number;
        totals[i] = total;
    }
}

static void parse_stat(const struct ja_piece *piece, struct ja_parse *parse,
                       const struct ja_proc_place *place)
{
    struct ja_evidence *evidence = parse->evidence;
    uint32_t record, subject = add_group(piece, parse, place, &record);
    int64_t values[STAT_KEYS];
    int lines[STAT_KEYS] = {0};
    bool totals[STAT_KEYS] = {false};
    for (size_t i = 0; i < STAT_KEYS; i++)
        values[i] = JA_UNKNOWN;
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    while (ja_piece_line(piece, &at, &number, &line))
        take_stat_line(parse, &line, values, lines, totals);
    bool subtree = false;
    for (size_t i = 0; i < STAT_KEYS; i++)
        subtree = subtree || totals[i];
    for (size_t i = 0; i < STAT_KEYS; i++) {
        if (values[i] == JA_UNKNOWN || (subtree && !totals[i]))
            continue; /* the group's own beside the subtree's would not add up */
        uint32_t where = ja_add_place_line(evidence, lines[i]);
        if (stat_keys[i].metric != JA_METRIC_COUNT)
            add_size(parse, subject, stat_keys[i].metric, values[i], where);
        if (stat_keys[i].figure != JA_FIGURE_COUNT)
            ja_set_figure(evidence, record, stat_keys[i].figure, values[i], where);
    }
}

static void parse_events(const struct ja_piece *piece, struct ja_parse *parse,
                         const struct ja_proc_place *place)
{
    struct ja_evidence *evidence = parse->evidence;
    uint32_t record, subject = add_group(piece, parse, place, &record);
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    while (ja_piece_line(piece, &at, &number, &line)) {
        const char *name;
        size_t length;
        int64_t value;
        if (!name_number(&line, &name, &length, &value))
            continue;
        uint32_t where = ja_add_place_line(evidence, line.number);
        if (ja_text_is(name, length, "oom_kill"))
            ja_add_fact(evidence, record, JA_FACT_OOM_KILLS, value, NULL, where)->subject = subject;
        else if (ja_text_is(name, length, "max"))
            ja_add_fact(evidence, record, JA_FACT_LIMIT_HITS, value, NULL, where)->subject =
                subject;
    }
}

static void parse_cgroup(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_proc_place place = ja_proc_piece_place(piece, parse->scratch);
    const struct single *single = single_of(place.leaf);
    if (single) {
        parse_single(piece, parse, &place, single);
    } else if (strncmp(place.leaf, "memory.events", 13) == 0 ||
               strcmp(place.leaf, "memory.oom_control") == 0) {
        parse_events(piece, parse, &place);
    } else if (strncmp(place.leaf, "cgroup.", 7) == 0 ||
               strcmp(place.leaf, "memory.numa_stat") == 0) {
        ja_set_kind(parse->evidence, JA_KIND_CGROUP);
        ja_set_status(parse->evidence, JA_STATUS_NO_MEMORY_CONTENT,
                      "a file of a control group that says nothing of memory use");
    } else {
        parse_stat(piece, parse, &place);
    }
}

const struct ja_parser ja_parser_cgroup = {
    .name = "cgroup",
    .reads = "Linux control group files, v1 and v2: memory.current, memory.stat, memory.max ...",
    .bid = bid,
    .parse = parse_cgroup,
};
