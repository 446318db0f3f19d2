/* SPDX-License-Identifier: MIT
 *
 * One grammar for every clock reading met in saved evidence: report headers, date(1) in several
 * locales, ISO 8601, epoch seconds or milliseconds, banners, file and folder names. The result
 * says which parts were found; zone, date and year that are missing are settled by model/clock.c.
 */
#ifndef JA_PARSERS_STAMP_H
#define JA_PARSERS_STAMP_H

#include <stdbool.h>
#include <stddef.h>

#include "model/arena.h"
#include "model/instant.h"

/* The whole line is a stamp (perhaps in a banner: "=== 02:47:17 ===", "Time: 2026-...", "---- Sun
 * Sep  6 04:59:54 UTC 2026"). text of the stamp = the line, trimmed, copied into arena. */
bool ja_stamp_line(const char *line, size_t length, struct ja_arena *arena, struct ja_stamp *ret);

/* The line begins with a stamp followed by other text: *ret_used = bytes of it ("2026-11-30T10:00:
 * 05Z VmRSS: 1 kB", "[Di Aug 12 10:00:00 2025] ", "Nov 30 10:00:00 host kernel:"). */
bool ja_stamp_prefix(const char *line, size_t length, struct ja_arena *arena, struct ja_stamp *ret,
                     size_t *ret_used);

/* The text is a stamp and nothing else ("2026-05-04 12:07:44.19 +0200"). */
bool ja_stamp_exact(const char *text, size_t length, struct ja_arena *arena, struct ja_stamp *ret);

/* A stamp inside a file's or folder's name ("20261130T093010Z", "01-footprint-2026-09-15_152629",
 * "footprint_1694770000"). clock = JA_CLOCK_FILE_NAME. */
bool ja_stamp_in_name(const char *name, size_t length, struct ja_arena *arena,
                      struct ja_stamp *ret);

/* Two components of a path, "day/clock": "2026-11-30/09:30:10", "snap-20261130/093010". */
bool ja_stamp_in_folders(const char *path, size_t length, struct ja_arena *arena,
                         struct ja_stamp *ret);

/* Full numeric offsets and unique zone abbreviations (JST, CET, PDT, UTC ...). CST, IST, BST and
 * the like are refused: they need an offset from elsewhere. */
bool ja_zone_offset(const char *zone, size_t length, int *ret_offset_s);

#endif
