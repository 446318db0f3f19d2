/* SPDX-License-Identifier: MIT
 *
 * Decimal digits in text, eight at a time: a word of eight characters tells how many digits it
 * begins with and what number they make, without a branch a digit.
 */
#ifndef JA_PARSERS_DIGITS_H
#define JA_PARSERS_DIGITS_H

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

/* How many characters stand before the first that is no digit. */
static inline size_t ja_digits_count(uint64_t word)
{
    uint64_t digits = word ^ JA_EACH_BYTE * '0'; /* 0 to 9; anything else is more */
    uint64_t others = (((digits + JA_EACH_BYTE * 0x76) | digits) >> 7) & JA_EACH_BYTE;
    uint64_t before = (others - 1) & ~others & JA_EACH_BYTE; /* a bit a digit */
    return (size_t)(before * JA_EACH_BYTE >> 56);
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

/* The number that the first count characters make, all of them digits; count is 1 to 8. */
static inline uint64_t ja_digits_value(uint64_t word, size_t count)
{
    return ja_digits_join((word ^ JA_EACH_BYTE * '0') << (64 - 8 * count));
}

/* Behind the digits of a whole number as programs print it, up to 15 of them with a comma, blank or
 * line end behind; NULL where anything else stands. JA_DIGITS_ROOM characters may be read. Where
 * the number ends is found in few steps, as all that follows has to wait for it: of digits and what
 * may end them only digits have the bit 0x10. */
#define JA_DIGITS_ROOM (2 * JA_DIGITS + 1)
static inline const char *ja_digits_pass(const char *at, uint64_t *ret)
{
    const uint64_t bit = JA_EACH_BYTE * 0x10, six = JA_EACH_BYTE * 0x76, top = JA_EACH_BYTE * 0x80;
    uint64_t word = ja_digits_load(at), ends = ~word & bit, first = 0;
    if (*at < '0' || *at > '9' || (*at == '0' && (at[1] & 0x10)))
        return NULL;
    if (!ends) {
        first = word ^ JA_EACH_BYTE * '0';
        if (((first + six) | first) & top)
            return NULL;
        first = ja_digits_join(first);
        at += JA_DIGITS;
        word = ja_digits_load(at);
        ends = ~word & bit;
        if (!ends)
            return NULL;
    }
    size_t count = (size_t)__builtin_ctzll(ends) / 8;
    uint64_t digits = (word ^ JA_EACH_BYTE * '0') << 8 * (7 - count) << 8;
    if (((digits + six) | digits) & top || at[count] == '.' || (at[count] & 0x40))
        return NULL;
    *ret = first * ja_powers_of_ten[count] + ja_digits_join(digits);
    return at + count;
}

#endif
