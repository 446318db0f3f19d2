/* SPDX-License-Identifier: MIT
 *
 * Words that clocks print: months and weekdays in the languages met in saved evidence, zone
 * abbreviations. Internal to the stamp files.
 */
#ifndef JA_PARSERS_STAMP_WORDS_H
#define JA_PARSERS_STAMP_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* 1..12, 0: no month's name. A trailing point is allowed; letter case does not matter. */
int ja_month_word(const char *word, size_t length);

bool ja_weekday_word(const char *word, size_t length);

enum ja_zone_kind { JA_ZONE_NOT, JA_ZONE_UNIQUE, JA_ZONE_AMBIGUOUS };

/* Upper-case abbreviations only. offset is set for unique ones. */
enum ja_zone_kind ja_zone_word(const char *word, size_t length, int *ret_offset_s);

#endif
