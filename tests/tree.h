/* SPDX-License-Identifier: MIT
 *
 * A report folder held in memory, to compare what a run left with what it may leave.
 */
#ifndef JA_TESTS_TREE_H
#define JA_TESTS_TREE_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { TREE_FILES = 64 };

struct tree_file {
    char name[256]; /* "tables/growth.tsv" */
    char *bytes;
    size_t length;
};

struct tree {
    struct tree_file files[TREE_FILES];
    size_t count;
    size_t private_folders; /* .jetsam-audit.XXXXXX: left by a run that was killed */
};

static inline void tree_done(struct tree *tree)
{
    for (size_t i = 0; i < tree->count; i++)
        free(tree->files[i].bytes);
    *tree = (struct tree){0};
}

static inline void tree_set(struct tree *tree, const char *name, const char *bytes, size_t length)
{
    if (tree->count == TREE_FILES)
        abort();
    struct tree_file *file = &tree->files[tree->count++];
    snprintf(file->name, sizeof file->name, "%.255s", name);
    file->bytes = malloc(length + 1);
    if (!file->bytes)
        abort();
    memcpy(file->bytes, bytes, length);
    file->length = length;
}

static inline void tree_load_file(struct tree *tree, const char *path, const char *name)
{
    static char bytes[1 << 20];
    FILE *file = fopen(path, "rb");
    if (!file)
        abort();
    tree_set(tree, name, bytes, fread(bytes, 1, sizeof bytes, file));
    fclose(file);
}

/* inside: "" or a folder's name with a slash. */
static inline void tree_load_below(struct tree *tree, const char *root, const char *inside)
{
    char path[512], name[256 + 128];
    snprintf(path, sizeof path, "%.100s/%.64s", root, inside);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        struct stat status;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(name, sizeof name, "%.64s%.255s", inside, entry->d_name);
        snprintf(path, sizeof path, "%.100s/%.320s", root, name);
        if (lstat(path, &status) == 0 && !S_ISDIR(status.st_mode)) {
            tree_load_file(tree, path, name);
        } else if (strncmp(name, ".jetsam-audit.", 14) == 0) {
            tree->private_folders++;
        } else {
            strcat(name, "/");
            tree_load_below(tree, root, name);
        }
    }
    if (folder)
        closedir(folder);
}

/* What stands in a folder; nothing when it is not there. */
static inline void tree_load(struct tree *tree, const char *path)
{
    *tree = (struct tree){0};
    tree_load_below(tree, path, "");
}

/* Makes the folder anew. */
static inline void tree_store(const struct tree *tree, const char *path)
{
    char below[512];
    scratch_remove_tree(path);
    mkdir(path, 0750);
    for (size_t i = 0; i < tree->count; i++) {
        const struct tree_file *one = &tree->files[i];
        const char *slash = strchr(one->name, '/');
        snprintf(below, sizeof below, "%s/%.*s", path,
                 slash ? (int)(slash - one->name) : 0, one->name);
        mkdir(below, 0750);
        snprintf(below, sizeof below, "%s/%s", path, one->name);
        FILE *file = fopen(below, "wb");
        if (!file || fwrite(one->bytes, 1, one->length, file) != one->length || fclose(file) != 0)
            abort();
    }
}

static inline const struct tree_file *tree_find(const struct tree *tree, const char *name)
{
    for (size_t i = 0; i < tree->count; i++)
        if (strcmp(tree->files[i].name, name) == 0)
            return &tree->files[i];
    return NULL;
}

/* True when both have a file of this name with the same bytes. */
static inline bool tree_same(const struct tree *a, const struct tree *b, const char *name)
{
    const struct tree_file *one = tree_find(a, name), *other = tree_find(b, name);
    return one && other && one->length == other->length &&
           memcmp(one->bytes, other->bytes, one->length) == 0;
}

#endif
