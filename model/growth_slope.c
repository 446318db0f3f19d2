/* SPDX-License-Identifier: MIT
 *
 * The slope of noisy readings: how many of them are worth counting, and the interval of Sen (many
 * readings) or Student (few). docs/METHOD.md says why.
 */
#include "model/growth_lanes.h"
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
    double *all = ja_arena_room(arena, count * 7, sizeof *all);
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
    ja_two least = ja_two_of(INFINITY), most = ja_two_of(-INFINITY);
    for (size_t i = 0; i < track->count; i += 2) {
        ja_two two = ja_two_first(&track->middle[i], i + 1 < track->count);
        least = ja_two_smaller(least, two);
        most = ja_two_larger(most, two);
    }
    return 1e-9 * (ja_larger(most[0], most[1]) - ja_smaller(least[0], least[1]));
}

/* Changes from one sign to the other. One without a sign has that of the one before, or the other
 * one: turn is 1 or -1. */
static size_t sign_changes(const int64_t *sign, size_t count, int64_t turn)
{
    size_t changes = 0;
    int64_t before = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t here = sign[i] ? sign[i] : turn * before;
        changes += here * before < 0;
        before = here;
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

static void find_residuals(const struct ja_track *track, double slope, double *ret)
{
    for (size_t i = 0; i < track->count; i += 2) {
        bool both = i + 1 < track->count;
        ja_two middle = ja_two_first(&track->middle[i], both);
        ja_two_put(&ret[i], middle - slope * ja_two_first(&track->time[i], both));
    }
}

struct residuals {
    double largest;
    size_t beyond, signless; /* larger than rounding and arithmetic; no larger than arithmetic */
};

/* signs: 1, -1, or 0 for a residual no larger than none; room for one more. */
static struct residuals look_at(const double *residual, double level, const struct ja_track *track,
                                double none, int64_t *signs)
{
    size_t n = track->count;
    ja_two largest = {0, 0};
    ja_mask beyond = {0, 0}, with_sign = {0, 0}; /* counted down: a mask is -1 */
    for (size_t i = 0; i < n; i += 2) {
        bool both = i + 1 < n;
        ja_two here = both ? ja_two_at(&residual[i]) - level : (ja_two){residual[i] - level, 0};
        ja_two half = ja_two_first(&track->half[i], both), size = ja_two_size(here);
        ja_mask above = ja_two_less(ja_two_of(none), here),
                below = ja_two_less(here, -ja_two_of(none));
        ja_mask sign = below - above;
        signs[i] = sign[0], signs[i + 1] = sign[1];
        largest = ja_two_larger(largest, size);
        beyond += ja_two_less(half + none, size);
        with_sign += above | below;
    }
    return (struct residuals){ja_larger(largest[0], largest[1]), (size_t) - (beyond[0] + beyond[1]),
                              n + (size_t)(with_sign[0] + with_sign[1])};
}

/* From the sign changes of the residuals of a line of this slope at its median level. The line goes
 * through two readings by construction, or leaves one at its level: those few without a sign are no
 * evidence of a lasting side, but for a wander they are passed over. */
struct ja_effective ja_slope_effective(struct ja_bench *bench, const struct ja_track *track,
                                       double slope)
{
    size_t n = track->count;
    double *residual = ja_bench_room(bench, 2 * n + 2), none = nothing(track);
    int64_t *signs = (int64_t *)(void *)(residual + n + 1);
    find_residuals(track, slope, residual);
    double level = ja_median(residual, n);
    if (n > JA_MEDIAN_KEEPS)
        find_residuals(track, slope, residual);
    struct residuals seen = look_at(residual, level, track, none, signs);
    if (!seen.beyond) /* nothing beyond rounding: no evidence of any wander */
        return (struct ja_effective){n, n};
    bool turns = seen.signless <= SIGNLESS;
    size_t changes = sign_changes(signs, n, turns ? -1 : 1);
    struct ja_effective ret = {worth(n, changes), worth(n, changes)};
    if (n >= WANDER_FROM) {
        if (turns && seen.signless)
            changes = sign_changes(signs, n, 1);
        ret.wander = worth_wandering(n, changes);
    }
    if (seen.largest < STRAIGHT * fabs(slope) * (track->time[n - 1] - track->time[0]))
        ret.trend = n; /* next to nothing: the same */
    return ret;
}

/* Least squares, with the variance of rounding. Lanes: time and middle. */
struct ja_line ja_line_of(const struct ja_track *track)
{
    size_t n = track->count;
    double count = (double)n, squares = 0, rounding = 0;
    ja_two mean = {0, 0}, products = {0, 0}; /* x x and x y */
    for (size_t i = 0; i < n; i++)
        mean += (ja_two){track->time[i], track->middle[i]} / count;
    for (size_t i = 0; i < n; i++) {
        ja_two off = (ja_two){track->time[i], track->middle[i]} - mean;
        products += ja_two_of(off[0]) * off;
        rounding += track->half[i] * track->half[i];
    }
    if (!(products[0] > 0) || n < 3)
        return (struct ja_line){0};
    double slope = products[1] / products[0];
    for (size_t i = 0; i < n; i++) {
        double rest = track->middle[i] - mean[1] - slope * (track->time[i] - mean[0]);
        squares += rest * rest;
    }
    return (struct ja_line){true, slope, squares, rounding,
                            (squares + rounding / 3) / (count - 2) / products[0] * count};
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
    wide.low = ja_arena_room(bench->arena, n, sizeof *wide.low);
    wide.high = ja_arena_room(bench->arena, n, sizeof *wide.high);
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

static struct ja_slope centre(const struct ja_track *track, const struct ja_pairs *pairs,
                              bool wander)
{
    struct ja_slope ret = {.exists = true, .low = NAN, .high = NAN, .line = pairs->strip};
    ret.effective = wander ? pairs->effective.wander : pairs->effective.trend;
    ret.best = track->count > 2 && ret.effective < SEN_FROM ? pairs->line.slope : pairs->central;
    if (ret.line.exists)
        ret.best = ja_smaller(ja_larger(ret.best, ret.line.low), ret.line.high);
    return ret;
}

/* The pairs of a track, measured; NULL when there are none. */
static struct ja_pairs *measured(struct ja_bench *bench, const struct ja_track *track)
{
    struct ja_pairs *pairs = ja_pairs_of(bench, track);
    if (!pairs->count)
        return NULL;
    measure(bench, track, pairs);
    return pairs;
}

struct ja_slope ja_slope_central(struct ja_bench *bench, const struct ja_track *track, bool wander)
{
    const struct ja_pairs *pairs = measured(bench, track);
    return pairs ? centre(track, pairs, wander) : (struct ja_slope){.low = NAN, .high = NAN};
}

static struct ja_slope interval(struct ja_bench *bench, struct ja_pairs *pairs, double level,
                                bool wander)
{
    struct ja_slope ret = centre(&pairs->of, pairs, wander);
    find_interval(bench, pairs, level, &ret);
    join_strip(&pairs->of, pairs, &ret);
    return ret;
}

struct ja_slope ja_slope_interval(struct ja_bench *bench, const struct ja_track *track,
                                  double level, bool wander)
{
    struct ja_pairs *pairs = measured(bench, track);
    return pairs ? interval(bench, pairs, level, wander) : (struct ja_slope){0};
}

/* A falling central slope must not make the bound tighter than the same scatter around a level. */
double ja_slope_growth(const struct ja_slope *slope)
{
    return slope->high - fmin(0, slope->best);
}

double ja_slope_bound(struct ja_bench *bench, const struct ja_track *track, double level,
                      double least)
{
    struct ja_pairs *pairs = measured(bench, track);
    if (!pairs)
        return least;
    size_t m = pairs->effective.wander;
    if (m >= SEN_FROM && !pairs->strip.exists) {
        struct sen sen = sen_of(pairs, m, level);
        if (!ja_pairs_high_exceeds(bench, pairs, sen.k, least + fmin(0, pairs->central)))
            return least;
        double high = ja_pairs_high(bench, pairs, sen.k, sen.reach);
        return fmax(least, high - fmin(0, pairs->central));
    }
    struct ja_slope slope = interval(bench, pairs, level, true);
    return fmax(least, ja_slope_growth(&slope));
}
