/* SPDX-License-Identifier: MIT
 *
 * memory_pressure: a Mac's page counts and the kernel's "free" percentage.
 * Seen: the full layout and -Q, macOS up to 26.
 *
 *     The system has 34359738368 (2097152 pages with a page size of 16384).
 *     ...
 *     Pages used by compressor: 680235
 *     System-wide memory free percentage: 46%
 *
 * The first number is installed RAM, "Pages free" is without speculative pages, "used by
 * compressor" (or "occupied by") is the RAM it takes, "stored in compressor" the original size of
 * what it holds. The percentage is kept as printed: it counts pages that could be compressed as
 * free, so it is no measure of safety. Left out: purged, page-ins and page-outs.
 */
#include "parsers/scan.h"
#include "parsers/side.h"

static const struct {
    const char *key;
    enum ja_figure figure;
    bool number; /* not pages of memory */
} keys[] = {
    {"Pages free", JA_FIGURE_FREE, false},
    {"Pages active", JA_FIGURE_ACTIVE, false},
    {"Pages inactive", JA_FIGURE_INACTIVE, false},
    {"Pages speculative", JA_FIGURE_SPECULATIVE, false},
    {"Pages throttled", JA_FIGURE_THROTTLED, false},
    {"Pages wired down", JA_FIGURE_WIRED, false},
    {"Pages purgeable", JA_FIGURE_PURGEABLE, false},
    {"Pages used by compressor", JA_FIGURE_COMPRESSOR, false},
    {"Pages occupied by compressor", JA_FIGURE_COMPRESSOR, false},
    {"Pages stored in compressor", JA_FIGURE_UNCOMPRESSED, false},
    {"Pages decompressed", JA_FIGURE_DECOMPRESSIONS, true},
    {"Pages compressed", JA_FIGURE_COMPRESSIONS, true},
    {"Swapouts", JA_FIGURE_SWAPOUTS, true},
    {"System-wide memory free percentage", JA_FIGURE_PERCENT_FREE, true},
};

static bool begins(const char *line, size_t length)
{
    ja_text_trim(&line, &length);
    return length > 16 && ja_text_begins(line, length, "The system has ") && line[15] >= '0' &&
           line[15] <= '9';
}

static int bid(const struct ja_piece *piece)
{
    struct ja_line line;
    size_t at = 0;
    int number = 0, best = 0;
    while (ja_piece_line(piece, &at, &number, &line)) {
        if (begins(line.text, line.length))
            return 92;
        struct ja_side_entry entry;
        if (ja_side_entry(&line, &entry) &&
            ja_text_is(entry.key, entry.key_length, "System-wide memory free percentage"))
            best = 70;
    }
    return best;
}

/* "The system has N (P pages with a page size of S)." or "... N bytes of physical memory." */
static void read_system(struct ja_parse *parse, uint32_t record, const struct ja_line *line)
{
    struct ja_scan scan = ja_scan_of(line->text, line->length);
    int64_t ram, pages, page_bytes;
    ja_scan_blanks(&scan);
    if (!ja_scan_text(&scan, "The system has ") || !ja_scan_u63(&scan, &ram))
        return;
    if (!ja_scan_end(&scan))
        ja_side_ram(parse, record, ram, line->number);
    if (!ja_scan_text(&scan, " ("))
        return;
    if (ja_scan_u63(&scan, &pages) && ja_scan_text(&scan, " pages with a page size of ") &&
        ja_scan_u63(&scan, &page_bytes) && ja_scan_char(&scan, ')') && page_bytes >= 1024 &&
        page_bytes <= 65536) {
        ja_side_system(parse)->page_bytes = page_bytes;
        return;
    }
    ja_diagnose(parse->evidence, JA_WARNING, "cut", line->number, NULL,
                "line cut off: no page size");
    ja_set_status(parse->evidence, JA_STATUS_DAMAGED, "cut off in a line");
}

static bool read_entry(struct ja_parse *parse, uint32_t record, const struct ja_line *line,
                       bool last)
{
    struct ja_side_entry entry;
    if (!ja_side_entry(line, &entry))
        return true;
    bool percent = ja_text_begins(entry.key, entry.key_length, "System-wide");
    bool uncut = !last || ja_text_find(line->text, line->length, "%") < line->length;
    if (percent && (entry.value > 100 || !uncut))
        return true;
    int64_t page_bytes = ja_side_system(parse)->page_bytes;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (!ja_text_is(entry.key, entry.key_length, keys[i].key))
            continue;
        if (keys[i].number)
            ja_side_figure(parse, record, keys[i].figure, entry.value, line->number);
        else if (page_bytes == JA_UNKNOWN)
            return false;
        else
            ja_side_pages(parse, record, keys[i].figure, entry.value, page_bytes, line->number);
    }
    return true;
}

static void parse(const struct ja_piece *piece, struct ja_parse *parse)
{
    uint32_t record = ja_side_record(piece, parse, JA_KIND_MEMORY_PRESSURE, piece->first_line);
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    bool sized = true;
    while (ja_piece_line(piece, &at, &number, &line)) {
        if (begins(line.text, line.length))
            read_system(parse, record, &line);
        else
            sized &= read_entry(parse, record, &line, at >= piece->length);
    }
    if (!sized)
        ja_diagnose(parse->evidence, JA_NOTE, "no-page-size", piece->first_line, NULL,
                    "no page size printed: page counts cannot be made bytes, left out");
}

const struct ja_parser ja_parser_memory_pressure = {
    .name = "memory_pressure",
    .reads = "memory_pressure, full and -Q (macOS up to 26)",
    .begins = begins,
    .bid = bid,
    .parse = parse,
};
