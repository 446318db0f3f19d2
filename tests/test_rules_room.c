/* SPDX-License-Identifier: MIT
 *
 * Rules about room and about time: swap, percentages of free memory, gaps, readings without a time.
 * Where each speaks, with the number worked out by hand, and a near miss where it must not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/story.h"

#define MIB ((double)JA_MIB)

/* ---- swap ------------------------------------------------------------------------------------ */

static void swap(struct story *story, double minute, int used_mib, int total_mib)
{
    char figures[160];
    snprintf(figures, sizeof figures, "\"swap_used\":%lld,\"swap_total\":%lld",
             used_mib * (long long)JA_MIB, total_mib * (long long)JA_MIB);
    stands(story, minute, figures);
}

/* 700 of 1000 MiB, 940 an hour later, 900 after two. */
static void swap_that_fills(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    swap(&story, 0, 700, 1000);
    swap(&story, 60, 940, 1000);
    swap(&story, 120, 900, 1000);
    const struct ja_case *item = build(&story);
    const struct ja_finding *f = finds(item, "swap_nearly_full", NULL, JA_CONFIRMED);
    assert_number(f, "percent", 94);
    assert_number(f, "used_bytes", 940 * MIB);
    assert_number(f, "moved_bytes", 200 * MIB);
    assert_int_equal(f->severity, JA_SERIOUS);
    assert_says(item, f, "it rose by 200.0 MiB in 2.0 h");
    end(&story);
}

static void swap_by_degrees(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    swap(&story, 0, 749, 1000);
    assert_silent(build(&story), "swap_nearly_full", NULL);
    end(&story);
    begin(&story);
    swap(&story, 0, 750, 1000);
    const struct ja_case *item = build(&story);
    const struct ja_finding *f = finds(item, "swap_nearly_full", NULL, JA_CONFIRMED);
    assert_int_equal(f->severity, JA_REMARK);
    assert_true(isnan(number_of(f, "moved_bytes")));
    assert_says(item, f, "one reading has no direction");
    end(&story);
    begin(&story);
    swap(&story, 0, 800, 1000);
    swap(&story, 30, 800, 1000);
    item = build(&story);
    f = finds(item, "swap_nearly_full", NULL, JA_CONFIRMED);
    assert_number(f, "moved_bytes", 0);
    assert_says(item, f, "it did not move in 30.0 min");
    end(&story);
}

/* Two figures of one moment have no order: how far it moved is not known. */
static void swap_at_one_moment(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    swap(&story, 0, 800, 1000);
    end_file(&story, "a.ndjson");
    swap(&story, 0, 820, 1000);
    const struct ja_case *item = build(&story);
    const struct ja_finding *f = finds(item, "swap_nearly_full", NULL, JA_CONFIRMED);
    assert_true(isnan(number_of(f, "moved_bytes")));
    assert_says(item, f, "readings of one moment have no direction");
    end(&story);
}

/* More swap in use than there is: an impossible figure fills nothing. */
static void swap_that_cannot_be(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    swap(&story, 0, 1001, 1000);
    const struct ja_case *item = build(&story);
    assert_silent(item, "swap_nearly_full", NULL);
    finds(item, "impossible_value", NULL, JA_CONTRADICTED);
    end(&story);
}

static void swap_in_zram(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    stands(&story, 0, "\"swap_used\":900,\"swap_total\":1000,\"zram_used\":209715200");
    const struct ja_case *item = build(&story);
    assert_says(item, finds(item, "swap_nearly_full", NULL, JA_CONFIRMED),
                "zram keeps these pages in RAM, where they take 200.0 MiB");
    end(&story);
}

/* ---- free percentages ------------------------------------------------------------------------ */

/* 60 % free beside swap that is four fifths full, so many minutes later. */
static const struct ja_case *room(struct story *story, int percent, int swap_mib, double apart)
{
    char figures[64];
    begin(story);
    snprintf(figures, sizeof figures, "\"percent_free\":%d", percent);
    stands(story, 0, figures);
    swap(story, apart, swap_mib, 1000);
    return build(story);
}

static void a_percentage_beside_full_swap(void **state)
{
    (void)state;
    struct story story;
    const struct ja_finding *f =
        finds(room(&story, 60, 800, 9), "free_percent_misleads", NULL, JA_CONTRADICTED);
    assert_number(f, "percent_free", 60);
    assert_number(f, "swap_percent", 80);
    end(&story);
}

/* Swap with room, another moment, a percentage that reassures nobody. */
static void a_percentage_that_misleads_nobody(void **state)
{
    (void)state;
    struct story story;
    assert_silent(room(&story, 60, 740, 9), "free_percent_misleads", NULL);
    end(&story);
    assert_silent(room(&story, 60, 800, 11), "free_percent_misleads", NULL);
    end(&story);
    assert_silent(room(&story, 24, 800, 9), "free_percent_misleads", NULL);
    end(&story);
}

/* 8 GiB of RAM; the compressor takes 30 % of it, or holds more than RAM in a tenth of it. */
static const struct ja_case *packed(struct story *story, const char *figures)
{
    begin(story);
    story->said.ram_bytes = 8 * JA_GIB;
    stands(story, 0, figures);
    return build(story);
}

static void a_percentage_beside_a_full_compressor(void **state)
{
    (void)state;
    struct story story;
    const struct ja_case *item =
        packed(&story, "\"percent_free\":50,\"compressor\":2684354560,\"uncompressed\":6442450944");
    const struct ja_finding *f = finds(item, "free_percent_misleads", NULL, JA_CONTRADICTED);
    assert_number(f, "compressor_bytes", 2560 * MIB);
    assert_true(isnan(number_of(f, "swap_percent")));
    assert_says(item, f, "the compressor takes 2.50 GiB of RAM");
    end(&story);
    item =
        packed(&story, "\"percent_free\":50,\"compressor\":858993459,\"uncompressed\":9663676416");
    assert_says(item, finds(item, "free_percent_misleads", NULL, JA_CONTRADICTED),
                "the compressor holds 9.00 GiB of pages, more than RAM");
    end(&story);
    assert_silent(
        packed(&story, "\"percent_free\":50,\"compressor\":858993459,\"uncompressed\":2147483648"),
        "free_percent_misleads", NULL);
    end(&story);
}

/* Swap of one moment and the compressor of another: each is cited where it is said. */
static void two_witnesses_against_a_percentage(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    story.said.ram_bytes = 8 * JA_GIB;
    stands(&story, 0, "\"percent_free\":50,\"compressor\":2684354560");
    swap(&story, 5, 900, 1000);
    const struct ja_case *item = build(&story);
    const struct ja_finding *f = finds(item, "free_percent_misleads", NULL, JA_CONTRADICTED);
    assert_number(f, "swap_percent", 90);
    assert_number(f, "compressor_bytes", 2560 * MIB);
    assert_says(item, f, "swap is 90.0 % full and the compressor takes 2.50 GiB of RAM");
    end(&story);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* Every ten minutes, then four hours of nothing. */
static void a_stretch_without_evidence(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    for (int i = 0; i < 6; i++)
        reads(&story, "web", 7, 10 * i, 100 * JA_MIB);
    reads(&story, "web", 7, 290, 100 * JA_MIB);
    reads(&story, "web", 7, 300, 100 * JA_MIB);
    const struct ja_case *item = build(&story);
    const struct ja_finding *f = finds(item, "observation_gap", NULL, JA_CONFIRMED);
    assert_number(f, "gap_s", 240 * 60);
    assert_number(f, "gaps", 1);
    assert_says(item, f, "4.0 h, from 2026-02-01 10:50:00");
    end(&story);
}

/* Readings that are hours apart all along have no gap. */
static void readings_that_are_always_far_apart(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    for (int i = 0; i < 6; i++)
        reads(&story, "web", 7, 240 * i, 100 * JA_MIB);
    assert_silent(build(&story), "observation_gap", NULL);
    end(&story);
}

static void readings_without_a_time(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    reads(&story, "db", 8, 0, 100 * JA_MIB);
    for (int i = 0; i < 3; i++)
        line(&story,
             "{\"type\":\"reading\",\"host\":\"oak\",\"name\":\"web\",\"pid\":7,\"at\":null,"
             "\"metric\":\"resident\",\"value_bytes\":%d,\"resolution_bytes\":4096,\"rounding\":"
             "\"exact\"}",
             4096 * (i + 1));
    const struct ja_case *item = build(&story);
    const struct ja_finding *f = finds(item, "unordered_evidence", NULL, JA_CANNOT);
    assert_number(f, "readings", 3);
    assert_int_equal(f->cite_count, 2);
    assert_silent(item, "growing", NULL);
    end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(swap_that_fills),
        cmocka_unit_test(swap_by_degrees),
        cmocka_unit_test(swap_at_one_moment),
        cmocka_unit_test(swap_that_cannot_be),
        cmocka_unit_test(swap_in_zram),
        cmocka_unit_test(a_percentage_beside_full_swap),
        cmocka_unit_test(a_percentage_that_misleads_nobody),
        cmocka_unit_test(a_percentage_beside_a_full_compressor),
        cmocka_unit_test(two_witnesses_against_a_percentage),
        cmocka_unit_test(a_stretch_without_evidence),
        cmocka_unit_test(readings_that_are_always_far_apart),
        cmocka_unit_test(readings_without_a_time),
    };
    ja_parsers_prepare();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
