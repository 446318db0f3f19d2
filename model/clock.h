/* SPDX-License-Identifier: MIT */
#ifndef JA_MODEL_CLOCK_H
#define JA_MODEL_CLOCK_H
#include "model/evidence.h"
#include "model/statements.h"
struct ja_clock_context {
    bool has_zone;
    int zone_offset_s;
    int64_t boot_unix_ns;
    int64_t mtime_ns;
};
bool ja_clock_resolve(struct ja_evidence *evidence, const struct ja_clock_context *context,
                      struct ja_instant *ret_instants);
bool ja_clock_stated(const struct ja_stamp *stamp, const struct ja_statements *statements,
                     struct ja_instant *ret);
#endif
