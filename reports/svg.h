/* SPDX-License-Identifier: MIT
 *
 * Private to the picture: what is shown, chosen before anything is drawn.
 */
#ifndef JA_REPORTS_SVG_H
#define JA_REPORTS_SVG_H

#include "reports/report.h"

#define JA_PICTURE_SERIES 6
#define JA_PICTURE_LIMITS 4
#define JA_PICTURE_GAPS 32

struct ja_picture_gap {
    int64_t from_ns, to_ns;
};

struct ja_picture_limit {
    const char *name;
    int64_t bytes;
    bool is_ram;
};

struct ja_picture {
    const struct ja_case *item;
    uint32_t host;          /* the host of the weightiest finding */
    int64_t from_ns, to_ns; /* time axis */
    double top_bytes;       /* value axis: 0 .. top */
    const struct ja_series *series[JA_PICTURE_SERIES];
    size_t series_count;
    struct ja_picture_limit limits[JA_PICTURE_LIMITS];
    size_t limit_count;
    struct ja_picture_gap gaps[JA_PICTURE_GAPS];
    size_t gap_count;
};

/* Chooses; false when there is no dated reading to show. */
bool ja_picture_build(const struct ja_case *item, struct ja_arena *arena, struct ja_picture *ret);

double ja_picture_x(const struct ja_picture *picture, int64_t unix_ns);
double ja_picture_y(const struct ja_picture *picture, double bytes);

#endif
