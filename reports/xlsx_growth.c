/* SPDX-License-Identifier: MIT
 *
 * The workbook: the sheet Growth, and which processes its charts show.
 */
#include "reports/xlsx.h"

#include <math.h>
#include <string.h>

#include "model/gaps.h"
#include "reports/text.h"

#define MOST_SERIES 8
#define MOST_POINTS 4000 /* of one series in a chart */
#define MOST_CAPS 3
/* A curve so far below the highest one cannot be told from the axis. */
#define LEAST_PART 0.03
/* A level so many times above everything else is named, not drawn: it would flatten the rest. */
#define WORTH_DRAWING 4.0
/* Rows below which charts stand under the table; else at its right, to be found at all. */
#define SHORT_TABLE 60
#define LEAST_FOR_BREAKS 5

struct choice {
    const struct ja_series *series[MOST_SERIES];
    size_t count;
};

static size_t dated_points(const struct ja_series *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->point_count; i++)
        count += ja_point_at(s, i).at && ja_instant_known(ja_point_at(s, i).at);
    return count;
}

static void choose(struct choice *choice, const struct ja_series *s)
{
    if (choice->count == MOST_SERIES || dated_points(s) < 2)
        return;
    for (size_t i = 0; i < choice->count; i++)
        if (choice->series[i]->process == s->process)
            return;
    choice->series[choice->count++] = s;
}

static void choose_cited(const struct ja_case *item, struct choice *choice, const char *rule)
{
    for (size_t i = 0; i < item->finding_count; i++) {
        const struct ja_finding *f = &item->findings[i];
        if (f->process == JA_NONE || f->metric < 0 || (rule && strcmp(rule, f->rule) != 0))
            continue;
        const struct ja_series *s = ja_process_series(item, f->process, (enum ja_metric)f->metric);
        if (s && item->processes[f->process].shown)
            choose(choice, s);
    }
}

/* Growing ones first, then those that other findings speak of, then the largest. */
static void choose_all(struct ja_book *book, struct choice *choice)
{
    const uint32_t *order = book->tables.growth_order;
    const bool *marks = ja_series_marks(book->item, book->arena);
    choose_cited(book->item, choice, "growing");
    choose_cited(book->item, choice, NULL);
    for (size_t i = 0; i < book->tables.growth_count; i++) {
        const struct ja_series *s = &book->item->series[order[i]];
        unsigned unfit = JA_NO_GROWTH_FINDING | JA_COUNTS_PEAK;
        if (marks[order[i]] && !s->category && !(ja_metrics[s->metric].counts & unfit))
            choose(choice, s);
    }
}

static int64_t highest_of(const struct ja_series *const *series, size_t count)
{
    int64_t highest = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t p = 0; p < series[i]->point_count; p++)
            if (ja_point_at(series[i], p).value > highest)
                highest = ja_point_at(series[i], p).value;
    return highest;
}

/* Leaves out what would lie on the axis. The first one, the top grower, stays. */
static void drop_small(struct choice *choice)
{
    double least = LEAST_PART * (double)highest_of(choice->series, choice->count);
    size_t kept = 1;
    for (size_t i = 1; i < choice->count; i++)
        if ((double)highest_of(&choice->series[i], 1) >= least)
            choice->series[kept++] = choice->series[i];
    choice->count = kept;
}

static const char *series_name(const struct ja_book *book, const struct ja_series *s)
{
    const struct ja_process *p = &book->item->processes[s->process];
    const char *host = book->item->host_count > 1
                           ? ja_arena_print(book->arena, " on %s", book->item->hosts[p->host].label)
                           : "";
    return ja_arena_print(book->arena, "%s%s, %s", ja_process_text(book->item, s->process), host,
                          ja_metrics[s->metric].name);
}

/* In a gap nothing was measured: no line is drawn over it. Two or three readings would be left
 * without any line: theirs is kept. */
static bool is_break(const struct ja_series *s, size_t index, const struct ja_gap *gaps,
                     size_t count)
{
    if (index == 0 || s->point_count < LEAST_FOR_BREAKS)
        return false;
    int64_t from = ja_point_at(s, index - 1).at->unix_ns, to = ja_point_at(s, index).at->unix_ns;
    for (size_t i = 0; i < count; i++)
        if (from <= gaps[i].from.at->unix_ns && gaps[i].to.at->unix_ns <= to)
            return true;
    return false;
}

static void draw_points(struct ja_book *book, struct ja_picture *picture, struct ja_plot *plot,
                        const struct ja_series *s)
{
    size_t stride = s->point_count / MOST_POINTS + 1;
    const struct ja_instant *before = NULL;
    struct ja_gap *gaps;
    size_t count =
        ja_gaps_find(book->item, book->item->processes[s->process].host, book->arena, &gaps);
    for (size_t i = 0; i < s->point_count; i++) {
        struct ja_point p = ja_point_at(s, i);
        if (!p.at || !ja_instant_known(p.at) || (i % stride && i + 1 < s->point_count))
            continue;
        if (before && stride == 1 && is_break(s, i, gaps, count))
            ja_plot_point(book, picture, plot, before->unix_ns + 1, NAN);
        ja_plot_point(book, picture, plot, p.at->unix_ns, (double)p.value);
        before = p.at;
    }
}

static void draw_series(struct ja_book *book, struct ja_picture *picture, const struct ja_series *s,
                        size_t index)
{
    static const lxw_color_t colors[MOST_SERIES] = {0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7,
                                                    0xE69F00, 0x56B4E9, 0x8C6D31, 0x636363};
    struct ja_plot plot;
    ja_plot_begin(book, picture, series_name(book, s), &plot);
    draw_points(book, picture, &plot, s);
    lxw_chart_series *series = ja_plot_add(book, picture, &plot);
    if (!series)
        return;
    lxw_chart_line line = {.color = colors[index], .width = 2};
    lxw_chart_line edge = {.color = colors[index], .width = 0.75f};
    lxw_chart_fill fill = {.color = colors[index]};
    chart_series_set_line(series, &line);
    chart_series_set_marker_type(series, LXW_CHART_MARKER_CIRCLE);
    chart_series_set_marker_size(series, s->point_count > 60 ? 3 : 6);
    chart_series_set_marker_line(series, &edge);
    chart_series_set_marker_fill(series, &fill);
}

/* One line per cap that lies in reach of what is drawn, the reached ones first. */
static void draw_caps(struct ja_book *book, struct ja_picture *picture, const struct choice *choice,
                      double ceiling)
{
    static const uint8_t dashes[MOST_CAPS] = {LXW_CHART_LINE_DASH_DASH,
                                              LXW_CHART_LINE_DASH_SQUARE_DOT,
                                              LXW_CHART_LINE_DASH_LONG_DASH_DOT};
    int64_t drawn[MOST_CAPS];
    size_t count = 0;
    for (int reached = 1; reached >= 0; reached--)
        for (size_t i = 0; i < choice->count; i++)
            for (size_t c = 0; c < choice->series[i]->cap_count && count < MOST_CAPS; c++) {
                const struct ja_cap *cap = &choice->series[i]->caps[c];
                bool again = cap->reached != (reached == 1) || (double)cap->cap_bytes > ceiling;
                for (size_t k = 0; k < count; k++)
                    again |= drawn[k] == cap->cap_bytes;
                if (again || cap->cap_bytes == JA_UNKNOWN)
                    continue;
                drawn[count++] = cap->cap_bytes;
                ja_picture_level(book, picture,
                                 ja_arena_print(book->arena, "cap %s, %s%s", cap->name,
                                                ja_bytes(book->arena, cap->cap_bytes, 0),
                                                cap->reached ? " (reached)" : ""),
                                 cap->cap_bytes, JA_COLOR_CAP, dashes[count - 1]);
            }
}

static int64_t ram_of(const struct ja_book *book, const struct choice *choice)
{
    uint32_t host = book->item->processes[choice->series[0]->process].host;
    for (size_t i = 1; i < choice->count; i++)
        if (book->item->processes[choice->series[i]->process].host != host)
            return JA_UNKNOWN; /* several machines: no one line */
    return book->item->hosts[host].ram_bytes;
}

static void draw_overview(struct ja_book *book, const struct choice *choice, lxw_worksheet *sheet)
{
    struct ja_picture picture;
    int64_t highest = highest_of(choice->series, choice->count), ram = ram_of(book, choice);
    double ceiling = WORTH_DRAWING * (double)highest;
    bool shows_ram = ram != JA_UNKNOWN && (double)ram <= ceiling;
    const char *title = "Memory of the processes that matter";
    if (ram != JA_UNKNOWN && !shows_ram)
        title = ja_arena_print(book->arena, "%s (RAM, %s, lies above the picture)", title,
                               ja_bytes(book->arena, ram, 0));
    if (!ja_picture_new(book, LXW_CHART_SCATTER_STRAIGHT_WITH_MARKERS, title, highest, &picture))
        return;
    for (size_t i = 0; i < choice->count; i++)
        draw_series(book, &picture, choice->series[i], i);
    if (shows_ram)
        ja_picture_level(book, &picture,
                         ja_arena_print(book->arena, "RAM, %s", ja_bytes(book->arena, ram, 0)), ram,
                         LXW_COLOR_BLACK, LXW_CHART_LINE_DASH_DASH);
    draw_caps(book, &picture, choice, ceiling);
    ja_picture_insert(book, &picture, sheet, book->growth_chart_row, book->growth_chart_column, 0,
                      true);
}

static void put_charts(struct ja_book *book, const struct ja_grid *grid)
{
    struct choice choice = {.count = 0};
    lxw_worksheet *sheet = grid->sheet;
    bool below = grid->table->row_count <= SHORT_TABLE;
    book->growth_chart_row = below ? grid->last_row + 2 : 1;
    book->growth_chart_column = below ? 0 : (lxw_col_t)(grid->count + 1);
    choose_all(book, &choice);
    if (!choice.count) {
        ja_book_text(book, sheet, grid->last_row + 2, 0,
                     "No chart: no process that matters has two readings with times.",
                     JA_STYLE_NOTE);
        return;
    }
    drop_small(&choice);
    book->growth_drawn = true;
    draw_overview(book, &choice, sheet);
    ja_book_grower(book, choice.series[0], series_name(book, choice.series[0]), sheet);
    if (below)
        ja_book_page(book, sheet, 0, book->growth_chart_row + JA_CHART_ROWS,
                     (lxw_col_t)(grid->printed - 1));
}

bool ja_book_growth(struct ja_book *book)
{
    /* On paper: who, verdict, shape; from where to where, gain, slope; window and step; room. */
    static const int columns[] = {1,  2,  0,  3,  4,  5,  7,  8,  9,  10, 11, 12, 13,
                                  14, 15, 16, 17, 18, 20, 22, 24, 25, 6,  19, 21, 23};
    size_t count = sizeof columns / sizeof *columns;
    struct ja_grid grid;
    if (!ja_book_table(book, JA_TABLE_GROWTH, columns, count, 2, 22, &grid))
        return false;
    lxw_conditional_format bar = {.type = LXW_CONDITIONAL_DATA_BAR,
                                  .data_bar_2010 = LXW_TRUE,
                                  .bar_solid = LXW_TRUE,
                                  .bar_color = 0xF4B183};
    lxw_col_t gain = ja_grid_column(&grid, 13);
    if (grid.table->row_count)
        ja_book_check(book, worksheet_conditional_format_range(
                                grid.sheet, 1, gain, (lxw_row_t)grid.table->row_count, gain, &bar));
    put_charts(book, &grid);
    return true;
}
