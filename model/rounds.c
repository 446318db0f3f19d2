/* SPDX-License-Identifier: MIT */
#include "model/rounds.h"
#include "model/rows.h"

/* What was told, and in which round it was told last: open addressing, size a power of two. */
struct told {
    uint64_t key; /* 0: free */
    uint32_t round;
};

struct rounds {
    struct told *slots;
    size_t size;
    uint32_t round;
};

static uint64_t mix(uint64_t h, uint64_t value)
{
    h = (h ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ (h >> 29);
}

static uint64_t mix_text(uint64_t h, const char *text)
{
    for (; text && *text; text++)
        h = (h ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return mix(h, 1);
}

/* Who is told of by which tool: a pid is enough, a name stands for those without one. */
static uint64_t subject_key(const struct ja_evidence *evidence, uint32_t index)
{
    struct ja_subject subject = ja_subject_at(evidence, index);
    const struct ja_record *record = &evidence->records[subject.record];
    uint64_t h = mix((uint64_t)record->kind + 1, (uint64_t)subject.scope + 1);
    h = subject.pid != JA_UNKNOWN ? mix(h, (uint64_t)subject.pid) : mix_text(h, subject.name);
    return h ? h : 1;
}

static uint64_t figures_key(const struct ja_record *record)
{
    uint64_t h = mix_text(mix((uint64_t)record->kind + 1, 977), record->of);
    return h ? h : 1;
}

static struct told *slot_of(const struct rounds *rounds, uint64_t key)
{
    size_t at = key & (rounds->size - 1);
    while (rounds->slots[at].key && rounds->slots[at].key != key)
        at = (at + 1) & (rounds->size - 1);
    return &rounds->slots[at];
}

/* First subject of each record in a chain, by record. */
static uint32_t *chain(const struct ja_evidence *evidence, struct ja_arena *arena,
                       uint32_t **ret_next)
{
    uint32_t *first = ja_arena_alloc(arena, evidence->record_count, sizeof *first);
    uint32_t *next = ja_arena_alloc(arena, evidence->subject_count, sizeof *next);
    for (size_t r = 0; r < evidence->record_count; r++)
        first[r] = JA_NONE;
    for (uint32_t s = (uint32_t)evidence->subject_count; s-- > 0;) {
        next[s] = first[ja_subject_record(evidence, s)];
        first[ja_subject_record(evidence, s)] = s;
    }
    *ret_next = next;
    return first;
}

/* True when the key was told before in this round. */
static bool again(const struct rounds *rounds, uint64_t key)
{
    const struct told *slot = slot_of(rounds, key);
    return slot->key && slot->round == rounds->round;
}

static void note(const struct rounds *rounds, uint64_t key)
{
    *slot_of(rounds, key) = (struct told){.key = key, .round = rounds->round};
}

static bool all_stamped(const struct ja_evidence *evidence)
{
    for (size_t r = 0; r < evidence->record_count; r++)
        if (evidence->records[r].stamp == JA_NONE)
            return false;
    return true;
}

uint32_t ja_rounds_count(const struct ja_evidence *evidence, struct ja_arena *arena,
                         uint32_t *ret_rounds)
{
    struct rounds rounds = {.size = 16};
    if (all_stamped(evidence))
        return 0;
    uint32_t *next, *first = chain(evidence, arena, &next);
    bool any = false;
    while (rounds.size < 2 * (evidence->subject_count + evidence->record_count + 1))
        rounds.size *= 2;
    rounds.slots = ja_arena_alloc(arena, rounds.size, sizeof *rounds.slots);
    for (uint32_t r = 0; r < evidence->record_count; r++) {
        const struct ja_record *record = &evidence->records[r];
        if (record->stamp != JA_NONE)
            continue;
        bool repeated = record->figures && again(&rounds, figures_key(record));
        for (uint32_t s = first[r]; s != JA_NONE && !repeated; s = next[s])
            repeated = again(&rounds, subject_key(evidence, s));
        rounds.round += repeated;
        if (record->figures)
            note(&rounds, figures_key(record));
        for (uint32_t s = first[r]; s != JA_NONE; s = next[s])
            note(&rounds, subject_key(evidence, s));
        ret_rounds[r] = rounds.round;
        any = true;
    }
    return any ? rounds.round + 1 : 0;
}
