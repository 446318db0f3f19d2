/* SPDX-License-Identifier: MIT
 *
 * The exit status of an audit that ran to its end, and what --fail-on may name.
 */
#include "cli/run.h"

#include <math.h>
#include <string.h>

/* Known for something that this program is for. */
static bool is_recognised(const struct ja_evidence *evidence)
{
    return evidence->kind != JA_KIND_UNKNOWN && evidence->kind != JA_KIND_FOREIGN &&
           evidence->kind != JA_KIND_CASE && evidence->kind != JA_KIND_MANIFEST;
}

/* Nothing was got from it, for it was unreadable or damaged. */
static bool is_lost(const struct ja_source *source)
{
    const struct ja_evidence *evidence = source->evidence;
    return evidence->status == JA_STATUS_UNREADABLE ||
           (evidence->status == JA_STATUS_DAMAGED && !evidence->reading_count &&
            !evidence->event_count && !evidence->record_count);
}

static bool is_growing(const struct ja_case *item)
{
    for (size_t i = 0; i < item->series_count; i++)
        if (item->series[i].growth->verdict == JA_GROWING &&
            item->processes[item->series[i].process].shown)
            return true;
    return false;
}

static double number_of(const struct ja_finding *finding, const char *name)
{
    for (size_t i = 0; i < finding->number_count; i++)
        if (strcmp(finding->numbers[i].name, name) == 0)
            return finding->numbers[i].whole == JA_UNKNOWN ? finding->numbers[i].value
                                                           : (double)finding->numbers[i].whole;
    return NAN;
}

/* A plateau whose bill (all processes that the cap applies to) exceeds RAM. */
static bool is_over_cap(const struct ja_finding *finding)
{
    return strcmp(finding->rule, "plateau_at_cap") == 0 &&
           number_of(finding, "bill_bytes") > number_of(finding, "ram_bytes");
}

static bool is_unaccepted(const struct ja_finding *finding)
{
    return strcmp(finding->rule, "fix_not_shown") == 0 ||
           strcmp(finding->rule, "fix_test_blind") == 0;
}

static bool any_finding(const struct ja_case *item, bool (*is)(const struct ja_finding *))
{
    for (size_t i = 0; i < item->finding_count; i++)
        if (is(&item->findings[i]))
            return true;
    return false;
}

/* An idle exit is housekeeping, no kill for want of memory. */
static bool is_kill(const struct ja_event *event)
{
    return event->kind == JA_EVENT_OOM_KILL ||
           (event->kind == JA_EVENT_JETSAM_KILL &&
            !(event->reason && strcmp(event->reason, "idle-exit") == 0));
}

static bool is_panic(const struct ja_event *event)
{
    return event->kind == JA_EVENT_PANIC || event->kind == JA_EVENT_RESET ||
           event->kind == JA_EVENT_FORCE_RESET;
}

static bool any_event(const struct ja_case *item, bool (*is)(const struct ja_event *))
{
    for (size_t i = 0; i < item->event_count; i++)
        if (is(&item->events[i]))
            return true;
    return false;
}

static bool is_found(const struct ja_case *item, unsigned fail_on)
{
    return ((fail_on & JA_FAIL_GROWING) && is_growing(item)) ||
           ((fail_on & JA_FAIL_CAP) && any_finding(item, is_over_cap)) ||
           ((fail_on & JA_FAIL_UNACCEPTED) && any_finding(item, is_unaccepted)) ||
           ((fail_on & JA_FAIL_KILL) && any_event(item, is_kill)) ||
           ((fail_on & JA_FAIL_PANIC) && any_event(item, is_panic));
}

int ja_verdict(const struct ja_run *run, const struct ja_case *item)
{
    bool recognised = false, lost = false;
    for (size_t i = 0; i < item->source_count; i++) {
        recognised |= is_recognised(item->sources[i].evidence);
        lost |= is_lost(&item->sources[i]);
    }
    if (!recognised) {
        ja_complain("no evidence was recognised");
        return JA_EXIT_NO_EVIDENCE;
    }
    if (is_found(item, run->options->fail_on))
        return JA_EXIT_FOUND;
    if (lost && (run->options->fail_on & JA_FAIL_DAMAGED))
        return JA_EXIT_DAMAGED;
    return JA_EXIT_DONE;
}
