/* SPDX-License-Identifier: MIT
 *
 * The pull reader: what it reads, what it declines, numbers to the last bit, and that a report read
 * by it and by cJSON alone gives the same evidence.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "parsers/jetsam.h"
#include "tests/two_routes.h"

#define LARGEST_FIXTURE ((size_t)4 << 20)

static int set_up(void **state)
{
    (void)state;
    ja_parsers_prepare();
    return 0;
}

/* True when the text is read as a whole value with nothing declined. */
static bool reads(const char *text, struct ja_pull_value *ret)
{
    struct ja_pull pull = ja_pull_of(text, strlen(text));
    return ja_pull_value(&pull, ret) && !pull.declined;
}

static void test_steps(void **state)
{
    static const char text[] = " {\"a\" : 1 ,\n\t\"b\":[true,null, \"x\\\"y\" ], \"c\":{}}";
    struct ja_pull pull = ja_pull_of(text + 1, strlen(text + 1));
    struct ja_pull_value key, value;
    (void)state;
    assert_true(ja_pull_enter(&pull, '{'));
    assert_true(ja_pull_key(&pull, &key) && ja_pull_is(&key, "a"));
    assert_true(ja_pull_value(&pull, &value));
    assert_int_equal(value.type, JA_PULL_NUMBER);
    assert_true(value.number >= 1 && value.number <= 1);
    assert_true(ja_pull_key(&pull, &key) && ja_pull_is(&key, "b"));
    assert_true(ja_pull_enter(&pull, '['));
    assert_true(ja_pull_item(&pull) && ja_pull_value(&pull, &value));
    assert_int_equal(value.type, JA_PULL_BOOL);
    assert_true(ja_pull_item(&pull) && ja_pull_value(&pull, &value));
    assert_int_equal(value.type, JA_PULL_NULL);
    assert_true(ja_pull_item(&pull) && ja_pull_value(&pull, &value));
    assert_true(value.type == JA_PULL_STRING && value.escaped && value.length == 4);
    assert_false(ja_pull_item(&pull));
    assert_true(ja_pull_key(&pull, &key) && ja_pull_is(&key, "c"));
    assert_int_equal(ja_pull_peek(&pull), '{');
    assert_true(ja_pull_value(&pull, &value));
    assert_true(value.type == JA_PULL_OBJECT && value.length == 2);
    assert_false(ja_pull_key(&pull, &key));
    assert_false(pull.declined);
    assert_ptr_equal(pull.at, text + strlen(text));
}

static void test_declined(void **state)
{
    static const char *const texts[] = {
        "[1,]",  "[,1]",     "[1 2]",  "[1}",           "{\"a\" 1}", "{\"a\":}",
        "{a:1}", "{\"a\":1", "[\"a]",  "[\"\\u0041\"]", "[\"\\x\"]", "[\"\\",
        "[01]",  "[1.]",     "[.5]",   "[-]",           "[+1]",      "[1e]",
        "[1e+]", "[nul]",    "[True]", "[\f1]",         "[",         "{\"a\"",
        "[NaN]", "[0x10]",   "[1\v]",  "{1:2}",         "[\"\\u00",  "{\"a\":1,}",
    };
    struct ja_pull_value value;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (reads(texts[i], &value))
            fail_msg("read: %s", texts[i]);
    char deep[JA_JSON_DEPTH * 2 + 3];
    for (size_t levels = JA_JSON_DEPTH; levels <= JA_JSON_DEPTH + 1; levels++) {
        memset(deep, '[', levels);
        memset(deep + levels, ']', levels);
        deep[2 * levels] = '\0';
        assert_int_equal(reads(deep, &value), levels == JA_JSON_DEPTH);
    }
}

/* Numbers are what strtod makes of them, to the bit; cut texts are never read past their end. */
static void test_number(const char *text)
{
    struct ja_pull_value value;
    char *copy = malloc(strlen(text)); /* no NUL: a sanitizer sees reads behind its end */
    memcpy(copy, text, strlen(text));
    struct ja_pull pull = ja_pull_of(copy, strlen(text));
    assert_true(ja_pull_value(&pull, &value));
    assert_int_equal(value.type, JA_PULL_NUMBER);
    double wanted = strtod(text, NULL);
    if (memcmp(&wanted, &value.number, sizeof wanted) != 0)
        fail_msg("%s: %a, not %a", text, value.number, wanted);
    free(copy);
}

static void test_numbers(void **state)
{
    static const char *const texts[] = {
        "0",
        "-0",
        "1",
        "-1",
        "9007199254740991",
        "9007199254740992",
        "9007199254740993",
        "-9007199254740993",
        "18446744073709551615",
        "18446744073709551616",
        "4503599627370496.5",
        "0.1",
        "0.3",
        "13.71922",
        "0.014154999999999999",
        "0.034783000000000001",
        "1e22",
        "1e23",
        "1e-400",
        "1e400",
        "0.0000000000000000000001",
        "0.00000000000000000000001",
        "90071992547409.92",
        "9007199254740993.0",
        "4503599627370496.25", /* halves between two doubles, and next to them */
        "2251799813685248.125",
        "2251799813685248.375",
        "112589990684262.4078125",
        "112589990684262.40781250000000001",
        "0.055396000000000001",
        "0.50000000000000001",
        "0.25000000000000001",
        "3.2019899999999999",
        "1.7976931348623157e308",
        "5e-324",
        "123456789012345678901234567890123456789012345678901234567890"};
    uint64_t seed = 88172645463325252;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        test_number(texts[i]);
    for (int i = 0; i < 200000; i++) {
        char text[64];
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        int shape = (int)(seed % 5), shift = (int)(seed >> 8 & 63);
        uint64_t whole = (seed >> 3) >> shift;
        double number = (double)whole / (double)(1 + (seed >> 40));
        if (shape == 0)
            snprintf(text, sizeof text, "%llu", (unsigned long long)whole);
        else if (shape == 1)
            snprintf(text, sizeof text, "%llu.%06llu", (unsigned long long)whole,
                     (unsigned long long)(seed % 1000000));
        else if (shape == 4) /* a point anywhere in more digits than a double holds */
            snprintf(text, sizeof text, "%llu.%0*llu", (unsigned long long)(seed % 1000),
                     1 + shift % 18, (unsigned long long)(whole % UINT64_C(10000000000000000)));
        else
            snprintf(text, sizeof text, shape == 2 ? "%.17g" : "%.6g", number);
        test_number(text);
    }
}

/* A report of two rows, with something put in. */
static char *report(const char *head, const char *row)
{
    static char text[8192];
    snprintf(text, sizeof text,
             "{\"bug_type\":\"298\",\"timestamp\":\"2026-03-14 15:07:53.00 +0100\",\"os_version\":"
             "\"macOS 26.4 (25E253)\"}\n{ \"product\" : \"Mac15,10\", \"date\" : \"2026-03-14 "
             "15:07:53.41 +0100\", \"memoryStatus\" : { \"pageSize\" : 16384 }, "
             "\"largestProcess\" : \"node\"%s, \"processes\" : [ { \"pid\" : 9, \"name\" : "
             "\"node\", \"rpages\" : 77, \"cpuTime\" : 0.25 }, %s ] }\n",
             head, row);
    return text;
}

static void test_odd_rows(void **state)
{
    static const char *const rows[] = {
        "{\"name\":\"a\\/b\",\"rpages\":5}",
        "{\"name\":\"a\\u00e9b\",\"rpages\":5}",
        "{\"name\":\"a\\u0000b\",\"rpages\":5}",
        "{\"name\":\"a\\ud800b\",\"rpages\":5}",
        "{\"freeze_skip_reason:\":\"low private\\/shared ratio\",\"rpages\":5}",
        "{\"n\\u0061me\":\"a\",\"rpages\":5}",
        "{\"rpages\":5,\"rpages\":5}",
        "{\"rpages\":5,\"rpages\":6}",
        "{\"rpages\":null,\"rpages\":6}",
        "{\"rpages\":\"5\",\"pid\":true,\"name\":7,\"uuid\":[],\"age\":{},\"reason\":null}",
        "{\"rpages\":5.5,\"pid\":-2,\"age\":18446744073709551615,\"cpuTime\":-1}",
        "{\"rpages\":1e300,\"lifetimeMax\":9007199254740993,\"cpuTime\":1e999}",
        "{\"rpages\":05}",
        "{\"rpages\":5,}",
        "{\"rpages\":5 \"pid\":1}",
        "{\"rpages\":12345678901234567890123456789012345678901234567890123456789012345678901}",
        "{\"physicalPages\":{\"internal\":[1,2]}}",
        "{\"physicalPages\":{\"internal\":[1,2,3]}}",
        "{\"physicalPages\":{\"internal\":[1]}}",
        "{\"physicalPages\":{\"internal\":[]}}",
        "{\"physicalPages\":{\"internal\":[1,\"2\"]}}",
        "{\"physicalPages\":{\"internal\":null}}",
        "{\"physicalPages\":{\"internal\":[1,2],\"internal\":[3,4]}}",
        "{\"physicalPages\":{\"inter\\u006eal\":[1,2],\"internal\":[3,4]}}",
        "{\"physicalPages\":{},\"physicalPages\":{\"internal\":[3,4]}}",
        "{\"physicalPages\":[1,2]}",
        "{\"reason\":\"highwater\",\"killDelta\":7,\"rpages\":3}",
        "{\"reason\":7,\"rpages\":3}",
        "7",
        "\"...\"",
        "null",
        "[]",
        "{}",
        "...",
        "{\"rpages\":1} // note",
        "{\"name\":\"tab\there\",\"rpages\":2}",
        "{\"name\":\"\xff\xfe\",\"rpages\":2}",
        "{\"name\":\"\",\"rpages\":2}",
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *text = report("", rows[i]);
        if (!routes_agree(text, strlen(text)))
            fail_msg("differs: %s", rows[i]);
    }
}

static void test_odd_heads(void **state)
{
    static const char *const heads[] = {
        ", \"processes\" : []",
        ", \"processes\" : 7",
        ", \"process\\u0065s\" : []",
        ", \"date\" : \"2026-03-14 15:07:53.41 +0100\"",
        ", \"date\" : \"2026-03-15 15:07:53.41 +0100\"",
        ", \"kernel\" : \"root:xnu-12377.101.15~1\\/RELEASE_ARM64_T6031\"",
        ", \"kernel\" : \"\\ud83d\\ude00\"",
        ", \"notes\" : [ [ { \"processes\" : [ 1 ] } ] ]",
        ", \"timeDelta\" : 012",
    };
    (void)state;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        const char *text = report(heads[i], "{\"name\":\"z\",\"rpages\":1}");
        if (!routes_agree(text, strlen(text)))
            fail_msg("differs: %s", heads[i]);
    }
}

static void change_every_byte(const char *rows)
{
    static const char with[] = "\"\\,:{}[]05e-. nx\n";
    char *text = report("", rows), *first = strstr(text, rows);
    size_t length = strlen(text);
    for (char *at = first; at < first + strlen(rows); at++) {
        const char before = *at;
        for (const char *w = with; *w; w++) {
            *at = *w;
            if (!routes_agree(text, length) || !routes_agree(text, length - strlen(" ] }\n")))
                fail_msg("differs with %c at %td", *w, at - first);
        }
        *at = before;
    }
}

/* Rows printed alike, with every byte of them changed in many ways: what was learned of one row is
 * never taken for granted in the next, be the table whole or cut behind its rows. */
static void test_every_byte(void **state)
{
    static const char rows[] =
        "{\n    \"states\" : [\n      \"daemon\"\n    ],\n    \"age\" : 7,\n    \"fds\" : 50,\n"
        "    \"physicalPages\" : {\n      \"internal\" : [\n        1,\n        2\n      ]\n    },"
        "\n    \"name\" : \"a\"\n  },\n"
        "  {\n    \"states\" : [\n      \"daemon\"\n    ],\n    \"age\" : 8,\n    \"fds\" : 50,\n"
        "    \"physicalPages\" : {\n      \"internal\" : [\n        3,\n        4\n      ]\n    },"
        "\n    \"name\" : \"b\"\n  }";
    static const char numbers[] =
        "{\n    \"age\" : 7,\n    \"fds\" : 50,\n    \"rpages\" : 1234567890\n  },\n"
        "  {\n    \"age\" : 8,\n    \"fds\" : 51,\n    \"rpages\" : 1234567891\n  },\n"
        "  {\n    \"age\" : 9,\n    \"fds\" : 52,\n    \"rpages\" : 7\n  }";
    (void)state;
    change_every_byte(rows);
    change_every_byte(numbers);
}

/* Without this both routes could be one. */
static void test_plain_is_pulled(void **state)
{
    struct ja_jetsam_body body;
    struct ja_arena *arena = ja_arena_new();
    struct ja_texts texts = ja_texts_in(arena, arena);
    const struct ja_parse parse = {
        .evidence = ja_evidence_new("a.ips"), .scratch = arena, .texts = &texts};
    const char *text = strchr(report("", "{\"name\":\"a\\/b\",\"rpages\":5}"), '\n') + 1;
    size_t used;
    (void)state;
    ja_json_use_arena(arena);
    ja_jetsam_body_read(text, strlen(text), &parse, &body, &used);
    assert_int_equal(body.row_count, 2);
    assert_int_equal(used, strlen(text) - 1);
    assert_string_equal(body.rows->fields[1].values[JA_JETSAM_NAME].text, "a/b");
    ja_pull_declines_all = true;
    ja_jetsam_body_read(text, strlen(text), &parse, &body, &used);
    ja_pull_declines_all = false;
    assert_null(body.rows);
    assert_int_equal(used, strlen(text) - 1);
    assert_non_null(body.document);
    ja_json_use_arena(NULL);
    ja_evidence_free(parse.evidence);
    ja_arena_free(arena);
}

static void test_texts(void **state)
{
    struct ja_arena *arena = ja_arena_new(), *scratch = ja_arena_new();
    struct ja_texts texts = ja_texts_in(arena, scratch);
    const char *kept[2000];
    char text[32];
    (void)state;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 2000; i++) {
            int length = snprintf(text, sizeof text, "com.example.%d", i);
            const char *same = ja_texts_keep(&texts, text, (size_t)length);
            assert_string_equal(same, text);
            if (round)
                assert_ptr_equal(same, kept[i]);
            kept[i] = same;
        }
    }
    assert_int_equal(texts.count, 2000);
    assert_string_equal(ja_texts_keep(&texts, "abc", 0), "");
    assert_ptr_not_equal(ja_texts_keep(&texts, "abc", 2), ja_texts_keep(&texts, "abc", 3));
    ja_arena_free(scratch);
    ja_arena_free(arena);
}

/* Compares a file and ten cuts of it; counts it in. */
static void compare_file(const char *path, int *count)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, LARGEST_FIXTURE);
    assert_non_null(text);
    size_t length = fread(text, 1, LARGEST_FIXTURE - 1, file);
    fclose(file);
    for (size_t cut = 0; cut < 10; cut++) {
        size_t kept = length - length * cut / 10;
        text[kept] = '\0';
        if (!routes_agree(text, kept))
            fail_msg("%s differs, cut at %zu", path, kept);
    }
    free(text);
    ++*count;
}

static void compare_folder(const char *folder, int *count)
{
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        char path[1024];
        struct stat status;
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
            compare_folder(path, count);
        else if (strstr(path, ".ips") || strstr(path, "/jetsam/"))
            compare_file(path, count);
    }
    closedir(dir);
}

static void test_fixtures(void **state)
{
    int count = 0;
    (void)state;
    compare_folder(JA_FIXTURES, &count);
    assert_true(count > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps),      cmocka_unit_test(test_declined),
        cmocka_unit_test(test_numbers),    cmocka_unit_test(test_odd_rows),
        cmocka_unit_test(test_odd_heads),  cmocka_unit_test(test_plain_is_pulled),
        cmocka_unit_test(test_every_byte), cmocka_unit_test(test_texts),
        cmocka_unit_test(test_fixtures),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
