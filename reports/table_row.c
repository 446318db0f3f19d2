/* SPDX-License-Identifier: MIT
 *
 * Rows of tables, filled cell by cell.
 */
#include "reports/tables_parts.h"

#include <math.h>
#include <string.h>

struct ja_row ja_row_add(struct ja_tables *t, enum ja_table_id id)
{
    struct ja_table *table = &t->tables[id];
    if (table->row_count == table->capacity) {
        size_t larger = table->capacity ? table->capacity * 2 : 32;
        struct ja_cell *cells =
            ja_arena_alloc(t->arena, larger * table->column_count, sizeof *cells);
        if (table->row_count)
            memcpy(cells, table->cells, table->row_count * table->column_count * sizeof *cells);
        ja_arena_drop(t->arena, table->cells, table->capacity * table->column_count, sizeof *cells);
        table->cells = cells;
        table->capacity = larger;
    }
    return (struct ja_row){table, table->cells + table->row_count++ * table->column_count, 0};
}

static struct ja_cell *next_cell(struct ja_row *row)
{
    struct ja_cell *cell = &row->cells[row->next++];
    *cell = (struct ja_cell){.whole = JA_UNKNOWN, .number = NAN};
    return cell;
}

void ja_row_text(struct ja_row *row, const char *words)
{
    next_cell(row)->text = words;
}

void ja_row_whole(struct ja_row *row, int64_t value)
{
    next_cell(row)->whole = value;
}

void ja_row_bytes(struct ja_row *row, int64_t value, int64_t step)
{
    struct ja_cell *cell = next_cell(row);
    cell->whole = value;
    cell->step = step;
}

void ja_row_number(struct ja_row *row, double value)
{
    next_cell(row)->number = value;
}

void ja_row_when(struct ja_row *row, const struct ja_instant *at)
{
    next_cell(row)->at = at && ja_instant_key(at) != JA_UNKNOWN ? at : NULL;
}

void ja_row_refs(struct ja_row *row, const uint32_t *cites, size_t count)
{
    struct ja_cell *cell = next_cell(row);
    cell->refs = cites;
    cell->ref_count = count;
}

void ja_row_event(struct ja_tables *t, const struct ja_case *item, struct ja_row *row,
                  uint32_t event)
{
    /* The cite exists: it was made when the rules had run. */
    uint32_t *cite = ja_arena_alloc(t->arena, 1, sizeof *cite);
    *cite = ja_cite_event((struct ja_case *)item, event);
    ja_row_refs(row, cite, *cite == JA_NONE ? 0 : 1);
}

double ja_ratio(int64_t part, int64_t of)
{
    return part == JA_UNKNOWN || of == JA_UNKNOWN || of <= 0 ? NAN : (double)part / (double)of;
}
