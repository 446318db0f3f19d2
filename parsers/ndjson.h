/* SPDX-License-Identifier: MIT
 *
 * Private to the NDJSON parser: what the lines of one file share. Lines without a source stay in
 * the file's own evidence; a source line opens a child, and lines that name its records go there.
 */
#ifndef JA_PARSERS_NDJSON_H
#define JA_PARSERS_NDJSON_H

#include "parsers/json.h"
#include "parsers/parser.h"

#define WHOLE_LIMIT (INT64_C(1) << 53)

/* The indexes that another audit wrote, mapped to ours. */
struct ja_ndjson_map {
    uint32_t *to; /* JA_NONE: no such entry */
    size_t count;
};

struct ja_ndjson_child {
    struct ja_evidence *evidence;
    struct ja_ndjson_map records, rows;
};

struct ja_ndjson_reader {
    struct ja_evidence *file;     /* of the NDJSON file itself */
    struct ja_evidence *evidence; /* that lines go to now: file's, or a child's */
    struct ja_arena *scratch;
    int line;
    size_t reading_count;
    struct ja_ndjson_child *children;
    size_t child_count, child_capacity;
    size_t child; /* the current one; child_count: none */
    /* Systems of the file's own evidence, by host and boot: open addressing, index + 1. */
    uint32_t *slots;
    size_t slot_count, system_count;
    const char *last_host, *last_boot;
    uint32_t last_system;
    uint32_t last_record;
    int64_t last_at, last_early, last_late;
    enum ja_kind last_kind;
    const char *last_source;
};

void ja_ndjson_bad(struct ja_ndjson_reader *r, const char *code, const char *what);
bool ja_ndjson_read_time(const cJSON *object, const char *key, int64_t *ret);
uint32_t ja_ndjson_read_moment(struct ja_ndjson_reader *r, const cJSON *object);
uint32_t ja_ndjson_stamp_at(struct ja_ndjson_reader *r, const cJSON *object, const char *key);
bool ja_ndjson_bytes_of(struct ja_ndjson_reader *r, const cJSON *object, const char *key,
                        int64_t *ret);

/* ndjson_records.c */
void ja_ndjson_take_source(struct ja_ndjson_reader *r, const cJSON *line);
void ja_ndjson_take_record(struct ja_ndjson_reader *r, const cJSON *line);
void ja_ndjson_take_row(struct ja_ndjson_reader *r, const cJSON *line);
/* Makes the child of the line's source the current evidence; the file's own when it has none. */
void ja_ndjson_switch(struct ja_ndjson_reader *r, const cJSON *line);
/* The record, the row that the line names; JA_NONE when it names none that exists. */
uint32_t ja_ndjson_record(const struct ja_ndjson_reader *r, const cJSON *line);
uint32_t ja_ndjson_row(const struct ja_ndjson_reader *r, const cJSON *line);
/* The place in the original file, else the line here. */
uint32_t ja_ndjson_place(struct ja_ndjson_reader *r, const cJSON *line);
/* The stamp of a row's line: its record's when they are equal, else a new one. */
uint32_t ja_ndjson_own_moment(struct ja_ndjson_reader *r, const cJSON *line, uint32_t subject);
uint32_t ja_ndjson_event_moment(struct ja_ndjson_reader *r, const cJSON *line, uint32_t record);
void ja_ndjson_close(struct ja_ndjson_reader *r);

#endif
