/* SPDX-License-Identifier: MIT
 *
 * Growth of each series, and the limits that may apply to it.
 */
#include "reports/tables_parts.h"

#include <stdlib.h>

#define MOST_GROWTH_ROWS 1000
#define MOST_CAP_ROWS 1000

/* What the order of series goes by. */
struct rank {
    int64_t weight, last;
    uint32_t series;
};

static int64_t weight(const struct ja_series *series)
{
    const struct ja_growth_kept *g = series->growth;
    int64_t gain = g->gained ? ja_series_growth(series).net_low_bytes : 0;
    bool weak = ja_metrics[series->metric].counts & JA_NO_GROWTH_FINDING;
    /* Growing first, metrics that findings speak of first, then by what was surely gained. */
    return (g->verdict == JA_GROWING ? INT64_C(1) << 60 : 0) + (weak ? 0 : INT64_C(1) << 59) + gain;
}

static int by_rank(const void *a, const void *b)
{
    const struct rank *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    if (x->last != y->last)
        return x->last > y->last ? -1 : 1;
    return (x->series > y->series) - (x->series < y->series);
}

/* The first most in order (at least 1). What comes behind the last of an earlier choice is passed
 * by, so that few of very many are sorted. */
static struct rank *first_ranks(const struct ja_case *item, struct ja_arena *arena, size_t most,
                                size_t *ret_count, size_t *ret_all)
{
    size_t room = item->series_count / 2 < most ? item->series_count : 2 * most;
    struct rank *ranks = ja_arena_alloc(arena, room, sizeof *ranks);
    size_t count = 0, all = 0;
    bool chosen = false;
    for (uint32_t i = 0; i < item->series_count; i++) {
        const struct ja_series *s = &item->series[i];
        if (s->point_count < 2 || !item->processes[s->process].shown)
            continue;
        all++;
        struct rank rank = {weight(s), ja_last_point(s).value, i};
        if (chosen && by_rank(&rank, &ranks[most - 1]) > 0)
            continue;
        ranks[count++] = rank;
        if (count < room || room < 2 * most)
            continue;
        qsort(ranks, count, sizeof *ranks, by_rank);
        count = most;
        chosen = true;
    }
    if (count)
        qsort(ranks, count, sizeof *ranks, by_rank);
    *ret_count = count < most ? count : most;
    *ret_all = all;
    return ranks;
}

static const struct ja_cap *nearest_cap(const struct ja_series *s)
{
    const struct ja_cap *nearest = NULL;
    for (size_t i = 0; i < s->cap_count; i++)
        if (s->caps[i].distance_bytes != JA_UNKNOWN &&
            (!nearest || llabs(s->caps[i].distance_bytes) < llabs(nearest->distance_bytes)))
            nearest = &s->caps[i];
    return nearest;
}

static void add_growth_row(struct ja_tables *t, const struct ja_case *item,
                           const struct ja_series *s)
{
    const struct ja_process *p = &item->processes[s->process];
    struct ja_growth g = ja_series_growth(s);
    struct ja_point first = ja_first_point(s), last = ja_last_point(s);
    struct ja_row row = ja_row_add(t, JA_TABLE_GROWTH);
    ja_row_text(&row, item->hosts[p->host].label);
    ja_row_text(&row, ja_process_name(item, s->process));
    ja_row_whole(&row, p->pid);
    ja_row_text(&row, ja_metrics[s->metric].word);
    ja_row_text(&row, s->category);
    ja_row_text(&row, ja_verdict_word(g.verdict));
    ja_row_text(&row, g.reason == JA_REASON_NONE ? g.route : ja_reason_word(g.reason));
    ja_row_text(&row, ja_shape_word(g.shape));
    ja_row_whole(&row, (int64_t)g.points);
    ja_row_when(&row, first.at);
    ja_row_when(&row, last.at);
    ja_row_bytes(&row, first.value, first.resolution);
    ja_row_bytes(&row, last.value, last.resolution);
    ja_row_bytes(&row, g.net_low_bytes, g.resolution_bytes);
    ja_row_bytes(&row, g.net_high_bytes, g.resolution_bytes);
    ja_row_number(&row, g.low_bytes_per_hour);
    ja_row_number(&row, g.high_bytes_per_hour);
    ja_row_number(&row, g.window_s);
    ja_row_bytes(&row, g.resolution_bytes, 0);
    ja_row_number(&row, g.detectable_bytes_per_hour);
    ja_row_number(&row, g.minimum_window_s);
    ja_row_number(&row, g.concern_bytes_per_hour);
    const struct ja_cap *cap = nearest_cap(s);
    ja_row_text(&row, cap ? cap->name : NULL);
    ja_row_bytes(&row, cap ? cap->cap_bytes : JA_UNKNOWN, 0);
    ja_row_bytes(&row, cap ? -cap->distance_bytes : JA_UNKNOWN, last.resolution);
    ja_row_number(&row, ja_ratio(last.value, item->hosts[p->host].ram_bytes));
}

void ja_add_growth(struct ja_tables *t, const struct ja_case *item, bool glance)
{
    struct ja_arena *scratch = ja_arena_new();
    size_t most = glance ? MOST_GROWTH_ROWS : item->series_count + 1, count, all;
    const struct rank *ranks = first_ranks(item, scratch, most, &count, &all);
    t->growth_order = ja_arena_alloc(t->arena, count, sizeof *t->growth_order);
    t->growth_count = count;
    for (size_t i = 0; i < count; i++)
        t->growth_order[i] = ranks[i].series;
    ja_arena_free(scratch);
    size_t rows = count < MOST_GROWTH_ROWS ? count : MOST_GROWTH_ROWS;
    for (size_t i = 0; i < rows; i++)
        add_growth_row(t, item, &item->series[t->growth_order[i]]);
    t->tables[JA_TABLE_GROWTH].left_out = all - rows;
}

void ja_add_caps(struct ja_tables *t, const struct ja_case *item)
{
    for (size_t i = 0; i < item->series_count; i++) {
        const struct ja_series *s = &item->series[i];
        const struct ja_process *p = &item->processes[s->process];
        for (size_t c = 0; p->shown && c < s->cap_count; c++) {
            const struct ja_cap *cap = &s->caps[c];
            struct ja_point last = ja_last_point(s);
            if (t->tables[JA_TABLE_CAPS].row_count == MOST_CAP_ROWS) {
                t->tables[JA_TABLE_CAPS].left_out++;
                continue;
            }
            struct ja_row row = ja_row_add(t, JA_TABLE_CAPS);
            ja_row_text(&row, item->hosts[p->host].label);
            ja_row_text(&row, ja_process_name(item, s->process));
            ja_row_whole(&row, p->pid);
            ja_row_text(&row, ja_metrics[s->metric].word);
            ja_row_text(&row, cap->name);
            ja_row_text(&row, cap->from);
            ja_row_bytes(&row, cap->cap_bytes, 0);
            ja_row_bytes(&row, last.value, last.resolution);
            ja_row_bytes(&row, cap->distance_bytes, 0);
            ja_row_text(&row, cap->reached ? "yes" : "no");
            ja_row_text(&row, cap->source);
            ja_row_whole(&row, (int64_t)cap->processes);
            int64_t bill = JA_UNKNOWN;
            if (cap->cap_bytes != JA_UNKNOWN)
                ja_multiply(cap->cap_bytes, (int64_t)cap->processes, &bill);
            ja_row_bytes(&row, bill, 0);
            ja_row_bytes(&row, item->hosts[p->host].ram_bytes, 0);
        }
    }
}
