/* SPDX-License-Identifier: MIT */
#include "reports/text.h"

#include <stdio.h>
#include <string.h>

/* A cell holds 32767 UTF-16 units; a character may take two, an escaped _xHHHH_ twice its length.
 */
#define XLSX_CELL_CHARACTERS 16000

struct builder {
    struct ja_arena *arena;
    char *text;
    size_t length, capacity;
};

static void put(struct builder *b, const char *text, size_t length)
{
    if (b->length + length + 1 > b->capacity) {
        size_t larger = (b->capacity + length + 64) * 2;
        char *moved = ja_arena_alloc(b->arena, larger, 1);
        if (b->length)
            memcpy(moved, b->text, b->length);
        b->text = moved;
        b->capacity = larger;
    }
    memcpy(b->text + b->length, text, length);
    b->length += length;
    b->text[b->length] = '\0';
}

static void put_text(struct builder *b, const char *text)
{
    put(b, text, strlen(text));
}

static const char *finish(struct builder *b)
{
    return b->text ? b->text : "";
}

/* ---- the sanitiser --------------------------------------------------------------------------- */

size_t ja_utf8_decode(const unsigned char *text, uint32_t *ret_code)
{
    size_t length = text[0] < 0x80   ? 1
                    : text[0] < 0xc2 ? 0
                    : text[0] < 0xe0 ? 2
                    : text[0] < 0xf0 ? 3
                    : text[0] < 0xf5 ? 4
                                     : 0;
    uint32_t code = length == 1   ? text[0]
                    : length == 2 ? text[0] & 0x1fu
                    : length == 3 ? text[0] & 0x0fu
                                  : text[0] & 0x07u;
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3fu);
    }
    if ((length == 3 && code < 0x800) || (length == 4 && (code < 0x10000 || code > 0x10ffff)) ||
        (code >= 0xd800 && code <= 0xdfff))
        return 0;
    *ret_code = code;
    return length;
}

/* Characters that hide, reorder or break text. */
static bool is_tricky(uint32_t c)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        {0x00, 0x1f},     {0x7f, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},
        {0x180e, 0x180e}, {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},
        {0xfdd0, 0xfdef}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe0fff},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (c >= ranges[i].first && c <= ranges[i].last)
            return true;
    return (c & 0xfffe) == 0xfffe;
}

static bool is_mark(char c)
{
    return c == JA_NAME_BEGIN || c == JA_NAME_END;
}

/* One character of hostile text, made visible; returns how many bytes it took. */
static size_t put_visible(struct builder *b, const char *text)
{
    uint32_t code;
    char shown[16];
    size_t length = ja_utf8_decode((const unsigned char *)text, &code);
    if (length == 0) {
        snprintf(shown, sizeof shown, "\\x%02X", (unsigned char)*text);
        put_text(b, shown);
        return 1;
    }
    if (!is_tricky(code)) {
        put(b, text, length);
        return length;
    }
    snprintf(shown, sizeof shown, code < 0x80 ? "\\x%02X" : "\\u{%X}", (unsigned)code);
    put_text(b, shown);
    return length;
}

/* How much of the text is printable ASCII, which nearly all text is: such stays as it is. */
static size_t plain_length(const char *text)
{
    size_t length = 0;
    while (text[length] >= 0x20 && text[length] < 0x7f)
        length++;
    return length;
}

const char *ja_visible(struct ja_arena *arena, const char *text)
{
    struct builder b = {.arena = arena};
    size_t plain = text ? plain_length(text) : 0;
    if (!text || !text[plain])
        return text ? text : "";
    put(&b, text, plain);
    for (text += plain; *text;) {
        if (is_mark(*text))
            text++;
        else
            text += put_visible(&b, text);
    }
    return finish(&b);
}

/* ---- Markdown -------------------------------------------------------------------------------- */

const char *ja_markdown_code(struct ja_arena *arena, const char *text, bool in_table)
{
    const char *visible = ja_visible(arena, text);
    struct builder b = {.arena = arena};
    size_t longest = 0, run = 0, length = strlen(visible);
    if (!length)
        return "";
    for (const char *c = visible; *c; c++) {
        run = *c == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    bool pad = visible[0] == '`' || visible[length - 1] == '`' ||
               (visible[0] == ' ' && visible[length - 1] == ' ');
    for (size_t i = 0; i <= longest; i++)
        put(&b, "`", 1);
    if (pad)
        put(&b, " ", 1);
    for (const char *c = visible; *c; c++) {
        if (*c == '|' && in_table)
            put(&b, "\\", 1);
        put(&b, c, 1);
    }
    if (pad)
        put(&b, " ", 1);
    for (size_t i = 0; i <= longest; i++)
        put(&b, "`", 1);
    return finish(&b);
}

/* A word of plain letters, digits and the punctuation of sentences cannot be live Markdown. */
static bool is_plain_word(const char *word, size_t length)
{
    static const char safe[] = ".,;:%()+-/='\"?";
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)word[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!letter && (c >= 0x80 || !strchr(safe, c)))
            return false;
    }
    for (size_t i = 0; i + 2 < length; i++)
        if (memcmp(word + i, "://", 3) == 0)
            return false;
    if (length > 4 && (memcmp(word, "www.", 4) == 0 || memcmp(word, "(www", 4) == 0))
        return false;
    /* At the start of a line these begin lists and rules. */
    return !(length == 1 && strchr("+-=", word[0])) || length > 1;
}

static void put_word(struct builder *b, const char *word, size_t length, bool in_table)
{
    if (is_plain_word(word, length)) {
        put(b, word, length);
        return;
    }
    /* Punctuation of the sentence stays outside of the span. */
    size_t tail = length;
    while (tail > 1 && strchr(".,;:)", word[tail - 1]))
        tail--;
    size_t head = 0;
    while (head + 1 < tail && word[head] == '(')
        head++;
    put(b, word, head);
    put_text(
        b, ja_markdown_code(b->arena, ja_arena_copy(b->arena, word + head, tail - head), in_table));
    put(b, word + tail, length - tail);
}

static void put_words(struct builder *b, const char *text, size_t length, bool in_table)
{
    for (size_t at = 0; at < length;) {
        size_t end = at;
        while (end < length && text[end] != ' ' && text[end] != '\n')
            end++;
        if (end > at)
            put_word(b, text + at, end - at, in_table);
        if (end < length)
            put(b, " ", 1);
        at = end + 1;
    }
}

const char *ja_markdown(struct ja_arena *arena, const char *text, bool in_table)
{
    struct builder b = {.arena = arena};
    while (text && *text) {
        if (*text == JA_NAME_BEGIN) {
            const char *end = strchr(text, JA_NAME_END);
            size_t length = end ? (size_t)(end - text) - 1 : strlen(text + 1);
            put_text(&b, ja_markdown_code(arena, ja_arena_copy(arena, text + 1, length), in_table));
            text += length + (end ? 2 : 1);
            continue;
        }
        size_t length = strcspn(text, (const char[]){JA_NAME_BEGIN, '\0'});
        put_words(&b, text, length, in_table);
        text += length;
    }
    return finish(&b);
}

/* ---- other quoters --------------------------------------------------------------------------- */

const char *ja_xml(struct ja_arena *arena, const char *text)
{
    struct builder b = {.arena = arena};
    for (const char *c = ja_visible(arena, text); *c; c++) {
        switch (*c) {
        case '&':
            put_text(&b, "&amp;");
            break;
        case '<':
            put_text(&b, "&lt;");
            break;
        case '>':
            put_text(&b, "&gt;");
            break;
        case '"':
            put_text(&b, "&quot;");
            break;
        case '\'':
            put_text(&b, "&#39;");
            break;
        default:
            put(&b, c, 1);
        }
    }
    return finish(&b);
}

const char *ja_tsv(struct ja_arena *arena, const char *text)
{
    const char *visible = ja_visible(arena, text);
    /* Spreadsheets take a cell that begins so for a formula. */
    if (visible[0] && strchr("=+-@", visible[0]))
        return ja_arena_print(arena, "'%s", visible);
    return visible;
}

const char *ja_xlsx(struct ja_arena *arena, const char *text)
{
    struct builder b = {.arena = arena};
    const char *visible = ja_shorten(arena, ja_visible(arena, text), XLSX_CELL_CHARACTERS);
    if (!strstr(visible, "_x"))
        return visible;
    for (const char *c = visible; *c; c++) {
        /* _x0041_ is read as "A" by Excel: the underscore itself is escaped. */
        bool escape = c[0] == '_' && c[1] == 'x' && strspn(c + 2, "0123456789abcdefABCDEF") >= 4 &&
                      c[6] == '_';
        if (escape)
            put_text(&b, "_x005F_");
        else
            put(&b, c, 1);
    }
    return finish(&b);
}

const char *ja_shorten(struct ja_arena *arena, const char *visible, size_t count)
{
    size_t bytes = 0;
    if (strlen(visible) <= count)
        return visible;
    for (size_t characters = 0; visible[bytes]; characters++) {
        if (characters == count)
            return ja_arena_print(arena, "%.*s... (+%zu bytes)", (int)bytes, visible,
                                  strlen(visible) - bytes);
        uint32_t code;
        size_t length = ja_utf8_decode((const unsigned char *)visible + bytes, &code);
        bytes += length ? length : 1;
    }
    return visible;
}
