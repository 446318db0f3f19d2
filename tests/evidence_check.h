/* SPDX-License-Identifier: MIT
 *
 * What must hold of any evidence, whatever the file: indexes lead somewhere, words are words.
 */
#ifndef JA_TESTS_EVIDENCE_CHECK_H
#define JA_TESTS_EVIDENCE_CHECK_H

#include <stdlib.h>
#include <string.h>

#include "model/rows.h"

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            abort();                                                                               \
    } while (0)

static inline bool in_range(uint32_t index, size_t count)
{
    return index == JA_NONE || index < count;
}

/* A text lies in memory that is still there (sanitizers watch) and is no longer than a file. */
static inline void check_text(const char *text)
{
    MUST(!text || strlen(text) < (size_t)1 << 30);
}

/* To be called when the file's text is gone: nothing may point into it. */
static inline void check_texts(const struct ja_evidence *evidence)
{
    check_text(evidence->why);
    check_text(evidence->bug_type);
    check_text(evidence->os);
    check_text(evidence->incident_id);
    for (size_t i = 0; i < evidence->system_count; i++) {
        check_text(evidence->systems[i].host_name);
        check_text(evidence->systems[i].host_key);
        check_text(evidence->systems[i].model);
        check_text(evidence->systems[i].os);
        check_text(evidence->systems[i].kernel);
        check_text(evidence->systems[i].boot_id);
    }
    for (size_t i = 0; i < evidence->record_count; i++) {
        check_text(evidence->records[i].snapshot);
        check_text(evidence->records[i].of);
    }
    for (uint32_t i = 0; i < evidence->subject_count; i++) {
        struct ja_subject subject = ja_subject_at(evidence, i);
        check_text(subject.name);
        check_text(subject.uuid);
        check_text(subject.more->command);
        check_text(subject.more->link);
    }
    for (size_t i = 0; i < evidence->stamp_count; i++) {
        check_text(evidence->stamps[i].zone);
        check_text(evidence->stamps[i].text);
    }
    for (size_t i = 0; i < evidence->place_run_count; i++)
        check_text(evidence->place_runs[i].key);
    for (uint32_t i = 0; i < evidence->reading_count; i++)
        check_text(ja_reading_at(evidence, i).printed);
    for (uint32_t i = 0; i < evidence->count_count; i++)
        check_text(ja_count_at(evidence, i).unit);
    for (size_t i = 0; i < evidence->event_count; i++) {
        check_text(evidence->events[i].reason);
        check_text(evidence->events[i].detail);
    }
    for (size_t i = 0; i < evidence->fact_count; i++)
        check_text(evidence->facts[i].text);
    for (size_t i = 0; i < evidence->category_count; i++)
        check_text(evidence->categories[i]);
    for (size_t i = 0; i < evidence->diagnostic_count; i++) {
        check_text(evidence->diagnostics[i].place);
        check_text(evidence->diagnostics[i].text);
    }
    for (size_t i = 0; i < evidence->child_count; i++)
        check_texts(evidence->children[i]);
}

/* Indexes lead somewhere, kinds are words, numbers are in range. */
static inline void check_evidence(const struct ja_evidence *evidence)
{
    for (size_t i = 0; i < evidence->record_count; i++) {
        MUST(in_range(evidence->records[i].system, evidence->system_count));
        MUST(in_range(evidence->records[i].stamp, evidence->stamp_count));
        MUST(in_range(evidence->records[i].place, evidence->place_run_count * JA_PLACE_RUN));
    }
    for (uint32_t i = 0; i < evidence->subject_count; i++) {
        struct ja_subject subject = ja_subject_at(evidence, i);
        MUST(subject.record < evidence->record_count);
        MUST(in_range(subject.more->start_stamp, evidence->stamp_count));
        MUST(in_range(subject.place, evidence->place_run_count * JA_PLACE_RUN));
    }
    for (uint32_t i = 0; i < evidence->reading_count; i++) {
        struct ja_reading reading = ja_reading_at(evidence, i);
        MUST(reading.subject < evidence->subject_count);
        MUST(in_range(reading.stamp, evidence->stamp_count));
        MUST(in_range(reading.place, evidence->place_run_count * JA_PLACE_RUN));
        MUST(in_range(reading.category, evidence->category_count));
        MUST(reading.metric < JA_METRIC_COUNT);
        MUST(reading.resolution >= 0);
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
        MUST(in_range(evidence->facts[i].place, evidence->place_run_count * JA_PLACE_RUN));
    }
    for (uint32_t i = 0; i < evidence->count_count; i++) {
        struct ja_count count = ja_count_at(evidence, i);
        MUST(count.subject < evidence->subject_count);
        MUST(in_range(count.stamp, evidence->stamp_count));
        MUST(in_range(count.place, evidence->place_run_count * JA_PLACE_RUN));
    }
    for (size_t i = 0; i < evidence->system_count; i++)
        MUST(in_range(evidence->systems[i].boot_stamp, evidence->stamp_count));
    for (size_t i = 0; i < evidence->child_count; i++)
        check_evidence(evidence->children[i]);
}

#endif
