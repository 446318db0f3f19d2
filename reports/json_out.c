/* SPDX-License-Identifier: MIT */
#include "reports/json_out.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "model/words.h"
#include "reports/text.h"

static void quote(FILE *out, const char *text);

/* Begins a value: comma, new line and indentation, key. */
static void begin(struct ja_json_out *json, const char *key)
{
    if (json->comma[json->depth])
        putc(',', json->out);
    json->comma[json->depth] = true;
    if (!json->compact && json->depth > 0 && json->depth < 4) {
        putc('\n', json->out);
        for (unsigned i = 0; i < json->depth; i++)
            putc(' ', json->out);
    }
    if (key) {
        quote(json->out, key);
        putc(':', json->out);
    }
}

void ja_out_open(struct ja_json_out *json, const char *key, char bracket)
{
    begin(json, key);
    putc(bracket, json->out);
    json->depth++;
    assert(json->depth < sizeof json->comma / sizeof *json->comma);
    json->comma[json->depth] = false;
}

void ja_out_close(struct ja_json_out *json, char bracket)
{
    json->depth--;
    putc(bracket, json->out);
}

/* Bytes of the valid sequence at text; 0 when there is none. Non-characters are none: some readers
 * refuse them. */
static size_t utf8_length(const unsigned char *text)
{
    uint32_t code;
    size_t length = ja_utf8_decode(text, &code);
    return length && (code & 0xfffe) == 0xfffe ? 0 : length;
}

static void escape(FILE *out, unsigned char c)
{
    switch (c) {
    case '"':
        fputs("\\\"", out);
        break;
    case '\\':
        fputs("\\\\", out);
        break;
    case '\n':
        fputs("\\n", out);
        break;
    case '\t':
        fputs("\\t", out);
        break;
    case '\r':
        fputs("\\r", out);
        break;
    default:
        fprintf(out, "\\u%04x", c);
    }
}

static void quote(FILE *out, const char *text)
{
    putc('"', out);
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        size_t length = utf8_length(at);
        if (length == 0) {
            fprintf(out, "\\\\x%02X", *at++);
        } else if (length == 1) {
            if (*at < 0x20 || *at == '"' || *at == '\\' || *at == 0x7f)
                escape(out, *at);
            else
                putc(*at, out);
            at++;
        } else {
            fwrite(at, 1, length, out);
            at += length;
        }
    }
    putc('"', out);
}

void ja_out_text(struct ja_json_out *json, const char *key, const char *text)
{
    begin(json, key);
    if (!text)
        fputs("null", json->out);
    else
        quote(json->out, text);
}

void ja_out_whole(struct ja_json_out *json, const char *key, int64_t value)
{
    begin(json, key);
    if (value == JA_UNKNOWN)
        fputs("null", json->out);
    else
        fprintf(json->out, "%lld", (long long)value);
}

void ja_out_number(struct ja_json_out *json, const char *key, double value)
{
    begin(json, key);
    if (!isfinite(value)) {
        fputs("null", json->out);
        return;
    }
    if (fabs(value) < 1e15 && value == floor(value)) {
        fprintf(json->out, "%.0f", value == 0 ? 0.0 : value);
        return;
    }
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    fputs(text, json->out);
}

void ja_out_bool(struct ja_json_out *json, const char *key, bool value)
{
    begin(json, key);
    fputs(value ? "true" : "false", json->out);
}

void ja_out_null(struct ja_json_out *json, const char *key)
{
    begin(json, key);
    fputs("null", json->out);
}

void ja_out_time(struct ja_json_out *json, const char *key, int64_t unix_ns)
{
    char text[JA_INSTANT_TEXT];
    if (unix_ns == JA_UNKNOWN) {
        ja_out_null(json, key);
        return;
    }
    begin(json, key);
    quote(json->out, ja_instant_print(unix_ns, text));
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
