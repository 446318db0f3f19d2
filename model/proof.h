/* SPDX-License-Identifier: MIT
 *
 * Closed forms: what a few numbers with their rounding prove, without any statistics. The one
 * division, the power of an acceptance test, before against after, caps, two sources of one
 * figure. Pure functions; docs/METHOD.md explains them. Units are the caller's where not named.
 */
#ifndef JA_MODEL_PROOF_H
#define JA_MODEL_PROOF_H

#include "model/growth.h"

struct ja_range {
    double low, high;
};

/* The one division: how long growth must be watched until the digits can show it. */
double ja_proof_window(double resolution, double slope);

/* The slope that matters when nobody named one: what is left below the limit, in seven days.
 * Bytes per hour; NaN when the limit is unknown or not above the level. */
double ja_proof_concern(int64_t limit_bytes, int64_t level_bytes);

/* Rule "final - middle < most" over a time (or an amount of work): a leak below .low surely
 * passes, one above .high is surely caught. width: largest error of each reading; noise: of one. */
struct ja_range ja_proof_power(double most, double apart, double width_middle, double width_final,
                               double noise);

/* All slopes that two readings leave open. */
struct ja_range ja_proof_slope(struct ja_range first, struct ja_range second, double apart);

enum ja_change { JA_CHANGE_UNKNOWN, JA_CHANGE_REDUCED, JA_CHANGE_INCREASED };

/* Slope before against slope after; *ret_change is the interval of the difference. */
enum ja_change ja_proof_effect(struct ja_range before, struct ja_range after,
                               struct ja_range *ret_change);

/* Would the test that left bound_after open have caught the old leak? */
bool ja_proof_catches(double bound_after, double slope_before);

/* Can both be the same quantity? drift = |slope| * distance in time. */
bool ja_proof_agree(struct ja_range a, struct ja_range b, double drift);

struct ja_cap_match {
    bool reached;
    double distance;       /* level - cap */
    struct ja_range share; /* of the cap */
};

/* baseline: smallest reading of the same process, or 512 MiB. half: half a reading step. */
struct ja_cap_match ja_proof_cap(double level, double half, double cap, double baseline);

/* Chance that a process with this many steps in a window shows none in its last part (0..1). */
double ja_proof_silence(size_t steps, double quiet);

/* When a line through every interval reaches the cap: earliest and latest (INFINITY: perhaps
 * never). False when no line exists. For up to a thousand readings: it looks at all pairs. */
bool ja_proof_reach(const double *time, const struct ja_range *reading, size_t count, double cap,
                    struct ja_range *ret_when);

/* The same from the last reading and an interval of slopes. */
struct ja_range ja_proof_reach_by(double time, struct ja_range reading, struct ja_range slope,
                                  double cap);

/* Jetsam's page counts. Every count 0 or more. */
struct ja_pages {
    double free, active, inactive, wired, speculative, throttled, compressor, file_backed,
        anonymous, purgeable, uncompressed;
    double books;        /* sum of the rows */
    bool wired_is_whole; /* macOS: throttled pages are already in wired */
};

struct ja_page_proof {
    double total;             /* all pages but what was taken before the kernel started */
    double queues_less_kinds; /* 0 in a consistent snapshot */
    struct ja_range in_use;   /* without the file cache, with it */
    struct ja_range owned;    /* what processes can own of physical memory */
    double ceiling;           /* books without counting a page twice stay below */
    double counted_twice;     /* at least */
    double hidden;            /* what the compressor saves */
};

struct ja_page_proof ja_proof_pages(const struct ja_pages *pages);

#endif
