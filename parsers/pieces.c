/* SPDX-License-Identifier: MIT */
#include "parsers/pieces.h"

#include <string.h>

#include "parsers/scan.h"
#include "parsers/stamp.h"
#include "parsers/stamp_parts.h"

#define LONGEST_BLOCK_LINE ((size_t)64 * 1024) /* longer lines begin no block */
#define LONGEST_BANNER 200
#define LONGEST_STAMPED 400
#define MOST_PIECES 1000000

static bool blank_text(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] != ' ' && text[i] != '\t' && text[i] != '\n' && text[i] != '\r')
            return false;
    return true;
}

struct cutter {
    const struct ja_file *file;
    const char *text;
    size_t length;
    struct ja_evidence *evidence;
    struct ja_arena *arena;
    struct ja_pieces *pieces;
    struct ja_piece next; /* being collected: begins at next.text */
    bool filled;          /* it has a line with text */
    bool header_above;    /* the line above is the first of a top sample */
};

static void end_piece(struct cutter *c, const char *end)
{
    if (c->filled && c->pieces->count < MOST_PIECES) {
        c->next.length = (size_t)(end - c->next.text);
        *JA_APPEND(c->arena, c->pieces->items, c->pieces->count, c->pieces->capacity) = c->next;
    }
    c->filled = false;
}

static void start_piece(struct cutter *c, const char *text, int line)
{
    c->next.text = text;
    c->next.first_line = line;
}

/* A line of nothing but ten digits may be an epoch or a count of bytes: it is a stamp only above
 * something that is no such line. */
static bool lonely_number(const struct cutter *c, const char *line, size_t length, size_t after)
{
    const char *text = line;
    ja_text_trim(&text, &length);
    struct ja_scan scan = ja_scan_of(text, length);
    if (ja_stamp_run(&scan, 0) != length)
        return false;
    for (size_t at = after; at < c->length;) {
        size_t end = ja_line_end(c->text, c->length, at);
        text = c->text + at;
        length = end - at;
        ja_text_trim(&text, &length);
        if (length) {
            scan = ja_scan_of(text, length);
            return ja_stamp_run(&scan, 0) == length;
        }
        at = end + 1;
    }
    return true;
}

/* "=== text ===", "==> text <==" without a clock in it: names what follows. */
static bool label_line(const char **text, size_t *length)
{
    ja_text_trim(text, length);
    if (*length < 6 || *length > LONGEST_BANNER)
        return false;
    char first = (*text)[0], last = (*text)[*length - 1];
    bool closed = first == last ? (*text)[*length - 2] == last : first == '=' && last == '<';
    if (!closed || (*text)[1] != first || ja_text_find(*text, *length, "[ cut here ]") < *length ||
        ja_text_begins(*text, *length, "--procs--")) /* vmstat -w */
        return false;
    return ja_banner_inside(text, length);
}

/* "root@db:~# cat /proc/812/smaps_rollup": one file of /proc printed at a prompt. */
static bool prompt_line(const char **text, size_t *length)
{
    static const char *const prompts[] = {"$ cat ", "# cat ", "$ sudo cat ", "> cat "};
    ja_text_trim(text, length);
    if (*length > LONGEST_BANNER || memchr(*text, ';', *length) || memchr(*text, '|', *length) ||
        ja_text_find(*text, *length, " /proc/") == *length)
        return false;
    for (size_t i = 0; i < sizeof prompts / sizeof prompts[0]; i++)
        if (ja_text_find(*text, *length, prompts[i]) < *length)
            return true;
    return false;
}

static void set_label(struct cutter *c, const char *label, size_t length)
{
    c->next.label = length ? label : NULL;
    c->next.label_length = length;
}

/* Handles stamps and banners; false when the line is neither. */
static bool cut_at_banner(struct cutter *c, const char *line, size_t length, int number,
                          size_t after)
{
    struct ja_stamp stamp;
    const char *label;
    size_t label_length;
    if (ja_stamp_banner(line, length, c->evidence->arena, &stamp, &label, &label_length) &&
        !lonely_number(c, line, length, after)) {
        bool inside = c->header_above;
        if (!inside)
            end_piece(c, line);
        c->next.stamp = ja_add_stamp(c->evidence, &stamp);
        if (inside)
            return true; /* top prints its clock as the second line of its own block */
        set_label(c, label, label_length);
    } else {
        label = line;
        label_length = length;
        if (!label_line(&label, &label_length) && !prompt_line(&label, &label_length))
            return false;
        end_piece(c, line);
        set_label(c, label, label_length);
    }
    start_piece(c, c->text + after, number + 1);
    return true;
}

/* How lines of Apple's tools begin that speak for themselves, or are a tool's first, so that
 * scripts print them behind a clock. */
static const char *const lone_starts[] = {
    "phys_footprint:",
    "Physical footprint:",
    "vm.swapusage",
    "total = ",
    "kern.memorystatus_",
    "System-wide memory free percentage:",
    "Mach Virtual Memory Statistics:",
    "The system has ",
    "==============================", /* the rule above footprint's title */
};

/* The title itself: "Python [53213]: 64-bit    Footprint: 108 GB". */
static const char title_mark[] = "]: 64-bit";

static bool lone_tool_line(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof lone_starts / sizeof *lone_starts; i++)
        if (ja_text_begins(text, length, lone_starts[i]))
            return true;
    size_t bits = ja_text_find(text, length, title_mark);
    return bits < length && ja_text_find(text + bits, length - bits, "Footprint:") < length - bits;
}

/* Cheaper than to read a clock, on the many lines that hold none of these anywhere. */
static bool may_hold_tool_line(const char *line, size_t length)
{
    for (size_t i = 0; i < sizeof lone_starts / sizeof *lone_starts; i++)
        if (ja_text_find(line, length, lone_starts[i]) < length)
            return true;
    return ja_text_find(line, length, title_mark) < length;
}

/* The clock reads as it did for the lines above: they are of one moment. */
static bool same_stamp(const struct cutter *c, const struct ja_stamp *stamp)
{
    if (c->next.stamp == JA_NONE)
        return false;
    const char *last = c->evidence->stamps[c->next.stamp].text;
    return last && stamp->text && strcmp(last, stamp->text) == 0;
}

/* "2026-06-11T10:04:59Z vm.swapusage: total = ...": a tool's line behind the clock reading that a
 * script put before it begins a piece of that moment. */
static bool cut_behind_stamp(struct cutter *c, const char *line, size_t length, int number)
{
    struct ja_stamp stamp;
    size_t used;
    if (length > LONGEST_STAMPED || !may_hold_tool_line(line, length) ||
        !ja_stamp_prefix(line, length, c->evidence->arena, &stamp, &used) ||
        (stamp.parts & JA_STAMP_BOOT))
        return false;
    while (used < length && strchr(" \t|,;-", line[used]))
        used++;
    if (!lone_tool_line(line + used, length - used))
        return false;
    end_piece(c, line);
    if (!same_stamp(c, &stamp))
        c->next.stamp = ja_add_stamp(c->evidence, &stamp);
    set_label(c, NULL, 0);
    start_piece(c, line + used, number);
    c->filled = true;
    return true;
}

static void cut_line(struct cutter *c, size_t at, size_t end, int number,
                     bool (*begins)(const char *line, size_t length))
{
    const char *line = c->text + at;
    size_t length = end - at;
    if (blank_text(line, length))
        return;
    size_t after = end < c->length ? end + 1 : end;
    bool shortish = length <= LONGEST_BLOCK_LINE;
    bool cut = shortish && cut_at_banner(c, line, length, number, after);
    c->header_above = ja_text_begins(line, length, "Processes: ") && shortish &&
                      ja_text_find(line, length, " total") < length;
    if (cut || cut_behind_stamp(c, line, length, number))
        return;
    if (shortish && begins(line, length)) {
        end_piece(c, line);
        start_piece(c, line, number);
    }
    c->filled = true;
}

void ja_cut(const struct ja_file *file, const char *text, size_t length,
            bool (*begins)(const char *line, size_t length), struct ja_evidence *evidence,
            struct ja_arena *arena, struct ja_pieces *ret)
{
    struct cutter c = {
        .file = file,
        .text = text,
        .length = length,
        .evidence = evidence,
        .arena = arena,
        .pieces = ret,
        .next = {.file = file, .text = text, .first_line = 1, .stamp = JA_NONE},
    };
    *ret = (struct ja_pieces){.items = NULL};
    if (ja_is_json(text, length)) {
        c.filled = c.next.whole = true;
        end_piece(&c, text + length);
        return;
    }
    int number = 1;
    for (size_t at = 0; at < length; number++) {
        size_t end = ja_line_end(text, length, at);
        cut_line(&c, at, end, number, begins);
        at = end + 1;
    }
    end_piece(&c, text + length);
    if (ret->count == 1)
        ret->items[0].whole = blank_text(text, (size_t)(ret->items[0].text - text));
    if (ret->count == MOST_PIECES)
        ja_diagnose(evidence, JA_WARNING, "too-many-pieces", 0, NULL,
                    "more than %d blocks in one file: the rest was left out", MOST_PIECES);
}
