/* SPDX-License-Identifier: MIT
 *
 * Stretches of time that no evidence of a host speaks of: an hour or more and three times the usual
 * distance of readings, or in a dense log a minute or more and ten times its pace.
 */
#ifndef JA_MODEL_GAPS_H
#define JA_MODEL_GAPS_H

#include "model/case.h"

/* One moment that a record of the host speaks of. */
struct ja_seen {
    const struct ja_instant *at;
    uint32_t source, place;
    uint32_t boot;
};

struct ja_gap {
    struct ja_seen from, to;
};

/* The gaps of a host in time order, in arena. */
size_t ja_gaps_find(const struct ja_case *item, uint32_t host, struct ja_arena *arena,
                    struct ja_gap **ret_gaps);

#endif
