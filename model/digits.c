/* SPDX-License-Identifier: MIT */
#include "model/digits.h"

#include <ctype.h>
#include <string.h>

void ja_pair_print(unsigned value, char *text)
{
    text[0] = (char)('0' + value / 10);
    text[1] = (char)('0' + value % 10);
}

size_t ja_whole_print(int64_t value, char text[JA_WHOLE_TEXT])
{
    char digits[JA_WHOLE_TEXT];
    size_t at = sizeof digits;
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
    for (; rest >= 100; rest /= 100)
        ja_pair_print((unsigned)(rest % 100), digits + (at -= 2));
    if (rest >= 10)
        ja_pair_print((unsigned)rest, digits + (at -= 2));
    else
        digits[--at] = (char)('0' + rest);
    if (value < 0)
        digits[--at] = '-';
    memcpy(text, digits + at, sizeof digits - at);
    return sizeof digits - at;
}

bool ja_is_uuid(const char *text, size_t length)
{
    static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    if (length != sizeof form - 1)
        return false;
    for (size_t i = 0; i < length; i++)
        if (form[i] == '-' ? text[i] != '-' : !isxdigit((unsigned char)text[i]))
            return false;
    return true;
}
