/* SPDX-License-Identifier: MIT
 *
 * How exact Linux's own counters of resident memory are, by kernel release.
 */
#ifndef JA_MODEL_LINUX_ACCURACY_H
#define JA_MODEL_LINUX_ACCURACY_H

#include <stdbool.h>
#include <stdint.h>

#include "model/words.h"

/* How a kernel keeps RssAnon, RssFile and VmRSS. */
enum ja_linux_counters {
    JA_LINUX_COUNTERS_UNKNOWN, /* no Linux release */
    JA_LINUX_COUNTERS_EXACT,   /* up to 2.6.33, and from 6.16 on */
    JA_LINUX_COUNTERS_THREADS, /* 2.6.34 to 6.1: each thread holds back up to 64 events */
    JA_LINUX_COUNTERS_CPUS,    /* 6.2 to 6.15: each CPU holds back a batch of pages */
};

/* Of a release such as "6.1.0-57-cloud-amd64"; NULL: unknown. */
enum ja_linux_counters ja_linux_counters_of(const char *release);

/* Largest error either way of one figure, in bytes (0: exact). False when the release, or the
 * count of threads or CPUs that it needs, is not known (JA_UNKNOWN). page_bytes may be unknown:
 * then 4 KiB. */
bool ja_linux_error(const char *release, int64_t threads, int64_t cpus, int64_t page_bytes,
                    enum ja_metric metric, int64_t *ret_bytes);

/* The figures that these counters make; and with the files that show them as they are: smaps walks
 * the page tables and is exact. */
bool ja_linux_counts(enum ja_metric metric);
bool ja_linux_counted(enum ja_kind kind, enum ja_metric metric);

#endif
