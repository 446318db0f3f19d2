/* SPDX-License-Identifier: MIT
 *
 * Was a process killed for its own limit? Its size at the kill is that limit, rounded down to a
 * page, and says nothing about the machine.
 */
#include "model/rule.h"

#include <stdlib.h>
#include <string.h>

struct own_limit {
    uint32_t event;
    size_t kills;
    bool largest; /* of its report */
};

static bool by_limit(const struct ja_event *event)
{
    return event->kind == JA_EVENT_JETSAM_KILL && event->reason &&
           strcmp(event->reason, "per-process-limit") == 0;
}

struct keyed {
    const struct ja_event *event;
    uint32_t index;
};

static int by_name_and_limit(const struct ja_event *a, const struct ja_event *b)
{
    if (a->host != b->host)
        return a->host < b->host ? -1 : 1;
    int order = strcmp(a->name ? a->name : "", b->name ? b->name : "");
    if (order)
        return order;
    return (a->limit_bytes > b->limit_bytes) - (a->limit_bytes < b->limit_bytes);
}

static int by_order(const void *left, const void *right)
{
    const struct keyed *a = left, *b = right;
    int order = by_name_and_limit(a->event, b->event);
    return order ? order : (a->index > b->index) - (a->index < b->index);
}

/* No row of its report is larger. */
static bool is_largest(const struct ja_case *item, const struct ja_event *event)
{
    bool compared = false;
    const struct ja_host *host = event->host == JA_NONE ? NULL : &item->hosts[event->host];
    for (size_t i = 0; host && i < host->state_count && event->bytes != JA_UNKNOWN; i++) {
        const struct ja_state *state = &item->states[host->first_state + i];
        if (state->source != event->source || !state->row_count)
            continue;
        if (state->row_bytes[0] >= event->bytes)
            return false;
        compared = true;
    }
    return compared;
}

static void find(struct ja_case *item, const struct own_limit *own)
{
    const struct ja_event *event = &item->events[own->event];
    struct ja_finding *f =
        ja_find(item, "per_process_limit", JA_CONFIRMED, own->largest ? JA_CRITICAL : JA_REMARK,
                event->host, event->process);
    f->metric = JA_METRIC_PHYS_FOOTPRINT;
    f->stake_bytes = event->limit_bytes == JA_UNKNOWN ? 0 : event->limit_bytes;
    const char *who = event->process != JA_NONE ? ja_process_text(item, event->process)
                      : event->name             ? ja_name_text(item, event->name)
                                                : "a process without a name";
    const char *limit = event->limit_bytes == JA_UNKNOWN
                            ? "the size is not in the report"
                            : ja_size_text(item, (double)event->limit_bytes, 0);
    ja_say(item, f, "The report", JA_VERB_RECORD, "that %s was killed at its own limit (%s)%s", who,
           limit,
           own->kills > 1 ? ja_arena_print(item->arena, ", %zu times in all", own->kills) : "");
    ja_because(item, f,
               "the reason is per-process-limit: a hard limit of this process, enforced at once, "
               "whatever memory was free");
    ja_unless(item, f, "another reason in a more complete copy of the report");
    ja_next(item, f, "log its footprint once a minute from its start to the next kill");
    ja_whole(item, f, "limit_bytes", event->limit_bytes);
    ja_whole(item, f, "kills", (int64_t)own->kills);
    ja_cite(item, f, ja_cite_event(item, own->event));
}

/* Each name with each limit is said once, at its first kill. */
static void judge(struct ja_case *item)
{
    struct keyed *kills = ja_arena_alloc(item->arena, item->event_count, sizeof *kills);
    size_t count = 0;
    for (uint32_t i = 0; i < item->event_count; i++)
        if (by_limit(&item->events[i]))
            kills[count++] = (struct keyed){&item->events[i], i};
    if (count > 1)
        qsort(kills, count, sizeof *kills, by_order);
    for (size_t at = 0; at < count;) {
        struct own_limit own = {.event = kills[at].index};
        for (; at < count && by_name_and_limit(&item->events[own.event], kills[at].event) == 0;
             at++, own.kills++)
            own.largest |= is_largest(item, kills[at].event);
        find(item, &own);
    }
}

const struct ja_rule ja_rule_per_process_limit = {
    .question = "was a process killed for its own limit?",
    .names = {{"per_process_limit",
               "A kill with the reason per-process-limit, or a panic that names a process killed "
               "for it. The size at the kill is the limit, rounded down to a page; the machine may "
               "have had memory to spare."}},
    .judge = judge,
};
