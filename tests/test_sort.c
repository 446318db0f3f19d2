/* SPDX-License-Identifier: MIT
 *
 * Sorting by a number: rising order of keys, equal ones as they stood, whatever the numbers are.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/sort.h"

#define MOST 1000

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 11;
}

static void keys_keep_the_order_of_numbers(void **state)
{
    (void)state;
    static const int64_t rising[] = {INT64_MIN, INT64_MIN + 1, -256, -1, 0, 1, 255, INT64_MAX};
    for (size_t i = 0; i < sizeof rising / sizeof *rising; i++) {
        assert_true(ja_rising_number(ja_rising_key(rising[i])) == rising[i]);
        if (i == 0)
            continue;
        assert_true(ja_rising_key(rising[i - 1]) < ja_rising_key(rising[i]));
        assert_true(ja_falling_key(rising[i - 1]) > ja_falling_key(rising[i]));
    }
}

/* Items carry where they stood: order and stability are both seen. */
static void check_sorted(struct ja_keyed *items, size_t count)
{
    static struct ja_keyed spare[MOST];
    uint64_t sum = 0, same = 0;
    for (uint32_t i = 0; i < count; i++) {
        items[i].item = i;
        sum += items[i].key * (i + 1);
    }
    ja_sort_keyed(items, spare, count);
    for (size_t i = 0; i < count; i++) {
        same += items[i].key * (items[i].item + 1);
        if (i == 0)
            continue;
        assert_true(items[i - 1].key <= items[i].key);
        if (items[i - 1].key == items[i].key)
            assert_true(items[i - 1].item < items[i].item);
    }
    assert_true(sum == same); /* every key still with its item */
}

static void any_numbers_are_sorted(void **state)
{
    (void)state;
    static struct ja_keyed items[MOST];
    static const uint64_t masks[] = {0,         3, 0xff, 0xff00, 0xff000000ff, UINT64_C(0xff) << 56,
                                     UINT64_MAX};
    uint64_t seed = 7;
    for (size_t m = 0; m < sizeof masks / sizeof *masks; m++)
        for (size_t count = 0; count <= MOST; count += count < 70 ? 1 : 93) {
            for (size_t i = 0; i < count; i++)
                items[i].key = (next_random(&seed) << 20 ^ next_random(&seed)) & masks[m];
            check_sorted(items, count);
        }
}

static void rising_and_falling_tables_are_sorted(void **state)
{
    (void)state;
    static struct ja_keyed items[MOST];
    for (int64_t sign = -1; sign <= 1; sign++) {
        for (int64_t i = 0; i < MOST; i++)
            items[i].key = ja_rising_key(sign * (i - MOST / 2) * 4096);
        check_sorted(items, MOST);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_keep_the_order_of_numbers),
        cmocka_unit_test(any_numbers_are_sorted),
        cmocka_unit_test(rising_and_falling_tables_are_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
