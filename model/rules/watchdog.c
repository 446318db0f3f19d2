/* SPDX-License-Identifier: MIT
 *
 * Who was silent, for how long, since when? A watchdog names the one it waited for, never why it
 * was silent; the task that panicked is the detector.
 */
#include "model/panics.h"
#include "model/rule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHECKIN_S 10 /* watchdogd checks in about every ten seconds */

static const enum ja_fact_key cited[] = {JA_FACT_PANIC_STRING, JA_FACT_WATCHDOG_SILENT_S,
                                         JA_FACT_UPTIME_S, JA_FACT_COUNT};

static void number(struct ja_case *item, struct ja_finding *f, const char *name, int64_t value)
{
    ja_whole(item, f, name, value);
}

static const char *since(struct ja_case *item, const struct ja_panic *panic)
{
    int64_t uptime = ja_panic_number(panic, JA_FACT_UPTIME_S);
    int64_t wake = ja_panic_number(panic, JA_FACT_SINCE_WAKE_S);
    if (uptime == JA_UNKNOWN)
        return "";
    if (wake == JA_UNKNOWN)
        return ja_arena_print(item->arena, ", %s after the boot",
                              ja_span_text(item, (double)uptime));
    return ja_arena_print(item->arena, ", %s after the boot and %s after the last wake",
                          ja_span_text(item, (double)uptime), ja_span_text(item, (double)wake));
}

/* Ten seconds a check-in plus the silence must give the time since boot or wake. */
static const char *check(struct ja_case *item, const struct ja_panic *panic, int64_t silent)
{
    int64_t count = ja_panic_number(panic, JA_FACT_WATCHDOG_CHECKINS);
    int64_t span = ja_panic_number(panic, JA_FACT_SINCE_WAKE_S);
    const char *kind = ja_panic_words(panic, JA_FACT_WATCHDOG_KIND);
    if (span == JA_UNKNOWN)
        span = ja_panic_number(panic, JA_FACT_UPTIME_S);
    if (count == JA_UNKNOWN || span == JA_UNKNOWN || silent == JA_UNKNOWN ||
        strcmp(kind, "kernel") != 0 || count > 1000000000)
        return "";
    int64_t counted = count * CHECKIN_S + silent;
    bool agree = llabs(counted - span) <= 60 + span / 100;
    return ja_arena_print(
        item->arena,
        "; %lld check-ins at about 10 s and the silence make %lld s, which %s "
        "the %lld s since %s",
        (long long)count, (long long)counted, agree ? "agrees with" : "differs from",
        (long long)span,
        ja_panic_number(panic, JA_FACT_SINCE_WAKE_S) != JA_UNKNOWN ? "the last wake" : "the boot");
}

static void state_silence(struct ja_case *item, struct ja_finding *f, const struct ja_panic *panic)
{
    const char *name = ja_panic_words(panic, JA_FACT_WATCHDOG_WHO);
    const char *who = name ? ja_name_text(item, name) : "a service";
    const char *kind = ja_panic_words(panic, JA_FACT_WATCHDOG_KIND);
    int64_t silent = ja_panic_number(panic, JA_FACT_WATCHDOG_SILENT_S);
    const char *title = ja_panic_title(item, panic);
    const char *shutdown =
        ja_panic_fact(panic, JA_FACT_SHUTDOWN) ? ", while the machine was shutting down" : "";
    if (kind && strcmp(kind, "hardware") == 0)
        ja_say(item, f, title, JA_VERB_RECORD,
               "that the hardware watchdog expired%s; it names nobody", since(item, panic));
    else if (kind && strcmp(kind, "t2") == 0)
        ja_say(item, f, title, JA_VERB_RECORD,
               "that the T2 processor found the Mac silent; it names nobody");
    else if (silent == JA_UNKNOWN)
        ja_say(item, f, title, JA_VERB_RECORD, "that %s was silent%s%s", who, since(item, panic),
               shutdown);
    else
        ja_say(item, f, title, JA_VERB_RECORD, "that %s was silent for %lld s%s%s", who,
               (long long)silent, since(item, panic), shutdown);
}

static void find_watchdog(struct ja_case *item, const struct ja_panic *panic)
{
    int64_t silent = ja_panic_number(panic, JA_FACT_WATCHDOG_SILENT_S);
    struct ja_finding *f = ja_find(item, "watchdog", JA_CONFIRMED, JA_SERIOUS,
                                   item->events[panic->event].host, JA_NONE);
    state_silence(item, f, panic);
    ja_because(item, f,
               "the panic's own text says so%s; why it was silent is not recorded, and the task "
               "that panicked is the one that noticed, not the cause",
               check(item, panic, silent));
    ja_unless(item, f, "a whole copy of the report with another panic text");
    ja_next(item, f,
            "keep the whole report with its process table, and log memory_pressure and "
            "footprint every minute until the next stall");
    number(item, f, "silent_s", silent);
    number(item, f, "uptime_s", ja_panic_number(panic, JA_FACT_UPTIME_S));
    number(item, f, "since_wake_s", ja_panic_number(panic, JA_FACT_SINCE_WAKE_S));
    number(item, f, "awake_s", ja_panic_number(panic, JA_FACT_AWAKE_S));
    number(item, f, "checkins", ja_panic_number(panic, JA_FACT_WATCHDOG_CHECKINS));
    ja_panic_cite(item, f, panic, cited);
}

static void judge(struct ja_case *item)
{
    struct ja_panic panic;
    for (size_t at = 0; ja_panic_next(item, &at, &panic);)
        if (ja_panic_fact(&panic, JA_FACT_WATCHDOG_KIND))
            find_watchdog(item, &panic);
}

const struct ja_rule ja_rule_watchdog = {
    .question = "who was silent, for how long, since when?",
    .names = {{"watchdog",
               "A watchdog panic states who did not check in and for how long. It does not state "
               "why. The count of check-ins (one about every 10 s) is an independent check of the "
               "time since boot or wake."}},
    .judge = judge,
};
