/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "parsers/regex.h"

static void groups(void **state)
{
    (void)state;
    struct ja_regex *regex = ja_regex_compile("^(.+) \\[(\\d+)\\](x)?:");
    struct ja_match match;
    const char *text = "a [b] [42]: 64-bit", *part;
    size_t length;
    assert_true(ja_regex_match(regex, text, strlen(text), &match));
    assert_true(ja_match_group(&match, 1, &part, &length));
    assert_int_equal(length, 5);
    assert_memory_equal(part, "a [b]", 5);
    assert_true(ja_match_group(&match, 2, &part, &length));
    assert_memory_equal(part, "42", 2);
    assert_false(ja_match_group(&match, 3, &part, &length));
    assert_false(ja_match_group(&match, 23, &part, &length));
    assert_false(ja_match_group(&match, 24, &part, &length));
    assert_false(ja_regex_match(regex, text, 8, &match)); /* the end is respected */
}

static void bytes_not_utf(void **state)
{
    (void)state;
    struct ja_regex *regex = ja_regex_compile("^name: (.+)$");
    struct ja_match match;
    assert_true(ja_regex_match(regex, "name: \xff\xfe\x80", 9, &match));
    assert_true(ja_regex_match(regex, "name: x", 7, NULL));
}

static size_t told;

static void hear(const char *pattern, size_t subjects)
{
    assert_string_equal(pattern, "^(a+)+$");
    told = subjects;
}

static void limits_hold(void **state)
{
    (void)state;
    struct ja_regex *regex = ja_regex_compile("^(a+)+$");
    char text[64];
    memset(text, 'a', 41);
    text[40] = '!';
    struct ja_match match;
    clock_t start = clock();
    assert_false(ja_regex_match(regex, text, 41, &match));
    assert_true(clock() - start < CLOCKS_PER_SEC);
    assert_false(ja_regex_match(regex, text, 41, &match));
    assert_false(ja_regex_match(regex, "b", 1, &match)); /* no match is no limit */
    ja_regex_tell_limits(hear);
    assert_int_equal(told, 2);
    regex = ja_regex_compile("a");
    char *line = calloc(1, JA_REGEX_LINE_BYTES + 1);
    line[0] = 'a';
    assert_true(ja_regex_match(regex, line, JA_REGEX_LINE_BYTES, &match));
    assert_false(ja_regex_match(regex, line, JA_REGEX_LINE_BYTES + 1, &match));
    free(line);
}

static void patterns_of_the_operator(void **state)
{
    (void)state;
    char error[200] = "", longest[1100];
    assert_null(ja_regex_compile_user("a(", error, sizeof error));
    assert_true(strlen(error) > 10);
    memset(longest, 'a', sizeof longest);
    longest[1025] = '\0';
    assert_null(ja_regex_compile_user(longest, error, sizeof error));
    longest[1024] = '\0';
    struct ja_regex *regex = ja_regex_compile_user(longest, error, sizeof error);
    assert_non_null(regex);
    assert_true(ja_regex_match(regex, longest, 1024, NULL));
    assert_null(ja_regex_compile_user("(*UTF)a", error, sizeof error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups),
        cmocka_unit_test(bytes_not_utf),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(patterns_of_the_operator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
