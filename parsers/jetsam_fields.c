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

/* The gap of this text, seen before or new; key NULL: it ends the row. When there are too many the
 * last place serves all others and is never linked. */
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
        bool escaped = key && key->escaped;
        size_t same = escaped ? JA_WORDS_NEVER : text->length;
        *gap = (struct ja_jetsam_gap){.words = ja_words_of(text->text, same),
                                      .text = text->text,
                                      .length = (uint32_t)text->length,
                                      .field = key ? (uint8_t)field_of(key) : JA_JETSAM_ROW_END,
                                      .escaped = escaped};
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
static bool next_value(struct ja_pull *pull, struct ja_jetsam_shape *shape,
                       struct ja_jetsam_gap **gap, bool *ret_odd)
{
    for (size_t i = 0; i < 2; i++) {
        struct ja_jetsam_gap *guess = (*gap)->next[i];
        if (!guess || !ja_pull_same(pull, guess->text, guess->length))
            continue;
        *gap = guess;
        *ret_odd |= guess->escaped;
        pull->depth -= guess->field == JA_JETSAM_ROW_END;
        return guess->field != JA_JETSAM_ROW_END;
    }
    struct ja_pull_value key = {.type = JA_PULL_ABSENT};
    const char *start = pull->at;
    bool more = ja_pull_key(pull, &key);
    if (pull->declined)
        return false;
    *ret_odd |= key.escaped;
    struct ja_slice text = between(start, pull->at);
    *gap = learn_gap(shape, *gap, &text, more ? &key : NULL);
    return more;
}

/* A value of no field. */
static bool skip_value(struct ja_pull *pull, struct ja_jetsam_gap *gap)
{
    struct ja_pull_value value;
    const char *start = pull->at, *behind = ja_jetsam_pass_skipped(start, pull->end, gap);
    if (behind) {
        pull->at = behind;
        return true;
    }
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
        return pull_physical(pull, shape, fields, ret_odd);
    }
    if (!ja_pull_value(pull, value))
        return false;
    *ret_odd |= value->type == JA_PULL_STRING && value->escaped;
    if (value->type == JA_PULL_STRING && !value->escaped)
        ja_jetsam_keep_text(pull, shape, value);
    return true;
}

static bool pull_members(struct ja_pull *pull, struct ja_jetsam_shape *shape,
                         struct ja_jetsam_fields *fields, bool *ret_odd)
{
    struct ja_jetsam_gap *gap = &shape->gaps[0];
    for (bool good = true; good;) {
        const char *at = ja_jetsam_pass_known(pull->at, pull->end, shape, &gap, fields);
        pull->first = pull->first && at == pull->at;
        pull->at = at;
        if (gap->field == JA_JETSAM_ROW_END) {
            pull->depth--;
            return true;
        }
        if (!next_value(pull, shape, &gap, ret_odd))
            return !pull->declined;
        good = gap->field < JA_JETSAM_KEYS ? pull_field(pull, shape, gap->field, fields, ret_odd)
                                           : skip_value(pull, gap);
    }
    return false;
}

bool ja_jetsam_fields_pull(struct ja_pull *pull, struct ja_jetsam_shape *shape,
                           struct ja_jetsam_fields *fields)
{
    struct ja_pull_value other;
    bool odd = false;
    for (size_t k = 0; k < JA_JETSAM_FIELDS; k++)
        fields->values[k].type = JA_PULL_ABSENT;
    fields->conflicts = 0;
    fields->object = ja_pull_peek(pull) == '{';
    fields->kept = true;
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
