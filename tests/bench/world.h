/* SPDX-License-Identifier: MIT
 *
 * The invented machines that the benchmark's reports are taken from: hosts that boot, sleep and
 * reboot, with processes that live, die, leak, idle and are killed. All from a seed: the same
 * arguments give the same bytes on any machine (whole numbers only).
 */
#ifndef JA_BENCH_WORLD_H
#define JA_BENCH_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define PAGE_BYTES 16384
#define TICK_HZ 24000000
#define SERVICES 5

struct dice {
    uint64_t state;
};

/* From low to high, both included. */
int64_t dice_between(struct dice *dice, int64_t low, int64_t high);
bool dice_chance(struct dice *dice, int percent);

enum shape { SHAPE_OTHER, SHAPE_LEAK, SHAPE_PLATEAU, SHAPE_STEADY, SHAPE_STEPS };

struct service {
    const char *name;
    enum shape shape;
    int64_t start_pages, most_pages;
    int64_t pages_per_hour; /* while awake */
    bool restarts;
    char uuid[37];
};

struct process {
    const char *name;
    const char *uuid;
    const struct service *service; /* NULL: one of the crowd */
    int64_t pid, start_ticks;      /* since boot */
    int64_t base_pages, peak_pages;
    int64_t coalition, priority, fds, regions;
    int64_t cpu_ppm; /* of one core, while awake */
    bool idle, short_lived;
    int64_t kill_delta; /* 0: not killed */
    const char *reason;
    /* What truth is printed of, for services. */
    int64_t first_pages, last_pages, points;
};

struct host {
    struct dice dice;
    char name[32], device[37];
    const char *model, *chip, *os, *kernel;
    int64_t ram_bytes, managed_pages, rows;
    int offset_minutes; /* of its clock from UTC */
    struct service services[SERVICES];
    char (*uuids)[37]; /* of each name of the crowd */
    /* The boot. */
    int boot, reports_left;
    int64_t unix_cs; /* centiseconds since 1970 */
    int64_t ticks;   /* awake since boot */
    int64_t next_pid, compressions, decompressions;
    struct process *processes;
    int64_t *pages; /* room for one number a process: what it holds now */
    size_t count, capacity;
};

/* rows: about as many a report; 0: the host has its own, 150 to 900. */
void host_init(struct host *host, uint64_t seed, int number, int64_t rows);
/* Moves on to the moment of the next report; ended lives of services go to truth. */
void host_step(struct host *host, FILE *truth);
/* What a process holds now, in pages. */
int64_t host_pages(struct host *host, struct process *process);
/* The lives that go on at the end. */
void host_end(struct host *host, FILE *truth);
void host_done(struct host *host);

/* One JetsamEvent report of the host's moment (report.c); its line goes to truth. */
void report_print(struct host *host, FILE *out, FILE *truth, const char *path);
/* "JetsamEvent-2026-01-05-081500.ips", as the host's clock says. */
void report_name(const struct host *host, char *name, size_t size);
struct moment {
    int year, month, day, hour, minute, second, centisecond;
};

struct moment moment_of(int64_t unix_cs, int offset_minutes);

#endif
