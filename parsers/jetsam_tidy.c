/* SPDX-License-Identifier: MIT
 *
 * What people do to a report before they paste it: comments (// ~70 MB free), rows replaced by
 * "..." or "[...]", commas left over where rows were taken out. All of it is blanked, so that
 * offsets and line numbers stay those of the file and cJSON may read the rest.
 */
#include "parsers/jetsam.h"

#include <string.h>

#include "parsers/scan.h"

#define NOWHERE SIZE_MAX

struct tidy {
    char *text;
    size_t length;
    size_t comma;   /* comma not yet known to be needed; NOWHERE */
    size_t elision; /* first blanked byte of an elision since the last token; NOWHERE */
    char last;      /* last byte that means something; '\0' at the start */
    bool elided, changed;
};

static void blank(struct tidy *t, size_t from, size_t to)
{
    for (size_t i = from; i < to && i < t->length; i++)
        if (t->text[i] != '\n')
            t->text[i] = ' ';
    t->changed = true;
}

static size_t end_of_line(const struct tidy *t, size_t at)
{
    const char *end = memchr(t->text + at, '\n', t->length - at);
    return end ? (size_t)(end - t->text) : t->length;
}

static bool is_ellipsis(const char *text, size_t length)
{
    return length >= 3 && memcmp(text, "\xE2\x80\xA6", 3) == 0;
}

/* Bytes of an elision mark at at: "..", "...", ". .", the ellipsis; 0 none. */
static size_t elision_bytes(const struct tidy *t, size_t at)
{
    size_t i = at, dots = 0;
    while (i < t->length) {
        if (t->text[i] == '.')
            dots++, i++;
        else if (is_ellipsis(t->text + i, t->length - i))
            dots += 2, i += 3;
        else if (t->text[i] == ' ' && dots && i + 1 < t->length && t->text[i + 1] == '.')
            i++;
        else
            break;
    }
    return dots >= 2 ? i - at : 0;
}

/* A line of a person's hand that stands for rows: "[...]", "(124 more rows)", "<snip>". */
static bool stands_for_rows(const char *line, size_t length)
{
    static const char *const words[] = {"..",      "\xE2\x80\xA6", "snip", "omit", "elided",
                                        "truncat", "more",         "rows", "cut"};
    ja_text_trim(&line, &length);
    if (!length || !strchr("[(<-*", line[0]) || memchr(line, '"', length) ||
        memchr(line, '{', length))
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ja_text_find(line, length, words[i]) < length)
            return true;
    return false;
}

static void mark_elided(struct tidy *t, size_t from, size_t to)
{
    if (t->elision == NOWHERE)
        t->elision = from;
    t->elided = true;
    blank(t, from, to);
}

/* Passes a string that begins at at; a lost quote ends with its line. Returns its last byte. */
static size_t pass_string(const struct tidy *t, size_t at)
{
    for (at++; at < t->length && t->text[at] != '"' && t->text[at] != '\n'; at++)
        if (t->text[at] == '\\')
            at++;
    return at;
}

static size_t pass_comment(struct tidy *t, size_t at)
{
    size_t end = end_of_line(t, at);
    if (t->text[at + 1] == '*') {
        size_t close = ja_text_find(t->text + at, t->length - at, "*/");
        end = close < t->length - at ? at + close + 2 : t->length;
    }
    blank(t, at, end);
    return end - 1;
}

static void token(struct tidy *t, size_t at)
{
    char c = t->text[at];
    if (c == ',') {
        if (t->last == '\0' || strchr("{[,", t->last))
            blank(t, at, at + 1);
        else
            t->comma = at, t->last = ',';
        return;
    }
    if ((c == '}' || c == ']') && t->comma != NOWHERE)
        blank(t, t->comma, t->comma + 1);
    bool open = t->last == '\0' || strchr("{[,:", t->last);
    if (t->elision != NOWHERE && !open && (c == '{' || c == '"'))
        t->text[t->elision] = ',';
    t->comma = t->elision = NOWHERE;
    t->last = c;
}

char *ja_jetsam_tidy(const char *text, size_t length, struct ja_arena *arena, bool *ret_elided,
                     bool *ret_changed)
{
    struct tidy t = {.text = ja_arena_copy(arena, text, length),
                     .length = length,
                     .comma = NOWHERE,
                     .elision = NOWHERE};
    bool line_start = true;
    for (size_t at = 0; at < length; at++) {
        char c = t.text[at];
        size_t end = line_start ? end_of_line(&t, at) : at;
        size_t dots = c == '.' || c == '\xE2' ? elision_bytes(&t, at) : 0;
        if (line_start && stands_for_rows(t.text + at, end - at)) {
            mark_elided(&t, at, end);
        } else if (dots) {
            mark_elided(&t, at, at + dots);
        } else if (c == '/' && at + 1 < length &&
                   (t.text[at + 1] == '/' || t.text[at + 1] == '*')) {
            at = pass_comment(&t, at);
        } else if (c != ' ' && c != '\t' && c != '\r' && c != '\n') {
            token(&t, at);
            if (c == '"')
                at = pass_string(&t, at);
        }
        line_start = at < length && t.text[at] == '\n';
    }
    *ret_elided = t.elided;
    *ret_changed = t.changed;
    return t.text;
}
