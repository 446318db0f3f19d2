/* SPDX-License-Identifier: MIT
 *
 * Kernel panics, bug_type 210 (10 and 110 before): a header line and one JSON object, in a file
 * called .ips or .panic; plain text up to macOS 10.15; bare, quoted or re-wrapped text from a
 * ticket. Seen: OS X 10.10 to macOS 27, iOS 12 to 27, Intel with and without T2, Apple silicon.
 * What a JSON line looks like:
 *
 *   {"bug_type":"210","timestamp":"2026-09-14 14:08:48.00 +0100","os_version":"macOS 26.6.2
 * (25G83)"} { "product" : "Mac17,3", "panicString" : "panic(cpu 0 caller 0xfffffe00...): watchdog
 * ...
 *
 * The text is read by panic_text.c, memoryStatus and processByPid by panic_tables.c.
 * Moment of the panic: Calendar of the text; without it the report's own time is an upper bound
 * only, because the report is written after the reboot, perhaps a day later.
 * Boot -> the boot's start; Boot session UUID -> the boot's id (a boot has one panic at most).
 * A Mac with a T2 has two texts: macOSPanicString is the Mac's, panicString the T2's own. The
 * T2's table, pages and compressor go to a system of their own; its Calendar is when it noticed the
 * Mac's panic and serves as the event's time when the Mac's text has none.
 * macOSProcessedStackshotData is base64: of a sentence when there is no stackshot of the Mac.
 * Left out: binaryImages, panicFlags (otherString says the same in words).
 */
#include "parsers/panic_json.h"

#include <string.h>

#include "parsers/scan.h"

#define SNIFF_BYTES ((size_t)256 * 1024)
#define MOST_PREAMBLE 1500

static bool contains(const char *text, size_t length, const char *token)
{
    return ja_text_find(text, length, token) < length;
}

/* A text that is a panic log, perhaps with a few words before it. Further down in a longer text
 * it is a piece beside others (panic_text). */
static int bid_text(const char *text, size_t length)
{
    static const char *const certain[] = {"panic(cpu ", "panic(CPU ", "Panic(CPU ",
                                          "*** Panic Report ***", "Debugger message: WDT timeout"};
    for (size_t i = 0; i < sizeof certain / sizeof *certain; i++) {
        size_t at = ja_text_find(text, length, certain[i]);
        if (at < MOST_PREAMBLE && at < length)
            return at == 0 || text[at - 1] == '\n' ? 85 : 75;
    }
    /* The tail of a log: the sentence itself was cut off by whoever pasted it. */
    size_t near = length < MOST_PREAMBLE ? length : MOST_PREAMBLE;
    if (contains(text, near, "Compressor Info:") &&
        contains(text, near, "of compressed pages limit"))
        return 70;
    return 0;
}

static bool is_json(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length && strchr(" \t\r\n", text[at]))
        at++;
    return at < length && (text[at] == '{' || text[at] == '"');
}

static int bid(const struct ja_piece *piece)
{
    size_t length = piece->length < SNIFF_BYTES ? piece->length : SNIFF_BYTES;
    struct ja_ips ips;
    ja_ips_of(piece, &ips);
    if (ja_ips_is(&ips, "210") || ja_ips_is(&ips, "110") || ja_ips_is(&ips, "10"))
        return 95;
    if (ips.bug_type.text)
        return 0;
    static const char *const keys[] = {"\"panicString\"", "\"macOSPanicString\"",
                                       "\"panic_string\""};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (contains(piece->text, length, keys[i]))
            return 90;
    if (is_json(piece->text, length))
        return 0;
    return bid_text(piece->text, length < 16384 ? length : 16384);
}

/* Text first, then what stands beside it; the event last. */
static void read_log(const struct ja_panic_body *body, uint32_t record, const char *key,
                     const char *json_path, struct ja_panic_found *found)
{
    struct ja_panic_log log = {.json_path = json_path};
    bool cut;
    *found = (struct ja_panic_found){
        .calendar = JA_NONE, .boot = JA_NONE, .place = JA_NONE, .calendar_s = JA_UNKNOWN};
    if (!ja_panic_body_string(body, key, &log.text, &log.length, &cut))
        return;
    ja_panic_text_read(body->parse, record, &log, found);
    if (cut && !found->cut)
        ja_add_fact(body->parse->evidence, record, JA_FACT_CUT, JA_UNKNOWN,
                    "the panic text ends early", found->place);
    found->cut |= cut;
}

static void read_beside(const struct ja_panic_body *body, uint32_t record,
                        struct ja_panic_found *found)
{
    const char *text;
    size_t length;
    bool cut;
    if (ja_panic_body_string(body, "otherString", &text, &length, &cut) && !found->table_absent)
        ja_panic_stackshot(body->parse, record, text, length,
                           ja_add_place_json(body->parse->evidence, "/otherString", -1, -1, NULL),
                           found);
    if (ja_panic_body_string(body, "panicInitiator", &text, &length, &cut))
        ja_add_fact(body->parse->evidence, record, JA_FACT_PANIC_INITIATOR, JA_UNKNOWN,
                    ja_arena_copy(body->parse->scratch, text, length),
                    ja_add_place_json(body->parse->evidence, "/panicInitiator", -1, -1, NULL));
}

static bool is_bridge(const char *os)
{
    return os && (strncmp(os, "Bridge", 6) == 0 || strncmp(os, "bridge", 6) == 0);
}

/* The T2's own text says what it saw of the Mac: this goes to the Mac, its tables do not. */
static bool speaks_for_mac(const struct ja_panic_body *body)
{
    return is_bridge(body->os) || (body->product && strncmp(body->product, "iBridge", 7) == 0) ||
           ja_panic_is_t2(body->text, body->length);
}

/* The record of the T2 with its text, table and pages. */
static uint32_t read_t2(const struct ja_panic_body *body, struct ja_panic_found *found)
{
    struct ja_evidence *evidence = body->parse->evidence;
    uint32_t record = ja_panic_body_record(body, JA_KIND_PANIC, "T2");
    if (body->build)
        evidence->systems[evidence->records[record].system].os = body->build;
    read_log(body, record, "panicString", "/panicString", found);
    read_beside(body, record, found);
    ja_panic_set_moment(evidence, record,
                        found->calendar != JA_NONE ? found->calendar
                                                   : ja_panic_not_after(evidence, body->date));
    evidence->systems[evidence->records[record].system].boot_stamp = found->boot;
    ja_panic_body_tables(body, record, body->text, body->length, false, found->has_compressor,
                         found->table_absent);
    return record;
}

static int base64_digit(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = c ? strchr(digits, c) : NULL;
    return found ? (int)(found - digits) : -1;
}

/* A short printable sentence in base64; NULL when it is something else. */
static const char *decoded_sentence(struct ja_parse *parse, const char *text, size_t length)
{
    if (length > 400)
        return NULL;
    char *to = ja_arena_alloc(parse->scratch, length + 1, 1);
    size_t count = 0;
    unsigned bits = 0, held = 0;
    for (size_t i = 0; i < length && text[i] != '='; i++) {
        int digit = base64_digit(text[i]);
        if (digit < 0)
            return NULL;
        bits = (bits << 6 | (unsigned)digit) & 0xFFFF;
        held += 6;
        if (held < 8)
            continue;
        held -= 8;
        char c = (char)(bits >> held & 0xFF);
        if (c < ' ' || c > '~')
            return NULL;
        to[count++] = c;
    }
    return count ? to : NULL;
}

/* Why the Mac has no process table in this report. */
static const char *mac_table_absent(const struct ja_panic_body *body)
{
    const char *text, *sentence = NULL;
    size_t length;
    bool cut;
    if (ja_panic_body_string(body, "macOSProcessedStackshotData", &text, &length, &cut) && !cut)
        sentence = decoded_sentence(body->parse, text, length);
    if (sentence && strstr(sentence, "no on disk panic stackshot"))
        return "no stackshot of the Mac was found on its disk";
    return "a process table in such a report belongs to the T2 processor";
}

static void read_mac_with_t2(const struct ja_panic_body *body)
{
    struct ja_parse *parse = body->parse;
    struct ja_evidence *evidence = parse->evidence;
    struct ja_panic_found mac, t2;
    uint32_t record = ja_panic_body_record(body, JA_KIND_PANIC, NULL);
    struct ja_system *system = &evidence->systems[evidence->records[record].system];
    system->kernel = NULL; /* the body's kernel and product are the T2's */
    if (speaks_for_mac(body))
        system->model = NULL;
    if (is_bridge(system->os))
        system->os = NULL;
    read_log(body, record, "macOSPanicString", "/macOSPanicString", &mac);
    system = &evidence->systems[evidence->records[record].system];
    system->kernel = ja_arena_string(evidence->arena, mac.kernel);
    if (mac.model)
        system->model = ja_arena_string(evidence->arena, mac.model);
    bool own_text = ja_panic_value(body->text, body->length, "panicString") < body->length;
    uint32_t other = own_text ? read_t2(body, &t2) : JA_NONE;
    if (mac.place == JA_NONE && other != JA_NONE) {
        ja_panic_copy_statement(parse, other, record);
        mac.class = t2.class;
        mac.detail = t2.detail;
        mac.place = t2.place;
    }
    if (mac.calendar == JA_NONE && other != JA_NONE) {
        mac.calendar = t2.calendar;
        mac.calendar_s = t2.calendar_s;
    }
    if (mac.place == JA_NONE)
        mac.place = ja_add_place_json(evidence, "/panicString", -1, -1, NULL);
    ja_panic_add_event(parse, record, ja_panic_settle_times(parse, record, body->date, &mac), &mac);
    ja_add_fact(evidence, record, JA_FACT_TABLE_ABSENT, JA_UNKNOWN, mac_table_absent(body),
                mac.place);
}

static void read_plain_json(const struct ja_panic_body *body)
{
    struct ja_parse *parse = body->parse;
    struct ja_panic_found found;
    uint32_t record = ja_panic_body_record(body, JA_KIND_PANIC, NULL);
    bool usual = ja_panic_value(body->text, body->length, "panicString") < body->length;
    read_log(body, record, usual ? "panicString" : "panic_string",
             usual ? "/panicString" : "/panic_string", &found);
    if (found.place == JA_NONE)
        found.place = ja_add_place_json(parse->evidence, "/panicString", -1, -1, NULL);
    struct ja_system *system = &parse->evidence->systems[parse->evidence->records[record].system];
    if (!system->kernel)
        system->kernel = ja_arena_string(parse->evidence->arena, found.kernel);
    read_beside(body, record, &found);
    uint32_t stamp = ja_panic_settle_times(parse, record, body->date, &found);
    ja_panic_add_event(parse, record, stamp, &found);
    const char *absent = found.table_present
                             ? "the stackshot succeeded, but this copy carries no process table"
                             : found.table_absent;
    ja_panic_body_tables(body, record, body->text, body->length, false, found.has_compressor,
                         absent);
    if (found.cut && body->whole)
        ja_diagnose(parse->evidence, JA_NOTE, "short-panic-text", 0, "$.panicString",
                    "the panic text ends early although the report is whole");
}

static bool is_blank(const struct ja_slice *slice)
{
    for (size_t i = 0; i < slice->length; i++)
        if (!strchr(" \t\r\n", slice->text[i]))
            return false;
    return true;
}

/* Text behind a header line (before iOS 9), plain text, or nothing but the header line. */
static void read_as_text(const struct ja_piece *piece, struct ja_parse *parse,
                         const struct ja_ips *ips, bool header)
{
    if (!header) {
        ja_panic_read_text(parse, piece->text, piece->length, piece->first_line);
        return;
    }
    ja_ips_apply(ips, parse);
    if (is_blank(&ips->body)) {
        ja_set_status(parse->evidence, JA_STATUS_DAMAGED, "only its header line was left");
        ja_diagnose(parse->evidence, JA_WARNING, "cut-report", piece->first_line, NULL,
                    "nothing but the header line of a panic report is left");
    }
    ja_panic_read_text(parse, ips->body.text, ips->body.length, piece->first_line + ips->body_line);
}

static void parse_panic(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_ips ips;
    bool header = ja_ips_of(piece, &ips);
    bool keys = contains(piece->text, piece->length, "anicString\"") ||
                contains(piece->text, piece->length, "\"panic_string\"");
    if (!keys && !is_json(ips.body.text, ips.body.length)) {
        read_as_text(piece, parse, &ips, header);
        return;
    }
    ja_set_kind(parse->evidence, JA_KIND_PANIC);
    struct ja_panic_body body = ja_panic_body_open(piece, parse);
    bool mac = ja_panic_value(body.text, body.length, "macOSPanicString") < body.length;
    if (mac || speaks_for_mac(&body))
        read_mac_with_t2(&body);
    else
        read_plain_json(&body);
}

const struct ja_parser ja_parser_panic = {
    .name = "panic",
    .reads = "kernel panics: .ips and .panic (bug_type 210), plain and pasted text",
    .whole = true,
    .bid = bid,
    .parse = parse_panic,
};
