/* SPDX-License-Identifier: MIT
 *
 * Is the process table cut, full, filtered, or are sizes missing from its rows? Then its sum is
 * "at least", and what is not in it may be the largest.
 */
#include "model/rule.h"
#include "model/tables.h"

#define CITED 8

struct reason {
    enum ja_fact_key key; /* JA_FACT_COUNT: rows without a size */
    const char *what, *next;
};

static const struct reason reasons[] = {
    {JA_FACT_TABLE_FULL, "has as many rows as the kernel's buffer holds, later ones are missing",
     "count the processes (ps -A | wc -l) and compare with sysctl kern.maxproc"},
    {JA_FACT_TABLE_CUT, "is cut or broken", "get the whole file"},
    {JA_FACT_TABLE_FILTERED, "has had rows taken out", "get the file as it was written"},
    {JA_FACT_COUNT, "has rows without a size", "get a report that was not trimmed"},
};

/* The fact that says so; for rows without a size, the record's count of rows. */
static const struct ja_fact *applies(const struct ja_case *item, uint32_t source, uint32_t record,
                                     const struct reason *reason)
{
    const struct ja_evidence *evidence = item->sources[source].evidence;
    if (!evidence->records[record].census)
        return NULL;
    if (reason->key != JA_FACT_COUNT)
        return ja_record_fact(evidence, record, reason->key);
    if (!evidence->records[record].complete)
        return NULL;
    for (size_t i = 0; i < item->state_count; i++) {
        const struct ja_state *state = &item->states[i];
        if (state->source == source && state->record == record && state->books.known &&
            !state->books.complete)
            return ja_record_fact(evidence, record, JA_FACT_ROWS);
    }
    return NULL;
}

/* All tables of a host that are incomplete for one reason: one finding. */
static void judge_reason(struct ja_case *item, uint32_t host, const struct reason *reason)
{
    struct ja_finding *f = NULL;
    size_t tables = 0;
    int64_t rows = JA_UNKNOWN;
    for (uint32_t s = 0; s < item->source_count; s++) {
        const struct ja_source *source = &item->sources[s];
        for (uint32_t r = 0; r < source->evidence->record_count; r++) {
            if (source->duplicate_of != JA_NONE || source->record_host[r] != host)
                continue;
            const struct ja_fact *fact = applies(item, s, r, reason);
            if (!fact)
                continue;
            if (!f)
                f = ja_find(item, "books_incomplete", JA_CONFIRMED, JA_REMARK, host, JA_NONE);
            if (tables++ < CITED)
                ja_cite(item, f, ja_cite_fact(item, s, fact));
            rows = fact->value > rows ? fact->value : rows;
        }
    }
    if (!f)
        return;
    const char *seen =
        rows == JA_UNKNOWN ? "an unknown number of rows"
        : rows == 0        ? "no row is left"
                    : ja_arena_print(item->arena, "%s%lld row%s", tables > 1 ? "at most " : "",
                                     (long long)rows, rows == 1 ? "" : "s");
    ja_say(item, f,
           tables == 1 ? "One process table"
                       : ja_arena_print(item->arena, "Each of %zu process tables", tables),
           JA_VERB_BE, "incomplete: it %s (%s)", reason->what, seen);
    ja_because(item, f,
               "its sum is a part of the books, and its largest row need not be the "
               "largest process");
    ja_unless(item, f, "a whole table of the same moment");
    ja_next(item, f, "%s", reason->next);
    ja_whole(item, f, "rows", rows);
    ja_whole(item, f, "tables", (int64_t)tables);
}

static void judge(struct ja_case *item)
{
    for (uint32_t host = 0; host < item->host_count; host++)
        for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
            judge_reason(item, host, &reasons[i]);
}

const struct ja_rule ja_rule_books_incomplete = {
    .question = "is the process table cut, full, filtered or missing sizes?",
    .names = {{"books_incomplete",
               "A table that ends early, holds exactly as many rows as the kernel's buffer, had "
               "rows taken out by hand, or has rows without a size. Its sum is printed as a part, "
               "never as a total, and no ranking is made from it."}},
    .judge = judge,
};
