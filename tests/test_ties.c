/* SPDX-License-Identifier: MIT
 *
 * Process ages and peaks on small stories: what they tie together and part, and what a report that
 * was cut does not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/story.h"

static size_t count_processes(const struct ja_case *item, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < item->process_count; i++)
        count += strcmp(item->processes[i].name, name) == 0;
    return count;
}

/* A report at a minute of daemons that started with the boot, and of a helper that did not. */
static void aged_table(struct story *story, double minute, int daemons, double helper_started)
{
    static const char *const names[] = {"d0", "d1", "d2", "d3", "d4", "d5"};
    const double tick_hz = 24e6;
    table(story, ja_arena_print(story->trees, "%g.ips", minute), JA_KIND_JETSAM, minute);
    story->open->systems[0].tick_hz = (int64_t)tick_hz;
    for (int i = 0; i < daemons; i++)
        row(story, names[i], 100 + i, 1 << 20)->age_ticks =
            (int64_t)((minute + 60 + i) * 60 * tick_hz);
    row(story, "helper", 900, (1 << 20) + (int64_t)minute * 65536)->age_ticks =
        (int64_t)((minute - helper_started) * 60 * tick_hz);
}

/* A report that was cut ties nothing by ages, and keeps nothing from being tied: pid 900 was three
 * processes, whatever stands in front of the whole reports or between them. */
static void ages_reach_over_a_stump(void **state)
{
    (void)state;
    for (int where = 0; where < 3; where++) {
        struct story story;
        begin(&story);
        if (where == 1) {
            table(&story, "cut.ips", JA_KIND_JETSAM, 1);
            row(&story, "other", 50, 1 << 20)->age_ticks = 24000000;
        }
        aged_table(&story, 10, 6, 8);
        if (where == 2) {
            table(&story, "cut.ips", JA_KIND_JETSAM, 20);
            story.open->systems[0].tick_hz = 24000000;
            row(&story, "d5", 105, 1 << 20)->age_ticks = INT64_C(85) * 60 * 24000000;
        }
        aged_table(&story, 30, 5, 13); /* d5 is gone */
        aged_table(&story, 35, 5, 15);
        const struct ja_case *item = build(&story);
        assert_int_equal(item->boot_count, 1);
        assert_int_equal(count_processes(item, "helper"), 3);
        assert_int_equal(count_processes(item, "d0"), 1);
        assert_null(find_of(item, "growing", "helper"));
        end(&story);
    }
}

/* One row is all that a cut report shares with a whole one. It has aged, by less than the time in
 * between: the machine slept, or the helper started anew. Who was cut says nothing. */
static void one_row_of_a_stump_ties_nothing(void **state)
{
    (void)state;
    for (int cut_first = 0; cut_first < 2; cut_first++) {
        struct story story;
        begin(&story);
        for (int i = 0; i < 2; i++)
            if ((i == 0) == cut_first) {
                table(&story, "cut.ips", JA_KIND_JETSAM, i ? 20 : 1);
                story.open->systems[0].tick_hz = 24000000;
                row(&story, "helper", 900, 1 << 20)->age_ticks =
                    (i ? INT64_C(5) : INT64_C(1)) * 60 * 24000000;
                fact(&story, JA_FACT_TABLE_CUT, 1, "cut off");
            } else {
                aged_table(&story, 10, 6, i ? 7 : 8);
            }
        const struct ja_case *item = build(&story);
        assert_int_equal(count_processes(item, "helper"), 1);
        for (size_t i = 0; i < item->process_count; i++)
            if (strcmp(item->processes[i].name, "helper") == 0)
                assert_int_equal(item->processes[i].link, JA_LINK_PID_NAME);
        end(&story);
    }
}

/* The clock was set back by two hours between the second and the third report: by the clock they
 * lie among the first ones. No boot is claimed, and each side keeps its order. */
static void a_clock_that_was_set_is_no_boot(void **state)
{
    static const double minutes[] = {10, 100, 130, 160}, clocks[] = {10, 100, 10.5, 40.5};
    (void)state;
    struct story story;
    begin(&story);
    for (int i = 0; i < 4; i++) {
        aged_table(&story, minutes[i], 6, 5);
        story.open->systems[0].boot_id = NULL;
        story.open->stamps[0].unix_ns = STORY_BEGIN_NS + (int64_t)(clocks[i] * 60e9);
    }
    const struct ja_case *item = build(&story);
    assert_int_equal(item->boot_count, 2);
    assert_true(item->boots[1].clock_set);
    assert_null(item->boots[0].ended_by);
    assert_int_equal(count_processes(item, "helper"), 2);
    assert_int_equal(item->event_count, 1);
    assert_int_equal(item->events[0].kind, JA_EVENT_NOTE);
    for (size_t i = 0; i < item->process_count; i++)
        assert_int_equal(item->series[item->processes[i].first_series].point_count, 2);
    end(&story);
}

/* Footprint prints 12.4 GiB as 12 GB, its JSON exactly: no peak fell. One that did is another life.
 */
static void a_rounded_peak_has_not_fallen(void **state)
{
    static const int64_t peaks_mib[] = {12698, 12288, 12800, 4096};
    (void)state;
    for (int fallen = 0; fallen < 2; fallen++) {
        struct story story;
        begin(&story);
        for (int i = 0; i < 3 + fallen; i++) {
            table(&story, ja_arena_print(story.trees, "%d.txt", i), JA_KIND_FOOTPRINT, 10.0 * i);
            row(&story, "llmd", 4021, JA_GIB)->peak_bytes = peaks_mib[i] * JA_MIB;
        }
        assert_int_equal(count_processes(build(&story), "llmd"), 1 + fallen);
        end(&story);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ages_reach_over_a_stump),
        cmocka_unit_test(one_row_of_a_stump_ties_nothing),
        cmocka_unit_test(a_clock_that_was_set_is_no_boot),
        cmocka_unit_test(a_rounded_peak_has_not_fallen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
