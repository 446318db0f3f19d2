/* SPDX-License-Identifier: MIT
 *
 * The sanitiser and its quoters: nothing of a hostile name is live in any output.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "reports/text.h"

static struct ja_arena *arena;

static int setup(void **state)
{
    (void)state;
    arena = ja_arena_new();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    ja_arena_free(arena);
    return 0;
}

static void test_visible(void **state)
{
    (void)state;
    assert_string_equal(ja_visible(arena, "plain"), "plain");
    assert_string_equal(ja_visible(arena, NULL), "");
    assert_string_equal(ja_visible(arena, "a\x1b[31mb"), "a\\x1B[31mb");
    assert_string_equal(ja_visible(arena, "a\nb\tc"), "a\\x0Ab\\x09c");
    assert_string_equal(ja_visible(arena, "\xe2\x80\xae"
                                          "evil"),
                        "\\u{202E}evil");
    assert_string_equal(ja_visible(arena, "\xff\xfe"
                                          "bad"),
                        "\\xFF\\xFEbad");
    assert_string_equal(ja_visible(arena, "\xed\xa0\x80"), "\\xED\\xA0\\x80"); /* a surrogate */
    assert_string_equal(ja_visible(arena, "\xef\xbf\xbe"), "\\u{FFFE}");
    assert_string_equal(ja_visible(arena, "gr\xc3\xbc\xc3\x9f"), "gr\xc3\xbc\xc3\x9f");
}

static void test_code_spans(void **state)
{
    (void)state;
    assert_string_equal(ja_markdown_code(arena, "python3", false), "`python3`");
    assert_string_equal(ja_markdown_code(arena, "a`b``c", false), "```a`b``c```");
    assert_string_equal(ja_markdown_code(arena, "`a", false), "`` `a ``");
    assert_string_equal(ja_markdown_code(arena, "a|b", true), "`a\\|b`");
    assert_string_equal(ja_markdown_code(arena, "a|b", false), "`a|b`");
    assert_string_equal(ja_markdown_code(arena, "", false), "");
}

static void test_sentences(void **state)
{
    (void)state;
    assert_string_equal(ja_markdown(arena, "grew by 3.5 GiB (4 readings)", false),
                        "grew by 3.5 GiB (4 readings)");
    assert_string_equal(ja_markdown(arena, "\x01web [7]\x02 grew", false), "`web [7]` grew");
    assert_string_equal(ja_markdown(arena, "see www.evil.example now", false),
                        "see `www.evil.example` now");
    assert_string_equal(ja_markdown(arena, "http://evil.example", false), "`http://evil.example`");
    assert_string_equal(ja_markdown(arena, "mail@evil.example", false), "`mail@evil.example`");
    assert_string_equal(ja_markdown(arena, "<img src=x>", false), "`<img` `src=x>`");
    assert_string_equal(ja_markdown(arena, "[x](javascript:1)", false), "`[x](javascript:1`)");
    assert_string_equal(ja_markdown(arena, "a_b", false), "`a_b`");
}

static void test_cells(void **state)
{
    (void)state;
    assert_string_equal(ja_tsv(arena, "=1+1"), "'=1+1");
    assert_string_equal(ja_tsv(arena, "@SUM(1)"), "'@SUM(1)");
    assert_string_equal(ja_tsv(arena, "a\tb"), "a\\x09b");
    assert_string_equal(ja_xlsx(arena, "_x0041_"), "_x005F_x0041_");
    assert_string_equal(ja_xml(arena, "</text><script>"), "&lt;/text&gt;&lt;script&gt;");
    assert_string_equal(ja_shorten(arena, "abcdef", 3), "abc... (+3 bytes)");
    assert_string_equal(ja_shorten(arena,
                                   "gr\xc3\xbc\xc3\x9f"
                                   "e",
                                   3),
                        "gr\xc3\xbc... (+3 bytes)");
}

static void test_numbers(void **state)
{
    (void)state;
    assert_string_equal(ja_bytes(arena, 22 * JA_GIB, JA_GIB), "22 GiB");
    assert_string_equal(ja_bytes(arena, 22 * JA_GIB, JA_GIB / 10), "22.0 GiB");
    assert_string_equal(ja_bytes(arena, 1536, 0), "1.50 KiB");
    assert_string_equal(ja_bytes(arena, 0, 0), "0 B");
    assert_string_equal(ja_bytes(arena, -3 * JA_MIB, 0), "-3.00 MiB");
    assert_string_equal(ja_bytes(arena, JA_UNKNOWN, 0), "");
    assert_string_equal(ja_rate(arena, NAN), "");
    assert_string_equal(ja_span(arena, 320), "5.3 min");
    assert_string_equal(ja_span(arena, 4.26 * 3600), "4.3 h");
    struct ja_instant at = ja_instant_at(INT64_C(1791875280) * JA_NS_PER_S, JA_CLOCK_REPORT);
    assert_string_equal(ja_when(arena, &at), "2026-10-13 07:08:00Z");
    at.unix_ns = JA_UNKNOWN;
    assert_string_equal(ja_when(arena, &at), "<= 2026-10-13 07:08:00Z");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_visible),   cmocka_unit_test(test_code_spans),
        cmocka_unit_test(test_sentences), cmocka_unit_test(test_cells),
        cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
