/* SPDX-License-Identifier: MIT
 *
 * Whole numbers as text, without the cost of printf: of millions of lines each has several. And
 * what a UUID looks like.
 */
#ifndef JA_MODEL_DIGITS_H
#define JA_MODEL_DIGITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JA_WHOLE_TEXT 24 /* room for the longest, and more */

/* Two digits of a value from 0 to 99, no NUL. */
void ja_pair_print(unsigned value, char *text);

/* The digits of value, with a sign below 0, no NUL; returns their count. */
size_t ja_whole_print(int64_t value, char text[JA_WHOLE_TEXT]);

/* "f81d4fae-7dec-11d0-a765-00a0c91e6bf6", in either case, and nothing else. */
bool ja_is_uuid(const char *text, size_t length);

#endif
