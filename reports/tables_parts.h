/* SPDX-License-Identifier: MIT
 *
 * Private to the tables: how a row is filled, and the files that fill each table.
 */
#ifndef JA_REPORTS_TABLES_PARTS_H
#define JA_REPORTS_TABLES_PARTS_H

#include "reports/tables.h"

/* The table's name, title and columns, without a row. */
struct ja_table ja_table_empty(enum ja_table_id id);

/* A row, filled cell by cell in the order of its columns. */
struct ja_row {
    struct ja_table *table;
    struct ja_cell *cells;
    size_t next;
};

struct ja_row ja_row_add(struct ja_tables *t, enum ja_table_id id);
void ja_row_text(struct ja_row *row, const char *words);                    /* NULL: empty */
void ja_row_whole(struct ja_row *row, int64_t value);                       /* JA_UNKNOWN: empty */
void ja_row_bytes(struct ja_row *row, int64_t value, int64_t step);         /* JA_UNKNOWN: empty */
void ja_row_number(struct ja_row *row, double value);                       /* NaN: empty */
void ja_row_when(struct ja_row *row, const struct ja_instant *at);          /* NULL: empty */
void ja_row_refs(struct ja_row *row, const uint32_t *cites, size_t count);
/* The place in the evidence that an event stands on. */
void ja_row_event(struct ja_tables *t, const struct ja_case *item, struct ja_row *row,
                  uint32_t event);

/* part / of; NaN when either is not known. */
double ja_ratio(int64_t part, int64_t of);

void ja_add_findings(struct ja_tables *t, const struct ja_case *item);
void ja_add_fleet(struct ja_tables *t, const struct ja_case *item);
/* Also sets growth_order; glance: no more of it than has rows. */
void ja_add_growth(struct ja_tables *t, const struct ja_case *item, bool glance);
void ja_add_caps(struct ja_tables *t, const struct ja_case *item);
void ja_add_books(struct ja_tables *t, const struct ja_case *item);
void ja_add_groups(struct ja_tables *t, const struct ja_case *item);
void ja_add_timeline(struct ja_tables *t, const struct ja_case *item);
void ja_add_kills(struct ja_tables *t, const struct ja_case *item);
void ja_add_readings(struct ja_tables *t, const struct ja_case *item);
void ja_add_evidence(struct ja_tables *t, const struct ja_case *item);
void ja_add_files(struct ja_tables *t, const struct ja_case *item);

#endif
