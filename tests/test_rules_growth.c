/* SPDX-License-Identifier: MIT
 *
 * Rules about the course of one process: where each speaks, with the number worked out by hand, and
 * a near miss where it must not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/story.h"

#define MIB ((double)JA_MIB)

/* ---- growing, not_growing -------------------------------------------------------------------- */

static const struct ja_case *line_of_six(struct story *story)
{
    begin(story);
    READS_ALL(story, "web", 7, 60, JA_MIB, 100, 150, 200, 250, 300, 350);
    return build(story);
}

/* 50 MiB each hour, exact: one line passes, and no other. */
static void six_readings_on_a_line(void **state)
{
    (void)state;
    struct story story;
    const struct ja_case *item = line_of_six(&story);
    const struct ja_finding *f = finds(item, "growing", "web", JA_CONFIRMED);
    assert_number(f, "net_low_bytes", 250 * MIB);
    assert_number(f, "net_high_bytes", 250 * MIB);
    assert_number(f, "window_s", 18000);
    assert_number(f, "low_bytes_per_hour", 50 * MIB);
    assert_number(f, "high_bytes_per_hour", 50 * MIB);
    assert_says(item, f, "web [7], footprint, grew by 250.0 MiB in 5.0 h steadily (6 readings");
    assert_says(item, f, "still growing at the last reading");
    assert_int_equal(f->severity, JA_SERIOUS); /* nobody says how much there is to fill */
    end(&story);
}

/* 1 GiB of RAM: 674 MiB are left, 13.5 h at this pace. */
static void near_the_end_it_is_critical(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    story.said.ram_bytes = JA_GIB;
    READS_ALL(&story, "web", 7, 60, JA_MIB, 100, 150, 200, 250, 300, 350);
    const struct ja_case *item = build(&story);
    assert_int_equal(finds(item, "growing", "web", JA_CONFIRMED)->severity, JA_CRITICAL);
    end(&story);
}

/* 100 KiB an hour, proved and going on. 16 GiB are left: they would last nineteen years; when
 * somebody says that 50 KiB/h matter, it is no trifle any more. */
static void a_proved_trifle_is_a_note(void **state)
{
    (void)state;
    static const double stated[] = {NAN, 50 * 1024, 200 * 1024};
    static const enum ja_severity severity[] = {JA_REMARK, JA_SERIOUS, JA_REMARK};
    for (int i = 0; i < 3; i++) {
        struct story story;
        begin(&story);
        story.said.ram_bytes = 16 * JA_GIB;
        story.said.slope_bytes_per_hour = stated[i];
        READS_ALL(&story, "web", 7, 60, 100 * JA_KIB, 100, 101, 102, 103, 104, 105);
        const struct ja_case *item = build(&story);
        const struct ja_finding *f = finds(item, "growing", "web", JA_CONFIRMED);
        assert_number(f, "net_low_bytes", 500 * 1024);
        assert_says(item, f, "still growing at the last reading");
        assert_int_equal(f->severity, severity[i]);
        end(&story);
    }
}

/* 21 GB and then 22 GB, rounded to the nearest: both may have been 21.5. */
static void the_next_digit_is_no_growth(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    story.step = JA_GIB;
    story.rounding = "nearest";
    READS_ALL(&story, "web", 7, 60, JA_GIB, 21, 21, 22);
    assert_silent(build(&story), "growing", NULL);
    end(&story);
}

/* Two tools half a minute apart that part by 100 MiB: a disagreement, no gain. */
static void two_tools_of_one_minute_are_no_growth(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    story.via = "footprint";
    reads(&story, "web", 7, 0, 100 * JA_MIB);
    end_file(&story, "a.ndjson");
    story.via = "vmmap";
    reads(&story, "web", 7, 0.5, 200 * JA_MIB);
    const struct ja_case *item = build(&story);
    assert_silent(item, "growing", NULL);
    const struct ja_finding *f = finds(item, "sources_disagree", "web", JA_CANNOT);
    assert_number(f, "apart_s", 30);
    assert_int_equal(llabs((int64_t)number_of(f, "difference_bytes")), 100 * JA_MIB);
    end(&story);
}

/* The same two readings an hour apart are a gain. */
static void two_tools_of_two_hours_may_show_growth(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    story.via = "footprint";
    reads(&story, "web", 7, 0, 100 * JA_MIB);
    end_file(&story, "a.ndjson");
    story.via = "vmmap";
    reads(&story, "web", 7, 60, 200 * JA_MIB);
    const struct ja_case *item = build(&story);
    assert_number(finds(item, "growing", "web", JA_CONFIRMED), "net_low_bytes", 100 * MIB);
    assert_silent(item, "sources_disagree", NULL);
    end(&story);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* 256, 512, 1024, 2048 MiB more: the levels themselves never double. */
static void steps_that_double(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    READS_ALL(&story, "web", 7, 5, JA_MIB, 902, 1158, 1670, 2694, 4742);
    const struct ja_case *item = build(&story);
    const struct ja_finding *f = finds(item, "doubling_arena", "web", JA_CONSISTENT);
    assert_number(f, "steps", 4);
    assert_number(f, "last_step_bytes", 2048 * MIB);
    assert_number(f, "next_step_bytes", 4096 * MIB);
    assert_says(item, finds(item, "growing", "web", JA_CONFIRMED), "in steps that double");
    assert_silent(item, "plateau_at_cap", NULL);
    end(&story);
}

/* Levels that double in equal looks, 256 and 512 MiB more, twice: the steps do not. */
static void steps_that_only_grow(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    READS_ALL(&story, "web", 7, 5, JA_MIB, 902, 1158, 1542, 2054, 2694);
    assert_silent(build(&story), "doubling_arena", NULL);
    end(&story);
}

static void steps_with_rests_between(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    READS_ALL(&story, "web", 7, 30, JA_MIB, 100, 100, 200, 200, 300, 300, 400, 400);
    const struct ja_case *item = build(&story);
    const struct ja_finding *f = finds(item, "staircase", "web", JA_CONFIRMED);
    assert_number(f, "steps", 3);
    assert_number(f, "last_step_bytes", 100 * MIB);
    assert_number(f, "silent_s", 1800);
    assert_says(item, finds(item, "growing", "web", JA_CONFIRMED), "in steps");
    end(&story);
}

static void steps_that_are_given_back(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    READS_ALL(&story, "web", 7, 30, JA_MIB, 100, 100, 200, 200, 300, 300, 100, 100);
    const struct ja_case *item = build(&story);
    assert_silent(item, "staircase", NULL);
    assert_silent(item, "growing", NULL);
    end(&story);
}

/* Three teeth of 60 MiB; floors at 40, 60 and 80 MiB. */
static void teeth_on_a_rising_floor(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    READS_ALL(&story, "web", 7, 10, JA_MIB, 40, 60, 80, 100, 60, 80, 100, 120, 80, 100, 120, 140);
    const struct ja_case *item = build(&story);
    const struct ja_finding *f = finds(item, "sawtooth_floor", "web", JA_CONSISTENT);
    assert_number(f, "floor_low_bytes", 20 * MIB);
    assert_number(f, "floor_high_bytes", 20 * MIB);
    end(&story);
}

/* The same teeth from one floor: they rise and fall, and nothing is kept. */
static void teeth_on_a_level_floor(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    READS_ALL(&story, "web", 7, 10, JA_MIB, 40, 60, 80, 100, 40, 60, 80, 100, 40, 60, 80, 100);
    const struct ja_case *item = build(&story);
    const struct ja_finding *f = finds(item, "sawtooth_floor", "web", JA_CANNOT);
    assert_number(f, "floor_low_bytes", 0);
    assert_number(f, "floor_high_bytes", 0);
    end(&story);
}

/* Each rise is half the one before: it grew, and nothing says that it goes on. */
static void rises_that_shrink(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    READS_ALL(&story, "web", 7, 10, JA_MIB, 100, 200, 250, 275, 288, 294, 297, 298, 299, 299);
    const struct ja_case *item = build(&story);
    assert_number(finds(item, "warm_up", "web", JA_CONSISTENT), "window_s", 5400);
    const struct ja_finding *f = finds(item, "growing", "web", JA_CONFIRMED);
    assert_says(item, f, "grew by 199.0 MiB in 90.0 min and has stopped");
    assert_silent(item, "staircase", NULL);
    end(&story);
}

static void rises_that_do_not_shrink(void **state)
{
    (void)state;
    struct story story;
    const struct ja_case *item = line_of_six(&story);
    assert_silent(item, "warm_up", NULL);
    end(&story);
}

static void peaks_above_a_level(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    READS_ALL(&story, "web", 7, 10, JA_MIB, 100, 100, 300, 100, 100, 100, 290, 100, 100, 100);
    const struct ja_case *item = build(&story);
    assert_number(finds(item, "burst", "web", JA_CONFIRMED), "max_step_bytes", 200 * MIB);
    assert_silent(item, "growing", NULL);
    end(&story);
}

/* Half of the readings up, half down: no level that most of them keep. */
static void peaks_as_often_as_not(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    READS_ALL(&story, "web", 7, 10, JA_MIB, 100, 300, 300, 100, 300, 300, 100, 300, 300, 100);
    assert_silent(build(&story), "burst", NULL);
    end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(six_readings_on_a_line),
        cmocka_unit_test(near_the_end_it_is_critical),
        cmocka_unit_test(a_proved_trifle_is_a_note),
        cmocka_unit_test(the_next_digit_is_no_growth),
        cmocka_unit_test(two_tools_of_one_minute_are_no_growth),
        cmocka_unit_test(two_tools_of_two_hours_may_show_growth),
        cmocka_unit_test(steps_that_double),
        cmocka_unit_test(steps_that_only_grow),
        cmocka_unit_test(steps_with_rests_between),
        cmocka_unit_test(steps_that_are_given_back),
        cmocka_unit_test(teeth_on_a_rising_floor),
        cmocka_unit_test(teeth_on_a_level_floor),
        cmocka_unit_test(rises_that_shrink),
        cmocka_unit_test(rises_that_do_not_shrink),
        cmocka_unit_test(peaks_above_a_level),
        cmocka_unit_test(peaks_as_often_as_not),
    };
    ja_parsers_prepare();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
