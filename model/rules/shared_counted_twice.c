/* SPDX-License-Identifier: MIT
 *
 * How much of the books is one page counted n times? RSS shows a shared page at full size in every
 * process that maps it; PSS shows each process its share, so PSS adds up.
 */
#include "model/rule.h"

#include <stdlib.h>

/* Sharing of libraries by a few processes is everyday: below this it is no finding. */
#define LEAST_EXCESS_BYTES (4 * JA_MIB)
#define LEAST_EXCESS_PERCENT 10

/* One process at one moment, with both figures. */
struct pair {
    uint32_t host;
    const struct ja_point *rss, *pss;
};

/* The processes of one machine at one moment, added up. */
struct sums {
    uint32_t host;
    int64_t rss, pss, pss_high;
    size_t processes;
    const struct ja_point *largest; /* RSS of the largest row; its moment is the sums' */
};

static int by_moment(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    if (x->host != y->host)
        return x->host < y->host ? -1 : 1;
    if (x->pss->at->unix_ns != y->pss->at->unix_ns)
        return x->pss->at->unix_ns < y->pss->at->unix_ns ? -1 : 1;
    return x->pss->value < y->pss->value ? 1 : x->pss->value > y->pss->value ? -1 : 0;
}

/* Points of both series of a process that share their moment. */
static size_t pair_process(const struct ja_case *item, uint32_t process, struct pair *pairs)
{
    const struct ja_series *rss = ja_process_series(item, process, JA_METRIC_RESIDENT);
    const struct ja_series *pss = ja_process_series(item, process, JA_METRIC_PSS);
    size_t count = 0;
    for (size_t i = 0, k = 0; rss && pss && i < pss->point_count; i++) {
        while (k < rss->point_count && rss->points[k].at->unix_ns < pss->points[i].at->unix_ns)
            k++;
        if (k < rss->point_count && rss->points[k].at->unix_ns == pss->points[i].at->unix_ns)
            pairs[count++] =
                (struct pair){item->processes[process].host, &rss->points[k], &pss->points[i]};
    }
    return count;
}

static size_t list_pairs(struct ja_case *item, struct pair **ret)
{
    size_t most = 0, count = 0;
    for (size_t i = 0; i < item->series_count; i++)
        if (item->series[i].metric == JA_METRIC_PSS && item->series[i].dated)
            most += item->series[i].point_count;
    struct pair *pairs = ja_arena_alloc(item->arena, most, sizeof *pairs);
    for (uint32_t p = 0; p < item->process_count; p++)
        if (item->processes[p].scope == JA_SCOPE_PROCESS)
            count += pair_process(item, p, pairs + count);
    if (count)
        qsort(pairs, count, sizeof *pairs, by_moment);
    *ret = pairs;
    return count;
}

static struct sums sum_pairs(const struct pair *pairs, size_t count)
{
    struct sums sums = {.host = pairs[0].host, .processes = count};
    for (size_t i = 0; i < count; i++) {
        sums.rss = ja_add(sums.rss, pairs[i].rss->value);
        sums.pss = ja_add(sums.pss, pairs[i].pss->value);
        sums.pss_high = ja_add(sums.pss_high, pairs[i].pss->high);
        if (!sums.largest || pairs[i].rss->value > sums.largest->value)
            sums.largest = pairs[i].rss;
    }
    return sums;
}

static bool counts_twice(const struct sums *sums)
{
    int64_t excess = ja_subtract(sums->rss, sums->pss_high);
    return sums->processes > 1 && excess >= LEAST_EXCESS_BYTES &&
           excess >= sums->rss / 100 * LEAST_EXCESS_PERCENT;
}

static void find_shared(struct ja_case *item, const struct sums *sums, size_t moments)
{
    struct ja_finding *f =
        ja_find(item, "shared_counted_twice", JA_CONFIRMED, JA_REMARK, sums->host, JA_NONE);
    int64_t excess = ja_subtract(sums->rss, sums->pss);
    f->stake_bytes = excess;
    ja_say(item, f, ja_arena_print(item->arena, "RSS figures of %zu processes", sums->processes),
           JA_VERB_EXCEED, "their PSS by %s when added up (%s against %s) at %s",
           ja_size_text(item, (double)excess, JA_MIB),
           ja_size_text(item, (double)sums->rss, JA_MIB),
           ja_size_text(item, (double)sums->pss, JA_MIB), ja_time_text(item, sums->largest->at));
    ja_because(item, f,
               "pages that several of them map stand in every RSS and once in the sum of PSS; "
               "%zu moment%s show%s it, this one most",
               moments, moments == 1 ? "" : "s", moments == 1 ? "s" : "");
    ja_unless(item, f, "nothing: both sums are of the same processes at the same moment");
    ja_next(item, f,
            "add up PSS (smaps_rollup), never RSS; judge one process by its private pages");
    ja_whole(item, f, "rss_sum_bytes", sums->rss);
    ja_whole(item, f, "pss_sum_bytes", sums->pss);
    ja_whole(item, f, "processes", (int64_t)sums->processes);
    ja_cite_point(item, f, sums->largest);
}

/* The moment of each machine with the largest difference. */
static void judge(struct ja_case *item)
{
    struct pair *pairs;
    size_t count = list_pairs(item, &pairs), moments = 0;
    struct sums worst = {.processes = 0};
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && pairs[end].host == pairs[i].host &&
                          pairs[end].pss->at->unix_ns == pairs[i].pss->at->unix_ns;)
            end++;
        struct sums sums = sum_pairs(pairs + i, end - i);
        if (counts_twice(&sums)) {
            moments++;
            if (!worst.processes || sums.rss - sums.pss > worst.rss - worst.pss)
                worst = sums;
        }
        if (worst.processes && (end == count || pairs[end].host != worst.host)) {
            find_shared(item, &worst, moments);
            worst.processes = moments = 0;
        }
    }
}

const struct ja_rule ja_rule_shared_counted_twice = {
    .question = "how much of the books is one page counted n times?",
    .names = {{"shared_counted_twice",
               "Compares the sum of RSS with the sum of PSS of the same processes at one moment. "
               "The difference is pages that more than one of them maps (libraries, shared pools, "
               "pages inherited by fork). One finding a machine: the moment with the largest "
               "difference."}},
    .judge = judge,
};
