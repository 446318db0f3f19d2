/* SPDX-License-Identifier: MIT
 *
 * The rows of a plain process table in some twenty bytes each: what subjects, readings and counts
 * of one table have in common stands once, and of what differs every column takes as many bits as
 * its numbers need. A fleet's reports are hundreds of millions of bytes of such rows, and nearly
 * all of them are plain. Read through rows.h.
 */
#ifndef JA_MODEL_PACKED_H
#define JA_MODEL_PACKED_H

#include <string.h>

#include "model/evidence.h"

enum ja_packed_column {
    JA_PACKED_VALUE, /* in the table's resolution */
    JA_PACKED_PEAK,  /* the same */
    JA_PACKED_FLAGS, /* JA_PACKED_NAME_CUT and so on */
    JA_PACKED_WHO,   /* number of its name and uuid */
    JA_PACKED_PID,
    JA_PACKED_COALITION,
    JA_PACKED_AGE, /* ticks */
    JA_PACKED_CPU, /* microseconds */
    JA_PACKED_COLUMNS,
};

enum {
    JA_PACKED_NAME_CUT = 1,
    JA_PACKED_NAME_OPEN = 2,
    JA_PACKED_KILLED = 4,
    JA_PACKED_DEAD = 8,
    JA_PACKED_STAMPED = 16, /* its reading has a moment of its own: that of the row's kill */
};

/* How a column stands in a row: base + what is there; 0: JA_UNKNOWN. */
struct ja_packed_code {
    int64_t base;
    uint64_t mask;  /* of its bits */
    uint32_t at;    /* the eight bytes, the lowest first, that hold it: so far behind the row's
                       beginning */
    uint32_t shift; /* bits below its own there */
};

struct ja_packed_who {
    const char *name, *uuid;
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
    const struct ja_packed_who *whos;
    const unsigned char *rows;
    size_t row_bytes;
    struct ja_packed_code codes[JA_PACKED_COLUMNS];
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

/* Where the places of a row are, and the stamp of a row that is stamped. Pure: who does not
 * read the place of a row does not look for it. */
__attribute__((pure)) const struct ja_packed_places *
ja_packed_places_of(const struct ja_packed *packed, uint32_t row);
__attribute__((pure)) uint32_t ja_packed_own_stamp(const struct ja_packed *packed, uint32_t row);

/* Eight bytes as a number, the lowest first, and back. */
static inline uint64_t ja_packed_little(uint64_t bytes)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap64(bytes);
#else
    return bytes;
#endif
}

/* What one column says of a row; JA_UNKNOWN. */
static inline int64_t ja_packed_number(const struct ja_packed *packed, enum ja_packed_column column,
                                       uint32_t row)
{
    const struct ja_packed_code *code = &packed->codes[column];
    uint64_t number;
    memcpy(&number, packed->rows + row * packed->row_bytes + code->at, sizeof number);
    number = ja_packed_little(number) >> code->shift & code->mask;
    return number ? (int64_t)((uint64_t)code->base + number) : JA_UNKNOWN;
}

/* The same in another unit. */
static inline int64_t ja_packed_times(const struct ja_packed *packed, enum ja_packed_column column,
                                      uint32_t row, int64_t step)
{
    int64_t number = ja_packed_number(packed, column, row);
    return number == JA_UNKNOWN ? JA_UNKNOWN : number * step;
}

/* What tables print with six digits behind the point. */
static inline double ja_packed_cpu_s(int64_t us)
{
    return (double)us / 1e6;
}

static inline uint32_t ja_packed_stamp(const struct ja_packed *packed, uint32_t row)
{
    return ja_packed_number(packed, JA_PACKED_FLAGS, row) & JA_PACKED_STAMPED
               ? ja_packed_own_stamp(packed, row)
               : packed->reading.stamp;
}

/* In the metric's unit. */
static inline int64_t ja_packed_value(const struct ja_packed *packed, uint32_t row)
{
    return ja_packed_number(packed, JA_PACKED_VALUE, row) * packed->reading.resolution;
}

/* One row of packed evidence, as it was. Inline: a caller pays for the members that it reads. */
static inline struct ja_subject ja_packed_subject(const struct ja_packed *packed, uint32_t row)
{
    const struct ja_packed_who *who = &packed->whos[ja_packed_number(packed, JA_PACKED_WHO, row)];
    const struct ja_packed_places *places = ja_packed_places_of(packed, row);
    int64_t flags = ja_packed_number(packed, JA_PACKED_FLAGS, row);
    struct ja_subject subject = packed->subject;
    subject.name = who->name;
    subject.uuid = who->uuid;
    subject.pid = ja_packed_number(packed, JA_PACKED_PID, row);
    subject.coalition = ja_packed_number(packed, JA_PACKED_COALITION, row);
    subject.age_ticks = ja_packed_number(packed, JA_PACKED_AGE, row);
    subject.peak_bytes = ja_packed_times(packed, JA_PACKED_PEAK, row, packed->reading.resolution);
    subject.cpu_ns = ja_packed_times(packed, JA_PACKED_CPU, row, JA_NS_PER_US);
    subject.place = places->subject + (row - places->row);
    subject.name_cut = flags & JA_PACKED_NAME_CUT;
    subject.name_open = flags & JA_PACKED_NAME_OPEN;
    subject.killed = flags & JA_PACKED_KILLED;
    subject.dead = flags & JA_PACKED_DEAD;
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
    count.total = ja_packed_cpu_s(ja_packed_number(packed, JA_PACKED_CPU, row));
    return count;
}

#endif
