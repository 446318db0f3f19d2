/* SPDX-License-Identifier: MIT
 *
 * The acceptance test of a fix, and the closed forms it rests on. Rule of all cases: at least
 * 200 units of work, less than 100 MiB from the middle reading to the last.
 */
#include "model/acceptance.h"
#include "model/proof.h"
#include "model/quantity.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#define SECOND ((int64_t)1000000000)
#define OLD_LEAK (20.0 * (double)JA_GIB) /* an hour */

static struct ja_growth_point points[3];
static struct ja_growth_work work[3];
static struct ja_growth_life life;

/* Three readings in KiB, apart seconds from each other, with so much work done in all. */
static struct ja_acceptance judge(const int64_t *kib, int64_t apart, double done, double old)
{
    for (int i = 0; i < 3; i++) {
        int64_t at = 1000 * SECOND + i * apart * SECOND;
        points[i] = (struct ja_growth_point){0, 0, at, at, JA_KIB};
        ja_quantity_interval((struct ja_quantity){kib[i] * JA_KIB, 0, JA_ROUNDING_EXACT},
                             &points[i].low_bytes, &points[i].high_bytes);
        work[i] = (struct ja_growth_work){at, at, done * i / 2};
    }
    life = (struct ja_growth_life){points, 3, isnan(done) ? NULL : work, isnan(done) ? 0 : 3,
                                   JA_UNKNOWN};
    struct ja_acceptance_input input = {&life, 100 * JA_MIB, 200, old, NAN};
    struct ja_acceptance got;
    ja_acceptance_judge(&input, &got);
    return got;
}

static void near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-9 * fabs(want)))
        fail_msg("%g is not %g", got, want);
}

static void test_right_patch(void **state)
{
    static const int64_t kib[] = {900000, 930000, 948432};
    (void)state;
    struct ja_acceptance got = judge(kib, 600, 282, OLD_LEAK);
    assert_int_equal(got.result, JA_ACCEPTANCE_EFFECTIVE);
    assert_int_equal(got.delta_bytes, 18 * JA_MIB);
    near(got.blind_bytes_per_hour, 600.0 * (double)JA_MIB); /* what it could have missed */
    near(got.blind_bytes_per_work, 100.0 * (double)JA_MIB / 141);
    assert_true(got.work == 282.0 && got.old_caught);
}

static void test_wrong_patch(void **state)
{
    static const int64_t kib[] = {923648, 1809244, 2694840};
    (void)state;
    struct ja_acceptance got = judge(kib, 150, NAN, OLD_LEAK); /* refuted without any count */
    assert_int_equal(got.result, JA_ACCEPTANCE_NOT_SHOWN);
    assert_true(got.surely_grew);
}

static void test_blind(void **state)
{
    static const int64_t kib[] = {900000, 930000, 948432};
    (void)state;
    assert_int_equal(judge(kib, 600, NAN, OLD_LEAK).gap, JA_GAP_WORK_UNKNOWN);
    assert_int_equal(judge(kib, 600, 0, OLD_LEAK).gap, JA_GAP_NO_WORK);
    assert_int_equal(judge(kib, 600, 12, OLD_LEAK).gap, JA_GAP_LITTLE_WORK);
    assert_int_equal(judge(kib, 600, 282, NAN).gap, JA_GAP_OLD_UNKNOWN);
    struct ja_acceptance got = judge(kib, 2, 282, OLD_LEAK);
    assert_int_equal(got.result, JA_ACCEPTANCE_BLIND);
    assert_int_equal(got.gap, JA_GAP_TOO_SHORT);
    near(got.blind_bytes_per_hour, 180000.0 * (double)JA_MIB); /* nothing below is caught in 2 s */
    near(got.needed_span_s, 100.0 / (20 * 1024) * 3600);
}

/* 300 units, all of them before the middle reading: the part that is judged saw an idle service.
 * Where the counter was read at both ends only, nothing says so. */
static void test_work_that_ends_early(void **state)
{
    static const int64_t kib[] = {900000, 930000, 948432};
    (void)state;
    struct ja_acceptance got = judge(kib, 600, 300, OLD_LEAK);
    struct ja_acceptance_input input = {&life, 100 * JA_MIB, 200, OLD_LEAK, NAN};
    work[1].total = 299;
    ja_acceptance_judge(&input, &got);
    assert_int_equal(got.result, JA_ACCEPTANCE_BLIND);
    assert_int_equal(got.gap, JA_GAP_IDLE_SPAN);
    work[1] = work[2];
    life.work_count = 2;
    ja_acceptance_judge(&input, &got);
    assert_int_equal(got.result, JA_ACCEPTANCE_EFFECTIVE);
}

static void test_few_readings(void **state)
{
    static const int64_t kib[] = {900000, 930000, 948432};
    (void)state;
    struct ja_acceptance got = judge(kib, 0, 282, OLD_LEAK); /* all at one moment */
    assert_int_equal(got.gap, JA_GAP_READINGS);
    assert_true(isnan(got.blind_bytes_per_hour) && got.delta_bytes == JA_UNKNOWN);
    judge(kib, 600, 282, OLD_LEAK);
    life.point_count = 2;
    ja_acceptance_judge(&(struct ja_acceptance_input){&life, 100 * JA_MIB, NAN, OLD_LEAK, NAN},
                        &got);
    assert_int_equal(got.gap, JA_GAP_READINGS);
    life.point_count = 3;
    ja_acceptance_judge(&(struct ja_acceptance_input){&life, JA_UNKNOWN, NAN, OLD_LEAK, NAN}, &got);
    assert_int_equal(got.result, JA_ACCEPTANCE_BLIND); /* no rule stated */
    assert_int_equal(got.delta_bytes, 18 * JA_MIB);
}

static void test_caught_per_work(void **state)
{
    static const int64_t kib[] = {900000, 930000, 948432};
    struct ja_acceptance got;
    (void)state;
    judge(kib, 600, 282, NAN);
    struct ja_acceptance_input input = {&life, 100 * JA_MIB, 200, NAN, 2.0 * (double)JA_MIB};
    ja_acceptance_judge(&input, &got);
    assert_int_equal(got.result, JA_ACCEPTANCE_EFFECTIVE); /* 141 units would have added 282 MiB */
    near(got.needed_work, 50);
    input.old_low_bytes_per_work = 0.5 * (double)JA_MIB;
    ja_acceptance_judge(&input, &got);
    assert_int_equal(got.gap, JA_GAP_TOO_SHORT);
}

static void test_concern(void **state)
{
    (void)state;
    near(ja_proof_concern(64 * JA_GIB, 22 * JA_GIB), 0.25 * (double)JA_GIB);
    assert_true(isnan(ja_proof_concern(22 * JA_GIB, 22 * JA_GIB)));
    assert_true(isnan(ja_proof_concern(JA_UNKNOWN, 22 * JA_GIB)));
}

static void test_reach(void **state)
{
    static const double time[] = {0, 1, 2};
    static const struct ja_range bent[] = {{0, 1}, {5, 6}, {6, 7}};
    static const struct ja_range level[] = {{0, 1}, {0, 1}, {0, 1}};
    struct ja_range when;
    (void)state;
    assert_false(ja_proof_reach(time, bent, 3, 20, &when));
    assert_true(ja_proof_reach(time, level, 3, 20, &when));
    assert_true(when.low > 2 && isinf(when.high)); /* it may never come */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right_patch),
        cmocka_unit_test(test_wrong_patch),
        cmocka_unit_test(test_blind),
        cmocka_unit_test(test_few_readings),
        cmocka_unit_test(test_work_that_ends_early),
        cmocka_unit_test(test_caught_per_work),
        cmocka_unit_test(test_concern),
        cmocka_unit_test(test_reach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
