/* SPDX-License-Identifier: MIT
 *
 * What the fuzz targets share: bytes as a file, checked.
 */
#ifndef JA_TESTS_FUZZ_H
#define JA_TESTS_FUZZ_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "parsers/parser.h"
#include "tests/evidence_check.h"

#define FUZZ_READINGS 100000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
    check_texts(evidence);
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
