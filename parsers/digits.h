/* SPDX-License-Identifier: MIT
 *
 * Decimal digits in text, eight at a time: a word of eight characters tells how many digits it
 * begins with and what number they make, without a branch a digit.
 */
#ifndef JA_PARSERS_DIGITS_H
#define JA_PARSERS_DIGITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JA_DIGITS sizeof(uint64_t)                /* characters of a word */
#define JA_EACH_BYTE UINT64_C(0x0101010101010101) /* times a byte: that byte in all places */

#define JA_POWERS 19
extern const uint64_t ja_powers_of_ten[JA_POWERS]; /* 10^0 to 10^18 */

/* JA_DIGITS characters, the first in the lowest byte on every machine. */
static inline uint64_t ja_digits_load(const char *at)
{
    const unsigned char *b = (const unsigned char *)at;
    return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 |
           (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 |
           (uint64_t)b[7] << 56;
}

/* The characters less '0': 0 to 9 a digit, anything else is more. */
static inline uint64_t ja_digits_of(uint64_t word)
{
    return word ^ JA_EACH_BYTE * '0';
}

/* The top bits of those of eight bytes that are no digits; of bytes behind the first such one it
 * says nothing. */
static inline uint64_t ja_digits_others(uint64_t digits)
{
    return ((digits + JA_EACH_BYTE * 0x76) | digits) & JA_EACH_BYTE << 7;
}

/* The number that eight digits make, 0 to 9 a byte. Neighbours are joined to two digits, those to
 * four, those to eight. */
static inline uint64_t ja_digits_join(uint64_t digits)
{
    const uint64_t pairs = UINT64_C(0x000000FF000000FF);
    digits = digits * 10 + (digits >> 8);
    return ((digits & pairs) * UINT64_C(0x000F424000000064) +
            (digits >> 16 & pairs) * UINT64_C(0x0000271000000001)) >>
           32;
}

/* The number that the first count of them make, 0 for none; count is less than 8. */
static inline uint64_t ja_digits_first(uint64_t digits, size_t count)
{
    return ja_digits_join(digits << 8 * (7 - count) << 8);
}

/* A whole number ends here as programs print it: with a comma, a blank or a line end. What else is
 * no more than a comma belongs behind no number, and is found to be wrong there. */
static inline bool ja_digits_end(const char *at)
{
    return (unsigned char)*at <= ',';
}

/* Behind the digits of a whole number as programs print it, up to 15 of them; NULL where anything
 * else stands. JA_DIGITS_ROOM characters may be read. */
#define JA_DIGITS_ROOM (2 * JA_DIGITS + 1)
static inline const char *ja_digits_pass(const char *at, uint64_t *ret)
{
    uint64_t digits = ja_digits_of(ja_digits_load(at)), others = ja_digits_others(digits), first;
    if (others & 0x80)
        return NULL;
    if (others) {
        size_t count = (size_t)__builtin_ctzll(others) / 8;
        *ret = ja_digits_join(digits << (64 - 8 * count));
        return ja_digits_end(at + count) ? at + count : NULL;
    }
    first = ja_digits_join(digits);
    at += JA_DIGITS;
    digits = ja_digits_of(ja_digits_load(at));
    others = ja_digits_others(digits);
    if (!others)
        return NULL;
    size_t count = (size_t)__builtin_ctzll(others) / 8;
    *ret = first * ja_powers_of_ten[count] + ja_digits_first(digits, count);
    return ja_digits_end(at + count) ? at + count : NULL;
}

/* The same of a number that nobody asks for. */
static inline const char *ja_digits_skip(const char *at)
{
    uint64_t digits = ja_digits_of(ja_digits_load(at)), others = ja_digits_others(digits);
    if (others & 0x80)
        return NULL;
    if (!others) {
        at += JA_DIGITS;
        others = ja_digits_others(ja_digits_of(ja_digits_load(at)));
        if (!others)
            return NULL;
    }
    at += (size_t)__builtin_ctzll(others) / 8;
    return ja_digits_end(at) ? at : NULL;
}

#endif
