/* SPDX-License-Identifier: MIT
 *
 * Sorting what mostly is in order: evidence comes in time order. And sorting tables by a number.
 */
#ifndef JA_MODEL_SORT_H
#define JA_MODEL_SORT_H

#include <stddef.h>
#include <stdint.h>

/* qsort by an order without ties, but one look for items that are in order already. items may be
 * NULL when count is 0. */
void ja_sort(void *items, size_t count, size_t size, int (*order)(const void *a, const void *b));

/* Something to be sorted by a number. */
struct ja_keyed {
    uint64_t key;
    uint32_t item;
};

/* The key of a signed number, for rising or for falling order; and the number of a rising key. */
uint64_t ja_rising_key(int64_t number);
uint64_t ja_falling_key(int64_t number);
int64_t ja_rising_number(uint64_t key);

/* The key of how a text begins: of two texts with different keys, strcmp orders them as these. */
uint64_t ja_text_key(const char *text);

/* Puts items in rising order of their keys, equal ones in the order they had. spare: room for as
 * many. */
void ja_sort_keyed(struct ja_keyed *items, struct ja_keyed *spare, size_t count);

#endif
