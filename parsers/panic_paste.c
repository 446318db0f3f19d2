/* SPDX-License-Identifier: MIT
 *
 * Panic logs in text: a plain .panic, a paste, a quote of a few lines, several in one file, or one
 * inside a longer text. Seen in tickets: fenced, quoted, re-wrapped, with the escapes of a JSON
 * string left in ("\\n"), cut anywhere.
 *
 *   Tue May 24 11:54:07 2016
 *   *** Panic Report ***
 *   panic(cpu 2 caller 0xffffff800c76aad5): "zalloc: zone map exhausted while allocating ...
 *
 * The date line above is when the report was written, local time without a zone: an upper bound.
 * A text never carries a process table. What it says is read by panic_text.c.
 */
#include "parsers/panic_json.h"

#include <string.h>

#include "parsers/scan.h"
#include "parsers/stamp.h"

#define MOST_LOGS 64

static bool contains(const char *text, size_t length, const char *token)
{
    return ja_text_find(text, length, token) < length;
}

/* The line above the panic that tells when the report was written ("Tue May 24 11:54:07 2016"). */
static uint32_t date_above(struct ja_parse *parse, const char *text, size_t length)
{
    uint32_t stamp = JA_NONE;
    for (size_t at = 0; at < length;) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t line = end ? (size_t)(end - text) - at : length - at;
        struct ja_stamp found = {0};
        if (line > 7 && ja_stamp_line(text + at, line, parse->evidence->arena, &found)) {
            found.clock = JA_CLOCK_REPORT;
            stamp = ja_add_stamp(parse->evidence, &found);
        }
        at += line + 1;
    }
    return stamp;
}

static const char *os_of_build(struct ja_parse *parse, const char *build)
{
    return build ? ja_arena_print(parse->evidence->arena, "build %s", build) : NULL;
}

static void judge_text(struct ja_parse *parse, const struct ja_panic_found *found, int line)
{
    if (found->cut) {
        ja_set_status(parse->evidence, JA_STATUS_DAMAGED, "the panic text is cut");
        ja_diagnose(parse->evidence, JA_WARNING, "cut-report", line, NULL,
                    "the panic text ends early, what stands before the cut is kept");
    } else if (found->quote) {
        ja_set_status(parse->evidence, JA_STATUS_PARTLY, "a few lines of a panic log");
    }
}

/* A T2's own log pasted: what is in it belongs to the T2, what it says to the Mac. Returns the
 * Mac's record. */
static uint32_t mac_record(struct ja_parse *parse, uint32_t t2, struct ja_panic_found *found)
{
    struct ja_evidence *evidence = parse->evidence;
    evidence->systems[evidence->records[t2].system].processor = "T2";
    evidence->systems[evidence->records[t2].system].boot_stamp = found->boot;
    ja_panic_set_moment(evidence, t2, found->calendar);
    uint32_t system = ja_add_system(evidence);
    uint32_t record = ja_add_record(evidence, JA_KIND_PANIC, JA_NONE);
    evidence->records[record].system = system;
    evidence->records[record].place = found->place;
    ja_panic_copy_statement(parse, t2, record);
    found->boot = JA_NONE; /* the T2's boot, not the Mac's */
    found->boot_session = NULL;
    return record;
}

/* One panic in text; above: the lines before it that may hold its date. */
static void read_text_log(struct ja_parse *parse, const char *text, size_t length, int line,
                          size_t above)
{
    struct ja_evidence *evidence = parse->evidence;
    uint32_t date = date_above(parse, text, above);
    if (date != JA_NONE && evidence->written == JA_NONE)
        evidence->written = date;
    uint32_t system = ja_add_system(evidence);
    uint32_t record = ja_add_record(evidence, JA_KIND_PANIC, JA_NONE);
    evidence->records[record].system = system;
    struct ja_panic_log log = {text, length, NULL, line};
    struct ja_panic_found found;
    ja_panic_text_read(parse, record, &log, &found);
    struct ja_system *s = &evidence->systems[system];
    s->kernel = ja_arena_string(evidence->arena, found.kernel);
    s->model = ja_arena_string(evidence->arena, found.model);
    s->os = evidence->os ? evidence->os : os_of_build(parse, found.os_build);
    if (!evidence->os)
        evidence->os = s->os;
    evidence->records[record].place = found.place;
    if (ja_panic_is_t2(text, length))
        record = mac_record(parse, record, &found);
    bool button = found.class && found.class->family == JA_PANIC_BUTTON;
    evidence->records[record].kind = button ? JA_KIND_FORCE_RESET : JA_KIND_PANIC;
    ja_set_kind(evidence, evidence->records[record].kind);
    ja_panic_add_event(parse, record, ja_panic_settle_times(parse, record, date, &found), &found);
    ja_add_fact(evidence, record, JA_FACT_TABLE_ABSENT, JA_UNKNOWN,
                found.table_absent ? found.table_absent : "a panic's text carries none",
                found.place);
    judge_text(parse, &found, line);
}

/* Offset of the next log behind from: a line that begins with "panic(cpu". A nested panic inside
 * a log says so in the lines above it. */
static size_t next_log(const char *text, size_t length, size_t from)
{
    for (size_t at = from; at < length;) {
        size_t found = at + ja_text_find(text + at, length - at, "\npanic(cpu ");
        if (found >= length)
            return length;
        size_t back = found > 200 ? found - 200 : 0;
        if (!contains(text + back, found - back, "ested panic"))
            return found + 1;
        at = found + 1;
    }
    return length;
}

/* Text copied out of a JSON string still holds its escapes: a line end becomes CR, so that the
 * file's lines keep their numbers. */
static const char *undo_escapes(struct ja_parse *parse, const char *text, size_t *length)
{
    if (ja_text_find(text, *length, "\\n") == *length)
        return text;
    static const char from[] = "nt/\"\\", to[] = "\r\t/\"\\";
    char *copy = ja_arena_copy(parse->scratch, text, *length);
    size_t count = 0;
    for (size_t i = 0; i < *length; i++) {
        const char *hit = copy[i] == '\\' && copy[i + 1] ? strchr(from, copy[i + 1]) : NULL;
        i += hit != NULL;
        copy[count++] = hit ? to[hit - from] : copy[i];
    }
    *length = count;
    return copy;
}

void ja_panic_read_text(struct ja_parse *parse, const char *text, size_t length, int line)
{
    static const char *const heads[] = {"panic(cpu ", "panic(CPU ", "Panic(CPU ",
                                        "Debugger message:"};
    text = undo_escapes(parse, text, &length);
    size_t head = length;
    for (size_t i = 0; i < sizeof heads / sizeof *heads && head == length; i++)
        head = ja_text_find(text, length, heads[i]);
    size_t from = 0, above = head < length ? head : 0;
    for (int logs = 0; from < length && logs < MOST_LOGS; logs++) {
        size_t next = next_log(text, length, from + above + 1);
        read_text_log(parse, text + from, next - from, line, above);
        for (size_t i = from; i < next; i++)
            line += text[i] == '\n';
        from = next;
        above = 0;
    }
    if (from < length)
        ja_diagnose(parse->evidence, JA_ERROR, "too-many-panics", line, NULL,
                    "more than %d panics in one text: the rest was left out", MOST_LOGS);
}

static bool begins_panic(const char *line, size_t length)
{
    ja_text_trim(&line, &length);
    return ja_text_begins(line, length, "panic(cpu ") ||
           ja_text_begins(line, length, "panic(CPU ") || ja_text_begins(line, length, "Panic(CPU ");
}

static int bid_piece(const struct ja_piece *piece)
{
    size_t end = 0;
    while (end < piece->length && piece->text[end] != '\n')
        end++;
    return begins_panic(piece->text, end) ? 85 : 0;
}

/* A stamp above is when the text was kept: the panic was before. */
static void parse_piece(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_evidence *evidence = parse->evidence;
    if (piece->stamp != JA_NONE && evidence->written == JA_NONE)
        evidence->written = piece->stamp;
    ja_panic_read_text(parse, piece->text, piece->length, piece->first_line);
}

const struct ja_parser ja_parser_panic_text = {
    .name = "panic_text",
    .reads = "panic logs pasted into a longer text",
    .begins = begins_panic,
    .bid = bid_piece,
    .parse = parse_piece,
};
