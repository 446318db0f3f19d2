/* SPDX-License-Identifier: MIT
 *
 * What the readings exclude: the largest growth they leave open, over the window, for a leak that
 * began half way, and against the work that was done.
 */
#include "model/growth_parts.h"

#include <math.h>

#define CEASED 0.05     /* chance of such a silence, if the rises went on */
#define GROW_FACTOR 1.5 /* each rise can be this much of the one before: no rate extrapolates */
#define AFTER_LEAST 0.4 /* part of the window that the readings after a rise must span */
#define AFTER_GAP 0.75  /* largest gap within them */
#define IDLE 0.02       /* of the life's rate of work: below it the window saw no work */
#define JUMP_SPREAD 0.25
#define JUMP_CONCERN 0.5

/* The same boxes at other times, which are not copied. */
static struct ja_track at_times(struct ja_bench *bench, const struct ja_track *track, double *early,
                                double *late)
{
    struct ja_track moved = *track;
    moved.early = early;
    moved.late = late;
    moved.time = ja_arena_room(bench->arena, track->count, sizeof *moved.time);
    for (size_t i = 0; i < track->count; i++)
        moved.time[i] = (early[i] + late[i]) / 2;
    return moved;
}

/* The larger of a bound and that on a leak that began in the middle of the window. */
static double late_bound(struct ja_bench *bench, const struct ja_track *track, double bound)
{
    size_t n = track->count;
    if (n >= 4) {
        double *from = ja_arena_room(bench->arena, 2 * n, sizeof *from), *to = from + n;
        double middle = (track->time[0] + track->time[n - 1]) / 2;
        for (size_t i = 0; i < n; i++) {
            double error = (track->late[i] - track->early[i]) / 2;
            from[i] = ja_larger(track->early[i], middle - error);
            to[i] = ja_larger(track->late[i], middle + error);
        }
        struct ja_track late = at_times(bench, track, from, to);
        bound = ja_slope_bound(bench, &late, n >= 5 ? JA_LEVEL_LATE : JA_LEVEL_FEW, bound);
    }
    if (n >= 6) { /* the second half by itself must not rise faster, in the middle of its slopes */
        struct ja_track half = ja_track_part(track, n / 2, n);
        if (ja_pairs_exceed(&half, bound)) {
            struct ja_pairs *pairs = ja_pairs_of(bench, &half);
            bound = pairs->count ? fmax(bound, pairs->central) : bound;
        }
    }
    return bound;
}

static double bound_of(struct ja_bench *bench, const struct ja_track *track)
{
    size_t n = track->count;
    double window = track->time[n - 1] - track->time[0], step = INFINITY;
    if (n < 5) {
        struct ja_slope slope = ja_slope_interval(bench, track, JA_LEVEL_FEW, true);
        if (!slope.exists || slope.high < 0 || slope.low > 0)
            return INFINITY; /* readings that move: one beat of a cycle, or a rise; no denial */
    }
    for (size_t i = 0; i < n; i++)
        step = ja_smaller(step, track->high[i] - track->low[i]);
    double bound = late_bound(bench, track, step / window); /* the one division */
    return ja_slope_bound(bench, track, n >= 5 ? JA_LEVEL_WINDOW : JA_LEVEL_FEW, bound);
}

static bool late_climb(const struct ja_track *track)
{
    size_t n = track->count, from = n / 2;
    double rank = 0, highest = -INFINITY;
    for (size_t i = 0; i < from; i++)
        highest = fmax(highest, track->high[i]);
    if (!(track->low[n - 1] > highest))
        return false;
    for (size_t i = from; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            rank += (track->low[j] > track->high[i]) - (track->high[j] < track->low[i]);
    return ja_kendall_tail(n - from, rank) <= CEASED;
}

/* Does everything after some reading lie clearly above everything before it? */
static bool unexplained(struct ja_bench *bench, const struct ja_track *track, double concern,
                        bool grows)
{
    size_t n = track->count;
    if (!grows && late_climb(track))
        return true;
    double span = track->time[n - 1] - track->time[0];
    double *later = ja_arena_room(bench->arena, n, sizeof *later); /* smallest low from here on */
    double least = INFINITY, most = -INFINITY, lowest = INFINITY;
    for (size_t i = n; i-- > 0;)
        later[i] = least = fmin(least, track->low[i]);
    for (size_t j = 1; j < n; j++) {
        most = fmax(most, track->high[j - 1]);
        lowest = fmin(lowest, track->low[j - 1]);
        double jump = later[j] - most;
        if (j >= 2 && jump > JUMP_SPREAD * (most - lowest) && jump > JUMP_CONCERN * concern * span)
            return true;
    }
    return false;
}

static bool all_apart(const double *early, const double *late, size_t count)
{
    bool apart = true;
    for (size_t i = 1; i < count; i++)
        apart &= early[i] + late[i] > early[i - 1] + late[i - 1];
    return apart;
}

struct ja_track ja_work_merge(struct ja_bench *bench, const struct ja_track *track, double *early,
                              double *late, bool hull)
{
    size_t n = track->count, count = 0;
    if (all_apart(early, late, n))
        return at_times(bench, track, early, late);
    struct ja_track merged = ja_track_new(bench->arena, n);
    double *lows = ja_bench_room(bench, 2 * n), *highs = lows + n;
    for (size_t i = 0; i < n;) {
        size_t size = 0;
        double here = early[i] + late[i], low = INFINITY, high = -INFINITY;
        merged.early[count] = early[i];
        merged.late[count] = late[i];
        for (; i < n && (!size || !(early[i] + late[i] > here)); i++) {
            lows[size] = track->low[i];
            highs[size++] = track->high[i];
            low = ja_smaller(low, track->low[i]);
            high = ja_larger(high, track->high[i]);
        }
        merged.low[count] = hull || size == 1 ? low : ja_median(lows, size);
        merged.high[count++] = hull || size == 1 ? high : ja_median(highs, size);
    }
    merged.count = count;
    ja_track_finish(&merged);
    return merged;
}

/* Was there enough work in these readings, and is growth per unit of it bounded as well? */
static bool worked(struct ja_bench *bench, const struct ja_denial *question,
                   const struct ja_track *track, double *early, double *late, double bound)
{
    size_t n = track->count;
    double done = early[n - 1] - late[0], span = track->time[n - 1] - track->time[0];
    double usual = question->life_rate * span;
    if (!(done > 0) || done < IDLE * usual || bound * fmax(1, usual / done) > question->concern)
        return false;
    struct ja_track per_work = ja_work_merge(bench, track, early, late, true);
    if (per_work.count < (n < 4 ? n : 4))
        return false;
    if (per_work.count < 4)
        return true;
    struct ja_slope slope = ja_slope_interval(bench, &per_work, JA_LEVEL_LATE, true);
    return !slope.exists || ja_slope_growth(&slope) * question->life_rate <= question->concern;
}

struct part {
    const char *route;
    size_t *index;
    size_t count;
    bool whole, after;
};

/* One rise explains the window only if it was level before. */
static bool level_before(const struct ja_track *track, size_t until)
{
    if (until < 3)
        return true;
    struct ja_track before = ja_track_part(track, 0, until);
    return ja_kendall_tail(until, ja_pairs_rank(&before)) > CEASED;
}

static bool ceased(const struct ja_track *track, const struct ja_moves *moves)
{
    size_t n = track->count;
    if (!moves->rise_count || !moves->last)
        return false;
    double window = track->time[n - 1] - track->time[0];
    double quiet = (track->time[n - 1] - track->time[moves->last]) / window;
    if (pow(1 - quiet, (double)moves->rise_count) <= CEASED)
        return true;
    size_t until = moves->rises[moves->rise_count - 1].first + 1;
    return moves->rise_count == 1 && level_before(track, until);
}

/* The readings of a part that were not given back later; false when that is all of them. */
static bool keep(struct ja_bench *bench, const struct ja_track *track, double noise,
                 const struct part *from, struct part *ret)
{
    struct ja_track picked = ja_track_pick(bench->arena, track, from->index, from->count);
    ret->index = ja_moves_kept(bench, &picked, noise, &ret->count);
    for (size_t i = 0; i < ret->count; i++)
        ret->index[i] = from->index[ret->index[i]];
    ret->after = from->after;
    ret->whole = false;
    ret->route = from->after ? "after rise kept" : "all kept";
    return ret->count < from->count;
}

/* needed: are other parts made from it, or is its work looked at? */
static struct part whole_of(struct ja_bench *bench, const struct ja_track *track, bool needed)
{
    size_t *index = !needed ? NULL : ja_arena_room(bench->arena, track->count, sizeof *index);
    for (size_t i = 0; i < track->count && needed; i++)
        index[i] = i;
    return (struct part){"all", index, track->count, true, false};
}

/* The other parts, behind the whole; how many there are then. */
static size_t parts_of(struct ja_bench *bench, const struct ja_track *track,
                       const struct ja_moves *moves, struct part *parts)
{
    size_t count = 1, last = moves->last;
    if (ceased(track, moves))
        parts[count++] =
            (struct part){"after rise", parts[0].index + last, track->count - last, false, true};
    for (size_t i = 0, whole = count; i < whole; i++)
        count += keep(bench, track, moves->noise, &parts[i], &parts[count]);
    return count;
}

static bool long_enough(const struct ja_track *track, const struct part *part, double window)
{
    size_t n = track->count;
    double span = track->time[n - 1] - track->time[0], gap = 0;
    if (!(span > 0) || !part->after)
        return span > 0;
    for (size_t i = 0; i + 1 < n; i++)
        gap = ja_larger(gap, track->time[i + 1] - track->time[i]);
    return span >= AFTER_LEAST * window && gap <= AFTER_GAP * span;
}

/* Is growth above the concern excluded on this part? *ret_reason: NONE = yes. */
static bool try_part(struct ja_bench *bench, const struct ja_denial *question,
                     const struct part *part, enum ja_growth_reason *ret_reason, double *ret_bound)
{
    const struct ja_track *track = question->track;
    double window = track->time[track->count - 1] - track->time[0];
    *ret_reason = JA_REASON_NONE;
    if (part->count < (part->whole ? 3 : 4))
        return false;
    struct ja_track picked =
        part->whole ? *track : ja_track_pick(bench->arena, track, part->index, part->count);
    if (!long_enough(&picked, part, window))
        return false;
    double bound = bound_of(bench, &picked);
    if (part->whole)
        *ret_bound = bound;
    if (!(bound <= question->concern))
        return false;
    *ret_bound = isnan(*ret_bound) ? bound : fmin(*ret_bound, bound);
    if (part->count >= 5 && unexplained(bench, &picked, question->concern, question->grows)) {
        *ret_reason = JA_REASON_LATE_RISE;
        return false;
    }
    if (!question->work_early) {
        *ret_reason = question->assume_active ? JA_REASON_NONE : JA_REASON_WORK_UNKNOWN;
        return question->assume_active;
    }
    double *early = ja_arena_room(bench->arena, part->count, sizeof *early);
    double *late = ja_arena_room(bench->arena, part->count, sizeof *late);
    for (size_t i = 0; i < part->count; i++) {
        early[i] = question->work_early[part->index[i]];
        late[i] = question->work_late[part->index[i]];
    }
    if (worked(bench, question, &picked, early, late, bound))
        return true;
    *ret_reason = JA_REASON_LITTLE_WORK;
    return false;
}

/* Steps of which each can be 1.5 times the one before have no rate to extrapolate. */
static bool steps_grow(const struct ja_moves *moves)
{
    if (moves->rise_count < 2)
        return false;
    for (size_t i = 0; i + 1 < moves->rise_count; i++)
        if (!(moves->rises[i + 1].high > GROW_FACTOR * moves->rises[i].low))
            return false;
    return true;
}

const char *ja_bound_denial(struct ja_bench *bench, const struct ja_denial *question,
                            const struct ja_outline *outline, const struct ja_moves *moves,
                            enum ja_growth_reason *ret_reason, double *ret_bound)
{
    *ret_reason = JA_REASON_NONE;
    *ret_bound = NAN;
    if (outline->form == JA_FORM_DOUBLING || steps_grow(moves)) {
        *ret_reason = JA_REASON_STEPS_GROW;
        return NULL;
    }
    bool deniable = !isnan(question->concern); /* without a concern nothing can be denied */
    struct part parts[4];
    size_t count = 1;
    parts[0] = whole_of(bench, question->track, deniable);
    for (size_t i = 0; i < count; i++) {
        enum ja_growth_reason reason;
        if (try_part(bench, question, &parts[i], &reason, ret_bound))
            return parts[i].route;
        if (*ret_reason == JA_REASON_NONE)
            *ret_reason = reason;
        if (i == 0 && deniable)
            count = parts_of(bench, question->track, moves, parts);
    }
    return NULL;
}
