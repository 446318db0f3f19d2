/* SPDX-License-Identifier: MIT
 *
 * One line of a kernel log or journal, taken apart: clock, host, tag, message. Prefixes seen:
 *
 *   [   85.494694] msg                                  dmesg: seconds since boot
 *   [   85.494694] [T1066] msg                          the same with the printing task
 *   [Wed Aug 26 17:40:51 2026] msg                      dmesg -T, in words of any locale
 *   May 15 23:09:27 hostC kernel: [  514.682838] msg    syslog, journal: no year, no zone
 *   2026-07-16T18:17:14-0300 brain kernel: msg          ISO syslog
 *   2026-07-16T18:17:14,012345-03:00 msg                dmesg --time-format iso: no host
 *   Jun 12 06:39:16: msg                                earlyoom on a terminal
 *   kern  :warn  : [   85.494694] msg                   dmesg -x: facility and level
 *   <4>[   85.494694] msg, and bare msg
 */
#include "parsers/oom.h"

#include <string.h>

#include "parsers/scan.h"
#include "parsers/stamp.h"

#define LONGEST_FILE_NAME 100
#define MOST_MARKS 16 /* of a file's name and a line's number, behind which a clock may stand */

struct oom_text oom_trim(const char *text, size_t length)
{
    ja_text_trim(&text, &length);
    return (struct oom_text){text, length};
}

bool oom_begins(struct oom_text text, const char *prefix)
{
    return ja_text_begins(text.text, text.length, prefix);
}

bool oom_has(struct oom_text text, const char *needle)
{
    return ja_text_find(text.text, text.length, needle) < text.length;
}

struct oom_text oom_after(struct oom_text text, const char *needle)
{
    size_t at = ja_text_find(text.text, text.length, needle);
    if (at >= text.length)
        return (struct oom_text){NULL, 0};
    at += strlen(needle);
    return (struct oom_text){text.text + at, text.length - at};
}

int64_t oom_number_after(struct oom_text text, const char *key)
{
    struct oom_text rest = oom_after(text, key);
    int64_t value = 0;
    if (!rest.text)
        return JA_UNKNOWN;
    struct ja_scan scan = ja_scan_of(rest.text, rest.length);
    ja_scan_blanks(&scan);
    return ja_scan_u63(&scan, &value) ? value : JA_UNKNOWN;
}

struct oom_text oom_word(struct oom_text text, const char *ends)
{
    size_t length = 0;
    while (length < text.length && !strchr(ends, text.text[length]))
        length++;
    return (struct oom_text){text.text, length};
}

/* " <    0.000007>" at the cursor. */
static void skip_delta(struct ja_scan *scan)
{
    struct ja_scan at = *scan;
    int64_t number = 0;
    ja_scan_blanks(&at);
    if (!ja_scan_char(&at, '<'))
        return;
    ja_scan_blanks(&at);
    if (ja_scan_u63(&at, &number) && ja_scan_char(&at, '.') && ja_scan_u63(&at, &number) &&
        ja_scan_char(&at, '>'))
        *scan = at;
}

/* "[   85.494694]" at the cursor: nanoseconds since boot. */
static bool scan_kernel_clock(struct ja_scan *scan, int64_t *ret_ns)
{
    struct ja_scan at = *scan;
    int64_t seconds = 0, fraction = 0;
    if (!ja_scan_char(&at, '['))
        return false;
    ja_scan_blanks(&at);
    if (!ja_scan_u63(&at, &seconds) || !ja_scan_char(&at, '.'))
        return false;
    size_t digits = at.at;
    if (!ja_scan_u63(&at, &fraction) || at.at - digits != 6)
        return false;
    skip_delta(&at);
    if (!ja_scan_char(&at, ']'))
        return false;
    if (seconds > INT64_C(4000000000))
        return false;
    *ret_ns = seconds * JA_NS_PER_S + fraction * JA_NS_PER_US;
    *scan = at;
    return true;
}

/* "[ T1066]" or "[    C0]": the task or CPU that printed. */
static void skip_printing_task(struct ja_scan *scan)
{
    struct ja_scan at = *scan;
    int64_t number = 0;
    ja_scan_blanks(&at);
    if (!ja_scan_char(&at, '['))
        return;
    ja_scan_blanks(&at);
    if (!ja_scan_char(&at, 'T') && !ja_scan_char(&at, 'C'))
        return;
    if (ja_scan_u63(&at, &number) && ja_scan_char(&at, ']'))
        *scan = at;
}

static bool is_tag_char(char c)
{
    return c > ' ' && c != ':' && c != '=' && c != '"' && c != '(';
}

/* Programs whose lines matter, or any with a pid: messages of the kernel hold a word and a colon
 * too ("Hardware name: ..."). */
static bool is_program(struct oom_text tag)
{
    return ja_text_is(tag.text, tag.length, "kernel") ||
           ja_text_begins(tag.text, tag.length, "earlyoom") ||
           ja_text_begins(tag.text, tag.length, "systemd-oomd") ||
           (tag.length > 2 && tag.text[tag.length - 1] == ']');
}

/* "host tag[pid]: " at the cursor; "kernel: " also without a host. */
static void scan_header(struct ja_scan *scan, bool host_stands, struct oom_line *ret)
{
    struct ja_scan at = *scan;
    struct oom_text host = {NULL, 0};
    ja_scan_blanks(&at);
    if (host_stands && !ja_text_begins(at.text + at.at, at.length - at.at, "kernel:")) {
        if (!ja_scan_word(&at, &host.text, &host.length))
            return;
        if (host.text[0] == '[' || host.text[host.length - 1] == ':')
            return;
        ja_scan_blanks(&at);
    }
    size_t begin = at.at;
    while (at.at < at.length && is_tag_char(at.text[at.at]))
        at.at++;
    struct oom_text tag = {at.text + begin, at.at - begin};
    if (tag.length == 0 || !ja_scan_char(&at, ':') || !is_program(tag))
        return;
    tag = oom_word(tag, "[");
    if (!host_stands && !ja_text_is(tag.text, tag.length, "kernel"))
        return;
    ret->host = host;
    ret->tag = tag;
    *scan = at;
}

/* The wall clock at the cursor and what names host and program behind it. */
static void scan_wall_clock(struct ja_scan *scan, bool rfc5424, struct ja_arena *arena,
                            struct oom_line *ret)
{
    struct ja_stamp stamp;
    size_t used = 0;
    const char *text = scan->text + scan->at;
    size_t length = scan->length - scan->at;
    if (length == 0 || !ja_stamp_prefix(text, length, arena, &stamp, &used) || used > length)
        return;
    bool bracket = text[0] == '[';
    scan->at += used;
    ret->stamp = stamp;
    oom_scan_container(scan);
    if (rfc5424 && oom_scan_rfc5424(scan, ret))
        return;
    bool colon = ja_scan_char(scan, ':') || (used > 0 && text[used - 1] == ':');
    if (!colon)
        scan_header(scan, !bracket, ret);
}

/* "<4>" of syslog, or "kern  :warn  : " of dmesg -x. */
static void skip_level(struct ja_scan *scan)
{
    struct ja_scan at = *scan;
    int64_t level = 0;
    if (ja_scan_char(&at, '<') && ja_scan_u63(&at, &level) && ja_scan_char(&at, '>')) {
        *scan = at;
        return;
    }
    at = *scan;
    if (!ja_scan_text(&at, "kern "))
        return;
    ja_scan_blanks(&at);
    if (!ja_scan_char(&at, ':'))
        return;
    while (at.at < at.length && at.text[at.at] >= 'a' && at.text[at.at] <= 'z')
        at.at++;
    ja_scan_blanks(&at);
    if (!ja_scan_char(&at, ':'))
        return;
    ja_scan_blanks(&at);
    *scan = at;
}

static void split(const struct ja_line *line, struct ja_arena *arena, struct oom_line *ret)
{
    struct ja_scan scan = ja_scan_of(line->text, line->length);
    memset(ret, 0, sizeof *ret);
    ret->number = line->number;
    ret->since_boot_ns = JA_UNKNOWN;
    skip_level(&scan);
    oom_scan_kmsg(&scan, &ret->since_boot_ns);
    bool rfc5424 = scan.at > 0 && ja_scan_text(&scan, "1 ");
    const struct ja_scan begin = scan;
    if (scan_kernel_clock(&scan, &ret->since_boot_ns)) {
        scan_header(&scan, true, ret);
        if (ret->tag.text && !ja_text_is(ret->tag.text, ret->tag.length, "kernel")) {
            /* a message that only looks like "host tag:" */
            scan = begin;
            ret->tag = ret->host = (struct oom_text){NULL, 0};
            (void)scan_kernel_clock(&scan, &ret->since_boot_ns);
        }
    } else if (!oom_is_row((struct oom_text){line->text, line->length})) {
        scan_wall_clock(&scan, rfc5424, arena, ret);
        ja_scan_blanks(&scan);
        (void)scan_kernel_clock(&scan, &ret->since_boot_ns);
    }
    if (ret->since_boot_ns != JA_UNKNOWN)
        skip_printing_task(&scan);
    if (ret->since_boot_ns != JA_UNKNOWN && ret->stamp.parts == 0) {
        ret->stamp.clock = JA_CLOCK_DERIVED;
        ret->stamp.parts = JA_STAMP_BOOT;
        ret->stamp.since_boot_ns = ret->since_boot_ns;
        ret->stamp.step_ns = JA_NS_PER_US;
    }
    ret->message = oom_trim(scan.text + scan.at, scan.length - scan.at);
}

bool oom_has_clock(const struct oom_line *line)
{
    return (line->stamp.parts & (JA_STAMP_TIME | JA_STAMP_UNIX)) ||
           line->since_boot_ns != JA_UNKNOWN;
}

/* A digit, the name of a month or day, a bracket. */
static bool may_begin_clock(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || c == '[' || c == '<';
}

/* grep puts the file's name and the line's number before a line, with ":", or "-" for lines around
 * a match: "/var/log/kern.log:1201:Jul 16 18:17:14 brain kernel: msg". */
static bool behind_grep(const struct ja_line *line, struct ja_arena *arena, struct oom_line *ret)
{
    int marks = 0;
    for (size_t i = 1; i < line->length && i < LONGEST_FILE_NAME && marks < MOST_MARKS; i++) {
        char c = line->text[i - 1];
        if (c == ' ' || c == '[' || c == '<' || c == '(')
            return false;
        if ((c != ':' && c != '-') || !may_begin_clock(line->text[i]))
            continue;
        marks++;
        struct ja_line rest = {line->text + i, line->length - i, line->number};
        split(&rest, arena, ret);
        if (oom_has_clock(ret))
            return true;
    }
    return false;
}

void oom_line_split(const struct ja_line *line, struct ja_arena *arena, struct oom_line *ret)
{
    struct oom_line behind;
    split(line, arena, ret);
    if (!oom_has_clock(ret) && behind_grep(line, arena, &behind))
        *ret = behind;
}
