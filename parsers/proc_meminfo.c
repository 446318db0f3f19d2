/* SPDX-License-Identifier: MIT
 *
 * /proc/meminfo of Linux 2.6 .. 6.18: the machine's memory in kB (KiB).
 *
 *     MemAvailable:   21553748 kB
 *
 * MemTotal -> managed (what the kernel manages: less than the installed RAM), MemFree -> free,
 * AnonPages -> anonymous, SwapTotal and SwapTotal - SwapFree -> swap; MemAvailable, Buffers,
 * Cached, SwapCached, Shmem, SReclaimable, SUnreclaim, PageTables, KernelStack, Percpu, Active,
 * Inactive, Zswap and Zswapped -> figures of those names; Hugetlb, else HugePages_Total (a COUNT
 * without unit) x Hugepagesize -> hugetlb. The rest divides the same pages in other ways and is
 * left out. Figures are whole pages (multiples of 4 kB on most machines) and exact, but not taken
 * at one instant: they may miss each other by a few pages.
 */
#include "parsers/proc_record.h"

#include <string.h>

#include "parsers/scan.h"

static const struct {
    const char *key;
    enum ja_figure figure, also;
} figures[] = {
    {"MemTotal", JA_FIGURE_MANAGED, JA_FIGURE_COUNT},
    {"MemFree", JA_FIGURE_MEM_FREE, JA_FIGURE_FREE},
    {"MemAvailable", JA_FIGURE_MEM_AVAILABLE, JA_FIGURE_COUNT},
    {"Buffers", JA_FIGURE_BUFFERS, JA_FIGURE_COUNT},
    {"Cached", JA_FIGURE_CACHED, JA_FIGURE_COUNT},
    {"SwapCached", JA_FIGURE_SWAP_CACHED, JA_FIGURE_COUNT},
    {"Active", JA_FIGURE_ACTIVE, JA_FIGURE_COUNT},
    {"Inactive", JA_FIGURE_INACTIVE, JA_FIGURE_COUNT},
    {"AnonPages", JA_FIGURE_ANON_PAGES, JA_FIGURE_ANONYMOUS},
    {"Shmem", JA_FIGURE_SHMEM, JA_FIGURE_COUNT},
    {"SReclaimable", JA_FIGURE_SLAB_RECLAIMABLE, JA_FIGURE_COUNT},
    {"SUnreclaim", JA_FIGURE_SLAB_UNRECLAIMABLE, JA_FIGURE_COUNT},
    {"PageTables", JA_FIGURE_PAGE_TABLES, JA_FIGURE_COUNT},
    {"KernelStack", JA_FIGURE_KERNEL_STACK, JA_FIGURE_COUNT},
    {"Percpu", JA_FIGURE_PERCPU, JA_FIGURE_COUNT},
    {"Hugetlb", JA_FIGURE_HUGETLB, JA_FIGURE_COUNT},
    {"SwapTotal", JA_FIGURE_SWAP_TOTAL, JA_FIGURE_COUNT},
    {"Zswap", JA_FIGURE_ZSWAP, JA_FIGURE_COUNT},
    {"Zswapped", JA_FIGURE_ZSWAPPED, JA_FIGURE_COUNT},
};

static bool begins(const char *line, size_t length)
{
    return ja_text_begins(line, length, "MemTotal:");
}

static int bid(const struct ja_piece *piece)
{
    struct ja_line line;
    size_t at = 0, known = 0;
    int number = 0;
    bool total = false;
    while (ja_piece_line(piece, &at, &number, &line)) {
        const char *key;
        size_t length;
        int64_t value;
        if (!ja_proc_key_line(&line, &key, &length, &value))
            continue;
        total = total || ja_text_is(key, length, "MemTotal");
        for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
            known += ja_text_is(key, length, figures[i].key);
    }
    if (total && known >= 3)
        return 90;
    return total || known >= 6 ? 70 : 0;
}

struct meminfo {
    int64_t swap_free, huge_count, huge_kb;
    int swap_free_line, huge_line;
};

static void take_line(struct ja_parse *parse, uint32_t record, const struct ja_line *line,
                      struct meminfo *meminfo)
{
    const char *key;
    size_t length;
    int64_t value, bytes;
    if (!ja_proc_key_line(line, &key, &length, &value))
        return;
    if (ja_text_is(key, length, "HugePages_Total")) {
        meminfo->huge_count = value;
        meminfo->huge_line = line->number;
        return;
    }
    if (ja_text_is(key, length, "Hugepagesize"))
        meminfo->huge_kb = value;
    if (ja_text_is(key, length, "SwapFree")) {
        meminfo->swap_free = value;
        meminfo->swap_free_line = line->number;
    }
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        if (!ja_text_is(key, length, figures[i].key))
            continue;
        if (!ja_multiply(value, JA_KIB, &bytes)) {
            ja_diagnose(parse->evidence, JA_ERROR, "bad-number", line->number, NULL,
                        "%s is larger than any memory, left out", figures[i].key);
            return;
        }
        uint32_t place = ja_add_place_line(parse->evidence, line->number);
        ja_set_figure(parse->evidence, record, figures[i].figure, bytes, place);
        if (figures[i].also != JA_FIGURE_COUNT)
            ja_set_figure(parse->evidence, record, figures[i].also, bytes, place);
    }
}

static void add_derived(struct ja_parse *parse, uint32_t record, const struct meminfo *meminfo)
{
    struct ja_evidence *evidence = parse->evidence;
    int64_t free_bytes, huge_kb, bytes;
    int64_t total = ja_get_figure(&evidence->records[record], JA_FIGURE_SWAP_TOTAL);
    if (total != JA_UNKNOWN && meminfo->swap_free != JA_UNKNOWN &&
        ja_multiply(meminfo->swap_free, JA_KIB, &free_bytes) && free_bytes <= total)
        ja_set_figure(evidence, record, JA_FIGURE_SWAP_USED, total - free_bytes,
                      ja_add_place_line(evidence, meminfo->swap_free_line));
    if (ja_get_figure(&evidence->records[record], JA_FIGURE_HUGETLB) == JA_UNKNOWN &&
        meminfo->huge_count != JA_UNKNOWN && meminfo->huge_kb != JA_UNKNOWN &&
        ja_multiply(meminfo->huge_count, meminfo->huge_kb, &huge_kb) &&
        ja_multiply(huge_kb, JA_KIB, &bytes))
        ja_set_figure(evidence, record, JA_FIGURE_HUGETLB, bytes,
                      ja_add_place_line(evidence, meminfo->huge_line));
}

static void parse_meminfo(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_proc_place place = ja_proc_piece_place(piece, parse->scratch);
    uint32_t record = ja_proc_record(piece, parse, &place, JA_KIND_PROC_MEMINFO);
    struct meminfo meminfo = {
        .swap_free = JA_UNKNOWN, .huge_count = JA_UNKNOWN, .huge_kb = JA_UNKNOWN};
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    while (ja_piece_line(piece, &at, &number, &line))
        take_line(parse, record, &line, &meminfo);
    add_derived(parse, record, &meminfo);
    if (ja_get_figure(&parse->evidence->records[record], JA_FIGURE_MANAGED) == JA_UNKNOWN)
        ja_set_status(parse->evidence, JA_STATUS_PARTLY, "MemTotal is missing");
}

const struct ja_parser ja_parser_proc_meminfo = {
    .name = "proc_meminfo",
    .reads = "Linux /proc/meminfo, kernels 2.6 to 6.18",
    .begins = begins,
    .bid = bid,
    .parse = parse_meminfo,
};
