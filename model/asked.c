/* SPDX-License-Identifier: MIT */
#include "model/rule.h"

#include <stdlib.h>

static int by_host_and_stake(const void *a, const void *b)
{
    const struct ja_asked *x = a, *y = b;
    if (x->host != y->host)
        return x->host < y->host ? -1 : 1;
    if (x->stake_bytes != y->stake_bytes)
        return x->stake_bytes > y->stake_bytes ? -1 : 1;
    return x->series < y->series ? -1 : x->series > y->series;
}

static int by_series(const void *a, const void *b)
{
    const struct ja_asked *x = a, *y = b;
    return x->series < y->series ? -1 : x->series > y->series;
}

size_t ja_asked_choose(struct ja_asked *list, size_t count, size_t most)
{
    size_t kept = 0, of_host = 0;
    if (count)
        qsort(list, count, sizeof *list, by_host_and_stake);
    for (size_t i = 0; i < count; i++) {
        of_host = i && list[i].host == list[i - 1].host ? of_host + 1 : 0;
        if (of_host < most || list[i].always)
            list[kept++] = list[i];
    }
    if (kept)
        qsort(list, kept, sizeof *list, by_series);
    return kept;
}
