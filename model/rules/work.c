/* SPDX-License-Identifier: MIT
 *
 * Was there any work while it was watched? And does memory follow work rather than time?
 */
#include "model/rule.h"

#include <math.h>
#include <string.h>

#define LARGEST_ASKED 5 /* series of a host without a counter that a reader would ask about */

static const char *unit_of(const struct ja_case *item, const struct ja_series *series)
{
    const struct ja_process *process = &item->processes[series->process];
    return process->work_count ? ja_work_unit(item, process) : "work";
}

static void cite_work(struct ja_case *item, struct ja_finding *f, const struct ja_series *series)
{
    const struct ja_process *process = &item->processes[series->process];
    struct ja_work_sample first = {.place = JA_NONE};
    if (process->work_count)
        first = ja_work_sample(item, process, 0);
    if (first.place != JA_NONE)
        ja_cite(item, f,
                ja_cite_place(item, first.source, first.place, ja_work_unit(item, process),
                              JA_UNIT_NUMBER));
    ja_cite_series(item, f, series);
}

static void find_no_work(struct ja_case *item, const struct ja_series *series)
{
    struct ja_growth g = ja_series_growth(series);
    bool counted = g.work_known;
    struct ja_finding *f = ja_find(item, "no_work_in_window", JA_CANNOT, JA_REMARK,
                                   item->processes[series->process].host, series->process);
    f->metric = (int)series->metric;
    f->stake_bytes = ja_last_point(series).value;
    const char *name = ja_process_text(item, series->process);
    if (counted)
        ja_say(item, f, name, JA_VERB_GROW, "per unit of work: %.0f %s counted in %s of watching",
               fmax(0, g.work), unit_of(item, series), ja_span_text(item, g.window_s));
    else
        ja_say(item, f, name, JA_VERB_GROW,
               "with its work: nothing in the evidence shows that it worked in these %s",
               ja_span_text(item, g.window_s));
    ja_because(item, f, "a service that allocates per request is level without requests");
    ja_unless(item, f, "a counter of its work over the same window");
    ja_next(item, f, "save a request or job counter with every reading");
    ja_number(item, f, "work", counted ? g.work : NAN);
    ja_number(item, f, "window_s", g.window_s);
    cite_work(item, f, series);
}

static void find_load_driven(struct ja_case *item, const struct ja_series *series)
{
    struct ja_growth g = ja_series_growth(series);
    struct ja_finding *f = ja_find(item, "load_driven", JA_CONSISTENT, JA_REMARK,
                                   item->processes[series->process].host, series->process);
    f->metric = (int)series->metric;
    f->stake_bytes = g.net_low_bytes;
    ja_say(item, f, ja_process_text(item, series->process), JA_VERB_BE,
           "driven by its load: %s rises by %s to %s for each of %.0f %s",
           ja_metrics[series->metric].name, ja_size_text(item, g.work_slope_low_bytes, 0),
           ja_size_text(item, g.work_slope_high_bytes, 0), g.work, unit_of(item, series));
    ja_because(item, f, "a line over the work counter has a slope above zero in these readings");
    ja_unless(item, f, "growth in a stretch without work");
    ja_next(item, f, "watch it through a stretch without load, and through twice the load");
    ja_number(item, f, "bytes_per_work_low", g.work_slope_low_bytes);
    ja_number(item, f, "bytes_per_work_high", g.work_slope_high_bytes);
    ja_number(item, f, "work", g.work);
    ja_number(item, f, "window_s", g.window_s);
    cite_work(item, f, series);
}

/* CPU seconds grow with any growth: they say that it worked, not what drives it. */
static bool real_work(const struct ja_case *item, const struct ja_series *series)
{
    return strcmp(unit_of(item, series), "cpu_s") != 0;
}

static bool level_without_work(const struct ja_case *item, const struct ja_series *series)
{
    const struct ja_growth_kept *g = series->growth;
    if (g->verdict != JA_CANNOT_TELL || g->gained)
        return false;
    bool idle = g->reason == JA_REASON_NO_WORK || g->reason == JA_REASON_LITTLE_WORK ||
                (g->reason == JA_REASON_WORK_UNKNOWN &&
                 ja_series_among_largest(item, series, LARGEST_ASKED));
    return idle && ja_series_growth(series).points >= 3;
}

static bool rises_with_work(const struct ja_case *item, const struct ja_series *series)
{
    if (!series->growth->work_known || !series->growth->gained || !real_work(item, series))
        return false;
    struct ja_growth g = ja_series_growth(series);
    return g.work > 0 && g.work_slope_low_bytes > 0;
}

static void judge(struct ja_case *item)
{
    for (size_t i = 0; i < item->series_count; i++) {
        const struct ja_series *series = &item->series[i];
        if (!series->dated || series->category ||
            ja_metrics[series->metric].counts & JA_NO_GROWTH_FINDING)
            continue;
        bool idle = level_without_work(item, series), driven = rises_with_work(item, series);
        if ((!idle && !driven) || !item->processes[series->process].shown)
            continue;
        if (idle)
            find_no_work(item, series);
        if (driven)
            find_load_driven(item, series);
    }
}

const struct ja_rule ja_rule_work = {
    .question = "was there any work, and does memory follow it?",
    .names = {{"no_work_in_window",
               "A window without work says nothing of a leak per request. Emitted when the counter "
               "stood still, or when nothing shows that one of the largest processes worked."},
              {"load_driven",
               "Memory rises with a counter of work. Fits memory kept per request; which request "
               "kept what is not recorded. CPU seconds are not taken for it: they rise with "
               "anything."}},
    .judge = judge,
};
