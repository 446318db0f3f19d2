/* SPDX-License-Identifier: MIT
 *
 * zprint: the zones of a Mac's kernel.
 * Seen: macOS 11 to 15.
 *
 *     zone name                   size        size        size      #elts       #elts       inuse
 * ... vm.objects                   232      78592K      79040K     346894      348866      346512
 * ...
 *
 * Each zone is a subject of the kernel with its present size (the tool cuts bytes to whole KiB, so
 * the truth is up to 1 KiB higher); the largest is also a figure, and "TOTAL SIZE" the zone map's.
 * It explains what sums of processes cannot. Left out: element counts, maxima, allocation sizes,
 * tags.
 */
#include "parsers/columns.h"
#include "parsers/proc_record.h"
#include "parsers/scan.h"
#include "parsers/side.h"

static bool begins(const char *line, size_t length)
{
    ja_text_trim(&line, &length);
    return length < 400 && ja_text_begins(line, length, "zone name") &&
           ja_text_find(line, length, "#elts") < length;
}

static int bid(const struct ja_piece *piece)
{
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    while (ja_piece_line(piece, &at, &number, &line))
        if (begins(line.text, line.length))
            return 90;
    return 0;
}

/* "12288K" */
static bool kib_at(const struct ja_words *words, size_t index, int64_t *ret_bytes)
{
    if (index >= words->count)
        return false;
    struct ja_scan scan = ja_scan_of(words->at[index].text, words->at[index].length);
    int64_t kib;
    return ja_scan_u63(&scan, &kib) && ja_scan_char(&scan, 'K') && ja_scan_end(&scan) &&
           ja_multiply(kib, JA_KIB, ret_bytes);
}

/* The element size ends the name, which may hold blanks; the present size follows it. */
static bool read_zone(struct ja_parse *parse, uint32_t record, const struct ja_line *line,
                      int64_t *ret_bytes)
{
    struct ja_words words;
    int64_t element, bytes;
    ja_words_split(line->text, line->length, &words);
    size_t at = 1;
    while (at < words.count &&
           !(ja_word_u63(&words, at, &element) && kib_at(&words, at + 1, &bytes)))
        at++;
    if (at + 5 > words.count)
        return false;
    struct ja_evidence *e = parse->evidence;
    const char *name = words.at[0].text;
    size_t length = (size_t)(words.at[at - 1].text + words.at[at - 1].length - name);
    uint32_t place = ja_add_place_line(e, line->number);
    uint32_t subject = ja_add_subject(e, record, ja_arena_copy(e->arena, name, length), JA_UNKNOWN);
    e->subjects[subject].scope = JA_SCOPE_KERNEL;
    e->subjects[subject].place = place;
    struct ja_quantity size = {bytes, JA_KIB, JA_ROUNDING_DOWN};
    ja_proc_reading(parse, subject, JA_METRIC_ZONE, size, place, JA_UNIT_KIB);
    *ret_bytes = bytes;
    return true;
}

static bool read_total(struct ja_parse *parse, uint32_t record, const struct ja_line *line)
{
    struct ja_scan scan = ja_scan_of(line->text, line->length);
    int64_t bytes;
    ja_scan_blanks(&scan);
    if (!ja_scan_text(&scan, "TOTAL SIZE"))
        return false;
    ja_scan_blanks(&scan);
    if (!ja_scan_char(&scan, '='))
        return false;
    ja_scan_blanks(&scan);
    bool number = ja_scan_u63(&scan, &bytes);
    ja_scan_blanks(&scan);
    if (number && ja_scan_end(&scan))
        ja_side_figure(parse, record, JA_FIGURE_ZONE_MAP, bytes, line->number);
    return true;
}

static void parse(const struct ja_piece *piece, struct ja_parse *parse)
{
    uint32_t record = ja_side_record(piece, parse, JA_KIND_ZPRINT, piece->first_line);
    struct ja_line line;
    size_t at = 0;
    int number = 0, largest_line = 0;
    int64_t bytes, largest = JA_UNKNOWN;
    while (ja_piece_line(piece, &at, &number, &line)) {
        if (begins(line.text, line.length) || read_total(parse, record, &line) ||
            !read_zone(parse, record, &line, &bytes) || bytes <= largest)
            continue;
        largest = bytes;
        largest_line = line.number;
    }
    if (largest != JA_UNKNOWN)
        ja_side_figure(parse, record, JA_FIGURE_LARGEST_ZONE, largest, largest_line);
}

const struct ja_parser ja_parser_zprint = {
    .name = "zprint",
    .reads = "zprint (macOS 11 to 15)",
    .begins = begins,
    .bid = bid,
    .parse = parse,
};
