/* SPDX-License-Identifier: MIT
 *
 * The workbook: the top grower alone. One series per reading step, because error bars belong to a
 * series: a reading of step 1 GiB must not look as sure as one of 16 KiB. Coarse ones are hollow.
 */
#include "reports/xlsx.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/text.h"

#define MOST_STEPS 6
#define MOST_POINTS 4000
/* A step coarser than this part of what is drawn can be seen as a bar. */
#define VISIBLE_PART 0.01

struct step {
    int64_t bytes;
    double below, above; /* how far the truth may lie from the printed value, bytes */
};

static int by_size(const void *a, const void *b)
{
    const struct step *x = a, *y = b;
    return x->bytes < y->bytes ? -1 : x->bytes > y->bytes;
}

/* The steps of a series, finest first. */
static size_t list_steps(const struct ja_series *s, struct step *steps)
{
    size_t count = 0;
    for (size_t i = 0; i < s->point_count; i++) {
        struct ja_point p = ja_point_at(s, i);
        size_t k = 0;
        while (k < count && steps[k].bytes != p.resolution)
            k++;
        if (k == MOST_STEPS)
            continue;
        if (k == count)
            steps[count++] = (struct step){.bytes = p.resolution};
        steps[k].below = fmax(steps[k].below, (double)(p.value - p.low));
        steps[k].above = fmax(steps[k].above, (double)(p.high - p.value));
    }
    qsort(steps, count, sizeof *steps, by_size);
    return count;
}

/* The bar is the interval of the reading: half a step either way, or a whole step upwards where
 * the tool cuts digits off. */
static void set_bars(lxw_chart_series *series, const struct step *step, double unit_bytes)
{
    lxw_series_error_bars *bars = chart_series_get_error_bars(series, LXW_CHART_ERROR_BAR_AXIS_Y);
    double size = fmax(step->below, step->above) / unit_bytes;
    if (!(size > 0))
        return;
    chart_series_set_error_bars(bars, LXW_CHART_ERROR_BAR_TYPE_FIXED, size);
    chart_series_set_error_bars_direction(bars, step->below <= 0   ? LXW_CHART_ERROR_BAR_DIR_PLUS
                                                : step->above <= 0 ? LXW_CHART_ERROR_BAR_DIR_MINUS
                                                                   : LXW_CHART_ERROR_BAR_DIR_BOTH);
    lxw_chart_line line = {.color = 0x595959, .width = 1};
    chart_series_set_error_bars_line(bars, &line);
}

static void draw_step(struct ja_book *book, struct ja_picture *picture, const struct ja_series *s,
                      const struct step *step, size_t index, bool hollow)
{
    static const lxw_color_t colors[MOST_STEPS] = {0x0072B2, 0xD55E00, 0x009E73,
                                                   0xCC79A7, 0xE69F00, 0x636363};
    struct ja_plot plot;
    size_t stride = s->point_count / MOST_POINTS + 1;
    ja_plot_begin(book, picture,
                  ja_arena_print(book->arena, "read in steps of %s%s",
                                 ja_bytes(book->arena, step->bytes, 0), hollow ? " (hollow)" : ""),
                  &plot);
    for (size_t i = 0; i < s->point_count; i++) {
        struct ja_point p = ja_point_at(s, i);
        if (p.resolution == step->bytes && p.at && ja_instant_known(p.at) && i % stride == 0)
            ja_plot_point(book, picture, &plot, p.at->unix_ns, (double)p.value);
    }
    lxw_chart_series *series = plot.count ? ja_plot_add(book, picture, &plot) : NULL;
    if (!series)
        return;
    lxw_chart_line none = {.none = 1}, edge = {.color = colors[index], .width = 1.5f};
    lxw_chart_fill fill = {.color = colors[index], .none = hollow};
    chart_series_set_line(series, &none);
    chart_series_set_marker_type(series, LXW_CHART_MARKER_CIRCLE);
    chart_series_set_marker_size(series, s->point_count > 60 ? 4 : 7);
    chart_series_set_marker_line(series, &edge);
    chart_series_set_marker_fill(series, &fill);
    set_bars(series, step, picture->unit_bytes);
}

/* A straight line of the judged slope through the middle of the readings: the same number as in
 * the table, not one that the spreadsheet fits. Only where growth is proved. */
static void draw_trend(struct ja_book *book, struct ja_picture *picture, const struct ja_series *s)
{
    struct ja_growth growth = ja_series_growth(s);
    double slope = growth.best_bytes_per_hour, time = 0, value = 0, count = 0;
    if (growth.verdict != JA_GROWING || !isfinite(slope))
        return;
    int64_t from = picture->from_ns, to = picture->to_ns;
    for (size_t i = 0; i < s->point_count; i++) {
        struct ja_point p = ja_point_at(s, i);
        if (!p.at || !ja_instant_known(p.at))
            continue;
        time += (double)(p.at->unix_ns - from) / (double)JA_NS_PER_HOUR;
        value += (double)p.value;
        count++;
    }
    double span = (double)(to - from) / (double)JA_NS_PER_HOUR;
    double begin = (value - slope * time) / count;
    struct ja_plot plot;
    ja_plot_begin(book, picture,
                  ja_arena_print(book->arena, "trend of %s (95 %%: %s to %s)",
                                 ja_rate(book->arena, slope),
                                 ja_rate(book->arena, growth.low_bytes_per_hour),
                                 ja_rate(book->arena, growth.high_bytes_per_hour)),
                  &plot);
    ja_plot_point(book, picture, &plot, from, begin);
    ja_plot_point(book, picture, &plot, to, begin + slope * span);
    lxw_chart_series *series = ja_plot_add(book, picture, &plot);
    if (!series)
        return;
    lxw_chart_line line = {
        .color = 0x595959, .width = 1.25f, .dash_type = LXW_CHART_LINE_DASH_ROUND_DOT};
    chart_series_set_line(series, &line);
    chart_series_set_marker_type(series, LXW_CHART_MARKER_NONE);
}

static const char *title_of(struct ja_book *book, const struct ja_series *s, const char *name)
{
    struct ja_growth g = ja_series_growth(s);
    const char *verdict = g.verdict == JA_GROWING       ? "growing"
                          : g.verdict == JA_NOT_GROWING ? "not growing"
                                                        : "whether it grows cannot be told";
    if (g.net_low_bytes == JA_UNKNOWN || g.net_high_bytes == JA_UNKNOWN)
        return ja_arena_print(book->arena, "%s: %s", name, verdict);
    const char *low = ja_bytes(book->arena, g.net_low_bytes, g.resolution_bytes);
    const char *high = ja_bytes(book->arena, g.net_high_bytes, g.resolution_bytes);
    bool one = strcmp(low, high) == 0; /* to the digits that are shown */
    return ja_arena_print(book->arena, "%s: %s; gain %s%s%s", name, verdict, low, one ? "" : " to ",
                          one ? "" : high);
}

void ja_book_grower(struct ja_book *book, const struct ja_series *s, const char *name,
                    lxw_worksheet *sheet)
{
    struct step steps[MOST_STEPS];
    struct ja_picture picture;
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (size_t i = 0; i < s->point_count; i++) {
        low = ja_point_at(s, i).value < low ? ja_point_at(s, i).value : low;
        high = ja_point_at(s, i).value > high ? ja_point_at(s, i).value : high;
    }
    if (!ja_picture_new(book, LXW_CHART_SCATTER_STRAIGHT_WITH_MARKERS, title_of(book, s, name),
                        high, &picture))
        return;
    size_t count = list_steps(s, steps);
    for (size_t i = 0; i < count; i++)
        draw_step(book, &picture, s, &steps[i], i,
                  i > 0 || (double)steps[i].bytes > VISIBLE_PART * (double)(high - low));
    draw_trend(book, &picture, s);
    ja_picture_insert(book, &picture, sheet, book->growth_chart_row, book->growth_chart_column,
                      JA_CHART_PIXELS + 15, false);
}
