/* SPDX-License-Identifier: MIT
 *
 * Which files are hashed. Reports show the SHA-256 of every file. A summary only needs it to tell
 * copies, and copies have equal sizes and begin alike. So it hashes small files as they are read;
 * of the others, once all were read, those that look like another: they are read once more, which
 * is seldom. That saves a sixth of the time.
 */
#include "cli/run.h"

#include <string.h>

#include "cli/jobs.h"
#include "cli/read.h"
#include "model/sort.h"

static bool all_wanted(const struct ja_run *run)
{
    const struct ja_options *options = run->options;
    /* Without a key of its own, redaction makes one of the hashes. */
    bool keyed = options->redact && !options->redact_key;
    return run->writes || options->json || options->ndjson || keyed;
}

void ja_hash_choose(struct ja_run *run)
{
    struct ja_discovery *discovery = &run->discovery;
    if (all_wanted(run))
        return;
    /* To open a small file again takes longer than to hash it. The size of standard input is not
     * known: it cannot be read again. */
    for (size_t i = 0; i < discovery->found_count; i++)
        discovery->found[i].unhashed = discovery->found[i].size_bytes > JA_HEAD_BYTES;
}

/* ---- afterwards ------------------------------------------------------------------------------ */

struct look {
    int64_t size_bytes;
    uint64_t head; /* as of ja_hash_head; 0: not known, it may be that of any file */
};

struct late {
    struct ja_run *run;
    struct look *looks; /* of what was read, and of the files whose evidence stands in lines */
    size_t count, capacity;
};

static int by_look(const void *a, const void *b)
{
    const struct look *x = a, *y = b;
    if (x->size_bytes != y->size_bytes)
        return x->size_bytes < y->size_bytes ? -1 : 1;
    return (x->head > y->head) - (x->head < y->head);
}

/* The first look that is not before this one. */
static const struct look *first_from(const struct late *late, struct look look)
{
    size_t low = 0, high = late->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_look(&late->looks[middle], &look) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return &late->looks[low];
}

/* May another file be equal to one that looks so and is among them? */
static bool is_shared(const struct late *late, struct look look)
{
    const struct look *end = late->looks + late->count;
    const struct look *unknown = first_from(late, (struct look){look.size_bytes, 0});
    const struct look *own = first_from(late, look);
    return (unknown < own && unknown->head == 0) || (end - own > 1 && by_look(own + 1, &look) == 0);
}

/* Hashes a file that is read again, when it still is what it was. */
static void hash_again(size_t index, void *data)
{
    struct late *late = data;
    struct ja_run *run = late->run;
    struct ja_input *input = &run->inputs[index];
    struct ja_found found = run->discovery.found[index];
    if (!found.unhashed || input->sha256[0] || input->size_bytes == JA_UNKNOWN ||
        !is_shared(late, (struct look){input->size_bytes, run->heads[index]}))
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

static void add_look(struct late *late, int64_t size_bytes, uint64_t head)
{
    if (size_bytes != JA_UNKNOWN)
        *JA_APPEND(late->run->arena, late->looks, late->count, late->capacity) =
            (struct look){size_bytes, head};
}

void ja_hash_late(struct ja_run *run)
{
    struct late late = {.run = run};
    size_t count = run->discovery.found_count;
    if (all_wanted(run))
        return;
    for (size_t i = 0; i < count; i++) {
        const struct ja_evidence *evidence = run->inputs[i].evidence;
        add_look(&late, run->inputs[i].size_bytes, run->heads[i]);
        for (size_t c = 0; c < evidence->child_count; c++)
            add_look(&late, evidence->children[c]->size_bytes, 0);
    }
    ja_sort(late.looks, late.count, sizeof *late.looks, by_look);
    ja_jobs_run(count, hash_again, &late, NULL);
}
