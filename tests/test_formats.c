/* SPDX-License-Identifier: MIT
 *
 * Walks fixtures/formats/<parser>/: every sample is parsed and compared with <sample>.expected
 * beside it, and is also parsed cut at many places. JA_REWRITE=1 writes the .expected files anew;
 * review them as a diff. JA_ONLY=vm_stat limits both to one parser.
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

#include "parsers/parser.h"
#include "tests/evidence_check.h"
#include "tests/evidence_print.h"

#define FORMATS JA_FIXTURES "/formats"
#define CUTS 40 /* places that every sample is cut at */
#define MOST_READINGS 1000000
#define MOST_PARSERS 256

static struct ja_arena *arena;
static int differing, samples;

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

/* The whole file, NUL-terminated, in the arena; NULL when it is not there. */
static char *read_file(const char *path, size_t *ret_length)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = ja_arena_alloc(arena, (size_t)size + 1, 1);
    *ret_length = fread(text, 1, (size_t)size, file);
    fclose(file);
    return text;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char **list(const char *folder, size_t *ret_count)
{
    const char **names = NULL;
    size_t count = 0, capacity = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (entry->d_name[0] == '.')
            continue;
        const char *name = ja_arena_string(arena, entry->d_name);
        *JA_APPEND(arena, names, count, capacity) = name;
    }
    if (dir)
        closedir(dir);
    if (count)
        qsort(names, count, sizeof *names, by_name);
    *ret_count = count;
    return names;
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static struct ja_evidence *parse(const char *path, const char *text, size_t length)
{
    const char *slash = strrchr(path, '/');
    struct ja_file file = {
        .path = path,
        .name = slash ? slash + 1 : path,
        .text = text,
        .length = length,
        .mtime_ns = JA_UNKNOWN,
    };
    struct ja_evidence *evidence = ja_parse_file(&file, NULL, JA_UNKNOWN, MOST_READINGS);
    check_evidence(evidence);
    return evidence;
}

static char *printed(const struct ja_evidence *evidence)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    print_evidence(out, evidence);
    fclose(out);
    return text;
}

/* Cut at a place, text is copied so that a read behind its end is seen by the sanitizer. */
static void parse_cut(const char *path, const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    struct ja_evidence *evidence = parse(path, copy, length);
    free(copy);
    check_texts(evidence);
    ja_evidence_free(evidence);
}

static void compare(const char *full, const char *got)
{
    const char *path = ja_arena_print(arena, "%s.expected", full);
    const char *rewrite = getenv("JA_REWRITE");
    if (rewrite && *rewrite) {
        FILE *out = fopen(path, "wb");
        assert_non_null(out);
        fputs(got, out);
        fclose(out);
        return;
    }
    size_t length;
    const char *expected = read_file(path, &length);
    if (expected && strcmp(expected, got) == 0)
        return;
    differing++;
    if (!expected) {
        print_error("%s: no .expected beside it\n", full);
        return;
    }
    size_t same = 0, line = 1;
    for (size_t i = 0; expected[i] && expected[i] == got[i]; i++) {
        if (expected[i] == '\n') {
            same = i + 1;
            line++;
        }
    }
    print_error("%s: line %zu of .expected\n  expected: %.*s\n  got:      %.*s\n", full, line,
                (int)strcspn(expected + same, "\n"), expected + same,
                (int)strcspn(got + same, "\n"), got + same);
}

static void check_sample(const char *full, const char *path)
{
    size_t length;
    char *text = read_file(full, &length);
    assert_non_null(text);
    struct ja_evidence *evidence = parse(path, text, length);
    char *got = printed(evidence);
    ja_evidence_free(evidence);
    compare(full, got);
    free(got);
    for (size_t i = 0; i <= CUTS; i++)
        parse_cut(path, text, length * i / CUTS);
    for (size_t i = 1; i < 8 && i < length; i++)
        parse_cut(path, text, length - i);
    samples++;
}

static void check_folder(const char *folder, const char *relative)
{
    size_t count;
    const char **names = list(folder, &count);
    for (size_t i = 0; i < count; i++) {
        const char *full = ja_arena_print(arena, "%s/%s", folder, names[i]);
        const char *path =
            *relative ? ja_arena_print(arena, "%s/%s", relative, names[i]) : names[i];
        size_t n = strlen(names[i]);
        if (is_folder(full))
            check_folder(full, path);
        else if (n < 9 || strcmp(names[i] + n - 9, ".expected") != 0)
            check_sample(full, path);
    }
}

static void samples_give_what_is_expected(void **state)
{
    (void)state;
    size_t count;
    const char **names = list(FORMATS, &count);
    const char *only = getenv("JA_ONLY");
    for (size_t i = 0; i < count; i++)
        if (!only || strcmp(only, names[i]) == 0)
            check_folder(ja_arena_print(arena, FORMATS "/%s", names[i]), "");
    assert_int_equal(differing, 0);
    print_message("%d samples\n", samples);
}

static void every_folder_has_a_parser(void **state)
{
    (void)state;
    size_t count;
    const char **names = list(FORMATS, &count);
    for (size_t i = 0; i < count; i++)
        if (!ja_parser_named(names[i]))
            fail_msg("fixtures/formats/%s: no parser of that name", names[i]);
}

static void every_parser_has_a_folder(void **state)
{
    (void)state;
    for (size_t i = 0; ja_parsers[i]; i++) {
        size_t count;
        list(ja_arena_print(arena, FORMATS "/%s", ja_parsers[i]->name), &count);
        if (count < 2)
            fail_msg("parser %s: no samples in fixtures/formats/%s", ja_parsers[i]->name,
                     ja_parsers[i]->name);
    }
}

/* The cells of one row of a Markdown table; 0: no row. */
static size_t cells_of(char *line, char **cells, size_t most)
{
    size_t count = 0;
    if (*line++ != '|')
        return 0;
    for (char *end; count < most && (end = strstr(line, " |")); line = end + 2) {
        *end = '\0';
        cells[count++] = line + (*line == ' ');
    }
    return count;
}

/* docs/FORMATS.md has one row a parser: what --list says of it, versions seen, what is taken. */
static void every_parser_is_documented(void **state)
{
    (void)state;
    size_t rows[MOST_PARSERS] = {0};
    char line[1024], *cells[5] = {NULL};
    FILE *stream = fopen(JA_SOURCE_DIR "/docs/FORMATS.md", "rb");
    assert_non_null(stream);
    while (fgets(line, sizeof line, stream)) {
        line[strcspn(line, "\n")] = '\0';
        size_t count = cells_of(line, cells, 5);
        if (count == 0 || cells[0][0] != '`')
            continue;
        char *name = cells[0] + 1;
        name[strcspn(name, "`")] = '\0';
        size_t i = 0;
        while (ja_parsers[i] && strcmp(ja_parsers[i]->name, name) != 0)
            i++;
        assert_true(i < MOST_PARSERS);
        if (!ja_parsers[i] || count != 4)
            fail_msg("FORMATS.md, %s: no parser, or not four columns", name);
        assert_string_equal(cells[1], ja_parsers[i]->reads);
        assert_true(strlen(cells[2]) > 2 && strlen(cells[3]) > 2);
        rows[i]++;
    }
    fclose(stream);
    for (size_t i = 0; ja_parsers[i]; i++)
        if (rows[i] != 1)
            fail_msg("%s has %zu rows in FORMATS.md", ja_parsers[i]->name, rows[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_give_what_is_expected),
        cmocka_unit_test(every_folder_has_a_parser),
        cmocka_unit_test(every_parser_has_a_folder),
        cmocka_unit_test(every_parser_is_documented),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
