/* SPDX-License-Identifier: MIT
 *
 * Books beside physical use. A state is one moment of one machine: the sum of its live rows
 * (books), and what the machine itself says was used.
 */
#include "model/build.h"
#include "model/parts.h"
#include "model/state_rows.h"
#include "model/rows.h"

#include <stdlib.h>
#include <string.h>

/* The moments of one state: neighbours in build order. */
struct span {
    size_t first, end;
};

/* ---- which records are one state ------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool together(const struct ja_build *build, const struct ja_moment *a,
                     const struct ja_moment *b)
{
    const struct ja_record *x = ja_moment_record(build, a), *y = ja_moment_record(build, b);
    if (a->host != b->host || a->boot != b->boot || x->believed || y->believed ||
        !same_text(x->of, y->of))
        return false;
    if (x->snapshot || y->snapshot)
        return x->snapshot && same_text(x->snapshot, y->snapshot);
    return a->source == b->source && x->stamp == y->stamp && x->stamp != JA_NONE &&
           !(x->census && y->census);
}

static bool speaks(const struct ja_build *build, struct span span)
{
    for (size_t m = span.first; m < span.end; m++) {
        const struct ja_record *record = ja_moment_record(build, &build->moments[m]);
        if (record->census || record->figures)
            return true;
    }
    return false;
}

/* ---- books ----------------------------------------------------------------------------------- */

static bool is_finer(const struct ja_state_row *a, const struct ja_state_row *b)
{
    if (a->value == JA_UNKNOWN || b->value == JA_UNKNOWN)
        return b->value == JA_UNKNOWN && a->value != JA_UNKNOWN;
    return ja_subtract(a->high, a->low) < ja_subtract(b->high, b->low);
}

/* A torn down task (terminatedSnapshot) has given its memory back: it is no row of the books. */
static bool live(const struct ja_subject *subject)
{
    return !subject->killed && !subject->dead && subject->scope == JA_SCOPE_PROCESS;
}

static struct ja_state_row row_of(const struct ja_source *source, uint32_t subject,
                                  enum ja_metric metric)
{
    struct ja_state_row row = {ja_subject_process(source, subject), JA_UNKNOWN, JA_UNKNOWN,
                               JA_UNKNOWN};
    struct ja_reading reading;
    if (!ja_subject_reading(source, subject, metric, &reading))
        return row;
    row.value = reading.value;
    ja_quantity_interval((struct ja_quantity){reading.value, reading.resolution, reading.rounding},
                         &row.low, &row.high);
    return row;
}

static bool has_census(const struct ja_build *build, struct span span)
{
    for (size_t m = span.first; m < span.end; m++)
        if (ja_moment_record(build, &build->moments[m])->census)
            return true;
    return false;
}

/* What the states of one host are made with. */
struct ledger {
    struct ja_part *part;
    struct ja_build *build;
    struct ja_arena *rows; /* of the state at hand */
    uint32_t first_process;
    uint32_t *places; /* where the row of each process stands in the list that is made: 1 + its row;
                         0 none */
    struct ja_groupings *groupings;
};

static uint32_t *place_of(const struct ledger *ledger, const struct ja_state_row *row)
{
    return &ledger->places[row->process - ledger->first_process];
}

static void add_row(const struct ledger *ledger, struct ja_state_rows *rows,
                    struct ja_state_row row)
{
    if (row.process == JA_NONE)
        return; /* it names work, not a process */
    uint32_t *place = place_of(ledger, &row);
    if (!*place) {
        rows->items[rows->count++] = row;
        *place = (uint32_t)rows->count;
    } else if (is_finer(&row, &rows->items[*place - 1])) {
        rows->items[*place - 1] = row;
    }
}

/* The live rows of a span in one metric, one per process, the finest telling of each. */
static struct ja_state_rows list_rows(const struct ledger *ledger, struct span span,
                                      enum ja_metric metric)
{
    const struct ja_build *build = ledger->build;
    struct ja_state_rows rows = {NULL, 0};
    for (size_t m = span.first; m < span.end; m++)
        rows.count += build->moments[m].subject_count;
    rows.items = ja_arena_room(ledger->rows, rows.count, sizeof *rows.items);
    rows.count = 0;
    bool census = has_census(build, span);
    for (size_t m = span.first; m < span.end; m++) {
        const struct ja_moment *moment = &build->moments[m];
        const struct ja_source *source = &build->item->sources[moment->source];
        /* What only names a process (its comm, a thread of the kernel) is no row of the table. */
        if (census && !ja_moment_record(build, moment)->census)
            continue;
        for (size_t i = 0; i < moment->subject_count; i++) {
            uint32_t index = ja_moment_subject(moment, i);
            struct ja_subject subject = ja_subject_at(source->evidence, index);
            if (live(&subject))
                add_row(ledger, &rows, row_of(source, index, metric));
        }
    }
    for (size_t i = 0; i < rows.count; i++)
        *place_of(ledger, &rows.items[i]) = 0;
    return rows;
}

static size_t sized(const struct ja_state_rows *rows)
{
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++)
        count += rows->items[i].value != JA_UNKNOWN;
    return count;
}

/* Footprints; else PSS, which counts a shared page once, when as many rows have it; else RSS. */
static struct ja_state_rows choose_rows(const struct ledger *ledger, struct span span,
                                        enum ja_metric *ret_metric)
{
    *ret_metric = JA_METRIC_PHYS_FOOTPRINT;
    struct ja_state_rows best = list_rows(ledger, span, *ret_metric);
    if (sized(&best))
        return best;
    best = list_rows(ledger, span, JA_METRIC_RESIDENT);
    *ret_metric = JA_METRIC_RESIDENT;
    struct ja_state_rows pss = list_rows(ledger, span, JA_METRIC_PSS);
    if (!sized(&pss) || sized(&pss) < sized(&best))
        return best;
    *ret_metric = JA_METRIC_PSS;
    return pss;
}

static bool is_complete(const struct ja_build *build, struct span span)
{
    bool census = false;
    for (size_t m = span.first; m < span.end; m++) {
        const struct ja_record *record = ja_moment_record(build, &build->moments[m]);
        census |= record->census;
        if (record->census && !record->complete)
            return false;
    }
    return census;
}

static size_t count_killed(const struct ja_build *build, struct span span)
{
    size_t killed = 0;
    for (size_t m = span.first; m < span.end; m++) {
        const struct ja_moment *moment = &build->moments[m];
        const struct ja_evidence *evidence = ja_moment_evidence(build, moment);
        for (size_t i = 0; i < moment->subject_count; i++)
            killed += ja_subject_at(evidence, ja_moment_subject(moment, i)).killed;
    }
    return killed;
}

static void sum_books(const struct ledger *ledger, struct span span, struct ja_state *state)
{
    const struct ja_build *build = ledger->build;
    enum ja_metric metric;
    struct ja_state_rows rows = choose_rows(ledger, span, &metric);
    size_t with_size = sized(&rows);
    struct ja_books *books = &state->books;
    books->killed_left_out = count_killed(build, span);
    if (!rows.count)
        return;
    books->known = true;
    books->metric = metric;
    books->processes = rows.count;
    books->complete = is_complete(build, span) && with_size == rows.count;
    books->sum_bytes = books->low_bytes = books->high_bytes = with_size ? 0 : JA_UNKNOWN;
    for (size_t i = 0; i < rows.count; i++) {
        if (rows.items[i].value == JA_UNKNOWN)
            continue;
        books->sum_bytes = ja_add(books->sum_bytes, rows.items[i].value);
        books->low_bytes = ja_add(books->low_bytes, rows.items[i].low);
        books->high_bytes = ja_add(books->high_bytes, rows.items[i].high);
    }
    ja_state_take_rows(ledger->part, ledger->groupings, ledger->rows, &rows, state);
}

/* NDJSON: a state that another audit made is believed as it stands. */
static void believe_books(const struct ja_build *build, struct ja_state *state)
{
    const struct ja_evidence *evidence = build->item->sources[state->source].evidence;
    const struct ja_fact *metric = ja_record_fact(evidence, state->record, JA_FACT_BOOKS_METRIC);
    const int64_t *f = state->figures;
    if (f[JA_FIGURE_BOOKS_ROWS] == JA_UNKNOWN && f[JA_FIGURE_BOOKS] == JA_UNKNOWN)
        return;
    struct ja_books *books = &state->books;
    books->known = true;
    books->complete = evidence->records[state->record].complete;
    if (!metric || !metric->text || !ja_metric_of(metric->text, &books->metric))
        books->metric = JA_METRIC_UNSTATED;
    books->sum_bytes = f[JA_FIGURE_BOOKS];
    books->low_bytes = f[JA_FIGURE_BOOKS_LOW];
    books->high_bytes = f[JA_FIGURE_BOOKS_HIGH];
    books->processes = f[JA_FIGURE_BOOKS_ROWS] > 0 ? (size_t)f[JA_FIGURE_BOOKS_ROWS] : 0;
    books->killed_left_out = f[JA_FIGURE_BOOKS_KILLED] > 0 ? (size_t)f[JA_FIGURE_BOOKS_KILLED] : 0;
}

static void take_figures(const struct ja_build *build, struct span span, struct ja_state *state)
{
    for (size_t i = 0; i < JA_FIGURE_COUNT; i++)
        state->figures[i] = JA_UNKNOWN;
    for (size_t m = span.first; m < span.end; m++) {
        const struct ja_record *record = ja_moment_record(build, &build->moments[m]);
        for (size_t i = 0; record->figures && i < JA_FIGURE_COUNT; i++)
            if (state->figures[i] == JA_UNKNOWN)
                state->figures[i] = record->figures[i];
    }
    const struct ja_host *host = &build->item->hosts[state->host];
    if (host->ram_bytes != JA_UNKNOWN && !state->of)
        state->figures[JA_FIGURE_RAM] = host->ram_bytes;
    ja_derive_figures(state);
}

/* CPU time of a row cannot exceed its age on every core. */
static void check_ages(const struct ja_build *build, struct span span, struct ja_state *state)
{
    int64_t cores = build->item->hosts[state->host].cores;
    /* No machine that writes these reports has more cores than this. */
    double limit = cores != JA_UNKNOWN && cores > 0 ? (double)cores : 32.0;
    for (size_t m = span.first; m < span.end; m++) {
        const struct ja_moment *moment = &build->moments[m];
        const struct ja_evidence *evidence = ja_moment_evidence(build, moment);
        for (size_t i = 0; i < moment->subject_count; i++) {
            struct ja_subject s = ja_subject_at(evidence, ja_moment_subject(moment, i));
            if (s.age_ticks == JA_UNKNOWN || s.age_ticks < 0 || s.cpu_ns == JA_UNKNOWN ||
                moment->system->tick_hz == JA_UNKNOWN)
                continue;
            double age_ns = (double)s.age_ticks / (double)moment->system->tick_hz * 1e9;
            if ((double)s.cpu_ns > age_ns * limit + 1e9)
                ja_mark_impossible(state, "cpu_over_age");
        }
    }
}

/* ---- the step -------------------------------------------------------------------------------- */

static void make_state(const struct ledger *ledger, struct span span)
{
    struct ja_build *build = ledger->build;
    struct ja_case *item = build->item;
    const struct ja_moment *first = &build->moments[span.first];
    /* The record that speaks of the machine itself stands for the state. */
    for (size_t m = span.first; m < span.end; m++)
        if (ja_moment_record(build, &build->moments[m])->figures) {
            first = &build->moments[m];
            break;
        }
    struct ja_state *state =
        JA_APPEND(item->arena, item->states, item->state_count, item->state_capacity);
    state->host = first->host;
    state->boot = first->boot;
    state->source = first->source;
    state->record = first->record;
    state->of = ja_moment_record(build, first)->of;
    state->at = first->at;
    state->largest = state->told_largest = JA_NONE;
    state->used_with_cache_bytes = JA_UNKNOWN;
    take_figures(build, span, state);
    if (ja_moment_record(build, first)->believed)
        believe_books(build, state);
    else
        sum_books(ledger, span, state);
    ja_check_figures(state);
    check_ages(build, span, state);
    if (state->figures[JA_FIGURE_MANAGED] != JA_UNKNOWN && !state->of)
        item->hosts[state->host].managed_bytes = state->figures[JA_FIGURE_MANAGED];
    ja_arena_reset(ledger->rows);
}

/* The states of one host, numbered from 0. */
static void build_host(struct ja_part *part)
{
    struct ja_build *build = &part->build;
    struct ja_case *item = &part->item;
    const struct ja_host *host = &item->hosts[part->host];
    struct ledger ledger = {
        .part = part,
        .build = build,
        .rows = ja_arena_new(),
        .first_process = host->first_process,
        .places = ja_arena_alloc(build->scratch, host->process_count, sizeof *ledger.places),
        .groupings = ja_groupings_new(part),
    };
    JA_PARTS_EMPTY(item, states, state);
    JA_PARTS_EMPTY(item, groups, group);
    for (size_t i = 0, end; i < build->moment_count; i = end) {
        for (end = i + 1; end < build->moment_count &&
                          together(build, &build->moments[i], &build->moments[end]);)
            end++;
        struct span span = {i, end};
        if (speaks(build, span))
            make_state(&ledger, span);
    }
    ja_arena_free(ledger.rows);
}

void ja_number_states(struct ja_case *item)
{
    for (size_t h = 0; h < item->host_count; h++)
        item->hosts[h].state_count = 0;
    for (uint32_t i = 0; i < item->state_count; i++) {
        struct ja_host *host = &item->hosts[item->states[i].host];
        if (!host->state_count++)
            host->first_state = i;
    }
}

void ja_build_states(struct ja_build *build)
{
    struct ja_case *item = build->item;
    struct ja_parts parts = ja_parts_run(build, build_host, NULL);
    uint32_t first = 0;
    for (size_t i = 0; i < parts.count; i++) {
        struct ja_case *own = &parts.items[i].item;
        for (size_t g = 0; g < own->group_count; g++)
            own->groups[g].state += first;
        first += (uint32_t)own->state_count;
    }
    JA_PARTS_JOIN(item, &parts, states, state_count, state_capacity);
    JA_PARTS_JOIN(item, &parts, groups, group_count, group_capacity);
    ja_parts_done(build, &parts);
    ja_number_states(item);
}
