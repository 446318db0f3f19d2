/* SPDX-License-Identifier: MIT
 *
 * The index: what was noted under a text and a number is found again, whatever else was noted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/index.h"

#define MANY 100000

static void empty_finds_nothing(void **state)
{
    (void)state;
    struct ja_index index = {.count = 0};
    assert_int_equal(ja_index_find(&index, "a", 0), 0);
    assert_int_equal(ja_index_find(&index, NULL, 7), 0);
}

static void text_and_number_make_the_key(void **state)
{
    (void)state;
    struct ja_arena *arena = ja_arena_new();
    struct ja_index index = {.count = 0};
    *ja_index_note(&index, arena, "a", 0) = 1;
    *ja_index_note(&index, arena, "a", 1) = 2;
    *ja_index_note(&index, arena, "", 0) = 3;
    *ja_index_note(&index, arena, NULL, 0) = 4;
    *ja_index_note(&index, arena, NULL, INT64_MIN) = 5;
    char other[] = "a"; /* equal, elsewhere */
    assert_int_equal(ja_index_find(&index, other, 0), 1);
    assert_int_equal(ja_index_find(&index, other, 1), 2);
    assert_int_equal(ja_index_find(&index, "", 0), 3);
    assert_int_equal(ja_index_find(&index, NULL, 0), 4);
    assert_int_equal(ja_index_find(&index, NULL, INT64_MIN), 5);
    assert_int_equal(ja_index_find(&index, "b", 0), 0);
    *ja_index_note(&index, arena, other, 0) += 10;
    assert_int_equal(ja_index_find(&index, "a", 0), 11);
    assert_int_equal(index.count, 5);
    ja_arena_free(arena);
}

static void many_are_all_found(void **state)
{
    (void)state;
    struct ja_arena *arena = ja_arena_new();
    struct ja_index index = {.count = 0};
    for (uint32_t i = 1; i <= MANY; i++)
        *ja_index_note(&index, arena, ja_arena_print(arena, "name %u", (unsigned)i % 1000), i) = i;
    assert_int_equal(index.count, MANY);
    char text[32];
    for (uint32_t i = 1; i <= MANY; i++) {
        snprintf(text, sizeof text, "name %u", (unsigned)i % 1000);
        assert_int_equal(ja_index_find(&index, text, i), i);
        assert_int_equal(ja_index_find(&index, text, i + MANY), 0);
    }
    ja_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_finds_nothing),
        cmocka_unit_test(text_and_number_make_the_key),
        cmocka_unit_test(many_are_all_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
