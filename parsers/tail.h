/* SPDX-License-Identifier: MIT
 *
 * The end of a text that has no last line end: programs write one, so the file may have been cut
 * right there, in the middle of a number or a name.
 */
#ifndef JA_PARSERS_TAIL_H
#define JA_PARSERS_TAIL_H

#include "parsers/parser.h"

/* "12" at the very end may be the start of "1234": question marks stand for its digits in the text
 * that is returned (in arena), with a diagnostic; else the text as it is. A digit that ends a word
 * ("python3") is no number, and JSON is left to its readers. first_line: the text's in the file. */
const char *ja_tail_number(const char *text, size_t length, int first_line, struct ja_arena *arena,
                           struct ja_evidence *evidence);

/* Subjects whose name is the last thing in the text: the true name may go on (name_open), with a
 * diagnostic. A name that a whole row has as well is whole. */
void ja_tail_names(const char *text, size_t length, int first_line, struct ja_evidence *evidence);

#endif
