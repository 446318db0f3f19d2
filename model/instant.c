/* SPDX-License-Identifier: MIT */
#include "model/instant.h"

#include "model/digits.h"

#include <stdio.h>
#include <string.h>

int64_t ja_days_from_civil(int year, int month, int day)
{
    /* Days are counted from 1 March, so that the leap day is the last day of its year. */
    int64_t y = month <= 2 ? year - 1 : year;
    int64_t era = (y >= 0 ? y : y - 399) / 400;
    int64_t year_of_era = y - era * 400;
    int64_t month_from_march = (month + 9) % 12;
    int64_t day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 719468;
}

static int days_in_month(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && leap ? 29 : days[month - 1];
}

bool ja_civil_to_unix(int year, int month, int day, int hour, int minute, int second,
                      int64_t *ret_unix_s)
{
    if (year < 1970 || year > 2199 || month < 1 || month > 12 || day < 1 ||
        day > days_in_month(year, month))
        return false;
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60)
        return false;
    *ret_unix_s = ja_days_from_civil(year, month, day) * 86400 + hour * 3600 + minute * 60 + second;
    return true;
}

struct ja_civil ja_unix_to_civil(int64_t unix_ns)
{
    int64_t seconds = unix_ns / JA_NS_PER_S, rest = unix_ns % JA_NS_PER_S;
    if (rest < 0) {
        rest += JA_NS_PER_S;
        seconds--;
    }
    int64_t days = seconds / 86400;
    int of_day = (int)(seconds % 86400);
    if (of_day < 0) {
        of_day += 86400;
        days--;
    }
    uint32_t z = (uint32_t)(days + 719468); /* 64 bits of nanoseconds are 292 years either way */
    uint32_t era = z / 146097;
    uint32_t day_of_era = z - era * 146097;
    uint32_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    uint32_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    uint32_t month_from_march = (5 * day_of_year + 2) / 153;
    struct ja_civil civil = {
        .day = (int)(day_of_year - (153 * month_from_march + 2) / 5 + 1),
        .month = (int)(month_from_march < 10 ? month_from_march + 3 : month_from_march - 9),
        .hour = of_day / 3600,
        .minute = of_day / 60 % 60,
        .second = of_day % 60,
        .weekday = (int)(((days % 7) + 11) % 7), /* 1970-01-01 was a Thursday */
        .nanosecond = rest,
    };
    civil.year = (int)(year_of_era + era * 400 + (civil.month <= 2));
    return civil;
}

char *ja_instant_print(int64_t unix_ns, char text[JA_INSTANT_TEXT])
{
    struct ja_civil c = ja_unix_to_civil(unix_ns); /* 1677 to 2262: that is all that 64 bits hold */
    int micro = (int)(c.nanosecond / JA_NS_PER_US);
    memcpy(text, "0000-00-00T00:00:00.000000Z", sizeof "0000-00-00T00:00:00.000000Z");
    ja_pair_print((unsigned)(c.year / 100), text);
    ja_pair_print((unsigned)(c.year % 100), text + 2);
    ja_pair_print((unsigned)c.month, text + 5);
    ja_pair_print((unsigned)c.day, text + 8);
    ja_pair_print((unsigned)c.hour, text + 11);
    ja_pair_print((unsigned)c.minute, text + 14);
    ja_pair_print((unsigned)c.second, text + 17);
    ja_pair_print((unsigned)(micro / 10000), text + 20);
    ja_pair_print((unsigned)(micro / 100 % 100), text + 22);
    ja_pair_print((unsigned)(micro % 100), text + 24);
    return text;
}

static bool digits(const char *text, size_t length, size_t at, int count, int *ret)
{
    int value = 0;
    for (int i = 0; i < count; i++) {
        if (at + (size_t)i >= length)
            return false;
        char c = text[at + (size_t)i];
        if (c < '0' || c > '9')
            return false;
        value = value * 10 + (c - '0');
    }
    *ret = value;
    return true;
}

static bool read_offset(const char *text, size_t length, size_t at, int *ret_offset_s)
{
    if (at >= length)
        return false;
    if (text[at] == 'Z' || text[at] == 'z') {
        *ret_offset_s = 0;
        return at + 1 == length;
    }
    if (text[at] != '+' && text[at] != '-')
        return false;
    int hours, minutes;
    if (!digits(text, length, at + 1, 2, &hours))
        return false;
    size_t next = at + 3 < length && text[at + 3] == ':' ? at + 4 : at + 3;
    if (!digits(text, length, next, 2, &minutes) || next + 2 != length || hours > 14 ||
        minutes > 59)
        return false;
    *ret_offset_s = (hours * 60 + minutes) * 60 * (text[at] == '-' ? -1 : 1);
    return true;
}

bool ja_instant_read(const char *text, size_t length, int64_t *ret_unix_ns)
{
    int year, month, day, hour, minute, second, offset_s;
    if (!digits(text, length, 0, 4, &year) || !digits(text, length, 5, 2, &month) ||
        !digits(text, length, 8, 2, &day) || !digits(text, length, 11, 2, &hour) ||
        !digits(text, length, 14, 2, &minute) || !digits(text, length, 17, 2, &second))
        return false;
    if (text[4] != '-' || text[7] != '-' || text[13] != ':' || text[16] != ':' ||
        (text[10] != 'T' && text[10] != 't' && text[10] != ' '))
        return false;
    size_t at = 19;
    int64_t fraction_ns = 0;
    if (at < length && text[at] == '.') {
        int64_t weight = JA_NS_PER_S / 10;
        size_t first = ++at;
        for (; at < length && text[at] >= '0' && text[at] <= '9'; at++, weight /= 10)
            fraction_ns += (text[at] - '0') * weight;
        if (at == first)
            return false;
    }
    int64_t unix_s;
    if (!read_offset(text, length, at, &offset_s) ||
        !ja_civil_to_unix(year, month, day, hour, minute, second, &unix_s))
        return false;
    int64_t ns = (unix_s - offset_s) * JA_NS_PER_S + fraction_ns;
    *ret_unix_ns = ns - ns % JA_NS_PER_US;
    return true;
}

struct ja_instant ja_instant_at(int64_t unix_ns, enum ja_clock clock)
{
    return (struct ja_instant){unix_ns, unix_ns, unix_ns, clock, NULL};
}

const struct ja_instant ja_instant_unknown = {JA_UNKNOWN, JA_UNKNOWN, JA_UNKNOWN, JA_CLOCK_NONE,
                                              NULL};

struct ja_instant ja_instant_none(void)
{
    return ja_instant_unknown;
}

struct ja_instant ja_instant_shifted(struct ja_instant at, int64_t shift_ns, int64_t within_ns)
{
    at.unix_ns += shift_ns;
    at.early_ns += shift_ns;
    at.late_ns += shift_ns;
    if (within_ns != JA_UNKNOWN) {
        at.early_ns = at.unix_ns - within_ns;
        at.late_ns = at.unix_ns + within_ns;
    }
    return at;
}
