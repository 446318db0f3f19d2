/* SPDX-License-Identifier: MIT
 *
 * The small files of a /proc copy that name things rather than measure them. They are known by
 * their place, and their content must fit it.
 *
 *     <pid>/cmdline          /opt/venv/bin/python3\0server.py\0   -> the process's command line
 *     <pid>/comm             embedder                            -> its name (15 bytes at most)
 *     <pid>/cgroup           4:memory:/box, 0::/box              -> its control group
 *     sys/kernel/random/boot_id                                   -> boot identity
 *     version, osrelease, uname -a                                -> kernel release (and host name)
 *     hostname                                                    -> host name
 *
 * Limits in a command line (-Xmx ...) become facts. The kernel's own /proc/cmdline, loadavg,
 * oom_score_adj, limits and the like are known and hold nothing about memory use.
 */
#include "parsers/proc_record.h"

#include <string.h>

#include "model/digits.h"
#include "parsers/command_line.h"
#include "parsers/scan.h"

enum {
    COMM_BYTES = 15,    /* of a process; */
    KTHREAD_BYTES = 64, /* the kernel's own threads may have longer names */
};

enum what { NOTHING, COMMAND, COMM, GROUP, BOOT_ID, VERSION, RELEASE, UNAME, HOSTNAME, IDLE };

static bool first_line(const struct ja_piece *piece, struct ja_line *ret)
{
    size_t at = 0;
    int number = 0;
    while (ja_piece_line(piece, &at, &number, ret)) {
        ja_text_trim(&ret->text, &ret->length);
        if (ret->length)
            return true;
    }
    return false;
}

/* "6.1.0-57-cloud-amd64": begins with two numbers and has no blank. */
static bool is_release(const char *text, size_t length)
{
    struct ja_scan scan = ja_scan_of(text, length);
    int64_t number;
    return ja_scan_u63(&scan, &number) && ja_scan_char(&scan, '.') && ja_scan_u63(&scan, &number) &&
           memchr(text, ' ', length) == NULL;
}

/* The word that begins at offset. */
static void word_at(const struct ja_line *line, size_t offset, const char **ret, size_t *ret_length)
{
    *ret = line->text + offset;
    *ret_length = 0;
    while (offset + *ret_length < line->length && line->text[offset + *ret_length] != ' ')
        ++*ret_length;
}

static bool is_group_line(const struct ja_line *line)
{
    struct ja_scan scan = ja_scan_of(line->text, line->length);
    int64_t number;
    return ja_scan_u63(&scan, &number) && ja_scan_char(&scan, ':') &&
           ja_text_find(line->text, line->length, ":/") < line->length;
}

static bool is_idle(const struct ja_proc_place *place)
{
    static const char *const names[] = {
        "oom_score_adj", "oom_score",   "oom_adj",   "loadavg",    "limits",    "io",
        "sched",         "schedstat",   "wchan",     "maps",       "environ",   "mounts",
        "mountinfo",     "personality", "syscall",   "slabinfo",   "buddyinfo", "pagetypeinfo",
        "zoneinfo",      "cmdline",     "cpuinfo",   "interrupts", "softirqs",  "modules",
        "filesystems",   "partitions",  "diskstats", "devices",    "cgroups",   "timer_list",
        "loginuid",      "sessionid"};
    for (size_t i = 0; place->snapshot && i < sizeof names / sizeof names[0]; i++)
        if (strcmp(place->leaf, names[i]) == 0)
            return true;
    return false;
}

/* What the piece is by its place, when the content fits. */
static enum what what_is(const struct ja_proc_place *place, const struct ja_line *line, bool only)
{
    const char *leaf = place->leaf;
    bool pid = place->pid != JA_UNKNOWN;
    if (strcmp(leaf, "boot_id") == 0 && ja_is_uuid(line->text, line->length))
        return BOOT_ID;
    if (only && ja_text_begins(line->text, line->length, "Linux version "))
        return VERSION;
    if (strcmp(leaf, "osrelease") == 0 && is_release(line->text, line->length))
        return RELEASE;
    if (strstr(leaf, "uname") && ja_text_begins(line->text, line->length, "Linux "))
        return UNAME;
    if (strcmp(leaf, "hostname") == 0 && only && memchr(line->text, ' ', line->length) == NULL)
        return HOSTNAME;
    if (pid && strcmp(leaf, "cmdline") == 0)
        return COMMAND;
    if (pid && strcmp(leaf, "comm") == 0 && only && line->length <= KTHREAD_BYTES)
        return COMM;
    if (pid && strcmp(leaf, "cgroup") == 0 && is_group_line(line))
        return GROUP;
    return is_idle(place) ? IDLE : NOTHING;
}

static enum what look(const struct ja_piece *piece, struct ja_arena *arena,
                      struct ja_proc_place *ret_place, struct ja_line *ret_line)
{
    *ret_place = ja_proc_place_of(piece->file->path, arena);
    if (!first_line(piece, ret_line))
        return is_idle(ret_place) ? IDLE : NOTHING;
    const char *end = ret_line->text + ret_line->length;
    size_t rest = piece->length - (size_t)(end - piece->text);
    ja_text_trim(&end, &rest);
    while (rest && (*end == '\n' || *end == '\r')) {
        end++;
        rest--;
    }
    return what_is(ret_place, ret_line, rest == 0);
}

static int bid(const struct ja_piece *piece)
{
    static const int bids[] = {
        [NOTHING] = 0,  [COMMAND] = 90, [COMM] = 90,  [GROUP] = 90,    [BOOT_ID] = 95,
        [VERSION] = 90, [RELEASE] = 90, [UNAME] = 90, [HOSTNAME] = 80, [IDLE] = 60};
    struct ja_arena *arena = ja_arena_new();
    struct ja_proc_place place;
    struct ja_line line;
    enum what what = look(piece, arena, &place, &line);
    ja_arena_free(arena);
    return bids[what];
}

/* Control group of the memory controller: "4:memory:/box" (v1) before "0::/box" (v2). */
static void add_group(const struct ja_piece *piece, struct ja_parse *parse, uint32_t record,
                      uint32_t subject)
{
    struct ja_evidence *evidence = parse->evidence;
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    const char *unified = NULL, *memory = NULL;
    int memory_line = 0, unified_line = 0;
    while (ja_piece_line(piece, &at, &number, &line)) {
        size_t path = ja_text_find(line.text, line.length, ":/");
        if (path == line.length)
            continue;
        const char *text =
            ja_arena_copy(evidence->arena, line.text + path + 1, line.length - path - 1);
        if (ja_text_begins(line.text, line.length, "0::")) {
            unified = text;
            unified_line = line.number;
        } else if (ja_text_find(line.text, path, "memory") < path) {
            memory = text;
            memory_line = line.number;
        }
    }
    if (memory || unified)
        ja_add_fact(evidence, record, JA_FACT_CGROUP_PATH, JA_UNKNOWN, memory ? memory : unified,
                    ja_add_place_line(evidence, memory ? memory_line : unified_line))
            ->subject = subject;
}

static void parse_named(const struct ja_piece *piece, struct ja_parse *parse,
                        const struct ja_proc_place *place, const struct ja_line *line,
                        enum what what)
{
    struct ja_evidence *evidence = parse->evidence;
    uint32_t record = ja_proc_record(piece, parse, place, JA_KIND_PROC_CMDLINE);
    const char *name =
        what == COMM ? ja_arena_copy(parse->scratch, line->text, line->length) : NULL;
    uint32_t subject = ja_add_subject(evidence, record, name, place->pid);
    uint32_t at = ja_add_place_line(evidence, line->number);
    evidence->subjects[subject].place = at;
    evidence->subjects[subject].name_cut = what == COMM && line->length == COMM_BYTES;
    if (what == COMMAND)
        ja_command_line(parse, subject, piece->text, piece->length, at);
    else if (what == GROUP)
        add_group(piece, parse, record, subject);
}

static void parse_system(const struct ja_piece *piece, struct ja_parse *parse,
                         const struct ja_proc_place *place, const struct ja_line *line,
                         enum what what)
{
    struct ja_evidence *evidence = parse->evidence;
    uint32_t record = ja_proc_record(piece, parse, place,
                                     what == BOOT_ID ? JA_KIND_BOOT_ID : JA_KIND_PROC_CMDLINE);
    struct ja_system *system = ja_proc_system(parse, record);
    const char *word;
    size_t length;
    switch (what) {
    case BOOT_ID:
        system->boot_id = ja_arena_copy(evidence->arena, line->text, line->length);
        break;
    case VERSION:
        word_at(line, strlen("Linux version "), &word, &length);
        system->kernel = ja_arena_copy(evidence->arena, word, length);
        break;
    case UNAME:
        word_at(line, strlen("Linux "), &word, &length);
        system->host_name = ja_arena_copy(evidence->arena, word, length);
        if (strlen("Linux ") + length + 1 < line->length) {
            word_at(line, strlen("Linux ") + length + 1, &word, &length);
            if (is_release(word, length))
                system->kernel = ja_arena_copy(evidence->arena, word, length);
        }
        break;
    case HOSTNAME:
        system->host_name = ja_arena_copy(evidence->arena, line->text, line->length);
        break;
    default:
        system->kernel = ja_arena_copy(evidence->arena, line->text, line->length);
        break;
    }
}

static void parse_small(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_proc_place place;
    struct ja_line line;
    enum what what = look(piece, parse->scratch, &place, &line);
    if (what == NOTHING)
        return;
    if (what == IDLE || place.thread) {
        ja_set_kind(parse->evidence, JA_KIND_PROC_CMDLINE);
        ja_set_status(parse->evidence, JA_STATUS_NO_MEMORY_CONTENT,
                      "a file of /proc that says nothing of memory use");
        return;
    }
    if (what == COMMAND || what == COMM || what == GROUP)
        parse_named(piece, parse, &place, &line, what);
    else
        parse_system(piece, parse, &place, &line, what);
}

const struct ja_parser ja_parser_proc_cmdline = {
    .name = "proc_cmdline",
    .reads = "Linux cmdline, comm, cgroup, boot_id, version, osrelease, hostname, uname -a",
    .whole = true,
    .bid = bid,
    .most = 95,
    .parse = parse_small,
};
