/* SPDX-License-Identifier: MIT
 *
 * The Jetsam parser: figures worked out by hand, rules by model and version, and what must hold
 * for every cut of a report: only true sizes, never a whole table, never "used".
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "parsers/jetsam.h"

#define FOLDER JA_FIXTURES "/formats/jetsam/"
#define PAGE 16384

static int set_up(void **state)
{
    (void)state;
    ja_parsers_prepare();
    return 0;
}

static char *read_fixture(const char *name, size_t *ret_length)
{
    char path[512];
    snprintf(path, sizeof path, FOLDER "%s", name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    *ret_length = fread(text, 1, (1 << 20) - 1, file);
    fclose(file);
    return text;
}

static struct ja_evidence *parse(const char *text, size_t length)
{
    struct ja_file file = {
        .path = "x.ips", .name = "x.ips", .text = text, .length = length, .mtime_ns = JA_UNKNOWN};
    return ja_parse_file(&file, NULL, JA_UNKNOWN, 1000000);
}

static struct ja_evidence *parse_fixture(const char *name)
{
    size_t length;
    char *text = read_fixture(name, &length);
    struct ja_evidence *evidence = parse(text, length);
    free(text);
    return evidence;
}

static int64_t figure(const struct ja_evidence *e, uint32_t record, enum ja_figure which)
{
    return ja_get_figure(&e->records[record], which);
}

static const struct ja_subject *named(const struct ja_evidence *e, const char *name)
{
    for (size_t i = 0; i < e->subject_count; i++)
        if (e->subjects[i].name && strcmp(e->subjects[i].name, name) == 0)
            return &e->subjects[i];
    return NULL;
}

static int64_t size_of(const struct ja_evidence *e, const char *name)
{
    const struct ja_subject *subject = named(e, name);
    assert_non_null(subject);
    for (size_t i = 0; i < e->reading_count; i++)
        if (&e->subjects[e->readings[i].subject] == subject)
            return e->readings[i].value;
    return JA_UNKNOWN;
}

static bool diagnosed(const struct ja_evidence *e, const char *code)
{
    for (size_t i = 0; i < e->diagnostic_count; i++)
        if (strcmp(e->diagnostics[i].code, code) == 0)
            return true;
    return false;
}

static void a_whole_report(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("whole-ios18.ips");
    assert_int_equal(e->status, JA_STATUS_USED);
    assert_true(e->records[0].complete);
    /* 41000 anonymous + 20000 file + (5000 - 2000) free + 15000 wired + 20000 compressor */
    assert_int_equal(figure(e, 0, JA_FIGURE_MANAGED), 99000LL * PAGE);
    assert_int_equal(figure(e, 0, JA_FIGURE_FREE), 3000LL * PAGE);
    /* live rows: 9000 + 1000 + 700 resident, 31000 + 1000 + 500 compressed */
    assert_int_equal(figure(e, 0, JA_FIGURE_SUM_RESIDENT_PRIVATE), 10700LL * PAGE);
    assert_int_equal(figure(e, 0, JA_FIGURE_SUM_COMPRESSED), 32500LL * PAGE);
    /* 48000 ticks of 24 MHz are 2 ms, 24000 are 1 ms: weatherd went first */
    assert_int_equal(e->event_count, 2);
    assert_string_equal(e->subjects[e->events[0].subject].name, "weatherd");
    assert_int_equal(e->events[0].order, 1);
    assert_int_equal(e->stamps[e->events[0].stamp].shift_ns, (1 - 20) * JA_NS_PER_MS);
    assert_int_equal(e->stamps[e->events[1].stamp].shift_ns, (2 - 20) * JA_NS_PER_MS);
    assert_int_equal(e->events[1].bytes, 1310LL * PAGE);
    assert_int_equal(e->stamps[e->captured].shift_ns, -20 * JA_NS_PER_MS);
    assert_int_equal(named(e, "mapview")->peak_bytes, 40960LL * PAGE);
    ja_evidence_free(e);
}

/* A8: 4 KiB pages though arm64, and a lifetimeMax that is no peak of the footprint. */
static void old_reports(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("whole-ios10-resident-peak.ips");
    assert_int_equal(size_of(e, "HomeBoard"), 61000LL * 4096);
    assert_int_equal(named(e, "HomeBoard")->peak_bytes, JA_UNKNOWN);
    ja_evidence_free(e);
    e = parse_fixture("whole-macos-intel.ips");
    assert_int_equal(e->systems[0].tick_hz, 1000000000);
    /* 2500000 ticks of 1 ns are 2.5 ms; macOS' wired already holds the throttled pages */
    assert_int_equal(e->stamps[e->events[0].stamp].shift_ns, -7500000);
    assert_int_equal(figure(e, 0, JA_FIGURE_MANAGED),
                     (1380000LL + 500000 + 40000 + 700000 + 300000) * 4096);
    ja_evidence_free(e);
}

static void bad_numbers_cost_only_themselves(void **state)
{
    (void)state;
    static const char *const unsized[] = {"huge", "wrap",    "negative", "half",  "quoted",
                                          "null", "missing", "toolarge", "twice", "killednosize"};
    struct ja_evidence *e = parse_fixture("bad-numbers.ips");
    assert_int_equal(e->subject_count, 14);
    for (size_t i = 0; i < sizeof unsized / sizeof *unsized; i++)
        assert_int_equal(size_of(e, unsized[i]), JA_UNKNOWN);
    assert_int_equal(size_of(e, "twicesame"), 700LL * PAGE);
    assert_int_equal(size_of(e, "lasthero"), 64LL * PAGE);
    assert_int_equal(size_of(e, "badparts"), 64LL * PAGE);
    assert_int_equal(named(e, "badparts")->age_ticks, JA_UNKNOWN);
    assert_int_equal(e->event_count, 1);
    assert_int_equal(e->events[0].bytes, JA_UNKNOWN);
    assert_int_equal(figure(e, 0, JA_FIGURE_WIRED), JA_UNKNOWN);
    assert_int_equal(figure(e, 0, JA_FIGURE_MANAGED), JA_UNKNOWN);
    assert_int_equal(figure(e, 0, JA_FIGURE_COMPRESSOR), JA_UNKNOWN);
    assert_true(diagnosed(e, "bad-number") && diagnosed(e, "conflict"));
    ja_evidence_free(e);
}

static void an_age_may_be_negative(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("wrapped-age.ips");
    /* 2^64 - 6000000, as near as a double holds it (multiples of 2048) */
    assert_in_range((uint64_t)-named(e, "latecomer")->age_ticks, 6000000 - 1024, 6000000 + 1024);
    ja_evidence_free(e);
}

static bool has_value(const struct ja_evidence *whole, const struct ja_reading *reading)
{
    for (size_t i = 0; i < whole->reading_count; i++)
        if (whole->readings[i].value == reading->value)
            return true;
    return false;
}

/* Cut at every byte: what is read is true, and nothing is taken for the whole. */
static void every_cut(void **state)
{
    (void)state;
    size_t length;
    char *text = read_fixture("whole-ios18.ips", &length);
    struct ja_evidence *whole = parse(text, length);
    size_t end = length; /* behind the last brace only blanks follow */
    while (text[end - 1] != '}')
        end--;
    for (size_t cut = 20; cut < end; cut++) {
        char *copy = malloc(cut + 1);
        memcpy(copy, text, cut);
        copy[cut] = '\0';
        struct ja_evidence *e = parse(copy, cut);
        assert_true(e->status == JA_STATUS_DAMAGED || e->status == JA_STATUS_UNKNOWN);
        for (size_t i = 0; i < e->reading_count; i++)
            assert_true(has_value(whole, &e->readings[i]));
        for (size_t i = 0; i < e->record_count; i++) {
            assert_false(e->records[i].complete);
            assert_int_equal(figure(e, (uint32_t)i, JA_FIGURE_SUM_COMPRESSED), JA_UNKNOWN);
            for (int f = 0; f < JA_FIGURE_COUNT; f++) {
                int64_t value = figure(e, (uint32_t)i, (enum ja_figure)f);
                assert_true(value == JA_UNKNOWN || value == figure(whole, 0, (enum ja_figure)f));
            }
        }
        ja_evidence_free(e);
        free(copy);
    }
    ja_evidence_free(whole);
    free(text);
}

/* Begun at every line: true sizes only, and the host's own pages only when they are there. */
static void every_beginning(void **state)
{
    (void)state;
    size_t length;
    char *text = read_fixture("whole-ios18.ips", &length);
    struct ja_evidence *whole = parse(text, length);
    for (char *line = strchr(text, '\n'); line && line[1]; line = strchr(line + 1, '\n')) {
        struct ja_evidence *e = parse(line + 1, length - (size_t)(line + 1 - text));
        assert_int_not_equal(e->status, JA_STATUS_USED);
        for (size_t i = 0; i < e->reading_count; i++)
            assert_true(has_value(whole, &e->readings[i]));
        assert_true(e->subject_count <= whole->subject_count);
        ja_evidence_free(e);
    }
    ja_evidence_free(whole);
    free(text);
}

/* The kernel's buffer of 4000 rows: later processes are not in it. */
static void a_full_buffer(void **state)
{
    (void)state;
    char *text = calloc(1, 1 << 20);
    size_t at =
        (size_t)sprintf(text, "{\"bug_type\":\"298\",\"timestamp\":\"2026-05-02 08:00:00.00 "
                              "+0000\",\"os_version\":\"macOS 26.4 (25E246)\"}\n"
                              "{\"memoryStatus\":{\"pageSize\":16384},\"processes\":[");
    for (int i = 0; i < 4000; i++)
        at += (size_t)sprintf(text + at, "%s{\"pid\":%d,\"name\":\"p\",\"rpages\":%d}",
                              i ? "," : "", i, i);
    at += (size_t)sprintf(text + at, "]}");
    struct ja_evidence *e = parse(text, at);
    assert_int_equal(e->reading_count, 4000);
    assert_false(e->records[0].complete);
    const struct ja_fact *full = ja_record_fact(e, 0, JA_FACT_TABLE_FULL);
    assert_non_null(full);
    assert_int_equal(full->value, 4000);
    ja_evidence_free(e);
    free(text);
}

static void pages_and_ticks_by_model(void **state)
{
    (void)state;
    static const struct {
        const char *kernel, *product;
        int64_t page, hz;
    } rows[] = {
        {"x RELEASE_X86_64", "MacBookPro16,1", 4096, 1000000000},
        {"x RELEASE_ARM64_T6000", "MacBookPro18,1", 16384, 24000000},
        {NULL, "MacBookAir10,1", 16384, 24000000},
        {NULL, "MacBookPro16,1", 4096, 1000000000},
        {NULL, "Mac15,9", 16384, 24000000},
        {NULL, "iMac20,1", 4096, 1000000000},
        {NULL, "iMac21,1", 16384, 24000000},
        {NULL, "iPhone7,2", 4096, 24000000},
        {NULL, "iPhone8,1", 16384, 24000000},
        {NULL, "iPad5,3", 4096, 24000000},
        {NULL, "iPad6,3", 16384, 24000000},
        {NULL, "AudioAccessory1,1", 4096, 24000000},
        {NULL, "Watch4,2", 16384, 24000000},
        {NULL, "Watch2,3", JA_UNKNOWN, JA_UNKNOWN},
        {"x RELEASE_ARM64_T7001", NULL, 4096, 24000000},
        {"x RELEASE_ARM64_S8000", NULL, 16384, 24000000},
        {"x OtherARM64_T7000", "iPhone7,2", 4096, 24000000},
        {NULL, NULL, JA_UNKNOWN, JA_UNKNOWN},
        {"Darwin", "Toaster1,1", JA_UNKNOWN, JA_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(ja_jetsam_page_bytes(rows[i].kernel, rows[i].product), rows[i].page);
        assert_int_equal(ja_jetsam_tick_hz(rows[i].kernel, rows[i].product), rows[i].hz);
    }
}

static void the_peak_by_version(void **state)
{
    (void)state;
    assert_false(ja_jetsam_peak_is_footprint("root:xnu-4903.222.4~1/R", NULL));
    assert_true(ja_jetsam_peak_is_footprint("root:xnu-4903.270.47~7/R", NULL));
    assert_true(ja_jetsam_peak_is_footprint("root:xnu-7195.40.113.0.2~22/R", "iPhone OS 10.0"));
    assert_false(ja_jetsam_peak_is_footprint(NULL, "iPhone OS 12.1 (16B92)"));
    assert_true(ja_jetsam_peak_is_footprint(NULL, "iPhone OS 12.3 (16F156)"));
    assert_true(ja_jetsam_peak_is_footprint(NULL, "macOS 26.4 (25E246)"));
    assert_false(ja_jetsam_peak_is_footprint(NULL, "Mac OS X 10.14 (18A391)"));
    assert_false(ja_jetsam_peak_is_footprint(NULL, NULL));
}

static void tidying(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
        bool elided;
    } rows[] = {
        {"{\"a\":1, // one\n\"b\":2}", "{\"a\":1,       \n\"b\":2}", false},
        {"[1,2,]", "[1,2 ]", false},
        {"[{},\n...\n{}]", "[{},\n   \n{}]", true},
        {"[{}\n...\n{}]", "[{}\n,  \n{}]", true},
        {"[\n...,\n{}]", "[\n    \n{}]", true},
        {"[{},\n[... 12 more ...]\n]", "[{} \n                 \n]", true},
        {"{\"n\":1.5,\"s\":\"a...// b,]\"}", "{\"n\":1.5,\"s\":\"a...// b,]\"}", false},
        {"[1, /* x */ 2]", "[1,         2]", false},
        {"{\"a\":\"b\\\"//\"}", "{\"a\":\"b\\\"//\"}", false},
    };
    struct ja_arena *arena = ja_arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool elided, changed;
        char *got = ja_jetsam_tidy(rows[i].from, strlen(rows[i].from), arena, &elided, &changed);
        assert_string_equal(got, rows[i].to);
        assert_int_equal(elided, rows[i].elided);
        assert_int_equal(changed, strcmp(rows[i].from, rows[i].to) != 0);
    }
    ja_arena_free(arena);
}

static void frames(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum ja_ips_header header;
        const char *bug_type, *body;
    } rows[] = {
        {"{\"bug_type\":\"298\",\"os_version\":\"macOS 26\"}\nBODY", JA_IPS_LINE, "298", "\nBODY"},
        {"prose\n{\n \"bug_type\": \"210\",\n \"timestamp\": \"x\"\n}\nBODY", JA_IPS_PRETTY, "210",
         "\nBODY"},
        {"bug_type\":\"298\",\"timestamp\":\"x\"}\nBODY", JA_IPS_TORN, "298", "\nBODY"},
        {"{\"bug_type\":\"298\",\"timestamp\":\"x\",\n\"memoryStatus\":{}}", JA_IPS_MERGED, "298",
         "{\"bug_type\":\"298\",\"timestamp\":\"x\",\n\"memoryStatus\":{}}"},
        {"{\n \"bug_type\" : \"298\",\n \"memoryStatus\" : {", JA_IPS_MERGED, "298",
         "{\n \"bug_type\" : \"298\",\n \"memoryStatus\" : {"},
        {"{\"a\":1}", JA_IPS_NONE, NULL, "{\"a\":1}"},
        {"", JA_IPS_NONE, NULL, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ja_ips ips;
        ja_ips_split(rows[i].text, strlen(rows[i].text), &ips);
        assert_int_equal(ips.header, rows[i].header);
        assert_int_equal(ips.body.length, strlen(rows[i].body));
        assert_memory_equal(ips.body.text, rows[i].body, ips.body.length);
        assert_true(rows[i].bug_type ? ja_ips_is(&ips, rows[i].bug_type) : !ips.bug_type.text);
    }
}

/* Seconds of the processor for a broken report that says one thing again and again. */
static double seconds_of(const char *unit, char *text, size_t length)
{
    size_t n = strlen(unit);
    int at = sprintf(text, "{\"bug_type\":\"298\"}\n{\"processes\":[\n");
    for (size_t k = (size_t)at; k < length; k++)
        text[k] = unit[(k - (size_t)at) % n];
    text[length] = '\0';
    clock_t start = clock();
    ja_evidence_free(parse(text, length));
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

/* Text made to be gone through again and again costs no more than its length: eight times as much
 * of it takes eight times as long, not sixty-four times. */
static void hostile_text(void **state)
{
    (void)state;
    static const char *const units[] = {
        "{",
        "{\"name\":\"",
        "[{\"rpages\":",
        "\"memoryStatus\":{",
        "\"incident\" : \"x\",\n{\n",
        "{\"bug_type\":\"298\"}\n",
        "{\n\"bug_type\":\"298\",\"timestamp\":\"x\"\n",
        "bug_type\"",
        "{\"rpages\":1}",
        "{\"rpages\":1,}\n",
        "{\"memoryStatus\":{}}\n",
        "{\"memoryStatus\":{},}\n",
        "...\n",
        "// x\n",
    };
    const size_t length = 1 << 20;
    char *text = malloc(length + 1);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        double eighth = seconds_of(units[i], text, length / 8);
        double whole = seconds_of(units[i], text, length);
        if (whole > 1 && whole > 30 * eighth)
            fail_msg("unit %zu took %.3f s, an eighth of it %.3f s", i, whole, eighth);
    }
    free(text);
}

/* A row that holds a header's key is no header: the next report begins behind this one. */
static void the_next_report(void **state)
{
    (void)state;
    static const char text[] =
        "{\"bug_type\":\"298\",\"timestamp\":\"x\"}\n{ \"processes\" : [\n  {\n    \"killDelta\" : "
        "9\"bug_type\":\"298\"6,\n    \"timestamp\" : 3\n  } ] }\n"
        "{\"bug_type\":\"298\",\"timestamp\":\"y\"}\n{}\n";
    size_t second = (size_t)(strstr(text, "{\"bug_type\":\"298\",\"timestamp\":\"y\"") - text);
    size_t length = sizeof text - 1, steps = 0;
    for (size_t at = 0; at < length && steps < 10; steps++) {
        size_t next = ja_ips_next(text, length, at);
        assert_true(next > at);
        at = next;
    }
    assert_in_range(steps, 2, 3);
    assert_int_equal(ja_ips_next(text, length, second), length);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_report),
        cmocka_unit_test(old_reports),
        cmocka_unit_test(bad_numbers_cost_only_themselves),
        cmocka_unit_test(an_age_may_be_negative),
        cmocka_unit_test(every_cut),
        cmocka_unit_test(every_beginning),
        cmocka_unit_test(a_full_buffer),
        cmocka_unit_test(pages_and_ticks_by_model),
        cmocka_unit_test(the_peak_by_version),
        cmocka_unit_test(tidying),
        cmocka_unit_test(frames),
        cmocka_unit_test(the_next_report),
        cmocka_unit_test(hostile_text),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
