/* SPDX-License-Identifier: MIT */
#include "tests/bench/world.h"

#include <stdlib.h>
#include <string.h>

#define HOUR_TICKS ((int64_t)3600 * TICK_HZ)
#define MIB_PAGES (1048576 / PAGE_BYTES)

static const char *const daemons[] = {
    "logd",   "UserEventAgent", "fseventsd",      "configd",  "powerd",        "watchdogd",
    "mds",    "mds_stores",     "opendirectoryd", "apsd",     "securityd",     "locationd",
    "dasd",   "distnoted",      "bluetoothd",     "notifyd",  "tccd",          "cfprefsd",
    "trustd", "runningboardd",  "WindowServer",   "airportd", "mDNSResponder", "sharingd",
    "Finder", "Spotlight",      "ControlCenter",  "Dock",     "coreaudiod",    "contextstored",
};
static const char *const helpers[] = {
    "com.apple.WebKit.WebContent",
    "MTLCompilerService",
    "node",
    "zsh",
    "python3.13",
    "Python",
    "Browser Helper (Renderer)",
    "Editor Helper (Plugin)",
    "clangd",
    "git",
    "ruby",
    "tail",
};
static const char *const workers[] = {
    "mdworker_shared", "xpcproxy", "QuickLookSatellite", "deleted_helper", "assistantd", "helpd",
};
static const char *const reasons[] = {
    "vm-compressor-space-shortage",
    "vm-compressor-space-shortage",
    "highwater",
    "vm-pageshortage",
    "idle-exit",
};
static const struct {
    const char *model, *chip;
    int gib;
} models[] = {{"Mac14,3", "T8112", 16},
              {"Mac14,12", "T6020", 32},
              {"Mac15,9", "T6031", 64},
              {"Mac16,11", "T8132", 24},
              {"Mac16,9", "T6041", 128}};
static const struct {
    const char *os, *kernel;
} systems[] = {
    {"macOS 15.6 (24G84)", "Darwin Kernel Version 24.6.0: Mon Jul 14 11:30:29 PDT 2025; "
                           "root:xnu-11417.140.69~1"},
    {"macOS 26.3 (25D125)", "Darwin Kernel Version 25.3.0: Wed Jan 28 20:53:15 PST 2026; "
                            "root:xnu-12377.91.3~2"},
};

#define RELAY 1 /* among the services */
#define COUNT_OF(array) ((int64_t)(sizeof(array) / sizeof(array)[0]))
#define DAEMONS COUNT_OF(daemons)
#define HELPERS COUNT_OF(helpers)
#define WORKERS COUNT_OF(workers)

/* ---- dice ------------------------------------------------------------------------------------ */

/* splitmix64 */
static uint64_t roll(struct dice *dice)
{
    uint64_t z = dice->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

int64_t dice_between(struct dice *dice, int64_t low, int64_t high)
{
    return low + (int64_t)(roll(dice) % (uint64_t)(high - low + 1));
}

bool dice_chance(struct dice *dice, int percent)
{
    return dice_between(dice, 0, 99) < percent;
}

static void roll_uuid(struct dice *dice, char *ret_uuid)
{
    uint64_t a = roll(dice), b = roll(dice);
    snprintf(ret_uuid, 37, "%08x-%04x-3%03x-a%03x-%012llx", (unsigned)(a >> 32),
             (unsigned)(a >> 16 & 0xffff), (unsigned)(a & 0xfff), (unsigned)(b >> 52),
             (unsigned long long)(b & 0xffffffffffffu));
}

/* Programs of one build have one UUID on every host. */
static void build_uuid(uint64_t seed, int64_t program, int64_t build, char *ret_uuid)
{
    struct dice dice = {seed * 7919 + (uint64_t)(program * 16 + build)};
    roll_uuid(&dice, ret_uuid);
}

/* ---- processes ------------------------------------------------------------------------------- */

/* Of the host's crowd: sizes spread around half of its memory in all. */
static struct process *add(struct host *host, const char *name, const char *uuid, int64_t start)
{
    struct dice *dice = &host->dice;
    if (host->count == host->capacity) {
        host->capacity = host->capacity ? host->capacity * 2 : 1024;
        host->processes = realloc(host->processes, host->capacity * sizeof *host->processes);
        host->pages = realloc(host->pages, host->capacity * sizeof *host->pages);
        if (!host->processes || !host->pages)
            abort();
    }
    int64_t mean = host->managed_pages / 2 / host->rows;
    struct process *p = &host->processes[host->count++];
    *p = (struct process){.name = name, .uuid = uuid, .start_ticks = start};
    host->next_pid += dice_between(dice, 1, 4);
    p->pid = host->next_pid;
    p->base_pages = 60 + mean * dice_between(dice, 5, 100) * dice_between(dice, 5, 100) / 2800;
    p->coalition = dice_between(dice, 0, 2) ? 500 + p->pid % 7 : 1000 + p->pid;
    p->priority = dice_between(dice, 0, 4) * 40;
    p->idle = dice_chance(dice, 25);
    p->fds = (int64_t)25 << dice_between(dice, 0, 3);
    p->regions = dice_between(dice, 40, 1500);
    p->cpu_ppm = dice_between(dice, 5, 300) * dice_between(dice, 1, 300);
    return p;
}

static void start_service(struct host *host, const struct service *service, int64_t start)
{
    struct process *p = add(host, service->name, service->uuid, start);
    p->service = service;
    p->coalition = 900 + (service - host->services);
    p->priority = 180;
    p->idle = false;
}

static void start_helper(struct host *host, int64_t start)
{
    int64_t which = dice_between(&host->dice, 0, HELPERS - 1);
    add(host, helpers[which], host->uuids[DAEMONS + which], start);
}

static void print_life(const struct host *host, const struct process *p, FILE *truth)
{
    static const char *const words[] = {"other", "leak", "plateau", "steady", "steps"};
    if (!p->service || !p->points)
        return;
    fprintf(truth, "life\t%s\t%d\t%s\t%lld\t%s\t%lld\t%lld\t%lld\t%lld\t%s\n", host->name,
            host->boot, p->name, (long long)p->pid, words[p->service->shape], (long long)p->points,
            (long long)p->first_pages * PAGE_BYTES, (long long)p->last_pages * PAGE_BYTES,
            (long long)p->service->pages_per_hour * PAGE_BYTES, p->uuid);
}

static void end_process(struct host *host, size_t index, FILE *truth)
{
    print_life(host, &host->processes[index], truth);
    memmove(&host->processes[index], &host->processes[index + 1],
            (--host->count - index) * sizeof *host->processes);
}

void host_end(struct host *host, FILE *truth)
{
    for (size_t i = 0; i < host->count; i++)
        print_life(host, &host->processes[i], truth);
    host->count = 0;
}

void host_done(struct host *host)
{
    free(host->processes);
    free(host->pages);
    free(host->uuids);
}

int64_t host_pages(struct host *host, struct process *p)
{
    const struct service *s = p->service;
    int64_t awake = host->ticks - p->start_ticks, pages = p->base_pages;
    if (!s)
        return pages + pages * dice_between(&host->dice, -12, 12) / 1000;
    int64_t grown = s->pages_per_hour * (awake / TICK_HZ) / 3600;
    switch (s->shape) {
    case SHAPE_LEAK:
        pages = s->start_pages + grown;
        break;
    case SHAPE_PLATEAU:
        pages = s->start_pages + grown < s->most_pages ? s->start_pages + grown : s->most_pages;
        break;
    case SHAPE_STEPS:
        pages = s->start_pages << (awake / (8 * HOUR_TICKS) < 4 ? awake / (8 * HOUR_TICKS) : 4);
        break;
    default:
        pages = s->start_pages + s->start_pages * dice_between(&host->dice, -5, 5) / 1000;
    }
    if (!p->points++)
        p->first_pages = pages;
    return p->last_pages = pages;
}

/* ---- hosts ----------------------------------------------------------------------------------- */

/* relay-agent leaks in its first build and is mended in the second. */
static void init_services(struct host *host, uint64_t seed)
{
    struct dice *dice = &host->dice;
    int64_t gib = host->ram_bytes >> 30;
    const struct service all[SERVICES] = {
        {"vectord", SHAPE_LEAK, dice_between(dice, 400, 1800) * MIB_PAGES, 0,
         dice_between(dice, 1, 6) * gib * MIB_PAGES, false, ""},
        {"relay-agent", SHAPE_LEAK, dice_between(dice, 40, 300) * MIB_PAGES, 0,
         dice_between(dice, 3, 40) * MIB_PAGES, false, ""},
        {"shelfcached", SHAPE_PLATEAU, dice_between(dice, 500, 2000) * MIB_PAGES,
         gib * dice_between(dice, 150, 600) * MIB_PAGES, dice_between(dice, 600, 3000) * MIB_PAGES,
         false, ""},
        {"gatewayd", SHAPE_STEADY, dice_between(dice, 200, 3000) * MIB_PAGES, 0, 0, false, ""},
        {"arena-worker", SHAPE_STEPS, 256 * MIB_PAGES, 0, 0, false, ""},
    };
    memcpy(host->services, all, sizeof all);
    int64_t build = dice_between(dice, 0, 1);
    for (int i = 0; i < SERVICES; i++)
        build_uuid(seed, i, build, host->services[i].uuid);
    if (build == 1)
        host->services[RELAY].shape = SHAPE_STEADY;
    host->services[dice_between(dice, 0, SERVICES - 1)].restarts = true;
}

void host_init(struct host *host, uint64_t seed, int number, int64_t rows)
{
    static const int offsets[] = {-480, -300, 0, 60, 120, 330, 540};
    *host = (struct host){.dice.state = seed * 1000003 + (uint64_t)number};
    struct dice *dice = &host->dice;
    int64_t model = dice_between(dice, 0, COUNT_OF(models) - 1);
    int64_t system = dice_between(dice, 0, COUNT_OF(systems) - 1);
    snprintf(host->name, sizeof host->name, "host-%04d", number);
    roll_uuid(dice, host->device);
    host->model = models[model].model;
    host->chip = models[model].chip;
    host->os = systems[system].os;
    host->kernel = systems[system].kernel;
    host->ram_bytes = (int64_t)models[model].gib << 30;
    host->managed_pages = host->ram_bytes / PAGE_BYTES * 962 / 1000;
    host->rows = rows ? rows : dice_between(dice, 150, 900);
    host->offset_minutes = offsets[dice_between(dice, 0, COUNT_OF(offsets) - 1)];
    host->unix_cs = (INT64_C(1767600000) + dice_between(dice, 0, 250000)) * 100;
    host->uuids = calloc((size_t)(DAEMONS + HELPERS + WORKERS), sizeof *host->uuids);
    if (!host->uuids)
        abort();
    for (int64_t i = 0; i < DAEMONS + HELPERS + WORKERS; i++)
        build_uuid(seed, 100 + i, system, host->uuids[i]);
    init_services(host, seed);
}

static void boot(struct host *host, FILE *truth)
{
    struct dice *dice = &host->dice;
    host_end(host, truth);
    host->boot++;
    host->reports_left = (int)dice_between(dice, 4, 14);
    host->unix_cs += dice_between(dice, 300, 18000) * 100;
    host->ticks = 0;
    host->next_pid = 80;
    host->compressions = dice_between(dice, 20000, 90000);
    host->decompressions = host->compressions / 4;
    for (int64_t i = 0; i < DAEMONS; i++) {
        struct process *p =
            add(host, daemons[i], host->uuids[i], dice_between(dice, 2, 40) * TICK_HZ);
        p->coalition = 10 + 2 * i;
    }
    for (int i = 0; i < SERVICES; i++)
        start_service(host, &host->services[i], dice_between(dice, 40, 90) * TICK_HZ);
    while ((int64_t)host->count < host->rows * 95 / 100)
        start_helper(host, dice_between(dice, 90, 500) * TICK_HZ);
}

/* Victims and some helpers are gone; a service may have been restarted; new ones came. */
static void turn_over(struct host *host, int64_t awake_s, FILE *truth)
{
    struct dice *dice = &host->dice;
    for (size_t i = host->count; i-- > (size_t)DAEMONS;) {
        struct process *p = &host->processes[i];
        const struct service *s = p->service;
        if (p->short_lived || (!s && dice_between(dice, 0, 199) == 0)) {
            end_process(host, i, truth);
        } else if (s && s->restarts && awake_s > 1200 && dice_chance(dice, 12)) {
            end_process(host, i, truth);
            start_service(host, s, host->ticks - dice_between(dice, 60, awake_s * 3 / 4) * TICK_HZ);
        }
    }
    while ((int64_t)host->count < host->rows * 95 / 100)
        start_helper(host, host->ticks - dice_between(dice, 0, awake_s * 1000) * (TICK_HZ / 1000));
}

/* Short-lived workers in the idle band; most of them are killed. */
static void add_workers(struct host *host)
{
    struct dice *dice = &host->dice;
    int64_t count = 2 + host->rows * dice_between(dice, 1, 6) / 100;
    for (int64_t i = 0; i < count; i++) {
        int64_t which = dice_between(dice, 0, WORKERS - 1);
        int64_t most = host->ticks / TICK_HZ < 600 ? host->ticks / TICK_HZ : 600;
        struct process *p =
            add(host, workers[which], host->uuids[DAEMONS + HELPERS + which],
                host->ticks - dice_between(dice, 100, most * 1000) * (TICK_HZ / 1000));
        p->short_lived = p->idle = true;
        p->priority = 0;
        p->base_pages = p->base_pages / 4 + 50;
        if (i && dice_chance(dice, 30))
            continue;
        p->kill_delta = dice_between(dice, 900, 900000) * 10 + i % 10;
        p->reason = reasons[dice_between(dice, 0, COUNT_OF(reasons) - 1)];
    }
}

void host_step(struct host *host, FILE *truth)
{
    static const int gaps_s[] = {6, 95, 700, 2400, 5400, 12000, 30000, 72000};
    struct dice *dice = &host->dice;
    bool new_boot = host->reports_left-- <= 0;
    if (new_boot) {
        boot(host, truth);
        host->reports_left--;
    }
    int64_t gap_cs = new_boot ? dice_between(dice, 60000, 900000)
                              : gaps_s[dice_between(dice, 0, COUNT_OF(gaps_s) - 1)] *
                                    dice_between(dice, 60, 140);
    int64_t asleep_s = gap_cs > 700000 && dice_chance(dice, 45)
                           ? gap_cs / 100 * dice_between(dice, 20, 70) / 100
                           : 0;
    int64_t awake_cs = gap_cs - asleep_s * 100;
    host->unix_cs += gap_cs;
    host->ticks += awake_cs * (TICK_HZ / 100);
    host->compressions += awake_cs / 100 * dice_between(dice, 15, 90) + 1;
    host->decompressions += awake_cs / 100 * dice_between(dice, 4, 20);
    if (!new_boot)
        turn_over(host, awake_cs / 100, truth);
    add_workers(host);
}
