/* SPDX-License-Identifier: MIT
 *
 * Shutdown stalls (bug_type 17, shutdown_stall_*.shutdownStall): the machine was stuck while it
 * shut down. Text as of spindump; no whole one was found in public, so the bid goes by the header
 * line's type or by the words "shutdown stall" in a text of spindump's form. Newer ones are binary
 * and cannot be read here.
 *
 * One NOTE event at the end of its window; Footprint lines -> readings (spindump.c).
 */
#include "parsers/scan.h"
#include "parsers/spindump.h"

static int bid(const struct ja_piece *piece)
{
    struct ja_spindump dump;
    bool text = ja_spindump_open(piece, &dump);
    if (ja_ips_is(&dump.ips, "17"))
        return 95;
    if (!text || dump.ips.bug_type.text)
        return 0;
    bool said = ja_slice_holds(&dump.event, "shutdown") || ja_slice_holds(&dump.reason, "shutdown");
    return said ? 92 : 0;
}

static void parse_stall(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_spindump dump;
    size_t readings = 0;
    ja_spindump_open(piece, &dump);
    dump.command.text = NULL; /* the machine stalled, not one program */
    uint32_t record = ja_spindump_read(&dump, parse, JA_KIND_SHUTDOWN_STALL, &readings);
    ja_spindump_event(&dump, parse, record, JA_EVENT_NOTE, "shutdown stall", &dump.duration);
    ja_spindump_status(parse, readings, true, "a stall while shutting down");
}

const struct ja_parser ja_parser_shutdown_stall = {
    .name = "shutdown_stall",
    .reads = "shutdown stalls (bug_type 17)",
    .whole = true,
    .bid = bid,
    .parse = parse_stall,
};
