/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "parsers/pieces.h"
#include "parsers/scan.h"

static struct ja_arena *arena;

static int set_up(void **state)
{
    (void)state;
    arena = ja_arena_new();
    ja_parsers_prepare();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    ja_arena_free(arena);
    return 0;
}

static struct ja_file file_of(const char *text, size_t length)
{
    return (struct ja_file){
        .path = "a/x.txt", .name = "x.txt", .text = text, .length = length, .mtime_ns = JA_UNKNOWN};
}

static void check_clean(const char *text, const char *expected)
{
    struct ja_file file = file_of(text, strlen(text));
    const char *got;
    size_t length;
    ja_clean(&file, arena, &got, &length);
    if (length != strlen(expected) || memcmp(got, expected, length) != 0)
        fail_msg("\"%s\": got \"%.*s\", expected \"%s\"", text, (int)length, got, expected);
}

static void cleaning(void **state)
{
    (void)state;
    check_clean("a\r\nb\r\n", "a\nb\n");
    check_clean("\xEF\xBB\xBF"
                "a",
                "a");
    check_clean("\x1b[1;31mred\x1b[0m\x1b]0;title\ax", "redx");
    check_clean("a\xC2\xA0"
                "b\xE2\x80\xAF"
                "c",
                "a b c");
    check_clean("x\n```text\n  a\n    b\n\n```\nz", "x\n\na\n  b\n\n\nz");
    check_clean("say\n> one\n>   two\n>\n> > three\nend", "say\none\n  two\n\nthree\nend");
    check_clean("    a\n      b\n", "a\n  b\n");
    check_clean("\ta\n  b", "\ta\n  b"); /* no common blanks */
    check_clean("==> name <==\n>x\n->\n", "==> name <==\n>x\n->\n");
    check_clean("a\x1b", "a");
    check_clean("\x1b(B\x1b[mred\x1b(B", "red");
    check_clean("\x1b[2m> a\x1b[0m\n\x1b[2m> b\n", "a\nb\n");
    check_clean("", "");
    check_clean("\n\n", "\n\n");
    check_clean("{\"a\":\r\n \"> x\"}", "{\"a\":\r\n \"> x\"}");
    check_clean("[Mon Nov 30]\r\n", "[Mon Nov 30]\n");
}

static bool begins_x(const char *line, size_t length)
{
    return ja_text_begins(line, length, "X");
}

static struct ja_evidence *evidence;
static struct ja_pieces pieces;

static void cut(const char *text)
{
    static struct ja_file file;
    file = file_of(text, strlen(text));
    evidence = ja_evidence_new("x.txt");
    ja_cut(&file, text, file.length, begins_x, evidence, arena, &pieces);
}

static void check_piece(size_t index, const char *text, int line, const char *stamp)
{
    assert_true(index < pieces.count);
    const struct ja_piece *piece = &pieces.items[index];
    if (piece->length != strlen(text) || memcmp(piece->text, text, piece->length) != 0)
        fail_msg("piece %zu: \"%.*s\"", index, (int)piece->length, piece->text);
    assert_int_equal(piece->first_line, line);
    if (stamp)
        assert_string_equal(evidence->stamps[piece->stamp].text, stamp);
    else
        assert_int_equal(piece->stamp, JA_NONE);
}

static void cutting(void **state)
{
    (void)state;
    cut("prose\n\nX1\nmore\nSun Sep  6 04:59:54 UTC 2026\nX2\nX3\n\n=== 05:00:00 ===\n  \nX4");
    assert_int_equal(pieces.count, 5);
    check_piece(0, "prose\n\n", 1, NULL);
    check_piece(1, "X1\nmore\n", 3, NULL);
    check_piece(2, "X2\n", 6, "Sun Sep  6 04:59:54 UTC 2026");
    check_piece(3, "X3\n\n", 7, "Sun Sep  6 04:59:54 UTC 2026");
    check_piece(4, "X4", 11, "=== 05:00:00 ===");
    assert_false(pieces.items[0].whole);
    ja_evidence_free(evidence);
}

static void labels(void **state)
{
    (void)state;
    cut("=== footprint ===\nX1\n=== embedd 2026-09-25 02:43:29 CST ===\nX2\n==> a/b <==\n1\n"
        "  ---    ---\n# time\n2\n");
    assert_int_equal(pieces.count, 3);
    assert_true(ja_text_is(pieces.items[0].label, pieces.items[0].label_length, "footprint"));
    check_piece(1, "X2\n", 4, "=== embedd 2026-09-25 02:43:29 CST ===");
    assert_true(ja_text_is(pieces.items[1].label, pieces.items[1].label_length, "embedd"));
    assert_string_equal(evidence->stamps[0].zone, "CST");
    check_piece(2, "1\n  ---    ---\n# time\n2\n", 6, "=== embedd 2026-09-25 02:43:29 CST ===");
    assert_true(ja_text_is(pieces.items[2].label, pieces.items[2].label_length, "a/b"));
    ja_evidence_free(evidence);
}

static void clock_inside_a_top_sample(void **state)
{
    (void)state;
    cut("Processes: 554 total, 3 running\n2026/05/28 03:43:04\nLoad Avg: 1\n");
    assert_int_equal(pieces.count, 1);
    check_piece(0, "Processes: 554 total, 3 running\n2026/05/28 03:43:04\nLoad Avg: 1\n", 1,
                "2026/05/28 03:43:04");
    assert_true(pieces.items[0].whole);
    ja_evidence_free(evidence);
}

static void numbers_are_no_clocks(void **state)
{
    (void)state;
    cut("1694498816\n");
    assert_int_equal(pieces.count, 1);
    assert_int_equal(evidence->stamp_count, 0);
    ja_evidence_free(evidence);
    cut("1694498816\n1694498817\nX\n");
    check_piece(1, "X\n", 3, "1694498817");
    ja_evidence_free(evidence);
}

static void lines_of_a_piece(void **state)
{
    (void)state;
    struct ja_piece piece = {.text = "a\r\n\nb", .length = 5, .first_line = 7};
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    assert_true(ja_piece_line(&piece, &at, &number, &line));
    assert_true(line.number == 7 && line.length == 1);
    assert_true(ja_piece_line(&piece, &at, &number, &line));
    assert_true(line.number == 8 && line.length == 0);
    assert_true(ja_piece_line(&piece, &at, &number, &line));
    assert_true(line.number == 9 && line.text[0] == 'b');
    assert_false(ja_piece_line(&piece, &at, &number, &line));
}

static void check_file(const char *text, size_t length, enum ja_status status, const char *why)
{
    struct ja_file file = file_of(text, length);
    struct ja_evidence *e = ja_parse_file(&file, NULL, JA_UNKNOWN, 1000);
    assert_string_equal(ja_status_word(e->status), ja_status_word(status));
    if (why)
        assert_non_null(strstr(e->why, why));
    if (status == JA_STATUS_UNREADABLE)
        assert_int_equal(e->diagnostics[0].level, JA_UNREAD);
    ja_evidence_free(e);
}

static void unreadable_files(void **state)
{
    (void)state;
    check_file("ab\0cd", 5, JA_STATUS_UNREADABLE, "NUL");
    check_file("\xFF\xFE{\0", 4, JA_STATUS_UNREADABLE, "UTF-16");
    check_file("\xFE\xFF\0{", 4, JA_STATUS_UNREADABLE, "UTF-16");
    check_file("\x1f\x8b\x08xyz", 6, JA_STATUS_UNREADABLE, "gunzip");
    check_file("", 0, JA_STATUS_NO_MEMORY_CONTENT, "empty");
    check_file("nothing of ours", 15, JA_STATUS_UNKNOWN, NULL);
}

static void check_time(char fill, const char *start, size_t length)
{
    char *text = malloc(length + 1);
    memset(text, fill, length);
    text[length] = '\0';
    memcpy(text, start, strlen(start));
    struct ja_file file = file_of(text, length);
    clock_t began = clock();
    ja_evidence_free(ja_parse_file(&file, NULL, JA_UNKNOWN, 1000));
    assert_true(clock() - began < 20 * CLOCKS_PER_SEC); /* quadratic would be hours */
    free(text);
}

static void hostile_text_takes_linear_time(void **state)
{
    (void)state;
    check_time('a', "", 2000000);
    check_time('\n', "", 200000);
    check_time('\n', "1694498816", 200000);
    check_time('{', "", 500000);
    check_time('[', "", 500000);
    check_time('=', "", 500000);
    check_time('1', "", 500000);
    check_time('>', "", 500000);
    check_time('`', "", 500000);
    check_time('\033', "", 500000);
    check_time('"', "{\"bug_type\":\"298\"}\n{\"processes\":[", 500000);
}

static void the_name_tells_a_time(void **state)
{
    (void)state;
    struct ja_file file = file_of("x", 1);
    file.path = "run/20261130T093010Z/42/status";
    file.name = "status";
    struct ja_evidence *e = ja_parse_file(&file, NULL, JA_UNKNOWN, 1000);
    assert_int_not_equal(e->name_stamp, JA_NONE);
    assert_string_equal(e->stamps[e->name_stamp].text, "20261130T093010Z");
    ja_evidence_free(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cleaning),
        cmocka_unit_test(cutting),
        cmocka_unit_test(labels),
        cmocka_unit_test(clock_inside_a_top_sample),
        cmocka_unit_test(numbers_are_no_clocks),
        cmocka_unit_test(lines_of_a_piece),
        cmocka_unit_test(unreadable_files),
        cmocka_unit_test(hostile_text_takes_linear_time),
        cmocka_unit_test(the_name_tells_a_time),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
