/* SPDX-License-Identifier: MIT */
#include "parsers/footprint.h"

#include <string.h>

#include "parsers/scan.h"

#define MOST_COLUMNS 5 /* Dirty, (Swapped), Clean, Reclaimable, (Wired) */

static uint32_t place_of(struct ja_footprint_block *block, int line)
{
    return ja_add_place_line(block->parse->evidence, line);
}

static void note_odd(struct ja_footprint_block *block, enum ja_size_oddity oddity, int line)
{
    if (oddity == JA_SIZE_AS_PRINTED || block->edited_line)
        return;
    block->oddity = oddity;
    block->edited_line = line;
}

static void settle_system(struct ja_parse *parse, const struct ja_footprint_title *title)
{
    struct ja_system *system = ja_dump_system(parse);
    /* A translated process has the page size of its own world, not the machine's. */
    if (title->page_bytes != JA_UNKNOWN && !title->translated && !title->memgraph &&
        system->page_bytes == JA_UNKNOWN)
        system->page_bytes = title->page_bytes;
}

void ja_footprint_begin(struct ja_footprint_block *block, const struct ja_piece *piece,
                        struct ja_parse *parse, const struct ja_footprint_title *title, int line)
{
    struct ja_evidence *evidence = parse->evidence;
    *block = (struct ja_footprint_block){.parse = parse,
                                         .piece = piece,
                                         .title = *title,
                                         .line = line,
                                         .subject = JA_NONE,
                                         .parts = {.resolution = 1, .rounding = JA_ROUNDING_EXACT}};
    settle_system(parse, title);
    ja_set_kind(evidence, JA_KIND_FOOTPRINT);
    uint32_t place = place_of(block, line);
    block->record = ja_add_record(evidence, JA_KIND_FOOTPRINT, piece->stamp);
    evidence->records[block->record].system = parse->carry.system;
    evidence->records[block->record].place = place;
    note_odd(block, title->oddity, line);
    if (title->edited)
        note_odd(block, JA_SIZE_UNNATURAL, line);
    if (title->summary)
        return;
    const char *name = ja_arena_copy(parse->scratch, title->name, title->name_length);
    block->subject = ja_add_subject(evidence, block->record, name, title->pid);
    evidence->subjects[block->subject].place = place;
    ja_dump_borrow_time(parse, block->record);
}

/* "phys_footprint: 142 MB", with or without the block that it belongs to. */
static bool take_total(struct ja_footprint_block *block, const struct ja_line *line,
                       const char *key, enum ja_metric metric, struct ja_dump_value *ret)
{
    size_t n = strlen(key);
    enum ja_size_oddity oddity;
    struct ja_quantity quantity;
    if (!ja_text_begins(line->text, line->length, key))
        return false;
    struct ja_scan scan = ja_scan_of(line->text + n, line->length - n);
    ja_scan_blanks(&scan);
    size_t start = scan.at;
    if (!ja_footprint_size(&scan, block->title.page_bytes, &quantity, &oddity)) {
        ja_diagnose(block->parse->evidence, JA_ERROR, "bad-number", line->number, NULL,
                    "%.*s is no size, left out", line->length > 80 ? 80 : (int)line->length,
                    line->text);
        block->cut_row = true;
        return true;
    }
    note_odd(block, oddity, line->number);
    if (!ret->printed_length)
        *ret = (struct ja_dump_value){.metric = metric,
                                      .quantity = quantity,
                                      .printed = scan.text + start,
                                      .printed_length = scan.at - start,
                                      .place = place_of(block, line->number)};
    return true;
}

/* The column titles: every word but "Regions" and "Category" heads a column of sizes. */
static bool take_titles(struct ja_footprint_block *block, const struct ja_line *line)
{
    if (!ja_text_begins(line->text, line->length, "Dirty"))
        return false;
    struct ja_scan scan = ja_scan_of(line->text, line->length);
    const char *word;
    size_t length;
    int columns = 0;
    while (ja_scan_word(&scan, &word, &length)) {
        columns += !ja_text_is(word, length, "Regions") && !ja_text_is(word, length, "Category");
        ja_scan_blanks(&scan);
    }
    block->size_columns = columns > MOST_COLUMNS ? MOST_COLUMNS : columns;
    return true;
}

struct row {
    struct ja_quantity dirty;
    const char *printed;
    size_t printed_length;
    const char *name;
    size_t name_length;
    enum ja_size_oddity oddity;
    int sizes;
    bool regions;
    bool closed; /* ends in "regions]": no stump */
};

/* Takes " [43,692 regions]" off a retyped row. */
static void drop_count(struct row *row)
{
    size_t open = ja_text_find(row->name, row->name_length, "[");
    if (open > 0 && open < row->name_length &&
        ja_text_ends(row->name, row->name_length, " regions]")) {
        row->name_length = open;
        row->regions = row->closed = true;
        ja_text_trim(&row->name, &row->name_length);
    }
}

/* False when the line does not begin with a size. */
static bool read_row(const struct ja_footprint_block *block, const struct ja_line *line,
                     struct row *ret)
{
    struct row row = {.sizes = 0};
    struct ja_scan scan = ja_scan_of(line->text, line->length);
    struct ja_quantity quantity;
    enum ja_size_oddity oddity;
    int64_t regions;
    while (row.sizes < MOST_COLUMNS &&
           ja_footprint_size(&scan, block->title.page_bytes, &quantity, &oddity)) {
        if (row.sizes == 0) {
            row.dirty = quantity;
            row.printed = line->text;
            row.printed_length = scan.at;
        }
        if (oddity != JA_SIZE_AS_PRINTED)
            row.oddity = oddity;
        row.sizes++;
        ja_scan_blanks(&scan);
    }
    if (row.sizes == 0)
        return false;
    struct ja_scan after = scan;
    if (row.sizes > 1 && ja_scan_u63(&after, &regions)) {
        scan = after;
        ja_scan_blanks(&scan);
        row.regions = true;
    }
    row.name = scan.text + scan.at;
    row.name_length = scan.length - scan.at;
    ja_text_trim(&row.name, &row.name_length);
    drop_count(&row);
    *ret = row;
    return true;
}

static bool row_is_whole(const struct ja_footprint_block *block, const struct row *row)
{
    if (row->name_length == 0 || (row->sizes > 1 && !row->regions))
        return false;
    /* Retyped rows have one size and no table title. */
    return block->size_columns ? row->sizes == block->size_columns : true;
}

/* Adds the row kept back, now that it is known to be whole. A category without dirty pages is
 * worth a reading only where it had some before. */
static void flush_row(struct ja_footprint_block *block)
{
    struct ja_dump_value row = block->last;
    block->last.printed_length = 0;
    if (!row.printed_length || block->subject == JA_NONE)
        return;
    block->parts = ja_quantity_sum(block->parts, row.quantity);
    block->rows++;
    if (row.quantity.value == 0 && !ja_has_category(block->parse->evidence, row.category))
        return;
    if (ja_category_is_graphics(row.category))
        block->graphics_bytes = ja_add(block->graphics_bytes, row.quantity.value);
    ja_dump_reading(block->parse, block->subject, &row);
}

static void cut_row(struct ja_footprint_block *block, const struct ja_line *line)
{
    block->cut_row = true;
    ja_diagnose(block->parse->evidence, JA_ERROR, "cut-row", line->number, NULL,
                "row ends early, left out: %.*s", line->length > 80 ? 80 : (int)line->length,
                line->text);
}

static void take_row(struct ja_footprint_block *block, const struct ja_line *line)
{
    struct row row;
    if (block->shared || !read_row(block, line, &row))
        return;
    flush_row(block);
    if (!row_is_whole(block, &row)) {
        cut_row(block, line);
        return;
    }
    if (ja_text_is(row.name, row.name_length, "TOTAL")) {
        block->total_seen = true;
        return;
    }
    note_odd(block, row.oddity, line->number);
    block->last_closed = row.closed;
    block->last = (struct ja_dump_value){
        .metric = JA_METRIC_CATEGORY,
        .category = ja_apple_category(row.name, row.name_length, block->parse->scratch),
        .quantity = row.dirty,
        .printed = row.printed,
        .printed_length = row.printed_length,
        .place = place_of(block, line->number)};
}

/* Remarks of the tool about this process. */
static bool take_remark(struct ja_footprint_block *block, const struct ja_line *line)
{
    static const char *const incomplete[] = {"Errors were encountered while examining",
                                             "Due to errors, summary results"};
    struct ja_evidence *evidence = block->parse->evidence;
    for (size_t i = 0; i < sizeof incomplete / sizeof *incomplete; i++) {
        if (!ja_text_begins(line->text, line->length, incomplete[i]))
            continue;
        block->doubtful = true;
        ja_diagnose(evidence, JA_WARNING, "tool-warning", line->number, NULL,
                    "footprint says that its result may be incomplete, kept as printed");
        return true;
    }
    if (!ja_text_begins(line->text, line->length, "Footprint changed while analyzing"))
        return false;
    ja_diagnose(evidence, JA_NOTE, "tool-warning", line->number, NULL, "kept as printed: %.*s",
                line->length > 160 ? 160 : (int)line->length, line->text);
    return true;
}

void ja_footprint_line(struct ja_footprint_block *block, const struct ja_line *line)
{
    if (line->length == 0)
        return;
    if (ja_line_elided(line)) {
        block->elided = true;
        return;
    }
    if (ja_text_begins(line->text, line->length, "Shared with ") ||
        ja_text_begins(line->text, line->length, "Shared Cache ")) {
        block->shared = true;
        return;
    }
    if (take_total(block, line, "phys_footprint_peak:", JA_METRIC_PHYS_FOOTPRINT_PEAK,
                   &block->peak) ||
        take_total(block, line, "phys_footprint:", JA_METRIC_PHYS_FOOTPRINT, &block->ledger) ||
        take_titles(block, line) || take_remark(block, line))
        return;
    if (!block->total_seen)
        take_row(block, line);
}

static void add_totals(struct ja_footprint_block *block)
{
    struct ja_evidence *evidence = block->parse->evidence;
    struct ja_dump_value footprint = block->ledger;
    uint32_t place = evidence->records[block->record].place;
    if (!footprint.printed_length) {
        footprint = (struct ja_dump_value){.metric = JA_METRIC_PHYS_FOOTPRINT,
                                           .quantity = block->title.total,
                                           .printed = block->title.total_text,
                                           .printed_length = block->title.total_length,
                                           .place = place};
        ja_diagnose(evidence, JA_NOTE, "header-for-ledger", block->line, NULL,
                    "no phys_footprint under Auxiliary data: the header's figure stands in");
    }
    footprint.approximate = !block->ledger.printed_length;
    ja_dump_reading(block->parse, block->subject, &footprint);
    if (block->peak.printed_length) {
        evidence->subjects[block->subject].peak_bytes = block->peak.quantity.value;
        ja_dump_reading(block->parse, block->subject, &block->peak);
    }
    if (block->graphics_bytes)
        ja_dump_fact(block->parse, block->subject, JA_FACT_GRAPHICS_BYTES, block->graphics_bytes,
                     NULL, place);
}

/* Rows finer than the total bound it better than its own digits do: said, not mixed into the
 * reading, because the ledger may hold pages that no row shows. */
static void add_parts(struct ja_footprint_block *block)
{
    struct ja_quantity total = block->title.total;
    int64_t low, high, total_low, total_high;
    if (!block->total_seen || block->elided || block->doubtful || block->cut_row ||
        block->rows < 2 || block->parts.resolution * 4 > total.resolution)
        return;
    ja_quantity_interval(block->parts, &low, &high);
    ja_quantity_interval(total, &total_low, &total_high);
    if (low > total_high || high < total_low)
        return;
    const char *text = ja_arena_print(block->parse->scratch,
                                      "the %zu rows add up to between %lld and %lld bytes, within "
                                      "the printed total",
                                      block->rows, (long long)low, (long long)high);
    ja_dump_fact(block->parse, block->subject, JA_FACT_NOTE, block->parts.value, text,
                 block->parse->evidence->records[block->record].place);
}

static void say_edited(struct ja_footprint_block *block)
{
    static const char *const why[] = {
        [JA_SIZE_DECIMALS] = "footprint prints no decimals",
        [JA_SIZE_CONVERTED] = "a multiple of 1024 above four digits: a reading in the next unit, "
                              "converted by hand",
        [JA_SIZE_UNNATURAL] = "footprint does not print this form"};
    if (!block->edited_line)
        return;
    const char *text = why[block->oddity];
    ja_diagnose(block->parse->evidence, JA_WARNING, "hand-edited", block->edited_line, NULL,
                "looks edited or converted, taken as %s: %s",
                block->oddity == JA_SIZE_CONVERTED ? "good to half a step of the coarser unit"
                                                   : "good to half its last digit",
                text);
    struct ja_fact *fact =
        ja_add_fact(block->parse->evidence, block->record, JA_FACT_HAND_EDITED,
                    block->oddity == JA_SIZE_CONVERTED ? block->title.total.value : JA_UNKNOWN,
                    text, place_of(block, block->edited_line));
    fact->subject = block->subject;
}

static void settle_status(struct ja_footprint_block *block)
{
    struct ja_evidence *evidence = block->parse->evidence;
    bool unfinished =
        block->rows && block->size_columns && !block->total_seen && !block->ledger.printed_length;
    if (block->cut_row || (unfinished && !block->elided))
        ja_set_status(evidence, JA_STATUS_DAMAGED, "footprint table cut off");
    else if (block->elided)
        ja_set_status(evidence, JA_STATUS_PARTLY, "rows were taken out of a footprint table");
    else if (block->doubtful)
        ja_set_status(evidence, JA_STATUS_PARTLY, "footprint says its result may be incomplete");
    else
        ja_set_status(evidence, JA_STATUS_USED, NULL);
}

void ja_footprint_end(struct ja_footprint_block *block, int bare_line)
{
    struct ja_evidence *evidence = block->parse->evidence;
    if (block->last.printed_length && !block->ledger.printed_length && !block->total_seen &&
        !block->last_closed && ja_place_line(evidence, block->last.place) == bare_line) {
        block->last.printed_length = 0;
        block->cut_row = true;
        ja_diagnose(evidence, JA_ERROR, "cut-row", ja_place_line(evidence, block->last.place), NULL,
                    "the text ends inside its last row, which may be a stump: left out");
    }
    flush_row(block);
    if (block->title.summary) {
        ja_add_fact(evidence, block->record, JA_FACT_SUMMARY_FOOTPRINT, block->title.total.value,
                    NULL, evidence->records[block->record].place);
        return;
    }
    add_totals(block);
    add_parts(block);
    say_edited(block);
    settle_status(block);
}
