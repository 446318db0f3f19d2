/* SPDX-License-Identifier: MIT
 *
 * Parts of the footprint parsers: one process block of the text form, from its header line to the
 * next one (footprint_block.c), read line by line by footprint.c.
 */
#ifndef JA_PARSERS_FOOTPRINT_H
#define JA_PARSERS_FOOTPRINT_H

#include "parsers/apple_size.h"
#include "parsers/dump.h"

/* "NAME [PID]: 64-bit    Footprint: 142 MB (16384 bytes per page)" or "Summary Footprint: 1650 MB"
 */
struct ja_footprint_title {
    bool summary;
    const char *name; /* not NUL-terminated; NULL in a summary */
    size_t name_length;
    int64_t pid;
    int64_t page_bytes; /* JA_UNKNOWN when the line was shortened */
    bool memgraph, translated;
    bool edited; /* "(16384 pages)" and the like */
    struct ja_quantity total;
    const char *total_text;
    size_t total_length;
    enum ja_size_oddity oddity;
};

/* False when the line is no title; cheap on other lines. */
bool ja_footprint_title(const char *line, size_t length, struct ja_footprint_title *ret);

/* A process block (or summary) while its lines are read. */
struct ja_footprint_block {
    struct ja_parse *parse;
    const struct ja_piece *piece;
    struct ja_footprint_title title;
    uint32_t record, subject; /* subject: JA_NONE in a summary */
    int line;                 /* of the title */
    int size_columns;         /* of the table's title line; 0: not seen */
    bool shared;              /* behind "Shared with ...": rows are not this process's own */
    bool total_seen, elided, cut_row;
    bool doubtful; /* the tool says that its result may be incomplete */
    int edited_line; /* first line with a figure that footprint does not print; 0 */
    enum ja_size_oddity oddity;
    struct ja_quantity parts; /* sum of the Dirty column */
    size_t rows;
    int64_t graphics_bytes;
    struct ja_dump_value ledger, peak; /* of the auxiliary block; printed_length 0: not seen */
    struct ja_dump_value last;         /* last row, kept back until it is known to be whole */
    bool last_closed;                  /* its own text shows that it is whole */
};

/* Begins a block: record, subject, system. */
void ja_footprint_begin(struct ja_footprint_block *block, const struct ja_piece *piece,
                        struct ja_parse *parse, const struct ja_footprint_title *title, int line);

/* One further line (trimmed) of the block. */
void ja_footprint_line(struct ja_footprint_block *block, const struct ja_line *line);

/* Ends the block: readings of the totals, facts, status. bare_line: the text's last line when it
 * has no line end, so that a row there may be a stump; 0 otherwise. */
void ja_footprint_end(struct ja_footprint_block *block, int bare_line);

#endif
