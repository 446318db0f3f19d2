/* SPDX-License-Identifier: MIT
 *
 * A file that ends too early never says more than the whole: every sample of fixtures/formats is
 * parsed cut at every byte (large ones at many places), and what the part states of sizes, counts,
 * events, figures and moments must be stated by the whole as well. JA_ONLY=vm_stat limits it to one
 * parser.
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

#define FORMATS JA_FIXTURES "/formats"
#define LONGEST_FULLY_CUT 600 /* bytes: longer files are cut at MOST_CUTS places */
#define LONGEST_CUT 20000
#define MOST_CUTS 150

/* One statement of an evidence. */
struct claim {
    const char *what; /* metric, unit, figure, fact, event: in words */
    const char *more; /* category, reason or text; NULL */
    const char *name; /* of the subject; NULL: none, or not said */
    bool name_cut;    /* it says of itself that it may go on */
    int64_t pid, value, step;
};

struct claims {
    struct claim *items;
    size_t count, capacity;
};

static struct ja_arena *arena;
static int failures, files;

static struct claim *add(struct claims *claims, struct ja_arena *in, const char *what,
                         int64_t value)
{
    struct claim *claim = JA_APPEND(in, claims->items, claims->count, claims->capacity);
    *claim = (struct claim){.what = what, .pid = JA_UNKNOWN, .value = value, .step = JA_UNKNOWN};
    return claim;
}

static void of_subject(struct claim *claim, const struct ja_evidence *evidence, uint32_t subject)
{
    if (subject == JA_NONE)
        return;
    claim->name = evidence->subjects[subject].name;
    claim->name_cut = evidence->subjects[subject].name_cut;
    claim->pid = evidence->subjects[subject].pid;
}

static void claim_readings(const struct ja_evidence *e, struct ja_arena *in, struct claims *ret)
{
    for (size_t i = 0; i < e->reading_count; i++) {
        const struct ja_reading *reading = &e->readings[i];
        struct claim *claim = add(ret, in, ja_metrics[reading->metric].word, reading->value);
        of_subject(claim, e, reading->subject);
        claim->step = reading->resolution;
        if (reading->category != JA_NONE)
            claim->more = e->categories[reading->category];
    }
    for (size_t i = 0; i < e->count_count; i++) {
        const struct ja_count *count = &e->counts[i];
        struct claim *claim = add(ret, in, count->unit, (int64_t)(count->total * 1000));
        of_subject(claim, e, count->subject);
    }
}

/* Facts of what the file holds, which a part of it has less of. */
static bool about_file(enum ja_fact_key key)
{
    return key == JA_FACT_ROWS || key == JA_FACT_TABLE_CUT || key == JA_FACT_TABLE_FILTERED;
}

static void claim_rest(const struct ja_evidence *e, struct ja_arena *in, struct claims *ret)
{
    for (size_t i = 0; i < e->event_count; i++) {
        const struct ja_event_seen *event = &e->events[i];
        if (event->kind == JA_EVENT_NOTE)
            continue; /* says what is missing */
        struct claim *claim = add(ret, in, ja_event_word(event->kind), event->bytes);
        of_subject(claim, e, event->subject);
        claim->more = event->reason;
        if (event->limit_bytes != JA_UNKNOWN)
            add(ret, in, "limit", event->limit_bytes)->more = event->reason;
    }
    for (size_t i = 0; i < e->record_count; i++)
        for (int f = 0; e->records[i].figures && f < JA_FIGURE_COUNT; f++)
            if (e->records[i].figures[f] != JA_UNKNOWN)
                add(ret, in, ja_figure_words[f], e->records[i].figures[f]);
    for (size_t i = 0; i < e->fact_count; i++)
        if (e->facts[i].value != JA_UNKNOWN && !about_file(e->facts[i].key))
            add(ret, in, ja_fact_words[e->facts[i].key], e->facts[i].value);
    for (size_t i = 0; i < e->system_count; i++) {
        add(ret, in, "ram", e->systems[i].ram_bytes);
        add(ret, in, "page", e->systems[i].page_bytes);
        add(ret, in, "cores", e->systems[i].cores);
        add(ret, in, "tick", e->systems[i].tick_hz);
    }
    for (size_t i = 0; i < e->subject_count; i++) {
        const struct ja_subject *s = &e->subjects[i];
        of_subject(add(ret, in, "peak", s->peak_bytes), e, (uint32_t)i);
        of_subject(add(ret, in, "age", s->age_ticks), e, (uint32_t)i);
        of_subject(add(ret, in, "start", s->more->start_ticks), e, (uint32_t)i);
        of_subject(add(ret, in, "cpu", s->cpu_ns), e, (uint32_t)i);
    }
}

static void claim_moments(const struct ja_evidence *e, struct ja_arena *in, struct claims *ret)
{
    for (size_t i = 0; i < e->stamp_count; i++) {
        const struct ja_stamp *stamp = &e->stamps[i];
        if (stamp->parts & JA_STAMP_UNIX)
            add(ret, in, "moment", stamp->unix_ns)->step = stamp->step_ns;
        if (stamp->parts & JA_STAMP_BOOT)
            add(ret, in, "since boot", stamp->since_boot_ns)->step = stamp->step_ns;
    }
}

static struct claims claims_of(const struct ja_evidence *evidence, struct ja_arena *in)
{
    struct claims claims = {0};
    claim_readings(evidence, in, &claims);
    claim_rest(evidence, in, &claims);
    claim_moments(evidence, in, &claims);
    return claims;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Not said is no claim. */
static bool same_number(int64_t said, int64_t whole)
{
    return said == JA_UNKNOWN || said == whole;
}

/* The same value as finely, or a moment cut down to its step. */
static bool same_value(const struct claim *said, const struct claim *whole)
{
    if (said->step != JA_UNKNOWN && said->step < whole->step)
        return false;
    bool moment = strcmp(said->what, "moment") == 0;
    return same_number(said->value, whole->value) ||
           (moment && whole->value > said->value && whole->value < said->value + said->step);
}

/* A reason may be cut, or not named yet; what follows the cut adds to it. */
static bool same_reason(const char *said, const char *whole)
{
    return !said || strstr(said, "not named") || (whole && strncmp(whole, said, strlen(said)) == 0);
}

/* No name, one that says it may go on, or words that stand for one. */
static bool unnamed(const struct claim *said)
{
    return !said->name || said->name_cut || strstr(said->name, "not printed");
}

/* What no part can know, and is true of the part. at_least: a sum or a largest one over rows, which
 * later rows only raise. */
static const struct {
    const char *path; /* begins with it */
    const char *what; /* NULL: any claim */
    bool at_least;
} allowed[] = {
    {"cgroup/20261004T071600Z/memory.stat", NULL, false}, /* v1: its own before the subtree's */
    {"footprint/", "phys_footprint", false},     /* the head's, until the ledger's comes; said so */
    {"growth_log/", NULL, false},                /* name= and metric= stand behind the number */
    {"jetsam/bad-numbers", "compressor", false}, /* comes again with another value */
    {"oom_block/", "resident", false},           /* the prose that follows drowns it */
    {"oom_log/earlyoom", NULL, false},           /* the first and the last of many lines */
    {"oom_log/memcg-v1", "since boot", false},
    {"oom_log/two-hosts", "moment", false},
    {"oom_log/shared-and", NULL, false}, /* told later that it shares its memory */
    {"oom_log/", "largest_slab", true},
    {"memory_resource/", "moment", false}, /* the start's, until the end's comes */
    {"panic/", "largest_zone", true},
    {"proc_cmdline/", "limit", false}, /* the last of several options counts */
    {"proc_smaps/cut", NULL, false},   /* the whole is cut, too, and claims nothing */
    {"proc_smaps/", NULL, true},       /* sums of the mappings so far */
    {"proc_swaps/bad", NULL, false},   /* a row that cannot be read: no totals */
    {"proc_swaps/", NULL, true},
    {"resource_report/", "moment", false},
    {"shutdown_stall/", "moment", false},
    {"zprint/", "largest_zone", true},
    {"zram/", NULL, true},
};

static bool is_allowed(const char *path, const struct claim *said, const struct claims *whole)
{
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
        if (strncmp(path, allowed[i].path, strlen(allowed[i].path)) != 0 ||
            (allowed[i].what && strcmp(said->what, allowed[i].what) != 0))
            continue;
        if (!allowed[i].at_least)
            return true;
        for (size_t n = 0; n < whole->count; n++)
            if (strcmp(whole->items[n].what, said->what) == 0 &&
                whole->items[n].value >= said->value)
                return true;
    }
    return false;
}

static bool holds(const struct claim *said, const struct claims *whole)
{
    if (said->value == JA_UNKNOWN && !said->more)
        return true;
    for (size_t i = 0; i < whole->count; i++) {
        const struct claim *claim = &whole->items[i];
        if (strcmp(said->what, claim->what) != 0 || !same_value(said, claim) ||
            !same_number(said->pid, claim->pid))
            continue;
        if (same_reason(said->more, claim->more) &&
            (unnamed(said) || same_text(said->name, claim->name)))
            return true;
    }
    return false;
}

static struct ja_evidence *parse(const char *path, const char *text, size_t length)
{
    const char *slash = strrchr(path, '/');
    struct ja_file file = {path, slash ? slash + 1 : path, text, length, JA_UNKNOWN, false};
    return ja_parse_file(&file, NULL, JA_UNKNOWN, 1000000);
}

/* False when the first length bytes claim what the whole does not. */
static bool cut_holds(const char *path, const char *text, size_t length, const struct claims *whole)
{
    char *copy = ja_arena_copy(arena, text, length);
    struct ja_evidence *evidence = parse(path, copy, length);
    struct claims claims = claims_of(evidence, evidence->arena);
    bool all = true;
    for (size_t i = 0; i < claims.count && all; i++) {
        const struct claim *said = &claims.items[i];
        if (holds(said, whole) || is_allowed(path, said, whole))
            continue;
        all = false;
        size_t tail = length < 60 ? length : 60;
        print_error("%s: cut at %zu: %s %s \"%s\"[%lld] %lld step %lld\n    ...%.*s\n", path,
                    length, said->what, said->more ? said->more : "", said->name ? said->name : "",
                    (long long)said->pid, (long long)said->value, (long long)said->step, (int)tail,
                    copy + length - tail);
    }
    ja_evidence_free(evidence);
    return all;
}

static void check_file(const char *full, const char *path)
{
    FILE *file = fopen(full, "rb");
    assert_non_null(file);
    char *text = ja_arena_alloc(arena, LONGEST_CUT + 2, 1);
    size_t length = fread(text, 1, LONGEST_CUT + 1, file);
    fclose(file);
    if (length > LONGEST_CUT)
        return;
    struct ja_evidence *evidence = parse(path, text, length);
    struct claims whole = claims_of(evidence, arena);
    size_t cuts = length <= LONGEST_FULLY_CUT ? length : MOST_CUTS;
    int wrong = 0;
    for (size_t i = 1; i < cuts && wrong < 3; i++)
        wrong += !cut_holds(path, text, length * i / cuts, &whole);
    failures += wrong > 0;
    files++;
    ja_evidence_free(evidence);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void check_folder(const char *folder, const char *relative)
{
    const char **names = NULL;
    size_t count = 0, capacity = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        size_t n = strlen(entry->d_name);
        if (entry->d_name[0] != '.' && (n < 9 || strcmp(entry->d_name + n - 9, ".expected") != 0))
            *JA_APPEND(arena, names, count, capacity) = ja_arena_string(arena, entry->d_name);
    }
    if (dir)
        closedir(dir);
    if (count)
        qsort(names, count, sizeof *names, by_name);
    for (size_t i = 0; i < count; i++) {
        const char *full = ja_arena_print(arena, "%s/%s", folder, names[i]);
        const char *path =
            *relative ? ja_arena_print(arena, "%s/%s", relative, names[i]) : names[i];
        struct stat status;
        if (stat(full, &status) == 0 && S_ISDIR(status.st_mode))
            check_folder(full, path);
        else
            check_file(full, path);
    }
}

static void a_part_says_no_more_than_the_whole(void **state)
{
    (void)state;
    const char *only = getenv("JA_ONLY");
    check_folder(only ? ja_arena_print(arena, FORMATS "/%s", only) : FORMATS, "");
    print_message("%d files\n", files);
    assert_int_equal(failures, 0);
}

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_part_says_no_more_than_the_whole)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
