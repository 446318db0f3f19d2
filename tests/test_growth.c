/* SPDX-License-Identifier: MIT
 *
 * The verdict through its public door, on hand-made series.
 */
#include "model/growth_parts.h"
#include "model/proof.h"
#include "tests/growth_series.h"

static void test_nothing(void **state)
{
    (void)state;
    struct ja_growth_input input = {.limit_bytes = JA_UNKNOWN, .dated = true};
    struct ja_growth growth;
    ja_growth_judge(&input, arena, &growth);
    assert_int_equal(growth.reason, JA_REASON_ONE_READING);
    ja_growth_judge_service(&input, arena, &growth);
    assert_int_equal(growth.verdict, JA_CANNOT_TELL);
    growth = judge(0, false, 1);
    assert_int_equal(growth.points, 0);
}

static void test_few_readings(void **state)
{
    (void)state;
    static const double mib[] = {100, 110};
    put_all(mib, 2, HOUR, HOUR, JA_MIB);
    struct ja_growth growth = judge(1, true, 1);
    assert_int_equal(growth.reason, JA_REASON_ONE_READING);
    assert_true(isnan(growth.best_bytes_per_hour) && growth.net_low_bytes == JA_UNKNOWN);
    assert_int_equal(growth.resolution_bytes, JA_MIB);
    growth = judge(2, true, 1);
    assert_int_equal(growth.verdict, JA_CANNOT_TELL);
    assert_int_equal(growth.reason, JA_REASON_TWO_READINGS);
    assert_int_equal(growth.net_low_bytes, 9 * JA_MIB);
    assert_int_equal(growth.net_high_bytes, 11 * JA_MIB);
    near(growth.low_bytes_per_hour, 9.0 * (double)JA_MIB, 1e-9);
    near(growth.line_high_bytes_per_hour, 11.0 * (double)JA_MIB, 1e-9);
    assert_int_equal(growth.max_step_bytes, 10 * JA_MIB);
}

static void test_one_moment(void **state)
{
    (void)state;
    for (size_t i = 0; i < 4; i++)
        put(i, 100 + (double)i, HOUR, JA_KIB);
    struct ja_growth growth = judge(4, true, 1);
    assert_int_equal(growth.reason, JA_REASON_ONE_READING);
    assert_true(isnan(growth.low_bytes_per_hour));
    put(4, 105, 2 * HOUR, JA_KIB); /* and one an hour later: no line can pass through five */
    growth = judge(5, true, 1);
    assert_false(growth.line_fits);
    assert_true(growth.off_line_bytes > 0);
    assert_int_equal(growth.verdict, JA_CANNOT_TELL);
}

/* Clocks that overlap altogether leave every slope open: said as unknown, never as infinite. */
static void test_clocks_overlap(void **state)
{
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        put(i, 100, (int64_t)i * SECOND, JA_MIB);
        points[i].early_ns -= HOUR;
        points[i].late_ns += HOUR;
    }
    struct ja_growth growth = judge(4, true, 1);
    assert_int_equal(growth.verdict, JA_CANNOT_TELL);
    assert_true(growth.line_fits && isnan(growth.line_high_bytes_per_hour));
    assert_true(isnan(growth.high_bytes_per_hour) && isnan(growth.detectable_bytes_per_hour));
}

static void test_undated(void **state)
{
    (void)state;
    static const double mib[] = {902, 1736, 2570, 2570};
    struct ja_growth growth;
    put_all(mib, 4, 0, 0, JA_MIB);
    struct ja_growth_input input = one_life(4, true, 1);
    input.dated = false;
    ja_growth_judge(&input, arena, &growth);
    assert_int_equal(growth.verdict, JA_CANNOT_TELL);
    assert_int_equal(growth.reason, JA_REASON_UNDATED);
    assert_int_equal(growth.net_low_bytes, 1667 * JA_MIB);
    assert_int_equal(growth.max_step_bytes, 834 * JA_MIB);
    assert_true(isnan(growth.max_step_s) && isnan(growth.window_s));
    assert_true(isnan(growth.high_bytes_per_hour) && isnan(growth.detectable_bytes_per_hour));
}

/* The one division: 21 GiB three times in 320 s leaves 11.25 GiB an hour open. */
static void test_one_division(void **state)
{
    (void)state;
    static const double mib[] = {21504, 21504, 21504};
    put_all(mib, 3, 0, 160 * SECOND, JA_GIB);
    struct ja_growth growth = judge(3, true, 240);
    assert_int_equal(growth.verdict, JA_CANNOT_TELL);
    assert_true(growth.best_bytes_per_hour == 0.0);
    assert_true(growth.line_low_bytes_per_hour == -growth.line_high_bytes_per_hour);
    near(growth.detectable_bytes_per_hour, 11.25 * (double)JA_GIB, 1e-9);
    near(growth.minimum_window_s, 1024.0 / 240 * 3600, 1e-9);
    near(growth.window_s, 320, 1e-12);
    assert_true(growth.needed_window_s > growth.minimum_window_s);
}

static void test_tenths_touch(void **state)
{
    (void)state;
    int64_t step = llround(102.4 * (double)JA_MIB);
    static const double mib[] = {102.4, 204.8, 307.2, 409.6, 512.0};
    put_all(mib, 5, 0, HOUR, step);
    struct ja_growth growth = judge(5, true, 1);
    /* neighbouring digits touch: no single move is sure, whatever the bytes round to */
    assert_int_equal(growth.step_count, 0);
}

/* Faults of the method's first version, one test each. */
static void test_doubling_with_jitter(void **state)
{
    (void)state;
    static const double level[] = {256, 512, 1024, 2048, 4096};
    for (size_t i = 0; i < 20; i++)
        put(i, level[i / 4] - (i % 4 == 2 ? 8.0 / 1024 : 0), (int64_t)i * HOUR, 4 * JA_KIB);
    struct ja_growth growth = judge(20, false, 10);
    assert_true(growth.doubling);
    assert_int_equal(growth.shape, JA_SHAPE_DOUBLING);
    assert_int_equal(growth.step_count, 4);
    near((double)growth.next_step_bytes, 4096.0 * (double)JA_MIB, 1e-3);
    assert_int_equal(growth.verdict, JA_GROWING);
    assert_false(growth.forecast);
}

static void test_straight_on_one_side(void **state)
{
    (void)state;
    for (size_t i = 0; i < 9; i++) { /* a line bent by 0.1 % of its rise */
        double x = (double)i / 8;
        put(i, 100 + 1000 * x + 4 * x * (1 - x), (int64_t)i * HOUR, JA_KIB);
    }
    struct ja_growth growth = judge(9, false, 1);
    assert_int_equal(growth.verdict, JA_GROWING);
    assert_string_equal(growth.route, "trend");
}

static void test_five_readings_never_flat(void **state)
{
    (void)state;
    static const double mib[] = {1600, 2706, 2200, 2650, 2706};
    put_all(mib, 5, 0, HOUR, JA_MIB);
    struct ja_growth growth = judge(5, false, 1);
    assert_int_equal(growth.shape, JA_SHAPE_UNKNOWN);
    static const double level[] = {1600, 1600, 1601, 1600, 1600};
    put_all(level, 5, 0, HOUR, JA_MIB);
    assert_int_equal(judge(5, false, 1).shape, JA_SHAPE_FLAT);
}

static void test_dying_steps(void **state)
{
    (void)state;
    static const double mib[] = {500,  500,  1500, 1500, 1500,     1580,     1580,
                                 1580, 1584, 1584, 1584, 1584.015, 1584.015, 1584.015};
    put_all(mib, COUNT(mib), 0, HOUR, JA_KIB);
    struct ja_growth growth = judge(COUNT(mib), false, 1);
    assert_int_equal(growth.verdict, JA_CANNOT_TELL);
    assert_true(growth.warm_up);
    static const double even[] = {500, 500, 600, 600, 600, 700, 700, 800, 800, 800, 900, 900};
    put_all(even, COUNT(even), 0, HOUR, JA_KIB);
    growth = judge(COUNT(even), false, 1);
    assert_int_equal(growth.verdict, JA_GROWING);
    assert_false(growth.warm_up);
}

static void test_plateau(void **state)
{
    (void)state;
    put(0, 4.9 * 1024, HOUR / 4, 100 * JA_MIB);
    put(1, 57.9 * 1024, 48 * HOUR, 100 * JA_MIB);
    put(2, 57.9 * 1024, 68 * HOUR, 100 * JA_MIB);
    put(3, 58 * 1024, 84 * HOUR, JA_GIB);
    struct ja_growth growth = judge(4, false, 37);
    assert_true(growth.plateau);
    assert_int_equal(growth.plateau_first, 1);
    near((double)growth.plateau_low_bytes, 57.9 * (double)JA_GIB - 50.0 * (double)JA_MIB, 1e-6);
    near((double)growth.plateau_high_bytes, 57.9 * (double)JA_GIB + 50.0 * (double)JA_MIB, 1e-6);
    assert_true(ja_proof_cap(57.9, 0.05, 57.76, 0.5).reached);
    for (size_t i = 0; i < 60; i++) /* a line has no level, however near its last readings lie */
        put(i, 10000 + (double)i * 10, (int64_t)i * HOUR, JA_MIB);
    assert_false(judge(60, false, 1).plateau);
}

static void test_sawtooth_floor(void **state)
{
    (void)state;
    for (size_t i = 0; i < 24; i++)
        put(i, 40 + 16 * (double)(i % 4) + 3 * (double)(i / 4), (int64_t)i * HOUR, JA_KIB);
    struct ja_growth growth = judge(24, false, 1);
    assert_int_equal(growth.shape, JA_SHAPE_SAWTOOTH);
    near((double)growth.floor_low_bytes, 12.0 * (double)JA_MIB, 1e-3); /* 2nd to 6th tooth */
}

static void test_work(void **state)
{
    (void)state;
    for (size_t i = 0; i < 20; i++)
        put(i, 2128 + (double)(i % 3), (int64_t)i * HOUR, JA_MIB);
    struct ja_growth growth = judge(20, true, 5);
    assert_int_equal(growth.verdict, JA_NOT_GROWING);
    assert_true(growth.bound_bytes_per_hour <= 5.0 * (double)JA_MIB);
    assert_true(growth.work == 1900.0 && growth.work_low == 1900.0);
    growth = judge(20, false, 5);
    assert_int_equal(growth.reason, JA_REASON_WORK_UNKNOWN);
    growth = judge(20, true, NAN);
    assert_int_equal(growth.reason, JA_REASON_NO_CONCERN);
    assert_true(isnan(growth.minimum_window_s));
    for (size_t i = 0; i < 20; i++)
        work[i].total = 7;
    growth = judge(20, true, 5);
    assert_int_equal(growth.reason, JA_REASON_NO_WORK);
    assert_true(growth.work == 0.0);
}

/* A counter read at its own moments gives an interval; its ends only a bound. */
static void test_work_of_other_moments(void **state)
{
    (void)state;
    struct ja_growth growth;
    for (size_t i = 0; i < 12; i++)
        put(i, 500, (int64_t)i * HOUR, JA_MIB);
    for (size_t i = 0; i < 14; i++)
        work[i] = (struct ja_growth_work){(int64_t)i * HOUR - HOUR / 2,
                                          (int64_t)i * HOUR - HOUR / 2, (double)i * 100};
    struct ja_growth_input input = one_life(12, true, 5);
    lives[0].work_count = 14;
    ja_growth_judge(&input, arena, &growth);
    assert_true(growth.work_low == 1000.0 && growth.work_high == 1200.0);
    assert_int_equal(growth.verdict, JA_NOT_GROWING);
    lives[0].work_count = 8; /* the record ends early */
    ja_growth_judge(&input, arena, &growth);
    assert_true(growth.work_low == 600.0 && isnan(growth.work_high));
    lives[0].work_count = 1; /* one sample is no work, and no proof of idleness */
    ja_growth_judge(&input, arena, &growth);
    assert_false(growth.work_known);
    assert_int_equal(growth.reason, JA_REASON_WORK_UNKNOWN);
}

static void test_per_work(void **state)
{
    (void)state;
    static const double done[] = {100, 1100, 1200, 3200};
    static const int64_t hour[] = {10, 11, 15, 16};
    for (size_t i = 0; i < 4; i++) {
        put(i, 200 + (done[i] - 100) * 0.064, hour[i] * HOUR, JA_KIB);
        work[i].total = done[i];
    }
    struct ja_growth growth = judge(4, true, 1);
    assert_int_equal(growth.verdict, JA_GROWING);
    assert_string_equal(growth.route, "work:line");
    assert_int_equal(growth.work_verdict, JA_GROWING);
    near(growth.work_slope_bytes, 0.064 * (double)JA_MIB, 1e-3);
    assert_true(growth.per_work_low_bytes < 0.064 * (double)JA_MIB &&
                growth.per_work_high_bytes > 0.064 * (double)JA_MIB);
}

static void test_forecast(void **state)
{
    (void)state;
    struct ja_growth growth;
    for (size_t i = 0; i < 12; i++)
        put(i, 1000 + 100 * (double)i, (int64_t)i * HOUR, JA_MIB);
    struct ja_growth_input input = one_life(12, false, 1);
    input.limit_bytes = 3100 * JA_MIB;
    ja_growth_judge(&input, arena, &growth);
    assert_true(growth.forecast);
    assert_true(growth.forecast_early_ns > 20 * HOUR && growth.forecast_early_ns <= 21 * HOUR);
    assert_true(growth.forecast_late_ns >= 21 * HOUR && growth.forecast_late_ns < 22 * HOUR);
    input.limit_bytes = 2100 * JA_MIB; /* reached already */
    ja_growth_judge(&input, arena, &growth);
    assert_false(growth.forecast);
}

static struct ja_growth service(size_t first, size_t second, bool fixed)
{
    struct ja_growth growth;
    struct ja_growth_input input = one_life(first, false, 10);
    lives[1] = (struct ja_growth_life){points + first, second, NULL, 0, JA_UNKNOWN};
    input.life_count = 2;
    input.fixed_between = fixed;
    ja_growth_judge_service(&input, arena, &growth);
    return growth;
}

static void test_service(void **state)
{
    (void)state;
    static const double leak[] = {100, 151, 199, 250, 301, 101, 149, 200, 252, 300};
    put_all(leak, 10, 0, HOUR, JA_MIB);
    struct ja_growth growth = service(5, 5, false);
    assert_int_equal(growth.verdict, JA_GROWING);
    assert_string_equal(growth.route, "lives");
    growth = service(5, 1, false);
    assert_string_equal(growth.route, "life:trend");
    assert_int_equal(growth.points, 5); /* figures of the life that can be judged */
    assert_int_equal(service(5, 1, true).verdict, JA_CANNOT_TELL);
    static const double warm[] = {100, 170, 190, 198, 200, 200, 101, 171, 191, 199, 200, 200};
    put_all(warm, 12, 0, HOUR, JA_MIB);
    assert_int_equal(service(6, 6, false).verdict, JA_CANNOT_TELL);
}

/* Five readings that rise by rank: two of them within seconds say how much of it is scatter. */
static void test_scatter_of_a_moment(void **state)
{
    (void)state;
    static const double mib[] = {1200, 1203.9, 1204.2, 1204.6, 1210};
    static const int64_t at[] = {0, 5 * HOUR, 10 * HOUR, 10 * HOUR + 4 * SECOND, 15 * HOUR};
    for (size_t i = 0; i < COUNT(mib); i++)
        put(i, mib[i], at[i], 16 * JA_KIB);
    assert_int_equal(judge(COUNT(mib), false, 1).verdict, JA_GROWING);
    put(3, 1207.9, at[3], 16 * JA_KIB); /* more in four seconds than in the five hours after */
    assert_int_not_equal(judge(COUNT(mib), false, 1).verdict, JA_GROWING);
}

/* Ninety more readings than can be looked at in pairs: joined, not cut off. */
static void test_thinning(void **state)
{
    (void)state;
    for (size_t i = 0; i < MOST; i++)
        put(i, 1000 + 0.1 * (double)i + (double)(i * 7919 % 13), (int64_t)i * 60 * SECOND, JA_KIB);
    struct ja_growth growth = judge(MOST, false, 1);
    assert_int_equal(growth.verdict, JA_GROWING);
    assert_int_equal(growth.points, MOST);
    near(growth.best_bytes_per_hour, 6.0 * (double)JA_MIB, 0.01);
    near(growth.window_s, (MOST - 1) * 60.0, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_few_readings),
        cmocka_unit_test(test_one_moment),
        cmocka_unit_test(test_clocks_overlap),
        cmocka_unit_test(test_undated),
        cmocka_unit_test(test_one_division),
        cmocka_unit_test(test_tenths_touch),
        cmocka_unit_test(test_doubling_with_jitter),
        cmocka_unit_test(test_straight_on_one_side),
        cmocka_unit_test(test_five_readings_never_flat),
        cmocka_unit_test(test_dying_steps),
        cmocka_unit_test(test_plateau),
        cmocka_unit_test(test_sawtooth_floor),
        cmocka_unit_test(test_work),
        cmocka_unit_test(test_work_of_other_moments),
        cmocka_unit_test(test_per_work),
        cmocka_unit_test(test_forecast),
        cmocka_unit_test(test_service),
        cmocka_unit_test(test_scatter_of_a_moment),
        cmocka_unit_test(test_thinning),
    };
    arena = ja_arena_new();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ja_arena_free(arena);
    return failed;
}
