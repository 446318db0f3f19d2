/* SPDX-License-Identifier: MIT
 *
 * What oom_emit.c, oom_state.c and oom_daemon.c share: the parts of an OOM event's evidence.
 */
#ifndef JA_PARSERS_OOM_EVIDENCE_H
#define JA_PARSERS_OOM_EVIDENCE_H

#include "parsers/oom.h"

/* The line's stamp in the evidence, on the wall clock where that of the boot is known; a stamp line
 * above the piece is an upper bound; JA_NONE. */
uint32_t oom_stamp(struct oom_log *log, uint32_t system, const struct oom_line *line,
                   const struct ja_piece *piece);
/* Index of a host's boot in the evidence, added when it is first needed. */
uint32_t oom_system_index(struct oom_log *log, uint32_t which);

/* oom_state.c */
const char *oom_reason(const struct oom_event *event);
/* Who asked, whose limit, what is missing; kill may be NULL. In the evidence's arena. */
const char *oom_detail(struct oom_log *log, const struct oom_event *event,
                       const struct oom_kill *kill);
/* anon + file + shmem of a kill line in bytes; JA_UNKNOWN when it printed none. */
int64_t oom_kill_bytes(const struct oom_kill *kill);
void oom_event_facts(struct oom_log *log, const struct oom_event *event, uint32_t record,
                     uint32_t place);
/* Figures of the machine or of the cgroup whose limit was reached. */
void oom_figures(struct oom_log *log, const struct oom_event *event, uint32_t record,
                 uint32_t place);

/* oom_daemon.c */
void oom_emit_daemons(struct oom_log *log, const struct ja_piece *piece);

#endif
