/* SPDX-License-Identifier: MIT
 *
 * The table of runtime caps: formulas by hand, whom a row picks, broken tables, and that the
 * compiled-in table is share/caps.tsv to the byte.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/cap_table.h"
#include "model/quantity.h"

#define GIB ((double)JA_GIB)

static const struct ja_cap_values mac = {
    .ram = 64 * GIB, .rec = 60.8 * GIB, .cores = 10, .rss = 5 * GIB};

static double value_of(const char *formula)
{
    double value;
    if (!ja_cap_formula(formula, &mac, &value))
        fail_msg("\"%s\" does not read", formula);
    return value;
}

static void formulas(void **state)
{
    (void)state;
    assert_true(value_of("32 GiB") == 32 * GIB);
    assert_true(value_of("1 + 2 * 3") == 7);
    assert_true(value_of("(1 + 2) * 3 - 4 / 2") == 7);
    assert_true(value_of("8 - 3 - 2") == 3);
    assert_true(value_of("min(3, 2, 5)") == 2);
    assert_true(value_of("max( 3,2 , 5 )") == 5);
    assert_true(fabs(value_of("0.95 * rec") - 57.76 * GIB) < 1);
    assert_true(fabs(value_of("min(1.5 * rec, 0.95 * ram)") - 60.8 * GIB) < 1);
    assert_true(value_of("rss + 8 GiB") == 13 * GIB);
    assert_true(value_of("cores * 64 MiB") == 640.0 * (double)JA_MIB);
    assert_true(value_of("((((ram))))") == 64 * GIB);
    assert_true(isnan(value_of("1 / 0")));
}

static void unknown_variables_give_no_cap(void **state)
{
    (void)state;
    struct ja_cap_values none = {NAN, NAN, NAN, NAN};
    double value;
    assert_true(ja_cap_formula("min(rec, 8 GiB)", &none, &value));
    assert_true(isnan(value));
    assert_true(ja_cap_formula("8 GiB", &none, &value));
    assert_true(value == 8 * GIB);
}

static void broken_formulas(void **state)
{
    (void)state;
    static const char *const formulas[] = {"",        "ram *", "(ram",      "ram)",    "min()",
                                           "min ram", "1..2",  "-5",        "foo",     "ramx",
                                           "1 2",     "2 GB",  "system(1)", "min(1,)", "."};
    double value;
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
        if (ja_cap_formula(formulas[i], &mac, &value))
            fail_msg("\"%s\" was read", formulas[i]);
    char deep[201];
    memset(deep, '(', 200);
    deep[200] = '\0';
    assert_false(ja_cap_formula(deep, &mac, &value));
}

static bool picks(const char *match, const struct ja_cap_subject *subject)
{
    struct ja_cap_row row = {"cap", match, "1 GiB", "source"};
    return ja_cap_row_picks(&row, subject);
}

static void whom_a_row_is_about(void **state)
{
    (void)state;
    struct ja_cap_subject python = {
        .name = "Python", .command = "/opt/Torch/bin/python serve.py", .graphics = true};
    struct ja_cap_subject postgres = {.name = "postgres"};
    assert_true(picks("graphics", &python));
    assert_false(picks("graphics", &postgres)); /* no graphics share, no cap of Metal */
    assert_true(picks("graphics+path:torch", &python));
    assert_false(picks("graphics+path:jax", &python));
    assert_true(picks("name:java|name:python", &python));
    assert_false(picks("name:pyth", &python));
    assert_true(picks("name:pyth*", &python));
    assert_true(picks("name:*gres", &postgres));
    assert_false(picks("path:torch", &postgres));
    assert_false(picks("runtime:mlx", &python));
    python.runtime = "mlx";
    assert_true(picks("runtime:mlx", &python));
    assert_false(picks("nonsense|graphics", &python));
}

static void tables(void **state)
{
    (void)state;
    struct ja_arena *arena = ja_arena_new();
    struct ja_cap_row *rows;
    size_t count;
    int bad;
    assert_true(ja_cap_table_read("# note\n\ncap\tgraphics\t2 GiB\tmy own\r\n", arena, &rows,
                                  &count, &bad));
    assert_int_equal(count, 1);
    assert_string_equal(rows[0].source, "my own");
    assert_false(ja_cap_table_read("cap\tgraphics\t2 GiB\n"
                                   "a\tname:x\t2 GiB\ts\nb\tname:x\t2 Gib\ts",
                                   arena, &rows, &count, &bad));
    assert_int_equal(bad, 1);
    assert_int_equal(count, 1);
    assert_string_equal(rows[0].name, "a");
    assert_true(ja_cap_table_read("", arena, &rows, &count, &bad));
    assert_int_equal(count, 0);
    assert_true(ja_cap_table_read(ja_caps_builtin, arena, &rows, &count, &bad));
    assert_true(count >= 10);
    assert_string_equal(rows[0].name, "mlx_gc_limit");
    ja_arena_free(arena);
}

static void built_in_is_the_file(void **state)
{
    (void)state;
    static char text[1 << 16];
    FILE *file = fopen(JA_SOURCE_DIR "/share/caps.tsv", "rb");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    assert_string_equal(text, ja_caps_builtin);
}

static void working_sets(void **state)
{
    (void)state;
    double old, new;
    ja_working_set(64 * GIB, &old, &new);
    assert_true(old == 48 * GIB && fabs(new - 51.84 * GIB) < 1);
    ja_working_set(16 * GIB, &old, &new);
    assert_true(fabs(old - 32 * GIB / 3) < 1 && fabs(new - 11.84 * GIB) < 1);
    ja_working_set(128 * GIB, &old, &new);
    assert_true(isnan(old) && fabs(new - 107.52 * GIB) < 1);
    ja_working_set(20 * GIB, &old, &new);
    assert_true(isnan(old) && isnan(new));
    ja_working_set(NAN, &old, &new);
    assert_true(isnan(old) && isnan(new));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas),        cmocka_unit_test(unknown_variables_give_no_cap),
        cmocka_unit_test(broken_formulas), cmocka_unit_test(whom_a_row_is_about),
        cmocka_unit_test(tables),          cmocka_unit_test(built_in_is_the_file),
        cmocka_unit_test(working_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
