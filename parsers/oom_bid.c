/* SPDX-License-Identifier: MIT
 *
 * What a kernel log is known by: words of an OOM report, or of a killer in user space; else lines
 * of dmesg's form.
 */
#include "parsers/oom.h"

#include "parsers/scan.h"

#define JOURNAL_BYTES ((size_t)64 * 1024) /* its first lines tell a journal */
#define QUIET_LOG_LINES 8                 /* so many lines of dmesg's form are a kernel log */

static const char *const signatures[] = {
    "invoked oom-killer",
    "oom-kill:constraint=",
    ": Killed process ",
    "sending SIGTERM to process ",
    "total_vm      rss",
    "Killed process ",
    "mem avail:",
    " due to memory pressure for ",
    " due to memory used (",
};

/* Marks of other tools: such a file is cut into pieces, and only the OOM blocks are ours. */
static const char *const others[] = {
    "VmRSS:", "phys_footprint", "MemTotal:",      "%CPU",  "Mach Virtual Memory",
    "VmHWM:", "bug_type",       "Private_Dirty:", "CPU %", "MEM USAGE",
};

static bool has_any(const struct ja_piece *piece, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (ja_text_find(piece->text, piece->length, words[i]) < piece->length)
            return true;
    return false;
}

/* dmesg's own forms: "[   12.345678] ", "[Mon Nov 30 11:45:05 2026] " and
 * "2026-11-30T11:45:05,000000+00:00 ". */
static bool is_dmesg_line(const struct ja_line *line)
{
    const char *text = line->text;
    size_t length = line->length < 40 ? line->length : 40;
    if (length > 26 && text[10] == 'T' && text[19] == ',' && (text[26] == '+' || text[26] == '-'))
        return true;
    if (length > 26 && text[0] == '[' && text[14] == ':' && text[25] == ']')
        return true;
    size_t at = 1;
    while (at < length &&
           (text[at] == ' ' || text[at] == '.' || (text[at] >= '0' && text[at] <= '9')))
        at++;
    return at >= 13 && at < length && text[0] == '[' && text[at] == ']';
}

/* A kernel log that tells of no end of memory: known, so that nobody wonders what it is. */
static bool is_quiet_log(const struct ja_piece *piece)
{
    struct ja_line line;
    size_t at = 0, count = 0;
    int number = 0;
    while (count < QUIET_LOG_LINES && ja_piece_line(piece, &at, &number, &line)) {
        if (!line.length)
            continue;
        if (!is_dmesg_line(&line))
            return false;
        count++;
    }
    return count == QUIET_LOG_LINES;
}

bool oom_has_signature(const struct ja_piece *piece)
{
    return has_any(piece, signatures, sizeof signatures / sizeof *signatures);
}

int oom_bid_file(const struct ja_piece *piece)
{
    size_t near = piece->length < JOURNAL_BYTES ? piece->length : JOURNAL_BYTES;
    if ((ja_text_begins(piece->text, near, "{") && !oom_is_journal(piece->text, near)) ||
        ja_text_begins(piece->text, piece->length, "[{"))
        return 0;
    if (!oom_has_signature(piece))
        return is_quiet_log(piece) ? 52 : 0;
    return has_any(piece, others, sizeof others / sizeof *others) ? 0 : 88;
}

int oom_bid_block(const struct ja_piece *piece)
{
    return oom_has_signature(piece) ? 70 : 0;
}

bool oom_block_begins(const char *line, size_t length)
{
    return ja_text_find(line, length, " invoked oom-killer:") < length;
}
