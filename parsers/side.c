/* SPDX-License-Identifier: MIT */
#include "parsers/side.h"

#include <string.h>

#include "parsers/scan.h"

struct ja_system *ja_side_system(struct ja_parse *parse)
{
    if (parse->carry.system == JA_NONE)
        parse->carry.system = ja_add_system(parse->evidence);
    return &parse->evidence->systems[parse->carry.system];
}

uint32_t ja_side_record(const struct ja_piece *piece, struct ja_parse *parse, enum ja_kind kind,
                        int line)
{
    ja_side_system(parse);
    uint32_t record = ja_add_record(parse->evidence, kind, piece->stamp);
    uint32_t place = ja_add_place_line(parse->evidence, line);
    parse->evidence->records[record].place = place;
    parse->evidence->records[record].system = parse->carry.system;
    ja_set_kind(parse->evidence, kind);
    return record;
}

void ja_side_figure(struct ja_parse *parse, uint32_t record, enum ja_figure figure, int64_t value,
                    int line)
{
    ja_set_figure(parse->evidence, record, figure, value, ja_add_place_line(parse->evidence, line));
}

void ja_side_pages(struct ja_parse *parse, uint32_t record, enum ja_figure figure, int64_t pages,
                   int64_t page_bytes, int line)
{
    int64_t bytes;
    if (page_bytes == JA_UNKNOWN)
        return;
    if (ja_multiply(pages, page_bytes, &bytes))
        ja_side_figure(parse, record, figure, bytes, line);
    else
        ja_diagnose(parse->evidence, JA_WARNING, "bad-number", line, NULL,
                    "more pages than any machine has, figure left out");
}

bool ja_side_entry(const struct ja_line *line, struct ja_side_entry *ret)
{
    struct ja_side_entry entry;
    const char *text = line->text;
    size_t length = line->length;
    ja_text_trim(&text, &length);
    const char *colon = memchr(text, ':', length);
    if (!colon)
        return false;
    entry.key = text;
    entry.key_length = (size_t)(colon - text);
    if (entry.key_length > 1 && entry.key[0] == '"' && colon[-1] == '"') {
        entry.key++;
        entry.key_length -= 2;
    }
    struct ja_scan scan = ja_scan_of(text, length);
    scan.at = (size_t)(colon - text) + 1;
    ja_scan_blanks(&scan);
    if (!ja_scan_u63(&scan, &entry.value))
        return false;
    entry.point = ja_scan_char(&scan, '.');
    if (!entry.point)
        ja_scan_char(&scan, '%');
    if (!ja_scan_end(&scan))
        return false;
    *ret = entry;
    return true;
}

void ja_side_ram(struct ja_parse *parse, uint32_t record, int64_t bytes, int line)
{
    if (bytes <= 0 || bytes > JA_LARGEST_BYTES)
        return;
    ja_side_system(parse)->ram_bytes = bytes;
    ja_side_figure(parse, record, JA_FIGURE_RAM, bytes, line);
}
