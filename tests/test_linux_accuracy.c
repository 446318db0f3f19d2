/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/linux_accuracy.h"
#include "model/quantity.h"

static void releases(void **state)
{
    (void)state;
    assert_int_equal(ja_linux_counters_of("2.6.32-754.el6"), JA_LINUX_COUNTERS_EXACT);
    assert_int_equal(ja_linux_counters_of("2.6.34"), JA_LINUX_COUNTERS_THREADS);
    assert_int_equal(ja_linux_counters_of("3.10.0-1160.el7.x86_64"), JA_LINUX_COUNTERS_THREADS);
    assert_int_equal(ja_linux_counters_of("6.1.0-57-cloud-amd64"), JA_LINUX_COUNTERS_THREADS);
    assert_int_equal(ja_linux_counters_of("6.2.0"), JA_LINUX_COUNTERS_CPUS);
    assert_int_equal(ja_linux_counters_of("6.15.3-arch1-1"), JA_LINUX_COUNTERS_CPUS);
    assert_int_equal(ja_linux_counters_of("6.16.9"), JA_LINUX_COUNTERS_EXACT);
    assert_int_equal(ja_linux_counters_of("7.0-rc1"), JA_LINUX_COUNTERS_EXACT);
    assert_int_equal(ja_linux_counters_of("Darwin Kernel Version 25.4.0"),
                     JA_LINUX_COUNTERS_UNKNOWN);
    assert_int_equal(ja_linux_counters_of(NULL), JA_LINUX_COUNTERS_UNKNOWN);
    assert_int_equal(ja_linux_counters_of("6"), JA_LINUX_COUNTERS_UNKNOWN);
}

static int64_t error_of(const char *release, int64_t threads, int64_t cpus, enum ja_metric metric)
{
    int64_t bytes = -1;
    return ja_linux_error(release, threads, cpus, JA_UNKNOWN, metric, &bytes) ? bytes : -1;
}

static void errors(void **state)
{
    (void)state;
    assert_int_equal(error_of("6.1.0", 1, JA_UNKNOWN, JA_METRIC_ANONYMOUS), 252 * 1024);
    assert_int_equal(error_of("5.15.0", 100, JA_UNKNOWN, JA_METRIC_ANONYMOUS), 25200 * 1024);
    /* 408 kB were seen in a quiet process of one thread. */
    assert_true(error_of("6.1.0", 1, JA_UNKNOWN, JA_METRIC_RESIDENT) >= 408 * 1024);
    assert_int_equal(error_of("6.1.0", JA_UNKNOWN, 4, JA_METRIC_ANONYMOUS), -1);
    assert_int_equal(error_of("6.12.62", 9, 4, JA_METRIC_ANONYMOUS), 512 * 1024);
    assert_int_equal(error_of("6.8.0", 1, 64, JA_METRIC_ANONYMOUS), 8192 * 4096);
    assert_int_equal(error_of("6.8.0", 1, JA_UNKNOWN, JA_METRIC_ANONYMOUS), -1);
    assert_int_equal(error_of("6.18.44", JA_UNKNOWN, JA_UNKNOWN, JA_METRIC_RESIDENT), 0);
    assert_int_equal(error_of(NULL, 1, 1, JA_METRIC_RESIDENT), -1);
}

static void figures(void **state)
{
    (void)state;
    assert_true(ja_linux_counted(JA_KIND_PROC_STATUS, JA_METRIC_ANONYMOUS));
    assert_true(ja_linux_counted(JA_KIND_PROC_LOOP, JA_METRIC_RESIDENT));
    assert_false(ja_linux_counted(JA_KIND_PROC_SMAPS_ROLLUP, JA_METRIC_RESIDENT));
    assert_false(ja_linux_counted(JA_KIND_PROC_STATUS, JA_METRIC_VIRTUAL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(releases),
        cmocka_unit_test(errors),
        cmocka_unit_test(figures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
