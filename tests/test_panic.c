/* SPDX-License-Identifier: MIT
 *
 * Panic logs: times that were worked out by hand from real logs, reasons and what they may prove.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "parsers/panic.h"
#include "parsers/parser.h"

static int set_up(void **state)
{
    (void)state;
    ja_parsers_prepare();
    return 0;
}

static struct ja_evidence *read_text(const char *name, const char *text)
{
    struct ja_file file = {
        .path = name, .name = name, .text = text, .length = strlen(text), .mtime_ns = JA_UNKNOWN};
    return ja_parse_file(&file, NULL, JA_UNKNOWN, 100000);
}

static int64_t number(const struct ja_evidence *evidence, enum ja_fact_key key)
{
    const struct ja_fact *fact = ja_record_fact(evidence, 0, key);
    return fact ? fact->value : JA_UNKNOWN;
}

static const char *words(const struct ja_evidence *evidence, enum ja_fact_key key)
{
    const struct ja_fact *fact = ja_record_fact(evidence, 0, key);
    return fact ? fact->text : NULL;
}

/* Seven logs: their hexadecimal clocks, and what a person gets from them with a calculator. */
static const struct {
    const char *boot, *calendar, *mach; /* as printed, seconds only */
    const char *boot_utc, *calendar_utc;
    int64_t wall_s, awake_s;
    const char *written; /* header; NULL: none */
    int64_t lag_s;
} vectors[] = {
    {"6aa6c6ef", "6aa7f1cb", "1ab63abf038", "2026-09-13T15:53:19", "2026-09-14T13:08:27", 76508,
     76484, "2026-09-14 14:08:48.00 +0100", 21},
    {"6a7d44a4", "6a7d47e1", "4aaa584f6", "2026-08-13T04:14:28", "2026-08-13T04:28:17", 829, 835,
     "2026-08-13 07:28:43.00 +0300", 26},
    {"6a00ab0c", "6a00d927", "41bbd25d00", "2026-05-10T15:58:04", "2026-05-10T19:14:47", 11803,
     11763, NULL, 0},
    {"653256c4", "65325df2", "81b62ed06", "2023-10-20T10:30:28", "2023-10-20T11:01:06", 1838, 1450,
     "2023-10-20 13:01:24.00 +0200", 18},
    {"63a6db09", "63a6e58a", "f942216ae", "2022-12-24T10:57:13", "2022-12-24T11:42:02", 2689, 2787,
     "2022-12-24 11:43:00.47 +0000", 58},
    {"6256f9b5", "625b68a4", "5d4f2db331", "2022-04-13T16:26:29", "2022-04-17T01:08:52", 290543,
     16698, NULL, 0},
    {"6917e9ca", "69186e0d", "bd3f678285", "2025-11-15T02:47:38", "2025-11-15T12:11:57", 33859,
     33867, NULL, 0},
};

static void clocks_are_read_as_utc(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        char text[2048], header[256] = "";
        snprintf(text, sizeof text,
                 "panic(cpu 1 caller 0xfffffe0012345678): x\\nDebugger message: panic\\n"
                 "mach_absolute_time: 0x%s\\nEpoch Time:        sec       usec\\n"
                 "  Boot    : 0x%s 0x00000000\\n  Sleep   : 0x00000000 0x00000000\\n"
                 "  Wake    : 0x00000000 0x00000000\\n  Calendar: 0x%s 0x00000000\\n"
                 "Panicked task 0x1: 0 pages, 1 threads: pid 0: kernel_task\\n",
                 vectors[i].mach, vectors[i].boot, vectors[i].calendar);
        if (vectors[i].written)
            snprintf(header, sizeof header, ",\"timestamp\":\"%s\"", vectors[i].written);
        char file[4096];
        snprintf(file, sizeof file, "{\"bug_type\":\"210\"%s}\n{\"panicString\":\"%s\"}\n", header,
                 text);
        struct ja_evidence *e = read_text("x.ips", file);
        assert_int_equal(e->kind, JA_KIND_PANIC);
        char printed[JA_INSTANT_TEXT];
        uint32_t stamp = e->records[0].stamp, boot = e->systems[0].boot_stamp;
        assert_true(stamp != JA_NONE && boot != JA_NONE);
        ja_instant_print(e->stamps[stamp].unix_ns, printed);
        assert_memory_equal(printed, vectors[i].calendar_utc, 19);
        ja_instant_print(e->stamps[boot].unix_ns, printed);
        assert_memory_equal(printed, vectors[i].boot_utc, 19);
        assert_int_equal(number(e, JA_FACT_UPTIME_S), vectors[i].wall_s);
        assert_int_equal(number(e, JA_FACT_AWAKE_S), vectors[i].awake_s);
        if (vectors[i].written)
            assert_int_equal(number(e, JA_FACT_REPORT_LAG_S), vectors[i].lag_s);
        ja_evidence_free(e);
    }
}

/* What JSON escapes is what stands in the panic string; half a pair stands for no letter. */
static void escapes_of_the_string_are_letters(void **state)
{
    (void)state;
    struct ja_evidence *e = read_text(
        "x.ips",
        "{\"bug_type\":\"210\"}\n{\"panicString\":\"panic(cpu 0 caller 0x1): "
        "caf\\u00e9 \\u20AC \\ud83d! \\u0041\\tB\\\\C \\u00zz\\nDebugger message: panic\\n\"}\n");
    assert_non_null(strstr(words(e, JA_FACT_PANIC_STRING), "caf\xc3\xa9 \xe2\x82\xac ?! A B\\C ?"));
    ja_evidence_free(e);
    e = read_text("x.ips", "{\"bug_type\":\"210\"}\n{\"panicString\":\"panic(cpu 0 caller 0x1): "
                           "zone map exhausted \\u00");
    assert_int_equal(e->status, JA_STATUS_DAMAGED);
    assert_non_null(strstr(words(e, JA_FACT_PANIC_STRING), "zone map exhausted"));
    ja_evidence_free(e);
}

static void a_calendar_that_was_not_set_is_no_time(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "Boot : 0x00000005 0x00000000 Calendar: 0x00000047 0x00000000 ", /* 1970 */
        "Boot : 0x6aa7f1cb 0x00000000 Calendar: 0x6aa6c6ef 0x00000000 ", /* before the boot */
        "Boot : 0x6aa6c6ef 0x00000000 Calendar: 0x6aa7f1 ",              /* cut */
        "Warning: clock is locked. Boot : 0x6aa6c6ef 0x00000000 Calendar: 0x6aa7f1cb 0x0000 ",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[512];
        snprintf(text, sizeof text, "panic(cpu 0): x\nDebugger message: panic\nEpoch Time: %s\n",
                 texts[i]);
        struct ja_evidence *e = read_text("x.txt", text);
        assert_int_equal(e->event_count, 1);
        assert_int_equal(e->events[0].stamp, JA_NONE);
        assert_int_equal(number(e, JA_FACT_UPTIME_S), JA_UNKNOWN);
        ja_evidence_free(e);
    }
}

static void a_compressor_line_is_read_in_any_wrapping(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "panic(cpu 0): x\nCompressor Info: 31% of compressed pages limit (OK) and 100% of segments "
        "limit (BAD) with 68 swapfiles and LOW swap space\n",
        "panic(cpu 0): x Compressor\nInfo: 31% of\ncompressed pages limit (OK) and 100%   of "
        "segments\n limit (BAD) with 68\nswapfiles and LOW\nswap space\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct ja_evidence *e = read_text("x.txt", texts[i]);
        assert_int_equal(number(e, JA_FACT_COMPRESSOR_PAGES_PERCENT), 31);
        assert_string_equal(words(e, JA_FACT_COMPRESSOR_PAGES_STATE), "OK");
        assert_int_equal(number(e, JA_FACT_COMPRESSOR_SEGMENTS_PERCENT), 100);
        assert_string_equal(words(e, JA_FACT_COMPRESSOR_SEGMENTS_STATE), "BAD");
        assert_int_equal(number(e, JA_FACT_SWAPFILES), 68);
        assert_string_equal(words(e, JA_FACT_SWAP_SPACE_STATE), "LOW");
        ja_evidence_free(e);
    }
}

/* Every prefix of a line gives what stands there, never the head of a number. */
static void a_cut_compressor_line_gives_no_wrong_number(void **state)
{
    (void)state;
    const char *whole = "panic(cpu 0): watchdog timeout: no checkins from watchdogd in 94 seconds "
                        "(1536 total checkins since monitoring last enabled)\nCompressor Info: 31% "
                        "of compressed pages limit (OK) and 100% of segments limit (BAD) with 68 "
                        "swapfiles and LOW swap space";
    for (size_t length = 12; length <= strlen(whole); length++) {
        char text[512];
        snprintf(text, sizeof text, "%.*s", (int)length, whole);
        struct ja_evidence *e = read_text("x.txt", text);
        static const struct {
            enum ja_fact_key key;
            int64_t value;
        } rows[] = {{JA_FACT_WATCHDOG_SILENT_S, 94},
                    {JA_FACT_WATCHDOG_CHECKINS, 1536},
                    {JA_FACT_COMPRESSOR_PAGES_PERCENT, 31},
                    {JA_FACT_COMPRESSOR_SEGMENTS_PERCENT, 100},
                    {JA_FACT_SWAPFILES, 68}};
        for (size_t i = 0; e->record_count && i < sizeof rows / sizeof *rows; i++) {
            int64_t value = number(e, rows[i].key);
            assert_true(value == JA_UNKNOWN || value == rows[i].value);
        }
        ja_evidence_free(e);
    }
}

static const struct {
    const char *reason;
    enum ja_panic_family family;
} reasons[] = {
    {"zalloc[3]: zone map exhausted while allocating from zone [x]", JA_PANIC_EXHAUSTED},
    {"zone map exhaustion: waited for 5000 ms (pages: 1, max: 2, wanted: 3)", JA_PANIC_EXHAUSTED},
    {"zba_populate: out of bitmap space, likely due to memory leak in zone [x]",
     JA_PANIC_EXHAUSTED},
    {"stack_alloc: kernel_memory_allocate(size:0x4000) failed with 3", JA_PANIC_EXHAUSTED},
    {"kmem_alloc(0x1, 5) failed with 3", JA_PANIC_EXHAUSTED},
    {"memorystatus_jetsam_thread: no victim! available pages:312", JA_PANIC_EXHAUSTED},
    {"watchdog timeout: no checkins from watchdogd in 94 seconds", JA_PANIC_WATCHDOG},
    {"userspace watchdog timeout: no successful checkins from logd", JA_PANIC_WATCHDOG},
    {"WDT timeout", JA_PANIC_WATCHDOG},
    {"macOS watchdog detected", JA_PANIC_WATCHDOG},
    {"initproc exited -- exit reason namespace 1 subcode 0x7", JA_PANIC_EXIT},
    {"btn_rst", JA_PANIC_BUTTON},
    {"mbuf_watchdog: 1 waiters stuck for 16 secs", JA_PANIC_OTHER_CAUSE},
    {"\"completeMemory() prepare count underflow\" @IOGPUMemory.cpp:550", JA_PANIC_OTHER_CAUSE},
    {"DCP PANIC - program_swap: Async Swap request landing on", JA_PANIC_OTHER_CAUSE},
    {"Write fault on compressor map, va: 0x1", JA_PANIC_OTHER_CAUSE},
    {"a freed zone element has been modified in zone kalloc.64", JA_PANIC_OTHER_CAUSE},
    {"Possible memory corruption: pmap_pv_remove", JA_PANIC_OTHER_CAUSE},
    {"Too many alloc retries: 502, table:0x1", JA_PANIC_OTHER_CAUSE},
    {"Kernel trap at 0x1, type 14=page fault, registers:", JA_PANIC_OTHER_CAUSE},
    {"Kernel data abort. at pc 0x1", JA_PANIC_OTHER_CAUSE},
    {"SMC PANIC - ASSERT", JA_PANIC_OTHER_CAUSE},
    {"Sleep transition timed out after 35 seconds", JA_PANIC_OTHER_CAUSE},
    {"unexpected SIGKILL of launchd (CS_KILLED)", JA_PANIC_OTHER_CAUSE},
    {"frobnicator: queue out of order", JA_PANIC_UNKNOWN},
};

static void look_alikes_are_not_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        const struct ja_panic_class *row =
            ja_panic_classify(reasons[i].reason, strlen(reasons[i].reason));
        assert_int_equal(row ? row->family : JA_PANIC_UNKNOWN, reasons[i].family);
    }
}

static void the_size_field_is_named_by_the_kernel_version(void **state)
{
    (void)state;
    const char *x86 = "root:xnu-4570.71.2~1/RELEASE_X86_64",
               *arm = "root:xnu-4570.70/RELEASE_ARM64_X";
    assert_int_equal(ja_panic_size_metric("xnu-4903.1", NULL, false), JA_METRIC_PHYS_FOOTPRINT);
    assert_int_equal(ja_panic_size_metric("xnu-12377.1", NULL, false), JA_METRIC_PHYS_FOOTPRINT);
    assert_int_equal(ja_panic_size_metric(x86, NULL, false), JA_METRIC_RESIDENT);
    assert_int_equal(ja_panic_size_metric(arm, NULL, false), JA_METRIC_PHYS_FOOTPRINT);
    assert_int_equal(ja_panic_size_metric("xnu-3789.1", NULL, false), JA_METRIC_RESIDENT);
    assert_int_equal(ja_panic_size_metric(NULL, "macOS 27.0 (26A1)", false),
                     JA_METRIC_PHYS_FOOTPRINT);
    assert_int_equal(ja_panic_size_metric(NULL, "Mac OS X 10.13.6 (17G65)", false),
                     JA_METRIC_RESIDENT);
    assert_int_equal(ja_panic_size_metric(NULL, "iPhone OS 11.4 (15F79)", false),
                     JA_METRIC_PHYS_FOOTPRINT);
    assert_int_equal(ja_panic_size_metric(NULL, "iPhone OS 10.3.3 (14G60)", false),
                     JA_METRIC_RESIDENT);
    assert_int_equal(ja_panic_size_metric(NULL, NULL, true), JA_METRIC_PHYS_FOOTPRINT);
    assert_int_equal(ja_panic_size_metric(NULL, NULL, false), JA_METRIC_UNSTATED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clocks_are_read_as_utc),
        cmocka_unit_test(a_calendar_that_was_not_set_is_no_time),
        cmocka_unit_test(escapes_of_the_string_are_letters),
        cmocka_unit_test(a_compressor_line_is_read_in_any_wrapping),
        cmocka_unit_test(a_cut_compressor_line_gives_no_wrong_number),
        cmocka_unit_test(look_alikes_are_not_memory),
        cmocka_unit_test(the_size_field_is_named_by_the_kernel_version),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
