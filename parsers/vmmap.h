/* SPDX-License-Identifier: MIT
 *
 * Parts of the vmmap parser: a line of a table split into its type and its values
 * (vmmap_row.c), and the two tables, regions by type and malloc zones (vmmap_tables.c).
 */
#ifndef JA_PARSERS_VMMAP_H
#define JA_PARSERS_VMMAP_H

#include "parsers/apple_size.h"
#include "parsers/dump.h"

#define JA_VMMAP_COLUMNS 12

enum ja_vmmap_column {
    JA_COLUMN_OTHER,
    JA_COLUMN_VIRTUAL,
    JA_COLUMN_RESIDENT,
    JA_COLUMN_DIRTY,
    JA_COLUMN_SWAPPED,
    JA_COLUMN_COUNT,     /* regions: a number, no size */
    JA_COLUMN_ALLOCATED, /* zones: BYTES ALLOCATED */
};

struct ja_vmmap_titles {
    enum ja_vmmap_column columns[JA_VMMAP_COLUMNS];
    int count;          /* 0: no title line seen */
    size_t width;       /* of the title line: the last column ends there, notes stand behind it */
    int64_t page_bytes; /* what a bare number counts: 1, or the page size with -pages */
};

struct ja_vmmap_row {
    const char *type; /* region type or zone name */
    size_t type_length;
    struct ja_line words[JA_VMMAP_COLUMNS]; /* one per column */
    int count;
    int line;
};

/* A row whose values are those of the titles, taken from the right end of the type: types hold
 * blanks and digits ("Memory Tag 22"). False when the line holds no two values; *ret_cut when it
 * holds fewer than the titles ask for. */
bool ja_vmmap_row_read(const struct ja_line *line, const struct ja_vmmap_titles *titles,
                       struct ja_vmmap_row *ret, bool *ret_cut);

/* The value in a column as a size. False when there is no such column or no size. */
bool ja_vmmap_row_size(const struct ja_vmmap_row *row, const struct ja_vmmap_titles *titles,
                       enum ja_vmmap_column column, struct ja_quantity *ret,
                       struct ja_line *ret_word);

/* Both tables of one dump, fed line by line. */
struct ja_vmmap_tables {
    const struct ja_piece *piece;
    struct ja_parse *parse;
    uint32_t subject;
    int64_t page_bytes;       /* as printed or shown by rows; JA_UNKNOWN */
    int64_t usual_page_bytes; /* of its code type; JA_UNKNOWN */
    bool pages;               /* -pages: bare numbers are pages */
    enum { JA_TABLE_NONE, JA_TABLE_REGIONS, JA_TABLE_ZONES } table;
    struct ja_vmmap_titles titles;
    struct ja_line above; /* title line above "REGION TYPE" or "MALLOC ZONE" */
    bool regions_seen, total_seen, cut, elided, rows_only;
    bool single_regions; /* rows of single regions were seen */
    size_t rows, zones, readings;
    int64_t graphics_bytes;
};

/* Takes a line that belongs to a table; false when it does not. */
bool ja_vmmap_table_line(struct ja_vmmap_tables *tables, const struct ja_line *line);

#endif
