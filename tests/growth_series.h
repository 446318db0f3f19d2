/* SPDX-License-Identifier: MIT
 *
 * Hand-made series for the tests of growth: one arena, one array of readings, one of work.
 */
#ifndef JA_TESTS_GROWTH_SERIES_H
#define JA_TESTS_GROWTH_SERIES_H

#include "model/growth.h"
#include "model/quantity.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define SECOND ((int64_t)1000000000)
#define HOUR (3600 * SECOND)
#define MOST 5000
#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct ja_arena *arena;
static struct ja_growth_point points[MOST];
static struct ja_growth_work work[MOST];
static struct ja_growth_life lives[4];

/* value in units of MiB, every step apart, rounded to resolution */
static inline void put(size_t i, double mib, int64_t at_ns, int64_t resolution)
{
    struct ja_quantity value = {llround(mib * (double)JA_MIB), resolution, JA_ROUNDING_NEAREST};
    ja_quantity_interval(value, &points[i].low_bytes, &points[i].high_bytes);
    points[i].early_ns = points[i].late_ns = at_ns;
    points[i].resolution_bytes = resolution;
    work[i] = (struct ja_growth_work){at_ns, at_ns, (double)(i + 1) * 100};
}

static inline void put_all(const double *mib, size_t count, int64_t start, int64_t step,
                           int64_t resolution)
{
    for (size_t i = 0; i < count; i++)
        put(i, mib[i], start + (int64_t)i * step, resolution);
}

static inline struct ja_growth_input one_life(size_t count, bool worked,
                                              double concern_mib_per_hour)
{
    lives[0] = (struct ja_growth_life){points, count, worked ? work : NULL, worked ? count : 0,
                                       JA_UNKNOWN};
    return (struct ja_growth_input){.lives = lives,
                                    .life_count = 1,
                                    .concern_bytes_per_hour = concern_mib_per_hour * (double)JA_MIB,
                                    .limit_bytes = JA_UNKNOWN,
                                    .dated = true};
}

static inline struct ja_growth judge(size_t count, bool worked, double concern)
{
    struct ja_growth growth;
    struct ja_growth_input input = one_life(count, worked, concern);
    ja_growth_judge(&input, arena, &growth);
    ja_arena_reset(arena);
    return growth;
}

static inline void near(double got, double want, double part)
{
    if (!(fabs(got - want) <= part * fabs(want)))
        fail_msg("%g is not %g", got, want);
}

#endif
