/* SPDX-License-Identifier: MIT
 *
 * What the verdicts leave out because it cannot matter: on any series the short way gives what the
 * long way gives.
 */
#include "model/growth_parts.h"
#include "tests/growth_series.h"

#define MOST_PAIRS 900

static uint32_t dice = 4711;

static double roll(void)
{
    dice ^= dice << 13;
    dice ^= dice >> 17;
    dice ^= dice << 5;
    return (double)dice / 4294967296.0;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Level, line or steps with noise that is none, even or heavy-tailed; digits coarse or fine; times
 * even, uneven, some of them the same, with or without an error of the clock. */
static struct ja_track any_track(void)
{
    size_t count = 2 + (size_t)(roll() * (roll() < 0.1 ? 40 : 28));
    struct ja_track track = ja_track_new(arena, count);
    double rise = roll() < 0.4 ? 0 : 1000 * (roll() - 0.3), steps = 1 + floor(roll() * 6);
    double noise = roll() < 0.2 ? 0 : 100 * roll(), tail = floor(roll() * 3), at = 0;
    double digit = roll() < 0.3 ? 50 : 1, error = roll() < 0.5 ? 0 : roll() * 0.3;
    bool even = roll() < 0.3, stairs = roll() < 0.3;
    for (size_t i = 0; i < count; i++) {
        double part = (double)i / (double)count;
        double truth = 5000 + rise * (stairs ? floor(part * steps) / steps : part) +
                       noise * pow(roll() - 0.5, 1 + 2 * tail);
        at += even ? 1 : roll() < 0.1 ? 0 : 2 * roll();
        track.early[i] = at - error;
        track.late[i] = at + error;
        track.low[i] = floor(truth / digit) * digit;
        track.high[i] = track.low[i] + digit;
    }
    ja_track_finish(&track);
    return track;
}

/* Values of a span found beside others; wherever the span lies. */
static void test_selection_in_a_span(void **state)
{
    (void)state;
    for (int round = 0; round < 3000; round++) {
        double values[120], sorted[120], room[120];
        size_t count = 1 + (size_t)(roll() * 119), k = (size_t)(roll() * (double)count);
        for (size_t i = 0; i < count; i++)
            values[i] = sorted[i] = floor(roll() * (round % 2 ? 12 : 1e6));
        qsort(sorted, count, sizeof *sorted, by_value);
        double from = sorted[(size_t)(roll() * (double)count)], width = roll() * 1e5;
        struct ja_span near = {true, from, from + (round % 3 ? width : 0)};
        assert_true(ja_select_near(values, count, k, near, room) == sorted[k]);
    }
}

static double all_slopes(const struct ja_track *track, double *slope, double *weight,
                         size_t *ret_count)
{
    double rank = 0;
    size_t count = 0;
    for (size_t i = 0; i < track->count; i++)
        for (size_t j = i + 1; j < track->count; j++) {
            double run = (track->early[j] + track->late[j] - track->early[i] - track->late[i]) / 2;
            if (!(run > 0))
                continue;
            double least = track->low[j] - track->high[i], most = track->high[j] - track->low[i];
            slope[count] = (least + most) / 2 / run;
            weight[count++] = run;
            rank += (least > 0) - (most < 0);
        }
    *ret_count = count;
    return rank;
}

static void test_centre_among_all_pairs(void **state)
{
    (void)state;
    double slope[MOST_PAIRS], weight[MOST_PAIRS];
    size_t spared = 0;
    for (int round = 0; round < 5000; round++) {
        struct ja_track track = any_track();
        size_t count = 0;
        double rank = all_slopes(&track, slope, weight, &count);
        struct ja_pairs *pairs = ja_pairs_of(ja_bench_new(arena), &track);
        assert_int_equal(pairs->count, count);
        assert_true(ja_pairs_rank(&track) == rank);
        if (count) {
            double central = ja_weighted_median(slope, weight, count);
            assert_true(pairs->central == central);
            double most = central * (0.5 + roll()) + roll() - 0.5;
            bool exceeds = ja_pairs_exceed(&track, most);
            assert_true(exceeds || central <= most);
            spared += !exceeds;
        }
        ja_arena_reset(arena);
    }
    assert_true(spared > 2000);
}

/* Both ends of each pair, one by one. */
static size_t all_ends(const struct ja_track *track, double *lower, double *upper)
{
    size_t count = 0;
    for (size_t i = 0; i < track->count; i++)
        for (size_t j = i + 1; j < track->count; j++) {
            double run = (track->early[j] + track->late[j] - track->early[i] - track->late[i]) / 2;
            double near = track->early[j] - track->late[i], far = track->late[j] - track->early[i];
            double least = track->low[j] - track->high[i], most = track->high[j] - track->low[i];
            if (!(run > 0))
                continue;
            near = near > 0 ? near : run * 1e-3;
            lower[count] = least / (least > 0 ? far : near);
            upper[count++] = most / (most > 0 ? near : far);
        }
    return count;
}

static void test_ends_among_all_pairs(void **state)
{
    (void)state;
    double lower[MOST_PAIRS], upper[MOST_PAIRS];
    for (int round = 0; round < 5000; round++) {
        struct ja_track track = any_track();
        struct ja_bench *bench = ja_bench_new(arena);
        struct ja_pairs *pairs = ja_pairs_of(bench, &track);
        size_t count = all_ends(&track, lower, upper), k = (size_t)(roll() * (double)count);
        assert_int_equal(pairs->count, count);
        if (count) {
            qsort(lower, count, sizeof *lower, by_value);
            qsort(upper, count, sizeof *upper, by_value);
            double reach = roll() * 500, high = upper[count - 1 - k];
            if (round % 2) /* the upper ones are asked for first, or by themselves */
                assert_true(ja_pairs_high(bench, pairs, k, reach) == high);
            assert_true(ja_pairs_high_exceeds(bench, pairs, k, high - fabs(high) * 1e-9 - 1e-9));
            assert_false(ja_pairs_high_exceeds(bench, pairs, k, high));
            assert_true(ja_pairs_low(bench, pairs, k, reach) == lower[k]);
            assert_true(ja_pairs_high(bench, pairs, k, reach) == high);
            assert_true(ja_pairs_steepest(bench, pairs) == upper[count - 1]);
        }
        assert_true(ja_bench_rank(bench, pairs) == ja_pairs_rank(&track));
        ja_arena_reset(arena);
    }
}

static void test_median_and_selection(void **state)
{
    (void)state;
    for (int round = 0; round < 5000; round++) {
        double values[40], sorted[40];
        size_t count = 1 + (size_t)(roll() * 39), k = (size_t)(roll() * (double)count);
        for (size_t i = 0; i < count; i++)
            values[i] = sorted[i] = floor(roll() * (round % 2 ? 12 : 1e6));
        qsort(sorted, count, sizeof *sorted, by_value);
        double middle = sorted[count / 2];
        if (count % 2 == 0)
            middle = 0.5 * (sorted[count / 2 - 1] + middle);
        assert_true(ja_select(values, count, k) == sorted[k]);
        assert_true(ja_median(values, count) == middle);
    }
}

static void test_bound_against_interval(void **state)
{
    static const double levels[] = {JA_LEVEL_WINDOW, JA_LEVEL_LATE, JA_LEVEL_FEW};
    (void)state;
    for (int round = 0; round < 5000; round++) {
        struct ja_track track = any_track();
        double level = levels[round % 3], least = roll() < 0.3 ? 0 : 200 * roll();
        double bound = ja_slope_bound(ja_bench_new(arena), &track, level, least);
        struct ja_slope slope = ja_slope_interval(ja_bench_new(arena), &track, level, true);
        assert_true(bound == (slope.exists ? fmax(least, ja_slope_growth(&slope)) : least));
        ja_arena_reset(arena);
    }
}

/* The middle of an interval does not depend on its level, nor on whether its ends are found. */
static void test_centre_against_interval(void **state)
{
    static const double levels[] = {JA_LEVEL_REPORT, JA_LEVEL_WINDOW, JA_LEVEL_LATE, JA_LEVEL_FEW};
    (void)state;
    for (int round = 0; round < 5000; round++) {
        struct ja_track track = any_track();
        bool wander = roll() < 0.5;
        struct ja_slope centre = ja_slope_central(ja_bench_new(arena), &track, wander);
        struct ja_bench *bench = ja_bench_new(arena);
        for (size_t i = 0; i < COUNT(levels); i++) {
            struct ja_slope slope = ja_slope_interval(bench, &track, levels[i], wander);
            assert_true(slope.exists == centre.exists);
            assert_true(!slope.exists || (slope.best == centre.best && slope.low <= slope.high));
            assert_int_equal(slope.effective, centre.effective);
            assert_true(slope.line.exists == centre.line.exists);
        }
        ja_arena_reset(arena);
    }
}

/* From 11 effective readings on every level has a rank that reaches it. */
static void test_sen_has_its_critical_rank(void **state)
{
    static const double levels[] = {JA_LEVEL_REPORT, JA_LEVEL_WINDOW, JA_LEVEL_LATE, JA_LEVEL_FEW};
    (void)state;
    for (size_t m = 11; m <= 1000; m++)
        for (size_t i = 0; i < COUNT(levels); i++)
            assert_true(ja_kendall_critical(m, levels[i]) > 0);
}

/* Nothing is called without a line that has one. */
static void test_strip_is_not_missed(void **state)
{
    (void)state;
    size_t lines = 0;
    for (int round = 0; round < 5000; round++) {
        struct ja_track track = any_track();
        struct ja_slope slope =
            ja_slope_interval(ja_bench_new(arena), &track, JA_LEVEL_REPORT, true);
        struct ja_span strip = ja_strip(&track);
        if (slope.exists)
            assert_int_equal(slope.line.exists, strip.exists);
        lines += strip.exists;
        ja_arena_reset(arena);
    }
    assert_true(lines > 500);
}

/* No rising curve lies closer to the readings than the best rising steps. */
static void test_rising_steps_are_the_least(void **state)
{
    (void)state;
    for (int round = 0; round < 2000; round++) {
        struct ja_track track = any_track();
        struct ja_bench *bench = ja_bench_new(arena);
        size_t n = track.count, parts = 0;
        double slope = 0, knee, most = 1e-9;
        double least = ja_model_rising(bench, track.middle, n);
        for (size_t i = 0; i < n; i++)
            most += track.middle[i] * track.middle[i] * 1e-9;
        assert_true(least <= ja_model_level(track.middle, n) + most);
        double line = ja_model_line(track.time, track.middle, n, &slope);
        assert_true(!(slope > 0) || least <= line + most);
        assert_true(least <= ja_model_hinge(bench, track.time, track.middle, n, &knee) + most);
        assert_true(least <=
                    ja_model_exponential(bench, track.time, track.middle, n, &knee) + most);
        double steps = ja_model_parts(bench, track.middle, n, 1, &parts);
        if (isfinite(steps))
            assert_true(ja_model_information(least, n, 2 * parts, 1) <= steps + 1e-3);
        ja_arena_reset(arena);
    }
}

/* The least squares of all ways to cut y into so many parts; whether the levels of that one rise.
 */
static double cut(const double *y, size_t count, size_t parts, double below, bool *ret_rise)
{
    double best = INFINITY;
    *ret_rise = false;
    for (size_t size = parts == 1 ? count : 1; size + parts - 1 <= count; size++) {
        double level = 0, squares = ja_model_level(y, size), rest = 0;
        bool rise = true;
        for (size_t i = 0; i < size; i++)
            level += y[i] / (double)size;
        if (parts > 1)
            rest = cut(y + size, count - size, parts - 1, level, &rise);
        if (squares + rest < best) {
            best = squares + rest;
            *ret_rise = rise && level > below;
        }
    }
    return best;
}

static void test_parts_among_all_cuts(void **state)
{
    (void)state;
    size_t stairs = 0;
    for (int round = 0; round < 400; round++) {
        double y[11], best = INFINITY;
        size_t count = 6 + (size_t)round % 6, parts = 0;
        bool rise = false;
        for (size_t i = 0; i < count; i++)
            y[i] = floor((double)i * (1 + round % 3) / (double)count) * 30 * (round % 4) +
                   20 * roll() * roll();
        for (size_t k = 2; 2 * k + 1 < count; k++) {
            bool this_rises;
            double squares = cut(y, count, k, -INFINITY, &this_rises);
            double value = ja_model_information(squares, count, 2 * k, 1);
            rise = value < best ? this_rises : rise;
            best = fmin(best, value);
        }
        double found = ja_model_parts(ja_bench_new(arena), y, count, 1, &parts);
        assert_int_equal(isfinite(found), rise);
        assert_true(!rise || fabs(found - best) < 1e-6);
        stairs += rise;
        ja_arena_reset(arena);
    }
    assert_true(stairs > 50 && stairs < 350);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_selection_in_a_span),
        cmocka_unit_test(test_centre_among_all_pairs),
        cmocka_unit_test(test_ends_among_all_pairs),
        cmocka_unit_test(test_median_and_selection),
        cmocka_unit_test(test_bound_against_interval),
        cmocka_unit_test(test_centre_against_interval),
        cmocka_unit_test(test_sen_has_its_critical_rank),
        cmocka_unit_test(test_strip_is_not_missed),
        cmocka_unit_test(test_rising_steps_are_the_least),
        cmocka_unit_test(test_parts_among_all_cuts),
    };
    arena = ja_arena_new();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ja_arena_free(arena);
    return failed;
}
