/* SPDX-License-Identifier: MIT */
#include "reports/json_out.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/words.h"
#include "reports/text.h"

static void put(struct ja_json_out *json, const char *text, size_t length)
{
    if (length > sizeof json->buffer - json->waiting) {
        fwrite(json->buffer, 1, json->waiting, json->out);
        json->waiting = 0;
    }
    if (length > sizeof json->buffer) {
        fwrite(text, 1, length, json->out);
        return;
    }
    memcpy(json->buffer + json->waiting, text, length);
    json->waiting += length;
}

static void put_char(struct ja_json_out *json, char c)
{
    put(json, &c, 1);
}

static void put_text(struct ja_json_out *json, const char *text)
{
    put(json, text, strlen(text));
}

static void quote(struct ja_json_out *json, const char *text);

/* Begins a value: comma, new line and indentation, key. */
static void begin(struct ja_json_out *json, const char *key)
{
    if (json->comma[json->depth])
        put_char(json, ',');
    json->comma[json->depth] = true;
    if (!json->compact && json->depth > 0 && json->depth < 4) {
        put(json, "\n   ", 1 + json->depth);
    }
    if (key) {
        quote(json, key);
        put_char(json, ':');
    }
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

static void quote(struct ja_json_out *json, const char *text)
{
    put_char(json, '"');
    while (*text) {
        const char *from = text;
        while (is_plain((unsigned char)*text))
            text++;
        put(json, from, (size_t)(text - from));
        if (!*text)
            break;
        size_t length = utf8_length((const unsigned char *)text);
        char code[8];
        if (length == 0) {
            snprintf(code, sizeof code, "\\\\x%02X", (unsigned char)*text++);
            put_text(json, code);
        } else if (length == 1) {
            escape(json, (unsigned char)*text++);
        } else {
            put(json, text, length);
            text += length;
        }
    }
    put_char(json, '"');
}

static void put_whole(struct ja_json_out *json, int64_t value)
{
    char digits[24];
    size_t at = sizeof digits;
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (value < 0)
        digits[--at] = '-';
    put(json, digits + at, sizeof digits - at);
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
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    put_text(json, text);
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
    char text[JA_INSTANT_TEXT];
    if (unix_ns == JA_UNKNOWN) {
        ja_out_null(json, key);
        return;
    }
    begin(json, key);
    quote(json, ja_instant_print(unix_ns, text));
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

void ja_out_line(struct ja_json_out *json)
{
    put_char(json, '\n');
}

bool ja_out_flush(struct ja_json_out *json)
{
    fwrite(json->buffer, 1, json->waiting, json->out);
    json->waiting = 0;
    return fflush(json->out) == 0 && !ferror(json->out);
}
