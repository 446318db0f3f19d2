/* SPDX-License-Identifier: MIT
 *
 * Was a reading converted, or its unit mixed? Two signs: figures that the tool cannot have printed
 * because they are GB readings times 1024 (the parser widened them and said so), and two sources
 * of one moment that differ by exactly the ratio of a decimal and a binary unit.
 */
#include "model/rule.h"
#include "model/window.h"

#include <math.h>
#include <stdlib.h>

struct suspect {
    size_t figures;
    uint32_t source;
    const struct ja_fact *first, *last;
};

/* Converted figures of a process, from the facts that parsers left with a value. */
static void collect(const struct ja_case *item, struct suspect *suspects)
{
    for (uint32_t i = 0; i < item->source_count; i++) {
        const struct ja_source *source = &item->sources[i];
        for (size_t k = 0; k < source->evidence->fact_count; k++) {
            const struct ja_fact *fact = &source->evidence->facts[k];
            if (fact->key != JA_FACT_HAND_EDITED || fact->value == JA_UNKNOWN ||
                fact->subject == JA_NONE || ja_subject_process(source, fact->subject) == JA_NONE ||
                !ja_in_window(item, &source->record_at[fact->record]))
                continue;
            struct suspect *s = &suspects[ja_subject_process(source, fact->subject)];
            if (!s->figures++) {
                s->first = fact;
                s->source = i;
            }
            if (s->source == i)
                s->last = fact;
        }
    }
}

static void find_converted(struct ja_case *item, uint32_t process, const struct suspect *suspect)
{
    struct ja_finding *f = ja_find(item, "unit_suspect", JA_CONSISTENT, JA_REMARK,
                                   item->processes[process].host, process);
    ja_say(item, f, ja_process_text(item, process), JA_VERB_BE,
           "read in whole GB and multiplied by 1024 afterwards (%zu figures): each is good to half "
           "a GB only, and two equal ones may differ by almost one",
           suspect->figures);
    ja_because(item, f,
               "every one of them is a multiple of 1024 MB above 9999 MB, which the tool "
               "would have printed in GB");
    ja_unless(item, f, "the tool's own output of the same moments");
    ja_next(item, f, "save the tool's output as it is, with -f bytes where it has that option");
    ja_whole(item, f, "readings", (int64_t)suspect->figures);
    ja_whole(item, f, "resolution_bytes", JA_GIB);
    ja_cite(item, f, ja_cite_fact(item, suspect->source, suspect->first));
    ja_cite(item, f, ja_cite_fact(item, suspect->source, suspect->last));
}

/* The unit pair whose ratio makes the two intervals meet; NULL when there is none. */
static const char *mixed_units(const struct ja_twin *twin)
{
    static const struct {
        double ratio;
        const char *name;
    } pairs[] = {{1073741824.0 / 1e9, "GiB and GB (10^9)"},
                 {1048576.0 / 1e6, "MiB and MB (10^6)"},
                 {1024.0, "a unit and the next one"}};
    bool kept_larger = twin->kept.value > twin->other.value;
    const struct ja_point *large = kept_larger ? &twin->kept : &twin->other;
    const struct ja_point *small = kept_larger ? &twin->other : &twin->kept;
    if (small->low <= 0)
        return NULL;
    double low = (double)large->low / (double)small->high;
    double high = (double)large->high / (double)small->low;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        /* Coarse readings fit any ratio: they prove nothing. */
        if (low <= pairs[i].ratio && pairs[i].ratio <= high && high / low < 1.02)
            return pairs[i].name;
    return NULL;
}

static void find_mixed(struct ja_case *item, const struct ja_twin *twin, const char *units)
{
    struct ja_finding *f = ja_find(item, "unit_suspect", JA_CONSISTENT, JA_REMARK,
                                   item->processes[twin->process].host, twin->process);
    f->metric = (int)twin->metric;
    ja_say(item, f, ja_process_text(item, twin->process), JA_VERB_BE,
           "read in two units: %s and %s at one moment differ by the ratio of %s",
           ja_size_text(item, (double)twin->kept.value, twin->kept.resolution),
           ja_size_text(item, (double)twin->other.value, twin->other.resolution), units);
    ja_because(item, f, "the two readings do not agree, and multiplied by that ratio they do");
    ja_unless(item, f, "the output of both tools in bytes");
    ja_next(item, f, "find out which unit the second tool prints, and read both again in bytes");
    ja_whole(item, f, "first_bytes", twin->kept.value);
    ja_whole(item, f, "second_bytes", twin->other.value);
    ja_cite_point(item, f, twin->kept);
    ja_cite_point(item, f, twin->other);
}

static bool any_edited(const struct ja_case *item)
{
    for (size_t i = 0; i < item->source_count; i++)
        for (size_t k = 0; k < item->sources[i].evidence->fact_count; k++)
            if (item->sources[i].evidence->facts[k].key == JA_FACT_HAND_EDITED)
                return true;
    return false;
}

static void judge_converted(struct ja_case *item)
{
    if (!any_edited(item))
        return;
    struct suspect *suspects = ja_arena_alloc(item->arena, item->process_count, sizeof *suspects);
    collect(item, suspects);
    for (uint32_t p = 0; p < item->process_count; p++)
        if (item->processes[p].shown && suspects[p].figures)
            find_converted(item, p, &suspects[p]);
}

static void judge(struct ja_case *item)
{
    judge_converted(item);
    for (size_t i = 0; i < item->twin_count; i++) {
        const struct ja_twin *twin = &item->twins[i];
        const char *units = twin->agree || twin->category ? NULL : mixed_units(twin);
        if (units && item->processes[twin->process].shown)
            find_mixed(item, twin, units);
    }
}

const struct ja_rule ja_rule_unit_suspect = {
    .question = "was a reading converted, or its unit mixed?",
    .names =
        {{"unit_suspect",
          "Emitted when figures are whole multiples of 1024 in a unit that the tool would have "
          "left for the next one (so they were read in that one and converted), or when two "
          "readings of one moment differ by exactly the ratio of a decimal and a binary unit. "
          "Never more than CONSISTENT WITH: nobody recorded the conversion."}},
    .judge = judge,
};
