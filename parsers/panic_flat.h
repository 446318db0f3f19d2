/* SPDX-License-Identifier: MIT
 *
 * A panic log with its white space made plain: every run of blanks and line ends is one blank, so
 * that a log that was re-wrapped, indented or joined into one line is read by the same words. Each
 * byte remembers where it stood. Lives in the parse's scratch arena.
 */
#ifndef JA_PARSERS_PANIC_FLAT_H
#define JA_PARSERS_PANIC_FLAT_H

#include "parsers/panic.h"
#include "parsers/scan.h"

struct ja_flat {
    const struct ja_panic_log *log;
    struct ja_parse *parse;
    uint32_t record;
    char *text; /* NUL-terminated */
    size_t length;
    uint32_t *origin;    /* offset in log->text of each byte */
    bool rewrapped;      /* its line ends are not the kernel's */
    uint32_t json_place; /* all of a JSON string is one place; JA_NONE until asked for */
};

struct ja_flat ja_flat_make(struct ja_parse *parse, uint32_t record,
                            const struct ja_panic_log *log);

/* Offset behind the token, looked for from `from`; false when it is not there. */
bool ja_flat_after(const struct ja_flat *flat, size_t from, const char *token, size_t *ret);

/* A cursor at an offset. */
struct ja_scan ja_flat_scan(const struct ja_flat *flat, size_t at);

/* A whole number; false also when it is the last thing of the text, where a cut may have gone through
 * its digits. */
bool ja_flat_number(struct ja_scan *scan, int64_t *ret);

/* Where the text that begins at `at` ends: at its line's end, or, in a re-wrapped log, where the
 * next part of the log begins. */
size_t ja_flat_line_end(const struct ja_flat *flat, size_t at);

/* Where the next known part of the log begins at or behind `at`; the length when there is none. */
size_t ja_flat_part_end(const struct ja_flat *flat, size_t at);

/* The text between two offsets, trimmed, in scratch; NULL when empty. */
const char *ja_flat_copy(const struct ja_flat *flat, size_t from, size_t to);

/* The evidence's place of an offset. */
uint32_t ja_flat_place(struct ja_flat *flat, size_t at);

/* A fact of the record with the place of an offset. */
void ja_flat_fact(struct ja_flat *flat, size_t at, enum ja_fact_key key, int64_t value,
                  const char *text);

/* Facts of the panic reason that lies in [from, to): who was silent, which zone, which exit. */
void ja_panic_reason_read(struct ja_flat *flat, size_t from, size_t to,
                          const struct ja_panic_class *class);

/* Readings of the zones that the log lists; after the record has its moment. */
void ja_panic_zones_read(struct ja_flat *flat);

#endif
