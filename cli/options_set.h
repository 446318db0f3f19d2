/* SPDX-License-Identifier: MIT
 *
 * The setters behind the option table: each turns one value into one member of ja_options.
 */
#ifndef JA_CLI_OPTIONS_SET_H
#define JA_CLI_OPTIONS_SET_H

#include "cli/options.h"

/* Keeps a refusal in options->error; always false. */
bool ja_options_refuse(struct ja_options *options, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

typedef bool ja_option_set(struct ja_options *, const struct ja_option_row *, const char *);

/* One member at row->offset. */
ja_option_set ja_set_flag;   /* bool */
ja_option_set ja_set_text;   /* const char * */
ja_option_set ja_set_size;   /* int64_t bytes */
ja_option_set ja_set_count;  /* size_t, 1 or more */
ja_option_set ja_set_time;   /* int64_t unix_ns */
ja_option_set ja_set_choice; /* enum ja_choice: auto, always/require, never/off */

/* Members of their own. */
ja_option_set ja_set_action; /* offset = enum ja_action */
ja_option_set ja_set_format;
ja_option_set ja_set_manifest;
ja_option_set ja_set_process;
ja_option_set ja_set_operand; /* offset = enum ja_role */
ja_option_set ja_set_min_work;
ja_option_set ja_set_cap;
ja_option_set ja_set_slope;
ja_option_set ja_set_fail_on;
ja_option_set ja_set_redact_key;

#endif
