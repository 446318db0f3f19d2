/* SPDX-License-Identifier: MIT */
#include "reports/tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/bridge.h"
#include "model/gaps.h"
#include "reports/text.h"

#define MOST_FINDING_ROWS 300
#define MOST_GROWTH_ROWS 1000
#define MOST_CAP_ROWS 1000
#define MOST_GROUP_ROWS 1000
#define MANY_READING_ROWS 5000 /* shown when there are more than can be shown */
#define MOST_READING_ROWS 20000
#define MOST_TIMELINE_ROWS 20000
#define MOST_EVIDENCE_ROWS 50000
#define LARGEST_OF_STATE 10
/* Kills follow the snapshot of their report by less: they stand before the gap after it. */
#define SAME_MOMENT_NS (60 * JA_NS_PER_S)

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct ja_column findings_columns[] = {
    {"#", JA_CELL_WORD, 5},
    {"Severity", JA_CELL_WORD, 9},
    {"Grade", JA_CELL_WORD, 17},
    {"Finding", JA_CELL_SENTENCE, 70},
    {"Why", JA_CELL_SENTENCE, 45},
    {"What would change it", JA_CELL_SENTENCE, 35},
    {"Next step", JA_CELL_SENTENCE, 35},
    {"Rule", JA_CELL_WORD, 20},
    {"Evidence", JA_CELL_REFS, 14},
};

static const struct ja_column fleet_columns[] = {
    {"Host", JA_CELL_EVIDENCE, 24},          {"Worst", JA_CELL_WORD, 10},
    {"Worst finding", JA_CELL_SENTENCE, 60}, {"Top grower", JA_CELL_SENTENCE, 28},
    {"Slope at least", JA_CELL_RATE, 14},    {"Books / RAM", JA_CELL_NUMBER, 12},
    {"Last seen (UTC)", JA_CELL_TIME, 20},
};

static const struct ja_column growth_columns[] = {
    {"Host", JA_CELL_EVIDENCE, 16},
    {"Process", JA_CELL_EVIDENCE, 22},
    {"Pid", JA_CELL_WHOLE, 8},
    {"Metric", JA_CELL_WORD, 16},
    {"Category", JA_CELL_EVIDENCE, 16},
    {"Verdict", JA_CELL_WORD, 13},
    {"Why", JA_CELL_WORD, 18},
    {"Shape", JA_CELL_WORD, 11},
    {"Readings", JA_CELL_WHOLE, 9},
    {"First seen (UTC)", JA_CELL_TIME, 20},
    {"Last seen (UTC)", JA_CELL_TIME, 20},
    {"First", JA_CELL_BYTES, 15},
    {"Last", JA_CELL_BYTES, 15},
    {"Gain at least", JA_CELL_BYTES, 15},
    {"Gain at most", JA_CELL_BYTES, 15},
    {"Slope low", JA_CELL_RATE, 13},
    {"Slope high", JA_CELL_RATE, 13},
    {"Window", JA_CELL_SPAN, 11},
    {"Step", JA_CELL_BYTES, 12},
    {"Detectable", JA_CELL_RATE, 13},
    {"Minimum window", JA_CELL_SPAN, 13},
    {"Slope that matters", JA_CELL_RATE, 13},
    {"Nearest cap", JA_CELL_EVIDENCE, 20},
    {"Cap size", JA_CELL_BYTES, 13},
    {"Room to the cap", JA_CELL_BYTES, 13},
    {"Share of RAM", JA_CELL_NUMBER, 9},
};

static const struct ja_column books_columns[] = {
    {"Host", JA_CELL_EVIDENCE, 16},      {"Time (UTC)", JA_CELL_TIME, 20},
    {"Of", JA_CELL_EVIDENCE, 12},        {"Books (sum of processes)", JA_CELL_BYTES, 16},
    {"Metric", JA_CELL_WORD, 15},        {"Processes", JA_CELL_WHOLE, 10},
    {"Complete", JA_CELL_WORD, 9},       {"Physical use", JA_CELL_BYTES, 15},
    {"RAM", JA_CELL_BYTES, 14},          {"Managed", JA_CELL_BYTES, 14},
    {"Anonymous", JA_CELL_BYTES, 14},    {"Wired", JA_CELL_BYTES, 14},
    {"Compressor", JA_CELL_BYTES, 14},   {"Held compressed (original)", JA_CELL_BYTES, 15},
    {"File-backed", JA_CELL_BYTES, 14},  {"Free", JA_CELL_BYTES, 14},
    {"Swap used", JA_CELL_BYTES, 14},    {"Swap total", JA_CELL_BYTES, 14},
    {"Books / RAM", JA_CELL_NUMBER, 11}, {"In words", JA_CELL_WORD, 60},
};

static const struct ja_column timeline_columns[] = {
    {"Time (UTC)", JA_CELL_TIME, 20}, {"Host", JA_CELL_EVIDENCE, 16},
    {"Event", JA_CELL_WORD, 14},      {"Process", JA_CELL_EVIDENCE, 22},
    {"Pid", JA_CELL_WHOLE, 8},        {"Reason", JA_CELL_EVIDENCE, 31},
    {"Size", JA_CELL_BYTES, 14},      {"Detail", JA_CELL_EVIDENCE, 50},
    {"Evidence", JA_CELL_REFS, 12},
};

static const struct ja_column kills_columns[] = {
    {"Time (UTC)", JA_CELL_TIME, 20},
    {"Host", JA_CELL_EVIDENCE, 16},
    {"Order", JA_CELL_WHOLE, 7},
    {"Victim", JA_CELL_EVIDENCE, 24},
    {"Pid", JA_CELL_WHOLE, 8},
    {"Reason", JA_CELL_EVIDENCE, 31},
    {"Size at the kill", JA_CELL_BYTES, 15},
    {"Limit", JA_CELL_BYTES, 14},
    {"Largest then", JA_CELL_EVIDENCE, 24},
    {"Its size", JA_CELL_BYTES, 14},
    {"Victim was the largest", JA_CELL_WORD, 12},
    {"Victim grew", JA_CELL_WORD, 12},
    {"Evidence", JA_CELL_REFS, 12},
};

static const struct ja_column groups_columns[] = {
    {"Time (UTC)", JA_CELL_TIME, 20}, {"Host", JA_CELL_EVIDENCE, 16},
    {"By", JA_CELL_WORD, 10},         {"Name", JA_CELL_EVIDENCE, 28},
    {"Coalition", JA_CELL_WHOLE, 10}, {"Processes", JA_CELL_WHOLE, 10},
    {"Sum", JA_CELL_BYTES, 15},       {"Mean", JA_CELL_BYTES, 15},
};

static const struct ja_column caps_columns[] = {
    {"Host", JA_CELL_EVIDENCE, 16},
    {"Process", JA_CELL_EVIDENCE, 22},
    {"Pid", JA_CELL_WHOLE, 8},
    {"Metric", JA_CELL_WORD, 15},
    {"Cap", JA_CELL_EVIDENCE, 26},
    {"From", JA_CELL_WORD, 10},
    {"Cap size", JA_CELL_BYTES, 15},
    {"Level", JA_CELL_BYTES, 15},
    {"Distance", JA_CELL_BYTES, 15},
    {"Reached", JA_CELL_WORD, 9},
    {"Source", JA_CELL_EVIDENCE, 50},
    {"Processes it applies to", JA_CELL_WHOLE, 11},
    {"Bill (cap x processes)", JA_CELL_BYTES, 15},
    {"RAM", JA_CELL_BYTES, 14},
};

static const struct ja_column readings_columns[] = {
    {"Host", JA_CELL_EVIDENCE, 16},  {"Process", JA_CELL_EVIDENCE, 22},
    {"Pid", JA_CELL_WHOLE, 8},       {"Time (UTC)", JA_CELL_TIME, 20},
    {"Metric", JA_CELL_WORD, 16},    {"Category", JA_CELL_EVIDENCE, 16},
    {"Value", JA_CELL_BYTES, 16},    {"Step", JA_CELL_BYTES, 12},
    {"At least", JA_CELL_BYTES, 16}, {"At most", JA_CELL_BYTES, 16},
    {"File", JA_CELL_EVIDENCE, 36},  {"Place", JA_CELL_EVIDENCE, 28},
};

static const struct ja_column evidence_columns[] = {
    {"Ref", JA_CELL_REFS, 9},        {"File", JA_CELL_EVIDENCE, 40},
    {"Place", JA_CELL_EVIDENCE, 32}, {"As found", JA_CELL_EVIDENCE, 40},
    {"Unit", JA_CELL_WORD, 9},       {"Step", JA_CELL_BYTES, 12},
    {"Used by", JA_CELL_WORD, 18},
};

static const struct ja_column files_columns[] = {
    {"File", JA_CELL_EVIDENCE, 44},       {"Kind", JA_CELL_WORD, 16},
    {"Status", JA_CELL_WORD, 18},         {"Why", JA_CELL_EVIDENCE, 40},
    {"Readings", JA_CELL_WHOLE, 9},       {"Events", JA_CELL_WHOLE, 8},
    {"Captured (UTC)", JA_CELL_TIME, 20}, {"Written (UTC)", JA_CELL_TIME, 20},
    {"OS", JA_CELL_EVIDENCE, 26},         {"Size", JA_CELL_BYTES, 12},
    {"Problems", JA_CELL_WHOLE, 9},       {"SHA-256", JA_CELL_WORD, 66},
};

static const struct {
    const char *name, *title;
    const struct ja_column *columns;
    size_t count;
} kinds[JA_TABLE_COUNT] = {
#define KIND(id, name, title) [id] = {#name, title, name##_columns, COUNT(name##_columns)}
    KIND(JA_TABLE_FINDINGS, findings, "Read first"),
    KIND(JA_TABLE_FLEET, fleet, "Fleet"),
    KIND(JA_TABLE_GROWTH, growth, "Growth"),
    KIND(JA_TABLE_BOOKS, books, "Books vs physical"),
    KIND(JA_TABLE_TIMELINE, timeline, "Timeline"),
    KIND(JA_TABLE_KILLS, kills, "Kills"),
    KIND(JA_TABLE_GROUPS, groups, "Groups"),
    KIND(JA_TABLE_CAPS, caps, "Caps"),
    KIND(JA_TABLE_READINGS, readings, "Readings"),
    KIND(JA_TABLE_EVIDENCE, evidence, "Evidence"),
    KIND(JA_TABLE_FILES, files, "Files"),
#undef KIND
};

/* ---- what to read first ---------------------------------------------------------------------- */

#define MOST_OF_A_RULE 3

static bool is_chosen(const struct ja_case *item, const size_t *chosen, size_t count, size_t index)
{
    const struct ja_finding *f = &item->findings[index];
    bool weighty = f->severity != JA_REMARK;
    size_t same_rule = 0;
    for (size_t i = 0; i < count; i++) {
        const struct ja_finding *g = &item->findings[chosen[i]];
        if (strcmp(f->rule, g->rule) != 0)
            continue;
        if (f->process == g->process && f->host == g->host)
            return true;
        same_rule++;
    }
    return same_rule >= (weighty ? MOST_OF_A_RULE : 1);
}

size_t ja_findings_choose(const struct ja_case *item, size_t *chosen, size_t most)
{
    size_t count = 0;
    for (int notes = 0; notes < 2; notes++)
        for (size_t i = 0; i < item->finding_count && count < most; i++)
            if ((item->findings[i].severity == JA_REMARK) == (notes == 1) &&
                !is_chosen(item, chosen, count, i))
                chosen[count++] = i;
    return count;
}

const char *ja_placed(const struct ja_case *item, struct ja_arena *arena, uint32_t host,
                      const char *text)
{
    if (!text || host == JA_NONE || item->host_count < 2)
        return text;
    return ja_arena_print(arena, "%s: %s", ja_name_text(item, item->hosts[host].label), text);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Fills a row cell by cell, in column order. */
struct row {
    struct ja_table *table;
    struct ja_cell *cells;
    size_t next;
};

static struct row add_row(struct ja_tables *t, enum ja_table_id id)
{
    struct ja_table *table = &t->tables[id];
    if (table->row_count == table->capacity) {
        size_t larger = table->capacity ? table->capacity * 2 : 32;
        struct ja_cell *cells =
            ja_arena_alloc(t->arena, larger * table->column_count, sizeof *cells);
        if (table->row_count)
            memcpy(cells, table->cells, table->row_count * table->column_count * sizeof *cells);
        table->cells = cells;
        table->capacity = larger;
    }
    return (struct row){table, table->cells + table->row_count++ * table->column_count, 0};
}

static struct ja_cell *next_cell(struct row *row)
{
    struct ja_cell *cell = &row->cells[row->next++];
    *cell = (struct ja_cell){.whole = JA_UNKNOWN, .number = NAN};
    return cell;
}

static void text(struct row *row, const char *words)
{
    next_cell(row)->text = words;
}

static void whole(struct row *row, int64_t value)
{
    next_cell(row)->whole = value;
}

static void bytes(struct row *row, int64_t value, int64_t step)
{
    struct ja_cell *cell = next_cell(row);
    cell->whole = value;
    cell->step = step;
}

static void number(struct row *row, double value)
{
    next_cell(row)->number = value;
}

static void when(struct row *row, const struct ja_instant *at)
{
    next_cell(row)->at = at && ja_instant_key(at) != JA_UNKNOWN ? at : NULL;
}

static void refs(struct row *row, const uint32_t *cites, size_t count)
{
    struct ja_cell *cell = next_cell(row);
    cell->refs = cites;
    cell->ref_count = count;
}

static void ref_of_event(struct ja_tables *t, const struct ja_case *item, struct row *row,
                         uint32_t event)
{
    /* The cite exists: it was made when the rules had run. */
    uint32_t *cite = ja_arena_alloc(t->arena, 1, sizeof *cite);
    *cite = ja_cite_event((struct ja_case *)item, event);
    refs(row, cite, *cite == JA_NONE ? 0 : 1);
}

static double ratio(int64_t part, int64_t of)
{
    return part == JA_UNKNOWN || of == JA_UNKNOWN || of <= 0 ? NAN : (double)part / (double)of;
}

/* ---- findings, fleet ------------------------------------------------------------------------- */

static void add_findings(struct ja_tables *t, const struct ja_case *item)
{
    for (size_t i = 0; i < item->finding_count; i++) {
        const struct ja_finding *f = &item->findings[i];
        struct row row = add_row(t, JA_TABLE_FINDINGS);
        text(&row, ja_arena_print(t->arena, "F%02zu", i + 1));
        text(&row, ja_severity_word(f->severity));
        text(&row, ja_grade_word(f->grade));
        text(&row, f->statement);
        text(&row, f->why);
        text(&row, f->would_change);
        text(&row, f->next_step);
        text(&row, f->rule);
        refs(&row, f->cites, f->cite_count);
    }
}

/* What the fleet's table says of a host. */
struct fleet_line {
    uint32_t host;
    const struct ja_finding *worst, *grower; /* NULL: none */
    double books_ratio;                      /* the most of its states; NaN: not known */
};

/* What it surely goes on to gain; NaN: not said. */
static double grower_slope(const struct ja_finding *grower)
{
    for (size_t i = 0; grower && i < grower->number_count; i++)
        if (strcmp(grower->numbers[i].name, "low_bytes_per_hour") == 0)
            return grower->numbers[i].value;
    return NAN;
}

static double books_ratio(const struct ja_state *state)
{
    if (!state->books.known || state->of)
        return NAN;
    double r = ratio(state->books.sum_bytes, state->figures[JA_FIGURE_RAM]);
    return isnan(r) ? ratio(state->books.sum_bytes, state->figures[JA_FIGURE_MANAGED]) : r;
}

/* Findings are sorted by weight: the host of the first one comes first, quiet ones last. */
static int by_worst(const void *a, const void *b)
{
    const struct fleet_line *x = a, *y = b;
    if (!x->worst || !y->worst)
        return x->worst ? -1 : y->worst ? 1 : (x->host > y->host) - (x->host < y->host);
    return (x->worst > y->worst) - (x->worst < y->worst);
}

static struct fleet_line *fleet_lines(struct ja_tables *t, const struct ja_case *item)
{
    struct fleet_line *lines = ja_arena_alloc(t->arena, item->host_count, sizeof *lines);
    for (uint32_t h = 0; h < item->host_count; h++)
        lines[h] = (struct fleet_line){h, NULL, NULL, NAN};
    for (size_t i = 0; i < item->finding_count; i++) {
        const struct ja_finding *f = &item->findings[i];
        if (f->host == JA_NONE)
            continue;
        struct fleet_line *line = &lines[f->host];
        line->worst = line->worst ? line->worst : f;
        if (!line->grower && strcmp(f->rule, "growing") == 0 && grower_slope(f) > 0)
            line->grower = f;
    }
    for (size_t s = 0; s < item->state_count; s++) {
        const struct ja_state *state = &item->states[s];
        double r = books_ratio(state);
        if (state->host != JA_NONE && !(r <= lines[state->host].books_ratio))
            lines[state->host].books_ratio = isnan(r) ? lines[state->host].books_ratio : r;
    }
    qsort(lines, item->host_count, sizeof *lines, by_worst);
    return lines;
}

static void add_fleet(struct ja_tables *t, const struct ja_case *item)
{
    if (item->host_count < 2)
        return;
    const struct fleet_line *lines = fleet_lines(t, item);
    for (size_t i = 0; i < item->host_count; i++) {
        const struct ja_finding *worst = lines[i].worst, *grower = lines[i].grower;
        const struct ja_host *host = &item->hosts[lines[i].host];
        const struct ja_boot *last =
            host->boot_count ? &item->boots[host->first_boot + host->boot_count - 1] : NULL;
        struct row row = add_row(t, JA_TABLE_FLEET);
        text(&row, host->label);
        text(&row, worst ? ja_severity_word(worst->severity) : NULL);
        text(&row, worst ? worst->statement : "no finding");
        text(&row,
             grower && grower->process != JA_NONE ? ja_process_text(item, grower->process) : NULL);
        number(&row, grower_slope(grower));
        number(&row, lines[i].books_ratio);
        when(&row, last ? &last->last_seen : NULL);
    }
}

/* ---- growth ---------------------------------------------------------------------------------- */

static const struct ja_case *ordering;

static int64_t weight(const struct ja_series *series)
{
    const struct ja_growth *g = &series->growth;
    int64_t gain = g->net_low_bytes > 0 ? g->net_low_bytes : 0;
    /* Growing first, then by what was surely gained, then by level. */
    return (g->verdict == JA_GROWING ? INT64_C(1) << 60 : 0) + gain;
}

static int by_growth(const void *a, const void *b)
{
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    const struct ja_series *x = &ordering->series[i], *y = &ordering->series[k];
    int64_t u = weight(x), v = weight(y);
    if (u != v)
        return u > v ? -1 : 1;
    int64_t l = x->points[x->point_count - 1].value, m = y->points[y->point_count - 1].value;
    if (l != m)
        return l > m ? -1 : 1;
    return i < k ? -1 : i > k;
}

static const struct ja_cap *nearest_cap(const struct ja_series *s)
{
    const struct ja_cap *nearest = NULL;
    for (size_t i = 0; i < s->cap_count; i++)
        if (s->caps[i].distance_bytes != JA_UNKNOWN &&
            (!nearest || llabs(s->caps[i].distance_bytes) < llabs(nearest->distance_bytes)))
            nearest = &s->caps[i];
    return nearest;
}

static void add_growth_row(struct ja_tables *t, const struct ja_case *item,
                           const struct ja_series *s)
{
    const struct ja_process *p = &item->processes[s->process];
    const struct ja_growth *g = &s->growth;
    const struct ja_point *first = &s->points[0], *last = &s->points[s->point_count - 1];
    struct row row = add_row(t, JA_TABLE_GROWTH);
    text(&row, item->hosts[p->host].label);
    text(&row, p->name);
    whole(&row, p->pid);
    text(&row, ja_metrics[s->metric].word);
    text(&row, s->category);
    text(&row, ja_verdict_word(g->verdict));
    text(&row, g->reason == JA_REASON_NONE ? g->route : ja_reason_word(g->reason));
    text(&row, ja_shape_word(g->shape));
    whole(&row, (int64_t)g->points);
    when(&row, first->at);
    when(&row, last->at);
    bytes(&row, first->value, first->resolution);
    bytes(&row, last->value, last->resolution);
    bytes(&row, g->net_low_bytes, g->resolution_bytes);
    bytes(&row, g->net_high_bytes, g->resolution_bytes);
    number(&row, g->low_bytes_per_hour);
    number(&row, g->high_bytes_per_hour);
    number(&row, g->window_s);
    bytes(&row, g->resolution_bytes, 0);
    number(&row, g->detectable_bytes_per_hour);
    number(&row, g->minimum_window_s);
    number(&row, g->concern_bytes_per_hour);
    const struct ja_cap *cap = nearest_cap(s);
    text(&row, cap ? cap->name : NULL);
    bytes(&row, cap ? cap->cap_bytes : JA_UNKNOWN, 0);
    bytes(&row, cap ? -cap->distance_bytes : JA_UNKNOWN, last->resolution);
    number(&row, ratio(last->value, item->hosts[p->host].ram_bytes));
}

uint32_t *ja_growth_order(const struct ja_case *item, struct ja_arena *arena, size_t *ret_count)
{
    uint32_t *order = ja_arena_alloc(arena, item->series_count, sizeof *order);
    size_t count = 0;
    for (uint32_t i = 0; i < item->series_count; i++)
        if (item->series[i].point_count > 1 && item->processes[item->series[i].process].shown)
            order[count++] = i;
    ordering = item;
    if (count)
        qsort(order, count, sizeof *order, by_growth);
    *ret_count = count;
    return order;
}

static void add_growth(struct ja_tables *t, const struct ja_case *item)
{
    size_t count;
    const uint32_t *order = ja_growth_order(item, t->arena, &count);
    for (size_t i = 0; i < count && i < MOST_GROWTH_ROWS; i++)
        add_growth_row(t, item, &item->series[order[i]]);
    if (count > MOST_GROWTH_ROWS)
        t->tables[JA_TABLE_GROWTH].left_out = count - MOST_GROWTH_ROWS;
}

/* ---- books ----------------------------------------------------------------------------------- */

const char *ja_state_words(struct ja_arena *arena, const struct ja_state *state)
{
    int64_t used = state->figures[JA_FIGURE_USED], sum = state->books.sum_bytes;
    if (!state->books.known || sum == JA_UNKNOWN)
        return "no process table: books are not known";
    const char *what = state->books.complete ? "" : "at least ";
    if (used == JA_UNKNOWN)
        return ja_arena_print(arena, "books %s%s; physical use is not in the evidence", what,
                              ja_bytes(arena, sum, 0));
    if (sum > used)
        return ja_arena_print(arena,
                              "books %s%s, in use %s: %s of the books is compressed, swapped or "
                              "counted twice",
                              what, ja_bytes(arena, sum, 0), ja_bytes(arena, used, 0),
                              ja_bytes(arena, sum - used, 0));
    return ja_arena_print(arena, "books %s%s, in use %s: %s is outside of the processes shown",
                          what, ja_bytes(arena, sum, 0), ja_bytes(arena, used, 0),
                          ja_bytes(arena, used - sum, 0));
}

const struct ja_state *ja_worst_state(const struct ja_case *item)
{
    const struct ja_state *worst = NULL;
    double most = -1;
    for (size_t s = 0; s < item->state_count; s++) {
        const struct ja_state *state = &item->states[s];
        struct ja_bridge bridge;
        if (!ja_bridge_build(state, &bridge) || bridge.used_bytes <= 0)
            continue;
        double r = (double)bridge.books_bytes / (double)bridge.used_bytes;
        if (r >= most) {
            most = r;
            worst = state;
        }
    }
    return worst;
}

static void add_books(struct ja_tables *t, const struct ja_case *item)
{
    for (size_t i = 0; i < item->state_count; i++) {
        const struct ja_state *s = &item->states[i];
        const int64_t *f = s->figures;
        int64_t sum = s->books.known ? s->books.sum_bytes : JA_UNKNOWN;
        struct row row = add_row(t, JA_TABLE_BOOKS);
        text(&row, item->hosts[s->host].label);
        when(&row, &s->at);
        text(&row, s->of);
        bytes(&row, sum, 0);
        text(&row, s->books.known ? ja_metrics[s->books.metric].word : NULL);
        whole(&row, s->books.known ? (int64_t)s->books.processes : JA_UNKNOWN);
        text(&row, !s->books.known ? NULL : s->books.complete ? "yes" : "no");
        bytes(&row, f[JA_FIGURE_USED], 0);
        bytes(&row, f[JA_FIGURE_RAM], 0);
        bytes(&row, f[JA_FIGURE_MANAGED], 0);
        bytes(&row, f[JA_FIGURE_ANONYMOUS], 0);
        bytes(&row, f[JA_FIGURE_WIRED], 0);
        bytes(&row, f[JA_FIGURE_COMPRESSOR], 0);
        bytes(&row, f[JA_FIGURE_UNCOMPRESSED], 0);
        bytes(&row, f[JA_FIGURE_FILE_BACKED], 0);
        bytes(&row, f[JA_FIGURE_FREE], 0);
        bytes(&row, f[JA_FIGURE_SWAP_USED], 0);
        bytes(&row, f[JA_FIGURE_SWAP_TOTAL], 0);
        number(&row, ratio(sum, f[JA_FIGURE_RAM] != JA_UNKNOWN ? f[JA_FIGURE_RAM]
                                                               : f[JA_FIGURE_MANAGED]));
        text(&row, ja_state_words(t->arena, s));
    }
}

/* ---- timeline, kills ------------------------------------------------------------------------- */

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
    struct row row = add_row(t, JA_TABLE_TIMELINE);
    when(&row, &e->at);
    text(&row, item->hosts[e->host].label);
    text(&row, ja_event_word(e->kind));
    text(&row, e->name);
    whole(&row, e->pid);
    text(&row, e->reason);
    bytes(&row, e->bytes, 0);
    text(&row, e->detail);
    ref_of_event(t, item, &row, index);
}

/* A stretch without evidence is a row of its own. */
static void add_gap(struct ja_tables *t, const struct ja_case *item, uint32_t host,
                    const struct ja_gap *gap)
{
    if (timeline_is_full(t))
        return;
    double gap_s = (double)(gap->to.at->unix_ns - gap->from.at->unix_ns) / 1e9;
    struct row row = add_row(t, JA_TABLE_TIMELINE);
    when(&row, gap->from.at);
    text(&row, item->hosts[host].label);
    text(&row, "gap");
    text(&row, NULL);
    whole(&row, JA_UNKNOWN);
    text(&row, NULL);
    bytes(&row, JA_UNKNOWN, 0);
    text(&row, ja_arena_print(t->arena, "no evidence for %s, until %s%s", ja_span(t->arena, gap_s),
                              ja_when(t->arena, gap->to.at),
                              gap->from.boot != gap->to.boot ? " (a reboot lies in it)" : ""));
    refs(&row, NULL, 0);
}

/* Events and gaps, host by host, in time order; what has no time stands last. */
static void add_timeline(struct ja_tables *t, const struct ja_case *item)
{
    uint32_t event = 0;
    for (uint32_t host = 0; host < item->host_count; host++) {
        struct ja_gap *gaps = NULL;
        size_t count = item->hosts[host].processor ? 0 : ja_gaps_find(item, host, t->arena, &gaps);
        for (size_t g = 0; g <= count; g++) {
            for (; event < item->event_count && item->events[event].host == host; event++) {
                int64_t key = ja_instant_key(&item->events[event].at);
                if (g < count &&
                    (key == JA_UNKNOWN || key > gaps[g].from.at->unix_ns + SAME_MOMENT_NS))
                    break;
                add_event(t, item, event);
            }
            if (g < count)
                add_gap(t, item, host, &gaps[g]);
        }
    }
}

/* The state of the report that a kill stands in. */
static const struct ja_state *state_of(const struct ja_case *item, const struct ja_event *event)
{
    for (size_t s = 0; s < item->state_count; s++)
        if (item->states[s].source == event->source && item->states[s].boot == event->boot &&
            item->states[s].largest != JA_NONE)
            return &item->states[s];
    return NULL;
}

static const char *grew(const struct ja_case *item, uint32_t process)
{
    if (process == JA_NONE)
        return NULL;
    const struct ja_process *p = &item->processes[process];
    for (uint32_t s = p->first_series; s < p->first_series + p->series_count; s++)
        if (item->series[s].growth.verdict == JA_GROWING && !item->series[s].category)
            return "yes";
    return "not shown";
}

static void add_kills(struct ja_tables *t, const struct ja_case *item)
{
    for (uint32_t i = 0; i < item->event_count; i++) {
        const struct ja_event *e = &item->events[i];
        if (e->kind != JA_EVENT_JETSAM_KILL && e->kind != JA_EVENT_OOM_KILL)
            continue;
        const struct ja_state *state = state_of(item, e);
        int64_t largest = state && state->row_count ? state->row_bytes[0] : JA_UNKNOWN;
        bool victim_larger = e->bytes != JA_UNKNOWN && largest != JA_UNKNOWN && e->bytes >= largest;
        struct row row = add_row(t, JA_TABLE_KILLS);
        when(&row, &e->at);
        text(&row, item->hosts[e->host].label);
        whole(&row, e->order ? e->order : JA_UNKNOWN);
        text(&row, e->name);
        whole(&row, e->pid);
        text(&row, e->reason);
        bytes(&row, e->bytes, 0);
        bytes(&row, e->limit_bytes, 0);
        text(&row, !state ? NULL : victim_larger ? e->name : item->processes[state->largest].name);
        bytes(&row, victim_larger ? e->bytes : largest, 0);
        text(&row, !state ? NULL : victim_larger ? "yes" : "no");
        text(&row, grew(item, e->process));
        ref_of_event(t, item, &row, i);
    }
}

/* ---- groups, caps ---------------------------------------------------------------------------- */

static void add_groups(struct ja_tables *t, const struct ja_case *item)
{
    for (size_t i = 0; i < item->group_count; i++) {
        const struct ja_group *g = &item->groups[i];
        if (i >= MOST_GROUP_ROWS) {
            t->tables[JA_TABLE_GROUPS].left_out = item->group_count - i;
            break;
        }
        struct row row = add_row(t, JA_TABLE_GROUPS);
        when(&row, &g->at);
        text(&row, item->hosts[g->host].label);
        text(&row, g->by);
        text(&row, g->name);
        whole(&row, g->coalition);
        whole(&row, (int64_t)g->count);
        bytes(&row, g->sum_bytes, 0);
        bytes(&row, g->count ? g->sum_bytes / (int64_t)g->count : JA_UNKNOWN, 0);
    }
}

static void add_caps(struct ja_tables *t, const struct ja_case *item)
{
    for (size_t i = 0; i < item->series_count; i++) {
        const struct ja_series *s = &item->series[i];
        const struct ja_process *p = &item->processes[s->process];
        for (size_t c = 0; p->shown && c < s->cap_count; c++) {
            const struct ja_cap *cap = &s->caps[c];
            const struct ja_point *last = s->point_count ? &s->points[s->point_count - 1] : NULL;
            if (t->tables[JA_TABLE_CAPS].row_count == MOST_CAP_ROWS) {
                t->tables[JA_TABLE_CAPS].left_out++;
                continue;
            }
            struct row row = add_row(t, JA_TABLE_CAPS);
            text(&row, item->hosts[p->host].label);
            text(&row, p->name);
            whole(&row, p->pid);
            text(&row, ja_metrics[s->metric].word);
            text(&row, cap->name);
            text(&row, cap->from);
            bytes(&row, cap->cap_bytes, 0);
            bytes(&row, last ? last->value : JA_UNKNOWN, last ? last->resolution : 0);
            bytes(&row, cap->distance_bytes, 0);
            text(&row, cap->reached ? "yes" : "no");
            text(&row, cap->source);
            whole(&row, (int64_t)cap->processes);
            int64_t bill = JA_UNKNOWN;
            if (cap->cap_bytes != JA_UNKNOWN)
                ja_multiply(cap->cap_bytes, (int64_t)cap->processes, &bill);
            bytes(&row, bill, 0);
            bytes(&row, item->hosts[p->host].ram_bytes, 0);
        }
    }
}

/* ---- readings -------------------------------------------------------------------------------- */

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
        for (size_t r = 0; r < state->row_count && r < LARGEST_OF_STATE; r++)
            mark(item, marks, state->rows[r], (int)state->books.metric);
    }
    return marks;
}

static void add_reading(struct ja_tables *t, const struct ja_case *item, const struct ja_series *s,
                        const struct ja_point *point)
{
    const struct ja_process *p = &item->processes[s->process];
    const struct ja_evidence *evidence = item->sources[point->source].evidence;
    uint32_t place = evidence->readings[point->reading].place;
    struct row row = add_row(t, JA_TABLE_READINGS);
    text(&row, item->hosts[p->host].label);
    text(&row, p->name);
    whole(&row, p->pid);
    when(&row, point->at);
    text(&row, ja_metrics[s->metric].word);
    text(&row, s->category);
    bytes(&row, point->value, point->resolution);
    bytes(&row, point->resolution, 0);
    bytes(&row, point->low, point->resolution);
    bytes(&row, point->high, point->resolution);
    text(&row, evidence->path);
    text(&row, place == JA_NONE ? NULL : ja_place_text(&evidence->places[place], t->arena));
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
    size_t grown = 0, count = 0;
    const uint32_t *by_gain = NULL;
    if (all > MOST_READING_ROWS)
        by_gain = ja_growth_order(item, t->arena, &grown);
    for (size_t i = 0; i < grown; i++) {
        if (marks[by_gain[i]])
            order[count++] = by_gain[i];
        marks[by_gain[i]] = false;
    }
    for (uint32_t i = 0; i < item->series_count; i++)
        if (item->processes[item->series[i].process].shown &&
            (marks[i] || all <= MOST_READING_ROWS / 10))
            order[count++] = i;
    *ret_count = count;
    return order;
}

static void add_readings(struct ja_tables *t, const struct ja_case *item)
{
    size_t all = count_readings(item), count, shown = 0;
    const uint32_t *order = order_readings(t, item, all, &count);
    size_t most = all > MOST_READING_ROWS ? MANY_READING_ROWS : MOST_READING_ROWS;
    for (size_t i = 0; i < count && shown < most; i++) {
        const struct ja_series *s = &item->series[order[i]];
        for (size_t p = 0; p < s->point_count && shown < most; p++, shown++)
            add_reading(t, item, s, &s->points[p]);
    }
    t->tables[JA_TABLE_READINGS].left_out = all - shown;
}

/* ---- evidence, files ------------------------------------------------------------------------- */

bool *ja_findings_shown(const struct ja_case *item, struct ja_arena *arena)
{
    bool *shown = ja_arena_alloc(arena, item->finding_count, sizeof *shown);
    size_t chosen[JA_MOST_FIRST_FINDINGS];
    size_t count = ja_findings_choose(item, chosen, JA_MOST_FIRST_FINDINGS);
    for (size_t i = 0; i < count; i++)
        shown[chosen[i]] = true;
    for (size_t i = 0; i < item->finding_count && i < MOST_FINDING_ROWS; i++)
        shown[i] = true;
    return shown;
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

static void add_evidence(struct ja_tables *t, const struct ja_case *item)
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
        struct row row = add_row(t, JA_TABLE_EVIDENCE);
        refs(&row, index, 1);
        text(&row, evidence->path);
        text(&row, cite->place == JA_NONE
                       ? NULL
                       : ja_place_text(&evidence->places[cite->place], t->arena));
        text(&row, cite->raw);
        text(&row, ja_unit_word(cite->unit));
        bytes(&row, cite->resolution_bytes, 0);
        text(&row, users[*index]);
    }
}

static void add_files(struct ja_tables *t, const struct ja_case *item)
{
    for (size_t i = 0; i < item->source_count; i++) {
        const struct ja_source *s = &item->sources[i];
        const struct ja_evidence *e = s->evidence;
        bool copy = s->duplicate_of != JA_NONE;
        struct row row = add_row(t, JA_TABLE_FILES);
        text(&row, e->path);
        text(&row, ja_kind_word(e->kind));
        text(&row, ja_status_word(e->status));
        text(&row, e->why);
        whole(&row, copy ? 0 : (int64_t)e->readings_taken);
        whole(&row, copy ? 0 : (int64_t)e->event_count);
        when(&row, &s->captured);
        when(&row, &s->written);
        text(&row, e->os);
        bytes(&row, s->size_bytes, 0);
        whole(&row, (int64_t)e->diagnostic_count);
        text(&row, s->sha256);
    }
}

/* ---- the step -------------------------------------------------------------------------------- */

void ja_tables_build(const struct ja_case *item, struct ja_arena *arena, struct ja_tables *ret)
{
    *ret = (struct ja_tables){.arena = arena};
    for (int i = 0; i < JA_TABLE_COUNT; i++)
        ret->tables[i] = (struct ja_table){.name = kinds[i].name,
                                           .title = kinds[i].title,
                                           .columns = kinds[i].columns,
                                           .column_count = kinds[i].count};
    add_findings(ret, item);
    add_fleet(ret, item);
    add_growth(ret, item);
    add_books(ret, item);
    add_timeline(ret, item);
    add_kills(ret, item);
    add_groups(ret, item);
    add_caps(ret, item);
    add_readings(ret, item);
    add_evidence(ret, item);
    add_files(ret, item);
}

void ja_evidence_range(const struct ja_case *item, const struct ja_instant **ret_first,
                       const struct ja_instant **ret_last)
{
    const struct ja_instant *first = NULL, *last = NULL;
    for (size_t i = 0; i < item->source_count; i++) {
        const struct ja_source *source = &item->sources[i];
        for (size_t r = 0; r < source->evidence->record_count; r++) {
            const struct ja_instant *at = &source->record_at[r];
            if (source->record_host[r] == JA_NONE || !ja_instant_known(at))
                continue;
            first = !first || at->unix_ns < first->unix_ns ? at : first;
            last = !last || at->unix_ns > last->unix_ns ? at : last;
        }
    }
    *ret_first = first;
    *ret_last = last;
}

const struct ja_cell *ja_table_cell(const struct ja_table *table, size_t row, size_t column)
{
    return &table->cells[row * table->column_count + column];
}

static const char *refs_text(const struct ja_case *item, struct ja_arena *arena,
                             const struct ja_cell *cell)
{
    const char *all = "";
    for (size_t i = 0; i < cell->ref_count; i++)
        all = ja_arena_print(arena, "%s%sE%03u", all, i ? ", " : "",
                             (unsigned)item->cites[cell->refs[i]].number);
    return all;
}

const char *ja_cell_text(const struct ja_case *item, struct ja_arena *arena,
                         const struct ja_column *column, const struct ja_cell *cell)
{
    switch (column->kind) {
    case JA_CELL_WORD:
    case JA_CELL_EVIDENCE:
    case JA_CELL_SENTENCE:
        return cell->text ? cell->text : "";
    case JA_CELL_BYTES:
        return ja_bytes(arena, cell->whole, cell->step);
    case JA_CELL_WHOLE:
        return cell->whole == JA_UNKNOWN ? ""
                                         : ja_arena_print(arena, "%lld", (long long)cell->whole);
    case JA_CELL_NUMBER:
        return isfinite(cell->number) ? ja_arena_print(arena, "%.2f", cell->number) : "";
    case JA_CELL_RATE:
        return ja_rate(arena, cell->number);
    case JA_CELL_SPAN:
        return ja_span(arena, cell->number);
    case JA_CELL_TIME:
        return ja_when(arena, cell->at);
    case JA_CELL_REFS:
        return refs_text(item, arena, cell);
    }
    return "";
}
