/* SPDX-License-Identifier: MIT
 *
 * X, the slope that matters, for every series, and then the judgement of every series and service.
 * X is what the operator states, else what would fill RAM or the nearest cap within seven days.
 */
#include "model/build.h"
#include "model/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEVEN_DAYS_HOURS (7.0 * 24.0)
#define BATCH 64   /* series judged in one job, with one scratch arena */
#define ROUND 4096 /* series judged before what they leave is kept */

struct concern {
    double bytes_per_hour; /* NaN: none */
    enum ja_concern from;
    int64_t limit_bytes; /* for the forecast */
    const char *limit_name;
};

/* A concern line of NDJSON evidence: a fact about a name on a host. */
struct concern_line {
    uint32_t host;
    const char *name;
    double bytes_per_hour;
};

/* What is kept of one series. */
struct keeping {
    size_t size;
    char bytes[JA_GROWTH_KEPT_MOST]; /* struct ja_growth_kept */
};

/* What every series is judged with. */
struct judging {
    struct ja_case *item;
    struct keeping *kept;       /* of one round of series, the first of which is */
    size_t first;               /* ... this one */
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
    int64_t level = ja_last_point(series).high;
    for (size_t i = 0; i < series->cap_count; i++) {
        const struct ja_cap *cap = &series->caps[i];
        bool known = cap->stated || strcmp(cap->from, "operator") == 0; /* others are a guess */
        if (known && cap->cap_bytes > ja_add(level, ja_cap_slack(series, cap)) &&
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
    struct concern concern = {NAN, JA_CONCERN_NONE, JA_UNKNOWN, NULL};
    find_limit(item, series, &concern);
    for (size_t i = 0; i < said->concern_count; i++) {
        if (!ja_selector_picks(&said->concerns[i].who, process->name, process->pid,
                               process->coalition))
            continue;
        concern.bytes_per_hour = said->concerns[i].bytes_per_hour;
        concern.from = JA_CONCERN_CASE_FILE;
        return concern;
    }
    if (isfinite(said->slope_bytes_per_hour)) {
        concern.bytes_per_hour = said->slope_bytes_per_hour;
        concern.from = JA_CONCERN_OPTION;
    } else if (isfinite(in_evidence)) {
        concern.bytes_per_hour = in_evidence;
        concern.from = JA_CONCERN_EVIDENCE;
    } else if (concern.limit_bytes != JA_UNKNOWN) {
        concern.bytes_per_hour =
            (double)(concern.limit_bytes - ja_last_point(series).value) / SEVEN_DAYS_HOURS;
        concern.from = JA_CONCERN_LIMIT;
    }
    return concern;
}

static void life_of(const struct ja_case *item, const struct ja_series *series,
                    struct ja_arena *arena, struct ja_growth_life *ret)
{
    const struct ja_process *process = &item->processes[series->process];
    struct ja_growth_point *points = ja_arena_alloc(arena, series->point_count, sizeof *points);
    for (size_t i = 0; i < series->point_count; i++)
        points[i] = ja_growth_point_of(series, i);
    *ret = (struct ja_growth_life){.points = points,
                                   .point_count = series->point_count,
                                   .started_ns = ja_process_start_ns(process)};
    if (!process->work_count || !series->dated)
        return;
    struct ja_growth_work *samples = ja_arena_alloc(arena, process->work_count, sizeof *samples);
    for (size_t i = 0; i < process->work_count; i++) {
        struct ja_work_sample sample = ja_work_sample(item, process, i);
        const struct ja_instant *at = sample.at;
        samples[i] = (struct ja_growth_work){
            at->early_ns != JA_UNKNOWN ? at->early_ns : at->unix_ns,
            at->late_ns != JA_UNKNOWN ? at->late_ns : at->unix_ns, sample.total};
    }
    ret->work = samples;
    ret->work_count = process->work_count;
}

static void judge_series(const struct judging *judging, struct ja_series *series,
                         struct ja_arena *scratch, struct keeping *ret)
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
    struct ja_growth growth;
    ja_growth_judge(&input, scratch, &growth);
    ret->size = ja_growth_keep(&growth, (struct ja_growth_kept *)ret->bytes);
    series->concern = (uint8_t)concern.from;
    series->limit_name = concern.limit_name;
}

static void judge_batch(size_t index, void *data)
{
    const struct judging *judging = data;
    struct ja_case *item = judging->item;
    struct ja_arena *scratch = ja_arena_new();
    size_t from = index * BATCH, series = judging->first + from;
    for (size_t i = 0; i < BATCH && series + i < item->series_count; i++) {
        judge_series(judging, &item->series[series + i], scratch, &judging->kept[from + i]);
        ja_arena_reset(scratch);
    }
    ja_arena_free(scratch);
}

/* latest: that of each size. Those of a single reading are often equal: they are kept once. */
static struct ja_growth_kept *keep(struct ja_arena *arena, const struct keeping *kept,
                                   struct ja_growth_kept *latest[])
{
    struct ja_growth_kept **equal = &latest[kept->size];
    if (!*equal || memcmp(*equal, kept->bytes, kept->size) != 0)
        *equal = (struct ja_growth_kept *)ja_arena_copy(arena, kept->bytes, kept->size);
    return *equal;
}

static void judge_all(struct ja_build *build, struct judging *judging)
{
    struct ja_case *item = build->item;
    struct ja_growth_kept *latest[JA_GROWTH_KEPT_MOST + 1] = {NULL};
    size_t round = item->series_count < ROUND ? item->series_count : ROUND;
    judging->kept = ja_arena_room(build->scratch, round, sizeof *judging->kept);
    for (size_t end; judging->first < item->series_count; judging->first = end) {
        end = item->series_count - judging->first < ROUND ? item->series_count
                                                          : judging->first + ROUND;
        build->run((end - judging->first + BATCH - 1) / BATCH, judge_batch, judging);
        for (size_t i = judging->first; i < end; i++)
            item->series[i].growth = keep(item->arena, &judging->kept[i - judging->first], latest);
    }
}

/* ---- services: all lives of one name on one host --------------------------------------------- */

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
                                     .metric = (uint8_t)metric,
                                     .dated = true,
                                     .growth = judged->growth,
                                     .concern = (uint8_t)concern.from,
                                     .limit_name = concern.limit_name};
        struct ja_growth growth;
        ja_growth_judge_service(&input, scratch, &growth);
        ja_growth_keep(&growth, judged->growth);
    }
    ja_arena_free(scratch);
}

static void judge_service(size_t index, void *data)
{
    const struct judging *judging = data;
    struct ja_service *service = &judging->item->services[index];
    size_t lives[JA_METRIC_COUNT] = {0};
    ja_service_lives(judging->item, service, lives);
    for (int metric = 0; metric < JA_METRIC_COUNT; metric++)
        if (metric != JA_METRIC_CATEGORY && lives[metric] > 1)
            judge_metric(judging, service, (enum ja_metric)metric);
}

void ja_build_growth(struct ja_build *build)
{
    struct ja_case *item = build->item;
    struct judging judging = {.item = item};
    collect_lines(&judging);
    judge_all(build, &judging);
    build->run(item->service_count, judge_service, &judging);
}

const char *ja_series_concern(const struct ja_series *series)
{
    static const char *const words[] = {[JA_CONCERN_OPTION] = "option",
                                        [JA_CONCERN_CASE_FILE] = "case file",
                                        [JA_CONCERN_EVIDENCE] = "concern"};
    return series->concern == JA_CONCERN_LIMIT ? series->limit_name : words[series->concern];
}
