/* SPDX-License-Identifier: MIT
 *
 * Private to the NDJSON parser: what the lines of one file share. Lines without a source stay in
 * the file's own evidence; a source line opens a child, and lines that name its records go there.
 */
#ifndef JA_PARSERS_NDJSON_H
#define JA_PARSERS_NDJSON_H

#include "model/index.h"
#include "parsers/ndjson_line.h"
#include "parsers/parser.h"

#define WHOLE_LIMIT (INT64_C(1) << 53)

/* The indexes that another audit wrote, mapped to ours. */
struct ja_ndjson_map {
    uint32_t *to; /* JA_NONE: no such entry */
    size_t count;
};

/* Systems of one evidence by host and boot: open addressing, index + 1. */
struct ja_ndjson_systems {
    uint32_t *slots;
    size_t slot_count, count;
};

struct ja_ndjson_child {
    struct ja_evidence *evidence;
    struct ja_ndjson_map records, rows;
    struct ja_ndjson_systems systems;
};

/* What a line says of its moment; JA_UNKNOWN where it says nothing. */
struct ja_ndjson_moment {
    int64_t at, early, late;
    enum ja_clock clock;
};

/* The keys of one moment: "at" and what belongs to it, or the same with a prefix. */
struct ja_ndjson_time_keys {
    const char *at, *early, *late, *clock;
};

/* The last word read at a key, and what it stands for. */
struct ja_ndjson_word {
    char text[24];
    int value;
};

struct ja_ndjson_reader {
    struct ja_parse *parse;
    struct ja_evidence *file;     /* of the NDJSON file itself */
    struct ja_evidence *evidence; /* that lines go to now: file's, or a child's */
    struct ja_arena *scratch;
    struct ja_ndjson_line line;   /* the one at hand */
    int number;                   /* its number in the file */
    size_t reading_count;
    bool full; /* the limit of readings is reached: the rest is not looked at */
    struct ja_ndjson_child *children;
    size_t child_count, child_capacity;
    size_t child;          /* the current one; child_count: none */
    struct ja_index child_of; /* 1 + the newest child of each path; in scratch */
    struct ja_ndjson_systems systems; /* of the file's own evidence */
    /* What the lines before said: most lines repeat it. Good for the current evidence only. */
    const char *last_host, *last_boot;
    uint32_t last_system;
    uint32_t last_record;
    struct ja_ndjson_moment last_moment;
    enum ja_kind last_kind;
    const char *last_source;
    const char *last_name;
    const char *last_started; /* as written, and its stamp */
    uint32_t last_start;
    uint32_t last_place; /* of a line, JA_NONE, and which line that is */
    int last_line;
    struct ja_ndjson_word metric, rounding, unit;
};

void ja_ndjson_bad(struct ja_ndjson_reader *r, const char *code, const char *what);
/* A size of any sign. */
bool ja_ndjson_bytes_of(struct ja_ndjson_reader *r, const char *key, int64_t *ret);
/* Text equals the string; a string that is not there equals NULL. */
bool ja_ndjson_same(const struct ja_pull_value *text, const char *string);

/* ndjson_moment.c */
extern const struct ja_ndjson_time_keys ja_ndjson_at;
struct ja_ndjson_moment ja_ndjson_read_moment(struct ja_ndjson_reader *r,
                                              const struct ja_ndjson_time_keys *keys);
/* A new stamp of a moment, of the moment under these keys, of the time at key; JA_NONE: no time. */
uint32_t ja_ndjson_add_stamp(struct ja_ndjson_reader *r, const struct ja_ndjson_moment *said);
uint32_t ja_ndjson_stamp(struct ja_ndjson_reader *r, const struct ja_ndjson_time_keys *keys);
uint32_t ja_ndjson_stamp_at(struct ja_ndjson_reader *r, const char *key);
/* The line's stamp when one of these says the same, else a new one; JA_NONE: no time. */
uint32_t ja_ndjson_shared_stamp(struct ja_ndjson_reader *r, const uint32_t *others, size_t count);
/* The stamp of a line of this record, and of a row's line: the record's where that says the same. */
uint32_t ja_ndjson_event_moment(struct ja_ndjson_reader *r, uint32_t record);
uint32_t ja_ndjson_own_moment(struct ja_ndjson_reader *r, uint32_t subject);

/* ndjson_who.c: machine, moment and process of a line that names no record */
uint32_t ja_ndjson_system_of(struct ja_ndjson_reader *r);
uint32_t ja_ndjson_record_of(struct ja_ndjson_reader *r);  /* neighbours of one moment share it */
uint32_t ja_ndjson_new_record(struct ja_ndjson_reader *r); /* of this line alone */
uint32_t ja_ndjson_subject_of(struct ja_ndjson_reader *r, uint32_t record);
const char *ja_ndjson_name(struct ja_ndjson_reader *r); /* in the evidence's arena; NULL: none */

/* ndjson_lines.c */
void ja_ndjson_take_reading(struct ja_ndjson_reader *r);
void ja_ndjson_take_work(struct ja_ndjson_reader *r);
void ja_ndjson_take_event(struct ja_ndjson_reader *r);
void ja_ndjson_take_fact(struct ja_ndjson_reader *r);
void ja_ndjson_take_concern(struct ja_ndjson_reader *r);

/* ndjson_audit.c: what another audit made of its evidence */
void ja_ndjson_take_boot(struct ja_ndjson_reader *r);
void ja_ndjson_take_process(struct ja_ndjson_reader *r);
void ja_ndjson_take_state(struct ja_ndjson_reader *r);
/* The line's "figures", into the record. */
void ja_ndjson_take_figures(struct ja_ndjson_reader *r, uint32_t record, uint32_t place);

/* ndjson_records.c */
void ja_ndjson_take_source(struct ja_ndjson_reader *r);
void ja_ndjson_take_record(struct ja_ndjson_reader *r);
void ja_ndjson_take_row(struct ja_ndjson_reader *r);
/* Makes the child of the line's source the current evidence; the file's own when it has none. */
void ja_ndjson_switch(struct ja_ndjson_reader *r);
struct ja_ndjson_child *ja_ndjson_child(const struct ja_ndjson_reader *r); /* current; NULL */
/* The record, the row that the line names; JA_NONE when it names none that exists. */
uint32_t ja_ndjson_record(struct ja_ndjson_reader *r);
uint32_t ja_ndjson_row(struct ja_ndjson_reader *r);
/* The place in the original file, else the line here. */
uint32_t ja_ndjson_place(struct ja_ndjson_reader *r);
uint32_t ja_ndjson_line_place(struct ja_ndjson_reader *r);
void ja_ndjson_close(struct ja_ndjson_reader *r);

#endif
