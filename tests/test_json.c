/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "parsers/json.h"

static struct ja_arena *arena;

static int set_up(void **state)
{
    (void)state;
    arena = ja_arena_new();
    ja_json_install_hooks();
    ja_json_use_arena(arena);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    ja_json_use_arena(NULL);
    ja_arena_free(arena);
    return 0;
}

static cJSON *parse(const char *text, size_t *used)
{
    return ja_json_parse(text, strlen(text), used);
}

static void documents(void **state)
{
    (void)state;
    size_t used;
    cJSON *document = parse("{\"a\":1}\n{\"b\":2}", &used);
    assert_non_null(document);
    assert_int_equal(used, 7);
    assert_null(parse("{\"a\":1, \"b\": tru", &used));
    assert_true(used >= 8);
    assert_null(parse("", &used));
    document = parse("{\"a\": [1, 2], \"A\": \"big\", \"s\": \"}{\"} tail", &used);
    assert_non_null(document);
    assert_string_equal(ja_json_string(document, "A"), "big");
    assert_null(ja_json_string(document, "a"));
    assert_string_equal(ja_json_string(document, "s"), "}{");
    assert_null(ja_json_get(document, "S"));
    assert_null(ja_json_get(ja_json_get(document, "a"), "x"));
}

static void too_deep(void **state)
{
    (void)state;
    size_t used, n = 1000000;
    char *text = malloc(n);
    memset(text, '[', n);
    assert_null(ja_json_parse(text, n, &used));
    assert_int_equal(used, JA_JSON_DEPTH);
    memset(text + JA_JSON_DEPTH, ']', JA_JSON_DEPTH);
    assert_non_null(ja_json_parse(text, n, &used));
    assert_int_equal(used, 2 * JA_JSON_DEPTH);
    free(text);
}

static void odd_strings(void **state)
{
    (void)state;
    size_t used;
    cJSON *document = parse("{\"a\":\"x\\u0000y\",\"b\":\"\\ud800\",\"c\":\"\\ud83d\\ude00\","
                            "\"d\":\"\\\\u0000\"}",
                            &used);
    assert_non_null(document);
    assert_string_equal(ja_json_string(document, "a"), "x\xEF\xBF\xBDy");
    assert_string_equal(ja_json_string(document, "b"), "\xEF\xBF\xBD");
    assert_string_equal(ja_json_string(document, "c"), "\xF0\x9F\x98\x80");
    assert_string_equal(ja_json_string(document, "d"), "\\u0000");
    assert_null(parse("{\"a\":\"\\u12", &used));
    assert_null(parse("{\"a\":\"\\", &used));
}

static void numbers(void **state)
{
    (void)state;
    size_t used;
    struct ja_evidence *evidence = ja_evidence_new("x");
    cJSON *o = parse("{\"n\":12,\"f\":1.5,\"big\":18446744073709551615,\"inf\":1e999,\"t\":\"5\","
                     "\"neg\":-1,\"null\":null,\"max\":9007199254740992,\"yes\":true}",
                     &used);
    int64_t value = 77;
    const char *keys[] = {"f", "big", "inf", "t", "neg"};
    for (size_t i = 0; i < 5; i++)
        assert_false(ja_json_int(evidence, o, keys[i], "/rows/[*]", 4, -1, 0, INT64_MAX, &value));
    assert_int_equal(evidence->diagnostic_count, 5);
    assert_string_equal(evidence->diagnostics[0].place, "$.rows[4].f");
    assert_string_equal(evidence->diagnostics[0].code, "bad-number");
    assert_true(value == 77);
    assert_false(ja_json_int(evidence, o, "null", "", -1, -1, 0, 9, &value));
    assert_false(ja_json_int(evidence, o, "absent", "", -1, -1, 0, 9, &value));
    assert_false(ja_json_int(evidence, o, "n", "", -1, -1, 0, 11, &value));
    assert_int_equal(evidence->diagnostic_count, 6);
    assert_true(ja_json_int(evidence, o, "n", "", -1, -1, 0, 12, &value));
    assert_true(value == 12);
    assert_true(ja_json_int(evidence, o, "max", "", -1, -1, 0, INT64_MAX, &value));
    assert_true(value == INT64_C(1) << 53);
    double real;
    bool yes;
    assert_true(ja_json_double(o, "f", &real));
    assert_false(ja_json_double(o, "inf", &real));
    assert_true(ja_json_bool(o, "yes", &yes) && yes);
    assert_false(ja_json_bool(o, "n", &yes));
    ja_evidence_free(evidence);
}

static void conflicts(void **state)
{
    (void)state;
    size_t used;
    const char *key = NULL;
    assert_true(
        ja_json_conflict(parse("{\"b\":[1,{\"x\":2}],\"a\":1,\"b\":[1,{\"x\":3}]}", &used), &key));
    assert_string_equal(key, "b");
    assert_false(ja_json_conflict(parse("{\"a\":1,\"a\":1,\"A\":2}", &used), &key));
    assert_false(ja_json_conflict(parse("{}", &used), &key));
    assert_false(ja_json_conflict(parse("[1]", &used), &key));
    assert_true(ja_json_conflict(parse("{\"a\":1,\"a\":\"1\"}", &used), &key));
}

static void salvage(void **state)
{
    (void)state;
    const char *text =
        "{\"rows\":[{\"pid\":1,\"m\":{\"x\":[1]}},\n ... \"cut\n{\"pid\":2,\"n\":\"}\"},"
        "{\"pid\":3,\"na";
    struct ja_salvage *found;
    size_t count = ja_json_salvage(text, strlen(text), arena, &found, 100);
    assert_int_equal(count, 3);
    assert_memory_equal(found[0].text, "{\"x\":[1]}", found[0].length);
    assert_int_equal(found[1].offset, 9);
    assert_int_equal(found[1].length, 23);
    assert_memory_equal(found[2].text, "{\"pid\":2,\"n\":\"}\"}", found[2].length);
    assert_int_equal(ja_json_salvage(text, strlen(text), arena, &found, 2), 2);

    size_t n = 3000000;
    char *braces = malloc(n);
    memset(braces, '{', n);
    assert_int_equal(ja_json_salvage(braces, n, arena, &found, 100), 0);
    memset(braces + n - 100, '}', 100); /* the oldest open braces are forgotten */
    assert_int_equal(ja_json_salvage(braces, n, arena, &found, 1000), JA_JSON_DEPTH);
    free(braces);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documents), cmocka_unit_test(too_deep),  cmocka_unit_test(odd_strings),
        cmocka_unit_test(numbers),   cmocka_unit_test(conflicts), cmocka_unit_test(salvage),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
