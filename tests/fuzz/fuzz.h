/* SPDX-License-Identifier: MIT
 *
 * What the fuzz targets share: bytes as a file, and what must hold of any evidence.
 */
#ifndef JA_TESTS_FUZZ_H
#define JA_TESTS_FUZZ_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "parsers/parser.h"

#define FUZZ_READINGS 100000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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

/* Parses the bytes as one file; the caller frees the evidence. */
static inline struct ja_evidence *parse_bytes(const uint8_t *data, size_t size, const char *path,
                                              const struct ja_parser *forced)
{
    char *text = malloc(size + 1);
    MUST(text);
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    struct ja_file file = {
        .path = path, .name = path, .text = text, .length = size, .mtime_ns = JA_UNKNOWN};
    struct ja_evidence *evidence = ja_parse_file(&file, forced, JA_UNKNOWN, FUZZ_READINGS);
    free(text);
    check_evidence(evidence);
    return evidence;
}

static inline void prepare_once(void)
{
    static bool prepared;
    if (!prepared)
        ja_parsers_prepare();
    prepared = true;
}

#endif
