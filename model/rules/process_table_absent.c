/* SPDX-License-Identifier: MIT
 *
 * Can this panic report name an owner at all? Without a process table it can not; the table is
 * then absent, not empty.
 */
#include "model/panics.h"
#include "model/rule.h"

static const enum ja_fact_key cited[] = {JA_FACT_TABLE_ABSENT, JA_FACT_STACKSHOT, JA_FACT_COUNT};

static void judge(struct ja_case *item)
{
    struct ja_panic panic;
    for (size_t at = 0; ja_panic_next(item, &at, &panic);) {
        const char *why = ja_panic_words(&panic, JA_FACT_TABLE_ABSENT);
        if (!why)
            continue;
        struct ja_finding *f = ja_find(item, "process_table_absent", JA_CONFIRMED, JA_REMARK,
                                       item->events[panic.event].host, JA_NONE);
        ja_say(item, f, ja_panic_title(item, &panic), JA_VERB_RECORD,
               "no process table (%s): it can name no owner of memory", why);
        ja_because(item, f,
                   "an absent table is not an empty one: a large process may or may not "
                   "have run, and the task that panicked is no owner");
        ja_unless(item, f, "a copy of the report with its process table (panic-full)");
        ja_next(item, f, "take the Jetsam reports of the hours before it; they hold a table");
        ja_panic_cite(item, f, &panic, cited);
    }
}

const struct ja_rule ja_rule_process_table_absent = {
    .question = "can this panic report name an owner at all?",
    .names =
        {{"process_table_absent",
          "A panic report without processByPid (panic-base, text, cut, a stackshot that failed "
          "or did not fit) can never name the process that held memory."}},
    .judge = judge,
};
