/* SPDX-License-Identifier: MIT
 *
 * workbook.xlsx: the tables for a spreadsheet, with charts, links from findings to evidence and
 * back, and a first sheet that can be read at 3 am. Only libxlsxwriter 1.1.4's interface is used.
 * Same case, same bytes: its time of creation is that of the newest evidence.
 */
#include "reports/xlsx.h"

#include <errno.h>
#include <string.h>

#include "reports/text.h"

#define NO_TIME 315532800 /* 1980-01-01, as inside of the archive: nothing is dated */

static const char *folder_of(struct ja_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? ja_arena_copy(arena, path, (size_t)(slash - path)) : ".";
}

static void set_properties(struct ja_book *book)
{
    const struct ja_instant *first, *last;
    ja_evidence_range(book->item, &first, &last);
    lxw_doc_properties properties = {
        .title = "What the memory evidence says",
        .subject = "Memory incident",
        .author = "jetsam-audit",
        .created = last && last->unix_ns > 0 ? (time_t)(last->unix_ns / JA_NS_PER_S) : NO_TIME,
    };
    ja_book_check(book, workbook_set_properties(book->workbook, &properties));
}

static bool make_sheets(struct ja_book *book)
{
    static const char *const names[] = {
        JA_SHEET_FIRST,     "Fleet", "Growth",   "Books vs physical", "Timeline", "Kills",
        "Groups",           "Caps",  "Readings", "Evidence",          "Files",    "About",
        JA_SHEET_CHART_DATA};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (i == 1 && book->item->host_count < 2)
            continue;
        lxw_worksheet *sheet = workbook_add_worksheet(book->workbook, names[i]);
        if (!sheet)
            return false;
        /* Names made of digits are text on purpose: no green corners. */
        worksheet_ignore_errors(sheet, LXW_IGNORE_NUMBER_STORED_AS_TEXT, "A1:XFD1048576");
    }
    book->chart_data = ja_book_sheet(book, JA_SHEET_CHART_DATA);
    return true;
}

/* All columns of a table, in its own order. */
static bool put_table(struct ja_book *book, enum ja_table_id id, lxw_col_t frozen)
{
    const struct ja_table *table = &book->tables.tables[id];
    struct ja_grid grid;
    int columns[JA_MOST_COLUMNS];
    for (size_t c = 0; c < table->column_count; c++)
        columns[c] = (int)c;
    return ja_book_table(book, id, columns, table->column_count, frozen, 0, &grid);
}

/* Links lead back from the evidence to the findings that use it. */
static bool put_evidence(struct ja_book *book)
{
    static const int columns[] = {0, 1, 2, 3, 4, 5, 6};
    struct ja_grid grid;
    if (!ja_book_table(book, JA_TABLE_EVIDENCE, columns, 7, 1, 0, &grid))
        return false;
    size_t count = grid.table->row_count;
    size_t *user = ja_arena_alloc(book->arena, book->item->cite_count, sizeof *user);
    for (size_t f = book->item->finding_count; f-- > 0;)
        for (size_t c = 0; c < book->item->findings[f].cite_count; c++)
            if (book->finding_rows[f])
                user[book->item->findings[f].cites[c]] = f + 1;
    for (size_t r = 0; r < count; r++) {
        size_t finding = user[*ja_table_cell(grid.table, r, 0)->refs];
        if (finding)
            ja_book_link(book, grid.sheet, (lxw_row_t)r + 1, ja_grid_column(&grid, 6),
                         JA_SHEET_FIRST, book->finding_rows[finding - 1], 0,
                         ja_table_cell(grid.table, r, 6)->text);
    }
    return true;
}

static void finish_chart_data(struct ja_book *book)
{
    lxw_worksheet *sheet = book->chart_data;
    if (!book->chart_column)
        ja_book_text(book, sheet, 0, 0, "Nothing to draw.", JA_STYLE_NOTE);
    ja_book_check(book, worksheet_set_row(sheet, 1, 60, NULL));
    worksheet_freeze_panes(sheet, 2, 0);
    ja_book_page(book, sheet, 1, book->chart_last_row,
                 book->chart_column ? book->chart_column - 1 : 0);
}

/* The first sheet links to the charts, so that they are placed before it is filled. */
static bool put_sheets(struct ja_book *book)
{
    bool good = make_sheets(book) &&
                (book->item->host_count < 2 || put_table(book, JA_TABLE_FLEET, 1)) &&
                ja_book_growth(book) && ja_book_books(book);
    if (!good)
        return false;
    ja_book_first(book, ja_book_sheet(book, JA_SHEET_FIRST));
    finish_chart_data(book);
    return put_table(book, JA_TABLE_TIMELINE, 1) && put_table(book, JA_TABLE_KILLS, 1) &&
           put_table(book, JA_TABLE_GROUPS, 1) && put_table(book, JA_TABLE_CAPS, 1) &&
           put_table(book, JA_TABLE_READINGS, 1) && put_evidence(book) &&
           put_table(book, JA_TABLE_FILES, 1) && ja_book_about(book);
}

static void place_evidence(struct ja_book *book)
{
    const struct ja_table *table = &book->tables.tables[JA_TABLE_EVIDENCE];
    book->evidence_rows =
        ja_arena_alloc(book->arena, book->item->cite_count, sizeof *book->evidence_rows);
    for (size_t r = 0; r < table->row_count; r++)
        book->evidence_rows[*ja_table_cell(table, r, 0)->refs] = (lxw_row_t)r + 1;
}

static bool fill(struct ja_book *book)
{
    place_evidence(book);
    book->finding_rows =
        ja_arena_alloc(book->arena, book->item->finding_count, sizeof *book->finding_rows);
    ja_book_styles(book);
    set_properties(book);
    return put_sheets(book) && book->error == LXW_NO_ERROR;
}

/* One of the copies: what it makes on the way lies in an arena of its own. */
struct copy {
    const struct ja_case *item;
    const struct ja_report_options *options;
    const struct ja_tables *tables;
    const char *path;
    const char *error; /* NULL: it was written */
};

static void write_copy(size_t index, void *data)
{
    struct copy *copy = (struct copy *)data + index;
    struct ja_case item = *copy->item;
    item.arena = item.kept = ja_arena_new();
    struct ja_book book = {
        .item = &item, .options = copy->options, .arena = item.arena, .tables = *copy->tables};
    errno = 0;
    lxw_workbook_options settings = {.tmpdir = (char *)folder_of(book.arena, copy->path)};
    book.workbook = workbook_new_opt(copy->path, &settings);
    bool good = book.workbook && fill(&book);
    lxw_error error = book.error == LXW_NO_ERROR ? LXW_ERROR_MEMORY_MALLOC_FAILED : book.error;
    if (good)
        error = workbook_close(book.workbook);
    else if (book.workbook)
        lxw_workbook_free(book.workbook);
    /* A string is only missing from the table when there was no memory to put it there; the packer
     * calls it an error of the archive. */
    if (error == LXW_ERROR_MEMORY_MALLOC_FAILED ||
        error == LXW_ERROR_SHARED_STRING_INDEX_NOT_FOUND ||
        (error != LXW_NO_ERROR && errno == ENOMEM))
        ja_arena_out_of_memory();
    copy->error = error == LXW_NO_ERROR ? NULL : lxw_strerror(error);
    ja_arena_free(item.arena);
}

static bool same_bytes(const char *path, const char *other)
{
    static const size_t part = 1 << 16;
    struct ja_arena *arena = ja_arena_new();
    char *bytes = ja_arena_alloc(arena, 2, part);
    FILE *a = fopen(path, "rb"), *b = fopen(other, "rb");
    bool same = a && b;
    for (size_t got = part; same && got == part;) {
        got = fread(bytes, 1, part, a);
        same = fread(bytes + part, 1, part, b) == got && memcmp(bytes, bytes + part, got) == 0;
    }
    same = same && !ferror(a) && !ferror(b);
    if (a)
        fclose(a);
    if (b)
        fclose(b);
    ja_arena_free(arena);
    return same;
}

#ifdef __SANITIZE_THREAD__
/* Asked by ThreadSanitizer at the start: the buffer that is spoken of below. */
const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void)
{
    return "race:_write_dcterms_created\n";
}
#endif

/* libxlsxwriter takes no notice when one of its temporary files cannot be written (on a full disk,
 * which is no longer full when the file is gone) nor, here and there, of memory that it did not
 * get: a workbook without some of its rows. Two that are equal lack nothing. They are made side by
 * side: the case is only read, and all that the library's books share is the time that gmtime fills
 * in, the same one for both. Should they differ, the second is made again, alone: one at a time
 * needs less room, and finds no such time half filled in. */
static bool write_file(const struct ja_case *item, const struct ja_report_options *options,
                       const char *path, const char **ret_error)
{
    struct ja_arena *arena = ja_arena_new();
    struct ja_tables tables;
    ja_tables_build(item, arena, &tables);
    struct copy copy = {item, options, &tables, path, NULL}, copies[2] = {copy, copy};
    const char *again = copies[1].path = ja_arena_print(arena, "%s.again", path);
    if (options->run)
        options->run(2, write_copy, copies);
    else
        write_copy(0, copies);
    bool good = !copies[0].error && !copies[1].error;
    bool same = good && options->run && same_bytes(path, again);
    if (good && !same) {
        write_copy(1, copies);
        good = !copies[1].error;
        same = good && same_bytes(path, again);
    }
    if (!good)
        *ret_error = copies[0].error ? copies[0].error : copies[1].error;
    else if (!same)
        *ret_error = "parts of it could not be written (is there room for temporary files?)";
    remove(again);
    ja_arena_free(arena);
    return same;
}

const struct ja_report ja_report_xlsx = {
    .name = "xlsx", .file_name = "workbook.xlsx", .write = write_file};
