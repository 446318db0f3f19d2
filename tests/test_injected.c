/* SPDX-License-Identifier: MIT
 *
 * Faults in the real program, its libraries included (tests/fault_shim.c): one run for each call
 * that can fail, each over a report folder with an earlier report and a postmortem that a person
 * has edited. Whatever happens: an exit status that tells it and a message; under a final name the
 * old bytes or the new ones; the edit kept; no temporary file; and the next run is a good one.
 *
 * One worker makes the order of calls the same in every run; what is done side by side is met with
 * two as well.
 *
 * It takes every JA_FAULT_STRIDE-th call (environment), and of those to memory every 20th of these;
 * 1 is a sweep of some minutes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>

#include <cmocka.h>

#include "cli/output.h"
#include "cli/run.h"
#include "model/case.h"
#include "tests/inject.h"
#include "tests/tree.h"

#define OLD_EVIDENCE JA_FIXTURES "/incidents/mac-room-left/input"
#define NEW_EVIDENCE JA_FIXTURES "/incidents/jetsam-indexer-climbs/input"
#define EDITED "postmortem.md"
#define EDITED_NEW "postmortem.new.md"
#define EDIT "A person wrote this.\n"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static long stride = 499; /* ten times as slow */
#else
static long stride = 67;
#endif
static struct tree before, wanted; /* the folder before a run, and after one without faults */
static const char *workers = "-j1";

static struct outcome audit(struct ja_fault plan, const char *evidence)
{
    char out[512];
    snprintf(out, sizeof out, "%s", scratch_path("out"));
    char *words[] = {"jetsam-audit", (char *)(uintptr_t)workers,  "-o", out, "--format",
                     "all",          (char *)(uintptr_t)evidence, NULL};
    return run_words(plan, words, NULL);
}

static const struct ja_fault no_fault;

/* The folder as an earlier run left it and a person edited it, and as a good run leaves it. */
static int prepare(void **state)
{
    struct tree old;
    const char *text = getenv("JA_FAULT_STRIDE");
    if (text && *text >= '1' && *text <= '9')
        for (stride = 0; *text >= '0' && *text <= '9' && stride < 100000; text++)
            stride = stride * 10 + (*text - '0');
    if (scratch_make_fast(state) != 0)
        return -1;
    if (audit(no_fault, OLD_EVIDENCE).status != JA_EXIT_DONE)
        return -1;
    tree_load(&old, scratch_path("out"));
    for (size_t i = 0; i < old.count; i++) {
        bool edited = strcmp(old.files[i].name, EDITED) == 0;
        tree_set(&before, old.files[i].name, edited ? EDIT : old.files[i].bytes,
                 edited ? strlen(EDIT) : old.files[i].length);
    }
    tree_done(&old);
    tree_store(&before, scratch_path("out"));
    if (audit(no_fault, NEW_EVIDENCE).status != JA_EXIT_DONE)
        return -1;
    tree_load(&wanted, scratch_path("out"));
    return 0;
}

static int clean(void **state)
{
    tree_done(&before);
    tree_done(&wanted);
    return scratch_drop(state);
}

static const char *about(const struct ja_fault *plan, const struct outcome *outcome)
{
    static char text[6000];
    snprintf(text, sizeof text, "calls %x, action %d, number %d%s, call %ld: status %d, \"%s\"",
             plan->calls, plan->action, plan->number, plan->lasting ? " (and all later)" : "",
             plan->at, outcome->status, outcome->errors);
    return text;
}

#define REQUIRE(what)                                                                              \
    do {                                                                                           \
        if (!(what))                                                                               \
            fail_msg("%s: %s", #what, about(plan, outcome));                                       \
    } while (0)

static bool is_untouched(const struct tree *after)
{
    size_t same = 0;
    for (size_t i = 0; i < before.count; i++)
        same += tree_same(after, &before, before.files[i].name);
    return same == before.count && after->count == before.count && !after->private_folders;
}

/* What every run has to keep to, however it ended. True when it left a trace. */
static bool check_folder(const struct ja_fault *plan, const struct outcome *outcome)
{
    struct tree after;
    tree_load(&after, scratch_path("out"));
    bool less = strstr(outcome->errors, "unread") != NULL; /* a report on less evidence */
    for (size_t i = 0; i < after.count; i++) {
        const char *name = after.files[i].name;
        if (strcmp(name, JA_HASH_LIST) == 0)
            continue;
        if (!less && !tree_same(&after, &before, name) && !tree_same(&after, &wanted, name))
            fail_msg("%s is neither old nor new: %s", name, about(plan, outcome));
        if (!less && outcome->status == JA_EXIT_DONE && !tree_same(&after, &wanted, name))
            fail_msg("%s was not replaced: %s", name, about(plan, outcome));
        if (!tree_find(&wanted, name))
            fail_msg("%s should not be there: %s", name, about(plan, outcome));
    }
    for (size_t i = 0; i < before.count; i++)
        if (!tree_find(&after, before.files[i].name))
            fail_msg("%s was lost: %s", before.files[i].name, about(plan, outcome));
    REQUIRE(tree_same(&after, &before, EDITED));
    /* Who cannot clean, or has no memory for it, leaves it to the next run: also one whose report
     * stands and whose fault is in the cleaning. */
    bool cleaning = outcome->status == JA_EXIT_DONE && plan->calls & JA_CALL_FILES;
    bool may_stay = plan->number == SIGKILL || plan->calls & JA_CALL_REMOVE || plan->lasting;
    may_stay = may_stay || cleaning;
    REQUIRE(may_stay || after.private_folders == 0);
    bool changed = !is_untouched(&after);
    tree_done(&after);
    return changed;
}

/* After any fault the next run does its work, and takes nothing for edited that is not. */
static void check_next_run(const struct ja_fault *plan, const struct outcome *outcome)
{
    struct tree after;
    struct outcome next = audit(no_fault, NEW_EVIDENCE);
    if (next.status != JA_EXIT_DONE)
        fail_msg("the next run ends with %d, \"%s\": %s", next.status, next.errors,
                 about(plan, outcome));
    tree_load(&after, scratch_path("out"));
    REQUIRE(after.private_folders == 0);
    for (size_t i = 0; i < wanted.count; i++)
        if (strcmp(wanted.files[i].name, JA_HASH_LIST) != 0 &&
            !tree_same(&after, &wanted, wanted.files[i].name))
            fail_msg("%s is not what the next run makes: %s", wanted.files[i].name,
                     about(plan, outcome));
    for (size_t i = 0; i < after.count; i++)
        if (!tree_find(&wanted, after.files[i].name))
            fail_msg("%s stands beside what the next run makes: %s", after.files[i].name,
                     about(plan, outcome));
    tree_done(&after);
}

static bool is_fit(int status, const char *errors, const struct ja_fault *plan)
{
    if (plan->action == JA_FAULT_SIGNAL && status == 128 + plan->number)
        return true;
    /* A workbook that memory was lacking for, unknown to its library, is not written. */
    if (plan->calls & JA_CALL_MEMORY)
        return status == JA_EXIT_DONE || status == JA_EXIT_INTERNAL ||
               (status == JA_EXIT_OUTPUT && strstr(errors, "workbook.xlsx: parts of it"));
    return status == JA_EXIT_DONE || status == JA_EXIT_USAGE || status == JA_EXIT_NO_EVIDENCE ||
           status == JA_EXIT_OUTPUT || status == JA_EXIT_INTERNAL;
}

/* Every stride-th call of the plan's kinds. */
static void inject_at_each(struct ja_fault plan)
{
    struct ja_fault counting = {.calls = plan.calls};
    tree_store(&before, scratch_path("out"));
    audit(counting, NEW_EVIDENCE);
    long count = atomic_load(&fault->seen), quiet = 0, first = runs;
    assert_true(count > 0);
    for (plan.at = 1 + (count - 1) % stride; plan.at <= count; plan.at += stride) {
        tree_store(&before, scratch_path("out"));
        struct outcome outcome = audit(plan, NEW_EVIDENCE);
        if (!is_fit(outcome.status, outcome.errors, &plan))
            fail_msg("unfit status: %s", about(&plan, &outcome));
        if (outcome.status != JA_EXIT_DONE && outcome.status < 128 && !*outcome.errors)
            fail_msg("no message: %s", about(&plan, &outcome));
        quiet += outcome.status == JA_EXIT_DONE && !*outcome.errors;
        if (check_folder(&plan, &outcome))
            check_next_run(&plan, &outcome);
    }
    print_message("calls %x, action %d, number %d: %ld calls, %ld runs, %ld not noticed\n",
                  plan.calls, plan.action, plan.number, count, runs - first, quiet);
}

static void calls_that_fail(void **state)
{
    static const struct {
        unsigned calls;
        int number;
        int lasting;
    } faults[] = {
        {JA_CALL_WRITE, ENOSPC, 1}, {JA_CALL_WRITE, EIO, 0},   {JA_CALL_READ, EIO, 0},
        {JA_CALL_READ, EINTR, 0},   {JA_CALL_OPEN, EMFILE, 1}, {JA_CALL_OPEN, EACCES, 0},
        {JA_CALL_CLOSE, EIO, 0},    {JA_CALL_SYNC, EIO, 0},    {JA_CALL_RENAME, EIO, 0},
        {JA_CALL_LINK, EPERM, 1},   {JA_CALL_LINK, ENOSPC, 0}, {JA_CALL_REMOVE, EACCES, 1},
        {JA_CALL_MKDIR, ENOSPC, 0}, {JA_CALL_STAT, EIO, 0},    {JA_CALL_SEEK, EIO, 0},
        {JA_CALL_CHMOD, EPERM, 0},  {JA_CALL_LIST, EIO, 0},    {JA_CALL_CHDIR, EACCES, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        inject_at_each((struct ja_fault){.calls = faults[i].calls,
                                         .action = JA_FAULT_ERROR,
                                         .number = faults[i].number,
                                         .lasting = faults[i].lasting});
}

static void signals_at_any_moment(void **state)
{
    static const int numbers[] = {SIGKILL, SIGTERM, SIGINT};
    (void)state;
    for (size_t i = 0; i < 3; i++)
        inject_at_each((struct ja_fault){
            .calls = JA_CALL_FILES, .action = JA_FAULT_SIGNAL, .number = numbers[i]});
}

static void memory_that_ends(void **state)
{
#ifdef JA_COVERAGE
    skip(); /* what gcc adds to count coverage does not survive a lack of memory itself */
#endif
    long asked = stride;
    (void)state;
    stride *= 20; /* thousands of calls, all of a kind */
    for (int lasting = 0; lasting < 2; lasting++)
        inject_at_each((struct ja_fault){.calls = JA_CALL_MEMORY,
                                         .action = JA_FAULT_ERROR,
                                         .number = ENOMEM,
                                         .lasting = lasting});
    stride = asked;
}

static void calls_that_fail_side_by_side(void **state)
{
    static const struct ja_fault faults[] = {
        {.calls = JA_CALL_WRITE, .number = ENOSPC, .lasting = 1},
        {.calls = JA_CALL_WRITE, .number = ENOSPC},
        {.calls = JA_CALL_READ, .number = EIO},
        {.calls = JA_CALL_OPEN, .number = EMFILE, .lasting = 1},
        {.calls = JA_CALL_SEEK, .number = EIO},
    };
#if defined(__SANITIZE_THREAD__)
    skip(); /* it ends the run at the time that gmtime fills in for both workbooks (xlsx.c) */
#endif
    (void)state;
    workers = "-j2";
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct ja_fault plan = faults[i];
        plan.action = JA_FAULT_ERROR;
        inject_at_each(plan);
    }
    memory_that_ends(state);
    workers = "-j1";
}

static void short_reads_and_writes_change_nothing(void **state)
{
    struct tree after;
    (void)state;
    tree_store(&before, scratch_path("out"));
    struct outcome outcome = audit(
        (struct ja_fault){
            .calls = JA_CALL_READ | JA_CALL_WRITE, .action = JA_FAULT_SHORT, .lasting = 1, .at = 1},
        NEW_EVIDENCE);
    assert_int_equal(outcome.status, JA_EXIT_DONE);
    assert_true(atomic_load(&fault->injected) > 100);
    tree_load(&after, scratch_path("out"));
    for (size_t i = 0; i < wanted.count; i++)
        assert_true(tree_same(&after, &wanted, wanted.files[i].name));
    tree_done(&after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_reads_and_writes_change_nothing),
        cmocka_unit_test(calls_that_fail),
        cmocka_unit_test(signals_at_any_moment),
        cmocka_unit_test(memory_that_ends),
        cmocka_unit_test(calls_that_fail_side_by_side),
    };
    return fault_map() ? cmocka_run_group_tests(tests, prepare, clean) : 1;
}
