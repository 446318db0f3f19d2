/* SPDX-License-Identifier: MIT
 *
 * Could the watch have seen the slope that matters? The one division: resolution / slope = the
 * time one has to watch.
 */
#include "model/rule.h"

#include <math.h>

#define LARGEST_ASKED 10 /* processes of a host that a reader would ask about */

static bool asked_about(const struct ja_case *item, const struct ja_series *series)
{
    uint32_t host = item->processes[series->process].host;
    int64_t level = series->points[series->point_count - 1].value;
    size_t larger = 0;
    for (size_t i = 0; i < item->series_count && larger < LARGEST_ASKED; i++) {
        const struct ja_series *other = &item->series[i];
        if (other->metric == series->metric && !other->category && other->dated &&
            item->processes[other->process].host == host)
            larger += other->points[other->point_count - 1].value > level;
    }
    return larger < LARGEST_ASKED;
}

static bool too_short(const struct ja_growth *growth)
{
    return growth->verdict == JA_CANNOT_TELL && growth->points >= 2 && growth->window_s > 0 &&
           isfinite(growth->minimum_window_s) && growth->minimum_window_s > growth->window_s &&
           growth->net_low_bytes <= 0 && growth->net_high_bytes >= 0;
}

static void find_too_short(struct ja_case *item, const struct ja_series *series)
{
    const struct ja_growth *growth = &series->growth;
    struct ja_finding *f = ja_find(item, "window_too_short", JA_CANNOT, JA_REMARK,
                                   item->processes[series->process].host, series->process);
    f->metric = (int)series->metric;
    f->stake_bytes = series->points[series->point_count - 1].value;
    ja_say(item, f, ja_process_text(item, series->process), JA_VERB_GROW,
           "in %s: it was watched for %s with a step of %s, and growth up to %s would have shown "
           "the same digits",
           ja_metrics[series->metric].name, ja_span_text(item, growth->window_s),
           ja_size_text(item, (double)growth->resolution_bytes, 0),
           ja_rate_text(item, growth->detectable_bytes_per_hour));
    ja_because(item, f, "step / slope that matters = %s / %s = %s of watching needed",
               ja_size_text(item, (double)growth->resolution_bytes, 0),
               ja_rate_text(item, growth->concern_bytes_per_hour),
               ja_span_text(item, growth->minimum_window_s));
    ja_unless(item, f, "readings over at least %s, or with a finer step",
              ja_span_text(item, growth->minimum_window_s));
    ja_next(item, f, "read it again after %s, or with a finer unit",
            ja_span_text(item, growth->minimum_window_s));
    ja_number(item, f, "window_s", growth->window_s);
    ja_number(item, f, "minimum_window_s", growth->minimum_window_s);
    ja_whole(item, f, "resolution_bytes", growth->resolution_bytes);
    ja_number(item, f, "detectable_bytes_per_hour", growth->detectable_bytes_per_hour);
    ja_cite_series(item, f, series);
}

static void judge(struct ja_case *item)
{
    for (size_t i = 0; i < item->series_count; i++) {
        const struct ja_series *series = &item->series[i];
        if (series->dated && !series->category && item->processes[series->process].shown &&
            !(ja_metrics[series->metric].counts & JA_NO_GROWTH_FINDING) &&
            too_short(&series->growth) && asked_about(item, series))
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
