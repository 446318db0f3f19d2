/* SPDX-License-Identifier: MIT
 *
 * A judgement that is kept is told as it was, to the bit.
 */
#include "model/growth_kept.h"
#include "model/growth_parts.h"
#include "model/quantity.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FIRST offsetof(struct ja_growth, route)
#define WORDS ((sizeof(struct ja_growth) - FIRST) / sizeof(uint64_t))

static uint64_t seed = 1;

static uint64_t dice(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return seed >> 33 ^ seed << 31;
}

/* Kept in room of just its size, so that a sanitizer sees what is read beside it. */
static size_t keep_and_tell(const struct ja_growth *growth, struct ja_growth *ret)
{
    struct ja_growth_kept *room = malloc(JA_GROWTH_KEPT_MOST);
    size_t size = ja_growth_keep(growth, room);
    assert_true(size <= JA_GROWTH_KEPT_MOST);
    struct ja_growth_kept *kept = malloc(size);
    memcpy(kept, room, size);
    free(room);
    *ret = ja_growth_told(kept);
    assert_true(kept->verdict == growth->verdict && kept->reason == growth->reason);
    assert_true(kept->shape == growth->shape && kept->work_verdict == growth->work_verdict);
    assert_true(kept->plateau == growth->plateau && kept->doubling == growth->doubling);
    assert_true(kept->gained == (growth->net_low_bytes > 0));
    free(kept);
    return size;
}

static uint64_t any_word(void)
{
    static const double numbers[] = {NAN, -NAN, INFINITY, -INFINITY, -0.0, 0.5, 1e300, 5e-324};
    static const int64_t wholes[] = {JA_UNKNOWN, INT64_MAX, -1, 0, 1, 127, 128, -128, -129, 65535};
    uint64_t word = dice();
    double number = (double)(int64_t)dice() / 3;
    switch (dice() % 7) {
    case 0:
        return word >> dice() % 64;
    case 1:
        return -(word >> dice() % 64);
    case 2:
        return word << dice() % 64;
    case 3:
        memcpy(&word, &numbers[dice() % 8], sizeof word);
        return word;
    case 4:
        return (uint64_t)wholes[dice() % 10];
    case 5:
        memcpy(&word, &number, sizeof word);
        return word;
    default:
        return word;
    }
}

static void roll_words(struct ja_growth *growth)
{
    growth->verdict = (enum ja_verdict)(dice() % (JA_NOT_GROWING + 1));
    growth->work_verdict = (enum ja_verdict)(dice() % (JA_NOT_GROWING + 1));
    growth->reason = (enum ja_growth_reason)(dice() % (JA_REASON_BOUND_ABOVE_X + 1));
    growth->shape = (enum ja_shape)(dice() % (JA_SHAPE_BURST + 1));
    growth->declines = dice() % 2;
    growth->warm_up = dice() % 2;
    growth->line_fits = dice() % 2;
    growth->slower_than_concern = dice() % 2;
    growth->plateau = dice() % 2;
    growth->doubling = dice() % 2;
    growth->forecast = dice() % 2;
    growth->work_known = dice() % 2;
}

static void test_any_words(void **state)
{
    (void)state;
    for (int round = 0; round < 20000; round++) {
        struct ja_growth growth, told;
        ja_growth_unknown(&growth);
        roll_words(&growth);
        for (size_t i = 0; i < WORDS; i++) {
            uint64_t word = any_word();
            if (dice() % 2)
                memcpy((char *)&growth + FIRST + i * sizeof word, &word, sizeof word);
        }
        if (dice() % 2)
            growth.work_low = growth.work_high = growth.work;
        keep_and_tell(&growth, &told);
        assert_memory_equal(&told, &growth, sizeof growth);
    }
}

static void test_nothing_known_is_small(void **state)
{
    (void)state;
    struct ja_growth growth, told;
    ja_growth_unknown(&growth);
    assert_true(keep_and_tell(&growth, &told) < 16);
    assert_memory_equal(&told, &growth, sizeof growth);
    growth.resolution_bytes = 16384;
    growth.net_low_bytes = -16384;
    growth.net_high_bytes = 16384; /* told by both */
    size_t page = keep_and_tell(&growth, &told);
    assert_memory_equal(&told, &growth, sizeof growth);
    growth.points = 1;
    growth.off_line_bytes = 0.5;
    growth.max_step_bytes = 100 * 16384;
    assert_int_equal(keep_and_tell(&growth, &told), page + 1 + 1 + 2 + 1);
    assert_memory_equal(&told, &growth, sizeof growth);
    growth.best_bytes_per_hour = 1.0 / 3;
    growth.low_bytes_per_hour = -7.0 / 3;
    growth.high_bytes_per_hour = 3.0; /* but for its last bits as far above the best */
    assert_true(keep_and_tell(&growth, &told) <= page + 5 + 2 + 8 + 8 + 1);
    assert_memory_equal(&told, &growth, sizeof growth);
}

static void test_what_follows_takes_no_room(void **state)
{
    (void)state;
    struct ja_growth growth, told;
    ja_growth_unknown(&growth);
    growth.resolution_bytes = 4096;
    growth.window_s = 7;
    growth.net_low_bytes = 1000;
    growth.net_high_bytes = 9000;
    growth.work = 3;
    size_t before = keep_and_tell(&growth, &told);
    growth.work_low = growth.work_high = growth.work;
    growth.per_work_low_bytes = 1000.0 / 3;
    growth.per_work_high_bytes = 9000.0 / 3;
    growth.detectable_bytes_per_hour = 4096.0 / 7 * 3600;
    size_t after = keep_and_tell(&growth, &told);
    assert_memory_equal(&told, &growth, sizeof growth);
    assert_true(after < before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_words),
        cmocka_unit_test(test_nothing_known_is_small),
        cmocka_unit_test(test_what_follows_takes_no_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
