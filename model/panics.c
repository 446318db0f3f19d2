/* SPDX-License-Identifier: MIT */
#include "model/panics.h"

#include <string.h>

#include "model/rule.h"

static const char *words_of(const struct ja_evidence *evidence, uint32_t record,
                            enum ja_fact_key key)
{
    const struct ja_fact *fact = ja_record_fact(evidence, record, key);
    return fact ? fact->text : NULL;
}

/* In NDJSON an event and the statements of its record are lines of their own, and so records of
 * their own: they belong together when they tell the same panic string of the same boot. */
static uint32_t stating_record(const struct ja_case *item, const struct ja_panic *panic)
{
    const struct ja_source *source = &item->sources[panic->source];
    const char *detail = item->events[panic->event].detail;
    if (ja_has_kind(panic->evidence, JA_KIND_NDJSON) &&
        !ja_record_fact(panic->evidence, panic->record, JA_FACT_TABLE_ABSENT))
        for (uint32_t r = 0; detail && r < panic->evidence->record_count; r++) {
            const char *text = words_of(panic->evidence, r, JA_FACT_PANIC_STRING);
            if (text && strcmp(text, detail) == 0 &&
                source->record_boot[r] == source->record_boot[panic->record])
                return r;
        }
    return panic->record;
}

bool ja_panic_next(const struct ja_case *item, size_t *at, struct ja_panic *ret)
{
    while (*at < item->event_count) {
        uint32_t index = (uint32_t)(*at)++;
        const struct ja_event *event = &item->events[index];
        if (event->kind != JA_EVENT_PANIC || event->seen == JA_NONE)
            continue;
        ret->event = index;
        ret->source = event->source;
        ret->evidence = item->sources[event->source].evidence;
        ret->record = ret->evidence->events[event->seen].record;
        ret->record = stating_record(item, ret);
        return true;
    }
    return false;
}

const struct ja_fact *ja_panic_fact(const struct ja_panic *panic, enum ja_fact_key key)
{
    return ja_record_fact(panic->evidence, panic->record, key);
}

int64_t ja_panic_number(const struct ja_panic *panic, enum ja_fact_key key)
{
    const struct ja_fact *fact = ja_panic_fact(panic, key);
    return fact ? fact->value : JA_UNKNOWN;
}

const char *ja_panic_words(const struct ja_panic *panic, enum ja_fact_key key)
{
    const struct ja_fact *fact = ja_panic_fact(panic, key);
    return fact ? fact->text : NULL;
}

static bool says(const struct ja_panic *panic, enum ja_fact_key key, const char *word)
{
    const char *text = ja_panic_words(panic, key);
    return text && strcmp(text, word) == 0;
}

enum ja_exhaustion ja_panic_exhaustion(const struct ja_panic *panic)
{
    if (says(panic, JA_FACT_COMPRESSOR_PAGES_STATE, "BAD") ||
        says(panic, JA_FACT_COMPRESSOR_SEGMENTS_STATE, "BAD"))
        return JA_EXHAUSTION_OVER;
    if (says(panic, JA_FACT_SWAP_SPACE_STATE, "LOW"))
        return JA_EXHAUSTION_SWAP;
    if (!says(panic, JA_FACT_COMPRESSOR_PAGES_STATE, "OK") ||
        !says(panic, JA_FACT_COMPRESSOR_SEGMENTS_STATE, "OK"))
        return JA_EXHAUSTION_ABSENT;
    bool near = ja_panic_number(panic, JA_FACT_COMPRESSOR_PAGES_PERCENT) >= 90 ||
                ja_panic_number(panic, JA_FACT_COMPRESSOR_SEGMENTS_PERCENT) >= 90;
    return near ? JA_EXHAUSTION_NEAR : JA_EXHAUSTION_NONE;
}

const char *ja_panic_title(struct ja_case *item, const struct ja_panic *panic)
{
    const struct ja_instant *at = item->events[panic->event].at;
    if (ja_instant_known(at))
        return ja_arena_print(item->arena, "The panic of %s", ja_time_text(item, at));
    if (at->late_ns != JA_UNKNOWN)
        return ja_arena_print(item->arena, "The panic (%s)", ja_time_text(item, at));
    return "The panic (its text tells no time)";
}

void ja_panic_cite(struct ja_case *item, struct ja_finding *finding, const struct ja_panic *panic,
                   const enum ja_fact_key *keys)
{
    for (size_t i = 0; keys[i] != JA_FACT_COUNT; i++) {
        const struct ja_fact *fact = ja_panic_fact(panic, keys[i]);
        if (fact)
            ja_cite(item, finding, ja_cite_fact(item, panic->source, fact));
    }
    if (!finding->cite_count)
        ja_cite(item, finding, ja_cite_event(item, panic->event));
}

const struct ja_state *ja_panic_state(const struct ja_case *item, const struct ja_panic *panic)
{
    for (size_t i = 0; i < item->state_count; i++)
        if (item->states[i].source == panic->source && item->states[i].record == panic->record)
            return &item->states[i];
    return NULL;
}

int64_t ja_panic_ram(const struct ja_case *item, const struct ja_panic *panic, bool *ret_managed)
{
    const struct ja_state *state = ja_panic_state(item, panic);
    uint32_t host = item->events[panic->event].host;
    *ret_managed = false;
    if (host != JA_NONE && item->hosts[host].ram_bytes != JA_UNKNOWN)
        return item->hosts[host].ram_bytes;
    *ret_managed = true;
    if (state && state->figures[JA_FIGURE_MANAGED] != JA_UNKNOWN)
        return state->figures[JA_FIGURE_MANAGED];
    return host != JA_NONE ? item->hosts[host].managed_bytes : JA_UNKNOWN;
}
