/* SPDX-License-Identifier: MIT
 *
 * Tables of tools: a line as words between blanks, and columns found by their header's words.
 */
#ifndef JA_PARSERS_COLUMNS_H
#define JA_PARSERS_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/quantity.h"

#define JA_MOST_WORDS 40

struct ja_words {
    struct {
        const char *text; /* not NUL-terminated */
        size_t length;
    } at[JA_MOST_WORDS];
    size_t count;
    const char *end; /* end of the line, trimmed */
};

/* The words of a line; those beyond JA_MOST_WORDS stay part of the line only. */
void ja_words_split(const char *line, size_t length, struct ja_words *ret);
/* The same for tables whose cells hold single blanks ("MEM USAGE / LIMIT"): cells stand two or
 * more blanks apart. */
void ja_cells_split(const char *line, size_t length, struct ja_words *ret);

bool ja_word_is(const struct ja_words *words, size_t index, const char *word);
/* Index of a word; JA_MOST_WORDS when there is none. */
size_t ja_word_find(const struct ja_words *words, const char *word);
/* From the word to the end of the line: the last column, which may hold blanks. */
bool ja_word_rest(const struct ja_words *words, size_t index, const char **ret, size_t *ret_length);

/* The whole word is a number. */
bool ja_word_u63(const struct ja_words *words, size_t index, int64_t *ret);
/* The whole word is a decimal. */
bool ja_word_decimal(const struct ja_words *words, size_t index, int64_t *ret_mantissa,
                     int *ret_decimals);
/* A size: bare digits count bare_bytes each and are exact; with a unit (99.2m, 1.2g, 27.9M, 7.7Gi,
 * 12K) it is rounded to the last printed digit. */
bool ja_word_size(const struct ja_words *words, size_t index, int64_t bare_bytes,
                  struct ja_quantity *ret);

#endif
