/* SPDX-License-Identifier: MIT
 *
 * footprint: the unit rule on its boundary values, and what each form of dump becomes. Values are
 * worked out by hand: MB = 2^20, GB = 2^30, half a printed unit either way.
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
    int64_t value, low, high;
    enum ja_size_oddity oddity;
};

static void check_size(const struct size_case *c)
{
    struct ja_scan scan = ja_scan_of(c->text, strlen(c->text));
    struct ja_quantity quantity;
    enum ja_size_oddity oddity;
    int64_t low, high;
    if (!ja_footprint_size(&scan, 16384, &quantity, &oddity))
        fail_msg("%s is no size", c->text);
    ja_quantity_interval(quantity, &low, &high);
    if (quantity.value != c->value || low != c->low || high != c->high || oddity != c->oddity)
        fail_msg("%s: %lld in %lld .. %lld, oddity %d", c->text, (long long)quantity.value,
                 (long long)low, (long long)high, (int)oddity);
}

/* humanize_number with an 8-byte buffer: four digits, the unit changes at 9999.5 of the finer. */
static void sizes_at_the_boundaries(void **state)
{
    (void)state;
    static const struct size_case cases[] = {
        {"0 B", 0, 0, 0, JA_SIZE_AS_PRINTED},
        {"4096 B", 4096, 4096, 4096, JA_SIZE_AS_PRINTED},
        {"9999 B", 9999, 9999, 9999, JA_SIZE_AS_PRINTED},
        {"10 KB", 10240, 9999, 10752, JA_SIZE_AS_PRINTED},
        {"832 KB", 851968, 851456, 852480, JA_SIZE_AS_PRINTED},
        {"9999 KB", 10238976, 10238464, 10239488, JA_SIZE_AS_PRINTED},
        {"10 MB", 10485760, 10239488, 11010048, JA_SIZE_AS_PRINTED},
        {"11 MB", 11534336, 11010048, 12058624, JA_SIZE_AS_PRINTED},
        {"9493 MB", 9954131968, 9953607680, 9954656256, JA_SIZE_AS_PRINTED},
        {"9999 MB", 10484711424, 10484187136, 10485235712, JA_SIZE_AS_PRINTED},
        {"10 GB", 10737418240, 10485235712, 11274289152, JA_SIZE_AS_PRINTED},
        {"21 GB", 22548578304, 22011707392, 23085449216, JA_SIZE_AS_PRINTED},
        {"9954533592 B", 9954533592, 9954533592, 9954533592, JA_SIZE_AS_PRINTED},
        {"98304 pages", 1610612736, 1610596352, 1610612736, JA_SIZE_AS_PRINTED},
        {"0 pages", 0, 0, 0, JA_SIZE_AS_PRINTED},
        {"1.6 GB", 1717986918, 1664299826, 1771674010, JA_SIZE_DECIMALS},
        {"9 GB", 9663676416, 9126805504, 10200547328, JA_SIZE_UNNATURAL},
        {"15360 MB", 16106127360, 15569256448, 16642998272, JA_SIZE_CONVERTED},
        {"15,360 MB", 16106127360, 15569256448, 16642998272, JA_SIZE_CONVERTED},
        {"15361 MB", 16107175936, 16106651648, 16107700224, JA_SIZE_UNNATURAL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_size(&cases[i]);
}

static void not_sizes(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "MB",
                                        "12",
                                        "12 ",
                                        "12 mb",
                                        "-3 MB",
                                        "1 page table",
                                        "12 PB",
                                        "0x10 MB",
                                        "1.5 pages",
                                        "12 M",
                                        "B 12",
                                        "99999999999 GB",
                                        "7 zones",
                                        "12 MBit",
                                        "9223372036854775808 B"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct ja_scan scan = ja_scan_of(texts[i], strlen(texts[i]));
        struct ja_quantity quantity;
        enum ja_size_oddity oddity;
        if (ja_footprint_size(&scan, 16384, &quantity, &oddity))
            fail_msg("\"%s\" was taken for a size", texts[i]);
        assert_int_equal(scan.at, 0);
    }
}

static void pages_need_a_page_size(void **state)
{
    (void)state;
    struct ja_scan scan = ja_scan_of("12 pages", 8);
    struct ja_quantity quantity;
    enum ja_size_oddity oddity;
    assert_false(ja_footprint_size(&scan, JA_UNKNOWN, &quantity, &oddity));
}

static void categories_have_one_name(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"untagged (VM_ALLOCATE)", "VM_ALLOCATE"},
        {"untagged (\"VM_ALLOCATE\")", "VM_ALLOCATE"},
        {"Untagged", "VM_ALLOCATE"},
        {"stack", "Stack"},
        {"Stack Guard", "STACK GUARD"},
        {"tag 22", "Memory Tag 22"},
        {"Deferred Reclaim", "Memory Tag 22"},
        {"app-specific tag 1", "Memory Tag 240"},
        {"App-Specific Tag 16", "Memory Tag 255"},
        {"MALLOC_LARGE_REUSABLE", "MALLOC_LARGE (reusable)"},
        {"Malloc Large (Reusable)", "MALLOC_LARGE (reusable)"},
        {"Malloc Small", "MALLOC_SMALL"},
        {"MALLOC_SMALL (empty)", "MALLOC_SMALL (empty)"},
        {"WebKit malloc", "WebKit Malloc"},
        {"ImageIO", "Image IO"},
        {"OS Alloc Once", "Kernel Alloc Once"},
        {"Owned physical footprint (unmapped)", "owned unmapped memory"},
        {"owned unmapped (graphics)", "owned unmapped memory (graphics)"},
        {"IOAccelerator", "IOAccelerator"},
        {"IOAccelerator (Graphics)", "IOAccelerator (graphics)"},
        {"tag 999", "tag 999"},
        {"My Own Tag", "My Own Tag"},
    };
    struct ja_arena *arena = ja_arena_new();
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_string_equal(ja_apple_category(pairs[i][0], strlen(pairs[i][0]), arena),
                            pairs[i][1]);
    assert_true(ja_category_is_graphics("IOAccelerator (graphics)"));
    assert_false(ja_category_is_graphics("IOAccelerator"));
    ja_arena_free(arena);
}

static void formatted_dump(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("footprint/formatted.txt");
    assert_int_equal(e->kind, JA_KIND_FOOTPRINT);
    assert_int_equal(e->status, JA_STATUS_USED);
    assert_string_equal(e->subjects[0].name, "Lantern Helper (Renderer)");
    assert_int_equal(e->systems[0].page_bytes, 16384);
    assert_interval(find_reading(e, 4711, FOOTPRINT, NULL, 0), INT64_C(1083) << 20,
                    (INT64_C(1083) << 20) - (1 << 19), (INT64_C(1083) << 20) + (1 << 19));
    assert_interval(find_reading(e, 4711, PEAK, NULL, 0), INT64_C(1420) << 20,
                    (INT64_C(1420) << 20) - (1 << 19), (INT64_C(1420) << 20) + (1 << 19));
    assert_int_equal(e->subjects[0].peak_bytes, INT64_C(1420) << 20);
    assert_interval(find_reading(e, 4711, CATEGORY, "page table in kernel", 0), 6144 << 10,
                    (6144 << 10) - 512, (6144 << 10) + 512);
    assert_null(find_reading(e, 4711, CATEGORY, "mapped file", 0)); /* clean pages only */
    assert_null(find_reading(e, 4711, CATEGORY, "TOTAL", 0));
    assert_int_equal(find_fact(e, JA_FACT_GRAPHICS_BYTES, 0)->value, INT64_C(812) << 20);
    assert_string_equal(stamp_text(e, 0), "Tue Sep 15 15:26:29 UTC 2026");
    ja_evidence_free(e);
}

static void bytes_and_pages(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("footprint/bytes.txt");
    assert_interval(find_reading(e, 233, FOOTPRINT, NULL, 0), 10512039000, 10512039000,
                    10512039000);
    assert_interval(find_reading(e, 233, PEAK, NULL, 0), 29108756384, 29108756384, 29108756384);
    assert_false(has_diagnostic(e, "hand-edited"));
    ja_evidence_free(e);
    e = parse_fixture("footprint/pages.txt");
    assert_interval(find_reading(e, 61992, FOOTPRINT, NULL, 0), INT64_C(98304) * 16384,
                    INT64_C(98303) * 16384, INT64_C(98304) * 16384);
    assert_interval(find_reading(e, 61992, CATEGORY, "page table in kernel", 0), 65536, 49152,
                    65536);
    ja_evidence_free(e);
}

/* A process may be called by the words of its own title. */
static void names_like_titles(void **state)
{
    (void)state;
    struct ja_evidence *e =
        parse_text("Footprint: 3 MB [107]: 64-bit    Footprint: 12 MB (16384 bytes per page)\n\n"
                   "Auxiliary data:\n    phys_footprint: 12 MB\n");
    assert_int_equal(e->kind, JA_KIND_FOOTPRINT);
    assert_string_equal(e->subjects[0].name, "Footprint: 3 MB");
    assert_int_equal(find_reading(e, 107, FOOTPRINT, NULL, 0)->value, 12 << 20);
    ja_evidence_free(e);
}

static void swapped_is_inside_dirty(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("footprint/swapped-wired.txt");
    assert_int_equal(find_reading(e, 733, CATEGORY, "IOAccelerator (graphics)", 0)->value,
                     INT64_C(2100) << 20);
    /* the ledger, not the header's 2410 MB, though the peak stands above it */
    assert_int_equal(find_reading(e, 733, FOOTPRINT, NULL, 0)->value, INT64_C(2411) << 20);
    assert_int_equal(find_reading(e, 733, PEAK, NULL, 0)->value, INT64_C(3015) << 20);
    assert_false(has_diagnostic(e, "header-for-ledger"));
    ja_evidence_free(e);
}

static void three_totals_stay_apart(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("footprint/several-processes.txt");
    assert_int_equal(e->record_count, 3);
    assert_int_equal(e->subject_count, 2);
    assert_int_equal(find_reading(e, 3301, FOOTPRINT, NULL, 0)->value, INT64_C(1102) << 20);
    assert_int_equal(find_reading(e, 3319, FOOTPRINT, NULL, 0)->value, INT64_C(801) << 20);
    assert_null(find_reading(e, 3301, CATEGORY, "IOSurface", 1)); /* the shared table */
    assert_string_equal(e->subjects[1].name, "Relay Helper [GPU]");
    assert_int_equal(find_fact(e, JA_FACT_SUMMARY_FOOTPRINT, 0)->value, INT64_C(1500) << 20);
    assert_null(find_fact(e, JA_FACT_SUMMARY_FOOTPRINT, 1));
    ja_evidence_free(e);
}

static void stamps_of_a_loop(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("footprint/no-categories.txt");
    assert_int_equal(e->record_count, 2);
    assert_string_equal(stamp_text(e, 1), "=== 10:05:00 ===");
    assert_interval(find_reading(e, 812, FOOTPRINT, NULL, 1), 10737418240, 10485235712,
                    11274289152);
    ja_evidence_free(e);
    e = parse_fixture("footprint/sample-mode.txt");
    assert_int_equal(e->record_count, 2);
    assert_int_equal(find_reading(e, 812, FOOTPRINT, NULL, 1)->value, 312 << 20);
    ja_evidence_free(e);
}

static void cut_dumps(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("footprint/cut.txt");
    assert_int_equal(e->status, JA_STATUS_DAMAGED);
    assert_true(has_diagnostic(e, "cut-row"));
    assert_true(has_diagnostic(e, "header-for-ledger"));
    assert_int_equal(e->reading_count, 3); /* two whole rows and the header's figure */
    assert_int_equal(find_reading(e, 8203, FOOTPRINT, NULL, 0)->value, 172 << 20);
    ja_evidence_free(e);
    e = parse_fixture("footprint/cut-name.txt"); /* MALLOC_SM is a stump */
    assert_int_equal(e->status, JA_STATUS_DAMAGED);
    assert_int_equal(e->reading_count, 2);
    assert_null(find_reading(e, 8203, CATEGORY, "MALLOC_SM", 0));
    ja_evidence_free(e);
    e = parse_fixture("footprint/elided.txt");
    assert_int_equal(e->status, JA_STATUS_PARTLY);
    assert_int_equal(find_reading(e, 3244, FOOTPRINT, NULL, 0)->value, 362 << 20);
    ja_evidence_free(e);
}

static void pasted_dumps(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("footprint/pasted.md");
    assert_interval(find_reading(e, 53213, FOOTPRINT, NULL, 0), INT64_C(108) << 30, 115427246080,
                    116500987904);
    assert_interval(find_reading(e, 53213, CATEGORY, "IOAccelerator (graphics)", 0),
                    INT64_C(106) << 30, 113279762432, 114353504256);
    assert_non_null(find_fact(e, JA_FACT_HAND_EDITED, 0));
    ja_evidence_free(e);
    e = parse_fixture("footprint/terminal.txt");
    assert_int_equal(find_reading(e, 1404, FOOTPRINT, NULL, 0)->value, 195 << 20);
    assert_non_null(find_reading(e, 1404, CATEGORY, "owned unmapped memory (graphics)", 0));
    ja_evidence_free(e);
    e = parse_fixture("footprint/header-only.txt");
    assert_string_equal(e->subjects[0].name, "xbuild");
    assert_int_equal(find_reading(e, 59537, CATEGORY, "MALLOC_LARGE", 0)->value, INT64_C(5133)
                                                                                     << 20);
    ja_evidence_free(e);
}

static void edited_figures_are_marked(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("footprint/hand-edited.txt");
    assert_interval(find_reading(e, 2044, FOOTPRINT, NULL, 0), 1717986918, 1664299826, 1771674010);
    assert_interval(find_reading(e, 2044, FOOTPRINT, NULL, 1), INT64_C(15) << 30, 15569256448,
                    16642998272);
    assert_int_equal(find_fact(e, JA_FACT_HAND_EDITED, 1)->value, INT64_C(15) << 30);
    assert_true(has_diagnostic(e, "hand-edited"));
    ja_evidence_free(e);
}

static void finer_parts_are_said(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("footprint/finer-parts.txt");
    /* 5290 + 5734 + 352 + 274 MB, each good to half a MB */
    assert_int_equal(find_fact(e, JA_FACT_NOTE, 0)->value, INT64_C(11650) << 20);
    assert_string_equal(find_fact(e, JA_FACT_NOTE, 0)->text,
                        "the 4 rows add up to between 12213813248 and 12218007552 bytes, within "
                        "the printed total");
    assert_interval(find_reading(e, 888, FOOTPRINT, NULL, 0), INT64_C(11) << 30, 11274289152,
                    12348030976);
    ja_evidence_free(e);
}

static void errors_hold_no_sample(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "footprint: Must run as root.\n",
        "Password:\nfootprint: Unable to find pid for process matching '999999'\n"};
    for (size_t i = 0; i < 2; i++) {
        struct ja_evidence *e = parse_text(texts[i]);
        assert_int_equal(e->kind, JA_KIND_FOOTPRINT);
        assert_int_equal(e->status, JA_STATUS_NO_MEMORY_CONTENT);
        assert_int_equal(e->reading_count + e->subject_count, 0);
        ja_evidence_free(e);
    }
    struct ja_evidence *e = parse_fixture("footprint/name-match.txt");
    assert_int_equal(e->subject_count, 1);
    assert_int_equal(e->subjects[0].pid, 917); /* not the 4242 that was asked for */
    assert_true(has_diagnostic(e, "name-match"));
    ja_evidence_free(e);
    e = parse_fixture("footprint/headerless.txt");
    assert_int_equal(e->status, JA_STATUS_DAMAGED);
    assert_int_equal(e->reading_count, 0);
    ja_evidence_free(e);
}

static void time_of_the_neighbour(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("footprint/beside-vmmap.txt");
    assert_int_equal(e->record_count, 4);
    /* footprint of 712 directly above its vmmap: that one's time, good to a minute */
    const struct ja_stamp *stamp = &e->stamps[e->records[0].stamp];
    assert_int_equal(stamp->hour * 60 + stamp->minute, 10 * 60 + 15);
    assert_int_equal(stamp->error_ns, 60 * JA_NS_PER_S);
    assert_int_equal(stamp->clock, JA_CLOCK_STAMP);
    assert_int_equal(find_reading(e, 712, FOOTPRINT, NULL, 0)->stamp, e->records[0].stamp);
    /* between two vmmaps an hour apart: undated */
    assert_int_equal(e->records[2].stamp, JA_NONE);
    assert_int_equal(find_reading(e, 712, FOOTPRINT, NULL, 2)->stamp, JA_NONE);
    assert_true(has_diagnostic(e, "time-of-neighbour"));
    ja_evidence_free(e);
}

static void json_single(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("footprint_json/single.json");
    assert_int_equal(e->kind, JA_KIND_FOOTPRINT);
    assert_interval(find_reading(e, 8613, FOOTPRINT, NULL, 0), 1211072512, 1211072512, 1211072512);
    assert_int_equal(find_reading(e, 8613, CATEGORY, "WebKit Malloc", 0)->value, 902840320);
    assert_int_equal(e->stamps[e->captured].clock, JA_CLOCK_REPORT);
    assert_int_equal(e->stamps[e->captured].offset_s, 19800);
    assert_string_equal(
        ja_place_pointer(e, find_reading(e, 8613, CATEGORY, "IOAccelerator (graphics)", 0)->place,
                         e->arena),
        "/processes/0/categories/IOAccelerator (graphics)/dirty");
    assert_null(find_fact(e, JA_FACT_SUMMARY_FOOTPRINT, 0)); /* one process: nothing to share */
    assert_false(e->records[0].census);
    ja_evidence_free(e);
}

static void json_of_all_processes(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("footprint_json/all.json");
    assert_true(e->records[0].census);
    assert_int_equal(e->subject_count, 3);
    assert_int_equal(find_reading(e, 0, FOOTPRINT, NULL, 0)->value, 3221225472);
    assert_int_equal(find_fact(e, JA_FACT_SUMMARY_FOOTPRINT, 0)->value, 3300000000);
    ja_evidence_free(e);
    e = parse_fixture("footprint_json/pages.json");
    assert_interval(find_reading(e, 77, FOOTPRINT, NULL, 0), INT64_C(98304) * 16384,
                    INT64_C(98303) * 16384, INT64_C(98304) * 16384);
    ja_evidence_free(e);
}

static void json_cut_off(void **state)
{
    (void)state;
    struct ja_evidence *e = parse_fixture("footprint_json/run.json");
    assert_int_equal(e->status, JA_STATUS_USED);
    assert_int_equal(find_reading(e, 911, FOOTPRINT, NULL, 2)->value, 171982848);
    ja_evidence_free(e);
    e = parse_fixture("footprint_json/run-cut.json");
    assert_int_equal(e->status, JA_STATUS_DAMAGED);
    assert_int_equal(find_reading(e, 911, FOOTPRINT, NULL, 0)->value, 104873984);
    assert_int_equal(find_reading(e, 911, FOOTPRINT, NULL, 1)->value, 138428416);
    assert_null(find_reading(e, 911, FOOTPRINT, NULL, 2)); /* 1719... is a stump */
    assert_int_equal(e->record_count, 2);
    ja_evidence_free(e);
    e = parse_fixture("footprint_json/single-cut.json");
    assert_int_equal(e->status, JA_STATUS_DAMAGED);
    assert_int_equal(e->subject_count, 2);
    assert_int_equal(e->stamps[e->records[0].stamp].offset_s, 19800);
    ja_evidence_free(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_at_the_boundaries),
        cmocka_unit_test(not_sizes),
        cmocka_unit_test(pages_need_a_page_size),
        cmocka_unit_test(categories_have_one_name),
        cmocka_unit_test(formatted_dump),
        cmocka_unit_test(bytes_and_pages),
        cmocka_unit_test(names_like_titles),
        cmocka_unit_test(swapped_is_inside_dirty),
        cmocka_unit_test(three_totals_stay_apart),
        cmocka_unit_test(stamps_of_a_loop),
        cmocka_unit_test(cut_dumps),
        cmocka_unit_test(pasted_dumps),
        cmocka_unit_test(edited_figures_are_marked),
        cmocka_unit_test(finer_parts_are_said),
        cmocka_unit_test(errors_hold_no_sample),
        cmocka_unit_test(time_of_the_neighbour),
        cmocka_unit_test(json_single),
        cmocka_unit_test(json_of_all_processes),
        cmocka_unit_test(json_cut_off),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
