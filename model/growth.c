/* SPDX-License-Identifier: MIT
 *
 * The verdict: growing, not growing beyond the slope that matters, or cannot tell, and why.
 */
#include "model/growth.h"
#include "model/growth_parts.h"
#include "model/quantity.h"

#include <math.h>
#include <string.h>

#define HOUR 3600.0
#define IDLE 0.02 /* of the life's rate: below it the window saw no work worth the name */

static const char *work_route(const char *route)
{
    if (!route)
        return NULL;
    return route[0] == 't' ? "work:trend" : route[0] == 'l' ? "work:line" : "work:steps";
}

/* Did the process work at all while it was watched? */
static bool idle(const struct ja_trial *trial)
{
    const struct ja_track *track = &trial->track;
    double window = track->time[track->count - 1] - track->time[0];
    return trial->work_early &&
           (!(trial->work_high > 0) || trial->work_high < IDLE * trial->life_rate * window);
}

static const char *grow_per_work(struct ja_trial *trial, struct ja_growth *ret)
{
    enum ja_growth_reason ignored;
    if (!trial->work_early)
        return NULL;
    struct ja_track axis =
        ja_work_merge(trial->bench, &trial->track, trial->work_early, trial->work_late, false);
    struct ja_slope slope = ja_slope_interval(trial->bench, &axis, JA_LEVEL_REPORT, true);
    if (slope.exists) {
        ret->work_slope_bytes = slope.best;
        ret->work_slope_low_bytes = slope.low;
        ret->work_slope_high_bytes = slope.high;
    }
    const char *route = ja_evidence_of(trial->bench, &axis, NULL, NULL, &ignored);
    ret->work_verdict = route ? JA_GROWING : JA_CANNOT_TELL;
    return work_route(route);
}

/* Proved growth is called slow only if its second half alone is. */
static bool slow_at_the_end(struct ja_trial *trial)
{
    size_t n = trial->track.count;
    if (n - n / 2 < 3)
        return false;
    struct ja_track late = ja_track_part(&trial->track, n / 2, n);
    struct ja_slope slope = ja_slope_interval(trial->bench, &late, JA_LEVEL_WINDOW, true);
    return slope.exists && ja_slope_growth(&slope) <= trial->concern;
}

static enum ja_growth_reason reason_of(const struct ja_trial *trial, enum ja_growth_reason growth,
                                       enum ja_growth_reason denial)
{
    if (denial != JA_REASON_NONE)
        return denial;
    bool unproved = growth == JA_REASON_NOT_SIGNIFICANT || growth == JA_REASON_FEW_READINGS;
    if (!(trial->slope.low <= 0) || !unproved)
        return growth;
    return isnan(trial->concern) ? JA_REASON_NO_CONCERN : JA_REASON_BOUND_ABOVE_X;
}

/* The finest reading step of a life: the one division holds for it, however exact the reading. */
static double finest_step(const struct ja_growth_life *life)
{
    int64_t step = life->points[0].resolution_bytes;
    for (size_t i = 1; i < life->point_count; i++)
        if (life->points[i].resolution_bytes < step)
            step = life->points[i].resolution_bytes;
    return (double)step;
}

static void decide(struct ja_trial *trial, const struct ja_growth_input *input,
                   struct ja_growth *ret)
{
    enum ja_growth_reason growth_reason, denial_reason;
    double bound;
    if (idle(trial)) {
        ret->reason = JA_REASON_NO_WORK;
        return;
    }
    const char *grows =
        ja_evidence_of(trial->bench, &trial->track, &trial->moves, &trial->outline, &growth_reason);
    const char *by_work = grow_per_work(trial, ret);
    grows = grows ? grows : by_work;
    struct ja_denial question = {.track = &trial->track,
                                 .work_early = trial->work_early,
                                 .work_late = trial->work_late,
                                 .life_rate = trial->life_rate,
                                 .concern = trial->concern,
                                 .grows = grows != NULL,
                                 .assume_active = input->assume_active};
    const char *denial = ja_bound_denial(trial->bench, &question, &trial->outline, &trial->moves,
                                         &denial_reason, &bound);
    /* Equal exact counts of whole pages show nothing below a page over the window either. */
    if (!isnan(bound))
        bound = fmax(bound, finest_step(trial->life) / ret->window_s);
    ret->bound_bytes_per_hour = isfinite(bound) ? bound * HOUR : NAN;
    if (denial && !(bound <= trial->concern)) {
        denial = NULL;
        denial_reason = JA_REASON_BOUND_ABOVE_X;
    }
    if (denial && grows && !slow_at_the_end(trial))
        denial = NULL;
    if (denial) {
        ret->verdict = JA_NOT_GROWING;
        ret->route = denial;
        ret->slower_than_concern = grows != NULL;
        if (trial->work_early && ret->work_verdict != JA_GROWING)
            ret->work_verdict = JA_NOT_GROWING;
    } else if (grows) {
        ret->verdict = JA_GROWING;
        ret->route = grows;
    } else {
        ret->reason = reason_of(trial, growth_reason, denial_reason);
    }
}

/* Everything about one life but the lives before it. */
static void judge_life(const struct ja_growth_input *input, const struct ja_growth_life *life,
                       struct ja_arena *scratch, struct ja_growth *ret)
{
    ja_growth_unknown(ret);
    ja_growth_describe_points(life, input->dated, ret);
    ret->concern_bytes_per_hour = input->concern_bytes_per_hour;
    ret->reason = JA_REASON_UNDATED;
    if (!input->dated && life->point_count)
        return;
    ret->reason = JA_REASON_ONE_READING;
    if (life->point_count < 2)
        return;
    struct ja_trial trial;
    const struct ja_growth_life *before =
        input->life_count && life > input->lives ? life - 1 : NULL;
    ja_trial_new(ja_bench_new(scratch), life, before, &trial);
    if (trial.life != life) { /* it was not in time order */
        ja_growth_unknown(ret);
        ja_growth_describe_points(trial.life, true, ret);
    }
    const struct ja_track *track = &trial.track;
    trial.concern = input->concern_bytes_per_hour / HOUR;
    ret->concern_bytes_per_hour = input->concern_bytes_per_hour;
    ret->reason = JA_REASON_ONE_READING;
    if (track->count < 2 || !(track->time[track->count - 1] > track->time[0]))
        return;
    trial.slope = ja_slope_interval(trial.bench, track, JA_LEVEL_REPORT, true);
    trial.moves = ja_moves_of(trial.bench, track);
    trial.outline = ja_shape_of(trial.bench, track, &trial.moves);
    ja_growth_describe(&trial, ret);
    ret->reason = JA_REASON_TWO_READINGS;
    if (track->count < 3)
        return;
    ret->reason = JA_REASON_NONE;
    decide(&trial, input, ret);
    ja_growth_describe_verdict(&trial, input->limit_bytes, ret);
}

void ja_growth_judge(const struct ja_growth_input *input, struct ja_arena *scratch,
                     struct ja_growth *ret)
{
    static const struct ja_growth_life nothing;
    const struct ja_growth_life *life =
        input->life_count ? &input->lives[input->life_count - 1] : &nothing;
    judge_life(input, life, scratch, ret);
}

static const char *grows_as_service(const struct ja_growth_input *input, struct ja_arena *scratch,
                                    enum ja_growth_reason *ret_reason)
{
    size_t count = input->life_count;
    struct ja_bench *bench = ja_bench_new(scratch);
    struct ja_track *lives = ja_arena_alloc(scratch, count, sizeof *lives);
    for (size_t k = 0; k < count; k++)
        lives[k] = ja_track_judged(scratch, &input->lives[k]);
    const char *route = ja_evidence_lives(bench, lives, count, ret_reason);
    return route ? route : ja_evidence_one_life(bench, lives, count, ret_reason);
}

void ja_growth_judge_service(const struct ja_growth_input *input, struct ja_arena *scratch,
                             struct ja_growth *ret)
{
    size_t shown = input->life_count;
    while (shown && input->lives[shown - 1].point_count < 3)
        shown--;
    ja_growth_judge(input, scratch, ret);
    if (input->life_count < 2 || !input->dated || input->fixed_between)
        return;
    enum ja_growth_reason reason;
    const char *route = grows_as_service(input, scratch, &reason);
    enum ja_verdict verdict = route ? JA_GROWING : ret->verdict;
    enum ja_growth_reason why = route ? JA_REASON_NONE : ret->reason;
    const char *kept = route ? route : ret->route;
    if (shown && shown != input->life_count)
        judge_life(input, &input->lives[shown - 1], scratch, ret);
    ret->verdict = verdict;
    ret->reason = why;
    ret->route = kept;
    if (verdict != JA_GROWING)
        ret->forecast = false;
}
