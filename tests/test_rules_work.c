/* SPDX-License-Identifier: MIT
 *
 * Rules about how long and under which work a process was watched: where each speaks, with the
 * number worked out by hand, and a near miss where it must not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/story.h"

#define MIB ((double)JA_MIB)

/* ---- work ------------------------------------------------------------------------------------ */

/* Twelve hourly readings of 200 MiB on a machine of 8 GiB; requests: per hour, negative none. */
static const struct ja_case *level(struct story *story, double requests)
{
    begin(story);
    story->said.ram_bytes = 8 * JA_GIB;
    for (int i = 0; i < 12; i++) {
        reads(story, "web", 7, 60 * i, 200 * JA_MIB);
        if (requests >= 0)
            works(story, "web", 7, 60 * i, "requests", 1000 + requests * i);
    }
    return build(story);
}

/* One step of 4096 bytes over 11 h is the least that the readings can exclude; X is what fills the
 * 7992 MiB that are left in a week. */
static void level_under_work_is_not_growing(void **state)
{
    (void)state;
    struct story story;
    const struct ja_case *item = level(&story, 100);
    const struct ja_finding *f = finds(item, "not_growing", "web", JA_NOT_SHOWN);
    assert_number(f, "bound_bytes_per_hour", 4096 / 11.0);
    assert_number(f, "window_s", 11 * 3600);
    assert_number(f, "concern_bytes_per_hour", 7992 * MIB / (7 * 24));
    assert_silent(item, "no_work_in_window", NULL);
    assert_silent(item, "growing", NULL);
    end(&story);
}

/* RSS is level because the leak goes to swap as it comes: that RSS does not grow is not said. */
static void level_beside_a_growing_whole_says_nothing(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    story.said.ram_bytes = 8 * JA_GIB;
    for (int i = 0; i < 12; i++) {
        story.metric = "anonymous";
        reads(&story, "web", 7, 60 * i, 200 * JA_MIB);
        story.metric = "swap";
        reads(&story, "web", 7, 60 * i, 50 * i * JA_MIB);
        works(&story, "web", 7, 60 * i, "requests", 1000 + 100.0 * i);
    }
    const struct ja_case *item = build(&story);
    const struct ja_finding *f = finds(item, "growing", "web", JA_CONFIRMED);
    assert_int_equal(f->metric, JA_METRIC_ANON_SWAP);
    assert_number(f, "net_low_bytes", 550 * MIB);
    assert_silent(item, "not_growing", NULL);
    end(&story);
}

static void level_without_work_says_nothing(void **state)
{
    (void)state;
    struct story story;
    const struct ja_case *item = level(&story, 0);
    const struct ja_finding *f = finds(item, "no_work_in_window", "web", JA_CANNOT);
    assert_number(f, "work", 0);
    assert_number(f, "window_s", 11 * 3600);
    assert_says(item, f, "0 requests counted in 11.0 h of watching");
    assert_silent(item, "not_growing", NULL);
    end(&story);
}

static void level_with_work_uncounted_says_nothing(void **state)
{
    (void)state;
    struct story story;
    const struct ja_case *item = level(&story, -1);
    const struct ja_finding *f = finds(item, "no_work_in_window", "web", JA_CANNOT);
    assert_true(isnan(number_of(f, "work")));
    assert_says(item, f, "nothing in the evidence shows that it worked");
    assert_silent(item, "not_growing", NULL);
    end(&story);
}

/* Six hourly readings, a MiB more for each of 10 requests an hour. */
static const struct ja_case *served(struct story *story, const char *unit)
{
    begin(story);
    for (int i = 0; i < 6; i++) {
        reads(story, "web", 7, 60 * i, (100 + 10 * i) * JA_MIB);
        works(story, "web", 7, 60 * i, unit, 40 + 10 * i);
    }
    return build(story);
}

static void memory_that_follows_requests(void **state)
{
    (void)state;
    struct story story;
    const struct ja_case *item = served(&story, "requests");
    const struct ja_finding *f = finds(item, "load_driven", "web", JA_CONSISTENT);
    assert_number(f, "work", 50);
    assert_number(f, "bytes_per_work_low", MIB);
    assert_number(f, "bytes_per_work_high", MIB);
    end(&story);
}

/* CPU seconds rise with anything: they drive nothing. */
static void cpu_time_is_no_load(void **state)
{
    (void)state;
    struct story story;
    const struct ja_case *item = served(&story, "cpu_s");
    assert_silent(item, "load_driven", NULL);
    finds(item, "growing", "web", JA_CONFIRMED);
    end(&story);
}

/* ---- the one division ------------------------------------------------------------------------ */

/* "21 GB" three times in 320 s: a step over the window is 11.25 GiB/h. With 64 GiB of RAM 43 GiB
 * are left, a week fills them at 43/168 GiB/h, and a step of that takes 168/43 h to be seen. */
static void equal_digits_of_a_short_watch(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    story.step = JA_GIB;
    story.rounding = "nearest";
    story.said.ram_bytes = 64 * JA_GIB;
    READS_ALL(&story, "web", 7, 160 / 60.0, JA_GIB, 21, 21, 21);
    const struct ja_case *item = build(&story);
    const struct ja_finding *f = finds(item, "window_too_short", "web", JA_CANNOT);
    assert_number(f, "window_s", 320);
    assert_number(f, "detectable_bytes_per_hour", 11.25 * (double)JA_GIB);
    assert_number(f, "resolution_bytes", (double)JA_GIB);
    assert_true(fabs(number_of(f, "minimum_window_s") - 168 * 3600 / 43.0) < 0.01);
    end(&story);
}

/* The same digits four days apart exclude more than a week to fill RAM. */
static void equal_digits_of_a_long_watch(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    story.step = JA_GIB;
    story.rounding = "nearest";
    story.said.ram_bytes = 64 * JA_GIB;
    READS_ALL(&story, "web", 7, 2880, JA_GIB, 21, 21, 21);
    assert_silent(build(&story), "window_too_short", NULL);
    end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(level_under_work_is_not_growing),
        cmocka_unit_test(level_beside_a_growing_whole_says_nothing),
        cmocka_unit_test(level_without_work_says_nothing),
        cmocka_unit_test(level_with_work_uncounted_says_nothing),
        cmocka_unit_test(memory_that_follows_requests),
        cmocka_unit_test(cpu_time_is_no_load),
        cmocka_unit_test(equal_digits_of_a_short_watch),
        cmocka_unit_test(equal_digits_of_a_long_watch),
    };
    ja_parsers_prepare();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
