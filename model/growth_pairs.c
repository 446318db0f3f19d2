/* SPDX-License-Identifier: MIT
 *
 * The slopes of all pairs of readings: their rank, their centre, and the ends that Sen's interval
 * is taken from. What few tracks need is made when it is asked for.
 */
#include "model/growth_parts.h"

#include <math.h>

#define BLUR 1e-3        /* part of the time between two readings kept when their clocks overlap */
#define END_NEAR 0.9     /* of the distance that Gaussian noise would give, to */
#define END_FAR 2.1      /* this: where the ends are looked for first */
#define NEAR_CENTRE 0.6  /* standard errors of the line: where the centre is looked for first */
#define BESIDE 2         /* of that span, to either side: where it is looked for next */
#define LEAST_ERROR 1e-9 /* of the slope */
#define EQUAL 1e-12

struct ja_bench *ja_bench_new(struct ja_arena *arena)
{
    struct ja_bench *bench = ja_arena_alloc(arena, 1, sizeof *bench);
    bench->arena = arena;
    return bench;
}

double *ja_bench_room(struct ja_bench *bench, size_t count)
{
    return JA_RESERVE(bench->arena, bench->room, 0, bench->room_capacity, count);
}

/* The time between the middles of two readings; 0 or less: no pair. */
static double apart(const struct ja_track *track, size_t i, size_t j)
{
    return (track->early[j] + track->late[j] - track->early[i] - track->late[i]) / 2;
}

/* Slopes of the pairs that were found, whose weights are known; returns their weight. */
static double weigh(struct ja_pairs *pairs, size_t found)
{
    const struct ja_track *track = &pairs->of;
    double inside = 0;
    for (size_t k = 0; k < found; k++) {
        size_t i = pairs->found[k].first, j = pairs->found[k].last;
        double least = track->low[j] - track->high[i], most = track->high[j] - track->low[i];
        pairs->slope[k] = (least + most) / 2 / pairs->weight[k];
        inside += pairs->weight[k];
    }
    return inside;
}

/* Counts all pairs, and finds the central slope if it lies between two others. Which side
 * a slope is on shows without dividing. Returns 0 when it is found, else the side that it lies on.
 */
static int find_centre(struct ja_pairs *pairs, double least, double most)
{
    const struct ja_track track = pairs->of;
    const double *time = track.time, *middle = track.middle;
    struct ja_pair *restrict pair = pairs->found;
    double *restrict weight = pairs->weight;
    size_t n = track.count, found = 0, none = 0;
    double whole = 0, below = 0;
    for (size_t i = 0; i < n; i++) {
        double early = track.early[i] / 2, late = track.late[i] / 2;
        for (size_t j = i + 1; j < n; j++) {
            double run = time[j] - early - late; /* apart, to the last bit */
            if (!(run > 0)) {
                none++;
                continue;
            }
            double rise = middle[j] - middle[i], from = least * run, to = most * run;
            pair[found] = (struct ja_pair){(unsigned short)i, (unsigned short)j};
            weight[found] = run;
            found += (rise >= from) & (rise <= to);
            below += rise < from ? run : 0;
            whole += run;
        }
    }
    pairs->count = n * (n - (n > 0)) / 2 - none;
    double inside = weigh(pairs, found);
    pairs->central =
        ja_weighted_within(pairs->slope, pairs->weight, found, whole / 2, below, inside);
    return !isnan(pairs->central) ? 0 : below < whole / 2 ? 1 : -1;
}

/* The central slope is rarely far from the line: it is looked for around that, then beside. Where
 * rounding and noise are next to nothing, so is every distance: all pairs are looked through. */
static void fill(struct ja_pairs *pairs)
{
    struct ja_fit fit = ja_line_fit(&pairs->line, pairs->of.count);
    double from = fit.slope - NEAR_CENTRE * fit.error, to = fit.slope + NEAR_CENTRE * fit.error;
    int side = 1;
    if (fit.error > LEAST_ERROR * fabs(fit.slope)) {
        side = find_centre(pairs, from, to);
        if (side < 0)
            side = find_centre(pairs, from - BESIDE * (to - from), from);
        else if (side > 0)
            side = find_centre(pairs, to, to + BESIDE * (to - from));
    }
    if (side)
        find_centre(pairs, -INFINITY, INFINITY);
}

/* Clock error widens: divide by the time that moves each bound away from the middle. */
static void fill_ends(struct ja_pairs *pairs, const struct ja_track *track)
{
    size_t n = track->count, count = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            double run = apart(track, i, j);
            if (!(run > 0))
                continue;
            double near = track->early[j] - track->late[i], far = track->late[j] - track->early[i];
            if (near <= 0)
                near = run * BLUR;
            double least = track->low[j] - track->high[i], most = track->high[j] - track->low[i];
            pairs->lower[count] = least / (least > 0 ? far : near);
            pairs->upper[count++] = most / (most > 0 ? near : far);
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
    pairs->upper = NULL;
    JA_RESERVE(bench->arena, pairs->found, 0, pairs->capacity, most + 1);
    JA_RESERVE(bench->arena, pairs->slope, 0, pairs->slope_capacity, 2 * pairs->capacity);
    pairs->weight = pairs->slope + pairs->capacity;
    pairs->line = ja_line_of(track);
    fill(pairs);
    return pairs;
}

double ja_pairs_rank(const struct ja_track *track)
{
    const double *low = track->low, *high = track->high, *time = track->time;
    int64_t rank = 0;
    for (size_t i = 0; i < track->count; i++) {
        double early = track->early[i] / 2, late = track->late[i] / 2;
        for (size_t j = i + 1; j < track->count; j++) {
            bool rises = low[j] > high[i], falls = high[j] < low[i];
            rank += (time[j] - early - late > 0) * (rises - falls);
        }
    }
    return (double)rank;
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

static void make_ends(struct ja_bench *bench, struct ja_pairs *pairs)
{
    if (pairs->upper)
        return;
    JA_RESERVE(bench->arena, pairs->lower, 0, pairs->end_capacity, 2 * pairs->count);
    pairs->upper = pairs->lower + pairs->count;
    fill_ends(pairs, &pairs->of);
}

double ja_pairs_low(struct ja_bench *bench, struct ja_pairs *pairs, size_t k, double reach)
{
    make_ends(bench, pairs);
    double from = pairs->central - END_FAR * reach, to = pairs->central - END_NEAR * reach;
    return ja_select_near(pairs->lower, pairs->count, k, (struct ja_span){true, from, to},
                          ja_bench_room(bench, pairs->count));
}

double ja_pairs_high(struct ja_bench *bench, struct ja_pairs *pairs, size_t k, double reach)
{
    make_ends(bench, pairs);
    double from = pairs->central + END_NEAR * reach, to = pairs->central + END_FAR * reach;
    return ja_select_near(pairs->upper, pairs->count, pairs->count - 1 - k,
                          (struct ja_span){true, from, to}, ja_bench_room(bench, pairs->count));
}

bool ja_pairs_high_exceeds(struct ja_bench *bench, struct ja_pairs *pairs, size_t k, double most)
{
    size_t above = 0;
    make_ends(bench, pairs);
    for (size_t i = 0; i < pairs->count; i++)
        above += pairs->upper[i] > most;
    return above > k;
}

double ja_pairs_steepest(struct ja_bench *bench, struct ja_pairs *pairs)
{
    double most = -INFINITY;
    make_ends(bench, pairs);
    for (size_t i = 0; i < pairs->count; i++)
        most = ja_larger(most, pairs->upper[i]);
    return most;
}
