/* SPDX-License-Identifier: MIT
 *
 * Private to model/: how readings become series. series.c sorts them, the others help.
 */
#ifndef JA_MODEL_SERIES_H
#define JA_MODEL_SERIES_H

#include "model/points.h"

/* twins.c: adds a point, or makes one of it and the last one when both tell one figure. Points come
 * in time order (undated: in file order). The series has room for them and is not settled yet. */
void ja_series_add_point(struct ja_case *item, struct ja_series *series, struct ja_point point);
/* twins.c, when all points are there: which readings of two tools within a minute agree. The
 * series' own twins are those from first_twin on. */
void ja_series_compare(struct ja_case *item, const struct ja_series *series, size_t first_twin);

/* anon_swap.c: the sum of both, for a process whose series are those from first on; nothing when
 * the evidence tells it itself. folders: the first file of every file's snapshot folder. */
void ja_series_add_anon_swap(struct ja_case *item, size_t first, const uint32_t *folders,
                             struct ja_arena *scratch);

/* linux_counters.c: how many bytes a reading may be off because the kernel counts in batches; 0
 * where that is not known. */
int64_t ja_counting_error(const struct ja_case *item, uint32_t process,
                          const struct ja_evidence *evidence, uint32_t reading);
/* linux_counters.c: the most threads seen of every process; a note when the error of counters is
 * not known. */
void ja_count_threads(struct ja_case *item);

#endif
