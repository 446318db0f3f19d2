/* SPDX-License-Identifier: MIT
 *
 * The workbook's cells and their formats.
 */
#include "reports/xlsx.h"

#include <math.h>
#include <string.h>

#include "reports/text.h"

#define LARGEST_EXACT (INT64_C(1) << 53)
#define NS_PER_DAY 86400e9
#define UNIX_DAYS 25569 /* from 1899-12-30, day 0 of workbooks, to 1970-01-01 */
#define LINE_POINTS 15
#define LINE_COLOR 0xBFBFBF
#define MOST_LINES 27 /* a row is at most 409 points high */
#define MOST_LINK_ROWS 60000

#define SPAN_FORMAT "[<0.00001157]\"< 1 s\";[h]:mm:ss" /* a second is 0.0000116 days */
/* Small values show more decimals, so that a process of 3 MiB is not 0.00. */
#define GIB_FORMAT "[>=0.01]0.00;[<=-0.01]-0.00;0.00000"

static const struct {
    const char *number_format; /* NULL: General */
    lxw_color_t font, fill;    /* 0: none */
    double size;               /* 0: standard */
    bool bold, italic, wrap, right, link;
    int indent; /* a gap to the numbers at the left */
} looks[JA_STYLE_COUNT] = {
    [JA_STYLE_TITLE] = {.size = 16, .bold = true},
    [JA_STYLE_LEAD] = {.number_format = "@", .font = 0x404040},
    [JA_STYLE_SECTION] = {.bold = true, .size = 12, .fill = 0xDCE6F1},
    [JA_STYLE_HEADER] =
        {.bold = true, .indent = 1, .font = 0xFFFFFF, .fill = 0x1F3864, .wrap = true},
    [JA_STYLE_HEADER_NUMBER] =
        {.bold = true, .font = 0xFFFFFF, .fill = 0x1F3864, .wrap = true, .right = true},
    [JA_STYLE_NOTE] = {.number_format = "@", .italic = true, .font = 0x595959},
    [JA_STYLE_TEXT] = {.number_format = "@", .indent = 1},
    [JA_STYLE_WRAP] = {.number_format = "@", .wrap = true, .indent = 1},
    [JA_STYLE_BOLD] = {.number_format = "@", .bold = true, .indent = 1},
    [JA_STYLE_WHOLE] = {.number_format = "0", .right = true},
    [JA_STYLE_BYTES] = {.number_format = "#,##0", .right = true},
    [JA_STYLE_GIB_0] = {.number_format = "0", .right = true},
    [JA_STYLE_GIB_1] = {.number_format = "0.0", .right = true},
    [JA_STYLE_GIB] = {.number_format = GIB_FORMAT, .right = true},
    [JA_STYLE_NUMBER] = {.number_format = "0.00", .right = true},
    [JA_STYLE_SPAN] = {.number_format = SPAN_FORMAT, .right = true},
    [JA_STYLE_TIME] = {.number_format = "yyyy-mm-dd hh:mm:ss", .indent = 1},
    [JA_STYLE_LINK] = {.number_format = "@", .indent = 1, .font = 0x0563C1, .link = true},
    [JA_STYLE_RED] = {.font = 0xFFFFFF, .fill = 0xC00000, .bold = true},
    [JA_STYLE_ORANGE] = {.font = 0x3F2A00, .fill = 0xFFC000, .bold = true},
    [JA_STYLE_YELLOW] = {.font = 0x5F4A00, .fill = 0xFFF2CC},
    [JA_STYLE_GREEN] = {.font = 0x274E13, .fill = 0xD9EAD3},
    [JA_STYLE_BLUE] = {.font = 0xFFFFFF, .fill = 0x1F5FA8, .bold = true},
    [JA_STYLE_PALE_BLUE] = {.font = 0x1F3864, .fill = 0xCFE2F3},
    [JA_STYLE_PURPLE] = {.font = 0xFFFFFF, .fill = 0x6A3D9A, .bold = true},
    [JA_STYLE_GREY] = {.font = 0x595959, .fill = 0xE7E6E6},
};

void ja_book_styles(struct ja_book *book)
{
    for (int i = 0; i < JA_STYLE_COUNT; i++) {
        lxw_format *format = workbook_add_format(book->workbook);
        book->styles[i] = format;
        if (looks[i].number_format)
            format_set_num_format(format, looks[i].number_format);
        if (looks[i].font)
            format_set_font_color(format, looks[i].font);
        if (looks[i].fill)
            format_set_bg_color(format, looks[i].fill);
        if (looks[i].size > 0)
            format_set_font_size(format, looks[i].size);
        if (looks[i].bold)
            format_set_bold(format);
        if (looks[i].italic)
            format_set_italic(format);
        if (looks[i].wrap)
            format_set_text_wrap(format);
        if (looks[i].right)
            format_set_align(format, LXW_ALIGN_RIGHT);
        if (looks[i].indent)
            format_set_indent(format, (uint8_t)looks[i].indent);
        if (looks[i].link)
            format_set_underline(format, LXW_UNDERLINE_SINGLE);
        if (i >= JA_STYLE_RED)
            continue;
        format_set_align(format, LXW_ALIGN_VERTICAL_TOP);
        if (i < JA_STYLE_TEXT)
            continue;
        format_set_bottom(format, LXW_BORDER_HAIR);
        format_set_bottom_color(format, LINE_COLOR);
    }
}

void ja_book_check(struct ja_book *book, lxw_error error)
{
    if (error != LXW_NO_ERROR && book->error == LXW_NO_ERROR)
        book->error = error;
}

lxw_worksheet *ja_book_sheet(struct ja_book *book, const char *name)
{
    return workbook_get_worksheet_by_name(book->workbook, name);
}

void ja_book_text(struct ja_book *book, lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column,
                  const char *text, enum ja_style style)
{
    if (text && *text)
        ja_book_check(book, worksheet_write_string(sheet, row, column, ja_xlsx(book->arena, text),
                                                   book->styles[style]));
}

void ja_book_number(struct ja_book *book, lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column,
                    double value, enum ja_style style)
{
    if (isfinite(value))
        ja_book_check(book, worksheet_write_number(sheet, row, column, value, book->styles[style]));
}

void ja_book_whole(struct ja_book *book, lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column,
                   int64_t value, enum ja_style style)
{
    if (value == JA_UNKNOWN)
        return;
    if (value > LARGEST_EXACT || value < -LARGEST_EXACT)
        ja_book_text(book, sheet, row, column,
                     ja_arena_print(book->arena, "%lld", (long long)value), JA_STYLE_TEXT);
    else
        ja_book_number(book, sheet, row, column, (double)value, style);
}

void ja_book_gib(struct ja_book *book, lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column,
                 int64_t bytes, int64_t step_bytes)
{
    if (bytes == JA_UNKNOWN)
        return;
    enum ja_style style = step_bytes >= JA_GIB        ? JA_STYLE_GIB_0
                          : step_bytes >= JA_GIB / 10 ? JA_STYLE_GIB_1
                                                      : JA_STYLE_GIB;
    ja_book_number(book, sheet, row, column, (double)bytes / (double)JA_GIB, style);
}

double ja_book_days(int64_t unix_ns)
{
    return (double)unix_ns / NS_PER_DAY + UNIX_DAYS;
}

void ja_book_time(struct ja_book *book, lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column,
                  const struct ja_instant *at)
{
    if (at && ja_instant_known(at))
        ja_book_number(book, sheet, row, column, ja_book_days(at->unix_ns), JA_STYLE_TIME);
    else if (at) /* a bound is no time: "<= 2026-..." */
        ja_book_text(book, sheet, row, column, ja_when(book->arena, at), JA_STYLE_TEXT);
}

void ja_book_link(struct ja_book *book, lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column,
                  const char *target, lxw_row_t target_row, lxw_col_t target_column,
                  const char *text)
{
    char cell[LXW_MAX_CELL_NAME_LENGTH];
    if (row >= MOST_LINK_ROWS) {
        ja_book_text(book, sheet, row, column, text, JA_STYLE_TEXT);
        return;
    }
    lxw_rowcol_to_cell(cell, target_row, target_column);
    const char *url = ja_arena_print(book->arena, "internal:'%s'!%s", target, cell);
    ja_book_check(book,
                  worksheet_write_url_opt(sheet, row, column, url, book->styles[JA_STYLE_LINK],
                                          ja_xlsx(book->arena, text), NULL));
}

int ja_book_lines(const char *text, double width)
{
    size_t characters = 0;
    for (; text && *text; text++)
        characters += ((unsigned char)*text & 0xc0) != 0x80;
    /* Letters are narrower than the digits that widths count, but lines break between words. */
    int lines = (int)ceil((double)characters / width);
    return lines < 1 ? 1 : lines > MOST_LINES ? MOST_LINES : lines;
}

void ja_book_height(struct ja_book *book, lxw_worksheet *sheet, lxw_row_t row, int lines)
{
    if (lines > 1)
        ja_book_check(book, worksheet_set_row(sheet, row, lines * LINE_POINTS, NULL));
}
