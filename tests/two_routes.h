/* SPDX-License-Identifier: MIT
 *
 * Reads bytes twice, as plain JSON pulled out of the text and by cJSON alone, and compares the
 * evidence byte for byte. Used by the cmocka test and by the fuzz target.
 */
#ifndef JA_TESTS_TWO_ROUTES_H
#define JA_TESTS_TWO_ROUTES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parsers/parser.h"
#include "parsers/pull.h"
#include "model/packed.h"
#include "tests/evidence_print.h"

#define MOST_ROUTE_READINGS 100000

/* What the bytes say, printed; by cJSON alone or with pulling. Free it. */
static inline char *read_by_route(const char *text, size_t length, bool cjson_alone)
{
    struct ja_file file = {
        .path = "x.ips", .name = "x.ips", .text = text, .length = length, .mtime_ns = JA_UNKNOWN};
    ja_pull_declines_all = cjson_alone;
    struct ja_evidence *evidence = ja_parse_file(&file, NULL, JA_UNKNOWN, MOST_ROUTE_READINGS);
    ja_pull_declines_all = false;
    ja_evidence_unpack(evidence);
    char *printed = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&printed, &size);
    print_evidence(out, evidence);
    for (size_t i = 0; i < evidence->child_count; i++)
        print_evidence(out, evidence->children[i]);
    for (size_t i = 0; i < evidence->count_count; i++)
        fprintf(out, "total %a\n", evidence->counts[i].total); /* every bit of it */
    fclose(out);
    ja_evidence_free(evidence);
    return printed;
}

/* True when both routes agree; else both are printed to stderr. */
static inline bool routes_agree(const char *text, size_t length)
{
    char *pulled = read_by_route(text, length, false), *parsed = read_by_route(text, length, true);
    bool same = strcmp(pulled, parsed) == 0;
    if (!same)
        fprintf(stderr, "pulled:\n%s\ncJSON:\n%s\n", pulled, parsed);
    free(pulled);
    free(parsed);
    return same;
}

#endif
