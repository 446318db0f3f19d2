/* SPDX-License-Identifier: MIT
 *
 * Giving new files their final names. The hash list is written twice: before the renames with the
 * old and the new hashes, after them with the new ones alone, so that a run killed in between
 * leaves no file that looks edited.
 */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/read.h"

#define LIST_TITLE                                                                                 \
    "# Files that jetsam-audit wrote here. One that differs from its hash was edited: it is "      \
    "kept.\n"
#define LIST_BYTES ((size_t)1 << 20)
#define HASH_HEX 64
#define TURN_PAUSE_NS 20000000L
#define TURN_TRIES 500 /* ten seconds */

static void remember(struct ja_output *output, const char *sha256, const char *name, size_t length)
{
    struct ja_hash_entry *entry =
        JA_APPEND(output->arena, output->known, output->known_count, output->known_capacity);
    memcpy(entry->sha256, sha256, HASH_HEX);
    entry->sha256[HASH_HEX] = '\0';
    entry->name = ja_arena_copy(output->arena, name, length);
}

static void read_list_line(struct ja_output *output, const char *line, size_t length)
{
    if (length < HASH_HEX + 3 || memcmp(line + HASH_HEX, "  ", 2) != 0 ||
        strspn(line, "0123456789abcdef") < HASH_HEX)
        return;
    remember(output, line, line + HASH_HEX + 2, length - HASH_HEX - 2);
}

/* The text of the list; NULL when there is none, or something else has its name. False when it
 * cannot be read. */
static bool read_list_text(struct ja_output *output, char **ret_text, size_t *ret_length)
{
    int descriptor =
        openat(output->folder, JA_HASH_LIST, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat status;
    *ret_text = NULL;
    if (descriptor < 0)
        return errno == ENOENT || errno == ELOOP;
    bool good = fstat(descriptor, &status) == 0;
    ssize_t got = 0;
    *ret_length = 0;
    if (good && S_ISREG(status.st_mode))
        *ret_text = ja_arena_alloc(output->arena, 1, LIST_BYTES + 1);
    do {
        if (*ret_text)
            got = ja_read_call(descriptor, *ret_text + *ret_length, LIST_BYTES - *ret_length);
        good = good && (got >= 0 || errno == EINTR);
        *ret_length += got > 0 ? (size_t)got : 0;
    } while (good && got != 0);
    int error = errno;
    close(descriptor);
    errno = error;
    return good;
}

/* What an earlier run says it wrote. A list that is not ours says nothing. */
static bool read_list(struct ja_output *output)
{
    char *text;
    size_t length;
    if (!read_list_text(output, &text, &length))
        return ja_output_fail(output, "%s/%s: cannot be read: %s", output->path, JA_HASH_LIST,
                              strerror(errno));
    if (!text || strncmp(text, LIST_TITLE, strlen(LIST_TITLE)) != 0)
        return true;
    for (size_t at = 0; at < length;) {
        size_t end = at + strcspn(text + at, "\n");
        read_list_line(output, text + at, end - at);
        at = end + 1;
    }
    return true;
}

static bool is_known(const struct ja_output *output, const char *name, const char *sha256)
{
    for (size_t i = 0; i < output->known_count; i++)
        if (strcmp(output->known[i].name, name) == 0 &&
            strcmp(output->known[i].sha256, sha256) == 0)
            return true;
    return false;
}

enum verdict { ABSENT, SAME, OURS, FOREIGN, BROKEN };

/* Where a file goes: its folder, open, so that no link can lead elsewhere, and its name in there.
 */
struct place {
    int folder;
    const char *name; /* "tables/growth.tsv" */
};

/* The name inside of the open folder. */
static const char *last_name(const struct place *place)
{
    return ja_path_name(place->name);
}

/* What stands at a final name. */
static enum verdict look_at(const struct ja_output *output, const struct place *place,
                            const char *sha256)
{
    struct stat status;
    char found[HASH_HEX + 1];
    if (fstatat(place->folder, last_name(place), &status, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT ? ABSENT : BROKEN;
    if (S_ISDIR(status.st_mode) || ja_output_is_root(output->discovery, &status))
        return BROKEN;
    if (!S_ISREG(status.st_mode))
        return FOREIGN;
    if (!ja_hash_at(place->folder, last_name(place), found))
        return output->force ? FOREIGN : BROKEN;
    if (strcmp(found, sha256) == 0)
        return SAME;
    return is_known(output, place->name, found) ? OURS : FOREIGN;
}

/* "postmortem.md" -> "postmortem.new.md" */
static const char *beside(struct ja_output *output, const char *name)
{
    const char *dot = strrchr(name, '.');
    if (!dot || dot == name || strchr(dot, '/'))
        return ja_arena_print(output->arena, "%s.new", name);
    return ja_arena_print(output->arena, "%.*s.new%s", (int)(dot - name), name, dot);
}

/* Moves a file onto a name that was absent; false when somebody made it meanwhile or it fails. */
static bool move_new(const struct ja_output *output, const char *from, const struct place *to)
{
    if (linkat(output->private_folder, from, to->folder, last_name(to), 0) == 0)
        return unlinkat(output->private_folder, from, 0) == 0;
    if (errno == EEXIST)
        return false;
    /* File systems without hard links */
    return renameat(output->private_folder, from, to->folder, last_name(to)) == 0;
}

static bool move_to(struct ja_output *output, struct ja_output_file *file, const struct place *to,
                    enum verdict there)
{
    bool good = there == SAME && !file->kept_edit;
    if (!good && there == ABSENT)
        good = move_new(output, file->name, to);
    else if (!good)
        good = renameat(output->private_folder, file->name, to->folder, last_name(to)) == 0;
    if (!good)
        return ja_output_fail(output, "%s/%s: cannot be put in place: %s", output->path, to->name,
                              strerror(errno));
    file->published = to->name;
    return true;
}

static bool publish_file(struct ja_output *output, int folder, struct ja_output_file *file)
{
    struct place place = {folder, file->name};
    enum verdict there = look_at(output, &place, file->sha256);
    if (there == BROKEN)
        return ja_output_fail(output,
                              "%s/%s: evidence, a folder or something unreadable has this name",
                              output->path, file->name);
    if (there != FOREIGN || output->force)
        return move_to(output, file, &place, there);
    place.name = beside(output, file->name);
    there = look_at(output, &place, file->sha256);
    if (there == FOREIGN || there == BROKEN)
        return ja_output_fail(output,
                              "%s: %s and %s were both edited: use --force or another folder",
                              output->path, file->name, place.name);
    file->kept_edit = true;
    return move_to(output, file, &place, there);
}

/* Opens the folder of a name, made where it is absent: the report folder, or one in it for
 * "tables/x.tsv". That must be a real folder and no PATH. -1: failed. */
static int open_parent(struct ja_output *output, const char *name)
{
    const char *slash = strchr(name, '/');
    const char *folder = slash ? ja_arena_copy(output->arena, name, (size_t)(slash - name)) : ".";
    struct stat status;
    if (slash && mkdirat(output->folder, folder, 0750) != 0 && errno != EEXIST) {
        ja_output_fail(output, "%s/%s: cannot be made: %s", output->path, folder, strerror(errno));
        return -1;
    }
    int descriptor =
        openat(output->folder, folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW);
    if (descriptor < 0 || fstat(descriptor, &status) != 0)
        ja_output_fail(output, "%s/%s: %s", output->path, folder, strerror(errno));
    else if (ja_output_is_root(output->discovery, &status))
        ja_output_fail(output, "%s/%s is evidence, where nothing is ever written", output->path,
                       folder);
    else
        return descriptor;
    if (descriptor >= 0)
        close(descriptor);
    return -1;
}

static const struct ja_output_file *file_at(const struct ja_output *output, const char *published)
{
    for (size_t i = 0; i < output->file_count; i++)
        if (output->files[i].published && strcmp(output->files[i].published, published) == 0)
            return &output->files[i];
    return NULL;
}

static bool is_there(const struct ja_output *output, const char *name)
{
    struct stat status;
    return fstatat(output->folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 || errno != ENOENT;
}

/* Before the renames: everything known and everything new under both names it may get. After them:
 * what was written now, and what was known of other files that are still there. */
static void print_list(struct ja_output *output, FILE *list, bool after)
{
    fputs(LIST_TITLE, list);
    for (size_t i = 0; i < output->known_count; i++) {
        const struct ja_hash_entry *entry = &output->known[i];
        if (!after || (!file_at(output, entry->name) && is_there(output, entry->name)))
            fprintf(list, "%s  %s\n", entry->sha256, entry->name);
    }
    for (size_t i = 0; i < output->file_count; i++) {
        const struct ja_output_file *file = &output->files[i];
        if (after) {
            fprintf(list, "%s  %s\n", file->sha256, file->published);
            continue;
        }
        fprintf(list, "%s  %s\n", file->sha256, file->name);
        fprintf(list, "%s  %s\n", file->sha256, beside(output, file->name));
    }
}

static bool write_list(struct ja_output *output, bool after)
{
    static const char name[] = "hash-list";
    int descriptor = openat(output->private_folder, name,
                            O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0640);
    FILE *list = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    bool good = list != NULL;
    if (list) {
        print_list(output, list, after);
        good = fflush(list) == 0 && !ferror(list) && ja_sync_call(descriptor) == 0;
        good = fclose(list) == 0 && good;
    } else if (descriptor >= 0) {
        close(descriptor);
    }
    if (good && renameat(output->private_folder, name, output->folder, JA_HASH_LIST) == 0)
        return true;
    return ja_output_fail(output, "%s/%s: cannot be written: %s", output->path, JA_HASH_LIST,
                          strerror(errno));
}

/* New names must outlive a power cut as well. */
static bool sync_folder(struct ja_output *output, int folder)
{
    if (ja_sync_call(folder) == 0 || errno == EINVAL || errno == EBADF)
        return true;
    return ja_output_fail(output, "%s: new names: %s", output->path, strerror(errno));
}

/* The files from first on that stand in one folder; *ret_end: the first one behind them. */
static bool publish_folder(struct ja_output *output, size_t first, size_t *ret_end)
{
    const char *name = output->files[first].name;
    size_t length = (size_t)(ja_path_name(name) - name), i = first;
    int folder = open_parent(output, name);
    bool good = folder >= 0;
    for (; good && i < output->file_count; i++) {
        const char *other = output->files[i].name;
        if ((size_t)(ja_path_name(other) - other) != length || strncmp(name, other, length) != 0)
            break;
        good = publish_file(output, folder, &output->files[i]);
    }
    good = good && sync_folder(output, folder);
    if (folder >= 0)
        close(folder);
    *ret_end = i;
    return good;
}

/* Runs over one folder at the same time take turns: each must know what the others wrote. One that
 * does not end is not waited for. */
static void take_turn(int folder)
{
    const struct timespec pause = {.tv_nsec = TURN_PAUSE_NS};
    for (int i = 0; i < TURN_TRIES; i++) {
        if (flock(folder, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
            return;
        nanosleep(&pause, NULL);
    }
}

bool ja_output_publish(struct ja_output *output)
{
    take_turn(output->folder);
    bool good = read_list(output) && write_list(output, false);
    for (size_t i = 0; good && i < output->file_count;)
        good = publish_folder(output, i, &i);
    good = good && write_list(output, true) && sync_folder(output, output->folder);
    flock(output->folder, LOCK_UN);
    return good;
}
