/* SPDX-License-Identifier: MIT
 *
 * Several lives of one service: does it grow in every life, by one common slope (Seasonal
 * Kendall), or did the last life that can be judged grow?
 */
#include "model/growth_parts.h"

#include <math.h>
#include <string.h>

#define LIVES_P 0.02
#define LIVES_STUDENT 0.005
#define LIVES_P_WITH 0.3
#define LIVES_STUDENT_ALONE 0.0005
#define LATE_LEAST 0.5      /* of the whole slope, in the second halves: a warm-up is no leak */
#define CONVOLVED_MOST 3000 /* pairs up to which the null is convolved; normal beyond */

struct pool {
    double rank;       /* Kendall's S of all lives */
    size_t rising;     /* lives with S > 0 */
    struct ja_fit fit; /* of one slope, each life with its own level */
};

static struct ja_track exact(const struct ja_track *track)
{
    struct ja_track view = *track;
    view.early = view.late = view.time;
    return view;
}

/* Distribution of the summed inversions of all lives; NULL when too large to convolve. */
static double *convolve(struct ja_bench *bench, const struct ja_track *lives, size_t count,
                        size_t pairs)
{
    if (pairs > CONVOLVED_MOST)
        return NULL;
    double *sum = ja_arena_room(bench->arena, pairs + 1, sizeof *sum);
    double *next = ja_arena_room(bench->arena, pairs + 1, sizeof *next);
    size_t size = 1;
    sum[0] = 1;
    for (size_t k = 0; k < count; k++) {
        size_t n = lives[k].count, more = n * (n - 1) / 2 + 1;
        const double *cumulative = ja_kendall_cumulative(n);
        if (!cumulative)
            return NULL;
        memset(next, 0, (size + more - 1) * sizeof *next);
        for (size_t i = 0; i < size; i++)
            for (size_t j = 0; j < more; j++)
                next[i + j] += sum[i] * (cumulative[j] - (j ? cumulative[j - 1] : 0));
        size += more - 1;
        memcpy(sum, next, size * sizeof *sum);
    }
    return sum;
}

/* Tail of the summed rank. */
static double rank_of(struct ja_bench *bench, const struct ja_track *lives, size_t count,
                      double rank)
{
    size_t pairs = 0;
    double variance = 0;
    for (size_t k = 0; k < count; k++) {
        double n = (double)lives[k].count;
        pairs += lives[k].count * (lives[k].count - 1) / 2;
        variance += n * (n - 1) * (2 * n + 5) / 18;
    }
    double *chance = convolve(bench, lives, count, pairs);
    if (!chance)
        return 0.5 * erfc((rank - 1) / sqrt(2 * variance));
    double inversions = floor(((double)pairs - rank) / 2 + 1e-9), sum = 0;
    for (size_t i = 0; i <= pairs && (double)i <= inversions; i++)
        sum += chance[i];
    return fmin(1, sum);
}

static struct pool pool_of(const struct ja_track *lives, size_t count)
{
    struct pool pool = {.fit = {0, INFINITY, 1}};
    double xx = 0, xy = 0, yy = 0, rounding = 0;
    size_t readings = 0;
    for (size_t k = 0; k < count; k++) {
        struct ja_track life = exact(&lives[k]);
        size_t n = life.count;
        double mean_x = 0, mean_y = 0;
        double life_rank = ja_pairs_rank(&life);
        pool.rank += life_rank;
        pool.rising += life_rank > 0;
        readings += n;
        for (size_t i = 0; i < n; i++) {
            mean_x += life.time[i] / (double)n;
            mean_y += life.middle[i] / (double)n;
        }
        for (size_t i = 0; i < n; i++) {
            double x = life.time[i] - mean_x, y = life.middle[i] - mean_y;
            xx += x * x;
            xy += x * y;
            yy += y * y;
            rounding += life.half[i] * life.half[i] / 3;
        }
    }
    if (!(xx > 0))
        return pool;
    pool.fit.slope = xy / xx;
    if (readings < count + 2)
        return pool;
    double squares = fmax(0, yy - pool.fit.slope * xy) + rounding;
    pool.fit.freedom = readings - count - 1;
    pool.fit.error = sqrt(squares / (double)pool.fit.freedom / xx);
    return pool;
}

const char *ja_evidence_lives(struct ja_bench *bench, const struct ja_track *lives, size_t count,
                              enum ja_growth_reason *ret_reason)
{
    struct ja_track *able = ja_arena_room(bench->arena, count, sizeof *able);
    struct ja_track *late = ja_arena_room(bench->arena, count, sizeof *late);
    size_t able_count = 0, late_count = 0;
    for (size_t k = 0; k < count; k++) {
        size_t n = lives[k].count;
        if (n >= 2)
            able[able_count++] = lives[k];
        if (n >= 4)
            late[late_count++] = ja_track_part(&lives[k], n / 2, n);
    }
    *ret_reason = JA_REASON_FEW_READINGS;
    if (able_count < 2)
        return NULL;
    struct pool whole = pool_of(able, able_count);
    const struct ja_track *newest = &able[able_count - 1];
    *ret_reason = JA_REASON_NOT_SIGNIFICANT;
    if (whole.rising < able_count || newest->high[0] >= newest->low[newest->count - 1])
        return NULL;
    double student_p = ja_fit_tail(whole.fit);
    if (!late_count)
        return student_p <= LIVES_STUDENT_ALONE ? "lives" : NULL;
    struct pool end = pool_of(late, late_count);
    if (end.fit.slope < LATE_LEAST * whole.fit.slope || end.rising < late_count) {
        *ret_reason = JA_REASON_STOPPED;
        return NULL;
    }
    if (student_p > LIVES_STUDENT)
        return NULL;
    double rank_p = rank_of(bench, able, able_count, whole.rank);
    return rank_p <= (student_p <= LIVES_STUDENT_ALONE ? LIVES_P_WITH : LIVES_P) ? "lives" : NULL;
}

static const char *life_route(const char *route)
{
    if (!route)
        return NULL;
    return route[0] == 't' ? "life:trend" : route[0] == 'l' ? "life:line" : "life:steps";
}

/* The newest life is too short to judge: the last one that can be judged speaks. */
const char *ja_evidence_one_life(struct ja_bench *bench, const struct ja_track *lives, size_t count,
                                 enum ja_growth_reason *ret_reason)
{
    *ret_reason = JA_REASON_ONE_READING;
    if (!count)
        return NULL;
    const struct ja_track *newest = &lives[count - 1];
    if (newest->count >= 3 || (newest->count == 2 && newest->low[1] <= newest->high[0]))
        return NULL;
    for (size_t k = count - 1; k-- > 0;)
        if (lives[k].count >= 3)
            return life_route(ja_evidence_of(bench, &lives[k], NULL, NULL, ret_reason));
    return NULL;
}
