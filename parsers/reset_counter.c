/* SPDX-License-Identifier: MIT
 *
 * Reset counters (bug_type 115, ResetCounter-*.ips / .diag): written at the boot after an unclean
 * reset. A header line and a short text, or the text alone. Seen: iOS 15.7 to 27.
 *
 *   {"os_version":"iPhone OS 27.0.1 (24A446)","bug_type":"115","name":"Reset count"}
 *   Reset count: 1
 *   Boot failure count: 0
 *   Boot faults: rst wdog,reset_in_1
 *
 * One event: FORCE_RESET when the faults say "btn_rst" (a person held the button), else RESET; the
 * faults are its detail ("wdog" = the hardware watchdog, "uv" = undervoltage). The report is
 * written after the reboot, so its time is an upper bound; without a timestamp the file's name
 * serves as that bound. A count of 0 is no reset.
 * Left out: Boot stage, Boot app.
 *
 * SystemMemoryReset (bug_type 301) is read here too: iOS restarted user space because reclaimable
 * memory fell under a limit; "eventReason" says which. Its table is that of a Jetsam report and
 * read as one.
 */
#include <string.h>

#include "parsers/ips.h"
#include "parsers/panic_json.h"
#include "parsers/scan.h"

static int bid(const struct ja_piece *piece)
{
    struct ja_ips ips;
    ja_ips_of(piece, &ips);
    if (ja_ips_is(&ips, "115") || ja_ips_is(&ips, "301"))
        return 95;
    size_t length = piece->length < 4096 ? piece->length : 4096;
    if (!ips.bug_type.text && ja_text_find(piece->text, length, "Reset count:") < length &&
        ja_text_find(piece->text, length, "Boot faults:") < length)
        return 90;
    return 0;
}

/* The rest of the line that begins with the label; false when no line does. */
static bool field(const struct ja_piece *piece, const char *label, const char **ret,
                  size_t *ret_length, int *ret_line)
{
    size_t at = 0;
    struct ja_line line;
    int number = 0;
    while (ja_piece_line(piece, &at, &number, &line)) {
        const char *text = line.text;
        size_t length = line.length;
        ja_text_trim(&text, &length);
        if (!ja_text_begins(text, length, label))
            continue;
        text += strlen(label);
        length -= strlen(label);
        ja_text_trim(&text, &length);
        *ret = text;
        *ret_length = length;
        *ret_line = line.number;
        return true;
    }
    return false;
}

static uint32_t add_record(const struct ja_ips *ips, const struct ja_piece *piece,
                           struct ja_parse *parse, uint32_t stamp)
{
    struct ja_evidence *evidence = parse->evidence;
    uint32_t system = ja_add_system(evidence);
    evidence->systems[system].os = evidence->os;
    const char *key;
    size_t length;
    int line;
    struct ja_slice slice;
    if (field(piece, "CrashReporter Key:", &key, &length, &line) && length)
        evidence->systems[system].host_key = ja_arena_copy(evidence->arena, key, length);
    else if (ja_ips_find(ips->body.text, ips->body.length, "crashReporterKey", &slice, NULL))
        evidence->systems[system].host_key = ja_ips_text(&slice, evidence->arena);
    uint32_t record = ja_add_record(evidence, JA_KIND_RESET_COUNTER, stamp);
    evidence->records[record].system = system;
    return record;
}

extern const struct ja_parser ja_parser_jetsam;

static void memory_reset(const struct ja_ips *ips, struct ja_parse *parse, uint32_t record,
                         uint32_t stamp)
{
    struct ja_evidence *evidence = parse->evidence;
    uint32_t place = ja_add_place_json(evidence, "/eventReason", -1, -1, NULL);
    struct ja_event_seen *event = ja_add_event(evidence, JA_EVENT_RESET, record, stamp, place);
    struct ja_slice why;
    event->reason = "system memory reset";
    if (ja_ips_find(ips->body.text, ips->body.length, "eventReason", &why, NULL))
        event->detail = ja_ips_text(&why, evidence->arena);
}

static void parse_counter(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_evidence *evidence = parse->evidence;
    struct ja_ips ips;
    ja_ips_of(piece, &ips);
    ja_set_kind(evidence, JA_KIND_RESET_COUNTER);
    ja_ips_apply(&ips, parse);
    const char *text;
    size_t length;
    int line = 0;
    if (evidence->written == JA_NONE && field(piece, "Date:", &text, &length, &line)) {
        struct ja_slice date = {text, length};
        evidence->written = ja_ips_stamp(&date, "Date", parse);
    }
    uint32_t stamp = ja_panic_not_after(evidence, JA_NONE);
    evidence->captured = stamp;
    uint32_t record = add_record(&ips, piece, parse, stamp);
    if (ja_ips_is(&ips, "301")) {
        memory_reset(&ips, parse, record, stamp);
        if (ja_text_find(piece->text, piece->length, "\"rpages\"") < piece->length)
            ja_parser_jetsam.parse(piece, parse);
        else
            ja_set_status(evidence, JA_STATUS_EVENT_ONLY, "a reset for lack of memory");
        return;
    }
    ja_set_status(evidence, JA_STATUS_EVENT_ONLY, "a count of resets");
    int64_t count;
    if (field(piece, "Reset count:", &text, &length, &line)) {
        struct ja_scan scan = ja_scan_of(text, length);
        if (ja_scan_u63(&scan, &count) && count == 0)
            return;
    }
    if (!field(piece, "Boot faults:", &text, &length, &line))
        length = 0;
    const char *faults = length ? ja_arena_copy(evidence->arena, text, length) : NULL;
    uint32_t place = ja_add_place_line(evidence, line);
    bool button = faults && strstr(faults, "btn_rst");
    struct ja_event_seen *event = ja_add_event(
        evidence, button ? JA_EVENT_FORCE_RESET : JA_EVENT_RESET, record, stamp, place);
    event->reason = button                             ? "button"
                    : faults && strstr(faults, "wdog") ? "hardware watchdog"
                                                       : NULL;
    event->detail = faults ? faults : "no boot fault recorded";
    ja_add_fact(evidence, record, JA_FACT_BOOT_FAULTS, JA_UNKNOWN, faults ? faults : "", place);
}

const struct ja_parser ja_parser_reset_counter = {
    .name = "reset_counter",
    .reads = "reset counters and system memory resets (bug_type 115, 301)",
    .whole = true,
    .bid = bid,
    .parse = parse_counter,
};
