/* SPDX-License-Identifier: MIT
 *
 * How much of the books is one page counted n times? RSS shows a shared page at full size in every
 * process that maps it; PSS shows each process its share, so PSS adds up.
 */
#include "model/rule.h"

/* Sharing of libraries by a few processes is everyday: below this it is no finding. */
#define LEAST_EXCESS_BYTES (4 * JA_MIB)
#define LEAST_EXCESS_PERCENT 10

struct sums {
    int64_t rss, pss, pss_high;
    size_t processes;
    const struct ja_point *largest; /* RSS of the largest row */
};

static const struct ja_point *point_at(const struct ja_case *item, uint32_t process,
                                       enum ja_metric metric, int64_t unix_ns)
{
    const struct ja_series *series = ja_process_series(item, process, metric);
    for (size_t i = 0; series && i < series->point_count; i++)
        if (series->points[i].at->unix_ns == unix_ns)
            return &series->points[i];
    return NULL;
}

/* Both sums over the rows that have both figures. */
static struct sums sum_rows(const struct ja_case *item, const struct ja_state *state)
{
    struct sums sums = {0};
    if (!state->books.known || state->books.metric != JA_METRIC_PSS ||
        !ja_instant_known(&state->at))
        return sums;
    for (size_t i = 0; i < state->row_count; i++) {
        const struct ja_point *rss =
            point_at(item, state->rows[i], JA_METRIC_RESIDENT, state->at.unix_ns);
        const struct ja_point *pss =
            point_at(item, state->rows[i], JA_METRIC_PSS, state->at.unix_ns);
        if (!rss || !pss)
            continue;
        sums.rss = ja_add(sums.rss, rss->value);
        sums.pss = ja_add(sums.pss, pss->value);
        sums.pss_high = ja_add(sums.pss_high, pss->high);
        sums.processes++;
        if (!sums.largest || rss->value > sums.largest->value)
            sums.largest = rss;
    }
    return sums;
}

static bool counts_twice(const struct sums *sums)
{
    int64_t excess = ja_subtract(sums->rss, sums->pss_high);
    return sums->processes > 1 && excess >= LEAST_EXCESS_BYTES &&
           excess >= sums->rss / 100 * LEAST_EXCESS_PERCENT;
}

static void find_shared(struct ja_case *item, const struct ja_state *state, const struct sums *sums,
                        size_t states)
{
    struct ja_finding *f =
        ja_find(item, "shared_counted_twice", JA_CONFIRMED, JA_REMARK, state->host, JA_NONE);
    int64_t excess = ja_subtract(sums->rss, sums->pss);
    f->stake_bytes = excess;
    ja_say(item, f, ja_arena_print(item->arena, "RSS figures of %zu processes", sums->processes),
           JA_VERB_EXCEED, "their PSS by %s when added up (%s against %s) at %s",
           ja_size_text(item, (double)excess, JA_MIB),
           ja_size_text(item, (double)sums->rss, JA_MIB),
           ja_size_text(item, (double)sums->pss, JA_MIB), ja_time_text(item, &state->at));
    ja_because(item, f,
               "pages that several of them map stand in every RSS and once in the sum of PSS; "
               "%zu moment%s show%s it, this one most",
               states, states == 1 ? "" : "s", states == 1 ? "s" : "");
    ja_unless(item, f, "nothing: both sums are of the same processes at the same moment");
    ja_next(item, f,
            "add up PSS (smaps_rollup), never RSS; judge one process by its private pages");
    ja_whole(item, f, "rss_sum_bytes", sums->rss);
    ja_whole(item, f, "pss_sum_bytes", sums->pss);
    ja_whole(item, f, "processes", (int64_t)sums->processes);
    if (sums->largest)
        ja_cite_point(item, f, sums->largest);
}

static void judge_host(struct ja_case *item, uint32_t host)
{
    const struct ja_state *worst = NULL;
    struct sums most = {0};
    size_t states = 0;
    for (size_t i = 0; i < item->state_count; i++) {
        const struct ja_state *state = &item->states[i];
        if (state->host != host)
            continue;
        struct sums sums = sum_rows(item, state);
        if (!counts_twice(&sums))
            continue;
        states++;
        if (worst && ja_subtract(sums.rss, sums.pss) <= ja_subtract(most.rss, most.pss))
            continue;
        worst = state;
        most = sums;
    }
    if (worst)
        find_shared(item, worst, &most, states);
}

static void judge(struct ja_case *item)
{
    for (uint32_t host = 0; host < item->host_count; host++)
        judge_host(item, host);
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
