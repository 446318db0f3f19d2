/* SPDX-License-Identifier: MIT
 *
 * A cage for the rest of the run: read the evidence, write the report folder, nothing else; no
 * sockets, no programs. Entered after everything that the operator named is opened, before the
 * first byte of evidence is read, and before threads start (they inherit it).
 */
#ifndef JA_CLI_SANDBOX_H
#define JA_CLI_SANDBOX_H

#include <stdbool.h>

#include "cli/discover.h"
#include "cli/options.h"

/* output_folder: descriptor of the report folder, -1 when nothing is written; output_path its path.
 * False only when JA_CHOICE_ON ("require") could not be met. *ret_text: what is on, for the About
 * part ("landlock + seccomp", "off", "not available here"); a literal. */
bool ja_sandbox_enter(const struct ja_discovery *discovery, int output_folder,
                      const char *output_path, enum ja_choice choice, const char **ret_text);

#endif
