/* SPDX-License-Identifier: MIT
 *
 * The acceptance test of a fix: "from the middle reading to the last, less than max_delta". It
 * always says which leak it could have missed. A pure function of its input.
 */
#ifndef JA_MODEL_ACCEPTANCE_H
#define JA_MODEL_ACCEPTANCE_H

#include "model/growth.h"

struct ja_acceptance_input {
    const struct ja_growth_life *after; /* one life, dated readings after the fix, with its work */
    int64_t max_delta_bytes;            /* JA_UNKNOWN: no rule stated, nothing can hold */
    double min_work;                    /* NaN: none asked for; some work is still needed */
    double old_low_bytes_per_hour;      /* the leak measured before: the least it can have been; */
    double old_low_bytes_per_work;      /* NaN: not measured */
};

enum ja_acceptance_result {
    JA_ACCEPTANCE_BLIND,     /* it proves nothing about a leak below the blind figures */
    JA_ACCEPTANCE_NOT_SHOWN, /* it grew: the difference is not below max_delta */
    JA_ACCEPTANCE_EFFECTIVE, /* the difference holds, and the old leak would have been caught */
};

/* Why it is blind, the first that applies. */
enum ja_acceptance_gap {
    JA_GAP_NONE,
    JA_GAP_READINGS, /* fewer than three spaced readings, or no rule */
    JA_GAP_NO_WORK,  /* counted, and there was none */
    JA_GAP_WORK_UNKNOWN,
    JA_GAP_LITTLE_WORK, /* less than min_work */
    JA_GAP_IDLE_SPAN,   /* the work ended before the middle reading: nothing was tested after it */
    JA_GAP_OLD_UNKNOWN, /* no leak was measured before */
    JA_GAP_TOO_SHORT,   /* the old leak would have passed as well */
};

/* NaN and JA_UNKNOWN where nothing is known. */
struct ja_acceptance {
    enum ja_acceptance_result result;
    enum ja_acceptance_gap gap;
    size_t first, middle, last; /* readings; middle is nearest to half the span */
    double span_s;              /* middle to last */
    double window_s;            /* first to last */
    int64_t delta_bytes;        /* last - middle, as displayed */
    int64_t delta_low_bytes, delta_high_bytes;
    bool surely_grew;            /* delta_low is not below max_delta */
    double work;                 /* first to last, at least */
    double span_work;            /* middle to last, at least */
    double span_work_most;       /* middle to last, at most; infinite: not bounded */
    double pass_bytes_per_hour;  /* a leak below surely passes */
    double blind_bytes_per_hour; /* only a leak above is surely caught */
    double blind_bytes_per_work;
    double open_low_bytes_per_hour, open_high_bytes_per_hour; /* what the two readings leave open */
    bool old_known, old_caught;
    double needed_span_s; /* middle to last, to catch the old leak; NaN */
    double needed_work;   /* the same in work; NaN */
};

void ja_acceptance_judge(const struct ja_acceptance_input *input, struct ja_acceptance *ret);

#endif
