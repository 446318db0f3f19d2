/* SPDX-License-Identifier: MIT
 *
 * The clock of a snapshot: /proc/uptime, and a sosreport's sos_commands/date/date and
 * sos_commands/host/uptime (at its root `date` and `uptime`).
 *
 *     714.16 1060.57
 *     Mon Sep 28 07:41:10 UTC 2026
 *      07:41:12 up 12 days,  4:02,  2 users,  load average: 0.83, 0.73, 0.76
 *
 * /proc/uptime: first number -> the record's moment in seconds since boot, and a fact (whole
 * seconds); idle time is left out. A date file -> the moment of the whole snapshot; a sosreport
 * takes minutes, so it is known to five minutes only. uptime(1): "up" -> a fact (minute steps).
 * Their records carry no figure: they date the other files of their folder.
 */
#include "parsers/proc_record.h"

#include <string.h>

#include "parsers/scan.h"
#include "parsers/stamp.h"

enum { SOS_ERROR_S = 300 };

static bool only_line(const struct ja_piece *piece, struct ja_line *ret)
{
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    bool found = false;
    while (ja_piece_line(piece, &at, &number, &line)) {
        ja_text_trim(&line.text, &line.length);
        if (line.length == 0)
            continue;
        if (found)
            return false;
        *ret = line;
        found = true;
    }
    return found;
}

/* "714.16 1060.57" */
static bool read_uptime(const struct ja_line *line, int64_t *ret_ns, int64_t *ret_step_ns)
{
    struct ja_scan scan = ja_scan_of(line->text, line->length);
    int64_t whole[2], part[2], step = JA_NS_PER_S;
    for (int i = 0; i < 2; i++) {
        ja_scan_blanks(&scan);
        if (!ja_scan_u63(&scan, &whole[i]) || !ja_scan_char(&scan, '.'))
            return false;
        size_t from = scan.at;
        if (!ja_scan_u63(&scan, &part[i]) || scan.at - from != 2)
            return false;
    }
    step = JA_NS_PER_S / 100;
    if (!ja_scan_end(&scan) || !ja_multiply(whole[0], JA_NS_PER_S, ret_ns))
        return false;
    *ret_ns = ja_add(*ret_ns, part[0] * step);
    *ret_step_ns = step;
    return true;
}

/* " up 12 days,  4:02," or " up 41 min," -> seconds in steps of a minute. */
static bool read_up(const struct ja_line *line, int64_t *ret_s)
{
    size_t at = ja_text_find(line->text, line->length, " up ");
    if (at == line->length ||
        ja_text_find(line->text, line->length, "load average") == line->length)
        return false;
    struct ja_scan scan = ja_scan_of(line->text, line->length);
    scan.at = at + 4;
    ja_scan_blanks(&scan);
    int64_t number, minutes = 0, more;
    if (!ja_scan_u63(&scan, &number))
        return false;
    if (ja_scan_text(&scan, " day")) {
        minutes = number > 100000 ? 0 : number * 1440;
        ja_scan_char(&scan, 's');
        ja_scan_char(&scan, ',');
        ja_scan_blanks(&scan);
        if (!ja_scan_u63(&scan, &number))
            return false;
    }
    if (number > 1440)
        return false;
    if (ja_scan_char(&scan, ':') && ja_scan_u63(&scan, &more) && more < 60)
        minutes += number * 60 + more;
    else if (ja_scan_text(&scan, " min"))
        minutes += number;
    else
        return false;
    *ret_s = minutes * 60;
    return true;
}

static int bid(const struct ja_piece *piece)
{
    struct ja_line line;
    if (!piece->whole || !only_line(piece, &line))
        return 0;
    struct ja_arena *arena = ja_arena_new();
    struct ja_proc_place place = ja_proc_place_of(piece->file->path, arena);
    struct ja_stamp stamp;
    int64_t ns, step;
    int result = 0;
    if (read_uptime(&line, &ns, &step))
        result = strcmp(place.leaf, "uptime") == 0 ? 95 : 0;
    else if (read_up(&line, &ns))
        result = 80;
    else if ((place.sosreport || strcmp(place.leaf, "date") == 0) &&
             ja_stamp_line(line.text, line.length, arena, &stamp))
        result = 90;
    ja_arena_free(arena);
    return result;
}

static void parse_date(const struct ja_piece *piece, struct ja_parse *parse,
                       const struct ja_proc_place *place, const struct ja_line *line)
{
    struct ja_stamp stamp;
    if (!ja_stamp_line(line->text, line->length, parse->evidence->arena, &stamp))
        return;
    stamp.clock = JA_CLOCK_STAMP;
    if (place->sosreport)
        stamp.error_ns = SOS_ERROR_S * JA_NS_PER_S;
    uint32_t record = ja_proc_record(piece, parse, place, JA_KIND_PROC_UPTIME);
    parse->evidence->records[record].stamp = ja_add_stamp(parse->evidence, &stamp);
    parse->evidence->captured = parse->evidence->records[record].stamp;
}

static void parse_uptime(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_evidence *evidence = parse->evidence;
    struct ja_line line;
    if (!only_line(piece, &line))
        return;
    struct ja_proc_place place = ja_proc_piece_place(piece, parse->scratch);
    int64_t ns, step, seconds;
    if (read_uptime(&line, &ns, &step)) {
        uint32_t record = ja_proc_record(piece, parse, &place, JA_KIND_PROC_UPTIME);
        ja_add_fact(evidence, record, JA_FACT_UPTIME_S, ns / JA_NS_PER_S,
                    ja_arena_copy(parse->scratch, line.text, line.length),
                    ja_add_place_line(evidence, line.number));
        if (evidence->records[record].stamp != JA_NONE)
            return;
        struct ja_stamp stamp = {.clock = JA_CLOCK_DERIVED,
                                 .parts = JA_STAMP_BOOT,
                                 .since_boot_ns = ns,
                                 .step_ns = step,
                                 .text = ja_arena_copy(evidence->arena, line.text, line.length)};
        evidence->records[record].stamp = ja_add_stamp(evidence, &stamp);
    } else if (read_up(&line, &seconds)) {
        uint32_t record = ja_proc_record(piece, parse, &place, JA_KIND_PROC_UPTIME);
        ja_add_fact(evidence, record, JA_FACT_UPTIME_S, seconds,
                    ja_arena_copy(parse->scratch, line.text, line.length),
                    ja_add_place_line(evidence, line.number));
    } else {
        parse_date(piece, parse, &place, &line);
    }
}

const struct ja_parser ja_parser_proc_uptime = {
    .name = "proc_uptime",
    .reads = "Linux /proc/uptime, uptime(1), the date file of a sosreport or snapshot",
    .whole = true,
    .bid = bid,
    .parse = parse_uptime,
};
