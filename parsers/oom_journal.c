/* SPDX-License-Identifier: MIT
 *
 * Lines of journalctl -o json:
 *
 *   {"__REALTIME_TIMESTAMP":"1772608509012345","_HOSTNAME":"quay","SYSLOG_IDENTIFIER":"kernel",
 *    "_SOURCE_MONOTONIC_TIMESTAMP":"9312482402","MESSAGE":"Out of memory: Killed process ..."}
 *
 * and of -o json-pretty, the same with a field a line between "{" and "}".
 * The wall clock is exact to the microsecond and knows its zone. Messages that are no text (an
 * array of bytes) are left out.
 */
#include "parsers/oom.h"

#include <string.h>

#include "parsers/json.h"
#include "parsers/scan.h"

bool oom_is_journal(const char *text, size_t length)
{
    return ja_text_begins(text, length, "{") &&
           ja_text_find(text, length, "\"__REALTIME_TIMESTAMP\"") < length &&
           ja_text_find(text, length, "\"MESSAGE\"") < length;
}

bool oom_journal_join(const struct ja_piece *piece, size_t *at, int *number, struct ja_line *line)
{
    struct oom_text text = oom_trim(line->text, line->length);
    if (text.length != 1 || text.text[0] != '{' || *at >= piece->length)
        return true;
    size_t end = ja_text_find(piece->text + *at, piece->length - *at, "\n}");
    if (end == piece->length - *at)
        return false; /* cut off */
    end += *at + 2;
    line->length = (size_t)(piece->text + end - line->text);
    for (size_t i = *at; i < end; i++)
        *number += piece->text[i] == '\n';
    *number += 1;
    while (end < piece->length && piece->text[end - 1] != '\n')
        end++;
    *at = end;
    return true;
}

static struct oom_text text_of(const cJSON *object, const char *key)
{
    const char *text = ja_json_string(object, key);
    return text ? oom_trim(text, strlen(text)) : (struct oom_text){NULL, 0};
}

/* Microseconds as a string of digits; JA_UNKNOWN. */
static int64_t microseconds(const cJSON *object, const char *key)
{
    struct oom_text text = text_of(object, key);
    int64_t value = 0;
    if (!text.text)
        return JA_UNKNOWN;
    struct ja_scan scan = ja_scan_of(text.text, text.length);
    if (!ja_scan_u63(&scan, &value) || !ja_scan_end(&scan) || value > INT64_C(7000000000000000))
        return JA_UNKNOWN;
    return value;
}

bool oom_journal_split(const struct ja_line *line, struct ja_arena *arena, struct oom_line *ret)
{
    size_t used = 0;
    const cJSON *object = ja_json_parse(line->text, line->length, &used);
    struct oom_text message = text_of(object, "MESSAGE");
    if (!object || !message.text)
        return false;
    memset(ret, 0, sizeof *ret);
    ret->number = line->number;
    ret->since_boot_ns = JA_UNKNOWN;
    ret->host = text_of(object, "_HOSTNAME");
    ret->tag = text_of(object, "SYSLOG_IDENTIFIER");
    ret->message = message;
    int64_t wall_us = microseconds(object, "__REALTIME_TIMESTAMP");
    int64_t boot_us = microseconds(object, "_SOURCE_MONOTONIC_TIMESTAMP");
    if (boot_us != JA_UNKNOWN)
        ret->since_boot_ns = boot_us * JA_NS_PER_US;
    if (wall_us != JA_UNKNOWN)
        ret->stamp = (struct ja_stamp){.clock = JA_CLOCK_STAMP,
                                       .parts = JA_STAMP_UNIX,
                                       .unix_ns = wall_us * JA_NS_PER_US,
                                       .step_ns = JA_NS_PER_US,
                                       .text = ja_arena_print(arena, "%lld", (long long)wall_us)};
    return true;
}
