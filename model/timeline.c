/* SPDX-License-Identifier: MIT
 *
 * One timeline: the events that the evidence records, and those that follow from identity (a new
 * boot, a restart). Then the ends of processes and boots.
 */
#include "model/build.h"
#include "model/rows.h"

#include <stdlib.h>
#include <string.h>

static struct ja_event *add(struct ja_case *item, enum ja_event_kind kind, uint32_t host,
                            uint32_t boot, const struct ja_instant *at)
{
    struct ja_event *event =
        JA_APPEND(item->arena, item->events, item->event_count, item->event_capacity);
    *event = (struct ja_event){.host = host,
                               .boot = boot,
                               .at = at,
                               .kind = kind,
                               .process = JA_NONE,
                               .pid = JA_UNKNOWN,
                               .bytes = JA_UNKNOWN,
                               .limit_bytes = JA_UNKNOWN,
                               .source = JA_NONE,
                               .seen = JA_NONE,
                               .incident = JA_NONE};
    return event;
}

static const struct ja_instant *kept(struct ja_case *item, struct ja_instant at)
{
    struct ja_instant *copy = ja_arena_room(item->arena, 1, sizeof *copy);
    *copy = at;
    return copy;
}

static void take_event(struct ja_case *item, uint32_t source_index, uint32_t index)
{
    const struct ja_source *source = &item->sources[source_index];
    const struct ja_event_seen *seen = &source->evidence->events[index];
    uint32_t host = source->record_host[seen->record];
    uint32_t boot = source->record_boot[seen->record];
    const struct ja_instant *at = seen->stamp == source->evidence->records[seen->record].stamp
                                      ? &source->record_at[seen->record]
                                  : seen->stamp == JA_NONE ? &ja_instant_unknown
                                                           : &source->instants[seen->stamp];
    struct ja_event *event = add(item, seen->kind, host, boot, at);
    event->reason = seen->reason;
    event->detail = seen->detail;
    event->order = seen->order;
    event->bytes = seen->bytes;
    event->limit_bytes = seen->limit_bytes;
    event->source = source_index;
    event->seen = index;
    if (seen->subject == JA_NONE)
        return;
    struct ja_subject subject = ja_subject_at(source->evidence, seen->subject);
    event->process = ja_subject_process(source, seen->subject);
    event->name = subject.name;
    event->pid = subject.pid;
}

static void take_events(struct ja_case *item)
{
    size_t most = 0;
    for (uint32_t i = 0; i < item->source_count; i++)
        most += item->sources[i].evidence->event_count;
    JA_RESERVE(item->arena, item->events, item->event_count, item->event_capacity, most);
    for (uint32_t i = 0; i < item->source_count; i++) {
        const struct ja_source *source = &item->sources[i];
        if (source->duplicate_of != JA_NONE)
            continue;
        for (uint32_t e = 0; e < source->evidence->event_count; e++)
            take_event(item, i, e);
    }
}

static void take_notes(struct ja_case *item)
{
    for (size_t i = 0; i < item->statements->note_count && item->host_count; i++) {
        const struct ja_stated_note *note = &item->statements->notes[i];
        const struct ja_instant *at = &ja_instant_unknown;
        if (note->at.parts & JA_STAMP_UNIX)
            at = kept(item, ja_instant_at(note->at.unix_ns, JA_CLOCK_MANIFEST));
        struct ja_event *event = add(item, JA_EVENT_NOTE, 0, item->hosts[0].first_boot, at);
        event->reason = "stated by the operator";
        event->detail = note->text;
    }
}

/* Boots and restarts that the evidence records: they need no event of their own. */
struct recorded {
    bool *boots;    /* by boot */
    bool *restarts; /* by process */
};

static struct recorded list_recorded(const struct ja_case *item, struct ja_arena *scratch)
{
    struct recorded ret = {ja_arena_alloc(scratch, item->boot_count, 1),
                           ja_arena_alloc(scratch, item->process_count, 1)};
    for (size_t i = 0; i < item->event_count; i++) {
        const struct ja_event *event = &item->events[i];
        if (event->seen == JA_NONE || event->boot == JA_NONE)
            continue;
        if (event->kind == JA_EVENT_BOOT && event->process == JA_NONE)
            ret.boots[event->boot] = true;
        else if (event->kind == JA_EVENT_RESTART && event->process != JA_NONE &&
                 event->boot == item->processes[event->process].boot)
            ret.restarts[event->process] = true;
    }
    return ret;
}

/* A boot is an event where a boot before it was seen, or where the evidence states its time. */
static void add_boots(struct ja_case *item, const struct recorded *recorded)
{
    for (uint32_t b = 0; b < item->boot_count; b++) {
        const struct ja_boot *boot = &item->boots[b];
        bool first = item->hosts[boot->host].first_boot == b;
        if ((first && boot->start.clock != JA_CLOCK_REPORT) || recorded->boots[b])
            continue;
        if (boot->clock_set) {
            add(item, JA_EVENT_NOTE, boot->host, b, &ja_instant_unknown)->detail =
                "no boot: most processes seen before and after aged by more than the clock "
                "moved, it was set back; times from both sides of that cannot be compared";
            continue;
        }
        struct ja_event *event = add(item, JA_EVENT_BOOT, boot->host, b, &boot->start);
        event->detail = boot->start.clock == JA_CLOCK_REPORT ? "stated in the evidence"
                                                             : "follows from the ages of processes";
    }
}

/* A later life of a service on one boot. */
static void add_restarts(struct ja_case *item, const struct recorded *recorded)
{
    for (size_t s = 0; s < item->service_count; s++) {
        const struct ja_service *service = &item->services[s];
        for (size_t i = 1; i < service->process_count; i++) {
            const struct ja_process *older = &item->processes[service->processes[i - 1]];
            const struct ja_process *newer = &item->processes[service->processes[i]];
            if (older->boot != newer->boot || recorded->restarts[service->processes[i]])
                continue;
            struct ja_instant at = ja_process_started(newer);
            if (ja_instant_key(&at) == JA_UNKNOWN) {
                at = *newer->first_seen;
                at.late_ns = ja_instant_key(&at);
                at.unix_ns = JA_UNKNOWN;
                at.early_ns = ja_instant_key(older->last_seen);
            }
            struct ja_event *event =
                add(item, JA_EVENT_RESTART, newer->host, newer->boot, kept(item, at));
            event->process = service->processes[i];
            event->name = newer->name;
            event->pid = newer->pid;
            event->detail = "a new life under the same name";
        }
    }
}

static int by_time(const void *a, const void *b)
{
    const struct ja_event *x = a, *y = b;
    if (x->host != y->host)
        return x->host < y->host ? -1 : 1;
    int order = ja_instant_order(x->at, y->at);
    if (order)
        return order;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    if (x->seen != y->seen)
        return x->seen < y->seen ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->process < y->process ? -1 : x->process > y->process;
}

/* A crash report may tell again of a kill that a Jetsam report records. */
#define RETOLD_NS (300 * JA_NS_PER_S)

static bool retold(const struct ja_case *item, const struct ja_event *event)
{
    if (event->kind != JA_EVENT_JETSAM_KILL || event->process == JA_NONE ||
        event->seen == JA_NONE || !ja_instant_known(event->at) ||
        !ja_has_kind(item->sources[event->source].evidence, JA_KIND_CRASH))
        return false;
    for (size_t i = 0; i < item->event_count; i++) {
        const struct ja_event *other = &item->events[i];
        if (other->kind == JA_EVENT_JETSAM_KILL && other->process == event->process &&
            other->source != event->source && ja_instant_known(other->at) &&
            llabs(other->at->unix_ns - event->at->unix_ns) <= RETOLD_NS)
            return true;
    }
    return false;
}

static void drop_retold(struct ja_case *item)
{
    size_t kept = 0;
    for (size_t i = 0; i < item->event_count; i++)
        if (!retold(item, &item->events[i]))
            item->events[kept++] = item->events[i];
    item->event_count = kept;
}

static bool kills(const struct ja_event *event)
{
    return event->kind == JA_EVENT_JETSAM_KILL || event->kind == JA_EVENT_OOM_KILL;
}

static uint32_t add_ending(struct ja_case *item, const struct ja_instant *at, const char *how)
{
    struct ja_ending *ending = &item->endings[item->ending_count++];
    *ending = (struct ja_ending){at, how};
    return (uint32_t)item->ending_count;
}

static void end_process(struct ja_case *item, const struct ja_event *event)
{
    if (event->process == JA_NONE)
        return;
    const char *how = event->kind == JA_EVENT_JETSAM_KILL ? "jetsam" : "oom";
    item->processes[event->process].ending = add_ending(item, event->at, how);
}

static bool ends_boot(enum ja_event_kind kind)
{
    return kind == JA_EVENT_PANIC || kind == JA_EVENT_RESET || kind == JA_EVENT_FORCE_RESET;
}

static void end_boot(struct ja_case *item, uint32_t index)
{
    const struct ja_event *event = &item->events[index];
    struct ja_boot *boot = &item->boots[event->boot];
    if (boot->ended_event != JA_NONE && item->events[boot->ended_event].kind == JA_EVENT_PANIC)
        return;
    boot->ended_event = index;
    boot->ended_by = event->kind == JA_EVENT_PANIC ? "panic" : "reset";
}

/* Did the boot give way to the next one of the list? Not when it was seen after that one's start:
 * then both ran side by side (two machines that no file names). */
static bool gave_way(const struct ja_boot *boot, const struct ja_boot *next)
{
    return boot->host == next->host && !next->clock_set &&
           (!ja_instant_known(&next->start) || !ja_instant_known(&boot->last_seen) ||
            boot->last_seen.unix_ns <= next->start.unix_ns + JA_BOOT_TIME_SLACK_NS);
}

/* What a boot still held ended with it. */
static void end_rest(struct ja_case *item, const struct ja_boot *boot)
{
    uint32_t ending = 0;
    for (uint32_t i = 0; boot->ended_by && i < boot->process_count; i++) {
        struct ja_process *process = &item->processes[boot->first_process + i];
        if (process->ending)
            continue;
        if (!ending)
            ending = add_ending(item,
                                boot->ended_event != JA_NONE ? item->events[boot->ended_event].at
                                                             : &ja_instant_unknown,
                                "reboot");
        process->ending = ending;
    }
}

static void end_all(struct ja_case *item)
{
    size_t most = item->boot_count;
    for (uint32_t i = 0; i < item->event_count; i++)
        most += kills(&item->events[i]);
    item->endings = ja_arena_room(item->arena, most, sizeof *item->endings);
    for (uint32_t i = 0; i < item->event_count; i++) {
        const struct ja_event *event = &item->events[i];
        if (kills(event))
            end_process(item, event);
        else if (ends_boot(event->kind) && event->boot != JA_NONE)
            end_boot(item, i);
    }
    for (uint32_t b = 0; b + 1 < item->boot_count; b++)
        if (gave_way(&item->boots[b], &item->boots[b + 1]) && !item->boots[b].ended_by)
            item->boots[b].ended_by = "unknown";
    for (uint32_t b = 0; b < item->boot_count; b++)
        end_rest(item, &item->boots[b]);
}

void ja_build_timeline(struct ja_build *build)
{
    struct ja_case *item = build->item;
    take_events(item);
    ja_drop_repeated_kills(item, build->scratch);
    take_notes(item);
    struct recorded recorded = list_recorded(item, build->scratch);
    add_boots(item, &recorded);
    add_restarts(item, &recorded);
    if (item->event_count)
        qsort(item->events, item->event_count, sizeof *item->events, by_time);
    drop_retold(item);
    JA_FIT(item->arena, item->events, item->event_count, item->event_capacity);
    end_all(item);
}
