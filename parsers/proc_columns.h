/* SPDX-License-Identifier: MIT
 *
 * The columns of a home-made logger (proc_rows.c): cells of a line, and what the names in a header
 * say of them. Nothing is copied: texts lie in the line.
 */
#ifndef JA_PARSERS_PROC_COLUMNS_H
#define JA_PARSERS_PROC_COLUMNS_H

#include "parsers/parser.h"
#include "parsers/pieces.h"

enum { JA_MOST_LOG_CELLS = 24 };

struct ja_log_cells {
    struct {
        const char *text;
        size_t length;
    } cell[JA_MOST_LOG_CELLS];
    int count;
};

enum ja_log_role {
    JA_LOG_NONE, /* left out */
    JA_LOG_TIME,
    JA_LOG_PID,
    JA_LOG_NAME,
    JA_LOG_SIZE,
    JA_LOG_COUNT /* of work */
};

struct ja_log_column {
    enum ja_log_role role;
    enum ja_metric metric;
    int64_t unit; /* bytes; 0: not stated */
    const char *count_unit; /* of work: its unit */
};

struct ja_log_layout {
    struct ja_log_column column[JA_MOST_LOG_CELLS];
    int count;
    bool header;
};

/* Cells parted by commas, semicolons or tabs, whichever comes first; quotes are taken off. False
 * when there is one cell only, or too many. */
bool ja_log_cells_split(const struct ja_line *line, struct ja_log_cells *ret);

/* A header: names a column of times and one of sizes. */
bool ja_log_layout_read(const struct ja_line *line, struct ja_log_layout *ret);

#endif
