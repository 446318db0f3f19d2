/* SPDX-License-Identifier: MIT
 *
 * Rules about kills: who, why, was it the largest or the growing one, was it its own limit. Where
 * each speaks, with the number worked out by hand, and a near miss where it must not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/story.h"

#define MIB ((double)JA_MIB)

/* ---- kill_explained -------------------------------------------------------------------------- */

/* Two victims of 40 and 20 MiB beside a large one that lives. */
static void two_kills_of_one_report(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    table(&story, "a.ips", JA_KIND_JETSAM, 0);
    row(&story, "large", 5, 900 * JA_MIB);
    row(&story, "tab", 7, 40 * JA_MIB);
    killed(&story, JA_EVENT_JETSAM_KILL, "vm-pageshortage", 40 * JA_MIB, 1);
    row(&story, "mail", 8, 20 * JA_MIB);
    killed(&story, JA_EVENT_JETSAM_KILL, "highwater", 20 * JA_MIB, 2);
    const struct ja_case *item = build(&story);
    const struct ja_finding *f = finds(item, "kill_explained", NULL, JA_CONFIRMED);
    assert_number(f, "kills", 2);
    assert_number(f, "bytes", 60 * MIB);
    assert_says(item, f, "2 kills, 60.00 MiB together: 1 for vm-pageshortage, 1 for highwater");
    assert_says(item, f, "in this order: tab [7], mail [8]");
    assert_int_equal(f->severity, JA_REMARK);
    assert_int_equal(item->states[0].books.killed_left_out, 2);
    end(&story);
}

static void a_report_without_kills(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    table(&story, "a.ips", JA_KIND_JETSAM, 0);
    row(&story, "large", 5, 900 * JA_MIB);
    row(&story, "tab", 7, 40 * JA_MIB);
    const struct ja_case *item = build(&story);
    assert_silent(item, "kill_explained", NULL);
    assert_silent(item, "victim_largest_grower", NULL);
    end(&story);
}

/* Thirteen reasons: twelve are told by name. */
static void kills_for_many_reasons(void **state)
{
    (void)state;
    static const char *const reasons[] = {"a1", "a2", "a3", "a4", "a5", "a6", "a7",
                                          "a8", "a9", "b1", "b2", "b3", "b4"};
    struct story story;
    begin(&story);
    table(&story, "a.ips", JA_KIND_JETSAM, 0);
    for (int i = 0; i < 13; i++) {
        row(&story, "tab", 7 + i, 40 * JA_MIB);
        killed(&story, JA_EVENT_JETSAM_KILL, reasons[i], JA_UNKNOWN, 0);
    }
    const struct ja_case *item = build(&story);
    const struct ja_finding *f = finds(item, "kill_explained", NULL, JA_CONFIRMED);
    assert_number(f, "kills", 13);
    assert_true(isnan(number_of(f, "bytes")));
    assert_says(item, f, "1 for b3, 1 for other reasons (tab [7], tab [8], tab [9] ... tab [19])");
    end(&story);
}

/* The OOM killer took the largest of its table, or a small one; only the first is the machine's
 * largest loss. */
static void an_oom_kill_of_the_largest(void **state)
{
    (void)state;
    for (int largest = 0; largest < 2; largest++) {
        struct story story;
        begin(&story);
        story.metric = "resident";
        table(&story, "kern.log", JA_KIND_OOM_LOG, 0);
        row(&story, "db", 5, largest ? 300 * JA_MIB : 900 * JA_MIB);
        struct ja_subject *web = row(&story, "web", 7, 400 * JA_MIB);
        killed(&story, JA_EVENT_OOM_KILL, "out of memory", 400 * JA_MIB, 0);
        web->killed = false; /* the table of an OOM kill still holds its victim */
        const struct ja_case *item = build(&story);
        const struct ja_finding *f = finds(item, "kill_explained", NULL, JA_CONFIRMED);
        assert_int_equal(f->severity, largest ? JA_CRITICAL : JA_REMARK);
        f = finds(item, "victim_largest_grower", NULL, JA_CONFIRMED);
        assert_number(f, "largest_killed", largest);
        assert_number(f, "killed_bytes", 400 * MIB);
        assert_says(item, f, largest ? "web was the largest" : "db was the largest");
        end(&story);
    }
}

/* Somebody called the killer by hand: the largest is gone, and nothing was short. */
static void an_oom_kill_by_hand(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    story.metric = "resident";
    table(&story, "kern.log", JA_KIND_OOM_LOG, 0);
    fact(&story, JA_FACT_BY_HAND, 1, NULL);
    row(&story, "db", 5, 300 * JA_MIB);
    row(&story, "web", 7, 400 * JA_MIB);
    killed(&story, JA_EVENT_OOM_KILL, "sysrq", 400 * JA_MIB, 0);
    const struct ja_finding *f = finds(build(&story), "kill_explained", NULL, JA_CONFIRMED);
    assert_int_equal(f->severity, JA_REMARK);
    end(&story);
}

/* ---- victim, largest, grower ----------------------------------------------------------------- */

/* The report names "large"; the tab is killed while "climber" grows by 50 MiB an hour. */
static void the_victim_is_neither(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    READS_ALL(&story, "climber", 6, 60, JA_MIB, 100, 150, 200, 250, 300, 350);
    table(&story, "a.ips", JA_KIND_JETSAM, 360);
    fact(&story, JA_FACT_LARGEST_PROCESS, JA_UNKNOWN, "large");
    row(&story, "large", 5, 900 * JA_MIB);
    row(&story, "climber", 6, 400 * JA_MIB);
    row(&story, "tab", 7, 40 * JA_MIB);
    killed(&story, JA_EVENT_JETSAM_KILL, "vm-pageshortage", 40 * JA_MIB, 1);
    const struct ja_case *item = build(&story);
    const struct ja_finding *f = finds(item, "victim_largest_grower", "large", JA_CONFIRMED);
    assert_number(f, "largest_killed", 0);
    assert_number(f, "killed_bytes", 40 * MIB);
    assert_says(item, f, "large [5] as the largest process, which was not killed");
    assert_says(item, f, "growing by verdict: climber [6]");
    end(&story);
}

/* The same report, its table cut: the largest may be among the rows that are missing. */
static void the_largest_of_a_cut_table(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    table(&story, "a.ips", JA_KIND_JETSAM, 0)->complete = false;
    fact(&story, JA_FACT_TABLE_CUT, 2, "the file ends in row 3");
    row(&story, "large", 5, 900 * JA_MIB);
    row(&story, "tab", 7, 40 * JA_MIB);
    killed(&story, JA_EVENT_JETSAM_KILL, "vm-pageshortage", 40 * JA_MIB, 1);
    const struct ja_case *item = build(&story);
    assert_silent(item, "victim_largest_grower", NULL);
    finds(item, "kill_explained", NULL, JA_CONFIRMED);
    end(&story);
}

/* ---- limits of one process ------------------------------------------------------------------- */

static void kills_at_their_own_limit(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    for (int i = 0; i < 2; i++) {
        table(&story, i ? "b.ips" : "a.ips", JA_KIND_JETSAM, 60 * i);
        row(&story, "large", 5, 900 * JA_MIB);
        row(&story, "tab", 7 + i, 300 * JA_MIB);
        killed(&story, JA_EVENT_JETSAM_KILL, "per-process-limit", 300 * JA_MIB, 1)->limit_bytes =
            300 * JA_MIB;
    }
    const struct ja_case *item = build(&story);
    const struct ja_finding *f = finds(item, "per_process_limit", "tab", JA_CONFIRMED);
    assert_number(f, "limit_bytes", 300 * MIB);
    assert_number(f, "kills", 2);
    assert_int_equal(f->severity, JA_REMARK);
    assert_int_equal(count_findings(item, "per_process_limit"), 1);
    end(&story);
}

/* At the same size, for another reason: no limit of its own. */
static void kills_for_the_system(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    table(&story, "a.ips", JA_KIND_JETSAM, 0);
    row(&story, "large", 5, 900 * JA_MIB);
    row(&story, "tab", 7, 300 * JA_MIB);
    killed(&story, JA_EVENT_JETSAM_KILL, "vm-pageshortage", 300 * JA_MIB, 1);
    assert_silent(build(&story), "per_process_limit", NULL);
    end(&story);
}

/* Killed at its limit as the largest of its report: what a person works with is gone. */
static void the_largest_at_its_own_limit(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    table(&story, "a.ips", JA_KIND_JETSAM, 0);
    row(&story, "small", 5, 200 * JA_MIB);
    row(&story, "editor", 7, 300 * JA_MIB);
    killed(&story, JA_EVENT_JETSAM_KILL, "per-process-limit", 300 * JA_MIB, 1)->limit_bytes =
        300 * JA_MIB;
    const struct ja_finding *f = finds(build(&story), "per_process_limit", "editor", JA_CONFIRMED);
    assert_int_equal(f->severity, JA_CRITICAL);
    end(&story);
}

static void passes_limit(struct story *story, double minute, const char *name, int64_t limit)
{
    line(
        story,
        "{\"type\":\"event\",%s,\"kind\":\"limit\",\"name\":\"%s\",\"pid\":7,\"limit_bytes\":%lld}",
        whence(story, minute), name, (long long)limit);
}

/* Twice over 512 MiB, once over 256: two limits, and no kill. */
static void limits_that_were_passed(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    passes_limit(&story, 0, "renderd", 512 * JA_MIB);
    passes_limit(&story, 10, "renderd", 512 * JA_MIB);
    passes_limit(&story, 20, "renderd", 256 * JA_MIB);
    const struct ja_case *item = build(&story);
    const struct ja_finding *f = finds(item, "limit_passed", "renderd", JA_CONFIRMED);
    assert_number(f, "limit_bytes", 512 * MIB);
    assert_number(f, "times", 2);
    assert_int_equal(count_findings(item, "limit_passed"), 2);
    assert_silent(item, "per_process_limit", NULL);
    assert_silent(item, "kill_explained", NULL);
    end(&story);
}

/* A limit that is only printed was not passed. */
static void a_limit_that_stands_there(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    reads(&story, "renderd", 7, 0, 500 * JA_MIB);
    line(&story,
         "{\"type\":\"fact\",%s,\"about\":\"process\",\"name\":\"renderd\",\"pid\":7,\"key\":"
         "\"limit\",\"value\":536870912,\"text\":\"memory high water mark\"}",
         whence(&story, 0));
    assert_silent(build(&story), "limit_passed", NULL);
    end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_kills_of_one_report),
        cmocka_unit_test(a_report_without_kills),
        cmocka_unit_test(kills_for_many_reasons),
        cmocka_unit_test(an_oom_kill_of_the_largest),
        cmocka_unit_test(an_oom_kill_by_hand),
        cmocka_unit_test(the_victim_is_neither),
        cmocka_unit_test(the_largest_of_a_cut_table),
        cmocka_unit_test(kills_at_their_own_limit),
        cmocka_unit_test(kills_for_the_system),
        cmocka_unit_test(the_largest_at_its_own_limit),
        cmocka_unit_test(limits_that_were_passed),
        cmocka_unit_test(a_limit_that_stands_there),
    };
    ja_parsers_prepare();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
