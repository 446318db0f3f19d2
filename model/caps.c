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
#include "model/index.h"

#define LEAST_UNLIMITED ((int64_t)1 << 60) /* "no limit" of old cgroups */
#define MOST_REC 2

/* Recommended working set of Metal on one host. */
struct working_set {
    double bytes[MOST_REC];
    const char *why[MOST_REC];
    size_t count;
    bool recorded; /* the evidence prints it */
};

/* A limit that the evidence prints for a process. */
struct limit {
    uint32_t process;
    size_t order; /* as found: a later one of the same name replaces an earlier one */
    const char *name;
    int64_t bytes;
};

/* The rows of the table that speak of a name of which nothing else is known. Most processes of a
 * fleet share few names. */
struct picked {
    size_t *rows, row_count, row_capacity;
};

/* How many processes a row speaks of, on the boot it was last asked about: series come boot by
 * boot. */
struct counted {
    uint32_t boot;
    enum ja_scope scope;
    size_t processes; /* 0: not asked yet */
};

struct joining {
    struct ja_case *item;
    struct ja_arena *scratch;
    struct picked *picked;
    size_t picked_count, picked_capacity;
    struct ja_index picked_of; /* name -> 1 + index in picked */
    struct limit *limits;      /* by process */
    size_t limit_count, limit_capacity;
    struct ja_cap_subject *subjects; /* one per process */
    struct working_set *sets;        /* one per host */
    struct ja_cap_row *rows;
    size_t row_count;
    struct counted *counted; /* one per row */
    struct ja_cap *caps;     /* of the series at hand */
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
    struct ja_cap *cap = JA_APPEND(j->item->arena, j->caps, j->cap_count, j->cap_capacity);
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
    for (size_t i = 0; i < evidence->reading_count; i++) {
        const struct ja_reading *reading = &evidence->readings[i];
        uint32_t process = source->subject_process[reading->subject];
        if (reading->metric == JA_METRIC_PHYS_FOOTPRINT && process != JA_NONE &&
            graphics[reading->subject] > 0 && graphics[reading->subject] >= reading->value / 2)
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
                                              .command = item->processes[p].command};
    for (size_t i = 0; i < item->source_count; i++) {
        const struct ja_source *source = &item->sources[i];
        if (source->duplicate_of != JA_NONE)
            continue;
        find_graphics(source, build->scratch, subjects);
        for (size_t k = 0; k < source->evidence->fact_count; k++) {
            const struct ja_fact *fact = &source->evidence->facts[k];
            uint32_t process =
                fact->subject == JA_NONE ? JA_NONE : source->subject_process[fact->subject];
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

/* ---- the working set of Metal ---------------------------------------------------------------- */

static void add_set(struct working_set *set, double bytes, const char *why)
{
    if (isfinite(bytes) && set->count < MOST_REC) {
        set->bytes[set->count] = bytes;
        set->why[set->count++] = why;
    }
}

/* "macOS 26.4.1 (25E253)" -> 26; 0 when not said. */
static int macos_version(const char *os)
{
    static const char name[] = "macOS ";
    int version = 0;
    if (!os || strncmp(os, name, sizeof name - 1) != 0)
        return 0;
    for (const char *at = os + sizeof name - 1; *at >= '0' && *at <= '9' && version < 1000; at++)
        version = version * 10 + (*at - '0');
    return version;
}

static void stock_set(const struct ja_host *host, struct working_set *set)
{
    double old, new;
    int version = macos_version(host->os);
    ja_working_set(host->ram_bytes == JA_UNKNOWN ? NAN : (double)host->ram_bytes, &old, &new);
    if (version < 26)
        add_set(set, old, "stock working set up to macOS 15");
    if (version == 0 || version >= 26)
        add_set(set, new, "stock working set from macOS 26 on");
}

static struct working_set *find_sets(const struct ja_case *item)
{
    struct working_set *sets = ja_arena_alloc(item->arena, item->host_count, sizeof *sets);
    for (size_t i = 0; i < item->source_count; i++) {
        const struct ja_source *source = &item->sources[i];
        for (size_t k = 0; k < source->evidence->fact_count; k++) {
            const struct ja_fact *fact = &source->evidence->facts[k];
            uint32_t host =
                source->duplicate_of == JA_NONE ? source->record_host[fact->record] : JA_NONE;
            if (fact->key != JA_FACT_LIMIT || fact->value <= 0 || !fact->text || host == JA_NONE ||
                (strcmp(fact->text, "iogpu.wired_limit_mb") != 0 &&
                 strcmp(fact->text, "recommended working set") != 0))
                continue;
            sets[host] = (struct working_set){.recorded = true};
            add_set(&sets[host], (double)fact->value, fact->text);
        }
    }
    for (size_t h = 0; h < item->host_count; h++)
        if (!sets[h].recorded)
            stock_set(&item->hosts[h], &sets[h]);
    return sets;
}

/* ---- stated by the operator, printed in the record, candidates of the table -------------------
 */

/* Processes of one boot are neighbours. */
static void neighbours(const struct ja_case *item, uint32_t process, uint32_t *ret_first,
                       uint32_t *ret_end)
{
    const struct ja_process *all = item->processes, *who = &all[process];
    uint32_t first = process, end = process + 1;
    while (first > 0 && all[first - 1].host == who->host && all[first - 1].boot == who->boot)
        first--;
    while (end < item->process_count && all[end].host == who->host && all[end].boot == who->boot)
        end++;
    *ret_first = first;
    *ret_end = end;
}

static void join_stated(struct joining *j, uint32_t process)
{
    const struct ja_case *item = j->item;
    const struct ja_process *who = &item->processes[process];
    for (size_t i = 0; i < item->statements->cap_count; i++) {
        const struct ja_stated_cap *stated = &item->statements->caps[i];
        uint32_t p, end;
        if (!ja_selector_picks(&stated->who, who->name, who->pid, who->coalition))
            continue;
        struct ja_cap *cap = add_cap(j);
        cap->name = stated->name;
        cap->source = stated->source;
        cap->from = "operator";
        cap->cap_bytes = stated->bytes;
        cap->processes = 0;
        for (neighbours(item, process, &p, &end); p < end; p++) {
            const struct ja_process *other = &item->processes[p];
            cap->processes +=
                other->scope == who->scope &&
                ja_selector_picks(&stated->who, other->name, other->pid, other->coalition);
        }
    }
}

static bool limits_memory(const struct ja_fact *fact)
{
    return fact->key == JA_FACT_LIMIT && fact->subject != JA_NONE && fact->text &&
           fact->value > 0 && fact->value < LEAST_UNLIMITED && !strstr(fact->text, "swap") &&
           !strstr(fact->text, "semi-space") && !strstr(fact->text, "MaxRAM");
}

static int by_process(const void *a, const void *b)
{
    const struct limit *x = a, *y = b;
    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static void collect_limits(struct joining *j)
{
    for (size_t i = 0; i < j->item->source_count; i++) {
        const struct ja_source *source = &j->item->sources[i];
        for (size_t k = 0; k < source->evidence->fact_count; k++) {
            const struct ja_fact *fact = &source->evidence->facts[k];
            if (!limits_memory(fact) || source->duplicate_of != JA_NONE ||
                source->subject_process[fact->subject] == JA_NONE)
                continue;
            struct limit *limit =
                JA_APPEND(j->item->arena, j->limits, j->limit_count, j->limit_capacity);
            *limit = (struct limit){source->subject_process[fact->subject], j->limit_count,
                                    fact->text, fact->value};
        }
    }
    if (j->limit_count)
        qsort(j->limits, j->limit_count, sizeof *j->limits, by_process);
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

static size_t first_limit(const struct joining *j, uint32_t process)
{
    size_t low = 0, high = j->limit_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (j->limits[middle].process < process)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Processes of one name on this boot for which the evidence prints the same limit. */
static size_t count_limited(const struct joining *j, const struct limit *limit)
{
    const struct ja_process *all = j->item->processes;
    uint32_t first, end, last = JA_NONE;
    size_t count = 0;
    neighbours(j->item, limit->process, &first, &end);
    for (size_t i = first_limit(j, first); i < j->limit_count && j->limits[i].process < end; i++) {
        const struct limit *other = &j->limits[i];
        if (other->process == last || other->bytes != limit->bytes ||
            strcmp(other->name, limit->name) != 0 ||
            strcmp(all[other->process].name, all[limit->process].name) != 0)
            continue;
        last = other->process;
        count++;
    }
    return count;
}

/* Limits that a command line, a cgroup file or a report prints for this process; the latest. */
static void join_recorded(struct joining *j, uint32_t process)
{
    for (size_t i = first_limit(j, process); i < j->limit_count && j->limits[i].process == process;
         i++) {
        struct ja_cap *cap = same_limit(j, j->limits[i].name);
        cap->cap_bytes = j->limits[i].bytes;
        cap->processes = count_limited(j, &j->limits[i]);
    }
}

static size_t count_picked(struct joining *j, uint32_t process, const struct ja_cap_row *row)
{
    const struct ja_process *who = &j->item->processes[process];
    struct counted *counted = &j->counted[row - j->rows];
    if (counted->processes && counted->boot == who->boot && counted->scope == who->scope)
        return counted->processes;
    size_t count = 0;
    uint32_t p, end;
    for (neighbours(j->item, process, &p, &end); p < end; p++)
        count +=
            j->item->processes[p].scope == who->scope && ja_cap_row_picks(row, &j->subjects[p]);
    *counted = (struct counted){who->boot, who->scope, count ? count : 1};
    return counted->processes;
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
    if (!(bytes >= 1) || bytes >= (double)LEAST_UNLIMITED)
        return;
    int64_t whole = (int64_t)(bytes + 0.5);
    for (size_t i = 0; i < j->cap_count; i++)
        if (strcmp(j->caps[i].name, row->name) == 0 && j->caps[i].cap_bytes == whole)
            return; /* of another working set */
    const struct working_set *set = &j->sets[j->item->processes[process].host];
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
    const struct working_set *set = &j->sets[j->item->processes[process].host];
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

static const struct picked *rows_of_name(struct joining *j, const char *name)
{
    uint32_t *known = ja_index_note(&j->picked_of, j->scratch, name, 0);
    if (*known)
        return &j->picked[*known - 1];
    struct ja_cap_subject named = {.name = name};
    struct picked *picked = JA_APPEND(j->scratch, j->picked, j->picked_count, j->picked_capacity);
    *known = (uint32_t)j->picked_count;
    for (size_t i = 0; i < j->row_count; i++)
        if (ja_cap_row_picks(&j->rows[i], &named))
            *JA_APPEND(j->scratch, picked->rows, picked->row_count, picked->row_capacity) = i;
    return picked;
}

static void join_table(struct joining *j, const struct ja_series *series)
{
    const struct ja_host *host = &j->item->hosts[j->item->processes[series->process].host];
    struct ja_cap_subject subject = j->subjects[series->process];
    struct ja_cap_values values = {
        .ram = host->ram_bytes == JA_UNKNOWN ? NAN : (double)host->ram_bytes,
        .cores = host->cores == JA_UNKNOWN ? NAN : (double)host->cores,
        .rss = (double)ja_series_smallest(series),
    };
    subject.graphics &= series->metric == JA_METRIC_PHYS_FOOTPRINT; /* RSS does not see it */
    if (!subject.command && !subject.runtime && !subject.graphics) {
        const struct picked *picked = rows_of_name(j, subject.name);
        for (size_t i = 0; i < picked->row_count; i++)
            add_row(j, series->process, &j->rows[picked->rows[i]], &values);
        return;
    }
    for (size_t i = 0; i < j->row_count; i++)
        if (ja_cap_row_picks(&j->rows[i], &subject))
            add_row(j, series->process, &j->rows[i], &values);
}

void ja_build_caps(struct ja_build *build)
{
    struct ja_case *item = build->item;
    struct joining j = {.item = item,
                        .scratch = build->scratch,
                        .subjects = describe(build),
                        .sets = find_sets(item)};
    const char *table = item->statements->caps_table;
    int bad;
    if (!item->statements->no_caps)
        ja_cap_table_read(table ? table : ja_caps_builtin, item->arena, &j.rows, &j.row_count,
                          &bad);
    j.counted = ja_arena_alloc(build->scratch, j.row_count, sizeof *j.counted);
    collect_limits(&j);
    for (size_t i = 0; i < item->series_count; i++) {
        struct ja_series *series = &item->series[i];
        if (!can_reach(series->metric) || series->category || !series->point_count)
            continue;
        j.caps = NULL;
        j.cap_count = j.cap_capacity = 0;
        join_stated(&j, series->process);
        join_recorded(&j, series->process);
        if (!j.cap_count)
            join_table(&j, series);
        series->caps = j.caps;
        series->cap_count = j.cap_count;
    }
}
