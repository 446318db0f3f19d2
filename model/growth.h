/* SPDX-License-Identifier: MIT
 *
 * What rounded, irregular readings of one process and one metric prove about its growth.
 * A pure function of its input: no case, no files, no clock. docs/METHOD.md explains it.
 */
#ifndef JA_MODEL_GROWTH_H
#define JA_MODEL_GROWTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/arena.h"

/* One reading as an interval in value and in time. early == late when the time is exact. */
struct ja_growth_point {
    int64_t low_bytes, high_bytes; /* the truth lies in this closed interval */
    int64_t early_ns, late_ns;     /* unix time, ns */
    int64_t resolution_bytes;      /* weight of the printed digit */
};

/* A cumulative work counter (requests, CPU seconds) of one life, sampled at its own moments. */
struct ja_growth_work {
    int64_t early_ns, late_ns;
    double total;
};

/* One incarnation of a process: its readings in time order. */
struct ja_growth_life {
    const struct ja_growth_point *points;
    size_t point_count;
    const struct ja_growth_work *work; /* in time order; NULL when no counter is known */
    size_t work_count;
    int64_t started_ns; /* unix time of the start (latest possible); JA_UNKNOWN when not known */
};

struct ja_growth_input {
    const struct ja_growth_life *lives; /* oldest first; the last one is judged */
    size_t life_count;
    double concern_bytes_per_hour; /* X: the slope that matters; NaN when there is none */
    int64_t limit_bytes; /* for the forecast: cap or RAM above the present level; JA_UNKNOWN */
    bool assume_active;  /* --assume-active: judge not_growing without a work counter */
    bool dated;          /* false: readings have an order but no times */
    bool fixed_between;  /* the operator states a fix between the last two lives */
};

enum ja_verdict { JA_CANNOT_TELL, JA_GROWING, JA_NOT_GROWING };

enum ja_growth_reason {
    JA_REASON_NONE,
    JA_REASON_UNDATED,
    JA_REASON_ONE_READING,
    JA_REASON_TWO_READINGS,
    JA_REASON_FEW_READINGS,
    JA_REASON_NO_WORK,
    JA_REASON_LITTLE_WORK,
    JA_REASON_WORK_UNKNOWN,
    JA_REASON_NO_CONCERN, /* no X, so growth above it cannot be excluded */
    JA_REASON_NOT_SIGNIFICANT,
    JA_REASON_ONE_STEP,
    JA_REASON_STOPPED,
    JA_REASON_WANDER,
    JA_REASON_FALLS,
    JA_REASON_SHAPE,
    JA_REASON_LATE_RISE,
    JA_REASON_STEPS_GROW,
    JA_REASON_BOUND_ABOVE_X,
};

enum ja_shape {
    JA_SHAPE_UNKNOWN,
    JA_SHAPE_FLAT,
    JA_SHAPE_LINEAR,
    JA_SHAPE_PLATEAU,
    JA_SHAPE_STEP,
    JA_SHAPE_STAIRCASE,
    JA_SHAPE_DOUBLING,
    JA_SHAPE_SAWTOOTH,
    JA_SHAPE_BURST,
};

/* Doubles are NaN where nothing is known; int64_t values JA_UNKNOWN. Slopes are per wall hour. */
struct ja_growth {
    enum ja_verdict verdict;
    enum ja_growth_reason reason; /* why it cannot tell; NONE otherwise */
    enum ja_shape shape;
    enum ja_verdict work_verdict; /* growing per unit of work */
    bool declines;                /* net fall, shape word unknown */
    bool warm_up;                 /* rises that shrink towards a level after the start */
    bool line_fits;               /* a straight line passes through every interval */
    bool slower_than_concern;     /* verdict not_growing, but growth below X is proved */
    bool plateau;                 /* holds a level at the end after a rise (interfaces.md 9c) */
    bool doubling;                /* the separate rises double, nothing given back */
    bool forecast;                /* only for growing, linear or staircase, with a limit */
    bool work_known;
    const char *route; /* "trend", "line", "steps", "work:trend", "life:line", "all",
                          "after rise", ...: which evidence decided; a literal */
    size_t points;
    double window_s;          /* best time of the last reading minus that of the first */
    int64_t resolution_bytes; /* the coarsest step among the readings */
    int64_t net_low_bytes, net_high_bytes; /* last minus first, against every rounding */
    double best_bytes_per_hour, low_bytes_per_hour, high_bytes_per_hour; /* 95 % interval */
    double line_low_bytes_per_hour, line_high_bytes_per_hour; /* the strip; NaN without a line */
    double off_line_bytes;            /* widening that admits a line; 0 when one fits */
    double detectable_bytes_per_hour; /* max(|line|), else resolution / window */
    double concern_bytes_per_hour;    /* X as judged */
    double minimum_window_s;          /* resolution / X; NaN without X */
    double bound_bytes_per_hour; /* Ufinal: growth above it is excluded (verdict not_growing) */
    double needed_window_s;      /* T * Ufinal / X: how long to watch to settle it */
    size_t effective_points;     /* m */

    int64_t plateau_low_bytes, plateau_high_bytes;
    size_t plateau_first; /* index of the first reading of the level */

    size_t step_count;       /* separate rises */
    int64_t last_step_bytes; /* size of the last separate rise, best */
    int64_t next_step_bytes; /* 2 x last step when doubling */
    double silent_s;         /* time since the last separate rise */
    double silence_expected; /* probability that steps so far would be silent that long */
    int64_t max_step_bytes;  /* largest rise between neighbours, best; JA_UNKNOWN: none */
    double max_step_s;
    size_t max_step_at;                        /* index of its later reading */
    int64_t floor_low_bytes, floor_high_bytes; /* rise of the floor of a sawtooth, as an interval */

    int64_t forecast_early_ns, forecast_late_ns; /* JA_UNKNOWN late: may never */

    double work;                                    /* W: units done in the window; NaN */
    double work_low, work_high;                     /* bounds of it when sampled at other moments */
    double per_work_low_bytes, per_work_high_bytes; /* (low_last-high_first)/work .. */
    double work_slope_bytes, work_slope_low_bytes,
        work_slope_high_bytes; /* fitted on the work axis */
};

/* Judges the newest life of the input, with the older ones as method.md section 5.5 says.
 * Scratch memory comes from arena and may be reset by the caller afterwards. */
void ja_growth_judge(const struct ja_growth_input *input, struct ja_arena *scratch,
                     struct ja_growth *ret);

/* The same for a service: all lives of one name together (method.md 5.5, both routes). The
 * figures (points, net, slopes) are those of the newest life with 3 or more readings, the
 * verdict that of the service. */
void ja_growth_judge_service(const struct ja_growth_input *input, struct ja_arena *scratch,
                             struct ja_growth *ret);

#endif
