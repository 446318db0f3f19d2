/* SPDX-License-Identifier: MIT
 *
 * Salvage of a Jetsam report that is no JSON: cut in the middle, begun in the middle, rows elided,
 * braces lost, rows pasted without their array. Values of the head are found by their names; of
 * the table every balanced object that has a row's keys is parsed alone, in one pass over the text
 * with a bounded stack of open braces. What is not whole (a number that ends with the text, a row
 * without its end) is left out. Nothing read here is ever a whole table, so its sums are no totals.
 */
#include "parsers/jetsam.h"

#include <string.h>

#include "parsers/scan.h"

struct frame {
    size_t start;
    int line;
    bool row; /* holds a key that only rows have */
};

struct found_row {
    size_t start, length;
    int line;
    int group; /* rows with a line of prose between them are of different groups */
};

struct finder {
    const char *text;
    size_t length;
    int line;
    struct frame frames[JA_JSON_DEPTH]; /* a ring: the oldest is forgotten when it is full */
    size_t pushed, open;
    int group;
    bool torn; /* a row begins or ends outside the text */
    struct found_row *rows;
    size_t row_count, row_capacity;
    struct ja_jetsam_shape shape; /* of the rows */
    struct ja_arena *scratch;
};

static bool is_row_key(const char *key, size_t length)
{
    static const char *const keys[] = {"rpages",    "lifetimeMax", "uuid", "age",
                                       "killDelta", "coalition",   "fds",  "cpuTime"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (ja_text_is(key, length, keys[i]))
            return true;
    return false;
}

static struct frame *top(struct finder *f)
{
    return f->open ? &f->frames[(f->pushed - 1) % JA_JSON_DEPTH] : NULL;
}

static void open_brace(struct finder *f, size_t at)
{
    f->frames[f->pushed++ % JA_JSON_DEPTH] = (struct frame){.start = at, .line = f->line};
    if (f->open < JA_JSON_DEPTH)
        f->open++;
}

static void close_brace(struct finder *f, size_t at)
{
    struct frame *frame = top(f);
    if (!frame)
        return;
    if (frame->row)
        *JA_APPEND(f->scratch, f->rows, f->row_count, f->row_capacity) =
            (struct found_row){frame->start, at + 1 - frame->start, frame->line, f->group};
    f->pushed--;
    f->open--;
}

/* Passes the string at at, notes it when it is a key of rows; returns its closing quote. */
static size_t pass_string(struct finder *f, size_t at)
{
    size_t begin = at + 1;
    for (at++; at < f->length && f->text[at] != '"' && f->text[at] != '\n'; at++)
        if (f->text[at] == '\\')
            at++;
    if (at >= f->length || f->text[at] != '"')
        return at - 1;
    size_t next = at + 1;
    while (next < f->length && (f->text[next] == ' ' || f->text[next] == '\t'))
        next++;
    if (next < f->length && f->text[next] == ':' && is_row_key(f->text + begin, at - begin)) {
        if (f->open)
            top(f)->row = true;
        else
            f->torn = true;
    }
    return at;
}

/* A line of prose begins here: people write between the rows that they paste. */
static bool is_prose(const struct finder *f, size_t at)
{
    while (at < f->length && (f->text[at] == ' ' || f->text[at] == '\t'))
        at++;
    char c = at < f->length ? f->text[at] : '\0';
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '#' || c == '*';
}

static void find_rows(struct finder *f)
{
    for (size_t at = 0; at < f->length; at++) {
        char c = f->text[at];
        if (c == '"')
            at = pass_string(f, at);
        else if (c == '{')
            open_brace(f, at);
        else if (c == '}')
            close_brace(f, at);
        else if (c == '\n') {
            f->line++;
            f->group += is_prose(f, at + 1);
        }
    }
    for (size_t i = 0; i < f->open; i++)
        f->torn |= f->frames[(f->pushed - 1 - i) % JA_JSON_DEPTH].row;
}

/* The pages' part of a report: what rows hold under the same names is not of it. */
static struct ja_slice status_part(const char *text, size_t length, size_t first_row)
{
    size_t start = ja_text_find(text, length, "\"memoryStatus\"");
    if (start >= length)
        return (struct ja_slice){text, first_row < length ? first_row : length};
    const char *brace = memchr(text + start, '{', length - start);
    size_t open = brace ? (size_t)(brace - text) : length;
    size_t size = open < length ? ja_ips_balanced(text + open, length - open) : 0;
    size_t end = length;
    if (size)
        end = open + size;
    else if (first_row > start && first_row < length)
        end = first_row;
    return (struct ja_slice){text + start, end - start};
}

static int line_of(const char *text, const char *at, int line)
{
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

static void find_number(const struct ja_slice *part, enum ja_jetsam_number number, int line,
                        const char *text, struct ja_evidence *evidence, struct ja_jetsam_head *head)
{
    const char *key = ja_jetsam_numbers[number].key;
    struct ja_slice value;
    bool quoted;
    if (!ja_ips_find(part->text, part->length, key, &value, &quoted))
        return;
    int at_line = line_of(text, value.text, line);
    struct ja_scan scan = ja_scan_of(value.text, value.length);
    int64_t n;
    if (quoted || !ja_scan_u63(&scan, &n) || !ja_scan_end(&scan)) {
        ja_diagnose(evidence, JA_ERROR, "bad-number", at_line, NULL,
                    "%s: not a whole number, value left out", key);
        return;
    }
    head->numbers[number] = n;
    head->places[number] = ja_add_place_line(evidence, at_line);
}

static const char *find_text(const char *text, size_t length, const char *key,
                             struct ja_arena *arena)
{
    struct ja_slice value;
    bool quoted;
    if (!ja_ips_find(text, length, key, &value, &quoted) || !quoted)
        return NULL;
    return ja_ips_text(&value, arena);
}

/* True when anything of a head was found. */
static bool find_head(const char *text, size_t length, int line, size_t first_row,
                      struct ja_evidence *evidence, struct ja_jetsam_head *head)
{
    struct ja_arena *arena = evidence->arena;
    head->date = find_text(text, length, "date", arena);
    head->key = find_text(text, length, "crashReporterKey", arena);
    head->product = find_text(text, length, "product", arena);
    head->build = find_text(text, length, "build", arena);
    head->kernel = find_text(text, length, "kernel", arena);
    head->largest = find_text(text, length, "largestProcess", arena);
    struct ja_slice part = status_part(text, length, first_row), whole = {text, length};
    bool any = head->date || head->key || head->product || head->build || head->largest;
    for (int n = 0; n < JA_JETSAM_NUMBERS; n++) {
        find_number(n == JA_JETSAM_TIME_DELTA ? &whole : &part, (enum ja_jetsam_number)n, line,
                    text, evidence, head);
        any |= head->numbers[n] != JA_UNKNOWN;
    }
    head->place = ja_add_place_line(evidence, line);
    return any;
}

/* The members of a row, as of a whole document; false when it is no JSON. */
static bool read_row(const struct ja_slice *source, struct ja_jetsam_shape *shape,
                     struct ja_jetsam_fields *fields)
{
    struct ja_pull pull = ja_pull_of(source->text, source->length);
    if (ja_jetsam_fields_pull(&pull, shape, fields))
        return true;
    size_t used;
    const cJSON *object = ja_json_parse(source->text, source->length, &used);
    ja_jetsam_fields_json(object, fields);
    return object != NULL;
}

/* Rows from *from on, to the end or to the end of their group. */
static void read_rows(struct ja_jetsam *jetsam, struct finder *f, size_t *from, bool one_group)
{
    size_t i = *from;
    f->shape.texts = jetsam->parse->texts;
    for (; i < f->row_count; i++) {
        const struct found_row *row = &f->rows[i];
        if (one_group && row->group != f->rows[*from].group)
            break;
        struct ja_slice source = {f->text + row->start, row->length};
        struct ja_jetsam_fields fields;
        if (read_row(&source, &f->shape, &fields)) {
            ja_jetsam_row(jetsam, &fields, -1, row->line, &source);
            continue;
        }
        f->torn = true;
        ja_diagnose(jetsam->parse->evidence, JA_ERROR, "bad-row", row->line, NULL,
                    "a row of the process table is broken, left out");
    }
    *from = i;
}

static void finish(struct ja_jetsam *jetsam, const struct finder *f, bool cut)
{
    struct ja_evidence *evidence = jetsam->parse->evidence;
    if (cut) {
        const char *why = ja_arena_print(evidence->arena, "cut or broken: %d whole row%s kept",
                                         jetsam->rows, jetsam->rows == 1 ? "" : "s");
        ja_set_status(evidence, JA_STATUS_DAMAGED, why);
        ja_diagnose(evidence, JA_WARNING, "cut", f->line, NULL,
                    "the report is cut or broken: %d whole row%s kept, the rest left out, no total "
                    "is made of them",
                    jetsam->rows, jetsam->rows == 1 ? "" : "s");
        ja_jetsam_end(jetsam, JA_JETSAM_CUT, why);
        return;
    }
    ja_set_status(evidence, JA_STATUS_PARTLY, "parts of a report, rows missing");
    ja_diagnose(evidence, JA_WARNING, "parts-missing", 0, NULL,
                "only parts of a report: %d row%s read, no total is made of them", jetsam->rows,
                jetsam->rows == 1 ? "" : "s");
    ja_jetsam_end(jetsam, JA_JETSAM_ELIDED, "only parts of the report were pasted");
}

/* The next report begins at the nearest line above a repeated key of the head that begins with a
 * brace, else at that key's line. */
size_t ja_jetsam_extent(const char *text, size_t length)
{
    static const char *const keys[] = {"\"crashReporterKey\"", "\"incident\"", "\"memoryStatus\"",
                                       "\"largestProcess\""};
    bool seen[sizeof keys / sizeof *keys] = {false};
    size_t brace = 0, line = 0;
    for (size_t at = 0; at < length; at++) {
        bool start = at == 0 || text[at - 1] == '\n';
        line = start ? at : line;
        brace = start && text[at] == '{' ? at : brace;
        if (text[at] != '"')
            continue;
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            if (!ja_text_begins(text + at, length - at, keys[k]))
                continue;
            if (seen[k])
                return brace ? brace : line ? line : length;
            seen[k] = true;
        }
    }
    return length;
}

bool ja_jetsam_salvage(const char *text, size_t length, int line, uint32_t written, bool elided,
                       struct ja_parse *parse)
{
    struct finder f = {.text = text, .length = length, .line = line, .scratch = parse->scratch};
    struct ja_jetsam_head head;
    struct ja_jetsam jetsam;
    find_rows(&f);
    ja_jetsam_head_init(&head);
    head.written = written;
    size_t first_row = f.row_count ? f.rows[0].start : length;
    bool has_head = find_head(text, length, line, first_row, parse->evidence, &head);
    if (!has_head && f.row_count == 0)
        return false;
    /* Braces left open are the mark of a cut, unless a person took rows out. */
    bool open = f.open && !elided;
    size_t next = 0;
    do {
        ja_jetsam_begin(&head, JA_KIND_JETSAM, parse, &jetsam);
        read_rows(&jetsam, &f, &next, !has_head);
        finish(&jetsam, &f, f.torn || open);
    } while (next < f.row_count);
    return true;
}
