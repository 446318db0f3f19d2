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

/* Behind the digits at at, which are put behind those of the mantissa. It wraps where there are too
 * many. */
static inline const char *pass_digits(const char *at, const char *end, uint64_t *mantissa)
{
    for (; (size_t)(end - at) >= JA_DIGITS; at += JA_DIGITS) {
        uint64_t digits = ja_digits_of(ja_digits_load(at)), others = ja_digits_others(digits);
        if (others) {
            size_t count = (size_t)__builtin_ctzll(others) / 8;
            *mantissa = *mantissa * ja_powers_of_ten[count] + ja_digits_first(digits, count);
            return at + count;
        }
        *mantissa = *mantissa * ja_powers_of_ten[JA_DIGITS] + ja_digits_join(digits);
    }
    for (; at < end && *at >= '0' && *at <= '9'; at++)
        *mantissa = *mantissa * 10 + (uint64_t)(*at - '0');
    return at;
}

/* Behind the exponent whose letter stands at at; NULL when it has no digits. */
static const char *pass_exponent(const char *at, const char *end)
{
    at++;
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    const char *first = at;
    while (at < end && *at >= '0' && *at <= '9')
        at++;
    return at > first ? at : NULL;
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

/* mantissa / 10^decimals to the last bit; false where that is not easily known. */
static bool plain_value(uint64_t mantissa, size_t decimals, double *ret)
{
    if (mantissa <= LARGEST_WHOLE && decimals == 0)
        *ret = (double)mantissa;
    else if (!DIVISION_IS_EXACT || decimals == 0)
        return false;
    else if (mantissa <= LARGEST_WHOLE && decimals <= MOST_DECIMALS)
        *ret = (double)mantissa / power_of_ten(decimals);
    else
        return decimals <= NEAR_DECIMALS && nearest_quotient(mantissa, decimals, ret);
    return true;
}

/* Out of line: hardly any number comes here. */
static __attribute__((noinline)) double converted(const char *text, size_t length)
{
    char copy[LONGEST_NUMBER + 1]; /* the program never leaves the C locale */
    memcpy(copy, text, length);
    copy[length] = '\0';
    return strtod(copy, NULL);
}

const char *ja_pull_pass_number(const char *at, const char *end, double *ret)
{
    const char *start = at, *first = at + (*at == '-');
    uint64_t mantissa = 0;
    size_t decimals = 0;
    at = pass_digits(first, end, &mantissa);
    if (at == first || (*first == '0' && at > first + 1))
        return NULL;
    if (at < end && *at == '.') {
        const char *point = at;
        at = pass_digits(point + 1, end, &mantissa);
        decimals = (size_t)(at - point - 1);
        if (decimals == 0)
            return NULL;
    }
    bool plain = at - first - (decimals > 0) <= MOST_DIGITS;
    if (at < end && (*at == 'e' || *at == 'E')) {
        at = pass_exponent(at, end);
        plain = false;
    }
    if (!at || at - start > LONGEST_NUMBER)
        return NULL;
    double value;
    if (!plain || !plain_value(mantissa, decimals, &value))
        value = converted(first, (size_t)(at - first));
    *ret = first > start ? -value : value;
    return at;
}

bool ja_pull_number(struct ja_pull *pull, struct ja_pull_value *ret)
{
    double value;
    if (ja_pull_short(pull, ret))
        return true;
    const char *behind = ja_pull_pass_number(pull->at, pull->end, &value);
    if (!behind) {
        pull->declined = true;
        return false;
    }
    ja_pull_set_number(ret, value);
    pull->at = behind;
    return true;
}
