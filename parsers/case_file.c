/* SPDX-License-Identifier: MIT
 *
 * The operator's case file: one JSON object, all keys optional, every key below.
 *   { "ram": "64 GiB", "tz": "+0800", "fix": { "process": "embed", "at": "2026-07-23T18:00:00Z" } }
 * Named with --case its statements are taken (ja_case_file_read). Met inside a PATH it is listed
 * and not used: evidence must not steer the audit. Keys that are not known are left out, each with
 * a warning; a value that cannot be read is left out with an error.
 */
#include "parsers/stated.h"

#include <math.h>
#include <string.h>

#include "parsers/json.h"
#include "parsers/parser.h"
#include "parsers/stamp.h"

/* One object of the file being read, and where it stands. */
struct entry {
    struct ja_stated *stated;
    struct ja_evidence *evidence;
    const cJSON *object;
    const char *key; /* "caps" */
    int index;       /* in its list; -1 */
};

static const char *where(const struct entry *entry, const char *member)
{
    struct ja_arena *arena = entry->evidence->arena;
    const char *list = "";
    if (entry->index >= 0)
        list = ja_arena_print(arena, "[%d]", entry->index);
    return ja_arena_print(arena, "$%s%s%s%s%s", *entry->key ? "." : "", entry->key, list,
                          *member ? "." : "", member);
}

static bool wrong(const struct entry *entry, const char *member, const char *needed)
{
    ja_diagnose(entry->evidence, JA_ERROR, "bad-statement", 0, where(entry, member),
                "not %s, left out", needed);
    return false;
}

/* The member is there; null says nothing. */
static bool said(const struct entry *entry, const char *member)
{
    const cJSON *value = ja_json_get(entry->object, member);
    return value && !cJSON_IsNull(value);
}

/* A text member, copied; NULL when absent, or not text (then it is said). */
static const char *text_of(const struct entry *entry, const char *member)
{
    const char *text = ja_json_string(entry->object, member);
    if (!text && said(entry, member))
        wrong(entry, member, "a text");
    return ja_arena_string(entry->stated->arena, text);
}

/* The same for a member that must be there. */
static const char *need_text(const struct entry *entry, const char *member)
{
    if (!said(entry, member))
        wrong(entry, member, "there");
    return text_of(entry, member);
}

/* A size as text or number of bytes. True when present and good. */
static bool size_of(const struct entry *entry, const char *member, int64_t *ret)
{
    const char *text = ja_json_string(entry->object, member);
    double number;
    if (!said(entry, member))
        return false;
    if (text && ja_stated_size(text, ret))
        return true;
    if (ja_json_double(entry->object, member, &number) && number >= 0 &&
        number <= (double)JA_LARGEST_BYTES) {
        *ret = (int64_t)number;
        return true;
    }
    return wrong(entry, member, "a size such as \"64 GiB\"");
}

static bool number_of(const struct entry *entry, const char *member, double *ret)
{
    if (!said(entry, member))
        return false;
    double number;
    if (ja_json_double(entry->object, member, &number) && number >= 0) {
        *ret = number;
        return true;
    }
    return wrong(entry, member, "a number of 0 or more");
}

static bool seconds_of(const struct entry *entry, const char *member, int64_t *ret_ns)
{
    double seconds;
    if (!number_of(entry, member, &seconds))
        return false;
    if (seconds > 1e9)
        return wrong(entry, member, "a number of seconds below 1e9");
    *ret_ns = (int64_t)(seconds * (double)JA_NS_PER_S);
    return true;
}

static bool stamp_of(const struct entry *entry, const char *member, struct ja_stamp *ret)
{
    const char *text = text_of(entry, member);
    if (!text)
        return false;
    if (!ja_stamp_exact(text, strlen(text), entry->stated->arena, ret))
        return wrong(entry, member, "a time such as \"2026-10-17T01:20:00Z\"");
    ret->clock = JA_CLOCK_MANIFEST;
    return true;
}

/* Whom the entry is about: "match" or "process". */
static bool selector_of(const struct entry *entry, struct ja_selector *ret)
{
    char error[160] = "";
    const char *match = text_of(entry, "match");
    const char *process = text_of(entry, "process");
    const char *text = match ? match : process;
    if (!text)
        return false;
    if (ja_selector_read(entry->stated->arena, text, match != NULL, ret, error, sizeof error))
        return true;
    return wrong(entry, "match", ja_arena_print(entry->evidence->arena, "a pattern (%s)", error));
}

static bool need_selector(const struct entry *entry, struct ja_selector *ret)
{
    if (!said(entry, "match") && !said(entry, "process"))
        return wrong(entry, "process", "there: whom it is about is missing");
    return selector_of(entry, ret);
}

static void read_cap(const struct entry *entry)
{
    struct ja_stated_cap cap = {.bytes = JA_UNKNOWN};
    if (!need_selector(entry, &cap.who))
        return;
    if (!size_of(entry, "size", &cap.bytes)) {
        if (!said(entry, "size"))
            wrong(entry, "size", "there");
        return;
    }
    cap.name = text_of(entry, "name");
    if (!cap.name)
        cap.name = "stated cap";
    cap.source = text_of(entry, "source");
    struct ja_stated *stated = entry->stated;
    *JA_APPEND(stated->arena, stated->caps, stated->cap_count, stated->cap_capacity) = cap;
}

static void read_work(const struct entry *entry)
{
    struct ja_stated_work work = {0};
    if (!need_selector(entry, &work.who))
        return;
    work.file = text_of(entry, "file");
    work.key = text_of(entry, "key");
    work.unit = text_of(entry, "unit");
    if (!work.unit)
        work.unit = work.key ? work.key : "work";
    if (!work.file && !work.key) {
        wrong(entry, "file", "there, nor is a key");
        return;
    }
    struct ja_stated *stated = entry->stated;
    *JA_APPEND(stated->arena, stated->work, stated->work_count, stated->work_capacity) = work;
}

static void read_captured(const struct entry *entry)
{
    struct ja_stated_time time = {.within_ns = JA_UNKNOWN, .interval_ns = JA_UNKNOWN};
    time.path = need_text(entry, "path");
    if (!time.path)
        return;
    stamp_of(entry, "at", &time.at);
    seconds_of(entry, "within_s", &time.within_ns);
    seconds_of(entry, "interval_s", &time.interval_ns);
    time.host = text_of(entry, "host");
    time.note = text_of(entry, "note");
    struct ja_stated *stated = entry->stated;
    *JA_APPEND(stated->arena, stated->times, stated->time_count, stated->time_capacity) = time;
}

static void read_concern(const struct entry *entry)
{
    struct ja_stated_concern concern = {.bytes_per_hour = NAN};
    if (!need_selector(entry, &concern.who))
        return;
    const char *slope = ja_json_string(entry->object, "slope");
    if (!slope || !ja_stated_slope(slope, &concern.bytes_per_hour)) {
        wrong(entry, "slope", "a slope such as \"5 MB/h\"");
        return;
    }
    struct ja_stated *stated = entry->stated;
    *JA_APPEND(stated->arena, stated->concerns, stated->concern_count, stated->concern_capacity) =
        concern;
}

static void read_note(const struct entry *entry)
{
    struct ja_stated_note note = {0};
    note.text = need_text(entry, "text");
    if (!need_text(entry, "at") || !stamp_of(entry, "at", &note.at) || !note.text)
        return;
    struct ja_stated *stated = entry->stated;
    *JA_APPEND(stated->arena, stated->notes, stated->note_count, stated->note_capacity) = note;
}

static void read_fix(const struct entry *entry)
{
    struct ja_stated_fix *fix = &entry->stated->all.fix;
    fix->stated = true;
    selector_of(entry, &fix->who);
    stamp_of(entry, "at", &fix->at);
    size_of(entry, "max_delta", &fix->max_delta_bytes);
    number_of(entry, "min_work", &fix->min_work);
}

static void read_top(const struct entry *top)
{
    struct ja_statements *all = &top->stated->all;
    all->host = text_of(top, "host");
    size_of(top, "ram", &all->ram_bytes);
    const char *zone = ja_json_string(top->object, "tz");
    if (zone && ja_zone_offset(zone, strlen(zone), &all->zone_offset_s))
        all->has_zone = true;
    else if (said(top, "tz"))
        wrong(top, "tz", "an offset such as \"+0800\"");
    const char *slope = ja_json_string(top->object, "slope");
    if (said(top, "slope") && (!slope || !ja_stated_slope(slope, &all->slope_bytes_per_hour)))
        wrong(top, "slope", "a slope such as \"5 MB/h\"");
}

static const struct {
    const char *key;
    void (*read)(const struct entry *entry); /* NULL: read_top does it */
    bool list;
} members[] = {
    {"host", NULL, false},
    {"ram", NULL, false},
    {"tz", NULL, false},
    {"slope", NULL, false},
    {"caps", read_cap, true},
    {"work", read_work, true},
    {"captured", read_captured, true},
    {"fix", read_fix, false},
    {"concern", read_concern, true},
    {"notes", read_note, true},
};

enum { MEMBERS = sizeof members / sizeof *members };

static int member_of(const char *key)
{
    for (int i = 0; i < MEMBERS; i++)
        if (key && strcmp(members[i].key, key) == 0)
            return i;
    return -1;
}

static void read_member(struct entry entry, const cJSON *value, int member)
{
    if (!members[member].read)
        return;
    entry.key = members[member].key;
    if (!members[member].list && cJSON_IsObject(value)) {
        entry.object = value;
        members[member].read(&entry);
        return;
    }
    if (!members[member].list || !cJSON_IsArray(value)) {
        ja_diagnose(entry.evidence, JA_ERROR, "bad-statement", 0, where(&entry, ""),
                    "not %s, left out", members[member].list ? "a list of objects" : "an object");
        return;
    }
    const cJSON *item;
    entry.index = 0;
    cJSON_ArrayForEach(item, value)
    {
        entry.object = item;
        if (cJSON_IsObject(item))
            members[member].read(&entry);
        else
            wrong(&entry, "", "an object");
        entry.index++;
    }
}

static cJSON *parse_object(const char *text, size_t length)
{
    size_t used;
    cJSON *root = ja_json_parse(text, length, &used);
    return root && cJSON_IsObject(root) ? root : NULL;
}

bool ja_case_file_read(struct ja_stated *stated, const char *text, size_t length,
                       struct ja_evidence *evidence)
{
    const cJSON *root = parse_object(text, length);
    if (!root)
        return false;
    struct entry top = {
        .stated = stated, .evidence = evidence, .object = root, .key = "", .index = -1};
    read_top(&top);
    const cJSON *value;
    cJSON_ArrayForEach(value, root)
    {
        int member = member_of(value->string);
        if (member >= 0)
            read_member(top, value, member);
        else
            ja_diagnose(evidence, JA_WARNING, "unknown-key", 0,
                        ja_arena_print(evidence->arena, "$.%s", value->string),
                        "no statement of this name is known, left out");
    }
    return true;
}

/* Mine: an object with members, every one of them a statement. */
static int bid(const struct ja_piece *piece)
{
    size_t at = 0;
    while (at < piece->length && strchr(" \t\r\n", piece->text[at]))
        at++;
    if (at >= piece->length || piece->text[at] != '{' || piece->length > 1 << 20)
        return 0;
    const cJSON *root = parse_object(piece->text + at, piece->length - at);
    const cJSON *value;
    int statements = 0;
    cJSON_ArrayForEach(value, root)
    {
        if (member_of(value->string) < 0)
            return 0;
        statements++;
    }
    return statements ? 60 : 0;
}

static void parse(const struct ja_piece *piece, struct ja_parse *parse)
{
    (void)piece;
    ja_set_kind(parse->evidence, JA_KIND_CASE);
    ja_set_status(parse->evidence, JA_STATUS_NO_MEMORY_CONTENT,
                  "a case file: its statements are used only when it is named with --case");
}

const struct ja_parser ja_parser_case = {
    .name = "case",
    .reads = "the operator's case file (listed; used when named with --case)",
    .whole = true,
    .bid = bid,
    .most = 60,
    .parse = parse,
};
