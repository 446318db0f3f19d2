/* SPDX-License-Identifier: MIT */
#include "parsers/dump.h"

#include <string.h>

#include "parsers/apple_size.h"
#include "parsers/scan.h"

bool ja_name_and_pid(const char *text, size_t length, size_t *ret_name_length, int64_t *ret_pid)
{
    if (length < 4 || text[length - 1] != ']')
        return false;
    size_t open = length - 1;
    while (open > 0 && text[open] != '[')
        open--;
    if (open == 0 || text[open] != '[')
        return false;
    struct ja_scan scan = ja_scan_of(text + open + 1, length - open - 2);
    int64_t pid;
    if (!ja_scan_u63(&scan, &pid) || !ja_scan_end(&scan) || pid > INT32_MAX)
        return false;
    const char *name = text;
    ja_text_trim(&name, &open);
    if (open == 0 || name != text)
        return false;
    *ret_name_length = open;
    *ret_pid = pid;
    return true;
}

bool ja_dump_line(const struct ja_piece *piece, size_t *at, int *line_number, struct ja_line *ret)
{
    if (!ja_piece_line(piece, at, line_number, ret))
        return false;
    ja_text_trim(&ret->text, &ret->length);
    return true;
}

bool ja_line_bare(const struct ja_piece *piece, const struct ja_line *line)
{
    const char *end = piece->text + piece->length;
    while (end > line->text + line->length && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    return end == line->text + line->length;
}

bool ja_line_elided(const struct ja_line *line)
{
    static const char *const marks[] = {"...", "(snip)", "[snip]", "[...]", "\xE2\x80\xA6"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (ja_text_begins(line->text, line->length, marks[i]))
            return true;
    return false;
}

static enum ja_unit unit_of(const struct ja_dump_value *value)
{
    char last = '\0';
    for (size_t i = value->printed_length; i > 0 && !last; i--)
        if (strchr("KMGs", value->printed[i - 1]))
            last = value->printed[i - 1];
    switch (last) {
    case 'K':
        return JA_UNIT_KIB;
    case 'M':
        return JA_UNIT_MIB;
    case 'G':
        return JA_UNIT_GIB;
    case 's':
        return JA_UNIT_PAGES;
    default:
        return JA_UNIT_BYTES;
    }
}

#define LARGE_LABEL (64 * JA_MIB) /* smaller rows mislead nobody */

/* Says once in a file what a large category's label may stand for. */
static void say_trap(struct ja_parse *parse, const struct ja_dump_value *value)
{
    const char *trap = ja_category_trap(value->category);
    if (!trap || value->quantity.value < LARGE_LABEL)
        return;
    uint32_t *said = ja_index_note(&parse->carry.said, parse->scratch, trap, 0);
    if ((*said)++)
        return;
    ja_diagnose(parse->evidence, JA_NOTE, "label", ja_place_line(parse->evidence, value->place),
                NULL, "%s is only a tag: %s; the label proves nothing", value->category, trap);
}

bool ja_dump_reading(struct ja_parse *parse, uint32_t subject, const struct ja_dump_value *value)
{
    struct ja_evidence *evidence = parse->evidence;
    if (!ja_room_for_reading(parse, ja_place_line(evidence, value->place)))
        return false;
    struct ja_reading *reading =
        ja_add_reading(evidence, subject, value->metric, value->quantity, value->place);
    reading->approximate = value->approximate;
    if (value->category) {
        reading->category = ja_add_category(evidence, value->category);
        say_trap(parse, value);
    }
    if (value->printed_length) {
        reading->unit = (uint8_t)unit_of(value);
        reading->printed = ja_arena_copy(evidence->arena, value->printed, value->printed_length);
    }
    return true;
}

void ja_dump_fact(struct ja_parse *parse, uint32_t subject, enum ja_fact_key key, int64_t value,
                  const char *text, uint32_t place)
{
    uint32_t record = parse->evidence->subjects[subject].record;
    ja_add_fact(parse->evidence, record, key, value, text, place)->subject = subject;
}

void ja_dump_forget_subject(struct ja_evidence *evidence)
{
    uint32_t last = (uint32_t)evidence->subject_count - 1;
    size_t readings = evidence->reading_count;
    if (readings && evidence->readings[readings - 1].subject == last)
        return; /* it was measured after all: a peak alone */
    uint32_t record = evidence->subjects[last].record;
    evidence->subject_count--;
    for (size_t i = evidence->fact_count; i-- > 0 && evidence->facts[i].record >= record;)
        if (evidence->facts[i].subject == last)
            evidence->facts[i].subject = JA_NONE;
}

struct ja_system *ja_dump_system(struct ja_parse *parse)
{
    if (parse->carry.system == JA_NONE)
        parse->carry.system = ja_add_system(parse->evidence);
    return &parse->evidence->systems[parse->carry.system];
}

/* ---- the time of a neighbour ----------------------------------------------------------------- */

#define NEIGHBOUR_NS (60 * JA_NS_PER_S)

/* First subject of a record; JA_NONE. Records and subjects are added in one order. */
static uint32_t subject_of(const struct ja_evidence *evidence, uint32_t record)
{
    for (size_t i = evidence->subject_count; i-- > 0 && evidence->subjects[i].record >= record;)
        if (evidence->subjects[i].record == record)
            return (uint32_t)i;
    return JA_NONE;
}

static void set_stamp(struct ja_evidence *evidence, uint32_t record, uint32_t subject,
                      uint32_t stamp)
{
    evidence->records[record].stamp = stamp;
    for (size_t i = evidence->reading_count; i-- > 0 && evidence->readings[i].subject >= subject;)
        if (evidence->readings[i].subject == subject)
            evidence->readings[i].stamp = stamp;
}

static bool states_time(const struct ja_evidence *evidence, uint32_t record)
{
    uint32_t stamp = evidence->records[record].stamp;
    return stamp != JA_NONE && evidence->stamps[stamp].clock == JA_CLOCK_REPORT &&
           evidence->records[record].kind != JA_KIND_FOOTPRINT;
}

static bool borrowed(const struct ja_evidence *evidence, uint32_t record)
{
    uint32_t stamp = evidence->records[record].stamp;
    return stamp != JA_NONE && evidence->stamps[stamp].error_ns == NEIGHBOUR_NS;
}

static void lend(struct ja_evidence *evidence, uint32_t from, uint32_t record, uint32_t subject)
{
    struct ja_stamp stamp = evidence->stamps[evidence->records[from].stamp];
    stamp.clock = JA_CLOCK_STAMP;
    stamp.error_ns = NEIGHBOUR_NS;
    set_stamp(evidence, record, subject, ja_add_stamp(evidence, &stamp));
    ja_diagnose(evidence, JA_NOTE, "time-of-neighbour",
                ja_place_line(evidence, evidence->records[record].place), NULL,
                "footprint prints no time: taken from the %s dump of the same process beside it, "
                "good to a minute",
                ja_kind_word(evidence->records[from].kind));
}

/* Clock readings of one file that were printed with their offset can be compared as they are. */
static bool far_apart(const struct ja_stamp *a, const struct ja_stamp *b)
{
    int64_t x, y;
    if (!ja_civil_to_unix(a->year, a->month, a->day, a->hour, a->minute, a->second, &x) ||
        !ja_civil_to_unix(b->year, b->month, b->day, b->hour, b->minute, b->second, &y))
        return true;
    int64_t apart_s = (x - a->offset_s) - (y - b->offset_s);
    return apart_s > 120 || apart_s < -120;
}

void ja_dump_borrow_time(struct ja_parse *parse, uint32_t record)
{
    struct ja_evidence *evidence = parse->evidence;
    if (record == 0)
        return;
    uint32_t before = record - 1;
    uint32_t here = subject_of(evidence, record), there = subject_of(evidence, before);
    if (here == JA_NONE || there == JA_NONE ||
        evidence->subjects[here].pid != evidence->subjects[there].pid ||
        evidence->subjects[here].pid == JA_UNKNOWN)
        return;
    bool dump = evidence->records[record].kind == JA_KIND_FOOTPRINT;
    if (dump && evidence->records[record].stamp == JA_NONE && states_time(evidence, before))
        lend(evidence, before, record, here);
    if (dump || !states_time(evidence, record) ||
        evidence->records[before].kind != JA_KIND_FOOTPRINT)
        return;
    if (evidence->records[before].stamp == JA_NONE) {
        lend(evidence, record, before, there);
    } else if (borrowed(evidence, before) &&
               far_apart(&evidence->stamps[evidence->records[before].stamp],
                         &evidence->stamps[evidence->records[record].stamp])) {
        set_stamp(evidence, before, there, JA_NONE);
        ja_diagnose(evidence, JA_NOTE, "time-of-neighbour",
                    ja_place_line(evidence, evidence->records[before].place), NULL,
                    "the dumps on both sides state different times: left undated after all");
    }
}

/* ---- error texts ----------------------------------------------------------------------------- */

static bool begins_with_any(const char *text, size_t length, const char *const *texts)
{
    for (; *texts; texts++)
        if (ja_text_begins(text, length, *texts))
            return true;
    return false;
}

/* Texts behind "footprint: ", "vmmap: "; a home-made log may print sizes there. */
static const char *const complaints[] = {"Unable to",
                                         "Must run as root",
                                         "Failed to",
                                         "Could not",
                                         "Cannot",
                                         "unrecognized",
                                         "illegal",
                                         "invalid",
                                         "No process corpse slots",
                                         "resource shortage",
                                         "terminated;",
                                         "command not found",
                                         NULL};

/* What footprint prints without its name. */
static const char *const remarks[] = {"Unable to find pid for process matching",
                                      "Unable to analyze process ",
                                      "Must run as root",
                                      "Sampling at ",
                                      "Analyzing and writing output",
                                      "Exiting early due to ",
                                      NULL};

static bool is_error(const char *text, size_t length, const char *tool)
{
    static const char missing[] = "command not found";
    struct ja_scan scan = ja_scan_of(text, length);
    int64_t pid;
    if (ja_text_find(text, length, missing) < length && ja_text_find(text, length, tool) < length)
        return true; /* "zsh: command not found: footprint" */
    if (strcmp(tool, "footprint") == 0 && begins_with_any(text, length, remarks))
        return true;
    if (!ja_scan_text(&scan, tool))
        return false;
    if (ja_scan_text(&scan, " cannot examine process"))
        return true;
    if (ja_scan_char(&scan, '['))
        return ja_scan_u63(&scan, &pid) && ja_scan_text(&scan, "]:");
    return ja_scan_text(&scan, ": ") &&
           begins_with_any(text + scan.at, length - scan.at, complaints);
}

bool ja_tool_error_find(const struct ja_piece *piece, const char *tool, struct ja_line *ret)
{
    size_t at = 0;
    int number = 0;
    struct ja_line line;
    while (ja_dump_line(piece, &at, &number, &line)) {
        if (!is_error(line.text, line.length, tool))
            continue;
        *ret = line;
        return true;
    }
    return false;
}

void ja_tool_error_note(const struct ja_piece *piece, struct ja_parse *parse, enum ja_kind kind,
                        const struct ja_line *line)
{
    struct ja_evidence *evidence = parse->evidence;
    int shown = line->length > 200 ? 200 : (int)line->length;
    ja_set_kind(evidence, kind);
    ja_set_status(evidence, JA_STATUS_NO_MEMORY_CONTENT, "error text of the tool, no sample");
    ja_diagnose(evidence, JA_NOTE, "tool-error", line->number, NULL,
                "error text of the tool, holds no sample: %.*s", shown, line->text);
    if (piece->stamp == JA_NONE)
        return;
    uint32_t record = ja_add_record(evidence, kind, piece->stamp);
    uint32_t place = ja_add_place_line(evidence, line->number);
    evidence->records[record].place = place;
    evidence->records[record].system = parse->carry.system;
    const char *text = ja_arena_copy(parse->scratch, line->text, line->length);
    ja_add_fact(evidence, record, JA_FACT_FAILED_ROUND, JA_UNKNOWN, text, place);
}
