/* SPDX-License-Identifier: MIT
 *
 * One source as NDJSON lines: what its file holds, with the times, hosts and boots that the audit
 * settled, so that another audit rebuilds it (parsers/ndjson_records.c).
 */
#include "model/window.h"
#include "reports/ndjson_lines.h"
#include "model/rows.h"

/* A stamp under its own keys ("captured", "captured_early" ...); nothing when unknown. */
static void put_stamp(struct ja_lines *l, const char *key, const struct ja_instant *at)
{
    if (ja_instant_key(at) == JA_UNKNOWN)
        return;
    ja_out_time(&l->json, key, at->unix_ns);
    ja_out_time(&l->json, ja_arena_print(l->scratch, "%s_early", key), at->early_ns);
    ja_out_time(&l->json, ja_arena_print(l->scratch, "%s_late", key), at->late_ns);
    ja_out_text(&l->json, ja_arena_print(l->scratch, "%s_clock", key),
                ja_clock_word((int)at->clock));
}

static void put_text(struct ja_lines *l, const char *key, const char *text)
{
    if (text)
        ja_out_text(&l->json, key, text);
}

static void put_whole(struct ja_lines *l, const char *key, int64_t value)
{
    if (value != JA_UNKNOWN)
        ja_out_whole(&l->json, key, value);
}

static void put_flag(struct ja_lines *l, const char *key, bool value)
{
    if (value)
        ja_out_bool(&l->json, key, true);
}

static void put_diagnostics(struct ja_lines *l, const struct ja_evidence *evidence)
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

static void put_source(struct ja_lines *l, const struct ja_source *source)
{
    const struct ja_evidence *e = source->evidence;
    ja_lines_open(l, "source");
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
    ja_lines_close(l);
}

static void put_place(struct ja_lines *l, const struct ja_evidence *evidence, uint32_t place)
{
    if (place == JA_NONE)
        return;
    int line = ja_place_line(evidence, place);
    put_text(l, "place", ja_place_pointer(evidence, place, l->scratch));
    put_whole(l, "line", line ? line : JA_UNKNOWN);
}

static void put_system(struct ja_lines *l, const struct ja_source *source,
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

static bool same_time(const struct ja_instant *a, const struct ja_instant *b)
{
    return a->unix_ns == b->unix_ns && a->early_ns == b->early_ns && a->late_ns == b->late_ns &&
           a->clock == b->clock;
}

/* Does the record have the time of one shortly before it, but not its stamp? They were not captured
 * together then. */
static bool is_apart(const struct ja_source *source, uint32_t index)
{
    const struct ja_record *records = source->evidence->records;
    const struct ja_instant *at = &source->record_at[index];
    if (at->unix_ns == JA_UNKNOWN && at->late_ns == JA_UNKNOWN)
        return false;
    for (uint32_t i = index; i-- > 0 && index - i <= JA_NEAR_RECORDS;)
        if (same_time(&source->record_at[i], at))
            return records[i].stamp != records[index].stamp || records[i].stamp == JA_NONE;
    return false;
}

static void put_record(struct ja_lines *l, const struct ja_source *source, uint32_t index,
                       bool filtered)
{
    const struct ja_evidence *e = source->evidence;
    const struct ja_record *r = &e->records[index];
    ja_lines_open(l, "record");
    ja_lines_where(l, source->record_host[index], source->record_boot[index]);
    ja_out_text(&l->json, "source", e->path);
    ja_out_whole(&l->json, "record", index);
    ja_out_text(&l->json, "kind", ja_kind_word(r->kind));
    ja_lines_when(l, &source->record_at[index]);
    put_text(l, "snapshot", r->snapshot);
    put_text(l, "of", r->of);
    put_flag(l, "apart", is_apart(source, index));
    put_flag(l, "census", r->census && !filtered);
    put_flag(l, "complete", r->complete && !filtered);
    put_flag(l, "believed", r->believed);
    put_place(l, e, r->place);
    if (r->system != JA_NONE)
        put_system(l, source, &e->systems[r->system]);
    if (r->figures)
        ja_lines_figures(l, r->figures);
    ja_lines_close(l);
}

static void put_row_where(struct ja_lines *l)
{
    if (l->where.length) {
        ja_out_part(&l->json, &l->where);
        return;
    }
    size_t mark = ja_out_mark(&l->json);
    ja_lines_where(l, l->source->record_host[l->record], l->source->record_boot[l->record]);
    ja_out_keep(&l->json, mark, &l->where);
}

static void put_row_from(struct ja_lines *l)
{
    if (l->from.length) {
        ja_out_part(&l->json, &l->from);
        return;
    }
    size_t mark = ja_out_mark(&l->json);
    ja_out_text(&l->json, "source", l->source->evidence->path);
    ja_out_whole(&l->json, "record", l->record);
    ja_out_keep(&l->json, mark, &l->from);
}

/* The keys every line of a row shares, as the schema has them. */
static void put_row_keys(struct ja_lines *l, const struct ja_source *source, uint32_t subject)
{
    struct ja_subject s = ja_subject_at(source->evidence, subject);
    uint32_t process = ja_subject_process(source, subject);
    if (l->source != source || l->record != s.record)
        l->where.length = l->from.length = 0;
    l->source = source;
    l->record = s.record;
    put_row_where(l);
    ja_out_text(&l->json, "name", s.name);
    ja_out_whole(&l->json, "pid", s.pid);
    ja_out_time(&l->json, "started",
                process == JA_NONE ? JA_UNKNOWN
                                   : ja_process_start_ns(&l->item->processes[process]));
    put_row_from(l);
    ja_out_whole(&l->json, "row", subject);
}

static void put_row(struct ja_lines *l, const struct ja_source *source, uint32_t index)
{
    struct ja_subject s = ja_subject_at(source->evidence, index);
    ja_lines_open(l, "row");
    put_row_keys(l, source, index);
    if (s.scope != JA_SCOPE_PROCESS)
        ja_out_text(&l->json, "scope", ja_scope_word((int)s.scope));
    put_text(l, "uuid", s.uuid);
    put_text(l, "command", s.more->command);
    put_text(l, "link", s.more->link);
    put_whole(l, "coalition", s.coalition);
    put_whole(l, "age_ticks", s.age_ticks);
    put_whole(l, "start_ticks", s.more->start_ticks);
    put_whole(l, "peak_bytes", s.peak_bytes);
    put_whole(l, "cpu_ns", s.cpu_ns);
    put_whole(l, "parent_pid", s.more->parent_pid);
    put_whole(l, "life", s.life ? (int64_t)s.life : JA_UNKNOWN);
    put_flag(l, "name_cut", s.name_cut);
    put_flag(l, "name_open", s.name_open);
    put_flag(l, "killed", s.killed);
    put_flag(l, "dead", s.dead);
    if (s.more->start_stamp != JA_NONE)
        put_stamp(l, "start", &source->instants[s.more->start_stamp]);
    put_place(l, source->evidence, s.place);
    ja_lines_close(l);
}

static void put_reading(struct ja_lines *l, const struct ja_source *source, uint32_t index)
{
    const struct ja_evidence *e = source->evidence;
    struct ja_reading r = ja_reading_at(e, index);
    ja_lines_open(l, "reading");
    put_row_keys(l, source, r.subject);
    ja_out_text(&l->json, "metric", ja_metrics[r.metric].word);
    ja_out_text(&l->json, "category", r.category == JA_NONE ? NULL : e->categories[r.category]);
    ja_lines_when(l, ja_moment_of(source, ja_subject_record(e, r.subject), r.stamp));
    ja_out_whole(&l->json, "value_bytes", r.value);
    ja_out_whole(&l->json, "resolution_bytes", r.resolution);
    /* "edge" narrows "nearest": a reader that does not know it still has a true interval. */
    bool edge = r.rounding == JA_ROUNDING_EDGE;
    ja_out_text(&l->json, "rounding", ja_rounding_word(edge ? JA_ROUNDING_NEAREST : r.rounding));
    put_flag(l, "edge", edge);
    ja_out_text(&l->json, "unit", ja_unit_word((enum ja_unit)r.unit));
    put_flag(l, "approximate", r.approximate);
    put_place(l, e, r.place);
    put_text(l, "raw", r.printed);
    ja_lines_close(l);
}

static void put_count(struct ja_lines *l, const struct ja_source *source, uint32_t index)
{
    const struct ja_evidence *e = source->evidence;
    struct ja_count c = ja_count_at(e, index);
    ja_lines_open(l, "work");
    put_row_keys(l, source, c.subject);
    ja_lines_when(l, ja_moment_of(source, ja_subject_record(e, c.subject), c.stamp));
    ja_out_text(&l->json, "unit", c.unit);
    ja_out_number(&l->json, "total", c.total);
    put_place(l, e, c.place);
    ja_lines_close(l);
}

/* What an event or a fact is about: a row, or its record as a whole. */
static void put_about(struct ja_lines *l, const struct ja_source *source, uint32_t record,
                      uint32_t subject)
{
    if (subject != JA_NONE) {
        put_row_keys(l, source, subject);
        return;
    }
    ja_lines_where(l, source->record_host[record], source->record_boot[record]);
    ja_out_text(&l->json, "source", source->evidence->path);
    ja_out_whole(&l->json, "record", record);
}

static void put_event(struct ja_lines *l, const struct ja_source *source, uint32_t index)
{
    const struct ja_evidence *e = source->evidence;
    const struct ja_event_seen *event = &e->events[index];
    ja_lines_open(l, "event");
    put_about(l, source, event->record, event->subject);
    ja_out_text(&l->json, "kind", ja_event_word(event->kind));
    if (event->stamp != JA_NONE || e->records[event->record].stamp == JA_NONE)
        ja_lines_when(l, ja_moment_of(source, event->record, event->stamp));
    ja_out_text(&l->json, "reason", event->reason);
    ja_out_whole(&l->json, "order", event->order ? event->order : JA_UNKNOWN);
    ja_out_whole(&l->json, "bytes", event->bytes);
    ja_out_whole(&l->json, "limit_bytes", event->limit_bytes);
    ja_out_text(&l->json, "detail", event->detail);
    put_place(l, e, event->place);
    ja_lines_close(l);
}

static void put_fact(struct ja_lines *l, const struct ja_source *source, uint32_t index)
{
    const struct ja_evidence *e = source->evidence;
    const struct ja_fact *fact = &e->facts[index];
    ja_lines_open(l, "fact");
    put_about(l, source, fact->record, fact->subject);
    ja_out_text(&l->json, "about", fact->subject == JA_NONE ? "table" : "process");
    ja_out_text(&l->json, "key", ja_fact_words[fact->key]);
    ja_out_whole(&l->json, "value", fact->value);
    ja_out_text(&l->json, "text", fact->text);
    put_place(l, e, fact->place);
    ja_lines_close(l);
}

/* What of a source is shown. A record whose table lacks rows is no census. */
struct shown {
    const bool *records;  /* --since, --until */
    const bool *filtered; /* --process: readings of the record are left out */
};

static bool is_shown(const struct ja_lines *l, const struct ja_source *source, uint32_t subject)
{
    uint32_t process = ja_subject_process(source, subject);
    return process == JA_NONE || l->item->processes[process].shown;
}

static bool reading_shown(const struct ja_lines *l, const struct ja_source *source, uint32_t index)
{
    struct ja_reading reading = ja_reading_at(source->evidence, index);
    uint32_t record = ja_subject_record(source->evidence, reading.subject);
    return is_shown(l, source, reading.subject) &&
           ja_in_window(l->item, ja_moment_of(source, record, reading.stamp));
}

static bool event_shown(const struct ja_lines *l, const struct ja_source *source,
                        const struct ja_event_seen *event)
{
    return ja_in_window(l->item, ja_moment_of(source, event->record, event->stamp));
}

static struct shown choose(struct ja_lines *l, const struct ja_source *source)
{
    const struct ja_evidence *e = source->evidence;
    bool *filtered = ja_arena_alloc(l->of_source, e->record_count, sizeof *filtered);
    struct shown shown = {ja_records_in_window(l->item, source, l->of_source), filtered};
    for (uint32_t i = 0; i < e->subject_count; i++)
        filtered[ja_subject_record(e, i)] |= !is_shown(l, source, i);
    return shown;
}

void ja_lines_evidence(struct ja_lines *l, const struct ja_source *source)
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
        if (shown.records[ja_subject_record(e, i)])
            put_row(l, source, i);
    for (uint32_t i = 0; i < e->reading_count; i++)
        if (reading_shown(l, source, i))
            put_reading(l, source, i);
    for (uint32_t i = 0; i < e->count_count; i++) {
        uint32_t subject = ja_count_subject(e, i);
        if (shown.records[ja_subject_record(e, subject)] && is_shown(l, source, subject))
            put_count(l, source, i);
    }
    for (uint32_t i = 0; i < e->event_count; i++)
        if (event_shown(l, source, &e->events[i]))
            put_event(l, source, i);
    for (uint32_t i = 0; i < e->fact_count; i++)
        if (shown.records[e->facts[i].record])
            put_fact(l, source, i);
    ja_arena_reset(l->of_source);
}
