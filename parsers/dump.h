/* SPDX-License-Identifier: MIT
 *
 * What the parsers of Apple's memory dumps share: names with pids, readings within the file's
 * limit, the one machine a file speaks of, and the tools' known error texts.
 */
#ifndef JA_PARSERS_DUMP_H
#define JA_PARSERS_DUMP_H

#include "model/evidence.h"
#include "parsers/parser.h"

/* "NAME [123]" and nothing behind it. The name may hold blanks, brackets and parentheses: the pid
 * is the last bracketed number. */
bool ja_name_and_pid(const char *text, size_t length, size_t *ret_name_length, int64_t *ret_pid);

/* A line of a dump, trimmed at both ends. */
bool ja_dump_line(const struct ja_piece *piece, size_t *at, int *line_number, struct ja_line *ret);

/* The line is the last of its text and has no line end: it may be a stump. */
bool ja_line_bare(const struct ja_piece *piece, const struct ja_line *line);

/* Rows taken out by hand: "...", "(snip)", "... (small categories omitted)". */
bool ja_line_elided(const struct ja_line *line);

struct ja_dump_value {
    enum ja_metric metric;
    const char *category; /* NULL */
    struct ja_quantity quantity;
    const char *printed; /* as found; not NUL-terminated */
    size_t printed_length;
    uint32_t place;
    bool approximate; /* stands in for a figure that was not printed */
};

/* Adds a reading, unless the file has had its --max-readings (said once): false then. */
bool ja_dump_reading(struct ja_parse *parse, uint32_t subject, const struct ja_dump_value *value);

/* Adds a fact about a subject. */
void ja_dump_fact(struct ja_parse *parse, uint32_t subject, enum ja_fact_key key, int64_t value,
                  const char *text, uint32_t place);

/* Takes back the subject added last, which has no reading; its facts become its record's. */
void ja_dump_forget_subject(struct ja_evidence *evidence);

/* The machine that all dumps of a file speak of, made at first use; good until the next one. */
struct ja_system *ja_dump_system(struct ja_parse *parse);

/* A plain footprint dump holds no time. Directly beside a dump of the same pid that states its own
 * (vmmap, leaks, heap, sample), it takes that one, good to a minute; between two whose times lie
 * further apart it stays undated. Call it for a record once its subject is there; said in a note.
 */
void ja_dump_borrow_time(struct ja_parse *parse, uint32_t record);

/* A known error text of the tool in the piece ("vmmap[40148]: vmmap cannot examine process ...",
 * "footprint: Must run as root."); false when there is none. */
bool ja_tool_error_find(const struct ja_piece *piece, const char *tool, struct ja_line *ret);

/* Notes an error text: kind, status no_memory_content, a note. With a stamp it is also a moment at
 * which the look-up failed. */
void ja_tool_error_note(const struct ja_piece *piece, struct ja_parse *parse, enum ja_kind kind,
                        const struct ja_line *line);

#endif
