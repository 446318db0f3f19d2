/* SPDX-License-Identifier: MIT
 *
 * Low-memory reports before iOS 9: plain text (bug_type 198, 98), behind a JSON header line from
 * iOS 7 on. Seen: iOS 5.0, 8.4; the table head of iOS 6 and 7 lies between them.
 *   Free pages:        988
 *   Largest process:   SpringBoard
 *   Processes
 *            Name                 UUID                    Count resident pages
 *   WordsWithFriends <070df63153a33a698382ac948d5f3c8b>    7936 (jettisoned)
 * and, from iOS 6 on, "Name | <UUID> | CPU Time| rpages| purgeable| recent_max| lifetime_max| fds|
 * [reason] | (state)". Up to iOS 6 the count is of RESIDENT pages, from iOS 7 (xnu-2422) on rpages
 * is the footprint. There are no pids, ages and kill times; names stop at 16 characters. A row
 * with a reason, or in the state "jettisoned", was killed; the reason is the one printed.
 * Left out: recent_max, lifetime_max (a resident peak), fds, other states.
 */
#include "parsers/jetsam.h"

#include <string.h>

#include "parsers/scan.h"

#define SEARCH_BYTES ((size_t)64 * 1024)
#define UUID_BYTES 32
#define COLUMNS 8

enum column { COLUMN_NONE, COLUMN_CPU, COLUMN_PAGES, COLUMN_PURGEABLE, COLUMN_OTHER };

struct reader {
    struct ja_jetsam jetsam;
    struct ja_jetsam_head head;
    enum column columns[COLUMNS]; /* of the numbers behind the uuid */
    bool resident;                /* the head says "resident pages" */
    bool in_table, begun, ended, gap;
    struct ja_line stray; /* last line of the table that is no row */
};

static const struct {
    const char *label;
    enum ja_jetsam_number number;
} numbers[] = {
    {"Free pages", JA_JETSAM_FREE},
    {"Active pages", JA_JETSAM_ACTIVE},
    {"Inactive pages", JA_JETSAM_INACTIVE},
    {"Speculative pages", JA_JETSAM_SPECULATIVE},
    {"Throttled pages", JA_JETSAM_THROTTLED},
    {"Purgeable pages", JA_JETSAM_PURGEABLE},
    {"Wired pages", JA_JETSAM_WIRED},
    {"File-backed pages", JA_JETSAM_FILE_BACKED},
    {"Anonymous pages", JA_JETSAM_ANONYMOUS},
    {"Compressions", JA_JETSAM_COMPRESSIONS},
    {"Decompressions", JA_JETSAM_DECOMPRESSIONS},
    {"Compressor Size", JA_JETSAM_COMPRESSOR_SIZE},
    {"Uncompressed Pages in Compressor", JA_JETSAM_UNCOMPRESSED},
    {"Page Size", JA_JETSAM_PAGE_SIZE},
    {"Time since snapshot", JA_JETSAM_TIME_DELTA},
};

static bool has(const char *text, size_t length, const char *needle)
{
    return ja_text_find(text, length, needle) < length;
}

static int bid(const struct ja_piece *piece)
{
    size_t near = piece->length < SEARCH_BYTES ? piece->length : SEARCH_BYTES;
    struct ja_ips ips;
    ja_ips_of(piece, &ips);
    if (ja_ips_is(&ips, "198") || ja_ips_is(&ips, "98"))
        return memchr(ips.body.text, '{', ips.body.length) ? 0 : 96;
    if (ips.bug_type.text || !has(piece->text, near, "Free pages:"))
        return 0;
    return has(piece->text, near, "Largest process:") || has(piece->text, near, "resident pages") ||
                   has(piece->text, near, "recent_max")
               ? 88
               : 0;
}

/* "Label:   value" */
static bool labelled(const struct ja_line *line, const char *label, struct ja_slice *ret)
{
    const char *text = line->text;
    size_t length = line->length, size = strlen(label);
    ja_text_trim(&text, &length);
    if (ja_text_begins(text, length, "<string>")) /* the wrapping of a .plist */
        text += 8, length -= 8;
    if (!ja_text_begins(text, length, label) || length == size || text[size] != ':')
        return false;
    text += size + 1;
    length -= size + 1;
    ja_text_trim(&text, &length);
    *ret = (struct ja_slice){text, length};
    return true;
}

static void read_number(struct reader *r, const struct ja_line *line, const struct ja_slice *value,
                        size_t row)
{
    struct ja_evidence *evidence = r->jetsam.parse->evidence;
    struct ja_scan scan = ja_scan_of(value->text, value->length);
    int64_t n;
    bool ok = ja_scan_u63(&scan, &n);
    ja_scan_blanks(&scan);
    if (ok && numbers[row].number == JA_JETSAM_TIME_DELTA)
        ok = ja_scan_text(&scan, "ms");
    if (!ok || !ja_scan_end(&scan)) {
        ja_diagnose(evidence, JA_ERROR, "bad-number", line->number, NULL,
                    "%s: not a whole number, value left out", numbers[row].label);
        return;
    }
    r->head.numbers[numbers[row].number] = n;
    r->head.places[numbers[row].number] = ja_add_place_line(evidence, line->number);
}

static void read_head(struct reader *r, const struct ja_line *line)
{
    struct ja_evidence *evidence = r->jetsam.parse->evidence;
    const struct {
        const char *label;
        const char **text;
    } texts[] = {{"Incident Identifier", &evidence->incident_id},
                 {"CrashReporter Key", &r->head.key},
                 {"Hardware Model", &r->head.product},
                 {"OS Version", &r->head.build},
                 {"Kernel Version", &r->head.kernel},
                 {"Date", &r->head.date},
                 {"Largest process", &r->head.largest}};
    struct ja_slice value;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!*texts[i].text && labelled(line, texts[i].label, &value) && value.length)
            *texts[i].text = ja_arena_copy(evidence->arena, value.text, value.length);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (labelled(line, numbers[i].label, &value))
            read_number(r, line, &value, i);
}

/* The table's head names its columns; those behind the uuid hold one word a row each. */
static bool read_columns(struct reader *r, const struct ja_line *line)
{
    static const struct {
        const char *label;
        enum column column;
    } labels[] = {{"CPU Time", COLUMN_CPU},
                  {"rpages", COLUMN_PAGES},
                  {"resident pages", COLUMN_PAGES},
                  {"purgeable", COLUMN_PURGEABLE},
                  {"recent_max", COLUMN_OTHER},
                  {"lifetime_max", COLUMN_OTHER},
                  {"fds", COLUMN_OTHER}};
    size_t uuid = ja_text_find(line->text, line->length, "UUID");
    size_t count = 0, at = uuid;
    if (uuid >= line->length || !has(line->text, line->length, "ages"))
        return false;
    while (count < COLUMNS) {
        size_t best = line->length, which = 0;
        for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
            size_t found = at + ja_text_find(line->text + at, line->length - at, labels[i].label);
            if (found < best)
                best = found, which = i;
        }
        if (best >= line->length)
            break;
        r->columns[count++] = labels[which].column;
        at = best + strlen(labels[which].label);
    }
    r->resident |= has(line->text, line->length, "resident pages");
    return true;
}

/* The uuid in its brackets, which a .plist writes as entities. */
static bool find_uuid(const struct ja_line *line, struct ja_slice *ret_uuid, size_t *ret_open,
                      size_t *ret_after)
{
    static const char *const open[] = {"<", "&lt;"}, *const close[] = {">", "&gt;"};
    for (int k = 0; k < 2; k++) {
        size_t at = ja_text_find(line->text, line->length, open[k]);
        size_t begin = at + strlen(open[k]);
        struct ja_scan scan = ja_scan_of(line->text, line->length);
        if (at >= line->length || begin + UUID_BYTES > line->length)
            continue;
        scan.at = begin;
        size_t digits = 0;
        while (digits < UUID_BYTES && strchr("0123456789abcdefABCDEF", scan.text[begin + digits]))
            digits++;
        scan.at += digits;
        if (digits != UUID_BYTES || !ja_scan_text(&scan, close[k]))
            continue;
        *ret_uuid = (struct ja_slice){line->text + begin, UUID_BYTES};
        *ret_open = at;
        *ret_after = scan.at;
        return true;
    }
    return false;
}

struct text_row {
    int64_t pages, purgeable;
    double cpu_s;
    bool has_cpu;
    struct ja_slice reason;
};

static void read_word(const struct reader *r, const struct ja_slice *word, size_t column,
                      struct text_row *row)
{
    struct ja_scan scan = ja_scan_of(word->text, word->length);
    enum column what = column < COLUMNS ? r->columns[column] : COLUMN_NONE;
    int64_t n;
    double seconds;
    if (what == COLUMN_CPU && ja_scan_double(&scan, &seconds) && seconds >= 0) {
        row->cpu_s = seconds;
        row->has_cpu = true;
    } else if (what == COLUMN_PAGES && ja_scan_u63(&scan, &n) && ja_scan_end(&scan)) {
        row->pages = n;
    } else if (what == COLUMN_PURGEABLE && ja_scan_u63(&scan, &n) && ja_scan_end(&scan)) {
        row->purgeable = n;
    }
}

/* The words behind the uuid: numbers by column, then [reason] and (states). */
static struct text_row read_words(const struct reader *r, const char *text, size_t length)
{
    struct text_row row = {.pages = JA_UNKNOWN, .purgeable = JA_UNKNOWN};
    struct ja_scan scan = ja_scan_of(text, length);
    size_t column = 0;
    struct ja_slice word;
    for (;;) {
        ja_scan_blanks(&scan);
        if (!ja_scan_word(&scan, &word.text, &word.length))
            return row;
        bool bracket = word.text[0] == '[' && word.text[word.length - 1] == ']';
        if (bracket && word.length > 2)
            row.reason = (struct ja_slice){word.text + 1, word.length - 2};
        else if (ja_text_is(word.text, word.length, "(jettisoned)") && !row.reason.text)
            row.reason = (struct ja_slice){word.text + 1, word.length - 2};
        else if (!bracket && word.text[0] != '(')
            read_word(r, &word, column++, &row);
    }
}

static void begin(struct reader *r)
{
    struct ja_parse *parse = r->jetsam.parse;
    if (r->begun)
        return;
    r->begun = true;
    r->head.written = parse->evidence->written;
    ja_jetsam_begin(&r->head, JA_KIND_JETSAM_TEXT, parse, &r->jetsam);
    int major = ja_jetsam_os_major(r->head.build, NULL);
    if (r->resident || (major && major <= 6))
        r->jetsam.metric = JA_METRIC_RESIDENT;
}

static void add_row(struct reader *r, const struct ja_line *line, const struct ja_slice *name,
                    const struct ja_slice *uuid, const struct text_row *row)
{
    struct ja_jetsam *j = &r->jetsam;
    struct ja_evidence *evidence = j->parse->evidence;
    uint32_t subject =
        ja_add_subject(evidence, j->record,
                       ja_arena_copy(j->parse->scratch, name->text, name->length), JA_UNKNOWN);
    uint32_t place = ja_add_place_line(evidence, line->number), reading = JA_NONE;
    struct ja_subject *s = &evidence->subjects[subject];
    s->uuid = ja_arena_copy(evidence->arena, uuid->text, uuid->length);
    s->place = place;
    s->name_cut = name->length >= j->name_bytes;
    s->killed = row->reason.text != NULL;
    j->rows++;
    if (j->largest && ja_text_is(name->text, name->length, j->largest))
        j->largest_seen = true;
    if (row->has_cpu) {
        s->cpu_ns =
            row->cpu_s < 1e9 ? (int64_t)(row->cpu_s * 1e6 + 0.5) * JA_NS_PER_US : JA_UNKNOWN;
        ja_add_count(evidence, subject, "cpu_s", row->cpu_s, place);
    }
    int64_t bytes = JA_UNKNOWN;
    if (row->pages != JA_UNKNOWN && ja_jetsam_bytes(j, row->pages, &bytes) &&
        ja_room_for_reading(j->parse, ja_place_line(evidence, place))) {
        struct ja_quantity quantity = {bytes, j->page_bytes, JA_ROUNDING_DOWN};
        reading = (uint32_t)evidence->reading_count;
        ja_add_reading(evidence, subject, j->metric, quantity, place)->unit = JA_UNIT_PAGES;
    }
    if (!row->reason.text) {
        if (row->purgeable != JA_UNKNOWN)
            j->purgeable_pages = j->purgeable_pages == JA_UNKNOWN
                                     ? row->purgeable
                                     : ja_add(j->purgeable_pages, row->purgeable);
        return;
    }
    const char *reason = ja_arena_copy(evidence->arena, row->reason.text, row->reason.length);
    ja_jetsam_kill_add(
        j, &(struct ja_jetsam_kill){subject, place, reason, JA_UNKNOWN, bytes, reading, j->rows});
}

static void read_row(struct reader *r, const struct ja_line *line)
{
    struct ja_slice uuid, name = {line->text, 0};
    const char *text = line->text;
    size_t length = line->length, open, after;
    ja_text_trim(&text, &length);
    r->gap |= length == 0 && r->jetsam.rows > 0;
    if (length == 0)
        return;
    if (ja_text_begins(text, length, "**End**") || ja_text_begins(text, length, "</string>")) {
        r->ended = true;
        return;
    }
    struct text_row row = {.pages = JA_UNKNOWN};
    bool found = find_uuid(line, &uuid, &open, &after);
    if (found)
        row = read_words(r, line->text + after, line->length - after);
    if (!found || row.pages == JA_UNKNOWN) {
        r->stray = r->gap ? (struct ja_line){0} : *line;
        r->ended = r->gap; /* prose behind the table */
        return;
    }
    if (r->stray.text)
        ja_diagnose(r->jetsam.parse->evidence, JA_WARNING, "bad-row", r->stray.number, NULL,
                    "not a row of the table, left out");
    r->stray.text = NULL;
    name.length = open;
    ja_text_trim(&name.text, &name.length);
    begin(r);
    add_row(r, line, &name, &uuid, &row);
}

static void finish(struct reader *r)
{
    struct ja_evidence *evidence = r->jetsam.parse->evidence;
    begin(r);
    bool cut = r->stray.text || (r->jetsam.rows == 0 && !r->ended);
    if (!cut) {
        ja_jetsam_end(&r->jetsam, JA_JETSAM_WHOLE, NULL);
        return;
    }
    const char *why = ja_arena_print(evidence->arena, "cut: %d whole row%s kept", r->jetsam.rows,
                                     r->jetsam.rows == 1 ? "" : "s");
    ja_set_status(evidence, JA_STATUS_DAMAGED, why);
    ja_diagnose(evidence, JA_WARNING, "cut", r->stray.text ? r->stray.number : 0, NULL,
                "the table is cut: %d whole row%s kept, no total is made of them", r->jetsam.rows,
                r->jetsam.rows == 1 ? "" : "s");
    ja_jetsam_end(&r->jetsam, JA_JETSAM_CUT, why);
}

static void parse_text(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct reader r = {.jetsam.parse = parse,
                       .columns = {COLUMN_PAGES, COLUMN_OTHER, COLUMN_OTHER, COLUMN_OTHER}};
    struct ja_ips ips;
    struct ja_line line;
    size_t at = 0;
    int number = piece->first_line;
    ja_set_kind(parse->evidence, JA_KIND_JETSAM_TEXT);
    ja_jetsam_head_init(&r.head);
    ja_ips_of(piece, &ips);
    ja_ips_apply(&ips, parse);
    r.head.place = ja_add_place_line(parse->evidence, piece->first_line);
    while (!r.ended && ja_piece_line(piece, &at, &number, &line)) {
        if (r.in_table && r.jetsam.rows == 0 && read_columns(&r, &line))
            continue;
        if (r.in_table)
            read_row(&r, &line);
        else if (has(line.text, line.length, "Processes"))
            r.in_table = true;
        else
            read_head(&r, &line);
    }
    finish(&r);
}

const struct ja_parser ja_parser_jetsam_text = {
    .name = "jetsam_text",
    .reads = "low-memory reports in plain text (bug_type 198, 98): iOS 5 to 8",
    .whole = true,
    .bid = bid,
    .parse = parse_text,
};
