/* SPDX-License-Identifier: MIT */
#include "parsers/stamp.h"

#include <string.h>

#include "parsers/stamp_parts.h"

#define LAST_NAME_EPOCH_S INT64_C(2500000000) /* ten-digit ids beyond 2049 are no times */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Two digits at the cursor, an optional separator before them. */
static bool pair(struct ja_scan *scan, const char *marks, int *ret)
{
    struct ja_scan copy = *scan;
    if (copy.at < copy.length && copy.text[copy.at] && strchr(marks, copy.text[copy.at]))
        copy.at++;
    if (copy.length - copy.at < 2 || !is_digit(copy.text[copy.at]) ||
        !is_digit(copy.text[copy.at + 1]))
        return false;
    *ret = (copy.text[copy.at] - '0') * 10 + copy.text[copy.at + 1] - '0';
    copy.at += 2;
    *scan = copy;
    return true;
}

static bool date_at(struct ja_scan *scan, struct ja_stamp *stamp)
{
    int century, year;
    if (!pair(scan, "", &century) || !pair(scan, "", &year) || century != 20)
        return false;
    stamp->year = century * 100 + year;
    if (!pair(scan, "-_.", &stamp->month) || !pair(scan, "-_.", &stamp->day))
        return false;
    stamp->parts = JA_STAMP_DATE;
    stamp->step_ns = 86400 * JA_NS_PER_S;
    return stamp->month >= 1 && stamp->month <= 12 && stamp->day >= 1 && stamp->day <= 31;
}

/* Z, +0200, -0500: in names two digits behind a dash are a counter. */
static void name_zone(struct ja_scan *scan, struct ja_stamp *stamp)
{
    char c = scan->at < scan->length ? scan->text[scan->at] : '\0';
    bool signed_four = (c == '+' || c == '-') && ja_stamp_run(scan, scan->at + 1) == 4;
    if (signed_four || c == 'Z')
        ja_stamp_zone(scan, false, stamp);
}

static void time_at(struct ja_scan *scan, struct ja_stamp *stamp)
{
    struct ja_scan copy = *scan;
    struct ja_stamp found = *stamp;
    if (!ja_scan_text(&copy, " at ") && copy.at < copy.length && copy.text[copy.at] &&
        strchr("Tt_- ./", copy.text[copy.at]))
        copy.at++;
    if (!pair(&copy, "", &found.hour) || !pair(&copy, "-:._h", &found.minute))
        return;
    found.step_ns = 60 * JA_NS_PER_S;
    if (pair(&copy, "-:._m", &found.second))
        found.step_ns = JA_NS_PER_S;
    if (found.hour > 23 || found.minute > 59 || found.second > 60 ||
        (copy.at < copy.length && is_digit(copy.text[copy.at])))
        return;
    found.parts |= JA_STAMP_TIME;
    name_zone(&copy, &found);
    *stamp = found;
    *scan = copy;
}

static bool epoch_at(struct ja_scan *scan, struct ja_stamp *stamp)
{
    size_t n = ja_stamp_run(scan, scan->at);
    return (n == 10 || n == 13) && ja_stamp_epoch(scan, stamp) &&
           stamp->unix_ns / JA_NS_PER_S < LAST_NAME_EPOCH_S;
}

/* How much a stamp tells: date and time 3, epoch 2, date alone 1. */
static int worth(const struct ja_stamp *stamp)
{
    if (stamp->parts & JA_STAMP_TIME)
        return 3;
    return stamp->parts & JA_STAMP_UNIX ? 2 : 1;
}

bool ja_stamp_in_folders(const char *path, size_t length, struct ja_arena *arena,
                         struct ja_stamp *ret)
{
    for (size_t at = 0; at < length; at++) {
        if (!is_digit(path[at]) || (at && is_digit(path[at - 1])))
            continue;
        struct ja_scan scan = ja_scan_of(path, length);
        struct ja_stamp stamp = {.clock = JA_CLOCK_FILE_NAME};
        scan.at = at;
        if (!date_at(&scan, &stamp) || !ja_scan_char(&scan, '/') || !is_digit(path[scan.at]))
            continue;
        scan.at--; /* the slash stands for the mark between date and time */
        time_at(&scan, &stamp);
        if (!(stamp.parts & JA_STAMP_TIME) || stamp.step_ns > JA_NS_PER_S || !ja_scan_end(&scan) ||
            !ja_stamp_join(&stamp))
            continue;
        stamp.text = ja_arena_copy(arena, path + at, scan.at - at);
        stamp.zone = NULL;
        *ret = stamp;
        return true;
    }
    return false;
}

bool ja_stamp_in_name(const char *name, size_t length, struct ja_arena *arena, struct ja_stamp *ret)
{
    int best = 0;
    for (size_t at = 0; at < length; at++) {
        if (!is_digit(name[at]) || (at && is_digit(name[at - 1])))
            continue;
        struct ja_scan scan = ja_scan_of(name, length);
        scan.at = at;
        struct ja_stamp stamp = {.clock = JA_CLOCK_FILE_NAME};
        if (date_at(&scan, &stamp)) {
            time_at(&scan, &stamp);
        } else {
            scan.at = at;
            stamp = (struct ja_stamp){.clock = JA_CLOCK_FILE_NAME};
            if (!epoch_at(&scan, &stamp))
                continue;
        }
        if ((scan.at < length && is_digit(name[scan.at])) || !ja_stamp_join(&stamp) ||
            worth(&stamp) <= best)
            continue;
        best = worth(&stamp);
        stamp.text = ja_arena_copy(arena, name + at, scan.at - at);
        stamp.zone = NULL;
        *ret = stamp;
    }
    return best > 0;
}
