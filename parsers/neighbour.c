/* SPDX-License-Identifier: MIT
 *
 * The other reports that lie beside a Jetsam report in DiagnosticReports: known by the type in
 * their header line, or by their first lines, and told in one line; none is an error.
 *   {"bug_type":"228","timestamp":"2026-04-20 17:55:05.00 +0100","os_version":"macOS 26.4.1 ..."}
 *   Event:            hang
 * Numbers and names: Apple's own table of report types (OSAnalytics). What of them speaks of memory
 * has a parser of its own, which bids higher; this one takes what is left: spins and hangs, user
 * faults, GPU restarts, micro-stackshots, power and transparency logs, and types not known yet.
 * Read: type, OS, incident id, the header's time. Left out: all content.
 */
#include <string.h>

#include "parsers/ips.h"
#include "parsers/scan.h"

#define SEARCH_BYTES ((size_t)16 * 1024)

struct report_type {
    const char *bug_type;
    enum ja_kind kind;
    const char *why;
};

static const char *const no_sizes = "stacks of a process that did not answer: no sizes";
static const char *const crashed = "a crash that does not speak of memory";
static const char *const limits = "a limit of another resource, no sizes";
static const char *const transparency = "Apple's usage statistics: counts, no sizes, no times";
static const char *const graphics = "a restart of the GPU: no sizes";
static const char *const power = "a power or sampling log: no sizes";

static const struct report_type types[] = {
    {"11", JA_KIND_SPIN, no_sizes},
    {"12", JA_KIND_SPIN, no_sizes},
    {"207", JA_KIND_SPIN, no_sizes},
    {"222", JA_KIND_SPIN, no_sizes},
    {"223", JA_KIND_SPIN, no_sizes},
    {"228", JA_KIND_SPIN, no_sizes},
    {"310", JA_KIND_SPIN, no_sizes},
    {"328", JA_KIND_SPIN, no_sizes},
    {"9", JA_KIND_CRASH, crashed},
    {"109", JA_KIND_CRASH, crashed},
    {"308", JA_KIND_CRASH, "a fault that a process reported of itself: no sizes"},
    {"309", JA_KIND_CRASH, crashed},
    {"22", JA_KIND_RESOURCE_REPORT, limits},
    {"25", JA_KIND_RESOURCE_REPORT, limits},
    {"44", JA_KIND_RESOURCE_REPORT, limits},
    {"142", JA_KIND_RESOURCE_REPORT, limits},
    {"144", JA_KIND_RESOURCE_REPORT, limits},
    {"145", JA_KIND_RESOURCE_REPORT, limits},
    {"157", JA_KIND_RESOURCE_REPORT, limits},
    {"185", JA_KIND_RESOURCE_REPORT, limits},
    {"202", JA_KIND_RESOURCE_REPORT, limits},
    {"206", JA_KIND_RESOURCE_REPORT, limits},
    {"227", JA_KIND_RESOURCE_REPORT, limits},
    {"327", JA_KIND_RESOURCE_REPORT, limits},
    {"385", JA_KIND_RESOURCE_REPORT, limits},
    {"33", JA_KIND_ANALYTICS, transparency},
    {"211", JA_KIND_ANALYTICS, transparency},
    {"225", JA_KIND_ANALYTICS, transparency},
    {"226", JA_KIND_ANALYTICS, transparency},
    {"313", JA_KIND_ANALYTICS, transparency},
    {"21", JA_KIND_FOREIGN, graphics},
    {"184", JA_KIND_FOREIGN, graphics},
    {"284", JA_KIND_FOREIGN, graphics},
    {"23", JA_KIND_FOREIGN, power},
    {"120", JA_KIND_FOREIGN, power},
    {"174", JA_KIND_FOREIGN, power},
    {"178", JA_KIND_FOREIGN, power},
    {"220", JA_KIND_FOREIGN, power},
    {"230", JA_KIND_FOREIGN, power},
    {"278", JA_KIND_FOREIGN, power},
    {"31", JA_KIND_FOREIGN, "a report of the bridge processor"},
    {"83", JA_KIND_FOREIGN, "a report of the bridge processor"},
    {"152", JA_KIND_FOREIGN, "a memory snapshot of one process: read it with leaks, heap or vmmap"},
    {"154", JA_KIND_FOREIGN, "a memory graph of one process: read it with leaks, heap or vmmap"},
};

static bool has(const struct ja_piece *piece, const char *needle)
{
    size_t near = piece->length < SEARCH_BYTES ? piece->length : SEARCH_BYTES;
    return ja_text_find(piece->text, near, needle) < near;
}

/* "Label:   value" at the start of a line near the head of the file: the value's first word. */
static bool label_is(const struct ja_piece *piece, const char *label, const char *value)
{
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    while (number < 80 && ja_piece_line(piece, &at, &number, &line)) {
        struct ja_scan scan = ja_scan_of(line.text, line.length);
        if (!ja_scan_text(&scan, label) || !ja_scan_char(&scan, ':'))
            continue;
        ja_scan_blanks(&scan);
        if (ja_text_begins(line.text + scan.at, line.length - scan.at, value))
            return true;
    }
    return false;
}

/* Reports in plain text without a header line, by their first lines. */
static bool by_text(const struct ja_piece *piece, struct report_type *ret)
{
    if (label_is(piece, "Event", "hang") || label_is(piece, "Event", "spin") ||
        label_is(piece, "Event", "fastSPIN"))
        *ret = (struct report_type){NULL, JA_KIND_SPIN, no_sizes};
    else if (label_is(piece, "Event", "cpu usage") || label_is(piece, "Event", "disk writes") ||
             label_is(piece, "Event", "wakeups") ||
             (has(piece, "Exception Type:") && has(piece, " wakes in ")))
        *ret = (struct report_type){NULL, JA_KIND_RESOURCE_REPORT, limits};
    else if (has(piece, "Exception Type:") && (has(piece, "Thread 0") || has(piece, "Process:")))
        *ret = (struct report_type){NULL, JA_KIND_CRASH, crashed};
    else
        return false;
    return true;
}

static bool is_number(const struct ja_slice *slice)
{
    struct ja_scan scan = ja_scan_of(slice->text, slice->length);
    int64_t n;
    return slice->text && ja_scan_u63(&scan, &n) && ja_scan_end(&scan);
}

static bool find_type(const struct ja_piece *piece, const struct ja_ips *ips,
                      struct report_type *ret)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (ja_ips_is(ips, types[i].bug_type)) {
            *ret = types[i];
            return true;
        }
    }
    if (!ips->bug_type.text)
        return by_text(piece, ret);
    *ret = (struct report_type){NULL, JA_KIND_FOREIGN,
                                "a report of a type that is not known to speak of memory"};
    return is_number(&ips->bug_type) && ips->timestamp.text;
}

static int bid(const struct ja_piece *piece)
{
    struct ja_ips ips;
    struct report_type type;
    size_t near = piece->length < SEARCH_BYTES ? piece->length : SEARCH_BYTES;
    ja_ips_split(piece->text, near, &ips);
    return find_type(piece, &ips, &type) ? 60 : 0;
}

static void parse(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_ips ips;
    struct report_type type = {NULL, JA_KIND_FOREIGN, NULL};
    ja_ips_split(piece->text, piece->length, &ips);
    find_type(piece, &ips, &type);
    ja_set_kind(parse->evidence, type.kind);
    ja_ips_apply(&ips, parse);
    if (parse->evidence->captured == JA_NONE)
        parse->evidence->captured = parse->evidence->written;
    ja_set_status(parse->evidence, JA_STATUS_NO_MEMORY_CONTENT, type.why);
}

const struct ja_parser ja_parser_neighbour = {
    .name = "neighbour",
    .reads = "recognises spins, hangs, crashes, resource, GPU, power and analytics reports",
    .whole = true,
    .bid = bid,
    .parse = parse,
};
