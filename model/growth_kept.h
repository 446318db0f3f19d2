/* SPDX-License-Identifier: MIT
 *
 * How a case keeps the growth of its series, hundreds of thousands of them: most figures of most
 * are not known, or follow from others, and take no room.
 */
#ifndef JA_MODEL_GROWTH_KEPT_H
#define JA_MODEL_GROWTH_KEPT_H

#include "model/growth.h"

/* The words of a judgement as they are in struct ja_growth, for whoever looks through all series;
 * ja_growth_told tells its figures, too. */
struct ja_growth_kept {
    uint8_t verdict : 2;      /* enum ja_verdict */
    uint8_t work_verdict : 2; /* enum ja_verdict */
    uint8_t shape : 4;        /* enum ja_shape */
    uint8_t reason : 5;       /* enum ja_growth_reason */
    bool declines : 1;
    bool warm_up : 1;
    bool line_fits : 1;
    bool slower_than_concern : 1;
    bool plateau : 1;
    bool doubling : 1;
    bool forecast : 1;
    bool work_known : 1;
    bool gained : 1; /* net_low_bytes is above 0: the last reading lies above the first for sure */
    unsigned char figures[]; /* which are kept, how many bytes of each, those bytes */
};

#define JA_GROWTH_KEPT_MOST (sizeof(struct ja_growth) + sizeof(struct ja_growth) / 8)

/* Keeps a judgement in room for JA_GROWTH_KEPT_MOST bytes. Returns how many it takes. */
size_t ja_growth_keep(const struct ja_growth *growth, struct ja_growth_kept *ret);

/* The judgement that was kept. */
struct ja_growth ja_growth_told(const struct ja_growth_kept *kept);

#endif
