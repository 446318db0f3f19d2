/* SPDX-License-Identifier: MIT
 *
 * The lists that ja_evidence_close makes (see struct ja_evidence), and how they are read.
 */
#ifndef JA_MODEL_ROWS_H
#define JA_MODEL_ROWS_H

#include "model/evidence.h"

/* Makes the lists, after the last entry was added. */
void ja_rows_list(struct ja_evidence *evidence);

/* A subject's first reading, and the next one of the same subject; JA_NONE behind the last. */
static inline uint32_t ja_first_reading(const struct ja_evidence *evidence, uint32_t subject)
{
    return evidence->first_reading ? evidence->first_reading[subject] : subject;
}

static inline uint32_t ja_next_reading(const struct ja_evidence *evidence, uint32_t reading)
{
    return evidence->next_reading ? evidence->next_reading[reading] : JA_NONE;
}

#endif
