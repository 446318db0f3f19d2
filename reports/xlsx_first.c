/* SPDX-License-Identifier: MIT
 *
 * The workbook: the sheet that is read first. What the evidence says, what it cannot answer, what
 * to collect next, and what was not read or left out.
 */
#include "reports/xlsx.h"

#include <string.h>

#include "reports/text.h"

#define MOST_QUESTIONS 12
#define MOST_UNDECIDED 5
#define MOST_PROPOSALS 12
#define MOST_FILES 12
#define HEADER_ROW 3

enum { NUMBER, SEVERITY, GRADE, FINDING, WHY, EVIDENCE, COLUMNS };

static const struct {
    const char *title;
    double width;
} columns[COLUMNS] = {{"#", 7},        {"Severity", 11},       {"Grade", 18},
                      {"Finding", 74}, {"Why this grade", 58}, {"Evidence", 13}};

struct page {
    struct ja_book *book;
    lxw_worksheet *sheet;
    lxw_row_t row;
};

/* ---- parts ----------------------------------------------------------------------------------- */

static void put_blanks(struct page *page, lxw_row_t row, enum ja_style style)
{
    for (lxw_col_t c = 0; c < COLUMNS; c++)
        ja_book_check(page->book,
                      worksheet_write_blank(page->sheet, row, c, page->book->styles[style]));
}

static void put_section(struct page *page, const char *title)
{
    page->row++;
    put_blanks(page, page->row, JA_STYLE_SECTION);
    ja_book_text(page->book, page->sheet, page->row++, 0, title, JA_STYLE_SECTION);
}

static void put_finding(struct page *page, size_t index)
{
    struct ja_book *book = page->book;
    const struct ja_finding *f = &book->item->findings[index];
    const char *statement = ja_placed(book->item, book->arena, f->host, f->statement);
    lxw_row_t row = page->row++;
    put_blanks(page, row, JA_STYLE_TEXT);
    book->finding_rows[index] = row;
    ja_book_text(book, page->sheet, row, NUMBER, ja_arena_print(book->arena, "F%02zu", index + 1),
                 JA_STYLE_BOLD);
    ja_book_text(book, page->sheet, row, SEVERITY, ja_severity_word(f->severity), JA_STYLE_TEXT);
    ja_book_text(book, page->sheet, row, GRADE, ja_grade_word(f->grade), JA_STYLE_TEXT);
    ja_book_text(book, page->sheet, row, FINDING, statement, JA_STYLE_WRAP);
    ja_book_text(book, page->sheet, row, WHY, f->why, JA_STYLE_WRAP);
    ja_book_refs(book, page->sheet, row, EVIDENCE, f->cites, f->cite_count);
    int left = ja_book_lines(statement, columns[FINDING].width);
    int right = ja_book_lines(f->why, columns[WHY].width);
    ja_book_height(book, page->sheet, row, left > right ? left : right);
}

/* A line with an optional first cell; its text stands in the columns Finding and Why. */
static void put_line(struct page *page, const char *mark, const char *left, const char *right)
{
    struct ja_book *book = page->book;
    put_blanks(page, page->row, JA_STYLE_TEXT);
    ja_book_text(book, page->sheet, page->row, NUMBER, mark, JA_STYLE_TEXT);
    ja_book_text(book, page->sheet, page->row, FINDING, left, JA_STYLE_WRAP);
    ja_book_text(book, page->sheet, page->row, WHY, right, JA_STYLE_WRAP);
    int a = ja_book_lines(left, columns[FINDING].width);
    int b = ja_book_lines(right, columns[WHY].width);
    ja_book_height(book, page->sheet, page->row++, a > b ? a : b);
}

/* ---- the title ------------------------------------------------------------------------------- */

static void put_title(struct page *page)
{
    struct ja_book *book = page->book;
    const struct ja_instant *first, *last;
    ja_evidence_range(book->item, &first, &last);
    ja_book_text(book, page->sheet, 0, 0, "What the memory evidence says", JA_STYLE_TITLE);
    ja_book_check(book, worksheet_set_row(page->sheet, 0, 24, NULL));
    ja_book_text(book, page->sheet, 1, 0, ja_book_hosts(book), JA_STYLE_LEAD);
    ja_book_text(
        book, page->sheet, 2, 0,
        ja_arena_print(book->arena, "Evidence %s%s%s; %s. Times are UTC; GiB = 2^30 bytes.",
                       first ? ja_when(book->arena, first) : "without times", first ? " to " : "",
                       first ? ja_when(book->arena, last) : "", ja_book_files(book)),
        JA_STYLE_LEAD);
    for (lxw_col_t c = 0; c < COLUMNS; c++) {
        ja_book_check(book, worksheet_set_column(page->sheet, c, c, columns[c].width, NULL));
        ja_book_header(book, page->sheet, HEADER_ROW, c, columns[c].title, false);
    }
    page->row = HEADER_ROW + 1;
}

/* ---- below the findings ---------------------------------------------------------------------- */

static void put_links(struct page *page)
{
    struct ja_book *book = page->book;
    if (!book->growth_drawn && !book->books_drawn)
        return;
    page->row++;
    ja_book_text(book, page->sheet, page->row, NUMBER, "See", JA_STYLE_BOLD);
    if (book->growth_drawn)
        ja_book_link(book, page->sheet, page->row, FINDING, "Growth", book->growth_chart_row,
                     book->growth_chart_column, "Chart: memory of the processes over time");
    if (book->books_drawn)
        ja_book_link(book, page->sheet, page->row, WHY, "Books vs physical", book->books_chart_row,
                     book->books_chart_column, "Chart: books against physical use, and the bridge");
    page->row++;
}

/* Whether some state of the evidence tells a figure. */
static bool is_told(const struct ja_case *item, enum ja_figure figure)
{
    for (size_t i = 0; i < item->state_count; i++)
        if (item->states[i].figures[figure] != JA_UNKNOWN)
            return true;
    return false;
}

static bool has_books(const struct ja_case *item)
{
    for (size_t i = 0; i < item->state_count; i++)
        if (item->states[i].books.known)
            return true;
    return false;
}

/* Questions that everybody asks, where the evidence holds nothing to answer them with. */
static size_t put_silences(struct page *page)
{
    const struct ja_case *item = page->book->item;
    const struct ja_instant *first, *last;
    ja_evidence_range(item, &first, &last);
    const struct {
        bool known;
        const char *question, *why;
    } silences[] = {
        {first != NULL, "When did it happen?", "no reading and no event carries a time"},
        {has_books(item), "Who held the memory, of all processes together?",
         "no process table is in the evidence"},
        {is_told(item, JA_FIGURE_USED), "How much was really in RAM?",
         "no system figures (page classes, vm_stat, meminfo) are in the evidence"},
        {is_told(item, JA_FIGURE_SWAP_USED), "How much swap was in use?",
         "no swap figure is in the evidence (macOS: sysctl vm.swapusage; Linux: /proc/meminfo)"},
    };
    size_t count = 0;
    for (size_t i = 0; i < sizeof silences / sizeof *silences; i++) {
        if (silences[i].known)
            continue;
        put_line(page, NULL, silences[i].question, silences[i].why);
        count++;
    }
    return count;
}

/* It grew for sure, but whether it still does is another question. */
static size_t put_undecided_growth(struct page *page)
{
    const struct ja_case *item = page->book->item;
    size_t count = 0;
    for (size_t i = 0; i < item->finding_count && count < MOST_UNDECIDED; i++) {
        const struct ja_finding *f = &item->findings[i];
        if (strcmp(f->rule, "growing") != 0 || f->process == JA_NONE || f->metric < 0 ||
            f->severity == JA_REMARK)
            continue;
        const struct ja_series *s = ja_process_series(item, f->process, (enum ja_metric)f->metric);
        if (!s || s->growth->verdict != JA_CANNOT_TELL)
            continue;
        put_line(page, ja_arena_print(page->book->arena, "F%02zu", i + 1),
                 ja_placed(page->book->item, page->book->arena, f->host,
                           ja_arena_print(page->book->arena, "Does %s go on growing (%s)?",
                                          ja_process_text(item, f->process),
                                          ja_metrics[f->metric].name)),
                 ja_reason_text(s->growth->reason));
        count++;
    }
    return count;
}

static void put_questions(struct page *page)
{
    const struct ja_case *item = page->book->item;
    put_section(page, "What this evidence cannot answer (right: why not)");
    size_t all = 0, before = put_silences(page) + put_undecided_growth(page);
    for (size_t i = 0; i < item->finding_count; i++) {
        const struct ja_finding *f = &item->findings[i];
        if (f->grade == JA_CANNOT && ++all <= MOST_QUESTIONS)
            put_line(page, ja_arena_print(page->book->arena, "F%02zu", i + 1),
                     ja_placed(page->book->item, page->book->arena, f->host, f->statement), f->why);
    }
    if (!all && !before)
        put_line(page, NULL, "No question that the rules ask was left undecided.", NULL);
    if (all > MOST_QUESTIONS)
        put_line(page, NULL,
                 ja_arena_print(page->book->arena, "%zu more are among the further findings below.",
                                all - MOST_QUESTIONS),
                 NULL);
}

/* The findings that propose the same step, and of whom the first speaks. */
static const char *proposers(const struct page *page, size_t index)
{
    const struct ja_case *item = page->book->item;
    const char *all = "";
    size_t count = 0;
    for (size_t i = index; i < item->finding_count; i++) {
        if (!item->findings[i].next_step ||
            strcmp(item->findings[i].next_step, item->findings[index].next_step) != 0)
            continue;
        if (count++ < 6)
            all = ja_arena_print(page->book->arena, "%s%sF%02zu", all, *all ? ", " : "for ", i + 1);
    }
    if (count > 6)
        return ja_arena_print(page->book->arena, "%s and %zu more", all, count - 6);
    uint32_t process = item->findings[index].process;
    return count > 1 || process == JA_NONE
               ? all
               : ja_arena_print(page->book->arena, "%s: %s", all, ja_process_text(item, process));
}

static bool is_proposed(const struct ja_case *item, const size_t *steps, size_t count, size_t index)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(item->findings[steps[i]].next_step, item->findings[index].next_step) == 0)
            return true;
    return false;
}

/* What the findings above propose, then what would settle an undecided one. */
static void put_proposals(struct page *page, const size_t *first, size_t first_count)
{
    const struct ja_case *item = page->book->item;
    size_t steps[MOST_PROPOSALS], count = 0;
    put_section(page, "What to collect next");
    for (size_t i = 0; i < first_count + item->finding_count && count < MOST_PROPOSALS; i++) {
        size_t index = i < first_count ? first[i] : i - first_count;
        const struct ja_finding *f = &item->findings[index];
        bool wanted = i < first_count || f->grade == JA_CANNOT;
        if (!wanted || !f->next_step || is_proposed(item, steps, count, index))
            continue;
        steps[count++] = index;
        put_line(page, ja_arena_print(page->book->arena, "%zu", count), f->next_step,
                 proposers(page, index));
    }
    if (!count)
        put_line(page, NULL, "Nothing is proposed.", NULL);
}

/* Files that gave less than they hold, and tables that were cut. */
static void put_limits(struct page *page)
{
    const struct ja_case *item = page->book->item;
    size_t count = 0, all = 0;
    put_section(page, "Not read, or left out of this workbook");
    for (size_t i = 0; i < item->source_count; i++) {
        const struct ja_evidence *e = item->sources[i].evidence;
        if (e->status < JA_STATUS_PARTLY || ++all > MOST_FILES)
            continue;
        put_line(page, ja_status_word(e->status), e->path, e->why);
        count++;
    }
    if (all > count)
        put_line(
            page, NULL,
            ja_arena_print(page->book->arena, "%zu more files: see the sheet Files.", all - count),
            NULL);
    for (int i = 0; i < JA_TABLE_COUNT; i++) {
        const struct ja_table *table = &page->book->tables.tables[i];
        if (!table->left_out)
            continue;
        all++;
        put_line(page, NULL,
                 ja_arena_print(page->book->arena, "Sheet %s: %zu rows shown, %zu left out.",
                                table->title, table->row_count, table->left_out),
                 "all of them with --format json,ndjson");
    }
    if (!all)
        put_line(page, NULL, "Every file was read, and every table is complete.", NULL);
}

static void put_rest(struct page *page, const size_t *first, size_t count)
{
    const struct ja_case *item = page->book->item;
    bool *shown = ja_findings_shown(item, page->book->arena);
    size_t left_out = 0;
    for (size_t i = 0; i < count; i++)
        shown[first[i]] = false; /* it stands above */
    if (item->finding_count == count)
        return;
    put_section(page, "Further findings");
    lxw_row_t begin = page->row;
    for (size_t i = 0; i < item->finding_count; i++) {
        if (shown[i])
            put_finding(page, i);
        else
            left_out += !page->book->finding_rows[i];
    }
    ja_book_colors(page->book, page->sheet, begin, page->row, SEVERITY);
    ja_book_colors(page->book, page->sheet, begin, page->row, GRADE);
    if (left_out)
        put_line(
            page, NULL,
            ja_arena_print(page->book->arena, "%zu more findings, none of more weight.", left_out),
            "all of them with --format json");
}

void ja_book_first(struct ja_book *book, lxw_worksheet *sheet)
{
    struct page page = {book, sheet, 0};
    size_t first[JA_MOST_FIRST_FINDINGS];
    size_t count = ja_findings_choose(book->item, first, JA_MOST_FIRST_FINDINGS);
    put_title(&page);
    for (size_t i = 0; i < count; i++)
        put_finding(&page, first[i]);
    if (count) {
        ja_book_check(book, worksheet_autofilter(sheet, HEADER_ROW, 0, page.row - 1, COLUMNS - 1));
        ja_book_colors(book, sheet, HEADER_ROW + 1, page.row - 1, SEVERITY);
        ja_book_colors(book, sheet, HEADER_ROW + 1, page.row - 1, GRADE);
    } else {
        put_line(&page, NULL, "No rule had anything to say about this evidence.", NULL);
    }
    put_links(&page);
    put_questions(&page);
    put_proposals(&page, first, count);
    put_limits(&page);
    put_rest(&page, first, count);
    worksheet_freeze_panes(sheet, HEADER_ROW + 1, 0);
    ja_book_page(book, sheet, HEADER_ROW, page.row, COLUMNS - 1);
}
