/* SPDX-License-Identifier: MIT
 *
 * What everything stands on: readings, places in the evidence, files.
 */
#include "reports/tables_parts.h"
#include "model/rows.h"

#define MANY_READING_ROWS 5000 /* shown when there are more than can be shown */
#define MOST_READING_ROWS 20000
#define MOST_EVIDENCE_ROWS 50000

static void mark(const struct ja_case *item, bool *marks, uint32_t process, int metric)
{
    const struct ja_process *p = &item->processes[process];
    for (uint32_t i = p->first_series; p->shown && i < p->first_series + p->series_count; i++)
        if (metric < 0 || (int)item->series[i].metric == metric)
            marks[i] = true;
}

bool *ja_series_marks(const struct ja_case *item, struct ja_arena *arena)
{
    bool *marks = ja_arena_alloc(arena, item->series_count, sizeof *marks);
    for (size_t f = 0; f < item->finding_count; f++)
        if (item->findings[f].process != JA_NONE)
            mark(item, marks, item->findings[f].process, item->findings[f].metric);
    for (size_t s = 0; s < item->state_count; s++) {
        const struct ja_state *state = &item->states[s];
        for (size_t r = 0; r < state->row_count && r < JA_LARGEST_ROWS; r++)
            mark(item, marks, state->rows[r], (int)state->books.metric);
    }
    return marks;
}

static void add_reading(struct ja_tables *t, const struct ja_case *item, const struct ja_series *s,
                        size_t i)
{
    struct ja_point point = ja_point_at(s, i);
    const struct ja_process *p = &item->processes[s->process];
    const struct ja_evidence *evidence = item->sources[point.source].evidence;
    uint32_t place = ja_reading_at(evidence, point.reading).place;
    struct ja_row row = ja_row_add(t, JA_TABLE_READINGS);
    ja_row_text(&row, item->hosts[p->host].label);
    ja_row_text(&row, ja_process_name(item, s->process));
    ja_row_whole(&row, p->pid);
    ja_row_when(&row, point.at);
    ja_row_text(&row, ja_metrics[s->metric].word);
    ja_row_text(&row, s->category);
    ja_row_bytes(&row, point.value, point.resolution);
    ja_row_bytes(&row, point.resolution, 0);
    ja_row_bytes(&row, point.low, point.resolution);
    ja_row_bytes(&row, point.high, point.resolution);
    ja_row_text(&row, evidence->path);
    ja_row_text(&row, place == JA_NONE ? NULL : ja_place_text(evidence, place, t->arena));
}

static size_t count_readings(const struct ja_case *item)
{
    size_t all = 0;
    for (size_t i = 0; i < item->series_count; i++)
        if (item->processes[item->series[i].process].shown)
            all += item->series[i].point_count;
    return all;
}

/* Which series are shown, in which order: all of few readings, those that matter of more, and of
 * very many the growing ones before the others. */
static uint32_t *order_readings(struct ja_tables *t, const struct ja_case *item, size_t all,
                                size_t *ret_count)
{
    uint32_t *order = ja_arena_alloc(t->arena, item->series_count, sizeof *order);
    bool *marks = ja_series_marks(item, t->arena);
    size_t count = 0;
    for (size_t i = 0; all > MOST_READING_ROWS && i < t->growth_count; i++) {
        uint32_t series = t->growth_order[i];
        if (marks[series])
            order[count++] = series;
        marks[series] = false;
    }
    for (uint32_t i = 0; i < item->series_count; i++)
        if (item->processes[item->series[i].process].shown &&
            (marks[i] || all <= MOST_READING_ROWS / 10))
            order[count++] = i;
    *ret_count = count;
    return order;
}

void ja_add_readings(struct ja_tables *t, const struct ja_case *item)
{
    size_t all = count_readings(item), count, shown = 0;
    const uint32_t *order = order_readings(t, item, all, &count);
    size_t most = all > MOST_READING_ROWS ? MANY_READING_ROWS : MOST_READING_ROWS;
    for (size_t i = 0; i < count && shown < most; i++) {
        const struct ja_series *s = &item->series[order[i]];
        for (size_t p = 0; p < s->point_count && shown < most; p++, shown++)
            add_reading(t, item, s, p);
    }
    t->tables[JA_TABLE_READINGS].left_out = all - shown;
}

/* Per cite the findings shown that stand on it, "F01, F04"; hidden: those that are not shown. */
static const char **users_of_cites(struct ja_tables *t, const struct ja_case *item, bool *hidden)
{
    const char **users = ja_arena_alloc(t->arena, item->cite_count, sizeof *users);
    const bool *shown = ja_findings_shown(item, t->arena);
    for (size_t f = 0; f < item->finding_count; f++)
        for (size_t c = 0; c < item->findings[f].cite_count; c++) {
            uint32_t cite = item->findings[f].cites[c];
            const char *before = users[cite];
            hidden[cite] = !shown[f] && !before;
            if (shown[f])
                users[cite] = ja_arena_print(t->arena, "%s%sF%02zu", before ? before : "",
                                             before ? ", " : "", f + 1);
        }
    for (uint32_t e = 0; e < item->event_count; e++) {
        uint32_t cite = ja_cite_event((struct ja_case *)item, e);
        if (cite != JA_NONE)
            hidden[cite] = false;
    }
    return users;
}

void ja_add_evidence(struct ja_tables *t, const struct ja_case *item)
{
    bool *hidden = ja_arena_alloc(t->arena, item->cite_count, sizeof *hidden);
    const char **users = users_of_cites(t, item, hidden);
    struct ja_table *table = &t->tables[JA_TABLE_EVIDENCE];
    for (size_t i = 0; i < item->cite_count; i++) {
        uint32_t *index = &item->cite_order[i];
        const struct ja_cite *cite = &item->cites[*index];
        const struct ja_evidence *evidence = item->sources[cite->source].evidence;
        if (hidden[*index] || table->row_count == MOST_EVIDENCE_ROWS) {
            table->left_out++;
            continue;
        }
        struct ja_row row = ja_row_add(t, JA_TABLE_EVIDENCE);
        ja_row_refs(&row, index, 1);
        ja_row_text(&row, evidence->path);
        ja_row_text(&row,
                    cite->place == JA_NONE ? NULL : ja_place_text(evidence, cite->place, t->arena));
        ja_row_text(&row, cite->raw);
        ja_row_text(&row, ja_unit_word(cite->unit));
        ja_row_bytes(&row, cite->resolution_bytes, 0);
        ja_row_text(&row, users[*index]);
    }
}

void ja_add_files(struct ja_tables *t, const struct ja_case *item)
{
    for (size_t i = 0; i < item->source_count; i++) {
        const struct ja_source *s = &item->sources[i];
        const struct ja_evidence *e = s->evidence;
        bool copy = s->duplicate_of != JA_NONE;
        struct ja_row row = ja_row_add(t, JA_TABLE_FILES);
        ja_row_text(&row, e->path);
        ja_row_text(&row, ja_kind_word(e->kind));
        ja_row_text(&row, ja_status_word(e->status));
        ja_row_text(&row, e->why);
        ja_row_whole(&row, copy ? 0 : (int64_t)e->readings_taken);
        ja_row_whole(&row, copy ? 0 : (int64_t)e->event_count);
        ja_row_when(&row, &s->captured);
        ja_row_when(&row, &s->written);
        ja_row_text(&row, e->os);
        ja_row_bytes(&row, s->size_bytes, 0);
        ja_row_whole(&row, (int64_t)e->diagnostic_count);
        ja_row_text(&row, s->sha256);
    }
}
