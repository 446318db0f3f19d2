/* SPDX-License-Identifier: MIT
 *
 * The jobs: one file in, one evidence out. Text and trees die with the job.
 */
#include "cli/run.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "cli/jobs.h"
#include "cli/read.h"
#include "parsers/parser.h"
#include "parsers/parts.h"
#include "parsers/texts.h"

#define LARGEST_KEPT ((size_t)16 * 1024 * 1024) /* a larger file's memory is given back at once */

/* What a worker needs while it reads a file. */
struct desk {
    struct ja_arena *scratch;
    struct ja_texts *texts; /* of all files that were read at it */
    struct ja_bytes bytes;
};

struct load {
    struct ja_run *run;
    struct ja_progress progress;
    pthread_mutex_t lock;
    struct desk *free; /* as many as workers ever were at work at once */
    size_t free_count, free_capacity;
};

static void set_up(struct desk *desk)
{
    struct ja_arena *arena = ja_arena_new();
    desk->scratch = ja_arena_new();
    desk->texts = ja_arena_alloc(arena, 1, sizeof *desk->texts);
    *desk->texts = ja_texts_in(arena, ja_arena_new());
}

/* The texts stay: evidence tells them. */
static void clear(struct ja_run *run, struct desk *desk)
{
    ja_arena_free(desk->scratch);
    ja_bytes_done(&desk->bytes);
    ja_arena_free(desk->texts->scratch);
    ja_arena_join(run->arena, desk->texts->arena);
}

/* Takes a desk that another file is done with, so that its memory is warm, or a new one. */
static struct desk take_desk(struct load *load)
{
    struct desk desk = {.bytes = {.size_bytes = JA_UNKNOWN, .mtime_ns = JA_UNKNOWN}};
    pthread_mutex_lock(&load->lock);
    if (load->free_count)
        desk = load->free[--load->free_count];
    pthread_mutex_unlock(&load->lock);
    if (!desk.scratch)
        set_up(&desk);
    return desk;
}

static void give_back(struct load *load, struct desk *desk)
{
    ja_arena_reset(desk->scratch);
    if (desk->bytes.capacity > LARGEST_KEPT)
        ja_bytes_done(&desk->bytes);
    desk->bytes = (struct ja_bytes){.memory = desk->bytes.memory,
                                    .capacity = desk->bytes.capacity,
                                    .size_bytes = JA_UNKNOWN,
                                    .mtime_ns = JA_UNKNOWN};
    pthread_mutex_lock(&load->lock);
    *JA_APPEND(load->run->arena, load->free, load->free_count, load->free_capacity) = *desk;
    pthread_mutex_unlock(&load->lock);
}

struct ja_evidence *ja_unread(const char *path, enum ja_status status, const char *why)
{
    struct ja_evidence *evidence = ja_evidence_new(path);
    const char *reason = ja_arena_string(evidence->arena, why);
    ja_set_status(evidence, status, reason);
    if (status == JA_STATUS_UNREADABLE)
        ja_diagnose(evidence, JA_UNREAD, "unread", 0, NULL, "%s", reason);
    ja_evidence_close(evidence);
    return evidence;
}

/* The spacing that the operator states for a file's readings. */
static int64_t interval_of(const struct ja_statements *statements, const char *path)
{
    for (size_t i = 0; i < statements->time_count; i++) {
        const struct ja_stated_time *time = &statements->times[i];
        size_t length = strlen(path), tail = strlen(time->path);
        bool same = length >= tail && strcmp(path + length - tail, time->path) == 0 &&
                    (length == tail || path[length - tail - 1] == '/');
        if (same && time->interval_ns != JA_UNKNOWN)
            return time->interval_ns;
    }
    return JA_UNKNOWN;
}

static struct ja_file file_of(const struct ja_run *run, const struct ja_found *found,
                              const struct ja_bytes *bytes)
{
    return (struct ja_file){
        .path = found->path,
        .name = ja_path_name(found->path),
        .text = bytes->memory,
        .length = bytes->length,
        .mtime_ns = run->options->ignore_mtime ? JA_UNKNOWN : bytes->mtime_ns,
        .no_nul = bytes->no_nul,
    };
}

static const struct ja_parser *forced_for(const struct ja_found *found)
{
    return found->type ? ja_parser_named(found->type) : NULL;
}

static struct ja_evidence *parse(const struct ja_run *run, const struct ja_found *found,
                                 const struct desk *desk)
{
    const struct ja_file file = file_of(run, found, &desk->bytes);
    return ja_parse_file_with(&file, forced_for(found), interval_of(&run->stated.all, found->path),
                              run->options->max_readings, desk->scratch, desk->texts);
}

/* ---- files too large for memory -------------------------------------------------------------- */

struct large {
    struct load *load;
    const struct ja_found *found;
    const struct ja_bytes *bytes;
    struct ja_arena *scratch;
    struct ja_parts *parts; /* NULL until the beginning was bid on */
};

static bool take_part(void *data, const char *text, size_t length)
{
    struct large *large = data;
    const struct ja_run *run = large->load->run;
    if (!text && large->parts)
        ja_parts_skip_line(large->parts, run->options->max_file_bytes);
    if (!text)
        return large->parts;
    if (!large->parts) {
        struct ja_file begin = file_of(run, large->found, large->bytes);
        begin.text = text;
        begin.length = length;
        large->parts = ja_parts_open(&begin, forced_for(large->found),
                                     interval_of(&run->stated.all, large->found->path),
                                     run->options->max_readings, large->scratch);
    }
    if (large->parts)
        ja_parts_add(large->parts, text, length);
    atomic_fetch_add(&large->load->progress.kbytes, length / 1024);
    return large->parts;
}

/* Lines of evidence are read in parts; anything else, and what cannot be read, is NULL with the
 * reason. */
static struct ja_evidence *parse_parts(struct load *load, const struct ja_found *found,
                                       struct desk *desk, const char **ret_why)
{
    struct large large = {
        .load = load, .found = found, .bytes = &desk->bytes, .scratch = desk->scratch};
    bool read = ja_read_parts(&load->run->discovery, found, load->run->options->max_file_bytes,
                              desk->scratch, take_part, &large, &desk->bytes, ret_why);
    struct ja_evidence *evidence = large.parts ? ja_parts_close(large.parts) : NULL;
    if (read)
        return evidence;
    ja_evidence_free(evidence);
    return NULL;
}

static bool is_stdin(const struct ja_run *run, const struct ja_found *found)
{
    return run->discovery.roots[found->root].kind == JA_ROOT_STDIN;
}

/* A file that changes meanwhile is read once more, as small ones are. */
static struct ja_evidence *parse_large(struct load *load, const struct ja_found *found,
                                       struct desk *desk, const char **ret_why)
{
    struct ja_evidence *evidence = parse_parts(load, found, desk, ret_why);
    if (!evidence || !desk->bytes.changed || is_stdin(load->run, found))
        return evidence;
    ja_evidence_free(evidence);
    return parse_parts(load, found, desk, ret_why);
}

/* ---- the job --------------------------------------------------------------------------------- */

static struct ja_evidence *read_one(struct load *load, const struct ja_found *found,
                                    struct desk *desk)
{
    const struct ja_run *run = load->run;
    struct ja_bytes *bytes = &desk->bytes;
    const char *why = found->refused;
    struct ja_evidence *evidence = NULL;
    if (!why && ja_read_found_into(&run->discovery, found, run->options->max_file_bytes,
                                   desk->scratch, bytes, &why))
        evidence = parse(run, found, desk);
    else if (bytes->too_large)
        evidence = parse_large(load, found, desk, &why);
    if (!evidence)
        return ja_unread(found->path, JA_STATUS_UNREADABLE, why);
    if (bytes->changed)
        ja_diagnose(evidence, JA_WARNING, "changed", 0, NULL,
                    "the file changed while it was read: what was read last is used");
    return evidence;
}

static void load_file(struct load *load, size_t index)
{
    const struct ja_found *found = &load->run->discovery.found[index];
    struct ja_input *input = &load->run->inputs[index];
    struct desk desk = take_desk(load);
    const struct ja_bytes *bytes = &desk.bytes;
    input->evidence = read_one(load, found, &desk);
    memcpy(input->sha256, bytes->sha256, sizeof input->sha256);
    input->size_bytes = bytes->size_bytes;
    input->mtime_ns = bytes->mtime_ns;
    load->run->heads[index] = bytes->head;
    atomic_fetch_add(&load->progress.kbytes, bytes->length / 1024);
    give_back(load, &desk);
}

static void load_one(size_t index, void *data)
{
    struct load *load = data;
    struct ja_input *input = &load->run->inputs[index];
    const struct ja_found *found = &load->run->discovery.found[index];
    if (!input->evidence)
        load_file(load, index);
    input->role = found->role;
    input->outside =
        found->role == JA_ROLE_STATEMENT && load->run->discovery.roots[found->root].stated;
    atomic_fetch_add(&load->progress.files, 1);
}

void ja_load(struct ja_run *run)
{
    size_t count = run->discovery.found_count;
    struct load load = {.run = run, .lock = PTHREAD_MUTEX_INITIALIZER};
    bool terminal = !run->options->quiet && !run->options->no_progress && ja_progress_possible();
    ja_progress_init(&load.progress, terminal, count);
    ja_jobs_run(count, load_one, &load, &load.progress);
    for (size_t i = 0; i < load.free_count; i++)
        clear(run, &load.free[i]);
    pthread_mutex_destroy(&load.lock);
}

static struct ja_input child_input(const struct ja_input *file, struct ja_evidence *child)
{
    struct ja_input input = {.evidence = child,
                             .size_bytes = child->size_bytes,
                             .mtime_ns = JA_UNKNOWN,
                             .role = file->role};
    snprintf(input.sha256, sizeof input.sha256, "%s", child->sha256 ? child->sha256 : "");
    return input;
}

const struct ja_input *ja_unfold(const struct ja_run *run, size_t *count)
{
    size_t all = *count, next = 0;
    for (size_t i = 0; i < *count; i++)
        all += run->inputs[i].evidence->child_count;
    if (all == *count)
        return run->inputs;
    struct ja_input *inputs = ja_arena_alloc(run->arena, all, sizeof *inputs);
    for (size_t i = 0; i < *count; i++) {
        struct ja_evidence *evidence = run->inputs[i].evidence;
        inputs[next++] = run->inputs[i];
        for (size_t c = 0; c < evidence->child_count; c++)
            inputs[next++] = child_input(&run->inputs[i], evidence->children[c]);
        evidence->child_count = 0; /* the case owns them now */
    }
    *count = next;
    return inputs;
}
