/* SPDX-License-Identifier: MIT */
#include "parsers/panic_flat.h"

#include <string.h>

/* The kernel's own panic region is below 1 MiB; what lies behind that is no panic text. */
#define FLAT_BYTES ((size_t)2 << 20)

/* What follows the panic string in a log, in any system version. */
static const char *const parts[] = {
    "Debugger message:",
    "Memory ID:",
    "OS release type:",
    "OS version:",
    "Kernel version:",
    "Mac OS version:",
    "Compressor Info:",
    "Panicked task",
    "Panicked thread",
    "Backtrace (CPU",
    "Kernel Extensions in backtrace",
    "service: ",
    "RTKit:",
    "BSD process name",
    "mach_absolute_time:",
    "Epoch Time:",
    "** Stackshot",
    "Zone info:",
    "CORE ",
    "Boot session UUID",
    "Total cpu_usage:",
    "last started kext",
    "last loaded kext",
    "loaded kexts:",
    "iBoot version:",
    "CR0:",
    "System uptime in",
};

static bool blank(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static size_t strip(const char *text, size_t length, char *to, uint32_t *origin)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++) {
        bool nbsp =
            (unsigned char)text[i] == 0xC2 && i + 1 < length && (unsigned char)text[i + 1] == 0xA0;
        if (nbsp || blank((unsigned char)text[i])) {
            i += nbsp;
            if (count && to[count - 1] != ' ') {
                origin[count] = (uint32_t)i;
                to[count++] = ' ';
            }
            continue;
        }
        origin[count] = (uint32_t)i;
        to[count++] = text[i];
    }
    return count;
}

/* A log's block begins on a line of its own; joined to the line before, the text was re-wrapped. */
static bool rewrapped(const struct ja_flat *flat)
{
    static const char *const heads[] = {"Memory ID:", "Kernel version:", "Epoch Time:"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        size_t at = ja_text_find(flat->text, flat->length, heads[i]);
        if (at == 0 || at == flat->length)
            continue;
        size_t from = flat->origin[at];
        while (from > 0 && (flat->log->text[from - 1] == ' ' || flat->log->text[from - 1] == '\t'))
            from--;
        return from > 0 && flat->log->text[from - 1] != '\n' && flat->log->text[from - 1] != '\r';
    }
    return false;
}

struct ja_flat ja_flat_make(struct ja_parse *parse, uint32_t record, const struct ja_panic_log *log)
{
    size_t length = log->length < FLAT_BYTES ? log->length : FLAT_BYTES;
    struct ja_flat flat = {.log = log, .parse = parse, .record = record, .json_place = JA_NONE};
    flat.text = ja_arena_alloc(parse->scratch, length + 1, 1);
    flat.origin = ja_arena_alloc(parse->scratch, length + 1, sizeof *flat.origin);
    flat.length = strip(log->text, length, flat.text, flat.origin);
    flat.origin[flat.length] = (uint32_t)length;
    flat.rewrapped = rewrapped(&flat);
    return flat;
}

bool ja_flat_after(const struct ja_flat *flat, size_t from, const char *token, size_t *ret)
{
    if (from >= flat->length)
        return false;
    size_t left = flat->length - from;
    size_t at = ja_text_find(flat->text + from, left, token);
    if (at >= left)
        return false;
    *ret = from + at + strlen(token);
    return true;
}

struct ja_scan ja_flat_scan(const struct ja_flat *flat, size_t at)
{
    struct ja_scan scan = ja_scan_of(flat->text, flat->length);
    scan.at = at < flat->length ? at : flat->length;
    return scan;
}

bool ja_flat_number(struct ja_scan *scan, int64_t *ret)
{
    struct ja_scan at = *scan;
    int64_t value;
    if (!ja_scan_u63(&at, &value) || ja_scan_end(&at))
        return false;
    *scan = at;
    *ret = value;
    return true;
}

size_t ja_flat_part_end(const struct ja_flat *flat, size_t at)
{
    size_t end = flat->length;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && at < end; i++) {
        size_t found = ja_text_find(flat->text + at, end - at, parts[i]);
        if (at + found < end)
            end = at + found;
    }
    return end;
}

size_t ja_flat_line_end(const struct ja_flat *flat, size_t at)
{
    size_t end = ja_flat_part_end(flat, at);
    if (flat->rewrapped || at >= end)
        return end;
    uint32_t stop = flat->origin[at];
    while (stop < flat->origin[end] && flat->log->text[stop] != '\n' &&
           flat->log->text[stop] != '\r')
        stop++;
    if (stop == flat->origin[end])
        return end;
    size_t low = at, high = end; /* first byte that stood behind the line's end */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (flat->origin[middle] < stop)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const char *ja_flat_copy(const struct ja_flat *flat, size_t from, size_t to)
{
    if (from >= to)
        return NULL;
    const char *text = flat->text + from;
    size_t length = to - from;
    ja_text_trim(&text, &length);
    return length ? ja_arena_copy(flat->parse->scratch, text, length) : NULL;
}

uint32_t ja_flat_place(struct ja_flat *flat, size_t at)
{
    struct ja_evidence *evidence = flat->parse->evidence;
    if (flat->log->json_path) {
        if (flat->json_place == JA_NONE)
            flat->json_place = ja_add_place_json(evidence, flat->log->json_path, -1, -1, NULL);
        return flat->json_place;
    }
    int line = flat->log->first_line;
    size_t stop = flat->origin[at < flat->length ? at : flat->length];
    for (size_t i = 0; i < stop; i++)
        line += flat->log->text[i] == '\n';
    return ja_add_place_line(evidence, line);
}

void ja_flat_fact(struct ja_flat *flat, size_t at, enum ja_fact_key key, int64_t value,
                  const char *text)
{
    ja_add_fact(flat->parse->evidence, flat->record, key, value, text, ja_flat_place(flat, at));
}
