/* SPDX-License-Identifier: MIT
 *
 * The end of a Jetsam report: kills in the order of their delays, sums of the live rows' parts,
 * and what is known of the table's completeness.
 * A killed row's counts are those of its kill, snapshot + killDelta ticks; everything else in the
 * report is of the snapshot. rpages of a row killed for its own limit is that limit, rounded down.
 */
#include "parsers/jetsam.h"

#include <stdlib.h>
#include <string.h>

#define FULL_ROWS 1000 /* the kernel's buffer holds a multiple of it (4000 on a 16 GB Mac) */

/* Reasons in words, by kernel table. Unknown ones are printed as they are. */
static const struct {
    const char *reason, *words;
} reasons[] = {
    {"jettisoned", "killed by Jetsam, no particular reason given"},
    {"jettison", "killed by Jetsam, no particular reason given"},
    {"highwater", "over its soft memory limit while the system was short"},
    {"vnode-limit", "the kernel ran out of vnodes (file handles), not of memory"},
    {"vm-pageshortage", "available pages fell below the critical level"},
    {"proc-thrashing", "idle daemons were relaunched in a loop"},
    {"vm-thrashing", "pages went in and out of the compressor in a loop"},
    {"fc-thrashing", "the file cache was evicted and read again in a loop"},
    {"per-process-limit", "over its own hard memory limit"},
    {"diagnostic", "killed for a diagnostic"},
    {"disk-space-shortage", "no disk space for the freezer, frozen apps were killed"},
    {"idle-exit", "an idle daemon was let go under pressure, harmless"},
    {"long-idle-exit", "a daemon idle for long was let go, harmless"},
    {"zone-map-exhaustion", "the kernel's zone map was nearly exhausted"},
    {"vm-compressor-thrashing", "pages went in and out of the compressor in a loop"},
    {"vm-compressor-space-shortage", "the compressor was out of segments or pages"},
    {"low-swap", "swap space was low"},
    {"sustained-memory-pressure", "memory pressure lasted ten minutes or more"},
    {"vm-pageout-starvation", "the pageout thread could not keep up"},
    {"conclave-limit", "over the limit of its conclave"},
    {"cpu-limit", "over its CPU limit, not a matter of memory"},
    {"vm", "available pages fell below the critical level"},
};

void ja_jetsam_kill_add(struct ja_jetsam *jetsam, const struct ja_jetsam_kill *kill)
{
    *JA_APPEND(jetsam->parse->scratch, jetsam->kills, jetsam->kill_count, jetsam->kill_capacity) =
        *kill;
}

static int by_delay(const void *left, const void *right)
{
    const struct ja_jetsam_kill *a = left, *b = right;
    bool a_known = a->delta_ticks != JA_UNKNOWN, b_known = b->delta_ticks != JA_UNKNOWN;
    if (a_known != b_known)
        return a_known ? -1 : 1;
    if (a->delta_ticks != b->delta_ticks)
        return a->delta_ticks < b->delta_ticks ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

static const char *words_of(const char *reason)
{
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (strcmp(reason, reasons[i].reason) == 0)
            return reasons[i].words;
    return NULL;
}

/* The snapshot's stamp moved by the kill's delay; the snapshot's own when that is unknown. */
static uint32_t kill_stamp(const struct ja_jetsam *jetsam, int64_t delta_ticks)
{
    struct ja_evidence *evidence = jetsam->parse->evidence;
    uint32_t snapshot = evidence->records[jetsam->record].stamp;
    const int64_t day_s = 24 * 3600;
    if (snapshot == JA_NONE || delta_ticks == JA_UNKNOWN || jetsam->tick_hz == JA_UNKNOWN)
        return snapshot;
    if (delta_ticks / jetsam->tick_hz >= day_s) {
        ja_diagnose(evidence, JA_ERROR, "bad-number", 0, "$.processes.killDelta",
                    "a kill more than a day after the snapshot: its delay is left out");
        return snapshot;
    }
    struct ja_stamp stamp = evidence->stamps[snapshot];
    stamp.shift_ns += delta_ticks / jetsam->tick_hz * JA_NS_PER_S +
                      delta_ticks % jetsam->tick_hz * JA_NS_PER_S / jetsam->tick_hz;
    return ja_add_stamp(evidence, &stamp);
}

static void add_kills(struct ja_jetsam *jetsam)
{
    struct ja_evidence *evidence = jetsam->parse->evidence;
    if (jetsam->kill_count > 1)
        qsort(jetsam->kills, jetsam->kill_count, sizeof *jetsam->kills, by_delay);
    for (size_t i = 0; i < jetsam->kill_count; i++) {
        const struct ja_jetsam_kill *kill = &jetsam->kills[i];
        uint32_t stamp = kill_stamp(jetsam, kill->delta_ticks);
        struct ja_event_seen *event =
            ja_add_event(evidence, JA_EVENT_JETSAM_KILL, jetsam->record, stamp, kill->place);
        event->subject = kill->subject;
        event->reason = kill->reason;
        event->detail = words_of(kill->reason);
        event->bytes = kill->bytes;
        if (strcmp(kill->reason, "per-process-limit") == 0)
            event->limit_bytes = kill->bytes;
        if (kill->delta_ticks != JA_UNKNOWN || jetsam->kill_count == 1)
            event->order = (int)i + 1;
        if (kill->reading != JA_NONE)
            evidence->readings[kill->reading].stamp = stamp;
    }
}

static void set_sum(struct ja_jetsam *jetsam, enum ja_figure figure, int64_t pages)
{
    int64_t bytes;
    if (pages != JA_UNKNOWN && ja_jetsam_bytes(jetsam, pages, &bytes))
        ja_set_figure(jetsam->parse->evidence, jetsam->record, figure, bytes,
                      jetsam->parse->evidence->records[jetsam->record].place);
}

/* The largest process is one of the rows in every report the system writes. */
static bool filtered(const struct ja_jetsam *jetsam)
{
    return jetsam->largest && !jetsam->largest_seen;
}

static void say_filtered(struct ja_jetsam *jetsam, uint32_t place)
{
    static const char *const why = "the process the report names as the largest has no row";
    struct ja_evidence *evidence = jetsam->parse->evidence;
    ja_set_status(evidence, JA_STATUS_PARTLY, "rows were taken out");
    ja_diagnose(evidence, JA_WARNING, "parts-missing", 0, "$.largestProcess",
                "%s: rows were taken out, no total is made of the others", why);
    ja_add_fact(evidence, jetsam->record, JA_FACT_TABLE_FILTERED, jetsam->rows, why, place);
}

void ja_jetsam_end(struct ja_jetsam *jetsam, enum ja_jetsam_table table, const char *why)
{
    struct ja_evidence *evidence = jetsam->parse->evidence;
    uint32_t record = jetsam->record, place = evidence->records[record].place;
    add_kills(jetsam);
    ja_add_fact(evidence, record, JA_FACT_ROWS, jetsam->rows, NULL, place);
    bool full = jetsam->rows >= 2 * FULL_ROWS && jetsam->rows % FULL_ROWS == 0;
    if (full)
        ja_add_fact(evidence, record, JA_FACT_TABLE_FULL, jetsam->rows,
                    "the kernel's buffer was full: later processes and kills are not in it", place);
    if (table == JA_JETSAM_ABSENT)
        ja_add_fact(evidence, record, JA_FACT_TABLE_ABSENT, JA_UNKNOWN, why, place);
    else if (table == JA_JETSAM_CUT)
        ja_add_fact(evidence, record, JA_FACT_TABLE_CUT, jetsam->rows, why, place);
    else if (table == JA_JETSAM_ELIDED)
        ja_add_fact(evidence, record, JA_FACT_TABLE_FILTERED, jetsam->rows, why, place);
    else if (filtered(jetsam))
        say_filtered(jetsam, place);
    bool complete = table == JA_JETSAM_WHOLE && !full && !filtered(jetsam) && jetsam->rows > 0;
    evidence->records[record].complete = complete;
    if (table != JA_JETSAM_WHOLE || filtered(jetsam))
        return;
    set_sum(jetsam, JA_FIGURE_SUM_RESIDENT_PRIVATE, jetsam->resident_pages);
    set_sum(jetsam, JA_FIGURE_SUM_COMPRESSED, jetsam->compressed_pages);
    set_sum(jetsam, JA_FIGURE_SUM_PURGEABLE, jetsam->purgeable_pages);
}
