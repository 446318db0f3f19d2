/* SPDX-License-Identifier: MIT */
#include "parsers/stated.h"

#include <string.h>

#include "parsers/regex.h"
#include "parsers/scan.h"

void ja_stated_init(struct ja_stated *stated, struct ja_arena *arena)
{
    *stated = (struct ja_stated){.arena = arena, .all = ja_statements_none()};
}

void ja_stated_settle(struct ja_stated *stated)
{
    struct ja_statements *all = &stated->all;
    all->caps = stated->caps;
    all->cap_count = stated->cap_count;
    all->work = stated->work;
    all->work_count = stated->work_count;
    all->times = stated->times;
    all->time_count = stated->time_count;
    all->concerns = stated->concerns;
    all->concern_count = stated->concern_count;
    all->notes = stated->notes;
    all->note_count = stated->note_count;
    all->only = stated->only;
    all->only_count = stated->only_count;
}

static bool matches(void *pattern, const char *name)
{
    struct ja_match match;
    return ja_regex_match(pattern, name, strlen(name), &match);
}

static bool prefixed_number(const char *text, const char *prefix, int64_t *ret)
{
    struct ja_scan scan = ja_scan_of(text, strlen(text));
    int64_t number;
    if (!ja_scan_text(&scan, prefix) || !ja_scan_u63(&scan, &number) || !ja_scan_end(&scan))
        return false;
    *ret = number;
    return true;
}

bool ja_selector_read(struct ja_arena *arena, const char *text, bool pattern_only,
                      struct ja_selector *ret, char *error, size_t error_size)
{
    struct ja_selector selector = {
        .text = ja_arena_string(arena, text), .pid = JA_UNKNOWN, .coalition = JA_UNKNOWN};
    if (!prefixed_number(text, "pid:", &selector.pid) &&
        !prefixed_number(text, "coalition:", &selector.coalition)) {
        selector.pattern = ja_regex_compile_user(text, error, error_size);
        if (!selector.pattern && pattern_only)
            return false;
        selector.matches = selector.pattern ? matches : NULL;
        selector.name = selector.text;
    }
    *ret = selector;
    return true;
}

static bool read_size(struct ja_scan *scan, int64_t *ret_bytes)
{
    struct ja_scan start = *scan;
    struct ja_quantity size;
    if (ja_scan_size(scan, &size)) {
        *ret_bytes = size.value;
        return true;
    }
    *scan = start;
    return ja_scan_u63(scan, ret_bytes);
}

bool ja_stated_size(const char *text, int64_t *ret_bytes)
{
    struct ja_scan scan = ja_scan_of(text, strlen(text));
    int64_t bytes;
    if (!read_size(&scan, &bytes) || !ja_scan_end(&scan) || bytes > JA_LARGEST_BYTES)
        return false;
    *ret_bytes = bytes;
    return true;
}

bool ja_stated_slope(const char *text, double *ret_bytes_per_hour)
{
    struct ja_scan scan = ja_scan_of(text, strlen(text));
    int64_t bytes;
    if (!read_size(&scan, &bytes) || bytes > JA_LARGEST_BYTES)
        return false;
    ja_scan_blanks(&scan);
    if (!ja_scan_text(&scan, "/h") || !ja_scan_end(&scan))
        return false;
    *ret_bytes_per_hour = (double)bytes;
    return true;
}
