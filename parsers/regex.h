/* SPDX-License-Identifier: MIT
 *
 * PCRE2 behind four calls: fixed patterns, compiled before the threads start, in byte mode, with
 * match, depth and heap limits on every match. A limit hit counts as "no match", and is counted.
 */
#ifndef JA_PARSERS_REGEX_H
#define JA_PARSERS_REGEX_H

#include <stdbool.h>
#include <stddef.h>

#define JA_REGEX_GROUPS 24
#define JA_REGEX_LINE_BYTES ((size_t)64 * 1024) /* longer lines never match */

struct ja_regex; /* lives until the program ends */

struct ja_match {
    const char *text;                    /* the subject */
    size_t start[JA_REGEX_GROUPS];       /* (size_t)-1: group did not take part */
    size_t end[JA_REGEX_GROUPS];
};

/* Compiles a literal pattern; a wrong one is a bug (assert). Call from prepare only. */
struct ja_regex *ja_regex_compile(const char *pattern);
/* The operator's own pattern (at most 1 KiB): NULL and a message in error when it is wrong. */
struct ja_regex *ja_regex_compile_user(const char *pattern, char *error, size_t error_size);
bool ja_regex_match(struct ja_regex *regex, const char *text, size_t length, struct ja_match *ret);
/* Tells each pattern that met a limit, and on how many subjects. Not while anything matches. */
void ja_regex_tell_limits(void (*tell)(const char *pattern, size_t subjects));
/* Group's text and length; false when it did not take part. */
bool ja_match_group(const struct ja_match *match, int group, const char **ret, size_t *ret_length);

#endif
