/* SPDX-License-Identifier: MIT
 *
 * Reports in DiagnosticReports that have no parser of their own: known by the type in their header
 * line and told in one line; none is an error.
 *   {"bug_type":"284","timestamp":"2026-04-20 18:00:00.00 +0100","os_version":"macOS 26.4.1 ..."}
 * Numbers and names: Apple's own table of report types (OSAnalytics): user faults, GPU restarts,
 * micro-stackshots, power and transparency logs, memory graphs, and types not known yet.
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

static const char *const transparency = "Apple's usage statistics: counts, no sizes, no times";
static const char *const graphics = "a restart of the GPU: no sizes";
static const char *const power = "a power or sampling log: no sizes";

static const struct report_type types[] = {
    {"308", JA_KIND_CRASH, "a fault that a process reported of itself: no sizes"},
    {"33", JA_KIND_ANALYTICS, transparency},
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

static bool is_number(const struct ja_slice *slice)
{
    struct ja_scan scan = ja_scan_of(slice->text, slice->length);
    int64_t n;
    return slice->text && ja_scan_u63(&scan, &n) && ja_scan_end(&scan);
}

static bool find_type(const struct ja_ips *ips, struct report_type *ret)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (ja_ips_is(ips, types[i].bug_type)) {
            *ret = types[i];
            return true;
        }
    }
    if (!ips->bug_type.text)
        return false;
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
    return find_type(&ips, &type) ? 60 : 0;
}

static void parse(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_ips ips;
    struct report_type type = {NULL, JA_KIND_FOREIGN, NULL};
    ja_ips_split(piece->text, piece->length, &ips);
    find_type(&ips, &type);
    ja_set_kind(parse->evidence, type.kind);
    ja_ips_apply(&ips, parse);
    if (parse->evidence->captured == JA_NONE)
        parse->evidence->captured = parse->evidence->written;
    ja_set_status(parse->evidence, JA_STATUS_NO_MEMORY_CONTENT, type.why);
}

const struct ja_parser ja_parser_neighbour = {
    .name = "neighbour",
    .reads = "recognises reports without a parser of their own: GPU, power, user faults ...",
    .whole = true,
    .bid = bid,
    .most = 60,
    .parse = parse,
};
