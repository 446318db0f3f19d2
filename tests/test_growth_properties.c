/* SPDX-License-Identifier: MIT
 *
 * What holds for any series: a shift or a scale changes nothing, coarser digits prove less, the
 * fast ways give what the slow ones give.
 */
#include "model/growth_parts.h"
#include "tests/growth_series.h"

static int backwards(const void *a, const void *b)
{
    const struct ja_growth_point *x = a, *y = b;
    return (x->early_ns < y->early_ns) - (x->early_ns > y->early_ns);
}

static uint32_t dice = 12345;

static double roll(void)
{
    dice ^= dice << 13;
    dice ^= dice >> 17;
    dice ^= dice << 5;
    return (double)dice / 4294967296.0;
}

/* Any series: a mix of level, line, step and noise. Returns its length. */
static size_t any_series(void)
{
    size_t count = 3 + (size_t)(roll() * 40);
    double rise = roll() < 0.5 ? 0 : 200 * roll(), step = roll() < 0.7 ? 0 : 300 * roll();
    double noise = roll() < 0.3 ? 0 : 20 * roll() * roll();
    int64_t at = HOUR, resolution = roll() < 0.5 ? 4 * JA_KIB : 1 * JA_MIB;
    for (size_t i = 0; i < count; i++) {
        double x = (double)i / (double)count;
        put(i, floor(1000 + rise * x + (x > 0.5) * step + noise * roll()), at, resolution);
        at += HOUR / 4 + (int64_t)(roll() * (double)HOUR);
    }
    return count;
}

static void same_verdict(const struct ja_growth *a, const struct ja_growth *b, double scale)
{
    assert_int_equal(a->verdict, b->verdict);
    assert_int_equal(a->reason, b->reason);
    assert_int_equal(a->shape, b->shape);
    assert_string_equal(a->route, b->route);
    near(b->low_bytes_per_hour, a->low_bytes_per_hour * scale, 1e-6);
    near(b->high_bytes_per_hour, a->high_bytes_per_hour * scale, 1e-6);
}

static void test_shift_and_scale(void **state)
{
    (void)state;
    for (int round = 0; round < 300; round++) {
        size_t count = any_series();
        struct ja_growth before = judge(count, true, 2);
        for (size_t i = 0; i < count; i++) { /* years later: only differences count */
            points[i].early_ns = points[i].late_ns += 300000 * HOUR;
            work[i].early_ns = work[i].late_ns += 300000 * HOUR;
        }
        struct ja_growth later = judge(count, true, 2);
        same_verdict(&before, &later, 1);
        for (size_t i = 0; i < count; i++) { /* eight times as large */
            points[i].low_bytes *= 8;
            points[i].high_bytes *= 8;
            points[i].resolution_bytes *= 8;
        }
        struct ja_growth larger = judge(count, true, 16);
        same_verdict(&before, &larger, 8);
        for (size_t i = 0; i < count; i++) { /* at half the pace */
            points[i].early_ns = points[i].late_ns = points[i].late_ns * 2;
            work[i].early_ns = work[i].late_ns = work[i].late_ns * 2;
        }
        struct ja_growth slower = judge(count, true, 8);
        same_verdict(&before, &slower, 4);
    }
}

static void test_order_does_not_matter(void **state)
{
    (void)state;
    for (int round = 0; round < 100; round++) {
        size_t count = any_series();
        struct ja_growth before = judge(count, false, 2);
        qsort(points, count, sizeof *points, backwards);
        struct ja_growth after = judge(count, false, 2);
        same_verdict(&before, &after, 1);
        assert_int_equal(before.net_low_bytes, after.net_low_bytes);
    }
}

/* Coarser digits never rule out more lines, never prove a rise, never make a level tighter. */
static void test_wider_proves_less(void **state)
{
    (void)state;
    for (int round = 0; round < 300; round++) {
        size_t count = any_series();
        struct ja_growth fine = judge(count, true, 2);
        for (size_t i = 0; i < count; i++) {
            points[i].low_bytes -= JA_MIB;
            points[i].high_bytes += JA_MIB;
        }
        struct ja_growth coarse = judge(count, true, 2);
        assert_true(coarse.net_low_bytes < fine.net_low_bytes);
        assert_true(coarse.off_line_bytes <= fine.off_line_bytes + 1);
        if (!fine.line_fits)
            continue;
        assert_true(coarse.line_fits);
        assert_true(coarse.line_low_bytes_per_hour <= fine.line_low_bytes_per_hour);
        assert_true(coarse.line_high_bytes_per_hour >= fine.line_high_bytes_per_hour);
        /* a line fits: the whole window is rounding, and more of it makes no denial appear */
        assert_false(coarse.verdict == JA_NOT_GROWING && fine.verdict != JA_NOT_GROWING &&
                     fine.reason == JA_REASON_BOUND_ABOVE_X);
    }
}

/* Newton's steps find the same slopes as the inequalities of all pairs. */
static void test_strip_against_pairs(void **state)
{
    (void)state;
    for (int round = 0; round < 2000; round++) {
        size_t count = 2 + (size_t)(roll() * 12);
        struct ja_track track = ja_track_new(arena, count);
        double slope = 4 * roll() - 2, error = roll() < 0.5 ? 0 : roll(), at = 0;
        for (size_t i = 0; i < count; i++) {
            at += roll() * 2;
            double value = slope * at + roll() * (round % 3 ? 1.0 : 3.0);
            track.early[i] = at - error;
            track.late[i] = at + error;
            track.low[i] = value - 1;
            track.high[i] = value + 1;
        }
        ja_track_finish(&track);
        struct ja_span fast = ja_strip(&track), slow = ja_strip_projected(&track);
        assert_int_equal(fast.exists, slow.exists);
        if (!fast.exists)
            continue;
        assert_true(fast.low == slow.low ||
                    fabs(fast.low - slow.low) < 1e-9 * (1 + fabs(slow.low)));
        assert_true(fast.high == slow.high ||
                    fabs(fast.high - slow.high) < 1e-9 * (1 + fabs(slow.high)));
        ja_arena_reset(arena);
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void test_selection(void **state)
{
    (void)state;
    for (int round = 0; round < 500; round++) {
        double values[200], sorted[200], weights[200];
        size_t count = 1 + (size_t)(roll() * 199), k = (size_t)(roll() * (double)count);
        for (size_t i = 0; i < count; i++) {
            values[i] = sorted[i] = floor(roll() * (round % 2 ? 10 : 1e6));
            weights[i] = 1;
        }
        qsort(sorted, count, sizeof *sorted, by_value);
        assert_true(ja_select(values, count, k) == sorted[k]);
        double median =
            count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
        assert_true(ja_median(values, count) == median);
        assert_true(ja_weighted_median(values, weights, count) == median);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shift_and_scale),   cmocka_unit_test(test_order_does_not_matter),
        cmocka_unit_test(test_wider_proves_less), cmocka_unit_test(test_strip_against_pairs),
        cmocka_unit_test(test_selection),
    };
    arena = ja_arena_new();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ja_arena_free(arena);
    return failed;
}
