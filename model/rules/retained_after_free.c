/* SPDX-License-Identifier: MIT
 *
 * Is memory held by the allocator after free? Two signs in one dump: a malloc zone whose dirty and
 * swapped pages exceed what it has allocated, and regions that are marked "(empty)" and still
 * dirty. Cold pages of used regions are no sign: they are in use, only swapped. A third sign lies
 * between two readings: a fall that follows a trim which the operator notes.
 */
#include "model/rule.h"
#include "model/window.h"
#include "model/rows.h"

#include <math.h>
#include <string.h>

#define LEAST_RETAINED (16 * JA_MIB) /* a high share of a small zone is noise */
#define LEAST_SHARE 10               /* one part in ten of the footprint */
#define SWITCH_TO_GIB (990 * JA_MIB)
#define MOST_CITES 4
#define TRIM_SPAN_NS (15 * 60 * JA_NS_PER_S) /* readings on either side of a trim */

/* What one dump says of a process. */
struct held {
    bool known, zones;
    uint32_t source, record; /* all of the process that one record says is one dump */
    const struct ja_instant *at;
    int64_t retained, live; /* sums over zones; live JA_UNKNOWN without a zone table */
    int64_t charged;        /* sum of its categories */
    int64_t footprint;      /* JA_UNKNOWN */
};

static const struct ja_instant *moment_of(const struct ja_source *source, uint32_t subject)
{
    return &source->record_at[ja_subject_record(source->evidence, subject)];
}

static bool newer(const struct ja_instant *at, const struct held *than)
{
    if (!than->known)
        return true;
    if (!ja_instant_known(at) || !ja_instant_known(than->at))
        return ja_instant_known(at) || !ja_instant_known(than->at);
    return at->unix_ns >= than->at->unix_ns;
}

static bool is_part(const struct ja_source *source, uint32_t index, uint32_t subject,
                    const struct held *held)
{
    return held->known && held->source == index &&
           held->record == ja_subject_record(source->evidence, subject);
}

/* The entry of the subject's process when this dump is its newest; NULL otherwise. */
static struct held *entry_of(const struct ja_case *item, struct held *helds, uint32_t source,
                             uint32_t subject)
{
    const struct ja_source *s = &item->sources[source];
    uint32_t process = ja_subject_process(s, subject);
    if (process == JA_NONE || s->duplicate_of != JA_NONE ||
        !ja_in_window(item, moment_of(s, subject)))
        return NULL;
    struct held *held = &helds[process];
    if (is_part(s, source, subject, held))
        return held;
    if (!newer(moment_of(s, subject), held))
        return NULL;
    *held = (struct held){.known = true,
                          .source = source,
                          .record = ja_subject_record(s->evidence, subject),
                          .at = moment_of(s, subject),
                          .live = JA_UNKNOWN,
                          .footprint = JA_UNKNOWN};
    return held;
}

static void collect_zones(const struct ja_case *item, struct held *helds)
{
    for (uint32_t i = 0; i < item->source_count; i++) {
        const struct ja_evidence *evidence = item->sources[i].evidence;
        for (size_t k = 0; k < evidence->fact_count; k++) {
            const struct ja_fact *fact = &evidence->facts[k];
            if (fact->key != JA_FACT_RETAINED || fact->subject == JA_NONE)
                continue;
            struct held *held = entry_of(item, helds, i, fact->subject);
            if (!held)
                continue;
            held->zones = true;
            held->retained = ja_add(held->retained, fact->value);
        }
    }
}

static bool is_empty_region(const char *category)
{
    static const char ending[] = " (empty)";
    size_t n = strlen(category);
    return n > sizeof ending && strcmp(category + n - (sizeof ending - 1), ending) == 0 &&
           strncmp(category, "MALLOC", 6) == 0;
}

/* Dumps without a zone table: empty regions that are still charged. */
static void collect_regions(const struct ja_case *item, struct held *helds)
{
    for (uint32_t i = 0; i < item->source_count; i++) {
        const struct ja_evidence *evidence = item->sources[i].evidence;
        for (uint32_t k = 0; evidence->category_count && k < evidence->reading_count; k++) {
            struct ja_reading reading = ja_reading_at(evidence, k);
            if (reading.category == JA_NONE ||
                !is_empty_region(evidence->categories[reading.category]))
                continue;
            struct held *held = entry_of(item, helds, i, reading.subject);
            if (held && !held->zones)
                held->retained = ja_add(held->retained, reading.value);
        }
    }
}

/* Which sources the dumps chosen are from: most evidence holds none. */
static bool *chosen_sources(const struct ja_case *item, const struct held *helds)
{
    bool *chosen = ja_arena_alloc(item->arena, item->source_count, sizeof *chosen);
    for (size_t p = 0; p < item->process_count; p++)
        if (helds[p].known)
            chosen[helds[p].source] = true;
    return chosen;
}

/* Live bytes and footprint of the dumps chosen. */
static void collect_context(const struct ja_case *item, struct held *helds)
{
    bool *chosen = chosen_sources(item, helds);
    for (uint32_t i = 0; i < item->source_count; i++) {
        const struct ja_source *source = &item->sources[i];
        const struct ja_evidence *evidence = source->evidence;
        for (size_t k = 0; k < evidence->fact_count; k++) {
            const struct ja_fact *fact = &evidence->facts[k];
            if (fact->key != JA_FACT_LIVE || fact->subject == JA_NONE ||
                ja_subject_process(source, fact->subject) == JA_NONE)
                continue;
            struct held *held = &helds[ja_subject_process(source, fact->subject)];
            if (held->zones && is_part(source, i, fact->subject, held))
                held->live = ja_add(held->live == JA_UNKNOWN ? 0 : held->live, fact->value);
        }
        for (uint32_t k = 0; k < evidence->reading_count && chosen[i]; k++) {
            struct ja_reading reading = ja_reading_at(evidence, k);
            uint32_t process = ja_subject_process(source, reading.subject);
            if (process == JA_NONE || !is_part(source, i, reading.subject, &helds[process]))
                continue;
            if (reading.metric == JA_METRIC_PHYS_FOOTPRINT)
                helds[process].footprint = reading.value;
            if (reading.metric == JA_METRIC_CATEGORY)
                helds[process].charged = ja_add(helds[process].charged, reading.value);
        }
    }
}

/* What the printed digits leave open: vmmap shows a tenth of a unit, in G from about 1024 M on. */
static int64_t doubt(const struct held *held)
{
    int64_t largest = ja_add(held->retained, held->live == JA_UNKNOWN ? 0 : held->live);
    return (largest >= SWITCH_TO_GIB ? JA_GIB : JA_MIB) / 10;
}

static bool matters(const struct held *held)
{
    int64_t whole = held->footprint != JA_UNKNOWN ? held->footprint : held->charged;
    return held->known && held->retained >= LEAST_RETAINED && held->retained >= whole / LEAST_SHARE;
}

static void cite_dump(struct ja_case *item, struct ja_finding *f, uint32_t process,
                      const struct held *held)
{
    const struct ja_source *source = &item->sources[held->source];
    const struct ja_evidence *evidence = source->evidence;
    int cited = 0;
    for (size_t k = 0; held->zones && k < evidence->fact_count && cited < MOST_CITES; k++) {
        const struct ja_fact *fact = &evidence->facts[k];
        if (fact->key == JA_FACT_RETAINED && fact->subject != JA_NONE && fact->value > 0 &&
            ja_subject_process(source, fact->subject) == process &&
            is_part(source, held->source, fact->subject, held)) {
            ja_cite(item, f, ja_cite_fact(item, held->source, fact));
            cited++;
        }
    }
    for (uint32_t k = 0; !held->zones && k < evidence->reading_count && cited < MOST_CITES; k++) {
        struct ja_reading reading = ja_reading_at(evidence, k);
        if (reading.category != JA_NONE && ja_subject_process(source, reading.subject) == process &&
            is_part(source, held->source, reading.subject, held) &&
            is_empty_region(evidence->categories[reading.category])) {
            ja_cite(item, f, ja_cite_reading(item, held->source, k));
            cited++;
        }
    }
}

static void find_held(struct ja_case *item, uint32_t process, const struct held *held)
{
    struct ja_finding *f = ja_find(item, "retained_after_free", JA_CONFIRMED, JA_REMARK,
                                   item->processes[process].host, process);
    f->stake_bytes = held->retained;
    ja_say(item, f, ja_process_text(item, process), JA_VERB_HOLD,
           "%s that its allocator reports as not allocated%s",
           ja_size_text(item, (double)held->retained, doubt(held)),
           held->live == JA_UNKNOWN
               ? ""
               : ja_arena_print(item->arena, ", beside %s that is",
                                ja_size_text(item, (double)held->live, doubt(held))));
    ja_because(item, f, "%s",
               held->zones ? "dirty + swapped pages of its malloc zones, less the bytes they have "
                             "allocated"
                           : "regions that the allocator marks empty are still dirty or swapped; "
                             "there is no zone table to say what else it holds");
    ja_unless(item, f,
              "a zone table in which allocated bytes come close to dirty + swapped pages, or a "
              "footprint that falls once the allocator is asked to give back");
    ja_next(item, f,
            "save vmmap -summary again after malloc_zone_pressure_relief (or after memory "
            "pressure), and compare the zone tables");
    ja_whole(item, f, "retained_bytes", held->retained);
    ja_whole(item, f, "live_bytes", held->live);
    cite_dump(item, f, process, held);
}

/* ---- a fall that follows a trim -------------------------------------------------------------- */

/* Number behind "pid " in a note; JA_UNKNOWN when there is none. */
static int64_t pid_in(const char *text)
{
    const char *at = strstr(text, "pid ");
    int64_t pid = 0;
    if (!at || at[4] < '0' || at[4] > '9')
        return JA_UNKNOWN;
    for (at += 4; *at >= '0' && *at <= '9' && pid < INT32_MAX; at++)
        pid = pid * 10 + (*at - '0');
    return pid;
}

static bool speaks_of_trim(const struct ja_event *event)
{
    return event->kind == JA_EVENT_NOTE && event->detail && ja_instant_known(event->at) &&
           (strstr(event->detail, "trim") || strstr(event->detail, "pressure_relief"));
}

static bool speaks_of(const char *text, const struct ja_process *process)
{
    int64_t pid = pid_in(text);
    if (pid != JA_UNKNOWN)
        return pid == process->pid;
    return strlen(process->name) > 1 && strstr(text, process->name);
}

/* The readings next to the note on either side. */
static bool around(const struct ja_series *series, int64_t at_ns, struct ja_point *ret_before,
                   struct ja_point *ret_after)
{
    size_t i = 0;
    while (i < series->point_count && ja_point_at(series, i).at->unix_ns <= at_ns)
        i++;
    if (i == 0 || i == series->point_count)
        return false;
    *ret_before = ja_point_at(series, i - 1);
    *ret_after = ja_point_at(series, i);
    return at_ns - ret_before->at->unix_ns <= TRIM_SPAN_NS &&
           ret_after->at->unix_ns - at_ns <= TRIM_SPAN_NS;
}

static void find_trimmed(struct ja_case *item, const struct ja_series *series, uint32_t event,
                         const struct ja_point *before, const struct ja_point *after)
{
    struct ja_finding *f = ja_find(item, "retained_after_free", JA_CONSISTENT, JA_REMARK,
                                   item->processes[series->process].host, series->process);
    int64_t fall = before->value - after->value;
    f->metric = (int)series->metric;
    f->stake_bytes = fall;
    ja_say(item, f, ja_process_text(item, series->process), JA_VERB_HOLD,
           "%s that its allocator gives back when asked: %s fell from %s to %s",
           ja_size_text(item, (double)fall, before->resolution), ja_metrics[series->metric].name,
           ja_size_text(item, (double)before->value, before->resolution),
           ja_size_text(item, (double)after->value, after->resolution));
    ja_because(item, f,
               "the fall lies between the two readings around the operator's note (%s): freed "
               "memory that was kept, not live objects, and no restart",
               ja_name_text(item, item->events[event].detail));
    ja_unless(item, f,
              "another reason for the fall in the same minutes (work that ended, a cache "
              "that was dropped)");
    ja_next(item, f, "repeat it with readings directly before and after the trim, without work");
    ja_whole(item, f, "retained_bytes", fall);
    ja_whole(item, f, "live_bytes", after->value);
    ja_cite_point(item, f, *before);
    ja_cite_point(item, f, *after);
    ja_cite(item, f, ja_cite_event(item, event));
}

static void judge_trim(struct ja_case *item, uint32_t event, uint32_t process)
{
    static const enum ja_metric metrics[] = {JA_METRIC_PHYS_FOOTPRINT, JA_METRIC_ANON_SWAP,
                                             JA_METRIC_ANONYMOUS, JA_METRIC_RESIDENT};
    for (size_t m = 0; m < sizeof metrics / sizeof *metrics; m++) {
        const struct ja_series *series = ja_process_series(item, process, metrics[m]);
        struct ja_point before, after;
        if (!series || !around(series, item->events[event].at->unix_ns, &before, &after))
            continue;
        if (before.low - after.high >= LEAST_RETAINED)
            find_trimmed(item, series, event, &before, &after);
        return;
    }
}

static void judge_trims(struct ja_case *item)
{
    for (uint32_t e = 0; e < item->event_count; e++)
        for (uint32_t p = 0; speaks_of_trim(&item->events[e]) && p < item->process_count; p++)
            if (item->processes[p].shown && speaks_of(item->events[e].detail, &item->processes[p]))
                judge_trim(item, e, p);
}

/* Most evidence has neither zones nor regions: then nothing is set up for its many processes. */
static bool any_dump(const struct ja_case *item)
{
    for (size_t i = 0; i < item->source_count; i++) {
        const struct ja_evidence *evidence = item->sources[i].evidence;
        if (evidence->category_count)
            return true;
        for (size_t k = 0; k < evidence->fact_count; k++)
            if (evidence->facts[k].key == JA_FACT_RETAINED)
                return true;
    }
    return false;
}

static void judge(struct ja_case *item)
{
    judge_trims(item);
    if (!any_dump(item))
        return;
    struct held *helds = ja_arena_alloc(item->arena, item->process_count, sizeof *helds);
    collect_zones(item, helds);
    collect_regions(item, helds);
    collect_context(item, helds);
    for (uint32_t p = 0; p < item->process_count; p++)
        if (item->processes[p].shown && matters(&helds[p]))
            find_held(item, p, &helds[p]);
}

const struct ja_rule ja_rule_retained_after_free = {
    .question = "is memory held by the allocator after free?",
    .names =
        {{"retained_after_free",
          "Emitted when the newest dump of a process that has a zone table, or regions marked "
          "(empty), shows at least 16 MiB and a tenth of the footprint that the allocator "
          "neither uses nor has given back; or when the operator notes a trim of a process (with "
          "its pid or name) and the readings on either side of it fall. Swapped pages of used "
          "regions do not count. It is "
          "no leak of live objects, and says nothing of whether it grows."}},
    .judge = judge,
};
