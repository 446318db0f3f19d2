/* SPDX-License-Identifier: MIT
 *
 * --since and --until: what lies outside is neither shown nor judged; who is who is settled first.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/story.h"

#define MIB ((double)JA_MIB)

static int64_t minute_ns(double minute)
{
    return STORY_BEGIN_NS + (int64_t)(minute * 60e9);
}

/* 100 to 350 MiB in six hourly readings: 50 an hour, whichever part is looked at. */
static const struct ja_case *part(struct story *story, int64_t since_ns, int64_t until_ns)
{
    begin(story);
    story->said.since_ns = since_ns;
    story->said.until_ns = until_ns;
    READS_ALL(story, "web", 7, 60, JA_MIB, 100, 150, 200, 250, 300, 350);
    return build(story);
}

static void readings_of_the_window(void **state)
{
    (void)state;
    static const struct {
        double since, until; /* minutes; NaN: open */
        double gain, window_s;
    } parts[] = {{120, NAN, 150, 3 * 3600}, {NAN, 120, 100, 2 * 3600}, {61, 240, 100, 2 * 3600}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct story story;
        const struct ja_case *item =
            part(&story, isnan(parts[i].since) ? JA_UNKNOWN : minute_ns(parts[i].since),
                 isnan(parts[i].until) ? JA_UNKNOWN : minute_ns(parts[i].until));
        const struct ja_finding *f = finds(item, "growing", "web", JA_CONFIRMED);
        assert_number(f, "net_low_bytes", parts[i].gain * MIB);
        assert_number(f, "window_s", parts[i].window_s);
        end(&story);
    }
}

static void processes_outside_of_the_window(void **state)
{
    (void)state;
    struct story story;
    const struct ja_case *item = part(&story, minute_ns(301), JA_UNKNOWN);
    assert_int_equal(item->series_count, 0);
    assert_int_equal(item->process_count, 1); /* known, and not shown */
    assert_false(item->processes[0].shown);
    assert_int_equal(item->finding_count, 0);
    end(&story);
}

/* Readings without a time may be of any: they stay. */
static void undated_readings_stay(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    story.said.since_ns = minute_ns(0);
    for (int i = 0; i < 2; i++)
        line(&story,
             "{\"type\":\"reading\",\"host\":\"oak\",\"name\":\"web\",\"pid\":7,\"at\":null,"
             "\"metric\":\"resident\",\"value_bytes\":%d,\"resolution_bytes\":4096,\"rounding\":"
             "\"exact\"}",
             4096 * (i + 1));
    const struct ja_case *item = build(&story);
    assert_int_equal(item->series[0].point_count, 2);
    finds(item, "unordered_evidence", NULL, JA_CANNOT);
    end(&story);
}

/* A report at ten with a kill and books above RAM, one at eleven with neither. */
static const struct ja_case *two_reports(struct story *story, int64_t since_ns)
{
    begin(story);
    story->said.ram_bytes = 1000 * JA_MIB;
    story->said.since_ns = since_ns;
    table(story, "a.ips", JA_KIND_JETSAM, 0);
    row(story, "web", 7, 1200 * JA_MIB);
    row(story, "web", 8, 10 * JA_MIB);
    row(story, "tab", 9, 40 * JA_MIB);
    killed(story, JA_EVENT_JETSAM_KILL, "vm-pageshortage", 40 * JA_MIB, 1);
    table(story, "b.ips", JA_KIND_JETSAM, 60);
    row(story, "web", 7, 700 * JA_MIB);
    row(story, "web", 8, 10 * JA_MIB);
    return build(story);
}

static void states_and_kills_of_the_window(void **state)
{
    (void)state;
    struct story story;
    const struct ja_case *item = two_reports(&story, JA_UNKNOWN);
    assert_int_equal(item->state_count, 2);
    finds(item, "books_exceed_memory", NULL, JA_CONFIRMED);
    finds(item, "kill_explained", NULL, JA_CONFIRMED);
    end(&story);
    item = two_reports(&story, minute_ns(30));
    assert_int_equal(item->state_count, 1);
    assert_int_equal(item->event_count, 0);
    for (size_t i = 0; i < item->group_count; i++)
        assert_int_equal(item->groups[i].state, 0);
    assert_true(item->group_count > 0);
    assert_silent(item, "books_exceed_memory", NULL);
    assert_silent(item, "kill_explained", NULL);
    assert_silent(item, "observation_gap", NULL);
    end(&story);
}

/* A boot that ended in a panic before the window did not end for an unknown reason. */
static void a_panic_before_the_window(void **state)
{
    (void)state;
    for (int windowed = 0; windowed < 2; windowed++) {
        struct story story;
        begin(&story);
        if (windowed)
            story.said.since_ns = minute_ns(90);
        table(&story, "p.panic", JA_KIND_PANIC, 0);
        row(&story, "web", 7, 10 * JA_MIB);
        ja_add_event(story.open, JA_EVENT_PANIC, story.record,
                     story.open->records[story.record].stamp, story.place);
        story.boot = "c";
        table(&story, "a.ips", JA_KIND_JETSAM, 100);
        row(&story, "web", 7, 10 * JA_MIB);
        const struct ja_case *item = build(&story);
        assert_int_equal(item->boot_count, 2);
        assert_string_equal(item->boots[0].ended_by, "panic");
        assert_int_equal(item->boots[0].ended_event == JA_NONE, windowed);
        assert_silent(item, "no_panic_record", NULL);
        end(&story);
    }
}

/* The counter of a later moment counts a kill that a log from before the window tells. */
static void a_kill_before_the_window(void **state)
{
    (void)state;
    for (int logged = 0; logged < 2; logged++) {
        struct story story;
        begin(&story);
        story.said.since_ns = minute_ns(90);
        table(&story, "kern.log", JA_KIND_OOM_LOG, 60);
        row(&story, "web", 7, 10 * JA_MIB);
        if (logged)
            ja_add_event(story.open, JA_EVENT_OOM_KILL, story.record,
                         story.open->records[story.record].stamp, story.place);
        table(&story, "vmstat", JA_KIND_PROC_VMSTAT, 100);
        ja_add_fact(story.open, story.record, JA_FACT_OOM_KILLS, 3, NULL, story.place);
        const struct ja_case *item = build(&story);
        if (logged)
            assert_silent(item, "kills_counted", NULL);
        else
            assert_number(finds(item, "kills_counted", NULL, JA_CONFIRMED), "kills", 3);
        end(&story);
    }
}

/* A counter that was read before the window says nothing of it. */
static void a_counter_before_the_window(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    story.said.since_ns = minute_ns(90);
    table(&story, "vmstat", JA_KIND_PROC_VMSTAT, 60);
    ja_add_fact(story.open, story.record, JA_FACT_OOM_KILLS, 3, NULL, story.place);
    table(&story, "later", JA_KIND_PROC_VMSTAT, 100);
    row(&story, "web", 7, 10 * JA_MIB);
    assert_silent(build(&story), "kills_counted", NULL);
    end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readings_of_the_window),
        cmocka_unit_test(processes_outside_of_the_window),
        cmocka_unit_test(undated_readings_stay),
        cmocka_unit_test(states_and_kills_of_the_window),
        cmocka_unit_test(a_kill_before_the_window),
        cmocka_unit_test(a_counter_before_the_window),
        cmocka_unit_test(a_panic_before_the_window),
    };
    ja_parsers_prepare();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
