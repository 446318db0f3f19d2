/* SPDX-License-Identifier: MIT
 *
 * One OOM kill told by several logs (dmesg, kern.log, a serial console, a paste of them): equal
 * pid, name and bytes on one boot, at times that do not contradict each other. The best telling
 * stays an event, the others are said in a note. Kills without pid or size are left as they are.
 * A container's end, "OOMKilled" as Kubernetes tells it, is taken for the kernel's kill at the same
 * limit and time, where there is one such kill.
 */
#include "model/build.h"

#include <stdlib.h>
#include <string.h>

#include "model/sort.h"

#define SLACK_NS (5 * JA_NS_PER_S)     /* syslog stamps lines when it reads them */
#define ZONES_NS (14 * JA_NS_PER_HOUR) /* dmesg -T prints local time without its zone */

struct telling {
    const struct ja_event *event;
    uint32_t index;
};

static bool is_kill(const struct ja_event *event)
{
    return event->kind == JA_EVENT_OOM_KILL && event->pid != JA_UNKNOWN && event->name &&
           event->bytes != JA_UNKNOWN && event->seen != JA_NONE;
}

static int by_victim(const struct ja_event *x, const struct ja_event *y)
{
    if (x->host != y->host)
        return x->host < y->host ? -1 : 1;
    if (x->boot != y->boot)
        return x->boot < y->boot ? -1 : 1;
    if (x->pid != y->pid)
        return x->pid < y->pid ? -1 : 1;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* The dated telling first, then the one that says who asked, then the order of the sources. */
static int by_worth(const void *a, const void *b)
{
    const struct telling *s = a, *t = b;
    const struct ja_event *x = s->event, *y = t->event;
    int order = by_victim(x, y);
    if (order)
        return order;
    if (ja_instant_known(x->at) != ja_instant_known(y->at))
        return ja_instant_known(x->at) ? -1 : 1;
    if (!x->detail != !y->detail)
        return x->detail ? -1 : 1;
    return s->index < t->index ? -1 : s->index > t->index;
}

static bool same_time(const struct ja_case *item, const struct ja_event *x,
                      const struct ja_event *y)
{
    const struct ja_instant *a = x->at, *b = y->at;
    bool zones = !item->sources[x->source].zone_unknown && !item->sources[y->source].zone_unknown;
    int64_t slack_ns = zones ? SLACK_NS : ZONES_NS;
    if (!ja_instant_known(a) || !ja_instant_known(b))
        return true;
    return a->unix_ns <= ja_add(b->late_ns, slack_ns) && b->unix_ns <= ja_add(a->late_ns, slack_ns);
}

static void drop_tellings(struct ja_case *item, bool *dropped, struct ja_arena *scratch)
{
    struct telling *tellings = ja_arena_alloc(scratch, item->event_count, sizeof *tellings);
    size_t count = 0, first = 0;
    for (uint32_t i = 0; i < item->event_count; i++)
        if (is_kill(&item->events[i]))
            tellings[count++] = (struct telling){&item->events[i], i};
    if (count > 1)
        qsort(tellings, count, sizeof *tellings, by_worth);
    for (size_t i = 1; i < count; i++) {
        const struct ja_event *best = tellings[first].event, *next = tellings[i].event;
        if (by_victim(best, next) != 0 || best->source == next->source ||
            !same_time(item, best, next)) {
            first = i;
            continue;
        }
        dropped[tellings[i].index] = true;
        ja_diagnose(item->sources[next->source].evidence, JA_NOTE, "kill-told-twice", 0, NULL,
                    "the kill of pid %lld is told by %s too, counted once", (long long)next->pid,
                    item->sources[best->source].evidence->path);
    }
}

/* ---- containers ------------------------------------------------------------------------------ */

static int in_order(const struct ja_event *x, const struct ja_event *y)
{
    if (x->host != y->host)
        return x->host < y->host ? -1 : 1;
    if (x->limit_bytes != y->limit_bytes)
        return x->limit_bytes < y->limit_bytes ? -1 : 1;
    return (x->at->unix_ns > y->at->unix_ns) - (x->at->unix_ns < y->at->unix_ns);
}

static int by_limit_and_time(const void *a, const void *b)
{
    return in_order(*(struct ja_event *const *)a, *(struct ja_event *const *)b);
}

/* A limit is shared by many containers: only times whose zones are known tie the two. */
static bool is_timed(const struct ja_case *item, const struct ja_event *event)
{
    return event->limit_bytes != JA_UNKNOWN && event->seen != JA_NONE &&
           ja_instant_known(event->at) && !item->sources[event->source].zone_unknown;
}

static bool is_container(const struct ja_case *item, const struct ja_event *event)
{
    return event->kind == JA_EVENT_OOM_KILL && event->pid == JA_UNKNOWN && event->name &&
           event->process != JA_NONE &&
           item->processes[event->process].scope == JA_SCOPE_CONTAINER && is_timed(item, event);
}

static struct ja_event **list_kills(struct ja_case *item, const bool *dropped,
                                    struct ja_arena *scratch, size_t *ret_count)
{
    struct ja_event **kills = ja_arena_alloc(scratch, item->event_count, sizeof *kills);
    size_t count = 0;
    for (size_t i = 0; i < item->event_count; i++) {
        struct ja_event *event = &item->events[i];
        if (!dropped[i] && event->kind == JA_EVENT_OOM_KILL && event->pid != JA_UNKNOWN &&
            is_timed(item, event))
            kills[count++] = event;
    }
    ja_sort(kills, count, sizeof *kills, by_limit_and_time);
    *ret_count = count;
    return kills;
}

/* The one kill that the container's end is; NULL when there is none, or more than one. */
static struct ja_event *kill_of(struct ja_event *const *kills, size_t count,
                                const struct ja_event *end)
{
    struct ja_instant at = *end->at;
    struct ja_event from = *end;
    size_t low = 0, high = count;
    from.at = &at;
    at.unix_ns = ja_subtract(end->at->unix_ns, SLACK_NS);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (in_order(kills[middle], &from) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    at.unix_ns = ja_add(end->at->unix_ns, SLACK_NS);
    size_t stop = low;
    while (stop < count && stop < low + 2 && in_order(kills[stop], &from) <= 0)
        stop++;
    return stop == low + 1 ? kills[low] : NULL;
}

static void drop_ends(struct ja_case *item, bool *dropped, struct ja_arena *scratch)
{
    size_t count;
    struct ja_event *const *kills = list_kills(item, dropped, scratch, &count);
    for (size_t i = 0; count && i < item->event_count; i++) {
        struct ja_event *end = &item->events[i];
        struct ja_event *kill = is_container(item, end) ? kill_of(kills, count, end) : NULL;
        if (!kill)
            continue;
        dropped[i] = true;
        kill->detail =
            ja_arena_print(item->arena, "%s%sby limit and time the end of container %s%s%s",
                           kill->detail ? kill->detail : "", kill->detail ? "; " : "", end->name,
                           end->detail ? ", " : "", end->detail ? end->detail : "");
        ja_diagnose(item->sources[end->source].evidence, JA_NOTE, "kill-told-twice", 0, NULL,
                    "the end of container %s is taken for the kill of pid %lld in %s (same limit, "
                    "same time), counted once",
                    end->name, (long long)kill->pid, item->sources[kill->source].evidence->path);
    }
}

void ja_drop_repeated_kills(struct ja_case *item, struct ja_arena *scratch)
{
    bool *dropped = ja_arena_alloc(scratch, item->event_count, sizeof *dropped);
    size_t kept = 0;
    drop_tellings(item, dropped, scratch);
    drop_ends(item, dropped, scratch);
    for (uint32_t i = 0; i < item->event_count; i++)
        if (!dropped[i])
            item->events[kept++] = item->events[i];
    item->event_count = kept;
}
