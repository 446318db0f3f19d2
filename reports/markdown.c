/* SPDX-License-Identifier: MIT
 *
 * postmortem.md: a draft for people. The tool says what the evidence says and leaves the rest open:
 * marks "FILL IN" are counted in the status line; no cause is ever stated as a fact.
 * Names from evidence stand only inside code spans; no raw HTML; links stay inside the report.
 */
#include "reports/markdown.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reports/text.h"

void ja_page_fill_in(struct ja_markdown_page *page, const char *what)
{
    fprintf(page->out, "- [ ] **FILL IN** %s\n", what);
}

void ja_page_refs(struct ja_markdown_page *page, const uint32_t *cites, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        unsigned number = (unsigned)page->item->cites[cites[i]].number;
        page->linked[cites[i]] = true;
        fprintf(page->out, "%s[E%03u](#e%03u)", i ? ", " : "", number, number);
    }
}

static void put_cell(struct ja_markdown_page *page, const struct ja_column *column,
                     const struct ja_cell *cell)
{
    const char *text = ja_cell_text(page->item, page->arena, column, cell);
    switch (column->kind) {
    case JA_CELL_REFS:
        ja_page_refs(page, cell->refs, cell->ref_count);
        break;
    case JA_CELL_EVIDENCE:
        fputs(ja_markdown_code(page->arena,
                               ja_shorten(page->arena, ja_visible(page->arena, text), 80), true),
              page->out);
        break;
    case JA_CELL_SENTENCE:
        fputs(ja_markdown(page->arena, text, true), page->out);
        break;
    case JA_CELL_WORD:
        /* Our words hold underscores (kinds, rules), which Markdown could take for emphasis. */
        fputs(strchr(text, '_') ? ja_markdown_code(page->arena, text, true) : text, page->out);
        break;
    default:
        fputs(text, page->out);
    }
}

static bool is_number(enum ja_cell_kind kind)
{
    return kind == JA_CELL_BYTES || kind == JA_CELL_WHOLE || kind == JA_CELL_NUMBER ||
           kind == JA_CELL_RATE || kind == JA_CELL_SPAN;
}

void ja_page_table(struct ja_markdown_page *page, enum ja_table_id id, const int *columns,
                   size_t column_count, size_t rows)
{
    const struct ja_table *table = &page->tables.tables[id];
    FILE *out = page->out;
    for (size_t c = 0; c < column_count; c++)
        fprintf(out, "| %s ", table->columns[columns[c]].title);
    fputs("|\n", out);
    for (size_t c = 0; c < column_count; c++)
        fputs(is_number(table->columns[columns[c]].kind) ? "| ---: " : "| --- ", out);
    fputs("|\n", out);
    for (size_t r = 0; r < table->row_count && r < rows; r++) {
        for (size_t c = 0; c < column_count; c++) {
            fputs("| ", out);
            put_cell(page, &table->columns[columns[c]],
                     ja_table_cell(table, r, (size_t)columns[c]));
            putc(' ', out);
        }
        fputs("|\n", out);
    }
    size_t left_out = table->left_out + (table->row_count > rows ? table->row_count - rows : 0);
    if (left_out)
        fprintf(out, "\n%zu more rows stand in the workbook and in what `--json` prints.\n",
                left_out);
    putc('\n', out);
}

static size_t count_fill_in(const char *text)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, "**FILL IN**")); at += 11)
        count++;
    return count;
}

/* The body is made first: the status line counts its marks. */
static bool print_page(const struct ja_case *item, const struct ja_report_options *options,
                       FILE *out)
{
    char *body = NULL;
    size_t length = 0;
    struct ja_markdown_page page = {.item = item, .options = options, .arena = ja_arena_new()};
    page.out = open_memstream(&body, &length);
    if (!page.out)
        ja_arena_out_of_memory();
    ja_tables_build(item, page.arena, &page.tables);
    page.linked = ja_arena_alloc(page.arena, item->cite_count, sizeof *page.linked);
    ja_page_evidence_part(&page);
    ja_page_people_part(&page);
    bool whole = !ferror(page.out);
    if (fclose(page.out) != 0 || !whole)
        ja_arena_out_of_memory();
    fprintf(out,
            "# Postmortem (draft)\n\nDraft made by jetsam-audit from %zu files; %zu places "
            "marked FILL IN; not reviewed.\nAll times are UTC; GiB, MiB and KiB are powers of "
            "1024.\n\n",
            item->source_count, count_fill_in(body));
    fwrite(body, 1, length, out);
    free(body);
    ja_arena_free(page.arena);
    return !ferror(out);
}

static bool write_file(const struct ja_case *item, const struct ja_report_options *options,
                       const char *path, const char **ret_error)
{
    FILE *out = fopen(path, "wb");
    bool ok = out && print_page(item, options, out);
    if (out && fclose(out) != 0)
        ok = false;
    if (!ok)
        *ret_error = strerror(errno);
    return ok;
}

const struct ja_report ja_report_md = {
    .name = "md", .file_name = "postmortem.md", .write = write_file};
