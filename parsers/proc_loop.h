/* SPDX-License-Identifier: MIT
 *
 * What loops over /proc share with other readers of shell output.
 */
#ifndef JA_PARSERS_PROC_LOOP_H
#define JA_PARSERS_PROC_LOOP_H

#include <stdbool.h>
#include <stddef.h>

/* The line is a shell tool's complaint that a process or its file is not there
 * ("grep: /proc//status: No such file or directory"). */
bool ja_loop_failure(const char *text, size_t length);

#endif
