/* SPDX-License-Identifier: MIT
 *
 * Apple's sample(1). Seen: Mac OS X 10.14 and macOS 26.5.1.
 *
 *     Analysis of sampling node (pid 62539) every 1 millisecond
 *     Process:         node [62539]
 *     Physical footprint:         8.3G
 *
 * Becomes: the header's point (apple_header.h). Left out: the call graph, it holds no memory.
 */
#include "parsers/apple_header.h"

static const char tool[] = "sample";
static const char *const marks[] = {"Analysis of sampling", "Sampling process",
                                    "Call graph:", NULL};

static bool begins(const char *line, size_t length)
{
    return ja_apple_header_begins(line, length);
}

static int bid(const struct ja_piece *piece)
{
    struct ja_line line;
    int sure = ja_apple_header_bid(piece, tool, marks);
    return sure ? sure : ja_tool_error_find(piece, tool, &line) ? 55 : 0;
}

static void parse_piece(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_apple_header header;
    struct ja_line line;
    ja_apple_header_read(piece, parse, &header);
    if (!header.name && ja_tool_error_find(piece, tool, &line)) {
        ja_tool_error_note(piece, parse, JA_KIND_SAMPLE, &line);
        return;
    }
    ja_set_kind(parse->evidence, JA_KIND_SAMPLE);
    if (!header.name)
        return; /* lines above or below a header that is another piece */
    ja_apple_header_add(piece, parse, JA_KIND_SAMPLE, &header);
    if (header.footprint.printed_length)
        ja_set_status(parse->evidence, JA_STATUS_USED, NULL);
    else
        ja_set_status(parse->evidence, JA_STATUS_NO_MEMORY_CONTENT,
                      "header of sample without a footprint");
}

const struct ja_parser ja_parser_sample = {
    .name = "sample",
    .reads = "sample(1): the footprint in its header, macOS 10.13 to 26.5",
    .begins = begins,
    .bid = bid,
    .parse = parse_piece,
};
