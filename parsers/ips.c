/* SPDX-License-Identifier: MIT
 *
 * The frame of every Apple report, see ips.h. Seen: iOS 8 to 27, macOS 12 to 27.
 *   {"bug_type":"298","timestamp":"2026-03-14 09:26:53.00 +0100","os_version":"iPhone OS 18.3
 *    (22D63)","roots_installed":0,"incident_id":"7928C6A1-..."}
 * bug_type says what the body is. incident_id makes copies (.synced, Retired/) recognisable; old
 * headers have none, then the body's "incident" stands in. Other keys of the header (app_version,
 * slice_uuid, share_with_app_devs ...) say nothing of memory and are left out.
 */
#include "parsers/ips.h"

#include <string.h>

#include "parsers/scan.h"
#include "parsers/stamp.h"

#define SEARCH_BYTES ((size_t)256 * 1024) /* the header stands at the start */
#define HEADER_BYTES ((size_t)16 * 1024)  /* longer objects are no headers */

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

size_t ja_ips_balanced(const char *text, size_t length)
{
    size_t depth = 0;
    bool string = false;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (string) {
            if (c == '\\')
                i++;
            else if (c == '"' || c == '\n')
                string = false; /* JSON strings do not cross lines: a lost quote ends here */
        } else if (c == '"') {
            string = true;
        } else if (c == '{' || c == '[') {
            depth++;
        } else if ((c == '}' || c == ']') && --depth == 0) {
            return i + 1;
        }
    }
    return 0;
}

/* The value behind a key's closing quote at text[at]. */
static bool value_at(const char *text, size_t length, size_t at, struct ja_slice *ret,
                     bool *ret_quoted)
{
    while (at < length && blank(text[at]))
        at++;
    if (at >= length || text[at] != ':')
        return false;
    at++;
    while (at < length && blank(text[at]))
        at++;
    bool quoted = at < length && text[at] == '"';
    size_t start = at += quoted;
    if (quoted) {
        while (at < length && text[at] != '"' && text[at] != '\n')
            at += text[at] == '\\' && at + 1 < length ? 2 : 1;
        if (at >= length || text[at] != '"')
            return false;
    } else {
        while (at < length && !blank(text[at]) && !strchr(",}]{[\"", text[at]))
            at++;
        if (at >= length || at == start)
            return false;
    }
    *ret = (struct ja_slice){text + start, at - start};
    if (ret_quoted)
        *ret_quoted = quoted;
    return true;
}

bool ja_ips_find(const char *text, size_t length, const char *key, struct ja_slice *ret,
                 bool *ret_quoted)
{
    size_t key_length = strlen(key);
    size_t at = 0;
    while (at < length) {
        const char *quote = memchr(text + at, '"', length - at);
        if (!quote)
            return false;
        size_t begin = (size_t)(quote - text) + 1;
        size_t end = begin + key_length;
        if (end < length && text[end] == '"' && memcmp(text + begin, key, key_length) == 0 &&
            value_at(text, length, end + 1, ret, ret_quoted))
            return true;
        at = begin;
    }
    return false;
}

static size_t line_start(const char *text, size_t at)
{
    while (at > 0 && text[at - 1] != '\n')
        at--;
    return at;
}

static size_t line_end(const char *text, size_t length, size_t at)
{
    const char *end = memchr(text + at, '\n', length - at);
    return end ? (size_t)(end - text) : length;
}

static bool has(const char *text, size_t length, const char *needle)
{
    return ja_text_find(text, length, needle) < length;
}

/* An object that says only what the report is, and nothing of its content. */
static bool is_header(const char *text, size_t length)
{
    static const char *const body_keys[] = {"\"memoryStatus\"",     "\"processes\"",
                                            "\"panicString\"",      "\"processByPid\"",
                                            "\"crashReporterKey\"", "\"product\""};
    if (length > HEADER_BYTES)
        return false;
    for (size_t i = 0; i < sizeof body_keys / sizeof *body_keys; i++)
        if (has(text, length, body_keys[i]))
            return false;
    return has(text, length, "bug_type\"");
}

/* Where the object that holds text[at] at its first level begins: the brace on the same line
 * before it, or the nearest line above that begins with one. */
static bool opening(const char *text, size_t at, size_t *ret)
{
    size_t start = line_start(text, at);
    for (int lines = 0; lines < 64; lines++) {
        size_t i = start;
        while (i < at && blank(text[i]))
            i++;
        if (i < at && text[i] == '{') {
            *ret = i;
            return true;
        }
        if (start == 0)
            return false;
        start = line_start(text, start - 1);
    }
    return false;
}

static bool dated(const char *text, size_t length)
{
    return has(text, length, "timestamp\"") || has(text, length, "os_version\"");
}

/* The header that holds the bug_type" at text[at]: where it begins and ends. */
static enum ja_ips_header header_at(const char *text, size_t length, size_t at, size_t *ret_start,
                                    size_t *ret_end)
{
    size_t start = line_start(text, at), end = line_end(text, length, at), open;
    bool found = opening(text, at, &open);
    *ret_start = found ? open : start;
    *ret_end = end;
    size_t near =
        found && length - open > HEADER_BYTES ? HEADER_BYTES : length - (found ? open : 0);
    size_t size = found ? ja_ips_balanced(text + open, near) : 0;
    if (size && open + size > at && is_header(text + open, size)) {
        *ret_end = open + size;
        return *ret_end <= end && open >= start ? JA_IPS_LINE : JA_IPS_PRETTY;
    }
    size_t last = end;
    while (last > start && blank(text[last - 1]))
        last--;
    if (found && (open < start || text[last - 1] == ','))
        return JA_IPS_MERGED; /* inside a larger object */
    if (dated(text + start, end - start) && is_header(text + start, end - start))
        return JA_IPS_TORN; /* a brace is lost, the line is not */
    if (found)
        return JA_IPS_MERGED;
    /* Pretty-printed without its first brace: a run of lines up to the '}'. */
    near = length - start < HEADER_BYTES ? length - start : HEADER_BYTES;
    const char *close = memchr(text + start, '}', near);
    size = close ? (size_t)(close - text) + 1 - start : 0;
    if (!size || !dated(text + start, size) || !is_header(text + start, size))
        return JA_IPS_MERGED;
    *ret_end = start + size;
    return JA_IPS_TORN;
}

/* Sets header, start and body from the place where bug_type" stands. */
static void frame(const char *text, size_t length, size_t at, struct ja_ips *ret)
{
    size_t start, end;
    ret->header = header_at(text, length, at, &start, &end);
    if (ret->header == JA_IPS_MERGED)
        return;
    ret->start = start;
    ret->body = (struct ja_slice){text + end, length - end};
}

size_t ja_ips_next(const char *text, size_t length, size_t from)
{
    const size_t begin = from;
    int tries = 256, headers = 0;
    while (from < length) {
        size_t at = from + ja_text_find(text + from, length - from, "bug_type\"");
        if (at >= length)
            return length;
        size_t start = line_start(text, at), end = line_end(text, length, at), open;
        bool line = end - start <= HEADER_BYTES && dated(text + start, end - start) &&
                    is_header(text + start, end - start);
        if (!line && end - start <= HEADER_BYTES && tries-- > 0)
            line = header_at(text, length, at, &start, &open) == JA_IPS_PRETTY &&
                   dated(text + start, open - start);
        else if (line && opening(text, at, &open) && open > start)
            start = open;
        if (line && headers++ > 0 && start > begin)
            return start;
        from = end;
    }
    return length;
}

static int count_lines(const char *text, size_t length)
{
    int lines = 0;
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    return lines;
}

static void read_keys(const struct ja_slice *head, struct ja_ips *ret)
{
    ja_ips_find(head->text, head->length, "timestamp", &ret->timestamp, NULL);
    ja_ips_find(head->text, head->length, "os_version", &ret->os_version, NULL);
    ja_ips_find(head->text, head->length, "incident_id", &ret->incident_id, NULL);
    if (ret->header != JA_IPS_MERGED &&
        !ja_ips_find(head->text, head->length, "name", &ret->name, NULL))
        ja_ips_find(head->text, head->length, "app_name", &ret->name, NULL);
}

static bool has_header(const struct ja_ips *ips)
{
    return ips->header != JA_IPS_NONE && ips->header != JA_IPS_MERGED;
}

bool ja_ips_split(const char *text, size_t length, struct ja_ips *ret)
{
    *ret = (struct ja_ips){.body = {text, length}, .text = text};
    size_t search = length < SEARCH_BYTES ? length : SEARCH_BYTES;
    size_t at = ja_text_find(text, search, "bug_type\"");
    if (at < search) {
        frame(text, length, at, ret);
        /* The first key may have lost its own quote with the brace: bug_type":"298" */
        value_at(text, length, at + strlen("bug_type\""), &ret->bug_type, NULL);
        struct ja_slice head = {text + ret->start, (size_t)(ret->body.text - text) - ret->start};
        if (ret->header == JA_IPS_MERGED)
            head = (struct ja_slice){
                ret->body.text, ret->body.length < HEADER_BYTES ? ret->body.length : HEADER_BYTES};
        read_keys(&head, ret);
    }
    if (!ret->incident_id.text) {
        size_t near = ret->body.length < SEARCH_BYTES ? ret->body.length : SEARCH_BYTES;
        ja_ips_find(ret->body.text, near, "incident", &ret->incident_id, NULL);
    }
    ret->body_line = count_lines(text, (size_t)(ret->body.text - text));
    return has_header(ret);
}

bool ja_ips_of(const struct ja_piece *piece, struct ja_ips *ret)
{
    if (!piece->ips || piece->ips->text != piece->text)
        return ja_ips_split(piece->text, piece->length, ret);
    *ret = *piece->ips;
    return has_header(ret);
}

bool ja_ips_is(const struct ja_ips *ips, const char *bug_type)
{
    return ips->bug_type.text && ja_text_is(ips->bug_type.text, ips->bug_type.length, bug_type);
}

char *ja_ips_text(const struct ja_slice *slice, struct ja_arena *arena)
{
    if (!slice->text)
        return NULL;
    char *copy = ja_arena_copy(arena, slice->text, slice->length);
    size_t to = 0;
    for (size_t i = 0; i < slice->length; i++) {
        char c = copy[i];
        char next = i + 1 < slice->length ? copy[i + 1] : '\0';
        if (c == '\\' && (next == '/' || next == '"' || next == '\\')) {
            c = next;
            i++;
        } else if (c == '\\' && (next == 'n' || next == 't')) {
            c = next == 'n' ? '\n' : '\t';
            i++;
        }
        copy[to++] = c;
    }
    copy[to] = '\0';
    return copy;
}

uint32_t ja_ips_stamp(const struct ja_slice *slice, const char *place, struct ja_parse *parse)
{
    struct ja_stamp stamp = {0};
    if (!slice->text)
        return JA_NONE;
    if (!ja_stamp_exact(slice->text, slice->length, parse->evidence->arena, &stamp)) {
        ja_diagnose(parse->evidence, JA_WARNING, "bad-time", 0, place,
                    "not a date and time: \"%.*s\", left out",
                    slice->length < 60 ? (int)slice->length : 60, slice->text);
        return JA_NONE;
    }
    stamp.clock = JA_CLOCK_REPORT;
    return ja_add_stamp(parse->evidence, &stamp);
}

void ja_ips_apply(const struct ja_ips *ips, struct ja_parse *parse)
{
    struct ja_evidence *evidence = parse->evidence;
    if (!evidence->bug_type)
        evidence->bug_type = ja_ips_text(&ips->bug_type, evidence->arena);
    if (!evidence->os)
        evidence->os = ja_ips_text(&ips->os_version, evidence->arena);
    if (!evidence->incident_id)
        evidence->incident_id = ja_ips_text(&ips->incident_id, evidence->arena);
    if (evidence->written == JA_NONE)
        evidence->written = ja_ips_stamp(&ips->timestamp, "$.timestamp", parse);
}
