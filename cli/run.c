/* SPDX-License-Identifier: MIT */
#include "cli/run.h"

#include <stdio.h>
#include <string.h>

#include "cli/jobs.h"
#include "cli/sandbox.h"
#include "parsers/json.h"
#include "parsers/parser.h"

/* Opens every PATH. False when none can be opened (complained). */
static bool open_paths(struct ja_run *run)
{
    const struct ja_options *options = run->options;
    size_t opened = 0;
    for (size_t i = 0; i < options->operand_count; i++) {
        const struct ja_operand *operand = &options->operands[i];
        if (operand->type && !ja_parser_named(operand->type)) {
            ja_complain("--type: '%s' is no parser (see --list parsers)", operand->type);
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

static void print_sources(const struct ja_run *run)
{
    for (size_t i = 0; i < run->discovery.found_count; i++) {
        const struct ja_evidence *evidence = run->inputs[i].evidence;
        printf("%-18s %-14s %6zu readings %4zu events  %s\n", ja_kind_word(evidence->kind),
               ja_status_word(evidence->status), evidence->reading_count, evidence->event_count,
               evidence->path);
    }
}

static int audit(struct ja_run *run)
{
    const struct ja_options *options = run->options;
    ja_json_install_hooks();
    ja_parsers_prepare();
    ja_jobs_set_workers(options->jobs);
    if (!open_paths(run) || !ja_statements_gather(run))
        return JA_EXIT_USAGE;
    if (!ja_sandbox_enter(&run->discovery, -1, NULL, options->sandbox, &run->sandbox)) {
        ja_complain("--sandbox=require: %s", run->sandbox);
        return JA_EXIT_INTERNAL;
    }
    ja_discovery_walk(&run->discovery);
    run->inputs = ja_arena_alloc(run->arena, run->discovery.found_count, sizeof *run->inputs);
    ja_statements_resolve(run);
    ja_load(run);
    ja_diagnostics_print(run);
    print_sources(run);
    return JA_EXIT_DONE;
}

int ja_run(const struct ja_options *options)
{
    struct ja_run run = {.arena = ja_arena_new(), .options = options};
    ja_discovery_init(&run.discovery, options->max_files);
    int status = audit(&run);
    for (size_t i = 0; run.inputs && i < run.discovery.found_count; i++)
        ja_evidence_free(run.inputs[i].evidence);
    ja_discovery_done(&run.discovery);
    ja_arena_free(run.arena);
    return status;
}
