/* SPDX-License-Identifier: MIT
 *
 * What the files of the Jetsam parser share: the head of a report (what it says of itself, of the
 * machine and of the machine's pages), and the report being read. jetsam.c finds reports in a
 * file, jetsam_body.c reads a whole body, jetsam_fields.c the members of a row, jetsam_known.c those
 * of a row like others before it, jetsam_head.c turns a head into system, stamp and figures,
 * jetsam_rows.c rows into subjects, readings and kills, jetsam_salvage.c reads what is no JSON,
 * jetsam_text.c the form before iOS 9. All memory is the parse's (evidence arena, or its scratch).
 */
#ifndef JA_PARSERS_JETSAM_H
#define JA_PARSERS_JETSAM_H

#include "parsers/ips.h"
#include "parsers/json.h"
#include "parsers/parser.h"
#include "parsers/pull.h"
#include "parsers/texts.h"

enum ja_jetsam_number {
    JA_JETSAM_PAGE_SIZE, /* bytes */
    JA_JETSAM_COMPRESSOR_SIZE,
    JA_JETSAM_UNCOMPRESSED,
    JA_JETSAM_COMPRESSIONS,
    JA_JETSAM_DECOMPRESSIONS,
    JA_JETSAM_ZONE_MAP_SIZE,
    JA_JETSAM_ZONE_MAP_CAP,
    JA_JETSAM_LARGEST_ZONE_SIZE,
    JA_JETSAM_ACTIVE,
    JA_JETSAM_INACTIVE,
    JA_JETSAM_SPECULATIVE,
    JA_JETSAM_THROTTLED,
    JA_JETSAM_WIRED,
    JA_JETSAM_FREE, /* speculative pages included */
    JA_JETSAM_PURGEABLE,
    JA_JETSAM_FILE_BACKED,
    JA_JETSAM_ANONYMOUS,
    JA_JETSAM_TIME_DELTA, /* ms from the snapshot to the last note */
    JA_JETSAM_NUMBERS,
};

struct ja_jetsam_number_row {
    const char *key;  /* as the report names it */
    const char *path; /* where it stands in a whole report */
    bool in_pages;    /* of memoryPages rather than of memoryStatus or the body */
};

extern const struct ja_jetsam_number_row ja_jetsam_numbers[JA_JETSAM_NUMBERS];

/* As found; NULL / JA_UNKNOWN: not said, or not usable (then diagnosed). */
struct ja_jetsam_head {
    const char *date, *key, *product, *build, *kernel, *largest;
    int64_t numbers[JA_JETSAM_NUMBERS];
    uint32_t places[JA_JETSAM_NUMBERS];
    uint32_t written; /* stamp of the header line; JA_NONE */
    uint32_t place;   /* where the report begins */
};

/* Members of a row that say something of memory. */
enum ja_jetsam_key {
    JA_JETSAM_NAME,
    JA_JETSAM_PID,
    JA_JETSAM_UUID,
    JA_JETSAM_RPAGES,
    JA_JETSAM_LIFETIME_MAX,
    JA_JETSAM_AGE,
    JA_JETSAM_KILL_DELTA,
    JA_JETSAM_CPU,
    JA_JETSAM_COALITION,
    JA_JETSAM_REASON,
    JA_JETSAM_PHYSICAL,
    JA_JETSAM_ROW_PURGEABLE,
    JA_JETSAM_KEYS, /* the row's own members end here; the others lie inside physicalPages */
    JA_JETSAM_INTERNAL = JA_JETSAM_KEYS,
    JA_JETSAM_RESIDENT,       /* first item of internal */
    JA_JETSAM_ROW_COMPRESSED, /* second item of internal */
    JA_JETSAM_FIELDS,
};

extern const char *const ja_jetsam_keys[JA_JETSAM_KEYS]; /* as a report names them */

/* A row, whichever way it was read. A member that is not there, or in conflict with itself, is
 * absent. Texts have their escapes undone. */
struct ja_jetsam_fields {
    struct ja_pull_value values[JA_JETSAM_FIELDS];
    uint32_t conflicts; /* bits of keys that stand twice with different values */
    bool object;        /* false: the row is no object */
    bool kept;          /* texts are those of ja_texts_keep; else they lie in a tree of cJSON */
};

#define JA_JETSAM_ROW_END (JA_JETSAM_KEYS + 1) /* for a field: a gap that ends the row */
#define JA_JETSAM_SKIPPED 4

/* What stood between two values of a row: from the end of one to the next, a key and its colon. */
struct ja_jetsam_gap {
    struct ja_words words; /* of text */
    const char *text;
    uint32_t length;
    uint8_t field;                 /* the key's; JA_JETSAM_KEYS: none */
    bool escaped;                  /* the key has escapes */
    struct ja_jetsam_gap *next[2]; /* gaps that stood behind the value; NULL: none yet */
    struct ja_slice skipped[JA_JETSAM_SKIPPED]; /* values behind it, no numbers, of no field */
    uint32_t skipped_count;                     /* so many were seen: the oldest makes room */
};

/* A text of a field, found again by its first characters. */
struct ja_jetsam_text {
    const char *printed; /* in the report, up to its last quote; NULL: none */
    const char *kept;
    uint32_t length;
};

#define JA_JETSAM_GAPS 48
#define JA_JETSAM_TEXT_BITS 9 /* two to this: places for texts */

/* How the rows of a report are printed, learned as they are read. Zeroed at first, but for texts;
 * the rows' text outlives it. */
struct ja_jetsam_shape {
    struct ja_texts *texts;                    /* keeps the fields' texts */
    struct ja_jetsam_gap gaps[JA_JETSAM_GAPS]; /* the first: a row's brace */
    size_t count;
    struct ja_slice parts[3]; /* of physicalPages: around the two numbers of internal */
    struct ja_slice between;  /* two rows */
    struct ja_jetsam_text seen[1 << JA_JETSAM_TEXT_BITS];
};

/* Reads on from inside a row as long as gaps and values come as they did before. Returns where that
 * ends; *gap: the last one passed, perhaps the row's end, behind which none is known. */
const char *ja_jetsam_pass_known(const char *at, const char *end, struct ja_jetsam_shape *shape,
                                 struct ja_jetsam_gap **gap, struct ja_jetsam_fields *fields);
/* Behind a value of no field that was there before: rows have few different states. Else NULL. */
const char *ja_jetsam_pass_skipped(const char *at, const char *end,
                                   const struct ja_jetsam_gap *gap);
/* A text just read that is a field's: from now on it is known. value then holds what is kept. */
void ja_jetsam_keep_text(const struct ja_pull *pull, struct ja_jetsam_shape *shape,
                         struct ja_pull_value *value);

/* Reads the row that the cursor stands before. False when it is declined: then the cursor is, too
 * (no row of plain JSON), or stands behind the row (escapes in a text that is needed, a key twice).
 */
bool ja_jetsam_fields_pull(struct ja_pull *pull, struct ja_jetsam_shape *shape,
                           struct ja_jetsam_fields *fields);
void ja_jetsam_fields_json(const cJSON *row, struct ja_jetsam_fields *fields);

/* A body of a report: its document, whose process table is empty where rows are given apart. */
struct ja_jetsam_body {
    const cJSON *document;       /* NULL: no JSON */
    struct ja_jetsam_rows *rows; /* NULL: they are in the document */
    size_t row_count;
};

#define JA_JETSAM_ROWS 64

/* Rows of a table, a part at a time. */
struct ja_jetsam_rows {
    struct ja_jetsam_rows *next;
    struct ja_jetsam_fields *fields;
    size_t count, capacity;
};

/* Reads the document at the start of text; *ret_used as of ja_json_parse. */
void ja_jetsam_body_read(const char *text, size_t length, const struct ja_parse *parse,
                         struct ja_jetsam_body *ret, size_t *ret_used);

struct ja_jetsam_kill {
    uint32_t subject;
    uint32_t place;
    const char *reason;
    int64_t delta_ticks; /* JA_UNKNOWN: not said */
    int64_t bytes;
    uint32_t reading; /* JA_NONE */
    int row;
};

/* A report being read. */
struct ja_jetsam {
    struct ja_parse *parse;
    uint32_t record;
    int64_t page_bytes;     /* JA_UNKNOWN: rows get no sizes */
    int64_t tick_hz;        /* JA_UNKNOWN: ages keep their ticks, kills their order only */
    size_t name_bytes;      /* names of this length were cut: 32, 16 before iOS 10 */
    bool peak_is_footprint; /* lifetimeMax counts what rpages counts */
    enum ja_metric metric;
    uint32_t row_place, size_place; /* of the last row; JA_NONE */
    const char *largest;            /* NULL: not said */
    bool largest_seen;
    int rows;
    int64_t resident_pages, compressed_pages, purgeable_pages; /* of live rows; JA_UNKNOWN */
    struct ja_jetsam_kill *kills;
    size_t kill_count, kill_capacity;
};

/* How a report's table ends, for the record's facts. */
enum ja_jetsam_table {
    JA_JETSAM_WHOLE,
    JA_JETSAM_ABSENT, /* the report names none */
    JA_JETSAM_CUT,
    JA_JETSAM_ELIDED, /* rows taken out by hand */
};

/* An empty head. */
void ja_jetsam_head_init(struct ja_jetsam_head *head);

/* Makes system, snapshot stamp, record and figures of a head; ret is ready for rows. */
void ja_jetsam_begin(const struct ja_jetsam_head *head, enum ja_kind kind, struct ja_parse *parse,
                     struct ja_jetsam *ret);

/* One row of the table. index: of the row in its array (place "/processes/[*]/rpages"), or -1;
 * then line (1-based, of the file) is where the row begins and text its text. */
void ja_jetsam_row(struct ja_jetsam *jetsam, const struct ja_jetsam_fields *fields, int index,
                   int line, const struct ja_slice *text);

/* A killed row, for ja_jetsam_end to put in order. */
void ja_jetsam_kill_add(struct ja_jetsam *jetsam, const struct ja_jetsam_kill *kill);

/* After the last row: kills in order, sums, facts, completeness. why: of a table that is not
 * whole. */
void ja_jetsam_end(struct ja_jetsam *jetsam, enum ja_jetsam_table table, const char *why);

/* A row's size in bytes; false when there is no page size or the product is too large. */
bool ja_jetsam_bytes(const struct ja_jetsam *jetsam, int64_t pages, int64_t *ret);

/* Text with comments, elisions ("...") and stray commas blanked, same length and lines, in arena.
 * Says whether rows were elided and whether anything was changed. */
char *ja_jetsam_tidy(const char *text, size_t length, struct ja_arena *arena, bool *ret_elided,
                     bool *ret_changed);

/* Reads one report that is no JSON document: head values by name, rows one balanced object at a
 * time. text is tidy; line: of the file, where it begins. False when nothing was found. */
bool ja_jetsam_salvage(const char *text, size_t length, int line, uint32_t written, bool elided,
                       struct ja_parse *parse);

/* How far the report at the start of text reaches: to where a key of its head stands a second
 * time. Never 0. */
size_t ja_jetsam_extent(const char *text, size_t length);

/* Page size, tick rate and meaning of lifetimeMax by kernel string and model; JA_UNKNOWN. */
int64_t ja_jetsam_page_bytes(const char *kernel, const char *product);
int64_t ja_jetsam_tick_hz(const char *kernel, const char *product);
bool ja_jetsam_peak_is_footprint(const char *kernel, const char *os);
/* Major version of an OS string ("iPhone OS 14.2 (18B)": 14); 0 unknown. */
int ja_jetsam_os_major(const char *os, int *ret_minor);
bool ja_jetsam_is_mac(const char *product, const char *os);

#endif
