/* SPDX-License-Identifier: MIT
 *
 * Length-counted scanning of hostile text: nothing here reads past the end, accepts a sign or a
 * blank it was not asked for, or wraps. All return false and leave results untouched on failure.
 */
#ifndef JA_PARSERS_SCAN_H
#define JA_PARSERS_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "model/quantity.h"

/* A cursor over text[at .. length). */
struct ja_scan {
    const char *text;
    size_t length;
    size_t at;
};

struct ja_scan ja_scan_of(const char *text, size_t length);

bool ja_scan_end(const struct ja_scan *scan);
void ja_scan_blanks(struct ja_scan *scan);                    /* spaces, tabs, NBSP */
bool ja_scan_char(struct ja_scan *scan, char c);
bool ja_scan_text(struct ja_scan *scan, const char *text);    /* exactly this text */
bool ja_scan_word(struct ja_scan *scan, const char **ret, size_t *ret_length); /* to a blank */

/* Decimal digits only, no sign; false above 2^63-1. */
bool ja_scan_u63(struct ja_scan *scan, int64_t *ret);
/* Optional '-', digits. */
bool ja_scan_i64(struct ja_scan *scan, int64_t *ret);
/* 0x... or bare hexadecimal digits, at most 16. */
bool ja_scan_hex(struct ja_scan *scan, uint64_t *ret);

/* A decimal as printed: "57.9", "6655,06", "8,761" (comma + exactly three digits = grouping; comma
 * + other = decimal comma). mantissa / 10^decimals; no exponent. */
bool ja_scan_decimal(struct ja_scan *scan, int64_t *ret_mantissa, int *ret_decimals);

/* Any finite double in C syntax without locale, for counters. */
bool ja_scan_double(struct ja_scan *scan, double *ret);

/* A printed size: decimal, optional blank, unit letter(s). B KB MB GB TB K M G T KiB MiB GiB TiB kB
 * kb Ki Mi Gi and k m g t (top) = powers of 1024 whatever their look. Resolution = weight of the last digit.
 * rounding = nearest. A bare number is refused. */
bool ja_scan_size(struct ja_scan *scan, struct ja_quantity *ret);

/* mantissa / 10^decimals units of unit_bytes each, as value and step; false on overflow. */
bool ja_scale(int64_t mantissa, int decimals, int64_t unit_bytes, struct ja_quantity *ret);

/* Text compare helpers on counted text. */
/* memcmp says 0, for a few words of text: calling it would cost more than comparing. What is left
 * over at the end is compared together with what was before it. */
static inline bool ja_text_same(const char *a, const char *b, size_t length)
{
    uint64_t x, y;
    uint32_t u, v;
    size_t at = 0;
    if (length >= sizeof x) {
        for (; at < length - sizeof x; at += sizeof x) {
            memcpy(&x, a + at, sizeof x);
            memcpy(&y, b + at, sizeof y);
            if (x != y)
                return false;
        }
        memcpy(&x, a + length - sizeof x, sizeof x);
        memcpy(&y, b + length - sizeof y, sizeof y);
        return x == y;
    }
    if (length < sizeof u) {
        while (at < length && a[at] == b[at])
            at++;
        return at == length;
    }
    memcpy(&u, a, sizeof u);
    memcpy(&v, b, sizeof v);
    if (u != v)
        return false;
    memcpy(&u, a + length - sizeof u, sizeof u);
    memcpy(&v, b + length - sizeof v, sizeof v);
    return u == v;
}
bool ja_text_is(const char *text, size_t length, const char *word);
bool ja_text_begins(const char *text, size_t length, const char *prefix);
bool ja_text_ends(const char *text, size_t length, const char *suffix);
/* Offset of needle, or length when it is not there. */
size_t ja_text_find(const char *text, size_t length, const char *needle);
/* Trims blanks at both ends. */
void ja_text_trim(const char **text, size_t *length);

#endif
