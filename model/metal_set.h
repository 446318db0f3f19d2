/* SPDX-License-Identifier: MIT
 *
 * Recommended working set of Metal on one host: what formulas of caps call rec.
 */
#ifndef JA_MODEL_METAL_SET_H
#define JA_MODEL_METAL_SET_H

#include "model/case.h"

#define JA_METAL_SETS 2

struct ja_metal_set {
    double bytes[JA_METAL_SETS];
    const char *why[JA_METAL_SETS];
    size_t count;
    bool recorded; /* the evidence prints it: there is one */
};

/* One per host, in the case's arena: as the evidence prints it, else what a stock machine of its
 * RAM and macOS has, of which two are possible when the version is not said. */
struct ja_metal_set *ja_metal_sets(const struct ja_case *item);

#endif
