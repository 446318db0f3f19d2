/* SPDX-License-Identifier: MIT
 *
 * Where an audit's time goes: every phase on its own, on files that are in memory.
 *
 *   bench_phases [-j JOBS] [-r ROUNDS] PATH...
 *
 * One line a phase: name, seconds, seconds of processors (medians of the rounds: on a busy machine
 * the second tells more), MB of evidence in a second. Reading, scan and parsing alternate in each
 * round, so that a busy machine slows them alike.
 *   read        open, read, hash with SHA-256
 *   scan        memchr from line end to line end: what it costs to look at every byte
 *   parse       text to evidence
 *   context, hosts ... rules    the steps of ja_case_build
 *   summary, json, ndjson       printed to /dev/null
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/jobs.h"
#include "cli/read.h"
#include "cli/run.h"
#include "model/build.h"
#include "parsers/json.h"
#include "parsers/parser.h"
#include "reports/report.h"

#define MOST_ROUNDS 99
#define MOST_PHASES 40

struct bench {
    struct ja_discovery discovery;
    struct ja_arena *arena;
    struct ja_bytes *bytes; /* one a file */
    struct ja_input *inputs;
    size_t count, total_bytes, lines;
    int round, rounds;
    struct phase {
        const char *name;
        double seconds[MOST_ROUNDS], busy[MOST_ROUNDS]; /* by the clock, of all processors */
        int round_count;
    } phases[MOST_PHASES];
    size_t phase_count;
    double started, started_busy;
    pthread_mutex_t lock;
    struct ja_arena **free; /* scratch */
    size_t free_count, free_capacity;
};

static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void start(struct bench *bench)
{
    bench->started = now(CLOCK_MONOTONIC);
    bench->started_busy = now(CLOCK_PROCESS_CPUTIME_ID);
}

static void stop(struct bench *bench, const char *name)
{
    double seconds = now(CLOCK_MONOTONIC) - bench->started;
    double busy = now(CLOCK_PROCESS_CPUTIME_ID) - bench->started_busy;
    size_t i = 0;
    while (i < bench->phase_count && strcmp(bench->phases[i].name, name) != 0)
        i++;
    if (i == MOST_PHASES)
        abort();
    if (i == bench->phase_count)
        bench->phases[bench->phase_count++].name = name;
    struct phase *phase = &bench->phases[i];
    phase->busy[phase->round_count] = busy;
    phase->seconds[phase->round_count++] = seconds;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static void read_one(size_t index, void *data)
{
    struct bench *bench = data;
    const struct ja_found *found = &bench->discovery.found[index];
    struct ja_arena *scratch = ja_arena_new();
    const char *why = "";
    ja_bytes_done(&bench->bytes[index]);
    bench->bytes[index] = (struct ja_bytes){0};
    if (!ja_read_found(&bench->discovery, found, INT64_MAX, scratch, &bench->bytes[index], &why)) {
        fprintf(stderr, "bench_phases: %s: %s\n", found->path, why);
        exit(1);
    }
    ja_arena_free(scratch);
}

static size_t count_lines(const struct ja_bytes *bytes)
{
    size_t lines = 0;
    const char *at = bytes->memory, *end = at + bytes->length;
    while (at < end && (at = memchr(at, '\n', (size_t)(end - at)))) {
        lines++;
        at++;
    }
    return lines;
}

/* One a worker, used again for the next file as ja_load does. */
static struct ja_arena *take_scratch(struct bench *bench)
{
    pthread_mutex_lock(&bench->lock);
    struct ja_arena *scratch = bench->free_count ? bench->free[--bench->free_count] : NULL;
    pthread_mutex_unlock(&bench->lock);
    return scratch ? scratch : ja_arena_new();
}

static void give_scratch(struct bench *bench, struct ja_arena *scratch)
{
    ja_arena_reset(scratch);
    pthread_mutex_lock(&bench->lock);
    *JA_APPEND(bench->arena, bench->free, bench->free_count, bench->free_capacity) = scratch;
    pthread_mutex_unlock(&bench->lock);
}

static void parse_one(size_t index, void *data)
{
    struct bench *bench = data;
    const struct ja_bytes *bytes = &bench->bytes[index];
    const struct ja_found *found = &bench->discovery.found[index];
    struct ja_file file = {.path = found->path,
                           .name = ja_path_name(found->path),
                           .text = bytes->memory,
                           .length = bytes->length,
                           .mtime_ns = bytes->mtime_ns,
                           .no_nul = bytes->no_nul};
    struct ja_input *input = &bench->inputs[index];
    struct ja_arena *scratch = take_scratch(bench);
    input->evidence = ja_parse_file_with(&file, NULL, JA_UNKNOWN, SIZE_MAX, scratch, NULL);
    give_scratch(bench, scratch);
    memcpy(input->sha256, bytes->sha256, sizeof input->sha256);
    input->size_bytes = bytes->size_bytes;
    input->mtime_ns = bytes->mtime_ns;
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static void run_round(struct bench *bench)
{
    for (size_t i = 0; i < bench->count; i++) {
        if (bench->inputs[i].evidence)
            ja_evidence_free(bench->inputs[i].evidence);
        bench->inputs[i] = (struct ja_input){0};
    }
    start(bench);
    ja_jobs_run_silent(bench->count, read_one, bench);
    stop(bench, "read");
    bench->lines = 0;
    start(bench);
    for (size_t i = 0; i < bench->count; i++)
        bench->lines += count_lines(&bench->bytes[i]);
    stop(bench, "scan");
    start(bench);
    ja_jobs_run_silent(bench->count, parse_one, bench);
    stop(bench, "parse");
}

static void print_case(struct bench *bench, const struct ja_case *item)
{
    struct ja_report_options options = {.options_text = "", .sandbox = "off"};
    FILE *nowhere = fopen("/dev/null", "wb");
    if (!nowhere)
        exit(1);
    start(bench);
    ja_summary_print(item, &options, nowhere);
    stop(bench, "summary");
    start(bench);
    ja_json_print(item, &options, nowhere);
    stop(bench, "json");
    start(bench);
    ja_ndjson_print(item, &options, nowhere);
    stop(bench, "ndjson");
    fclose(nowhere);
}

static void next_step(const char *step, void *data)
{
    stop(data, step);
    start(data);
}

/* The last round's evidence becomes a case, and the case is printed. */
static void build_case(struct bench *bench)
{
    struct ja_statements said = ja_statements_none();
    struct ja_run run = {.arena = bench->arena, .inputs = bench->inputs};
    size_t count = bench->count;
    const struct ja_input *inputs = ja_unfold(&run, &count);
    start(bench);
    struct ja_case *item =
        ja_case_build_watched(inputs, count, &said, ja_jobs_run_silent, next_step, bench);
    print_case(bench, item);
    ja_case_free(item);
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double median(double *seconds, int count)
{
    qsort(seconds, (size_t)count, sizeof *seconds, by_size);
    return seconds[count / 2];
}

static void print_table(struct bench *bench)
{
    printf("%zu files, %zu bytes, %zu lines\n", bench->count, bench->total_bytes, bench->lines);
    for (size_t i = 0; i < bench->phase_count; i++) {
        struct phase *phase = &bench->phases[i];
        double seconds = median(phase->seconds, phase->round_count);
        printf("%-10s %9.4f %9.4f %9.1f\n", phase->name, seconds,
               median(phase->busy, phase->round_count), (double)bench->total_bytes / seconds / 1e6);
    }
}

static void prepare(struct bench *bench, size_t jobs)
{
    ja_json_install_hooks();
    ja_parsers_prepare();
    ja_jobs_set_workers(jobs);
    ja_discovery_walk(&bench->discovery);
    bench->count = bench->discovery.found_count;
    bench->bytes = ja_arena_alloc(bench->arena, bench->count, sizeof *bench->bytes);
    bench->inputs = ja_arena_alloc(bench->arena, bench->count, sizeof *bench->inputs);
}

static size_t number(const char *text)
{
    return (size_t)strtoul(text, NULL, 10);
}

int main(int argc, char **argv)
{
    static struct bench bench = {.rounds = 3, .lock = PTHREAD_MUTEX_INITIALIZER};
    size_t jobs = 1;
    int letter;
    bench.arena = ja_arena_new();
    ja_discovery_init(&bench.discovery, SIZE_MAX);
    while ((letter = getopt(argc, argv, "j:r:")) != -1) {
        if (letter == 'j')
            jobs = number(optarg);
        else if (letter == 'r')
            bench.rounds = (int)number(optarg);
        else
            return 2;
    }
    if (optind == argc || bench.rounds < 1 || bench.rounds > MOST_ROUNDS)
        return 2;
    for (int i = optind; i < argc; i++)
        ja_discovery_add(&bench.discovery, argv[i], JA_ROLE_EVIDENCE, NULL, false);
    prepare(&bench, jobs);
    for (int i = 0; i < bench.rounds; i++)
        run_round(&bench);
    for (size_t i = 0; i < bench.count; i++) {
        bench.total_bytes += bench.bytes[i].length;
        ja_bytes_done(&bench.bytes[i]);
    }
    build_case(&bench);
    print_table(&bench);
    for (size_t i = 0; i < bench.free_count; i++)
        ja_arena_free(bench.free[i]);
    ja_discovery_done(&bench.discovery);
    ja_arena_free(bench.arena);
    return 0;
}
