/* SPDX-License-Identifier: MIT
 *
 * MANIFEST.tsv, the operator's list of when and where files were captured:
 *   path<TAB>captured<TAB>within_s<TAB>host<TAB>note
 *   dumps/a.txt<TAB>2026-09-15T18:00:00Z<TAB>60<TAB><TAB>read off the terminal clock
 * Columns are found by the header's words and may be left out but for path. Each row becomes one
 * ja_stated_time; paths are relative to the folder of the manifest. The table is read by cli before
 * the files it speaks of (ja_manifest_read); the parser below only names it.
 */
#include "parsers/stated.h"

#include <string.h>

#include "parsers/parser.h"
#include "parsers/scan.h"
#include "parsers/stamp.h"

enum column { PATH, CAPTURED, WITHIN, HOST, NOTE, COLUMNS };

static const char *const titles[COLUMNS] = {"path", "captured", "within_s", "host", "note"};

struct cell {
    const char *text;
    size_t length;
};

#define MOST_CELLS 32 /* of a row; what stands behind them is none of the columns */

/* Cuts a line at its tabs. */
static size_t cut(const char *line, size_t length, struct cell cells[MOST_CELLS])
{
    size_t count = 0, start = 0;
    for (size_t i = 0; i <= length && count < MOST_CELLS; i++) {
        if (i < length && line[i] != '\t')
            continue;
        cells[count] = (struct cell){line + start, i - start};
        ja_text_trim(&cells[count].text, &cells[count].length);
        count++;
        start = i + 1;
    }
    return count;
}

/* The line at *at without its end; false at the end of the text. */
static bool next_line(const char *text, size_t length, size_t *at, const char **ret,
                      size_t *ret_length)
{
    if (*at >= length)
        return false;
    const char *end = memchr(text + *at, '\n', length - *at);
    size_t stop = end ? (size_t)(end - text) : length;
    *ret = text + *at;
    *ret_length = stop - *at;
    *at = stop + 1;
    return true;
}

static bool read_header(const char *line, size_t length, int place[COLUMNS])
{
    struct cell cells[MOST_CELLS];
    size_t count = cut(line, length, cells);
    for (int c = 0; c < COLUMNS; c++) {
        place[c] = -1;
        for (size_t i = 0; i < count; i++)
            if (ja_text_is(cells[i].text, cells[i].length, titles[c]))
                place[c] = (int)i;
    }
    return place[PATH] == 0 && (place[CAPTURED] > 0 || place[HOST] > 0 || place[NOTE] > 0);
}

static bool is_remark(const char *line, size_t length)
{
    ja_text_trim(&line, &length);
    return !length || *line == '#';
}

/* The header behind empty lines and remarks, its columns in place, and *at behind it. False: the
 * first other line, *ret, is none. */
static bool find_header(const char *text, size_t length, size_t *at, int place[COLUMNS],
                        struct ja_line *ret)
{
    for (ret->number = 1; next_line(text, length, at, &ret->text, &ret->length); ret->number++)
        if (!is_remark(ret->text, ret->length))
            return read_header(ret->text, ret->length, place);
    ret->number = 1; /* there is no other line */
    return false;
}

static const char *cell_copy(struct ja_arena *arena, const struct cell *cell)
{
    return cell && cell->length ? ja_arena_copy(arena, cell->text, cell->length) : NULL;
}

static void read_row(struct ja_stated *stated, const struct cell *const cells[COLUMNS],
                     const char *folder, int line, struct ja_evidence *evidence)
{
    struct ja_arena *arena = stated->arena;
    struct ja_stated_time row = {
        .within_ns = JA_UNKNOWN, .interval_ns = JA_UNKNOWN, .from_manifest = true};
    const char *path = cell_copy(arena, cells[PATH]);
    if (!path) {
        ja_diagnose(evidence, JA_ERROR, "bad-row", line, NULL, "a row without a path, left out");
        return;
    }
    if (strncmp(path, "./", 2) == 0)
        path += 2;
    row.path = ja_arena_print(arena, "%s%s", folder, path);
    const struct cell *captured = cells[CAPTURED];
    if (captured && captured->length) {
        if (ja_stamp_exact(captured->text, captured->length, arena, &row.at))
            row.at.clock = JA_CLOCK_MANIFEST;
        else
            ja_diagnose(evidence, JA_ERROR, "bad-time", line, NULL,
                        "captured is not a time such as 2026-09-15T18:00:00Z, left out");
    }
    const struct cell *within = cells[WITHIN];
    if (within && within->length) {
        struct ja_scan scan = ja_scan_of(within->text, within->length);
        double seconds;
        if (ja_scan_double(&scan, &seconds) && ja_scan_end(&scan) && seconds >= 0 && seconds <= 1e9)
            row.within_ns = (int64_t)(seconds * (double)JA_NS_PER_S);
        else
            ja_diagnose(evidence, JA_ERROR, "bad-number", line, NULL,
                        "within_s is not a number of seconds, left out");
    }
    row.host = cell_copy(arena, cells[HOST]);
    row.note = cell_copy(arena, cells[NOTE]);
    *JA_APPEND(arena, stated->times, stated->time_count, stated->time_capacity) = row;
}

void ja_manifest_read(struct ja_stated *stated, const char *text, size_t length, const char *folder,
                      struct ja_evidence *evidence)
{
    size_t at = 0, line_length;
    const char *line;
    int place[COLUMNS];
    struct ja_line header;
    if (!find_header(text, length, &at, place, &header)) {
        ja_set_status(evidence, JA_STATUS_DAMAGED,
                      "its first line is not the header of a manifest");
        ja_diagnose(evidence, JA_ERROR, "bad-header", header.number, NULL,
                    "not \"path<TAB>captured<TAB>within_s<TAB>host<TAB>note\", file left out");
        return;
    }
    struct cell cells[MOST_CELLS];
    size_t columns = 0;
    for (size_t i = 0; i < header.length; i++)
        columns += header.text[i] == '\t';
    if (columns >= MOST_CELLS)
        ja_diagnose(evidence, JA_WARNING, "too-many-columns", header.number, NULL,
                    "more than %d columns: those behind them were left out", MOST_CELLS);
    for (int number = header.number + 1; next_line(text, length, &at, &line, &line_length);
         number++) {
        size_t count = cut(line, line_length, cells);
        if (is_remark(line, line_length))
            continue;
        const struct cell *row[COLUMNS];
        for (int c = 0; c < COLUMNS; c++)
            row[c] = place[c] >= 0 && (size_t)place[c] < count ? &cells[place[c]] : NULL;
        read_row(stated, row, folder, number, evidence);
    }
}

static int bid(const struct ja_piece *piece)
{
    int place[COLUMNS];
    size_t at = 0;
    struct ja_line header;
    return find_header(piece->text, piece->length, &at, place, &header) ? 90 : 0;
}

static void parse(const struct ja_piece *piece, struct ja_parse *parse)
{
    (void)piece;
    ja_set_kind(parse->evidence, JA_KIND_MANIFEST);
    ja_set_status(parse->evidence, JA_STATUS_NO_MEMORY_CONTENT,
                  "a manifest: used under the name MANIFEST.tsv or when named with --manifest");
}

const struct ja_parser ja_parser_manifest = {
    .name = "manifest",
    .reads = "MANIFEST.tsv: captured times and hosts stated by the operator",
    .whole = true,
    .bid = bid,
    .most = 90,
    .parse = parse,
};
