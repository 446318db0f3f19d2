/* SPDX-License-Identifier: MIT
 *
 * Does a free percentage contradict swap or the compressor? memory_pressure and
 * kern.memorystatus_level count pages that could be compressed or dropped as free, so the figure
 * stays high while memory lies in the compressor and on disk.
 */
#include "model/rule.h"

#include <math.h>

#define LEAST_FREE 25       /* percent: a smaller figure reassures nobody */
#define FULL_SWAP 75.0      /* percent of swap in use that contradicts it */
#define HEAVY_COMPRESSOR 30 /* percent of RAM that the compressor takes */
#define SAME_MOMENT_NS (600 * JA_NS_PER_S)

/* States: which says the percentage, and which contradict it by swap and by the compressor. */
struct witnesses {
    uint32_t free, swap, compressor; /* JA_NONE: nothing is said against it */
    double swap_percent;             /* NaN: not said */
};

static const struct witnesses nobody = {JA_NONE, JA_NONE, JA_NONE, NAN};

static double swap_percent(const struct ja_state *state)
{
    int64_t used = state->figures[JA_FIGURE_SWAP_USED],
            total = state->figures[JA_FIGURE_SWAP_TOTAL];
    if (used == JA_UNKNOWN || total == JA_UNKNOWN || total <= 0 || used < 0 || used > total)
        return NAN;
    return 100.0 * (double)used / (double)total;
}

static int64_t memory_of(const struct ja_state *state)
{
    int64_t ram = state->figures[JA_FIGURE_RAM];
    return ram != JA_UNKNOWN ? ram : state->figures[JA_FIGURE_MANAGED];
}

static bool takes_much(const struct ja_state *state)
{
    return state->figures[JA_FIGURE_COMPRESSOR] / HEAVY_COMPRESSOR >= memory_of(state) / 100;
}

/* The compressor takes a large part of RAM, or holds more than RAM could. */
static bool compressor_heavy(const struct ja_state *state)
{
    if (memory_of(state) <= 0 || state->figures[JA_FIGURE_COMPRESSOR] == JA_UNKNOWN)
        return false;
    return takes_much(state) || state->figures[JA_FIGURE_UNCOMPRESSED] >= memory_of(state);
}

/* Two states of one boot that speak of one moment. */
static bool together(const struct ja_state *a, const struct ja_state *b)
{
    if (a->host != b->host || a->boot != b->boot || !ja_instant_known(&a->at) ||
        !ja_instant_known(&b->at))
        return false;
    int64_t apart = ja_subtract(a->at.unix_ns, b->at.unix_ns);
    return apart >= -SAME_MOMENT_NS && apart <= SAME_MOMENT_NS;
}

/* Takes what state says against the percentage, when it says more than what is there. */
static void weigh(const struct ja_case *item, uint32_t index, struct witnesses *found)
{
    const struct ja_state *state = &item->states[index];
    double percent = swap_percent(state);
    if (percent >= FULL_SWAP && !(percent <= found->swap_percent)) {
        found->swap_percent = percent;
        found->swap = index;
    }
    if (found->compressor == JA_NONE && compressor_heavy(state))
        found->compressor = index;
}

/* States are in time order within a boot: neighbours of one moment stand close. */
static struct witnesses witnesses_of(const struct ja_case *item, uint32_t index)
{
    struct witnesses found = nobody;
    const struct ja_state *state = &item->states[index];
    found.free = index;
    if (state->of || state->figures[JA_FIGURE_PERCENT_FREE] < LEAST_FREE)
        return found;
    weigh(item, index, &found);
    for (uint32_t i = index; i-- > 0 && together(state, &item->states[i]);)
        if (!item->states[i].of)
            weigh(item, i, &found);
    for (uint32_t i = index + 1; i < item->state_count && together(state, &item->states[i]); i++)
        if (!item->states[i].of)
            weigh(item, i, &found);
    return found;
}

static bool contradict(const struct witnesses *found)
{
    return found->swap != JA_NONE || found->compressor != JA_NONE;
}

static bool worse(const struct ja_case *item, const struct witnesses *a, const struct witnesses *b)
{
    if (!contradict(b))
        return true;
    double x = isnan(a->swap_percent) ? 0 : a->swap_percent;
    double y = isnan(b->swap_percent) ? 0 : b->swap_percent;
    if (x > y || x < y)
        return x > y;
    return item->states[a->free].figures[JA_FIGURE_PERCENT_FREE] >
           item->states[b->free].figures[JA_FIGURE_PERCENT_FREE];
}

static const char *compressor_words(struct ja_case *item, const struct ja_state *state)
{
    const char *room = ja_size_text(item, (double)state->figures[JA_FIGURE_COMPRESSOR], 0);
    if (takes_much(state))
        return ja_arena_print(item->arena, "the compressor takes %s of RAM", room);
    return ja_arena_print(item->arena, "the compressor holds %s of pages, more than RAM, in %s",
                          ja_size_text(item, (double)state->figures[JA_FIGURE_UNCOMPRESSED], 0),
                          room);
}

static const char *against(struct ja_case *item, const struct witnesses *found)
{
    const char *swap = NULL, *compressor = NULL;
    if (found->swap != JA_NONE)
        swap = ja_arena_print(item->arena, "swap is %.1f %% full", found->swap_percent);
    if (found->compressor != JA_NONE)
        compressor = compressor_words(item, &item->states[found->compressor]);
    return !swap         ? compressor
           : !compressor ? swap
                         : ja_arena_print(item->arena, "%s and %s", swap, compressor);
}

static void find(struct ja_case *item, const struct witnesses *found)
{
    const struct ja_state *free = &item->states[found->free];
    int64_t percent = free->figures[JA_FIGURE_PERCENT_FREE], compressor = JA_UNKNOWN;
    if (found->compressor != JA_NONE)
        compressor = item->states[found->compressor].figures[JA_FIGURE_COMPRESSOR];
    struct ja_finding *f =
        ja_find(item, "free_percent_misleads", JA_CONTRADICTED, JA_REMARK, free->host, JA_NONE);
    ja_say(item, f, ja_arena_print(item->arena, "\"%lld %% free\"", (long long)percent), JA_VERB_BE,
           "a measure of room: at that moment %s", against(item, found));
    ja_because(item, f,
               "the percentage counts pages as free that could be compressed or written to disk; "
               "their owners still hold them and need them back when they run");
    ja_unless(item, f, "a percentage that counts free and clean file pages only");
    ja_next(item, f,
            "judge by sysctl vm.swapusage, kern.memorystatus_vm_pressure_level and the "
            "compressor lines of vm_stat, never by the percentage");
    ja_whole(item, f, "percent_free", percent);
    ja_number(item, f, "swap_percent", found->swap_percent);
    ja_whole(item, f, "compressor_bytes", compressor);
    ja_cite(item, f, ja_cite_figure(item, found->free, JA_FIGURE_PERCENT_FREE));
    if (found->swap != JA_NONE) {
        ja_cite(item, f, ja_cite_figure(item, found->swap, JA_FIGURE_SWAP_USED));
        ja_cite(item, f, ja_cite_figure(item, found->swap, JA_FIGURE_SWAP_TOTAL));
    }
    if (found->compressor != JA_NONE)
        ja_cite(item, f, ja_cite_figure(item, found->compressor, JA_FIGURE_COMPRESSOR));
}

/* One finding a boot: the moment that contradicts most. */
static void judge(struct ja_case *item)
{
    struct witnesses *worst = ja_arena_alloc(item->arena, item->boot_count, sizeof *worst);
    for (uint32_t b = 0; b < item->boot_count; b++)
        worst[b] = nobody;
    for (uint32_t i = 0; i < item->state_count; i++) {
        struct witnesses found = witnesses_of(item, i);
        uint32_t boot = item->states[i].boot;
        if (contradict(&found) && boot != JA_NONE && worse(item, &found, &worst[boot]))
            worst[boot] = found;
    }
    for (uint32_t b = 0; b < item->boot_count; b++)
        if (contradict(&worst[b]))
            find(item, &worst[b]);
}

const struct ja_rule ja_rule_free_percent_misleads = {
    .question = "does a free percentage contradict swap or the compressor?",
    .names =
        {{"free_percent_misleads",
          "Emitted when a record states 25 % or more free while, within ten minutes on the "
          "same boot, swap is at least 75 % full, or the compressor takes 30 % of RAM or holds "
          "more than RAM. The percentage is kept as printed; it is contradicted as a measure "
          "of room, not as a number."}},
    .judge = judge,
};
