/* SPDX-License-Identifier: MIT
 *
 * Is memory held where no process row shows it: the kernel's own (wired, slabs, page tables,
 * zones), files in memory that nobody maps, graphics, a virtual machine's? Physical use minus the
 * books is a lower bound of it: the books count shared, compressed and swapped pages in full.
 */
#include "model/rule.h"
#include "model/tables.h"

#include <string.h>

#define LEAST_SHARE 10   /* percent of the machine or the group; less is the kernel's usual part */
#define SERIOUS_SHARE 33 /* a third */
#define MOST_PARTS 3     /* named, the largest first */

struct outside {
    uint32_t state;                    /* index */
    int64_t bytes, used, books, whole; /* whole: RAM, managed memory or the group's limit or use */
    bool group;
};

/* Figures that name who may hold it. */
static const struct {
    enum ja_figure figure;
    const char *name;
} parts[] = {
    {JA_FIGURE_WIRED, "wired by the kernel"},
    {JA_FIGURE_ZONE_MAP, "kernel zones"},
    {JA_FIGURE_SLAB_UNRECLAIMABLE, "slabs"},
    {JA_FIGURE_PAGE_TABLES, "page tables"},
    {JA_FIGURE_KERNEL_STACK, "kernel stacks"},
    {JA_FIGURE_PERCPU, "per-CPU memory"},
    {JA_FIGURE_HUGETLB, "huge pages"},
    {JA_FIGURE_SHMEM, "shared memory and tmpfs"},
    {JA_FIGURE_ZRAM_USED, "zram"},
    {JA_FIGURE_ZSWAP, "zswap"},
    {JA_FIGURE_CGROUP_KERNEL, "kernel memory charged to the group"},
};

/* What a group uses that is neither its processes' own memory nor file pages. */
static bool outside_group(const struct ja_state *state, struct outside *ret)
{
    const int64_t *f = state->figures;
    if (f[JA_FIGURE_CGROUP_USAGE] == JA_UNKNOWN || f[JA_FIGURE_CGROUP_ANON] == JA_UNKNOWN ||
        f[JA_FIGURE_CGROUP_FILE] == JA_UNKNOWN)
        return false;
    ret->used = f[JA_FIGURE_CGROUP_USAGE];
    ret->books = ja_add(f[JA_FIGURE_CGROUP_ANON], f[JA_FIGURE_CGROUP_FILE]);
    ret->whole = f[JA_FIGURE_CGROUP_LIMIT] != JA_UNKNOWN ? f[JA_FIGURE_CGROUP_LIMIT] : ret->used;
    ret->group = true;
    return true;
}

/* A whole table shows the first process or the kernel; only OOM reports leave both out. A folder
 * of a few saved processes is none. */
static bool is_whole(const struct ja_case *item, const struct ja_state *state)
{
    const struct ja_evidence *evidence = item->sources[state->source].evidence;
    return state->first_process || evidence->records[state->record].kind == JA_KIND_OOM_LOG;
}

/* Nothing is concluded from counters that cannot be. */
static bool counters_impossible(const struct ja_state *state)
{
    for (size_t i = 0; i < state->impossible_count; i++)
        if (strcmp(state->impossible[i], "cpu_over_age") != 0)
            return true;
    return false;
}

static bool outside_host(const struct ja_case *item, const struct ja_state *state,
                         struct outside *ret)
{
    const int64_t *f = state->figures;
    if (!state->books.known || !state->books.complete || state->books.sum_bytes == JA_UNKNOWN ||
        f[JA_FIGURE_USED] == JA_UNKNOWN || counters_impossible(state))
        return false;
    ret->used = f[JA_FIGURE_USED];
    /* Killed rows are not in the books, but were in memory when its pages were counted. */
    ret->books = ja_add(state->books.sum_bytes, ja_state_killed_bytes(item, state));
    ret->whole = f[JA_FIGURE_RAM] != JA_UNKNOWN ? f[JA_FIGURE_RAM] : f[JA_FIGURE_MANAGED];
    ret->group = false;
    return ret->whole != JA_UNKNOWN;
}

static bool measure(const struct ja_case *item, uint32_t index, struct outside *ret)
{
    const struct ja_state *state = &item->states[index];
    ret->state = index;
    if (!(state->of ? outside_group(state, ret) : outside_host(item, state, ret)))
        return false;
    ret->bytes = ja_subtract(ret->used, ret->books);
    return ret->bytes > 0 && ret->bytes / LEAST_SHARE >= ret->whole / 100 &&
           (ret->group || is_whole(item, state));
}

static bool same_place(const struct ja_state *a, const struct ja_state *b)
{
    if (a->host != b->host || !a->of != !b->of)
        return false;
    const char *x = a->of ? a->of : "", *y = b->of ? b->of : "";
    while (*x && *x == *y) {
        x++;
        y++;
    }
    return *x == *y;
}

/* One finding a host and group: the moment that holds most. */
static bool is_largest(const struct ja_case *item, const struct outside *all, size_t count,
                       const struct outside *outside)
{
    for (size_t i = 0; i < count; i++) {
        const struct outside *other = &all[i];
        if (other != outside &&
            (other->bytes > outside->bytes ||
             (other->bytes == outside->bytes && other->state < outside->state)) &&
            same_place(&item->states[other->state], &item->states[outside->state]))
            return false;
    }
    return true;
}

/* "slabs 8.6 MiB, page tables 1.1 MiB": the largest recorded holders; their sum. */
static const char *holders(struct ja_case *item, const struct ja_state *state, int64_t *ret_sum)
{
    enum { COUNT = sizeof parts / sizeof *parts };
    bool used[COUNT] = {false};
    const char *text = NULL;
    *ret_sum = 0;
    for (size_t n = 0; n < COUNT; n++) {
        size_t best = COUNT;
        for (size_t i = 0; i < COUNT; i++)
            if (!used[i] && state->figures[parts[i].figure] > 0 &&
                (best == COUNT ||
                 state->figures[parts[i].figure] > state->figures[parts[best].figure]))
                best = i;
        if (best == COUNT)
            break;
        used[best] = true;
        *ret_sum = ja_add(*ret_sum, state->figures[parts[best].figure]);
        const char *size = ja_size_text(item, (double)state->figures[parts[best].figure], 0);
        if (n < MOST_PARTS)
            text = text ? ja_arena_print(item->arena, "%s, %s %s", text, parts[best].name, size)
                        : ja_arena_print(item->arena, "%s %s", parts[best].name, size);
    }
    return text;
}

/* What an OOM report says of the largest slab; "" when nothing. */
static const char *largest_slab(struct ja_case *item, struct ja_finding *f,
                                const struct ja_state *state)
{
    const struct ja_evidence *evidence = item->sources[state->source].evidence;
    const struct ja_fact *fact = ja_record_fact(evidence, state->record, JA_FACT_LARGEST_SLAB);
    if (!fact || !fact->text || fact->value == JA_UNKNOWN)
        return "";
    ja_cite(item, f, ja_cite_fact(item, state->source, fact));
    return ja_arena_print(item->arena, " (the largest slab, %s, %s)",
                          ja_name_text(item, fact->text),
                          ja_size_text(item, (double)fact->value, 0));
}

static void cite(struct ja_case *item, struct ja_finding *f, const struct outside *outside)
{
    static const enum ja_figure of_group[] = {JA_FIGURE_CGROUP_USAGE, JA_FIGURE_CGROUP_ANON,
                                              JA_FIGURE_CGROUP_FILE, JA_FIGURE_CGROUP_LIMIT};
    static const enum ja_figure of_host[] = {JA_FIGURE_MANAGED, JA_FIGURE_FREE,
                                             JA_FIGURE_MEM_AVAILABLE, JA_FIGURE_WIRED};
    const enum ja_figure *list = outside->group ? of_group : of_host;
    for (size_t i = 0; i < 4; i++)
        if (item->states[outside->state].figures[list[i]] != JA_UNKNOWN)
            ja_cite(item, f, ja_cite_figure(item, outside->state, list[i]));
}

static void find(struct ja_case *item, const struct outside *outside)
{
    const struct ja_state *state = &item->states[outside->state];
    int64_t named = 0;
    const char *who = holders(item, state, &named);
    bool stated = outside->group || (who && named >= outside->bytes / 2);
    bool serious = outside->bytes / SERIOUS_SHARE >= outside->whole / 100;
    struct ja_finding *f = ja_find(item, "outside_processes", stated ? JA_CONFIRMED : JA_CONSISTENT,
                                   serious ? JA_SERIOUS : JA_REMARK, state->host, JA_NONE);
    f->stake_bytes = outside->bytes;
    ja_say(item, f,
           ja_arena_print(item->arena, "memory outside the processes%s%s", state->of ? " of " : "",
                          state->of ? ja_name_text(item, state->of) : ""),
           JA_VERB_BE, "at least %s: %s in use, %s of it %s",
           ja_size_text(item, (double)outside->bytes, 0),
           ja_size_text(item, (double)outside->used, 0),
           ja_size_text(item, (double)outside->books, 0),
           outside->group ? "the processes' memory and file pages" : "in the process rows");
    ja_because(
        item, f,
        "no row holds the rest, so killing or restarting a process need not free it%s%s%s; the "
        "rows count shared, compressed and swapped pages in full, so the gap is no smaller",
        who ? "; recorded: " : "", who ? who : "", largest_slab(item, f, state));
    ja_unless(item, f, "a process table with rows that this one lacks");
    ja_next(item, f, "%s",
            state->figures[JA_FIGURE_WIRED] != JA_UNKNOWN
                ? "run zprint, footprint -a and ioclasscount when it happens again"
                : "save /proc/meminfo, /proc/slabinfo, /proc/zoneinfo and the cgroup's memory.stat "
                  "when it happens again");
    ja_whole(item, f, "outside_bytes", outside->bytes);
    ja_whole(item, f, "used_bytes", outside->used);
    ja_whole(item, f, "books_bytes", outside->books);
    cite(item, f, outside);
}

static void judge(struct ja_case *item)
{
    struct outside *all = ja_arena_alloc(item->arena, item->state_count, sizeof *all);
    size_t count = 0;
    for (uint32_t i = 0; i < item->state_count; i++)
        count += measure(item, i, &all[count]);
    for (size_t i = 0; i < count; i++)
        if (is_largest(item, all, count, &all[i]))
            find(item, &all[i]);
}

const struct ja_rule ja_rule_outside_processes = {
    .question = "is memory held where no process row shows it?",
    .names = {{"outside_processes",
               "Physical use (anonymous, wired and compressor memory; on Linux MemTotal minus "
               "MemAvailable; in a cgroup its usage minus anonymous and file pages) minus the sum "
               "of the process rows. The rows count shared, compressed and swapped pages in full, "
               "so the difference is a lower bound of what the kernel, page tables, graphics or "
               "virtual machines hold. Needs a whole process table; shares below a tenth of the "
               "machine are usual and not reported. CONFIRMED when the record's own figures of "
               "such memory make up half of it, else CONSISTENT WITH."}},
    .judge = judge,
};
