/* SPDX-License-Identifier: MIT
 *
 * Does the file's time lag the event? A panic report is written after the reboot: seconds later,
 * or the next morning when the machine waited for somebody to unlock its disk.
 */
#include "model/panics.h"
#include "model/rule.h"

#define USUAL_LAG_S 120

static const enum ja_fact_key cited[] = {JA_FACT_REPORT_LAG_S, JA_FACT_COUNT};

static void find_lag(struct ja_case *item, const struct ja_panic *panic, int64_t lag)
{
    bool before = lag < 0;
    struct ja_finding *f = ja_find(item, "report_written_later", before ? JA_CANNOT : JA_CONFIRMED,
                                   JA_REMARK, item->events[panic->event].host, JA_NONE);
    const char *title = ja_panic_title(item, panic);
    if (before)
        ja_say(item, f, title, JA_VERB_RECORD,
               "its time for sure: the report claims to be written %s before it",
               ja_span_text(item, (double)-lag));
    else
        ja_say(item, f, title, JA_VERB_RECORD,
               "a time of its own; its report was written %s later, and file name and header "
               "carry that later time",
               ja_span_text(item, (double)lag));
    ja_because(item, f,
               before ? "one of the two clocks was wrong; the panic's own is used"
                      : "the kernel's Calendar is the panic; 20 to 60 s are usual, more "
                        "means that the machine waited before it could write");
    ja_unless(item, f, "another record of the same moment");
    ja_next(item, f, "sort by the panic's own time, not by file name");
    ja_whole(item, f, "lag_s", lag);
    ja_panic_cite(item, f, panic, cited);
}

static void judge(struct ja_case *item)
{
    struct ja_panic panic;
    for (size_t at = 0; ja_panic_next(item, &at, &panic);) {
        int64_t lag = ja_panic_number(&panic, JA_FACT_REPORT_LAG_S);
        if (lag != JA_UNKNOWN && (lag > USUAL_LAG_S || lag < 0))
            find_lag(item, &panic, lag);
    }
}

const struct ja_rule ja_rule_report_written_later = {
    .question = "does the file time lag the event?",
    .names = {{"report_written_later",
               "The panic's moment is Calendar in its Epoch Time; the header and the file name are "
               "when the report was written, after the reboot. Said when the two are more than two "
               "minutes apart, or in the wrong order."}},
    .judge = judge,
};
