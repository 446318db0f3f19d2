/* SPDX-License-Identifier: MIT */
#include "reports/tables_parts.h"

#include <math.h>

#include "reports/text.h"

static void begin(const struct ja_case *item, struct ja_arena *arena, bool glance,
                  struct ja_tables *ret)
{
    *ret = (struct ja_tables){.arena = arena};
    for (int i = 0; i < JA_TABLE_COUNT; i++)
        ret->tables[i] = ja_table_empty((enum ja_table_id)i);
    ja_add_fleet(ret, item);
    ja_add_growth(ret, item, glance);
}

void ja_tables_glance(const struct ja_case *item, struct ja_arena *arena, struct ja_tables *ret)
{
    begin(item, arena, true, ret);
}

void ja_tables_build(const struct ja_case *item, struct ja_arena *arena, struct ja_tables *ret)
{
    begin(item, arena, false, ret);
    ja_add_findings(ret, item);
    ja_add_books(ret, item);
    ja_add_timeline(ret, item);
    ja_add_kills(ret, item);
    ja_add_groups(ret, item);
    ja_add_caps(ret, item);
    ja_add_readings(ret, item);
    ja_add_evidence(ret, item);
    ja_add_files(ret, item);
}

void ja_evidence_range(const struct ja_case *item, const struct ja_instant **ret_first,
                       const struct ja_instant **ret_last)
{
    const struct ja_instant *first = NULL, *last = NULL;
    for (size_t i = 0; i < item->source_count; i++) {
        const struct ja_source *source = &item->sources[i];
        for (size_t r = 0; r < source->evidence->record_count; r++) {
            const struct ja_instant *at = &source->record_at[r];
            if (source->record_host[r] == JA_NONE || !ja_instant_known(at))
                continue;
            first = !first || at->unix_ns < first->unix_ns ? at : first;
            last = !last || at->unix_ns > last->unix_ns ? at : last;
        }
    }
    *ret_first = first;
    *ret_last = last;
}

const struct ja_cell *ja_table_cell(const struct ja_table *table, size_t row, size_t column)
{
    return &table->cells[row * table->column_count + column];
}

static const char *refs_text(const struct ja_case *item, struct ja_arena *arena,
                             const struct ja_cell *cell)
{
    const char *all = "";
    for (size_t i = 0; i < cell->ref_count; i++)
        all = ja_arena_print(arena, "%s%sE%03u", all, i ? ", " : "",
                             (unsigned)item->cites[cell->refs[i]].number);
    return all;
}

const char *ja_cell_text(const struct ja_case *item, struct ja_arena *arena,
                         const struct ja_column *column, const struct ja_cell *cell)
{
    switch (column->kind) {
    case JA_CELL_WORD:
    case JA_CELL_EVIDENCE:
    case JA_CELL_SENTENCE:
        return cell->text ? cell->text : "";
    case JA_CELL_BYTES:
        return ja_bytes(arena, cell->whole, cell->step);
    case JA_CELL_WHOLE:
        return cell->whole == JA_UNKNOWN ? ""
                                         : ja_arena_print(arena, "%lld", (long long)cell->whole);
    case JA_CELL_NUMBER:
        return isfinite(cell->number) ? ja_arena_print(arena, "%.2f", cell->number) : "";
    case JA_CELL_RATE:
        return ja_rate(arena, cell->number);
    case JA_CELL_SPAN:
        return ja_span(arena, cell->number);
    case JA_CELL_TIME:
        return ja_when(arena, cell->at);
    case JA_CELL_REFS:
        return refs_text(item, arena, cell);
    }
    return "";
}
