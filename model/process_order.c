/* SPDX-License-Identifier: MIT
 *
 * The order and the numbers of processes: by host, boot, first reading, name and pid.
 */
#include "model/identity.h"
#include "model/index.h"
#include "model/sort.h"

#include <string.h>

/* What the order goes by, together: most processes of a machine are first seen in one of a few
 * moments, and are then told apart by their names. */
struct ordered {
    uint32_t boot, index;
    const struct ja_instant *seen;
    uint64_t name; /* how it begins */
    const struct ja_process *process;
};

static int by_moment(const struct ordered *x, const struct ordered *y)
{
    if (x->boot != y->boot)
        return x->boot < y->boot ? -1 : 1;
    return x->seen == y->seen ? 0 : ja_instant_order(x->seen, y->seen);
}

static int by_process(const void *a, const void *b)
{
    const struct ordered *x = a, *y = b;
    int order = by_moment(x, y);
    if (order)
        return order;
    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    order = strcmp(x->process->name, y->process->name);
    if (order)
        return order;
    if (x->process->pid != y->process->pid)
        return x->process->pid < y->process->pid ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* Processes come moment by moment: then only those of one moment are to be sorted. */
static void sort_all(struct ordered *order, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (by_moment(&order[i - 1], &order[i]) > 0) {
            ja_sort(order, count, sizeof *order, by_process);
            return;
        }
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && by_moment(&order[i], &order[end]) == 0;)
            end++;
        ja_sort(order + i, end - i, sizeof *order, by_process);
    }
}

uint32_t *ja_order_processes(struct ja_build *build)
{
    struct ja_case *item = build->item;
    size_t count = item->process_count;
    struct ordered *order = ja_arena_room(build->scratch, count, sizeof *order);
    uint32_t *place = ja_arena_room(item->arena, count, sizeof *place);
    for (uint32_t i = 0; i < count; i++) {
        const struct ja_process *process = &item->processes[i];
        order[i] = (struct ordered){process->boot, i, process->first_seen,
                                    ja_text_key(process->name), process};
    }
    sort_all(order, count);
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
        for (size_t k = 0; k < moment->subject_count; k++) {
            uint32_t *own = &process[ja_moment_subject(moment, k)];
            *own = *own == JA_NONE ? JA_NONE : place[*own];
        }
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
