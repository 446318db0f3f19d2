/* SPDX-License-Identifier: MIT
 *
 * Stackshots (bug_type 288, 188, 509: stacks-*.ips) and SystemWatchdogCrash (409), which carries
 * the same tables under "stackshot". Seen: iOS 14 to 18, watchOS 7.
 *
 *   { "reason" : "Power assertion timeout ...", "date" : "2020-10-14 09:29:19.55 +0100",
 *     "memoryStatus" : {...}, "processByPid" : {"0":{"residentMemoryBytes":1982464,...}, ...} }
 *
 * residentMemoryBytes is the same kernel field as in a panic: BYTES, never pages, and a footprint
 * from xnu 4903 on. date -> the record's moment. reason -> detail of a NOTE event; 409 is the hang
 * before a reboot that user space could still report.
 * Left out: threads, absoluteTime, binaryImages.
 */
#include "parsers/panic_json.h"

#include "parsers/scan.h"

static bool is_type(const struct ja_ips *ips)
{
    return ja_ips_is(ips, "288") || ja_ips_is(ips, "188") || ja_ips_is(ips, "509") ||
           ja_ips_is(ips, "409");
}

static int bid(const struct ja_piece *piece)
{
    struct ja_ips ips;
    ja_ips_of(piece, &ips);
    if (is_type(&ips))
        return 95;
    if (ips.bug_type.text)
        return 0;
    size_t length = piece->length < 65536 ? piece->length : 65536;
    bool table = ja_text_find(piece->text, length, "\"processByPid\"") < length;
    bool panic = ja_text_find(piece->text, length, "anicString\"") < length ||
                 ja_text_find(piece->text, length, "\"string\"") < length;
    return table && !panic ? 80 : 0;
}

static void parse_stackshot(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_evidence *evidence = parse->evidence;
    ja_set_kind(evidence, JA_KIND_STACKSHOT);
    struct ja_panic_body body = ja_panic_body_open(piece, parse);
    uint32_t record = ja_panic_body_record(&body, JA_KIND_STACKSHOT, NULL);
    uint32_t stamp = body.date != JA_NONE ? body.date : ja_panic_not_after(evidence, JA_NONE);
    evidence->records[record].stamp = stamp;
    evidence->captured = stamp;
    bool watchdog = ja_ips_is(&body.ips, "409");
    const char *reason;
    size_t length;
    bool cut;
    uint32_t place = ja_add_place_json(evidence, "/reason", -1, -1, NULL);
    if (watchdog || ja_panic_value(body.text, body.length, "reason") < body.length) {
        struct ja_event_seen *event = ja_add_event(evidence, JA_EVENT_NOTE, record, stamp, place);
        event->reason = watchdog ? "system watchdog" : "stackshot";
        if (ja_panic_body_string(&body, "reason", &reason, &length, &cut))
            event->detail = ja_arena_copy(evidence->arena, reason, length < 400 ? length : 400);
    }
    size_t nested = ja_panic_value(body.text, body.length, "stackshot");
    bool inside = nested < body.length && body.text[nested] == '{';
    const char *text = inside ? body.text + nested : body.text;
    ja_panic_body_tables(&body, record, text, body.length - (size_t)(text - body.text), inside,
                         false, NULL);
}

const struct ja_parser ja_parser_stackshot = {
    .name = "stackshot",
    .reads = "stackshots and system watchdog reports (bug_type 288, 188, 509, 409)",
    .whole = true,
    .bid = bid,
    .parse = parse_stackshot,
};
