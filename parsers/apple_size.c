/* SPDX-License-Identifier: MIT
 *
 * The unit rule of footprint is humanize_number(3) with an 8-byte buffer: four digits at most, so
 * "9999 MB" is followed by "10 GB", and "10 GB" begins at 9999.5 MB, not at 9.5 GB.
 */
#include "parsers/apple_size.h"

#include <string.h>

#define FOUR_DIGITS 9999
#define LEAST_COARSE 10 /* "9 GB" would have been printed as 9216 MB */

static bool scan_footprint_unit(struct ja_scan *scan, int64_t *ret_unit, bool *ret_pages)
{
    static const struct {
        const char *word;
        int64_t bytes;
        bool pages;
    } units[] = {{"KB", JA_KIB, false}, {"MB", JA_MIB, false}, {"GB", JA_GIB, false},
                 {"TB", JA_TIB, false}, {"B", 1, false},       {"pages", 1, true}};
    struct ja_scan copy = *scan;
    const char *word;
    size_t length;
    if (!ja_scan_word(&copy, &word, &length))
        return false;
    while (length && strchr("),.;", word[length - 1]))
        length--;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (!ja_text_is(word, length, units[i].word))
            continue;
        *ret_unit = units[i].bytes;
        *ret_pages = units[i].pages;
        scan->at = (size_t)(word + length - scan->text);
        return true;
    }
    return false;
}

/* A whole number of a unit coarser than a byte, as footprint rounds it. */
static enum ja_size_oddity judge_whole(int64_t number, int64_t unit, struct ja_quantity *quantity)
{
    if (number > FOUR_DIGITS) {
        bool thousand_fold = number % 1024 == 0 && unit < JA_TIB;
        if (thousand_fold)
            quantity->resolution = unit * 1024;
        return thousand_fold ? JA_SIZE_CONVERTED : JA_SIZE_UNNATURAL;
    }
    if (number == LEAST_COARSE)
        quantity->rounding = JA_ROUNDING_EDGE;
    return number < LEAST_COARSE && number > 0 ? JA_SIZE_UNNATURAL : JA_SIZE_AS_PRINTED;
}

bool ja_footprint_size(struct ja_scan *scan, int64_t page_bytes, struct ja_quantity *ret,
                       enum ja_size_oddity *ret_oddity)
{
    struct ja_scan copy = *scan;
    int64_t mantissa, unit;
    int decimals;
    bool pages;
    struct ja_quantity quantity;
    if (!ja_scan_decimal(&copy, &mantissa, &decimals))
        return false;
    ja_scan_blanks(&copy);
    if (!scan_footprint_unit(&copy, &unit, &pages))
        return false;
    if (pages)
        unit = page_bytes;
    if (unit < 1 || (pages && decimals) || !ja_scale(mantissa, decimals, unit, &quantity))
        return false;
    enum ja_size_oddity oddity = decimals ? JA_SIZE_DECIMALS : JA_SIZE_AS_PRINTED;
    if (mantissa == 0)
        quantity = (struct ja_quantity){.resolution = 1, .rounding = JA_ROUNDING_EXACT};
    else if (pages)
        quantity.rounding = JA_ROUNDING_UP;
    else if (!decimals && unit > 1)
        oddity = judge_whole(mantissa, unit, &quantity);
    *scan = copy;
    *ret = quantity;
    *ret_oddity = oddity;
    return true;
}

enum ja_vmmap_word ja_vmmap_size(const char *word, size_t length, int64_t page_bytes,
                                 struct ja_quantity *ret)
{
    static const char suffixes[] = "KMGT";
    struct ja_scan scan = ja_scan_of(word, length);
    int64_t mantissa, unit = page_bytes, largest = (int64_t)1 << 60;
    int decimals;
    if (!ja_scan_decimal(&scan, &mantissa, &decimals))
        return JA_VMMAP_NO_SIZE;
    bool bare = ja_scan_end(&scan);
    for (int i = 0; !bare && suffixes[i]; i++)
        if (word[scan.at] == suffixes[i])
            unit = (int64_t)1 << (10 * (i + 1));
    if (bare ? decimals > 0 : (scan.at + 1 != length || unit == page_bytes))
        return JA_VMMAP_NO_SIZE;
    struct ja_quantity quantity;
    if (!ja_scale(mantissa, decimals, unit, &quantity) || quantity.value >= largest)
        return JA_VMMAP_TOO_LARGE;
    if (bare || mantissa == 0)
        quantity.rounding = JA_ROUNDING_EXACT;
    if (mantissa == 0)
        quantity.resolution = 1;
    *ret = quantity;
    return JA_VMMAP_SIZE;
}

struct ja_quantity ja_quantity_sum(struct ja_quantity a, struct ja_quantity b)
{
    if (a.rounding == JA_ROUNDING_EXACT && b.rounding != JA_ROUNDING_EXACT) {
        b.value = ja_add(a.value, b.value);
        return b.rounding == JA_ROUNDING_EDGE
                   ? (struct ja_quantity){b.value, b.resolution, JA_ROUNDING_NEAREST}
                   : b;
    }
    if (b.rounding == JA_ROUNDING_EXACT && a.rounding != JA_ROUNDING_EXACT)
        return ja_quantity_sum(b, a);
    struct ja_quantity sum = {.value = ja_add(a.value, b.value)};
    if (a.rounding == JA_ROUNDING_EXACT) {
        sum.resolution = a.resolution > b.resolution ? a.resolution : b.resolution;
        sum.rounding = JA_ROUNDING_EXACT;
        return sum;
    }
    sum.resolution = ja_add(a.resolution, b.resolution);
    sum.rounding = a.rounding == b.rounding ? a.rounding : JA_ROUNDING_UNKNOWN;
    if (sum.rounding == JA_ROUNDING_EDGE)
        sum.rounding = JA_ROUNDING_NEAREST;
    return sum;
}
