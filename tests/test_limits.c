/* SPDX-License-Identifier: MIT
 *
 * What is cut at a limit is said to be cut, and what is just below it is not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glob.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "parsers/stated.h"
#include "tests/parse_fixture.h"

/* A text of count times before, a running number, behind; free it. */
static char *repeat(const char *before, const char *behind, unsigned count)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    for (unsigned i = 0; i < count; i++)
        fprintf(out, "%s%u%s", before, i, behind);
    fclose(out);
    return text;
}

static void expect(const char *code, bool said, struct ja_evidence *evidence)
{
    if (diagnosed(evidence, code) != said)
        fail_msg("%s is %s", code, said ? "not said" : "said");
    ja_evidence_free(evidence);
}

/* At the limit nothing is said, one beyond it the code is. */
static void check_limit(const char *path, const char *code, const char *before, const char *behind,
                        unsigned limit)
{
    for (unsigned beyond = 0; beyond < 2; beyond++) {
        char *text = repeat(before, behind, limit + beyond);
        expect(code, beyond, parse_text(path, text));
        free(text);
    }
}

static void documents_of_kubernetes(void **state)
{
    (void)state;
    check_limit("pods.json", "too-many-documents",
                "{\"kind\":\"PodMetrics\",\"metadata\":{\"name\":\"p", "\"}}\n", 100000);
}

static void panics_of_one_text(void **state)
{
    (void)state;
    check_limit("Kernel.panic", "too-many-panics", "panic(cpu ",
                " caller 0xffffff80001): \"busy timeout\"\nDebugger message: panic\n\n", 64);
}

static void hosts_of_one_log(void **state)
{
    (void)state;
    check_limit("kern.log", "too-many-boots", "Oct 13 09:12:00 host",
                " kernel: [1.0] Out of memory: Killed process 7 (x) total-vm:8kB, anon-rss:4kB, "
                "file-rss:0kB, shmem-rss:0kB\n",
                1000);
}

static void readings_of_one_file(void **state)
{
    (void)state;
    char *text = repeat("2026-10-13 09:12:00 name=w", " 512 MB\n", 40);
    struct ja_file file = {"rss.log", "rss.log", text, strlen(text), JA_UNKNOWN, false};
    expect("too-many-readings", false, ja_parse_file(&file, NULL, JA_UNKNOWN, 40));
    expect("too-many-readings", true, ja_parse_file(&file, NULL, JA_UNKNOWN, 39));
    free(text);
}

static void check_readings(const char *full)
{
    static char text[1 << 20];
    FILE *file = fopen(full, "rb");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = 0;
    struct ja_file in = {full, strrchr(full, '/') + 1, text, length, JA_UNKNOWN, false};
    struct ja_evidence *whole = ja_parse_file(&in, NULL, JA_UNKNOWN, 1000000);
    size_t count = whole->reading_count;
    bool lines = ja_has_kind(whole, JA_KIND_NDJSON); /* a reading of them is one of a child */
    ja_evidence_free(whole);
    if (count == 0 || lines)
        return;
    struct ja_evidence *part = ja_parse_file(&in, NULL, JA_UNKNOWN, count - 1);
    if (part->reading_count >= count || !diagnosed(part, "too-many-readings"))
        fail_msg("%s: %zu of %zu readings, and not a word", full, part->reading_count, count);
    ja_evidence_free(part);
}

/* Every parser keeps the limit, and says so. */
static void readings_of_every_format(void **state)
{
    (void)state;
    static const char *const depths[] = {"/*/*", "/*/*/*", "/*/*/*/*"};
    size_t files = 0;
    for (size_t d = 0; d < sizeof depths / sizeof *depths; d++) {
        char pattern[1024];
        glob_t found;
        snprintf(pattern, sizeof pattern, "%s/formats%s", JA_FIXTURES, depths[d]);
        if (glob(pattern, 0, NULL, &found) != 0)
            continue;
        for (size_t i = 0; i < found.gl_pathc; i++) {
            struct stat status;
            const char *path = found.gl_pathv[i];
            size_t length = strlen(path);
            if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) ||
                strcmp(path + length - 9, ".expected") == 0)
                continue;
            check_readings(path);
            files++;
        }
        globfree(&found);
    }
    assert_true(files > 100);
}

/* A header of columns that nobody knows, between the ones that count: the size is the n-th. */
static struct ja_evidence *table_with_columns(unsigned size_at, unsigned columns)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    fputs("time,name", out);
    for (unsigned i = 3; i <= columns; i++)
        i == size_at ? fputs(",rss_kb", out) : fprintf(out, ",c%u", i);
    fputs("\n2026-10-13T09:12:00Z,worker", out);
    for (unsigned i = 3; i <= columns; i++)
        fprintf(out, ",%u", i);
    fputs("\n", out);
    fclose(out);
    struct ja_evidence *evidence = parse_text("watch.csv", text);
    free(text);
    return evidence;
}

static void columns_of_a_table(void **state)
{
    (void)state;
    struct ja_evidence *e = table_with_columns(48, 48);
    assert_int_equal(e->reading_count, 1);
    assert_int_equal(e->readings[0].value, 48 * 1024);
    expect("too-many-columns", false, e);
    e = table_with_columns(30, 49);
    assert_int_equal(e->readings[0].value, 30 * 1024);
    expect("too-many-columns", true, e);
}

static void columns_of_a_manifest(void **state)
{
    (void)state;
    for (unsigned beyond = 0; beyond < 2; beyond++) {
        char *behind = repeat("\tc", "", 30 + beyond), text[600];
        snprintf(text, sizeof text, "path\tcaptured%s\na.txt\t2026-09-15T18:00:00Z\n", behind);
        struct ja_stated stated;
        struct ja_evidence *evidence = ja_evidence_new("MANIFEST.tsv");
        ja_stated_init(&stated, evidence->arena);
        ja_manifest_read(&stated, text, strlen(text), "", evidence);
        assert_int_equal(stated.time_count, 1);
        expect("too-many-columns", beyond, evidence);
        free(behind);
    }
}

static void lines_of_a_growth_log(void **state)
{
    (void)state;
    char text[800], name[401];
    memset(name, 'n', 400);
    name[400] = 0;
    for (int longer = 0; longer < 2; longer++) {
        snprintf(text, sizeof text,
                 "2026-10-13 09:12:00 name=w 512 MB\n2026-10-13 09:13:00 name=%s 512 MB\n",
                 name + (longer ? 0 : 100));
        struct ja_evidence *e = parse_text("rss.log", text);
        assert_int_equal(e->reading_count, longer ? 1 : 2);
        expect("line-too-long", longer, e);
    }
}

static int set_up(void **state)
{
    (void)state;
    ja_parsers_prepare();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documents_of_kubernetes),  cmocka_unit_test(panics_of_one_text),
        cmocka_unit_test(hosts_of_one_log),         cmocka_unit_test(readings_of_one_file),
        cmocka_unit_test(readings_of_every_format), cmocka_unit_test(columns_of_a_table),
        cmocka_unit_test(columns_of_a_manifest),    cmocka_unit_test(lines_of_a_growth_log),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
