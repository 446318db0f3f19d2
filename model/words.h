/* SPDX-License-Identifier: MIT
 *
 * The vocabulary: every enum of the interface with its word, used by JSON, NDJSON and back, and
 * the metric and figure tables that say what a number counts.
 */
#ifndef JA_MODEL_WORDS_H
#define JA_MODEL_WORDS_H

#include <stdbool.h>
#include <stddef.h>

enum ja_kind {
    JA_KIND_UNKNOWN,
    JA_KIND_JETSAM,
    JA_KIND_JETSAM_TEXT,
    JA_KIND_PANIC,
    JA_KIND_FORCE_RESET,
    JA_KIND_STACKSHOT,
    JA_KIND_RESET_COUNTER,
    JA_KIND_SHUTDOWN_STALL,
    JA_KIND_SLEEP_WAKE,
    JA_KIND_RESOURCE_REPORT,
    JA_KIND_MEMORY_RESOURCE,
    JA_KIND_CRASH,
    JA_KIND_SPIN,
    JA_KIND_ANALYTICS,
    JA_KIND_FOOTPRINT,
    JA_KIND_VMMAP,
    JA_KIND_HEAP,
    JA_KIND_LEAKS,
    JA_KIND_SAMPLE,
    JA_KIND_VM_STAT,
    JA_KIND_MEMORY_PRESSURE,
    JA_KIND_SWAPUSAGE,
    JA_KIND_SYSCTL,
    JA_KIND_TOP,
    JA_KIND_PS,
    JA_KIND_PROC_STATUS,
    JA_KIND_PROC_STAT,
    JA_KIND_PROC_STATM,
    JA_KIND_PROC_SMAPS,
    JA_KIND_PROC_SMAPS_ROLLUP,
    JA_KIND_PROC_MEMINFO,
    JA_KIND_PROC_VMSTAT,
    JA_KIND_PROC_PRESSURE,
    JA_KIND_PROC_SWAPS,
    JA_KIND_PROC_UPTIME,
    JA_KIND_PROC_CMDLINE,
    JA_KIND_BOOT_ID,
    JA_KIND_ZRAM,
    JA_KIND_CGROUP,
    JA_KIND_PROC_LOOP,
    JA_KIND_PIDSTAT,
    JA_KIND_ATOP,
    JA_KIND_SMEM,
    JA_KIND_KUBECTL_TOP,
    JA_KIND_ZPRINT,
    JA_KIND_MALLOC_HISTORY,
    JA_KIND_PS_LOG,
    JA_KIND_TOP_LOG,
    JA_KIND_FREE,
    JA_KIND_OOM_LOG,
    JA_KIND_PROCESS_JSON,
    JA_KIND_DOCKER_STATS,
    JA_KIND_WORK_LOG,
    JA_KIND_GROWTH_LOG,
    JA_KIND_NDJSON,
    JA_KIND_MANIFEST,
    JA_KIND_CASE,
    JA_KIND_FOREIGN,
    JA_KIND_COUNT,
};

/* In order of badness: the later word wins when several fit a file. */
enum ja_status {
    JA_STATUS_NONE, /* not settled yet */
    JA_STATUS_NO_MEMORY_CONTENT,
    JA_STATUS_EVENT_ONLY,
    JA_STATUS_USED,
    JA_STATUS_DUPLICATE,
    JA_STATUS_PARTLY,
    JA_STATUS_DAMAGED,
    JA_STATUS_UNKNOWN,
    JA_STATUS_UNREADABLE,
};

enum ja_level { JA_NOTE, JA_WARNING, JA_ERROR, JA_UNREAD };

enum ja_metric {
    JA_METRIC_PHYS_FOOTPRINT,
    JA_METRIC_PHYS_FOOTPRINT_PEAK,
    JA_METRIC_RESIDENT,
    JA_METRIC_RESIDENT_PEAK,
    JA_METRIC_ANONYMOUS,
    JA_METRIC_FILE,
    JA_METRIC_SHARED,
    JA_METRIC_SWAP,
    JA_METRIC_COMPRESSED,
    JA_METRIC_PSS,
    JA_METRIC_PRIVATE_DIRTY,
    JA_METRIC_DIRTY,
    JA_METRIC_VIRTUAL,
    JA_METRIC_CATEGORY,
    JA_METRIC_HEAP,
    JA_METRIC_CGROUP_CURRENT,
    JA_METRIC_ZONE,
    JA_METRIC_UNSTATED,
    JA_METRIC_ANON_SWAP,
    JA_METRIC_COUNT,
};

/* What a metric counts. "Books" or "physical" follows from it: a sum over processes of a metric
 * that counts compressed, swapped or shared pages is books, never use. */
enum {
    JA_COUNTS_RESIDENT = 1,
    JA_COUNTS_COMPRESSED = 2,
    JA_COUNTS_SWAPPED = 4,
    JA_COUNTS_SHARED = 8, /* at full size in every process that maps it */
    JA_COUNTS_PEAK = 16,
    JA_COUNTS_LIMIT = 32,
    JA_COUNTS_SYSTEM = 64,
    JA_NO_GROWTH_FINDING = 128, /* interfaces.md 9c: never falls, or moves with other processes */
};

enum ja_metric_class {
    JA_CLASS_FOOTPRINT,
    JA_CLASS_RSS,
    JA_CLASS_PSS,
    JA_CLASS_SWAP,
    JA_CLASS_OTHER
};

struct ja_metric_row {
    const char *word;           /* the interface's word */
    const char *name;           /* for people: "footprint", "RSS" */
    unsigned counts;            /* JA_COUNTS_... */
    enum ja_metric_class class; /* sources of one class may be cross-checked and fused */
};

extern const struct ja_metric_row ja_metrics[JA_METRIC_COUNT];

/* Figures of a machine at one moment. All in bytes but those marked. */
enum ja_figure {
    JA_FIGURE_RAM,     /* installed */
    JA_FIGURE_MANAGED, /* managed by the kernel (jetsam: sum of page classes; MemTotal) */
    JA_FIGURE_FREE,    /* pure free, without speculative */
    JA_FIGURE_ACTIVE,
    JA_FIGURE_INACTIVE,
    JA_FIGURE_SPECULATIVE,
    JA_FIGURE_THROTTLED,
    JA_FIGURE_WIRED,
    JA_FIGURE_ANONYMOUS,
    JA_FIGURE_FILE_BACKED,
    JA_FIGURE_PURGEABLE,
    JA_FIGURE_COMPRESSOR,   /* RAM the compressor occupies */
    JA_FIGURE_UNCOMPRESSED, /* original size of what it holds, swapped segments included */
    JA_FIGURE_USED,         /* physical use where the evidence states it (NDJSON); else derived */
    JA_FIGURE_SWAP_USED,
    JA_FIGURE_SWAP_TOTAL,
    JA_FIGURE_PRESSURE_LEVEL, /* 1, 2, 4: a number */
    JA_FIGURE_PERCENT_FREE,   /* a number */
    JA_FIGURE_COMPRESSIONS,   /* since boot: a number */
    JA_FIGURE_DECOMPRESSIONS, /* since boot: a number */
    JA_FIGURE_SWAPOUTS,       /* since boot: pages, a number */
    JA_FIGURE_ZONE_MAP,       /* kernel zones in use */
    JA_FIGURE_ZONE_MAP_CAP,
    JA_FIGURE_LARGEST_ZONE,
    JA_FIGURE_SUM_RESIDENT_PRIVATE, /* jetsam: sum of physicalPages.internal[0] of live rows */
    JA_FIGURE_SUM_COMPRESSED,       /* jetsam: sum of physicalPages.internal[1] of live rows */
    JA_FIGURE_SUM_PURGEABLE,
    JA_FIGURE_MEM_FREE, /* Linux meminfo, as named there */
    JA_FIGURE_MEM_AVAILABLE,
    JA_FIGURE_BUFFERS,
    JA_FIGURE_CACHED,
    JA_FIGURE_SWAP_CACHED,
    JA_FIGURE_SHMEM,
    JA_FIGURE_SLAB_RECLAIMABLE,
    JA_FIGURE_SLAB_UNRECLAIMABLE,
    JA_FIGURE_PAGE_TABLES,
    JA_FIGURE_KERNEL_STACK,
    JA_FIGURE_PERCPU,
    JA_FIGURE_HUGETLB,
    JA_FIGURE_ANON_PAGES,
    JA_FIGURE_ZRAM_ORIGINAL, /* zram: data stored */
    JA_FIGURE_ZRAM_USED,     /* zram: RAM it takes (mem_used_total) */
    JA_FIGURE_ZSWAP,         /* zswap pool */
    JA_FIGURE_ZSWAPPED,      /* zswap original */
    JA_FIGURE_CGROUP_USAGE,
    JA_FIGURE_CGROUP_LIMIT,
    JA_FIGURE_CGROUP_ANON,
    JA_FIGURE_CGROUP_FILE,
    JA_FIGURE_CGROUP_KERNEL,
    JA_FIGURE_BOOKS, /* books as stated (NDJSON state, footprint summary) */
    JA_FIGURE_BOOKS_LOW,
    JA_FIGURE_BOOKS_HIGH,
    JA_FIGURE_BOOKS_ROWS,   /* a number */
    JA_FIGURE_BOOKS_KILLED, /* rows left out: a number */
    JA_FIGURE_COUNT,
};

extern const char *const ja_figure_words[JA_FIGURE_COUNT];

enum ja_event_kind {
    JA_EVENT_JETSAM_KILL,
    JA_EVENT_PANIC,
    JA_EVENT_OOM_KILL,
    JA_EVENT_BOOT,
    JA_EVENT_RESET,
    JA_EVENT_FORCE_RESET,
    JA_EVENT_RESTART,
    JA_EVENT_LIMIT,
    JA_EVENT_WORK,
    JA_EVENT_NOTE,
    JA_EVENT_COUNT,
};

enum ja_unit {
    JA_UNIT_BYTES,
    JA_UNIT_PAGES,
    JA_UNIT_KIB,
    JA_UNIT_MIB,
    JA_UNIT_GIB,
    JA_UNIT_NUMBER,
    JA_UNIT_TEXT,
    JA_UNIT_COUNT,
};

/* What a fact states. A parser that needs a new one adds it here and its word in words.c. */
enum ja_fact_key {
    JA_FACT_NOTE,            /* free text worth keeping */
    JA_FACT_LARGEST_PROCESS, /* text: name the report names as the largest */
    JA_FACT_ROWS,            /* rows seen in a process table */
    JA_FACT_TABLE_CUT,       /* the table ends early: value = rows kept, text = why */
    JA_FACT_TABLE_FULL,      /* the kernel's buffer was full: value = rows */
    JA_FACT_TABLE_ABSENT,    /* text: why there is no process table */
    JA_FACT_TABLE_FILTERED,  /* rows were filtered or elided by hand */
    JA_FACT_LIMIT,           /* a printed limit: value bytes, text = its name */
    JA_FACT_COMMAND,         /* text: command line of the subject */
    JA_FACT_PANIC_STRING,    /* text */
    JA_FACT_PANIC_CLASS,     /* text: watchdog, zone, smc, ... */
    JA_FACT_PANICKED_TASK,   /* text */
    JA_FACT_COMPRESSOR_PAGES_PERCENT,
    JA_FACT_COMPRESSOR_PAGES_STATE, /* text: OK, BAD */
    JA_FACT_COMPRESSOR_SEGMENTS_PERCENT,
    JA_FACT_COMPRESSOR_SEGMENTS_STATE, /* text: OK, BAD */
    JA_FACT_SWAPFILES,
    JA_FACT_SWAP_SPACE_STATE, /* text: OK, LOW */
    JA_FACT_WATCHDOG_WHO,     /* text: the silent service */
    JA_FACT_WATCHDOG_SILENT_S,
    JA_FACT_WATCHDOG_CHECKINS,
    JA_FACT_WATCHDOG_KIND, /* text: kernel, userspace, hardware */
    JA_FACT_UPTIME_S,
    JA_FACT_SINCE_WAKE_S,
    JA_FACT_ZONE_NAME, /* text: exhausted or largest kernel zone */
    JA_FACT_ZONE_BYTES,
    JA_FACT_ZONE_ELEMENTS,
    JA_FACT_EXIT_NAMESPACE, /* value; text: who exited */
    JA_FACT_EXIT_CODE,
    JA_FACT_BOOT_FAULTS, /* text: "wdog,reset_in_1" */
    JA_FACT_REPORT_LAG_S,
    JA_FACT_ZONE_OFFSET_S,     /* UTC offset in force in this file */
    JA_FACT_RETAINED,          /* malloc zone: dirty + swapped - allocated; text = zone */
    JA_FACT_LIVE,              /* malloc zone: bytes allocated; text = zone */
    JA_FACT_GRAPHICS_BYTES,    /* graphics share of a subject's footprint */
    JA_FACT_RUNTIME,           /* text: runtime that the evidence names (mlx, node, java) */
    JA_FACT_THREADS,           /* of a subject */
    JA_FACT_CONTEXT_SWITCHES,  /* voluntary, of a subject */
    JA_FACT_FAILED_ROUND,      /* a loop's look-up failed: text = the line */
    JA_FACT_CGROUP_PATH,       /* text, of a subject */
    JA_FACT_SUMMARY_FOOTPRINT, /* de-duplicated total of one footprint call: bytes */
    JA_FACT_INTERVAL_S,        /* spacing of a loop that prints no times */
    JA_FACT_OOM_REQUESTER,     /* text */
    JA_FACT_OOM_CONSTRAINT,    /* text */
    JA_FACT_BY_HAND,           /* SysRq-f: no shortage */
    JA_FACT_LARGEST_SLAB,      /* largest unreclaimable slab: bytes; text = its name */
    JA_FACT_LEAKS_BYTES,       /* leaks: total leaked; value bytes */
    JA_FACT_HAND_EDITED,       /* text: why it looks edited or converted */
    JA_FACT_OTHER_CAUSE,       /* text: what a panic or kill names that is no lack of memory */
    JA_FACT_EXHAUSTED,         /* text: the resource the kernel itself names as exhausted */
    JA_FACT_PANIC_INITIATOR,   /* text: the coprocessor that asked for the panic */
    JA_FACT_AWAKE_S,           /* seconds since boot without sleep (mach_absolute_time) */
    JA_FACT_STACKSHOT,         /* text: what the panic log says of its process table */
    JA_FACT_LOCK_WAIT,         /* text: a thread waits for a lock with a named owner; subject =
                                  who waits, value = pid of the owner where it is known */
    JA_FACT_FREE_PAGES,        /* pages, where no page size is known (a quote) */
    JA_FACT_PAGES_WANTED,      /* memoryPressureDetails.pagesWanted */
    JA_FACT_LOOSE_SIZE,        /* bytes of a process that the quote does not name; text = key */
    JA_FACT_SHUTDOWN,          /* the watchdog fired while the machine was shutting down */
    JA_FACT_CUT,               /* the text of the record ends early: text = where */
    JA_FACT_DAILY_KILLS,       /* kills of a day: value = count, text = name and reason */
    JA_FACT_CONCERN,           /* NDJSON: the slope that matters, bytes per hour */
    JA_FACT_OOM_KILLS,         /* processes killed for memory so far (vmstat, memory.events) */
    JA_FACT_LIMIT_HITS,        /* how often a group met its limit so far (failcnt, max) */
    JA_FACT_PRESSURE_STALL_US, /* microseconds tasks waited for memory; text: who, average */
    JA_FACT_SWAP_AREA,         /* bytes of a swap area; text = its name */
    JA_FACT_BOOKS_METRIC,      /* NDJSON state: text = the metric that its books sum up */
    JA_FACT_COUNT,
};

extern const char *const ja_fact_words[JA_FACT_COUNT];

/* Words of enums, for output. Out of range gives "unknown". */
const char *ja_kind_word(enum ja_kind kind);
const char *ja_status_word(enum ja_status status);
const char *ja_level_word(enum ja_level level);
const char *ja_event_word(enum ja_event_kind kind);
const char *ja_unit_word(enum ja_unit unit);
const char *ja_clock_word(int clock);       /* enum ja_clock; NULL for JA_CLOCK_NONE */
const char *ja_rounding_word(int rounding); /* enum ja_rounding */
const char *ja_scope_word(int scope);       /* enum ja_scope */

/* Who reads the figures of a file of this kind: the files of /proc are one tool. */
enum ja_kind ja_kind_tool(enum ja_kind kind);

/* And back: false when the word is none of them. */
bool ja_kind_of(const char *word, enum ja_kind *ret);
bool ja_status_of(const char *word, enum ja_status *ret);
bool ja_metric_of(const char *word, enum ja_metric *ret);
bool ja_event_of(const char *word, enum ja_event_kind *ret);
bool ja_fact_of(const char *word, enum ja_fact_key *ret);
bool ja_figure_of(const char *word, enum ja_figure *ret);
bool ja_rounding_of(const char *word, int *ret);
bool ja_unit_of(const char *word, int *ret);
bool ja_scope_of(const char *word, int *ret);
bool ja_clock_of(const char *word, int *ret);

#endif
