/* SPDX-License-Identifier: MIT
 *
 * The parts of growth.c, private to model/growth*.c and their test. Everything is plain double
 * arithmetic in any unit of time and memory: growth.c uses seconds and bytes. Memory comes from
 * the scratch arena of struct ja_bench and is never freed here.
 */
#ifndef JA_MODEL_GROWTH_PARTS_H
#define JA_MODEL_GROWTH_PARTS_H

#include "model/growth.h"

/* Readings as boxes: [early, late] x [low, high], in time order. */
struct ja_track {
    size_t count;
    double *early, *late, *low, *high;
    double *time, *middle, *half; /* midpoints of both, and half the height */
};

struct ja_span {
    bool exists;
    double low, high;
};

/* Least squares through a track. */
struct ja_line {
    bool exists;
    double slope;
    double squares, rounding; /* of the residuals, of the half heights */
    double variance;          /* of one effective reading */
};

struct ja_fit {
    double slope, error; /* and its standard error */
    size_t freedom;
};

/* How many independent readings a track is worth; 0: not asked yet. */
struct ja_effective {
    size_t trend, wander; /* wander: a slow wander counts against them as well */
};

/* The slopes of all pairs of a track, and what was made of them and is asked for again. */
struct ja_pairs {
    struct ja_track of;
    struct ja_line line;
    size_t count;   /* pairs with distinct times */
    double central; /* median of the slopes, weighted with the time between the readings */
    size_t capacity;
    double *slope, *weight;     /* of the pairs near the centre */
    struct ja_span strip, wide; /* lines through every box; with room for hidden noise */
    struct ja_effective effective;
    size_t end_capacity;
    double *ends, *lower, *upper; /* smallest and largest slope of each pair; NULL: not yet made */
};

/* Scratch memory of one judgement, and the pairs of two tracks: of the longest and of the last. */
struct ja_bench {
    struct ja_arena *arena;
    struct ja_pairs pairs[2];
    struct ja_track ranked; /* a track of which every two readings make a pair, */
    double rank;            /* and its rank, which does not depend on the times then */
    double *room;           /* of whoever asked last */
    size_t room_capacity;
};

struct ja_slope {
    bool exists;
    double best, low, high;
    size_t effective;    /* m */
    struct ja_span line; /* the strip */
};

struct ja_rise {
    size_t first, last; /* readings */
    double low, high;   /* its size */
};

struct ja_moves {
    double noise; /* noise unit */
    struct ja_rise *rises;
    size_t rise_count, fall_count;
    size_t last; /* last reading of the last rise; 0 without one */
};

enum ja_form {
    JA_FORM_UNKNOWN,
    JA_FORM_FLAT,
    JA_FORM_LINEAR,
    JA_FORM_DECLINE,
    JA_FORM_PLATEAU,
    JA_FORM_STEP,
    JA_FORM_STAIRCASE,
    JA_FORM_DOUBLING,
    JA_FORM_SAWTOOTH,
    JA_FORM_BURST,
    JA_FORM_COUNT
};

struct ja_outline {
    enum ja_form form, best;    /* best: the leader when two models tie and form is unknown */
    size_t steps;               /* of a staircase or doubling */
    double next_low, next_high; /* the next step of a doubling */
    double knee;                /* time where a plateau begins; NaN */
};

/* fmax and fmin of numbers, not NaN: one instruction each. */
static inline double ja_larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double ja_smaller(double a, double b)
{
    return a < b ? a : b;
}

/* One-sided levels of an interval. */
#define JA_LEVEL_REPORT 0.025
#define JA_LEVEL_LATE 0.05
#define JA_LEVEL_WINDOW 0.01
#define JA_LEVEL_FEW 0.02

#define JA_TIME_CONSTANTS 14 /* from a 20th of a window to 1/2.5 of it */

#define JA_MEDIAN_KEEPS 16

/* growth_select.c: order statistics by selection; they reorder their arrays. */
double ja_select(double *values, size_t count, size_t k);
double ja_median(double *values, size_t count); /* up to JA_MEDIAN_KEEPS stay as they are */
/* Where half the weight is reached; the mean of both neighbours when it is met exactly. */
double ja_weighted_median(double *values, double *weights, size_t count);
/* The same for the values of a span, of this whole weight, beside others of the weight below; half:
 * of the weight of all. NaN when the median is not surely among these. */
double ja_weighted_within(double *values, double *weights, size_t count, double half, double below,
                          double whole);
/* As ja_select, quick when the result lies in a span that holds few values, or near it. The array
 * stays as it is; room: for one more than count values. */
double ja_select_near(const double *values, size_t count, size_t k, struct ja_span near,
                      double *room);

/* growth_stats.c: distributions */
double ja_kendall_tail(size_t m, double rank);
double ja_kendall_critical(size_t m, double alpha); /* tau; NaN when no tail is that small */
const double *ja_time_constants(void);         /* JA_TIME_CONSTANTS parts of a window, growing */
const double *ja_kendall_cumulative(size_t m); /* m <= 60: m(m-1)/2+1 values, else NULL */
double ja_student_tail(double t, size_t freedom);
double ja_student_quantile(size_t freedom, double alpha);

/* growth_strip.c: lines through every box */
struct ja_span ja_strip(const struct ja_track *track);
struct ja_span ja_strip_projected(const struct ja_track *track); /* O(n^2), for comparison */
double ja_strip_inflation(const struct ja_track *track);

/* growth_slope.c */
struct ja_track ja_track_new(struct ja_arena *arena, size_t count);
void ja_track_finish(struct ja_track *track); /* fills the derived arrays */
struct ja_track ja_track_part(const struct ja_track *track, size_t from, size_t to);
struct ja_track ja_track_pick(struct ja_arena *arena, const struct ja_track *track,
                              const size_t *index, size_t count);
struct ja_line ja_line_of(const struct ja_track *track);
/* With so many effective readings. */
struct ja_fit ja_line_fit(const struct ja_line *line, size_t effective);
double ja_fit_tail(struct ja_fit fit);
struct ja_effective ja_slope_effective(struct ja_bench *bench, const struct ja_track *track,
                                       double slope);
struct ja_slope ja_slope_interval(struct ja_bench *bench, const struct ja_track *track,
                                  double level, bool wander);
/* The same without low and high (NaN), which cost the most: for whoever asks for neither. */
struct ja_slope ja_slope_central(struct ja_bench *bench, const struct ja_track *track, bool wander);

double ja_slope_growth(const struct ja_slope *slope); /* the largest that it leaves open */
/* The same at a level, with wander, or least when that is more: often found without the interval.
 */
double ja_slope_bound(struct ja_bench *bench, const struct ja_track *track, double level,
                      double least);

/* growth_centre.c: counts the pairs, and finds their central slope */
void ja_pairs_centre(struct ja_pairs *pairs);

/* growth_pairs.c */
struct ja_bench *ja_bench_new(struct ja_arena *arena);
double *ja_bench_room(struct ja_bench *bench, size_t count); /* until somebody else asks */
struct ja_pairs *ja_pairs_of(struct ja_bench *bench, const struct ja_track *track);
double ja_pairs_rank(const struct ja_track *track); /* Kendall's S; overlapping ones are ties */
double ja_bench_rank(struct ja_bench *bench, const struct ja_pairs *pairs); /* the same, kept */
bool ja_pairs_exceed(const struct ja_track *track, double most); /* can central be above this? */
/* The k-th of lower from below, of upper from above: about reach from central. */
double ja_pairs_low(struct ja_bench *bench, struct ja_pairs *pairs, size_t k, double reach);
double ja_pairs_high(struct ja_bench *bench, struct ja_pairs *pairs, size_t k, double reach);
bool ja_pairs_high_exceeds(struct ja_bench *bench, struct ja_pairs *pairs, size_t k, double most);
double ja_pairs_steepest(struct ja_bench *bench, struct ja_pairs *pairs); /* largest of upper */

/* growth_moves.c */
double ja_moves_noise(struct ja_bench *bench, const struct ja_track *track);
struct ja_moves ja_moves_of(struct ja_bench *bench, const struct ja_track *track);
size_t *ja_moves_kept(struct ja_bench *bench, const struct ja_track *track, double noise,
                      size_t *ret_count);
bool ja_moves_shrink(const struct ja_moves *moves);
bool ja_moves_double(struct ja_bench *bench, const struct ja_track *track,
                     const struct ja_moves *moves, struct ja_outline *ret);

/* growth_shape.c and growth_models.c */
/* moves: those of the track */
struct ja_outline ja_shape_of(struct ja_bench *bench, const struct ja_track *track,
                              const struct ja_moves *moves);
double ja_model_line(const double *x, const double *y, size_t count, double *ret_slope);
double ja_model_level(const double *y, size_t count);
double ja_model_hinge(struct ja_bench *bench, const double *x, const double *y, size_t count,
                      double *ret_knee);
double ja_model_exponential(struct ja_bench *bench, const double *x, const double *y, size_t count,
                            double *ret_knee);
double ja_model_rising(struct ja_bench *bench, const double *y, size_t count);
double ja_model_information(double squares, size_t count, size_t parameters, double floor);
double ja_model_parts(struct ja_bench *bench, const double *y, size_t count, double floor,
                      size_t *ret_parts);

/* growth_evidence.c: does it grow? The route, or NULL and the reason. moves and outline are those
 * of the track; NULL: not known, they are found when they are needed. */
const char *ja_evidence_of(struct ja_bench *bench, const struct ja_track *track,
                           const struct ja_moves *moves, const struct ja_outline *outline,
                           enum ja_growth_reason *ret_reason);
/* growth_lives.c */
const char *ja_evidence_lives(struct ja_bench *bench, const struct ja_track *lives, size_t count,
                              enum ja_growth_reason *ret_reason);
const char *ja_evidence_one_life(struct ja_bench *bench, const struct ja_track *lives, size_t count,
                                 enum ja_growth_reason *ret_reason);

/* growth_bound.c: is growth above the concern excluded? */
struct ja_denial {
    const struct ja_track *track;
    const double *work_early, *work_late; /* the counter at each reading, or NULL */
    double life_rate;                     /* work per time since the start */
    double concern;
    bool grows; /* proved by ja_evidence_of */
    bool assume_active;
};
const char *ja_bound_denial(struct ja_bench *bench, const struct ja_denial *question,
                            const struct ja_outline *outline, const struct ja_moves *moves,
                            enum ja_growth_reason *ret_reason, double *ret_bound);
/* Readings of equal work become one: medians, or the hull. Without any: the same boxes and these
 * times, none of them copied. */
struct ja_track ja_work_merge(struct ja_bench *bench, const struct ja_track *track, double *early,
                              double *late, bool hull);

/* growth_input.c: a life in seconds since its first reading, and bytes */
struct ja_trial {
    struct ja_bench *bench;
    const struct ja_growth_life *life;
    struct ja_track track;          /* thinned above 1000 readings */
    double *work_early, *work_late; /* the counter at each reading; NULL: not known */
    double work_low, work_high;     /* done in the window, at least and at most (or INFINITY) */
    double life_rate;               /* work per second since the start */
    double concern;                 /* bytes per second; NaN */
    struct ja_outline outline;
    struct ja_moves moves;
    struct ja_slope slope;
};
/* What a trial begins with: slope, moves and outline are for the caller to fill. before: the life
 * before this one, or NULL */
void ja_trial_new(struct ja_bench *bench, const struct ja_growth_life *life,
                  const struct ja_growth_life *before, struct ja_trial *ret);
struct ja_track ja_track_of_life(struct ja_arena *arena, const struct ja_growth_life *life);
/* The same in time order and thinned: what a trial judges. */
struct ja_track ja_track_judged(struct ja_arena *arena, const struct ja_growth_life *life);

/* growth_report.c: figures for people; none of them decides */
void ja_growth_unknown(struct ja_growth *ret);
void ja_growth_describe_points(const struct ja_growth_life *life, bool dated,
                               struct ja_growth *ret);
void ja_growth_describe(const struct ja_trial *trial, struct ja_growth *ret);
void ja_growth_describe_verdict(const struct ja_trial *trial, int64_t limit_bytes,
                                struct ja_growth *ret);

#endif
