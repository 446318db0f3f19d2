/* SPDX-License-Identifier: MIT
 *
 * Cites: places in the evidence that findings, events and states stand on. Equal places share one
 * cite; numbers are given in print order when all rules have run.
 */
#include "model/case.h"
#include "model/rows.h"

#include <string.h>

/* What kind of thing a cite's key stands for. */
enum { CITE_READING = 1, CITE_PLACE, CITE_FACT, CITE_EVENT, CITE_FIGURE };

static uint64_t make_key(uint64_t kind, uint64_t source, uint64_t index)
{
    return kind << 60 | (source & 0xfffffff) << 32 | (index & 0xffffffff);
}

static size_t slot_of(const struct ja_case *item, uint64_t key)
{
    uint64_t h = key * UINT64_C(0x9e3779b97f4a7c15);
    size_t at = (size_t)(h >> 32) & (item->cite_index_size - 1);
    while (item->cite_index[at] && item->cites[item->cite_index[at] - 1].key != key)
        at = (at + 1) & (item->cite_index_size - 1);
    return at;
}

static void make_room(struct ja_case *item)
{
    if ((item->cite_count + 1) * 2 <= item->cite_index_size)
        return;
    ja_arena_drop(item->arena, item->cite_index, item->cite_index_size, sizeof *item->cite_index);
    item->cite_index_size = item->cite_index_size ? item->cite_index_size * 2 : 256;
    item->cite_index = ja_arena_alloc(item->arena, item->cite_index_size, sizeof *item->cite_index);
    for (size_t i = 0; i < item->cite_count; i++)
        item->cite_index[slot_of(item, item->cites[i].key)] = (uint32_t)i + 1;
}

/* Finds or makes the cite of a key; *ret_new tells which. */
static struct ja_cite *cite_of(struct ja_case *item, uint64_t key, bool *ret_new)
{
    make_room(item);
    size_t at = slot_of(item, key);
    *ret_new = item->cite_index[at] == 0;
    if (!*ret_new)
        return &item->cites[item->cite_index[at] - 1];
    struct ja_cite *cite =
        JA_APPEND(item->arena, item->cites, item->cite_count, item->cite_capacity);
    cite->key = key;
    cite->resolution_bytes = JA_UNKNOWN;
    item->cite_index[at] = (uint32_t)item->cite_count;
    return cite;
}

static uint32_t index_of(const struct ja_case *item, const struct ja_cite *cite)
{
    return (uint32_t)(cite - item->cites);
}

uint32_t ja_cite_take(struct ja_case *item, const struct ja_cite *cite)
{
    bool is_new;
    struct ja_cite *own = cite_of(item, cite->key, &is_new);
    if (is_new)
        *own = *cite;
    return index_of(item, own);
}

static const char *raw_of(struct ja_case *item, const struct ja_reading *reading)
{
    if (reading->printed)
        return reading->printed;
    int64_t unit = reading->unit == JA_UNIT_PAGES && reading->resolution > 0 ? reading->resolution
                   : reading->unit == JA_UNIT_KIB                            ? JA_KIB
                   : reading->unit == JA_UNIT_MIB                            ? JA_MIB
                   : reading->unit == JA_UNIT_GIB                            ? JA_GIB
                                                                             : 1;
    return ja_arena_print(item->kept, "%lld", (long long)(reading->value / unit));
}

uint32_t ja_cite_reading(struct ja_case *item, uint32_t source, uint32_t reading)
{
    bool is_new;
    struct ja_cite *cite = cite_of(item, make_key(CITE_READING, source, reading), &is_new);
    if (!is_new)
        return index_of(item, cite);
    struct ja_reading r = ja_reading_at(item->sources[source].evidence, reading);
    cite->source = source;
    cite->place = r.place;
    cite->unit = (enum ja_unit)r.unit;
    cite->resolution_bytes = r.resolution;
    cite->raw = raw_of(item, &r);
    return index_of(item, cite);
}

uint32_t ja_cite_place(struct ja_case *item, uint32_t source, uint32_t place, const char *raw,
                       enum ja_unit unit)
{
    bool is_new;
    struct ja_cite *cite = cite_of(item, make_key(CITE_PLACE, source, place), &is_new);
    if (is_new) {
        cite->source = source;
        cite->place = place;
        cite->unit = unit;
        cite->raw = raw ? raw : "";
    }
    return index_of(item, cite);
}

uint32_t ja_cite_fact(struct ja_case *item, uint32_t source, const struct ja_fact *fact)
{
    const struct ja_evidence *evidence = item->sources[source].evidence;
    bool is_new;
    uint64_t index = (uint64_t)(fact - evidence->facts);
    struct ja_cite *cite = cite_of(item, make_key(CITE_FACT, source, index), &is_new);
    if (is_new) {
        cite->source = source;
        cite->place = fact->place;
        cite->unit = fact->text ? JA_UNIT_TEXT : JA_UNIT_NUMBER;
        cite->raw =
            fact->text ? fact->text : ja_arena_print(item->kept, "%lld", (long long)fact->value);
    }
    return index_of(item, cite);
}

uint32_t ja_cite_event(struct ja_case *item, uint32_t event)
{
    const struct ja_event *e = &item->events[event];
    if (e->seen == JA_NONE)
        return JA_NONE;
    const struct ja_event_seen *seen = &item->sources[e->source].evidence->events[e->seen];
    bool is_new;
    struct ja_cite *cite = cite_of(item, make_key(CITE_EVENT, e->source, e->seen), &is_new);
    if (is_new) {
        cite->source = e->source;
        cite->place = seen->place;
        cite->unit = JA_UNIT_TEXT;
        cite->raw = seen->reason   ? seen->reason
                    : seen->detail ? seen->detail
                                   : ja_event_word(seen->kind);
    }
    return index_of(item, cite);
}

uint32_t ja_cite_figure(struct ja_case *item, uint32_t state, enum ja_figure figure)
{
    const struct ja_state *s = &item->states[state];
    const struct ja_record *record = &item->sources[s->source].evidence->records[s->record];
    if (!record->figures || record->figures[figure] == JA_UNKNOWN)
        return JA_NONE;
    bool is_new;
    uint64_t index = (uint64_t)s->record * JA_FIGURE_COUNT + (uint64_t)figure;
    struct ja_cite *cite = cite_of(item, make_key(CITE_FIGURE, s->source, index), &is_new);
    if (is_new) {
        cite->source = s->source;
        cite->place = record->figure_places[figure];
        cite->unit = JA_UNIT_BYTES;
        cite->raw = ja_arena_print(item->kept, "%s = %lld", ja_figure_words[figure],
                                   (long long)record->figures[figure]);
    }
    return index_of(item, cite);
}

uint32_t ja_cite_of_point(const struct ja_case *item, const struct ja_point *point)
{
    if (!item->cite_index_size)
        return JA_NONE;
    size_t at = slot_of(item, make_key(CITE_READING, point->source, point->reading));
    return item->cite_index[at] ? item->cite_index[at] - 1 : JA_NONE;
}
