/* SPDX-License-Identifier: MIT
 *
 * cJSON behind typed getters that check type, range and path, and say in a diagnostic what was
 * wrong. Only case-sensitive look-ups; numbers never come from valueint.
 * cJSON's hooks point at a thread-local scratch arena (ja_json_install_hooks), so trees are not
 * deleted: they die with the job.
 */
#ifndef JA_PARSERS_JSON_H
#define JA_PARSERS_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "model/arena.h"
#include "model/evidence.h"

#define JA_JSON_DEPTH 64

/* Once in main, before the sandbox and the threads. */
void ja_json_install_hooks(void);
/* The arena that cJSON allocates from in this thread; set by the job loop. Returns the one before,
 * for a parser that reads many documents with an arena of its own. */
struct ja_arena *ja_json_use_arena(struct ja_arena *arena);

/* Parses one document at the start of text; *ret_used = bytes up to its end. NULL when it is not
 * JSON or nests deeper than JA_JSON_DEPTH (then *ret_used = offset of the fault). Escaped NULs and
 * lone surrogates in strings become U+FFFD. Needs ja_json_use_arena in this thread. */
cJSON *ja_json_parse(const char *text, size_t length, size_t *ret_used);

const cJSON *ja_json_get(const cJSON *object, const char *key);      /* NULL: absent */
const char *ja_json_string(const cJSON *object, const char *key);    /* NULL: absent, not text */
/* A whole number within [least, most]; false and silent when absent or null; false with a
 * diagnostic (at the place "path/key" of index0, index1) when it is something else. */
bool ja_json_int(struct ja_evidence *evidence, const cJSON *object, const char *key,
                 const char *path, int index0, int index1, int64_t least, int64_t most,
                 int64_t *ret);
/* The same of a value at hand, which stands at the top of its document; number: it is one. */
bool ja_json_whole(struct ja_evidence *evidence, double value, bool number, const char *key,
                   int64_t least, int64_t most, int64_t *ret);
bool ja_json_double(const cJSON *object, const char *key, double *ret); /* finite */
bool ja_json_bool(const cJSON *object, const char *key, bool *ret);

/* True when an object holds the same key twice with different values (lookup takes the first). */
bool ja_json_conflict(const cJSON *object, const char **ret_key);

/* Row by row salvage of broken JSON: every balanced {...}, in order of their ends, so inner
 * objects come before the one that holds them. The caller parses those it wants (a row: has "pid")
 * and skips what lies inside one it took. */
struct ja_salvage {
    const char *text; /* of the object, balanced */
    size_t length;
    size_t offset;    /* from the start of the searched text */
};
/* One pass, a stack of open braces (the innermost 64 are remembered), strings respected; a line
 * end ends a string. Returns how many, at most max. */
size_t ja_json_salvage(const char *text, size_t length, struct ja_arena *arena,
                       struct ja_salvage **ret, size_t max);

#endif
