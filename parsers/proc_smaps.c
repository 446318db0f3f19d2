/* SPDX-License-Identifier: MIT
 *
 * /proc/<pid>/smaps and smaps_rollup of Linux 2.6 .. 6.18 and Android: mappings with their sizes,
 * or all of them in one block whose header ends in [rollup].
 *
 *     5626470f9000-7fffcb653000 ---p 00000000 00:00 0                          [rollup]
 *     Pss_Dirty:        220848 kB
 *
 * Summed over the mappings of one dump: Rss -> resident, Pss -> pss, Private_Dirty ->
 * private_dirty, Anonymous -> anonymous, Swap -> swap. They come from the page tables, so they are
 * exact; Pss drops fractions (a mapping each in smaps, once in the roll-up): rounded down. Swap
 * counts swapped shared memory too, unlike VmSwap, and the smaps sum of Pss is worse than the
 * roll-up's: both stand back (approximate). LazyFree -> a category when it is not 0: pages that are
 * still resident but given back by the program. The smallest KernelPageSize -> page_bytes.
 *
 * Several dumps may be pasted one after the other: a new one begins at "---", at a roll-up's header
 * or where addresses start again. Left out: all other keys, Android's too; they divide the same
 * pages in other ways. A cut dump (a mapping without some of its lines) gives no sums and makes the
 * status "partly".
 */
#include "parsers/proc_record.h"

#include <string.h>

#include "parsers/scan.h"

enum sum { RSS, PSS, PRIVATE_DIRTY, ANONYMOUS, SWAP, LAZY_FREE, SUMS };

static const struct {
    const char *key;
    enum ja_metric metric;
} sums[SUMS] = {
    [RSS] = {"Rss", JA_METRIC_RESIDENT},
    [PSS] = {"Pss", JA_METRIC_PSS},
    [PRIVATE_DIRTY] = {"Private_Dirty", JA_METRIC_PRIVATE_DIRTY},
    [ANONYMOUS] = {"Anonymous", JA_METRIC_ANONYMOUS},
    [SWAP] = {"Swap", JA_METRIC_SWAP},
    [LAZY_FREE] = {"LazyFree", JA_METRIC_CATEGORY},
};

/* "5626470f9000-7fffcb653000 ---p 00000000 00:00 0   [rollup]" */
static bool read_header(const char *text, size_t length, uint64_t *ret_start, bool *ret_rollup)
{
    struct ja_scan scan = ja_scan_of(text, length);
    uint64_t start, end;
    const char *perms;
    size_t perms_length;
    ja_scan_blanks(&scan);
    if (!ja_scan_hex(&scan, &start) || !ja_scan_char(&scan, '-') || !ja_scan_hex(&scan, &end) ||
        !ja_scan_char(&scan, ' ') || !ja_scan_word(&scan, &perms, &perms_length) ||
        perms_length != 4 || strchr("r-", perms[0]) == NULL || strchr("w-", perms[1]) == NULL)
        return false;
    *ret_start = start;
    size_t at = ja_text_find(text, length, "[rollup]");
    *ret_rollup = at < length;
    return true;
}

static bool begins(const char *line, size_t length)
{
    uint64_t start;
    bool rollup;
    return ja_text_find(line, length, "[rollup]") < length &&
           read_header(line, length, &start, &rollup);
}

static int bid(const struct ja_piece *piece)
{
    struct ja_line line;
    size_t at = 0, headers = 0, keys = 0;
    int number = 0;
    while (headers + keys < 64 && ja_piece_line(piece, &at, &number, &line)) {
        uint64_t start;
        bool rollup;
        const char *key;
        size_t length;
        int64_t value;
        if (read_header(line.text, line.length, &start, &rollup))
            headers++;
        else if (ja_proc_key_line(&line, &key, &length, &value))
            keys += ja_text_is(key, length, "Rss") || ja_text_is(key, length, "Pss") ||
                    ja_text_is(key, length, "Private_Dirty") ||
                    ja_text_is(key, length, "Shared_Clean");
    }
    if (headers && keys)
        return 90;
    return keys >= 3 ? 70 : 0;
}

/* A file of nothing but dumps: begins with a mapping, no stamps between. */
static int bid_file(const struct ja_piece *piece)
{
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    uint64_t start;
    bool rollup;
    while (ja_piece_line(piece, &at, &number, &line))
        if (line.length > 0)
            return read_header(line.text, line.length, &start, &rollup) ? bid(piece) : 0;
    return 0;
}

struct dump {
    bool rollup, open, cut;
    uint64_t last_start;
    int first_line;
    int64_t mappings, page_kb;
    int64_t kb[SUMS];
    int line[SUMS];
    int64_t count[SUMS]; /* mappings that have the key */
    int64_t flags;       /* mappings that have their VmFlags line, the last one of newer kernels */
    size_t dumps;        /* dumps of this piece already added */
};

static void start_dump(struct dump *dump, int line, bool rollup)
{
    size_t dumps = dump->dumps;
    *dump = (struct dump){.rollup = rollup, .open = true, .first_line = line, .dumps = dumps};
}

static struct ja_quantity dump_quantity(const struct dump *dump, enum sum sum)
{
    struct ja_quantity quantity;
    if (!ja_proc_kb(dump->kb[sum], &quantity))
        quantity = (struct ja_quantity){JA_LARGEST_BYTES, JA_KIB, JA_ROUNDING_UNKNOWN};
    if (sum == PSS) {
        quantity.resolution = dump->rollup ? JA_KIB : JA_KIB * dump->mappings;
        quantity.rounding = JA_ROUNDING_DOWN;
    }
    return quantity;
}

static void add_sum(struct ja_parse *parse, uint32_t subject, const struct dump *dump, enum sum sum)
{
    struct ja_evidence *evidence = parse->evidence;
    if (dump->cut || dump->count[sum] == 0 || (sum == LAZY_FREE && dump->kb[sum] == 0))
        return;
    struct ja_reading *reading =
        ja_proc_reading(parse, subject, sums[sum].metric, dump_quantity(dump, sum),
                        ja_add_place_line(evidence, dump->line[sum]), JA_UNIT_KIB);
    if (!reading)
        return;
    if (sum == LAZY_FREE)
        reading->category = ja_add_category(evidence, "LazyFree");
    reading->approximate = sum == SWAP || (sum == PSS && !dump->rollup);
}

/* A sum that some mapping takes no part in, and those that were cut off, would be too small. */
static void check_cut(struct ja_parse *parse, struct dump *dump)
{
    dump->cut = dump->flags && dump->flags < dump->mappings;
    for (int sum = 0; sum < SUMS; sum++)
        dump->cut = dump->cut || (dump->count[sum] && dump->count[sum] < dump->mappings);
    if (!dump->cut)
        return;
    ja_set_status(parse->evidence, JA_STATUS_PARTLY, "a mapping is cut");
    ja_diagnose(parse->evidence, JA_WARNING, "cut", dump->first_line, NULL,
                "not all of %lld mappings have all their lines: the dump is cut, and its sums, "
                "which would be too small, are left out",
                (long long)dump->mappings);
}

static void close_dump(const struct ja_piece *piece, struct ja_parse *parse,
                       const struct ja_proc_place *place, struct dump *dump)
{
    struct ja_evidence *evidence = parse->evidence;
    if (!dump->open || dump->count[RSS] == 0)
        return;
    enum ja_kind kind = dump->rollup ? JA_KIND_PROC_SMAPS_ROLLUP : JA_KIND_PROC_SMAPS;
    uint32_t record = ja_proc_record(piece, parse, place, kind);
    if (dump->dumps++ > 0)
        evidence->records[record].snapshot = NULL;
    if (dump->page_kb)
        ja_proc_system(parse, record)->page_bytes = dump->page_kb * JA_KIB;
    check_cut(parse, dump);
    const char *name = place->pid == JA_UNKNOWN ? ja_proc_stem(piece, parse->scratch) : NULL;
    if (place->pid == JA_UNKNOWN && evidence->records[record].snapshot && !piece->label)
        evidence->records[record].snapshot = NULL;
    uint32_t subject = ja_add_subject(evidence, record, name, place->pid);
    evidence->subjects[subject].place = ja_add_place_line(evidence, dump->first_line);
    evidence->records[record].census = evidence->records[record].snapshot != NULL;
    evidence->records[record].complete = true;
    for (int sum = 0; sum < SUMS; sum++)
        add_sum(parse, subject, dump, (enum sum)sum);
}

static void take_key(struct ja_parse *parse, struct dump *dump, const struct ja_line *line)
{
    const char *key;
    size_t length;
    int64_t value;
    if (ja_text_begins(line->text, line->length, "VmFlags:")) {
        dump->flags++;
        return;
    }
    if (!ja_proc_key_line(line, &key, &length, &value))
        return;
    if (ja_text_is(key, length, "KernelPageSize")) {
        if (value > 0 && value <= 1024 && (dump->page_kb == 0 || value < dump->page_kb))
            dump->page_kb = value;
        return;
    }
    for (int sum = 0; sum < SUMS; sum++) {
        if (!ja_text_is(key, length, sums[sum].key))
            continue;
        if (value > JA_LARGEST_BYTES / JA_KIB) {
            ja_diagnose(parse->evidence, JA_ERROR, "bad-number", line->number, NULL,
                        "%s is larger than any memory, left out", sums[sum].key);
            return;
        }
        dump->kb[sum] = ja_add(dump->kb[sum], value);
        dump->line[sum] = dump->rollup || !dump->line[sum] ? line->number : dump->line[sum];
        dump->count[sum]++;
        return;
    }
}

static void parse_smaps(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_proc_place place = ja_proc_piece_place(piece, parse->scratch);
    struct dump dump = {.open = false};
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    if (place.thread) {
        ja_set_kind(parse->evidence, JA_KIND_PROC_SMAPS);
        ja_set_status(parse->evidence, JA_STATUS_NO_MEMORY_CONTENT,
                      "a thread shows its process's memory again");
        return;
    }
    while (ja_piece_line(piece, &at, &number, &line)) {
        uint64_t start;
        bool rollup = false;
        bool header = read_header(line.text, line.length, &start, &rollup);
        bool again = header && (rollup || dump.rollup || (dump.open && start < dump.last_start));
        if (again || ja_text_begins(line.text, line.length, "---")) {
            close_dump(piece, parse, &place, &dump);
            dump.open = false;
        }
        if (header && !dump.open)
            start_dump(&dump, line.number, rollup);
        if (header) {
            dump.last_start = start;
            dump.mappings++;
            continue;
        }
        if (!dump.open && ja_text_begins(line.text, line.length, "Rss:")) {
            start_dump(&dump, line.number, true);
            dump.mappings = 1;
        }
        if (dump.open)
            take_key(parse, &dump, &line);
    }
    close_dump(piece, parse, &place, &dump);
}

const struct ja_parser ja_parser_proc_smaps = {
    .name = "proc_smaps",
    .reads = "Linux and Android /proc/<pid>/smaps and smaps_rollup, one dump or several",
    .whole = true,
    .bid = bid_file,
    .parse = parse_smaps,
};

const struct ja_parser ja_parser_proc_smaps_block = {
    .name = "proc_smaps_block",
    .reads = "smaps and smaps_rollup inside logs, below times and banners",
    .begins = begins,
    .bid = bid,
    .parse = parse_smaps,
};
