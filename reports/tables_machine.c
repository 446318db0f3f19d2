/* SPDX-License-Identifier: MIT
 *
 * What a machine was at one moment: books beside physical use, and groups of processes.
 */
#include "reports/tables_parts.h"

#include "model/bridge.h"
#include "reports/text.h"

#define MOST_GROUP_ROWS 1000

const char *ja_state_words(struct ja_arena *arena, const struct ja_state *state)
{
    int64_t used = state->figures[JA_FIGURE_USED], sum = state->books.sum_bytes;
    if (!state->books.known || sum == JA_UNKNOWN)
        return "no process table: books are not known";
    const char *what = state->books.complete ? "" : "at least ";
    if (used == JA_UNKNOWN)
        return ja_arena_print(arena, "books %s%s; physical use is not in the evidence", what,
                              ja_bytes(arena, sum, 0));
    if (sum > used)
        return ja_arena_print(arena,
                              "books %s%s, in use %s: %s of the books is compressed, swapped or "
                              "counted twice",
                              what, ja_bytes(arena, sum, 0), ja_bytes(arena, used, 0),
                              ja_bytes(arena, sum - used, 0));
    return ja_arena_print(arena, "books %s%s, in use %s: %s is outside of the processes shown",
                          what, ja_bytes(arena, sum, 0), ja_bytes(arena, used, 0),
                          ja_bytes(arena, used - sum, 0));
}

const struct ja_state *ja_worst_state(const struct ja_case *item)
{
    const struct ja_state *worst = NULL;
    double most = -1;
    for (size_t s = 0; s < item->state_count; s++) {
        const struct ja_state *state = &item->states[s];
        struct ja_bridge bridge;
        if (!ja_bridge_build(state, &bridge) || bridge.used_bytes <= 0)
            continue;
        double r = (double)bridge.books_bytes / (double)bridge.used_bytes;
        if (r >= most) {
            most = r;
            worst = state;
        }
    }
    return worst;
}

/* A state that only names the machine's RAM is no moment of its books. */
static bool says_something(const struct ja_state *state)
{
    static const enum ja_figure shown[] = {
        JA_FIGURE_USED,         JA_FIGURE_MANAGED,     JA_FIGURE_ANONYMOUS, JA_FIGURE_WIRED,
        JA_FIGURE_COMPRESSOR,   JA_FIGURE_FILE_BACKED, JA_FIGURE_FREE,      JA_FIGURE_SWAP_USED,
        JA_FIGURE_UNCOMPRESSED, JA_FIGURE_SWAP_TOTAL};
    bool any = state->books.known;
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        any |= state->figures[shown[i]] != JA_UNKNOWN;
    return any;
}

void ja_add_books(struct ja_tables *t, const struct ja_case *item)
{
    for (size_t i = 0; i < item->state_count; i++) {
        const struct ja_state *s = &item->states[i];
        if (!says_something(s))
            continue;
        const int64_t *f = s->figures;
        int64_t sum = s->books.known ? s->books.sum_bytes : JA_UNKNOWN;
        struct ja_row row = ja_row_add(t, JA_TABLE_BOOKS);
        ja_row_text(&row, item->hosts[s->host].label);
        ja_row_when(&row, &s->at);
        ja_row_text(&row, s->of);
        ja_row_bytes(&row, sum, 0);
        ja_row_text(&row, s->books.known ? ja_metrics[s->books.metric].word : NULL);
        ja_row_whole(&row, s->books.known ? (int64_t)s->books.processes : JA_UNKNOWN);
        ja_row_text(&row, !s->books.known ? NULL : s->books.complete ? "yes" : "no");
        ja_row_bytes(&row, f[JA_FIGURE_USED], 0);
        ja_row_bytes(&row, f[JA_FIGURE_RAM], 0);
        ja_row_bytes(&row, f[JA_FIGURE_MANAGED], 0);
        ja_row_bytes(&row, f[JA_FIGURE_ANONYMOUS], 0);
        ja_row_bytes(&row, f[JA_FIGURE_WIRED], 0);
        ja_row_bytes(&row, f[JA_FIGURE_COMPRESSOR], 0);
        ja_row_bytes(&row, f[JA_FIGURE_UNCOMPRESSED], 0);
        ja_row_bytes(&row, f[JA_FIGURE_FILE_BACKED], 0);
        ja_row_bytes(&row, f[JA_FIGURE_FREE], 0);
        ja_row_bytes(&row, f[JA_FIGURE_SWAP_USED], 0);
        ja_row_bytes(&row, f[JA_FIGURE_SWAP_TOTAL], 0);
        ja_row_number(&row, ja_ratio(sum, f[JA_FIGURE_RAM] != JA_UNKNOWN ? f[JA_FIGURE_RAM]
                                                                         : f[JA_FIGURE_MANAGED]));
        ja_row_text(&row, ja_state_words(t->arena, s));
    }
}

void ja_add_groups(struct ja_tables *t, const struct ja_case *item)
{
    for (size_t i = 0; i < item->group_count; i++) {
        const struct ja_group *g = &item->groups[i];
        if (i >= MOST_GROUP_ROWS) {
            t->tables[JA_TABLE_GROUPS].left_out = item->group_count - i;
            break;
        }
        struct ja_row row = ja_row_add(t, JA_TABLE_GROUPS);
        ja_row_when(&row, g->at);
        ja_row_text(&row, item->hosts[g->host].label);
        ja_row_text(&row, g->by);
        ja_row_text(&row, g->name);
        ja_row_whole(&row, g->coalition);
        ja_row_whole(&row, (int64_t)g->count);
        ja_row_bytes(&row, g->sum_bytes, 0);
        ja_row_bytes(&row, g->count ? g->sum_bytes / (int64_t)g->count : JA_UNKNOWN, 0);
    }
}
