/* SPDX-License-Identifier: MIT
 *
 * Reading a file into memory and hashing what was read: in a loop, never by mmap, never trusting
 * the stated size. What was parsed and what was hashed are the same bytes.
 */
#ifndef JA_CLI_READ_H
#define JA_CLI_READ_H

#include <sys/types.h>

#include "cli/discover.h"
#include "cli/hash.h"

struct ja_bytes {
    char *memory; /* length bytes and a NUL; ended by ja_bytes_done */
    size_t length;
    size_t capacity; /* of memory */
    int64_t size_bytes; /* JA_UNKNOWN when not read and not known */
    int64_t mtime_ns;   /* JA_UNKNOWN: no regular file */
    uint64_t head;      /* ja_hash_head of what was read into memory; 0: nothing was */
    char sha256[65];    /* hex; empty when not read or not wanted */
    bool no_nul;        /* memory holds no NUL byte among length */
    bool changed;       /* it changed while it was read, twice */
    bool too_large;     /* more than max_bytes; of a pipe, memory then holds its beginning */
};

/* Reads one found file of at most max_bytes, each folder on the way opened without following links,
 * and hashes it unless it is to stay unhashed. False with *ret_why (in arena). Thread-safe. */
bool ja_read_found(const struct ja_discovery *discovery, const struct ja_found *found,
                   int64_t max_bytes, struct ja_arena *arena, struct ja_bytes *ret,
                   const char **ret_why);

/* The same, into the memory that bytes hold from an earlier file ({0}: none yet) or into more. It is
 * kept when nothing could be read: ja_bytes_done ends it in any case. */
bool ja_read_found_into(const struct ja_discovery *discovery, const struct ja_found *found,
                        int64_t max_bytes, struct ja_arena *arena, struct ja_bytes *bytes,
                        const char **ret_why);

/* What takes a file part by part: whole lines (the last may lack its end), or NULL for a line of
 * more than max_bytes, which is left out. False: no more is wanted. */
typedef bool ja_take_part(void *data, const char *text, size_t length);

/* Reads one found file that was too_large for ja_read_found_into, of any size, hashing as it goes;
 * bytes as that left it. False with *ret_why; when a part was refused, *ret_why stays as it is. */
bool ja_read_parts(const struct ja_discovery *discovery, const struct ja_found *found,
                   int64_t max_bytes, struct ja_arena *arena, ja_take_part *take, void *data,
                   struct ja_bytes *bytes, const char **ret_why);

/* Reads a file that the operator names (case file, caps table, key); it may be a link. */
bool ja_read_path(const char *path, int64_t max_bytes, struct ja_arena *arena, struct ja_bytes *ret,
                  const char **ret_why);

void ja_bytes_done(struct ja_bytes *bytes);

/* read(2), unless a test injects short reads and errors. */
extern ssize_t (*ja_read_call)(int, void *, size_t);

#endif
