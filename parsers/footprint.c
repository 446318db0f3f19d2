/* SPDX-License-Identifier: MIT
 *
 * Apple's footprint(1), text form. Seen: macOS 13 to 26.5, all of -f formatted, bytes, pages,
 * --swapped, --wired, --wide, -v, --noCategories, --sample, several processes in one call.
 *
 *     ======================================================================
 *     node [82023]: 64-bit    Footprint: 172 MB (16384 bytes per page)
 *     ======================================================================
 *
 *       Dirty      Clean  Reclaimable    Regions    Category
 *         ---        ---          ---        ---    ---
 *      118 MB        0 B          0 B        473    app-specific tag 16
 *         ---        ---          ---        ---    ---
 *      172 MB      43 MB        24 MB       3207    TOTAL
 *
 *     Auxiliary data:
 *         phys_footprint: 172 MB
 *         phys_footprint_peak: 180 MB
 *
 * Becomes: one record a block with the stamp of the piece (a plain dump holds no time itself);
 * phys_footprint (the kernel's ledger under "Auxiliary data", else the header's figure, which is
 * said); phys_footprint_peak; a `category` reading a row, Dirty (it holds Swapped already), named
 * as vmmap names it; graphics share as a fact; "Summary Footprint" (shared pages once) as a fact
 * of a record of its own, never a reading. The header's pid is believed, not the one asked for:
 * footprint -p of a pid that is gone matches names.
 * The ledger's line alone below a stamp (grep phys_footprint) is the file's process, named by it.
 * Left out: Clean and Reclaimable (not charged), Wired, Regions, region rows of -v, shared tables.
 * A row that ends early, or may, is dropped and said.
 */
#include "parsers/footprint.h"

#include <string.h>

#include "parsers/proc_record.h"
#include "parsers/scan.h"

static const char tool[] = "footprint";

static bool begins(const char *line, size_t length)
{
    struct ja_footprint_title title;
    return ja_footprint_title(line, length, &title);
}

static bool is_table_title(const struct ja_line *line)
{
    return ja_text_begins(line->text, line->length, "Dirty") &&
           ja_text_ends(line->text, line->length, "Category");
}

/* "Found process X [917] from partial name 4242": the block that follows is X's. */
static bool is_name_match(const struct ja_line *line)
{
    return ja_text_begins(line->text, line->length, "Found process ") &&
           ja_text_find(line->text, line->length, "from partial name") < line->length;
}

static int bid(const struct ja_piece *piece)
{
    size_t at = 0;
    int number = 0, sure = 0;
    struct ja_line line;
    struct ja_footprint_title title;
    for (int i = 0; i < 200 && ja_dump_line(piece, &at, &number, &line); i++) {
        if (ja_footprint_title(line.text, line.length, &title))
            return 95;
        if (is_table_title(&line) || ja_text_begins(line.text, line.length, "phys_footprint:"))
            sure = 60;
        else if (!sure && is_name_match(&line))
            sure = 40;
    }
    return sure ? sure : ja_tool_error_find(piece, tool, &line) ? 55 : 0;
}

/* "footprint -p 917 | grep phys_footprint" below a stamp: the ledger's line without its table, of
 * the process that the file is kept for. */
static bool lone_ledger(const struct ja_piece *piece, struct ja_footprint_title *ret)
{
    static const char key[] = "phys_footprint:";
    size_t at = 0, ledgers = 0;
    int number = 0;
    struct ja_line line;
    *ret = (struct ja_footprint_title){.pid = JA_UNKNOWN, .page_bytes = JA_UNKNOWN};
    while (ja_dump_line(piece, &at, &number, &line)) {
        if (is_table_title(&line) || ja_text_ends(line.text, line.length, " TOTAL") ||
            ja_text_begins(line.text, line.length, "---"))
            return false;
        struct ja_scan scan = ja_scan_of(line.text, line.length);
        if (!ja_scan_text(&scan, key))
            continue;
        ja_scan_blanks(&scan);
        ledgers += ja_footprint_size(&scan, JA_UNKNOWN, &ret->total, &ret->oddity);
    }
    return ledgers == 1 && piece->stamp != JA_NONE;
}

/* A piece without any title: rows or totals whose header was cut off. Nobody knows whose they
 * are, so nothing is taken. */
static void note_headless(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_line line;
    if (ja_tool_error_find(piece, tool, &line)) {
        ja_tool_error_note(piece, parse, JA_KIND_FOOTPRINT, &line);
        return;
    }
    ja_set_kind(parse->evidence, JA_KIND_FOOTPRINT);
    ja_set_status(parse->evidence, JA_STATUS_DAMAGED, "footprint table without its header line");
    ja_diagnose(parse->evidence, JA_ERROR, "header-lost", piece->first_line, NULL,
                "footprint figures without the line that names the process, left out");
}

static void note_name_match(struct ja_parse *parse, const struct ja_line *line)
{
    ja_diagnose(parse->evidence, JA_NOTE, "name-match", line->number, NULL,
                "footprint chose the process by its name: %.*s",
                line->length > 160 ? 160 : (int)line->length, line->text);
}

static void read_ledger(const struct ja_piece *piece, struct ja_parse *parse,
                        struct ja_footprint_title *title)
{
    struct ja_footprint_block block;
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    title->name = ja_proc_stem(piece, parse->scratch);
    title->name_length = strlen(title->name);
    ja_footprint_begin(&block, piece, parse, title, piece->first_line);
    while (ja_dump_line(piece, &at, &number, &line))
        ja_footprint_line(&block, &line);
    ja_footprint_end(&block, 0);
}

static void parse_piece(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_footprint_block block;
    struct ja_footprint_title title;
    bool open = false, matched = false;
    size_t at = 0;
    int number = 0;
    struct ja_line line;
    while (ja_dump_line(piece, &at, &number, &line)) {
        if (ja_footprint_title(line.text, line.length, &title)) {
            if (open)
                ja_footprint_end(&block, 0);
            ja_footprint_begin(&block, piece, parse, &title, line.number);
            open = true;
        } else if (open) {
            ja_footprint_line(&block, &line);
        } else if (is_name_match(&line)) {
            note_name_match(parse, &line);
            matched = true;
        }
    }
    bool bare = piece->length && piece->text[piece->length - 1] != '\n';
    if (!open && lone_ledger(piece, &title))
        read_ledger(piece, parse, &title);
    else if (!open && !matched)
        note_headless(piece, parse);
    if (open)
        ja_footprint_end(&block, bare ? number : 0);
}

const struct ja_parser ja_parser_footprint = {
    .name = "footprint",
    .reads = "footprint(1) text in every option, macOS 13 to 26.5, whole, cut or pasted",
    .begins = begins,
    .bid = bid,
    .parse = parse_piece,
};
