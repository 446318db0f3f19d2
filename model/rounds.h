/* SPDX-License-Identifier: MIT
 *
 * Rounds of a file without times: a loop that runs several tools, or one tool on several processes,
 * writes several records a round. A new round begins where something is told a second time.
 */
#ifndef JA_MODEL_ROUNDS_H
#define JA_MODEL_ROUNDS_H

#include "model/evidence.h"

/* Fills ret_rounds[r] for every record r that has no stamp (from 0, in file order; others are left
 * alone) and returns how many rounds there are. Facts need not be ordered. arena: scratch. */
uint32_t ja_rounds_count(const struct ja_evidence *evidence, struct ja_arena *arena,
                         uint32_t *ret_rounds);

#endif
