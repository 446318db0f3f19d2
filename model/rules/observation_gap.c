/* SPDX-License-Identifier: MIT
 *
 * Where is nothing known? A gap is longer than an hour and than three times the usual distance of
 * readings; what happened inside it is not recorded.
 */
#include "model/rule.h"

#include <stdlib.h>

#define LEAST_GAP_NS JA_NS_PER_HOUR
#define USUAL_TIMES 3
/* A short gap in a dense log counts when it is far longer than the log's own pace. */
#define SHORT_GAP_NS (60 * JA_NS_PER_S)
#define SHORT_TIMES 10
#define DENSE_COUNT 8

struct seen {
    const struct ja_instant *at;
    uint32_t source, place;
    uint32_t boot;
};

static int by_time(const void *a, const void *b)
{
    const struct seen *x = a, *y = b;
    if (x->at->unix_ns != y->at->unix_ns)
        return x->at->unix_ns < y->at->unix_ns ? -1 : 1;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static int by_length(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* The dated records of a host in time order, one per moment. */
static size_t list_seen(struct ja_case *item, uint32_t host, struct seen **ret)
{
    size_t count = 0;
    for (size_t i = 0; i < item->source_count; i++)
        count += item->sources[i].evidence->record_count;
    struct seen *seen = ja_arena_alloc(item->arena, count, sizeof *seen);
    count = 0;
    for (uint32_t i = 0; i < item->source_count; i++) {
        const struct ja_source *source = &item->sources[i];
        for (size_t r = 0; r < source->evidence->record_count; r++)
            if (source->record_host[r] == host && ja_instant_known(&source->record_at[r]))
                seen[count++] =
                    (struct seen){&source->record_at[r], i, source->evidence->records[r].place,
                                  source->record_boot[r]};
    }
    if (count)
        qsort(seen, count, sizeof *seen, by_time);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!kept || seen[i].at->unix_ns != seen[kept - 1].at->unix_ns)
            seen[kept++] = seen[i];
    *ret = seen;
    return kept;
}

static int64_t usual_distance(struct ja_case *item, const struct seen *seen, size_t count)
{
    int64_t *lengths = ja_arena_alloc(item->arena, count, sizeof *lengths);
    for (size_t i = 1; i < count; i++)
        lengths[i - 1] = seen[i].at->unix_ns - seen[i - 1].at->unix_ns;
    qsort(lengths, count - 1, sizeof *lengths, by_length);
    return lengths[(count - 1) / 2];
}

static void find_gap(struct ja_case *item, uint32_t host, const struct seen *from,
                     const struct seen *to, size_t gaps)
{
    double gap_s = (double)(to->at->unix_ns - from->at->unix_ns) / 1e9;
    struct ja_finding *f = ja_find(item, "observation_gap", JA_CONFIRMED, JA_REMARK, host, JA_NONE);
    ja_say(item, f, "The longest stretch without any evidence", JA_VERB_BE,
           "%s, from %s to %s%s (%zu gap%s of this kind)", ja_span_text(item, gap_s),
           ja_time_text(item, from->at), ja_time_text(item, to->at),
           from->boot != to->boot ? ", with a reboot in it" : "", gaps, gaps == 1 ? "" : "s");
    ja_because(item, f, "no file of this host speaks of a moment in between");
    ja_unless(item, f, "a report, dump or log from inside the gap");
    ja_next(item, f, "look for logs, monitoring or rotated reports of that time");
    ja_number(item, f, "gap_s", gap_s);
    ja_whole(item, f, "gaps", (int64_t)gaps);
    if (from->place != JA_NONE)
        ja_cite(item, f, ja_cite_place(item, from->source, from->place, NULL, JA_UNIT_TEXT));
    if (to->place != JA_NONE)
        ja_cite(item, f, ja_cite_place(item, to->source, to->place, NULL, JA_UNIT_TEXT));
}

static bool is_gap(int64_t length, int64_t usual, size_t count)
{
    if (length >= LEAST_GAP_NS)
        return count <= 3 || length >= USUAL_TIMES * usual;
    return count >= DENSE_COUNT && length >= SHORT_GAP_NS && length >= SHORT_TIMES * usual;
}

static void judge_host(struct ja_case *item, uint32_t host)
{
    struct seen *seen;
    size_t count = list_seen(item, host, &seen), gaps = 0, longest = 0;
    if (count < 2)
        return;
    int64_t usual = usual_distance(item, seen, count);
    for (size_t i = 1; i < count; i++) {
        int64_t length = seen[i].at->unix_ns - seen[i - 1].at->unix_ns;
        if (!is_gap(length, usual, count))
            continue;
        gaps++;
        if (!longest || length > seen[longest].at->unix_ns - seen[longest - 1].at->unix_ns)
            longest = i;
    }
    if (gaps)
        find_gap(item, host, &seen[longest - 1], &seen[longest], gaps);
}

static void judge(struct ja_case *item)
{
    for (uint32_t h = 0; h < item->host_count; h++)
        if (!item->hosts[h].processor)
            judge_host(item, h);
}

const struct ja_rule ja_rule_observation_gap = {
    .question = "where is nothing known?",
    .names = {{"observation_gap",
               "A stretch from which no file speaks: an hour or more and three times the usual "
               "distance of readings, or in a dense log a minute or more and ten times its pace. "
               "Growth across a gap is bounded by its ends, "
               "its course is not known."}},
    .judge = judge,
};
