/* SPDX-License-Identifier: MIT
 *
 * The order and the numbers of processes: by host, boot, first reading, name and pid.
 */
#include "model/identity.h"
#include "model/index.h"
#include "model/sort.h"

#include <string.h>

struct ordered {
    const struct ja_process *process;
    uint32_t index;
};

static int by_process(const void *a, const void *b)
{
    const struct ordered *i = a, *k = b;
    const struct ja_process *x = i->process, *y = k->process;
    if (x->boot != y->boot)
        return x->boot < y->boot ? -1 : 1;
    int order = ja_instant_order(x->first_seen, y->first_seen);
    if (!order)
        order = strcmp(x->name, y->name);
    if (order)
        return order;
    if (x->pid != y->pid)
        return x->pid < y->pid ? -1 : 1;
    return i->index < k->index ? -1 : i->index > k->index;
}

uint32_t *ja_order_processes(struct ja_build *build)
{
    struct ja_case *item = build->item;
    size_t count = item->process_count;
    struct ordered *order = ja_arena_alloc(build->scratch, count, sizeof *order);
    uint32_t *place = ja_arena_alloc(item->arena, count, sizeof *place);
    for (uint32_t i = 0; i < count; i++)
        order[i] = (struct ordered){&item->processes[i], i};
    ja_sort(order, count, sizeof *order, by_process);
    for (uint32_t i = 0; i < count; i++)
        place[order[i].index] = i;
    return place;
}

void ja_place_processes(const struct ja_part *part, uint32_t *place, struct ja_process *processes,
                        uint32_t first)
{
    const struct ja_build *build = &part->build;
    for (size_t i = 0; i < part->item.process_count; i++) {
        place[i] += first;
        processes[place[i]] = part->item.processes[i];
    }
    for (size_t i = 0; i < build->moment_count; i++) {
        const struct ja_moment *moment = &build->moments[i];
        uint32_t *process = part->item.sources[moment->source].subject_process;
        for (size_t k = 0; k < moment->subject_count; k++)
            if (process[moment->subjects[k]] != JA_NONE)
                process[moment->subjects[k]] = place[process[moment->subjects[k]]];
    }
}

void ja_number_names(struct ja_build *build)
{
    struct ja_case *item = build->item;
    struct ja_index names = {.count = 0}; /* 1 + the first process of each */
    for (uint32_t p = 0; p < item->process_count; p++) {
        struct ja_process *process = &item->processes[p];
        uint32_t *first = ja_index_note(&names, build->scratch, process->name, 0);
        if (!*first)
            *first = p + 1;
        process->name_id = *first - 1;
    }
}
