/* SPDX-License-Identifier: MIT
 *
 * The text that spindump and the microstackshot reports share (cpu, disk write, wakeup and memory
 * resource reports, spins, hangs, shutdown stalls): a block of "Name:   value" lines, then one
 * block a process. Their only memory content are the "Footprint:" lines.
 */
#ifndef JA_PARSERS_SPINDUMP_H
#define JA_PARSERS_SPINDUMP_H

#include "parsers/ips.h"
#include "parsers/parser.h"

/* The header's lines; a slice without text: not there. Lives as long as the piece. */
struct ja_spindump {
    struct ja_ips ips;
    struct ja_piece body; /* the text behind a header line, or the whole piece */
    struct ja_slice start, end, os, model, command, pid, event, action, duration, reason, limit;
    int event_line;
};

/* Splits and reads the header lines. False when it is no such text. No side effects. */
bool ja_spindump_open(const struct ja_piece *piece, struct ja_spindump *ret);

/* Kind, header, system, times; every Footprint line becomes a reading of its process. Returns the
 * record that speaks of the report's end; *ret_readings how many readings there are. */
uint32_t ja_spindump_read(const struct ja_spindump *dump, struct ja_parse *parse, enum ja_kind kind,
                          size_t *ret_readings);

/* An event of the report at the end of its window: process = its Command and PID. */
struct ja_event_seen *ja_spindump_event(const struct ja_spindump *dump, struct ja_parse *parse,
                                        uint32_t record, enum ja_event_kind kind,
                                        const char *reason, const struct ja_slice *detail);

/* Status of a report with no more to tell than an event, or nothing. */
void ja_spindump_status(struct ja_parse *parse, size_t readings, bool event, const char *why);

/* The slice holds the word (ASCII case ignored). */
bool ja_slice_holds(const struct ja_slice *slice, const char *word);

#endif
