/* SPDX-License-Identifier: MIT
 *
 * Could the watch have seen the slope that matters? The one division: resolution / slope = the
 * time one has to watch.
 */
#include "model/rule.h"

#include <math.h>

#define WEEK_HOURS (7.0 * 24.0)
#define LARGEST_ASKED 10 /* processes of a host that a reader would ask about */

/* Nobody says which slope matters: then one that doubles the process within a week does. */
static bool too_coarse(const struct ja_series *series)
{
    double level = (double)ja_last_point(series).value;
    return ja_series_growth(series).detectable_bytes_per_hour * WEEK_HOURS > level;
}

static bool too_short(const struct ja_series *series)
{
    struct ja_growth growth = ja_series_growth(series);
    if (growth.verdict != JA_CANNOT_TELL || growth.points < 2 || !(growth.window_s > 0) ||
        growth.net_low_bytes > 0 || growth.net_high_bytes < 0)
        return false;
    if (!isfinite(growth.minimum_window_s))
        return too_coarse(series);
    return growth.minimum_window_s > growth.window_s;
}

/* What one reading leaves open: its digit, and what the kernel's counters may be off by. */
static const char *step_text(struct ja_case *item, const struct ja_series *series)
{
    struct ja_point last = ja_last_point(series);
    int64_t step = ja_series_growth(series).resolution_bytes;
    int64_t open = ja_subtract(last.high, last.low);
    if (open <= 2 * step)
        return ja_size_text(item, (double)step, 0);
    return ja_arena_print(item->arena, "%s (its digit, but the kernel's counter may be off by %s)",
                          ja_size_text(item, (double)step, 0),
                          ja_size_text(item, (double)open / 2, 0));
}

static void explain(struct ja_case *item, struct ja_finding *f, const struct ja_series *series)
{
    struct ja_growth growth = ja_series_growth(series);
    const char *step = step_text(item, series);
    if (!isfinite(growth.minimum_window_s)) {
        ja_because(item, f,
                   "step / window = %s / %s; which slope matters is not known (no RAM, cap or "
                   "slope is stated)",
                   step, ja_span_text(item, growth.window_s));
        ja_unless(item, f, "readings over a longer time, or with a finer step");
        ja_next(item, f,
                "state RAM, a cap or the slope that matters, and read it again every hour, or with "
                "a finer unit");
        return;
    }
    const char *needed = ja_span_text(item, growth.minimum_window_s);
    ja_because(item, f, "step / slope that matters = %s / %s = %s of watching needed", step,
               ja_rate_text(item, growth.concern_bytes_per_hour), needed);
    ja_unless(item, f, "readings over at least %s, or with a finer step", needed);
    ja_next(item, f, "read it again after %s, or with a finer unit", needed);
}

static void find_too_short(struct ja_case *item, const struct ja_series *series)
{
    struct ja_growth growth = ja_series_growth(series);
    struct ja_finding *f = ja_find(item, "window_too_short", JA_CANNOT, JA_REMARK,
                                   item->processes[series->process].host, series->process);
    f->metric = (int)series->metric;
    f->stake_bytes = ja_last_point(series).value;
    ja_say(item, f, ja_process_text(item, series->process), JA_VERB_GROW,
           "in %s: it was watched for %s with a step of %s, and growth up to %s fits the "
           "same readings",
           ja_metrics[series->metric].name, ja_span_text(item, growth.window_s),
           step_text(item, series), ja_rate_text(item, growth.detectable_bytes_per_hour));
    explain(item, f, series);
    ja_number(item, f, "window_s", growth.window_s);
    ja_number(item, f, "minimum_window_s", growth.minimum_window_s);
    ja_whole(item, f, "resolution_bytes", growth.resolution_bytes);
    ja_number(item, f, "detectable_bytes_per_hour", growth.detectable_bytes_per_hour);
    ja_cite_series(item, f, series);
}

static void judge(struct ja_case *item)
{
    for (size_t i = 0; i < item->series_count; i++) {
        const struct ja_series *series = &item->series[i];
        if (series->dated && !series->category &&
            !(ja_metrics[series->metric].counts & JA_NO_GROWTH_FINDING) &&
            item->processes[series->process].shown &&
            ja_series_among_largest(item, series, LARGEST_ASKED) && too_short(series))
            find_too_short(item, series);
    }
}

const struct ja_rule ja_rule_window_too_short = {
    .question = "could the watch have seen the slope that matters?",
    .names = {{"window_too_short",
               "Equal digits prove nothing before the window exceeds resolution / slope. The rule "
               "compares the window with that quotient and names the growth that would have shown "
               "the same digits."}},
    .judge = judge,
};
