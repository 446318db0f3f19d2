/* SPDX-License-Identifier: MIT */
#include "parsers/stamp.h"

#include <string.h>

#include "parsers/stamp_parts.h"
#include "parsers/stamp_words.h"

#define LONGEST_LINE 200 /* bytes of a line that can be a stamp */
#define BANNER_WORDS 8   /* words of a banner that may stand before its stamp */

static char peek(const struct ja_scan *scan)
{
    return scan->at < scan->length ? scan->text[scan->at] : '\0';
}

/* What may stand between a date and its time. */
static void between(struct ja_scan *scan)
{
    if (ja_scan_char(scan, 'T') || ja_scan_char(scan, '_') || ja_scan_char(scan, ':'))
        return;
    if (peek(scan) == '-' && ja_stamp_run(scan, scan->at + 1) == 2) {
        scan->at++; /* "2026-11-30-10:00:00" */
        return;
    }
    ja_scan_char(scan, ',');
    ja_scan_blanks(scan);
    if (ja_scan_text(scan, "at "))
        ja_scan_blanks(scan);
}

/* "ma 30.11.2026", "西元2026年" */
static void skip_weekday(struct ja_scan *scan)
{
    struct ja_scan copy = *scan;
    const char *word;
    size_t length;
    if (ja_scan_text(scan, "西元") || !ja_scan_word(&copy, &word, &length))
        return;
    if (length && word[length - 1] == ',')
        length--;
    if (!ja_weekday_word(word, length))
        return;
    ja_scan_blanks(&copy);
    *scan = copy;
}

static bool numeric(struct ja_scan *scan, struct ja_stamp *stamp)
{
    struct ja_scan copy = *scan;
    struct ja_stamp found = *stamp;
    skip_weekday(&copy);
    if (!ja_stamp_date(&copy, &found))
        return false;
    if (!(found.parts & JA_STAMP_TIME)) {
        struct ja_scan tail = copy;
        between(&tail);
        if (ja_stamp_time(&tail, &found))
            copy = tail;
        else
            found.step_ns = 86400 * JA_NS_PER_S;
    }
    if (found.parts & JA_STAMP_TIME)
        ja_stamp_zone(&copy, false, &found);
    *scan = copy;
    *stamp = found;
    return true;
}

static bool time_alone(struct ja_scan *scan, struct ja_stamp *stamp)
{
    struct ja_scan copy = *scan;
    struct ja_stamp found = *stamp;
    if (!ja_stamp_time(&copy, &found) || found.step_ns > JA_NS_PER_S)
        return false;
    ja_stamp_zone(&copy, false, &found);
    *scan = copy;
    *stamp = found;
    return true;
}

/* Letters and digits glued to the end mean that it was something else. */
static bool ends_well(const struct ja_scan *scan)
{
    char c = peek(scan);
    return !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
             c == '.' || c == '/' || c == '_' || c == '%');
}

bool ja_stamp_any(struct ja_scan *scan, struct ja_stamp *stamp)
{
    static bool (*const forms[])(struct ja_scan *, struct ja_stamp *) = {
        ja_stamp_epoch, numeric, time_alone, ja_stamp_worded};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        struct ja_scan copy = *scan;
        struct ja_stamp found = {.clock = JA_CLOCK_STAMP, .zone = NULL};
        if (forms[i](&copy, &found) && ends_well(&copy) && ja_stamp_join(&found)) {
            *scan = copy;
            *stamp = found;
            return true;
        }
    }
    return false;
}

/* Copies what points into the line, and the stamp's own text. */
static void settle(struct ja_stamp *stamp, const char *text, size_t length, struct ja_arena *arena)
{
    if (stamp->zone) {
        size_t n = 0;
        while (stamp->zone[n] >= 'A' && stamp->zone[n] <= 'Z')
            n++;
        stamp->zone = ja_arena_copy(arena, stamp->zone, n);
    }
    stamp->text = ja_arena_copy(arena, text, length);
}

/* " (Central European Standard Time)" at the end, as JavaScript prints it */
static void skip_zone_name(struct ja_scan *scan)
{
    if (scan->length - scan->at < 6 || !ja_text_begins(scan->text + scan->at, 2, " (") ||
        scan->text[scan->length - 1] != ')')
        return;
    for (size_t i = scan->at + 2; i + 1 < scan->length; i++)
        if (!(((scan->text[i] | 32) >= 'a' && (scan->text[i] | 32) <= 'z') ||
              scan->text[i] == ' ' || (scan->text[i] & 0x80)))
            return;
    scan->at = scan->length;
}

bool ja_stamp_exact(const char *text, size_t length, struct ja_arena *arena, struct ja_stamp *ret)
{
    ja_text_trim(&text, &length);
    if (length == 0 || length > LONGEST_LINE)
        return false;
    struct ja_scan scan = ja_scan_of(text, length);
    struct ja_stamp stamp;
    if (!ja_stamp_any(&scan, &stamp))
        return false;
    skip_zone_name(&scan);
    if (!ja_scan_end(&scan))
        return false;
    settle(&stamp, text, length, arena);
    *ret = stamp;
    return true;
}

/* "[   12.345678]": seconds since boot, as the kernel's log prints them. */
static bool since_boot(struct ja_scan *scan, struct ja_stamp *stamp)
{
    struct ja_scan copy = *scan;
    int64_t seconds;
    ja_scan_blanks(&copy);
    if (!ja_scan_u63(&copy, &seconds) || seconds > INT64_C(3000000000) || !ja_scan_char(&copy, '.'))
        return false;
    size_t digits = ja_stamp_run(&copy, copy.at);
    if (digits != 6 && digits != 3 && digits != 1)
        return false;
    int64_t step = JA_NS_PER_S, fraction = 0;
    for (size_t i = 0; i < digits; i++) {
        step /= 10;
        fraction += (copy.text[copy.at + i] - '0') * step;
    }
    copy.at += digits;
    if (peek(&copy) != ']')
        return false;
    *stamp = (struct ja_stamp){
        .clock = JA_CLOCK_DERIVED,
        .parts = JA_STAMP_BOOT,
        .since_boot_ns = seconds * JA_NS_PER_S + fraction,
        .step_ns = step,
    };
    *scan = copy;
    return true;
}

bool ja_stamp_prefix(const char *line, size_t length, struct ja_arena *arena, struct ja_stamp *ret,
                     size_t *ret_used)
{
    struct ja_scan scan = ja_scan_of(line, length < LONGEST_LINE ? length : LONGEST_LINE);
    struct ja_stamp stamp;
    ja_scan_blanks(&scan);
    if (ja_scan_char(&scan, '<')) { /* syslog priority */
        int64_t priority;
        if (!ja_scan_u63(&scan, &priority) || !ja_scan_char(&scan, '>'))
            return false;
    }
    bool bracket = ja_scan_char(&scan, '[');
    size_t start = scan.at;
    if (!(bracket && since_boot(&scan, &stamp)) && !ja_stamp_any(&scan, &stamp))
        return false;
    if (!(stamp.parts & (JA_STAMP_TIME | JA_STAMP_UNIX | JA_STAMP_BOOT)))
        return false; /* a date alone begins too many lines that are no log */
    size_t end = scan.at;
    if (bracket && !ja_scan_char(&scan, ']'))
        return false;
    settle(&stamp, line + start, end - start, arena);
    *ret = stamp;
    *ret_used = scan.at;
    return true;
}

static size_t rule_before(const char *text, size_t length)
{
    size_t n = 0;
    while (n < length && text[n] == text[0])
        n++;
    return n;
}

static bool has_word(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if ((c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || (c & 0x80))
            return true;
    }
    return false;
}

bool ja_banner_inside(const char **text, size_t *length)
{
    const char *at = *text;
    size_t n = *length;
    if (n < 4 || !strchr("=-#*~+_>", at[0]))
        return false;
    size_t lead = rule_before(at, n);
    if (lead < 2 && at[0] != '#')
        return false;
    at += lead;
    n -= lead;
    if (n && at[0] == '>' && (*text)[0] == '=') {
        at++;
        n--;
    }
    while (n && (strchr("=-#*~+_", at[n - 1]) || (at[n - 1] == '<' && (*text)[0] == '=')))
        n--;
    ja_text_trim(&at, &n);
    if (!has_word(at, n))
        return false;
    *text = at;
    *length = n;
    return true;
}

/* "Time:", "epoch=", "sampled at": words that a script prints before its clock. */
static void skip_key(const char **text, size_t *length)
{
    static const char *const keys[] = {
        "Time:",         "time:",        "TIME:",      "Date:",
        "date:",         "DATE:",        "Timestamp:", "timestamp:",
        "TIMESTAMP:",    "Captured:",    "captured:",  "Captured at:",
        "Captured at ",  "captured at ", "ts:",        "Sampled at:",
        "Sampled at ",   "sampled at ",  "Sample at ", "sample at ",
        "Snapshot at ",  "snapshot at ", "Taken at ",  "taken at ",
        "Collected at ", "at ",          "@",
    };
    size_t n = 0;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0] && n == 0; i++)
        n = ja_text_begins(*text, *length, keys[i]) ? strlen(keys[i]) : 0;
    if (n == 0) { /* name=clock */
        while (n < *length && n < 16 && (((*text)[n] | 32) >= 'a') && (((*text)[n] | 32) <= 'z'))
            n++;
        if (n == 0 || n >= *length || (*text)[n] != '=')
            return;
        n++;
    }
    *text += n;
    *length -= n;
    ja_text_trim(text, length);
}

static bool has_digit(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] >= '0' && text[i] <= '9')
            return true;
    return false;
}

static bool clock_like(const struct ja_stamp *stamp)
{
    return stamp->parts & (JA_STAMP_TIME | JA_STAMP_UNIX | JA_STAMP_DATE);
}

/* Finds a stamp at the start of one of the words of a banner's inside. */
static bool inside_banner(const char *text, size_t length, struct ja_stamp *ret,
                          const char **ret_label, size_t *ret_label_length)
{
    size_t at = 0;
    for (int word = 0; word < BANNER_WORDS && at < length; word++) {
        struct ja_scan scan = ja_scan_of(text, length);
        scan.at = at;
        if (ja_stamp_any(&scan, ret) && clock_like(ret)) {
            bool before = at > 0;
            *ret_label = before ? text : text + scan.at;
            *ret_label_length = before ? at : length - scan.at;
            ja_text_trim(ret_label, ret_label_length);
            return true;
        }
        while (at < length && text[at] != ' ' && text[at] != '\t')
            at++;
        while (at < length && (text[at] == ' ' || text[at] == '\t'))
            at++;
    }
    return false;
}

/* "Every 2.0s: kubectl top pod      host: Mon Nov 30 10:00:00 2026" */
static bool watch_header(const char *text, size_t length, struct ja_arena *arena,
                         struct ja_stamp *ret)
{
    if (!ja_text_begins(text, length, "Every "))
        return false;
    for (size_t at = length; at > 2; at--)
        if (text[at - 2] == ':' && text[at - 1] == ' ' &&
            ja_stamp_exact(text + at, length - at, arena, ret))
            return true;
    return false;
}

bool ja_stamp_banner(const char *line, size_t length, struct ja_arena *arena, struct ja_stamp *ret,
                     const char **ret_label, size_t *ret_label_length)
{
    ja_text_trim(&line, &length);
    *ret_label = NULL;
    *ret_label_length = 0;
    if (length < 8 || length > LONGEST_LINE || !has_digit(line, length))
        return false;
    if (watch_header(line, length, arena, ret))
        return true;
    const char *text = line;
    size_t n = length;
    bool banner = ja_banner_inside(&text, &n);
    if (n > 2 && text[0] == '[' && text[n - 1] == ']') {
        text++;
        n -= 2;
    }
    skip_key(&text, &n);
    struct ja_stamp stamp;
    if (!ja_stamp_exact(text, n, arena, &stamp) &&
        !(banner && inside_banner(text, n, &stamp, ret_label, ret_label_length)))
        return false;
    settle(&stamp, line, length, arena);
    *ret = stamp;
    return true;
}

bool ja_stamp_line(const char *line, size_t length, struct ja_arena *arena, struct ja_stamp *ret)
{
    const char *label;
    size_t label_length;
    return ja_stamp_banner(line, length, arena, ret, &label, &label_length);
}

bool ja_zone_offset(const char *zone, size_t length, int *ret_offset_s)
{
    ja_text_trim(&zone, &length);
    struct ja_scan scan = ja_scan_of(zone, length);
    struct ja_stamp stamp = {.zone = NULL};
    if (length == 0 || !ja_stamp_zone(&scan, true, &stamp) || !ja_scan_end(&scan) ||
        !(stamp.parts & JA_STAMP_ZONE))
        return false;
    *ret_offset_s = stamp.offset_s;
    return true;
}
