/* SPDX-License-Identifier: MIT
 *
 * Crash reports (bug_type 309, 109, 9; .ips with a JSON body, .crash text). Seen: iOS 4 to 18,
 * macOS 11 to 26. Only what speaks of memory is taken:
 *
 *   "termination" : {"namespace":"JETSAM","code":7,...}      -> JETSAM_KILL, reason per code
 *   "exception" : {"type":"EXC_RESOURCE","subtype":"MEMORY","message":"... (Limit 2098 MB) ..."}
 *                                                            -> LIMIT with the limit in bytes
 *   "vmSummary" : "... TOTAL  1.9G  2345 ..."                -> virtual size of the process
 *   Termination Reason: Namespace JETSAM, Code 0x7           (text form)
 *
 * Who it was: procName, pid, procLaunch (its start), coalitionID. captureTime -> the moment.
 * procStartAbsTime and procExitAbsTime are the clock of Jetsam's ages: 24 MHz on Apple silicon.
 * A crash of any other kind is no memory content. Left out: stacks, images, registers.
 */
#include <string.h>

#include "parsers/ips.h"
#include "parsers/scan.h"

struct crash {
    struct ja_parse *parse;
    const struct ja_piece *piece;
    struct ja_ips ips;
    bool json;
    uint32_t record, subject;
};

static bool text_form(const struct ja_piece *piece)
{
    size_t length = piece->length < 16384 ? piece->length : 16384;
    return ja_text_find(piece->text, length, "Exception Type:") < length &&
           ja_text_find(piece->text, length, "Process:") < length;
}

static int bid(const struct ja_piece *piece)
{
    struct ja_ips ips;
    ja_ips_of(piece, &ips);
    if (ja_ips_is(&ips, "309") || ja_ips_is(&ips, "109") || ja_ips_is(&ips, "9"))
        return 95;
    if (ips.bug_type.text)
        return 0;
    struct ja_slice slice;
    size_t length = piece->length < 65536 ? piece->length : 65536;
    if (ja_ips_find(piece->text, length, "procName", &slice, NULL) &&
        ja_text_find(piece->text, length, "\"exception\"") < length)
        return 85;
    return text_form(piece) ? 80 : 0;
}

/* The member of the JSON body, or the rest of the line with the label in a text. */
static struct ja_slice find(const struct crash *crash, const char *key, const char *label)
{
    struct ja_slice slice = {NULL, 0};
    if (crash->json) {
        if (key)
            ja_ips_find(crash->ips.body.text, crash->ips.body.length, key, &slice, NULL);
        return slice;
    }
    size_t at = 0;
    int number = 0;
    struct ja_line line;
    while (label && ja_piece_line(crash->piece, &at, &number, &line)) {
        const char *text = line.text;
        size_t length = line.length;
        ja_text_trim(&text, &length);
        if (!ja_text_begins(text, length, label))
            continue;
        slice = (struct ja_slice){text + strlen(label), length - strlen(label)};
        ja_text_trim(&slice.text, &slice.length);
        return slice;
    }
    return slice;
}

static int64_t whole(const struct ja_slice *slice)
{
    struct ja_scan scan = ja_scan_of(slice->text, slice->text ? slice->length : 0);
    int64_t value;
    return ja_scan_u63(&scan, &value) ? value : JA_UNKNOWN;
}

/* "Sketcher [5120]" of the text form. */
static void name_and_pid(const struct crash *crash, struct ja_slice *name, int64_t *pid)
{
    *name = find(crash, "procName", "Process:");
    struct ja_slice number = find(crash, "pid", NULL);
    *pid = whole(&number);
    if (crash->json || !name->text)
        return;
    size_t open = ja_text_find(name->text, name->length, " [");
    if (open >= name->length)
        return;
    struct ja_slice inside = {name->text + open + 2, name->length - open - 2};
    *pid = whole(&inside);
    name->length = open;
    ja_text_trim(&name->text, &name->length);
}

static uint32_t place(const struct crash *crash, const char *path)
{
    return crash->json ? ja_add_place_json(crash->parse->evidence, path, -1, -1, NULL)
                       : ja_add_place_line(crash->parse->evidence, crash->piece->first_line);
}

static void add_record(struct crash *crash)
{
    struct ja_evidence *evidence = crash->parse->evidence;
    struct ja_slice time = find(crash, "captureTime", "Date/Time:");
    uint32_t stamp = ja_ips_stamp(&time, "$.captureTime", crash->parse);
    if (stamp == JA_NONE)
        stamp = evidence->written;
    evidence->captured = stamp;
    uint32_t system = ja_add_system(evidence);
    struct ja_slice model = find(crash, "modelCode", "Hardware Model:");
    struct ja_slice key = find(crash, "crashReporterKey", "CrashReporter Key:");
    evidence->systems[system].os = evidence->os;
    evidence->systems[system].model = ja_ips_text(&model, evidence->arena);
    evidence->systems[system].host_key = ja_ips_text(&key, evidence->arena);
    crash->record = ja_add_record(evidence, JA_KIND_CRASH, stamp);
    evidence->records[crash->record].system = system;
}

static void add_subject(struct crash *crash)
{
    struct ja_evidence *evidence = crash->parse->evidence;
    struct ja_slice name;
    int64_t pid;
    name_and_pid(crash, &name, &pid);
    crash->subject =
        ja_add_subject(evidence, crash->record, ja_ips_text(&name, crash->parse->scratch), pid);
    struct ja_slice launch = find(crash, "procLaunch", "Launch Time:");
    struct ja_slice coalition = find(crash, "coalitionID", NULL);
    uint32_t start = ja_ips_stamp(&launch, "$.procLaunch", crash->parse);
    struct ja_subject *subject = &evidence->subjects[crash->subject];
    ja_subject_more(subject, evidence->arena)->start_stamp = start;
    subject->coalition = whole(&coalition);
    subject->place = place(crash, "/procName");
}

/* Kill reasons of namespace JETSAM by number, as Jetsam reports name them (xnu's table). */
static const char *const reasons[] = {
    [1] = "jettisoned",
    [2] = "highwater",
    [3] = "vnode-limit",
    [4] = "vm-pageshortage",
    [5] = "proc-thrashing",
    [6] = "fc-thrashing",
    [7] = "per-process-limit",
    [8] = "disk-space-shortage",
    [9] = "idle-exit",
    [10] = "zone-map-exhaustion",
    [11] = "vm-compressor-thrashing",
    [12] = "vm-compressor-space-shortage",
    [13] = "low-swap",
    [14] = "sustained-memory-pressure",
    [15] = "vm-pageout-starvation",
};

static bool jetsam_end(struct crash *crash)
{
    struct ja_slice space = find(crash, "namespace", "Termination Reason:");
    if (!space.text || ja_text_find(space.text, space.length, "JETSAM") >= space.length)
        return false;
    int64_t code = JA_UNKNOWN;
    if (crash->json) {
        size_t at = ja_text_find(crash->ips.body.text, crash->ips.body.length, "\"termination\"");
        struct ja_slice number;
        if (at < crash->ips.body.length &&
            ja_ips_find(crash->ips.body.text + at, crash->ips.body.length - at, "code", &number,
                        NULL))
            code = whole(&number);
    } else {
        size_t at = ja_text_find(space.text, space.length, "ode ");
        struct ja_scan scan = ja_scan_of(space.text, space.length);
        scan.at = at < space.length ? at + 4 : space.length;
        uint64_t value;
        if (ja_scan_hex(&scan, &value) && value < 256)
            code = (int64_t)value;
    }
    struct ja_evidence *evidence = crash->parse->evidence;
    struct ja_event_seen *event =
        ja_add_event(evidence, JA_EVENT_JETSAM_KILL, crash->record,
                     evidence->records[crash->record].stamp, place(crash, "/termination"));
    event->subject = crash->subject;
    bool known = code > 0 && (uint64_t)code < sizeof reasons / sizeof *reasons;
    event->reason = known ? reasons[code] : "jetsam (reason not named)";
    event->detail = "stated by a crash report: termination namespace JETSAM";
    return true;
}

static bool memory_limit(struct crash *crash)
{
    struct ja_slice type = find(crash, "subtype", "Exception Subtype:");
    struct ja_slice kind = find(crash, NULL, "Exception Type:");
    const char *text = crash->json ? crash->ips.body.text : crash->piece->text;
    size_t length = crash->json ? crash->ips.body.length : crash->piece->length;
    bool resource = crash->json
                        ? ja_text_find(text, length, "EXC_RESOURCE") < length
                        : kind.text && ja_text_begins(kind.text, kind.length, "EXC_RESOURCE");
    if (!resource || !type.text || ja_text_find(type.text, type.length, "MEMORY") >= type.length)
        return false;
    struct ja_evidence *evidence = crash->parse->evidence;
    struct ja_event_seen *event =
        ja_add_event(evidence, JA_EVENT_LIMIT, crash->record,
                     evidence->records[crash->record].stamp, place(crash, "/exception"));
    event->subject = crash->subject;
    event->reason = "memory limit";
    struct ja_slice message = find(crash, "message", "Exception Message:");
    event->detail = ja_ips_text(&message, evidence->arena);
    size_t at = message.text ? ja_text_find(message.text, message.length, "imit ") : 0;
    struct ja_quantity size;
    if (message.text && at < message.length) {
        struct ja_scan scan = ja_scan_of(message.text, message.length);
        scan.at = at + 5;
        if (ja_scan_size(&scan, &size))
            event->limit_bytes = size.value;
    }
    return true;
}

/* "TOTAL                                1.9G     2345" of the region summary. */
static bool virtual_size(struct crash *crash)
{
    struct ja_slice summary = find(crash, "vmSummary", NULL);
    const char *text = summary.text ? summary.text : crash->piece->text;
    size_t length = summary.text ? summary.length : crash->piece->length;
    if (crash->json && !summary.text)
        return false;
    size_t at = ja_text_find(text, length, "\nTOTAL ");
    size_t skip = 7;
    if (at >= length) {
        at = ja_text_find(text, length, "\\nTOTAL ");
        skip = 8;
    }
    if (at >= length)
        return false;
    struct ja_scan scan = ja_scan_of(text, length);
    scan.at = at + skip;
    ja_scan_blanks(&scan);
    size_t from = scan.at;
    struct ja_quantity size;
    if (!ja_scan_size(&scan, &size) || !ja_room_for_reading(crash->parse, 0))
        return false;
    struct ja_evidence *evidence = crash->parse->evidence;
    ja_add_reading(evidence, crash->subject, JA_METRIC_VIRTUAL, size, place(crash, "/vmSummary"))
        ->printed = ja_arena_copy(evidence->arena, text + from, scan.at - from);
    return true;
}

static bool speaks_of_memory(const struct ja_piece *piece)
{
    static const char *const words[] = {"JETSAM", "EXC_RESOURCE", "vmSummary", "\nTOTAL "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ja_text_find(piece->text, piece->length, words[i]) < piece->length)
            return true;
    return false;
}

static void parse_crash(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct crash crash = {.parse = parse, .piece = piece};
    ja_ips_of(piece, &crash.ips);
    ja_set_kind(parse->evidence, JA_KIND_CRASH);
    ja_ips_apply(&crash.ips, parse);
    crash.json = crash.ips.bug_type.text
                     ? !text_form(piece)
                     : ja_text_find(piece->text, piece->length, "\"exception\"") < piece->length;
    parse->evidence->captured = parse->evidence->written;
    if (!speaks_of_memory(piece)) {
        ja_set_status(parse->evidence, JA_STATUS_NO_MEMORY_CONTENT,
                      "a crash that names no memory limit and no jetsam kill");
        return;
    }
    add_record(&crash);
    add_subject(&crash);
    bool killed = jetsam_end(&crash), limit = memory_limit(&crash);
    bool size = virtual_size(&crash);
    if (size)
        ja_set_status(parse->evidence, JA_STATUS_USED, NULL);
    else if (killed || limit)
        ja_set_status(parse->evidence, JA_STATUS_EVENT_ONLY,
                      "a crash report that names a memory limit or a jetsam kill");
    else
        ja_set_status(parse->evidence, JA_STATUS_NO_MEMORY_CONTENT,
                      "a crash that names no memory limit and no jetsam kill");
}

const struct ja_parser ja_parser_crash = {
    .name = "crash",
    .reads = "crash reports (bug_type 309, 109, 9): jetsam terminations, memory limits, vmSummary",
    .whole = true,
    .bid = bid,
    .parse = parse_crash,
};
