/* SPDX-License-Identifier: MIT
 *
 * The lines that say what another audit made of its evidence: boot, process, state. They are
 * believed as they stand.
 */
#include "parsers/ndjson.h"

void ja_ndjson_take_boot(struct ja_ndjson_reader *r)
{
    uint32_t index = ja_ndjson_system_of(r);
    uint32_t start = ja_ndjson_stamp_at(r, "start");
    struct ja_system *system = &r->evidence->systems[index];
    struct ja_arena *arena = r->evidence->arena;
    if (start != JA_NONE)
        system->boot_stamp = start;
    ja_ndjson_bytes_of(r, "ram_bytes", &system->ram_bytes);
    ja_ndjson_bytes_of(r, "page_bytes", &system->page_bytes);
    ja_ndjson_int(&r->line, "cores", r->evidence, 1, 1 << 20, &system->cores);
    system->model = ja_ndjson_copy(&r->line, "model", arena);
    system->os = ja_ndjson_copy(&r->line, "os", arena);
    system->kernel = ja_ndjson_copy(&r->line, "kernel", arena);
    /* A boot line stands for its machine even when no reading does. */
    uint32_t record =
        ja_add_record(r->evidence, JA_KIND_NDJSON, ja_ndjson_stamp_at(r, "last_seen"));
    r->evidence->records[record].system = index;
    r->evidence->records[record].place = ja_ndjson_line_place(r);
}

void ja_ndjson_take_process(struct ja_ndjson_reader *r)
{
    uint32_t record = ja_ndjson_new_record(r);
    uint32_t subject = ja_ndjson_subject_of(r, record);
    struct ja_subject *s = &r->evidence->subjects[subject];
    struct ja_arena *arena = r->evidence->arena;
    struct ja_subject_more *more = ja_subject_more(s, arena);
    more->command = ja_ndjson_copy(&r->line, "command", arena);
    more->link = ja_ndjson_copy(&r->line, "link", arena);
    ja_ndjson_bytes_of(r, "peak_bytes", &s->peak_bytes);
    ja_ndjson_int(&r->line, "coalition", r->evidence, 0, WHOLE_LIMIT, &s->coalition);
    s->place = ja_ndjson_line_place(r);
}

/* ---- states ---------------------------------------------------------------------------------- */

static void take_part(struct ja_ndjson_reader *r, const cJSON *part, const char *key,
                      uint32_t record, enum ja_figure figure, uint32_t place)
{
    int64_t value;
    if (ja_json_int(r->evidence, part, key, "", -1, -1, -JA_LARGEST_BYTES, JA_LARGEST_BYTES,
                    &value))
        ja_set_figure(r->evidence, record, figure, value, place);
}

void ja_ndjson_take_figures(struct ja_ndjson_reader *r, uint32_t record, uint32_t place)
{
    const cJSON *figures = ja_ndjson_tree(&r->line, "figures"), *child;
    cJSON_ArrayForEach(child, figures)
    {
        enum ja_figure figure;
        if (child->string && ja_figure_of(child->string, &figure))
            take_part(r, figures, child->string, record, figure, place);
    }
}

static void take_books(struct ja_ndjson_reader *r, uint32_t record, uint32_t place)
{
    const cJSON *books = ja_ndjson_tree(&r->line, "books");
    const char *word = ja_json_string(books, "metric");
    enum ja_metric metric;
    if (word && ja_metric_of(word, &metric))
        ja_add_fact(r->evidence, record, JA_FACT_BOOKS_METRIC, JA_UNKNOWN, ja_metrics[metric].word,
                    place);
    else if (word)
        ja_ndjson_bad(r, "bad-metric", "no known metric");
    ja_json_bool(books, "complete", &r->evidence->records[record].complete);
    take_part(r, books, "sum_bytes", record, JA_FIGURE_BOOKS, place);
    take_part(r, books, "low_bytes", record, JA_FIGURE_BOOKS_LOW, place);
    take_part(r, books, "high_bytes", record, JA_FIGURE_BOOKS_HIGH, place);
    take_part(r, books, "processes", record, JA_FIGURE_BOOKS_ROWS, place);
    take_part(r, books, "killed_left_out", record, JA_FIGURE_BOOKS_KILLED, place);
}

static void take_physical(struct ja_ndjson_reader *r, uint32_t record, uint32_t place)
{
    static const struct {
        const char *key;
        enum ja_figure figure;
    } parts[] = {
        {"managed_bytes", JA_FIGURE_MANAGED},
        {"used_bytes", JA_FIGURE_USED},
        {"free_bytes", JA_FIGURE_FREE},
        {"anonymous_bytes", JA_FIGURE_ANONYMOUS},
        {"file_backed_bytes", JA_FIGURE_FILE_BACKED},
        {"wired_bytes", JA_FIGURE_WIRED},
        {"compressor_bytes", JA_FIGURE_COMPRESSOR},
        {"uncompressed_bytes", JA_FIGURE_UNCOMPRESSED},
    };
    const cJSON *physical = ja_ndjson_tree(&r->line, "physical");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        take_part(r, physical, parts[i].key, record, parts[i].figure, place);
}

void ja_ndjson_take_state(struct ja_ndjson_reader *r)
{
    int64_t ram_bytes;
    uint32_t record = ja_ndjson_new_record(r);
    uint32_t place = ja_ndjson_line_place(r);
    r->evidence->records[record].believed = true;
    r->evidence->records[record].of = ja_ndjson_copy(&r->line, "of", r->evidence->arena);
    take_books(r, record, place);
    take_physical(r, record, place);
    const cJSON *swap = ja_ndjson_tree(&r->line, "swap");
    take_part(r, swap, "used_bytes", record, JA_FIGURE_SWAP_USED, place);
    take_part(r, swap, "total_bytes", record, JA_FIGURE_SWAP_TOTAL, place);
    if (ja_ndjson_bytes_of(r, "ram_bytes", &ram_bytes))
        ja_set_figure(r->evidence, record, JA_FIGURE_RAM, ram_bytes, place);
    ja_ndjson_take_figures(r, record, place);
    if (!r->evidence->records[record].figures)
        ja_ndjson_bad(r, "bad-state", "a state without a figure");
}
