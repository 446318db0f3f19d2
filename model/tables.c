/* SPDX-License-Identifier: MIT */
#include "model/tables.h"

#include <stdlib.h>
#include <string.h>

#include "model/rule.h"

const struct ja_fact *ja_state_fact(const struct ja_case *item, const struct ja_state *state,
                                    enum ja_fact_key key)
{
    return ja_record_fact(item->sources[state->source].evidence, state->record, key);
}

int64_t ja_state_memory(const struct ja_state *state, bool *ret_managed)
{
    int64_t ram = state->figures[JA_FIGURE_RAM];
    *ret_managed = ram == JA_UNKNOWN;
    return ram != JA_UNKNOWN ? ram : state->figures[JA_FIGURE_MANAGED];
}

bool ja_state_uncut(const struct ja_case *item, const struct ja_state *state)
{
    return state->books.known && !ja_state_fact(item, state, JA_FACT_TABLE_CUT) &&
           !ja_state_fact(item, state, JA_FACT_TABLE_FILTERED) &&
           !ja_state_fact(item, state, JA_FACT_TABLE_ABSENT);
}

int64_t ja_state_killed_bytes(const struct ja_case *item, const struct ja_state *state)
{
    const struct ja_evidence *evidence = item->sources[state->source].evidence;
    int64_t sum = 0;
    for (size_t i = 0; i < evidence->event_count; i++) {
        const struct ja_event_seen *event = &evidence->events[i];
        if (event->record == state->record && event->kind == JA_EVENT_JETSAM_KILL &&
            event->bytes != JA_UNKNOWN)
            sum = ja_add(sum, event->bytes);
    }
    return sum;
}

struct keyed {
    uint32_t host, source, event;
};

static int by_source(const void *left, const void *right)
{
    const struct keyed *a = left, *b = right;
    if (a->host != b->host)
        return a->host < b->host ? -1 : 1;
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    return (a->event > b->event) - (a->event < b->event);
}

uint32_t *ja_kill_events(struct ja_case *item, size_t *ret_count)
{
    struct keyed *keyed = ja_arena_alloc(item->arena, item->event_count, sizeof *keyed);
    size_t count = 0;
    for (uint32_t i = 0; i < item->event_count; i++) {
        const struct ja_event *event = &item->events[i];
        if (event->kind == JA_EVENT_JETSAM_KILL || event->kind == JA_EVENT_OOM_KILL)
            keyed[count++] = (struct keyed){event->host, event->source, i};
    }
    if (count > 1)
        qsort(keyed, count, sizeof *keyed, by_source);
    uint32_t *kills = ja_arena_alloc(item->arena, count, sizeof *kills);
    for (size_t i = 0; i < count; i++)
        kills[i] = keyed[i].event;
    *ret_count = count;
    return kills;
}

static int compare_kill(const struct ja_event *event, uint32_t host, uint32_t source)
{
    if (event->host != host)
        return event->host < host ? -1 : 1;
    return (event->source > source) - (event->source < source);
}

size_t ja_kills_of(const struct ja_case *item, const uint32_t *kills, size_t count, uint32_t host,
                   uint32_t source, size_t *ret_length)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_kill(&item->events[kills[middle]], host, source) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    size_t end = low;
    while (end < count && compare_kill(&item->events[kills[end]], host, source) == 0)
        end++;
    *ret_length = end - low;
    return end > low ? low : count;
}

void ja_cite_rows(struct ja_case *item, struct ja_finding *finding, const struct ja_state *state,
                  size_t count)
{
    for (size_t i = 0; i < state->row_count && i < count; i++) {
        const struct ja_series *series =
            ja_process_series(item, state->rows[i], state->books.metric);
        for (size_t p = 0; series && p < series->point_count; p++) {
            struct ja_point point = ja_point_at(series, p);
            if (point.source != state->source || point.value != state->row_bytes[i])
                continue;
            ja_cite_point(item, finding, point);
            break;
        }
    }
}
