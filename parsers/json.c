/* SPDX-License-Identifier: MIT */
#include "parsers/json.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_WHOLE 9007199254740992.0 /* 2^53: above it a double skips whole numbers */

static _Thread_local struct ja_arena *scratch;

static void *allocate(size_t size)
{
    assert(scratch && "ja_json_use_arena was not called in this thread");
    return scratch ? ja_arena_alloc(scratch, 1, size) : NULL;
}

static void forget(void *memory)
{
    (void)memory; /* dies with the arena */
}

void ja_json_install_hooks(void)
{
    cJSON_Hooks hooks = {.malloc_fn = allocate, .free_fn = forget};
    cJSON_InitHooks(&hooks);
}

struct ja_arena *ja_json_use_arena(struct ja_arena *arena)
{
    struct ja_arena *before = scratch;
    scratch = arena;
    return before;
}

/* The four hexadecimal digits behind "\u"; -1 when they are not there. */
static int escape_at(const char *text, size_t length, size_t at)
{
    if (length - at < 6 || text[at] != '\\' || text[at + 1] != 'u')
        return -1;
    int value = 0;
    for (size_t i = at + 2; i < at + 6; i++) {
        char c = text[i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

struct prescan {
    size_t end; /* of the document, or of the text */
    bool too_deep;
    bool repair; /* holds escapes that cJSON cuts a string at or refuses the document for */
};

/* Bytes of the escape at text[at]; notes \u0000 and halves of surrogate pairs. */
static size_t pass_escape(const char *text, size_t length, size_t at, bool *ret_odd)
{
    int unit = escape_at(text, length, at);
    *ret_odd = false;
    if (unit < 0)
        return length - at < 2 ? length - at : 2;
    if (unit >= 0xD800 && unit <= 0xDBFF) {
        int low = escape_at(text, length, at + 6);
        if (low >= 0xDC00 && low <= 0xDFFF)
            return 12;
    }
    *ret_odd = unit == 0 || (unit >= 0xD800 && unit <= 0xDFFF);
    return 6;
}

/* One pass over the first document: strings respected, depth counted. */
static struct prescan scan_document(const char *text, size_t length)
{
    struct prescan result = {.end = length};
    int depth = 0;
    bool in_string = false, odd;
    for (size_t at = 0; at < length; at++) {
        char c = text[at];
        if (in_string && c == '\\') {
            at += pass_escape(text, length, at, &odd) - 1;
            result.repair |= odd;
        } else if (c == '"') {
            in_string = !in_string;
        } else if (!in_string && (c == '{' || c == '[')) {
            if (++depth > JA_JSON_DEPTH) {
                result.too_deep = true;
                result.end = at;
                return result;
            }
        } else if (!in_string && (c == '}' || c == ']') && --depth <= 0) {
            result.end = at + 1;
            return result;
        }
    }
    return result;
}

/* A copy with U+FFFD for every \u0000 and every half of a surrogate pair; same length, so offsets
 * stay true. cJSON would cut the string at the first and refuse the document for the second. */
static const char *repaired(const char *text, size_t length)
{
    char *copy = ja_arena_copy(scratch, text, length);
    bool in_string = false, odd;
    for (size_t at = 0; at < length; at++) {
        if (in_string && copy[at] == '\\') {
            size_t n = pass_escape(copy, length, at, &odd);
            if (odd)
                memcpy(copy + at, "\\ufffd", 6);
            at += n - 1;
        } else if (copy[at] == '"') {
            in_string = !in_string;
        }
    }
    return copy;
}

cJSON *ja_json_parse(const char *text, size_t length, size_t *ret_used)
{
    struct prescan scan = scan_document(text, length);
    *ret_used = scan.end;
    if (scan.too_deep)
        return NULL;
    const char *source = scan.repair ? repaired(text, scan.end) : text;
    const char *end = source;
    cJSON *document = cJSON_ParseWithLengthOpts(source, scan.end, &end, false);
    *ret_used = end >= source && end <= source + scan.end ? (size_t)(end - source) : scan.end;
    return document;
}

const cJSON *ja_json_get(const cJSON *object, const char *key)
{
    return cJSON_IsObject(object) ? cJSON_GetObjectItemCaseSensitive(object, key) : NULL;
}

const char *ja_json_string(const cJSON *object, const char *key)
{
    return cJSON_GetStringValue(ja_json_get(object, key));
}

static void refuse(struct ja_evidence *evidence, const char *key, const char *path, int index0,
                   int index1, const char *what)
{
    const char *at = ja_arena_print(evidence->arena, "%s/%s", path, key);
    uint32_t place = ja_add_place_json(evidence, at, index0, index1, NULL);
    ja_diagnose(evidence, JA_ERROR, "bad-number", 0,
                ja_place_text(evidence, place, evidence->arena), "%s, value left out", what);
}

/* Why a number is no whole one within [least, most]; NULL: it is one. */
static const char *fault_of(double value, bool number, int64_t least, int64_t most)
{
    if (!number)
        return "not a number";
    if (!isfinite(value) || fabs(value) > LARGEST_WHOLE)
        return "number too large to be exact";
    if (value != floor(value))
        return "not a whole number";
    if ((int64_t)value < least || (int64_t)value > most)
        return "number out of range";
    return NULL;
}

bool ja_json_int(struct ja_evidence *evidence, const cJSON *object, const char *key,
                 const char *path, int index0, int index1, int64_t least, int64_t most,
                 int64_t *ret)
{
    const cJSON *item = ja_json_get(object, key);
    if (!item || cJSON_IsNull(item))
        return false;
    double value = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    const char *what = fault_of(value, cJSON_IsNumber(item), least, most);
    if (what) {
        refuse(evidence, key, path, index0, index1, what);
        return false;
    }
    *ret = (int64_t)value;
    return true;
}

bool ja_json_whole(struct ja_evidence *evidence, double value, bool number, const char *key,
                   int64_t least, int64_t most, int64_t *ret)
{
    const char *what = fault_of(value, number, least, most);
    if (what) {
        refuse(evidence, key, "", -1, -1, what);
        return false;
    }
    *ret = (int64_t)value;
    return true;
}

bool ja_json_double(const cJSON *object, const char *key, double *ret)
{
    const cJSON *item = ja_json_get(object, key);
    if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble))
        return false;
    *ret = item->valuedouble;
    return true;
}

bool ja_json_bool(const cJSON *object, const char *key, bool *ret)
{
    const cJSON *item = ja_json_get(object, key);
    if (!cJSON_IsBool(item))
        return false;
    *ret = cJSON_IsTrue(item);
    return true;
}

/* Equal in type, value and order of members. Depth is bounded by ja_json_parse. */
static bool same(const cJSON *a, const cJSON *b)
{
    if ((a->type & 0xFF) != (b->type & 0xFF))
        return false;
    if (cJSON_IsNumber(a))
        return a->valuedouble >= b->valuedouble && a->valuedouble <= b->valuedouble;
    if (cJSON_IsString(a))
        return strcmp(a->valuestring, b->valuestring) == 0;
    const cJSON *x = a->child, *y = b->child;
    for (; x && y; x = x->next, y = y->next)
        if ((x->string && y->string && strcmp(x->string, y->string) != 0) || !same(x, y))
            return false;
    return !x && !y;
}

struct member {
    const cJSON *item;
    size_t order;
};

static int compare_members(const void *left, const void *right)
{
    const struct member *a = left, *b = right;
    int by_key = strcmp(a->item->string, b->item->string);
    return by_key ? by_key : (a->order > b->order) - (a->order < b->order);
}

bool ja_json_conflict(const cJSON *object, const char **ret_key)
{
    size_t count = 0;
    const cJSON *item;
    if (!cJSON_IsObject(object))
        return false;
    cJSON_ArrayForEach(item, object) count++;
    struct member *members = ja_arena_alloc(scratch, count, sizeof *members);
    count = 0;
    cJSON_ArrayForEach(item, object)
    {
        members[count] = (struct member){.item = item, .order = count};
        count++;
    }
    if (count > 1)
        qsort(members, count, sizeof *members, compare_members);
    for (size_t i = 1; i < count; i++) {
        const cJSON *a = members[i - 1].item, *b = members[i].item;
        if (strcmp(a->string, b->string) == 0 && !same(a, b)) {
            *ret_key = a->string;
            return true;
        }
    }
    return false;
}

/* Open braces; when more than JA_JSON_DEPTH are open the oldest is forgotten, so `{{{{...` costs
 * no more than its length and inner objects are still found. */
struct braces {
    size_t start[JA_JSON_DEPTH];
    size_t pushed, open;
};

static void push(struct braces *braces, size_t at)
{
    braces->start[braces->pushed++ % JA_JSON_DEPTH] = at;
    if (braces->open < JA_JSON_DEPTH)
        braces->open++;
}

static bool pop(struct braces *braces, size_t *ret_start)
{
    if (braces->open == 0)
        return false;
    braces->open--;
    *ret_start = braces->start[--braces->pushed % JA_JSON_DEPTH];
    return true;
}

size_t ja_json_salvage(const char *text, size_t length, struct ja_arena *arena,
                       struct ja_salvage **ret, size_t max)
{
    struct braces braces = {.open = 0};
    struct ja_salvage *found = NULL;
    size_t count = 0, capacity = 0, start;
    bool in_string = false;
    for (size_t at = 0; at < length && count < max; at++) {
        char c = text[at];
        if (in_string && c == '\\') {
            at++;
        } else if (c == '"') {
            in_string = !in_string;
        } else if (c == '\n') {
            in_string = false; /* no JSON string holds a line end: an elided one ends here */
        } else if (!in_string && c == '{') {
            push(&braces, at);
        } else if (!in_string && c == '}' && pop(&braces, &start)) {
            *JA_APPEND(arena, found, count, capacity) = (struct ja_salvage){
                .text = text + start, .length = at + 1 - start, .offset = start};
        }
    }
    *ret = found;
    return count;
}
