/* SPDX-License-Identifier: MIT
 *
 * One figure told several times. At one moment it becomes one point, the finest; two tools that
 * read it within a minute keep both points. Whether they agree is noted as a twin.
 */
#include "model/series.h"
#include "model/rows.h"

#include <stdlib.h>
#include <string.h>

/* Two tools that read one figure within this time are compared; their points both stay. */
#define TWIN_SPAN_NS (60 * JA_NS_PER_S)

static void note_twin(struct ja_case *item, const struct ja_series *series,
                      const struct ja_point *kept, const struct ja_point *other)
{
    struct ja_twin *twin =
        JA_APPEND(item->arena, item->twins, item->twin_count, item->twin_capacity);
    *twin = (struct ja_twin){
        .process = series->process,
        .metric = series->metric,
        .category = series->category,
        .kept = *kept,
        .other = *other,
        .apart_ns = kept->at && other->at ? llabs(kept->at->unix_ns - other->at->unix_ns) : 0,
        .agree = kept->low <= other->high && other->low <= kept->high,
    };
}

static bool approximate(const struct ja_case *item, const struct ja_point *point)
{
    return ja_reading_at(item->sources[point->source].evidence, point->reading).approximate;
}

static bool finer(const struct ja_case *item, const struct ja_point *a, const struct ja_point *b)
{
    bool x = approximate(item, a), y = approximate(item, b);
    if (x != y)
        return y;
    return a->high - a->low < b->high - b->low;
}

static enum ja_kind kind_of(const struct ja_case *item, const struct ja_point *point)
{
    const struct ja_evidence *evidence = item->sources[point->source].evidence;
    return evidence->records[ja_reading_record(evidence, point->reading)].kind;
}

static enum ja_kind tool_of(const struct ja_case *item, const struct ja_point *point)
{
    return ja_kind_tool(kind_of(item, point));
}

/* Two tools of one file, read within the digit of its clock, that agree: one coarse and one fine
 * telling of one figure ("5154 MB" and "5.0G"). */
static bool same_second(const struct ja_case *item, const struct ja_point *a,
                        const struct ja_point *b)
{
    return a->source == b->source && tool_of(item, a) != tool_of(item, b) &&
           a->at->late_ns != JA_UNKNOWN && b->at->early_ns != JA_UNKNOWN &&
           b->at->early_ns <= a->at->late_ns && a->low <= b->high && b->low <= a->high;
}

/* Told at one moment by another file, or twice by one file at the very same stamp. */
static bool one_telling(const struct ja_case *item, const struct ja_point *a,
                        const struct ja_point *b)
{
    if (!a->at != !b->at || (!a->at && a->source == b->source))
        return false;
    if (a->at && same_second(item, a, b))
        return true;
    if (a->at && a->at->unix_ns != b->at->unix_ns)
        return false;
    const struct ja_evidence *x = item->sources[a->source].evidence;
    const struct ja_evidence *y = item->sources[b->source].evidence;
    const char *s = x->records[ja_reading_record(x, a->reading)].snapshot;
    const char *t = y->records[ja_reading_record(y, b->reading)].snapshot;
    return (s && t && strcmp(s, t) == 0) || approximate(item, a) || approximate(item, b);
}

/* The very same reading in two files: a log and a copy of it with other line ends, in a ticket, or
 * two pieces of a log that overlap. It is one reading, and no second source. */
static bool same_reading(const struct ja_case *item, const struct ja_point *a,
                         const struct ja_point *b)
{
    return a->at && b->at && a->source != b->source && a->at->unix_ns == b->at->unix_ns &&
           a->at->early_ns == b->at->early_ns && a->at->late_ns == b->at->late_ns &&
           a->value == b->value && a->resolution == b->resolution && a->rounding == b->rounding &&
           kind_of(item, a) == kind_of(item, b);
}

void ja_series_add_point(struct ja_case *item, struct ja_series *series, struct ja_point point)
{
    struct ja_point *last = series->point_count ? &series->points[series->point_count - 1] : NULL;
    if (last && same_reading(item, last, &point))
        return;
    if (!last || !one_telling(item, last, &point)) {
        series->points[series->point_count++] = point;
        return;
    }
    if (!approximate(item, last) && !approximate(item, &point))
        note_twin(item, series, finer(item, &point, last) ? &point : last,
                  finer(item, &point, last) ? last : &point);
    if (finer(item, &point, last))
        *last = point;
}

/* Readings of different files within a minute, both kept: do they agree? */
static void compare_neighbours(struct ja_case *item, const struct ja_series *series)
{
    for (size_t i = 1; series->dated && i < series->point_count; i++) {
        const struct ja_point *a = &series->points[i - 1], *b = &series->points[i];
        if (b->at->unix_ns - a->at->unix_ns > TWIN_SPAN_NS || approximate(item, a) ||
            approximate(item, b))
            continue;
        if (tool_of(item, a) != tool_of(item, b))
            note_twin(item, series, finer(item, b, a) ? b : a, finer(item, b, a) ? a : b);
    }
}

/* Bytes per second between two readings of one tool. */
static double pace(const struct ja_point *a, const struct ja_point *b)
{
    double apart_s = (double)llabs(b->at->unix_ns - a->at->unix_ns) / 1e9;
    return apart_s > 0 ? (double)llabs(b->value - a->value) / apart_s : 0;
}

/* How fast the figure moved around a point, by the neighbours of the same tool. */
static double pace_at(const struct ja_case *item, const struct ja_series *series, size_t index,
                      enum ja_kind kind)
{
    const struct ja_point *before = NULL, *after = NULL, *self = NULL;
    for (size_t i = index + 1; i-- > 0 && !before;)
        if (tool_of(item, &series->points[i]) == kind) {
            if (!self)
                self = &series->points[i];
            else
                before = &series->points[i];
        }
    for (size_t i = index + 1; i < series->point_count && !after; i++)
        if (tool_of(item, &series->points[i]) == kind)
            after = &series->points[i];
    double past = self && before ? pace(before, self) : 0;
    double next = self && after ? pace(self, after) : 0;
    return past > next ? past : next;
}

/* The two are read up to apart_ns from each other, each within the width of its clock reading. */
static void allow_drift(const struct ja_case *item, const struct ja_series *series,
                        struct ja_twin *twin, size_t index)
{
    double x = pace_at(item, series, index, tool_of(item, &twin->kept));
    double y = pace_at(item, series, index, tool_of(item, &twin->other));
    const struct ja_instant *at = twin->kept.at;
    double width_s = (double)ja_subtract(at->late_ns, at->early_ns) / 1e9;
    double seconds = (double)twin->apart_ns / 1e9 + (width_s > 1 ? width_s : 1);
    double drift = (x > y ? x : y) * seconds;
    twin->drift_bytes = drift < 9e15 ? (int64_t)drift : JA_LARGEST_BYTES;
}

static void allow_drifts(struct ja_case *item, const struct ja_series *series, size_t first_twin)
{
    size_t index = 0;
    for (size_t t = first_twin; series->dated && t < item->twin_count; t++) {
        struct ja_twin *twin = &item->twins[t];
        if (index && twin->kept.at->unix_ns < series->points[index].at->unix_ns)
            index = 0;
        while (index + 1 < series->point_count &&
               series->points[index + 1].at->unix_ns <= twin->kept.at->unix_ns)
            index++;
        if (!twin->agree)
            allow_drift(item, series, twin, index);
    }
}

void ja_series_compare(struct ja_case *item, const struct ja_series *series, size_t first_twin)
{
    compare_neighbours(item, series);
    allow_drifts(item, series, first_twin);
}
