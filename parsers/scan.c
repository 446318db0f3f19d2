/* SPDX-License-Identifier: MIT */
#include "parsers/scan.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DECIMAL_DIGITS 18 /* of a mantissa: always below 2^63 */
#define LONG_TEXT 128     /* bytes that are worth a choice of what to look for */

struct ja_scan ja_scan_of(const char *text, size_t length)
{
    return (struct ja_scan){.text = text, .length = length};
}

bool ja_scan_end(const struct ja_scan *scan)
{
    return scan->at >= scan->length;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Bytes of the blank at text[0 ..length), 0 when it is none. NBSP (U+00A0), thin space (U+2009)
 * and narrow NBSP (U+202F) come from copies out of web pages and from localised clocks. */
static size_t blank_at(const char *text, size_t length)
{
    if (length == 0)
        return 0;
    if (text[0] == ' ' || text[0] == '\t')
        return 1;
    if (length >= 2 && memcmp(text, "\xC2\xA0", 2) == 0)
        return 2;
    if (length >= 3 &&
        (memcmp(text, "\xE2\x80\xAF", 3) == 0 || memcmp(text, "\xE2\x80\x89", 3) == 0))
        return 3;
    return 0;
}

void ja_scan_blanks(struct ja_scan *scan)
{
    size_t n = 1;
    while (n > 0 && scan->at < scan->length) {
        n = blank_at(scan->text + scan->at, scan->length - scan->at);
        scan->at += n;
    }
}

bool ja_scan_char(struct ja_scan *scan, char c)
{
    if (scan->at >= scan->length || scan->text[scan->at] != c)
        return false;
    scan->at++;
    return true;
}

bool ja_scan_text(struct ja_scan *scan, const char *text)
{
    size_t n = strlen(text);
    if (scan->length - scan->at < n || memcmp(scan->text + scan->at, text, n) != 0)
        return false;
    scan->at += n;
    return true;
}

bool ja_scan_word(struct ja_scan *scan, const char **ret, size_t *ret_length)
{
    size_t end = scan->at;
    while (end < scan->length && blank_at(scan->text + end, scan->length - end) == 0)
        end++;
    if (end == scan->at)
        return false;
    *ret = scan->text + scan->at;
    *ret_length = end - scan->at;
    scan->at = end;
    return true;
}

bool ja_scan_u63(struct ja_scan *scan, int64_t *ret)
{
    size_t at = scan->at;
    int64_t value = 0;
    for (; at < scan->length && is_digit(scan->text[at]); at++) {
        int digit = scan->text[at] - '0';
        if (value > (INT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    if (at == scan->at)
        return false;
    scan->at = at;
    *ret = value;
    return true;
}

bool ja_scan_i64(struct ja_scan *scan, int64_t *ret)
{
    struct ja_scan copy = *scan;
    bool negative = ja_scan_char(&copy, '-');
    int64_t value;
    if (!ja_scan_u63(&copy, &value))
        return false;
    *scan = copy;
    *ret = negative ? -value : value;
    return true;
}

static int hex_digit(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool ja_scan_hex(struct ja_scan *scan, uint64_t *ret)
{
    struct ja_scan copy = *scan;
    if (!ja_scan_text(&copy, "0x"))
        ja_scan_text(&copy, "0X");
    uint64_t value = 0;
    size_t digits = 0;
    for (; copy.at < copy.length && hex_digit(copy.text[copy.at]) >= 0; copy.at++, digits++)
        value = value << 4 | (uint64_t)hex_digit(copy.text[copy.at]);
    if (digits == 0 || digits > 16)
        return false;
    scan->at = copy.at;
    *ret = value;
    return true;
}

static size_t digits_at(const struct ja_scan *scan, size_t at)
{
    size_t n = 0;
    while (at + n < scan->length && is_digit(scan->text[at + n]))
        n++;
    return n;
}

/* Groups of three behind mark, as in "8,761" or "1.234.567": bytes taken, 0 when the digits before
 * at are no first group. One group behind a point is decimals, so least may ask for two. */
static size_t groups_at(const struct ja_scan *scan, size_t at, char mark, size_t lead, size_t least)
{
    size_t taken = 0, groups = 0;
    if (lead == 0 || lead > 3 || scan->text[at - lead] == '0')
        return 0;
    while (at + taken < scan->length && scan->text[at + taken] == mark &&
           digits_at(scan, at + taken + 1) == 3) {
        taken += 4;
        groups++;
    }
    return groups >= least ? taken : 0;
}

static bool take_digits(const struct ja_scan *scan, size_t from, size_t to, int64_t *mantissa,
                        int *digits)
{
    for (size_t at = from; at < to; at++) {
        if (!is_digit(scan->text[at]))
            continue;
        if (*mantissa > 0 || scan->text[at] != '0')
            (*digits)++;
        if (*digits > DECIMAL_DIGITS)
            return false;
        *mantissa = *mantissa * 10 + (scan->text[at] - '0');
    }
    return true;
}

bool ja_scan_decimal(struct ja_scan *scan, int64_t *ret_mantissa, int *ret_decimals)
{
    size_t lead = digits_at(scan, scan->at);
    if (lead == 0)
        return false;
    size_t at = scan->at + lead;
    size_t comma_groups = groups_at(scan, at, ',', lead, 1);
    size_t point_groups = groups_at(scan, at, '.', lead, 1);
    bool points_group = point_groups > 4 || /* "1.234.567" or "1.234,56" */
                        (point_groups == 4 && at + 4 < scan->length && scan->text[at + 4] == ',' &&
                         digits_at(scan, at + 5) > 0);
    char mark = 0; /* of decimals; 0: either */
    if (comma_groups) {
        at += comma_groups;
        mark = '.';
    } else if (points_group) {
        at += point_groups;
        mark = ',';
    }
    size_t decimals = 0, end = at;
    if (at < scan->length &&
        (mark ? scan->text[at] == mark : scan->text[at] == '.' || scan->text[at] == ',')) {
        decimals = digits_at(scan, at + 1);
        end = decimals ? at + 1 + decimals : at;
    }
    int64_t mantissa = 0;
    int digits = 0;
    if (decimals > DECIMAL_DIGITS || !take_digits(scan, scan->at, end, &mantissa, &digits))
        return false;
    scan->at = end;
    *ret_mantissa = mantissa;
    *ret_decimals = (int)decimals;
    return true;
}

bool ja_scan_double(struct ja_scan *scan, double *ret)
{
    size_t at = scan->at;
    if (at < scan->length && scan->text[at] == '-')
        at++;
    size_t whole = digits_at(scan, at), fraction = 0;
    at += whole;
    if (at < scan->length && scan->text[at] == '.') {
        fraction = digits_at(scan, at + 1);
        at += fraction ? fraction + 1 : 0;
    }
    if (whole == 0 && fraction == 0)
        return false;
    if (at < scan->length && (scan->text[at] == 'e' || scan->text[at] == 'E')) {
        size_t sign =
            at + 1 < scan->length && (scan->text[at + 1] == '-' || scan->text[at + 1] == '+');
        size_t exponent = digits_at(scan, at + 1 + sign);
        at += exponent ? 1 + sign + exponent : 0;
    }
    char copy[128]; /* the program never leaves the C locale, so strtod reads a point */
    size_t length = at - scan->at;
    if (length >= sizeof copy)
        return false;
    memcpy(copy, scan->text + scan->at, length);
    copy[length] = '\0';
    double value = strtod(copy, NULL);
    if (!isfinite(value))
        return false;
    scan->at = at;
    *ret = value;
    return true;
}

static bool scan_unit(struct ja_scan *scan, int64_t *ret_unit)
{
    static const char letters[] = "KMGT";
    struct ja_scan copy = *scan;
    int64_t unit = 1;
    char c = copy.at < copy.length ? copy.text[copy.at] : '\0';
    char upper = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
    const char *found = upper ? strchr(letters, upper) : NULL;
    if (found) {
        copy.at++;
        unit = (int64_t)1 << (10 * (found - letters + 1));
        if (ja_scan_char(&copy, 'i'))
            ja_scan_char(&copy, 'B');
        else if (!ja_scan_char(&copy, 'B'))
            ja_scan_char(&copy, 'b');
    } else if (!ja_scan_char(&copy, 'B')) {
        return false;
    }
    if (copy.at < copy.length && (is_letter(copy.text[copy.at]) || is_digit(copy.text[copy.at])))
        return false;
    *scan = copy;
    *ret_unit = unit;
    return true;
}

bool ja_scale(int64_t mantissa, int decimals, int64_t unit_bytes, struct ja_quantity *ret)
{
    if (mantissa < 0 || decimals < 0 || decimals > DECIMAL_DIGITS || unit_bytes < 1 ||
        unit_bytes > JA_TIB)
        return false;
    int64_t power = 1;
    for (int i = 0; i < decimals; i++)
        power *= 10;
    int64_t value;
    if (!ja_multiply(mantissa / power, unit_bytes, &value))
        return false;
    /* The rest is below one unit (2^40), where a double is good to 2^-12 of a byte. */
    double rest = (double)(mantissa % power) * (double)unit_bytes / (double)power;
    value = ja_add(value, (int64_t)(rest + 0.5));
    if (value > JA_LARGEST_BYTES)
        return false;
    int64_t step = unit_bytes / power + (unit_bytes % power != 0);
    bool whole = unit_bytes == 1 && decimals == 0;
    *ret = (struct ja_quantity){
        .value = value,
        .resolution = step,
        .rounding = whole ? JA_ROUNDING_EXACT : JA_ROUNDING_NEAREST,
    };
    return true;
}

bool ja_scan_size(struct ja_scan *scan, struct ja_quantity *ret)
{
    struct ja_scan copy = *scan;
    int64_t mantissa, unit;
    int decimals;
    struct ja_quantity quantity;
    if (!ja_scan_decimal(&copy, &mantissa, &decimals))
        return false;
    ja_scan_blanks(&copy);
    if (!scan_unit(&copy, &unit) || !ja_scale(mantissa, decimals, unit, &quantity))
        return false;
    *scan = copy;
    *ret = quantity;
    return true;
}

bool ja_text_is(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

bool ja_text_begins(const char *text, size_t length, const char *prefix)
{
    size_t n = strlen(prefix);
    return length >= n && memcmp(text, prefix, n) == 0;
}

bool ja_text_ends(const char *text, size_t length, const char *suffix)
{
    size_t n = strlen(suffix);
    return length >= n && memcmp(text + length - n, suffix, n) == 0;
}

/* Offset of the needle's byte that is the rarest in reports and logs: to be searched for, as most
 * places where it stands are the needle itself. */
static size_t rarest_byte(const char *needle)
{
    static const char often[] = "\" ,\n:0123456789etaoinsrlhdcumpfgybwvkxjqz-{}[]()./";
    size_t rarest = 0, best = 0;
    for (size_t i = 0; needle[i]; i++) {
        const char *found = strchr(often, needle[i]);
        size_t rank = found ? (size_t)(found - often) : sizeof often;
        if (rank > best) {
            best = rank;
            rarest = i;
        }
    }
    return rarest;
}

size_t ja_text_find(const char *text, size_t length, const char *needle)
{
    size_t n = strlen(needle);
    if (n == 0)
        return 0;
    size_t look = length < LONG_TEXT ? 0 : rarest_byte(needle);
    for (size_t at = 0; length - at >= n;) {
        const char *hit = memchr(text + at + look, needle[look], length - at - n + 1);
        if (!hit)
            return length;
        at = (size_t)(hit - text) - look;
        if (memcmp(text + at, needle, n) == 0)
            return at;
        at++;
    }
    return length;
}

static size_t blank_before(const char *text, size_t length)
{
    char last = text[length - 1];
    if (last == ' ' || last == '\t' || last == '\r' || last == '\n')
        return 1;
    if (length >= 2 && blank_at(text + length - 2, 2) == 2)
        return 2;
    return length >= 3 && blank_at(text + length - 3, 3) == 3 ? 3 : 0;
}

void ja_text_trim(const char **text, size_t *length)
{
    size_t n;
    while (*length &&
           ((n = blank_at(*text, *length)) > 0 || (n = **text == '\r' || **text == '\n') > 0)) {
        *text += n;
        *length -= n;
    }
    while (*length && (n = blank_before(*text, *length)) > 0)
        *length -= n;
}
