/* SPDX-License-Identifier: MIT
 *
 * Private to model/: the readings of a series as numbers of the evidence, eight bytes each. A fleet
 * has hundreds of millions of bytes of readings already, in its rows: a series does not say them
 * again. Where a reading is not all that a point tells, the points of its series are kept whole.
 */
#ifndef JA_MODEL_POINTS_H
#define JA_MODEL_POINTS_H

#include "model/case.h"

/* The moment of a reading; NULL: not known. */
const struct ja_instant *ja_reading_moment(const struct ja_source *source, uint32_t reading);

/* The point that a reading alone makes. */
struct ja_point ja_point_of(const struct ja_source *sources, struct ja_entry reading);

/* Point i of a series as growth is judged by it: between its bounds in time and size. */
struct ja_growth_point ja_growth_point_of(const struct ja_series *series, size_t i);

/* The series' points, which are kept elsewhere until now, get their place in the arena. */
void ja_series_settle(struct ja_series *series, struct ja_arena *arena);

/* Point from takes the place of point to. */
void ja_series_move_point(struct ja_series *series, size_t to, size_t from);

#endif
