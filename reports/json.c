/* SPDX-License-Identifier: MIT
 *
 * --json and audit.json: the whole case as one document, schema jetsam-audit/1. Names and meanings
 * are fixed (docs, share/audit.schema.json); keys may be added.
 */
#include "reports/json_parts.h"
#include "reports/report.h"

#include <errno.h>
#include <string.h>

#define DIAGNOSTICS_PER_CODE 50

void ja_json_id(struct ja_json_out *json, const char *key, uint32_t index)
{
    ja_out_whole(json, key, index == JA_NONE ? JA_UNKNOWN : (int64_t)index + 1);
}

void ja_json_ref(struct ja_json_out *json, const char *key, const struct ja_case *item,
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
    ja_json_id(json, "id", index);
    ja_out_text(json, "path", evidence->path);
    ja_out_text(json, "sha256", source->sha256[0] ? source->sha256 : NULL);
    ja_out_whole(json, "size_bytes", source->size_bytes);
    ja_out_text(json, "kind", ja_kind_word(evidence->kind));
    put_also(json, evidence);
    ja_out_text(json, "bug_type", evidence->bug_type);
    ja_out_text(json, "os", evidence->os);
    ja_out_text(json, "status", ja_status_word(evidence->status));
    ja_out_text(json, "why", evidence->why);
    ja_json_id(json, "duplicate_of", source->duplicate_of);
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
    ja_json_id(json, "id", index);
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
        ja_json_id(json, "id", b);
        ja_out_text(json, "boot_id", boot->id);
        ja_out_instant(json, "start", &boot->start);
        ja_out_instant(json, "last_seen", &boot->last_seen);
        ja_out_text(json, "ended_by", boot->ended_by);
        ja_out_close(json, '}');
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
    ja_json_id(json, "host", f->host);
    ja_json_id(json, "process", f->process);
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
        ja_json_ref(json, NULL, item, f->cites[i]);
    ja_out_close(json, ']');
    ja_out_close(json, '}');
}

static void put_cite(struct ja_json_out *json, const struct ja_case *item, uint32_t index)
{
    const struct ja_cite *cite = &item->cites[index];
    const struct ja_evidence *evidence = item->sources[cite->source].evidence;
    int line = ja_place_line(evidence, cite->place);
    ja_out_open(json, NULL, '{');
    ja_json_ref(json, "ref", item, index);
    ja_json_id(json, "source", cite->source);
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
    ja_json_id(json, "source", source);
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
            ja_json_process(json, item, p);
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
    LIST(&json, "services", item->service_count, ja_json_service(&json, item, &item->services[i]));
    LIST(&json, "groups", item->group_count, ja_json_group(&json, &item->groups[i]));
    LIST(&json, "incidents", item->incident_count, ja_json_incident(&json, item, i));
    LIST(&json, "states", item->state_count, ja_json_state(&json, item, &item->states[i]));
    LIST(&json, "events", item->event_count, ja_json_event(&json, writable, i));
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
