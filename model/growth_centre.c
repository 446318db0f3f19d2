/* SPDX-License-Identifier: MIT
 *
 * The centre of the slopes of all pairs of readings: their median, weighted with the time between
 * the readings. Few of the slopes are divided out: those near the least squares line.
 */
#include "model/growth_lanes.h"
#include "model/growth_parts.h"

#include <math.h>
#include <pthread.h>

#define NEAR_CENTRE 0.6  /* standard errors of the line: where the centre is looked for first */
#define BESIDE 2         /* of that span, to either side: where it is looked for next */
#define LEAST_ERROR 1e-9 /* of the slope */
#define LISTED 32        /* readings up to which the pairs are listed once */
#define LISTED_PAIRS (LISTED * (LISTED - 1) / 2)
#define BATCH 512 /* pairs that are listed in one go, of more readings */

/* Two readings, counted from the last one of their track: 0, -1 ... In order, earlier first
 * readings before later ones: so the pairs of a track are the last ones of any longer track. */
struct pair {
    short first, last;
};

/* The next pairs of a track; none: count 0. */
struct batch {
    const struct pair *pairs;
    size_t count;
    struct pair next, room[BATCH];
};

static struct pair listed[LISTED_PAIRS]; /* of LISTED readings; written once */
static pthread_once_t listed_once = PTHREAD_ONCE_INIT;

/* As many pairs as there is room for, from *next on; returns how many. */
static size_t list_pairs(struct pair *next, struct pair *room, size_t size)
{
    size_t count = 0;
    for (; next->first < 0; next->last = (short)(++next->first + 1))
        for (; next->last <= 0; next->last++) {
            if (count == size)
                return count;
            room[count++] = *next;
        }
    return count;
}

static void make_listed(void)
{
    struct pair first = {1 - LISTED, 2 - LISTED};
    list_pairs(&first, listed, LISTED_PAIRS);
}

static void first_batch(size_t readings, struct batch *ret)
{
    size_t all = readings * (readings - (readings > 0)) / 2;
    ret->next = (struct pair){0, 1};
    ret->count = all;
    if (readings <= LISTED) {
        pthread_once(&listed_once, make_listed);
        ret->pairs = &listed[LISTED_PAIRS - all];
        return;
    }
    ret->next = (struct pair){(short)(1 - (int)readings), (short)(2 - (int)readings)};
    ret->pairs = ret->room;
    ret->count = list_pairs(&ret->next, ret->room, BATCH);
}

static void next_batch(struct batch *batch)
{
    batch->count = list_pairs(&batch->next, batch->room, BATCH);
}

/* A track, seen from its last reading. */
struct view {
    const double *early, *late, *time, *low, *high, *middle;
};

static struct view view_of(const struct ja_track *track)
{
    size_t last = track->count - (track->count > 0);
    return (struct view){track->early + last, track->late + last, track->time + last,
                         track->low + last,   track->high + last, track->middle + last};
}

/* Of two pairs: the same reading's value each. */
static inline ja_two both(const double *values, short of_p, short of_q)
{
    return (ja_two){values[of_p], values[of_q]};
}

/* The time between the middles of two readings, (early + late of the last - early - late of the
 * first) / 2 to the last bit; 0 or less: no pair. */
static inline ja_two both_apart(const struct view *view, struct pair p, struct pair q)
{
    return both(view->time, p.last, q.last) - both(view->early, p.first, q.first) / 2 -
           both(view->late, p.first, q.first) / 2;
}

/* A look for the pairs whose slope lies in a span: these, and the time between the readings of all
 * and of those below the span, summed up pair by pair. */
struct look {
    struct view view;
    ja_two least, most; /* the span */
    double *slope, *weight;
    size_t found;
    ja_mask count; /* of all pairs, in either lane */
    double whole, below, inside;
};

/* Two pairs, or the first of them: bits for those in the span. Which side of it a slope is on shows
 * without dividing. What is no pair weighs nothing. */
static inline unsigned look_at(struct look *look, struct pair p, struct pair q, ja_mask lanes)
{
    ja_two run = both_apart(&look->view, p, q);
    ja_two rise =
        both(look->view.middle, p.last, q.last) - both(look->view.middle, p.first, q.first);
    ja_mask pair = ja_two_less(ja_two_of(0), run) & lanes;
    ja_two from = look->least * run, to = look->most * run;
    ja_two weight = (ja_two)((ja_mask)run & pair);
    ja_two under = (ja_two)((ja_mask)weight & ja_two_less(rise, from));
    look->count -= pair;
    look->whole = look->whole + weight[0] + weight[1];
    look->below = look->below + under[0] + under[1];
    return ja_mask_bits(pair & ja_two_up_to(from, rise) & ja_two_up_to(rise, to));
}

static inline void find(struct look *look, struct pair pair)
{
    const struct view *view = &look->view;
    double run = both_apart(view, pair, pair)[0];
    double least = view->low[pair.last] - view->high[pair.first];
    double most = view->high[pair.last] - view->low[pair.first];
    look->slope[look->found] = (least + most) / 2 / run;
    look->weight[look->found++] = run;
    look->inside += run;
}

/* Up to 64 pairs. */
static void look_through(struct look *look, const struct pair *pairs, size_t count)
{
    static const ja_mask all = {-1, -1}, one = {-1, 0};
    struct look seen = *look;
    uint64_t bits = 0;
    size_t k = 0;
    for (; k + 1 < count; k += 2)
        bits |= (uint64_t)look_at(&seen, pairs[k], pairs[k + 1], all) << k;
    if (k < count)
        bits |= (uint64_t)look_at(&seen, pairs[k], pairs[k], one) << k;
    for (; bits; bits &= bits - 1)
        find(&seen, pairs[__builtin_ctzll(bits)]);
    *look = seen;
}

/* Counts all pairs, and finds the central slope if it lies between two others. Returns 0 when it is
 * found, else the side that it lies on. */
static int find_centre(struct ja_pairs *pairs, double least, double most)
{
    struct look look = {.view = view_of(&pairs->of),
                        .least = ja_two_of(least),
                        .most = ja_two_of(most),
                        .slope = pairs->slope,
                        .weight = pairs->weight};
    struct batch batch;
    for (first_batch(pairs->of.count, &batch); batch.count; next_batch(&batch))
        for (size_t k = 0; k < batch.count; k += 64)
            look_through(&look, &batch.pairs[k], batch.count - k < 64 ? batch.count - k : 64);
    pairs->count = (size_t)(look.count[0] + look.count[1]);
    pairs->central = ja_weighted_within(pairs->slope, pairs->weight, look.found, look.whole / 2,
                                        look.below, look.inside);
    return !isnan(pairs->central) ? 0 : look.below < look.whole / 2 ? 1 : -1;
}

/* The central slope is rarely far from the line: it is looked for around that, then beside. Where
 * rounding and noise are next to nothing, so is every distance: all pairs are looked through. */
void ja_pairs_centre(struct ja_pairs *pairs)
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
