/* SPDX-License-Identifier: MIT
 *
 * From integer bytes and nanoseconds to boxes of doubles. Differences are formed in integers
 * first, so that three identical readings give exactly nothing. Above 1000 readings neighbours
 * are joined by their medians: the median of the truths lies between.
 */
#include "model/growth_parts.h"
#include "model/quantity.h"

#include <math.h>
#include <stdlib.h>

#define THIN_TO 1000
#define SAME_MOMENT_NS 1000000    /* a counter this near to a reading was taken with it */
#define ROOMY ((uint64_t)1 << 62) /* numbers from -ROOMY to below it: no overflow, none unknown */

static inline int64_t minus(int64_t a, int64_t b)
{
    bool plain = (((uint64_t)a + ROOMY) | ((uint64_t)b + ROOMY)) <= INT64_MAX;
    return plain ? a - b : ja_subtract(a, b);
}

static int64_t middle_ns(int64_t early, int64_t late)
{
    return early + minus(late, early) / 2;
}

static double seconds(int64_t ns, int64_t base)
{
    return (double)minus(ns, base) / 1e9;
}

struct ja_track ja_track_of_life(struct ja_arena *arena, const struct ja_growth_life *life)
{
    struct ja_track track = ja_track_new(arena, life->point_count);
    int64_t base = life->point_count ? life->points[0].early_ns : 0;
    for (size_t i = 0; i < life->point_count; i++) {
        const struct ja_growth_point *point = &life->points[i];
        track.early[i] = seconds(point->early_ns, base);
        track.late[i] = seconds(point->late_ns, base);
        /* A digit like 0.1 GB is no whole number of bytes: neighbouring digits must touch. */
        double slack = minus(point->high_bytes, point->low_bytes) % 1024 ? 1 : 0;
        track.low[i] = (double)point->low_bytes - slack;
        track.high[i] = (double)point->high_bytes + slack;
    }
    ja_track_finish(&track);
    return track;
}

/* The counter at one reading: between the last one before it and the first one after it. Beyond
 * the ends of the record only a bound is known: *ret_open. */
static void counter_at(const struct ja_growth_life *life, const struct ja_growth_point *point,
                       size_t *place, double *ret_low, double *ret_high, bool *ret_open)
{
    const struct ja_growth_work *work = life->work;
    int64_t at = middle_ns(point->early_ns, point->late_ns), next_at = INT64_MAX;
    for (; *place < life->work_count; ++*place) {
        next_at = middle_ns(work[*place].early_ns, work[*place].late_ns);
        if (next_at >= minus(at, SAME_MOMENT_NS))
            break;
    }
    size_t next = *place;
    bool after = next < life->work_count;
    bool same = after && minus(next_at, at) <= SAME_MOMENT_NS;
    *ret_open = !same && (!after || !next);
    *ret_high = after ? work[next].total : work[next - 1].total;
    *ret_low = same || !next ? *ret_high : work[next - 1].total;
}

static double *thin(struct ja_arena *arena, double *values, size_t count)
{
    double *few = ja_arena_room(arena, THIN_TO, sizeof *few);
    for (size_t g = 0; g < THIN_TO; g++) {
        size_t from = g * count / THIN_TO;
        few[g] = ja_median(values + from, (g + 1) * count / THIN_TO - from);
    }
    return few;
}

static void thin_track(struct ja_arena *arena, struct ja_track *track)
{
    struct ja_track few = ja_track_new(arena, THIN_TO);
    few.early = thin(arena, track->early, track->count);
    few.late = thin(arena, track->late, track->count);
    few.low = thin(arena, track->low, track->count);
    few.high = thin(arena, track->high, track->count);
    ja_track_finish(&few);
    *track = few;
}

static bool work_usable(const struct ja_growth_life *life)
{
    if (!life->work || life->work_count < 2)
        return false;
    for (size_t i = 0; i < life->work_count; i++)
        if (!isfinite(life->work[i].total) || (i && life->work[i].total < life->work[i - 1].total))
            return false;
    return true;
}

/* Work per second since the start. A counter that went on from the life before did not start with
 * this one: then the rate counts from there. */
static double rate_of_life(const struct ja_growth_life *life, const struct ja_growth_life *before,
                           double last, double done)
{
    size_t n = life->point_count;
    int64_t end = middle_ns(life->points[n - 1].early_ns, life->points[n - 1].late_ns);
    if (before && work_usable(before)) {
        const struct ja_growth_work *base = &before->work[before->work_count - 1];
        double since = seconds(end, middle_ns(base->early_ns, base->late_ns));
        if (base->total > 0 && base->total <= life->work[0].total && since > 0)
            return (last - base->total) / since;
    }
    int64_t first = middle_ns(life->points[0].early_ns, life->points[0].late_ns);
    double window = seconds(end, first);
    if (life->started_ns == JA_UNKNOWN)
        return window > 0 ? done / window : 0;
    double age = seconds(end, life->started_ns);
    return age > 0 ? last / age : 0;
}

/* Work is known when the counters show some, or cover the window and show none. */
static void find_work(struct ja_trial *trial, const struct ja_growth_life *before)
{
    const struct ja_growth_life *life = trial->life;
    size_t n = life->point_count, place = 0;
    if (!work_usable(life) || n < 2)
        return;
    struct ja_arena *arena = trial->bench->arena;
    double *low = ja_arena_room(arena, 2 * n, sizeof *low), *high = low + n;
    bool open = false, open_first = false;
    for (size_t i = 0; i < n; i++) {
        counter_at(life, &life->points[i], &place, &low[i], &high[i], &open);
        if (i == 0)
            open_first = open;
    }
    trial->work_low = low[n - 1] - high[0];
    trial->work_high = open || open_first ? INFINITY : high[n - 1] - low[0];
    if (trial->work_low <= 0 && trial->work_high > 0)
        return;
    trial->life_rate = rate_of_life(life, before, high[n - 1], trial->work_low);
    trial->work_early = n > THIN_TO ? thin(arena, low, n) : low;
    trial->work_late = n > THIN_TO ? thin(arena, high, n) : high;
}

static int by_time(const void *a, const void *b)
{
    const struct ja_growth_point *x = a, *y = b;
    int64_t at_x = middle_ns(x->early_ns, x->late_ns), at_y = middle_ns(y->early_ns, y->late_ns);
    if (at_x != at_y)
        return at_x < at_y ? -1 : 1;
    if (x->low_bytes != y->low_bytes)
        return x->low_bytes < y->low_bytes ? -1 : 1;
    return (x->high_bytes > y->high_bytes) - (x->high_bytes < y->high_bytes);
}

/* Time order by the middle of each box; the caller's order stands when it is that already. */
static const struct ja_growth_life *in_order(struct ja_arena *arena,
                                             const struct ja_growth_life *life)
{
    bool sorted = true;
    int64_t before = INT64_MIN;
    for (size_t i = 0; i < life->point_count; i++) {
        int64_t at = middle_ns(life->points[i].early_ns, life->points[i].late_ns);
        sorted &= before <= at;
        before = at;
    }
    if (sorted)
        return life;
    struct ja_growth_point *points = ja_arena_room(arena, life->point_count, sizeof *points);
    for (size_t i = 0; i < life->point_count; i++)
        points[i] = life->points[i];
    qsort(points, life->point_count, sizeof *points, by_time);
    struct ja_growth_life *copy = ja_arena_room(arena, 1, sizeof *copy);
    *copy = *life;
    copy->points = points;
    return copy;
}

/* Of a life in time order. */
static struct ja_track thinned(struct ja_arena *arena, const struct ja_growth_life *life)
{
    struct ja_track track = ja_track_of_life(arena, life);
    if (track.count > THIN_TO)
        thin_track(arena, &track);
    return track;
}

struct ja_track ja_track_judged(struct ja_arena *arena, const struct ja_growth_life *life)
{
    return thinned(arena, in_order(arena, life));
}

void ja_trial_new(struct ja_bench *bench, const struct ja_growth_life *life,
                  const struct ja_growth_life *before, struct ja_trial *ret)
{
    life = in_order(bench->arena, life);
    ret->bench = bench;
    ret->life = life;
    ret->track = thinned(bench->arena, life);
    ret->work_early = ret->work_late = NULL;
    ret->work_low = ret->work_high = ret->concern = NAN;
    ret->life_rate = 0;
    find_work(ret, before);
}
