/* SPDX-License-Identifier: MIT
 *
 * zram, swap that lies compressed in RAM: /sys/block/zram<N>/mm_stat of Linux 4.0 .. 6.18, and the
 * table of zramctl.
 *
 *     536621056  8912896  9367552        0  9367552      115        0        0        0
 *     /dev/zram0 lzo-rle         4G  1.2G 310.5M 318.2M       4 [SWAP]
 *
 * First number (orig_data_size) -> zram original, third (mem_used_total) -> the RAM it takes, bytes
 * exact; the rest (compressed size without overhead, limit, peak, page counts) is left out.
 * zramctl: DATA -> original, TOTAL -> RAM, as printed (two to four digits); its DISKSIZE and COMPR
 * are left out. What swap "uses" on such a device is books: its RAM is mem_used_total.
 */
#include "parsers/proc_record.h"

#include <string.h>

#include "parsers/scan.h"

static bool read_mm_stat(const struct ja_line *line, int64_t numbers[9])
{
    struct ja_scan scan = ja_scan_of(line->text, line->length);
    int count = 0;
    for (ja_scan_blanks(&scan); !ja_scan_end(&scan); ja_scan_blanks(&scan)) {
        if (count == 9 || !ja_scan_u63(&scan, &numbers[count]))
            return false;
        count++;
    }
    return count >= 7;
}

static bool is_table_header(const struct ja_line *line)
{
    return ja_text_begins(line->text, line->length, "NAME ") &&
           ja_text_find(line->text, line->length, "DISKSIZE") < line->length &&
           ja_text_find(line->text, line->length, "TOTAL") < line->length;
}

static bool begins(const char *text, size_t length)
{
    struct ja_line line = {text, length, 0};
    return is_table_header(&line);
}

static int bid(const struct ja_piece *piece)
{
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    int64_t numbers[9];
    bool named = strstr(piece->file->name, "mm_stat") != NULL;
    while (ja_piece_line(piece, &at, &number, &line)) {
        if (line.length == 0)
            continue;
        if (is_table_header(&line))
            return 90;
        return named && read_mm_stat(&line, numbers) ? 95 : 0;
    }
    return 0;
}

/* Offset of a header's word = the column of right-aligned figures below it ends there. */
static size_t column_end(const struct ja_line *header, const char *word)
{
    return ja_text_find(header->text, header->length, word) + strlen(word);
}

static bool cell(const struct ja_line *row, size_t end, int64_t *ret)
{
    struct ja_quantity quantity;
    if (end > row->length)
        return false;
    size_t start = end;
    while (start > 0 && row->text[start - 1] != ' ')
        start--;
    struct ja_scan scan = ja_scan_of(row->text + start, end - start);
    if (!ja_scan_size(&scan, &quantity))
        return false;
    *ret = quantity.value;
    return true;
}

static void parse_table(const struct ja_piece *piece, struct ja_parse *parse, uint32_t record)
{
    struct ja_line line, header = {.length = 0};
    size_t at = 0;
    int number = 0;
    int64_t data, total, data_sum = 0, total_sum = 0;
    bool whole = true;
    uint32_t place = JA_NONE;
    while (ja_piece_line(piece, &at, &number, &line)) {
        if (is_table_header(&line)) {
            header = line;
            continue;
        }
        if (!header.length || !ja_text_begins(line.text, line.length, "/dev/zram"))
            continue;
        if (!cell(&line, column_end(&header, "DATA"), &data) ||
            !cell(&line, column_end(&header, "TOTAL"), &total)) {
            ja_diagnose(parse->evidence, JA_WARNING, "bad-row", line.number, NULL,
                        "a device's DATA or TOTAL could not be read: the sums are left out");
            whole = false;
            continue;
        }
        data_sum = ja_add(data_sum, data);
        total_sum = ja_add(total_sum, total);
        place = ja_add_place_line(parse->evidence, line.number);
    }
    if (!whole || place == JA_NONE)
        return;
    ja_set_figure(parse->evidence, record, JA_FIGURE_ZRAM_ORIGINAL, data_sum, place);
    ja_set_figure(parse->evidence, record, JA_FIGURE_ZRAM_USED, total_sum, place);
}

static void parse_zram(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_proc_place place = ja_proc_piece_place(piece, parse->scratch);
    uint32_t record = ja_proc_record(piece, parse, &place, JA_KIND_ZRAM);
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    int64_t numbers[9];
    while (ja_piece_line(piece, &at, &number, &line)) {
        if (!read_mm_stat(&line, numbers))
            continue;
        uint32_t where = ja_add_place_line(parse->evidence, line.number);
        ja_set_figure(parse->evidence, record, JA_FIGURE_ZRAM_ORIGINAL, numbers[0], where);
        ja_set_figure(parse->evidence, record, JA_FIGURE_ZRAM_USED, numbers[2], where);
        return;
    }
    parse_table(piece, parse, record);
}

const struct ja_parser ja_parser_zram = {
    .name = "zram",
    .reads = "Linux /sys/block/zram<N>/mm_stat and zramctl",
    .begins = begins,
    .bid = bid,
    .parse = parse_zram,
};
