/* SPDX-License-Identifier: MIT
 *
 * A forced reset (bug_type 151, forceReset-full-*.ips): somebody held the buttons. The body is that
 * of a panic, but its text stands under "string" and begins with a caller and "btn_rst". Seen: iOS
 * 16.2 to 27.
 *
 *   "string" : "panic(cpu 1 caller 0xfffffff02e156784): btn_rst\nDebugger message: panic\n...
 *
 * One FORCE_RESET event at the Calendar of the text; no panic, and nothing about memory follows
 * from it. The process table and the pages are readings like those of a panic.
 */
#include "parsers/panic_json.h"

#include "parsers/scan.h"

static int bid(const struct ja_piece *piece)
{
    struct ja_ips ips;
    ja_ips_of(piece, &ips);
    if (ja_ips_is(&ips, "151"))
        return 95;
    size_t length = piece->length < 65536 ? piece->length : 65536;
    if (!ips.bug_type.text && ja_text_find(piece->text, length, "\"string\"") < length &&
        ja_text_find(piece->text, length, "btn_rst") < length)
        return 92;
    return 0;
}

static void parse_reset(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_evidence *evidence = parse->evidence;
    ja_set_kind(evidence, JA_KIND_FORCE_RESET);
    struct ja_panic_body body = ja_panic_body_open(piece, parse);
    uint32_t record = ja_panic_body_record(&body, JA_KIND_FORCE_RESET, NULL);
    struct ja_panic_log log = {.json_path = "/string"};
    struct ja_panic_found found = {
        .calendar = JA_NONE, .boot = JA_NONE, .place = JA_NONE, .calendar_s = JA_UNKNOWN};
    bool cut = false;
    if (ja_panic_body_string(&body, "string", &log.text, &log.length, &cut))
        ja_panic_text_read(parse, record, &log, &found);
    else
        found.place = ja_add_place_json(evidence, "/string", -1, -1, NULL);
    uint32_t stamp = ja_panic_settle_times(parse, record, body.date, &found);
    struct ja_event_seen *event =
        ja_add_event(evidence, JA_EVENT_FORCE_RESET, record, stamp, found.place);
    event->reason = "button";
    event->detail = ja_arena_string(evidence->arena, found.detail);
    ja_panic_body_tables(&body, record, body.text, body.length, false, found.has_compressor,
                         found.table_absent);
}

const struct ja_parser ja_parser_force_reset = {
    .name = "force_reset",
    .reads = "forced resets by button (bug_type 151)",
    .whole = true,
    .bid = bid,
    .parse = parse_reset,
};
