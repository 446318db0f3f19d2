/* SPDX-License-Identifier: MIT
 *
 * Services: all lives of one name on one host, when they follow one another.
 */
#include "model/build.h"
#include "model/parts.h"
#include "model/sort.h"

#include <string.h>

struct named {
    const char *name;
    uint64_t begin; /* of the name, as a key */
    uint32_t name_id, process;
    int64_t first;
};

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    if (x->name_id != y->name_id)
        return strcmp(x->name, y->name);
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return x->process < y->process ? -1 : x->process > y->process;
}

/* Lives follow one another; a name with many at once is a pool of workers, not a service. */
static bool in_turn(const struct ja_case *item, const struct named *lives, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const struct ja_process *older = &item->processes[lives[i - 1].process];
        const struct ja_process *newer = &item->processes[lives[i].process];
        if (older->boot != newer->boot)
            continue;
        if (!ja_instant_known(older->last_seen) || !ja_instant_known(newer->first_seen) ||
            newer->first_seen->unix_ns <= older->last_seen->unix_ns)
            return false;
    }
    return true;
}

void ja_service_lives(const struct ja_case *item, const struct ja_service *service,
                      size_t lives[JA_METRIC_COUNT])
{
    for (size_t i = 0; i < service->process_count; i++) {
        const struct ja_process *process = &item->processes[service->processes[i]];
        for (uint32_t s = 0; s < process->series_count; s++) {
            const struct ja_series *series = &item->series[process->first_series + s];
            if (series->dated && !series->category)
                lives[series->metric]++;
        }
    }
}

static size_t count_shared(const size_t lives[JA_METRIC_COUNT])
{
    size_t count = 0;
    for (int metric = 0; metric < JA_METRIC_COUNT; metric++)
        count += metric != JA_METRIC_CATEGORY && lives[metric] > 1;
    return count;
}

static void add_service(struct ja_part *part, const struct named *lives, size_t count)
{
    struct ja_case *item = &part->item;
    struct ja_service *service =
        JA_APPEND(item->arena, item->services, item->service_count, item->service_capacity);
    *service = (struct ja_service){
        .host = part->host,
        .name = lives->name,
        .processes = ja_arena_alloc(item->arena, count, sizeof *service->processes),
        .process_count = count,
    };
    for (size_t i = 0; i < count; i++)
        service->processes[i] = lives[i].process;
    size_t shared[JA_METRIC_COUNT] = {0};
    ja_service_lives(item, service, shared);
    size_t most = count_shared(shared);
    service->series = ja_arena_alloc(item->arena, most, sizeof *service->series);
    for (size_t i = 0; i < most; i++)
        service->series[i].growth = ja_arena_alloc(item->arena, 1, JA_GROWTH_KEPT_MOST);
}

static void find_services(struct ja_part *part)
{
    struct ja_case *item = &part->item;
    const struct ja_host *host = &item->hosts[part->host];
    struct named *list = ja_arena_alloc(part->build.scratch, host->process_count, sizeof *list);
    size_t count = 0;
    JA_PARTS_EMPTY(item, services, service);
    for (uint32_t p = host->first_process; p < host->first_process + host->process_count; p++) {
        const struct ja_process *process = &item->processes[p];
        if (process->scope == JA_SCOPE_PROCESS && strcmp(process->name, "?") != 0)
            list[count++] =
                (struct named){process->name, ja_text_key(process->name), process->name_id, p,
                               ja_instant_key(process->first_seen)};
    }
    ja_sort(list, count, sizeof *list, by_name);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && list[end].name_id == list[i].name_id;)
            end++;
        if (end - i > 1 && in_turn(item, list + i, end - i))
            add_service(part, list + i, end - i);
    }
}

void ja_build_services(struct ja_build *build)
{
    struct ja_parts parts = ja_parts_run(build, find_services, NULL);
    JA_PARTS_JOIN(build->item, &parts, services, service_count, service_capacity);
    ja_parts_done(build, &parts);
}
