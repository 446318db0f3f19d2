/* SPDX-License-Identifier: MIT
 *
 * What an OOM report says of the machine and of the memory cgroup: the Mem-Info block (pages),
 * its Node lines (kB), the swap and RAM lines, "memory: usage ..., limit ..." and the cgroup's
 * statistics, in one line of key:valKB (up to 5.2) or one "key bytes" a line (5.3 and later).
 * "No limit" is printed as 9007199254740988kB or ...991kB and the like: any figure of an exbibyte
 * or more stands for it.
 */
#include "parsers/oom.h"

#include "parsers/scan.h"

#define NO_LIMIT_KIB ((int64_t)1 << 50)

void oom_figures_init(struct oom_figures *figures)
{
    *figures = (struct oom_figures){
        .active_anon = JA_UNKNOWN,
        .inactive_anon = JA_UNKNOWN,
        .active_file = JA_UNKNOWN,
        .inactive_file = JA_UNKNOWN,
        .free = JA_UNKNOWN,
        .slab_reclaimable = JA_UNKNOWN,
        .slab_unreclaimable = JA_UNKNOWN,
        .shmem = JA_UNKNOWN,
        .page_tables = JA_UNKNOWN,
        .ram = JA_UNKNOWN,
        .reserved = JA_UNKNOWN,
        .page_cache = JA_UNKNOWN,
        .swap_cache = JA_UNKNOWN,
        .kernel_stack_kib = JA_UNKNOWN,
        .huge_kib = JA_UNKNOWN,
        .swap_free_kib = JA_UNKNOWN,
        .swap_total_kib = JA_UNKNOWN,
        .usage_kib = JA_UNKNOWN,
        .limit_kib = JA_UNKNOWN,
        .failcnt = JA_UNKNOWN,
        .kmem_kib = JA_UNKNOWN,
        .both_usage_kib = JA_UNKNOWN,
        .both_limit_kib = JA_UNKNOWN,
        .group_anon = JA_UNKNOWN,
        .group_file = JA_UNKNOWN,
        .group_kernel = JA_UNKNOWN,
        .group_parts = JA_UNKNOWN,
        .slab_largest_kib = JA_UNKNOWN,
        .page_kib = JA_UNKNOWN,
    };
}

/* Adds to a figure that may not have been said yet. */
static void sum(int64_t *figure, int64_t value)
{
    if (value != JA_UNKNOWN)
        *figure = *figure == JA_UNKNOWN ? value : ja_add(*figure, value);
}

/* Value of a token "key:123", in pages (nothing behind the digits). */
static int64_t page_token(struct oom_text message, const char *key)
{
    struct ja_scan scan = ja_scan_of(message.text, message.length);
    for (;;) {
        struct ja_scan token = ja_scan_of(NULL, 0);
        int64_t value = 0;
        ja_scan_blanks(&scan);
        if (!ja_scan_word(&scan, &token.text, &token.length))
            return JA_UNKNOWN;
        if (ja_scan_text(&token, key) && ja_scan_u63(&token, &value) && ja_scan_end(&token))
            return value;
    }
}

static void take_pages(int64_t *figure, struct oom_text message, const char *key)
{
    int64_t value = page_token(message, key);
    if (*figure == JA_UNKNOWN && value != JA_UNKNOWN)
        *figure = value;
}

static void memory_info(struct oom_figures *figures, struct oom_text message)
{
    take_pages(&figures->active_anon, message, "active_anon:");
    take_pages(&figures->inactive_anon, message, "inactive_anon:");
    take_pages(&figures->active_file, message, "active_file:");
    take_pages(&figures->inactive_file, message, "inactive_file:");
    take_pages(&figures->slab_reclaimable, message, "slab_reclaimable:");
    take_pages(&figures->slab_unreclaimable, message, "slab_unreclaimable:");
    take_pages(&figures->shmem, message, "shmem:");
    take_pages(&figures->page_tables, message, "pagetables:");
    take_pages(&figures->free, message, "free:");
}

/* "Node 0 DMA: 45*4kB (U) 40*8kB ...": the first block is one page. */
static void buddy_line(struct oom_figures *figures, struct oom_text message)
{
    struct oom_text rest = oom_after(message, ": ");
    int64_t blocks = 0, kib = 0;
    if (!rest.text)
        return;
    struct ja_scan scan = ja_scan_of(rest.text, rest.length);
    if (ja_scan_u63(&scan, &blocks) && ja_scan_char(&scan, '*') && ja_scan_u63(&scan, &kib) &&
        ja_scan_text(&scan, "kB") && kib > 0 && kib <= 256)
        figures->page_kib = kib;
}

static void node_line(struct oom_event *event, struct oom_text message)
{
    struct oom_figures *figures = &event->figures;
    event->in_memory = false;
    if (oom_has(message, "hugepages_total=")) {
        int64_t total = oom_number_after(message, "hugepages_total=");
        int64_t size = oom_number_after(message, "hugepages_size=");
        int64_t kib = 0;
        if (total != JA_UNKNOWN && size != JA_UNKNOWN && ja_multiply(total, size, &kib))
            sum(&figures->huge_kib, kib);
    } else if (oom_has(message, "*")) {
        buddy_line(figures, message);
    } else {
        sum(&figures->kernel_stack_kib, oom_number_after(message, "kernel_stack:"));
    }
}

/* "524288 pages RAM" and its like. */
static bool counted_pages(struct oom_figures *figures, struct oom_text message)
{
    struct ja_scan scan = ja_scan_of(message.text, message.length);
    int64_t pages = 0;
    if (!ja_scan_u63(&scan, &pages))
        return false;
    struct oom_text what = {scan.text + scan.at, scan.length - scan.at};
    if (ja_text_is(what.text, what.length, " pages RAM"))
        figures->ram = pages;
    else if (ja_text_is(what.text, what.length, " pages reserved"))
        figures->reserved = pages;
    else if (ja_text_is(what.text, what.length, " total pagecache pages"))
        figures->page_cache = pages;
    else if (ja_text_is(what.text, what.length, " pages in swap cache"))
        figures->swap_cache = pages;
    else
        return oom_begins(what, " pages ");
    return true;
}

static bool usage_line(struct oom_event *event, struct oom_text message)
{
    struct oom_figures *figures = &event->figures;
    bool memory = oom_begins(message, "memory: usage");
    if (oom_begins(message, "kmem: usage")) {
        figures->kmem_kib = oom_number_after(message, "usage ");
        return true;
    }
    if (oom_begins(message, "memory+swap: usage")) {
        figures->both_usage_kib = oom_number_after(message, "usage ");
        figures->both_limit_kib = oom_number_after(message, "limit ");
        return true;
    }
    if (!memory)
        return oom_begins(message, "swap: usage");
    event->group_limit = true;
    figures->usage_kib = oom_number_after(message, "usage ");
    figures->limit_kib = oom_number_after(message, "limit ");
    figures->failcnt = oom_number_after(message, "failcnt ");
    if (figures->limit_kib >= NO_LIMIT_KIB)
        figures->limit_kib = -1;
    if (figures->usage_kib >= NO_LIMIT_KIB)
        figures->usage_kib = JA_UNKNOWN;
    return true;
}

/* The kernel's own parts in a group where no "kernel" total is printed (5.3 to 5.17). */
static bool is_kernel_part(const char *key, size_t length)
{
    static const char *const parts[] = {"kernel_stack", "pagetables", "sec_pagetables",
                                        "percpu",       "vmalloc",    "slab"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (ja_text_is(key, length, parts[i]))
            return true;
    return false;
}

/* One "key bytes" pair of a group's statistics; false when the text is none. */
static bool stat_line(struct oom_figures *figures, struct oom_text message)
{
    struct ja_scan scan = ja_scan_of(message.text, message.length);
    const char *key = NULL;
    size_t length = 0;
    int64_t value = 0;
    if (!ja_scan_word(&scan, &key, &length))
        return false;
    ja_scan_blanks(&scan);
    if (!ja_scan_u63(&scan, &value) || !ja_scan_end(&scan))
        return false;
    if (ja_text_is(key, length, "anon") || ja_text_is(key, length, "rss"))
        figures->group_anon = value;
    else if (ja_text_is(key, length, "file") || ja_text_is(key, length, "cache"))
        figures->group_file = value;
    else if (ja_text_is(key, length, "kernel"))
        figures->group_kernel = value;
    else if (is_kernel_part(key, length))
        sum(&figures->group_parts, value);
    return true;
}

static void one_line_stats(struct oom_figures *figures, struct oom_text message)
{
    int64_t bytes = 0;
    int64_t anon = oom_number_after(message, " rss:");
    int64_t file = oom_number_after(message, " cache:");
    if (file == JA_UNKNOWN)
        file = oom_number_after(message, ":cache:");
    if (anon != JA_UNKNOWN && ja_multiply(anon, JA_KIB, &bytes))
        sum(&figures->group_anon, bytes);
    if (file != JA_UNKNOWN && ja_multiply(file, JA_KIB, &bytes))
        sum(&figures->group_file, bytes);
}

static bool group_stats(struct oom_event *event, struct oom_text message)
{
    struct oom_text rest = oom_after(message, "Memory cgroup stats");
    if (!rest.text)
        return false;
    struct oom_text path = oom_after(message, "Memory cgroup stats for ");
    if (path.text && !event->group.text)
        event->group = oom_word(path, ": ");
    if (oom_has(message, "rss:")) {
        one_line_stats(&event->figures, message);
        event->figures.group_sums = true;
    }
    event->in_stats = !oom_has(message, "rss:");
    return true;
}

/* "kmalloc-1k            124180KB     125760KB" below "Unreclaimable slab info:". */
static bool slab_line(struct oom_event *event, struct oom_text message)
{
    struct ja_scan scan = ja_scan_of(message.text, message.length);
    struct oom_text name = {NULL, 0};
    int64_t used = 0, total = 0;
    if (oom_begins(message, "Unreclaimable slab info")) {
        event->in_slabs = true;
        return true;
    }
    if (!event->in_slabs || oom_begins(message, "Name "))
        return event->in_slabs;
    event->in_slabs = false;
    if (!ja_scan_word(&scan, &name.text, &name.length))
        return false;
    ja_scan_blanks(&scan);
    if (!ja_scan_u63(&scan, &used) || !ja_scan_text(&scan, "KB"))
        return false;
    ja_scan_blanks(&scan);
    if (!ja_scan_u63(&scan, &total) || !ja_scan_text(&scan, "KB"))
        return false;
    event->in_slabs = true;
    if (total > event->figures.slab_largest_kib) {
        bool sane = total <= JA_LARGEST_BYTES / JA_KIB; /* else which is largest is not known */
        event->figures.slab_largest_kib = total;
        event->figures.slab_largest = sane ? name : (struct oom_text){NULL, 0};
    }
    return true;
}

bool oom_memory_line(struct oom_event *event, struct oom_text message)
{
    struct oom_figures *figures = &event->figures;
    if (oom_begins(message, "Mem-Info:") || oom_begins(message, "active_anon:")) {
        event->in_memory = true;
        memory_info(figures, message);
        return true;
    }
    if (oom_begins(message, "Node ")) {
        node_line(event, message);
        return true;
    }
    if (oom_begins(message, "Free swap ") || oom_begins(message, "Total swap ")) {
        int64_t kib = oom_number_after(message, "= ");
        *(message.text[0] == 'F' ? &figures->swap_free_kib : &figures->swap_total_kib) = kib;
        return true;
    }
    if (usage_line(event, message) || group_stats(event, message) || slab_line(event, message))
        return true;
    if (event->in_memory)
        memory_info(figures, message);
    if (event->in_stats && stat_line(figures, message))
        return true;
    event->in_stats = false;
    return counted_pages(figures, message);
}
