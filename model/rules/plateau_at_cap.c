/* SPDX-License-Identifier: MIT
 *
 * Did it stop under a known or stated cap? A plateau first, then the limits that may apply to this
 * process: the reached one is named, the others stand beside it, and the bill says what it costs
 * when every process that the cap applies to fills up.
 */
#include "model/rule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Series that a cap can be seen on, the most telling first. */
static const enum ja_metric metrics[] = {JA_METRIC_PHYS_FOOTPRINT, JA_METRIC_ANON_SWAP,
                                         JA_METRIC_CGROUP_CURRENT, JA_METRIC_ANONYMOUS,
                                         JA_METRIC_RESIDENT};

/* A stated limit before a fit, then the nearest one. */
static const struct ja_cap *reached(const struct ja_series *series)
{
    const struct ja_cap *best = NULL;
    for (size_t i = 0; i < series->cap_count; i++) {
        const struct ja_cap *cap = &series->caps[i];
        if (!cap->reached)
            continue;
        if (!best || (cap->stated && !best->stated) ||
            (cap->stated == best->stated &&
             llabs(cap->distance_bytes) < llabs(best->distance_bytes)))
            best = cap;
    }
    return best;
}

static const char *others(struct ja_case *item, const struct ja_series *series,
                          const struct ja_cap *chosen)
{
    const char *text = "";
    for (size_t i = 0; i < series->cap_count; i++) {
        const struct ja_cap *cap = &series->caps[i];
        if (cap == chosen)
            continue;
        text = ja_arena_print(item->arena, "%s%s%s of %s (%s%s)", text, *text ? ", " : "",
                              ja_name_text(item, cap->name),
                              ja_size_text(item, (double)cap->cap_bytes, 0),
                              ja_size_text(item, fabs((double)cap->distance_bytes), 0),
                              cap->reached              ? " away, reached as well"
                              : cap->distance_bytes < 0 ? " above the level"
                                                        : " below the level");
    }
    return *text ? text : "none";
}

static const char *origin(const struct ja_cap *cap)
{
    if (strcmp(cap->from, "operator") == 0)
        return "stated by the operator";
    if (cap->stated)
        return "printed in the evidence";
    return strcmp(cap->from, "record") == 0 ? "computed from a printed figure"
                                            : "a known default of this kind of program";
}

/* The record states the limit, and the level is the limit to the digit: a heap limit that the
 * process stands somewhat above is a fit like any other. */
static bool proved(const struct ja_series *series, const struct ja_cap *cap)
{
    double slack =
        fmax((double)ja_series_growth(series).resolution_bytes, (double)cap->cap_bytes / 50);
    return cap->stated && fabs((double)cap->distance_bytes) <= slack;
}

static void explain(struct ja_case *item, struct ja_finding *f, const struct ja_series *series,
                    const struct ja_cap *cap)
{
    ja_because(
        item, f,
        "the last readings keep one level after a rise, and the limit lies at or under it by "
        "no more than the process holds besides (%s%s%s); other candidates: %s%s",
        origin(cap), cap->source && !cap->stated ? ": " : "",
        cap->source && !cap->stated ? cap->source : "", others(item, series, cap),
        cap->stated ? ""
                    : "; what limits it was not recorded inside the process, and each "
                      "candidate meets a plateau anywhere in about one of a hundred cases");
    ja_unless(item, f, "a reading clearly above %s, or the program's own figure of its cache",
              ja_size_text(
                  item, (double)cap->cap_bytes + (double)ja_series_growth(series).resolution_bytes,
                  ja_series_growth(series).resolution_bytes));
    ja_next(item, f,
            "read the cache and its limit inside the process; save sysctl hw.memsize and "
            "iogpu.wired_limit_mb (Metal) or the cgroup's memory.max and the command line "
            "(Linux); go on reading it, a limit that holds shows the same level");
}

/* Finest step among the readings of the level. */
static int64_t finest(const struct ja_series *series)
{
    int64_t step = ja_last_point(series).resolution;
    for (size_t i = ja_series_growth(series).plateau_first; i < series->point_count; i++)
        if (ja_point_at(series, i).resolution < step)
            step = ja_point_at(series, i).resolution;
    return step;
}

static void find_capped(struct ja_case *item, const struct ja_series *series,
                        const struct ja_cap *cap)
{
    struct ja_growth growth = ja_series_growth(series);
    const struct ja_host *host = &item->hosts[item->processes[series->process].host];
    int64_t level = ja_add(cap->cap_bytes, cap->distance_bytes);
    double bill = (double)cap->cap_bytes * (double)cap->processes;
    int64_t ram = host->ram_bytes != JA_UNKNOWN ? host->ram_bytes : host->managed_bytes;
    bool too_much = ram != JA_UNKNOWN && bill > (double)ram;
    struct ja_finding *f = ja_find(
        item, "plateau_at_cap", proved(series, cap) ? JA_CONFIRMED : JA_CONSISTENT,
        too_much ? JA_SERIOUS : JA_REMARK, item->processes[series->process].host, series->process);
    f->metric = (int)series->metric;
    f->stake_bytes = bill < (double)INT64_MAX ? (int64_t)bill : INT64_MAX;
    ja_say(item, f,
           ja_arena_print(item->arena, "%s, %s,", ja_process_text(item, series->process),
                          ja_metrics[series->metric].name),
           JA_VERB_STAND, "at a limit: %s, %s %s %s (%s); the bill when %s: %s%s%s%s",
           ja_size_text(item, (double)level, finest(series)),
           ja_size_text(item, fabs((double)cap->distance_bytes), 0),
           cap->distance_bytes < 0 ? "below" : "above", ja_name_text(item, cap->name),
           ja_size_text(item, (double)cap->cap_bytes, 0),
           cap->processes == 1
               ? "it is full"
               : ja_arena_print(item->arena, "all %zu processes under it are full", cap->processes),
           ja_size_text(item, bill, 0), ram == JA_UNKNOWN ? "" : " against ",
           ram == JA_UNKNOWN ? "" : ja_size_text(item, (double)ram, 0),
           ram == JA_UNKNOWN ? "" : " of RAM");
    explain(item, f, series, cap);
    ja_whole(item, f, "level_bytes", level);
    ja_whole(item, f, "cap_bytes", cap->cap_bytes);
    ja_whole(item, f, "distance_bytes", cap->distance_bytes);
    ja_whole(item, f, "processes", (int64_t)cap->processes);
    ja_number(item, f, "bill_bytes", bill);
    ja_whole(item, f, "ram_bytes", host->ram_bytes);
    ja_cite_series(item, f, series);
    if (growth.plateau_first < series->point_count)
        ja_cite_point(item, f, ja_point_at(series, growth.plateau_first));
}

static void judge_process(struct ja_case *item, uint32_t process)
{
    for (size_t m = 0; m < sizeof metrics / sizeof *metrics; m++) {
        const struct ja_series *series = ja_process_series(item, process, metrics[m]);
        const struct ja_cap *cap = series && series->growth->plateau ? reached(series) : NULL;
        if (!cap)
            continue;
        find_capped(item, series, cap);
        return;
    }
}

static void judge(struct ja_case *item)
{
    uint32_t judged = JA_NONE; /* the series of one process are neighbours */
    for (size_t i = 0; i < item->series_count; i++) {
        uint32_t p = item->series[i].process;
        if (!item->series[i].cap_count || p == judged || !item->processes[p].shown)
            continue;
        judged = p;
        judge_process(item, p);
    }
}

const struct ja_rule ja_rule_plateau_at_cap = {
    .question = "did it stop under a known or stated cap?",
    .names =
        {{"plateau_at_cap",
          "Emitted when a series keeps its level at the end (three spaced readings after a "
          "lower one, within a step or 2 %) and a limit that may apply to this process lies "
          "at or under that level by no more than the process holds besides. Limits are those "
          "the operator states, those the evidence prints, and defaults of runtimes that the "
          "evidence names. CONFIRMED only when the record itself states the limit and the level is "
          "that limit within 2 %. The bill is "
          "the limit times all processes it applies to."}},
    .judge = judge,
};
