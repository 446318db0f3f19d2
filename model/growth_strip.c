/* SPDX-License-Identifier: MIT
 *
 * The slopes of all straight lines that pass through every box. A line a + s t meets a box when
 * its lowest bound is not above its highest one at the edges that bind; an intercept exists
 * exactly when the largest lower bound is not above the smallest upper bound, so
 *     g(s) = max(low_i - s L_i) - min(high_j - s R_j) <= 0.
 * g is convex and piecewise linear on each sign of s: Newton's steps end after few pieces.
 */
#include "model/growth_parts.h"

#include <math.h>

#define NEWTON_MOST 400 /* 2 to 8 seen; stopping early only leaves the interval wider */

/* One sign of the slope, times mirrored for the other. */
struct side {
    const struct ja_track *track;
    double sign; /* +1, or -1: time runs backwards */
};

static double left_of(const struct side *side, size_t i) /* ta */
{
    return side->sign > 0 ? side->track->early[i] : -side->track->late[i];
}

static double right_of(const struct side *side, size_t i) /* tb */
{
    return side->sign > 0 ? side->track->late[i] : -side->track->early[i];
}

struct contact {
    double value; /* g(s) */
    size_t low, high;
};

static struct contact touch(const struct side *side, double slope)
{
    struct contact contact = {0, 0, 0};
    double most = -INFINITY, least = INFINITY;
    for (size_t i = 0; i < side->track->count; i++) {
        double low = side->track->low[i] - slope * right_of(side, i);
        double high = side->track->high[i] - slope * left_of(side, i);
        if (low > most) {
            most = low;
            contact.low = i;
        }
        if (high < least) {
            least = high;
            contact.high = i;
        }
    }
    contact.value = most - least;
    return contact;
}

/* Straight from the inequalities of all pairs. */
static struct ja_span half_projected(const struct side *side)
{
    struct ja_span span = {true, 0, INFINITY};
    size_t n = side->track->count;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double run = left_of(side, j) - right_of(side, i);
            double room = side->track->high[j] - side->track->low[i];
            if (run > 0)
                span.high = ja_smaller(span.high, room / run);
            else if (run < 0)
                span.low = ja_larger(span.low, room / run);
            else if (room < 0)
                return (struct ja_span){false, 0, 0};
        }
    span.exists = span.low <= span.high;
    return span;
}

static double tolerance(const struct ja_track *track)
{
    double largest = 1;
    for (size_t i = 0; i < track->count; i++)
        largest = ja_larger(largest, ja_larger(fabs(track->low[i]), fabs(track->high[i])));
    return 1e-12 * largest;
}

/* From above down to the largest feasible slope; false: there is none. */
static bool newton_down(const struct side *side, double slope, double epsilon, double *ret)
{
    for (int step = 0; step < NEWTON_MOST; step++) {
        struct contact contact = touch(side, slope);
        if (contact.value <= epsilon)
            break;
        double run = left_of(side, contact.high) - right_of(side, contact.low);
        double next = (side->track->high[contact.high] - side->track->low[contact.low]) / run;
        if (run <= 0 || next < 0)
            return false;
        if (next >= slope)
            break;
        slope = next;
    }
    *ret = slope;
    return true;
}

static bool newton_up(const struct side *side, double epsilon, double *ret)
{
    double slope = 0;
    for (int step = 0; step < NEWTON_MOST; step++) {
        struct contact contact = touch(side, slope);
        if (contact.value <= epsilon)
            break;
        double run = left_of(side, contact.high) - right_of(side, contact.low);
        if (run >= 0)
            return false;
        double next = (side->track->high[contact.high] - side->track->low[contact.low]) / run;
        if (next <= slope)
            break;
        slope = next;
    }
    *ret = slope;
    return true;
}

static struct ja_span half(const struct side *side, double epsilon)
{
    struct ja_span none = {false, 0, 0}, span = {true, 0, 0};
    const struct ja_track *track = side->track;
    size_t first = 0, last = 0;
    for (size_t i = 1; i < track->count; i++) {
        if (right_of(side, i) < right_of(side, first))
            first = i;
        if (left_of(side, i) > left_of(side, last))
            last = i;
    }
    double run = left_of(side, last) - right_of(side, first);
    if (run <= 0) /* all readings at one uncertain moment */
        return half_projected(side);
    double slope = (track->high[last] - track->low[first]) / run;
    if (slope < 0 || !newton_down(side, slope, epsilon, &span.high) ||
        !newton_up(side, epsilon, &span.low) || span.low > span.high * (1 + 1e-12))
        return none;
    return span;
}

static struct ja_span join(struct ja_span rising, struct ja_span falling)
{
    struct ja_span mirrored = {falling.exists, -falling.high, -falling.low};
    if (rising.exists && falling.exists) /* both hold 0 */
        return (struct ja_span){true, mirrored.low, rising.high};
    return rising.exists ? rising : mirrored;
}

struct ja_span ja_strip(const struct ja_track *track)
{
    double epsilon = tolerance(track);
    return join(half(&(struct side){track, 1}, epsilon), half(&(struct side){track, -1}, epsilon));
}

struct ja_span ja_strip_projected(const struct ja_track *track)
{
    return join(half_projected(&(struct side){track, 1}),
                half_projected(&(struct side){track, -1}));
}

/* g on the middle times, with the slope of its active piece */
static double distance(const struct ja_track *track, double slope, double *ret_turn)
{
    double most = -INFINITY, least = INFINITY;
    size_t low = 0, high = 0;
    for (size_t i = 0; i < track->count; i++) {
        double below = track->low[i] - slope * track->time[i];
        double above = track->high[i] - slope * track->time[i];
        if (below > most) {
            most = below;
            low = i;
        }
        if (above < least) {
            least = above;
            high = i;
        }
    }
    *ret_turn = track->time[high] - track->time[low];
    return most - least;
}

/* The least widening of every interval, up and down, that admits a line: half the smallest g.
 * Each step goes to where the active pieces of both ends of the bracket cross. */
double ja_strip_inflation(const struct ja_track *track)
{
    size_t n = track->count;
    double window = n ? track->time[n - 1] - track->time[0] : 0;
    if (!(window > 0))
        return 0;
    double low = track->low[0], high = track->high[0], left_turn, right_turn;
    for (size_t i = 1; i < n; i++) {
        low = ja_smaller(low, track->low[i]);
        high = ja_larger(high, track->high[i]);
    }
    double reach = 2 * (high - low) / window * (double)n;
    double a = -reach, b = reach;
    double left = distance(track, a, &left_turn), right = distance(track, b, &right_turn);
    double best = fmin(left, right);
    for (int step = 0; step < NEWTON_MOST && left_turn < 0 && right_turn > 0; step++) {
        double s = (left - right + right_turn * b - left_turn * a) / (right_turn - left_turn);
        double floor = left + left_turn * (s - a), turn;
        double value = distance(track, s, &turn);
        best = fmin(best, value);
        if (!(s > a && s < b) || best - floor <= 1e-13 * (high - low))
            break;
        if (turn < 0) {
            a = s, left = value, left_turn = turn;
        } else {
            b = s, right = value, right_turn = turn;
        }
    }
    return fmax(0, best / 2);
}
