/* SPDX-License-Identifier: MIT
 *
 * Private to ndjson.c and ndjson_evidence.c: NDJSON lines being written, and the keys that lines of
 * all types share.
 */
#ifndef JA_REPORTS_NDJSON_LINES_H
#define JA_REPORTS_NDJSON_LINES_H

#include "model/case.h"
#include "reports/json_out.h"

struct ja_lines {
    struct ja_json_out json;
    const struct ja_case *item;
    struct ja_arena *scratch;   /* of one line */
    struct ja_arena *of_source; /* of one source */
    const char **boots;         /* names */
    /* Of the record whose row was put last: where it was, and where that is from */
    const struct ja_source *source;
    uint32_t record;
    struct ja_json_part where, from;
};

void ja_lines_open(struct ja_lines *l, const char *type);
void ja_lines_close(struct ja_lines *l);

/* "host", "boot"; JA_NONE gives null. */
void ja_lines_where(struct ja_lines *l, uint32_t host, uint32_t boot);
/* "at", with "early", "late" and "clock" where they say more. */
void ja_lines_when(struct ja_lines *l, const struct ja_instant *at);
/* "figures": those that are known of JA_FIGURE_COUNT; figures may be NULL. */
void ja_lines_figures(struct ja_lines *l, const int64_t *figures);

/* The lines of one source: as much of it as --since, --until and --process leave. */
void ja_lines_evidence(struct ja_lines *l, const struct ja_source *source);

#endif
