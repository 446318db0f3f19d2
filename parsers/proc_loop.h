/* SPDX-License-Identifier: MIT
 *
 * One line of a loop over /proc/<pid>/status: its figures, or the complaint that nothing was found.
 */
#ifndef JA_PARSERS_PROC_LOOP_H
#define JA_PARSERS_PROC_LOOP_H

#include "parsers/parser.h"
#include "parsers/stamp.h"

enum { JA_LOOP_KEYS = 7 };

struct ja_loop_key {
    const char *key; /* "VmRSS" */
    enum ja_metric metric;
};

extern const struct ja_loop_key ja_loop_keys[JA_LOOP_KEYS];

struct ja_loop_line {
    bool stamped;
    struct ja_stamp stamp; /* when stamped */
    int64_t pid;           /* before its keys; JA_UNKNOWN */
    int count;             /* of figures, 1 or more */
    int key[JA_LOOP_KEYS]; /* index into ja_loop_keys */
    int64_t kb[JA_LOOP_KEYS];
};

/* False when the line holds no figure. Text of the stamp goes to arena. */
bool ja_loop_line_read(const struct ja_line *line, struct ja_arena *arena,
                       struct ja_loop_line *ret);

/* The line is a shell tool's complaint that a process or its file is not there
 * ("grep: /proc//status: No such file or directory"). */
bool ja_loop_failure(const char *text, size_t length);

#endif
