/* SPDX-License-Identifier: MIT
 *
 * Are killed, largest and growing the same process? The kernel kills from the lowest band upward,
 * so the victims of a report are seldom who fills the machine.
 */
#include "model/rule.h"
#include "model/tables.h"

#include <string.h>

#define REPORTS 10 /* a host: the last ones */
#define NAMED 3

struct report {
    uint32_t state;
    const uint32_t *events; /* its kills, in the timeline's order */
    size_t kills;
    int64_t killed_bytes;   /* JA_UNKNOWN: no kill tells its size */
    const char *largest;    /* as the report, else its rows, name it */
    uint32_t largest_event; /* a kill of it; JA_NONE */
    uint32_t largest_row;   /* process of the largest live row; JA_NONE */
    bool told;              /* the report itself names it */
    bool oom;               /* an OOM table: its rows tell */
};

/* The kills that the state's own record tells: a file may hold several reports. */
static void take_kills(struct ja_case *item, const uint32_t *kills, size_t count,
                       struct report *report)
{
    const struct ja_state *state = &item->states[report->state];
    const struct ja_evidence *evidence = item->sources[state->source].evidence;
    size_t length, at = ja_kills_of(item, kills, count, state->host, state->source, &length);
    uint32_t *events = ja_arena_alloc(item->arena, length, sizeof *events);
    for (size_t i = at; i < at + length; i++) {
        const struct ja_event *event = &item->events[kills[i]];
        if (event->seen != JA_NONE && evidence->events[event->seen].record == state->record)
            events[report->kills++] = kills[i];
    }
    report->events = events;
}

/* Whether one of the kills is that of the largest: of the name that a Jetsam report gives, or of
 * the first row of an OOM table (which still holds its victim). */
static void match_largest(const struct ja_case *item, struct report *report)
{
    const struct ja_state *state = &item->states[report->state];
    int64_t largest = 0;
    for (size_t i = 0; i < report->kills; i++) {
        const struct ja_event *event = &item->events[report->events[i]];
        bool named = event->name && strcmp(event->name, report->largest) == 0;
        int64_t known = report->killed_bytes == JA_UNKNOWN ? 0 : report->killed_bytes;
        if (event->bytes != JA_UNKNOWN)
            report->killed_bytes = ja_add(known, event->bytes);
        bool oom = event->kind == JA_EVENT_OOM_KILL;
        if (oom)
            named = event->process == report->largest_row; /* its row tells, also without a size */
        if (!named || (!oom && event->bytes <= largest))
            continue;
        largest = event->bytes;
        report->largest_event = report->events[i];
    }
    /* A live row that is larger still is the one that is meant. */
    if (report->largest_event != JA_NONE && state->row_count && state->row_bytes[0] > largest &&
        item->events[report->largest_event].kind == JA_EVENT_JETSAM_KILL)
        report->largest_event = JA_NONE;
}

/* A kill is recorded, but not whose. */
static bool unnamed_kill(const struct ja_case *item, const struct report *report)
{
    for (size_t i = 0; i < report->kills; i++)
        if (item->events[report->events[i]].process == JA_NONE)
            return true;
    return false;
}

/* False when the report cannot say who was the largest, or whether it was killed. */
static bool read_report(struct ja_case *item, uint32_t index, const uint32_t *kills,
                        size_t kill_count, struct report *ret)
{
    const struct ja_state *state = &item->states[index];
    const struct ja_fact *told = ja_state_fact(item, state, JA_FACT_LARGEST_PROCESS);
    *ret = (struct report){.state = index,
                           .killed_bytes = JA_UNKNOWN,
                           .largest_event = JA_NONE,
                           .largest_row = JA_NONE};
    if (!ja_state_uncut(item, state) || state->row_count + state->books.killed_left_out < 2)
        return false;
    ret->largest = told && told->text ? told->text : NULL;
    ret->largest_row = ret->largest ? state->told_largest : state->largest;
    if (ret->largest_row != JA_NONE && !ret->largest)
        ret->largest = item->processes[ret->largest_row].name;
    take_kills(item, kills, kill_count, ret);
    if (!ret->kills || !ret->largest)
        return false;
    ret->oom = item->events[ret->events[0]].kind == JA_EVENT_OOM_KILL;
    ret->told = ret->oom ? state->books.complete : told && told->text;
    match_largest(item, ret);
    return ret->largest_event != JA_NONE || !unnamed_kill(item, ret);
}

/* Who is growing by a verdict on this boot: the first names. */
static const char *growers(struct ja_case *item, const struct ja_state *state)
{
    const char *text = "";
    uint32_t last = JA_NONE;
    size_t count = 0;
    uint32_t end, first = ja_host_series(item, state->host, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct ja_series *series = &item->series[i];
        const struct ja_process *process = &item->processes[series->process];
        if (process->boot != state->boot || series->category ||
            series->growth->verdict != JA_GROWING || series->process == last ||
            (ja_metrics[series->metric].counts & JA_NO_GROWTH_FINDING))
            continue;
        last = series->process;
        if (count++ < NAMED)
            text = ja_arena_print(item->arena, "%s%s%s", text, count > 1 ? ", " : "",
                                  ja_process_text(item, series->process));
    }
    if (!count)
        return "no process has a growing verdict in this evidence";
    if (count > NAMED)
        return ja_arena_print(item->arena, "growing by verdict: %s and %zu more", text,
                              count - NAMED);
    return ja_arena_print(item->arena, "growing by verdict: %s", text);
}

static const char *victims(struct ja_case *item, const struct report *report)
{
    const char *text = "";
    for (size_t i = 0; i < report->kills && i < NAMED; i++) {
        uint32_t process = item->events[report->events[i]].process;
        text = ja_arena_print(item->arena, "%s%s%s", text, i ? ", " : "",
                              process != JA_NONE ? ja_process_text(item, process)
                                                 : "a process without a row");
    }
    return report->kills > NAMED
               ? ja_arena_print(item->arena, "%s and %zu more", text, report->kills - NAMED)
               : text;
}

/* ", 20.0 MiB together"; nothing where no kill tells its size. */
static const char *killed_size(struct ja_case *item, const struct report *report)
{
    if (report->killed_bytes == JA_UNKNOWN)
        return "";
    return ja_arena_print(item->arena, ", %s%s",
                          ja_size_text(item, (double)report->killed_bytes, 0),
                          report->kills == 1 ? "" : " together");
}

static void find(struct ja_case *item, const struct report *report)
{
    const struct ja_state *state = &item->states[report->state];
    bool killed = report->largest_event != JA_NONE;
    uint32_t process = killed ? item->events[report->largest_event].process : report->largest_row;
    struct ja_finding *f =
        ja_find(item, "victim_largest_grower", report->told ? JA_CONFIRMED : JA_CONSISTENT,
                JA_REMARK, state->host, process);
    f->metric = (int)state->books.metric;
    f->stake_bytes = report->killed_bytes;
    const char *grows = growers(item, state);
    const char *largest = ja_name_text(item, report->largest);
    const char *who = process != JA_NONE ? ja_process_text(item, process) : largest;
    if (killed)
        ja_say(item, f, "The report", JA_VERB_RECORD,
               "the same process as the largest and as killed: %s (%zu kill%s: %s)", who,
               report->kills, report->kills == 1 ? "" : "s", victims(item, report));
    else
        ja_say(item, f, "The report", JA_VERB_RECORD,
               "%s as the largest process, which was not killed; killed %s %s%s", who,
               report->kills == 1 ? "was" : "were", victims(item, report),
               killed_size(item, report));
    ja_because(item, f,
               "%s %s the largest, and says who was killed; %s; %s, so a victim need not be the "
               "cause",
               report->oom ? "its table shows that" : "it names",
               report->oom ? ja_arena_print(item->arena, "%s was", largest)
                           : ja_arena_print(item->arena, "%s as", largest),
               grows,
               report->oom ? "the kernel chooses by score"
                           : "kills go from the lowest priority band upward");
    ja_unless(item, f, "a more complete copy of the report");
    ja_next(item, f, "keep the next report, two readings of %s show whether it grows", who);
    ja_whole(item, f, "kills", (int64_t)report->kills);
    ja_whole(item, f, "killed_bytes", report->killed_bytes);
    ja_whole(item, f, "largest_killed", killed);
    ja_cite(item, f, ja_cite_event(item, report->events[0]));
    if (killed)
        ja_cite(item, f, ja_cite_event(item, report->largest_event));
    const struct ja_fact *told = ja_state_fact(item, state, JA_FACT_LARGEST_PROCESS);
    if (told)
        ja_cite(item, f, ja_cite_fact(item, state->source, told));
}

static void judge(struct ja_case *item)
{
    size_t count;
    const uint32_t *kills = ja_kill_events(item, &count);
    size_t *said = ja_arena_alloc(item->arena, item->host_count, sizeof *said);
    struct report report;
    for (uint32_t i = (uint32_t)item->state_count; i-- > 0;) {
        size_t *of_host = &said[item->states[i].host];
        if (*of_host >= REPORTS || !read_report(item, i, kills, count, &report))
            continue;
        find(item, &report);
        ++*of_host;
    }
}

const struct ja_rule ja_rule_victim_largest_grower = {
    .question = "are killed, largest and growing the same process?",
    .names = {{"victim_largest_grower",
               "A Jetsam report names its largest process and marks its victims, the table of an "
               "OOM kill shows both; they are compared, for the last ten reports of a host. "
               "Confirmed when the record itself tells both. A growing process is named only with "
               "a growing verdict. Tables that "
               "are cut or filtered say nothing here."}},
    .judge = judge,
};
