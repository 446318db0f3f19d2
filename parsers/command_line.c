/* SPDX-License-Identifier: MIT */
#include "parsers/command_line.h"

#include <string.h>

#include "parsers/scan.h"

/* The JVM's sizes: digits and k, m, g, t or nothing (bytes). node's options are MiB. */
enum form { JVM, MEBIBYTES };

static const struct {
    const char *prefix;
    const char *name;
    enum form form;
} options[] = {
    {"-Xmx", "-Xmx", JVM},
    {"-XX:MaxHeapSize=", "-Xmx", JVM},
    {"-XX:MaxRAM=", "-XX:MaxRAM", JVM},
    {"--max-old-space-size=", "--max-old-space-size", MEBIBYTES},
    {"--max_old_space_size=", "--max-old-space-size", MEBIBYTES},
    {"--max-semi-space-size=", "--max-semi-space-size", MEBIBYTES},
};

enum { OPTIONS = sizeof options / sizeof options[0] };

static bool jvm_unit(struct ja_scan *scan, int64_t *ret)
{
    static const struct {
        const char *letters;
        int64_t bytes;
    } units[] = {{"kK", JA_KIB}, {"mM", JA_MIB}, {"gG", JA_GIB}, {"tT", JA_TIB}};
    *ret = 1;
    if (ja_scan_end(scan))
        return true;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (ja_scan_char(scan, units[i].letters[0]) || ja_scan_char(scan, units[i].letters[1])) {
            *ret = units[i].bytes;
            return ja_scan_end(scan);
        }
    return false;
}

static bool read_size(const char *text, size_t length, enum form form, int64_t *ret)
{
    struct ja_scan scan = ja_scan_of(text, length);
    int64_t number, unit = JA_MIB;
    if (!ja_scan_u63(&scan, &number))
        return false;
    if (form == JVM ? !jvm_unit(&scan, &unit) : !ja_scan_end(&scan))
        return false;
    return number > 0 && ja_multiply(number, unit, ret);
}

void ja_command_line(struct ja_parse *parse, uint32_t subject, const char *text, size_t length,
                     uint32_t place)
{
    struct ja_evidence *evidence = parse->evidence;
    char *copy = ja_arena_copy(evidence->arena, text, length);
    int64_t limits[OPTIONS];
    for (size_t i = 0; i < OPTIONS; i++)
        limits[i] = JA_UNKNOWN;
    for (size_t i = 0; i < length; i++)
        if (copy[i] == '\0' || copy[i] == '\n')
            copy[i] = ' ';
    while (length && copy[length - 1] == ' ')
        copy[--length] = '\0';
    if (length == 0)
        return;
    struct ja_scan scan = ja_scan_of(copy, length);
    const char *word;
    size_t word_length;
    for (ja_scan_blanks(&scan); ja_scan_word(&scan, &word, &word_length); ja_scan_blanks(&scan))
        for (size_t i = 0; i < OPTIONS; i++) {
            size_t prefix = strlen(options[i].prefix);
            if (ja_text_begins(word, word_length, options[i].prefix))
                read_size(word + prefix, word_length - prefix, options[i].form, &limits[i]);
        }
    uint32_t record = evidence->subjects[subject].record;
    ja_subject_more(&evidence->subjects[subject], evidence->arena)->command = copy;
    ja_add_fact(evidence, record, JA_FACT_COMMAND, JA_UNKNOWN, copy, place)->subject = subject;
    for (size_t i = 0; i < OPTIONS; i++)
        if (limits[i] != JA_UNKNOWN)
            ja_add_fact(evidence, record, JA_FACT_LIMIT, limits[i], options[i].name, place)
                ->subject = subject;
}
