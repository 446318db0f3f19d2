/* SPDX-License-Identifier: MIT
 *
 * Anonymous + swap: the Linux twin of phys_footprint.
 */
#include "model/series.h"

/* Undated ones are of one file, or of the files of one snapshot folder. */
static bool one_folder(const struct ja_series *a, const struct ja_series *b,
                       const uint32_t *folders)
{
    return folders[ja_first_point(a).source] == folders[ja_first_point(b).source];
}

static size_t find_series(const struct ja_case *item, size_t first, size_t end,
                          enum ja_metric metric, const struct ja_series *like,
                          const uint32_t *folders)
{
    for (size_t i = first; i < end; i++) {
        const struct ja_series *s = &item->series[i];
        if (s->metric == metric && !s->category && s->dated == like->dated &&
            (like->dated || one_folder(s, like, folders)))
            return i;
    }
    return end;
}

static bool any_swap(const struct ja_series *swap)
{
    for (size_t i = 0; i < swap->point_count; i++)
        if (ja_point_at(swap, i).value > 0)
            return true;
    return false;
}

/* The moment of p that swap tells, too: from *at on in time order. Undated: the n-th of both, when
 * both have as many. */
static bool find_partner(const struct ja_series *swap, const struct ja_series *anonymous, size_t p,
                         size_t *at)
{
    struct ja_point point = ja_point_at(anonymous, p);
    if (!anonymous->dated) {
        *at = p;
        return swap->point_count == anonymous->point_count;
    }
    while (*at < swap->point_count && ja_point_at(swap, *at).at->unix_ns < point.at->unix_ns)
        ++*at;
    return *at < swap->point_count && ja_point_at(swap, *at).at->unix_ns == point.at->unix_ns;
}

static struct ja_point sum_of(struct ja_point anonymous, struct ja_point swap)
{
    struct ja_point sum = anonymous;
    sum.made = true;
    sum.value += swap.value;
    sum.low += swap.low;
    sum.high += swap.high;
    if (swap.resolution > sum.resolution)
        sum.resolution = swap.resolution;
    return sum;
}

static void add_sum(struct ja_case *item, const struct ja_series *anonymous,
                    const struct ja_series *swap, struct ja_arena *scratch)
{
    struct ja_series sum = *anonymous;
    sum.metric = JA_METRIC_ANON_SWAP;
    sum.points = ja_arena_room(scratch, anonymous->point_count, sizeof *sum.points);
    sum.point_count = 0;
    for (size_t p = 0, at = 0; p < anonymous->point_count; p++)
        if (find_partner(swap, anonymous, p, &at))
            sum.points[sum.point_count++] =
                sum_of(ja_point_at(anonymous, p), ja_point_at(swap, at));
    if (!sum.point_count)
        return;
    ja_series_settle(&sum, item->arena);
    *JA_APPEND(item->arena, item->series, item->series_count, item->series_capacity) = sum;
}

static bool has_metric(const struct ja_case *item, size_t first, enum ja_metric metric)
{
    for (size_t i = first; i < item->series_count; i++)
        if (item->series[i].metric == metric)
            return true;
    return false;
}

void ja_series_add_anon_swap(struct ja_case *item, size_t first, const uint32_t *folders,
                             struct ja_arena *scratch)
{
    if (has_metric(item, first, JA_METRIC_ANON_SWAP))
        return;
    for (size_t i = first, end = item->series_count; i < end; i++) {
        struct ja_series one = item->series[i];
        if (one.metric != JA_METRIC_ANONYMOUS)
            continue;
        size_t k = find_series(item, first, end, JA_METRIC_SWAP, &one, folders);
        if (k == end)
            continue;
        struct ja_series swap = item->series[k];
        if (any_swap(&swap)) /* without swap it would repeat the anonymous series */
            add_sum(item, &one, &swap, scratch);
    }
}
