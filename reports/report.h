/* SPDX-License-Identifier: MIT
 *
 * The contract of a report: it prints the case to a stream or a file, decides nothing, and prints
 * the same bytes for the same case: no clock, no locale, no absolute path.
 */
#ifndef JA_REPORTS_REPORT_H
#define JA_REPORTS_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "model/case.h"

struct ja_report_options {
    const char *options_text; /* options that change the result, as given; for About */
    const char *sandbox;      /* "landlock + seccomp", "off", ...; for About */
    bool redact;
    unsigned char redact_key[32];
    bool color;         /* terminal only */
    int width;          /* terminal only: columns */
    const char *folder; /* terminal only: where the report was written; NULL */
    bool verbose;
    ja_run_jobs *run; /* for what can be done side by side; NULL: one after another */
};

struct ja_report {
    const char *name;      /* --format word: "md", "svg", "xlsx", "json", "ndjson", "tsv" */
    const char *file_name; /* "postmortem.md"; "tables" for the folder of tsv */
    /* Writes to path (a new file in a private folder; tsv: a new folder). False on an error, with
     * *ret_error set to a text that lives on. */
    bool (*write)(const struct ja_case *item, const struct ja_report_options *options,
                  const char *path, const char **ret_error);
};

extern const struct ja_report *const ja_reports[]; /* ends with NULL */
const struct ja_report *ja_report_named(const char *name);

/* To a stream: --json, --ndjson, the terminal summary. False when the stream failed. */
bool ja_json_print(const struct ja_case *item, const struct ja_report_options *options, FILE *out);
bool ja_ndjson_print(const struct ja_case *item, const struct ja_report_options *options,
                     FILE *out);
bool ja_summary_print(const struct ja_case *item, const struct ja_report_options *options,
                      FILE *out);

#endif
