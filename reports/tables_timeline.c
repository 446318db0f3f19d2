/* SPDX-License-Identifier: MIT
 *
 * What happened when: events, stretches without evidence, and kills.
 */
#include "reports/tables_parts.h"

#include "model/gaps.h"
#include "reports/text.h"

#define MOST_TIMELINE_ROWS 20000
#define MOST_KILL_ROWS 20000
#define SAME_MOMENT_NS (60 * JA_NS_PER_S)

static bool timeline_is_full(struct ja_tables *t)
{
    struct ja_table *table = &t->tables[JA_TABLE_TIMELINE];
    bool full = table->row_count == MOST_TIMELINE_ROWS;
    table->left_out += full;
    return full;
}

static void add_event(struct ja_tables *t, const struct ja_case *item, uint32_t index)
{
    const struct ja_event *e = &item->events[index];
    if (timeline_is_full(t))
        return;
    struct ja_row row = ja_row_add(t, JA_TABLE_TIMELINE);
    ja_row_when(&row, e->at);
    ja_row_text(&row, item->hosts[e->host].label);
    ja_row_text(&row, ja_event_word(e->kind));
    ja_row_text(&row, e->name);
    ja_row_whole(&row, e->pid);
    ja_row_text(&row, e->reason);
    ja_row_bytes(&row, e->bytes, 0);
    ja_row_text(&row, e->detail);
    ja_row_event(t, item, &row, index);
}

/* A stretch without evidence is a row of its own. */
static void add_gap(struct ja_tables *t, const struct ja_case *item, uint32_t host,
                    const struct ja_gap *gap)
{
    if (timeline_is_full(t))
        return;
    double gap_s = (double)(gap->to.at->unix_ns - gap->from.at->unix_ns) / 1e9;
    struct ja_row row = ja_row_add(t, JA_TABLE_TIMELINE);
    ja_row_when(&row, gap->from.at);
    ja_row_text(&row, item->hosts[host].label);
    ja_row_text(&row, "gap");
    ja_row_text(&row, NULL);
    ja_row_whole(&row, JA_UNKNOWN);
    ja_row_text(&row, ja_arena_print(t->arena, "%s without evidence", ja_span(t->arena, gap_s)));
    ja_row_bytes(&row, JA_UNKNOWN, 0);
    ja_row_text(&row,
                ja_arena_print(t->arena, "no evidence for %s, until %s%s", ja_span(t->arena, gap_s),
                               ja_when(t->arena, gap->to.at),
                               gap->from.boot != gap->to.boot ? " (a reboot lies in it)" : ""));
    ja_row_refs(&row, NULL, 0);
}

/* Does the event belong to the moment that the gap begins with? Kills follow the snapshot of their
 * own report by milliseconds; a boot in the same minute lies in the gap. */
static bool before_gap(const struct ja_event *event, const struct ja_gap *gap)
{
    int64_t key = ja_instant_key(event->at), from = gap->from.at->unix_ns;
    bool kill = event->kind == JA_EVENT_JETSAM_KILL || event->kind == JA_EVENT_OOM_KILL;
    return key != JA_UNKNOWN && key <= from + (kill ? SAME_MOMENT_NS : 0);
}

/* Events and gaps, host by host, in time order; what has no time stands last. */
void ja_add_timeline(struct ja_tables *t, const struct ja_case *item)
{
    uint32_t event = 0;
    for (uint32_t host = 0; host < item->host_count; host++) {
        struct ja_gap *gaps = NULL;
        size_t count = item->hosts[host].processor ? 0 : ja_gaps_find(item, host, t->arena, &gaps);
        for (size_t g = 0; g <= count; g++) {
            for (; event < item->event_count && item->events[event].host == host; event++) {
                if (g < count && !before_gap(&item->events[event], &gaps[g]))
                    break;
                add_event(t, item, event);
            }
            if (g < count)
                add_gap(t, item, host, &gaps[g]);
        }
    }
}

/* The states of each source, in their order: first of a source, next of a state; JA_NONE ends. */
struct by_source {
    uint32_t *first, *next;
};

static struct by_source states_by_source(struct ja_tables *t, const struct ja_case *item)
{
    struct by_source by = {ja_arena_alloc(t->arena, item->source_count, sizeof *by.first),
                           ja_arena_alloc(t->arena, item->state_count, sizeof *by.next)};
    for (size_t i = 0; i < item->source_count; i++)
        by.first[i] = JA_NONE;
    for (uint32_t s = (uint32_t)item->state_count; s-- > 0;) {
        by.next[s] = by.first[item->states[s].source];
        by.first[item->states[s].source] = s;
    }
    return by;
}

/* The state of the report that a kill stands in. */
static const struct ja_state *state_of(const struct ja_case *item, const struct by_source *by,
                                       const struct ja_event *event)
{
    for (uint32_t s = by->first[event->source]; s != JA_NONE; s = by->next[s]) {
        const struct ja_state *state = &item->states[s];
        if (state->host == event->host && state->boot == event->boot && state->largest != JA_NONE)
            return state;
    }
    return NULL;
}

static const char *grew(const struct ja_case *item, uint32_t process)
{
    if (process == JA_NONE)
        return NULL;
    const struct ja_process *p = &item->processes[process];
    for (uint32_t s = p->first_series; s < p->first_series + p->series_count; s++)
        if (item->series[s].growth->verdict == JA_GROWING && !item->series[s].category)
            return "yes";
    return "not shown";
}

static void add_kill(struct ja_tables *t, const struct ja_case *item, uint32_t index,
                     const struct ja_state *state)
{
    const struct ja_event *e = &item->events[index];
    int64_t largest = state && state->row_count ? state->row_bytes[0] : JA_UNKNOWN;
    bool victim_larger = e->bytes != JA_UNKNOWN && largest != JA_UNKNOWN && e->bytes >= largest;
    struct ja_row row = ja_row_add(t, JA_TABLE_KILLS);
    ja_row_when(&row, e->at);
    ja_row_text(&row, item->hosts[e->host].label);
    ja_row_whole(&row, e->order ? e->order : JA_UNKNOWN);
    ja_row_text(&row, e->name);
    ja_row_whole(&row, e->pid);
    ja_row_text(&row, e->reason);
    ja_row_bytes(&row, e->bytes, 0);
    ja_row_bytes(&row, e->limit_bytes, 0);
    ja_row_text(&row, !state          ? NULL
                      : victim_larger ? e->name
                                      : ja_process_name(item, state->largest));
    ja_row_bytes(&row, victim_larger ? e->bytes : largest, 0);
    ja_row_text(&row, !state ? NULL : victim_larger ? "yes" : "no");
    ja_row_text(&row, grew(item, e->process));
    ja_row_event(t, item, &row, index);
}

void ja_add_kills(struct ja_tables *t, const struct ja_case *item)
{
    const struct by_source by = states_by_source(t, item);
    struct ja_table *table = &t->tables[JA_TABLE_KILLS];
    for (uint32_t i = 0; i < item->event_count; i++) {
        const struct ja_event *e = &item->events[i];
        if (e->kind != JA_EVENT_JETSAM_KILL && e->kind != JA_EVENT_OOM_KILL)
            continue;
        if (table->row_count < MOST_KILL_ROWS)
            add_kill(t, item, i, state_of(item, &by, e));
        else
            table->left_out++;
    }
}
