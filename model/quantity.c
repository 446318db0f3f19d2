/* SPDX-License-Identifier: MIT */
#include "model/quantity.h"

bool ja_multiply(int64_t a, int64_t b, int64_t *ret)
{
    int64_t product;
    if (a < 0 || b < 0 || __builtin_mul_overflow(a, b, &product) || product > JA_LARGEST_BYTES)
        return false;
    *ret = product;
    return true;
}
