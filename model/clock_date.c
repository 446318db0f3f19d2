/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "model/clock_parts.h"

/* Loops of several tools print their clocks a little out of order; a fall of more is midnight. */
#define DISORDER_NS (600 * JA_NS_PER_S)

int64_t ja_clock_of_day(const struct ja_stamp *stamp)
{
    if (!(stamp->parts & JA_STAMP_TIME))
        return 0;
    return (stamp->hour * 3600 + stamp->minute * 60 + stamp->second) * JA_NS_PER_S +
           stamp->nanosecond;
}

int64_t ja_clock_midnight(int year, int month, int day)
{
    return ja_days_from_civil(year, month, day) * JA_CLOCK_DAY_NS;
}

/* Wall clock of a stamp that says its own date; JA_UNKNOWN when it does not. */
static int64_t own_local(const struct ja_clock_work *w, uint32_t index)
{
    const struct ja_stamp *stamp = &w->evidence->stamps[index];
    if (stamp->parts & JA_STAMP_UNIX)
        return ja_add(stamp->unix_ns, w->offset_s[index] * JA_NS_PER_S);
    if (stamp->parts & JA_STAMP_DATE)
        return ja_clock_midnight(stamp->year, stamp->month, stamp->day) + ja_clock_of_day(stamp);
    return JA_UNKNOWN;
}

bool ja_clock_needs_date(const struct ja_stamp *stamp)
{
    return !(stamp->parts & (JA_STAMP_UNIX | JA_STAMP_DATE | JA_STAMP_BOOT)) &&
           (stamp->parts & (JA_STAMP_TIME | JA_STAMP_YEARLESS));
}

/* Month and day in the year that brings them nearest to the reference. */
static int64_t nearest_year(const struct ja_stamp *stamp, int64_t reference_ns)
{
    int year = ja_unix_to_civil(reference_ns).year;
    int64_t best = JA_UNKNOWN;
    for (int y = year - 1; y <= year + 1; y++) {
        int64_t at = ja_clock_midnight(y, stamp->month, stamp->day) + ja_clock_of_day(stamp);
        if (best == JA_UNKNOWN || llabs(at - reference_ns) < llabs(best - reference_ns))
            best = at;
    }
    return best;
}

/* The first time at or after (before: at or before) the reference, a little disorder allowed. */
static int64_t carried(const struct ja_stamp *stamp, int64_t reference_ns, bool before)
{
    if (stamp->parts & JA_STAMP_YEARLESS)
        return nearest_year(stamp, reference_ns);
    int64_t day = reference_ns - reference_ns % JA_CLOCK_DAY_NS;
    int64_t at = day + ja_clock_of_day(stamp);
    if (!before && at + DISORDER_NS < reference_ns)
        at += JA_CLOCK_DAY_NS;
    if (before && at > reference_ns + DISORDER_NS)
        at -= JA_CLOCK_DAY_NS;
    return at;
}

/* A name tells the day, not the order: the first stamp is within twelve hours of it or later. */
static int64_t carried_from_name(const struct ja_clock_work *w, const struct ja_stamp *stamp)
{
    if (w->name == JA_NONE)
        return JA_UNKNOWN;
    int64_t named = own_local(w, w->name);
    if (named == JA_UNKNOWN || (stamp->parts & JA_STAMP_YEARLESS))
        return named == JA_UNKNOWN ? named : nearest_year(stamp, named);
    int64_t at = named - named % JA_CLOCK_DAY_NS + ja_clock_of_day(stamp);
    bool timed = w->evidence->stamps[w->name].parts & (JA_STAMP_TIME | JA_STAMP_UNIX);
    return timed && at + JA_CLOCK_DAY_NS / 2 < named ? at + JA_CLOCK_DAY_NS : at;
}

/* The operator's time of the first reading: the nearest date or year. */
static int64_t carried_from_statement(const struct ja_clock_work *w, uint32_t index)
{
    const struct ja_stamp *stamp = &w->evidence->stamps[index];
    if (w->context->stated_unix_ns == JA_UNKNOWN)
        return JA_UNKNOWN;
    int64_t stated = ja_add(w->context->stated_unix_ns, w->offset_s[index] * JA_NS_PER_S);
    if (stamp->parts & JA_STAMP_YEARLESS)
        return nearest_year(stamp, stated);
    int64_t at = stated - stated % JA_CLOCK_DAY_NS + ja_clock_of_day(stamp);
    if (at - stated > JA_CLOCK_DAY_NS / 2)
        return at - JA_CLOCK_DAY_NS;
    return stated - at > JA_CLOCK_DAY_NS / 2 ? at + JA_CLOCK_DAY_NS : at;
}

/* The latest year in which the stamp is not after the file's time (and a day). */
static int64_t carried_from_mtime(const struct ja_clock_work *w, uint32_t index)
{
    const struct ja_stamp *stamp = &w->evidence->stamps[index];
    int64_t mtime = w->context->mtime_ns;
    if (mtime == JA_UNKNOWN || !(stamp->parts & JA_STAMP_YEARLESS))
        return JA_UNKNOWN;
    int year = ja_unix_to_civil(mtime).year;
    int64_t at = ja_clock_midnight(year, stamp->month, stamp->day) + ja_clock_of_day(stamp);
    if (at > mtime + JA_CLOCK_DAY_NS)
        at = ja_clock_midnight(year - 1, stamp->month, stamp->day) + ja_clock_of_day(stamp);
    ja_diagnose(w->evidence, JA_NOTE, "year-from-mtime", 0, NULL,
                "clock readings without a year: the latest one not after the file's time is taken");
    return at;
}

/* Stamps a and those before it that wait for a date get it from the first dated one behind. */
static void carry_back(struct ja_clock_work *w, uint32_t index, int64_t reference_ns)
{
    for (uint32_t i = index; i-- > 0;) {
        if (!ja_clock_needs_date(&w->evidence->stamps[i]) || w->local_ns[i] != JA_UNKNOWN)
            continue;
        w->local_ns[i] = reference_ns = carried(&w->evidence->stamps[i], reference_ns, true);
    }
}

/* The wall clock that stamp i's date is carried from: the stamp named by it, else the one before.
 */
static int64_t reference_of(const struct ja_clock_work *w, uint32_t index, int64_t before_ns)
{
    const struct ja_stamp *stamp = &w->evidence->stamps[index];
    uint32_t from = stamp->date_from;
    if (from == 0 || from > w->evidence->stamp_count)
        return before_ns;
    bool same_run = index > 0 && w->evidence->stamps[index - 1].date_from == from;
    return same_run && before_ns != JA_UNKNOWN ? before_ns : w->local_ns[from - 1];
}

static void carry_forward(struct ja_clock_work *w, int64_t before_ns)
{
    const struct ja_evidence *e = w->evidence;
    bool first = before_ns == JA_UNKNOWN;
    for (uint32_t i = 0; i < e->stamp_count; i++) {
        const struct ja_stamp *stamp = &e->stamps[i];
        if (i == w->name || (w->uses[i] & JA_STAMP_START) || (stamp->parts & JA_STAMP_NOT_AFTER))
            continue;
        int64_t reference = reference_of(w, i, before_ns);
        if (ja_clock_needs_date(stamp) && w->local_ns[i] == JA_UNKNOWN && reference != JA_UNKNOWN)
            w->local_ns[i] = carried(stamp, reference, false);
        if (w->local_ns[i] == JA_UNKNOWN)
            continue;
        if (first)
            carry_back(w, i, w->local_ns[i]);
        first = false;
        before_ns = w->local_ns[i];
    }
}

/* Dates from the operator or the name or, for the year, from the file's time, for files that say
 * none. */
static void carry_from_outside(struct ja_clock_work *w)
{
    const struct ja_evidence *e = w->evidence;
    for (uint32_t i = 0; i < e->stamp_count; i++) {
        if (i == w->name || !ja_clock_needs_date(&e->stamps[i]) || w->local_ns[i] != JA_UNKNOWN ||
            (w->uses[i] & JA_STAMP_START))
            continue;
        int64_t at = carried_from_statement(w, i);
        if (at == JA_UNKNOWN)
            at = carried_from_name(w, &e->stamps[i]);
        if (at == JA_UNKNOWN)
            at = carried_from_mtime(w, i);
        if (at == JA_UNKNOWN)
            return;
        w->local_ns[i] = at;
        carry_forward(w, JA_UNKNOWN);
        return;
    }
}

/* Starts and boots are before the moment that tells of them. */
static void place_starts(struct ja_clock_work *w)
{
    const struct ja_evidence *e = w->evidence;
    int64_t reference = JA_UNKNOWN;
    for (uint32_t i = 0; i < e->stamp_count; i++) {
        bool start = w->uses[i] & JA_STAMP_START;
        if (!start && w->local_ns[i] != JA_UNKNOWN && i != w->name)
            reference = w->local_ns[i];
        if (start && ja_clock_needs_date(&e->stamps[i]) && reference != JA_UNKNOWN)
            w->local_ns[i] = carried(&e->stamps[i], reference, true);
    }
}

void ja_clock_carry_dates(struct ja_clock_work *w)
{
    for (uint32_t i = 0; i < w->evidence->stamp_count; i++)
        w->local_ns[i] = own_local(w, i);
    carry_forward(w, JA_UNKNOWN);
    carry_from_outside(w);
    place_starts(w);
}
