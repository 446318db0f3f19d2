/* SPDX-License-Identifier: MIT
 *
 * What the tables of Linux tools share: a record for one print of the table, a process named by a
 * row's last column, and clocks that show the time of day only.
 */
#ifndef JA_PARSERS_TOOL_ROW_H
#define JA_PARSERS_TOOL_ROW_H

#include "parsers/columns.h"
#include "parsers/parser.h"

/* A record of this kind at a stamp (JA_NONE: undated), with the system that the pieces of the file
 * share; the file is of this kind. line: where the table begins. */
uint32_t ja_tool_record(struct ja_parse *parse, enum ja_kind kind, uint32_t stamp, int line);

/* How a row names its process. */
enum ja_tool_name {
    JA_TOOL_COMM,      /* the kernel's name: at most 15 bytes, may hold blanks; cut with "+" */
    JA_TOOL_ARGUMENTS, /* the command line; "[name]" for kernel threads */
    JA_TOOL_PROGRAM,   /* a command line cut by the tool: good for the name only */
};

/* Takes off the branches that "ps f" draws before a command line: " |   \\_ ". */
void ja_tool_branches(const char **text, size_t *length);

/* A process row: name (for a command line the last part of the program's path) and command line.
 * pid may be JA_UNKNOWN. */
uint32_t ja_tool_process(struct ja_parse *parse, uint32_t record, int64_t pid, const char *text,
                         size_t length, enum ja_tool_name how, int line);

/* A reading, unless the file has given as many as are allowed. printed: the word as found, kept
 * for sizes that are not whole KiB. */
void ja_tool_reading(struct ja_parse *parse, uint32_t subject, enum ja_metric metric,
                     struct ja_quantity quantity, const char *printed, size_t length, int line);
/* The same with the word at index as its text. */
void ja_tool_word_reading(struct ja_parse *parse, uint32_t subject, enum ja_metric metric,
                          struct ja_quantity quantity, const struct ja_words *words, size_t index,
                          int line);

/* After the last row: a table that the file prints again below one and the same stamp line (the same
 * process or container comes again) was printed later. It moves k intervals behind the stamp where
 * the spacing is stated, else it loses its time. */
void ja_tool_settle(struct ja_parse *parse, uint32_t record);

/* A figure of value units of unit_bytes each; nothing when it is JA_UNKNOWN or too large. */
void ja_tool_figure(struct ja_parse *parse, uint32_t record, enum ja_figure figure, int64_t value,
                    int64_t unit_bytes, int line);

/* The clock of a table that shows the time of day only, on the date (and in the zone) of an
 * earlier stamp: the same day, or the next one when the clock shows more than 12 hours less.
 * A clock with a date of its own, or no dated day, gives the clock as it is. */
struct ja_stamp ja_tool_clock(const struct ja_stamp *day, const struct ja_stamp *clock);

#endif
