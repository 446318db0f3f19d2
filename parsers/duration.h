/* SPDX-License-Identifier: MIT
 *
 * Spans of time as ps and top print them.
 */
#ifndef JA_PARSERS_DURATION_H
#define JA_PARSERS_DURATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "[[dd-]hh:]mm:ss[.ff]" in ns ("13-06:50:57", "04:09:56", "248:49", "0:01.23"). The whole text. */
bool ja_duration_read(const char *text, size_t length, int64_t *ret_ns);

#endif
