/* SPDX-License-Identifier: MIT
 *
 * Apple's heap(1). Seen: macOS 26.5 with its header, and with -s (sizes).
 *
 *     Process 14047: 6 zones
 *     All zones: 202503 nodes (47995927 bytes)
 *     All zones: 430307 nodes malloced - Sizes: 525392KB[4] 512KB[1] 272KB[1] ...
 *
 * Becomes: the header's point (apple_header.h), and the live bytes of all zones as metric heap:
 * what the program holds, not its footprint. The list of sizes is added up where it is whole.
 * Left out: classes, single zones.
 */
#include <string.h>

#include "parsers/apple_header.h"
#include "parsers/apple_size.h"
#include "parsers/scan.h"

static const char tool[] = "heap";
static const char *const marks[] = {"All zones:", NULL};

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

/* "525392KB[4] 512KB[1]": the sum of size x count; false when the list was cut with "...". */
static bool sum_sizes(struct ja_scan *scan, struct ja_quantity *ret)
{
    struct ja_quantity sum = {.resolution = 1, .rounding = JA_ROUNDING_EXACT};
    bool any = false;
    for (ja_scan_blanks(scan); !ja_scan_end(scan); ja_scan_blanks(scan)) {
        struct ja_quantity size;
        int64_t count;
        const char *word;
        size_t length;
        if (!ja_scan_word(scan, &word, &length))
            return false;
        size_t open = ja_text_find(word, length, "[");
        struct ja_scan number = ja_scan_of(word, open), times = ja_scan_of(word, length);
        times.at = open;
        if (!ja_scan_size(&number, &size) || !ja_scan_end(&number) || !ja_scan_char(&times, '[') ||
            !ja_scan_u63(&times, &count) || !ja_scan_char(&times, ']') || !ja_scan_end(&times) ||
            !ja_multiply(size.value, count, &size.value) ||
            !ja_multiply(size.resolution, count, &size.resolution))
            return false;
        sum = ja_quantity_sum(sum, size);
        any = true;
    }
    *ret = sum;
    return any;
}

static bool read_total(const struct ja_line *line, struct ja_quantity *ret)
{
    struct ja_scan scan = ja_scan_of(line->text, line->length);
    int64_t nodes, bytes;
    if (!ja_scan_text(&scan, "All zones:"))
        return false;
    ja_scan_blanks(&scan);
    if (!ja_scan_u63(&scan, &nodes))
        return false;
    if (ja_scan_text(&scan, " nodes malloced - Sizes:"))
        return sum_sizes(&scan, ret);
    if (!ja_scan_text(&scan, " nodes (") || !ja_scan_u63(&scan, &bytes) ||
        !ja_scan_text(&scan, " bytes)") || bytes > JA_LARGEST_BYTES)
        return false;
    *ret = (struct ja_quantity){bytes, 1, JA_ROUNDING_EXACT};
    return true;
}

/* A line end follows. */
static bool ended(const struct ja_piece *piece, const struct ja_line *line)
{
    const char *end = line->text + line->length;
    return memchr(end, '\n', (size_t)(piece->text + piece->length - end)) != NULL;
}

static void parse_piece(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_apple_header header;
    struct ja_line line;
    ja_apple_header_read(piece, parse, &header);
    if (!header.name && ja_tool_error_find(piece, tool, &line)) {
        ja_tool_error_note(piece, parse, JA_KIND_HEAP, &line);
        return;
    }
    uint32_t subject = ja_apple_header_add(piece, parse, JA_KIND_HEAP, &header);
    bool read = header.footprint.printed_length;
    size_t at = header.end;
    int number = header.end_line;
    while (ja_dump_line(piece, &at, &number, &line)) {
        struct ja_dump_value value = {.metric = JA_METRIC_HEAP};
        bool list = line.length && line.text[line.length - 1] == ']';
        if ((list && !ended(piece, &line)) || !read_total(&line, &value.quantity))
            continue; /* a list of sizes at the very end of a text may go on */
        value.place = ja_add_place_line(parse->evidence, line.number);
        read |= ja_dump_reading(parse, subject, &value);
    }
    if (!read && !header.name)
        ja_dump_forget_subject(parse->evidence); /* nobody named, nothing measured */
    if (read)
        ja_set_status(parse->evidence, JA_STATUS_USED, NULL);
    else
        ja_set_status(parse->evidence, JA_STATUS_PARTLY, "heap output without its total");
}

const struct ja_parser ja_parser_heap = {
    .name = "heap",
    .reads = "heap(1) with its header, also -s, macOS 10.13 to 26.5",
    .begins = begins,
    .bid = bid,
    .parse = parse_piece,
};
