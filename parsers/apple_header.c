/* SPDX-License-Identifier: MIT */
#include "parsers/apple_header.h"

#include <string.h>

#include "parsers/apple_size.h"
#include "parsers/scan.h"
#include "parsers/stamp.h"

#define BID_LINES 400 /* a header and the first mark of its tool stand within them */

bool ja_apple_header_begins(const char *line, size_t length)
{
    size_t name_length;
    int64_t pid;
    ja_text_trim(&line, &length);
    if (ja_text_begins(line, length, "Hardware Model:"))
        return true;
    if (!ja_text_begins(line, length, "Process:"))
        return false;
    line += 8;
    length -= 8;
    ja_text_trim(&line, &length);
    return ja_name_and_pid(line, length, &name_length, &pid);
}

/* The text behind "Key:" when the line has this key. */
static bool value_of(const struct ja_line *line, const char *key, struct ja_line *ret)
{
    size_t n = strlen(key);
    if (!ja_text_begins(line->text, line->length, key))
        return false;
    *ret = (struct ja_line){line->text + n, line->length - n, line->number};
    ja_text_trim(&ret->text, &ret->length);
    return true;
}

static bool begins_with_any(const struct ja_line *line, const char *const *marks)
{
    for (; *marks; marks++)
        if (ja_text_begins(line->text, line->length, *marks))
            return true;
    return false;
}

int ja_apple_header_bid(const struct ja_piece *piece, const char *tool, const char *const *marks)
{
    static const char *const reports[] = {
        "Exception Type:",     "Crashed Thread:", "Exception Codes:",
        "Termination Reason:", "Steps:",          NULL};
    size_t at = 0;
    int number = 0, bid = 0;
    struct ja_line line, value;
    for (int i = 0; i < BID_LINES && ja_dump_line(piece, &at, &number, &line); i++) {
        if (begins_with_any(&line, reports))
            return 0;
        if (bid < 80 && begins_with_any(&line, marks))
            bid = 80;
        if (!value_of(&line, "Analysis Tool:", &value))
            continue;
        size_t n = strlen(tool);
        bool ours = value.length > n && ja_text_ends(value.text, value.length, tool) &&
                    value.text[value.length - n - 1] == '/';
        if (!ours)
            return 0;
        bid = 90;
    }
    return bid;
}

static uint32_t read_stamp(const struct ja_line *value, struct ja_parse *parse)
{
    struct ja_stamp stamp;
    if (!ja_stamp_exact(value->text, value->length, parse->evidence->arena, &stamp)) {
        ja_diagnose(parse->evidence, JA_WARNING, "bad-time", value->number, NULL,
                    "not a time, left out: %.*s", value->length > 80 ? 80 : (int)value->length,
                    value->text);
        return JA_NONE;
    }
    stamp.clock = JA_CLOCK_REPORT;
    return ja_add_stamp(parse->evidence, &stamp);
}

static void read_size(const struct ja_line *value, enum ja_metric metric, struct ja_parse *parse,
                      struct ja_dump_value *ret)
{
    struct ja_quantity quantity;
    if (ja_vmmap_size(value->text, value->length, 1, &quantity) != JA_VMMAP_SIZE) {
        ja_diagnose(parse->evidence, JA_ERROR, "bad-number", value->number, NULL,
                    "not a size, reading left out: %.*s",
                    value->length > 80 ? 80 : (int)value->length, value->text);
        return;
    }
    *ret = (struct ja_dump_value){
        .metric = metric,
        .quantity = quantity,
        .printed = value->text,
        .printed_length = value->length,
        .place = ja_add_place_line(parse->evidence, value->number),
    };
}

static void read_process(const struct ja_line *value, struct ja_parse *parse,
                         struct ja_apple_header *header)
{
    size_t length = value->length;
    ja_name_and_pid(value->text, value->length, &length, &header->pid);
    header->name = ja_arena_copy(parse->scratch, value->text, length);
}

static void read_parent(const struct ja_line *value, struct ja_apple_header *header)
{
    size_t length;
    ja_name_and_pid(value->text, value->length, &length, &header->parent_pid);
}

/* A clock reading, or a size without its letter, at the very end of a text may be a stump. */
static bool is_stump(const struct ja_line *line)
{
    char last = line->length ? line->text[line->length - 1] : '\0';
    return ja_text_begins(line->text, line->length, "Date/Time:") ||
           ja_text_begins(line->text, line->length, "Launch Time:") ||
           (ja_text_begins(line->text, line->length, "Physical footprint") && last >= '0' &&
            last <= '9');
}

/* One line of a header; false when it is none of its keys. */
static bool read_line(const struct ja_line *line, struct ja_parse *parse,
                      struct ja_apple_header *header)
{
    struct ja_line value;
    struct ja_arena *arena = parse->scratch;
    if (value_of(line, "Process:", &value))
        read_process(&value, parse, header);
    else if (value_of(line, "Date/Time:", &value))
        header->at = read_stamp(&value, parse);
    else if (value_of(line, "Launch Time:", &value))
        header->launched = read_stamp(&value, parse);
    else if (value_of(line, "OS Version:", &value))
        header->os = ja_arena_copy(arena, value.text, value.length);
    else if (value_of(line, "Hardware Model:", &value))
        header->model = ja_arena_copy(arena, value.text, value.length);
    else if (value_of(line, "Code Type:", &value))
        header->page_bytes = ja_text_begins(value.text, value.length, "ARM64") ? 16384 : 4096;
    else if (value_of(line, "Path:", &value))
        header->path = ja_arena_copy(arena, value.text, value.length);
    else if (value_of(line, "Parent Process:", &value))
        read_parent(&value, header);
    else if (value_of(line, "Physical footprint (peak):", &value))
        read_size(&value, JA_METRIC_PHYS_FOOTPRINT_PEAK, parse, &header->peak);
    else if (value_of(line, "Physical footprint:", &value))
        read_size(&value, JA_METRIC_PHYS_FOOTPRINT, parse, &header->footprint);
    else
        return false;
    return true;
}

static bool is_rule(const struct ja_line *line)
{
    for (size_t i = 0; i < line->length; i++)
        if (line->text[i] != '-')
            return false;
    return line->length >= 4;
}

void ja_apple_header_read(const struct ja_piece *piece, struct ja_parse *parse,
                          struct ja_apple_header *ret)
{
    static const char *const behind[] = {
        "Virtual Memory Map", "ReadOnly portion", "====",        "REGION TYPE",
        "leaks Report",       "All zones:",       "Call graph:", NULL};
    *ret = (struct ja_apple_header){
        .pid = JA_UNKNOWN,
        .parent_pid = JA_UNKNOWN,
        .page_bytes = JA_UNKNOWN,
        .at = JA_NONE,
        .launched = JA_NONE,
        .line = piece->first_line,
    };
    size_t at = 0;
    int number = 0;
    struct ja_line line;
    while (ja_dump_line(piece, &at, &number, &line)) {
        if (ja_line_bare(piece, &line) && is_stump(&line)) {
            ja_set_status(parse->evidence, JA_STATUS_DAMAGED, "header cut off");
            ja_diagnose(parse->evidence, JA_ERROR, "cut-row", line.number, NULL,
                        "the text ends inside this line, left out: %.*s",
                        line.length > 80 ? 80 : (int)line.length, line.text);
            break;
        }
        bool key = read_line(&line, parse, ret), rule = ret->end && is_rule(&line);
        if (!key && !rule && begins_with_any(&line, behind))
            break;
        if (key && !ret->end)
            ret->line = line.number;
        if (key || rule) {
            ret->end = at;
            ret->end_line = number;
        }
        if (rule)
            break;
    }
}

/* The system of a header; a device's memgraph read on a Mac is another machine. */
static uint32_t header_system(struct ja_parse *parse, const struct ja_apple_header *header)
{
    struct ja_evidence *evidence = parse->evidence;
    struct ja_system *system = ja_dump_system(parse);
    bool other = (header->os && system->os && strcmp(header->os, system->os) != 0) ||
                 (header->model && system->model && strcmp(header->model, system->model) != 0);
    if (other) {
        parse->carry.system = ja_add_system(evidence);
        system = ja_dump_system(parse);
    }
    if (header->os)
        system->os = ja_arena_string(evidence->arena, header->os);
    if (header->model)
        system->model = ja_arena_string(evidence->arena, header->model);
    if (header->os && !evidence->os)
        evidence->os = ja_arena_string(evidence->arena, header->os);
    return parse->carry.system;
}

static void add_times(const struct ja_piece *piece, struct ja_evidence *evidence, uint32_t record,
                      const struct ja_apple_header *header)
{
    if (header->at == JA_NONE)
        return;
    const struct ja_stamp *stamp = &evidence->stamps[header->at];
    if (stamp->parts & JA_STAMP_ZONE)
        ja_add_fact(evidence, record, JA_FACT_ZONE_OFFSET_S, stamp->offset_s, NULL,
                    evidence->records[record].place);
    if (evidence->captured == JA_NONE && piece->stamp == JA_NONE)
        evidence->captured = header->at;
}

uint32_t ja_apple_header_add(const struct ja_piece *piece, struct ja_parse *parse,
                             enum ja_kind kind, const struct ja_apple_header *header)
{
    struct ja_evidence *evidence = parse->evidence;
    uint32_t system = header_system(parse, header);
    uint32_t record =
        ja_add_record(evidence, kind, header->at != JA_NONE ? header->at : piece->stamp);
    uint32_t place = ja_add_place_line(evidence, header->line);
    ja_set_kind(evidence, kind);
    evidence->records[record].system = system;
    evidence->records[record].place = place;
    add_times(piece, evidence, record, header);
    uint32_t subject = ja_add_subject(evidence, record, header->name, header->pid);
    struct ja_subject *who = &evidence->subjects[subject];
    who->place = place;
    struct ja_subject_more *more = ja_subject_more(who, evidence->arena);
    more->parent_pid = header->parent_pid;
    more->start_stamp = header->launched;
    if (header->peak.printed_length)
        who->peak_bytes = header->peak.quantity.value;
    if (header->path)
        ja_dump_fact(parse, subject, JA_FACT_COMMAND, JA_UNKNOWN, header->path, place);
    if (header->footprint.printed_length)
        ja_dump_reading(parse, subject, &header->footprint);
    if (header->peak.printed_length)
        ja_dump_reading(parse, subject, &header->peak);
    ja_dump_borrow_time(parse, record);
    return subject;
}
