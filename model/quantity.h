/* SPDX-License-Identifier: MIT
 *
 * A number as printed: its value in the base unit, the weight of its last printed digit, and
 * how the printer rounds. The truth lies in an interval; nothing else is known of it.
 */
#ifndef JA_MODEL_QUANTITY_H
#define JA_MODEL_QUANTITY_H

#include <stdbool.h>
#include <stdint.h>

#define JA_KIB ((int64_t)1 << 10)
#define JA_MIB ((int64_t)1 << 20)
#define JA_GIB ((int64_t)1 << 30)
#define JA_TIB ((int64_t)1 << 40)

/* "Not said". Never 0, never printed: reports write null or a dash. */
#define JA_UNKNOWN INT64_MIN

/* No byte count of a real machine comes near it (8 EiB); larger values are refused at the border.
 */
#define JA_LARGEST_BYTES ((int64_t)1 << 62)

enum ja_rounding {
    JA_ROUNDING_UNKNOWN, /* truth within one step either way */
    JA_ROUNDING_EXACT,   /* truth = value */
    JA_ROUNDING_NEAREST, /* within half a step either way */
    JA_ROUNDING_DOWN,    /* value .. value + step (a count of whole pages) */
    JA_ROUNDING_UP,      /* value - step .. value */
    JA_ROUNDING_EDGE,    /* nearest, at a change of unit: what lies below 9999.5 of the next finer
                            unit would have been printed in it (Apple's four-digit sizes: "10 GB"
                            = value - 481/2048 step .. value + step / 2) */
};

struct ja_quantity {
    int64_t value;      /* base unit: bytes (or what the metric table says) */
    int64_t resolution; /* weight of the last printed digit, same unit; 0 or more */
    enum ja_rounding rounding;
};

/* Sum, difference and product that stop at the ends of int64_t instead of wrapping. */
static inline int64_t ja_add(int64_t a, int64_t b)
{
    int64_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        return a > 0 ? INT64_MAX : INT64_MIN + 1;
    return sum;
}

static inline int64_t ja_subtract(int64_t a, int64_t b)
{
    int64_t difference;
    if (__builtin_sub_overflow(a, b, &difference))
        return a >= 0 ? INT64_MAX : INT64_MIN + 1;
    return difference;
}

/* The closed interval of the truth, rounded outward to whole units. */
static inline void ja_quantity_interval(struct ja_quantity quantity, int64_t *ret_low,
                                        int64_t *ret_high)
{
    int64_t value = quantity.value, step = quantity.resolution, half = step / 2 + step % 2;
    int64_t below = 0, above = 0;
    switch (quantity.rounding) {
    case JA_ROUNDING_EXACT:
        break;
    case JA_ROUNDING_NEAREST:
        below = above = half;
        break;
    case JA_ROUNDING_DOWN:
        above = step;
        break;
    case JA_ROUNDING_UP:
        below = step;
        break;
    case JA_ROUNDING_UNKNOWN:
        below = above = step;
        break;
    case JA_ROUNDING_EDGE: /* 10 - 9999.5 / 1024 = 481 / 2048 of a step, rounded up */
        below = step / 2048 * 481 + (step % 2048 * 481 + 2047) / 2048;
        above = half;
        break;
    }
    *ret_low = ja_subtract(value, below);
    *ret_high = ja_add(value, above);
}

/* a * b in *ret, or false (untouched) when either is negative or the product exceeds
 * JA_LARGEST_BYTES. */
bool ja_multiply(int64_t a, int64_t b, int64_t *ret);

#endif
