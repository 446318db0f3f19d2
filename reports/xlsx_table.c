/* SPDX-License-Identifier: MIT
 *
 * The workbook: a table on its sheet. Sizes stand as GiB where people read and as exact bytes in a
 * block at the right, for pivoting; what is printed ends before that block.
 */
#include "reports/xlsx.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/text.h"

#define WRAP_WIDTH 30 /* columns at least so wide wrap their text */
#define MOST_LINES 8  /* of a table's row */
#define BYTES_WIDTH 17
#define GIB_WIDTH 11
#define LEAST_WIDTH 10
#define PAPER_A4 9

static bool is_number(enum ja_cell_kind kind)
{
    return kind == JA_CELL_BYTES || kind == JA_CELL_WHOLE || kind == JA_CELL_NUMBER ||
           kind == JA_CELL_RATE || kind == JA_CELL_SPAN;
}

static const char *unit_of(enum ja_cell_kind kind)
{
    return kind == JA_CELL_BYTES  ? " [GiB]"
           : kind == JA_CELL_RATE ? " [MiB/h]"
           : kind == JA_CELL_SPAN ? " [h:mm:ss]"
                                  : "";
}

void ja_book_header(struct ja_book *book, lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column,
                    const char *title, bool number)
{
    ja_book_text(book, sheet, row, column, title,
                 number ? JA_STYLE_HEADER_NUMBER : JA_STYLE_HEADER);
}

void ja_book_page(struct ja_book *book, lxw_worksheet *sheet, lxw_row_t header_row,
                  lxw_row_t last_row, lxw_col_t last_column)
{
    worksheet_set_landscape(sheet);
    worksheet_set_paper(sheet, PAPER_A4);
    worksheet_set_margins(sheet, 0.4, 0.4, 0.5, 0.6);
    worksheet_fit_to_pages(sheet, 1, 0);
    ja_book_check(book, worksheet_repeat_rows(sheet, header_row, header_row));
    ja_book_check(book, worksheet_print_area(sheet, 0, 0, last_row, last_column));
    ja_book_check(book, worksheet_set_footer(sheet, "&L&F, sheet &A&RPage &P of &N"));
}

static const struct {
    const char *word;
    enum ja_style style;
} colors[] = {
    {"critical", JA_STYLE_RED},        {"warning", JA_STYLE_ORANGE},
    {"note", JA_STYLE_GREY},           {"CONFIRMED", JA_STYLE_BLUE},
    {"CONTRADICTED", JA_STYLE_PURPLE}, {"CONSISTENT WITH", JA_STYLE_PALE_BLUE},
    {"CANNOT TELL", JA_STYLE_YELLOW},  {"NOT SHOWN", JA_STYLE_GREY},
    {"growing", JA_STYLE_RED},         {"not_growing", JA_STYLE_GREEN},
    {"cannot_tell", JA_STYLE_YELLOW},  {"panic", JA_STYLE_RED},
    {"oom_kill", JA_STYLE_ORANGE},     {"jetsam_kill", JA_STYLE_ORANGE},
    {"reset", JA_STYLE_PURPLE},        {"force_reset", JA_STYLE_PURPLE},
    {"boot", JA_STYLE_PALE_BLUE},      {"gap", JA_STYLE_GREY},
    {"damaged", JA_STYLE_ORANGE},      {"unreadable", JA_STYLE_ORANGE},
    {"partly", JA_STYLE_YELLOW},       {"unknown", JA_STYLE_YELLOW},
};

void ja_book_colors(struct ja_book *book, lxw_worksheet *sheet, lxw_row_t first_row,
                    lxw_row_t last_row, lxw_col_t column)
{
    for (size_t i = 0; i < sizeof colors / sizeof *colors; i++) {
        char quoted[40];
        snprintf(quoted, sizeof quoted, "\"%s\"", colors[i].word);
        lxw_conditional_format rule = {.type = LXW_CONDITIONAL_TYPE_CELL,
                                       .criteria = LXW_CONDITIONAL_CRITERIA_EQUAL_TO,
                                       .value_string = quoted,
                                       .format = book->styles[colors[i].style]};
        ja_book_check(book, worksheet_conditional_format_range(sheet, first_row, column, last_row,
                                                               column, &rule));
    }
}

void ja_book_refs(struct ja_book *book, lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column,
                  const uint32_t *cites, size_t count)
{
    if (!count)
        return;
    uint32_t number = book->item->cites[cites[0]].number;
    lxw_row_t target = book->evidence_rows[cites[0]];
    const char *text = ja_arena_print(book->arena, "E%03u", (unsigned)number);
    if (count > 1)
        text = ja_arena_print(book->arena, "%s +%zu", text, count - 1);
    if (target && sheet != ja_book_sheet(book, "Evidence"))
        ja_book_link(book, sheet, row, column, "Evidence", target, 0, text);
    else
        ja_book_text(book, sheet, row, column, text, JA_STYLE_TEXT);
}

static void put_cell(struct ja_book *book, const struct ja_grid *grid, lxw_row_t row,
                     lxw_col_t column, const struct ja_column *kind, const struct ja_cell *cell)
{
    lxw_worksheet *sheet = grid->sheet;
    switch (kind->kind) {
    case JA_CELL_WORD:
    case JA_CELL_EVIDENCE:
    case JA_CELL_SENTENCE:
        ja_book_text(book, sheet, row, column, cell->text,
                     kind->width >= WRAP_WIDTH ? JA_STYLE_WRAP : JA_STYLE_TEXT);
        break;
    case JA_CELL_BYTES:
        ja_book_gib(book, sheet, row, column, cell->whole, cell->step);
        break;
    case JA_CELL_WHOLE:
        ja_book_whole(book, sheet, row, column, cell->whole, JA_STYLE_WHOLE);
        break;
    case JA_CELL_NUMBER:
        ja_book_number(book, sheet, row, column, cell->number, JA_STYLE_NUMBER);
        break;
    case JA_CELL_RATE:
        ja_book_number(book, sheet, row, column, cell->number / (double)JA_MIB, JA_STYLE_NUMBER);
        break;
    case JA_CELL_SPAN:
        ja_book_number(book, sheet, row, column, cell->number / 86400, JA_STYLE_SPAN);
        break;
    case JA_CELL_TIME:
        ja_book_time(book, sheet, row, column, cell->at);
        break;
    case JA_CELL_REFS:
        ja_book_refs(book, sheet, row, column, cell->refs, cell->ref_count);
        break;
    }
}

/* Such columns tell rows apart; when empty, or of one machine, they only take room. */
static bool is_idle(const struct ja_book *book, const struct ja_table *table, int column)
{
    const char *title = table->columns[column].title;
    if (strcmp(title, "Host") == 0)
        return book->item->host_count < 2;
    if (strcmp(title, "Category") != 0 && strcmp(title, "Of") != 0)
        return false;
    for (size_t r = 0; r < table->row_count; r++)
        if (ja_table_cell(table, r, (size_t)column)->text)
            return false;
    return true;
}

static void choose_columns(const struct ja_book *book, struct ja_grid *grid, const int *columns,
                           size_t count, lxw_col_t printed)
{
    for (size_t c = 0; c < count && grid->main_count < JA_MOST_COLUMNS; c++) {
        if (!is_idle(book, grid->table, columns[c]))
            grid->columns[grid->main_count++] = columns[c];
        if (c + 1 == printed)
            grid->printed = grid->main_count;
    }
    if (!printed)
        grid->printed = grid->main_count;
}

static double width_of(const struct ja_column *column)
{
    bool size = column->kind == JA_CELL_BYTES;
    return size ? GIB_WIDTH : column->width < LEAST_WIDTH ? LEAST_WIDTH : column->width;
}

/* Columns of sizes once more, as bytes, right of the others. */
static void lay_out(struct ja_book *book, struct ja_grid *grid)
{
    lxw_col_t bytes = grid->main_count;
    int lines = 2;
    for (lxw_col_t c = 0; c < grid->main_count; c++) {
        const struct ja_column *column = &grid->table->columns[grid->columns[c]];
        const char *title =
            ja_arena_print(book->arena, "%s%s", column->title, unit_of(column->kind));
        double width = width_of(column);
        int needed = ja_book_lines(title, width - 3); /* the filter's button takes room */
        lines = needed > lines ? needed : lines;
        ja_book_header(book, grid->sheet, 0, c, title, is_number(column->kind));
        ja_book_check(book, worksheet_set_column(grid->sheet, c, c, width, NULL));
        if (column->kind != JA_CELL_BYTES)
            continue;
        ja_book_header(book, grid->sheet, 0, bytes,
                       ja_arena_print(book->arena, "%s [bytes]", column->title), true);
        ja_book_check(book, worksheet_set_column(grid->sheet, bytes, bytes, BYTES_WIDTH, NULL));
        bytes++;
    }
    grid->count = bytes;
    ja_book_height(book, grid->sheet, 0, lines);
}

static void put_row(struct ja_book *book, const struct ja_grid *grid, size_t index)
{
    lxw_row_t row = (lxw_row_t)index + 1;
    lxw_col_t bytes = grid->main_count;
    int lines = 1;
    for (lxw_col_t c = 0; c < grid->main_count; c++) {
        const struct ja_column *column = &grid->table->columns[grid->columns[c]];
        const struct ja_cell *cell = ja_table_cell(grid->table, index, (size_t)grid->columns[c]);
        put_cell(book, grid, row, c, column, cell);
        if (column->kind == JA_CELL_BYTES)
            ja_book_whole(book, grid->sheet, row, bytes++, cell->whole, JA_STYLE_BYTES);
        int needed = column->width < WRAP_WIDTH ? 1 : ja_book_lines(cell->text, column->width);
        lines = needed > lines ? needed : lines;
    }
    ja_book_height(book, grid->sheet, row, lines > MOST_LINES ? MOST_LINES : lines);
}

lxw_col_t ja_grid_column(const struct ja_grid *grid, int column)
{
    lxw_col_t c = 0;
    while (c + 1 < grid->main_count && grid->columns[c] != column)
        c++;
    return c;
}

static bool takes_color(const char *title)
{
    static const char *const titles[] = {"Worst",   "Severity", "Grade",
                                         "Verdict", "Event",    "Status"};
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (strcmp(titles[i], title) == 0)
            return true;
    return false;
}

static void put_notes(struct ja_book *book, struct ja_grid *grid)
{
    const struct ja_table *table = grid->table;
    const char *note = NULL;
    if (!table->row_count)
        note = "Nothing of this kind is in the evidence.";
    else if (table->left_out)
        note = ja_arena_print(book->arena,
                              "%zu more rows are left out here; --format json,ndjson has them all.",
                              table->left_out);
    if (!note)
        return;
    grid->last_row = (lxw_row_t)table->row_count + 1;
    ja_book_text(book, grid->sheet, grid->last_row, 0, note, JA_STYLE_NOTE);
}

bool ja_book_table(struct ja_book *book, enum ja_table_id id, const int *columns, size_t count,
                   lxw_col_t frozen, lxw_col_t printed, struct ja_grid *ret)
{
    const struct ja_table *table = &book->tables.tables[id];
    *ret = (struct ja_grid){.table = table,
                            .sheet = ja_book_sheet(book, table->title),
                            .last_row = (lxw_row_t)table->row_count};
    if (!ret->sheet)
        return false;
    choose_columns(book, ret, columns, count, printed);
    lay_out(book, ret);
    for (size_t r = 0; r < table->row_count; r++)
        put_row(book, ret, r);
    lxw_row_t last = table->row_count ? (lxw_row_t)table->row_count : 1;
    ja_book_check(book, worksheet_autofilter(ret->sheet, 0, 0, last, ret->count - 1));
    worksheet_freeze_panes(ret->sheet, 1, frozen);
    for (lxw_col_t c = 0; c < ret->main_count; c++)
        if (takes_color(table->columns[ret->columns[c]].title))
            ja_book_colors(book, ret->sheet, 1, last, c);
    put_notes(book, ret);
    ja_book_page(book, ret->sheet, 0, ret->last_row, ret->printed - 1);
    return true;
}
