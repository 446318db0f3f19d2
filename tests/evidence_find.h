/* SPDX-License-Identifier: MIT
 *
 * For parser tests: parse a text or a fixture, and find one reading, fact or diagnostic of the
 * evidence. Include it after cmocka.h.
 */
#ifndef JA_TESTS_EVIDENCE_FIND_H
#define JA_TESTS_EVIDENCE_FIND_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parsers/parser.h"

/* Evidence of a text that lies in a file of this name; end it with ja_evidence_free. */
static inline struct ja_evidence *parse_named(const char *name, const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    copy[length] = '\0';
    struct ja_file file = {
        .path = name, .name = name, .text = copy, .length = length, .mtime_ns = JA_UNKNOWN};
    struct ja_evidence *evidence = ja_parse_file(&file, NULL, JA_UNKNOWN, 1000000);
    free(copy);
    return evidence;
}

static inline struct ja_evidence *parse_text(const char *text)
{
    return parse_named("dump.txt", text, strlen(text));
}

/* Evidence of fixtures/formats/<path>. */
static inline struct ja_evidence *parse_fixture(const char *path)
{
    static char text[1 << 20];
    char full[512];
    snprintf(full, sizeof full, "%s/formats/%s", JA_FIXTURES, path);
    FILE *file = fopen(full, "rb");
    if (!file)
        fail_msg("no fixture %s", full);
    size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    const char *slash = strrchr(path, '/');
    return parse_named(slash ? slash + 1 : path, text, length);
}

/* The nth (from 0) reading of a pid in a metric and category (NULL: none); NULL: there is none. */
static inline const struct ja_reading *find_reading(const struct ja_evidence *evidence, int64_t pid,
                                                    enum ja_metric metric, const char *category,
                                                    size_t nth)
{
    for (size_t i = 0; i < evidence->reading_count; i++) {
        const struct ja_reading *reading = &evidence->readings[i];
        const char *name =
            reading->category == JA_NONE ? NULL : evidence->categories[reading->category];
        bool same = name && category ? strcmp(name, category) == 0 : name == category;
        if (evidence->subjects[reading->subject].pid == pid && reading->metric == metric && same &&
            nth-- == 0)
            return reading;
    }
    return NULL;
}

/* Asserts value and bounds of a reading. */
static inline void assert_interval(const struct ja_reading *reading, int64_t value, int64_t low,
                                   int64_t high)
{
    int64_t found_low, found_high;
    assert_non_null(reading);
    struct ja_quantity quantity = {reading->value, reading->resolution,
                                   (enum ja_rounding)reading->rounding};
    ja_quantity_interval(quantity, &found_low, &found_high);
    assert_int_equal(reading->value, value);
    assert_int_equal(found_low, low);
    assert_int_equal(found_high, high);
}

/* The nth (from 0) fact with a key, or NULL. */
static inline const struct ja_fact *find_fact(const struct ja_evidence *evidence,
                                              enum ja_fact_key key, size_t nth)
{
    for (size_t i = 0; i < evidence->fact_count; i++)
        if (evidence->facts[i].key == key && nth-- == 0)
            return &evidence->facts[i];
    return NULL;
}

static inline bool has_diagnostic(const struct ja_evidence *evidence, const char *code)
{
    for (size_t i = 0; i < evidence->diagnostic_count; i++)
        if (strcmp(evidence->diagnostics[i].code, code) == 0)
            return true;
    return false;
}

/* Text of the stamp of a record; NULL when it is undated. */
static inline const char *stamp_text(const struct ja_evidence *evidence, size_t record)
{
    assert_true(record < evidence->record_count);
    uint32_t stamp = evidence->records[record].stamp;
    return stamp == JA_NONE ? NULL : evidence->stamps[stamp].text;
}

#endif
