/* SPDX-License-Identifier: MIT
 *
 * Cells of the workbook: what may stand in them, and as what.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>
#include <math.h>

#include "reports/xlsx.h"

static struct ja_book new_book(const char *path)
{
    struct ja_book book = {.arena = ja_arena_new(), .workbook = workbook_new(path)};
    assert_non_null(book.workbook);
    assert_non_null(workbook_add_worksheet(book.workbook, "Growth"));
    ja_book_styles(&book);
    return book;
}

static void end_book(struct ja_book *book)
{
    lxw_workbook_free(book->workbook);
    ja_arena_free(book->arena);
}

static const lxw_cell *cell_at(lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column)
{
    lxw_row *found = lxw_worksheet_find_row(sheet, row);
    return found ? lxw_worksheet_find_cell_in_row(found, column) : NULL;
}

static void numbers_that_are_none_leave_the_cell_empty(void **state)
{
    (void)state;
    struct ja_book book = new_book("/tmp/unused.xlsx");
    lxw_worksheet *sheet = ja_book_sheet(&book, "Growth");
    ja_book_number(&book, sheet, 0, 0, NAN, JA_STYLE_NUMBER);
    ja_book_number(&book, sheet, 0, 1, INFINITY, JA_STYLE_NUMBER);
    ja_book_whole(&book, sheet, 0, 2, JA_UNKNOWN, JA_STYLE_BYTES);
    ja_book_gib(&book, sheet, 0, 3, JA_UNKNOWN, 0);
    ja_book_time(&book, sheet, 0, 4, NULL);
    ja_book_text(&book, sheet, 0, 5, NULL, JA_STYLE_TEXT);
    for (lxw_col_t c = 0; c < 6; c++)
        assert_null(cell_at(sheet, 0, c));
    ja_book_number(&book, sheet, 0, 0, 0, JA_STYLE_NUMBER);
    assert_int_equal(cell_at(sheet, 0, 0)->type, NUMBER_CELL);
    assert_int_equal(book.error, LXW_NO_ERROR);
    end_book(&book);
}

static void integers_beyond_a_double_are_text(void **state)
{
    (void)state;
    struct ja_book book = new_book("/tmp/unused.xlsx");
    lxw_worksheet *sheet = ja_book_sheet(&book, "Growth");
    int64_t last = INT64_C(1) << 53;
    ja_book_whole(&book, sheet, 1, 0, last, JA_STYLE_BYTES);
    ja_book_whole(&book, sheet, 1, 1, last + 1, JA_STYLE_BYTES);
    ja_book_whole(&book, sheet, 1, 2, -last - 1, JA_STYLE_BYTES);
    assert_int_equal(cell_at(sheet, 1, 0)->type, NUMBER_CELL);
    assert_int_equal(cell_at(sheet, 1, 1)->type, STRING_CELL);
    assert_int_equal(cell_at(sheet, 1, 2)->type, STRING_CELL);
    end_book(&book);
}

static void text_that_looks_like_a_formula_is_text(void **state)
{
    (void)state;
    static const char *const texts[] = {"=1+1", "+1", "-1", "@x", "{=1}", "http://a.example",
                                        "1e5"};
    struct ja_book book = new_book("/tmp/unused.xlsx");
    lxw_worksheet *sheet = ja_book_sheet(&book, "Growth");
    for (lxw_row_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ja_book_text(&book, sheet, i, 0, texts[i], JA_STYLE_TEXT);
        assert_int_equal(cell_at(sheet, i, 0)->type, STRING_CELL);
    }
    assert_int_equal(book.error, LXW_NO_ERROR);
    end_book(&book);
}

static void long_text_fits_into_a_cell(void **state)
{
    (void)state;
    struct ja_book book = new_book("/tmp/unused.xlsx");
    lxw_worksheet *sheet = ja_book_sheet(&book, "Growth");
    char *text = ja_arena_alloc(book.arena, 70001, 1);
    for (size_t i = 0; i + 7 <= 70000; i += 7)
        for (size_t k = 0; k < 7; k++)
            text[i + k] = "_x0041_"[k]; /* each is escaped: twice as long */
    ja_book_text(&book, sheet, 0, 0, text, JA_STYLE_TEXT);
    assert_int_equal(book.error, LXW_NO_ERROR);
    assert_int_equal(cell_at(sheet, 0, 0)->type, STRING_CELL);
    end_book(&book);
}

static void days_and_lines(void **state)
{
    (void)state;
    assert_true(fabs(ja_book_days(0) - 25569) < 1e-9);
    assert_true(fabs(ja_book_days(INT64_C(1791763200) * 1000000000) - 46307) <
                1e-9); /* 2026-10-12 */
    assert_int_equal(ja_book_lines("", 10), 1);
    assert_int_equal(ja_book_lines("0123456789", 10), 1);
    assert_int_equal(ja_book_lines("0123456789a", 10), 2);
    assert_int_equal(ja_book_lines("\xc3\xa4\xc3\xa4\xc3\xa4", 3), 1); /* characters, not bytes */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_that_are_none_leave_the_cell_empty),
        cmocka_unit_test(integers_beyond_a_double_are_text),
        cmocka_unit_test(text_that_looks_like_a_formula_is_text),
        cmocka_unit_test(long_text_fits_into_a_cell),
        cmocka_unit_test(days_and_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
