/* SPDX-License-Identifier: MIT
 *
 * Process tables as rules ask about them: what the record says of a table's completeness, what
 * memory its sums are held against, and the readings of its largest rows. Nothing is owned.
 */
#ifndef JA_MODEL_TABLES_H
#define JA_MODEL_TABLES_H

#include "model/case.h"

/* First fact of the state's record with this key; NULL when there is none. */
const struct ja_fact *ja_state_fact(const struct ja_case *item, const struct ja_state *state,
                                    enum ja_fact_key key);

/* Memory that a state's sums are held against: installed RAM, else what the kernel manages.
 * JA_UNKNOWN when neither is known. */
int64_t ja_state_memory(const struct ja_state *state, bool *ret_managed);

/* True when no row of the state's table is known to be missing (a full buffer counts as whole for
 * its largest rows, not for its sum). */
bool ja_state_uncut(const struct ja_case *item, const struct ja_state *state);

/* Sizes of the state's rows that were killed, together: they were in memory when its pages were
 * counted. */
int64_t ja_state_killed_bytes(const struct ja_case *item, const struct ja_state *state);

/* Indexes of all jetsam and OOM kills, by host, source and place on the timeline, in the case's
 * arena. */
uint32_t *ja_kill_events(struct ja_case *item, size_t *ret_count);

/* Where the kills of one source on one host begin in that list (count: none), and how many. */
size_t ja_kills_of(const struct ja_case *item, const uint32_t *kills, size_t count, uint32_t host,
                   uint32_t source, size_t *ret_length);

/* Cites the readings of the state's largest rows, at most count (up to JA_LARGEST_ROWS). */
void ja_cite_rows(struct ja_case *item, struct ja_finding *finding, const struct ja_state *state,
                  size_t count);

#endif
