/* SPDX-License-Identifier: MIT
 *
 * The table of limits that runtimes set themselves (share/caps.tsv, also compiled in, or --caps
 * FILE): its rows, whom a row is about, and its formula. Pure functions of their input.
 */
#ifndef JA_MODEL_CAP_TABLE_H
#define JA_MODEL_CAP_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "model/arena.h"

struct ja_cap_row {
    const char *name;
    const char *match;
    const char *formula;
    const char *source;
};

/* The compiled-in table's text. */
extern const char ja_caps_builtin[];

/* The rows of a table's text, in arena; comments (#) and empty lines are left out. A line without
 * four columns, or with a formula or match that does not read, is no row: false then, with the
 * first such line's number, and the rows that do read. */
bool ja_cap_table_read(const char *text, struct ja_arena *arena, struct ja_cap_row **ret_rows,
                       size_t *ret_count, int *ret_bad_line);

/* Variables of formulas, NaN when unknown. Bytes, but for cores. */
struct ja_cap_values {
    double ram, rec, cores, rss;
};

/* Value of a formula; false when it does not read. NaN when a variable it uses is unknown. */
bool ja_cap_formula(const char *formula, const struct ja_cap_values *values, double *ret);

/* What is known of a process that a row may be about. */
struct ja_cap_subject {
    const char *name;    /* never NULL */
    const char *command; /* command line or path; NULL */
    const char *runtime; /* runtime that the evidence names; NULL */
    bool graphics;       /* half of the footprint or more is charged to the graphics ledger */
};

bool ja_cap_row_picks(const struct ja_cap_row *row, const struct ja_cap_subject *subject);

/* Stock recommendedMaxWorkingSetSize of Metal for so much RAM, as far as it was seen: up to macOS
 * 15 and from macOS 26 on. NaN where no machine was seen. */
void ja_working_set(double ram_bytes, double *ret_old, double *ret_new);

#endif
