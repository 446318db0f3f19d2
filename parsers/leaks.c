/* SPDX-License-Identifier: MIT
 *
 * Apple's leaks(1). Seen: macOS 15.5 and 26.5.1, a process that may not be debugged among them.
 *
 *     Process 67949: 186 nodes malloced for 14 KB
 *     Process 67949: 0 leaks for 0 total leaked bytes.
 *
 * Becomes: the header's point (apple_header.h); bytes malloced as fact live, bytes leaked as fact
 * leaks_bytes. Memory that the program can still reach is no leak to this tool, so zero leaks is
 * no proof against growth. Left out: single leaks and their stacks.
 */
#include "parsers/apple_header.h"
#include "parsers/scan.h"

static const char tool[] = "leaks";
static const char *const marks[] = {"leaks Report Version", NULL};

static bool begins(const char *line, size_t length)
{
    return ja_apple_header_begins(line, length);
}

struct statement {
    int64_t pid;
    int64_t value; /* bytes */
    enum ja_fact_key key;
};

/* "Process 67949: 186 nodes malloced for 14 KB", "Process 67949: 0 leaks for 0 total ..." */
static bool read_statement(const struct ja_line *line, struct statement *ret)
{
    struct ja_scan scan = ja_scan_of(line->text, line->length);
    struct statement found;
    int64_t count;
    if (!ja_scan_text(&scan, "Process ") || !ja_scan_u63(&scan, &found.pid) ||
        found.pid > INT32_MAX || !ja_scan_text(&scan, ": ") || !ja_scan_u63(&scan, &count))
        return false;
    bool malloced = ja_scan_text(&scan, " nodes malloced for ");
    if (!malloced && !ja_scan_text(&scan, " leaks for ") && !ja_scan_text(&scan, " leak for "))
        return false;
    if (!ja_scan_u63(&scan, &found.value))
        return false;
    found.key = malloced ? JA_FACT_LIVE : JA_FACT_LEAKS_BYTES;
    if (!ja_scan_text(&scan, malloced ? " KB" : " total leaked byte"))
        return false;
    if (!ja_multiply(found.value, malloced ? JA_KIB : 1, &found.value))
        return false;
    *ret = found;
    return true;
}

static int bid(const struct ja_piece *piece)
{
    int sure = ja_apple_header_bid(piece, tool, marks);
    struct statement statement;
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    for (int i = 0; !sure && i < 60 && ja_dump_line(piece, &at, &number, &line); i++)
        if (read_statement(&line, &statement))
            sure = 70;
    return sure ? sure : ja_tool_error_find(piece, tool, &line) ? 55 : 0;
}

static void parse_piece(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_apple_header header;
    struct statement statement;
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    ja_apple_header_read(piece, parse, &header);
    while (header.pid == JA_UNKNOWN && ja_dump_line(piece, &at, &number, &line))
        if (read_statement(&line, &statement))
            header.pid = statement.pid;
    if (header.pid == JA_UNKNOWN && ja_tool_error_find(piece, tool, &line)) {
        ja_tool_error_note(piece, parse, JA_KIND_LEAKS, &line);
        return;
    }
    uint32_t subject = ja_apple_header_add(piece, parse, JA_KIND_LEAKS, &header);
    bool read = header.footprint.printed_length;
    at = 0;
    while (ja_dump_line(piece, &at, &number, &line)) {
        if (!read_statement(&line, &statement) || statement.pid != header.pid)
            continue;
        const char *text = statement.key == JA_FACT_LIVE ? "all zones" : NULL;
        ja_dump_fact(parse, subject, statement.key, statement.value, text,
                     ja_add_place_line(parse->evidence, line.number));
        read = true;
    }
    if (read)
        ja_set_status(parse->evidence, JA_STATUS_USED, NULL);
    else
        ja_set_status(parse->evidence, JA_STATUS_PARTLY, "leaks output without its result");
}

const struct ja_parser ja_parser_leaks = {
    .name = "leaks",
    .reads = "leaks(1) with its header, macOS 10.13 to 26.5",
    .begins = begins,
    .bid = bid,
    .parse = parse_piece,
};
