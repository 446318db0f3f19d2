/* SPDX-License-Identifier: MIT
 *
 * Walks fixtures/incidents/<name>/: the program audits input/ (with case.json beside it, if any),
 * and its JSON must hold what a person wrote down by hand:
 *
 *   expected/findings.tsv   rule <TAB> grade, or "absent" (of that process only, when one is
 *                           named) <TAB> process, or "-" <TAB> numbers
 *                           ("silent_s=92 books_bytes=60169814016..60182822912")
 *   expected/timeline.tsv   UTC second <TAB> kind <TAB> name, or "-": all events, in order
 *
 * Lines that begin with # are remarks. Findings that are not named there may exist.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

#include "model/arena.h"

#define INCIDENTS JA_FIXTURES "/incidents"
#define MOST_COLUMNS 4

static struct ja_arena *arena;
static const char *program;
static int failures;

static char *read_all(FILE *file)
{
    size_t capacity = 1 << 16, length = 0;
    char *text = malloc(capacity);
    for (size_t n; text && (n = fread(text + length, 1, capacity - length - 1, file)) > 0;) {
        length += n;
        if (capacity - length < 4096)
            text = realloc(text, capacity *= 2);
    }
    assert_non_null(text);
    text[length] = '\0';
    return text;
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    char *text = read_all(file);
    fclose(file);
    return text;
}

static cJSON *audit(const char *folder)
{
    const char *case_file = ja_arena_print(arena, "%s/case.json", folder);
    char *stated = read_file(case_file);
    const char *command = ja_arena_print(
        arena, "'%s' --json --quiet --ignore-mtime %s%s%s '%s/input' 2>/dev/null", program,
        stated ? "--case '" : "", stated ? case_file : "", stated ? "'" : "", folder);
    free(stated);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    char *text = read_all(pipe);
    pclose(pipe);
    cJSON *document = cJSON_Parse(text);
    free(text);
    if (!document)
        fail_msg("%s: no JSON from %s", folder, command);
    return document;
}

static const char *string(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    return text ? text : "-";
}

static const char *process_name(const cJSON *document, const cJSON *finding)
{
    const cJSON *id = cJSON_GetObjectItemCaseSensitive(finding, "process"), *process;
    if (!cJSON_IsNumber(id))
        return "-";
    cJSON_ArrayForEach(process, cJSON_GetObjectItemCaseSensitive(document, "processes"))
    {
        const cJSON *own = cJSON_GetObjectItemCaseSensitive(process, "id");
        if (cJSON_IsNumber(own) && own->valuedouble == id->valuedouble)
            return string(process, "name");
    }
    return "?";
}

/* "key=value" or "key=low..high" */
static bool holds(const cJSON *numbers, const char *claim)
{
    const char *equals = strchr(claim, '=');
    if (!equals)
        return false;
    const char *key = ja_arena_copy(arena, claim, (size_t)(equals - claim));
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(numbers, key);
    if (!cJSON_IsNumber(item))
        return false;
    const char *range = strstr(equals, ".."); /* strtod would take its first point for its own */
    char *rest, *low_text = ja_arena_copy(
                    arena, equals + 1, range ? (size_t)(range - equals - 1) : strlen(equals + 1));
    double low = strtod(low_text, &rest), high = low;
    if (*rest == '\0' && range)
        high = strtod(range + 2, &rest);
    return *rest == '\0' && item->valuedouble >= low && item->valuedouble <= high;
}

static bool all_hold(const cJSON *numbers, const char *claims)
{
    char *copy = ja_arena_string(arena, claims);
    for (char *at = copy; *at;) {
        char *end = at + strcspn(at, " ");
        bool last = *end == '\0';
        *end = '\0';
        if (*at && !holds(numbers, at))
            return false;
        at = last ? end : end + 1;
    }
    return true;
}

static size_t split(char *line, char **columns)
{
    size_t count = 0;
    for (char *at = line; count < MOST_COLUMNS;) {
        columns[count++] = at;
        at += strcspn(at, "\t");
        if (*at == '\0')
            break;
        *at++ = '\0';
    }
    return count;
}

static bool found(const cJSON *document, char **columns, size_t count)
{
    const cJSON *finding;
    cJSON_ArrayForEach(finding, cJSON_GetObjectItemCaseSensitive(document, "findings"))
    {
        if (strcmp(string(finding, "rule"), columns[0]) != 0)
            continue;
        bool other = count > 2 && strcmp(process_name(document, finding), columns[2]) != 0;
        if (strcmp(columns[1], "absent") == 0) {
            if (!other)
                return true;
            continue;
        }
        if (strcmp(string(finding, "grade"), columns[1]) == 0 && !other &&
            (count < 4 ||
             all_hold(cJSON_GetObjectItemCaseSensitive(finding, "numbers"), columns[3])))
            return true;
    }
    return false;
}

static void check_findings(const cJSON *document, const char *name, char *expected)
{
    for (char *at = expected; *at;) {
        char *end = at + strcspn(at, "\n");
        bool last = *end == '\0';
        *end = '\0';
        char *columns[MOST_COLUMNS] = {NULL}, *shown = ja_arena_string(arena, at);
        size_t count = *at == '#' || *at == '\0' ? 0 : split(at, columns);
        if (count >= 2) {
            bool absent = strcmp(columns[1], "absent") == 0;
            if (found(document, columns, count) == absent) {
                print_error("%s: does not hold: %s\n", name, shown);
                failures++;
            }
        }
        at = last ? end : end + 1;
    }
}

static char *timeline(const cJSON *document)
{
    char *text = ja_arena_string(arena, "");
    const cJSON *event;
    cJSON_ArrayForEach(event, cJSON_GetObjectItemCaseSensitive(document, "events"))
    {
        const cJSON *at = cJSON_GetObjectItemCaseSensitive(event, "at");
        const char *when = string(at, "at");
        text = ja_arena_print(arena, "%s%.19s\t%s\t%s\n", text, when, string(event, "kind"),
                              string(event, "name"));
    }
    return text;
}

static void check_timeline(const cJSON *document, const char *name, const char *expected)
{
    const char *got = timeline(document);
    while (*expected == '#')
        expected += strcspn(expected, "\n") + 1;
    if (strcmp(got, expected) == 0)
        return;
    print_error("%s: timeline is\n%s", name, got);
    failures++;
}

static size_t check_incident(const char *name)
{
    const char *folder = ja_arena_print(arena, INCIDENTS "/%s", name);
    char *findings = read_file(ja_arena_print(arena, "%s/expected/findings.tsv", folder));
    char *events = read_file(ja_arena_print(arena, "%s/expected/timeline.tsv", folder));
    if (findings || events) {
        cJSON *document = audit(folder);
        if (findings)
            check_findings(document, name, findings);
        if (events)
            check_timeline(document, name, events);
        cJSON_Delete(document);
    }
    size_t checked = findings != NULL;
    free(findings);
    free(events);
    return checked;
}

static void incidents_are_told_as_by_hand(void **state)
{
    (void)state;
    DIR *dir = opendir(INCIDENTS);
    assert_non_null(dir);
    size_t checked = 0;
    for (struct dirent *entry; (entry = readdir(dir));)
        if (entry->d_name[0] != '.')
            checked += check_incident(entry->d_name);
    closedir(dir);
    assert_int_equal(failures, 0);
    assert_true(checked > 0);
}

int main(int argc, char **argv)
{
    (void)argc;
    arena = ja_arena_new();
    const char *slash = strrchr(argv[0], '/');
    program = slash ? ja_arena_print(arena, "%.*s/../jetsam-audit", (int)(slash - argv[0]), argv[0])
                    : "../jetsam-audit";
    const struct CMUnitTest tests[] = {cmocka_unit_test(incidents_are_told_as_by_hand)};
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    ja_arena_free(arena);
    return status;
}
