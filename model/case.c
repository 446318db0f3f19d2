/* SPDX-License-Identifier: MIT */
#include "model/case.h"

#include <stdio.h>
#include <string.h>

#include "model/build.h"
#include "model/rule.h"

static void run_in_turn(size_t count, void (*job)(size_t index, void *data), void *data)
{
    for (size_t i = 0; i < count; i++)
        job(i, data);
}

/* --process: everything is made first, then only these are shown and judged. */
static void choose_shown(struct ja_build *build)
{
    const struct ja_statements *said = build->item->statements;
    for (size_t p = 0; p < build->item->process_count; p++) {
        struct ja_process *process = &build->item->processes[p];
        process->shown = said->only_count == 0;
        for (size_t i = 0; i < said->only_count; i++)
            process->shown |=
                ja_selector_picks(&said->only[i], process->name, process->pid, process->coalition);
    }
}

bool ja_selector_picks_any(const struct ja_case *item, const struct ja_selector *selector)
{
    for (size_t p = 0; p < item->process_count; p++) {
        const struct ja_process *process = &item->processes[p];
        if (ja_selector_picks(selector, process->name, process->pid, process->coalition))
            return true;
    }
    return false;
}

/* In this order; each reads what the ones before it wrote. */
static const struct {
    const char *name;
    void (*run)(struct ja_build *build);
} steps[] = {
    {"hosts", ja_build_hosts},         {"boots", ja_build_boots},
    {"identity", ja_build_identity},   {"shown", choose_shown},
    {"series", ja_build_series},       {"states", ja_build_states},
    {"window", ja_build_window},       {"largest", ja_build_largest},
    {"work", ja_build_work},           {"caps", ja_build_caps},
    {"services", ja_build_services},   {"growth", ja_build_growth},
    {"reached", ja_build_reached},     {"moments", ja_build_seen},
    {"timeline", ja_build_timeline},   {"window of events", ja_build_window_events},
    {"incidents", ja_build_incidents}, {"rules", ja_build_findings},
};

struct ja_case *ja_case_build_watched(const struct ja_input *inputs, size_t count,
                                      const struct ja_statements *statements, ja_run_jobs *run,
                                      void (*done)(const char *step, void *data), void *data)
{
    struct ja_arena *arena = ja_arena_new();
    struct ja_case *item = ja_arena_alloc(arena, 1, sizeof *item);
    item->arena = item->kept = arena;
    item->statements = statements;
    struct ja_build build = {
        .item = item, .scratch = ja_arena_new(), .run = run ? run : run_in_turn};
    ja_build_context(&build, inputs, count);
    if (done)
        done("context", data);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        steps[i].run(&build);
        ja_arena_reset(build.scratch);
        if (done)
            done(steps[i].name, data);
    }
    ja_arena_free(build.scratch);
    return item;
}

struct ja_case *ja_case_build(const struct ja_input *inputs, size_t count,
                              const struct ja_statements *statements, ja_run_jobs *run)
{
    return ja_case_build_watched(inputs, count, statements, run, NULL, NULL);
}

void ja_case_free(struct ja_case *item)
{
    if (!item)
        return;
    for (size_t i = 0; i < item->source_count; i++)
        ja_evidence_free(item->sources[i].evidence);
    ja_arena_free(item->arena);
}

const struct ja_process_more ja_process_unsaid = {
    NULL, NULL, JA_UNKNOWN, {JA_UNKNOWN, JA_UNKNOWN, JA_UNKNOWN, JA_CLOCK_NONE, NULL}};

struct ja_process_more *ja_process_more(struct ja_process *process, struct ja_arena *arena)
{
    if (process->more != &ja_process_unsaid)
        return (struct ja_process_more *)process->more; /* made below: not constant */
    struct ja_process_more *more = ja_arena_alloc(arena, 1, sizeof *more);
    *more = ja_process_unsaid;
    process->more = more;
    return more;
}

struct ja_instant ja_process_started(const struct ja_process *process)
{
    int64_t latest = process->latest_start_ns;
    if (ja_instant_known(&process->more->started) || latest == JA_UNKNOWN)
        return process->more->started;
    return (struct ja_instant){latest, JA_UNKNOWN, latest, JA_CLOCK_DERIVED, NULL};
}

int64_t ja_process_start_ns(const struct ja_process *process)
{
    int64_t stated = process->more->started.unix_ns;
    return stated != JA_UNKNOWN ? stated : process->latest_start_ns;
}

#define LONGEST_NAME 200 /* bytes of a name inside a sentence */

static const char *mark(const struct ja_case *item, const char *name, const char *tail)
{
    char text[LONGEST_NAME * 4 + 40];
    size_t at = 0;
    text[at++] = JA_NAME_BEGIN;
    for (size_t i = 0; name && name[i] && i < LONGEST_NAME; i++) {
        unsigned char c = (unsigned char)name[i];
        if (c >= 0x20 && c != 0x7f)
            text[at++] = name[i];
        else
            at += (size_t)snprintf(text + at, 5, "\\x%02X", c);
    }
    at += (size_t)snprintf(text + at, 32, "%s", tail);
    text[at++] = JA_NAME_END;
    return ja_arena_copy(item->arena, text, at);
}

const char *ja_name_text(const struct ja_case *item, const char *name)
{
    return mark(item, name, "");
}

const char *ja_process_name(const struct ja_case *item, uint32_t process)
{
    const struct ja_process *p = &item->processes[process];
    return p->name_open ? ja_arena_print(item->arena, "%s...", p->name) : p->name;
}

const char *ja_process_text(const struct ja_case *item, uint32_t process)
{
    const struct ja_process *p = &item->processes[process];
    char pid[32] = "";
    if (p->pid != JA_UNKNOWN)
        snprintf(pid, sizeof pid, " [%lld]", (long long)p->pid);
    return mark(item, ja_process_name(item, process), pid);
}

const char *ja_unmarked(const struct ja_case *item, const char *text)
{
    if (!text || !text[strcspn(text, "\x01\x02")])
        return text;
    char *copy = ja_arena_string(item->arena, text);
    size_t at = 0;
    for (size_t i = 0; text[i]; i++)
        if (text[i] != JA_NAME_BEGIN && text[i] != JA_NAME_END)
            copy[at++] = text[i];
    copy[at] = '\0';
    return copy;
}

const char *ja_grade_word(enum ja_grade grade)
{
    static const char *const words[] = {
        [JA_CONFIRMED] = "CONFIRMED",        [JA_CONTRADICTED] = "CONTRADICTED",
        [JA_CONSISTENT] = "CONSISTENT WITH", [JA_CANNOT] = "CANNOT TELL",
        [JA_NOT_SHOWN] = "NOT SHOWN",
    };
    return words[grade];
}

const char *ja_severity_word(enum ja_severity severity)
{
    static const char *const words[] = {
        [JA_CRITICAL] = "critical", [JA_SERIOUS] = "warning", [JA_REMARK] = "note"};
    return words[severity];
}

const char *ja_verdict_word(enum ja_verdict verdict)
{
    static const char *const words[] = {[JA_CANNOT_TELL] = "cannot_tell",
                                        [JA_GROWING] = "growing",
                                        [JA_NOT_GROWING] = "not_growing"};
    return words[verdict];
}

const char *ja_shape_word(enum ja_shape shape)
{
    static const char *const words[] = {
        [JA_SHAPE_UNKNOWN] = "unknown",   [JA_SHAPE_FLAT] = "flat",
        [JA_SHAPE_LINEAR] = "linear",     [JA_SHAPE_PLATEAU] = "plateau",
        [JA_SHAPE_STEP] = "step",         [JA_SHAPE_STAIRCASE] = "staircase",
        [JA_SHAPE_DOUBLING] = "doubling", [JA_SHAPE_SAWTOOTH] = "sawtooth",
        [JA_SHAPE_BURST] = "burst",
    };
    return words[shape];
}

const char *ja_reason_word(enum ja_growth_reason reason)
{
    static const char *const words[] = {
        [JA_REASON_UNDATED] = "UNDATED",
        [JA_REASON_ONE_READING] = "ONE_READING",
        [JA_REASON_TWO_READINGS] = "TWO_READINGS",
        [JA_REASON_FEW_READINGS] = "FEW_READINGS",
        [JA_REASON_NO_WORK] = "NO_WORK",
        [JA_REASON_LITTLE_WORK] = "LITTLE_WORK",
        [JA_REASON_WORK_UNKNOWN] = "WORK_UNKNOWN",
        [JA_REASON_NO_CONCERN] = "NO_CONCERN",
        [JA_REASON_NOT_SIGNIFICANT] = "NOT_SIGNIFICANT",
        [JA_REASON_ONE_STEP] = "ONE_STEP",
        [JA_REASON_STOPPED] = "STOPPED",
        [JA_REASON_WANDER] = "WANDER",
        [JA_REASON_FALLS] = "FALLS",
        [JA_REASON_SHAPE] = "SHAPE",
        [JA_REASON_LATE_RISE] = "LATE_RISE",
        [JA_REASON_STEPS_GROW] = "STEPS_GROW",
        [JA_REASON_BOUND_ABOVE_X] = "BOUND_ABOVE_X",
    };
    return words[reason];
}

const char *ja_link_word(enum ja_link link)
{
    static const char *const words[] = {[JA_LINK_SINGLE] = "single",
                                        [JA_LINK_START_TIME] = "start_time",
                                        [JA_LINK_AGE] = "age",
                                        [JA_LINK_PID_NAME] = "pid_name"};
    return words[link];
}
