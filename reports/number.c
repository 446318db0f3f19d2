/* SPDX-License-Identifier: MIT
 *
 * Between 0.0001 and 10^15, where nearly all doubles of a report lie, the digits are worked out in
 * whole numbers: value is mantissa * 2^exponent, so that value * 10^scale is mantissa * 5^scale
 * divided by a power of two, and what that division leaves says which way to round and whether
 * fewer digits still read back. All else is left to printf.
 */
#include "reports/number.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST 1e-4
#define BEYOND 1e15
#define MANTISSA_BITS 53
#define MOST_DIGITS 17
#define ALL_DIGITS UINT64_C(100000000000000000) /* 10^17 */
#define LOG10_2 0.30103

/* value * 10^scale = digits + rest / 2^shift */
struct decimal {
    uint64_t digits; /* MOST_DIGITS of them */
    uint64_t rest;
    int shift;     /* 1 to 46 */
    uint64_t step; /* to the next double, as rest is counted: 5^scale */
    int point;     /* power of ten of the first digit */
};

/* The product's upper and lower 64 bits. */
static uint64_t multiply(uint64_t a, uint64_t b, uint64_t *ret_low)
{
    uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
    uint64_t low = a_low * b_low;
    uint64_t middle = a_high * b_low + (low >> 32);
    uint64_t other = a_low * b_high + (uint32_t)middle;
    *ret_low = other << 32 | (uint32_t)low;
    return a_high * b_high + (middle >> 32) + (other >> 32);
}

static uint64_t power_of_five(int power)
{
    uint64_t result = 1;
    for (uint64_t base = 5; power; power >>= 1, base *= base)
        result *= power & 1 ? base : 1;
    return result;
}

static void scale_to(uint64_t mantissa, int exponent, struct decimal *d)
{
    int scale = MOST_DIGITS - 1 - d->point;
    uint64_t low;
    d->step = power_of_five(scale);
    d->shift = -(exponent + scale);
    uint64_t high = multiply(mantissa, d->step, &low);
    d->digits = high << (64 - d->shift) | low >> d->shift;
    d->rest = low & ((UINT64_C(1) << d->shift) - 1);
}

/* False for values that printf is left to. */
static bool split(double value, struct decimal *ret)
{
    int exponent;
    if (!(value >= LEAST && value < BEYOND))
        return false;
    uint64_t mantissa = (uint64_t)ldexp(frexp(value, &exponent), MANTISSA_BITS);
    if (mantissa == UINT64_C(1) << (MANTISSA_BITS - 1))
        return false; /* a power of two: the doubles below it lie closer */
    exponent -= MANTISSA_BITS;
    ret->point = (int)floor((exponent + MANTISSA_BITS - 1) * LOG10_2);
    scale_to(mantissa, exponent, ret);
    if (ret->digits >= ALL_DIGITS) {
        ret->point++;
        scale_to(mantissa, exponent, ret);
    }
    return true;
}

/* Rounds to a multiple of unit (1, 10, 100), half to even. True when that reads back. */
static bool round_to(const struct decimal *d, uint64_t unit, uint64_t *ret)
{
    uint64_t left = d->digits % unit, whole = d->digits / unit;
    uint64_t half = unit == 1 ? UINT64_C(1) << (d->shift - 1) : 0;
    bool up = left > unit / 2 || (left == unit / 2 && d->rest > half);
    bool tie = left == unit / 2 && d->rest == half;
    whole += up || (tie && whole % 2 == 1);
    *ret = whole;
    int64_t moved = (int64_t)(whole * unit - d->digits);
    int64_t error = moved * (INT64_C(1) << d->shift) - (int64_t)d->rest;
    return 2 * (uint64_t)llabs(error) < d->step;
}

/* digits (count of them, the first worth 10^point) in plain notation. */
static size_t lay_out(uint64_t digits, int count, int point, char *text)
{
    char figures[JA_NUMBER_TEXT];
    for (; digits % 10 == 0; digits /= 10)
        count--;
    for (int i = count; i-- > 0; digits /= 10)
        figures[i] = (char)('0' + digits % 10);
    size_t length = 0;
    for (int i = point < 0 ? point : 0; i < count || i <= point; i++) {
        if (i == point + 1)
            text[length++] = '.';
        text[length++] = i < 0 || i >= count ? '0' : figures[i];
    }
    return length;
}

static size_t print_slowly(double value, char text[JA_NUMBER_TEXT])
{
    for (int digits = MOST_DIGITS - 2; digits <= MOST_DIGITS; digits++) {
        snprintf(text, JA_NUMBER_TEXT, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return strlen(text);
}

size_t ja_double_print(double value, char text[JA_NUMBER_TEXT])
{
    struct decimal decimal;
    size_t sign = value < 0;
    if (!split(fabs(value), &decimal))
        return print_slowly(value, text);
    uint64_t unit = 100, digits;
    int count = MOST_DIGITS - 2;
    while (!round_to(&decimal, unit, &digits) && unit > 1) {
        unit /= 10;
        count++;
    }
    if (sign)
        text[0] = '-';
    if (digits * unit == ALL_DIGITS) { /* 99.9 became 100 */
        decimal.point++;
        count++;
    }
    return sign + lay_out(digits, count, decimal.point, text + sign);
}
