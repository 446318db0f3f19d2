/* SPDX-License-Identifier: MIT
 *
 * The rows of a plain process table in 40 bytes each: what subjects, readings and counts of one
 * table have in common stands once. A fleet's reports are hundreds of millions of bytes of such
 * rows, and nearly all of them are plain. Read through rows.h.
 */
#ifndef JA_MODEL_PACKED_H
#define JA_MODEL_PACKED_H

#include <math.h>

#include "model/evidence.h"

/* Not said; of cpu_s: NaN. */
#define JA_PACKED_NO_TEXT UINT32_MAX
#define JA_PACKED_NO_STEPS UINT32_MAX
#define JA_PACKED_NO_PID INT32_MIN
#define JA_PACKED_NO_COALITION ((1u << 27) - 1)

struct ja_packed_row {
    int64_t age_ticks;
    double cpu_s;
    uint32_t name, uuid;              /* bytes behind the table's texts */
    uint32_t value_steps, peak_steps; /* in the table's resolution */
    int32_t pid;
    uint32_t coalition : 27;
    uint32_t name_cut : 1, name_open : 1, killed : 1, dead : 1;
    uint32_t stamped : 1; /* its reading has a moment of its own: that of the row's kill */
};

/* From row on, to the next of these, places follow one another. */
struct ja_packed_places {
    uint32_t row, subject, reading;
};

struct ja_packed_moment {
    uint32_t row, stamp;
};

/* Row r is subject r and reading r and, where the table has counts, count r. */
struct ja_packed {
    struct ja_subject subject; /* what all rows say, and so on */
    struct ja_reading reading;
    struct ja_count count;
    const char *texts; /* the first of them in memory */
    struct ja_packed_row *rows;
    struct ja_packed_places *places; /* by row; those of row r are at r / JA_PLACE_RUN or later */
    size_t place_count;
    struct ja_packed_moment *stamps; /* of the rows that are stamped, by row */
    size_t stamp_count;
};

/* Packs the rows of a closed evidence and gives their arrays back, where all of it is one plain
 * table of some length; else nothing changes. */
void ja_evidence_pack(struct ja_evidence *evidence);

/* Back to arrays of their own, which may be changed. Nothing changes where nothing is packed. */
void ja_evidence_unpack(struct ja_evidence *evidence);

/* Where the places and the stamp of a row are; only asked for a stamped row. Pure: who does not
 * read the place of a row does not look for it. */
__attribute__((pure)) const struct ja_packed_places *
ja_packed_places_of(const struct ja_packed *packed, uint32_t row);
__attribute__((pure)) uint32_t ja_packed_own_stamp(const struct ja_packed *packed, uint32_t row);

static inline uint32_t ja_packed_stamp(const struct ja_packed *packed, uint32_t row)
{
    return packed->rows[row].stamped ? ja_packed_own_stamp(packed, row) : packed->reading.stamp;
}

/* In the metric's unit. */
static inline int64_t ja_packed_value(const struct ja_packed *packed, uint32_t row)
{
    return packed->rows[row].value_steps * packed->reading.resolution;
}

static inline const char *ja_packed_text(const struct ja_packed *packed, uint32_t text)
{
    return text == JA_PACKED_NO_TEXT ? NULL : packed->texts + text;
}

/* One row of packed evidence, as it was. Inline: a caller pays for the members that it reads. */
static inline struct ja_subject ja_packed_subject(const struct ja_packed *packed, uint32_t row)
{
    const struct ja_packed_row *from = &packed->rows[row];
    const struct ja_packed_places *places = ja_packed_places_of(packed, row);
    struct ja_subject subject = packed->subject;
    subject.name = ja_packed_text(packed, from->name);
    subject.uuid = ja_packed_text(packed, from->uuid);
    subject.pid = from->pid == JA_PACKED_NO_PID ? JA_UNKNOWN : from->pid;
    subject.coalition = from->coalition == JA_PACKED_NO_COALITION ? JA_UNKNOWN : from->coalition;
    subject.age_ticks = from->age_ticks;
    subject.peak_bytes = from->peak_steps == JA_PACKED_NO_STEPS
                             ? JA_UNKNOWN
                             : from->peak_steps * packed->reading.resolution;
    subject.cpu_ns = isnan(from->cpu_s) ? JA_UNKNOWN : ja_cpu_ns(from->cpu_s);
    subject.place = places->subject + (row - places->row);
    subject.name_cut = from->name_cut;
    subject.name_open = from->name_open;
    subject.killed = from->killed;
    subject.dead = from->dead;
    return subject;
}

static inline struct ja_reading ja_packed_reading(const struct ja_packed *packed, uint32_t row)
{
    const struct ja_packed_places *places = ja_packed_places_of(packed, row);
    struct ja_reading reading = packed->reading;
    reading.value = ja_packed_value(packed, row);
    reading.subject = row;
    reading.place = places->reading + (row - places->row);
    reading.stamp = ja_packed_stamp(packed, row);
    return reading;
}

static inline struct ja_count ja_packed_count(const struct ja_packed *packed, uint32_t row)
{
    const struct ja_packed_places *places = ja_packed_places_of(packed, row);
    struct ja_count count = packed->count;
    count.subject = row;
    count.place = places->subject + (row - places->row);
    count.total = packed->rows[row].cpu_s;
    return count;
}

#endif
