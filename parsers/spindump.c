/* SPDX-License-Identifier: MIT
 *
 *   Date/Time:        2020-10-19 23:46:29.268 +0100
 *   End time:         2020-10-19 23:48:59.680 +0100
 *   Command:          apfs_defragd
 *   PID:              7877
 *   Event:            cpu usage
 *   Powerstats for:   apfs_defragd [7877]          (spins: "Process:  apfs_defragd [7877]")
 *   Footprint:        120.84 MB                    (or "120.84 MB -> 121.10 MB (+272 KB)")
 *   Start time:       2020-10-19 23:47:00.334 +0100
 *   End time:         2020-10-19 23:48:58.707 +0100
 *
 * Footprint -> phys_footprint (MB = 2^20), the step of its last digit. One figure stands for the
 * whole window of its block: its time is the middle, half the window off either way. With an arrow
 * the two figures stand at the window's ends.
 */
#include "parsers/spindump.h"

#include <string.h>

#include "parsers/panic_json.h"
#include "parsers/scan.h"
#include "parsers/stamp.h"

#define SNIFF_LINES 60

struct row {
    const char *label;
    size_t offset; /* of the slice in struct ja_spindump */
};

#define ROW(label, member)                                                                         \
    {                                                                                              \
        label, offsetof(struct ja_spindump, member)                                                \
    }
static const struct row rows[] = {
    ROW("Date/Time:", start),      ROW("End time:", end),        ROW("OS Version:", os),
    ROW("Hardware model:", model), ROW("Command:", command),     ROW("PID:", pid),
    ROW("Event:", event),          ROW("Action taken:", action), ROW("Duration:", duration),
    ROW("Reason:", reason),        ROW("CPU:", limit),           ROW("Writes:", limit),
    ROW("Wakeups:", limit),        ROW("Memory:", limit),        ROW("Limit:", limit),
};

/* The value behind a label that a line, trimmed, begins with. */
static bool labelled(const struct ja_line *line, const char *label, struct ja_slice *ret)
{
    if (!line->length || line->text[0] != label[0] ||
        !ja_text_begins(line->text, line->length, label))
        return false;
    ret->text = line->text + strlen(label);
    ret->length = line->length - strlen(label);
    ja_text_trim(&ret->text, &ret->length);
    return true;
}

static void header_line(struct ja_spindump *dump, const struct ja_line *line)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ja_slice value;
        if (!labelled(line, rows[i].label, &value))
            continue;
        struct ja_slice *to = (struct ja_slice *)(void *)((char *)dump + rows[i].offset);
        if (!to->text)
            *to = value;
        if (to == &dump->event)
            dump->event_line = line->number;
        return;
    }
}

static bool block_begins(const struct ja_line *line, struct ja_slice *ret)
{
    return labelled(line, "Powerstats for:", ret) || labelled(line, "Process:", ret);
}

static bool is_object(const struct ja_slice *body)
{
    size_t at = 0;
    while (at < body->length && memchr(" \t\r\n", body->text[at], 4))
        at++;
    return at < body->length && body->text[at] == '{';
}

bool ja_spindump_open(const struct ja_piece *piece, struct ja_spindump *ret)
{
    *ret = (struct ja_spindump){0};
    bool header = ja_ips_of(piece, &ret->ips);
    ret->body = *piece;
    if (header && ret->ips.header == JA_IPS_LINE) {
        ret->body.text = ret->ips.body.text;
        ret->body.length = ret->ips.body.length;
        ret->body.first_line = piece->first_line + ret->ips.body_line;
        if (is_object(&ret->ips.body))
            return false; /* JSON, as nearly all reports are: seen without looking for labels */
    }
    size_t at = 0;
    int number = 0;
    struct ja_line line;
    struct ja_slice block;
    for (int i = 0; i < SNIFF_LINES && ja_piece_line(&ret->body, &at, &number, &line); i++) {
        ja_text_trim(&line.text, &line.length);
        if (block_begins(&line, &block))
            break;
        header_line(ret, &line);
    }
    return ret->start.text && (ret->event.text || ret->end.text) &&
           (ret->os.text || ret->command.text);
}

bool ja_slice_holds(const struct ja_slice *slice, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; slice->text && i + length <= slice->length; i++) {
        size_t k = 0;
        while (k < length) {
            char c = slice->text[i + k];
            if (c >= 'A' && c <= 'Z')
                c = (char)(c + 'a' - 'A');
            if (c != word[k])
                break;
            k++;
        }
        if (k == length)
            return true;
    }
    return false;
}

/* "apfs_defragd [7877]" or a bare name. */
static uint32_t add_process(struct ja_parse *parse, uint32_t record, const struct ja_slice *text,
                            const struct ja_slice *pid_text)
{
    size_t length = text->length;
    int64_t pid = JA_UNKNOWN;
    struct ja_scan scan = ja_scan_of(pid_text->text, pid_text->text ? pid_text->length : 0);
    ja_scan_u63(&scan, &pid);
    if (length && text->text[length - 1] == ']') {
        size_t open = length - 1;
        while (open > 0 && text->text[open] != '[')
            open--;
        scan = ja_scan_of(text->text + open + 1, length - open - 2);
        if (text->text[open] == '[' && ja_scan_u63(&scan, &pid))
            length = open;
    }
    const char *name = text->text;
    ja_text_trim(&name, &length);
    return ja_add_subject(parse->evidence, record,
                          length ? ja_arena_copy(parse->scratch, name, length) : NULL, pid);
}

struct block {
    struct ja_slice name, pid, start, end, footprint, uuid;
    int footprint_line;
};

struct reader {
    struct ja_parse *parse;
    enum ja_kind kind;
    uint32_t system;
    size_t readings;
};

static uint32_t stamp_of(struct ja_parse *parse, const struct ja_slice *slice)
{
    return ja_ips_stamp(slice, NULL, parse);
}

/* The middle of two stamps, half their distance off; the later one when they cannot be compared. */
static uint32_t middle(struct ja_evidence *evidence, uint32_t first, uint32_t last)
{
    int64_t first_s, last_s;
    if (first == JA_NONE || last == JA_NONE)
        return last != JA_NONE ? last : first;
    if (!ja_panic_stamp_s(evidence, first, &first_s) ||
        !ja_panic_stamp_s(evidence, last, &last_s) || last_s < first_s)
        return last;
    struct ja_stamp stamp = evidence->stamps[first];
    int64_t half = (last_s - first_s) * JA_NS_PER_S / 2;
    stamp.shift_ns += half;
    stamp.error_ns += half + JA_NS_PER_S;
    return ja_add_stamp(evidence, &stamp);
}

static uint32_t add_record(struct reader *reader, uint32_t stamp, int line)
{
    struct ja_evidence *evidence = reader->parse->evidence;
    uint32_t record = ja_add_record(evidence, reader->kind, stamp);
    evidence->records[record].system = reader->system;
    evidence->records[record].place = ja_add_place_line(evidence, line);
    return record;
}

static void add_size(struct reader *reader, const struct block *block, uint32_t stamp,
                     const char *from, size_t length, struct ja_quantity size)
{
    struct ja_evidence *evidence = reader->parse->evidence;
    if (!ja_room_for_reading(reader->parse, block->footprint_line))
        return;
    uint32_t record = add_record(reader, stamp, block->footprint_line);
    uint32_t subject = add_process(reader->parse, record, &block->name, &block->pid);
    evidence->subjects[subject].place = evidence->records[record].place;
    if (block->uuid.text)
        evidence->subjects[subject].uuid =
            ja_arena_copy(evidence->arena, block->uuid.text, block->uuid.length);
    ja_add_reading(evidence, subject, JA_METRIC_PHYS_FOOTPRINT, size,
                   evidence->records[record].place)
        ->printed = ja_arena_copy(evidence->arena, from, length);
    reader->readings++;
}

static void flush(struct reader *reader, struct block *block)
{
    const struct ja_slice text = block->footprint;
    struct ja_scan scan = ja_scan_of(text.text, text.text ? text.length : 0);
    struct ja_quantity first, last;
    if (text.text && block->name.text && ja_scan_size(&scan, &first)) {
        struct ja_evidence *evidence = reader->parse->evidence;
        uint32_t start = stamp_of(reader->parse, &block->start);
        uint32_t end = stamp_of(reader->parse, &block->end);
        size_t used = scan.at;
        ja_scan_blanks(&scan);
        bool arrow = ja_scan_text(&scan, "->");
        ja_scan_blanks(&scan);
        size_t from = scan.at;
        if (arrow && ja_scan_size(&scan, &last)) {
            add_size(reader, block, start, text.text, used, first);
            add_size(reader, block, end, text.text + from, scan.at - from, last);
        } else {
            add_size(reader, block, middle(evidence, start, end), text.text, used, first);
        }
    } else if (text.text && block->name.text) {
        ja_diagnose(reader->parse->evidence, JA_WARNING, "bad-number", block->footprint_line, NULL,
                    "Footprint is no size, left out");
    }
    *block = (struct block){0};
}

static void body_line(struct reader *reader, struct block *block, const struct ja_line *line,
                      const struct ja_spindump *dump)
{
    struct ja_slice value;
    if (block_begins(line, &value)) {
        flush(reader, block);
        block->name = value;
        block->start = dump->start;
        block->end = dump->end;
    } else if (labelled(line, "Footprint:", &value) && !block->footprint.text) {
        block->footprint = value;
        block->footprint_line = line->number;
    } else if (labelled(line, "Start time:", &value)) {
        block->start = value;
    } else if (labelled(line, "End time:", &value)) {
        block->end = value;
    } else if (labelled(line, "UUID:", &value) && !block->uuid.text) {
        block->uuid = value;
    }
}

static uint32_t add_system(const struct ja_spindump *dump, struct ja_parse *parse)
{
    struct ja_evidence *evidence = parse->evidence;
    uint32_t system = ja_add_system(evidence);
    if (!evidence->os && dump->os.text)
        evidence->os = ja_arena_copy(evidence->arena, dump->os.text, dump->os.length);
    evidence->systems[system].os = evidence->os;
    if (dump->model.text)
        evidence->systems[system].model =
            ja_arena_copy(evidence->arena, dump->model.text, dump->model.length);
    return system;
}

uint32_t ja_spindump_read(const struct ja_spindump *dump, struct ja_parse *parse, enum ja_kind kind,
                          size_t *ret_readings)
{
    struct ja_evidence *evidence = parse->evidence;
    ja_set_kind(evidence, kind);
    ja_ips_apply(&dump->ips, parse);
    struct reader reader = {parse, kind, add_system(dump, parse), 0};
    uint32_t end = stamp_of(parse, dump->end.text ? &dump->end : &dump->start);
    if (evidence->captured == JA_NONE)
        evidence->captured = end;
    uint32_t record =
        add_record(&reader, end, dump->event_line ? dump->event_line : dump->body.first_line);
    struct block block = {
        .name = dump->command, .pid = dump->pid, .start = dump->start, .end = dump->end};
    size_t at = 0;
    int number = 0;
    struct ja_line line;
    while (ja_piece_line(&dump->body, &at, &number, &line)) {
        ja_text_trim(&line.text, &line.length);
        body_line(&reader, &block, &line, dump);
    }
    flush(&reader, &block);
    *ret_readings = reader.readings;
    return record;
}

struct ja_event_seen *ja_spindump_event(const struct ja_spindump *dump, struct ja_parse *parse,
                                        uint32_t record, enum ja_event_kind kind,
                                        const char *reason, const struct ja_slice *detail)
{
    struct ja_evidence *evidence = parse->evidence;
    uint32_t subject = JA_NONE;
    if (dump->command.text)
        subject = add_process(parse, record, &dump->command, &dump->pid);
    struct ja_event_seen *event = ja_add_event(
        evidence, kind, record, evidence->records[record].stamp, evidence->records[record].place);
    event->subject = subject;
    event->reason = reason;
    if (detail && detail->text)
        event->detail = ja_arena_copy(evidence->arena, detail->text, detail->length);
    return event;
}

void ja_spindump_status(struct ja_parse *parse, size_t readings, bool event, const char *why)
{
    if (readings)
        ja_set_status(parse->evidence, JA_STATUS_USED, NULL);
    else
        ja_set_status(parse->evidence, event ? JA_STATUS_EVENT_ONLY : JA_STATUS_NO_MEMORY_CONTENT,
                      why);
}
