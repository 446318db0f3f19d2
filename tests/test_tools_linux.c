/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/parse_fixture.h"

#define KIB 1024

static const struct ja_stamp *stamp_of(const struct ja_evidence *evidence, uint32_t subject)
{
    return &evidence->stamps[evidence->records[evidence->subjects[subject].record].stamp];
}

static void assert_clock(const struct ja_stamp *stamp, int year, int month, int day, int hour,
                         int minute, int second)
{
    assert_int_equal(stamp->year, year);
    assert_int_equal(stamp->month, month);
    assert_int_equal(stamp->day, day);
    assert_int_equal(stamp->hour, hour);
    assert_int_equal(stamp->minute, minute);
    assert_int_equal(stamp->second, second);
}

static void assert_size(const struct ja_evidence *evidence, uint32_t subject, enum ja_metric metric,
                        int64_t value, int64_t resolution)
{
    const struct ja_reading *reading = reading_of(evidence, subject, metric);
    assert_non_null(reading);
    assert_int_equal(reading->value, value);
    assert_int_equal(reading->resolution, resolution);
}

static int64_t figure(const struct ja_evidence *evidence, size_t record, enum ja_figure which)
{
    return ja_get_figure(&evidence->records[record], which);
}

static void pidstat_over_midnight(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("pidstat/iso-h.txt");
    assert_int_equal(e->kind, JA_KIND_PIDSTAT);
    assert_string_equal(e->systems[0].host_name, "quay");
    assert_string_equal(e->systems[0].kernel, "6.1.0-18-amd64");
    assert_int_equal(e->systems[0].cores, 4);
    assert_int_equal(e->subject_count, 3);
    uint32_t first = subject_named(e, "indexer", 0), second = subject_named(e, "indexer", 1);
    assert_size(e, first, JA_METRIC_RESIDENT, 53588 * KIB, KIB);
    assert_size(e, second, JA_METRIC_RESIDENT, 84308 * KIB, KIB);
    assert_clock(stamp_of(e, first), 2026, 3, 31, 23, 59, 30);
    assert_clock(stamp_of(e, second), 2026, 4, 1, 0, 0, 30); /* the day moved on */
    assert_int_equal(e->subjects[subject_named(e, "Web Content", 0)].pid, 4300);
    assert_int_equal(e->record_count, 2);
    ja_evidence_free(e);
}

static void pidstat_clocks(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("pidstat/us-clock.txt");
    assert_int_equal(e->reading_count, 2); /* the average is no reading */
    assert_clock(stamp_of(e, subject_named(e, "server", 0)), 2026, 3, 31, 23, 58, 35);
    assert_clock(stamp_of(e, subject_named(e, "server", 1)), 2026, 3, 31, 23, 58, 40);
    ja_evidence_free(e);

    e = parse_fixture("pidstat/human-chinese.txt");
    assert_int_equal(e->reading_count, 1);
    uint32_t agent = subject_named(e, "agent", 0);
    assert_size(e, agent, JA_METRIC_RESIDENT, 29255270, 104858);
    assert_clock(stamp_of(e, agent), 2026, 3, 31, 19, 6, 9);
    ja_evidence_free(e);
}

static void pidstat_threads(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("pidstat/threads-and-cpu.txt");
    assert_int_equal(e->reading_count, 1); /* no thread row, no CPU table, no broken row */
    assert_int_equal(e->subjects[subject_named(e, "indexer", 0)].pid, 4242);
    assert_true(diagnosed(e, "bad-row"));
    ja_evidence_free(e);
}

static void top_scaled(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("top_linux/scaled-with-date.txt");
    assert_true(ja_has_kind(e, JA_KIND_TOP_LOG));
    assert_int_equal(e->record_count, 2);
    uint32_t search = subject_named(e, "search engine", 0);
    assert_size(e, search, JA_METRIC_RESIDENT, 1288490189, 107374183);
    assert_string_equal(reading_of(e, search, JA_METRIC_RESIDENT)->printed, "1.2g");
    assert_clock(stamp_of(e, search), 2026, 3, 31, 23, 50, 1);
    assert_int_equal(stamp_of(e, search)->unix_ns, INT64_C(1774993801) * JA_NS_PER_S);
    assert_int_equal(e->subjects[search].cpu_ns, INT64_C(720110) * JA_NS_PER_MS);
    uint32_t later = subject_named(e, "search engine", 1);
    assert_size(e, later, JA_METRIC_RESIDENT, 1395864371, 107374183); /* decimal comma */
    assert_clock(stamp_of(e, later), 2026, 4, 1, 0, 0, 1);            /* the day moved on */
    uint32_t journal = subject_named(e, "systemd-journ", 0);
    assert_true(e->subjects[journal].name_cut);
    assert_size(e, journal, JA_METRIC_RESIDENT, 104018739, 104858);
    assert_size(e, subject_named(e, "systemd", 0), JA_METRIC_RESIDENT, 9000 * KIB, KIB);
    assert_true(e->records[0].census &&
                e->records[0].complete); /* three rows of three, with pid 1 */
    assert_false(e->records[1].census);
    assert_int_equal(figure(e, 0, JA_FIGURE_MANAGED), INT64_C(8192000000));
    assert_int_equal(figure(e, 0, JA_FIGURE_SWAP_USED), 24 * JA_MIB);
    assert_int_equal(figure(e, 0, JA_FIGURE_MEM_AVAILABLE), 3000 * JA_MIB);
    assert_int_equal(figure(e, 1, JA_FIGURE_MEM_FREE), 2000 * JA_MIB);
    assert_int_equal(fact_of(e, JA_FACT_UPTIME_S)->value, 3 * 86400 + 2 * 3600 + 11 * 60);
    assert_true(diagnosed(e, "bad-row"));
    ja_evidence_free(e);
}

static void top_other_forms(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("top_linux/old-kib-arguments.txt");
    uint32_t java = subject_named(e, "java", 0);
    assert_size(e, java, JA_METRIC_RESIDENT, 1181116006, 107374183);
    assert_string_equal(e->subjects[java].more->command,
                        "/usr/bin/java -Xmx1024m -jar /srv/app.jar");
    assert_int_equal(fact_of(e, JA_FACT_LIMIT)->value, JA_GIB);
    assert_int_equal(e->subjects[subject_named(e, "kworker/0:1", 0)].pid, 15);
    assert_int_equal(figure(e, 0, JA_FIGURE_MANAGED), INT64_C(8167848) * KIB);
    assert_int_equal(figure(e, 0, JA_FIGURE_SWAP_USED), 1024 * KIB);
    assert_int_equal(e->stamps[e->records[0].stamp].parts, JA_STAMP_TIME); /* no date anywhere */
    ja_evidence_free(e);

    e = parse_fixture("top_linux/busybox.txt");
    uint32_t cache = subject_named(e, "cache", 0);
    assert_size(e, cache, JA_METRIC_VIRTUAL, 54408 * KIB, KIB);
    assert_null(reading_of(e, cache, JA_METRIC_RESIDENT));
    assert_int_equal(e->subjects[subject_named(e, "init", 0)].pid, 1);
    ja_evidence_free(e);

    e = parse_fixture("top_linux/threads.txt");
    assert_int_equal(e->reading_count, 0);
    assert_true(diagnosed(e, "thread-rows"));
    ja_evidence_free(e);
}

static void atop_rows(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("atop/prm-prg-mem.txt");
    assert_int_equal(e->kind, JA_KIND_ATOP);
    assert_string_equal(e->systems[0].host_name, "quay");
    assert_int_equal(e->systems[0].page_bytes, 4096);
    assert_int_equal(e->record_count, 2);
    assert_true(e->records[0].census);
    assert_false(e->records[1].census); /* pid 1 has no row */
    assert_int_equal(figure(e, 0, JA_FIGURE_MANAGED), INT64_C(1000000) * 4096);
    assert_int_equal(figure(e, 0, JA_FIGURE_MEM_FREE), 200000 * 4096);
    assert_int_equal(figure(e, 0, JA_FIGURE_SWAP_USED), 62144 * 4096);
    assert_int_equal(e->subject_count, 3); /* one thread and one ended process left out */
    uint32_t index = subject_named(e, "index (er)", 0);
    assert_size(e, index, JA_METRIC_RESIDENT, 63828 * KIB, KIB);
    assert_size(e, index, JA_METRIC_SWAP, 2048 * KIB, KIB);
    assert_size(e, index, JA_METRIC_PSS, 60000 * KIB, KIB);
    assert_int_equal(e->stamps[e->subjects[index].more->start_stamp].unix_ns,
                     INT64_C(1774950000) * JA_NS_PER_S);
    assert_string_equal(e->subjects[index].more->command, "/opt/indexer --depth 3");
    assert_int_equal(fact_of(e, JA_FACT_LIMIT)->value, JA_GIB);
    assert_int_equal(fact_of(e, JA_FACT_LIMIT)->subject, index);
    assert_int_equal(stamp_of(e, index)->unix_ns, INT64_C(1774958415) * JA_NS_PER_S);
    assert_int_equal(value_of(e, subject_named(e, "index (er)", 1), JA_METRIC_RESIDENT),
                     70000 * KIB);
    assert_true(diagnosed(e, "bad-row"));
    ja_evidence_free(e);
}

static void smem_rows(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("smem/plain-with-totals.txt");
    assert_int_equal(e->kind, JA_KIND_SMEM);
    assert_true(e->records[0].census); /* the totals are the sum of the rows */
    uint32_t httpd = subject_named(e, "httpd", 0);
    assert_size(e, httpd, JA_METRIC_PSS, 15282 * KIB, KIB);
    assert_size(e, httpd, JA_METRIC_RESIDENT, 23216 * KIB, KIB);
    assert_size(e, httpd, JA_METRIC_CATEGORY, 13644 * KIB, KIB);
    assert_size(e, httpd, JA_METRIC_SWAP, 0, KIB);
    assert_string_equal(e->categories[reading_of(e, httpd, JA_METRIC_CATEGORY)->category], "USS");
    ja_evidence_free(e);

    e = parse_fixture("smem/scaled-no-header.txt");
    assert_int_equal(e->subject_count, 2);
    assert_false(e->records[0].census);
    uint32_t pool = subject_named(e, "pool", 0);
    assert_size(e, pool, JA_METRIC_RESIDENT, 1288490189, 107374183);
    assert_size(e, pool, JA_METRIC_SWAP, 1572864, 104858);
    assert_null(e->subjects[pool].more->command); /* the tool cuts it */
    assert_null(fact_of(e, JA_FACT_LIMIT));
    assert_clock(stamp_of(e, pool), 2026, 3, 31, 12, 0, 0);
    ja_evidence_free(e);
}

static void docker_rows(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("docker_stats/names.txt");
    assert_int_equal(e->kind, JA_KIND_DOCKER_STATS);
    assert_int_equal(e->subject_count, 2);
    uint32_t unifi = subject_named(e, "unifi", 0);
    assert_int_equal(e->subjects[unifi].scope, JA_SCOPE_CONTAINER);
    assert_true(e->subjects[unifi].pid == JA_UNKNOWN);
    assert_size(e, unifi, JA_METRIC_CGROUP_CURRENT, 834037350, 104858);
    assert_string_equal(reading_of(e, unifi, JA_METRIC_CGROUP_CURRENT)->printed, "795.4MiB");
    assert_size(e, subject_named(e, "ha-test", 0), JA_METRIC_CGROUP_CURRENT, 229 * JA_MIB, JA_MIB);
    assert_int_equal(e->facts[1].value, JA_GIB);
    assert_int_equal(e->facts[1].subject, unifi);
    assert_true(diagnosed(e, "bad-row"));
    ja_evidence_free(e);

    /* printed again below one stamp line: later, nobody says when */
    e = parse_fixture("docker_stats/repeated.txt");
    assert_int_equal(e->record_count, 3);
    assert_true(e->records[0].stamp != JA_NONE);
    assert_true(e->records[1].stamp == JA_NONE);
    assert_true(e->readings[1].stamp == JA_NONE);
    assert_true(e->records[2].stamp != JA_NONE); /* another container: the same moment */
    ja_evidence_free(e);

    e = parse_fixture("docker_stats/old-decimal.txt");
    assert_size(e, subject_named(e, "66a49567eab0", 0), JA_METRIC_CGROUP_CURRENT, 159700, 100);
    assert_size(e, subject_named(e, "66a49567eab1", 0), JA_METRIC_CGROUP_CURRENT, 1500000000,
                100000000);
    assert_int_equal(e->fact_count, 1); /* "0 B" is no limit */
    assert_int_equal(e->facts[0].value, 2100000000);
    ja_evidence_free(e);
}

static void kubectl_rows(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("kubectl_top/containers-watch.txt");
    assert_int_equal(e->kind, JA_KIND_KUBECTL_TOP);
    uint32_t store = subject_named(e, "store-5f9f6bb846-tx6mj/store", 0);
    assert_int_equal(e->subjects[store].scope, JA_SCOPE_CONTAINER);
    assert_size(e, store, JA_METRIC_CGROUP_CURRENT, 1545 * JA_MIB, JA_MIB);
    assert_int_equal(reading_of(e, store, JA_METRIC_CGROUP_CURRENT)->rounding, JA_ROUNDING_DOWN);
    assert_clock(stamp_of(e, store), 2026, 3, 31, 16, 6, 47);
    assert_true(diagnosed(e, "bad-row"));
    assert_int_equal(e->subject_count, 2);
    ja_evidence_free(e);

    e = parse_fixture("kubectl_top/node.txt");
    uint32_t node = subject_named(e, "node-1", 0);
    assert_int_equal(e->subjects[node].scope, JA_SCOPE_HOST);
    assert_size(e, node, JA_METRIC_CGROUP_CURRENT, 3072 * JA_MIB, JA_MIB);
    assert_int_equal(e->subject_count, 1);
    ja_evidence_free(e);
}

static void free_forms(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("free/kib.txt");
    assert_int_equal(e->kind, JA_KIND_FREE);
    assert_int_equal(figure(e, 0, JA_FIGURE_MANAGED), INT64_C(16314464) * KIB);
    assert_int_equal(figure(e, 0, JA_FIGURE_MEM_AVAILABLE), INT64_C(14250472) * KIB);
    assert_int_equal(figure(e, 0, JA_FIGURE_SWAP_USED), 524288 * KIB);
    ja_evidence_free(e);

    e = parse_fixture("free/mebibytes-old.txt");
    assert_int_equal(figure(e, 0, JA_FIGURE_MANAGED), 7975 * JA_MIB);
    assert_int_equal(figure(e, 0, JA_FIGURE_BUFFERS), 179 * JA_MIB);
    assert_int_equal(figure(e, 0, JA_FIGURE_CACHED), 3109 * JA_MIB);
    assert_true(figure(e, 0, JA_FIGURE_MEM_AVAILABLE) == JA_UNKNOWN);
    assert_int_equal(figure(e, 0, JA_FIGURE_SWAP_USED), JA_MIB);
    assert_false(diagnosed(e, "unit-from-values")); /* "$ free -m" says it */
    ja_evidence_free(e);

    e = parse_fixture("free/human-german.txt");
    assert_int_equal(figure(e, 0, JA_FIGURE_MANAGED), 15 * JA_GIB);
    assert_int_equal(figure(e, 0, JA_FIGURE_SHMEM), 330 * JA_MIB);
    assert_int_equal(figure(e, 0, JA_FIGURE_SWAP_TOTAL), 2 * JA_GIB);
    assert_true(diagnosed(e, "coarse-figures"));
    ja_evidence_free(e);
}

static void vmstat_rows(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("vmstat_log/interval.txt");
    assert_int_equal(e->record_count, 2);
    assert_int_equal(figure(e, 0, JA_FIGURE_SWAP_USED), 71792 * KIB);
    assert_int_equal(figure(e, 1, JA_FIGURE_MEM_FREE), 230000 * KIB);
    assert_int_equal(figure(e, 1, JA_FIGURE_BUFFERS), 100 * KIB);
    ja_evidence_free(e);

    e = parse_fixture("vmstat_log/with-time.txt");
    assert_int_equal(e->record_count, 1);
    assert_clock(&e->stamps[e->records[0].stamp], 2026, 3, 31, 12, 0, 0);
    assert_int_equal(figure(e, 0, JA_FIGURE_CACHED), 14636 * KIB);
    ja_evidence_free(e);
}

static void ps_rows_without_header(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("ps_rows/hourly.log");
    assert_int_equal(e->kind, JA_KIND_PS_LOG);
    assert_int_equal(e->reading_count, 2);
    uint32_t first = subject_named(e, "store-server", 0);
    assert_int_equal(e->subjects[first].pid, 476);
    assert_size(e, first, JA_METRIC_RESIDENT, INT64_C(1517576) * KIB, KIB);
    assert_string_equal(e->subjects[first].more->command, "/usr/bin/store-server --port 1");
    assert_int_equal(e->subjects[first].cpu_ns, (INT64_C(2248) * 60 + 49) * JA_NS_PER_S);
    assert_clock(stamp_of(e, first), 2026, 3, 31, 6, 0, 1);
    assert_true(stamp_of(e, first)->parts & JA_STAMP_ZONE);
    ja_evidence_free(e);
}

static void kube_documents(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("kube_json/pod-metrics.json");
    assert_int_equal(e->kind, JA_KIND_KUBECTL_TOP);
    uint32_t app = subject_named(e, "web-0/app", 0);
    assert_size(e, app, JA_METRIC_CGROUP_CURRENT, 19732 * KIB, KIB);
    assert_int_equal(e->subjects[app].scope, JA_SCOPE_CONTAINER);
    assert_int_equal(stamp_of(e, app)->unix_ns, INT64_C(1775747760) * JA_NS_PER_S);
    assert_size(e, subject_named(e, "web-0/side", 0), JA_METRIC_CGROUP_CURRENT, 128974848, 1);
    assert_int_equal(e->reading_count, 2);
    assert_true(diagnosed(e, "bad-number"));
    ja_evidence_free(e);

    e = parse_fixture("kube_json/node-metrics.json");
    uint32_t node = subject_named(e, "node-1", 0);
    assert_size(e, node, JA_METRIC_CGROUP_CURRENT, 3 * JA_GIB, KIB);
    assert_int_equal(e->subjects[node].scope, JA_SCOPE_HOST);
    ja_evidence_free(e);

    e = parse_fixture("kube_json/pod-oomkilled.json");
    assert_int_equal(e->event_count, 1); /* an Error is no OOM kill */
    assert_int_equal(e->events[0].kind, JA_EVENT_OOM_KILL);
    assert_int_equal(e->events[0].limit_bytes, 512 * JA_MIB);
    assert_true(e->events[0].bytes == JA_UNKNOWN);
    assert_string_equal(e->subjects[e->events[0].subject].name, "web-0/app");
    assert_int_equal(e->stamps[e->events[0].stamp].unix_ns, INT64_C(1775746923) * JA_NS_PER_S);
    assert_int_equal(e->stamps[e->subjects[e->events[0].subject].more->start_stamp].unix_ns,
                     INT64_C(1775743200) * JA_NS_PER_S);
    ja_evidence_free(e);

    e = parse_fixture("kube_json/docker-stats.jsonl");
    assert_int_equal(e->kind, JA_KIND_DOCKER_STATS);
    assert_size(e, subject_named(e, "unifi", 0), JA_METRIC_CGROUP_CURRENT, 834037350, 104858);
    assert_int_equal(fact_of(e, JA_FACT_LIMIT)->value, JA_GIB);
    ja_evidence_free(e);

    e = parse_fixture("kube_json/cut.json");
    assert_int_equal(e->status, JA_STATUS_DAMAGED);
    assert_int_equal(e->reading_count, 1);
    ja_evidence_free(e);
}

static void pods_that_were_killed(void **state)
{
    (void)state;
    static const char *const files[] = {"kube_pod/describe.txt", "kube_pod/pod.yaml"};
    for (size_t i = 0; i < 2; i++) {
        struct ja_evidence *e = parse_fixture(files[i]);
        assert_int_equal(e->event_count, 1); /* an Error is no OOM kill */
        const struct ja_event_seen *seen = &e->events[0];
        assert_int_equal(seen->kind, JA_EVENT_OOM_KILL);
        assert_string_equal(e->subjects[seen->subject].name, "web-0/app");
        assert_int_equal(e->stamps[seen->stamp].unix_ns, INT64_C(1775746923) * JA_NS_PER_S);
        assert_int_equal(e->stamps[e->subjects[seen->subject].more->start_stamp].unix_ns,
                         INT64_C(1775743200) * JA_NS_PER_S);
        assert_true(seen->limit_bytes == (i == 0 ? 512 * JA_MIB : JA_UNKNOWN));
        ja_evidence_free(e);
    }
}

static void ps_loop_and_tree(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("ps/busybox-loop.txt");
    assert_int_equal(e->status, JA_STATUS_PARTLY);
    assert_int_equal(e->record_count, 2); /* a pid comes again: the next round */
    assert_false(e->records[0].census);
    uint32_t first = subject_named(e, "cache_cap", 0), second = subject_named(e, "cache_cap", 1);
    assert_size(e, first, JA_METRIC_RESIDENT, 16 * JA_MIB, JA_MIB);
    assert_size(e, second, JA_METRIC_RESIDENT, 17 * JA_MIB, JA_MIB);
    assert_int_equal(e->subjects[second].record, 1);
    assert_size(e, subject_named(e, "init", 0), JA_METRIC_RESIDENT, 1736 * KIB, KIB);
    ja_evidence_free(e);

    e = parse_fixture("ps/branches.txt");
    assert_int_equal(e->status, JA_STATUS_USED);
    assert_true(e->records[0].census && e->records[0].complete);
    assert_int_equal(e->subjects[subject_named(e, "nginx", 1)].pid, 901);
    assert_int_equal(e->subjects[subject_named(e, "bash", 0)].pid, 1100);
    assert_int_equal(e->subjects[subject_named(e, "pool", 0)].pid, 1200);
    uint32_t node = subject_named(e, "node", 0);
    assert_string_equal(e->subjects[node].more->command,
                        "/usr/bin/node --max-old-space-size=512 /srv/app.js");
    assert_int_equal(fact_of(e, JA_FACT_LIMIT)->value, 512 * JA_MIB);
    assert_int_equal(fact_of(e, JA_FACT_LIMIT)->subject, node);
    ja_evidence_free(e);
}

/* One stamp over two rounds of a loop: the second one's sizes and work lie an interval later, when
 * the interval is known, else nobody knows when. */
static void a_table_printed_again_below_its_stamp(void **state)
{
    (void)state;
    static const char text[] = "Fri Oct  2 10:00:00 UTC 2026\n"
                               "USER  PID %CPU %MEM    VSZ   RSS TTY  STAT START   TIME COMMAND\n"
                               "app   900  1.0 12.5 999999 40960 ?    Ssl  Sep20   0:10 embedd\n"
                               "USER  PID %CPU %MEM    VSZ   RSS TTY  STAT START   TIME COMMAND\n"
                               "app   900  1.0 12.5 999999 40964 ?    Ssl  Sep20   0:12 embedd\n";
    struct ja_file file = {"ps.txt", "ps.txt", text, strlen(text), JA_UNKNOWN, false};
    for (int known = 0; known < 2; known++) {
        struct ja_evidence *e =
            ja_parse_file(&file, NULL, known ? 30 * JA_NS_PER_S : JA_UNKNOWN, 100);
        assert_int_equal(e->record_count, 2);
        assert_int_equal(e->count_count, 2);
        assert_true(e->counts[1].total == 12);
        uint32_t first = e->records[0].stamp, second = e->records[1].stamp;
        assert_int_equal(e->counts[1].stamp, second);
        assert_int_equal(e->readings[e->reading_count - 1].stamp, second);
        if (known)
            assert_int_equal(e->stamps[second].shift_ns - e->stamps[first].shift_ns,
                             30 * JA_NS_PER_S);
        else
            assert_int_equal(second, JA_NONE);
        ja_evidence_free(e);
    }
}

static int prepare(void **state)
{
    (void)state;
    ja_parsers_prepare();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pidstat_over_midnight),
        cmocka_unit_test(pidstat_clocks),
        cmocka_unit_test(pidstat_threads),
        cmocka_unit_test(top_scaled),
        cmocka_unit_test(top_other_forms),
        cmocka_unit_test(atop_rows),
        cmocka_unit_test(smem_rows),
        cmocka_unit_test(docker_rows),
        cmocka_unit_test(kubectl_rows),
        cmocka_unit_test(free_forms),
        cmocka_unit_test(vmstat_rows),
        cmocka_unit_test(ps_rows_without_header),
        cmocka_unit_test(kube_documents),
        cmocka_unit_test(pods_that_were_killed),
        cmocka_unit_test(ps_loop_and_tree),
        cmocka_unit_test(a_table_printed_again_below_its_stamp),
    };
    return cmocka_run_group_tests(tests, prepare, NULL);
}
