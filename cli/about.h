/* SPDX-License-Identifier: MIT
 *
 * What the program tells of itself: --version, --list, --explain.
 */
#ifndef JA_CLI_ABOUT_H
#define JA_CLI_ABOUT_H

#include <stdbool.h>
#include <stdio.h>

/* The program's version and those of the libraries it runs with. */
void ja_about_version(FILE *stream);

/* --list: false when the word names no list. */
bool ja_about_list(FILE *stream, const char *what);

/* --explain: false when there is no such rule; *ret_nearest is then one like it or NULL. */
bool ja_about_rule(FILE *stream, const char *name, const char **ret_nearest);

#endif
