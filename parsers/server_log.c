/* SPDX-License-Identifier: MIT
 *
 * Memory figures inside a server's own log lines:
 *
 *     [2025-05-29 11:57:20.091][INFO][31053][41y6jdq1] Hybrid cpu=1.00%,43MB, cid=1,0, ...
 *     I170923 18:33:07.613472 84 server/runtime.go:223  runtime stats: 8.1 GiB RSS, 1119 goroutines
 *     2026-10-02T08:00:00Z worker[812] rss=512.3MB jobs=19
 *
 * A line counts when it begins with a time and holds "cpu=<n>%,<size>", "<size> RSS" or
 * "rss=<size>" (also "rss: ", "RSS "). The size -> resident, rounded to its last digit (1 MB, 0.1
 * GiB); a number in brackets behind the time or behind a word -> pid. The process is called by the
 * file's name. "[...]" on a line of its own is an elision by hand: status partly. Other lines are
 * left out.
 */
#include "parsers/proc_record.h"

#include <string.h>

#include "parsers/scan.h"
#include "parsers/stamp.h"

static bool size_at(const char *text, size_t length, struct ja_quantity *ret, size_t *ret_used)
{
    struct ja_scan scan = ja_scan_of(text, length);
    ja_scan_blanks(&scan);
    if (!ja_scan_size(&scan, ret))
        return false;
    *ret_used = scan.at;
    return true;
}

/* "cpu=1.00%,43MB" */
static bool cpu_and_size(const char *text, size_t length, struct ja_quantity *ret)
{
    size_t at = ja_text_find(text, length, "cpu="), used;
    int64_t mantissa;
    int decimals;
    if (at == length)
        return false;
    struct ja_scan scan = ja_scan_of(text + at + 4, length - at - 4);
    if (!ja_scan_decimal(&scan, &mantissa, &decimals) || !ja_scan_text(&scan, "%,"))
        return false;
    return size_at(scan.text + scan.at, scan.length - scan.at, ret, &used);
}

/* "8.1 GiB RSS" */
static bool size_and_word(const char *text, size_t length, struct ja_quantity *ret)
{
    size_t end = ja_text_find(text, length, " RSS");
    if (end == length)
        return false;
    for (size_t at = end, blanks = 0; at-- > 0 && end - at < 24;) {
        size_t used;
        if (text[at] == ' ' && ++blanks > 1)
            return false;
        if ((at == 0 || strchr(" :=,(", text[at - 1])) && text[at] >= '0' && text[at] <= '9' &&
            size_at(text + at, end - at, ret, &used) && at + used == end)
            return true;
    }
    return false;
}

/* "rss=512.3MB", "RSS: 512 MB" */
static bool word_and_size(const char *text, size_t length, struct ja_quantity *ret)
{
    static const char *const words[] = {"rss=", "rss: ", "RSS=", "RSS: ", "rss ", "RSS ", "Rss: "};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t at = ja_text_find(text, length, words[i]), used;
        size_t after = at + strlen(words[i]);
        bool own = at == 0 || strchr(" \t,;([{|/", text[at - 1]);
        if (own && at < length && after < length &&
            size_at(text + after, length - after, ret, &used))
            return true;
    }
    return false;
}

static bool line_pid(const char *text, size_t length, int64_t *ret)
{
    for (size_t at = 0; at < length && at < 256; at++) {
        struct ja_scan scan = ja_scan_of(text + at, length - at);
        int64_t pid;
        if (ja_scan_char(&scan, '[') && ja_scan_u63(&scan, &pid) && ja_scan_char(&scan, ']') &&
            pid > 0 && pid <= 4194304) {
            *ret = pid;
            return true;
        }
    }
    return false;
}

struct log_line {
    struct ja_stamp stamp;
    struct ja_quantity quantity;
    int64_t pid;
};

static bool read_line(const struct ja_line *line, struct ja_arena *arena, struct log_line *ret)
{
    size_t used;
    bool candidate = ja_text_find(line->text, line->length, "cpu=") < line->length ||
                     ja_text_find(line->text, line->length, "RSS") < line->length ||
                     ja_text_find(line->text, line->length, "rss") < line->length;
    if (!candidate || memchr(line->text, '{', line->length) ||
        !ja_stamp_prefix(line->text, line->length, arena, &ret->stamp, &used))
        return false;
    const char *rest = line->text + used;
    size_t length = line->length - used;
    ret->pid = JA_UNKNOWN;
    line_pid(rest, length, &ret->pid);
    return cpu_and_size(rest, length, &ret->quantity) ||
           size_and_word(rest, length, &ret->quantity) ||
           word_and_size(rest, length, &ret->quantity);
}

static int bid(const struct ja_piece *piece)
{
    struct ja_line line;
    struct log_line read;
    size_t at = 0, seen = 0;
    int number = 0;
    struct ja_arena *arena = ja_arena_new();
    for (int lines = 0; lines < 2000 && seen < 2 && ja_piece_line(piece, &at, &number, &line);
         lines++)
        seen += read_line(&line, arena, &read);
    ja_arena_free(arena);
    return seen >= 2 ? 70 : seen ? 55 : 0;
}

static void take_line(struct ja_parse *parse, const char *stem, const struct log_line *read,
                      int line)
{
    struct ja_evidence *evidence = parse->evidence;
    uint32_t stamp = ja_add_stamp(evidence, &read->stamp);
    uint32_t record = ja_proc_moment(parse, JA_KIND_PROC_LOOP, stamp, line);
    uint32_t subject = ja_add_subject(evidence, record, stem, read->pid);
    uint32_t place = ja_add_place_line(evidence, line);
    evidence->subjects[subject].place = place;
    ja_proc_reading(parse, subject, JA_METRIC_RESIDENT, read->quantity, place, JA_UNIT_MIB);
}

static void parse_log(const struct ja_piece *piece, struct ja_parse *parse)
{
    ja_set_kind(parse->evidence, JA_KIND_PROC_LOOP);
    const char *stem = ja_proc_stem(piece, parse->scratch);
    struct ja_line line;
    struct log_line read;
    size_t at = 0;
    int number = 0;
    while (ja_piece_line(piece, &at, &number, &line)) {
        const char *text = line.text;
        size_t length = line.length;
        ja_text_trim(&text, &length);
        if (read_line(&line, parse->evidence->arena, &read))
            take_line(parse, stem, &read, line.number);
        else if (ja_text_is(text, length, "[...]"))
            ja_set_status(parse->evidence, JA_STATUS_PARTLY, "lines were left out by hand: [...]");
    }
}

const struct ja_parser ja_parser_server_log = {
    .name = "server_log",
    .reads = "memory figures in a server's own log lines (cpu=..%,43MB; 8.1 GiB RSS; rss=512MB)",
    .bid = bid,
    .parse = parse_log,
};
