/* SPDX-License-Identifier: MIT
 *
 * Is the process table cut, full, filtered, or are sizes missing from its rows? Then its sum is
 * "at least", and what is not in it may be the largest.
 */
#include "model/rule.h"
#include "model/tables.h"
#include "model/window.h"

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

struct tally {
    struct ja_finding *finding; /* NULL until the first table */
    size_t tables;
    int64_t rows;
};

/* Counts one more incomplete table of the host; fact: what says so. */
static void count(struct ja_case *item, struct tally *tally, uint32_t host, uint32_t source,
                  const struct ja_fact *fact)
{
    if (!fact)
        return;
    if (!tally->finding)
        tally->finding = ja_find(item, "books_incomplete", JA_CONFIRMED, JA_REMARK, host, JA_NONE);
    if (tally->tables++ < CITED)
        ja_cite(item, tally->finding, ja_cite_fact(item, source, fact));
    tally->rows = fact->value > tally->rows ? fact->value : tally->rows;
}

static void count_stated(struct ja_case *item, struct tally *tally, uint32_t host,
                         const struct reason *reason)
{
    for (uint32_t s = 0; s < item->source_count; s++) {
        const struct ja_source *source = &item->sources[s];
        for (uint32_t r = 0; r < source->evidence->record_count; r++)
            if (source->duplicate_of == JA_NONE && source->record_host[r] == host &&
                source->evidence->records[r].census && ja_in_window(item, &source->record_at[r]))
                count(item, tally, host, s, ja_record_fact(source->evidence, r, reason->key));
    }
}

/* Tables that lack nothing but sizes: the state knows. */
static void count_sizeless(struct ja_case *item, struct tally *tally, uint32_t host)
{
    for (size_t i = 0; i < item->state_count; i++) {
        const struct ja_state *state = &item->states[i];
        const struct ja_evidence *evidence = item->sources[state->source].evidence;
        if (state->host == host && state->books.known && !state->books.complete &&
            evidence->records[state->record].census && evidence->records[state->record].complete)
            count(item, tally, host, state->source,
                  ja_record_fact(evidence, state->record, JA_FACT_ROWS));
    }
}

/* All tables of a host that are incomplete for one reason: one finding. */
static void judge_reason(struct ja_case *item, uint32_t host, const struct reason *reason)
{
    struct tally tally = {.rows = JA_UNKNOWN};
    if (reason->key == JA_FACT_COUNT)
        count_sizeless(item, &tally, host);
    else
        count_stated(item, &tally, host, reason);
    struct ja_finding *f = tally.finding;
    size_t tables = tally.tables;
    int64_t rows = tally.rows;
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
