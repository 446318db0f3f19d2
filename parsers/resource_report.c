/* SPDX-License-Identifier: MIT
 *
 * Resource reports: a process used more CPU, disk writes, wakeups or threads than a limit allows
 * (bug_type 22, 142, 145, 157, 185, 202, 206, 227, 327, 385 and .diag files without a header line).
 * Seen: iOS 4 (wakeups, crash style), iOS 14, macOS 26.
 *
 *   Event:            disk writes
 *   Writes:           1073.75 MB of file backed memory dirtied over 12560 seconds ...
 *
 * Footprint lines -> readings (spindump.c). 22, 185 and 385 (a limit with a consequence) also give
 * a NOTE event; the others are statistics and give none. The figures of CPU and disk are not about
 * memory and left out.
 */
#include "parsers/scan.h"
#include "parsers/spindump.h"

static const char *const types[] = {"22",  "25",  "44",  "142", "144", "145", "157",
                                    "185", "202", "206", "227", "327", "385"};

static bool is_type(const struct ja_ips *ips)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (ja_ips_is(ips, types[i]))
            return true;
    return false;
}

static bool old_wakeups(const struct ja_piece *piece)
{
    size_t length = piece->length < 4096 ? piece->length : 4096;
    return ja_text_find(piece->text, length, "SBUnsuspendLimit") < length &&
           ja_text_find(piece->text, length, " wakes in ") < length;
}

static int bid(const struct ja_piece *piece)
{
    struct ja_spindump dump;
    bool text = ja_spindump_open(piece, &dump);
    if (is_type(&dump.ips))
        return 95;
    if (dump.ips.bug_type.text)
        return 0;
    if (text &&
        (ja_slice_holds(&dump.event, "cpu usage") || ja_slice_holds(&dump.event, "disk writes") ||
         ja_slice_holds(&dump.event, "wakeups") || ja_slice_holds(&dump.event, "threads")))
        return 90;
    return old_wakeups(piece) ? 85 : 0;
}

static void parse_report(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_spindump dump;
    size_t readings = 0;
    ja_spindump_open(piece, &dump);
    uint32_t record = ja_spindump_read(&dump, parse, JA_KIND_RESOURCE_REPORT, &readings);
    bool limit =
        ja_ips_is(&dump.ips, "22") || ja_ips_is(&dump.ips, "185") || ja_ips_is(&dump.ips, "385");
    if (limit)
        ja_spindump_event(&dump, parse, record, JA_EVENT_NOTE, "resource limit",
                          dump.limit.text ? &dump.limit : &dump.event);
    ja_spindump_status(parse, readings, limit, "a resource report without a Footprint line");
}

const struct ja_parser ja_parser_resource_report = {
    .name = "resource_report",
    .reads = "cpu, disk write, wakeup and thread reports (.diag, .ips)",
    .whole = true,
    .bid = bid,
    .parse = parse_report,
};
