/* SPDX-License-Identifier: MIT
 *
 * The process table beside a panic text, a forced reset or a stackshot:
 *
 *   "processByPid" : {"65334":{"pid":65334,"procname":"git","residentMemoryBytes":175514137616}}
 *
 * residentMemoryBytes -> phys_footprint from xnu 4903 on (macOS 10.14, iOS 12) in spite of its
 * name, RSS before; a row flagged terminatedSnapshot has been torn down and gives no size.
 * waitInfo -> LOCK_WAIT where a thread waits for a lock whose owner is named; threadById tells
 * whose thread the owner is. Left out: threads, flags. kernel_task's size is none of the kernel
 * (that is wired memory) but kept as printed.
 */
#include "parsers/panic.h"

#include <string.h>

#include "parsers/ips.h"
#include "parsers/json.h"
#include "parsers/scan.h"

#define MOST_PAGES ((int64_t)1 << 50)
#define MOST_LOCK_WAITS 64
#define MOST_OWNERS 8 /* whose process is looked for */

size_t ja_panic_value(const char *text, size_t length, const char *key)
{
    bool in_string = false;
    size_t key_length = strlen(key);
    for (size_t i = 0; i < length; i++) {
        if (in_string) {
            if (text[i] == '\\')
                i++;
            else if (text[i] == '"')
                in_string = false;
            continue;
        }
        if (text[i] != '"')
            continue;
        in_string = true;
        if (length - i < key_length + 2 || memcmp(text + i + 1, key, key_length) != 0 ||
            text[i + 1 + key_length] != '"')
            continue;
        size_t at = i + key_length + 2;
        while (at < length && strchr(" \t\r\n", text[at]))
            at++;
        if (at >= length || text[at] != ':')
            continue;
        for (at++; at < length && strchr(" \t\r\n", text[at]);)
            at++;
        return at;
    }
    return length;
}

/* The number behind "xnu-"; JA_UNKNOWN. */
static int64_t xnu_version(const char *kernel)
{
    const char *at = kernel ? strstr(kernel, "xnu-") : NULL;
    if (!at)
        return JA_UNKNOWN;
    struct ja_scan scan = ja_scan_of(at + 4, strlen(at + 4));
    int64_t version;
    return ja_scan_u63(&scan, &version) ? version : JA_UNKNOWN;
}

/* First release of each system whose kernel writes footprints there: xnu 4903 on Macs, 4570 on
 * the others. */
static const struct {
    const char *name;
    int64_t major, minor;
} first_footprint[] = {
    {"iPhone OS ", 11, 0},  {"iOS ", 11, 0},     {"Watch OS ", 4, 0}, {"watchOS ", 4, 0},
    {"Apple TVOS ", 11, 0}, {"tvOS ", 11, 0},    {"macOS ", 10, 14},  {"Mac OS X ", 10, 14},
    {"Bridge OS ", 2, 0},   {"BridgeOS ", 2, 0}, {"bridgeOS ", 2, 0}, {"xrOS ", 1, 0},
    {"visionOS ", 1, 0},    {"audioOS ", 11, 0},
};

static enum ja_metric metric_of_os(const char *os)
{
    for (size_t i = 0; os && i < sizeof first_footprint / sizeof *first_footprint; i++) {
        size_t skip = strlen(first_footprint[i].name);
        if (strncmp(os, first_footprint[i].name, skip) != 0)
            continue;
        struct ja_scan scan = ja_scan_of(os + skip, strlen(os + skip));
        int64_t major, minor = 0;
        if (!ja_scan_u63(&scan, &major))
            return JA_METRIC_UNSTATED;
        if (ja_scan_char(&scan, '.'))
            ja_scan_u63(&scan, &minor);
        bool late = major > first_footprint[i].major ||
                    (major == first_footprint[i].major && minor >= first_footprint[i].minor);
        return late ? JA_METRIC_PHYS_FOOTPRINT : JA_METRIC_RESIDENT;
    }
    return JA_METRIC_UNSTATED;
}

enum ja_metric ja_panic_size_metric(const char *kernel, const char *os, bool has_compressor)
{
    int64_t xnu = xnu_version(kernel);
    if (xnu >= 4903 || has_compressor)
        return JA_METRIC_PHYS_FOOTPRINT;
    if (xnu == JA_UNKNOWN)
        return metric_of_os(os);
    bool embedded = !strstr(kernel, "X86_64");
    return xnu >= 4570 && embedded ? JA_METRIC_PHYS_FOOTPRINT : JA_METRIC_RESIDENT;
}

struct lock_wait {
    uint32_t fact;
    const char *thread; /* number of the owning thread, as printed */
};

struct table {
    struct ja_parse *parse;
    uint32_t record;
    bool nested; /* inside "stackshot" */
    enum ja_metric metric;
    size_t lock_waits; /* kept so far */
    struct lock_wait owners[MOST_OWNERS];
    size_t owner_count;
};

static bool torn_down(const cJSON *row)
{
    const cJSON *flag;
    cJSON_ArrayForEach(flag, ja_json_get(row, "flags"))
    {
        const char *text = cJSON_GetStringValue(flag);
        if (text && strcmp(text, "terminatedSnapshot") == 0)
            return true;
    }
    return false;
}

/* The key of the next row: its text in scratch, *at behind the colon at the row's '{'. */
static const char *next_key(struct ja_parse *parse, const char *text, size_t length, size_t *at)
{
    while (*at < length && strchr(" \t\r\n,", text[*at]))
        ++*at;
    if (*at >= length || text[*at] != '"')
        return NULL;
    const char *close = memchr(text + *at + 1, '"', length - *at - 1);
    if (!close)
        return NULL;
    const char *key =
        ja_arena_copy(parse->scratch, text + *at + 1, (size_t)(close - text) - *at - 1);
    *at = (size_t)(close - text) + 1;
    while (*at < length && strchr(" \t\r\n:", text[*at]))
        ++*at;
    return key;
}

/* "... owned by thread 798645": the number, for the fact that is added next. */
static void note_owner(struct table *table, const char *text)
{
    const char *at = strstr(text, "owned by thread ");
    if (!at || table->owner_count == MOST_OWNERS)
        return;
    at += strlen("owned by thread ");
    size_t digits = strspn(at, "0123456789");
    if (digits == 0 || digits > 19)
        return;
    table->owners[table->owner_count++] =
        (struct lock_wait){(uint32_t)table->parse->evidence->fact_count,
                           ja_arena_copy(table->parse->scratch, at, digits)};
}

/* The row whose threadById holds the owner: its pid becomes the value of the wait's fact. */
static void find_owners(struct table *table, const char *row, size_t length, int64_t pid)
{
    for (size_t i = 0; i < table->owner_count; i++) {
        const char *key = ja_arena_print(table->parse->scratch, "\"%s\"", table->owners[i].thread);
        if (ja_text_find(row, length, key) < length)
            table->parse->evidence->facts[table->owners[i].fact].value = pid;
    }
}

/* A second look at the rows, for the threads that own a lock somebody waits for. */
static void resolve_owners(struct table *table, const char *text, size_t length)
{
    size_t at = 1;
    while (table->owner_count && at < length) {
        const char *key = next_key(table->parse, text, length, &at);
        bool object = key && at < length && text[at] == '{';
        size_t end = object ? ja_ips_balanced(text + at, length - at) : 0;
        if (!end)
            return;
        struct ja_scan scan = ja_scan_of(key, strlen(key));
        int64_t pid;
        if (ja_scan_i64(&scan, &pid) && ja_scan_end(&scan))
            find_owners(table, text + at, end, pid);
        at += end;
    }
}

/* At most 64 waits with a named owner: the first ones show the pattern. */
static void read_waits(struct table *table, uint32_t subject, const cJSON *row, const char *pid)
{
    struct ja_evidence *evidence = table->parse->evidence;
    const char *path =
        table->nested ? "/stackshot/processByPid/{*}/waitInfo" : "/processByPid/{*}/waitInfo";
    const cJSON *item;
    cJSON_ArrayForEach(item, ja_json_get(row, "waitInfo"))
    {
        const char *text = cJSON_GetStringValue(item);
        bool lock =
            text && strstr(text, "owned by") && (strstr(text, "lock") || strstr(text, "mutex"));
        if (!lock || table->lock_waits > MOST_LOCK_WAITS)
            continue;
        if (table->lock_waits++ == MOST_LOCK_WAITS) {
            ja_diagnose(evidence, JA_NOTE, "too-many-waits", 0, NULL,
                        "more than %d threads wait for a lock: the others are left out",
                        MOST_LOCK_WAITS);
            continue;
        }
        note_owner(table, text);
        uint32_t place = ja_add_place_json(evidence, path, -1, -1, pid);
        ja_add_fact(evidence, table->record, JA_FACT_LOCK_WAIT, JA_UNKNOWN, text, place)->subject =
            subject;
    }
}

static void read_cpu(struct ja_parse *parse, uint32_t subject, const cJSON *row, uint32_t place)
{
    double user, kernel;
    /* kernel_task's includes the idle threads: no work, and no clock to tell lives by. */
    if (parse->evidence->subjects[subject].pid == 0 ||
        !ja_json_double(row, "userTimeTask", &user) ||
        !ja_json_double(row, "systemTimeTask", &kernel) || user < 0 || kernel < 0 ||
        user + kernel > 1e10)
        return;
    parse->evidence->subjects[subject].cpu_ns = (int64_t)((user + kernel) * 1e9 + 0.5);
    ja_add_count(parse->evidence, subject, "cpu_s", user + kernel, place);
}

static void read_row(struct table *table, const cJSON *row, const char *key)
{
    struct ja_evidence *evidence = table->parse->evidence;
    const char *path = ja_arena_print(table->parse->scratch, "%s/processByPid/%s",
                                      table->nested ? "/stackshot" : "", key);
    int64_t pid, value;
    if (!ja_json_int(evidence, row, "pid", path, -1, -1, INT32_MIN, INT32_MAX, &pid))
        pid = JA_UNKNOWN;
    uint32_t subject =
        ja_add_subject(evidence, table->record, ja_json_string(row, "procname"), pid);
    uint32_t place =
        ja_add_place_json(evidence,
                          table->nested ? "/stackshot/processByPid/{*}/residentMemoryBytes"
                                        : "/processByPid/{*}/residentMemoryBytes",
                          -1, -1, key);
    struct ja_subject *s = &evidence->subjects[subject];
    s->place = place;
    s->dead = torn_down(row);
    if (ja_json_int(evidence, row, "jetsamCoalition", path, -1, -1, 0, MOST_PAGES, &value))
        s->coalition = value;
    if (ja_json_int(evidence, row, "parentPid", path, -1, -1, INT32_MIN, INT32_MAX, &value))
        ja_subject_more(s, evidence->arena)->parent_pid = value;
    read_cpu(table->parse, subject, row, place);
    read_waits(table, subject, row, key);
    if (s->dead || !ja_json_int(evidence, row, "residentMemoryBytes", path, -1, -1, 0,
                                JA_LARGEST_BYTES, &value))
        return;
    struct ja_quantity size = {value, 1, JA_ROUNDING_EXACT};
    ja_add_reading(evidence, subject, table->metric, size, place);
}

size_t ja_panic_processes(struct ja_parse *parse, uint32_t record, const char *text, size_t length,
                          bool nested, enum ja_metric metric, bool *ret_whole)
{
    struct table table = {.parse = parse, .record = record, .nested = nested, .metric = metric};
    size_t at = 1, rows = 0;
    *ret_whole = false;
    for (;;) {
        const char *key = next_key(parse, text, length, &at);
        if (!key) {
            *ret_whole = at < length && text[at] == '}';
            break;
        }
        bool object = at < length && text[at] == '{';
        size_t used, end = object ? ja_ips_balanced(text + at, length - at) : 0;
        if (!end)
            break;
        const cJSON *row = ja_json_parse(text + at, end, &used);
        if (row && ja_room_for_reading(parse, 0)) {
            read_row(&table, row, key);
            rows++;
        } else {
            ja_diagnose(parse->evidence, JA_ERROR, row ? "row-left-out" : "bad-row", 0,
                        ja_arena_print(parse->scratch, "$.processByPid.%s", key),
                        "row of the process table left out");
            parse->evidence->records[record].complete = false;
        }
        at += end;
    }
    resolve_owners(&table, text, length);
    return rows;
}
