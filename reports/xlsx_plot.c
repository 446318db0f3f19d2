/* SPDX-License-Identifier: MIT
 *
 * The workbook: scatter charts with true time axes. Their figures stand on the sheet Chart data;
 * names of series and titles are taken from its cells, never written into a chart as text, so that
 * a name which looks like a formula stays a name.
 */
#include "reports/xlsx.h"

#include <math.h>

#define CHART_X_PIXELS 480.0 /* the library's standard size */
#define CHART_Y_PIXELS 288.0
#define ROW_PIXELS 20
#define MOST_LABELS 8
#define FIRST_POINT_ROW 2

static const double steps_s[] = {1,     2,     5,      10,     15,     30,      60,      120,
                                 300,   600,   900,    1800,   3600,   7200,    10800,   21600,
                                 43200, 86400, 172800, 432000, 864000, 2592000, 7776000, 31536000};

bool ja_picture_new(struct ja_book *book, uint8_t type, const char *title, int64_t highest_bytes,
                    struct ja_picture *ret)
{
    bool large = highest_bytes >= JA_GIB / 2;
    *ret = (struct ja_picture){.chart = workbook_add_chart(book->workbook, type),
                               .unit_bytes = (double)(large ? JA_GIB : JA_MIB),
                               .unit = large ? "GiB" : "MiB",
                               .from_ns = INT64_MAX,
                               .to_ns = INT64_MIN,
                               .lowest = INFINITY,
                               .highest = -INFINITY};
    if (!ret->chart)
        return false;
    lxw_chart_font font = {.size = 11, .bold = 1};
    ja_book_text(book, book->chart_data, 0, book->chart_column, title, JA_STYLE_BOLD);
    chart_title_set_name_range(ret->chart, JA_SHEET_CHART_DATA, 0, book->chart_column);
    chart_title_set_name_font(ret->chart, &font);
    return true;
}

void ja_plot_begin(struct ja_book *book, const struct ja_picture *picture, const char *name,
                   struct ja_plot *ret)
{
    *ret = (struct ja_plot){.column = book->chart_column};
    lxw_col_t column = ret->column;
    book->chart_column = (lxw_col_t)(column + 2);
    ja_book_check(book, worksheet_set_column(book->chart_data, column, column, 20, NULL));
    ja_book_check(book, worksheet_set_column(book->chart_data, column + 1, column + 1, 30, NULL));
    ja_book_header(book, book->chart_data, 1, column,
                   ja_arena_print(book->arena, "Time (UTC); values in %s", picture->unit), false);
    ja_book_header(book, book->chart_data, 1, column + 1, name, true);
}

void ja_plot_point(struct ja_book *book, struct ja_picture *picture, struct ja_plot *plot,
                   int64_t unix_ns, double bytes)
{
    lxw_row_t row = FIRST_POINT_ROW + plot->count++;
    double value = bytes / picture->unit_bytes;
    book->chart_last_row = row > book->chart_last_row ? row : book->chart_last_row;
    ja_book_number(book, book->chart_data, row, plot->column, ja_book_days(unix_ns), JA_STYLE_TIME);
    ja_book_number(book, book->chart_data, row, (lxw_col_t)(plot->column + 1), value, JA_STYLE_GIB);
    if (!isfinite(value))
        return;
    picture->from_ns = unix_ns < picture->from_ns ? unix_ns : picture->from_ns;
    picture->to_ns = unix_ns > picture->to_ns ? unix_ns : picture->to_ns;
    picture->lowest = fmin(picture->lowest, value);
    picture->highest = fmax(picture->highest, value);
}

lxw_chart_series *ja_plot_add(struct ja_book *book, struct ja_picture *picture,
                              const struct ja_plot *plot)
{
    lxw_row_t last = FIRST_POINT_ROW + (plot->count ? plot->count - 1 : 0);
    lxw_chart_series *series = chart_add_series(picture->chart, NULL, NULL);
    if (!series) {
        ja_book_check(book, LXW_ERROR_MEMORY_MALLOC_FAILED);
        return NULL;
    }
    chart_series_set_categories(series, JA_SHEET_CHART_DATA, FIRST_POINT_ROW, plot->column, last,
                                plot->column);
    chart_series_set_values(series, JA_SHEET_CHART_DATA, FIRST_POINT_ROW,
                            (lxw_col_t)(plot->column + 1), last, (lxw_col_t)(plot->column + 1));
    chart_series_set_name_range(series, JA_SHEET_CHART_DATA, 1, (lxw_col_t)(plot->column + 1));
    return series;
}

void ja_picture_level(struct ja_book *book, struct ja_picture *picture, const char *name,
                      int64_t bytes, lxw_color_t color, uint8_t dash)
{
    if (bytes == JA_UNKNOWN || picture->from_ns > picture->to_ns)
        return;
    struct ja_plot plot;
    int64_t from = picture->from_ns, to = picture->to_ns;
    ja_plot_begin(book, picture, name, &plot);
    ja_plot_point(book, picture, &plot, from, (double)bytes);
    ja_plot_point(book, picture, &plot, to, (double)bytes);
    lxw_chart_series *series = ja_plot_add(book, picture, &plot);
    if (!series)
        return;
    lxw_chart_line line = {.color = color, .width = 1.75f, .dash_type = dash};
    chart_series_set_line(series, &line);
    chart_series_set_marker_type(series, LXW_CHART_MARKER_NONE);
}

/* Whole steps of a size that leaves room for the labels. */
static void set_time_axis(struct ja_picture *picture)
{
    lxw_chart_axis *axis = picture->chart->x_axis;
    double from = (double)picture->from_ns / 1e9, to = (double)picture->to_ns / 1e9;
    size_t i = 0, count = sizeof steps_s / sizeof *steps_s;
    while (i + 1 < count && (to - from) / steps_s[i] > MOST_LABELS)
        i++;
    double step = steps_s[i], low = floor(from / step) * step,
           high = ceil(to * 4 / step) * step / 4;
    if (high <= low)
        high = low + step;
    chart_axis_set_min(axis, low / 86400 + ja_book_days(0));
    chart_axis_set_max(axis, high / 86400 + ja_book_days(0));
    chart_axis_set_major_unit(axis, step / 86400);
    chart_axis_set_num_format(axis, step < 60      ? "hh:mm:ss"
                                    : step < 86400 ? "mm-dd hh:mm"
                                                   : "yyyy-mm-dd");
    chart_axis_set_name(axis, "UTC");
}

/* A round step of 1, 2 or 5 times a power of ten. */
static double round_step(double span)
{
    double power = pow(10, floor(log10(span / 5)));
    double times = span / 5 / power;
    return (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10) * power;
}

static void set_value_axis(struct ja_picture *picture, bool from_zero)
{
    lxw_chart_axis *axis = picture->chart->y_axis;
    double low = picture->lowest, high = picture->highest;
    double pad = fmax((high - low) * 0.1, high * (from_zero ? 0.05 : 0.002));
    low = from_zero ? 0 : fmax(0, low - pad);
    double step = round_step(fmax(high + pad - low, 1e-6));
    chart_axis_set_min(axis, floor(low / step) * step);
    chart_axis_set_max(axis, ceil((high + pad) / step) * step);
    chart_axis_set_major_unit(axis, step);
    chart_axis_set_num_format(axis, step >= 1 ? "0" : step >= 0.1 ? "0.0" : "0.00");
    chart_axis_set_name(axis, picture->unit);
    lxw_chart_line grid = {.color = 0xD9D9D9, .width = 0.75f};
    chart_axis_major_gridlines_set_line(axis, &grid);
}

void ja_picture_insert(struct ja_book *book, struct ja_picture *picture, lxw_worksheet *sheet,
                       lxw_row_t row, lxw_col_t column, int x_pixels, bool from_zero)
{
    if (picture->from_ns <= picture->to_ns) {
        set_time_axis(picture);
        set_value_axis(picture, from_zero);
    }
    chart_legend_set_position(picture->chart, LXW_CHART_LEGEND_BOTTOM);
    lxw_chart_options options = {.x_offset = x_pixels,
                                 .x_scale = JA_CHART_PIXELS / CHART_X_PIXELS,
                                 .y_scale = (JA_CHART_ROWS - 1) * ROW_PIXELS / CHART_Y_PIXELS,
                                 .object_position = LXW_OBJECT_DONT_MOVE_DONT_SIZE};
    ja_book_check(book, worksheet_insert_chart_opt(sheet, row, column, picture->chart, &options));
}
