/* SPDX-License-Identifier: MIT */
#include "model/gaps.h"

#include <string.h>

#include "model/build.h"
#include "model/sort.h"
#include "model/window.h"

#define LEAST_GAP_NS JA_NS_PER_HOUR
#define USUAL_TIMES 3
/* A short gap in a dense log counts when it is far longer than the log's own pace. */
#define SHORT_GAP_NS (60 * JA_NS_PER_S)
#define SHORT_TIMES 10
#define DENSE_COUNT 8

static int by_time(const void *a, const void *b)
{
    const struct ja_seen *x = a, *y = b;
    if (x->at->unix_ns != y->at->unix_ns)
        return x->at->unix_ns < y->at->unix_ns ? -1 : 1;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static bool is_seen(const struct ja_case *item, const struct ja_source *source, size_t record)
{
    return source->record_host[record] != JA_NONE && ja_instant_known(&source->record_at[record]) &&
           ja_in_window(item, &source->record_at[record]);
}

/* Where the moments of each host begin: room for all its dated records. */
static void count_seen(struct ja_case *item)
{
    item->host_seen = ja_arena_alloc(item->arena, item->host_count + 1, sizeof *item->host_seen);
    for (size_t i = 0; i < item->source_count; i++)
        for (size_t r = 0; r < item->sources[i].evidence->record_count; r++)
            if (is_seen(item, &item->sources[i], r))
                item->host_seen[item->sources[i].record_host[r] + 1]++;
    for (size_t h = 0; h < item->host_count; h++)
        item->host_seen[h + 1] += item->host_seen[h];
    item->seen = ja_arena_alloc(item->arena, item->host_seen[item->host_count], sizeof *item->seen);
}

static void fill_seen(struct ja_build *build)
{
    struct ja_case *item = build->item;
    size_t *at = ja_arena_alloc(build->scratch, item->host_count + 1, sizeof *at);
    memcpy(at, item->host_seen, (item->host_count + 1) * sizeof *at);
    for (uint32_t i = 0; i < item->source_count; i++) {
        const struct ja_source *source = &item->sources[i];
        for (size_t r = 0; r < source->evidence->record_count; r++)
            if (is_seen(item, source, r))
                item->seen[at[source->record_host[r]]++] =
                    (struct ja_seen){&source->record_at[r], i, source->evidence->records[r].place,
                                     source->record_boot[r]};
    }
}

void ja_build_seen(struct ja_build *build)
{
    struct ja_case *item = build->item;
    size_t kept = 0;
    count_seen(item);
    fill_seen(build);
    for (size_t h = 0, from = 0; h < item->host_count; h++) {
        size_t count = item->host_seen[h + 1] - from, first = kept;
        struct ja_seen *seen = item->seen + from;
        from += count;
        ja_sort(seen, count, sizeof *seen, by_time);
        for (size_t i = 0; i < count; i++)
            if (kept == first || seen[i].at->unix_ns != item->seen[kept - 1].at->unix_ns)
                item->seen[kept++] = seen[i];
        item->host_seen[h + 1] = kept;
    }
}

static int64_t usual_distance(struct ja_arena *arena, const struct ja_seen *seen, size_t count)
{
    struct ja_keyed *lengths = ja_arena_alloc(arena, 2 * count, sizeof *lengths);
    for (size_t i = 1; i < count; i++)
        lengths[i - 1].key = ja_rising_key(seen[i].at->unix_ns - seen[i - 1].at->unix_ns);
    ja_sort_keyed(lengths, lengths + count, count - 1);
    return ja_rising_number(lengths[(count - 1) / 2].key);
}

static bool is_gap(int64_t length, int64_t usual, size_t count)
{
    if (length >= LEAST_GAP_NS)
        return count <= 3 || length >= USUAL_TIMES * usual;
    return count >= DENSE_COUNT && length >= SHORT_GAP_NS && length >= SHORT_TIMES * usual;
}

size_t ja_gaps_find(const struct ja_case *item, uint32_t host, struct ja_arena *arena,
                    struct ja_gap **ret_gaps)
{
    const struct ja_seen *seen = item->seen + item->host_seen[host];
    size_t count = item->host_seen[host + 1] - item->host_seen[host], gaps = 0;
    *ret_gaps = NULL;
    if (count < 2)
        return 0;
    struct ja_gap *gap = ja_arena_alloc(arena, count, sizeof *gap);
    int64_t usual = usual_distance(arena, seen, count);
    for (size_t i = 1; i < count; i++)
        if (is_gap(seen[i].at->unix_ns - seen[i - 1].at->unix_ns, usual, count))
            gap[gaps++] = (struct ja_gap){seen[i - 1], seen[i]};
    *ret_gaps = gap;
    return gaps;
}
