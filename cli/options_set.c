/* SPDX-License-Identifier: MIT */
#include "cli/options_set.h"

#include <stdarg.h>
#include <string.h>

#include "model/instant.h"
#include "parsers/scan.h"
#include "parsers/stated.h"

bool ja_options_refuse(struct ja_options *options, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(options->error, sizeof options->error, format, arguments);
    va_end(arguments);
    return false;
}

static void *member(struct ja_options *options, const struct ja_option_row *row)
{
    return (char *)options + row->offset;
}

bool ja_set_flag(struct ja_options *options, const struct ja_option_row *row, const char *value)
{
    (void)value;
    *(bool *)member(options, row) = true;
    return true;
}

bool ja_set_text(struct ja_options *options, const struct ja_option_row *row, const char *value)
{
    if (!*value)
        return ja_options_refuse(options, "--%s needs a value (%s)", row->name, row->argument);
    *(const char **)member(options, row) = value;
    return true;
}

bool ja_set_size(struct ja_options *options, const struct ja_option_row *row, const char *value)
{
    int64_t bytes;
    if (!ja_stated_size(value, &bytes))
        return ja_options_refuse(options, "--%s: '%s' is not a size (e.g. 256MiB, 1.5GB)",
                                 row->name, value);
    *(int64_t *)member(options, row) = bytes;
    return true;
}

static bool read_count(const char *value, int64_t *ret)
{
    struct ja_scan scan = ja_scan_of(value, strlen(value));
    return ja_scan_u63(&scan, ret) && ja_scan_end(&scan);
}

bool ja_set_count(struct ja_options *options, const struct ja_option_row *row, const char *value)
{
    int64_t count;
    if (!read_count(value, &count) || count < 1 || (uint64_t)count > SIZE_MAX / 2)
        return ja_options_refuse(options, "--%s: '%s' is not a whole number of 1 or more",
                                 row->name, value);
    *(size_t *)member(options, row) = (size_t)count;
    return true;
}

/* RFC 3339 in full, or cut after the minute or the day and then taken as UTC. */
static bool read_time(const char *value, int64_t *ret_ns)
{
    char full[64];
    static const char *const ends[] = {"", "Z", ":00Z", "T00:00:00Z"};
    if (strlen(value) > 40)
        return false;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(full, sizeof full, "%s%s", value, ends[i]);
        char *blank = strchr(full, ' ');
        if (blank)
            *blank = 'T';
        if (ja_instant_read(full, strlen(full), ret_ns))
            return true;
    }
    return false;
}

bool ja_set_time(struct ja_options *options, const struct ja_option_row *row, const char *value)
{
    if (!read_time(value, member(options, row)))
        return ja_options_refuse(
            options, "--%s: '%s' is not a time (e.g. 2026-10-13T07:12:00+02:00; UTC without zone)",
            row->name, value);
    return true;
}

bool ja_set_choice(struct ja_options *options, const struct ja_option_row *row, const char *value)
{
    /* row->argument is "auto|<on word>|<off word>" */
    const char *word = row->argument;
    for (int i = 0; i < 3; i++) {
        size_t length = strcspn(word, "|");
        if (strlen(value) == length && memcmp(word, value, length) == 0) {
            *(enum ja_choice *)member(options, row) = (enum ja_choice)i;
            return true;
        }
        word += length + (word[length] == '|');
    }
    return ja_options_refuse(options, "--%s: '%s' is none of %s", row->name, value, row->argument);
}

bool ja_set_action(struct ja_options *options, const struct ja_option_row *row, const char *value)
{
    /* The first one asked for wins: `--help --version` is a question for help. */
    if (options->action == JA_ACTION_AUDIT) {
        options->action = (enum ja_action)row->offset;
        options->subject = value;
    }
    return true;
}

/* Takes the next word of a comma list into *ret; false at the end. */
static bool next_word(struct ja_options *options, const char **list, const char **ret)
{
    if (!**list)
        return false;
    size_t length = strcspn(*list, ",");
    *ret = ja_arena_copy(options->arena, *list, length);
    *list += length + ((*list)[length] == ',');
    return true;
}

bool ja_set_format(struct ja_options *options, const struct ja_option_row *row, const char *value)
{
    /* Whether a word is a report is the report table's business: cli/run.c asks it. */
    const char *list = value, *word;
    options->format_count = 0;
    while (next_word(options, &list, &word))
        *JA_APPEND(options->arena, options->formats, options->format_count,
                   options->format_capacity) = word;
    if (!options->format_count)
        return ja_options_refuse(options, "--%s needs a list, e.g. md,svg,xlsx", row->name);
    return true;
}

bool ja_set_manifest(struct ja_options *options, const struct ja_option_row *row, const char *value)
{
    (void)row;
    *JA_APPEND(options->arena, options->manifests, options->manifest_count,
               options->manifest_capacity) = value;
    return true;
}

bool ja_set_process(struct ja_options *options, const struct ja_option_row *row, const char *value)
{
    if (!*value)
        return ja_options_refuse(options, "--%s needs a name or a pid", row->name);
    *JA_APPEND(options->arena, options->processes, options->process_count,
               options->process_capacity) = value;
    return true;
}

bool ja_set_operand(struct ja_options *options, const struct ja_option_row *row, const char *value)
{
    if (!*value)
        return ja_options_refuse(options, "an empty PATH");
    struct ja_operand *operand = JA_APPEND(options->arena, options->operands,
                                           options->operand_count, options->operand_capacity);
    operand->path = value;
    operand->role = row ? (enum ja_role)row->offset : JA_ROLE_EVIDENCE;
    operand->type = options->type;
    options->type = NULL;
    return true;
}

bool ja_set_min_work(struct ja_options *options, const struct ja_option_row *row, const char *value)
{
    if (!read_count(value, &options->min_work))
        return ja_options_refuse(options, "--%s: '%s' is not a whole number", row->name, value);
    return true;
}

bool ja_set_cap(struct ja_options *options, const struct ja_option_row *row, const char *value)
{
    const char *equals = strrchr(value, '=');
    int64_t bytes;
    if (!equals || equals == value || !ja_stated_size(equals + 1, &bytes))
        return ja_options_refuse(options, "--%s: '%s' is not NAME=SIZE (e.g. embed=60.8GiB)",
                                 row->name, value);
    struct ja_cap_option *cap =
        JA_APPEND(options->arena, options->caps, options->cap_count, options->cap_capacity);
    cap->name = ja_arena_copy(options->arena, value, (size_t)(equals - value));
    cap->size_bytes = bytes;
    return true;
}

bool ja_set_slope(struct ja_options *options, const struct ja_option_row *row, const char *value)
{
    if (!ja_stated_slope(value, &options->slope_bytes_per_hour))
        return ja_options_refuse(options, "--%s: '%s' is not SIZE/h (e.g. 5MB/h)", row->name,
                                 value);
    return true;
}

bool ja_set_fail_on(struct ja_options *options, const struct ja_option_row *row, const char *value)
{
    static const char *const words[] = {"growing",    "cap",     "kill", "panic",
                                        "unaccepted", "damaged", "none", NULL};
    const char *list = value, *word;
    options->fail_on = 0;
    while (next_word(options, &list, &word)) {
        size_t i = 0;
        while (words[i] && strcmp(words[i], word) != 0)
            i++;
        if (!words[i]) {
            const char *near = ja_nearest_word(word, words);
            return ja_options_refuse(options,
                                     "--%s: '%s' is none of growing, cap, kill, panic, "
                                     "unaccepted, damaged, none%s%s%s",
                                     row->name, word, near ? " (did you mean '" : "",
                                     near ? near : "", near ? "'?)" : "");
        }
        if (i < 6)
            options->fail_on |= 1u << i;
    }
    return true;
}

bool ja_set_redact_key(struct ja_options *options, const struct ja_option_row *row,
                       const char *value)
{
    options->redact = true;
    return ja_set_text(options, row, value);
}
