/* SPDX-License-Identifier: MIT
 *
 * Records that speak of one machine at one moment: those of a file, those of a snapshot folder.
 * Each learns what the others say of the machine, and the folder's moment from the best clock in
 * it.
 */
#include "model/build.h"

#include <stdlib.h>
#include <string.h>

/* True when something was taken. */
static bool fill_text(const char **text, const char *other)
{
    bool take = !*text && other;
    if (take)
        *text = other;
    return take;
}

static bool fill_number(int64_t *number, int64_t other)
{
    bool take = *number == JA_UNKNOWN && other != JA_UNKNOWN;
    if (take)
        *number = other;
    return take;
}

/* Takes from other what system does not say; true when there was something. Stamps are of other
 * files: not taken. */
static bool merge_system(struct ja_system *system, const struct ja_system *other)
{
    bool taken = false;
    taken |= fill_text(&system->host_name, other->host_name);
    taken |= fill_text(&system->host_key, other->host_key);
    taken |= fill_text(&system->processor, other->processor);
    taken |= fill_text(&system->model, other->model);
    taken |= fill_text(&system->os, other->os);
    taken |= fill_text(&system->kernel, other->kernel);
    taken |= fill_text(&system->boot_id, other->boot_id);
    taken |= fill_number(&system->page_bytes, other->page_bytes);
    taken |= fill_number(&system->tick_hz, other->tick_hz);
    taken |= fill_number(&system->cores, other->cores);
    taken |= fill_number(&system->ram_bytes, other->ram_bytes);
    return taken;
}

const struct ja_system ja_system_unsaid = {.page_bytes = JA_UNKNOWN,
                                           .tick_hz = JA_UNKNOWN,
                                           .cores = JA_UNKNOWN,
                                           .ram_bytes = JA_UNKNOWN,
                                           .boot_stamp = JA_NONE};

/* The system with what other says and it does not: itself, or one made in the case's arena. */
static const struct ja_system *merged(struct ja_build *build, const struct ja_system *system,
                                      const struct ja_system *other)
{
    struct ja_system all = *system;
    if (!merge_system(&all, other))
        return system;
    struct ja_system *made = ja_arena_alloc(build->item->arena, 1, sizeof *made);
    *made = all;
    return made;
}

struct placed {
    const char *snapshot;
    struct ja_moment *moment;
};

static int by_snapshot(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    int order = strcmp(x->snapshot, y->snapshot);
    return order ? order : (x->moment < y->moment ? -1 : x->moment > y->moment);
}

/* The better clock wins: what the evidence says of itself before names, names before mtimes. */
static bool better_clock(const struct ja_instant *a, const struct ja_instant *b)
{
    if (!ja_instant_known(a) || !ja_instant_known(b))
        return ja_instant_known(a);
    return a->clock != JA_CLOCK_NONE && a->clock < b->clock;
}

/* A snapshot that only says how long the machine was up: boot time + uptime. */
static struct ja_instant since_boot(const struct ja_build *build, const struct placed *placed,
                                    size_t count, const struct ja_instant *boot_at)
{
    for (size_t i = 0; i < count && boot_at; i++) {
        const struct ja_evidence *evidence = ja_moment_evidence(build, placed[i].moment);
        uint32_t index = ja_moment_record(build, placed[i].moment)->stamp;
        if (index == JA_NONE || !(evidence->stamps[index].parts & JA_STAMP_BOOT))
            continue;
        const struct ja_stamp *stamp = &evidence->stamps[index];
        struct ja_instant at = ja_instant_shifted(*boot_at, stamp->since_boot_ns, JA_UNKNOWN);
        at.late_ns = ja_add(at.late_ns, stamp->step_ns);
        at.clock = JA_CLOCK_DERIVED;
        at.text = stamp->text;
        return at;
    }
    return ja_instant_none();
}

static int64_t folder_page(const struct ja_build *build, const struct placed *placed, size_t count)
{
    struct ja_moment **moments = ja_arena_alloc(build->item->arena, count, sizeof *moments);
    for (size_t i = 0; i < count; i++)
        moments[i] = placed[i].moment;
    return ja_linux_page_bytes(build, moments, count);
}

/* The files of a folder are of one moment: what the best clock among them says. */
static void join_folder(struct ja_build *build, struct placed *placed, size_t count)
{
    struct ja_system all = ja_system_unsaid;
    struct ja_instant at = ja_instant_none();
    const struct ja_instant *boot_at = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct ja_moment *moment = placed[i].moment;
        merge_system(&all, moment->system);
        if (better_clock(&moment->at, &at))
            at = moment->at;
        if (!boot_at)
            boot_at = moment->boot_at;
    }
    if (!ja_instant_known(&at))
        at = since_boot(build, placed, count, boot_at);
    if (all.page_bytes == JA_UNKNOWN)
        all.page_bytes = folder_page(build, placed, count);
    for (size_t i = 0; i < count; i++) {
        struct ja_moment *moment = placed[i].moment;
        moment->system = merged(build, moment->system, &all);
        ja_linux_scale_pages(build, moment, all.page_bytes);
        if (better_clock(&at, &moment->at))
            moment->at = at;
        if (!moment->boot_at)
            moment->boot_at = boot_at;
    }
}

void ja_join_snapshots(struct ja_build *build)
{
    struct placed *placed = ja_arena_alloc(build->item->arena, build->moment_count, sizeof *placed);
    size_t count = 0;
    for (size_t i = 0; i < build->moment_count; i++) {
        const char *snapshot = ja_moment_record(build, &build->moments[i])->snapshot;
        if (snapshot)
            placed[count++] = (struct placed){snapshot, &build->moments[i]};
    }
    if (count)
        qsort(placed, count, sizeof *placed, by_snapshot);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && strcmp(placed[end].snapshot, placed[i].snapshot) == 0;)
            end++;
        join_folder(build, placed + i, end - i);
    }
}

/* Records of one file that say less than a neighbour of the same file speak of the same machine. */
void ja_share_systems(struct ja_build *build)
{
    for (size_t i = 0, end; i < build->moment_count; i = end) {
        const struct ja_evidence *evidence = ja_moment_evidence(build, &build->moments[i]);
        for (end = i;
             end < build->moment_count && build->moments[end].source == build->moments[i].source;)
            end++;
        if (evidence->system_count != 1)
            continue;
        const struct ja_system *from = NULL, *to = NULL; /* neighbours mostly say the same */
        for (size_t k = i; k < end; k++) {
            struct ja_moment *moment = &build->moments[k];
            if (moment->system != from) {
                from = moment->system;
                to = merged(build, from, &evidence->systems[0]);
            }
            moment->system = to;
        }
    }
}
