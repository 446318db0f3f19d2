/* SPDX-License-Identifier: MIT
 *
 * What proves growth: a rank trend that is not one step and has not stopped, a line through few
 * readings, or several separate rises. Levels and guards: docs/METHOD.md, section Constants.
 */
#include "model/growth_parts.h"

#include <math.h>

#define TREND_FROM 5
#define FEW 12 /* below this two levels and a hinge are tried against the line */
#define WANDER_FROM 13
#define BLOCKS 6
#define RANK_ALONE_6 0.03
#define RANK_ALONE_9 0.015
#define RANK_ALONE 0.005
#define RANK_WITH 0.1 /* together with Student's STUDENT_WITH */
#define STUDENT_WITH 0.0005
#define WANDER_P 0.05
#define WANDER_SD 5.0
#define STEP_REST 0.25  /* of the rise must remain without its largest single part */
#define FALL_MOST 0.3   /* of the rise */
#define LATE_LEAST 0.3  /* of the whole slope, in the second half and at the end */
#define HINGE_MOST 0.15 /* of the line's squares, when the hinge is the better story */
#define SLOWING 0.3     /* last rate over the first, when every rate is below the one before */
#define SLOWING_FROM 4
#define MOMENTS 0.01 /* of the window: two readings so near show the scatter, not the trend */
#define SCATTER 0.25 /* of the rise, between two such readings */
#define EVEN 1.1     /* longest gap over shortest: evenly spaced */
#define LINE_UNEVEN_P 0.007
#define SILENT 0.1 /* chance of the silence at the end, for rises that go on */
#define STEPS_FROM 6

static const double line_p[] = {[3] = 0.02, [4] = 0.01, [5] = 0.001, [6] = 0.001};
static const double line_rise[] = {[3] = 0.3, [4] = 0.1, [5] = 0.1, [6] = 0.1};

static double kendall_of(size_t m, double tau)
{
    return ja_kendall_tail(m, floor(tau * (double)(m * (m - 1) / 2) + 1e-9));
}

/* The rank test alone, or both tests together. */
static bool accepted(const struct ja_pairs *pairs, double tau, size_t m)
{
    double alone = m <= 6 ? RANK_ALONE_6 : m <= 9 ? RANK_ALONE_9 : RANK_ALONE;
    double rank_p = kendall_of(m, tau);
    return rank_p <= alone ||
           (rank_p <= RANK_WITH && ja_fit_tail(ja_line_fit(&pairs->line, m)) <= STUDENT_WITH);
}

/* A slow wander is not a trend: its rise is small against its own residuals. */
static bool wanders(struct ja_bench *bench, const struct ja_pairs *pairs, double slope, double tau)
{
    const struct ja_track *track = &pairs->of;
    size_t n = track->count;
    if (n < WANDER_FROM)
        return false;
    bool known = slope == pairs->central;
    size_t m = known ? pairs->effective.wander : ja_slope_effective(bench, track, slope).wander;
    if (kendall_of(m, tau) <= WANDER_P)
        return false;
    double fitted = 0;
    double squares = ja_model_line(track->time, track->middle, n, &fitted);
    double sd = sqrt(squares / (double)(n - 2));
    return fitted * (track->time[n - 1] - track->time[0]) < WANDER_SD * sd;
}

static bool significant(struct ja_bench *bench, const struct ja_track *track, double *ret_slope,
                        enum ja_growth_reason *ret_reason)
{
    size_t n = track->count;
    *ret_reason = JA_REASON_NOT_SIGNIFICANT;
    if (n < FEW && track->low[n - 1] <= track->high[0])
        return false;
    const struct ja_pairs *pairs = ja_pairs_of(bench, track);
    double rank = ja_bench_rank(bench, pairs), tau = rank / ((double)n * (double)(n - 1) / 2);
    if (rank <= 0)
        return false;
    struct ja_slope slope = ja_slope_central(bench, track, false);
    if (!accepted(pairs, tau, slope.effective))
        return false;
    *ret_slope = slope.best;
    *ret_reason = JA_REASON_WANDER;
    return !wanders(bench, pairs, slope.best, tau);
}

/* Medians of six blocks, or the readings themselves. */
static struct ja_track blocks(struct ja_bench *bench, const struct ja_track *track)
{
    size_t n = track->count;
    if (n < FEW)
        return *track;
    struct ja_track block = ja_track_new(bench->arena, BLOCKS);
    struct ja_track copy = ja_track_new(bench->arena, n);
    for (size_t i = 0; i < n; i++) {
        copy.low[i] = track->low[i];
        copy.high[i] = track->high[i];
    }
    for (size_t g = 0; g < BLOCKS; g++) {
        size_t from = g * n / BLOCKS, size = (g + 1) * n / BLOCKS - from;
        block.low[g] = ja_median(copy.low + from, size);
        block.high[g] = ja_median(copy.high + from, size);
    }
    ja_track_finish(&block);
    return block;
}

struct climb {
    double rise, largest, fall; /* net, largest single rise, largest single fall */
};

static struct climb climb_of(const struct ja_track *block)
{
    size_t n = block->count;
    struct climb climb = {block->middle[n - 1] - block->middle[0], -INFINITY, 0};
    for (size_t i = 0; i + 1 < n; i++) {
        double step = block->middle[i + 1] - block->middle[i];
        climb.largest = fmax(climb.largest, step);
        climb.fall = fmax(climb.fall, -step);
    }
    return climb;
}

static bool one_step(const struct ja_track *track, const struct climb *climb)
{
    double half = 0, rest = climb->rise - climb->largest;
    for (size_t i = 0; i < track->count; i++)
        half = fmax(half, track->half[i]);
    return rest < STEP_REST * climb->rise || (track->count < FEW && rest < 2 * half);
}

/* The second half must still rise, and the last readings must not exclude it. */
static bool stopped(struct ja_bench *bench, const struct ja_track *track, double slope)
{
    size_t n = track->count, from = n >= 8 ? n / 2 : n - 4;
    if (from > n - 4)
        from = n - 4;
    struct ja_track late = ja_track_part(track, from, n);
    if (ja_pairs_rank(&late) <= 0)
        return true;
    struct ja_pairs *pairs = ja_pairs_of(bench, &late);
    if (pairs->central < LATE_LEAST * slope)
        return true;
    late = ja_track_part(track, n - (n / 4 > 3 ? n / 4 : 3), n);
    pairs = ja_pairs_of(bench, &late);
    return pairs->count && ja_pairs_steepest(bench, pairs) < LATE_LEAST * slope;
}

/* known: the track's outline, or NULL */
static bool other_shape(struct ja_bench *bench, const struct ja_track *track,
                        const struct ja_outline *known)
{
    struct ja_outline own;
    const struct ja_outline *outline = known;
    if (!known) {
        struct ja_moves moves = ja_moves_of(bench, track);
        own = ja_shape_of(bench, track, &moves);
        outline = &own;
    }
    switch (outline->best) {
    case JA_FORM_PLATEAU:
    case JA_FORM_STEP:
        return true;
    case JA_FORM_BURST:
        return outline->form == JA_FORM_BURST;
    case JA_FORM_FLAT:
        return outline->form == JA_FORM_FLAT && track->count >= 9;
    default:
        return false;
    }
}

/* Few readings: do two levels, or rise-then-flat, tell a better story than the line? */
static enum ja_growth_reason better_story(struct ja_bench *bench, const struct ja_track *track)
{
    size_t n = track->count;
    double rounding = 0, slope, knee, best = INFINITY;
    double *y = ja_arena_room(bench->arena, n, sizeof *y);
    for (size_t i = 0; i < n; i++) {
        rounding += track->half[i] * track->half[i] / 3;
        y[i] = track->middle[i] - track->middle[0];
    }
    double line = ja_model_line(track->time, y, n, &slope);
    line = (isnan(line) ? ja_model_level(y, n) : line) + rounding;
    for (size_t j = 2; j + 1 < n; j++)
        best = fmin(best, ja_model_level(y, j) + ja_model_level(y + j, n - j));
    if (best + rounding < line)
        return JA_REASON_ONE_STEP;
    if (ja_model_hinge(bench, track->time, y, n, &knee) + rounding < HINGE_MOST * line)
        return JA_REASON_STOPPED;
    return JA_REASON_NONE;
}

/* Few readings: does every rate fall below the one before, down to a fraction of the first? That
 * is how a warm-up looks, and a line hardly ever. */
static bool slowing(const struct ja_track *track)
{
    size_t n = track->count;
    double first = 0, before = INFINITY;
    for (size_t i = 0; i + 1 < n; i++) {
        double run = track->time[i + 1] - track->time[i];
        double rate = (track->middle[i + 1] - track->middle[i]) / run;
        if (!(run > 0) || !(rate < before))
            return false;
        first = i ? first : rate;
        before = rate;
    }
    return n >= SLOWING_FROM && before < SLOWING * first;
}

/* Few readings, two of them within moments and yet apart by a good part of the rise: a process that
 * moves so much by itself shows no trend in so few. */
static bool scatters(const struct ja_track *track)
{
    size_t n = track->count;
    double window = track->time[n - 1] - track->time[0];
    double rise = track->middle[n - 1] - track->middle[0];
    for (size_t i = 0; i + 1 < n; i++) {
        double apart = fmax(track->low[i + 1] - track->high[i], track->low[i] - track->high[i + 1]);
        if (track->time[i + 1] - track->time[i] <= MOMENTS * window && apart >= SCATTER * rise)
            return true;
    }
    return false;
}

static const char *trend(struct ja_bench *bench, const struct ja_track *track,
                         const struct ja_outline *known, enum ja_growth_reason *ret_reason)
{
    size_t n = track->count;
    double slope = 0;
    *ret_reason = JA_REASON_FEW_READINGS;
    if (n < TREND_FROM || !significant(bench, track, &slope, ret_reason))
        return NULL;
    struct ja_track block = blocks(bench, track);
    struct climb climb = climb_of(&block);
    *ret_reason = JA_REASON_NONE;
    if (climb.rise <= 0)
        *ret_reason = JA_REASON_NOT_SIGNIFICANT;
    else if (one_step(track, &climb))
        *ret_reason = JA_REASON_ONE_STEP;
    else if (stopped(bench, track, slope))
        *ret_reason = JA_REASON_STOPPED;
    else if (other_shape(bench, track, known))
        *ret_reason = JA_REASON_SHAPE;
    else if (climb.fall > FALL_MOST * climb.rise)
        *ret_reason = JA_REASON_FALLS;
    else if (n < FEW && scatters(track))
        *ret_reason = JA_REASON_NOT_SIGNIFICANT;
    else if (n < FEW)
        *ret_reason = slowing(track) ? JA_REASON_STOPPED : better_story(bench, track);
    return *ret_reason == JA_REASON_NONE ? "trend" : NULL;
}

/* Three to six readings: every step rises beyond rounding, far closer to a line than chance.
 * Evenly spaced ones can beat with a cycle: there the rise must be large as well. */
static const char *line(struct ja_bench *bench, const struct ja_track *track)
{
    size_t n = track->count;
    if (n < 3 || n > 6)
        return NULL;
    double longest = 0, shortest = INFINITY;
    for (size_t i = 0; i + 1 < n; i++) {
        if (track->low[i + 1] <= track->high[i])
            return NULL;
        longest = fmax(longest, track->time[i + 1] - track->time[i]);
        shortest = fmin(shortest, track->time[i + 1] - track->time[i]);
    }
    if (slowing(track))
        return NULL;
    double p = ja_fit_tail(ja_line_fit(&ja_pairs_of(bench, track)->line, n));
    bool large = track->middle[n - 1] - track->middle[0] >= line_rise[n] * fabs(track->middle[0]);
    if (longest <= EVEN * shortest)
        return large && p <= line_p[n] ? "line" : NULL;
    return p <= (large ? line_p[n] : LINE_UNEVEN_P) ? "line" : NULL;
}

/* Separate rises lie behind as many gaps that rise beyond rounding, whatever the noise. */
static bool can_rise_thrice(const struct ja_track *track)
{
    size_t gaps = 0;
    for (size_t i = 0; i + 1 < track->count; i++)
        gaps += track->low[i + 1] > track->high[i];
    return gaps >= 3;
}

/* At least three separate rises, none given back, no longer silence than such a process shows. */
static const char *steps(struct ja_bench *bench, const struct ja_track *track,
                         const struct ja_moves *known)
{
    size_t n = track->count;
    if (n < STEPS_FROM || track->low[n - 1] <= track->high[0] || !can_rise_thrice(track))
        return NULL;
    struct ja_moves moves = known ? *known : ja_moves_of(bench, track);
    double window = track->time[n - 1] - track->time[0];
    if (moves.rise_count < 3 || moves.fall_count || ja_moves_shrink(&moves) || !(window > 0))
        return NULL;
    double quiet = (track->time[n - 1] - track->time[moves.last]) / window;
    return pow(1 - quiet, (double)moves.rise_count) < SILENT ? NULL : "steps";
}

const char *ja_evidence_of(struct ja_bench *bench, const struct ja_track *track,
                           const struct ja_moves *moves, const struct ja_outline *outline,
                           enum ja_growth_reason *ret_reason)
{
    if (track->count < 3) {
        *ret_reason = JA_REASON_FEW_READINGS;
        return NULL;
    }
    const char *route = trend(bench, track, outline, ret_reason);
    if (!route)
        route = line(bench, track);
    if (!route)
        route = steps(bench, track, moves);
    return route;
}
