/* SPDX-License-Identifier: MIT
 *
 * Running independent jobs on several threads: workers take the next index from one counter and
 * write their own results, so the outcome does not depend on how many there are.
 */
#ifndef JA_CLI_JOBS_H
#define JA_CLI_JOBS_H

#include <stddef.h>

#include "cli/progress.h"

/* Threads to use from now on: 0 = the number of processors. Call before the sandbox. */
void ja_jobs_set_workers(size_t workers);

/* Runs job(0..count-1, data), each once; returns when all are done. progress may be NULL. */
void ja_jobs_run(size_t count, void (*job)(size_t index, void *data), void *data,
                 struct ja_progress *progress);

/* The same without progress: the ja_run_jobs that the model is given. */
void ja_jobs_run_silent(size_t count, void (*job)(size_t index, void *data), void *data);

#endif
