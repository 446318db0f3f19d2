/* SPDX-License-Identifier: MIT
 *
 * What must hold of any evidence, whatever the file: indexes lead somewhere, words are words.
 */
#ifndef JA_TESTS_EVIDENCE_CHECK_H
#define JA_TESTS_EVIDENCE_CHECK_H

#include <stdlib.h>

#include "model/evidence.h"

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            abort();                                                                               \
    } while (0)

static inline bool in_range(uint32_t index, size_t count)
{
    return index == JA_NONE || index < count;
}

/* Indexes lead somewhere, kinds are words, numbers are in range. */
static inline void check_evidence(const struct ja_evidence *evidence)
{
    for (size_t i = 0; i < evidence->record_count; i++) {
        MUST(in_range(evidence->records[i].system, evidence->system_count));
        MUST(in_range(evidence->records[i].stamp, evidence->stamp_count));
        MUST(in_range(evidence->records[i].place, evidence->place_count));
    }
    for (size_t i = 0; i < evidence->subject_count; i++)
        MUST(evidence->subjects[i].record < evidence->record_count);
    for (size_t i = 0; i < evidence->reading_count; i++) {
        const struct ja_reading *reading = &evidence->readings[i];
        MUST(reading->subject < evidence->subject_count);
        MUST(in_range(reading->stamp, evidence->stamp_count));
        MUST(in_range(reading->place, evidence->place_count));
        MUST(in_range(reading->category, evidence->category_count));
        MUST(reading->metric < JA_METRIC_COUNT);
        MUST(reading->resolution >= 0);
    }
    for (size_t i = 0; i < evidence->event_count; i++) {
        MUST(in_range(evidence->events[i].record, evidence->record_count));
        MUST(in_range(evidence->events[i].subject, evidence->subject_count));
        MUST(in_range(evidence->events[i].stamp, evidence->stamp_count));
    }
    for (size_t i = 0; i < evidence->fact_count; i++) {
        MUST(evidence->facts[i].key < JA_FACT_COUNT);
        MUST(in_range(evidence->facts[i].record, evidence->record_count));
        MUST(in_range(evidence->facts[i].subject, evidence->subject_count));
    }
}

#endif
