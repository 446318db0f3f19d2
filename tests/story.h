/* SPDX-License-Identifier: MIT
 *
 * Stories for tests of the model: a few lines of evidence in memory, built into a case as the
 * program builds it. Lines are NDJSON, or whole files as a tool prints them. All times count in
 * minutes from 2026-02-01T10:00:00Z, all machines are "oak" unless the story says otherwise.
 */
#ifndef JA_TESTS_STORY_H
#define JA_TESTS_STORY_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/case.h"
#include "model/rule.h"
#include "parsers/json.h"
#include "tests/parse_fixture.h"

#define MOST_FILES 8
#define STORY_BEGIN_NS (INT64_C(1769940000) * JA_NS_PER_S) /* 2026-02-01T10:00:00Z */

struct story {
    struct ja_input inputs[MOST_FILES];
    size_t count;
    struct ja_statements said;
    struct ja_case *item;
    struct ja_arena *trees;
    const char *host, *boot, *via; /* of the lines that follow; via: kind of tool, NULL none */
    const char *metric, *rounding;
    int64_t step;
    char lines[1 << 16]; /* not yet in a file */
    size_t length;
    struct ja_evidence *open; /* the table at hand, its record and its place */
    uint32_t record, place;
};

static inline void begin(struct story *story)
{
    memset(story, 0, sizeof *story);
    story->said = ja_statements_none();
    story->trees = ja_arena_new();
    story->host = "oak";
    story->boot = "b";
    story->metric = "phys_footprint";
    story->rounding = "exact";
    story->step = 4096;
    ja_json_use_arena(story->trees);
}

/* One more file, with the text of a tool or NDJSON lines. */
static inline struct ja_input *tell(struct story *story, const char *path, const char *text)
{
    struct ja_input *input = &story->inputs[story->count++];
    *input = (struct ja_input){.evidence = parse_text(path, text),
                               .size_bytes = (int64_t)strlen(text),
                               .mtime_ns = JA_UNKNOWN};
    snprintf(input->sha256, sizeof input->sha256, "%064zx", story->count);
    return input;
}

__attribute__((format(printf, 2, 3))) static inline void line(struct story *story,
                                                              const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(story->lines + story->length, sizeof story->lines - story->length,
                           format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && story->length + (size_t)length + 2 < sizeof story->lines);
    story->length += (size_t)length;
    story->lines[story->length++] = '\n';
    story->lines[story->length] = '\0';
}

/* The lines so far become a file; its role may be set. */
static inline struct ja_input *end_file(struct story *story, const char *path)
{
    struct ja_input *input = tell(story, path, story->lines);
    story->length = 0;
    story->lines[0] = '\0';
    return input;
}

/* "2026-02-01T10:07:30.000000Z"; a few may be in use at once. */
static inline const char *minute_text(double minute)
{
    static char texts[4][JA_INSTANT_TEXT];
    static int next;
    next = (next + 1) % 4;
    return ja_instant_print(STORY_BEGIN_NS + (int64_t)(minute * 60e9), texts[next]);
}

/* "host":..,"boot":..,"at":.. of a line, without a source when at least one of them is NULL. */
static inline const char *whence(const struct story *story, double minute)
{
    static char text[256];
    snprintf(text, sizeof text, "\"host\":\"%s\",\"boot\":\"%s\",\"at\":\"%s\"%s%s%s", story->host,
             story->boot, minute_text(minute), story->via ? ",\"via\":\"" : "",
             story->via ? story->via : "", story->via ? "\"" : "");
    return text;
}

static inline void reads(struct story *story, const char *name, int pid, double minute,
                         int64_t bytes)
{
    line(story,
         "{\"type\":\"reading\",%s,\"name\":\"%s\",\"pid\":%d,\"metric\":\"%s\",\"value_bytes\":"
         "%lld,\"resolution_bytes\":%lld,\"rounding\":\"%s\"}",
         whence(story, minute), name, pid, story->metric, (long long)bytes,
         (long long)story->step, story->rounding);
}

/* The same process every gap minutes, in units of the step of unit_bytes. */
static inline void reads_all(struct story *story, const char *name, int pid, double gap,
                             int64_t unit_bytes, const int *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        reads(story, name, pid, (double)i * gap, values[i] * unit_bytes);
}

#define READS_ALL(story, name, pid, gap, unit, ...)                                                \
    reads_all((story), (name), (pid), (gap), (unit), (const int[]){__VA_ARGS__},                   \
              sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

static inline void works(struct story *story, const char *name, int pid, double minute,
                         const char *unit, double total)
{
    line(story,
         "{\"type\":\"work\",%s,\"name\":\"%s\",\"pid\":%d,\"unit\":\"%s\",\"total\":%.17g}",
         whence(story, minute), name, pid, unit, total);
}

/* A state of the machine; figures: "\"ram\":8589934592,\"swap_used\":1". */
static inline void stands(struct story *story, double minute, const char *figures)
{
    line(story, "{\"type\":\"state\",%s,\"figures\":{%s}}", whence(story, minute), figures);
}

/* ---- whole process tables, as a report holds them -------------------------------------------- */

static inline void end_table(struct story *story)
{
    if (story->open)
        ja_evidence_close(story->open);
    story->open = NULL;
}

/* A report of one moment with a whole table: what follows is said by it. */
static inline struct ja_record *table(struct story *story, const char *path, enum ja_kind kind,
                                      double minute)
{
    end_table(story);
    struct ja_evidence *e = story->open = ja_evidence_new(path);
    struct ja_input *input = &story->inputs[story->count++];
    *input = (struct ja_input){.evidence = e, .size_bytes = 1, .mtime_ns = JA_UNKNOWN};
    snprintf(input->sha256, sizeof input->sha256, "%064zx", story->count);
    ja_set_kind(e, kind);
    uint32_t system = ja_add_system(e);
    e->systems[system].host_name = ja_arena_string(e->arena, story->host);
    e->systems[system].boot_id = ja_arena_string(e->arena, story->boot);
    e->systems[system].page_bytes = 16384;
    struct ja_stamp stamp = {.clock = JA_CLOCK_REPORT,
                             .parts = JA_STAMP_UNIX,
                             .unix_ns = STORY_BEGIN_NS + (int64_t)(minute * 60e9)};
    story->record = ja_add_record(e, kind, ja_add_stamp(e, &stamp));
    story->place = ja_add_place_line(e, 1);
    struct ja_record *record = &e->records[story->record];
    record->system = system;
    record->place = story->place;
    record->census = record->complete = true;
    return record;
}

/* A row of the table at hand, in the story's metric; bytes JA_UNKNOWN: without a size. */
static inline struct ja_subject *row(struct story *story, const char *name, int pid, int64_t bytes)
{
    struct ja_evidence *e = story->open;
    uint32_t subject = ja_add_subject(e, story->record, name, pid);
    enum ja_metric metric;
    assert_true(ja_metric_of(story->metric, &metric));
    e->subjects[subject].place = story->place;
    if (bytes != JA_UNKNOWN)
        ja_add_reading(e, subject, metric,
                       (struct ja_quantity){bytes, story->step, JA_ROUNDING_EXACT}, story->place);
    return &e->subjects[subject];
}

static inline void figure(struct story *story, enum ja_figure figure, int64_t value)
{
    ja_set_figure(story->open, story->record, figure, value, story->place);
}

static inline struct ja_fact *fact(struct story *story, enum ja_fact_key key, int64_t value,
                                   const char *text)
{
    return ja_add_fact(story->open, story->record, key, value, text, story->place);
}

/* The row that was added last was killed, and is no live row any more. */
static inline struct ja_event_seen *killed(struct story *story, enum ja_event_kind kind,
                                           const char *reason, int64_t bytes, int order)
{
    struct ja_evidence *e = story->open;
    uint32_t last = (uint32_t)e->subject_count - 1;
    struct ja_event_seen *event =
        ja_add_event(e, kind, story->record, e->records[story->record].stamp, story->place);
    e->subjects[last].killed = true;
    event->subject = last;
    event->reason = reason;
    event->bytes = bytes;
    event->order = order;
    return event;
}

/* ---- the case -------------------------------------------------------------------------------- */

static inline const struct ja_case *build(struct story *story)
{
    end_table(story);
    if (story->length)
        end_file(story, "lines.ndjson");
    story->item = ja_case_build(story->inputs, story->count, &story->said, NULL);
    return story->item;
}

static inline void end(struct story *story)
{
    ja_case_free(story->item);
    ja_arena_free(story->trees);
}

static inline size_t count_findings(const struct ja_case *item, const char *rule)
{
    size_t count = 0;
    for (size_t i = 0; i < item->finding_count; i++)
        count += strcmp(item->findings[i].rule, rule) == 0;
    return count;
}

/* The first finding of a rule; of a process of that name, when one is given. */
static inline const struct ja_finding *find_of(const struct ja_case *item, const char *rule,
                                               const char *name)
{
    for (size_t i = 0; i < item->finding_count; i++) {
        const struct ja_finding *f = &item->findings[i];
        if (strcmp(f->rule, rule) == 0 &&
            (!name || (f->process != JA_NONE &&
                       strcmp(item->processes[f->process].name, name) == 0)))
            return f;
    }
    return NULL;
}

/* As find_of, and it must be there, with this grade and all that a finding owes its reader. */
static inline const struct ja_finding *finds(const struct ja_case *item, const char *rule,
                                             const char *name, enum ja_grade grade)
{
    const struct ja_finding *f = find_of(item, rule, name);
    if (!f)
        fail_msg("no %s of %s", rule, name ? name : "anybody");
    if (f->grade != grade)
        fail_msg("%s is %s: %s", rule, ja_grade_word(f->grade), f->statement);
    if (!f->why || !f->would_change || !f->next_step || !f->cite_count)
        fail_msg("%s owes why, what would change it, a next step or evidence", rule);
    return f;
}

/* A number of a finding; NaN when it is null or not there. */
static inline double number_of(const struct ja_finding *f, const char *name)
{
    for (size_t i = 0; i < f->number_count; i++)
        if (strcmp(f->numbers[i].name, name) == 0)
            return f->numbers[i].whole == JA_UNKNOWN ? f->numbers[i].value
                                                     : (double)f->numbers[i].whole;
    return NAN;
}

static inline void assert_number(const struct ja_finding *f, const char *name, double expected)
{
    double found = number_of(f, name);
    if (!(fabs(found - expected) <= 1e-9 * fabs(expected)))
        fail_msg("%s: %s is %.17g, not %.17g", f->rule, name, found, expected);
}

/* The statement or the reason holds these words, names without their marks. */
static inline void assert_says(const struct ja_case *item, const struct ja_finding *f,
                               const char *words)
{
    const char *statement = ja_unmarked(item, f->statement), *why = ja_unmarked(item, f->why);
    if (!strstr(statement, words) && !strstr(why, words))
        fail_msg("%s says: %s: %s", f->rule, statement, why);
}

static inline void assert_silent(const struct ja_case *item, const char *rule, const char *name)
{
    const struct ja_finding *f = find_of(item, rule, name);
    if (f)
        fail_msg("%s says: %s", rule, ja_unmarked(item, f->statement));
}

#endif
