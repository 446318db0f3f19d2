/* SPDX-License-Identifier: MIT
 *
 * footprint -j: one JSON document, exact sizes and its own times. Seen: macOS 15.2 and 26.5, single
 * and --sample runs ("samples": [...]), whole, and cut where the tool was killed.
 *
 *     {"unit": "byte", "bytes per unit": 1,
 *      "start_time": {"wall_time_s": 1788587832.932, "date": "2026-09-05T11:27:12.932+05:30"},
 *      "processes": [{"name": "indexd", "pid": 911, "page size": 16384, "footprint": 1211088896,
 *        "categories": {"MALLOC_SMALL": {"dirty": 1210056704, "swapped": 0, ...}},
 *        "auxiliary": {"phys_footprint": 1211105280, "phys_footprint_peak": 1211105280}}]}
 *
 * Becomes: one record a sample at its start_time; a subject a process; phys_footprint (auxiliary,
 * else "footprint", which is said), phys_footprint_peak, a `category` reading a category (dirty
 * holds swapped already), graphics share, "total footprint" of several processes as the summary
 * fact. A run over all processes (launchd is among them) is a process table for the books.
 * Broken text: every balanced process object stands, the rest is left out and said.
 * Left out: clean, reclaimable, wired, regions, shared[], mach times.
 */
#include <string.h>

#include "parsers/apple_size.h"
#include "parsers/dump.h"
#include "parsers/ips.h"
#include "parsers/json.h"
#include "parsers/scan.h"
#include "parsers/stamp.h"

#define SNIFF_BYTES 4096
#define MOST_SALVAGED ((size_t)1 << 20)
#define LARGEST_PID INT32_MAX

/* One document while it is read: what its samples share. */
struct document {
    struct ja_parse *parse;
    int64_t unit_bytes;
    bool sampled; /* under "samples" */
    int sample;   /* index of the current one */
    uint32_t record;
};

/* Offset of the next line that begins with a brace (a prompt, a remark of the tool or the prose of
 * a ticket may stand above it); length when there is none before limit. */
static size_t next_object(const struct ja_piece *piece, size_t at, size_t limit)
{
    const char *text = piece->text;
    for (; at < piece->length && at < limit; at++) {
        bool line_start = at == 0 || text[at - 1] == '\n';
        if (line_start && text[at] == '{')
            return at;
        const char *end = line_start ? memchr(text + at, '\n', piece->length - at) : NULL;
        if (line_start && !end)
            break;
        if (line_start)
            at = (size_t)(end - text);
    }
    return piece->length;
}

static int bid(const struct ja_piece *piece)
{
    size_t start = next_object(piece, 0, SNIFF_BYTES);
    const char *text = piece->text + start;
    size_t length = piece->length - start < SNIFF_BYTES ? piece->length - start : SNIFF_BYTES;
    if (length == 0)
        return 0;
    bool units = ja_text_find(text, length, "\"bytes per unit\"") < length;
    bool processes = ja_text_find(text, length, "\"processes\"") < length;
    bool own = ja_text_find(text, length, "\"phys_footprint\"") < length ||
               ja_text_find(text, length, "\"reclaimable\"") < length ||
               ja_text_find(text, length, "\"start_time\"") < length;
    if (units && (processes || own))
        return 95;
    return processes && own ? 60 : 0;
}

/* Literals of one form with and without the samples array. */
static const char *path_of(const struct document *document, const char *plain, const char *sampled)
{
    return document->sampled ? sampled : plain;
}

static uint32_t place(const struct document *document, const char *plain, const char *sampled,
                      int process, const char *key)
{
    int first = document->sampled ? document->sample : process;
    return ja_add_place_json(document->parse->evidence, path_of(document, plain, sampled), first,
                             document->sampled ? process : -1, key);
}

static bool whole_number(const struct document *document, const cJSON *object, const char *key,
                         const char *path, int64_t most, int64_t *ret)
{
    return ja_json_int(document->parse->evidence, object, key, path, document->sample, -1, 0, most,
                       ret);
}

static struct ja_quantity quantity_of(const struct document *document, int64_t number)
{
    struct ja_quantity quantity = {.resolution = document->unit_bytes,
                                   .rounding = JA_ROUNDING_EXACT};
    if (!ja_multiply(number, document->unit_bytes, &quantity.value))
        quantity.value = JA_UNKNOWN;
    if (document->unit_bytes > 1 && number > 0) /* pages are counted up */
        quantity.rounding = JA_ROUNDING_UP;
    return quantity;
}

static uint32_t start_stamp(struct ja_parse *parse, const cJSON *start_time)
{
    struct ja_evidence *evidence = parse->evidence;
    const char *date = ja_json_string(start_time, "date");
    struct ja_stamp stamp;
    double seconds;
    if (date && ja_stamp_exact(date, strlen(date), evidence->arena, &stamp)) {
        stamp.clock = JA_CLOCK_REPORT;
        return ja_add_stamp(evidence, &stamp);
    }
    if (!ja_json_double(start_time, "wall_time_s", &seconds) || seconds < 0 || seconds > 7.2e9)
        return JA_NONE;
    stamp = (struct ja_stamp){.clock = JA_CLOCK_REPORT,
                              .parts = JA_STAMP_UNIX,
                              .unix_ns = (int64_t)(seconds * 1e6) * JA_NS_PER_US,
                              .step_ns = JA_NS_PER_MS,
                              .text = ja_arena_print(evidence->arena, "%.3f", seconds)};
    return ja_add_stamp(evidence, &stamp);
}

static void begin_record(struct document *document, const cJSON *start_time)
{
    struct ja_evidence *evidence = document->parse->evidence;
    uint32_t stamp = start_stamp(document->parse, start_time);
    if (evidence->captured == JA_NONE)
        evidence->captured = stamp;
    document->record = ja_add_record(evidence, JA_KIND_FOOTPRINT, stamp);
    ja_dump_system(document->parse);
    struct ja_record *record = &evidence->records[document->record];
    record->system = document->parse->carry.system;
    record->place = ja_add_place_json(evidence, path_of(document, "", "/samples/[*]"),
                                      document->sampled ? document->sample : -1, -1, NULL);
}

static void add_reading(const struct document *document, uint32_t subject, enum ja_metric metric,
                        const char *category, int64_t number, uint32_t at)
{
    struct ja_dump_value value = {.metric = metric,
                                  .category = category,
                                  .quantity = quantity_of(document, number),
                                  .place = at};
    if (value.quantity.value != JA_UNKNOWN)
        ja_dump_reading(document->parse, subject, &value);
}

static void add_categories(const struct document *document, uint32_t subject, int process,
                           const cJSON *categories)
{
    int64_t graphics = 0, dirty;
    const cJSON *item;
    cJSON_ArrayForEach(item, categories)
    {
        if (!cJSON_IsObject(item) || !whole_number(document, item, "dirty", "/processes/categories",
                                                   JA_LARGEST_BYTES, &dirty))
            continue;
        const char *name =
            ja_apple_category(item->string, strlen(item->string), document->parse->scratch);
        if (ja_category_is_graphics(name))
            graphics = ja_add(graphics, quantity_of(document, dirty).value);
        if (dirty > 0)
            add_reading(document, subject, JA_METRIC_CATEGORY, name, dirty,
                        place(document, "/processes/[*]/categories/{*}/dirty",
                              "/samples/[*]/processes/[*]/categories/{*}/dirty", process,
                              item->string));
    }
    if (graphics > 0)
        ja_dump_fact(document->parse, subject, JA_FACT_GRAPHICS_BYTES, graphics, NULL,
                     document->parse->evidence->subjects[subject].place);
}

static void add_totals(const struct document *document, uint32_t subject, int process,
                       const cJSON *object)
{
    struct ja_evidence *evidence = document->parse->evidence;
    const cJSON *auxiliary = ja_json_get(object, "auxiliary");
    int64_t number;
    if (whole_number(document, auxiliary, "phys_footprint", "/processes/auxiliary",
                     JA_LARGEST_BYTES, &number)) {
        add_reading(document, subject, JA_METRIC_PHYS_FOOTPRINT, NULL, number,
                    place(document, "/processes/[*]/auxiliary/phys_footprint",
                          "/samples/[*]/processes/[*]/auxiliary/phys_footprint", process, NULL));
    } else if (whole_number(document, object, "footprint", "/processes", JA_LARGEST_BYTES,
                            &number)) {
        uint32_t at = place(document, "/processes/[*]/footprint",
                            "/samples/[*]/processes/[*]/footprint", process, NULL);
        ja_diagnose(evidence, JA_NOTE, "header-for-ledger", 0,
                    ja_place_text(evidence, at, document->parse->scratch),
                    "no auxiliary phys_footprint: this figure stands in");
        struct ja_dump_value value = {.metric = JA_METRIC_PHYS_FOOTPRINT,
                                      .quantity = quantity_of(document, number),
                                      .place = at,
                                      .approximate = true};
        if (value.quantity.value != JA_UNKNOWN)
            ja_dump_reading(document->parse, subject, &value);
    }
    if (!whole_number(document, auxiliary, "phys_footprint_peak", "/processes/auxiliary",
                      JA_LARGEST_BYTES, &number))
        return;
    evidence->subjects[subject].peak_bytes = quantity_of(document, number).value;
    add_reading(document, subject, JA_METRIC_PHYS_FOOTPRINT_PEAK, NULL, number,
                place(document, "/processes/[*]/auxiliary/phys_footprint_peak",
                      "/samples/[*]/processes/[*]/auxiliary/phys_footprint_peak", process, NULL));
}

/* True when the process is launchd: then the run was over all processes. */
static bool add_process(const struct document *document, const cJSON *object, int process)
{
    struct ja_evidence *evidence = document->parse->evidence;
    int64_t pid = JA_UNKNOWN, page = JA_UNKNOWN;
    bool translated = false;
    whole_number(document, object, "pid", "/processes", LARGEST_PID, &pid);
    whole_number(document, object, "page size", "/processes", JA_MIB, &page);
    ja_json_bool(object, "translated", &translated);
    uint32_t subject =
        ja_add_subject(evidence, document->record, ja_json_string(object, "name"), pid);
    evidence->subjects[subject].place =
        place(document, "/processes/[*]", "/samples/[*]/processes/[*]", process, NULL);
    struct ja_system *system = ja_dump_system(document->parse);
    if (!translated && page > 0 && system->page_bytes == JA_UNKNOWN)
        system->page_bytes = page;
    add_totals(document, subject, process, object);
    add_categories(document, subject, process, ja_json_get(object, "categories"));
    return pid == 1;
}

static void note_errors(const struct document *document, const cJSON *sample)
{
    const cJSON *errors = ja_json_get(sample, "errors");
    if (cJSON_IsArray(errors) && cJSON_GetArraySize(errors) > 0)
        ja_diagnose(document->parse->evidence, JA_WARNING, "tool-warning", 0, "$.errors",
                    "footprint met %d errors: processes may be missing, kept as printed",
                    cJSON_GetArraySize(errors));
}

/* A document without samples, or one of them. */
static void add_sample(struct document *document, const cJSON *sample)
{
    struct ja_evidence *evidence = document->parse->evidence;
    const cJSON *processes = ja_json_get(sample, "processes"), *item;
    int process = 0;
    int64_t total;
    bool census = false;
    begin_record(document, ja_json_get(sample, "start_time"));
    cJSON_ArrayForEach(item, processes)
    {
        if (cJSON_IsObject(item))
            census |= add_process(document, item, process);
        process++;
    }
    evidence->records[document->record].census = census;
    evidence->records[document->record].complete = census;
    note_errors(document, sample);
    if (process > 1 &&
        whole_number(document, sample, "total footprint", "", JA_LARGEST_BYTES, &total))
        ja_add_fact(evidence, document->record, JA_FACT_SUMMARY_FOOTPRINT,
                    quantity_of(document, total).value, NULL,
                    evidence->records[document->record].place);
}

static void add_document(struct document *document, const cJSON *root)
{
    const cJSON *samples = ja_json_get(root, "samples"), *item;
    if (!cJSON_IsArray(samples)) {
        add_sample(document, root);
        return;
    }
    document->sampled = true;
    cJSON_ArrayForEach(item, samples)
    {
        if (cJSON_IsObject(item))
            add_sample(document, item);
        document->sample++;
    }
}

/* Drops objects that lie inside a later one; returns how many are left, in order. */
static size_t keep_outermost(struct ja_salvage *found, size_t count)
{
    size_t kept = count, limit = SIZE_MAX;
    for (size_t i = count; i-- > 0;) {
        if (found[i].offset >= limit)
            continue;
        limit = found[i].offset;
        found[--kept] = found[i];
    }
    if (count > kept)
        memmove(found, found + kept, (count - kept) * sizeof *found);
    return count - kept;
}

/* Whole samples stand as they are; of a cut one, its start_time and its whole processes. */
static void add_salvaged(struct document *document, const struct ja_salvage *found, size_t count)
{
    const cJSON *start = NULL;
    int process = 0;
    size_t used;
    for (size_t i = 0; i < count; i++) {
        const cJSON *item = ja_json_parse(found[i].text, found[i].length, &used);
        if (!item)
            continue;
        if (ja_json_get(item, "processes")) {
            add_sample(document, item);
            document->sample++;
            start = NULL;
            process = 0;
        } else if (ja_json_get(item, "date") || ja_json_get(item, "wall_time_s")) {
            start = process ? start : item; /* behind the processes stands end_time */
        } else if (ja_json_get(item, "pid")) {
            if (process == 0)
                begin_record(document, start);
            add_process(document, item, process++);
        }
    }
}

/* How many bytes a number counts, from the head of broken text. */
static void find_unit(struct document *document, const struct ja_piece *piece)
{
    struct ja_slice slice;
    int64_t unit;
    if (!ja_ips_find(piece->text, piece->length, "bytes per unit", &slice, NULL))
        return;
    struct ja_scan scan = ja_scan_of(slice.text, slice.length);
    if (ja_scan_u63(&scan, &unit) && unit >= 1 && unit <= JA_MIB)
        document->unit_bytes = unit;
}

static void salvage(struct document *document, const struct ja_piece *piece)
{
    struct ja_evidence *evidence = document->parse->evidence;
    struct ja_salvage *found;
    find_unit(document, piece);
    document->sampled = ja_text_find(piece->text, piece->length, "\"samples\"") < piece->length;
    size_t count = ja_json_salvage(piece->text, piece->length, document->parse->scratch, &found,
                                   MOST_SALVAGED);
    count = keep_outermost(found, count);
    add_salvaged(document, found, count);
    ja_set_status(evidence, JA_STATUS_DAMAGED, "JSON cut off or broken");
    ja_diagnose(evidence, JA_ERROR, "broken-json", 0, NULL,
                "JSON cut off or broken: %zu readings of whole objects kept, the rest left out",
                evidence->reading_count);
}

/* One document at the start of the piece; bytes it takes. */
static size_t read_document(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct document document = {.parse = parse, .unit_bytes = 1};
    size_t used = 0;
    const cJSON *root = ja_json_parse(piece->text, piece->length, &used);
    if (!root) {
        salvage(&document, piece);
        return piece->length;
    }
    whole_number(&document, root, "bytes per unit", "", JA_MIB, &document.unit_bytes);
    if (document.unit_bytes < 1)
        document.unit_bytes = 1;
    if (ja_json_get(root, "processes") || ja_json_get(root, "samples"))
        add_document(&document, root);
    ja_set_status(parse->evidence, JA_STATUS_USED, NULL);
    return used;
}

/* A loop may have appended one document after the other. */
static void parse_piece(const struct ja_piece *piece, struct ja_parse *parse)
{
    size_t at = next_object(piece, 0, SNIFF_BYTES);
    ja_set_kind(parse->evidence, JA_KIND_FOOTPRINT);
    while (at < piece->length) {
        struct ja_piece rest = *piece;
        rest.text += at;
        rest.length -= at;
        size_t used = read_document(&rest, parse);
        at = next_object(piece, at + (used ? used : 1), piece->length);
    }
}

const struct ja_parser ja_parser_footprint_json = {
    .name = "footprint_json",
    .reads = "footprint -j, single and --sample runs, also cut off",
    .whole = true,
    .bid = bid,
    .most = 95,
    .parse = parse_piece,
};
