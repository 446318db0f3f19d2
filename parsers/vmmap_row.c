/* SPDX-License-Identifier: MIT */
#include "parsers/vmmap.h"

#include "parsers/scan.h"

#define MOST_WORDS 48

/* The count at the very end of a file that has no last line end (parsers/tail.h). */
static bool is_masked(const struct ja_line *word)
{
    for (size_t i = 0; i < word->length; i++)
        if (word->text[i] != '?')
            return false;
    return word->length > 0;
}

static bool is_value(const struct ja_line *word)
{
    struct ja_quantity quantity;
    size_t length = word->length;
    if (is_masked(word))
        return true;
    if (length && word->text[length - 1] == '%')
        length--;
    return ja_vmmap_size(word->text, length, 1, &quantity) != JA_VMMAP_NO_SIZE;
}

static bool is_bare(const struct ja_line *word)
{
    return word->length && word->text[word->length - 1] >= '0' &&
           word->text[word->length - 1] <= '9';
}

static int split(const struct ja_line *line, struct ja_line words[MOST_WORDS])
{
    struct ja_scan scan = ja_scan_of(line->text, line->length);
    int count = 0;
    ja_scan_blanks(&scan);
    while (count < MOST_WORDS && ja_scan_word(&scan, &words[count].text, &words[count].length)) {
        words[count++].number = line->number;
        ja_scan_blanks(&scan);
    }
    return count;
}

/* The last run of neighbouring values: notes behind it are words, the type before it too. */
static void find_run(const struct ja_line *words, int count, int *ret_first, int *ret_length)
{
    int best_first = 0, best_length = 0;
    for (int at = 0; at < count;) {
        int first = at;
        while (at < count && is_value(&words[at]))
            at++;
        if (at - first > best_length) {
            best_first = first;
            best_length = at - first;
        }
        at += at == first;
    }
    *ret_first = best_first;
    *ret_length = best_length;
}

bool ja_vmmap_row_read(const struct ja_line *line, const struct ja_vmmap_titles *titles,
                       struct ja_vmmap_row *ret, bool *ret_cut)
{
    struct ja_line words[MOST_WORDS];
    int count = split(line, words), first, length;
    find_run(words, count, &first, &length);
    /* A number in front of the sizes belongs to the type, a size or count behind them is a column
     * that the titles do not have. */
    while (titles->count && length > titles->count) {
        if (is_bare(&words[first]) && first > 0)
            first++;
        length--;
    }
    if (first == 0 || length == 0 || length > JA_VMMAP_COLUMNS)
        return false;
    *ret_cut = titles->count && length < titles->count;
    *ret = (struct ja_vmmap_row){.type = words[0].text, .line = line->number, .count = length};
    ret->type_length = (size_t)(words[first - 1].text + words[first - 1].length - words[0].text);
    for (int i = 0; i < length; i++)
        ret->words[i] = words[first + i];
    return true;
}

bool ja_vmmap_row_size(const struct ja_vmmap_row *row, const struct ja_vmmap_titles *titles,
                       enum ja_vmmap_column column, struct ja_quantity *ret,
                       struct ja_line *ret_word)
{
    for (int i = 0; i < titles->count && i < row->count; i++) {
        if (titles->columns[i] != column)
            continue;
        /* With -pages the zone table's BYTES ALLOCATED stay bytes. */
        int64_t bare = column == JA_COLUMN_ALLOCATED ? 1 : titles->page_bytes;
        *ret_word = row->words[i];
        return ja_vmmap_size(row->words[i].text, row->words[i].length, bare, ret) == JA_VMMAP_SIZE;
    }
    return false;
}
