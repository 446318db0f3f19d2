/* SPDX-License-Identifier: MIT
 *
 * Do per-process sums exceed memory, and by what? Footprints count compressed and swapped pages at
 * full size and shared ones more than once, so their sum may; it is never memory in use. The
 * difference to physical use is the least that is compressed, swapped or counted twice.
 */
#include "model/rule.h"
#include "model/tables.h"

#define ROWS_CITED 3

/* How far the sum lies above memory, for sure; 0 or less: it does not. */
static double excess(const struct ja_state *state)
{
    bool managed;
    int64_t memory = ja_state_memory(state, &managed);
    if (!state->books.known || state->of || state->books.low_bytes == JA_UNKNOWN ||
        memory == JA_UNKNOWN || memory <= 0 ||
        !(ja_metrics[state->books.metric].counts & JA_COUNTS_COMPRESSED))
        return 0;
    return (double)state->books.low_bytes / (double)memory - 1;
}

static void explain(struct ja_case *item, struct ja_finding *f, const struct ja_state *state)
{
    const int64_t *figures = state->figures;
    int64_t used = figures[JA_FIGURE_USED], packed = figures[JA_FIGURE_UNCOMPRESSED];
    int64_t room = figures[JA_FIGURE_COMPRESSOR];
    const char *beside = "how much was in use at that moment is not recorded";
    if (used != JA_UNKNOWN)
        beside = ja_arena_print(
            item->arena, "%s were in use, so at least %s are compressed, swapped or counted twice",
            ja_size_text(item, (double)used, 0),
            ja_size_text(item, (double)(state->books.sum_bytes - used), 0));
    const char *bridge = "";
    if (packed != JA_UNKNOWN && room != JA_UNKNOWN)
        bridge = ja_arena_print(item->arena, "; the compressor held %s of pages in %s of RAM",
                                ja_size_text(item, (double)packed, 0),
                                ja_size_text(item, (double)room, 0));
    ja_because(item, f, "a footprint counts compressed and swapped pages at full size: %s%s%s",
               beside, bridge,
               state->books.complete ? "" : "; the table is not whole, the sum is a part");
    ja_unless(item, f, "more installed memory than %s",
              ja_size_text(item, excess(state) > 0 ? (double)state->books.low_bytes : 0, 0));
    ja_next(item, f, "save vm_stat and sysctl vm.swapusage with the next report");
}

static void find(struct ja_case *item, uint32_t index, size_t moments)
{
    const struct ja_state *state = &item->states[index];
    bool managed;
    int64_t memory = ja_state_memory(state, &managed);
    const struct ja_books *books = &state->books;
    struct ja_finding *f =
        ja_find(item, "books_exceed_memory", JA_CONFIRMED, JA_SERIOUS, state->host, JA_NONE);
    f->metric = (int)books->metric;
    f->stake_bytes = books->sum_bytes;
    ja_say(item, f,
           ja_arena_print(item->arena, "The footprints of %zu processes, %s together at %s,",
                          books->processes, ja_size_text(item, (double)books->sum_bytes, 0),
                          ja_time_text(item, &state->at)),
           JA_VERB_EXCEED, "the %s %s: %.2f times as much%s; they are books, not memory in use",
           ja_size_text(item, (double)memory, 0), managed ? "that the kernel manages" : "of RAM",
           (double)books->sum_bytes / (double)memory,
           moments > 1 ? ja_arena_print(item->arena, " (the most of %zu such moments)", moments)
                       : "");
    explain(item, f, state);
    ja_whole(item, f, "books_bytes", books->sum_bytes);
    ja_whole(item, f, "books_low_bytes", books->low_bytes);
    ja_whole(item, f, "books_high_bytes", books->high_bytes);
    ja_whole(item, f, "physical_bytes", state->figures[JA_FIGURE_USED]);
    ja_whole(item, f, "ram_bytes", state->figures[JA_FIGURE_RAM]);
    ja_whole(item, f, "managed_bytes", state->figures[JA_FIGURE_MANAGED]);
    ja_number(item, f, "ratio", (double)books->sum_bytes / (double)memory);
    ja_cite_rows(item, f, state, ROWS_CITED);
    ja_cite(item, f, ja_cite_figure(item, index, JA_FIGURE_UNCOMPRESSED));
    ja_cite(item, f, ja_cite_figure(item, index, JA_FIGURE_COMPRESSOR));
    ja_cite(item, f, ja_cite_figure(item, index, JA_FIGURE_ANONYMOUS));
    ja_cite(item, f, ja_cite_figure(item, index, JA_FIGURE_WIRED));
}

/* One a host: the moment that lies furthest above. */
static void judge(struct ja_case *item)
{
    for (uint32_t h = 0; h < item->host_count; h++) {
        const struct ja_host *host = &item->hosts[h];
        uint32_t worst = JA_NONE;
        size_t moments = 0;
        for (uint32_t i = host->first_state; i < host->first_state + host->state_count; i++) {
            if (excess(&item->states[i]) <= 0)
                continue;
            moments++;
            if (worst == JA_NONE || excess(&item->states[i]) > excess(&item->states[worst]))
                worst = i;
        }
        if (worst != JA_NONE)
            find(item, worst, moments);
    }
}

const struct ja_rule ja_rule_books_exceed_memory = {
    .question = "do per-process sums exceed memory, and by what?",
    .names = {{"books_exceed_memory",
               "The sum of the live rows' footprints at one moment lies above installed RAM (or, "
               "when that is not known, above what the kernel manages), for every rounding. Such a "
               "sum counts compressed and swapped pages in full and shared ones several times: it "
               "is bookkeeping, never memory in use. Physical use stands beside it."}},
    .judge = judge,
};
