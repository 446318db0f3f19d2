/* SPDX-License-Identifier: MIT */
#include "cli/redact.h"

#include <string.h>

#include "cli/redact_text.h"
#include "model/rows.h"

/* The path of a source: its token keeps the end that tells what the file is. */
static const char *path_token(struct ja_redactor *redactor, const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    const char *token = ja_redact_token(redactor, "path", path, strlen(path));
    return dot && dot != path ? ja_arena_print(redactor->arena, "%s%s", token, dot) : token;
}

static void gather_source(struct ja_redactor *redactor, const struct ja_source *source)
{
    const struct ja_evidence *evidence = source->evidence;
    const char *slash = strrchr(evidence->path, '/');
    ja_redact_term(redactor, "path", evidence->path);
    ja_redact_term(redactor, "path", slash ? slash + 1 : NULL);
    ja_redact_term(redactor, "id", evidence->incident_id);
    for (size_t i = 0; i < evidence->system_count; i++) {
        ja_redact_term(redactor, "host", evidence->systems[i].host_name);
        ja_redact_term(redactor, "device", evidence->systems[i].host_key);
        ja_redact_term(redactor, "boot", evidence->systems[i].boot_id);
    }
    for (uint32_t i = 0; i < evidence->subject_count; i++) {
        struct ja_subject subject = ja_subject_at(evidence, i);
        ja_redact_users_in(redactor, subject.name);
        ja_redact_users_in(redactor, subject.more->command);
    }
    for (size_t i = 0; i < evidence->event_count; i++)
        ja_redact_users_in(redactor, evidence->events[i].detail);
    for (size_t i = 0; i < evidence->category_count; i++)
        ja_redact_users_in(redactor, evidence->categories[i]);
    for (size_t i = 0; i < evidence->fact_count; i++)
        ja_redact_users_in(redactor, evidence->facts[i].text);
    for (size_t i = 0; i < evidence->stamp_count; i++)
        if (evidence->stamp_uses[i] & JA_STAMP_NAMED)
            ja_redact_term(redactor, "path", source->instants[i].text);
}

static void gather(struct ja_redactor *redactor, const struct ja_case *item)
{
    for (size_t i = 0; i < item->source_count; i++)
        gather_source(redactor, &item->sources[i]);
    for (size_t i = 0; i < item->host_count; i++) {
        ja_redact_term(redactor, "host", item->hosts[i].label);
        ja_redact_term(redactor, "host", item->hosts[i].name);
    }
    for (size_t i = 0; i < item->boot_count; i++)
        ja_redact_term(redactor, "boot", item->boots[i].id);
    ja_redact_seal(redactor);
}

/* A text drawn from evidence, and one that a rule wrote. */
static void found(struct ja_redactor *redactor, const char **text)
{
    *text = ja_redact_text(redactor, *text, true);
}

static void written(struct ja_redactor *redactor, const char **text)
{
    *text = ja_redact_text(redactor, *text, false);
}

static void instant(struct ja_redactor *redactor, struct ja_instant *moment)
{
    written(redactor, &moment->text);
}

static void redact_evidence(struct ja_redactor *redactor, struct ja_evidence *evidence)
{
    ja_evidence_unpack(evidence); /* its texts are changed */
    evidence->path = path_token(redactor, evidence->path);
    found(redactor, &evidence->incident_id);
    found(redactor, &evidence->why);
    for (size_t i = 0; i < evidence->system_count; i++) {
        found(redactor, &evidence->systems[i].host_name);
        found(redactor, &evidence->systems[i].host_key);
        found(redactor, &evidence->systems[i].boot_id);
    }
    for (size_t i = 0; i < evidence->record_count; i++) {
        found(redactor, &evidence->records[i].snapshot);
        written(redactor, &evidence->records[i].of);
    }
    for (size_t i = 0; i < evidence->subject_count; i++) {
        if (evidence->subjects[i].more->command)
            found(redactor, &ja_subject_more(&evidence->subjects[i], redactor->arena)->command);
        found(redactor, &evidence->subjects[i].uuid);
        written(redactor, &evidence->subjects[i].name);
    }
    for (size_t i = 0; i < evidence->event_count; i++) {
        found(redactor, &evidence->events[i].reason);
        found(redactor, &evidence->events[i].detail);
    }
    for (size_t i = 0; i < evidence->fact_count; i++)
        found(redactor, &evidence->facts[i].text);
    for (size_t i = 0; i < evidence->category_count; i++)
        found(redactor, &evidence->categories[i]);
    for (size_t i = 0; i < evidence->diagnostic_count; i++) {
        found(redactor, &evidence->diagnostics[i].text);
        written(redactor, &evidence->diagnostics[i].place);
    }
}

static void redact_source(struct ja_redactor *redactor, struct ja_source *source)
{
    for (size_t i = 0; source->instants && i < source->evidence->stamp_count; i++)
        instant(redactor, &source->instants[i]);
    for (size_t i = 0; source->record_at && i < source->evidence->record_count; i++)
        instant(redactor, &source->record_at[i]);
    instant(redactor, &source->captured);
    instant(redactor, &source->written);
    redact_evidence(redactor, source->evidence);
}

/* A moment that others may share: a copy. */
static void shared(struct ja_redactor *redactor, const struct ja_instant **moment)
{
    if (!(*moment)->text)
        return;
    struct ja_instant *copy = ja_arena_alloc(redactor->arena, 1, sizeof *copy);
    *copy = **moment;
    instant(redactor, copy);
    *moment = copy;
}

/* Before what they share them with. */
static void redact_moments(struct ja_redactor *redactor, struct ja_case *item)
{
    for (size_t i = 0; i < item->event_count; i++)
        shared(redactor, &item->events[i].at);
    for (size_t i = 0; i < item->ending_count; i++)
        shared(redactor, &item->endings[i].at);
    for (size_t i = 0; i < item->group_count; i++)
        shared(redactor, &item->groups[i].at);
}

static void redact_processes(struct ja_redactor *redactor, struct ja_case *item)
{
    for (size_t i = 0; i < item->process_count; i++) {
        struct ja_process *process = &item->processes[i];
        written(redactor, &process->name);
        if (process->more == &ja_process_unsaid)
            continue;
        struct ja_process_more *more = ja_process_more(process, redactor->arena);
        found(redactor, &more->command);
        instant(redactor, &more->started);
    }
    for (size_t i = 0; i < item->series_count; i++)
        found(redactor, &item->series[i].category);
}

static void redact_timeline(struct ja_redactor *redactor, struct ja_case *item)
{
    for (size_t i = 0; i < item->state_count; i++) {
        written(redactor, &item->states[i].of);
        instant(redactor, &item->states[i].at);
    }
    for (size_t i = 0; i < item->event_count; i++) {
        struct ja_event *event = &item->events[i];
        written(redactor, &event->name);
        found(redactor, &event->reason);
        found(redactor, &event->detail);
    }
    for (size_t i = 0; i < item->incident_count; i++) {
        instant(redactor, &item->incidents[i].from);
        instant(redactor, &item->incidents[i].to);
        instant(redactor, &item->incidents[i].first_abnormal);
    }
}

static void redact_findings(struct ja_redactor *redactor, struct ja_case *item)
{
    for (size_t i = 0; i < item->finding_count; i++) {
        written(redactor, &item->findings[i].statement);
        written(redactor, &item->findings[i].why);
        written(redactor, &item->findings[i].would_change);
        written(redactor, &item->findings[i].next_step);
    }
    for (size_t i = 0; i < item->cite_count; i++)
        found(redactor, &item->cites[i].raw);
}

void ja_redact_case(struct ja_case *item, const unsigned char key[32])
{
    struct ja_redactor redactor = {.arena = item->arena};
    memcpy(redactor.key, key, sizeof redactor.key);
    gather(&redactor, item);
    redact_moments(&redactor, item);
    for (size_t i = 0; i < item->source_count; i++)
        redact_source(&redactor, &item->sources[i]);
    for (size_t i = 0; i < item->host_count; i++) {
        written(&redactor, &item->hosts[i].label);
        written(&redactor, &item->hosts[i].name);
    }
    for (size_t i = 0; i < item->boot_count; i++) {
        written(&redactor, &item->boots[i].id);
        instant(&redactor, &item->boots[i].start);
        instant(&redactor, &item->boots[i].last_seen);
    }
    redact_processes(&redactor, item);
    redact_timeline(&redactor, item);
    redact_findings(&redactor, item);
}
