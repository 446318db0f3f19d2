/* SPDX-License-Identifier: MIT
 *
 * Sleep and wake failures (bug_type 24, "Sleep Wake Failure_*.diag"): written at the boot after a
 * transition that did not end. Seen: macOS 11 to 15.
 *
 *   Date/Time:       2026-05-07 22:14:03 +0200
 *   Event:           Sleep Wake Failure
 *   Failure code:: 0x00000000 0x002a001f
 *
 * One NOTE event, not later than the report: a sleep boundary (ages stop, wall clocks do not).
 * Nothing about memory.
 */
#include <string.h>

#include "parsers/ips.h"
#include "parsers/panic_json.h"
#include "parsers/scan.h"

#define SNIFF_BYTES ((size_t)8 * 1024)

static int bid(const struct ja_piece *piece)
{
    struct ja_ips ips;
    ja_ips_of(piece, &ips);
    if (ja_ips_is(&ips, "24"))
        return 95;
    size_t length = piece->length < SNIFF_BYTES ? piece->length : SNIFF_BYTES;
    if (ips.bug_type.text)
        return 0;
    bool named = ja_text_find(piece->text, length, "Sleep Wake Failure") < length ||
                 ja_text_find(piece->text, length, "Sleep Wake failure") < length;
    bool code = ja_text_find(piece->text, length, "Failure code:") < length;
    return named && code ? 93 : 0;
}

static void parse_failure(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_evidence *evidence = parse->evidence;
    struct ja_ips ips;
    ja_ips_of(piece, &ips);
    ja_set_kind(evidence, JA_KIND_SLEEP_WAKE);
    ja_ips_apply(&ips, parse);
    struct ja_piece body = *piece;
    if (ips.header == JA_IPS_LINE) {
        body.text = ips.body.text;
        body.length = ips.body.length;
        body.first_line = piece->first_line + ips.body_line;
    }
    uint32_t date = JA_NONE, place = JA_NONE;
    const char *code = NULL;
    size_t at = 0;
    int number = 0;
    struct ja_line line;
    while (ja_piece_line(&body, &at, &number, &line)) {
        struct ja_slice value = {line.text, line.length};
        ja_text_trim(&value.text, &value.length);
        if (ja_text_begins(value.text, value.length, "Failure code:") && !code) {
            code = ja_arena_copy(evidence->arena, value.text, value.length);
            place = ja_add_place_line(evidence, line.number);
        }
        static const char head[] = "Date/Time:";
        if (!ja_text_begins(value.text, value.length, head) || date != JA_NONE)
            continue;
        value.text += strlen(head);
        value.length -= strlen(head);
        ja_text_trim(&value.text, &value.length);
        date = ja_ips_stamp(&value, "Date/Time", parse);
    }
    if (evidence->written == JA_NONE)
        evidence->written = date;
    uint32_t stamp = ja_panic_not_after(evidence, date);
    uint32_t record = ja_add_record(evidence, JA_KIND_SLEEP_WAKE, stamp);
    evidence->records[record].system = ja_add_system(evidence);
    evidence->systems[evidence->records[record].system].os = evidence->os;
    evidence->captured = stamp;
    struct ja_event_seen *event = ja_add_event(evidence, JA_EVENT_NOTE, record, stamp, place);
    event->reason = "sleep/wake failure";
    event->detail = code;
    ja_set_status(evidence, JA_STATUS_EVENT_ONLY, "a failed transition between sleep and wake");
}

const struct ja_parser ja_parser_sleep_wake = {
    .name = "sleep_wake",
    .reads = "sleep and wake failures (bug_type 24)",
    .whole = true,
    .bid = bid,
    .parse = parse_failure,
};
