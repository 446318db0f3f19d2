/* SPDX-License-Identifier: MIT
 *
 * vm_stat: page counts of a Mac, once or every N seconds.
 * Seen: macOS 10.8 (11 columns) to 26.5.
 *
 *     Mach Virtual Memory Statistics: (page size of 16384 bytes)
 *     Pages occupied by compressor:                 405141.
 *
 * With an interval ("vm_stat -c 3 60"):
 *
 *        free   active   specul inactive throttle    wired  prgable   faults     copy    0fill ...
 *       43766   697487     2665   661159        0   443203   138361 34650582   837480 28738444 ...
 *
 * Pages of the size in the first line become bytes: free (which excludes speculative here), active,
 * inactive, speculative, throttled, wired, purgeable, file-backed, anonymous; "stored in
 * compressor" is the original size of what it holds, "occupied by compressor" the RAM it takes. The
 * percentage of memory_pressure, where it was saved right below, is of the same moment.
 * Compressions, decompressions and swapouts are totals since boot. With an interval every row is a
 * moment, k intervals after the stamp; its first seven and the four columns from file-backed on are
 * gauges, the others are totals since boot in the row under a header and deltas in the next ones,
 * so only the former are kept. A count too wide is printed as "1246K", cut to whole thousands; one
 * in millions is left out. Left
 * out: faults, copies, page-ins: they say nothing of memory held.
 */
#include "parsers/columns.h"
#include "parsers/scan.h"
#include "parsers/side.h"

/* All Macs that ran systems with the eleven columns (before 10.9) had pages of this size. */
#define OLD_PAGE_BYTES 4096

struct column {
    const char *key;  /* of the single layout */
    const char *word; /* of the interval layout */
    enum ja_figure figure;
    bool total; /* since boot: a number, not pages of memory */
};

static const struct column columns[] = {
    {"Pages free", "free", JA_FIGURE_FREE, false},
    {"Pages active", "active", JA_FIGURE_ACTIVE, false},
    {"Pages inactive", "inactive", JA_FIGURE_INACTIVE, false},
    {"Pages speculative", "specul", JA_FIGURE_SPECULATIVE, false},
    {"Pages speculative", "spec", JA_FIGURE_SPECULATIVE, false},
    {"Pages throttled", "throttle", JA_FIGURE_THROTTLED, false},
    {"Pages wired down", "wired", JA_FIGURE_WIRED, false},
    {"Pages wired down", "wire", JA_FIGURE_WIRED, false},
    {"Pages purgeable", "prgable", JA_FIGURE_PURGEABLE, false},
    {"File-backed pages", "file-backed", JA_FIGURE_FILE_BACKED, false},
    {"Anonymous pages", "anonymous", JA_FIGURE_ANONYMOUS, false},
    {"Pages stored in compressor", "cmprssed", JA_FIGURE_UNCOMPRESSED, false},
    {"Pages occupied by compressor", "cmprssor", JA_FIGURE_COMPRESSOR, false},
    {"Decompressions", "dcomprs", JA_FIGURE_DECOMPRESSIONS, true},
    {"Compressions", "comprs", JA_FIGURE_COMPRESSIONS, true},
    {"Swapouts", "swapouts", JA_FIGURE_SWAPOUTS, true},
};

#define COLUMNS (sizeof columns / sizeof columns[0])

struct reader {
    const struct ja_piece *piece;
    struct ja_parse *parse;
    int64_t page_bytes;
    uint32_t record;        /* of the single layout; JA_NONE */
    struct ja_words header; /* of the interval layout; count 0: none yet */
    bool below_header;      /* the next row is the total since boot */
    bool thousands;         /* some count was cut to thousands */
    int64_t lost;           /* rows left out since the last good one */
    int entries, pointless; /* lines of the single layout; those without their point */
};

static bool is_title(const char *line, size_t length)
{
    ja_text_trim(&line, &length);
    return ja_text_begins(line, length, "Mach Virtual Memory Statistics");
}

static bool is_header(const struct ja_words *words)
{
    return words->count >= 8 && ja_word_is(words, 0, "free") && ja_word_is(words, 1, "active") &&
           (ja_word_is(words, 2, "specul") || ja_word_is(words, 2, "spec"));
}

/* "$ vm_stat -c 3 60", "vm_stat 5": the last argument is the interval in seconds. */
static bool echoed_interval(const char *line, size_t length, int64_t *ret_s)
{
    size_t at = ja_text_find(line, length, "vm_stat ");
    if (at > 60 || at == length || (at > 0 && line[at - 1] != ' ' && line[at - 1] != '/'))
        return false;
    struct ja_words words;
    ja_words_split(line + at, length - at, &words);
    if (words.count < 2 || words.count > 5)
        return false;
    for (size_t i = 1; i + 1 < words.count; i++) {
        int64_t count;
        if (!ja_word_is(&words, i, "-c") && !ja_word_is(&words, i, "-a") &&
            !ja_word_u63(&words, i, &count))
            return false;
    }
    return !ja_word_is(&words, words.count - 2, "-c") &&
           ja_word_u63(&words, words.count - 1, ret_s) && *ret_s > 0 && *ret_s <= 86400;
}

static bool begins(const char *line, size_t length)
{
    int64_t seconds;
    return is_title(line, length) || (length < 200 && echoed_interval(line, length, &seconds));
}

static int bid(const struct ja_piece *piece)
{
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    while (ja_piece_line(piece, &at, &number, &line)) {
        struct ja_words words;
        int64_t seconds;
        if (is_title(line.text, line.length))
            return 95;
        if (line.length > 400)
            continue;
        ja_words_split(line.text, line.length, &words);
        if (is_header(&words))
            return 90;
        if (ja_side_entry(&line, &(struct ja_side_entry){0}) &&
            ja_text_find(line.text, line.length, "by compressor:") < line.length)
            return 40; /* the title was cut off */
        if (echoed_interval(line.text, line.length, &seconds))
            return 60;
    }
    return 0;
}

static void read_title(struct reader *r, const struct ja_line *line)
{
    size_t at = ja_text_find(line->text, line->length, "page size of ");
    struct ja_scan scan = ja_scan_of(line->text, line->length);
    scan.at = at + 13;
    int64_t bytes;
    if (at < line->length && ja_scan_u63(&scan, &bytes) && bytes >= 1024 && bytes <= 65536) {
        r->page_bytes = bytes;
        ja_side_system(r->parse)->page_bytes = bytes;
    }
}

static void set(struct reader *r, uint32_t record, const struct column *column, int64_t value,
                int line)
{
    if (column->total)
        ja_side_figure(r->parse, record, column->figure, value, line);
    else
        ja_side_pages(r->parse, record, column->figure, value, r->page_bytes, line);
}

static uint32_t single_record(struct reader *r, int line)
{
    if (r->record == JA_NONE)
        r->record = ja_side_record(r->piece, r->parse, JA_KIND_VM_STAT, line);
    return r->record;
}

/* "System-wide memory free percentage: 46%", picked out of memory_pressure and saved below. */
static bool read_percentage(struct reader *r, const struct ja_line *line,
                            const struct ja_side_entry *entry)
{
    if (!ja_text_is(entry->key, entry->key_length, "System-wide memory free percentage") ||
        ja_text_find(line->text, line->length, "%") == line->length)
        return false;
    if (entry->value <= 100)
        ja_side_figure(r->parse, single_record(r, line->number), JA_FIGURE_PERCENT_FREE,
                       entry->value, line->number);
    return true;
}

static void read_entry(struct reader *r, const struct ja_line *line, bool last)
{
    struct ja_side_entry entry;
    bool open = ja_text_ends(line->text, line->length, "?"); /* see tail.h */
    bool is_entry = ja_side_entry(line, &entry);
    if ((!is_entry && !open) || (is_entry && read_percentage(r, line, &entry)))
        return;
    if (open || (!entry.point && last && r->pointless == 0 && r->entries > 0)) {
        ja_diagnose(r->parse->evidence, JA_WARNING, "cut", line->number, NULL,
                    "the last number is cut off, left out");
        ja_set_status(r->parse->evidence, JA_STATUS_DAMAGED, "cut off in a line");
        return;
    }
    r->entries++;
    r->pointless += !entry.point;
    for (size_t i = 0; i < COLUMNS; i++) {
        if (!ja_text_is(entry.key, entry.key_length, columns[i].key))
            continue;
        set(r, single_record(r, line->number), &columns[i], entry.value, line->number);
        return;
    }
}

/* The moment that row 0 stands at: the stamp above, else the one in the file's name. */
static uint32_t base_stamp(const struct reader *r)
{
    return r->piece->stamp != JA_NONE ? r->piece->stamp : r->parse->evidence->name_stamp;
}

/* Rows of this run so far: a header comes back every 21 rows, and with it a new piece. */
static int64_t rows_before(const struct reader *r)
{
    const struct ja_evidence *e = r->parse->evidence;
    if (r->parse->carry.interval_header == 0 || e->record_count == 0)
        return 0;
    const struct ja_record *last = &e->records[e->record_count - 1];
    uint32_t base = base_stamp(r);
    bool same =
        last->stamp == base || last->stamp == r->piece->stamp ||
        (last->stamp != JA_NONE && base != JA_NONE && e->stamps[last->stamp].date_from == base + 1);
    return last->kind == JA_KIND_VM_STAT && same ? r->parse->carry.interval_header : 0;
}

/* The stamp of row k; JA_NONE when the spacing is not known. */
static uint32_t stamp_of_row(struct reader *r, int64_t k)
{
    int64_t interval = r->parse->interval_ns;
    uint32_t base = base_stamp(r);
    if (interval == JA_UNKNOWN)
        interval = r->parse->carry.interval_ns;
    if (interval == JA_UNKNOWN || base == JA_NONE)
        return k == 0 ? r->piece->stamp : JA_NONE;
    if (k == 0)
        return base;
    struct ja_stamp stamp = r->parse->evidence->stamps[base];
    stamp.shift_ns = ja_add(stamp.shift_ns, k * interval);
    stamp.clock = JA_CLOCK_DERIVED;
    stamp.date_from = base + 1;
    return ja_add_stamp(r->parse->evidence, &stamp);
}

/* "697487", or "1246K": cut to thousands. "12M" is cut too coarsely: JA_UNKNOWN. */
static bool count_at(const struct ja_words *words, size_t index, int64_t *ret, bool *ret_cut)
{
    struct ja_scan scan = ja_scan_of(words->at[index].text, words->at[index].length);
    int64_t value;
    if (!ja_scan_u63(&scan, &value))
        return false;
    bool coarse = ja_scan_char(&scan, 'M') || ja_scan_char(&scan, 'G');
    *ret_cut = !coarse && ja_scan_char(&scan, 'K');
    if (!ja_scan_end(&scan) || !ja_multiply(value, *ret_cut ? 1000 : 1, &value))
        return false;
    *ret = coarse ? JA_UNKNOWN : value;
    return true;
}

/* The row stands for a moment all the same. */
static void lose_row(struct reader *r, const struct ja_words *words, const struct ja_line *line)
{
    bool cut = words->count != r->header.count;
    r->lost++;
    ja_diagnose(r->parse->evidence, JA_WARNING, cut ? "cut" : "bad-number", line->number, NULL,
                cut ? "row with %zu of %zu columns, left out"
                    : "row with something else than counts in its %zu of %zu columns, left out",
                words->count, r->header.count);
    ja_set_status(r->parse->evidence, JA_STATUS_DAMAGED,
                  cut ? "cut off in a row" : "a row that cannot be read");
}

static void read_row(struct reader *r, const struct ja_words *words, const struct ja_line *line)
{
    int64_t values[JA_MOST_WORDS];
    bool cut[JA_MOST_WORDS];
    bool good = words->count == r->header.count;
    for (size_t i = 0; good && i < words->count; i++)
        good = count_at(words, i, &values[i], &cut[i]);
    if (!good) {
        lose_row(r, words, line);
        r->below_header = false;
        return;
    }
    int64_t k = rows_before(r) + r->lost;
    r->lost = 0;
    uint32_t record = ja_side_record(r->piece, r->parse, JA_KIND_VM_STAT, line->number);
    r->parse->evidence->records[record].stamp = stamp_of_row(r, k);
    r->parse->carry.interval_header = (uint32_t)k + 1;
    for (size_t i = 0; i < words->count; i++) {
        for (size_t c = 0; c < COLUMNS; c++) {
            if (!ja_word_is(&r->header, i, columns[c].word) || values[i] == JA_UNKNOWN ||
                (columns[c].total && (!r->below_header || cut[i])))
                continue;
            set(r, record, &columns[c], values[i], line->number);
            r->thousands |= cut[i];
        }
    }
    r->below_header = false;
}

static void read_header(struct reader *r, const struct ja_words *words, const struct ja_line *line)
{
    r->header = *words;
    r->below_header = true;
    if (r->page_bytes != JA_UNKNOWN || ja_word_is(words, 2, "specul"))
        return;
    r->page_bytes = OLD_PAGE_BYTES;
    ja_diagnose(r->parse->evidence, JA_NOTE, "page-size", line->number, NULL,
                "no page size printed; 4096 taken, as in all Macs that print these columns");
}

static void parse(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct reader r = {.piece = piece, .parse = parse, .record = JA_NONE};
    r.page_bytes = ja_side_system(parse)->page_bytes;
    ja_set_kind(parse->evidence, JA_KIND_VM_STAT);
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    while (ja_piece_line(piece, &at, &number, &line)) {
        struct ja_words words = {.count = 0};
        int64_t seconds;
        if (line.length < 400)
            ja_words_split(line.text, line.length, &words);
        bool digit = words.count && words.at[0].text[0] >= '0' && words.at[0].text[0] <= '9';
        if (is_title(line.text, line.length))
            read_title(&r, &line);
        else if (is_header(&words))
            read_header(&r, &words, &line);
        else if (r.header.count && digit)
            read_row(&r, &words, &line);
        else if (line.length < 200 && echoed_interval(line.text, line.length, &seconds))
            parse->carry.interval_ns = seconds * JA_NS_PER_S;
        else
            read_entry(&r, &line, at >= piece->length);
    }
    if (r.lost && parse->carry.interval_header)
        parse->carry.interval_header += (uint32_t)r.lost;
    if (r.thousands)
        ja_diagnose(parse->evidence, JA_NOTE, "cut-counts", piece->first_line, NULL,
                    "counts printed in K are cut to thousands of pages: lower bounds");
    if (r.page_bytes == JA_UNKNOWN && parse->evidence->record_count)
        ja_diagnose(parse->evidence, JA_WARNING, "no-page-size", piece->first_line, NULL,
                    "no page size printed: page counts cannot be made bytes, left out");
}

const struct ja_parser ja_parser_vm_stat = {
    .name = "vm_stat",
    .reads = "vm_stat, once or with an interval (macOS 10.8 to 26)",
    .begins = begins,
    .bid = bid,
    .parse = parse,
};
