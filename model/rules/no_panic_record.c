/* SPDX-License-Identifier: MIT
 *
 * Is a reboot without a panic file? Known from a reset counter, a forced reset, or because a new
 * boot begins. The cause is then not shown, and the missing file is no proof that nothing happened.
 */
#include "model/case.h"
#include "model/linux_accuracy.h"
#include "model/rule.h"
#include "model/window.h"

#include <string.h>

static struct ja_finding *begin(struct ja_case *item, uint32_t host)
{
    struct ja_finding *f = ja_find(item, "no_panic_record", JA_NOT_SHOWN, JA_REMARK, host, JA_NONE);
    if (ja_linux_counters_of(item->hosts[host].kernel) != JA_LINUX_COUNTERS_UNKNOWN) {
        ja_unless(item, f, "the kernel's last messages of that boot, or a crash dump");
        ja_next(item, f,
                "run journalctl -k -b -1 and last -x, and look in /sys/fs/pstore and /var/crash");
        return f;
    }
    ja_unless(item, f, "a panic report of that time (panic-*.ips, *.panic, also in Retired/)");
    ja_next(item, f,
            "look in /Library/Logs/DiagnosticReports and its Retired folder, and run "
            "last reboot and log show --predicate 'eventMessage contains \"shutdown "
            "cause\"'");
    return f;
}

/* A panic of the same boot, or one that the reset's report may be speaking of. */
static bool panic_explains(const struct ja_case *item, const struct ja_event *reset)
{
    for (size_t i = 0; i < item->event_count; i++) {
        const struct ja_event *event = &item->events[i];
        if (event->kind != JA_EVENT_PANIC || event->host != reset->host)
            continue;
        if (reset->boot != JA_NONE && event->boot == reset->boot)
            return true;
        bool bounded = ja_instant_known(event->at) && !ja_instant_known(reset->at) &&
                       reset->at->late_ns != JA_UNKNOWN;
        int64_t after = bounded ? reset->at->late_ns - event->at->unix_ns : -1;
        if (after >= 0 && after <= 24 * JA_NS_PER_HOUR)
            return true;
    }
    return false;
}

static void find_reset(struct ja_case *item, uint32_t index)
{
    const struct ja_event *event = &item->events[index];
    struct ja_finding *f = begin(item, event->host);
    bool button = event->kind == JA_EVENT_FORCE_RESET;
    const char *faults = event->detail && !button ? event->detail : NULL;
    ja_say(item, f, button ? "A forced reset" : "A reset", JA_VERB_RECORD,
           "its cause: %s (%s), and there is no panic record of it%s%s",
           button ? "somebody held the button" : "the machine went down",
           ja_time_text(item, event->at), faults ? "; recorded faults: " : "",
           faults ? ja_name_text(item, faults) : "");
    ja_because(item, f,
               button ? "why the button was pressed is not recorded"
                      : "a reset counter says that the machine did not shut down cleanly "
                        "and which fault bits were set, not why");
    ja_cite(item, f, ja_cite_event(item, index));
}

/* What the events say of boots: one pass over them, however many boots there are. */
struct told {
    bool *reset;          /* by boot: a reset event may stand for it */
    uint32_t *event;      /* by boot: 1 + the first event that a boot began */
    uint32_t *next_event; /* by event: 1 + the next one of the same boot */
};

static void find_boot(struct ja_case *item, uint32_t boot, const struct told *told)
{
    const struct ja_boot *before = &item->boots[boot], *after = &item->boots[boot + 1];
    struct ja_finding *f = begin(item, before->host);
    ja_say(item, f, "The evidence", JA_VERB_RECORD,
           "why the machine started anew: last seen %s, new boot %s, and no panic record between",
           ja_time_text(item, &before->last_seen), ja_time_text(item, &after->start));
    ja_because(item, f,
               "a reboot is known from the next boot alone; a clean restart, a loss of "
               "power and a panic whose file is missing look the same");
    for (uint32_t e = told->event[boot + 1]; e; e = told->next_event[e - 1])
        ja_cite(item, f, ja_cite_event(item, e - 1));
}

/* A reset event may stand for a boot that follows: then the boot needs no finding of its own. One
 * that speaks of the next boot's own panic does not. */
static struct told list_told(const struct ja_case *item, struct ja_arena *arena)
{
    struct told told = {.reset = ja_arena_alloc(arena, item->boot_count, sizeof *told.reset),
                        .event = ja_arena_alloc(arena, item->boot_count, sizeof *told.event),
                        .next_event =
                            ja_arena_alloc(arena, item->event_count, sizeof *told.next_event)};
    for (uint32_t i = (uint32_t)item->event_count; i-- > 0;) {
        const struct ja_event *event = &item->events[i];
        if (event->boot == JA_NONE)
            continue;
        if (event->kind == JA_EVENT_BOOT) {
            told.next_event[i] = told.event[event->boot];
            told.event[event->boot] = i + 1;
        }
        if (event->kind != JA_EVENT_RESET && event->kind != JA_EVENT_FORCE_RESET)
            continue;
        told.reset[event->boot] = true;
        if (event->boot > 0 && !panic_explains(item, event))
            told.reset[event->boot - 1] = true;
    }
    return told;
}

static bool tells_no_end(const struct ja_boot *boot)
{
    return boot->ended_event == JA_NONE && boot->ended_by && strcmp(boot->ended_by, "unknown") == 0;
}

static void judge(struct ja_case *item)
{
    for (uint32_t i = 0; i < item->event_count; i++) {
        const struct ja_event *event = &item->events[i];
        bool reset = event->kind == JA_EVENT_RESET || event->kind == JA_EVENT_FORCE_RESET;
        bool stated = event->reason && strcmp(event->reason, "system memory reset") == 0;
        if (reset && !stated && !panic_explains(item, event))
            find_reset(item, i);
    }
    struct ja_arena *scratch = ja_arena_new();
    struct told told = list_told(item, scratch);
    for (uint32_t b = 0; b + 1 < item->boot_count; b++) {
        const struct ja_boot *boot = &item->boots[b];
        if (boot->host == item->boots[b + 1].host && tells_no_end(boot) &&
            ja_in_window(item, &item->boots[b + 1].start) && !told.reset[b])
            find_boot(item, b, &told);
    }
    ja_arena_free(scratch);
}

const struct ja_rule ja_rule_no_panic_record = {
    .question = "is a reboot without a panic file (cause not shown)?",
    .names = {{"no_panic_record",
               "A reboot known from a reset counter, a forced reset or a new boot, for which no "
               "panic record lies in the evidence. The cause is not shown, however plausible "
               "memory is; the absence of a file proves nothing."}},
    .judge = judge,
};
