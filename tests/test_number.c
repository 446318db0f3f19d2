/* SPDX-License-Identifier: MIT
 *
 * Numbers as text: exactly what printf and strtod would choose, for easy and for awkward ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/digits.h"
#include "reports/number.h"

#define ROUNDS 60000

static uint64_t state = 88172645463325252u;

static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void wanted_of(double value, char text[JA_NUMBER_TEXT])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, JA_NUMBER_TEXT, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            return;
    }
}

static void check_one(double value)
{
    char text[JA_NUMBER_TEXT], wanted[JA_NUMBER_TEXT];
    size_t length = ja_double_print(value, text);
    wanted_of(value, wanted);
    if (length != strlen(wanted) || memcmp(text, wanted, length) != 0)
        fail_msg("%a: \"%.*s\" for \"%s\"", value, (int)length, text, wanted);
}

/* The value, its neighbours, and all of them below 0. */
static void check(double value)
{
    double values[] = {value, nextafter(value, INFINITY), nextafter(value, 0)};
    for (size_t i = 0; i < 3; i++) {
        if (!isfinite(values[i]))
            continue;
        check_one(values[i]);
        check_one(-values[i]);
    }
}

static void edges(void **unused)
{
    (void)unused;
    check_one(0.0);
    for (int power = -330; power <= 308; power++)
        check(pow(10, power));
    for (int power = -1074; power <= 1023; power++)
        check(ldexp(1, power));
    for (int power = 1; power < 60; power++) /* ties: exact decimals that end in 5 */
        for (int odd = 1; odd < 40; odd += 2)
            check(ldexp(odd, -power) + (double)(odd % 7));
    static const double awkward[] = {9.5,
                                     99999.99999999999,
                                     0.99999999999999989,
                                     999999999999999.9,
                                     9.007199254740993e15,
                                     0.1 + 0.2,
                                     1.0 / 3,
                                     123456789012345.6,
                                     5e-324,
                                     1.7976931348623157e308,
                                     0.000099999999999999991};
    for (size_t i = 0; i < sizeof awkward / sizeof *awkward; i++)
        check(awkward[i]);
}

static void doubles_of_any_bits(void **unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t bits = next();
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
            check_one(value);
    }
}

/* Whole numbers divided by powers of ten and of two, by others, and as they come of sums. */
static void doubles_of_reports(void **unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        double whole = (double)(next() >> (11 + next() % 50));
        check_one(whole / pow(10, (double)(next() % 18)));
        check_one(ldexp(whole, -(int)(next() % 60)));
        check_one(whole / (double)(1 + next() % 100000));
        check_one(ldexp((double)(next() >> 11), (int)(next() % 66) - 66));
    }
}

static void wholes(void **unused)
{
    static const int64_t edges_of_wholes[] = {0, 9, 10, 99, 100, 101, INT64_MAX, INT64_MIN};
    char text[JA_NUMBER_TEXT], wanted[JA_NUMBER_TEXT];
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        int64_t value = i < 8 ? edges_of_wholes[i] : (int64_t)next() >> (next() % 63);
        size_t length = ja_whole_print(value, text);
        snprintf(wanted, sizeof wanted, "%lld", (long long)value);
        assert_int_equal(length, strlen(wanted));
        assert_memory_equal(text, wanted, length);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges),
        cmocka_unit_test(doubles_of_any_bits),
        cmocka_unit_test(doubles_of_reports),
        cmocka_unit_test(wholes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
