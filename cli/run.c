/* SPDX-License-Identifier: MIT */
#include "cli/run.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/jobs.h"
#include "cli/read.h"
#include "cli/redact.h"
#include "cli/sandbox.h"
#include "parsers/json.h"
#include "parsers/parser.h"
#include "parsers/regex.h"

#define MOST_PARSERS 256

static void complain_of_type(const char *type)
{
    const char *names[MOST_PARSERS + 1];
    size_t count = 0;
    for (; ja_parsers[count] && count < MOST_PARSERS; count++)
        names[count] = ja_parsers[count]->name;
    names[count] = NULL;
    const char *near = ja_nearest_word(type, names);
    if (near)
        ja_complain("--type: '%s' is no parser, did you mean '%s'?", type, near);
    else
        ja_complain("--type: '%s' is no parser (see --list parsers)", type);
}

/* Opens every PATH. False when none can be opened (complained). */
static bool open_paths(struct ja_run *run)
{
    const struct ja_options *options = run->options;
    size_t opened = 0;
    for (size_t i = 0; i < options->operand_count; i++) {
        const struct ja_operand *operand = &options->operands[i];
        if (operand->type && !ja_parser_named(operand->type)) {
            complain_of_type(operand->type);
            return false;
        }
        uint32_t index =
            ja_discovery_add(&run->discovery, operand->path, operand->role, operand->type, false);
        const struct ja_root *root = &run->discovery.roots[index];
        if (root->kind == JA_ROOT_MISSING)
            ja_complain("%s: %s", root->path, root->error);
        else
            opened++;
    }
    return opened > 0;
}

/* Opens the report folder when one is to be written. Not JA_EXIT_DONE: complained. */
static int open_output(struct ja_run *run)
{
    const struct ja_options *options = run->options;
    const struct ja_report *const *reports;
    if (!ja_choose_reports(run, &reports))
        return JA_EXIT_USAGE;
    if (options->no_report || options->json || options->ndjson)
        return JA_EXIT_DONE;
    const char *path = options->output ? options->output : JA_DEFAULT_OUTPUT;
    switch (ja_output_open(&run->output, path, &run->discovery, options->force)) {
    case JA_OUTPUT_GOOD:
        run->writes = true;
        return JA_EXIT_DONE;
    case JA_OUTPUT_INSIDE:
        run->inside = !options->output;
        if (run->inside)
            return JA_EXIT_DONE;
        ja_complain("%s lies inside the evidence, where nothing is ever written: choose another "
                    "folder for -o",
                    path);
        return JA_EXIT_USAGE;
    case JA_OUTPUT_FAILED:
        ja_complain("%s", run->output.error);
        break;
    }
    return JA_EXIT_OUTPUT;
}

/* Everything that is opened by name comes before the sandbox. */
static int prepare(struct ja_run *run)
{
    ja_json_install_hooks();
    ja_parsers_prepare();
    ja_jobs_set_workers(run->options->jobs);
    if (!open_paths(run) || !ja_statements_gather(run) || !ja_redaction_prepare(run))
        return JA_EXIT_USAGE;
    int status = open_output(run);
    if (status != JA_EXIT_DONE)
        return status;
    if (ja_sandbox_enter(&run->discovery, run->writes ? run->output.folder : -1, run->output.path,
                         run->options->sandbox, &run->sandbox))
        return JA_EXIT_DONE;
    ja_complain("--sandbox=require: %s", run->sandbox);
    return JA_EXIT_INTERNAL;
}

static int print_stream(const struct ja_case *item, const struct ja_report_options *report,
                        bool (*print)(const struct ja_case *, const struct ja_report_options *,
                                      FILE *))
{
    if (print(item, report, stdout) && fflush(stdout) == 0)
        return JA_EXIT_DONE;
    ja_complain("standard output cannot be written: %s", strerror(errno));
    return JA_EXIT_OUTPUT;
}

static int report_case(struct ja_run *run, const struct ja_case *item,
                       struct ja_report_options report)
{
    const struct ja_options *options = run->options;
    if (options->json)
        return print_stream(item, &report, ja_json_print);
    if (options->ndjson)
        return print_stream(item, &report, ja_ndjson_print);
    int status = run->writes ? ja_write_reports(run, item, &report) : JA_EXIT_DONE;
    if (options->quiet || status != JA_EXIT_DONE)
        return status;
    if (run->writes)
        report.folder = run->output.path;
    status = print_stream(item, &report, ja_summary_print);
    if (status == JA_EXIT_DONE && run->inside)
        puts("no report written: choose -o DIR");
    return status;
}

/* A --process that is not in the evidence would look like one with nothing to say of it. */
static void complain_of_absent(const struct ja_case *item, const struct ja_statements *said)
{
    for (size_t i = 0; i < said->only_count; i++)
        if (!ja_selector_picks_any(item, &said->only[i]))
            ja_complain("--process: '%s' is neither a name nor a pid of this evidence",
                        said->only[i].text);
}

/* A name that a pattern could not be tried on to the end was not matched, which says nothing. */
static void complain_of_steps(const char *pattern, size_t subjects)
{
    ja_complain("pattern '%s' takes too many steps (tried in vain %zu time%s): such names count as "
                "not matched",
                pattern, subjects, subjects == 1 ? "" : "s");
}

static int audit(struct ja_run *run)
{
    int status = prepare(run);
    if (status != JA_EXIT_DONE)
        return status;
    ja_discovery_walk(&run->discovery);
    size_t count = run->discovery.found_count;
    run->inputs = ja_arena_alloc(run->arena, count, sizeof *run->inputs);
    run->heads = ja_arena_alloc(run->arena, count, sizeof *run->heads);
    ja_statements_resolve(run);
    ja_hash_choose(run);
    ja_load(run);
    ja_hash_late(run);
    const struct ja_input *sources = ja_unfold(run, &count);
    struct ja_case *item = ja_case_build(sources, count, &run->stated.all, ja_jobs_run_silent);
    complain_of_absent(item, &run->stated.all);
    ja_regex_tell_limits(complain_of_steps);
    struct ja_report_options report = ja_report_settings(run);
    if (report.redact)
        ja_redact_case(item, report.redact_key);
    ja_diagnostics_print(run);
    status = report_case(run, item, report);
    if (status == JA_EXIT_DONE)
        status = ja_verdict(run, item);
    ja_case_free(item);
    return status;
}

int ja_run(const struct ja_options *options)
{
    struct ja_run run = {.arena = ja_arena_new(), .options = options};
    ja_discovery_init(&run.discovery, options->max_files);
    int status = audit(&run);
    if (run.output.arena)
        ja_output_done(&run.output);
    ja_discovery_done(&run.discovery);
    ja_arena_free(run.arena);
    return status;
}
