/* SPDX-License-Identifier: MIT
 *
 * Figures beside the verdict: what the ends prove, the level held at the end, steps, floors,
 * work, and when a limit would be reached. None of them decides anything.
 */
#include "model/growth_parts.h"
#include "model/quantity.h"

#include <math.h>
#include <string.h>

#define HOUR 3600.0
#define LEVEL_SPREAD 0.02 /* of the level, or one reading step */
#define LEVEL_READINGS 3
#define LEVEL_SPAN 0.1  /* of the window */
#define LEVEL_SLOPE 0.3 /* of the slope before, at most */
#define BIG_FALL 0.35

void ja_growth_unknown(struct ja_growth *ret)
{
    static const struct ja_growth unknown = {
        .verdict = JA_CANNOT_TELL,
        .route = "",
        .window_s = NAN,
        .net_low_bytes = JA_UNKNOWN,
        .net_high_bytes = JA_UNKNOWN,
        .best_bytes_per_hour = NAN,
        .low_bytes_per_hour = NAN,
        .high_bytes_per_hour = NAN,
        .line_low_bytes_per_hour = NAN,
        .line_high_bytes_per_hour = NAN,
        .off_line_bytes = NAN,
        .detectable_bytes_per_hour = NAN,
        .concern_bytes_per_hour = NAN,
        .minimum_window_s = NAN,
        .bound_bytes_per_hour = NAN,
        .needed_window_s = NAN,
        .plateau_low_bytes = JA_UNKNOWN,
        .plateau_high_bytes = JA_UNKNOWN,
        .last_step_bytes = JA_UNKNOWN,
        .next_step_bytes = JA_UNKNOWN,
        .silent_s = NAN,
        .silence_expected = NAN,
        .max_step_bytes = JA_UNKNOWN,
        .max_step_s = NAN,
        .floor_low_bytes = JA_UNKNOWN,
        .floor_high_bytes = JA_UNKNOWN,
        .forecast_early_ns = JA_UNKNOWN,
        .forecast_late_ns = JA_UNKNOWN,
        .work = NAN,
        .work_low = NAN,
        .work_high = NAN,
        .per_work_low_bytes = NAN,
        .per_work_high_bytes = NAN,
        .work_slope_bytes = NAN,
        .work_slope_low_bytes = NAN,
        .work_slope_high_bytes = NAN,
    };
    memcpy(ret, &unknown, sizeof *ret);
}

static double best(const struct ja_growth_point *point)
{
    return ((double)point->low_bytes + (double)point->high_bytes) / 2;
}

static double moment(const struct ja_growth_point *point, const struct ja_growth_point *base)
{
    return ((double)ja_subtract(point->early_ns, base->early_ns) +
            (double)ja_subtract(point->late_ns, base->early_ns)) /
           2e9;
}

static int64_t whole(double bytes)
{
    return (int64_t)llround(ja_larger(ja_smaller(bytes, 9e18), -9e18));
}

static void largest_step(const struct ja_growth_life *life, bool dated, struct ja_growth *ret)
{
    const struct ja_growth_point *point = life->points;
    double most = -INFINITY;
    for (size_t i = 1; i < life->point_count; i++) {
        double rise = best(&point[i]) - best(&point[i - 1]);
        if (point[i].low_bytes <= point[i - 1].high_bytes || rise <= most)
            continue;
        most = rise;
        int64_t step = whole(rise);
        if (ret->max_step_bytes != JA_UNKNOWN && step <= ret->max_step_bytes)
            continue;
        ret->max_step_bytes = step;
        ret->max_step_at = i;
        ret->max_step_s = dated ? moment(&point[i], point) - moment(&point[i - 1], point) : NAN;
    }
}

void ja_growth_describe_points(const struct ja_growth_life *life, bool dated, struct ja_growth *ret)
{
    size_t n = life->point_count;
    ret->points = n;
    for (size_t i = 0; i < n; i++)
        if (life->points[i].resolution_bytes > ret->resolution_bytes)
            ret->resolution_bytes = life->points[i].resolution_bytes;
    if (n < 2)
        return;
    const struct ja_growth_point *first = &life->points[0], *last = &life->points[n - 1];
    ret->net_low_bytes = ja_subtract(last->low_bytes, first->high_bytes);
    ret->net_high_bytes = ja_subtract(last->high_bytes, first->low_bytes);
    ret->declines = ret->net_high_bytes < 0;
    if (dated)
        ret->window_s = moment(last, first) - moment(first, first);
    largest_step(life, dated, ret);
}

/* Per hour; a bound that is not there is unknown. */
static double hourly(double per_second)
{
    return isfinite(per_second) ? per_second * HOUR : NAN;
}

/* The slopes that no reading rules out: of all readings, not of thinned ones. */
static void describe_line(const struct ja_trial *trial, struct ja_growth *ret)
{
    struct ja_track all = trial->track;
    if (trial->life->point_count > all.count)
        all = ja_track_of_life(trial->bench->arena, trial->life);
    bool spread = all.early[all.count - 1] > all.late[0];
    struct ja_span line =
        spread && all.count > trial->track.count ? ja_strip(&all) : trial->slope.line;
    ret->line_fits = line.exists;
    if (line.exists) {
        ret->line_low_bytes_per_hour = hourly(line.low);
        ret->line_high_bytes_per_hour = hourly(line.high);
        ret->off_line_bytes = 0;
        ret->detectable_bytes_per_hour = hourly(fmax(fabs(line.low), fabs(line.high)));
    } else {
        ret->off_line_bytes = ja_strip_inflation(&all);
        ret->detectable_bytes_per_hour = hourly((double)ret->resolution_bytes / ret->window_s);
    }
}

static void describe_moves(const struct ja_trial *trial, struct ja_growth *ret)
{
    const struct ja_moves *moves = &trial->moves;
    const struct ja_track *track = &trial->track;
    ret->step_count = moves->rise_count;
    if (moves->rise_count) {
        const struct ja_rise *last = &moves->rises[moves->rise_count - 1];
        ret->last_step_bytes = whole((last->low + last->high) / 2);
        ret->silent_s = track->time[track->count - 1] - track->time[moves->last];
        double window = track->time[track->count - 1] - track->time[0];
        ret->silence_expected = pow(1 - ret->silent_s / window, (double)moves->rise_count);
    }
    ret->doubling = trial->outline.form == JA_FORM_DOUBLING;
    if (ret->doubling) {
        ret->next_step_bytes = whole((trial->outline.next_low + trial->outline.next_high) / 2);
        ret->step_count = trial->outline.steps;
        ret->last_step_bytes = ret->next_step_bytes / 2;
    }
}

/* Lowest readings of the first and of the last tooth. */
static void describe_floor(const struct ja_trial *trial, struct ja_growth *ret)
{
    const struct ja_track *track = &trial->track;
    size_t n = track->count, first = 0, last = 0, drops = 0, tooth = 0;
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        least = fmin(least, track->middle[i]);
        most = fmax(most, track->middle[i]);
    }
    for (size_t i = 0; i < n; i++) {
        if (i && track->middle[i - 1] - track->middle[i] > BIG_FALL * (most - least)) {
            first = drops == 1 ? last : first; /* the tooth before the first fall is cut */
            tooth = i;
            drops++;
        }
        if (i == tooth || track->middle[i] < track->middle[last])
            last = i;
        if (!drops)
            first = last;
    }
    if (drops == 1 || !drops || first == last)
        return;
    ret->floor_low_bytes = whole(floor(track->low[last] - track->high[first]));
    ret->floor_high_bytes = whole(ceil(track->high[last] - track->low[first]));
}

struct level {
    size_t first;
    int64_t low, high; /* of the readings' intervals: largest low, smallest high when they meet */
    int64_t step;      /* coarsest */
    int64_t fine;      /* finest */
};

/* The longest run of end readings whose values lie within one step or 2 % of each other. */
static struct level end_level(const struct ja_growth_life *life)
{
    size_t n = life->point_count, i = n;
    struct level level = {n, 0, 0, 0, INT64_MAX};
    double least = INFINITY, most = -INFINITY;
    int64_t inner_low = INT64_MIN, inner_high = INT64_MAX;
    int64_t outer_low = INT64_MAX, outer_high = INT64_MIN;
    while (i-- > 0) {
        const struct ja_growth_point *point = &life->points[i];
        double low = ja_smaller(least, best(point)), high = ja_larger(most, best(point));
        int64_t step = level.step > point->resolution_bytes ? level.step : point->resolution_bytes;
        if (high - low > ja_larger((double)step, LEVEL_SPREAD * high))
            break;
        least = low, most = high;
        level.step = step;
        level.first = i;
        level.fine = level.fine < point->resolution_bytes ? level.fine : point->resolution_bytes;
        inner_low = inner_low > point->low_bytes ? inner_low : point->low_bytes;
        inner_high = inner_high < point->high_bytes ? inner_high : point->high_bytes;
        outer_low = outer_low < point->low_bytes ? outer_low : point->low_bytes;
        outer_high = outer_high > point->high_bytes ? outer_high : point->high_bytes;
    }
    bool meet = inner_low <= inner_high;
    level.low = meet ? inner_low : outer_low;
    level.high = meet ? inner_high : outer_high;
    return level;
}

static double slope_between(const struct ja_growth_point *from, const struct ja_growth_point *to)
{
    double run = moment(to, from) - moment(from, from);
    return run > 0 ? (best(to) - best(from)) / run : INFINITY;
}

/* Slope of a run of readings: their second half against their first. */
static double run_slope(const struct ja_growth_point *point, size_t count)
{
    double sum[2] = {0, 0}, time[2] = {0, 0};
    size_t half = count / 2;
    for (size_t i = 0; i < half; i++) {
        sum[0] += best(&point[i]) / (double)half;
        time[0] += moment(&point[i], point) / (double)half;
        sum[1] += best(&point[count - 1 - i]) / (double)half;
        time[1] += moment(&point[count - 1 - i], point) / (double)half;
    }
    return time[1] > time[0] ? (sum[1] - sum[0]) / (time[1] - time[0]) : INFINITY;
}

/* Three spaced end readings after a lower one. A slow straight rise is no level: the slope within
 * the run must be far below the one that led to it. */
static void describe_plateau(const struct ja_trial *trial, struct ja_growth *ret)
{
    const struct ja_growth_life *life = trial->life;
    const struct ja_growth_point *point = life->points;
    struct level level = end_level(life);
    size_t n = life->point_count, spaced = 1;
    if (level.first == 0 || n - level.first < LEVEL_READINGS)
        return;
    const struct ja_growth_point *start = &point[level.first];
    for (size_t i = level.first + 1; i < n; i++)
        spaced += point[i].early_ns > point[i - 1].late_ns;
    double span = moment(&point[n - 1], start) - moment(start, start);
    double slope = run_slope(start, n - level.first);
    if (spaced < LEVEL_READINGS || point[level.first - 1].high_bytes >= level.low ||
        point[0].high_bytes >= level.low || span < LEVEL_SPAN * ret->window_s ||
        slope > LEVEL_SLOPE * slope_between(&point[0], start))
        return;
    if (trial->concern > 0 && span < (double)level.fine / trial->concern)
        return; /* the one division: too short to tell a level from the growth that matters */
    ret->plateau = true;
    ret->plateau_first = level.first;
    ret->plateau_low_bytes = level.low;
    ret->plateau_high_bytes = level.high;
}

static void describe_work(const struct ja_trial *trial, struct ja_growth *ret)
{
    ret->work_known = trial->work_early != NULL;
    if (!ret->work_known)
        return;
    ret->work_low = trial->work_low;
    ret->work_high = isinf(trial->work_high) ? NAN : trial->work_high;
    ret->work =
        isinf(trial->work_high) ? trial->work_low : (trial->work_low + trial->work_high) / 2;
    if (!(trial->work_low > 0))
        return;
    double low = (double)ret->net_low_bytes, high = (double)ret->net_high_bytes;
    ret->per_work_low_bytes = low / (low > 0 ? trial->work_high : trial->work_low);
    ret->per_work_high_bytes = high / (high > 0 ? trial->work_low : trial->work_high);
}

static enum ja_shape word(enum ja_form form)
{
    static const enum ja_shape words[JA_FORM_COUNT] = {
        [JA_FORM_FLAT] = JA_SHAPE_FLAT,           [JA_FORM_LINEAR] = JA_SHAPE_LINEAR,
        [JA_FORM_PLATEAU] = JA_SHAPE_PLATEAU,     [JA_FORM_STEP] = JA_SHAPE_STEP,
        [JA_FORM_STAIRCASE] = JA_SHAPE_STAIRCASE, [JA_FORM_DOUBLING] = JA_SHAPE_DOUBLING,
        [JA_FORM_SAWTOOTH] = JA_SHAPE_SAWTOOTH,   [JA_FORM_BURST] = JA_SHAPE_BURST};
    return words[form];
}

void ja_growth_describe(const struct ja_trial *trial, struct ja_growth *ret)
{
    const struct ja_slope *slope = &trial->slope;
    if (slope->exists) {
        ret->best_bytes_per_hour = hourly(slope->best);
        ret->low_bytes_per_hour = hourly(slope->low);
        ret->high_bytes_per_hour = hourly(slope->high);
        ret->effective_points = slope->effective;
    }
    describe_line(trial, ret);
    ret->concern_bytes_per_hour = trial->concern * HOUR;
    if (trial->concern > 0)
        ret->minimum_window_s = (double)ret->resolution_bytes / trial->concern;
    ret->shape = word(trial->outline.form);
    ret->declines = ret->declines || trial->outline.form == JA_FORM_DECLINE;
    describe_work(trial, ret);
    if (trial->track.count < 3)
        return;
    describe_moves(trial, ret);
    describe_plateau(trial, ret);
    if (trial->outline.form == JA_FORM_SAWTOOTH)
        describe_floor(trial, ret);
}

static int64_t after(int64_t ns, double seconds)
{
    return seconds < 9e9 ? ja_add(ns, (int64_t)(seconds * 1e9)) : JA_UNKNOWN;
}

/* Only for growth at a rate: a doubling has its next step instead. */
static void describe_forecast(const struct ja_trial *trial, int64_t limit, struct ja_growth *ret)
{
    const struct ja_growth_point *last = &trial->life->points[trial->life->point_count - 1];
    bool steady = ret->shape == JA_SHAPE_LINEAR || ret->shape == JA_SHAPE_STAIRCASE;
    if (ret->verdict != JA_GROWING || !steady || limit == JA_UNKNOWN || limit <= last->high_bytes ||
        !(trial->slope.high > 0))
        return;
    double soonest = (double)(limit - last->high_bytes) / trial->slope.high;
    double latest = (double)(limit - last->low_bytes) / trial->slope.low;
    ret->forecast_early_ns = after(last->early_ns, soonest);
    ret->forecast = ret->forecast_early_ns != JA_UNKNOWN;
    if (ret->forecast && trial->slope.low > 0)
        ret->forecast_late_ns = after(last->late_ns, latest);
}

void ja_growth_describe_verdict(const struct ja_trial *trial, int64_t limit_bytes,
                                struct ja_growth *ret)
{
    bool fades = trial->outline.best == JA_FORM_PLATEAU || ja_moves_shrink(&trial->moves);
    double age = NAN;
    if (trial->life->started_ns != JA_UNKNOWN)
        age = (double)ja_subtract(trial->life->points[0].early_ns, trial->life->started_ns) / 1e9;
    ret->warm_up =
        fades && ret->verdict != JA_GROWING && ret->net_low_bytes > 0 && !(age > ret->window_s);
    if (ret->verdict == JA_GROWING)
        ret->plateau = false;
    describe_forecast(trial, limit_bytes, ret);
    if (isfinite(ret->bound_bytes_per_hour) && ret->concern_bytes_per_hour > 0)
        ret->needed_window_s =
            ret->window_s * ret->bound_bytes_per_hour / ret->concern_bytes_per_hour;
}
