/* SPDX-License-Identifier: MIT
 *
 * Finding series: of a process, of a host, the largest.
 */
#include "model/build.h"

const struct ja_series *ja_process_series(const struct ja_case *item, uint32_t process,
                                          enum ja_metric metric)
{
    const struct ja_process *p = &item->processes[process];
    for (uint32_t i = p->first_series; i < p->first_series + p->series_count; i++) {
        const struct ja_series *s = &item->series[i];
        if (s->metric == metric && !s->category && s->dated)
            return s;
    }
    return NULL;
}

uint32_t ja_host_series(const struct ja_case *item, uint32_t host, uint32_t *ret_end)
{
    const struct ja_host *h = &item->hosts[host];
    *ret_end = 0;
    if (!h->process_count)
        return 0;
    const struct ja_process *first = &item->processes[h->first_process];
    const struct ja_process *last = first + h->process_count - 1;
    *ret_end = last->first_series + last->series_count;
    return first->first_series;
}

/* Keeps the largest values seen in falling order; the last one is the smallest of them. */
static void take_larger(int64_t *largest, int64_t value)
{
    size_t at = JA_LARGEST_ASKED - 1;
    if (value <= largest[at])
        return;
    for (; at > 0 && largest[at - 1] < value; at--)
        largest[at] = largest[at - 1];
    largest[at] = value;
}

static size_t place_of(const struct ja_case *item, const struct ja_series *series)
{
    return item->processes[series->process].host * (size_t)JA_METRIC_COUNT + series->metric;
}

static int64_t last_level(const struct ja_series *series)
{
    return ja_last_point(series).value;
}

void ja_build_largest(struct ja_build *build)
{
    struct ja_case *item = build->item;
    size_t places = item->host_count * JA_METRIC_COUNT;
    item->largest = ja_arena_alloc(item->arena, places, sizeof *item->largest);
    for (size_t i = 0; i < places; i++)
        for (size_t k = 0; k < JA_LARGEST_ASKED; k++)
            item->largest[i][k] = INT64_MIN;
    for (size_t i = 0; i < item->series_count; i++) {
        const struct ja_series *series = &item->series[i];
        item->told[series->metric] = true;
        if (series->dated && !series->category)
            take_larger(item->largest[place_of(item, series)], last_level(series));
    }
}

bool ja_series_among_largest(const struct ja_case *item, const struct ja_series *series,
                             size_t most)
{
    return last_level(series) >= item->largest[place_of(item, series)][most - 1];
}
