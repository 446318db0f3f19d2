/* SPDX-License-Identifier: MIT
 *
 * Growing lists behind ja_statements, and the small readers that case file, manifest and command
 * line share. Everything lives in the arena given to ja_stated_init.
 */
#ifndef JA_PARSERS_STATED_H
#define JA_PARSERS_STATED_H

#include "model/arena.h"
#include "model/evidence.h"
#include "model/statements.h"

struct ja_stated {
    struct ja_arena *arena;
    struct ja_statements all; /* its lists are set by ja_stated_settle */
    struct ja_stated_cap *caps;
    size_t cap_count, cap_capacity;
    struct ja_stated_work *work;
    size_t work_count, work_capacity;
    struct ja_stated_time *times;
    size_t time_count, time_capacity;
    struct ja_stated_concern *concerns;
    size_t concern_count, concern_capacity;
    struct ja_stated_note *notes;
    size_t note_count, note_capacity;
    struct ja_selector *only;
    size_t only_count, only_capacity;
};

void ja_stated_init(struct ja_stated *stated, struct ja_arena *arena);

/* Copies the lists into all. After it nothing may be added. */
void ja_stated_settle(struct ja_stated *stated);

/* "pid:N", "coalition:N", else an exact name or a pattern that is searched in the name. With
 * pattern_only a wrong pattern is refused (false, reason in error); else it is a name only. */
bool ja_selector_read(struct ja_arena *arena, const char *text, bool pattern_only,
                      struct ja_selector *ret, char *error, size_t error_size);

/* "64 GiB" or a bare number of bytes. */
bool ja_stated_size(const char *text, int64_t *ret_bytes);
/* "5 MB/h" */
bool ja_stated_slope(const char *text, double *ret_bytes_per_hour);

/* A case file (interfaces.md section 6). False when it is no JSON object at all; everything less is
 * a diagnostic of evidence and is left out. Paths stay as written. ja_json_use_arena first. */
bool ja_case_file_read(struct ja_stated *stated, const char *text, size_t length,
                       struct ja_evidence *evidence);

/* A MANIFEST.tsv. folder: printed path of the folder it lies in, "" or ending in '/'. */
void ja_manifest_read(struct ja_stated *stated, const char *text, size_t length, const char *folder,
                      struct ja_evidence *evidence);

#endif
