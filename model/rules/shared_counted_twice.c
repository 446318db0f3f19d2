/* SPDX-License-Identifier: MIT
 *
 * How much of the books is one page counted n times? RSS shows a shared page at full size in every
 * process that maps it; PSS shows each process its share, so PSS adds up. On macOS one call of
 * footprint over several processes prints beside them a total in which shared pages stand once.
 */
#include "model/rule.h"
#include "model/window.h"
#include "model/rows.h"

#include <stdlib.h>

/* Sharing of libraries by a few processes is everyday: below this it is no finding. */
#define LEAST_EXCESS_BYTES (4 * JA_MIB)
#define LEAST_EXCESS_PERCENT 10

/* One process at one moment, with both figures. */
struct pair {
    uint32_t host;
    struct ja_point rss, pss;
};

/* The processes of one machine at one moment, added up. */
struct sums {
    uint32_t host;
    int64_t rss, pss, pss_high;
    size_t processes;
    struct ja_point largest; /* RSS of the largest row; its moment is the sums' */
};

static int by_moment(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    if (x->host != y->host)
        return x->host < y->host ? -1 : 1;
    if (x->pss.at->unix_ns != y->pss.at->unix_ns)
        return x->pss.at->unix_ns < y->pss.at->unix_ns ? -1 : 1;
    return x->pss.value < y->pss.value ? 1 : x->pss.value > y->pss.value ? -1 : 0;
}

/* Points of both series of a process that share their moment. */
static size_t pair_process(const struct ja_case *item, uint32_t process, struct pair *pairs)
{
    const struct ja_series *rss = ja_process_series(item, process, JA_METRIC_RESIDENT);
    const struct ja_series *pss = ja_process_series(item, process, JA_METRIC_PSS);
    size_t count = 0;
    for (size_t i = 0, k = 0; rss && pss && i < pss->point_count; i++) {
        struct ja_point share = ja_point_at(pss, i);
        while (k < rss->point_count && ja_point_at(rss, k).at->unix_ns < share.at->unix_ns)
            k++;
        if (k < rss->point_count && ja_point_at(rss, k).at->unix_ns == share.at->unix_ns)
            pairs[count++] =
                (struct pair){item->processes[process].host, ja_point_at(rss, k), share};
    }
    return count;
}

static size_t list_pairs(struct ja_case *item, struct pair **ret)
{
    size_t most = 0, count = 0;
    for (size_t i = 0; i < item->series_count; i++)
        if (item->series[i].metric == JA_METRIC_PSS && item->series[i].dated)
            most += item->series[i].point_count;
    struct pair *pairs = ja_arena_alloc(item->arena, most, sizeof *pairs);
    for (uint32_t p = 0; most && p < item->process_count; p++)
        if (item->processes[p].scope == JA_SCOPE_PROCESS)
            count += pair_process(item, p, pairs + count);
    if (count)
        qsort(pairs, count, sizeof *pairs, by_moment);
    *ret = pairs;
    return count;
}

static struct sums sum_pairs(const struct pair *pairs, size_t count)
{
    struct sums sums = {.host = pairs[0].host, .processes = count};
    for (size_t i = 0; i < count; i++) {
        sums.rss = ja_add(sums.rss, pairs[i].rss.value);
        sums.pss = ja_add(sums.pss, pairs[i].pss.value);
        sums.pss_high = ja_add(sums.pss_high, pairs[i].pss.high);
        if (i == 0 || pairs[i].rss.value > sums.largest.value)
            sums.largest = pairs[i].rss;
    }
    return sums;
}

static bool counts_twice(const struct sums *sums)
{
    int64_t excess = ja_subtract(sums->rss, sums->pss_high);
    return sums->processes > 1 && excess >= LEAST_EXCESS_BYTES &&
           excess >= sums->rss / 100 * LEAST_EXCESS_PERCENT;
}

static void find_shared(struct ja_case *item, const struct sums *sums, size_t moments)
{
    struct ja_finding *f =
        ja_find(item, "shared_counted_twice", JA_CONFIRMED, JA_REMARK, sums->host, JA_NONE);
    int64_t excess = ja_subtract(sums->rss, sums->pss);
    f->stake_bytes = excess;
    ja_say(item, f, ja_arena_print(item->arena, "RSS figures of %zu processes", sums->processes),
           JA_VERB_EXCEED, "their PSS by %s when added up (%s against %s) at %s",
           ja_size_text(item, (double)excess, JA_MIB),
           ja_size_text(item, (double)sums->rss, JA_MIB),
           ja_size_text(item, (double)sums->pss, JA_MIB), ja_time_text(item, sums->largest.at));
    ja_because(item, f,
               "pages that several of them map stand in every RSS and once in the sum of PSS; "
               "%zu moment%s show%s it, this one most",
               moments, moments == 1 ? "" : "s", moments == 1 ? "s" : "");
    ja_unless(item, f, "nothing: both sums are of the same processes at the same moment");
    ja_next(item, f,
            "add up PSS (smaps_rollup), never RSS; judge one process by its private pages");
    ja_whole(item, f, "rss_sum_bytes", sums->rss);
    ja_whole(item, f, "pss_sum_bytes", sums->pss);
    ja_whole(item, f, "processes", (int64_t)sums->processes);
    ja_cite_point(item, f, sums->largest);
}

/* ---- footprint: the processes of one call against its summary ---------------------------------
 */

struct call {
    int64_t low, value; /* sum over the processes */
    size_t processes;
    uint32_t largest; /* reading; JA_NONE */
    uint32_t source;
    const struct ja_fact *summary;
};

static uint32_t record_of(const struct ja_evidence *evidence, uint32_t reading)
{
    return ja_reading_record(evidence, reading);
}

/* Readings stand in the order of their records: the first one of a record or behind it. */
static uint32_t first_reading(const struct ja_evidence *evidence, uint32_t record)
{
    uint32_t low = 0, high = (uint32_t)evidence->reading_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (record_of(evidence, middle) < record)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add_record(const struct ja_evidence *evidence, uint32_t record, struct call *call)
{
    for (uint32_t i = first_reading(evidence, record);
         i < evidence->reading_count && record_of(evidence, i) == record; i++) {
        struct ja_reading reading = ja_reading_at(evidence, i);
        struct ja_quantity quantity = {reading.value, reading.resolution,
                                       (enum ja_rounding)reading.rounding};
        int64_t low, high;
        if (reading.metric != JA_METRIC_PHYS_FOOTPRINT)
            continue;
        ja_quantity_interval(quantity, &low, &high);
        call->low = ja_add(call->low, low);
        call->value = ja_add(call->value, reading.value);
        call->processes++;
        if (call->largest == JA_NONE ||
            reading.value > ja_reading_at(evidence, call->largest).value)
            call->largest = i;
    }
}

/* The blocks above a summary, back to the call before; in JSON the record holds them itself. */
static void sum_call(const struct ja_evidence *evidence, struct call *call)
{
    uint32_t summary = call->summary->record, stamp = evidence->records[summary].stamp;
    add_record(evidence, summary, call);
    if (call->processes)
        return;
    for (uint32_t r = summary; r-- > 0;) {
        size_t before = call->processes;
        if (evidence->records[r].kind != JA_KIND_FOOTPRINT || evidence->records[r].stamp != stamp)
            return;
        add_record(evidence, r, call);
        if (call->processes == before)
            return; /* the summary of another call */
    }
}

static int64_t excess_of(const struct call *call)
{
    return call->processes ? ja_subtract(call->value, call->summary->value) : 0;
}

static bool call_counts_twice(const struct call *call)
{
    int64_t least = ja_subtract(call->low, call->summary->value);
    return call->processes > 1 && least >= LEAST_EXCESS_BYTES &&
           least >= call->value / 100 * LEAST_EXCESS_PERCENT;
}

static void find_call(struct ja_case *item, uint32_t host, const struct call *call)
{
    struct ja_finding *f =
        ja_find(item, "shared_counted_twice", JA_CONFIRMED, JA_REMARK, host, JA_NONE);
    f->stake_bytes = excess_of(call);
    ja_say(item, f,
           ja_arena_print(item->arena, "footprints of %zu processes of one call", call->processes),
           JA_VERB_EXCEED, "the summary of that call by %s when added up (%s against %s)",
           ja_size_text(item, (double)excess_of(call), JA_MIB),
           ja_size_text(item, (double)call->value, JA_MIB),
           ja_size_text(item, (double)call->summary->value, JA_MIB));
    ja_because(item, f,
               "footprint counts pages that several processes share once in its summary "
               "and in full in each of them");
    ja_unless(item, f, "nothing: both are of the same call");
    ja_next(item, f, "use the summary as the total of these processes");
    ja_whole(item, f, "books_bytes", call->value);
    ja_whole(item, f, "summary_bytes", call->summary->value);
    ja_whole(item, f, "processes", (int64_t)call->processes);
    ja_cite(item, f, ja_cite_fact(item, call->source, call->summary));
    ja_cite(item, f, ja_cite_reading(item, call->source, call->largest));
}

/* The call of each machine with the largest difference. */
static void judge_calls(struct ja_case *item)
{
    struct call *worst = ja_arena_alloc(item->arena, item->host_count, sizeof *worst);
    for (uint32_t i = 0; i < item->source_count; i++) {
        const struct ja_source *source = &item->sources[i];
        const struct ja_evidence *evidence = source->evidence;
        for (size_t k = 0; source->duplicate_of == JA_NONE && k < evidence->fact_count; k++) {
            const struct ja_fact *fact = &evidence->facts[k];
            struct call call = {.largest = JA_NONE, .source = i, .summary = fact};
            if (fact->key != JA_FACT_SUMMARY_FOOTPRINT ||
                source->record_host[fact->record] == JA_NONE ||
                !ja_in_window(item, &source->record_at[fact->record]))
                continue;
            sum_call(evidence, &call);
            struct call *most = &worst[source->record_host[fact->record]];
            if (call_counts_twice(&call) && excess_of(&call) > excess_of(most))
                *most = call;
        }
    }
    for (uint32_t h = 0; h < item->host_count; h++)
        if (worst[h].processes)
            find_call(item, h, &worst[h]);
}

/* The moment of each machine with the largest difference. */
static void judge(struct ja_case *item)
{
    judge_calls(item);
    struct pair *pairs;
    size_t count = list_pairs(item, &pairs), moments = 0;
    struct sums worst = {.processes = 0};
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && pairs[end].host == pairs[i].host &&
                          pairs[end].pss.at->unix_ns == pairs[i].pss.at->unix_ns;)
            end++;
        struct sums sums = sum_pairs(pairs + i, end - i);
        if (counts_twice(&sums)) {
            moments++;
            if (!worst.processes || sums.rss - sums.pss > worst.rss - worst.pss)
                worst = sums;
        }
        if (worst.processes && (end == count || pairs[end].host != worst.host)) {
            find_shared(item, &worst, moments);
            worst.processes = moments = 0;
        }
    }
}

const struct ja_rule ja_rule_shared_counted_twice = {
    .question = "how much of the books is one page counted n times?",
    .names = {{"shared_counted_twice",
               "Compares the sum of RSS with the sum of PSS of the same processes at one moment. "
               "The difference is pages that more than one of them maps (libraries, shared pools, "
               "pages inherited by fork). One finding a machine: the moment with the largest "
               "difference. The same for one call of footprint over several processes, which "
               "prints its own total with shared pages in it once."}},
    .judge = judge,
};
