/* SPDX-License-Identifier: MIT
 *
 * What one file cannot know alone, settled before anyone is identified: when each record was, which
 * records of a snapshot folder are one moment.
 */
#include "model/build.h"

#include <stdlib.h>
#include <string.h>

#include "model/clock.h"
#include "model/rounds.h"
#include "model/rows.h"

#define BATCH ((size_t)64) /* sources that one job takes */

static struct ja_instant at_mtime(int64_t mtime_ns)
{
    struct ja_instant at = ja_instant_none();
    at.late_ns = mtime_ns - mtime_ns % JA_NS_PER_US;
    at.clock = JA_CLOCK_MTIME;
    return at;
}

/* The moments of records that carry no stamp of their own. */
static void date_undated(struct ja_case *item, struct ja_source *source,
                         const struct ja_stated_time *stated)
{
    struct ja_evidence *evidence = source->evidence;
    struct ja_instant base = ja_instant_none();
    int64_t interval_ns = JA_UNKNOWN, within_ns = JA_UNKNOWN;
    if (stated && ja_clock_stated(&stated->at, item->statements, &base)) {
        interval_ns = stated->interval_ns;
        within_ns = stated->within_ns;
        base.clock = JA_CLOCK_MANIFEST;
    } else if (evidence->name_stamp != JA_NONE) {
        base = source->instants[evidence->name_stamp];
        base.clock = JA_CLOCK_FILE_NAME;
    } else if (source->mtime_ns != JA_UNKNOWN && !item->statements->ignore_mtime) {
        base = at_mtime(source->mtime_ns);
    }
    bool known = ja_instant_known(&base);
    uint32_t *rounds = ja_arena_alloc(item->arena, evidence->record_count, sizeof *rounds);
    bool single = ja_rounds_count(evidence, item->arena, rounds) <= 1;
    /* Rounds of a loop with a known spacing: so long after a start that only the operator knows. */
    for (size_t i = 0; i < evidence->stamp_count; i++)
        if (evidence->stamps[i].parts == 0 && base.clock == JA_CLOCK_MANIFEST)
            source->instants[i] = ja_instant_shifted(base, evidence->stamps[i].shift_ns, within_ns);
    for (size_t i = 0; i < evidence->record_count; i++) {
        if (evidence->records[i].stamp != JA_NONE)
            continue;
        if (known && interval_ns != JA_UNKNOWN)
            source->record_at[i] = ja_instant_shifted(base, rounds[i] * interval_ns, within_ns);
        else if (known && single)
            source->record_at[i] = ja_instant_shifted(base, 0, within_ns);
        else if (!known)
            source->record_at[i] = base; /* at most an upper bound */
    }
}

/* Readings share their record's moment unless they carry a stamp of their own. */
static void date_records(struct ja_case *item, struct ja_source *source,
                         const struct ja_stated_time *stated)
{
    struct ja_evidence *evidence = source->evidence;
    source->record_at =
        ja_arena_alloc(item->arena, evidence->record_count, sizeof *source->record_at);
    for (size_t i = 0; i < evidence->record_count; i++) {
        uint32_t stamp = evidence->records[i].stamp;
        source->record_at[i] = stamp == JA_NONE ? ja_instant_none() : source->instants[stamp];
    }
    date_undated(item, source, stated);
    if (stated && stated->at.parts && evidence->record_count &&
        evidence->records[0].stamp != JA_NONE && ja_instant_known(&source->record_at[0]) &&
        source->record_at[0].clock != JA_CLOCK_FILE_NAME) {
        struct ja_instant said;
        if (ja_clock_stated(&stated->at, item->statements, &said) &&
            llabs(said.unix_ns - source->record_at[0].unix_ns) > 60 * JA_NS_PER_S)
            ja_diagnose(evidence, JA_WARNING, "time-conflict", 0, NULL,
                        "the operator's time differs from the one in the file; the file's is kept");
    }
}

static struct ja_instant instant_of(const struct ja_source *source, uint32_t stamp)
{
    return stamp == JA_NONE ? ja_instant_none() : source->instants[stamp];
}

static void set_times(const struct ja_build *build, struct ja_source *source)
{
    struct ja_case *item = build->item;
    struct ja_evidence *evidence = source->evidence;
    struct ja_clock_context context = {
        .has_zone = item->statements->has_zone,
        .zone_offset_s = item->statements->zone_offset_s,
        .boot_unix_ns = JA_UNKNOWN,
        .stated_unix_ns = JA_UNKNOWN,
        .mtime_ns = item->statements->ignore_mtime ? JA_UNKNOWN : source->mtime_ns,
    };
    const struct ja_stated_time *stated = ja_stated_time_of(&build->stated, evidence->path);
    struct ja_instant said;
    if (stated && ja_clock_stated(&stated->at, item->statements, &said))
        context.stated_unix_ns = said.unix_ns;
    source->instants = ja_arena_alloc(item->arena, evidence->stamp_count, sizeof *source->instants);
    source->zone_unknown = ja_clock_resolve(evidence, &context, source->instants);
    source->captured = instant_of(source, evidence->captured);
    source->written = instant_of(source, evidence->written);
    date_records(item, source, stated);
    if (evidence->captured == JA_NONE && evidence->record_count)
        source->captured = source->record_at[0];
    if (source->captured.clock == JA_CLOCK_NONE && context.stated_unix_ns != JA_UNKNOWN) {
        source->captured =
            ja_instant_shifted(said, 0, stated->within_ns); /* of the first of several rounds */
        source->captured.clock = JA_CLOCK_MANIFEST;
    }
}

static const struct ja_instant *known_or_null(const struct ja_instant *instant)
{
    return ja_instant_known(instant) ? instant : NULL;
}

static void add_moments(struct ja_build *build, uint32_t index)
{
    struct ja_source *source = &build->item->sources[index];
    const struct ja_evidence *evidence = source->evidence;
    for (uint32_t r = 0; r < evidence->record_count; r++) {
        struct ja_moment *moment = &build->moments[build->moment_count++];
        *moment =
            (struct ja_moment){.source = index, .record = r, .host = JA_NONE, .boot = JA_NONE};
        moment->first_subject = evidence->records[r].first_subject;
        moment->subject_count = evidence->records[r].subject_count;
        moment->subjects = evidence->by_record ? evidence->by_record + moment->first_subject : NULL;
        moment->snapshot = evidence->records[r].snapshot;
        moment->of = evidence->records[r].of;
        moment->system = &ja_system_unsaid;
        moment->at = source->record_at[r];
        if (evidence->records[r].system == JA_NONE)
            continue;
        moment->system = &evidence->systems[evidence->records[r].system];
        if (moment->system->boot_stamp != JA_NONE)
            moment->boot_at = known_or_null(&source->instants[moment->system->boot_stamp]);
    }
}

/* ---- the step -------------------------------------------------------------------------------- */

bool ja_subject_reading(const struct ja_source *source, uint32_t subject, enum ja_metric metric,
                        struct ja_reading *ret)
{
    bool found = false;
    const struct ja_evidence *evidence = source->evidence;
    for (uint32_t r = ja_first_reading(evidence, subject); r != JA_NONE;
         r = ja_next_reading(evidence, r)) {
        struct ja_reading reading = ja_reading_at(evidence, r);
        if (reading.metric != metric || (found && reading.resolution >= ret->resolution))
            continue;
        *ret = reading;
        found = true;
    }
    return found;
}

static void take_input(struct ja_case *item, const struct ja_input *input, struct ja_source *source)
{
    struct ja_evidence *evidence = input->evidence;
    *source = (struct ja_source){
        .evidence = evidence,
        .sha256 = ja_arena_string(item->arena, input->sha256),
        .size_bytes = input->size_bytes,
        .mtime_ns = input->mtime_ns,
        .role = input->role,
        .outside = input->outside,
        .duplicate_of = JA_NONE,
    };
    source->record_host =
        ja_arena_alloc(item->arena, evidence->record_count, sizeof *source->record_host);
    source->record_boot =
        ja_arena_alloc(item->arena, evidence->record_count, sizeof *source->record_boot);
    for (size_t r = 0; r < evidence->record_count; r++)
        source->record_host[r] = source->record_boot[r] = JA_NONE;
}

/* What is done for each source by itself, in batches that are jobs. */
struct sources {
    struct ja_build *build;
    const struct ja_input *inputs;
    struct ja_case *batches; /* copies of the case, each with an arena of its own */
};

static size_t batch_end(const struct sources *sources, size_t index)
{
    size_t end = (index + 1) * BATCH, count = sources->build->item->source_count;
    return end < count ? end : count;
}

static void take_batch(size_t index, void *data)
{
    const struct sources *sources = data;
    struct ja_case *item = &sources->batches[index];
    struct ja_build build = *sources->build;
    *item = *build.item;
    item->arena = ja_arena_new();
    build.item = item;
    for (size_t i = index * BATCH; i < batch_end(sources, index); i++) {
        take_input(item, &sources->inputs[i], &item->sources[i]);
        set_times(&build, &item->sources[i]);
    }
}

static void make_moments(struct ja_build *build)
{
    struct ja_case *item = build->item;
    size_t records = 0;
    for (size_t i = 0; i < item->source_count; i++)
        if (item->sources[i].duplicate_of == JA_NONE)
            records += item->sources[i].evidence->record_count;
    build->moments = ja_arena_alloc(item->arena, records, sizeof *build->moments);
    for (uint32_t i = 0; i < item->source_count; i++)
        if (item->sources[i].duplicate_of == JA_NONE)
            add_moments(build, i);
    ja_share_systems(build);
}

void ja_build_context(struct ja_build *build, const struct ja_input *inputs, size_t count)
{
    struct ja_case *item = build->item;
    size_t batches = (count + BATCH - 1) / BATCH;
    struct sources sources = {.build = build, .inputs = inputs};
    sources.batches = ja_arena_alloc(build->scratch, batches, sizeof *sources.batches);
    build->stated = ja_stated_rows_of(item->statements, item->arena);
    item->sources = ja_arena_alloc(item->arena, count, sizeof *item->sources);
    item->source_count = count;
    build->run(batches, take_batch, &sources);
    ja_find_copies(item);
    make_moments(build);
    for (size_t i = 0; i < batches; i++)
        ja_arena_join(item->arena, sources.batches[i].arena);
    ja_join_snapshots(build);
    for (size_t i = 0; i < count; i++)
        ja_evidence_dated(item->sources[i].evidence);
}
