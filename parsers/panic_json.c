/* SPDX-License-Identifier: MIT */
#include "parsers/panic_json.h"

#include <string.h>

#include "parsers/json.h"
#include "parsers/scan.h"

static const char *member(const struct ja_panic_body *body, const char *key)
{
    struct ja_slice slice;
    if (!ja_ips_find(body->text, body->length, key, &slice, NULL))
        return NULL;
    return ja_ips_text(&slice, body->parse->evidence->arena);
}

/* The object begins and ends; words of whoever pasted it may follow. */
static bool is_whole(const char *text, size_t length)
{
    size_t from = 0;
    while (from < length && strchr(" \t\r\n", text[from]))
        from++;
    return from < length && text[from] == '{' && ja_ips_balanced(text + from, length - from);
}

struct ja_panic_body ja_panic_body_open(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_panic_body body = {.parse = parse, .date = JA_NONE};
    ja_ips_of(piece, &body.ips);
    ja_ips_apply(&body.ips, parse);
    body.text = body.ips.body.text;
    body.length = body.ips.body.length;
    if (ja_text_find(body.text, body.length, "{") == body.length &&
        ja_text_find(piece->text, piece->length, "tring\"") < piece->length) {
        body.text = piece->text; /* one object on one line: header and body in one */
        body.length = piece->length;
    }
    body.whole = is_whole(body.text, body.length);
    body.product = member(&body, "product");
    body.kernel = member(&body, "kernel");
    body.host_key = member(&body, "crashReporterKey");
    body.build = member(&body, "build");
    body.os = parse->evidence->os ? parse->evidence->os : body.build;
    if (!parse->evidence->os)
        parse->evidence->os = body.os;
    struct ja_slice date;
    if (ja_ips_find(body.text, body.length, "date", &date, NULL))
        body.date = ja_ips_stamp(&date, "$.date", parse);
    if (parse->evidence->written == JA_NONE)
        parse->evidence->written = body.date;
    if (!body.whole) {
        ja_set_status(parse->evidence, JA_STATUS_DAMAGED, "the report is cut or broken");
        ja_diagnose(parse->evidence, JA_WARNING, "cut-report", 0, NULL,
                    "the report's JSON does not close, what stands before the damage is kept");
    } else if (body.ips.header == JA_IPS_NONE || body.ips.header == JA_IPS_TORN) {
        ja_set_status(parse->evidence, JA_STATUS_PARTLY, "the header line is missing");
    }
    return body;
}

/* Appends one code point as UTF-8. */
static size_t put_utf8(char *to, unsigned code)
{
    if (code < 0x80) {
        to[0] = (char)(code ? code : ' ');
        return 1;
    }
    if (code < 0x800) {
        to[0] = (char)(0xC0 | code >> 6);
        to[1] = (char)(0x80 | (code & 0x3F));
        return 2;
    }
    to[0] = (char)(0xE0 | code >> 12);
    to[1] = (char)(0x80 | (code >> 6 & 0x3F));
    to[2] = (char)(0x80 | (code & 0x3F));
    return 3;
}

static bool hex4(const char *text, unsigned *ret)
{
    unsigned code = 0;
    for (int i = 0; i < 4; i++) {
        const char *digits = "0123456789abcdefABCDEF", *found = strchr(digits, text[i]);
        if (!text[i] || !found)
            return false;
        unsigned value = (unsigned)(found - digits);
        code = code * 16 + (value < 16 ? value : value - 6);
    }
    *ret = code;
    return true;
}

/* One escape at text[*at] == '\\'; false when the text ends inside it. */
static bool put_escape(const char *text, size_t length, size_t *at, char *to, size_t *count)
{
    if (*at + 1 >= length)
        return false;
    char c = text[*at + 1];
    unsigned code;
    if (c == 'u') {
        if (length - *at < 6)
            return false;
        bool good = hex4(text + *at + 2, &code) && (code < 0xD800 || code > 0xDFFF);
        *count += put_utf8(to + *count, good ? code : '?');
        *at += 6;
        return true;
    }
    const char *from = "nrtbf", *hit = strchr(from, c);
    to[(*count)++] = hit ? "\n\r\t  "[hit - from] : c;
    *at += 2;
    return true;
}

bool ja_panic_body_string(const struct ja_panic_body *body, const char *key, const char **ret,
                          size_t *ret_length, bool *ret_cut)
{
    size_t at = ja_panic_value(body->text, body->length, key);
    if (at >= body->length || body->text[at] != '"')
        return false;
    char *to = ja_arena_alloc(body->parse->scratch, body->length - at + 1, 1);
    size_t count = 0;
    *ret_cut = true;
    for (at++; at < body->length;) {
        char c = body->text[at];
        if (c == '"') {
            *ret_cut = false;
            break;
        }
        if (c == '\\') {
            if (!put_escape(body->text, body->length, &at, to, &count))
                break;
            continue;
        }
        to[count++] = c;
        at++;
    }
    *ret = to;
    *ret_length = count;
    return true;
}

uint32_t ja_panic_body_record(const struct ja_panic_body *body, enum ja_kind kind,
                              const char *processor)
{
    struct ja_evidence *evidence = body->parse->evidence;
    uint32_t system = ja_add_system(evidence);
    struct ja_system *s = &evidence->systems[system];
    s->host_key = body->host_key;
    s->model = body->product;
    s->os = body->os;
    s->kernel = body->kernel;
    s->processor = processor;
    uint32_t record = ja_add_record(evidence, kind, JA_NONE);
    evidence->records[record].system = system;
    return record;
}

static void table_cut(const struct ja_panic_body *body, uint32_t record, size_t rows,
                      uint32_t place)
{
    struct ja_evidence *evidence = body->parse->evidence;
    ja_add_fact(evidence, record, JA_FACT_TABLE_CUT, (int64_t)rows,
                "the file ends inside the process table", place);
    ja_set_status(evidence, JA_STATUS_DAMAGED, "cut inside the process table");
    ja_diagnose(evidence, JA_WARNING, "cut-table", 0, "$.processByPid",
                "the process table ends early: %zu rows kept, the cut one left out; it is not "
                "sorted, so nothing can be ranked",
                rows);
}

size_t ja_panic_body_tables(const struct ja_panic_body *body, uint32_t record, const char *text,
                            size_t length, bool nested, bool has_compressor, const char *why)
{
    struct ja_parse *parse = body->parse;
    struct ja_evidence *evidence = parse->evidence;
    size_t at = ja_panic_value(text, length, "memoryStatus");
    if (at < length && text[at] == '{')
        ja_panic_memory_status(parse, record, text + at, length - at, nested);
    at = ja_panic_value(text, length, "processByPid");
    bool whole = false;
    size_t rows = 0;
    uint32_t place = ja_add_place_json(
        evidence, nested ? "/stackshot/processByPid" : "/processByPid", -1, -1, NULL);
    evidence->records[record].complete = body->whole;
    if (at < length && text[at] == '{') {
        enum ja_metric metric = ja_panic_size_metric(body->kernel, body->os, has_compressor);
        rows = ja_panic_processes(parse, record, text + at, length - at, nested, metric, &whole);
        if (metric == JA_METRIC_UNSTATED && rows)
            ja_diagnose(evidence, JA_WARNING, "kernel-unknown", 0, "$.processByPid",
                        "neither kernel nor system version says whether residentMemoryBytes is a "
                        "footprint or RSS, kept as a size of unknown kind");
        if (!whole && rows)
            table_cut(body, record, rows, place);
        else if (!whole)
            why = "the file ends inside the first row of the process table";
    }
    if (rows == 0) {
        ja_add_fact(evidence, record, JA_FACT_TABLE_ABSENT, JA_UNKNOWN,
                    why            ? why
                    : !body->whole ? "the file ends before a process table"
                                   : "the report carries none",
                    place);
        return 0;
    }
    ja_add_fact(evidence, record, JA_FACT_ROWS, (int64_t)rows, NULL, place);
    evidence->records[record].census = true;
    evidence->records[record].complete &= whole;
    return rows;
}

bool ja_panic_stamp_s(const struct ja_evidence *evidence, uint32_t stamp, int64_t *ret_s)
{
    if (stamp == JA_NONE)
        return false;
    const struct ja_stamp *s = &evidence->stamps[stamp];
    if (s->parts & JA_STAMP_UNIX) {
        *ret_s = s->unix_ns / JA_NS_PER_S;
        return true;
    }
    unsigned needed = JA_STAMP_DATE | JA_STAMP_TIME | JA_STAMP_ZONE;
    int64_t seconds;
    if ((s->parts & needed) != needed || (s->parts & JA_STAMP_YEARLESS) ||
        !ja_civil_to_unix(s->year, s->month, s->day, s->hour, s->minute, s->second, &seconds))
        return false;
    *ret_s = seconds - s->offset_s;
    return true;
}

uint32_t ja_panic_not_after(struct ja_evidence *evidence, uint32_t date)
{
    uint32_t bound = date != JA_NONE ? date : evidence->written;
    int64_t of_date, of_header;
    if (ja_panic_stamp_s(evidence, date, &of_date) &&
        ja_panic_stamp_s(evidence, evidence->written, &of_header) && of_header < of_date)
        bound = evidence->written;
    if (bound == JA_NONE)
        bound = evidence->name_stamp;
    if (bound == JA_NONE)
        return JA_NONE;
    struct ja_stamp stamp = evidence->stamps[bound];
    stamp.parts |= JA_STAMP_NOT_AFTER;
    return ja_add_stamp(evidence, &stamp);
}

static void lag(struct ja_parse *parse, uint32_t record, const struct ja_panic_found *found)
{
    struct ja_evidence *evidence = parse->evidence;
    int64_t written;
    if (found->calendar_s == JA_UNKNOWN || !ja_panic_stamp_s(evidence, evidence->written, &written))
        return;
    ja_add_fact(evidence, record, JA_FACT_REPORT_LAG_S, written - found->calendar_s, NULL,
                found->place);
    if (written < found->calendar_s)
        ja_diagnose(evidence, JA_WARNING, "clock-conflict", 0, NULL,
                    "the report claims to be written %lld s before the panic's own clock, which is "
                    "kept as the time of the panic",
                    (long long)(found->calendar_s - written));
}

void ja_panic_set_moment(struct ja_evidence *evidence, uint32_t record, uint32_t stamp)
{
    evidence->records[record].stamp = stamp;
    for (size_t i = 0; i < evidence->reading_count; i++)
        if (evidence->subjects[evidence->readings[i].subject].record == record)
            evidence->readings[i].stamp = stamp;
}

uint32_t ja_panic_settle_times(struct ja_parse *parse, uint32_t record, uint32_t date,
                               const struct ja_panic_found *found)
{
    struct ja_evidence *evidence = parse->evidence;
    uint32_t stamp =
        found->calendar != JA_NONE ? found->calendar : ja_panic_not_after(evidence, date);
    ja_panic_set_moment(evidence, record, stamp);
    uint32_t system = evidence->records[record].system;
    if (system != JA_NONE && found->boot != JA_NONE)
        evidence->systems[system].boot_stamp = found->boot;
    if (system != JA_NONE && found->boot_session)
        evidence->systems[system].boot_id = ja_arena_string(evidence->arena, found->boot_session);
    if (evidence->captured == JA_NONE)
        evidence->captured = stamp;
    lag(parse, record, found);
    return stamp;
}

void ja_panic_add_event(struct ja_parse *parse, uint32_t record, uint32_t stamp,
                        const struct ja_panic_found *found)
{
    bool button = found->class && found->class->family == JA_PANIC_BUTTON;
    struct ja_event_seen *event =
        ja_add_event(parse->evidence, button ? JA_EVENT_FORCE_RESET : JA_EVENT_PANIC, record, stamp,
                     found->place);
    event->reason = found->class ? found->class->word : NULL;
    event->detail = ja_arena_string(parse->evidence->arena, found->detail);
}

bool ja_panic_is_t2(const char *text, size_t length)
{
    static const char *const sentences[] = {"): macOS watchdog detected", "): macOS panic detected",
                                            "): x86 CPU CATERR detected",
                                            "): x86 global reset detected"};
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
        if (ja_text_find(text, length, sentences[i]) < length)
            return true;
    return false;
}

void ja_panic_copy_statement(struct ja_parse *parse, uint32_t from, uint32_t to)
{
    static const enum ja_fact_key keys[] = {JA_FACT_PANIC_STRING, JA_FACT_PANIC_CLASS,
                                            JA_FACT_OTHER_CAUSE, JA_FACT_WATCHDOG_KIND};
    size_t count = parse->evidence->fact_count;
    for (size_t i = 0; i < count; i++) {
        struct ja_fact fact = parse->evidence->facts[i];
        bool wanted = false;
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            wanted |= fact.key == keys[k];
        if (wanted && fact.record == from)
            ja_add_fact(parse->evidence, to, fact.key, fact.value, fact.text, fact.place);
    }
}
