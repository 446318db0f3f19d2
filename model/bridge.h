/* SPDX-License-Identifier: MIT
 *
 * The bridge between books and physical use of one state: what has to be taken off the sum of
 * per-process figures, and what has to be added that no process row shows, to arrive at what was
 * in RAM. What the evidence does not explain is shown as the residual, never hidden.
 */
#ifndef JA_MODEL_BRIDGE_H
#define JA_MODEL_BRIDGE_H

#include "model/case.h"

struct ja_bridge_step {
    const char *what; /* a literal */
    int64_t bytes;    /* signed: what it adds to or takes off the sum */
    bool bound;       /* at most so much, not exact */
};

struct ja_bridge {
    struct ja_bridge_step steps[8];
    size_t count;
    int64_t books_bytes, used_bytes;
    int64_t residual_bytes; /* used - (books + all steps) */
};

/* False when books or physical use of the state are not known. */
bool ja_bridge_build(const struct ja_state *state, struct ja_bridge *ret);

#endif
