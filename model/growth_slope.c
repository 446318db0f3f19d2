/* SPDX-License-Identifier: MIT
 *
 * The slope of noisy readings: all pairs of them, how many are worth counting, and the interval
 * of Sen (many readings) or Student (few). docs/METHOD.md says why.
 */
#include "model/growth_parts.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846
#define WANDER_FROM 13 /* readings from which sign changes can show an autocorrelation */
#define SEN_FROM 11    /* effective readings from which Sen's interval replaces Student's */
#define BLUR 1e-3      /* part of the time between two readings kept when their clocks overlap */
#define SIGNLESS 3     /* residuals of 0 that every median line leaves */
#define STRIP_FROM 5   /* readings from which the strip may narrow the interval */
#define STRAIGHT 0.01  /* residuals below this part of the rise say nothing about wander */

struct ja_bench *ja_bench_new(struct ja_arena *arena)
{
    struct ja_bench *bench = ja_arena_alloc(arena, 1, sizeof *bench);
    bench->arena = arena;
    return bench;
}

struct ja_track ja_track_new(struct ja_arena *arena, size_t count)
{
    double *all = ja_arena_alloc(arena, count * 7, sizeof *all);
    return (struct ja_track){count,           all,
                             all + count,     all + 2 * count,
                             all + 3 * count, all + 4 * count,
                             all + 5 * count, all + 6 * count};
}

void ja_track_finish(struct ja_track *track)
{
    for (size_t i = 0; i < track->count; i++) {
        track->time[i] = (track->early[i] + track->late[i]) / 2;
        track->middle[i] = (track->low[i] + track->high[i]) / 2;
        track->half[i] = (track->high[i] - track->low[i]) / 2;
    }
}

/* A view: it shares the arrays. */
struct ja_track ja_track_part(const struct ja_track *track, size_t from, size_t to)
{
    return (struct ja_track){
        to - from,          track->early + from, track->late + from,   track->low + from,
        track->high + from, track->time + from,  track->middle + from, track->half + from};
}

struct ja_track ja_track_pick(struct ja_arena *arena, const struct ja_track *track,
                              const size_t *index, size_t count)
{
    struct ja_track picked = ja_track_new(arena, count);
    for (size_t i = 0; i < count; i++) {
        picked.early[i] = track->early[index[i]];
        picked.late[i] = track->late[index[i]];
        picked.low[i] = track->low[index[i]];
        picked.high[i] = track->high[index[i]];
    }
    ja_track_finish(&picked);
    return picked;
}

static void make_room(struct ja_arena *arena, struct ja_pairs *pairs, size_t count)
{
    if (count <= pairs->capacity)
        return;
    double *all = ja_arena_alloc(arena, count * 4, sizeof *all);
    pairs->capacity = count;
    pairs->lower = all;
    pairs->upper = all + count;
    pairs->slope = all + 2 * count;
    pairs->weight = all + 3 * count;
}

/* Clock error widens: divide by the time that moves each bound away from the middle. */
static void fill_pairs(struct ja_pairs *pairs, const struct ja_track *track)
{
    size_t n = track->count, count = 0;
    double rank = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            double apart =
                (track->early[j] + track->late[j] - track->early[i] - track->late[i]) / 2;
            if (!(apart > 0))
                continue;
            double near = track->early[j] - track->late[i], far = track->late[j] - track->early[i];
            if (near <= 0)
                near = apart * BLUR;
            double least = track->low[j] - track->high[i], most = track->high[j] - track->low[i];
            pairs->lower[count] = least / (least > 0 ? far : near);
            pairs->upper[count] = most / (most > 0 ? near : far);
            pairs->slope[count] = (least + most) / 2 / apart;
            pairs->weight[count++] = apart;
            rank += (least > 0) - (most < 0);
        }
    pairs->count = count;
    pairs->rank = rank;
}

static bool same_track(const struct ja_track *a, const struct ja_track *b)
{
    return a->count == b->count && a->low == b->low && a->high == b->high && a->early == b->early &&
           a->late == b->late;
}

struct ja_pairs *ja_slope_pairs(struct ja_bench *bench, const struct ja_track *track)
{
    struct ja_pairs *longest = &bench->pairs[0], *other = &bench->pairs[1];
    for (size_t i = 0; i < 2; i++)
        if (same_track(&bench->pairs[i].of, track))
            return &bench->pairs[i];
    struct ja_pairs *pairs = track->count > longest->of.count ? longest : other;
    size_t n = track->count;
    make_room(bench->arena, pairs, n * (n - (n > 0)) / 2 + 1);
    pairs->of = *track;
    pairs->measured = false;
    pairs->effective[0] = pairs->effective[1] = pairs->place = 0;
    fill_pairs(pairs, track);
    return pairs;
}

/* Residuals this small against the readings are only the arithmetic's. */
static double nothing(const struct ja_track *track)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < track->count; i++) {
        least = ja_smaller(least, track->middle[i]);
        most = ja_larger(most, track->middle[i]);
    }
    return 1e-9 * (most - least);
}

/* Sign changes of the residuals. The line goes through two readings by construction, or leaves
 * one at its level: those few without a sign are no evidence of a lasting side. */
static size_t sign_changes(const double *residual, size_t count, double none, bool wander)
{
    size_t changes = 0, signless = 0;
    for (size_t i = 0; i < count; i++)
        signless += fabs(residual[i]) <= none;
    int before = 0;
    for (size_t i = 0; i < count; i++) {
        int sign = (residual[i] > none) - (residual[i] < -none);
        if (!sign && (!wander || count < WANDER_FROM) && signless <= SIGNLESS)
            sign = -before;
        changes += sign && before && sign != before;
        before = sign ? sign : before;
    }
    return changes;
}

/* How many independent readings these are worth, from the sign changes of their residuals. */
size_t ja_slope_effective(struct ja_bench *bench, const struct ja_track *track, double slope,
                          bool wander)
{
    size_t n = track->count, beyond = 0;
    double *residual = ja_arena_alloc(bench->arena, n, sizeof *residual);
    for (size_t i = 0; i < n; i++)
        residual[i] = track->middle[i] - slope * track->time[i];
    double level = ja_median(residual, n), none = nothing(track), largest = 0;
    for (size_t i = 0; i < n; i++) {
        residual[i] = track->middle[i] - slope * track->time[i] - level;
        largest = ja_larger(largest, fabs(residual[i]));
        beyond += fabs(residual[i]) > track->half[i] + none;
    }
    double rise = fabs(slope) * (track->time[n - 1] - track->time[0]);
    if (!beyond || (!wander && largest < STRAIGHT * rise))
        return n; /* nothing beyond rounding, or next to nothing: no evidence of any wander */
    size_t changes = sign_changes(residual, n, none, wander);
    size_t m = 2 * (changes + 1) < n ? 2 * (changes + 1) : n;
    if (wander && n >= WANDER_FROM) { /* Gaussian AR(1): P(sign change) = acos(rho)/pi */
        double rho = cos(PI * fmin(0.5, (double)changes / (double)(n - 1)));
        double worth = floor((rho > 0.3 ? 0.8 : 1) * (double)n * (1 - rho) / (1 + rho) + 0.5);
        m = worth < (double)m ? (size_t)fmax(2, worth) : m;
    }
    return m < 2 ? 2 : m;
}

/* Slope and standard error, with the variance of rounding and m effective readings. */
struct ja_fit ja_slope_fit(const struct ja_track *track, size_t effective)
{
    size_t n = track->count;
    double count = (double)n, mean_x = 0, mean_y = 0, xx = 0, xy = 0, squares = 0, rounding = 0;
    for (size_t i = 0; i < n; i++) {
        mean_x += track->time[i] / count;
        mean_y += track->middle[i] / count;
    }
    for (size_t i = 0; i < n; i++) {
        double x = track->time[i] - mean_x;
        xx += x * x;
        xy += x * (track->middle[i] - mean_y);
        rounding += track->half[i] * track->half[i];
    }
    if (!(xx > 0) || n < 3)
        return (struct ja_fit){0, INFINITY, 1};
    double slope = xy / xx;
    for (size_t i = 0; i < n; i++) {
        double rest = track->middle[i] - mean_y - slope * (track->time[i] - mean_x);
        squares += rest * rest;
    }
    double error = sqrt((squares + rounding / 3) / (count - 2) / xx * count / (double)effective);
    return (struct ja_fit){slope, error, effective > 3 ? effective - 2 : 1};
}

/* P of a slope this far above 0, by chance */
double ja_fit_tail(struct ja_fit fit)
{
    if (fit.error > 0)
        return ja_student_tail(fit.slope / fit.error, fit.freedom);
    return fit.slope > 0 ? 0 : 1;
}

/* Room for noise hidden inside the rounding: every interval widened by 6/n of its half. */
static struct ja_span wide_strip(struct ja_bench *bench, const struct ja_track *track)
{
    size_t n = track->count;
    struct ja_track wide = ja_track_part(track, 0, n);
    wide.low = ja_arena_alloc(bench->arena, n, sizeof *wide.low);
    wide.high = ja_arena_alloc(bench->arena, n, sizeof *wide.high);
    for (size_t i = 0; i < n; i++) {
        wide.low[i] = track->low[i] - 6.0 / (double)n * track->half[i];
        wide.high[i] = track->high[i] + 6.0 / (double)n * track->half[i];
    }
    return ja_strip(&wide);
}

/* What does not depend on the level. */
static void measure(struct ja_bench *bench, const struct ja_track *track, struct ja_pairs *pairs)
{
    if (pairs->measured)
        return;
    pairs->measured = true;
    pairs->central = ja_weighted_median(pairs->slope, pairs->weight, pairs->count);
    pairs->line = ja_strip(track);
    pairs->wide = pairs->line.exists && track->count >= STRIP_FROM ? wide_strip(bench, track)
                                                                   : (struct ja_span){0};
}

static size_t effective_of(struct ja_bench *bench, const struct ja_track *track,
                           struct ja_pairs *pairs, bool wander)
{
    if (!pairs->effective[wander])
        pairs->effective[wander] = ja_slope_effective(bench, track, pairs->central, wander);
    return pairs->effective[wander];
}

static void join_strip(const struct ja_track *track, const struct ja_pairs *pairs,
                       struct ja_slope *ret)
{
    ret->line = pairs->line;
    if (!ret->line.exists)
        return;
    if (track->count >= STRIP_FROM) {
        struct ja_span wide = pairs->wide;
        bool meet = wide.exists && ret->low <= wide.high && ret->high >= wide.low;
        if (meet) {
            ret->low = fmax(ret->low, wide.low);
            ret->high = fmin(ret->high, wide.high);
        }
    } else { /* never tighter than the slopes that the readings cannot rule out */
        ret->low = fmin(ret->low, ret->line.low);
        ret->high = fmax(ret->high, ret->line.high);
    }
    ret->best = fmin(fmax(ret->best, ret->line.low), ret->line.high);
}

/* The slopes at rank k from either end; levels often ask for the same. */
static void select_ends(struct ja_pairs *pairs, size_t k)
{
    if (pairs->place == k + 1)
        return;
    pairs->place = k + 1;
    pairs->low = ja_select(pairs->lower, pairs->count, k);
    pairs->high = ja_select(pairs->upper, pairs->count, pairs->count - 1 - k);
}

struct ja_slope ja_slope_interval(struct ja_bench *bench, const struct ja_track *track,
                                  double level, bool wander)
{
    size_t n = track->count;
    struct ja_slope ret = {0};
    struct ja_pairs *pairs = ja_slope_pairs(bench, track);
    size_t count = pairs->count;
    if (!count)
        return ret;
    measure(bench, track, pairs);
    ret.exists = true;
    ret.rank = pairs->rank;
    ret.tau = pairs->rank / ((double)n * (double)(n - 1) / 2);
    ret.window = track->time[n - 1] - track->time[0];
    ret.best = pairs->central;
    ret.effective = effective_of(bench, track, pairs, wander);
    double critical = ja_kendall_critical(ret.effective, level);
    if (n == 2) {
        ret.low = pairs->lower[0];
        ret.high = pairs->upper[0];
    } else if (isnan(critical) || ret.effective < SEN_FROM) {
        struct ja_fit fit = ja_slope_fit(track, ret.effective);
        double width = ja_student_quantile(fit.freedom, level) * fit.error;
        ret.low = fit.slope - width;
        ret.high = fit.slope + width;
        ret.best = fit.slope;
    } else {
        double place = floor((double)count * (1 - critical) / 2 + 1e-9);
        select_ends(pairs, place < (double)count ? (size_t)place : count - 1);
        ret.low = pairs->low;
        ret.high = pairs->high;
    }
    join_strip(track, pairs, &ret);
    return ret;
}
