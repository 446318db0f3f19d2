/* SPDX-License-Identifier: MIT */
#include "model/parts.h"

struct work {
    struct ja_part *items;
    void (*job)(struct ja_part *part);
};

static void run_one(size_t index, void *data)
{
    const struct work *work = data;
    struct ja_part *part = &work->items[index];
    part->build.item = &part->item;
    part->build.scratch = ja_arena_new();
    part->item.arena = part->item.kept = ja_arena_new();
    work->job(part);
    ja_arena_free(part->build.scratch);
}

struct ja_parts ja_parts_run(struct ja_build *build, void (*job)(struct ja_part *part),
                             const void *data)
{
    struct ja_parts parts = {.count = build->item->host_count};
    parts.items = ja_arena_alloc(build->scratch, parts.count, sizeof *parts.items);
    size_t at = 0;
    for (uint32_t h = 0; h < parts.count; h++) {
        struct ja_build own = *build;
        own.moments += at;
        for (own.moment_count = 0; at < build->moment_count && build->moments[at].host == h; at++)
            own.moment_count++;
        parts.items[h] = (struct ja_part){own, *build->item, h, data, NULL};
    }
    build->run(parts.count, run_one, &(struct work){parts.items, job});
    return parts;
}

void ja_parts_done(struct ja_build *build, struct ja_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        ja_arena_join(build->item->arena, parts->items[i].item.arena);
    parts->count = 0;
}
