/* SPDX-License-Identifier: MIT
 *
 * The members of a Jetsam report's row that say something of memory, picked out of the text in one
 * pass, or out of cJSON's tree where the row is out of the ordinary.
 */
#include "parsers/jetsam.h"

#include <string.h>

const char *const ja_jetsam_keys[JA_JETSAM_KEYS] = {
    [JA_JETSAM_NAME] = "name",
    [JA_JETSAM_PID] = "pid",
    [JA_JETSAM_UUID] = "uuid",
    [JA_JETSAM_RPAGES] = "rpages",
    [JA_JETSAM_LIFETIME_MAX] = "lifetimeMax",
    [JA_JETSAM_AGE] = "age",
    [JA_JETSAM_KILL_DELTA] = "killDelta",
    [JA_JETSAM_CPU] = "cpuTime",
    [JA_JETSAM_COALITION] = "coalition",
    [JA_JETSAM_REASON] = "reason",
    [JA_JETSAM_PHYSICAL] = "physicalPages",
    [JA_JETSAM_ROW_PURGEABLE] = "purgeable",
};

/* Kept apart from the loop that calls it once in a while: that needs the registers. */
#define OUT_OF_LINE __attribute__((noinline))

static bool is_empty(const struct ja_pull_value *value)
{
    return value->type == JA_PULL_ABSENT;
}

/* The key's place among the fields; JA_JETSAM_KEYS: none of them. */
static int field_of(const struct ja_pull_value *key)
{
    static const uint8_t lengths[JA_JETSAM_KEYS] = {4, 3, 4, 6, 11, 3, 9, 7, 9, 6, 13, 9};
    for (int k = 0; k < JA_JETSAM_KEYS; k++)
        if (lengths[k] == key->length && memcmp(key->text, ja_jetsam_keys[k], lengths[k]) == 0)
            return key->escaped ? JA_JETSAM_KEYS : k;
    return JA_JETSAM_KEYS;
}

/* Where the two numbers of internal begin and end. */
struct marks {
    const char *begin[2], *end[2];
};

/* internal = [resident, compressed] */
static bool pull_internal(struct ja_pull *pull, struct ja_jetsam_fields *fields,
                          struct marks *marks)
{
    struct ja_pull_value other;
    fields->values[JA_JETSAM_INTERNAL].type = JA_PULL_ARRAY;
    if (!ja_pull_enter(pull, '['))
        return false;
    for (size_t i = 0; ja_pull_item(pull); i++) {
        const char *begin = pull->at;
        if (!ja_pull_value(pull, i < 2 ? &fields->values[JA_JETSAM_RESIDENT + i] : &other))
            return false;
        if (i < 2) {
            marks->begin[i] = begin;
            marks->end[i] = pull->at;
        }
    }
    return !pull->declined;
}

static struct ja_slice between(const char *from, const char *to)
{
    return (struct ja_slice){from, (size_t)(to - from)};
}

/* physicalPages; of a key that stands twice in it the first counts. */
static bool pull_physical(struct ja_pull *pull, struct ja_jetsam_shape *shape,
                          struct ja_jetsam_fields *fields, bool *ret_odd)
{
    struct ja_pull_value key, *internal = &fields->values[JA_JETSAM_INTERNAL], other;
    struct marks marks = {.begin = {NULL}};
    const char *start = pull->at;
    if (!ja_pull_enter(pull, '{'))
        return false;
    while (ja_pull_key(pull, &key)) {
        bool wanted = is_empty(internal) && ja_pull_is(&key, "internal");
        *ret_odd |= key.escaped;
        if (wanted && ja_pull_peek(pull) == '[' ? !pull_internal(pull, fields, &marks)
                                                : !ja_pull_value(pull, wanted ? internal : &other))
            return false;
    }
    if (marks.begin[1] && !*ret_odd && !pull->declined) {
        shape->parts[0] = between(start, marks.begin[0]);
        shape->parts[1] = between(marks.end[0], marks.begin[1]);
        shape->parts[2] = between(marks.end[1], pull->at);
    }
    return !pull->declined;
}

static bool pull_number(struct ja_pull *pull, struct ja_pull_value *ret)
{
    return ja_pull_short(pull, ret) || (ja_pull_value(pull, ret) && ret->type == JA_PULL_NUMBER);
}

/* physicalPages printed as in a row before: two numbers. False, and the cursor stays, if not. */
static bool pull_same_physical(struct ja_pull *pull, const struct ja_jetsam_shape *shape,
                               struct ja_jetsam_fields *fields)
{
    const struct ja_slice *parts = shape->parts;
    struct ja_pull ahead = *pull;
    struct ja_pull_value resident, compressed;
    if (!parts[0].text || !ja_pull_same(&ahead, parts[0].text, parts[0].length) ||
        !pull_number(&ahead, &resident) || !ja_pull_same(&ahead, parts[1].text, parts[1].length) ||
        !pull_number(&ahead, &compressed) || !ja_pull_same(&ahead, parts[2].text, parts[2].length))
        return false;
    fields->values[JA_JETSAM_INTERNAL].type = JA_PULL_ARRAY;
    fields->values[JA_JETSAM_RESIDENT] = resident;
    fields->values[JA_JETSAM_ROW_COMPRESSED] = compressed;
    *pull = ahead;
    return true;
}

/* The gap of this text, seen before or new. When there are too many the last place serves all
 * others and is never linked. */
static struct ja_jetsam_gap *learn_gap(struct ja_jetsam_shape *shape, struct ja_jetsam_gap *last,
                                       const struct ja_slice *text, const struct ja_pull_value *key)
{
    size_t i = 1;
    while (i <= shape->count && (shape->gaps[i].length != text->length ||
                                 memcmp(shape->gaps[i].text, text->text, text->length) != 0))
        i++;
    bool full = i == JA_JETSAM_GAPS - 1;
    struct ja_jetsam_gap *gap = &shape->gaps[i];
    if (i > shape->count) {
        size_t same = key->escaped ? JA_WORDS_NEVER : text->length;
        *gap = (struct ja_jetsam_gap){.words = ja_words_of(text->text, same),
                                      .text = text->text,
                                      .length = (uint32_t)text->length,
                                      .field = (uint8_t)field_of(key),
                                      .escaped = key->escaped};
        shape->count += !full;
    }
    if (!full) {
        last->next[1] = last->next[0];
        last->next[0] = gap;
    }
    return gap;
}

/* Moves to the next value of the row; *gap: the one before it. False at the end and when declined.
 */
static OUT_OF_LINE bool next_value(struct ja_pull *pull, struct ja_jetsam_shape *shape,
                                   struct ja_jetsam_gap **gap, bool *ret_odd)
{
    if (shape->tail.text && ja_pull_same(pull, shape->tail.text, shape->tail.length)) {
        pull->depth--;
        return false;
    }
    for (size_t i = 0; i < 2; i++) {
        struct ja_jetsam_gap *guess = (*gap)->next[i];
        if (guess && ja_pull_same(pull, guess->text, guess->length)) {
            *gap = guess;
            *ret_odd |= guess->escaped;
            return true;
        }
    }
    struct ja_pull_value key;
    const char *start = pull->at;
    bool empty = pull->first;
    if (!ja_pull_key(pull, &key)) {
        if (!pull->declined && !empty)
            shape->tail = between(start, pull->at);
        return false;
    }
    *ret_odd |= key.escaped;
    struct ja_slice text = between(start, pull->at);
    *gap = learn_gap(shape, *gap, &text, &key);
    return true;
}

/* Rows have few different states and reasons: they are compared with those seen before. */
static bool skip_value(struct ja_pull *pull, struct ja_jetsam_gap *gap)
{
    struct ja_pull_value value;
    const char *start = pull->at;
    for (size_t i = 0; i < JA_JETSAM_SKIPPED && i < gap->skipped_count; i++)
        if (ja_pull_same(pull, gap->skipped[i].text, gap->skipped[i].length))
            return true;
    if (!ja_pull_value(pull, &value))
        return false;
    if (value.type == JA_PULL_STRING || value.type == JA_PULL_ARRAY || value.type == JA_PULL_OBJECT)
        gap->skipped[gap->skipped_count++ % JA_JETSAM_SKIPPED] = between(start, pull->at);
    return true;
}

static bool pull_field(struct ja_pull *pull, struct ja_jetsam_shape *shape, int k,
                       struct ja_jetsam_fields *fields, bool *ret_odd)
{
    struct ja_pull_value *value = &fields->values[k];
    *ret_odd |= !is_empty(value);
    if (k == JA_JETSAM_PHYSICAL && ja_pull_peek(pull) == '{' && is_empty(value)) {
        value->type = JA_PULL_OBJECT;
        return pull_same_physical(pull, shape, fields) ||
               pull_physical(pull, shape, fields, ret_odd);
    }
    if (!ja_pull_value(pull, value))
        return false;
    *ret_odd |= value->type == JA_PULL_STRING && value->escaped;
    return true;
}

/* The value behind the gap, where it is no short number. */
static OUT_OF_LINE bool read_value(struct ja_pull *pull, struct ja_jetsam_shape *shape,
                                   struct ja_jetsam_gap *gap, struct ja_jetsam_fields *fields,
                                   bool *ret_odd)
{
    return gap->field < JA_JETSAM_KEYS ? pull_field(pull, shape, gap->field, fields, ret_odd)
                                       : skip_value(pull, gap);
}

/* Reads on from inside a row. Nearly all of it is gaps that are known, with short numbers behind
 * them: these are passed here, and anything else at its place. */
static bool pull_members(struct ja_pull *pull, struct ja_jetsam_shape *shape,
                         struct ja_jetsam_fields *fields, bool *ret_odd)
{
    struct ja_jetsam_gap *gap = &shape->gaps[0];
    for (const char *at = pull->at, *behind;;) {
        bool room = (size_t)(pull->end - at) > JA_WORDS_BYTES + JA_DIGITS_ROOM;
        uint64_t number = 0;
        struct ja_jetsam_gap *guess = gap->next[0];
        if (guess && room && ja_words_same(&guess->words, at)) {
            at += guess->length;
            gap = guess;
            pull->first = false;
        } else {
            pull->at = at;
            if (!next_value(pull, shape, &gap, ret_odd))
                return !pull->declined;
            at = pull->at;
            room = false;
        }
        behind = room ? ja_digits_pass(at, &number) : NULL;
        if (!behind) {
            pull->at = at;
            if (!read_value(pull, shape, gap, fields, ret_odd))
                return false;
            behind = pull->at;
        } else if (gap->field < JA_JETSAM_KEYS) {
            *ret_odd |= !is_empty(&fields->values[gap->field]);
            ja_pull_set_number(&fields->values[gap->field], (double)(int64_t)number);
        }
        at = behind;
    }
}

bool ja_jetsam_fields_pull(struct ja_pull *pull, struct ja_jetsam_shape *shape,
                           struct ja_jetsam_fields *fields)
{
    struct ja_pull_value other;
    bool odd = false;
    fields->object = ja_pull_peek(pull) == '{';
    if (!fields->object)
        return ja_pull_value(pull, &other);
    return ja_pull_enter(pull, '{') && pull_members(pull, shape, fields, &odd) && !odd;
}

void ja_jetsam_fields_json(const cJSON *row, struct ja_jetsam_fields *fields)
{
    const cJSON *items[JA_JETSAM_KEYS] = {NULL}, *item;
    *fields = (struct ja_jetsam_fields){.object = cJSON_IsObject(row)};
    if (!fields->object)
        return;
    cJSON_ArrayForEach(item, row)
    {
        for (int k = 0; k < JA_JETSAM_KEYS; k++) {
            if (!item->string || strcmp(item->string, ja_jetsam_keys[k]) != 0)
                continue;
            if (!items[k])
                items[k] = item;
            else if (!cJSON_Compare(items[k], item, true))
                fields->conflicts |= UINT32_C(1) << k;
        }
    }
    for (int k = 0; k < JA_JETSAM_KEYS; k++)
        if (!(fields->conflicts >> k & 1))
            fields->values[k] = ja_pull_of_tree(items[k]);
    if (is_empty(&fields->values[JA_JETSAM_PHYSICAL]))
        return;
    const cJSON *internal = ja_json_get(items[JA_JETSAM_PHYSICAL], "internal");
    const cJSON *resident = cJSON_IsArray(internal) ? internal->child : NULL;
    fields->values[JA_JETSAM_INTERNAL] = ja_pull_of_tree(internal);
    fields->values[JA_JETSAM_RESIDENT] = ja_pull_of_tree(resident);
    fields->values[JA_JETSAM_ROW_COMPRESSED] = ja_pull_of_tree(resident ? resident->next : NULL);
}
