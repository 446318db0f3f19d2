/* SPDX-License-Identifier: MIT */
#include "model/packed.h"

#include <stdlib.h>
#include <string.h>

#define FEWEST_ROWS 64 /* what rows have in common is as long as some of them */

/* ---- what can be packed ---------------------------------------------------------------------- */

static bool plain_subject(const struct ja_evidence *evidence, uint32_t row)
{
    const struct ja_subject *s = &evidence->subjects[row], *first = evidence->subjects;
    return s->more == &ja_subject_unsaid && s->record == first->record && s->life == first->life &&
           s->scope == first->scope && s->place != JA_NONE &&
           (s->peak_bytes == JA_UNKNOWN || s->peak_bytes % evidence->readings->resolution == 0);
}

static bool plain_reading(const struct ja_evidence *evidence, uint32_t row)
{
    const struct ja_reading *r = &evidence->readings[row], *first = evidence->readings;
    return r->subject == row && !r->printed && r->place != JA_NONE &&
           r->category == first->category && r->metric == first->metric && r->unit == first->unit &&
           r->rounding == first->rounding && r->approximate == first->approximate &&
           r->resolution == first->resolution && r->value != JA_UNKNOWN &&
           r->value % r->resolution == 0;
}

/* The CPU seconds that the row's subject tells, too: no more digits than microseconds have. */
static bool plain_count(const struct ja_evidence *evidence, uint32_t row)
{
    const struct ja_count *c = &evidence->counts[row], *first = evidence->counts;
    int64_t cpu_ns = evidence->subjects[row].cpu_ns;
    double again = ja_packed_cpu_s(cpu_ns / JA_NS_PER_US);
    return c->subject == row && c->unit == ja_cpu_seconds && c->stamp == first->stamp &&
           c->place == evidence->subjects[row].place && ja_cpu_ns(c->total) == cpu_ns &&
           memcmp(&c->total, &again, sizeof again) == 0;
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

/* ---- names ----------------------------------------------------------------------------------- */

/* Names with their uuids, each pair once: many rows of a table are of one program. */
struct whos {
    struct ja_packed_who *items;
    size_t count, capacity;
    uint32_t *slots;   /* 1 + number, where the hash leads or behind; 0: free */
    size_t slot_count; /* a power of two, twice the rows at least */
};

static struct whos whos_for(size_t rows, struct ja_arena *arena)
{
    struct whos whos = {.slot_count = FEWEST_ROWS};
    while (whos.slot_count < 2 * rows)
        whos.slot_count *= 2;
    whos.slots = ja_arena_alloc(arena, whos.slot_count, sizeof *whos.slots);
    return whos;
}

static uint32_t who_of(struct whos *whos, struct ja_packed_who who, struct ja_arena *arena)
{
    uint64_t hash =
        ((uintptr_t)who.name ^ (uintptr_t)who.uuid << 20) * UINT64_C(0x9e3779b97f4a7c15);
    for (size_t at = hash >> 32;; at++) {
        uint32_t *slot = &whos->slots[at & (whos->slot_count - 1)];
        if (!*slot) {
            *JA_APPEND(arena, whos->items, whos->count, whos->capacity) = who;
            *slot = (uint32_t)whos->count;
        }
        const struct ja_packed_who *there = &whos->items[*slot - 1];
        if (there->name == who.name && there->uuid == who.uuid)
            return *slot - 1;
    }
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

static int64_t steps_of(int64_t number, int64_t step)
{
    return number == JA_UNKNOWN ? JA_UNKNOWN : number / step;
}

static int64_t flags_of(const struct ja_evidence *evidence, uint32_t row)
{
    const struct ja_subject *s = &evidence->subjects[row];
    return (s->name_cut ? JA_PACKED_NAME_CUT : 0) | (s->name_open ? JA_PACKED_NAME_OPEN : 0) |
           (s->killed ? JA_PACKED_KILLED : 0) | (s->dead ? JA_PACKED_DEAD : 0) |
           (is_stamped(evidence, row) ? JA_PACKED_STAMPED : 0);
}

/* The numbers of a row, column by column. */
struct wide {
    int64_t numbers[JA_PACKED_COLUMNS];
};

static struct wide wide_row(const struct ja_evidence *evidence, const struct ja_packed *packed,
                            struct whos *whos, uint32_t row)
{
    const struct ja_subject *s = &evidence->subjects[row];
    int64_t resolution = packed->reading.resolution;
    struct ja_packed_who who = {s->name, s->uuid};
    return (struct wide){{
        [JA_PACKED_VALUE] = evidence->readings[row].value / resolution,
        [JA_PACKED_PEAK] = steps_of(s->peak_bytes, resolution),
        [JA_PACKED_FLAGS] = flags_of(evidence, row),
        [JA_PACKED_WHO] = who_of(whos, who, evidence->growing),
        [JA_PACKED_PID] = s->pid,
        [JA_PACKED_COALITION] = s->coalition,
        [JA_PACKED_AGE] = s->age_ticks,
        [JA_PACKED_CPU] = steps_of(s->cpu_ns, JA_NS_PER_US),
    }};
}

static uint32_t bits_of(uint64_t number)
{
    uint32_t bits = 0;
    for (; number; number >>= 1)
        bits++;
    return bits;
}

/* *bit: where the column begins; then where it ends. */
static struct ja_packed_code code_of(const struct wide *wide, size_t rows, size_t column,
                                     uint32_t *bit)
{
    int64_t least = INT64_MAX, most = JA_UNKNOWN;
    for (size_t row = 0; row < rows; row++) {
        int64_t number = wide[row].numbers[column];
        if (number != JA_UNKNOWN)
            least = number < least ? number : least;
        most = number > most ? number : most;
    }
    bool known = most != JA_UNKNOWN;
    uint32_t bits = known ? bits_of((uint64_t)most - (uint64_t)(least - 1)) : 0;
    if (*bit % 8 + bits > 64) /* it would not end in the eight bytes where it begins */
        *bit += 8 - *bit % 8;
    uint32_t begins = *bit;
    *bit += bits;
    uint64_t mask = known ? UINT64_MAX >> (64 - bits) : 0;
    return (struct ja_packed_code){least - 1, mask, begins / 8, begins % 8};
}

/* There is room for eight bytes behind the row. What was stored is not loaded again: that waits. */
static void pack_row(const struct ja_packed *packed, const struct wide *wide, unsigned char *to)
{
    uint64_t held = 0; /* of the bytes from at on */
    uint32_t at = 0;
    for (size_t column = 0; column < JA_PACKED_COLUMNS; column++) {
        const struct ja_packed_code *code = &packed->codes[column];
        int64_t number = wide->numbers[column];
        uint32_t done = code->at - at;
        held = done < 8 ? held >> 8 * done : 0;
        at = code->at;
        if (number != JA_UNKNOWN)
            held |= ((uint64_t)number - (uint64_t)code->base) << code->shift;
        uint64_t bytes = ja_packed_little(held);
        memcpy(to + at, &bytes, sizeof bytes);
    }
}

static void pack_rows(const struct ja_evidence *evidence, struct ja_packed *packed)
{
    size_t rows = evidence->subject_count;
    struct whos whos = whos_for(rows, evidence->growing);
    struct wide *wide = ja_arena_room(evidence->growing, rows, sizeof *wide);
    for (uint32_t row = 0; row < rows; row++)
        wide[row] = wide_row(evidence, packed, &whos, row);
    uint32_t bits = 0;
    for (size_t column = 0; column < JA_PACKED_COLUMNS; column++)
        packed->codes[column] = code_of(wide, rows, column, &bits);
    packed->row_bytes = (bits + 7) / 8;
    /* Behind the last row as well, eight bytes are read. */
    unsigned char *to = ja_arena_room(evidence->arena, rows * packed->row_bytes + 8, 1);
    for (size_t row = 0; row < rows; row++)
        pack_row(packed, &wide[row], to + row * packed->row_bytes);
    packed->rows = to;
    packed->whos = ja_arena_take(evidence->arena, evidence->growing, whos.items, whos.count,
                                 &whos.capacity, sizeof *whos.items);
}

/* ---- whole evidence -------------------------------------------------------------------------- */

#define DROP(evidence, array, noun)                                                                \
    (ja_arena_drop((evidence)->growing, (evidence)->array, (evidence)->noun##_capacity,            \
                   sizeof *(evidence)->array),                                                     \
     (evidence)->array = NULL, (evidence)->noun##_capacity = 0)

void ja_evidence_pack(struct ja_evidence *evidence)
{
    if (!plain(evidence))
        return;
    struct ja_packed *packed = ja_arena_alloc(evidence->arena, 1, sizeof *packed);
    packed->subject = evidence->subjects[0];
    packed->reading = evidence->readings[0];
    packed->reading.stamp = evidence->records[packed->subject.record].stamp;
    if (evidence->count_count)
        packed->count = evidence->counts[0];
    pack_rows(evidence, packed);
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
