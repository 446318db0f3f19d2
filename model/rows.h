/* SPDX-License-Identifier: MIT
 *
 * How closed evidence is read: its rows, packed or not, and the lists that ja_evidence_close makes
 * (see struct ja_evidence). Nothing behind the parsers touches the arrays themselves.
 */
#ifndef JA_MODEL_ROWS_H
#define JA_MODEL_ROWS_H

#include "model/packed.h"

/* Makes the lists, after the last entry was added. */
void ja_rows_list(struct ja_evidence *evidence);

/* A subject's first reading, and the next one of the same subject; JA_NONE behind the last. */
static inline uint32_t ja_first_reading(const struct ja_evidence *evidence, uint32_t subject)
{
    return evidence->first_reading ? evidence->first_reading[subject] : subject;
}

static inline uint32_t ja_next_reading(const struct ja_evidence *evidence, uint32_t reading)
{
    return evidence->next_reading ? evidence->next_reading[reading] : JA_NONE;
}

static inline struct ja_subject ja_subject_at(const struct ja_evidence *evidence, uint32_t subject)
{
    return evidence->packed ? ja_packed_subject(evidence->packed, subject)
                            : evidence->subjects[subject];
}

static inline struct ja_reading ja_reading_at(const struct ja_evidence *evidence, uint32_t reading)
{
    return evidence->packed ? ja_packed_reading(evidence->packed, reading)
                            : evidence->readings[reading];
}

static inline struct ja_count ja_count_at(const struct ja_evidence *evidence, uint32_t count)
{
    return evidence->packed ? ja_packed_count(evidence->packed, count) : evidence->counts[count];
}

/* What is asked most often, without the rest. */
static inline uint32_t ja_subject_record(const struct ja_evidence *evidence, uint32_t subject)
{
    return evidence->packed ? evidence->packed->subject.record : evidence->subjects[subject].record;
}

static inline uint32_t ja_reading_subject(const struct ja_evidence *evidence, uint32_t reading)
{
    return evidence->packed ? reading : evidence->readings[reading].subject;
}

static inline enum ja_metric ja_reading_metric(const struct ja_evidence *evidence, uint32_t reading)
{
    return (enum ja_metric)(evidence->packed ? evidence->packed->reading.metric
                                             : evidence->readings[reading].metric);
}

static inline uint32_t ja_reading_category(const struct ja_evidence *evidence, uint32_t reading)
{
    return evidence->packed ? evidence->packed->reading.category
                            : evidence->readings[reading].category;
}

static inline uint32_t ja_reading_stamp(const struct ja_evidence *evidence, uint32_t reading)
{
    return evidence->packed ? ja_packed_stamp(evidence->packed, reading)
                            : evidence->readings[reading].stamp;
}

static inline struct ja_quantity ja_reading_quantity(const struct ja_evidence *evidence,
                                                     uint32_t reading)
{
    const struct ja_reading *from =
        evidence->packed ? &evidence->packed->reading : &evidence->readings[reading];
    return (struct ja_quantity){
        .value = evidence->packed ? ja_packed_value(evidence->packed, reading) : from->value,
        .resolution = from->resolution,
        .rounding = (enum ja_rounding)from->rounding,
    };
}

static inline uint32_t ja_count_subject(const struct ja_evidence *evidence, uint32_t count)
{
    return evidence->packed ? count : evidence->counts[count].subject;
}

static inline uint32_t ja_reading_record(const struct ja_evidence *evidence, uint32_t reading)
{
    return ja_subject_record(evidence, ja_reading_subject(evidence, reading));
}

#endif
