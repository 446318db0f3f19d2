/* SPDX-License-Identifier: MIT
 *
 * What bytes are before any parser sees them: text, text in another encoding, or something binary
 * that is named and not read.
 */
#ifndef JA_CLI_CONTENT_H
#define JA_CLI_CONTENT_H

#include <stdbool.h>
#include <stddef.h>

#include "model/arena.h"

enum ja_content {
    JA_CONTENT_TEXT,
    JA_CONTENT_EMPTY,
    JA_CONTENT_ARCHIVE, /* compressed or packed: why says how to unpack it */
    JA_CONTENT_BINARY,  /* a known binary format */
    JA_CONTENT_NUL,     /* a NUL byte where text should be, or another encoding */
};

/* *ret_why (in arena): what it is and what to do; NULL for text. *ret_skip: bytes of a UTF-8 byte
 * order mark before the text. /proc's cmdline files part their arguments by NULs: those become
 * blanks in place (name is the file's last component). */
enum ja_content ja_content_of(char *text, size_t length, const char *name, struct ja_arena *arena,
                              const char **ret_why, size_t *ret_skip);

#endif
