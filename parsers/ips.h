/* SPDX-License-Identifier: MIT
 *
 * Apple's report file (.ips): one line of JSON that says what it is, then a body in JSON or text.
 * Real files come with the header lost, pretty-printed, merged into the body, without its first
 * brace, or behind prose; the reader here finds what is left by its key names, not by cJSON, so
 * that a bid can call it and broken text does not matter. Nothing is allocated: slices point into
 * the text.
 */
#ifndef JA_PARSERS_IPS_H
#define JA_PARSERS_IPS_H

#include <stdbool.h>
#include <stddef.h>

#include "parsers/parser.h"

struct ja_slice {
    const char *text; /* NULL: absent. A JSON string's inside, escapes as found */
    size_t length;
};

enum ja_ips_header {
    JA_IPS_NONE,   /* no header: the whole text is body */
    JA_IPS_LINE,   /* as Apple writes it: one line */
    JA_IPS_PRETTY, /* an object of its own, over several lines */
    JA_IPS_TORN,   /* header text without its first brace, or cut */
    JA_IPS_MERGED, /* the header's keys stand in the body's object */
};

struct ja_ips {
    enum ja_ips_header header;
    struct ja_slice bug_type;    /* "298" */
    struct ja_slice timestamp;   /* "2026-03-14 09:26:53.00 +0100" */
    struct ja_slice os_version;  /* "iPhone OS 18.3 (22D63)" */
    struct ja_slice incident_id; /* from the header, else the body's "incident" */
    struct ja_slice name;        /* "name" or "app_name" of the header */
    size_t start;                /* offset of the header (prose before it is skipped) */
    struct ja_slice body;        /* everything behind the header; the whole when there is none */
    int body_line;               /* lines before the body: add to the piece's first_line */
    const char *text;            /* what was split: its start */
};

/* Splits a report at the start of text. Always fills ret; false when no header was found (then
 * bug_type may still come from the body's own key). Looks at the first 256 KiB for it. */
bool ja_ips_split(const char *text, size_t length, struct ja_ips *ret);

/* The same of a piece, whose frame may be known. */
bool ja_ips_of(const struct ja_piece *piece, struct ja_ips *ret);

/* Offset of the second header at or after from, where the report that begins at from ends; length
 * when there is none. Linear. */
size_t ja_ips_next(const char *text, size_t length, size_t from);

/* True when the type that split found is exactly this ("298"). */
bool ja_ips_is(const struct ja_ips *ips, const char *bug_type);

/* The value of "key" : ... nearest to the start of text at any depth: a string's inside, or the
 * bare token of a number or word. False when it is not there or is cut by the end of the text.
 * quoted may be NULL. Accepts blanks around the colon. */
bool ja_ips_find(const char *text, size_t length, const char *key, struct ja_slice *ret,
                 bool *ret_quoted);

/* The slice's text in arena, JSON escapes undone (\/ \" \\ \n \t; others stay); NULL when absent.
 */
char *ja_ips_text(const struct ja_slice *slice, struct ja_arena *arena);

/* Puts bug_type, os, incident_id and the header's time (evidence->written) into the evidence,
 * where the evidence has none yet. */
void ja_ips_apply(const struct ja_ips *ips, struct ja_parse *parse);

/* A stamp of the slice in the evidence with clock REPORT; JA_NONE when absent or no stamp (then a
 * diagnostic "bad-time" is given for a slice that has text). */
uint32_t ja_ips_stamp(const struct ja_slice *slice, const char *place, struct ja_parse *parse);

/* Offset behind the object or array that begins at text[0] ('{' or '['), strings and escapes
 * respected; 0 when it does not end within length. Linear. */
size_t ja_ips_balanced(const char *text, size_t length);

#endif
