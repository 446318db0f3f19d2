/* SPDX-License-Identifier: MIT
 *
 * Is the growth clean file pages? Resident memory counts pages of mapped files; the kernel takes
 * them back when it needs room. Growth that stands there is a cache, not an allocation.
 */
#include "model/rule.h"

#define LEAST_RISE_BYTES (4 * JA_MIB)

/* The figure that holds both parts: RSS of a process, usage of a control group. */
static const struct ja_series *whole_of(const struct ja_case *item, uint32_t process)
{
    const struct ja_series *whole = ja_process_series(item, process, JA_METRIC_RESIDENT);
    return whole ? whole : ja_process_series(item, process, JA_METRIC_CGROUP_CURRENT);
}

static int64_t rise_of(const struct ja_series *series)
{
    return ja_subtract(ja_last_point(series).value, ja_first_point(series).value);
}

/* How far MemAvailable moved while it grew: pages that can be had back stay available. */
static const char *available_words(struct ja_case *item, const struct ja_series *file)
{
    int64_t first = JA_UNKNOWN, last = JA_UNKNOWN;
    int64_t from = ja_first_point(file).at->unix_ns;
    int64_t to = ja_last_point(file).at->unix_ns;
    for (size_t i = 0; i < item->state_count; i++) {
        const struct ja_state *state = &item->states[i];
        int64_t available = state->figures[JA_FIGURE_MEM_AVAILABLE];
        if (state->host != item->processes[file->process].host || available == JA_UNKNOWN ||
            !ja_instant_known(&state->at) || state->at.unix_ns < from || state->at.unix_ns > to)
            continue;
        if (first == JA_UNKNOWN)
            first = available;
        last = available;
    }
    if (first == JA_UNKNOWN)
        return "";
    return ja_arena_print(item->arena, "; MemAvailable went from %s to %s meanwhile",
                          ja_size_text(item, (double)first, JA_MIB),
                          ja_size_text(item, (double)last, JA_MIB));
}

static void find_cache(struct ja_case *item, uint32_t process, const struct ja_series *whole,
                       const struct ja_series *file, const struct ja_series *anonymous)
{
    struct ja_finding *f = ja_find(item, "file_cache_growth", JA_CONFIRMED, JA_REMARK,
                                   item->processes[process].host, process);
    struct ja_point last = ja_last_point(file);
    f->metric = JA_METRIC_FILE;
    struct ja_growth growth = ja_series_growth(file);
    f->stake_bytes = growth.net_low_bytes;
    const char *subject = ja_arena_print(item->arena, "%s, %s,", ja_process_text(item, process),
                                         ja_metrics[JA_METRIC_FILE].name);
    ja_say(item, f, subject, JA_VERB_GROW,
           "by %s in %s, of %s that %s rose; anonymous memory by %s",
           ja_size_text(item, (double)rise_of(file), growth.resolution_bytes),
           ja_span_text(item, growth.window_s),
           ja_size_text(item, (double)rise_of(whole), ja_series_growth(whole).resolution_bytes),
           ja_metrics[whole->metric].name,
           ja_size_text(item, (double)rise_of(anonymous),
                        ja_series_growth(anonymous).resolution_bytes));
    ja_because(item, f, "pages of mapped files can be dropped without loss when room is needed%s",
               available_words(item, file));
    ja_unless(item, f, "anonymous memory that rises as well, or pages that are dirty or locked");
    ja_next(item, f, "watch RssAnon + VmSwap (or Private_Dirty of smaps_rollup), not RSS");
    ja_whole(item, f, "file_bytes", rise_of(file));
    ja_whole(item, f, "anonymous_bytes", rise_of(anonymous));
    ja_whole(item, f, "file_level_bytes", last.value);
    ja_number(item, f, "window_s", growth.window_s);
    ja_cite_point(item, f, ja_first_point(file));
    ja_cite_point(item, f, last);
    ja_cite_point(item, f, ja_last_point(anonymous));
}

static void judge_process(struct ja_case *item, uint32_t process)
{
    const struct ja_series *file = ja_process_series(item, process, JA_METRIC_FILE);
    if (!file)
        return;
    const struct ja_series *whole = whole_of(item, process);
    const struct ja_series *anonymous = ja_process_series(item, process, JA_METRIC_ANONYMOUS);
    if (!whole || !anonymous || whole->point_count < 2 || file->point_count < 2 ||
        anonymous->point_count < 2)
        return;
    int64_t rise = ja_file_rise(item, process);
    if (rise >= LEAST_RISE_BYTES && rise >= ja_series_growth(whole).net_high_bytes / 2 &&
        ja_series_growth(anonymous).net_high_bytes < rise / 4)
        find_cache(item, process, whole, file, anonymous);
}

static void judge(struct ja_case *item)
{
    for (uint32_t p = 0; item->told[JA_METRIC_FILE] && p < item->process_count; p++)
        if (item->processes[p].shown)
            judge_process(item, p);
}

const struct ja_rule ja_rule_file_cache_growth = {
    .question = "is the growth clean file pages?",
    .names = {{"file_cache_growth",
               "Emitted when most of the rise of resident memory (or of a control group's usage) "
               "stands in file pages while anonymous memory rises by less than a quarter of it. "
               "Such pages are given back under pressure; shared memory (RssShmem) is not among "
               "them."}},
    .judge = judge,
};
