/* SPDX-License-Identifier: MIT
 *
 * Who was killed, why, in what order? One finding a report: the reasons it names, counted.
 */
#include "model/rule.h"
#include "model/tables.h"

#include <string.h>

#define REASONS 12
#define NAMED 3
#define CITED 10

struct reason {
    const char *reason, *detail;
    size_t count;
};

struct kills {
    const uint32_t *events; /* in the timeline's order */
    size_t count;
    uint32_t source, host;
    int64_t bytes; /* of those that have a size; JA_UNKNOWN: none */
    bool ordered;  /* the report gives their order */
    struct reason reasons[REASONS];
    size_t reason_count, other;
};

static void add_reason(struct kills *kills, const struct ja_event *event)
{
    const char *reason = event->reason ? event->reason : "no reason given";
    for (size_t i = 0; i < kills->reason_count; i++) {
        if (strcmp(kills->reasons[i].reason, reason) == 0) {
            kills->reasons[i].count++;
            return;
        }
    }
    if (kills->reason_count < REASONS)
        kills->reasons[kills->reason_count++] = (struct reason){reason, event->detail, 1};
    else
        kills->other++;
}

static struct kills collect(const struct ja_case *item, const uint32_t *events, size_t count)
{
    const struct ja_event *lead = &item->events[events[0]];
    struct kills kills = {.events = events,
                          .count = count,
                          .source = lead->source,
                          .host = lead->host,
                          .bytes = JA_UNKNOWN,
                          .ordered = true};
    for (size_t i = 0; i < count; i++) {
        const struct ja_event *event = &item->events[events[i]];
        kills.ordered &= event->order > 0;
        if (event->bytes != JA_UNKNOWN)
            kills.bytes =
                kills.bytes == JA_UNKNOWN ? event->bytes : ja_add(kills.bytes, event->bytes);
        add_reason(&kills, event);
    }
    return kills;
}

static const char *reason_text(struct ja_case *item, const struct kills *kills)
{
    const char *text = "";
    for (size_t i = 0; i < kills->reason_count; i++)
        text = ja_arena_print(item->arena, "%s%s%zu for %s", text, i ? ", " : "",
                              kills->reasons[i].count, kills->reasons[i].reason);
    if (kills->other)
        text = ja_arena_print(item->arena, "%s, %zu for other reasons", text, kills->other);
    return text;
}

static const char *who_text(struct ja_case *item, uint32_t event)
{
    const struct ja_event *e = &item->events[event];
    if (e->process != JA_NONE)
        return ja_process_text(item, e->process);
    return e->name ? ja_name_text(item, e->name) : "a process that is not named";
}

static const char *names_text(struct ja_case *item, const struct kills *kills)
{
    const char *text = "";
    for (size_t i = 0; i < kills->count && i < NAMED; i++)
        text = ja_arena_print(item->arena, "%s%s%s", text, i ? ", " : "",
                              who_text(item, kills->events[i]));
    if (kills->count > NAMED)
        text = ja_arena_print(item->arena, "%s ... %s", text,
                              who_text(item, kills->events[kills->count - 1]));
    return text;
}

static const char *meaning_text(struct ja_case *item, const struct kills *kills)
{
    const char *text = "the reasons are the kernel's own words";
    for (size_t i = 0; i < kills->reason_count && i < 4; i++)
        if (kills->reasons[i].detail)
            text = ja_arena_print(item->arena, "%s; %s: %s", text, kills->reasons[i].reason,
                                  kills->reasons[i].detail);
    return text;
}

/* Called by hand (SysRq): no shortage stands behind it. */
static bool by_hand(const struct ja_case *item, const struct ja_event *event)
{
    const struct ja_evidence *evidence = item->sources[event->source].evidence;
    return event->seen != JA_NONE &&
           ja_record_fact(evidence, evidence->events[event->seen].record, JA_FACT_BY_HAND);
}

/* The largest process of a state of this source was among those killed by the OOM killer; without
 * a process table one that held a third of the machine is taken for it. */
static bool killed_largest(const struct ja_case *item, const struct kills *kills)
{
    int64_t largest = 0, killed = 0;
    for (size_t i = 0; i < kills->count; i++) {
        const struct ja_event *event = &item->events[kills->events[i]];
        if (event->kind == JA_EVENT_OOM_KILL && event->bytes > killed && !by_hand(item, event))
            killed = event->bytes;
    }
    const struct ja_host *host = kills->host == JA_NONE ? NULL : &item->hosts[kills->host];
    for (size_t i = 0; killed > 0 && host && i < host->state_count; i++) {
        const struct ja_state *state = &item->states[host->first_state + i];
        if (state->source == kills->source && state->row_count && state->row_bytes[0] > largest)
            largest = state->row_bytes[0];
    }
    if (!largest && host)
        largest = (host->ram_bytes != JA_UNKNOWN ? host->ram_bytes : host->managed_bytes) / 3;
    return killed > 0 && largest > 0 && killed >= largest;
}

static void find(struct ja_case *item, const struct kills *kills)
{
    struct ja_finding *f =
        ja_find(item, "kill_explained", JA_CONFIRMED,
                killed_largest(item, kills) ? JA_CRITICAL : JA_REMARK, kills->host, JA_NONE);
    f->stake_bytes = kills->bytes == JA_UNKNOWN ? 0 : kills->bytes;
    const char *sizes = "";
    if (kills->bytes != JA_UNKNOWN)
        sizes = ja_arena_print(item->arena, ", %s%s", ja_size_text(item, (double)kills->bytes, 0),
                               kills->count == 1 ? "" : " together");
    const struct ja_instant *at = item->events[kills->events[0]].at;
    const char *subject = "An undated report";
    if (ja_instant_known(at))
        subject = ja_arena_print(item->arena, "The report of %s", ja_time_text(item, at));
    ja_say(item, f, subject, JA_VERB_RECORD, "%zu kill%s%s: %s (%s%s)", kills->count,
           kills->count == 1 ? "" : "s", sizes, reason_text(item, kills),
           kills->count > 1 && kills->ordered ? "in this order: " : "", names_text(item, kills));
    ja_because(item, f, "%s", meaning_text(item, kills));
    ja_unless(item, f, "a more complete copy of the same report");
    ja_next(item, f, "keep the next report of the same machine, it shows who came back");
    ja_whole(item, f, "kills", (int64_t)kills->count);
    ja_whole(item, f, "bytes", kills->bytes);
    for (size_t i = 0; i < kills->count && i < CITED; i++)
        ja_cite(item, f, ja_cite_event(item, kills->events[i]));
}

static void judge(struct ja_case *item)
{
    size_t count, length;
    const uint32_t *events = ja_kill_events(item, &count);
    for (size_t at = 0; at < count; at += length) {
        const struct ja_event *first = &item->events[events[at]];
        ja_kills_of(item, events, count, first->host, first->source, &length);
        struct kills kills = collect(item, events + at, length);
        find(item, &kills);
    }
}

const struct ja_rule ja_rule_kill_explained = {
    .question = "who was killed, why, in what order?",
    .names = {{"kill_explained",
               "The kills that one report or log records, by the kernel's own reasons. A kill says "
               "who was chosen, not who used the memory; a report that is missing proves nothing, "
               "since not every kill is written down."}},
    .judge = judge,
};
