/* SPDX-License-Identifier: MIT
 *
 * Did one incarnation grow for sure, in one metric? And where growth is excluded, above what?
 */
#include "model/rule.h"
#include "model/rows.h"

#include <math.h>
#include <string.h>

#define WEEK_HOURS 168.0
#define YEAR_WEEKS 52.0
#define WEEK_NS (7 * 24 * JA_NS_PER_HOUR)
#define ONE_MOMENT_NS (60 * JA_NS_PER_S)

static bool speaks_of_growth(const struct ja_series *series)
{
    return series->dated && !(ja_metrics[series->metric].counts & JA_NO_GROWTH_FINDING);
}

static const char *shape_words(const struct ja_growth *growth)
{
    bool goes_on = growth->verdict == JA_GROWING;
    switch (growth->shape) {
    case JA_SHAPE_LINEAR:
        return "steadily";
    case JA_SHAPE_PLATEAU:
        return goes_on ? "more slowly towards the end" : "and has stopped";
    case JA_SHAPE_STEP:
        return goes_on ? "most of it in one step" : "in one step";
    case JA_SHAPE_STAIRCASE:
        return "in steps";
    case JA_SHAPE_DOUBLING:
        return "in steps that double";
    case JA_SHAPE_SAWTOOTH:
        return "in a sawtooth";
    case JA_SHAPE_BURST:
        return "in bursts";
    default:
        return "in a shape that the readings do not settle";
    }
}

static const char *subject_text(struct ja_case *item, const struct ja_series *series)
{
    const char *name = ja_process_text(item, series->process);
    if (series->category)
        return ja_arena_print(item->arena, "%s, %s,", name, series->category);
    return ja_arena_print(item->arena, "%s, %s,", name, ja_metrics[series->metric].name);
}

/* Resident memory (of a group: its usage) that grows while anonymous memory does not, and file
 * pages do, is file cache: no alarm. */
static bool file_pages_explain(const struct ja_case *item, const struct ja_series *series,
                               const struct ja_growth *growth)
{
    if (series->metric != JA_METRIC_RESIDENT && series->metric != JA_METRIC_CGROUP_CURRENT)
        return false;
    const struct ja_series *anonymous =
        ja_process_series(item, series->process, JA_METRIC_ANONYMOUS);
    if (!anonymous || anonymous->point_count < 2)
        return false;
    int64_t rise = growth->net_low_bytes;
    return ja_series_growth(anonymous).net_high_bytes < rise / 4 &&
           ja_file_rise(item, series->process) >= rise / 2;
}

/* A slope that nobody need act on: below what the operator says matters, else one that takes more
 * than a year to fill the room that is left under RAM or a cap. NaN: no room is known. */
static double slow_slope(const struct ja_case *item, const struct ja_series *series, double concern)
{
    const struct ja_host *host = &item->hosts[item->processes[series->process].host];
    struct ja_point last = ja_last_point(series);
    if (isfinite(concern))
        return concern / (series->concern == JA_CONCERN_LIMIT ? YEAR_WEEKS : 1); /* else stated */
    if (host->managed_bytes == JA_UNKNOWN || host->managed_bytes <= last.value)
        return NAN;
    return (double)(host->managed_bytes - last.value) / (YEAR_WEEKS * WEEK_HOURS);
}

/* A rise that is proved but small. While it goes on, only its pace can make it so; where nothing
 * shows that it does, also a mean pace below the slope that matters, or a few percent of the level.
 */
static bool is_minor(const struct ja_case *item, const struct ja_series *series,
                     const struct ja_growth *growth)
{
    struct ja_point last = ja_last_point(series);
    double mean = (double)growth->net_high_bytes / fmax(1, growth->window_s) * 3600;
    double pace = isfinite(growth->high_bytes_per_hour) ? growth->high_bytes_per_hour : mean;
    if (fmax(pace, mean) < slow_slope(item, series, growth->concern_bytes_per_hour))
        return true;
    return growth->verdict != JA_GROWING &&
           (mean < growth->concern_bytes_per_hour || growth->net_high_bytes < last.value / 20);
}

static enum ja_severity severity_of(const struct ja_case *item, const struct ja_series *series,
                                    const struct ja_growth *growth)
{
    if (file_pages_explain(item, series, growth) || is_minor(item, series, growth))
        return JA_REMARK;
    struct ja_point last = ja_last_point(series);
    if (growth->verdict == JA_GROWING && growth->forecast &&
        growth->forecast_early_ns != JA_UNKNOWN &&
        growth->forecast_early_ns - last.at->unix_ns < WEEK_NS)
        return JA_CRITICAL;
    return JA_SERIOUS;
}

static void number_growth(struct ja_case *item, struct ja_finding *finding,
                          const struct ja_growth *growth)
{
    ja_whole(item, finding, "net_low_bytes", growth->net_low_bytes);
    ja_whole(item, finding, "net_high_bytes", growth->net_high_bytes);
    ja_number(item, finding, "low_bytes_per_hour", growth->low_bytes_per_hour);
    ja_number(item, finding, "high_bytes_per_hour", growth->high_bytes_per_hour);
    ja_number(item, finding, "window_s", growth->window_s);
    ja_whole(item, finding, "resolution_bytes", growth->resolution_bytes);
}

static enum ja_kind kind_of(const struct ja_case *item, const struct ja_point *point)
{
    const struct ja_evidence *evidence = item->sources[point->source].evidence;
    return evidence->records[ja_reading_record(evidence, point->reading)].kind;
}

/* A disagreement of two tools within a minute is no gain. */
static bool ends_disagree(const struct ja_case *item, const struct ja_series *series)
{
    struct ja_point first = ja_first_point(series);
    struct ja_point last = ja_last_point(series);
    return last.at->unix_ns - first.at->unix_ns < ONE_MOMENT_NS && first.source != last.source &&
           kind_of(item, &first) != kind_of(item, &last);
}

static bool stands_in(const struct ja_case *item, const struct ja_point *point)
{
    return ja_reading_at(item->sources[point->source].evidence, point->reading).approximate;
}

/* The ends must count the same thing: a figure that stands in for another (a header's sum for the
 * kernel's ledger) differs from it by nature, and two tools draw the lines between categories
 * differently (vmmap takes empty regions out of MALLOC_LARGE, footprint does not). */
static bool ends_compare(const struct ja_case *item, const struct ja_series *series)
{
    struct ja_point first = ja_first_point(series);
    struct ja_point last = ja_last_point(series);
    if (series->metric == JA_METRIC_PHYS_FOOTPRINT &&
        stands_in(item, &first) != stands_in(item, &last))
        return false;
    return !series->category || kind_of(item, &first) == kind_of(item, &last);
}

static const char *later_words(const struct ja_growth *growth)
{
    if (growth->verdict == JA_GROWING)
        return "it was still growing at the last reading";
    if (growth->verdict == JA_NOT_GROWING)
        return "growth that matters is excluded afterwards";
    return "whether it goes on is not decided";
}

/* When a reading would show the growth again: three steps at the present slope. */
static double wait_s(const struct ja_growth *growth)
{
    double slope = growth->best_bytes_per_hour;
    double wait = isfinite(slope) && slope > 0 ? 3 * (double)growth->resolution_bytes / slope * 3600
                                               : growth->window_s;
    /* Where it is not settled, a tenth of the window is the least that can add anything. */
    if (growth->verdict != JA_GROWING)
        wait = fmax(wait, growth->window_s / 10);
    return fmin(fmax(wait, 60), 7 * 86400.0);
}

/* A limit that it stands at belongs beside the growth: few readings make no plateau finding. */
static const char *limit_text(struct ja_case *item, const struct ja_series *series)
{
    for (size_t i = 0; i < series->cap_count; i++)
        if (series->caps[i].reached)
            return ja_arena_print(item->arena, "; its last reading stands at %s (%s)",
                                  ja_name_text(item, series->caps[i].name),
                                  ja_size_text(item, (double)series->caps[i].cap_bytes, 0));
    return "";
}

static void explain_growing(struct ja_case *item, struct ja_finding *f,
                            const struct ja_series *series, const struct ja_growth *growth)
{
    ja_because(item, f,
               "the last reading lies above the first by more than the rounding of both allows; "
               "slope %s to %s%s%s",
               ja_rate_text(item, growth->low_bytes_per_hour),
               ja_rate_text(item, growth->high_bytes_per_hour), limit_text(item, series),
               file_pages_explain(item, series, growth)
                   ? "; anonymous memory did not grow with it, so these are file pages"
                   : "");
    if (item->processes[series->process].ending) {
        ja_unless(item, f, "nothing any more for this life: it has ended");
        ja_next(item, f, "this life has ended: read the next life of the service the same way");
        return;
    }
    ja_unless(
        item, f, "a later reading of the same incarnation at or below %s",
        ja_size_text(item, (double)ja_first_point(series).high, ja_first_point(series).resolution));
    ja_next(item, f, "read %s again in %s, and then at the same distance",
            ja_metrics[series->metric].name, ja_span_text(item, wait_s(growth)));
}

/* "20.3 GiB to 20.5 GiB", or one figure where both ends read the same. */
static const char *gain_text(struct ja_case *item, const struct ja_growth *growth)
{
    /* The bounds are exact: a tenth of the coarsest step keeps them apart. */
    int64_t step = growth->resolution_bytes / 10;
    const char *low = ja_size_text(item, (double)growth->net_low_bytes, step);
    const char *high = ja_size_text(item, (double)growth->net_high_bytes, step);
    return strcmp(low, high) == 0 ? low : ja_arena_print(item->arena, "%s to %s", low, high);
}

/* The process grows where this figure cannot show it: RSS stays level while pages go to swap or to
 * the compressor. To deny growth of the figure would read as to deny the leak. */
static bool grows_elsewhere(const struct ja_case *item, const struct ja_series *series)
{
    static const enum ja_metric whole[] = {JA_METRIC_PHYS_FOOTPRINT, JA_METRIC_ANON_SWAP};
    if (series->metric != JA_METRIC_RESIDENT && series->metric != JA_METRIC_ANONYMOUS &&
        series->metric != JA_METRIC_PRIVATE_DIRTY)
        return false;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        const struct ja_series *other = ja_process_series(item, series->process, whole[i]);
        if (other && other->growth->verdict == JA_GROWING)
            return true;
    }
    const struct ja_series *total = ja_process_series(item, series->process, JA_METRIC_ANON_SWAP);
    const struct ja_series *swap = ja_process_series(item, series->process, JA_METRIC_SWAP);
    return total && swap && total->growth->verdict == JA_CANNOT_TELL && swap->growth->gained;
}

static void find_growing(struct ja_case *item, const struct ja_series *series)
{
    struct ja_growth growth = ja_series_growth(series);
    struct ja_finding *f =
        ja_find(item, "growing", JA_CONFIRMED, severity_of(item, series, &growth),
                item->processes[series->process].host, series->process);
    f->metric = (int)series->metric;
    f->stake_bytes = growth.net_low_bytes;
    ja_say(item, f, subject_text(item, series), JA_VERB_GROW,
           "by %s in %s %s (%zu readings, step %s); %s", gain_text(item, &growth),
           ja_span_text(item, growth.window_s), shape_words(&growth), growth.points,
           ja_size_text(item, (double)growth.resolution_bytes, 0), later_words(&growth));
    explain_growing(item, f, series, &growth);
    number_growth(item, f, &growth);
    ja_cite_series(item, f, series);
}

static void find_not_growing(struct ja_case *item, const struct ja_series *series)
{
    struct ja_growth growth = ja_series_growth(series);
    struct ja_finding *f = ja_find(item, "not_growing", JA_NOT_SHOWN, JA_REMARK,
                                   item->processes[series->process].host, series->process);
    f->metric = (int)series->metric;
    f->stake_bytes = ja_last_point(series).value;
    ja_say(item, f, subject_text(item, series), JA_VERB_GROW,
           "faster than %s over %s while it worked (step %s)%s",
           ja_rate_text(item, growth.bound_bytes_per_hour), ja_span_text(item, growth.window_s),
           ja_size_text(item, (double)growth.resolution_bytes, 0),
           item->statements->assume_active ? "; that it worked is assumed by the operator" : "");
    ja_because(item, f, "growth above %s, the slope that matters, is excluded by these readings",
               ja_rate_text(item, growth.concern_bytes_per_hour));
    ja_unless(item, f, "work of another kind than was done in this window, or a later start");
    ja_next(item, f, "watch for %s to exclude half of this bound",
            ja_span_text(item, growth.window_s * 2));
    ja_number(item, f, "bound_bytes_per_hour", growth.bound_bytes_per_hour);
    ja_number(item, f, "window_s", growth.window_s);
    ja_whole(item, f, "resolution_bytes", growth.resolution_bytes);
    ja_number(item, f, "concern_bytes_per_hour", growth.concern_bytes_per_hour);
    ja_cite_series(item, f, series);
}

static bool grew(const struct ja_case *item, const struct ja_series *series)
{
    return series->growth->gained && !ends_disagree(item, series) && ends_compare(item, series);
}

/* Growth that is proved and small stands in the table of series; what a reader asks about, here. */
static struct ja_asked growth_of(const struct ja_case *item, uint32_t index)
{
    const struct ja_series *series = &item->series[index];
    struct ja_growth growth = ja_series_growth(series);
    return (struct ja_asked){.host = item->processes[series->process].host,
                             .series = index,
                             .stake_bytes = growth.net_low_bytes,
                             .always = growth.verdict == JA_GROWING ||
                                       !is_minor(item, series, &growth) ||
                                       ja_series_among_largest(item, series, JA_LARGEST_ASKED)};
}

static void judge(struct ja_case *item)
{
    struct ja_asked *list = NULL;
    size_t count = 0, capacity = 0;
    for (uint32_t i = 0; i < item->series_count; i++) {
        const struct ja_series *series = &item->series[i];
        if (!speaks_of_growth(series) || series->point_count < 2)
            continue;
        bool grown = grew(item, series), level = series->growth->verdict == JA_NOT_GROWING;
        if ((!grown && !level) || !item->processes[series->process].shown)
            continue;
        if (grown)
            *JA_APPEND(item->arena, list, count, capacity) = growth_of(item, i);
        if (level && !grows_elsewhere(item, series))
            find_not_growing(item, series);
    }
    count = ja_asked_choose(list, count, JA_ASKED_SMALL);
    for (size_t i = 0; i < count; i++)
        find_growing(item, &item->series[list[i].series]);
}

const struct ja_rule ja_rule_growing = {
    .question = "did one incarnation grow for sure, in one metric?",
    .names =
        {{"growing",
          "Emitted when the last reading of one incarnation lies above the first by more than "
          "the rounding of both allows. The statement names the shape; whether growth goes on "
          "is the verdict of the series. A note where it is slower than what the operator says "
          "matters, or would take more than a year to fill what is left of memory. It says "
          "nothing of the cause."},
         {"not_growing",
          "Emitted when growth above the slope that matters is excluded for the time and the "
          "work that were watched. Needs a work counter (or --assume-active). It says nothing "
          "of other work, nor of slower growth. Left out for RSS, private and anonymous memory of "
          "a process "
          "whose footprint, or whose anonymous memory with its swap, grows."}},
    .judge = judge,
};
