/* SPDX-License-Identifier: MIT
 *
 * What shape is it, and is the floor rising? Shapes that a reader misreads as a leak, or as none.
 */
#include "model/rule.h"

#include <math.h>

#define LEVEL_PER_BURST 100 /* a burst below a hundredth of the level is breathing, no shape */
#define TEETH_PER_FLOOR 10  /* a floor that rises by less of a tooth may be the sampling */

static bool speaks(const struct ja_series *series)
{
    return series->dated && !series->category &&
           !(ja_metrics[series->metric].counts & JA_NO_GROWTH_FINDING);
}

static int64_t spread_of(const struct ja_series *series)
{
    int64_t low = ja_first_point(series).value, high = low;
    for (size_t i = 1; i < series->point_count; i++) {
        int64_t value = ja_point_at(series, i).value;
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    return ja_subtract(high, low);
}

static bool breathes(const struct ja_series *series)
{
    return series->growth->shape == JA_SHAPE_BURST &&
           spread_of(series) < ja_last_point(series).value / LEVEL_PER_BURST;
}

static struct ja_finding *find(struct ja_case *item, const char *rule, enum ja_grade grade,
                               const struct ja_series *series)
{
    struct ja_finding *f = ja_find(item, rule, grade, JA_REMARK,
                                   item->processes[series->process].host, series->process);
    f->metric = (int)series->metric;
    f->stake_bytes = ja_last_point(series).value;
    ja_cite_series(item, f, series);
    return f;
}

static const char *subject_of(struct ja_case *item, const struct ja_series *series)
{
    return ja_arena_print(item->arena, "%s, %s,", ja_process_text(item, series->process),
                          ja_metrics[series->metric].name);
}

static void find_staircase(struct ja_case *item, const struct ja_series *series)
{
    struct ja_growth g = ja_series_growth(series);
    struct ja_finding *f = find(item, "staircase", JA_CONFIRMED, series);
    ja_say(item, f, subject_of(item, series), JA_VERB_GROW,
           "in %zu separate steps, none given back, the last of %s; silent for %s since",
           g.step_count, ja_size_text(item, (double)g.last_step_bytes, g.resolution_bytes),
           ja_span_text(item, g.silent_s));
    ja_because(item, f, "such a silence is expected in %.0f %% of cases if the steps go on",
               g.silence_expected * 100);
    ja_unless(item, f, "a fall, or a silence that steps at this pace would hardly show");
    ja_next(item, f, "watch for %s more", ja_span_text(item, g.window_s));
    ja_whole(item, f, "steps", (int64_t)g.step_count);
    ja_whole(item, f, "last_step_bytes", g.last_step_bytes);
    ja_number(item, f, "silent_s", g.silent_s);
}

static void find_sawtooth(struct ja_case *item, const struct ja_series *series)
{
    struct ja_growth g = ja_series_growth(series);
    bool known = g.floor_low_bytes != JA_UNKNOWN && g.floor_high_bytes != JA_UNKNOWN;
    /* Floors of sampled teeth drift by themselves, as far as a reading misses the true floor: a
     * rise that is small beside the teeth is none, and none is more than consistent. */
    bool rises =
        known && g.floor_low_bytes > 0 &&
        (g.max_step_bytes == JA_UNKNOWN || g.floor_low_bytes >= g.max_step_bytes / TEETH_PER_FLOOR);
    enum ja_grade grade = rises ? JA_CONSISTENT : JA_CANNOT;
    struct ja_finding *f = find(item, "sawtooth_floor", grade, series);
    if (known)
        ja_say(item, f, subject_of(item, series), JA_VERB_BE,
               "a sawtooth whose floor rises (change of the floor %s to %s in %s)",
               ja_size_text(item, (double)g.floor_low_bytes, g.resolution_bytes),
               ja_size_text(item, (double)g.floor_high_bytes, g.resolution_bytes),
               ja_span_text(item, g.window_s));
    else
        ja_say(item, f, subject_of(item, series), JA_VERB_BE,
               "a sawtooth whose floor rises: too few teeth were seen");
    ja_because(item, f, "memory rises and is given back again and again in this window");
    ja_unless(item, f, "readings right after a collection, over several teeth");
    ja_next(item, f, "read it at a spacing that is no divisor of a tooth, over %s",
            ja_span_text(item, g.window_s * 2));
    ja_whole(item, f, "floor_low_bytes", g.floor_low_bytes);
    ja_whole(item, f, "floor_high_bytes", g.floor_high_bytes);
}

static void find_warm_up(struct ja_case *item, const struct ja_series *series)
{
    struct ja_growth g = ja_series_growth(series);
    struct ja_finding *f = find(item, "warm_up", JA_CONSISTENT, series);
    ja_say(item, f, subject_of(item, series), JA_VERB_BE,
           "a warm-up: its rises shrink towards a level");
    ja_because(item, f, "later rises are smaller than earlier ones in this window");
    ja_unless(item, f, "a rise as large as the first ones");
    ja_next(item, f, "watch for %s more", ja_span_text(item, g.window_s));
    ja_number(item, f, "window_s", g.window_s);
}

static void find_burst(struct ja_case *item, const struct ja_series *series)
{
    struct ja_growth g = ja_series_growth(series);
    struct ja_finding *f = find(item, "burst", JA_CONFIRMED, series);
    ja_say(item, f, subject_of(item, series), JA_VERB_GROW,
           "in bursts that were given back; most readings lie near the smallest");
    ja_because(item, f, "from the smallest to the largest reading it is %s",
               ja_size_text(item, (double)spread_of(series), g.resolution_bytes));
    ja_unless(item, f, "a floor that stays up after a burst");
    ja_next(item, f, "read it with a spacing below the length of a burst");
    ja_whole(item, f, "max_step_bytes", g.max_step_bytes);
}

static bool is_staircase(const struct ja_series *series)
{
    const struct ja_growth_kept *growth = series->growth;
    return growth->shape == JA_SHAPE_STAIRCASE && !growth->doubling &&
           ja_series_growth(series).step_count >= 3;
}

static bool has_story(const struct ja_series *series)
{
    const struct ja_growth_kept *growth = series->growth;
    return is_staircase(series) || growth->shape == JA_SHAPE_SAWTOOTH ||
           growth->shape == JA_SHAPE_BURST || growth->warm_up;
}

static void tell(struct ja_case *item, const struct ja_series *series)
{
    const struct ja_growth_kept *growth = series->growth;
    if (is_staircase(series))
        find_staircase(item, series);
    else if (growth->shape == JA_SHAPE_SAWTOOTH)
        find_sawtooth(item, series);
    else if (growth->shape == JA_SHAPE_BURST)
        find_burst(item, series);
    if (growth->warm_up)
        find_warm_up(item, series);
}

static void judge(struct ja_case *item)
{
    struct ja_asked *list = NULL;
    size_t count = 0, capacity = 0;
    for (uint32_t i = 0; i < item->series_count; i++) {
        const struct ja_series *series = &item->series[i];
        if (speaks(series) && has_story(series) && item->processes[series->process].shown &&
            !breathes(series))
            *JA_APPEND(item->arena, list, count, capacity) = (struct ja_asked){
                .host = item->processes[series->process].host,
                .series = i,
                .stake_bytes = ja_last_point(series).value,
                .always = series->growth->verdict == JA_GROWING,
            };
    }
    count = ja_asked_choose(list, count, JA_ASKED_SMALL);
    for (size_t i = 0; i < count; i++)
        tell(item, &item->series[list[i].series]);
}

const struct ja_rule ja_rule_shapes = {
    .question = "what shape is it, and is the floor rising?",
    .names = {{"staircase",
               "Three or more separate rises without a fall. A step process is silent between its "
               "steps: the sentence says how likely the present silence is if it goes on."},
              {"sawtooth_floor",
               "Memory that is taken and given back. Only the floor tells of a leak, and floors of "
               "evenly sampled teeth drift by themselves: at most CONSISTENT WITH."},
              {"warm_up", "Rises that shrink towards a level after a start."},
              {"burst", "Short rises that are given back; most readings lie near the smallest."}},
    .judge = judge,
};
