/* SPDX-License-Identifier: MIT
 *
 * Incidents: what happened close in time on one host, and the boot that follows it. Kills of idle
 * daemons, boots and notes alone are no incident; they join one that is near.
 */
#include "model/build.h"

#include <stdlib.h>
#include <string.h>

#define APART_NS JA_NS_PER_HOUR

static bool serious(const struct ja_event *event)
{
    switch (event->kind) {
    case JA_EVENT_PANIC:
    case JA_EVENT_RESET:
    case JA_EVENT_FORCE_RESET:
    case JA_EVENT_OOM_KILL:
    case JA_EVENT_LIMIT:
        return true;
    case JA_EVENT_JETSAM_KILL:
        return !event->reason || (strcmp(event->reason, "idle-exit") != 0 &&
                                  strcmp(event->reason, "long-idle-exit") != 0);
    default:
        return false;
    }
}

/* A reset counter is written after the reboot, perhaps the next morning: its reset is only "not
 * later than" that, and is the one that the panic of the same boot ended in. */
static bool tells_of_panic(const struct ja_case *item, const struct ja_event *last,
                           const struct ja_event *next)
{
    if ((next->kind != JA_EVENT_RESET && next->kind != JA_EVENT_FORCE_RESET) ||
        ja_instant_known(next->at) || next->boot == JA_NONE)
        return false;
    uint32_t end = item->boots[next->boot].ended_event;
    bool near =
        last->boot == next->boot || (last->kind == JA_EVENT_BOOT && last->boot == next->boot + 1);
    return near && end != JA_NONE && item->events[end].kind == JA_EVENT_PANIC;
}

/* A boot event that ends a gap after the event belongs to what led to it. */
static bool belongs(const struct ja_case *item, const struct ja_event *last,
                    const struct ja_event *next)
{
    if (last->host != next->host)
        return false;
    int64_t a = ja_instant_key(last->at), b = ja_instant_key(next->at);
    if (a == JA_UNKNOWN || b == JA_UNKNOWN)
        return false;
    if (b - a <= APART_NS || tells_of_panic(item, last, next))
        return true;
    return next->kind == JA_EVENT_BOOT && next->boot == last->boot + 1 &&
           item->boots[last->boot].ended_event != JA_NONE;
}

static void close_incident(struct ja_case *item, size_t first, size_t end)
{
    bool any = false;
    for (size_t i = first; i < end; i++)
        any |= serious(&item->events[i]);
    if (!any)
        return;
    struct ja_incident *incident =
        JA_APPEND(item->arena, item->incidents, item->incident_count, item->incident_capacity);
    incident->host = item->events[first].host;
    incident->from = *item->events[first].at;
    incident->to = *item->events[end - 1].at;
    incident->first_abnormal = ja_instant_none();
    incident->event_count = end - first;
    incident->events = ja_arena_alloc(item->arena, end - first, sizeof *incident->events);
    for (size_t i = first; i < end; i++) {
        incident->events[i - first] = (uint32_t)i;
        item->events[i].incident = (uint32_t)item->incident_count - 1;
    }
}

/* The first state of every boot; those of one boot are neighbours. */
static const size_t *first_states(const struct ja_build *build)
{
    const struct ja_case *item = build->item;
    size_t *first = ja_arena_alloc(build->scratch, item->boot_count, sizeof *first);
    for (size_t s = item->state_count; s-- > 0;)
        if (item->states[s].boot != JA_NONE)
            first[item->states[s].boot] = s;
    return first;
}

/* First moment of the boot before the incident whose books exceed what the machine has. */
static void find_abnormal(struct ja_case *item, struct ja_incident *incident, const size_t *first)
{
    uint32_t boot = item->events[incident->events[0]].boot;
    size_t from = boot == JA_NONE ? item->state_count : first[boot];
    for (size_t s = from; s < item->state_count && item->states[s].boot == boot; s++) {
        const struct ja_state *state = &item->states[s];
        int64_t ram = state->figures[JA_FIGURE_RAM] != JA_UNKNOWN
                          ? state->figures[JA_FIGURE_RAM]
                          : state->figures[JA_FIGURE_MANAGED];
        if (state->of || !state->books.known || ram == JA_UNKNOWN ||
            state->books.sum_bytes <= ram || ja_instant_order(&state->at, &incident->to) > 0)
            continue;
        incident->first_abnormal = state->at;
        break;
    }
    if (!ja_instant_known(&incident->first_abnormal))
        incident->first_abnormal = incident->from;
}

void ja_build_incidents(struct ja_build *build)
{
    struct ja_case *item = build->item;
    for (size_t i = 0, end; i < item->event_count; i = end) {
        for (end = i + 1;
             end < item->event_count && belongs(item, &item->events[end - 1], &item->events[end]);)
            end++;
        close_incident(item, i, end);
    }
    const size_t *first = first_states(build);
    for (size_t i = 0; i < item->incident_count; i++)
        find_abnormal(item, &item->incidents[i], first);
}
