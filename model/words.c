/* SPDX-License-Identifier: MIT */
#include "model/words.h"

#include <string.h>

#include "model/evidence.h"
#include "model/instant.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const kinds[JA_KIND_COUNT] = {
    [JA_KIND_UNKNOWN] = "unknown",
    [JA_KIND_JETSAM] = "jetsam",
    [JA_KIND_JETSAM_TEXT] = "jetsam_text",
    [JA_KIND_PANIC] = "panic",
    [JA_KIND_FORCE_RESET] = "force_reset",
    [JA_KIND_STACKSHOT] = "stackshot",
    [JA_KIND_RESET_COUNTER] = "reset_counter",
    [JA_KIND_SHUTDOWN_STALL] = "shutdown_stall",
    [JA_KIND_SLEEP_WAKE] = "sleep_wake",
    [JA_KIND_RESOURCE_REPORT] = "resource_report",
    [JA_KIND_MEMORY_RESOURCE] = "memory_resource",
    [JA_KIND_CRASH] = "crash",
    [JA_KIND_SPIN] = "spin",
    [JA_KIND_ANALYTICS] = "analytics",
    [JA_KIND_FOOTPRINT] = "footprint",
    [JA_KIND_VMMAP] = "vmmap",
    [JA_KIND_HEAP] = "heap",
    [JA_KIND_LEAKS] = "leaks",
    [JA_KIND_SAMPLE] = "sample",
    [JA_KIND_VM_STAT] = "vm_stat",
    [JA_KIND_MEMORY_PRESSURE] = "memory_pressure",
    [JA_KIND_SWAPUSAGE] = "swapusage",
    [JA_KIND_SYSCTL] = "sysctl",
    [JA_KIND_TOP] = "top",
    [JA_KIND_PS] = "ps",
    [JA_KIND_PROC_STATUS] = "proc_status",
    [JA_KIND_PROC_STAT] = "proc_stat",
    [JA_KIND_PROC_STATM] = "proc_statm",
    [JA_KIND_PROC_SMAPS] = "proc_smaps",
    [JA_KIND_PROC_SMAPS_ROLLUP] = "proc_smaps_rollup",
    [JA_KIND_PROC_MEMINFO] = "proc_meminfo",
    [JA_KIND_PROC_VMSTAT] = "proc_vmstat",
    [JA_KIND_PROC_PRESSURE] = "proc_pressure",
    [JA_KIND_PROC_SWAPS] = "proc_swaps",
    [JA_KIND_PROC_UPTIME] = "proc_uptime",
    [JA_KIND_PROC_CMDLINE] = "proc_cmdline",
    [JA_KIND_BOOT_ID] = "boot_id",
    [JA_KIND_ZRAM] = "zram",
    [JA_KIND_CGROUP] = "cgroup",
    [JA_KIND_PROC_LOOP] = "proc_loop",
    [JA_KIND_PIDSTAT] = "pidstat",
    [JA_KIND_ATOP] = "atop",
    [JA_KIND_SMEM] = "smem",
    [JA_KIND_KUBECTL_TOP] = "kubectl_top",
    [JA_KIND_ZPRINT] = "zprint",
    [JA_KIND_MALLOC_HISTORY] = "malloc_history",
    [JA_KIND_PS_LOG] = "ps_log",
    [JA_KIND_TOP_LOG] = "top_log",
    [JA_KIND_FREE] = "free",
    [JA_KIND_OOM_LOG] = "oom_log",
    [JA_KIND_PROCESS_JSON] = "process_json",
    [JA_KIND_DOCKER_STATS] = "docker_stats",
    [JA_KIND_WORK_LOG] = "work_log",
    [JA_KIND_GROWTH_LOG] = "growth_log",
    [JA_KIND_NDJSON] = "ndjson",
    [JA_KIND_MANIFEST] = "manifest",
    [JA_KIND_CASE] = "case",
    [JA_KIND_FOREIGN] = "foreign",
};

static const char *const statuses[] = {
    [JA_STATUS_NONE] = "unknown",          [JA_STATUS_NO_MEMORY_CONTENT] = "no_memory_content",
    [JA_STATUS_EVENT_ONLY] = "event_only", [JA_STATUS_USED] = "used",
    [JA_STATUS_DUPLICATE] = "duplicate",   [JA_STATUS_PARTLY] = "partly",
    [JA_STATUS_DAMAGED] = "damaged",       [JA_STATUS_UNKNOWN] = "unknown",
    [JA_STATUS_UNREADABLE] = "unreadable",
};

static const char *const levels[] = {
    [JA_NOTE] = "note", [JA_WARNING] = "warning", [JA_ERROR] = "error", [JA_UNREAD] = "unread"};

static const char *const events[JA_EVENT_COUNT] = {
    [JA_EVENT_JETSAM_KILL] = "jetsam_kill",
    [JA_EVENT_PANIC] = "panic",
    [JA_EVENT_OOM_KILL] = "oom_kill",
    [JA_EVENT_BOOT] = "boot",
    [JA_EVENT_RESET] = "reset",
    [JA_EVENT_FORCE_RESET] = "force_reset",
    [JA_EVENT_RESTART] = "restart",
    [JA_EVENT_LIMIT] = "limit",
    [JA_EVENT_WORK] = "work",
    [JA_EVENT_NOTE] = "note",
};

static const char *const units[JA_UNIT_COUNT] = {
    [JA_UNIT_BYTES] = "bytes", [JA_UNIT_PAGES] = "pages", [JA_UNIT_KIB] = "KiB",
    [JA_UNIT_MIB] = "MiB",     [JA_UNIT_GIB] = "GiB",     [JA_UNIT_NUMBER] = "number",
    [JA_UNIT_TEXT] = "text",
};

static const char *const clocks[] = {
    [JA_CLOCK_REPORT] = "report",     [JA_CLOCK_STAMP] = "stamp",
    [JA_CLOCK_MANIFEST] = "manifest", [JA_CLOCK_FILE_NAME] = "file_name",
    [JA_CLOCK_MTIME] = "mtime",       [JA_CLOCK_DERIVED] = "derived",
};

static const char *const roundings[] = {
    [JA_ROUNDING_UNKNOWN] = "unknown", [JA_ROUNDING_EXACT] = "exact",
    [JA_ROUNDING_NEAREST] = "nearest", [JA_ROUNDING_DOWN] = "down",
    [JA_ROUNDING_UP] = "up",           [JA_ROUNDING_EDGE] = "nearest_edge",
};

static const char *const scopes[] = {
    [JA_SCOPE_PROCESS] = "process",     [JA_SCOPE_CGROUP] = "cgroup",
    [JA_SCOPE_CONTAINER] = "container", [JA_SCOPE_HOST] = "host",
    [JA_SCOPE_KERNEL] = "kernel",
};

const struct ja_metric_row ja_metrics[JA_METRIC_COUNT] = {
    [JA_METRIC_PHYS_FOOTPRINT] = {"phys_footprint", "footprint",
                                  JA_COUNTS_RESIDENT | JA_COUNTS_COMPRESSED | JA_COUNTS_SWAPPED,
                                  JA_CLASS_FOOTPRINT},
    [JA_METRIC_PHYS_FOOTPRINT_PEAK] = {"phys_footprint_peak", "peak footprint",
                                       JA_COUNTS_RESIDENT | JA_COUNTS_COMPRESSED |
                                           JA_COUNTS_SWAPPED | JA_COUNTS_PEAK |
                                           JA_NO_GROWTH_FINDING,
                                       JA_CLASS_OTHER},
    [JA_METRIC_RESIDENT] = {"resident", "RSS", JA_COUNTS_RESIDENT | JA_COUNTS_SHARED, JA_CLASS_RSS},
    [JA_METRIC_RESIDENT_PEAK] = {"resident_peak", "peak RSS",
                                 JA_COUNTS_RESIDENT | JA_COUNTS_SHARED | JA_COUNTS_PEAK |
                                     JA_NO_GROWTH_FINDING,
                                 JA_CLASS_OTHER},
    [JA_METRIC_ANONYMOUS] = {"anonymous", "anonymous", JA_COUNTS_RESIDENT, JA_CLASS_OTHER},
    [JA_METRIC_FILE] = {"file", "file pages",
                        JA_COUNTS_RESIDENT | JA_COUNTS_SHARED | JA_NO_GROWTH_FINDING,
                        JA_CLASS_OTHER},
    [JA_METRIC_SHARED] = {"shared", "shared",
                          JA_COUNTS_RESIDENT | JA_COUNTS_SHARED | JA_NO_GROWTH_FINDING,
                          JA_CLASS_OTHER},
    [JA_METRIC_SWAP] = {"swap", "swap", JA_COUNTS_SWAPPED | JA_NO_GROWTH_FINDING, JA_CLASS_SWAP},
    [JA_METRIC_COMPRESSED] = {"compressed", "compressed",
                              JA_COUNTS_COMPRESSED | JA_COUNTS_SWAPPED | JA_NO_GROWTH_FINDING,
                              JA_CLASS_OTHER},
    [JA_METRIC_PSS] = {"pss", "PSS", JA_COUNTS_RESIDENT | JA_NO_GROWTH_FINDING, JA_CLASS_PSS},
    [JA_METRIC_PRIVATE_DIRTY] = {"private_dirty", "private dirty", JA_COUNTS_RESIDENT,
                                 JA_CLASS_OTHER},
    [JA_METRIC_DIRTY] = {"dirty", "dirty", JA_COUNTS_RESIDENT, JA_CLASS_OTHER},
    [JA_METRIC_VIRTUAL] = {"virtual", "virtual size", JA_NO_GROWTH_FINDING, JA_CLASS_OTHER},
    [JA_METRIC_CATEGORY] = {"category", "category",
                            JA_COUNTS_RESIDENT | JA_COUNTS_COMPRESSED | JA_COUNTS_SWAPPED,
                            JA_CLASS_OTHER},
    [JA_METRIC_HEAP] = {"heap", "heap", JA_COUNTS_RESIDENT, JA_CLASS_OTHER},
    [JA_METRIC_CGROUP_CURRENT] = {"cgroup_current", "cgroup memory",
                                  JA_COUNTS_RESIDENT | JA_COUNTS_SYSTEM, JA_CLASS_OTHER},
    [JA_METRIC_ZONE] = {"zone", "kernel zone", JA_COUNTS_RESIDENT | JA_COUNTS_SYSTEM,
                        JA_CLASS_OTHER},
    [JA_METRIC_UNSTATED] = {"unstated", "size (kind not stated)", 0, JA_CLASS_OTHER},
    [JA_METRIC_ANON_SWAP] = {"anon_swap", "anonymous + swap",
                             JA_COUNTS_RESIDENT | JA_COUNTS_SWAPPED, JA_CLASS_OTHER},
};

const char *const ja_figure_words[JA_FIGURE_COUNT] = {
    [JA_FIGURE_RAM] = "ram",
    [JA_FIGURE_MANAGED] = "managed",
    [JA_FIGURE_FREE] = "free",
    [JA_FIGURE_ACTIVE] = "active",
    [JA_FIGURE_INACTIVE] = "inactive",
    [JA_FIGURE_SPECULATIVE] = "speculative",
    [JA_FIGURE_THROTTLED] = "throttled",
    [JA_FIGURE_WIRED] = "wired",
    [JA_FIGURE_ANONYMOUS] = "anonymous",
    [JA_FIGURE_FILE_BACKED] = "file_backed",
    [JA_FIGURE_PURGEABLE] = "purgeable",
    [JA_FIGURE_COMPRESSOR] = "compressor",
    [JA_FIGURE_UNCOMPRESSED] = "uncompressed",
    [JA_FIGURE_USED] = "used",
    [JA_FIGURE_SWAP_USED] = "swap_used",
    [JA_FIGURE_SWAP_TOTAL] = "swap_total",
    [JA_FIGURE_PRESSURE_LEVEL] = "pressure_level",
    [JA_FIGURE_PERCENT_FREE] = "percent_free",
    [JA_FIGURE_COMPRESSIONS] = "compressions",
    [JA_FIGURE_DECOMPRESSIONS] = "decompressions",
    [JA_FIGURE_SWAPOUTS] = "swapouts",
    [JA_FIGURE_ZONE_MAP] = "zone_map",
    [JA_FIGURE_ZONE_MAP_CAP] = "zone_map_cap",
    [JA_FIGURE_LARGEST_ZONE] = "largest_zone",
    [JA_FIGURE_SUM_RESIDENT_PRIVATE] = "sum_resident_private",
    [JA_FIGURE_SUM_COMPRESSED] = "sum_compressed",
    [JA_FIGURE_SUM_PURGEABLE] = "sum_purgeable",
    [JA_FIGURE_MEM_FREE] = "mem_free",
    [JA_FIGURE_MEM_AVAILABLE] = "mem_available",
    [JA_FIGURE_BUFFERS] = "buffers",
    [JA_FIGURE_CACHED] = "cached",
    [JA_FIGURE_SWAP_CACHED] = "swap_cached",
    [JA_FIGURE_SHMEM] = "shmem",
    [JA_FIGURE_SLAB_RECLAIMABLE] = "slab_reclaimable",
    [JA_FIGURE_SLAB_UNRECLAIMABLE] = "slab_unreclaimable",
    [JA_FIGURE_PAGE_TABLES] = "page_tables",
    [JA_FIGURE_KERNEL_STACK] = "kernel_stack",
    [JA_FIGURE_PERCPU] = "percpu",
    [JA_FIGURE_HUGETLB] = "hugetlb",
    [JA_FIGURE_ANON_PAGES] = "anon_pages",
    [JA_FIGURE_ZRAM_ORIGINAL] = "zram_original",
    [JA_FIGURE_ZRAM_USED] = "zram_used",
    [JA_FIGURE_ZSWAP] = "zswap",
    [JA_FIGURE_ZSWAPPED] = "zswapped",
    [JA_FIGURE_CGROUP_USAGE] = "cgroup_usage",
    [JA_FIGURE_CGROUP_LIMIT] = "cgroup_limit",
    [JA_FIGURE_CGROUP_ANON] = "cgroup_anon",
    [JA_FIGURE_CGROUP_FILE] = "cgroup_file",
    [JA_FIGURE_CGROUP_KERNEL] = "cgroup_kernel",
    [JA_FIGURE_BOOKS] = "books",
    [JA_FIGURE_BOOKS_LOW] = "books_low",
    [JA_FIGURE_BOOKS_HIGH] = "books_high",
    [JA_FIGURE_BOOKS_ROWS] = "books_rows",
    [JA_FIGURE_BOOKS_KILLED] = "books_killed",
};

const char *const ja_fact_words[JA_FACT_COUNT] = {
    [JA_FACT_NOTE] = "note",
    [JA_FACT_LARGEST_PROCESS] = "largest_process",
    [JA_FACT_ROWS] = "rows",
    [JA_FACT_TABLE_CUT] = "table_cut",
    [JA_FACT_TABLE_FULL] = "table_full",
    [JA_FACT_TABLE_ABSENT] = "table_absent",
    [JA_FACT_TABLE_FILTERED] = "table_filtered",
    [JA_FACT_LIMIT] = "limit",
    [JA_FACT_COMMAND] = "command",
    [JA_FACT_PANIC_STRING] = "panic_string",
    [JA_FACT_PANIC_CLASS] = "panic_class",
    [JA_FACT_PANICKED_TASK] = "panicked_task",
    [JA_FACT_COMPRESSOR_PAGES_PERCENT] = "compressor_pages_percent",
    [JA_FACT_COMPRESSOR_PAGES_STATE] = "compressor_pages_state",
    [JA_FACT_COMPRESSOR_SEGMENTS_PERCENT] = "compressor_segments_percent",
    [JA_FACT_COMPRESSOR_SEGMENTS_STATE] = "compressor_segments_state",
    [JA_FACT_SWAPFILES] = "swapfiles",
    [JA_FACT_SWAP_SPACE_STATE] = "swap_space_state",
    [JA_FACT_WATCHDOG_WHO] = "watchdog_who",
    [JA_FACT_WATCHDOG_SILENT_S] = "watchdog_silent_s",
    [JA_FACT_WATCHDOG_CHECKINS] = "watchdog_checkins",
    [JA_FACT_WATCHDOG_KIND] = "watchdog_kind",
    [JA_FACT_UPTIME_S] = "uptime_s",
    [JA_FACT_SINCE_WAKE_S] = "since_wake_s",
    [JA_FACT_ZONE_NAME] = "zone_name",
    [JA_FACT_ZONE_BYTES] = "zone_bytes",
    [JA_FACT_ZONE_ELEMENTS] = "zone_elements",
    [JA_FACT_EXIT_NAMESPACE] = "exit_namespace",
    [JA_FACT_EXIT_CODE] = "exit_code",
    [JA_FACT_BOOT_FAULTS] = "boot_faults",
    [JA_FACT_REPORT_LAG_S] = "report_lag_s",
    [JA_FACT_ZONE_OFFSET_S] = "zone_offset_s",
    [JA_FACT_RETAINED] = "retained",
    [JA_FACT_LIVE] = "live",
    [JA_FACT_GRAPHICS_BYTES] = "graphics_bytes",
    [JA_FACT_RUNTIME] = "runtime",
    [JA_FACT_THREADS] = "threads",
    [JA_FACT_CONTEXT_SWITCHES] = "context_switches",
    [JA_FACT_FAILED_ROUND] = "failed_round",
    [JA_FACT_CGROUP_PATH] = "cgroup_path",
    [JA_FACT_SUMMARY_FOOTPRINT] = "summary_footprint",
    [JA_FACT_INTERVAL_S] = "interval_s",
    [JA_FACT_OOM_REQUESTER] = "oom_requester",
    [JA_FACT_OOM_CONSTRAINT] = "oom_constraint",
    [JA_FACT_BY_HAND] = "by_hand",
    [JA_FACT_LARGEST_SLAB] = "largest_slab",
    [JA_FACT_LEAKS_BYTES] = "leaks_bytes",
    [JA_FACT_HAND_EDITED] = "hand_edited",
    [JA_FACT_OTHER_CAUSE] = "other_cause",
    [JA_FACT_EXHAUSTED] = "exhausted",
    [JA_FACT_PANIC_INITIATOR] = "panic_initiator",
    [JA_FACT_AWAKE_S] = "awake_s",
    [JA_FACT_STACKSHOT] = "stackshot",
    [JA_FACT_LOCK_WAIT] = "lock_wait",
    [JA_FACT_FREE_PAGES] = "free_pages",
    [JA_FACT_PAGES_WANTED] = "pages_wanted",
    [JA_FACT_LOOSE_SIZE] = "loose_size",
    [JA_FACT_SHUTDOWN] = "shutdown",
    [JA_FACT_CUT] = "cut",
    [JA_FACT_DAILY_KILLS] = "daily_kills",
    [JA_FACT_CONCERN] = "concern",
    [JA_FACT_OOM_KILLS] = "oom_kills",
    [JA_FACT_LIMIT_HITS] = "limit_hits",
    [JA_FACT_PRESSURE_STALL_US] = "pressure_stall_us",
    [JA_FACT_SWAP_AREA] = "swap_area",
    [JA_FACT_BOOKS_METRIC] = "books_metric",
};

static const char *word_at(const char *const *words, size_t count, size_t index)
{
    return index < count && words[index] ? words[index] : "unknown";
}

static bool index_of(const char *const *words, size_t count, const char *word, size_t *ret)
{
    for (size_t i = 0; i < count; i++) {
        if (words[i] && strcmp(words[i], word) == 0) {
            *ret = i;
            return true;
        }
    }
    return false;
}

const char *ja_kind_word(enum ja_kind kind)
{
    return word_at(kinds, COUNT(kinds), (size_t)kind);
}

const char *ja_status_word(enum ja_status status)
{
    return word_at(statuses, COUNT(statuses), (size_t)status);
}

const char *ja_level_word(enum ja_level level)
{
    return word_at(levels, COUNT(levels), (size_t)level);
}

const char *ja_event_word(enum ja_event_kind kind)
{
    return word_at(events, COUNT(events), (size_t)kind);
}

const char *ja_unit_word(enum ja_unit unit)
{
    return word_at(units, COUNT(units), (size_t)unit);
}

const char *ja_clock_word(int clock)
{
    return clock == JA_CLOCK_NONE ? NULL : word_at(clocks, COUNT(clocks), (size_t)clock);
}

const char *ja_rounding_word(int rounding)
{
    return word_at(roundings, COUNT(roundings), (size_t)rounding);
}

const char *ja_scope_word(int scope)
{
    return word_at(scopes, COUNT(scopes), (size_t)scope);
}

enum ja_kind ja_kind_tool(enum ja_kind kind)
{
    return kind >= JA_KIND_PROC_STATUS && kind <= JA_KIND_BOOT_ID ? JA_KIND_PROC_STATUS : kind;
}

bool ja_kind_of(const char *word, enum ja_kind *ret)
{
    size_t index;
    if (!index_of(kinds, COUNT(kinds), word, &index))
        return false;
    *ret = (enum ja_kind)index;
    return true;
}

bool ja_status_of(const char *word, enum ja_status *ret)
{
    size_t index;
    if (!index_of(statuses, COUNT(statuses), word, &index))
        return false;
    *ret = (enum ja_status)index;
    return true;
}

bool ja_event_of(const char *word, enum ja_event_kind *ret)
{
    size_t index;
    if (!index_of(events, COUNT(events), word, &index))
        return false;
    *ret = (enum ja_event_kind)index;
    return true;
}

bool ja_fact_of(const char *word, enum ja_fact_key *ret)
{
    size_t index;
    if (!index_of(ja_fact_words, COUNT(ja_fact_words), word, &index))
        return false;
    *ret = (enum ja_fact_key)index;
    return true;
}

bool ja_figure_of(const char *word, enum ja_figure *ret)
{
    size_t index;
    if (!index_of(ja_figure_words, COUNT(ja_figure_words), word, &index))
        return false;
    *ret = (enum ja_figure)index;
    return true;
}

bool ja_rounding_of(const char *word, int *ret)
{
    size_t index;
    if (!index_of(roundings, COUNT(roundings), word, &index))
        return false;
    *ret = (int)index;
    return true;
}

bool ja_unit_of(const char *word, int *ret)
{
    size_t index;
    if (!index_of(units, COUNT(units), word, &index))
        return false;
    *ret = (int)index;
    return true;
}

bool ja_scope_of(const char *word, int *ret)
{
    size_t index;
    if (!index_of(scopes, COUNT(scopes), word, &index))
        return false;
    *ret = (int)index;
    return true;
}

bool ja_clock_of(const char *word, int *ret)
{
    size_t index;
    if (!index_of(clocks, COUNT(clocks), word, &index))
        return false;
    *ret = (int)index;
    return true;
}

bool ja_metric_of(const char *word, enum ja_metric *ret)
{
    for (size_t i = 0; i < JA_METRIC_COUNT; i++) {
        if (strcmp(ja_metrics[i].word, word) == 0) {
            *ret = (enum ja_metric)i;
            return true;
        }
    }
    return false;
}
