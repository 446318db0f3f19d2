/* SPDX-License-Identifier: MIT
 *
 * Is this row of a life that is known? Equal start ticks or ages say so; without them something
 * that fell back (CPU time, a lifetime peak, switches) says no.
 */
#include "model/identity.h"

#include <stdlib.h>
#include <string.h>

/* A wall-clock start is printed to a second and computed from a rounded boot time. */
#define START_SLACK_NS (2 * JA_NS_PER_S)
/* CPU time is sampled a little apart from the row it stands in. */
#define CPU_SLACK_NS (JA_NS_PER_S / 10)
/* VmHWM is kept in batches and may be printed a little low. */
#define PEAK_SLACK_BYTES JA_MIB

/* Without the folders of a path: ps prints "/usr/bin/mqd" or "bin/mqd" where /proc says "mqd". */
const char *ja_base_name(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash && slash[1] && strchr(name, ' ') == NULL ? slash + 1 : name;
}

static bool same_name(const char *a, bool a_cut, const char *b, bool b_cut)
{
    if (!a || !b || strcmp(a, "?") == 0 || strcmp(a, b) == 0)
        return true;
    a = ja_base_name(a);
    b = ja_base_name(b);
    if (strcmp(a, b) == 0)
        return true;
    size_t x = strlen(a), y = strlen(b);
    if (a_cut && x < y)
        return strncmp(a, b, x) == 0;
    return b_cut && y < x && strncmp(a, b, y) == 0;
}

/* Both moments are dated and b is not before a. */
static bool ordered(const struct ja_instant *a, const struct ja_instant *b)
{
    return ja_instant_known(a) && ja_instant_known(b) && b->unix_ns >= a->unix_ns;
}

static bool overlap(const struct ja_instant *a, const struct ja_instant *b, int64_t slack_ns)
{
    int64_t early = a->early_ns != JA_UNKNOWN ? a->early_ns : a->unix_ns;
    int64_t other = b->early_ns != JA_UNKNOWN ? b->early_ns : b->unix_ns;
    return early <= b->late_ns + slack_ns && other <= a->late_ns + slack_ns;
}

/* A table has one row a process; lines of NDJSON may speak of one process again and again. */
static bool one_row_each(const struct ja_lives *lives, uint32_t process, const struct ja_moment *m)
{
    return lives->known[process].record == m->record &&
           !ja_has_kind(ja_moment_evidence(lives->build, m), JA_KIND_NDJSON);
}

/* It cannot be this one, whatever the start says. */
static bool is_other(const struct ja_lives *lives, uint32_t process, const struct ja_sighting *seen)
{
    const struct ja_known *k = &lives->known[process];
    const struct ja_subject *s = seen->subject;
    const struct ja_moment *m = seen->moment;
    const struct ja_process *p = &lives->build->item->processes[process];
    if (p->boot != m->boot || !same_name(p->name, k->name_cut, s->name, s->name_cut))
        return true;
    if (k->source == m->source && (one_row_each(lives, process, m) || k->life != s->life))
        return true;
    return k->uuid && s->uuid && strcmp(k->uuid, s->uuid) != 0;
}

/* Footprint prints large peaks in whole GB, its JSON in bytes. */
static int64_t peak_slack(int64_t before, int64_t after)
{
    bool rounded = before % JA_GIB == 0 || after % JA_GIB == 0;
    return before / 64 + (rounded ? JA_GIB : PEAK_SLACK_BYTES);
}

/* Signs of a new life, for want of a start time: something fell that only grows in one life. A
 * start that is equal to the tick outweighs them. */
static bool fell_back(const struct ja_lives *lives, uint32_t process,
                      const struct ja_sighting *seen)
{
    const struct ja_known *k = &lives->known[process];
    const struct ja_subject *s = seen->subject;
    const struct ja_moment *m = seen->moment;
    bool later = ordered(k->seen, &m->at);
    if (later && k->killed_ns != JA_UNKNOWN && m->at.unix_ns > k->killed_ns + JA_NS_PER_S)
        return true;
    if (later && s->cpu_ns != JA_UNKNOWN && k->cpu_ns != JA_UNKNOWN &&
        k->cpu_kind == ja_kind_tool(ja_moment_record(lives->build, m)->kind) &&
        s->cpu_ns < k->cpu_ns - CPU_SLACK_NS)
        return true;
    if (later && s->peak_bytes != JA_UNKNOWN && k->peak_bytes != JA_UNKNOWN &&
        k->peak_kind == ja_moment_record(lives->build, m)->kind &&
        s->peak_bytes < k->peak_bytes - peak_slack(k->peak_bytes, s->peak_bytes))
        return true;
    if (later && seen->switches != JA_UNKNOWN && k->switches != JA_UNKNOWN &&
        seen->switches < k->switches)
        return true;
    /* Started after the life at hand was last seen. */
    return ja_instant_known(&seen->wall) && seen->wall.early_ns != JA_UNKNOWN &&
           ja_instant_known(k->seen) && seen->wall.early_ns > k->seen->late_ns + START_SLACK_NS;
}

/* How the subject ties to the process; false: it is another one. */
bool ja_ties(const struct ja_lives *lives, uint32_t process, const struct ja_sighting *seen,
             enum ja_link *ret)
{
    const struct ja_known *k = &lives->known[process];
    const struct ja_subject *s = seen->subject;
    if (is_other(lives, process, seen))
        return false;
    if (k->has_ticks && s->more->start_ticks != JA_UNKNOWN) {
        *ret = JA_LINK_START_TIME;
        return k->start_ticks == s->more->start_ticks;
    }
    if (k->has_age && seen->moment->aged && s->age_ticks != JA_UNKNOWN) {
        int64_t start = ja_subtract(seen->moment->age_offset, s->age_ticks);
        *ret = JA_LINK_AGE;
        return llabs(ja_subtract(start, k->age_start)) <= JA_AGE_TOLERANCE_TICKS;
    }
    if (fell_back(lives, process, seen))
        return false;
    if (k->has_wall && ja_instant_known(&seen->wall)) {
        *ret = JA_LINK_START_TIME;
        return overlap(&k->wall, &seen->wall, START_SLACK_NS);
    }
    *ret = JA_LINK_PID_NAME;
    return true;
}
