/* SPDX-License-Identifier: MIT */
#include "parsers/object_text.h"

#include <string.h>

#define LARGEST_OBJECT ((size_t)256 * 1024)
#define DEEPEST_OBJECT 16

/* Behind the text in quotes that begins at at; a line's end ends it, too (no text spans lines). */
static size_t skip_quoted(const char *text, size_t length, size_t at)
{
    const char quote = text[at++];
    while (at < length && text[at] != quote && text[at] != '\n')
        at += text[at] == '\\' && at + 1 < length ? 2 : 1;
    return at < length ? at + 1 : length;
}

/* Length of the balanced object at text[0] == '{'; 0 when there is none. */
static size_t balanced(const char *text, size_t length)
{
    int depth = 0;
    if (length > LARGEST_OBJECT)
        length = LARGEST_OBJECT;
    for (size_t at = 0; at < length;) {
        char c = text[at];
        if (c == '"' || c == '\'' || c == '`') {
            at = skip_quoted(text, length, at);
            continue;
        }
        at++;
        if (c == '{' && ++depth > DEEPEST_OBJECT)
            return 0;
        if (c == '}' && --depth == 0)
            return at;
    }
    return 0;
}

static size_t line_end(const char *text, size_t length, size_t at)
{
    const char *end = memchr(text + at, '\n', length - at);
    return end ? (size_t)(end - text) : length;
}

/* A line of JSON whose object never closes is cut: the objects inside it have lost what names them.
 */
static bool cut_json_line(const char *text, size_t length, size_t start)
{
    return (start == 0 || text[start - 1] == '\n') && start + 1 < length &&
           text[start + 1] == '"' && length - start <= LARGEST_OBJECT;
}

bool ja_object_next(const char *text, size_t length, size_t *at, struct ja_object_text *object)
{
    size_t counted = object->text ? (size_t)(object->text - text) : 0;
    while (*at < length) {
        const char *open = memchr(text + *at, '{', length - *at);
        if (!open)
            break;
        size_t start = (size_t)(open - text);
        size_t size = balanced(open, length - start);
        *at = start + size;
        if (!size) {
            *at = cut_json_line(text, length, start) ? line_end(text, length, start) : start + 1;
            continue;
        }
        for (; counted < start; counted++)
            object->line += text[counted] == '\n';
        size_t line = start;
        while (line > 0 && text[line - 1] != '\n')
            line--;
        object->text = open;
        object->length = size;
        object->before = text + line;
        object->before_length = start - line;
        object->inside = start + 1;
        return true;
    }
    *at = length;
    return false;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c == '.' || c == '-' || c == '+' || (c & 0x80);
}

struct output {
    char *text;
    size_t length;
};

static void put(struct output *out, const char *text, size_t length)
{
    memcpy(out->text + out->length, text, length);
    out->length += length;
}

/* A text in any quotes, put in double ones. Control characters become blanks. */
static size_t put_quoted(struct output *out, const char *text, size_t length, size_t at)
{
    size_t end = skip_quoted(text, length, at);
    put(out, "\"", 1);
    for (size_t i = at + 1; i + 1 < end; i++) {
        if (text[i] == '\\' && text[i + 1] == '\'')
            continue;
        if (text[i] == '"' && text[at] != '"')
            put(out, "\\", 1);
        put(out, (unsigned char)text[i] < ' ' ? " " : text + i, 1);
    }
    put(out, "\"", 1);
    return end;
}

/* A bare word: a number, true, false, null stay; undefined, NaN and [Function] words become null;
 * a word before ':' is a key and gets quotes. */
static size_t put_word(struct output *out, const char *text, size_t length, size_t at)
{
    size_t end = at;
    while (end < length && is_word(text[end]))
        end++;
    size_t next = end;
    while (next < length && strchr(" \t\r\n", text[next]))
        next++;
    bool key = next < length && text[next] == ':';
    bool literal = (text[at] >= '0' && text[at] <= '9') || text[at] == '-' ||
                   (end - at == 4 &&
                    (memcmp(text + at, "true", 4) == 0 || memcmp(text + at, "null", 4) == 0)) ||
                   (end - at == 5 && memcmp(text + at, "false", 5) == 0);
    if (key) {
        put(out, "\"", 1);
        put(out, text + at, end - at);
        put(out, "\"", 1);
    } else if (literal) {
        put(out, text + at, end - at);
    } else {
        put(out, "null", 4);
    }
    return end;
}

/* What node prints for things it cannot or will not show: "<ref *1>", "<Buffer 00 01>",
 * "[Circular *1]", "[Function: next]". Behind it; at when it is something else. */
static size_t skip_mark(const char *text, size_t length, size_t at)
{
    char close = text[at] == '<' ? '>' : ']';
    bool named = at + 1 < length && text[at + 1] >= 'A' && text[at + 1] <= 'Z';
    const char *end = memchr(text + at, close, length - at);
    return end && (close == '>' || named) ? (size_t)(end - text) + 1 : at;
}

const char *ja_object_json(const char *text, size_t *length, struct ja_arena *arena)
{
    /* A one-letter word grows to null, an empty key cannot be: four times the text is enough. */
    struct output out = {.text = ja_arena_alloc(arena, *length * 4 + 8, 1)};
    for (size_t at = 0; at < *length;) {
        char c = text[at];
        size_t mark = c == '<' || c == '[' ? skip_mark(text, *length, at) : at;
        if (mark > at) {
            put(&out, "null", 4);
            at = mark;
        } else if (c == '"' || c == '\'' || c == '`') {
            at = put_quoted(&out, text, *length, at);
        } else if (is_word(c)) {
            at = put_word(&out, text, *length, at);
        } else if (strchr("{}[]:, \t\r\n", c)) {
            put(&out, &c, 1);
            at++;
        } else {
            return NULL;
        }
    }
    *length = out.length;
    return out.text;
}
