/* SPDX-License-Identifier: MIT
 *
 * The word for the course of a series. What single moves prove comes first; then the models of
 * growth_models.c compete, and a narrow lead is no answer.
 */
#include "model/growth_lanes.h"
#include "model/growth_parts.h"

#include <math.h>

#define LEAD 0.5      /* BIC lead below which the shape stays unknown */
#define FEW 7         /* below this only moves speak */
#define BIG_FALL 0.35 /* of the range */
#define NEAR_FLOOR 0.25
#define MOSTLY 0.6
#define STRAIGHT_P 0.05
#define RISING_PARAMETERS 4 /* the fewest of a rising model: a saturating curve, two levels */
#define HINGE_PARAMETERS 5
#define ROUNDING 0.01 /* more than the arithmetic moves an information value */

struct scene {
    struct ja_bench *bench;
    const struct ja_track *track;
    double least, range, half; /* of the middles; largest half width */
    double floor;              /* variance that rounding alone explains */
};

static struct scene look(struct ja_bench *bench, const struct ja_track *track)
{
    struct scene scene = {.bench = bench, .track = track};
    ja_two least = ja_two_of(INFINITY), most = ja_two_of(-INFINITY), half = {0, 0};
    double squares = 0;
    for (size_t i = 0; i < track->count; i += 2) {
        bool both = i + 1 < track->count;
        ja_two middles = ja_two_first(&track->middle[i], both);
        ja_two halves = both ? ja_two_at(&track->half[i]) : (ja_two){track->half[i], 0};
        least = ja_two_smaller(least, middles);
        most = ja_two_larger(most, middles);
        half = ja_two_larger(half, halves);
        halves *= halves;
        squares = squares + halves[0] + halves[1];
    }
    double highest = ja_larger(most[0], most[1]);
    scene.least = ja_smaller(least[0], least[1]);
    scene.range = highest - scene.least;
    scene.half = ja_larger(half[0], half[1]);
    double largest = ja_larger(fabs(highest), fabs(scene.least));
    scene.floor = squares / (double)track->count / 3 + 1e-12 * largest * largest + 1e-30;
    return scene;
}

static bool one_level(const struct ja_track *track)
{
    ja_two low = ja_two_of(-INFINITY), high = ja_two_of(INFINITY);
    for (size_t i = 0; i < track->count; i += 2) {
        bool both = i + 1 < track->count;
        low = ja_two_larger(low, ja_two_first(&track->low[i], both));
        high = ja_two_smaller(high, ja_two_first(&track->high[i], both));
    }
    return ja_larger(low[0], low[1]) <= ja_smaller(high[0], high[1]);
}

/* Few readings: each moves the same way beyond rounding, on a line better than chance. */
static enum ja_form straight(struct ja_bench *bench, const struct ja_track *track)
{
    size_t n = track->count, rises = 0, falls = 0;
    for (size_t i = 0; i + 1 < n; i++) {
        rises += track->low[i + 1] > track->high[i];
        falls += track->high[i + 1] < track->low[i];
    }
    if (rises != n - 1 && falls != n - 1)
        return JA_FORM_UNKNOWN;
    struct ja_fit fit = ja_line_fit(&ja_pairs_of(bench, track)->line, n);
    double t = fit.error > 0 ? fabs(fit.slope) / fit.error : INFINITY;
    if (ja_student_tail(t, fit.freedom) > STRAIGHT_P)
        return JA_FORM_UNKNOWN;
    return fit.slope > 0 ? JA_FORM_LINEAR : JA_FORM_DECLINE;
}

/* Shapes with a falling edge, which no smooth model has. */
static enum ja_form torn(const struct scene *scene)
{
    const struct ja_track *track = scene->track;
    size_t n = track->count;
    if (n < 6)
        return JA_FORM_UNKNOWN;
    ja_two half = ja_two_of(scene->half);
    ja_two floor = ja_two_of(scene->least + NEAR_FLOOR * scene->range);
    ja_two fall = ja_two_of(ja_larger(BIG_FALL * scene->range, 4 * scene->half));
    ja_mask bigs = {0, 0}, ups = {0, 0}, downs = {0, 0}, nears = {0, 0}; /* a mask is -1 */
    for (size_t i = 0; i < n; i += 2) {
        ja_two here = i + 1 < n ? ja_two_at(&track->middle[i]) : (ja_two){track->middle[i], NAN};
        ja_two next = i + 2 < n ? ja_two_at(&track->middle[i + 1])
                                : (ja_two){here[1], NAN}; /* no step compares with NaN */
        ja_two step = next - here;
        nears -= ja_two_up_to(here, floor);
        ups -= ja_two_less(half, step);
        downs -= ja_two_less(step, -half);
        bigs -= ja_two_less(fall, -step);
    }
    size_t big = (size_t)(bigs[0] + bigs[1]), up = (size_t)(ups[0] + ups[1]);
    size_t down = (size_t)(downs[0] + downs[1]), near = (size_t)(nears[0] + nears[1]);
    if (!big)
        return JA_FORM_UNKNOWN;
    if ((double)near >= MOSTLY * (double)n)
        return JA_FORM_BURST;
    if (big >= 2 && (double)up >= 1.6 * (double)(down > 1 ? down : 1))
        return JA_FORM_SAWTOOTH;
    return up >= 3 * down && big == down ? JA_FORM_SAWTOOTH : JA_FORM_UNKNOWN;
}

/* Plateaus and stairs: their information values, by form; the knee of the better plateau. */
static void compete_rising(const struct scene *scene, const double *x, const double *y,
                           double *value, double *ret_knee)
{
    size_t n = scene->track->count, parts = 0;
    double knee = NAN, bend = NAN;
    double hinge = ja_model_hinge(scene->bench, x, y, n, &knee);
    double curve = ja_model_exponential(scene->bench, x, y, n, &bend);
    double hinged = ja_model_information(hinge, n, HINGE_PARAMETERS, scene->floor);
    double curved = ja_model_information(curve, n, RISING_PARAMETERS, scene->floor);
    value[JA_FORM_PLATEAU] = fmin(hinged, curved);
    *ret_knee = scene->track->time[0] + (curved < hinged ? bend : knee);
    double levels = ja_model_parts(scene->bench, y, n, scene->floor, &parts);
    value[parts == 2 ? JA_FORM_STEP : JA_FORM_STAIRCASE] = levels;
}

/* Every model's information value, by form; INFINITY for those that can neither win nor come so
 * near that the lead is in doubt. */
static void compete(const struct scene *scene, double *value, double *ret_knee)
{
    const struct ja_track *track = scene->track;
    size_t n = track->count;
    double *x = ja_bench_room(scene->bench, 2 * n), *y = x + n;
    bool in_order = true; /* one moment may be out of order by the last bit of its readings */
    for (size_t i = 0; i < n; i++) {
        x[i] = track->time[i] - track->time[0];
        y[i] = track->middle[i] - track->middle[0];
        in_order = in_order && (!i || x[i - 1] <= x[i]);
    }
    for (int form = 0; form < JA_FORM_COUNT; form++)
        value[form] = INFINITY;
    *ret_knee = NAN;
    double slope = 0;
    double flat = ja_model_information(ja_model_level(y, n), n, 2, scene->floor);
    double line = ja_model_line(x, y, n, &slope);
    if (isnan(line))
        line = ja_model_level(y, n);
    double straight = ja_model_information(line, n, 3, scene->floor);
    value[JA_FORM_FLAT] = flat;
    value[slope > 0 ? JA_FORM_LINEAR : JA_FORM_DECLINE] = straight;
    double rising = ja_model_rising(scene->bench, y, n);
    double least = ja_model_information(rising, n, RISING_PARAMETERS, scene->floor);
    if (!in_order || least < ja_smaller(flat, straight) + LEAD + ROUNDING)
        compete_rising(scene, x, y, value, ret_knee);
}

static void choose(const double *value, struct ja_outline *ret)
{
    double first = INFINITY, second = INFINITY;
    for (int form = 0; form < JA_FORM_COUNT; form++) {
        if (value[form] < first) {
            second = first;
            first = value[form];
            ret->best = (enum ja_form)form;
        } else if (value[form] < second) {
            second = value[form];
        }
    }
    if (!isinf(first) && !(second - first < LEAD))
        ret->form = ret->best;
}

struct ja_outline ja_shape_of(struct ja_bench *bench, const struct ja_track *track,
                              const struct ja_moves *moves)
{
    struct ja_outline ret = {.knee = NAN, .next_low = NAN, .next_high = NAN};
    size_t n = track->count;
    if (n < 3)
        return ret;
    struct scene scene = look(bench, track);
    if (one_level(track))
        ret.form = JA_FORM_FLAT;
    else if (ja_moves_double(bench, track, moves, &ret))
        ret.form = JA_FORM_DOUBLING;
    else if (n < FEW && (ret.form = straight(bench, track)) != JA_FORM_UNKNOWN)
        ret.best = ret.form;
    else if (n >= 6 && moves->rise_count >= 3 && !moves->fall_count)
        ret.form = JA_FORM_STAIRCASE, ret.steps = moves->rise_count;
    else
        ret.form = torn(&scene);
    ret.best = ret.form;
    if (ret.form != JA_FORM_UNKNOWN)
        return ret;
    if (n < 5)
        return ret;
    double value[JA_FORM_COUNT], knee;
    compete(&scene, value, &knee);
    choose(value, &ret);
    if (n < FEW && ret.best == JA_FORM_FLAT) /* one level is excluded: the penalty chose it */
        ret.form = ret.best = JA_FORM_UNKNOWN;
    if (ret.best == JA_FORM_PLATEAU)
        ret.knee = knee;
    return ret;
}
