/* SPDX-License-Identifier: MIT
 *
 * What the operator says: case file, MANIFEST.tsv, and the small readers that they share with the
 * command line. Every statement arrives as it was written, and what cannot be read is left out with
 * its place and never guessed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "parsers/json.h"
#include "parsers/parser.h"
#include "parsers/stated.h"

static struct ja_arena *arena;
static struct ja_stated stated;
static struct ja_evidence *evidence;

static int set_up(void **state)
{
    (void)state;
    arena = ja_arena_new();
    ja_parsers_prepare();
    ja_json_use_arena(arena);
    ja_stated_init(&stated, arena);
    evidence = ja_evidence_new("case.json");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    ja_json_use_arena(NULL);
    ja_evidence_free(evidence);
    ja_arena_free(arena);
    return 0;
}

static const struct ja_statements *read_case(const char *text)
{
    assert_true(ja_case_file_read(&stated, text, strlen(text), evidence));
    ja_stated_settle(&stated);
    return &stated.all;
}

static void read_manifest(const char *text)
{
    ja_manifest_read(&stated, text, strlen(text), "dumps/", evidence);
    ja_stated_settle(&stated);
}

/* The n-th diagnostic says this at this place. */
static void assert_said(size_t n, const char *place, const char *text)
{
    assert_true(n < evidence->diagnostic_count);
    assert_string_equal(evidence->diagnostics[n].place, place);
    assert_string_equal(evidence->diagnostics[n].text, text);
}

static void everything_is_taken(void **state)
{
    (void)state;
    const struct ja_statements *all = read_case(
        "{\"host\":\"lab-3\",\"ram\":\"48 GiB\",\"tz\":\"+0530\",\"slope\":\"3 MB/h\","
        "\"caps\":[{\"match\":\"^rank\",\"name\":\"pool\",\"size\":\"12 "
        "GiB\",\"source\":\"a.toml\"},"
        "          {\"process\":\"pid:77\",\"size\":4096}],"
        "\"work\":[{\"process\":\"ranker\",\"file\":\"q.csv\",\"unit\":\"queries\"},"
        "          "
        "{\"process\":\"coalition:9\",\"key\":\"jobs\"},{\"process\":\"a\",\"file\":\"b\"}],"
        "\"captured\":[{\"path\":\"a.txt\",\"at\":\"2026-03-02T08:00:00Z\",\"within_s\":30,"
        "               \"interval_s\":0.5,\"host\":\"h\",\"note\":\"n\"},{\"path\":\"b.txt\"}],"
        "\"fix\":{\"process\":\"ranker\",\"at\":\"2026-03-01T12:00:00Z\",\"max_delta\":\"50 MB\","
        "         \"min_work\":40},"
        "\"concern\":[{\"process\":\"ranker\",\"slope\":\"1 GB/h\"}],"
        "\"notes\":[{\"at\":\"2026-03-02T09:00:00Z\",\"text\":\"cache cleared\"}]}");
    assert_int_equal(evidence->diagnostic_count, 0);
    assert_string_equal(all->host, "lab-3");
    assert_int_equal(all->ram_bytes, 48 * JA_GIB);
    assert_true(all->has_zone);
    assert_int_equal(all->zone_offset_s, 19800);
    assert_true(all->slope_bytes_per_hour == 3.0 * (double)JA_MIB);
    assert_int_equal(all->cap_count, 2);
    assert_string_equal(all->caps[0].name, "pool");
    assert_string_equal(all->caps[0].source, "a.toml");
    assert_int_equal(all->caps[0].bytes, 12 * JA_GIB);
    assert_true(ja_selector_picks(&all->caps[0].who, "ranker", JA_UNKNOWN, JA_UNKNOWN));
    assert_false(ja_selector_picks(&all->caps[0].who, "drank", JA_UNKNOWN, JA_UNKNOWN));
    assert_string_equal(all->caps[1].name, "stated cap");
    assert_null(all->caps[1].source);
    assert_int_equal(all->caps[1].bytes, 4096);
    assert_int_equal(all->caps[1].who.pid, 77);
    assert_int_equal(all->work_count, 3);
    assert_string_equal(all->work[0].file, "q.csv");
    assert_string_equal(all->work[0].unit, "queries");
    assert_string_equal(all->work[1].unit, "jobs");
    assert_int_equal(all->work[1].who.coalition, 9);
    assert_string_equal(all->work[2].unit, "work");
    assert_int_equal(all->time_count, 2);
    assert_string_equal(all->times[0].path, "a.txt");
    assert_int_equal(all->times[0].at.unix_ns, INT64_C(1772438400) * JA_NS_PER_S);
    assert_int_equal(all->times[0].at.clock, JA_CLOCK_MANIFEST);
    assert_int_equal(all->times[0].within_ns, 30 * JA_NS_PER_S);
    assert_int_equal(all->times[0].interval_ns, JA_NS_PER_S / 2);
    assert_string_equal(all->times[0].host, "h");
    assert_string_equal(all->times[0].note, "n");
    assert_false(all->times[0].from_manifest);
    assert_int_equal(all->times[1].at.parts, 0);
    assert_true(all->times[1].within_ns == JA_UNKNOWN);
    assert_true(all->fix.stated);
    assert_string_equal(all->fix.who.name, "ranker");
    assert_int_equal(all->fix.max_delta_bytes, 50 * JA_MIB);
    assert_true(all->fix.min_work == 40);
    assert_int_equal(all->concern_count, 1);
    assert_true(all->concerns[0].bytes_per_hour == (double)JA_GIB);
    assert_int_equal(all->note_count, 1);
    assert_string_equal(all->notes[0].text, "cache cleared");
}

static void null_says_nothing(void **state)
{
    (void)state;
    const struct ja_statements *all =
        read_case("{\"host\":null,\"ram\":null,\"tz\":null,\"slope\":null,"
                  "\"fix\":{\"process\":null,\"at\":null,\"max_delta\":null,\"min_work\":null},"
                  "\"captured\":[{\"path\":\"a\",\"at\":null,\"within_s\":null,\"note\":null}]}");
    assert_int_equal(evidence->diagnostic_count, 0);
    assert_null(all->host);
    assert_true(all->ram_bytes == JA_UNKNOWN);
    assert_false(all->has_zone);
    assert_true(isnan(all->slope_bytes_per_hour));
    assert_true(all->fix.stated);
    assert_null(all->fix.who.text);
    assert_true(all->fix.max_delta_bytes == JA_UNKNOWN);
    assert_true(isnan(all->fix.min_work));
    assert_int_equal(all->time_count, 1);
    assert_true(all->times[0].within_ns == JA_UNKNOWN);
}

static void wrong_figures_are_left_out(void **state)
{
    (void)state;
    const struct ja_statements *all =
        read_case("{\"host\":5,\"ram\":\"much\",\"tz\":\"Mars\",\"slope\":\"5 MB\"}");
    assert_int_equal(evidence->diagnostic_count, 4);
    assert_said(0, "$.host", "not a text, left out");
    assert_said(1, "$.ram", "not a size such as \"64 GiB\", left out");
    assert_said(2, "$.tz", "not an offset such as \"+0800\", left out");
    assert_said(3, "$.slope", "not a slope such as \"5 MB/h\", left out");
    assert_null(all->host);
    assert_true(all->ram_bytes == JA_UNKNOWN);
    assert_false(all->has_zone);
    assert_true(isnan(all->slope_bytes_per_hour));
}

static void sizes_that_cannot_be(void **state)
{
    (void)state;
    const struct ja_statements *all =
        read_case("{\"ram\":-1,\"slope\":7,\"fix\":{\"max_delta\":1e30,\"min_work\":-2,"
                  "\"at\":\"soon\",\"process\":7}}");
    assert_true(all->ram_bytes == JA_UNKNOWN);
    assert_true(all->fix.max_delta_bytes == JA_UNKNOWN);
    assert_true(isnan(all->fix.min_work));
    assert_int_equal(evidence->diagnostic_count, 6);
    assert_said(0, "$.ram", "not a size such as \"64 GiB\", left out");
    assert_said(1, "$.slope", "not a slope such as \"5 MB/h\", left out");
    assert_said(2, "$.fix.process", "not a text, left out");
    assert_said(3, "$.fix.at", "not a time such as \"2026-10-17T01:20:00Z\", left out");
    assert_said(4, "$.fix.max_delta", "not a size such as \"64 GiB\", left out");
    assert_said(5, "$.fix.min_work", "not a number of 0 or more, left out");
}

static void wrong_entries_are_left_out(void **state)
{
    (void)state;
    const struct ja_statements *all = read_case(
        "{\"caps\":[{\"size\":\"1 GiB\"},{\"process\":\"a\"},{\"process\":\"a\",\"size\":\"x\"},"
        "           {\"match\":\"(\",\"size\":\"1 GiB\"},7],"
        "\"work\":[{\"file\":\"q\"},{\"process\":\"a\"}],"
        "\"captured\":[{\"at\":\"2026-03-02T08:00:00Z\"},{\"path\":1},"
        "              {\"path\":\"a\",\"at\":5,\"within_s\":2e9,\"interval_s\":\"x\"}],"
        "\"concern\":[{\"slope\":\"5 MB/h\"},{\"process\":\"a\"}],"
        "\"notes\":[{\"text\":\"t\"},{\"text\":\"t\",\"at\":\"?\"},{\"at\":\"2026-03-02T08:00:"
        "00Z\"}],"
        "\"fix\":[],\"ghosts\":1}");
    assert_int_equal(all->cap_count, 0);
    assert_int_equal(all->work_count, 0);
    assert_int_equal(all->concern_count, 0);
    assert_int_equal(all->note_count, 0);
    assert_false(all->fix.stated);
    assert_int_equal(all->time_count, 1); /* the path stays, its time does not */
    assert_int_equal(all->times[0].at.parts, 0);
    assert_true(all->times[0].within_ns == JA_UNKNOWN);
    assert_true(all->times[0].interval_ns == JA_UNKNOWN);
    static const char *const places[] = {"$.caps[0].process",
                                         "$.caps[1].size",
                                         "$.caps[2].size",
                                         "$.caps[3].match",
                                         "$.caps[4]",
                                         "$.work[0].process",
                                         "$.work[1].file",
                                         "$.captured[0].path",
                                         "$.captured[1].path",
                                         "$.captured[2].at",
                                         "$.captured[2].within_s",
                                         "$.captured[2].interval_s",
                                         "$.concern[0].process",
                                         "$.concern[1].slope",
                                         "$.notes[0].at",
                                         "$.notes[1].at",
                                         "$.notes[2].text",
                                         "$.fix",
                                         "$.ghosts"};
    assert_int_equal(evidence->diagnostic_count, sizeof places / sizeof *places);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        assert_string_equal(evidence->diagnostics[i].place, places[i]);
    assert_said(0, "$.caps[0].process", "not there: whom it is about is missing, left out");
    assert_said(4, "$.caps[4]", "not an object, left out");
    assert_said(6, "$.work[1].file", "not there, nor is a key, left out");
    assert_said(10, "$.captured[2].within_s", "not a number of seconds below 1e9, left out");
    assert_int_equal(evidence->diagnostics[18].level, JA_WARNING);
}

static void lists_must_be_lists(void **state)
{
    (void)state;
    const struct ja_statements *all =
        read_case("{\"caps\":{\"process\":\"a\",\"size\":1},\"fix\":1}");
    assert_int_equal(all->cap_count, 0);
    assert_said(0, "$.caps", "not a list of objects, left out");
    assert_said(1, "$.fix", "not an object, left out");
}

static void no_object_is_no_case_file(void **state)
{
    (void)state;
    static const char *const texts[] = {"[]", "7", "", "{\"ram\":", "\"x\""};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_false(ja_case_file_read(&stated, texts[i], strlen(texts[i]), evidence));
}

static void a_wrong_pattern_may_be_a_name(void **state)
{
    (void)state;
    const struct ja_statements *all = read_case("{\"fix\":{\"process\":\"a(\"}}");
    assert_true(ja_selector_picks(&all->fix.who, "a(", JA_UNKNOWN, JA_UNKNOWN));
    assert_false(ja_selector_picks(&all->fix.who, "a", JA_UNKNOWN, JA_UNKNOWN));
    struct ja_selector selector;
    char error[160];
    assert_true(ja_selector_read(arena, "pid:7x", false, &selector, error, sizeof error));
    assert_true(selector.pid == JA_UNKNOWN);
    assert_string_equal(selector.name, "pid:7x");
    assert_true(ja_selector_read(arena, "pid:", false, &selector, error, sizeof error));
    assert_true(selector.pid == JA_UNKNOWN);
}

static void sizes_and_slopes(void **state)
{
    (void)state;
    int64_t bytes = 7;
    double slope = 7;
    assert_true(ja_stated_size("64 GiB", &bytes));
    assert_int_equal(bytes, 64 * JA_GIB);
    assert_true(ja_stated_size("4096", &bytes));
    assert_int_equal(bytes, 4096);
    assert_true(ja_stated_size("1.5M", &bytes));
    assert_int_equal(bytes, 3 * JA_MIB / 2);
    static const char *const no_sizes[] = {
        "", "x", "-1", "64 GiB of it", "1e9", "5 GiB/h", "9223372036854775807"};
    for (size_t i = 0; i < sizeof no_sizes / sizeof *no_sizes; i++)
        assert_false(ja_stated_size(no_sizes[i], &bytes));
    assert_int_equal(bytes, 3 * JA_MIB / 2);
    assert_true(ja_stated_slope("0.5 GB /h", &slope));
    assert_true(slope == (double)JA_GIB / 2);
    static const char *const no_slopes[] = {
        "", "5 MB", "5 MB/hour", "/h", "9223372036854775807/h", "5 MB/min"};
    for (size_t i = 0; i < sizeof no_slopes / sizeof *no_slopes; i++)
        assert_false(ja_stated_slope(no_slopes[i], &slope));
    assert_true(slope == (double)JA_GIB / 2);
}

static void manifest_rows(void **state)
{
    (void)state;
    read_manifest("path\tcaptured\twithin_s\thost\tnote\r\n"
                  "./a.txt\t2026-03-02T08:00:00Z\t60\tlab-3\tread off a clock\r\n"
                  "\r\n"
                  "# a remark\r\n"
                  "b.txt\t\t\tlab-4\r\n"
                  "c.txt\tyesterday\t-1\t\t\n"
                  "\t2026-03-02T08:00:00Z\n"
                  "d.txt\t2026-03-02T08:00:00Z\t60 s");
    assert_int_equal(stated.all.time_count, 4);
    const struct ja_stated_time *row = stated.all.times;
    assert_string_equal(row[0].path, "dumps/a.txt");
    assert_int_equal(row[0].at.unix_ns, INT64_C(1772438400) * JA_NS_PER_S);
    assert_int_equal(row[0].at.clock, JA_CLOCK_MANIFEST);
    assert_int_equal(row[0].within_ns, 60 * JA_NS_PER_S);
    assert_string_equal(row[0].host, "lab-3");
    assert_string_equal(row[0].note, "read off a clock");
    assert_true(row[0].from_manifest);
    assert_string_equal(row[1].path, "dumps/b.txt");
    assert_int_equal(row[1].at.parts, 0);
    assert_true(row[1].within_ns == JA_UNKNOWN);
    assert_string_equal(row[1].host, "lab-4");
    assert_null(row[1].note);
    assert_string_equal(row[2].path, "dumps/c.txt");
    assert_int_equal(row[2].at.parts, 0);
    assert_null(row[2].host);
    assert_string_equal(row[3].path, "dumps/d.txt");
    assert_true(row[3].within_ns == JA_UNKNOWN);
    static const struct {
        const char *code;
        int line;
    } said[] = {{"bad-time", 6}, {"bad-number", 6}, {"bad-row", 7}, {"bad-number", 8}};
    assert_int_equal(evidence->diagnostic_count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(evidence->diagnostics[i].code, said[i].code);
        assert_int_equal(evidence->diagnostics[i].line, said[i].line);
    }
}

static void manifest_columns_in_any_order(void **state)
{
    (void)state;
    read_manifest("path\tnote\tcaptured\na\tfirst\t2026-03-02T08:00:00Z\n");
    assert_int_equal(stated.all.time_count, 1);
    assert_string_equal(stated.all.times[0].note, "first");
    assert_int_equal(stated.all.times[0].at.unix_ns, INT64_C(1772438400) * JA_NS_PER_S);
    assert_null(stated.all.times[0].host);
}

static void manifest_header_behind_remarks(void **state)
{
    (void)state;
    read_manifest("\n# what was saved, and when\n \t \npath\tcaptured\nd.txt\tthen\n"
                  "a.txt\t2026-03-02T08:00:00Z\n");
    assert_int_equal(stated.all.time_count, 2);
    assert_string_equal(stated.all.times[1].path, "dumps/a.txt");
    assert_int_equal(stated.all.times[1].at.unix_ns, INT64_C(1772438400) * JA_NS_PER_S);
    assert_int_equal(evidence->diagnostic_count, 1);
    assert_string_equal(evidence->diagnostics[0].code, "bad-time");
    assert_int_equal(evidence->diagnostics[0].line, 5);
}

static void no_header_no_manifest(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "a.txt\t2026-03-02T08:00:00Z\n", "path\nA\n",
                                        "captured\tpath\n", "path\twithin_s\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        read_manifest(texts[i]);
        assert_int_equal(stated.all.time_count, 0);
        assert_int_equal(evidence->diagnostic_count, i + 1);
        assert_string_equal(evidence->diagnostics[i].code, "bad-header");
    }
    assert_int_equal(evidence->status, JA_STATUS_DAMAGED);
    read_manifest("# of the lab\n\nno header\n");
    assert_int_equal(evidence->diagnostics[evidence->diagnostic_count - 1].line, 3);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(everything_is_taken),
        TEST(manifest_header_behind_remarks),
        TEST(null_says_nothing),
        TEST(wrong_figures_are_left_out),
        TEST(sizes_that_cannot_be),
        TEST(wrong_entries_are_left_out),
        TEST(lists_must_be_lists),
        TEST(no_object_is_no_case_file),
        TEST(a_wrong_pattern_may_be_a_name),
        TEST(sizes_and_slopes),
        TEST(manifest_rows),
        TEST(manifest_columns_in_any_order),
        TEST(no_header_no_manifest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
