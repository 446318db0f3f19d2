/* SPDX-License-Identifier: MIT
 *
 * Which files are copies: equal bytes are, where the file itself tells its time or its name does;
 * a file of a snapshot folder is only with its whole folder.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/story.h"

/* One file of a snapshot folder: <below>/<saved>/<name>, with bytes of this name. */
static void saved(struct story *story, const char *below, const char *time, const char *name,
                  const char *bytes)
{
    char path[256], folder[128];
    snprintf(folder, sizeof folder, "%s/%s", below, time);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    table(story, path, JA_KIND_PROC_STATUS, 0);
    struct ja_evidence *e = story->open;
    struct ja_stamp stamp = {.clock = JA_CLOCK_FILE_NAME,
                             .parts = JA_STAMP_UNIX,
                             .unix_ns = STORY_BEGIN_NS,
                             .text = time};
    e->name_stamp = ja_add_stamp(e, &stamp);
    e->records[0].snapshot = ja_arena_string(e->arena, folder);
    story->metric = "resident";
    row(story, "web", 7, 100 * JA_MIB);
    snprintf(story->inputs[story->count - 1].sha256, 65, "%s", bytes);
}

static size_t count_copies(const struct ja_case *item)
{
    size_t count = 0;
    for (size_t i = 0; i < item->source_count; i++) {
        bool copy = item->sources[i].duplicate_of != JA_NONE;
        assert_int_equal(copy, item->sources[i].evidence->status == JA_STATUS_DUPLICATE);
        count += copy;
    }
    return count;
}

static void a_folder_that_lies_there_twice(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    saved(&story, "a", "20260201T100000Z", "7/status", "s1");
    saved(&story, "a", "20260201T100000Z", "meminfo", "m1");
    saved(&story, "b", "20260201T100000Z", "7/status", "s1");
    saved(&story, "b", "20260201T100000Z", "meminfo", "m1");
    const struct ja_case *item = build(&story);
    assert_int_equal(count_copies(item), 2);
    assert_int_equal(item->sources[2].duplicate_of, 0);
    assert_int_equal(item->sources[3].duplicate_of, 1);
    assert_string_equal(item->sources[2].evidence->why, "copy of a/20260201T100000Z/7/status");
    end(&story);
}

/* One other file, one file more, another time: two snapshots, of which each counts. */
static void folders_that_are_almost_equal(void **state)
{
    (void)state;
    static const struct {
        const char *time, *bytes;
        bool more;
    } other[] = {{"20260201T100000Z", "m2", false},
                 {"20260201T100000Z", "m1", true},
                 {"20260201T100500Z", "m1", false}};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        struct story story;
        begin(&story);
        saved(&story, "a", "20260201T100000Z", "7/status", "s1");
        saved(&story, "a", "20260201T100000Z", "meminfo", "m1");
        saved(&story, "b", other[i].time, "7/status", "s1");
        saved(&story, "b", other[i].time, "meminfo", other[i].bytes);
        if (other[i].more)
            saved(&story, "b", other[i].time, "stat", "t1");
        assert_int_equal(count_copies(build(&story)), 0);
        end(&story);
    }
}

/* What was saved before the fix is no copy of what was saved after it. */
static void folders_of_two_roles(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    saved(&story, "a", "20260201T100000Z", "meminfo", "m1");
    story.inputs[0].role = JA_ROLE_BEFORE;
    saved(&story, "b", "20260201T100000Z", "meminfo", "m1");
    story.inputs[1].role = JA_ROLE_AFTER;
    assert_int_equal(count_copies(build(&story)), 0);
    end(&story);
}

/* Equal bytes of two files: copies where a report tells its time, and where nothing tells them
 * apart; two looks where their names do. */
static void single_files(void **state)
{
    (void)state;
    static const struct {
        const char *text, *first, *second;
        size_t copies;
    } pairs[] = {
        {"2026-02-01T10:00:00Z\nweb [7]: 64-bit    Footprint: 100 MB (16384 bytes per page)\n",
         "a.txt", "b.txt", 1},
        {"web [7]: 64-bit    Footprint: 100 MB (16384 bytes per page)\n", "a.txt", "b.txt", 1},
        {"web [7]: 64-bit    Footprint: 100 MB (16384 bytes per page)\n",
         "look-20260201-100000Z.txt", "look-20260201-110000Z.txt", 0},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct story story;
        begin(&story);
        tell(&story, pairs[i].first, pairs[i].text);
        tell(&story, pairs[i].second, pairs[i].text);
        memcpy(story.inputs[1].sha256, story.inputs[0].sha256, 65);
        assert_int_equal(count_copies(build(&story)), pairs[i].copies);
        end(&story);
    }
}

/* Two copies of one report, one of them cut: the whole one is used, wherever it lies. */
static void the_whole_copy_is_used(void **state)
{
    (void)state;
    for (int whole = 0; whole < 2; whole++) {
        struct story story;
        begin(&story);
        for (int i = 0; i < 2; i++) {
            table(&story, i ? "b.ips" : "a.ips", JA_KIND_JETSAM, 0);
            story.open->incident_id = "6F1D";
            row(&story, "web", 7, 100 * JA_MIB);
            if (i == whole)
                row(&story, "db", 8, 50 * JA_MIB);
            else
                ja_set_status(story.open, JA_STATUS_DAMAGED, "cut");
        }
        const struct ja_case *item = build(&story);
        assert_int_equal(item->sources[whole].duplicate_of, JA_NONE);
        assert_int_equal(item->sources[!whole].duplicate_of, whole);
        assert_int_equal(item->states[0].books.processes, 2);
        end(&story);
    }
}

/* A log, a copy of it with other line ends, and a piece that overlaps: each reading counts once. */
static void readings_told_again(void **state)
{
    (void)state;
#define LOOK(minute, mb)                                                                           \
    "2026-02-01T10:" minute ":00Z\nweb [7]: 64-bit    Footprint: " mb " MB (16384 bytes per "      \
    "page)\n"
    struct story story;
    begin(&story);
    tell(&story, "a.log", LOOK("00", "100") LOOK("10", "120") LOOK("20", "140"));
    tell(&story, "ticket.md", "As seen:\n\n" LOOK("00", "100") LOOK("10", "120") LOOK("20", "140"));
    tell(&story, "a.log.1", LOOK("20", "140") LOOK("30", "160"));
    const struct ja_case *item = build(&story);
    assert_int_equal(item->series[0].point_count, 4);
    assert_int_equal(item->twin_count, 0);
    end(&story);
}

/* The text of a panic that somebody pasted beside its report: one panic, told once. */
static void a_pasted_panic(void **state)
{
    (void)state;
#define PANIC                                                                                      \
    "panic(cpu 3 caller 0x1): watchdog timeout: no checkins from watchdogd in 91 seconds (9000 "   \
    "total checkins since monitoring last enabled)"
#define SESSION "Boot session UUID: 0A1B2C3D-4E5F-4607-8192-A3B4C5D6E7F8"
    struct story story;
    begin(&story);
    tell(&story, "panic-full.ips",
         "{\"bug_type\":\"210\",\"timestamp\":\"2026-02-01 10:00:30.00 +0000\",\"incident_id\":"
         "\"0A1B2C3D-4E5F-4607-8192-A3B4C5D6E7F8\"}\n"
         "{\"panicString\":\"" PANIC "\\n" SESSION "\\n\",\"bug_type\":\"210\"}\n");
    tell(&story, "paste.txt", PANIC "\n" SESSION "\nOS version: 25E253\n");
    const struct ja_case *item = build(&story);
    assert_int_equal(item->sources[1].duplicate_of, 0);
    assert_int_equal(count_findings(item, "watchdog"), 1);
    end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_that_lies_there_twice),
        cmocka_unit_test(folders_that_are_almost_equal),
        cmocka_unit_test(folders_of_two_roles),
        cmocka_unit_test(single_files),
        cmocka_unit_test(the_whole_copy_is_used),
        cmocka_unit_test(readings_told_again),
        cmocka_unit_test(a_pasted_panic),
    };
    ja_parsers_prepare();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
