/* SPDX-License-Identifier: MIT */
#include "model/clock.h"

#include "model/clock_parts.h"

static int64_t floor_us(int64_t ns)
{
    int64_t rest = ns % JA_NS_PER_US;
    return ns - (rest < 0 ? rest + JA_NS_PER_US : rest);
}

static int64_t ceil_us(int64_t ns)
{
    return floor_us(ja_add(ns, JA_NS_PER_US - 1));
}

/* A bound must hold in whatever zone the clock was: the last place on earth is 12 h behind UTC. */
#define WEST_NS (12 * JA_NS_PER_HOUR)

static bool placeable(int64_t unix_ns)
{
    return unix_ns >= INT64_C(946684800) * JA_NS_PER_S && /* 2000 */
           unix_ns < INT64_C(4133980800) * JA_NS_PER_S;   /* 2101 */
}

/* late_extra_ns: how much later than unix_ns the base of the time may be. */
static struct ja_instant instant_from(const struct ja_stamp *stamp, int64_t unix_ns,
                                      int64_t late_extra_ns)
{
    int64_t at = ja_add(unix_ns, stamp->shift_ns);
    bool day =
        stamp->step_ns >= JA_CLOCK_DAY_NS; /* a date alone: noon is the best guess of the day */
    struct ja_instant instant = {
        .unix_ns = floor_us(ja_add(at, day ? stamp->step_ns / 2 : 0)),
        .early_ns = floor_us(ja_subtract(at, ja_add(stamp->error_ns, stamp->before_ns))),
        .late_ns = ceil_us(ja_add(ja_add(at, stamp->step_ns),
                                  ja_add(ja_add(stamp->error_ns, stamp->after_ns), late_extra_ns))),
        .clock = stamp->clock,
        .text = stamp->text,
    };
    if (stamp->parts & JA_STAMP_NOT_AFTER)
        instant.unix_ns = instant.early_ns = JA_UNKNOWN;
    return instant;
}

/* Boot that since-boot stamps of this file count from: the operator's or the file's own. */
static bool boot_of(const struct ja_clock_work *w, int64_t *ret_unix_ns, int64_t *ret_step_ns)
{
    const struct ja_evidence *e = w->evidence;
    *ret_step_ns = 0;
    *ret_unix_ns = w->context->boot_unix_ns;
    if (*ret_unix_ns != JA_UNKNOWN)
        return true;
    /* A log of several boots: one of them may be known, the others are not. */
    for (size_t i = 1; i < e->system_count; i++)
        if (e->systems[i].boot_stamp != e->systems[0].boot_stamp)
            return false;
    for (size_t i = 0; i < e->system_count; i++) {
        uint32_t stamp = e->systems[i].boot_stamp;
        if (stamp == JA_NONE || w->local_ns[stamp] == JA_UNKNOWN)
            continue;
        *ret_unix_ns = w->local_ns[stamp] - w->offset_s[stamp] * JA_NS_PER_S;
        *ret_step_ns = e->stamps[stamp].step_ns;
        return true;
    }
    return false;
}

static struct ja_instant place(struct ja_clock_work *w, uint32_t index)
{
    const struct ja_stamp *stamp = &w->evidence->stamps[index];
    struct ja_instant none = {JA_UNKNOWN, JA_UNKNOWN, JA_UNKNOWN, JA_CLOCK_NONE, stamp->text};
    int64_t unix_ns, late_extra_ns = 0;
    if (stamp->parts & JA_STAMP_BOOT && !(stamp->parts & (JA_STAMP_UNIX | JA_STAMP_DATE))) {
        if (!boot_of(w, &unix_ns, &late_extra_ns))
            return none;
        unix_ns = ja_add(unix_ns, stamp->since_boot_ns);
    } else {
        if (w->local_ns[index] == JA_UNKNOWN)
            return none;
        unix_ns = ja_subtract(w->local_ns[index], w->offset_s[index] * JA_NS_PER_S);
        if (w->assumed[index] && stamp->parts & JA_STAMP_NOT_AFTER)
            late_extra_ns = WEST_NS;
    }
    if (placeable(unix_ns))
        return instant_from(stamp, unix_ns, late_extra_ns);
    if (w->uses[index] & JA_STAMP_USED)
        ja_diagnose(w->evidence, JA_WARNING, "bad-time", 0, NULL,
                    "time outside 2000..2100 left out: %.60s", stamp->text ? stamp->text : "?");
    return none;
}

/* Says what could not be settled; true when a zone was assumed. */
static bool report(struct ja_clock_work *w)
{
    const struct ja_evidence *e = w->evidence;
    size_t zoneless = 0, dateless = 0;
    for (uint32_t i = 0; i < e->stamp_count; i++) {
        if (!(w->uses[i] & JA_STAMP_USED))
            continue;
        dateless += ja_clock_needs_date(&e->stamps[i]) && w->local_ns[i] == JA_UNKNOWN;
        zoneless += w->assumed[i] && w->local_ns[i] != JA_UNKNOWN;
    }
    if (dateless)
        ja_diagnose(w->evidence, JA_WARNING, "no-date", 0, NULL,
                    "%zu clock readings without a date or year, and none to take it from: their "
                    "entries are undated",
                    dateless);
    if (zoneless)
        ja_diagnose(w->evidence, JA_NOTE, "zone-unknown", 0, NULL,
                    "%zu clock readings name no zone that can be told: UTC assumed; order and "
                    "differences hold (--tz settles it)",
                    zoneless);
    return zoneless > 0;
}

bool ja_clock_resolve(struct ja_evidence *evidence, const struct ja_clock_context *context,
                      struct ja_instant *ret_instants)
{
    size_t count = evidence->stamp_count;
    struct ja_clock_work w = {
        .evidence = evidence,
        .context = context,
        .uses = evidence->stamp_uses,
        .local_ns = ja_arena_alloc(evidence->clock, count + 1, sizeof *w.local_ns),
        .sooner_ns = ja_arena_alloc(evidence->clock, count + 1, sizeof *w.sooner_ns),
        .offset_s = ja_arena_alloc(evidence->clock, count + 1, sizeof *w.offset_s),
        .assumed = ja_arena_alloc(evidence->clock, count + 1, sizeof *w.assumed),
        .name = evidence->name_stamp,
    };
    ja_clock_settle_zones(&w);
    ja_clock_carry_dates(&w);
    ja_clock_end_summer(&w);
    for (uint32_t i = 0; i < count; i++) {
        ret_instants[i] = place(&w, i);
        if (ret_instants[i].early_ns != JA_UNKNOWN)
            ret_instants[i].early_ns -= w.sooner_ns[i];
    }
    return report(&w);
}

bool ja_clock_stated(const struct ja_stamp *stamp, const struct ja_statements *statements,
                     struct ja_instant *ret)
{
    int64_t unix_ns;
    if (stamp->parts & JA_STAMP_UNIX) {
        unix_ns = stamp->unix_ns;
    } else if (stamp->parts & JA_STAMP_DATE) {
        int offset_s = statements->has_zone ? statements->zone_offset_s : 0;
        if (stamp->parts & JA_STAMP_ZONE)
            offset_s = stamp->offset_s;
        unix_ns = ja_clock_midnight(stamp->year, stamp->month, stamp->day) +
                  ja_clock_of_day(stamp) - offset_s * JA_NS_PER_S;
    } else {
        return false;
    }
    if (!placeable(unix_ns))
        return false;
    *ret = instant_from(stamp, unix_ns, 0);
    return true;
}
