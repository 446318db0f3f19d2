/* SPDX-License-Identifier: MIT
 *
 * The curves that the shape of a series is chosen from: sums of squares of the best fit of each.
 */
#include "model/growth_lanes.h"
#include "model/growth_parts.h"

#include <math.h>

#define PARTS_MOST 8 /* levels of a staircase; 6 above 60 readings */
#define PARTS_LONG 6
#define LONG_FROM 61

double ja_model_level(const double *y, size_t count)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < count; i++)
        mean += y[i] / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += (y[i] - mean) * (y[i] - mean);
    return squares;
}

/* Least squares of y on x; NaN when x does not vary. */
double ja_model_line(const double *x, const double *y, size_t count, double *ret_slope)
{
    double squares = 0;
    ja_two mean = {0, 0}, products = {0, 0}; /* of x and y; x x and x y */
    for (size_t i = 0; i < count; i++)
        mean += (ja_two){x[i], y[i]};
    mean /= (double)count;
    for (size_t i = 0; i < count; i++) {
        ja_two off = (ja_two){x[i], y[i]} - mean;
        products += ja_two_of(off[0]) * off;
    }
    if (!(products[0] > 0))
        return NAN;
    double slope = products[1] / products[0];
    for (size_t i = 0; i < count; i++) {
        double rest = y[i] - mean[1] - slope * (x[i] - mean[0]);
        squares += rest * rest;
    }
    *ret_slope = slope;
    return squares;
}

/* Rise then flat, the knee at each reading or half way to the next; INFINITY: none rises. */
double ja_model_hinge(struct ja_bench *bench, const double *x, const double *y, size_t count,
                      double *ret_knee)
{
    double *bent = ja_arena_room(bench->arena, count, sizeof *bent);
    double best = INFINITY;
    for (size_t k = 2; k < 2 * (count - 1); k++) {
        double knee = k % 2 ? (x[k / 2] + x[k / 2 + 1]) / 2 : x[k / 2], slope = 0;
        for (size_t i = 0; i < count; i++)
            bent[i] = ja_smaller(x[i], knee);
        double squares = ja_model_line(bent, y, count, &slope);
        if (slope > 0 && squares < best) {
            best = squares;
            *ret_knee = knee;
        }
    }
    return best;
}

/* Saturating: level - b exp(-(x - x0)/tau); the knee is three time constants in. */
double ja_model_exponential(struct ja_bench *bench, const double *x, const double *y, size_t count,
                            double *ret_knee)
{
    double *decay = ja_arena_room(bench->arena, count, sizeof *decay);
    double best = INFINITY, window = x[count - 1] - x[0];
    const double *constants = ja_time_constants();
    decay[0] = 1;
    for (int g = 0; g < JA_TIME_CONSTANTS && window > 0; g++) {
        double tau = window * constants[g], slope = 0;
        for (size_t i = 1; i < count; i++)
            decay[i] = exp(-(x[i] - x[0]) / tau);
        double squares = ja_model_line(decay, y, count, &slope);
        if (slope < 0 && squares < best) {
            best = squares;
            *ret_knee = x[0] + 3 * tau;
        }
    }
    return best;
}

/* The best steps of any number that never fall (isotonic regression): neighbours out of order are
 * pooled. No curve that never falls has smaller squares. */
double ja_model_rising(struct ja_bench *bench, const double *y, size_t count)
{
    struct pool {
        double sum;
        size_t size;
    } *pools = ja_arena_room(bench->arena, count, sizeof *pools);
    size_t pool_count = 0;
    for (size_t i = 0; i < count; i++) {
        struct pool pool = {y[i], 1};
        while (pool_count) {
            struct pool *before = &pools[pool_count - 1];
            if (before->sum * (double)pool.size <= pool.sum * (double)before->size)
                break;
            pool = (struct pool){before->sum + pool.sum, before->size + pool.size};
            pool_count--;
        }
        pools[pool_count++] = pool;
    }
    double squares = 0;
    for (size_t g = 0; g < pool_count; y += pools[g++].size)
        squares += pools[g].size > 1 ? ja_model_level(y, pools[g].size) : 0;
    return squares;
}

double ja_model_information(double squares, size_t count, size_t parameters, double floor)
{
    double n = (double)count, k = (double)parameters;
    if (count <= parameters + 1 || isinf(squares))
        return INFINITY;
    return n * log(squares / n + floor) + k * log(n) + 2 * k * (k + 1) / (n - k - 1);
}

struct sums {
    double *y, *yy; /* running sums, one more than readings */
};

static double squares_between(const struct sums *sums, size_t from, size_t to)
{
    double sum = sums->y[to] - sums->y[from];
    return ja_larger(0, sums->yy[to] - sums->yy[from] - sum * sum / (double)(to - from));
}

/* Do the levels of these parts rise, each above the one before? */
static bool levels_rise(const struct sums *sums, const unsigned short *from, size_t stride,
                        size_t parts, size_t count)
{
    size_t to = count;
    double above = INFINITY;
    for (size_t k = parts; k > 0; k--) {
        size_t start = from[k * stride + to];
        double level = (sums->y[to] - sums->y[start]) / (double)(to - start);
        if (!(level < above))
            return false;
        above = level;
        to = start;
    }
    return true;
}

/* cost[k][j]: the least squares of the first j readings as k parts; from[k][j]: where the last part
 * begins then. last: room for the squares of every part that could be the last one. */
static void divide(const struct sums *sums, size_t count, size_t most, double *cost,
                   unsigned short *from, double *last)
{
    size_t stride = count + 1;
    double slack = 1e-15 * sums->yy[count];
    for (size_t j = 1; j <= count; j++) {
        for (size_t i = 0; i < j; i++)
            last[i] = squares_between(sums, i, j);
        cost[stride + j] = last[0];
        for (size_t k = 2; k <= most && k <= j; k++) {
            const double *before = &cost[(k - 1) * stride];
            double least = INFINITY;
            for (size_t i = k - 1; i < j; i++)
                if (before[i] + last[i] < least - slack) {
                    least = before[i] + last[i];
                    from[k * stride + j] = (unsigned short)i;
                }
            cost[k * stride + j] = least;
        }
    }
}

/* The best division into 2 .. 8 levels, by dynamic programming. Returns its information value,
 * INFINITY when its levels do not rise or the readings are too few for it. */
double ja_model_parts(struct ja_bench *bench, const double *y, size_t count, double floor,
                      size_t *ret_parts)
{
    size_t most = count < LONG_FROM ? PARTS_MOST : PARTS_LONG, stride = count + 1;
    if (2 * most + 2 > count) /* two parameters a part: more have no information value */
        most = count / 2 - (count > 1);
    if (most < 2)
        return INFINITY;
    struct sums sums = {ja_arena_alloc(bench->arena, stride, sizeof *sums.y),
                        ja_arena_alloc(bench->arena, stride, sizeof *sums.yy)};
    for (size_t i = 0; i < count; i++) {
        sums.y[i + 1] = sums.y[i] + y[i];
        sums.yy[i + 1] = sums.yy[i] + y[i] * y[i];
    }
    double *cost = ja_arena_alloc(bench->arena, (most + 2) * stride, sizeof *cost);
    unsigned short *from = ja_arena_alloc(bench->arena, (most + 1) * stride, sizeof *from);
    double best = INFINITY;
    divide(&sums, count, most, cost, from, &cost[(most + 1) * stride]);
    for (size_t k = 2; k <= most; k++) {
        double value = ja_model_information(cost[k * stride + count], count, 2 * k, floor);
        if (value < best) {
            best = value;
            *ret_parts = k;
        }
    }
    if (isinf(best) || !levels_rise(&sums, from, stride, *ret_parts, count))
        return INFINITY;
    return best;
}
