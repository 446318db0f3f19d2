/* SPDX-License-Identifier: MIT
 *
 * X, the slope that matters, for every series, and then the judgement of every series and service.
 * X is what the operator states, else what would fill RAM or the nearest cap within seven days.
 */
#include "model/build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEVEN_DAYS_HOURS (7.0 * 24.0)
#define BATCH 64 /* series judged in one job, with one scratch arena */

struct concern {
    double bytes_per_hour; /* NaN: none */
    const char *from;
    int64_t limit_bytes; /* for the forecast */
    const char *limit_name;
};

static const struct ja_point *last_point(const struct ja_series *series)
{
    return &series->points[series->point_count - 1];
}

/* A concern line of NDJSON evidence: a fact about a name on a host. */
struct concern_line {
    uint32_t host;
    const char *name;
    double bytes_per_hour;
};

/* What every series is judged with. */
struct judging {
    struct ja_case *item;
    struct concern_line *lines; /* in path and file order: the first one about a name counts */
    size_t line_count, line_capacity;
};

static void collect_lines(struct judging *judging)
{
    const struct ja_case *item = judging->item;
    for (size_t i = 0; i < item->source_count; i++) {
        const struct ja_source *source = &item->sources[i];
        const struct ja_evidence *evidence = source->evidence;
        bool ours = ja_has_kind(evidence, JA_KIND_NDJSON);
        for (size_t f = 0; ours && f < evidence->fact_count; f++) {
            const struct ja_fact *fact = &evidence->facts[f];
            if (fact->key == JA_FACT_CONCERN && fact->text)
                *JA_APPEND(item->arena, judging->lines, judging->line_count,
                           judging->line_capacity) = (struct concern_line){
                    source->record_host[fact->record], fact->text, (double)fact->value};
        }
    }
}

static double concern_in_evidence(const struct judging *judging, uint32_t process)
{
    const struct ja_process *who = &judging->item->processes[process];
    for (size_t i = 0; i < judging->line_count; i++) {
        const struct concern_line *line = &judging->lines[i];
        if (line->host == who->host && strcmp(line->name, who->name) == 0)
            return line->bytes_per_hour;
    }
    return NAN;
}

/* The lowest ceiling above the present level: a cap or RAM. What the kernel manages is less than
 * RAM and no ceiling that anybody stated. */
static void find_limit(const struct ja_case *item, const struct ja_series *series,
                       struct concern *ret)
{
    const struct ja_host *host = &item->hosts[item->processes[series->process].host];
    int64_t level = last_point(series)->high;
    for (size_t i = 0; i < series->cap_count; i++) {
        const struct ja_cap *cap = &series->caps[i];
        bool known = cap->stated || strcmp(cap->from, "operator") == 0; /* others are a guess */
        if (known && cap->cap_bytes > level &&
            (ret->limit_bytes == JA_UNKNOWN || cap->cap_bytes < ret->limit_bytes)) {
            ret->limit_bytes = cap->cap_bytes;
            ret->limit_name = cap->name;
        }
    }
    int64_t ram = host->ram_bytes;
    if (ram != JA_UNKNOWN && ram > level &&
        (ret->limit_bytes == JA_UNKNOWN || ram < ret->limit_bytes)) {
        ret->limit_bytes = ram;
        ret->limit_name = "ram";
    }
}

static struct concern concern_of(const struct judging *judging, const struct ja_series *series)
{
    const struct ja_case *item = judging->item;
    const struct ja_statements *said = item->statements;
    double in_evidence = concern_in_evidence(judging, series->process);
    const struct ja_process *process = &item->processes[series->process];
    struct concern concern = {NAN, NULL, JA_UNKNOWN, NULL};
    find_limit(item, series, &concern);
    for (size_t i = 0; i < said->concern_count; i++) {
        if (!ja_selector_picks(&said->concerns[i].who, process->name, process->pid,
                               process->coalition))
            continue;
        concern.bytes_per_hour = said->concerns[i].bytes_per_hour;
        concern.from = "case file";
        return concern;
    }
    if (isfinite(said->slope_bytes_per_hour)) {
        concern.bytes_per_hour = said->slope_bytes_per_hour;
        concern.from = "option";
    } else if (isfinite(in_evidence)) {
        concern.bytes_per_hour = in_evidence;
        concern.from = "concern";
    } else if (concern.limit_bytes != JA_UNKNOWN) {
        concern.bytes_per_hour =
            (double)(concern.limit_bytes - last_point(series)->value) / SEVEN_DAYS_HOURS;
        concern.from = concern.limit_name;
    }
    return concern;
}

static void life_of(const struct ja_case *item, const struct ja_series *series,
                    struct ja_arena *arena, struct ja_growth_life *ret)
{
    const struct ja_process *process = &item->processes[series->process];
    struct ja_growth_point *points = ja_arena_alloc(arena, series->point_count, sizeof *points);
    for (size_t i = 0; i < series->point_count; i++) {
        const struct ja_point *p = &series->points[i];
        points[i] = (struct ja_growth_point){
            .low_bytes = p->low, .high_bytes = p->high, .resolution_bytes = p->resolution};
        if (!p->at)
            continue;
        points[i].early_ns = p->at->early_ns != JA_UNKNOWN ? p->at->early_ns : p->at->unix_ns;
        points[i].late_ns = p->at->late_ns != JA_UNKNOWN ? p->at->late_ns : p->at->unix_ns;
    }
    *ret = (struct ja_growth_life){.points = points,
                                   .point_count = series->point_count,
                                   .started_ns = ja_instant_key(&process->started)};
    if (!process->work_count || !series->dated)
        return;
    const struct ja_work *work = &process->work[0];
    struct ja_growth_work *samples = ja_arena_alloc(arena, work->count, sizeof *samples);
    for (size_t i = 0; i < work->count; i++)
        samples[i] = (struct ja_growth_work){
            work->at[i]->early_ns != JA_UNKNOWN ? work->at[i]->early_ns : work->at[i]->unix_ns,
            work->at[i]->late_ns != JA_UNKNOWN ? work->at[i]->late_ns : work->at[i]->unix_ns,
            work->total[i]};
    ret->work = samples;
    ret->work_count = work->count;
}

static void judge_series(const struct judging *judging, struct ja_series *series,
                         struct ja_arena *scratch)
{
    const struct ja_case *item = judging->item;
    struct ja_growth_life life;
    life_of(item, series, scratch, &life);
    struct concern concern = concern_of(judging, series);
    struct ja_growth_input input = {
        .lives = &life,
        .life_count = 1,
        .concern_bytes_per_hour = concern.bytes_per_hour,
        .limit_bytes = concern.limit_bytes,
        .assume_active = item->statements->assume_active,
        .dated = series->dated,
    };
    ja_growth_judge(&input, scratch, &series->growth);
    series->concern_from = concern.from;
    series->limit_name = series->growth.forecast ? concern.limit_name : NULL;
}

static void judge_batch(size_t index, void *data)
{
    const struct judging *judging = data;
    struct ja_case *item = judging->item;
    struct ja_arena *scratch = ja_arena_new();
    for (size_t i = index * BATCH; i < item->series_count && i < (index + 1) * BATCH; i++) {
        judge_series(judging, &item->series[i], scratch);
        ja_arena_reset(scratch);
    }
    ja_arena_free(scratch);
}

/* ---- services: all lives of one name on one host --------------------------------------------- */

struct named {
    const char *name;
    uint32_t host, process;
    int64_t first;
};

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    if (x->host != y->host)
        return x->host < y->host ? -1 : 1;
    int order = strcmp(x->name, y->name);
    if (order)
        return order;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return x->process < y->process ? -1 : x->process > y->process;
}

static const struct ja_series *longest(const struct ja_case *item, const struct ja_service *service,
                                       enum ja_metric metric)
{
    const struct ja_series *found = NULL;
    for (size_t i = service->process_count; i-- > 0;) {
        const struct ja_series *s = ja_process_series(item, service->processes[i], metric);
        if (s && (!found || s->point_count > found->point_count))
            found = s;
    }
    return found;
}

static void judge_metric(const struct judging *judging, struct ja_service *service,
                         enum ja_metric metric)
{
    struct ja_case *item = judging->item;
    struct ja_arena *scratch = ja_arena_new();
    struct ja_growth_life *lives = ja_arena_alloc(scratch, service->process_count, sizeof *lives);
    const struct ja_series *newest = NULL;
    size_t count = 0;
    for (size_t i = 0; i < service->process_count; i++) {
        const struct ja_series *s = ja_process_series(item, service->processes[i], metric);
        if (!s)
            continue;
        newest = s;
        life_of(item, s, scratch, &lives[count++]);
    }
    if (count > 1) {
        struct ja_series *judged = &service->series[service->series_count++];
        const struct ja_stated_fix *fix = &item->statements->fix;
        struct concern concern = concern_of(judging, newest);
        struct ja_growth_input input = {
            .lives = lives,
            .life_count = count,
            .concern_bytes_per_hour = concern.bytes_per_hour,
            .limit_bytes = concern.limit_bytes,
            .assume_active = item->statements->assume_active,
            .dated = true,
            .fixed_between = fix->stated && fix->at.parts &&
                             ja_selector_picks(&fix->who, service->name, JA_UNKNOWN, JA_UNKNOWN),
        };
        *judged = (struct ja_series){.process = longest(item, service, metric)->process,
                                     .metric = metric,
                                     .dated = true,
                                     .concern_from = concern.from};
        ja_growth_judge_service(&input, scratch, &judged->growth);
    }
    ja_arena_free(scratch);
}

/* Lives follow one another; a name with many at once is a pool of workers, not a service. */
static bool in_turn(const struct ja_case *item, const struct named *lives, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const struct ja_process *older = &item->processes[lives[i - 1].process];
        const struct ja_process *newer = &item->processes[lives[i].process];
        if (older->boot != newer->boot)
            continue;
        if (!ja_instant_known(&older->last_seen) || !ja_instant_known(&newer->first_seen) ||
            newer->first_seen.unix_ns <= older->last_seen.unix_ns)
            return false;
    }
    return true;
}

static void find_services(struct ja_case *item)
{
    struct named *list = ja_arena_alloc(item->arena, item->process_count, sizeof *list);
    size_t count = 0;
    for (uint32_t p = 0; p < item->process_count; p++) {
        const struct ja_process *process = &item->processes[p];
        if (process->scope == JA_SCOPE_PROCESS && strcmp(process->name, "?") != 0)
            list[count++] = (struct named){process->name, process->host, p,
                                           ja_instant_key(&process->first_seen)};
    }
    if (count)
        qsort(list, count, sizeof *list, by_name);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && list[end].host == list[i].host &&
                          strcmp(list[end].name, list[i].name) == 0;)
            end++;
        if (end - i < 2 || !in_turn(item, list + i, end - i))
            continue;
        struct ja_service *service =
            JA_APPEND(item->arena, item->services, item->service_count, item->service_capacity);
        service->host = list[i].host;
        service->name = list[i].name;
        service->process_count = end - i;
        service->processes = ja_arena_alloc(item->arena, end - i, sizeof *service->processes);
        for (size_t k = i; k < end; k++)
            service->processes[k - i] = list[k].process;
        service->series = ja_arena_alloc(item->arena, JA_METRIC_COUNT, sizeof *service->series);
    }
}

static void judge_service(size_t index, void *data)
{
    const struct judging *judging = data;
    for (int metric = 0; metric < JA_METRIC_COUNT; metric++)
        if (metric != JA_METRIC_CATEGORY)
            judge_metric(judging, &judging->item->services[index], (enum ja_metric)metric);
}

void ja_build_growth(struct ja_build *build)
{
    struct ja_case *item = build->item;
    struct judging judging = {.item = item};
    collect_lines(&judging);
    build->run((item->series_count + BATCH - 1) / BATCH, judge_batch, &judging);
    find_services(item);
    build->run(item->service_count, judge_service, &judging);
}
