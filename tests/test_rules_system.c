/* SPDX-License-Identifier: MIT
 *
 * Rules about figures that mislead: of the machine, of two measures, of two sources. Where each
 * speaks, with the number worked out by hand, and a near miss where it must not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/story.h"

#define MIB ((double)JA_MIB)

/* ---- memory outside the rows ----------------------------------------------------------------- */

/* Rows of 500 MiB in all; in use are 300 anonymous, so many wired, 100 in the compressor. */
static const struct ja_case *wired(struct story *story, int mib, bool whole)
{
    begin(story);
    story->said.ram_bytes = 2000 * JA_MIB;
    table(story, "a.ips", JA_KIND_JETSAM, 0);
    row(story, whole ? "kernel_task" : "db", whole ? 0 : 9, 100 * JA_MIB);
    row(story, "web", 7, 400 * JA_MIB);
    figure(story, JA_FIGURE_ANONYMOUS, 300 * JA_MIB);
    figure(story, JA_FIGURE_WIRED, mib * JA_MIB);
    figure(story, JA_FIGURE_COMPRESSOR, 100 * JA_MIB);
    return build(story);
}

/* 1200 in use, 500 in rows: 700 MiB of 2000 are held elsewhere, more than a third. */
static void memory_that_no_row_holds(void **state)
{
    (void)state;
    struct story story;
    const struct ja_case *item = wired(&story, 800, true);
    const struct ja_finding *f = finds(item, "outside_processes", NULL, JA_CONFIRMED);
    assert_number(f, "outside_bytes", 700 * MIB);
    assert_number(f, "used_bytes", 1200 * MIB);
    assert_number(f, "books_bytes", 500 * MIB);
    assert_int_equal(f->severity, JA_SERIOUS);
    assert_says(item, f, "wired by the kernel 800.0 MiB");
    end(&story);
}

/* 199 MiB are less than a tenth, which is the kernel's usual part; a part of a table has no rest.
 */
static void memory_that_is_usual_or_unknown(void **state)
{
    (void)state;
    struct story story;
    assert_silent(wired(&story, 299, true), "outside_processes", NULL);
    end(&story);
    assert_silent(wired(&story, 800, false), "outside_processes", NULL);
    end(&story);
}

/* A control group of 1000 MiB: 500 anonymous, 200 of files, 300 of the kernel. */
static void memory_of_a_group(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    line(&story,
         "{\"type\":\"state\",%s,\"of\":\"/system.slice/web\",\"figures\":{\"cgroup_usage\":%lld,"
         "\"cgroup_anon\":%lld,\"cgroup_file\":%lld,\"cgroup_kernel\":%lld}}",
         whence(&story, 0), 1000LL * JA_MIB, 500LL * JA_MIB, 200LL * JA_MIB, 290LL * JA_MIB);
    const struct ja_case *item = build(&story);
    const struct ja_finding *f = finds(item, "outside_processes", NULL, JA_CONFIRMED);
    assert_number(f, "outside_bytes", 300 * MIB);
    assert_says(item, f, "kernel memory charged to the group 290.0 MiB");
    end(&story);
}

/* ---- values that cannot be ------------------------------------------------------------------- */

static void resident_above_ram(void **state)
{
    (void)state;
    static const char *const metrics[] = {"resident", "phys_footprint"};
    for (size_t i = 0; i < 2; i++) {
        struct story story;
        begin(&story);
        story.said.ram_bytes = 1000 * JA_MIB;
        story.metric = metrics[i];
        reads(&story, "web", 7, 0, 1001 * JA_MIB);
        const struct ja_case *item = build(&story);
        if (i == 0) {
            const struct ja_finding *f = finds(item, "value_above_ram", "web", JA_CONTRADICTED);
            assert_number(f, "value_bytes", 1001 * MIB);
            assert_number(f, "ram_bytes", 1000 * MIB);
        } else { /* a footprint may be larger than RAM */
            assert_silent(item, "value_above_ram", NULL);
        }
        end(&story);
    }
}

/* A whole MiB more or less may hide below the digit. */
static void resident_that_may_fit_ram(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    story.said.ram_bytes = 1000 * JA_MIB;
    story.metric = "resident";
    story.rounding = "unknown";
    story.step = JA_MIB;
    reads(&story, "web", 7, 0, 1001 * JA_MIB);
    assert_silent(build(&story), "value_above_ram", NULL);
    end(&story);
}

static void identities_that_break(void **state)
{
    (void)state;
    static const struct {
        const char *figures, *name;
    } broken[] = {
        {"\"compressor\":9000000000", "compressor_over_ram"},
        {"\"managed\":9000000000", "parts_over_ram"},
        {"\"swap_used\":2000,\"swap_total\":1999", "swap_over_total"},
        {"\"active\":500,\"inactive\":400,\"speculative\":100,\"anonymous\":700,\"file_backed\":"
         "200",
         "pages_identity"},
    };
    static const char *const good[] = {
        "\"compressor\":8000000000",
        "\"managed\":8589934592",
        "\"swap_used\":1999,\"swap_total\":1999",
        ("\"active\":5000,\"inactive\":4000,\"speculative\":1000,\"anonymous\":7000,"
         "\"file_backed\":2810"),
    };
    for (size_t i = 0; i < 4; i++) {
        struct story story;
        begin(&story);
        story.said.ram_bytes = 8 * JA_GIB;
        stands(&story, 0, broken[i].figures);
        const struct ja_case *item = build(&story);
        assert_says(item, finds(item, "impossible_value", NULL, JA_CONTRADICTED), broken[i].name);
        end(&story);
        begin(&story);
        story.said.ram_bytes = 8 * JA_GIB;
        stands(&story, 0, good[i]);
        assert_silent(build(&story), "impossible_value", NULL);
        end(&story);
    }
}

/* 100 s old on a machine of 8 cores: at most 800 s of CPU, and a second for the rounding. */
static void more_cpu_time_than_there_was(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        struct story story;
        begin(&story);
        table(&story, "a.ips", JA_KIND_JETSAM, 0);
        story.open->systems[0].tick_hz = 24000000;
        story.open->systems[0].cores = 8;
        struct ja_subject *web = row(&story, "web", 7, 100 * JA_MIB);
        web->age_ticks = INT64_C(100) * 24000000;
        web->cpu_ns = (801 + more) * JA_NS_PER_S;
        const struct ja_case *item = build(&story);
        if (more)
            assert_says(item, finds(item, "impossible_value", NULL, JA_CONTRADICTED),
                        "cpu_over_age");
        else
            assert_silent(item, "impossible_value", NULL);
        end(&story);
    }
}

/* ---- two measures, two sources --------------------------------------------------------------- */

/* RSS and footprint of one moment; apart minutes. */
static const struct ja_case *two_measures(struct story *story, int rss, int footprint, double apart)
{
    begin(story);
    story->metric = "resident";
    reads(story, "web", 7, 0, rss * JA_MIB);
    story->metric = "phys_footprint";
    reads(story, "web", 7, apart, footprint * JA_MIB);
    return build(story);
}

static void a_footprint_that_rss_hides(void **state)
{
    (void)state;
    struct story story;
    const struct ja_case *item = two_measures(&story, 100, 380, 0.5);
    const struct ja_finding *f = finds(item, "rss_hides_footprint", "web", JA_CONFIRMED);
    assert_number(f, "rss_bytes", 100 * MIB);
    assert_number(f, "footprint_bytes", 380 * MIB);
    assert_number(f, "ratio", 3.8);
    assert_says(item, f, "RSS leaves out pages that were compressed or swapped");
    end(&story);
    item = two_measures(&story, 380, 100, 0.5);
    assert_says(item, finds(item, "rss_hides_footprint", "web", JA_CONFIRMED),
                "RSS still counts pages that the process has given back");
    end(&story);
}

/* Not half as much again, and not of one moment. */
static void a_footprint_near_its_rss(void **state)
{
    (void)state;
    struct story story;
    assert_silent(two_measures(&story, 100, 149, 0.5), "rss_hides_footprint", NULL);
    end(&story);
    assert_silent(two_measures(&story, 100, 380, 2), "rss_hides_footprint", NULL);
    end(&story);
}

/* "57.9 GB" of a report and "58 GB" of footprint, half a minute apart. */
static const struct ja_case *two_tools(struct story *story, int64_t first, int64_t first_step,
                                       int64_t second, int64_t second_step)
{
    begin(story);
    story->rounding = "nearest";
    story->via = "jetsam";
    story->step = first_step;
    reads(story, "web", 7, 0, first);
    end_file(story, "a.ndjson");
    story->via = "footprint";
    story->step = second_step;
    reads(story, "web", 7, 0.5, second);
    return build(story);
}

static void two_digits_of_one_figure(void **state)
{
    (void)state;
    struct story story;
    const int64_t tenth = JA_GIB / 10;
    const struct ja_case *item = two_tools(&story, 579 * tenth, tenth, 58 * JA_GIB, JA_GIB);
    const struct ja_finding *f = finds(item, "sources_agree", "web", JA_CONFIRMED);
    assert_number(f, "apart_s", 30);
    assert_number(f, "difference_bytes", (double)(579 * tenth - 58 * JA_GIB));
    assert_silent(item, "sources_disagree", NULL);
    assert_silent(item, "growing", NULL);
    end(&story);
}

/* 57.4 lies below anything that is printed as 58. */
static void two_figures_of_one_moment(void **state)
{
    (void)state;
    struct story story;
    const int64_t tenth = JA_GIB / 10;
    const struct ja_case *item = two_tools(&story, 574 * tenth, tenth, 58 * JA_GIB, JA_GIB);
    const struct ja_finding *f = finds(item, "sources_disagree", "web", JA_CANNOT);
    assert_number(f, "second_bytes", 58 * (double)JA_GIB);
    assert_silent(item, "sources_agree", NULL);
    assert_silent(item, "unit_suspect", NULL);
    end(&story);
}

/* 5000 MiB, and the same figure printed in MB of 10^6 and read as MiB: 5243. */
static void a_unit_that_was_mixed(void **state)
{
    (void)state;
    struct story story;
    const struct ja_case *item = two_tools(&story, 5000 * JA_MIB, JA_MIB, 5243 * JA_MIB, JA_MIB);
    const struct ja_finding *f = finds(item, "unit_suspect", "web", JA_CONSISTENT);
    assert_number(f, "first_bytes", 5000 * MIB);
    assert_number(f, "second_bytes", 5243 * MIB);
    assert_says(item, f, "MiB and MB (10^6)");
    end(&story);
    assert_silent(two_tools(&story, 5000 * JA_MIB, JA_MIB, 5300 * JA_MIB, JA_MIB), "unit_suspect",
                  NULL);
    end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_that_no_row_holds),
        cmocka_unit_test(memory_that_is_usual_or_unknown),
        cmocka_unit_test(memory_of_a_group),
        cmocka_unit_test(resident_above_ram),
        cmocka_unit_test(resident_that_may_fit_ram),
        cmocka_unit_test(identities_that_break),
        cmocka_unit_test(more_cpu_time_than_there_was),
        cmocka_unit_test(a_footprint_that_rss_hides),
        cmocka_unit_test(a_footprint_near_its_rss),
        cmocka_unit_test(two_digits_of_one_figure),
        cmocka_unit_test(two_figures_of_one_moment),
        cmocka_unit_test(a_unit_that_was_mixed),
    };
    ja_parsers_prepare();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
