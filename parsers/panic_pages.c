/* SPDX-License-Identifier: MIT
 *
 * "memoryStatus" beside a panic text, a forced reset or a stackshot:
 *
 *   {"compressorSize":2232004,"pageSize":16384,"memoryPressure":false,"memoryPages":{"active":812817,
 *    "wired":292818,"free":911, ...},"memoryPressureDetails":{"pagesWanted":3089,...}}
 *
 * memoryPages, compressorSize (pages) -> figures in bytes. free + active + inactive + wired +
 * speculative + throttled + compressorSize is all memory the kernel manages; fileBacked and
 * purgeable are parts of it. Anonymous = active + inactive + speculative - fileBacked, as in the
 * Jetsam reports of the same kernels, where all four stand and the identity holds.
 * Left out: memoryPressure (false in every exhausted report seen), compressions (32 bits, they
 * wrap: a fall would look like a reboot).
 */
#include "parsers/ips.h"
#include "parsers/json.h"
#include "parsers/panic.h"

#define MOST_PAGES ((int64_t)1 << 50)

struct page_row {
    const char *key, *path, *nested_path;
    enum ja_figure figure;
    bool adds; /* to managed memory */
};

static const struct page_row page_rows[] = {
    {"free", "/memoryStatus/memoryPages/free", "/stackshot/memoryStatus/memoryPages/free",
     JA_FIGURE_FREE, true},
    {"active", "/memoryStatus/memoryPages/active", "/stackshot/memoryStatus/memoryPages/active",
     JA_FIGURE_ACTIVE, true},
    {"inactive", "/memoryStatus/memoryPages/inactive",
     "/stackshot/memoryStatus/memoryPages/inactive", JA_FIGURE_INACTIVE, true},
    {"wired", "/memoryStatus/memoryPages/wired", "/stackshot/memoryStatus/memoryPages/wired",
     JA_FIGURE_WIRED, true},
    {"speculative", "/memoryStatus/memoryPages/speculative",
     "/stackshot/memoryStatus/memoryPages/speculative", JA_FIGURE_SPECULATIVE, true},
    {"throttled", "/memoryStatus/memoryPages/throttled",
     "/stackshot/memoryStatus/memoryPages/throttled", JA_FIGURE_THROTTLED, true},
    {"fileBacked", "/memoryStatus/memoryPages/fileBacked",
     "/stackshot/memoryStatus/memoryPages/fileBacked", JA_FIGURE_FILE_BACKED, false},
    {"purgeable", "/memoryStatus/memoryPages/purgeable",
     "/stackshot/memoryStatus/memoryPages/purgeable", JA_FIGURE_PURGEABLE, false},
};

static bool take_pages(struct ja_parse *parse, uint32_t record, const cJSON *object,
                       const struct page_row *row, const char *base, int64_t page_bytes,
                       bool nested)
{
    int64_t pages;
    if (!ja_json_int(parse->evidence, object, row->key, base, -1, -1, 0, MOST_PAGES, &pages))
        return false;
    int64_t bytes;
    if (!ja_multiply(pages, page_bytes, &bytes))
        return false;
    ja_set_figure(
        parse->evidence, record, row->figure, bytes,
        ja_add_place_json(parse->evidence, nested ? row->nested_path : row->path, -1, -1, NULL));
    return true;
}

/* Sums that follow from the page classes when all of them are there. */
static void derive(struct ja_parse *parse, uint32_t record, bool all, uint32_t place)
{
    const struct ja_record *r = &parse->evidence->records[record];
    int64_t compressor = ja_get_figure(r, JA_FIGURE_COMPRESSOR);
    if (!all || compressor == JA_UNKNOWN)
        return;
    int64_t managed = compressor;
    for (size_t i = 0; i < sizeof page_rows / sizeof *page_rows; i++)
        if (page_rows[i].adds)
            managed = ja_add(managed, ja_get_figure(r, page_rows[i].figure));
    ja_set_figure(parse->evidence, record, JA_FIGURE_MANAGED, managed, place);
    int64_t files = ja_get_figure(r, JA_FIGURE_FILE_BACKED);
    int64_t queued =
        ja_add(ja_add(ja_get_figure(r, JA_FIGURE_ACTIVE), ja_get_figure(r, JA_FIGURE_INACTIVE)),
               ja_get_figure(r, JA_FIGURE_SPECULATIVE));
    if (files != JA_UNKNOWN && files <= queued)
        ja_set_figure(parse->evidence, record, JA_FIGURE_ANONYMOUS, queued - files, place);
}

static void read_pages(struct ja_parse *parse, uint32_t record, const cJSON *status, bool nested,
                       int64_t page_bytes)
{
    static const struct page_row compressor = {"compressorSize", "/memoryStatus/compressorSize",
                                               "/stackshot/memoryStatus/compressorSize",
                                               JA_FIGURE_COMPRESSOR, true};
    const char *base = nested ? "/stackshot/memoryStatus" : "/memoryStatus";
    take_pages(parse, record, status, &compressor, base, page_bytes, nested);
    const cJSON *pages = ja_json_get(status, "memoryPages");
    const char *path = nested ? "/stackshot/memoryStatus/memoryPages" : "/memoryStatus/memoryPages";
    bool all = pages != NULL;
    for (size_t i = 0; pages && i < sizeof page_rows / sizeof *page_rows; i++)
        if (!take_pages(parse, record, pages, &page_rows[i], path, page_bytes, nested) &&
            page_rows[i].adds)
            all = false;
    derive(parse, record, all, ja_add_place_json(parse->evidence, path, -1, -1, NULL));
}

bool ja_panic_memory_status(struct ja_parse *parse, uint32_t record, const char *text,
                            size_t length, bool nested)
{
    size_t used, end = ja_ips_balanced(text, length);
    const cJSON *status = end ? ja_json_parse(text, end, &used) : NULL;
    const char *path = nested ? "/stackshot/memoryStatus" : "/memoryStatus";
    if (!status) {
        ja_diagnose(parse->evidence, JA_ERROR, "cut-object", 0, path,
                    "memoryStatus does not end or is no JSON, none of it is used");
        return false;
    }
    int64_t page_bytes, wanted;
    const cJSON *details = ja_json_get(status, "memoryPressureDetails");
    if (ja_json_int(parse->evidence, details, "pagesWanted", path, -1, -1, 0, MOST_PAGES, &wanted))
        ja_add_fact(parse->evidence, record, JA_FACT_PAGES_WANTED, wanted, NULL,
                    ja_add_place_json(parse->evidence,
                                      nested ? "/stackshot/memoryStatus/memoryPressureDetails"
                                             : "/memoryStatus/memoryPressureDetails",
                                      -1, -1, NULL));
    if (!ja_json_int(parse->evidence, status, "pageSize", path, -1, -1, 4096, 65536, &page_bytes)) {
        ja_diagnose(parse->evidence, JA_WARNING, "no-page-size", 0, path,
                    "memoryStatus has no page size, its page counts are not turned into bytes");
        return true;
    }
    uint32_t system = parse->evidence->records[record].system;
    if (system != JA_NONE)
        parse->evidence->systems[system].page_bytes = page_bytes;
    read_pages(parse, record, status, nested, page_bytes);
    return true;
}
