/* SPDX-License-Identifier: MIT
 *
 * One line of NDJSON as a list of members, looked up by key. Plain lines are pulled out of the text
 * and make no tree; cJSON reads what pull.h declines, with the same result. Of a key that stands
 * twice in a line the first counts. Lines mostly have the keys of the line before, and many of its
 * values: what is printed alike is compared, not read again.
 */
#ifndef JA_PARSERS_NDJSON_LINE_H
#define JA_PARSERS_NDJSON_LINE_H

#include <string.h>

#include "parsers/json.h"
#include "parsers/pull.h"

struct ja_ndjson_member {
    const char *key;
    size_t key_length;
    struct ja_pull_value value; /* strings have no escapes left */
    const char *from, *to;      /* the value as printed, in a line that was pulled */
    const cJSON *tree;          /* of an object or array that cJSON read; NULL: value has its text */
};

#define JA_NDJSON_SLOTS 64
#define JA_NDJSON_SLOTTED 40 /* members; more are looked through one by one */

struct ja_ndjson_line {
    struct ja_ndjson_member *members;
    size_t count, capacity;
    uint8_t slots[JA_NDJSON_SLOTS]; /* of the first members: place + 1, by key; open addressing */
    const char *text, *end;  /* the line, when it was pulled; else NULL */
    struct ja_arena *memory; /* of the list */
    struct ja_arena *own;    /* of what the line holds; given back with the next line */
};

void ja_ndjson_line_init(struct ja_ndjson_line *line, struct ja_arena *memory);
void ja_ndjson_line_done(struct ja_ndjson_line *line);

/* The text of the lines read so far goes away: nothing is compared with it. */
void ja_ndjson_line_forget(struct ja_ndjson_line *line);

/* Takes a line apart. False when it is not one JSON object. The text outlives the look-ups; cJSON
 * is to use the line's own arena (ja_json_use_arena). */
bool ja_ndjson_line_read(struct ja_ndjson_line *line, const char *text, size_t length);

/* Where the search of a key begins. Of a literal key it is known when the program is built. */
static inline size_t ja_ndjson_slot(const char *key, size_t length)
{
    size_t middle = length ? (unsigned char)key[length / 2] : 0;
    return (middle * 5 + length) % JA_NDJSON_SLOTS;
}

const struct ja_ndjson_member *ja_ndjson_find(const struct ja_ndjson_line *line, const char *key,
                                              size_t length, size_t slot);

/* The member of this key; NULL when there is none. */
static inline const struct ja_ndjson_member *ja_ndjson_get(const struct ja_ndjson_line *line,
                                                           const char *key)
{
    size_t length = strlen(key), slot = ja_ndjson_slot(key, length);
    bool may_be = line->slots[slot] || line->count > JA_NDJSON_SLOTTED;
    return may_be ? ja_ndjson_find(line, key, length, slot) : NULL;
}

/* The text of a string; NULL when it is absent or none. */
static inline const struct ja_pull_value *ja_ndjson_text(struct ja_ndjson_line *line,
                                                         const char *key)
{
    const struct ja_ndjson_member *member = ja_ndjson_get(line, key);
    return member && member->value.type == JA_PULL_STRING ? &member->value : NULL;
}

/* The same with a NUL behind it, until the next line. */
const char *ja_ndjson_string(struct ja_ndjson_line *line, const char *key);
/* The same as a copy in arena. */
const char *ja_ndjson_copy(struct ja_ndjson_line *line, const char *key, struct ja_arena *arena);
/* What stands at key as cJSON's tree; NULL: no object or array. */
const cJSON *ja_ndjson_tree(struct ja_ndjson_line *line, const char *key);
/* As ja_json_int, ja_json_double and ja_json_bool do. */
bool ja_ndjson_int(struct ja_ndjson_line *line, const char *key, struct ja_evidence *evidence,
                   int64_t least, int64_t most, int64_t *ret);
bool ja_ndjson_double(struct ja_ndjson_line *line, const char *key, double *ret);
bool ja_ndjson_true(struct ja_ndjson_line *line, const char *key); /* it is there and true */

#endif
