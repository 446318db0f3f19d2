/* SPDX-License-Identifier: MIT
 *
 * Texts kept once: process tables name the same programs again and again. Equal texts give the same
 * pointer.
 */
#ifndef JA_PARSERS_TEXTS_H
#define JA_PARSERS_TEXTS_H

#include <stddef.h>
#include <stdint.h>

#include "model/arena.h"

struct ja_text_slot {
    const char *text; /* NULL: free */
    uint32_t hash, length;
};

struct ja_texts {
    struct ja_arena *arena;   /* of the texts */
    struct ja_arena *scratch; /* of the table: it dies first */
    struct ja_text_slot *slots;
    size_t count, capacity; /* capacity: 0 or a power of two */
};

/* An empty table; it needs no end. */
struct ja_texts ja_texts_in(struct ja_arena *arena, struct ja_arena *scratch);

/* The text, NUL-terminated, as long as the arena lives. length is at most UINT32_MAX. */
const char *ja_texts_keep(struct ja_texts *texts, const char *text, size_t length);

#endif
