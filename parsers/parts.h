/* SPDX-License-Identifier: MIT
 *
 * Reading a file that is too large for memory, in parts of whole lines: only formats of lines that
 * say so (ja_parser.lines) are read like this. The evidence is that of the file read whole.
 *   parts = ja_parts_open(&begin, ...); ja_parts_add(parts, text, length) ...; ja_parts_close(parts)
 */
#ifndef JA_PARSERS_PARTS_H
#define JA_PARSERS_PARTS_H

#include "parsers/parser.h"

struct ja_parts;

/* Bids on the beginning of a file (begin->text: its first whole lines) like ja_parse_file on a
 * whole one. NULL when no parser that takes it can read it in parts. The beginning itself is added
 * by ja_parts_add like what follows. One thread makes all calls; scratch and begin->name
 * last as long. */
struct ja_parts *ja_parts_open(const struct ja_file *begin, const struct ja_parser *forced,
                               int64_t interval_ns, size_t max_readings, struct ja_arena *scratch);

/* The next whole lines (the last may lack its line end); the text is not kept. */
void ja_parts_add(struct ja_parts *parts, const char *text, size_t length);

/* Instead of a line that is longer than limit_bytes: it is left out and said. */
void ja_parts_skip_line(struct ja_parts *parts, int64_t limit_bytes);

/* The evidence of all parts. Ends parts. */
struct ja_evidence *ja_parts_close(struct ja_parts *parts);

#endif
