/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "parsers/scan.h"

static struct ja_scan of(const char *text)
{
    return ja_scan_of(text, strlen(text));
}

static void whole_numbers(void **state)
{
    (void)state;
    int64_t value = 7;
    struct ja_scan scan = of("9223372036854775807x");
    assert_true(ja_scan_u63(&scan, &value));
    assert_true(value == INT64_MAX);
    assert_true(ja_scan_char(&scan, 'x'));
    scan = of("9223372036854775808");
    assert_false(ja_scan_u63(&scan, &value));
    assert_true(value == INT64_MAX && scan.at == 0);
    scan = of("-42");
    assert_false(ja_scan_u63(&scan, &value));
    assert_true(ja_scan_i64(&scan, &value));
    assert_true(value == -42);
    scan = of(" 1");
    assert_false(ja_scan_i64(&scan, &value));
    scan = ja_scan_of("123", 2); /* nothing is read behind the end */
    assert_true(ja_scan_u63(&scan, &value));
    assert_true(value == 12 && ja_scan_end(&scan));
}

static void hexadecimal(void **state)
{
    (void)state;
    uint64_t value;
    struct ja_scan scan = of("0xffffffffffffffff");
    assert_true(ja_scan_hex(&scan, &value));
    assert_true(value == UINT64_MAX);
    scan = of("7fF8-");
    assert_true(ja_scan_hex(&scan, &value));
    assert_true(value == 0x7ff8 && scan.at == 4);
    scan = of("0x11112222333344445");
    assert_false(ja_scan_hex(&scan, &value));
    scan = of("0xg");
    assert_false(ja_scan_hex(&scan, &value));
}

static void check_decimal(const char *text, int64_t mantissa, int decimals, size_t used)
{
    int64_t m = -1;
    int d = -1;
    struct ja_scan scan = of(text);
    assert_true(ja_scan_decimal(&scan, &m, &d));
    if (m != mantissa || d != decimals || scan.at != used)
        fail_msg("%s: got %lld / 10^%d, %zu bytes", text, (long long)m, d, scan.at);
}

static void decimals(void **state)
{
    (void)state;
    check_decimal("57.9 GB", 579, 1, 4);
    check_decimal("6655,06M", 665506, 2, 7);
    check_decimal("8,761 MB", 8761, 0, 5);
    check_decimal("15,360", 15360, 0, 6);
    check_decimal("1,234,567.25", 123456725, 2, 12);
    check_decimal("1.234.567", 1234567, 0, 9);
    check_decimal("1.234,56", 123456, 2, 8);
    check_decimal("1.234", 1234, 3, 5);
    check_decimal("12345,678", 12345678, 3, 9);
    check_decimal("0,761", 761, 3, 5);
    check_decimal("8,7612", 87612, 4, 6);
    check_decimal("42.", 42, 0, 2);
    check_decimal("42, 17", 42, 0, 2);
    check_decimal("0", 0, 0, 1);
    int64_t m;
    int d;
    struct ja_scan scan = of("9999999999999999999");
    assert_false(ja_scan_decimal(&scan, &m, &d));
    scan = of("-5");
    assert_false(ja_scan_decimal(&scan, &m, &d));
    scan = of(",5");
    assert_false(ja_scan_decimal(&scan, &m, &d));
}

static void doubles(void **state)
{
    (void)state;
    double value = 0;
    struct ja_scan scan = of("-12.5e2 rest");
    assert_true(ja_scan_double(&scan, &value));
    assert_true(value < -1249.9 && value > -1250.1 && scan.at == 7);
    scan = of("1e999");
    assert_false(ja_scan_double(&scan, &value));
    scan = of("inf");
    assert_false(ja_scan_double(&scan, &value));
    scan = of("0x10");
    assert_true(ja_scan_double(&scan, &value));
    assert_int_equal(scan.at, 1);
    scan = of("3e");
    assert_true(ja_scan_double(&scan, &value));
    assert_int_equal(scan.at, 1);
}

static void check_size(const char *text, int64_t value, int64_t step)
{
    struct ja_quantity q = {0};
    struct ja_scan scan = of(text);
    if (!ja_scan_size(&scan, &q) || q.value != value || q.resolution != step)
        fail_msg("%s: got %lld step %lld", text, (long long)q.value, (long long)q.resolution);
}

static void sizes(void **state)
{
    (void)state;
    check_size("9999 KB", 9999 * JA_KIB, JA_KIB);
    check_size("10 MB", 10 * JA_MIB, JA_MIB);
    check_size("142MB", 142 * JA_MIB, JA_MIB);
    check_size("27 GB", 27 * JA_GIB, JA_GIB);
    check_size("4096 B", 4096, 1);
    check_size("9743K", 9743 * JA_KIB, JA_KIB);
    check_size("886.7M", 929772339, 104858);
    check_size("21.3G", 22870700851, 107374183);
    check_size("795.4MiB", 834037350, 104858);
    check_size("1.2g", 1288490189, 107374183);
    check_size("27.9m", 29255270, 104858);
    check_size("13262.06M", 13906277827, 10486);
}

static void units_refused(void **state)
{
    (void)state;
    struct ja_quantity q = {.value = 5};
    struct ja_scan scan = of("123");
    assert_false(ja_scan_size(&scan, &q));
    scan = of("12 Maps");
    assert_false(ja_scan_size(&scan, &q));
    scan = of("12 pages");
    assert_false(ja_scan_size(&scan, &q));
    scan = of("9999999999999 TB");
    assert_false(ja_scan_size(&scan, &q));
    assert_true(q.value == 5 && scan.at == 0);
    assert_false(ja_scale(-1, 0, 1, &q));
    assert_true(ja_scale(1, 18, JA_TIB, &q));
    assert_true(q.value == 0 && q.resolution == 1);
    assert_true(ja_scale(16, 0, 1, &q));
    assert_int_equal(q.rounding, JA_ROUNDING_EXACT);
    assert_true(ja_scale(16, 0, JA_KIB, &q));
    assert_int_equal(q.rounding, JA_ROUNDING_NEAREST);
}

static void texts(void **state)
{
    (void)state;
    const char *text = "\xC2\xA0 \tname \r\n";
    size_t length = strlen(text);
    ja_text_trim(&text, &length);
    assert_true(ja_text_is(text, length, "name"));
    assert_true(ja_text_begins("abc", 3, "ab"));
    assert_false(ja_text_begins("abc", 1, "ab"));
    assert_true(ja_text_ends("abc", 3, "bc"));
    assert_int_equal(ja_text_find("aabaab", 6, "aab"), 0);
    assert_int_equal(ja_text_find("abaaab", 6, "aab"), 3);
    assert_int_equal(ja_text_find("abc", 2, "bc"), 2);
    assert_int_equal(ja_text_find("", 0, "x"), 0);
    struct ja_scan scan = of(" \xE2\x80\xAFone two");
    const char *word;
    ja_scan_blanks(&scan);
    assert_true(ja_scan_word(&scan, &word, &length));
    assert_true(ja_text_is(word, length, "one"));
    assert_false(ja_scan_word(&scan, &word, &length));
    text = "";
    length = 0;
    ja_text_trim(&text, &length);
    assert_int_equal(length, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers), cmocka_unit_test(hexadecimal),
        cmocka_unit_test(decimals),      cmocka_unit_test(doubles),
        cmocka_unit_test(sizes),         cmocka_unit_test(units_refused),
        cmocka_unit_test(texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
