/* SPDX-License-Identifier: MIT */
#include "model/evidence.h"

#include "model/digits.h"
#include "model/rows.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ja_evidence *ja_evidence_new(const char *path)
{
    struct ja_arena *arena = ja_arena_new();
    struct ja_evidence *evidence = ja_arena_alloc(arena, 1, sizeof *evidence);
    evidence->arena = arena;
    evidence->growing = ja_arena_new();
    evidence->size_bytes = JA_UNKNOWN;
    evidence->path = ja_arena_string(arena, path);
    evidence->captured = evidence->written = evidence->name_stamp = JA_NONE;
    return evidence;
}

void ja_evidence_free(struct ja_evidence *evidence)
{
    if (!evidence)
        return;
    for (size_t i = 0; i < evidence->child_count; i++)
        ja_evidence_free(evidence->children[i]);
    if (evidence->growing != evidence->arena)
        ja_arena_free(evidence->growing);
    ja_arena_free(evidence->clock);
    ja_arena_free(evidence->arena);
}

#define ADD(evidence, array, noun)                                                                 \
    JA_APPEND((evidence)->growing, (evidence)->array, (evidence)->noun##_count,                    \
              (evidence)->noun##_capacity)

/* Capacity for more entries: just enough for a first table, then doubled at least, so that a file
 * of many tables is not copied for each. */
static size_t wanted(size_t count, size_t capacity, size_t more)
{
    size_t least = count + more, doubled = 2 * capacity;
    return least <= capacity ? capacity : least > doubled ? least : doubled;
}

#define RESERVE(evidence, array, noun, more)                                                       \
    JA_RESERVE((evidence)->growing, (evidence)->array, (evidence)->noun##_count,                   \
               (evidence)->noun##_capacity,                                                        \
               wanted((evidence)->noun##_count, (evidence)->noun##_capacity, (more)))

void ja_evidence_reserve(struct ja_evidence *evidence, size_t rows)
{
    RESERVE(evidence, subjects, subject, rows);
    RESERVE(evidence, readings, reading, rows);
    RESERVE(evidence, counts, count, rows);
}

uint32_t ja_add_system(struct ja_evidence *evidence)
{
    struct ja_system *system = ADD(evidence, systems, system);
    system->page_bytes = system->tick_hz = system->cores = system->ram_bytes = JA_UNKNOWN;
    system->boot_stamp = JA_NONE;
    return (uint32_t)evidence->system_count - 1;
}

uint32_t ja_add_record(struct ja_evidence *evidence, enum ja_kind kind, uint32_t stamp)
{
    struct ja_record *record = ADD(evidence, records, record);
    record->kind = kind;
    record->stamp = stamp;
    record->system = record->place = JA_NONE;
    return (uint32_t)evidence->record_count - 1;
}

uint32_t ja_add_subject(struct ja_evidence *evidence, uint32_t record, const char *name,
                        int64_t pid)
{
    struct ja_subject *subject = ADD(evidence, subjects, subject);
    subject->record = record;
    subject->name = ja_arena_string(evidence->arena, name);
    subject->pid = pid;
    subject->more = &ja_subject_unsaid;
    subject->coalition = subject->age_ticks = JA_UNKNOWN;
    subject->peak_bytes = subject->cpu_ns = JA_UNKNOWN;
    subject->place = JA_NONE;
    return (uint32_t)evidence->subject_count - 1;
}

const struct ja_subject_more ja_subject_unsaid = {
    .start_ticks = JA_UNKNOWN, .parent_pid = JA_UNKNOWN, .start_stamp = JA_NONE};

struct ja_subject_more *ja_subject_more(struct ja_subject *subject, struct ja_arena *arena)
{
    if (subject->more != &ja_subject_unsaid)
        return (struct ja_subject_more *)subject->more; /* made below: not constant */
    struct ja_subject_more *more = ja_arena_alloc(arena, 1, sizeof *more);
    *more = ja_subject_unsaid;
    subject->more = more;
    return more;
}

uint32_t ja_add_stamp(struct ja_evidence *evidence, const struct ja_stamp *stamp)
{
    const char *last =
        evidence->stamp_count ? evidence->stamps[evidence->stamp_count - 1].text : NULL;
    bool same = last && stamp->text && strcmp(last, stamp->text) == 0; /* kills of one report */
    struct ja_stamp *added = ADD(evidence, stamps, stamp);
    *added = *stamp;
    added->zone = ja_arena_string(evidence->arena, stamp->zone);
    added->text = same ? last : ja_arena_string(evidence->arena, stamp->text);
    return (uint32_t)evidence->stamp_count - 1;
}

#define OPEN_RUNS 4 /* a row has places of a few kinds by turns */

static bool same_key(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* A place of its own for every call: two things told on one line keep two. */
static uint32_t add_place(struct ja_evidence *evidence, const char *path, const char *key,
                          int32_t start, int32_t index1)
{
    size_t count = evidence->place_run_count;
    for (size_t i = count; i-- > 0 && count - i <= OPEN_RUNS;) {
        struct ja_place_run *run = &evidence->place_runs[i];
        int64_t offset = (int64_t)start - run->start;
        if (run->path != path || run->index1 != index1 || offset < run->next ||
            offset >= JA_PLACE_RUN || !same_key(run->key, key))
            continue;
        run->next = (uint32_t)offset + 1;
        return (uint32_t)(i * JA_PLACE_RUN + (size_t)offset);
    }
    if (count >= JA_NONE / JA_PLACE_RUN)
        return JA_NONE;
    *ADD(evidence, place_runs, place_run) = (struct ja_place_run){
        path, ja_arena_string(evidence->arena, key), start, index1, .next = 1};
    return (uint32_t)(count * JA_PLACE_RUN);
}

uint32_t ja_add_place_line(struct ja_evidence *evidence, int line)
{
    return add_place(evidence, NULL, NULL, line, -1);
}

uint32_t ja_add_place_json(struct ja_evidence *evidence, const char *path, int index0, int index1,
                           const char *key)
{
    return add_place(evidence, path, key, index0, index1);
}

struct ja_place ja_place_at(const struct ja_evidence *evidence, uint32_t place)
{
    if (place == JA_NONE)
        return (struct ja_place){.index = {-1, -1}};
    const struct ja_place_run *run = &evidence->place_runs[place / JA_PLACE_RUN];
    int32_t at = run->start + (int32_t)(place % JA_PLACE_RUN);
    return run->path
               ? (struct ja_place){.path = run->path, .key = run->key, .index = {at, run->index1}}
               : (struct ja_place){.index = {-1, -1}, .line = at};
}

int ja_place_line(const struct ja_evidence *evidence, uint32_t place)
{
    return ja_place_at(evidence, place).line;
}

uint32_t ja_add_category(struct ja_evidence *evidence, const char *name)
{
    uint32_t known = ja_index_find(&evidence->category_index, name, 0);
    if (known)
        return known - 1;
    const char *copy = ja_arena_string(evidence->arena, name);
    ADD(evidence, categories, category)[0] = copy;
    uint32_t added = (uint32_t)evidence->category_count;
    *ja_index_note(&evidence->category_index, evidence->arena, copy, 0) = added;
    return added - 1;
}

bool ja_has_category(const struct ja_evidence *evidence, const char *name)
{
    return ja_index_find(&evidence->category_index, name, 0) != 0;
}

struct ja_reading *ja_add_reading(struct ja_evidence *evidence, uint32_t subject,
                                  enum ja_metric metric, struct ja_quantity quantity,
                                  uint32_t place)
{
    struct ja_reading *reading = ADD(evidence, readings, reading);
    *reading = (struct ja_reading){
        .value = quantity.value,
        .resolution = quantity.resolution,
        .subject = subject,
        .stamp = evidence->records[evidence->subjects[subject].record].stamp,
        .place = place,
        .category = JA_NONE,
        .metric = (uint8_t)metric,
        .rounding = (uint8_t)quantity.rounding,
        .unit = JA_UNIT_BYTES,
    };
    return reading;
}

const char ja_cpu_seconds[] = "cpu_s";

static const char *kept_unit(struct ja_evidence *evidence, const char *unit)
{
    const struct ja_count *last =
        evidence->count_count ? &evidence->counts[evidence->count_count - 1] : NULL;
    if (last && strcmp(last->unit, unit) == 0)
        return last->unit;
    return strcmp(unit, ja_cpu_seconds) == 0 ? ja_cpu_seconds
                                             : ja_arena_string(evidence->arena, unit);
}

struct ja_count *ja_add_count(struct ja_evidence *evidence, uint32_t subject, const char *unit,
                              double total, uint32_t place)
{
    if (unit != ja_cpu_seconds)
        unit = kept_unit(evidence, unit);
    struct ja_count *count = ADD(evidence, counts, count);
    *count = (struct ja_count){
        .subject = subject,
        .stamp = evidence->records[evidence->subjects[subject].record].stamp,
        .place = place,
        .unit = unit,
        .total = total,
    };
    return count;
}

struct ja_event_seen *ja_add_event(struct ja_evidence *evidence, enum ja_event_kind kind,
                                   uint32_t record, uint32_t stamp, uint32_t place)
{
    struct ja_event_seen *event = ADD(evidence, events, event);
    *event = (struct ja_event_seen){
        .kind = kind,
        .record = record,
        .subject = JA_NONE,
        .stamp = stamp,
        .place = place,
        .bytes = JA_UNKNOWN,
        .limit_bytes = JA_UNKNOWN,
    };
    return event;
}

struct ja_fact *ja_add_fact(struct ja_evidence *evidence, uint32_t record, enum ja_fact_key key,
                            int64_t value, const char *text, uint32_t place)
{
    struct ja_fact *fact = ADD(evidence, facts, fact);
    *fact = (struct ja_fact){
        .record = record,
        .subject = JA_NONE,
        .place = place,
        .key = key,
        .value = value,
        .text = ja_arena_string(evidence->arena, text),
    };
    return fact;
}

void ja_set_figure(struct ja_evidence *evidence, uint32_t record, enum ja_figure figure,
                   int64_t value, uint32_t place)
{
    struct ja_record *r = &evidence->records[record];
    if (!r->figures) {
        r->figures = ja_arena_alloc(evidence->arena, JA_FIGURE_COUNT, sizeof *r->figures);
        r->figure_places =
            ja_arena_alloc(evidence->arena, JA_FIGURE_COUNT, sizeof *r->figure_places);
        for (size_t i = 0; i < JA_FIGURE_COUNT; i++) {
            r->figures[i] = JA_UNKNOWN;
            r->figure_places[i] = JA_NONE;
        }
    }
    r->figures[figure] = value;
    r->figure_places[figure] = place;
}

int64_t ja_get_figure(const struct ja_record *record, enum ja_figure figure)
{
    return record->figures ? record->figures[figure] : JA_UNKNOWN;
}

const struct ja_fact *ja_record_fact(const struct ja_evidence *evidence, uint32_t record,
                                     enum ja_fact_key key)
{
    const struct ja_record *r = &evidence->records[record];
    for (uint32_t i = r->first_fact; i < r->first_fact + r->fact_count; i++)
        if (evidence->facts[i].key == key)
            return &evidence->facts[i];
    return NULL;
}

void ja_set_kind(struct ja_evidence *evidence, enum ja_kind kind)
{
    if (evidence->kind == JA_KIND_UNKNOWN)
        evidence->kind = kind;
    else if (kind != evidence->kind)
        evidence->also[kind / 64] |= UINT64_C(1) << (kind % 64);
}

bool ja_has_kind(const struct ja_evidence *evidence, enum ja_kind kind)
{
    return evidence->kind == kind || (evidence->also[kind / 64] >> (kind % 64) & 1);
}

void ja_set_status(struct ja_evidence *evidence, enum ja_status status, const char *why)
{
    if (status < evidence->status || (status == evidence->status && evidence->why))
        return;
    evidence->status = status;
    evidence->why = ja_arena_string(evidence->arena, why);
}

void ja_diagnose(struct ja_evidence *evidence, enum ja_level level, const char *code, int line,
                 const char *place, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    struct ja_diagnostic *diagnostic = ADD(evidence, diagnostics, diagnostic);
    *diagnostic = (struct ja_diagnostic){
        .level = level,
        .code = code,
        .place = ja_arena_string(evidence->arena, place),
        .text = ja_arena_string(evidence->arena, text),
        .line = line,
    };
}

static void order_facts(struct ja_evidence *evidence)
{
    /* Counting sort by record keeps the order of addition inside one record. */
    size_t records = evidence->record_count, count = evidence->fact_count;
    uint32_t *start = ja_arena_alloc(evidence->growing, records + 1, sizeof *start);
    for (size_t i = 0; i < count; i++)
        start[evidence->facts[i].record + 1]++;
    for (size_t r = 0; r < records; r++) {
        start[r + 1] += start[r];
        evidence->records[r].first_fact = start[r];
        evidence->records[r].fact_count = start[r + 1] - start[r];
    }
    struct ja_fact *ordered = ja_arena_room(evidence->growing, count, sizeof *ordered);
    for (size_t i = 0; i < count; i++)
        ordered[start[evidence->facts[i].record]++] = evidence->facts[i];
    evidence->facts = ordered;
    evidence->fact_capacity = count;
}

#define TAKE(evidence, where, array, noun)                                                         \
    ((evidence)->array =                                                                           \
         ja_arena_take((where), (evidence)->growing, (evidence)->array, (evidence)->noun##_count,  \
                       &(evidence)->noun##_capacity, sizeof *(evidence)->array))

/* Every array in a place of its length. */
static void end_growth(struct ja_evidence *evidence)
{
    struct ja_arena *arena = evidence->arena;
    if (evidence->growing == arena)
        return;
    if (!evidence->packed) {
        TAKE(evidence, arena, subjects, subject);
        TAKE(evidence, arena, readings, reading);
        TAKE(evidence, arena, counts, count);
    }
    TAKE(evidence, arena, systems, system);
    TAKE(evidence, arena, records, record);
    TAKE(evidence, arena, place_runs, place_run);
    TAKE(evidence, arena, events, event);
    TAKE(evidence, arena, facts, fact);
    TAKE(evidence, arena, categories, category);
    TAKE(evidence, arena, diagnostics, diagnostic);
    evidence->clock = ja_arena_new();
    TAKE(evidence, evidence->clock, stamps, stamp);
    ja_arena_free(evidence->growing);
    evidence->growing = arena;
}

void ja_evidence_dated(struct ja_evidence *evidence)
{
    ja_arena_free(evidence->clock);
    evidence->clock = NULL;
    evidence->stamps = NULL;
}

void ja_evidence_close(struct ja_evidence *evidence)
{
    if (evidence->fact_count)
        order_facts(evidence);
    ja_rows_list(evidence);
    ja_evidence_pack(evidence);
    end_growth(evidence);
    if (!evidence->counts_settled)
        evidence->readings_taken = evidence->reading_count;
    /* A tool's error text in a file that also holds readings says nothing of the file. */
    if (evidence->status == JA_STATUS_NO_MEMORY_CONTENT && evidence->reading_count) {
        evidence->status = JA_STATUS_NONE;
        evidence->why = NULL;
    }
    if (evidence->status != JA_STATUS_NONE)
        return;
    if (evidence->reading_count || evidence->record_count)
        evidence->status = JA_STATUS_USED;
    else if (evidence->event_count)
        evidence->status = JA_STATUS_EVENT_ONLY;
    else
        evidence->status =
            evidence->kind == JA_KIND_UNKNOWN ? JA_STATUS_UNKNOWN : JA_STATUS_NO_MEMORY_CONTENT;
}

struct builder {
    char text[511];
    size_t length;
};

static void put(struct builder *b, char c)
{
    if (b->length < sizeof b->text)
        b->text[b->length++] = c;
}

static void put_key(struct builder *b, const char *key, bool pointer)
{
    for (; key && *key; key++) {
        bool special = pointer && (*key == '~' || *key == '/');
        put(b, special ? '~' : *key);
        if (special)
            put(b, *key == '~' ? '0' : '1');
    }
}

static void put_index(struct builder *b, int index)
{
    char digits[JA_WHOLE_TEXT];
    size_t count = ja_whole_print(index, digits);
    for (size_t i = 0; i < count; i++)
        put(b, digits[i]);
}

/* Fills [*] and {*} of a path literal; pointer: "/a/1/k", else "$.a[1].k". */
static const char *fill(const struct ja_place *place, bool pointer, struct ja_arena *arena)
{
    struct builder b;
    int used = 0;
    b.length = 0;
    if (!pointer)
        put(&b, '$');
    for (const char *at = place->path; *at;) {
        if (*at == '/' && strncmp(at, "/[*]", 4) == 0) {
            put(&b, pointer ? '/' : '[');
            put_index(&b, used < 2 ? place->index[used] : -1);
            if (!pointer)
                put(&b, ']');
            used++;
            at += 4;
        } else if (*at == '{' && strncmp(at, "{*}", 3) == 0) {
            put_key(&b, place->key, pointer);
            at += 3;
        } else {
            put(&b, *at == '/' && !pointer ? '.' : *at);
            at++;
        }
    }
    return ja_arena_copy(arena, b.text, b.length);
}

const char *ja_place_pointer(const struct ja_evidence *evidence, uint32_t place,
                             struct ja_arena *arena)
{
    struct ja_place at = ja_place_at(evidence, place);
    return at.path ? fill(&at, true, arena) : NULL;
}

const char *ja_place_text(const struct ja_evidence *evidence, uint32_t place,
                          struct ja_arena *arena)
{
    struct ja_place at = ja_place_at(evidence, place);
    if (at.path)
        return fill(&at, false, arena);
    return at.line ? ja_arena_print(arena, "line %d", (int)at.line) : "";
}
