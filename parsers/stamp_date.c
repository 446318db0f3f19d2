/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "parsers/stamp_parts.h"
#include "parsers/stamp_words.h"

static char peek(const struct ja_scan *scan, size_t ahead)
{
    return scan->at + ahead < scan->length ? scan->text[scan->at + ahead] : '\0';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool number(struct ja_scan *scan, size_t least, size_t most, int *ret)
{
    size_t n = ja_stamp_run(scan, scan->at);
    if (n < least || n > most)
        return false;
    *ret = ja_stamp_digits(scan, scan->at, n);
    scan->at += n;
    return true;
}

static bool year_ok(int year)
{
    return year >= 1970 && year <= 2199;
}

/* 2026-09-15, 2026/9/15, 2026.09.15 */
static bool year_first(struct ja_scan *scan, struct ja_stamp *stamp)
{
    if (!number(scan, 4, 4, &stamp->year))
        return false;
    char mark = peek(scan, 0);
    if (mark != '-' && mark != '/' && mark != '.')
        return false;
    scan->at++;
    if (!number(scan, 1, 2, &stamp->month) || !ja_scan_char(scan, mark))
        return false;
    return number(scan, 1, 2, &stamp->day);
}

/* 20260915 followed by T, -, _ or a blank and 152629, or by a blank and 15:26:29 */
static bool basic(struct ja_scan *scan, struct ja_stamp *stamp)
{
    size_t n = ja_stamp_run(scan, scan->at), behind = ja_stamp_run(scan, scan->at + 9);
    if (n != 8 || !peek(scan, 8) || !strchr("T-_ ", peek(scan, 8)) ||
        !(behind == 6 || (behind == 2 && peek(scan, 11) == ':')))
        return false;
    int date = ja_stamp_digits(scan, scan->at, 8);
    stamp->year = date / 10000;
    stamp->month = date / 100 % 100;
    stamp->day = date % 100;
    if (behind == 2) {
        scan->at += 8;
        return true;
    }
    int time = ja_stamp_digits(scan, scan->at + 9, 6);
    stamp->hour = time / 10000;
    stamp->minute = time / 100 % 100;
    stamp->second = time % 100;
    stamp->nanosecond = 0;
    stamp->step_ns = JA_NS_PER_S;
    stamp->parts |= JA_STAMP_TIME;
    scan->at += 15;
    return stamp->hour < 24 && stamp->minute < 60 && stamp->second <= 60;
}

/* True when a twelve-hour clock follows: then the date is the American one. */
static bool ampm_follows(const struct ja_scan *scan)
{
    struct ja_scan copy = *scan;
    struct ja_stamp time = {.parts = 0};
    ja_scan_char(&copy, ',');
    ja_scan_blanks(&copy);
    if (!ja_stamp_time(&copy, &time) || copy.at == 0)
        return false;
    char last = copy.text[copy.at - 1];
    return last == 'M' || last == 'm' || last == '.';
}

/* 15.9.2026 (day first), 30/Nov/2026, 30-Nov-2026, 11/30/2026 where one reading is possible */
static bool year_last(struct ja_scan *scan, struct ja_stamp *stamp)
{
    int first, second = 0;
    if (!number(scan, 1, 2, &first))
        return false;
    char mark = peek(scan, 0);
    if (mark != '.' && mark != '/' && mark != '-')
        return false;
    scan->at++;
    if (is_digit(peek(scan, 0))) {
        if (!number(scan, 1, 2, &second) || !ja_scan_char(scan, mark) ||
            !number(scan, 4, 4, &stamp->year))
            return false;
        bool american = mark == '/' && (second > 12 || (first <= 12 && ampm_follows(scan)));
        if (mark != '.' && !american && first <= 12 && second <= 12 && first != second)
            return false; /* 05/06/2026: two readings, none is chosen */
        stamp->day = american ? second : first;
        stamp->month = american ? first : second;
        return true;
    }
    size_t n = 0;
    while (scan->at + n < scan->length && scan->text[scan->at + n] != mark && n < 12)
        n++;
    stamp->month = ja_month_word(scan->text + scan->at, n);
    scan->at += n;
    stamp->day = first;
    return stamp->month > 0 && ja_scan_char(scan, mark) && number(scan, 4, 4, &stamp->year);
}

/* 2026年 9月15日, 2026년 9월 15일, 2026. 9. 15. */
static bool spelled(struct ja_scan *scan, struct ja_stamp *stamp)
{
    static const char *const marks[3][3] = {
        {"年", "년", "."}, {"月", "월", "."}, {"日", "일", "."}};
    int *const fields[3] = {&stamp->year, &stamp->month, &stamp->day};
    for (int i = 0; i < 3; i++) {
        if (!number(scan, i ? 1 : 4, i ? 2 : 4, fields[i]))
            return false;
        bool marked = false;
        for (int k = 0; k < 3 && !marked; k++)
            marked = ja_scan_text(scan, marks[i][k]);
        if (!marked)
            return false;
        if (i < 2)
            ja_scan_blanks(scan);
    }
    return true;
}

/* 月曜日, (月), 星期一, (週一), 월요일, (월) behind a date */
static void skip_cjk_weekday(struct ja_scan *scan)
{
    static const char *const words[] = {
        "月曜日", "火曜日", "水曜日", "木曜日", "金曜日", "土曜日", "日曜日", "星期一", "星期二",
        "星期三", "星期四", "星期五", "星期六", "星期日", "星期天", "周一",   "周二",   "周三",
        "周四",   "周五",   "周六",   "周日",   "週一",   "週二",   "週三",   "週四",   "週五",
        "週六",   "週日",   "월요일", "화요일", "수요일", "목요일", "금요일", "토요일", "일요일",
        "月",     "火",     "水",     "木",     "金",     "土",     "日",     "월",     "화",
        "수",     "목",     "금",     "토",     "일",
    };
    struct ja_scan copy = *scan;
    ja_scan_blanks(&copy);
    bool open = ja_scan_char(&copy, '(');
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (!ja_scan_text(&copy, words[i]))
            continue;
        if (!open || ja_scan_char(&copy, ')'))
            *scan = copy;
        return;
    }
}

/* [IWEF]170923: the prefix of Go's and C++'s glog, two digits of the year */
static bool glog(struct ja_scan *scan, struct ja_stamp *stamp)
{
    int date = ja_stamp_digits(scan, scan->at + 1, 6);
    if (!peek(scan, 0) || !strchr("IWEF", peek(scan, 0)) || date < 0 || peek(scan, 7) != ' ')
        return false;
    stamp->year = 2000 + date / 10000;
    stamp->month = date / 100 % 100;
    stamp->day = date % 100;
    scan->at += 7;
    return true;
}

bool ja_stamp_date(struct ja_scan *scan, struct ja_stamp *stamp)
{
    static bool (*const forms[])(struct ja_scan *, struct ja_stamp *) = {basic, year_first, spelled,
                                                                         year_last, glog};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        struct ja_scan copy = *scan;
        struct ja_stamp found = *stamp;
        if (!forms[i](&copy, &found) || !year_ok(found.year) || found.month < 1 ||
            found.month > 12 || found.day < 1 || found.day > 31)
            continue;
        if (forms[i] == spelled)
            skip_cjk_weekday(&copy);
        found.parts |= JA_STAMP_DATE;
        *scan = copy;
        *stamp = found;
        return true;
    }
    return false;
}

struct collector {
    struct ja_scan scan;
    struct ja_stamp stamp;
    bool weekday, either; /* either: a word that may be Tuesday or March ("mar") */
    bool year;
    size_t used;
};

static bool filler(const char *word, size_t n)
{
    static const char *const words[] = {"at", "um",  "à",   "de",   "del", "den", "le",
                                        "kl", "kl.", "Uhr", "alle", "ore", "г.",  "of"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (ja_text_is(word, n, words[i]))
            return true;
    return false;
}

/* "CST" before a year: an abbreviation even when no table knows it. */
static bool unknown_zone(const struct collector *c, const char *word, size_t n)
{
    if (n < 3 || n > 5)
        return false;
    for (size_t i = 0; i < n; i++)
        if (word[i] < 'A' || word[i] > 'Z')
            return false;
    return c->scan.at + n < c->scan.length && ja_stamp_digits(&c->scan, c->scan.at + n + 1, 4) > 0;
}

static bool collect_word(struct collector *c)
{
    const char *word = c->scan.text + c->scan.at;
    size_t n = 0, room = c->scan.length - c->scan.at;
    while (n < room && !strchr(" \t,;:()[]+/=0123456789", word[n]) && word[n] != '\0')
        n++;
    if (n == 0)
        return false;
    int month = ja_month_word(word, n);
    bool weekday = ja_weekday_word(word, n);
    bool timed = c->stamp.parts & JA_STAMP_TIME;
    if (month && weekday && !c->weekday && !c->stamp.month && !timed) {
        c->either = c->weekday = true;
    } else if (month && !c->stamp.month) {
        c->stamp.month = month;
    } else if (weekday && !c->weekday && !timed) {
        c->weekday = true;
    } else if (timed && !c->stamp.zone && !(c->stamp.parts & JA_STAMP_ZONE) &&
               unknown_zone(c, word, n)) {
        c->stamp.zone = word;
    } else if (!filler(word, n) || !(c->stamp.month || c->stamp.day)) {
        return false;
    } else {
        c->scan.at += n;
        return true;
    }
    c->scan.at += n;
    c->used = c->scan.at;
    return true;
}

static bool collect_number(struct collector *c)
{
    struct ja_scan *scan = &c->scan;
    size_t n = ja_stamp_run(scan, scan->at);
    if (!(c->stamp.parts & JA_STAMP_TIME) && ja_stamp_time(scan, &c->stamp)) {
        c->used = scan->at;
        return true;
    }
    int value = n <= 4 ? ja_stamp_digits(scan, scan->at, n) : -1;
    if (n == 4 && !c->year && year_ok(value)) {
        c->stamp.year = value;
        c->year = true;
    } else if (n <= 2 && !c->stamp.day && value >= 1 && value <= 31 && peek(scan, n) != ':') {
        c->stamp.day = value;
        if (peek(scan, n) == '.')
            n++;
    } else {
        return false;
    }
    scan->at += n;
    char after = peek(scan, 0);
    if (after && !strchr(" \t,])=-;|:", after) && !(after & 0x80))
        return false;
    c->used = scan->at;
    return true;
}

static bool collect(struct ja_scan *scan, struct ja_stamp *stamp)
{
    struct collector c = {.scan = *scan, .stamp = *stamp};
    for (int token = 0; token < 12; token++) {
        if (token && peek(&c.scan, 0) == ',')
            c.scan.at++;
        ja_scan_blanks(&c.scan);
        bool zoned = c.stamp.zone || (c.stamp.parts & JA_STAMP_ZONE);
        if ((c.stamp.parts & JA_STAMP_TIME) && !zoned && ja_stamp_zone(&c.scan, true, &c.stamp)) {
            c.used = c.scan.at;
            continue;
        }
        if (!(is_digit(peek(&c.scan, 0)) ? collect_number(&c) : collect_word(&c)))
            break;
    }
    if (c.either && !c.stamp.month)
        c.stamp.month = 3;
    if (!c.stamp.month || !c.stamp.day || !((c.stamp.parts & JA_STAMP_TIME) || c.year))
        return false;
    c.stamp.parts |= c.year ? JA_STAMP_DATE : JA_STAMP_YEARLESS;
    *stamp = c.stamp;
    scan->at = c.used;
    return true;
}

/* "понедельник, ": a word in front of a full date, in a language that the lists lack. */
static bool strange_weekday(struct ja_scan *scan)
{
    size_t n = 0;
    while (peek(scan, n) && !strchr(" \t0123456789:=", peek(scan, n)))
        n++;
    if (n < 2 || n > 40 || (peek(scan, n - 1) != ',' && !(peek(scan, 0) & 0x80)))
        return false;
    scan->at += n;
    ja_scan_blanks(scan);
    return true;
}

bool ja_stamp_worded(struct ja_scan *scan, struct ja_stamp *stamp)
{
    struct ja_stamp found = *stamp;
    if (collect(scan, stamp))
        return true;
    struct ja_scan copy = *scan;
    if (!strange_weekday(&copy) || !collect(&copy, &found) || !(found.parts & JA_STAMP_DATE) ||
        !(found.parts & JA_STAMP_TIME))
        return false;
    *scan = copy;
    *stamp = found;
    return true;
}
