/* SPDX-License-Identifier: MIT
 *
 * The workbook: books against physical use. A chart over time (columns when there is one moment
 * only), and the bridge of the worst state.
 */
#include "reports/xlsx.h"

#include <math.h>
#include <stdlib.h>

#include "model/bridge.h"
#include "reports/text.h"

#define SHORT_TABLE 60
#define MOST_STATES 2000 /* in a chart: of more, every n-th and the last */
#define BRIDGE_COLUMNS 5 /* that the words of a step are merged over */

/* What the chart shows of a state, in this order. */
static const struct {
    const char *name;
    lxw_color_t color;
} lines[] = {{"books (sum of processes)", JA_COLOR_BOOKS},
             {"physical use", JA_COLOR_BLUE},
             {"swap used", JA_COLOR_ORANGE},
             {"RAM", LXW_COLOR_BLACK},
             {"managed by the kernel", LXW_COLOR_BLACK}};
enum { BOOKS, PHYSICAL, SWAP, RAM, MANAGED, LINES };

static int64_t figure(const struct ja_state *s, size_t line)
{
    switch (line) {
    case BOOKS:
        return s->books.known ? s->books.sum_bytes : JA_UNKNOWN;
    case PHYSICAL:
        return s->figures[JA_FIGURE_USED];
    case SWAP:
        return s->figures[JA_FIGURE_SWAP_USED];
    case RAM:
        return s->figures[JA_FIGURE_RAM];
    default:
        return s->figures[JA_FIGURE_MANAGED];
    }
}

/* Where RAM is not in the evidence, what the kernel manages takes its place. */
static bool is_drawn(const struct ja_state *const *states, size_t count, size_t line)
{
    for (size_t i = 0; line == MANAGED && i < count; i++)
        if (figure(states[i], RAM) != JA_UNKNOWN)
            return false;
    return true;
}

static bool tells(const struct ja_state *s)
{
    return figure(s, BOOKS) != JA_UNKNOWN || figure(s, PHYSICAL) != JA_UNKNOWN ||
           figure(s, SWAP) != JA_UNKNOWN;
}

static int by_time(const void *a, const void *b)
{
    const struct ja_state *const *x = a, *const *y = b;
    int order = ja_instant_order(&(*x)->at, &(*y)->at);
    return order ? order : *x < *y ? -1 : *x > *y;
}

/* The machine of the worst state, else of the first one that tells something. */
static uint32_t host_to_show(const struct ja_case *item)
{
    const struct ja_state *worst = ja_worst_state(item);
    for (size_t i = 0; !worst && i < item->state_count; i++)
        if (!item->states[i].of && tells(&item->states[i]))
            worst = &item->states[i];
    return worst ? worst->host : JA_NONE;
}

static size_t thin(const struct ja_state **states, size_t count)
{
    size_t stride = count / MOST_STATES + 1, kept = 0;
    for (size_t i = 0; i < count; i++)
        if (i % stride == 0 || i + 1 == count)
            states[kept++] = states[i];
    return kept;
}

static size_t list_states(struct ja_book *book, uint32_t host, const struct ja_state ***ret)
{
    const struct ja_case *item = book->item;
    const struct ja_state **states = ja_arena_alloc(book->arena, item->state_count, sizeof *states);
    size_t count = 0;
    for (size_t i = 0; i < item->state_count; i++)
        if (item->states[i].host == host && !item->states[i].of && tells(&item->states[i]))
            states[count++] = &item->states[i];
    if (count)
        qsort(states, count, sizeof *states, by_time);
    *ret = states;
    return thin(states, count);
}

static int64_t highest(const struct ja_state **states, size_t count)
{
    int64_t most = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t line = 0; line < LINES; line++)
            if (figure(states[i], line) > most)
                most = figure(states[i], line);
    return most;
}

static void draw_line(struct ja_book *book, struct ja_picture *picture,
                      const struct ja_state **states, size_t count, size_t line)
{
    struct ja_plot plot;
    if (!is_drawn(states, count, line))
        return;
    ja_plot_begin(book, picture, lines[line].name, &plot);
    for (size_t i = 0; i < count; i++)
        if (ja_instant_known(&states[i]->at) && figure(states[i], line) != JA_UNKNOWN)
            ja_plot_point(book, picture, &plot, states[i]->at.unix_ns,
                          (double)figure(states[i], line));
    lxw_chart_series *series = plot.count ? ja_plot_add(book, picture, &plot) : NULL;
    if (!series)
        return;
    lxw_chart_line look = {.color = lines[line].color,
                           .width = 2,
                           .dash_type =
                               line >= RAM ? LXW_CHART_LINE_DASH_DASH : LXW_CHART_LINE_DASH_SOLID};
    lxw_chart_line edge = {.color = lines[line].color, .width = 0.75f};
    lxw_chart_fill fill = {.color = lines[line].color};
    chart_series_set_line(series, &look);
    chart_series_set_marker_type(series,
                                 line >= RAM ? LXW_CHART_MARKER_NONE : LXW_CHART_MARKER_CIRCLE);
    chart_series_set_marker_size(series, count > 60 ? 3 : 6);
    chart_series_set_marker_line(series, &edge);
    chart_series_set_marker_fill(series, &fill);
}

static const char *title_of(struct ja_book *book, uint32_t host)
{
    const char *title = "Books against physical use";
    return book->item->host_count > 1
               ? ja_arena_print(book->arena, "%s: %s", title, book->item->hosts[host].label)
               : title;
}

/* RAM is a frame, not a sum of something. */
static void color_column(lxw_chart_series *series, size_t line)
{
    lxw_chart_fill fill = {.color = lines[line].color, .none = line >= RAM};
    lxw_chart_line edge = {.color = lines[line].color, .width = 1.25f};
    chart_series_set_fill(series, &fill);
    chart_series_set_line(series, &edge);
}

/* One moment: no time axis. One column each, so that every one has its name and colour. */
static void draw_columns(struct ja_book *book, const struct ja_state *state, uint32_t host,
                         lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column)
{
    struct ja_picture picture;
    if (!ja_picture_new(book, LXW_CHART_COLUMN, title_of(book, host), highest(&state, 1), &picture))
        return;
    for (size_t line = 0; line < LINES; line++) {
        struct ja_plot plot;
        if (figure(state, line) == JA_UNKNOWN || !is_drawn(&state, 1, line))
            continue;
        ja_plot_begin(book, &picture, lines[line].name, &plot);
        /* A category, not a time: with one moment there is no axis. */
        ja_plot_point(book, &picture, &plot, ja_instant_known(&state->at) ? state->at.unix_ns : 0,
                      (double)figure(state, line));
        ja_book_text(book, book->chart_data, 2, plot.column, ja_when(book->arena, &state->at),
                     JA_STYLE_TEXT);
        lxw_chart_series *series = ja_plot_add(book, &picture, &plot);
        if (series)
            color_column(series, line);
    }
    chart_axis_set_name(picture.chart->y_axis, picture.unit);
    picture.from_ns = INT64_MAX; /* axes as the program likes */
    picture.to_ns = INT64_MIN;
    ja_picture_insert(book, &picture, sheet, row, column, 0, true);
}

static void draw_chart(struct ja_book *book, lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column)
{
    const struct ja_state **states;
    struct ja_picture picture;
    uint32_t host = host_to_show(book->item);
    size_t count = host == JA_NONE ? 0 : list_states(book, host, &states), dated = 0;
    for (size_t i = 0; i < count; i++)
        dated += ja_instant_known(&states[i]->at);
    if (!count) {
        ja_book_text(book, sheet, row, column, "No chart: nothing to compare is in the evidence.",
                     JA_STYLE_NOTE);
        return;
    }
    book->books_drawn = true;
    if (dated < 2) {
        const struct ja_state *worst = ja_worst_state(book->item);
        draw_columns(book, worst ? worst : states[0], host, sheet, row, column);
        return;
    }
    if (!ja_picture_new(book, LXW_CHART_SCATTER_STRAIGHT_WITH_MARKERS, title_of(book, host),
                        highest(states, count), &picture))
        return;
    for (size_t line = 0; line < LINES; line++)
        draw_line(book, &picture, states, count, line);
    ja_picture_insert(book, &picture, sheet, row, column, 0, true);
}

static void put_step(struct ja_book *book, lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column,
                     const char *what, int64_t bytes, bool strong)
{
    lxw_format *format = book->styles[strong ? JA_STYLE_BOLD : JA_STYLE_TEXT];
    ja_book_check(book, worksheet_merge_range(sheet, row, column, row,
                                              (lxw_col_t)(column + BRIDGE_COLUMNS - 1),
                                              ja_xlsx(book->arena, what), format));
    ja_book_gib(book, sheet, row, (lxw_col_t)(column + BRIDGE_COLUMNS), bytes, 0);
    lxw_col_t exact = (lxw_col_t)(column + BRIDGE_COLUMNS + 1);
    ja_book_check(book, worksheet_merge_range(sheet, row, exact, row, (lxw_col_t)(exact + 1), "",
                                              book->styles[JA_STYLE_BYTES]));
    ja_book_whole(book, sheet, row, exact, bytes, JA_STYLE_BYTES);
}

static lxw_row_t put_steps(struct ja_book *book, lxw_worksheet *sheet, lxw_row_t row,
                           lxw_col_t column, const struct ja_state *state)
{
    struct ja_bridge bridge;
    ja_bridge_build(state, &bridge);
    put_step(book, sheet, row++, column,
             ja_arena_print(book->arena, "books: sum of %zu processes (%s)", state->books.processes,
                            ja_metrics[state->books.metric].name),
             bridge.books_bytes, true);
    for (size_t i = 0; i < bridge.count; i++) {
        const struct ja_bridge_step *step = &bridge.steps[i];
        put_step(book, sheet, row++, column,
                 ja_arena_print(book->arena, "%s %s%s", step->bytes < 0 ? "less" : "plus",
                                step->bound ? "at most " : "", step->what),
                 step->bytes, false);
    }
    put_step(book, sheet, row++, column, "not explained by these figures (residual)",
             bridge.residual_bytes, false);
    put_step(book, sheet, row++, column, "physical use", bridge.used_bytes, true);
    return row;
}

/* Returns the row after it. */
static lxw_row_t put_bridge(struct ja_book *book, lxw_worksheet *sheet, lxw_row_t row,
                            lxw_col_t column)
{
    const struct ja_state *state = ja_worst_state(book->item);
    if (!state)
        return row;
    const char *host =
        book->item->host_count > 1
            ? ja_arena_print(book->arena, " on %s", book->item->hosts[state->host].label)
            : "";
    ja_book_text(book, sheet, row++, column,
                 ja_arena_print(book->arena,
                                "From books to physical use, at the worst moment: %s%s",
                                ja_when(book->arena, &state->at), host),
                 JA_STYLE_BOLD);
    ja_book_text(book, sheet, row++, column, ja_state_words(book->arena, state), JA_STYLE_NOTE);
    ja_book_header(book, sheet, row, column, "Step", false);
    for (lxw_col_t c = 1; c < BRIDGE_COLUMNS; c++)
        ja_book_check(book, worksheet_write_blank(sheet, row, (lxw_col_t)(column + c),
                                                  book->styles[JA_STYLE_HEADER]));
    ja_book_header(book, sheet, row, (lxw_col_t)(column + BRIDGE_COLUMNS), "GiB", true);
    ja_book_check(book, worksheet_write_blank(sheet, row, (lxw_col_t)(column + BRIDGE_COLUMNS + 1),
                                              book->styles[JA_STYLE_HEADER]));
    ja_book_header(book, sheet, row++, (lxw_col_t)(column + BRIDGE_COLUMNS + 2), "bytes", true);
    return put_steps(book, sheet, row, column, state);
}

bool ja_book_books(struct ja_book *book)
{
    static const int columns[] = {1,  0,  2,  3,  7,  8, 18, 16, 17, 10,
                                  11, 12, 13, 14, 15, 9, 5,  6,  4,  19};
    struct ja_grid grid;
    if (!ja_book_table(book, JA_TABLE_BOOKS, columns, sizeof columns / sizeof *columns, 1, 0,
                       &grid))
        return false;
    bool below = grid.table->row_count <= SHORT_TABLE;
    lxw_row_t row = below ? grid.last_row + 2 : 1;
    lxw_col_t column = below ? 0 : (lxw_col_t)(grid.count + 1);
    if (!below)
        ja_book_check(
            book, worksheet_set_column(grid.sheet, column, column + BRIDGE_COLUMNS + 2, 16, NULL));
    book->books_chart_row = row;
    book->books_chart_column = column;
    lxw_row_t after = put_bridge(book, grid.sheet, row, column);
    lxw_col_t beside = (lxw_col_t)(column + BRIDGE_COLUMNS + 4);
    draw_chart(book, grid.sheet, row, after > row ? beside : column);
    if (below)
        ja_book_page(book, grid.sheet, 0, row + JA_CHART_ROWS, grid.printed - 1);
    return true;
}
