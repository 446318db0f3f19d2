/* SPDX-License-Identifier: MIT
 *
 * Does the record name another cause? Panics whose own text names a fault that is no lack of
 * memory, also those that use memory words; and kills for vnode-limit, which counts files.
 */
#include "model/panics.h"
#include "model/rule.h"

#include <string.h>

static const enum ja_fact_key cited[] = {JA_FACT_PANIC_STRING, JA_FACT_OTHER_CAUSE,
                                         JA_FACT_COMPRESSOR_PAGES_PERCENT, JA_FACT_COUNT};

/* All three of the kernel's tests printed OK. */
static bool all_ok(const struct ja_panic *panic)
{
    const char *swap = ja_panic_words(panic, JA_FACT_SWAP_SPACE_STATE);
    enum ja_exhaustion what = ja_panic_exhaustion(panic);
    return (what == JA_EXHAUSTION_NONE || what == JA_EXHAUSTION_NEAR) && swap &&
           strcmp(swap, "OK") == 0;
}

static void find_cause(struct ja_case *item, const struct ja_panic *panic, const char *cause)
{
    bool ok = all_ok(panic);
    struct ja_finding *f = ja_find(item, "not_memory", ok ? JA_CONTRADICTED : JA_CONFIRMED,
                                   JA_REMARK, item->events[panic->event].host, JA_NONE);
    const char *title = ja_panic_title(item, panic);
    if (ok)
        ja_say(item, f, title, JA_VERB_RECORD,
               "a lack of memory as its cause: it names %s, and the compressor's limits and swap "
               "were all OK",
               cause);
    else
        ja_say(item, f, title, JA_VERB_RECORD, "another cause than a lack of memory: %s", cause);
    bool over = ja_panic_exhaustion(panic) == JA_EXHAUSTION_OVER;
    ja_because(item, f, "the panic's own text names the fault%s",
               over ? "; that the compressor was over its limit was recorded as well, but the "
                      "cause stays the fault that is named"
               : ok ? "; no exhaustion was recorded, which is not the same as memory having been "
                      "fine"
                    : "; there is no test of the compressor's limits to hold against it");
    ja_unless(item, f, "a whole copy of the report with another panic text");
    ja_next(item, f, "take the panic string to the maker of the driver or the hardware it names");
    ja_panic_cite(item, f, panic, cited);
}

static void find_unknown(struct ja_case *item, const struct ja_panic *panic)
{
    struct ja_finding *f =
        ja_find(item, "not_memory", JA_CANNOT, JA_REMARK, item->events[panic->event].host, JA_NONE);
    ja_say(item, f, ja_panic_title(item, panic), JA_VERB_RECORD,
           "whether memory had a part in it: its reason is none of those that are known here");
    ja_because(item, f, "nothing is concluded from words that may mean something else");
    ja_unless(item, f, "somebody who knows what the panic string means");
    ja_next(item, f,
            "read the panic string, and look it up in the kernel's or the driver's source");
    ja_panic_cite(item, f, panic, cited);
}

/* One a report: kills because the kernel ran out of vnodes. */
static void find_vnodes(struct ja_case *item, uint32_t first, size_t kills)
{
    const struct ja_event *event = &item->events[first];
    struct ja_finding *f =
        ja_find(item, "not_memory", JA_CONFIRMED, JA_REMARK, event->host, JA_NONE);
    ja_say(item, f, "The Jetsam report", JA_VERB_RECORD,
           "another cause than a lack of memory for %zu of its kills: vnode-limit, the kernel's "
           "table of open files was full",
           kills);
    ja_because(item, f, "the reason counts vnodes, not pages; memory may have been free");
    ja_unless(item, f, "kills of the same report for a memory reason");
    ja_next(item, f, "compare sysctl kern.num_vnodes with kern.maxvnodes, and lsof per process");
    ja_whole(item, f, "kills", (int64_t)kills);
    ja_cite(item, f, ja_cite_event(item, first));
}

static bool by_vnodes(const struct ja_event *event)
{
    return event->kind == JA_EVENT_JETSAM_KILL && event->reason &&
           strcmp(event->reason, "vnode-limit") == 0;
}

static void judge_vnodes(struct ja_case *item)
{
    for (uint32_t i = 0; i < item->event_count; i++) {
        if (!by_vnodes(&item->events[i]))
            continue;
        bool first = true;
        size_t kills = 0;
        for (uint32_t k = 0; k < item->event_count; k++) {
            if (!by_vnodes(&item->events[k]) || item->events[k].source != item->events[i].source)
                continue;
            first &= k >= i;
            kills++;
        }
        if (first)
            find_vnodes(item, i, kills);
    }
}

static void judge(struct ja_case *item)
{
    struct ja_panic panic;
    for (size_t at = 0; ja_panic_next(item, &at, &panic);) {
        const char *cause = ja_panic_words(&panic, JA_FACT_OTHER_CAUSE);
        const char *class = ja_panic_words(&panic, JA_FACT_PANIC_CLASS);
        if (cause)
            find_cause(item, &panic, cause);
        else if (class && strcmp(class, "unknown") == 0)
            find_unknown(item, &panic);
    }
    judge_vnodes(item);
}

const struct ja_rule ja_rule_not_memory = {
    .question = "does the record name another cause?",
    .names = {{"not_memory",
               "A panic whose own text names another fault, or a kill for vnode-limit. Where the "
               "compressor's limits and swap were printed OK/OK/OK, memory as the cause is "
               "contradicted; else the other cause is confirmed and nothing is said of memory. "
               "Words like page fault, swap, compressor or zone may stand for something else."}},
    .judge = judge,
};
