/* SPDX-License-Identifier: MIT
 *
 * Were peaks of different times added up? Lifetime peaks stand beside sizes in every report and
 * are easily summed; but each is of its own moment, so the sum is the size of nothing.
 */
#include "model/rule.h"
#include "model/tables.h"

#define ROWS_CITED 2

/* The sum lies above memory and above the books: it would be taken for a peak of the machine. */
static bool misleads(const struct ja_state *state)
{
    bool managed;
    int64_t memory = ja_state_memory(state, &managed), sum = state->peaks.sum_bytes;
    return state->peaks.count > 1 && !state->of && memory != JA_UNKNOWN && sum > memory &&
           state->books.high_bytes != JA_UNKNOWN && sum > state->books.high_bytes;
}

static void find(struct ja_case *item, const struct ja_state *state)
{
    const struct ja_peaks *peaks = &state->peaks;
    struct ja_finding *f =
        ja_find(item, "peaks_added", JA_NOT_SHOWN, JA_REMARK, state->host, JA_NONE);
    ja_say(item, f,
           ja_arena_print(item->arena, "The sum of %zu lifetime peaks, %s,", peaks->count,
                          ja_size_text(item, (double)peaks->sum_bytes, 0)),
           JA_VERB_BE, "a size that was ever held at one moment: at %s the same rows held %s",
           ja_time_text(item, &state->at), ja_size_text(item, (double)state->books.sum_bytes, 0));
    ja_because(item, f,
               "each process had its peak at a moment of its own, and which one is not recorded");
    ja_unless(item, f, "the times of the peaks");
    ja_next(item, f, "add up sizes of one moment only; take reports more often to see the highest");
    ja_whole(item, f, "peaks_bytes", peaks->sum_bytes);
    ja_whole(item, f, "books_bytes", state->books.sum_bytes);
    ja_whole(item, f, "processes", (int64_t)peaks->count);
    ja_cite_rows(item, f, state, ROWS_CITED);
}

/* Was as much, but for a hundredth, on the books of one moment after all? */
static bool was_held(const struct ja_case *item, int64_t bytes, const struct ja_host *host)
{
    for (size_t i = 0; i < host->state_count; i++) {
        const struct ja_state *state = &item->states[host->first_state + i];
        if (!state->of && state->books.known && state->books.high_bytes >= bytes - bytes / 100)
            return true;
    }
    return false;
}

/* One a host: the moment with the largest sum. */
static void judge(struct ja_case *item)
{
    for (uint32_t h = 0; h < item->host_count; h++) {
        const struct ja_host *host = &item->hosts[h];
        const struct ja_state *worst = NULL;
        for (size_t i = 0; i < host->state_count; i++) {
            const struct ja_state *state = &item->states[host->first_state + i];
            int64_t sum = state->peaks.sum_bytes;
            if (misleads(state) && sum > (worst ? worst->peaks.sum_bytes : 0))
                worst = state;
        }
        if (worst && !was_held(item, worst->peaks.sum_bytes, host))
            find(item, worst);
    }
}

const struct ja_rule ja_rule_peaks_added = {
    .question = "were peaks of different times added up?",
    .names = {{"peaks_added",
               "Said where the lifetime peaks of the rows of one moment add up to more than the "
               "machine's memory and more than the rows held: the sum is of different moments, and "
               "nothing shows that they coincided. It is given here only to be recognised."}},
    .judge = judge,
};
