/* SPDX-License-Identifier: MIT
 *
 * The slope of noisy readings: how many of them are worth counting, and the interval of Sen (many
 * readings) or Student (few). docs/METHOD.md says why.
 */
#include "model/growth_parts.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846
#define WANDER_FROM 13 /* readings from which sign changes can show an autocorrelation */
#define SEN_FROM 11    /* effective readings from which Sen's interval replaces Student's */
#define SIGNLESS 3     /* residuals of 0 that every median line leaves */
#define STRIP_FROM 5   /* readings from which the strip may narrow the interval */
#define STRAIGHT 0.01  /* residuals below this part of the rise say nothing about wander */

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
    bool turns = (!wander || count < WANDER_FROM) && signless <= SIGNLESS;
    int before = 0;
    for (size_t i = 0; i < count; i++) {
        int sign = (residual[i] > none) - (residual[i] < -none);
        sign = sign || !turns ? sign : -before;
        changes += sign * before < 0;
        before = sign ? sign : before;
    }
    return changes;
}

static size_t worth(size_t n, size_t changes)
{
    return 2 * (changes + 1) < n ? 2 * (changes + 1) : n;
}

/* Gaussian AR(1): P(sign change) = acos(rho)/pi */
static size_t worth_wandering(size_t n, size_t changes)
{
    double rho = cos(PI * fmin(0.5, (double)changes / (double)(n - 1)));
    double least = floor((rho > 0.3 ? 0.8 : 1) * (double)n * (1 - rho) / (1 + rho) + 0.5);
    size_t m = worth(n, changes);
    return least < (double)m ? (size_t)fmax(2, least) : m;
}

/* From the sign changes of the residuals of a line of this slope at its median level. */
struct ja_effective ja_slope_effective(struct ja_bench *bench, const struct ja_track *track,
                                       double slope)
{
    size_t n = track->count, beyond = 0;
    double *residual = ja_bench_room(bench, n);
    for (size_t i = 0; i < n; i++)
        residual[i] = track->middle[i] - slope * track->time[i];
    double level = ja_median(residual, n), none = nothing(track), largest = 0;
    for (size_t i = 0; i < n; i++) {
        residual[i] = track->middle[i] - slope * track->time[i] - level;
        largest = ja_larger(largest, fabs(residual[i]));
        beyond += fabs(residual[i]) > track->half[i] + none;
    }
    if (!beyond) /* nothing beyond rounding: no evidence of any wander */
        return (struct ja_effective){n, n};
    size_t changes = sign_changes(residual, n, none, false);
    struct ja_effective ret = {worth(n, changes), worth(n, changes)};
    if (n >= WANDER_FROM)
        ret.wander = worth_wandering(n, sign_changes(residual, n, none, true));
    if (largest < STRAIGHT * fabs(slope) * (track->time[n - 1] - track->time[0]))
        ret.trend = n; /* next to nothing: the same */
    return ret;
}

/* Least squares, with the variance of rounding. */
struct ja_line ja_line_of(const struct ja_track *track)
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
        return (struct ja_line){0};
    double slope = xy / xx;
    for (size_t i = 0; i < n; i++) {
        double rest = track->middle[i] - mean_y - slope * (track->time[i] - mean_x);
        squares += rest * rest;
    }
    return (struct ja_line){true, slope, squares, rounding,
                            (squares + rounding / 3) / (count - 2) / xx * count};
}

struct ja_fit ja_line_fit(const struct ja_line *line, size_t effective)
{
    if (!line->exists)
        return (struct ja_fit){0, INFINITY, 1};
    double error = sqrt(line->variance / (double)effective);
    return (struct ja_fit){line->slope, error, effective > 3 ? effective - 2 : 1};
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

/* Of two zeros fmax may return either, as the compiler turns it; ja_larger returns the second. */
static void join_strip(const struct ja_track *track, const struct ja_pairs *pairs,
                       struct ja_slope *ret)
{
    if (!ret->line.exists)
        return;
    if (track->count >= STRIP_FROM) {
        struct ja_span wide = pairs->wide;
        bool meet = wide.exists && ret->low <= wide.high && ret->high >= wide.low;
        if (meet) {
            ret->low = ja_larger(wide.low, ret->low);
            ret->high = ja_smaller(wide.high, ret->high);
        }
    } else { /* never tighter than the slopes that the readings cannot rule out */
        ret->low = ja_smaller(ret->low, ret->line.low);
        ret->high = ja_larger(ret->high, ret->line.high);
    }
}

/* Where Sen's interval ends: rank from either side, and how far out that is with Gaussian noise. */
struct sen {
    size_t k;
    double reach;
};

static struct sen sen_of(struct ja_pairs *pairs, size_t effective, double level)
{
    double critical = ja_kendall_critical(effective, level); /* there is one from SEN_FROM on */
    double m = (double)effective, count = (double)pairs->count;
    double place = floor(count * (1 - critical) / 2 + 1e-9);
    double errors = critical / sqrt(2 * (2 * m + 5) / (9 * m * (m - 1)));
    return (struct sen){place < count ? (size_t)place : pairs->count - 1,
                        errors * ja_line_fit(&pairs->line, effective).error};
}

static void find_interval(struct ja_bench *bench, struct ja_pairs *pairs, double level,
                          struct ja_slope *ret)
{
    if (pairs->of.count == 2) {
        ret->low = ja_pairs_low(bench, pairs, 0, 0);
        ret->high = ja_pairs_high(bench, pairs, 0, 0);
    } else if (ret->effective < SEN_FROM) {
        struct ja_fit fit = ja_line_fit(&pairs->line, ret->effective);
        double width = ja_student_quantile(fit.freedom, level) * fit.error;
        ret->low = fit.slope - width;
        ret->high = fit.slope + width;
    } else {
        struct sen sen = sen_of(pairs, ret->effective, level);
        ret->low = ja_pairs_low(bench, pairs, sen.k, sen.reach);
        ret->high = ja_pairs_high(bench, pairs, sen.k, sen.reach);
    }
}

/* Does the best line miss the boxes by more, in squares, than any line that passes through all of
 * them? That one is off each middle by at most half a height and what it climbs in half a width;
 * (a + b)^2 <= 2 (a^2 + b^2). */
static bool misses(const struct ja_track *track, const struct ja_line *line)
{
    size_t n = track->count;
    double run = track->early[n - 1] - track->late[0], least = INFINITY, most = -INFINITY;
    double error = 0, largest = 1;
    if (!line->exists || line->squares <= 2 * line->rounding || !(run > 0))
        return false;
    for (size_t i = 0; i < n; i++) {
        least = ja_smaller(least, track->low[i]);
        most = ja_larger(most, track->high[i]);
        error = ja_larger(error, track->late[i] - track->early[i]);
    }
    largest = ja_larger(largest, ja_larger(fabs(least), fabs(most)));
    double climb = (most - least) / run * error / 2 + 1e-11 * largest;
    return line->squares > 2 * (line->rounding + (double)n * climb * climb);
}

/* How many readings count, and the strip: what does not depend on the level. */
static void measure(struct ja_bench *bench, const struct ja_track *track, struct ja_pairs *pairs)
{
    if (pairs->effective.trend)
        return;
    pairs->effective = ja_slope_effective(bench, track, pairs->central);
    pairs->strip = misses(track, &pairs->line) ? (struct ja_span){0} : ja_strip(track);
    if (pairs->strip.exists && track->count >= STRIP_FROM)
        pairs->wide = wide_strip(bench, track);
}

struct ja_slope ja_slope_central(struct ja_bench *bench, const struct ja_track *track, bool wander)
{
    struct ja_slope ret = {.low = NAN, .high = NAN};
    struct ja_pairs *pairs = ja_pairs_of(bench, track);
    if (!pairs->count)
        return ret;
    measure(bench, track, pairs);
    ret.exists = true;
    ret.effective = wander ? pairs->effective.wander : pairs->effective.trend;
    ret.best = track->count > 2 && ret.effective < SEN_FROM ? pairs->line.slope : pairs->central;
    ret.line = pairs->strip;
    if (ret.line.exists)
        ret.best = ja_smaller(ja_larger(ret.best, ret.line.low), ret.line.high);
    return ret;
}

struct ja_slope ja_slope_interval(struct ja_bench *bench, const struct ja_track *track,
                                  double level, bool wander)
{
    struct ja_slope ret = ja_slope_central(bench, track, wander);
    if (!ret.exists)
        return (struct ja_slope){0};
    struct ja_pairs *pairs = ja_pairs_of(bench, track);
    find_interval(bench, pairs, level, &ret);
    join_strip(track, pairs, &ret);
    return ret;
}

/* A falling central slope must not make the bound tighter than the same scatter around a level. */
double ja_slope_growth(const struct ja_slope *slope)
{
    return slope->high - fmin(0, slope->best);
}

double ja_slope_bound(struct ja_bench *bench, const struct ja_track *track, double level,
                      double least)
{
    struct ja_pairs *pairs = ja_pairs_of(bench, track);
    if (!pairs->count)
        return least;
    measure(bench, track, pairs);
    size_t m = pairs->effective.wander;
    if (m >= SEN_FROM && !pairs->strip.exists) {
        struct sen sen = sen_of(pairs, m, level);
        if (!ja_pairs_high_exceeds(bench, pairs, sen.k, least + fmin(0, pairs->central)))
            return least;
        double high = ja_pairs_high(bench, pairs, sen.k, sen.reach);
        return fmax(least, high - fmin(0, pairs->central));
    }
    struct ja_slope slope = ja_slope_interval(bench, track, level, true);
    return fmax(least, ja_slope_growth(&slope));
}
