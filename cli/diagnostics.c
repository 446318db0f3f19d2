/* SPDX-License-Identifier: MIT
 *
 * What parsers and the model noticed, on standard error:
 *   jetsam-audit: dir/x.ips:$.processes[12].rpages: error: not a whole number, left out
 * [bad-number]
 */
#include "cli/run.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SHOWN_PER_CODE 5
#define SHOWN_IN_ALL 12 /* the summary shall still be on the screen */

/* Names come from evidence: nothing that a terminal would act on leaves here. */
static void put_visible(FILE *stream, const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c < 0x20 || *c == 0x7f || *c >= 0x80)
            fprintf(stream, "\\x%02x", *c);
        else
            putc(*c, stream);
    }
}

void ja_complain(const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fputs("jetsam-audit: ", stderr);
    put_visible(stderr, text);
    putc('\n', stderr);
}

static void print_one(const struct ja_evidence *evidence, const struct ja_diagnostic *diagnostic)
{
    fputs("jetsam-audit: ", stderr);
    put_visible(stderr, evidence->path);
    if (diagnostic->line > 0)
        fprintf(stderr, ":%d", diagnostic->line);
    if (diagnostic->place) {
        putc(':', stderr);
        put_visible(stderr, diagnostic->place);
    }
    fprintf(stderr, ": %s: ", ja_level_word(diagnostic->level));
    put_visible(stderr, diagnostic->text);
    fprintf(stderr, " [%s]\n", diagnostic->code);
}

struct tally {
    const struct ja_options *options;
    size_t shown;  /* lines printed of all files */
    size_t hidden; /* lines that there was no room for */
};

static bool is_wanted(const struct ja_options *options, enum ja_level level)
{
    if (options->quiet)
        return level >= JA_ERROR;
    return options->verbose || level >= JA_WARNING;
}

/* How many of the diagnostics before this one have its code. */
static size_t earlier_equals(const struct ja_evidence *evidence, size_t index)
{
    size_t count = 0;
    for (size_t i = 0; i < index && count <= SHOWN_PER_CODE; i++)
        count += strcmp(evidence->diagnostics[i].code, evidence->diagnostics[index].code) == 0;
    return count;
}

static void print_file(struct tally *tally, const struct ja_evidence *evidence)
{
    bool all = tally->options->verbose;
    size_t skipped = 0;
    for (size_t i = 0; i < evidence->diagnostic_count; i++) {
        const struct ja_diagnostic *diagnostic = &evidence->diagnostics[i];
        if (!is_wanted(tally->options, diagnostic->level))
            continue;
        if (!all && tally->shown >= SHOWN_IN_ALL) {
            tally->hidden++;
        } else if (!all && earlier_equals(evidence, i) >= SHOWN_PER_CODE) {
            skipped++;
        } else {
            print_one(evidence, diagnostic);
            tally->shown++;
        }
    }
    if (skipped) {
        fputs("jetsam-audit: ", stderr);
        put_visible(stderr, evidence->path);
        fprintf(stderr, ": %zu more of the same kinds (-v shows them)\n", skipped);
        tally->shown++;
    }
}

void ja_diagnostics_print(const struct ja_run *run)
{
    struct tally tally = {.options = run->options};
    for (size_t i = 0; i < run->discovery.found_count; i++)
        print_file(&tally, run->inputs[i].evidence);
    if (tally.hidden)
        fprintf(stderr, "jetsam-audit: %zu more diagnostics (-v shows them)\n", tally.hidden);
    if (run->discovery.left_out)
        fprintf(stderr, "jetsam-audit: %zu files beyond --max-files (%zu) were left out\n",
                run->discovery.left_out, run->discovery.max_files);
}
