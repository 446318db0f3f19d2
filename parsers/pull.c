/* SPDX-License-Identifier: MIT */
#include "parsers/pull.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "parsers/json.h"

#define LONGEST_NUMBER 60                 /* cJSON 1.7.15 cuts numbers at 63 characters */
#define LARGEST_WHOLE (UINT64_C(1) << 53) /* up to here a double holds every whole number */
#define SHORT_DIGITS 15                   /* always below 2^53 */
#define MOST_DIGITS 19                    /* of a mantissa: always below 2^64 */
#define MOST_DECIMALS 22                  /* 10^22 is the last power that a double holds */

#if FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 1
#define DIVISION_IS_EXACT true
#else
#define DIVISION_IS_EXACT false /* x87: a quotient is rounded twice */
#endif

bool ja_pull_declines_all;

struct ja_pull ja_pull_of(const char *text, size_t length)
{
    return (struct ja_pull){
        .at = text,
        .end = text + length,
        .first = true,
        .declined = ja_pull_declines_all || length > UINT32_MAX,
    };
}

static bool decline(struct ja_pull *pull)
{
    pull->declined = true;
    return false;
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (end - at >= 4 && memcmp(at, "    ", 4) == 0)
        at += 4;
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')) {
        at++;
        while (end - at >= 4 && memcmp(at, "    ", 4) == 0)
            at += 4;
    }
    return at;
}

/* True when one of eight bytes is a quote or a backslash. */
static bool holds_mark(const char *at)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
    uint64_t word;
    memcpy(&word, at, sizeof word);
    uint64_t quote = word ^ ones * '"', slash = word ^ ones * '\\';
    return (((quote - ones) & ~quote) | ((slash - ones) & ~slash)) & tops;
}

/* Reads the string whose first quote the cursor stands at. */
static bool read_string(struct ja_pull *pull, struct ja_pull_value *ret)
{
    const char *start = pull->at + 1, *at = start, *end = pull->end;
    bool escaped = false;
    for (;;) {
        while (end - at >= 8 && !holds_mark(at))
            at += 8;
        while (at < end && *at != '"' && *at != '\\')
            at++;
        if (end - at < 2 || *at == '"')
            break;
        if (!at[1] || !strchr("\"\\/bfnrt", at[1]))
            return decline(pull);
        escaped = true;
        at += 2;
    }
    if (at >= end || *at != '"')
        return decline(pull);
    ret->text = start;
    ret->length = (uint32_t)(at - start);
    ret->type = JA_PULL_STRING;
    ret->escaped = escaped;
    pull->at = at + 1;
    return true;
}

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
    const char *at = n->at, *first = at;
    uint64_t mantissa = n->mantissa;
    for (; at < n->end; at++) {
        unsigned digit = (unsigned char)*at - (unsigned)'0';
        if (digit > 9)
            break;
        mantissa = mantissa * 10 + digit;
    }
    n->mantissa = mantissa;
    n->digits += (size_t)(at - first);
    n->at = at;
    return at > first;
}

static bool read_exponent(struct number *n)
{
    n->exponent = true;
    n->at++;
    if (n->at < n->end && (*n->at == '-' || *n->at == '+'))
        n->at++;
    return read_digits(n);
}

/* Whole numbers and quotients of two exact doubles are exact; the rest is left to strtod. */
static double number_value(const struct number *n, bool negative)
{
    static const double powers[MOST_DECIMALS + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                     1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                     1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    bool exact = n->digits <= MOST_DIGITS && !n->exponent && n->mantissa <= LARGEST_WHOLE &&
                 n->decimals <= MOST_DECIMALS && (DIVISION_IS_EXACT || n->decimals == 0);
    if (exact) {
        double value = (double)n->mantissa;
        if (n->decimals)
            value /= powers[n->decimals];
        return negative ? -value : value;
    }
    char copy[LONGEST_NUMBER + 1]; /* the program never leaves the C locale */
    size_t length = (size_t)(n->at - n->start);
    memcpy(copy, n->start, length);
    copy[length] = '\0';
    return strtod(copy, NULL);
}

/* Most numbers are whole and short. False, and the cursor stays, for all others. */
static bool read_short(struct ja_pull *pull, struct ja_pull_value *ret)
{
    const char *start = pull->at, *at = start;
    uint64_t whole = 0;
    for (; at < pull->end; at++) {
        unsigned digit = (unsigned char)*at - (unsigned)'0';
        if (digit > 9)
            break;
        whole = whole * 10 + digit;
    }
    size_t digits = (size_t)(at - start);
    if (digits - 1 >= SHORT_DIGITS || (*start == '0' && digits > 1) || at >= pull->end ||
        *at == '.' || *at == 'e' || *at == 'E')
        return false;
    ret->number = (double)(int64_t)whole;
    ret->length = 0;
    ret->type = JA_PULL_NUMBER;
    ret->escaped = false;
    pull->at = at;
    return true;
}

static bool read_number(struct ja_pull *pull, struct ja_pull_value *ret)
{
    if (read_short(pull, ret))
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
    ret->number = number_value(&n, negative);
    ret->length = 0;
    ret->type = JA_PULL_NUMBER;
    ret->escaped = false;
    pull->at = n.at;
    return true;
}

static bool read_word(struct ja_pull *pull, const char *word, enum ja_pull_type type,
                      struct ja_pull_value *ret)
{
    size_t length = strlen(word);
    if ((size_t)(pull->end - pull->at) < length || memcmp(pull->at, word, length) != 0)
        return decline(pull);
    *ret =
        (struct ja_pull_value){.text = pull->at, .length = (uint32_t)length, .type = (uint8_t)type};
    pull->at += length;
    return true;
}

bool ja_pull_enter(struct ja_pull *pull, char open)
{
    if (pull->declined || pull->at >= pull->end || *pull->at != open ||
        ++pull->depth > JA_JSON_DEPTH)
        return decline(pull);
    pull->at++;
    pull->first = true;
    return true;
}

/* Passes the comma before the next member or item. False at the end and when declined. */
static bool next(struct ja_pull *pull, char close)
{
    const char *at = skip_blanks(pull->at, pull->end);
    if (pull->declined || at >= pull->end)
        return decline(pull);
    if (*at == close) {
        pull->at = at + 1;
        pull->depth--;
        pull->first = false;
        return false;
    }
    if (!pull->first) {
        if (*at != ',')
            return decline(pull);
        at = skip_blanks(at + 1, pull->end);
        if (at >= pull->end)
            return decline(pull);
    }
    pull->first = false;
    pull->at = at;
    return true;
}

bool ja_pull_key(struct ja_pull *pull, struct ja_pull_value *ret_key)
{
    if (!next(pull, '}'))
        return false;
    if (*pull->at != '"' || !read_string(pull, ret_key))
        return decline(pull);
    const char *at = skip_blanks(pull->at, pull->end);
    if (at >= pull->end || *at != ':')
        return decline(pull);
    pull->at = skip_blanks(at + 1, pull->end);
    return pull->at < pull->end || decline(pull);
}

bool ja_pull_item(struct ja_pull *pull)
{
    return next(pull, ']');
}

static bool read_object(struct ja_pull *pull, struct ja_pull_value *ret)
{
    struct ja_pull_value inner;
    const char *start = pull->at;
    if (ja_pull_enter(pull, '{'))
        while (ja_pull_key(pull, &inner) && ja_pull_value(pull, &inner))
            ;
    *ret = (struct ja_pull_value){
        .text = start, .length = (uint32_t)(pull->at - start), .type = JA_PULL_OBJECT};
    return !pull->declined;
}

static bool read_array(struct ja_pull *pull, struct ja_pull_value *ret)
{
    struct ja_pull_value inner;
    const char *start = pull->at;
    if (ja_pull_enter(pull, '['))
        while (ja_pull_item(pull) && ja_pull_value(pull, &inner))
            ;
    *ret = (struct ja_pull_value){
        .text = start, .length = (uint32_t)(pull->at - start), .type = JA_PULL_ARRAY};
    return !pull->declined;
}

bool ja_pull_value(struct ja_pull *pull, struct ja_pull_value *ret)
{
    switch (*pull->at) {
    case '"':
        return read_string(pull, ret);
    case '{':
        return read_object(pull, ret);
    case '[':
        return read_array(pull, ret);
    case 't':
        return read_word(pull, "true", JA_PULL_BOOL, ret);
    case 'f':
        return read_word(pull, "false", JA_PULL_BOOL, ret);
    case 'n':
        return read_word(pull, "null", JA_PULL_NULL, ret);
    default:
        return read_number(pull, ret);
    }
}

bool ja_pull_same(struct ja_pull *pull, const char *text, size_t length)
{
    if ((size_t)(pull->end - pull->at) <= length || memcmp(pull->at, text, length) != 0)
        return false;
    pull->at += length;
    pull->first = false;
    return true;
}

char ja_pull_peek(const struct ja_pull *pull)
{
    return pull->at < pull->end ? *pull->at : '\0';
}

bool ja_pull_is(const struct ja_pull_value *string, const char *text)
{
    return !string->escaped && strlen(text) == string->length &&
           memcmp(string->text, text, string->length) == 0;
}

struct ja_pull_value ja_pull_of_tree(const cJSON *item)
{
    struct ja_pull_value value = {.type = JA_PULL_ABSENT};
    if (cJSON_IsNumber(item)) {
        value.type = JA_PULL_NUMBER;
        value.number = item->valuedouble;
    } else if (cJSON_IsString(item)) {
        value.type = JA_PULL_STRING;
        value.text = item->valuestring;
        value.length = (uint32_t)strlen(item->valuestring);
    } else if (cJSON_IsBool(item)) {
        value.type = JA_PULL_BOOL;
        value.text = cJSON_IsTrue(item) ? "true" : "false";
    } else if (item) {
        value.type = cJSON_IsNull(item)    ? JA_PULL_NULL
                     : cJSON_IsArray(item) ? JA_PULL_ARRAY
                                           : JA_PULL_OBJECT;
    }
    return value;
}
