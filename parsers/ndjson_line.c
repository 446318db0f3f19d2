/* SPDX-License-Identifier: MIT */
#include "parsers/ndjson_line.h"

#include <math.h>

void ja_ndjson_line_init(struct ja_ndjson_line *line, struct ja_arena *memory)
{
    *line = (struct ja_ndjson_line){.memory = memory, .own = ja_arena_new()};
}

void ja_ndjson_line_done(struct ja_ndjson_line *line)
{
    ja_arena_free(line->own);
    line->own = NULL;
}

/* ---- look-ups -------------------------------------------------------------------------------- */

static bool is_key(const struct ja_ndjson_member *member, const char *key, size_t length)
{
    return member->key_length == length && memcmp(member->key, key, length) == 0;
}

const struct ja_ndjson_member *ja_ndjson_find(const struct ja_ndjson_line *line, const char *key,
                                              size_t length, size_t slot)
{
    for (; line->slots[slot]; slot = (slot + 1) % JA_NDJSON_SLOTS)
        if (is_key(&line->members[line->slots[slot] - 1], key, length))
            return &line->members[line->slots[slot] - 1];
    for (size_t i = JA_NDJSON_SLOTTED; i < line->count; i++)
        if (is_key(&line->members[i], key, length))
            return &line->members[i];
    return NULL;
}

const char *ja_ndjson_copy(struct ja_ndjson_line *line, const char *key, struct ja_arena *arena)
{
    const struct ja_pull_value *text = ja_ndjson_text(line, key);
    return text ? ja_arena_copy(arena, text->text, text->length) : NULL;
}

const char *ja_ndjson_string(struct ja_ndjson_line *line, const char *key)
{
    return ja_ndjson_copy(line, key, line->own);
}

const cJSON *ja_ndjson_tree(struct ja_ndjson_line *line, const char *key)
{
    const struct ja_ndjson_member *member = ja_ndjson_get(line, key);
    size_t used;
    if (!member || (member->value.type != JA_PULL_OBJECT && member->value.type != JA_PULL_ARRAY))
        return NULL;
    return member->tree ? member->tree
                        : ja_json_parse(member->value.text, member->value.length, &used);
}

bool ja_ndjson_int(struct ja_ndjson_line *line, const char *key, struct ja_evidence *evidence,
                   int64_t least, int64_t most, int64_t *ret)
{
    const struct ja_ndjson_member *member = ja_ndjson_get(line, key);
    if (!member || member->value.type == JA_PULL_NULL)
        return false;
    bool number = member->value.type == JA_PULL_NUMBER;
    return ja_json_whole(evidence, number ? member->value.number : NAN, number, key, least, most,
                         ret);
}

bool ja_ndjson_double(struct ja_ndjson_line *line, const char *key, double *ret)
{
    const struct ja_ndjson_member *member = ja_ndjson_get(line, key);
    if (!member || member->value.type != JA_PULL_NUMBER || !isfinite(member->value.number))
        return false;
    *ret = member->value.number;
    return true;
}

bool ja_ndjson_true(struct ja_ndjson_line *line, const char *key)
{
    const struct ja_ndjson_member *member = ja_ndjson_get(line, key);
    return member && member->value.type == JA_PULL_BOOL && member->value.text[0] == 't';
}

/* ---- taking a line apart --------------------------------------------------------------------- */

/* NULL for a key that was there before. */
static struct ja_ndjson_member *add(struct ja_ndjson_line *line, const char *key, size_t length)
{
    size_t slot = ja_ndjson_slot(key, length);
    if (ja_ndjson_find(line, key, length, slot))
        return NULL;
    struct ja_ndjson_member *member =
        JA_APPEND(line->memory, line->members, line->count, line->capacity);
    member->key = key;
    member->key_length = length;
    while (line->slots[slot])
        slot = (slot + 1) % JA_NDJSON_SLOTS;
    if (line->count <= JA_NDJSON_SLOTTED)
        line->slots[slot] = (uint8_t)line->count;
    return member;
}

static void clear(struct ja_ndjson_line *line)
{
    line->count = 0;
    memset(line->slots, 0, sizeof line->slots);
    line->text = NULL;
}

void ja_ndjson_line_forget(struct ja_ndjson_line *line)
{
    line->text = NULL;
}

/* False when cJSON must read it. */
static bool pull_members(struct ja_ndjson_line *line, const char *text, size_t length)
{
    struct ja_pull pull = ja_pull_of(text, length);
    struct ja_pull_value key, value;
    if (!ja_pull_enter(&pull, '{'))
        return false;
    while (ja_pull_key(&pull, &key)) {
        const char *from = pull.at;
        if (key.escaped || !ja_pull_value(&pull, &value) ||
            (value.type == JA_PULL_STRING && value.escaped))
            return false;
        struct ja_ndjson_member *member = add(line, key.text, key.length);
        if (!member)
            continue;
        member->value = value;
        member->from = from;
        member->to = pull.at;
    }
    if (pull.declined || pull.at != text + length)
        return false;
    line->text = text;
    line->end = text + length;
    return true;
}

/* ---- a line like the one before -------------------------------------------------------------- */

/* A cursor in the new line, and where the line before stood then. */
struct likeness {
    const char *at, *end;
    const char *before;
};

/* What stands between two values, the next key with its colon: the same again? */
static bool same_gap(struct likeness *l, const char *gap_end)
{
    size_t length = (size_t)(gap_end - l->before);
    if ((size_t)(l->end - l->at) < length || memcmp(l->at, l->before, length) != 0)
        return false;
    l->at += length;
    return true;
}

/* The value is printed as before, and so is what ends it. */
static bool same_value(const struct likeness *l, const struct ja_ndjson_member *member)
{
    size_t length = (size_t)(member->to - member->from);
    return (size_t)(l->end - l->at) > length && memcmp(l->at, member->from, length + 1) == 0;
}

/* Takes the member's new value: the old one, or another string, number or word. */
static bool take_value(struct likeness *l, struct ja_ndjson_member *member)
{
    const char *from = l->at;
    if (same_value(l, member)) {
        l->at += member->to - member->from;
        if (member->value.type != JA_PULL_NUMBER)
            member->value.text += from - member->from;
    } else {
        struct ja_pull pull = ja_pull_of(from, (size_t)(l->end - from));
        if (*from == '{' || *from == '[' || !ja_pull_value(&pull, &member->value) ||
            (member->value.type == JA_PULL_STRING && member->value.escaped))
            return false;
        l->at = pull.at;
    }
    member->key += from - member->from;
    member->from = from;
    member->to = l->at;
    return true;
}

/* False when the line is not like the one before: then the list is in disorder. */
static bool follow_line(struct ja_ndjson_line *line, const char *text, size_t length)
{
    struct likeness l = {text, text + length, line->text};
    for (size_t i = 0; i < line->count; i++) {
        struct ja_ndjson_member *member = &line->members[i];
        const char *after = member->to;
        if (!same_gap(&l, member->from) || l.at == l.end || !take_value(&l, member))
            return false;
        l.before = after;
    }
    if (!same_gap(&l, line->end) || l.at != l.end)
        return false;
    line->text = text;
    line->end = l.end;
    return true;
}

/* ---- any line -------------------------------------------------------------------------------- */

bool ja_ndjson_line_read(struct ja_ndjson_line *line, const char *text, size_t length)
{
    size_t used;
    const cJSON *item;
    ja_arena_reset(line->own);
    if (line->text && line->count && follow_line(line, text, length))
        return true;
    clear(line);
    if (pull_members(line, text, length))
        return true;
    clear(line);
    const cJSON *tree = ja_json_parse(text, length, &used);
    if (!tree || !cJSON_IsObject(tree) || used != length)
        return false;
    cJSON_ArrayForEach(item, tree)
    {
        struct ja_ndjson_member *member = add(line, item->string, strlen(item->string));
        if (!member)
            continue;
        member->value = ja_pull_of_tree(item);
        member->tree = item;
    }
    return true;
}
