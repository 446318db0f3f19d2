/* SPDX-License-Identifier: MIT
 *
 * What to read first: the findings, and a line of each machine of a fleet.
 */
#include "reports/tables_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_FINDING_ROWS 300

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

void ja_add_findings(struct ja_tables *t, const struct ja_case *item)
{
    for (size_t i = 0; i < item->finding_count; i++) {
        const struct ja_finding *f = &item->findings[i];
        struct ja_row row = ja_row_add(t, JA_TABLE_FINDINGS);
        ja_row_text(&row, ja_arena_print(t->arena, "F%02zu", i + 1));
        ja_row_text(&row, ja_severity_word(f->severity));
        ja_row_text(&row, ja_grade_word(f->grade));
        ja_row_text(&row, f->statement);
        ja_row_text(&row, f->why);
        ja_row_text(&row, f->would_change);
        ja_row_text(&row, f->next_step);
        ja_row_text(&row, f->rule);
        ja_row_refs(&row, f->cites, f->cite_count);
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
    double r = ja_ratio(state->books.sum_bytes, state->figures[JA_FIGURE_RAM]);
    return isnan(r) ? ja_ratio(state->books.sum_bytes, state->figures[JA_FIGURE_MANAGED]) : r;
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

void ja_add_fleet(struct ja_tables *t, const struct ja_case *item)
{
    if (item->host_count < 2)
        return;
    const struct fleet_line *lines = fleet_lines(t, item);
    for (size_t i = 0; i < item->host_count; i++) {
        const struct ja_finding *worst = lines[i].worst, *grower = lines[i].grower;
        const struct ja_host *host = &item->hosts[lines[i].host];
        const struct ja_boot *last =
            host->boot_count ? &item->boots[host->first_boot + host->boot_count - 1] : NULL;
        struct ja_row row = ja_row_add(t, JA_TABLE_FLEET);
        ja_row_text(&row, host->label);
        ja_row_text(&row, worst ? ja_severity_word(worst->severity) : NULL);
        ja_row_text(&row, worst ? worst->statement : "no finding");
        ja_row_text(&row, grower && grower->process != JA_NONE
                              ? ja_process_text(item, grower->process)
                              : NULL);
        ja_row_number(&row, grower_slope(grower));
        ja_row_number(&row, lines[i].books_ratio);
        ja_row_when(&row, last ? &last->last_seen : NULL);
    }
}
