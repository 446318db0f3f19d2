/* SPDX-License-Identifier: MIT
 *
 * Apple's vmmap(1), full and -summary, live and from a memgraph. Seen: formats 2.0 (10.5) to 2.4
 * (10.12 to 26.5), macOS 27, -resident, -interleaved, -pages, a device's memgraph, the region
 * summary of crash reports, whole, cut, pasted.
 *
 *     Process:         Finder [640]
 *     Date/Time:       2026-08-12 11:17:27.100 -0300
 *     Physical footprint:         135.3M
 *     ----
 *                                     VIRTUAL RESIDENT    DIRTY  SWAPPED VOLATILE   NONVOL ...
 *     REGION TYPE                        SIZE     SIZE     SIZE     SIZE     SIZE     SIZE ...
 *     ===========                     ======= ========    =====  ======= ========   ====== ...
 *     MALLOC_SMALL                     488.0M    46.0M    46.0M   121.0M       0K       0K ...
 *
 * Becomes: the header's point (apple_header.h); a `category` reading a region type, DIRTY +
 * SWAPPED with both roundings, under its name up to macOS 26; graphics share; live and retained
 * bytes of each malloc zone as facts. With -pages bare numbers are pages. A figure of 2^60 bytes
 * and more is a difference that ran below zero: dropped, said.
 * Left out: single regions, VIRTUAL and RESIDENT (not charged; formats up to 2.3 have nothing
 * else, so they give no footprint), VOLATILE, NONVOL and EMPTY (parts of the others), TOTAL.
 */
#include "parsers/vmmap.h"

#include <string.h>

#include "parsers/apple_header.h"
#include "parsers/scan.h"

static const char tool[] = "vmmap";

static const char *const marks[] = {"Virtual Memory Map of process",
                                    "ReadOnly portion of Libraries",
                                    "==== Summary for process",
                                    "==== Non-writable regions for process",
                                    "==== Writable regions for process",
                                    "==== regions for process",
                                    "REGION TYPE",
                                    "MALLOC ZONE",
                                    "VM Region Summary:",
                                    NULL};

static bool begins(const char *line, size_t length)
{
    return ja_apple_header_begins(line, length);
}

static int bid(const struct ja_piece *piece)
{
    int sure = ja_apple_header_bid(piece, tool, marks);
    size_t at = 0;
    int number = 0;
    struct ja_line line;
    for (int i = 0; !sure && i < 60 && ja_dump_line(piece, &at, &number, &line); i++) {
        /* A header whose tool nobody names, a lone model line of a memgraph, rows without titles */
        if (ja_text_begins(line.text, line.length, "Physical footprint:") ||
            ja_text_begins(line.text, line.length, "Hardware Model:"))
            sure = 55;
        if (ja_text_ends(line.text, line.length, "see MALLOC ZONE table below"))
            sure = 60;
    }
    return sure ? sure : ja_tool_error_find(piece, tool, &line) ? 55 : 0;
}

/* "Virtual Memory Map of process 45624 (python)" and the "====" titles name the process when the
 * header was cut off. */
static void take_process(const struct ja_line *line, struct ja_arena *arena,
                         struct ja_apple_header *header)
{
    static const char mark[] = " process ";
    size_t at = ja_text_find(line->text, line->length, mark);
    int64_t pid;
    if (header->pid != JA_UNKNOWN || at == line->length)
        return;
    struct ja_scan scan =
        ja_scan_of(line->text + at + sizeof mark - 1, line->length - at - (sizeof mark - 1));
    if (!ja_scan_u63(&scan, &pid) || pid > INT32_MAX)
        return;
    header->pid = pid;
    if (header->line == 0)
        header->line = line->number;
    if (ja_scan_text(&scan, " (") && scan.length > scan.at + 1 &&
        scan.text[scan.length - 1] == ')' && !header->name)
        header->name = ja_arena_copy(arena, scan.text + scan.at, scan.length - scan.at - 1);
}

/* Looks ahead for what the header does not hold: the process, the page size. */
static void look_ahead(const struct ja_piece *piece, struct ja_parse *parse,
                       struct ja_apple_header *header, int64_t *page_bytes)
{
    static const char page[] = "VM page size:";
    size_t at = header->end;
    int number = header->end_line;
    struct ja_line line;
    while (ja_dump_line(piece, &at, &number, &line)) {
        if (ja_text_begins(line.text, line.length, "Virtual Memory Map of") ||
            ja_text_begins(line.text, line.length, "==== "))
            take_process(&line, parse->scratch, header);
        if (!ja_text_begins(line.text, line.length, page))
            continue;
        struct ja_scan scan =
            ja_scan_of(line.text + sizeof page - 1, line.length - sizeof page + 1);
        ja_scan_blanks(&scan);
        int64_t bytes;
        if (ja_scan_u63(&scan, &bytes) && (bytes == 4096 || bytes == 16384))
            *page_bytes = bytes;
    }
}

/* "Writable regions: Total=... unallocated=16777216.0T(322554494976%)" */
static void check_underflow(struct ja_parse *parse, const struct ja_line *line)
{
    struct ja_scan scan = ja_scan_of(line->text, line->length);
    const char *word;
    size_t length;
    struct ja_quantity quantity;
    while (ja_scan_word(&scan, &word, &length)) {
        ja_scan_blanks(&scan);
        size_t from = ja_text_find(word, length, "=") + 1;
        if (from >= length)
            continue;
        size_t size = ja_text_find(word + from, length - from, "(");
        if (ja_vmmap_size(word + from, size, 1, &quantity) == JA_VMMAP_TOO_LARGE)
            ja_diagnose(parse->evidence, JA_WARNING, "underflow", line->number, NULL,
                        "%.*s is a difference that ran below zero, dropped", (int)(from + size),
                        word);
    }
}

/* A region row with bare numbers whose size is its address range in pages: vmmap -pages. */
static bool row_counts_pages(const struct ja_line *line, int64_t *page_bytes)
{
    size_t open = ja_text_find(line->text, line->length, "["), dash = open;
    uint64_t start, end;
    int64_t pages;
    while (dash > 0 && line->text[dash - 1] != '-')
        dash--;
    if (open == line->length || dash < 2)
        return false;
    size_t from = dash - 1;
    while (from > 0 && line->text[from - 1] != ' ' && line->text[from - 1] != '\t')
        from--;
    struct ja_scan low = ja_scan_of(line->text + from, dash - 1 - from);
    struct ja_scan high = ja_scan_of(line->text + dash, open - dash);
    struct ja_scan size = ja_scan_of(line->text + open + 1, line->length - open - 1);
    ja_scan_blanks(&size);
    if (!ja_scan_hex(&low, &start) || !ja_scan_end(&low) || !ja_scan_hex(&high, &end) ||
        !ja_scan_u63(&size, &pages) || end <= start || pages < 1)
        return false;
    uint64_t unit = (end - start) / (uint64_t)pages;
    if ((end - start) % (uint64_t)pages || (unit != 4096 && unit != 16384))
        return false;
    *page_bytes = (int64_t)unit;
    return true;
}

static void read_body(const struct ja_piece *piece, const struct ja_apple_header *header,
                      struct ja_vmmap_tables *tables)
{
    size_t at = header->end;
    int number = header->end_line;
    struct ja_line line;
    while (ja_dump_line(piece, &at, &number, &line)) {
        if (ja_text_begins(line.text, line.length, "ReadOnly portion of Libraries:") ||
            ja_text_begins(line.text, line.length, "Writable regions:")) {
            check_underflow(tables->parse, &line);
        } else if (ja_text_begins(line.text, line.length, "vmmap: terminated;")) {
            tables->cut = true;
            ja_diagnose(tables->parse->evidence, JA_ERROR, "cut-dump", line.number, NULL,
                        "vmmap was stopped here: what it had written is kept");
        } else if (!ja_vmmap_table_line(tables, &line)) {
            tables->single_regions |=
                ja_text_begins(line.text, line.length, "==== ") &&
                ja_text_find(line.text, line.length, "egions for process") < line.length;
            tables->pages = tables->pages || row_counts_pages(&line, &tables->page_bytes);
        }
    }
}

static void settle(const struct ja_vmmap_tables *tables, const struct ja_apple_header *header)
{
    struct ja_evidence *evidence = tables->parse->evidence;
    bool anything = header->footprint.printed_length || tables->readings || tables->zones;
    if (tables->graphics_bytes)
        ja_dump_fact(tables->parse, tables->subject, JA_FACT_GRAPHICS_BYTES, tables->graphics_bytes,
                     NULL, evidence->subjects[tables->subject].place);
    if (tables->cut)
        ja_set_status(evidence, JA_STATUS_DAMAGED, "vmmap table cut off");
    else if (tables->elided || tables->rows_only || (tables->rows && !tables->total_seen) ||
             (tables->single_regions && !tables->regions_seen))
        ja_set_status(evidence, JA_STATUS_PARTLY, "parts of a vmmap dump are missing");
    else if (anything)
        ja_set_status(evidence, JA_STATUS_USED, NULL);
    else
        ja_set_status(evidence, JA_STATUS_NO_MEMORY_CONTENT,
                      "this form of vmmap prints address space only, no footprint");
    /* The region summary of a crash report names nobody and measures nothing. */
    if (!anything && !header->name && header->pid == JA_UNKNOWN)
        ja_dump_forget_subject(evidence);
}

static void parse_dump(const struct ja_piece *piece, struct ja_parse *parse,
                       struct ja_apple_header *header)
{
    struct ja_vmmap_tables tables = {.piece = piece,
                                     .parse = parse,
                                     .page_bytes = JA_UNKNOWN,
                                     .usual_page_bytes = header->page_bytes};
    look_ahead(piece, parse, header, &tables.page_bytes);
    tables.subject = ja_apple_header_add(piece, parse, JA_KIND_VMMAP, header);
    read_body(piece, header, &tables);
    struct ja_system *system = ja_dump_system(parse);
    if (tables.page_bytes != JA_UNKNOWN && system->page_bytes == JA_UNKNOWN)
        system->page_bytes = tables.page_bytes;
    settle(&tables, header);
}

static void parse_piece(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_apple_header header;
    struct ja_line line;
    ja_apple_header_read(piece, parse, &header);
    bool said = header.name || header.footprint.printed_length;
    if (!said && ja_tool_error_find(piece, tool, &line)) {
        ja_tool_error_note(piece, parse, JA_KIND_VMMAP, &line);
        return;
    }
    if (!said && header.model && header.end >= piece->length) {
        /* The first line of a device's memgraph; the rest of its header is the next piece. */
        struct ja_system *system = ja_dump_system(parse);
        system->model = ja_arena_string(parse->evidence->arena, header.model);
        return;
    }
    parse_dump(piece, parse, &header);
}

const struct ja_parser ja_parser_vmmap = {
    .name = "vmmap",
    .reads = "vmmap(1) full and -summary, formats 2.0 to 2.4, Mac OS X 10.5 to macOS 27, memgraphs",
    .begins = begins,
    .bid = bid,
    .parse = parse_piece,
};
