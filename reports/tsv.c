/* SPDX-License-Identifier: MIT
 *
 * tables/NAME.tsv: every table as tab-separated text, numbers raw (bytes, seconds, bytes per hour),
 * so that other programs can read them. A cell never begins a formula.
 */
#include "reports/report.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "reports/tables.h"
#include "reports/text.h"

static const char *unit_of(enum ja_cell_kind kind)
{
    switch (kind) {
    case JA_CELL_BYTES:
        return " [bytes]";
    case JA_CELL_RATE:
        return " [bytes/h]";
    case JA_CELL_SPAN:
        return " [s]";
    default:
        return "";
    }
}

static void put_cell(FILE *out, const struct ja_case *item, struct ja_arena *arena,
                     const struct ja_column *column, const struct ja_cell *cell)
{
    char time[JA_INSTANT_TEXT];
    switch (column->kind) {
    case JA_CELL_BYTES:
    case JA_CELL_WHOLE:
        if (cell->whole != JA_UNKNOWN)
            fprintf(out, "%lld", (long long)cell->whole);
        break;
    case JA_CELL_NUMBER:
    case JA_CELL_RATE:
    case JA_CELL_SPAN:
        if (isfinite(cell->number))
            fprintf(out, "%.15g", cell->number);
        break;
    case JA_CELL_TIME:
        if (cell->at)
            fprintf(out, "%s%s", ja_instant_known(cell->at) ? "" : "<=",
                    ja_instant_print(ja_instant_key(cell->at), time));
        break;
    default:
        fputs(ja_tsv(arena, ja_cell_text(item, arena, column, cell)), out);
    }
}

static void put_table(FILE *out, const struct ja_case *item, struct ja_arena *arena,
                      const struct ja_table *table)
{
    for (size_t c = 0; c < table->column_count; c++)
        fprintf(out, "%s%s%s", c ? "\t" : "", table->columns[c].title,
                unit_of(table->columns[c].kind));
    putc('\n', out);
    for (size_t r = 0; r < table->row_count; r++) {
        for (size_t c = 0; c < table->column_count; c++) {
            if (c)
                putc('\t', out);
            put_cell(out, item, arena, &table->columns[c], ja_table_cell(table, r, c));
        }
        putc('\n', out);
    }
}

static bool write_table(const struct ja_case *item, struct ja_arena *arena,
                        const struct ja_table *table, const char *folder)
{
    FILE *out = fopen(ja_arena_print(arena, "%s/%s.tsv", folder, table->name), "wb");
    if (!out)
        return false;
    put_table(out, item, arena, table);
    bool ok = !ferror(out);
    return fclose(out) == 0 && ok;
}

static bool write_folder(const struct ja_case *item, const struct ja_report_options *options,
                         const char *path, const char **ret_error)
{
    (void)options;
    struct ja_arena *arena = ja_arena_new();
    struct ja_tables tables;
    ja_tables_build(item, arena, &tables);
    bool ok = mkdir(path, 0700) == 0 || errno == EEXIST;
    for (int i = 0; ok && i < JA_TABLE_COUNT; i++)
        ok = write_table(item, arena, &tables.tables[i], path);
    if (!ok)
        *ret_error = strerror(errno);
    ja_arena_free(arena);
    return ok;
}

const struct ja_report ja_report_tsv = {
    .name = "tsv", .file_name = "tables", .write = write_folder};
