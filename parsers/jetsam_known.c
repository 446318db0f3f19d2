/* SPDX-License-Identifier: MIT
 *
 * Rows of a Jetsam report that are printed as those before them, and nearly all are: the same gaps
 * between values, numbers that differ, texts that come again. Known text is compared, not read.
 */
#include "parsers/jetsam.h"

/* Of a gap and a value that are read without a look at the end. */
#define ROOM ((ptrdiff_t)(JA_WORDS_BYTES + JA_DIGITS_ROOM))

#define TEXT_HASH UINT64_C(0x9E3779B97F4A7C15)

/* Where a text of these first characters is kept. JA_DIGITS characters may be read. */
static struct ja_jetsam_text *text_place(struct ja_jetsam_shape *shape, const char *printed)
{
    uint64_t hash = ja_digits_load(printed) * TEXT_HASH;
    return &shape->seen[hash >> (64 - JA_JETSAM_TEXT_BITS)];
}

static void set_text(struct ja_pull_value *value, const struct ja_jetsam_text *text)
{
    *value =
        (struct ja_pull_value){.text = text->kept, .length = text->length, .type = JA_PULL_STRING};
}

void ja_jetsam_keep_text(const struct ja_pull *pull, struct ja_jetsam_shape *shape,
                         struct ja_pull_value *value)
{
    struct ja_jetsam_text text = {.printed = value->text,
                                  .kept = ja_texts_keep(shape->texts, value->text, value->length),
                                  .length = value->length};
    if ((size_t)(pull->end - value->text) > JA_DIGITS_ROOM)
        *text_place(shape, text.printed) = text;
    set_text(value, &text);
}

/* Behind a text that was there before, with its last quote. */
static const char *pass_text(const char *at, const char *end, struct ja_jetsam_shape *shape,
                             struct ja_pull_value *value)
{
    const struct ja_jetsam_text *text = text_place(shape, at);
    size_t length = text->length + 1;
    if (!text->printed || (size_t)(end - at) <= length || !ja_text_same(at, text->printed, length))
        return NULL;
    set_text(value, text);
    return at + length;
}

const char *ja_jetsam_pass_skipped(const char *at, const char *end, const struct ja_jetsam_gap *gap)
{
    for (size_t i = 0; i < JA_JETSAM_SKIPPED && i < gap->skipped_count; i++) {
        const struct ja_slice *seen = &gap->skipped[i];
        if ((size_t)(end - at) > seen->length && ja_text_same(at, seen->text, seen->length))
            return at + seen->length;
    }
    return NULL;
}

/* Behind this text, with room for a number; NULL where it does not stand. */
static const char *pass_same(const char *at, const char *end, const struct ja_slice *seen)
{
    return at && (size_t)(end - at) > seen->length + JA_DIGITS_ROOM &&
                   ja_text_same(at, seen->text, seen->length)
               ? at + seen->length
               : NULL;
}

static const char *pass_number(const char *at, struct ja_pull_value *value)
{
    uint64_t number = 0;
    const char *behind = at ? ja_digits_pass(at, &number) : NULL;
    ja_pull_set_number(value, (double)(int64_t)number);
    return behind;
}

/* Behind a physicalPages that is printed as one before: two numbers. */
static const char *pass_physical(const char *at, const char *end,
                                 const struct ja_jetsam_shape *shape,
                                 struct ja_jetsam_fields *fields)
{
    const struct ja_slice *parts = shape->parts;
    struct ja_pull_value resident, compressed;
    at = parts[0].text ? pass_number(pass_same(at, end, &parts[0]), &resident) : NULL;
    at = pass_number(pass_same(at, end, &parts[1]), &compressed);
    at = pass_same(at, end, &parts[2]);
    if (!at)
        return NULL;
    fields->values[JA_JETSAM_PHYSICAL].type = JA_PULL_OBJECT;
    fields->values[JA_JETSAM_INTERNAL].type = JA_PULL_ARRAY;
    fields->values[JA_JETSAM_RESIDENT] = resident;
    fields->values[JA_JETSAM_ROW_COMPRESSED] = compressed;
    return at;
}

/* Behind the value of a gap; NULL where it has to be looked at. */
static const char *pass_value(const char *at, const char *end, struct ja_jetsam_shape *shape,
                              const struct ja_jetsam_gap *gap, struct ja_jetsam_fields *fields)
{
    uint64_t whole;
    double number;
    if (gap->field == JA_JETSAM_ROW_END)
        return at;
    if (gap->field == JA_JETSAM_KEYS) {
        const char *behind = ja_digits_skip(at);
        return behind ? behind : ja_jetsam_pass_skipped(at, end, gap);
    }
    struct ja_pull_value *value = &fields->values[gap->field];
    if (value->type != JA_PULL_ABSENT)
        return NULL;
    const char *behind = ja_digits_pass(at, &whole);
    if (behind) {
        ja_pull_set_number(value, (double)(int64_t)whole);
        return behind;
    }
    if (*at == '"')
        return pass_text(at + 1, end, shape, value);
    if (gap->field == JA_JETSAM_PHYSICAL)
        return pass_physical(at, end, shape, fields);
    behind = ja_pull_pass_number(at, end, &number);
    if (behind)
        ja_pull_set_number(value, number);
    return behind;
}

const char *ja_jetsam_pass_known(const char *at, const char *end, struct ja_jetsam_shape *shape,
                                 struct ja_jetsam_gap **gap, struct ja_jetsam_fields *fields)
{
    const char *last = end - at > ROOM ? end - ROOM : at;
    while (at < last) {
        struct ja_jetsam_gap *next = (*gap)->next[0];
        if (!next || !ja_words_same(&next->words, at)) {
            next = (*gap)->next[1];
            if (!next || !ja_words_same(&next->words, at))
                return at;
        }
        const char *behind = pass_value(at + next->length, end, shape, next, fields);
        if (!behind)
            return at;
        *gap = next;
        at = behind;
    }
    return at;
}
