/* SPDX-License-Identifier: MIT */
#include "model/sort.h"

#include <stdlib.h>

void ja_sort(void *items, size_t count, size_t size, int (*order)(const void *a, const void *b))
{
    const char *item = items;
    size_t at = 1;
    while (at < count && order(item + (at - 1) * size, item + at * size) <= 0)
        at++;
    if (at < count)
        qsort(items, count, size, order);
}
