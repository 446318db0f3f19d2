/* SPDX-License-Identifier: MIT
 *
 * Which files are hashed. Reports show the SHA-256 of every file. A summary only needs it to tell
 * copies, and copies have equal sizes: a file whose size no other has stays unhashed, which saves a
 * sixth of the time.
 */
#include "cli/run.h"

#include <string.h>

#include "cli/jobs.h"
#include "cli/read.h"
#include "model/sort.h"

/* Sizes in bytes, in order; any: one of them is not known and may be equal to all. */
struct sizes {
    int64_t *bytes;
    size_t count, capacity;
    bool any;
};

static bool all_wanted(const struct ja_run *run)
{
    const struct ja_options *options = run->options;
    /* Without a key of its own, redaction makes one of the hashes. */
    bool keyed = options->redact && !options->redact_key;
    return run->writes || options->json || options->ndjson || keyed;
}

static void add_size(struct sizes *sizes, struct ja_arena *arena, int64_t size_bytes)
{
    if (size_bytes == JA_UNKNOWN)
        sizes->any = true;
    *JA_APPEND(arena, sizes->bytes, sizes->count, sizes->capacity) = size_bytes;
}

static int by_size(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Is a size there twice? */
static bool is_shared(const struct sizes *sizes, int64_t size_bytes)
{
    size_t low = 0, high = sizes->count;
    if (sizes->any)
        return true;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sizes->bytes[middle] < size_bytes)
            low = middle + 1;
        else
            high = middle;
    }
    return sizes->count - low > 1 && sizes->bytes[low + 1] == size_bytes;
}

void ja_hash_choose(struct ja_run *run)
{
    struct ja_discovery *discovery = &run->discovery;
    if (all_wanted(run))
        return;
    struct sizes sizes = {.count = 0};
    for (size_t i = 0; i < discovery->found_count; i++)
        if (!discovery->found[i].refused)
            add_size(&sizes, run->arena, discovery->found[i].size_bytes);
    ja_sort(sizes.bytes, sizes.count, sizeof *sizes.bytes, by_size);
    for (size_t i = 0; i < discovery->found_count; i++)
        discovery->found[i].unhashed = !is_shared(&sizes, discovery->found[i].size_bytes);
}

/* ---- afterwards ------------------------------------------------------------------------------ */

struct late {
    struct ja_run *run;
    struct sizes sizes; /* of what was read, and of the files whose evidence stands in lines */
};

/* Hashes a file that is read again, when it still is what it was. */
static void hash_again(size_t index, void *data)
{
    struct late *late = data;
    struct ja_run *run = late->run;
    struct ja_input *input = &run->inputs[index];
    struct ja_found found = run->discovery.found[index];
    if (!found.unhashed || input->sha256[0] || input->size_bytes == JA_UNKNOWN ||
        !is_shared(&late->sizes, input->size_bytes))
        return;
    found.unhashed = false;
    struct ja_arena *scratch = ja_arena_new();
    struct ja_bytes bytes;
    const char *why;
    if (ja_read_found(&run->discovery, &found, run->options->max_file_bytes, scratch, &bytes,
                      &why)) {
        if (bytes.size_bytes == input->size_bytes && bytes.mtime_ns == input->mtime_ns)
            memcpy(input->sha256, bytes.sha256, sizeof input->sha256);
        ja_bytes_done(&bytes);
    }
    ja_arena_free(scratch);
}

void ja_hash_late(struct ja_run *run)
{
    struct late late = {.run = run};
    size_t count = run->discovery.found_count;
    if (all_wanted(run))
        return;
    for (size_t i = 0; i < count; i++) {
        const struct ja_evidence *evidence = run->inputs[i].evidence;
        if (run->inputs[i].size_bytes != JA_UNKNOWN)
            add_size(&late.sizes, run->arena, run->inputs[i].size_bytes);
        for (size_t c = 0; c < evidence->child_count; c++)
            add_size(&late.sizes, run->arena, evidence->children[c]->size_bytes);
    }
    ja_sort(late.sizes.bytes, late.sizes.count, sizeof *late.sizes.bytes, by_size);
    ja_jobs_run(count, hash_again, &late, NULL);
}
