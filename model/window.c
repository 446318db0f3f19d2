/* SPDX-License-Identifier: MIT
 *
 * --since and --until: everything is made first (hosts, boots, who is who), then what lies outside
 * of the window is taken out, so that it is neither shown nor judged. What has no time stays:
 * nothing says that it is outside.
 */
#include "model/window.h"

#include "model/build.h"
#include "model/points.h"
#include "model/rows.h"

bool ja_in_window(const struct ja_case *item, const struct ja_instant *at)
{
    int64_t since = item->statements->since_ns, until = item->statements->until_ns;
    bool known = ja_instant_known(at);
    int64_t latest = known ? at->unix_ns : at->late_ns;
    int64_t earliest = known ? at->unix_ns : at->early_ns;
    return !(since != JA_UNKNOWN && latest != JA_UNKNOWN && latest < since) &&
           !(until != JA_UNKNOWN && earliest != JA_UNKNOWN && earliest > until);
}

const struct ja_instant *ja_moment_of(const struct ja_source *source, uint32_t record,
                                      uint32_t stamp)
{
    if (stamp == JA_NONE || stamp == source->evidence->records[record].stamp)
        return &source->record_at[record];
    return &source->instants[stamp];
}

static bool is_open(const struct ja_case *item)
{
    return item->statements->since_ns == JA_UNKNOWN && item->statements->until_ns == JA_UNKNOWN;
}

bool *ja_records_in_window(const struct ja_case *item, const struct ja_source *source,
                           struct ja_arena *arena)
{
    const struct ja_evidence *e = source->evidence;
    bool *in = ja_arena_alloc(arena, e->record_count, sizeof *in), open = is_open(item);
    for (size_t i = 0; i < e->record_count; i++)
        in[i] = open || ja_in_window(item, &source->record_at[i]);
    if (open)
        return in;
    for (uint32_t i = 0; i < e->reading_count; i++) {
        uint32_t record = ja_reading_record(e, i);
        in[record] |= ja_in_window(item, ja_moment_of(source, record, ja_reading_stamp(e, i)));
    }
    for (uint32_t i = 0; i < e->count_count; i++) {
        struct ja_count count = ja_count_at(e, i);
        uint32_t record = ja_subject_record(e, count.subject);
        in[record] |= ja_in_window(item, ja_moment_of(source, record, count.stamp));
    }
    for (size_t i = 0; i < e->event_count; i++) {
        uint32_t record = e->events[i].record;
        in[record] |= ja_in_window(item, ja_moment_of(source, record, e->events[i].stamp));
    }
    return in;
}

static size_t cut_points(const struct ja_case *item, struct ja_series *series)
{
    size_t kept = 0;
    for (size_t i = 0; i < series->point_count; i++)
        if (!ja_point_at(series, i).at || ja_in_window(item, ja_point_at(series, i).at))
            ja_series_move_point(series, kept++, i);
    series->point_count = (uint32_t)kept;
    return kept;
}

/* Series without a reading left are gone; those of one process stay neighbours. */
static void cut_series(struct ja_case *item)
{
    uint32_t count = 0;
    for (size_t p = 0; p < item->process_count; p++) {
        struct ja_process *process = &item->processes[p];
        uint32_t first = count;
        for (uint32_t i = 0; i < process->series_count; i++) {
            struct ja_series *one = &item->series[process->first_series + i];
            if (cut_points(item, one))
                item->series[count++] = *one;
        }
        process->first_series = first;
        process->series_count = count - first;
    }
    item->series_count = count;
}

static void cut_twins(struct ja_case *item)
{
    size_t kept = 0;
    for (size_t i = 0; i < item->twin_count; i++)
        if (!item->twins[i].kept.at || ja_in_window(item, item->twins[i].kept.at))
            item->twins[kept++] = item->twins[i];
    item->twin_count = kept;
}

static void cut_states(struct ja_build *build)
{
    struct ja_case *item = build->item;
    uint32_t *moved = ja_arena_alloc(build->scratch, item->state_count, sizeof *moved);
    uint32_t kept = 0, groups = 0;
    for (size_t i = 0; i < item->state_count; i++) {
        bool in = ja_in_window(item, &item->states[i].at);
        moved[i] = in ? kept : JA_NONE;
        if (in)
            item->states[kept++] = item->states[i];
    }
    item->state_count = kept;
    ja_number_states(item);
    for (size_t i = 0; i < item->group_count; i++) {
        struct ja_group group = item->groups[i];
        group.state = moved[group.state];
        if (group.state != JA_NONE)
            item->groups[groups++] = group;
    }
    item->group_count = groups;
}

void ja_build_window(struct ja_build *build)
{
    struct ja_case *item = build->item;
    if (is_open(item))
        return;
    cut_series(item);
    cut_twins(item);
    cut_states(build);
    for (size_t p = 0; p < item->process_count; p++) {
        struct ja_process *process = &item->processes[p];
        int64_t first = ja_instant_key(process->first_seen);
        int64_t last = ja_instant_key(process->last_seen);
        int64_t since = item->statements->since_ns, until = item->statements->until_ns;
        process->shown &= !(since != JA_UNKNOWN && last != JA_UNKNOWN && last < since) &&
                          !(until != JA_UNKNOWN && first != JA_UNKNOWN && first > until);
    }
}

void ja_build_window_events(struct ja_build *build)
{
    struct ja_case *item = build->item;
    if (is_open(item))
        return;
    uint32_t *moved = ja_arena_alloc(build->scratch, item->event_count, sizeof *moved), kept = 0;
    for (size_t i = 0; i < item->event_count; i++) {
        bool in = ja_in_window(item, item->events[i].at);
        moved[i] = in ? kept : JA_NONE;
        if (in)
            item->events[kept++] = item->events[i];
    }
    item->event_count = kept;
    for (size_t b = 0; b < item->boot_count; b++)
        if (item->boots[b].ended_event != JA_NONE)
            item->boots[b].ended_event = moved[item->boots[b].ended_event];
}
