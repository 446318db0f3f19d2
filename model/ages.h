/* SPDX-License-Identifier: MIT
 *
 * Private to model/: what the ages of processes say of two reports (boots.c walks them in order).
 */
#ifndef JA_MODEL_AGES_H
#define JA_MODEL_AGES_H

#include "model/build.h"

struct ja_aged_row {
    int64_t pid;
    const char *name;
    const char *uuid; /* NULL */
    int64_t age;      /* ticks */
};

/* Rows to compare the next moment by: those of the last moment with ages, or those of a whole table
 * before it, aged with it. */
struct ja_aged_table {
    struct ja_moment *moment; /* the last one with ages; NULL */
    struct ja_aged_row *rows; /* by pid, name; in the case's arena */
    size_t row_count, row_capacity;
    bool cut; /* they are what is left of a table */
};

/* Nanoseconds of a count of ticks; hz above 0. */
int64_t ja_ticks_ns(int64_t ticks, int64_t hz);

/* The rows of a moment that have a pid, a name and an age, by pid and name; in scratch. */
size_t ja_aged_list(const struct ja_build *build, const struct ja_moment *moment,
                    struct ja_aged_row **ret);

enum ja_age_tie {
    JA_AGE_NONE,  /* they say nothing */
    JA_AGE_SAME,  /* one boot */
    JA_AGE_OTHER, /* another boot */
    JA_AGE_CLOCK  /* one boot, but the rows aged by more than the clock moved: it was set back */
};

/* Do the ages tie a moment to the boot of the table? *ret_shift = ticks in between, where SAME. */
enum ja_age_tie ja_aged_tie(const struct ja_build *build, const struct ja_aged_table *table,
                            const struct ja_moment *moment, const struct ja_aged_row *rows,
                            size_t count, int64_t *ret_shift);

/* Takes the moment's rows for those to compare by, unless they are a stump beside those at hand (a
 * report that was cut), which then age with it. tied: to a moment before it, by shift ticks. */
void ja_aged_follow(const struct ja_build *build, struct ja_aged_table *table, bool tied,
                    struct ja_moment *moment, const struct ja_aged_row *rows, size_t count,
                    int64_t shift);

#endif
