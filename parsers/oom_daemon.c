/* SPDX-License-Identifier: MIT
 *
 * Killers in user space: their kills become events, earlyoom's VmRSS (whole MiB) a reading, the
 * "mem avail" line before a kill figures of the machine. Other "mem avail" lines are only kept at
 * the ends of the log, or they would be most of it.
 */
#include "parsers/oom.h"

#include "parsers/oom_evidence.h"
#include "parsers/scan.h"

static char *copy(struct oom_log *log, struct oom_text text)
{
    return text.text ? ja_arena_copy(log->parse->evidence->arena, text.text, text.length) : NULL;
}

static void set_units(struct ja_evidence *evidence, uint32_t record, enum ja_figure figure,
                      int64_t value, int64_t unit, uint32_t place)
{
    int64_t bytes = 0;
    if (value != JA_UNKNOWN && ja_multiply(value, unit, &bytes))
        ja_set_figure(evidence, record, figure, bytes, place);
}

static void add_figures(struct oom_log *log, const struct oom_daemon *daemon, uint32_t record,
                        uint32_t place)
{
    struct ja_evidence *evidence = log->parse->evidence;
    set_units(evidence, record, JA_FIGURE_MEM_AVAILABLE, daemon->avail, daemon->unit, place);
    set_units(evidence, record, JA_FIGURE_MANAGED, daemon->total, daemon->unit, place);
    set_units(evidence, record, JA_FIGURE_SWAP_TOTAL, daemon->swap_total, daemon->unit, place);
    if (daemon->swap_total != JA_UNKNOWN && daemon->swap_free != JA_UNKNOWN &&
        daemon->swap_free <= daemon->swap_total)
        set_units(evidence, record, JA_FIGURE_SWAP_USED, daemon->swap_total - daemon->swap_free,
                  daemon->unit, place);
}

static uint32_t add_record(struct oom_log *log, const struct oom_daemon *daemon,
                           const struct ja_piece *piece, uint32_t place)
{
    struct ja_evidence *evidence = log->parse->evidence;
    uint32_t system = oom_system_index(log, daemon->system);
    uint32_t stamp = oom_stamp(log, daemon->system, &daemon->line, piece);
    uint32_t record = ja_add_record(evidence, JA_KIND_OOM_LOG, stamp);
    evidence->records[record].system = system;
    evidence->records[record].place = place;
    if (evidence->captured == JA_NONE)
        evidence->captured = stamp;
    return record;
}

static uint32_t add_victim(struct oom_log *log, const struct oom_daemon *daemon, uint32_t record,
                           uint32_t place)
{
    struct ja_evidence *evidence = log->parse->evidence;
    struct ja_quantity rss = {0, JA_MIB, JA_ROUNDING_DOWN};
    uint32_t subject = ja_add_subject(evidence, record, NULL, daemon->pid);
    evidence->subjects[subject].name = copy(log, daemon->name);
    evidence->subjects[subject].name_cut = !daemon->group && daemon->name.length >= 15;
    evidence->subjects[subject].scope = daemon->group ? JA_SCOPE_CGROUP : JA_SCOPE_PROCESS;
    evidence->subjects[subject].place = place;
    if (daemon->rss_mib != JA_UNKNOWN && ja_multiply(daemon->rss_mib, JA_MIB, &rss.value) &&
        ja_room_for_reading(log->parse, daemon->line.number))
        ja_add_reading(evidence, subject, JA_METRIC_RESIDENT, rss, place)->unit = JA_UNIT_MIB;
    return subject;
}

static void emit_kill(struct oom_log *log, const struct oom_daemon *daemon,
                      const struct ja_piece *piece)
{
    struct ja_evidence *evidence = log->parse->evidence;
    if (daemon->again) /* the same victim, seconds later: no further kill, no watch of its growth */
        return;
    uint32_t place = ja_add_place_line(evidence, daemon->line.number);
    uint32_t record = add_record(log, daemon, piece, place);
    uint32_t subject = add_victim(log, daemon, record, place);
    if (daemon->group)
        add_figures(log, daemon, record, place);
    struct ja_event_seen *seen =
        ja_add_event(evidence, JA_EVENT_OOM_KILL, record, evidence->records[record].stamp, place);
    seen->subject = subject;
    seen->order = 1;
    seen->reason = daemon->group ? "systemd-oomd: memory pressure or use above its limit"
                                 : "earlyoom: little memory available";
    seen->detail = copy(log, daemon->group ? daemon->why : daemon->line.message);
    if (daemon->rss_mib != JA_UNKNOWN)
        (void)ja_multiply(daemon->rss_mib, JA_MIB, &seen->bytes);
}

/* A "mem avail" line is kept at the ends of the log and before a kill. */
static bool is_kept(const struct oom_log *log, size_t at)
{
    return at == 0 || at + 1 == log->daemon_count || !log->daemons[at + 1].figures_only;
}

void oom_emit_daemons(struct oom_log *log, const struct ja_piece *piece)
{
    struct ja_evidence *evidence = log->parse->evidence;
    size_t left_out = 0;
    for (size_t i = 0; i < log->daemon_count; i++) {
        const struct oom_daemon *daemon = &log->daemons[i];
        if (!daemon->figures_only) {
            emit_kill(log, daemon, piece);
        } else if (is_kept(log, i)) {
            uint32_t place = ja_add_place_line(evidence, daemon->line.number);
            add_figures(log, daemon, add_record(log, daemon, piece, place), place);
        } else {
            left_out++;
        }
    }
    if (left_out > 0)
        ja_diagnose(evidence, JA_NOTE, "lines-left-out", 0, NULL,
                    "%zu \"mem avail\" lines between the first, the last and those before a kill "
                    "left out",
                    left_out);
}
