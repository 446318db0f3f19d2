/* SPDX-License-Identifier: MIT
 *
 * Anonymous + swap: the Linux twin of phys_footprint.
 */
#include "model/series.h"

static bool same_moment(const struct ja_point *a, const struct ja_point *b)
{
    if (a->at || b->at)
        return a->at && b->at && a->at->unix_ns == b->at->unix_ns;
    return true; /* the n-th of both, of one file or folder */
}

static size_t find_series(const struct ja_case *item, size_t first, size_t end,
                          enum ja_metric metric, const struct ja_series *like)
{
    for (size_t i = first; i < end; i++) {
        const struct ja_series *s = &item->series[i];
        if (s->metric == metric && !s->category && s->dated == like->dated &&
            (like->dated || s->undated_source == like->undated_source))
            return i;
    }
    return end;
}

static bool any_swap(const struct ja_series *swap)
{
    for (size_t i = 0; i < swap->point_count; i++)
        if (swap->points[i].value > 0)
            return true;
    return false;
}

static void derive_anon_swap(struct ja_case *item, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        if (item->series[i].metric != JA_METRIC_ANONYMOUS)
            continue;
        size_t k = find_series(item, first, end, JA_METRIC_SWAP, &item->series[i]);
        if (k == end || !any_swap(&item->series[k]))
            continue; /* without swap it would repeat the anonymous series */
        struct ja_series derived = item->series[i];
        const struct ja_series *swap = &item->series[k];
        derived.metric = JA_METRIC_ANON_SWAP;
        derived.points = ja_arena_alloc(item->arena, derived.point_count, sizeof *derived.points);
        size_t n = 0, at = 0;
        for (size_t p = 0; p < derived.point_count; p++) {
            struct ja_point point = item->series[i].points[p];
            if (!derived.dated) {
                /* Undated: the n-th of both, when both have as many. */
                if (swap->point_count != derived.point_count)
                    break;
                at = p;
            }
            while (derived.dated && at < swap->point_count &&
                   swap->points[at].at->unix_ns < point.at->unix_ns)
                at++;
            if (at == swap->point_count || !same_moment(&point, &swap->points[at]))
                continue;
            point.value += swap->points[at].value;
            point.low += swap->points[at].low;
            point.high += swap->points[at].high;
            if (swap->points[at].resolution > point.resolution)
                point.resolution = swap->points[at].resolution;
            derived.points[n++] = point;
        }
        derived.point_count = n;
        if (n)
            *JA_APPEND(item->arena, item->series, item->series_count, item->series_capacity) =
                derived;
    }
}

static bool has_metric(const struct ja_case *item, size_t first, enum ja_metric metric)
{
    for (size_t i = first; i < item->series_count; i++)
        if (item->series[i].metric == metric)
            return true;
    return false;
}

void ja_series_add_anon_swap(struct ja_case *item, size_t first)
{
    if (!has_metric(item, first, JA_METRIC_ANON_SWAP))
        derive_anon_swap(item, first, item->series_count);
}
