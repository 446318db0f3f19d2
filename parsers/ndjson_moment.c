/* SPDX-License-Identifier: MIT
 *
 * The times of a line: a moment with its bounds, and which stamps say the same.
 */
#include "parsers/ndjson.h"

const struct ja_ndjson_time_keys ja_ndjson_at = {"at", "early", "late", "clock"};

static int64_t time_at(struct ja_ndjson_reader *r, const char *key)
{
    int64_t ns;
    const struct ja_pull_value *text = ja_ndjson_text(&r->line, key);
    return text && ja_instant_read(text->text, text->length, &ns) ? ns : JA_UNKNOWN;
}

struct ja_ndjson_moment ja_ndjson_read_moment(struct ja_ndjson_reader *r,
                                              const struct ja_ndjson_time_keys *keys)
{
    int clock;
    struct ja_ndjson_moment moment = {.clock = JA_CLOCK_REPORT};
    const char *word = ja_ndjson_string(&r->line, keys->clock);
    moment.at = time_at(r, keys->at);
    moment.early = time_at(r, keys->early);
    moment.late = time_at(r, keys->late);
    if (word && ja_clock_of(word, &clock))
        moment.clock = (enum ja_clock)clock;
    return moment;
}

/* False: no time at all. Bounds may be left out. */
static bool stamp_of(const struct ja_ndjson_moment *said, struct ja_stamp *ret)
{
    *ret = (struct ja_stamp){.clock = said->clock, .parts = JA_STAMP_UNIX};
    if (said->at == JA_UNKNOWN) {
        ret->parts |= JA_STAMP_NOT_AFTER;
        ret->unix_ns = said->late;
        return said->late != JA_UNKNOWN;
    }
    ret->unix_ns = said->at;
    if (said->early != JA_UNKNOWN && said->early < said->at)
        ret->before_ns = said->at - said->early;
    if (said->late != JA_UNKNOWN && said->late > said->at)
        ret->after_ns = said->late - said->at;
    return true;
}

uint32_t ja_ndjson_add_stamp(struct ja_ndjson_reader *r, const struct ja_ndjson_moment *said)
{
    struct ja_stamp stamp;
    return stamp_of(said, &stamp) ? ja_add_stamp(r->evidence, &stamp) : JA_NONE;
}

uint32_t ja_ndjson_stamp(struct ja_ndjson_reader *r, const struct ja_ndjson_time_keys *keys)
{
    const struct ja_ndjson_moment said = ja_ndjson_read_moment(r, keys);
    return ja_ndjson_add_stamp(r, &said);
}

uint32_t ja_ndjson_stamp_at(struct ja_ndjson_reader *r, const char *key)
{
    struct ja_stamp stamp = {.clock = JA_CLOCK_REPORT, .parts = JA_STAMP_UNIX};
    stamp.unix_ns = time_at(r, key);
    return stamp.unix_ns != JA_UNKNOWN ? ja_add_stamp(r->evidence, &stamp) : JA_NONE;
}

static bool same_stamp(const struct ja_stamp *a, const struct ja_stamp *b)
{
    return a->unix_ns == b->unix_ns && a->parts == b->parts && a->before_ns == b->before_ns &&
           a->after_ns == b->after_ns && a->clock == b->clock;
}

uint32_t ja_ndjson_shared_stamp(struct ja_ndjson_reader *r, const uint32_t *others, size_t count)
{
    const struct ja_ndjson_moment said = ja_ndjson_read_moment(r, &ja_ndjson_at);
    struct ja_stamp stamp;
    if (!stamp_of(&said, &stamp))
        return JA_NONE;
    for (size_t i = 0; i < count; i++)
        if (others[i] != JA_NONE && same_stamp(&stamp, &r->evidence->stamps[others[i]]))
            return others[i];
    return ja_add_stamp(r->evidence, &stamp);
}

uint32_t ja_ndjson_event_moment(struct ja_ndjson_reader *r, uint32_t record)
{
    return ja_ndjson_shared_stamp(r, &r->evidence->records[record].stamp, 1);
}

uint32_t ja_ndjson_own_moment(struct ja_ndjson_reader *r, uint32_t subject)
{
    uint32_t record = r->evidence->subjects[subject].record;
    if (!ja_ndjson_child(r))
        return r->evidence->records[record].stamp;
    uint32_t own = ja_ndjson_event_moment(r, record);
    return own == JA_NONE ? r->evidence->records[record].stamp : own;
}
