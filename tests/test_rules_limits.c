/* SPDX-License-Identifier: MIT
 *
 * Rules about limits and about memory that was freed and kept: where each speaks, with the
 * number worked out by hand, and a near miss where it must not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/story.h"

#define MIB ((double)JA_MIB)

static const struct ja_selector web = {
    .name = "web", .pid = JA_UNKNOWN, .coalition = JA_UNKNOWN, .text = "web"};

/* ---- plateau_at_cap -------------------------------------------------------------------------- */

/* Up to 1000 MiB, and there for five hours; two more processes of the name, 100 MiB each. */
static void tell_plateau(struct story *story)
{
    begin(story);
    story->said.ram_bytes = 2 * JA_GIB;
    READS_ALL(story, "web", 7, 60, JA_MIB, 100, 500, 1000, 1000, 1000, 1000, 1000, 1000);
    reads(story, "web", 8, 60, 100 * JA_MIB);
    reads(story, "web", 9, 60, 100 * JA_MIB);
}

/* 1000 MiB are 40 above the stated 960: the process holds its 100 besides. Three of them, full,
 * take 2880 MiB of 2048. */
static void a_level_at_a_stated_cap(void **state)
{
    (void)state;
    struct ja_stated_cap cap = {.who = web, .name = "pool", .bytes = 960 * JA_MIB};
    struct story story;
    tell_plateau(&story);
    story.said.caps = &cap;
    story.said.cap_count = 1;
    const struct ja_case *item = build(&story);
    const struct ja_finding *f = finds(item, "plateau_at_cap", "web", JA_CONSISTENT);
    assert_number(f, "level_bytes", 1000 * MIB);
    assert_number(f, "cap_bytes", 960 * MIB);
    assert_number(f, "distance_bytes", 40 * MIB);
    assert_number(f, "processes", 3);
    assert_number(f, "bill_bytes", 2880 * MIB);
    assert_number(f, "ram_bytes", 2048 * MIB);
    assert_int_equal(f->severity, JA_SERIOUS);
    assert_says(item, f, "stated by the operator");
    end(&story);
}

/* 1000 is 200 above 800, and the process never held more than 100 besides. */
static void a_level_too_far_above_a_cap(void **state)
{
    (void)state;
    struct ja_stated_cap cap = {.who = web, .name = "pool", .bytes = 800 * JA_MIB};
    struct story story;
    tell_plateau(&story);
    story.said.caps = &cap;
    story.said.cap_count = 1;
    assert_silent(build(&story), "plateau_at_cap", NULL);
    end(&story);
}

static void a_level_below_a_cap(void **state)
{
    (void)state;
    struct ja_stated_cap cap = {.who = web, .name = "pool", .bytes = 1001 * JA_MIB};
    struct story story;
    tell_plateau(&story);
    story.said.caps = &cap;
    story.said.cap_count = 1;
    assert_silent(build(&story), "plateau_at_cap", NULL);
    end(&story);
}

/* The evidence prints the limit and the level is the limit: nothing more is needed. */
static void a_level_at_a_printed_limit(void **state)
{
    (void)state;
    struct story story;
    tell_plateau(&story);
    line(&story,
         "{\"type\":\"fact\",%s,\"about\":\"process\",\"name\":\"web\",\"pid\":7,\"key\":\"limit\","
         "\"value\":%lld,\"text\":\"memory.max\"}",
         whence(&story, 60), 1000LL * JA_MIB);
    const struct ja_case *item = build(&story);
    const struct ja_finding *f = finds(item, "plateau_at_cap", "web", JA_CONFIRMED);
    assert_number(f, "distance_bytes", 0);
    assert_number(f, "processes", 1);
    assert_says(item, f, "printed in the evidence");
    end(&story);
}

/* The same limit under a process that still climbs: it stands nowhere. */
static void a_climb_under_a_printed_limit(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    READS_ALL(&story, "web", 7, 60, JA_MIB, 100, 400, 700, 1000);
    line(&story,
         "{\"type\":\"fact\",%s,\"about\":\"process\",\"name\":\"web\",\"pid\":7,\"key\":\"limit\","
         "\"value\":%lld,\"text\":\"memory.max\"}",
         whence(&story, 60), 1000LL * JA_MIB);
    const struct ja_case *item = build(&story);
    assert_silent(item, "plateau_at_cap", NULL);
    assert_says(item, finds(item, "growing", "web", JA_CONFIRMED),
                "its last reading stands at memory.max (1000.0 MiB)");
    end(&story);
}

/* A quarter of 4000 MiB is 1000 MiB: the limit of a Java machine, and of nothing called web. */
static void a_default_of_the_runtime_only(void **state)
{
    (void)state;
    static const char *const names[] = {"java", "web"};
    for (size_t i = 0; i < 2; i++) {
        struct story story;
        begin(&story);
        story.said.ram_bytes = 4000 * JA_MIB;
        READS_ALL(&story, names[i], 7, 60, JA_MIB, 100, 500, 1000, 1000, 1000, 1000, 1000, 1000);
        const struct ja_case *item = build(&story);
        if (i == 0)
            assert_number(finds(item, "plateau_at_cap", "java", JA_CONSISTENT), "cap_bytes",
                          1000 * MIB);
        else
            assert_silent(item, "plateau_at_cap", NULL);
        end(&story);
    }
}

/* No Mac of 36 GiB was seen, so its working set is unknown: MLX's cache limit does not hang on it.
 * Where two sets are possible (64 GiB) and it is the same for both, it is one candidate. */
static void a_cap_of_any_working_set(void **state)
{
    (void)state;
    for (int gib = 36; gib <= 64; gib += 28) {
        struct story story;
        begin(&story);
        story.said.ram_bytes = gib * JA_GIB;
        tell(&story, "llm.txt",
             "2026-02-01T10:00:00Z\nllm [7]: 64-bit    Footprint: 30 GB (16384 bytes per page)\n\n"
             "  Dirty      Clean  Reclaimable    Regions    Category\n"
             "  29 GB        0 B          0 B         11    IOAccelerator (graphics)\n");
        const struct ja_case *item = build(&story);
        size_t found = 0;
        for (size_t i = 0; i < item->series_count; i++)
            for (size_t k = 0; k < item->series[i].cap_count; k++)
                found +=
                    strcmp(item->series[i].caps[k].name, "mlx_cache_limit") == 0 &&
                    fabs((double)item->series[i].caps[k].cap_bytes - 0.95 * gib * 1024 * MIB) < 1;
        assert_int_equal(found, 1);
        end(&story);
    }
}

/* ---- retained_after_free --------------------------------------------------------------------- */

static void zone(struct story *story, const char *key, const char *name, int64_t bytes)
{
    line(story,
         "{\"type\":\"fact\",%s,\"about\":\"process\",\"name\":\"web\",\"pid\":7,\"key\":\"%s\","
         "\"value\":%lld,\"text\":\"%s\"}",
         whence(story, 0), key, (long long)bytes, name);
}

/* 30 + 12 MiB of two zones are held, 90 + 8 live, of a footprint of 200. */
static void zones_that_hold_more_than_they_use(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    reads(&story, "web", 7, 0, 200 * JA_MIB);
    zone(&story, "retained", "DefaultMallocZone", 30 * JA_MIB);
    zone(&story, "retained", "MallocHelperZone", 12 * JA_MIB);
    zone(&story, "live", "DefaultMallocZone", 90 * JA_MIB);
    zone(&story, "live", "MallocHelperZone", 8 * JA_MIB);
    const struct ja_finding *f = finds(build(&story), "retained_after_free", "web", JA_CONFIRMED);
    assert_number(f, "retained_bytes", 42 * MIB);
    assert_number(f, "live_bytes", 98 * MIB);
    assert_int_equal(f->cite_count, 2);
    end(&story);
}

/* 19 MiB of 200 are less than a tenth: every allocator holds that. */
static void zones_that_hold_their_usual_share(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    reads(&story, "web", 7, 0, 200 * JA_MIB);
    zone(&story, "retained", "DefaultMallocZone", 19 * JA_MIB);
    zone(&story, "live", "DefaultMallocZone", 150 * JA_MIB);
    assert_silent(build(&story), "retained_after_free", NULL);
    end(&story);
}

static void region(struct story *story, double minute, const char *category, int64_t bytes)
{
    line(story,
         "{\"type\":\"reading\",%s,\"name\":\"web\",\"pid\":7,\"metric\":\"category\",\"category\":"
         "\"%s\",\"value_bytes\":%lld,\"resolution_bytes\":4096,\"rounding\":\"exact\"}",
         whence(story, minute), category, (long long)bytes);
}

/* Without a zone table the regions that are marked empty are all that is known. */
static void regions_that_are_empty(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    reads(&story, "web", 7, 0, 200 * JA_MIB);
    region(&story, 0, "MALLOC_LARGE (empty)", 25 * JA_MIB);
    region(&story, 0, "MALLOC_SMALL", 100 * JA_MIB);
    const struct ja_finding *f = finds(build(&story), "retained_after_free", "web", JA_CONFIRMED);
    assert_number(f, "retained_bytes", 25 * MIB);
    assert_true(isnan(number_of(f, "live_bytes")));
    assert_int_equal(f->cite_count, 1);
    end(&story);
}

/* They were empty and charged at ten; at eleven nothing of it is left: the newer dump counts. */
static void regions_that_were_empty_before(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    reads(&story, "web", 7, 0, 200 * JA_MIB);
    region(&story, 0, "MALLOC_LARGE (empty)", 25 * JA_MIB);
    reads(&story, "web", 7, 60, 175 * JA_MIB);
    region(&story, 60, "MALLOC_LARGE (empty)", 0);
    assert_silent(build(&story), "retained_after_free", NULL);
    end(&story);
}

/* 300 MiB, the operator's note, 120 MiB four minutes after it. */
static const struct ja_case *trimmed(struct story *story, const char *text, double minute)
{
    static struct ja_stated_note note;
    note = (struct ja_stated_note){.text = text};
    note.at.parts = JA_STAMP_UNIX;
    note.at.unix_ns = STORY_BEGIN_NS + (int64_t)(minute * 60e9);
    begin(story);
    story->said.notes = &note;
    story->said.note_count = 1;
    story->metric = "resident";
    READS_ALL(story, "web", 7, 5, JA_MIB, 300, 300, 120, 120);
    READS_ALL(story, "db", 8, 5, JA_MIB, 300, 300, 120, 120);
    return build(story);
}

static void a_fall_behind_a_trim(void **state)
{
    (void)state;
    struct story story;
    const struct ja_case *item = trimmed(&story, "malloc_trim(0) in pid 7", 6);
    const struct ja_finding *f = finds(item, "retained_after_free", "web", JA_CONSISTENT);
    assert_number(f, "retained_bytes", 180 * MIB);
    assert_number(f, "live_bytes", 120 * MIB);
    assert_silent(item, "retained_after_free", "db");
    end(&story);
    item = trimmed(&story, "trim of db", 6);
    finds(item, "retained_after_free", "db", JA_CONSISTENT);
    assert_silent(item, "retained_after_free", "web");
    end(&story);
}

/* A note of another matter, of another moment, of nobody. */
static void a_fall_behind_something_else(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double minute;
    } notes[] = {{"cache of web dropped", 6},
                 {"trim of pid 7", 1},
                 {"trim of pid 7", 12},
                 {"trim of everything", 6}};
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        struct story story;
        assert_silent(trimmed(&story, notes[i].text, notes[i].minute), "retained_after_free", NULL);
        end(&story);
    }
}

/* ---- file_cache_growth ----------------------------------------------------------------------- */

/* RSS, of it file pages and anonymous pages, in MiB, over two hours. */
static const struct ja_case *mapped(struct story *story, int file, int anonymous)
{
    begin(story);
    static const char *const metrics[] = {"resident", "file", "anonymous"};
    int first[] = {150, 50, 100};
    int last[] = {150 + file + anonymous, 50 + file, 100 + anonymous};
    for (int i = 0; i < 3; i++) {
        story->metric = metrics[i];
        reads(story, "web", 7, 0, first[i] * JA_MIB);
        reads(story, "web", 7, 60, (first[i] + last[i]) / 2 * JA_MIB);
        reads(story, "web", 7, 120, last[i] * JA_MIB);
    }
    stands(story, 0, "\"mem_available\":4294967296");
    stands(story, 120, "\"mem_available\":4284481536");
    return build(story);
}

static void file_pages_that_grow(void **state)
{
    (void)state;
    struct story story;
    const struct ja_case *item = mapped(&story, 80, 2);
    const struct ja_finding *f = finds(item, "file_cache_growth", "web", JA_CONFIRMED);
    assert_number(f, "file_bytes", 80 * MIB);
    assert_number(f, "anonymous_bytes", 2 * MIB);
    assert_number(f, "window_s", 7200);
    assert_says(item, f, "MemAvailable went from 4.00 GiB to 3.99 GiB meanwhile");
    f = finds(item, "growing", "web", JA_CONFIRMED);
    end(&story);
}

/* Half of it is anonymous: no cache. */
static void file_pages_beside_anonymous_ones(void **state)
{
    (void)state;
    struct story story;
    const struct ja_case *item = mapped(&story, 80, 40);
    assert_silent(item, "file_cache_growth", NULL);
    end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_level_at_a_stated_cap),
        cmocka_unit_test(a_level_too_far_above_a_cap),
        cmocka_unit_test(a_level_below_a_cap),
        cmocka_unit_test(a_level_at_a_printed_limit),
        cmocka_unit_test(a_climb_under_a_printed_limit),
        cmocka_unit_test(a_default_of_the_runtime_only),
        cmocka_unit_test(a_cap_of_any_working_set),
        cmocka_unit_test(zones_that_hold_more_than_they_use),
        cmocka_unit_test(zones_that_hold_their_usual_share),
        cmocka_unit_test(regions_that_are_empty),
        cmocka_unit_test(regions_that_were_empty_before),
        cmocka_unit_test(a_fall_behind_a_trim),
        cmocka_unit_test(a_fall_behind_something_else),
        cmocka_unit_test(file_pages_that_grow),
        cmocka_unit_test(file_pages_beside_anonymous_ones),
    };
    ja_parsers_prepare();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
