/* SPDX-License-Identifier: MIT
 *
 * What a command line says of a process: its text, and the memory limits set by its options.
 */
#ifndef JA_PARSERS_COMMAND_LINE_H
#define JA_PARSERS_COMMAND_LINE_H

#include "parsers/parser.h"

/* Keeps the command line of a subject (blanks or NULs between its words): subject.command, a
 * COMMAND fact, and a LIMIT fact for each of -Xmx<size>, -XX:MaxRAM=<size>,
 * --max-old-space-size=<MiB> and --max-semi-space-size=<MiB> (an option given twice counts with its
 * last value, as the runtimes take it). place is where it is printed. */
void ja_command_line(struct ja_parse *parse, uint32_t subject, const char *text, size_t length,
                     uint32_t place);

#endif
