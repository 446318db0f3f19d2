/* SPDX-License-Identifier: MIT
 *
 * What stands around a kernel's message in logs that were carried on: prefixes that oom_line.c's
 * clocks do not tell, and journals whose entries are several lines.
 *
 *   4,1201,85494694,-;msg                               /dev/kmsg: level, number, microseconds
 *   <4>1 2026-07-16T18:17:14.012345Z brain kernel - - - msg       RFC 5424
 *   2026-07-16T18:17:14.012345678Z stderr F msg         log of a container (CRI)
 *   [Jul16 18:17] msg, and below it [  +0.000007] msg   dmesg -H: deltas within that minute
 *
 *   __REALTIME_TIMESTAMP=1784225834012345               journalctl -o export: a field a line,
 *   _HOSTNAME=brain                                     an empty line between entries
 *   MESSAGE=msg
 *
 *   Thu 2026-07-16 18:17:14.012345 UTC [s=9f;i=1c]      journalctl -o verbose
 *       _HOSTNAME=brain
 *       MESSAGE=msg
 *
 * Other fields of a journal are left out.
 */
#include "parsers/oom.h"

#include <string.h>

#include "parsers/scan.h"
#include "parsers/stamp.h"

#define MOST_US INT64_C(4000000000000000)

void oom_scan_kmsg(struct ja_scan *scan, int64_t *ret_ns)
{
    struct ja_scan at = *scan;
    int64_t level = 0, number = 0, us = 0;
    if (!ja_scan_u63(&at, &level) || !ja_scan_char(&at, ',') || !ja_scan_u63(&at, &number) ||
        !ja_scan_char(&at, ',') || !ja_scan_u63(&at, &us) || !ja_scan_char(&at, ',') ||
        us > MOST_US)
        return;
    while (at.at < at.length && at.text[at.at] > ' ' && at.text[at.at] != ';')
        at.at++; /* "-", "c", "-,caller=T1066" */
    if (!ja_scan_char(&at, ';'))
        return;
    *ret_ns = us * JA_NS_PER_US;
    *scan = at;
}

void oom_scan_container(struct ja_scan *scan)
{
    struct ja_scan at = *scan;
    ja_scan_blanks(&at);
    if (!ja_scan_text(&at, "stdout ") && !ja_scan_text(&at, "stderr "))
        return;
    if (ja_scan_text(&at, "F ") || ja_scan_text(&at, "P "))
        *scan = at;
}

/* "[id key=\"value\"]" once or more, or "-". */
static bool structured_data(struct ja_scan *scan)
{
    if (ja_scan_char(scan, '-'))
        return true;
    if (scan->at >= scan->length || scan->text[scan->at] != '[')
        return false;
    while (ja_scan_char(scan, '[')) {
        while (scan->at < scan->length && scan->text[scan->at] != ']')
            scan->at += scan->text[scan->at] == '\\' ? 2 : 1;
        if (!ja_scan_char(scan, ']'))
            return false;
    }
    return true;
}

bool oom_scan_rfc5424(struct ja_scan *scan, struct oom_line *ret)
{
    struct ja_scan at = *scan;
    struct oom_text words[4]; /* host, program, its pid, id of the message */
    for (size_t i = 0; i < 4; i++) {
        ja_scan_blanks(&at);
        if (!ja_scan_word(&at, &words[i].text, &words[i].length))
            return false;
    }
    ja_scan_blanks(&at);
    if (!structured_data(&at))
        return false;
    if (!ja_text_is(words[0].text, words[0].length, "-"))
        ret->host = words[0];
    if (!ja_text_is(words[1].text, words[1].length, "-"))
        ret->tag = words[1];
    *scan = at;
    return true;
}

/* "[Jul16 18:17]" at the cursor: local time, no year, a minute. */
static bool scan_minute(struct ja_scan *scan, struct ja_arena *arena, struct ja_stamp *ret)
{
    struct ja_scan at = *scan;
    if (!ja_scan_char(&at, '[') || at.length - at.at < 12 || at.text[at.at + 8] != ':' ||
        at.text[at.at + 11] != ']')
        return false;
    const char *text = at.text + at.at;
    const char *whole = ja_arena_print(arena, "%.3s %.2s %.5s:00", text, text + 3, text + 6);
    if (!ja_stamp_exact(whole, strlen(whole), arena, ret))
        return false;
    ret->step_ns = 60 * JA_NS_PER_S;
    ret->text = ja_arena_copy(arena, text, 11);
    at.at += 12;
    *scan = at;
    return true;
}

/* "[  +0.000007]" at the cursor. */
static bool scan_delta(struct ja_scan *scan)
{
    struct ja_scan at = *scan;
    int64_t number = 0;
    if (!ja_scan_char(&at, '['))
        return false;
    ja_scan_blanks(&at);
    if (!ja_scan_char(&at, '+') || !ja_scan_u63(&at, &number) || !ja_scan_char(&at, '.') ||
        !ja_scan_u63(&at, &number) || !ja_scan_char(&at, ']'))
        return false;
    *scan = at;
    return true;
}

static bool minute_line(struct oom_frame *frame, const struct ja_line *line, struct ja_arena *arena,
                        struct oom_line *ret)
{
    struct ja_scan scan = ja_scan_of(line->text, line->length);
    if (!scan_minute(&scan, arena, &frame->minute) && !scan_delta(&scan))
        return false;
    *ret = (struct oom_line){
        .stamp = frame->minute,
        .since_boot_ns = JA_UNKNOWN,
        .message = oom_trim(scan.text + scan.at, scan.length - scan.at),
        .number = line->number,
    };
    return true;
}

/* Text behind "KEY=" at the line's beginning; NULL. */
static struct oom_text field(struct oom_text line, const char *key)
{
    return oom_begins(line, key) ? oom_after(line, "=") : (struct oom_text){NULL, 0};
}

/* The first line of an entry: its moment. */
static bool entry_begins(struct oom_frame *frame, struct oom_text line, struct ja_arena *arena)
{
    struct ja_stamp stamp = {.clock = JA_CLOCK_STAMP};
    struct oom_text clock = field(line, "__REALTIME_TIMESTAMP=");
    size_t used = 0;
    if (clock.text) {
        int64_t us = oom_number_after(line, "=");
        if (us == JA_UNKNOWN || us > INT64_C(7000000000000000))
            return false;
        stamp.parts = JA_STAMP_UNIX;
        stamp.unix_ns = us * JA_NS_PER_US;
        stamp.step_ns = JA_NS_PER_US;
        stamp.text = ja_arena_copy(arena, clock.text, clock.length);
    } else if (!oom_has(line, " [s=") ||
               !ja_stamp_prefix(line.text, line.length, arena, &stamp, &used)) {
        return false;
    }
    frame->entries = true;
    frame->entry.stamp = stamp;
    frame->entry.tag = (struct oom_text){NULL, 0};
    return true;
}

bool oom_frame_line(struct oom_frame *frame, const struct ja_line *line, struct ja_arena *arena,
                    struct oom_line *ret)
{
    struct oom_text text = oom_trim(line->text, line->length), value;
    ret->message = (struct oom_text){NULL, 0};
    if (text.length && text.text[0] == '[' && minute_line(frame, line, arena, ret))
        return true;
    if (entry_begins(frame, text, arena))
        return true;
    if (!frame->entries)
        return false;
    if ((value = field(text, "_HOSTNAME=")).text)
        frame->entry.host = value;
    else if ((value = field(text, "SYSLOG_IDENTIFIER=")).text)
        frame->entry.tag = value;
    else if ((value = field(text, "MESSAGE=")).text) {
        *ret = frame->entry;
        ret->since_boot_ns = JA_UNKNOWN;
        ret->number = line->number;
        ret->message = oom_trim(value.text, value.length);
    }
    return true;
}

void oom_frame_init(struct oom_frame *frame, const struct ja_piece *piece)
{
    struct oom_text text = {piece->text, piece->length};
    *frame = (struct oom_frame){.entries = false};
    if (!oom_has(text, "__REALTIME_TIMESTAMP=") && !oom_has(text, " [s="))
        return;
    /* The host of an entry may stand below its message. */
    struct oom_text host = oom_after(text, "_HOSTNAME=");
    if (host.text)
        host = oom_word(host, "\r\n");
    frame->entry.host = host;
}
