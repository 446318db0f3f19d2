/* SPDX-License-Identifier: MIT
 *
 * --since and --until, for whatever reads the evidence beside the case's own arrays, which hold
 * nothing from outside of the window.
 */
#ifndef JA_MODEL_WINDOW_H
#define JA_MODEL_WINDOW_H

#include "model/case.h"

/* Inside of the window; also when its time is not known, for nothing says that it is not. */
bool ja_in_window(const struct ja_case *item, const struct ja_instant *at);

/* The moment of something in a record: the record's, unless it has a stamp of its own. */
const struct ja_instant *ja_moment_of(const struct ja_source *source, uint32_t record,
                                      uint32_t stamp);

/* One flag a record of the source, in arena: it, or a reading, count or event in it, is inside. */
bool *ja_records_in_window(const struct ja_case *item, const struct ja_source *source,
                           struct ja_arena *arena);

#endif
