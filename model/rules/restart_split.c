/* SPDX-License-Identifier: MIT
 *
 * Was one name several lives? Read as one series a week of restarts looks level.
 */
#include "model/rule.h"

#include <string.h>

#define LIVES_CITED 6

/* What split the lives: start times or ages prove it, a pid and a name only suggest it. */
static enum ja_grade grade_of(const struct ja_case *item, const struct ja_service *service)
{
    for (size_t i = 0; i < service->process_count; i++) {
        const struct ja_process *p = &item->processes[service->processes[i]];
        for (size_t k = 0; k < i; k++) {
            const struct ja_process *q = &item->processes[service->processes[k]];
            bool pids = p->pid != JA_UNKNOWN && q->pid != JA_UNKNOWN && p->pid != q->pid;
            bool starts =
                ja_process_start_ns(p) != JA_UNKNOWN && ja_process_start_ns(q) != JA_UNKNOWN;
            if (!pids && !starts && p->boot == q->boot)
                return JA_CONSISTENT;
        }
        if (i > 16) /* enough said: the rest of a long list is of the same kind */
            break;
    }
    return JA_CONFIRMED;
}

static size_t count_boots(const struct ja_case *item, const struct ja_service *service)
{
    size_t boots = 1;
    for (size_t i = 1; i < service->process_count; i++)
        boots += item->processes[service->processes[i]].boot !=
                 item->processes[service->processes[i - 1]].boot;
    return boots;
}

static void cite_lives(struct ja_case *item, struct ja_finding *f, const struct ja_service *service)
{
    for (size_t i = 0; i < service->process_count && i < LIVES_CITED; i++) {
        const struct ja_process *p = &item->processes[service->processes[i]];
        if (p->series_count && item->series[p->first_series].point_count)
            ja_cite_point(item, f, ja_first_point(&item->series[p->first_series]));
    }
}

static bool any_shown(const struct ja_case *item, const struct ja_service *service)
{
    for (size_t i = 0; i < service->process_count; i++)
        if (item->processes[service->processes[i]].shown)
            return true;
    return false;
}

static void find_lives(struct ja_case *item, const struct ja_service *service)
{
    size_t lives = service->process_count, boots = count_boots(item, service);
    uint32_t newest = service->processes[lives - 1];
    struct ja_finding *f =
        ja_find(item, "restart_split", grade_of(item, service), JA_REMARK, service->host, newest);
    ja_say(item, f, ja_name_text(item, service->name), JA_VERB_BE,
           "the name of %zu lives in this evidence (%zu boot%s), each with a series of its own",
           lives, boots, boots == 1 ? "" : "s");
    ja_because(item, f, "start times, ages, pids or boots differ between its readings");
    ja_unless(item, f, "nothing for lives that start times prove; else a start time per reading");
    ja_next(item, f, "save the start time with every reading (ps -o lstart=, /proc/PID/stat)");
    ja_whole(item, f, "lives", (int64_t)lives);
    ja_whole(item, f, "boots", (int64_t)boots);
    cite_lives(item, f, service);
}

static void judge(struct ja_case *item)
{
    for (size_t i = 0; i < item->service_count; i++) {
        const struct ja_service *service = &item->services[i];
        size_t boots = count_boots(item, service);
        /* A name that is back after a reboot is no restart; every daemon does that. */
        if (any_shown(item, service) && service->process_count > boots)
            find_lives(item, service);
    }
}

const struct ja_rule ja_rule_restart_split = {
    .question = "was one name several lives?",
    .names = {{"restart_split",
               "A new pid, start time or age, a falling CPU time or lifetime peak is a new life. "
               "Lives are never joined for a slope; the services list judges them together."}},
    .judge = judge,
};
