/* SPDX-License-Identifier: MIT
 *
 * Logs whose newest line is the first (journalctl -r): read from their end.
 */
#include "parsers/oom.h"

#include <string.h>

#include "parsers/scan.h"

/* The line above the one at offset at is a row of a task table. */
static bool row_above(const struct ja_piece *piece, size_t at, struct ja_arena *arena)
{
    struct oom_line split;
    size_t end = at;
    while (end > 0 && piece->text[end - 1] != '\n')
        end--;
    end -= end > 0;
    size_t begin = end;
    while (begin > 0 && piece->text[begin - 1] != '\n')
        begin--;
    struct ja_line line = {piece->text + begin, end - begin, 1};
    oom_line_split(&line, arena, &split);
    return oom_is_row(split.message);
}

/* A report goes invoked, table, kill: one that goes the other way stands on its head. */
bool oom_is_reversed(const struct ja_piece *piece, struct ja_arena *arena)
{
    size_t kill = ja_text_find(piece->text, piece->length, "Killed process ");
    size_t table = ja_text_find(piece->text, piece->length, " total_vm ");
    size_t invoked = ja_text_find(piece->text, piece->length, " invoked oom-killer");
    return kill < table && table < invoked && row_above(piece, table, arena);
}

void oom_reverse(const struct ja_piece *piece, struct ja_arena *arena, struct ja_piece *ret,
                 int *ret_lines)
{
    char *text = ja_arena_alloc(arena, piece->length + 1, 1);
    size_t end = piece->length + 1, at = 0;
    struct ja_line line;
    int number = 0;
    *ret_lines = 0;
    while (ja_piece_line(piece, &at, &number, &line)) {
        end -= line.length + 1;
        memcpy(text + end, line.text, line.length);
        text[end + line.length] = '\n';
        ++*ret_lines;
    }
    *ret = *piece;
    ret->text = text + end;
    ret->length = piece->length + 1 - end;
}
