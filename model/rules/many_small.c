/* SPDX-License-Identifier: MIT
 *
 * Did the count grow rather than the size? Hundreds of processes of one name that are started and
 * never ended fill a machine though none of them leaks.
 */
#include "model/rule.h"
#include "model/tables.h"

#include <stdlib.h>
#include <string.h>

#define LEAST_COUNT 20   /* in the later moment */
#define CROWD 200        /* in one moment alone */
#define COUNT_FACTOR 1.3 /* the count grew at least so much ... */
#define MEAN_FACTOR 1.25 /* ... while the mean size moved less */
#define SHARE 10         /* and the group is more than a tenth of the books */

static double mean(const struct ja_group *group)
{
    return (double)group->sum_bytes / (double)group->count;
}

static bool weighs(const struct ja_case *item, const struct ja_group *group)
{
    const struct ja_books *books = &item->states[group->state].books;
    return books->sum_bytes != JA_UNKNOWN && group->sum_bytes > books->sum_bytes / SHARE;
}

/* Groups of one name on one boot are neighbours, in time order. */
static int by_group(const struct ja_group *a, const struct ja_group *b)
{
    if (a->boot != b->boot)
        return a->boot < b->boot ? -1 : 1;
    return strcmp(a->name, b->name);
}

static int by_time(const void *left, const void *right)
{
    const struct ja_group *a = *(const struct ja_group *const *)left;
    const struct ja_group *b = *(const struct ja_group *const *)right;
    int order = by_group(a, b);
    if (order)
        return order;
    if (a->at->unix_ns != b->at->unix_ns)
        return a->at->unix_ns < b->at->unix_ns ? -1 : 1;
    return (a > b) - (a < b);
}

static void number(struct ja_case *item, struct ja_finding *f, const struct ja_group *group)
{
    const struct ja_state *state = &item->states[group->state];
    f->stake_bytes = group->sum_bytes;
    ja_whole(item, f, "count", (int64_t)group->count);
    ja_number(item, f, "mean_bytes", mean(group));
    ja_whole(item, f, "sum_bytes", group->sum_bytes);
    ja_cite_rows(item, f, state, 1);
    ja_unless(item, f, "readings that show one of them growing");
    ja_next(item, f, "find their parent: ps -axo ppid,pid,lstart,command | sort");
}

static void find_growth(struct ja_case *item, const struct ja_group *group,
                        const struct ja_group *first)
{
    struct ja_finding *f =
        ja_find(item, "many_small", JA_CONFIRMED, JA_REMARK, group->host, JA_NONE);
    ja_say(
        item, f,
        ja_arena_print(item->arena, "The number of %s processes", ja_name_text(item, group->name)),
        JA_VERB_GROW, "from %zu to %zu, their mean size went from %s to %s: %s together",
        first->count, group->count, ja_size_text(item, mean(first), 0),
        ja_size_text(item, mean(group), 0), ja_size_text(item, (double)group->sum_bytes, 0));
    ja_because(item, f,
               "the count rose by %.0f %% while the mean size moved by %.0f %%: more of "
               "them were started than ended",
               ((double)group->count / (double)first->count - 1) * 100,
               (mean(group) / mean(first) - 1) * 100);
    number(item, f, group);
    ja_whole(item, f, "first_count", (int64_t)first->count);
    ja_number(item, f, "first_mean_bytes", mean(first));
    ja_cite_rows(item, f, &item->states[first->state], 1);
}

static void find_crowd(struct ja_case *item, const struct ja_group *group)
{
    struct ja_finding *f =
        ja_find(item, "many_small", JA_CONSISTENT, JA_REMARK, group->host, JA_NONE);
    ja_say(item, f,
           ja_arena_print(item->arena, "%zu %s processes, %s together and %s each,", group->count,
                          ja_name_text(item, group->name),
                          ja_size_text(item, (double)group->sum_bytes, 0),
                          ja_size_text(item, mean(group), 0)),
           JA_VERB_WERE, "started and never ended");
    ja_because(item, f, "one moment shows a crowd, not that it grew");
    number(item, f, group);
}

/* first and last: the earliest and the latest moment of one name on one boot. */
static void judge_name(struct ja_case *item, const struct ja_group *first,
                       const struct ja_group *last)
{
    if (last->count < LEAST_COUNT || last->sum_bytes <= 0 || !weighs(item, last))
        return;
    double count = (double)last->count / (double)first->count;
    double size = first->sum_bytes > 0 ? mean(last) / mean(first) : 0;
    bool dated = ja_instant_known(first->at) && ja_instant_known(last->at);
    if (dated && count >= COUNT_FACTOR && size < MEAN_FACTOR && size > 1 / MEAN_FACTOR)
        find_growth(item, last, first);
    else if (first == last && last->count >= CROWD)
        find_crowd(item, last);
}

static void judge(struct ja_case *item)
{
    const struct ja_group **groups = ja_arena_alloc(item->arena, item->group_count, sizeof *groups);
    size_t count = 0;
    for (size_t i = 0; i < item->group_count; i++)
        if (strcmp(item->groups[i].by, "name") == 0)
            groups[count++] = &item->groups[i];
    if (count > 1)
        qsort(groups, count, sizeof *groups, by_time);
    for (size_t at = 0, end; at < count; at = end) {
        for (end = at + 1; end < count && by_group(groups[at], groups[end]) == 0;)
            end++;
        judge_name(item, groups[at], groups[end - 1]);
    }
}

const struct ja_rule ja_rule_many_small = {
    .question = "did the count grow rather than the size?",
    .names = {{"many_small",
               "Two moments of one boot in which the number of processes of one name rose by a "
               "third or more while their mean size hardly moved: whoever starts them is to be "
               "looked at, not one of them. One moment with hundreds of them only fits that."}},
    .judge = judge,
};
