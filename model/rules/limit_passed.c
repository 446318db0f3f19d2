/* SPDX-License-Identifier: MIT
 *
 * Did a process pass a memory limit of its own, without a kill on record? EXC_RESOURCE of a memory
 * resource report or a crash report says that it went over its high water mark; a kill is another
 * event.
 */
#include "model/case.h"
#include "model/rule.h"

#include <string.h>

static bool same_limit(const struct ja_event *a, const struct ja_event *b)
{
    return a->kind == JA_EVENT_LIMIT && a->host == b->host && a->limit_bytes == b->limit_bytes &&
           (a->name == b->name || (a->name && b->name && strcmp(a->name, b->name) == 0));
}

/* One finding a host, name and limit: the first such event stands for all. */
static bool is_first(const struct ja_case *item, uint32_t index, size_t *ret_times)
{
    *ret_times = 0;
    for (uint32_t i = 0; i < item->event_count; i++) {
        if (!same_limit(&item->events[i], &item->events[index]))
            continue;
        if (i < index)
            return false;
        ++*ret_times;
    }
    return true;
}

static void find_passed(struct ja_case *item, uint32_t index, size_t times)
{
    const struct ja_event *event = &item->events[index];
    struct ja_finding *f =
        ja_find(item, "limit_passed", JA_CONFIRMED, JA_REMARK, event->host, event->process);
    f->stake_bytes = event->limit_bytes == JA_UNKNOWN ? 0 : event->limit_bytes;
    const char *who = event->process != JA_NONE ? ja_process_text(item, event->process)
                      : event->name             ? ja_name_text(item, event->name)
                                                : "a process without a name";
    const char *limit = event->limit_bytes == JA_UNKNOWN
                            ? ""
                            : ja_arena_print(item->arena, " of %s",
                                             ja_size_text(item, (double)event->limit_bytes, 0));
    ja_say(item, f, "The report", JA_VERB_RECORD, "that %s passed its own memory limit%s%s", who,
           limit, times > 1 ? ja_arena_print(item->arena, ", %zu times in all", times) : "");
    ja_because(item, f,
               "EXC_RESOURCE is raised when a footprint goes over the process's high water "
               "mark; it says nothing of the machine's memory, and a kill would be another "
               "record");
    ja_unless(item, f, "a report of the same moment with another limit");
    ja_next(item, f,
            "look for a Jetsam report of the next minutes, and log the footprint of the "
            "process");
    ja_whole(item, f, "limit_bytes", event->limit_bytes);
    ja_whole(item, f, "times", (int64_t)times);
    ja_cite(item, f, ja_cite_event(item, index));
}

static void judge(struct ja_case *item)
{
    for (uint32_t i = 0; i < item->event_count; i++) {
        size_t times;
        if (item->events[i].kind == JA_EVENT_LIMIT && is_first(item, i, &times))
            find_passed(item, i, times);
    }
}

const struct ja_rule ja_rule_limit_passed = {
    .question = "did a process pass a memory limit of its own?",
    .names = {{"limit_passed",
               "A memory resource report or a crash report with EXC_RESOURCE, subtype MEMORY: the "
               "process went over its high water mark. That is recorded; that it was killed for it "
               "is not, and the machine may have had memory to spare."}},
    .judge = judge,
};
