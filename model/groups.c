/* SPDX-License-Identifier: MIT
 *
 * Where a sum of books comes from: many small rows of one name or coalition, or few large ones.
 */
#include "model/build.h"
#include "model/index.h"
#include "model/parts.h"

#include <string.h>

#define GROUPS_PER_STATE 10

/* Rows of one state with one name or coalition. */
struct tally {
    size_t count; /* 0: none yet */
    int64_t sum_bytes, largest_bytes;
    const struct ja_process *largest;
};

/* One way to put the processes of a host into groups. */
struct grouping {
    bool by_coalition; /* else by name */
    uint32_t *number;  /* of each process of the host: which tally is its; JA_NONE */
    struct tally *tallies;
    uint32_t *used; /* the tallies that are in use, in any order */
    size_t used_count;
};

struct ja_groupings {
    struct grouping by_name, by_coalition;
};

static int64_t coalition_of(const struct ja_process *process, bool by_coalition)
{
    return by_coalition ? process->coalition : JA_UNKNOWN;
}

/* Numbers the names or coalitions of a host. */
static struct grouping number_groups(const struct ja_part *part, bool by_coalition)
{
    const struct ja_host *host = &part->item.hosts[part->host];
    struct ja_arena *scratch = part->build.scratch;
    struct grouping grouping = {
        .by_coalition = by_coalition,
        .number = ja_arena_alloc(scratch, host->process_count, sizeof *grouping.number)};
    struct ja_index index = {.count = 0};
    for (uint32_t p = 0; p < host->process_count; p++) {
        const struct ja_process *process = &part->item.processes[host->first_process + p];
        int64_t key = by_coalition ? process->coalition : (int64_t)process->name_id;
        grouping.number[p] = JA_NONE;
        if (key == JA_UNKNOWN)
            continue;
        uint32_t *note = ja_index_note(&index, scratch, NULL, key);
        if (!*note)
            *note = (uint32_t)index.count;
        grouping.number[p] = *note - 1;
    }
    grouping.tallies = ja_arena_alloc(scratch, index.count, sizeof *grouping.tallies);
    grouping.used = ja_arena_alloc(scratch, index.count, sizeof *grouping.used);
    return grouping;
}

static bool is_larger(const struct ja_process *process, int64_t bytes, const struct tally *than)
{
    if (bytes != than->largest_bytes)
        return bytes > than->largest_bytes;
    return strcmp(process->name, than->largest->name) < 0;
}

static void count_row(struct grouping *grouping, uint32_t number, const struct ja_process *process,
                      int64_t bytes)
{
    struct tally *tally = &grouping->tallies[number];
    if (!tally->count++) {
        grouping->used[grouping->used_count++] = number;
        *tally = (struct tally){1, bytes == JA_UNKNOWN ? 0 : bytes, bytes, process};
        return;
    }
    if (bytes != JA_UNKNOWN)
        tally->sum_bytes = ja_add(tally->sum_bytes, bytes);
    if (is_larger(process, bytes, tally)) {
        tally->largest_bytes = bytes;
        tally->largest = process;
    }
}

/* Largest first; groups of one name or one coalition are told apart by it. */
static int order(const struct tally *x, const struct tally *y, bool by_coalition)
{
    if (x->sum_bytes != y->sum_bytes)
        return x->sum_bytes > y->sum_bytes ? -1 : 1;
    int names = strcmp(x->largest->name, y->largest->name);
    if (names)
        return names;
    int64_t a = coalition_of(x->largest, by_coalition), b = coalition_of(y->largest, by_coalition);
    return a < b ? -1 : a > b;
}

/* The largest groups in order; returns how many. Clears the tallies. */
static size_t choose(struct grouping *grouping, struct tally *ret)
{
    size_t count = 0;
    for (size_t i = 0; i < grouping->used_count; i++) {
        struct tally *tally = &grouping->tallies[grouping->used[i]];
        size_t at = count;
        while (at > 0 && order(tally, &ret[at - 1], grouping->by_coalition) < 0)
            at--;
        if (at < GROUPS_PER_STATE) {
            count += count < GROUPS_PER_STATE;
            memmove(&ret[at + 1], &ret[at], (count - at - 1) * sizeof *ret);
            ret[at] = *tally;
        }
        tally->count = 0;
    }
    grouping->used_count = 0;
    return count;
}

static void group_rows(struct ja_part *part, uint32_t index, const struct ja_instant *at,
                       struct grouping *grouping)
{
    struct ja_case *item = &part->item;
    const struct ja_state *state = &item->states[index];
    uint32_t first = item->hosts[part->host].first_process;
    struct tally largest[GROUPS_PER_STATE];
    for (size_t i = 0; i < state->row_count; i++) {
        uint32_t number = grouping->number[state->rows[i] - first];
        if (number != JA_NONE)
            count_row(grouping, number, &item->processes[state->rows[i]], state->row_bytes[i]);
    }
    size_t count = choose(grouping, largest);
    for (size_t i = 0; i < count; i++) {
        if (largest[i].count < 2)
            continue;
        *JA_APPEND(item->arena, item->groups, item->group_count, item->group_capacity) =
            (struct ja_group){.host = state->host,
                              .boot = state->boot,
                              .state = index,
                              .at = at,
                              .by = grouping->by_coalition ? "coalition" : "name",
                              .name = largest[i].largest->name,
                              .coalition = coalition_of(largest[i].largest, grouping->by_coalition),
                              .count = largest[i].count,
                              .sum_bytes = largest[i].sum_bytes};
    }
}

struct ja_groupings *ja_groupings_new(struct ja_part *part)
{
    struct ja_groupings *groupings = ja_arena_alloc(part->build.scratch, 1, sizeof *groupings);
    groupings->by_name = number_groups(part, false);
    groupings->by_coalition = number_groups(part, true);
    return groupings;
}

void ja_group_rows(struct ja_part *part, struct ja_groupings *groupings, uint32_t state)
{
    struct ja_instant *at = ja_arena_room(part->item.arena, 1, sizeof *at);
    *at = part->item.states[state].at; /* states are moved */
    group_rows(part, state, at, &groupings->by_name);
    group_rows(part, state, at, &groupings->by_coalition);
}
