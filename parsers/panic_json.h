/* SPDX-License-Identifier: MIT
 *
 * The JSON container that panics (210), forced resets (151) and stackshots (288) share: a header
 * line and one object. What it finds in a damaged one is kept; cut rows and numbers never are.
 */
#ifndef JA_PARSERS_PANIC_JSON_H
#define JA_PARSERS_PANIC_JSON_H

#include "parsers/ips.h"
#include "parsers/panic.h"

struct ja_panic_body {
    struct ja_parse *parse;
    struct ja_ips ips;
    const char *text; /* of the JSON object, perhaps cut or without its first brace */
    size_t length;
    bool whole; /* the object ends, and nothing but blanks follows */
    const char *product, *kernel, *os, *build, *host_key; /* NULL: absent */
    uint32_t date;                                        /* stamp of the body's "date"; JA_NONE */
};

/* Splits, applies the header, reads the keys above and sets the status of what is damaged. */
struct ja_panic_body ja_panic_body_open(const struct ja_piece *piece, struct ja_parse *parse);

/* A string member with its escapes undone, in scratch. False when it is absent; *ret_cut when its
 * closing quote is. */
bool ja_panic_body_string(const struct ja_panic_body *body, const char *key, const char **ret,
                          size_t *ret_length, bool *ret_cut);

/* A new record with its system. */
uint32_t ja_panic_body_record(const struct ja_panic_body *body, enum ja_kind kind,
                              const char *processor);

/* memoryStatus and processByPid of the object that begins at text; says why the table is absent
 * (why may be NULL). Returns the rows. */
size_t ja_panic_body_tables(const struct ja_panic_body *body, uint32_t record, const char *text,
                            size_t length, bool nested, bool has_compressor, const char *why);

/* A stamp that says "not later than" the report's own time: the earlier of the body's date and the
 * header's; without both, the time in the file's name, which is when it was written. JA_NONE when
 * there is none of them. */
uint32_t ja_panic_not_after(struct ja_evidence *evidence, uint32_t date);

/* Unix seconds of a stamp with date, time and zone; false when one is missing. */
bool ja_panic_stamp_s(const struct ja_evidence *evidence, uint32_t stamp, int64_t *ret_s);

/* The record's moment, also of the readings that its text gave before it was known. */
void ja_panic_set_moment(struct ja_evidence *evidence, uint32_t record, uint32_t stamp);

/* Settles the times of a log that was read: the record's moment, captured, the lag of the report.
 * Returns the stamp for its event. */
uint32_t ja_panic_settle_times(struct ja_parse *parse, uint32_t record, uint32_t date,
                               const struct ja_panic_found *found);

/* The panic's event, or that of a forced reset when its reason is the button. */
void ja_panic_add_event(struct ja_parse *parse, uint32_t record, uint32_t stamp,
                        const struct ja_panic_found *found);

/* The text is the T2 processor's own: it tells what the T2 saw of its Mac. */
bool ja_panic_is_t2(const char *text, size_t length);

/* What the T2's text says of the Mac, copied to the Mac's record: its sentence, class, cause. */
void ja_panic_copy_statement(struct ja_parse *parse, uint32_t from, uint32_t to);

/* Panic logs in text (panic_paste.c): records, events, status. line: of the file. */
void ja_panic_read_text(struct ja_parse *parse, const char *text, size_t length, int line);

#endif
