/* SPDX-License-Identifier: MIT
 *
 * vmmap, leaks, heap, sample, malloc_history: sizes, the shared header, tables of every age.
 * Values are worked out by hand: K = 2^10, M = 2^20, G = 2^30, half a printed digit either way.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "parsers/apple_size.h"
#include "tests/evidence_find.h"

#define FOOTPRINT JA_METRIC_PHYS_FOOTPRINT
#define PEAK JA_METRIC_PHYS_FOOTPRINT_PEAK
#define CATEGORY JA_METRIC_CATEGORY

static int set_up(void **state)
{
    (void)state;
    ja_parsers_prepare();
    return 0;
}

struct size_case {
    const char *text;
    int64_t page, value, low, high;
};

static void sizes_at_the_boundaries(void **state)
{
    (void)state;
    static const struct size_case cases[] = {
        {"0K", 1, 0, 0, 0},
        {"368", 1, 368, 368, 368},
        {"4095", 1, 4095, 4095, 4095},
        {"4K", 1, 4096, 3584, 4608},
        {"9743K", 1, 9976832, 9976320, 9977344},
        {"9999K", 1, 10238976, 10238464, 10239488},
        {"9.8M", 1, 10276045, 10223616, 10328474},
        {"886.7M", 1, 929772339, 929719910, 929824768},
        {"1.0G", 1, 1073741824, 1020054732, 1127428916},
        {"9.3G", 1, 9985798963, 9932111871, 10039486055},
        {"25600", 4096, 104857600, 104857600, 104857600},
        {"0", 4096, 0, 0, 0},
        {"9,8M", 1, 10276045, 10223616, 10328474}, /* comma locale */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct size_case *c = &cases[i];
        struct ja_quantity quantity;
        int64_t low, high;
        assert_int_equal(ja_vmmap_size(c->text, strlen(c->text), c->page, &quantity),
                         JA_VMMAP_SIZE);
        ja_quantity_interval(quantity, &low, &high);
        if (quantity.value != c->value || low != c->low || high != c->high)
            fail_msg("%s: %lld in %lld .. %lld", c->text, (long long)quantity.value, (long long)low,
                     (long long)high);
    }
}

static void not_sizes(void **state)
{
    (void)state;
    static const char *const words[] = {"", "K", "see", "12.5", "1.0X", "-1K", "12KB", "0x10", "T"};
    struct ja_quantity quantity;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ja_vmmap_size(words[i], strlen(words[i]), 1, &quantity) != JA_VMMAP_NO_SIZE)
            fail_msg("\"%s\" was taken for a size", words[i]);
    assert_int_equal(ja_vmmap_size("16777216.0T", 11, 1, &quantity), JA_VMMAP_TOO_LARGE);
    assert_int_equal(ja_vmmap_size("1048576.0T", 10, 1, &quantity), JA_VMMAP_TOO_LARGE);
    assert_int_equal(ja_vmmap_size("1023.9T", 7, 1, &quantity), JA_VMMAP_SIZE);
}

static void sums_keep_both_roundings(void **state)
{
    (void)state;
    struct ja_quantity a, b, zero, sum;
    int64_t low, high;
    ja_vmmap_size("24.0M", 5, 1, &a);
    ja_vmmap_size("9904K", 5, 1, &b);
    ja_vmmap_size("0K", 2, 1, &zero);
    sum = ja_quantity_sum(a, b);
    ja_quantity_interval(sum, &low, &high);
    assert_int_equal(sum.value, (24 << 20) + (9904 << 10));
    assert_int_equal(low, sum.value - 52429 - 512);
    assert_int_equal(high, sum.value + 52429 + 512);
    sum = ja_quantity_sum(zero, a);
    ja_quantity_interval(sum, &low, &high);
    assert_int_equal(low, (24 << 20) - 52429); /* an exact zero adds no doubt */
    sum = ja_quantity_sum(zero, zero);
    assert_int_equal(sum.rounding, JA_ROUNDING_EXACT);
}

static void summary_of_26(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("vmmap/summary.txt");
    assert_int_equal(e->kind, JA_KIND_VMMAP);
    assert_int_equal(e->status, JA_STATUS_USED);
    assert_string_equal(e->os, "macOS 26.2 (25C56)");
    assert_interval(find_reading(e, 59537, FOOTPRINT, NULL, 0), 5476083302, 5422396210, 5529770394);
    assert_int_equal(find_reading(e, 59537, PEAK, NULL, 0)->value, 5690831667);
    assert_int_equal(e->subjects[0].more->parent_pid, 700);
    assert_int_equal(e->stamps[e->captured].offset_s, -18000);
    assert_int_equal(e->stamps[e->subjects[0].more->start_stamp].hour, 1);
    assert_int_equal(find_fact(e, JA_FACT_ZONE_OFFSET_S, 0)->value, -18000);
    /* DIRTY 0K, SWAPPED = RESIDENT = NONVOL: one and the same 1.2G */
    assert_interval(find_reading(e, 59537, CATEGORY, "IOAccelerator (graphics)", 0), 1288490189,
                    1234803097, 1342177281);
    assert_int_equal(find_fact(e, JA_FACT_GRAPHICS_BYTES, 0)->value, 1288490189);
    assert_int_equal(find_reading(e, 59537, CATEGORY, "MALLOC_LARGE (empty)", 0)->value,
                     1932735283);
    assert_null(find_reading(e, 59537, CATEGORY, "MALLOC_LARGE (reserved)", 0));
    assert_int_equal(find_reading(e, 59537, CATEGORY, "Memory Tag 22", 0)->value, 16384);
    assert_interval(find_reading(e, 59537, CATEGORY, "__AUTH", 0), 2784, 2784, 2784);
    assert_null(find_reading(e, 59537, CATEGORY, "TOTAL", 0));
    ja_evidence_free(e);
}

static void zones_hold_and_use(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("vmmap/summary.txt");
    /* 3.9G + 9904K - 2.1G */
    assert_string_equal(find_fact(e, JA_FACT_RETAINED, 0)->text, "DefaultMallocZone_0x10c454000");
    assert_int_equal(find_fact(e, JA_FACT_LIVE, 0)->value, 2254857830);
    assert_int_equal(find_fact(e, JA_FACT_RETAINED, 0)->value,
                     INT64_C(4187593114) + (9904 << 10) - INT64_C(2254857830));
    assert_string_equal(find_fact(e, JA_FACT_LIVE, 1)->text,
                        "WebKit Using System Malloc_0x10a694000");
    assert_int_equal(find_fact(e, JA_FACT_RETAINED, 1)->value, (4 + 52 - 22) << 10);
    assert_string_equal(find_fact(e, JA_FACT_LIVE, 2)->text,
                        "caulk::global_page_cache_0x722971ce8");
    assert_null(find_fact(e, JA_FACT_LIVE, 3)); /* TOTAL is no zone */
    ja_evidence_free(e);
}

static void full_form(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("vmmap/full-2.4.txt");
    assert_int_equal(e->status, JA_STATUS_USED);
    assert_int_equal(e->systems[0].page_bytes, 16384);
    assert_int_equal(find_reading(e, 6681, CATEGORY, "MALLOC_NANO", 0)->value, (96 + 176) << 10);
    assert_int_equal(e->reading_count, 4); /* single regions are not added up */
    ja_evidence_free(e);
    e = parse_fixture("vmmap/cut.txt");
    assert_int_equal(e->status, JA_STATUS_DAMAGED);
    assert_null(find_reading(e, 6681, CATEGORY, "Stack", 0));
    assert_true(has_diagnostic(e, "cut-row"));
    ja_evidence_free(e);
}

static void pages_are_not_bytes(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("vmmap/pages.txt");
    assert_interval(find_reading(e, 8146, CATEGORY, "MALLOC_LARGE", 0), INT64_C(25600) * 4096,
                    INT64_C(25600) * 4096, INT64_C(25600) * 4096);
    assert_int_equal(find_reading(e, 8146, CATEGORY, "Memory Tag 242", 0)->value, 12 * 4096);
    assert_int_equal(e->systems[0].page_bytes, 4096); /* from (end - start) / VSIZE */
    assert_null(find_reading(e, 8146, FOOTPRINT, NULL, 0));
    ja_evidence_free(e);
}

static void old_forms_know_no_footprint(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("vmmap/format-2.3.txt");
    assert_int_equal(e->reading_count, 0);
    assert_int_equal(e->subjects[0].pid, 9433);
    assert_string_equal(e->os, "Mac OS X 10.10.5 (14F2511)");
    assert_int_equal(find_fact(e, JA_FACT_LIVE, 0)->value, 634 << 10);
    assert_int_equal(find_fact(e, JA_FACT_LIVE, 1)->value, 0); /* its % FULL is empty */
    assert_null(find_fact(e, JA_FACT_RETAINED, 0));
    ja_evidence_free(e);
    e = parse_fixture("vmmap/format-2.2-resident.txt");
    assert_int_equal(e->reading_count, 0);
    assert_string_equal(e->subjects[0].name, "python");
    assert_int_equal(find_fact(e, JA_FACT_LIVE, 0)->value, 174168474);
    ja_evidence_free(e);
    e = parse_fixture("vmmap/format-2.0.txt");
    assert_int_equal(e->reading_count, 0);
    assert_string_equal(e->subjects[0].name, "git-import");
    assert_int_equal(e->subjects[0].pid, 2727);
    ja_evidence_free(e);
}

static void macos_27_names(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("vmmap/macos-27.txt");
    assert_int_equal(find_reading(e, 2210, CATEGORY, "MALLOC_SMALL", 0)->value, 675282944);
    assert_int_equal(find_reading(e, 2210, CATEGORY, "Memory Tag 22", 0)->value, 16384);
    assert_int_equal(find_reading(e, 2210, CATEGORY, "Memory Tag 255", 0)->value, 12 << 20);
    assert_int_equal(find_reading(e, 2210, CATEGORY, "VM_ALLOCATE", 0)->value, 20 << 20);
    ja_evidence_free(e);
}

static void memgraph_of_a_device(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("vmmap/memgraph-cut.txt");
    assert_string_equal(e->systems[0].model, "iPhone7,1");
    assert_int_equal(e->status, JA_STATUS_DAMAGED);
    assert_int_equal(e->stamps[e->captured].clock, JA_CLOCK_REPORT);
    assert_null(find_reading(e, 3554, CATEGORY, "IOKit", 0));
    assert_int_equal(find_reading(e, 3554, CATEGORY, "CG raster data", 0)->value,
                     10380902 + (7764 << 10));
    ja_evidence_free(e);
}

static void odd_pieces(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("vmmap/underflow.txt");
    assert_true(has_diagnostic(e, "underflow"));
    assert_int_equal(e->status, JA_STATUS_USED);
    ja_evidence_free(e);
    e = parse_fixture("vmmap/rows-only.txt");
    assert_int_equal(e->status, JA_STATUS_PARTLY);
    assert_int_equal(e->reading_count, 2);
    ja_evidence_free(e);
    e = parse_fixture("vmmap/heap-as-ioaccelerator.txt");
    assert_int_equal(find_reading(e, JA_UNKNOWN, CATEGORY, "IOAccelerator", 0)->value, 442603930);
    assert_null(find_fact(e, JA_FACT_GRAPHICS_BYTES, 0));
    assert_true(has_diagnostic(e, "label"));
    ja_evidence_free(e);
    e = parse_fixture("vmmap/errors.txt");
    assert_int_equal(e->status, JA_STATUS_NO_MEMORY_CONTENT);
    assert_int_equal(e->subject_count, 0);
    ja_evidence_free(e);
    e = parse_fixture("vmmap/stopped.txt");
    assert_int_equal(e->status, JA_STATUS_DAMAGED);
    assert_int_equal(e->reading_count, 2);
    ja_evidence_free(e);
    e = parse_fixture("vmmap/pasted.txt");
    assert_int_equal(find_reading(e, 1581, FOOTPRINT, NULL, 0)->value, INT64_C(5) << 30);
    ja_evidence_free(e);
    e = parse_fixture("vmmap/crash-summary.txt");
    assert_int_equal(e->subject_count, 0);
    ja_evidence_free(e);
}

static void every_header_is_a_point(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        enum ja_kind kind;
    } cases[] = {{"heap/heap.txt", JA_KIND_HEAP},
                 {"leaks/leaks.txt", JA_KIND_LEAKS},
                 {"sample/sample.txt", JA_KIND_SAMPLE},
                 {"malloc_history/history.txt", JA_KIND_MALLOC_HISTORY}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ja_evidence *e = parse_fixture(cases[i].path);
        assert_int_equal(e->kind, cases[i].kind);
        assert_int_equal(e->record_count, 1);
        assert_interval(find_reading(e, 6253, FOOTPRINT, NULL, 0), 2576980378, 2523293286,
                        2630667470);
        assert_int_equal(e->stamps[e->records[0].stamp].nanosecond, 526000000);
        assert_int_equal(e->stamps[e->subjects[0].more->start_stamp].minute, 2);
        ja_evidence_free(e);
    }
}

static void what_the_tools_add(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("heap/heap.txt");
    assert_interval(find_reading(e, 6253, JA_METRIC_HEAP, NULL, 0), 47995930, 47995930, 47995930);
    ja_evidence_free(e);
    e = parse_fixture("heap/sizes.txt"); /* 4 x 525392 + 512 + 2 x 2 KB, each good to half a KB */
    assert_interval(find_reading(e, 6253, JA_METRIC_HEAP, NULL, 0), INT64_C(2102084) << 10,
                    (INT64_C(2102084) << 10) - 7 * 512, (INT64_C(2102084) << 10) + 7 * 512);
    ja_evidence_free(e);
    e = parse_fixture("heap/sizes-cut.txt");
    assert_int_equal(e->reading_count, 0);
    ja_evidence_free(e);
    e = parse_fixture("leaks/leaks.txt");
    assert_int_equal(find_fact(e, JA_FACT_LEAKS_BYTES, 0)->value, 4144);
    assert_int_equal(find_fact(e, JA_FACT_LIVE, 0)->value, 8521 << 10);
    assert_null(find_reading(e, 6253, JA_METRIC_HEAP, NULL, 0));
    ja_evidence_free(e);
    e = parse_fixture("leaks/restricted.txt");
    assert_string_equal(e->subjects[0].name, "node");
    assert_int_equal(find_fact(e, JA_FACT_LIVE, 0)->value, 46857 << 10);
    ja_evidence_free(e);
    e = parse_fixture("sample/no-footprint.txt");
    assert_int_equal(e->status, JA_STATUS_NO_MEMORY_CONTENT);
    ja_evidence_free(e);
}

static void crash_reports_are_not_ours(void **state)
{
    (void)state;
    struct ja_evidence *e =
        parse_text("Process:               Foo [812]\nPath:                  /Applications/Foo\n"
                   "Date/Time:             2026-01-02 03:04:05.678 +0100\n"
                   "OS Version:            macOS 26.2 (25C56)\nReport Version:        12\n\n"
                   "Crashed Thread:        0\nException Type:        EXC_BAD_ACCESS (SIGSEGV)\n");
    assert_false(ja_has_kind(e, JA_KIND_VMMAP));
    assert_int_equal(e->reading_count, 0);
    ja_evidence_free(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_at_the_boundaries),
        cmocka_unit_test(not_sizes),
        cmocka_unit_test(sums_keep_both_roundings),
        cmocka_unit_test(summary_of_26),
        cmocka_unit_test(zones_hold_and_use),
        cmocka_unit_test(full_form),
        cmocka_unit_test(pages_are_not_bytes),
        cmocka_unit_test(old_forms_know_no_footprint),
        cmocka_unit_test(macos_27_names),
        cmocka_unit_test(memgraph_of_a_device),
        cmocka_unit_test(odd_pieces),
        cmocka_unit_test(every_header_is_a_point),
        cmocka_unit_test(what_the_tools_add),
        cmocka_unit_test(crash_reports_are_not_ours),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
