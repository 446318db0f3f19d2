/* SPDX-License-Identifier: MIT */
#include "parsers/regex.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "model/arena.h"

/* `^(a+)+$` on 40 letters stops after a millisecond with these; the library's own limits are
 * 10,000,000 steps and 20 GB. Heap is counted in KiB. */
#define MATCH_LIMIT 100000
#define HEAP_LIMIT_KIB (20 * 1024)
#define USER_PATTERN_BYTES 1024

struct ja_regex {
    struct ja_regex *next;
    pcre2_code *code;
    pcre2_match_context *limits; /* only read while matching: shared by threads */
    atomic_size_t given_up;      /* subjects on which a limit was met */
    char pattern[];
};

/* All patterns, for leak checkers: nothing but compile touches it, before the threads start. */
static struct ja_regex *patterns;

static struct ja_regex *compile(const char *pattern, int *error, PCRE2_SIZE *offset)
{
    /* Bytes, not UTF: evidence holds invalid sequences, which UTF mode refuses whole lines for. */
    uint32_t options =
        PCRE2_NEVER_UTF | PCRE2_NEVER_UCP | PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY;
    pcre2_code *code =
        pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, options, error, offset, NULL);
    if (!code && *error != PCRE2_ERROR_HEAP_FAILED)
        return NULL;
    pcre2_match_context *limits = pcre2_match_context_create(NULL);
    size_t length = strlen(pattern);
    struct ja_regex *regex = ja_arena_malloc(sizeof *regex + length + 1);
    if (!code || !limits || !regex) {
        ja_arena_out_of_memory();
        abort();
    }
    pcre2_set_match_limit(limits, MATCH_LIMIT);
    pcre2_set_depth_limit(limits, MATCH_LIMIT);
    pcre2_set_heap_limit(limits, HEAP_LIMIT_KIB);
    *regex = (struct ja_regex){.next = patterns, .code = code, .limits = limits};
    memcpy(regex->pattern, pattern, length + 1);
    patterns = regex;
    return regex;
}

struct ja_regex *ja_regex_compile(const char *pattern)
{
    int error;
    PCRE2_SIZE offset;
    struct ja_regex *regex = compile(pattern, &error, &offset);
    assert(regex && "a built-in pattern is wrong");
    uint32_t groups = 0;
    pcre2_pattern_info(regex->code, PCRE2_INFO_CAPTURECOUNT, &groups);
    assert(groups < JA_REGEX_GROUPS);
    return regex;
}

struct ja_regex *ja_regex_compile_user(const char *pattern, char *error, size_t error_size)
{
    if (strlen(pattern) > USER_PATTERN_BYTES) {
        snprintf(error, error_size, "longer than %d bytes", USER_PATTERN_BYTES);
        return NULL;
    }
    int code;
    PCRE2_SIZE offset;
    struct ja_regex *regex = compile(pattern, &code, &offset);
    if (!regex) {
        PCRE2_UCHAR text[256];
        pcre2_get_error_message(code, text, sizeof text);
        snprintf(error, error_size, "%s (at byte %zu)", (const char *)text, (size_t)offset);
    }
    return regex;
}

bool ja_regex_match(struct ja_regex *regex, const char *text, size_t length, struct ja_match *ret)
{
    if (length > JA_REGEX_LINE_BYTES) {
        atomic_fetch_add(&regex->given_up, 1);
        return false;
    }
    pcre2_match_data *data = pcre2_match_data_create(JA_REGEX_GROUPS, NULL);
    if (!data) {
        ja_arena_out_of_memory();
        abort();
    }
    int rc = pcre2_match(regex->code, (PCRE2_SPTR)text, length, 0, 0, data, regex->limits);
    if (rc == PCRE2_ERROR_NOMEMORY)
        ja_arena_out_of_memory();
    if (rc < 0 && rc != PCRE2_ERROR_NOMATCH)
        atomic_fetch_add(&regex->given_up, 1);
    if (rc >= 0 && ret) {
        const PCRE2_SIZE *offsets = pcre2_get_ovector_pointer(data);
        int count = rc == 0 ? JA_REGEX_GROUPS : rc;
        ret->text = text;
        for (int i = 0; i < JA_REGEX_GROUPS; i++) {
            ret->start[i] = i < count ? offsets[2 * i] : (size_t)-1;
            ret->end[i] = i < count ? offsets[2 * i + 1] : (size_t)-1;
        }
    }
    pcre2_match_data_free(data);
    return rc >= 0;
}

void ja_regex_tell_limits(void (*tell)(const char *pattern, size_t subjects))
{
    for (struct ja_regex *regex = patterns; regex; regex = regex->next)
        if (atomic_load(&regex->given_up))
            tell(regex->pattern, atomic_load(&regex->given_up));
}

bool ja_match_group(const struct ja_match *match, int group, const char **ret, size_t *ret_length)
{
    if (group < 0 || group >= JA_REGEX_GROUPS || match->start[group] == (size_t)-1)
        return false;
    *ret = match->text + match->start[group];
    *ret_length = match->end[group] - match->start[group];
    return true;
}
