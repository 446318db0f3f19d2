/* SPDX-License-Identifier: MIT
 *
 * Did a counter of OOM kills count what no record tells? memory.events, memory.oom_control and
 * /proc/vmstat count kills and name nobody; the kernel log that names them is often not saved.
 */
#include "model/rule.h"
#include "model/sort.h"
#include "model/window.h"

struct count {
    uint32_t host, boot, process, source; /* process: the control group; JA_NONE: the machine */
    const struct ja_instant *at;
    const struct ja_fact *fact;
};

static int by_counter(const void *a, const void *b)
{
    const struct count *x = a, *y = b;
    const uint32_t left[] = {x->host, x->boot, x->process};
    const uint32_t right[] = {y->host, y->boot, y->process};
    for (size_t i = 0; i < 3; i++)
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    int order = ja_instant_order(x->at, y->at);
    return order ? order : (x->source < y->source ? -1 : x->source > y->source);
}

static size_t collect(const struct ja_case *item, struct count **ret)
{
    struct count *counts = NULL;
    size_t count = 0, capacity = 0;
    for (uint32_t i = 0; i < item->source_count; i++) {
        const struct ja_source *source = &item->sources[i];
        for (size_t k = 0; k < source->evidence->fact_count; k++) {
            const struct ja_fact *fact = &source->evidence->facts[k];
            if (fact->key != JA_FACT_OOM_KILLS || source->duplicate_of != JA_NONE ||
                !ja_in_window(item, &source->record_at[fact->record]))
                continue;
            *JA_APPEND(item->arena, counts, count, capacity) = (struct count){
                source->record_host[fact->record],
                source->record_boot[fact->record],
                fact->subject == JA_NONE ? JA_NONE : ja_subject_process(source, fact->subject),
                i,
                &source->record_at[fact->record],
                fact};
        }
    }
    *ret = counts;
    return count;
}

/* The boots of which a log tells kills, be they outside of --since and --until: there a counter
 * adds nothing. */
static bool *boots_told(struct ja_case *item)
{
    bool *told = ja_arena_alloc(item->arena, item->boot_count, sizeof *told);
    for (size_t i = 0; i < item->source_count; i++) {
        const struct ja_source *source = &item->sources[i];
        for (size_t e = 0; e < source->evidence->event_count; e++) {
            const struct ja_event_seen *event = &source->evidence->events[e];
            if (event->kind == JA_EVENT_OOM_KILL && source->duplicate_of == JA_NONE)
                told[source->record_boot[event->record]] = true;
        }
    }
    return told;
}

static void find(struct ja_case *item, const struct count *first, const struct count *last)
{
    bool rose = last->fact->value > first->fact->value;
    struct ja_finding *f = ja_find(item, "kills_counted", JA_CONFIRMED,
                                   rose ? JA_SERIOUS : JA_REMARK, first->host, first->process);
    const char *whose =
        first->process == JA_NONE ? "the machine" : ja_process_text(item, first->process);
    const char *before =
        rose ? ja_arena_print(item->arena, ", %lld at %s", (long long)first->fact->value,
                              ja_time_text(item, first->at))
             : "";
    ja_say(item, f, ja_arena_print(item->arena, "The counter of %s", whose), JA_VERB_RECORD,
           "OOM kills: %lld at %s%s; whom they took it does not say", (long long)last->fact->value,
           ja_time_text(item, last->at), before);
    ja_because(item, f,
               "the kernel counts its kills for want of memory since %s; no log with the "
               "victims' names is in the evidence",
               first->process == JA_NONE ? "boot" : "the group was made");
    ja_unless(item, f, "a counter that was read from another group or after a new start of it");
    ja_next(item, f, "save the kernel log of that time (journalctl -k, dmesg -T)");
    ja_whole(item, f, "kills", rose ? last->fact->value - first->fact->value : last->fact->value);
    ja_cite(item, f, ja_cite_fact(item, first->source, first->fact));
    ja_cite(item, f, ja_cite_fact(item, last->source, last->fact));
}

static void judge(struct ja_case *item)
{
    struct count *counts;
    size_t count = collect(item, &counts);
    const bool *told = boots_told(item);
    ja_sort(counts, count, sizeof *counts, by_counter);
    for (size_t at = 0, end; at < count; at = end) {
        const struct count *first = &counts[at];
        for (end = at + 1; end < count && counts[end].host == first->host &&
                           counts[end].boot == first->boot && counts[end].process == first->process;
             end++)
            if (counts[end].fact->value < counts[end - 1].fact->value)
                first = &counts[end]; /* the group was made anew */
        if (counts[end - 1].fact->value > 0 && !told[first->boot])
            find(item, first, &counts[end - 1]);
    }
}

const struct ja_rule ja_rule_kills_counted = {
    .question = "did a counter of OOM kills count what no record tells?",
    .names = {{"kills_counted",
               "Emitted when the oom_kill counter of a control group (memory.events, "
               "memory.oom_control) or of the machine (/proc/vmstat) stands above zero and no log "
               "of the same boot names a victim. The counter proves the kills and their number, "
               "not who was taken. A group's counter also counts the groups below it."}},
    .judge = judge,
};
