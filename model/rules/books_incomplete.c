/* SPDX-License-Identifier: MIT
 *
 * Is the process table cut, full, filtered, or are sizes missing from its rows? Then its sum is
 * "at least", and what is not in it may be the largest.
 */
#include "model/rule.h"
#include "model/sort.h"
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

enum { REASONS = sizeof reasons / sizeof *reasons };

/* One incomplete table, and what says so. */
struct table {
    uint32_t host, source;
    size_t reason, number; /* number: in the order they were found */
    const struct ja_fact *fact;
};

struct tables {
    struct table *items;
    size_t count, capacity;
};

static int by_host_and_reason(const void *a, const void *b)
{
    const struct table *x = a, *y = b;
    if (x->host != y->host)
        return x->host < y->host ? -1 : 1;
    if (x->reason != y->reason)
        return x->reason < y->reason ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void add(struct ja_case *item, struct tables *tables, struct table table)
{
    if (!table.fact)
        return;
    table.number = tables->count;
    *JA_APPEND(item->arena, tables->items, tables->count, tables->capacity) = table;
}

static void list_stated(struct ja_case *item, struct tables *tables, uint32_t index)
{
    const struct ja_source *source = &item->sources[index];
    const struct ja_evidence *evidence = source->evidence;
    for (uint32_t r = 0; source->duplicate_of == JA_NONE && r < evidence->record_count; r++) {
        if (source->record_host[r] == JA_NONE || !evidence->records[r].census ||
            !ja_in_window(item, &source->record_at[r]))
            continue;
        for (size_t i = 0; i < REASONS; i++)
            if (reasons[i].key != JA_FACT_COUNT)
                add(item, tables,
                    (struct table){.host = source->record_host[r],
                                   .source = index,
                                   .reason = i,
                                   .fact = ja_record_fact(evidence, r, reasons[i].key)});
    }
}

/* Tables that lack nothing but sizes: the state knows. */
static void list_sizeless(struct ja_case *item, struct tables *tables, const struct ja_state *state)
{
    const struct ja_evidence *evidence = item->sources[state->source].evidence;
    const struct ja_record *record = &evidence->records[state->record];
    if (state->books.known && !state->books.complete && record->census && record->complete)
        add(item, tables,
            (struct table){.host = state->host,
                           .source = state->source,
                           .reason = REASONS - 1,
                           .fact = ja_record_fact(evidence, state->record, JA_FACT_ROWS)});
}

/* All tables of a host that are incomplete for one reason: one finding. */
static void find(struct ja_case *item, const struct table *list, size_t tables)
{
    const struct reason *reason = &reasons[list->reason];
    int64_t rows = JA_UNKNOWN;
    struct ja_finding *f =
        ja_find(item, "books_incomplete", JA_CONFIRMED, JA_REMARK, list->host, JA_NONE);
    for (size_t i = 0; i < tables; i++) {
        if (i < CITED)
            ja_cite(item, f, ja_cite_fact(item, list[i].source, list[i].fact));
        rows = list[i].fact->value > rows ? list[i].fact->value : rows;
    }
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
    struct tables tables = {.items = NULL};
    for (uint32_t i = 0; i < item->source_count; i++)
        list_stated(item, &tables, i);
    for (size_t i = 0; i < item->state_count; i++)
        list_sizeless(item, &tables, &item->states[i]);
    ja_sort(tables.items, tables.count, sizeof *tables.items, by_host_and_reason);
    for (size_t i = 0, end; i < tables.count; i = end) {
        const struct table *first = &tables.items[i];
        for (end = i; end < tables.count && tables.items[end].host == first->host &&
                      tables.items[end].reason == first->reason;)
            end++;
        find(item, first, end - i);
    }
}

const struct ja_rule ja_rule_books_incomplete = {
    .question = "is the process table cut, full, filtered or missing sizes?",
    .names = {{"books_incomplete",
               "A table that ends early, holds exactly as many rows as the kernel's buffer, had "
               "rows taken out by hand, or has rows without a size. Its sum is printed as a part, "
               "never as a total, and no ranking is made from it."}},
    .judge = judge,
};
