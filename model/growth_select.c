/* SPDX-License-Identifier: MIT
 *
 * Order statistics by selection. Whoever knows about where the wanted value lies says so (near):
 * then one pass finds the few candidates.
 */
#include "model/growth_parts.h"

#include <math.h>
#include <string.h>

#define SAMPLE 5    /* values a pivot is chosen from */
#define FEW 16      /* values that are looked at one by one */
#define LOOKS 3     /* spans that are looked through, side by side, before the general way */
#define SLACK 1e-12 /* of half the weight: as good as met exactly */

/* Pivots are drawn, so that no input can be arranged to make selection slow. */
static size_t draw(uint32_t *state, size_t count) /* count below 2^32 */
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return (size_t)(((uint64_t)*state * count) >> 32);
}

static void put_in_order(double *a, double *b)
{
    double x = *a, y = *b;
    *a = x < y ? x : y;
    *b = x < y ? y : x;
}

/* A pivot near the wanted place (0..1): that element of a small sorted sample. */
static double near_place(const double *values, size_t count, double place, uint32_t *state)
{
    static const unsigned char network[][2] = {{0, 1}, {3, 4}, {2, 4}, {2, 3}, {1, 4},
                                               {0, 3}, {0, 2}, {1, 3}, {1, 2}};
    double sample[SAMPLE];
    for (size_t i = 0; i < SAMPLE; i++)
        sample[i] = values[draw(state, count)];
    for (size_t i = 0; i < sizeof network / sizeof *network; i++)
        put_in_order(&sample[network[i][0]], &sample[network[i][1]]);
    double rank = place * SAMPLE;
    return sample[rank < SAMPLE - 1 ? (size_t)rank : SAMPLE - 1];
}

/* Values below the pivot (or up to it) first; returns how many. The loop has no branch. */
static size_t part_below(double *values, size_t count, double pivot, bool equal)
{
    size_t below = 0;
    for (size_t i = 0; i < count; i++) {
        double value = values[i];
        values[i] = values[below];
        values[below] = value;
        below += equal ? value <= pivot : value < pivot;
    }
    return below;
}

/* Insertion without a branch to guess. */
static void sort_few(double *values, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        double value = values[i];
        for (size_t j = i; j > 0; j--) {
            double other = values[j - 1];
            values[j] = ja_larger(other, value);
            value = ja_smaller(other, value);
        }
        values[0] = value;
    }
}

/* The k-th of a few values. The k + 1 smallest are sorted to the front; what lay there is lost. */
static double spoil_few(double *values, size_t count, size_t k)
{
    for (size_t i = 1; i < count; i++) {
        size_t last = i < k ? i : k;
        double value = i > k ? ja_smaller(values[k], values[i]) : values[i];
        for (size_t j = last; j > 0; j--) {
            double other = values[j - 1];
            values[j] = ja_larger(other, value);
            value = ja_smaller(other, value);
        }
        values[0] = value;
    }
    return values[k];
}

double ja_select(double *values, size_t count, size_t k)
{
    uint32_t state = 2463534242u;
    while (count > FEW) {
        double pivot = near_place(values, count, (double)k / (double)count, &state);
        size_t less = part_below(values, count, pivot, false);
        if (k < less) {
            count = less;
            continue;
        }
        values += less;
        count -= less;
        k -= less;
        size_t same = part_below(values, count, pivot, true);
        if (k < same)
            return pivot;
        values += same;
        count -= same;
        k -= same;
    }
    sort_few(values, count);
    return values[k];
}

double ja_select_near(const double *values, size_t count, size_t k, struct ja_span near,
                      double *room)
{
    for (int look = 0; look < LOOKS; look++) {
        size_t found = 0, above = 0;
        for (size_t i = 0; i < count; i++) {
            bool from = values[i] >= near.low;
            room[found] = values[i];
            found += from & (values[i] <= near.high);
            above += from;
        }
        size_t below = count - above;
        if (below <= k && k < below + found)
            return found > FEW ? ja_select(room, found, k - below)
                               : spoil_few(room, found, k - below);
        double width = 2 * (near.high - near.low);
        if (k < below)
            near = (struct ja_span){true, near.low - width, near.low};
        else
            near = (struct ja_span){true, near.high, near.high + width};
    }
    memcpy(room, values, count * sizeof *room);
    return ja_select(room, count, k);
}

/* The value before the upper one in order, k values lying before that. */
static double before(const double *values, size_t count, size_t k, double upper)
{
    double largest = -INFINITY;
    size_t below = 0;
    for (size_t i = 0; i < count; i++) {
        bool in = values[i] < upper;
        below += in;
        largest = in && values[i] > largest ? values[i] : largest;
    }
    return below == k ? largest : upper;
}

double ja_median(double *values, size_t count)
{
    bool few = count <= FEW;
    double upper = (few ? spoil_few : ja_select)(values, count, count / 2);
    if (count % 2)
        return upper;
    return 0.5 * ((few ? values[count / 2 - 1] : before(values, count, count / 2, upper)) + upper);
}

struct part {
    size_t count;
    double weight;
};

static struct part part_weighted(double *values, double *weights, size_t count, double pivot,
                                 bool equal)
{
    struct part below = {0, 0};
    for (size_t i = 0; i < count; i++) {
        double value = values[i], weight = weights[i];
        bool in = equal ? value <= pivot : value < pivot;
        values[i] = values[below.count];
        weights[i] = weights[below.count];
        values[below.count] = value;
        weights[below.count] = weight;
        below.count += in;
        below.weight += in ? weight : 0;
    }
    return below;
}

static double extreme(const double *values, size_t count, double sign)
{
    double best = values[0];
    for (size_t i = 1; i < count; i++)
        if (sign * values[i] > sign * best)
            best = values[i];
    return best;
}

/* The weighted median among a few values, which are sorted; below: the weight below them. */
static double weighted_few(double *values, double *weights, size_t count, double below, double half,
                           double slack)
{
    for (size_t i = 1; i < count; i++) {
        double value = values[i], weight = weights[i];
        size_t at = i;
        for (; at > 0 && values[at - 1] > value; at--) {
            values[at] = values[at - 1];
            weights[at] = weights[at - 1];
        }
        values[at] = value;
        weights[at] = weight;
    }
    for (size_t i = 0; i + 1 < count; i++) {
        below += weights[i];
        if (below > half + slack)
            return values[i];
        if (below >= half - slack)
            return (values[i] + values[i + 1]) / 2;
    }
    return values[count - 1];
}

double ja_weighted_within(double *values, double *weights, size_t count, double half, double below,
                          double whole)
{
    uint32_t state = 2463534242u;
    double slack = half * SLACK;
    if (below >= half - slack || below + whole <= half + slack)
        return NAN;
    while (count > FEW) {
        double place = whole > 0 ? fmin(1, fmax(0, (half - below) / whole)) : 0;
        double pivot = near_place(values, count, place, &state);
        struct part less = part_weighted(values, weights, count, pivot, false);
        if (less.count && below + less.weight > half + slack) {
            count = less.count;
            whole = less.weight;
            continue;
        }
        if (less.count && below + less.weight >= half - slack)
            return (extreme(values, less.count, 1) + pivot) / 2;
        values += less.count;
        weights += less.count;
        count -= less.count;
        struct part same = part_weighted(values, weights, count, pivot, true);
        below += less.weight + same.weight;
        if (below > half + slack || same.count == count)
            return pivot;
        if (below >= half - slack)
            return (pivot + extreme(values + same.count, count - same.count, -1)) / 2;
        values += same.count;
        weights += same.count;
        count -= same.count;
        whole -= less.weight + same.weight;
    }
    return weighted_few(values, weights, count, below, half, slack);
}

double ja_weighted_median(double *values, double *weights, size_t count)
{
    double half = 0;
    for (size_t i = 0; i < count; i++)
        half += weights[i] / 2;
    return ja_weighted_within(values, weights, count, half, 0, 2 * half);
}
