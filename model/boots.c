/* SPDX-License-Identifier: MIT
 *
 * Where one boot of a machine ends and the next begins. Said outright by boot ids and boot times;
 * proved by process ages (every survivor of one boot has aged by the same number of ticks), by
 * counters that only grow since boot (compressions), by a panic or reset in between.
 */
#include "model/ages.h"
#include "model/build.h"
#include "model/index.h"
#include "model/parts.h"

#include <stdlib.h>
#include <string.h>

/* What is known of the boot that is being walked. */
struct walk {
    uint32_t boot;
    const char *boot_id;
    int64_t boot_ns;      /* stated boot time; JA_UNKNOWN */
    int64_t compressions; /* of the last moment that tells; JA_UNKNOWN */
    struct ja_aged_table aged;
    bool tied;           /* its last moment is tied to one before it */
    bool closed;         /* a panic or reset ended it */
    struct ja_index ids; /* boot ids of the host: 1 + boot */
};

static bool equal(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
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

enum tie { TIE_NONE, TIE_SAME, TIE_OTHER };

static enum tie tie_by_statement(const struct walk *walk, const struct ja_moment *moment)
{
    if (moment->system->boot_id && walk->boot_id)
        return equal(moment->system->boot_id, walk->boot_id) ? TIE_SAME : TIE_OTHER;
    if (moment->boot_at && walk->boot_ns != JA_UNKNOWN)
        return llabs(moment->boot_at->unix_ns - walk->boot_ns) <= JA_BOOT_TIME_SLACK_NS ? TIE_SAME
                                                                                        : TIE_OTHER;
    /* A boot that was stated to begin after the boot at hand was last seen is another one. */
    if (moment->boot_at && walk->aged.moment && ja_instant_known(&walk->aged.moment->at) &&
        moment->boot_at->unix_ns > walk->aged.moment->at.unix_ns + JA_BOOT_TIME_SLACK_NS)
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
    *walk =
        (struct walk){.boot = (uint32_t)item->boot_count - 1,
                      .boot_ns = JA_UNKNOWN,
                      .compressions = JA_UNKNOWN,
                      .ids = walk->ids,
                      .aged = {.rows = walk->aged.rows, .row_capacity = walk->aged.row_capacity}};
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
        .aged = {.rows = walk->aged.rows, .row_capacity = walk->aged.row_capacity},
    };
    return true;
}

/* The earliest "not later than" that the ages of a moment give for the boot. */
static void bound_start(struct ja_boot *boot, const struct ja_moment *moment,
                        const struct ja_aged_row *rows, size_t count)
{
    if (!count || !ja_instant_known(&moment->at) || moment->system->tick_hz == JA_UNKNOWN)
        return;
    int64_t oldest = 0;
    for (size_t i = 0; i < count; i++)
        if (rows[i].age > oldest)
            oldest = rows[i].age;
    int64_t latest = moment->at.unix_ns - ja_ticks_ns(oldest, moment->system->tick_hz);
    latest -= latest % JA_NS_PER_US;
    if (boot->clock_set || boot->start.clock == JA_CLOCK_REPORT ||
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

/* The clock was set back while the machine ran on: by the clock, reports of before and of after it
 * may lie among each other. Each goes to its side, as if to boots of their own. */
static enum ja_age_tie take_side(struct ja_build *build, struct walk *walk, struct walk *other,
                                 const struct ja_moment *moment, const struct ja_aged_row *rows,
                                 size_t count, enum ja_age_tie age, int64_t *ret_shift)
{
    if (other->boot != JA_NONE &&
        ja_aged_tie(build, &other->aged, moment, rows, count, ret_shift) == JA_AGE_SAME) {
        struct walk side = *other;
        side.ids = walk->ids;
        *other = *walk;
        *walk = side;
        return JA_AGE_SAME;
    }
    if (age != JA_AGE_CLOCK)
        return age;
    ja_arena_drop(build->item->arena, other->aged.rows, other->aged.row_capacity,
                  sizeof *other->aged.rows);
    *other = *walk;
    walk->aged = (struct ja_aged_table){0};
    open_boot(build, walk, moment->host);
    build->item->boots[walk->boot].clock_set = true;
    return JA_AGE_NONE;
}

/* The tie of a moment to the boot at hand, by all that it says. */
static enum tie tie_of(const struct ja_build *build, const struct walk *walk,
                       const struct ja_moment *moment, enum tie stated, enum ja_age_tie age)
{
    int64_t compressions = ja_get_figure(ja_moment_record(build, moment), JA_FIGURE_COMPRESSIONS);
    bool event_only = moment->ends_boot && moment->subject_count == 0 && !moment->boot_at;
    enum tie tie = stated != TIE_NONE   ? stated
                   : age == JA_AGE_SAME ? TIE_SAME
                   : age == JA_AGE_NONE ? TIE_NONE
                                        : TIE_OTHER;
    if (tie != TIE_SAME && fell(walk->compressions, compressions) &&
        ja_moment_record(build, moment)->kind == JA_KIND_JETSAM)
        tie = TIE_OTHER;
    if (tie == TIE_NONE && walk->closed && !event_only && ja_instant_known(&moment->at))
        tie = TIE_OTHER;
    return tie;
}

static void place(struct ja_build *build, struct walk *walk, struct walk *other,
                  struct ja_moment *moment)
{
    struct ja_aged_row *rows;
    size_t count = ja_aged_list(build, moment, &rows);
    int64_t shift = 0;
    enum tie stated = TIE_OTHER;
    enum ja_age_tie age = JA_AGE_NONE;
    if (walk->boot != JA_NONE) {
        stated = tie_by_statement(walk, moment);
        age = ja_aged_tie(build, &walk->aged, moment, rows, count, &shift);
    }
    if (stated == TIE_NONE && (age == JA_AGE_OTHER || age == JA_AGE_CLOCK))
        age = take_side(build, walk, other, moment, rows, count, age, &shift);
    if (tie_of(build, walk, moment, stated, age) == TIE_OTHER &&
        !resume_boot(build->item, walk, moment->system->boot_id))
        open_boot(build, walk, moment->host);
    moment->boot = walk->boot;
    take_statement(build->item, walk, moment);
    /* A stump of a table that begins a boot and has no row of the next one ties nothing. */
    struct ja_moment *before = walk->aged.moment;
    bool stump = before && !walk->tied && age == JA_AGE_NONE && count > walk->aged.row_count;
    if (count && (!before || age == JA_AGE_SAME || stump)) {
        walk->tied = before && !stump;
        moment->aged = true;
        moment->age_offset = walk->tied ? ja_add(before->age_offset, shift) : 0;
        if (stump)
            before->aged = false;
        ja_aged_follow(build, &walk->aged, walk->tied, moment, rows, count, shift);
        bound_start(&build->item->boots[walk->boot], moment, rows, count);
    }
    walk->closed |= moment->ends_boot;
    ja_arena_reset(build->scratch);
}

/* The boots of one host, numbered from 0. */
static void walk_host(struct ja_part *part)
{
    struct ja_build *build = &part->build;
    struct ja_case *item = &part->item;
    struct walk walk = {.boot = JA_NONE, .boot_ns = JA_UNKNOWN, .compressions = JA_UNKNOWN};
    struct walk other = walk;
    item->boots = NULL;
    item->boot_count = item->boot_capacity = 0;
    for (size_t i = 0; i < build->moment_count; i++)
        place(build, &walk, &other, &build->moments[i]);
    ja_arena_drop(item->arena, walk.aged.rows, walk.aged.row_capacity, sizeof *walk.aged.rows);
    ja_arena_drop(item->arena, other.aged.rows, other.aged.row_capacity, sizeof *other.aged.rows);
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
