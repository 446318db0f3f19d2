/* SPDX-License-Identifier: MIT
 *
 * Do the steps double, with nothing given back? Judged on the sizes of the steps, never on levels:
 * an arena that grows by powers of two shows no ceiling, and names its next step.
 */
#include "model/rule.h"

/* The metrics in which a step may be seen; the first that shows one stands for the process. */
static const enum ja_metric seen_in[] = {JA_METRIC_PHYS_FOOTPRINT, JA_METRIC_ANON_SWAP,
                                         JA_METRIC_ANONYMOUS,      JA_METRIC_RESIDENT,
                                         JA_METRIC_UNSTATED,       JA_METRIC_VIRTUAL};

static const struct ja_series *doubling_series(const struct ja_case *item, uint32_t process)
{
    for (size_t i = 0; i < sizeof seen_in / sizeof *seen_in; i++) {
        const struct ja_series *series = ja_process_series(item, process, seen_in[i]);
        if (series && series->growth->doubling)
            return series;
    }
    return NULL;
}

static void find_doubling(struct ja_case *item, uint32_t process, const struct ja_series *series)
{
    struct ja_growth growth = ja_series_growth(series);
    struct ja_finding *f = ja_find(item, "doubling_arena", JA_CONSISTENT, JA_SERIOUS,
                                   item->processes[process].host, process);
    f->metric = (int)series->metric;
    f->stake_bytes = growth.next_step_bytes;
    ja_say(item, f, ja_process_text(item, process), JA_VERB_BE,
           "an arena that doubles: %zu steps, each about twice the one before, nothing given back; "
           "the next step would be about %s",
           growth.step_count,
           ja_size_text(item, (double)growth.next_step_bytes, growth.resolution_bytes));
    ja_because(item, f,
               "the sizes of the steps double within their rounding; a ceiling is not seen");
    ja_unless(item, f, "a step that is not twice the one before, or memory given back");
    ja_next(item, f, "read %s again after the next step, and the allocator's settings",
            ja_metrics[series->metric].name);
    ja_whole(item, f, "steps", (int64_t)growth.step_count);
    ja_whole(item, f, "next_step_bytes", growth.next_step_bytes);
    ja_whole(item, f, "last_step_bytes", growth.last_step_bytes);
    ja_number(item, f, "silent_s", growth.silent_s);
    ja_cite_series(item, f, series);
}

static void judge(struct ja_case *item)
{
    uint32_t judged = JA_NONE; /* the series of one process are neighbours */
    for (size_t i = 0; i < item->series_count; i++) {
        uint32_t p = item->series[i].process;
        if (!item->series[i].growth->doubling || p == judged || !item->processes[p].shown)
            continue;
        judged = p;
        const struct ja_series *series = doubling_series(item, p);
        if (series)
            find_doubling(item, p, series);
    }
}

const struct ja_rule ja_rule_doubling_arena = {
    .question = "do the steps double, with nothing given back?",
    .names = {{"doubling_arena",
               "Three or more separate rises, each 1.8 to 2.2 times the one before, and no fall. "
               "Fits an arena that grows by powers of two; the allocator itself is not recorded, "
               "so it is never more than CONSISTENT WITH. It has no ceiling: no cap is named."}},
    .judge = judge,
};
