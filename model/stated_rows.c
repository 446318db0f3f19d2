/* SPDX-License-Identifier: MIT */
#include "model/stated_rows.h"

#include <string.h>

static const char *last_component(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool means(const char *path, const char *stated)
{
    size_t length = strlen(path), want = strlen(stated);
    if (want > length || want == 0 || strcmp(path + length - want, stated) != 0)
        return false;
    return want == length || path[length - want - 1] == '/';
}

struct ja_stated_rows ja_stated_rows_of(const struct ja_statements *said, struct ja_arena *arena)
{
    struct ja_stated_rows rows = {.items = said->times};
    rows.next = ja_arena_alloc(arena, said->time_count, sizeof *rows.next);
    for (size_t i = said->time_count; i-- > 0;) {
        uint32_t *first = ja_index_note(&rows.names, arena, last_component(said->times[i].path), 0);
        rows.next[i] = *first;
        *first = (uint32_t)i + 1;
    }
    return rows;
}

static uint32_t first_row(const struct ja_stated_rows *rows, const char *path)
{
    return ja_index_find(&rows->names, last_component(path), 0);
}

const struct ja_stated_time *ja_stated_time_of(const struct ja_stated_rows *rows, const char *path)
{
    const struct ja_stated_time *found = NULL;
    for (uint32_t i = first_row(rows, path); i; i = rows->next[i - 1]) {
        const struct ja_stated_time *row = &rows->items[i - 1];
        if (means(path, row->path) && (!found || !row->from_manifest))
            found = row;
    }
    return found;
}

const char *ja_stated_host_of(const struct ja_stated_rows *rows, const char *path)
{
    for (uint32_t i = first_row(rows, path); i; i = rows->next[i - 1])
        if (rows->items[i - 1].host && means(path, rows->items[i - 1].path))
            return rows->items[i - 1].host;
    return NULL;
}
