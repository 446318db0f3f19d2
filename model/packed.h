/* SPDX-License-Identifier: MIT
 *
 * The rows of a plain process table in 40 bytes each: what subjects, readings and counts of one
 * table have in common stands once. A fleet's reports are hundreds of millions of bytes of such
 * rows, and nearly all of them are plain. Read through rows.h.
 */
#ifndef JA_MODEL_PACKED_H
#define JA_MODEL_PACKED_H

#include "model/evidence.h"

/* Not said: cpu_s NaN, texts and steps UINT32_MAX, pid INT32_MIN, coalition JA_PACKED_COALITION. */
#define JA_PACKED_COALITION ((1u << 27) - 1)

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

/* One row of packed evidence, as it was. */
struct ja_subject ja_packed_subject(const struct ja_packed *packed, uint32_t row);
struct ja_reading ja_packed_reading(const struct ja_packed *packed, uint32_t row);
struct ja_count ja_packed_count(const struct ja_packed *packed, uint32_t row);

/* Of its reading alone: the stamp, and the value in the metric's unit. */
uint32_t ja_packed_own_stamp(const struct ja_packed *packed, uint32_t row);
static inline uint32_t ja_packed_stamp(const struct ja_packed *packed, uint32_t row)
{
    return packed->rows[row].stamped ? ja_packed_own_stamp(packed, row) : packed->reading.stamp;
}
static inline int64_t ja_packed_value(const struct ja_packed *packed, uint32_t row)
{
    return packed->rows[row].value_steps * packed->reading.resolution;
}

#endif
