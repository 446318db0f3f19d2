/* SPDX-License-Identifier: MIT
 *
 * Where one boot of a machine ends and the next begins. Said outright by boot ids and boot times;
 * proved by process ages (every survivor of one boot has aged by the same number of ticks), by
 * counters that only grow since boot (compressions), by a panic or reset in between.
 */
#include "model/build.h"
#include "model/index.h"
#include "model/parts.h"
#include "model/sort.h"

#include <stdlib.h>
#include <string.h>

/* Wall clock of a report against ticks: writer latency and clock steps. */
#define AGE_WALL_SLACK_NS (2 * JA_NS_PER_S)

struct aged_row {
    int64_t pid;
    const char *name;
    const char *uuid;
    int64_t age;
};

/* What is known of the boot that is being walked. */
struct walk {
    uint32_t boot;
    const char *boot_id;
    int64_t boot_ns;        /* stated boot time; JA_UNKNOWN */
    int64_t compressions;   /* of the last moment that tells; JA_UNKNOWN */
    struct ja_moment *aged; /* last moment with ages; NULL */
    bool tied;              /* it is tied to one before it */
    struct aged_row *rows;  /* by pid, name: its rows, or those of a whole table before it */
    size_t row_count, row_capacity;
    bool cut;            /* they are what is left of a table */
    bool closed;         /* a panic or reset ended it */
    struct ja_index ids; /* boot ids of the host: 1 + boot */
};

static bool equal(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

static int by_pid(const void *a, const void *b)
{
    const struct aged_row *x = a, *y = b;
    if (x->pid != y->pid)
        return x->pid < y->pid ? -1 : 1;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->age < y->age ? -1 : x->age > y->age);
}

/* A copy in order: by pid, and the few of one pid by name and age. */
static struct aged_row *sorted_rows(const struct aged_row *rows, size_t count,
                                    struct ja_arena *arena)
{
    struct ja_keyed *order = ja_arena_alloc(arena, 2 * count, sizeof *order);
    for (uint32_t i = 0; i < count; i++)
        order[i] = (struct ja_keyed){ja_rising_key(rows[i].pid), i};
    ja_sort_keyed(order, order + count, count);
    struct aged_row *sorted = ja_arena_alloc(arena, count, sizeof *sorted);
    for (size_t i = 0; i < count; i++)
        sorted[i] = rows[order[i].item];
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && sorted[end].pid == sorted[i].pid;)
            end++;
        ja_sort(sorted + i, end - i, sizeof *sorted, by_pid);
    }
    return sorted;
}

static size_t list_rows(const struct ja_build *build, const struct ja_moment *moment,
                        struct aged_row **ret)
{
    const struct ja_evidence *evidence = ja_moment_evidence(build, moment);
    struct aged_row *rows = ja_arena_alloc(build->scratch, moment->subject_count, sizeof *rows);
    size_t count = 0;
    for (size_t i = 0; i < moment->subject_count; i++) {
        const struct ja_subject *s = &evidence->subjects[moment->subjects[i]];
        if (s->age_ticks != JA_UNKNOWN && s->pid != JA_UNKNOWN && s->name)
            rows[count++] = (struct aged_row){s->pid, s->name, s->uuid, s->age_ticks};
    }
    *ret = sorted_rows(rows, count, build->scratch);
    return count;
}

/* Its table ends early: which rows are left is chance. */
static bool is_cut(const struct ja_build *build, const struct ja_moment *moment)
{
    const struct ja_evidence *evidence = ja_moment_evidence(build, moment);
    const struct ja_record *record = ja_moment_record(build, moment);
    for (uint32_t i = 0; i < record->fact_count; i++)
        if (evidence->facts[record->first_fact + i].key == JA_FACT_TABLE_CUT)
            return true;
    return false;
}

/* Age differences of rows with equal pid and name (and uuid, where both tell), sorted. */
static size_t age_differences(const struct walk *walk, const struct aged_row *rows, size_t count,
                              struct ja_arena *arena, int64_t **ret)
{
    struct ja_keyed *differences = ja_arena_alloc(arena, 2 * count, sizeof *differences);
    size_t found = 0, k = 0;
    for (size_t i = 0; i < count; i++) {
        while (k < walk->row_count &&
               by_pid(&walk->rows[k],
                      &(struct aged_row){rows[i].pid, rows[i].name, NULL, INT64_MIN}) < 0)
            k++;
        if (k == walk->row_count || walk->rows[k].pid != rows[i].pid ||
            strcmp(walk->rows[k].name, rows[i].name) != 0)
            continue;
        if (walk->rows[k].uuid && rows[i].uuid && strcmp(walk->rows[k].uuid, rows[i].uuid) != 0)
            continue;
        int64_t difference = ja_subtract(rows[i].age, walk->rows[k].age);
        differences[found++] = (struct ja_keyed){.key = ja_rising_key(difference)};
    }
    ja_sort_keyed(differences, differences + count, found);
    *ret = ja_arena_alloc(arena, found, sizeof **ret);
    for (size_t i = 0; i < found; i++)
        (*ret)[i] = ja_rising_number(differences[i].key);
    return found;
}

/* The difference that most rows share within the tolerance; *ret_support = how many. */
static int64_t common_difference(const int64_t *differences, size_t count, size_t *ret_support)
{
    int64_t best = JA_UNKNOWN;
    size_t support = 0;
    for (size_t i = 0, end = 0; i < count; i++) {
        if (end < i)
            end = i;
        while (end < count && differences[end] - differences[i] <= JA_AGE_TOLERANCE_TICKS)
            end++;
        if (end - i > support) {
            support = end - i;
            best = differences[i + support / 2];
        }
    }
    *ret_support = support;
    return best;
}

static int64_t ticks_ns(int64_t ticks, int64_t hz)
{
    return (int64_t)((double)ticks / (double)hz * 1e9);
}

enum tie { TIE_NONE, TIE_SAME, TIE_OTHER };

/* Do the ages tie this moment to the boot of the last aged one? *ret_shift = ticks in between. */
static enum tie tie_by_age(const struct ja_build *build, const struct walk *walk,
                           const struct ja_moment *moment, const struct aged_row *rows,
                           size_t count, int64_t *ret_shift)
{
    if (!walk->aged || !count)
        return TIE_NONE;
    int64_t *differences;
    size_t found = age_differences(walk, rows, count, build->scratch, &differences), support;
    if (!found)
        return TIE_NONE;
    int64_t shift = common_difference(differences, found, &support);
    int64_t hz = moment->system->tick_hz != JA_UNKNOWN ? moment->system->tick_hz : 24000000;
    bool fits = shift >= 0;
    if (fits && ja_instant_known(&moment->at) && ja_instant_known(&walk->aged->at))
        fits =
            ticks_ns(shift, hz) <= moment->at.unix_ns - walk->aged->at.unix_ns + AGE_WALL_SLACK_NS;
    /* After a reboot daemons start in the same order with the same pids: a few rows may agree by
     * chance, never most of them. A single row is believed only when no other contradicts, and not
     * when the others are cut off: it may have started anew. */
    if (!fits || support * 3 < found)
        return TIE_OTHER;
    if (support == 1 && (found > 1 || walk->cut || is_cut(build, moment)))
        return TIE_NONE;
    *ret_shift = shift;
    return TIE_SAME;
}

static bool ends_boot(enum ja_event_kind kind)
{
    return kind == JA_EVENT_PANIC || kind == JA_EVENT_RESET || kind == JA_EVENT_FORCE_RESET;
}

/* Marks the moments whose records tell the end of a boot; one walk over each file's events. */
static void mark_ends(struct ja_build *build)
{
    const struct ja_case *item = build->item;
    bool **marks = ja_arena_alloc(build->scratch, item->source_count, sizeof *marks);
    for (size_t i = 0; i < item->source_count; i++) {
        const struct ja_evidence *evidence = item->sources[i].evidence;
        marks[i] = ja_arena_alloc(build->scratch, evidence->record_count, sizeof *marks[i]);
        for (size_t e = 0; e < evidence->event_count; e++)
            if (ends_boot(evidence->events[e].kind) && evidence->events[e].record != JA_NONE)
                marks[i][evidence->events[e].record] = true;
    }
    for (size_t i = 0; i < build->moment_count; i++) {
        struct ja_moment *moment = &build->moments[i];
        moment->ends_boot = marks[moment->source][moment->record];
    }
}

static enum tie tie_by_statement(const struct walk *walk, const struct ja_moment *moment)
{
    if (moment->system->boot_id && walk->boot_id)
        return equal(moment->system->boot_id, walk->boot_id) ? TIE_SAME : TIE_OTHER;
    if (moment->boot_at && walk->boot_ns != JA_UNKNOWN)
        return llabs(moment->boot_at->unix_ns - walk->boot_ns) <= JA_BOOT_TIME_SLACK_NS ? TIE_SAME
                                                                                        : TIE_OTHER;
    /* A boot that was stated to begin after the boot at hand was last seen is another one. */
    if (moment->boot_at && walk->aged && ja_instant_known(&walk->aged->at) &&
        moment->boot_at->unix_ns > walk->aged->at.unix_ns + JA_BOOT_TIME_SLACK_NS)
        return TIE_OTHER;
    return TIE_NONE;
}

static void open_boot(struct ja_build *build, struct walk *walk, uint32_t host)
{
    struct ja_case *item = build->item;
    struct ja_boot *boot =
        JA_APPEND(item->arena, item->boots, item->boot_count, item->boot_capacity);
    boot->host = host;
    boot->start = boot->last_seen = ja_instant_none();
    boot->ended_event = JA_NONE;
    boot->cores = JA_UNKNOWN;
    *walk = (struct walk){.boot = (uint32_t)item->boot_count - 1,
                          .boot_ns = JA_UNKNOWN,
                          .compressions = JA_UNKNOWN,
                          .ids = walk->ids,
                          .rows = walk->rows,
                          .row_capacity = walk->row_capacity};
}

/* A boot id names its boot for good: files of it that lie among those of another boot (two machines
 * in one folder, none of them named) go back to it. False when the host has no boot of that id. */
static bool resume_boot(const struct ja_case *item, struct walk *walk, const char *boot_id)
{
    uint32_t number = boot_id ? ja_index_find(&walk->ids, boot_id, 0) : 0;
    if (!number)
        return false;
    const struct ja_boot *boot = &item->boots[number - 1];
    *walk = (struct walk){
        .boot = number - 1,
        .boot_id = boot->id,
        .boot_ns = boot->start.clock == JA_CLOCK_REPORT ? boot->start.unix_ns : JA_UNKNOWN,
        .compressions = JA_UNKNOWN,
        .ids = walk->ids,
        .rows = walk->rows,
        .row_capacity = walk->row_capacity,
    };
    return true;
}

/* The earliest "not later than" that the ages of a moment give for the boot. */
static void bound_start(struct ja_boot *boot, const struct ja_moment *moment,
                        const struct aged_row *rows, size_t count)
{
    if (!count || !ja_instant_known(&moment->at) || moment->system->tick_hz == JA_UNKNOWN)
        return;
    int64_t oldest = 0;
    for (size_t i = 0; i < count; i++)
        if (rows[i].age > oldest)
            oldest = rows[i].age;
    int64_t latest = moment->at.unix_ns - ticks_ns(oldest, moment->system->tick_hz);
    latest -= latest % JA_NS_PER_US;
    if (boot->start.clock == JA_CLOCK_REPORT ||
        (ja_instant_known(&boot->start) && boot->start.unix_ns <= latest))
        return;
    boot->start = (struct ja_instant){latest, JA_UNKNOWN, latest, JA_CLOCK_DERIVED, NULL};
}

static void take_id(struct ja_case *item, struct walk *walk, const char *boot_id)
{
    walk->boot_id = item->boots[walk->boot].id = boot_id;
    *ja_index_note(&walk->ids, item->arena, boot_id, 0) = walk->boot + 1;
}

static void take_statement(struct ja_case *item, struct walk *walk, const struct ja_moment *moment)
{
    struct ja_boot *boot = &item->boots[walk->boot];
    if (moment->system->boot_id && !walk->boot_id)
        take_id(item, walk, moment->system->boot_id);
    if (moment->boot_at && walk->boot_ns == JA_UNKNOWN) {
        walk->boot_ns = moment->boot_at->unix_ns;
        boot->start = *moment->boot_at;
        boot->start.clock = JA_CLOCK_REPORT;
    }
    if (moment->system->kernel)
        boot->kernel = moment->system->kernel;
    if (moment->system->cores != JA_UNKNOWN)
        boot->cores = moment->system->cores;
    int64_t compressions = ja_get_figure(
        &item->sources[moment->source].evidence->records[moment->record], JA_FIGURE_COMPRESSIONS);
    if (compressions != JA_UNKNOWN)
        walk->compressions = compressions;
    if (ja_instant_known(&moment->at) &&
        (!ja_instant_known(&boot->last_seen) || boot->last_seen.unix_ns < moment->at.unix_ns))
        boot->last_seen = moment->at;
}

static bool fell(int64_t before, int64_t after)
{
    return before != JA_UNKNOWN && after != JA_UNKNOWN && after < before;
}

/* Rows to compare the next moment by: this one's, unless its table is a stump beside those at hand
 * (a report that was cut), which then age with it. */
static void follow(struct ja_arena *arena, struct walk *walk, const struct aged_row *rows,
                   size_t count, int64_t shift, bool cut)
{
    if (!walk->tied || count >= walk->row_count / 2) {
        JA_RESERVE(arena, walk->rows, 0, walk->row_capacity, count);
        memcpy(walk->rows, rows, count * sizeof *rows);
        walk->row_count = count;
        walk->cut = cut;
        return;
    }
    for (size_t i = 0; i < walk->row_count; i++)
        walk->rows[i].age = ja_add(walk->rows[i].age, shift);
}

static void place(struct ja_build *build, struct walk *walk, struct ja_moment *moment)
{
    struct aged_row *rows;
    size_t count = list_rows(build, moment, &rows);
    int64_t shift = 0,
            compressions = ja_get_figure(ja_moment_record(build, moment), JA_FIGURE_COMPRESSIONS);
    bool ends = moment->ends_boot;
    bool event_only = ends && moment->subject_count == 0 && !moment->boot_at;
    enum tie tie = walk->boot == JA_NONE ? TIE_OTHER : tie_by_statement(walk, moment);
    enum tie age =
        walk->boot == JA_NONE ? TIE_NONE : tie_by_age(build, walk, moment, rows, count, &shift);
    if (tie == TIE_NONE)
        tie = age;
    if (tie != TIE_SAME && fell(walk->compressions, compressions) &&
        ja_moment_record(build, moment)->kind == JA_KIND_JETSAM)
        tie = TIE_OTHER;
    if (tie == TIE_NONE && walk->closed && !event_only && ja_instant_known(&moment->at))
        tie = TIE_OTHER;
    if (tie == TIE_OTHER && !resume_boot(build->item, walk, moment->system->boot_id))
        open_boot(build, walk, moment->host);
    moment->boot = walk->boot;
    take_statement(build->item, walk, moment);
    /* A stump of a table that begins a boot and has no row of the next one ties nothing. */
    bool stump = walk->aged && !walk->tied && age == TIE_NONE && count > walk->row_count;
    if (count && (!walk->aged || age == TIE_SAME || stump)) {
        walk->tied = walk->aged && !stump;
        moment->aged = true;
        moment->age_offset = walk->tied ? ja_add(walk->aged->age_offset, shift) : 0;
        if (stump)
            walk->aged->aged = false;
        walk->aged = moment;
        follow(build->item->arena, walk, rows, count, shift, is_cut(build, moment));
        bound_start(&build->item->boots[walk->boot], moment, rows, count);
    }
    walk->closed |= ends;
    ja_arena_reset(build->scratch);
}

/* The boots of one host, numbered from 0. */
static void walk_host(struct ja_part *part)
{
    struct ja_build *build = &part->build;
    struct ja_case *item = &part->item;
    struct walk walk = {.boot = JA_NONE, .boot_ns = JA_UNKNOWN, .compressions = JA_UNKNOWN};
    item->boots = NULL;
    item->boot_count = item->boot_capacity = 0;
    for (size_t i = 0; i < build->moment_count; i++)
        place(build, &walk, &build->moments[i]);
    ja_arena_drop(item->arena, walk.rows, walk.row_capacity, sizeof *walk.rows);
}

static void number_boots(struct ja_part *part, uint32_t first)
{
    const struct ja_build *build = &part->build;
    struct ja_host *host = &part->item.hosts[part->host];
    host->first_boot = first;
    host->boot_count = (uint32_t)part->item.boot_count;
    for (size_t i = 0; i < build->moment_count; i++) {
        struct ja_moment *moment = &build->moments[i];
        moment->boot += first;
        build->item->sources[moment->source].record_boot[moment->record] = moment->boot;
    }
}

void ja_build_boots(struct ja_build *build)
{
    mark_ends(build);
    struct ja_parts parts = ja_parts_run(build, walk_host, NULL);
    size_t count = 0;
    for (size_t i = 0; i < parts.count; i++) {
        number_boots(&parts.items[i], (uint32_t)count);
        count += parts.items[i].item.boot_count;
    }
    JA_PARTS_JOIN(build->item, &parts, boots, boot_count, boot_capacity);
    ja_parts_done(build, &parts);
}
