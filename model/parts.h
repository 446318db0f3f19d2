/* SPDX-License-Identifier: MIT
 *
 * A step's work in parts that know nothing of each other, each a job: one a machine. A part sees
 * the case as the earlier steps left it and appends to arrays of its own, which are joined in the
 * order of the hosts: any number of jobs makes the same case.
 */
#ifndef JA_MODEL_PARTS_H
#define JA_MODEL_PARTS_H

#include <string.h>

#include "model/build.h"

struct ja_part {
    struct ja_build build; /* of the moments of one host; its item is the one below */
    struct ja_case item;   /* a copy of the case with an arena of its own. What earlier steps made
                              is shared; what the job appends to it empties first */
    uint32_t host;
    const void *data; /* as given to ja_parts_run */
    void *made;       /* what the job leaves to its step, beside arrays of the case */
};

struct ja_parts {
    struct ja_part *items; /* one a host, in their order */
    size_t count;
};

/* groups.c: how the processes of the part's host make groups, in its scratch memory; and those of
 * one of its states while all its rows are listed. */
struct ja_groupings *ja_groupings_new(struct ja_part *part);
void ja_group_rows(struct ja_part *part, struct ja_groupings *groupings, uint32_t state);

/* Runs job for every host. The parts' arrays live until ja_parts_done, which leaves to the case
 * what else their arenas hold. */
struct ja_parts ja_parts_run(struct ja_build *build, void (*job)(struct ja_part *part),
                             const void *data);
void ja_parts_done(struct ja_build *build, struct ja_parts *parts);

/* Empties an array of a part, which is a block of its own from the beginning: nothing of it is left
 * behind when it grows and when it was joined. */
#define JA_PARTS_EMPTY(own, array, noun)                                                           \
    ((own)->array = NULL, (own)->noun##_count = (own)->noun##_capacity = 0,                        \
     JA_RESERVE((own)->arena, (own)->array, 0, (own)->noun##_capacity,                             \
                JA_ARENA_APART / sizeof *(own)->array + 1))

/* Appends the arrays of all parts to the case's, in order, and gives theirs back. */
#define JA_PARTS_JOIN(whole, parts, array, array_count, array_capacity)                            \
    do {                                                                                           \
        size_t all_ = (whole)->array_count;                                                        \
        for (size_t i_ = 0; i_ < (parts)->count; i_++)                                             \
            all_ += (parts)->items[i_].item.array_count;                                           \
        JA_RESERVE((whole)->arena, (whole)->array, (whole)->array_count, (whole)->array_capacity,  \
                   all_);                                                                          \
        for (size_t i_ = 0; i_ < (parts)->count; i_++) {                                           \
            struct ja_case *own_ = &(parts)->items[i_].item;                                       \
            if (own_->array_count)                                                                 \
                memcpy((whole)->array + (whole)->array_count, own_->array,                         \
                       own_->array_count * sizeof *own_->array);                                   \
            (whole)->array_count += own_->array_count;                                             \
            ja_arena_drop(own_->arena, own_->array, own_->array_capacity, sizeof *own_->array);    \
        }                                                                                          \
    } while (0)

#endif
