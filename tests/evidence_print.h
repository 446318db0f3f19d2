/* SPDX-License-Identifier: MIT
 *
 * Evidence as stable lines of text, for goldens: what each entry says and nothing else.
 */
#ifndef JA_TESTS_EVIDENCE_PRINT_H
#define JA_TESTS_EVIDENCE_PRINT_H

#include <stdio.h>
#include <string.h>

#include "model/evidence.h"

/* Control and invalid bytes would make goldens unreadable. */
static void print_text(FILE *out, const char *label, const char *text)
{
    if (!text)
        return;
    fprintf(out, " %s\"", label);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 32 || c == 127 || c == '"' || c == '\\')
            fprintf(out, "\\x%02x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

static void print_number(FILE *out, const char *label, int64_t value)
{
    if (value != JA_UNKNOWN)
        fprintf(out, " %s%lld", label, (long long)value);
}

/* "name"[pid] */
static void print_subject(FILE *out, const struct ja_evidence *evidence, uint32_t index)
{
    if (index == JA_NONE)
        return;
    const struct ja_subject *subject = &evidence->subjects[index];
    print_text(out, "", subject->name ? subject->name : "?");
    if (subject->pid != JA_UNKNOWN)
        fprintf(out, "[%lld]", (long long)subject->pid);
}

static void print_place(FILE *out, const struct ja_evidence *evidence, uint32_t index)
{
    if (index == JA_NONE)
        return;
    fprintf(out, " at %s", ja_place_text(evidence, index, evidence->arena));
}

/* The parts that were found, then the text. */
static void print_stamp(FILE *out, const struct ja_evidence *evidence, const char *label,
                        uint32_t index)
{
    if (index == JA_NONE)
        return;
    const struct ja_stamp *s = &evidence->stamps[index];
    fprintf(out, " %s", label);
    if (s->parts & JA_STAMP_UNIX) {
        char text[JA_INSTANT_TEXT];
        fputs(ja_instant_print(s->unix_ns, text), out);
    } else {
        if (s->parts & JA_STAMP_DATE)
            fprintf(out, "%04d-%02d-%02d", s->year, s->month, s->day);
        if (s->parts & JA_STAMP_YEARLESS)
            fprintf(out, "?-%02d-%02d", s->month, s->day);
        if (s->parts & JA_STAMP_TIME)
            fprintf(out, " %02d:%02d:%02d.%06d", s->hour, s->minute, s->second,
                    (int)(s->nanosecond / 1000));
        if (s->zone)
            fprintf(out, " (%s)", s->zone);
    }
    if (s->parts & JA_STAMP_BOOT)
        fprintf(out, "boot+%lld us", (long long)(s->since_boot_ns / 1000));
    if (s->parts & JA_STAMP_NOT_AFTER)
        fputs(" not after", out);
    if (s->shift_ns)
        fprintf(out, " shift %lld ms", (long long)(s->shift_ns / JA_NS_PER_MS));
    fprintf(out, " step %lld ms", (long long)(s->step_ns / JA_NS_PER_MS));
    if (s->error_ns)
        fprintf(out, " error %lld ms", (long long)(s->error_ns / JA_NS_PER_MS));
    const char *clock = ja_clock_word((int)s->clock);
    fprintf(out, " by %s", clock ? clock : "none");
}

static void print_head(FILE *out, const struct ja_evidence *e)
{
    fprintf(out, "kind %s", ja_kind_word(e->kind));
    for (int kind = 0; kind < JA_KIND_COUNT; kind++)
        if (e->also[kind / 64] >> (kind % 64) & 1)
            fprintf(out, " also %s", ja_kind_word((enum ja_kind)kind));
    fprintf(out, "\nstatus %s", ja_status_word(e->status));
    print_text(out, "why ", e->why);
    fprintf(out, "\nreadings %zu", e->readings_taken);
    print_text(out, "bug_type ", e->bug_type);
    print_text(out, "os ", e->os);
    print_text(out, "incident ", e->incident_id);
    print_stamp(out, e, "captured ", e->captured);
    print_stamp(out, e, "written ", e->written);
    print_stamp(out, e, "named ", e->name_stamp);
    fputc('\n', out);
}

static void print_systems(FILE *out, const struct ja_evidence *e)
{
    for (uint32_t i = 0; i < e->system_count; i++) {
        const struct ja_system *s = &e->systems[i];
        fprintf(out, "system %u", i);
        print_text(out, "name ", s->host_name);
        print_text(out, "key ", s->host_key);
        print_text(out, "processor ", s->processor);
        print_text(out, "model ", s->model);
        print_text(out, "os ", s->os);
        print_text(out, "kernel ", s->kernel);
        print_text(out, "boot ", s->boot_id);
        print_number(out, "page ", s->page_bytes);
        print_number(out, "tick ", s->tick_hz);
        print_number(out, "cores ", s->cores);
        print_number(out, "ram ", s->ram_bytes);
        print_stamp(out, e, "booted ", s->boot_stamp);
        fputc('\n', out);
    }
}

static void print_records(FILE *out, const struct ja_evidence *e)
{
    for (uint32_t i = 0; i < e->record_count; i++) {
        const struct ja_record *r = &e->records[i];
        fprintf(out, "record %u %s", i, ja_kind_word(r->kind));
        if (r->system != JA_NONE)
            fprintf(out, " system %u", r->system);
        print_stamp(out, e, "", r->stamp);
        print_text(out, "snapshot ", r->snapshot);
        print_text(out, "of ", r->of);
        fprintf(out, "%s%s%s", r->census ? " census" : "", r->complete ? " complete" : "",
                r->believed ? " believed" : "");
        print_place(out, e, r->place);
        fputc('\n', out);
        for (int f = 0; r->figures && f < JA_FIGURE_COUNT; f++) {
            if (r->figures[f] == JA_UNKNOWN)
                continue;
            fprintf(out, "figure %u %s %lld", i, ja_figure_words[f], (long long)r->figures[f]);
            print_place(out, e, r->figure_places[f]);
            fputc('\n', out);
        }
    }
}

static void print_subjects(FILE *out, const struct ja_evidence *e)
{
    for (uint32_t i = 0; i < e->subject_count; i++) {
        const struct ja_subject *s = &e->subjects[i];
        fprintf(out, "subject %u", i);
        print_subject(out, e, i);
        fprintf(out, " %s record %u", ja_scope_word((int)s->scope), s->record);
        print_text(out, "uuid ", s->uuid);
        print_text(out, "command ", s->more->command);
        print_text(out, "link ", s->more->link);
        print_number(out, "coalition ", s->coalition);
        print_number(out, "age ", s->age_ticks);
        print_number(out, "start ", s->more->start_ticks);
        print_number(out, "peak ", s->peak_bytes);
        print_number(out, "cpu ", s->cpu_ns);
        print_number(out, "parent ", s->more->parent_pid);
        print_stamp(out, e, "started ", s->more->start_stamp);
        if (s->life)
            fprintf(out, " life %u", s->life);
        fprintf(out, "%s%s%s", s->name_open ? " open" : s->name_cut ? " cut" : "", s->killed ? " killed" : "",
                s->dead ? " dead" : "");
        print_place(out, e, s->place);
        fputc('\n', out);
    }
}

static void print_readings(FILE *out, const struct ja_evidence *e)
{
    for (size_t i = 0; i < e->reading_count; i++) {
        const struct ja_reading *r = &e->readings[i];
        fputs("reading", out);
        print_subject(out, e, r->subject);
        fprintf(out, " %s", ja_metrics[r->metric].word);
        if (r->category != JA_NONE)
            print_text(out, "", e->categories[r->category]);
        fprintf(out, " %lld step %lld %s %s%s", (long long)r->value, (long long)r->resolution,
                ja_rounding_word(r->rounding), ja_unit_word((enum ja_unit)r->unit),
                r->approximate ? " approximate" : "");
        print_text(out, "printed ", r->printed);
        print_stamp(out, e, "", r->stamp);
        print_place(out, e, r->place);
        fputc('\n', out);
    }
}

static void print_rest(FILE *out, const struct ja_evidence *e)
{
    for (size_t i = 0; i < e->count_count; i++) {
        const struct ja_count *c = &e->counts[i];
        fputs("count", out);
        print_subject(out, e, c->subject);
        fprintf(out, " %s %.10g", c->unit, c->total);
        print_stamp(out, e, "", c->stamp);
        print_place(out, e, c->place);
        fputc('\n', out);
    }
    for (size_t i = 0; i < e->event_count; i++) {
        const struct ja_event_seen *v = &e->events[i];
        fprintf(out, "event %s", ja_event_word(v->kind));
        print_subject(out, e, v->subject);
        print_text(out, "reason ", v->reason);
        print_text(out, "detail ", v->detail);
        if (v->order)
            fprintf(out, " order %d", v->order);
        print_number(out, "bytes ", v->bytes);
        print_number(out, "limit ", v->limit_bytes);
        print_stamp(out, e, "", v->stamp);
        print_place(out, e, v->place);
        fputc('\n', out);
    }
    for (size_t i = 0; i < e->fact_count; i++) {
        const struct ja_fact *f = &e->facts[i];
        fprintf(out, "fact %u %s", f->record, ja_fact_words[f->key]);
        print_subject(out, e, f->subject);
        print_number(out, "", f->value);
        print_text(out, "", f->text);
        print_place(out, e, f->place);
        fputc('\n', out);
    }
    for (size_t i = 0; i < e->diagnostic_count; i++) {
        const struct ja_diagnostic *d = &e->diagnostics[i];
        fprintf(out, "%s %s", ja_level_word(d->level), d->code);
        if (d->line)
            fprintf(out, " line %d", (int)d->line);
        if (d->place)
            fprintf(out, " %s", d->place);
        print_text(out, "", d->text);
        fputc('\n', out);
    }
}

/* Prints all of an evidence. */
static void print_evidence(FILE *out, const struct ja_evidence *evidence)
{
    print_head(out, evidence);
    print_systems(out, evidence);
    print_records(out, evidence);
    print_subjects(out, evidence);
    print_readings(out, evidence);
    print_rest(out, evidence);
}

#endif
