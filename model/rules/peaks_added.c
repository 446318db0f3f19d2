/* SPDX-License-Identifier: MIT
 *
 * Were peaks of different times added up? Lifetime peaks stand beside sizes in every report and
 * are easily summed; but each is of its own moment, so the sum is the size of nothing.
 */
#include "model/rule.h"
#include "model/tables.h"

#define ROWS_CITED 2

struct peaks {
    uint32_t state;
    int64_t sum;
    size_t count;
};

/* Peaks of the live rows of one state, together. */
static struct peaks add_peaks(const struct ja_case *item, uint32_t index)
{
    const struct ja_state *state = &item->states[index];
    struct peaks peaks = {index, 0, 0};
    for (size_t i = 0; i < state->row_count; i++) {
        int64_t peak = item->processes[state->rows[i]].peak_bytes;
        if (peak == JA_UNKNOWN)
            continue;
        peaks.sum = ja_add(peaks.sum, peak);
        peaks.count++;
    }
    return peaks;
}

/* The sum lies above memory and above the books: it would be taken for a peak of the machine. */
static bool misleads(const struct ja_state *state, const struct peaks *peaks)
{
    bool managed;
    int64_t memory = ja_state_memory(state, &managed);
    return peaks->count > 1 && !state->of && memory != JA_UNKNOWN && peaks->sum > memory &&
           state->books.high_bytes != JA_UNKNOWN && peaks->sum > state->books.high_bytes;
}

static void find(struct ja_case *item, const struct peaks *peaks)
{
    const struct ja_state *state = &item->states[peaks->state];
    struct ja_finding *f =
        ja_find(item, "peaks_added", JA_NOT_SHOWN, JA_REMARK, state->host, JA_NONE);
    ja_say(item, f,
           ja_arena_print(item->arena, "The sum of %zu lifetime peaks, %s,", peaks->count,
                          ja_size_text(item, (double)peaks->sum, 0)),
           JA_VERB_BE, "a size that was ever held at one moment: at %s the same rows held %s",
           ja_time_text(item, &state->at), ja_size_text(item, (double)state->books.sum_bytes, 0));
    ja_because(item, f,
               "each process had its peak at a moment of its own, and which one is not recorded");
    ja_unless(item, f, "the times of the peaks");
    ja_next(item, f, "add up sizes of one moment only; take reports more often to see the highest");
    ja_whole(item, f, "peaks_bytes", peaks->sum);
    ja_whole(item, f, "books_bytes", state->books.sum_bytes);
    ja_whole(item, f, "processes", (int64_t)peaks->count);
    ja_cite_rows(item, f, state, ROWS_CITED);
}

/* Was as much, but for a hundredth, on the books of one moment after all? */
static bool was_held(const struct ja_case *item, const struct peaks *peaks,
                     const struct ja_host *host)
{
    for (size_t i = 0; i < host->state_count; i++) {
        const struct ja_state *state = &item->states[host->first_state + i];
        if (!state->of && state->books.known &&
            state->books.high_bytes >= peaks->sum - peaks->sum / 100)
            return true;
    }
    return false;
}

/* One a host: the moment with the largest sum. */
static void judge(struct ja_case *item)
{
    struct peaks *worst = ja_arena_alloc(item->arena, item->host_count, sizeof *worst);
    for (uint32_t i = 0; i < item->state_count; i++) {
        struct peaks peaks = add_peaks(item, i);
        struct peaks *of_host = &worst[item->states[i].host];
        if (misleads(&item->states[i], &peaks) && peaks.sum > of_host->sum)
            *of_host = peaks;
    }
    for (uint32_t host = 0; host < item->host_count; host++)
        if (worst[host].count && !was_held(item, &worst[host], &item->hosts[host]))
            find(item, &worst[host]);
}

const struct ja_rule ja_rule_peaks_added = {
    .question = "were peaks of different times added up?",
    .names = {{"peaks_added",
               "Said where the lifetime peaks of the rows of one moment add up to more than the "
               "machine's memory and more than the rows held: the sum is of different moments, and "
               "nothing shows that they coincided. It is given here only to be recognised."}},
    .judge = judge,
};
