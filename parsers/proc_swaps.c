/* SPDX-License-Identifier: MIT
 *
 * /proc/swaps of Linux: a header and a row per swap area, sizes in kB (KiB).
 *
 *     Filename				Type		Size		Used		Priority
 *     /dev/zram0                              partition	4194300		524004		100
 *
 * Sum of Size -> swap total, sum of Used -> swap used (0 and 0 with a header only: there is no
 * swap). Each area -> a fact (name, bytes): an area named zram lies in RAM, what it "uses" is
 * books. `swapon -s` prints the same. Priority is left out.
 */
#include "parsers/dump.h"
#include "parsers/proc_record.h"

#include <string.h>

#include "parsers/scan.h"

static bool is_header(const char *text, size_t length)
{
    return ja_text_begins(text, length, "Filename") &&
           ja_text_find(text, length, "Priority") < length;
}

static bool begins(const char *line, size_t length)
{
    return is_header(line, length);
}

static int bid(const struct ja_piece *piece)
{
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    while (ja_piece_line(piece, &at, &number, &line))
        if (is_header(line.text, line.length))
            return 95;
    return 0;
}

/* name type size used priority; the name may hold blanks ("/swap file\040(deleted)" does not). */
static bool read_row(const struct ja_line *line, const char **ret_name, size_t *ret_length,
                     int64_t *ret_size, int64_t *ret_used)
{
    struct ja_scan scan = ja_scan_of(line->text, line->length);
    const char *type;
    size_t type_length;
    int64_t size, used, priority;
    if (!ja_scan_word(&scan, ret_name, ret_length))
        return false;
    ja_scan_blanks(&scan);
    if (!ja_scan_word(&scan, &type, &type_length))
        return false;
    ja_scan_blanks(&scan);
    if (!ja_scan_u63(&scan, &size))
        return false;
    ja_scan_blanks(&scan);
    if (!ja_scan_u63(&scan, &used))
        return false;
    ja_scan_blanks(&scan);
    if (!ja_scan_i64(&scan, &priority) || !ja_multiply(size, JA_KIB, ret_size) ||
        !ja_multiply(used, JA_KIB, ret_used))
        return false;
    return true;
}

static void parse_swaps(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_evidence *evidence = parse->evidence;
    struct ja_proc_place place = ja_proc_piece_place(piece, parse->scratch);
    uint32_t record = ja_proc_record(piece, parse, &place, JA_KIND_PROC_SWAPS);
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    int64_t total = 0, used_total = 0;
    bool whole = true;
    uint32_t where = ja_add_place_line(evidence, piece->first_line);
    while (ja_piece_line(piece, &at, &number, &line)) {
        const char *name;
        size_t length;
        int64_t size, used;
        if (is_header(line.text, line.length) || line.length == 0) {
            whole = whole && !ja_line_bare(piece, &line); /* rows may have followed */
            continue;
        }
        if (!read_row(&line, &name, &length, &size, &used)) {
            ja_diagnose(evidence, JA_WARNING, "bad-row", line.number, NULL,
                        "not a swap area's row: it and the totals are left out");
            whole = false;
            ja_set_status(evidence, JA_STATUS_PARTLY, "a row could not be read");
            continue;
        }
        total = ja_add(total, size);
        used_total = ja_add(used_total, used);
        where = ja_add_place_line(evidence, line.number);
        ja_add_fact(evidence, record, JA_FACT_SWAP_AREA, size,
                    ja_arena_copy(parse->scratch, name, length), where);
    }
    if (!whole)
        return;
    ja_set_figure(evidence, record, JA_FIGURE_SWAP_TOTAL, total, where);
    ja_set_figure(evidence, record, JA_FIGURE_SWAP_USED, used_total, where);
}

const struct ja_parser ja_parser_proc_swaps = {
    .name = "proc_swaps",
    .reads = "Linux /proc/swaps and swapon -s",
    .begins = begins,
    .bid = bid,
    .parse = parse_swaps,
};
