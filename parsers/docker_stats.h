/* SPDX-License-Identifier: MIT
 *
 * The cell that docker prints in tables and in JSON.
 */
#ifndef JA_PARSERS_DOCKER_STATS_H
#define JA_PARSERS_DOCKER_STATS_H

#include "parsers/parser.h"

/* "229MiB / 31.28GiB" of a container: a subject with its reading and limit. False when the text
 * is something else; then nothing was added. */
bool ja_docker_usage(struct ja_parse *parse, uint32_t record, const char *name, const char *text,
                     size_t length, int line);

#endif
