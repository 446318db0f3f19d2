/* SPDX-License-Identifier: MIT
 *
 * Did the machine stop because jetsam killed a process it cannot run without? The panic text says
 * so with "exit reason namespace 1"; the subcode is jetsam's reason. Subcode 7 is the process's own
 * limit and says nothing about the machine: that answer is per_process_limit's.
 */
#include "model/panics.h"
#include "model/rule.h"
#include "model/rows.h"

#include <string.h>

#define NAMESPACE_JETSAM 1
#define OWN_LIMIT 7

static const enum ja_fact_key cited[] = {JA_FACT_PANIC_STRING, JA_FACT_EXIT_NAMESPACE,
                                         JA_FACT_EXIT_CODE, JA_FACT_COUNT};

/* xnu's kern_memorystatus.h. */
static const char *const reasons[] = {
    [2] = "highwater",
    [3] = "vnode-limit",
    [4] = "vm-pageshortage",
    [5] = "proc-thrashing",
    [6] = "fc-thrashing",
    [7] = "per-process-limit",
    [10] = "zone-map-exhaustion",
    [11] = "vm-compressor-thrashing",
    [12] = "vm-compressor-space-shortage",
    [13] = "low-swap",
    [14] = "sustained-memory-pressure",
    [15] = "vm-pageout-starvation",
};

static const char *reason_of(int64_t code)
{
    bool known = code > 0 && (uint64_t)code < sizeof reasons / sizeof *reasons && reasons[code];
    return known ? reasons[code] : "a reason with no name here";
}

/* The process of that name in the panic's own table; JA_NONE. *ret_bytes: its size, if any. */
static uint32_t process_of(const struct ja_case *item, const struct ja_panic *panic,
                           const char *name, int64_t *ret_bytes)
{
    const struct ja_source *source = &item->sources[panic->source];
    *ret_bytes = JA_UNKNOWN;
    for (uint32_t i = 0; i < panic->evidence->subject_count; i++) {
        struct ja_subject subject = ja_subject_at(panic->evidence, i);
        if (subject.record != panic->record || !subject.name || strcmp(subject.name, name) != 0)
            continue;
        for (uint32_t r = ja_first_reading(panic->evidence, i); r != JA_NONE;
             r = ja_next_reading(panic->evidence, r))
            *ret_bytes = ja_reading_at(panic->evidence, r).value;
        return ja_subject_process(source, i);
    }
    return JA_NONE;
}

static void own_limit(struct ja_case *item, const struct ja_panic *panic, const char *who)
{
    int64_t bytes;
    uint32_t process = process_of(item, panic, who, &bytes);
    struct ja_finding *f = ja_find(item, "per_process_limit", JA_CONFIRMED, JA_SERIOUS,
                                   item->events[panic->event].host, process);
    f->stake_bytes = bytes == JA_UNKNOWN ? 0 : bytes;
    const char *size = bytes == JA_UNKNOWN
                           ? ""
                           : ja_arena_print(item->arena, "; it had %s in the process table",
                                            ja_size_text(item, (double)bytes, 0));
    ja_say(item, f, ja_panic_title(item, panic), JA_VERB_RECORD,
           "that jetsam killed %s for exceeding its own limit (namespace 1, subcode 7), and that "
           "the machine cannot run without it%s",
           ja_name_text(item, who), size);
    ja_because(item, f,
               "the kernel's own text names the reason; a limit of one process says "
               "nothing about the machine, whose memory may have been free");
    ja_unless(item, f, "a whole copy of the report with another panic text");
    ja_next(item, f, "log the footprint of %s every ten minutes until it nears that size again",
            ja_name_text(item, who));
    ja_whole(item, f, "limit_bytes", JA_UNKNOWN);
    ja_whole(item, f, "bytes", bytes);
    ja_panic_cite(item, f, panic, cited);
}

static void system_reason(struct ja_case *item, const struct ja_panic *panic, const char *who,
                          int64_t code)
{
    struct ja_finding *f = ja_find(item, "critical_process_killed", JA_CONFIRMED, JA_CRITICAL,
                                   item->events[panic->event].host, JA_NONE);
    ja_say(
        item, f, ja_panic_title(item, panic), JA_VERB_RECORD,
        "that jetsam killed %s for %s (namespace 1%s), and that the machine cannot run without "
        "it",
        ja_name_text(item, who), code == JA_UNKNOWN ? "a reason that is cut off" : reason_of(code),
        code == JA_UNKNOWN ? "" : ja_arena_print(item->arena, ", subcode %lld", (long long)code));
    ja_because(item, f,
               "the kernel's own text names the reason; it does not say who used the "
               "memory");
    ja_unless(item, f, "a whole copy of the report with another panic text");
    ja_next(item, f, "keep the Jetsam reports of the hours before");
    ja_panic_cite(item, f, panic, cited);
}

static void judge(struct ja_case *item)
{
    struct ja_panic panic;
    for (size_t at = 0; ja_panic_next(item, &at, &panic);) {
        const char *who = ja_panic_words(&panic, JA_FACT_EXIT_NAMESPACE);
        int64_t code = ja_panic_number(&panic, JA_FACT_EXIT_CODE);
        if (!who || ja_panic_number(&panic, JA_FACT_EXIT_NAMESPACE) != NAMESPACE_JETSAM)
            continue;
        if (code == OWN_LIMIT)
            own_limit(item, &panic, who);
        else
            system_reason(item, &panic, who, code);
    }
}

const struct ja_rule ja_rule_critical_exit = {
    .question = "did the machine stop because jetsam killed a process it cannot run without?",
    .names = {{"critical_process_killed",
               "A panic whose text gives exit reason namespace 1 (jetsam): a process that the "
               "system cannot run without was killed, for the reason of the subcode. Other "
               "namespaces are not jetsam: 2 is a signal, 3 code signing. A subcode 7 is its own "
               "limit and reported as per_process_limit."}},
    .judge = judge,
};
