/* SPDX-License-Identifier: MIT
 *
 * Numbers of plain JSON, eight digits at a time, exact to the bit.
 */
#include "parsers/pull.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "parsers/digits.h"

#define LONGEST_NUMBER 60                 /* cJSON 1.7.15 cuts numbers at 63 characters */
#define LARGEST_WHOLE (UINT64_C(1) << 53) /* up to here a double holds every whole number */
#define MOST_DIGITS 19                    /* of a mantissa: always below 2^64 */
#define MOST_DECIMALS 22                  /* 10^22 is the last power that a double holds */
#define NEAR_DECIMALS 18                  /* four times this power is below 2^64 */

#if (FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 1) && DBL_MANT_DIG == 53
#define DIVISION_IS_EXACT true
#else
#define DIVISION_IS_EXACT false /* x87: a quotient is rounded twice */
#endif

const uint64_t ja_powers_of_ten[JA_POWERS] = {1,
                                              10,
                                              100,
                                              1000,
                                              10000,
                                              100000,
                                              1000000,
                                              10000000,
                                              100000000,
                                              1000000000,
                                              10000000000,
                                              100000000000,
                                              1000000000000,
                                              10000000000000,
                                              100000000000000,
                                              1000000000000000,
                                              10000000000000000,
                                              100000000000000000,
                                              1000000000000000000};

/* What a number's characters say; the mantissa wraps where there are too many digits. */
struct number {
    const char *start, *at, *end;
    uint64_t mantissa;
    size_t digits;
    size_t decimals;
    bool exponent;
};

static bool read_digits(struct number *n)
{
    const char *first = n->at;
    size_t count = JA_DIGITS;
    while (count == JA_DIGITS && (size_t)(n->end - n->at) >= JA_DIGITS) {
        uint64_t word = ja_digits_load(n->at);
        count = ja_digits_count(word);
        if (count)
            n->mantissa = n->mantissa * ja_powers_of_ten[count] + ja_digits_value(word, count);
        n->at += count;
    }
    for (; count == JA_DIGITS && n->at < n->end && *n->at >= '0' && *n->at <= '9'; n->at++)
        n->mantissa = n->mantissa * 10 + (uint64_t)(*n->at - '0');
    n->digits += (size_t)(n->at - first);
    return n->at > first;
}

static bool read_exponent(struct number *n)
{
    n->exponent = true;
    n->at++;
    if (n->at < n->end && (*n->at == '-' || *n->at == '+'))
        n->at++;
    return read_digits(n);
}

static double power_of_ten(size_t n)
{
    return n <= NEAR_DECIMALS ? (double)ja_powers_of_ten[n]
                              : (double)ja_powers_of_ten[NEAR_DECIMALS] *
                                    (double)ja_powers_of_ten[n - NEAR_DECIMALS];
}

/* The double nearest to mantissa / 10^decimals where the mantissa is no double: what programs print
 * with 17 digits. The quotient of the two roundings, q = m * 2^-shift with 53 bits in m, is off by
 * less than 1.6 of its last bit. How far, in units of a last bit's 10^decimals-th, is the whole
 * number mantissa * 2^shift - m * 10^decimals: it is small, so it may be computed modulo 2^64. Half
 * a bit or less of it is what the nearest double leaves. False where another way has to tell: at
 * halves, and next to a power of two. */
static bool nearest_quotient(uint64_t mantissa, size_t decimals, double *ret)
{
    uint64_t power = ja_powers_of_ten[decimals], bits;
    double quotient = (double)mantissa / (double)power;
    memcpy(&bits, &quotient, sizeof bits);
    uint64_t m = (bits & (LARGEST_WHOLE / 2 - 1)) | LARGEST_WHOLE / 2;
    uint64_t shift = 1075 - (bits >> 52);
    if (quotient >= (double)(LARGEST_WHOLE / 2) || m == LARGEST_WHOLE / 2)
        return false;
    uint64_t halves = 2 * ((mantissa << shift) - m * power + 2 * power); /* 4 powers: no error */
    if (halves <= power || halves == 3 * power || halves == 5 * power || halves >= 7 * power)
        return false;
    bits = bits + (uint64_t)(halves > 5 * power) - (uint64_t)(halves < 3 * power);
    memcpy(ret, &bits, sizeof bits);
    return true;
}

/* Whole numbers, and quotients that are known to the last bit; the rest is left to strtod. */
static double number_value(const struct number *n, bool negative)
{
    double value;
    bool plain = n->digits <= MOST_DIGITS && !n->exponent;
    bool whole = n->mantissa <= LARGEST_WHOLE && n->decimals <= MOST_DECIMALS;
    if (plain && n->decimals == 0 && whole) {
        value = (double)n->mantissa;
    } else if (plain && DIVISION_IS_EXACT && whole) {
        value = (double)n->mantissa / power_of_ten(n->decimals);
    } else if (!plain || !DIVISION_IS_EXACT || n->decimals == 0 || n->decimals > NEAR_DECIMALS ||
               !nearest_quotient(n->mantissa, n->decimals, &value)) {
        char copy[LONGEST_NUMBER + 1]; /* the program never leaves the C locale */
        size_t length = (size_t)(n->at - n->start);
        memcpy(copy, n->start, length);
        copy[length] = '\0';
        return strtod(copy, NULL);
    }
    return negative ? -value : value;
}

static bool decline(struct ja_pull *pull)
{
    pull->declined = true;
    return false;
}

bool ja_pull_number(struct ja_pull *pull, struct ja_pull_value *ret)
{
    if (ja_pull_short(pull, ret))
        return true;
    struct number n = {.start = pull->at, .at = pull->at, .end = pull->end};
    bool negative = *n.at == '-';
    n.at += negative;
    bool zero = n.at < n.end && *n.at == '0';
    const char *first = n.at;
    if (!read_digits(&n) || (zero && n.at > first + 1))
        return decline(pull);
    if (n.at < n.end && *n.at == '.') {
        const char *point = n.at++;
        if (!read_digits(&n))
            return decline(pull);
        n.decimals = (size_t)(n.at - point - 1);
    }
    if (n.at < n.end && (*n.at == 'e' || *n.at == 'E') && !read_exponent(&n))
        return decline(pull);
    if (n.at - n.start > LONGEST_NUMBER)
        return decline(pull);
    ja_pull_set_number(ret, number_value(&n, negative));
    pull->at = n.at;
    return true;
}
