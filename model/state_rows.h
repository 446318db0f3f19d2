/* SPDX-License-Identifier: MIT
 *
 * All live rows of one state, while it is made.
 */
#ifndef JA_MODEL_STATE_ROWS_H
#define JA_MODEL_STATE_ROWS_H

#include "model/parts.h"

struct ja_state_row {
    uint32_t process;
    int64_t value, low, high; /* JA_UNKNOWN: no size in the chosen metric */
};

struct ja_state_rows {
    struct ja_state_row *items;
    size_t count;
};

/* Notes in the state what is asked of all its rows, makes its groups and keeps its largest rows.
 * rows are put in another order. The state is the last of the part; there is at least one row. */
void ja_state_take_rows(struct ja_part *part, struct ja_groupings *groupings,
                        struct ja_arena *scratch, struct ja_state_rows *rows,
                        struct ja_state *state);

#endif
