/* SPDX-License-Identifier: MIT */
#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void ja_progress_init(struct ja_progress *progress, bool on, size_t total)
{
    progress->on = on;
    progress->shown = false;
    progress->total = total;
    atomic_init(&progress->files, 0);
    atomic_init(&progress->kbytes, 0);
}

void ja_progress_show(struct ja_progress *progress)
{
    if (!progress->on)
        return;
    fprintf(stderr, "\r\033[Kreading: %zu of %zu files, %zu MiB", atomic_load(&progress->files),
            progress->total, atomic_load(&progress->kbytes) / 1024);
    fflush(stderr);
    progress->shown = true;
}

void ja_progress_erase(struct ja_progress *progress)
{
    if (!progress->shown)
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    progress->shown = false;
}

bool ja_progress_possible(void)
{
    const char *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && !(terminal && strcmp(terminal, "dumb") == 0);
}
