/* SPDX-License-Identifier: MIT
 *
 * How full is swap, and does it move? The fullest moment of each host is told, with the way from
 * its first reading to its last. A full swap is a state of the machine, not a cause: what filled
 * it stands in other findings.
 */
#include "model/case.h"
#include "model/rule.h"

#include <string.h>

#define NOTE_PERCENT 75
#define WARNING_PERCENT 90

struct swap {
    uint32_t state; /* index of the fullest moment */
    double percent;
    uint32_t first, last; /* dated moments of the host that tell swap; JA_NONE */
    size_t moments;
};

/* Percent of swap in use at a moment of the host itself; negative when it is not told. */
static double percent_at(const struct ja_state *state)
{
    int64_t used = state->figures[JA_FIGURE_SWAP_USED];
    int64_t total = state->figures[JA_FIGURE_SWAP_TOTAL];
    if (state->of || used == JA_UNKNOWN || total == JA_UNKNOWN || total <= 0 || used < 0 ||
        used > total)
        return -1;
    return 100.0 * (double)used / (double)total;
}

/* First and last dated moments of the fullest one's boot: swap begins empty at each. */
static void find_ends(const struct ja_case *item, struct swap *swap)
{
    const struct ja_state *fullest = &item->states[swap->state];
    const struct ja_host *host = &item->hosts[fullest->host];
    for (uint32_t i = host->first_state; i < host->first_state + host->state_count; i++) {
        const struct ja_state *state = &item->states[i];
        if (state->boot != fullest->boot || percent_at(state) < 0)
            continue;
        swap->moments++;
        if (!ja_instant_known(&state->at))
            continue;
        if (swap->first == JA_NONE || state->at.unix_ns < item->states[swap->first].at.unix_ns)
            swap->first = i;
        if (swap->last == JA_NONE || state->at.unix_ns > item->states[swap->last].at.unix_ns)
            swap->last = i;
    }
}

static bool survey(const struct ja_case *item, uint32_t index, struct swap *ret)
{
    const struct ja_host *host = &item->hosts[index];
    *ret = (struct swap){.state = JA_NONE, .percent = -1, .first = JA_NONE, .last = JA_NONE};
    for (uint32_t i = host->first_state; i < host->first_state + host->state_count; i++) {
        double percent = percent_at(&item->states[i]);
        if (percent < 0 || percent < ret->percent)
            continue;
        ret->percent = percent;
        ret->state = i;
    }
    if (ret->percent < NOTE_PERCENT)
        return false;
    find_ends(item, ret);
    return true;
}

/* "rose by 1.2 GiB in 3.5 h", or why nothing is said of it. */
static const char *motion(struct ja_case *item, const struct swap *swap, double *ret_bytes)
{
    if (swap->moments < 2)
        return "one reading has no direction";
    if (swap->first == JA_NONE)
        return "its readings have no times, so no direction is known";
    const struct ja_state *first = &item->states[swap->first], *last = &item->states[swap->last];
    double span_s = (double)(last->at.unix_ns - first->at.unix_ns) / 1e9;
    if (span_s <= 0)
        return "readings of one moment have no direction";
    int64_t moved =
        ja_subtract(last->figures[JA_FIGURE_SWAP_USED], first->figures[JA_FIGURE_SWAP_USED]);
    *ret_bytes = (double)moved;
    if (moved == 0)
        return ja_arena_print(item->arena, "it did not move in %s", ja_span_text(item, span_s));
    return ja_arena_print(item->arena, "it %s by %s in %s", moved > 0 ? "rose" : "fell",
                          ja_size_text(item, (double)(moved > 0 ? moved : -moved), 0),
                          ja_span_text(item, span_s));
}

/* A swap area of the host is named zram: it lies in RAM. */
static bool on_zram(const struct ja_case *item, uint32_t host)
{
    for (size_t i = 0; i < item->source_count; i++) {
        const struct ja_source *source = &item->sources[i];
        for (size_t f = 0; f < source->evidence->fact_count; f++) {
            const struct ja_fact *fact = &source->evidence->facts[f];
            if (fact->key == JA_FACT_SWAP_AREA && source->record_host[fact->record] == host &&
                fact->text && strstr(fact->text, "zram"))
                return true;
        }
    }
    return false;
}

static const char *meaning(struct ja_case *item, uint32_t host, const struct ja_state *state)
{
    const char *os = item->hosts[host].os;
    if (state->figures[JA_FIGURE_ZRAM_USED] != JA_UNKNOWN)
        return ja_arena_print(item->arena, "zram keeps these pages in RAM, where they take %s",
                              ja_size_text(item, (double)state->figures[JA_FIGURE_ZRAM_USED], 0));
    if (on_zram(item, host))
        return "zram keeps these pages compressed in RAM: what is used here is no room gained";
    if (os && strncmp(os, "macOS", 5) == 0)
        return "macOS adds swap files while the disk has room, so the total is no fixed limit";
    return "pages beyond it can only stay in RAM";
}

static void find(struct ja_case *item, uint32_t host, const struct swap *swap)
{
    const struct ja_state *state = &item->states[swap->state];
    int64_t used = state->figures[JA_FIGURE_SWAP_USED];
    int64_t total = state->figures[JA_FIGURE_SWAP_TOTAL];
    double moved = 0;
    bool known = swap->first != JA_NONE && swap->first != swap->last;
    const char *way = motion(item, swap, &moved);
    struct ja_finding *f =
        ja_find(item, "swap_nearly_full", JA_CONFIRMED,
                swap->percent >= WARNING_PERCENT ? JA_SERIOUS : JA_REMARK, host, JA_NONE);
    f->stake_bytes = used;
    ja_say(item, f, "swap", JA_VERB_BE, "%.1f %% full%s%s: %s of %s; %s", swap->percent,
           ja_instant_known(&state->at) ? " at " : "",
           ja_instant_known(&state->at) ? ja_time_text(item, &state->at) : "",
           ja_size_text(item, (double)used, 0), ja_size_text(item, (double)total, 0), way);
    ja_because(item, f, "%s", meaning(item, host, state));
    ja_unless(item, f, "a swap reading of the same moment that shows less");
    ja_next(item, f, "read swap use every minute together with the sizes of the largest processes");
    ja_whole(item, f, "used_bytes", used);
    ja_whole(item, f, "total_bytes", total);
    ja_number(item, f, "percent", swap->percent);
    if (known)
        ja_number(item, f, "moved_bytes", moved);
    ja_cite(item, f, ja_cite_figure(item, swap->state, JA_FIGURE_SWAP_USED));
    ja_cite(item, f, ja_cite_figure(item, swap->state, JA_FIGURE_SWAP_TOTAL));
    if (known && swap->first != swap->state)
        ja_cite(item, f, ja_cite_figure(item, swap->first, JA_FIGURE_SWAP_USED));
    if (known && swap->last != swap->state)
        ja_cite(item, f, ja_cite_figure(item, swap->last, JA_FIGURE_SWAP_USED));
}

static void judge(struct ja_case *item)
{
    for (uint32_t host = 0; host < item->host_count; host++) {
        struct swap swap;
        if (survey(item, host, &swap))
            find(item, host, &swap);
    }
}

const struct ja_rule ja_rule_swap_nearly_full = {
    .question = "how much swap is used, and is it moving?",
    .names = {{"swap_nearly_full",
               "Swap in use over swap there is, at the fullest moment of the host: a note from "
               "75 %, a warning from 90 %. With two dated readings the way from the first to the "
               "last is told; one reading has no direction. On macOS the total grows while the "
               "disk has room; pages in zram are in RAM all the same."}},
    .judge = judge,
};
