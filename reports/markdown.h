/* SPDX-License-Identifier: MIT
 *
 * Private to the postmortem: what its section files share.
 */
#ifndef JA_REPORTS_MARKDOWN_H
#define JA_REPORTS_MARKDOWN_H

#include <stdio.h>

#include "reports/report.h"
#include "reports/tables.h"

struct ja_markdown_page {
    FILE *out;
    const struct ja_case *item;
    const struct ja_report_options *options;
    struct ja_arena *arena;
    struct ja_tables tables;
    bool *linked; /* by cite: ja_page_refs linked to it */
};

/* "- [ ] **FILL IN** what": a place for a person. */
void ja_page_fill_in(struct ja_markdown_page *page, const char *what);

/* Prints chosen columns of a table, at most rows rows; says how many were left out. */
void ja_page_table(struct ja_markdown_page *page, enum ja_table_id id, const int *columns,
                   size_t column_count, size_t rows);

/* "[E001](#e001), [E002](#e002)"; section 13 then has these headings. */
void ja_page_refs(struct ja_markdown_page *page, const uint32_t *cites, size_t count);

/* Sections 0 to 6 and 7 to 14. */
void ja_page_evidence_part(struct ja_markdown_page *page);
void ja_page_people_part(struct ja_markdown_page *page);

#endif
