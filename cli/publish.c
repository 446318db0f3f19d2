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
#include <sys/stat.h>
#include <unistd.h>

#define LIST_TITLE                                                                                 \
    "# Files that jetsam-audit wrote here. One that differs from its hash was edited: it is "      \
    "kept.\n"
#define LIST_BYTES ((size_t)1 << 20)
#define HASH_HEX 64

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

/* What an earlier run says it wrote. A list that is not ours says nothing. */
static void read_list(struct ja_output *output)
{
    int descriptor =
        openat(output->folder, JA_HASH_LIST, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat status;
    if (descriptor < 0)
        return;
    FILE *file =
        fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) ? fdopen(descriptor, "r") : NULL;
    if (!file) {
        close(descriptor);
        return;
    }
    char *text = ja_arena_alloc(output->arena, 1, LIST_BYTES + 1);
    size_t length = fread(text, 1, LIST_BYTES, file);
    fclose(file);
    if (strncmp(text, LIST_TITLE, strlen(LIST_TITLE)) != 0)
        return;
    for (size_t at = 0; at < length;) {
        size_t end = at + strcspn(text + at, "\n");
        read_list_line(output, text + at, end - at);
        at = end + 1;
    }
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

/* What stands at a final name. */
static enum verdict look_at(const struct ja_output *output, const char *name, const char *sha256)
{
    struct stat status;
    char found[HASH_HEX + 1];
    if (fstatat(output->folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT ? ABSENT : BROKEN;
    if (S_ISDIR(status.st_mode))
        return BROKEN;
    if (!S_ISREG(status.st_mode))
        return FOREIGN;
    if (!ja_hash_at(output->folder, name, found))
        return output->force ? FOREIGN : BROKEN;
    if (strcmp(found, sha256) == 0)
        return SAME;
    return is_known(output, name, found) ? OURS : FOREIGN;
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
static bool move_new(struct ja_output *output, const char *from, const char *to)
{
    if (linkat(output->private_folder, from, output->folder, to, 0) == 0)
        return unlinkat(output->private_folder, from, 0) == 0;
    if (errno == EEXIST)
        return false;
    /* File systems without hard links */
    return renameat(output->private_folder, from, output->folder, to) == 0;
}

static bool move_to(struct ja_output *output, struct ja_output_file *file, const char *to,
                    enum verdict there)
{
    if (there == SAME && !file->kept_edit) {
        file->published = to;
        return true;
    }
    bool good = there == ABSENT
                    ? move_new(output, file->name, to)
                    : renameat(output->private_folder, file->name, output->folder, to) == 0;
    if (!good)
        return ja_output_fail(output, "%s/%s: cannot be put in place: %s", output->path, to,
                              strerror(errno));
    file->published = to;
    return true;
}

static bool publish_file(struct ja_output *output, struct ja_output_file *file)
{
    enum verdict there = look_at(output, file->name, file->sha256);
    if (there == BROKEN)
        return ja_output_fail(output, "%s/%s: a folder or something unreadable has this name",
                              output->path, file->name);
    if (there != FOREIGN || output->force)
        return move_to(output, file, file->name, there);
    const char *other = beside(output, file->name);
    there = look_at(output, other, file->sha256);
    if (there == FOREIGN || there == BROKEN)
        return ja_output_fail(output,
                              "%s: %s and %s were both edited: use --force or another folder",
                              output->path, file->name, other);
    file->kept_edit = true;
    return move_to(output, file, other, there);
}

/* The folder part of a name ("tables/x.tsv") must be a real folder. */
static bool make_parent(struct ja_output *output, const char *name)
{
    const char *slash = strchr(name, '/');
    if (!slash)
        return true;
    const char *folder = ja_arena_copy(output->arena, name, (size_t)(slash - name));
    struct stat status;
    if (mkdirat(output->folder, folder, 0750) == 0)
        return true;
    if (errno == EEXIST && fstatat(output->folder, folder, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISDIR(status.st_mode))
        return true;
    return ja_output_fail(output, "%s/%s: cannot be made", output->path, folder);
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
static bool sync_folder(struct ja_output *output, int folder, const char *name)
{
    if (ja_sync_call(folder) == 0 || errno == EINVAL || errno == EBADF)
        return true;
    return ja_output_fail(output, "%s/%s: %s", output->path, name, strerror(errno));
}

/* The folders inside, each once: files of one stand together. */
static bool sync_parents(struct ja_output *output)
{
    const char *last = "";
    for (size_t i = 0; i < output->file_count; i++) {
        const char *name = output->files[i].name, *slash = strchr(name, '/');
        size_t length = slash ? (size_t)(slash - name) : 0;
        if (!slash || (strncmp(last, name, length) == 0 && !last[length]))
            continue;
        last = ja_arena_copy(output->arena, name, length);
        int folder = openat(output->folder, last, O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW);
        bool good = folder >= 0
                        ? sync_folder(output, folder, last)
                        : ja_output_fail(output, "%s/%s: %s", output->path, last, strerror(errno));
        if (folder >= 0)
            close(folder);
        if (!good)
            return false;
    }
    return true;
}

bool ja_output_publish(struct ja_output *output)
{
    read_list(output);
    if (!write_list(output, false))
        return false;
    for (size_t i = 0; i < output->file_count; i++)
        if (!make_parent(output, output->files[i].name) || !publish_file(output, &output->files[i]))
            return false;
    return sync_parents(output) && write_list(output, true) &&
           sync_folder(output, output->folder, ".");
}
