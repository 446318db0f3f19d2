/* SPDX-License-Identifier: MIT */
#include "parsers/columns.h"

#include <string.h>

#include "parsers/scan.h"

static void put(struct ja_words *words, const char *text, size_t length)
{
    if (words->count == JA_MOST_WORDS)
        return;
    words->at[words->count].text = text;
    words->at[words->count].length = length;
    words->count++;
}

void ja_words_split(const char *line, size_t length, struct ja_words *ret)
{
    ret->count = 0;
    ja_text_trim(&line, &length);
    ret->end = line + length;
    struct ja_scan scan = ja_scan_of(line, length);
    const char *word = NULL;
    size_t word_length = 0;
    while (ja_scan_word(&scan, &word, &word_length)) {
        put(ret, word, word_length);
        ja_scan_blanks(&scan);
    }
}

void ja_cells_split(const char *line, size_t length, struct ja_words *ret)
{
    ret->count = 0;
    ja_text_trim(&line, &length);
    ret->end = line + length;
    size_t begin = 0;
    for (size_t at = 0; at < length; at++) {
        bool gap = line[at] == '\t' || (line[at] == ' ' && at + 1 < length &&
                                        (line[at + 1] == ' ' || line[at + 1] == '\t'));
        if (!gap)
            continue;
        put(ret, line + begin, at - begin);
        while (at + 1 < length && (line[at + 1] == ' ' || line[at + 1] == '\t'))
            at++;
        begin = at + 1;
    }
    if (begin < length)
        put(ret, line + begin, length - begin);
}

bool ja_word_is(const struct ja_words *words, size_t index, const char *word)
{
    return index < words->count && ja_text_is(words->at[index].text, words->at[index].length, word);
}

size_t ja_word_find(const struct ja_words *words, const char *word)
{
    for (size_t i = 0; i < words->count; i++)
        if (ja_word_is(words, i, word))
            return i;
    return JA_MOST_WORDS;
}

bool ja_word_rest(const struct ja_words *words, size_t index, const char **ret, size_t *ret_length)
{
    if (index >= words->count)
        return false;
    *ret = words->at[index].text;
    *ret_length = (size_t)(words->end - words->at[index].text);
    return true;
}

static struct ja_scan scan_word_at(const struct ja_words *words, size_t index)
{
    if (index >= words->count)
        return ja_scan_of("", 0);
    return ja_scan_of(words->at[index].text, words->at[index].length);
}

bool ja_word_u63(const struct ja_words *words, size_t index, int64_t *ret)
{
    struct ja_scan scan = scan_word_at(words, index);
    int64_t value = 0;
    if (!ja_scan_u63(&scan, &value) || !ja_scan_end(&scan))
        return false;
    *ret = value;
    return true;
}

bool ja_word_decimal(const struct ja_words *words, size_t index, int64_t *ret_mantissa,
                     int *ret_decimals)
{
    struct ja_scan scan = scan_word_at(words, index);
    int64_t mantissa = 0;
    int decimals = 0;
    if (!ja_scan_decimal(&scan, &mantissa, &decimals) || !ja_scan_end(&scan))
        return false;
    *ret_mantissa = mantissa;
    *ret_decimals = decimals;
    return true;
}

/* Bytes of a unit letter, with "i", "B" or "iB" behind it; 0 when it is none. */
static int64_t unit_bytes(struct ja_scan *scan)
{
    static const struct {
        char small, large;
        int64_t bytes;
    } units[] = {{'k', 'K', JA_KIB}, {'m', 'M', JA_MIB}, {'g', 'G', JA_GIB}, {'t', 'T', JA_TIB}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (!ja_scan_char(scan, units[i].small) && !ja_scan_char(scan, units[i].large))
            continue;
        (void)ja_scan_char(scan, 'i');
        (void)ja_scan_char(scan, 'B');
        return units[i].bytes;
    }
    return ja_scan_char(scan, 'B') ? 1 : 0;
}

bool ja_word_size(const struct ja_words *words, size_t index, int64_t bare_bytes,
                  struct ja_quantity *ret)
{
    struct ja_scan scan = scan_word_at(words, index);
    int64_t mantissa = 0;
    int decimals = 0;
    if (!ja_scan_decimal(&scan, &mantissa, &decimals))
        return false;
    bool bare = ja_scan_end(&scan);
    int64_t unit = bare ? bare_bytes : unit_bytes(&scan);
    if (unit == 0 || !ja_scan_end(&scan) || (bare && decimals > 0))
        return false;
    if (!ja_scale(mantissa, decimals, unit, ret))
        return false;
    ret->rounding = bare ? JA_ROUNDING_EXACT : JA_ROUNDING_NEAREST;
    return true;
}
