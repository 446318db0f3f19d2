/* SPDX-License-Identifier: MIT
 *
 * A pull reader of JSON: steps over the members of an object and the items of an array in the text
 * itself. It makes no tree and allocates nothing.
 *   struct ja_pull pull = ja_pull_of(text, length);
 *   if (ja_pull_enter(&pull, '{'))
 *       while (ja_pull_key(&pull, &key))
 *           if (!ja_pull_value(&pull, &value)) ...
 *   if (pull.declined) ... the text goes to cJSON
 * It reads the plain JSON that programs write and declines everything else: what is broken, what
 * only cJSON reads (numbers such as 01, control characters for blanks), what is rare (\u escapes,
 * numbers of more than 60 characters, nesting deeper than JA_JSON_DEPTH). What it does not decline
 * cJSON reads, too, and finds the same values: tests/fuzz/fuzz_pull.c.
 */
#ifndef JA_PARSERS_PULL_H
#define JA_PARSERS_PULL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "parsers/digits.h"
#include "parsers/scan.h"

enum ja_pull_type {
    JA_PULL_ABSENT, /* never read; what a table of wanted members begins with */
    JA_PULL_NULL,
    JA_PULL_BOOL,
    JA_PULL_NUMBER,
    JA_PULL_STRING,
    JA_PULL_ARRAY,
    JA_PULL_OBJECT,
};

struct ja_pull_value {
    union {
        const char *text; /* of a string: its inside; else of the value as printed */
        double number;    /* of a number: exactly what strtod makes of it */
    };
    uint32_t length; /* of text */
    uint8_t type;    /* enum ja_pull_type */
    bool escaped;    /* a string with escapes: its text is as printed */
};

/* A cursor; fields are private but for declined. */
struct ja_pull {
    const char *at, *end;
    int depth;
    bool first; /* no comma is due: the container was just entered */
    bool declined;
};

/* A cursor at the start of text, which holds no NUL and outlives every value read from it. */
struct ja_pull ja_pull_of(const char *text, size_t length);

/* Steps into the object ('{') or array ('[') that the cursor stands before. */
bool ja_pull_enter(struct ja_pull *pull, char open);

/* Moves to the value of the next member (whose key it gives) or to the next item. False at the end
 * of the container, which is then left, and when the text is declined. Each is followed by
 * ja_pull_value, or by ja_pull_enter and steps until the inner container is left. */
bool ja_pull_key(struct ja_pull *pull, struct ja_pull_value *ret_key);
bool ja_pull_item(struct ja_pull *pull);

/* Reads the value at hand, a container as a whole. False when declined. */
bool ja_pull_value(struct ja_pull *pull, struct ja_pull_value *ret);
/* The same where the value at hand begins as no other kind does. */
bool ja_pull_number(struct ja_pull *pull, struct ja_pull_value *ret);

/* Behind the number at at, which is before end; NULL when it is declined. */
const char *ja_pull_pass_number(const char *at, const char *end, double *ret);

static inline void ja_pull_set_number(struct ja_pull_value *ret, double number)
{
    ret->number = number;
    ret->length = 0;
    ret->type = JA_PULL_NUMBER;
    ret->escaped = false;
}

/* Reads the number at hand if it is a short whole one, as most are. Else false, and the cursor
 * stays. */
static inline bool ja_pull_short(struct ja_pull *pull, struct ja_pull_value *ret)
{
    uint64_t value;
    const char *behind =
        (size_t)(pull->end - pull->at) < JA_DIGITS_ROOM ? NULL : ja_digits_pass(pull->at, &value);
    if (!behind)
        return false;
    pull->at = behind;
    ja_pull_set_number(ret, (double)(int64_t)value);
    return true;
}

/* Text of at most JA_WORDS_BYTES, to be compared in one go. */
#define JA_WORDS 4
#define JA_WORDS_BYTES (JA_WORDS * sizeof(uint64_t))
#define JA_WORDS_NEVER SIZE_MAX /* a length: never the same as any */
struct ja_words {
    uint64_t word[JA_WORDS], mask[JA_WORDS];
};

/* Longer text is never the same as any: it is taken for NULs, which no text holds. */
static inline struct ja_words ja_words_of(const char *text, size_t length)
{
    struct ja_words words = {{0}, {0}};
    bool fits = length <= JA_WORDS_BYTES;
    if (fits)
        memcpy(words.word, text, length);
    memset(words.mask, 0xFF, fits ? length : JA_WORDS_BYTES);
    return words;
}

/* True when the text stands at at, where JA_WORDS_BYTES may be read. */
static inline bool ja_words_same(const struct ja_words *words, const char *at)
{
    uint64_t other, differ = 0;
    for (size_t i = 0; i < JA_WORDS; i++) {
        memcpy(&other, at + i * sizeof other, sizeof other);
        differ |= (other ^ words->word[i]) & words->mask[i];
    }
    return differ == 0;
}

/* Passes text that an earlier reading passed at the same place of the grammar: all from the end of
 * a value to the next one, or a whole string, array or object. False, and the cursor stays, where
 * other text stands. Rows that are printed alike need no more than a comparison then. */
static inline bool ja_pull_same(struct ja_pull *pull, const char *text, size_t length)
{
    if ((size_t)(pull->end - pull->at) <= length || !ja_text_same(pull->at, text, length))
        return false;
    pull->at += length;
    pull->first = false;
    return true;
}

/* What the value at hand begins with: '{', '[', '"' ... */
char ja_pull_peek(const struct ja_pull *pull);

/* True for a string or key without escapes that is this text. */
bool ja_pull_is(const struct ja_pull_value *string, const char *text);

/* The same of a value that cJSON read; ABSENT of NULL. A container has no text. */
struct ja_pull_value ja_pull_of_tree(const cJSON *item);

/* Tests set it to have everything declined, to compare both routes. */
extern bool ja_pull_declines_all;

#endif
