/* SPDX-License-Identifier: MIT
 *
 * What the kernel prints when memory ends: dmesg, kern.log, journal text, serial consoles, pastes
 * of them; kernels 3.x to 6.x, the machine's end and the limit of a memory cgroup. Also the lines
 * of killers in user space: earlyoom, systemd-oomd. One event goes from "NAME invoked oom-killer"
 * to the kill line:
 *
 *   [   85.494694] leak_linear invoked oom-killer: gfp_mask=0x140dca(..), order=0, ...
 *   [   85.502916] [  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents ... name
 *   [   85.503944] [   1066]     0  1066  2051618    58124   888832    47587   0 leak_linear
 *   [   85.504333] Out of memory: Killed process 1066 (leak_linear) total-vm:8206472kB, ...
 *
 * The task table becomes a census at the event's time (resident, anonymous, file, shared, swap of
 * every row), Mem-Info and the cgroup's lines become figures, the kill line becomes an event with
 * anon + file + shmem and the one who asked in its detail. The page size is not printed: it is
 * derived (buddy lines; kill line kB / table pages).
 * Left out: call traces, registers, free lists, statistics that are counts of events, uid and
 * oom_score_adj; all other lines of the log. A row that shares the victim's address space gives
 * no reading, and its "sharing same memory" line is no further kill. Tables that were cut by hand
 * are kept as rows, but never as a whole.
 */
#include "parsers/oom.h"

#include <string.h>

#include "parsers/scan.h"

/* An open event is left when so many lines in a row say nothing of memory. */
#define OOM_QUIET_LINES 400

/* Cheap look at a line outside any event: may it matter? */
static bool may_matter(const struct ja_line *line)
{
    static const char *const words[] = {
        "oom",           "OOM",           "ut of memory",  "Kill",
        "killed as",     "mem avail:",    "sending SIG",   "total_vm",
        "memory: usage", "Memory cgroup", "Linux version", "system clock to",
        "nr_cpu_ids:",   "Out of memory"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ja_text_find(line->text, line->length, words[i]) < line->length)
            return true;
    return false;
}

static struct oom_event *begin_event(struct oom_log *log, const struct oom_line *line)
{
    struct oom_event *event =
        JA_APPEND(log->parse->scratch, log->events, log->event_count, log->event_capacity);
    event->first = *line;
    event->system = log->system;
    log->systems[log->system].told = true;
    event->requester_pid = event->order = JA_UNKNOWN;
    oom_figures_init(&event->figures);
    event->by_hand = log->by_hand_waits;
    log->by_hand_waits = false;
    oom_open(log, (uint32_t)log->event_count - 1);
    return event;
}

/* The open event when it has no victim yet, else a new one. */
static struct oom_event *event_before_kill(struct oom_log *log, const struct oom_line *line)
{
    struct oom_event *event = oom_open_event(log);
    return event && event->kill_count == 0 ? event : begin_event(log, line);
}

/* "brain_server invoked oom-killer: gfp_mask=.., order=0, oom_score_adj=0" */
static bool invoked_line(struct oom_log *log, const struct oom_line *line)
{
    size_t at = ja_text_find(line->message.text, line->message.length, " invoked oom-killer");
    if (at >= line->message.length)
        return false;
    struct oom_event *event = begin_event(log, line);
    event->invoked = true;
    event->requester = (struct oom_text){line->message.text, at};
    event->order = oom_number_after(line->message, "order=");
    event->by_hand = event->by_hand || oom_has(line->message, "order=-1");
    return true;
}

/* The last kill is the one of this pid. */
static void note_kill(struct oom_log *log, struct oom_event *event, int64_t pid)
{
    *ja_index_note(&event->kill_of, log->parse->scratch, NULL, pid) = (uint32_t)event->kill_count;
}

static void take_kill(struct oom_log *log, const struct oom_line *line, struct oom_kill *kill)
{
    struct oom_event *event = oom_open_event(log);
    bool next = event && event->kill_count > 0;
    kill->line = *line;
    if (next && event->kills[event->kill_count - 1].announced_only && !kill->announced_only) {
        event->kills[event->kill_count - 1] = *kill; /* the victim itself, perhaps a child */
        note_kill(log, event, kill->pid);
        return;
    }
    uint32_t before = next ? ja_index_find(&event->kill_of, NULL, kill->pid) : 0;
    if (before && event->kills[before - 1].pid == kill->pid &&
        event->kills[before - 1].anon_kib == kill->anon_kib)
        return; /* the same line once more */
    if (!event || (next && !event->grouped))
        event = begin_event(log, line);
    if (oom_has(line->message, "emory cgroup out of memory"))
        event->group_limit = true;
    struct oom_kill *added =
        JA_APPEND(log->parse->scratch, event->kills, event->kill_count, event->kill_capacity);
    *added = *kill;
    note_kill(log, event, kill->pid);
    event->table_ended = event->table_ended || event->in_table;
    event->in_table = false;
}

static bool sharing_line(struct oom_event *event, struct oom_text message, struct ja_arena *arena)
{
    if (!oom_begins(message, "Kill process ") || !oom_has(message, "sharing same memory"))
        return false;
    int64_t pid = oom_number_after(message, "Kill process ");
    if (pid != JA_UNKNOWN) {
        ++*ja_index_note(&event->sharers, arena, NULL, pid);
        event->sharer_count++;
    }
    return true;
}

/* Lines that only an open event takes. */
static bool event_line(struct oom_log *log, struct oom_event *event, const struct oom_line *line)
{
    struct oom_text message = line->message;
    if (oom_table_row(event, line, log->parse))
        return true;
    if (event->in_table && oom_is_elision(message) && line->stamp.parts == 0) {
        event->table_cut = true;
        return true;
    }
    if (oom_read_constraint(event, line)) {
        event->table_ended = event->table_ended || event->in_table;
        event->in_table = false;
        return true;
    }
    if (oom_has(message, "moom_callback")) {
        event->by_hand = true;
        return true;
    }
    if (oom_begins(message, "Kernel panic - not syncing")) {
        event->panic = message;
        event->panic_line = *line;
        event->table_ended = event->table_ended || event->in_table;
        event->in_table = false;
        return true;
    }
    if (oom_has(message, "killed due to memory.oom.group set")) {
        event->grouped = true;
        return true;
    }
    return oom_requester_line(log, event, message) ||
           sharing_line(event, message, log->parse->scratch) || oom_memory_line(event, message);
}

/* "oom-kill:constraint=.." of the open event, or of one whose first lines are lost. */
static bool chosen_line(struct oom_log *log, const struct oom_line *line)
{
    int64_t pid = oom_number_after(line->message, ",pid=");
    struct oom_event *event = oom_open_event(log);
    if (event && event->kill_count > 0 && event->kills[event->kill_count - 1].pid == pid)
        return true; /* a log read from its wrong end */
    if (line->open && pid == JA_UNKNOWN)
        return false; /* cut off before it says whom */
    event = event_before_kill(log, line);
    return event_line(log, event->chosen.name.text ? begin_event(log, line) : event, line);
}

/* Lines that may begin an event, also one whose first lines are lost. */
static bool beginning_line(struct oom_log *log, const struct oom_line *line)
{
    struct oom_text message = line->message;
    struct oom_kill kill = {0};
    if (invoked_line(log, line))
        return true;
    if (oom_has(message, "total_vm") && oom_has(message, " name") && oom_begins(message, "["))
        return !line->open && /* else it is cut, and nothing follows */
               oom_table_header(event_before_kill(log, line), line);
    if (oom_begins(message, "Task in ") && oom_has(message, "killed as a result of limit of ")) {
        struct oom_event *event = event_before_kill(log, line);
        event->group = oom_trim(oom_after(message, "as a result of limit of ").text,
                                oom_after(message, "as a result of limit of ").length);
        event->task_group = oom_word(oom_after(message, "Task in "), " ");
        event->group_limit = true;
        return true;
    }
    if (oom_begins(message, "memory: usage") || oom_begins(message, "Memory cgroup stats"))
        return oom_memory_line(event_before_kill(log, line), message);
    if (oom_begins(message, "oom-kill:constraint="))
        return chosen_line(log, line);
    if (oom_read_kill(message, &kill) || oom_read_announced(message, &kill)) {
        take_kill(log, line, &kill);
        return true;
    }
    if (oom_has(message, "Manual OOM execution")) {
        log->by_hand_waits = true;
        return true;
    }
    return false;
}

static bool is_kernel(const struct oom_line *line)
{
    return !line->tag.text || ja_text_is(line->tag.text, line->tag.length, "kernel");
}

/* One message; true when it said something of memory. */
static bool take_message(struct oom_log *log, const struct oom_line *line)
{
    if (oom_daemon_line(log, line))
        return true;
    if (!is_kernel(line) || line->message.length == 0)
        return false;
    oom_system_line(log, line);
    if (oom_has(line->message, "page allocation failure") ||
        oom_begins(line->message, "Linux version")) {
        oom_close(log); /* the Mem-Info that follows is of something else */
        return true;
    }
    if (beginning_line(log, line))
        return true;
    struct oom_event *event = oom_open_event(log);
    return event && event_line(log, event, line);
}

/* rsyslog writes the line breaks of one message as #012. */
static bool take_line(struct oom_log *log, struct oom_line *line)
{
    struct oom_text rest = line->message;
    bool taken = false;
    for (;;) {
        size_t end = ja_text_find(rest.text, rest.length, "#012");
        line->message = oom_trim(rest.text, end);
        taken = take_message(log, line) || taken;
        if (end >= rest.length)
            return taken;
        rest.text += end + 4;
        rest.length -= end + 4;
    }
}

/* Takes a line apart, whatever log it is of. False when it holds nothing that may matter. */
static bool split_line(struct oom_log *log, const struct ja_line *line, struct oom_line *ret)
{
    struct ja_arena *arena = log->parse->scratch;
    if (oom_frame_line(&log->frame, line, arena, ret))
        return ret->message.text && (log->open_count || may_matter(line));
    if (!log->open_count && !may_matter(line))
        return false;
    if (oom_is_journal(line->text, line->length))
        return oom_journal_split(line, arena, ret); /* else cut off, or a message that is no text */
    oom_line_split(line, arena, ret);
    return true;
}

static void take_split(struct oom_log *log, struct oom_line *split)
{
    oom_system_of(log, split);
    bool taken = take_line(log, split);
    struct oom_system *system = &log->systems[log->system];
    system->quiet = taken ? 0 : system->quiet + 1;
    if (system->quiet > OOM_QUIET_LINES)
        oom_close(log);
}

/* reversed: how many lines the text that was turned round has; 0: it was not. */
static void take_text(struct oom_log *log, const struct ja_piece *piece, int reversed)
{
    struct ja_line line;
    size_t at = 0;
    int number = piece->first_line;
    size_t width = oom_wrap_width(piece, log->parse->scratch);
    bool pretty = true; /* objects of several lines may come */
    while (ja_piece_line(piece, &at, &number, &line)) {
        struct oom_line split;
        int first = line.number;
        pretty = pretty && oom_journal_join(piece, &at, &number, &line);
        oom_wrap_join(piece, width, log->parse->scratch, &at, &number, &line);
        line.number = reversed ? 2 * piece->first_line + reversed - 1 - first : first;
        if (!split_line(log, &line, &split))
            continue;
        split.open = at > piece->length && piece->text[piece->length - 1] != '\n';
        take_split(log, &split);
    }
}

/* A log that begins inside a task table: what its columns are, nobody knows. */
static void say_lost_head(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_line line;
    struct oom_line split;
    size_t at = 0;
    int number = 0;
    if (!ja_piece_line(piece, &at, &number, &line))
        return;
    oom_line_split(&line, parse->scratch, &split);
    if (!oom_is_row(split.message))
        return;
    ja_diagnose(parse->evidence, JA_WARNING, "table-head-lost", line.number, NULL,
                "the log begins inside an OOM task table: rows without the header that tells their "
                "columns were left out");
    ja_set_status(parse->evidence, JA_STATUS_PARTLY, "the log begins inside an OOM task table");
}

/* The end of a log whose newest line is the first may be cut off: a report whose first line is lost
 * has the time of its kill. */
static void lose_first_lines(struct oom_log *log)
{
    for (size_t i = 0; i < log->event_count; i++) {
        struct oom_event *event = &log->events[i];
        if (!event->invoked && event->kill_count > 0)
            event->first.stamp = event->kills[0].line.stamp;
    }
}

static void parse(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct oom_log log = {.parse = parse};
    struct ja_piece turned;
    int reversed = 0;
    oom_systems_init(&log);
    oom_frame_init(&log.frame, piece);
    if (oom_is_reversed(piece, parse->scratch)) {
        oom_reverse(piece, parse->scratch, &turned, &reversed);
        piece = &turned;
    }
    say_lost_head(piece, parse);
    take_text(&log, piece, reversed);
    if (reversed)
        lose_first_lines(&log);
    ja_set_kind(parse->evidence, JA_KIND_OOM_LOG);
    oom_emit(&log, piece);
    if (!oom_has_signature(piece))
        ja_set_status(parse->evidence, JA_STATUS_NO_MEMORY_CONTENT,
                      "a kernel log in which memory never ended");
}

const struct ja_parser ja_parser_oom_log = {
    .name = "oom_log",
    .reads = "kernel logs with OOM reports (Linux 3.x to 6.x), earlyoom, systemd-oomd",
    .whole = true,
    .bid = oom_bid_file,
    .most = 88,
    .parse = parse,
};

/* The same inside a file of several tools' output. */
const struct ja_parser ja_parser_oom_block = {
    .name = "oom_block",
    .reads = "an OOM report pasted between other tools' output",
    .begins = oom_block_begins,
    .bid = oom_bid_block,
    .parse = parse,
};
