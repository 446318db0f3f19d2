/* SPDX-License-Identifier: MIT
 *
 * Growth of each series, and the limits that may apply to it.
 */
#include "reports/tables_parts.h"

#include <stdlib.h>

#define MOST_GROWTH_ROWS 1000
#define MOST_CAP_ROWS 1000

static const struct ja_case *ordering;

static int64_t weight(const struct ja_series *series)
{
    const struct ja_growth *g = &series->growth;
    int64_t gain = g->net_low_bytes > 0 ? g->net_low_bytes : 0;
    bool weak = ja_metrics[series->metric].counts & JA_NO_GROWTH_FINDING;
    /* Growing first, metrics that findings speak of first, then by what was surely gained. */
    return (g->verdict == JA_GROWING ? INT64_C(1) << 60 : 0) + (weak ? 0 : INT64_C(1) << 59) + gain;
}

static int by_growth(const void *a, const void *b)
{
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    const struct ja_series *x = &ordering->series[i], *y = &ordering->series[k];
    int64_t u = weight(x), v = weight(y);
    if (u != v)
        return u > v ? -1 : 1;
    int64_t l = x->points[x->point_count - 1].value, m = y->points[y->point_count - 1].value;
    if (l != m)
        return l > m ? -1 : 1;
    return i < k ? -1 : i > k;
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
    const struct ja_growth *g = &s->growth;
    const struct ja_point *first = &s->points[0], *last = &s->points[s->point_count - 1];
    struct ja_row row = ja_row_add(t, JA_TABLE_GROWTH);
    ja_row_text(&row, item->hosts[p->host].label);
    ja_row_text(&row, p->name);
    ja_row_whole(&row, p->pid);
    ja_row_text(&row, ja_metrics[s->metric].word);
    ja_row_text(&row, s->category);
    ja_row_text(&row, ja_verdict_word(g->verdict));
    ja_row_text(&row, g->reason == JA_REASON_NONE ? g->route : ja_reason_word(g->reason));
    ja_row_text(&row, ja_shape_word(g->shape));
    ja_row_whole(&row, (int64_t)g->points);
    ja_row_when(&row, first->at);
    ja_row_when(&row, last->at);
    ja_row_bytes(&row, first->value, first->resolution);
    ja_row_bytes(&row, last->value, last->resolution);
    ja_row_bytes(&row, g->net_low_bytes, g->resolution_bytes);
    ja_row_bytes(&row, g->net_high_bytes, g->resolution_bytes);
    ja_row_number(&row, g->low_bytes_per_hour);
    ja_row_number(&row, g->high_bytes_per_hour);
    ja_row_number(&row, g->window_s);
    ja_row_bytes(&row, g->resolution_bytes, 0);
    ja_row_number(&row, g->detectable_bytes_per_hour);
    ja_row_number(&row, g->minimum_window_s);
    ja_row_number(&row, g->concern_bytes_per_hour);
    const struct ja_cap *cap = nearest_cap(s);
    ja_row_text(&row, cap ? cap->name : NULL);
    ja_row_bytes(&row, cap ? cap->cap_bytes : JA_UNKNOWN, 0);
    ja_row_bytes(&row, cap ? -cap->distance_bytes : JA_UNKNOWN, last->resolution);
    ja_row_number(&row, ja_ratio(last->value, item->hosts[p->host].ram_bytes));
}

uint32_t *ja_growth_order(const struct ja_case *item, struct ja_arena *arena, size_t *ret_count)
{
    uint32_t *order = ja_arena_alloc(arena, item->series_count, sizeof *order);
    size_t count = 0;
    for (uint32_t i = 0; i < item->series_count; i++)
        if (item->series[i].point_count > 1 && item->processes[item->series[i].process].shown)
            order[count++] = i;
    ordering = item;
    if (count)
        qsort(order, count, sizeof *order, by_growth);
    *ret_count = count;
    return order;
}

void ja_add_growth(struct ja_tables *t, const struct ja_case *item)
{
    size_t count;
    const uint32_t *order = ja_growth_order(item, t->arena, &count);
    for (size_t i = 0; i < count && i < MOST_GROWTH_ROWS; i++)
        add_growth_row(t, item, &item->series[order[i]]);
    if (count > MOST_GROWTH_ROWS)
        t->tables[JA_TABLE_GROWTH].left_out = count - MOST_GROWTH_ROWS;
}

void ja_add_caps(struct ja_tables *t, const struct ja_case *item)
{
    for (size_t i = 0; i < item->series_count; i++) {
        const struct ja_series *s = &item->series[i];
        const struct ja_process *p = &item->processes[s->process];
        for (size_t c = 0; p->shown && c < s->cap_count; c++) {
            const struct ja_cap *cap = &s->caps[c];
            const struct ja_point *last = s->point_count ? &s->points[s->point_count - 1] : NULL;
            if (t->tables[JA_TABLE_CAPS].row_count == MOST_CAP_ROWS) {
                t->tables[JA_TABLE_CAPS].left_out++;
                continue;
            }
            struct ja_row row = ja_row_add(t, JA_TABLE_CAPS);
            ja_row_text(&row, item->hosts[p->host].label);
            ja_row_text(&row, p->name);
            ja_row_whole(&row, p->pid);
            ja_row_text(&row, ja_metrics[s->metric].word);
            ja_row_text(&row, cap->name);
            ja_row_text(&row, cap->from);
            ja_row_bytes(&row, cap->cap_bytes, 0);
            ja_row_bytes(&row, last ? last->value : JA_UNKNOWN, last ? last->resolution : 0);
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
