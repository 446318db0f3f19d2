/* SPDX-License-Identifier: MIT
 *
 * What the picture shows: the host of the weightiest finding, at most six series, its limits and
 * gaps.
 */
#include "reports/svg.h"

#include <stdlib.h>
#include <string.h>

/* One series a process: that with the most readings; of equal ones the first of these metrics. */
static const enum ja_metric shown_metrics[] = {
    JA_METRIC_PHYS_FOOTPRINT, JA_METRIC_ANON_SWAP, JA_METRIC_ANONYMOUS, JA_METRIC_RESIDENT,
    JA_METRIC_CGROUP_CURRENT, JA_METRIC_PSS,       JA_METRIC_HEAP,      JA_METRIC_UNSTATED};

static const struct ja_series *series_of(const struct ja_case *item, uint32_t process)
{
    const struct ja_series *best = NULL;
    for (size_t i = 0; i < sizeof shown_metrics / sizeof *shown_metrics; i++) {
        const struct ja_series *s = ja_process_series(item, process, shown_metrics[i]);
        if (s && s->point_count && (!best || s->point_count > best->point_count))
            best = s;
    }
    return best;
}

/* Growing ones first, then those with more than one reading, then by the largest level. */
static int class_of(const struct ja_series *s)
{
    if (s->point_count < 2)
        return 2;
    return s->growth->verdict == JA_GROWING ? 0 : 1;
}

static int64_t stake_of(const struct ja_series *s)
{
    if (class_of(s) == 0)
        return ja_series_growth(s).net_high_bytes;
    int64_t most = 0;
    for (size_t i = 0; i < s->point_count; i++)
        most = ja_point_at(s, i).value > most ? ja_point_at(s, i).value : most;
    return most;
}

static bool before(const struct ja_series *a, const struct ja_series *b)
{
    int x = class_of(a), y = class_of(b);
    if (x != y)
        return x < y;
    int64_t u = stake_of(a), v = stake_of(b);
    return u != v ? u > v : a->process < b->process;
}

static void offer(struct ja_picture *picture, const struct ja_series *series)
{
    size_t at = picture->series_count;
    while (at > 0 && before(series, picture->series[at - 1]))
        at--;
    if (at == JA_PICTURE_SERIES)
        return;
    size_t count =
        picture->series_count < JA_PICTURE_SERIES ? picture->series_count + 1 : JA_PICTURE_SERIES;
    memmove(&picture->series[at + 1], &picture->series[at],
            (count - at - 1) * sizeof *picture->series);
    picture->series[at] = series;
    picture->series_count = count;
}

static uint32_t choose_host(const struct ja_case *item)
{
    for (size_t f = 0; f < item->finding_count; f++) {
        uint32_t host = item->findings[f].host;
        uint32_t process = item->findings[f].process;
        if (host != JA_NONE && process != JA_NONE && series_of(item, process))
            return host;
    }
    for (uint32_t p = 0; p < item->process_count; p++)
        if (series_of(item, p))
            return item->processes[p].host;
    return 0;
}

static void widen(struct ja_picture *picture, int64_t at)
{
    if (at == JA_UNKNOWN)
        return;
    if (picture->from_ns == JA_UNKNOWN || at < picture->from_ns)
        picture->from_ns = at;
    if (picture->to_ns == JA_UNKNOWN || at > picture->to_ns)
        picture->to_ns = at;
}

static void choose_span(struct ja_picture *picture)
{
    const struct ja_case *item = picture->item;
    for (size_t i = 0; i < picture->series_count; i++) {
        const struct ja_series *s = picture->series[i];
        widen(picture, ja_first_point(s).at->unix_ns);
        widen(picture, ja_last_point(s).at->unix_ns);
        for (size_t p = 0; p < s->point_count; p++)
            if ((double)ja_point_at(s, p).high > picture->top_bytes)
                picture->top_bytes = (double)ja_point_at(s, p).high;
    }
    for (size_t e = 0; e < item->event_count; e++) {
        const struct ja_event *event = &item->events[e];
        if (event->host == picture->host && event->kind != JA_EVENT_BOOT &&
            event->kind != JA_EVENT_NOTE && event->kind != JA_EVENT_RESTART)
            widen(picture, ja_instant_key(event->at));
    }
    if (picture->to_ns - picture->from_ns < JA_NS_PER_S) {
        picture->from_ns -= 30 * JA_NS_PER_S;
        picture->to_ns += 30 * JA_NS_PER_S;
    }
}

static void add_limit(struct ja_picture *picture, const char *name, int64_t bytes, bool is_ram)
{
    for (size_t i = 0; i < picture->limit_count; i++)
        if (picture->limits[i].bytes == bytes)
            return;
    if (picture->limit_count < JA_PICTURE_LIMITS)
        picture->limits[picture->limit_count++] = (struct ja_picture_limit){name, bytes, is_ram};
}

static void choose_limits(struct ja_picture *picture)
{
    const struct ja_host *host = &picture->item->hosts[picture->host];
    if (host->ram_bytes != JA_UNKNOWN)
        add_limit(picture, "RAM", host->ram_bytes, true);
    else if (host->managed_bytes != JA_UNKNOWN)
        add_limit(picture, "managed memory", host->managed_bytes, true);
    for (size_t i = 0; i < picture->series_count; i++)
        for (size_t c = 0; c < picture->series[i]->cap_count; c++)
            if (picture->series[i]->caps[c].reached)
                add_limit(picture, picture->series[i]->caps[c].name,
                          picture->series[i]->caps[c].cap_bytes, false);
    for (size_t i = 0; i < picture->limit_count; i++)
        if ((double)picture->limits[i].bytes > picture->top_bytes &&
            (double)picture->limits[i].bytes < picture->top_bytes * 3)
            picture->top_bytes = (double)picture->limits[i].bytes;
    picture->top_bytes *= 1.06;
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* Stretches of an hour or more, and three times the usual distance, in which nothing speaks. */
static void choose_gaps(struct ja_picture *picture, struct ja_arena *arena)
{
    const struct ja_case *item = picture->item;
    size_t count = 0;
    for (size_t i = 0; i < item->source_count; i++)
        count += item->sources[i].evidence->record_count;
    int64_t *times = ja_arena_alloc(arena, count, sizeof *times);
    int64_t *lengths = ja_arena_alloc(arena, count, sizeof *lengths);
    count = 0;
    for (size_t i = 0; i < item->source_count; i++) {
        const struct ja_source *source = &item->sources[i];
        for (size_t r = 0; r < source->evidence->record_count; r++)
            if (source->record_host[r] == picture->host && ja_instant_known(&source->record_at[r]))
                times[count++] = source->record_at[r].unix_ns;
    }
    if (count < 4)
        return;
    qsort(times, count, sizeof *times, by_value);
    for (size_t i = 1; i < count; i++)
        lengths[i - 1] = times[i] - times[i - 1];
    qsort(lengths, count - 1, sizeof *lengths, by_value);
    int64_t usual = lengths[(count - 1) / 2];
    int64_t least = (picture->to_ns - picture->from_ns) / 50;
    for (size_t i = 1; i < count && picture->gap_count < JA_PICTURE_GAPS; i++) {
        int64_t length = times[i] - times[i - 1];
        if (length > 3 * usual && length > least && length >= 60 * JA_NS_PER_S)
            picture->gaps[picture->gap_count++] = (struct ja_picture_gap){times[i - 1], times[i]};
    }
}

bool ja_picture_build(const struct ja_case *item, struct ja_arena *arena, struct ja_picture *ret)
{
    *ret = (struct ja_picture){.item = item, .from_ns = JA_UNKNOWN, .to_ns = JA_UNKNOWN};
    ret->host = choose_host(item);
    for (uint32_t p = 0; p < item->process_count; p++) {
        const struct ja_series *s = item->processes[p].shown && item->processes[p].host == ret->host
                                        ? series_of(item, p)
                                        : NULL;
        if (s)
            offer(ret, s);
    }
    if (!ret->series_count)
        return false;
    choose_span(ret);
    choose_limits(ret);
    choose_gaps(ret, arena);
    if (ret->top_bytes <= 0)
        ret->top_bytes = 1;
    return true;
}
