/* SPDX-License-Identifier: MIT */
#include "cli/discover.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OPEN_FLAGS (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

/* A folder that was walked: the files found below it. */
struct ja_folder {
    size_t first, end; /* range of found, before it is sorted */
};

/* Where the walk stands. */
struct walk {
    struct ja_discovery *discovery;
    const char *device; /* the root's, as text: the walk never leaves it */
    uint32_t root;
    int depth;
};

void ja_discovery_init(struct ja_discovery *discovery, size_t max_files)
{
    *discovery = (struct ja_discovery){.arena = ja_arena_new(), .max_files = max_files};
}

void ja_discovery_done(struct ja_discovery *discovery)
{
    for (size_t i = 0; i < discovery->root_count; i++)
        if (discovery->roots[i].folder >= 0)
            close(discovery->roots[i].folder);
    ja_arena_free(discovery->arena);
}

const char *ja_path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *ja_errno_text(int error, struct ja_arena *arena)
{
    const char *text = ja_arena_string(arena, strerror(error));
#ifdef __APPLE__
    if (error == EPERM || error == EACCES)
        return ja_arena_print(arena,
                              "%s (give the terminal Full Disk Access in System Settings, "
                              "Privacy & Security, or run as an administrator)",
                              text);
#endif
    return text;
}

/* The last component, without slashes at the end. */
static const char *name_of(struct ja_arena *arena, const char *path)
{
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/')
        end--;
    size_t start = end;
    while (start > 0 && path[start - 1] != '/')
        start--;
    return ja_arena_copy(arena, path + start, end - start);
}

static void open_root(struct ja_root *root, struct ja_arena *arena)
{
    /* The operand itself may be a link: a person named it. */
    int descriptor = open(root->path, OPEN_FLAGS);
    struct stat status;
    if (descriptor < 0 || fstat(descriptor, &status) != 0) {
        root->error = ja_errno_text(errno, arena);
    } else if (S_ISDIR(status.st_mode)) {
        root->kind = JA_ROOT_FOLDER;
        root->folder = descriptor;
    } else if (S_ISREG(status.st_mode)) {
        root->kind = JA_ROOT_FILE;
    } else {
        root->error = "neither a regular file nor a folder (for a pipe, use -)";
    }
    if (root->kind != JA_ROOT_MISSING) {
        root->device = status.st_dev;
        root->inode = status.st_ino;
        root->size_bytes = root->kind == JA_ROOT_FILE ? status.st_size : JA_UNKNOWN;
    }
    if (descriptor >= 0 && root->kind != JA_ROOT_FOLDER)
        close(descriptor);
}

uint32_t ja_discovery_add(struct ja_discovery *discovery, const char *path, enum ja_role role,
                          const char *type, bool stated)
{
    uint32_t index = (uint32_t)discovery->root_count;
    struct ja_root *root = JA_APPEND(discovery->arena, discovery->roots, discovery->root_count,
                                     discovery->root_capacity);
    *root = (struct ja_root){.path = path,
                             .name = name_of(discovery->arena, path),
                             .type = type,
                             .role = role,
                             .stated = stated,
                             .kind = JA_ROOT_MISSING,
                             .folder = -1,
                             .size_bytes = JA_UNKNOWN,
                             .found = JA_NONE};
    if (strcmp(path, "-") == 0)
        root->kind = JA_ROOT_STDIN;
    else
        open_root(root, discovery->arena);
    return index;
}

static struct ja_found *add_found(struct walk *walk, const char *inside, const struct stat *status,
                                  const char *refused)
{
    struct ja_discovery *discovery = walk->discovery;
    if (discovery->found_count >= discovery->max_files) {
        discovery->left_out++;
        return NULL;
    }
    struct ja_found *found = JA_APPEND(discovery->arena, discovery->found, discovery->found_count,
                                       discovery->found_capacity);
    *found = (struct ja_found){.inside = inside,
                               .type = discovery->roots[walk->root].type,
                               .refused = refused,
                               .root = walk->root,
                               .role = discovery->roots[walk->root].role};
    if (status) {
        found->device = status->st_dev;
        found->inode = status->st_ino;
        found->size_bytes = status->st_size;
    }
    return found;
}

static const char *refusal(const struct stat *status)
{
    if (S_ISLNK(status->st_mode))
        return "a symbolic link: not followed";
    if (S_ISFIFO(status->st_mode))
        return "a FIFO, not a regular file";
    if (S_ISSOCK(status->st_mode))
        return "a socket, not a regular file";
    if (S_ISCHR(status->st_mode) || S_ISBLK(status->st_mode))
        return "a device, not a regular file";
    return S_ISREG(status->st_mode) ? NULL : "not a regular file";
}

/* True when the folder was walked before: its files then also have the later root's role. */
static bool walked_before(struct walk *walk, ino_t inode)
{
    struct ja_discovery *discovery = walk->discovery;
    enum ja_role role = discovery->roots[walk->root].role;
    uint32_t note = ja_index_find(&discovery->folder_index, walk->device, (int64_t)inode);
    if (!note)
        return false;
    const struct ja_folder *folder = &discovery->folders[note - 1];
    for (size_t k = folder->first; k < folder->end && role != JA_ROLE_EVIDENCE; k++)
        discovery->found[k].role = role;
    return true;
}

static void note_walked(struct walk *walk, ino_t inode, size_t first)
{
    struct ja_discovery *discovery = walk->discovery;
    struct ja_folder *walked = JA_APPEND(discovery->arena, discovery->folders,
                                         discovery->folder_count, discovery->folder_capacity);
    *walked = (struct ja_folder){first, discovery->found_count};
    *ja_index_note(&discovery->folder_index, discovery->arena, walk->device, (int64_t)inode) =
        (uint32_t)discovery->folder_count;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names in an open folder, sorted: the limit on files then cuts the same ones every time. errno
 * tells why there are no more; 0: these are all. */
static size_t list_names(DIR *folder, struct ja_arena *arena, const char ***ret)
{
    const char **names = NULL;
    size_t count = 0, capacity = 0;
    for (struct dirent *entry; errno = 0, (entry = readdir(folder));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        *JA_APPEND(arena, names, count, capacity) = ja_arena_string(arena, entry->d_name);
    }
    int error = errno;
    if (count)
        qsort(names, count, sizeof *names, compare_names);
    *ret = names;
    errno = error;
    return count;
}

static void walk_folder(struct walk *walk, int descriptor, const char *inside);

static void walk_subfolder(struct walk *walk, int parent, const char *name, const char *inside,
                           const struct stat *status)
{
    if (walk->depth >= JA_WALK_DEPTH) {
        add_found(walk, inside, status, "a folder nested too deep: not entered");
        return;
    }
    if (status->st_dev != walk->discovery->roots[walk->root].device) {
        add_found(walk, inside, status, "on another file system: not entered");
        return;
    }
    int descriptor = openat(parent, name, OPEN_FLAGS | O_NOFOLLOW | O_DIRECTORY);
    if (descriptor < 0) {
        add_found(walk, inside, status, ja_errno_text(errno, walk->discovery->arena));
        return;
    }
    walk->depth++;
    walk_folder(walk, descriptor, inside);
    walk->depth--;
}

static void walk_entry(struct walk *walk, int parent, const char *name, const char *inside)
{
    struct stat status;
    if (fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        add_found(walk, inside, NULL, ja_errno_text(errno, walk->discovery->arena));
    else if (S_ISDIR(status.st_mode))
        walk_subfolder(walk, parent, name, inside, &status);
    else
        add_found(walk, inside, &status, refusal(&status));
}

/* A folder of which something is missing must not look like one that holds no more. */
static void refuse_folder(struct walk *walk, const char *inside, int error)
{
    struct ja_arena *arena = walk->discovery->arena;
    if (error == ENOMEM)
        ja_arena_out_of_memory();
    add_found(walk, inside, NULL,
              ja_arena_print(arena, "a folder that could not be listed to its end: %s",
                             ja_errno_text(error, arena)));
}

/* Takes over the descriptor. */
static void walk_folder(struct walk *walk, int descriptor, const char *inside)
{
    struct ja_discovery *discovery = walk->discovery;
    struct stat status;
    if (fstat(descriptor, &status) != 0) {
        refuse_folder(walk, inside, errno);
        close(descriptor);
        return;
    }
    if (walked_before(walk, status.st_ino)) {
        close(descriptor);
        discovery->roots[walk->root].covered |= walk->depth == 0;
        return;
    }
    DIR *folder = fdopendir(descriptor);
    if (!folder) {
        refuse_folder(walk, inside, errno);
        close(descriptor);
        return;
    }
    size_t first = discovery->found_count;
    const char **names;
    size_t count = list_names(folder, discovery->arena, &names);
    if (errno)
        refuse_folder(walk, inside, errno);
    for (size_t i = 0; i < count; i++)
        walk_entry(walk, dirfd(folder), names[i],
                   *inside ? ja_arena_print(discovery->arena, "%s/%s", inside, names[i])
                           : names[i]);
    closedir(folder);
    note_walked(walk, status.st_ino, first);
}

/* A file that is a root: the entry another root found for it, or a new one. */
static void find_file(struct walk *walk)
{
    struct ja_discovery *discovery = walk->discovery;
    struct ja_root *root = &discovery->roots[walk->root];
    for (size_t i = 0; i < discovery->found_count && root->kind == JA_ROOT_FILE; i++) {
        struct ja_found *found = &discovery->found[i];
        if (found->inode != root->inode || found->device != root->device || found->refused)
            continue;
        if (root->role != JA_ROLE_EVIDENCE)
            found->role = root->role;
        if (root->type)
            found->type = root->type;
        root->covered = true;
        return;
    }
    struct stat status = {
        .st_dev = root->device, .st_ino = root->inode, .st_size = root->size_bytes};
    add_found(walk, "", &status, NULL);
}

static void walk_root(struct ja_discovery *discovery, uint32_t index)
{
    struct ja_root *root = &discovery->roots[index];
    struct walk walk = {.discovery = discovery, .root = index};
    walk.device = ja_arena_print(discovery->arena, "%llx", (unsigned long long)root->device);
    if (root->kind == JA_ROOT_FILE || root->kind == JA_ROOT_STDIN)
        find_file(&walk);
    if (root->kind != JA_ROOT_FOLDER)
        return;
    int descriptor = openat(root->folder, ".", OPEN_FLAGS | O_DIRECTORY);
    if (descriptor >= 0)
        walk_folder(&walk, descriptor, "");
    else
        add_found(&walk, "", NULL, ja_errno_text(errno, discovery->arena));
}

/* "#2", "#3" on labels that several roots have. */
static void number_labels(struct ja_discovery *discovery)
{
    for (size_t i = 0; i < discovery->root_count; i++) {
        struct ja_root *root = &discovery->roots[i];
        int same = 1;
        for (size_t k = 0; k < i && !root->covered; k++)
            same +=
                !discovery->roots[k].covered && strcmp(root->name, discovery->roots[k].name) == 0;
        root->label =
            same > 1 ? ja_arena_print(discovery->arena, "%s#%d", root->name, same) : root->name;
    }
}

/* Paths are relative to their PATH; with several PATHs, each starts with the PATH's last component;
 * one file has its name. Files that only a statement names do not count as a PATH. */
static void name_paths(struct ja_discovery *discovery)
{
    size_t paths = 0;
    for (size_t i = 0; i < discovery->root_count; i++)
        paths += !discovery->roots[i].stated && !discovery->roots[i].covered &&
                 discovery->roots[i].kind != JA_ROOT_MISSING;
    number_labels(discovery);
    for (size_t i = 0; i < discovery->found_count; i++) {
        struct ja_found *found = &discovery->found[i];
        const char *label = discovery->roots[found->root].label;
        if (!*found->inside)
            found->path = label;
        else if (paths > 1)
            found->path = ja_arena_print(discovery->arena, "%s/%s", label, found->inside);
        else
            found->path = found->inside;
    }
}

static int compare_found(const void *a, const void *b)
{
    const struct ja_found *one = a, *other = b;
    int order = strcmp(one->path, other->path);
    return order ? order : (one->root > other->root) - (one->root < other->root);
}

static void link_file_roots(struct ja_discovery *discovery)
{
    for (size_t r = 0; r < discovery->root_count; r++) {
        struct ja_root *root = &discovery->roots[r];
        for (size_t i = 0; i < discovery->found_count && root->found == JA_NONE; i++) {
            const struct ja_found *found = &discovery->found[i];
            bool own = found->root == r && !*found->inside;
            bool same = root->kind == JA_ROOT_FILE && found->inode == root->inode &&
                        found->device == root->device && !found->refused;
            if (own || same)
                root->found = (uint32_t)i;
        }
    }
}

void ja_discovery_walk(struct ja_discovery *discovery)
{
    for (uint32_t i = 0; i < discovery->root_count; i++)
        walk_root(discovery, i);
    name_paths(discovery);
    if (discovery->found_count)
        qsort(discovery->found, discovery->found_count, sizeof *discovery->found, compare_found);
    link_file_roots(discovery);
}
