/* SPDX-License-Identifier: MIT
 *
 * Streaming JSON: valid UTF-8 whatever comes in (invalid bytes become visible \xNN text), integers
 * exact, doubles in their shortest form that reads back, unknown as null. No locale, no allocation.
 * What is written waits in a buffer until ja_out_flush. Keys are our own words, short and plain.
 */
#ifndef JA_REPORTS_JSON_OUT_H
#define JA_REPORTS_JSON_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "model/instant.h"

struct ja_json_out {
    FILE *out;
    unsigned depth;
    bool comma[64]; /* per depth: something stands before */
    bool compact;   /* one line */
    size_t flushed; /* bytes that left the buffer */
    size_t waiting;
    char buffer[65536];
};

/* Keys with their values that line after line has: put once, then copied. */
struct ja_json_part {
    char text[1024];
    size_t length; /* 0: none, or longer than can be kept */
};

void ja_out_open(struct ja_json_out *json, const char *key, char bracket); /* key NULL: none */
void ja_out_close(struct ja_json_out *json, char bracket);
void ja_out_text(struct ja_json_out *json, const char *key, const char *text); /* NULL: null */
void ja_out_whole(struct ja_json_out *json, const char *key, int64_t value); /* JA_UNKNOWN: null */
void ja_out_number(struct ja_json_out *json, const char *key, double value); /* not finite: null */
void ja_out_bool(struct ja_json_out *json, const char *key, bool value);
void ja_out_null(struct ja_json_out *json, const char *key);
void ja_out_time(struct ja_json_out *json, const char *key, int64_t unix_ns); /* JA_UNKNOWN: null */
/* What is put from the mark on is kept in part, where it is not too long. */
size_t ja_out_mark(struct ja_json_out *json);
void ja_out_keep(struct ja_json_out *json, size_t mark, struct ja_json_part *part);
void ja_out_part(struct ja_json_out *json, const struct ja_json_part *part);
void ja_out_line(struct ja_json_out *json); /* a line end, behind a whole value */
bool ja_out_flush(struct ja_json_out *json); /* false when the stream failed */
/* { at, early, late, clock, text } or null when nothing is known. */
void ja_out_instant(struct ja_json_out *json, const char *key, const struct ja_instant *instant);

#endif
