/* SPDX-License-Identifier: MIT
 *
 * Limits that may apply to a process: those the operator states, those the evidence prints, and,
 * where neither says anything, candidates of the runtimes that the evidence names. A candidate is
 * never tried on every process: twenty caps meet a random plateau fifteen times in a hundred.
 */
#include "model/build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/cap_table.h"
#include "model/limits.h"
#include "model/metal_set.h"
#include "model/parts.h"
#include "model/rows.h"

/* The rows of the table that speak of a name of which nothing else is known. */
struct picked {
    size_t *rows, row_count, row_capacity;
};

struct counted {
    uint32_t boot;
    size_t of_scope[JA_SCOPE_KERNEL + 1];
};

/* What is made once for all hosts. */
struct known {
    struct ja_limits limits;
    struct ja_cap_subject *subjects; /* one per process */
    struct ja_metal_set *sets;       /* one per host */
    struct ja_cap_row *rows;
    size_t row_count;
    struct picked *picked; /* one per name */
    size_t picked_count, picked_capacity;
    uint32_t *picked_of; /* by name_id */
};

/* The caps of one host's series. */
struct joining {
    struct ja_case *item;
    const struct known *known;
    struct counted *counted;        /* one per row */
    struct counted *counted_stated; /* one per cap that the operator states */
    struct ja_arena *scratch;
    struct ja_cap *caps; /* of the series at hand */
    size_t cap_count, cap_capacity;
};

/* Metrics whose level a limit of memory can be compared with. */
static bool can_reach(enum ja_metric metric)
{
    return metric == JA_METRIC_PHYS_FOOTPRINT || metric == JA_METRIC_RESIDENT ||
           metric == JA_METRIC_ANONYMOUS || metric == JA_METRIC_ANON_SWAP ||
           metric == JA_METRIC_CGROUP_CURRENT;
}

static struct ja_cap *add_cap(struct joining *j)
{
    struct ja_cap *cap = JA_APPEND(j->scratch, j->caps, j->cap_count, j->cap_capacity);
    cap->distance_bytes = JA_UNKNOWN;
    cap->processes = 1;
    return cap;
}

/* ---- what the evidence says of a process ----------------------------------------------------- */

/* Marks processes of which half a dump's footprint or more is charged to the graphics ledger. */
static void find_graphics(const struct ja_source *source, struct ja_arena *scratch,
                          struct ja_cap_subject *subjects)
{
    const struct ja_evidence *evidence = source->evidence;
    bool any = false;
    for (size_t i = 0; i < evidence->fact_count; i++)
        any |= evidence->facts[i].key == JA_FACT_GRAPHICS_BYTES;
    if (!any)
        return;
    int64_t *graphics = ja_arena_alloc(scratch, evidence->subject_count, sizeof *graphics);
    for (size_t i = 0; i < evidence->fact_count; i++)
        if (evidence->facts[i].key == JA_FACT_GRAPHICS_BYTES &&
            evidence->facts[i].subject != JA_NONE)
            graphics[evidence->facts[i].subject] = evidence->facts[i].value;
    for (uint32_t i = 0; i < evidence->reading_count; i++) {
        struct ja_reading reading = ja_reading_at(evidence, i);
        uint32_t process = ja_subject_process(source, reading.subject);
        if (reading.metric == JA_METRIC_PHYS_FOOTPRINT && process != JA_NONE &&
            graphics[reading.subject] > 0 && graphics[reading.subject] >= reading.value / 2)
            subjects[process].graphics = true;
    }
}

static struct ja_cap_subject *describe(const struct ja_build *build)
{
    const struct ja_case *item = build->item;
    struct ja_cap_subject *subjects =
        ja_arena_alloc(build->scratch, item->process_count, sizeof *subjects);
    for (size_t p = 0; p < item->process_count; p++)
        subjects[p] = (struct ja_cap_subject){.name = item->processes[p].name,
                                              .command = item->processes[p].more->command};
    for (size_t i = 0; i < item->source_count; i++) {
        const struct ja_source *source = &item->sources[i];
        if (source->duplicate_of != JA_NONE)
            continue;
        find_graphics(source, build->scratch, subjects);
        for (size_t k = 0; k < source->evidence->fact_count; k++) {
            const struct ja_fact *fact = &source->evidence->facts[k];
            uint32_t process =
                fact->subject == JA_NONE ? JA_NONE : ja_subject_process(source, fact->subject);
            if (process == JA_NONE || !fact->text)
                continue;
            if (fact->key == JA_FACT_RUNTIME)
                subjects[process].runtime = fact->text;
            if (fact->key == JA_FACT_COMMAND && !subjects[process].command)
                subjects[process].command = fact->text;
        }
    }
    return subjects;
}

/* ---- stated by the operator, printed in the record, candidates of the table -------------------
 */

/* How many processes of a scope a cap speaks of, on the boot that was asked about last: series come
 * boot by boot. The place of the count; 0: not asked yet. */
static size_t *counted_on(struct counted *counted, const struct ja_process *process)
{
    if (counted->boot != process->boot)
        *counted = (struct counted){.boot = process->boot};
    return &counted->of_scope[process->scope];
}

static size_t count_stated(struct joining *j, size_t index, const struct ja_process *who)
{
    const struct ja_stated_cap *stated = &j->item->statements->caps[index];
    const struct ja_boot *boot = &j->item->boots[who->boot];
    size_t *count = counted_on(&j->counted_stated[index], who);
    if (*count)
        return *count;
    for (uint32_t i = 0; i < boot->process_count; i++) {
        const struct ja_process *other = &j->item->processes[boot->first_process + i];
        *count += other->scope == who->scope &&
                  ja_selector_picks(&stated->who, other->name, other->pid, other->coalition);
    }
    return *count;
}

static void join_stated(struct joining *j, uint32_t process)
{
    const struct ja_case *item = j->item;
    const struct ja_process *who = &item->processes[process];
    for (size_t i = 0; i < item->statements->cap_count; i++) {
        const struct ja_stated_cap *stated = &item->statements->caps[i];
        if (!ja_selector_picks(&stated->who, who->name, who->pid, who->coalition))
            continue;
        struct ja_cap *cap = add_cap(j);
        cap->name = stated->name;
        cap->source = stated->source;
        cap->from = "operator";
        cap->cap_bytes = stated->bytes;
        cap->processes = count_stated(j, i, who);
    }
}

static struct ja_cap *same_limit(struct joining *j, const char *name)
{
    for (size_t i = 0; i < j->cap_count; i++)
        if (j->caps[i].stated && strcmp(j->caps[i].name, name) == 0)
            return &j->caps[i];
    struct ja_cap *cap = add_cap(j);
    cap->name = name;
    cap->source = "printed in the evidence";
    cap->from = "record";
    cap->stated = true;
    return cap;
}

/* Limits that a command line, a cgroup file or a report prints for this process; the latest. */
static void join_recorded(struct joining *j, uint32_t process)
{
    size_t count;
    const struct ja_limit *limits = ja_limits_of(&j->known->limits, process, &count);
    for (size_t i = 0; i < count; i++) {
        struct ja_cap *cap = same_limit(j, limits[i].name);
        cap->cap_bytes = limits[i].bytes;
        cap->processes = limits[i].sharers;
    }
}

static size_t count_picked(struct joining *j, uint32_t process, const struct ja_cap_row *row)
{
    const struct ja_process *who = &j->item->processes[process];
    const struct ja_boot *boot = &j->item->boots[who->boot];
    size_t *count = counted_on(&j->counted[row - j->known->rows], who);
    if (*count)
        return *count;
    for (uint32_t i = 0; i < boot->process_count; i++) {
        uint32_t p = boot->first_process + i;
        *count += j->item->processes[p].scope == who->scope &&
                  ja_cap_row_picks(row, &j->known->subjects[p]);
    }
    if (!*count)
        *count = 1;
    return *count;
}

/* A formula of the working set that comes to the same for every Mac seen (two thirds of RAM to all
 * of it) needs none. */
static bool is_same_for_any_set(const char *formula, struct ja_cap_values *values, double *ret)
{
    double least, most;
    values->rec = values->ram * 2 / 3;
    bool reads = ja_cap_formula(formula, values, &least);
    values->rec = values->ram;
    reads = reads && ja_cap_formula(formula, values, &most);
    *ret = reads && least == most ? most : NAN;
    return reads;
}

static void add_figure(struct joining *j, uint32_t process, const struct ja_cap_row *row,
                       double bytes, const char *why)
{
    if (!(bytes >= 1) || bytes >= (double)JA_LEAST_UNLIMITED)
        return;
    int64_t whole = (int64_t)(bytes + 0.5);
    for (size_t i = 0; i < j->cap_count; i++)
        if (strcmp(j->caps[i].name, row->name) == 0 && j->caps[i].cap_bytes == whole)
            return; /* of another working set */
    const struct ja_metal_set *set = &j->known->sets[j->item->processes[process].host];
    struct ja_cap *cap = add_cap(j);
    cap->name = row->name;
    cap->source = why ? ja_arena_print(j->item->arena, "%s; %s", row->source, why) : row->source;
    cap->from = why && set->recorded ? "record" : "table";
    cap->cap_bytes = whole;
    cap->processes = count_picked(j, process, row);
}

static void add_row(struct joining *j, uint32_t process, const struct ja_cap_row *row,
                    struct ja_cap_values *values)
{
    const struct ja_metal_set *set = &j->known->sets[j->item->processes[process].host];
    bool metal = strstr(row->formula, "rec") != NULL;
    double bytes;
    for (size_t i = 0; metal && i < set->count; i++) {
        values->rec = set->bytes[i];
        if (ja_cap_formula(row->formula, values, &bytes))
            add_figure(j, process, row, bytes, set->why[i]);
    }
    values->rec = NAN;
    if (metal && !set->count && is_same_for_any_set(row->formula, values, &bytes))
        add_figure(j, process, row, bytes, NULL);
    else if (!metal && ja_cap_formula(row->formula, values, &bytes))
        add_figure(j, process, row, bytes, NULL);
}

static struct ja_cap_values values_of(const struct ja_case *item, const struct ja_series *series)
{
    const struct ja_host *host = &item->hosts[item->processes[series->process].host];
    return (struct ja_cap_values){
        .ram = host->ram_bytes == JA_UNKNOWN ? NAN : (double)host->ram_bytes,
        .cores = host->cores == JA_UNKNOWN ? NAN : (double)host->cores,
        .rss = (double)ja_series_smallest(series),
    };
}

static void join_table(struct joining *j, const struct ja_series *series)
{
    struct ja_cap_subject subject = j->known->subjects[series->process];
    subject.graphics &= series->metric == JA_METRIC_PHYS_FOOTPRINT; /* RSS does not see it */
    bool only_name = !subject.command && !subject.runtime && !subject.graphics;
    uint32_t name = j->item->processes[series->process].name_id;
    const struct picked *picked = &j->known->picked[j->known->picked_of[name]];
    if (only_name && !picked->row_count)
        return; /* nearly all: their readings are not looked at */
    struct ja_cap_values values = values_of(j->item, series);
    for (size_t i = 0; only_name && i < picked->row_count; i++)
        add_row(j, series->process, &j->known->rows[picked->rows[i]], &values);
    if (only_name)
        return;
    for (size_t i = 0; i < j->known->row_count; i++)
        if (ja_cap_row_picks(&j->known->rows[i], &subject))
            add_row(j, series->process, &j->known->rows[i], &values);
}

/* Most processes of a fleet share few names: the table is gone through once for each. */
static void pick_rows(const struct ja_case *item, struct known *known, struct ja_arena *arena)
{
    known->picked_of = ja_arena_alloc(arena, item->process_count, sizeof *known->picked_of);
    for (uint32_t p = 0; p < item->process_count; p++) {
        if (item->processes[p].name_id != p)
            continue; /* not the first of its name */
        struct ja_cap_subject named = {.name = item->processes[p].name};
        known->picked_of[p] = (uint32_t)known->picked_count;
        struct picked *picked =
            JA_APPEND(arena, known->picked, known->picked_count, known->picked_capacity);
        for (size_t i = 0; i < known->row_count; i++)
            if (ja_cap_row_picks(&known->rows[i], &named))
                *JA_APPEND(arena, picked->rows, picked->row_count, picked->row_capacity) = i;
    }
}

static void join_series(struct joining *j, struct ja_series *series)
{
    if (!can_reach(series->metric) || series->category || !series->point_count)
        return;
    j->cap_count = 0;
    join_stated(j, series->process);
    join_recorded(j, series->process);
    if (!j->cap_count)
        join_table(j, series);
    if (!j->cap_count)
        return;
    series->caps = ja_arena_room(j->item->arena, j->cap_count, sizeof *series->caps);
    series->cap_count = (uint32_t)j->cap_count;
    memcpy(series->caps, j->caps, j->cap_count * sizeof *j->caps);
}

/* data of the part: what is known. */
static void join_host(struct ja_part *part)
{
    struct ja_arena *scratch = part->build.scratch;
    struct joining j = {.item = &part->item, .known = part->data, .scratch = scratch};
    const struct ja_host *host = &j.item->hosts[part->host];
    j.counted = ja_arena_alloc(scratch, j.known->row_count, sizeof *j.counted);
    j.counted_stated =
        ja_arena_alloc(scratch, j.item->statements->cap_count, sizeof *j.counted_stated);
    for (uint32_t p = host->first_process; p < host->first_process + host->process_count; p++) {
        const struct ja_process *process = &j.item->processes[p];
        for (uint32_t s = 0; s < process->series_count; s++)
            join_series(&j, &j.item->series[process->first_series + s]);
    }
}

void ja_build_caps(struct ja_build *build)
{
    struct ja_case *item = build->item;
    struct known known = {.subjects = describe(build), .sets = ja_metal_sets(item)};
    const char *table = item->statements->caps_table;
    int bad;
    if (!item->statements->no_caps)
        ja_cap_table_read(table ? table : ja_caps_builtin, item->arena, &known.rows,
                          &known.row_count, &bad);
    known.limits = ja_limits_collect(item, build->scratch);
    pick_rows(item, &known, build->scratch);
    struct ja_parts parts = ja_parts_run(build, join_host, &known);
    ja_parts_done(build, &parts);
}
