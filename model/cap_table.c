/* SPDX-License-Identifier: MIT */
#include "model/cap_table.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/quantity.h"

#define DEEPEST 32 /* nested parentheses of a formula */

/* ---- formulas -------------------------------------------------------------------------------- */

struct reader {
    const char *at;
    const struct ja_cap_values *values;
    int depth;
    bool bad;
};

static void skip_blanks(struct reader *r)
{
    while (*r->at == ' ')
        r->at++;
}

static bool take(struct reader *r, const char *word)
{
    size_t n = strlen(word);
    skip_blanks(r);
    if (strncmp(r->at, word, n) != 0)
        return false;
    if (isalpha((unsigned char)word[0]) && isalnum((unsigned char)r->at[n]))
        return false;
    r->at += n;
    return true;
}

/* Digits and a point, no sign, no exponent, no locale. */
static double read_number(struct reader *r)
{
    double value = 0, weight = 1;
    bool point = false, digit = false;
    for (;; r->at++) {
        if (*r->at == '.' && !point) {
            point = true;
        } else if (*r->at >= '0' && *r->at <= '9') {
            value = value * 10 + (*r->at - '0');
            weight *= point ? 10 : 1;
            digit = true;
        } else {
            break;
        }
    }
    if (!digit)
        r->bad = true;
    return value / weight;
}

static double read_unit(struct reader *r)
{
    static const struct {
        const char *word;
        double bytes;
    } units[] = {{"KiB", (double)JA_KIB},
                 {"MiB", (double)JA_MIB},
                 {"GiB", (double)JA_GIB},
                 {"TiB", (double)JA_TIB}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (take(r, units[i].word))
            return units[i].bytes;
    return 1;
}

static double read_sum(struct reader *r);

/* "(a, b, ...)" of min and max; an unknown argument makes the result unknown. */
static double read_choice(struct reader *r, bool largest)
{
    if (!take(r, "(")) {
        r->bad = true;
        return NAN;
    }
    double result = read_sum(r);
    while (!r->bad && take(r, ",")) {
        double next = read_sum(r);
        if (isnan(next) || isnan(result))
            result = NAN;
        else if (largest ? next > result : next < result)
            result = next;
    }
    if (!take(r, ")"))
        r->bad = true;
    return result;
}

static double read_factor(struct reader *r)
{
    if (take(r, "min"))
        return read_choice(r, false);
    if (take(r, "max"))
        return read_choice(r, true);
    if (take(r, "ram"))
        return r->values->ram;
    if (take(r, "rec"))
        return r->values->rec;
    if (take(r, "cores"))
        return r->values->cores;
    if (take(r, "rss"))
        return r->values->rss;
    if (take(r, "(")) {
        double value = read_sum(r);
        if (!take(r, ")"))
            r->bad = true;
        return value;
    }
    skip_blanks(r);
    double number = read_number(r);
    return number * read_unit(r);
}

static double read_product(struct reader *r)
{
    double value = read_factor(r);
    while (!r->bad) {
        if (take(r, "*"))
            value *= read_factor(r);
        else if (take(r, "/"))
            value /= read_factor(r);
        else
            break;
    }
    return value;
}

static double read_sum(struct reader *r)
{
    if (++r->depth > DEEPEST) {
        r->bad = true;
        return NAN;
    }
    double value = read_product(r);
    while (!r->bad) {
        if (take(r, "+"))
            value += read_product(r);
        else if (take(r, "-"))
            value -= read_product(r);
        else
            break;
    }
    r->depth--;
    return value;
}

bool ja_cap_formula(const char *formula, const struct ja_cap_values *values, double *ret)
{
    struct reader r = {.at = formula, .values = values};
    double value = read_sum(&r);
    skip_blanks(&r);
    if (r.bad || *r.at)
        return false;
    *ret = isfinite(value) ? value : NAN;
    return true;
}

/* ---- whom a row is about --------------------------------------------------------------------- */

static bool same_letters(const char *a, const char *b, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (tolower((unsigned char)a[i]) != tolower((unsigned char)b[i]))
            return false;
    return true;
}

static bool holds(const char *text, const char *word, size_t length)
{
    size_t whole = text ? strlen(text) : 0;
    for (size_t at = 0; at + length <= whole; at++)
        if (same_letters(text + at, word, length))
            return true;
    return false;
}

static bool name_fits(const char *name, const char *pattern, size_t length)
{
    size_t n = strlen(name);
    bool front = length && pattern[0] == '*';
    bool back = length > front && pattern[length - 1] == '*';
    pattern += front;
    length -= (size_t)front + (size_t)back;
    if (front && back)
        return holds(name, pattern, length);
    if (front || back)
        return n >= length && same_letters(back ? name : name + n - length, pattern, length);
    return n == length && same_letters(name, pattern, length);
}

static bool condition(const char *text, size_t length, const struct ja_cap_subject *subject,
                      bool *ret_bad)
{
    static const char name[] = "name:", path[] = "path:", runtime[] = "runtime:";
    if (length == 8 && memcmp(text, "graphics", 8) == 0)
        return subject->graphics;
    if (length > sizeof name - 1 && memcmp(text, name, sizeof name - 1) == 0)
        return name_fits(subject->name, text + 5, length - 5);
    if (length > sizeof path - 1 && memcmp(text, path, sizeof path - 1) == 0)
        return holds(subject->command, text + 5, length - 5);
    if (length > sizeof runtime - 1 && memcmp(text, runtime, sizeof runtime - 1) == 0)
        return subject->runtime && holds(subject->runtime, text + 8, length - 8);
    *ret_bad = true;
    return false;
}

static bool match_picks(const char *match, const struct ja_cap_subject *subject, bool *ret_bad)
{
    bool picked = false;
    for (;;) {
        bool all = true;
        for (bool more = true; more;) {
            size_t length = strcspn(match, "+|");
            all &= condition(match, length, subject, ret_bad);
            match += length;
            more = *match == '+';
            match += more;
        }
        picked |= all;
        if (*match != '|')
            return picked && !*ret_bad;
        match++;
    }
}

bool ja_cap_row_picks(const struct ja_cap_row *row, const struct ja_cap_subject *subject)
{
    bool bad = false;
    return match_picks(row->match, subject, &bad);
}

/* ---- the table ------------------------------------------------------------------------------- */

static bool read_row(const char *line, size_t length, struct ja_arena *arena,
                     struct ja_cap_row *ret)
{
    const char *columns[4];
    for (int i = 0; i < 4; i++) {
        const char *tab = memchr(line, '\t', length);
        size_t n = tab && i < 3 ? (size_t)(tab - line) : length;
        if (n == 0 || (i < 3 && !tab))
            return false;
        columns[i] = ja_arena_copy(arena, line, n);
        line += i < 3 ? n + 1 : n;
        length -= i < 3 ? n + 1 : n;
    }
    struct ja_cap_row row = {columns[0], columns[1], columns[2], columns[3]};
    struct ja_cap_values none = {NAN, NAN, NAN, NAN};
    struct ja_cap_subject nobody = {.name = ""};
    double value;
    bool bad = false;
    match_picks(row.match, &nobody, &bad);
    if (bad || !ja_cap_formula(row.formula, &none, &value))
        return false;
    *ret = row;
    return true;
}

bool ja_cap_table_read(const char *text, struct ja_arena *arena, struct ja_cap_row **ret_rows,
                       size_t *ret_count, int *ret_bad_line)
{
    struct ja_cap_row *rows = NULL, row;
    size_t count = 0, capacity = 0;
    int bad = 0;
    for (int number = 1; *text; number++) {
        size_t length = strcspn(text, "\n");
        size_t kept = length && text[length - 1] == '\r' ? length - 1 : length;
        if (kept && *text != '#') {
            if (read_row(text, kept, arena, &row))
                *JA_APPEND(arena, rows, count, capacity) = row;
            else if (!bad)
                bad = number;
        }
        text += length + (text[length] == '\n');
    }
    *ret_rows = rows;
    *ret_count = count;
    *ret_bad_line = bad;
    return bad == 0;
}

void ja_working_set(double ram_bytes, double *ret_old, double *ret_new)
{
    /* Shares of RAM that public logs show; 0: none was seen. */
    static const struct {
        int gib;
        double old, new;
    } seen[] = {{16, 2.0 / 3, 0.74}, {32, 2.0 / 3, 0.78}, {48, 0, 0.78},
                {64, 0.75, 0.81},    {96, 0.75, 0},       {128, 0, 0.84}};
    *ret_old = *ret_new = NAN;
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
        if (ram_bytes != seen[i].gib * (double)JA_GIB)
            continue;
        *ret_old = seen[i].old > 0 ? seen[i].old * ram_bytes : NAN;
        *ret_new = seen[i].new > 0 ? seen[i].new *ram_bytes : NAN;
    }
}
