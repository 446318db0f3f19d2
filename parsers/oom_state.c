/* SPDX-License-Identifier: MIT
 *
 * What an OOM event says beside its task table: reason and detail in words, facts, and the
 * figures of the machine (Mem-Info) or of the memory cgroup whose limit was reached.
 */
#include "parsers/oom.h"

#include "parsers/oom_evidence.h"
#include "parsers/scan.h"

const char *oom_reason(const struct oom_event *event)
{
    if (event->by_hand)
        return "called by hand (SysRq), no shortage";
    if (event->group_limit)
        return "memory cgroup at its limit";
    if (event->constraint.text && oom_has(event->constraint, "CPUSET"))
        return "memory of a cpuset exhausted";
    if (event->constraint.text && oom_has(event->constraint, "MEMORY_POLICY"))
        return "memory of a policy's nodes exhausted";
    if (event->kill_count == 0 && event->figures.ram == JA_UNKNOWN && !event->constraint.text)
        return "out of memory, of the host or of a cgroup"; /* the report ends too early to tell */
    return "memory of the host exhausted";
}

static const char *joined(struct ja_arena *arena, const char *before, const char *part)
{
    return before ? ja_arena_print(arena, "%s; %s", before, part) : part;
}

static const char *requester(struct ja_arena *arena, const struct oom_event *event)
{
    const char *name = ja_arena_copy(arena, event->requester.text, event->requester.length);
    if (event->requester_pid == JA_UNKNOWN)
        return ja_arena_print(arena, "asked for by %s", name);
    return ja_arena_print(arena, "asked for by %s (pid %lld)", name,
                          (long long)event->requester_pid);
}

/* The group stood at its limit of memory and swap together, not at that of memory. */
static bool both_limit_reached(const struct oom_figures *figures)
{
    return figures->both_limit_kib > 0 && figures->both_usage_kib == figures->both_limit_kib &&
           figures->usage_kib != JA_UNKNOWN && figures->usage_kib < figures->limit_kib;
}

const char *oom_detail(struct oom_log *log, const struct oom_event *event,
                       const struct oom_kill *kill)
{
    struct ja_arena *arena = log->parse->evidence->arena;
    const char *detail = NULL;
    if (event->requester.text)
        detail = requester(arena, event);
    if (event->by_hand)
        detail = joined(arena, detail, "by hand (SysRq-f), memory was not short");
    else if (event->order != JA_UNKNOWN)
        detail =
            joined(arena, detail, ja_arena_print(arena, "order %lld", (long long)event->order));
    if (event->group.text)
        detail =
            joined(arena, detail,
                   ja_arena_print(arena, "limit of %s",
                                  ja_arena_copy(arena, event->group.text, event->group.length)));
    if (both_limit_reached(&event->figures))
        detail = joined(arena, detail,
                        ja_arena_print(arena, "its limit of memory and swap, %lld kB, was reached",
                                       (long long)event->figures.both_limit_kib));
    if (event->sharer_count > 0)
        detail = joined(
            arena, detail,
            ja_arena_print(arena, "%zu more processes shared its memory", event->sharer_count));
    if (!kill)
        detail = joined(arena, detail, "the kill line is missing");
    else if (kill->announced_only)
        detail = joined(
            arena, detail,
            ja_arena_print(
                arena, "%s [%lld] was chosen; the kill line is missing: it or a child of it",
                ja_arena_copy(arena, kill->name.text, kill->name.length), (long long)kill->pid));
    return detail;
}

int64_t oom_kill_bytes(const struct oom_kill *kill)
{
    int64_t kib = kill->anon_kib, bytes = JA_UNKNOWN;
    bool cut = kill->line.open && kill->shmem_kib == JA_UNKNOWN;
    if (kib == JA_UNKNOWN || kill->file_kib == JA_UNKNOWN || cut)
        return JA_UNKNOWN; /* every kernel prints both */
    kib = ja_add(kib, kill->file_kib);
    if (kill->shmem_kib != JA_UNKNOWN)
        kib = ja_add(kib, kill->shmem_kib);
    (void)ja_multiply(kib, JA_KIB, &bytes);
    return bytes;
}

void oom_event_facts(struct oom_log *log, const struct oom_event *event, uint32_t record,
                     uint32_t place)
{
    struct ja_evidence *evidence = log->parse->evidence;
    struct ja_arena *arena = evidence->arena;
    if (event->requester.text)
        ja_add_fact(evidence, record, JA_FACT_OOM_REQUESTER, event->requester_pid,
                    ja_arena_copy(arena, event->requester.text, event->requester.length), place);
    if (event->constraint.text)
        ja_add_fact(evidence, record, JA_FACT_OOM_CONSTRAINT, JA_UNKNOWN,
                    ja_arena_copy(arena, event->constraint.text, event->constraint.length), place);
    if (event->by_hand)
        ja_add_fact(evidence, record, JA_FACT_BY_HAND, 1, "SysRq-f", place);
    if (event->figures.failcnt > 0)
        ja_add_fact(evidence, record, JA_FACT_NOTE, event->figures.failcnt,
                    ja_arena_print(arena, "the cgroup stood at its limit %lld times before",
                                   (long long)event->figures.failcnt),
                    place);
    if (event->figures.slab_largest.text && !event->in_slabs) /* the list is whole */
        ja_add_fact(evidence, record, JA_FACT_LARGEST_SLAB,
                    event->figures.slab_largest_kib * JA_KIB,
                    ja_arena_copy(arena, event->figures.slab_largest.text,
                                  event->figures.slab_largest.length),
                    place);
}

static void set_kib(struct ja_evidence *evidence, uint32_t record, enum ja_figure figure,
                    int64_t kib, uint32_t place)
{
    int64_t bytes = 0;
    if (kib != JA_UNKNOWN && ja_multiply(kib, JA_KIB, &bytes))
        ja_set_figure(evidence, record, figure, bytes, place);
}

/* A sum of pages, said only when all its parts are. */
static void set_pages(struct ja_evidence *evidence, uint32_t record, enum ja_figure figure,
                      int64_t pages, int64_t more, int64_t page_bytes, uint32_t place)
{
    int64_t bytes = 0;
    if (pages != JA_UNKNOWN && more != JA_UNKNOWN && page_bytes != JA_UNKNOWN &&
        ja_multiply(ja_add(pages, more), page_bytes, &bytes))
        ja_set_figure(evidence, record, figure, bytes, place);
}

static void host_figures(struct oom_log *log, const struct oom_event *event, uint32_t record,
                         uint32_t place)
{
    struct ja_evidence *evidence = log->parse->evidence;
    const struct oom_figures *from = &event->figures;
    int64_t page_kib = log->systems[event->system].page_kib;
    int64_t page = page_kib == JA_UNKNOWN ? JA_UNKNOWN : page_kib * JA_KIB;
    set_pages(evidence, record, JA_FIGURE_RAM, from->ram, 0, page, place);
    if (from->reserved != JA_UNKNOWN && from->reserved <= from->ram)
        set_pages(evidence, record, JA_FIGURE_MANAGED, from->ram - from->reserved, 0, page, place);
    set_pages(evidence, record, JA_FIGURE_MEM_FREE, from->free, 0, page, place);
    set_pages(evidence, record, JA_FIGURE_FREE, from->free, 0, page, place);
    set_pages(evidence, record, JA_FIGURE_ACTIVE, from->active_anon, from->active_file, page,
              place);
    set_pages(evidence, record, JA_FIGURE_INACTIVE, from->inactive_anon, from->inactive_file, page,
              place);
    set_pages(evidence, record, JA_FIGURE_ANONYMOUS, from->active_anon, from->inactive_anon, page,
              place);
    set_pages(evidence, record, JA_FIGURE_FILE_BACKED, from->active_file, from->inactive_file, page,
              place);
    set_pages(evidence, record, JA_FIGURE_SHMEM, from->shmem, 0, page, place);
    set_pages(evidence, record, JA_FIGURE_SLAB_RECLAIMABLE, from->slab_reclaimable, 0, page, place);
    set_pages(evidence, record, JA_FIGURE_SLAB_UNRECLAIMABLE, from->slab_unreclaimable, 0, page,
              place);
    set_pages(evidence, record, JA_FIGURE_PAGE_TABLES, from->page_tables, 0, page, place);
    set_pages(evidence, record, JA_FIGURE_SWAP_CACHED, from->swap_cache, 0, page, place);
    set_kib(evidence, record, JA_FIGURE_KERNEL_STACK, from->kernel_stack_kib, place);
    set_kib(evidence, record, JA_FIGURE_HUGETLB, from->huge_kib, place);
    set_kib(evidence, record, JA_FIGURE_SWAP_TOTAL, from->swap_total_kib, place);
    if (from->swap_total_kib != JA_UNKNOWN && from->swap_free_kib != JA_UNKNOWN &&
        from->swap_free_kib <= from->swap_total_kib)
        set_kib(evidence, record, JA_FIGURE_SWAP_USED, from->swap_total_kib - from->swap_free_kib,
                place);
}

/* The cgroup itself, as a subject of its own beside the census of its processes. */
static void group_subject(struct oom_log *log, const struct oom_event *event, uint32_t of,
                          uint32_t place)
{
    struct ja_evidence *evidence = log->parse->evidence;
    struct ja_quantity usage = {0, JA_KIB, JA_ROUNDING_EXACT};
    int64_t limit = JA_UNKNOWN;
    uint32_t record = ja_add_record(evidence, JA_KIND_OOM_LOG, evidence->records[of].stamp);
    evidence->records[record].system = evidence->records[of].system;
    evidence->records[record].of = evidence->records[of].of;
    evidence->records[record].place = place;
    uint32_t subject = ja_add_subject(evidence, record, evidence->records[of].of, JA_UNKNOWN);
    evidence->subjects[subject].scope = JA_SCOPE_CGROUP;
    evidence->subjects[subject].place = place;
    if (event->figures.usage_kib != JA_UNKNOWN &&
        ja_multiply(event->figures.usage_kib, JA_KIB, &usage.value) &&
        ja_room_for_reading(log->parse, ja_place_line(evidence, place)))
        ja_add_reading(evidence, subject, JA_METRIC_CGROUP_CURRENT, usage, place)->unit =
            JA_UNIT_KIB;
    if (event->figures.limit_kib > 0 && ja_multiply(event->figures.limit_kib, JA_KIB, &limit))
        ja_add_fact(evidence, record, JA_FACT_LIMIT, limit, "memory cgroup limit", place)->subject =
            subject;
}

static void group_figures(struct oom_log *log, const struct oom_event *event, uint32_t record,
                          uint32_t place)
{
    struct ja_evidence *evidence = log->parse->evidence;
    const struct oom_figures *from = &event->figures;
    int64_t kernel = from->group_kernel;
    /* What follows the statistics shows that none of them are missing. */
    bool ended = event->table_seen || event->kill_count > 0 || event->constraint.text;
    bool sizes = ended || !from->group_sums;
    set_kib(evidence, record, JA_FIGURE_CGROUP_USAGE, from->usage_kib, place);
    if (from->limit_kib > 0)
        set_kib(evidence, record, JA_FIGURE_CGROUP_LIMIT, from->limit_kib, place);
    if (sizes && from->group_anon != JA_UNKNOWN)
        ja_set_figure(evidence, record, JA_FIGURE_CGROUP_ANON, from->group_anon, place);
    if (sizes && from->group_file != JA_UNKNOWN)
        ja_set_figure(evidence, record, JA_FIGURE_CGROUP_FILE, from->group_file, place);
    if (kernel == JA_UNKNOWN && ended)
        kernel = from->group_parts;
    if (kernel != JA_UNKNOWN)
        ja_set_figure(evidence, record, JA_FIGURE_CGROUP_KERNEL, kernel, place);
    else if (from->kmem_kib > 0) /* old kernels print 0 and charge it all the same */
        set_kib(evidence, record, JA_FIGURE_CGROUP_KERNEL, from->kmem_kib, place);
    if (from->usage_kib != JA_UNKNOWN)
        group_subject(log, event, record, place);
}

void oom_figures(struct oom_log *log, const struct oom_event *event, uint32_t record,
                 uint32_t place)
{
    if (event->group_limit)
        group_figures(log, event, record, place);
    else
        host_figures(log, event, record, place);
}
