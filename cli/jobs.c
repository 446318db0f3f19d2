/* SPDX-License-Identifier: MIT */
#include "cli/jobs.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#define MAX_WORKERS ((size_t)64)
#define SHOW_EVERY_NS 100000000L

static size_t worker_count = 1;

struct crew {
    size_t count;
    void (*job)(size_t index, void *data);
    void *data;
    atomic_size_t next;
    atomic_size_t working;
    pthread_mutex_t lock;
    pthread_cond_t done;
};

void ja_jobs_set_workers(size_t workers)
{
    if (!workers) {
        long online = sysconf(_SC_NPROCESSORS_ONLN);
        workers = online > 0 ? (size_t)online : 1;
    }
    worker_count = workers < MAX_WORKERS ? workers : MAX_WORKERS;
}

static void work(struct crew *crew)
{
    for (;;) {
        size_t index = atomic_fetch_add(&crew->next, 1);
        if (index >= crew->count)
            return;
        crew->job(index, crew->data);
    }
}

static void *worker(void *data)
{
    struct crew *crew = data;
    work(crew);
    pthread_mutex_lock(&crew->lock);
    if (atomic_fetch_sub(&crew->working, 1) == 1)
        pthread_cond_signal(&crew->done);
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

/* Shows the progress until the last worker is done. */
static void watch(struct crew *crew, struct ja_progress *progress)
{
    pthread_mutex_lock(&crew->lock);
    while (atomic_load(&crew->working)) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += SHOW_EVERY_NS;
        if (until.tv_nsec >= 1000000000L) {
            until.tv_nsec -= 1000000000L;
            until.tv_sec++;
        }
        pthread_cond_timedwait(&crew->done, &crew->lock, &until);
        if (atomic_load(&crew->working))
            ja_progress_show(progress);
    }
    pthread_mutex_unlock(&crew->lock);
}

/* Starts workers, at most wanted; returns how many there are. */
static size_t start(struct crew *crew, size_t wanted, pthread_t threads[MAX_WORKERS])
{
    size_t started = 0;
    atomic_init(&crew->working, wanted);
    for (size_t i = 0; i < wanted; i++)
        if (pthread_create(&threads[started], NULL, worker, crew) == 0)
            started++;
    atomic_fetch_sub(&crew->working, wanted - started);
    return started;
}

/* A thread's heap is glibc's for that thread alone: what was given back there serves no other. */
static void give_back_memory(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

void ja_jobs_run(size_t count, void (*job)(size_t index, void *data), void *data,
                 struct ja_progress *progress)
{
    struct crew crew = {.count = count,
                        .job = job,
                        .data = data,
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .done = PTHREAD_COND_INITIALIZER};
    size_t wanted = count < worker_count ? count : worker_count;
    bool shows = progress && progress->on;
    pthread_t threads[MAX_WORKERS];
    atomic_init(&crew.next, 0);
    /* This thread is a worker, too, unless it has progress to show. */
    size_t started = start(&crew, wanted && !shows ? wanted - 1 : wanted, threads);
    if (shows && started)
        watch(&crew, progress);
    else
        work(&crew);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    if (started)
        give_back_memory();
    pthread_cond_destroy(&crew.done);
    pthread_mutex_destroy(&crew.lock);
    if (progress)
        ja_progress_erase(progress);
}

void ja_jobs_run_silent(size_t count, void (*job)(size_t index, void *data), void *data)
{
    ja_jobs_run(count, job, data, NULL);
}
