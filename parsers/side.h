/* SPDX-License-Identifier: MIT
 *
 * What the parsers of system-wide side evidence (vm_stat, memory_pressure, sysctl, top) share: the
 * one machine a file speaks of, and figures with their place.
 */
#ifndef JA_PARSERS_SIDE_H
#define JA_PARSERS_SIDE_H

#include "parsers/parser.h"

/* The machine all pieces of the file speak of, made at first use; good until the next one. */
struct ja_system *ja_side_system(struct ja_parse *parse);

/* A record of the file's machine at the piece's stamp, placed at a line; sets the file's kind. */
uint32_t ja_side_record(const struct ja_piece *piece, struct ja_parse *parse, enum ja_kind kind,
                        int line);

/* A figure of a record, printed at a line. */
void ja_side_figure(struct ja_parse *parse, uint32_t record, enum ja_figure figure, int64_t value,
                    int line);

/* The same from a count of pages; left out when page_bytes is JA_UNKNOWN or the product too large.
 */
void ja_side_pages(struct ja_parse *parse, uint32_t record, enum ja_figure figure, int64_t pages,
                   int64_t page_bytes, int line);

/* "Key: 123." or "Key: 123": key trimmed (quotes too), the number, and whether it ends the line but
 * for a point. False when the line is something else. */
struct ja_side_entry {
    const char *key;
    size_t key_length;
    int64_t value;
    bool point; /* vm_stat ends its numbers with one: without it the number may be cut */
};
bool ja_side_entry(const struct ja_line *line, struct ja_side_entry *ret);

/* RAM of the machine: into the system and as a figure of the record. */
void ja_side_ram(struct ja_parse *parse, uint32_t record, int64_t bytes, int line);

#endif
