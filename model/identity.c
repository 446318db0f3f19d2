/* SPDX-License-Identifier: MIT
 *
 * Who is who. A process is one incarnation on one boot of one host: the same start time, or the
 * same age difference as every other survivor, or at least the same pid and name with nothing
 * against it. A younger age, a new start, falling CPU time, a new binary, a smaller lifetime peak
 * split a pid into several lives.
 */
#include "model/build.h"

#include <stdlib.h>
#include <string.h>

#include "model/hash.h"
#include "model/index.h"
#include "model/parts.h"
#include "model/sort.h"

/* Ages are read row after row while time goes on: equal starts differ by a few ticks. */
#define AGE_TOLERANCE_TICKS 48
/* A wall-clock start is printed to a second and computed from a rounded boot time. */
#define START_SLACK_NS (2 * JA_NS_PER_S)
/* CPU time is sampled a little apart from the row it stands in. */
#define CPU_SLACK_NS (JA_NS_PER_S / 10)
/* VmHWM is kept in batches and may be printed a little low. */
#define PEAK_SLACK_BYTES JA_MIB

/* What is known of a process while moments are walked, beside its entry in the case. */
struct known {
    uint32_t next; /* older life under the same key; JA_NONE */
    uint64_t key;
    const char *uuid;
    bool name_cut;
    bool has_age, has_ticks, has_wall;
    int64_t age_start;      /* ticks on the boot's age base */
    int64_t start_ticks;    /* since boot */
    struct ja_instant wall; /* start as stated */
    int64_t cpu_ns, peak_bytes;
    enum ja_kind cpu_kind, peak_kind; /* tools round differently: each is compared with itself */
    int64_t switches;                 /* voluntary context switches: only grow */
    int64_t killed_ns;
    uint32_t life;
    uint32_t source, record; /* last seen in */
    struct ja_instant seen;
    enum ja_link weakest;
    bool stated; /* the link was established by the audit that wrote the line */
};

struct table {
    struct ja_build *build;
    struct known *known; /* one per process */
    size_t known_count, known_capacity;
    uint32_t *slots; /* hash of keys: index of the newest process + 1; 0 empty */
    size_t slot_count;
};

/* What one subject says, with its moment. */
struct seen {
    const struct ja_moment *moment;
    const struct ja_subject *subject;
    struct ja_instant wall; /* stated start */
    int64_t switches;       /* JA_UNKNOWN */
};

static uint64_t mix(uint64_t h, uint64_t value)
{
    h ^= value + UINT64_C(0x9e3779b97f4a7c15) + (h << 6) + (h >> 2);
    h *= UINT64_C(0xff51afd7ed558ccd);
    return h ^ (h >> 32);
}

static uint64_t key_of(const struct seen *seen)
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

static void rehash(struct table *table)
{
    size_t larger = table->slot_count ? table->slot_count * 2 : 1024;
    uint32_t *old = table->slots;
    size_t old_count = table->slot_count;
    table->slots = ja_arena_alloc(table->build->scratch, larger, sizeof *table->slots);
    table->slot_count = larger;
    for (size_t i = 0; i < old_count; i++) {
        if (!old[i])
            continue;
        size_t at = table->known[old[i] - 1].key & (larger - 1);
        while (table->slots[at])
            at = (at + 1) & (larger - 1);
        table->slots[at] = old[i];
    }
}

static uint32_t *slot_of(struct table *table, uint64_t key)
{
    if (table->known_count * 2 >= table->slot_count)
        rehash(table);
    size_t at = key & (table->slot_count - 1);
    while (table->slots[at] && table->known[table->slots[at] - 1].key != key)
        at = (at + 1) & (table->slot_count - 1);
    return &table->slots[at];
}

/* Without the folders of a path: ps prints "/usr/bin/mqd" or "bin/mqd" where /proc says "mqd". */
static const char *base_name(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash && slash[1] && strchr(name, ' ') == NULL ? slash + 1 : name;
}

static bool same_name(const char *a, bool a_cut, const char *b, bool b_cut)
{
    if (!a || !b || strcmp(a, "?") == 0 || strcmp(a, b) == 0)
        return true;
    a = base_name(a);
    b = base_name(b);
    if (strcmp(a, b) == 0)
        return true;
    size_t x = strlen(a), y = strlen(b);
    if (a_cut && x < y)
        return strncmp(a, b, x) == 0;
    return b_cut && y < x && strncmp(a, b, y) == 0;
}

/* Both moments are dated and b is not before a. */
static bool ordered(const struct ja_instant *a, const struct ja_instant *b)
{
    return ja_instant_known(a) && ja_instant_known(b) && b->unix_ns >= a->unix_ns;
}

static bool overlap(const struct ja_instant *a, const struct ja_instant *b, int64_t slack_ns)
{
    int64_t early = a->early_ns != JA_UNKNOWN ? a->early_ns : a->unix_ns;
    int64_t other = b->early_ns != JA_UNKNOWN ? b->early_ns : b->unix_ns;
    return early <= b->late_ns + slack_ns && other <= a->late_ns + slack_ns;
}

/* A table has one row a process; lines of NDJSON may speak of one process again and again. */
static bool one_row_each(const struct table *table, uint32_t process, const struct ja_moment *m)
{
    return table->known[process].record == m->record &&
           !ja_has_kind(ja_moment_evidence(table->build, m), JA_KIND_NDJSON);
}

/* It cannot be this one, whatever the start says. */
static bool is_other(const struct table *table, uint32_t process, const struct seen *seen)
{
    const struct known *k = &table->known[process];
    const struct ja_subject *s = seen->subject;
    const struct ja_moment *m = seen->moment;
    const struct ja_process *p = &table->build->item->processes[process];
    if (p->boot != m->boot || !same_name(p->name, k->name_cut, s->name, s->name_cut))
        return true;
    if (k->source == m->source && (one_row_each(table, process, m) || k->life != s->life))
        return true;
    return k->uuid && s->uuid && strcmp(k->uuid, s->uuid) != 0;
}

/* Signs of a new life, for want of a start time: something fell that only grows in one life. A
 * start that is equal to the tick outweighs them. */
static bool fell_back(const struct table *table, uint32_t process, const struct seen *seen)
{
    const struct known *k = &table->known[process];
    const struct ja_subject *s = seen->subject;
    const struct ja_moment *m = seen->moment;
    bool later = ordered(&k->seen, &m->at);
    if (later && k->killed_ns != JA_UNKNOWN && m->at.unix_ns > k->killed_ns + JA_NS_PER_S)
        return true;
    if (later && s->cpu_ns != JA_UNKNOWN && k->cpu_ns != JA_UNKNOWN &&
        k->cpu_kind == ja_kind_tool(ja_moment_record(table->build, m)->kind) &&
        s->cpu_ns < k->cpu_ns - CPU_SLACK_NS)
        return true;
    if (later && s->peak_bytes != JA_UNKNOWN && k->peak_bytes != JA_UNKNOWN &&
        k->peak_kind == ja_moment_record(table->build, m)->kind &&
        s->peak_bytes < k->peak_bytes - k->peak_bytes / 64 - PEAK_SLACK_BYTES)
        return true;
    if (later && seen->switches != JA_UNKNOWN && k->switches != JA_UNKNOWN &&
        seen->switches < k->switches)
        return true;
    /* Started after the life at hand was last seen. */
    return ja_instant_known(&seen->wall) && seen->wall.early_ns != JA_UNKNOWN &&
           ja_instant_known(&k->seen) && seen->wall.early_ns > k->seen.late_ns + START_SLACK_NS;
}

/* How the subject ties to the process; false: it is another one. */
static bool ties(const struct table *table, uint32_t process, const struct seen *seen,
                 enum ja_link *ret)
{
    const struct known *k = &table->known[process];
    const struct ja_subject *s = seen->subject;
    if (is_other(table, process, seen))
        return false;
    if (k->has_ticks && s->start_ticks != JA_UNKNOWN) {
        *ret = JA_LINK_START_TIME;
        return k->start_ticks == s->start_ticks;
    }
    if (k->has_age && seen->moment->aged && s->age_ticks != JA_UNKNOWN) {
        int64_t start = ja_subtract(seen->moment->age_offset, s->age_ticks);
        *ret = JA_LINK_AGE;
        return llabs(ja_subtract(start, k->age_start)) <= AGE_TOLERANCE_TICKS;
    }
    if (fell_back(table, process, seen))
        return false;
    if (k->has_wall && ja_instant_known(&seen->wall)) {
        *ret = JA_LINK_START_TIME;
        return overlap(&k->wall, &seen->wall, START_SLACK_NS);
    }
    *ret = JA_LINK_PID_NAME;
    return true;
}

static uint32_t new_process(struct table *table, const struct seen *seen, uint32_t *slot)
{
    struct ja_case *item = table->build->item;
    struct ja_process *process =
        JA_APPEND(item->arena, item->processes, item->process_count, item->process_capacity);
    *process = (struct ja_process){
        .host = seen->moment->host,
        .boot = seen->moment->boot,
        .scope = seen->subject->scope,
        .name = "?",
        .pid = seen->subject->pid,
        .coalition = JA_UNKNOWN,
        .parent_pid = JA_UNKNOWN,
        .peak_bytes = JA_UNKNOWN,
        .threads = JA_UNKNOWN,
        .started = ja_instant_none(),
        .ended = ja_instant_none(),
        .first_seen = ja_instant_none(),
        .last_seen = ja_instant_none(),
        .link = JA_LINK_SINGLE,
    };
    uint64_t key = key_of(seen);
    uint32_t older = *slot ? *slot - 1 : JA_NONE;
    struct known *known =
        JA_APPEND(table->build->scratch, table->known, table->known_count, table->known_capacity);
    *known = (struct known){.next = older,
                            .key = key,
                            .cpu_ns = JA_UNKNOWN,
                            .peak_bytes = JA_UNKNOWN,
                            .switches = JA_UNKNOWN,
                            .killed_ns = JA_UNKNOWN,
                            .life = seen->subject->life,
                            .source = JA_NONE,
                            .seen = ja_instant_none(),
                            .weakest = JA_LINK_SINGLE};
    uint32_t index = (uint32_t)item->process_count - 1;
    *slot = index + 1;
    return index;
}

static void take_start(struct table *table, uint32_t process, const struct seen *seen)
{
    struct known *k = &table->known[process];
    struct ja_process *p = &table->build->item->processes[process];
    const struct ja_subject *s = seen->subject;
    const struct ja_moment *m = seen->moment;
    if (s->start_ticks != JA_UNKNOWN) {
        k->has_ticks = true;
        k->start_ticks = s->start_ticks;
    }
    if (ja_instant_known(&seen->wall) && !k->has_wall) {
        k->has_wall = true;
        k->wall = p->started = seen->wall;
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
    if (p->started.late_ns == JA_UNKNOWN || latest < p->started.late_ns)
        p->started = (struct ja_instant){latest, JA_UNKNOWN, latest, JA_CLOCK_DERIVED, NULL};
}

static void take_names(struct table *table, uint32_t process, const struct seen *seen)
{
    struct known *k = &table->known[process];
    struct ja_process *p = &table->build->item->processes[process];
    const struct ja_subject *s = seen->subject;
    bool path = s->name && base_name(p->name) != p->name && base_name(s->name) == s->name;
    if (s->name && (strcmp(p->name, "?") == 0 || path ||
                    (k->name_cut && strlen(base_name(s->name)) > strlen(p->name)))) {
        p->name = path || strcmp(p->name, "?") == 0 ? s->name : base_name(s->name);
        k->name_cut = s->name_cut;
    }
    if (s->uuid)
        k->uuid = s->uuid;
    if (s->command)
        p->command = s->command;
    if (s->coalition != JA_UNKNOWN)
        p->coalition = s->coalition;
    if (s->parent_pid != JA_UNKNOWN)
        p->parent_pid = s->parent_pid;
}

static void stated_link(const char *word, enum ja_link *ret)
{
    static const enum ja_link links[] = {JA_LINK_SINGLE, JA_LINK_START_TIME, JA_LINK_AGE,
                                         JA_LINK_PID_NAME};
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        if (strcmp(ja_link_word(links[i]), word) == 0)
            *ret = links[i];
}

static void take(struct table *table, uint32_t process, const struct seen *seen, enum ja_link link)
{
    struct known *k = &table->known[process];
    struct ja_process *p = &table->build->item->processes[process];
    const struct ja_subject *s = seen->subject;
    const struct ja_moment *m = seen->moment;
    take_names(table, process, seen);
    take_start(table, process, seen);
    if (k->source != JA_NONE && link > k->weakest && !k->stated)
        k->weakest = link;
    bool new_moment =
        k->source == JA_NONE || ja_instant_order(&k->seen, &m->at) != 0 ||
        (!ja_instant_known(&m->at) && (k->source != m->source || k->record != m->record));
    p->moments += new_moment;
    if (s->cpu_ns != JA_UNKNOWN) {
        k->cpu_ns = s->cpu_ns;
        k->cpu_kind = ja_kind_tool(ja_moment_record(table->build, m)->kind);
    }
    if (s->peak_bytes != JA_UNKNOWN) {
        k->peak_bytes = s->peak_bytes;
        k->peak_kind = ja_moment_record(table->build, m)->kind;
        if (p->peak_bytes == JA_UNKNOWN || s->peak_bytes > p->peak_bytes)
            p->peak_bytes = s->peak_bytes;
    }
    if (seen->switches != JA_UNKNOWN)
        k->switches = seen->switches;
    if (s->killed && ja_instant_known(&m->at))
        k->killed_ns = m->at.unix_ns;
    k->life = s->life;
    k->source = m->source;
    k->record = m->record;
    if (ja_instant_known(&m->at) || !ja_instant_known(&k->seen))
        k->seen = m->at;
    if (!ja_instant_known(&p->first_seen))
        p->first_seen = m->at;
    if (ja_instant_known(&m->at))
        p->last_seen = m->at;
    if (s->link)
        k->stated = true;
    if (k->stated && s->link)
        stated_link(s->link, &k->weakest);
    p->link = p->moments > 1 || k->stated ? k->weakest : JA_LINK_SINGLE;
}

/* Linux: start ticks count from the boot, which is known to a second. */
static struct ja_instant stated_start(const struct ja_build *build, const struct ja_moment *moment,
                                      const struct ja_subject *subject)
{
    const struct ja_source *source = &build->item->sources[moment->source];
    if (subject->start_stamp != JA_NONE)
        return source->instants[subject->start_stamp];
    const struct ja_boot *boot = &build->item->boots[moment->boot];
    if (subject->start_ticks == JA_UNKNOWN || moment->system->tick_hz == JA_UNKNOWN ||
        boot->start.clock != JA_CLOCK_REPORT)
        return ja_instant_none();
    int64_t since = (int64_t)((double)subject->start_ticks / (double)moment->system->tick_hz * 1e9);
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

static void identify(struct table *table, const struct ja_moment *moment, uint32_t subject)
{
    struct ja_source *source = &table->build->item->sources[moment->source];
    if (ja_moment_record(table->build, moment)->kind == JA_KIND_WORK_LOG)
        return; /* names work, not a process: the operator says whose it is */
    struct seen seen = {moment, &source->evidence->subjects[subject], {0}, JA_UNKNOWN};
    if (ja_moment_record(table->build, moment)->kind == JA_KIND_PROC_STATUS)
        seen.switches = switches_of(source->evidence, moment, subject);
    seen.wall = stated_start(table->build, moment, seen.subject);
    uint32_t *slot = slot_of(table, key_of(&seen));
    enum ja_link link = JA_LINK_SINGLE;
    uint32_t process = *slot ? *slot - 1 : JA_NONE;
    while (process != JA_NONE && !ties(table, process, &seen, &link))
        process = table->known[process].next;
    if (process == JA_NONE)
        process = new_process(table, &seen, slot);
    take(table, process, &seen, link);
    source->subject_process[subject] = process;
}

/* ---- one snapshot folder --------------------------------------------------------------------- */

struct folder_row {
    int64_t pid;
    struct ja_subject *subject;
};

static int by_row_pid(const void *a, const void *b)
{
    const struct folder_row *x = a, *y = b;
    if (x->pid != y->pid)
        return x->pid < y->pid ? -1 : 1;
    return x->subject < y->subject ? -1 : x->subject > y->subject;
}

/* stat tells the start of a pid, status its name: the files of one snapshot share what they say. */
static void share_rows(struct folder_row *rows, size_t count)
{
    qsort(rows, count, sizeof *rows, by_row_pid);
    for (size_t i = 0, end; i < count; i = end) {
        struct ja_subject all = {.start_ticks = JA_UNKNOWN, .cpu_ns = JA_UNKNOWN};
        for (end = i; end < count && rows[end].pid == rows[i].pid; end++) {
            const struct ja_subject *s = rows[end].subject;
            if (s->start_ticks != JA_UNKNOWN)
                all.start_ticks = s->start_ticks;
            if (s->cpu_ns != JA_UNKNOWN)
                all.cpu_ns = s->cpu_ns;
            if (s->name && (!all.name || (all.name_cut && !s->name_cut))) {
                all.name = s->name;
                all.name_cut = s->name_cut;
            }
        }
        for (size_t k = i; k < end; k++) {
            struct ja_subject *s = rows[k].subject;
            if (s->start_ticks == JA_UNKNOWN)
                s->start_ticks = all.start_ticks;
            if (s->cpu_ns == JA_UNKNOWN)
                s->cpu_ns = all.cpu_ns;
            if (!s->name) {
                s->name = all.name;
                s->name_cut = all.name_cut;
            }
        }
    }
}

static void share_folder(struct ja_build *build, size_t first, size_t end)
{
    size_t count = 0;
    for (size_t i = first; i < end; i++)
        count += build->moments[i].subject_count;
    struct folder_row *rows = ja_arena_alloc(build->scratch, count, sizeof *rows);
    count = 0;
    for (size_t i = first; i < end; i++) {
        const struct ja_moment *moment = &build->moments[i];
        struct ja_evidence *evidence = build->item->sources[moment->source].evidence;
        for (size_t k = 0; k < moment->subject_count; k++) {
            struct ja_subject *s = &evidence->subjects[moment->subjects[k]];
            if (s->scope == JA_SCOPE_PROCESS && s->pid != JA_UNKNOWN)
                rows[count++] = (struct folder_row){s->pid, s};
        }
    }
    if (count)
        share_rows(rows, count);
}

static void share_snapshots(struct ja_build *build)
{
    for (size_t i = 0, end; i < build->moment_count; i = end) {
        const char *folder = ja_moment_record(build, &build->moments[i])->snapshot;
        for (end = i + 1; end < build->moment_count; end++) {
            const char *next = ja_moment_record(build, &build->moments[end])->snapshot;
            if (!folder || !next || strcmp(folder, next) != 0)
                break;
        }
        if (folder)
            share_folder(build, i, end);
    }
}

/* ---- the order of processes ------------------------------------------------------------------ */

struct ordered {
    const struct ja_process *process;
    uint32_t index;
};

static int by_process(const void *a, const void *b)
{
    const struct ordered *i = a, *k = b;
    const struct ja_process *x = i->process, *y = k->process;
    if (x->boot != y->boot)
        return x->boot < y->boot ? -1 : 1;
    int order = ja_instant_order(&x->first_seen, &y->first_seen);
    if (!order)
        order = strcmp(x->name, y->name);
    if (order)
        return order;
    if (x->pid != y->pid)
        return x->pid < y->pid ? -1 : 1;
    return i->index < k->index ? -1 : i->index > k->index;
}

/* Calls the processes of the host by their new numbers. */
static void renumber(const struct ja_build *build, const uint32_t *place)
{
    for (size_t i = 0; i < build->moment_count; i++) {
        const struct ja_moment *moment = &build->moments[i];
        uint32_t *process = build->item->sources[moment->source].subject_process;
        for (size_t k = 0; k < moment->subject_count; k++)
            if (process[moment->subjects[k]] != JA_NONE)
                process[moment->subjects[k]] = place[process[moment->subjects[k]]];
    }
}

static void order_processes(struct ja_build *build)
{
    struct ja_case *item = build->item;
    size_t count = item->process_count;
    struct ordered *order = ja_arena_alloc(build->scratch, count, sizeof *order);
    uint32_t *place = ja_arena_alloc(build->scratch, count, sizeof *place);
    struct ja_process *sorted = ja_arena_alloc(item->arena, count, sizeof *sorted);
    for (uint32_t i = 0; i < count; i++)
        order[i] = (struct ordered){&item->processes[i], i};
    ja_sort(order, count, sizeof *order, by_process);
    for (uint32_t i = 0; i < count; i++) {
        sorted[i] = *order[i].process;
        place[order[i].index] = i;
    }
    ja_arena_drop(item->arena, item->processes, item->process_capacity, sizeof *item->processes);
    item->processes = sorted;
    item->process_capacity = count;
    renumber(build, place);
}

/* ---- equal names ----------------------------------------------------------------------------- */

static void number_names(struct ja_build *build)
{
    struct ja_case *item = build->item;
    struct ja_index names = {.count = 0}; /* 1 + the first process of each */
    for (uint32_t p = 0; p < item->process_count; p++) {
        struct ja_process *process = &item->processes[p];
        uint32_t *first = ja_index_note(&names, build->scratch, process->name, 0);
        if (!*first)
            *first = p + 1;
        process->name_id = *first - 1;
    }
}

/* The processes of one host, numbered from 0. */
static void identify_host(struct ja_part *part)
{
    struct ja_build *build = &part->build;
    struct table table = {.build = build};
    part->item.processes = NULL;
    part->item.process_count = part->item.process_capacity = 0;
    share_snapshots(build);
    for (size_t i = 0; i < build->moment_count; i++) {
        const struct ja_moment *moment = &build->moments[i];
        for (size_t k = 0; k < moment->subject_count; k++)
            identify(&table, moment, moment->subjects[k]);
    }
    order_processes(build);
}

static void number_processes(const struct ja_part *part, uint32_t first)
{
    const struct ja_build *build = &part->build;
    for (size_t i = 0; i < build->moment_count; i++) {
        const struct ja_moment *moment = &build->moments[i];
        uint32_t *process = build->item->sources[moment->source].subject_process;
        for (size_t k = 0; k < moment->subject_count; k++)
            if (process[moment->subjects[k]] != JA_NONE)
                process[moment->subjects[k]] += first;
    }
}

void ja_build_identity(struct ja_build *build)
{
    struct ja_case *item = build->item;
    struct ja_parts parts = ja_parts_run(build, identify_host, NULL);
    size_t count = 0;
    for (size_t i = 0; i < parts.count; i++) {
        struct ja_host *host = &item->hosts[i];
        host->first_process = (uint32_t)count;
        host->process_count = (uint32_t)parts.items[i].item.process_count;
        number_processes(&parts.items[i], (uint32_t)count);
        count += parts.items[i].item.process_count;
    }
    JA_PARTS_JOIN(item, &parts, processes, process_count, process_capacity);
    ja_parts_done(build, &parts);
    number_names(build);
    for (size_t i = 0; i < item->process_count; i++)
        item->processes[i].shown = true;
}
