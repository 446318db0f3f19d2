/* SPDX-License-Identifier: MIT
 *
 * Moments: the best time, how far off either way, and who says so.
 * A stamp is a clock reading as found; only model/clock.c makes instants of stamps, when zone,
 * date and boot are known. "May overlap" is not an order: sort by (unix_ns, path, place).
 */
#ifndef JA_MODEL_INSTANT_H
#define JA_MODEL_INSTANT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/quantity.h"

#define JA_NS_PER_US INT64_C(1000)
#define JA_NS_PER_MS INT64_C(1000000)
#define JA_NS_PER_S INT64_C(1000000000)
#define JA_NS_PER_HOUR (3600 * JA_NS_PER_S)

enum ja_clock {
    JA_CLOCK_NONE,      /* nobody says when */
    JA_CLOCK_REPORT,    /* the report itself */
    JA_CLOCK_STAMP,     /* a stamp line in the same file */
    JA_CLOCK_MANIFEST,  /* the operator: MANIFEST.tsv or case file */
    JA_CLOCK_FILE_NAME, /* a stamp in the file's or folder's name */
    JA_CLOCK_MTIME,     /* the file's mtime: an upper bound only */
    JA_CLOCK_DERIVED,   /* computed: uptime + btime, stamp + k x interval */
};

/* Times are kept to the microsecond, so that RFC 3339 text with six digits reads back exactly. */
struct ja_instant {
    int64_t unix_ns;  /* best time; JA_UNKNOWN when only a bound is known */
    int64_t early_ns; /* not before; JA_UNKNOWN when not bounded */
    int64_t late_ns;  /* not after; JA_UNKNOWN when not bounded */
    enum ja_clock clock;
    const char *text; /* as found; NULL when computed */
};

/* Which parts of a clock reading were found. */
enum {
    JA_STAMP_DATE = 1,       /* year, month, day */
    JA_STAMP_TIME = 2,       /* hour .. nanosecond */
    JA_STAMP_ZONE = 4,       /* offset_s */
    JA_STAMP_UNIX = 8,       /* unix_ns: epoch seconds, or date + time + zone already joined */
    JA_STAMP_BOOT = 16,      /* since_boot_ns */
    JA_STAMP_YEARLESS = 32,  /* month and day only (syslog): the year comes from context */
    JA_STAMP_NOT_AFTER = 64, /* an upper bound only: the event was known by then */
};

struct ja_stamp {
    enum ja_clock clock;
    unsigned parts;              /* JA_STAMP_... */
    int year, month, day;        /* 2026, 1..12, 1..31 */
    int hour, minute, second;    /* second 0..60 */
    int offset_s;                /* east of UTC */
    int64_t nanosecond;          /* fraction of the second */
    int64_t unix_ns;             /* with JA_STAMP_UNIX */
    int64_t since_boot_ns;       /* with JA_STAMP_BOOT: since an unknown or known boot, no sleep */
    int64_t shift_ns;            /* added afterwards: kill delay, k x interval */
    int64_t step_ns;             /* weight of the last printed digit */
    int64_t error_ns;            /* uncertainty either way beyond the digit (operator's within_s) */
    int64_t before_ns, after_ns; /* bounds that differ by side (NDJSON early, late); else 0 */
    uint32_t date_from;          /* 1 + index of the stamp whose date a bare time takes (the line
                                    above its piece); 0: the stamp before it */
    const char *zone;            /* abbreviation as printed ("CST"), when no offset was; or NULL */
    const char *text;            /* as found */
};

/* Days since 1970-01-01 of a proleptic Gregorian date. */
int64_t ja_days_from_civil(int year, int month, int day);

/* Unix seconds of a UTC date and time; false when a field is out of range or the year is outside
 * 1970..2199. Second 60 is taken as the first of the next minute. */
bool ja_civil_to_unix(int year, int month, int day, int hour, int minute, int second,
                      int64_t *ret_unix_s);

struct ja_civil {
    int year, month, day, hour, minute, second;
    int weekday; /* 0 = Sunday */
    int64_t nanosecond;
};

struct ja_civil ja_unix_to_civil(int64_t unix_ns);

/* Room for the longest text of ja_instant_print. */
#define JA_INSTANT_TEXT 40

/* RFC 3339 UTC with six fraction digits: 2026-10-13T07:12:00.120000Z. Returns text. */
char *ja_instant_print(int64_t unix_ns, char text[JA_INSTANT_TEXT]);

/* Reads RFC 3339 (offset or Z required, up to nine fraction digits); false when it is not one or
 * lies outside 1970..2199. Result cut to the microsecond. */
bool ja_instant_read(const char *text, size_t length, int64_t *ret_unix_ns);

/* An exact instant at unix_ns. */
struct ja_instant ja_instant_at(int64_t unix_ns, enum ja_clock clock);

/* No time at all. */
extern const struct ja_instant ja_instant_unknown;
struct ja_instant ja_instant_none(void);

static inline bool ja_instant_known(const struct ja_instant *instant) /* unix_ns is known */
{
    return instant->unix_ns != JA_UNKNOWN;
}

/* A known instant, shift_ns later; within_ns, when it is known, replaces its bounds. */
struct ja_instant ja_instant_shifted(struct ja_instant at, int64_t shift_ns, int64_t within_ns);

/* The moment to sort by: unix_ns, else late_ns, else early_ns; JA_UNKNOWN. */
static inline int64_t ja_instant_key(const struct ja_instant *instant)
{
    if (instant->unix_ns != JA_UNKNOWN)
        return instant->unix_ns;
    return instant->late_ns != JA_UNKNOWN ? instant->late_ns : instant->early_ns;
}

/* Order of two instants for sorting: best time, else the bound that is known; undated last. */
static inline int ja_instant_order(const struct ja_instant *a, const struct ja_instant *b)
{
    int64_t x = ja_instant_key(a), y = ja_instant_key(b);
    if (x == y)
        return 0;
    if (x == JA_UNKNOWN || y == JA_UNKNOWN)
        return x == JA_UNKNOWN ? 1 : -1;
    return x < y ? -1 : 1;
}

#endif
