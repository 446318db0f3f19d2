/* SPDX-License-Identifier: MIT
 *
 * /proc/<pid>/statm of Linux: seven numbers in pages.
 *
 *     67516 56114 458 2 0 66762 0
 *
 * size -> virtual, resident -> resident (the same counter as VmRSS). The page size is not in the
 * file: 4 KiB is taken and rescaled by the model when the snapshot tells another. The third number
 * (RssFile + RssShmem in one), text, data and the two zeros are left out. Numbers of 2^63 and more
 * are a negative counter of the kernel: garbage, left out with a diagnostic.
 */
#include "parsers/proc_record.h"

#include <string.h>

#include "parsers/scan.h"

enum { NUMBERS = 7 };

struct statm {
    int64_t pages[NUMBERS]; /* JA_UNKNOWN: beyond 2^63-1 */
    int line;
};

static bool digits_only(const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (word[i] < '0' || word[i] > '9')
            return false;
    return length > 0;
}

/* The only line that is not empty, when it is seven numbers. */
static bool read_statm(const struct ja_piece *piece, struct statm *ret)
{
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    bool found = false;
    while (ja_piece_line(piece, &at, &number, &line)) {
        struct ja_scan scan = ja_scan_of(line.text, line.length);
        ja_scan_blanks(&scan);
        if (ja_scan_end(&scan))
            continue;
        if (found)
            return false;
        const char *word;
        size_t length;
        for (int i = 0; i < NUMBERS; i++, ja_scan_blanks(&scan)) {
            if (!ja_scan_word(&scan, &word, &length) || !digits_only(word, length))
                return false;
            struct ja_scan digits = ja_scan_of(word, length);
            if (!ja_scan_u63(&digits, &ret->pages[i]))
                ret->pages[i] = JA_UNKNOWN;
        }
        if (!ja_scan_end(&scan))
            return false;
        ret->line = line.number;
        found = true;
    }
    return found;
}

static int bid(const struct ja_piece *piece)
{
    struct statm statm;
    if (!read_statm(piece, &statm))
        return 0;
    struct ja_arena *arena = ja_arena_new();
    struct ja_proc_place place = ja_proc_piece_place(piece, arena);
    bool named = strcmp(place.leaf, "statm") == 0;
    ja_arena_free(arena);
    return named ? 95 : 0;
}

static void parse_statm(const struct ja_piece *piece, struct ja_parse *parse)
{
    static const struct {
        int number;
        enum ja_metric metric;
    } used[] = {{0, JA_METRIC_VIRTUAL}, {1, JA_METRIC_RESIDENT}};
    struct ja_evidence *evidence = parse->evidence;
    struct statm statm;
    if (!read_statm(piece, &statm))
        return;
    struct ja_proc_place place = ja_proc_piece_place(piece, parse->scratch);
    uint32_t record = ja_proc_record(piece, parse, &place, JA_KIND_PROC_STATM);
    for (int i = 0; i < NUMBERS; i++)
        if (statm.pages[i] == JA_UNKNOWN)
            ja_diagnose(evidence, JA_WARNING, "negative-counter", statm.line, NULL,
                        "number %d is a negative counter of the kernel (2^63 or more), left out",
                        i + 1);
    if (place.thread) {
        ja_set_status(evidence, JA_STATUS_NO_MEMORY_CONTENT,
                      "a thread shows its process's memory again");
        return;
    }
    uint32_t subject = ja_add_subject(evidence, record, NULL, place.pid);
    uint32_t at = ja_add_place_line(evidence, statm.line);
    evidence->subjects[subject].place = at;
    for (size_t i = 0; i < sizeof used / sizeof used[0]; i++) {
        struct ja_quantity quantity;
        int64_t pages = statm.pages[used[i].number];
        if (pages != JA_UNKNOWN && statm.pages[0] != 0 && ja_proc_pages(pages, &quantity))
            ja_proc_reading(parse, subject, used[i].metric, quantity, at, JA_UNIT_PAGES);
    }
}

const struct ja_parser ja_parser_proc_statm = {
    .name = "proc_statm",
    .reads = "Linux /proc/<pid>/statm (a file named so, or printed below its path)",
    .bid = bid,
    .parse = parse_statm,
};
