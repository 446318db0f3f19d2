/* SPDX-License-Identifier: MIT
 *
 * Spins and hangs (bug_type 11, 12, 28, 29, 45, 207, 222, 223, 228, 302, 310, 328; .spin, .hang and
 * .watchdog_timeout.spin without a header line): a program, or the whole machine, did not answer.
 *
 *   Event:            hang
 *   Duration:         4.20s
 *   Process:          Sketcher [5120]
 *   Footprint:        312.4 MB
 *
 * Footprint lines -> readings (spindump.c). One NOTE event: a hang minutes before a kill supports
 * thrashing, it proves none. Stacks are left out.
 */
#include "parsers/scan.h"
#include "parsers/spindump.h"

static const char *const types[] = {"11",  "12",  "28",  "29",  "45",  "207",
                                    "222", "223", "228", "302", "310", "328"};

static int bid(const struct ja_piece *piece)
{
    struct ja_spindump dump;
    bool text = ja_spindump_open(piece, &dump);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (ja_ips_is(&dump.ips, types[i]))
            return 95;
    if (!text || dump.ips.bug_type.text)
        return 0;
    if (ja_slice_holds(&dump.event, "hang") || ja_slice_holds(&dump.event, "spin") ||
        ja_slice_holds(&dump.event, "unresponsive") || ja_slice_holds(&dump.event, "timeout") ||
        ja_slice_holds(&dump.event, "force quit"))
        return 88;
    size_t length = piece->length < 65536 ? piece->length : 65536;
    return ja_text_find(piece->text, length, "Report Version:") < length ? 65 : 0;
}

static void parse_spin(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_spindump dump;
    size_t readings = 0;
    ja_spindump_open(piece, &dump);
    uint32_t record = ja_spindump_read(&dump, parse, JA_KIND_SPIN, &readings);
    const struct ja_slice *detail = dump.duration.text ? &dump.duration : &dump.event;
    ja_spindump_event(&dump, parse, record, JA_EVENT_NOTE, "hang", detail);
    ja_spindump_status(parse, readings, true, "a hang without a Footprint line");
}

const struct ja_parser ja_parser_spin = {
    .name = "spin",
    .reads = "spins and hangs (.spin, .hang, watchdog_timeout.spin)",
    .whole = true,
    .bid = bid,
    .parse = parse_spin,
};
