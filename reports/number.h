/* SPDX-License-Identifier: MIT
 *
 * Doubles as text, without the cost of printf: of millions of lines each has several.
 */
#ifndef JA_REPORTS_NUMBER_H
#define JA_REPORTS_NUMBER_H

#include <stddef.h>
#include <stdint.h>

#define JA_NUMBER_TEXT 40

/* A finite value in the fewest of 15, 16 or 17 digits that read back as the same double, exactly as
 * "%.15g", "%.16g" or "%.17g" prints it; no NUL; returns the length. */
size_t ja_double_print(double value, char text[JA_NUMBER_TEXT]);

#endif
