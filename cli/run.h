/* SPDX-License-Identifier: MIT
 *
 * One audit from the command line to the exit status. What its steps share stands in ja_run; each
 * step has its file: statements.c (what the operator says), load.c (files into evidence),
 * write.c (the report folder), verdict.c (exit status), diagnostics.c (standard error).
 */
#ifndef JA_CLI_RUN_H
#define JA_CLI_RUN_H

#include "cli/discover.h"
#include "cli/options.h"
#include "cli/output.h"
#include "model/case.h"
#include "parsers/stated.h"
#include "reports/report.h"

/* Exit status (fixed: scripts read it). */
enum {
    JA_EXIT_DONE = 0,
    JA_EXIT_FOUND = 1,
    JA_EXIT_USAGE = 2,
    JA_EXIT_NO_EVIDENCE = 3,
    JA_EXIT_DAMAGED = 4,
    JA_EXIT_OUTPUT = 5,
    JA_EXIT_INTERNAL = 6,
};

struct ja_run {
    struct ja_arena *arena;
    const struct ja_options *options;
    struct ja_discovery discovery;
    struct ja_stated stated;
    uint32_t case_root;         /* root of --case; JA_NONE */
    struct ja_input case_input; /* what was read of it */
    uint32_t first_manifest_root;
    struct ja_input *inputs; /* one per found file */
    uint64_t *heads; /* of each: ja_hash_head what was read; 0: not known */
    struct ja_output output;
    bool writes;         /* there is a report folder to write */
    bool inside;         /* there is none, for the default one lies inside a PATH */
    const char *sandbox; /* for the About part */
    char redact_key[65]; /* hex SHA-256 of the key file; empty without one */
};

/* The audit: exit status. */
int ja_run(const struct ja_options *options);

/* Prints "jetsam-audit: ..." to standard error, made visible; for what is wrong with the call. */
void ja_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* statements.c: takes the options and the case file; opens the files it names. False: complained,
 * exit status 2. Before the sandbox. */
bool ja_statements_gather(struct ja_run *run);
/* After the walk: manifests are read, stated paths become printed paths. */
void ja_statements_resolve(struct ja_run *run);

/* hash_wanted.c: after the walk, which files are hashed while they are read; after they were, those
 * that may be copies after all (they are read once more). */
void ja_hash_choose(struct ja_run *run);
void ja_hash_late(struct ja_run *run);

/* load.c: every found file becomes evidence. */
void ja_load(struct ja_run *run);
/* NDJSON files hold the evidence of other files: these become inputs of their own, each after the
 * file that holds it. */
const struct ja_input *ja_unfold(const struct ja_run *run, size_t *count);
/* Evidence of a file that was not read. */
struct ja_evidence *ja_unread(const char *path, enum ja_status status, const char *why);

/* write.c: exit status; complained unless it is JA_EXIT_DONE. */
int ja_write_reports(struct ja_run *run, const struct ja_case *item,
                     const struct ja_report_options *options);
/* The words of --format; false when one is no report (complained). *ret ends with NULL. */
bool ja_choose_reports(struct ja_run *run, const struct ja_report *const **ret);

/* settings.c: reads --redact-key (false: complained, exit status 2), and what reports are told. */
bool ja_redaction_prepare(struct ja_run *run);
struct ja_report_options ja_report_settings(const struct ja_run *run);

/* diagnostics.c: prints those of all sources, five a kind and file unless verbose. */
void ja_diagnostics_print(const struct ja_run *run);

/* verdict.c */
int ja_verdict(const struct ja_run *run, const struct ja_case *item);

#endif
