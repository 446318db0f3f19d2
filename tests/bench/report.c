/* SPDX-License-Identifier: MIT
 *
 * A JetsamEvent report (bug_type 298) as macOS 15 and 26 write it: a header line, then one body
 * with its own way of indenting. Snapshot = date - timeDelta.
 */
#include "tests/bench/world.h"

struct totals {
    int64_t rows, killed, live_pages, all_pages, largest_pages;
    const char *largest;
};

/* After Howard Hinnant's civil_from_days, for days after 1970. */
struct moment moment_of(int64_t unix_cs, int offset_minutes)
{
    int64_t cs = unix_cs + (int64_t)offset_minutes * 6000, day = cs / 8640000 + 719468;
    int64_t era = day / 146097, of_era = day % 146097, of_day = cs % 8640000;
    int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    int64_t march = (5 * of_year + 2) / 153;
    int month = (int)(march < 10 ? march + 3 : march - 9);
    return (struct moment){
        .year = (int)(year + era * 400 + (month <= 2)),
        .month = month,
        .day = (int)(of_year - (153 * march + 2) / 5 + 1),
        .hour = (int)(of_day / 360000),
        .minute = (int)(of_day / 6000 % 60),
        .second = (int)(of_day / 100 % 60),
        .centisecond = (int)(of_day % 100),
    };
}

void report_name(const struct host *host, char *name, size_t size)
{
    struct moment m = moment_of(host->unix_cs, host->offset_minutes);
    snprintf(name, size, "JetsamEvent-%04d-%02d-%02d-%02d%02d%02d.ips", m.year, m.month, m.day,
             m.hour, m.minute, m.second);
}

/* "2026-01-05 08:15:00.12 +0100"; whole: the header's form, always .00 */
static void print_date(const struct host *host, int64_t unix_cs, bool whole, char *text,
                       size_t size)
{
    struct moment m = moment_of(unix_cs, host->offset_minutes);
    int offset = host->offset_minutes, positive = offset < 0 ? -offset : offset;
    snprintf(text, size, "%04d-%02d-%02d %02d:%02d:%02d.%02d %c%02d%02d", m.year, m.month, m.day,
             m.hour, m.minute, m.second, whole ? 0 : m.centisecond, offset < 0 ? '-' : '+',
             positive / 60, positive % 60);
}

static void put_whole(FILE *out, const char *key, int64_t value)
{
    fprintf(out, "    \"%s\" : %lld,\n", key, (long long)value);
}

static void put_states(FILE *out, const struct process *p)
{
    fprintf(out, "  {\n    \"uuid\" : \"%s\",\n    \"states\" : [\n      \"%s\"", p->uuid,
            p->idle || p->service || p->priority > 40 ? "daemon" : "active");
    fprintf(out, "%s\n    ],\n", p->idle ? ",\n      \"idle\"" : "");
}

static void put_row(const struct host *host, struct process *p, int64_t pages, FILE *out)
{
    int64_t age = host->ticks - p->start_ticks, packed = pages * (p->pid % 70 + 10) / 100;
    int64_t cpu_us = age / (TICK_HZ / 1000) * p->cpu_ppm / 1000 + 1200;
    int64_t peak = p->service ? pages : pages + pages / 40 + p->pid % 9;
    if (peak > p->peak_pages)
        p->peak_pages = peak;
    put_states(out, p);
    if (p->reason) {
        put_whole(out, "killDelta", p->kill_delta);
        put_whole(out, "genCount", 0);
    }
    put_whole(out, "csFlags", 570434305);
    put_whole(out, "purgeable", p->pid % 5 ? 0 : 16);
    put_whole(out, "age", age);
    put_whole(out, "fds", p->fds);
    put_whole(out, "coalition", p->coalition);
    put_whole(out, "csTrustLevel", 8);
    put_whole(out, "rpages", pages);
    put_whole(out, "priority", p->priority);
    if (p->reason)
        fprintf(out, "    \"reason\" : \"%s\",\n", p->reason);
    put_whole(out, "mem_regions", p->regions);
    fprintf(out,
            "    \"physicalPages\" : {\n      \"internal\" : [\n        %lld,\n        %lld\n"
            "      ]\n    },\n    \"freeze_skip_reason:\" : \"none\",\n",
            (long long)(pages - packed), (long long)packed);
    put_whole(out, "pid", p->pid);
    if (p->idle)
        put_whole(out, "idleDelta", age / 2);
    fprintf(out,
            "    \"cpuTime\" : %.17g,\n    \"name\" : \"%s\",\n    \"lifetimeMax\" : %lld\n  }",
            (double)cpu_us / 1e6, p->name, (long long)p->peak_pages);
}

static void take_row(struct host *host, struct process *p, int64_t pages, struct totals *totals,
                     FILE *out)
{
    if (totals->rows++)
        fputs(",\n", out);
    put_row(host, p, pages, out);
    totals->killed += p->reason != NULL;
    totals->all_pages += pages;
    totals->live_pages += p->reason ? 0 : pages;
}

/* Of the rows; the caller's array holds what every process has now. */
static void find_largest(struct host *host, int64_t *pages, struct totals *totals)
{
    for (size_t i = 0; i < host->count; i++) {
        pages[i] = host_pages(host, &host->processes[i]);
        if (pages[i] <= totals->largest_pages)
            continue;
        totals->largest_pages = pages[i];
        totals->largest = host->processes[i].name;
    }
}

/* Returns the pages in physical use: anonymous + wired + compressor. */
static int64_t put_status(struct host *host, FILE *out)
{
    int64_t managed = host->managed_pages, hours = host->ticks / TICK_HZ / 3600;
    int64_t packed = managed * (12 + (hours < 40 ? hours : 40)) / 100, wired = managed * 13 / 100;
    int64_t speculative = dice_between(&host->dice, 200, 2000);
    int64_t pure_free = dice_between(&host->dice, 2000, 30000);
    int64_t backed = managed * dice_between(&host->dice, 5, 11) / 100;
    int64_t anonymous = managed - packed - wired - pure_free - backed;
    int64_t listed = anonymous + backed - speculative, active = listed * 52 / 100;
    fprintf(out, "  \"memoryStatus\" : {\n  \"compressorSize\" : %lld,\n", (long long)packed);
    fprintf(out, "  \"compressions\" : %lld,\n", (long long)host->compressions);
    fprintf(out, "  \"decompressions\" : %lld,\n", (long long)host->decompressions);
    fprintf(out, "  \"zoneMapCap\" : %lld,\n", (long long)(host->ram_bytes / 3));
    fputs("  \"largestZone\" : \"APFS_4K_OBJS\",\n  \"largestZoneSize\" : 40173568,\n", out);
    fprintf(out, "  \"pageSize\" : %d,\n  \"uncompressed\" : %lld,\n", PAGE_BYTES,
            (long long)packed * 2);
    fputs("  \"zoneMapSize\" : 2147483648,\n  \"memoryPages\" : {\n", out);
    put_whole(out, "active", active);
    put_whole(out, "throttled", 0);
    put_whole(out, "fileBacked", backed);
    put_whole(out, "wired", wired);
    put_whole(out, "anonymous", anonymous);
    put_whole(out, "purgeable", dice_between(&host->dice, 0, 9000));
    put_whole(out, "inactive", listed - active);
    put_whole(out, "free", pure_free + speculative);
    fprintf(out, "    \"speculative\" : %lld\n  }\n},\n", (long long)speculative);
    return anonymous + wired + packed;
}

static void put_head(struct host *host, FILE *out)
{
    int64_t delta_cs = dice_between(&host->dice, 0, 90);
    int incident = (int)dice_between(&host->dice, 0, 0x7fffffff);
    char date[64], stamp[64];
    print_date(host, host->unix_cs + delta_cs, false, date, sizeof date);
    print_date(host, host->unix_cs + delta_cs, true, stamp, sizeof stamp);
    fprintf(out,
            "{\"bug_type\":\"298\",\"timestamp\":\"%s\",\"os_version\":\"%s\",\"roots_installed\":"
            "0,\"incident_id\":\"%08X-0000-4000-8000-%012llX\"}\n{\n",
            stamp, host->os, (unsigned)incident, (unsigned long long)host->unix_cs);
    fprintf(out, "  \"build\" : \"%s\",\n  \"product\" : \"%s\",\n", host->os, host->model);
    fprintf(out, "  \"kernel\" : \"%s\\/RELEASE_ARM64_%s\",\n", host->kernel, host->chip);
    fprintf(out, "  \"incident\" : \"%08X-0000-4000-8000-%012llX\",\n", (unsigned)incident,
            (unsigned long long)host->unix_cs);
    fprintf(out, "  \"crashReporterKey\" : \"%s\",\n  \"date\" : \"%s\",\n", host->device, date);
    fprintf(out,
            "  \"codeSigningMonitor\" : 2,\n  \"bug_type\" : \"298\",\n  \"timeDelta\" : %lld,\n",
            (long long)delta_cs * 10);
}

void report_print(struct host *host, FILE *out, FILE *truth, const char *path)
{
    int64_t hours = host->ticks / TICK_HZ / 3600, *pages = host->pages;
    struct totals totals = {0};
    struct process launchd = {.name = "launchd", .uuid = host->uuids[0], .pid = 1};
    struct process kernel = {.name = "kernel_task", .uuid = host->uuids[1], .start_ticks = -2400};
    launchd.priority = kernel.priority = 999;
    launchd.coalition = 2;
    kernel.coalition = 1;
    launchd.cpu_ppm = kernel.cpu_ppm = 900;
    launchd.fds = kernel.fds = 200;
    find_largest(host, pages, &totals);
    put_head(host, out);
    int64_t used = put_status(host, out);
    fprintf(out, "  \"largestProcess\" : \"%s\",\n  \"genCounter\" : 1,\n  \"processes\" : [\n",
            totals.largest);
    for (int idle = 1; idle >= 0; idle--) /* the idle band comes first */
        for (size_t i = 0; i < host->count; i++)
            if (host->processes[i].short_lived == (idle == 1))
                take_row(host, &host->processes[i], pages[i], &totals, out);
    take_row(host, &launchd, 1300 + hours, &totals, out);
    take_row(host, &kernel, 60 + hours, &totals, out);
    fputs("\n]\n}\n", out);
    fprintf(truth, "report\t%s\t%d\t%lld\t%lld\t%lld\t%lld\n", path, host->boot,
            (long long)totals.rows, (long long)totals.killed,
            (long long)totals.live_pages * PAGE_BYTES, (long long)used * PAGE_BYTES);
}
