/* SPDX-License-Identifier: MIT
 *
 * Every figure is one word of 64 bits. One that is as foreseen (not known, or told by others) takes
 * no room, one that is near to it little: a bit a figure says which are kept. Of those only the
 * bytes that say something are kept: the low ones of a small whole number, the high ones of a
 * fraction with few digits; how many and which, four bits a figure say.
 */
#include "model/growth_kept.h"

#include "model/growth_parts.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define WORD_BYTES 8
#define PAGE_BYTES 16384 /* the resolution of most: a page of Apple silicon */
#define FIRST_FIGURE offsetof(struct ja_growth, route) /* what is before it are words and flags */
#define FIGURE_COUNT ((sizeof(struct ja_growth) - FIRST_FIGURE) / WORD_BYTES)
#define MAP_BYTES ((FIGURE_COUNT + 7) / 8)

_Static_assert((sizeof(struct ja_growth) - FIRST_FIGURE) % WORD_BYTES == 0 && FIGURE_COUNT <= 64,
               "figures are whole words, a bit of a word for each");

/* How much of a figure is kept, in four bits: so many low bytes (8: all), the rest of which is
 * their sign; or more than 8, so many high bytes and 8, the rest of which is zero. */
#define HIGH WORD_BYTES

/* The figures that others tell, in an order in which each stands behind those: the difference is
 * kept. It need not be small: it is for most. */
static const size_t told_by_others[] = {
    offsetof(struct ja_growth, resolution_bytes),
    offsetof(struct ja_growth, net_high_bytes),
    offsetof(struct ja_growth, high_bytes_per_hour),
    offsetof(struct ja_growth, work_slope_high_bytes),
    offsetof(struct ja_growth, detectable_bytes_per_hour),
    offsetof(struct ja_growth, work_low),
    offsetof(struct ja_growth, work_high),
    offsetof(struct ja_growth, per_work_low_bytes),
    offsetof(struct ja_growth, per_work_high_bytes),
};
#define TOLD_COUNT (sizeof told_by_others / sizeof *told_by_others)

/* Those that are mostly so many times the resolution. */
static const size_t in_steps[] = {
    offsetof(struct ja_growth, net_low_bytes),
    offsetof(struct ja_growth, max_step_bytes),
};
#define STEPS_COUNT (sizeof in_steps / sizeof *in_steps)

static uint64_t word_at(const struct ja_growth *growth, size_t place)
{
    uint64_t word;
    memcpy(&word, (const char *)growth + place, sizeof word);
    return word;
}

static void put_word(struct ja_growth *growth, size_t place, uint64_t word)
{
    memcpy((char *)growth + place, &word, sizeof word);
}

static double detectable(const struct ja_growth *growth)
{
    if (isnan(growth->line_low_bytes_per_hour))
        return (double)growth->resolution_bytes / growth->window_s * 3600.0;
    return fmax(fabs(growth->line_low_bytes_per_hour), fabs(growth->line_high_bytes_per_hour));
}

static double number_foreseen(const struct ja_growth *growth, size_t place)
{
    double low = (double)growth->net_low_bytes, high = (double)growth->net_high_bytes;
    switch (place) {
    case offsetof(struct ja_growth, high_bytes_per_hour): /* as far above the best */
        return 2 * growth->best_bytes_per_hour - growth->low_bytes_per_hour;
    case offsetof(struct ja_growth, work_slope_high_bytes):
        return 2 * growth->work_slope_bytes - growth->work_slope_low_bytes;
    case offsetof(struct ja_growth, detectable_bytes_per_hour):
        return detectable(growth);
    case offsetof(struct ja_growth, per_work_low_bytes):
        return low / (low > 0 ? growth->work_high : growth->work_low);
    case offsetof(struct ja_growth, per_work_high_bytes):
        return high / (high > 0 ? growth->work_low : growth->work_high);
    default:
        return growth->work;
    }
}

static uint64_t foreseen(const struct ja_growth *growth, size_t place)
{
    if (place == offsetof(struct ja_growth, resolution_bytes))
        return PAGE_BYTES;
    if (place == offsetof(struct ja_growth, net_high_bytes)) /* each reading a step off */
        return (uint64_t)growth->net_low_bytes + 2 * (uint64_t)growth->resolution_bytes;
    double number = number_foreseen(growth, place);
    uint64_t word;
    memcpy(&word, &number, sizeof word);
    return word;
}

/* How many zero bits a multiple of the resolution ends in. */
static unsigned zeros_of(const struct ja_growth *growth)
{
    uint64_t bytes = (uint64_t)growth->resolution_bytes;
    return bytes ? (unsigned)__builtin_ctzll(bytes) % 63 : 0;
}

/* Without these bits, which change the sign's copies above when they are not zero; and back. */
static uint64_t to_steps(uint64_t word, unsigned zeros)
{
    return zeros ? (uint64_t)((int64_t)word >> zeros) ^ word << (64 - zeros) : word;
}

static uint64_t from_steps(uint64_t word, unsigned zeros)
{
    uint64_t whole = word << zeros;
    return zeros ? whole | (word ^ (uint64_t)((int64_t)whole >> 63)) >> (64 - zeros) : word;
}

static uint64_t bit_of(size_t place)
{
    return UINT64_C(1) << (place - FIRST_FIGURE) / WORD_BYTES;
}

/* The lowest of the figures of a map. */
static size_t first_place(uint64_t map)
{
    return FIRST_FIGURE + (size_t)__builtin_ctzll(map) * WORD_BYTES;
}

/* What is to be kept of the figures; a bit for each that says something. */
static uint64_t reduce(const struct ja_growth *growth, struct ja_growth *ret)
{
    struct ja_growth nothing;
    uint64_t map = 0;
    ja_growth_unknown(&nothing);
    *ret = *growth;
    for (size_t i = 0; i < FIGURE_COUNT; i++) {
        size_t place = FIRST_FIGURE + i * WORD_BYTES;
        map |= (uint64_t)(word_at(growth, place) != word_at(&nothing, place)) << i;
    }
    for (size_t i = 0; i < TOLD_COUNT; i++) {
        size_t place = told_by_others[i];
        uint64_t apart = word_at(growth, place) - foreseen(growth, place);
        put_word(ret, place, apart);
        map = apart ? map | bit_of(place) : map & ~bit_of(place);
    }
    for (size_t i = 0; i < STEPS_COUNT; i++)
        put_word(ret, in_steps[i], to_steps(word_at(growth, in_steps[i]), zeros_of(growth)));
    return map;
}

static void restore_told(struct ja_growth *growth, uint64_t map, size_t place)
{
    uint64_t apart = map & bit_of(place) ? word_at(growth, place) : 0;
    put_word(growth, place, foreseen(growth, place) + apart);
}

/* The figures again, of those in the map what was kept of them: the resolution, what is in steps of
 * it, then what others tell. */
static void restore(struct ja_growth *growth, uint64_t map)
{
    restore_told(growth, map, told_by_others[0]);
    for (size_t i = 0; i < STEPS_COUNT; i++)
        if (map & bit_of(in_steps[i]))
            put_word(growth, in_steps[i],
                     from_steps(word_at(growth, in_steps[i]), zeros_of(growth)));
    for (size_t i = 1; i < TOLD_COUNT; i++)
        restore_told(growth, map, told_by_others[i]);
}

static size_t sizes_bytes(uint64_t map)
{
    return ((size_t)__builtin_popcountll(map) + 1) / 2;
}

static unsigned size_of(uint64_t word)
{
    uint64_t magnitude = word >> 63 ? ~word : word; /* its bits and a sign are to be kept */
    unsigned low = (unsigned)(64 - __builtin_clzll(magnitude | 1)) / 8 + 1;
    unsigned high = word ? WORD_BYTES - (unsigned)__builtin_ctzll(word) / 8 : 1;
    return low <= high ? low : HIGH + high;
}

/* The bytes that a size says of a word. All eight are written: there is room behind them. */
static unsigned char *put_bytes(unsigned char *to, uint64_t word, unsigned size)
{
    unsigned count = size > HIGH ? size - HIGH : size;
    word >>= size > HIGH ? (WORD_BYTES - count) * 8 : 0;
    to[0] = (unsigned char)word, to[1] = (unsigned char)(word >> 8);
    to[2] = (unsigned char)(word >> 16), to[3] = (unsigned char)(word >> 24);
    to[4] = (unsigned char)(word >> 32), to[5] = (unsigned char)(word >> 40);
    to[6] = (unsigned char)(word >> 48), to[7] = (unsigned char)(word >> 56);
    return to + count;
}

/* The word that the bytes before end make. Eight are read: there is a map before them. */
static uint64_t word_before(const unsigned char *end, unsigned size)
{
    const unsigned char *b = end - WORD_BYTES;
    uint64_t word = (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 |
                    (uint64_t)b[3] << 24 | (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 |
                    (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
    unsigned count = size > HIGH ? size - HIGH : size, shift = (WORD_BYTES - count) * 8;
    return size > HIGH ? word >> shift << shift : (uint64_t)((int64_t)word >> shift);
}

static void keep_words(const struct ja_growth *growth, struct ja_growth_kept *ret)
{
    memset(ret, 0, sizeof *ret); /* its unused bits as well: what is kept is compared */
    ret->verdict = growth->verdict & 3;
    ret->work_verdict = growth->work_verdict & 3;
    ret->shape = growth->shape & 15;
    ret->reason = growth->reason & 31;
    ret->declines = growth->declines;
    ret->warm_up = growth->warm_up;
    ret->line_fits = growth->line_fits;
    ret->slower_than_concern = growth->slower_than_concern;
    ret->plateau = growth->plateau;
    ret->doubling = growth->doubling;
    ret->forecast = growth->forecast;
    ret->work_known = growth->work_known;
    ret->gained = growth->net_low_bytes > 0;
}

size_t ja_growth_keep(const struct ja_growth *growth, struct ja_growth_kept *ret)
{
    struct ja_growth reduced;
    uint64_t map = reduce(growth, &reduced);
    keep_words(growth, ret);
    for (size_t i = 0; i < MAP_BYTES; i++)
        ret->figures[i] = (unsigned char)(map >> i * 8);
    unsigned char *sizes = ret->figures + MAP_BYTES, *end = sizes + sizes_bytes(map);
    for (size_t i = 0; map; map &= map - 1, i++) {
        uint64_t word = word_at(&reduced, first_place(map));
        unsigned size = size_of(word);
        sizes[i / 2] = (unsigned char)(i % 2 ? sizes[i / 2] | size << 4 : size);
        end = put_bytes(end, word, size);
    }
    return (size_t)(end - (unsigned char *)ret);
}

static void tell_words(const struct ja_growth_kept *kept, struct ja_growth *ret)
{
    ret->verdict = kept->verdict;
    ret->work_verdict = kept->work_verdict;
    ret->shape = kept->shape;
    ret->reason = kept->reason;
    ret->declines = kept->declines;
    ret->warm_up = kept->warm_up;
    ret->line_fits = kept->line_fits;
    ret->slower_than_concern = kept->slower_than_concern;
    ret->plateau = kept->plateau;
    ret->doubling = kept->doubling;
    ret->forecast = kept->forecast;
    ret->work_known = kept->work_known;
}

struct ja_growth ja_growth_told(const struct ja_growth_kept *kept)
{
    struct ja_growth growth;
    ja_growth_unknown(&growth);
    tell_words(kept, &growth);
    uint64_t map = 0;
    for (size_t i = 0; i < MAP_BYTES; i++)
        map |= (uint64_t)kept->figures[i] << i * 8;
    const unsigned char *sizes = kept->figures + MAP_BYTES, *end = sizes + sizes_bytes(map);
    uint64_t left = map;
    for (size_t i = 0; left; left &= left - 1, i++) {
        unsigned size = i % 2 ? sizes[i / 2] >> 4 : sizes[i / 2] & 15;
        end += size > HIGH ? size - HIGH : size;
        put_word(&growth, first_place(left), word_before(end, size));
    }
    restore(&growth, map);
    return growth;
}
