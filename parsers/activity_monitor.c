/* SPDX-License-Identifier: MIT
 *
 * Rows copied from Activity Monitor.
 * Seen: macOS 12.
 *
 *     Virtual Machine Service<TAB>8.02 GB<TAB>9<TAB>60<TAB>995<TAB>USER<TAB>1.3<TAB>...
 *
 * A row is kept as a note, no reading: the columns are those the user had chosen and carry no
 * header, the base of "GB" is not known, figures are localised and there is no time.
 */
#include "parsers/columns.h"
#include "parsers/scan.h"
#include "parsers/side.h"

#define LEAST_CELLS 5
#define LONGEST_NAME 100

/* Name and first size of a row: a cell of text, then a cell "8.02 GB", tabs between all. */
static bool split(const struct ja_line *line, size_t *ret_name, size_t *ret_size)
{
    size_t tabs = 0, first = line->length, second = line->length;
    for (size_t i = 0; i < line->length && i < 2000; i++) {
        if (line->text[i] != '\t')
            continue;
        tabs++;
        if (tabs == 1)
            first = i;
        if (tabs == 2)
            second = i;
    }
    struct ja_quantity size;
    struct ja_scan scan = ja_scan_of(line->text, second);
    scan.at = first + 1;
    if (tabs + 1 < LEAST_CELLS || first == 0 || first > LONGEST_NAME ||
        !ja_scan_size(&scan, &size) || !ja_scan_end(&scan))
        return false;
    *ret_name = first;
    *ret_size = second;
    return true;
}

static int bid(const struct ja_piece *piece)
{
    struct ja_line line;
    size_t at = 0, name, size;
    int number = 0;
    while (ja_piece_line(piece, &at, &number, &line))
        if (split(&line, &name, &size))
            return 30;
    return 0;
}

static void parse(const struct ja_piece *piece, struct ja_parse *parse)
{
    uint32_t record = ja_side_record(piece, parse, JA_KIND_TOP, piece->first_line);
    struct ja_evidence *e = parse->evidence;
    struct ja_line line;
    size_t at = 0, name, size;
    int number = 0;
    while (ja_piece_line(piece, &at, &number, &line)) {
        if (!split(&line, &name, &size))
            continue;
        const char *text = ja_arena_print(e->arena, "Activity Monitor row: %.*s %.*s", (int)name,
                                          line.text, (int)(size - name - 1), line.text + name + 1);
        ja_add_fact(e, record, JA_FACT_NOTE, JA_UNKNOWN, text, ja_add_place_line(e, line.number));
        ja_diagnose(e, JA_NOTE, "activity-monitor", line.number, NULL,
                    "row copied from Activity Monitor: no time, no column heads, unit base not "
                    "known; kept as a note");
    }
    ja_set_status(e, JA_STATUS_PARTLY, "rows copied from Activity Monitor are kept as notes");
}

const struct ja_parser ja_parser_activity_monitor = {
    .name = "activity_monitor",
    .reads = "rows copied from Activity Monitor, as notes",
    .bid = bid,
    .parse = parse,
};
