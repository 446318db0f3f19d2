/* SPDX-License-Identifier: MIT */
#include "parsers/pull.h"

#include <string.h>

#include "parsers/json.h"

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

/* The top bits of those of eight bytes that are a quote or a backslash; of bytes behind the first
 * such one it says nothing. */
static uint64_t marks_in(uint64_t word)
{
    const uint64_t tops = JA_EACH_BYTE << 7;
    uint64_t quote = word ^ JA_EACH_BYTE * '"', slash = word ^ JA_EACH_BYTE * '\\';
    return (((quote - JA_EACH_BYTE) & ~quote) | ((slash - JA_EACH_BYTE) & ~slash)) & tops;
}

/* The first quote or backslash at or behind at; end when there is none. */
static const char *next_mark(const char *at, const char *end)
{
    for (; (size_t)(end - at) >= JA_DIGITS; at += JA_DIGITS) {
        uint64_t marks = marks_in(ja_digits_load(at));
        if (marks)
            return at + (size_t)__builtin_ctzll(marks) / 8;
    }
    while (at < end && *at != '"' && *at != '\\')
        at++;
    return at;
}

/* Reads the string whose first quote the cursor stands at. */
static bool read_string(struct ja_pull *pull, struct ja_pull_value *ret)
{
    const char *start = pull->at + 1, *end = pull->end, *at = next_mark(start, end);
    bool escaped = false;
    for (; end - at >= 2 && *at == '\\'; at = next_mark(at + 2, end)) {
        if (!at[1] || !strchr("\"\\/bfnrt", at[1]))
            return decline(pull);
        escaped = true;
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
        return ja_pull_number(pull, ret);
    }
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
