/* SPDX-License-Identifier: MIT */
#include "model/packed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FEWEST_ROWS 64 /* what rows have in common is as long as some of them */

/* ---- what can be packed ---------------------------------------------------------------------- */

static bool fits_steps(int64_t bytes, int64_t resolution)
{
    return bytes >= 0 && bytes % resolution == 0 && bytes / resolution < JA_PACKED_NO_STEPS;
}

static bool plain_subject(const struct ja_evidence *evidence, uint32_t row)
{
    const struct ja_subject *s = &evidence->subjects[row], *first = evidence->subjects;
    return s->more == &ja_subject_unsaid && s->record == first->record && s->life == first->life &&
           s->scope == first->scope && s->place != JA_NONE &&
           (s->pid == JA_UNKNOWN || (s->pid > JA_PACKED_NO_PID && s->pid <= INT32_MAX)) &&
           (s->coalition == JA_UNKNOWN ||
            (s->coalition >= 0 && s->coalition < JA_PACKED_NO_COALITION)) &&
           (s->peak_bytes == JA_UNKNOWN ||
            fits_steps(s->peak_bytes, evidence->readings->resolution));
}

static bool plain_reading(const struct ja_evidence *evidence, uint32_t row)
{
    const struct ja_reading *r = &evidence->readings[row], *first = evidence->readings;
    return r->subject == row && !r->printed && r->place != JA_NONE &&
           r->category == first->category && r->metric == first->metric && r->unit == first->unit &&
           r->rounding == first->rounding && r->approximate == first->approximate &&
           r->resolution == first->resolution && fits_steps(r->value, r->resolution);
}

/* The CPU seconds that the row's subject tells, too. */
static bool plain_count(const struct ja_evidence *evidence, uint32_t row)
{
    const struct ja_count *c = &evidence->counts[row], *first = evidence->counts;
    return c->subject == row && c->unit == ja_cpu_seconds && c->stamp == first->stamp &&
           c->place == evidence->subjects[row].place &&
           ja_cpu_ns(c->total) == evidence->subjects[row].cpu_ns;
}

static bool plain_row(const struct ja_evidence *evidence, uint32_t row)
{
    return plain_subject(evidence, row) && plain_reading(evidence, row) &&
           (evidence->count_count ? plain_count(evidence, row)
                                  : evidence->subjects[row].cpu_ns == JA_UNKNOWN);
}

static bool plain(const struct ja_evidence *evidence)
{
    size_t rows = evidence->subject_count;
    if (rows < FEWEST_ROWS || evidence->reading_count != rows || evidence->by_record ||
        evidence->next_reading || (evidence->count_count && evidence->count_count != rows) ||
        evidence->readings->resolution <= 0)
        return false;
    for (uint32_t row = 0; row < rows; row++)
        if (!plain_row(evidence, row))
            return false;
    return true;
}

/* ---- texts ----------------------------------------------------------------------------------- */

struct span {
    uintptr_t low, high;
};

static void widen(struct span *span, const char *text)
{
    uintptr_t at = (uintptr_t)text;
    if (!text)
        return;
    span->low = at < span->low ? at : span->low;
    span->high = at > span->high ? at : span->high;
}

/* The texts of a table are kept close by, in its arena. NULL: not so close. */
static const char *first_text(const struct ja_evidence *evidence)
{
    struct span span = {UINTPTR_MAX, 0};
    for (size_t s = 0; s < evidence->subject_count; s++) {
        widen(&span, evidence->subjects[s].name);
        widen(&span, evidence->subjects[s].uuid);
    }
    if (span.high < span.low)
        return ""; /* none at all */
    return span.high - span.low < JA_PACKED_NO_TEXT ? (const char *)span.low : NULL;
}

static uint32_t pack_text(const struct ja_packed *packed, const char *text)
{
    return text ? (uint32_t)((uintptr_t)text - (uintptr_t)packed->texts) : JA_PACKED_NO_TEXT;
}

/* ---- places ---------------------------------------------------------------------------------- */

const struct ja_packed_places *ja_packed_places_of(const struct ja_packed *packed, uint32_t row)
{
    const struct ja_packed_places *at = &packed->places[row / JA_PLACE_RUN];
    const struct ja_packed_places *last = &packed->places[packed->place_count - 1];
    while (at < last && at[1].row <= row)
        at++;
    return at;
}

/* One at least for each JA_PLACE_RUN rows: ja_packed_places_of counts on it. */
static bool places_start(const struct ja_evidence *evidence, uint32_t row)
{
    if (row % JA_PLACE_RUN == 0)
        return true;
    return evidence->subjects[row].place != evidence->subjects[row - 1].place + 1 ||
           evidence->readings[row].place != evidence->readings[row - 1].place + 1;
}

static void pack_places(const struct ja_evidence *evidence, struct ja_packed *packed)
{
    for (uint32_t row = 0; row < evidence->subject_count; row++)
        packed->place_count += places_start(evidence, row);
    packed->places = ja_arena_room(evidence->arena, packed->place_count, sizeof *packed->places);
    size_t count = 0;
    for (uint32_t row = 0; row < evidence->subject_count; row++)
        if (places_start(evidence, row))
            packed->places[count++] = (struct ja_packed_places){row, evidence->subjects[row].place,
                                                                evidence->readings[row].place};
}

/* ---- moments --------------------------------------------------------------------------------- */

static bool is_stamped(const struct ja_evidence *evidence, uint32_t row)
{
    uint32_t record = evidence->subjects[row].record;
    return evidence->readings[row].stamp != evidence->records[record].stamp;
}

static void pack_stamps(const struct ja_evidence *evidence, struct ja_packed *packed)
{
    for (uint32_t row = 0; row < evidence->subject_count; row++)
        packed->stamp_count += is_stamped(evidence, row);
    packed->stamps = ja_arena_room(evidence->arena, packed->stamp_count, sizeof *packed->stamps);
    size_t count = 0;
    for (uint32_t row = 0; row < evidence->subject_count; row++)
        if (is_stamped(evidence, row))
            packed->stamps[count++] = (struct ja_packed_moment){row, evidence->readings[row].stamp};
}

static int by_row(const void *key, const void *item)
{
    uint32_t row = *(const uint32_t *)key, other = ((const struct ja_packed_moment *)item)->row;
    return (row > other) - (row < other);
}

uint32_t ja_packed_own_stamp(const struct ja_packed *packed, uint32_t row)
{
    const struct ja_packed_moment *found =
        bsearch(&row, packed->stamps, packed->stamp_count, sizeof *packed->stamps, by_row);
    return found->stamp; /* every stamped row is there */
}

/* ---- rows ------------------------------------------------------------------------------------ */

static struct ja_packed_row pack_row(const struct ja_evidence *evidence,
                                     const struct ja_packed *packed, uint32_t row)
{
    const struct ja_subject *s = &evidence->subjects[row];
    int64_t resolution = packed->reading.resolution;
    return (struct ja_packed_row){
        .age_ticks = s->age_ticks,
        .cpu_s = evidence->count_count ? evidence->counts[row].total : NAN,
        .name = pack_text(packed, s->name),
        .uuid = pack_text(packed, s->uuid),
        .value_steps = (uint32_t)(evidence->readings[row].value / resolution),
        .peak_steps = s->peak_bytes == JA_UNKNOWN ? JA_PACKED_NO_STEPS
                                                  : (uint32_t)(s->peak_bytes / resolution),
        .pid = s->pid == JA_UNKNOWN ? JA_PACKED_NO_PID : (int32_t)s->pid,
        .coalition =
            (s->coalition == JA_UNKNOWN ? JA_PACKED_NO_COALITION : (uint32_t)s->coalition) &
            JA_PACKED_NO_COALITION,
        .name_cut = s->name_cut,
        .name_open = s->name_open,
        .killed = s->killed,
        .dead = s->dead,
        .stamped = is_stamped(evidence, row),
    };
}

/* ---- whole evidence -------------------------------------------------------------------------- */

#define DROP(evidence, array, noun)                                                                \
    (ja_arena_drop((evidence)->growing, (evidence)->array, (evidence)->noun##_capacity,            \
                   sizeof *(evidence)->array),                                                     \
     (evidence)->array = NULL, (evidence)->noun##_capacity = 0)

void ja_evidence_pack(struct ja_evidence *evidence)
{
    const char *texts = plain(evidence) ? first_text(evidence) : NULL;
    if (!texts)
        return;
    struct ja_packed *packed = ja_arena_alloc(evidence->arena, 1, sizeof *packed);
    packed->subject = evidence->subjects[0];
    packed->reading = evidence->readings[0];
    packed->reading.stamp = evidence->records[packed->subject.record].stamp;
    if (evidence->count_count)
        packed->count = evidence->counts[0];
    packed->texts = texts;
    packed->rows = ja_arena_room(evidence->arena, evidence->subject_count, sizeof *packed->rows);
    for (uint32_t row = 0; row < evidence->subject_count; row++)
        packed->rows[row] = pack_row(evidence, packed, row);
    pack_places(evidence, packed);
    pack_stamps(evidence, packed);
    evidence->packed = packed;
    DROP(evidence, subjects, subject);
    DROP(evidence, readings, reading);
    DROP(evidence, counts, count);
}

void ja_evidence_unpack(struct ja_evidence *evidence)
{
    const struct ja_packed *packed = evidence->packed;
    if (!packed)
        return;
    size_t rows = evidence->subject_count;
    JA_RESERVE(evidence->arena, evidence->subjects, 0, evidence->subject_capacity, rows);
    JA_RESERVE(evidence->arena, evidence->readings, 0, evidence->reading_capacity, rows);
    for (uint32_t row = 0; row < rows; row++) {
        evidence->subjects[row] = ja_packed_subject(packed, row);
        evidence->readings[row] = ja_packed_reading(packed, row);
    }
    JA_RESERVE(evidence->arena, evidence->counts, 0, evidence->count_capacity,
               evidence->count_count);
    for (uint32_t row = 0; row < evidence->count_count; row++)
        evidence->counts[row] = ja_packed_count(packed, row);
    evidence->packed = NULL;
}
