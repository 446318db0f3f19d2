/* SPDX-License-Identifier: MIT
 *
 * Arenas: arrays that grow and are given back, and one arena joined to another.
 */
#include "model/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define LARGE 40000 /* bytes: a block of its own */

static void dropped_arrays_leave_their_neighbours(void **state)
{
    (void)state;
    struct ja_arena *arena = ja_arena_new();
    char *texts[5];
    for (int i = 0; i < 5; i++)
        memset(texts[i] = ja_arena_alloc(arena, LARGE, 1), 'a' + i, LARGE);
    static const int order[] = {4, 0, 2}; /* the newest, the oldest, one in the middle */
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        ja_arena_drop(arena, texts[order[i]], LARGE, 1);
    assert_int_equal(ja_arena_size(arena), 2 * LARGE);
    for (int i = 1; i < 5; i += 2)
        assert_int_equal(texts[i][LARGE - 1], 'a' + i);
    ja_arena_free(arena);
}

static void small_arrays_and_none_may_be_dropped(void **state)
{
    (void)state;
    struct ja_arena *arena = ja_arena_new();
    char *small = ja_arena_string(arena, "mds_stores");
    ja_arena_drop(arena, small, 11, 1);
    ja_arena_drop(arena, NULL, 0, 8);
    assert_string_equal(small, "mds_stores"); /* it lives as long as the arena */
    ja_arena_free(arena);
}

/* What was made in either arena is still there, and both kinds can grow on. */
static void joined_arenas_keep_what_they_hold(void **state)
{
    (void)state;
    struct ja_arena *arena = ja_arena_new(), *other = ja_arena_new(), *empty = ja_arena_new();
    char *own = ja_arena_string(arena, "own"), *theirs = ja_arena_string(other, "theirs");
    uint32_t *array = NULL;
    size_t count = 0, capacity = 0;
    for (uint32_t i = 0; i < 10000; i++)
        *JA_APPEND(other, array, count, capacity) = i;
    size_t size = ja_arena_size(arena) + ja_arena_size(other);
    ja_arena_join(arena, empty);
    ja_arena_join(arena, other);
    assert_int_equal(ja_arena_size(arena), size);
    for (uint32_t i = 10000; i < 100000; i++)
        *JA_APPEND(arena, array, count, capacity) = i;
    for (uint32_t i = 0; i < 100000; i++)
        assert_int_equal(array[i], i);
    for (int i = 0; i < 1000; i++)
        ja_arena_print(arena, "%d", i);
    assert_string_equal(own, "own");
    assert_string_equal(theirs, "theirs");
    ja_arena_reset(arena);
    assert_int_equal(ja_arena_size(arena), 0);
    assert_string_equal(ja_arena_string(arena, "again"), "again");
    ja_arena_free(arena);
}

/* Short arrays are copied, long ones moved; none is taken from an array of no elements. */
static void taken_arrays_outlive_their_arena(void **state)
{
    (void)state;
    struct ja_arena *arena = ja_arena_new(), *other = ja_arena_new();
    uint32_t *arrays[3] = {NULL, NULL, NULL};
    size_t counts[3] = {0, 0, 0}, capacities[3] = {0, 0, 0}, lengths[3] = {5, 10000, 0};
    for (uint32_t a = 0; a < 3; a++)
        for (uint32_t i = 0; i < lengths[a]; i++)
            *JA_APPEND(other, arrays[a], counts[a], capacities[a]) = i;
    for (size_t a = 0; a < 3; a++)
        arrays[a] =
            ja_arena_take(arena, other, arrays[a], counts[a], &capacities[a], sizeof *arrays[a]);
    ja_arena_free(other);
    assert_null(arrays[2]);
    assert_int_equal(ja_arena_size(arena), (5 + 10000) * sizeof(uint32_t));
    for (uint32_t a = 0; a < 2; a++) {
        assert_int_equal(capacities[a], lengths[a]);
        for (uint32_t i = 0; i < lengths[a]; i++)
            assert_int_equal(arrays[a][i], i);
        *JA_APPEND(arena, arrays[a], counts[a], capacities[a]) = 7;
        assert_int_equal(arrays[a][lengths[a]], 7);
    }
    ja_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dropped_arrays_leave_their_neighbours),
        cmocka_unit_test(small_arrays_and_none_may_be_dropped),
        cmocka_unit_test(joined_arenas_keep_what_they_hold),
        cmocka_unit_test(taken_arrays_outlive_their_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
