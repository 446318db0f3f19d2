/* SPDX-License-Identifier: MIT
 *
 * The report folder: never inside the evidence, nothing of a person's lost, nothing half-written.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>
#include <fcntl.h>

#include <cmocka.h>

#include "cli/output.h"
#include "tests/scratch.h"

static struct ja_discovery discovery;
static struct ja_output output;

static int make_evidence(void **state)
{
    if (scratch_make(state) != 0)
        return -1;
    mkdir(scratch_path("in"), 0755);
    mkdir(scratch_path("in/sub"), 0755);
    scratch_write("in/a.txt", "evidence");
    ja_discovery_init(&discovery, 10);
    ja_discovery_add(&discovery, scratch_path("in"), JA_ROLE_EVIDENCE, NULL, false);
    return 0;
}

static int drop_evidence(void **state)
{
    ja_discovery_done(&discovery);
    return scratch_drop(state);
}

static enum ja_output_result open_at(const char *path)
{
    static char kept[512];
    snprintf(kept, sizeof kept, "%s", path);
    enum ja_output_result result = ja_output_open(&output, kept, &discovery, false);
    return result;
}

static void write_private(const char *name, const char *text)
{
    int descriptor = openat(output.private_folder, name, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_int_equal(write(descriptor, text, strlen(text)), strlen(text));
    close(descriptor);
}

/* One run that writes "a.md" and "tables/t.tsv". True when published. */
static bool run(const char *text, bool force)
{
    assert_int_equal(open_at(scratch_path("out")), JA_OUTPUT_GOOD);
    output.force = force;
    assert_true(ja_output_begin(&output));
    write_private("a.md", text);
    mkdirat(output.private_folder, "tables", 0700);
    write_private("tables/t.tsv", "t\n");
    bool good = ja_output_add(&output, "a.md") && ja_output_add(&output, "tables") &&
                ja_output_publish(&output);
    ja_output_done(&output);
    return good;
}

/* Names in out/, counted; hidden ones too. */
static int entries(void)
{
    DIR *folder = opendir(scratch_path("out"));
    int count = -2;
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

static void inside_is_refused_by_identity(void **state)
{
    (void)state;
    static const char *const paths[] = {"in", "in/sub", "in/new", "in/sub/../new", "in/sub/new"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        assert_int_equal(open_at(scratch_path(paths[i])), JA_OUTPUT_INSIDE);
        ja_output_done(&output);
    }
    assert_int_equal(symlink("in/sub", scratch_path("elsewhere")), 0);
    assert_int_equal(open_at(scratch_path("elsewhere")), JA_OUTPUT_INSIDE);
    ja_output_done(&output);
    assert_int_equal(open_at(scratch_path("elsewhere/new")), JA_OUTPUT_INSIDE);
    ja_output_done(&output);
    assert_int_not_equal(access(scratch_path("in/new"), F_OK), 0);
}

static void a_file_in_the_way_is_kept(void **state)
{
    (void)state;
    scratch_write("out", "mine");
    assert_int_equal(open_at(scratch_path("out")), JA_OUTPUT_FAILED);
    ja_output_done(&output);
    assert_string_equal(scratch_read("out"), "mine");
}

static void files_appear_whole_and_nothing_else_stays(void **state)
{
    (void)state;
    assert_true(run("one\n", false));
    assert_string_equal(scratch_read("out/a.md"), "one\n");
    assert_string_equal(scratch_read("out/tables/t.tsv"), "t\n");
    assert_int_equal(entries(), 3); /* a.md, tables, the hash list */
}

static void own_files_are_replaced_while_unchanged(void **state)
{
    (void)state;
    assert_true(run("one\n", false));
    assert_true(run("two\n", false));
    assert_string_equal(scratch_read("out/a.md"), "two\n");
    assert_true(run("three\n", false));
    assert_string_equal(scratch_read("out/a.md"), "three\n");
    assert_int_equal(entries(), 3);
}

static void an_edit_is_kept_and_the_new_file_stands_beside_it(void **state)
{
    (void)state;
    assert_true(run("one\n", false));
    scratch_write("out/a.md", "edited\n");
    assert_true(run("two\n", false));
    assert_string_equal(scratch_read("out/a.md"), "edited\n");
    assert_string_equal(scratch_read("out/a.new.md"), "two\n");
    assert_true(run("three\n", false));
    assert_string_equal(scratch_read("out/a.md"), "edited\n");
    assert_string_equal(scratch_read("out/a.new.md"), "three\n");
    scratch_write("out/a.new.md", "edited too\n");
    assert_false(run("four\n", false));
    assert_string_equal(scratch_read("out/a.new.md"), "edited too\n");
    assert_true(run("five\n", true));
    assert_string_equal(scratch_read("out/a.md"), "five\n");
}

static void a_strangers_file_is_not_overwritten(void **state)
{
    (void)state;
    mkdir(scratch_path("out"), 0755);
    scratch_write("out/a.md", "a stranger's\n");
    scratch_write("out/" JA_HASH_LIST, "not our list\n");
    assert_true(run("one\n", false));
    assert_string_equal(scratch_read("out/a.md"), "a stranger's\n");
    assert_string_equal(scratch_read("out/a.new.md"), "one\n");
}

static void links_to_evidence_are_never_written_through(void **state)
{
    (void)state;
    mkdir(scratch_path("out"), 0755);
    assert_int_equal(link(scratch_path("in/a.txt"), scratch_path("out/a.md")), 0);
    assert_true(run("one\n", true));
    assert_string_equal(scratch_read("out/a.md"), "one\n");
    assert_string_equal(scratch_read("in/a.txt"), "evidence");
    unlink(scratch_path("out/a.md"));
    assert_int_equal(symlink("../in/a.txt", scratch_path("out/a.md")), 0);
    assert_true(run("two\n", true));
    assert_string_equal(scratch_read("in/a.txt"), "evidence");
}

static void a_linked_folder_of_tables_is_refused(void **state)
{
    (void)state;
    mkdir(scratch_path("out"), 0755);
    assert_int_equal(symlink("../in", scratch_path("out/tables")), 0);
    assert_false(run("one\n", true));
    assert_int_not_equal(access(scratch_path("in/t.tsv"), F_OK), 0);
}

/* A file that is a PATH keeps its name, whatever the list says and force asks for; so does a folder
 * of tables. */
static void evidence_in_the_report_folder_stays(void **state)
{
    (void)state;
    assert_true(run("one\n", false));
    ja_discovery_add(&discovery, scratch_path("out/a.md"), JA_ROLE_EVIDENCE, NULL, false);
    assert_false(run("two\n", false));
    assert_false(run("two\n", true));
    assert_string_equal(scratch_read("out/a.md"), "one\n");
    discovery.root_count--;
    ja_discovery_add(&discovery, scratch_path("out/tables"), JA_ROLE_EVIDENCE, NULL, false);
    unlink(scratch_path("out/tables/t.tsv"));
    assert_false(run("two\n", true));
    assert_int_not_equal(access(scratch_path("out/tables/t.tsv"), F_OK), 0);
}

/* Those of runs that were killed go; those of living ones, and what only looks alike, stay. */
static void abandoned_private_folders_are_removed(void **state)
{
    static const char *const stay[] = {"out/.jetsam-audit.abcde", "out/.jetsam-audit.abcdefa",
                                       "out/.jetsam-audit.ABCDEF", "out/.jetsam-audit.0badfe"};
    (void)state;
    assert_int_equal(open_at(scratch_path("out")), JA_OUTPUT_GOOD);
    assert_true(ja_output_begin(&output));
    struct ja_output living = output;
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(mkdir(scratch_path(stay[i]), i < 3 ? 0700 : 0750), 0);
    mkdir(scratch_path("out/.jetsam-audit.abcdef"), 0700);
    mkdir(scratch_path("out/.jetsam-audit.abcdef/tables"), 0700);
    scratch_write("out/.jetsam-audit.abcdef/tables/t.tsv", "half");
    scratch_write("out/.jetsam-audit.abcdef/workbook.xlsx", "half");
    assert_true(run("one\n", false));
    assert_int_not_equal(access(scratch_path("out/.jetsam-audit.abcdef"), F_OK), 0);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(access(scratch_path(stay[i]), F_OK), 0);
    assert_int_equal(faccessat(living.folder, living.private_name, F_OK, 0), 0);
    ja_output_done(&living);
    assert_int_equal(entries(), 3 + 4);
}

static int syncs_left;

static int sync_fails(int descriptor)
{
    if (syncs_left-- > 0)
        return fsync(descriptor);
    errno = ENOSPC;
    return -1;
}

static void a_full_disk_leaves_no_new_name(void **state)
{
    (void)state;
    assert_true(run("one\n", false));
    ja_sync_call = sync_fails;
    for (int limit = 0; limit < 3; limit++) { /* two files, then the first list */
        syncs_left = limit;
        bool good = run("two\n", false);
        if (good)
            ja_sync_call = fsync;
        assert_false(good);
        assert_string_equal(scratch_read("out/a.md"), "one\n");
        assert_int_equal(entries(), 3);
    }
    ja_sync_call = fsync;
    assert_true(run("two\n", false));
    assert_string_equal(scratch_read("out/a.md"), "two\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_evidence, drop_evidence)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(inside_is_refused_by_identity),
        TEST(a_file_in_the_way_is_kept),
        TEST(files_appear_whole_and_nothing_else_stays),
        TEST(own_files_are_replaced_while_unchanged),
        TEST(an_edit_is_kept_and_the_new_file_stands_beside_it),
        TEST(a_strangers_file_is_not_overwritten),
        TEST(links_to_evidence_are_never_written_through),
        TEST(a_linked_folder_of_tables_is_refused),
        TEST(evidence_in_the_report_folder_stays),
        TEST(abandoned_private_folders_are_removed),
        TEST(a_full_disk_leaves_no_new_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
