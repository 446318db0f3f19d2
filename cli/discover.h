/* SPDX-License-Identifier: MIT
 *
 * Finding the input: every PATH is opened, folders are walked without following links, and every
 * entry met is accounted for, read or not. Nothing here reads a file's bytes.
 * Roots are opened before the sandbox; walking comes after it. The discovery's arena owns all.
 */
#ifndef JA_CLI_DISCOVER_H
#define JA_CLI_DISCOVER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "model/arena.h"
#include "model/case.h"
#include "model/index.h"

#define JA_WALK_DEPTH 16

enum ja_root_kind { JA_ROOT_FOLDER, JA_ROOT_FILE, JA_ROOT_STDIN, JA_ROOT_MISSING };

/* One PATH of the command line, or a file that a statement names. */
struct ja_root {
    const char *path;  /* as given */
    const char *name;  /* last component */
    const char *label; /* after the walk: name, "#2" appended where two are equal */
    const char *type;  /* parser forced for it; NULL */
    const char *error; /* JA_ROOT_MISSING: why it could not be opened */
    enum ja_role role;
    bool stated; /* no PATH: a case file, a manifest, or a file that one names */
    enum ja_root_kind kind;
    int folder; /* descriptor of a folder; -1 */
    dev_t device;
    ino_t inode;
    int64_t size_bytes; /* of a file when it was opened; JA_UNKNOWN: none */
    bool covered;   /* lies in a root walked before: adds no file of its own */
    uint32_t found; /* a file's entry after the walk; JA_NONE */
};

struct ja_found {
    const char *path;    /* as printed in outputs */
    const char *inside;  /* below its root; "" for a file that is the root */
    const char *type;    /* parser forced; NULL */
    const char *refused; /* why it is not read; NULL: it may be */
    uint32_t root;
    enum ja_role role;
    dev_t device;
    ino_t inode;
    int64_t size_bytes; /* when it was found; JA_UNKNOWN: of standard input */
    bool unhashed;      /* its SHA-256 is not wanted (hash_wanted.c) */
};

struct ja_discovery {
    struct ja_arena *arena;
    struct ja_root *roots;
    size_t root_count, root_capacity;
    struct ja_found *found;
    size_t found_count, found_capacity;
    size_t max_files;
    size_t left_out; /* files beyond max_files */
    struct ja_folder *folders;
    size_t folder_count, folder_capacity; /* walked so far */
    struct ja_index folder_index;         /* by device and inode: place in folders plus 1 */
};

void ja_discovery_init(struct ja_discovery *discovery, size_t max_files);
void ja_discovery_done(struct ja_discovery *discovery);

/* Opens a PATH ("-": standard input). A path that cannot be opened stays as JA_ROOT_MISSING.
 * Returns its index in roots. */
uint32_t ja_discovery_add(struct ja_discovery *discovery, const char *path, enum ja_role role,
                          const char *type, bool stated);

/* Walks all roots; found is then complete, sorted by path (bytewise) and has its printed paths. */
void ja_discovery_walk(struct ja_discovery *discovery);

/* Last component of a path. */
const char *ja_path_name(const char *path);

/* What an errno of a file means, with the advice that a person needs on this system. */
const char *ja_errno_text(int error, struct ja_arena *arena);

#endif
