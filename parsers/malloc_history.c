/* SPDX-License-Identifier: MIT
 *
 * Apple's malloc_history(1): which code allocated what. No saved sample of the tool was at hand;
 * its header is the one that vmmap, leaks, heap and sample print.
 *
 *     Process:         node [62539]
 *     Analysis Tool:   /usr/bin/malloc_history
 *     Physical footprint:         8.3G
 *
 * Becomes: the header's point (apple_header.h). Left out: allocations and their stacks.
 */
#include "parsers/apple_header.h"

static const char tool[] = "malloc_history";
static const char *const marks[] = {"malloc_history Report Version", NULL};

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
        ja_tool_error_note(piece, parse, JA_KIND_MALLOC_HISTORY, &line);
        return;
    }
    ja_set_kind(parse->evidence, JA_KIND_MALLOC_HISTORY);
    if (!header.name)
        return; /* lines above or below a header that is another piece */
    ja_apple_header_add(piece, parse, JA_KIND_MALLOC_HISTORY, &header);
    if (header.footprint.printed_length)
        ja_set_status(parse->evidence, JA_STATUS_USED, NULL);
    else
        ja_set_status(parse->evidence, JA_STATUS_NO_MEMORY_CONTENT,
                      "header of malloc_history without a footprint");
}

const struct ja_parser ja_parser_malloc_history = {
    .name = "malloc_history",
    .reads = "malloc_history(1): the footprint in its header",
    .begins = begins,
    .bid = bid,
    .parse = parse_piece,
};
