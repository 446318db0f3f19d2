/* SPDX-License-Identifier: MIT */
#include "model/arena.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_BLOCK_BYTES ((size_t)16 * 1024)
#define LARGEST_BLOCK_BYTES ((size_t)4 * 1024 * 1024)
#define ALIGNMENT ((size_t)16)

struct block {
    struct block *next;
    size_t capacity;
    size_t used;
    size_t pad; /* keeps the payload aligned to 16 bytes */
};

/* What is larger than any block is alone in its memory, so that it can grow where it lies. */
struct lone {
    struct lone *next, *before;
    size_t bytes;
    size_t pad;
};

struct ja_arena {
    struct block *blocks; /* the newest first; only it has room */
    struct block *spare;  /* kept by a reset */
    struct lone *lone;
    size_t size;
};

void (*ja_arena_out_of_memory)(void) = abort;
void *(*ja_arena_malloc)(size_t size) = malloc;
void *(*ja_arena_realloc)(void *memory, size_t size) = realloc;

static void *get(size_t size)
{
    void *memory = ja_arena_malloc(size);
    if (!memory) {
        ja_arena_out_of_memory();
        abort();
    }
    return memory;
}

struct ja_arena *ja_arena_new(void)
{
    struct ja_arena *arena = get(sizeof *arena);
    *arena = (struct ja_arena){0};
    return arena;
}

static void free_blocks(struct block *block)
{
    while (block) {
        struct block *next = block->next;
        free(block);
        block = next;
    }
}

static void free_lone(struct lone *lone)
{
    while (lone) {
        struct lone *next = lone->next;
        free(lone);
        lone = next;
    }
}

void ja_arena_free(struct ja_arena *arena)
{
    if (!arena)
        return;
    free_blocks(arena->blocks);
    free_blocks(arena->spare);
    free_lone(arena->lone);
    free(arena);
}

void ja_arena_reset(struct ja_arena *arena)
{
    /* Only the largest block is kept: it is the newest, for blocks double. */
    struct block *keep = arena->blocks;
    if (keep) {
        free_blocks(keep->next);
        free_blocks(arena->spare);
        keep->next = NULL;
        keep->used = 0;
        arena->spare = keep;
    }
    free_lone(arena->lone);
    arena->lone = NULL;
    arena->blocks = NULL;
    arena->size = 0;
}

static struct block *new_block(struct ja_arena *arena, size_t need)
{
    if (arena->spare && arena->spare->capacity >= need) {
        struct block *block = arena->spare;
        arena->spare = block->next;
        block->next = arena->blocks;
        return arena->blocks = block;
    }
    size_t capacity = arena->blocks ? arena->blocks->capacity * 2 : FIRST_BLOCK_BYTES;
    if (capacity > LARGEST_BLOCK_BYTES)
        capacity = LARGEST_BLOCK_BYTES;
    if (capacity < need)
        capacity = need;
    struct block *block = get(sizeof *block + capacity);
    *block = (struct block){.next = arena->blocks, .capacity = capacity};
    return arena->blocks = block;
}

/* Places a lone allocation, new (old NULL) or grown, into the arena's list. */
static void *take_lone(struct ja_arena *arena, struct lone *old, size_t bytes)
{
    if (bytes > SIZE_MAX - sizeof *old)
        ja_arena_out_of_memory();
    size_t before = old ? old->bytes : 0;
    struct lone *lone = old ? ja_arena_realloc(old, sizeof *old + bytes) : get(sizeof *old + bytes);
    if (!lone) {
        ja_arena_out_of_memory();
        abort();
    }
    if (!old)
        *lone = (struct lone){.next = arena->lone};
    lone->bytes = bytes;
    if (lone->next)
        lone->next->before = lone;
    if (lone->before)
        lone->before->next = lone;
    else
        arena->lone = lone;
    arena->size += bytes - before;
    return lone + 1;
}

static void *take(struct ja_arena *arena, size_t bytes)
{
    if (bytes > SIZE_MAX - ALIGNMENT)
        ja_arena_out_of_memory();
    bytes = (bytes + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
    if (bytes > LARGEST_BLOCK_BYTES)
        return take_lone(arena, NULL, bytes);
    struct block *block = arena->blocks;
    if (!block || block->capacity - block->used < bytes)
        block = new_block(arena, bytes);
    void *memory = (char *)(block + 1) + block->used;
    block->used += bytes;
    arena->size += bytes;
    return memory;
}

static size_t product(size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        ja_arena_out_of_memory();
    return count * size;
}

void *ja_arena_alloc(struct ja_arena *arena, size_t count, size_t size)
{
    size_t bytes = product(count, size);
    void *memory = take(arena, bytes ? bytes : 1);
    memset(memory, 0, bytes);
    return memory;
}

char *ja_arena_copy(struct ja_arena *arena, const char *text, size_t length)
{
    char *copy = take(arena, length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *ja_arena_string(struct ja_arena *arena, const char *text)
{
    return text ? ja_arena_copy(arena, text, strlen(text)) : NULL;
}

char *ja_arena_print(struct ja_arena *arena, const char *format, ...)
{
    char small[512];
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(small, sizeof small, format, arguments);
    va_end(arguments);
    assert(length >= 0);
    char *text = take(arena, (size_t)length + 1);
    if ((size_t)length < sizeof small)
        memcpy(text, small, (size_t)length + 1);
    else
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

/* An array of used bytes gets room for more; a lone one is not copied where the system can help
 * it. What is behind used is not yet zero. */
static void *enlarge(struct ja_arena *arena, void *array, size_t used, size_t bytes)
{
    size_t rounded = (used + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
    if (rounded > LARGEST_BLOCK_BYTES)
        return take_lone(arena, (struct lone *)array - 1, bytes);
    void *moved = take(arena, bytes);
    if (used)
        memcpy(moved, array, used);
    return moved;
}

void *ja_arena_grow(struct ja_arena *arena, void *array, size_t count, size_t *capacity,
                    size_t size)
{
    if (count == *capacity) {
        size_t larger = *capacity ? *capacity * 2 : 8;
        array = enlarge(arena, array, count * size, product(larger, size));
        *capacity = larger;
    }
    memset((char *)array + count * size, 0, size);
    return array;
}

size_t ja_arena_size(const struct ja_arena *arena)
{
    return arena->size;
}
