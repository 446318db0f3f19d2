/* SPDX-License-Identifier: MIT */
#include "parsers/duration.h"

#include "model/instant.h"
#include "parsers/scan.h"

#define MOST_DAYS 100000 /* 270 years */

/* ".ff" */
static int64_t fraction(struct ja_scan *scan)
{
    int64_t ns = 0, weight = JA_NS_PER_S / 10;
    if (!ja_scan_char(scan, '.'))
        return 0;
    for (; scan->at < scan->length && scan->text[scan->at] >= '0' && scan->text[scan->at] <= '9';
         scan->at++, weight /= 10)
        ns += (scan->text[scan->at] - '0') * weight;
    return ns;
}

bool ja_duration_read(const char *text, size_t length, int64_t *ret_ns)
{
    struct ja_scan scan = ja_scan_of(text, length);
    int64_t part[4] = {0}, days = 0, seconds = 0;
    int count = 0;
    if (!ja_scan_u63(&scan, &part[count++]))
        return false;
    bool with_days = ja_scan_char(&scan, '-');
    if (with_days) {
        days = part[0];
        if (days > MOST_DAYS || !ja_scan_u63(&scan, &part[0]))
            return false;
    }
    while (count < 3 && ja_scan_char(&scan, ':'))
        if (!ja_scan_u63(&scan, &part[count++]))
            return false;
    if (count < 2 || (with_days && count != 3))
        return false;
    for (int i = 0; i < count; i++) {
        if (part[i] > MOST_DAYS * 1440 || (i > 0 && part[i] > 59))
            return false;
        seconds = seconds * 60 + part[i];
    }
    int64_t ns = fraction(&scan);
    seconds = ja_add(seconds, days * 86400);
    if (!ja_scan_end(&scan) || seconds > INT64_MAX / JA_NS_PER_S - 1)
        return false;
    *ret_ns = seconds * JA_NS_PER_S + ns;
    return true;
}
