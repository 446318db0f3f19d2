/* SPDX-License-Identifier: MIT
 *
 * --json and audit.json: the whole case as one document, schema jetsam-audit/1. Names and meanings
 * are fixed (docs, share/audit.schema.json); keys may be added.
 */
#include "reports/json_out.h"
#include "reports/report.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define DIAGNOSTICS_PER_CODE 50

static void put_id(struct ja_json_out *json, const char *key, uint32_t index)
{
    ja_out_whole(json, key, index == JA_NONE ? JA_UNKNOWN : (int64_t)index + 1);
}

static void put_ref(struct ja_json_out *json, const char *key, const struct ja_case *item,
                    uint32_t cite)
{
    char text[16];
    if (cite == JA_NONE) {
        ja_out_null(json, key);
        return;
    }
    snprintf(text, sizeof text, "E%03u", (unsigned)item->cites[cite].number);
    ja_out_text(json, key, text);
}

/* ---- sources --------------------------------------------------------------------------------- */

static void put_also(struct ja_json_out *json, const struct ja_evidence *evidence)
{
    ja_out_open(json, "also", '[');
    for (int kind = 0; kind < JA_KIND_COUNT; kind++)
        if (evidence->also[kind / 64] >> (kind % 64) & 1)
            ja_out_text(json, NULL, ja_kind_word((enum ja_kind)kind));
    ja_out_close(json, ']');
}

static void put_source(struct ja_json_out *json, const struct ja_case *item, uint32_t index)
{
    const struct ja_source *source = &item->sources[index];
    const struct ja_evidence *evidence = source->evidence;
    bool copy = source->duplicate_of != JA_NONE;
    ja_out_open(json, NULL, '{');
    put_id(json, "id", index);
    ja_out_text(json, "path", evidence->path);
    ja_out_text(json, "sha256", source->sha256[0] ? source->sha256 : NULL);
    ja_out_whole(json, "size_bytes", source->size_bytes);
    ja_out_text(json, "kind", ja_kind_word(evidence->kind));
    put_also(json, evidence);
    ja_out_text(json, "bug_type", evidence->bug_type);
    ja_out_text(json, "os", evidence->os);
    ja_out_text(json, "status", ja_status_word(evidence->status));
    ja_out_text(json, "why", evidence->why);
    put_id(json, "duplicate_of", source->duplicate_of);
    ja_out_instant(json, "captured", &source->captured);
    ja_out_instant(json, "written", &source->written);
    ja_out_whole(json, "readings", copy ? 0 : (int64_t)evidence->readings_taken);
    ja_out_whole(json, "events", copy ? 0 : (int64_t)evidence->event_count);
    ja_out_close(json, '}');
}

/* What the operator stated from outside of every PATH stands apart from the evidence. */
static void put_sources(struct ja_json_out *json, const struct ja_case *item, const char *key,
                        bool outside)
{
    ja_out_open(json, key, '[');
    for (uint32_t i = 0; i < item->source_count; i++)
        if (item->sources[i].outside == outside)
            put_source(json, item, i);
    ja_out_close(json, ']');
}

/* ---- hosts ----------------------------------------------------------------------------------- */

static void put_host(struct ja_json_out *json, const struct ja_case *item, uint32_t index)
{
    const struct ja_host *host = &item->hosts[index];
    ja_out_open(json, NULL, '{');
    put_id(json, "id", index);
    ja_out_text(json, "label", host->label);
    ja_out_text(json, "name", host->name);
    ja_out_text(json, "model", host->model);
    ja_out_text(json, "os", host->os);
    ja_out_text(json, "kernel", host->kernel);
    ja_out_text(json, "processor", host->processor);
    ja_out_whole(json, "ram_bytes", host->ram_bytes);
    ja_out_text(json, "ram_from", host->ram_from);
    ja_out_whole(json, "managed_bytes", host->managed_bytes);
    ja_out_whole(json, "page_bytes", host->page_bytes);
    ja_out_whole(json, "cores", host->cores);
    ja_out_open(json, "boots", '[');
    for (uint32_t b = host->first_boot; b < host->first_boot + host->boot_count; b++) {
        const struct ja_boot *boot = &item->boots[b];
        ja_out_open(json, NULL, '{');
        put_id(json, "id", b);
        ja_out_text(json, "boot_id", boot->id);
        ja_out_instant(json, "start", &boot->start);
        ja_out_instant(json, "last_seen", &boot->last_seen);
        ja_out_text(json, "ended_by", boot->ended_by);
        ja_out_close(json, '}');
    }
    ja_out_close(json, ']');
    ja_out_close(json, '}');
}

/* ---- series ---------------------------------------------------------------------------------- */

static void put_point(struct ja_json_out *json, const char *key, const struct ja_case *item,
                      const struct ja_point *point)
{
    if (!point) {
        ja_out_null(json, key);
        return;
    }
    ja_out_open(json, key, '{');
    ja_out_instant(json, "at", point->at);
    ja_out_whole(json, "value_bytes", point->value);
    ja_out_whole(json, "low_bytes", point->low);
    ja_out_whole(json, "high_bytes", point->high);
    ja_out_whole(json, "resolution_bytes", point->resolution);
    put_ref(json, "ref", item, ja_cite_of_point(item, point));
    ja_out_close(json, '}');
}

static void put_plateau(struct ja_json_out *json, const struct ja_series *series)
{
    const struct ja_growth *growth = series->growth;
    if (!growth->plateau) {
        ja_out_null(json, "plateau");
        return;
    }
    ja_out_open(json, "plateau", '{');
    ja_out_whole(json, "level_low_bytes", growth->plateau_low_bytes);
    ja_out_whole(json, "level_high_bytes", growth->plateau_high_bytes);
    bool known = series->points && growth->plateau_first < series->point_count;
    ja_out_instant(json, "since", known ? series->points[growth->plateau_first].at : NULL);
    ja_out_close(json, '}');
}

static void put_caps(struct ja_json_out *json, const struct ja_series *series)
{
    ja_out_open(json, "caps", '[');
    for (size_t i = 0; i < series->cap_count; i++) {
        const struct ja_cap *cap = &series->caps[i];
        ja_out_open(json, NULL, '{');
        ja_out_text(json, "name", cap->name);
        ja_out_whole(json, "cap_bytes", cap->cap_bytes);
        ja_out_whole(json, "distance_bytes", cap->distance_bytes);
        ja_out_bool(json, "reached", cap->reached);
        ja_out_text(json, "from", cap->from);
        ja_out_text(json, "source", cap->source);
        ja_out_close(json, '}');
    }
    ja_out_close(json, ']');
}

static void put_max_step(struct ja_json_out *json, const struct ja_series *series)
{
    const struct ja_growth *growth = series->growth;
    if (growth->max_step_bytes == JA_UNKNOWN) {
        ja_out_null(json, "max_step");
        return;
    }
    ja_out_open(json, "max_step", '{');
    ja_out_whole(json, "bytes", growth->max_step_bytes);
    ja_out_number(json, "over_s", growth->max_step_s);
    bool known = series->points && growth->max_step_at < series->point_count;
    ja_out_instant(json, "at", known ? series->points[growth->max_step_at].at : NULL);
    ja_out_close(json, '}');
}

static void put_forecast(struct ja_json_out *json, const struct ja_series *series)
{
    const struct ja_growth *growth = series->growth;
    if (!growth->forecast) {
        ja_out_null(json, "forecast");
        return;
    }
    struct ja_instant early = ja_instant_at(growth->forecast_early_ns, JA_CLOCK_DERIVED);
    struct ja_instant late = ja_instant_at(growth->forecast_late_ns, JA_CLOCK_DERIVED);
    ja_out_open(json, "forecast", '{');
    ja_out_text(json, "limit", series->limit_name);
    ja_out_instant(json, "early", &early);
    ja_out_instant(json, "late", &late);
    ja_out_close(json, '}');
}

static void put_per_work(struct ja_json_out *json, const struct ja_case *item,
                         const struct ja_series *series)
{
    const struct ja_growth *growth = series->growth;
    const struct ja_process *process = &item->processes[series->process];
    if (!growth->work_known || !process->work_count) {
        ja_out_null(json, "per_work");
        return;
    }
    ja_out_open(json, "per_work", '{');
    ja_out_text(json, "unit", process->work[0].unit);
    ja_out_number(json, "work", growth->work);
    ja_out_number(json, "low_bytes", growth->per_work_low_bytes);
    ja_out_number(json, "high_bytes", growth->per_work_high_bytes);
    ja_out_text(json, "verdict", ja_verdict_word(growth->work_verdict));
    ja_out_close(json, '}');
}

static void put_slopes(struct ja_json_out *json, const struct ja_growth *g)
{
    ja_out_number(json, "best_bytes_per_hour", g->best_bytes_per_hour);
    ja_out_number(json, "low_bytes_per_hour", g->low_bytes_per_hour);
    ja_out_number(json, "high_bytes_per_hour", g->high_bytes_per_hour);
    ja_out_number(json, "line_low_bytes_per_hour", g->line_low_bytes_per_hour);
    ja_out_number(json, "line_high_bytes_per_hour", g->line_high_bytes_per_hour);
    ja_out_number(json, "off_line_bytes", g->off_line_bytes);
    ja_out_number(json, "detectable_bytes_per_hour", g->detectable_bytes_per_hour);
    ja_out_number(json, "minimum_window_s", g->minimum_window_s);
    ja_out_number(json, "needed_window_s", g->needed_window_s);
    ja_out_number(json, "bound_bytes_per_hour", g->bound_bytes_per_hour);
    ja_out_number(json, "concern_bytes_per_hour", g->concern_bytes_per_hour);
}

static void put_growth(struct ja_json_out *json, const struct ja_case *item,
                       const struct ja_series *series)
{
    const struct ja_growth *g = series->growth;
    ja_out_open(json, "growth", '{');
    ja_out_text(json, "verdict", ja_verdict_word(g->verdict));
    ja_out_text(json, "why", g->route);
    ja_out_whole(json, "points", (int64_t)g->points);
    ja_out_number(json, "window_s", g->window_s);
    ja_out_whole(json, "resolution_bytes", g->resolution_bytes);
    ja_out_whole(json, "net_low_bytes", g->net_low_bytes);
    ja_out_whole(json, "net_high_bytes", g->net_high_bytes);
    put_slopes(json, g);
    ja_out_text(json, "concern_from", series->concern_from);
    ja_out_text(json, "reason", ja_reason_word(g->reason));
    ja_out_text(json, "shape", ja_shape_word(g->shape));
    put_plateau(json, series);
    put_caps(json, series);
    put_max_step(json, series);
    put_forecast(json, series);
    put_per_work(json, item, series);
    ja_out_close(json, '}');
}

static void put_series(struct ja_json_out *json, const struct ja_case *item,
                       const struct ja_series *series)
{
    size_t count = series->point_count;
    ja_out_open(json, NULL, '{');
    ja_out_text(json, "metric", ja_metrics[series->metric].word);
    ja_out_text(json, "category", series->category);
    ja_out_whole(json, "points", (int64_t)(count ? count : series->growth->points));
    put_point(json, "first", item, count ? &series->points[0] : NULL);
    put_point(json, "last", item, count ? &series->points[count - 1] : NULL);
    put_growth(json, item, series);
    ja_out_close(json, '}');
}

/* ---- processes ------------------------------------------------------------------------------- */

static void put_process(struct ja_json_out *json, const struct ja_case *item, uint32_t index)
{
    const struct ja_process *p = &item->processes[index];
    ja_out_open(json, NULL, '{');
    put_id(json, "id", index);
    put_id(json, "host", p->host);
    put_id(json, "boot", p->boot);
    ja_out_text(json, "scope", ja_scope_word((int)p->scope));
    ja_out_text(json, "name", p->name);
    if (p->name_open)
        ja_out_bool(json, "name_open", true);
    ja_out_whole(json, "pid", p->pid);
    ja_out_instant(json, "started", &p->started);
    ja_out_text(json, "link", ja_link_word(p->link));
    ja_out_whole(json, "coalition", p->coalition);
    ja_out_text(json, "command", p->command);
    ja_out_whole(json, "peak_bytes", p->peak_bytes);
    if (p->ended_how) {
        ja_out_open(json, "ended", '{');
        ja_out_instant(json, "at", &p->ended);
        ja_out_text(json, "how", p->ended_how);
        ja_out_close(json, '}');
    } else {
        ja_out_null(json, "ended");
    }
    ja_out_open(json, "series", '[');
    for (uint32_t s = p->first_series; s < p->first_series + p->series_count; s++)
        put_series(json, item, &item->series[s]);
    ja_out_close(json, ']');
    ja_out_close(json, '}');
}

static void put_service(struct ja_json_out *json, const struct ja_case *item,
                        const struct ja_service *service)
{
    ja_out_open(json, NULL, '{');
    put_id(json, "host", service->host);
    ja_out_text(json, "name", service->name);
    ja_out_whole(json, "lives", (int64_t)service->process_count);
    ja_out_open(json, "processes", '[');
    for (size_t i = 0; i < service->process_count; i++)
        put_id(json, NULL, service->processes[i]);
    ja_out_close(json, ']');
    ja_out_open(json, "series", '[');
    for (size_t i = 0; i < service->series_count; i++)
        put_series(json, item, &service->series[i]);
    ja_out_close(json, ']');
    ja_out_close(json, '}');
}

/* ---- states and groups ----------------------------------------------------------------------- */

static double ratio(int64_t part, int64_t whole)
{
    return part == JA_UNKNOWN || whole == JA_UNKNOWN || whole <= 0 ? NAN
                                                                   : (double)part / (double)whole;
}

static void put_books(struct ja_json_out *json, const struct ja_books *books)
{
    if (!books->known) {
        ja_out_null(json, "books");
        return;
    }
    ja_out_open(json, "books", '{');
    ja_out_text(json, "metric", ja_metrics[books->metric].word);
    ja_out_whole(json, "sum_bytes", books->sum_bytes);
    ja_out_whole(json, "low_bytes", books->low_bytes);
    ja_out_whole(json, "high_bytes", books->high_bytes);
    ja_out_whole(json, "processes", (int64_t)books->processes);
    ja_out_whole(json, "killed_left_out", (int64_t)books->killed_left_out);
    ja_out_bool(json, "complete", books->complete);
    ja_out_close(json, '}');
}

static void put_physical(struct ja_json_out *json, const struct ja_state *state)
{
    const int64_t *f = state->figures;
    ja_out_open(json, "physical", '{');
    ja_out_whole(json, "managed_bytes", f[JA_FIGURE_MANAGED]);
    ja_out_whole(json, "used_bytes", f[JA_FIGURE_USED]);
    ja_out_whole(json, "used_with_cache_bytes", state->used_with_cache_bytes);
    ja_out_whole(json, "free_bytes", f[JA_FIGURE_FREE]);
    ja_out_whole(json, "anonymous_bytes", f[JA_FIGURE_ANONYMOUS]);
    ja_out_whole(json, "file_backed_bytes", f[JA_FIGURE_FILE_BACKED]);
    ja_out_whole(json, "wired_bytes", f[JA_FIGURE_WIRED]);
    ja_out_whole(json, "compressor_bytes", f[JA_FIGURE_COMPRESSOR]);
    ja_out_whole(json, "uncompressed_bytes", f[JA_FIGURE_UNCOMPRESSED]);
    ja_out_whole(json, "purgeable_bytes", f[JA_FIGURE_PURGEABLE]);
    ja_out_close(json, '}');
}

static void put_state(struct ja_json_out *json, const struct ja_case *item,
                      const struct ja_state *state)
{
    const int64_t *f = state->figures;
    int64_t sum = state->books.known ? state->books.sum_bytes : JA_UNKNOWN;
    ja_out_open(json, NULL, '{');
    put_id(json, "host", state->host);
    put_id(json, "boot", state->boot);
    ja_out_instant(json, "at", &state->at);
    put_id(json, "source", state->source);
    ja_out_text(json, "of", state->of);
    put_books(json, &state->books);
    put_physical(json, state);
    ja_out_open(json, "swap", '{');
    ja_out_whole(json, "used_bytes", f[JA_FIGURE_SWAP_USED]);
    ja_out_whole(json, "total_bytes", f[JA_FIGURE_SWAP_TOTAL]);
    ja_out_close(json, '}');
    ja_out_whole(json, "pressure_percent_free", f[JA_FIGURE_PERCENT_FREE]);
    ja_out_whole(json, "pressure_level", f[JA_FIGURE_PRESSURE_LEVEL]);
    ja_out_whole(json, "ram_bytes", f[JA_FIGURE_RAM]);
    ja_out_number(json, "books_over_ram", ratio(sum, f[JA_FIGURE_RAM]));
    ja_out_number(json, "books_over_managed", ratio(sum, f[JA_FIGURE_MANAGED]));
    ja_out_open(json, "impossible", '[');
    for (size_t i = 0; i < state->impossible_count; i++)
        ja_out_text(json, NULL, state->impossible[i]);
    ja_out_close(json, ']');
    if (state->largest != JA_NONE && !item->processes[state->largest].shown)
        ja_out_null(json, "largest");
    else
        put_id(json, "largest", state->largest);
    ja_out_close(json, '}');
}

static void put_group(struct ja_json_out *json, const struct ja_group *group)
{
    ja_out_open(json, NULL, '{');
    put_id(json, "host", group->host);
    put_id(json, "boot", group->boot);
    ja_out_text(json, "name", group->name);
    ja_out_text(json, "by", group->by);
    ja_out_whole(json, "coalition", group->coalition);
    ja_out_instant(json, "at", &group->at);
    ja_out_whole(json, "count", (int64_t)group->count);
    ja_out_whole(json, "sum_bytes", group->sum_bytes);
    ja_out_close(json, '}');
}

/* ---- timeline -------------------------------------------------------------------------------- */

static void put_event(struct ja_json_out *json, struct ja_case *item, uint32_t index)
{
    const struct ja_event *event = &item->events[index];
    ja_out_open(json, NULL, '{');
    put_id(json, "host", event->host);
    put_id(json, "boot", event->boot);
    ja_out_instant(json, "at", &event->at);
    ja_out_text(json, "kind", ja_event_word(event->kind));
    put_id(json, "process", event->process);
    ja_out_text(json, "name", event->name);
    ja_out_whole(json, "pid", event->pid);
    ja_out_text(json, "reason", event->reason);
    ja_out_whole(json, "order", event->order ? event->order : JA_UNKNOWN);
    ja_out_whole(json, "bytes", event->bytes);
    ja_out_whole(json, "limit_bytes", event->limit_bytes);
    ja_out_text(json, "detail", event->detail);
    put_id(json, "source", event->source);
    ja_out_open(json, "refs", '[');
    if (event->seen != JA_NONE)
        put_ref(json, NULL, item, ja_cite_event(item, index));
    ja_out_close(json, ']');
    ja_out_close(json, '}');
}

static void put_incident(struct ja_json_out *json, const struct ja_case *item, uint32_t index)
{
    const struct ja_incident *incident = &item->incidents[index];
    char text[16];
    ja_out_open(json, NULL, '{');
    put_id(json, "id", index);
    put_id(json, "host", incident->host);
    ja_out_instant(json, "from", &incident->from);
    ja_out_instant(json, "to", &incident->to);
    ja_out_instant(json, "first_abnormal", &incident->first_abnormal);
    ja_out_open(json, "events", '[');
    for (size_t i = 0; i < incident->event_count; i++)
        ja_out_whole(json, NULL, incident->events[i]);
    ja_out_close(json, ']');
    ja_out_open(json, "findings", '[');
    for (size_t i = 0; i < incident->finding_count; i++) {
        snprintf(text, sizeof text, "F%02u", (unsigned)incident->findings[i] + 1);
        ja_out_text(json, NULL, text);
    }
    ja_out_close(json, ']');
    ja_out_close(json, '}');
}

/* ---- findings and evidence ------------------------------------------------------------------- */

static void put_finding(struct ja_json_out *json, const struct ja_case *item, size_t index)
{
    const struct ja_finding *f = &item->findings[index];
    char id[16];
    snprintf(id, sizeof id, "F%02zu", index + 1);
    ja_out_open(json, NULL, '{');
    ja_out_text(json, "id", id);
    ja_out_text(json, "rule", f->rule);
    ja_out_text(json, "grade", ja_grade_word(f->grade));
    ja_out_text(json, "severity", ja_severity_word(f->severity));
    put_id(json, "host", f->host);
    put_id(json, "process", f->process);
    ja_out_text(json, "metric", f->metric < 0 ? NULL : ja_metrics[f->metric].word);
    ja_out_text(json, "statement", ja_unmarked(item, f->statement));
    ja_out_text(json, "why", ja_unmarked(item, f->why));
    ja_out_text(json, "would_change", ja_unmarked(item, f->would_change));
    ja_out_text(json, "next_step", ja_unmarked(item, f->next_step));
    ja_out_open(json, "numbers", '{');
    for (size_t i = 0; i < f->number_count; i++) {
        if (f->numbers[i].whole != JA_UNKNOWN)
            ja_out_whole(json, f->numbers[i].name, f->numbers[i].whole);
        else
            ja_out_number(json, f->numbers[i].name, f->numbers[i].value);
    }
    ja_out_close(json, '}');
    ja_out_open(json, "refs", '[');
    for (size_t i = 0; i < f->cite_count; i++)
        put_ref(json, NULL, item, f->cites[i]);
    ja_out_close(json, ']');
    ja_out_close(json, '}');
}

static void put_cite(struct ja_json_out *json, const struct ja_case *item, uint32_t index)
{
    const struct ja_cite *cite = &item->cites[index];
    const struct ja_evidence *evidence = item->sources[cite->source].evidence;
    int line = ja_place_line(evidence, cite->place);
    ja_out_open(json, NULL, '{');
    put_ref(json, "ref", item, index);
    put_id(json, "source", cite->source);
    ja_out_text(json, "pointer", ja_place_pointer(evidence, cite->place, item->arena));
    ja_out_whole(json, "line", line ? line : JA_UNKNOWN);
    ja_out_text(json, "raw", cite->raw);
    ja_out_text(json, "unit", ja_unit_word(cite->unit));
    ja_out_whole(json, "resolution_bytes", cite->resolution_bytes);
    ja_out_close(json, '}');
}

static void put_diagnostic(struct ja_json_out *json, uint32_t source, const struct ja_diagnostic *d)
{
    ja_out_open(json, NULL, '{');
    ja_out_text(json, "level", ja_level_word(d->level));
    ja_out_text(json, "code", d->code);
    put_id(json, "source", source);
    ja_out_whole(json, "line", d->line ? d->line : JA_UNKNOWN);
    ja_out_text(json, "place", d->place);
    ja_out_text(json, "text", d->text);
    ja_out_close(json, '}');
}

/* All of a code up to a limit per file, then one with the count of the rest. */
static void put_diagnostics(struct ja_json_out *json, const struct ja_case *item, uint32_t source)
{
    const struct ja_evidence *evidence = item->sources[source].evidence;
    for (size_t i = 0; i < evidence->diagnostic_count; i++) {
        const struct ja_diagnostic *d = &evidence->diagnostics[i];
        size_t before = 0, after = 0;
        for (size_t k = 0; k < i && before <= DIAGNOSTICS_PER_CODE; k++)
            before += strcmp(evidence->diagnostics[k].code, d->code) == 0;
        if (before < DIAGNOSTICS_PER_CODE) {
            put_diagnostic(json, source, d);
            continue;
        }
        if (before > DIAGNOSTICS_PER_CODE)
            continue;
        for (size_t k = i; k < evidence->diagnostic_count; k++)
            after += strcmp(evidence->diagnostics[k].code, d->code) == 0;
        struct ja_diagnostic rest = *d;
        rest.line = 0;
        rest.place = NULL;
        rest.text = ja_arena_print(item->arena, "%zu more of this kind", after);
        put_diagnostic(json, source, &rest);
    }
}

/* ---- the document ---------------------------------------------------------------------------- */

#define LIST(json, name, count, put)                                                               \
    do {                                                                                           \
        ja_out_open((json), (name), '[');                                                          \
        for (uint32_t i = 0; i < (count); i++)                                                     \
            put;                                                                                   \
        ja_out_close((json), ']');                                                                 \
    } while (0)

static void put_tool(struct ja_json_out *json, const struct ja_report_options *options)
{
    ja_out_text(json, "schema", "jetsam-audit/1");
    ja_out_open(json, "tool", '{');
    ja_out_text(json, "name", "jetsam-audit");
    ja_out_text(json, "version", JA_VERSION);
    ja_out_text(json, "options", options ? options->options_text : NULL);
    ja_out_close(json, '}');
}

static void put_processes(struct ja_json_out *json, const struct ja_case *item)
{
    ja_out_open(json, "processes", '[');
    for (uint32_t p = 0; p < item->process_count; p++)
        if (item->processes[p].shown)
            put_process(json, item, p);
    ja_out_close(json, ']');
}

static void put_evidence(struct ja_json_out *json, const struct ja_case *item)
{
    ja_out_open(json, "evidence", '[');
    for (uint32_t c = 0; c < item->cite_count; c++)
        put_cite(json, item, item->cite_order[c]);
    ja_out_close(json, ']');
}

bool ja_json_print(const struct ja_case *item, const struct ja_report_options *options, FILE *out)
{
    struct ja_json_out json = {.out = out};
    struct ja_case *writable = (struct ja_case *)item; /* cites are looked up, none is made */
    ja_out_open(&json, NULL, '{');
    put_tool(&json, options);
    put_sources(&json, item, "sources", false);
    put_sources(&json, item, "statements", true);
    LIST(&json, "hosts", item->host_count, put_host(&json, item, i));
    put_processes(&json, item);
    LIST(&json, "services", item->service_count, put_service(&json, item, &item->services[i]));
    LIST(&json, "groups", item->group_count, put_group(&json, &item->groups[i]));
    LIST(&json, "incidents", item->incident_count, put_incident(&json, item, i));
    LIST(&json, "states", item->state_count, put_state(&json, item, &item->states[i]));
    LIST(&json, "events", item->event_count, put_event(&json, writable, i));
    LIST(&json, "findings", item->finding_count, put_finding(&json, item, i));
    put_evidence(&json, item);
    LIST(&json, "diagnostics", item->source_count, put_diagnostics(&json, item, i));
    ja_out_close(&json, '}');
    ja_out_line(&json);
    return ja_out_flush(&json);
}

static bool write_file(const struct ja_case *item, const struct ja_report_options *options,
                       const char *path, const char **ret_error)
{
    FILE *out = fopen(path, "wb");
    bool ok = out && ja_json_print(item, options, out);
    if (out && fclose(out) != 0)
        ok = false;
    if (!ok)
        *ret_error = strerror(errno);
    return ok;
}

const struct ja_report ja_report_json = {
    .name = "json", .file_name = "audit.json", .write = write_file};
