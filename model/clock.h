/* SPDX-License-Identifier: MIT
 *
 * Makes instants of stamps: what a clock reading leaves out (zone, date, year, boot) is taken from
 * the other stamps and facts of the same file, then from the operator, never from thin air.
 */
#ifndef JA_MODEL_CLOCK_H
#define JA_MODEL_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "model/evidence.h"
#include "model/statements.h"

struct ja_clock_context {
    bool has_zone;          /* --tz */
    int zone_offset_s;      /* east of UTC */
    int64_t boot_unix_ns;   /* of the boot that since-boot stamps count from; JA_UNKNOWN */
    int64_t stated_unix_ns; /* first reading's time as the operator states it; JA_UNKNOWN. Tells the
                               date of stamps that have none in their file */
    int64_t mtime_ns;       /* the file's; JA_UNKNOWN. Tells the year of yearless stamps, no more */
};

/* Fills ret_instants[i] for every stamp i of the evidence. A stamp that cannot be placed (no date,
 * no year, no boot, a year outside 2000..2100) gets no time, with a diagnostic. Digits are cut by
 * the clocks that print them: early = the time, late = the time + one step.
 * True when a stamp in use names no zone and nothing settles it: then UTC is assumed (order and
 * differences hold) and a diagnostic says so. */
bool ja_clock_resolve(struct ja_evidence *evidence, const struct ja_clock_context *context,
                      struct ja_instant *ret_instants);

/* The operator's own time: needs a date; without a zone that of the statements, else UTC. */
bool ja_clock_stated(const struct ja_stamp *stamp, const struct ja_statements *statements,
                     struct ja_instant *ret);

#endif
