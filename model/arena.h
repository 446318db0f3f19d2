/* SPDX-License-Identifier: MIT
 *
 * Arenas: memory that is given back all at once. One per input file, one per case.
 * Out of memory ends the program with a message (exit status 6): callers never see NULL.
 */
#ifndef JA_MODEL_ARENA_H
#define JA_MODEL_ARENA_H

#include <stddef.h>
#include <string.h>

struct ja_arena;

/* An empty arena; the caller owns it and ends it with ja_arena_free. */
struct ja_arena *ja_arena_new(void);
void ja_arena_free(struct ja_arena *arena);

/* Gives back everything made in the arena, but keeps its blocks for new use. */
void ja_arena_reset(struct ja_arena *arena);

/* count * size bytes, all zero, aligned for any type. The product is checked. */
void *ja_arena_alloc(struct ja_arena *arena, size_t count, size_t size);

/* The same, but not zeroed: for an array that is filled at once. */
void *ja_arena_room(struct ja_arena *arena, size_t count, size_t size);

/* A NUL-terminated copy of length bytes (an embedded NUL stays inside the copy). */
char *ja_arena_copy(struct ja_arena *arena, const char *text, size_t length);

/* A copy of a string; NULL stays NULL. */
char *ja_arena_string(struct ja_arena *arena, const char *text);

/* printf into the arena. */
char *ja_arena_print(struct ja_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A full array of count elements of size bytes with room for more: returns the array (moved, old
 * contents kept) and sets *capacity. */
void *ja_arena_grow(struct ja_arena *arena, void *array, size_t count, size_t *capacity,
                    size_t size);

/* Room for one more element, all zero; size is a constant where it is called, so that nothing is
 * called for most elements. Use it through JA_APPEND. */
static inline void *ja_arena_next(struct ja_arena *arena, void *array, size_t count,
                                  size_t *capacity, size_t size)
{
    if (count == *capacity)
        array = ja_arena_grow(arena, array, count, capacity, size);
    memset((char *)array + count * size, 0, size);
    return array;
}

/* Room for at least want elements, so that appending up to there moves nothing; JA_FIT gives back
 * the room that was not used once an array is complete. Both return the array. */
void *ja_arena_reserve(struct ja_arena *arena, void *array, size_t count, size_t *capacity,
                       size_t want, size_t size);
void *ja_arena_fit(struct ja_arena *arena, void *array, size_t count, size_t *capacity,
                   size_t size);

#define JA_RESERVE(arena, array, count, capacity, want)                                            \
    ((array) = ja_arena_reserve((arena), (array), (count), &(capacity), (want), sizeof *(array)))
#define JA_FIT(arena, array, count, capacity)                                                      \
    ((array) = ja_arena_fit((arena), (array), (count), &(capacity), sizeof *(array)))

/* From this size on an allocation is a block of its own: it grows in place and can be given back.
 */
#define JA_ARENA_APART ((size_t)16 * 1024)

/* Gives back an array when it is a block of its own; it must not be used again. */
void ja_arena_drop(struct ja_arena *arena, void *array, size_t capacity, size_t size);

/* Moves an array of other, which stays in use, into arena, with no room for more. */
void *ja_arena_take(struct ja_arena *arena, struct ja_arena *other, void *array, size_t count,
                    size_t *capacity, size_t size);

/* Moves all that other holds into arena, where it stays as it is; other is ended. */
void ja_arena_join(struct ja_arena *arena, struct ja_arena *other);

/* Appends a zeroed element to array/count/capacity members; evaluates to its address. */
#define JA_APPEND(arena, array, count, capacity)                                                   \
    ((array) = ja_arena_next((arena), (array), (count), &(capacity), sizeof *(array)),             \
     &(array)[(count)++])

/* Bytes asked for since the arena was made or reset. */
size_t ja_arena_size(const struct ja_arena *arena);

/* What happens when memory ends; cli sets a message and exit status 6. Must not return. */
extern void (*ja_arena_out_of_memory)(void);

/* Where arenas get their blocks (malloc and realloc unless a test injects failures). */
extern void *(*ja_arena_malloc)(size_t size);
extern void *(*ja_arena_realloc)(void *memory, size_t size);

#endif
