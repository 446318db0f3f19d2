/* SPDX-License-Identifier: MIT */
#include "parsers/texts.h"

#include <string.h>

#include "parsers/scan.h"

#define FIRST_SLOTS ((size_t)256)

struct ja_texts ja_texts_in(struct ja_arena *arena, struct ja_arena *scratch)
{
    return (struct ja_texts){.arena = arena, .scratch = scratch};
}

static uint64_t mixed(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 29;
}

/* FNV-1a, eight bytes at a time; the last word may hold some bytes again. Equal texts are compared,
 * so a bad hash only costs time. */
static uint32_t hash_of(const char *text, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ length, word = 0;
    if (length < sizeof word) {
        for (size_t i = 0; i < length; i++)
            word = word << 8 | (unsigned char)text[i];
    } else {
        size_t last = length - sizeof word;
        for (size_t at = 0; at < last; at += sizeof word) {
            memcpy(&word, text + at, sizeof word);
            hash = mixed(hash, word);
        }
        memcpy(&word, text + last, sizeof word);
    }
    hash = mixed(hash, word);
    return (uint32_t)(hash ^ hash >> 32);
}

/* Where the text is, or where it belongs. The table is never full. */
static struct ja_text_slot *slot_of(const struct ja_texts *texts, uint32_t hash, const char *text,
                                    size_t length)
{
    for (size_t i = hash;; i++) {
        struct ja_text_slot *slot = &texts->slots[i & (texts->capacity - 1)];
        if (!slot->text || (slot->hash == hash && slot->length == length &&
                            ja_text_same(slot->text, text, length)))
            return slot;
    }
}

static void enlarge(struct ja_texts *texts)
{
    struct ja_texts larger = *texts;
    larger.capacity = texts->capacity ? 2 * texts->capacity : FIRST_SLOTS;
    larger.slots = ja_arena_alloc(texts->scratch, larger.capacity, sizeof *larger.slots);
    for (size_t i = 0; i < texts->capacity; i++) {
        const struct ja_text_slot *slot = &texts->slots[i];
        if (slot->text)
            *slot_of(&larger, slot->hash, slot->text, slot->length) = *slot;
    }
    ja_arena_drop(texts->scratch, texts->slots, texts->capacity, sizeof *texts->slots);
    *texts = larger;
}

const char *ja_texts_keep(struct ja_texts *texts, const char *text, size_t length)
{
    if (2 * texts->count >= texts->capacity)
        enlarge(texts);
    uint32_t hash = hash_of(text, length);
    struct ja_text_slot *slot = slot_of(texts, hash, text, length);
    if (!slot->text) {
        *slot = (struct ja_text_slot){
            .text = ja_arena_copy(texts->arena, text, length),
            .hash = hash,
            .length = (uint32_t)length,
        };
        texts->count++;
    }
    return slot->text;
}
