/* SPDX-License-Identifier: MIT
 *
 * What the parsers of Linux files share: records with the moment and the snapshot of their place,
 * "Key:  123 kB" lines, page and kB figures.
 */
#ifndef JA_PARSERS_PROC_RECORD_H
#define JA_PARSERS_PROC_RECORD_H

#include "parsers/proc_place.h"

/* Adds a record of this kind for the piece, with its moment (the piece's stamp, else the one in a
 * name) and its snapshot, and sets the file's kind. */
uint32_t ja_proc_record(const struct ja_piece *piece, struct ja_parse *parse,
                        const struct ja_proc_place *place, enum ja_kind kind);

/* A record of its own for a line that carries a stamp: the moment of what it says. */
uint32_t ja_proc_moment(struct ja_parse *parse, enum ja_kind kind, uint32_t stamp, int line);

/* Undated records of a file that lies in a sosreport (ps and the like) are of the archive's moment
 * and machine; a file that nobody could read, but whose place says what it is, is damaged. Called
 * for every file when it has been parsed. */
void ja_proc_adopt(struct ja_evidence *evidence, struct ja_arena *scratch);

/* The system entry of a record, made on first use. */
struct ja_system *ja_proc_system(struct ja_parse *parse, uint32_t record);

/* The name of a process that a file tells nothing else of: the file's name without its endings. */
const char *ja_proc_stem(const struct ja_piece *piece, struct ja_arena *arena);

/* "Key:  123 kB" in any column layout: *ret_key, *ret_value = the digits' value. The unit may be
 * missing and a remark may follow. False when the line is something else or beyond 2^63-1. */
bool ja_proc_key_line(const struct ja_line *line, const char **ret_key, size_t *ret_key_length,
                      int64_t *ret_value);

/* kB as the kernel prints page counts: value in bytes, step = a page of 4 KiB where the figure is
 * a multiple of it (1 KiB otherwise), exact. False when it is no possible size. */
bool ja_proc_kb(int64_t kilobytes, struct ja_quantity *ret);

/* Pages of 4 KiB; the model rescales when it learns of another page size. */
bool ja_proc_pages(int64_t pages, struct ja_quantity *ret);

/* Adds a reading unless the limit of readings is reached (then one diagnostic); NULL then. */
struct ja_reading *ja_proc_reading(struct ja_parse *parse, uint32_t subject, enum ja_metric metric,
                                   struct ja_quantity quantity, uint32_t place, enum ja_unit unit);

#endif
