/* SPDX-License-Identifier: MIT
 *
 * What was read of OOM events becomes evidence: systems with their page size, a record with
 * figures and census for each event, its kills, and the kills of user-space killers.
 */
#include "parsers/oom.h"

#include <string.h>

#include "parsers/oom_evidence.h"
#include "parsers/scan.h"

static char *copy(struct oom_log *log, struct oom_text text)
{
    return text.text ? ja_arena_copy(log->parse->evidence->arena, text.text, text.length) : NULL;
}

uint32_t oom_stamp(struct oom_log *log, uint32_t system, const struct oom_line *line,
                   const struct ja_piece *piece)
{
    struct ja_evidence *evidence = log->parse->evidence;
    int64_t boot_ns = log->systems[system].boot_unix_ns;
    struct ja_stamp stamp = line->stamp;
    if (stamp.parts == JA_STAMP_BOOT && boot_ns != JA_UNKNOWN) {
        stamp.parts = JA_STAMP_UNIX;
        stamp.unix_ns = ja_add(boot_ns, stamp.since_boot_ns);
        stamp.step_ns = JA_NS_PER_S; /* of the clock line that tells when the boot was */
    }
    if (stamp.parts != 0)
        return ja_add_stamp(evidence, &stamp);
    if (piece->stamp == JA_NONE)
        return JA_NONE;
    struct ja_stamp known_by = evidence->stamps[piece->stamp];
    known_by.parts |= JA_STAMP_NOT_AFTER;
    return ja_add_stamp(evidence, &known_by);
}

static bool same_host(const struct oom_system *a, const struct oom_system *b)
{
    return a->host.length == b->host.length &&
           (a->host.length == 0 || memcmp(a->host.text, b->host.text, a->host.length) == 0);
}

/* A log prints no boot id. Where it shows several boots of a host, each gets a name, so that their
 * clocks and pids are not taken for those of one. */
static const char *boot_name(struct oom_log *log, uint32_t which)
{
    struct ja_evidence *evidence = log->parse->evidence;
    size_t boots = 0, number = 0;
    for (uint32_t i = 0; i < log->system_count; i++) {
        if (!same_host(&log->systems[i], &log->systems[which]))
            continue;
        boots++;
        if (i <= which)
            number++;
    }
    return boots < 2 ? NULL
                     : ja_arena_print(evidence->arena, "%s, boot %zu", evidence->path, number);
}

uint32_t oom_system_index(struct oom_log *log, uint32_t which)
{
    struct ja_evidence *evidence = log->parse->evidence;
    struct oom_system *from = &log->systems[which];
    if (from->index != JA_NONE)
        return from->index;
    from->index = ja_add_system(evidence);
    evidence->systems[from->index].boot_id = boot_name(log, which);
    struct ja_system *system = &evidence->systems[from->index];
    system->host_name = copy(log, from->host);
    system->kernel = copy(log, from->kernel);
    system->cores = from->cores;
    if (from->page_kib != JA_UNKNOWN)
        system->page_bytes = from->page_kib * JA_KIB;
    if (from->boot_unix_ns != JA_UNKNOWN) {
        struct ja_stamp boot = {.clock = JA_CLOCK_DERIVED,
                                .parts = JA_STAMP_UNIX,
                                .unix_ns = from->boot_unix_ns,
                                .step_ns = JA_NS_PER_S};
        uint32_t stamp = ja_add_stamp(evidence, &boot);
        evidence->systems[from->index].boot_stamp = stamp;
    }
    return from->index;
}

/* Page size from kB and pages of one thing; JA_UNKNOWN when they give no clean power of two. */
static int64_t page_ratio(int64_t kib, int64_t pages)
{
    if (kib <= 0 || pages <= 0)
        return JA_UNKNOWN;
    for (int64_t page = 4; page <= 256; page *= 2)
        if (kib / page == pages && kib % page == 0)
            return page;
    return JA_UNKNOWN;
}

static const struct oom_row *row_of(const struct oom_event *event, int64_t pid)
{
    uint32_t row = ja_index_find(&event->row_of, NULL, pid);
    return row ? &event->rows[row - 1] : NULL;
}

/* Kill line kB / table pages of the same process. */
static int64_t page_of_kill(const struct oom_event *event)
{
    for (size_t i = 0; i < event->kill_count; i++) {
        const struct oom_kill *kill = &event->kills[i];
        const struct oom_row *row = row_of(event, kill->pid);
        if (!row)
            continue;
        int64_t page = page_ratio(kill->total_vm_kib, row->values[OOM_TOTAL_VM]);
        if (page == JA_UNKNOWN)
            page = page_ratio(kill->anon_kib, row->values[OOM_RSS_ANON]);
        if (page != JA_UNKNOWN)
            return page;
    }
    return JA_UNKNOWN;
}

static void derive_pages(struct oom_log *log)
{
    struct ja_evidence *evidence = log->parse->evidence;
    for (size_t i = 0; i < log->event_count; i++) {
        const struct oom_event *event = &log->events[i];
        int64_t page = event->figures.page_kib, from_kill = page_of_kill(event);
        int64_t *known = &log->systems[event->system].page_kib;
        if (page != JA_UNKNOWN && from_kill != JA_UNKNOWN && page != from_kill)
            ja_diagnose(evidence, JA_WARNING, "page-size", event->first.number, NULL,
                        "free lists say pages of %d kB, the kill line %d kB; the kill line's used",
                        (int)page, (int)from_kill);
        if (from_kill != JA_UNKNOWN)
            page = from_kill;
        if (*known == JA_UNKNOWN)
            *known = page;
    }
    for (size_t i = 0; i < log->system_count; i++) {
        struct oom_system *system = &log->systems[i];
        bool x86 = system->kernel.text &&
                   (oom_has(system->kernel, "x86_64") || oom_has(system->kernel, "amd64") ||
                    oom_has(system->kernel, "i686"));
        if (system->page_kib != JA_UNKNOWN || !x86)
            continue;
        system->page_kib = 4;
        ja_diagnose(evidence, JA_NOTE, "page-size", 0, NULL,
                    "page size of 4 kB taken from the kernel's name, nothing printed shows it");
    }
}

/* What may be said of the table as a whole. */
static bool table_complete(const struct oom_event *event)
{
    bool victims = true;
    for (size_t i = 0; i < event->kill_count; i++)
        victims = victims && row_of(event, event->kills[i].pid) != NULL;
    return event->table_seen && event->table_ended && !event->table_cut && !event->table_damaged &&
           event->row_count > 0 && victims;
}

static void table_facts(struct oom_log *log, const struct oom_event *event, uint32_t record)
{
    struct ja_evidence *evidence = log->parse->evidence;
    uint32_t place = ja_add_place_line(evidence, event->table_line);
    int64_t rows = (int64_t)event->row_count;
    ja_add_fact(evidence, record, JA_FACT_ROWS, rows, NULL, place);
    if (table_complete(event))
        return;
    if (event->table_cut) {
        ja_add_fact(evidence, record, JA_FACT_TABLE_FILTERED, rows, "rows left out by hand", place);
        ja_set_status(evidence, JA_STATUS_PARTLY, "rows of an OOM task table were left out");
    } else if (!event->table_ended) {
        ja_add_fact(evidence, record, JA_FACT_TABLE_CUT, rows, "the log ends inside the table",
                    place);
        ja_set_status(evidence, JA_STATUS_DAMAGED, "the log ends inside an OOM task table");
    } else if (event->table_damaged) {
        ja_add_fact(evidence, record, JA_FACT_TABLE_CUT, rows, "rows that cannot be read", place);
        ja_set_status(evidence, JA_STATUS_DAMAGED, "rows of an OOM task table cannot be read");
    } else {
        ja_add_fact(evidence, record, JA_FACT_TABLE_FILTERED, rows, "the victim has no row", place);
        ja_set_status(evidence, JA_STATUS_PARTLY, "an OOM task table lacks the victim's row");
    }
}

static void add_pages(struct oom_log *log, uint32_t subject, enum ja_metric metric, int64_t pages,
                      int64_t page_bytes, uint32_t place)
{
    struct ja_evidence *evidence = log->parse->evidence;
    struct ja_quantity quantity = {0, page_bytes, JA_ROUNDING_EXACT}; /* whole pages */
    if (pages == JA_UNKNOWN || !ja_room_for_reading(log->parse, ja_place_line(evidence, place)))
        return;
    if (!ja_multiply(pages, page_bytes, &quantity.value)) {
        ja_diagnose(evidence, JA_ERROR, "bad-number", ja_place_line(evidence, place), NULL,
                    "more pages than any machine has, reading left out");
        return;
    }
    struct ja_reading *reading = ja_add_reading(evidence, subject, metric, quantity, place);
    reading->unit = JA_UNIT_PAGES;
}

static void row_readings(struct oom_log *log, const struct oom_row *row, uint32_t subject,
                         int64_t page_bytes, uint32_t place)
{
    add_pages(log, subject, JA_METRIC_RESIDENT, row->values[OOM_RSS], page_bytes, place);
    add_pages(log, subject, JA_METRIC_ANONYMOUS, row->values[OOM_RSS_ANON], page_bytes, place);
    add_pages(log, subject, JA_METRIC_FILE, row->values[OOM_RSS_FILE], page_bytes, place);
    add_pages(log, subject, JA_METRIC_SHARED, row->values[OOM_RSS_SHMEM], page_bytes, place);
    add_pages(log, subject, JA_METRIC_SWAP, row->values[OOM_SWAPENTS], page_bytes, place);
}

/* Rows become subjects; returns the subject of the first victim, or JA_NONE. */
static void add_rows(struct oom_log *log, struct oom_event *event, uint32_t record,
                     uint32_t *ret_subjects)
{
    struct ja_evidence *evidence = log->parse->evidence;
    int64_t page_kib = log->systems[event->system].page_kib;
    size_t shared = 0;
    oom_table_sharers(event);
    for (size_t i = 0; i < event->row_count; i++) {
        const struct oom_row *row = &event->rows[i];
        uint32_t subject = ja_add_subject(evidence, record, NULL, row->pid);
        uint32_t place = ja_add_place_line(evidence, row->line);
        evidence->subjects[subject].name = copy(log, row->name);
        evidence->subjects[subject].name_cut = row->name.length >= 15;
        evidence->subjects[subject].place = place;
        ret_subjects[i] = subject;
        shared += row->shares_mm;
        if (!row->shares_mm && page_kib != JA_UNKNOWN)
            row_readings(log, row, subject, page_kib * JA_KIB, place);
    }
    if (shared > 0)
        ja_diagnose(evidence, JA_NOTE, "shared-memory-space", event->table_line, NULL,
                    "%zu rows share the victim's address space: counted once, at the victim",
                    shared);
    if (page_kib == JA_UNKNOWN && event->row_count > 0)
        ja_diagnose(evidence, JA_WARNING, "page-size", event->table_line, NULL,
                    "nothing printed shows the page size: rows kept without sizes");
}

/* A victim without a row: in the event's record, or in one of its own beside a census. */
static uint32_t add_victim(struct oom_log *log, const struct oom_kill *kill, uint32_t record,
                           uint32_t stamp, uint32_t place)
{
    struct ja_evidence *evidence = log->parse->evidence;
    uint32_t own = record;
    if (evidence->records[record].census) {
        own = ja_add_record(evidence, JA_KIND_OOM_LOG, stamp);
        evidence->records[own].system = evidence->records[record].system;
        evidence->records[own].place = place;
    }
    uint32_t subject = ja_add_subject(evidence, own, NULL, kill->pid);
    evidence->subjects[subject].name = copy(log, kill->name);
    evidence->subjects[subject].name_cut =
        kill->name.length >= 15 || (kill->line.open && kill->total_vm_kib == JA_UNKNOWN);
    evidence->subjects[subject].place = place;
    return subject;
}

static void add_kills(struct oom_log *log, const struct oom_event *event, uint32_t record,
                      const uint32_t *row_subjects, const struct ja_piece *piece)
{
    struct ja_evidence *evidence = log->parse->evidence;
    for (size_t i = 0; i < event->kill_count; i++) {
        const struct oom_kill *kill = &event->kills[i];
        const struct oom_row *row = row_of(event, kill->pid);
        uint32_t stamp = oom_stamp(log, event->system, &kill->line, piece);
        uint32_t place = ja_add_place_line(evidence, kill->line.number);
        uint32_t subject = row ? row_subjects[row - event->rows] : JA_NONE;
        if (subject == JA_NONE)
            subject = add_victim(log, kill, record, stamp, place);
        if (i == 0 && event->task_group.text)
            ja_add_fact(evidence, evidence->subjects[subject].record, JA_FACT_CGROUP_PATH,
                        JA_UNKNOWN, copy(log, event->task_group), place)
                ->subject = subject;
        struct ja_event_seen *seen =
            ja_add_event(evidence, JA_EVENT_OOM_KILL, record, stamp, place);
        if (!kill->announced_only) /* else it or a child of it: the kernel chooses again */
            seen->subject = subject;
        seen->order = (int)i + 1;
        seen->reason = oom_reason(event);
        seen->detail = oom_detail(log, event, kill);
        seen->bytes = oom_kill_bytes(kill);
        if (event->figures.limit_kib > 0)
            (void)ja_multiply(event->figures.limit_kib, JA_KIB, &seen->limit_bytes);
    }
}

/* The kill line is missing, but the oom-kill line above it names the victim. */
static void add_chosen(struct oom_log *log, struct oom_event *event)
{
    struct ja_evidence *evidence = log->parse->evidence;
    *JA_APPEND(log->parse->scratch, event->kills, event->kill_count, event->kill_capacity) =
        event->chosen;
    ja_diagnose(evidence, JA_WARNING, "kill-line-missing", event->chosen.line.number, NULL,
                "OOM report without a kill line: the victim is the one that its oom-kill line "
                "names, its size is not known");
    ja_set_status(evidence, JA_STATUS_PARTLY, "an OOM report without its kill line");
}

/* An event without a kill line: what is known of it is said, no victim is made up. */
static void add_unfinished(struct oom_log *log, const struct oom_event *event, uint32_t record,
                           uint32_t stamp, uint32_t place)
{
    struct ja_evidence *evidence = log->parse->evidence;
    struct ja_event_seen *seen = ja_add_event(evidence, JA_EVENT_NOTE, record, stamp, place);
    seen->reason = oom_reason(event);
    seen->detail = oom_detail(log, event, NULL);
    ja_diagnose(evidence, JA_WARNING, "kill-line-missing", event->first.number, NULL,
                "OOM report without a kill line: kept as a note, no victim is known");
    ja_set_status(evidence, JA_STATUS_PARTLY, "an OOM report without its kill line");
}

static void emit_event(struct oom_log *log, struct oom_event *event, const struct ja_piece *piece)
{
    struct ja_evidence *evidence = log->parse->evidence;
    uint32_t stamp = oom_stamp(log, event->system, &event->first, piece);
    uint32_t record = ja_add_record(evidence, JA_KIND_OOM_LOG, stamp);
    uint32_t system = oom_system_index(log, event->system);
    uint32_t place = ja_add_place_line(evidence, event->first.number);
    evidence->records[record].system = system;
    evidence->records[record].place = place;
    if (evidence->captured == JA_NONE)
        evidence->captured = stamp;
    if (event->group_limit)
        evidence->records[record].of =
            event->group.text ? copy(log, event->group) : "(memory cgroup, path not printed)";
    uint32_t *subjects =
        ja_arena_alloc(log->parse->scratch, event->row_count + 1, sizeof *subjects);
    if (event->table_seen) {
        evidence->records[record].census = event->row_count > 0;
        evidence->records[record].complete = table_complete(event);
        add_rows(log, event, record, subjects);
        table_facts(log, event, record);
    }
    oom_event_facts(log, event, record, place);
    oom_figures(log, event, record, place);
    if (event->kill_count == 0 && event->chosen.name.text)
        add_chosen(log, event);
    if (event->kill_count > 0)
        add_kills(log, event, record, subjects, piece);
    else if (!event->panic.text)
        add_unfinished(log, event, record, stamp, place);
    if (event->panic.text) {
        uint32_t when = oom_stamp(log, event->system, &event->panic_line, piece);
        uint32_t where = ja_add_place_line(evidence, event->panic_line.number);
        ja_add_event(evidence, JA_EVENT_PANIC, record, when, where)->reason =
            copy(log, event->panic);
    }
}

void oom_emit(struct oom_log *log, const struct ja_piece *piece)
{
    derive_pages(log);
    for (size_t i = 0; i < log->event_count; i++)
        emit_event(log, &log->events[i], piece);
    oom_emit_daemons(log, piece);
}
