/* SPDX-License-Identifier: MIT
 *
 * What the operator states of files (MANIFEST, case file), found by a file's name: there may be as
 * many rows as files.
 */
#ifndef JA_MODEL_STATED_ROWS_H
#define JA_MODEL_STATED_ROWS_H

#include "model/index.h"
#include "model/statements.h"

struct ja_stated_rows {
    const struct ja_stated_time *items; /* the statements' own */
    struct ja_index names;              /* last component of a row's path: 1 + its first row */
    uint32_t *next;                     /* 1 + the next row of that name; 0 none */
};

/* The rows of the statements, in arena. */
struct ja_stated_rows ja_stated_rows_of(const struct ja_statements *said, struct ja_arena *arena);

/* The row that times a file: its path is the file's or ends it. A row of the case file, which is
 * named on the command line, goes before one of a MANIFEST, which only lies there; of equals the
 * last counts. NULL: none. */
const struct ja_stated_time *ja_stated_time_of(const struct ja_stated_rows *rows, const char *path);

/* The host that the first row with one gives a file; NULL. */
const char *ja_stated_host_of(const struct ja_stated_rows *rows, const char *path);

#endif
