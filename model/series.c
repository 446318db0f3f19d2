/* SPDX-License-Identifier: MIT
 *
 * Readings to series: one per process, metric and category. Dated readings of all files meet in
 * one series; undated ones stay with their file, in its order. What is one figure told several
 * times at one moment becomes one point, the finest.
 */
#include "model/build.h"
#include "model/linux_accuracy.h"
#include "model/parts.h"
#include "model/sort.h"

#include <stdlib.h>
#include <string.h>

/* Two tools that read one figure within this time are compared; their points both stay. */
#define TWIN_SPAN_NS (60 * JA_NS_PER_S)

struct loose {
    const struct ja_instant *at; /* NULL: undated */
    const char *category;
    uint32_t group; /* undated: the first file of the same snapshot folder, else the file itself */
    uint32_t source, reading;
    enum ja_metric metric;
};

static const struct ja_reading *reading_of(const struct ja_case *item, const struct loose *l)
{
    return &item->sources[l->source].evidence->readings[l->reading];
}

/* A reading stands at its record's moment unless it carries a stamp of its own. */
static const struct ja_instant *moment_of(const struct ja_source *source,
                                          const struct ja_reading *reading)
{
    const struct ja_evidence *evidence = source->evidence;
    uint32_t record = evidence->subjects[reading->subject].record;
    const struct ja_instant *at = &source->record_at[record];
    if (reading->stamp != evidence->records[record].stamp && reading->stamp != JA_NONE)
        at = &source->instants[reading->stamp];
    return ja_instant_known(at) ? at : NULL;
}

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

/* Linux: the kernel's own counting error, where release and threads or CPUs are known. */
static int64_t counting_error(const struct ja_case *item, uint32_t process,
                              const struct ja_evidence *evidence, const struct ja_reading *reading)
{
    const struct ja_process *p = &item->processes[process];
    const struct ja_boot *boot = &item->boots[p->boot];
    enum ja_kind kind = evidence->records[evidence->subjects[reading->subject].record].kind;
    int64_t error;
    if (!boot->kernel || !ja_linux_counted(kind, (enum ja_metric)reading->metric) ||
        !ja_linux_error(boot->kernel, p->threads, boot->cores, item->hosts[p->host].page_bytes,
                        (enum ja_metric)reading->metric, &error))
        return 0;
    return error;
}

static struct ja_point point_of(const struct ja_case *item, uint32_t process, const struct loose *l)
{
    const struct ja_reading *reading = reading_of(item, l);
    struct ja_point point = {
        .at = l->at,
        .value = reading->value,
        .resolution = reading->resolution,
        .rounding = reading->rounding,
        .source = l->source,
        .reading = l->reading,
    };
    ja_quantity_interval(
        (struct ja_quantity){reading->value, reading->resolution, reading->rounding}, &point.low,
        &point.high);
    int64_t error = counting_error(item, process, item->sources[l->source].evidence, reading);
    point.low = ja_subtract(point.low, error);
    point.high = ja_add(point.high, error);
    if (point.low < 0 && reading->value >= 0)
        point.low = 0;
    return point;
}

static void note_twin(struct ja_case *item, const struct ja_series *series,
                      const struct ja_point *kept, const struct ja_point *other)
{
    struct ja_twin *twin =
        JA_APPEND(item->arena, item->twins, item->twin_count, item->twin_capacity);
    *twin = (struct ja_twin){
        .process = series->process,
        .metric = series->metric,
        .category = series->category,
        .kept = *kept,
        .other = *other,
        .apart_ns = kept->at && other->at ? llabs(kept->at->unix_ns - other->at->unix_ns) : 0,
        .agree = kept->low <= other->high && other->low <= kept->high,
    };
}

static bool approximate(const struct ja_case *item, const struct ja_point *point)
{
    return item->sources[point->source].evidence->readings[point->reading].approximate;
}

static bool finer(const struct ja_case *item, const struct ja_point *a, const struct ja_point *b)
{
    bool x = approximate(item, a), y = approximate(item, b);
    if (x != y)
        return y;
    return a->high - a->low < b->high - b->low;
}

static enum ja_kind tool_of(const struct ja_case *item, const struct ja_point *point)
{
    const struct ja_evidence *evidence = item->sources[point->source].evidence;
    uint32_t subject = evidence->readings[point->reading].subject;
    return ja_kind_tool(evidence->records[evidence->subjects[subject].record].kind);
}

/* Two tools of one file, read within the digit of its clock, that agree: one coarse and one fine
 * telling of one figure ("5154 MB" and "5.0G"). */
static bool same_second(const struct ja_case *item, const struct ja_point *a,
                        const struct ja_point *b)
{
    return a->source == b->source && tool_of(item, a) != tool_of(item, b) &&
           a->at->late_ns != JA_UNKNOWN && b->at->early_ns != JA_UNKNOWN &&
           b->at->early_ns <= a->at->late_ns && a->low <= b->high && b->low <= a->high;
}

/* Told at one moment by another file, or twice by one file at the very same stamp. */
static bool one_telling(const struct ja_case *item, const struct ja_point *a,
                        const struct ja_point *b)
{
    if (!a->at != !b->at || (!a->at && a->source == b->source))
        return false;
    if (a->at && same_second(item, a, b))
        return true;
    if (a->at && a->at->unix_ns != b->at->unix_ns)
        return false;
    const struct ja_evidence *x = item->sources[a->source].evidence;
    const struct ja_evidence *y = item->sources[b->source].evidence;
    const char *s = x->records[x->subjects[x->readings[a->reading].subject].record].snapshot;
    const char *t = y->records[y->subjects[y->readings[b->reading].subject].record].snapshot;
    return (s && t && strcmp(s, t) == 0) || approximate(item, a) || approximate(item, b);
}

static void add_point(struct ja_case *item, struct ja_series *series, struct ja_point point)
{
    struct ja_point *last = series->point_count ? &series->points[series->point_count - 1] : NULL;
    if (!last || !one_telling(item, last, &point)) {
        series->points[series->point_count++] = point;
        return;
    }
    if (!approximate(item, last) && !approximate(item, &point))
        note_twin(item, series, finer(item, &point, last) ? &point : last,
                  finer(item, &point, last) ? last : &point);
    if (finer(item, &point, last))
        *last = point;
}

/* Readings of different files within a minute, both kept: do they agree? */
static void compare_neighbours(struct ja_case *item, const struct ja_series *series)
{
    for (size_t i = 1; series->dated && i < series->point_count; i++) {
        const struct ja_point *a = &series->points[i - 1], *b = &series->points[i];
        if (b->at->unix_ns - a->at->unix_ns > TWIN_SPAN_NS || approximate(item, a) ||
            approximate(item, b))
            continue;
        if (tool_of(item, a) != tool_of(item, b))
            note_twin(item, series, finer(item, b, a) ? b : a, finer(item, b, a) ? a : b);
    }
}

/* Bytes per second between two readings of one tool. */
static double pace(const struct ja_point *a, const struct ja_point *b)
{
    double apart_s = (double)llabs(b->at->unix_ns - a->at->unix_ns) / 1e9;
    return apart_s > 0 ? (double)llabs(b->value - a->value) / apart_s : 0;
}

/* How fast the figure moved around a point, by the neighbours of the same tool. */
static double pace_at(const struct ja_case *item, const struct ja_series *series, size_t index,
                      enum ja_kind kind)
{
    const struct ja_point *before = NULL, *after = NULL, *self = NULL;
    for (size_t i = index + 1; i-- > 0 && !before;)
        if (tool_of(item, &series->points[i]) == kind) {
            if (!self)
                self = &series->points[i];
            else
                before = &series->points[i];
        }
    for (size_t i = index + 1; i < series->point_count && !after; i++)
        if (tool_of(item, &series->points[i]) == kind)
            after = &series->points[i];
    double past = self && before ? pace(before, self) : 0;
    double next = self && after ? pace(self, after) : 0;
    return past > next ? past : next;
}

/* The two are read up to apart_ns from each other, each within the width of its clock reading. */
static void allow_drift(const struct ja_case *item, const struct ja_series *series,
                        struct ja_twin *twin, size_t index)
{
    double x = pace_at(item, series, index, tool_of(item, &twin->kept));
    double y = pace_at(item, series, index, tool_of(item, &twin->other));
    const struct ja_instant *at = twin->kept.at;
    double width_s = (double)ja_subtract(at->late_ns, at->early_ns) / 1e9;
    double seconds = (double)twin->apart_ns / 1e9 + (width_s > 1 ? width_s : 1);
    double drift = (x > y ? x : y) * seconds;
    twin->drift_bytes = drift < 9e15 ? (int64_t)drift : JA_LARGEST_BYTES;
}

static void allow_drifts(struct ja_case *item, const struct ja_series *series, size_t first_twin)
{
    size_t index = 0;
    for (size_t t = first_twin; series->dated && t < item->twin_count; t++) {
        struct ja_twin *twin = &item->twins[t];
        if (index && twin->kept.at->unix_ns < series->points[index].at->unix_ns)
            index = 0;
        while (index + 1 < series->point_count &&
               series->points[index + 1].at->unix_ns <= twin->kept.at->unix_ns)
            index++;
        if (!twin->agree)
            allow_drift(item, series, twin, index);
    }
}

static void make_series(struct ja_case *item, uint32_t process, const struct loose *items,
                        size_t count)
{
    struct ja_series *series =
        JA_APPEND(item->arena, item->series, item->series_count, item->series_capacity);
    *series = (struct ja_series){
        .process = process,
        .metric = items[0].metric,
        .category = items[0].category,
        .dated = items[0].at != NULL,
        .undated_source = items[0].at ? JA_NONE : items[0].group,
        .points = ja_arena_alloc(item->arena, count, sizeof *series->points),
    };
    size_t first_twin = item->twin_count;
    for (size_t i = 0; i < count; i++)
        add_point(item, series, point_of(item, process, &items[i]));
    compare_neighbours(item, series);
    allow_drifts(item, series, first_twin);
}

/* ---- anonymous + swap: the Linux twin of phys_footprint -------------------------------------- */

static bool same_moment(const struct ja_point *a, const struct ja_point *b)
{
    if (a->at || b->at)
        return a->at && b->at && a->at->unix_ns == b->at->unix_ns;
    return true; /* the n-th of both, of one file or folder */
}

static size_t find_series(const struct ja_case *item, size_t first, size_t end,
                          enum ja_metric metric, const struct ja_series *like)
{
    for (size_t i = first; i < end; i++) {
        const struct ja_series *s = &item->series[i];
        if (s->metric == metric && !s->category && s->dated == like->dated &&
            (like->dated || s->undated_source == like->undated_source))
            return i;
    }
    return end;
}

static bool any_swap(const struct ja_series *swap)
{
    for (size_t i = 0; i < swap->point_count; i++)
        if (swap->points[i].value > 0)
            return true;
    return false;
}

static void derive_anon_swap(struct ja_case *item, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        if (item->series[i].metric != JA_METRIC_ANONYMOUS)
            continue;
        size_t k = find_series(item, first, end, JA_METRIC_SWAP, &item->series[i]);
        if (k == end || !any_swap(&item->series[k]))
            continue; /* without swap it would repeat the anonymous series */
        struct ja_series derived = item->series[i];
        const struct ja_series *swap = &item->series[k];
        derived.metric = JA_METRIC_ANON_SWAP;
        derived.points = ja_arena_alloc(item->arena, derived.point_count, sizeof *derived.points);
        size_t n = 0, at = 0;
        for (size_t p = 0; p < derived.point_count; p++) {
            struct ja_point point = item->series[i].points[p];
            if (!derived.dated) {
                /* Undated: the n-th of both, when both have as many. */
                if (swap->point_count != derived.point_count)
                    break;
                at = p;
            }
            while (derived.dated && at < swap->point_count &&
                   swap->points[at].at->unix_ns < point.at->unix_ns)
                at++;
            if (at == swap->point_count || !same_moment(&point, &swap->points[at]))
                continue;
            point.value += swap->points[at].value;
            point.low += swap->points[at].low;
            point.high += swap->points[at].high;
            if (swap->points[at].resolution > point.resolution)
                point.resolution = swap->points[at].resolution;
            derived.points[n++] = point;
        }
        derived.point_count = n;
        if (n)
            *JA_APPEND(item->arena, item->series, item->series_count, item->series_capacity) =
                derived;
    }
}

/* ---- the step -------------------------------------------------------------------------------- */

static bool has_metric(const struct ja_case *item, size_t first, enum ja_metric metric)
{
    for (size_t i = first; i < item->series_count; i++)
        if (item->series[i].metric == metric)
            return true;
    return false;
}

static void build_process(struct ja_case *item, uint32_t index, struct loose *readings,
                          size_t count)
{
    struct ja_process *process = &item->processes[index];
    process->first_series = (uint32_t)item->series_count;
    ja_sort(readings, count, sizeof *readings, by_series);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && one_series(&readings[i], &readings[end]);)
            end++;
        make_series(item, index, readings + i, end - i);
    }
    if (!has_metric(item, process->first_series, JA_METRIC_ANON_SWAP))
        derive_anon_swap(item, process->first_series, item->series_count);
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

static struct loose loose_of(const struct ja_source *source, uint32_t index, uint32_t reading,
                             uint32_t folder)
{
    const struct ja_evidence *evidence = source->evidence;
    const struct ja_reading *r = &evidence->readings[reading];
    return (struct loose){
        .at = moment_of(source, r),
        .category = r->category == JA_NONE ? NULL : evidence->categories[r->category],
        .group = folder,
        .source = index,
        .reading = reading,
        .metric = (enum ja_metric)r->metric,
    };
}

/* The readings of every process of a host: those of its process p are items[first[p]] to before
 * items[first[p + 1]]. */
struct readings {
    struct loose *items; /* NULL: counting */
    size_t *first;
};

static void take_readings(const struct ja_part *part, const struct ja_moment *moment,
                          struct readings *readings)
{
    const uint32_t *folders = part->data;
    const struct ja_source *source = &part->item.sources[moment->source];
    uint32_t first_process = part->item.hosts[part->host].first_process;
    for (size_t i = 0; i < moment->subject_count; i++) {
        uint32_t subject = moment->subjects[i], process = source->subject_process[subject];
        uint32_t r = process == JA_NONE ? JA_NONE : source->first_reading[subject];
        for (; r != JA_NONE; r = source->next_reading[r]) {
            size_t *next = &readings->first[process - first_process + (readings->items ? 1 : 2)];
            if (readings->items)
                readings->items[*next] =
                    loose_of(source, moment->source, r, folders[moment->source]);
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
        ja_arena_alloc(build->scratch, readings.first[count + 1], sizeof *readings.items);
    for (size_t i = 0; i < build->moment_count; i++)
        take_readings(part, &build->moments[i], &readings);
    return readings;
}

static void count_threads(struct ja_case *item)
{
    for (size_t i = 0; i < item->source_count; i++) {
        const struct ja_source *source = &item->sources[i];
        const struct ja_evidence *evidence = source->evidence;
        for (size_t f = 0; source->duplicate_of == JA_NONE && f < evidence->fact_count; f++) {
            const struct ja_fact *fact = &evidence->facts[f];
            if (fact->key != JA_FACT_THREADS || fact->subject == JA_NONE ||
                source->subject_process[fact->subject] == JA_NONE)
                continue;
            struct ja_process *p = &item->processes[source->subject_process[fact->subject]];
            if (p->threads == JA_UNKNOWN || fact->value > p->threads)
                p->threads = fact->value;
        }
    }
}

/* Readings of Linux counters whose error is not known: said once. */
static void note_uncounted(struct ja_case *item)
{
    for (size_t i = 0; i < item->source_count; i++) {
        const struct ja_source *source = &item->sources[i];
        const struct ja_evidence *evidence = source->evidence;
        for (size_t r = 0; source->duplicate_of == JA_NONE && r < evidence->reading_count; r++) {
            const struct ja_reading *reading = &evidence->readings[r];
            uint32_t process = source->subject_process[reading->subject];
            enum ja_kind kind = evidence->records[evidence->subjects[reading->subject].record].kind;
            if (process == JA_NONE || !ja_linux_counted(kind, (enum ja_metric)reading->metric))
                continue;
            const struct ja_process *p = &item->processes[process];
            const struct ja_boot *boot = &item->boots[p->boot];
            int64_t error;
            if (ja_linux_error(boot->kernel, p->threads, boot->cores, JA_UNKNOWN,
                               (enum ja_metric)reading->metric, &error))
                continue;
            ja_diagnose(source->evidence, JA_NOTE, "counter-error-unknown", 0, NULL,
                        "kernel release or number of threads is not in the evidence: RSS counters "
                        "may be off by 252 kB a thread (to 6.1) or by pages of every CPU (6.2 to "
                        "6.15); intervals were not widened");
            return;
        }
    }
}

const struct ja_series *ja_process_series(const struct ja_case *item, uint32_t process,
                                          enum ja_metric metric)
{
    const struct ja_process *p = &item->processes[process];
    for (uint32_t i = p->first_series; i < p->first_series + p->series_count; i++) {
        const struct ja_series *s = &item->series[i];
        if (s->metric == metric && !s->category && s->dated)
            return s;
    }
    return NULL;
}

uint32_t ja_host_series(const struct ja_case *item, uint32_t host, uint32_t *ret_end)
{
    const struct ja_host *h = &item->hosts[host];
    *ret_end = 0;
    if (!h->process_count)
        return 0;
    const struct ja_process *first = &item->processes[h->first_process];
    const struct ja_process *last = first + h->process_count - 1;
    *ret_end = last->first_series + last->series_count;
    return first->first_series;
}

/* Keeps the largest values seen in falling order; the last one is the smallest of them. */
static void take_larger(int64_t *largest, int64_t value)
{
    size_t at = JA_LARGEST_ASKED - 1;
    if (value <= largest[at])
        return;
    for (; at > 0 && largest[at - 1] < value; at--)
        largest[at] = largest[at - 1];
    largest[at] = value;
}

static size_t place_of(const struct ja_case *item, const struct ja_series *series)
{
    return item->processes[series->process].host * (size_t)JA_METRIC_COUNT + series->metric;
}

static int64_t last_level(const struct ja_series *series)
{
    return series->points[series->point_count - 1].value;
}

void ja_build_largest(struct ja_build *build)
{
    struct ja_case *item = build->item;
    size_t places = item->host_count * JA_METRIC_COUNT;
    item->largest = ja_arena_alloc(item->arena, places, sizeof *item->largest);
    for (size_t i = 0; i < places; i++)
        for (size_t k = 0; k < JA_LARGEST_ASKED; k++)
            item->largest[i][k] = INT64_MIN;
    for (size_t i = 0; i < item->series_count; i++) {
        const struct ja_series *series = &item->series[i];
        if (series->dated && !series->category)
            take_larger(item->largest[place_of(item, series)], last_level(series));
    }
}

/* The series of one host, numbered from 0; data: the first files of folders. */
static void build_host(struct ja_part *part)
{
    struct ja_case *item = &part->item;
    const struct ja_host *host = &item->hosts[part->host];
    struct readings readings = collect(part);
    item->series = NULL;
    item->series_count = item->series_capacity = 0;
    item->twins = NULL;
    item->twin_count = item->twin_capacity = 0;
    for (uint32_t p = 0; p < host->process_count; p++) {
        size_t first = readings.first[p];
        build_process(item, host->first_process + p, readings.items + first,
                      readings.first[p + 1] - first);
    }
}

void ja_build_series(struct ja_build *build)
{
    struct ja_case *item = build->item;
    count_threads(item);
    note_uncounted(item);
    struct ja_parts parts = ja_parts_run(build, build_host, first_of_folders(build));
    uint32_t first = 0;
    for (size_t i = 0; i < parts.count; i++) {
        const struct ja_host *host = &item->hosts[i];
        for (uint32_t p = 0; p < host->process_count; p++)
            item->processes[host->first_process + p].first_series += first;
        first += (uint32_t)parts.items[i].item.series_count;
    }
    JA_PARTS_JOIN(item, &parts, series, series_count, series_capacity);
    JA_PARTS_JOIN(item, &parts, twins, twin_count, twin_capacity);
    ja_parts_done(build, &parts);
}

bool ja_series_among_largest(const struct ja_case *item, const struct ja_series *series,
                             size_t most)
{
    return last_level(series) >= item->largest[place_of(item, series)][most - 1];
}
