/* SPDX-License-Identifier: MIT
 *
 * Counters of work, joined to processes: what the evidence counts of a process itself, and the
 * work files that the operator names for it. A counter of requests is better than CPU seconds.
 */
#include "model/build.h"
#include "model/parts.h"
#include "model/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sample {
    const struct ja_instant *at;
    const char *unit;
    double total;
    uint32_t source, place;
    bool stated;
};

/* The counters of each process: items[first[p]] .. items[first[p + 1] - 1]. The evidence is gone
 * through twice, file by file: counted, then filled in. */
struct joins {
    struct sample *items; /* NULL: counting */
    size_t *first;
};

static const struct ja_instant *moment_of(const struct ja_source *source,
                                          const struct ja_count *count)
{
    const struct ja_evidence *evidence = source->evidence;
    uint32_t record = evidence->subjects[count->subject].record;
    if (count->stamp != evidence->records[record].stamp && count->stamp != JA_NONE)
        return &source->instants[count->stamp];
    return &source->record_at[record];
}

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
static void join(const struct ja_case *item, struct joins *joins, uint32_t process, uint32_t source,
                 size_t index, const char *unit, bool stated)
{
    size_t *next = &joins->first[process + (joins->items ? 1 : 2)];
    if (joins->items) {
        const struct ja_source *from = &item->sources[source];
        const struct ja_count *count = &from->evidence->counts[index];
        joins->items[*next] = (struct sample){moment_of(from, count), unit ? unit : count->unit,
                                              count->total,           source,
                                              count->place,           stated};
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

/* The operator's joins: a work file's counter goes to every process that the selector picks. */
static void join_stated(const struct ja_case *item, struct joins *joins)
{
    for (size_t w = 0; w < item->statements->work_count; w++) {
        const struct ja_stated_work *work = &item->statements->work[w];
        bool by_name = ja_selector_picks_any(item, &work->who);
        for (uint32_t i = 0; i < item->source_count; i++) {
            const struct ja_source *source = &item->sources[i];
            const struct ja_evidence *evidence = source->evidence;
            if (source->duplicate_of != JA_NONE)
                continue;
            if (work->file && !names_file(evidence->path, work->file))
                continue;
            for (size_t c = 0; c < evidence->count_count; c++) {
                const struct ja_count *count = &evidence->counts[c];
                if (work->key ? strcmp(count->unit, work->key) != 0 : !work->file)
                    continue;
                uint32_t own = source->subject_process[count->subject];
                for (uint32_t p = 0; p < item->process_count; p++) {
                    const struct ja_process *process = &item->processes[p];
                    if (!work->file && p != own)
                        continue;
                    if (by_name ? ja_selector_picks(&work->who, process->name, process->pid,
                                                    process->coalition)
                                : nameless(process))
                        join(item, joins, p, i, c, work->unit, true);
                }
            }
        }
    }
}

static void join_own(const struct ja_case *item, struct joins *joins)
{
    for (uint32_t i = 0; i < item->source_count; i++) {
        const struct ja_source *source = &item->sources[i];
        const struct ja_evidence *evidence = source->evidence;
        for (size_t c = 0; source->duplicate_of == JA_NONE && c < evidence->count_count; c++) {
            uint32_t process = source->subject_process[evidence->counts[c].subject];
            if (process != JA_NONE)
                join(item, joins, process, i, c, NULL, false);
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

static size_t count_counters(const struct sample *samples, size_t count)
{
    size_t counters = count > 0;
    for (size_t i = 1; i < count; i++)
        counters += !same_counter(&samples[i - 1], &samples[i]);
    return counters;
}

static void add_work(struct ja_case *item, struct ja_process *process, const struct sample *samples,
                     size_t count)
{
    struct ja_work *work = &process->work[process->work_count++];
    *work = (struct ja_work){
        .unit = samples->unit,
        .at = ja_arena_alloc(item->arena, count, sizeof *work->at),
        .total = ja_arena_alloc(item->arena, count, sizeof *work->total),
        .count = count,
        .stated = samples->stated,
        .source = samples->source,
        .place = samples->place,
    };
    for (size_t i = 0; i < count; i++) {
        work->at[i] = samples[i].at;
        work->total[i] = samples[i].total;
    }
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

static void settle(struct ja_case *item, struct ja_process *process, struct sample *samples,
                   size_t count)
{
    count = keep_known(samples, count);
    ja_sort(samples, count, sizeof *samples, by_unit_and_time);
    process->work =
        ja_arena_alloc(item->arena, count_counters(samples, count), sizeof *process->work);
    for (size_t i = 0, end; i < count; i = end) {
        const struct sample *first = &samples[i];
        for (end = i + 1; end < count && same_counter(first, &samples[end]);)
            end++;
        if (counts_work(first, end - i))
            add_work(item, process, first, end - i);
    }
}

static struct joins join_all(const struct ja_case *item, struct ja_arena *scratch)
{
    size_t count = item->process_count;
    struct joins joins = {.first = ja_arena_alloc(scratch, count + 2, sizeof *joins.first)};
    join_stated(item, &joins);
    join_own(item, &joins);
    for (size_t p = 0; p < count; p++)
        joins.first[p + 2] += joins.first[p + 1];
    joins.items = ja_arena_alloc(scratch, joins.first[count + 1], sizeof *joins.items);
    join_stated(item, &joins);
    join_own(item, &joins);
    return joins;
}

/* The work of one host's processes; data: the joins of all. */
static void settle_host(struct ja_part *part)
{
    const struct joins *joins = part->data;
    struct ja_case *item = &part->item;
    const struct ja_host *host = &item->hosts[part->host];
    for (uint32_t p = host->first_process; p < host->first_process + host->process_count; p++)
        settle(item, &item->processes[p], joins->items + joins->first[p],
               joins->first[p + 1] - joins->first[p]);
}

void ja_build_work(struct ja_build *build)
{
    struct joins joins = join_all(build->item, build->scratch);
    struct ja_parts parts = ja_parts_run(build, settle_host, &joins);
    ja_parts_done(build, &parts);
}
