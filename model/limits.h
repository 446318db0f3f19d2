/* SPDX-License-Identifier: MIT
 *
 * Limits of memory that the evidence prints for processes: on a command line, in a cgroup file, in
 * a report.
 */
#ifndef JA_MODEL_LIMITS_H
#define JA_MODEL_LIMITS_H

#include "model/case.h"

#define JA_LEAST_UNLIMITED ((int64_t)1 << 60) /* bytes; "no limit" of old cgroups */

struct ja_limit {
    uint32_t process;
    size_t order; /* as found: a later one of the same name replaces an earlier one */
    const char *name;
    int64_t bytes;
    size_t sharers; /* processes of its name on this boot with the same limit, at least 1 */
};

struct ja_limits {
    struct ja_limit *items; /* by process, then as found */
    size_t count, capacity;
};

/* All of a case, in arena. */
struct ja_limits ja_limits_collect(const struct ja_case *item, struct ja_arena *arena);

/* Those of one process, and how many. */
const struct ja_limit *ja_limits_of(const struct ja_limits *limits, uint32_t process,
                                    size_t *ret_count);

#endif
