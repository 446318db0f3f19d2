/* SPDX-License-Identifier: MIT
 *
 * For tests of parsers: a fixture becomes evidence, and what it holds is found by name.
 * The caller ends the evidence with ja_evidence_free.
 */
#ifndef JA_TESTS_PARSE_FIXTURE_H
#define JA_TESTS_PARSE_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parsers/parser.h"

static inline struct ja_evidence *parse_text(const char *path, const char *text)
{
    const char *name = strrchr(path, '/');
    struct ja_file file = {path, name ? name + 1 : path, text, strlen(text), JA_UNKNOWN, false};
    return ja_parse_file(&file, NULL, JA_UNKNOWN, 1000000);
}

/* Text of fixtures/formats/<path>; free it. */
static inline char *fixture_text(const char *path)
{
    char full[1024];
    snprintf(full, sizeof full, "%s/formats/%s", JA_FIXTURES, path);
    FILE *file = fopen(full, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    size_t length = fread(text, 1, (1 << 20) - 1, file);
    assert_true(length < (1 << 20) - 1);
    fclose(file);
    return text;
}

static inline struct ja_evidence *parse_fixture(const char *path)
{
    char *text = fixture_text(path);
    struct ja_evidence *evidence = parse_text(path, text);
    free(text);
    return evidence;
}

/* The n-th subject of this name (0 = the first); fails the test when there is none. */
static inline uint32_t subject_named(const struct ja_evidence *evidence, const char *name, size_t n)
{
    for (uint32_t i = 0; i < evidence->subject_count; i++) {
        const char *found = evidence->subjects[i].name;
        if (found && strcmp(found, name) == 0 && n-- == 0)
            return i;
    }
    fail_msg("no subject %s", name);
    return JA_NONE;
}

/* The subject's reading of a metric; NULL when there is none. */
static inline const struct ja_reading *reading_of(const struct ja_evidence *evidence,
                                                  uint32_t subject, enum ja_metric metric)
{
    for (size_t i = 0; i < evidence->reading_count; i++)
        if (evidence->readings[i].subject == subject && evidence->readings[i].metric == metric)
            return &evidence->readings[i];
    return NULL;
}

/* Value of a reading; JA_UNKNOWN when there is none. */
static inline int64_t value_of(const struct ja_evidence *evidence, uint32_t subject,
                               enum ja_metric metric)
{
    const struct ja_reading *reading = reading_of(evidence, subject, metric);
    return reading ? reading->value : JA_UNKNOWN;
}

static inline const struct ja_fact *fact_of(const struct ja_evidence *evidence,
                                            enum ja_fact_key key)
{
    for (size_t i = 0; i < evidence->fact_count; i++)
        if (evidence->facts[i].key == key)
            return &evidence->facts[i];
    return NULL;
}

static inline bool diagnosed(const struct ja_evidence *evidence, const char *code)
{
    for (size_t i = 0; i < evidence->diagnostic_count; i++)
        if (strcmp(evidence->diagnostics[i].code, code) == 0)
            return true;
    return false;
}

/* Every cut of the fixture parses without a fault; sanitizers watch. */
static inline void parse_cuts(const char *path)
{
    char *text = fixture_text(path);
    size_t length = strlen(text), step = length / 97 + 1;
    for (size_t cut = 0; cut < length; cut += step) {
        char *copy = calloc(1, cut + 1);
        memcpy(copy, text, cut);
        ja_evidence_free(parse_text(path, copy));
        free(copy);
    }
    free(text);
}

#endif
