/* SPDX-License-Identifier: MIT
 *
 * The slopes of all pairs of readings: their rank, and the ends that Sen's interval is taken from.
 * What few tracks need is made when it is asked for.
 */
#include "model/growth_lanes.h"
#include "model/growth_parts.h"

#include <math.h>

#define BLUR 1e-3    /* part of the time between two readings kept when their clocks overlap */
#define END_NEAR 0.9 /* of the distance that Gaussian noise would give, to */
#define END_FAR 2.1  /* this: where the ends are looked for first */
#define EQUAL 1e-12

struct ja_bench *ja_bench_new(struct ja_arena *arena)
{
    struct ja_bench *bench = ja_arena_alloc(arena, 1, sizeof *bench);
    bench->arena = arena;
    return bench;
}

double *ja_bench_room(struct ja_bench *bench, size_t count)
{
    if (count < bench->room_capacity)
        return bench->room;
    return JA_RESERVE(bench->arena, bench->room, 0, bench->room_capacity, count + 1);
}

/* The time between the middles of two readings, (early + late of j - early - late of i) / 2 to the
 * last bit; 0 or less: no pair. */
static double apart(const struct ja_track *track, size_t i, size_t j)
{
    return track->time[j] - track->early[i] / 2 - track->late[i] / 2;
}

/* Readings that each make a pair with an earlier one. */
struct row {
    size_t from, to;
};

/* Of the readings from j on, the next ones that make a pair with reading i; from the count on:
 * none. all: every two readings make one. */
static inline struct row next_row(const struct ja_track *track, bool all, size_t i, size_t j)
{
    size_t n = track->count;
    if (all)
        return (struct row){j, n};
    while (j < n && !(apart(track, i, j) > 0))
        j++;
    struct row row = {j, j};
    while (row.to < n && apart(track, i, row.to) > 0)
        row.to++;
    return row;
}

/* Clock error widens: divide by the time that moves each bound away from the middle. lower: NULL
 * when nobody asks for it. A row may write one more. */
static inline void fill_row(const struct ja_track *track, size_t i, struct row row, double *lower,
                            double *upper)
{
    double early = track->early[i], late = track->late[i];
    double low = track->low[i], high = track->high[i];
    for (size_t j = row.from, k = 0; j < row.to; j += 2, k += 2) {
        bool both = j + 1 < row.to;
        ja_two near = ja_two_first(&track->early[j], both) - late;
        ja_two far = ja_two_first(&track->late[j], both) - early;
        ja_mask blurred = ja_two_up_to(near, ja_two_of(0));
        if (ja_mask_bits(blurred)) {
            ja_two run = ja_two_first(&track->time[j], both) - early / 2 - late / 2;
            near = ja_two_pick(blurred, run * BLUR, near);
        }
        ja_two most = ja_two_first(&track->high[j], both) - low;
        ja_two_put(&upper[k], most / ja_two_pick(ja_two_less(ja_two_of(0), most), near, far));
        if (!lower)
            continue;
        ja_two least = ja_two_first(&track->low[j], both) - high;
        ja_two_put(&lower[k], least / ja_two_pick(ja_two_less(ja_two_of(0), least), far, near));
    }
}

static void fill_upper(struct ja_pairs *pairs, bool all)
{
    const struct ja_track *track = &pairs->of;
    double *upper = pairs->upper;
    for (size_t i = 0; i + 1 < track->count; i++)
        for (struct row row = {0, i + 1}; row.to < track->count; upper += row.to - row.from) {
            row = next_row(track, all, i, row.to);
            fill_row(track, i, row, NULL, upper);
        }
}

static void fill_ends(struct ja_pairs *pairs, bool all)
{
    const struct ja_track *track = &pairs->of;
    double *lower = pairs->lower, *upper = pairs->upper;
    for (size_t i = 0; i + 1 < track->count; i++)
        for (struct row row = {0, i + 1}; row.to < track->count;) {
            row = next_row(track, all, i, row.to);
            fill_row(track, i, row, lower, upper);
            lower += row.to - row.from;
            upper += row.to - row.from;
        }
}

static bool same_track(const struct ja_track *a, const struct ja_track *b)
{
    return a->count == b->count && a->low == b->low && a->high == b->high && a->early == b->early &&
           a->late == b->late;
}

struct ja_pairs *ja_pairs_of(struct ja_bench *bench, const struct ja_track *track)
{
    struct ja_pairs *longest = &bench->pairs[0], *other = &bench->pairs[1];
    for (size_t i = 0; i < 2; i++)
        if (same_track(&bench->pairs[i].of, track))
            return &bench->pairs[i];
    struct ja_pairs *pairs = track->count > longest->of.count ? longest : other;
    size_t n = track->count, most = n * (n - (n > 0)) / 2;
    pairs->of = *track;
    pairs->effective = (struct ja_effective){0, 0};
    pairs->upper = pairs->lower = NULL;
    JA_RESERVE(bench->arena, pairs->slope, 0, pairs->capacity, 2 * most);
    pairs->weight = pairs->slope + most;
    pairs->line = ja_line_of(track);
    ja_pairs_centre(pairs);
    return pairs;
}

/* Rises less falls of one row: a mask is -1. */
static int64_t rank_row(const struct ja_track *track, size_t i, struct row row)
{
    ja_two low = ja_two_of(track->low[i]), high = ja_two_of(track->high[i]);
    ja_mask rank = {0, 0};
    for (size_t j = row.from; j < row.to; j += 2) {
        bool both = j + 1 < row.to;
        ja_two lows = both ? ja_two_at(&track->low[j]) : (ja_two){track->low[j], -INFINITY};
        ja_two highs = both ? ja_two_at(&track->high[j]) : (ja_two){track->high[j], INFINITY};
        rank += ja_two_less(highs, low) - ja_two_less(high, lows);
    }
    return rank[0] + rank[1];
}

static double rank_of(const struct ja_track *track, bool all)
{
    int64_t rank = 0;
    for (size_t i = 0; i + 1 < track->count; i++)
        for (struct row row = {0, i + 1}; row.to < track->count;) {
            row = next_row(track, all, i, row.to);
            rank += rank_row(track, i, row);
        }
    return (double)rank;
}

double ja_pairs_rank(const struct ja_track *track)
{
    return rank_of(track, false);
}

static bool all_pairs(const struct ja_pairs *pairs)
{
    size_t n = pairs->of.count;
    return pairs->count == n * (n - (n > 0)) / 2;
}

double ja_bench_rank(struct ja_bench *bench, const struct ja_pairs *pairs)
{
    const struct ja_track *track = &pairs->of, *known = &bench->ranked;
    if (!all_pairs(pairs))
        return rank_of(track, false);
    if (known->count != track->count || known->low != track->low || known->high != track->high) {
        bench->ranked = *track;
        bench->rank = rank_of(track, true);
    }
    return bench->rank;
}

bool ja_pairs_exceed(const struct ja_track *track, double most)
{
    double half = 0, up_to = 0;
    most -= EQUAL * fabs(most);
    for (size_t i = 0; i < track->count; i++)
        for (size_t j = i + 1; j < track->count; j++) {
            double run = apart(track, i, j);
            if (!(run > 0))
                continue;
            half += run / 2;
            up_to += track->middle[j] - track->middle[i] <= most * run ? run : 0;
        }
    return !(up_to > half + EQUAL * half);
}

static void make_ends(struct ja_bench *bench, struct ja_pairs *pairs, bool lower)
{
    if (pairs->upper && (pairs->lower || !lower))
        return;
    size_t size = pairs->count + 1; /* a row may write one more */
    JA_RESERVE(bench->arena, pairs->ends, 0, pairs->end_capacity, 2 * size);
    pairs->upper = pairs->ends;
    pairs->lower = lower ? pairs->ends + size : NULL;
    (lower ? fill_ends : fill_upper)(pairs, all_pairs(pairs));
}

double ja_pairs_low(struct ja_bench *bench, struct ja_pairs *pairs, size_t k, double reach)
{
    make_ends(bench, pairs, true);
    double from = pairs->central - END_FAR * reach, to = pairs->central - END_NEAR * reach;
    return ja_select_near(pairs->lower, pairs->count, k, (struct ja_span){true, from, to},
                          ja_bench_room(bench, pairs->count));
}

double ja_pairs_high(struct ja_bench *bench, struct ja_pairs *pairs, size_t k, double reach)
{
    make_ends(bench, pairs, false);
    double from = pairs->central + END_NEAR * reach, to = pairs->central + END_FAR * reach;
    return ja_select_near(pairs->upper, pairs->count, pairs->count - 1 - k,
                          (struct ja_span){true, from, to}, ja_bench_room(bench, pairs->count));
}

bool ja_pairs_high_exceeds(struct ja_bench *bench, struct ja_pairs *pairs, size_t k, double most)
{
    size_t i = 0, above = 0;
    ja_mask masks = {0, 0};
    make_ends(bench, pairs, false);
    for (; i + 1 < pairs->count; i += 2)
        masks -= ja_two_less(ja_two_of(most), ja_two_at(&pairs->upper[i]));
    for (; i < pairs->count; i++)
        above += pairs->upper[i] > most;
    return above + (size_t)(masks[0] + masks[1]) > k;
}

double ja_pairs_steepest(struct ja_bench *bench, struct ja_pairs *pairs)
{
    double most = -INFINITY;
    make_ends(bench, pairs, false);
    for (size_t i = 0; i < pairs->count; i++)
        most = ja_larger(most, pairs->upper[i]);
    return most;
}
