/* SPDX-License-Identifier: MIT
 *
 * The progress line on a terminal: files and bytes read so far, erased when the work is done.
 */
#ifndef JA_CLI_PROGRESS_H
#define JA_CLI_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct ja_progress {
    bool on;
    bool shown;
    size_t total;
    atomic_size_t files; /* workers add to these */
    atomic_size_t kbytes;
};

/* on: standard error is a terminal and nobody asked for silence. */
void ja_progress_init(struct ja_progress *progress, bool on, size_t total);
void ja_progress_show(struct ja_progress *progress); /* main thread, now and then */
void ja_progress_erase(struct ja_progress *progress);

/* Standard error is a terminal that can erase a line. */
bool ja_progress_possible(void);

#endif
