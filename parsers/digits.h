/* SPDX-License-Identifier: MIT
 *
 * Decimal digits in text, eight at a time: a word of eight characters tells how many digits it
 * begins with and what number they make, without a branch a digit.
 */
#ifndef JA_PARSERS_DIGITS_H
#define JA_PARSERS_DIGITS_H

#include <stddef.h>
#include <stdint.h>

#define JA_DIGITS sizeof(uint64_t)                  /* characters of a word */
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

/* The number that the first count characters make, all of them digits; count is 1 to 8. Neighbours
 * are joined to two digits, those to four, those to eight. */
static inline uint64_t ja_digits_value(uint64_t word, size_t count)
{
    const uint64_t pairs = UINT64_C(0x000000FF000000FF);
    uint64_t digits = (word ^ JA_EACH_BYTE * '0') << (64 - 8 * count);
    digits = digits * 10 + (digits >> 8);
    return ((digits & pairs) * UINT64_C(0x000F424000000064) +
            (digits >> 16 & pairs) * UINT64_C(0x0000271000000001)) >>
           32;
}

#endif
