/* SPDX-License-Identifier: MIT
 *
 * --ndjson and readings.ndjson: the case as lines, schema jetsam-audit-ndjson/1, one reading,
 * count, event, state, fact a line. Auditing these lines gives the findings of the first audit
 * again, whole or cut per host and joined in any order.
 */
#include "reports/json_out.h"
#include "reports/report.h"

#include <errno.h>
#include <string.h>

struct lines {
    struct ja_json_out json;
    const struct ja_case *item;
};

static void open_line(struct lines *l, const char *type)
{
    l->json.comma[0] = false;
    ja_out_open(&l->json, NULL, '{');
    ja_out_text(&l->json, "type", type);
}

static void close_line(struct lines *l)
{
    ja_out_close(&l->json, '}');
    putc('\n', l->json.out);
}

/* A boot's name: its id where the evidence has one, else its place among the boots of its host. */
static const char *boot_name(const struct ja_case *item, uint32_t boot)
{
    const struct ja_boot *b = &item->boots[boot];
    if (b->id)
        return b->id;
    return ja_arena_print(item->arena, "b%u",
                          (unsigned)(boot - item->hosts[b->host].first_boot + 1));
}

static void put_where(struct lines *l, uint32_t host, uint32_t boot)
{
    ja_out_text(&l->json, "host", host == JA_NONE ? NULL : l->item->hosts[host].label);
    ja_out_text(&l->json, "boot", boot == JA_NONE ? NULL : boot_name(l->item, boot));
}

static void put_who(struct lines *l, const struct ja_process *p)
{
    put_where(l, p->host, p->boot);
    ja_out_text(&l->json, "name", p->name);
    ja_out_whole(&l->json, "pid", p->pid);
    ja_out_time(&l->json, "started", ja_instant_key(&p->started));
    if (p->scope != JA_SCOPE_PROCESS)
        ja_out_text(&l->json, "scope", ja_scope_word((int)p->scope));
}

static void put_when(struct lines *l, const struct ja_instant *at)
{
    bool known = at && ja_instant_known(at);
    ja_out_time(&l->json, "at", at ? at->unix_ns : JA_UNKNOWN);
    if (at && (!known || at->early_ns != at->unix_ns || at->late_ns != at->unix_ns)) {
        ja_out_time(&l->json, "early", at->early_ns);
        ja_out_time(&l->json, "late", at->late_ns);
    }
    if (at && at->clock != JA_CLOCK_REPORT)
        ja_out_text(&l->json, "clock", ja_clock_word((int)at->clock));
}

static void put_origin(struct lines *l, uint32_t source, uint32_t place)
{
    const struct ja_evidence *evidence = l->item->sources[source].evidence;
    ja_out_text(&l->json, "source", evidence->path);
    ja_out_text(&l->json, "place",
                place == JA_NONE ? NULL : ja_place_text(&evidence->places[place], l->item->arena));
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void put_header(struct lines *l)
{
    open_line(l, "header");
    ja_out_text(&l->json, "schema", "jetsam-audit-ndjson/1");
    close_line(l);
}

static void put_boot(struct lines *l, uint32_t index)
{
    const struct ja_boot *boot = &l->item->boots[index];
    const struct ja_host *host = &l->item->hosts[boot->host];
    open_line(l, "boot");
    put_where(l, boot->host, index);
    ja_out_time(&l->json, "start", ja_instant_key(&boot->start));
    ja_out_bool(&l->json, "start_stated", boot->start.clock == JA_CLOCK_REPORT);
    ja_out_time(&l->json, "last_seen", ja_instant_key(&boot->last_seen));
    bool own = host->ram_from && strcmp(host->ram_from, "operator") != 0;
    ja_out_whole(&l->json, "ram_bytes", own ? host->ram_bytes : JA_UNKNOWN);
    ja_out_whole(&l->json, "page_bytes", host->page_bytes);
    ja_out_whole(&l->json, "cores", host->cores);
    ja_out_text(&l->json, "model", host->model);
    ja_out_text(&l->json, "os", host->os);
    ja_out_text(&l->json, "kernel", host->kernel);
    ja_out_text(&l->json, "processor", host->processor);
    close_line(l);
}

static void put_process(struct lines *l, const struct ja_process *p)
{
    open_line(l, "process");
    put_who(l, p);
    put_when(l, &p->first_seen);
    ja_out_text(&l->json, "link", ja_link_word(p->link));
    ja_out_whole(&l->json, "coalition", p->coalition);
    ja_out_whole(&l->json, "peak_bytes", p->peak_bytes);
    ja_out_text(&l->json, "command", p->command);
    if (p->started.clock == JA_CLOCK_DERIVED)
        ja_out_bool(&l->json, "started_derived", true);
    close_line(l);
}

static void put_point(struct lines *l, const struct ja_series *series, const struct ja_point *point)
{
    const struct ja_evidence *evidence = l->item->sources[point->source].evidence;
    const struct ja_reading *reading = &evidence->readings[point->reading];
    uint32_t record = evidence->subjects[reading->subject].record;
    open_line(l, "reading");
    put_who(l, &l->item->processes[series->process]);
    ja_out_text(&l->json, "metric", ja_metrics[series->metric].word);
    ja_out_text(&l->json, "category", series->category);
    put_when(l, point->at ? point->at : &l->item->sources[point->source].record_at[record]);
    ja_out_whole(&l->json, "value_bytes", point->value);
    ja_out_whole(&l->json, "resolution_bytes", point->resolution);
    ja_out_text(&l->json, "rounding", ja_rounding_word(point->rounding));
    struct ja_quantity printed = {point->value, point->resolution, point->rounding};
    int64_t low, high;
    ja_quantity_interval(printed, &low, &high);
    if (low != point->low || high != point->high) {
        ja_out_whole(&l->json, "low_bytes", point->low);
        ja_out_whole(&l->json, "high_bytes", point->high);
    }
    ja_out_text(&l->json, "via", ja_kind_word(evidence->records[record].kind));
    put_origin(l, point->source, reading->place);
    ja_out_text(&l->json, "raw", reading->printed);
    close_line(l);
}

static void put_work(struct lines *l, const struct ja_process *p, const struct ja_work *work)
{
    for (size_t i = 0; i < work->count; i++) {
        open_line(l, "work");
        put_who(l, p);
        put_when(l, work->at[i]);
        ja_out_text(&l->json, "unit", work->unit);
        ja_out_number(&l->json, "total", work->total[i]);
        close_line(l);
    }
}

static void put_event(struct lines *l, const struct ja_event *event)
{
    if (event->seen == JA_NONE)
        return; /* boots and restarts follow from identity again */
    open_line(l, "event");
    if (event->process != JA_NONE)
        put_who(l, &l->item->processes[event->process]);
    else
        put_where(l, event->host, event->boot);
    if (event->process == JA_NONE) {
        ja_out_text(&l->json, "name", event->name);
        ja_out_whole(&l->json, "pid", event->pid);
    }
    put_when(l, &event->at);
    ja_out_text(&l->json, "kind", ja_event_word(event->kind));
    ja_out_text(&l->json, "reason", event->reason);
    ja_out_whole(&l->json, "order", event->order ? event->order : JA_UNKNOWN);
    ja_out_whole(&l->json, "bytes", event->bytes);
    ja_out_whole(&l->json, "limit_bytes", event->limit_bytes);
    ja_out_text(&l->json, "detail", event->detail);
    ja_out_text(&l->json, "via", ja_kind_word(l->item->sources[event->source].evidence->kind));
    put_origin(l, event->source,
               l->item->sources[event->source].evidence->events[event->seen].place);
    close_line(l);
}

static void put_books(struct lines *l, const struct ja_books *books)
{
    ja_out_open(&l->json, "books", '{');
    ja_out_text(&l->json, "metric", ja_metrics[books->metric].word);
    ja_out_whole(&l->json, "sum_bytes", books->sum_bytes);
    ja_out_whole(&l->json, "low_bytes", books->low_bytes);
    ja_out_whole(&l->json, "high_bytes", books->high_bytes);
    ja_out_whole(&l->json, "processes", (int64_t)books->processes);
    ja_out_whole(&l->json, "killed_left_out", (int64_t)books->killed_left_out);
    ja_out_bool(&l->json, "complete", books->complete);
    ja_out_close(&l->json, '}');
}

static void put_figures(struct lines *l, const struct ja_state *state)
{
    ja_out_open(&l->json, "figures", '{');
    for (int i = 0; i < JA_FIGURE_COUNT; i++)
        if (state->figures[i] != JA_UNKNOWN &&
            !(i == JA_FIGURE_RAM && l->item->hosts[state->host].ram_from &&
              strcmp(l->item->hosts[state->host].ram_from, "operator") == 0))
            ja_out_whole(&l->json, ja_figure_words[i], state->figures[i]);
    ja_out_close(&l->json, '}');
}

static void put_state(struct lines *l, const struct ja_state *state)
{
    open_line(l, "state");
    put_where(l, state->host, state->boot);
    put_when(l, &state->at);
    ja_out_text(&l->json, "of", state->of);
    if (state->books.known)
        put_books(l, &state->books);
    put_figures(l, state);
    ja_out_text(
        &l->json, "via",
        ja_kind_word(l->item->sources[state->source].evidence->records[state->record].kind));
    put_origin(l, state->source, JA_NONE);
    /* The rows are the readings of this moment; what the books left out is named. */
    close_line(l);
}

static void put_fact(struct lines *l, uint32_t source, const struct ja_fact *fact)
{
    const struct ja_source *s = &l->item->sources[source];
    if (s->record_host[fact->record] == JA_NONE)
        return;
    open_line(l, fact->key == JA_FACT_CONCERN ? "concern" : "fact");
    put_where(l, s->record_host[fact->record], s->record_boot[fact->record]);
    if (fact->key == JA_FACT_CONCERN) {
        ja_out_text(&l->json, "name", fact->text);
        ja_out_whole(&l->json, "bytes_per_hour", fact->value);
        close_line(l);
        return;
    }
    ja_out_text(&l->json, "about", fact->subject == JA_NONE ? "table" : "process");
    if (fact->subject != JA_NONE) {
        uint32_t process = s->subject_process[fact->subject];
        const struct ja_process *p = &l->item->processes[process];
        ja_out_text(&l->json, "name", p->name);
        ja_out_whole(&l->json, "pid", p->pid);
        ja_out_time(&l->json, "started", ja_instant_key(&p->started));
    }
    put_when(l, &s->record_at[fact->record]);
    ja_out_text(&l->json, "key", ja_fact_words[fact->key]);
    ja_out_whole(&l->json, "value", fact->value);
    ja_out_text(&l->json, "text", fact->text);
    ja_out_text(&l->json, "via", ja_kind_word(s->evidence->records[fact->record].kind));
    put_origin(l, source, fact->place);
    close_line(l);
}

static void put_source(struct lines *l, const struct ja_source *source)
{
    const struct ja_evidence *evidence = source->evidence;
    open_line(l, "source");
    ja_out_text(&l->json, "path", evidence->path);
    ja_out_text(&l->json, "sha256", source->sha256[0] ? source->sha256 : NULL);
    ja_out_text(&l->json, "kind", ja_kind_word(evidence->kind));
    ja_out_text(&l->json, "status", ja_status_word(evidence->status));
    ja_out_time(&l->json, "captured", source->captured.unix_ns);
    ja_out_time(&l->json, "written", source->written.unix_ns);
    ja_out_open(&l->json, "diagnostics", '[');
    for (size_t i = 0; i < evidence->diagnostic_count; i++)
        ja_out_text(&l->json, NULL, evidence->diagnostics[i].code);
    ja_out_close(&l->json, ']');
    close_line(l);
}

/* ---- the report ------------------------------------------------------------------------------ */

/* A derived series is derived again from its parts. */
static bool is_derived(const struct ja_case *item, const struct ja_series *series)
{
    if (!series->point_count || series->metric != JA_METRIC_ANON_SWAP)
        return false;
    const struct ja_point *point = &series->points[0];
    return item->sources[point->source].evidence->readings[point->reading].metric !=
           JA_METRIC_ANON_SWAP;
}

static void put_processes(struct lines *l)
{
    const struct ja_case *item = l->item;
    for (size_t p = 0; p < item->process_count; p++) {
        const struct ja_process *process = &item->processes[p];
        if (!process->shown)
            continue;
        put_process(l, process);
        for (uint32_t s = process->first_series; s < process->first_series + process->series_count;
             s++)
            for (size_t i = 0;
                 !is_derived(item, &item->series[s]) && i < item->series[s].point_count; i++)
                put_point(l, &item->series[s], &item->series[s].points[i]);
        for (size_t w = 0; w < process->work_count; w++)
            put_work(l, process, &process->work[w]);
    }
}

bool ja_ndjson_print(const struct ja_case *item, const struct ja_report_options *options, FILE *out)
{
    struct lines lines = {.json = {.out = out, .compact = true}, .item = item};
    (void)options;
    put_header(&lines);
    for (uint32_t b = 0; b < item->boot_count; b++)
        put_boot(&lines, b);
    put_processes(&lines);
    for (size_t s = 0; s < item->state_count; s++)
        put_state(&lines, &item->states[s]);
    for (size_t e = 0; e < item->event_count; e++)
        put_event(&lines, &item->events[e]);
    for (uint32_t i = 0; i < item->source_count; i++)
        for (size_t f = 0;
             item->sources[i].duplicate_of == JA_NONE && f < item->sources[i].evidence->fact_count;
             f++)
            put_fact(&lines, i, &item->sources[i].evidence->facts[f]);
    for (size_t i = 0; i < item->source_count; i++)
        put_source(&lines, &item->sources[i]);
    return fflush(out) == 0 && !ferror(out);
}

static bool write_file(const struct ja_case *item, const struct ja_report_options *options,
                       const char *path, const char **ret_error)
{
    FILE *out = fopen(path, "wb");
    bool ok = out && ja_ndjson_print(item, options, out);
    if (out && fclose(out) != 0)
        ok = false;
    if (!ok)
        *ret_error = strerror(errno);
    return ok;
}

const struct ja_report ja_report_ndjson = {
    .name = "ndjson", .file_name = "readings.ndjson", .write = write_file};
