/* SPDX-License-Identifier: MIT
 *
 * Private to parsers.c and parts.c: the steps that files read whole and in parts share.
 */
#ifndef JA_PARSERS_OFFER_H
#define JA_PARSERS_OFFER_H

#include "parsers/parser.h"

/* A parse of a new evidence, with its time in the file's name; this thread's cJSON trees then live
 * in its scratch. */
struct ja_parse ja_parse_begin(const struct ja_file *file, int64_t interval_ns, size_t max_readings,
                               struct ja_arena *scratch);
/* Closes the evidence; scratch stays the caller's. */
struct ja_evidence *ja_parse_end(struct ja_parse *parse);

/* The parser of whole files with the highest bid of 50 or more; NULL when there is none. */
const struct ja_parser *ja_best_whole(const struct ja_piece *piece, struct ja_evidence *evidence);

/* Says that a file with NUL bytes inside is not read. */
void ja_refuse_nul(struct ja_evidence *evidence, size_t offset);
/* Says that NUL bytes at its end were cut off. */
void ja_note_nul_tail(struct ja_evidence *evidence, size_t count);

#endif
