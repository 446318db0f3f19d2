/* SPDX-License-Identifier: MIT
 *
 * The title line of a footprint block, as printed and as people shorten it.
 */
#include "parsers/footprint.h"

#include <string.h>

#include "parsers/scan.h"

static const char word[] = "Footprint:";

/* "NAME [PID]", "NAME [PID] (memgraph)" before the colon; what follows it is "64-bit ...". */
static bool read_who(const char *text, size_t length, struct ja_footprint_title *title)
{
    size_t colon = length;
    while (colon > 0 && text[colon - 1] != ':')
        colon--;
    if (colon < 2)
        return false;
    const char *bits = text + colon;
    size_t bits_length = length - colon, who = colon - 1;
    ja_text_trim(&bits, &bits_length);
    if (bits_length && !ja_text_begins(bits, bits_length, "64-bit") &&
        !ja_text_begins(bits, bits_length, "32-bit"))
        return false;
    title->translated = bits_length > 6;
    static const char memgraph[] = " (memgraph)";
    if (ja_text_ends(text, who, memgraph)) {
        title->memgraph = true;
        who -= sizeof memgraph - 1;
    }
    title->name = text;
    return ja_name_and_pid(text, who, &title->name_length, &title->pid);
}

/* " (16384 bytes per page)" behind the total. */
static void read_page(const char *text, size_t length, struct ja_footprint_title *title)
{
    struct ja_scan scan = ja_scan_of(text, length);
    int64_t page;
    ja_scan_blanks(&scan);
    if (ja_scan_end(&scan))
        return;
    title->edited = true;
    if (!ja_scan_char(&scan, '(') || !ja_scan_u63(&scan, &page))
        return;
    title->edited = !ja_scan_text(&scan, " bytes per page)");
    if (page == 4096 || page == 16384)
        title->page_bytes = page;
}

/* Where the last "Footprint:" of the line stands: a process may be called by that word. length:
 * none. */
static size_t find_word(const char *line, size_t length)
{
    size_t found = length;
    for (size_t at = 0; at < length; at++) {
        at += ja_text_find(line + at, length - at, word);
        if (at < length)
            found = at;
    }
    return found;
}

bool ja_footprint_title(const char *line, size_t length, struct ja_footprint_title *ret)
{
    ja_text_trim(&line, &length);
    size_t at = find_word(line, length);
    if (at == length)
        return false;
    struct ja_footprint_title title = {.pid = JA_UNKNOWN, .page_bytes = JA_UNKNOWN};
    const char *who = line;
    size_t who_length = at;
    ja_text_trim(&who, &who_length);
    title.summary = ja_text_is(who, who_length, "Summary");
    if (!title.summary && !read_who(who, who_length, &title))
        return false;
    const char *rest = line + at + sizeof word - 1;
    size_t rest_length = length - at - (sizeof word - 1);
    ja_text_trim(&rest, &rest_length);
    size_t open = ja_text_find(rest, rest_length, "(");
    read_page(rest + open, rest_length - open, &title);
    struct ja_scan scan = ja_scan_of(rest, rest_length);
    if (!ja_footprint_size(&scan, title.page_bytes, &title.total, &title.oddity))
        return false;
    title.total_text = rest;
    title.total_length = scan.at;
    *ret = title;
    return true;
}
