/* SPDX-License-Identifier: MIT
 *
 * Cleaning and cutting: takes off what pasting adds (Markdown fences, "> " quotes, common
 * indentation, ANSI escapes, CR LF, NBSP), finds stamp lines, and cuts a text where a stamp line
 * stands or a parser says that a block of its begins.
 */
#ifndef JA_PARSERS_PIECES_H
#define JA_PARSERS_PIECES_H

#include "parsers/parser.h"

/* The file's text, cleaned, in arena; line numbers stay those of the file (a fence becomes an
 * empty line). JSON documents are returned as they are. */
void ja_clean(const struct ja_file *file, struct ja_arena *arena, const char **ret_text,
              size_t *ret_length);

/* The text begins like a JSON document, so that ja_clean returns it as it is. */
bool ja_is_json(const char *text, size_t length);
/* Steps over a byte order mark. */
void ja_text_skip_bom(const char **text, size_t *length);

/* Where the line at at ends: at its line end, or at length. */
size_t ja_line_end(const char *text, size_t length, size_t at);

struct ja_pieces {
    struct ja_piece *items;
    size_t count, capacity;
};

/* Cuts cleaned text; stamps found are added to the evidence (clock JA_CLOCK_STAMP) and each piece
 * carries the one that applies: the last stamp line above it. begins: true where some parser's
 * block begins. */
void ja_cut(const struct ja_file *file, const char *text, size_t length,
            bool (*begins)(const char *line, size_t length), struct ja_evidence *evidence,
            struct ja_arena *arena, struct ja_pieces *ret);

#endif
