/* SPDX-License-Identifier: MIT
 *
 * Rules about process tables and what the machine itself says: where each speaks, with the number
 * worked out by hand, and a near miss where it must not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/story.h"

#define MIB ((double)JA_MIB)

/* ---- lives and crowds ------------------------------------------------------------------------ */

static void one_name_several_lives(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    reads(&story, "web", 7, 0, 100 * JA_MIB);
    reads(&story, "web", 8, 60, 110 * JA_MIB);
    reads(&story, "web", 9, 120, 120 * JA_MIB);
    const struct ja_finding *f = finds(build(&story), "restart_split", "web", JA_CONFIRMED);
    assert_number(f, "lives", 3);
    assert_number(f, "boots", 1);
    end(&story);
}

/* A daemon that is back after each reboot was not restarted. */
static void one_life_a_boot(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    reads(&story, "web", 7, 0, 100 * JA_MIB);
    story.boot = "c";
    reads(&story, "web", 8, 600, 110 * JA_MIB);
    const struct ja_case *item = build(&story);
    assert_int_equal(item->boot_count, 2);
    assert_silent(item, "restart_split", NULL);
    end(&story);
}

/* count workers of so many MiB each beside a kernel of 50 MiB. */
static void crowd(struct story *story, double minute, int count, int mib)
{
    char path[32];
    snprintf(path, sizeof path, "at-%g.ips", minute);
    table(story, path, JA_KIND_JETSAM, minute);
    row(story, "kernel_task", 0, 50 * JA_MIB);
    for (int i = 0; i < count; i++)
        row(story, "worker", 100 + i, mib * JA_MIB);
}

static void more_of_them_not_larger_ones(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    crowd(&story, 0, 16, 10);
    crowd(&story, 60, 40, 11);
    const struct ja_finding *f = finds(build(&story), "many_small", NULL, JA_CONFIRMED);
    assert_number(f, "count", 40);
    assert_number(f, "first_count", 16);
    assert_number(f, "sum_bytes", 440 * MIB);
    assert_number(f, "mean_bytes", 11 * MIB);
    assert_number(f, "first_mean_bytes", 10 * MIB);
    end(&story);
}

/* Larger as well as more; and as many as before. */
static void larger_ones_or_no_more(void **state)
{
    (void)state;
    static const int later[][2] = {{40, 13}, {20, 10}};
    for (size_t i = 0; i < 2; i++) {
        struct story story;
        begin(&story);
        crowd(&story, 0, 16, 10);
        crowd(&story, 60, later[i][0], later[i][1]);
        assert_silent(build(&story), "many_small", NULL);
        end(&story);
    }
}

/* One moment shows a crowd, never that it grew; fewer than 200 are no crowd. */
static void a_crowd_at_one_moment(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    crowd(&story, 0, 200, 2);
    assert_number(finds(build(&story), "many_small", NULL, JA_CONSISTENT), "count", 200);
    end(&story);
    begin(&story);
    crowd(&story, 0, 199, 2);
    assert_silent(build(&story), "many_small", NULL);
    end(&story);
}

/* ---- books ----------------------------------------------------------------------------------- */

/* Two processes and the kernel: 600 + 500 + 100 MiB on the books of a machine of so many. */
static void books(struct story *story, int64_t ram_mib)
{
    begin(story);
    table(story, "a.ips", JA_KIND_JETSAM, 0);
    row(story, "kernel_task", 0, 100 * JA_MIB)->peak_bytes = 150 * JA_MIB;
    row(story, "web", 7, 600 * JA_MIB)->peak_bytes = 900 * JA_MIB;
    row(story, "db", 8, 500 * JA_MIB)->peak_bytes = 700 * JA_MIB;
    figure(story, JA_FIGURE_MANAGED, ram_mib * JA_MIB);
    figure(story, JA_FIGURE_ANONYMOUS, 400 * JA_MIB);
    figure(story, JA_FIGURE_WIRED, 200 * JA_MIB);
    figure(story, JA_FIGURE_COMPRESSOR, 150 * JA_MIB);
    figure(story, JA_FIGURE_UNCOMPRESSED, 600 * JA_MIB);
    story->said.ram_bytes = ram_mib * JA_MIB;
}

/* In use are 400 + 200 + 150: at least 450 of the 1200 MiB are compressed, swapped or shared. */
static void books_above_ram(void **state)
{
    (void)state;
    struct story story;
    books(&story, 1000);
    const struct ja_case *item = build(&story);
    const struct ja_finding *f = finds(item, "books_exceed_memory", NULL, JA_CONFIRMED);
    assert_number(f, "books_bytes", 1200 * MIB);
    assert_number(f, "physical_bytes", 750 * MIB);
    assert_number(f, "ram_bytes", 1000 * MIB);
    assert_number(f, "ratio", 1.2);
    assert_says(item, f, "at least 450.0 MiB are compressed, swapped or counted twice");
    assert_says(item, f, "the compressor held 600.0 MiB of pages in 150.0 MiB of RAM");
    end(&story);
}

static void books_that_fit_ram(void **state)
{
    (void)state;
    struct story story;
    books(&story, 1200);
    assert_silent(build(&story), "books_exceed_memory", NULL);
    end(&story);
}

/* Peaks of 150 + 900 + 700 MiB were never held together, as far as anybody knows. */
static void peaks_of_different_moments(void **state)
{
    (void)state;
    struct story story;
    books(&story, 1700);
    const struct ja_finding *f = finds(build(&story), "peaks_added", NULL, JA_NOT_SHOWN);
    assert_number(f, "peaks_bytes", 1750 * MIB);
    assert_number(f, "books_bytes", 1200 * MIB);
    assert_number(f, "processes", 3);
    end(&story);
    books(&story, 1750); /* a sum that fits the machine misleads nobody */
    assert_silent(build(&story), "peaks_added", NULL);
    end(&story);
}

static void rows_that_are_missing(void **state)
{
    (void)state;
    struct story story;
    books(&story, 4000);
    fact(&story, JA_FACT_TABLE_CUT, 3, "the file ends in row 4");
    story.open->records[story.record].complete = false;
    const struct ja_case *item = build(&story);
    const struct ja_finding *f = finds(item, "books_incomplete", NULL, JA_CONFIRMED);
    assert_number(f, "rows", 3);
    assert_number(f, "tables", 1);
    assert_says(item, f, "is cut or broken (3 rows)");
    end(&story);
    books(&story, 4000);
    assert_silent(build(&story), "books_incomplete", NULL);
    end(&story);
}

static void rows_without_a_size(void **state)
{
    (void)state;
    struct story story;
    books(&story, 4000);
    fact(&story, JA_FACT_ROWS, 4, NULL);
    row(&story, "cut", 9, JA_UNKNOWN);
    const struct ja_case *item = build(&story);
    const struct ja_finding *f = finds(item, "books_incomplete", NULL, JA_CONFIRMED);
    assert_says(item, f, "has rows without a size (4 rows)");
    assert_false(item->states[0].books.complete);
    end(&story);
}

/* ---- shared pages ---------------------------------------------------------------------------- */

/* Four workers of 60 MiB RSS, of which so many are shared by all: each has a quarter of them. */
static const struct ja_case *forked(struct story *story, int shared)
{
    begin(story);
    for (int i = 0; i < 4; i++) {
        story->metric = "resident";
        reads(story, "worker", 10 + i, 0, 60 * JA_MIB);
        story->metric = "pss";
        reads(story, "worker", 10 + i, 0, (60 - shared) * JA_MIB + shared * JA_MIB / 4);
    }
    return build(story);
}

/* 40 MiB stand four times in the RSS and once in the PSS: 240 against 120. */
static void pages_that_four_share(void **state)
{
    (void)state;
    struct story story;
    const struct ja_finding *f =
        finds(forked(&story, 40), "shared_counted_twice", NULL, JA_CONFIRMED);
    assert_number(f, "rss_sum_bytes", 240 * MIB);
    assert_number(f, "pss_sum_bytes", 120 * MIB);
    assert_number(f, "processes", 4);
    end(&story);
}

/* 4 MiB of libraries: 240 against 228, a twentieth. */
static void libraries_that_four_share(void **state)
{
    (void)state;
    struct story story;
    assert_silent(forked(&story, 4), "shared_counted_twice", NULL);
    end(&story);
}

static const struct ja_case *one_call(struct story *story, const char *summary)
{
    begin(story);
    char text[1024];
    snprintf(text, sizeof text,
             "2026-02-01T10:00:00Z\n"
             "======================================================================\n"
             "web [7]: 64-bit    Footprint: 100 MB (16384 bytes per page)\n"
             "======================================================================\n"
             "\n"
             "======================================================================\n"
             "web [8]: 64-bit    Footprint: 90 MB (16384 bytes per page)\n"
             "======================================================================\n"
             "\n"
             "======================================================================\n"
             "Summary Footprint: %s\n"
             "======================================================================\n",
             summary);
    tell(story, "call.txt", text);
    return build(story);
}

/* 100 + 90 MB against a summary of 130 MB of the same call. */
static void one_call_of_footprint(void **state)
{
    (void)state;
    struct story story;
    const struct ja_case *item = one_call(&story, "130 MB");
    const struct ja_finding *f = finds(item, "shared_counted_twice", NULL, JA_CONFIRMED);
    assert_number(f, "books_bytes", 190 * MIB);
    assert_number(f, "summary_bytes", 130 * MIB);
    assert_number(f, "processes", 2);
    end(&story);
    assert_silent(one_call(&story, "180 MB"), "shared_counted_twice", NULL);
    end(&story);
}

/* A dozen large rows and two small ones of the name that the report tells: only the largest ten are
 * kept, but what is asked of all is known. */
static void rows_beyond_the_largest(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    table(&story, "a.ips", JA_KIND_JETSAM, 0);
    fact(&story, JA_FACT_LARGEST_PROCESS, JA_UNKNOWN, "told");
    row(&story, "told", 70, 2 * JA_MIB)->peak_bytes = 5 * JA_MIB;
    row(&story, "told", 71, 3 * JA_MIB)->peak_bytes = 6 * JA_MIB;
    row(&story, "launchd", 1, JA_MIB);
    row(&story, "unsized", 90, JA_UNKNOWN);
    for (int i = 0; i < 12; i++)
        row(&story, "large", 10 + i, (100 + i % 4) * JA_MIB)->peak_bytes = 200 * JA_MIB;
    const struct ja_case *item = build(&story);
    const struct ja_state *s = &item->states[0];
    assert_int_equal(s->row_count, JA_LARGEST_ROWS);
    assert_int_equal(s->books.processes, 16);
    assert_int_equal(s->peaks.count, 14);
    assert_int_equal(s->peaks.sum_bytes, 2411 * JA_MIB);
    assert_true(s->first_process);
    assert_int_equal(item->processes[s->told_largest].pid, 71);
    assert_int_equal(item->processes[s->largest].pid, 13);
    for (size_t i = 0; i < s->row_count; i++)
        assert_int_equal(s->row_bytes[i], (int64_t)(103 - i / 3) * JA_MIB);
    assert_int_equal(item->group_count, 2);
    assert_int_equal(item->groups[0].count, 12);
    assert_int_equal(item->groups[1].sum_bytes, 5 * JA_MIB);
    end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_name_several_lives),
        cmocka_unit_test(one_life_a_boot),
        cmocka_unit_test(more_of_them_not_larger_ones),
        cmocka_unit_test(larger_ones_or_no_more),
        cmocka_unit_test(a_crowd_at_one_moment),
        cmocka_unit_test(books_above_ram),
        cmocka_unit_test(books_that_fit_ram),
        cmocka_unit_test(peaks_of_different_moments),
        cmocka_unit_test(rows_that_are_missing),
        cmocka_unit_test(rows_without_a_size),
        cmocka_unit_test(pages_that_four_share),
        cmocka_unit_test(libraries_that_four_share),
        cmocka_unit_test(one_call_of_footprint),
        cmocka_unit_test(rows_beyond_the_largest),
    };
    ja_parsers_prepare();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
