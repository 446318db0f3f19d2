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

/* internal = [resident, compressed] */
static bool pull_internal(struct ja_pull *pull, struct ja_jetsam_fields *fields)
{
    struct ja_pull_value item;
    fields->values[JA_JETSAM_INTERNAL].type = JA_PULL_ARRAY;
    if (!ja_pull_enter(pull, '['))
        return false;
    for (int i = JA_JETSAM_RESIDENT; ja_pull_item(pull); i++)
        if (!ja_pull_value(pull, i < JA_JETSAM_FIELDS ? &fields->values[i] : &item))
            return false;
    return !pull->declined;
}

/* physicalPages; of a key that stands twice in it the first counts. */
static bool pull_physical(struct ja_pull *pull, struct ja_jetsam_fields *fields, bool *ret_odd)
{
    struct ja_pull_value key, *internal = &fields->values[JA_JETSAM_INTERNAL], other;
    fields->values[JA_JETSAM_PHYSICAL].type = JA_PULL_OBJECT;
    if (!ja_pull_enter(pull, '{'))
        return false;
    while (ja_pull_key(pull, &key)) {
        bool wanted = is_empty(internal) && ja_pull_is(&key, "internal");
        *ret_odd |= key.escaped;
        if (wanted && ja_pull_peek(pull) == '[' ? !pull_internal(pull, fields)
                                                : !ja_pull_value(pull, wanted ? internal : &other))
            return false;
    }
    return !pull->declined;
}

bool ja_jetsam_fields_pull(struct ja_pull *pull, struct ja_jetsam_fields *fields)
{
    struct ja_pull_value key, other;
    bool odd = false;
    fields->object = ja_pull_peek(pull) == '{';
    if (!fields->object)
        return ja_pull_value(pull, &other);
    if (!ja_pull_enter(pull, '{'))
        return false;
    while (ja_pull_key(pull, &key)) {
        int k = field_of(&key);
        bool wanted = k < JA_JETSAM_KEYS;
        struct ja_pull_value *value = wanted ? &fields->values[k] : &other;
        odd |= key.escaped || (wanted && !is_empty(value));
        if (k == JA_JETSAM_PHYSICAL && ja_pull_peek(pull) == '{' && !odd) {
            if (!pull_physical(pull, fields, &odd))
                return false;
            continue;
        }
        if (!ja_pull_value(pull, value))
            return false;
        odd |= wanted && value->type == JA_PULL_STRING && value->escaped;
    }
    return !pull->declined && !odd;
}

static struct ja_pull_value value_of(const cJSON *item)
{
    struct ja_pull_value value = {.type = JA_PULL_ABSENT};
    if (cJSON_IsNumber(item)) {
        value.type = JA_PULL_NUMBER;
        value.number = item->valuedouble;
    } else if (cJSON_IsString(item)) {
        value.type = JA_PULL_STRING;
        value.text = item->valuestring;
        value.length = (uint32_t)strlen(item->valuestring);
    } else if (item) {
        value.type = cJSON_IsNull(item)     ? JA_PULL_NULL
                     : cJSON_IsArray(item)  ? JA_PULL_ARRAY
                     : cJSON_IsObject(item) ? JA_PULL_OBJECT
                                            : JA_PULL_BOOL;
    }
    return value;
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
            fields->values[k] = value_of(items[k]);
    if (is_empty(&fields->values[JA_JETSAM_PHYSICAL]))
        return;
    const cJSON *internal = ja_json_get(items[JA_JETSAM_PHYSICAL], "internal");
    const cJSON *resident = cJSON_IsArray(internal) ? internal->child : NULL;
    fields->values[JA_JETSAM_INTERNAL] = value_of(internal);
    fields->values[JA_JETSAM_RESIDENT] = value_of(resident);
    fields->values[JA_JETSAM_ROW_COMPRESSED] = value_of(resident ? resident->next : NULL);
}
