/* SPDX-License-Identifier: MIT */
#include "model/proof.h"
#include "model/quantity.h"

#include <math.h>

#define CONCERN_HOURS (7 * 24.0)

double ja_proof_window(double resolution, double slope)
{
    return slope > 0 ? resolution / slope : INFINITY;
}

double ja_proof_concern(int64_t limit_bytes, int64_t level_bytes)
{
    if (limit_bytes == JA_UNKNOWN || level_bytes == JA_UNKNOWN || limit_bytes <= level_bytes)
        return NAN;
    return (double)ja_subtract(limit_bytes, level_bytes) / CONCERN_HOURS;
}

struct ja_range ja_proof_power(double most, double apart, double width_middle, double width_final,
                               double noise)
{
    double error = width_middle + width_final + 2 * noise;
    return (struct ja_range){fmax(0, (most - error) / apart), (most + error) / apart};
}

struct ja_range ja_proof_slope(struct ja_range first, struct ja_range second, double apart)
{
    return (struct ja_range){(second.low - first.high) / apart, (second.high - first.low) / apart};
}

enum ja_change ja_proof_effect(struct ja_range before, struct ja_range after,
                               struct ja_range *ret_change)
{
    *ret_change = (struct ja_range){after.low - before.high, after.high - before.low};
    if (ret_change->high < 0)
        return JA_CHANGE_REDUCED;
    return ret_change->low > 0 ? JA_CHANGE_INCREASED : JA_CHANGE_UNKNOWN;
}

bool ja_proof_catches(double bound_after, double slope_before)
{
    return bound_after < slope_before;
}

bool ja_proof_agree(struct ja_range a, struct ja_range b, double drift)
{
    return a.low - drift <= b.high && b.low - drift <= a.high;
}

struct ja_cap_match ja_proof_cap(double level, double half, double cap, double baseline)
{
    return (struct ja_cap_match){
        .reached = cap <= level + half && level - cap <= baseline + half,
        .distance = level - cap,
        .share = {(level - half) / cap, (level + half) / cap},
    };
}

double ja_proof_silence(size_t steps, double quiet)
{
    return pow(1 - quiet, (double)steps);
}

/* Every pair of readings bounds the line from both sides (linear programming duality). */
bool ja_proof_reach(const double *time, const struct ja_range *reading, size_t count, double cap,
                    struct ja_range *ret_when)
{
    struct ja_range when = {-INFINITY, INFINITY}, slope = {-INFINITY, INFINITY};
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++) {
            double run = time[j] - time[i], most = reading[j].high - reading[i].low;
            double least = reading[j].low - reading[i].high;
            if (run == 0 && most < 0)
                return false;
            if (run <= 0)
                continue;
            slope.low = fmax(slope.low, least / run);
            slope.high = fmin(slope.high, most / run);
            double soonest = time[j] + (cap - reading[j].high) * run / most;
            when.low = most > 0 ? fmax(when.low, soonest) : INFINITY;
            if (least > 0)
                when.high = fmin(when.high, time[j] + (cap - reading[j].low) * run / least);
        }
    if (slope.low > slope.high)
        return false;
    *ret_when = when;
    return true;
}

struct ja_range ja_proof_reach_by(double time, struct ja_range reading, struct ja_range slope,
                                  double cap)
{
    return (struct ja_range){
        slope.high > 0 ? time + (cap - reading.high) / slope.high : INFINITY,
        slope.low > 0 ? time + (cap - reading.low) / slope.low : INFINITY,
    };
}

/* XNU: "free" holds the speculative pages already, "file backed" and "anonymous" are the pageable
 * ones, "uncompressed" is the size before compression, and a row counts compressed pages whole. */
struct ja_page_proof ja_proof_pages(const struct ja_pages *pages)
{
    double throttled = pages->wired_is_whole ? 0 : pages->throttled;
    double queues = pages->active + pages->inactive + pages->speculative;
    double stuck = pages->wired + pages->compressor;
    double held = pages->anonymous + pages->compressor;
    struct ja_page_proof proof = {
        .total = pages->free + pages->active + pages->inactive + stuck + throttled,
        .queues_less_kinds = queues - (pages->file_backed + pages->anonymous),
        .in_use = {fmax(0, pages->anonymous - pages->purgeable) + stuck + throttled,
                   queues + stuck + throttled},
        .owned = {fmax(0, held - pages->purgeable), held + pages->wired},
        .ceiling = pages->anonymous + pages->uncompressed + pages->wired,
        .hidden = fmax(0, pages->uncompressed - pages->compressor),
    };
    proof.counted_twice = fmax(0, pages->books - proof.ceiling);
    return proof;
}
