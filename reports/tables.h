/* SPDX-License-Identifier: MIT
 *
 * The tables that workbook, postmortem, TSV and terminal print. Built once from the case, so that
 * one number cannot differ between two outputs. Everything lives in the arena given.
 */
#ifndef JA_REPORTS_TABLES_H
#define JA_REPORTS_TABLES_H

#include "model/case.h"

enum ja_cell_kind {
    JA_CELL_WORD,     /* our own words */
    JA_CELL_EVIDENCE, /* text from evidence: hostile */
    JA_CELL_SENTENCE, /* a finding's text: ours, with marked names */
    JA_CELL_BYTES,    /* whole = bytes; step = its resolution */
    JA_CELL_WHOLE,
    JA_CELL_NUMBER, /* number, two decimals */
    JA_CELL_RATE,   /* number = bytes per hour */
    JA_CELL_SPAN,   /* number = seconds */
    JA_CELL_TIME,   /* at */
    JA_CELL_REFS,   /* cites */
};

struct ja_cell {
    const char *text;
    int64_t whole; /* JA_UNKNOWN: empty */
    int64_t step;
    double number; /* NaN: empty */
    const struct ja_instant *at;
    const uint32_t *refs; /* indexes of cites */
    size_t ref_count;
};

struct ja_column {
    const char *title;
    enum ja_cell_kind kind;
    int width; /* characters, for a workbook */
};

struct ja_table {
    const char *name;  /* "growth": file name of the TSV */
    const char *title; /* "Growth": sheet name */
    const struct ja_column *columns;
    size_t column_count;
    struct ja_cell *cells; /* row by row */
    size_t row_count, capacity;
    size_t left_out; /* rows beyond the limit */
};

enum ja_table_id {
    JA_TABLE_FINDINGS,
    JA_TABLE_FLEET,
    JA_TABLE_GROWTH,
    JA_TABLE_BOOKS,
    JA_TABLE_TIMELINE,
    JA_TABLE_KILLS,
    JA_TABLE_GROUPS,
    JA_TABLE_CAPS,
    JA_TABLE_READINGS,
    JA_TABLE_EVIDENCE,
    JA_TABLE_FILES,
    JA_TABLE_COUNT,
};

struct ja_tables {
    struct ja_arena *arena;
    struct ja_table tables[JA_TABLE_COUNT];
    /* The series of two or more readings that are shown: growing first, then by the gain that is
     * sure, then by level. A glance has only the first of them. */
    uint32_t *growth_order;
    size_t growth_count;
};

/* Builds them all. The longest ones are limited (left_out says by how many rows). */
void ja_tables_build(const struct ja_case *item, struct ja_arena *arena, struct ja_tables *ret);

/* Only what fits on a terminal: the fleet and the growth; the other tables stay empty. */
void ja_tables_glance(const struct ja_case *item, struct ja_arena *arena, struct ja_tables *ret);

const struct ja_cell *ja_table_cell(const struct ja_table *table, size_t row, size_t column);

/* The cell as text for people (Markdown, TSV, terminal); not yet quoted. */
const char *ja_cell_text(const struct ja_case *item, struct ja_arena *arena,
                         const struct ja_column *column, const struct ja_cell *cell);

/* One mark per series: worth showing, for findings cite it or it is among the ten largest of a
 * state. */
bool *ja_series_marks(const struct ja_case *item, struct ja_arena *arena);

/* The first and the last moment that the evidence speaks of; NULL when nothing is dated. */
void ja_evidence_range(const struct ja_case *item, const struct ja_instant **ret_first,
                       const struct ja_instant **ret_last);

/* The state whose books exceed its memory most, of those with a bridge; NULL when none has. */
const struct ja_state *ja_worst_state(const struct ja_case *item);

/* The findings a reader must see first, at most most of them, in order: the weighty ones (no rule
 * three times, no rule twice on one process), then one note of each rule not yet named. Returns how
 * many; their indexes in chosen. */
size_t ja_findings_choose(const struct ja_case *item, size_t *chosen, size_t most);

/* With several machines a sentence begins with its own: "mac-7: text". */
const char *ja_placed(const struct ja_case *item, struct ja_arena *arena, uint32_t host,
                      const char *text);

#define JA_MOST_FIRST_FINDINGS 12 /* of the workbook's first sheet, before the others */

/* One mark per finding: the workbook shows it, and the evidence it stands on. All but in cases of
 * hundreds; then those that weigh most. */
bool *ja_findings_shown(const struct ja_case *item, struct ja_arena *arena);

/* The state's difference between books and physical use, in words; never NULL. */
const char *ja_state_words(struct ja_arena *arena, const struct ja_state *state);

#endif
