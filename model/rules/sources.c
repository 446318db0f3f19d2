/* SPDX-License-Identifier: MIT
 *
 * Do two sources agree at one moment within their rounding? Two readings of one figure are two
 * intervals: they agree when the intervals meet. Nothing finer than the coarser step is claimed.
 */
#include "model/rule.h"
#include "model/rows.h"

#include <stdlib.h>
#include <string.h>

/* The twin to show for one process and metric: a disagreement before any agreement, then the
 * largest gap or the finest pair. */
static bool tells_more(const struct ja_twin *twin, const struct ja_twin *than)
{
    if (twin->agree != than->agree)
        return !twin->agree;
    int64_t width = ja_add(twin->other.high - twin->other.low, twin->kept.high - twin->kept.low);
    int64_t other = ja_add(than->other.high - than->other.low, than->kept.high - than->kept.low);
    if (!twin->agree)
        return llabs(twin->kept.value - twin->other.value) >
               llabs(than->kept.value - than->other.value);
    return width < other;
}

static const char *tool_of(const struct ja_case *item, const struct ja_point *point)
{
    const struct ja_evidence *evidence = item->sources[point->source].evidence;
    return ja_kind_word(evidence->records[ja_reading_record(evidence, point->reading)].kind);
}

static const char *sides(struct ja_case *item, const struct ja_twin *twin)
{
    return ja_arena_print(item->arena, "%s by %s against %s by %s",
                          ja_size_text(item, (double)twin->kept.value, twin->kept.resolution),
                          tool_of(item, &twin->kept),
                          ja_size_text(item, (double)twin->other.value, twin->other.resolution),
                          tool_of(item, &twin->other));
}

static void explain(struct ja_case *item, struct ja_finding *f, const struct ja_twin *twin)
{
    double apart_s = (double)twin->apart_ns / (double)JA_NS_PER_S;
    ja_because(item, f,
               "the first lies between %lld and %lld bytes, the second between %lld and %lld; %s",
               (long long)twin->kept.low, (long long)twin->kept.high, (long long)twin->other.low,
               (long long)twin->other.high,
               twin->apart_ns ? ja_arena_print(item->arena, "they were read %s apart",
                                               ja_span_text(item, apart_s))
                              : "they speak of one moment");
    ja_whole(item, f, "difference_bytes", ja_subtract(twin->kept.value, twin->other.value));
    ja_whole(item, f, "first_bytes", twin->kept.value);
    ja_whole(item, f, "second_bytes", twin->other.value);
    ja_number(item, f, "apart_s", apart_s);
    ja_cite_point(item, f, twin->kept);
    ja_cite_point(item, f, twin->other);
}

static void find_twin(struct ja_case *item, const struct ja_twin *twin)
{
    uint32_t host = item->processes[twin->process].host;
    const char *who = ja_arena_print(item->arena, "%s, %s,", ja_process_text(item, twin->process),
                                     ja_metrics[twin->metric].name);
    struct ja_finding *f;
    if (twin->agree) {
        f = ja_find(item, "sources_agree", JA_CONFIRMED, JA_REMARK, host, twin->process);
        ja_say(item, f, who, JA_VERB_BE, "the same figure in two sources: %s", sides(item, twin));
        ja_unless(item, f, "a finer reading by either tool outside these bounds");
        ja_next(item, f, "nothing: readings of both may stand in one series, each with its step");
    } else {
        f = ja_find(item, "sources_disagree", JA_CANNOT, JA_REMARK, host, twin->process);
        ja_say(item, f, who, JA_VERB_BE,
               "what either source says: %s, further apart than their "
               "rounding allows",
               sides(item, twin));
        ja_unless(item, f, "both tools run again within the same second");
        ja_next(item, f,
                "run both tools again, one directly after the other, and keep both outputs");
        f->stake_bytes = llabs(twin->kept.value - twin->other.value);
    }
    f->metric = (int)twin->metric;
    explain(item, f, twin);
}

static int by_process(const void *a, const void *b)
{
    const struct ja_twin *x = *(const struct ja_twin *const *)a;
    const struct ja_twin *y = *(const struct ja_twin *const *)b;
    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    if (x->metric != y->metric)
        return x->metric < y->metric ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* Agreement is worth saying of the largest processes of a machine, not of every one. */
#define MOST_AGREEMENTS 8

/* Apart by no more than the process itself moved meanwhile: neither agreement nor contradiction. */
static bool undecided(const struct ja_twin *twin)
{
    int64_t gap = ja_subtract(twin->kept.low, twin->other.high);
    int64_t other = ja_subtract(twin->other.low, twin->kept.high);
    return !twin->agree && (gap > other ? gap : other) <= twin->drift_bytes;
}

/* Address space has one source only in name; its agreement proves nothing about memory, and
 * agreeing peaks add nothing to agreeing sizes. */
static bool worth_saying(const struct ja_case *item, const struct ja_twin *twin)
{
    return !twin->category && item->processes[twin->process].shown && !undecided(twin) &&
           !(twin->agree && (twin->metric == JA_METRIC_VIRTUAL ||
                             (ja_metrics[twin->metric].counts & JA_COUNTS_PEAK)));
}

static int by_weight(const void *a, const void *b)
{
    const struct ja_twin *x = *(const struct ja_twin *const *)a;
    const struct ja_twin *y = *(const struct ja_twin *const *)b;
    if (x->kept.value != y->kept.value)
        return x->kept.value > y->kept.value ? -1 : 1;
    return by_process(a, b);
}

/* All disagreements, and the agreements of the largest. */
static void find_twins(struct ja_case *item, const struct ja_twin **best, size_t count)
{
    size_t *said = ja_arena_alloc(item->arena, item->host_count, sizeof *said);
    if (count)
        qsort(best, count, sizeof *best, by_weight);
    for (size_t i = 0; i < count; i++)
        if (!best[i]->agree || said[item->processes[best[i]->process].host]++ < MOST_AGREEMENTS)
            find_twin(item, best[i]);
}

static void judge(struct ja_case *item)
{
    const struct ja_twin **twins = ja_arena_alloc(item->arena, item->twin_count, sizeof *twins);
    size_t count = 0;
    for (size_t i = 0; i < item->twin_count; i++)
        if (worth_saying(item, &item->twins[i]))
            twins[count++] = &item->twins[i];
    if (count)
        qsort(twins, count, sizeof *twins, by_process);
    size_t kept = 0;
    for (size_t i = 0, end; i < count; i = end) {
        const struct ja_twin *best = twins[i];
        for (end = i + 1; end < count && twins[end]->process == twins[i]->process &&
                          twins[end]->metric == twins[i]->metric;
             end++)
            if (tells_more(twins[end], best))
                best = twins[end];
        twins[kept++] = best;
    }
    find_twins(item, twins, kept);
}

const struct ja_rule ja_rule_sources = {
    .question = "do two sources agree at one moment within their rounding?",
    .names = {{"sources_agree",
               "Two tools read one figure of one process at one moment (within 60 s), and the "
               "intervals of the two readings meet. The coarser one bounds what that proves."},
              {"sources_disagree",
               "Two tools read one figure of one process within 60 s, and no rounding makes them "
               "meet. Which is right cannot be told from outside; the difference is no growth."}},
    .judge = judge,
};
