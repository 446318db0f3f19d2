/* SPDX-License-Identifier: MIT
 *
 * Private to the workbook: what its sheet files share. Cells are written through the functions
 * below only: they sanitise text, refuse numbers that are not finite, and keep the first error.
 * Sheet names, formats, titles and formulas are literals; evidence stands in text cells alone.
 */
#ifndef JA_REPORTS_XLSX_H
#define JA_REPORTS_XLSX_H

#include <xlsxwriter.h>

#include "reports/report.h"
#include "reports/tables.h"

enum ja_style {
    JA_STYLE_TITLE,
    JA_STYLE_LEAD,    /* the line below a title */
    JA_STYLE_SECTION, /* the head of a part of a sheet */
    JA_STYLE_HEADER,
    JA_STYLE_HEADER_NUMBER, /* aligned as its numbers are */
    JA_STYLE_NOTE,
    JA_STYLE_TEXT,
    JA_STYLE_WRAP,
    JA_STYLE_BOLD,
    JA_STYLE_WHOLE, /* counts, pids */
    JA_STYLE_BYTES, /* with separators */
    JA_STYLE_GIB_0, /* read in steps of a GiB or more: no decimals */
    JA_STYLE_GIB_1,
    JA_STYLE_GIB,
    JA_STYLE_NUMBER,
    JA_STYLE_SPAN,
    JA_STYLE_TIME,
    JA_STYLE_LINK,
    JA_STYLE_RED, /* from here on: for conditional formats */
    JA_STYLE_ORANGE,
    JA_STYLE_YELLOW,
    JA_STYLE_GREEN,
    JA_STYLE_BLUE,
    JA_STYLE_PALE_BLUE,
    JA_STYLE_PURPLE,
    JA_STYLE_GREY,
    JA_STYLE_COUNT,
};

struct ja_book {
    lxw_workbook *workbook;
    const struct ja_case *item;
    const struct ja_report_options *options;
    struct ja_arena *arena;
    struct ja_tables tables;
    lxw_format *styles[JA_STYLE_COUNT];
    lxw_row_t *finding_rows;   /* row of each finding on the first sheet; 0: none */
    lxw_row_t *evidence_rows;  /* row of each cite on its sheet; 0: left out there */
    lxw_worksheet *chart_data; /* the figures that charts draw */
    lxw_col_t chart_column;    /* its next free column */
    lxw_row_t chart_last_row;
    bool growth_drawn, books_drawn;
    lxw_row_t growth_chart_row; /* where charts stand, for links */
    lxw_col_t growth_chart_column;
    lxw_row_t books_chart_row;
    lxw_col_t books_chart_column;
    lxw_error error; /* the first one */
};

#define JA_SHEET_FIRST "Read first"
#define JA_SHEET_CHART_DATA "Chart data"

/* ---- xlsx_cells.c: one cell each; unknown values leave it empty */

void ja_book_styles(struct ja_book *book);
/* The sheet of that name; all are made at the start, in their order. */
lxw_worksheet *ja_book_sheet(struct ja_book *book, const char *name);
void ja_book_text(struct ja_book *book, lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column,
                  const char *text, enum ja_style style);
void ja_book_number(struct ja_book *book, lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column,
                    double value, enum ja_style style);
/* Above 2^53 as text: a cell's number is a double. */
void ja_book_whole(struct ja_book *book, lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column,
                   int64_t value, enum ja_style style);
/* bytes as GiB, with no more decimals than step_bytes (0: free) supports. */
void ja_book_gib(struct ja_book *book, lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column,
                 int64_t bytes, int64_t step_bytes);
void ja_book_time(struct ja_book *book, lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column,
                  const struct ja_instant *at);
void ja_book_link(struct ja_book *book, lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column,
                  const char *target, lxw_row_t target_row, lxw_col_t target_column,
                  const char *text);
/* Unix time in the workbook's days. */
double ja_book_days(int64_t unix_ns);
/* The lines that text takes in a column of width characters, at least 1. */
int ja_book_lines(const char *text, double width);
void ja_book_height(struct ja_book *book, lxw_worksheet *sheet, lxw_row_t row, int lines);
void ja_book_check(struct ja_book *book, lxw_error error);

/* ---- xlsx_table.c: one table on one sheet */

#define JA_MOST_COLUMNS 32

struct ja_grid {
    lxw_worksheet *sheet;
    const struct ja_table *table;
    int columns[JA_MOST_COLUMNS]; /* the table's column in each sheet column (GiB, not bytes) */
    lxw_col_t main_count, count;  /* without and with those of raw bytes */
    lxw_col_t printed;            /* the first ones, that fit on paper */
    lxw_row_t last_row;           /* of the table, or of its note */
};

/* Prints a table: chosen columns (count entries) in that order, GiB in place and raw bytes in a
 * block at the right. Columns that only tell apart what is not there (the host of one machine, an
 * empty category) are left out. The first frozen columns stay in view, the first printed ones (0:
 * all) go on paper. False on an error. */
bool ja_book_table(struct ja_book *book, enum ja_table_id id, const int *columns, size_t count,
                   lxw_col_t frozen, lxw_col_t printed, struct ja_grid *ret);
/* The sheet column that shows a table's column; it must be there. */
lxw_col_t ja_grid_column(const struct ja_grid *grid, int column);
void ja_book_header(struct ja_book *book, lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column,
                    const char *title, bool number);
/* Landscape, one page wide, repeated header rows, footer. */
void ja_book_page(struct ja_book *book, lxw_worksheet *sheet, lxw_row_t header_row,
                  lxw_row_t last_row, lxw_col_t last_column);
/* Colours of grades, severities, verdicts and events, by their words. */
void ja_book_colors(struct ja_book *book, lxw_worksheet *sheet, lxw_row_t first_row,
                    lxw_row_t last_row, lxw_col_t column);
/* E001 as a link to its row, "+2" when more are meant. */
void ja_book_refs(struct ja_book *book, lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column,
                  const uint32_t *cites, size_t count);

/* ---- xlsx_plot.c: series of points for charts */

struct ja_plot {
    lxw_col_t column;
    lxw_row_t count;
};

struct ja_picture {
    lxw_chart *chart;
    double unit_bytes; /* of its value axis */
    const char *unit;
    int64_t from_ns, to_ns;
    double lowest, highest; /* of all points, in units */
};

/* A chart (LXW_CHART_SCATTER..., LXW_CHART_COLUMN) whose unit suits values up to highest_bytes.
 * title may name evidence. */
bool ja_picture_new(struct ja_book *book, uint8_t type, const char *title, int64_t highest_bytes,
                    struct ja_picture *ret);
/* A series is begun, filled and added; its name may be evidence. value NaN: the line is broken. */
void ja_plot_begin(struct ja_book *book, const struct ja_picture *picture, const char *name,
                   struct ja_plot *ret);
void ja_plot_point(struct ja_book *book, struct ja_picture *picture, struct ja_plot *plot,
                   int64_t unix_ns, double bytes);
lxw_chart_series *ja_plot_add(struct ja_book *book, struct ja_picture *picture,
                              const struct ja_plot *plot);
/* A dashed level from one end of the picture's time to the other. */
void ja_picture_level(struct ja_book *book, struct ja_picture *picture, const char *name,
                      int64_t bytes, lxw_color_t color, uint8_t dash);
/* Axes by what was drawn (from_zero: the value axis begins at 0), then onto the sheet. */
void ja_picture_insert(struct ja_book *book, struct ja_picture *picture, lxw_worksheet *sheet,
                       lxw_row_t row, lxw_col_t column, int x_pixels, bool from_zero);

#define JA_CHART_PIXELS 700 /* width of a chart */
#define JA_CHART_ROWS 22    /* that a chart covers */
/* Colours that the colour-blind can tell apart. */
#define JA_COLOR_BLUE 0x0072B2
#define JA_COLOR_ORANGE 0xE69F00
#define JA_COLOR_BOOKS 0x7F7F7F
#define JA_COLOR_CAP 0xC00000

/* ---- the sheets */

/* Machines with OS and RAM; files by how far they were read. */
const char *ja_book_hosts(const struct ja_book *book);
const char *ja_book_files(const struct ja_book *book);
/* Also fills finding_rows. */
void ja_book_first(struct ja_book *book, lxw_worksheet *sheet);
bool ja_book_growth(struct ja_book *book);
/* The chart of one series, beside the first chart. */
void ja_book_grower(struct ja_book *book, const struct ja_series *series, const char *name,
                    lxw_worksheet *sheet);
bool ja_book_books(struct ja_book *book);
bool ja_book_about(struct ja_book *book);

#endif
