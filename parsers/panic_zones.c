/* SPDX-License-Identifier: MIT
 *
 * The kernel zones that a panic log lists. Two forms:
 *
 *   Zone Name                      Cur Size           Free Size        macOS 10.13 on, when the
 * zones data.kalloc.1024                    19G                 12M        are above 80 % of their
 * cap APFS_4K_OBJS                       288M                  4K
 *
 *   System uptime in nanoseconds: 25429084922007
 *   vm objects:35695920                                                OS X 10.9 to 10.12: bytes
 *   pv_list:7009075
 *
 * Each zone is a subject of the kernel with its present size; the largest is also a figure. Newer
 * kernels cut a size down to its unit ("19G" is 19 to 20 GiB). Left out: free sizes.
 */
#include "parsers/panic_flat.h"

#include <string.h>

#define MOST_ZONES 200
#define MOST_WORDS 12

struct zone_line {
    const char *name;
    size_t name_length;
    struct ja_quantity size;
};

/* "19G", "288M", "12K", "5391306752" and nothing else. */
static bool zone_size(const char *text, size_t length, struct ja_quantity *ret)
{
    struct ja_scan scan = ja_scan_of(text, length);
    int64_t value, unit = 1;
    if (!ja_scan_u63(&scan, &value))
        return false;
    static const char letters[] = "KMGT";
    const char *hit = scan.at < length ? strchr(letters, text[scan.at]) : NULL;
    if (hit) {
        unit = JA_KIB << (10 * (hit - letters));
        scan.at++;
    }
    if (!ja_scan_end(&scan) || !ja_multiply(value, unit, &ret->value))
        return false;
    ret->resolution = unit;
    ret->rounding = unit > 1 ? JA_ROUNDING_DOWN : JA_ROUNDING_EXACT;
    return true;
}

/* A name, which may hold blanks, then one or two sizes; the first is the present one. */
static bool table_line(const char *text, size_t length, struct zone_line *ret)
{
    const char *words[MOST_WORDS];
    size_t lengths[MOST_WORDS], count = 0;
    struct ja_scan scan = ja_scan_of(text, length);
    for (ja_scan_blanks(&scan); count < MOST_WORDS && !ja_scan_end(&scan); ja_scan_blanks(&scan))
        if (ja_scan_word(&scan, &words[count], &lengths[count]))
            count++;
        else
            return false;
    size_t first = count;
    struct ja_quantity size;
    while (first > 1 && count - first < 2 &&
           zone_size(words[first - 1], lengths[first - 1], &size)) {
        ret->size = size;
        first--;
    }
    if (first == count || !ja_scan_end(&scan))
        return false;
    ret->name = words[0];
    ret->name_length = (size_t)(words[first - 1] + lengths[first - 1] - words[0]);
    return true;
}

/* "vm objects:35695920" */
static bool list_line(const char *text, size_t length, struct zone_line *ret)
{
    ja_text_trim(&text, &length);
    size_t colon = length;
    while (colon > 0 && text[colon - 1] != ':')
        colon--;
    if (colon < 2 || colon == length || text[0] == '0' ||
        !zone_size(text + colon, length - colon, &ret->size))
        return false;
    ret->name = text;
    ret->name_length = colon - 1;
    return true;
}

static void add_zone(struct ja_flat *flat, const struct zone_line *zone, uint32_t place)
{
    struct ja_evidence *evidence = flat->parse->evidence;
    if (!ja_room_for_reading(flat->parse, ja_place_line(evidence, place)))
        return;
    const char *name = ja_arena_copy(flat->parse->scratch, zone->name, zone->name_length);
    uint32_t subject = ja_add_subject(evidence, flat->record, name, JA_UNKNOWN);
    evidence->subjects[subject].scope = JA_SCOPE_KERNEL;
    evidence->subjects[subject].place = place;
    ja_add_reading(evidence, subject, JA_METRIC_ZONE, zone->size, place);
    int64_t largest = ja_get_figure(&evidence->records[flat->record], JA_FIGURE_LARGEST_ZONE);
    if (largest == JA_UNKNOWN || zone->size.value > largest)
        ja_set_figure(evidence, flat->record, JA_FIGURE_LARGEST_ZONE, zone->size.value, place);
}

/* Lines behind the head until one is no zone; blank ones and a rule of dashes are passed over. */
static void read_lines(struct ja_flat *flat, size_t offset,
                       bool (*read)(const char *, size_t, struct zone_line *))
{
    const struct ja_panic_log *log = flat->log;
    size_t zones = 0;
    int line = log->first_line;
    for (size_t i = 0; i < offset; i++)
        line += log->text[i] == '\n';
    for (size_t at = offset; at < log->length && zones < MOST_ZONES;) {
        const char *end = memchr(log->text + at, '\n', log->length - at);
        if (!end)
            return; /* a last line without its end may be cut inside a number */
        const char *text = log->text + at;
        size_t length = (size_t)(end - text);
        struct zone_line zone;
        ja_text_trim(&text, &length);
        at = (size_t)(end - log->text) + 1;
        if (length && text[0] != '-') {
            if (!read(text, length, &zone))
                return;
            uint32_t place = log->json_path ? ja_flat_place(flat, 0)
                                            : ja_add_place_line(flat->parse->evidence, line);
            add_zone(flat, &zone, place);
            zones++;
        }
        line++;
    }
    if (zones == MOST_ZONES)
        ja_diagnose(flat->parse->evidence, JA_NOTE, "too-many-zones", line, NULL,
                    "%d zones were read, what is behind them was not", MOST_ZONES);
}

static size_t line_after(const struct ja_panic_log *log, size_t at)
{
    const char *end = memchr(log->text + at, '\n', log->length - at);
    return end ? (size_t)(end - log->text) + 1 : log->length;
}

void ja_panic_zones_read(struct ja_flat *flat)
{
    size_t at;
    if (flat->rewrapped)
        return;
    if (ja_flat_after(flat, 0, "Zone Name", &at) && ja_flat_after(flat, at, "Cur Size", &at))
        read_lines(flat, line_after(flat->log, flat->origin[at]), table_line);
    else if (ja_flat_after(flat, 0, "System uptime in nanoseconds:", &at))
        read_lines(flat, line_after(flat->log, flat->origin[at]), list_line);
}
