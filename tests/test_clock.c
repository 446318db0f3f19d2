/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/clock.h"
#include "parsers/stamp.h"

static struct ja_evidence *evidence;
static struct ja_clock_context context;
static struct ja_instant instants[64];
static bool zone_unknown;

static int set_up(void **state)
{
    (void)state;
    evidence = ja_evidence_new("x");
    context = (struct ja_clock_context){
        .boot_unix_ns = JA_UNKNOWN, .stated_unix_ns = JA_UNKNOWN, .mtime_ns = JA_UNKNOWN};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    ja_evidence_free(evidence);
    return 0;
}

/* A record at this clock reading; its stamp's index. */
static uint32_t at(const char *text)
{
    struct ja_stamp stamp;
    size_t used;
    if (!ja_stamp_line(text, strlen(text), evidence->arena, &stamp) &&
        !ja_stamp_prefix(text, strlen(text), evidence->arena, &stamp, &used))
        fail_msg("no stamp: %s", text);
    uint32_t index = ja_add_stamp(evidence, &stamp);
    ja_add_record(evidence, JA_KIND_PS, index);
    return index;
}

static void named(const char *text)
{
    struct ja_stamp stamp;
    assert_true(ja_stamp_in_name(text, strlen(text), evidence->arena, &stamp));
    evidence->name_stamp = ja_add_stamp(evidence, &stamp);
}

static void resolve(void)
{
    assert_true(evidence->stamp_count <= 64);
    ja_evidence_close(evidence);
    zone_unknown = ja_clock_resolve(evidence, &context, instants);
}

static void check(uint32_t index, const char *expected)
{
    char text[JA_INSTANT_TEXT] = "unknown";
    if (ja_instant_known(&instants[index]))
        ja_instant_print(instants[index].unix_ns, text);
    if (strncmp(text, expected, strlen(expected)) != 0)
        fail_msg("stamp %u: got %s, expected %s", index, text, expected);
}

static bool has_diagnostic(const char *code)
{
    for (size_t i = 0; i < evidence->diagnostic_count; i++)
        if (strcmp(evidence->diagnostics[i].code, code) == 0)
            return true;
    return false;
}

static void exact_readings(void **state)
{
    (void)state;
    uint32_t a = at("2026-05-04 12:07:44.19 +0200"), b = at("1694770000"),
             c = at("2026-05-04 12:08Z");
    evidence->stamps[b].error_ns = 60 * JA_NS_PER_S;
    evidence->stamps[c].shift_ns = -5 * JA_NS_PER_S;
    resolve();
    check(a, "2026-05-04T10:07:44.190000Z");
    assert_true(instants[a].early_ns == instants[a].unix_ns);
    assert_true(instants[a].late_ns - instants[a].unix_ns == JA_NS_PER_S / 100);
    assert_string_equal(instants[a].text, "2026-05-04 12:07:44.19 +0200");
    check(b, "2023-09-15T09:26:40.000000Z");
    assert_true(instants[b].unix_ns - instants[b].early_ns == 60 * JA_NS_PER_S);
    assert_true(instants[b].late_ns - instants[b].unix_ns == 61 * JA_NS_PER_S);
    check(c, "2026-05-04T12:07:55.000000Z");
    assert_true(instants[c].late_ns - instants[c].early_ns == 60 * JA_NS_PER_S);
    assert_false(zone_unknown);
}

static void microseconds(void **state)
{
    (void)state;
    uint32_t a = at("2026-05-04 12:07:44.123456789Z");
    resolve();
    check(a, "2026-05-04T12:07:44.123456Z");
    assert_true(instants[a].late_ns % 1000 == 0 && instants[a].late_ns > instants[a].unix_ns);
}

static void midnight_is_rolled_over(void **state)
{
    (void)state;
    at("2026-09-25 23:53:29 +0800");
    uint32_t a = at("=== 23:59:59 ==="), b = at("=== 00:03:29 ==="), c = at("=== 00:03:20 ==="),
             d = at("=== 00:02:00 ===");
    context.has_zone = true; /* the offset in the file comes first */
    resolve();
    check(a, "2026-09-25T15:59:59");
    check(b, "2026-09-25T16:03:29");
    check(c, "2026-09-25T16:03:20"); /* seconds out of order are no day */
    check(d, "2026-09-25T16:02:00");
    assert_false(zone_unknown);
}

static void a_neighbours_offset_settles_an_abbreviation(void **state)
{
    (void)state;
    uint32_t a = at("=== x 2026-09-25 22:53:29 CST ==="), b = at("2026-09-25 22:53:29.100 +0800"),
             c = at("=== 23:03:29 ===");
    resolve();
    check(a, "2026-09-25T14:53:29");
    check(b, "2026-09-25T14:53:29.1");
    check(c, "2026-09-25T15:03:29");
    assert_false(zone_unknown);
}

static void an_offset_that_cannot_be_meant(void **state)
{
    (void)state;
    at("2026-09-25 22:53:29 +0200");
    uint32_t a = at("2026-09-25 22:53:29 CST");
    context.has_zone = true;
    context.zone_offset_s = -6 * 3600;
    resolve();
    check(a, "2026-09-26T04:53:29");
    assert_false(zone_unknown);
}

static void a_fact_settles_the_zone(void **state)
{
    (void)state;
    uint32_t a = at("2026-09-25 22:53:29");
    ja_add_fact(evidence, 0, JA_FACT_ZONE_OFFSET_S, 19800, NULL, JA_NONE);
    resolve();
    check(a, "2026-09-25T17:23:29");
}

static void no_zone_at_all(void **state)
{
    (void)state;
    uint32_t a = at("2026-09-25 22:53:29 IST"), b = at("2026-09-25 22:53:59"),
             c = at("2026-09-25T22:53:59Z"); /* Z is also printed by machines elsewhere */
    resolve();
    check(a, "2026-09-25T22:53:29");
    check(b, "2026-09-25T22:53:59");
    check(c, "2026-09-25T22:53:59");
    assert_true(zone_unknown);
    assert_true(has_diagnostic("zone-unknown"));
}

static void the_operators_zone(void **state)
{
    (void)state;
    named("01-footprint-2026-09-15_152629.txt");
    uint32_t a = at("2026/05/28 03:43:04");
    context.has_zone = true;
    context.zone_offset_s = 7200;
    resolve();
    check(0, "2026-09-15T13:26:29");
    check(a, "2026-05-28T01:43:04");
    assert_int_equal(instants[0].clock, JA_CLOCK_FILE_NAME);
    assert_false(zone_unknown);
}

static void dates_from_behind_and_from_the_name(void **state)
{
    (void)state;
    uint32_t a = at("=== 23:50:00 ==="), b = at("=== 00:10:00 ==="),
             c = at("2026-01-02 00:20:00 UTC");
    resolve();
    check(a, "2026-01-01T23:50:00");
    check(b, "2026-01-02T00:10:00");
    check(c, "2026-01-02T00:20:00");
}

static void dates_from_the_name(void **state)
{
    (void)state;
    named("log-20260915-222629.txt");
    uint32_t a = at("=== 22:20:00 ==="), b = at("=== 00:10:00 ===");
    resolve();
    check(a, "2026-09-15T22:20:00");
    check(b, "2026-09-16T00:10:00");
}

static void dates_from_the_operator(void **state)
{
    (void)state;
    uint32_t a = at("=== 23:59:00 ==="), b = at("=== 00:10:00 ===");
    context.stated_unix_ns = INT64_C(1790899200) * JA_NS_PER_S; /* 2026-10-02T00:00:00Z */
    resolve();
    check(a, "2026-10-01T23:59:00");
    check(b, "2026-10-02T00:10:00");
}

static void no_date_at_all(void **state)
{
    (void)state;
    uint32_t a = at("=== 22:20:00 ===");
    context.mtime_ns = INT64_C(1790000000) * JA_NS_PER_S; /* tells no date */
    resolve();
    check(a, "unknown");
    assert_true(has_diagnostic("no-date"));
    assert_false(zone_unknown);
}

static void bare_times_under_their_own_lines(void **state)
{
    (void)state;
    uint32_t first = at("2026-06-11 10:00:00 UTC"), second = at("2026-06-13 10:00:00 UTC");
    uint32_t a = at("10:04:59  1 MB"), b = at("00:05:09  1 MB"), c = at("10:04:59  1 MB");
    evidence->stamps[a].date_from = evidence->stamps[b].date_from = first + 1;
    evidence->stamps[c].date_from = second + 1;
    resolve();
    check(a, "2026-06-11T10:04:59");
    check(b, "2026-06-12T00:05:09");
    check(c, "2026-06-13T10:04:59");
}

static void years_of_syslog(void **state)
{
    (void)state;
    uint32_t a = at("Dec 31 23:59:00 host x"), b = at("Jan  1 00:01:00 host x");
    context.mtime_ns = INT64_C(1798848000) * JA_NS_PER_S; /* 2027-01-02 */
    resolve();
    check(a, "2026-12-31T23:59:00");
    check(b, "2027-01-01T00:01:00");
    assert_true(has_diagnostic("year-from-mtime"));
}

static void years_from_a_neighbour(void **state)
{
    (void)state;
    uint32_t a = at("Dec 31 23:59:00 host x"), b = at("2027-01-01T00:00:30Z"),
             c = at("Feb 29 00:01:00 host x");
    resolve();
    check(a, "2026-12-31T23:59:00");
    check(b, "2027-01-01T00:00:30");
    assert_true(ja_instant_known(&instants[c]));
}

static void since_boot(void **state)
{
    (void)state;
    uint32_t a = at("[   12.345678] x");
    resolve();
    check(a, "unknown");
    context.boot_unix_ns = INT64_C(1700000000) * JA_NS_PER_S;
    resolve();
    check(a, "2023-11-14T22:13:32.345678");
    context.boot_unix_ns = JA_UNKNOWN;
    uint32_t system = ja_add_system(evidence);
    uint32_t boot = at("1700000000");
    evidence->systems[system].boot_stamp = boot;
    resolve();
    check(a, "2023-11-14T22:13:32.345678");
    assert_true(instants[a].late_ns - instants[a].early_ns >= JA_NS_PER_S); /* btime is whole */
}

static void bounds_only(void **state)
{
    (void)state;
    uint32_t a = at("2026-05-04 12:07:44Z");
    evidence->stamps[a].parts |= JA_STAMP_NOT_AFTER;
    resolve();
    check(a, "unknown");
    assert_true(instants[a].early_ns == JA_UNKNOWN);
    assert_true(instants[a].late_ns != JA_UNKNOWN);
}

static void starts_carry_no_date(void **state)
{
    (void)state;
    at("2026-06-11 10:00:00 UTC");
    uint32_t subject = ja_add_subject(evidence, 0, "x", 1);
    uint32_t start = at("2026-06-01 09:00:00 UTC");
    ja_subject_more(&evidence->subjects[subject], evidence->arena)->start_stamp = start;
    uint32_t a = at("=== 10:10:00 ===");
    uint32_t late = ja_add_subject(evidence, 0, "y", 2);
    uint32_t bare = at("11:00:00 ps START");
    ja_subject_more(&evidence->subjects[late], evidence->arena)->start_stamp = bare;
    resolve();
    check(a, "2026-06-11T10:10:00");
    check(bare, "2026-06-10T11:00:00"); /* a start is before the moment that tells of it */
}

static void years_out_of_range(void **state)
{
    (void)state;
    uint32_t a = at("1999-12-31 23:59:59Z"), b = at("2101-01-01 00:00:00Z"),
             c = at("2100-12-31 00:00:00Z");
    resolve();
    check(a, "unknown");
    check(b, "unknown");
    check(c, "2100-12-31");
    assert_true(has_diagnostic("bad-time"));
}

/* Nothing stands at the time in this file's name. */
static void names_that_nothing_is_dated_by(void **state)
{
    (void)state;
    static const struct ja_stamp name = {
        .clock = JA_CLOCK_FILE_NAME, .parts = JA_STAMP_UNIX, .unix_ns = 1};
    at("2026-03-29 14:05:00 +0200");
    evidence->name_stamp = ja_add_stamp(evidence, &name);
    resolve();
    assert_false(has_diagnostic("bad-time"));
    assert_false(ja_instant_known(&instants[evidence->name_stamp]));
}

static void a_date_alone(void **state)
{
    (void)state;
    named("meminfo-2019-11-22.log");
    ja_add_record(evidence, JA_KIND_PS, JA_NONE);
    resolve();
    check(0, "2019-11-22T12:00:00");
    assert_true(instants[0].late_ns - instants[0].early_ns == 86400 * JA_NS_PER_S);
    assert_true(zone_unknown);
}

static void the_operators_time(void **state)
{
    (void)state;
    struct ja_statements statements = ja_statements_none();
    struct ja_stamp stamp;
    struct ja_instant instant;
    assert_true(ja_stamp_exact("2026-10-17T01:20:00", 19, evidence->arena, &stamp));
    statements.has_zone = true;
    statements.zone_offset_s = 3600;
    assert_true(ja_clock_stated(&stamp, &statements, &instant));
    instants[0] = instant;
    check(0, "2026-10-17T00:20:00");
    assert_true(ja_stamp_exact("01:20:00", 8, evidence->arena, &stamp));
    assert_false(ja_clock_stated(&stamp, &statements, &instant));
}

/* In the night of 2026-10-25 clocks went back by an hour. */
static void the_end_of_summer_time(void **state)
{
    static const char *const logs[][4] = {
        {"2026-10-25 02:20:00", "2026-10-25 02:50:00", "2026-10-25 02:10:00",
         "2026-10-25 02:40:00"},
        {"2026-10-24 02:20:00", "2026-10-24 02:50:00", "2026-10-24 02:10:00",
         "2026-10-24 02:40:00"},
        {"2026-10-25 02:20:00", "2026-10-25 02:50:00", "2026-10-25 02:10:00",
         "2026-10-25 02:00:00"},
        {"2026-10-25 02:20:00Z", "2026-10-25 02:50:00Z", "2026-10-25 02:10:00Z",
         "2026-10-25 02:40:00Z"},
    };
    uint32_t stamps[4];
    for (size_t log = 0; log < 4; log++) {
        tear_down(state);
        set_up(state);
        for (size_t i = 0; i < 4; i++)
            stamps[i] = at(logs[log][i]);
        resolve();
        assert_true(has_diagnostic("summer-time") == (log == 0));
        check(stamps[2], log == 0   ? "2026-10-25T03:10:00"
                         : log == 1 ? "2026-10-24T02:10:00"
                                    : "2026-10-25T02:10:00");
        assert_true(instants[stamps[2]].early_ns ==
                    (log ? instants[stamps[2]].unix_ns : instants[stamps[1]].unix_ns));
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(exact_readings),
        TEST(microseconds),
        TEST(midnight_is_rolled_over),
        TEST(a_neighbours_offset_settles_an_abbreviation),
        TEST(an_offset_that_cannot_be_meant),
        TEST(a_fact_settles_the_zone),
        TEST(no_zone_at_all),
        TEST(the_operators_zone),
        TEST(dates_from_behind_and_from_the_name),
        TEST(dates_from_the_name),
        TEST(dates_from_the_operator),
        TEST(no_date_at_all),
        TEST(bare_times_under_their_own_lines),
        TEST(years_of_syslog),
        TEST(years_from_a_neighbour),
        TEST(since_boot),
        TEST(bounds_only),
        TEST(starts_carry_no_date),
        TEST(years_out_of_range),
        TEST(names_that_nothing_is_dated_by),
        TEST(a_date_alone),
        TEST(the_operators_time),
        TEST(the_end_of_summer_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
