/* SPDX-License-Identifier: MIT
 *
 * /proc/vmstat of Linux: one "name number" a line, counts of pages and of events since boot.
 *
 *     pswpout 46113
 *
 * pswpout -> pages swapped out since boot (a figure that tells whether swap moves), oom_kill -> a
 * fact (processes killed for memory since boot, 4.13 and later). Everything else is left out: page
 * counts need the page size, which is not in the file, and meminfo has the same figures in kB.
 */
#include "parsers/proc_record.h"

#include <string.h>

#include "parsers/scan.h"

static bool name_number(const struct ja_line *line, const char **ret_name, size_t *ret_length,
                        int64_t *ret_value)
{
    struct ja_scan scan = ja_scan_of(line->text, line->length);
    const char *name;
    size_t length;
    int64_t value;
    if (!ja_scan_word(&scan, &name, &length))
        return false;
    ja_scan_blanks(&scan);
    if (!ja_scan_u63(&scan, &value) || !(ja_scan_blanks(&scan), ja_scan_end(&scan)))
        return false;
    *ret_name = name;
    *ret_length = length;
    *ret_value = value;
    return true;
}

static bool begins(const char *line, size_t length)
{
    return ja_text_begins(line, length, "nr_free_pages ");
}

static int bid(const struct ja_piece *piece)
{
    struct ja_line line;
    size_t at = 0, known = 0;
    int number = 0;
    while (ja_piece_line(piece, &at, &number, &line)) {
        const char *name;
        size_t length;
        int64_t value;
        if (name_number(&line, &name, &length, &value))
            known += ja_text_is(name, length, "nr_free_pages") ||
                     ja_text_is(name, length, "nr_anon_pages") ||
                     ja_text_is(name, length, "pswpout") || ja_text_is(name, length, "pswpin") ||
                     ja_text_is(name, length, "nr_slab_unreclaimable") ||
                     ja_text_is(name, length, "pgalloc_normal");
    }
    return known >= 2 ? 90 : 0;
}

static void parse_vmstat(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_evidence *evidence = parse->evidence;
    struct ja_proc_place place = ja_proc_piece_place(piece, parse->scratch);
    uint32_t record = ja_proc_record(piece, parse, &place, JA_KIND_PROC_VMSTAT);
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    while (ja_piece_line(piece, &at, &number, &line)) {
        const char *name;
        size_t length;
        int64_t value;
        if (!name_number(&line, &name, &length, &value))
            continue;
        if (ja_text_is(name, length, "pswpout"))
            ja_set_figure(evidence, record, JA_FIGURE_SWAPOUTS, value,
                          ja_add_place_line(evidence, line.number));
        else if (ja_text_is(name, length, "oom_kill"))
            ja_add_fact(evidence, record, JA_FACT_OOM_KILLS, value, NULL,
                        ja_add_place_line(evidence, line.number));
    }
}

const struct ja_parser ja_parser_proc_vmstat = {
    .name = "proc_vmstat",
    .reads = "Linux /proc/vmstat",
    .begins = begins,
    .bid = bid,
    .parse = parse_vmstat,
};
