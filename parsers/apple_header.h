/* SPDX-License-Identifier: MIT
 *
 * The header that vmmap, leaks, heap, sample and malloc_history print alike: who, when, since when,
 * how large. A header from any of them is one point on the timeline:
 *
 *     Process:         node [62539]
 *     Date/Time:       2026-06-13 23:30:00.526 +0800
 *     Launch Time:     2026-06-13 23:02:42.324 +0800
 *     OS Version:      macOS 26.5.1 (25F80)
 *     Physical footprint:         8.3G
 *     Physical footprint (peak):  9.9G
 *     ----
 *
 * Seen from Mac OS X 10.10 (no Launch Time, no footprint) to macOS 27; footprint since 10.13. The
 * Date/Time of a memgraph is the moment of capture. Left out: load address, versions, idle exit.
 */
#ifndef JA_PARSERS_APPLE_HEADER_H
#define JA_PARSERS_APPLE_HEADER_H

#include "model/evidence.h"
#include "parsers/dump.h"

struct ja_apple_header {
    const char *name;                     /* of the process, in scratch; NULL: not said */
    int64_t pid;                          /* JA_UNKNOWN */
    int64_t parent_pid;                   /* JA_UNKNOWN */
    const char *os;                       /* "macOS 26.5.2 (25F84)"; NULL */
    const char *model;                    /* "iPhone7,1" of a device's memgraph; NULL */
    const char *path;                     /* of the binary; NULL */
    int64_t page_bytes;                   /* usual for its code type; JA_UNKNOWN */
    uint32_t at;                          /* stamp of Date/Time; JA_NONE */
    uint32_t launched;                    /* stamp of Launch Time; JA_NONE */
    int line;                             /* where it begins */
    size_t end;                           /* offset in the piece behind the header */
    int end_line;                         /* line count up to it, for going on with ja_dump_line */
    struct ja_dump_value footprint, peak; /* printed_length 0: not said */
};

/* True when a line begins such a header ("Process:         node [62539]", "Hardware Model: "). */
bool ja_apple_header_begins(const char *line, size_t length);

/* How sure a bid may be that the piece is this tool's: 90 when "Analysis Tool:" names it, 80 when
 * one of the marks (ended by NULL) begins a line, 0 otherwise; 0 also for crash and hang reports,
 * which begin alike. */
int ja_apple_header_bid(const struct ja_piece *piece, const char *tool, const char *const *marks);

/* Reads the header at the start of the piece; adds stamps and diagnostics only. A piece without
 * any line of a header gives an empty one. */
void ja_apple_header_read(const struct ja_piece *piece, struct ja_parse *parse,
                          struct ja_apple_header *ret);

/* Adds kind, record, subject and readings of a header; returns the subject's index. */
uint32_t ja_apple_header_add(const struct ja_piece *piece, struct ja_parse *parse,
                             enum ja_kind kind, const struct ja_apple_header *header);

#endif
