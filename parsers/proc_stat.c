/* SPDX-License-Identifier: MIT
 *
 * /proc/<pid>/stat (one process, one line) and /proc/stat (the machine) of Linux 2.6 .. 6.18:
 *
 *     731 (embed (http)) S 1 731 731 0 -1 4194304 55304 0 0 0 6506 1634 0 0 20 0 4 0 181200 ...
 *     btime 1796030296
 *
 * The name stands between the first '(' and the LAST ')': it may hold blanks and brackets. Field 4
 * -> parent, 14 + 15 (ticks) -> a count of CPU seconds, 22 -> start_ticks since boot, 23 -> virtual
 * (bytes), 24 -> resident in pages. Field 24 reads the kernel's rough counter and stands back for
 * every other reading of the moment (approximate). Ticks are 100 a second on nearly every machine
 * and not stored in the file: tick_hz = 100 is said so.
 * /proc/stat: btime -> boot_stamp (whole second), number of cpuN lines -> cores.
 *
 * Left out: faults, priorities, addresses, interrupt counts. 18446744073709551615 in field 25 means
 * "no limit".
 */
#include "parsers/proc_record.h"

#include <string.h>

#include "parsers/scan.h"

enum { TICK_HZ = 100, COMM_BYTES = 15, FIELDS = 25 };

struct stat_line {
    const char *name;
    size_t name_length;
    int64_t pid;
    int64_t field[FIELDS + 1]; /* numbered as in proc(5); JA_UNKNOWN where it is no number */
    int count;                 /* last field seen */
    int number;                /* line of the file */
};

/* The last ')' that is followed by a blank and a state letter. */
static size_t name_end(const struct ja_line *line)
{
    for (size_t i = line->length; i-- > 0;)
        if (line->text[i] == ')')
            return i;
    return line->length;
}

static bool read_stat_line(const struct ja_line *line, struct stat_line *ret)
{
    struct ja_scan scan = ja_scan_of(line->text, line->length);
    ja_scan_blanks(&scan);
    struct stat_line stat = {.number = line->number};
    size_t end = name_end(line);
    if (!ja_scan_u63(&scan, &stat.pid) || !ja_scan_text(&scan, " (") || end < scan.at ||
        end == line->length)
        return false;
    stat.name = line->text + scan.at;
    stat.name_length = end - scan.at;
    scan.at = end + 1;
    for (int i = 0; i <= FIELDS; i++)
        stat.field[i] = JA_UNKNOWN;
    const char *word;
    size_t length;
    for (int i = 3; i <= FIELDS; i++) {
        ja_scan_blanks(&scan);
        if (!ja_scan_word(&scan, &word, &length))
            break;
        struct ja_scan number = ja_scan_of(word, length);
        int64_t value;
        stat.count = i;
        if (i == 3 && length != 1)
            return false;
        if (ja_scan_i64(&number, &value) && ja_scan_end(&number))
            stat.field[i] = value;
    }
    *ret = stat;
    return true;
}

static bool is_system_line(const struct ja_line *line)
{
    return ja_text_begins(line->text, line->length, "cpu ") ||
           ja_text_begins(line->text, line->length, "btime ");
}

static bool begins(const char *line, size_t length)
{
    return ja_text_begins(line, length, "cpu  ");
}

static int bid(const struct ja_piece *piece)
{
    struct ja_line line;
    size_t at = 0, system = 0, lines = 0;
    int number = 0;
    struct stat_line stat;
    while (lines < 64 && ja_piece_line(piece, &at, &number, &line)) {
        lines++;
        if (read_stat_line(&line, &stat))
            return stat.count >= 22 ? (lines <= 2 ? 90 : 60)
                   : stat.count >= 4 && strcmp(piece->file->name, "stat") == 0 ? 80
                                                                               : 0;
        system += is_system_line(&line);
    }
    while (ja_piece_line(piece, &at, &number, &line))
        system += is_system_line(&line);
    return system >= 2 ? 90 : 0;
}

static void add_subject(struct ja_parse *parse, uint32_t record, const struct stat_line *stat)
{
    struct ja_evidence *evidence = parse->evidence;
    const char *name = ja_arena_copy(parse->scratch, stat->name, stat->name_length);
    uint32_t at = ja_add_subject(evidence, record, name, stat->pid);
    uint32_t place = ja_add_place_line(evidence, stat->number);
    struct ja_subject *subject = &evidence->subjects[at];
    subject->place = place;
    subject->name_cut = stat->name_length >= COMM_BYTES;
    struct ja_subject_more *more = ja_subject_more(subject, evidence->arena);
    more->parent_pid = stat->field[4] >= 0 ? stat->field[4] : JA_UNKNOWN;
    if (stat->field[22] >= 0)
        more->start_ticks = stat->field[22];
    int64_t user = stat->field[14], kernel = stat->field[15], ns;
    if (user >= 0 && kernel >= 0 && ja_multiply(ja_add(user, kernel), JA_NS_PER_S / TICK_HZ, &ns)) {
        subject->cpu_ns = ns;
        ja_add_count(evidence, at, "cpu_s", (double)ns / 1e9, place);
    }
    int64_t size = stat->field[23], pages = stat->field[24];
    struct ja_quantity quantity = {size, 4 * JA_KIB, JA_ROUNDING_EXACT};
    if (size > 0 && size < JA_LARGEST_BYTES)
        ja_proc_reading(parse, at, JA_METRIC_VIRTUAL, quantity, place, JA_UNIT_BYTES);
    if (pages >= 0 && size > 0 && ja_proc_pages(pages, &quantity)) {
        struct ja_reading *reading =
            ja_proc_reading(parse, at, JA_METRIC_RESIDENT, quantity, place, JA_UNIT_PAGES);
        if (reading)
            reading->approximate = 1;
    }
}

static void parse_process(const struct ja_piece *piece, struct ja_parse *parse,
                          const struct stat_line *stat)
{
    struct ja_evidence *evidence = parse->evidence;
    struct ja_proc_place place = ja_proc_piece_place(piece, parse->scratch);
    uint32_t record = ja_proc_record(piece, parse, &place, JA_KIND_PROC_STAT);
    ja_proc_system(parse, record)->tick_hz = TICK_HZ;
    if (place.thread) {
        ja_set_status(evidence, JA_STATUS_NO_MEMORY_CONTENT,
                      "a thread shows its process's memory again");
        return;
    }
    if (place.pid != JA_UNKNOWN && place.pid != stat->pid)
        ja_diagnose(evidence, JA_NOTE, "pid-and-folder", stat->number, NULL,
                    "the folder says pid %lld, the file %lld: the file's is used",
                    (long long)place.pid, (long long)stat->pid);
    if (stat->count < 24) {
        ja_set_status(evidence, JA_STATUS_DAMAGED, "the line is cut");
        ja_diagnose(evidence, JA_WARNING, "cut", stat->number, NULL,
                    "the line ends after field %d: later fields are left out", stat->count);
    }
    /* Kernel threads and zombies have no address space: they are no rows of the books. */
    evidence->records[record].census =
        evidence->records[record].snapshot != NULL && stat->field[23] != 0;
    evidence->records[record].complete = true;
    add_subject(parse, record, stat);
}

static bool number_after(const struct ja_line *line, const char *word, int64_t *ret)
{
    struct ja_scan scan = ja_scan_of(line->text, line->length);
    int64_t value;
    if (!ja_scan_text(&scan, word))
        return false;
    ja_scan_blanks(&scan);
    if (!ja_scan_u63(&scan, &value) || !(ja_scan_blanks(&scan), ja_scan_end(&scan)))
        return false;
    *ret = value;
    return true;
}

static void take_btime(struct ja_parse *parse, uint32_t record, const struct ja_line *line)
{
    int64_t seconds, ns;
    if (!number_after(line, "btime ", &seconds) || seconds <= 0 || seconds > INT64_C(7258118400) ||
        !ja_multiply(seconds, JA_NS_PER_S, &ns)) {
        ja_diagnose(parse->evidence, JA_ERROR, "bad-number", line->number, NULL,
                    "btime is no time after 1970, left out");
        return;
    }
    struct ja_stamp stamp = {
        .clock = JA_CLOCK_REPORT,
        .parts = JA_STAMP_UNIX,
        .unix_ns = ns,
        .step_ns = JA_NS_PER_S,
        .text = ja_arena_copy(parse->evidence->arena, line->text, line->length),
    };
    uint32_t index = ja_add_stamp(parse->evidence, &stamp);
    ja_proc_system(parse, record)->boot_stamp = index;
}

static bool cpu_line(const struct ja_line *line)
{
    struct ja_scan scan = ja_scan_of(line->text, line->length);
    int64_t number;
    return ja_scan_text(&scan, "cpu") && ja_scan_u63(&scan, &number);
}

static void parse_system(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_proc_place place = ja_proc_piece_place(piece, parse->scratch);
    uint32_t record = ja_proc_record(piece, parse, &place, JA_KIND_PROC_STAT);
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    int64_t cores = 0;
    while (ja_piece_line(piece, &at, &number, &line)) {
        cores += cpu_line(&line);
        if (ja_text_begins(line.text, line.length, "btime "))
            take_btime(parse, record, &line);
    }
    if (cores)
        ja_proc_system(parse, record)->cores = cores;
}

static void parse_stat(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    bool process = false;
    struct stat_line stat;
    while (ja_piece_line(piece, &at, &number, &line)) {
        if (is_system_line(&line)) {
            parse_system(piece, parse);
            return;
        }
        if (read_stat_line(&line, &stat)) {
            parse_process(piece, parse, &stat);
            process = true;
        }
    }
    if (!process)
        ja_diagnose(parse->evidence, JA_ERROR, "no-stat-line", piece->first_line, NULL,
                    "no line of /proc/<pid>/stat or /proc/stat could be read, left out");
}

const struct ja_parser ja_parser_proc_stat = {
    .name = "proc_stat",
    .reads = "Linux /proc/<pid>/stat and /proc/stat (start time, CPU time, boot time)",
    .begins = begins,
    .bid = bid,
    .parse = parse_stat,
};
