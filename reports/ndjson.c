/* SPDX-License-Identifier: MIT
 *
 * --ndjson and readings.ndjson: the evidence as lines, schema jetsam-audit-ndjson/1, with its
 * times, hosts and boots settled. Every file is a source line, then its records (moments), rows
 * (subjects), readings, counts, events and facts. Auditing these lines gives the findings of the
 * first audit again, whole or cut per host and joined in any order. Boot, process and state lines
 * say what the audit made of them, for other programs; they are marked "from":"records" and not
 * read back.
 */
#include "model/window.h"
#include "reports/json_out.h"
#include "reports/report.h"

#include <errno.h>
#include <string.h>

struct lines {
    struct ja_json_out json;
    const struct ja_case *item;
    struct ja_arena *scratch;   /* of one line */
    struct ja_arena *of_source; /* of one source */
    const char **boots;         /* names */
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
    ja_out_line(&l->json);
    ja_arena_reset(l->scratch);
}

/* A boot's name: its id where the evidence has one, else its place among the boots of its host. */
static const char **name_boots(const struct ja_case *item, struct ja_arena *arena)
{
    const char **names = ja_arena_alloc(arena, item->boot_count, sizeof *names);
    for (size_t i = 0; i < item->boot_count; i++) {
        const struct ja_boot *b = &item->boots[i];
        names[i] = b->id ? b->id
                         : ja_arena_print(arena, "b%u",
                                          (unsigned)(i - item->hosts[b->host].first_boot + 1));
    }
    return names;
}

static void put_where(struct lines *l, uint32_t host, uint32_t boot)
{
    ja_out_text(&l->json, "host", host == JA_NONE ? NULL : l->item->hosts[host].label);
    ja_out_text(&l->json, "boot", boot == JA_NONE ? NULL : l->boots[boot]);
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

/* ---- what the audit made of it --------------------------------------------------------------- */

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
    ja_out_time(&l->json, "last_seen", ja_instant_key(&boot->last_seen));
    ja_out_whole(&l->json, "ram_bytes", host->ram_bytes);
    ja_out_whole(&l->json, "page_bytes", host->page_bytes);
    ja_out_whole(&l->json, "cores", host->cores);
    ja_out_text(&l->json, "model", host->model);
    ja_out_text(&l->json, "os", host->os);
    ja_out_text(&l->json, "kernel", host->kernel);
    ja_out_text(&l->json, "from", "records");
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
    ja_out_text(&l->json, "from", "records");
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

static void put_figures(struct lines *l, const int64_t *figures)
{
    ja_out_open(&l->json, "figures", '{');
    for (int i = 0; figures && i < JA_FIGURE_COUNT; i++)
        if (figures[i] != JA_UNKNOWN)
            ja_out_whole(&l->json, ja_figure_words[i], figures[i]);
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
    put_figures(l, state->figures);
    ja_out_text(&l->json, "source", l->item->sources[state->source].evidence->path);
    ja_out_text(&l->json, "from", "records");
    close_line(l);
}

/* ---- the evidence ---------------------------------------------------------------------------- */

/* A stamp under its own keys ("captured", "captured_early" ...); nothing when unknown. */
static void put_stamp(struct lines *l, const char *key, const struct ja_instant *at)
{
    if (ja_instant_key(at) == JA_UNKNOWN)
        return;
    ja_out_time(&l->json, key, at->unix_ns);
    ja_out_time(&l->json, ja_arena_print(l->scratch, "%s_early", key), at->early_ns);
    ja_out_time(&l->json, ja_arena_print(l->scratch, "%s_late", key), at->late_ns);
    ja_out_text(&l->json, ja_arena_print(l->scratch, "%s_clock", key),
                ja_clock_word((int)at->clock));
}

static void put_text(struct lines *l, const char *key, const char *text)
{
    if (text)
        ja_out_text(&l->json, key, text);
}

static void put_whole(struct lines *l, const char *key, int64_t value)
{
    if (value != JA_UNKNOWN)
        ja_out_whole(&l->json, key, value);
}

static void put_flag(struct lines *l, const char *key, bool value)
{
    if (value)
        ja_out_bool(&l->json, key, true);
}

static void put_diagnostics(struct lines *l, const struct ja_evidence *evidence)
{
    ja_out_open(&l->json, "diagnostics", '[');
    for (size_t i = 0; i < evidence->diagnostic_count; i++) {
        const struct ja_diagnostic *d = &evidence->diagnostics[i];
        ja_out_open(&l->json, NULL, '{');
        ja_out_text(&l->json, "level", ja_level_word(d->level));
        ja_out_text(&l->json, "code", d->code);
        ja_out_whole(&l->json, "line", d->line ? d->line : JA_UNKNOWN);
        ja_out_text(&l->json, "place", d->place);
        ja_out_text(&l->json, "text", d->text);
        ja_out_close(&l->json, '}');
    }
    ja_out_close(&l->json, ']');
}

static void put_source(struct lines *l, const struct ja_source *source)
{
    const struct ja_evidence *e = source->evidence;
    open_line(l, "source");
    if (e->record_count && source->record_host[0] != JA_NONE)
        ja_out_text(&l->json, "host", l->item->hosts[source->record_host[0]].label);
    ja_out_text(&l->json, "path", e->path);
    ja_out_text(&l->json, "sha256", source->sha256[0] ? source->sha256 : NULL);
    ja_out_whole(&l->json, "size_bytes", source->size_bytes);
    ja_out_text(&l->json, "kind", ja_kind_word(e->kind));
    ja_out_open(&l->json, "also", '[');
    for (int kind = 0; kind < JA_KIND_COUNT; kind++)
        if (e->also[kind / 64] >> (kind % 64) & 1)
            ja_out_text(&l->json, NULL, ja_kind_word((enum ja_kind)kind));
    ja_out_close(&l->json, ']');
    ja_out_text(&l->json, "status", ja_status_word(e->status));
    put_text(l, "why", e->why);
    put_text(l, "bug_type", e->bug_type);
    put_text(l, "os", e->os);
    put_text(l, "incident_id", e->incident_id);
    put_stamp(l, "captured", &source->captured);
    put_stamp(l, "written", &source->written);
    ja_out_whole(&l->json, "readings", (int64_t)e->readings_taken);
    put_diagnostics(l, e);
    close_line(l);
}

static void put_place(struct lines *l, const struct ja_evidence *evidence, uint32_t place)
{
    if (place == JA_NONE)
        return;
    int line = ja_place_line(evidence, place);
    put_text(l, "place", ja_place_pointer(evidence, place, l->scratch));
    put_whole(l, "line", line ? line : JA_UNKNOWN);
}

static void put_system(struct lines *l, const struct ja_source *source,
                       const struct ja_system *system)
{
    put_text(l, "processor", system->processor);
    put_text(l, "model", system->model);
    put_text(l, "os", system->os);
    put_text(l, "kernel", system->kernel);
    put_whole(l, "page_bytes", system->page_bytes);
    put_whole(l, "tick_hz", system->tick_hz);
    put_whole(l, "cores", system->cores);
    put_whole(l, "ram_bytes", system->ram_bytes);
    if (system->boot_stamp != JA_NONE)
        put_stamp(l, "booted", &source->instants[system->boot_stamp]);
}

static void put_record(struct lines *l, const struct ja_source *source, uint32_t index,
                       bool filtered)
{
    const struct ja_evidence *e = source->evidence;
    const struct ja_record *r = &e->records[index];
    open_line(l, "record");
    put_where(l, source->record_host[index], source->record_boot[index]);
    ja_out_text(&l->json, "source", e->path);
    ja_out_whole(&l->json, "record", index);
    ja_out_text(&l->json, "kind", ja_kind_word(r->kind));
    put_when(l, &source->record_at[index]);
    put_text(l, "snapshot", r->snapshot);
    put_text(l, "of", r->of);
    put_flag(l, "census", r->census && !filtered);
    put_flag(l, "complete", r->complete && !filtered);
    put_flag(l, "believed", r->believed);
    put_place(l, e, r->place);
    if (r->system != JA_NONE)
        put_system(l, source, &e->systems[r->system]);
    if (r->figures)
        put_figures(l, r->figures);
    close_line(l);
}

/* The keys every line of a row shares, as the schema has them. */
static void put_row_keys(struct lines *l, const struct ja_source *source, uint32_t subject)
{
    const struct ja_evidence *e = source->evidence;
    const struct ja_subject *s = &e->subjects[subject];
    uint32_t process = source->subject_process[subject];
    put_where(l, source->record_host[s->record], source->record_boot[s->record]);
    ja_out_text(&l->json, "name", s->name);
    ja_out_whole(&l->json, "pid", s->pid);
    ja_out_time(&l->json, "started",
                process == JA_NONE ? JA_UNKNOWN
                                   : ja_instant_key(&l->item->processes[process].started));
    ja_out_text(&l->json, "source", e->path);
    ja_out_whole(&l->json, "record", s->record);
    ja_out_whole(&l->json, "row", subject);
}

static void put_row(struct lines *l, const struct ja_source *source, uint32_t index)
{
    const struct ja_subject *s = &source->evidence->subjects[index];
    open_line(l, "row");
    put_row_keys(l, source, index);
    if (s->scope != JA_SCOPE_PROCESS)
        ja_out_text(&l->json, "scope", ja_scope_word((int)s->scope));
    put_text(l, "uuid", s->uuid);
    put_text(l, "command", s->command);
    put_text(l, "link", s->link);
    put_whole(l, "coalition", s->coalition);
    put_whole(l, "age_ticks", s->age_ticks);
    put_whole(l, "start_ticks", s->start_ticks);
    put_whole(l, "peak_bytes", s->peak_bytes);
    put_whole(l, "cpu_ns", s->cpu_ns);
    put_whole(l, "parent_pid", s->parent_pid);
    put_whole(l, "life", s->life ? (int64_t)s->life : JA_UNKNOWN);
    put_flag(l, "name_cut", s->name_cut);
    put_flag(l, "killed", s->killed);
    put_flag(l, "dead", s->dead);
    if (s->start_stamp != JA_NONE)
        put_stamp(l, "start", &source->instants[s->start_stamp]);
    put_place(l, source->evidence, s->place);
    close_line(l);
}

static void put_reading(struct lines *l, const struct ja_source *source, uint32_t index)
{
    const struct ja_evidence *e = source->evidence;
    const struct ja_reading *r = &e->readings[index];
    open_line(l, "reading");
    put_row_keys(l, source, r->subject);
    ja_out_text(&l->json, "metric", ja_metrics[r->metric].word);
    ja_out_text(&l->json, "category", r->category == JA_NONE ? NULL : e->categories[r->category]);
    put_when(l, ja_moment_of(source, e->subjects[r->subject].record, r->stamp));
    ja_out_whole(&l->json, "value_bytes", r->value);
    ja_out_whole(&l->json, "resolution_bytes", r->resolution);
    /* "edge" narrows "nearest": a reader that does not know it still has a true interval. */
    bool edge = r->rounding == JA_ROUNDING_EDGE;
    ja_out_text(&l->json, "rounding", ja_rounding_word(edge ? JA_ROUNDING_NEAREST : r->rounding));
    put_flag(l, "edge", edge);
    ja_out_text(&l->json, "unit", ja_unit_word((enum ja_unit)r->unit));
    put_flag(l, "approximate", r->approximate);
    put_place(l, e, r->place);
    put_text(l, "raw", r->printed);
    close_line(l);
}

static void put_count(struct lines *l, const struct ja_source *source, uint32_t index)
{
    const struct ja_evidence *e = source->evidence;
    const struct ja_count *c = &e->counts[index];
    open_line(l, "work");
    put_row_keys(l, source, c->subject);
    put_when(l, ja_moment_of(source, e->subjects[c->subject].record, c->stamp));
    ja_out_text(&l->json, "unit", c->unit);
    ja_out_number(&l->json, "total", c->total);
    put_place(l, e, c->place);
    close_line(l);
}

static void put_event(struct lines *l, const struct ja_source *source, uint32_t index)
{
    const struct ja_evidence *e = source->evidence;
    const struct ja_event_seen *event = &e->events[index];
    open_line(l, "event");
    if (event->subject != JA_NONE) {
        put_row_keys(l, source, event->subject);
    } else {
        put_where(l, source->record_host[event->record], source->record_boot[event->record]);
        ja_out_text(&l->json, "source", e->path);
        ja_out_whole(&l->json, "record", event->record);
    }
    ja_out_text(&l->json, "kind", ja_event_word(event->kind));
    if (event->stamp != JA_NONE || e->records[event->record].stamp == JA_NONE)
        put_when(l, ja_moment_of(source, event->record, event->stamp));
    ja_out_text(&l->json, "reason", event->reason);
    ja_out_whole(&l->json, "order", event->order ? event->order : JA_UNKNOWN);
    ja_out_whole(&l->json, "bytes", event->bytes);
    ja_out_whole(&l->json, "limit_bytes", event->limit_bytes);
    ja_out_text(&l->json, "detail", event->detail);
    put_place(l, e, event->place);
    close_line(l);
}

static void put_fact(struct lines *l, const struct ja_source *source, uint32_t index)
{
    const struct ja_evidence *e = source->evidence;
    const struct ja_fact *fact = &e->facts[index];
    open_line(l, "fact");
    if (fact->subject != JA_NONE) {
        put_row_keys(l, source, fact->subject);
    } else {
        put_where(l, source->record_host[fact->record], source->record_boot[fact->record]);
        ja_out_text(&l->json, "source", e->path);
        ja_out_whole(&l->json, "record", fact->record);
    }
    ja_out_text(&l->json, "about", fact->subject == JA_NONE ? "table" : "process");
    ja_out_text(&l->json, "key", ja_fact_words[fact->key]);
    ja_out_whole(&l->json, "value", fact->value);
    ja_out_text(&l->json, "text", fact->text);
    put_place(l, e, fact->place);
    close_line(l);
}

/* ---- the report ------------------------------------------------------------------------------ */

/* What of a source is shown. A record whose table lacks rows is no census. */
struct shown {
    const bool *records;  /* --since, --until */
    const bool *filtered; /* --process: readings of the record are left out */
};

static bool is_shown(const struct lines *l, const struct ja_source *source, uint32_t subject)
{
    uint32_t process = source->subject_process[subject];
    return process == JA_NONE || l->item->processes[process].shown;
}

static bool reading_shown(const struct lines *l, const struct ja_source *source,
                          const struct ja_reading *reading)
{
    uint32_t record = source->evidence->subjects[reading->subject].record;
    return is_shown(l, source, reading->subject) &&
           ja_in_window(l->item, ja_moment_of(source, record, reading->stamp));
}

static bool event_shown(const struct lines *l, const struct ja_source *source,
                        const struct ja_event_seen *event)
{
    return ja_in_window(l->item, ja_moment_of(source, event->record, event->stamp));
}

static struct shown choose(struct lines *l, const struct ja_source *source)
{
    const struct ja_evidence *e = source->evidence;
    bool *filtered = ja_arena_alloc(l->of_source, e->record_count, sizeof *filtered);
    struct shown shown = {ja_records_in_window(l->item, source, l->of_source), filtered};
    for (uint32_t i = 0; i < e->subject_count; i++)
        filtered[e->subjects[i].record] |= !is_shown(l, source, i);
    return shown;
}

static void put_evidence(struct lines *l, const struct ja_source *source)
{
    const struct ja_evidence *e = source->evidence;
    put_source(l, source);
    if (source->duplicate_of != JA_NONE || source->role == JA_ROLE_STATEMENT)
        return;
    struct shown shown = choose(l, source);
    for (uint32_t i = 0; i < e->record_count; i++)
        if (shown.records[i])
            put_record(l, source, i, shown.filtered[i]);
    for (uint32_t i = 0; i < e->subject_count; i++)
        if (shown.records[e->subjects[i].record])
            put_row(l, source, i);
    for (uint32_t i = 0; i < e->reading_count; i++)
        if (reading_shown(l, source, &e->readings[i]))
            put_reading(l, source, i);
    for (uint32_t i = 0; i < e->count_count; i++)
        if (shown.records[e->subjects[e->counts[i].subject].record] &&
            is_shown(l, source, e->counts[i].subject))
            put_count(l, source, i);
    for (uint32_t i = 0; i < e->event_count; i++)
        if (event_shown(l, source, &e->events[i]))
            put_event(l, source, i);
    for (uint32_t i = 0; i < e->fact_count; i++)
        if (shown.records[e->facts[i].record])
            put_fact(l, source, i);
    ja_arena_reset(l->of_source);
}

bool ja_ndjson_print(const struct ja_case *item, const struct ja_report_options *options, FILE *out)
{
    struct ja_arena *arena = ja_arena_new();
    struct lines lines = {.json = {.out = out, .compact = true},
                          .item = item,
                          .scratch = ja_arena_new(),
                          .of_source = ja_arena_new(),
                          .boots = name_boots(item, arena)};
    (void)options;
    put_header(&lines);
    for (uint32_t b = 0; b < item->boot_count; b++)
        put_boot(&lines, b);
    for (size_t p = 0; p < item->process_count; p++)
        if (item->processes[p].shown)
            put_process(&lines, &item->processes[p]);
    for (size_t s = 0; s < item->state_count; s++)
        put_state(&lines, &item->states[s]);
    for (size_t i = 0; i < item->source_count; i++)
        put_evidence(&lines, &item->sources[i]);
    ja_arena_free(lines.scratch);
    ja_arena_free(lines.of_source);
    ja_arena_free(arena);
    return ja_out_flush(&lines.json);
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
