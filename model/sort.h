/* SPDX-License-Identifier: MIT
 *
 * Sorting what mostly is in order: evidence comes in time order.
 */
#ifndef JA_MODEL_SORT_H
#define JA_MODEL_SORT_H

#include <stddef.h>

/* qsort by an order without ties, but one look for items that are in order already. items may be
 * NULL when count is 0. */
void ja_sort(void *items, size_t count, size_t size, int (*order)(const void *a, const void *b));

#endif
