/* SPDX-License-Identifier: MIT
 *
 * JSON as it is written: text of any bytes, and what is kept to be put again, wherever the buffer
 * ends.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reports/json_out.h"
#include "reports/text.h"

static struct ja_json_out json;
static char *written;
static size_t written_length;

static void begin(void)
{
    memset(&json, 0, sizeof json);
    json.compact = true;
    json.out = open_memstream(&written, &written_length);
    assert_non_null(json.out);
}

static void end(void)
{
    assert_true(ja_out_flush(&json));
    assert_int_equal(fclose(json.out), 0);
}

/* The text quoted byte by byte. */
static void expect(const char *text, char *wanted)
{
    static const char *const short_ones[] = {
        ['"'] = "\\\"", ['\\'] = "\\\\", ['\n'] = "\\n", ['\t'] = "\\t", ['\r'] = "\\r"};
    *wanted++ = '"';
    while (*text) {
        unsigned char c = (unsigned char)*text;
        uint32_t code = 0;
        size_t length = ja_utf8_decode((const unsigned char *)text, &code);
        if (!length || (code & 0xfffe) == 0xfffe)
            wanted += sprintf(wanted, "\\\\x%02X", c);
        else if (length > 1)
            wanted += sprintf(wanted, "%.*s", (int)length, text);
        else if (c < sizeof short_ones / sizeof *short_ones && short_ones[c])
            wanted += sprintf(wanted, "%s", short_ones[c]);
        else
            wanted += sprintf(wanted, c < 0x20 || c == 0x7f ? "\\u%04x" : "%c", c);
        text += !length || (code & 0xfffe) == 0xfffe ? 1 : length;
    }
    strcpy(wanted, "\"");
}

/* Each byte at each place of a text that is looked at eight bytes at a time. */
static void any_byte_anywhere(void **state)
{
    (void)state;
    for (int byte = 1; byte < 256; byte++)
        for (size_t at = 0; at < 19; at++) {
            char text[20] = "abcdefghijklmnopqrs", wanted[200];
            text[at] = (char)byte;
            expect(text, wanted);
            begin();
            ja_out_text(&json, NULL, text);
            end();
            assert_string_equal(written, wanted);
            free(written);
        }
}

static void sequences(void **state)
{
    static const char *const texts[] = {"", "\xc3\xa9\xc3", "a\xef\xbf\xbf", "\xf0\x9f\x98\x80\"",
                                        "\xed\xa0\x80 \\ \x01 \x7f"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char wanted[200];
        expect(texts[i], wanted);
        begin();
        ja_out_text(&json, NULL, texts[i]);
        end();
        assert_string_equal(written, wanted);
        free(written);
    }
}

static void put_line(const char *text, struct ja_json_part *part)
{
    json.comma[0] = false;
    ja_out_open(&json, NULL, '{');
    if (part && part->length) {
        ja_out_part(&json, part);
    } else {
        size_t mark = ja_out_mark(&json);
        ja_out_text(&json, "name", text);
        ja_out_whole(&json, "pid", -7);
        if (part)
            ja_out_keep(&json, mark, part);
    }
    ja_out_number(&json, "n", 0.5);
    ja_out_close(&json, '}');
    ja_out_line(&json);
}

/* Lines with a part that is kept are those without, for short, long and much too long texts. */
static void parts_that_are_kept(void **state)
{
    static const size_t lengths[] = {1, 100, 1000, 1005, 1006, 1007, 1024, 5000, 70000};
    static char text[70001];
    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        memset(text, 'x', lengths[i]);
        text[lengths[i]] = '\0';
        begin();
        for (int line = 0; line < 700; line++)
            put_line(text, NULL);
        end();
        char *wanted = written;
        size_t wanted_length = written_length;
        struct ja_json_part part = {.length = 0};
        begin();
        for (int line = 0; line < 700; line++)
            put_line(text, &part);
        end();
        assert_int_equal(part.length != 0, lengths[i] <= 1006);
        assert_int_equal(written_length, wanted_length);
        assert_memory_equal(written, wanted, wanted_length);
        free(written);
        free(wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_byte_anywhere),
        cmocka_unit_test(sequences),
        cmocka_unit_test(parts_that_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
