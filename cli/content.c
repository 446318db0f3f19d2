/* SPDX-License-Identifier: MIT */
#include "cli/content.h"

#include <string.h>

#include "parsers/scan.h"

struct magic {
    size_t offset;
    const char *bytes;
    size_t length;
    enum ja_content content;
    const char *what;
};

#define MAGIC(at, text, kind, words)                                                               \
    {                                                                                              \
        (at), (text), sizeof(text) - 1, (kind), (words)                                            \
    }

static const struct magic magics[] = {
    MAGIC(0, "\x1f\x8b", JA_CONTENT_ARCHIVE, "gzip data: unpack it first (gunzip -k FILE)"),
    MAGIC(0, "PK\x03\x04", JA_CONTENT_ARCHIVE, "a zip archive: unpack it first (unzip FILE)"),
    MAGIC(0, "BZh", JA_CONTENT_ARCHIVE, "bzip2 data: unpack it first (bunzip2 -k FILE)"),
    MAGIC(0,
          "\xfd"
          "7zXZ",
          JA_CONTENT_ARCHIVE, "xz data: unpack it first (unxz -k FILE)"),
    MAGIC(0, "\x28\xb5\x2f\xfd", JA_CONTENT_ARCHIVE, "zstd data: unpack it first (zstd -d FILE)"),
    MAGIC(257, "ustar", JA_CONTENT_ARCHIVE, "a tar archive: unpack it first (tar xf FILE)"),
    MAGIC(0, "bplist00", JA_CONTENT_BINARY,
          "a binary property list (a .memgraph: save the text of `footprint FILE`, "
          "`vmmap FILE` or `heap FILE` instead)"),
    MAGIC(0,
          "\x7f"
          "ELF",
          JA_CONTENT_BINARY, "an ELF program or core file: not read"),
    MAGIC(0, "\xcf\xfa\xed\xfe", JA_CONTENT_BINARY, "a Mach-O program or core file: not read"),
    MAGIC(0, "SQLite format 3", JA_CONTENT_BINARY, "an SQLite database: not read"),
    MAGIC(0, "\x89PNG", JA_CONTENT_BINARY, "a picture: not read"),
    MAGIC(0, "%PDF", JA_CONTENT_BINARY, "a PDF document: not read"),
    MAGIC(0, "\xff\xfe", JA_CONTENT_NUL,
          "UTF-16 text: convert it first (iconv -f UTF-16 -t UTF-8 FILE)"),
    MAGIC(0, "\xfe\xff", JA_CONTENT_NUL,
          "UTF-16 text: convert it first (iconv -f UTF-16 -t UTF-8 FILE)"),
};

static const struct magic *magic_of(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
        const struct magic *magic = &magics[i];
        if (length >= magic->offset + magic->length &&
            memcmp(text + magic->offset, magic->bytes, magic->length) == 0)
            return magic;
    }
    return NULL;
}

static void open_command_line(char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!text[i])
            text[i] = i + 1 == length ? '\n' : ' ';
}

enum ja_content ja_content_of(char *text, size_t length, const char *name, struct ja_arena *arena,
                              const char **ret_why, size_t *ret_skip)
{
    *ret_why = NULL;
    *ret_skip = 0;
    if (!length) {
        *ret_why = "empty";
        return JA_CONTENT_EMPTY;
    }
    const char *nul = memchr(text, 0, length);
    const struct magic *magic = magic_of(text, length);
    /* Two bytes of a mark prove little: only what cannot be text counts as UTF-16. */
    if (magic && (magic->content != JA_CONTENT_NUL || nul)) {
        *ret_why = magic->what;
        return magic->content;
    }
    if (nul && strcmp(name, "cmdline") == 0) {
        open_command_line(text, length);
        return JA_CONTENT_TEXT;
    }
    if (nul) {
        *ret_why = ja_arena_print(arena, "a NUL byte at offset %zu: not text, not read",
                                  (size_t)(nul - text));
        return JA_CONTENT_NUL;
    }
    if (ja_text_begins(text, length, "\xef\xbb\xbf"))
        *ret_skip = 3;
    return JA_CONTENT_TEXT;
}
