/* SPDX-License-Identifier: MIT */
#include "reports/json_out.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "model/words.h"
#include "model/digits.h"
#include "reports/number.h"
#include "reports/text.h"

#define MOST_AROUND_KEY 16 /* comma, line end, indentation, quotes, colon */

static void flush(struct ja_json_out *json)
{
    fwrite(json->buffer, 1, json->waiting, json->out);
    json->flushed += json->waiting;
    json->waiting = 0;
}

/* Where length bytes, at most as many as the buffer has, can be put; the caller adds to waiting. */
static char *room(struct ja_json_out *json, size_t length)
{
    if (length > sizeof json->buffer - json->waiting)
        flush(json);
    return json->buffer + json->waiting;
}

static void put(struct ja_json_out *json, const char *text, size_t length)
{
    if (length > sizeof json->buffer) {
        flush(json);
        fwrite(text, 1, length, json->out);
        json->flushed += length;
        return;
    }
    memcpy(room(json, length), text, length);
    json->waiting += length;
}

static void put_char(struct ja_json_out *json, char c)
{
    *room(json, 1) = c;
    json->waiting++;
}

static void put_text(struct ja_json_out *json, const char *text)
{
    put(json, text, strlen(text));
}

/* Begins a value: comma, new line and indentation, key. */
static void begin(struct ja_json_out *json, const char *key)
{
    size_t length = key ? strlen(key) : 0;
    char *from = room(json, length + MOST_AROUND_KEY), *at = from;
    if (json->comma[json->depth])
        *at++ = ',';
    json->comma[json->depth] = true;
    if (!json->compact && json->depth > 0 && json->depth < 4) {
        memcpy(at, "\n   ", 4);
        at += 1 + json->depth;
    }
    if (key) {
        *at++ = '"';
        memcpy(at, key, length);
        at += length;
        *at++ = '"';
        *at++ = ':';
    }
    json->waiting += (size_t)(at - from);
}

void ja_out_open(struct ja_json_out *json, const char *key, char bracket)
{
    begin(json, key);
    put_char(json, bracket);
    json->depth++;
    assert(json->depth < sizeof json->comma / sizeof *json->comma);
    json->comma[json->depth] = false;
}

void ja_out_close(struct ja_json_out *json, char bracket)
{
    json->depth--;
    put_char(json, bracket);
}

/* Bytes of the valid sequence at text; 0 when there is none. Non-characters are none: some readers
 * refuse them. */
static size_t utf8_length(const unsigned char *text)
{
    uint32_t code;
    size_t length = ja_utf8_decode(text, &code);
    return length && (code & 0xfffe) == 0xfffe ? 0 : length;
}

static void escape(struct ja_json_out *json, unsigned char c)
{
    char code[8];
    switch (c) {
    case '"':
        put_text(json, "\\\"");
        break;
    case '\\':
        put_text(json, "\\\\");
        break;
    case '\n':
        put_text(json, "\\n");
        break;
    case '\t':
        put_text(json, "\\t");
        break;
    case '\r':
        put_text(json, "\\r");
        break;
    default:
        snprintf(code, sizeof code, "\\u%04x", c);
        put_text(json, code);
    }
}

static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

/* Whether all of eight bytes are plain: a byte that is not sets its high bit in one of these (the
 * byte above it may follow, which changes nothing). */
static bool are_plain(const char *text)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), high = ones << 7;
    uint64_t eight;
    memcpy(&eight, text, sizeof eight);
    uint64_t quotes = eight ^ ones * '"', slashes = eight ^ ones * '\\';
    uint64_t odd = (eight - ones * 0x20) | (quotes - ones) | (slashes - ones);
    return !(((odd & ~eight) | eight | (eight + ones)) & high);
}

/* The bytes at the begin of text that stand in JSON as they are. */
static size_t plain_length(const char *text, size_t length)
{
    size_t plain = 0;
    while (length - plain >= 8 && are_plain(text + plain))
        plain += 8;
    while (plain < length && is_plain((unsigned char)text[plain]))
        plain++;
    return plain;
}

/* What is not plain at text; returns the bytes it took. */
static size_t put_odd(struct ja_json_out *json, const char *text)
{
    size_t length = utf8_length((const unsigned char *)text);
    char code[8];
    if (length == 0) {
        snprintf(code, sizeof code, "\\\\x%02X", (unsigned char)*text);
        put_text(json, code);
        return 1;
    }
    if (length == 1)
        escape(json, (unsigned char)*text);
    else
        put(json, text, length);
    return length;
}

static void quote(struct ja_json_out *json, const char *text)
{
    size_t length = strlen(text);
    put_char(json, '"');
    for (size_t at = 0; at < length;) {
        size_t plain = plain_length(text + at, length - at);
        put(json, text + at, plain);
        at += plain;
        if (at < length)
            at += put_odd(json, text + at);
    }
    put_char(json, '"');
}

static void put_whole(struct ja_json_out *json, int64_t value)
{
    json->waiting += ja_whole_print(value, room(json, JA_WHOLE_TEXT));
}

void ja_out_text(struct ja_json_out *json, const char *key, const char *text)
{
    begin(json, key);
    if (!text)
        put_text(json, "null");
    else
        quote(json, text);
}

void ja_out_whole(struct ja_json_out *json, const char *key, int64_t value)
{
    begin(json, key);
    if (value == JA_UNKNOWN)
        put_text(json, "null");
    else
        put_whole(json, value);
}

void ja_out_number(struct ja_json_out *json, const char *key, double value)
{
    begin(json, key);
    if (!isfinite(value)) {
        put_text(json, "null");
        return;
    }
    if (fabs(value) < 1e15 && value == floor(value)) {
        put_whole(json, (int64_t)value);
        return;
    }
    json->waiting += ja_double_print(value, room(json, JA_NUMBER_TEXT));
}

void ja_out_bool(struct ja_json_out *json, const char *key, bool value)
{
    begin(json, key);
    put_text(json, value ? "true" : "false");
}

void ja_out_null(struct ja_json_out *json, const char *key)
{
    begin(json, key);
    put_text(json, "null");
}

void ja_out_time(struct ja_json_out *json, const char *key, int64_t unix_ns)
{
    if (unix_ns == JA_UNKNOWN) {
        ja_out_null(json, key);
        return;
    }
    begin(json, key);
    char *text = room(json, JA_INSTANT_TEXT + 2);
    text[0] = '"';
    size_t length = strlen(ja_instant_print(unix_ns, text + 1));
    text[length + 1] = '"';
    json->waiting += length + 2;
}

void ja_out_instant(struct ja_json_out *json, const char *key, const struct ja_instant *instant)
{
    if (!instant || (instant->unix_ns == JA_UNKNOWN && instant->early_ns == JA_UNKNOWN &&
                     instant->late_ns == JA_UNKNOWN)) {
        ja_out_null(json, key);
        return;
    }
    ja_out_open(json, key, '{');
    ja_out_time(json, "at", instant->unix_ns);
    ja_out_time(json, "early", instant->early_ns);
    ja_out_time(json, "late", instant->late_ns);
    ja_out_text(json, "clock", ja_clock_word((int)instant->clock));
    ja_out_text(json, "text", instant->text);
    ja_out_close(json, '}');
}

size_t ja_out_mark(struct ja_json_out *json)
{
    room(json, sizeof((struct ja_json_part *)0)->text);
    return json->flushed + json->waiting;
}

void ja_out_keep(struct ja_json_out *json, size_t mark, struct ja_json_part *part)
{
    size_t length = json->flushed + json->waiting - mark;
    part->length = length <= sizeof part->text ? length : 0;
    memcpy(part->text, json->buffer + json->waiting - part->length, part->length);
}

void ja_out_part(struct ja_json_out *json, const struct ja_json_part *part)
{
    put(json, part->text, part->length);
    json->comma[json->depth] = true;
}

void ja_out_line(struct ja_json_out *json)
{
    put_char(json, '\n');
}

bool ja_out_flush(struct ja_json_out *json)
{
    flush(json);
    return fflush(json->out) == 0 && !ferror(json->out);
}
