/* SPDX-License-Identifier: MIT
 *
 * Counters of work, joined to processes: what the evidence counts of a process itself, and the
 * work files that the operator names for it. A counter of requests is better than CPU seconds.
 */
#include "model/build.h"
#include "model/parts.h"
#include "model/sort.h"
#include "model/rows.h"
#include "model/window.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sample {
    const struct ja_instant *at;
    const char *unit;
    double total;
    uint32_t source, count;
    bool stated;
};

/* What the operator says of one work file, made out once for all hosts. */
struct stated {
    const struct ja_stated_work *work;
    bool by_name;      /* its selector picks some process */
    uint32_t *sources; /* that it names; NULL: it names none */
    size_t source_count;
};

/* The counters of each process of one host: items[first[p]] .. items[first[p + 1] - 1], p counted
 * from the host's first process. The evidence is gone through twice: counted, then filled in. */
struct joins {
    const struct ja_case *item;
    const struct ja_host *host;
    const struct stated *stated;
    const uint32_t *sources; /* with rows of this host */
    size_t source_count;
    struct sample *items; /* NULL: counting */
    size_t *first;
};

static int by_time(const struct sample *x, const struct sample *y)
{
    int order = ja_instant_order(x->at, y->at);
    if (order)
        return order;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    return x->total < y->total ? -1 : x->total > y->total;
}

static int by_unit_and_time(const void *a, const void *b)
{
    const struct sample *x = a, *y = b;
    if (x->stated != y->stated)
        return x->stated ? -1 : 1;
    if (x->unit == y->unit)
        return by_time(x, y);
    bool x_cpu = strcmp(x->unit, "cpu_s") == 0, y_cpu = strcmp(y->unit, "cpu_s") == 0;
    if (x_cpu != y_cpu)
        return x_cpu ? 1 : -1;
    int order = strcmp(x->unit, y->unit);
    return order ? order : by_time(x, y);
}

/* unit: the operator's name for the counter; NULL: the evidence's own. */
static void join(struct joins *joins, uint32_t process, uint32_t source, uint32_t index,
                 const char *unit, bool stated)
{
    size_t *next = &joins->first[process - joins->host->first_process + (joins->items ? 1 : 2)];
    if (joins->items) {
        const struct ja_source *from = &joins->item->sources[source];
        struct ja_count count = ja_count_at(from->evidence, index);
        joins->items[*next] = (struct sample){
            ja_moment_of(from, ja_subject_record(from->evidence, count.subject), count.stamp),
            unit ? unit : count.unit,
            count.total,
            source,
            index,
            stated};
    }
    ++*next;
}

static bool names_file(const char *path, const char *file)
{
    size_t length = strlen(path), want = strlen(file);
    while (want > 2 && file[0] == '.' && file[1] == '/') {
        file += 2;
        want -= 2;
    }
    return want && want <= length && strcmp(path + length - want, file) == 0 &&
           (want == length || path[length - want - 1] == '/');
}

/* A loop log that names no process: the operator's name may well be its. */
static bool nameless(const struct ja_process *process)
{
    return process->scope == JA_SCOPE_PROCESS && process->pid == JA_UNKNOWN;
}

static bool picks(const struct stated *stated, const struct ja_process *process)
{
    if (!stated->by_name)
        return nameless(process);
    return ja_selector_picks(&stated->work->who, process->name, process->pid, process->coalition);
}

/* A counter that the operator joined: without a file, it is that of the row's own process. */
static void join_stated_count(struct joins *joins, const struct stated *stated, uint32_t source,
                              uint32_t index)
{
    const struct ja_source *from = &joins->item->sources[source];
    uint32_t first = joins->host->first_process, end = first + joins->host->process_count;
    if (!stated->work->file) {
        uint32_t own = ja_subject_process(from, ja_count_subject(from->evidence, index));
        first = own >= first && own < end ? own : end; /* rows may be of several hosts */
        end = first < end ? first + 1 : end;
    }
    for (uint32_t p = first; p < end; p++)
        if (picks(stated, &joins->item->processes[p]))
            join(joins, p, source, index, stated->work->unit, true);
}

/* The operator's joins: a work file's counter goes to every process that the selector picks. */
static void join_stated(struct joins *joins)
{
    for (size_t w = 0; w < joins->item->statements->work_count; w++) {
        const struct stated *stated = &joins->stated[w];
        const struct ja_stated_work *work = stated->work;
        const uint32_t *sources = work->file ? stated->sources : joins->sources;
        size_t count = work->file ? stated->source_count : joins->source_count;
        for (size_t i = 0; i < count; i++) {
            const struct ja_evidence *evidence = joins->item->sources[sources[i]].evidence;
            for (uint32_t c = 0; c < evidence->count_count; c++)
                if (work->key ? strcmp(ja_count_at(evidence, c).unit, work->key) == 0
                              : work->file != NULL)
                    join_stated_count(joins, stated, sources[i], c);
        }
    }
}

static void join_own(struct joins *joins)
{
    uint32_t first = joins->host->first_process;
    for (size_t i = 0; i < joins->source_count; i++) {
        const struct ja_source *source = &joins->item->sources[joins->sources[i]];
        const struct ja_evidence *evidence = source->evidence;
        for (uint32_t c = 0; c < evidence->count_count; c++) {
            uint32_t process = ja_subject_process(source, ja_count_subject(evidence, c));
            if (process != JA_NONE && process >= first &&
                process < first + joins->host->process_count)
                join(joins, process, joins->sources[i], c, NULL, false);
        }
    }
}

/* Numbers beside a memory figure are work only when they count something: named so, or never
 * falling and rising in the end (a latency or a status code is no counter). */
static bool counts_work(const struct sample *samples, size_t count)
{
    static const char *const known[] = {"cpu_s", "requests", "faults", "rounds"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (samples[0].stated || strcmp(samples[0].unit, known[i]) == 0)
            return true;
    for (size_t i = 1; i < count; i++)
        if (samples[i].total < samples[i - 1].total)
            return false;
    return samples[count - 1].total > samples[0].total;
}

static bool same_counter(const struct sample *a, const struct sample *b)
{
    return a->stated == b->stated && (a->unit == b->unit || strcmp(a->unit, b->unit) == 0);
}

static bool same_entries(const struct ja_entry *entries, const struct sample *samples, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (entries[i].source != samples[i].source || entries[i].number != samples[i].count)
            return false;
    return true;
}

/* Row for row the numbers of its readings are those of its counts, too, in most files. */
static const struct ja_entry *readings_beside(const struct ja_case *item,
                                              const struct ja_process *process,
                                              const struct sample *samples, size_t count)
{
    for (uint32_t s = 0; s < process->series_count; s++) {
        const struct ja_series *series = &item->series[process->first_series + s];
        if (!series->made && series->point_count == count &&
            same_entries(series->readings, samples, count))
            return series->readings;
    }
    return NULL;
}

static void keep_work(const struct ja_case *item, struct ja_process *process,
                      const struct sample *samples, size_t count)
{
    process->work_count = (uint32_t)count;
    process->work = readings_beside(item, process, samples, count);
    if (samples->stated)
        ja_process_more(process, item->arena)->work_unit = samples->unit;
    if (process->work)
        return;
    struct ja_entry *own = ja_arena_room(item->arena, count, sizeof *own);
    for (size_t i = 0; i < count; i++)
        own[i] = (struct ja_entry){samples[i].source, samples[i].count};
    process->work = own;
}

/* Those that are numbers at a known moment; returns how many. */
static size_t keep_known(struct sample *samples, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (ja_instant_known(samples[i].at) && isfinite(samples[i].total))
            samples[kept++] = samples[i];
    return kept;
}

/* The first of its counters that counts work. */
static void settle(struct ja_case *item, struct ja_process *process, struct sample *samples,
                   size_t count)
{
    count = keep_known(samples, count);
    ja_sort(samples, count, sizeof *samples, by_unit_and_time);
    for (size_t i = 0, end; i < count && !process->work_count; i = end) {
        const struct sample *first = &samples[i];
        for (end = i + 1; end < count && same_counter(first, &samples[end]);)
            end++;
        if (counts_work(first, end - i))
            keep_work(item, process, first, end - i);
    }
}

static int by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The sources that the moments of a part are from, in order, each once. */
static uint32_t *sources_of(const struct ja_build *build, size_t *ret_count)
{
    uint32_t *sources = ja_arena_alloc(build->scratch, build->moment_count, sizeof *sources);
    size_t count = 0;
    for (size_t i = 0; i < build->moment_count; i++)
        sources[i] = build->moments[i].source;
    ja_sort(sources, build->moment_count, sizeof *sources, by_number);
    for (size_t i = 0; i < build->moment_count; i++)
        if (!count || sources[count - 1] != sources[i])
            sources[count++] = sources[i];
    *ret_count = count;
    return sources;
}

static void join_all(struct joins *joins, struct ja_arena *scratch)
{
    size_t count = joins->host->process_count;
    joins->first = ja_arena_alloc(scratch, count + 2, sizeof *joins->first);
    join_stated(joins);
    join_own(joins);
    for (size_t p = 0; p < count; p++)
        joins->first[p + 2] += joins->first[p + 1];
    joins->items = ja_arena_room(scratch, joins->first[count + 1], sizeof *joins->items);
    join_stated(joins);
    join_own(joins);
}

/* The work of one host's processes; data: what the operator says of work. */
static void settle_host(struct ja_part *part)
{
    struct ja_case *item = &part->item;
    struct joins joins = {.item = item, .host = &item->hosts[part->host], .stated = part->data};
    joins.sources = sources_of(&part->build, &joins.source_count);
    join_all(&joins, part->build.scratch);
    for (uint32_t p = 0; p < joins.host->process_count; p++)
        settle(item, &item->processes[joins.host->first_process + p], joins.items + joins.first[p],
               joins.first[p + 1] - joins.first[p]);
}

static void name_sources(const struct ja_case *item, struct ja_arena *scratch,
                         struct stated *stated)
{
    stated->sources = ja_arena_alloc(scratch, item->source_count, sizeof *stated->sources);
    for (uint32_t i = 0; i < item->source_count; i++)
        if (item->sources[i].duplicate_of == JA_NONE &&
            names_file(item->sources[i].evidence->path, stated->work->file))
            stated->sources[stated->source_count++] = i;
}

void ja_build_work(struct ja_build *build)
{
    const struct ja_case *item = build->item;
    size_t count = item->statements->work_count;
    struct stated *stated = ja_arena_alloc(build->scratch, count, sizeof *stated);
    for (size_t w = 0; w < count; w++) {
        stated[w].work = &item->statements->work[w];
        stated[w].by_name = ja_selector_picks_any(item, &stated[w].work->who);
        if (stated[w].work->file)
            name_sources(item, build->scratch, &stated[w]);
    }
    struct ja_parts parts = ja_parts_run(build, settle_host, stated);
    ja_parts_done(build, &parts);
}

struct ja_work_sample ja_work_sample(const struct ja_case *item, const struct ja_process *process,
                                     size_t i)
{
    struct ja_entry entry = process->work[i];
    const struct ja_source *source = &item->sources[entry.source];
    struct ja_count count = ja_count_at(source->evidence, entry.number);
    return (struct ja_work_sample){
        ja_moment_of(source, ja_subject_record(source->evidence, count.subject), count.stamp),
        count.total, entry.source, count.place};
}

const char *ja_work_unit(const struct ja_case *item, const struct ja_process *process)
{
    if (!process->work_count || process->more->work_unit)
        return process->more->work_unit;
    return ja_count_at(item->sources[process->work->source].evidence, process->work->number).unit;
}
