/* SPDX-License-Identifier: MIT */
#include "model/arena.h"

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A new block is a part of what the arena holds: what is empty in the last one is lost where there
 * are thousands of arenas. One that was reset is filled again: it asks for memory less often. */
#define FIRST_BLOCK_BYTES ((size_t)512)
#define LARGEST_BLOCK_BYTES ((size_t)64 * 1024)
#define GROWTH 32
#define RESET_BLOCK_BYTES ((size_t)16 * 1024)
#define LARGEST_RESET_BYTES ((size_t)4 * 1024 * 1024)
#define RESET_GROWTH 4
#define LONELY 4 /* what is larger than this part of a new block gets one of its own */
#define ALIGNMENT ((size_t)16)

struct large {
    struct large *before, *after;
};

struct block {
    struct block *next;
    size_t capacity;
    size_t used;
    size_t pad; /* keeps the payload aligned to 16 bytes */
};

struct ja_arena {
    struct block *blocks; /* the newest first; only it has room */
    struct block *spare;  /* kept by a reset */
    struct large *large;  /* allocations of JA_ARENA_APART and more */
    size_t size;
    size_t small; /* what of it is in blocks */
    bool reset;
};

void (*ja_arena_out_of_memory)(void) = abort;
void *(*ja_arena_malloc)(size_t size) = malloc;
void *(*ja_arena_realloc)(void *memory, size_t size) = realloc;

static void *checked(void *memory)
{
    if (!memory) {
        ja_arena_out_of_memory();
        abort();
    }
    return memory;
}

static void *get(size_t size)
{
    return checked(ja_arena_malloc(size));
}

struct ja_arena *ja_arena_new(void)
{
    struct ja_arena *arena = get(sizeof *arena);
    *arena = (struct ja_arena){.blocks = NULL};
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

static void free_large(struct ja_arena *arena)
{
    while (arena->large) {
        struct large *after = arena->large->after;
        free(arena->large);
        arena->large = after;
    }
}

void ja_arena_free(struct ja_arena *arena)
{
    if (!arena)
        return;
    free_large(arena);
    free_blocks(arena->blocks);
    free_blocks(arena->spare);
    free(arena);
}

void ja_arena_reset(struct ja_arena *arena)
{
    free_large(arena);
    /* Only the newest block is kept: none is larger, but where an arena was joined. */
    struct block *keep = arena->blocks;
    if (keep) {
        free_blocks(keep->next);
        free_blocks(arena->spare);
        keep->next = NULL;
        keep->used = 0;
        arena->spare = keep;
    }
    arena->blocks = NULL;
    arena->size = arena->small = 0;
    arena->reset = true;
}

static size_t block_size(const struct ja_arena *arena)
{
    size_t least = arena->reset ? RESET_BLOCK_BYTES : FIRST_BLOCK_BYTES;
    size_t most = arena->reset ? LARGEST_RESET_BYTES : LARGEST_BLOCK_BYTES;
    size_t size = arena->small / (arena->reset ? RESET_GROWTH : GROWTH);
    return size < least ? least : size > most ? most : size;
}

static struct block *make_block(struct ja_arena *arena, size_t capacity)
{
    struct block *block = get(sizeof *block + capacity);
    *block = (struct block){.next = arena->blocks, .capacity = capacity};
    return arena->blocks = block;
}

/* The newest block, with room for need. */
static struct block *new_block(struct ja_arena *arena, size_t need)
{
    if (arena->spare && arena->spare->capacity >= need) {
        struct block *block = arena->spare;
        arena->spare = block->next;
        block->next = arena->blocks;
        return arena->blocks = block;
    }
    size_t capacity = block_size(arena);
    return make_block(arena, capacity < need ? need : capacity);
}

/* One of its own, behind the newest, whose room stays. */
static struct block *own_block(struct ja_arena *arena, size_t need)
{
    struct block *newest = arena->blocks, *block = make_block(arena, need);
    block->next = newest->next;
    newest->next = block;
    arena->blocks = newest;
    return block;
}

/* A large allocation made, or moved to a new size with what it holds. memory NULL: a new one. */
static void *take_large(struct ja_arena *arena, void *memory, size_t bytes)
{
    struct large *old = memory ? (struct large *)memory - 1 : NULL;
    struct large *before = old ? old->before : NULL, *after = old ? old->after : arena->large;
    size_t size = sizeof *old + bytes;
    struct large *large = old ? checked(ja_arena_realloc(old, size)) : get(size);
    *large = (struct large){before, after};
    if (after)
        after->before = large;
    *(before ? &before->after : &arena->large) = large;
    return large + 1;
}

/* alignment: a power of two, at most ALIGNMENT */
static void *take(struct ja_arena *arena, size_t bytes, size_t alignment)
{
    if (bytes > SIZE_MAX / 2)
        ja_arena_out_of_memory();
    if (bytes >= JA_ARENA_APART) {
        arena->size += bytes;
        return take_large(arena, NULL, bytes);
    }
    struct block *block = arena->blocks;
    size_t pad = block ? -block->used & (alignment - 1) : 0;
    if (!block || block->capacity - block->used < bytes + pad) {
        bool alone = block && bytes > block_size(arena) / LONELY;
        block = alone ? own_block(arena, bytes) : new_block(arena, bytes);
        pad = 0;
    }
    void *memory = (char *)(block + 1) + block->used + pad;
    block->used += bytes + pad;
    arena->size += bytes;
    arena->small += bytes;
    return memory;
}

void *ja_arena_room(struct ja_arena *arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        ja_arena_out_of_memory();
    size_t bytes = count * size;
    return take(arena, bytes ? bytes : 1, ALIGNMENT);
}

void *ja_arena_alloc(struct ja_arena *arena, size_t count, size_t size)
{
    void *memory = ja_arena_room(arena, count, size);
    memset(memory, 0, count * size);
    return memory;
}

char *ja_arena_copy(struct ja_arena *arena, const char *text, size_t length)
{
    char *copy = take(arena, length + 1, 1);
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
    char *text = take(arena, (size_t)length + 1, 1);
    if ((size_t)length < sizeof small)
        memcpy(text, small, (size_t)length + 1);
    else
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

/* The array with room for capacity elements, what it holds kept, new room not zeroed. */
static void *resize(struct ja_arena *arena, void *array, size_t count, size_t before,
                    size_t capacity, size_t size)
{
    if (capacity > SIZE_MAX / 2 / size)
        ja_arena_out_of_memory();
    if (array && before * size >= JA_ARENA_APART) {
        arena->size += (capacity - before) * size;
        return take_large(arena, array, capacity * size);
    }
    void *moved = take(arena, capacity * size, ALIGNMENT);
    if (count)
        memcpy(moved, array, count * size);
    return moved;
}

void *ja_arena_grow(struct ja_arena *arena, void *array, size_t count, size_t *capacity,
                    size_t size)
{
    size_t larger = *capacity ? *capacity * 2 : 8;
    array = resize(arena, array, count, *capacity, larger, size);
    *capacity = larger;
    return array;
}

void *ja_arena_reserve(struct ja_arena *arena, void *array, size_t count, size_t *capacity,
                       size_t want, size_t size)
{
    if (want <= *capacity)
        return array;
    array = resize(arena, array, count, *capacity, want, size);
    *capacity = want;
    return array;
}

void *ja_arena_fit(struct ja_arena *arena, void *array, size_t count, size_t *capacity, size_t size)
{
    /* A smaller one is no block of its own: there is nothing to give back. */
    if (count == *capacity || *capacity * size < JA_ARENA_APART || count * size < JA_ARENA_APART)
        return array;
    array = resize(arena, array, count, *capacity, count, size);
    *capacity = count;
    return array;
}

static struct large *unlink_large(struct ja_arena *arena, void *array, size_t bytes)
{
    struct large *large = (struct large *)array - 1;
    if (large->after)
        large->after->before = large->before;
    *(large->before ? &large->before->after : &arena->large) = large->after;
    *large = (struct large){NULL, NULL};
    arena->size -= bytes;
    return large;
}

void ja_arena_drop(struct ja_arena *arena, void *array, size_t capacity, size_t size)
{
    if (array && capacity * size >= JA_ARENA_APART)
        free(unlink_large(arena, array, capacity * size));
}

static void join_large(struct ja_arena *arena, struct large *large)
{
    if (!large)
        return;
    struct large *last = large;
    while (last->after)
        last = last->after;
    last->after = arena->large;
    if (arena->large)
        arena->large->before = last;
    arena->large = large;
}

void *ja_arena_take(struct ja_arena *arena, struct ja_arena *other, void *array, size_t count,
                    size_t *capacity, size_t size)
{
    if (!count)
        return *capacity = 0, NULL;
    array = ja_arena_fit(other, array, count, capacity, size);
    size_t bytes = count * size;
    if (bytes < JA_ARENA_APART) {
        *capacity = count;
        return memcpy(ja_arena_room(arena, count, size), array, bytes);
    }
    join_large(arena, unlink_large(other, array, bytes));
    arena->size += bytes;
    return array;
}

/* Behind the newest block of arena, which alone has room. */
static void join_blocks(struct ja_arena *arena, struct block *blocks)
{
    if (!blocks)
        return;
    struct block *last = blocks;
    while (last->next)
        last = last->next;
    if (arena->blocks) {
        last->next = arena->blocks->next;
        arena->blocks->next = blocks;
    } else {
        arena->blocks = blocks;
    }
}

void ja_arena_join(struct ja_arena *arena, struct ja_arena *other)
{
    join_blocks(arena, other->blocks);
    join_large(arena, other->large);
    arena->size += other->size;
    arena->small += other->small;
    free_blocks(other->spare);
    free(other);
}

size_t ja_arena_size(const struct ja_arena *arena)
{
    return arena->size;
}
