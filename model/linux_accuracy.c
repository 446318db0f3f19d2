/* SPDX-License-Identifier: MIT
 *
 * Linux adds to its resident counters in batches. Up to 6.1 every thread keeps up to 64 events to
 * itself before it adds them (SPLIT_RSS_COUNTING, since 2.6.34): 63 pages of anonymous memory; a
 * fault on a file may map a cluster of pages in one event, and a quiet process was seen 408 kB
 * off, so file pages and their sum with the others get twice that. 6.2 to 6.15 count per CPU in
 * batches of max(32, 2 x CPUs) pages. 6.16 sums the counters exactly when they are read.
 */
#include "model/linux_accuracy.h"

#include <stddef.h>

#include "model/quantity.h"

#define EVENTS_PER_THREAD 63
#define LEAST_BATCH_PAGES 32

static bool number(const char **text, int64_t *ret)
{
    int64_t value = 0;
    const char *at = *text;
    for (; *at >= '0' && *at <= '9' && value < 10000; at++)
        value = value * 10 + (*at - '0');
    if (at == *text)
        return false;
    *text = at;
    *ret = value;
    return true;
}

enum ja_linux_counters ja_linux_counters_of(const char *release)
{
    int64_t major, minor, patch = 0;
    if (!release || !number(&release, &major) || *release++ != '.' || !number(&release, &minor))
        return JA_LINUX_COUNTERS_UNKNOWN;
    if (*release++ == '.')
        number(&release, &patch);
    int64_t version = major * 1000 + minor;
    if (version < 2006 || (version == 2006 && patch < 34) || version >= 6016)
        return JA_LINUX_COUNTERS_EXACT;
    return version <= 6001 ? JA_LINUX_COUNTERS_THREADS : JA_LINUX_COUNTERS_CPUS;
}

bool ja_linux_error(const char *release, int64_t threads, int64_t cpus, int64_t page_bytes,
                    enum ja_metric metric, int64_t *ret_bytes)
{
    int64_t page = page_bytes == JA_UNKNOWN ? 4 * JA_KIB : page_bytes;
    int64_t several = metric == JA_METRIC_ANONYMOUS ? 1 : 2;
    int64_t pages, batch;
    switch (ja_linux_counters_of(release)) {
    case JA_LINUX_COUNTERS_EXACT:
        *ret_bytes = 0;
        return true;
    case JA_LINUX_COUNTERS_THREADS:
        return threads > 0 && ja_multiply(threads, EVENTS_PER_THREAD * several, &pages) &&
               ja_multiply(pages, page, ret_bytes);
    case JA_LINUX_COUNTERS_CPUS:
        batch = cpus > LEAST_BATCH_PAGES / 2 ? 2 * cpus : LEAST_BATCH_PAGES;
        return cpus > 0 && ja_multiply(cpus, batch * several, &pages) &&
               ja_multiply(pages, page, ret_bytes);
    default:
        return false;
    }
}

bool ja_linux_counts(enum ja_metric metric)
{
    return metric == JA_METRIC_RESIDENT || metric == JA_METRIC_ANONYMOUS ||
           metric == JA_METRIC_FILE;
}

bool ja_linux_counted(enum ja_kind kind, enum ja_metric metric)
{
    if (!ja_linux_counts(metric))
        return false;
    switch (kind) {
    case JA_KIND_PROC_STATUS:
    case JA_KIND_PROC_STAT:
    case JA_KIND_PROC_STATM:
    case JA_KIND_PROC_LOOP:
    case JA_KIND_PIDSTAT:
    case JA_KIND_ATOP:
        return true;
    default:
        return false;
    }
}
