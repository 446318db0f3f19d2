/* SPDX-License-Identifier: MIT
 *
 * What the files of the OOM log parser share: one line of a kernel log or journal, taken apart,
 * and one OOM event as it is put together line by line. Everything lives in the scratch arena of
 * the parse; texts point into the file.
 */
#ifndef JA_PARSERS_OOM_H
#define JA_PARSERS_OOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parsers/parser.h"

struct oom_text {
    const char *text; /* not NUL-terminated; NULL: not said */
    size_t length;
};

/* One line of a log. */
struct oom_line {
    struct ja_stamp stamp;   /* parts == 0: the line carries no clock */
    int64_t since_boot_ns;   /* the kernel's own clock; JA_UNKNOWN */
    struct oom_text host;    /* syslog host field */
    struct oom_text tag;     /* "kernel", "earlyoom"; NULL: none printed */
    struct oom_text message; /* trimmed */
    int number;              /* line of the file */
    bool open;               /* the text ends with it, without a line end: it may be cut */
};

/* Columns of the task table, chosen by the header's words. */
enum oom_column {
    OOM_TGID,
    OOM_TOTAL_VM,
    OOM_RSS,
    OOM_RSS_ANON,
    OOM_RSS_FILE,
    OOM_RSS_SHMEM,
    OOM_PGTABLES_BYTES,
    OOM_SWAPENTS,
    OOM_SCORE_ADJ,
    OOM_COLUMN_COUNT,
    OOM_OTHER = OOM_COLUMN_COUNT, /* uid, cpu, nr_ptes and the like: read over */
};

#define OOM_MOST_COLUMNS 24

struct oom_row {
    int64_t pid;
    int64_t values[OOM_COLUMN_COUNT]; /* as printed; JA_UNKNOWN: no such column */
    struct oom_text name;
    int line;
    bool shares_mm; /* another row's address space: its pages are counted there */
};

struct oom_kill {
    int64_t pid;
    struct oom_text name;
    int64_t total_vm_kib, anon_kib, file_kib, shmem_kib; /* JA_UNKNOWN: not printed */
    struct oom_line line;
    bool announced_only; /* "Kill process N": the line of the kill itself is missing */
};

/* Figures of the Mem-Info block and of the memory cgroup, in the unit their name says. */
struct oom_figures {
    int64_t active_anon, inactive_anon, active_file, inactive_file, free; /* pages */
    int64_t slab_reclaimable, slab_unreclaimable, shmem, page_tables;     /* pages */
    int64_t ram, reserved, page_cache, swap_cache;                        /* pages */
    int64_t kernel_stack_kib, huge_kib, swap_free_kib, swap_total_kib;
    int64_t usage_kib, limit_kib, failcnt, kmem_kib; /* memory cgroup; limit -1: none */
    int64_t both_usage_kib, both_limit_kib;       /* "memory+swap": the v1 group's second limit */
    int64_t group_anon, group_file, group_kernel; /* bytes */
    int64_t group_parts;                          /* bytes: sum of the kernel's parts */
    bool group_sums;                              /* anon and file are sums over a subtree's lines */
    int64_t slab_largest_kib;
    struct oom_text slab_largest;
    int64_t page_kib; /* smallest block of a buddy line: the page size */
};

/* Who asks and who is killed, from one "invoked" line to the next. */
struct oom_event {
    struct oom_line first; /* the line it begins with */
    uint32_t system;       /* index into oom_log.systems */
    bool invoked;          /* its first line was seen */
    bool by_hand;          /* SysRq: no shortage */
    bool grouped;          /* memory.oom.group: all its kills are one */
    bool group_limit;      /* the limit of a memory cgroup, not the machine's end */
    struct oom_text requester;
    int64_t requester_pid;
    int64_t order;
    struct oom_text constraint; /* "CONSTRAINT_MEMCG" */
    struct oom_text group;      /* cgroup whose limit was reached */
    struct oom_text task_group; /* cgroup of the victim */
    struct oom_kill chosen;     /* by the oom-kill line, for want of a kill line; no name: not said */
    struct oom_text panic;      /* the kernel gave up: its panic text */
    struct oom_line panic_line;
    struct oom_figures figures;
    bool in_stats, in_memory, in_slabs, in_table;
    bool table_seen, table_ended, table_cut, table_damaged;
    enum oom_column columns[OOM_MOST_COLUMNS];
    size_t column_count;
    int table_line;
    struct oom_row *rows;
    size_t row_count, row_capacity;
    struct ja_index row_of; /* pid: 1 + its first row */
    struct oom_kill *kills;
    size_t kill_count, kill_capacity;
    struct ja_index kill_of; /* pid: 1 + its last kill */
    struct ja_index sharers; /* pids of "sharing same memory": how often it was said */
    size_t sharer_count;
};

/* What one host's boot tells of itself. */
struct oom_system {
    struct oom_text host;
    struct oom_text kernel; /* release */
    int64_t cores;
    int64_t page_kib; /* derived; JA_UNKNOWN */
    int64_t last_since_boot_ns;
    int64_t boot_unix_ns; /* from the clock lines of this boot; JA_UNKNOWN */
    bool told;            /* an event or a killer's line is of it */
    uint32_t index;       /* in the evidence; JA_NONE until it is needed */
    uint32_t open;        /* its event that still takes lines; JA_NONE */
    int quiet;            /* lines since the last that said something of memory */
};

/* A user-space killer's line: earlyoom, systemd-oomd. */
struct oom_daemon {
    struct oom_line line;
    uint32_t system;
    struct oom_text name; /* process, or cgroup path */
    struct oom_text why;  /* as printed */
    int64_t pid;          /* JA_UNKNOWN: a cgroup */
    int64_t rss_mib;
    bool group; /* systemd-oomd: the victim is a cgroup */
    bool again; /* sent once more after a failed kill: no further kill */
    int64_t avail, total, swap_free, swap_total; /* in unit; JA_UNKNOWN */
    int64_t unit;                                /* JA_MIB, or 1 */
    bool figures_only;                           /* a "mem avail" line */
};

/* What lines above say of the ones below: the minute of dmesg -H, the head of a journal's entry. */
struct oom_frame {
    struct ja_stamp minute;
    struct oom_line entry; /* stamp, host, tag */
    bool entries;          /* the log is a journal whose entries are several lines */
};

struct oom_log {
    struct ja_parse *parse;
    struct oom_frame frame;
    struct oom_event *events;
    size_t event_count, event_capacity;
    size_t open_count; /* systems with an open event: hosts may share a log */
    struct oom_system *systems;
    size_t system_count, system_capacity;
    bool systems_cut;
    uint32_t system; /* the one the present line speaks of */
    struct oom_daemon *daemons;
    size_t daemon_count, daemon_capacity;
    bool by_hand_waits; /* "sysrq: Manual OOM execution" waits for its event */
};

/* oom_bid.c */
int oom_bid_file(const struct ja_piece *piece);
int oom_bid_block(const struct ja_piece *piece);
bool oom_block_begins(const char *line, size_t length);
bool oom_has_signature(const struct ja_piece *piece);
/* oom_line.c: takes a line apart; never fails, an unknown prefix stays in the message. */
void oom_line_split(const struct ja_line *line, struct ja_arena *arena, struct oom_line *ret);
bool oom_has_clock(const struct oom_line *line); /* a wall clock's or the kernel's */
/* oom_frame.c: prefixes at the cursor; it stays where there is none. */
struct ja_scan;
void oom_scan_kmsg(struct ja_scan *scan, int64_t *ret_ns);
void oom_scan_container(struct ja_scan *scan);
/* "host program pid id data" behind the stamp of RFC 5424; false when it is none. */
bool oom_scan_rfc5424(struct ja_scan *scan, struct oom_line *ret);
void oom_frame_init(struct oom_frame *frame, const struct ja_piece *piece);
/* True when the line is of dmesg -H or of a journal's entry: ret is its message, NULL text when it
 * holds none. */
bool oom_frame_line(struct oom_frame *frame, const struct ja_line *line, struct ja_arena *arena,
                    struct oom_line *ret);
/* oom_wrap.c: the width of the terminal that a log was copied from; 0 when its lines are whole. */
size_t oom_wrap_width(const struct ja_piece *piece, struct ja_arena *arena);
/* The line with the parts of it that stand in the lines below; at and number go behind them. */
void oom_wrap_join(const struct ja_piece *piece, size_t width, struct ja_arena *arena, size_t *at,
                   int *number, struct ja_line *line);
/* oom_order.c: the newest line is the first. ret is the text turned round, in arena. */
bool oom_is_reversed(const struct ja_piece *piece, struct ja_arena *arena);
void oom_reverse(const struct ja_piece *piece, struct ja_arena *arena, struct ja_piece *ret,
                 int *ret_lines);
/* oom_journal.c: journalctl -o json, one object a line. */
bool oom_is_journal(const char *text, size_t length);
/* -o json-pretty: the line "{" becomes the whole object, at and number go behind it. False when the
 * object has no end: no later one has, and nobody need look again. */
bool oom_journal_join(const struct ja_piece *piece, size_t *at, int *number, struct ja_line *line);
bool oom_journal_split(const struct ja_line *line, struct ja_arena *arena, struct oom_line *ret);
struct oom_text oom_trim(const char *text, size_t length);
bool oom_begins(struct oom_text text, const char *prefix);
bool oom_has(struct oom_text text, const char *needle);
/* Text behind the first needle, to the end; NULL text when it is not there. */
struct oom_text oom_after(struct oom_text text, const char *needle);
/* Digits right behind the first "key"; JA_UNKNOWN when there are none. */
int64_t oom_number_after(struct oom_text text, const char *key);
/* First word of a text. */
struct oom_text oom_word(struct oom_text text, const char *ends);

/* oom_system.c */
/* The event of the present system that still takes lines; NULL. Good until the next one begins. */
struct oom_event *oom_open_event(struct oom_log *log);
void oom_open(struct oom_log *log, uint32_t event);
void oom_close(struct oom_log *log);
void oom_systems_init(struct oom_log *log);
/* Settles which host's boot the line speaks of; closes the open event when it is another. */
void oom_system_of(struct oom_log *log, const struct oom_line *line);
/* Takes kernel release, CPUs and wall clock from boot lines. */
void oom_system_line(struct oom_log *log, const struct oom_line *line);
/* "CPU: 0 PID: 1066 Comm: leak_linear Not tainted 6.1.0-57-cloud-amd64 #1 ..." */
bool oom_requester_line(struct oom_log *log, struct oom_event *event, struct oom_text message);

/* oom_table.c */
bool oom_table_header(struct oom_event *event, const struct oom_line *line);
/* True when the line was a row (also a bad one, which is diagnosed). */
bool oom_table_row(struct oom_event *event, const struct oom_line *line, struct ja_parse *parse);
bool oom_is_row(struct oom_text message);
bool oom_is_elision(struct oom_text message);
/* Marks the rows that stand for another row's address space. */
void oom_table_sharers(struct oom_event *event);

/* oom_memory.c: Mem-Info, memory cgroup and swap lines; true when the line was one. */
void oom_figures_init(struct oom_figures *figures);
bool oom_memory_line(struct oom_event *event, struct oom_text message);

/* oom_kill.c */
bool oom_read_kill(struct oom_text message, struct oom_kill *ret);
bool oom_read_announced(struct oom_text message, struct oom_kill *ret);
bool oom_read_constraint(struct oom_event *event, const struct oom_line *line);
bool oom_daemon_line(struct oom_log *log, const struct oom_line *line);

/* oom_emit.c: everything that was read becomes evidence. */
void oom_emit(struct oom_log *log, const struct ja_piece *piece);

#endif
