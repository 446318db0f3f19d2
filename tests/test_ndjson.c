/* SPDX-License-Identifier: MIT
 *
 * NDJSON read whole and in parts, pulled and by cJSON: the evidence is the same, byte for byte.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <fcntl.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/read.h"
#include "parsers/parts.h"
#include "tests/parse_fixture.h"
#include "tests/scratch.h"
#include "tests/two_routes.h"

#define HEADER "{\"type\":\"header\",\"schema\":\"jetsam-audit-ndjson/1\"}\n"
#define READING(minute, value)                                                                     \
    "{\"type\":\"reading\",\"host\":\"kiln-2\",\"boot\":\"b3\",\"name\":\"glazed\",\"pid\":88,"    \
    "\"started\":\"2026-05-01T03:00:00Z\",\"metric\":\"resident\",\"at\":\"2026-05-01T04:" minute  \
    ":00Z\",\"value_bytes\":" value ",\"resolution_bytes\":4096,\"rounding\":\"down\"}\n"
#define SOURCE(path) SOURCE_OF(path, "")
#define SOURCE_OF(path, more)                                                                      \
    "{\"type\":\"source\",\"path\":\"" path "\",\"kind\":\"ps_log\",\"status\":\"used\"" more      \
    "}\n"                                                                                          \
    "{\"type\":\"record\",\"host\":\"kiln-2\",\"source\":\"" path                                  \
    "\",\"record\":0,\"kind\":\"ps_log\",\"at\":\"2026-05-01T04:00:00Z\",\"line\":1}\n"            \
    "{\"type\":\"row\",\"source\":\"" path "\",\"record\":0,\"row\":0,\"name\":\"glazed\"}\n"
#define ROW_READING(path)                                                                          \
    "{\"type\":\"reading\",\"source\":\"" path                                                     \
    "\",\"record\":0,\"row\":0,\"metric\":\"resident\","                                           \
    "\"at\":\"2026-05-01T04:00:00Z\",\"value_bytes\":8192,\"line\":2}\n"

#define HASHED(path, sha256) SOURCE_OF(path, ",\"sha256\":\"" sha256 "\"")

#define LIKE(value, raw, flag)                                                                     \
    "{\"type\":\"reading\",\"metric\":\"resident\",\"value_bytes\":" value ",\"raw\":" raw         \
    ",\"approximate\":" flag "}\n"

static char *print_all(struct ja_evidence *evidence)
{
    char *printed = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&printed, &size);
    print_evidence(out, evidence);
    for (size_t i = 0; i < evidence->child_count; i++)
        print_evidence(out, evidence->children[i]);
    fclose(out);
    ja_evidence_free(evidence);
    return printed;
}

static struct ja_file file_of(const char *text, size_t length)
{
    return (struct ja_file){.path = "a/lines-2026-05-01T040000Z.ndjson",
                            .name = "lines-2026-05-01T040000Z.ndjson",
                            .text = text,
                            .length = length,
                            .mtime_ns = JA_UNKNOWN};
}

static char *read_whole(const char *text, size_t length, size_t max_readings)
{
    struct ja_file file = file_of(text, length);
    return print_all(ja_parse_file(&file, NULL, JA_UNKNOWN, max_readings));
}

/* In parts of so many lines. NULL: not taken. */
static char *read_parts(const char *text, size_t length, size_t lines, size_t max_readings)
{
    struct ja_parts *parts = NULL;
    struct ja_arena *scratch = ja_arena_new();
    for (size_t at = 0, end; at < length; at = end) {
        end = at;
        for (size_t i = 0; i < lines && end < length; i++) {
            const char *stop = memchr(text + end, '\n', length - end);
            end = stop ? (size_t)(stop - text) + 1 : length;
        }
        struct ja_file begin = file_of(text, end);
        if (!parts && !(parts = ja_parts_open(&begin, NULL, JA_UNKNOWN, max_readings, scratch)))
            break;
        ja_parts_add(parts, text + at, end - at);
    }
    char *printed = parts ? print_all(ja_parts_close(parts)) : NULL;
    ja_arena_free(scratch);
    return printed;
}

static void check_parts(const char *text, size_t length, size_t max_readings)
{
    char *whole = read_whole(text, length, max_readings);
    for (size_t lines = 1; lines < 5; lines++) {
        char *parts = read_parts(text, length, lines, max_readings);
        assert_non_null(parts);
        assert_string_equal(parts, whole);
        free(parts);
    }
    free(whole);
}

static const char *const texts[] = {
    HEADER READING("00", "8192") READING("01", "12288"),
    "\xEF\xBB\xBF" HEADER READING("00", "8192"),
    READING("00", "8192") "\r\n\r\n" READING("01", "12288") "{\"type\":\"rea",
    READING("00", "8192") "nothing\n" READING("01", "12288.5") READING("02", "\"8\""),
    SOURCE("a.log") SOURCE("b.log") ROW_READING("a.log") ROW_READING("b.log") ROW_READING("a.log"),
    SOURCE("a.log") READING("00", "8192") ROW_READING("a.log") READING("01", "8192"),
    /* a row that is not there, beside lines of no file */
    READING("00", "8192") SOURCE("a.log") "{\"type\":\"reading\",\"source\":\"a.log\",\"record\":0,"
                                          "\"row\":7,\"host\":\"kiln-2\",\"boot\":\"b3\",\"metric\""
                                          ":\"resident\",\"value_bytes\":1}\n",
    READING("00",
            "8192") "{\"type\":\"work\",\"name\":\"glazed\",\"unit\":\"pots\",\"total\":2.5,"
                    "\"at\":\"2026-05-01T04:00:00Z\",\"late\":\"2026-05-01T04:00:09Z\"}\n"
                    "{\"type\":\"event\",\"kind\":\"panic\",\"host\":\"kiln-2\",\"boot\":null,"
                    "\"at\":null,\"late\":\"2026-05-01T05:00:00+02:00\",\"reason\":\"a\\nb\"}\n"
                    "{\"type\":\"state\",\"host\":\"kiln-2\",\"at\":\"2026-05-01T04:00:00Z\","
                    "\"books\":{\"sum_bytes\":5,\"processes\":-1},\"ram_bytes\":1e99}\n"
                    "{\"type\":\"fact\",\"key\":\"threads\",\"value\":7,\"name\":\"gl\"}\n"
                    "{\"type\":\"concern\",\"bytes_per_hour\":1e6,\"name\":\"glazed\"}\n",
    /* lines that are almost like the one before */
    LIKE("1", "null", "true") LIKE("1", "null", "true") LIKE("12", "null", "true")
        LIKE("9", "\"9\"", "false") LIKE("1", "\"91\"", "false") LIKE("1", "91", "truer")
            LIKE("1", "91", "true ") LIKE("1 ", "\"a\\nb\"", "true") LIKE("1", "\"a\\nb\"", "true")
                LIKE("1", "[1]", "true") LIKE("1", "[1]", "true") LIKE("1", "[1,2]", "{}")
                    LIKE("1", "1", "{}") "{\"type\":\"reading\",\"metric\":\"resident\",\"value_"
                                         "bytes\":1}\n" LIKE("1e3", "\"\"", "{}")
                                             LIKE("1", "\"}\"", "{}") LIKE("01", "\"}\"", "{}")
                                                 LIKE("1", "\"}\"", "{},") LIKE("1", "\"}\"", "{}}")
                                                     LIKE("1", "\"}\"", ""),
    /* cut in a number, and behind what could be a name */
    READING("00", "8192") READING("01", "8192") "{\"type\":\"reading\",\"raw\":\"12,345",
    READING("00", "8192") "{\"type\":\"reading\",\"name\":\"}\",\"metric\":\"resident\","
                          "\"value_bytes\":1}",
    /* odd lines: escapes, a key twice, deep, a number as text, blanks, a control character */
    "{\"type\":\"reading\",\"name\":\"a\\u0041\\\\\",\"metric\":\"resident\",\"value_bytes\":1}\n"
    "{\"type\":\"reading\",\"name\":\"x\",\"name\":\"y\",\"metric\":\"rss\",\"value_bytes\":1}\n"
    "{ \"type\" : \"reading\" , \"value_bytes\" : 2 , \"metric\" : \"resident\" } \n"
    "{\"type\":\"reading\",\"metric\":\"resident\",\"value_bytes\":1}{}\n"
    "{\"t\\u0079pe\":\"reading\",\"metric\":\"resident\",\"value_bytes\":01}\n"
    "{\"type\":\"reading\",\"metric\":\"resident\",\"value_bytes\":1,\"a\":[{\"b\":[1,{}]},\"]\"]}"
    "\n",
};

static void parts_give_what_the_whole_gives(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        check_parts(texts[i], strlen(texts[i]), 1000);
        check_parts(texts[i], strlen(texts[i]) - 1, 1000);
        check_parts(texts[i], strlen(texts[i]), 1);
    }
}

static void both_routes_give_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t cut = 0; cut < strlen(texts[i]); cut += 7)
            assert_true(routes_agree(texts[i], strlen(texts[i]) - cut));
}

static void nul_bytes_are_a_tail_or_no_text(void **state)
{
    (void)state;
    static const char tail[] = READING("00", "8192") READING("01", "8192") "\0\0\0";
    static const char cut[] = READING("00", "8192") "{\"type\":\"rea\0\0";
    static const char inside[] = READING("00", "8192") "\0\n" READING("01", "8192");
    static const char late[] = READING("00", "8192") "\0\0\n\n\n";
    check_parts(tail, sizeof tail - 1, 1000);
    check_parts(cut, sizeof cut - 1, 1000);
    check_parts(inside, sizeof inside - 1, 1000);
    check_parts(late, sizeof late - 1, 1000);
    char *printed = read_parts(inside, sizeof inside - 1, 1, 1000);
    assert_non_null(strstr(printed, "NUL byte"));
    free(printed);
}

static void only_lines_are_read_in_parts(void **state)
{
    static const char *const others[] = {
        "", "Processes: 400 total\n", "{\"bug_type\":\"298\"}\n{}\n", "> " READING("00", "8192")};
    struct ja_arena *scratch = ja_arena_new();
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct ja_file begin = file_of(others[i], strlen(others[i]));
        assert_null(ja_parts_open(&begin, NULL, JA_UNKNOWN, 10, scratch));
    }
    struct ja_file lines = file_of(texts[0], strlen(texts[0]));
    assert_null(ja_parts_open(&lines, ja_parser_named("top"), JA_UNKNOWN, 10, scratch));
    ja_arena_free(scratch);
}

/* ---- the reading of parts -------------------------------------------------------------------- */

struct taken {
    char text[1 << 20];
    size_t length, parts, skipped;
    size_t most; /* parts wanted */
};

static bool take(void *data, const char *text, size_t length)
{
    struct taken *taken = data;
    if (!text) {
        taken->skipped++;
        return true;
    }
    assert_true(length > 0 && taken->length + length < sizeof taken->text);
    memcpy(taken->text + taken->length, text, length);
    taken->length += length;
    return ++taken->parts < taken->most;
}

static ssize_t read_is_short(int descriptor, void *buffer, size_t size)
{
    return read(descriptor, buffer, size < 777 ? size : 777);
}

/* Reads scratch file "lines" in parts, after it was found too large. */
static bool take_file(struct taken *taken, int64_t max_bytes, struct ja_bytes *bytes)
{
    struct ja_discovery discovery;
    const char *why = NULL;
    *taken = (struct taken){.most = taken->most ? taken->most : SIZE_MAX};
    ja_discovery_init(&discovery, 10);
    ja_discovery_add(&discovery, scratch_path("lines"), JA_ROLE_EVIDENCE, NULL, false);
    ja_discovery_walk(&discovery);
    assert_false(
        ja_read_found(&discovery, &discovery.found[0], max_bytes, discovery.arena, bytes, &why));
    assert_true(bytes->too_large);
    assert_non_null(why);
    bool good = ja_read_parts(&discovery, &discovery.found[0], max_bytes, discovery.arena, take,
                              taken, bytes, &why);
    ja_discovery_done(&discovery);
    return good;
}

/* Lines of 0, 1, 2 ... bytes, then one of long_bytes, then a short one without its end. */
static char *write_lines(size_t long_bytes)
{
    static char text[1 << 20];
    size_t at = 0;
    for (size_t n = 0; n < 700; n++) {
        memset(text + at, 'a' + (int)(n % 26), n);
        at += n;
        text[at++] = '\n';
    }
    memset(text + at, 'Z', long_bytes);
    at += long_bytes;
    memcpy(text + at, "\nend", 5);
    scratch_write("lines", text);
    return text;
}

static void every_byte_is_taken_once(void **state)
{
    static struct taken taken;
    struct ja_bytes bytes;
    char sha256[65];
    (void)state;
    const char *text = write_lines(300000); /* longer than a part, shorter than the limit */
    ja_hash_bytes(text, strlen(text), sha256);
    for (int way = 0; way < 2; way++) {
        ja_read_call = way ? read_is_short : read;
        assert_true(take_file(&taken, 400000, &bytes));
        assert_int_equal(taken.length, strlen(text));
        assert_memory_equal(taken.text, text, taken.length);
        assert_int_equal(taken.skipped, 0);
        assert_int_equal(bytes.size_bytes, strlen(text));
        assert_string_equal(bytes.sha256, sha256);
        assert_true(bytes.mtime_ns != JA_UNKNOWN);
    }
    ja_read_call = read;
}

static void a_line_beyond_the_limit_is_left_out(void **state)
{
    static struct taken taken;
    struct ja_bytes bytes;
    (void)state;
    const char *text = write_lines(600000), *line = strchr(text, 'Z');
    assert_true(take_file(&taken, 300000, &bytes));
    assert_int_equal(taken.skipped, 1);
    assert_int_equal(taken.length, strlen(text) - 600001);
    assert_memory_equal(taken.text, text, (size_t)(line - text));
    assert_memory_equal(taken.text + (line - text), "end", 3);
    assert_int_equal(bytes.size_bytes, strlen(text));
}

static void reading_ends_when_no_more_is_wanted(void **state)
{
    static struct taken taken = {.most = 1};
    struct ja_bytes bytes;
    (void)state;
    write_lines(300000);
    assert_false(take_file(&taken, 1000, &bytes));
    assert_int_equal(taken.parts, 1);
    assert_string_equal(bytes.sha256, "");
}

#define SCRATCH(name) cmocka_unit_test_setup_teardown(name, scratch_make, scratch_drop)

static void check_children(const char *text, size_t children, size_t readings)
{
    struct ja_file file = file_of(text, strlen(text));
    struct ja_evidence *evidence = ja_parse_file(&file, NULL, JA_UNKNOWN, 100);
    assert_int_equal(evidence->child_count, children);
    for (size_t i = 0; i < children; i++)
        assert_int_equal(evidence->children[i]->reading_count, readings);
    ja_evidence_free(evidence);
}

/* Two machines have a file of the same name each; their lines were joined with cat. */
static void equal_paths_are_told_apart_by_their_bytes(void **state)
{
    (void)state;
    check_children(HASHED("a.log", "11") ROW_READING("a.log") HASHED("a.log", "22")
                       ROW_READING("a.log"),
                   2, 1);
    check_children(HASHED("a.log", "11") ROW_READING("a.log") HASHED("b.log", "33")
                       ROW_READING("b.log") HASHED("a.log", "22") ROW_READING("a.log"),
                   3, 1);
    check_children(HASHED("a.log", "11") ROW_READING("a.log") HASHED("a.log", "11")
                       ROW_READING("a.log"),
                   1, 2);
}

/* A fleet in one file: as many machines as names, in whatever order their lines come. */
static void many_machines_stay_apart(void **state)
{
    (void)state;
    enum { HOSTS = 300 };
    static char text[HOSTS * 2 * 160];
    size_t length = 0;
    for (int i = 0; i < 2 * HOSTS; i++) /* 7 has no factor in common with 300 */
        length += (size_t)snprintf(
            text + length, sizeof text - length,
            "{\"type\":\"reading\",\"host\":\"h%d\",\"boot\":\"b\",\"name\":\"w\",\"pid\":7,"
            "\"metric\":\"resident\",\"at\":\"2026-03-02T08:00:%02dZ\",\"value_bytes\":%d}\n",
            i * 7 % HOSTS, i / HOSTS, i);
    struct ja_file file = file_of(text, length);
    struct ja_evidence *e = ja_parse_file(&file, NULL, JA_UNKNOWN, 1000);
    assert_int_equal(e->system_count, HOSTS);
    assert_int_equal(e->reading_count, 2 * HOSTS);
    for (int i = 0; i < 2 * HOSTS; i++) {
        char host[16];
        const struct ja_subject *subject = &e->subjects[e->readings[i].subject];
        snprintf(host, sizeof host, "h%d", i * 7 % HOSTS);
        assert_string_equal(e->systems[e->records[subject->record].system].host_name, host);
    }
    ja_evidence_free(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_give_what_the_whole_gives),
        cmocka_unit_test(both_routes_give_the_same),
        cmocka_unit_test(equal_paths_are_told_apart_by_their_bytes),
        cmocka_unit_test(many_machines_stay_apart),
        cmocka_unit_test(nul_bytes_are_a_tail_or_no_text),
        cmocka_unit_test(only_lines_are_read_in_parts),
        SCRATCH(every_byte_is_taken_once),
        SCRATCH(a_line_beyond_the_limit_is_left_out),
        SCRATCH(reading_ends_when_no_more_is_wanted),
    };
    ja_parsers_prepare();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
