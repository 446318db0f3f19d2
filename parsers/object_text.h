/* SPDX-License-Identifier: MIT
 *
 * Objects in braces inside other text, as programs print them: JSON, or node's console.log form
 * with bare keys and single quotes, on one line or several.
 */
#ifndef JA_PARSERS_OBJECT_TEXT_H
#define JA_PARSERS_OBJECT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "model/arena.h"

struct ja_object_text {
    const char *text; /* from '{' to its '}' */
    size_t length;
    const char *before; /* the same line up to the '{' */
    size_t before_length;
    size_t inside; /* offset just behind the '{': go on there to look inside the object */
    int line;      /* of the '{'; set it to the first line before the first call */
};

/* The next balanced object at or after *at; moves *at behind it. False at the end. Objects of more
 * than 256 KiB or 16 levels are passed over (their insides are looked at). */
bool ja_object_next(const char *text, size_t length, size_t *at, struct ja_object_text *object);

/* The object as strict JSON: bare keys and single-quoted texts get double quotes, undefined becomes
 * null. In arena; NULL when it is no such object. *length is its length before and after. */
const char *ja_object_json(const char *text, size_t *length, struct ja_arena *arena);

#endif
