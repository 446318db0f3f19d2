/* SPDX-License-Identifier: MIT
 *
 * A program's own memory print: JSON lines, JSON documents, and objects as node's console.log
 * shows them (no JSON: bare keys, single quotes, several lines).
 *
 *     {"time":"2026-11-08T10:02:11.020Z","pid":3311,"reads":0,"rss":61345792,"heapUsed":5012344}
 *     2024-11-05T10:35:33.676Z Request 75 start  {
 *       rss: '167.74 MB',
 *       heapUsed: '21.22 MB',
 *
 * rss -> resident, heapUsed (heapAlloc, heap_used) -> heap, vms -> virtual, pss -> pss, maxRSS (kB)
 * -> resident_peak; also one object deeper ("memory": {...}). Numbers without a unit are bytes; a
 * unit stands at the end of the key (rss_kb, rssMb) or in the text. "167.74 MB" may be 2^20 or 10^6
 * bytes a MB, as its author likes: 2^20 is taken, and said so once. time, timestamp, ts, at, date
 * or the start of the line -> when; pid, name, service -> who; without them it is the file's name.
 * Other whole numbers of an object, and "Request 75" before it, are counts under their key.
 *
 * Objects without a time keep their order. Left out: heapTotal, external, arrayBuffers (parts or
 * reservations), and figures too small to be bytes. Docker's and Kubernetes' own JSON is read
 * elsewhere.
 */
#include "parsers/proc_record.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "parsers/json.h"
#include "parsers/object_text.h"
#include "parsers/scan.h"
#include "parsers/stamp.h"

enum { LEAST_BYTES = 65536, SHARED_SUBJECTS = 32 };

static const struct {
    const char *key;
    enum ja_metric metric;
    int64_t unit; /* of a number without one */
} memory_keys[] = {
    {"rss", JA_METRIC_RESIDENT, 1},
    {"resident", JA_METRIC_RESIDENT, 1},
    {"residentset", JA_METRIC_RESIDENT, 1},
    {"heapused", JA_METRIC_HEAP, 1},
    {"heapalloc", JA_METRIC_HEAP, 1},
    {"usedheap", JA_METRIC_HEAP, 1},
    {"vms", JA_METRIC_VIRTUAL, 1},
    {"vsz", JA_METRIC_VIRTUAL, 1},
    {"pss", JA_METRIC_PSS, 1},
    {"maxrss", JA_METRIC_RESIDENT_PEAK, JA_KIB},
};

enum { MEMORY_KEYS = sizeof memory_keys / sizeof memory_keys[0] };

/* The key in small letters without '_' and '-', its unit ending cut off. */
static int64_t plain_key(const char *key, char text[32])
{
    static const struct {
        const char *ending;
        int64_t bytes;
    } units[] = {{"bytes", 1},   {"kib", JA_KIB}, {"kb", JA_KIB}, {"mib", JA_MIB},
                 {"mb", JA_MIB}, {"gib", JA_GIB}, {"gb", JA_GIB}};
    size_t length = 0;
    for (; *key && length < 31; key++)
        if (*key != '_' && *key != '-')
            text[length++] = (char)(*key >= 'A' && *key <= 'Z' ? *key - 'A' + 'a' : *key);
    text[length] = '\0';
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        size_t ending = strlen(units[i].ending);
        if (length > ending && strcmp(text + length - ending, units[i].ending) == 0) {
            text[length - ending] = '\0';
            return units[i].bytes;
        }
    }
    return 0;
}

/* Index into memory_keys; -1: none. *ret_unit: of the key, else the table's. */
static int memory_key(const char *key, int64_t *ret_unit)
{
    char plain[32];
    int64_t unit = plain_key(key, plain);
    for (int i = 0; i < MEMORY_KEYS; i++)
        if (strcmp(plain, memory_keys[i].key) == 0) {
            *ret_unit = unit ? unit : memory_keys[i].unit;
            return i;
        }
    return -1;
}

static bool has_memory(const cJSON *object)
{
    int64_t unit;
    for (const cJSON *item = object->child; item; item = item->next)
        if (item->string && memory_key(item->string, &unit) >= 0 &&
            (cJSON_IsNumber(item) || cJSON_IsString(item)))
            return true;
    return false;
}

/* The object that holds the sizes: this one or a child. */
static const cJSON *memory_object(const cJSON *object)
{
    if (!cJSON_IsObject(object))
        return NULL;
    if (has_memory(object))
        return object;
    for (const cJSON *item = object->child; item; item = item->next)
        if (cJSON_IsObject(item) && has_memory(item))
            return item;
    return NULL;
}

static bool value_quantity(const cJSON *item, int64_t unit, struct ja_quantity *ret)
{
    if (cJSON_IsString(item)) {
        struct ja_scan scan = ja_scan_of(item->valuestring, strlen(item->valuestring));
        int64_t number;
        int decimals;
        if (ja_scan_size(&scan, ret) && ja_scan_end(&scan))
            return true;
        scan = ja_scan_of(item->valuestring, strlen(item->valuestring));
        if (!ja_scan_decimal(&scan, &number, &decimals) || !ja_scan_end(&scan))
            return false;
        if (unit != 1)
            return ja_scale(number, decimals, unit, ret);
        *ret = (struct ja_quantity){number, number % 4096 == 0 ? 4096 : 1, JA_ROUNDING_EXACT};
        return decimals == 0;
    }
    double value = item->valuedouble;
    if (!isfinite(value) || value < 0 || value * (double)unit > 9e15)
        return false;
    if (unit == 1) {
        if (value != floor(value) || value > 9e15)
            return false;
        int64_t bytes = (int64_t)value;
        *ret = (struct ja_quantity){bytes, bytes % 4096 == 0 ? 4096 : 1, JA_ROUNDING_EXACT};
        return true;
    }
    int decimals = 0;
    for (double part = value; decimals < 6 && fabs(part - round(part)) > 1e-7; decimals++)
        part *= 10;
    int64_t scale = 1;
    for (int i = 0; i < decimals; i++)
        scale *= 10;
    return ja_scale((int64_t)llround(value * (double)scale), decimals, unit, ret);
}

struct walk {
    const struct ja_piece *piece;
    struct ja_parse *parse;
    struct ja_arena *json; /* of one object at a time */
    uint32_t record;       /* of the present object */
    uint32_t base;         /* record of objects without a time of their own; JA_NONE */
    const char *stem;
    bool unit_said;
};

/* One object with what stands before it on its line. */
struct print {
    const cJSON *whole, *memory;
    const char *before;
    size_t before_length;
    int line;
};

static bool is_time_key(const char *key)
{
    static const char *const names[] = {"time",       "timestamp", "ts",       "at",
                                        "@timestamp", "date",      "datetime", "t"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(key, names[i]) == 0)
            return true;
    return false;
}

static bool value_stamp(const cJSON *item, struct ja_arena *arena, struct ja_stamp *ret)
{
    char text[32];
    const char *from = item->valuestring;
    if (cJSON_IsNumber(item)) {
        if (!(item->valuedouble > 1e9 && item->valuedouble < 1e13))
            return false;
        snprintf(text, sizeof text, item->valuedouble > 1e12 ? "%.0f" : "%.3f", item->valuedouble);
        from = text;
    }
    return from && ja_stamp_exact(from, strlen(from), arena, ret);
}

static uint32_t print_stamp(struct walk *walk, const struct print *print)
{
    struct ja_evidence *evidence = walk->parse->evidence;
    const cJSON *objects[] = {print->whole, print->memory};
    struct ja_stamp stamp;
    size_t used;
    for (size_t i = 0; i < 2; i++)
        for (const cJSON *item = objects[i]->child; item; item = item->next)
            if (item->string && is_time_key(item->string) &&
                value_stamp(item, evidence->arena, &stamp))
                return ja_add_stamp(evidence, &stamp);
    if (ja_stamp_prefix(print->before, print->before_length, evidence->arena, &stamp, &used))
        return ja_add_stamp(evidence, &stamp);
    return walk->piece->stamp;
}

static const char *print_name(const struct print *print)
{
    static const char *const keys[] = {"process", "service", "name", "app", "program"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const char *name = ja_json_string(print->whole, keys[i]);
        if (name && *name)
            return name;
    }
    return NULL;
}

static uint32_t print_subject(struct walk *walk, const struct print *print)
{
    struct ja_evidence *evidence = walk->parse->evidence;
    const char *name = print_name(print);
    double number;
    int64_t pid = JA_UNKNOWN;
    if (ja_json_double(print->whole, "pid", &number) && number >= 0 && number <= 4194304 &&
        number == floor(number))
        pid = (int64_t)number;
    if (!name)
        name = walk->stem;
    size_t count = evidence->subject_count;
    size_t least = count > SHARED_SUBJECTS ? count - SHARED_SUBJECTS : 0;
    for (size_t i = count; i-- > least;)
        if (evidence->subjects[i].record == walk->record && evidence->subjects[i].pid == pid &&
            strcmp(evidence->subjects[i].name, name) == 0)
            return (uint32_t)i;
    uint32_t at = ja_add_subject(evidence, walk->record, name, pid);
    evidence->subjects[at].place = ja_add_place_line(evidence, print->line);
    return at;
}

static void take_size(struct walk *walk, uint32_t subject, uint32_t stamp, const cJSON *item,
                      int line, uint32_t place)
{
    struct ja_evidence *evidence = walk->parse->evidence;
    int64_t unit = 1;
    int key = memory_key(item->string, &unit);
    struct ja_quantity quantity;
    if (key < 0 || (!cJSON_IsNumber(item) && !cJSON_IsString(item)))
        return;
    if (!value_quantity(item, unit, &quantity) || quantity.value < LEAST_BYTES) {
        ja_diagnose(evidence, JA_WARNING, "no-size", line, NULL,
                    "%s is no size in bytes and has no unit, left out", item->string);
        return;
    }
    if (cJSON_IsString(item) && quantity.resolution > 1 && !walk->unit_said) {
        walk->unit_said = true;
        ja_diagnose(evidence, JA_NOTE, "unit-of-author", line, NULL,
                    "%s is \"%s\": MB taken as 2^20 bytes; if its author divides by 10^6, all "
                    "figures are 4.6 %% smaller",
                    item->string, item->valuestring);
    }
    struct ja_reading *reading =
        ja_proc_reading(walk->parse, subject, memory_keys[key].metric, quantity, place,
                        cJSON_IsString(item) ? JA_UNIT_TEXT : JA_UNIT_BYTES);
    if (!reading)
        return;
    reading->stamp = stamp;
    if (cJSON_IsString(item))
        reading->printed = ja_arena_string(evidence->arena, item->valuestring);
}

static bool is_counter(const cJSON *item)
{
    static const char *const not [] = {"pid",    "ppid", "level",     "v",         "port",
                                       "line",   "ts",   "time",      "timestamp", "at",
                                       "t",      "date", "heapTotal", "external",  "arrayBuffers",
                                       "uptime", "cpu",  "threads"};
    int64_t unit;
    if (!item->string || !cJSON_IsNumber(item) || item->valuedouble < 0 ||
        item->valuedouble != floor(item->valuedouble) || memory_key(item->string, &unit) >= 0)
        return false;
    for (size_t i = 0; i < sizeof not / sizeof not [0]; i++)
        if (strcmp(item->string, not [i]) == 0)
            return false;
    return true;
}

/* "Request 75 start": the number of a request, counted by the program. */
static bool request_number(const char *text, size_t length, double *ret)
{
    for (size_t at = 0; at + 8 < length; at++) {
        if ((text[at] != 'R' && text[at] != 'r') ||
            !ja_text_begins(text + at + 1, length - at - 1, "equest"))
            continue;
        struct ja_scan scan = ja_scan_of(text + at + 7, length - at - 7);
        int64_t number;
        ja_scan_char(&scan, 's');
        while (!ja_scan_end(&scan) && strchr(" #:=", scan.text[scan.at]))
            scan.at++;
        if (ja_scan_u63(&scan, &number)) {
            *ret = (double)number;
            return true;
        }
    }
    return false;
}

static void open_record(struct walk *walk, uint32_t stamp, int line)
{
    if (stamp == walk->piece->stamp && walk->base != JA_NONE) {
        walk->record = walk->base;
        return;
    }
    walk->record = ja_proc_moment(walk->parse, JA_KIND_PROCESS_JSON, stamp, line);
    if (stamp == walk->piece->stamp)
        walk->base = walk->record;
}

static void take_print(struct walk *walk, const struct print *print)
{
    struct ja_evidence *evidence = walk->parse->evidence;
    uint32_t stamp = print_stamp(walk, print);
    open_record(walk, stamp, print->line);
    uint32_t subject = print_subject(walk, print);
    uint32_t place = ja_add_place_line(evidence, print->line);
    double number;
    for (const cJSON *item = print->memory->child; item; item = item->next)
        if (item->string)
            take_size(walk, subject, stamp, item, print->line, place);
    for (const cJSON *item = print->whole->child; item; item = item->next)
        if (is_counter(item))
            ja_add_count(evidence, subject, item->string, item->valuedouble, place)->stamp = stamp;
    if (request_number(print->before, print->before_length, &number))
        ja_add_count(evidence, subject, "requests", number, place)->stamp = stamp;
    const char *host = ja_json_string(print->whole, "hostname");
    if (host && !ja_proc_system(walk->parse, walk->record)->host_name)
        ja_proc_system(walk->parse, walk->record)->host_name =
            ja_arena_string(evidence->arena, host);
}

/* The object at text[at] as JSON; NULL when it is none with memory in it. */
static bool read_print(const struct ja_object_text *object, struct ja_arena *arena,
                       struct print *ret)
{
    size_t used;
    size_t length = object->length;
    const char *text = ja_object_json(object->text, &length, arena);
    const cJSON *json = text ? ja_json_parse(text, length, &used) : NULL;
    if (!json || !(ret->memory = memory_object(json)))
        return false;
    ret->whole = json;
    ret->before = object->before;
    ret->before_length = object->before_length;
    ret->line = object->line;
    return true;
}

static int bid(const struct ja_piece *piece)
{
    static const char *const words[] = {"rss", "RSS", "Rss", "heapUsed", "heap_used", "HeapAlloc"};
    struct ja_object_text object = {.line = piece->first_line};
    size_t at = 0;
    for (int seen = 0; seen < 8 && ja_object_next(piece->text, piece->length, &at, &object); seen++)
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            size_t found = ja_text_find(object.text, object.length, words[i]);
            size_t after = found + strlen(words[i]);
            while (after < object.length && strchr("_kKmMgGbBiytes\"' ", object.text[after]))
                after++;
            if (after < object.length && object.text[after] == ':')
                return 78;
        }
    return 0;
}

static void parse_json(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct walk walk = {.piece = piece, .parse = parse, .json = ja_arena_new(), .base = JA_NONE};
    walk.stem = ja_proc_stem(piece, parse->scratch);
    ja_set_kind(parse->evidence, JA_KIND_PROCESS_JSON);
    struct ja_object_text object = {.line = piece->first_line};
    size_t at = 0;
    ja_json_use_arena(walk.json);
    while (ja_object_next(piece->text, piece->length, &at, &object)) {
        struct print print;
        if (read_print(&object, walk.json, &print))
            take_print(&walk, &print);
        else
            at = object.inside;
        ja_arena_reset(walk.json);
    }
    ja_json_use_arena(parse->scratch);
    ja_arena_free(walk.json);
}

const struct ja_parser ja_parser_process_json = {
    .name = "process_json",
    .reads = "a program's own memory print: JSON lines, node console.log objects",
    .bid = bid,
    .parse = parse_json,
};
