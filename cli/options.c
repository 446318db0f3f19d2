/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include <getopt.h>
#include <math.h>
#include <string.h>

#include "cli/options_set.h"

#define DEFAULT_MAX_FILE_BYTES (256 * JA_MIB)
#define DEFAULT_MAX_FILES ((size_t)200000)
#define DEFAULT_MAX_READINGS ((size_t)20000000)

#define HEADING(text)                                                                              \
    {                                                                                              \
        .help = (text)                                                                             \
    }
#define REPEATS JA_OPTION_REPEATS
#define RESULT JA_OPTION_RESULT
#define AT(field) .offset = offsetof(struct ja_options, field)

const struct ja_option_row ja_option_rows[] = {
    HEADING("What is written"),
    {"output", 'o', 0, "DIR", "report folder (default ./jetsam-audit-report); never inside a PATH",
     ja_set_text, AT(output)},
    {"no-report", 'n', 0, NULL, "print the summary only, write nothing", ja_set_flag,
     AT(no_report)},
    {"format", 0, 0, "LIST",
     "files to write: md,svg,xlsx,json,ndjson,tsv or all (default md,svg,xlsx)", ja_set_format, 0},
    {"json", 0, 0, NULL, "one JSON document on standard output, write nothing", ja_set_flag,
     AT(json)},
    {"ndjson", 0, 0, NULL, "the evidence as JSON lines on standard output, to be read again",
     ja_set_flag, AT(ndjson)},
    {"force", 'f', 0, NULL, "overwrite files in DIR that somebody has edited", ja_set_flag,
     AT(force)},
    {"redact", 0, RESULT, NULL, "replace host, user, path and device names by hashes", ja_set_flag,
     AT(redact)},
    {"redact-key", 0, 0, "FILE", "key of these hashes, so that two audits can be compared",
     ja_set_redact_key, AT(redact_key)},

    HEADING("What you know (the operator's statements)"),
    {"case", 0, RESULT, "FILE", "case file: RAM, caps, work, captured times, the fix (JSON)",
     ja_set_text, AT(case_path)},
    {"manifest", 0, REPEATS | RESULT, "FILE", "a MANIFEST.tsv from another place", ja_set_manifest,
     0},
    {"tz", 0, RESULT, "ZONE", "zone of stamps that carry none, e.g. +0300 or JST", ja_set_text,
     AT(zone)},
    {"ignore-mtime", 0, RESULT, NULL, "do not take file times as upper bounds", ja_set_flag,
     AT(ignore_mtime)},
    {"caps", 0, RESULT, "FILE", "table of runtime caps used instead of the built-in one",
     ja_set_text, AT(caps_path)},
    {"no-caps", 0, RESULT, NULL, "use no table of runtime caps", ja_set_flag, AT(no_caps)},
    {"cap", 0, REPEATS | RESULT, "NAME=SIZE", "a cap that process NAME has, e.g. embed=60.8GiB",
     ja_set_cap, 0},
    {"slope", 0, RESULT, "SIZE/h",
     "the growth that matters (default: what fills RAM or the cap in 7 days)", ja_set_slope, 0},
    {"assume-active", 0, RESULT, NULL, "without a work counter, take it that work was done",
     ja_set_flag, AT(assume_active)},

    HEADING("What is shown and judged"),
    {"since", 0, RESULT, "TIME", "from this moment on, e.g. 2026-10-13T07:00:00Z", ja_set_time,
     AT(since_ns)},
    {"until", 0, RESULT, "TIME", "up to this moment", ja_set_time, AT(until_ns)},
    {"process", 0, REPEATS | RESULT, "NAME|PID", "only this process", ja_set_process, 0},

    HEADING("Acceptance test of a fix"),
    {"before", 0, REPEATS | RESULT, "PATH", "evidence from before the fix", ja_set_operand,
     JA_ROLE_BEFORE},
    {"after", 0, REPEATS | RESULT, "PATH", "evidence from after the fix", ja_set_operand,
     JA_ROLE_AFTER},
    {"max-delta", 0, RESULT, "SIZE", "the growth that is accepted between middle and last reading",
     ja_set_size, AT(max_delta_bytes)},
    {"min-work", 0, RESULT, "N", "the work (requests ...) that must lie in the test",
     ja_set_min_work, 0},

    HEADING("For scripts"),
    {"fail-on", 0, 0, "LIST", "exit 1 on growing,cap,kill,panic,unaccepted, 4 on damaged",
     ja_set_fail_on, 0},
    {"type", 0, REPEATS | RESULT, "KIND", "parser of the next PATH (see --list parsers); for -",
     ja_set_text, AT(type)},

    HEADING("Limits and behaviour"),
    {"jobs", 'j', 0, "N", "files read at once (default: the number of processors)", ja_set_count,
     AT(jobs)},
    {"max-file", 0, RESULT, "SIZE",
     "largest file read as a whole (default 256MiB); NDJSON may be larger", ja_set_size,
     AT(max_file_bytes)},
    {"max-files", 0, RESULT, "N", "files taken from all PATHs (default 200000)", ja_set_count,
     AT(max_files)},
    {"max-readings", 0, RESULT, "N", "readings taken from one file (default 20000000)",
     ja_set_count, AT(max_readings)},
    {"sandbox", 0, 0, "auto|require|off", "deny network, programs and other files while reading",
     ja_set_choice, AT(sandbox)},
    {"quiet", 'q', 0, NULL, "errors only", ja_set_flag, AT(quiet)},
    {"verbose", 'v', 0, NULL, "every diagnostic, not five a kind and file", ja_set_flag,
     AT(verbose)},
    {"color", 0, 0, "auto|always|never", "colour in the summary", ja_set_choice, AT(color)},
    {"no-progress", 0, 0, NULL, "no progress line", ja_set_flag, AT(no_progress)},

    HEADING("About the program"),
    {"list", 0, 0, "WHAT", "list parsers, rules, reports or caps", ja_set_action, JA_ACTION_LIST},
    {"explain", 0, 0, "RULE", "what a rule asks, and what its finding means", ja_set_action,
     JA_ACTION_EXPLAIN},
    {"help", 'h', 0, NULL, "this text", ja_set_action, JA_ACTION_HELP},
    {"version", 'V', 0, NULL, "version of the program and its libraries", ja_set_action,
     JA_ACTION_VERSION},
    {0},
};

enum { ROW_COUNT = sizeof ja_option_rows / sizeof *ja_option_rows };

/* getopt's own tables, made from ours. A long option's value is FIRST_LONG + its row. */
enum { FIRST_LONG = 256 };

struct getopt_tables {
    struct option longs[ROW_COUNT];
    char letters[2 + 2 * ROW_COUNT];
};

static void make_tables(struct getopt_tables *tables)
{
    size_t long_count = 0, at = 0;
    /* "-": operands come in order with the options (--type belongs to the next PATH). */
    tables->letters[at++] = '-';
    tables->letters[at++] = ':';
    for (int i = 0; i < ROW_COUNT; i++) {
        const struct ja_option_row *row = &ja_option_rows[i];
        if (!row->name)
            continue;
        tables->longs[long_count++] = (struct option){
            row->name, row->argument ? required_argument : no_argument, NULL, FIRST_LONG + i};
        if (!row->letter)
            continue;
        tables->letters[at++] = row->letter;
        if (row->argument)
            tables->letters[at++] = ':';
    }
    tables->longs[long_count] = (struct option){0};
    tables->letters[at] = '\0';
}

static const struct ja_option_row *row_of(int code)
{
    if (code >= FIRST_LONG)
        return &ja_option_rows[code - FIRST_LONG];
    for (int i = 0; i < ROW_COUNT; i++)
        if (ja_option_rows[i].letter && ja_option_rows[i].letter == code)
            return &ja_option_rows[i];
    return NULL;
}

static bool refuse_unknown(struct ja_options *options, const char *word)
{
    const char *names[ROW_COUNT + 1];
    size_t count = 0;
    for (int i = 0; i < ROW_COUNT; i++)
        if (ja_option_rows[i].name)
            names[count++] = ja_option_rows[i].name;
    names[count] = NULL;
    if (strncmp(word, "--", 2) != 0)
        return ja_options_refuse(options, "unknown option '%s' (see --help)", word);
    char typed[64];
    snprintf(typed, sizeof typed, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    const char *near = ja_nearest_word(typed, names);
    if (near)
        return ja_options_refuse(options, "unknown option '--%s': did you mean '--%s'?", typed,
                                 near);
    return ja_options_refuse(options, "unknown option '--%s' (see --help)", typed);
}

static bool refuse(struct ja_options *options, int code, const char *word)
{
    if (code == ':') {
        const struct ja_option_row *row = row_of(optopt);
        return ja_options_refuse(options, "option '%s' needs a value%s%s", word, row ? ": " : "",
                                 row ? row->argument : "");
    }
    /* optopt 0: no such long name (or several begin so); a row: a value it does not take */
    if (optopt >= FIRST_LONG)
        return ja_options_refuse(options, "option '--%s' takes no value", row_of(optopt)->name);
    if (optopt) {
        char letter[3] = {'-', (char)optopt, '\0'};
        return refuse_unknown(options, letter);
    }
    return refuse_unknown(options, word);
}

static bool check_whole(struct ja_options *options)
{
    if (options->action != JA_ACTION_AUDIT)
        return true;
    if (!options->operand_count)
        return ja_options_refuse(options, "no PATH given: name a folder or file of evidence, e.g. "
                                          "/Library/Logs/DiagnosticReports (see --help)");
    if (options->type)
        return ja_options_refuse(options,
                                 "--type %s stands behind the last PATH: put it before "
                                 "the PATH that it is for",
                                 options->type);
    if (options->json && options->ndjson)
        return ja_options_refuse(options, "--json and --ndjson cannot share standard output");
    if ((options->json || options->ndjson) && options->output)
        return ja_options_refuse(options, "--json and --ndjson write no files: use --format with "
                                          "--output, or leave --output out");
    if (options->no_report && options->output)
        return ja_options_refuse(options, "--no-report and --output contradict each other");
    if (options->no_caps && options->caps_path)
        return ja_options_refuse(options, "--no-caps and --caps contradict each other");
    return true;
}

/* Keeps what changes the result, for the About part: files by their last component only. */
static void note_option(struct ja_options *options, const struct ja_option_row *row,
                        const char *value)
{
    if (!(row->flags & RESULT))
        return;
    bool file = value && row->argument &&
                (strcmp(row->argument, "FILE") == 0 || strcmp(row->argument, "PATH") == 0);
    const char *slash = file ? strrchr(value, '/') : NULL;
    options->result_text = ja_arena_print(
        options->arena, "%s%s--%s%s%s", options->result_text ? options->result_text : "",
        options->result_text ? " " : "", row->name, value ? " " : "",
        !value              ? ""
        : slash && slash[1] ? slash + 1
                            : value);
}

/* getopt keeps its place between calls: begin anew. */
static void restart_getopt(void)
{
#ifdef __GLIBC__
    optind = 0;
#else
    optind = 1;
#ifdef __APPLE__
    optreset = 1;
#endif
#endif
}

static bool parse_words(struct ja_options *options, int argc, char **argv)
{
    struct getopt_tables tables;
    make_tables(&tables);
    opterr = 0;
    restart_getopt();
    for (;;) {
        const char *word = argv[optind > 0 && optind < argc ? optind : argc > 1];
        int code = getopt_long(argc, argv, tables.letters, tables.longs, NULL);
        if (code == -1)
            break;
        if (code == '?' || code == ':')
            return refuse(options, code, word);
        const struct ja_option_row *row = code == 1 ? NULL : row_of(code);
        bool good = row ? row->set(options, row, optarg ? optarg : "")
                        : ja_set_operand(options, NULL, optarg);
        if (!good)
            return false;
        if (row)
            note_option(options, row, optarg);
    }
    for (; optind < argc; optind++) /* behind "--" */
        if (!ja_set_operand(options, NULL, argv[optind]))
            return false;
    return true;
}

bool ja_options_parse(struct ja_options *options, int argc, char **argv)
{
    *options = (struct ja_options){
        .arena = ja_arena_new(),
        .since_ns = JA_UNKNOWN,
        .until_ns = JA_UNKNOWN,
        .max_delta_bytes = JA_UNKNOWN,
        .min_work = JA_UNKNOWN,
        .slope_bytes_per_hour = NAN,
        .max_file_bytes = DEFAULT_MAX_FILE_BYTES,
        .max_files = DEFAULT_MAX_FILES,
        .max_readings = DEFAULT_MAX_READINGS,
    };
    return parse_words(options, argc, argv) && check_whole(options);
}

void ja_options_free(struct ja_options *options)
{
    ja_arena_free(options->arena);
    options->arena = NULL;
}
