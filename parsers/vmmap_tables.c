/* SPDX-License-Identifier: MIT
 *
 * Regions by type: DIRTY + SWAPPED of a row is what it adds to the footprint (a graphics row that
 * is idle shows DIRTY 0K and its whole size under SWAPPED, RESIDENT and NONVOL: one and the same
 * memory). Malloc zones: DIRTY + SWAPPED - BYTES ALLOCATED is what the allocator holds after free;
 * BYTES may be larger, when memory was allocated and never touched.
 */
#include "parsers/vmmap.h"

#include <string.h>

#include "parsers/scan.h"

#define STANDARD_COLUMNS 8

static const enum ja_vmmap_column standard[STANDARD_COLUMNS] = {
    JA_COLUMN_VIRTUAL, JA_COLUMN_RESIDENT, JA_COLUMN_DIRTY, JA_COLUMN_SWAPPED,
    JA_COLUMN_OTHER,   JA_COLUMN_OTHER,    JA_COLUMN_OTHER, JA_COLUMN_COUNT};

static enum ja_vmmap_column column_of(const char *word, size_t length)
{
    static const struct {
        const char *word;
        enum ja_vmmap_column column;
    } known[] = {{"VIRTUAL", JA_COLUMN_VIRTUAL},   {"SIZE", JA_COLUMN_VIRTUAL},
                 {"RESIDENT", JA_COLUMN_RESIDENT}, {"DIRTY", JA_COLUMN_DIRTY},
                 {"SWAPPED", JA_COLUMN_SWAPPED},   {"REGION", JA_COLUMN_COUNT},
                 {"COUNT", JA_COLUMN_COUNT},       {"BYTES", JA_COLUMN_ALLOCATED}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (ja_text_is(word, length, known[i].word))
            return known[i].column;
    return JA_COLUMN_OTHER;
}

static void add_columns(const char *text, size_t length, struct ja_vmmap_titles *titles)
{
    struct ja_scan scan = ja_scan_of(text, length);
    const char *word;
    size_t word_length;
    ja_scan_blanks(&scan);
    while (titles->count < JA_VMMAP_COLUMNS && ja_scan_word(&scan, &word, &word_length)) {
        if (ja_text_begins(word, word_length, "(non-coalesced)"))
            return;
        titles->columns[titles->count++] = column_of(word, word_length);
        ja_scan_blanks(&scan);
    }
}

/* Regions: the upper line names the columns ("VIRTUAL RESIDENT ... REGION"), the lower one says
 * SIZE, PAGES or COUNT; old forms have the lower line only, with the names. */
static void read_region_titles(struct ja_vmmap_tables *tables, const struct ja_line *line)
{
    struct ja_vmmap_titles *titles = &tables->titles;
    const char *rest = line->text + strlen("REGION TYPE");
    size_t length = line->length - strlen("REGION TYPE");
    titles->count = 0;
    if (tables->above.length)
        add_columns(tables->above.text, tables->above.length, titles);
    else
        add_columns(rest, length, titles);
    /* "SIZE SIZE SIZE SIZE SIZE SIZE SIZE COUNT": the line with the names was cut off. */
    if (titles->count == STANDARD_COLUMNS && titles->columns[1] == JA_COLUMN_VIRTUAL)
        memcpy(titles->columns, standard, sizeof standard);
    if (ja_text_find(rest, length, "PAGES") < length)
        tables->pages = true;
}

/* Zones: VIRTUAL [RESIDENT [DIRTY SWAPPED]] COUNT BYTES, then either %FULL or FRAG, %FRAG and
 * REGION COUNT; the upper line's words tell which. */
static void read_zone_titles(struct ja_vmmap_tables *tables)
{
    struct ja_vmmap_titles *titles = &tables->titles;
    struct ja_scan scan = ja_scan_of(tables->above.text, tables->above.length);
    const char *word;
    size_t length;
    titles->count = 0;
    ja_scan_blanks(&scan);
    while (titles->count + 3 < JA_VMMAP_COLUMNS && ja_scan_word(&scan, &word, &length)) {
        ja_scan_blanks(&scan);
        if (ja_text_is(word, length, "ALLOCATION"))
            titles->columns[titles->count++] = JA_COLUMN_COUNT;
        else if (ja_text_is(word, length, "DIRTY+SWAP")) {
            titles->columns[titles->count++] = JA_COLUMN_OTHER;
            titles->columns[titles->count++] = JA_COLUMN_OTHER; /* % FRAG */
        } else
            titles->columns[titles->count++] = column_of(word, length);
    }
}

static void begin_table(struct ja_vmmap_tables *tables, const struct ja_line *line, bool zones)
{
    tables->table = zones ? JA_TABLE_ZONES : JA_TABLE_REGIONS;
    if (zones)
        read_zone_titles(tables);
    else
        read_region_titles(tables, line);
    tables->regions_seen |= !zones;
    int64_t page = tables->page_bytes != JA_UNKNOWN ? tables->page_bytes : tables->usual_page_bytes;
    size_t width = ja_text_find(line->text, line->length, "(non-coalesced)");
    const char *text = line->text;
    ja_text_trim(&text, &width);
    tables->titles.width = width;
    tables->titles.page_bytes = !tables->pages ? 1 : page == JA_UNKNOWN ? 4096 : page;
}

static void say_cut(struct ja_vmmap_tables *tables, const struct ja_line *line)
{
    tables->cut = true;
    ja_diagnose(tables->parse->evidence, JA_ERROR, "cut-row", line->number, NULL,
                "row ends early, left out: %.*s", line->length > 80 ? 80 : (int)line->length,
                line->text);
}

static void take_region(struct ja_vmmap_tables *tables, const struct ja_vmmap_row *row)
{
    struct ja_evidence *evidence = tables->parse->evidence;
    struct ja_quantity dirty, swapped = {.resolution = 1, .rounding = JA_ROUNDING_EXACT};
    struct ja_line word, swapped_word;
    if (ja_text_begins(row->type, row->type_length, "TOTAL")) {
        tables->total_seen = true;
        return;
    }
    if (ja_text_ends(row->type, row->type_length, "(reserved)") ||
        !ja_vmmap_row_size(row, &tables->titles, JA_COLUMN_DIRTY, &dirty, &word))
        return;
    bool both = ja_vmmap_row_size(row, &tables->titles, JA_COLUMN_SWAPPED, &swapped, &swapped_word);
    struct ja_dump_value value = {
        .metric = JA_METRIC_CATEGORY,
        .category = ja_apple_category(row->type, row->type_length, tables->parse->scratch),
        .quantity = ja_quantity_sum(dirty, swapped),
        .printed = word.text,
        .printed_length = word.length,
    };
    if (both && swapped.value) {
        value.printed = ja_arena_print(tables->parse->scratch, "%.*s + %.*s", (int)word.length,
                                       word.text, (int)swapped_word.length, swapped_word.text);
        value.printed_length = strlen(value.printed);
    }
    if (value.quantity.value == 0 && !ja_has_category(evidence, value.category))
        return;
    if (ja_category_is_graphics(value.category))
        tables->graphics_bytes = ja_add(tables->graphics_bytes, value.quantity.value);
    value.place = ja_add_place_line(evidence, row->line);
    tables->readings += ja_dump_reading(tables->parse, tables->subject, &value);
}

static void take_zone(struct ja_vmmap_tables *tables, const struct ja_vmmap_row *row)
{
    struct ja_parse *parse = tables->parse;
    struct ja_quantity dirty, swapped, allocated;
    struct ja_line word;
    if (ja_text_is(row->type, row->type_length, "TOTAL") ||
        !ja_vmmap_row_size(row, &tables->titles, JA_COLUMN_ALLOCATED, &allocated, &word))
        return;
    uint32_t place = ja_add_place_line(parse->evidence, row->line);
    const char *zone = ja_arena_copy(parse->scratch, row->type, row->type_length);
    tables->zones++;
    ja_dump_fact(parse, tables->subject, JA_FACT_LIVE, allocated.value, zone, place);
    if (!ja_vmmap_row_size(row, &tables->titles, JA_COLUMN_DIRTY, &dirty, &word) ||
        !ja_vmmap_row_size(row, &tables->titles, JA_COLUMN_SWAPPED, &swapped, &word))
        return;
    int64_t held = ja_subtract(ja_add(dirty.value, swapped.value), allocated.value);
    ja_dump_fact(parse, tables->subject, JA_FACT_RETAINED, held > 0 ? held : 0, zone, place);
}

/* A zone row without its title lines: an address in the name, nine values, a share before the
 * last. */
static bool take_zone_only(struct ja_vmmap_tables *tables, const struct ja_line *line)
{
    static const enum ja_vmmap_column columns[] = {
        JA_COLUMN_VIRTUAL, JA_COLUMN_RESIDENT, JA_COLUMN_DIRTY,
        JA_COLUMN_SWAPPED, JA_COLUMN_COUNT,    JA_COLUMN_ALLOCATED,
        JA_COLUMN_OTHER,   JA_COLUMN_OTHER,    JA_COLUMN_COUNT};
    enum { COUNT = sizeof columns / sizeof *columns };
    struct ja_vmmap_titles titles = {.count = COUNT, .width = SIZE_MAX, .page_bytes = 1};
    struct ja_vmmap_row row;
    bool cut;
    memcpy(titles.columns, columns, sizeof columns);
    if (ja_text_find(line->text, line->length, "_0x") == line->length ||
        !ja_vmmap_row_read(line, &titles, &row, &cut) || cut ||
        !ja_text_ends(row.words[COUNT - 2].text, row.words[COUNT - 2].length, "%"))
        return false;
    tables->titles = titles;
    tables->table = JA_TABLE_ZONES;
    tables->rows_only = true;
    take_zone(tables, &row);
    return true;
}

/* Rows whose title lines were cut off: seven sizes, a count and the tool's own note prove them. */
static bool take_rows_only(struct ja_vmmap_tables *tables, const struct ja_line *line)
{
    struct ja_vmmap_row row;
    bool cut;
    if (ja_text_find(line->text, line->length, "see MALLOC ZONE table") == line->length)
        return take_zone_only(tables, line);
    struct ja_vmmap_titles titles = {.count = STANDARD_COLUMNS, .width = SIZE_MAX, .page_bytes = 1};
    memcpy(titles.columns, standard, sizeof standard);
    if (!ja_vmmap_row_read(line, &titles, &row, &cut) || cut)
        return false;
    tables->titles = titles;
    tables->table = JA_TABLE_REGIONS;
    tables->regions_seen = tables->rows_only = true;
    take_region(tables, &row);
    tables->rows++;
    return true;
}

/* The words, then a blank (a tab where somebody pasted through one) or the end. */
static bool begins_with(const struct ja_line *line, const char *words)
{
    size_t n = strlen(words);
    return ja_text_begins(line->text, line->length, words) &&
           (line->length == n || line->text[n] == ' ' || line->text[n] == '\t');
}

/* A title or rule line of a table. */
static bool take_frame(struct ja_vmmap_tables *tables, const struct ja_line *line)
{
    if (begins_with(line, "VIRTUAL")) {
        tables->above = *line;
        tables->table = JA_TABLE_NONE;
        return true;
    }
    bool zones = begins_with(line, "MALLOC ZONE");
    bool regions = begins_with(line, "REGION TYPE") &&
                   ja_text_find(line->text, line->length, "START") == line->length;
    if (zones || regions) {
        begin_table(tables, line, zones);
        tables->above.length = 0;
        return true;
    }
    return ja_text_begins(line->text, line->length, "=====") &&
           ja_text_ends(line->text, line->length, "===");
}

/* A last row without its line end that does not fill the table: a number of its type ("Memory Tag
 * 255") would stand for the column that is missing. Columns end under their titles: a row as wide
 * as they are is whole, though the digits of its last number (a count that nobody uses) are masked.
 */
static bool row_open(const struct ja_vmmap_tables *tables, const struct ja_line *line)
{
    const char *text = line->text;
    size_t length = line->length;
    while (length && text[length - 1] == ' ')
        length--;
    return ja_line_bare(tables->piece, line) && !ja_text_begins(text, length, "TOTAL") &&
           length < tables->titles.width;
}

bool ja_vmmap_table_line(struct ja_vmmap_tables *tables, const struct ja_line *line)
{
    struct ja_vmmap_row row;
    bool cut = false;
    if (take_frame(tables, line))
        return true;
    if (tables->table == JA_TABLE_NONE)
        return take_rows_only(tables, line);
    if (tables->table == JA_TABLE_REGIONS && take_zone_only(tables, line))
        return true;
    if (line->length == 0)
        return true;
    if (ja_line_elided(line)) {
        tables->elided = true;
        return true;
    }
    bool zones = tables->table == JA_TABLE_ZONES;
    if (!ja_vmmap_row_read(line, &tables->titles, &row, &cut))
        return false;
    /* %FULL of an empty zone is left empty in 10.10. */
    if (cut && zones && row.count + 1 == tables->titles.count)
        cut = false;
    bool share = ja_text_ends(row.words[row.count - 1].text, row.words[row.count - 1].length, "%");
    if (cut || row_open(tables, line) || (share && !zones)) {
        say_cut(tables, line);
        return true;
    }
    tables->rows += !zones;
    if (zones)
        take_zone(tables, &row);
    else
        take_region(tables, &row);
    return true;
}
