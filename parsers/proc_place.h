/* SPDX-License-Identifier: MIT
 *
 * What a file's place says about it. Copies of /proc and /sys keep much of their meaning in their
 * path: <stamp>/<pid>/status, proc/<pid>/smaps_rollup of a sosreport, sys/fs/cgroup/<group>/
 * memory.current, or flat names made by hand (21066.status, smaps-21066-2026-10-02.txt,
 * meminfo-2026-10-02.log). Parsers of such files ask here for the pid, the snapshot they share with
 * their neighbours, the group and the stamp in a folder's or file's name.
 */
#ifndef JA_PARSERS_PROC_PLACE_H
#define JA_PARSERS_PROC_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parsers/parser.h"

struct ja_proc_place {
    const char *snapshot; /* folder that the files of one moment share ("." = the PATH itself), or
                             folder + stamp of flat names; NULL: the file stands alone */
    const char *leaf;     /* the /proc or cgroup name: "status", "memory.current"; never NULL */
    const char *group;    /* "/box/worker" of a cgroup's file; NULL: not one or not named */
    const char *host;     /* host named by a sosreport's folder; NULL */
    int64_t pid;          /* of the folder or the flat name; JA_UNKNOWN */
    bool thread;          /* <pid>/task/<tid>/...: a thread shows its process's memory again */
    bool sosreport;
    bool stamped; /* stamp holds one found in a name */
    struct ja_stamp stamp;
};

/* Reads a path. Text lives in arena. */
struct ja_proc_place ja_proc_place_of(const char *path, struct ja_arena *arena);

/* The place of a piece: its banner ("==> /proc/12/status <==") when that names a file of /proc,
 * else the file's path. */
struct ja_proc_place ja_proc_piece_place(const struct ja_piece *piece, struct ja_arena *arena);

#endif
