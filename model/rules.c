/* SPDX-License-Identifier: MIT
 *
 * The table of rules, in the order that orders findings. A new rule: a file under model/rules/,
 * its declaration and its line here.
 */
#include "model/build.h"
#include "model/rule.h"

#include <stdlib.h>
#include <string.h>

#define RULE(name) extern const struct ja_rule ja_rule_##name;
#include "model/rules/list.h"
#undef RULE

const struct ja_rule *const ja_rules[] = {
#define RULE(name) &ja_rule_##name,
#include "model/rules/list.h"
#undef RULE
    NULL,
};

const struct ja_rule_name *ja_rule_named(const char *name, int *ret_order)
{
    int order = 0;
    for (size_t i = 0; ja_rules[i]; i++) {
        for (size_t k = 0; ja_rules[i]->names[k].name; k++, order++) {
            if (strcmp(ja_rules[i]->names[k].name, name) != 0)
                continue;
            if (ret_order)
                *ret_order = order;
            return &ja_rules[i]->names[k];
        }
    }
    return NULL;
}

/* Severity, grade, row of the table, bytes at stake (of a fleet the worst machine first), host,
 * process; then metric and words. */
static int by_weight(const void *a, const void *b)
{
    const struct ja_finding *x = a, *y = b;
    if (x->severity != y->severity)
        return x->severity < y->severity ? -1 : 1;
    if (x->grade != y->grade)
        return x->grade < y->grade ? -1 : 1;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    if (x->stake_bytes != y->stake_bytes)
        return x->stake_bytes > y->stake_bytes ? -1 : 1;
    if (x->host != y->host)
        return x->host < y->host ? -1 : 1;
    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    if (x->metric != y->metric)
        return x->metric < y->metric ? -1 : 1;
    return strcmp(x->statement, y->statement);
}

static void number_cite(struct ja_case *item, uint32_t cite, uint32_t *next)
{
    if (cite == JA_NONE || item->cites[cite].number)
        return;
    item->cite_order[*next] = cite;
    item->cites[cite].number = ++*next;
}

/* E001 is what the first finding stands on; what only events cite comes after. */
static void number_cites(struct ja_case *item)
{
    for (uint32_t e = 0; e < item->event_count; e++)
        ja_cite_event(item, e);
    item->cite_order = ja_arena_alloc(item->arena, item->cite_count, sizeof *item->cite_order);
    uint32_t next = 0;
    for (size_t f = 0; f < item->finding_count; f++)
        for (size_t c = 0; c < item->findings[f].cite_count; c++)
            number_cite(item, item->findings[f].cites[c], &next);
    for (uint32_t e = 0; e < item->event_count; e++)
        number_cite(item, ja_cite_event(item, e), &next);
    for (uint32_t c = 0; c < item->cite_count; c++)
        number_cite(item, c, &next);
}

static bool cites_marked(const struct ja_case *item, const struct ja_finding *finding,
                         const uint32_t *marks, uint32_t mark)
{
    for (size_t c = 0; c < finding->cite_count; c++)
        if (marks[item->cites[finding->cites[c]].source] == mark)
            return true;
    return false;
}

/* The findings of every host, in order: those of host h are items[first[h]] to before
 * items[first[h + 1]]. */
struct of_hosts {
    uint32_t *items;
    size_t *first;
};

static struct of_hosts sort_by_host(struct ja_case *item)
{
    struct of_hosts of = {
        .items = ja_arena_alloc(item->arena, item->finding_count, sizeof *of.items),
        .first = ja_arena_alloc(item->arena, item->host_count + 2, sizeof *of.first)};
    for (size_t f = 0; f < item->finding_count; f++)
        if (item->findings[f].host != JA_NONE)
            of.first[item->findings[f].host + 2]++;
    for (size_t h = 0; h < item->host_count; h++)
        of.first[h + 2] += of.first[h + 1];
    for (uint32_t f = 0; f < item->finding_count; f++)
        if (item->findings[f].host != JA_NONE)
            of.items[of.first[item->findings[f].host + 1]++] = f;
    return of;
}

/* A finding belongs to the incidents of its host that one of its files tells of. */
static void join_incident(struct ja_case *item, struct ja_incident *incident,
                          const struct of_hosts *of, uint32_t *marks, uint32_t mark)
{
    size_t capacity = 0;
    for (size_t e = 0; e < incident->event_count; e++)
        if (item->events[incident->events[e]].source != JA_NONE)
            marks[item->events[incident->events[e]].source] = mark;
    for (size_t i = of->first[incident->host]; i < of->first[incident->host + 1]; i++)
        if (cites_marked(item, &item->findings[of->items[i]], marks, mark))
            *JA_APPEND(item->arena, incident->findings, incident->finding_count, capacity) =
                of->items[i];
}

static void join_incidents(struct ja_case *item)
{
    uint32_t *marks = ja_arena_alloc(item->arena, item->source_count, sizeof *marks);
    struct of_hosts of = sort_by_host(item);
    for (uint32_t i = 0; i < item->incident_count; i++)
        join_incident(item, &item->incidents[i], &of, marks, i + 1);
}

/* A rule at work: on a copy of the case to which it alone adds findings and cites. */
struct judgement {
    struct ja_case item;
    const struct ja_rule *rule;
};

static void *copy_of(struct ja_arena *arena, const void *array, size_t count, size_t size)
{
    void *copy = ja_arena_room(arena, count, size);
    if (count)
        memcpy(copy, array, count * size);
    return copy;
}

/* Of what a rule worked with, what its findings and cites are stays. */
static void keep_findings(struct ja_case *own)
{
    for (size_t f = 0; f < own->finding_count; f++) {
        struct ja_finding *finding = &own->findings[f];
        finding->numbers =
            copy_of(own->kept, finding->numbers, finding->number_count, sizeof *finding->numbers);
        finding->cites =
            copy_of(own->kept, finding->cites, finding->cite_count, sizeof *finding->cites);
    }
    own->findings = copy_of(own->kept, own->findings, own->finding_count, sizeof *own->findings);
    own->cites = copy_of(own->kept, own->cites, own->cite_count, sizeof *own->cites);
    ja_arena_free(own->arena);
    own->arena = NULL;
}

static void judge_one(size_t index, void *data)
{
    struct judgement *judgement = &((struct judgement *)data)[index];
    judgement->item.arena = ja_arena_new();
    judgement->item.kept = ja_arena_new();
    judgement->rule->judge(&judgement->item);
    keep_findings(&judgement->item);
}

/* Findings of one rule behind those of the rules before it. */
static void take_findings(struct ja_case *item, const struct ja_case *own)
{
    uint32_t *cites = ja_arena_alloc(own->kept, own->cite_count, sizeof *cites);
    for (size_t c = 0; c < own->cite_count; c++)
        cites[c] = ja_cite_take(item, &own->cites[c]);
    for (size_t f = 0; f < own->finding_count; f++) {
        struct ja_finding *finding = &own->findings[f];
        for (size_t c = 0; c < finding->cite_count; c++)
            finding->cites[c] = cites[finding->cites[c]];
        *JA_APPEND(item->arena, item->findings, item->finding_count, item->finding_capacity) =
            *finding;
    }
    ja_arena_drop(own->kept, cites, own->cite_count, sizeof *cites);
    ja_arena_drop(own->kept, own->cites, own->cite_count, sizeof *own->cites);
    ja_arena_drop(own->kept, own->findings, own->finding_count, sizeof *own->findings);
    ja_arena_join(item->arena, own->kept);
}

/* Rules know nothing of each other: each is a job. */
static void judge_all(struct ja_build *build)
{
    struct ja_case *item = build->item, empty = *item;
    empty.findings = NULL;
    empty.finding_count = empty.finding_capacity = 0;
    empty.cites = NULL;
    empty.cite_count = empty.cite_capacity = 0;
    empty.cite_index = NULL;
    empty.cite_index_size = 0;
    size_t count = 0;
    while (ja_rules[count])
        count++;
    struct judgement *judgements = ja_arena_alloc(build->scratch, count, sizeof *judgements);
    for (size_t i = 0; i < count; i++)
        judgements[i] = (struct judgement){empty, ja_rules[i]};
    build->run(count, judge_one, judgements);
    for (size_t i = 0; i < count; i++)
        take_findings(item, &judgements[i].item);
    JA_FIT(item->arena, item->findings, item->finding_count, item->finding_capacity);
    JA_FIT(item->arena, item->cites, item->cite_count, item->cite_capacity);
}

void ja_build_findings(struct ja_build *build)
{
    struct ja_case *item = build->item;
    judge_all(build);
    if (item->finding_count)
        qsort(item->findings, item->finding_count, sizeof *item->findings, by_weight);
    number_cites(item);
    join_incidents(item);
}
