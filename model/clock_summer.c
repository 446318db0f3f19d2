/* SPDX-License-Identifier: MIT
 *
 * The end of summer time in a log of local time without a zone: on a Sunday night the clock goes
 * back by an hour, once. Without this the readings of that hour would lie among those before it.
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
    return w->local_ns[index] != JA_UNKNOWN && !stamp->zone && !(w->uses[index] & JA_CLOCK_START) &&
           stamp->parts & JA_STAMP_TIME && stamp->parts & (JA_STAMP_DATE | JA_STAMP_YEARLESS) &&
           !(stamp->parts & (JA_STAMP_ZONE | JA_STAMP_UNIX | JA_STAMP_NOT_AFTER));
}

/* The stamp behind the only fall among the records' clocks; JA_NONE where there is none, or where
 * it is no such hour. *ret_fall_ns = how far it goes back. */
static uint32_t find_fall(const struct ja_clock_work *w, int64_t *ret_fall_ns)
{
    const struct ja_evidence *e = w->evidence;
    uint32_t last = JA_NONE, fall = JA_NONE;
    size_t readings = 0;
    for (size_t i = 0; i < e->record_count; i++) {
        uint32_t stamp = e->records[i].stamp;
        if (stamp == JA_NONE || stamp == last || !is_local(w, stamp))
            continue;
        readings++;
        if (last != JA_NONE && w->local_ns[stamp] < w->local_ns[last]) {
            if (fall != JA_NONE || stamp < last)
                return JA_NONE;
            fall = stamp;
            *ret_fall_ns = w->local_ns[last] - w->local_ns[stamp];
        }
        last = stamp;
    }
    if (fall == JA_NONE || readings < FEWEST_READINGS || *ret_fall_ns > HOUR_NS ||
        *ret_fall_ns <= DISORDER_NS)
        return JA_NONE;
    struct ja_civil at = ja_unix_to_civil(w->local_ns[fall]);
    return at.weekday == 0 && at.hour < LAST_HOUR ? fall : JA_NONE;
}

void ja_clock_end_summer(struct ja_clock_work *w)
{
    int64_t fall_ns = 0;
    uint32_t fall = find_fall(w, &fall_ns);
    if (fall == JA_NONE)
        return;
    for (uint32_t i = fall; i < w->evidence->stamp_count; i++) {
        if (!is_local(w, i))
            continue;
        w->local_ns[i] += HOUR_NS;
        w->sooner_ns[i] = HOUR_NS - fall_ns;
    }
    ja_diagnose(w->evidence, JA_WARNING, "summer-time", 0, NULL,
                "\"%.60s\" stands behind a later clock reading, in a Sunday night: taken for the "
                "end of summer time, from there on an hour is added",
                w->evidence->stamps[fall].text ? w->evidence->stamps[fall].text : "?");
}
