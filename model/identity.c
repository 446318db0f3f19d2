/* SPDX-License-Identifier: MIT
 *
 * Who is who. A process is one incarnation on one boot of one host: the same start time, or the
 * same age difference as every other survivor, or at least the same pid and name with nothing
 * against it. A younger age, a new start, falling CPU time, a new binary, a smaller lifetime peak
 * split a pid into several lives.
 */
#include "model/identity.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "model/hash.h"
#include "model/rows.h"

/* A row is of one of the latest lives under its pid, or of a new one: a machine that gives a pid
 * away again tells of old lives no longer, and a hostile file makes as many as it has lines. */
#define LATEST_LIVES 256

static uint64_t mix(uint64_t h, uint64_t value)
{
    h ^= value + UINT64_C(0x9e3779b97f4a7c15) + (h << 6) + (h >> 2);
    h *= UINT64_C(0xff51afd7ed558ccd);
    return h ^ (h >> 32);
}

static uint64_t key_of(const struct ja_sighting *seen)
{
    const struct ja_subject *s = seen->subject;
    uint64_t h = mix(seen->moment->boot, (uint64_t)s->scope + 1);
    if (s->pid != JA_UNKNOWN)
        return mix(h, (uint64_t)s->pid);
    h = mix(h, s->name ? ja_hash_text(s->name) : 7);
    /* A name alone identifies a container or cgroup of a host, a process only within one file. */
    if (s->scope == JA_SCOPE_PROCESS)
        h = mix(h, seen->moment->source + 1);
    return h;
}

static void rehash(struct ja_lives *lives)
{
    size_t larger = lives->slot_count ? lives->slot_count * 2 : 1024;
    const struct ja_slot *old = lives->slots;
    size_t old_count = lives->slot_count;
    lives->slots = ja_arena_alloc(lives->build->scratch, larger, sizeof *lives->slots);
    lives->slot_count = larger;
    for (size_t i = 0; i < old_count; i++) {
        if (!old[i].newest)
            continue;
        size_t at = old[i].key & (larger - 1);
        while (lives->slots[at].newest)
            at = (at + 1) & (larger - 1);
        lives->slots[at] = old[i];
    }
}

static struct ja_slot *slot_of(struct ja_lives *lives, uint64_t key)
{
    if (lives->slots_used * 2 >= lives->slot_count)
        rehash(lives);
    size_t at = key & (lives->slot_count - 1);
    while (lives->slots[at].newest && lives->slots[at].key != key)
        at = (at + 1) & (lives->slot_count - 1);
    return &lives->slots[at];
}

static uint32_t new_process(struct ja_lives *lives, const struct ja_sighting *seen,
                            struct ja_slot *slot, uint64_t key)
{
    struct ja_case *item = lives->build->item;
    struct ja_process *process =
        JA_APPEND(item->arena, item->processes, item->process_count, item->process_capacity);
    *process = (struct ja_process){
        .host = seen->moment->host,
        .boot = seen->moment->boot,
        .scope = seen->subject->scope,
        .name = "?",
        .pid = seen->subject->pid,
        .coalition = JA_UNKNOWN,
        .latest_start_ns = JA_UNKNOWN,
        .peak_bytes = JA_UNKNOWN,
        .more = &ja_process_unsaid,
        .first_seen = &ja_instant_unknown,
        .last_seen = &ja_instant_unknown,
        .link = JA_LINK_SINGLE,
    };
    uint32_t older = slot->newest ? slot->newest - 1 : JA_NONE;
    struct ja_known *known =
        JA_APPEND(lives->build->scratch, lives->known, lives->known_count, lives->known_capacity);
    *known = (struct ja_known){.next = older,
                               .cpu_ns = JA_UNKNOWN,
                               .peak_bytes = JA_UNKNOWN,
                               .switches = JA_UNKNOWN,
                               .killed_ns = JA_UNKNOWN,
                               .life = seen->subject->life,
                               .source = JA_NONE,
                               .seen = &ja_instant_unknown,
                               .weakest = JA_LINK_SINGLE};
    uint32_t index = (uint32_t)item->process_count - 1;
    lives->slots_used += !slot->newest;
    *slot = (struct ja_slot){key, index + 1};
    return index;
}

static void take_start(struct ja_lives *lives, uint32_t process, const struct ja_sighting *seen)
{
    struct ja_known *k = &lives->known[process];
    struct ja_process *p = &lives->build->item->processes[process];
    const struct ja_subject *s = seen->subject;
    const struct ja_moment *m = seen->moment;
    if (s->more->start_ticks != JA_UNKNOWN) {
        k->has_ticks = true;
        k->start_ticks = s->more->start_ticks;
    }
    if (ja_instant_known(&seen->wall) && !k->has_wall) {
        k->has_wall = true;
        k->wall = seen->wall;
        ja_process_more(p, lives->build->item->arena)->started = seen->wall;
    }
    if (s->age_ticks == JA_UNKNOWN)
        return;
    if (m->aged && !k->has_age) {
        k->has_age = true;
        k->age_start = ja_subtract(m->age_offset, s->age_ticks);
    }
    if (k->has_wall || !ja_instant_known(&m->at) || m->system->tick_hz == JA_UNKNOWN)
        return;
    /* Ticks stop while the machine sleeps: the start is at most this late. */
    int64_t latest =
        m->at.unix_ns - (int64_t)((double)s->age_ticks / (double)m->system->tick_hz * 1e9);
    latest -= latest % JA_NS_PER_US;
    if (p->latest_start_ns == JA_UNKNOWN || latest < p->latest_start_ns)
        p->latest_start_ns = latest;
}

static void take_names(struct ja_lives *lives, uint32_t process, const struct ja_sighting *seen)
{
    struct ja_known *k = &lives->known[process];
    struct ja_process *p = &lives->build->item->processes[process];
    const struct ja_subject *s = seen->subject;
    bool path = s->name && ja_base_name(p->name) != p->name && ja_base_name(s->name) == s->name;
    if (s->name && (strcmp(p->name, "?") == 0 || path ||
                    (k->name_cut && strlen(ja_base_name(s->name)) > strlen(p->name)))) {
        p->name = path || strcmp(p->name, "?") == 0 ? s->name : ja_base_name(s->name);
        k->name_cut = s->name_cut;
        p->name_open = s->name_open;
    } else if (p->name_open && s->name && !s->name_open && strcmp(p->name, s->name) == 0) {
        k->name_cut = s->name_cut;
        p->name_open = false;
    }
    if (s->uuid)
        k->uuid = s->uuid;
    if (s->more->command)
        ja_process_more(p, lives->build->item->arena)->command = s->more->command;
    if (s->coalition != JA_UNKNOWN)
        p->coalition = s->coalition;
}

static void stated_link(const char *word, enum ja_link *ret)
{
    static const enum ja_link links[] = {JA_LINK_SINGLE, JA_LINK_START_TIME, JA_LINK_AGE,
                                         JA_LINK_PID_NAME};
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        if (strcmp(ja_link_word(links[i]), word) == 0)
            *ret = links[i];
}

static void take(struct ja_lives *lives, uint32_t process, const struct ja_sighting *seen,
                 enum ja_link link)
{
    struct ja_known *k = &lives->known[process];
    struct ja_process *p = &lives->build->item->processes[process];
    const struct ja_subject *s = seen->subject;
    const struct ja_moment *m = seen->moment;
    const struct ja_instant *at = &lives->build->item->sources[m->source].record_at[m->record];
    take_names(lives, process, seen);
    take_start(lives, process, seen);
    if (k->source != JA_NONE && link > k->weakest && !k->stated)
        k->weakest = link;
    bool new_moment = k->source == JA_NONE || ja_instant_order(k->seen, at) != 0 ||
                      (!ja_instant_known(at) && (k->source != m->source || k->record != m->record));
    k->moments += new_moment;
    if (s->cpu_ns != JA_UNKNOWN) {
        k->cpu_ns = s->cpu_ns;
        k->cpu_kind = ja_kind_tool(ja_moment_record(lives->build, m)->kind);
    }
    if (s->peak_bytes != JA_UNKNOWN) {
        k->peak_bytes = s->peak_bytes;
        k->peak_kind = ja_moment_record(lives->build, m)->kind;
        if (p->peak_bytes == JA_UNKNOWN || s->peak_bytes > p->peak_bytes)
            p->peak_bytes = s->peak_bytes;
    }
    if (seen->switches != JA_UNKNOWN)
        k->switches = seen->switches;
    if (s->killed && ja_instant_known(at))
        k->killed_ns = at->unix_ns;
    k->life = s->life;
    k->source = m->source;
    k->record = m->record;
    if (ja_instant_known(at) || !ja_instant_known(k->seen))
        k->seen = at;
    if (!ja_instant_known(p->first_seen))
        p->first_seen = at;
    if (ja_instant_known(at))
        p->last_seen = at;
    if (s->more->link) {
        k->stated = true;
        stated_link(s->more->link, &k->weakest);
    }
    p->link = (uint8_t)(k->moments > 1 || k->stated ? k->weakest : JA_LINK_SINGLE);
}

/* Linux: start ticks count from the boot, which is known to a second. */
static struct ja_instant stated_start(const struct ja_build *build, const struct ja_moment *moment,
                                      const struct ja_subject *subject)
{
    const struct ja_source *source = &build->item->sources[moment->source];
    if (subject->more->start_stamp != JA_NONE)
        return source->instants[subject->more->start_stamp];
    const struct ja_boot *boot = &build->item->boots[moment->boot];
    if (subject->more->start_ticks == JA_UNKNOWN || moment->system->tick_hz == JA_UNKNOWN ||
        boot->start.clock != JA_CLOCK_REPORT)
        return ja_instant_none();
    int64_t since =
        (int64_t)((double)subject->more->start_ticks / (double)moment->system->tick_hz * 1e9);
    int64_t at = boot->start.unix_ns + since;
    at -= at % JA_NS_PER_US;
    return (struct ja_instant){at, at - JA_NS_PER_S, at + JA_NS_PER_S, JA_CLOCK_DERIVED, NULL};
}

static int64_t switches_of(const struct ja_evidence *evidence, const struct ja_moment *moment,
                           uint32_t subject)
{
    const struct ja_record *record = &evidence->records[moment->record];
    for (uint32_t i = record->first_fact; i < record->first_fact + record->fact_count; i++)
        if (evidence->facts[i].key == JA_FACT_CONTEXT_SWITCHES &&
            evidence->facts[i].subject == subject)
            return evidence->facts[i].value;
    return JA_UNKNOWN;
}

static void identify(struct ja_lives *lives, const struct ja_moment *moment, uint32_t subject)
{
    struct ja_source *source = &lives->build->item->sources[moment->source];
    if (ja_moment_record(lives->build, moment)->kind == JA_KIND_WORK_LOG)
        return; /* names work, not a process: the operator says whose it is */
    struct ja_subject said = ja_subject_at(source->evidence, subject);
    struct ja_sighting seen = {moment, &said, {0}, JA_UNKNOWN};
    if (ja_moment_record(lives->build, moment)->kind == JA_KIND_PROC_STATUS)
        seen.switches = switches_of(source->evidence, moment, subject);
    seen.wall = stated_start(lives->build, moment, seen.subject);
    uint64_t key = key_of(&seen);
    struct ja_slot *slot = slot_of(lives, key);
    enum ja_link link = JA_LINK_SINGLE;
    uint32_t process = slot->newest ? slot->newest - 1 : JA_NONE;
    for (size_t tried = 0; process != JA_NONE && !ja_ties(lives, process, &seen, &link); tried++)
        process = tried < LATEST_LIVES ? lives->known[process].next : JA_NONE;
    if (process == JA_NONE)
        process = new_process(lives, &seen, slot, key);
    take(lives, process, &seen, link);
    source->subject_process[subject] = process;
}

static void identify_moment(struct ja_lives *lives, const struct ja_moment *moment)
{
    for (size_t k = 0; k < moment->subject_count; k++)
        identify(lives, moment, ja_moment_subject(moment, k));
}

/* Of the files of one folder, status alone may tell a new life without a start time: it goes first,
 * so that the others follow it to the life that it is of. */
static void identify_folder(struct ja_lives *lives, size_t first, size_t end)
{
    for (int round = 0; round < 2; round++)
        for (size_t i = first; i < end; i++) {
            const struct ja_moment *moment = &lives->build->moments[i];
            bool status = ja_moment_record(lives->build, moment)->kind == JA_KIND_PROC_STATUS;
            if (status == (round == 0))
                identify_moment(lives, moment);
        }
}

/* The processes of one host, numbered from 0. */
static void identify_host(struct ja_part *part)
{
    struct ja_build *build = &part->build;
    struct ja_lives lives = {.build = build};
    JA_PARTS_EMPTY(&part->item, processes, process);
    ja_share_snapshot_rows(build);
    for (size_t i = 0, end; i < build->moment_count; i = end) {
        end = ja_snapshot_end(build, i);
        identify_folder(&lives, i, end);
    }
    part->made = ja_order_processes(build);
}

/* Where the processes of all hosts go. */
struct placing {
    struct ja_case *item;
    struct ja_parts *parts;
};

static void place_host(size_t index, void *data)
{
    const struct placing *placing = data;
    struct ja_part *part = &placing->parts->items[index];
    struct ja_case *own = &part->item;
    ja_place_processes(part, part->made, placing->item->processes,
                       placing->item->hosts[part->host].first_process);
    ja_arena_drop(own->arena, part->made, own->process_count, sizeof(uint32_t));
    ja_arena_drop(own->arena, own->processes, own->process_capacity, sizeof *own->processes);
}

/* Room for the processes of all subjects, while they are looked for. */
static void begin_subjects(struct ja_build *build)
{
    struct ja_case *item = build->item;
    size_t count = 0;
    for (size_t i = 0; i < item->source_count; i++)
        count += item->sources[i].evidence->subject_count;
    uint32_t *next = ja_arena_room(build->scratch, count, sizeof *next);
    memset(next, UCHAR_MAX, count * sizeof *next); /* JA_NONE */
    for (size_t i = 0; i < item->source_count; i++) {
        item->sources[i].subject_process = next;
        next += item->sources[i].evidence->subject_count;
    }
}

static void keep_subjects(struct ja_source *source, struct ja_arena *arena)
{
    size_t count = source->evidence->subject_count;
    const uint32_t *found = source->subject_process;
    uint32_t first = JA_NONE, last = 0;
    for (size_t i = 0; i < count; i++) {
        first = found[i] < first ? found[i] : first;
        last = found[i] != JA_NONE && found[i] > last ? found[i] : last;
    }
    if (last >= first && last - first >= UINT16_MAX) {
        source->subject_process = ja_arena_room(arena, count, sizeof *found);
        memcpy(source->subject_process, found, count * sizeof *found);
        return;
    }
    uint16_t *near = ja_arena_room(arena, count, sizeof *near);
    for (size_t i = 0; i < count; i++)
        near[i] = found[i] == JA_NONE ? UINT16_MAX : (uint16_t)(found[i] - first);
    source->near_process = near;
    source->first_process = first;
    source->subject_process = NULL;
}

void ja_build_identity(struct ja_build *build)
{
    struct ja_case *item = build->item;
    begin_subjects(build);
    struct ja_parts parts = ja_parts_run(build, identify_host, NULL);
    size_t count = 0;
    for (size_t i = 0; i < parts.count; i++) {
        struct ja_host *host = &item->hosts[i];
        host->first_process = (uint32_t)count;
        host->process_count = (uint32_t)parts.items[i].item.process_count;
        count += parts.items[i].item.process_count;
    }
    JA_RESERVE(item->arena, item->processes, item->process_count, item->process_capacity, count);
    item->process_count = count;
    build->run(parts.count, place_host, &(struct placing){item, &parts});
    ja_parts_done(build, &parts);
    for (size_t i = 0; i < item->source_count; i++)
        keep_subjects(&item->sources[i], item->arena);
    ja_number_names(build);
    for (uint32_t i = 0; i < item->process_count; i++) {
        struct ja_boot *boot = &item->boots[item->processes[i].boot];
        item->processes[i].shown = true;
        if (!boot->process_count++)
            boot->first_process = i;
    }
}
