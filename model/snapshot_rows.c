/* SPDX-License-Identifier: MIT
 *
 * The files of one snapshot folder: stat tells the start of a pid, status its name.
 */
#include "model/identity.h"
#include "model/rows.h"

#include <stdlib.h>
#include <string.h>

struct folder_row {
    int64_t pid;
    size_t order; /* in the folder */
    struct ja_subject *subject;
};

static int by_row_pid(const void *a, const void *b)
{
    const struct folder_row *x = a, *y = b;
    if (x->pid != y->pid)
        return x->pid < y->pid ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* stat tells the start of a pid, status its name: the files of one snapshot share what they say. */
static void share_rows(struct folder_row *rows, size_t count, struct ja_arena *arena)
{
    qsort(rows, count, sizeof *rows, by_row_pid);
    for (size_t i = 0, end; i < count; i = end) {
        struct ja_subject all = {.cpu_ns = JA_UNKNOWN};
        int64_t start = JA_UNKNOWN;
        bool one = true; /* two starts are two processes: nobody knows whose the rest is */
        for (end = i; end < count && rows[end].pid == rows[i].pid; end++) {
            const struct ja_subject *s = rows[end].subject;
            int64_t own = s->more->start_ticks;
            if (own != JA_UNKNOWN) {
                one &= start == JA_UNKNOWN || start == own;
                start = own;
            }
            if (s->cpu_ns != JA_UNKNOWN)
                all.cpu_ns = s->cpu_ns;
            if (s->name && (!all.name || (all.name_cut && !s->name_cut))) {
                all.name = s->name;
                all.name_cut = s->name_cut;
                all.name_open = s->name_open;
            }
        }
        for (size_t k = i; k < end && one; k++) {
            struct ja_subject *s = rows[k].subject;
            if (s->more->start_ticks != start)
                ja_subject_more(s, arena)->start_ticks = start;
            if (s->cpu_ns == JA_UNKNOWN)
                s->cpu_ns = all.cpu_ns;
            if (!s->name) {
                s->name = all.name;
                s->name_cut = all.name_cut;
                s->name_open = all.name_open;
            }
        }
    }
}

static void share_folder(struct ja_build *build, size_t first, size_t end)
{
    size_t count = 0;
    for (size_t i = first; i < end; i++)
        count += build->moments[i].subject_count;
    struct folder_row *rows = ja_arena_alloc(build->scratch, count, sizeof *rows);
    count = 0;
    for (size_t i = first; i < end; i++) {
        const struct ja_moment *moment = &build->moments[i];
        struct ja_evidence *evidence = build->item->sources[moment->source].evidence;
        ja_evidence_unpack(evidence);
        for (size_t k = 0; k < moment->subject_count; k++) {
            struct ja_subject *s = &evidence->subjects[ja_moment_subject(moment, k)];
            if (s->scope != JA_SCOPE_PROCESS || s->pid == JA_UNKNOWN)
                continue;
            rows[count] = (struct folder_row){s->pid, count, s};
            count++;
        }
    }
    if (count)
        share_rows(rows, count, build->item->arena);
}

size_t ja_snapshot_end(const struct ja_build *build, size_t first)
{
    const char *folder = ja_moment_record(build, &build->moments[first])->snapshot;
    size_t end = first + 1;
    for (; folder && end < build->moment_count; end++) {
        const char *next = ja_moment_record(build, &build->moments[end])->snapshot;
        if (!next || strcmp(folder, next) != 0)
            break;
    }
    return end;
}

void ja_share_snapshot_rows(struct ja_build *build)
{
    for (size_t i = 0, end; i < build->moment_count; i = end) {
        end = ja_snapshot_end(build, i);
        if (ja_moment_record(build, &build->moments[i])->snapshot)
            share_folder(build, i, end);
    }
}
