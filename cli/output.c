/* SPDX-License-Identifier: MIT */
#include "cli/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/read.h"

#define FOLDER_FLAGS (O_RDONLY | O_CLOEXEC | O_DIRECTORY)
#define FOLDER_MODE 0750
#define PRIVATE_PREFIX ".jetsam-audit."
#define PRIVATE_DIGITS 6
#define PRIVATE_TRIES 1000
#define CLIMB_LEVELS 512

int (*ja_sync_call)(int) = fsync;

bool ja_output_fail(struct ja_output *output, const char *format, ...)
{
    char text[512];
    va_list arguments;
    if (errno == ENOMEM)
        ja_arena_out_of_memory();
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    output->error = ja_arena_string(output->arena, text);
    return false;
}

bool ja_output_is_root(const struct ja_discovery *discovery, const struct stat *status)
{
    for (size_t i = 0; i < discovery->root_count; i++) {
        const struct ja_root *root = &discovery->roots[i];
        bool stands = root->kind == JA_ROOT_FOLDER || root->kind == JA_ROOT_FILE;
        if (stands && root->inode == status->st_ino && root->device == status->st_dev)
            return true;
    }
    return false;
}

/* True when the open folder is one of the roots or lies below one: its parents are looked at one
 * after the other, by identity, so that neither links nor ".." in a path can deceive. */
static bool lies_inside(int folder, const struct ja_discovery *discovery)
{
    char climb[3 * CLIMB_LEVELS + 2] = ".";
    struct stat status, last = {0};
    for (size_t level = 0; level < CLIMB_LEVELS; level++) {
        if (fstatat(folder, climb, &status, 0) != 0)
            return true; /* cannot be told: refused */
        if (ja_output_is_root(discovery, &status))
            return true;
        if (level && status.st_ino == last.st_ino && status.st_dev == last.st_dev)
            return false;
        last = status;
        strcat(climb, "/..");
    }
    return true;
}

/* The folder that DIR is to be made in. */
static const char *parent_of(struct ja_arena *arena, const char *path)
{
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/')
        end--;
    while (end > 0 && path[end - 1] != '/')
        end--;
    return end ? ja_arena_copy(arena, path, end) : ".";
}

static enum ja_output_result make_folder(struct ja_output *output,
                                         const struct ja_discovery *discovery)
{
    const char *parent = parent_of(output->arena, output->path);
    int above = open(parent, FOLDER_FLAGS);
    if (above < 0) {
        ja_output_fail(output, "%s: %s (the folder around the report folder must exist)", parent,
                       strerror(errno));
        return JA_OUTPUT_FAILED;
    }
    bool inside = lies_inside(above, discovery);
    close(above);
    if (inside)
        return JA_OUTPUT_INSIDE;
    output->made = mkdir(output->path, FOLDER_MODE) == 0;
    if (!output->made && errno != EEXIST) { /* another run may have made it just now */
        ja_output_fail(output, "%s: cannot be made: %s", output->path, strerror(errno));
        return JA_OUTPUT_FAILED;
    }
    output->folder = open(output->path, FOLDER_FLAGS);
    return JA_OUTPUT_GOOD;
}

enum ja_output_result ja_output_open(struct ja_output *output, const char *path,
                                     const struct ja_discovery *discovery, bool force)
{
    *output = (struct ja_output){.arena = ja_arena_new(),
                                 .discovery = discovery,
                                 .path = path,
                                 .folder = -1,
                                 .private_folder = -1,
                                 .force = force};
    output->folder = open(path, FOLDER_FLAGS);
    if (output->folder < 0 && errno == ENOENT) {
        enum ja_output_result result = make_folder(output, discovery);
        if (result != JA_OUTPUT_GOOD)
            return result;
    }
    if (output->folder < 0) {
        ja_output_fail(output, "%s: %s", path, errno == ENOTDIR ? "not a folder" : strerror(errno));
        return JA_OUTPUT_FAILED;
    }
    return lies_inside(output->folder, discovery) ? JA_OUTPUT_INSIDE : JA_OUTPUT_GOOD;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Calls visit on every entry of a folder, in order of names; stops at the first false. */
static bool each_entry(int parent, const char *name, struct ja_arena *arena,
                       bool (*visit)(void *data, const char *entry), void *data)
{
    int descriptor = openat(parent, name, FOLDER_FLAGS | O_NOFOLLOW);
    DIR *folder = descriptor >= 0 ? fdopendir(descriptor) : NULL;
    if (!folder) {
        if (descriptor >= 0)
            close(descriptor);
        return false;
    }
    const char **names = NULL;
    size_t count = 0, capacity = 0;
    for (struct dirent *entry; errno = 0, (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            *JA_APPEND(arena, names, count, capacity) = ja_arena_string(arena, entry->d_name);
    int error = errno; /* else a folder cut short would look like a whole one */
    closedir(folder);
    if (count)
        qsort(names, count, sizeof *names, compare_names);
    bool good = true;
    for (size_t i = 0; i < count && good; i++)
        good = visit(data, names[i]);
    if (error)
        errno = error;
    return good && !error;
}

struct visit {
    struct ja_output *output;
    int at;             /* the folder that is visited, or the one above it */
    const char *folder; /* its name inside of that; NULL: itself */
};

/* True for the names that private folders get. */
static bool is_private_name(const char *name)
{
    size_t prefix = strlen(PRIVATE_PREFIX);
    return strncmp(name, PRIVATE_PREFIX, prefix) == 0 &&
           strspn(name + prefix, "0123456789abcdef") == PRIVATE_DIGITS &&
           strlen(name) == prefix + PRIVATE_DIGITS;
}

/* Opens a folder that nobody else can write into; -1 when it is not such a one. */
static int open_private(int folder, const char *name)
{
    struct stat status;
    int descriptor = openat(folder, name, FOLDER_FLAGS | O_NOFOLLOW);
    if (descriptor < 0)
        return -1;
    if (fstat(descriptor, &status) == 0 && status.st_uid == geteuid() &&
        (status.st_mode & 0077) == 0)
        return descriptor;
    close(descriptor);
    errno = EPERM;
    return -1;
}

/* Opens a private folder that no run holds: each has its own locked until it ends, by whatever end.
 * -1 when it is held. */
static int take_abandoned(int folder, const char *name)
{
    int descriptor = open_private(folder, name);
    if (descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        return descriptor;
    close(descriptor);
    return -1;
}

static bool remove_entry(void *data, const char *entry)
{
    struct visit *visit = data;
    struct ja_output *output = visit->output;
    const char *name =
        visit->folder ? ja_arena_print(output->arena, "%s/%s", visit->folder, entry) : entry;
    if (unlinkat(visit->at, name, 0) == 0 || visit->folder)
        return true;
    /* A folder of tables: one level, no deeper. */
    struct visit below = {output, visit->at, name};
    each_entry(visit->at, name, output->arena, remove_entry, &below);
    unlinkat(visit->at, name, AT_REMOVEDIR);
    return true;
}

/* Takes over the descriptor of a private folder. */
static void remove_private(struct ja_output *output, int descriptor, const char *name)
{
    struct visit visit = {output, descriptor, NULL};
    each_entry(descriptor, ".", output->arena, remove_entry, &visit);
    unlinkat(output->folder, name, AT_REMOVEDIR);
    close(descriptor);
}

static bool remove_abandoned(void *data, const char *entry)
{
    const struct visit *visit = data;
    int descriptor = is_private_name(entry) ? take_abandoned(visit->at, entry) : -1;
    if (descriptor >= 0)
        remove_private(visit->output, descriptor, entry);
    return true;
}

/* Makes one of this name; false with errno, which is EAGAIN when another run took it for abandoned.
 * Where nothing can be locked it stays unlocked: no other run can lock it there, and none removes
 * it. */
static bool make_private(struct ja_output *output, const char *name)
{
    struct stat status;
    if (mkdirat(output->folder, name, 0700) != 0)
        return false;
    int descriptor = open_private(output->folder, name);
    bool lost = descriptor < 0 && errno == ENOENT;
    if (descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) != 0)
        lost = errno == EWOULDBLOCK;
    if (descriptor >= 0 && !lost)
        lost = fstat(descriptor, &status) == 0 && status.st_nlink == 0;
    if (descriptor >= 0 && !lost) {
        output->private_folder = descriptor;
        output->private_name = name;
        return true;
    }
    int error = lost ? EAGAIN : errno;
    if (descriptor >= 0)
        close(descriptor);
    unlinkat(output->folder, name, AT_REMOVEDIR);
    errno = error;
    return false;
}

bool ja_output_begin(struct ja_output *output)
{
    struct visit visit = {output, output->folder, NULL};
    each_entry(output->folder, ".", output->arena, remove_abandoned, &visit);
    /* Unique is enough, secret it need not be: the folder is 0700 and made by mkdir alone. */
    unsigned long seed = (unsigned long)getpid() * 2654435761UL;
    for (int i = 0; i < PRIVATE_TRIES; i++) {
        const char *name = ja_arena_print(output->arena, PRIVATE_PREFIX "%06lx",
                                          (seed + (unsigned long)i * 40503UL) & 0xffffffUL);
        if (make_private(output, name))
            return true;
        if (errno != EEXIST && errno != EAGAIN)
            break;
    }
    return ja_output_fail(output, "%s: a folder for new files cannot be made: %s", output->path,
                          strerror(errno));
}

bool ja_hash_at(int folder, const char *name, char ret_sha256[65])
{
    int descriptor = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0)
        return false;
    bool good = ja_hash_open(descriptor, ret_sha256);
    int error = errno;
    close(descriptor);
    errno = error;
    return good;
}

static bool add_file(struct ja_output *output, const char *name)
{
    mode_t mask = umask(0);
    umask(mask);
    struct ja_output_file file = {.name = ja_arena_string(output->arena, name)};
    int descriptor =
        openat(output->private_folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool good = descriptor >= 0 && fchmod(descriptor, 0640 & ~mask) == 0 &&
                ja_hash_open(descriptor, file.sha256) && ja_sync_call(descriptor) == 0;
    if (!good)
        ja_output_fail(output, "%s/%s: cannot be written: %s", output->path, name, strerror(errno));
    if (descriptor >= 0 && close(descriptor) != 0 && good)
        good = ja_output_fail(output, "%s/%s: %s", output->path, name, strerror(errno));
    if (good)
        *JA_APPEND(output->arena, output->files, output->file_count, output->file_capacity) = file;
    return good;
}

static bool add_entry(void *data, const char *entry)
{
    struct visit *visit = data;
    return add_file(visit->output,
                    ja_arena_print(visit->output->arena, "%s/%s", visit->folder, entry));
}

bool ja_output_add(struct ja_output *output, const char *name)
{
    struct stat status;
    if (fstatat(output->private_folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return ja_output_fail(output, "%s/%s: %s", output->path, name, strerror(errno));
    if (!S_ISDIR(status.st_mode))
        return add_file(output, name);
    struct visit visit = {output, output->private_folder, name};
    output->error = NULL;
    return each_entry(output->private_folder, name, output->arena, add_entry, &visit) ||
           (!output->error &&
            ja_output_fail(output, "%s/%s: %s", output->path, name, strerror(errno)));
}

void ja_output_clean(struct ja_output *output)
{
    if (output->private_folder >= 0)
        remove_private(output, output->private_folder, output->private_name);
    output->private_folder = -1;
}

void ja_output_done(struct ja_output *output)
{
    ja_output_clean(output);
    if (output->folder >= 0)
        close(output->folder);
    if (output->made)
        rmdir(output->path); /* refused by the system unless it is empty */
    ja_arena_free(output->arena);
    *output = (struct ja_output){.folder = -1, .private_folder = -1};
}
