/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/instant.h"
#include "parsers/duration.h"

static void check(const char *text, int64_t ms)
{
    int64_t ns = -1;
    if (!ja_duration_read(text, strlen(text), &ns) || ns != ms * JA_NS_PER_MS)
        fail_msg("%s: got %lld ns", text, (long long)ns);
}

static void forms(void **state)
{
    (void)state;
    check("13-06:50:57", ((13 * 24 + 6) * 3600 + 50 * 60 + 57) * INT64_C(1000));
    check("04:09:56", (4 * 3600 + 9 * 60 + 56) * INT64_C(1000));
    check("248:49", (248 * 60 + 49) * INT64_C(1000));
    check("0:01.23", 1230);
    check("12:34.56", 754560);
    check("00:00", 0);
}

static void refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "5",
                                        "1:2:3:4",
                                        "1-02:03",
                                        "10:60",
                                        "1:00:60",
                                        "x1:00",
                                        "1:00x",
                                        "-1:00",
                                        "1:",
                                        "9223372036854775807:00",
                                        "999999999-00:00:00"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        int64_t ns = 7;
        if (ja_duration_read(texts[i], strlen(texts[i]), &ns) || ns != 7)
            fail_msg("%s was read", texts[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(forms), cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
