/* SPDX-License-Identifier: MIT
 *
 * Readings to series: one per process, metric and category. Dated readings of all files meet in
 * one series; undated ones stay with their file, in its order. What is one figure told several
 * times at one moment becomes one point, the finest.
 */
#include "model/build.h"
#include "model/parts.h"
#include "model/rows.h"
#include "model/series.h"
#include "model/sort.h"

#include <stdlib.h>
#include <string.h>

/* A reading that will be a point of some series: what puts it in order. */
struct loose {
    const struct ja_instant *at; /* NULL: undated */
    const char *category;
    uint32_t source, reading;
    uint32_t group; /* undated: the first file of the same snapshot folder, else the file itself */
    uint32_t metric;
};

static int text_order(const char *a, const char *b)
{
    if (!a || !b)
        return a ? 1 : b ? -1 : 0;
    return strcmp(a, b);
}

static int by_series(const void *a, const void *b)
{
    const struct loose *x = a, *y = b;
    if (!x->at != !y->at)
        return x->at ? -1 : 1;
    if (x->metric != y->metric)
        return x->metric < y->metric ? -1 : 1;
    int order = text_order(x->category, y->category);
    if (!order && x->at)
        order = ja_instant_order(x->at, y->at);
    if (order)
        return order;
    if (!x->at && x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    return x->reading < y->reading ? -1 : x->reading > y->reading;
}

static bool one_series(const struct loose *a, const struct loose *b)
{
    return !a->at == !b->at && a->metric == b->metric &&
           text_order(a->category, b->category) == 0 && (a->at || a->group == b->group);
}

static struct ja_point point_of(const struct ja_case *item, uint32_t process,
                                const struct loose *loose)
{
    const struct ja_evidence *evidence = item->sources[loose->source].evidence;
    struct ja_point point =
        ja_point_of(item->sources, (struct ja_entry){loose->source, loose->reading});
    int64_t error = ja_counting_error(item, process, evidence, loose->reading);
    if (!error)
        return point;
    point.made = true;
    point.low = ja_subtract(point.low, error);
    point.high = ja_add(point.high, error);
    if (point.low < 0 && point.value >= 0)
        point.low = 0;
    return point;
}

/* points: room for as many. */
static void make_series(struct ja_case *item, uint32_t process, const struct loose *items,
                        size_t count, struct ja_point *points)
{
    struct ja_series *series =
        JA_APPEND(item->arena, item->series, item->series_count, item->series_capacity);
    *series = (struct ja_series){
        .process = process,
        .metric = (uint8_t)items[0].metric,
        .category = items[0].category,
        .dated = items[0].at != NULL,
        .points = points,
        .sources = item->sources,
    };
    size_t first_twin = item->twin_count;
    for (size_t i = 0; i < count; i++)
        ja_series_add_point(item, series, point_of(item, process, &items[i]));
    ja_series_compare(item, series, first_twin);
    ja_series_settle(series, item->arena);
}

/* ---- the step -------------------------------------------------------------------------------- */

/* Where the series of a process are made, one after another. */
struct making {
    struct ja_case *item;
    const uint32_t *folders; /* the first file of every file's folder */
    struct ja_point *points; /* as many as the most readings of a process */
    struct ja_arena *scratch;
};

static void build_process(const struct making *making, uint32_t index, struct loose *readings,
                          size_t count)
{
    struct ja_case *item = making->item;
    struct ja_process *process = &item->processes[index];
    process->first_series = (uint32_t)item->series_count;
    ja_sort(readings, count, sizeof *readings, by_series);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && one_series(&readings[i], &readings[end]);)
            end++;
        make_series(item, index, readings + i, end - i, making->points);
    }
    ja_series_add_anon_swap(item, process->first_series, making->folders, making->scratch);
    process->series_count = (uint32_t)item->series_count - process->first_series;
}

struct folder {
    const char *snapshot;
    uint32_t source;
};

static int by_folder(const void *a, const void *b)
{
    const struct folder *x = a, *y = b;
    int order = strcmp(x->snapshot, y->snapshot);
    return order ? order : (x->source < y->source ? -1 : x->source > y->source);
}

/* The first file of every file's snapshot folder. A paste of several files is its own folder. */
static uint32_t *first_of_folders(const struct ja_build *build)
{
    const struct ja_case *item = build->item;
    uint32_t *first = ja_arena_alloc(build->scratch, item->source_count, sizeof *first);
    struct folder *folders = ja_arena_alloc(build->scratch, item->source_count, sizeof *folders);
    size_t count = 0;
    for (uint32_t i = 0; i < item->source_count; i++) {
        const struct ja_evidence *evidence = item->sources[i].evidence;
        const char *snapshot = evidence->record_count ? evidence->records[0].snapshot : NULL;
        first[i] = i;
        if (snapshot && strncmp(snapshot, evidence->path, strlen(evidence->path)) != 0)
            folders[count++] = (struct folder){snapshot, i};
    }
    if (count)
        qsort(folders, count, sizeof *folders, by_folder);
    for (size_t i = 1; i < count; i++)
        if (strcmp(folders[i].snapshot, folders[i - 1].snapshot) == 0)
            first[folders[i].source] = first[folders[i - 1].source];
    return first;
}

/* The readings of every process of a host: those of its process p are items[first[p]] to before
 * items[first[p + 1]]. */
struct readings {
    struct loose *items; /* NULL: counting */
    size_t *first;
};

/* data of the part: the first files of folders. */
static struct loose loose_of(const struct ja_part *part, const struct ja_moment *moment,
                             uint32_t index)
{
    const uint32_t *folders = part->data;
    const struct ja_source *source = &part->item.sources[moment->source];
    uint32_t category = ja_reading_category(source->evidence, index);
    return (struct loose){
        .at = ja_reading_moment(source, index),
        .category = category == JA_NONE ? NULL : source->evidence->categories[category],
        .source = moment->source,
        .reading = index,
        .group = folders[moment->source],
        .metric = ja_reading_metric(source->evidence, index),
    };
}

static void take_readings(const struct ja_part *part, const struct ja_moment *moment,
                          struct readings *readings)
{
    const struct ja_source *source = &part->item.sources[moment->source];
    uint32_t first_process = part->item.hosts[part->host].first_process;
    for (size_t i = 0; i < moment->subject_count; i++) {
        uint32_t subject = ja_moment_subject(moment, i),
                 process = ja_subject_process(source, subject);
        uint32_t r = process == JA_NONE ? JA_NONE : ja_first_reading(source->evidence, subject);
        for (; r != JA_NONE; r = ja_next_reading(source->evidence, r)) {
            size_t *next = &readings->first[process - first_process + (readings->items ? 1 : 2)];
            if (readings->items)
                readings->items[*next] = loose_of(part, moment, r);
            ++*next;
        }
    }
}

/* One pass counts, one fills. */
static struct readings collect(const struct ja_part *part)
{
    const struct ja_build *build = &part->build;
    size_t count = part->item.hosts[part->host].process_count;
    struct readings readings = {
        .first = ja_arena_alloc(build->scratch, count + 2, sizeof *readings.first)};
    for (size_t i = 0; i < build->moment_count; i++)
        take_readings(part, &build->moments[i], &readings);
    for (size_t p = 0; p < count; p++)
        readings.first[p + 2] += readings.first[p + 1];
    readings.items =
        ja_arena_room(build->scratch, readings.first[count + 1], sizeof *readings.items);
    for (size_t i = 0; i < build->moment_count; i++)
        take_readings(part, &build->moments[i], &readings);
    return readings;
}

static size_t most_of_a_process(const struct readings *readings, size_t process_count)
{
    size_t most = 0;
    for (size_t p = 0; p < process_count; p++)
        if (readings->first[p + 1] - readings->first[p] > most)
            most = readings->first[p + 1] - readings->first[p];
    return most;
}

/* The series of one host, numbered from 0; data: the first files of folders. */
static void build_host(struct ja_part *part)
{
    struct ja_case *item = &part->item;
    const struct ja_host *host = &item->hosts[part->host];
    struct readings readings = collect(part);
    struct making making = {.item = item, .folders = part->data, .scratch = part->build.scratch};
    making.points = ja_arena_room(making.scratch, most_of_a_process(&readings, host->process_count),
                                  sizeof *making.points);
    JA_PARTS_EMPTY(item, series, series);
    item->twins = NULL;
    item->twin_count = item->twin_capacity = 0;
    for (uint32_t p = 0; p < host->process_count; p++) {
        size_t first = readings.first[p];
        build_process(&making, host->first_process + p, readings.items + first,
                      readings.first[p + 1] - first);
    }
}

/* Where the series of all hosts go. */
struct placing {
    struct ja_case *item;
    struct ja_parts *parts;
    uint32_t *first; /* of each host */
};

static void place_host(size_t index, void *data)
{
    const struct placing *placing = data;
    struct ja_case *item = placing->item, *own = &placing->parts->items[index].item;
    const struct ja_host *host = &item->hosts[index];
    for (uint32_t p = 0; p < host->process_count; p++)
        item->processes[host->first_process + p].first_series += placing->first[index];
    if (own->series_count)
        memcpy(item->series + placing->first[index], own->series,
               own->series_count * sizeof *own->series);
    ja_arena_drop(own->arena, own->series, own->series_capacity, sizeof *own->series);
}

static void place_series(struct ja_build *build, struct ja_parts *parts)
{
    struct ja_case *item = build->item;
    struct placing placing = {item, parts, NULL};
    size_t count = 0;
    placing.first = ja_arena_alloc(build->scratch, parts->count, sizeof *placing.first);
    for (size_t i = 0; i < parts->count; i++) {
        placing.first[i] = (uint32_t)count;
        count += parts->items[i].item.series_count;
    }
    JA_RESERVE(item->arena, item->series, item->series_count, item->series_capacity, count);
    item->series_count = count;
    build->run(parts->count, place_host, &placing);
}

void ja_build_series(struct ja_build *build)
{
    struct ja_case *item = build->item;
    ja_count_threads(item);
    struct ja_parts parts = ja_parts_run(build, build_host, first_of_folders(build));
    place_series(build, &parts);
    JA_PARTS_JOIN(item, &parts, twins, twin_count, twin_capacity);
    ja_parts_done(build, &parts);
}
