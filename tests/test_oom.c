/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/parse_fixture.h"

#define KIB 1024

static const struct ja_event_seen *kill_at(const struct ja_evidence *evidence, size_t n)
{
    for (size_t i = 0; i < evidence->event_count; i++)
        if (evidence->events[i].kind == JA_EVENT_OOM_KILL && n-- == 0)
            return &evidence->events[i];
    fail_msg("no such kill");
    return NULL;
}

static size_t kills(const struct ja_evidence *evidence)
{
    size_t count = 0;
    for (size_t i = 0; i < evidence->event_count; i++)
        count += evidence->events[i].kind == JA_EVENT_OOM_KILL;
    return count;
}

static void assert_victim(const struct ja_evidence *evidence, size_t n, const char *name,
                          int64_t pid, int64_t bytes)
{
    const struct ja_event_seen *seen = kill_at(evidence, n);
    assert_string_equal(evidence->subjects[seen->subject].name, name);
    assert_int_equal(evidence->subjects[seen->subject].pid, pid);
    assert_true(seen->bytes == bytes);
}

static void host_with_columns(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("oom_log/host-6.8-syslog.txt");
    assert_int_equal(e->kind, JA_KIND_OOM_LOG);
    assert_int_equal(e->status, JA_STATUS_USED);
    assert_string_equal(e->systems[0].host_name, "orchard");
    assert_string_equal(e->systems[0].kernel, "6.12.9-arch1-1");
    assert_int_equal(e->systems[0].page_bytes, 4096);
    const struct ja_record *record = &e->records[0];
    assert_true(record->census && record->complete);
    assert_null(record->of);
    assert_int_equal(ja_get_figure(record, JA_FIGURE_RAM), INT64_C(524288) * 4096);
    assert_int_equal(ja_get_figure(record, JA_FIGURE_MANAGED), INT64_C(520000) * 4096);
    assert_int_equal(ja_get_figure(record, JA_FIGURE_SWAP_TOTAL), INT64_C(1048572) * KIB);
    assert_int_equal(ja_get_figure(record, JA_FIGURE_SWAP_USED), INT64_C(1048560) * KIB);
    assert_int_equal(ja_get_figure(record, JA_FIGURE_SLAB_UNRECLAIMABLE), 9000 * 4096);
    assert_int_equal(ja_get_figure(record, JA_FIGURE_PAGE_TABLES), 1500 * 4096);
    assert_int_equal(ja_get_figure(record, JA_FIGURE_KERNEL_STACK), 3072 * KIB);
    assert_int_equal(ja_get_figure(record, JA_FIGURE_HUGETLB), 8192 * KIB);
    assert_int_equal(ja_get_figure(record, JA_FIGURE_MEM_FREE), 5000 * 4096);
    uint32_t worker = subject_named(e, "(worker) main", 0);
    assert_int_equal(value_of(e, worker, JA_METRIC_RESIDENT), INT64_C(430112) * 4096);
    assert_int_equal(value_of(e, worker, JA_METRIC_ANONYMOUS), INT64_C(429600) * 4096);
    assert_int_equal(value_of(e, worker, JA_METRIC_FILE), 12 * 4096);
    assert_int_equal(value_of(e, worker, JA_METRIC_SHARED), 500 * 4096);
    assert_int_equal(value_of(e, worker, JA_METRIC_SWAP), INT64_C(196608) * 4096);
    assert_int_equal(reading_of(e, worker, JA_METRIC_RESIDENT)->resolution, 4096);
    assert_int_equal(e->subject_count, 4); /* the sshd line between the rows is none */
    assert_int_equal(value_of(e, subject_named(e, "CPU 0/KVM", 0), JA_METRIC_RESIDENT),
                     40032 * 4096);
    assert_true(e->subjects[subject_named(e, "systemd-journal", 0)].name_cut);
    assert_int_equal(kills(e), 1);
    assert_victim(e, 0, "(worker) main", 3377, (INT64_C(1718400) + 48 + 2000) * KIB);
    const struct ja_event_seen *seen = kill_at(e, 0);
    assert_int_equal(seen->order, 1);
    assert_non_null(strstr(seen->detail, "collector (pid 2210)"));
    assert_true(seen->limit_bytes == JA_UNKNOWN);
    assert_int_equal(e->stamps[seen->stamp].unix_ns, INT64_C(1772608509) * JA_NS_PER_S);
    assert_string_equal(fact_of(e, JA_FACT_OOM_REQUESTER)->text, "collector");
    assert_string_equal(fact_of(e, JA_FACT_CGROUP_PATH)->text, "/app.slice/w.service");
    assert_int_equal(fact_of(e, JA_FACT_ROWS)->value, 4);
    assert_int_equal(fact_of(e, JA_FACT_LARGEST_SLAB)->value, 20480 * KIB);
    assert_null(fact_of(e, JA_FACT_TABLE_CUT));
    ja_evidence_free(e);
}

static void group_v1_large_pages(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("oom_log/memcg-v1-64k.dmesg.txt");
    assert_int_equal(e->systems[0].page_bytes, 65536);
    const struct ja_record *record = &e->records[0];
    assert_string_equal(record->of, "/batch");
    assert_int_equal(ja_get_figure(record, JA_FIGURE_CGROUP_USAGE), INT64_C(2097152) * KIB);
    assert_int_equal(ja_get_figure(record, JA_FIGURE_CGROUP_LIMIT), INT64_C(2097152) * KIB);
    /* the groups of the tree, each printed alone, together */
    assert_int_equal(ja_get_figure(record, JA_FIGURE_CGROUP_ANON), INT64_C(1966080) * KIB);
    assert_int_equal(ja_get_figure(record, JA_FIGURE_CGROUP_FILE), 3072 * KIB);
    assert_int_equal(ja_get_figure(record, JA_FIGURE_CGROUP_KERNEL), 65536 * KIB);
    assert_int_equal(ja_get_figure(record, JA_FIGURE_RAM), JA_UNKNOWN);
    /* announced 611, killed its child 702: one kill */
    assert_int_equal(kills(e), 1);
    assert_victim(e, 0, "solver", 702, INT64_C(1966080) * KIB);
    assert_int_equal(kill_at(e, 0)->limit_bytes, INT64_C(2097152) * KIB);
    assert_int_equal(value_of(e, subject_named(e, "solver", 0), JA_METRIC_RESIDENT), 30720 * 65536);
    uint32_t group = subject_named(e, "/batch", 0);
    assert_int_equal(e->subjects[group].scope, JA_SCOPE_CGROUP);
    assert_true(e->subjects[group].pid == JA_UNKNOWN);
    assert_int_equal(value_of(e, group, JA_METRIC_CGROUP_CURRENT), INT64_C(2097152) * KIB);
    assert_int_equal(fact_of(e, JA_FACT_LIMIT)->value, INT64_C(2097152) * KIB);
    assert_int_equal(fact_of(e, JA_FACT_LIMIT)->subject, group);
    assert_int_equal(e->stamps[record->stamp].parts, JA_STAMP_BOOT);
    assert_int_equal(e->stamps[record->stamp].since_boot_ns, INT64_C(7312000100) * 1000);
    ja_evidence_free(e);
}

static void group_v2_german(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("oom_log/memcg-v2-german.dmesg-T.txt");
    const struct ja_record *record = &e->records[0];
    assert_int_equal(ja_get_figure(record, JA_FIGURE_CGROUP_ANON), 200000000);
    assert_int_equal(ja_get_figure(record, JA_FIGURE_CGROUP_FILE), 1048576);
    assert_int_equal(ja_get_figure(record, JA_FIGURE_CGROUP_KERNEL), 50000000);
    const struct ja_stamp *stamp = &e->stamps[record->stamp];
    assert_int_equal(stamp->year, 2026);
    assert_int_equal(stamp->month, 3);
    assert_int_equal(stamp->day, 4);
    assert_int_equal(stamp->hour, 8);
    assert_int_equal(stamp->second, 9);
    /* memory.oom.group: two members, the repeated line of the first is none */
    assert_int_equal(kills(e), 2);
    assert_victim(e, 0, "indexer", 5150, 192000 * KIB);
    assert_victim(e, 1, "sh", 5151, 3312 * KIB);
    assert_int_equal(kill_at(e, 1)->order, 2);
    ja_evidence_free(e);
}

static void oldest_columns(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("oom_log/host-3.2-old-columns.txt");
    assert_string_equal(e->systems[0].kernel, "3.2.0-4-amd64");
    assert_int_equal(e->systems[0].page_bytes, 4096);
    uint32_t apache = subject_named(e, "apache2", 0);
    assert_int_equal(value_of(e, apache, JA_METRIC_RESIDENT), 99000 * 4096);
    assert_true(value_of(e, apache, JA_METRIC_SWAP) == JA_UNKNOWN); /* no such column */
    assert_victim(e, 0, "apache2", 520, 396000 * KIB);
    assert_int_equal(fact_of(e, JA_FACT_OOM_REQUESTER)->value, 412);
    ja_evidence_free(e);
}

static void by_hand(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("oom_log/by-hand-5.15.txt");
    assert_int_equal(kills(e), 1);
    assert_int_equal(fact_of(e, JA_FACT_BY_HAND)->value, 1);
    assert_non_null(strstr(kill_at(e, 0)->reason, "by hand"));
    assert_int_equal(ja_get_figure(&e->records[0], JA_FIGURE_SWAP_USED), 0);
    ja_evidence_free(e);
}

static void shared_and_snipped(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("oom_log/shared-and-snipped-4.4.txt");
    assert_int_equal(e->status, JA_STATUS_PARTLY);
    assert_true(e->records[0].census);
    assert_false(e->records[0].complete);
    assert_int_equal(kills(e), 1);
    assert_victim(e, 0, "hog", 1500, 800000 * KIB);
    assert_int_equal(value_of(e, subject_named(e, "hog", 0), JA_METRIC_RESIDENT), 200000 * 4096);
    assert_true(value_of(e, subject_named(e, "hog", 1), JA_METRIC_RESIDENT) == JA_UNKNOWN);
    assert_int_equal(value_of(e, subject_named(e, "sh", 0), JA_METRIC_RESIDENT), 300 * 4096);
    assert_int_equal(fact_of(e, JA_FACT_TABLE_FILTERED)->value, 3);
    ja_evidence_free(e);
}

static void boots(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("oom_log/two-boots.dmesg.txt");
    assert_int_equal(e->system_count, 2);
    assert_int_equal(e->systems[0].cores, 8);
    assert_true(e->systems[1].cores == JA_UNKNOWN);
    assert_int_equal(e->stamps[e->systems[0].boot_stamp].unix_ns,
                     INT64_C(1769904010) * JA_NS_PER_S - 1500 * JA_NS_PER_MS);
    assert_int_equal(e->systems[1].boot_stamp, JA_NONE);
    assert_int_equal(kills(e), 2);
    assert_int_equal(e->records[kill_at(e, 1)->record].system, 1);
    assert_string_not_equal(e->systems[0].boot_id, e->systems[1].boot_id);
    assert_int_equal(e->stamps[kill_at(e, 0)->stamp].unix_ns, INT64_C(1769904008) * JA_NS_PER_S +
                                                                  500 * JA_NS_PER_MS +
                                                                  INT64_C(600250) * JA_NS_PER_MS);
    assert_int_equal(e->stamps[kill_at(e, 1)->stamp].parts, JA_STAMP_BOOT); /* nobody knows */
    ja_evidence_free(e);
}

static void cascade(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("oom_log/cascade.kern.log");
    assert_int_equal(kills(e), 3);
    assert_victim(e, 0, "python3", 61, 7000 * KIB);
    assert_victim(e, 1, "(resolved)", 62, 7200 * KIB);
    assert_victim(e, 2, "python3", 63, 7408 * KIB);
    assert_null(e->records[kill_at(e, 0)->record].of);
    assert_non_null(e->records[kill_at(e, 2)->record].of);
    assert_false(e->records[0].census);
    assert_true(e->stamps[kill_at(e, 0)->stamp].parts & JA_STAMP_YEARLESS);
    assert_string_equal(e->systems[0].host_name, "pier");
    ja_evidence_free(e);
}

static void user_space_killers(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("oom_log/earlyoom.log");
    assert_int_equal(kills(e), 4); /* the second signal to 4100 is no further kill */
    assert_victim(e, 0, "index er", 4100, 640 * JA_MIB);
    assert_victim(e, 1, "node", 4200, 120 * JA_MIB);
    assert_victim(e, 2, "bash", 5000, 30 * JA_MIB);
    assert_victim(e, 3, "sudo", 5001, JA_UNKNOWN);
    uint32_t first = subject_named(e, "index er", 0);
    assert_int_equal(value_of(e, first, JA_METRIC_RESIDENT), 640 * JA_MIB);
    assert_int_equal(reading_of(e, first, JA_METRIC_RESIDENT)->resolution, JA_MIB);
    assert_int_equal(ja_get_figure(&e->records[1], JA_FIGURE_MEM_AVAILABLE), 20 * JA_MIB);
    assert_int_equal(ja_get_figure(&e->records[1], JA_FIGURE_MANAGED), 1000 * JA_MIB);
    assert_int_equal(ja_get_figure(&e->records[1], JA_FIGURE_SWAP_USED), 490 * JA_MIB);
    assert_true(diagnosed(e, "lines-left-out"));
    ja_evidence_free(e);

    e = parse_fixture("oom_log/systemd-oomd.journal.txt");
    assert_int_equal(kills(e), 2);
    assert_victim(e, 1, "/system.slice/build.service", JA_UNKNOWN, JA_UNKNOWN);
    assert_int_equal(e->subjects[kill_at(e, 1)->subject].scope, JA_SCOPE_CGROUP);
    const struct ja_record *record = &e->records[kill_at(e, 1)->record];
    assert_int_equal(ja_get_figure(record, JA_FIGURE_MANAGED), INT64_C(8000000000));
    assert_int_equal(ja_get_figure(record, JA_FIGURE_SWAP_USED), 1900000000);
    ja_evidence_free(e);
}

static void broken(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("oom_log/table-cut.txt");
    assert_int_equal(e->status, JA_STATUS_DAMAGED);
    assert_false(e->records[0].complete);
    assert_int_equal(kills(e), 0); /* no kill line: no victim is made up */
    assert_int_equal(e->events[0].kind, JA_EVENT_NOTE);
    assert_true(diagnosed(e, "kill-line-missing"));
    assert_non_null(fact_of(e, JA_FACT_TABLE_CUT));
    ja_evidence_free(e);

    e = parse_fixture("oom_log/rows-broken.txt");
    assert_int_equal(e->status, JA_STATUS_DAMAGED);
    assert_false(e->records[0].complete);
    assert_true(diagnosed(e, "bad-row"));
    assert_true(diagnosed(e, "bad-number"));
    assert_int_equal(value_of(e, subject_named(e, "eater", 0), JA_METRIC_RESIDENT), 50000 * 4096);
    assert_true(value_of(e, subject_named(e, "huge", 0), JA_METRIC_RESIDENT) == JA_UNKNOWN);
    assert_victim(e, 0, "eater", 70, 200000 * KIB);
    ja_evidence_free(e);

    e = parse_fixture("oom_log/panic-on-oom.txt");
    assert_int_equal(e->event_count, 1);
    assert_int_equal(e->events[0].kind, JA_EVENT_PANIC);
    assert_true(e->records[0].complete);
    ja_evidence_free(e);
}

static void inside_a_ticket(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("oom_block/ticket.txt");
    assert_true(ja_has_kind(e, JA_KIND_OOM_LOG));
    assert_int_equal(kills(e), 1);
    assert_victim(e, 0, "tiler", 90, 1000000 * KIB);
    ja_evidence_free(e);
}

static void no_limit_is_no_number(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_text(
        "a.log", "a invoked oom-killer: gfp_mask=0xd0, order=0\n"
                 "memory: usage 2048kB, limit 9007199254740991kB, failcnt 3\n"
                 "Memory cgroup out of memory: Killed process 5 (a) total-vm:9kB, anon-rss:8kB, "
                 "file-rss:0kB, shmem-rss:0kB\n");
    assert_true(ja_get_figure(&e->records[0], JA_FIGURE_CGROUP_LIMIT) == JA_UNKNOWN);
    assert_true(kill_at(e, 0)->limit_bytes == JA_UNKNOWN);
    assert_null(fact_of(e, JA_FACT_LIMIT));
    assert_victim(e, 0, "a", 5, 8 * KIB);
    ja_evidence_free(e);
}

static void other_prefixes(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("oom_log/iso-no-host.dmesg.txt");
    assert_int_equal(e->system_count, 1);
    assert_null(e->systems[0].host_name); /* "Hardware name:" is no host and program */
    assert_string_equal(e->systems[0].kernel, "6.1.0-18-arm64");
    assert_true(e->records[0].census && e->records[0].complete);
    assert_victim(e, 0, "tiler", 90, 1000000 * KIB);
    assert_int_equal(e->stamps[e->records[0].stamp].unix_ns,
                     INT64_C(1772608509) * JA_NS_PER_S + 12345000);
    ja_evidence_free(e);

    e = parse_fixture("oom_log/levels.dmesg-x.txt");
    assert_true(e->records[0].census && e->records[0].complete);
    assert_victim(e, 0, "tiler", 90, 1000000 * KIB);
    assert_int_equal(e->stamps[kill_at(e, 0)->stamp].since_boot_ns, INT64_C(812000006) * 1000);
    ja_evidence_free(e);
}

static void journal_as_json(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("oom_log/journal.json");
    assert_int_equal(e->kind, JA_KIND_OOM_LOG);
    assert_string_equal(e->systems[0].host_name, "quay");
    assert_int_equal(kills(e), 1); /* sshd is no kernel */
    assert_victim(e, 0, "tiler", 90, 1000000 * KIB);
    assert_true(e->records[0].census && e->records[0].complete);
    assert_int_equal(e->stamps[e->records[0].stamp].unix_ns, INT64_C(1772608509012345) * 1000);
    ja_evidence_free(e);
}

static void two_hosts_in_one_log(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("oom_log/two-hosts.syslog.txt");
    assert_int_equal(e->system_count, 2);
    assert_int_equal(kills(e), 2);
    assert_victim(e, 0, "brain", 70, 200000 * KIB);
    assert_victim(e, 1, "lungs", 80, 80000 * KIB);
    const struct ja_record *east = &e->records[kill_at(e, 0)->record];
    const struct ja_record *west = &e->records[kill_at(e, 1)->record];
    assert_string_equal(e->systems[east->system].host_name, "east");
    assert_string_equal(e->systems[west->system].host_name, "west");
    assert_string_equal(e->systems[west->system].kernel, "4.4.0-21-generic");
    assert_true(east->complete && west->complete);
    assert_non_null(strstr(kill_at(e, 1)->detail, "204800 kB, was reached"));
    assert_int_equal(value_of(e, subject_named(e, "sh", 0), JA_METRIC_RESIDENT), 100 * 4096);
    assert_int_equal(value_of(e, subject_named(e, "lungs", 0), JA_METRIC_SWAP), 25000 * 4096);
    ja_evidence_free(e);
}

/* pages without any print of their size: rows stay, sizes do not */
static void page_size_unknown(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_text(
        "b.log", "b invoked oom-killer: gfp_mask=0xd0, order=0\n"
                 "[ pid ]   uid  tgid total_vm      rss nr_ptes swapents oom_score_adj name\n"
                 "[    5]     0     5      900      800      10        0             0 b\n"
                 "Out of memory: Kill process 5 (b) score 9 or sacrifice child\n");
    assert_int_equal(e->reading_count, 0);
    assert_int_equal(e->subject_count, 1);
    assert_true(diagnosed(e, "page-size"));
    assert_int_equal(kills(e), 1);
    assert_int_equal(kill_at(e, 0)->subject, JA_NONE); /* it or a child of it */
    assert_non_null(strstr(kill_at(e, 0)->detail, "b [5] was chosen"));
    assert_true(kill_at(e, 0)->bytes == JA_UNKNOWN);
    ja_evidence_free(e);
}

static void cuts(void **state)
{
    (void)state;
    parse_cuts("oom_log/host-6.8-syslog.txt");
    parse_cuts("oom_log/memcg-v1-64k.dmesg.txt");
    parse_cuts("oom_log/memcg-v2-german.dmesg-T.txt");
    parse_cuts("oom_log/earlyoom.log");
    parse_cuts("oom_log/systemd-oomd.journal.txt");
    parse_cuts("oom_block/ticket.txt");
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
        cmocka_unit_test(host_with_columns),
        cmocka_unit_test(group_v1_large_pages),
        cmocka_unit_test(group_v2_german),
        cmocka_unit_test(oldest_columns),
        cmocka_unit_test(by_hand),
        cmocka_unit_test(shared_and_snipped),
        cmocka_unit_test(boots),
        cmocka_unit_test(cascade),
        cmocka_unit_test(user_space_killers),
        cmocka_unit_test(broken),
        cmocka_unit_test(inside_a_ticket),
        cmocka_unit_test(no_limit_is_no_number),
        cmocka_unit_test(other_prefixes),
        cmocka_unit_test(two_hosts_in_one_log),
        cmocka_unit_test(journal_as_json),
        cmocka_unit_test(page_size_unknown),
        cmocka_unit_test(cuts),
    };
    return cmocka_run_group_tests(tests, prepare, NULL);
}
