/* SPDX-License-Identifier: MIT
 *
 * Of the rows of a state only the largest are kept: a fleet has as many rows as readings. What is
 * asked of all of them is found while they are here.
 */
#include "model/state_rows.h"

#include <string.h>

/* Unknown sizes are the smallest; equal ones in the order of the processes. */
static bool is_larger(const struct ja_state_row *a, const struct ja_state_row *b)
{
    return a->value != b->value ? a->value > b->value : a->process < b->process;
}

/* The largest rows in order, then the others. */
static void put_largest_first(struct ja_state_rows *rows)
{
    for (size_t i = 0, first = 0; i < rows->count; i++) {
        struct ja_state_row row = rows->items[i];
        size_t at = first;
        if (first < JA_LARGEST_ROWS)
            first++;
        else if (is_larger(&row, &rows->items[--at]))
            rows->items[i] = rows->items[at];
        else
            continue;
        for (; at > 0 && is_larger(&row, &rows->items[at - 1]); at--)
            rows->items[at] = rows->items[at - 1];
        rows->items[at] = row;
    }
}

static void keep_rows(struct ja_arena *arena, const struct ja_state_rows *rows, size_t count,
                      struct ja_state *state)
{
    state->row_count = count;
    state->rows = ja_arena_room(arena, count, sizeof *state->rows);
    state->row_bytes = ja_arena_room(arena, count, sizeof *state->row_bytes);
    for (size_t i = 0; i < count; i++) {
        state->rows[i] = rows->items[i].process;
        state->row_bytes[i] = rows->items[i].value;
    }
}

/* What is asked of all rows, of which only the largest are kept. */
static void note_rows(const struct ja_case *item, const struct ja_state_rows *rows,
                      struct ja_state *state)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct ja_process *process = &item->processes[rows->items[i].process];
        state->first_process |= process->pid == 0 || process->pid == 1;
        if (process->peak_bytes == JA_UNKNOWN)
            continue;
        state->peaks.sum_bytes = ja_add(state->peaks.sum_bytes, process->peak_bytes);
        state->peaks.count++;
    }
}

/* The largest row with the name that the record tells. */
static uint32_t find_told(const struct ja_case *item, const struct ja_state_rows *rows,
                          const struct ja_state *state)
{
    const struct ja_evidence *evidence = item->sources[state->source].evidence;
    const struct ja_fact *told = ja_record_fact(evidence, state->record, JA_FACT_LARGEST_PROCESS);
    const struct ja_state_row *best = NULL;
    for (size_t i = 0; told && told->text && i < rows->count; i++) {
        const struct ja_state_row *row = &rows->items[i];
        if (strcmp(item->processes[row->process].name, told->text) == 0 &&
            (!best || is_larger(row, best)))
            best = row;
        if (best && i < JA_LARGEST_ROWS)
            break; /* these are in order */
    }
    return best ? best->process : JA_NONE;
}

void ja_state_take_rows(struct ja_part *part, struct ja_groupings *groupings,
                        struct ja_arena *scratch, struct ja_state_rows *rows,
                        struct ja_state *state)
{
    const struct ja_case *item = &part->item;
    size_t kept = rows->count < JA_LARGEST_ROWS ? rows->count : JA_LARGEST_ROWS;
    put_largest_first(rows);
    state->largest = rows->items[0].value != JA_UNKNOWN ? rows->items[0].process : JA_NONE;
    state->told_largest = find_told(item, rows, state);
    note_rows(item, rows, state);
    keep_rows(scratch, rows, rows->count, state);
    ja_group_rows(part, groupings, (uint32_t)(state - item->states));
    keep_rows(item->arena, rows, kept, state);
}
