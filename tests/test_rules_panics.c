/* SPDX-License-Identifier: MIT
 *
 * Rules about panics on constructed facts: what each word of the record allows to be said, and what
 * it does not. Whole panic reports are judged in test_panic_rules.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/story.h"

#define MIB ((double)JA_MIB)

/* A panic at a minute, with its text; facts follow. */
static void panics(struct story *story, const char *path, double minute, const char *text)
{
    table(story, path, JA_KIND_PANIC, minute);
    struct ja_event_seen *event =
        ja_add_event(story->open, JA_EVENT_PANIC, story->record,
                     story->open->records[story->record].stamp, story->place);
    event->detail = text;
    fact(story, JA_FACT_PANIC_STRING, JA_UNKNOWN, text);
}

static void compressor(struct story *story, int pages, const char *pages_state, int segments,
                       const char *segments_state, const char *swap)
{
    fact(story, JA_FACT_COMPRESSOR_PAGES_PERCENT, pages, NULL);
    fact(story, JA_FACT_COMPRESSOR_PAGES_STATE, JA_UNKNOWN, pages_state);
    fact(story, JA_FACT_COMPRESSOR_SEGMENTS_PERCENT, segments, NULL);
    fact(story, JA_FACT_COMPRESSOR_SEGMENTS_STATE, JA_UNKNOWN, segments_state);
    fact(story, JA_FACT_SWAP_SPACE_STATE, JA_UNKNOWN, swap);
}

/* ---- the compressor -------------------------------------------------------------------------- */

/* A watchdog panic with these words about the compressor. */
static const struct ja_finding *judged(struct story *story, int pages, const char *pages_state,
                                       int segments, const char *segments_state, const char *swap,
                                       enum ja_grade grade)
{
    begin(story);
    panics(story, "p.panic", 60, "watchdog timeout: no checkins from watchdogd in 91 seconds");
    fact(story, JA_FACT_WATCHDOG_KIND, JA_UNKNOWN, "kernel");
    fact(story, JA_FACT_WATCHDOG_SILENT_S, 91, NULL);
    if (pages_state)
        compressor(story, pages, pages_state, segments, segments_state, swap);
    return finds(build(story), "compressor_exhausted", NULL, grade);
}

static void each_word_of_the_compressor_line(void **state)
{
    (void)state;
    struct story story;
    const struct ja_finding *f = judged(&story, 99, "BAD", 100, "BAD", "OK", JA_CONSISTENT);
    assert_number(f, "pages_percent", 99);
    assert_number(f, "segments_percent", 100);
    assert_says(story.item, f, "over 98 % of its pages and its segments limit");
    assert_int_equal(f->severity, JA_CRITICAL);
    end(&story);
    f = judged(&story, 99, "BAD", 40, "OK", "LOW", JA_CONSISTENT);
    assert_says(story.item, f, "over 98 % of its pages limit");
    assert_says(story.item, f, "besides, swap could not be extended (LOW)");
    end(&story);
    f = judged(&story, 30, "OK", 40, "OK", "LOW", JA_CONSISTENT);
    assert_says(story.item, f, "exhausted swap: it could not be extended");
    assert_int_equal(f->severity, JA_SERIOUS);
    end(&story);
    f = judged(&story, 30, "OK", 97, "OK", "OK", JA_CONSISTENT);
    assert_says(story.item, f, "near its limit, not over it");
    end(&story);
    f = judged(&story, 30, "OK", 40, "OK", "OK", JA_NOT_SHOWN);
    assert_says(story.item, f, "no exhaustion was recorded");
    end(&story);
    f = judged(&story, 0, NULL, 0, NULL, NULL, JA_NOT_SHOWN);
    assert_says(story.item, f, "there is no compressor data in this report");
    assert_true(isnan(number_of(f, "pages_percent")));
    end(&story);
}

/* Another panic with all limits OK is no question of the compressor. */
static void a_panic_that_asks_nothing(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    panics(&story, "p.panic", 60, "some driver fault");
    compressor(&story, 97, "OK", 97, "OK", "OK");
    assert_silent(build(&story), "compressor_exhausted", NULL);
    end(&story);
}

/* A kill for lack of compressor space ten minutes before agrees; one twenty minutes before, and
 * one for its own limit, do not count. */
static void kills_shortly_before(void **state)
{
    (void)state;
    static const struct {
        double minute;
        const char *reason;
        bool agrees;
    } before[] = {{50, "vm-compressor-space-shortage", true},
                  {50, "low-swap", true},
                  {40, "vm-compressor-space-shortage", false},
                  {50, "per-process-limit", false},
                  {61, "vm-compressor-space-shortage", false}};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        struct story story;
        begin(&story);
        table(&story, "a.ips", JA_KIND_JETSAM, before[i].minute);
        row(&story, "tab", 7, 40 * JA_MIB);
        killed(&story, JA_EVENT_JETSAM_KILL, before[i].reason, 40 * JA_MIB, 1);
        panics(&story, "p.panic", 60, "watchdog timeout");
        fact(&story, JA_FACT_WATCHDOG_KIND, JA_UNKNOWN, "kernel");
        compressor(&story, 30, "OK", 100, "BAD", "OK");
        const struct ja_case *item = build(&story);
        const struct ja_finding *f = finds(item, "compressor_exhausted", NULL, JA_CONSISTENT);
        bool said = strstr(f->why, "in the quarter hour before agrees with it") != NULL;
        assert_int_equal(said, before[i].agrees);
        end(&story);
    }
}

/* Free pages under a thousandth of RAM, pages wanted, a process above 60 % of RAM. */
static void soft_signs_are_no_exhaustion(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    story.said.ram_bytes = 1000 * JA_MIB;
    panics(&story, "p.panic", 60, "watchdog timeout");
    fact(&story, JA_FACT_WATCHDOG_KIND, JA_UNKNOWN, "kernel");
    fact(&story, JA_FACT_PAGES_WANTED, 12, NULL);
    figure(&story, JA_FIGURE_FREE, 900000);
    row(&story, "web", 7, 601 * JA_MIB);
    compressor(&story, 30, "OK", 40, "OK", "OK");
    const struct ja_case *item = build(&story);
    const struct ja_finding *f = finds(item, "compressor_exhausted", NULL, JA_NOT_SHOWN);
    assert_says(item, f,
                "soft signs only: under 0.1 % of memory free, 12 pages wanted, one process above "
                "60 % of memory (possible, not shown)");
    end(&story);
}

/* A thread that waits for a lock is a cause of its own. */
static void a_lock_is_another_cause(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    panics(&story, "p.panic", 60, "watchdog timeout");
    fact(&story, JA_FACT_WATCHDOG_KIND, JA_UNKNOWN, "kernel");
    compressor(&story, 30, "OK", 40, "OK", "OK");
    row(&story, "fseventsd", 8, 10 * JA_MIB);
    row(&story, "watchdogd", 7, 5 * JA_MIB);
    fact(&story, JA_FACT_LOCK_WAIT, 8, "lock")->subject = 1;
    const struct ja_case *item = build(&story);
    assert_says(item, finds(item, "compressor_exhausted", NULL, JA_NOT_SHOWN),
                "a thread of watchdogd that waits for a lock of another thread of fseventsd");
    end(&story);
}

/* ---- who ended, and for whose limit ---------------------------------------------------------- */

static void ended(struct story *story, int64_t space, int64_t code)
{
    begin(story);
    panics(story, "p.panic", 60, "initproc exited");
    fact(story, JA_FACT_EXIT_NAMESPACE, space, "launchd");
    if (code != JA_UNKNOWN)
        fact(story, JA_FACT_EXIT_CODE, code, NULL);
    row(story, "launchd", 1, 300 * JA_MIB);
}

static void a_critical_process_that_jetsam_killed(void **state)
{
    (void)state;
    static const struct {
        int64_t code;
        const char *words;
    } reasons[] = {
        {4, "launchd for vm-pageshortage (namespace 1, subcode 4)"},
        {12, "launchd for vm-compressor-space-shortage (namespace 1, subcode 12)"},
        {99, "a reason with no name here (namespace 1, subcode 99)"},
        {JA_UNKNOWN, "a reason that is cut off (namespace 1)"},
    };
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        struct story story;
        ended(&story, 1, reasons[i].code);
        const struct ja_case *item = build(&story);
        const struct ja_finding *f = finds(item, "critical_process_killed", NULL, JA_CONFIRMED);
        assert_says(item, f, reasons[i].words);
        assert_int_equal(f->severity, JA_CRITICAL);
        assert_silent(item, "per_process_limit", NULL);
        end(&story);
    }
}

/* Subcode 7 is the process's own limit: the machine may have had memory to spare. */
static void a_critical_process_at_its_own_limit(void **state)
{
    (void)state;
    struct story story;
    ended(&story, 1, 7);
    const struct ja_case *item = build(&story);
    const struct ja_finding *f = finds(item, "per_process_limit", "launchd", JA_CONFIRMED);
    assert_number(f, "bytes", 300 * MIB);
    assert_true(isnan(number_of(f, "limit_bytes"))); /* its size is no limit */
    assert_silent(item, "critical_process_killed", NULL);
    end(&story);
}

/* Namespace 2 is a signal. */
static void a_critical_process_that_a_signal_ended(void **state)
{
    (void)state;
    struct story story;
    ended(&story, 2, 7);
    const struct ja_case *item = build(&story);
    assert_silent(item, "critical_process_killed", NULL);
    assert_silent(item, "per_process_limit", NULL);
    end(&story);
}

/* ---- what was exhausted, what else it was ---------------------------------------------------- */

static void a_zone_and_its_elements(void **state)
{
    (void)state;
    static const struct {
        const char *zone;
        double elements_bytes; /* NaN: the zone's name tells no size */
    } zones[] = {{"data.kalloc.1024", 3000.0 * 1024}, {"ipc ports", NAN}, {"kalloc.x", NAN}};
    for (size_t i = 0; i < sizeof zones / sizeof *zones; i++) {
        struct story story;
        begin(&story);
        panics(&story, "p.panic", 60, "zone_map_exhausted");
        fact(&story, JA_FACT_EXHAUSTED, JA_UNKNOWN, "the zone map");
        fact(&story, JA_FACT_ZONE_NAME, JA_UNKNOWN, zones[i].zone);
        fact(&story, JA_FACT_ZONE_BYTES, 3 * JA_MIB, "3M");
        fact(&story, JA_FACT_ZONE_ELEMENTS, 3000, NULL);
        const struct ja_case *item = build(&story);
        const struct ja_finding *f = finds(item, "kernel_zone_exhausted", NULL, JA_CONFIRMED);
        assert_number(f, "zone_bytes", 3 * MIB);
        assert_number(f, "elements", 3000);
        if (isnan(zones[i].elements_bytes))
            assert_true(isnan(number_of(f, "elements_bytes")));
        else
            assert_number(f, "elements_bytes", zones[i].elements_bytes);
        assert_silent(item, "no_victim_left", NULL);
        end(&story);
    }
}

static void nobody_left_to_kill(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    panics(&story, "p.panic", 60, "no victim");
    fact(&story, JA_FACT_EXHAUSTED, JA_UNKNOWN, "memory");
    fact(&story, JA_FACT_PANIC_CLASS, JA_UNKNOWN, "no_victim");
    const struct ja_case *item = build(&story);
    finds(item, "no_victim_left", NULL, JA_CONFIRMED);
    assert_silent(item, "kernel_zone_exhausted", NULL);
    end(&story);
}

/* The text names a fault. Beside OK, OK, OK memory is contradicted; beside BAD or nothing it is
 * not spoken of. */
static void another_cause_and_the_compressor(void **state)
{
    (void)state;
    for (int ok = 0; ok < 3; ok++) {
        struct story story;
        begin(&story);
        panics(&story, "p.panic", 60, "SError");
        fact(&story, JA_FACT_OTHER_CAUSE, JA_UNKNOWN, "a fault of the memory controller");
        if (ok == 1)
            compressor(&story, 30, "OK", 40, "OK", "OK");
        if (ok == 2)
            compressor(&story, 30, "OK", 100, "BAD", "OK");
        const struct ja_case *item = build(&story);
        const struct ja_finding *f =
            finds(item, "not_memory", NULL, ok == 1 ? JA_CONTRADICTED : JA_CONFIRMED);
        if (ok == 2)
            assert_says(item, f, "the cause stays the fault that is named");
        end(&story);
    }
}

/* vnode-limit counts files, vm-pageshortage pages. */
static void kills_for_open_files(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    table(&story, "a.ips", JA_KIND_JETSAM, 0);
    for (int i = 0; i < 3; i++) {
        row(&story, "tab", 7 + i, 40 * JA_MIB);
        killed(&story, JA_EVENT_JETSAM_KILL, i ? "vnode-limit" : "vm-pageshortage", 40 * JA_MIB,
               i + 1);
    }
    assert_number(finds(build(&story), "not_memory", NULL, JA_CONFIRMED), "kills", 2);
    end(&story);
}

/* 20 check-ins of 10 s and 91 s of silence make 291 s: as long as it ran, or not. */
static void checkins_against_the_uptime(void **state)
{
    (void)state;
    for (int agrees = 0; agrees < 2; agrees++) {
        struct story story;
        begin(&story);
        panics(&story, "p.panic", 60, "watchdog timeout");
        fact(&story, JA_FACT_WATCHDOG_KIND, JA_UNKNOWN, "kernel");
        fact(&story, JA_FACT_WATCHDOG_WHO, JA_UNKNOWN, "watchdogd");
        fact(&story, JA_FACT_WATCHDOG_SILENT_S, 91, NULL);
        fact(&story, JA_FACT_WATCHDOG_CHECKINS, 20, NULL);
        fact(&story, JA_FACT_UPTIME_S, agrees ? 300 : 3000, NULL);
        const struct ja_case *item = build(&story);
        const struct ja_finding *f = finds(item, "watchdog", NULL, JA_CONFIRMED);
        assert_number(f, "silent_s", 91);
        assert_number(f, "checkins", 20);
        assert_says(item, f,
                    agrees ? "make 291 s, which agrees with the 300 s since the boot"
                           : "make 291 s, which differs from the 3000 s since the boot");
        end(&story);
    }
}

/* Written 121 s after the panic, or 120. */
static void reports_that_were_written_later(void **state)
{
    (void)state;
    for (int64_t lag = 120; lag < 122; lag++) {
        struct story story;
        begin(&story);
        panics(&story, "p.panic", 60, "watchdog timeout");
        fact(&story, JA_FACT_REPORT_LAG_S, lag, NULL);
        const struct ja_case *item = build(&story);
        if (lag > 120)
            assert_number(finds(item, "report_written_later", NULL, JA_CONFIRMED), "lag_s", 121);
        else
            assert_silent(item, "report_written_later", NULL);
        end(&story);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_word_of_the_compressor_line),
        cmocka_unit_test(a_panic_that_asks_nothing),
        cmocka_unit_test(kills_shortly_before),
        cmocka_unit_test(soft_signs_are_no_exhaustion),
        cmocka_unit_test(a_lock_is_another_cause),
        cmocka_unit_test(a_critical_process_that_jetsam_killed),
        cmocka_unit_test(a_critical_process_at_its_own_limit),
        cmocka_unit_test(a_critical_process_that_a_signal_ended),
        cmocka_unit_test(a_zone_and_its_elements),
        cmocka_unit_test(nobody_left_to_kill),
        cmocka_unit_test(another_cause_and_the_compressor),
        cmocka_unit_test(kills_for_open_files),
        cmocka_unit_test(checkins_against_the_uptime),
        cmocka_unit_test(reports_that_were_written_later),
    };
    ja_parsers_prepare();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
