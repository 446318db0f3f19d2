/* SPDX-License-Identifier: MIT
 *
 * Faults injected into whole runs, each in a child process: memory that ends at the n-th block,
 * reads that fail, files that vanish. A run ends with its exit status, never by a signal.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "cli/read.h"
#include "cli/run.h"
#include "tests/scratch.h"

#define INCIDENT JA_FIXTURES "/incidents/jetsam-indexer-climbs/input"

static long calls_left;

static void *malloc_fails(size_t size)
{
    return calls_left-- > 0 ? malloc(size) : NULL;
}

static void out_of_memory(void)
{
    _exit(JA_EXIT_INTERNAL);
}

static ssize_t read_fails(int descriptor, void *buffer, size_t size)
{
    if (calls_left-- > 0)
        return read(descriptor, buffer, size);
    errno = EIO;
    return -1;
}

static ssize_t read_is_short(int descriptor, void *buffer, size_t size)
{
    return read(descriptor, buffer, size < 1000 ? size : 1000);
}

/* Its exit status; -1 when a signal ended it. out NULL: nothing is written. One job, so that the
 * n-th call is the same one. */
static int run_in_child(const char *path, const char *out, void (*inject)(void))
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        char *words[] = {
            "jetsam-audit", "--sandbox=off",        "-q", "-j1", (char *)(uintptr_t)path,
            "-n",           (char *)(uintptr_t)out, NULL};
        if (out)
            words[5] = "-o";
        struct ja_options options;
        int null = open("/dev/null", O_WRONLY);
        dup2(null, STDERR_FILENO);
        ja_arena_out_of_memory = out_of_memory;
        inject();
        if (!ja_options_parse(&options, out ? 7 : 6, words))
            _exit(99);
        _exit(ja_run(&options));
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void inject_nothing(void)
{
}

static void inject_memory(void)
{
    ja_arena_malloc = malloc_fails;
}

static void inject_read_errors(void)
{
    ja_read_call = read_fails;
}

static void inject_short_reads(void)
{
    ja_read_call = read_is_short;
}

static void memory_that_ends_ends_the_run_with_6(void **state)
{
    int refused = 0, status = -1;
    (void)state;
    /* Every one of the first blocks, then in steps, until there is enough for the whole run. */
    for (long n = 0; n < 100000 && status != JA_EXIT_DONE; n += n < 40 ? 1 : n / 8) {
        calls_left = n;
        status = run_in_child(INCIDENT, scratch_path("out"), inject_memory);
        assert_true(status == JA_EXIT_INTERNAL || status == JA_EXIT_DONE);
        refused += status == JA_EXIT_INTERNAL;
    }
    assert_int_equal(status, JA_EXIT_DONE);
    assert_true(refused > 20);
}

static void reads_that_fail_leave_files_out(void **state)
{
    (void)state;
    /* The n-th read fails and all after it: with none left, nothing is evidence. */
    calls_left = 0;
    assert_int_equal(run_in_child(INCIDENT, NULL, inject_read_errors), JA_EXIT_NO_EVIDENCE);
    for (long n = 1; n < 12; n++) {
        calls_left = n;
        int status = run_in_child(INCIDENT, scratch_path("some"), inject_read_errors);
        /* Reading back for the hashes of the report may fail as well. */
        assert_true(status == JA_EXIT_DONE || status == JA_EXIT_NO_EVIDENCE ||
                    status == JA_EXIT_OUTPUT);
    }
}

static void short_reads_change_no_byte(void **state)
{
    (void)state;
    assert_int_equal(run_in_child(INCIDENT, scratch_path("whole"), inject_nothing), JA_EXIT_DONE);
    assert_int_equal(run_in_child(INCIDENT, scratch_path("short"), inject_short_reads),
                     JA_EXIT_DONE);
    const char *whole = scratch_read("whole/" JA_HASH_LIST);
    assert_true(strlen(whole) > 64);
    assert_string_equal(whole, scratch_read("short/" JA_HASH_LIST));
}

static void a_file_that_vanishes_is_listed(void **state)
{
    struct ja_discovery discovery;
    struct ja_bytes bytes;
    const char *why = NULL;
    (void)state;
    mkdir(scratch_path("in"), 0755);
    scratch_write("in/a.txt", "a");
    ja_discovery_init(&discovery, 10);
    ja_discovery_add(&discovery, scratch_path("in"), JA_ROLE_EVIDENCE, NULL, false);
    ja_discovery_walk(&discovery);
    unlink(scratch_path("in/a.txt"));
    assert_false(
        ja_read_found(&discovery, &discovery.found[0], 100, discovery.arena, &bytes, &why));
    assert_string_equal(why, strerror(ENOENT));
    scratch_write("in/a.txt", "another file of that name");
    bool same = ja_read_found(&discovery, &discovery.found[0], 100, discovery.arena, &bytes, &why);
    if (same) /* the file system gave the inode again */
        ja_bytes_done(&bytes);
    else
        assert_non_null(strstr(why, "replaced"));
    ja_discovery_done(&discovery);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, scratch_make, scratch_drop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(memory_that_ends_ends_the_run_with_6),
        TEST(reads_that_fail_leave_files_out),
        TEST(short_reads_change_no_byte),
        TEST(a_file_that_vanishes_is_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
