/* SPDX-License-Identifier: MIT
 *
 * Is a value called resident larger than RAM? Then it is none: the kernel's footprint under a
 * misleading name (residentMemoryBytes of panics and stackshots), or a tool that adds what is
 * compressed and swapped.
 */
#include "model/case.h"
#include "model/rule.h"
#include "model/rows.h"

#define MOST_FINDINGS 10 /* a host; the largest first */

struct above {
    const struct ja_series *series;
    struct ja_point point;
    int64_t ram;
    bool managed;
};

static bool misnames(enum ja_kind kind)
{
    return kind == JA_KIND_PANIC || kind == JA_KIND_STACKSHOT || kind == JA_KIND_FORCE_RESET;
}

static bool called_resident(const struct ja_case *item, const struct ja_series *series,
                            const struct ja_point *point)
{
    if (series->metric == JA_METRIC_RESIDENT)
        return true;
    if (series->metric != JA_METRIC_PHYS_FOOTPRINT && series->metric != JA_METRIC_UNSTATED)
        return false;
    const struct ja_evidence *evidence = item->sources[point->source].evidence;
    uint32_t subject = ja_reading_subject(evidence, point->reading);
    return misnames(evidence->records[ja_subject_record(evidence, subject)].kind);
}

static int64_t memory_of(const struct ja_case *item, uint32_t host, bool *ret_managed)
{
    *ret_managed = item->hosts[host].ram_bytes == JA_UNKNOWN;
    return *ret_managed ? item->hosts[host].managed_bytes : item->hosts[host].ram_bytes;
}

/* The largest point of the series that is called resident and lies above memory. */
static bool find_above(const struct ja_case *item, const struct ja_series *series,
                       struct above *ret)
{
    const struct ja_process *process = &item->processes[series->process];
    ret->ram = memory_of(item, process->host, &ret->managed);
    ret->series = series;
    bool found = false;
    if (ret->ram == JA_UNKNOWN || series->category || process->scope != JA_SCOPE_PROCESS)
        return false;
    for (size_t i = 0; i < series->point_count; i++) {
        struct ja_point point = ja_point_at(series, i);
        if (point.low > ret->ram && called_resident(item, series, &point) &&
            (!found || point.value > ret->point.value)) {
            ret->point = point;
            found = true;
        }
    }
    return found;
}

static void find(struct ja_case *item, const struct above *above)
{
    const struct ja_process *process = &item->processes[above->series->process];
    const struct ja_point *point = &above->point;
    struct ja_finding *f = ja_find(item, "value_above_ram", JA_CONTRADICTED, JA_SERIOUS,
                                   process->host, above->series->process);
    f->metric = (int)above->series->metric;
    f->stake_bytes = point->value;
    ja_say(item, f,
           ja_arena_print(item->arena, "%s of %s, called resident,",
                          ja_size_text(item, (double)point->value, point->resolution),
                          ja_process_text(item, above->series->process)),
           JA_VERB_BE, "resident memory: the machine %s %s", above->managed ? "manages" : "has",
           ja_size_text(item, (double)above->ram, 0));
    ja_because(item, f,
               "no process can have more in RAM than there is; the figure is a footprint, "
               "which counts compressed and swapped pages at full size");
    ja_unless(item, f, "proof that the machine has more RAM than %s",
              ja_size_text(item, (double)above->ram, 0));
    ja_next(item, f, "run footprint on the process, and sysctl hw.memsize");
    ja_whole(item, f, "value_bytes", point->value);
    ja_whole(item, f, "ram_bytes", above->managed ? JA_UNKNOWN : above->ram);
    ja_whole(item, f, "managed_bytes", above->managed ? above->ram : JA_UNKNOWN);
    ja_cite_point(item, f, above->point);
}

/* How many other processes of the host lie further above. */
static size_t larger(const struct ja_case *item, const struct above *above)
{
    size_t count = 0;
    uint32_t end, first = ja_host_series(item, item->processes[above->series->process].host, &end);
    for (uint32_t i = first; i < end && count <= MOST_FINDINGS; i++) {
        struct above other;
        if (&item->series[i] != above->series && find_above(item, &item->series[i], &other))
            count += other.point.value > above->point.value;
    }
    return count;
}

/* Is any file of a kind that calls footprints resident? Else only resident sizes are looked at. */
static bool any_misnamed(const struct ja_case *item)
{
    for (size_t i = 0; i < item->source_count; i++) {
        const struct ja_evidence *evidence = item->sources[i].evidence;
        for (size_t r = 0; r < evidence->record_count; r++)
            if (misnames(evidence->records[r].kind))
                return true;
    }
    return false;
}

static void judge(struct ja_case *item)
{
    bool misnamed = any_misnamed(item);
    for (size_t i = 0; i < item->series_count; i++) {
        struct above above;
        if ((misnamed || item->series[i].metric == JA_METRIC_RESIDENT) &&
            item->processes[item->series[i].process].shown &&
            find_above(item, &item->series[i], &above) && larger(item, &above) < MOST_FINDINGS)
            find(item, &above);
    }
}

const struct ja_rule ja_rule_value_above_ram = {
    .question = "is a value called resident larger than RAM?",
    .names = {{"value_above_ram",
               "A resident size above the machine's RAM (or, when RAM is not known, above what its "
               "kernel manages) is impossible, so the figure counts something else. Since macOS "
               "10.14 and iOS 12 residentMemoryBytes of panics and stackshots is a footprint."}},
    .judge = judge,
};
