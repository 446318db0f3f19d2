/* SPDX-License-Identifier: MIT
 *
 * The model on small stories: who is who, which boot, which series, what stands in the books. Each
 * story is a few NDJSON lines in memory; the case is built as the program builds it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/bridge.h"
#include "tests/story.h"

static size_t count_processes(const struct ja_case *item, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < item->process_count; i++)
        count += strcmp(item->processes[i].name, name) == 0;
    return count;
}

#define READING(host, boot, name, pid, started, at, bytes)                                         \
    "{\"type\":\"reading\",\"host\":\"" host "\",\"boot\":\"" boot "\",\"name\":\"" name           \
    "\",\"pid\":" pid ",\"started\":" started ",\"metric\":\"phys_footprint\",\"at\":\"" at        \
    "\",\"value_bytes\":" bytes ",\"resolution_bytes\":4096,\"rounding\":\"exact\"}\n"

/* A source of so many processes that their numbers need more than sixteen bits. */
static void test_subjects_of_a_crowd(void **state)
{
    (void)state;
    enum { CROWD = 66000, LONGEST = 256 };
    struct story story;
    char *text = malloc((size_t)CROWD * LONGEST), *end_of = text;
    assert_non_null(text);
    for (int i = 0; i < CROWD; i++)
        end_of += snprintf(
            end_of, LONGEST,
            READING("oak", "b1", "web", "%d", "null", "2026-02-01T10:00:00Z", "4096"), i + 1);
    begin(&story);
    tell(&story, "a.ndjson", text);
    const struct ja_case *item = build(&story);
    free(text);
    const struct ja_source *source = &item->sources[0];
    assert_int_equal(item->process_count, CROWD);
    assert_int_equal(source->evidence->subject_count, CROWD);
    assert_null(source->near_process);
    for (uint32_t i = 0; i < CROWD; i++)
        assert_int_equal(item->processes[ja_subject_process(source, i)].pid,
                         ja_subject_at(source->evidence, i).pid);
    end(&story);
}

/* ---- hosts and boots ------------------------------------------------------------------------- */

static void test_hosts_stay_apart(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    tell(&story, "a.ndjson",
         READING("oak", "b1", "indexd", "7", "null", "2026-02-01T10:00:00Z", "1048576"));
    tell(&story, "b.ndjson",
         READING("ash", "b1", "indexd", "7", "null", "2026-02-01T10:00:05Z", "2097152"));
    const struct ja_case *item = build(&story);
    assert_int_equal(item->host_count, 2);
    assert_string_equal(item->hosts[0].label, "ash");
    assert_string_equal(item->hosts[1].label, "oak");
    assert_int_equal(count_processes(item, "indexd"), 2);
    assert_int_equal(item->processes[0].host, 0);
    end(&story);
}

static void test_boots_split_a_pid(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    tell(&story, "a.ndjson",
         READING("oak", "b1", "indexd", "7", "null", "2026-02-01T10:00:00Z", "1048576")
             READING("oak", "b2", "indexd", "7", "null", "2026-02-02T10:00:00Z", "9048576"));
    const struct ja_case *item = build(&story);
    assert_int_equal(item->host_count, 1);
    assert_int_equal(item->boot_count, 2);
    assert_int_equal(count_processes(item, "indexd"), 2);
    assert_int_equal(count_findings(item, "growing"), 0);
    assert_string_equal(item->boots[0].ended_by, "unknown");
    assert_null(item->boots[1].ended_by);
    end(&story);
}

/* Two machines that no file names, read in turns: each boot keeps its process in one piece, and
 * none of them ended because the other was seen. */
static void test_boots_side_by_side(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
#define BOOT(id) "{\"type\":\"boot\",\"boot\":\"" id "\",\"start\":\"2026-02-01T09:00:00Z\"}\n"
#define TURN(boot, at, bytes)                                                                      \
    "{\"type\":\"reading\",\"boot\":\"" boot "\",\"name\":\"web\",\"pid\":7,"                      \
    "\"metric\":\"phys_footprint\",\"at\":\"" at "\",\"value_bytes\":" bytes                       \
    ",\"resolution_bytes\":4096,\"rounding\":\"exact\"}\n"
    tell(&story, "a.ndjson",
         BOOT("b1") BOOT("b2") TURN("b1", "2026-02-01T10:00:00Z", "1048576")
             TURN("b2", "2026-02-01T10:01:00Z", "9048576")
                 TURN("b1", "2026-02-01T10:02:00Z", "1052672")
                     TURN("b2", "2026-02-01T10:03:00Z", "9048576"));
    const struct ja_case *item = build(&story);
    assert_int_equal(item->boot_count, 2);
    assert_int_equal(count_processes(item, "web"), 2);
    assert_null(item->boots[0].ended_by);
    assert_null(ja_process_ended(item, &item->processes[0]));
    assert_int_equal(count_findings(item, "no_panic_record"), 0);
    end(&story);
}

/* ---- identity -------------------------------------------------------------------------------- */

static void test_start_times_make_lives(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    tell(&story, "a.ndjson",
         READING("oak", "b", "web", "7", "\"2026-02-01T09:00:00Z\"", "2026-02-01T10:00:00Z",
                 "1048576") READING("oak", "b", "web", "7", "\"2026-02-01T09:00:01Z\"",
                                    "2026-02-01T11:00:00Z", "2097152")
             READING("oak", "b", "web", "7", "\"2026-02-01T11:30:00Z\"", "2026-02-01T12:00:00Z",
                     "4194304"));
    const struct ja_case *item = build(&story);
    /* A second apart is the same start, two hours later is a new life of the reused pid. */
    assert_int_equal(count_processes(item, "web"), 2);
    assert_int_equal(item->processes[0].link, JA_LINK_START_TIME);
    assert_int_equal(item->series[item->processes[0].first_series].point_count, 2);
    assert_int_equal(item->service_count, 1);
    assert_int_equal(item->services[0].process_count, 2);
    assert_int_equal(count_findings(item, "restart_split"), 1);
    end(&story);
}

static void test_names_alone_join(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    tell(&story, "a.ndjson",
         READING("oak", "b", "web", "7", "null", "2026-02-01T10:00:00Z", "1048576"));
    tell(&story, "b.ndjson",
         READING("oak", "b", "web", "7", "null", "2026-02-01T11:00:00Z", "2097152")
             READING("oak", "b", "db", "7", "null", "2026-02-01T12:00:00Z", "3145728"));
    const struct ja_case *item = build(&story);
    assert_int_equal(item->process_count, 2);
    assert_int_equal(item->processes[0].link, JA_LINK_PID_NAME);
    assert_int_equal(item->processes[1].link, JA_LINK_SINGLE);
    const struct ja_series *series = ja_process_series(item, 0, JA_METRIC_PHYS_FOOTPRINT);
    assert_non_null(series);
    assert_int_equal(series->point_count, 2);
    assert_int_equal(ja_series_growth(series).net_low_bytes, 1048576);
    end(&story);
}

/* ---- series ---------------------------------------------------------------------------------- */

static void test_undated_readings_stay_with_their_file(void **state)
{
    (void)state;
    static const char lines[] =
        "{\"type\":\"reading\",\"host\":\"oak\",\"name\":\"web\",\"pid\":7,\"metric\":\"resident\","
        "\"at\":null,\"value_bytes\":1048576,\"resolution_bytes\":4096,\"rounding\":\"exact\"}\n"
        "{\"type\":\"reading\",\"host\":\"oak\",\"name\":\"web\",\"pid\":7,\"metric\":\"resident\","
        "\"at\":null,\"value_bytes\":5242880,\"resolution_bytes\":4096,\"rounding\":\"exact\"}\n";
    struct story story;
    begin(&story);
    tell(&story, "a.ndjson", lines);
    tell(&story, "b.ndjson", lines);
    const struct ja_case *item = build(&story);
    assert_true(item->series_count >= 2);
    for (size_t i = 0; i < item->series_count; i++) {
        assert_false(item->series[i].dated);
        assert_int_equal(item->series[i].point_count, 2);
        assert_int_equal(item->series[i].growth->verdict, JA_CANNOT_TELL);
        assert_int_equal(ja_series_growth(&item->series[i]).net_low_bytes, 4194304);
    }
    assert_int_equal(count_findings(item, "unordered_evidence"), 2);
    assert_int_equal(count_findings(item, "growing"), 0);
    end(&story);
}

static void test_copies_count_once(void **state)
{
    (void)state;
    static const char line[] =
        READING("oak", "b", "web", "7", "null", "2026-02-01T10:00:00Z", "1048576");
    struct story story;
    begin(&story);
    tell(&story, "a.ndjson", line);
    tell(&story, "retired/a.ndjson", line);
    snprintf(story.inputs[1].sha256, sizeof story.inputs[1].sha256, "%s", story.inputs[0].sha256);
    const struct ja_case *item = build(&story);
    assert_int_equal(item->sources[0].duplicate_of, JA_NONE);
    assert_int_equal(item->sources[1].duplicate_of, 0);
    assert_int_equal(item->sources[1].evidence->status, JA_STATUS_DUPLICATE);
    assert_int_equal(item->series[0].point_count, 1);
    end(&story);
}

/* ---- what the operator says ------------------------------------------------------------------ */

static void test_work_is_joined_and_capped(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    tell(&story, "a.ndjson",
         READING("oak", "b", "web", "7", "null", "2026-02-01T10:00:00Z", "1048576")
             READING("oak", "b", "web", "7", "null", "2026-02-01T11:00:00Z", "3145728")
                 READING("oak", "b", "web", "7", "null", "2026-02-01T12:00:00Z",
                         "5242880") "{\"type\":\"work\",\"host\":\"oak\",\"boot\":\"b\",\"name\":"
                                    "\"web\",\"pid\":7,\"at\":"
                                    "\"2026-02-01T10:00:00Z\",\"unit\":\"jobs\",\"total\":10}\n"
                                    "{\"type\":\"work\",\"host\":\"oak\",\"boot\":\"b\",\"name\":"
                                    "\"web\",\"pid\":7,\"at\":"
                                    "\"2026-02-01T12:00:00Z\",\"unit\":\"jobs\",\"total\":1034}\n");
    struct ja_stated_cap cap = {.who = {.name = "web", .pid = JA_UNKNOWN, .coalition = JA_UNKNOWN},
                                .name = "pool limit",
                                .bytes = 5 * JA_MIB};
    story.said.caps = &cap;
    story.said.cap_count = 1;
    story.said.ram_bytes = 8 * JA_GIB;
    const struct ja_case *item = build(&story);
    const struct ja_series *series = ja_process_series(item, 0, JA_METRIC_PHYS_FOOTPRINT);
    assert_true(series->growth->work_known);
    assert_true(ja_series_growth(series).work == 1024);
    assert_true(ja_series_growth(series).per_work_low_bytes == 4096);
    const struct ja_process *process = &item->processes[0];
    assert_string_equal(ja_work_unit(item, process), "jobs");
    assert_int_equal(process->work_count, 2);
    assert_true(ja_work_sample(item, process, 0).total == 10);
    assert_int_equal(ja_work_sample(item, process, 1).at->unix_ns,
                     STORY_BEGIN_NS + 7200 * JA_NS_PER_S);
    assert_int_equal(series->cap_count, 1);
    assert_int_equal(series->caps[0].distance_bytes, 0);
    assert_true(series->caps[0].reached);
    assert_string_equal(item->hosts[0].ram_from, "operator");
    /* The cap is not above the level: RAM is the ceiling X is made of. */
    assert_string_equal(ja_series_concern(series), "ram");
    end(&story);
}

/* ---- states ---------------------------------------------------------------------------------- */

static void test_a_stated_state_is_believed(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    tell(&story, "a.ndjson",
         "{\"type\":\"state\",\"host\":\"oak\",\"boot\":\"b\",\"at\":\"2026-02-01T10:00:00Z\","
         "\"books\":{\"metric\":\"phys_footprint\",\"sum_bytes\":12884901888,\"processes\":40,"
         "\"killed_left_out\":1,\"complete\":true},\"physical\":{\"used_bytes\":6442450944,"
         "\"compressor_bytes\":2147483648},\"swap\":{\"used_bytes\":null,\"total_bytes\":null},"
         "\"ram_bytes\":8589934592}\n");
    const struct ja_case *item = build(&story);
    struct ja_bridge bridge;
    assert_int_equal(item->state_count, 1);
    assert_true(item->states[0].books.sum_bytes == INT64_C(12884901888));
    assert_true(item->states[0].figures[JA_FIGURE_USED] == INT64_C(6442450944));
    assert_true(item->states[0].figures[JA_FIGURE_SWAP_USED] == JA_UNKNOWN);
    assert_true(ja_bridge_build(&item->states[0], &bridge));
    /* Whatever the steps explain, books + steps + residual arrive at physical use. */
    int64_t sum = bridge.books_bytes + bridge.residual_bytes;
    for (size_t i = 0; i < bridge.count; i++)
        sum += bridge.steps[i].bytes;
    assert_true(sum == bridge.used_bytes);
    end(&story);
}

static void test_an_impossible_compressor(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    tell(&story, "a.ndjson",
         "{\"type\":\"state\",\"host\":\"oak\",\"boot\":\"b\",\"at\":\"2026-02-01T10:00:00Z\","
         "\"physical\":{\"compressor_bytes\":9589934592},\"ram_bytes\":8589934592}\n");
    story.said.ram_bytes = 8 * JA_GIB;
    const struct ja_case *item = build(&story);
    assert_int_equal(item->states[0].impossible_count, 1);
    assert_string_equal(item->states[0].impossible[0], "compressor_over_ram");
    end(&story);
}

/* ---- findings -------------------------------------------------------------------------------- */

static void test_verbs_follow_the_grade(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    tell(&story, "a.ndjson",
         READING("oak", "b", "web", "7", "null", "2026-02-01T10:00:00Z", "1048576"));
    build(&story);
    static const struct {
        enum ja_grade grade;
        const char *text;
    } forms[] = {
        {JA_CONFIRMED, "It stands at 3"},
        {JA_CONSISTENT, "It is consistent with standing at 3"},
        {JA_CONTRADICTED, "It does not stand at 3"},
        {JA_NOT_SHOWN, "It is not shown to stand at 3"},
        {JA_CANNOT, "It may or may not stand at 3"},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct ja_finding *f =
            ja_find(story.item, "growing", forms[i].grade, JA_CRITICAL, 0, JA_NONE);
        ja_say(story.item, f, "It", JA_VERB_STAND, "at %d", 3);
        assert_string_equal(f->statement, forms[i].text);
        assert_int_equal(f->severity, forms[i].grade == JA_NOT_SHOWN ? JA_REMARK : JA_CRITICAL);
    }
    end(&story);
}

static void test_names_are_marked_and_visible(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    tell(&story, "a.ndjson",
         READING("oak", "b", "a\\u001bb", "7", "null", "2026-02-01T10:00:00Z", "1048576"));
    const struct ja_case *item = build(&story);
    const char *text = ja_process_text(item, 0);
    assert_int_equal(text[0], JA_NAME_BEGIN);
    assert_string_equal(ja_unmarked(item, text), "a\\x1Bb [7]");
    end(&story);
}

/* A kill, then a panic: the victim has an end of its own, what the boot still
 * held shares one. */
static void test_ends(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    table(&story, "a.ips", JA_KIND_JETSAM, 0);
    row(&story, "calm", 4, 8 * JA_MIB);
    row(&story, "idle", 5, 8 * JA_MIB);
    row(&story, "mail", 6, 8 * JA_MIB);
    killed(&story, JA_EVENT_JETSAM_KILL, "highwater", 8 * JA_MIB, 1);
    end_table(&story);
    line(&story,
         "{\"type\":\"event\",\"host\":\"oak\",\"boot\":\"b\",\"kind\":\"panic\",\"at\":\"%s\"}",
         minute_text(30));
    const struct ja_case *item = build(&story);
    assert_int_equal(item->process_count, 3);
    const struct ja_ending *calm = ja_process_ended(item, &item->processes[0]);
    const struct ja_ending *mail = ja_process_ended(item, &item->processes[2]);
    assert_non_null(calm);
    assert_ptr_equal(calm, ja_process_ended(item, &item->processes[1]));
    assert_string_equal(calm->how, "reboot");
    assert_int_equal(calm->at->unix_ns, STORY_BEGIN_NS + 1800 * JA_NS_PER_S);
    assert_string_equal(mail->how, "jetsam");
    assert_int_equal(item->ending_count, 2);
    assert_int_equal(ja_process_start_ns(&item->processes[0]), JA_UNKNOWN);
    struct ja_instant started = ja_process_started(&item->processes[0]);
    assert_true(!ja_instant_known(&started) && started.late_ns == JA_UNKNOWN);
    end(&story);
}

/* ---- properties ------------------------------------------------------------------------------ */

static void test_order_of_files_does_not_matter(void **state)
{
    (void)state;
    static const char one[] =
        READING("oak", "b", "web", "7", "null", "2026-02-01T10:00:00Z", "1048576");
    static const char two[] =
        READING("oak", "b", "web", "7", "null", "2026-02-01T12:00:00Z", "9437184");
    int64_t gains[2];
    for (int turn = 0; turn < 2; turn++) {
        struct story story;
        begin(&story);
        tell(&story, "a.ndjson", turn ? two : one);
        tell(&story, "b.ndjson", turn ? one : two);
        const struct ja_case *item = build(&story);
        assert_int_equal(item->process_count, 1);
        gains[turn] = ja_series_growth(&item->series[0]).net_low_bytes;
        assert_int_equal(count_findings(item, "growing"), 1);
        end(&story);
    }
    assert_true(gains[0] == gains[1] && gains[0] == 8388608);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_subjects_of_a_crowd),
        cmocka_unit_test(test_hosts_stay_apart),
        cmocka_unit_test(test_boots_split_a_pid),
        cmocka_unit_test(test_boots_side_by_side),
        cmocka_unit_test(test_start_times_make_lives),
        cmocka_unit_test(test_names_alone_join),
        cmocka_unit_test(test_undated_readings_stay_with_their_file),
        cmocka_unit_test(test_copies_count_once),
        cmocka_unit_test(test_work_is_joined_and_capped),
        cmocka_unit_test(test_a_stated_state_is_believed),
        cmocka_unit_test(test_an_impossible_compressor),
        cmocka_unit_test(test_verbs_follow_the_grade),
        cmocka_unit_test(test_names_are_marked_and_visible),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_order_of_files_does_not_matter),
    };
    ja_parsers_prepare();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
