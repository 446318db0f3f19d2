/* SPDX-License-Identifier: MIT
 *
 * Words and numbers for people, and the one sanitiser with its quoters. Evidence text is hostile:
 * every writer passes it through ja_visible (or a quoter, which does), and none prints it raw.
 * Inside findings, names from evidence stand between JA_NAME_BEGIN and JA_NAME_END; the quoters
 * take the marks off. All results live in the arena, or are the text itself where nothing of it had
 * to be changed.
 */
#ifndef JA_REPORTS_TEXT_H
#define JA_REPORTS_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/case.h"

/* Bytes of the UTF-8 sequence at text, and its code point; 0 when it is not valid (overlong,
 * surrogate, cut). */
size_t ja_utf8_decode(const unsigned char *text, uint32_t *ret_code);

/* Valid UTF-8; control characters, DEL, C1, bidi, zero-width, line separators, BOM and
 * non-characters become visible \u{..}, invalid bytes \xNN. Marks are taken off. NULL gives "". */
const char *ja_visible(struct ja_arena *arena, const char *text);

/* Inline Markdown: marked names and every word that could be live (links, mentions, markup) stand
 * in code spans; the rest is plain. in_table: | is escaped. */
const char *ja_markdown(struct ja_arena *arena, const char *text, bool in_table);

/* One code span whose fence is longer than any run of backticks inside. "" gives "". */
const char *ja_markdown_code(struct ja_arena *arena, const char *text, bool in_table);

/* XML character data and attribute values. */
const char *ja_xml(struct ja_arena *arena, const char *text);

/* A TSV cell: no tab, no line end, never the begin of a formula. */
const char *ja_tsv(struct ja_arena *arena, const char *text);

/* A cell of a workbook: visible, _xHHHH_ made harmless, cut to what a cell holds. */
const char *ja_xlsx(struct ja_arena *arena, const char *text);

/* The first count characters (not bytes) of visible text, with "..." when it was longer. */
const char *ja_shorten(struct ja_arena *arena, const char *visible, size_t count);

/* "2026-10-13 07:12:00Z", "<= ..." for an upper bound only, "" when unknown. */
const char *ja_when(struct ja_arena *arena, const struct ja_instant *at);

/* "57.9 GiB" with no more digits than step_bytes supports (0: free); "" for JA_UNKNOWN. */
const char *ja_bytes(struct ja_arena *arena, int64_t bytes, int64_t step_bytes);

/* "0.24 GiB/h"; "" for NaN. */
const char *ja_rate(struct ja_arena *arena, double bytes_per_hour);

/* "5.3 min", "85.8 h"; "" for NaN. */
const char *ja_span(struct ja_arena *arena, double seconds);

/* Why a verdict cannot be told, in a sentence for people; NONE gives NULL. */
const char *ja_reason_text(enum ja_growth_reason reason);
/* What stands in the place of a reason where a verdict was reached. */
const char *ja_route_text(void);

#endif
