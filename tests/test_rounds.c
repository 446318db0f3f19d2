/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/rounds.h"

static struct ja_evidence *evidence;
static uint32_t rounds[64];

static int set_up(void **state)
{
    (void)state;
    evidence = ja_evidence_new("x");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    ja_evidence_free(evidence);
    return 0;
}

static uint32_t told(enum ja_kind kind, const char *name, int64_t pid)
{
    uint32_t record = ja_add_record(evidence, kind, JA_NONE);
    if (name)
        ja_add_subject(evidence, record, name, pid);
    else
        ja_set_figure(evidence, record, JA_FIGURE_SWAP_USED, 1, JA_NONE);
    return record;
}

static uint32_t count(void)
{
    return ja_rounds_count(evidence, evidence->arena, rounds);
}

static void several_records_a_round(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t a = told(JA_KIND_FOOTPRINT, "a", 1), b = told(JA_KIND_FOOTPRINT, "b", 2),
                 c = told(JA_KIND_VMMAP, "a", 1), d = told(JA_KIND_SWAPUSAGE, NULL, 0);
        count();
        assert_int_equal(rounds[a], k);
        assert_int_equal(rounds[b], k);
        assert_int_equal(rounds[c], k);
        assert_int_equal(rounds[d], k);
    }
    assert_int_equal(count(), 3);
}

static void figures_alone(void **state)
{
    (void)state;
    told(JA_KIND_VM_STAT, NULL, 0);
    told(JA_KIND_SWAPUSAGE, NULL, 0);
    assert_int_equal(count(), 1);
    told(JA_KIND_VM_STAT, NULL, 0);
    assert_int_equal(count(), 2);
}

static void names_without_pids(void **state)
{
    (void)state;
    told(JA_KIND_DOCKER_STATS, "web", JA_UNKNOWN);
    told(JA_KIND_DOCKER_STATS, "db", JA_UNKNOWN);
    assert_int_equal(count(), 1);
    told(JA_KIND_DOCKER_STATS, "web", JA_UNKNOWN);
    assert_int_equal(count(), 2);
}

static void a_missing_row_makes_no_round_longer(void **state)
{
    (void)state;
    told(JA_KIND_FOOTPRINT, "a", 1);
    told(JA_KIND_FOOTPRINT, "b", 2);
    uint32_t second = told(JA_KIND_FOOTPRINT, "a", 1); /* b is gone */
    uint32_t third = told(JA_KIND_FOOTPRINT, "a", 1);
    assert_int_equal(count(), 3);
    assert_int_equal(rounds[second], 1);
    assert_int_equal(rounds[third], 2);
}

static void dated_records_do_not_count(void **state)
{
    (void)state;
    assert_int_equal(count(), 0);
    struct ja_stamp stamp = {.parts = JA_STAMP_UNIX};
    uint32_t index = ja_add_stamp(evidence, &stamp);
    ja_add_subject(evidence, ja_add_record(evidence, JA_KIND_PS, index), "a", 1);
    told(JA_KIND_PS, "a", 1);
    assert_int_equal(count(), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(several_records_a_round),    TEST(figures_alone),
        TEST(names_without_pids),         TEST(a_missing_row_makes_no_round_longer),
        TEST(dated_records_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
