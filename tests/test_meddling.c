/* SPDX-License-Identifier: MIT
 *
 * What goes on around the real program while it runs: evidence that changes, vanishes or is
 * replaced by something else at any moment, streams that are closed or full, threads and processes
 * that cannot be had, files that may not be read.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>

#include <cmocka.h>

#include "cli/run.h"
#include "tests/inject.h"
#include "tests/tree.h"

#define EVIDENCE JA_FIXTURES "/incidents/jetsam-indexer-climbs/input"
#define OTHER_EVIDENCE JA_FIXTURES "/incidents/mac-room-left/input"
#define NOBODY 65534

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { STRIDE = 13 }; /* ten times as slow */
#else
enum { STRIDE = 3 };
#endif

static struct tree evidence;
static char target[128]; /* the file that is meddled with */
static const struct ja_fault no_fault;

static int prepare(void **state)
{
    before_start = NULL;
    if (scratch_make_fast(state) != 0)
        return -1;
    tree_load(&evidence, EVIDENCE);
    tree_store(&evidence, scratch_path("in"));
    snprintf(target, sizeof target, "in/%.100s", evidence.files[evidence.count / 2].name);
    scratch_write("secret", "nobody may read this\n");
    return 0;
}

static int clean(void **state)
{
    tree_done(&evidence);
    return scratch_drop(state);
}

static struct outcome json(struct ja_fault plan, const char *jobs, void (*while_stopped)(void))
{
    char in[512], job[16];
    snprintf(in, sizeof in, "%s", scratch_path("in"));
    snprintf(job, sizeof job, "-j%s", jobs);
    char *words[] = {"jetsam-audit", "--json", job, in, NULL};
    return run_words(plan, words, while_stopped);
}

/* ---- evidence that does not hold still ------------------------------------------------------- */

static void vanish(void)
{
    unlink(scratch_path(target));
}

static void shrink(void)
{
    assert_true(truncate(scratch_path(target), 700) == 0 || errno == ENOENT);
}

static void grow(void)
{
    int descriptor = open(scratch_path(target), O_WRONLY | O_APPEND);
    assert_int_equal(write(descriptor, "{}\n", 3), 3);
    close(descriptor);
}

static void become_link(void)
{
    unlink(scratch_path(target));
    assert_int_equal(symlink(scratch_path("secret"), scratch_path(target)), 0);
}

static void become_fifo(void)
{
    unlink(scratch_path(target));
    mkfifo(scratch_path(target), 0600);
}

static void become_folder(void)
{
    unlink(scratch_path(target));
    mkdir(scratch_path(target), 0700);
}

static void lose_folder(void)
{
    scratch_remove_tree(scratch_path("in"));
}

static void link_folder(void)
{
    rename(scratch_path("in"), scratch_path("elsewhere"));
    assert_int_equal(symlink(scratch_folder, scratch_path("in")), 0);
}

static void put_back(void)
{
    scratch_remove_tree(scratch_path("elsewhere"));
    unlink(scratch_path("in"));
    tree_store(&evidence, scratch_path("in"));
}

/* The program stops before every STRIDE-th call, is meddled with, and goes on. */
static void meddle(const char *name, void (*how)(void))
{
    const unsigned calls = JA_CALL_OPEN | JA_CALL_STAT | JA_CALL_READ | JA_CALL_LIST;
    struct ja_fault plan = {.calls = calls, .action = JA_FAULT_SIGNAL, .number = SIGSTOP, .at = 1};
    struct outcome good = json((struct ja_fault){.calls = calls}, "1", NULL);
    assert_int_equal(good.status, JA_EXIT_DONE);
    long count = atomic_load(&fault->seen), told = 0;
    for (; plan.at <= count; plan.at += STRIDE) {
        struct outcome outcome = json(plan, "1", how);
        put_back();
        if (outcome.status != JA_EXIT_DONE && outcome.status != JA_EXIT_NO_EVIDENCE &&
            outcome.status != JA_EXIT_USAGE)
            fail_msg("%s at call %ld: status %d, %s", name, plan.at, outcome.status,
                     outcome.errors);
        if (outcome.status != JA_EXIT_DONE && !*outcome.errors)
            fail_msg("%s at call %ld: no message", name, plan.at);
        assert_null(strstr(outcome.words, "nobody may read"));
        told += *outcome.errors != '\0';
    }
    print_message("%s: at %ld calls, %ld told\n", name, count, told);
}

static void evidence_that_does_not_hold_still(void **state)
{
    (void)state;
    meddle("a file vanishes", vanish);
    meddle("a file shrinks", shrink);
    meddle("a file grows", grow);
    meddle("a file becomes a link", become_link);
    meddle("a file becomes a FIFO", become_fifo);
    meddle("a file becomes a folder", become_folder);
    meddle("the folder vanishes", lose_folder);
    meddle("the folder becomes a link", link_folder);
}

/* One that grew before every read would never be read to its end. */
static void grow_now_and_then(void)
{
    static int stops;
    if (stops++ % 2 == 0)
        grow();
}

/* The file changes while it is read, and again when it is read once more: that is said. */
static void a_change_while_reading_is_said(void **state)
{
    struct ja_fault plan = {
        .calls = JA_CALL_READ, .action = JA_FAULT_SIGNAL, .number = SIGSTOP, .lasting = 1};
    char path[512];
    (void)state;
    snprintf(path, sizeof path, "%s", scratch_path(target));
    char *words[] = {"jetsam-audit", "--json", path, NULL};
    plan.at = 1;
    struct outcome outcome = run_words(plan, words, grow_now_and_then);
    assert_non_null(strstr(outcome.errors, "changed while it was read"));
    put_back();
}

/* ---- streams --------------------------------------------------------------------------------- */

static void close_output(void)
{
    close(STDOUT_FILENO);
}

static void close_all(void)
{
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    close(STDERR_FILENO);
}

static void fill_output(void)
{
    dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO);
}

static void leave_pipe(void)
{
    int ends[2];
    if (pipe(ends) != 0)
        abort();
    close(ends[0]);
    dup2(ends[1], STDOUT_FILENO);
}

static void output_that_takes_nothing_is_status_5(void **state)
{
    static void (*const ways[])(void) = {close_output, fill_output, leave_pipe};
    char in[512];
    (void)state;
    snprintf(in, sizeof in, "%s", scratch_path("in"));
    char *calls[][5] = {
        {"jetsam-audit", "--json", in},
        {"jetsam-audit", "--ndjson", in},
        {"jetsam-audit", "-n", in},
        {"jetsam-audit", "--help"},
        {"jetsam-audit", "--version"},
        {"jetsam-audit", "--list", "parsers"},
        {"jetsam-audit", "--explain", "growing"},
    };
    for (size_t w = 0; w < 3; w++) {
        before_start = ways[w];
        for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
            struct outcome outcome = run_words(no_fault, calls[c], NULL);
            assert_int_equal(outcome.status, JA_EXIT_OUTPUT);
            assert_non_null(strstr(outcome.errors, "standard output cannot be written"));
        }
    }
}

/* Messages and the summary must not end up in a file that got a stream's number. */
static void closed_streams_spoil_no_report(void **state)
{
    struct tree with, without;
    char in[512], out[512];
    (void)state;
    snprintf(in, sizeof in, "%s", scratch_path("in"));
    scratch_write("in/broken.ips", "{ \"bug_type\": \"298\"");
    for (int closed = 0; closed < 2; closed++) {
        snprintf(out, sizeof out, "%s", scratch_path(closed ? "without" : "with"));
        char *words[] = {"jetsam-audit", "-v", "--format", "all", "-o", out, in, NULL};
        before_start = closed ? close_all : NULL;
        int status = run_words(no_fault, words, NULL).status;
        assert_int_equal(status, closed ? JA_EXIT_OUTPUT : JA_EXIT_DONE);
    }
    tree_load(&with, scratch_path("with"));
    tree_load(&without, scratch_path("without"));
    assert_true(with.count > 5);
    assert_int_equal(with.count, without.count);
    for (size_t i = 0; i < with.count; i++)
        assert_true(tree_same(&with, &without, with.files[i].name));
    tree_done(&with);
    tree_done(&without);
}

/* ---- what cannot be had ---------------------------------------------------------------------- */

static void without_threads_the_result_is_the_same(void **state)
{
    (void)state;
    struct outcome one = json(no_fault, "1", NULL);
    char *expected = strdup(one.words);
    for (long at = 1; at <= 4; at++) {
        struct outcome outcome = json((struct ja_fault){.calls = JA_CALL_THREAD,
                                                        .action = JA_FAULT_ERROR,
                                                        .number = EAGAIN,
                                                        .lasting = at == 1,
                                                        .at = at},
                                      "4", NULL);
        assert_true(atomic_load(&fault->injected) > 0);
        assert_int_equal(outcome.status, JA_EXIT_DONE);
        assert_string_equal(outcome.words, expected);
    }
    free(expected);
}

static void without_a_process_reports_are_written_all_the_same(void **state)
{
    struct tree out;
    char in[512], folder[512];
    (void)state;
    snprintf(in, sizeof in, "%s", scratch_path("in"));
    snprintf(folder, sizeof folder, "%s", scratch_path("out"));
    char *words[] = {"jetsam-audit", "-q", "-o", folder, in, NULL};
    struct ja_fault plan = {
        .calls = JA_CALL_PROCESS, .action = JA_FAULT_ERROR, .number = EAGAIN, .at = 1};
    assert_int_equal(run_words(plan, words, NULL).status, JA_EXIT_DONE);
    assert_int_equal(atomic_load(&fault->injected), 1);
    tree_load(&out, folder);
    assert_int_equal(out.count, 4);
    assert_int_equal(out.private_folders, 0);
    tree_done(&out);
}

static void become_nobody(void)
{
    if (getuid() == 0 && (setgid(NOBODY) != 0 || setuid(NOBODY) != 0))
        abort();
}

/* A file and a folder without rights are named; a place that may not be written is status 5. */
static void rights_that_are_missing(void **state)
{
    char in[512], out[512];
    (void)state;
    snprintf(in, sizeof in, "%s", scratch_path("in"));
    snprintf(out, sizeof out, "%s", scratch_path("in.report"));
    chmod(scratch_folder, 0755);
    chmod(in, 0755);
    for (size_t i = 0; i < evidence.count; i++) {
        char name[256];
        snprintf(name, sizeof name, "in/%.200s", evidence.files[i].name);
        chmod(scratch_path(name), 0644);
    }
    chmod(scratch_path(target), 0);
    mkdir(scratch_path("in/closed"), 0);
    before_start = become_nobody;
    char *summary[] = {"jetsam-audit", "-n", in, NULL},
         *report[] = {"jetsam-audit", "-o", out, in, NULL};
    struct outcome outcome = run_words(no_fault, summary, NULL);
    assert_int_equal(outcome.status, JA_EXIT_DONE);
    assert_non_null(strstr(outcome.errors, strchr(target, '/') + 1));
    assert_non_null(strstr(outcome.errors, "closed: unread: Permission denied"));
    chmod(scratch_folder, 0555);
    outcome = run_words(no_fault, report, NULL);
    assert_int_equal(outcome.status, JA_EXIT_OUTPUT);
    assert_non_null(strstr(outcome.errors, "Permission denied"));
    chmod(scratch_folder, 0755);
}

/* Several runs over one folder: none fails, none takes another's files for edited. */
static void runs_at_the_same_time_take_turns(void **state)
{
    struct tree after;
    char out[512];
    (void)state;
    snprintf(out, sizeof out, "%s", scratch_path("out"));
    char *one[] = {"jetsam-audit", "-q", "-o", out, EVIDENCE, NULL};
    char *other[] = {"jetsam-audit", "-q", "-o", out, OTHER_EVIDENCE, NULL};
    memcpy(fault, &no_fault, sizeof no_fault);
    for (int round = 0; round < 2; round++) {
        pid_t children[4];
        for (int i = 0; i < 4; i++) {
            children[i] = fork();
            if (children[i] == 0)
                become(i % 2 ? one : other);
        }
        for (int i = 0; i < 4; i++) {
            int status = -1;
            assert_int_equal(waitpid(children[i], &status, 0), children[i]);
            assert_int_equal(status, 0);
        }
    }
    tree_load(&after, out);
    assert_int_equal(after.count, 4); /* postmortem, picture, workbook, hash list */
    assert_int_equal(after.private_folders, 0);
    tree_done(&after);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, prepare, clean)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(evidence_that_does_not_hold_still),
        TEST(a_change_while_reading_is_said),
        TEST(output_that_takes_nothing_is_status_5),
        TEST(closed_streams_spoil_no_report),
        TEST(without_threads_the_result_is_the_same),
        TEST(without_a_process_reports_are_written_all_the_same),
        TEST(rights_that_are_missing),
        TEST(runs_at_the_same_time_take_turns),
    };
    return fault_map() ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
