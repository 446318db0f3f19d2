/* SPDX-License-Identifier: MIT
 *
 * Saved /proc files through the whole model: clocks of snapshots, who is who, restarts, page size,
 * the kernel's counting error, anonymous + swap, books and physical use.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/case.h"
#include "parsers/parser.h"

#define MOST_FILES 64
#define MINUTE_NS (60 * JA_NS_PER_S)
#define BOOT_S INT64_C(1790000000)
#define BOOT_ID "3f0e1c52-77aa-4d1b-9d3c-0a1b2c3d4e5f\n"

static struct ja_arena *arena;
static struct ja_input inputs[MOST_FILES];
static size_t input_count;
static struct ja_case *built;

static int set_up(void **state)
{
    (void)state;
    arena = ja_arena_new();
    input_count = 0;
    built = NULL;
    ja_parsers_prepare();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    ja_case_free(built);
    ja_arena_free(arena);
    return 0;
}

static void add(const char *path, const char *text)
{
    const char *slash = strrchr(path, '/');
    struct ja_file file = {
        .path = path,
        .name = slash ? slash + 1 : path,
        .text = text,
        .length = strlen(text),
        .mtime_ns = JA_UNKNOWN,
    };
    assert_true(input_count < MOST_FILES);
    inputs[input_count++] = (struct ja_input){
        .evidence = ja_parse_file(&file, NULL, JA_UNKNOWN, 100000),
        .size_bytes = (int64_t)strlen(text),
        .mtime_ns = JA_UNKNOWN,
    };
}

static void build(void)
{
    static struct ja_statements none;
    none = ja_statements_none();
    built = ja_case_build(inputs, input_count, &none, NULL);
}

static const char *path(const char *folder, const char *name)
{
    return ja_arena_print(arena, "%s/%s", folder, name);
}

/* kB: peak, resident, anonymous, swapped. */
static const char *status(const char *name, int pid, int hwm, int rss, int anon, int swap, int vol)
{
    return ja_arena_print(arena,
                          "Name:\t%s\nState:\tS (sleeping)\nTgid:\t%d\nPid:\t%d\nPPid:\t1\n"
                          "VmSize:\t%d kB\nVmHWM:\t%d kB\nVmRSS:\t%d kB\nRssAnon:\t%d kB\n"
                          "RssFile:\t%d kB\nRssShmem:\t0 kB\nVmSwap:\t%d kB\nThreads:\t2\n"
                          "voluntary_ctxt_switches:\t%d\n",
                          name, pid, pid, hwm + 4000, hwm, rss, anon, rss - anon, swap, vol);
}

static const char *stat(const char *name, int pid, int start_ticks, int cpu_ticks, int pages)
{
    return ja_arena_print(arena,
                          "%d (%s) S 1 %d %d 0 -1 4194304 1 0 0 0 %d 0 0 0 20 0 2 0 %d 1073741824 "
                          "%d 18446744073709551615 0 0\n",
                          pid, name, pid, pid, cpu_ticks, start_ticks, pages);
}

static const struct ja_process *process(const char *name, size_t nth)
{
    for (size_t i = 0; i < built->process_count; i++)
        if (strcmp(built->processes[i].name, name) == 0 && nth-- == 0)
            return &built->processes[i];
    return NULL;
}

static size_t count_named(const char *name)
{
    size_t count = 0;
    while (process(name, count))
        count++;
    return count;
}

static const struct ja_series *series(const char *name, size_t nth, enum ja_metric metric)
{
    const struct ja_process *p = process(name, nth);
    return p ? ja_process_series(built, (uint32_t)(p - built->processes), metric) : NULL;
}

static struct ja_point last_of(const struct ja_series *s)
{
    assert_non_null(s);
    return ja_last_point(s);
}

/* Folders without a time: uptime and btime date them, start ticks tell who is who. */
static void snapshots_without_a_stamp(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        const char *folder = ja_arena_print(arena, "snap%d", i);
        add(path(folder, "uptime"), ja_arena_print(arena, "%d.25 9999.00\n", 5000 + 600 * i));
        add(path(folder, "stat"), "cpu  1 2 3\ncpu0 1 2 3\nbtime 1790000000\n");
        add(path(folder, "sys/kernel/random/boot_id"), BOOT_ID);
        add(path(folder, "71/status"),
            status("mqd", 71, 90000 + i * 4000, 90000 + i * 4000, 80000 + i * 4000, 0, 100 + i));
        add(path(folder, "71/stat"), stat("mqd", 71, 12345, 100 + i * 50, 1));
    }
    build();
    assert_int_equal(built->host_count, 1);
    assert_int_equal(built->boot_count, 1);
    assert_int_equal(count_named("mqd"), 1);
    const struct ja_process *p = process("mqd", 0);
    assert_int_equal(p->link, JA_LINK_START_TIME);
    assert_int_equal(ja_process_started(p).unix_ns, BOOT_S * JA_NS_PER_S + 123450 * JA_NS_PER_MS);
    assert_int_equal(ja_process_started(p).late_ns - ja_process_started(p).early_ns,
                     2 * JA_NS_PER_S);
    const struct ja_series *s = series("mqd", 0, JA_METRIC_ANONYMOUS);
    assert_int_equal(s->point_count, 3);
    assert_int_equal(ja_first_point(s).at->unix_ns,
                     (BOOT_S + 5000) * JA_NS_PER_S + 250 * JA_NS_PER_MS);
    assert_int_equal(ja_point_at(s, 2).at->unix_ns - ja_first_point(s).at->unix_ns, 20 * MINUTE_NS);
    assert_int_equal(last_of(s).value, 88000 * JA_KIB);
    /* Field 24 of stat is the kernel's rough counter: no reading beside status. */
    assert_int_equal(last_of(series("mqd", 0, JA_METRIC_RESIDENT)).value, 98000 * JA_KIB);
}

static void add_status_at(int minute, const char *text)
{
    add(ja_arena_print(arena, "2026-10-20_09-%02d-00/71/status", minute), text);
}

/* Only status was kept: a peak that falls, or a count of switches, is another process. */
static void restarts_by_contradiction(void **state)
{
    (void)state;
    add_status_at(0, status("svc", 71, 100000, 100000, 95000, 0, 500));
    add_status_at(10, status("svc", 71, 140000, 140000, 135000, 0, 900));
    add_status_at(20, status("svc", 71, 90000, 90000, 85000, 0, 1000));
    add_status_at(30, status("svc", 71, 150000, 150000, 145000, 0, 30));
    add_status_at(40, status("svc", 71, 150000, 100000, 95000, 0, 31));
    build();
    assert_int_equal(count_named("svc"), 3);
    assert_int_equal(series("svc", 0, JA_METRIC_RESIDENT)->point_count, 2);
    assert_int_equal(series("svc", 1, JA_METRIC_RESIDENT)->point_count, 1);
    /* A resident size that falls below its peak is no restart. */
    assert_int_equal(series("svc", 2, JA_METRIC_RESIDENT)->point_count, 2);
}

/* statm and smaps_rollup follow status to the life that it is of, though they tell of none. */
static void files_beside_status_follow_it(void **state)
{
    (void)state;
    static const int resident[] = {100000, 140000, 90000, 95000};
    static const int switches[] = {500, 900, 30, 60};
    for (int i = 0; i < 4; i++) {
        const char *folder = ja_arena_print(arena, "20261020/09%02d00", i);
        add(path(folder, "71/status"),
            status("svc", 71, resident[i], resident[i], resident[i] - 5000, 0, switches[i]));
        add(path(folder, "71/statm"),
            ja_arena_print(arena, "60000 %d 1250 1 0 100 0\n", resident[i] / 4));
    }
    build();
    assert_int_equal(count_named("svc"), 2);
    assert_int_equal(series("svc", 0, JA_METRIC_RESIDENT)->point_count, 2);
    assert_int_equal(last_of(series("svc", 0, JA_METRIC_RESIDENT)).value, 140000 * JA_KIB);
    assert_int_equal(series("svc", 1, JA_METRIC_RESIDENT)->point_count, 2);
    assert_int_equal(ja_point_at(series("svc", 1, JA_METRIC_RESIDENT), 1).at->unix_ns -
                         ja_point_at(series("svc", 0, JA_METRIC_RESIDENT), 0).at->unix_ns,
                     3 * MINUTE_NS);
}

/* The folder tells the machine's page size: statm / 16 KiB is status. */
static void large_pages(void **state)
{
    (void)state;
    add("20261020T090000Z/71/status", status("arm", 71, 16000, 16000, 8000, 0, 1));
    add("20261020T090000Z/71/statm", "67108 1000 4 1 0 100 0\n");
    build();
    assert_int_equal(built->hosts[0].page_bytes, 16 * JA_KIB);
    const struct ja_series *s = series("arm", 0, JA_METRIC_RESIDENT);
    assert_int_equal(s->point_count, 1);
    assert_int_equal(ja_first_point(s).value, 16000 * JA_KIB);
    assert_int_equal(ja_first_point(s).resolution, 16 * JA_KIB);
    assert_true(built->twin_count > 0 && built->twins[0].agree);
}

/* 6.1 keeps up to 63 pages a thread back: the intervals are widened, smaps is exact. */
static void counting_error(void **state)
{
    (void)state;
    add("20261020T090000Z/version", "Linux version 6.1.0-21-amd64 (x@y) #1 SMP\n");
    add("20261020T090000Z/71/status", status("old", 71, 16000, 16000, 8000, 0, 1));
    add("20261020T091000Z/71/smaps_rollup",
        "00400000-ffffffffff601000 ---p 00000000 00:00 0                          [rollup]\n"
        "Rss:               17000 kB\nPss:               16500 kB\nPrivate_Dirty:      8400 kB\n"
        "Anonymous:          9000 kB\nSwap:                  0 kB\n");
    build();
    const struct ja_series *s = series("old", 0, JA_METRIC_ANONYMOUS);
    assert_int_equal(s->point_count, 2);
    assert_int_equal(ja_first_point(s).low, (8000 - 2 * 252) * JA_KIB);
    assert_int_equal(ja_first_point(s).high, (8000 + 2 * 252) * JA_KIB);
    assert_int_equal(ja_first_point(s).resolution, 4 * JA_KIB);
    assert_int_equal(ja_point_at(s, 1).low, 9000 * JA_KIB);
    assert_int_equal(ja_point_at(s, 1).high, 9000 * JA_KIB);
}

/* RSS falls, swap rises by the same: nothing was freed. Books and physical use of the moments. */
static void swap_and_books(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        const char *folder = ja_arena_print(arena, "20261020T09%02d00Z", i * 10);
        int out = i * 20000;
        add(path(folder, "71/status"),
            status("idle", 71, 90000, 90000 - out, 80000 - out, out, 100 + i));
        add(path(folder, "72/status"), status("busy", 72, 50000, 50000, 40000, 0, 100 + i));
        add(path(folder, "meminfo"),
            "MemTotal:  400000 kB\nMemFree:  100000 kB\nMemAvailable:  150000 kB\n"
            "AnonPages: 120000 kB\nSwapTotal: 100000 kB\nSwapFree: 40000 kB\n");
        add(path(folder, "sys/block/zram0/mm_stat"),
            "61440000 9000000 9437184 0 9437184 0 0 0 0\n");
    }
    build();
    const struct ja_series *s = series("idle", 0, JA_METRIC_ANON_SWAP);
    assert_int_equal(s->point_count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(ja_point_at(s, i).value, 80000 * JA_KIB);
    /* Without a page in swap the sum would be the anonymous series again. */
    assert_null(series("busy", 0, JA_METRIC_ANON_SWAP));
    assert_int_equal(built->state_count, 3);
    const struct ja_state *first = &built->states[0];
    assert_int_equal(first->books.metric, JA_METRIC_RESIDENT);
    assert_int_equal(first->books.sum_bytes, 140000 * JA_KIB);
    assert_int_equal(first->books.processes, 2);
    assert_int_equal(first->figures[JA_FIGURE_USED], 250000 * JA_KIB);
    assert_int_equal(first->used_with_cache_bytes, 300000 * JA_KIB);
    assert_int_equal(first->figures[JA_FIGURE_SWAP_USED], 60000 * JA_KIB);
    assert_int_equal(first->figures[JA_FIGURE_COMPRESSOR], 9437184);
    assert_int_equal(first->figures[JA_FIGURE_UNCOMPRESSED], 61440000);
}

/* Two stat files of one pid with two starts (folders thrown together): whose the status is cannot
 * be told, so that it takes the start of neither. */
static void two_starts_of_one_pid(void **state)
{
    (void)state;
    for (int two = 0; two < 2; two++) {
        input_count = 0;
        add("thrown/0001-stat", stat("svc", 71, 12345, 100, 1));
        if (two)
            add("thrown/0002-stat", stat("svc", 71, 99345, 100, 1));
        add("thrown/0003-status", status("svc", 71, 50000, 50000, 40000, 0, 1));
        build();
        const struct ja_evidence *last = inputs[input_count - 1].evidence;
        assert_int_equal(last->subject_count, 1);
        assert_int_equal(last->subjects[0].more->start_ticks, two ? JA_UNKNOWN : 12345);
        assert_true(!process("svc", 1) == !two);
        ja_case_free(built);
    }
    built = NULL;
}

/* The host and each group of a snapshot are states of their own. */
static void groups_of_a_snapshot(void **state)
{
    (void)state;
    add("20261020T090000Z/71/status", status("svc", 71, 50000, 50000, 40000, 0, 1));
    add("20261020T090000Z/cgroup/box/memory.current", "67108864\n");
    add("20261020T090000Z/cgroup/box/memory.max", "max\n");
    add("20261020T090000Z/cgroup/box/memory.stat",
        "anon 33554432\nfile 16777216\nkernel 4194304\npagetables 4096\nslab 4096\n");
    add("20261020T090000Z/meminfo",
        "MemTotal:  400000 kB\nMemFree:  100000 kB\nMemAvailable:  150000 kB\n");
    build();
    assert_int_equal(built->state_count, 2);
    assert_null(built->states[0].of);
    assert_int_equal(built->states[0].books.processes, 1);
    assert_int_equal(built->states[0].figures[JA_FIGURE_USED], 250000 * JA_KIB);
    assert_string_equal(built->states[1].of, "/box");
    assert_int_equal(built->states[1].figures[JA_FIGURE_USED], 67108864 - 16777216);
    assert_int_equal(built->states[1].figures[JA_FIGURE_CGROUP_LIMIT], JA_UNKNOWN);
    const struct ja_series *s = series("/box", 0, JA_METRIC_CGROUP_CURRENT);
    assert_int_equal(last_of(s).value, 67108864);
}

/* One control group every ten minutes: usage and its parts in MiB, kills counted so far. */
static void add_group(int i, int usage, int anon, int file, int shmem, int kills)
{
    const char *folder = ja_arena_print(arena, "20261020T09%d000Z/cgroup/box", i);
    add(path(folder, "memory.current"), ja_arena_print(arena, "%d\n", usage << 20));
    add(path(folder, "memory.max"), "134221824\n"); /* 128 MiB and a page */
    add(path(folder, "memory.stat"),
        ja_arena_print(arena, "anon %d\nfile %d\nshmem %d\nkernel 4096\nslab 4096\n", anon << 20,
                       file << 20, shmem << 20));
    add(path(folder, "memory.events"), ja_arena_print(arena, "max 9\noom_kill %d\n", kills));
}

static const struct ja_finding *finding(const char *rule, int metric)
{
    for (size_t i = 0; i < built->finding_count; i++)
        if (strcmp(built->findings[i].rule, rule) == 0 &&
            (metric < 0 || built->findings[i].metric == metric))
            return &built->findings[i];
    return NULL;
}

/* Growth that stands in a group's file pages is a cache; shared memory among them is none. */
static void file_pages_of_a_group(void **state)
{
    (void)state;
    for (int shmem = 0; shmem < 2; shmem++) {
        input_count = 0;
        for (int i = 0; i < 6; i++)
            add_group(i, 40 + 10 * i, 30, 10 + 10 * i, shmem * 10 * i, 0);
        build();
        const struct ja_finding *f = finding("growing", JA_METRIC_CGROUP_CURRENT);
        assert_non_null(f);
        assert_int_equal(f->severity == JA_REMARK, shmem == 0);
        assert_int_equal(finding("file_cache_growth", -1) != NULL, shmem == 0);
        ja_case_free(built);
    }
    built = NULL;
}

/* A group is never seen above its limit: a page below it stands at it. The counter proves kills. */
static void a_group_at_its_limit(void **state)
{
    (void)state;
    static const int usage[] = {60, 90, 128, 128, 128, 128};
    for (int i = 0; i < 6; i++)
        add_group(i, usage[i], usage[i] - 10, 10, 0, i / 4 * 3);
    build();
    const struct ja_finding *f = finding("plateau_at_cap", JA_METRIC_CGROUP_CURRENT);
    assert_non_null(f);
    assert_int_equal(f->grade, JA_CONFIRMED);
    f = finding("kills_counted", -1);
    assert_non_null(f);
    assert_int_equal(f->numbers[0].whole, 3);
}

/* A copied folder without any time: its files are one moment, each figure once. */
static void one_undated_folder(void **state)
{
    (void)state;
    add("dump/71/status", status("svc", 71, 50000, 50000, 40000, 8, 1));
    add("dump/71/statm", "13500 12500 2500 1 0 100 0\n");
    build();
    const struct ja_process *p = process("svc", 0);
    size_t resident = 0, anon_swap = 0;
    for (uint32_t i = p->first_series; i < p->first_series + p->series_count; i++) {
        resident += built->series[i].metric == JA_METRIC_RESIDENT;
        anon_swap += built->series[i].metric == JA_METRIC_ANON_SWAP;
        assert_int_equal(built->series[i].point_count, 1);
        assert_null(ja_first_point(&built->series[i]).at);
    }
    assert_int_equal(resident, 1);
    assert_int_equal(anon_swap, 1);
}

/* The archive's date file dates all of it, ps too; two archives are two machines. */
static void sosreports(void **state)
{
    (void)state;
    static const char ps[] =
        "USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND\n"
        "root         900  0.1  4.4 950000 90000 ?        Ssl  Sep20   1:02 /usr/bin/mqd\n";
    for (int i = 1; i < 3; i++) {
        const char *root = ja_arena_print(arena, "sosreport-web%d-2026-09-2%d-abcd", i, i);
        add(path(root, "proc/900/status"), status("mqd", 900, 90000, 90000, 80000, 0, 1));
        add(path(root, "sos_commands/date/date"),
            ja_arena_print(arena, "Mon Sep 2%d 07:41:10 UTC 2026\n", i));
        add(path(root, "sos_commands/process/ps_aux"), ps);
    }
    build();
    assert_int_equal(built->host_count, 2);
    assert_string_equal(built->hosts[0].label, "web1");
    assert_int_equal(count_named("mqd"), 2);
    const struct ja_series *s = series("mqd", 0, JA_METRIC_RESIDENT);
    assert_int_equal(s->point_count, 1);
    int64_t unix_s;
    assert_true(ja_civil_to_unix(2026, 9, 21, 7, 41, 10, &unix_s));
    assert_int_equal(ja_first_point(s).at->unix_ns, unix_s * JA_NS_PER_S);
    /* Collecting takes minutes. */
    assert_true(ja_first_point(s).at->late_ns - ja_first_point(s).at->unix_ns >= 5 * MINUTE_NS);
}

/* Rounds of an undated loop keep their order; a failed one begins another process. */
static void loops(void **state)
{
    (void)state;
    add("watch.log", "VmRSS:\t 100000 kB\nVmRSS:\t 110000 kB\n"
                     "grep: /proc//status: No such file or directory\nVmRSS:\t 40000 kB\n");
    build();
    assert_int_equal(count_named("watch"), 2);
    size_t undated = 0;
    for (size_t i = 0; i < built->series_count; i++)
        undated += !built->series[i].dated;
    assert_int_equal(undated, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(snapshots_without_a_stamp, set_up, tear_down),
        cmocka_unit_test_setup_teardown(restarts_by_contradiction, set_up, tear_down),
        cmocka_unit_test_setup_teardown(files_beside_status_follow_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(large_pages, set_up, tear_down),
        cmocka_unit_test_setup_teardown(counting_error, set_up, tear_down),
        cmocka_unit_test_setup_teardown(swap_and_books, set_up, tear_down),
        cmocka_unit_test_setup_teardown(two_starts_of_one_pid, set_up, tear_down),
        cmocka_unit_test_setup_teardown(groups_of_a_snapshot, set_up, tear_down),
        cmocka_unit_test_setup_teardown(file_pages_of_a_group, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_group_at_its_limit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_undated_folder, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sosreports, set_up, tear_down),
        cmocka_unit_test_setup_teardown(loops, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
