/* SPDX-License-Identifier: MIT
 *
 * What the operator says: options, case file, manifests. The case file is read before the sandbox,
 * for it names files that must then be allowed; an option beats the case file.
 */
#include "cli/run.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/read.h"
#include "model/cap_table.h"
#include "parsers/json.h"
#include "parsers/parser.h"
#include "parsers/stamp.h"

#define STATEMENT_BYTES (16 * JA_MIB)

static void copy_digest(struct ja_input *input, const struct ja_bytes *bytes)
{
    memcpy(input->sha256, bytes->sha256, sizeof input->sha256);
    input->size_bytes = bytes->size_bytes;
    input->mtime_ns = bytes->mtime_ns;
}

/* Bytes of the byte order mark that some editors put before UTF-8. */
static size_t mark_bytes(const struct ja_bytes *bytes)
{
    return bytes->length >= 3 && memcmp(bytes->memory, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

static bool read_case(struct ja_run *run)
{
    const char *path = run->options->case_path, *why;
    struct ja_bytes bytes;
    if (!path)
        return true;
    if (!ja_read_path(path, STATEMENT_BYTES, run->arena, &bytes, &why)) {
        ja_complain("%s: %s (--case)", path, why);
        return false;
    }
    struct ja_evidence *evidence = ja_evidence_new(path);
    size_t skip = mark_bytes(&bytes);
    ja_json_use_arena(run->arena);
    bool good = !memchr(bytes.memory, 0, bytes.length) &&
                ja_case_file_read(&run->stated, bytes.memory + skip, bytes.length - skip, evidence);
    if (!good) {
        ja_complain("%s: not a JSON object of statements (--case)", path);
        ja_evidence_free(evidence);
    } else {
        ja_set_kind(evidence, JA_KIND_CASE);
        ja_set_status(evidence, JA_STATUS_USED, NULL);
        run->case_input.evidence = evidence;
        copy_digest(&run->case_input, &bytes);
    }
    ja_bytes_done(&bytes);
    return good;
}

/* path as written in the case file: beside it on disk. */
static const char *beside_case(struct ja_run *run, const char *path)
{
    const char *own = run->options->case_path, *slash = strrchr(own, '/');
    if (*path == '/' || !slash)
        return path;
    return ja_arena_print(run->arena, "%.*s/%s", (int)(slash - own), own, path);
}

/* The work files beside the case file must be allowed before the sandbox closes. */
static void open_work_files(struct ja_run *run)
{
    for (size_t i = 0; i < run->stated.work_count; i++) {
        const char *file = run->stated.work[i].file;
        struct stat status;
        if (file && stat(beside_case(run, file), &status) == 0 && S_ISREG(status.st_mode))
            ja_discovery_add(&run->discovery, beside_case(run, file), JA_ROLE_EVIDENCE, NULL, true);
    }
}

static bool take_zone(struct ja_run *run)
{
    const char *zone = run->options->zone;
    struct ja_statements *all = &run->stated.all;
    if (!zone || ja_zone_offset(zone, strlen(zone), &all->zone_offset_s)) {
        all->has_zone |= zone != NULL;
        return true;
    }
    bool place = strchr(zone, '/') != NULL;
    ja_complain("--tz: '%s' is neither an offset such as +0300 nor an abbreviation that only one "
                "zone has, such as JST%s",
                zone,
                place ? "; the rules of places differ from machine to machine and are not looked "
                        "up: give the offset that was in force"
                      : "");
    return false;
}

static bool take_caps(struct ja_run *run)
{
    const struct ja_options *options = run->options;
    struct ja_stated *stated = &run->stated;
    char error[160];
    for (size_t i = 0; i < options->cap_count; i++) {
        struct ja_stated_cap *cap =
            JA_APPEND(stated->arena, stated->caps, stated->cap_count, stated->cap_capacity);
        ja_selector_read(stated->arena, options->caps[i].name, false, &cap->who, error,
                         sizeof error);
        cap->name = "stated cap";
        cap->bytes = options->caps[i].size_bytes;
        cap->source = "--cap";
    }
    stated->all.no_caps = options->no_caps;
    if (!options->caps_path)
        return true;
    struct ja_bytes bytes;
    const char *why;
    if (!ja_read_path(options->caps_path, STATEMENT_BYTES, run->arena, &bytes, &why)) {
        ja_complain("%s: %s (--caps)", options->caps_path, why);
        return false;
    }
    stated->all.caps_table = ja_arena_copy(stated->arena, bytes.memory, bytes.length);
    ja_bytes_done(&bytes);
    struct ja_cap_row *rows;
    size_t count;
    int bad;
    if (!ja_cap_table_read(stated->all.caps_table, stated->arena, &rows, &count, &bad))
        ja_complain("%s:%d: no row of a table of caps (name, match, formula, source between tabs): "
                    "left out; %zu rows are used",
                    options->caps_path, bad, count);
    return true;
}

static void take_fix(struct ja_run *run)
{
    const struct ja_options *options = run->options;
    struct ja_stated_fix *fix = &run->stated.all.fix;
    if (options->max_delta_bytes != JA_UNKNOWN)
        fix->max_delta_bytes = options->max_delta_bytes;
    if (options->min_work != JA_UNKNOWN)
        fix->min_work = (double)options->min_work;
    for (size_t i = 0; i < options->operand_count; i++)
        fix->stated |= options->operands[i].role != JA_ROLE_EVIDENCE;
    fix->stated |= options->max_delta_bytes != JA_UNKNOWN || options->min_work != JA_UNKNOWN;
}

static void take_selection(struct ja_run *run)
{
    const struct ja_options *options = run->options;
    struct ja_stated *stated = &run->stated;
    char error[160];
    stated->all.since_ns = options->since_ns;
    stated->all.until_ns = options->until_ns;
    stated->all.ignore_mtime = options->ignore_mtime;
    stated->all.assume_active = options->assume_active;
    if (!isnan(options->slope_bytes_per_hour))
        stated->all.slope_bytes_per_hour = options->slope_bytes_per_hour;
    for (size_t i = 0; i < options->process_count; i++) {
        const char *text = options->processes[i];
        struct ja_selector *only =
            JA_APPEND(stated->arena, stated->only, stated->only_count, stated->only_capacity);
        if (text[strspn(text, "0123456789")] == '\0')
            text = ja_arena_print(stated->arena, "pid:%s", text);
        ja_selector_read(stated->arena, text, false, only, error, sizeof error);
    }
}

bool ja_statements_gather(struct ja_run *run)
{
    const struct ja_options *options = run->options;
    ja_stated_init(&run->stated, run->arena);
    run->case_root = JA_NONE;
    if (!read_case(run) || !take_zone(run) || !take_caps(run))
        return false;
    take_fix(run);
    take_selection(run);
    if (options->case_path)
        run->case_root =
            ja_discovery_add(&run->discovery, options->case_path, JA_ROLE_STATEMENT, NULL, true);
    run->first_manifest_root = (uint32_t)run->discovery.root_count;
    for (size_t i = 0; i < options->manifest_count; i++) {
        uint32_t root =
            ja_discovery_add(&run->discovery, options->manifests[i], JA_ROLE_STATEMENT, NULL, true);
        if (run->discovery.roots[root].kind != JA_ROOT_FILE) {
            ja_complain("%s: cannot be read (--manifest)", options->manifests[i]);
            return false;
        }
    }
    open_work_files(run);
    return true;
}

static bool is_manifest(const struct ja_run *run, uint32_t index)
{
    const struct ja_found *found = &run->discovery.found[index];
    if (found->refused)
        return false;
    for (size_t i = 0; i < run->options->manifest_count; i++)
        if (run->discovery.roots[run->first_manifest_root + i].found == index)
            return true;
    return strcmp(ja_path_name(found->path), "MANIFEST.tsv") == 0;
}

static void read_manifest(struct ja_run *run, uint32_t index)
{
    struct ja_found *found = &run->discovery.found[index];
    struct ja_input *input = &run->inputs[index];
    const struct ja_root *root = &run->discovery.roots[found->root];
    const char *name = ja_path_name(found->path);
    const char *folder =
        root->stated ? "" : ja_arena_copy(run->arena, found->path, (size_t)(name - found->path));
    struct ja_bytes bytes;
    const char *why;
    found->role = JA_ROLE_STATEMENT;
    if (!ja_read_found(&run->discovery, found, STATEMENT_BYTES, run->arena, &bytes, &why)) {
        input->evidence = ja_unread(found->path, JA_STATUS_UNREADABLE, why);
        return;
    }
    size_t skip = mark_bytes(&bytes);
    copy_digest(input, &bytes);
    if (!memchr(bytes.memory, 0, bytes.length)) {
        input->evidence = ja_evidence_new(found->path);
        ja_set_kind(input->evidence, JA_KIND_MANIFEST);
        ja_set_status(input->evidence, JA_STATUS_USED, NULL);
        ja_manifest_read(&run->stated, bytes.memory + skip, bytes.length - skip, folder,
                         input->evidence);
        ja_evidence_close(input->evidence);
    } else {
        input->evidence = ja_unread(found->path, JA_STATUS_UNREADABLE, "holds NUL bytes: no text");
    }
    ja_bytes_done(&bytes);
}

/* The found file that a path of the case file names: beside the case file, or as printed. */
static const struct ja_found *found_of(struct ja_run *run, const char *path)
{
    struct stat status;
    const struct ja_found *beside = NULL, *printed = NULL;
    bool exists = stat(beside_case(run, path), &status) == 0;
    for (size_t i = 0; i < run->discovery.found_count; i++) {
        const struct ja_found *found = &run->discovery.found[i];
        if (exists && found->inode == status.st_ino && found->device == status.st_dev)
            beside = found;
        if (strcmp(found->path, path) == 0)
            printed = found;
    }
    if (beside && printed && beside != printed)
        ja_diagnose(run->case_input.evidence, JA_WARNING, "two-files", 0, path,
                    "names a file beside the case file and another one inside a PATH: the former "
                    "is taken");
    return beside ? beside : printed;
}

static void resolve_case_paths(struct ja_run *run)
{
    struct ja_evidence *evidence = run->case_input.evidence;
    for (size_t i = 0; i < run->stated.time_count; i++) {
        struct ja_stated_time *time = &run->stated.times[i];
        const struct ja_found *found = time->from_manifest ? NULL : found_of(run, time->path);
        if (found)
            time->path = found->path;
    }
    for (size_t i = 0; i < run->stated.work_count; i++) {
        struct ja_stated_work *work = &run->stated.work[i];
        const struct ja_found *found = work->file ? found_of(run, work->file) : NULL;
        if (found)
            work->file = found->path;
        else if (work->file)
            ja_diagnose(evidence, JA_ERROR, "no-such-file", 0, work->file,
                        "the work file is neither beside the case file nor inside a PATH");
        if (found && !found->type && ja_parser_named("work_log"))
            run->discovery.found[found - run->discovery.found].type = "work_log";
    }
}

void ja_statements_resolve(struct ja_run *run)
{
    for (uint32_t i = 0; i < run->discovery.found_count; i++)
        if (is_manifest(run, i))
            read_manifest(run, i);
    if (run->case_root != JA_NONE) {
        uint32_t index = run->discovery.roots[run->case_root].found;
        resolve_case_paths(run);
        ja_evidence_close(run->case_input.evidence);
        if (index != JA_NONE && !run->inputs[index].evidence) {
            run->case_input.evidence->path = run->discovery.found[index].path;
            run->inputs[index] = run->case_input;
        }
    }
    ja_stated_settle(&run->stated);
}
