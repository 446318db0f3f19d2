/* SPDX-License-Identifier: MIT
 *
 * Finding and reading files: what is walked, what is refused and said, how paths are printed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>
#include <fcntl.h>

#include <cmocka.h>

#include "cli/discover.h"
#include "cli/read.h"
#include "tests/scratch.h"

static struct ja_discovery discovery;

static void walk(const char *const *paths, size_t count)
{
    ja_discovery_init(&discovery, 1000);
    for (size_t i = 0; i < count; i++)
        ja_discovery_add(&discovery, scratch_path(paths[i]), JA_ROLE_EVIDENCE, NULL, false);
    ja_discovery_walk(&discovery);
}

/* Printed paths, joined by blanks. */
static const char *found_paths(void)
{
    static char text[2048];
    text[0] = '\0';
    for (size_t i = 0; i < discovery.found_count; i++) {
        strcat(text, i ? " " : "");
        strcat(text, discovery.found[i].path);
    }
    return text;
}

static int make_tree(void **state)
{
    if (scratch_make(state) != 0)
        return -1;
    mkdir(scratch_path("in"), 0755);
    mkdir(scratch_path("in/sub"), 0755);
    mkdir(scratch_path("in/sub.x"), 0755);
    mkdir(scratch_path("in/void.ips"), 0755);
    scratch_write("in/b.txt", "bb");
    scratch_write("in/sub/a.txt", "aaa");
    scratch_write("in/sub.x/c.txt", "");
    scratch_write("one.txt", "1");
    return 0;
}

static int drop_tree(void **state)
{
    ja_discovery_done(&discovery);
    return scratch_drop(state);
}

static void a_folder_is_walked_in_the_order_of_bytes(void **state)
{
    (void)state;
    walk((const char *[]){"in"}, 1);
    assert_string_equal(found_paths(), "b.txt sub.x/c.txt sub/a.txt");
}

static void several_paths_carry_their_last_component(void **state)
{
    (void)state;
    mkdir(scratch_path("other"), 0755);
    mkdir(scratch_path("other/in"), 0755);
    scratch_write("other/in/z.txt", "z");
    walk((const char *[]){"in/", "other/in", "one.txt"}, 3);
    assert_string_equal(found_paths(), "in#2/z.txt in/b.txt in/sub.x/c.txt in/sub/a.txt one.txt");
}

static void a_file_named_twice_is_read_once(void **state)
{
    (void)state;
    walk((const char *[]){"in", "in/b.txt", "in/sub", "in"}, 4);
    assert_string_equal(found_paths(), "b.txt sub.x/c.txt sub/a.txt");
}

static void roles_reach_files_of_folders_walked_before(void **state)
{
    (void)state;
    ja_discovery_init(&discovery, 1000);
    ja_discovery_add(&discovery, scratch_path("in"), JA_ROLE_EVIDENCE, NULL, false);
    ja_discovery_add(&discovery, scratch_path("in/sub"), JA_ROLE_AFTER, NULL, false);
    ja_discovery_walk(&discovery);
    assert_string_equal(found_paths(), "b.txt sub.x/c.txt sub/a.txt");
    assert_int_equal(discovery.found[0].role, JA_ROLE_EVIDENCE);
    assert_int_equal(discovery.found[2].role, JA_ROLE_AFTER);
}

static void what_is_not_read_is_listed_with_its_reason(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(scratch_path("in/pipe"), 0600), 0);
    assert_int_equal(symlink("b.txt", scratch_path("in/link")), 0);
    assert_int_equal(symlink("..", scratch_path("in/up")), 0);
    assert_int_equal(symlink("self", scratch_path("in/self")), 0);
    walk((const char *[]){"in"}, 1);
    assert_string_equal(found_paths(), "b.txt link pipe self sub.x/c.txt sub/a.txt up");
    assert_null(discovery.found[0].refused);
    assert_non_null(strstr(discovery.found[1].refused, "link"));
    assert_non_null(strstr(discovery.found[2].refused, "FIFO"));
    assert_non_null(strstr(discovery.found[3].refused, "link"));
    assert_non_null(strstr(discovery.found[6].refused, "link"));
}

static void depth_and_count_are_limited(void **state)
{
    (void)state;
    char path[512] = "in";
    for (int i = 0; i < JA_WALK_DEPTH + 3; i++) {
        strcat(path, "/d");
        mkdir(scratch_path(path), 0755);
    }
    strcat(path, "/deep.txt");
    scratch_write(path, "deep");
    walk((const char *[]){"in"}, 1);
    assert_null(strstr(found_paths(), "deep.txt"));
    assert_non_null(strstr(discovery.found[1].refused, "too deep"));
    ja_discovery_done(&discovery);
    ja_discovery_init(&discovery, 2);
    ja_discovery_add(&discovery, scratch_path("in"), JA_ROLE_EVIDENCE, NULL, false);
    ja_discovery_walk(&discovery);
    assert_int_equal(discovery.found_count, 2);
    assert_int_equal(discovery.left_out, 2);
}

static void a_missing_path_says_why(void **state)
{
    (void)state;
    walk((const char *[]){"nowhere"}, 1);
    assert_int_equal(discovery.roots[0].kind, JA_ROOT_MISSING);
    assert_non_null(discovery.roots[0].error);
    assert_int_equal(discovery.found_count, 0);
}

static void an_operand_may_be_a_link_but_no_folder_below_it(void **state)
{
    (void)state;
    assert_int_equal(symlink("in", scratch_path("named")), 0);
    walk((const char *[]){"named"}, 1);
    assert_string_equal(found_paths(), "b.txt sub.x/c.txt sub/a.txt");
    /* After the walk a folder becomes a link to elsewhere: nothing is read through it. */
    struct ja_bytes bytes;
    const char *why = NULL;
    assert_int_equal(rename(scratch_path("in/sub"), scratch_path("moved")), 0);
    assert_int_equal(symlink("../moved", scratch_path("in/sub")), 0);
    assert_false(
        ja_read_found(&discovery, &discovery.found[2], 100, discovery.arena, &bytes, &why));
    assert_non_null(why);
}

static void bytes_and_hash_are_of_what_was_read(void **state)
{
    struct ja_bytes bytes;
    const char *why = NULL;
    (void)state;
    walk((const char *[]){"in"}, 1);
    assert_true(ja_read_found(&discovery, &discovery.found[2], 100, discovery.arena, &bytes, &why));
    assert_int_equal(bytes.length, 3);
    assert_string_equal(bytes.memory, "aaa");
    assert_string_equal(bytes.sha256,
                        "9834876dcfb05cb167a5c24953eba58c4ac89b1adf57f28f2f9d09af107ee8f0");
    ja_bytes_done(&bytes);
}

static void a_file_above_the_limit_is_not_read(void **state)
{
    struct ja_bytes bytes;
    const char *why = NULL;
    (void)state;
    walk((const char *[]){"in"}, 1);
    assert_true(ja_read_found(&discovery, &discovery.found[2], 3, discovery.arena, &bytes, &why));
    ja_bytes_done(&bytes);
    assert_false(ja_read_found(&discovery, &discovery.found[2], 2, discovery.arena, &bytes, &why));
    assert_non_null(strstr(why, "--max-file"));
    assert_string_equal(bytes.sha256, "");
    assert_int_equal(truncate(scratch_path("in/b.txt"), (off_t)40 << 30), 0);
    assert_false(ja_read_found(&discovery, &discovery.found[0], 256 * JA_MIB, discovery.arena,
                               &bytes, &why));
}

static int calls;

static ssize_t read_one_byte(int descriptor, void *buffer, size_t size)
{
    (void)size;
    if (++calls % 3 == 0) {
        errno = EINTR;
        return -1;
    }
    return read(descriptor, buffer, 1);
}

static ssize_t read_fails_late(int descriptor, void *buffer, size_t size)
{
    (void)size;
    if (++calls > 2) {
        errno = EIO;
        return -1;
    }
    return read(descriptor, buffer, 1);
}

static ssize_t read_and_append(int descriptor, void *buffer, size_t size)
{
    if (++calls % 3 == 1) { /* at least once in each of the two readings */
        FILE *file = fopen(scratch_path("in/b.txt"), "ab");
        fputs("x", file);
        fclose(file);
    }
    return read(descriptor, buffer, size);
}

static void short_reads_and_interrupts_change_nothing(void **state)
{
    struct ja_bytes bytes;
    const char *why = NULL;
    (void)state;
    walk((const char *[]){"in"}, 1);
    ja_read_call = read_one_byte;
    bool good = ja_read_found(&discovery, &discovery.found[2], 100, discovery.arena, &bytes, &why);
    ja_read_call = read;
    assert_true(good);
    assert_string_equal(bytes.memory, "aaa");
    ja_bytes_done(&bytes);
}

static void a_read_error_says_so(void **state)
{
    struct ja_bytes bytes;
    const char *why = NULL;
    (void)state;
    walk((const char *[]){"in"}, 1);
    calls = 0;
    ja_read_call = read_fails_late;
    bool good = ja_read_found(&discovery, &discovery.found[2], 100, discovery.arena, &bytes, &why);
    ja_read_call = read;
    assert_false(good);
    assert_string_equal(why, strerror(EIO));
}

static void a_file_that_changes_is_marked(void **state)
{
    struct ja_bytes bytes;
    const char *why = NULL;
    (void)state;
    walk((const char *[]){"in"}, 1);
    calls = 0;
    ja_read_call = read_and_append;
    bool good = ja_read_found(&discovery, &discovery.found[0], 100, discovery.arena, &bytes, &why);
    ja_read_call = read;
    assert_true(good);
    assert_true(bytes.changed);
    ja_bytes_done(&bytes);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_tree, drop_tree)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_folder_is_walked_in_the_order_of_bytes),
        TEST(several_paths_carry_their_last_component),
        TEST(a_file_named_twice_is_read_once),
        TEST(roles_reach_files_of_folders_walked_before),
        TEST(what_is_not_read_is_listed_with_its_reason),
        TEST(depth_and_count_are_limited),
        TEST(a_missing_path_says_why),
        TEST(an_operand_may_be_a_link_but_no_folder_below_it),
        TEST(bytes_and_hash_are_of_what_was_read),
        TEST(a_file_above_the_limit_is_not_read),
        TEST(short_reads_and_interrupts_change_nothing),
        TEST(a_read_error_says_so),
        TEST(a_file_that_changes_is_marked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
