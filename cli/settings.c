/* SPDX-License-Identifier: MIT
 *
 * What the reports are told beside the case: options for About, sandbox, redaction key, terminal.
 */
#include "cli/run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/jobs.h"
#include "cli/read.h"

#define DEFAULT_COLUMNS 80
#define LEAST_COLUMNS 40
#define MOST_COLUMNS 160
#define KEY_FILE_BYTES JA_MIB

bool ja_redaction_prepare(struct ja_run *run)
{
    const char *path = run->options->redact_key, *why;
    struct ja_bytes bytes;
    if (!path)
        return true;
    if (!ja_read_path(path, KEY_FILE_BYTES, run->arena, &bytes, &why)) {
        ja_complain("%s: %s (--redact-key)", path, why);
        return false;
    }
    bool good = bytes.length > 0;
    if (!good)
        ja_complain("%s: an empty key protects nothing (--redact-key)", path);
    memcpy(run->redact_key, bytes.sha256, sizeof run->redact_key);
    ja_bytes_done(&bytes);
    return good;
}

static int compare_hashes(const void *a, const void *b)
{
    return memcmp(a, b, 65);
}

/* Without a key file: SHA-256 over the sources' hashes, in their order as text. */
static void key_of_sources(const struct ja_run *run, char ret_hex[65])
{
    size_t count = run->discovery.found_count;
    char(*hashes)[65] = ja_arena_alloc(run->arena, count + 1, sizeof *hashes);
    for (size_t i = 0; i < count; i++)
        memcpy(hashes[i], run->inputs[i].sha256, sizeof hashes[i]);
    qsort(hashes, count, sizeof *hashes, compare_hashes);
    ja_hash_bytes(hashes, count * sizeof *hashes, ret_hex);
}

static unsigned char digit(char c)
{
    return (unsigned char)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static void set_key(const struct ja_run *run, struct ja_report_options *report)
{
    char hex[65];
    memcpy(hex, run->redact_key, sizeof hex);
    if (!*hex)
        key_of_sources(run, hex);
    for (size_t i = 0; i < sizeof report->redact_key; i++)
        report->redact_key[i] = (unsigned char)(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
}

static bool wants_color(const struct ja_options *options)
{
    if (options->color != JA_CHOICE_AUTO)
        return options->color == JA_CHOICE_ON;
    const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && !(none && *none) &&
           !(terminal && strcmp(terminal, "dumb") == 0);
}

static int columns(void)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < LEAST_COLUMNS)
        return DEFAULT_COLUMNS;
    return size.ws_col < MOST_COLUMNS ? size.ws_col : MOST_COLUMNS;
}

struct ja_report_options ja_report_settings(const struct ja_run *run)
{
    struct ja_report_options report = {
        .options_text = run->options->result_text ? run->options->result_text : "",
        .sandbox = run->sandbox,
        .redact = run->options->redact,
        .color = wants_color(run->options),
        .width = columns(),
        .verbose = run->options->verbose,
        .run = ja_jobs_run_silent,
    };
    if (report.redact)
        set_key(run, &report);
    return report;
}
