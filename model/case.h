/* SPDX-License-Identifier: MIT
 *
 * The case: all evidence merged into hosts, boots, process incarnations, series, system states and
 * one timeline. Built once by ja_case_build, then read by rules and reports.
 * The case's arena owns everything but the evidence (which it frees) and the statements (which it
 * borrows). Pointers got from the case live as long as it does. Indexes are into the case's arrays;
 * JA_NONE is "none".
 */
#ifndef JA_MODEL_CASE_H
#define JA_MODEL_CASE_H

#include "model/arena.h"
#include "model/evidence.h"
#include "model/growth_kept.h"
#include "model/instant.h"
#include "model/statements.h"
#include "model/rows.h"

/* What a file is there for. */
enum ja_role { JA_ROLE_EVIDENCE, JA_ROLE_BEFORE, JA_ROLE_AFTER, JA_ROLE_STATEMENT };

/* One file as cli hands it over. evidence is never NULL: a file that was not read has an empty
 * one with its status and reason. */
struct ja_input {
    struct ja_evidence *evidence;
    char sha256[65];    /* hex; empty when not read, or when no output shows it and no other
                           source has its size */
    int64_t size_bytes; /* JA_UNKNOWN when not read */
    int64_t mtime_ns;   /* JA_UNKNOWN */
    enum ja_role role;
    bool outside; /* a statement that lies in no PATH: listed apart from the sources */
};

struct ja_source {
    struct ja_evidence *evidence;
    const char *sha256;
    int64_t size_bytes;
    int64_t mtime_ns;
    enum ja_role role;
    bool outside;
    uint32_t duplicate_of;       /* source index */
    struct ja_instant *instants; /* one per stamp of the evidence */
    struct ja_instant captured, written;
    struct ja_instant *record_at; /* one per record: its moment after context */
    uint32_t *record_host;        /* one per record; JA_NONE only for a duplicate */
    uint32_t *record_boot;        /* index into boots */
    /* One per subject; ja_subject_process tells them. Most sources speak of one host, whose
     * processes are neighbours: then how far behind first_process, UINT16_MAX for JA_NONE. */
    const uint16_t *near_process; /* NULL: the processes themselves are there */
    uint32_t *subject_process;
    uint32_t first_process;
    bool zone_unknown; /* some of its times had no zone: UTC assumed */
};

struct ja_host {
    const char *label;
    const char *name; /* hostname; NULL */
    const char *model, *os, *kernel;
    const char *processor; /* "T2"; NULL: the main processor */
    int64_t ram_bytes;     /* JA_UNKNOWN */
    const char *ram_from;  /* "record", "operator", "model"; NULL */
    int64_t managed_bytes; /* of the newest state that tells */
    int64_t page_bytes;
    int64_t cores;
    uint32_t first_boot, boot_count; /* boots, processes, states of one host are neighbours */
    uint32_t first_process, process_count;
    uint32_t first_state, state_count;
};

struct ja_boot {
    uint32_t host;
    const char *id;     /* boot id as found; NULL */
    const char *kernel; /* release that ran; NULL */
    int64_t cores;      /* JA_UNKNOWN */
    struct ja_instant start;
    struct ja_instant last_seen;
    bool clock_set;       /* no boot of its own: another clock of the one before it in the list */
    const char *ended_by; /* "panic", "reset", "unknown"; NULL: not known to have ended */
    uint32_t ended_event; /* event index; JA_NONE */
    uint32_t first_process, process_count; /* its processes are neighbours */
};

enum ja_link { JA_LINK_SINGLE, JA_LINK_START_TIME, JA_LINK_AGE, JA_LINK_PID_NAME };

/* A reading of a series, made of the evidence when it is asked for (ja_point_at). */
struct ja_point {
    const struct ja_instant *at; /* NULL: undated */
    int64_t value, low, high;    /* bytes */
    int64_t resolution;
    uint32_t source, reading; /* where it comes from */
    uint8_t rounding;
    bool made; /* more is in it than its reading tells: another one added, an error of counting */
};

/* A reading or a count of the evidence of a source. */
struct ja_entry {
    uint32_t source, number;
};

struct ja_cap {
    const char *name;   /* "mlx_gc_limit" */
    const char *source; /* where the figure is from */
    const char *from;   /* "table", "operator", "record" */
    int64_t cap_bytes;
    int64_t distance_bytes; /* level - cap; JA_UNKNOWN without a level */
    bool reached;
    bool stated;      /* the record states the limit itself (not computed from one) */
    size_t processes; /* live processes it applies to, at least 1 */
};

/* Where X, the slope that matters, is from. */
enum ja_concern {
    JA_CONCERN_NONE, /* no X */
    JA_CONCERN_OPTION,
    JA_CONCERN_CASE_FILE,
    JA_CONCERN_EVIDENCE, /* a concern line of NDJSON */
    JA_CONCERN_LIMIT,    /* what would reach the next ceiling within seven days */
};

/* As many as processes, and more: the members are few and small. */
struct ja_series {
    const char *category; /* NULL */
    /* In time order (undated: in file order); ja_point_at tells them. */
    union {
        struct ja_entry *readings;
        struct ja_point *points; /* where one of them is made */
    };
    const struct ja_source *sources; /* those of the case */
    struct ja_growth_kept *growth;   /* NULL before growth is judged */
    struct ja_cap *caps;             /* candidates of its process; where caps apply */
    const char *limit_name;          /* the ceiling next to it: "ram" or a cap's name; NULL */
    uint32_t process;
    uint32_t point_count;
    uint32_t cap_count;
    uint8_t metric;  /* enum ja_metric */
    uint8_t concern; /* enum ja_concern */
    bool dated : 1;
    bool made : 1; /* it has points of its own */
};

/* Of the cumulative work of a process. */
struct ja_work_sample {
    const struct ja_instant *at; /* its time is known */
    double total;
    uint32_t source, place;
};

/* What most processes of a fleet do not have. */
struct ja_process_more {
    const char *command;       /* NULL */
    const char *work_unit;     /* the operator's name for its work; NULL: as the evidence says */
    int64_t threads;           /* most threads seen; JA_UNKNOWN */
    struct ja_instant started; /* as the evidence tells the wall time of the start */
};

extern const struct ja_process_more ja_process_unsaid;

/* An end that is known, of one process or of all that a boot still held. */
struct ja_ending {
    const struct ja_instant *at; /* never NULL; of the event */
    const char *how;             /* "jetsam", "oom", "reboot" */
};

/* One incarnation of a process (or a cgroup, container ...) on one boot of one host. There are as
 * many as a few readings each: its members are the few that all have, and stand close. */
struct ja_process {
    uint32_t host, boot;
    uint32_t name_id; /* equal names have equal ids */
    uint32_t ending;  /* 1 + index of its ending; 0: not known. ja_process_ended tells it */
    const char *name; /* never NULL: "?" when not said */
    int64_t pid;      /* JA_UNKNOWN */
    int64_t coalition;
    int64_t latest_start_ns; /* by its ages: it started then at the latest; JA_UNKNOWN */
    int64_t peak_bytes;      /* JA_UNKNOWN */
    const struct ja_instant *first_seen, *last_seen; /* of its records; never NULL */
    const struct ja_process_more *more;              /* never NULL; set through ja_process_more */
    const struct ja_entry *work;         /* counts in the unit that tells most, in time order */
    uint32_t work_count;                 /* 0: none */
    uint32_t first_series, series_count; /* series of one process are neighbours */
    uint8_t scope;                       /* enum ja_scope */
    uint8_t link;                        /* enum ja_link */
    bool shown : 1;                      /* passes --process, --since, --until */
    bool name_open : 1; /* the only file that names it ends behind the name, perhaps inside it */
};

/* One figure of one moment told twice (two files of a snapshot, two tools within a minute). */
struct ja_twin {
    uint32_t process;
    enum ja_metric metric;
    const char *category;
    struct ja_point kept, other; /* the kept one has the finer step */
    int64_t apart_ns;            /* between their best times; 0: one moment */
    bool agree;                  /* the intervals meet */
    int64_t drift_bytes;         /* what the process itself may have moved between the two, by
                                    the nearest readings of the same tool; 0: not known */
};

struct ja_service {
    uint32_t host;
    const char *name;
    uint32_t *processes; /* in order of first reading */
    size_t process_count;
    struct ja_series *series; /* one per metric that two lives have; points NULL */
    size_t series_count;
};

struct ja_books {
    bool known;
    enum ja_metric metric;
    int64_t sum_bytes, low_bytes, high_bytes; /* JA_UNKNOWN when sizes are not known */
    size_t processes;                         /* live rows summed */
    size_t killed_left_out;
    bool complete; /* no row is missing or without a size */
};

/* The lifetime peaks of all live rows, added up. */
struct ja_peaks {
    int64_t sum_bytes;
    size_t count;
};

#define JA_LARGEST_ROWS 10

/* Books beside physical use, at one moment. */
struct ja_state {
    uint32_t host, boot, source, record;
    const char *of; /* NULL: the host; else the cgroup */
    struct ja_instant at;
    struct ja_books books;
    int64_t figures[JA_FIGURE_COUNT]; /* JA_UNKNOWN = not said; USED, MANAGED, RAM are settled */
    int64_t used_with_cache_bytes;    /* Linux; JA_UNKNOWN */
    const char *impossible[8];        /* names of identities that do not hold */
    size_t impossible_count;
    struct ja_peaks peaks;
    bool first_process;    /* a live row is of pid 0 or 1 */
    uint32_t told_largest; /* process index of the live row of the process that the record itself
                              calls the largest; JA_NONE */
    uint32_t largest;      /* process index of the largest live row; JA_NONE */
    uint32_t *rows;        /* process indexes of the JA_LARGEST_ROWS largest live rows, in order */
    int64_t *row_bytes;    /* their sizes; JA_UNKNOWN */
    size_t row_count;
};

struct ja_event {
    uint32_t host, boot;
    const struct ja_instant *at; /* never NULL; that of whatever it is about */
    enum ja_event_kind kind;
    uint32_t process; /* JA_NONE */
    const char *name; /* NULL */
    int64_t pid;      /* JA_UNKNOWN */
    const char *reason, *detail;
    int order;
    int64_t bytes, limit_bytes;
    uint32_t source, seen; /* evidence event; seen JA_NONE: made by the model */
    uint32_t incident;     /* JA_NONE */
};

struct ja_group {
    uint32_t host, boot, state;
    const char *name;
    const char *by; /* "name", "coalition" */
    int64_t coalition;
    const struct ja_instant *at; /* that of the state */
    size_t count;
    int64_t sum_bytes;
};

struct ja_incident {
    uint32_t host;
    struct ja_instant from, to, first_abnormal;
    uint32_t *events; /* event indexes */
    size_t event_count;
    uint32_t *findings; /* finding indexes, after the rules ran */
    size_t finding_count;
};

enum ja_grade {
    JA_CONFIRMED,
    JA_CONTRADICTED,
    JA_CONSISTENT,
    JA_CANNOT,
    JA_NOT_SHOWN,
}; /* in the order findings are sorted */

enum ja_severity { JA_CRITICAL, JA_SERIOUS, JA_REMARK }; /* critical, warning, note */

struct ja_named_number {
    const char *name;
    double value;  /* NaN: unknown (null) */
    int64_t whole; /* JA_UNKNOWN: use value */
};

struct ja_finding {
    const char *rule;
    int row; /* of the rule table, for the order */
    enum ja_grade grade;
    enum ja_severity severity;
    uint32_t host;    /* JA_NONE */
    uint32_t process; /* JA_NONE */
    int metric;       /* enum ja_metric or -1 */
    const char *statement, *why, *would_change, *next_step;
    struct ja_named_number *numbers;
    size_t number_count, number_capacity;
    uint32_t *cites; /* indexes into the case's cites */
    size_t cite_count, cite_capacity;
    int64_t stake_bytes; /* for the order: largest first; 0 none */
};

/* A place in the evidence that something stands on. number: 1 = E001, given in print order. */
struct ja_cite {
    uint32_t source, place;
    const char *raw; /* as found */
    enum ja_unit unit;
    int64_t resolution_bytes; /* JA_UNKNOWN */
    uint32_t number;
    uint64_t key;
};

#define JA_LARGEST_ASKED 10

struct ja_case {
    struct ja_arena *arena;
    struct ja_arena *kept; /* words of findings and cites; arena itself, but in a rule at work */
    const struct ja_statements *statements;
    struct ja_source *sources;
    size_t source_count;
    struct ja_host *hosts;
    size_t host_count, host_capacity;
    struct ja_boot *boots;
    size_t boot_count, boot_capacity;
    struct ja_process *processes;
    size_t process_count, process_capacity;
    struct ja_ending *endings; /* of processes */
    size_t ending_count;
    struct ja_series *series;
    size_t series_count, series_capacity;
    int64_t (*largest)[JA_LARGEST_ASKED]; /* per host and metric: the largest last levels */
    bool told[JA_METRIC_COUNT];           /* metrics that some series is of */
    struct ja_service *services;
    size_t service_count, service_capacity;
    struct ja_twin *twins;
    size_t twin_count, twin_capacity;
    struct ja_state *states;
    size_t state_count, state_capacity;
    struct ja_event *events;
    size_t event_count, event_capacity;
    struct ja_group *groups;
    size_t group_count, group_capacity;
    struct ja_seen *seen; /* gaps.h: moments that records speak of, host by host, in time order */
    size_t *host_seen;    /* those of host h are seen[host_seen[h]] to before host_seen[h + 1] */
    struct ja_incident *incidents;
    size_t incident_count, incident_capacity;
    struct ja_finding *findings;
    size_t finding_count, finding_capacity;
    struct ja_cite *cites;
    size_t cite_count, cite_capacity;
    uint32_t *cite_index;
    size_t cite_index_size; /* hash of cites */
    uint32_t *cite_order;   /* cites in the order of their numbers */
};

/* Runs job(i, data) for i in 0..count-1, perhaps on several threads; NULL means one after another.
 */
typedef void ja_run_jobs(size_t count, void (*job)(size_t index, void *data), void *data);

/* Merges the inputs (already in path order). Takes ownership of their evidence. */
struct ja_case *ja_case_build(const struct ja_input *inputs, size_t count,
                              const struct ja_statements *statements, ja_run_jobs *run);
void ja_case_free(struct ja_case *item);

/* Whom a subject is: process index; JA_NONE. */
static inline uint32_t ja_subject_process(const struct ja_source *source, uint32_t subject)
{
    if (!source->near_process)
        return source->subject_process[subject];
    uint16_t behind = source->near_process[subject];
    return behind == UINT16_MAX ? JA_NONE : source->first_process + behind;
}

/* A subject's reading in a metric (the one with the finest step); false when it has none. */
bool ja_subject_reading(const struct ja_source *source, uint32_t subject, enum ja_metric metric,
                        struct ja_reading *ret);

/* Point i of a series, from 0 to before its point_count. */
struct ja_point ja_point_at(const struct ja_series *series, size_t i);

/* Of a series that has one, as all series of a case do. */
static inline struct ja_point ja_first_point(const struct ja_series *series)
{
    return ja_point_at(series, 0);
}

static inline struct ja_point ja_last_point(const struct ja_series *series)
{
    return ja_point_at(series, series->point_count - 1);
}

/* A process's own "more", to be filled in: the first call makes it. In arena; it stays in place. */
struct ja_process_more *ja_process_more(struct ja_process *process, struct ja_arena *arena);

/* When a process started, as stated, else at the latest; and the moment to sort by. */
struct ja_instant ja_process_started(const struct ja_process *process);
int64_t ja_process_start_ns(const struct ja_process *process);

/* The end of a process; NULL: not known. */
static inline const struct ja_ending *ja_process_ended(const struct ja_case *item,
                                                       const struct ja_process *process)
{
    return process->ending ? &item->endings[process->ending - 1] : NULL;
}

/* Sample i of the work of a process, from 0 to before its work_count; and the unit, NULL: none. */
struct ja_work_sample ja_work_sample(const struct ja_case *item, const struct ja_process *process,
                                     size_t i);
const char *ja_work_unit(const struct ja_case *item, const struct ja_process *process);

/* Does the selector pick any process of the case? */
bool ja_selector_picks_any(const struct ja_case *item, const struct ja_selector *selector);

/* By how much the clean file pages of a process or a group rose for sure, in bytes; 0: not shown.
 * What a group counts as file holds its shared memory as well: that is taken off. */
int64_t ja_file_rise(const struct ja_case *item, uint32_t process);

/* The series of a host are neighbours: from the one returned to before *ret_end. */
uint32_t ja_host_series(const struct ja_case *item, uint32_t host, uint32_t *ret_end);

/* Among the most (1 to JA_LARGEST_ASKED) largest dated series of its host in its metric, by the
 * last level: those that a reader would ask about. */
bool ja_series_among_largest(const struct ja_case *item, const struct ja_series *series,
                             size_t most);

/* The growth of a series that was judged, with its figures. */
static inline struct ja_growth ja_series_growth(const struct ja_series *series)
{
    return ja_growth_told(series->growth);
}

/* "option", "case file", "concern", "ram" or a cap's name; NULL: no X. */
const char *ja_series_concern(const struct ja_series *series);

/* First dated series of a process in a metric (category NULL), or NULL. */
const struct ja_series *ja_process_series(const struct ja_case *item, uint32_t process,
                                          enum ja_metric metric);

/* Names from evidence stand between these marks inside findings, so that a writer can quote them;
 * ja_unmarked takes the marks off. */
#define JA_NAME_BEGIN '\x01'
#define JA_NAME_END '\x02'

/* A name from evidence, marked; control characters are made visible. In the case's arena. */
const char *ja_name_text(const struct ja_case *item, const char *name);
/* The name, with "..." behind one that may go on. In the case's arena, or the process's own. */
const char *ja_process_name(const struct ja_case *item, uint32_t process);
/* A process for people: its marked name and pid, "embedd [731]". */
const char *ja_process_text(const struct ja_case *item, uint32_t process);
/* The text without marks; NULL stays NULL. */
const char *ja_unmarked(const struct ja_case *item, const char *text);

const char *ja_grade_word(enum ja_grade grade);
const char *ja_severity_word(enum ja_severity severity);
const char *ja_verdict_word(enum ja_verdict verdict);
const char *ja_shape_word(enum ja_shape shape);
const char *ja_reason_word(enum ja_growth_reason reason);
const char *ja_link_word(enum ja_link link);

/* Cites. Each returns the index of a cite; equal places give the same one. */
uint32_t ja_cite_reading(struct ja_case *item, uint32_t source, uint32_t reading);
uint32_t ja_cite_event(struct ja_case *item, uint32_t event);
uint32_t ja_cite_fact(struct ja_case *item, uint32_t source, const struct ja_fact *fact);
uint32_t ja_cite_figure(struct ja_case *item, uint32_t state, enum ja_figure figure);
uint32_t ja_cite_place(struct ja_case *item, uint32_t source, uint32_t place, const char *raw,
                       enum ja_unit unit);
/* The cite of another copy of the case: its equal in this one. */
uint32_t ja_cite_take(struct ja_case *item, const struct ja_cite *cite);

/* The cite of a point when something cites it, else JA_NONE (POINT.ref is null). */
uint32_t ja_cite_of_point(const struct ja_case *item, const struct ja_point *point);

#endif
