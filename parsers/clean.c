/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "parsers/pieces.h"
#include "parsers/scan.h"

#define MOST_QUOTES 8 /* levels of "> " that are taken off */

/* The text being cleaned. Output never grows beyond the input. */
struct cleaner {
    char *out;
    size_t length;
    size_t region; /* where the present run of equally quoted or fenced lines begins in out */
    bool quoted, fenced;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Bytes of an ANSI escape sequence at text[0] == ESC. */
static size_t escape_length(const char *text, size_t length)
{
    if (length < 2)
        return length;
    if (text[1] == '[') {
        size_t n = 2;
        while (n < length && n < 64 && !(text[n] >= '@' && text[n] <= '~'))
            n++;
        return n < length ? n + 1 : n;
    }
    if (text[1] == ']') {
        size_t n = 2;
        while (n < length && n < 512 && text[n] != '\a' && text[n] != '\033')
            n++;
        return n < length && text[n] == '\a' ? n + 1 : n;
    }
    size_t n = 1; /* "\033(B" of tput sgr0 */
    while (n < length && text[n] >= ' ' && text[n] <= '/')
        n++;
    return n < length ? n + 1 : n;
}

/* Bytes of an odd blank at text[0], and what stands for it: ' ' or nothing ('\0'). */
static size_t odd_blank(const char *text, size_t length, char *ret)
{
    *ret = ' ';
    if (length >= 2 && memcmp(text, "\xC2\xA0", 2) == 0)
        return 2;
    if (length < 3)
        return 0;
    if (memcmp(text, "\xE2\x80\xAF", 3) == 0 || memcmp(text, "\xE2\x80\x89", 3) == 0)
        return 3;
    *ret = '\0';
    return memcmp(text, "\xE2\x80\x8B", 3) == 0 || memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

/* Appends a line without its end, escapes and odd blanks settled. */
static void put_line(struct cleaner *c, const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        char with = ' ';
        size_t n = text[at] == '\033' ? escape_length(text + at, length - at)
                   : text[at] & 0x80  ? odd_blank(text + at, length - at, &with)
                                      : 0;
        if (n == 0)
            c->out[c->length++] = text[at++];
        else if (text[at] != '\033' && with)
            c->out[c->length++] = with;
        at += n;
    }
}

/* Bytes of "> " marks at the start of a line. */
static size_t quote_length(const char *text, size_t length)
{
    size_t at = 0;
    for (int level = 0; level < MOST_QUOTES; level++) {
        size_t n = at;
        while (n < length && n < at + 3 && text[n] == ' ')
            n++;
        if (n >= length || text[n] != '>' || (n + 1 < length && !is_blank(text[n + 1])))
            break;
        at = n + 1 + (n + 1 < length);
    }
    return at;
}

static bool fence_line(const char *text, size_t length)
{
    ja_text_trim(&text, &length);
    if (!ja_text_begins(text, length, "```") && !ja_text_begins(text, length, "~~~"))
        return false;
    size_t n = 0;
    while (n < length && text[n] == text[0])
        n++;
    for (size_t i = n; i < length; i++)
        if (text[i] == text[0] || (i > n && is_blank(text[i])))
            return false; /* "``` text ```" is prose */
    return true;
}

size_t ja_line_end(const char *text, size_t length, size_t at)
{
    const char *end = memchr(text + at, '\n', length - at);
    return end ? (size_t)(end - text) : length;
}

static bool blank_line(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!is_blank(text[i]))
            return false;
    return true;
}

/* Blanks that all lines with text between from and the end of out begin with. */
static size_t common_indent(const struct cleaner *c, const char **ret_prefix)
{
    size_t common = 0;
    *ret_prefix = NULL;
    for (size_t at = c->region; at < c->length;) {
        size_t end = ja_line_end(c->out, c->length, at), n = 0;
        const char *line = c->out + at;
        if (!blank_line(line, end - at)) {
            while (is_blank(line[n]) &&
                   (!*ret_prefix || (n < common && line[n] == (*ret_prefix)[n])))
                n++;
            common = n;
            *ret_prefix = line;
            if (common == 0)
                return 0;
        }
        at = end + 1;
    }
    return common;
}

/* Takes the common indentation off the lines since the region began. */
static void close_region(struct cleaner *c)
{
    const char *prefix;
    size_t indent = common_indent(c, &prefix), to = c->region;
    for (size_t at = c->region; indent && at < c->length;) {
        size_t end = ja_line_end(c->out, c->length, at), n = 0;
        while (n < indent && at + n < end)
            n++;
        size_t rest = end - at - n + (end < c->length);
        memmove(c->out + to, c->out + at + n, rest);
        to += rest;
        at = end + 1;
    }
    if (indent)
        c->length = to;
    c->region = c->length;
}

static void clean_line(struct cleaner *c, const char *text, size_t length)
{
    size_t start = c->length;
    put_line(c, text, length);
    text = c->out + start;
    length = c->length - start;
    c->length = start;
    size_t quote = quote_length(text, length);
    bool fence = fence_line(text + quote, length - quote);
    bool blank = blank_line(text + quote, length - quote);
    if (fence || (!blank && c->quoted != (quote > 0))) {
        close_region(c);
        c->quoted = quote > 0;
    }
    if (fence)
        return;
    memmove(c->out + c->length, text + quote, length - quote);
    c->length += length - quote;
}

/* True when the text is one JSON document or begins with one: a log line such as
 * "[Mon Nov 30 ...] x" or "[  12.345678] x" is none. */
bool ja_is_json(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length && (is_blank(text[at]) || text[at] == '\n' || text[at] == '\r'))
        at++;
    if (at == length || (text[at] != '{' && text[at] != '['))
        return false;
    bool array = text[at] == '[';
    at++;
    while (at < length && (is_blank(text[at]) || text[at] == '\n' || text[at] == '\r'))
        at++;
    if (at == length)
        return true;
    return array ? strchr("{[\"]", text[at]) && text[at] : text[at] == '"' || text[at] == '}';
}

void ja_text_skip_bom(const char **text, size_t *length)
{
    if (!ja_text_begins(*text, *length, "\xEF\xBB\xBF"))
        return;
    *text += 3;
    *length -= 3;
}

void ja_clean(const struct ja_file *file, struct ja_arena *arena, const char **ret_text,
              size_t *ret_length)
{
    const char *text = file->text;
    size_t length = file->length;
    ja_text_skip_bom(&text, &length);
    *ret_text = text;
    *ret_length = length;
    if (ja_is_json(text, length))
        return;
    struct cleaner c = {.out = ja_arena_alloc(arena, length + 1, 1)};
    for (size_t at = 0; at < length;) {
        size_t end = ja_line_end(text, length, at), n = end - at;
        if (n && text[at + n - 1] == '\r')
            n--;
        clean_line(&c, text + at, n);
        if (end < length)
            c.out[c.length++] = '\n';
        at = end + 1;
    }
    close_region(&c);
    *ret_text = c.out;
    *ret_length = c.length;
}
