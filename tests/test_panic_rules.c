/* SPDX-License-Identifier: MIT
 *
 * What the rules say of panics: the grade of each claim, and the claims that must not be made.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/rule.h"
#include "parsers/parser.h"
#include "tests/parse_fixture.h"

static int set_up(void **state)
{
    (void)state;
    ja_parsers_prepare();
    return 0;
}

static const struct ja_statements *nothing_stated(void)
{
    static struct ja_statements none;
    none = ja_statements_none();
    none.ignore_mtime = true;
    return &none;
}

static struct ja_case *judge(const char *const *paths, size_t count)
{
    struct ja_input inputs[8];
    memset(inputs, 0, sizeof inputs);
    for (size_t i = 0; i < count; i++) {
        inputs[i].evidence = parse_fixture(paths[i]);
        inputs[i].mtime_ns = inputs[i].size_bytes = JA_UNKNOWN;
        snprintf(inputs[i].sha256, sizeof inputs[i].sha256, "%064zu", i);
    }
    struct ja_case *item = ja_case_build(inputs, count, nothing_stated(), NULL);
    return item;
}

static const struct ja_finding *finding(const struct ja_case *item, const char *rule)
{
    for (size_t i = 0; i < item->finding_count; i++)
        if (strcmp(item->findings[i].rule, rule) == 0)
            return &item->findings[i];
    return NULL;
}

static int64_t number(const struct ja_finding *f, const char *name)
{
    for (size_t i = 0; i < f->number_count; i++)
        if (strcmp(f->numbers[i].name, name) == 0)
            return f->numbers[i].whole;
    return JA_UNKNOWN;
}

#define NONE (-1)

/* One panic, and the grade of each answer: NONE where the rule must be silent. */
static const struct {
    const char *path;
    int watchdog, compressor, zone, other, absent, later;
} cases[] = {
    {"panic/segments-bad-full.panic", JA_CONFIRMED, JA_CONSISTENT, NONE, NONE, NONE, NONE},
    {"panic/cut-inside-a-size.panic", JA_CONFIRMED, JA_CONSISTENT, NONE, NONE, NONE, NONE},
    {"panic/base-stackshot-incomplete.ips", JA_CONFIRMED, JA_CONSISTENT, NONE, NONE, JA_CONFIRMED,
     JA_CONFIRMED},
    {"panic/userspace-watchdog.ips", JA_CONFIRMED, JA_NOT_SHOWN, NONE, NONE, JA_CONFIRMED,
     JA_CONFIRMED},
    {"panic/cut-inside-text.ips", JA_CONFIRMED, JA_NOT_SHOWN, NONE, NONE, JA_CONFIRMED, NONE},
    {"panic/hardware-watchdog.ips", JA_CONFIRMED, JA_NOT_SHOWN, NONE, NONE, JA_CONFIRMED, NONE},
    {"panic/t2-alone.ips", JA_CONFIRMED, JA_NOT_SHOWN, NONE, NONE, JA_CONFIRMED, JA_CONFIRMED},
    {"panic/t2-and-mac.ips", NONE, NONE, NONE, JA_CONTRADICTED, JA_CONFIRMED, JA_CONFIRMED},
    {"panic/t2-pasted.txt", JA_CONFIRMED, JA_NOT_SHOWN, NONE, NONE, JA_CONFIRMED, NONE},
    {"panic/rewrapped.txt", JA_CONFIRMED, JA_CONSISTENT, NONE, NONE, JA_CONFIRMED, NONE},
    {"panic/zone-map-10.11.panic", NONE, NONE, JA_CONFIRMED, NONE, JA_CONFIRMED, NONE},
    {"panic/zone-map-pasted.txt", NONE, NONE, JA_CONFIRMED, NONE, JA_CONFIRMED, NONE},
    {"panic/zone-bitmaps.txt", NONE, NONE, JA_CONFIRMED, NONE, JA_CONFIRMED, NONE},
    {"panic/signal-is-not-jetsam.txt", NONE, NONE, NONE, JA_CONTRADICTED, JA_CONFIRMED, NONE},
    {"panic/rss-before-10.14.panic", NONE, NONE, NONE, JA_CONFIRMED, NONE, NONE},
    {"panic/unknown-reason.txt", NONE, JA_CONSISTENT, NONE, JA_CANNOT, JA_CONFIRMED, NONE},
    {"panic/written-before-it-happened.ips", JA_CONFIRMED, JA_CONSISTENT, NONE, NONE, NONE,
     JA_CANNOT},
    {"force_reset/button.ips", NONE, NONE, NONE, NONE, NONE, NONE},
};

static void check_grade(const struct ja_case *item, const char *path, const char *rule, int grade)
{
    const struct ja_finding *f = finding(item, rule);
    if ((f ? (int)f->grade : NONE) != grade)
        fail_msg("%s: %s is %s", path, rule, f ? ja_grade_word(f->grade) : "silent");
    if (f) {
        assert_true(f->cite_count > 0);
        assert_non_null(f->why);
        assert_non_null(f->would_change);
        assert_non_null(f->next_step);
    }
}

static void every_claim_has_its_grade(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ja_case *item = judge(&cases[i].path, 1);
        check_grade(item, cases[i].path, "watchdog", cases[i].watchdog);
        check_grade(item, cases[i].path, "compressor_exhausted", cases[i].compressor);
        check_grade(item, cases[i].path, "kernel_zone_exhausted", cases[i].zone);
        check_grade(item, cases[i].path, "not_memory", cases[i].other);
        check_grade(item, cases[i].path, "process_table_absent", cases[i].absent);
        check_grade(item, cases[i].path, "report_written_later", cases[i].later);
        ja_case_free(item);
    }
}

static void nobody_is_blamed_for_a_watchdog(void **state)
{
    (void)state;
    const char *path = "panic/segments-bad-full.panic";
    struct ja_case *item = judge(&path, 1);
    for (size_t i = 0; i < item->finding_count; i++) {
        const struct ja_finding *f = &item->findings[i];
        if (strcmp(f->rule, "watchdog") == 0 || strcmp(f->rule, "compressor_exhausted") == 0)
            assert_int_equal(f->process, JA_NONE);
        assert_null(strstr(f->statement, "kernel_task"));
    }
    const struct ja_finding *f = finding(item, "compressor_exhausted");
    assert_int_equal(number(f, "pages_percent"), 41);
    assert_int_equal(number(f, "segments_percent"), 100);
    assert_int_equal(number(f, "swapfiles"), 57);
    assert_int_equal(f->severity, JA_CRITICAL);
    ja_case_free(item);
}

/* 48 GiB in one row of a machine that manages 34 GiB: a footprint under the name resident. */
static void a_row_above_memory_is_not_resident(void **state)
{
    (void)state;
    const char *path = "panic/segments-bad-full.panic";
    struct ja_case *item = judge(&path, 1);
    const struct ja_finding *f = finding(item, "value_above_ram");
    assert_non_null(f);
    assert_int_equal(f->grade, JA_CONTRADICTED);
    assert_int_equal(number(f, "value_bytes"), INT64_C(51539607552));
    assert_int_equal(number(f, "managed_bytes"), INT64_C(36555292672));
    ja_case_free(item);
}

static void zone_sizes_are_those_of_the_kernel(void **state)
{
    (void)state;
    const char *path = "panic/zone-map-pasted.txt";
    struct ja_case *item = judge(&path, 1);
    const struct ja_finding *f = finding(item, "kernel_zone_exhausted");
    assert_int_equal(number(f, "zone_bytes"), 7 * JA_GIB); /* cut down from 7.5 */
    assert_int_equal(number(f, "elements"), 251658240);
    assert_int_equal(number(f, "elements_bytes"), INT64_C(251658240) * 32);
    assert_int_equal(f->process, JA_NONE);
    assert_non_null(strstr(f->statement, "data.kalloc.32"));
    ja_case_free(item);
}

static void the_t2_has_a_host_of_its_own(void **state)
{
    (void)state;
    const char *path = "panic/t2-and-mac.ips";
    struct ja_case *item = judge(&path, 1);
    assert_int_equal(item->host_count, 2);
    for (size_t i = 0; i < item->state_count; i++)
        assert_string_equal(item->hosts[item->states[i].host].processor, "T2");
    size_t panics = 0;
    for (size_t i = 0; i < item->event_count; i++) {
        if (item->events[i].kind != JA_EVENT_PANIC)
            continue;
        panics++;
        assert_null(item->hosts[item->events[i].host].processor);
    }
    assert_int_equal(panics, 1);
    ja_case_free(item);
}

static void a_reset_without_a_panic_is_said(void **state)
{
    (void)state;
    static const char *const alone[] = {"reset_counter/hardware-watchdog.ips"};
    static const char *const button[] = {"force_reset/button.ips"};
    static const char *const stated[] = {"reset_counter/memory-reset.ips"};
    struct ja_case *item = judge(alone, 1);
    const struct ja_finding *f = finding(item, "no_panic_record");
    assert_non_null(f);
    assert_int_equal(f->grade, JA_NOT_SHOWN);
    assert_non_null(strstr(f->statement, "wdog"));
    assert_null(finding(item, "watchdog"));
    ja_case_free(item);
    item = judge(button, 1);
    assert_non_null(finding(item, "no_panic_record"));
    ja_case_free(item);
    item = judge(stated, 1);
    assert_null(finding(item, "no_panic_record"));
    ja_case_free(item);
}

/* Three boots: the first and the last end in panics, the last with a reset counter; how the one in
 * the middle ended is not recorded, and that is said once. */
static void one_reboot_of_three_has_no_panic(void **state)
{
    (void)state;
    static const char *const paths[] = {
        "../incidents/panic-compressor/input/JetsamEvent-2026-06-04-091000.ips",
        "panic/second-boot.panic", "panic/segments-bad-full.panic",
        "reset_counter/after-second-panic.ips"};
    struct ja_case *item = judge(paths, 4);
    size_t unknown = 0;
    for (size_t i = 0; i < item->finding_count; i++)
        unknown += strcmp(item->findings[i].rule, "no_panic_record") == 0;
    assert_int_equal(item->boot_count, 3);
    assert_string_equal(item->boots[1].ended_by, "unknown");
    assert_int_equal(unknown, 1);
    ja_case_free(item);
}

/* A Jetsam report and a crash report tell of one kill: one event, the Jetsam report's. */
static void a_kill_told_twice_is_one_kill(void **state)
{
    (void)state;
    static const char *const paths[] = {
        "../incidents/panic-compressor/input/JetsamEvent-2026-06-03-181205.ips",
        "crash/told-by-jetsam-too.ips"};
    struct ja_case *item = judge(paths, 2);
    size_t kills = 0;
    for (size_t i = 0; i < item->event_count; i++)
        kills += item->events[i].kind == JA_EVENT_JETSAM_KILL;
    assert_int_equal(kills, 2); /* fontworker and thumbnailer */
    ja_case_free(item);
    item = judge(paths + 1, 1);
    assert_int_equal(item->event_count, 1);
    assert_int_equal(item->events[0].kind, JA_EVENT_JETSAM_KILL);
    ja_case_free(item);
}

/* Kubernetes and the kernel tell of one kill: the kernel's event, with what the pod says of it.
 * Another limit, or seconds later, and neither is taken for the other. */
static void a_containers_end_is_its_kill(void **state)
{
    (void)state;
    static const char *const paths[] = {"kube_json/pod-oomkilled.json",
                                        "oom_log/memcg-of-a-pod.log"};
    struct ja_case *item = judge(paths, 2);
    assert_int_equal(item->event_count, 1);
    assert_int_equal(item->events[0].pid, 18123);
    assert_int_equal(item->events[0].limit_bytes, INT64_C(512) * JA_MIB);
    assert_non_null(strstr(item->events[0].detail,
                           "by limit and time the end of container web-0/app, exit code 137"));
    ja_case_free(item);
    for (int other = 0; other < 2; other++) {
        struct ja_input inputs[2] = {{.size_bytes = JA_UNKNOWN}, {.size_bytes = JA_UNKNOWN}};
        for (size_t i = 0; i < 2; i++) {
            inputs[i].evidence = parse_fixture(paths[i]);
            inputs[i].mtime_ns = JA_UNKNOWN;
        }
        struct ja_event_seen *end = &inputs[0].evidence->events[0];
        assert_int_equal(inputs[0].evidence->event_count, 1);
        if (other)
            end->limit_bytes += 4096;
        else
            inputs[0].evidence->stamps[end->stamp].shift_ns += 6 * JA_NS_PER_S;
        item = ja_case_build(inputs, 2, nothing_stated(), NULL);
        assert_int_equal(item->event_count, 2);
        ja_case_free(item);
    }
}

/* Two panics of two boots: two boots, no slope between their tables. */
static void two_boots_are_never_one_slope(void **state)
{
    (void)state;
    static const char *const paths[] = {"panic/second-boot.panic", "panic/segments-bad-full.panic"};
    struct ja_case *item = judge(paths, 2);
    assert_int_equal(item->host_count, 1);
    assert_int_equal(item->boot_count, 2);
    assert_string_equal(item->boots[0].ended_by, "panic");
    assert_string_equal(item->boots[1].ended_by, "panic");
    assert_null(finding(item, "growing"));
    assert_null(finding(item, "no_panic_record"));
    for (size_t i = 0; i < item->series_count; i++)
        assert_int_equal(item->series[i].point_count, 1);
    ja_case_free(item);
}

/* The counter is written the next morning and speaks of the reboot that the panic ended in. */
static void a_reset_record_joins_its_panic(void **state)
{
    (void)state;
    static const char *const paths[] = {"panic/userspace-watchdog.ips",
                                        "reset_counter/next-morning.ips"};
    struct ja_case *item = judge(paths, 2);
    assert_int_equal(item->host_count, 1);
    assert_int_equal(item->boot_count, 1);
    assert_string_equal(item->boots[0].ended_by, "panic");
    assert_int_equal(item->incident_count, 1);
    assert_null(finding(item, "no_panic_record"));
    ja_case_free(item);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_claim_has_its_grade),
        cmocka_unit_test(nobody_is_blamed_for_a_watchdog),
        cmocka_unit_test(a_row_above_memory_is_not_resident),
        cmocka_unit_test(zone_sizes_are_those_of_the_kernel),
        cmocka_unit_test(the_t2_has_a_host_of_its_own),
        cmocka_unit_test(a_reset_without_a_panic_is_said),
        cmocka_unit_test(a_reset_record_joins_its_panic),
        cmocka_unit_test(a_kill_told_twice_is_one_kill),
        cmocka_unit_test(a_containers_end_is_its_kill),
        cmocka_unit_test(one_reboot_of_three_has_no_panic),
        cmocka_unit_test(two_boots_are_never_one_slope),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
