/* SPDX-License-Identifier: MIT
 *
 * The report folder: files are made in a private folder inside it, synced, and renamed to their
 * final names. An existing file is replaced only while its bytes are those of our last hash list
 * (.jetsam-audit), or with force; else the new file goes beside it as NAME.new.EXT. Existing files
 * are never opened for writing: a name may be a hard link to evidence.
 */
#ifndef JA_CLI_OUTPUT_H
#define JA_CLI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "cli/discover.h"
#include "model/arena.h"

#define JA_HASH_LIST ".jetsam-audit"

enum ja_output_result {
    JA_OUTPUT_GOOD,
    JA_OUTPUT_INSIDE, /* the folder lies inside a PATH: never */
    JA_OUTPUT_FAILED, /* exit status 5 */
};

struct ja_output_file {
    const char *name;      /* inside the folder: "postmortem.md", "tables/growth.tsv" */
    const char *published; /* final name, once it has one */
    char sha256[65];
    bool kept_edit; /* an edited file kept its name, this one stands beside it */
};

struct ja_hash_entry {
    char sha256[65];
    const char *name;
};

struct ja_output {
    struct ja_arena *arena;
    const struct ja_discovery *discovery; /* what must never be written into or replaced */
    const char *path;                     /* DIR as given */
    int folder;               /* its descriptor */
    const char *private_name; /* .jetsam-audit.XXXXXX; NULL before ja_output_begin */
    int private_folder;
    bool force;
    bool made; /* the folder did not exist before */
    struct ja_output_file *files;
    size_t file_count, file_capacity;
    struct ja_hash_entry *known;
    size_t known_count, known_capacity;
    const char *error; /* of the last failure */
};

/* Opens DIR, made when it is absent, after checking that it lies in no folder of the discovery.
 * ja_output_done ends it in every case. */
enum ja_output_result ja_output_open(struct ja_output *output, const char *path,
                                     const struct ja_discovery *discovery, bool force);

/* Makes the private folder, and removes those that killed runs left. */
bool ja_output_begin(struct ja_output *output);

/* Takes in what was written in the private folder, a file or a folder of files: hashed, synced. */
bool ja_output_add(struct ja_output *output, const char *name);

/* Renames all files to their final names and writes the hash list. False: exit status 5. */
bool ja_output_publish(struct ja_output *output);

/* Removes the private folder and what is left in it. */
void ja_output_clean(struct ja_output *output);

/* That, and DIR when it was made here and is empty. */
void ja_output_done(struct ja_output *output);

/* True for a PATH, or a file that a statement names. */
bool ja_output_is_root(const struct ja_discovery *discovery, const struct stat *status);

/* Keeps the reason of a failure; always false. */
bool ja_output_fail(struct ja_output *output, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* SHA-256 of a regular file below folder, not following a link. False with errno. */
bool ja_hash_at(int folder, const char *name, char ret_sha256[65]);

/* fsync, unless a test injects errors. */
extern int (*ja_sync_call)(int);

#endif
