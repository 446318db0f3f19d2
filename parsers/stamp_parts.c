/* SPDX-License-Identifier: MIT */
#include "parsers/stamp_parts.h"

#include <string.h>

#include "parsers/stamp_words.h"

#define LEAST_EPOCH_S INT64_C(1000000000) /* 2001-09-09: the first of ten digits */
#define LAST_EPOCH_S INT64_C(4102444800)  /* 2100-01-01 */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static char peek(const struct ja_scan *scan, size_t ahead)
{
    return scan->at + ahead < scan->length ? scan->text[scan->at + ahead] : '\0';
}

size_t ja_stamp_run(const struct ja_scan *scan, size_t at)
{
    size_t n = 0;
    while (at + n < scan->length && is_digit(scan->text[at + n]))
        n++;
    return n;
}

static int value_of(const char *digits, size_t count)
{
    int value = 0;
    for (size_t i = 0; i < count; i++)
        value = value * 10 + (digits[i] - '0');
    return value;
}

int ja_stamp_digits(const struct ja_scan *scan, size_t at, size_t count)
{
    return ja_stamp_run(scan, at) == count ? value_of(scan->text + at, count) : -1;
}

/* One or two digits. */
static bool small(struct ja_scan *scan, int *ret)
{
    size_t n = ja_stamp_run(scan, scan->at);
    if (n < 1 || n > 2)
        return false;
    *ret = value_of(scan->text + scan->at, n);
    scan->at += n;
    return true;
}

static bool any_text(struct ja_scan *scan, const char *const *texts)
{
    for (; *texts; texts++)
        if (ja_scan_text(scan, *texts))
            return true;
    return false;
}

/* Fraction digits at the cursor: nanoseconds and the weight of the last one. */
static void fraction(struct ja_scan *scan, int64_t *nanosecond, int64_t *step)
{
    size_t n = ja_stamp_run(scan, scan->at);
    *step = JA_NS_PER_S;
    *nanosecond = 0;
    for (size_t i = 0; i < n && i < 9; i++) {
        *step /= 10;
        *nanosecond += (scan->text[scan->at + i] - '0') * *step;
    }
    scan->at += n;
}

/* Twelve-hour marks: -1 none, 0 a.m., 1 p.m. */
static int mark_before(struct ja_scan *scan)
{
    static const char *const morning[] = {"上午", "午前", "오전", NULL};
    static const char *const afternoon[] = {"下午", "午後", "오후", NULL};
    int mark = any_text(scan, morning) ? 0 : any_text(scan, afternoon) ? 1 : -1;
    if (mark >= 0)
        ja_scan_blanks(scan);
    return mark;
}

static int mark_after(struct ja_scan *scan)
{
    static const char *const morning[] = {"AM", "am", "a.m.", "a. m.", NULL};
    static const char *const afternoon[] = {"PM", "pm", "p.m.", "p. m.", NULL};
    struct ja_scan copy = *scan;
    ja_scan_blanks(&copy);
    int mark = any_text(&copy, morning) ? 0 : any_text(&copy, afternoon) ? 1 : -1;
    if (mark < 0 || is_letter(peek(&copy, 0)))
        return -1;
    *scan = copy;
    return mark;
}

static bool twelve_hours(int mark, int *hour)
{
    if (mark < 0)
        return true;
    if (*hour > 12 && mark == 1)
        return true; /* "PM 15:00": some locales mark a 24-hour clock too */
    if (*hour < 1 || *hour > 12)
        return false;
    *hour = *hour % 12 + 12 * mark;
    return true;
}

static bool colon_time(struct ja_scan *scan, struct ja_stamp *stamp)
{
    if (!small(scan, &stamp->hour) || !ja_scan_char(scan, ':') ||
        ja_stamp_run(scan, scan->at) != 2 || !small(scan, &stamp->minute))
        return false;
    stamp->step_ns = 60 * JA_NS_PER_S;
    stamp->second = 0;
    stamp->nanosecond = 0;
    if (peek(scan, 0) != ':')
        return true;
    scan->at++;
    if (ja_stamp_run(scan, scan->at) != 2 || !small(scan, &stamp->second))
        return false;
    stamp->step_ns = JA_NS_PER_S;
    if ((peek(scan, 0) == '.' || peek(scan, 0) == ',') && is_digit(peek(scan, 1))) {
        scan->at++;
        fraction(scan, &stamp->nanosecond, &stamp->step_ns);
    }
    return true;
}

/* "19时06分04秒", "19時06分04秒", "19시 06분 04초" */
static bool spelled_time(struct ja_scan *scan, struct ja_stamp *stamp)
{
    static const char *const hours[] = {"时", "時", "시", "点", NULL};
    static const char *const minutes[] = {"分", "분", NULL};
    static const char *const seconds[] = {"秒", "초", NULL};
    if (!small(scan, &stamp->hour) || !any_text(scan, hours))
        return false;
    ja_scan_blanks(scan);
    if (!small(scan, &stamp->minute) || !any_text(scan, minutes))
        return false;
    ja_scan_blanks(scan);
    stamp->step_ns = JA_NS_PER_S;
    stamp->nanosecond = 0;
    return small(scan, &stamp->second) && any_text(scan, seconds);
}

/* "15.26.29": only behind a date, where it cannot be a number. */
static bool dotted_time(struct ja_scan *scan, struct ja_stamp *stamp)
{
    int part[3];
    for (int i = 0; i < 3; i++) {
        part[i] = ja_stamp_digits(scan, scan->at, 2);
        if (part[i] < 0 || (i < 2 && peek(scan, 2) != '.'))
            return false;
        scan->at += i < 2 ? 3 : 2;
    }
    stamp->hour = part[0];
    stamp->minute = part[1];
    stamp->second = part[2];
    stamp->nanosecond = 0;
    stamp->step_ns = JA_NS_PER_S;
    return true;
}

bool ja_stamp_time(struct ja_scan *scan, struct ja_stamp *stamp)
{
    struct ja_scan copy = *scan;
    struct ja_stamp found = *stamp;
    int mark = mark_before(&copy);
    struct ja_scan start = copy;
    if (!colon_time(&copy, &found)) {
        copy = start;
        if (!spelled_time(&copy, &found)) {
            copy = start;
            if (!(stamp->parts & JA_STAMP_DATE) || !dotted_time(&copy, &found))
                return false;
        }
    }
    if (mark < 0)
        mark = mark_after(&copy);
    if (!twelve_hours(mark, &found.hour) || found.hour > 23 || found.minute > 59 ||
        found.second > 60)
        return false;
    found.parts |= JA_STAMP_TIME;
    *stamp = found;
    *scan = copy;
    return true;
}

/* +HHMM, +HH:MM; also a bare number of hours of bare or more digits (0: not at all). */
static bool offset(struct ja_scan *scan, size_t bare, int *ret_s)
{
    char sign = peek(scan, 0);
    if (sign != '+' && sign != '-')
        return false;
    struct ja_scan copy = *scan;
    copy.at++;
    size_t n = ja_stamp_run(&copy, copy.at);
    int hours, minutes = 0;
    if (n == 4) {
        hours = value_of(copy.text + copy.at, 2);
        minutes = value_of(copy.text + copy.at + 2, 2);
        copy.at += 4;
    } else {
        if (!small(&copy, &hours))
            return false;
        int after = peek(&copy, 0) == ':' ? ja_stamp_digits(&copy, copy.at + 1, 2) : -1;
        if (after < 0 && (bare == 0 || n < bare))
            return false;
        minutes = after < 0 ? 0 : after;
        copy.at += after < 0 ? 0 : 3;
    }
    if (hours > 14 || minutes % 15 != 0 || minutes > 45)
        return false;
    *ret_s = (sign == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
    *scan = copy;
    return true;
}

static bool zone_name(struct ja_scan *scan, struct ja_stamp *stamp)
{
    size_t n = 0;
    while (is_letter(peek(scan, n)))
        n++;
    int offset_s = 0;
    const char *word = scan->text + scan->at;
    if (n == 1 && (*word == 'Z' || *word == 'z') && !is_digit(peek(scan, 1)))
        offset_s = 0;
    else {
        enum ja_zone_kind kind = ja_zone_word(word, n, &offset_s);
        if (kind == JA_ZONE_NOT)
            return false;
        if (kind == JA_ZONE_AMBIGUOUS) {
            stamp->zone = word;
            scan->at += n;
            return true;
        }
    }
    scan->at += n;
    if (ja_text_is(word, n, "UTC") || ja_text_is(word, n, "GMT")) {
        int more;
        if (offset(scan, 1, &more))
            offset_s = more;
    }
    stamp->offset_s = offset_s;
    stamp->parts |= JA_STAMP_ZONE;
    return true;
}

bool ja_stamp_zone(struct ja_scan *scan, bool spread, struct ja_stamp *stamp)
{
    struct ja_scan copy = *scan;
    struct ja_stamp found = *stamp;
    bool numeric = offset(&copy, 2, &found.offset_s); /* "10:00:00+02" */
    if (!numeric) {
        ja_scan_blanks(&copy);
        numeric = offset(&copy, spread ? 2 : 0, &found.offset_s);
    }
    if (numeric) {
        found.parts |= JA_STAMP_ZONE;
    } else {
        bool open = ja_scan_char(&copy, '(');
        if (!zone_name(&copy, &found) || (open && !ja_scan_char(&copy, ')')))
            return false;
    }
    *scan = copy;
    *stamp = found;
    return true;
}

static bool set_epoch(struct ja_stamp *stamp, int64_t seconds, int64_t nanosecond, int64_t step)
{
    if (seconds < LEAST_EPOCH_S || seconds > LAST_EPOCH_S)
        return false;
    stamp->parts |= JA_STAMP_UNIX;
    stamp->unix_ns = seconds * JA_NS_PER_S + nanosecond;
    stamp->step_ns = step;
    return true;
}

bool ja_stamp_epoch(struct ja_scan *scan, struct ja_stamp *stamp)
{
    struct ja_scan copy = *scan;
    size_t n = ja_stamp_run(scan, scan->at);
    int64_t number, nanosecond = 0, step = JA_NS_PER_S;
    if ((n != 10 && n != 13 && n != 16 && n != 19) || !ja_scan_u63(&copy, &number))
        return false;
    for (size_t i = 10; i < n; i++)
        step /= 10;
    int64_t per_second = JA_NS_PER_S / step;
    if (n == 10 && peek(&copy, 0) == '.' && is_digit(peek(&copy, 1))) {
        copy.at++;
        fraction(&copy, &nanosecond, &step);
    }
    if (!set_epoch(stamp, number / per_second,
                   number % per_second * (n == 10 ? 0 : step) + nanosecond, step))
        return false;
    *scan = copy;
    return true;
}

bool ja_stamp_join(struct ja_stamp *stamp)
{
    int64_t seconds;
    int year = stamp->parts & JA_STAMP_YEARLESS ? 2024 : stamp->year; /* a leap year: 29 Feb */
    if ((stamp->parts & (JA_STAMP_DATE | JA_STAMP_YEARLESS)) &&
        !ja_civil_to_unix(year, stamp->month, stamp->day, stamp->hour, stamp->minute, stamp->second,
                          &seconds))
        return false;
    unsigned whole = JA_STAMP_DATE | JA_STAMP_TIME | JA_STAMP_ZONE;
    if ((stamp->parts & whole) != whole)
        return true;
    stamp->unix_ns = (seconds - stamp->offset_s) * JA_NS_PER_S + stamp->nanosecond;
    stamp->parts |= JA_STAMP_UNIX;
    return true;
}
