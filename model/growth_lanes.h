/* SPDX-License-Identifier: MIT
 *
 * Two doubles side by side. Each is computed as it would be alone, to the last bit: only the
 * number of instructions changes.
 */
#ifndef JA_MODEL_GROWTH_LANES_H
#define JA_MODEL_GROWTH_LANES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef double ja_two __attribute__((vector_size(16)));
typedef int64_t ja_mask __attribute__((vector_size(16))); /* per lane: all bits, or none */

static inline ja_two ja_two_at(const double *values)
{
    ja_two two;
    memcpy(&two, values, sizeof two);
    return two;
}

/* Two values, or the first one twice. */
static inline ja_two ja_two_first(const double *values, bool both)
{
    return both ? ja_two_at(values) : (ja_two){values[0], values[0]};
}

static inline void ja_two_put(double *values, ja_two two)
{
    memcpy(values, &two, sizeof two);
}

static inline ja_two ja_two_of(double value)
{
    return (ja_two){value, value};
}

static inline ja_mask ja_two_less(ja_two a, ja_two b) /* a < b */
{
#ifdef __SSE2__
    return (ja_mask)_mm_cmplt_pd((__m128d)a, (__m128d)b);
#else
    return (ja_mask)(a < b);
#endif
}

static inline ja_mask ja_two_up_to(ja_two a, ja_two b) /* a <= b */
{
#ifdef __SSE2__
    return (ja_mask)_mm_cmple_pd((__m128d)a, (__m128d)b);
#else
    return (ja_mask)(a <= b);
#endif
}

/* a where the mask says so, else b */
static inline ja_two ja_two_pick(ja_mask mask, ja_two a, ja_two b)
{
    return (ja_two)((mask & (ja_mask)a) | (~mask & (ja_mask)b));
}

static inline ja_two ja_two_size(ja_two a) /* without its sign */
{
    return (ja_two)((ja_mask)a & INT64_MAX);
}

/* a < b ? a : b */
static inline ja_two ja_two_smaller(ja_two a, ja_two b)
{
#ifdef __SSE2__
    return (ja_two)_mm_min_pd((__m128d)a, (__m128d)b);
#else
    return ja_two_pick(ja_two_less(a, b), a, b);
#endif
}

/* a > b ? a : b */
static inline ja_two ja_two_larger(ja_two a, ja_two b)
{
#ifdef __SSE2__
    return (ja_two)_mm_max_pd((__m128d)a, (__m128d)b);
#else
    return ja_two_pick(ja_two_less(b, a), a, b);
#endif
}

/* Bit 0: the first lane, bit 1: the second. */
static inline unsigned ja_mask_bits(ja_mask mask)
{
#ifdef __SSE2__
    return (unsigned)_mm_movemask_pd((__m128d)mask);
#else
    return (unsigned)((mask[0] & 1) | (mask[1] & 2));
#endif
}

#endif
