/* SPDX-License-Identifier: MIT
 *
 * The command line: ONE table of options. Parsing, --help, the suggestions for mistyped words, and
 * the tests of man page and completions all read that table.
 * Texts point into argv; lists live in the options' arena (ja_options_free).
 */
#ifndef JA_CLI_OPTIONS_H
#define JA_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "model/arena.h"
#include "model/case.h"
#include "model/quantity.h"

/* What --fail-on may name. */
enum {
    JA_FAIL_GROWING = 1,
    JA_FAIL_CAP = 2,
    JA_FAIL_KILL = 4,
    JA_FAIL_PANIC = 8,
    JA_FAIL_UNACCEPTED = 16,
    JA_FAIL_DAMAGED = 32,
};

enum ja_choice { JA_CHOICE_AUTO, JA_CHOICE_ON, JA_CHOICE_OFF };

/* One PATH of the command line. */
struct ja_operand {
    const char *path; /* "-" is standard input */
    const char *type; /* parser forced by --type; NULL: by content */
    enum ja_role role;
};

/* --cap NAME=SIZE */
struct ja_cap_option {
    const char *name;
    int64_t size_bytes;
};

/* What the program is asked to do instead of an audit. */
enum ja_action {
    JA_ACTION_AUDIT,
    JA_ACTION_HELP,
    JA_ACTION_VERSION,
    JA_ACTION_LIST,
    JA_ACTION_EXPLAIN
};

struct ja_options {
    struct ja_arena *arena;
    enum ja_action action;
    const char *subject; /* of --list and --explain */
    struct ja_operand *operands;
    size_t operand_count, operand_capacity;
    const char *type; /* --type seen, no PATH yet */

    const char *output; /* NULL: the default folder */
    bool no_report, json, ndjson;
    const char **formats; /* NULL-terminated words of --format; NULL: the default ones */
    size_t format_count, format_capacity;

    const char *case_path;
    const char **manifests;
    size_t manifest_count, manifest_capacity;
    const char *zone; /* --tz as given */
    bool ignore_mtime;
    int64_t since_ns, until_ns; /* JA_UNKNOWN: not limited */
    const char **processes;
    size_t process_count, process_capacity;

    int64_t max_delta_bytes; /* JA_UNKNOWN */
    int64_t min_work;        /* JA_UNKNOWN */
    const char *caps_path;
    bool no_caps;
    struct ja_cap_option *caps;
    size_t cap_count, cap_capacity;
    double slope_bytes_per_hour; /* NaN: not stated */
    bool assume_active;

    unsigned fail_on; /* JA_FAIL_... */
    bool redact;
    const char *redact_key; /* file; NULL: key from the evidence */
    size_t jobs;            /* 0: number of processors */
    int64_t max_file_bytes;
    size_t max_files, max_readings;
    bool force, quiet, verbose, no_progress;
    enum ja_choice color, sandbox;

    const char *result_text; /* the options that change the result, as given, for About */
    char error[512];         /* why the command line was refused */
};

/* The default folder of the report, in the working directory. */
#define JA_DEFAULT_OUTPUT "jetsam-audit-report"

enum {
    JA_OPTION_REPEATS = 1, /* may be given several times, each adds */
    JA_OPTION_RESULT = 2,  /* changes the result: named in the About part */
};

struct ja_option_row {
    const char *name;     /* long name; NULL: a heading of --help, its text in help */
    char letter;          /* 0: none */
    unsigned flags;       /* JA_OPTION_... */
    const char *argument; /* NULL: takes none */
    const char *help;     /* one line or several, parted by \n */
    /* Stores the value; false with options->error. */
    bool (*set)(struct ja_options *options, const struct ja_option_row *row, const char *value);
    size_t offset; /* of the member that set writes, where one function serves many */
};

/* Ends with a row that has neither name nor help. */
extern const struct ja_option_row ja_option_rows[];

/* Fills *options (ja_options_free ends it). False with options->error: exit status 2. */
bool ja_options_parse(struct ja_options *options, int argc, char **argv);
void ja_options_free(struct ja_options *options);

/* What --help prints: usage, examples, every row of the table. */
void ja_options_help(FILE *stream);

/* The nearest of words (NULL-terminated) to a mistyped one; NULL when none is near. */
const char *ja_nearest_word(const char *word, const char *const *words);

#endif
