/* SPDX-License-Identifier: MIT
 *
 * Limits that may apply to a process: those the operator states and those the evidence prints.
 */
#include "model/build.h"

#include <stdlib.h>

/* Metrics whose level a limit of memory can be compared with. */
static bool can_reach(enum ja_metric metric)
{
    return metric == JA_METRIC_PHYS_FOOTPRINT || metric == JA_METRIC_RESIDENT ||
           metric == JA_METRIC_ANON_SWAP || metric == JA_METRIC_CGROUP_CURRENT;
}

#define SMALLEST_BASELINE (512 * JA_MIB)

/* caps.md: reached iff cap <= level + half a step and level - cap <= baseline + half a step. */
static void measure(const struct ja_series *series, struct ja_cap *cap)
{
    const struct ja_point *last = &series->points[series->point_count - 1];
    int64_t half = last->resolution / 2, baseline = last->value;
    for (size_t i = 0; i < series->point_count; i++)
        if (series->points[i].value < baseline)
            baseline = series->points[i].value;
    if (baseline > SMALLEST_BASELINE || series->point_count < 2)
        baseline = SMALLEST_BASELINE;
    cap->distance_bytes = ja_subtract(last->value, cap->cap_bytes);
    cap->reached = cap->cap_bytes <= last->value + half && cap->distance_bytes <= baseline + half;
}

static void join_stated(struct ja_case *item, struct ja_series *series)
{
    const struct ja_statements *said = item->statements;
    const struct ja_process *process = &item->processes[series->process];
    size_t count = 0;
    for (size_t i = 0; i < said->cap_count; i++)
        count +=
            ja_selector_picks(&said->caps[i].who, process->name, process->pid, process->coalition);
    if (!count || !series->point_count)
        return;
    series->caps = ja_arena_alloc(item->arena, count, sizeof *series->caps);
    for (size_t i = 0; i < said->cap_count; i++) {
        const struct ja_stated_cap *stated = &said->caps[i];
        if (!ja_selector_picks(&stated->who, process->name, process->pid, process->coalition))
            continue;
        struct ja_cap *cap = &series->caps[series->cap_count++];
        *cap = (struct ja_cap){.name = stated->name,
                               .source = stated->source,
                               .from = "operator",
                               .cap_bytes = stated->bytes};
        measure(series, cap);
    }
}

void ja_build_caps(struct ja_build *build)
{
    struct ja_case *item = build->item;
    for (size_t i = 0; i < item->series_count; i++)
        if (can_reach(item->series[i].metric) && !item->series[i].category)
            join_stated(item, &item->series[i]);
}
