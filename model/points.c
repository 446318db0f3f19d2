/* SPDX-License-Identifier: MIT */
#include "model/points.h"

#include "model/rows.h"
#include "model/window.h"

const struct ja_instant *ja_reading_moment(const struct ja_source *source, uint32_t reading)
{
    const struct ja_evidence *evidence = source->evidence;
    const struct ja_instant *at = ja_moment_of(source, ja_reading_record(evidence, reading),
                                               ja_reading_stamp(evidence, reading));
    return ja_instant_known(at) ? at : NULL;
}

struct ja_point ja_point_of(const struct ja_source *sources, struct ja_entry reading)
{
    const struct ja_source *source = &sources[reading.source];
    struct ja_quantity quantity = ja_reading_quantity(source->evidence, reading.number);
    struct ja_point point = {
        .at = ja_reading_moment(source, reading.number),
        .value = quantity.value,
        .resolution = quantity.resolution,
        .rounding = (uint8_t)quantity.rounding,
        .source = reading.source,
        .reading = reading.number,
    };
    ja_quantity_interval(quantity, &point.low, &point.high);
    if (point.low < 0 && quantity.value >= 0)
        point.low = 0;
    return point;
}

struct ja_point ja_point_at(const struct ja_series *series, size_t i)
{
    return series->made ? series->points[i] : ja_point_of(series->sources, series->readings[i]);
}

struct ja_growth_point ja_growth_point_of(const struct ja_series *series, size_t i)
{
    struct ja_point from = ja_point_at(series, i);
    struct ja_growth_point point = {
        .low_bytes = from.low, .high_bytes = from.high, .resolution_bytes = from.resolution};
    if (!from.at)
        return point;
    point.early_ns = from.at->early_ns != JA_UNKNOWN ? from.at->early_ns : from.at->unix_ns;
    point.late_ns = from.at->late_ns != JA_UNKNOWN ? from.at->late_ns : from.at->unix_ns;
    return point;
}

static bool any_made(const struct ja_point *points, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (points[i].made)
            return true;
    return false;
}

void ja_series_settle(struct ja_series *series, struct ja_arena *arena)
{
    const struct ja_point *points = series->points;
    size_t count = series->point_count;
    series->made = any_made(points, count);
    if (series->made) {
        series->points = ja_arena_room(arena, count, sizeof *points);
        for (size_t i = 0; i < count; i++)
            series->points[i] = points[i];
        return;
    }
    series->readings = ja_arena_room(arena, count, sizeof *series->readings);
    for (size_t i = 0; i < count; i++)
        series->readings[i] = (struct ja_entry){points[i].source, points[i].reading};
}

void ja_series_move_point(struct ja_series *series, size_t to, size_t from)
{
    if (series->made)
        series->points[to] = series->points[from];
    else
        series->readings[to] = series->readings[from];
}
