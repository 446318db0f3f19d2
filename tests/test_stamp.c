/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "parsers/stamp.h"

static struct ja_arena *arena;

static int set_up(void **state)
{
    (void)state;
    arena = ja_arena_new();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    ja_arena_free(arena);
    return 0;
}

/* "2026-09-06 04:59:54.5 +0:00 CST step 1" and the like. */
static const char *text_of(const struct ja_stamp *s)
{
    static char text[200];
    size_t n = 0;
    if (s->parts & JA_STAMP_BOOT)
        return ja_arena_print(arena, "boot %lld", (long long)(s->since_boot_ns / 1000));
    if ((s->parts & JA_STAMP_UNIX) && !(s->parts & JA_STAMP_DATE))
        return ja_arena_print(arena, "unix %lld step %lld", (long long)(s->unix_ns / 1000000),
                              (long long)s->step_ns);
    text[0] = '\0';
    if (s->parts & JA_STAMP_DATE)
        n += (size_t)sprintf(text + n, "%04d-%02d-%02d ", s->year, s->month, s->day);
    if (s->parts & JA_STAMP_YEARLESS)
        n += (size_t)sprintf(text + n, "?-%02d-%02d ", s->month, s->day);
    if (s->parts & JA_STAMP_TIME)
        n += (size_t)sprintf(text + n, "%02d:%02d:%02d", s->hour, s->minute, s->second);
    if (s->nanosecond)
        n += (size_t)sprintf(text + n, ".%03d", (int)(s->nanosecond / 1000000));
    if (s->parts & JA_STAMP_ZONE)
        n += (size_t)sprintf(text + n, " %+d", s->offset_s / 60);
    if (s->zone)
        n += (size_t)sprintf(text + n, " %s", s->zone);
    if (s->step_ns != JA_NS_PER_S)
        sprintf(text + n, " step %lld", (long long)(s->step_ns / 1000000));
    return text;
}

static void check_line(const char *line, const char *expected)
{
    struct ja_stamp stamp;
    bool is = ja_stamp_line(line, strlen(line), arena, &stamp);
    const char *got = is ? text_of(&stamp) : "no";
    if (strcmp(got, expected) != 0)
        fail_msg("\"%s\": got \"%s\", expected \"%s\"", line, got, expected);
}

static void date_command(void **state)
{
    (void)state;
    check_line("Sun Sep  6 04:59:54 UTC 2026", "2026-09-06 04:59:54 +0");
    check_line("Sun Sep  6 04:59:54 CST 2026", "2026-09-06 04:59:54 CST");
    check_line("Sun Sep  6 04:59:54 PM CEST 2026", "2026-09-06 16:59:54 +120");
    check_line("Sun Sep  6 04:59:54 -03 2026", "2026-09-06 04:59:54 -180");
    check_line("Sun Sep  6 04:59:54 XYZT 2026", "2026-09-06 04:59:54 XYZT");
    check_line("Sun Sep 06 2026 04:59:54", "2026-09-06 04:59:54");
    check_line("Sun  6 Sep 2026 04:59:54 BST", "2026-09-06 04:59:54 BST");
    check_line("Mon, 30 Nov 2026 10:00:00 +0000", "2026-11-30 10:00:00 +0");
    check_line("30/Nov/2026:10:00:00 -0500", "2026-11-30 10:00:00 -300");
}

static void locales(void **state)
{
    (void)state;
    check_line("Mo 30. Nov 10:00:00 CET 2026", "2026-11-30 10:00:00 +60");
    check_line("Di Aug 12 10:00:00 2025", "2025-08-12 10:00:00");
    check_line("Mo 30. März 10:00:00 MESZ 2026", "2026-03-30 10:00:00 +120");
    check_line("dim. 19 avril 2020 10:00:00 UTC", "2020-04-19 10:00:00 +0");
    check_line("mar. 17 nov. 2026 10:00:00 CET", "2026-11-17 10:00:00 +60");
    check_line("lundi 30 novembre 2026, 10:00:00 (UTC+0100)", "2026-11-30 10:00:00 +60");
    check_line("mar 3 10:00:00 2026", "2026-03-03 10:00:00");
    check_line("lun 30 nov 2026 10:00:00 -03", "2026-11-30 10:00:00 -180");
    check_line("Пн 30 Ноя 2026 10:00:00 MSK", "2026-11-30 10:00:00 +180");
    check_line("2026年 11月30日 月曜日 10:00:00 JST", "2026-11-30 10:00:00 +540");
    check_line("2026年11月30日(月) 10時00分00秒 JST", "2026-11-30 10:00:00 +540");
    check_line("2026年 11月 30日 星期一 10:00:00 CST", "2026-11-30 10:00:00 CST");
    check_line("2026年 11月 30日 周一 下午3:05:07 CST", "2026-11-30 15:05:07 CST");
    check_line("2026년 11월 30일 월요일 10시 00분 00초 KST", "2026-11-30 10:00:00 +540");
    check_line("2026. 11. 30. (월) 10:00:00 KST", "2026-11-30 10:00:00 +540");
    check_line("понедельник, 30 ноября 2026 г. 10:00:00 (MSK)", "2026-11-30 10:00:00 +180");
    check_line("segunda-feira, 30 de novembro de 2026 10:00:00", "2026-11-30 10:00:00");
    check_line("ma 30.11.2026 10.00.00 +0200", "2026-11-30 10:00:00 +120");
    check_line("2026年11月30日 (週一) 10時00分00秒 CST", "2026-11-30 10:00:00 CST");
    check_line("November 30, 2026 at 10:00:00 AM GMT+1", "2026-11-30 10:00:00 +60");
    check_line("Mon Nov 30 2026 10:00:00 GMT+0100 (Central European Standard Time)",
               "2026-11-30 10:00:00 +60");
    check_line("19时06分04秒", "19:06:04");
    check_line("30.11.2026 10:00:00", "2026-11-30 10:00:00");
}

static void iso_and_epoch(void **state)
{
    (void)state;
    check_line("2026-11-30T10:00:05Z", "2026-11-30 10:00:05 +0");
    check_line("2026-11-30 10:00:05.250 +0530", "2026-11-30 10:00:05.250 +330 step 1");
    check_line("2026-11-30 10:00:05,25-05:00", "2026-11-30 10:00:05.250 -300 step 10");
    check_line("2026-11-30 10:00", "2026-11-30 10:00:00 step 60000");
    check_line("20261130T093010Z", "2026-11-30 09:30:10 +0");
    check_line("2026/05/28 03:43:04", "2026-05-28 03:43:04");
    check_line("2026-11-30", "2026-11-30  step 86400000");
    check_line("20261130 09:30:10", "2026-11-30 09:30:10");
    check_line("2026-11-30-09:30:10", "2026-11-30 09:30:10");
    check_line("30-11-2026 09:30:10", "2026-11-30 09:30:10");
    check_line("1694770000", "unix 1694770000000 step 1000000000");
    check_line("1694770000.25", "unix 1694770000250 step 10000000");
    check_line("1694770000123", "unix 1694770000123 step 1000000");
    check_line("5/28/2026, 3:43:04 PM", "2026-05-28 15:43:04");
    check_line("5/6/2026, 12:43:04 AM", "2026-05-06 00:43:04");
    check_line("28/05/2026 03:43:04", "2026-05-28 03:43:04");
    check_line("05/06/2026 03:43:04", "no"); /* two readings */
}

static void banners(void **state)
{
    (void)state;
    check_line("=== 02:47:17 ===", "02:47:17");
    check_line("=== embedd 2026-09-25 02:43:29 CST ===", "2026-09-25 02:43:29 CST");
    check_line("---- Sun Sep  6 04:59:54 UTC 2026", "2026-09-06 04:59:54 +0");
    check_line("Time: 2026-09-05T11:27:12.932+05:30", "2026-09-05 11:27:12.932 +330 step 1");
    check_line("[2026-09-05 11:27:12]", "2026-09-05 11:27:12");
    check_line("# 2026-09-05 11:27:12", "2026-09-05 11:27:12");
    check_line(">>> 2026-09-05 11:27:12", "2026-09-05 11:27:12");
    check_line("sampled at 2026-09-05 11:27:12", "2026-09-05 11:27:12");
    check_line("epoch=1694770000", "unix 1694770000000 step 1000000000");
    check_line("== 2026-11-30 10:00:00 +0100 (before) ==", "2026-11-30 10:00:00 +60");
    check_line("Every 2.0s: kubectl top pod    node: Mon Nov 30 10:00:00 2026",
               "2026-11-30 10:00:00");
    check_line("=== round 3 ===", "no");
    check_line("    ---        ---          ---", "no");
}

static void no_stamps(void **state)
{
    (void)state;
    const char *lines[] = {
        "Date/Time:       2026-08-12 11:17:27.100 -0300",
        "2026-08-12 11:17:27 something happened",
        "12:30",
        "25:00:00",
        "2026-13-01 10:00:00",
        "2026-02-30 10:00:00",
        "10.11.12.13",
        "1-02:03:04",
        "12345678",
        "123456789012",
        "9999999999",
        "7f8800000000-7f8810000000",
        "2026-11-30 10:00:00 -2359",
        "May be it works",
        "05-06-2026 10:00:00",
        "count=1694770",
        "total = 2026",
        "version 2026.09.15.1",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        check_line(lines[i], "no");
}

static void check_prefix(const char *line, const char *expected, const char *rest)
{
    struct ja_stamp stamp;
    size_t used = 0;
    bool is = ja_stamp_prefix(line, strlen(line), arena, &stamp, &used);
    const char *got = is ? text_of(&stamp) : "no";
    if (strcmp(got, expected) != 0)
        fail_msg("\"%s\": got \"%s\", expected \"%s\"", line, got, expected);
    if (is && strcmp(line + used, rest) != 0)
        fail_msg("\"%s\": rest \"%s\"", line, line + used);
}

static void prefixes(void **state)
{
    (void)state;
    check_prefix("2026-11-30T10:00:05Z VmRSS: 1 kB", "2026-11-30 10:00:05 +0", " VmRSS: 1 kB");
    check_prefix("[Di Aug 12 10:00:00 2025] x", "2025-08-12 10:00:00", " x");
    check_prefix("Nov 30 10:00:00 host kernel: x", "?-11-30 10:00:00", " host kernel: x");
    check_prefix("апр 28 10:00:00 host x", "?-04-28 10:00:00", " host x");
    check_prefix("mars 01 10:00:00 host x", "?-03-01 10:00:00", " host x");
    check_prefix("10:04:59  8,761 MB", "10:04:59", "  8,761 MB");
    check_prefix("1694770000,42,17", "unix 1694770000000 step 1000000000", ",42,17");
    check_prefix("[   12.345678] oom", "boot 12345678", " oom");
    check_prefix("<6>[12345.678901] oom", "boot 12345678901", " oom");
    check_prefix("I170923 12:34:56.789012 1 x", "2017-09-23 12:34:56.789 step 0", " 1 x");
    check_prefix("2026-11-30 10:00:00 INFO x", "2026-11-30 10:00:00", " INFO x");
    check_prefix("11/30/2026, 3:05:07 PM x", "2026-11-30 15:05:07", " x");
    check_prefix("10:05 x", "no", "");
    check_prefix("2026-11-30 x", "no", "");
    check_prefix("16943 x", "no", "");
    check_prefix("12 Monkeys 10:00:00", "no", "");
}

static void check_name(const char *name, const char *expected)
{
    struct ja_stamp stamp;
    bool is = ja_stamp_in_name(name, strlen(name), arena, &stamp);
    const char *got = is ? text_of(&stamp) : "no";
    if (strcmp(got, expected) != 0)
        fail_msg("\"%s\": got \"%s\", expected \"%s\"", name, got, expected);
    if (is)
        assert_int_equal(stamp.clock, JA_CLOCK_FILE_NAME);
}

static void names(void **state)
{
    (void)state;
    check_name("20261130T093010Z", "2026-11-30 09:30:10 +0");
    check_name("01-footprint-2026-09-15_152629.txt", "2026-09-15 15:26:29");
    check_name("gpu-20260915-152629.csv", "2026-09-15 15:26:29");
    check_name("footprint_1694770000.txt", "unix 1694770000000 step 1000000000");
    check_name("JetsamEvent-2020-11-10-135614.ips", "2020-11-10 13:56:14");
    check_name("panic-full-2026-05-04-120744.000.ips", "2026-05-04 12:07:44");
    check_name("Screen 2026-09-15 at 15.26.29.txt", "2026-09-15 15:26:29");
    check_name("x-2026-09-15T15-26-29+0200.log", "2026-09-15 15:26:29 +120");
    check_name("meminfo-2019-11-22.log", "2019-11-22  step 86400000");
    check_name("x_20260915152629.txt", "2026-09-15 15:26:29");
    check_name("smaps-4711.txt", "no");
    check_name("run-9999999999.txt", "no");
    check_name("v2026.13.40", "no");
    check_name("a-19991130-101010", "no");
}

/* A folder a day, in it a folder a round. */
static void day_and_clock_folders(void **state)
{
    (void)state;
    static const struct {
        const char *path, *text;
    } are[] = {{"20261130/093010", "2026-11-30 09:30:10"},
               {"node7-2026-11-30/09:30:10", "2026-11-30 09:30:10"},
               {"2026-11-30/09-30-10", "2026-11-30 09:30:10"}};
    static const char *const are_not[] = {"20261130/0930", "20261130/proc",     "20261130/793010",
                                          "20261130/1203", "x/20261130T093010", "20261130/0930101"};
    struct ja_stamp stamp;
    for (size_t i = 0; i < sizeof are / sizeof *are; i++) {
        assert_true(ja_stamp_in_folders(are[i].path, strlen(are[i].path), arena, &stamp));
        assert_string_equal(text_of(&stamp), are[i].text);
        assert_int_equal(stamp.clock, JA_CLOCK_FILE_NAME);
    }
    for (size_t i = 0; i < sizeof are_not / sizeof *are_not; i++)
        assert_false(ja_stamp_in_folders(are_not[i], strlen(are_not[i]), arena, &stamp));
}

static void zones(void **state)
{
    (void)state;
    int offset = 1;
    assert_true(ja_zone_offset("+0300", 5, &offset) && offset == 10800);
    assert_true(ja_zone_offset("-09:30", 6, &offset) && offset == -34200);
    assert_true(ja_zone_offset("JST", 3, &offset) && offset == 32400);
    assert_true(ja_zone_offset("UTC", 3, &offset) && offset == 0);
    assert_true(ja_zone_offset("Z", 1, &offset) && offset == 0);
    offset = 7;
    assert_false(ja_zone_offset("CST", 3, &offset));
    assert_false(ja_zone_offset("-2359", 5, &offset));
    assert_false(ja_zone_offset("Mars", 4, &offset));
    assert_false(ja_zone_offset("", 0, &offset));
    assert_int_equal(offset, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(date_command),  cmocka_unit_test(locales),
        cmocka_unit_test(iso_and_epoch), cmocka_unit_test(banners),
        cmocka_unit_test(no_stamps),     cmocka_unit_test(prefixes),
        cmocka_unit_test(names),         cmocka_unit_test(day_and_clock_folders),
        cmocka_unit_test(zones),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
