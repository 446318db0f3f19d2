/* SPDX-License-Identifier: MIT
 *
 * The command line, and that help, man page and completions know every option of the one table.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/options.h"

static struct ja_options options;

#define WORDS 16

/* Parses "jetsam-audit" and the words of line (parted by blanks). */
static bool parse(const char *line)
{
    static char copy[512];
    char *words[WORDS + 1] = {"jetsam-audit"};
    int count = 1;
    if (options.arena)
        ja_options_free(&options);
    snprintf(copy, sizeof copy, "%s", line);
    for (char *at = copy; *at && count < WORDS;) {
        words[count++] = at;
        at += strcspn(at, " ");
        if (*at)
            *at++ = '\0';
    }
    words[count] = NULL;
    return ja_options_parse(&options, count, words);
}

static void values_reach_their_members(void **state)
{
    (void)state;
    assert_true(parse("-o out -j3 --max-file 5MiB --cap embed=60.8GiB --slope 2MB/h --min-work "
                      "200 --max-delta=100MB in"));
    assert_string_equal(options.output, "out");
    assert_int_equal(options.jobs, 3);
    assert_int_equal(options.max_file_bytes, 5 * JA_MIB);
    assert_int_equal(options.cap_count, 1);
    assert_string_equal(options.caps[0].name, "embed");
    assert_int_equal(options.caps[0].size_bytes, 65283502899LL);
    assert_true(options.slope_bytes_per_hour > 2 * 1048576 - 1 &&
                options.slope_bytes_per_hour < 2 * 1048576 + 1);
    assert_int_equal(options.min_work, 200);
    assert_int_equal(options.max_delta_bytes, 100 * JA_MIB);
    assert_int_equal(options.operand_count, 1);
}

static void a_type_belongs_to_the_next_path_only(void **state)
{
    (void)state;
    assert_true(parse("a --type ps - b"));
    assert_int_equal(options.operand_count, 3);
    assert_null(options.operands[0].type);
    assert_string_equal(options.operands[1].path, "-");
    assert_string_equal(options.operands[1].type, "ps");
    assert_null(options.operands[2].type);
    assert_false(parse("a --type ps"));
}

static void options_may_follow_paths(void **state)
{
    (void)state;
    assert_true(parse("in -n -- --odd-name"));
    assert_true(options.no_report);
    assert_int_equal(options.operand_count, 2);
    assert_string_equal(options.operands[1].path, "--odd-name");
}

static void before_and_after_are_paths_with_a_role(void **state)
{
    (void)state;
    assert_true(parse("--before old --after new new"));
    assert_int_equal(options.operand_count, 3);
    assert_int_equal(options.operands[0].role, JA_ROLE_BEFORE);
    assert_int_equal(options.operands[1].role, JA_ROLE_AFTER);
    assert_int_equal(options.operands[2].role, JA_ROLE_EVIDENCE);
}

static void times_without_zone_are_utc(void **state)
{
    (void)state;
    assert_true(parse("--since 2026-10-13 --until 2026-10-13T07:12:00+02:00 in"));
    assert_int_equal(options.since_ns, INT64_C(1791849600) * JA_NS_PER_S);
    assert_int_equal(options.until_ns, INT64_C(1791868320) * JA_NS_PER_S);
    assert_false(parse("--since yesterday in"));
}

static void fail_on_takes_a_list(void **state)
{
    (void)state;
    assert_true(parse("--fail-on growing,panic in"));
    assert_int_equal(options.fail_on, JA_FAIL_GROWING | JA_FAIL_PANIC);
    assert_true(parse("--fail-on none in"));
    assert_int_equal(options.fail_on, 0);
    assert_false(parse("--fail-on growin in"));
    assert_non_null(strstr(options.error, "did you mean 'growing'"));
}

static void wrong_words_are_refused_with_advice(void **state)
{
    static const struct {
        const char *line, *advice;
    } cases[] = {
        {"--outptu x in", "did you mean '--output'"},
        {"--sandbx=off in", "did you mean '--sandbox'"},
        {"--qwertyuiop in", "see --help"},
        {"-Z in", "unknown option '-Z'"},
        {"--json=1 in", "takes no value"},
        {"in -o", "needs a value: DIR"},
        {"--jobs 0 in", "1 or more"},
        {"--jobs -3 in", "1 or more"},
        {"--max-file big in", "not a size"},
        {"--max-file 99999999999999999999 in", "not a size"},
        {"--cap 5GiB in", "NAME=SIZE"},
        {"--slope 5MB in", "SIZE/h"},
        {"--color=blue in", "none of auto|always|never"},
        {"--json --ndjson in", "standard output"},
        {"--json -o out in", "write no files"},
        {"-n", "no PATH given"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_false(parse(cases[i].line));
        if (!strstr(options.error, cases[i].advice))
            fail_msg("%s: %s", cases[i].line, options.error);
    }
}

static void help_and_version_need_no_path(void **state)
{
    (void)state;
    assert_true(parse("--help"));
    assert_int_equal(options.action, JA_ACTION_HELP);
    assert_true(parse("-V --help"));
    assert_int_equal(options.action, JA_ACTION_VERSION);
    assert_true(parse("--explain growing"));
    assert_string_equal(options.subject, "growing");
}

static void about_names_only_what_changes_the_result(void **state)
{
    (void)state;
    assert_true(parse("-o /tmp/out -j4 -q --case /home/me/case.json --slope 5MB/h in"));
    assert_string_equal(options.result_text, "--case case.json --slope 5MB/h");
}

/* The whole text of a stream that print wrote. */
static char *help_text(void)
{
    static char text[16384];
    FILE *stream = tmpfile();
    assert_non_null(stream);
    ja_options_help(stream);
    rewind(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    fclose(stream);
    return text;
}

static void help_names_every_option_within_100_columns(void **state)
{
    (void)state;
    char *text = help_text(), name[64];
    for (const struct ja_option_row *row = ja_option_rows; row->name || row->help; row++) {
        snprintf(name, sizeof name, "--%s", row->name ? row->name : "");
        if (row->name)
            assert_non_null(strstr(text, name));
    }
    for (char *line = text; *line; line += strcspn(line, "\n") + 1)
        if (strcspn(line, "\n") > 100)
            fail_msg("too long: %.*s", (int)strcspn(line, "\n"), line);
}

static void table_has_no_name_or_letter_twice(void **state)
{
    (void)state;
    for (const struct ja_option_row *a = ja_option_rows; a->name || a->help; a++)
        for (const struct ja_option_row *b = a + 1; b->name || b->help; b++) {
            assert_false(a->name && b->name && strcmp(a->name, b->name) == 0);
            assert_false(a->letter && a->letter == b->letter);
        }
}

static char *file_text(const char *path)
{
    static char text[65536];
    FILE *stream = fopen(path, "rb");
    if (!stream)
        fail_msg("%s is missing", path);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    fclose(stream);
    return text;
}

static bool is_name_letter(char letter)
{
    return (letter >= 'a' && letter <= 'z') || letter == '-';
}

static const struct ja_option_row *row_named(const char *name, size_t length)
{
    for (const struct ja_option_row *row = ja_option_rows; row->name || row->help; row++)
        if (row->name && strlen(row->name) == length && memcmp(row->name, name, length) == 0)
            return row;
    return NULL;
}

/* The long options that a file names, each written behind the prefix, are those of the table: none
 * is missing (--caps does not stand for --cap), and none is there that the program does not know.
 */
static void check_file(const char *path, const char *prefix)
{
    char *text = file_text(path);
    bool named[128] = {false};
    for (char *at = strstr(text, prefix); at; at = strstr(at, prefix)) {
        bool inside = at > text && is_name_letter(at[-1]);
        at += strlen(prefix);
        size_t length = 0;
        while (is_name_letter(at[length]))
            length++;
        if (inside || !length || at[0] == '-')
            continue;
        const struct ja_option_row *row = row_named(at, length);
        if (!row)
            fail_msg("%s names %s%.*s, which is no option", path, prefix, (int)length, at);
        else
            named[row - ja_option_rows] = true;
    }
    for (const struct ja_option_row *row = ja_option_rows; row->name || row->help; row++)
        if (row->name && !named[row - ja_option_rows])
            fail_msg("%s does not know %s%s", path, prefix, row->name);
}

/* The man page heads every option with its letter, and with an argument where it takes one. */
static void check_man_page(const char *path)
{
    char *text = file_text(path), want[160], letter[16];
    for (const struct ja_option_row *row = ja_option_rows; row->name || row->help; row++) {
        if (!row->name)
            continue;
        letter[0] = '\0';
        if (row->letter)
            snprintf(letter, sizeof letter, "Fl %c , ", row->letter);
        snprintf(want, sizeof want, "\n.It %sFl -%s%c", letter, row->name,
                 row->argument ? ' ' : '\n');
        if (!strstr(text, want))
            fail_msg("%s has no heading%s", path, want);
    }
}

static void man_page_and_completions_know_every_option(void **state)
{
    (void)state;
    check_man_page(JA_SOURCE_DIR "/docs/jetsam-audit.1");
    check_file(JA_SOURCE_DIR "/docs/jetsam-audit.1", "Fl -");
    check_file(JA_SOURCE_DIR "/share/completions/jetsam-audit.bash", "--");
    check_file(JA_SOURCE_DIR "/share/completions/_jetsam-audit", "--");
    check_file(JA_SOURCE_DIR "/share/completions/jetsam-audit.fish", "-l ");
}

static int tear_down(void **state)
{
    (void)state;
    if (options.arena)
        ja_options_free(&options);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_reach_their_members),
        cmocka_unit_test(a_type_belongs_to_the_next_path_only),
        cmocka_unit_test(options_may_follow_paths),
        cmocka_unit_test(before_and_after_are_paths_with_a_role),
        cmocka_unit_test(times_without_zone_are_utc),
        cmocka_unit_test(fail_on_takes_a_list),
        cmocka_unit_test(wrong_words_are_refused_with_advice),
        cmocka_unit_test(help_and_version_need_no_path),
        cmocka_unit_test(about_names_only_what_changes_the_result),
        cmocka_unit_test(help_names_every_option_within_100_columns),
        cmocka_unit_test(table_has_no_name_or_letter_twice),
        cmocka_unit_test(man_page_and_completions_know_every_option),
    };
    return cmocka_run_group_tests(tests, NULL, tear_down);
}
