/* SPDX-License-Identifier: MIT
 *
 * Makes evidence for benchmarks and load tests: true in format, invented in content, and the same
 * bytes for the same arguments.
 *
 *   bench_generate reports DIR [HOSTS [REPORTS [ROWS [SEED]]]] >truth.tsv
 *     DIR/host-0001/JetsamEvent-*.ips ...: REPORTS of each host, about ROWS rows each (0, the
 *     default: each host has its own number, 150 to 900, which makes 80 to 500 KB a report).
 *     Lines on stdout, by their first field:
 *       report  path boot rows killed sum_bytes used_bytes    (sum: of the rows not killed)
 *       life    host boot name pid shape points first_bytes last_bytes bytes_per_awake_hour uuid
 *       host    host boots reports
 *   bench_generate lines READINGS [SEED] >one.ndjson
 *     One process, read once a minute: readings alone (jetsam-audit-ndjson/1), 300 bytes each.
 *   bench_generate rows READINGS [SEED] >one.ndjson
 *     The same as --ndjson writes it for the dumps of a monitor: a record, a row, a reading.
 */
#include "tests/bench/world.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int complain(const char *what)
{
    fprintf(stderr, "bench_generate: %s: %s\n", what, strerror(errno));
    return 1;
}

/* ---- reports --------------------------------------------------------------------------------- */

static int make_report(struct host *host, const char *root)
{
    char path[4096], name[128], shown[256];
    report_name(host, name, sizeof name);
    snprintf(shown, sizeof shown, "%s/%s", host->name, name);
    snprintf(path, sizeof path, "%s/%s", root, shown);
    FILE *out = fopen(path, "wbx");
    if (!out)
        return complain(path);
    report_print(host, out, stdout, shown);
    return fclose(out) == 0 ? 0 : complain(path);
}

static int make_host(const char *root, uint64_t seed, int number, int64_t reports, int64_t rows)
{
    struct host host;
    char path[4096];
    host_init(&host, seed, number, rows);
    snprintf(path, sizeof path, "%s/%s", root, host.name);
    if (mkdir(path, 0777) != 0)
        return complain(path);
    int status = 0;
    for (int64_t i = 0; i < reports && status == 0; i++) {
        host_step(&host, stdout);
        status = make_report(&host, root);
    }
    host_end(&host, stdout);
    printf("host\t%s\t%d\t%lld\n", host.name, host.boot, (long long)reports);
    host_done(&host);
    return status;
}

static int make_reports(const char *root, const int64_t *numbers)
{
    if (mkdir(root, 0777) != 0 && errno != EEXIST)
        return complain(root);
    for (int number = 1; number <= numbers[0]; number++)
        if (make_host(root, (uint64_t)numbers[3], number, numbers[1], numbers[2]) != 0)
            return 1;
    return fflush(stdout) == 0 ? 0 : complain("standard output");
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void print_when(const char *key, int64_t unix_cs)
{
    struct moment m = moment_of(unix_cs, 0);
    printf(",\"%s\":\"%04d-%02d-%02dT%02d:%02d:%02d.%03dZ\"", key, m.year, m.month, m.day, m.hour,
           m.minute, m.second, m.centisecond * 10);
}

#define WHO "\"host\":\"mac-7\",\"boot\":\"b1\",\"name\":\"vectord\",\"pid\":731"
#define SOURCE "\"source\":\"monitor/vectord.ndjson\""

static void print_rows(int64_t index, int64_t unix_cs)
{
    printf("{\"type\":\"record\",\"host\":\"mac-7\",\"boot\":\"b1\"," SOURCE ",\"record\":%lld,"
           "\"kind\":\"footprint\"",
           (long long)index);
    print_when("at", unix_cs);
    printf(",\"line\":%lld}\n{\"type\":\"row\"," WHO ",\"started\":null," SOURCE
           ",\"record\":%lld,\"row\":%lld,\"line\":%lld}\n",
           (long long)index + 1, (long long)index, (long long)index, (long long)index + 1);
}

static void print_reading(int64_t index, int64_t unix_cs, int64_t pages, bool rows)
{
    printf("{\"type\":\"reading\"," WHO);
    if (rows)
        printf(",\"started\":null," SOURCE ",\"record\":%lld,\"row\":%lld", (long long)index,
               (long long)index);
    else
        print_when("started", 176760000000);
    printf(",\"metric\":\"phys_footprint\",\"category\":null");
    print_when("at", unix_cs);
    printf(",\"value_bytes\":%lld,\"resolution_bytes\":%d,\"rounding\":\"down\"",
           (long long)pages * PAGE_BYTES, PAGE_BYTES);
    if (rows)
        printf(",\"unit\":\"pages\",\"line\":%lld}\n", (long long)index + 1);
    else
        printf("," SOURCE ",\"place\":\"/processes/12/rpages\",\"raw\":\"%lld\"}\n",
               (long long)pages);
}

/* Two years of a process that grows a page in five minutes or so, under noise. */
static int make_lines(int64_t readings, uint64_t seed, bool rows)
{
    struct dice dice = {seed};
    printf("{\"type\":\"header\",\"schema\":\"jetsam-audit-ndjson/1\"}\n");
    if (rows)
        printf("{\"type\":\"source\",\"host\":\"mac-7\",\"path\":\"monitor/vectord.ndjson\","
               "\"sha256\":null,\"size_bytes\":null,\"kind\":\"footprint\",\"also\":[],\"status\":"
               "\"used\",\"readings\":%lld,\"diagnostics\":[]}\n",
               (long long)readings);
    for (int64_t i = 0; i < readings; i++) {
        int64_t unix_cs = 176760100000 + i * 6000 + dice_between(&dice, 0, 90);
        int64_t pages = 60000 + i / 5 + dice_between(&dice, 0, 120);
        if (rows)
            print_rows(i, unix_cs);
        print_reading(i, unix_cs, pages, rows);
    }
    return fflush(stdout) == 0 ? 0 : complain("standard output");
}

/* ---- command line ---------------------------------------------------------------------------- */

static int usage(void)
{
    fputs("usage: bench_generate reports DIR [HOSTS [REPORTS [ROWS [SEED]]]]\n"
          "       bench_generate lines|rows READINGS [SEED]\n",
          stderr);
    return 2;
}

/* Whole numbers below a thousand million. */
static bool read_number(const char *text, int64_t *ret_number)
{
    int64_t number = 0;
    if (!*text || strlen(text) > 9)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return false;
        number = number * 10 + (*text - '0');
    }
    *ret_number = number;
    return true;
}

int main(int argc, char **argv)
{
    int64_t numbers[4] = {4, 20, 0, 1};
    bool reports = argc > 2 && strcmp(argv[1], "reports") == 0;
    bool lines = argc > 2 && strcmp(argv[1], "lines") == 0;
    bool rows = argc > 2 && strcmp(argv[1], "rows") == 0;
    int first = reports ? 3 : 2;
    if (!reports && !lines && !rows)
        return usage();
    if (!reports)
        numbers[1] = 1;
    if (argc - first > (reports ? 4 : 2))
        return usage();
    for (int i = first; i < argc; i++)
        if (!read_number(argv[i], &numbers[i - first]))
            return usage();
    return reports ? make_reports(argv[2], numbers)
                   : make_lines(numbers[0], (uint64_t)numbers[1], rows);
}
