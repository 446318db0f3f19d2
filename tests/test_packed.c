/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/rows.h"

#define ROWS 700u
#define PAGE 16384

static struct ja_evidence *evidence;
static uint64_t seed;

static uint64_t next_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    return seed ^= seed << 17;
}

static uint32_t below(uint32_t end)
{
    return (uint32_t)(next_random() % end);
}

static int64_t known_or_not(int64_t value)
{
    return below(8) ? value : JA_UNKNOWN;
}

/* One row of a plain table, as Jetsam reports have them: killed ones at a moment of their own. */
static void add_row(uint32_t record, const char *const *texts, int index, uint32_t kill_stamp)
{
    uint32_t row = ja_add_subject(evidence, record, NULL, known_or_not(below(99999)));
    struct ja_subject *s = &evidence->subjects[row];
    double cpu_s = (double)(next_random() >> (12 + below(50))) / 1e6;
    s->name = below(20) ? texts[below(4)] : NULL;
    s->uuid = below(3) ? texts[below(4)] : NULL;
    s->coalition = known_or_not(below(5000));
    s->age_ticks = known_or_not((int64_t)next_random());
    s->peak_bytes = known_or_not(PAGE * (int64_t)below(4000000000));
    s->killed = below(10) == 0;
    s->dead = below(10) == 0;
    s->name_cut = below(2);
    s->name_open = row == ROWS - 1;
    s->place = ja_add_place_json(evidence, "/processes/[*]", index, -1, NULL);
    uint32_t place = ja_add_place_json(evidence, "/processes/[*]/rpages", index, -1, NULL);
    struct ja_quantity size = {PAGE * (int64_t)below(4000000000), PAGE, JA_ROUNDING_DOWN};
    struct ja_reading *r = ja_add_reading(evidence, row, JA_METRIC_PHYS_FOOTPRINT, size, place);
    r->unit = JA_UNIT_PAGES;
    if (evidence->subjects[row].killed)
        r->stamp = kill_stamp;
    evidence->subjects[row].cpu_ns = ja_cpu_ns(cpu_s);
    ja_add_count(evidence, row, ja_cpu_seconds, cpu_s, evidence->subjects[row].place);
}

static void add_table(uint32_t rows, bool gaps)
{
    static const struct ja_stamp at = {.text = "t"}, killed = {.text = "k"};
    uint32_t record = ja_add_record(evidence, JA_KIND_JETSAM, ja_add_stamp(evidence, &at));
    uint32_t kill_stamp = ja_add_stamp(evidence, &killed);
    const char *texts[4];
    for (size_t i = 0; i < 4; i++)
        texts[i] = ja_arena_print(evidence->arena, "text %zu", i);
    for (uint32_t i = 0, index = 0; i < rows; i++, index++) {
        index += gaps && below(6) == 0 ? 1 + below(90) : 0;
        add_row(record, texts, (int)index, kill_stamp);
    }
}

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

static void same_subject(const struct ja_subject *a, const struct ja_subject *b)
{
    assert_ptr_equal(a->name, b->name);
    assert_ptr_equal(a->uuid, b->uuid);
    assert_ptr_equal(a->more, b->more);
    assert_true(a->pid == b->pid && a->coalition == b->coalition && a->age_ticks == b->age_ticks);
    assert_true(a->peak_bytes == b->peak_bytes && a->cpu_ns == b->cpu_ns);
    assert_true(a->record == b->record && a->place == b->place && a->life == b->life);
    assert_true(a->scope == b->scope && a->name_cut == b->name_cut);
    assert_true(a->name_open == b->name_open && a->killed == b->killed && a->dead == b->dead);
}

static void same_reading(const struct ja_reading *a, const struct ja_reading *b)
{
    assert_true(a->value == b->value && a->resolution == b->resolution);
    assert_true(a->printed == b->printed && a->subject == b->subject && a->stamp == b->stamp);
    assert_true(a->place == b->place && a->category == b->category && a->metric == b->metric);
    assert_true(a->rounding == b->rounding && a->unit == b->unit);
    assert_true(a->approximate == b->approximate);
}

static void same_count(const struct ja_count *a, const struct ja_count *b)
{
    assert_true(a->subject == b->subject && a->stamp == b->stamp && a->place == b->place);
    assert_ptr_equal(a->unit, b->unit);
    assert_memory_equal(&a->total, &b->total, sizeof a->total);
}

/* Those that are read without the rest. */
static void same_members(uint32_t row, const struct ja_reading *reading,
                         const struct ja_count *count)
{
    struct ja_quantity quantity = ja_reading_quantity(evidence, row);
    assert_true(quantity.value == reading->value && quantity.resolution == reading->resolution);
    assert_int_equal(quantity.rounding, reading->rounding);
    assert_int_equal(ja_reading_stamp(evidence, row), reading->stamp);
    assert_int_equal(ja_reading_metric(evidence, row), reading->metric);
    assert_int_equal(ja_reading_category(evidence, row), reading->category);
    assert_int_equal(ja_reading_subject(evidence, row), reading->subject);
    assert_int_equal(ja_count_subject(evidence, row), count->subject);
    assert_int_equal(ja_reading_record(evidence, row), 0);
}

/* Every row as it was, packed and unpacked again. */
static void keeps_rows(bool gaps)
{
    static struct ja_subject subjects[ROWS];
    static struct ja_reading readings[ROWS];
    static struct ja_count counts[ROWS];
    add_table(ROWS, gaps);
    memcpy(subjects, evidence->subjects, sizeof subjects);
    memcpy(readings, evidence->readings, sizeof readings);
    memcpy(counts, evidence->counts, sizeof counts);
    ja_evidence_close(evidence);
    assert_non_null(evidence->packed);
    assert_null(evidence->subjects);
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < ROWS; i++) {
            struct ja_subject subject = ja_subject_at(evidence, i);
            struct ja_reading reading = ja_reading_at(evidence, i);
            struct ja_count count = ja_count_at(evidence, i);
            same_subject(&subject, &subjects[i]);
            same_reading(&reading, &readings[i]);
            same_count(&count, &counts[i]);
            same_members(i, &readings[i], &counts[i]);
        }
        ja_evidence_unpack(evidence);
        assert_null(evidence->packed);
        assert_non_null(evidence->subjects);
    }
}

static void plain_tables_keep_their_rows(void **state)
{
    for (seed = 1; seed < 40; seed++) {
        keeps_rows(seed % 2);
        tear_down(state);
        set_up(state);
    }
}

/* What is out of the ordinary in one row stays as it is, with the whole table. */
static void odd_rows_are_not_packed(void **state)
{
    static const char unit[] = "requests";
    for (int odd = 0; odd < 12; odd++) {
        seed = 7;
        add_table(ROWS, false);
        struct ja_subject *s = &evidence->subjects[333];
        struct ja_reading *r = &evidence->readings[333];
        struct ja_count *c = &evidence->counts[333];
        switch (odd) {
        case 0: /* more digits than it says in microseconds */
            c->total = nextafter(c->total, 0);
            break;
        case 1:
            r->value = JA_UNKNOWN;
            break;
        case 2:
            s->peak_bytes = PAGE + 1;
            break;
        case 3:
            s->life = 1;
            break;
        case 4:
            s->scope = JA_SCOPE_CGROUP;
            break;
        case 5:
            ja_subject_more(s, evidence->arena)->parent_pid = 1;
            break;
        case 6:
            r->printed = "1";
            break;
        case 7:
            r->value++;
            break;
        case 8:
            r->resolution = 1;
            break;
        case 9:
            r->metric = JA_METRIC_RESIDENT;
            break;
        case 10:
            c->unit = unit;
            break;
        default:
            s->cpu_ns++;
            break;
        }
        ja_evidence_close(evidence);
        assert_null(evidence->packed);
        assert_int_equal(ja_subject_at(evidence, 333).life, odd == 3);
        tear_down(state);
        set_up(state);
    }
}

static void short_tables_are_not_packed(void **state)
{
    (void)state;
    seed = 3;
    add_table(50, false);
    ja_evidence_close(evidence);
    assert_null(evidence->packed);
    ja_evidence_unpack(evidence);
    assert_int_equal(ja_reading_subject(evidence, 49), 49);
}

/* 160 bytes a row before. */
static void packed_rows_are_small(void **state)
{
    (void)state;
    seed = 5;
    add_table(ROWS, false);
    size_t before = ja_arena_size(evidence->arena) + ja_arena_size(evidence->growing);
    ja_evidence_close(evidence);
    assert_true(before > ja_arena_size(evidence->arena) + (size_t)100 * ROWS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(plain_tables_keep_their_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(odd_rows_are_not_packed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(short_tables_are_not_packed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(packed_rows_are_small, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
