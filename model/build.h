/* SPDX-License-Identifier: MIT
 *
 * Private to model/: the steps of ja_case_build and what they share. Each step reads what the ones
 * before it wrote:
 *   context -> hosts -> boots -> identity -> series -> work, caps -> growth -> states -> timeline
 *   -> incidents -> rules
 */
#ifndef JA_MODEL_BUILD_H
#define JA_MODEL_BUILD_H

#include "model/case.h"
#include "model/stated_rows.h"

/* One record of one used source, with everything its file and folder say of its machine. */
struct ja_moment {
    uint32_t source, record;
    const char *snapshot, *of; /* of the record */
    uint32_t host, boot;
    const struct ja_system *system; /* of the record, its file and its folder; never NULL */
    struct ja_instant at;
    const struct ja_instant *boot_at; /* wall time of the boot as stated; NULL */
    const uint32_t *subjects; /* indexes of its subjects in the source's evidence; NULL: they are
                                 neighbours from first_subject on */
    uint32_t first_subject;
    size_t subject_count;
    int64_t age_offset; /* ticks: start of a row since the base of its boot = offset - age */
    bool aged;          /* age_offset is known: the moment is tied to its boot by ages */
    bool ends_boot;     /* its record tells a panic or a reset */
};

struct ja_build {
    struct ja_case *item;
    struct ja_arena *scratch;  /* of the step at hand: emptied before the next one */
    struct ja_moment *moments; /* by host, time, snapshot and cgroup; undated last, in path and
                                  file order */
    size_t moment_count;
    struct ja_stated_rows stated; /* made with the context */
    ja_run_jobs *run;
};

/* Ages are read one after another while time goes on: equal starts differ by a few ticks. */
#define JA_AGE_TOLERANCE_TICKS 48
/* Boot times of one boot may be read a little apart: the kernel moves its boot time when the wall
 * clock is stepped, and btime is a rounded difference. */
#define JA_BOOT_TIME_SLACK_NS (120 * JA_NS_PER_S)

/* ja_case_build, which calls done when a step is done: to measure them. */
struct ja_case *ja_case_build_watched(const struct ja_input *inputs, size_t count,
                                      const struct ja_statements *statements, ja_run_jobs *run,
                                      void (*done)(const char *step, void *data), void *data);

/* The evidence of a moment, its record and, from 0 to before subject_count, its subjects. */
static inline const struct ja_evidence *ja_moment_evidence(const struct ja_build *build,
                                                           const struct ja_moment *moment)
{
    return build->item->sources[moment->source].evidence;
}

static inline const struct ja_record *ja_moment_record(const struct ja_build *build,
                                                       const struct ja_moment *moment)
{
    return &ja_moment_evidence(build, moment)->records[moment->record];
}

static inline uint32_t ja_moment_subject(const struct ja_moment *moment, size_t number)
{
    return moment->subjects ? moment->subjects[number] : moment->first_subject + (uint32_t)number;
}

/* copies.c: marks the sources that are copies of others. */
void ja_find_copies(struct ja_case *item);
/* context.c: clocks, snapshot folders; makes the moments (host and boot not yet set). */
void ja_build_context(struct ja_build *build, const struct ja_input *inputs, size_t count);
/* snapshots.c: says nothing of its machine. */
extern const struct ja_system ja_system_unsaid;
/* snapshots.c: records of one file, then the files of one snapshot folder learn from each other
 * what machine and moment they are of. */
void ja_share_systems(struct ja_build *build);
void ja_join_snapshots(struct ja_build *build);
/* linux_pages.c: the page size that the files of one snapshot prove (JA_UNKNOWN: none), and the
 * readings of a moment brought from the 4 KiB that parsers assume to it. */
int64_t ja_linux_page_bytes(const struct ja_build *build, struct ja_moment *const *moments,
                            size_t count);
void ja_linux_scale_pages(struct ja_build *build, const struct ja_moment *moment,
                          int64_t page_bytes);
/* hosts.c: which machine each moment is of; sorts the moments. */
void ja_build_hosts(struct ja_build *build);
/* boots.c: where one boot ends and the next begins. */
void ja_build_boots(struct ja_build *build);
/* identity.c: who is who. */
void ja_build_identity(struct ja_build *build);
/* series.c: readings to series; fuses what is one reading told several times. */
void ja_build_series(struct ja_build *build);
/* series.c, after the window: the largest series of every host and metric. */
void ja_build_largest(struct ja_build *build);
/* work.c: counters of work, joined to processes. */
void ja_build_work(struct ja_build *build);
/* caps.c: limits that may apply to a process. */
void ja_build_caps(struct ja_build *build);
/* caps_reached.c: how far below a cap a level already stands at it, in bytes. */
int64_t ja_cap_slack(const struct ja_series *series, const struct ja_cap *cap);
/* caps_reached.c, after growth: which of them a level reaches. */
void ja_build_reached(struct ja_build *build);
/* services.c: lives of one name that follow one another. */
void ja_build_services(struct ja_build *build);
/* services.c: how many lives of a service have a dated series in each metric. */
void ja_service_lives(const struct ja_case *item, const struct ja_service *service,
                      size_t lives[JA_METRIC_COUNT]);
/* concern.c: X, then growth of every series and service; the series are jobs. */
void ja_build_growth(struct ja_build *build);
/* states.c: books beside physical use; groups. */
void ja_build_states(struct ja_build *build);
/* physical.c: derives what a state's figures say together; marks those that cannot be. */
void ja_derive_figures(struct ja_state *state);
void ja_check_figures(struct ja_state *state);
void ja_mark_impossible(struct ja_state *state, const char *name);
/* states.c: where the states of each host are. */
void ja_number_states(struct ja_case *item);
/* repeats.c: OOM kills that several logs tell are one event each. */
void ja_drop_repeated_kills(struct ja_case *item, struct ja_arena *scratch);
/* gaps.c: the moments of each host. */
void ja_build_seen(struct ja_build *build);
/* window.c: takes out what lies outside of --since and --until; first readings and states, then,
 * when they are made, events. */
void ja_build_window(struct ja_build *build);
void ja_build_window_events(struct ja_build *build);
/* timeline.c: events, ends of processes and boots. */
void ja_build_timeline(struct ja_build *build);
/* incidents.c */
void ja_build_incidents(struct ja_build *build);
/* rules.c: runs all rules, sorts their findings, numbers the cites. */
void ja_build_findings(struct ja_build *build);

/* The smallest reading of a series that has one. */
int64_t ja_series_smallest(const struct ja_series *series);

#endif
