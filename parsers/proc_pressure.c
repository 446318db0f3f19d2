/* SPDX-License-Identifier: MIT
 *
 * /proc/pressure/memory and a control group's memory.pressure (Linux 4.20 and later):
 *
 *     some avg10=1.21 avg60=1.77 avg300=0.55 total=1992780
 *     full avg10=1.18 avg60=1.73 avg300=0.53 total=1951484
 *
 * total (MICROseconds that some / all tasks waited for memory since boot) -> a fact each, with
 * avg10 in percent beside it in the text. pressure/cpu, pressure/io and pressure/irq have the same
 * form and say nothing of memory.
 */
#include "parsers/proc_record.h"

#include <string.h>

#include "parsers/scan.h"

static bool read_line(const struct ja_line *line, int64_t *ret_total)
{
    if (!ja_text_begins(line->text, line->length, "some avg10=") &&
        !ja_text_begins(line->text, line->length, "full avg10="))
        return false;
    size_t at = ja_text_find(line->text, line->length, "total=");
    if (at == line->length)
        return false;
    struct ja_scan scan = ja_scan_of(line->text + at + 6, line->length - at - 6);
    return ja_scan_u63(&scan, ret_total);
}

static bool begins(const char *line, size_t length)
{
    return ja_text_begins(line, length, "some avg10=");
}

static int bid(const struct ja_piece *piece)
{
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    int64_t total;
    while (ja_piece_line(piece, &at, &number, &line))
        if (read_line(&line, &total))
            return 90;
    return 0;
}

static void parse_pressure(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_evidence *evidence = parse->evidence;
    struct ja_proc_place place = ja_proc_piece_place(piece, parse->scratch);
    if (strcmp(place.leaf, "cpu") == 0 || strcmp(place.leaf, "io") == 0 ||
        strcmp(place.leaf, "irq") == 0) {
        ja_set_kind(evidence, JA_KIND_PROC_PRESSURE);
        ja_set_status(evidence, JA_STATUS_NO_MEMORY_CONTENT, "pressure of another resource");
        return;
    }
    uint32_t record = ja_proc_record(piece, parse, &place, JA_KIND_PROC_PRESSURE);
    evidence->records[record].of = ja_arena_string(evidence->arena, place.group);
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    int64_t total;
    while (ja_piece_line(piece, &at, &number, &line)) {
        if (!read_line(&line, &total))
            continue;
        struct ja_scan scan = ja_scan_of(line.text, line.length);
        const char *who, *average;
        size_t who_length, average_length;
        ja_scan_word(&scan, &who, &who_length);
        ja_scan_blanks(&scan);
        ja_scan_word(&scan, &average, &average_length);
        const char *text = ja_arena_print(evidence->arena, "%.*s %.*s", (int)who_length, who,
                                          (int)average_length, average);
        ja_add_fact(evidence, record, JA_FACT_PRESSURE_STALL_US, total, text,
                    ja_add_place_line(evidence, line.number));
    }
}

const struct ja_parser ja_parser_proc_pressure = {
    .name = "proc_pressure",
    .reads = "Linux /proc/pressure/memory, memory.pressure of a control group",
    .begins = begins,
    .bid = bid,
    .parse = parse_pressure,
};
