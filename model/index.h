/* SPDX-License-Identifier: MIT
 *
 * Finds by a text, a number or both what was noted under them, in the same time however many there
 * are: what a stranger's file holds a million of must not be looked through one by one.
 */
#ifndef JA_MODEL_INDEX_H
#define JA_MODEL_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include "model/arena.h"

struct ja_index_entry;

/* All zero is an empty index. It lives in the arena it is given, always the same. */
struct ja_index {
    struct ja_index_entry *entries;
    size_t count, room;
};

/* The note under text (or NULL) and number: 0 when it is new. The text must outlive the index.
 * The address is good until the next call. */
uint32_t *ja_index_note(struct ja_index *index, struct ja_arena *arena, const char *text,
                        int64_t number);

/* The note under text and number; 0 when there is none. */
uint32_t ja_index_find(const struct ja_index *index, const char *text, int64_t number);

#endif
