/* SPDX-License-Identifier: MIT
 *
 * Moves between neighbouring readings: what rose, in how many separate rises, what was given
 * back, and whether the rises double or die out.
 */
#include "model/growth_parts.h"

#include <math.h>

#define SURE 5.0         /* noise units beyond rounding from which a move counts */
#define PAUSE 0.5        /* two rises are separate if the rate between them fell below this */
#define DOUBLE_LEAST 1.8 /* a step that doubles is this much of the one before, at least, */
#define DOUBLE_MOST 2.2  /* and at most */
#define SHRINK 0.25      /* warm-up: the later half of the rises is below this of the earlier */

/* Robust scatter of one reading: from neighbours and from bends, the smaller of the two. */
double ja_moves_noise(struct ja_bench *bench, const struct ja_track *track)
{
    size_t n = track->count, bends = 0;
    if (n < 3)
        return 0;
    double *step = ja_bench_room(bench, 2 * n), *bend = step + n;
    const double *x = track->time, *y = track->middle;
    for (size_t i = 0; i + 1 < n; i++)
        step[i] = fabs(y[i + 1] - y[i]);
    for (size_t i = 1; i + 1 < n; i++) {
        double width = x[i + 1] - x[i - 1];
        if (width > 0)
            bend[bends++] =
                fabs(y[i] - y[i - 1] - (y[i + 1] - y[i - 1]) * (x[i] - x[i - 1]) / width);
    }
    double unit = 1.4826 * ja_median(step, n - 1) / sqrt(2);
    return bends ? fmin(unit, 1.4826 * ja_median(bend, bends) / sqrt(1.5)) : unit;
}

static double rate(const struct ja_track *track, size_t first, size_t last)
{
    double run = track->time[last] - track->time[first];
    return run > 0 ? (track->low[last] - track->high[first]) / run : INFINITY;
}

/* Did the rate between the last rise and the one from first to last surely fall off? */
static bool paused(const struct ja_track *track, double noise, const struct ja_rise *before,
                   size_t first, size_t last)
{
    double run = track->time[first] - track->time[before->last];
    if (!(run > 0))
        return false;
    double slower = fmin(rate(track, before->first, before->last), rate(track, first, last));
    return (track->high[first] + SURE * noise - track->low[before->last]) / run < PAUSE * slower;
}

/* Does the gap behind a reading rise beyond rounding and noise? */
static bool rises(const struct ja_track *track, double sure, size_t i)
{
    return track->low[i + 1] - track->high[i] > sure;
}

static void find_rises(const struct ja_track *track, double sure, struct ja_moves *moves)
{
    size_t gaps = track->count - 1;
    for (size_t i = 0; i < gaps;) {
        if (!rises(track, sure, i)) {
            i++;
            continue;
        }
        size_t first = i;
        while (i < gaps && rises(track, sure, i))
            i++;
        struct ja_rise *before = &moves->rises[moves->rise_count - (moves->rise_count > 0)];
        if (moves->rise_count && !paused(track, moves->noise, before, first, i))
            before->last = i;
        else
            moves->rises[moves->rise_count++] = (struct ja_rise){.first = first, .last = i};
    }
    for (size_t k = 0; k < moves->rise_count; k++) {
        struct ja_rise *rise = &moves->rises[k];
        rise->low = track->low[rise->last] - track->high[rise->first];
        rise->high = track->high[rise->last] - track->low[rise->first];
        moves->last = rise->last;
    }
}

struct ja_moves ja_moves_of(struct ja_bench *bench, const struct ja_track *track)
{
    struct ja_moves moves = {.noise = ja_moves_noise(bench, track)};
    double sure = SURE * moves.noise;
    size_t rise_most = 0;
    for (size_t i = 0; i + 1 < track->count; i++) {
        bool rise = rises(track, sure, i);
        rise_most += rise;
        moves.fall_count += !rise && track->low[i] - track->high[i + 1] > sure;
    }
    if (!rise_most)
        return moves;
    moves.rises = ja_arena_room(bench->arena, rise_most, sizeof *moves.rises);
    find_rises(track, sure, &moves);
    return moves;
}

/* Readings no more than 5 noise units above any later one: the others were given back. */
size_t *ja_moves_kept(struct ja_bench *bench, const struct ja_track *track, double noise,
                      size_t *ret_count)
{
    size_t n = track->count, count = 0;
    size_t *kept = ja_arena_room(bench->arena, n, sizeof *kept);
    double least = INFINITY;
    for (size_t i = n; i-- > 0;) {
        least = ja_smaller(least, track->high[i]);
        if (track->low[i] <= least + SURE * noise)
            kept[count++] = i;
    }
    for (size_t i = 0; i < count / 2; i++) {
        size_t other = kept[i];
        kept[i] = kept[count - 1 - i];
        kept[count - 1 - i] = other;
    }
    *ret_count = count;
    return kept;
}

/* Rises that die out are a warm-up, not growth in steps. */
bool ja_moves_shrink(const struct ja_moves *moves)
{
    size_t count = moves->rise_count, half = count / 2;
    if (count < 3)
        return false;
    double early = 0, late = 0;
    for (size_t i = 0; i < half; i++) {
        early += moves->rises[i].low;
        late += moves->rises[count - 1 - i].high;
    }
    return late < SHRINK * early;
}

static bool doubles(const struct ja_rise *rises, size_t count, struct ja_outline *ret)
{
    if (count < 3)
        return false;
    for (size_t i = 0; i + 1 < count; i++)
        if (DOUBLE_LEAST * rises[i].low > rises[i + 1].high ||
            rises[i + 1].low > DOUBLE_MOST * rises[i].high)
            return false;
    const struct ja_rise *last = &rises[count - 1];
    if (!(last->low + last->high > 2 * (rises[0].low + rises[0].high)))
        return false;
    ret->steps = count;
    ret->next_low = 2 * last->low;
    ret->next_high = 2 * last->high;
    return true;
}

/* Judged on the sizes of the steps, never on levels: either every gap that rises beyond rounding
 * with no fall at all, or the separate rises, where jitter within the noise is nothing. */
bool ja_moves_double(struct ja_bench *bench, const struct ja_track *track,
                     const struct ja_moves *moves, struct ja_outline *ret)
{
    size_t n = track->count, count = 0, falls = 0;
    if (moves->fall_count)
        return false;
    for (size_t i = 0; i + 1 < n; i++)
        falls += track->high[i + 1] < track->low[i];
    struct ja_rise *gaps = falls ? NULL : ja_arena_room(bench->arena, n, sizeof *gaps);
    for (size_t i = 0; i + 1 < n && gaps; i++)
        if (track->low[i + 1] > track->high[i])
            gaps[count++] = (struct ja_rise){i, i + 1, track->low[i + 1] - track->high[i],
                                             track->high[i + 1] - track->low[i]};
    return doubles(gaps, count, ret) || doubles(moves->rises, moves->rise_count, ret);
}
