/* SPDX-License-Identifier: MIT */
#include "model/quantity.h"

int64_t ja_add(int64_t a, int64_t b)
{
    int64_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        return a > 0 ? INT64_MAX : INT64_MIN + 1;
    return sum;
}

int64_t ja_subtract(int64_t a, int64_t b)
{
    int64_t difference;
    if (__builtin_sub_overflow(a, b, &difference))
        return a >= 0 ? INT64_MAX : INT64_MIN + 1;
    return difference;
}

bool ja_multiply(int64_t a, int64_t b, int64_t *ret)
{
    int64_t product;
    if (a < 0 || b < 0 || __builtin_mul_overflow(a, b, &product) || product > JA_LARGEST_BYTES)
        return false;
    *ret = product;
    return true;
}

void ja_quantity_interval(struct ja_quantity quantity, int64_t *ret_low, int64_t *ret_high)
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
