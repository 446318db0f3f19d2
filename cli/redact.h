/* SPDX-License-Identifier: MIT
 *
 * --redact: before any report is made, the texts of the case lose what names people, machines and
 * places. The same value always gives the same token under the same key ("host-6f1b02c9e4"), so
 * that readers can still join what belongs together.
 *
 * Redacted: host names and labels, boot and device ids, incident ids, paths of sources, absolute
 * paths in texts from evidence, and names of users (below /Users, /home). Kept: names of processes,
 * models, versions, numbers and times.
 */
#ifndef JA_CLI_REDACT_H
#define JA_CLI_REDACT_H

#include "model/case.h"

/* Changes the texts of the case and of its evidence in place. */
void ja_redact_case(struct ja_case *item, const unsigned char key[32]);

#endif
