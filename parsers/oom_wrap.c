/* SPDX-License-Identifier: MIT
 *
 * Logs that were copied from a terminal: lines that were longer than it was wide go on in the next
 * line, without a clock of their own:
 *
 *   [ 1000.500287] Out of memory: Killed process 1555 (tiler) total-vm:5024784kB, an
 *   on-rss:1674928kB, file-rss:4024kB, shmem-rss:2000kB, UID:999
 *
 * The width is the length of the longest lines. Blanks at the end of a part may be lost.
 */
#include "parsers/dump.h"
#include "parsers/oom.h"

#include <string.h>

#define NARROWEST 60
#define WIDEST 250
#define LINES_LOOKED_AT 4000
#define BLANKS_LOST 12 /* a part may be shorter by so many */
#define MOST_PARTS 16  /* lines that one message goes over */

static bool has_clock(const struct ja_line *line, struct ja_arena *arena)
{
    struct oom_line split;
    oom_line_split(line, arena, &split);
    return oom_has_clock(&split);
}

/* The length of the longest line, and how many are as long; 0 when there are too few. */
static size_t longest_line(const struct ja_piece *piece)
{
    struct ja_line line;
    size_t at = 0, longest = 0, count = 0;
    int number = 0;
    for (int i = 0; i < LINES_LOOKED_AT && ja_piece_line(piece, &at, &number, &line); i++) {
        if (line.length > longest) {
            longest = line.length;
            count = 0;
        }
        count += line.length == longest;
    }
    return count > 1 && longest >= NARROWEST && longest <= WIDEST ? longest : 0;
}

size_t oom_wrap_width(const struct ja_piece *piece, struct ja_arena *arena)
{
    size_t width = longest_line(piece), at = 0, wrapped = 0, whole = 0;
    struct ja_line line, next;
    int number = 0;
    if (width == 0)
        return 0;
    bool more = ja_piece_line(piece, &at, &number, &line);
    for (int i = 0; i < LINES_LOOKED_AT && more; i++, line = next) {
        more = ja_piece_line(piece, &at, &number, &next);
        if (line.length != width || !has_clock(&line, arena))
            continue;
        if (!more || next.length == 0 || has_clock(&next, arena))
            whole++; /* as long by chance, or the log has no width */
        else
            wrapped++;
    }
    return wrapped > 1 && wrapped > whole ? width : 0;
}

void oom_wrap_join(const struct ja_piece *piece, size_t width, struct ja_arena *arena, size_t *at,
                   int *number, struct ja_line *line)
{
    struct ja_line parts[MOST_PARTS];
    size_t count = 0, length = line->length;
    if (width == 0 || !has_clock(line, arena))
        return;
    while (length + BLANKS_LOST >= width * (count + 1) && count < MOST_PARTS) {
        struct ja_line *next = &parts[count];
        size_t behind = *at;
        int next_number = *number;
        if (!ja_piece_line(piece, &behind, &next_number, next) || next->length == 0 ||
            next->length > width || ja_line_bare(piece, next) || has_clock(next, arena))
            break; /* a last line without its end may go on: what it says is not known */
        length = width * ++count + next->length;
        *at = behind;
        *number = next_number;
    }
    if (!count)
        return;
    char *text = ja_arena_alloc(arena, length, 1);
    memset(text, ' ', length); /* where blanks were lost */
    memcpy(text, line->text, line->length);
    for (size_t i = 0; i < count; i++)
        memcpy(text + width * (i + 1), parts[i].text, parts[i].length);
    line->text = text;
    line->length = length;
}
