/* SPDX-License-Identifier: MIT
 *
 * The end of summer time in a log of local time without a zone: on a Sunday night the clock goes
 * back by an hour, once, and the readings go on. Without this those of that hour would lie among
 * those before it.
 */
#include "model/clock_parts.h"

#define HOUR_NS (3600 * JA_NS_PER_S)
#define LAST_HOUR 3 /* the clock never shows more when it has gone back */
#define FEWEST_READINGS 4
/* Loops of several tools print their clocks a little out of order. */
#define DISORDER_NS (600 * JA_NS_PER_S)

/* A day and a clock of an unsaid zone. */
static bool is_local(const struct ja_clock_work *w, uint32_t index)
{
    const struct ja_stamp *stamp = &w->evidence->stamps[index];
    return w->local_ns[index] != JA_UNKNOWN && !stamp->zone && !(w->uses[index] & JA_STAMP_START) &&
           stamp->parts & JA_STAMP_TIME && stamp->parts & (JA_STAMP_DATE | JA_STAMP_YEARLESS) &&
           !(stamp->parts & (JA_STAMP_ZONE | JA_STAMP_UNIX | JA_STAMP_NOT_AFTER));
}

/* The one place where the records' clocks fall. */
struct fall {
    uint32_t stamp;     /* the first one behind it; JA_NONE */
    int64_t ns, gap_ns; /* how far it goes back; from reading to reading in front of it */
    size_t readings;
};

/* False when there are several, or several machines. */
static bool list_falls(const struct ja_clock_work *w, struct fall *ret)
{
    const struct ja_evidence *e = w->evidence;
    uint32_t last = JA_NONE;
    int64_t gap_ns = 0;
    *ret = (struct fall){.stamp = JA_NONE};
    for (size_t i = 0; i < e->record_count; i++) {
        uint32_t stamp = e->records[i].stamp;
        if (stamp == JA_NONE || stamp == last || !is_local(w, stamp))
            continue;
        if (e->records[i].system != e->records[0].system)
            return false;
        int64_t since_ns = last == JA_NONE ? 0 : w->local_ns[stamp] - w->local_ns[last];
        if (since_ns < 0) {
            if (ret->stamp != JA_NONE || stamp < last)
                return false;
            ret->stamp = stamp;
            ret->ns = -since_ns;
            ret->gap_ns = gap_ns;
        }
        gap_ns = since_ns;
        last = stamp;
        ret->readings++;
    }
    return ret->stamp != JA_NONE;
}

/* With the hour added the readings go on about as they came. */
static bool is_summers_end(const struct ja_clock_work *w, const struct fall *fall)
{
    struct ja_civil at = ja_unix_to_civil(w->local_ns[fall->stamp]);
    return fall->readings >= FEWEST_READINGS && fall->ns > DISORDER_NS && fall->ns <= HOUR_NS &&
           HOUR_NS - fall->ns <= 2 * fall->gap_ns && at.weekday == 0 && at.hour < LAST_HOUR;
}

void ja_clock_end_summer(struct ja_clock_work *w)
{
    struct fall fall;
    if (!list_falls(w, &fall) || !is_summers_end(w, &fall))
        return;
    for (uint32_t i = fall.stamp; i < w->evidence->stamp_count; i++) {
        if (!is_local(w, i))
            continue;
        w->local_ns[i] += HOUR_NS;
        w->sooner_ns[i] = HOUR_NS - fall.ns;
    }
    ja_diagnose(w->evidence, JA_WARNING, "summer-time", 0, NULL,
                "\"%.60s\" stands behind a later clock reading, in a Sunday night: taken for the "
                "end of summer time, from there on an hour is added",
                w->evidence->stamps[fall.stamp].text ? w->evidence->stamps[fall.stamp].text : "?");
}
