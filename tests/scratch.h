/* SPDX-License-Identifier: MIT
 *
 * A scratch folder for tests that need files on disk: made new, removed with all it holds.
 */
#ifndef JA_TESTS_SCRATCH_H
#define JA_TESTS_SCRATCH_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch_folder[64];

static inline const char *scratch_path(const char *name)
{
    static char paths[4][512];
    static int next;
    next = (next + 1) % 4;
    snprintf(paths[next], sizeof paths[next], "%s/%s", scratch_folder, name);
    return paths[next];
}

static inline int scratch_make(void **state)
{
    (void)state;
    strcpy(scratch_folder, "/tmp/ja-test.XXXXXX");
    return mkdtemp(scratch_folder) ? 0 : -1;
}

/* In memory, where the system offers that: for tests that would wait for a disk all day. */
static inline int scratch_make_fast(void **state)
{
    strcpy(scratch_folder, "/dev/shm/ja-test.XXXXXX");
    return mkdtemp(scratch_folder) ? 0 : scratch_make(state);
}

static inline void scratch_remove_tree(const char *path)
{
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char below[2048];
        struct stat status;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        int length = snprintf(below, sizeof below, "%s/%s", path, entry->d_name);
        if (length < 0 || (size_t)length >= sizeof below)
            abort();
        if (lstat(below, &status) == 0 && S_ISDIR(status.st_mode))
            scratch_remove_tree(below);
        else
            unlink(below);
    }
    if (folder)
        closedir(folder);
    rmdir(path);
}

static inline int scratch_drop(void **state)
{
    (void)state;
    scratch_remove_tree(scratch_folder);
    return 0;
}

static inline void scratch_write(const char *name, const char *text)
{
    FILE *file = fopen(scratch_path(name), "wb");
    if (!file || fwrite(text, 1, strlen(text), file) != strlen(text) || fclose(file) != 0)
        abort();
}

/* Text of a file in the scratch folder; "" when it is not there. */
static inline const char *scratch_read(const char *name)
{
    static char texts[2][8192];
    static int next;
    next = !next;
    FILE *file = fopen(scratch_path(name), "rb");
    texts[next][file ? fread(texts[next], 1, sizeof texts[next] - 1, file) : 0] = '\0';
    if (file)
        fclose(file);
    return texts[next];
}

#endif
