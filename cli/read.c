/* SPDX-License-Identifier: MIT */
#include "cli/read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OPEN_FLAGS (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
#define FIRST_BYTES ((size_t)64 * 1024)
#define PART_BYTES ((size_t)256 * 1024)

ssize_t (*ja_read_call)(int, void *, size_t) = read;

/* Opens inside below folder, one component after the other. */
static int open_below(int folder, const char *inside)
{
    int at = folder;
    for (;;) {
        char name[256];
        size_t length = strcspn(inside, "/");
        if (length >= sizeof name) {
            errno = ENAMETOOLONG;
            break;
        }
        memcpy(name, inside, length);
        name[length] = '\0';
        bool last = !inside[length];
        int next = openat(at, name, OPEN_FLAGS | O_NOFOLLOW | (last ? 0 : O_DIRECTORY));
        if (at != folder)
            close(at);
        if (next < 0 || last)
            return next;
        at = next;
        inside += length + 1;
    }
    if (at != folder)
        close(at);
    return -1;
}

static int open_found(const struct ja_discovery *discovery, const struct ja_found *found,
                      struct ja_arena *arena, const char **ret_why)
{
    const struct ja_root *root = &discovery->roots[found->root];
    int descriptor;
    if (root->kind == JA_ROOT_STDIN)
        descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    else if (root->kind == JA_ROOT_FILE)
        descriptor = open(root->path, OPEN_FLAGS);
    else
        descriptor = open_below(root->folder, found->inside);
    if (descriptor < 0) {
        *ret_why = ja_errno_text(errno, arena);
        return -1;
    }
    struct stat status;
    if (root->kind != JA_ROOT_STDIN &&
        (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) ||
         status.st_ino != found->inode || status.st_dev != found->device)) {
        close(descriptor);
        *ret_why = "replaced by something else while the program ran";
        return -1;
    }
    return descriptor;
}

#ifdef __APPLE__
#define MODIFIED(status) ((status).st_mtimespec)
#define CHANGED(status) ((status).st_ctimespec)
#else
#define MODIFIED(status) ((status).st_mtim)
#define CHANGED(status) ((status).st_ctim)
#endif

static bool same_file_state(const struct stat *a, const struct stat *b)
{
    return a->st_size == b->st_size && MODIFIED(*a).tv_sec == MODIFIED(*b).tv_sec &&
           MODIFIED(*a).tv_nsec == MODIFIED(*b).tv_nsec &&
           CHANGED(*a).tv_sec == CHANGED(*b).tv_sec && CHANGED(*a).tv_nsec == CHANGED(*b).tv_nsec;
}

/* Gives bytes a larger memory; what is used of the old one is kept. */
static void enlarge(struct ja_bytes *bytes, size_t used, size_t capacity)
{
    char *larger = ja_arena_malloc(capacity);
    if (!larger) {
        ja_arena_out_of_memory();
        abort();
    }
    if (used)
        memcpy(larger, bytes->memory, used);
    free(bytes->memory);
    bytes->memory = larger;
    bytes->capacity = capacity;
}

/* All bytes up to the end of the file, whatever its stated size; one byte more than max_bytes shows
 * that it is too long. The text gets a NUL behind its end. */
static bool read_all(int descriptor, size_t expected, size_t max_bytes, struct ja_bytes *bytes)
{
    size_t wanted = expected < max_bytes ? expected + 2 : max_bytes + 2, used = 0;
    if (bytes->capacity < wanted || bytes->capacity < FIRST_BYTES)
        enlarge(bytes, 0, wanted < FIRST_BYTES ? FIRST_BYTES : wanted);
    for (;;) {
        if (used + 2 > bytes->capacity)
            enlarge(bytes, used, 2 * bytes->capacity);
        ssize_t got = ja_read_call(descriptor, bytes->memory + used, bytes->capacity - used - 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return false;
        used += (size_t)got;
        if (got == 0 || used > max_bytes)
            break;
    }
    bytes->memory[used] = '\0';
    bytes->length = used;
    return true;
}

static const char *too_large(int64_t max_bytes, struct ja_arena *arena)
{
    bool whole = max_bytes % JA_MIB == 0;
    return ja_arena_print(arena, "larger than --max-file (%lld %s): not read",
                          (long long)(whole ? max_bytes / JA_MIB : max_bytes),
                          whole ? "MiB" : "bytes");
}

static int64_t mtime_of(const struct stat *status)
{
    bool known = S_ISREG(status->st_mode) && MODIFIED(*status).tv_sec > 0 &&
                 MODIFIED(*status).tv_sec < JA_LARGEST_BYTES >> 31;
    if (!known)
        return JA_UNKNOWN;
    return (int64_t)MODIFIED(*status).tv_sec * JA_NS_PER_S + (int64_t)MODIFIED(*status).tv_nsec;
}

/* One reading of an open file. False with *ret_why. */
static bool read_once(int descriptor, int64_t max_bytes, struct ja_arena *arena,
                      struct ja_bytes *bytes, const char **ret_why)
{
    struct stat before, after;
    if (fstat(descriptor, &before) != 0) {
        *ret_why = ja_errno_text(errno, arena);
        return false;
    }
    bool regular = S_ISREG(before.st_mode);
    if (regular && before.st_size > max_bytes) {
        bytes->size_bytes = before.st_size;
        bytes->too_large = true;
        *ret_why = too_large(max_bytes, arena);
        return false;
    }
    size_t expected = regular && before.st_size > 0 ? (size_t)before.st_size : 0;
    if (!read_all(descriptor, expected, (size_t)max_bytes, bytes)) {
        *ret_why = ja_errno_text(errno, arena);
        return false;
    }
    if ((int64_t)bytes->length > max_bytes) {
        if (regular)
            bytes->length = 0; /* it is there to be read again */
        bytes->too_large = true;
        *ret_why = too_large(max_bytes, arena);
        return false;
    }
    bytes->size_bytes = (int64_t)bytes->length;
    bytes->mtime_ns = mtime_of(&before);
    bytes->changed = regular && fstat(descriptor, &after) == 0 && !same_file_state(&before, &after);
    return true;
}

static bool read_open(int descriptor, int64_t max_bytes, bool hash, struct ja_arena *arena,
                      struct ja_bytes *ret, const char **ret_why)
{
    if (!read_once(descriptor, max_bytes, arena, ret, ret_why))
        return false;
    if (ret->changed && lseek(descriptor, 0, SEEK_SET) == 0 &&
        !read_once(descriptor, max_bytes, arena, ret, ret_why))
        return false;
    /* What was just written is still at hand in the processor's caches. */
    ret->no_nul = !memchr(ret->memory, '\0', ret->length);
    ret->head = ja_hash_head(ret->memory, ret->length);
    if (hash)
        ja_hash_bytes(ret->memory, ret->length, ret->sha256);
    return true;
}

/* Nothing is known of what was read before, its memory is kept. */
static void forget(struct ja_bytes *bytes)
{
    *bytes = (struct ja_bytes){.memory = bytes->memory,
                               .capacity = bytes->capacity,
                               .size_bytes = JA_UNKNOWN,
                               .mtime_ns = JA_UNKNOWN};
}

bool ja_read_found_into(const struct ja_discovery *discovery, const struct ja_found *found,
                        int64_t max_bytes, struct ja_arena *arena, struct ja_bytes *bytes,
                        const char **ret_why)
{
    forget(bytes);
    int descriptor = open_found(discovery, found, arena, ret_why);
    if (descriptor < 0)
        return false;
    bool good = read_open(descriptor, max_bytes, !found->unhashed, arena, bytes, ret_why);
    close(descriptor);
    return good;
}

bool ja_read_found(const struct ja_discovery *discovery, const struct ja_found *found,
                   int64_t max_bytes, struct ja_arena *arena, struct ja_bytes *ret,
                   const char **ret_why)
{
    *ret = (struct ja_bytes){.memory = NULL};
    if (ja_read_found_into(discovery, found, max_bytes, arena, ret, ret_why))
        return true;
    ja_bytes_done(ret);
    return false;
}

/* ---- in parts -------------------------------------------------------------------------------- */

struct parts {
    int descriptor;
    struct ja_hash hash;
    const struct ja_bytes *begun; /* what a pipe gave before it proved too large */
    size_t begun_used;
    struct ja_bytes buffer; /* length bytes of it wait to be taken */
    size_t most;            /* a longer line is skipped */
    bool skipping;          /* inside a line longer than most */
    int64_t size_bytes;
    ja_take_part *take;
    void *data;
};

/* More bytes behind those in the buffer; 0 at the end, -1 with errno. */
static ssize_t fill(struct parts *p)
{
    char *to = p->buffer.memory + p->buffer.length;
    size_t room = p->buffer.capacity - p->buffer.length, left = p->begun->length - p->begun_used;
    ssize_t got;
    if (left) {
        got = (ssize_t)(left < room ? left : room);
        memcpy(to, p->begun->memory + p->begun_used, (size_t)got);
        p->begun_used += (size_t)got;
    } else {
        do
            got = ja_read_call(p->descriptor, to, room);
        while (got < 0 && errno == EINTR);
    }
    if (got > 0) {
        ja_hash_add(&p->hash, to, (size_t)got);
        p->buffer.length += (size_t)got;
        p->size_bytes += got;
    }
    return got;
}

/* Bytes of the whole lines in the buffer. */
static size_t whole_lines(const struct parts *p)
{
    size_t end = p->buffer.length;
    while (end && p->buffer.memory[end - 1] != '\n')
        end--;
    return end;
}

static void drop(struct parts *p, size_t length)
{
    memmove(p->buffer.memory, p->buffer.memory + length, p->buffer.length - length);
    p->buffer.length -= length;
}

/* A line fills the buffer: makes room for more of it, or skips it when it is too long. No line is
 * looked for behind a NUL byte: such a file is no text, or it ends there. */
static bool lengthen(struct parts *p)
{
    if (memchr(p->buffer.memory, '\0', p->buffer.length)) {
        size_t length = p->buffer.length;
        p->buffer.length = 0;
        return p->take(p->data, p->buffer.memory, length);
    }
    if (p->buffer.capacity < p->most) {
        size_t larger = p->buffer.capacity > p->most / 2 ? p->most : 2 * p->buffer.capacity;
        enlarge(&p->buffer, p->buffer.length, larger);
        return true;
    }
    p->buffer.length = 0;
    p->skipping = true;
    return p->take(p->data, NULL, 0);
}

/* Hands on what is whole. False when no more is wanted. */
static bool hand_on(struct parts *p, bool last)
{
    if (p->skipping) {
        const char *end = memchr(p->buffer.memory, '\n', p->buffer.length);
        drop(p, end ? (size_t)(end - p->buffer.memory) + 1 : p->buffer.length);
        p->skipping = !end;
    }
    size_t length = last ? p->buffer.length : whole_lines(p);
    if (!length)
        return p->buffer.length < p->buffer.capacity || lengthen(p);
    bool more = p->take(p->data, p->buffer.memory, length);
    drop(p, length);
    return more;
}

static bool read_parts(struct parts *p, struct ja_bytes *bytes, struct ja_arena *arena,
                       const char **ret_why)
{
    bool more = true;
    ssize_t got = 1;
    while (more && got > 0) {
        got = fill(p);
        more = got >= 0 && hand_on(p, got == 0);
    }
    if (got < 0)
        *ret_why = ja_errno_text(errno, arena);
    if (!more)
        return false;
    ja_hash_end(&p->hash, bytes->sha256);
    bytes->size_bytes = p->size_bytes;
    return true;
}

static void begin_parts(struct parts *p, int64_t max_bytes)
{
    p->most = (size_t)max_bytes > PART_BYTES ? (size_t)max_bytes : PART_BYTES;
    enlarge(&p->buffer, 0, PART_BYTES);
    ja_hash_begin(&p->hash);
}

bool ja_read_parts(const struct ja_discovery *discovery, const struct ja_found *found,
                   int64_t max_bytes, struct ja_arena *arena, ja_take_part *take, void *data,
                   struct ja_bytes *bytes, const char **ret_why)
{
    struct stat before, after;
    int descriptor = open_found(discovery, found, arena, ret_why);
    if (descriptor < 0)
        return false;
    struct parts parts = {.descriptor = descriptor, .begun = bytes, .take = take, .data = data};
    bool good = fstat(descriptor, &before) == 0;
    bytes->mtime_ns = good ? mtime_of(&before) : JA_UNKNOWN;
    begin_parts(&parts, max_bytes);
    good = good && read_parts(&parts, bytes, arena, ret_why);
    bytes->changed = good && S_ISREG(before.st_mode) && fstat(descriptor, &after) == 0 &&
                     !same_file_state(&before, &after);
    ja_bytes_done(&parts.buffer);
    close(descriptor);
    return good;
}

bool ja_read_path(const char *path, int64_t max_bytes, struct ja_arena *arena, struct ja_bytes *ret,
                  const char **ret_why)
{
    *ret = (struct ja_bytes){.size_bytes = JA_UNKNOWN, .mtime_ns = JA_UNKNOWN};
    int descriptor = open(path, OPEN_FLAGS);
    struct stat status;
    if (descriptor < 0 || fstat(descriptor, &status) != 0) {
        *ret_why = ja_errno_text(errno, arena);
        if (descriptor >= 0)
            close(descriptor);
        return false;
    }
    bool good = S_ISREG(status.st_mode);
    if (good)
        good = read_open(descriptor, max_bytes, true, arena, ret, ret_why);
    else
        *ret_why = "not a regular file";
    close(descriptor);
    if (!good)
        ja_bytes_done(ret);
    return good;
}

void ja_bytes_done(struct ja_bytes *bytes)
{
    free(bytes->memory);
    bytes->memory = NULL;
    bytes->length = bytes->capacity = 0;
}
