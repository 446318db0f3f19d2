/* SPDX-License-Identifier: MIT
 *
 * The cage, entered in a child process: evidence can be read, the report folder written, and
 * nothing else. Where the kernel offers no cage, the test says so and is skipped.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "cli/sandbox.h"
#include "tests/scratch.h"

/* What the child found, as its exit status. */
enum {
    CAGED = 0,
    NO_CAGE = 1,
    READ_FAILED = 10,
    WRITE_FAILED,
    ESCAPED_READ,
    ESCAPED_WRITE,
    ESCAPED_SOCKET,
};

static int can_open(const char *path, int flags)
{
    int descriptor = open(path, flags, 0600);
    if (descriptor >= 0)
        close(descriptor);
    return descriptor >= 0;
}

static int look_around(void)
{
    struct ja_discovery discovery;
    const char *text;
    ja_discovery_init(&discovery, 10);
    ja_discovery_add(&discovery, scratch_path("in"), JA_ROLE_EVIDENCE, NULL, false);
    ja_discovery_add(&discovery, scratch_path("one.txt"), JA_ROLE_EVIDENCE, NULL, false);
    int out = open(scratch_path("out"), O_RDONLY | O_DIRECTORY);
    if (!ja_sandbox_enter(&discovery, out, scratch_path("out"), JA_CHOICE_ON, &text))
        return NO_CAGE;
    if (!can_open(scratch_path("in/a.txt"), O_RDONLY) ||
        !can_open(scratch_path("one.txt"), O_RDONLY))
        return READ_FAILED;
    if (!can_open(scratch_path("out/new.txt"), O_WRONLY | O_CREAT | O_EXCL) ||
        mkdir(scratch_path("out/folder"), 0700) != 0 ||
        rename(scratch_path("out/new.txt"), scratch_path("out/folder/new.txt")) != 0 ||
        unlink(scratch_path("out/folder/new.txt")) != 0)
        return WRITE_FAILED;
    if (can_open(scratch_path("other.txt"), O_RDONLY) || can_open("/etc/passwd", O_RDONLY))
        return ESCAPED_READ;
    if (can_open(scratch_path("in/a.txt"), O_WRONLY) ||
        can_open(scratch_path("one.txt"), O_WRONLY) ||
        can_open(scratch_path("in/new.txt"), O_WRONLY | O_CREAT) ||
        unlink(scratch_path("in/a.txt")) == 0)
        return ESCAPED_WRITE;
    if (socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0)
        return ESCAPED_SOCKET;
    execl("/bin/true", "true", (char *)NULL);
    return CAGED; /* a successful execl would have ended with 0 too: see below */
}

static void the_cage_holds(void **state)
{
    (void)state;
    mkdir(scratch_path("in"), 0755);
    mkdir(scratch_path("out"), 0755);
    scratch_write("in/a.txt", "a");
    scratch_write("one.txt", "1");
    scratch_write("other.txt", "other");
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int found = look_around();
        _exit(found == CAGED ? 77 : found); /* 0 only when /bin/true was started */
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == NO_CAGE)
        skip();
    assert_int_equal(WEXITSTATUS(status), 77);
}

static void off_is_off(void **state)
{
    struct ja_discovery discovery;
    const char *text = NULL;
    (void)state;
    ja_discovery_init(&discovery, 10);
    assert_true(ja_sandbox_enter(&discovery, -1, NULL, JA_CHOICE_OFF, &text));
    assert_string_equal(text, "off");
    assert_true(can_open("/etc/passwd", O_RDONLY));
    ja_discovery_done(&discovery);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_cage_holds, scratch_make, scratch_drop),
        cmocka_unit_test(off_is_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
