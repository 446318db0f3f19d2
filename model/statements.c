/* SPDX-License-Identifier: MIT */
#include "model/statements.h"

#include <string.h>

struct ja_statements ja_statements_none(void)
{
    return (struct ja_statements){
        .ram_bytes = JA_UNKNOWN,
        .slope_bytes_per_hour = NAN,
        .fix = {.max_delta_bytes = JA_UNKNOWN,
                .min_work = NAN,
                .who = {.pid = JA_UNKNOWN, .coalition = JA_UNKNOWN}},
        .since_ns = JA_UNKNOWN,
        .until_ns = JA_UNKNOWN,
    };
}

bool ja_selector_picks(const struct ja_selector *selector, const char *name, int64_t pid,
                       int64_t coalition)
{
    if (selector->pid != JA_UNKNOWN)
        return pid == selector->pid;
    if (selector->coalition != JA_UNKNOWN)
        return coalition == selector->coalition;
    if (!name)
        return false;
    if (selector->name && strcmp(selector->name, name) == 0)
        return true;
    return selector->matches && selector->matches(selector->pattern, name);
}
