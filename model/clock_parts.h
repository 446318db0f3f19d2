/* SPDX-License-Identifier: MIT
 *
 * What the clock files share. Internal to clock*.c.
 */
#ifndef JA_MODEL_CLOCK_PARTS_H
#define JA_MODEL_CLOCK_PARTS_H

#include "model/clock.h"

#define JA_CLOCK_DAY_NS (86400 * JA_NS_PER_S)

struct ja_clock_work {
    struct ja_evidence *evidence;
    const struct ja_clock_context *context;
    const unsigned char *uses; /* the evidence's stamp_uses */
    int64_t *sooner_ns;        /* by how much the time may be earlier than local_ns says */
    int64_t *local_ns;         /* wall clock as if UTC; JA_UNKNOWN: not placed */
    int *offset_s;
    bool *assumed; /* zone assumed UTC */
    uint32_t name; /* index of the name's stamp; JA_NONE */
};

/* Fills offset_s and assumed. */
void ja_clock_settle_zones(struct ja_clock_work *work);
/* Fills local_ns: own dates, then carried ones. Zones must be settled. */
void ja_clock_carry_dates(struct ja_clock_work *work);

/* Puts the hour back that a local clock without zone lost. Dates must be carried. */
void ja_clock_end_summer(struct ja_clock_work *work);

bool ja_clock_needs_date(const struct ja_stamp *stamp); /* a bare time, or month and day only */
int64_t ja_clock_of_day(const struct ja_stamp *stamp);  /* ns since midnight */
int64_t ja_clock_midnight(int year, int month, int day);

#endif
