/* SPDX-License-Identifier: MIT */
#include "model/acceptance.h"
#include "model/proof.h"
#include "model/quantity.h"

#include <math.h>

#define HOUR 3600.0
#define SAME_MOMENT_NS 1000000
#define IDLE 0.02 /* of the mean rate: no work worth the name (method.md 5.2) */

static int64_t middle_ns(const struct ja_growth_point *point)
{
    return point->early_ns + ja_subtract(point->late_ns, point->early_ns) / 2;
}

static double apart_s(const struct ja_growth_point *from, const struct ja_growth_point *to)
{
    return (double)ja_subtract(middle_ns(to), middle_ns(from)) / 1e9;
}

static double half(const struct ja_growth_point *point)
{
    return (double)ja_subtract(point->high_bytes, point->low_bytes) / 2;
}

/* Bounds of the counter at a reading; false beyond the ends of the record. Samples inside the
 * printed digit of the reading's time were taken with it. */
static bool counter(const struct ja_growth_life *life, const struct ja_growth_point *point,
                    struct ja_range *ret)
{
    int64_t early = ja_subtract(point->early_ns, SAME_MOMENT_NS);
    int64_t late = ja_add(point->late_ns, SAME_MOMENT_NS);
    bool before = false, within = false, after = false;
    for (size_t i = 0; i < life->work_count && !after; i++) {
        const struct ja_growth_work *work = &life->work[i];
        int64_t moment = work->early_ns + ja_subtract(work->late_ns, work->early_ns) / 2;
        if (moment < early) {
            ret->low = work->total;
            before = true;
        } else if (moment <= late) {
            ret->low = within ? ret->low : work->total;
            ret->high = work->total;
            within = true;
        } else if (!within) {
            ret->high = work->total;
            after = true;
        }
    }
    if (within)
        return true;
    if (before && !after)
        ret->high = ret->low; /* at least: later work was not recorded */
    if (after && !before)
        ret->low = ret->high;
    return before && after;
}

/* Work surely done between two readings; NaN when the record does not say. Samples beyond the
 * ends of the record still prove what lies between them. */
static double work_between(const struct ja_growth_life *life, size_t from, size_t to)
{
    struct ja_range first = {0, 0}, last = {0, 0};
    if (!life->work || life->work_count < 2)
        return NAN;
    bool covered = counter(life, &life->points[from], &first);
    covered = counter(life, &life->points[to], &last) && covered;
    double done = last.low - first.high;
    if (done > 0)
        return done;
    return covered ? 0 : NAN;
}

/* Work that two readings can hold between them at most; infinite when the record does not say. */
static double work_at_most(const struct ja_growth_life *life, size_t from, size_t to)
{
    struct ja_range first = {0, 0}, last = {0, 0};
    if (!life->work || life->work_count < 2 || !counter(life, &life->points[from], &first) ||
        !counter(life, &life->points[to], &last))
        return INFINITY;
    return last.high - first.low;
}

static size_t nearest_middle(const struct ja_growth_life *life)
{
    size_t n = life->point_count, best = 0;
    double whole = apart_s(&life->points[0], &life->points[n - 1]), least = INFINITY;
    for (size_t i = 0; i < n; i++) {
        double off = fabs(apart_s(&life->points[0], &life->points[i]) - whole / 2);
        if (off < least) {
            least = off;
            best = i;
        }
    }
    return best;
}

static void measure(const struct ja_acceptance_input *input, struct ja_acceptance *ret)
{
    const struct ja_growth_life *life = input->after;
    const struct ja_growth_point *middle = &life->points[ret->middle];
    const struct ja_growth_point *last = &life->points[ret->last];
    ret->span_s = apart_s(middle, last);
    ret->window_s = apart_s(&life->points[0], last);
    ret->delta_low_bytes = ja_subtract(last->low_bytes, middle->high_bytes);
    ret->delta_high_bytes = ja_subtract(last->high_bytes, middle->low_bytes);
    ret->delta_bytes = ret->delta_low_bytes / 2 + ret->delta_high_bytes / 2 +
                       (ret->delta_low_bytes % 2 + ret->delta_high_bytes % 2) / 2;
    ret->work = work_between(life, 0, ret->last);
    ret->span_work = work_between(life, ret->middle, ret->last);
    ret->span_work_most = work_at_most(life, ret->middle, ret->last);
    double hours = ret->span_s / HOUR;
    struct ja_range open =
        ja_proof_slope((struct ja_range){(double)middle->low_bytes, (double)middle->high_bytes},
                       (struct ja_range){(double)last->low_bytes, (double)last->high_bytes}, hours);
    ret->open_low_bytes_per_hour = open.low;
    ret->open_high_bytes_per_hour = open.high;
    if (input->max_delta_bytes == JA_UNKNOWN)
        return;
    double most = (double)input->max_delta_bytes, error = half(middle) + half(last);
    struct ja_range power = ja_proof_power(most, hours, half(middle), half(last), 0);
    ret->pass_bytes_per_hour = power.low;
    ret->blind_bytes_per_hour = power.high;
    if (ret->span_work > 0)
        ret->blind_bytes_per_work = (most + error) / ret->span_work;
    ret->surely_grew = ret->delta_low_bytes >= input->max_delta_bytes;
    if (input->old_low_bytes_per_hour > 0)
        ret->needed_span_s = (most + error) / input->old_low_bytes_per_hour * HOUR;
    if (input->old_low_bytes_per_work > 0)
        ret->needed_work = (most + error) / input->old_low_bytes_per_work;
}

/* Per unit of work where both sides were counted: a leak that follows work says nothing by time. */
static bool catches_old(const struct ja_acceptance_input *input, const struct ja_acceptance *got)
{
    if (input->old_low_bytes_per_work > 0 && got->span_work > 0)
        return ja_proof_catches(got->blind_bytes_per_work, input->old_low_bytes_per_work);
    return ja_proof_catches(got->blind_bytes_per_hour, input->old_low_bytes_per_hour);
}

static enum ja_acceptance_gap gap_of(const struct ja_acceptance_input *input,
                                     const struct ja_acceptance *got)
{
    if (isnan(got->work))
        return JA_GAP_WORK_UNKNOWN;
    if (!(got->work > 0))
        return JA_GAP_NO_WORK;
    if (got->work < input->min_work)
        return JA_GAP_LITTLE_WORK;
    if (got->span_work_most < IDLE * got->work * got->span_s / got->window_s)
        return JA_GAP_IDLE_SPAN;
    if (!got->old_known)
        return JA_GAP_OLD_UNKNOWN;
    return got->old_caught ? JA_GAP_NONE : JA_GAP_TOO_SHORT;
}

void ja_acceptance_judge(const struct ja_acceptance_input *input, struct ja_acceptance *ret)
{
    *ret = (struct ja_acceptance){
        .gap = JA_GAP_READINGS,
        .span_s = NAN,
        .window_s = NAN,
        .delta_bytes = JA_UNKNOWN,
        .delta_low_bytes = JA_UNKNOWN,
        .delta_high_bytes = JA_UNKNOWN,
        .work = NAN,
        .span_work = NAN,
        .span_work_most = INFINITY,
        .pass_bytes_per_hour = NAN,
        .blind_bytes_per_hour = NAN,
        .blind_bytes_per_work = NAN,
        .open_low_bytes_per_hour = NAN,
        .open_high_bytes_per_hour = NAN,
        .needed_span_s = NAN,
        .needed_work = NAN,
    };
    const struct ja_growth_life *life = input->after;
    if (life->point_count < 3)
        return;
    ret->last = life->point_count - 1;
    ret->middle = nearest_middle(life);
    if (ret->middle == 0 || ret->middle == ret->last ||
        !(apart_s(&life->points[0], &life->points[ret->middle]) > 0) ||
        !(apart_s(&life->points[ret->middle], &life->points[ret->last]) > 0))
        return;
    measure(input, ret);
    if (input->max_delta_bytes == JA_UNKNOWN)
        return;
    ret->old_known = input->old_low_bytes_per_hour > 0 || input->old_low_bytes_per_work > 0;
    ret->old_caught = ret->old_known && catches_old(input, ret);
    ret->gap = gap_of(input, ret);
    if (ret->delta_bytes >= input->max_delta_bytes)
        ret->result = JA_ACCEPTANCE_NOT_SHOWN;
    else if (ret->gap == JA_GAP_NONE)
        ret->result = JA_ACCEPTANCE_EFFECTIVE;
}
