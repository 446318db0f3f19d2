/* SPDX-License-Identifier: MIT */
#include "parsers/tool_row.h"

#include <string.h>

#include "parsers/command_line.h"
#include "parsers/scan.h"

#define COMM_BYTES 15 /* the kernel keeps no more of a name */
#define DAY_S (24 * 3600)

uint32_t ja_tool_record(struct ja_parse *parse, enum ja_kind kind, uint32_t stamp, int line)
{
    struct ja_evidence *evidence = parse->evidence;
    uint32_t record = ja_add_record(evidence, kind, stamp);
    uint32_t place = ja_add_place_line(evidence, line);
    evidence->records[record].place = place;
    evidence->records[record].system = parse->carry.system;
    if (evidence->captured == JA_NONE)
        evidence->captured = stamp;
    ja_set_kind(evidence, kind);
    return record;
}

void ja_tool_branches(const char **text, size_t *length)
{
    while (*length > 0 && strchr(" |\\_", **text)) {
        if (**text == '_' && *length > 1 && (*text)[1] != ' ')
            return;
        ++*text;
        --*length;
    }
}

/* "/usr/bin/python3 app.py" -> python3; "[kswapd0]" -> kswapd0; "nginx: worker process" -> nginx;
 * "-bash" -> bash; "{init} /bin/busybox sh" -> init. */
static void program_of(const char *text, size_t length, const char **ret, size_t *ret_length)
{
    const char closing = text[0] == '[' ? ']' : text[0] == '{' ? '}' : '\0';
    const char *end = closing ? memchr(text, closing, length) : NULL;
    if (end) {
        *ret = text + 1;
        *ret_length = (size_t)(end - text) - 1;
        return;
    }
    size_t word = 0, begin = closing ? 1 : 0; /* cut before its bracket closes */
    while (word < length && text[word] != ' ')
        word++;
    for (size_t i = 0; !closing && i + 1 < word; i++)
        if (text[i] == '/')
            begin = i + 1;
    if (begin == 0 && text[0] == '-' && word > 1)
        begin = 1;
    if (!closing && word > begin + 1 && text[word - 1] == ':')
        word--;
    *ret = text + begin;
    *ret_length = word - begin;
}

uint32_t ja_tool_process(struct ja_parse *parse, uint32_t record, int64_t pid, const char *text,
                         size_t length, enum ja_tool_name how, int line)
{
    struct ja_evidence *evidence = parse->evidence;
    const char *name = text;
    size_t name_length = length;
    bool cut = false;
    ja_text_trim(&text, &length);
    if (how != JA_TOOL_COMM) {
        ja_tool_branches(&text, &length);
        if (length > 0)
            program_of(text, length, &name, &name_length);
    } else {
        name = text;
        name_length = length;
        cut = length >= COMM_BYTES;
    }
    if (how == JA_TOOL_COMM && name_length > 1 && name[name_length - 1] == '+') {
        name_length--;
        cut = true;
    }
    uint32_t subject = ja_add_subject(evidence, record, NULL, pid);
    uint32_t place = ja_add_place_line(evidence, line);
    struct ja_subject *row = &evidence->subjects[subject];
    row->place = place;
    row->name_cut = cut;
    if (name_length > 0)
        row->name = ja_arena_copy(evidence->arena, name, name_length);
    if (how == JA_TOOL_ARGUMENTS && length > name_length && text[0] != '[')
        ja_command_line(parse, subject, text, length, place);
    return subject;
}

void ja_tool_reading(struct ja_parse *parse, uint32_t subject, enum ja_metric metric,
                     struct ja_quantity quantity, const char *printed, size_t length, int line)
{
    struct ja_evidence *evidence = parse->evidence;
    if (!ja_room_for_reading(parse, line))
        return;
    uint32_t place = ja_add_place_line(evidence, line);
    struct ja_reading *reading = ja_add_reading(evidence, subject, metric, quantity, place);
    bool whole = quantity.rounding == JA_ROUNDING_EXACT && quantity.resolution == JA_KIB;
    reading->unit = whole ? JA_UNIT_KIB : JA_UNIT_TEXT;
    if (!whole)
        reading->printed = ja_arena_copy(evidence->arena, printed, length);
}

void ja_tool_word_reading(struct ja_parse *parse, uint32_t subject, enum ja_metric metric,
                          struct ja_quantity quantity, const struct ja_words *words, size_t index,
                          int line)
{
    ja_tool_reading(parse, subject, metric, quantity, words->at[index].text,
                    words->at[index].length, line);
}

void ja_tool_figure(struct ja_parse *parse, uint32_t record, enum ja_figure figure, int64_t value,
                    int64_t unit_bytes, int line)
{
    int64_t bytes = 0;
    if (value != JA_UNKNOWN && ja_multiply(value, unit_bytes, &bytes))
        ja_set_figure(parse->evidence, record, figure, bytes,
                      ja_add_place_line(parse->evidence, line));
}

static int day_second(const struct ja_stamp *stamp)
{
    return stamp->hour * 3600 + stamp->minute * 60 + stamp->second;
}

static void next_day(struct ja_stamp *stamp)
{
    int64_t days = ja_days_from_civil(stamp->year, stamp->month, stamp->day) + 1;
    struct ja_civil civil = ja_unix_to_civil(days * DAY_S * JA_NS_PER_S);
    stamp->year = civil.year;
    stamp->month = civil.month;
    stamp->day = civil.day;
}

struct ja_stamp ja_tool_clock(const struct ja_stamp *day, const struct ja_stamp *clock)
{
    struct ja_stamp joined = *clock;
    int64_t unix_s = 0;
    if (clock->parts & (JA_STAMP_DATE | JA_STAMP_UNIX) || !(day->parts & JA_STAMP_DATE))
        return joined;
    joined.year = day->year;
    joined.month = day->month;
    joined.day = day->day;
    joined.parts |= JA_STAMP_DATE | (day->parts & (JA_STAMP_YEARLESS | JA_STAMP_ZONE));
    joined.zone = clock->zone ? clock->zone : day->zone;
    if (day->parts & JA_STAMP_ZONE && !(clock->parts & JA_STAMP_ZONE))
        joined.offset_s = day->offset_s;
    if (day->parts & JA_STAMP_TIME && !(day->parts & JA_STAMP_YEARLESS) &&
        day_second(clock) + DAY_S / 2 < day_second(day))
        next_day(&joined);
    if ((joined.parts & JA_STAMP_ZONE) && !(joined.parts & JA_STAMP_YEARLESS) &&
        ja_civil_to_unix(joined.year, joined.month, joined.day, joined.hour, joined.minute,
                         joined.second, &unix_s)) {
        joined.unix_ns = (unix_s - joined.offset_s) * JA_NS_PER_S + joined.nanosecond;
        joined.parts |= JA_STAMP_UNIX;
    }
    return joined;
}

#define COMPARED 64 /* rows of an older table */

/* First subject of a record; JA_NONE. */
static uint32_t first_row(const struct ja_evidence *evidence, uint32_t record)
{
    for (size_t i = evidence->subject_count; i > 0; i--) {
        if (evidence->subjects[i - 1].record > record)
            continue;
        if (evidence->subjects[i - 1].record < record)
            break;
        while (i > 1 && evidence->subjects[i - 2].record == record)
            i--;
        return (uint32_t)i - 1;
    }
    return JA_NONE;
}

static bool same_row(const struct ja_subject *a, const struct ja_subject *b)
{
    if (a->pid != b->pid || a->scope != b->scope || !a->name != !b->name)
        return false;
    return !a->name || strcmp(a->name, b->name) == 0;
}

/* The older table shows the younger one's first row, or both are figures of the machine only. */
static bool shows_again(const struct ja_evidence *evidence, const struct ja_carry *carry,
                        uint32_t record, uint32_t row)
{
    const struct ja_record *older = &evidence->records[carry->table_record];
    uint32_t at = carry->table_row;
    if (older->kind != evidence->records[record].kind)
        return false;
    if (row == JA_NONE || at == JA_NONE)
        return row == at;
    for (uint32_t n = 0; n < COMPARED && at + n < evidence->subject_count; n++) {
        const struct ja_subject *subject = &evidence->subjects[at + n];
        if (subject->record != carry->table_record)
            return false;
        if (same_row(subject, &evidence->subjects[row]))
            return true;
    }
    return false;
}

static void move(struct ja_evidence *evidence, uint32_t record, uint32_t stamp)
{
    evidence->records[record].stamp = stamp;
    for (size_t i = evidence->reading_count; i > 0; i--) {
        struct ja_reading *reading = &evidence->readings[i - 1];
        if (evidence->subjects[reading->subject].record != record)
            break;
        reading->stamp = stamp;
    }
    for (size_t i = evidence->count_count; i > 0; i--) {
        struct ja_count *count = &evidence->counts[i - 1];
        if (evidence->subjects[count->subject].record != record)
            break;
        count->stamp = stamp;
    }
}

void ja_tool_settle(struct ja_parse *parse, uint32_t record)
{
    struct ja_evidence *evidence = parse->evidence;
    struct ja_carry *carry = &parse->carry;
    uint32_t stamp = evidence->records[record].stamp, row = first_row(evidence, record);
    int64_t interval_ns =
        parse->interval_ns != JA_UNKNOWN ? parse->interval_ns : carry->interval_ns;
    if (stamp == JA_NONE)
        return;
    if (carry->table_stamp != stamp + 1) {
        carry->table_stamp = stamp + 1;
        carry->table_record = record;
        carry->table_row = row;
        carry->table_repeats = 0;
        return;
    }
    if (!shows_again(evidence, carry, record, row))
        return;
    carry->table_repeats++;
    if (interval_ns == JA_UNKNOWN) {
        move(evidence, record, JA_NONE);
        return;
    }
    struct ja_stamp later = evidence->stamps[stamp];
    later.clock = JA_CLOCK_DERIVED;
    later.shift_ns = ja_add(later.shift_ns, (int64_t)carry->table_repeats * interval_ns);
    move(evidence, record, ja_add_stamp(evidence, &later));
}
