/* SPDX-License-Identifier: MIT
 *
 * Which limits a series has reached, once its growth is judged.
 */
#include "model/build.h"

#include <string.h>

#define LARGEST_BASELINE (512 * JA_MIB)
/* The kernel charges a group in batches of 64 pages a processor and reclaims before it goes on: a
 * group at its limit is read a little below. */
#define CHARGED_AHEAD (16 * JA_MIB)

int64_t ja_series_smallest(const struct ja_series *series)
{
    int64_t smallest = ja_first_point(series).value;
    for (size_t i = 1; i < series->point_count; i++) {
        int64_t value = ja_point_at(series, i).value;
        smallest = value < smallest ? value : smallest;
    }
    return smallest;
}

/* Where a series stands: the finest reading of its level, and what is known of it either way. */
static int64_t level_of(const struct ja_series *series, int64_t *ret_half)
{
    size_t last = series->point_count - 1;
    struct ja_point best = ja_point_at(series, last);
    size_t first = series->growth->plateau ? ja_series_growth(series).plateau_first : last;
    for (size_t i = last; i-- > first;) {
        struct ja_point point = ja_point_at(series, i);
        if (point.high - point.low < best.high - best.low)
            best = point;
    }
    *ret_half = (best.high - best.low) / 2;
    return best.value;
}

int64_t ja_cap_slack(const struct ja_series *series, const struct ja_cap *cap)
{
    if (series->metric != JA_METRIC_CGROUP_CURRENT || !cap->stated ||
        strncmp(cap->name, "memory.", 7) != 0)
        return 0;
    return cap->cap_bytes / 50 < CHARGED_AHEAD ? cap->cap_bytes / 50 : CHARGED_AHEAD;
}

/* Reached iff cap <= level + half a step (or what is charged ahead) and level - cap <= baseline +
 * half a step. The baseline is what the process holds beside the capped memory: its smallest
 * reading, 512 MiB at most. */
static void measure(const struct ja_series *series, struct ja_cap *cap)
{
    int64_t half, baseline = LARGEST_BASELINE, level = level_of(series, &half);
    if (series->growth->plateau) {
        int64_t above = ja_series_growth(series).plateau_high_bytes - level;
        half = above > half ? above : half;
    }
    if (series->point_count > 1 && ja_series_smallest(series) < baseline)
        baseline = ja_series_smallest(series);
    cap->distance_bytes = ja_subtract(level, cap->cap_bytes);
    int64_t slack = ja_cap_slack(series, cap);
    cap->reached = cap->cap_bytes <= ja_add(level, half > slack ? half : slack) &&
                   cap->distance_bytes <= ja_add(baseline, half);
}

void ja_build_reached(struct ja_build *build)
{
    for (size_t i = 0; i < build->item->series_count; i++)
        for (size_t k = 0; k < build->item->series[i].cap_count; k++)
            measure(&build->item->series[i], &build->item->series[i].caps[k]);
}
