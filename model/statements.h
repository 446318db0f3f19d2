/* SPDX-License-Identifier: MIT
 *
 * What the operator says, as distinct from what the evidence says: options, case file,
 * MANIFEST.tsv. Filled by cli/options and parsers/case_file.c, manifest.c before the jobs start;
 * applied by context, work and caps. Everything drawn from it is marked "stated by the operator".
 * The filler owns the memory; it must outlive the case.
 */
#ifndef JA_MODEL_STATEMENTS_H
#define JA_MODEL_STATEMENTS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/instant.h"
#include "model/quantity.h"

/* Whom a statement is about. A pattern is compiled by the filler; the model only calls it. */
struct ja_selector {
    bool (*matches)(void *pattern, const char *name); /* NULL: no pattern */
    void *pattern;
    const char *text;  /* as stated */
    const char *name;  /* exact name; NULL: none */
    int64_t pid;       /* "pid:N"; JA_UNKNOWN */
    int64_t coalition; /* "coalition:N"; JA_UNKNOWN */
};

struct ja_stated_cap {
    struct ja_selector who;
    const char *name; /* "mlx cache limit" */
    int64_t bytes;
    const char *source; /* where the operator has it from; NULL */
};

struct ja_stated_work {
    struct ja_selector who;
    const char *file; /* path as it appears in sources; NULL with key alone */
    const char *unit; /* "requests" */
    const char *key;  /* counter inside process JSON lines; NULL */
};

/* One row of MANIFEST.tsv or of "captured". path as in sources[].path, or a suffix of it. */
struct ja_stated_time {
    const char *path;
    struct ja_stamp at;  /* parts == 0: no time stated */
    int64_t within_ns;   /* JA_UNKNOWN: not stated */
    int64_t interval_ns; /* spacing of the following readings; JA_UNKNOWN */
    const char *host;    /* NULL */
    const char *note;    /* NULL */
    bool from_manifest;  /* else the case file */
};

struct ja_stated_fix {
    struct ja_selector who;  /* all fields empty: every process */
    bool stated;             /* there is an acceptance test to make */
    struct ja_stamp at;      /* when the fix was made; parts == 0: not said */
    int64_t max_delta_bytes; /* JA_UNKNOWN */
    double min_work;         /* NaN */
};

struct ja_stated_concern {
    struct ja_selector who;
    double bytes_per_hour;
};

struct ja_stated_note {
    struct ja_stamp at;
    const char *text;
};

struct ja_statements {
    const char *host;  /* name of the host all evidence without one is from; NULL */
    int64_t ram_bytes; /* JA_UNKNOWN */
    bool has_zone;     /* --tz, "tz" */
    int zone_offset_s;
    double slope_bytes_per_hour; /* X for every process; NaN */
    const struct ja_stated_cap *caps;
    size_t cap_count;
    const struct ja_stated_work *work;
    size_t work_count;
    const struct ja_stated_time *times;
    size_t time_count;
    const struct ja_stated_concern *concerns;
    size_t concern_count;
    const struct ja_stated_note *notes;
    size_t note_count;
    struct ja_stated_fix fix;
    bool ignore_mtime;
    bool assume_active;
    bool no_caps;               /* --no-caps */
    const char *caps_table;     /* text of --caps FILE; NULL: the compiled-in table */
    int64_t since_ns, until_ns; /* JA_UNKNOWN: open */
    const struct ja_selector *only;
    size_t only_count; /* --process */
};

/* Nothing stated. */
struct ja_statements ja_statements_none(void);

/* True when the selector picks a process of this name, pid (JA_UNKNOWN ok) and coalition. An empty
 * selector picks nothing. */
bool ja_selector_picks(const struct ja_selector *selector, const char *name, int64_t pid,
                       int64_t coalition);

#endif
