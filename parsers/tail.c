/* SPDX-License-Identifier: MIT */
#include "parsers/tail.h"

#include <string.h>

#include "parsers/scan.h"

#define LONGEST_GROUP 3 /* digits between grouping commas */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80);
}

/* Digits and what stands between the digits of numbers, dates and times. */
static bool in_number(char c)
{
    return c && (is_digit(c) || strchr(".,:+-/", c));
}

/* Commas part the columns of a row unless they group digits by three: the last column, then. */
static size_t last_column(const char *text, size_t start, size_t length)
{
    size_t column = start, digits = 0;
    bool groups = true, first = true;
    for (size_t i = start; i < length; i++) {
        if (text[i] != ',') {
            groups = groups && is_digit(text[i]);
            digits++;
            continue;
        }
        groups =
            groups && digits > 0 && (first ? digits <= LONGEST_GROUP : digits == LONGEST_GROUP);
        first = false;
        digits = 0;
        column = i + 1;
    }
    return groups && digits <= LONGEST_GROUP ? start : column;
}

/* "-Xmx51": the number of an option is glued to it. */
static bool is_option(const char *text, size_t at)
{
    while (at > 0 && is_letter(text[at - 1]))
        at--;
    return at > 0 && text[at - 1] == '-' && (at == 1 || text[at - 2] == ' ');
}

/* The clock reading of "2026-03-04T08:15" is a number, the "3" of "python3" and "/3" is none. */
static bool ends_word(const char *text, size_t start)
{
    if (start == 0 || !is_letter(text[start - 1]) || text[start] == ':')
        return false;
    bool time = text[start - 1] == 'T' && start >= 2 && is_digit(text[start - 2]);
    return !time && !is_option(text, start);
}

/* The value of a JSON key. */
static bool is_json(const char *text, size_t start)
{
    size_t colon = start;
    if (text[start] != ':') {
        while (colon > 0 && text[colon - 1] == ' ')
            colon--;
        if (colon == 0 || text[colon - 1] != ':')
            return false;
        colon--;
    }
    while (colon > 0 && text[colon - 1] == ' ')
        colon--;
    return colon > 0 && text[colon - 1] == '"';
}

/* Where the number at the end of text begins; length when there is none. */
static size_t number_start(const char *text, size_t length)
{
    size_t start = length;
    bool digits = false;
    for (; start > 0 && in_number(text[start - 1]); start--)
        digits = digits || is_digit(text[start - 1]);
    if (!digits || is_json(text, start))
        return length;
    size_t column = last_column(text, start, length);
    return column == start && ends_word(text, start) ? length : column;
}

/* ---- numbers that are whole although no line end follows: not one for its likeness to the row
 * above, since a digit more is what a rise looks like ------------------------------------------ */

struct row {
    const char *text;
    size_t length, words; /* words: parted by blanks and commas */
    const char *last;     /* its last word */
    size_t last_length;
};

static bool parts(char c)
{
    return c == ' ' || c == '\t' || c == ',' || c == '\r';
}

static struct row row_of(const char *text, size_t length)
{
    struct row row = {.text = text, .length = length};
    for (size_t i = 0; i < length; i++) {
        if (parts(text[i]))
            continue;
        row.last = text + i;
        while (i < length && !parts(text[i]))
            i++;
        row.last_length = (size_t)(text + i - row.last);
        row.words++;
    }
    return row;
}

static bool all_digits(const struct row *row)
{
    for (size_t i = 0; i < row->last_length; i++)
        if (!is_digit(row->last[i]))
            return false;
    return row->last_length > 0;
}

/* "Mon Sep 28 07:41:10 UTC 2026": no year has a fifth digit. Beside it stand the day and a clock
 * reading, no other number. */
static bool ends_date(const struct row *row)
{
    size_t days = 0, clocks = 0, others = 0;
    if (row->last_length != 4 ||
        (memcmp(row->last, "19", 2) != 0 && memcmp(row->last, "20", 2) != 0))
        return false;
    for (const char *at = row->text; at < row->last; at++) {
        if (!is_digit(*at))
            continue;
        size_t length = 0, colons = 0;
        for (; at + length < row->last && (is_digit(at[length]) || at[length] == ':'); length++)
            colons += at[length] == ':';
        *(length == 8 && colons == 2 ? &clocks : length <= 2 ? &days : &others) += 1;
        at += length;
    }
    return days == 1 && clocks == 1 && others == 0;
}

static bool is_whole(const char *text, size_t length)
{
    size_t begin = length, above = 0;
    while (begin > 0 && text[begin - 1] != '\n')
        begin--;
    struct row row = row_of(text + begin, length - begin), before = {.text = text};
    if (!all_digits(&row) || row.last + row.last_length != text + length)
        return false;
    if (begin > 0) {
        for (above = begin - 1; above > 0 && text[above - 1] != '\n';)
            above--;
        before = row_of(text + above, begin - 1 - above);
    }
    bool zero = row.last_length == 1 && *row.last == '0' && !memchr(row.text, '.', row.length) &&
                (!before.words || !memchr(before.last, '.', before.last_length));
    return zero || ends_date(&row);
}

static int line_number(const char *text, size_t length, int first_line)
{
    int line = first_line;
    for (size_t i = 0; i < length; i++)
        line += text[i] == '\n';
    return line;
}

const char *ja_tail_number(const char *text, size_t length, int first_line, struct ja_arena *arena,
                           struct ja_evidence *evidence)
{
    size_t start = number_start(text, length);
    if (start == length || is_whole(text, length))
        return text;
    char *copy = ja_arena_copy(arena, text, length);
    for (size_t i = start; i < length; i++)
        if (is_digit(copy[i]))
            copy[i] = '?';
    ja_diagnose(evidence, JA_NOTE, "number-cut", line_number(text, length, first_line), NULL,
                "the file ends with a number and without a line end: "
                "the number may be cut, left out");
    return copy;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Does a row above, which a line end follows, have the same name? */
static bool named_above(const struct ja_evidence *evidence, const struct ja_subject *subject,
                        int last_line)
{
    for (size_t i = 0; i < evidence->subject_count && subject->place != JA_NONE; i++) {
        const struct ja_subject *other = &evidence->subjects[i];
        if (other != subject && other->name && !other->name_cut && other->place != JA_NONE &&
            ja_place_line(evidence, other->place) < last_line && other->scope == subject->scope &&
            strcmp(other->name, subject->name) == 0)
            return true;
    }
    return false;
}

static bool is_last(const struct ja_evidence *evidence, const struct ja_subject *subject,
                    const char *text, size_t length, int last_line)
{
    const char *name = subject->name;
    if (!name || (subject->scope == JA_SCOPE_PROCESS && subject->place != JA_NONE &&
                  ja_place_line(evidence, subject->place) != last_line))
        return false;
    const char *slash = subject->scope == JA_SCOPE_CONTAINER ? strrchr(name, '/') : NULL;
    return ja_text_ends(text, length, slash ? slash + 1 : name);
}

void ja_tail_names(const char *text, size_t length, int first_line, struct ja_evidence *evidence)
{
    if (length == 0 || text[length - 1] == '\n')
        return;
    int line = line_number(text, length, first_line);
    ja_text_trim(&text, &length);
    for (size_t i = 0; i < evidence->subject_count; i++) {
        struct ja_subject *subject = &evidence->subjects[i];
        if (!is_last(evidence, subject, text, length, line) || named_above(evidence, subject, line))
            continue;
        subject->name_cut = subject->name_open = true;
        ja_diagnose(evidence, JA_NOTE, "name-cut", line, NULL,
                    "the file ends with the name \"%s\" and without a line end: "
                    "the name may go on, marked as cut",
                    subject->name);
    }
}
