/* SPDX-License-Identifier: MIT
 *
 * The parts that the stamp grammar is made of. Internal to stamp*.c and pieces.c. All scanners
 * leave the cursor and the stamp untouched on failure.
 */
#ifndef JA_PARSERS_STAMP_PARTS_H
#define JA_PARSERS_STAMP_PARTS_H

#include "parsers/scan.h"
#include "parsers/stamp.h"

/* Digits at the cursor (a run of exactly count, not followed by one more): their value, or -1. */
int ja_stamp_digits(const struct ja_scan *scan, size_t at, size_t count);
size_t ja_stamp_run(const struct ja_scan *scan, size_t at); /* length of the run of digits */

/* "10:04", "10:04:59", "10:04:59.123", "10:04:59,123", "3:05:07 PM"; with CJK words "19时06分04秒",
 * "下午3:05:07". Sets the TIME part and the step. */
bool ja_stamp_time(struct ja_scan *scan, struct ja_stamp *stamp);

/* "Z", "+0200", "+02:00", "UTC", "UTC+8", "(UTC+0100)", "JST", "CST" behind a time. Sets ZONE, or
 * stamp->zone to the ambiguous abbreviation (pointing into the text). spread: also "+08" and " -03"
 * as glibc prints them. */
bool ja_stamp_zone(struct ja_scan *scan, bool spread, struct ja_stamp *stamp);

/* "2026-09-15", "2026/9/15", "20260915", "15.9.2026", "11/30/2026" (where only one reading is
 * possible, or followed_by_ampm), "30/Nov/2026", "2026年9月15日". */
bool ja_stamp_date(struct ja_scan *scan, struct ja_stamp *stamp);

/* Epoch seconds (10 digits, fraction allowed), ms (13), us (16), ns (19) of 2001..2100. */
bool ja_stamp_epoch(struct ja_scan *scan, struct ja_stamp *stamp);

/* date(1) and syslog with words: "Sun Sep  6 04:59:54 UTC 2026", "dim. 19 avril 2020, 10:00:00". */
bool ja_stamp_worded(struct ja_scan *scan, struct ja_stamp *stamp);

/* Any form that begins at the cursor. */
bool ja_stamp_any(struct ja_scan *scan, struct ja_stamp *stamp);

/* Checks the fields, joins date, time and zone. False when a field is out of range. */
bool ja_stamp_join(struct ja_stamp *stamp);

/* As ja_stamp_line, and what else a banner says ("=== NAME 2026-... ===" gives NAME). */
bool ja_stamp_banner(const char *line, size_t length, struct ja_arena *arena, struct ja_stamp *ret,
                     const char **ret_label, size_t *ret_label_length);

/* The inside of "=== text ===", "==> text <==", "---- text": false when the line is none. */
bool ja_banner_inside(const char **text, size_t *length);

#endif
