/* SPDX-License-Identifier: MIT
 *
 * Order statistics by selection. Whoever knows about where the wanted value lies says so (near):
 * then one pass finds the few candidates.
 */
#include "model/growth_lanes.h"
#include "model/growth_parts.h"

#include <math.h>
#include <string.h>

#define SAMPLE 5            /* values a pivot is chosen from */
#define FEW JA_MEDIAN_KEEPS /* values that are looked at one by one */
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

/* A few values, sorted as two halves side by side: places 1 .. half of either lane. The least is
 * before both, and where the second half has one value less, the largest behind it. */
struct halves {
    size_t half;
    ja_two sorted[FEW / 2 + 1];
};

/* Insertion without a branch to guess. */
static void sort_halves(const double *values, size_t count, struct halves *ret)
{
    ret->half = (count + 1) / 2;
    ret->sorted[0] = ja_two_of(-INFINITY);
    for (size_t i = 1; i <= ret->half; i++) {
        ja_two two =
            2 * i <= count ? ja_two_at(&values[2 * i - 2]) : (ja_two){values[count - 1], INFINITY};
        for (size_t j = i; j > 1; j--) {
            ja_two other = ret->sorted[j - 1];
            ret->sorted[j] = ja_two_larger(other, two);
            two = ja_two_smaller(other, two);
        }
        ret->sorted[1] = two;
    }
}

/* The k-th of both: the k + 1 smallest are so many first ones of either half, and of all such
 * choices these have the smallest last one. */
static double of_halves(const struct halves *halves, size_t k)
{
    size_t half = halves->half, from = k + 1 > half ? k + 1 - half : 0;
    double least = INFINITY;
    for (size_t i = from; i <= k + 1 - from; i++)
        least = ja_smaller(ja_larger(halves->sorted[i][0], halves->sorted[k + 1 - i][1]), least);
    return least;
}

static double select_few(const double *values, size_t count, size_t k)
{
    struct halves halves;
    sort_halves(values, count, &halves);
    return of_halves(&halves, k);
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
    return select_few(values, count, k);
}

/* The values of a span to room, in their order; how many those are, and how many lie below. */
static size_t look_through(const double *values, size_t count, struct ja_span span, double *room,
                           size_t *ret_below)
{
    size_t found = 0;
    ja_two low = ja_two_of(span.low), high = ja_two_of(span.high);
    ja_mask below = {0, 0};
    for (size_t i = 0; i < count; i += 2) {
        ja_two two = i + 1 < count ? ja_two_at(&values[i]) : (ja_two){values[i], NAN};
        ja_mask less = ja_two_less(two, low);
        unsigned in = ja_mask_bits(~less & ja_two_up_to(two, high));
        room[found] = two[0];
        found += in & 1;
        room[found] = two[1];
        found += in >> 1;
        below -= less;
    }
    *ret_below = (size_t)(below[0] + below[1]);
    return found;
}

double ja_select_near(const double *values, size_t count, size_t k, struct ja_span near,
                      double *room)
{
    for (int look = 0; look < LOOKS; look++) {
        size_t below, found = look_through(values, count, near, room, &below);
        if (below <= k && k < below + found)
            return ja_select(room, found, k - below);
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
    size_t k = count / 2;
    if (count > FEW) {
        double upper = ja_select(values, count, k);
        return count % 2 ? upper : 0.5 * (before(values, count, k, upper) + upper);
    }
    struct halves halves;
    sort_halves(values, count, &halves);
    double upper = of_halves(&halves, k);
    return count % 2 ? upper : 0.5 * (of_halves(&halves, k - 1) + upper);
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

/* The weighted median among a few values; below: the weight below them. They are sorted, equal ones
 * in their order, by counting for each how many come before it: no branch to guess. */
static double weighted_few(const double *values, const double *weights, size_t count, double below,
                           double half, double slack)
{
    size_t place[FEW];
    double sorted[FEW], weight[FEW];
    for (size_t i = 0; i < count; i++) {
        size_t earlier = 0;
        double value = values[i];
        for (size_t j = 0; j < i; j++) {
            bool before = values[j] <= value;
            earlier += before;
            place[j] += !before;
        }
        place[i] = earlier;
    }
    for (size_t i = 0; i < count; i++) {
        sorted[place[i]] = values[i];
        weight[place[i]] = weights[i];
    }
    for (size_t i = 0; i + 1 < count; i++) {
        below += weight[i];
        if (below > half + slack)
            return sorted[i];
        if (below >= half - slack)
            return (sorted[i] + sorted[i + 1]) / 2;
    }
    return sorted[count - 1];
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
