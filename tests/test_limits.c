/* SPDX-License-Identifier: MIT
 *
 * What is cut at a limit is said to be cut, and what is just below it is not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/parse_fixture.h"

/* A text of count times before, a running number, behind; free it. */
static char *repeat(const char *before, const char *behind, unsigned count)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    for (unsigned i = 0; i < count; i++)
        fprintf(out, "%s%u%s", before, i, behind);
    fclose(out);
    return text;
}

static void expect(const char *code, bool said, struct ja_evidence *evidence)
{
    if (diagnosed(evidence, code) != said)
        fail_msg("%s is %s", code, said ? "not said" : "said");
    ja_evidence_free(evidence);
}

/* At the limit nothing is said, one beyond it the code is. */
static void check_limit(const char *path, const char *code, const char *before, const char *behind,
                        unsigned limit)
{
    for (unsigned beyond = 0; beyond < 2; beyond++) {
        char *text = repeat(before, behind, limit + beyond);
        expect(code, beyond, parse_text(path, text));
        free(text);
    }
}

static void documents_of_kubernetes(void **state)
{
    (void)state;
    check_limit("pods.json", "too-many-documents",
                "{\"kind\":\"PodMetrics\",\"metadata\":{\"name\":\"p", "\"}}\n", 100000);
}

static void panics_of_one_text(void **state)
{
    (void)state;
    check_limit("Kernel.panic", "too-many-panics", "panic(cpu ",
                " caller 0xffffff80001): \"busy timeout\"\nDebugger message: panic\n\n", 64);
}

static void hosts_of_one_log(void **state)
{
    (void)state;
    check_limit("kern.log", "too-many-boots", "Oct 13 09:12:00 host",
                " kernel: [1.0] Out of memory: Killed process 7 (x) total-vm:8kB, anon-rss:4kB, "
                "file-rss:0kB, shmem-rss:0kB\n",
                1000);
}

static void readings_of_one_file(void **state)
{
    (void)state;
    char *text = repeat("2026-10-13 09:12:00 name=w", " 512 MB\n", 40);
    struct ja_file file = {"rss.log", "rss.log", text, strlen(text), JA_UNKNOWN};
    expect("too-many-readings", false, ja_parse_file(&file, NULL, JA_UNKNOWN, 40));
    expect("too-many-readings", true, ja_parse_file(&file, NULL, JA_UNKNOWN, 39));
    free(text);
}

static int set_up(void **state)
{
    (void)state;
    ja_parsers_prepare();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documents_of_kubernetes),
        cmocka_unit_test(panics_of_one_text),
        cmocka_unit_test(hosts_of_one_log),
        cmocka_unit_test(readings_of_one_file),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
