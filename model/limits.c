/* SPDX-License-Identifier: MIT */
#include "model/limits.h"

#include <string.h>

#include "model/sort.h"

static bool limits_memory(const struct ja_fact *fact)
{
    return fact->key == JA_FACT_LIMIT && fact->subject != JA_NONE && fact->text &&
           fact->value > 0 && fact->value < JA_LEAST_UNLIMITED && !strstr(fact->text, "swap") &&
           !strstr(fact->text, "semi-space") && !strstr(fact->text, "MaxRAM");
}

static int by_process(const void *a, const void *b)
{
    const struct ja_limit *x = a, *y = b;
    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* One limit of the processes of one name on one boot. */
struct shared {
    const struct ja_process *process;
    struct ja_limit *limit;
};

static int by_shared(const void *a, const void *b)
{
    const struct shared *x = a, *y = b;
    if (x->process->boot != y->process->boot)
        return x->process->boot < y->process->boot ? -1 : 1;
    if (x->process->name_id != y->process->name_id)
        return x->process->name_id < y->process->name_id ? -1 : 1;
    if (x->limit->bytes != y->limit->bytes)
        return x->limit->bytes < y->limit->bytes ? -1 : 1;
    return strcmp(x->limit->name, y->limit->name);
}

static int by_shared_then_process(const void *a, const void *b)
{
    int order = by_shared(a, b);
    const struct shared *x = a, *y = b;
    if (!order)
        order = (x->process > y->process) - (x->process < y->process);
    return order ? order : (x->limit > y->limit) - (x->limit < y->limit);
}

/* How many processes of a name on a boot have the same limit. */
static void count_sharers(const struct ja_case *item, struct ja_limits *limits,
                          struct ja_arena *arena)
{
    size_t count = limits->count;
    struct shared *all = ja_arena_alloc(arena, count, sizeof *all);
    for (size_t i = 0; i < count; i++)
        all[i] = (struct shared){&item->processes[limits->items[i].process], &limits->items[i]};
    ja_sort(all, count, sizeof *all, by_shared_then_process);
    for (size_t i = 0, end; i < count; i = end) {
        size_t sharers = 0;
        for (end = i; end < count && by_shared(&all[i], &all[end]) == 0; end++)
            sharers += end == i || all[end].process != all[end - 1].process;
        for (size_t k = i; k < end; k++)
            all[k].limit->sharers = sharers;
    }
}

struct ja_limits ja_limits_collect(const struct ja_case *item, struct ja_arena *arena)
{
    struct ja_limits limits = {.items = NULL};
    for (size_t i = 0; i < item->source_count; i++) {
        const struct ja_source *source = &item->sources[i];
        for (size_t k = 0; k < source->evidence->fact_count; k++) {
            const struct ja_fact *fact = &source->evidence->facts[k];
            if (!limits_memory(fact) || source->duplicate_of != JA_NONE ||
                ja_subject_process(source, fact->subject) == JA_NONE)
                continue;
            struct ja_limit *limit = JA_APPEND(arena, limits.items, limits.count, limits.capacity);
            *limit = (struct ja_limit){ja_subject_process(source, fact->subject), limits.count,
                                       fact->text, fact->value, 0};
        }
    }
    ja_sort(limits.items, limits.count, sizeof *limits.items, by_process);
    count_sharers(item, &limits, arena);
    return limits;
}

const struct ja_limit *ja_limits_of(const struct ja_limits *limits, uint32_t process,
                                    size_t *ret_count)
{
    size_t low = 0, high = limits->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (limits->items[middle].process < process)
            low = middle + 1;
        else
            high = middle;
    }
    size_t end = low;
    while (end < limits->count && limits->items[end].process == process)
        end++;
    *ret_count = end - low;
    return limits->count ? &limits->items[low] : NULL;
}
