/* SPDX-License-Identifier: MIT
 *
 * Which subjects a record has, which readings a subject, which entries stand at a stamp: listed
 * when a file is parsed, while its rows are still in the processor's cache.
 */
#include "model/rows.h"

/* A table is all that most files hold: its rows are in order, each with one reading. */
static bool in_order(const struct ja_evidence *evidence)
{
    for (size_t s = 1; s < evidence->subject_count; s++)
        if (evidence->subjects[s].record < evidence->subjects[s - 1].record)
            return false;
    return true;
}

static bool one_reading_each(const struct ja_evidence *evidence)
{
    if (evidence->reading_count != evidence->subject_count)
        return false;
    for (size_t r = 0; r < evidence->reading_count; r++)
        if (evidence->readings[r].subject != r)
            return false;
    return true;
}

static void list_subjects(struct ja_evidence *evidence)
{
    for (size_t s = 0; s < evidence->subject_count; s++)
        evidence->records[evidence->subjects[s].record].subject_count++;
    uint32_t first = 0;
    for (size_t r = 0; r < evidence->record_count; r++) {
        evidence->records[r].first_subject = first;
        first += evidence->records[r].subject_count;
    }
    if (in_order(evidence))
        return;
    uint32_t *next = ja_arena_room(evidence->growing, evidence->record_count, sizeof *next);
    for (size_t r = 0; r < evidence->record_count; r++)
        next[r] = evidence->records[r].first_subject;
    evidence->by_record =
        ja_arena_room(evidence->arena, evidence->subject_count, sizeof *evidence->by_record);
    for (uint32_t s = 0; s < evidence->subject_count; s++)
        evidence->by_record[next[evidence->subjects[s].record]++] = s;
}

static void chain_readings(struct ja_evidence *evidence)
{
    if (one_reading_each(evidence))
        return;
    evidence->first_reading =
        ja_arena_room(evidence->arena, evidence->subject_count, sizeof *evidence->first_reading);
    evidence->next_reading =
        ja_arena_room(evidence->arena, evidence->reading_count, sizeof *evidence->next_reading);
    for (size_t s = 0; s < evidence->subject_count; s++)
        evidence->first_reading[s] = JA_NONE;
    for (size_t r = evidence->reading_count; r-- > 0;) {
        uint32_t subject = evidence->readings[r].subject;
        evidence->next_reading[r] = evidence->first_reading[subject];
        evidence->first_reading[subject] = (uint32_t)r;
    }
}

static void use(struct ja_evidence *evidence, uint32_t stamp, unsigned how)
{
    if (stamp < evidence->stamp_count)
        evidence->stamp_uses[stamp] |= (unsigned char)how;
}

static void mark_stamps(struct ja_evidence *e)
{
    e->stamp_uses = ja_arena_alloc(e->arena, e->stamp_count, sizeof *e->stamp_uses);
    for (uint32_t i = 0; i < e->stamp_count; i++)
        if (e->stamps[i].clock == JA_CLOCK_FILE_NAME)
            use(e, i, JA_STAMP_NAMED);
    use(e, e->captured, JA_STAMP_USED);
    use(e, e->written, JA_STAMP_USED);
    for (size_t i = 0; i < e->record_count; i++)
        use(e, e->records[i].stamp == JA_NONE ? e->name_stamp : e->records[i].stamp, JA_STAMP_USED);
    for (size_t i = 0; i < e->reading_count; i++)
        use(e, e->readings[i].stamp, JA_STAMP_USED);
    for (size_t i = 0; i < e->count_count; i++)
        use(e, e->counts[i].stamp, JA_STAMP_USED);
    for (size_t i = 0; i < e->event_count; i++)
        use(e, e->events[i].stamp, JA_STAMP_USED);
    for (size_t i = 0; i < e->subject_count; i++)
        use(e, e->subjects[i].more->start_stamp, JA_STAMP_USED | JA_STAMP_START);
    for (size_t i = 0; i < e->system_count; i++)
        use(e, e->systems[i].boot_stamp, JA_STAMP_USED | JA_STAMP_START);
}

void ja_rows_list(struct ja_evidence *evidence)
{
    list_subjects(evidence);
    chain_readings(evidence);
    mark_stamps(evidence);
}
