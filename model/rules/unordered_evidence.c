/* SPDX-License-Identifier: MIT
 *
 * Which readings have no time? They keep their order inside their file and get no slope.
 */
#include "model/rule.h"
#include "model/rows.h"

static bool undated(const struct ja_source *source, uint32_t reading)
{
    const struct ja_evidence *evidence = source->evidence;
    uint32_t record = ja_reading_record(evidence, reading);
    uint32_t stamp = ja_reading_stamp(evidence, reading);
    if (stamp != JA_NONE && stamp != evidence->records[record].stamp)
        return !ja_instant_known(&source->instants[stamp]);
    return !ja_instant_known(&source->record_at[record]);
}

/* Every moment of the source is known: nearly always, and seen without a look at its readings. */
static bool all_dated(const struct ja_source *source)
{
    for (size_t i = 0; i < source->evidence->record_count; i++)
        if (!ja_instant_known(&source->record_at[i]))
            return false;
    for (size_t i = 0; i < source->evidence->stamp_count; i++)
        if (!ja_instant_known(&source->instants[i]))
            return false;
    return true;
}

static void find_undated(struct ja_case *item, uint32_t index, size_t count, uint32_t first,
                         uint32_t last)
{
    const struct ja_source *source = &item->sources[index];
    const struct ja_evidence *evidence = source->evidence;
    uint32_t record = ja_reading_record(evidence, first);
    struct ja_finding *f = ja_find(item, "unordered_evidence", JA_CANNOT, JA_REMARK,
                                   source->record_host[record], JA_NONE);
    ja_say(item, f, ja_name_text(item, evidence->path), JA_VERB_RECORD,
           "when its %zu reading%s taken: nothing dates %s", count, count == 1 ? " was" : "s were",
           count == 1 ? "it" : "them");
    ja_because(item, f, "neither the text, nor the file's name, nor the operator says when");
    ja_unless(item, f, "a MANIFEST.tsv row or a \"captured\" entry of the case file for it");
    ja_next(item, f, "print the time with every reading (date -u +%%Y-%%m-%%dT%%H:%%M:%%SZ)");
    ja_whole(item, f, "readings", (int64_t)count);
    ja_cite(item, f, ja_cite_reading(item, index, first));
    if (last != first)
        ja_cite(item, f, ja_cite_reading(item, index, last));
}

static void judge(struct ja_case *item)
{
    for (uint32_t i = 0; i < item->source_count; i++) {
        const struct ja_source *source = &item->sources[i];
        size_t count = 0;
        uint32_t first = 0, last = 0;
        if (source->duplicate_of != JA_NONE || all_dated(source))
            continue;
        for (uint32_t r = 0; r < source->evidence->reading_count; r++) {
            if (!undated(source, r))
                continue;
            first = count ? first : r;
            last = r;
            count++;
        }
        if (count)
            find_undated(item, i, count, first, last);
    }
}

const struct ja_rule ja_rule_unordered_evidence = {
    .question = "which readings have no time?",
    .names = {{"unordered_evidence",
               "Readings without a time keep the order of their file: a first and a last value can "
               "be compared, a slope cannot be had, and nothing places them on the timeline."}},
    .judge = judge,
};
