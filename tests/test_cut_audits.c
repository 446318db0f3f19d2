/* SPDX-License-Identifier: MIT
 *
 * An audit of evidence of which one file ends too early never confirms what the audit of the whole
 * does not: every file of every incident, and every small sample of a format, is cut at some
 * places, and each CONFIRMED finding on the rest must be one on the whole. JA_CUTS=400 cuts at more
 * places, JA_ONLY=linux-memcg-oom takes one incident or format.
 */
#include <math.h>
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

#include "model/case.h"
#include "parsers/parser.h"

#define LONGEST_CUT 60000 /* bytes: larger samples are no small ones */
#define MOST_FILES 64     /* of an incident */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CUTS_OF_INCIDENTS 10 /* ten times as slow */
#define CUTS_OF_FORMATS 5
#else
#define CUTS_OF_INCIDENTS 40
#define CUTS_OF_FORMATS 20
#endif

struct text {
    const char *path, *bytes;
    size_t length;
};

/* Files that are audited together. */
struct folder {
    const char *name;
    struct text files[MOST_FILES];
    size_t count;
};

static struct ja_arena *arena;
static struct ja_statements nothing_stated;
static size_t cut_count;
static int failures;

static struct ja_case *audit(const struct folder *folder, size_t cut_file, size_t cut_length)
{
    struct ja_input inputs[MOST_FILES];
    for (size_t i = 0; i < folder->count; i++) {
        const struct text *text = &folder->files[i];
        size_t length = i == cut_file ? cut_length : text->length;
        char *copy = malloc(length + 1);
        assert_non_null(copy);
        memcpy(copy, text->bytes, length);
        copy[length] = '\0';
        const char *slash = strrchr(text->path, '/');
        struct ja_file file = {text->path, slash ? slash + 1 : text->path, copy, length, JA_UNKNOWN,
                               false};
        inputs[i] = (struct ja_input){
            .evidence = ja_parse_file(&file, NULL, JA_UNKNOWN, 1000000),
            .size_bytes = (int64_t)length,
            .mtime_ns = JA_UNKNOWN,
        };
        snprintf(inputs[i].sha256, sizeof inputs[i].sha256, "%064zx", i + 1);
        free(copy);
    }
    return ja_case_build(inputs, folder->count, &nothing_stated, NULL);
}

/* What the rest may confirm although the whole does not. */
static const struct {
    const char *rule;
    const char *folder; /* NULL: any */
} allowed[] = {
    {"books_incomplete", NULL},           /* says that a table is cut */
    {"process_table_absent", NULL},       /* says that a table is not there */
    {"observation_gap", NULL},            /* says that readings are not there */
    {"outside_processes", NULL},          /* of another moment: the one that held most is gone */
    {"critical_process_killed", "panic"}, /* for a reason that is cut off: per_process_limit */
    {"sources_agree", NULL},              /* of another process: only the largest are said */
    {"retained_after_free", "vmmap"},     /* the regions' word, until the zone table's comes */
};

static bool is_allowed(const struct folder *folder, const struct ja_finding *said)
{
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        if (strcmp(allowed[i].rule, said->rule) == 0 &&
            (!allowed[i].folder || strcmp(allowed[i].folder, folder->name) == 0))
            return true;
    return false;
}

/* It names the life that is seen longest, and the whole may see longer of another one. */
static bool of_a_name(const char *rule)
{
    return strcmp(rule, "restart_split") == 0;
}

/* The pid may not be told yet, and a name at the cut may go on. */
static bool same_process(const struct ja_case *part, const struct ja_finding *said,
                         const struct ja_case *whole, uint32_t process)
{
    if (process == JA_NONE)
        return false;
    const struct ja_process *p = &part->processes[said->process], *q = &whole->processes[process];
    return (p->pid == JA_UNKNOWN || p->pid == q->pid || of_a_name(said->rule)) &&
           strncmp(p->name, q->name, strlen(p->name)) == 0;
}

static double number_of(const struct ja_finding *finding, const char *name)
{
    for (size_t i = 0; i < finding->number_count; i++)
        if (strcmp(finding->numbers[i].name, name) == 0)
            return finding->numbers[i].whole != JA_UNKNOWN ? (double)finding->numbers[i].whole
                                                           : finding->numbers[i].value;
    return NAN;
}

/* What is counted only becomes more; several findings may share it (a kill told by two logs). */
static bool as_many(const struct ja_finding *said, const struct ja_case *whole)
{
    static const char *const counts[] = {"kills", "lives", "steps", "rows", "peaks", "count"};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        double sum = 0, one;
        for (size_t f = 0; f < whole->finding_count; f++)
            if (strcmp(whole->findings[f].rule, said->rule) == 0 &&
                !isnan(one = number_of(&whole->findings[f], counts[i])))
                sum += one;
        if (number_of(said, counts[i]) > sum)
            return false;
    }
    return true;
}

/* It grew by this much between two readings that the whole has as well. */
static bool grew(const struct ja_case *part, const struct ja_finding *said,
                 const struct ja_case *whole)
{
    double least = number_of(said, "net_low_bytes");
    for (size_t i = 0; i < whole->series_count; i++) {
        const struct ja_series *series = &whole->series[i];
        if ((int)series->metric != said->metric ||
            !same_process(part, said, whole, series->process))
            continue;
        for (size_t b = 1; b < series->point_count; b++)
            for (size_t a = 0; a < b; a++)
                if ((double)(ja_point_at(series, b).low - ja_point_at(series, a).high) >= least)
                    return true;
    }
    return false;
}

static bool holds(const struct ja_case *part, const struct ja_finding *said,
                  const struct ja_case *whole)
{
    for (size_t i = 0; i < whole->finding_count && as_many(said, whole); i++) {
        const struct ja_finding *finding = &whole->findings[i];
        bool sure = finding->grade == JA_CONFIRMED || finding->grade == JA_CONTRADICTED;
        bool unnamed = said->process == JA_NONE;
        if (sure && strcmp(finding->rule, said->rule) == 0 && finding->metric == said->metric &&
            (unnamed || same_process(part, said, whole, finding->process)))
            return true;
    }
    return strcmp(said->rule, "growing") == 0 && grew(part, said, whole);
}

static bool check_cut(const struct folder *folder, size_t file, size_t length,
                      const struct ja_case *whole)
{
    struct ja_case *part = audit(folder, file, length);
    bool good = true;
    cut_count++;
    for (size_t i = 0; i < part->finding_count && good; i++) {
        const struct ja_finding *said = &part->findings[i];
        if (said->grade != JA_CONFIRMED || is_allowed(folder, said) || holds(part, said, whole))
            continue;
        good = false;
        print_error("%s: %s cut at %zu of %zu: %s: %s\n", folder->name, folder->files[file].path,
                    length, folder->files[file].length, said->rule, said->statement);
    }
    ja_case_free(part);
    return good;
}

static void check_folder(const struct folder *folder, size_t cuts_a_file)
{
    struct ja_case *whole = audit(folder, SIZE_MAX, 0);
    for (size_t file = 0; file < folder->count; file++) {
        size_t length = folder->files[file].length;
        size_t count = cuts_a_file < length ? cuts_a_file : length;
        int wrong = 0;
        for (size_t i = 1; i < count && wrong < 3; i++)
            wrong += !check_cut(folder, file, length * i / count, whole);
        failures += wrong > 0;
    }
    ja_case_free(whole);
}

static size_t cuts(size_t usual)
{
    const char *wanted = getenv("JA_CUTS");
    return wanted ? strtoul(wanted, NULL, 10) : usual;
}

static void load(struct folder *folder, const char *full, const char *path)
{
    FILE *file = fopen(full, "rb");
    assert_non_null(file);
    char *bytes = ja_arena_alloc(arena, LONGEST_CUT + 2, 1);
    size_t length = fread(bytes, 1, LONGEST_CUT + 1, file);
    fclose(file);
    if (length > LONGEST_CUT || length == 0)
        return;
    assert_true(folder->count < MOST_FILES);
    folder->files[folder->count++] = (struct text){path, bytes, length};
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names in a folder, sorted; ends with NULL. */
static const char **names_in(const char *path)
{
    const char **names = NULL;
    size_t count = 0, capacity = 0;
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        size_t n = strlen(entry->d_name);
        if (entry->d_name[0] != '.' && (n < 9 || strcmp(entry->d_name + n - 9, ".expected") != 0))
            *JA_APPEND(arena, names, count, capacity) = ja_arena_string(arena, entry->d_name);
    }
    if (dir)
        closedir(dir);
    if (count)
        qsort(names, count, sizeof *names, by_name);
    *JA_APPEND(arena, names, count, capacity) = NULL;
    return names;
}

static void load_below(struct folder *folder, const char *full, const char *relative)
{
    for (const char **name = names_in(full); *name; name++) {
        const char *below = ja_arena_print(arena, "%s/%s", full, *name);
        const char *path = *relative ? ja_arena_print(arena, "%s/%s", relative, *name) : *name;
        struct stat status;
        if (stat(below, &status) == 0 && S_ISDIR(status.st_mode))
            load_below(folder, below, path);
        else
            load(folder, below, path);
    }
}

static bool is_wanted(const char *name)
{
    const char *only = getenv("JA_ONLY");
    return !only || strcmp(only, name) == 0;
}

static void incidents(void **state)
{
    (void)state;
    for (const char **name = names_in(JA_FIXTURES "/incidents"); *name; name++) {
        struct folder folder = {.name = *name};
        if (!is_wanted(*name))
            continue;
        load_below(&folder, ja_arena_print(arena, JA_FIXTURES "/incidents/%s/input", *name), "");
        /* Every cut reads all files again: of many files, fewer places each. */
        check_folder(&folder, cuts(CUTS_OF_INCIDENTS / (1 + folder.count / 8)));
    }
    print_message("%zu cuts\n", cut_count);
    assert_int_equal(failures, 0);
}

static void formats(void **state)
{
    (void)state;
    for (const char **name = names_in(JA_FIXTURES "/formats"); *name; name++) {
        struct folder all = {.name = *name};
        if (!is_wanted(*name))
            continue;
        load_below(&all, ja_arena_print(arena, JA_FIXTURES "/formats/%s", *name), "");
        for (size_t i = 0; i < all.count; i++) {
            struct folder one = {.name = *name, .files = {all.files[i]}, .count = 1};
            check_folder(&one, cuts(CUTS_OF_FORMATS));
        }
    }
    print_message("%zu cuts\n", cut_count);
    assert_int_equal(failures, 0);
}

static int set_up(void **state)
{
    (void)state;
    arena = ja_arena_new();
    nothing_stated = ja_statements_none();
    ja_parsers_prepare();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    ja_arena_free(arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(incidents), cmocka_unit_test(formats)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
