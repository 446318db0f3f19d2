/* SPDX-License-Identifier: MIT
 *
 * Series keep numbers of readings: each point must come back as it was made.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/points.h"
#include "model/rows.h"
#include "tests/story.h"

static void works_as(struct story *story, uint32_t subject, double cpu_s)
{
    ja_add_count(story->open, subject, ja_cpu_seconds, cpu_s, story->place);
}

static uint32_t last_row(const struct story *story)
{
    return (uint32_t)story->open->subject_count - 1;
}

/* Three tables, the newest file first; the first row of the middle one is without work. */
static const struct ja_case *three_tables(struct story *story)
{
    static const int minutes[] = {60, 30, 0};
    static const char *const paths[] = {"a", "b", "c"};
    begin(story);
    for (int i = 0; i < 3; i++) {
        table(story, paths[i], JA_KIND_JETSAM, minutes[i]);
        row(story, "idle", 6, 0);
        if (i != 1)
            works_as(story, last_row(story), 1);
        row(story, "web", 7, 4096 * (100 + minutes[i]));
        works_as(story, last_row(story), minutes[i]);
    }
    end_table(story);
    return build(story);
}

static const struct ja_process *named(const struct ja_case *item, const char *name)
{
    for (size_t i = 0; i < item->process_count; i++)
        if (strcmp(item->processes[i].name, name) == 0)
            return &item->processes[i];
    fail_msg("no process %s", name);
    return NULL;
}

static const struct ja_series *only_series(const struct ja_case *item, const char *name)
{
    const struct ja_process *process = named(item, name);
    assert_int_equal(process->series_count, 1);
    return &item->series[process->first_series];
}

static void points_are_told_by_their_readings(void **state)
{
    (void)state;
    struct story story;
    const struct ja_case *item = three_tables(&story);
    const struct ja_series *web = only_series(item, "web");
    assert_int_equal(web->point_count, 3);
    assert_false(web->made);
    for (uint32_t i = 0; i < 3; i++) {
        struct ja_point point = ja_point_at(web, i);
        int64_t minute = 30 * i, bytes = 4096 * (100 + minute);
        assert_int_equal(point.at->unix_ns, STORY_BEGIN_NS + minute * 60 * JA_NS_PER_S);
        assert_true(point.value == bytes && point.low == bytes && point.high == bytes);
        assert_true(point.resolution == 4096 && point.rounding == JA_ROUNDING_EXACT);
        assert_true(point.source == 2 - i && point.reading == 1 && !point.made);
    }
    assert_int_equal(ja_first_point(web).value, 4096 * 100);
    assert_int_equal(ja_last_point(web).value, 4096 * 160);
    end(&story);
}

/* Where the numbers of the counts are those of the readings they stand once. */
static void work_shares_the_numbers_of_readings(void **state)
{
    (void)state;
    struct story story;
    const struct ja_case *item = three_tables(&story);
    const struct ja_process *web = named(item, "web"), *idle = named(item, "idle");
    assert_int_equal(web->work_count, 3);
    assert_ptr_not_equal(web->work, only_series(item, "web")->readings);
    for (size_t i = 0; i < 3; i++)
        assert_true(ja_work_sample(item, web, i).total == 30.0 * (double)i);
    assert_int_equal(idle->work_count, 2);
    end(&story);
    begin(&story);
    for (int i = 0; i < 2; i++) {
        table(&story, i ? "b" : "a", JA_KIND_JETSAM, i);
        row(&story, "web", 7, 4096);
        works_as(&story, last_row(&story), i);
    }
    end_table(&story);
    item = build(&story);
    assert_int_equal(named(item, "web")->work_count, 2);
    assert_string_equal(ja_work_unit(item, named(item, "web")), "cpu_s");
    assert_ptr_equal(named(item, "web")->work, only_series(item, "web")->readings);
    end(&story);
}

/* A killed row's reading stands at its kill. Nothing is below zero, rounded or not. */
static void moments_and_rounding(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    table(&story, "a", JA_KIND_JETSAM, 5);
    row(&story, "web", 7, 0);
    struct ja_stamp kill = {.clock = JA_CLOCK_REPORT, .parts = JA_STAMP_UNIX};
    kill.unix_ns = STORY_BEGIN_NS;
    story.open->readings[0].stamp = ja_add_stamp(story.open, &kill);
    story.open->readings[0].rounding = JA_ROUNDING_NEAREST;
    end_table(&story);
    struct ja_point point = ja_first_point(only_series(build(&story), "web"));
    assert_int_equal(point.at->unix_ns, STORY_BEGIN_NS);
    assert_int_equal(point.low, 0);
    assert_int_equal(point.high, 2048);
    end(&story);
}

static void made_points_are_kept_whole(void **state)
{
    (void)state;
    struct ja_arena *arena = ja_arena_new();
    struct ja_point points[] = {
        {.value = 1, .reading = 5}, {.value = 2, .reading = 6}, {.value = 3, .reading = 7}};
    for (int made = 0; made < 2; made++) {
        points[1].made = made;
        struct ja_series series = {.points = points, .point_count = 3};
        ja_series_settle(&series, arena);
        assert_int_equal(series.made, made);
        ja_series_move_point(&series, 0, 2);
        if (!made) {
            assert_int_equal(series.readings[0].number, 7);
            assert_int_equal(series.readings[1].number, 6);
            continue;
        }
        assert_ptr_not_equal(series.points, points);
        assert_int_equal(ja_point_at(&series, 0).value, 3);
        assert_int_equal(ja_point_at(&series, 1).value, 2);
    }
    assert_int_equal(points[0].value, 1);
    ja_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_told_by_their_readings),
        cmocka_unit_test(work_shares_the_numbers_of_readings),
        cmocka_unit_test(moments_and_rounding),
        cmocka_unit_test(made_points_are_kept_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
