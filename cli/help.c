/* SPDX-License-Identifier: MIT
 *
 * --help, printed from the option table, and the nearest word to a mistyped one.
 */
#include "cli/options.h"

#include <string.h>

#define HELP_COLUMN 28
#define WORD_BYTES 32

static const char introduction[] =
    "Usage: jetsam-audit [options] PATH...\n"
    "\n"
    "Reads saved memory evidence (Jetsam and panic reports, footprint and vmmap dumps, Linux "
    "/proc\n"
    "snapshots, OOM logs, ps and top output ...) and says what it proves, fits and cannot tell.\n"
    "PATH is a folder, a file, or - for one file on standard input. Nothing below a PATH is "
    "changed.\n"
    "\n"
    "Examples\n"
    "  jetsam-audit /Library/Logs/DiagnosticReports     summary, and a report folder beside you\n"
    "  jetsam-audit -n dumps/                           the summary only\n"
    "  jetsam-audit --json dumps/ | jq .findings        for scripts\n"
    "  jetsam-audit --case case.json -o audit dumps/    with what you know of the machine\n"
    "  jetsam-audit --before old/ --after new/ --max-delta 100MB --min-work 200 new/\n"
    "                                                   was the fix effective?\n"
    "  dmesg -T | jetsam-audit --type oom_log -         one file from another program\n";

static const char closing[] =
    "\n"
    "Exit status: 0 done; 1 something named by --fail-on was found; 2 usage; 3 no evidence was\n"
    "recognised; 4 damaged input and --fail-on damaged; 5 an output could not be written;\n"
    "6 internal error, or --sandbox=require was not met.\n"
    "SIZE is read like the tools print it: KB, MB, GB and KiB, MiB, GiB are powers of 1024.\n";

static void print_row(FILE *stream, const struct ja_option_row *row)
{
    char left[80];
    char letter[8] = "    ";
    if (row->letter)
        snprintf(letter, sizeof letter, "-%c, ", row->letter);
    const char *joint = !row->argument ? "" : strchr(row->argument, '|') ? "=" : " ";
    int length = snprintf(left, sizeof left, "  %s--%s%s%s", letter, row->name, joint,
                          row->argument ? row->argument : "");
    if (length >= HELP_COLUMN)
        fprintf(stream, "%s\n%*s%s\n", left, HELP_COLUMN, "", row->help);
    else
        fprintf(stream, "%-*s%s\n", HELP_COLUMN, left, row->help);
}

void ja_options_help(FILE *stream)
{
    fputs(introduction, stream);
    for (const struct ja_option_row *row = ja_option_rows; row->name || row->help; row++) {
        if (row->name)
            print_row(stream, row);
        else
            fprintf(stream, "\n%s\n", row->help);
    }
    fputs(closing, stream);
}

/* Edits (insert, remove, replace, swap neighbours) from a to b, both shorter than WORD_BYTES. */
static size_t distance(const char *a, const char *b)
{
    size_t rows[3][WORD_BYTES + 1];
    size_t length = strlen(b);
    for (size_t j = 0; j <= length; j++)
        rows[0][j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t *now = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= length; j++) {
            size_t best = last[j - 1] + (a[i - 1] != b[j - 1]);
            if (last[j] + 1 < best)
                best = last[j] + 1;
            if (now[j - 1] + 1 < best)
                best = now[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            now[j] = best;
        }
    }
    return rows[strlen(a) % 3][length];
}

const char *ja_nearest_word(const char *word, const char *const *words)
{
    size_t length = strlen(word);
    if (length < 2 || length >= WORD_BYTES)
        return NULL;
    const char *nearest = NULL;
    size_t least = 1 + length / 3; /* more edits than that are another word */
    for (; *words; words++) {
        if (strlen(*words) >= WORD_BYTES)
            continue;
        size_t edits = distance(word, *words);
        if (edits < least || (edits == least && !nearest)) {
            least = edits;
            nearest = *words;
        }
    }
    return nearest;
}
