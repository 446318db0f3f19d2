/* SPDX-License-Identifier: MIT
 *
 * /proc/<pid>/status of Linux, as copied from the kernel (2.6 .. 6.18) or pasted: tabs may have
 * become blanks, " kB" may be missing, a remark may follow the figure. One line of it:
 *
 *     VmRSS:	  222680 kB
 *
 * Name -> the process's name (cut when 15 bytes long: that is all the kernel keeps); Tgid (it
 * equals NSpid's first number) -> pid in the outermost namespace seen; PPid -> parent. VmSize ->
 * virtual, VmHWM -> resident_peak, VmRSS -> resident, RssAnon -> anonymous, RssFile -> file,
 * RssShmem -> shared, VmSwap -> swap: kB are KiB, whole pages, exact as printed (the kernel's own
 * counting error is the model's business). HugetlbPages -> a category when it is not 0, since VmRSS
 * leaves it out. Threads and voluntary_ctxt_switches -> facts (a falling switch count proves a new
 * process).
 *
 * Left out: VmPeak (address space), VmData .. VmPTE (parts of other figures), masks and signals. A
 * thread's status (Pid differs from Tgid) repeats its process's memory: no second reading. Kernel
 * threads have no Vm lines and no memory of their own.
 */
#include "parsers/proc_record.h"

#include <string.h>

#include "parsers/scan.h"

enum { COMM_BYTES = 15 };

struct size_key {
    const char *key;
    enum ja_metric metric;
};

static const struct size_key size_keys[] = {
    {"VmSize", JA_METRIC_VIRTUAL}, {"VmHWM", JA_METRIC_RESIDENT_PEAK},
    {"VmRSS", JA_METRIC_RESIDENT}, {"RssAnon", JA_METRIC_ANONYMOUS},
    {"RssFile", JA_METRIC_FILE},   {"RssShmem", JA_METRIC_SHARED},
    {"VmSwap", JA_METRIC_SWAP},
};

enum { SIZE_KEYS = sizeof size_keys / sizeof size_keys[0] };

static bool begins(const char *line, size_t length)
{
    return ja_text_begins(line, length, "Name:\t") || ja_text_begins(line, length, "Name:  ");
}

static bool known_key(const char *key, size_t length)
{
    static const char *const keys[] = {"State",
                                       "Tgid",
                                       "Pid",
                                       "PPid",
                                       "TracerPid",
                                       "Uid",
                                       "FDSize",
                                       "VmPeak",
                                       "VmLck",
                                       "VmData",
                                       "VmStk",
                                       "VmExe",
                                       "VmLib",
                                       "VmPTE",
                                       "VmSize",
                                       "Threads",
                                       "Umask",
                                       "NSpid",
                                       "voluntary_ctxt_switches"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (ja_text_is(key, length, keys[i]))
            return true;
    return false;
}

/* "Key:" at the start of a line and what follows. */
static bool split_line(const struct ja_line *line, const char **ret_key, size_t *ret_key_length,
                       struct ja_scan *ret_rest)
{
    struct ja_scan scan = ja_scan_of(line->text, line->length);
    ja_scan_blanks(&scan);
    const size_t start = scan.at;
    while (scan.at < scan.length && strchr(": \t", scan.text[scan.at]) == NULL)
        scan.at++;
    *ret_key = line->text + start;
    *ret_key_length = scan.at - start;
    if (*ret_key_length == 0 || !ja_scan_char(&scan, ':'))
        return false;
    ja_scan_blanks(&scan);
    *ret_rest = scan;
    return true;
}

static int bid(const struct ja_piece *piece)
{
    struct ja_line line;
    size_t at = 0, known = 0, rss = 0;
    int number = 0;
    bool vm = false;
    while (ja_piece_line(piece, &at, &number, &line)) {
        const char *key;
        size_t length;
        struct ja_scan rest;
        if (!split_line(&line, &key, &length, &rest))
            continue;
        known += known_key(key, length);
        rss += ja_text_is(key, length, "VmRSS");
        vm = vm || ja_text_begins(key, length, "Vm") || ja_text_is(key, length, "Kthread") ||
             ja_text_is(key, length, "State");
    }
    return vm && known >= 4 && rss <= 1 ? 90 : 0; /* rounds of a loop are read elsewhere */
}

struct status {
    const char *name;
    size_t name_length;
    int64_t pid, tgid, outer_pid, parent, threads, switches, hugetlb;
    int switches_line, threads_line, hugetlb_line, pid_line;
    int64_t kb[SIZE_KEYS];
    int line[SIZE_KEYS];
    bool any_size;
};

static void take_number(struct ja_parse *parse, const struct ja_line *line, const char *key,
                        size_t length, struct ja_scan rest, struct status *status)
{
    static const struct {
        const char *key;
        size_t value, line;
    } numbers[] = {
        {"Pid", offsetof(struct status, pid), offsetof(struct status, pid_line)},
        {"Tgid", offsetof(struct status, tgid), 0},
        {"NSpid", offsetof(struct status, outer_pid), 0},
        {"PPid", offsetof(struct status, parent), 0},
        {"Threads", offsetof(struct status, threads), offsetof(struct status, threads_line)},
        {"voluntary_ctxt_switches", offsetof(struct status, switches),
         offsetof(struct status, switches_line)},
        {"HugetlbPages", offsetof(struct status, hugetlb), offsetof(struct status, hugetlb_line)},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (!ja_text_is(key, length, numbers[i].key))
            continue;
        if (!ja_scan_u63(&rest, (int64_t *)(void *)((char *)status + numbers[i].value)))
            ja_diagnose(parse->evidence, JA_ERROR, "bad-number", line->number, NULL,
                        "%s is not a whole number, left out", numbers[i].key);
        else if (numbers[i].line)
            *(int *)(void *)((char *)status + numbers[i].line) = line->number;
    }
}

static void take_line(struct ja_parse *parse, const struct ja_line *line, struct status *status)
{
    const char *key;
    size_t length;
    struct ja_scan rest;
    if (!split_line(line, &key, &length, &rest))
        return;
    if (ja_text_is(key, length, "Name")) {
        status->name = rest.text + rest.at;
        status->name_length = rest.length - rest.at;
        return;
    }
    for (size_t i = 0; i < SIZE_KEYS; i++) {
        int64_t value;
        if (!ja_text_is(key, length, size_keys[i].key))
            continue;
        if (!ja_proc_key_line(line, &key, &length, &value)) {
            ja_diagnose(parse->evidence, JA_ERROR, "bad-number", line->number, NULL,
                        "%s is no whole number of kB, left out", size_keys[i].key);
            return;
        }
        status->kb[i] = value;
        status->line[i] = line->number;
        status->any_size = true;
        return;
    }
    take_number(parse, line, key, length, rest, status);
}

static struct status read_status(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct status status = {.pid = JA_UNKNOWN,
                            .tgid = JA_UNKNOWN,
                            .outer_pid = JA_UNKNOWN,
                            .parent = JA_UNKNOWN,
                            .threads = JA_UNKNOWN,
                            .switches = JA_UNKNOWN,
                            .hugetlb = JA_UNKNOWN};
    for (size_t i = 0; i < SIZE_KEYS; i++)
        status.kb[i] = JA_UNKNOWN;
    struct ja_line line;
    size_t at = 0, padded = 0, lines = 0;
    int number = 0;
    while (ja_piece_line(piece, &at, &number, &line)) {
        take_line(parse, &line, &status);
        lines += line.length > 0;
        padded += line.length > 0 && line.text[line.length - 1] == ' ';
    }
    if (padded > 1 && padded + 1 >= lines) /* a terminal's blanks, not the name's */
        while (status.name_length && status.name[status.name_length - 1] == ' ')
            status.name_length--;
    return status;
}

static void add_sizes(struct ja_parse *parse, uint32_t subject, const struct status *status)
{
    struct ja_evidence *evidence = parse->evidence;
    struct ja_quantity quantity;
    for (size_t i = 0; i < SIZE_KEYS; i++) {
        if (status->kb[i] == JA_UNKNOWN)
            continue;
        if (!ja_proc_kb(status->kb[i], &quantity)) {
            ja_diagnose(evidence, JA_ERROR, "bad-number", status->line[i], NULL,
                        "%s is larger than any memory, left out", size_keys[i].key);
            continue;
        }
        if (size_keys[i].metric == JA_METRIC_RESIDENT_PEAK)
            evidence->subjects[subject].peak_bytes = quantity.value;
        ja_proc_reading(parse, subject, size_keys[i].metric, quantity,
                        ja_add_place_line(evidence, status->line[i]), JA_UNIT_KIB);
    }
    if (status->hugetlb > 0 && ja_proc_kb(status->hugetlb, &quantity)) {
        struct ja_reading *reading =
            ja_proc_reading(parse, subject, JA_METRIC_CATEGORY, quantity,
                            ja_add_place_line(evidence, status->hugetlb_line), JA_UNIT_KIB);
        if (reading)
            reading->category = ja_add_category(evidence, "HugetlbPages");
    }
}

static void add_facts(struct ja_parse *parse, uint32_t record, uint32_t subject,
                      const struct status *status)
{
    struct ja_evidence *evidence = parse->evidence;
    if (status->threads != JA_UNKNOWN)
        ja_add_fact(evidence, record, JA_FACT_THREADS, status->threads, NULL,
                    ja_add_place_line(evidence, status->threads_line))
            ->subject = subject;
    if (status->switches != JA_UNKNOWN)
        ja_add_fact(evidence, record, JA_FACT_CONTEXT_SWITCHES, status->switches, NULL,
                    ja_add_place_line(evidence, status->switches_line))
            ->subject = subject;
}

static int64_t status_pid(const struct status *status, const struct ja_proc_place *place)
{
    const int64_t pids[] = {status->tgid, status->pid, status->outer_pid, place->pid};
    for (size_t i = 0; i < sizeof pids / sizeof pids[0]; i++)
        if (pids[i] != JA_UNKNOWN)
            return pids[i];
    return JA_UNKNOWN;
}

static void parse_status(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_evidence *evidence = parse->evidence;
    struct ja_proc_place place = ja_proc_piece_place(piece, parse->scratch);
    struct status status = read_status(piece, parse);
    uint32_t record = ja_proc_record(piece, parse, &place, JA_KIND_PROC_STATUS);
    bool thread =
        status.pid != JA_UNKNOWN && status.tgid != JA_UNKNOWN && status.pid != status.tgid;
    if (thread || !status.any_size) {
        ja_set_status(evidence, JA_STATUS_NO_MEMORY_CONTENT,
                      thread ? "a thread shows its process's memory again"
                             : "a kernel thread or a zombie: no memory of its own");
        return;
    }
    const char *name =
        status.name ? ja_arena_copy(parse->scratch, status.name, status.name_length) : NULL;
    int64_t pid = status_pid(&status, &place);
    uint32_t subject = ja_add_subject(evidence, record, name, pid);
    evidence->subjects[subject].name_cut = status.name_length >= COMM_BYTES;
    ja_subject_more(&evidence->subjects[subject], evidence->arena)->parent_pid = status.parent;
    evidence->subjects[subject].place = ja_add_place_line(evidence, piece->first_line);
    evidence->records[record].census = evidence->records[record].snapshot != NULL;
    evidence->records[record].complete = true;
    if (place.pid != JA_UNKNOWN && pid != place.pid && status.pid != place.pid)
        ja_diagnose(evidence, JA_NOTE, "pid-and-folder", status.pid_line, NULL,
                    "the folder says pid %lld, the file %lld: the file's is used",
                    (long long)place.pid, (long long)pid);
    add_sizes(parse, subject, &status);
    add_facts(parse, record, subject, &status);
    if (evidence->status == JA_STATUS_NO_MEMORY_CONTENT)
        evidence->status = JA_STATUS_USED;
}

const struct ja_parser ja_parser_proc_status = {
    .name = "proc_status",
    .reads = "Linux /proc/<pid>/status, kernels 2.6 to 6.18, copied or pasted",
    .begins = begins,
    .bid = bid,
    .parse = parse_status,
};
