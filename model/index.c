/* SPDX-License-Identifier: MIT */
#include "model/index.h"

#include <stdbool.h>
#include <string.h>

#include "model/hash.h"

#define FIRST_ROOM 64 /* a power of two, as every later room */

struct ja_index_entry {
    const char *text;
    int64_t number;
    uint32_t note;
    bool taken;
};

/* Its upper bits are mixed into the lower ones that choose the place. */
static uint64_t hash_of(const char *text, int64_t number)
{
    uint64_t h = (ja_hash_text(text ? text : "") ^ (uint64_t)number) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ h >> 32;
}

static bool is_at(const struct ja_index_entry *entry, const char *text, int64_t number)
{
    if (entry->number != number || !entry->text != !text)
        return false;
    return !text || strcmp(entry->text, text) == 0;
}

/* Where it stands, or the free place where it belongs. There is always a free one. */
static struct ja_index_entry *place_of(const struct ja_index *index, const char *text,
                                       int64_t number)
{
    size_t at = hash_of(text, number) & (index->room - 1);
    while (index->entries[at].taken && !is_at(&index->entries[at], text, number))
        at = (at + 1) & (index->room - 1);
    return &index->entries[at];
}

static void grow(struct ja_index *index, struct ja_arena *arena)
{
    struct ja_index larger = {.count = index->count,
                              .room = index->room ? index->room * 2 : FIRST_ROOM};
    larger.entries = ja_arena_alloc(arena, larger.room, sizeof *larger.entries);
    for (size_t i = 0; i < index->room; i++) {
        const struct ja_index_entry *entry = &index->entries[i];
        if (entry->taken)
            *place_of(&larger, entry->text, entry->number) = *entry;
    }
    *index = larger;
}

uint32_t *ja_index_note(struct ja_index *index, struct ja_arena *arena, const char *text,
                        int64_t number)
{
    if (index->count * 2 >= index->room)
        grow(index, arena);
    struct ja_index_entry *entry = place_of(index, text, number);
    if (!entry->taken) {
        *entry = (struct ja_index_entry){.text = text, .number = number, .taken = true};
        index->count++;
    }
    return &entry->note;
}

uint32_t ja_index_find(const struct ja_index *index, const char *text, int64_t number)
{
    return index->room ? place_of(index, text, number)->note : 0;
}
