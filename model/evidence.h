/* SPDX-License-Identifier: MIT
 *
 * What parsers hand over: one ja_evidence per input file, holding arrays that point at each other
 * by index. Everything lives in the evidence's arena (its worker owns it, then the case does), but
 * names of rows may live longer.
 * A parser says what the file says, in the file's words; it never decides who is who, which zone
 * applies or what a number means for the machine. JA_NONE is "no such entry", JA_UNKNOWN "not
 * said", NULL "no text".
 */
#ifndef JA_MODEL_EVIDENCE_H
#define JA_MODEL_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/arena.h"
#include "model/index.h"
#include "model/instant.h"
#include "model/quantity.h"
#include "model/words.h"

#define JA_NONE UINT32_MAX

/* Where a number stands. JSON: path with [*] and {*} filled by index[] and key in turn, e.g.
 * "/processes/[*]/rpages"; text: line (1-based) and what is printed there. */
struct ja_place {
    const char *path; /* literal; NULL in text files */
    const char *key;  /* fills {*}; arena or literal */
    int32_t index[2]; /* fill [*]; -1 unused */
    int32_t line;     /* 1-based; 0 unknown */
};

/* Rows follow one another: a run holds up to JA_PLACE_RUN places that differ only in their first
 * index (or their line), each later than the one before. Place p is the (p % JA_PLACE_RUN)-th
 * behind the start of run p / JA_PLACE_RUN. */
#define JA_PLACE_RUN 128
struct ja_place_run {
    const char *path;
    const char *key;
    int32_t start; /* index[0], or the line in text files */
    int32_t index1;
    uint32_t next; /* how far behind the start the next place of the run lies at least */
};

/* What a piece of evidence tells of the machine it is from. All may be NULL / JA_UNKNOWN. */
struct ja_system {
    const char *host_name; /* hostname */
    const char *host_key;  /* crashReporterKey and the like: equal = same machine */
    const char *processor; /* "T2" for tables of another processor of the same machine; else NULL */
    const char *model;     /* "Mac15,10", "iPhone12,1" */
    const char *os;        /* "macOS 26.4.1 (25E253)" */
    const char *kernel;    /* kernel version string or release */
    const char *boot_id;   /* boot_id, Boot session UUID, NDJSON boot */
    int64_t page_bytes;
    int64_t tick_hz; /* of ages and start ticks: 24000000, 1000000000, 100 */
    int64_t cores;
    int64_t ram_bytes;   /* installed RAM when the evidence states it (hw.memsize) */
    uint32_t boot_stamp; /* wall time of the boot (btime, Epoch Time Boot); JA_NONE */
};

#define JA_NEAR_RECORDS 32 /* how far apart the records of one stamp line may stand in lines */

/* One moment of one machine, as one piece tells it: what its readings, facts and figures share. */
struct ja_record {
    enum ja_kind kind;
    uint32_t system;      /* index; JA_NONE: nothing said of the machine */
    uint32_t stamp;       /* the moment; JA_NONE when undated */
    uint32_t place;       /* where the piece begins */
    const char *snapshot; /* records of several files with an equal snapshot text (a folder) are
                             one moment of one machine; NULL: alone */
    const char *of;       /* NULL: the host's; else the cgroup or container it speaks of */
    bool census;          /* its rows are a process table: they may make books */
    bool complete;        /* no row of the table is known to be missing */
    bool believed;        /* NDJSON state: books and figures stand as they are */
    int64_t *figures;     /* JA_FIGURE_COUNT values or NULL; JA_UNKNOWN = not said */
    uint32_t *figure_places;
    uint32_t first_fact, fact_count;       /* filled by ja_evidence_close, and so are */
    uint32_t first_subject, subject_count; /* ... its rows, numbers of by_record */
};

/* How a stamp is used. */
enum {
    JA_STAMP_USED = 1,  /* some entry of the evidence stands at it */
    JA_STAMP_START = 2, /* start of a process or boot: no moment that a date is carried from */
    JA_STAMP_NAMED = 4, /* in the file's or a folder's name */
};

enum ja_scope {
    JA_SCOPE_PROCESS,
    JA_SCOPE_CGROUP,
    JA_SCOPE_CONTAINER,
    JA_SCOPE_HOST,
    JA_SCOPE_KERNEL
};

/* What the rows of a Jetsam report do not say, and those are most of all rows. */
struct ja_subject_more {
    const char *command;  /* command line */
    const char *link;     /* NDJSON: how identity was established elsewhere; else NULL */
    int64_t start_ticks;  /* start since boot, in system.tick_hz (Linux: 100) */
    int64_t parent_pid;   /* JA_UNKNOWN */
    uint32_t start_stamp; /* wall time of the start (Launch Time, lstart); JA_NONE */
};

/* Whom a reading speaks of, in the file's words. One per row of a table: millions in a fleet. */
struct ja_subject {
    const char *name;                   /* as printed; NULL: none */
    const char *uuid;                   /* binary uuid */
    const struct ja_subject_more *more; /* never NULL; set through ja_subject_more */
    int64_t pid;                        /* JA_UNKNOWN */
    int64_t coalition;                  /* JA_UNKNOWN */
    int64_t age_ticks;  /* record's moment minus start, in system.tick_hz; may be negative */
    int64_t peak_bytes; /* lifetime peak of the footprint or resident size */
    int64_t cpu_ns;     /* user + system time so far */
    uint32_t record;
    uint32_t place;
    uint32_t life;      /* grows when the file itself shows a new life (failed look-up round) */
    uint8_t scope;      /* enum ja_scope */
    bool name_cut : 1;  /* the tool cuts names (comm: 15 bytes): the true one may go on */
    bool name_open : 1; /* the file ends behind the name, perhaps inside it; name_cut, too */
    bool killed : 1;    /* row carries a kill reason: left out of the books */
    bool dead : 1;      /* torn down (terminatedSnapshot): its sizes say nothing */
};

/* At most 48 bytes: a fleet is millions of them. Value in the metric's unit (bytes). */
struct ja_reading {
    int64_t value;
    int64_t resolution;
    const char *printed; /* only where it cannot be made again from value and step; else NULL */
    uint32_t subject;
    uint32_t stamp; /* JA_NONE: undated */
    uint32_t place;
    uint32_t category;   /* index into categories; JA_NONE */
    uint8_t metric;      /* enum ja_metric */
    uint8_t rounding;    /* enum ja_rounding */
    uint8_t unit;        /* enum ja_unit: how printed shows it */
    uint8_t approximate; /* 1: stands back for other readings of the same moment */
};

/* A cumulative count of work: requests, CPU seconds, faults. */
struct ja_count {
    uint32_t subject;
    uint32_t stamp;
    uint32_t place;
    const char *unit; /* "requests", "cpu_s", "faults" */
    double total;
};

struct ja_event_seen {
    enum ja_event_kind kind;
    uint32_t record;
    uint32_t subject; /* JA_NONE: none */
    uint32_t stamp;   /* JA_NONE: time unknown */
    uint32_t place;
    const char *reason;
    const char *detail;
    int order;     /* from 1 inside one report; 0 none */
    int64_t bytes; /* size at the event; JA_UNKNOWN */
    int64_t limit_bytes;
};

/* A statement of a record that is neither a reading nor a count nor an event. */
struct ja_fact {
    uint32_t record;
    uint32_t subject; /* JA_NONE: about the record's host, boot, table or source */
    uint32_t place;
    enum ja_fact_key key;
    int64_t value;    /* JA_UNKNOWN: text only */
    const char *text; /* NULL: number only */
};

struct ja_diagnostic {
    enum ja_level level;
    const char *code;  /* stable, a literal: "bad-number" */
    const char *place; /* "$.processes[12].rpages" or NULL */
    const char *text;  /* what is wrong and what was done about it */
    int32_t line;      /* 0 unknown */
};

struct ja_evidence {
    struct ja_arena *arena;
    struct ja_arena *growing; /* of arrays until ja_evidence_close moves them; then arena */
    struct ja_arena *clock;   /* of what is there until ja_evidence_dated; NULL before the one and
                                 after the other */
    const char *path;         /* as printed in outputs */
    enum ja_kind kind;        /* first kind recognised */
    uint64_t also[2];         /* bit set of further kinds */
    enum ja_status status;
    const char *why;      /* of the status; NULL when used */
    const char *bug_type; /* "298" */
    const char *os;
    const char *incident_id; /* equal ids (and kinds) are copies of one report */
    uint32_t captured;       /* stamp: the moment the content speaks of; JA_NONE */
    uint32_t written;        /* stamp: the time in the report's own header; JA_NONE */
    uint32_t name_stamp;     /* stamp: the time in the file's or its folder's name; JA_NONE */
    bool counts_settled;     /* readings_taken is set by hand (else reading_count) */
    size_t readings_taken;

    /* NDJSON only: the files that its lines were made from, each an evidence of its own. cli takes
     * them over as sources (and sets child_count to 0); else they end with this evidence. */
    struct ja_evidence **children;
    size_t child_count, child_capacity;
    const char *sha256; /* of a child's original file; NULL */
    int64_t size_bytes; /* of a child's original file; JA_UNKNOWN */

    struct ja_system *systems;
    size_t system_count, system_capacity;
    struct ja_record *records;
    size_t record_count, record_capacity;
    struct ja_subject *subjects;
    size_t subject_count, subject_capacity;
    struct ja_stamp *stamps; /* NULL once the case has instants of them */
    size_t stamp_count, stamp_capacity;
    struct ja_place_run *place_runs;
    size_t place_run_count, place_run_capacity;
    struct ja_reading *readings;
    size_t reading_count, reading_capacity;
    struct ja_count *counts;
    size_t count_count, count_capacity;
    struct ja_event_seen *events;
    size_t event_count, event_capacity;
    struct ja_fact *facts;
    size_t fact_count, fact_capacity;
    const char **categories;
    size_t category_count, category_capacity;
    struct ja_index category_index; /* text -> 1 + index */
    struct ja_diagnostic *diagnostics;
    size_t diagnostic_count, diagnostic_capacity;

    /* Made by ja_evidence_close; rows.h reads them. */
    struct ja_packed *packed;  /* NULL; else subjects, readings and counts are here, not above */
    uint32_t *by_record;       /* subjects, record by record; NULL: they are in that order */
    uint32_t *first_reading;   /* of each subject; JA_NONE. NULL: each has the one of its number */
    uint32_t *next_reading;    /* of each reading: the next one of its subject; JA_NONE. NULL */
    unsigned char *stamp_uses; /* of each stamp: JA_STAMP_USED and so on */
};

/* An empty evidence in a new arena; ja_evidence_free ends both. path is copied. */
struct ja_evidence *ja_evidence_new(const char *path);
void ja_evidence_free(struct ja_evidence *evidence);

/* Makes room for the rows of a process table at once: for each a subject with a reading, a count
 * and two places. Arrays that grow step by step leave their old copies in the arena. */
void ja_evidence_reserve(struct ja_evidence *evidence, size_t rows);

/* Adders return the index of the new entry, all fields "not said". Fill it through the array;
 * pointers into an array are good only until the next add to it. */
uint32_t ja_add_system(struct ja_evidence *evidence);
uint32_t ja_add_record(struct ja_evidence *evidence, enum ja_kind kind, uint32_t stamp);
uint32_t ja_add_subject(struct ja_evidence *evidence, uint32_t record, const char *name,
                        int64_t pid);
extern const struct ja_subject_more ja_subject_unsaid;
/* A subject's own "more", to be filled in: the first call makes it. In arena; it stays in place. */
struct ja_subject_more *ja_subject_more(struct ja_subject *subject, struct ja_arena *arena);
/* zone and text of the stamp are copied. */
uint32_t ja_add_stamp(struct ja_evidence *evidence, const struct ja_stamp *stamp);
uint32_t ja_add_place_line(struct ja_evidence *evidence, int line);
struct ja_place ja_place_at(const struct ja_evidence *evidence, uint32_t place);
/* 1-based line of a place; 0: unknown, or not of a text file. */
int ja_place_line(const struct ja_evidence *evidence, uint32_t place);
uint32_t ja_add_place_json(struct ja_evidence *evidence, const char *path, int index0, int index1,
                           const char *key);
/* The place of a later row: like an earlier one but for its first index or line, in the same run.
 * JA_NONE where the run does not reach it, or there is none (place is JA_NONE). */
static inline uint32_t ja_place_after(struct ja_evidence *evidence, uint32_t place, int32_t at)
{
    if (place == JA_NONE)
        return JA_NONE;
    struct ja_place_run *run = &evidence->place_runs[place / JA_PLACE_RUN];
    int64_t offset = (int64_t)at - run->start;
    if (offset < run->next || offset >= JA_PLACE_RUN)
        return JA_NONE;
    run->next = (uint32_t)offset + 1;
    return place / JA_PLACE_RUN * JA_PLACE_RUN + (uint32_t)offset;
}
/* A category's index; the same text gives the same index. The text is copied. */
uint32_t ja_add_category(struct ja_evidence *evidence, const char *name);
bool ja_has_category(const struct ja_evidence *evidence, const char *name);

/* Adds a reading of a subject at its record's stamp. */
struct ja_reading *ja_add_reading(struct ja_evidence *evidence, uint32_t subject,
                                  enum ja_metric metric, struct ja_quantity quantity,
                                  uint32_t place);
/* unit is copied, once where equal ones follow each other; ja_cpu_seconds is taken as it is. */
extern const char ja_cpu_seconds[]; /* "cpu_s": the unit of nearly all counts of a fleet */
/* CPU seconds as subjects tell them: to the microsecond that tables print. seconds: 0 to 1e10. */
static inline int64_t ja_cpu_ns(double seconds)
{
    return (int64_t)(seconds * 1e6 + 0.5) * JA_NS_PER_US;
}
struct ja_count *ja_add_count(struct ja_evidence *evidence, uint32_t subject, const char *unit,
                              double total, uint32_t place);
struct ja_event_seen *ja_add_event(struct ja_evidence *evidence, enum ja_event_kind kind,
                                   uint32_t record, uint32_t stamp, uint32_t place);
struct ja_fact *ja_add_fact(struct ja_evidence *evidence, uint32_t record, enum ja_fact_key key,
                            int64_t value, const char *text, uint32_t place);
/* One figure of the record's machine, in the figure's unit. */
void ja_set_figure(struct ja_evidence *evidence, uint32_t record, enum ja_figure figure,
                   int64_t value, uint32_t place);
int64_t ja_get_figure(const struct ja_record *record, enum ja_figure figure); /* or JA_UNKNOWN */

/* First fact of a record with this key; NULL when there is none. After ja_evidence_close. */
const struct ja_fact *ja_record_fact(const struct ja_evidence *evidence, uint32_t record,
                                     enum ja_fact_key key);

/* The file is of this kind (the first one said stays its kind, later ones go to "also"). */
void ja_set_kind(struct ja_evidence *evidence, enum ja_kind kind);
bool ja_has_kind(const struct ja_evidence *evidence, enum ja_kind kind);

/* Several words may fit: the worst one said wins (unreadable, damaged, partly, then the rest). */
void ja_set_status(struct ja_evidence *evidence, enum ja_status status, const char *why);

/* Adds a diagnostic. place: JSON path or NULL; line: 0 unknown. The text says what was done. */
void ja_diagnose(struct ja_evidence *evidence, enum ja_level level, const char *code, int line,
                 const char *place, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* After the last add: orders facts by record, lists rows and packs them (rows.h), gives back what
 * arrays outgrew, settles an unset status. */
void ja_evidence_close(struct ja_evidence *evidence);

/* Once the stamps are instants and nobody asks for them: gives them back. */
void ja_evidence_dated(struct ja_evidence *evidence);

/* "/processes/12/rpages" (JSON pointer) of a place, or NULL for a text file's. In arena. */
const char *ja_place_pointer(const struct ja_evidence *evidence, uint32_t place,
                             struct ja_arena *arena);
/* "$.processes[12].rpages" or "line 12"; empty for JA_NONE. In arena. */
const char *ja_place_text(const struct ja_evidence *evidence, uint32_t place,
                          struct ja_arena *arena);

#endif
