/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "model/clock_parts.h"

#define MOST_OFFSETS 16 /* distinct ones in one file */

/* The offsets that an ambiguous abbreviation may stand for, in minutes. */
static bool may_stand_for(const char *zone, int offset_s)
{
    static const struct {
        const char *zone;
        int minutes[4];
        int count;
    } known[] = {
        {"CST", {-360, 480, -300}, 3}, {"IST", {330, 120, 60}, 3}, {"BST", {60, 360, 660}, 3},
        {"AST", {-240, 180}, 2},       {"AMT", {-240, 240}, 2},    {"SST", {-660, 480}, 2},
        {"GST", {240, -120}, 2},       {"WST", {480, 780}, 2},
    };
    if (!zone)
        return true;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(zone, known[i].zone) != 0)
            continue;
        for (int k = 0; k < known[i].count; k++)
            if (offset_s == known[i].minutes[k] * 60)
                return true;
        return false;
    }
    return true;
}

/* A stamp whose zone is the machine's: "Z" and "UTC" are also printed by machines elsewhere. */
static bool tells_zone(const struct ja_stamp *stamp)
{
    if (!(stamp->parts & JA_STAMP_ZONE))
        return false;
    size_t n = stamp->text ? strlen(stamp->text) : 0;
    return stamp->offset_s != 0 || (n && stamp->text[n - 1] != 'Z');
}

/* Offsets that the file itself tells. */
struct told {
    int offset_s[MOST_OFFSETS]; /* distinct ones */
    int count;
    uint32_t *before, *after; /* nearest telling stamp on either side, per stamp; JA_NONE */
};

static void add_offset(struct told *told, int offset_s)
{
    for (int i = 0; i < told->count; i++)
        if (told->offset_s[i] == offset_s)
            return;
    if (told->count < MOST_OFFSETS)
        told->offset_s[told->count++] = offset_s;
}

static struct told listen(const struct ja_clock_work *w)
{
    const struct ja_evidence *e = w->evidence;
    struct told told = {.count = 0};
    told.before = ja_arena_alloc(e->clock, e->stamp_count + 1, sizeof *told.before);
    told.after = ja_arena_alloc(e->clock, e->stamp_count + 1, sizeof *told.after);
    for (size_t i = 0; i < e->fact_count; i++)
        if (e->facts[i].key == JA_FACT_ZONE_OFFSET_S && e->facts[i].value != JA_UNKNOWN)
            add_offset(&told, (int)e->facts[i].value);
    uint32_t last = JA_NONE;
    for (uint32_t i = 0; i < e->stamp_count; i++) {
        told.before[i] = last;
        if (!tells_zone(&e->stamps[i]))
            continue;
        add_offset(&told, e->stamps[i].offset_s);
        last = i;
    }
    last = JA_NONE;
    for (uint32_t i = (uint32_t)e->stamp_count; i-- > 0;) {
        told.after[i] = last;
        if (tells_zone(&e->stamps[i]))
            last = i;
    }
    return told;
}

/* An offset stated in the same file: the nearest stamp's, else any that fits the abbreviation. */
static bool file_offset(const struct ja_clock_work *w, const struct told *told, uint32_t index,
                        int *ret_offset_s)
{
    const struct ja_stamp *stamps = w->evidence->stamps;
    const char *zone = stamps[index].zone;
    uint32_t near = told->before[index], far = told->after[index];
    if (near == JA_NONE || (far != JA_NONE && far - index < index - near)) {
        uint32_t swap = near;
        near = far;
        far = swap;
    }
    if (near != JA_NONE && may_stand_for(zone, stamps[near].offset_s)) {
        *ret_offset_s = stamps[near].offset_s;
        return true;
    }
    if (far != JA_NONE && may_stand_for(zone, stamps[far].offset_s)) {
        *ret_offset_s = stamps[far].offset_s;
        return true;
    }
    for (int i = 0; i < told->count; i++) {
        if (may_stand_for(zone, told->offset_s[i])) {
            *ret_offset_s = told->offset_s[i];
            return true;
        }
    }
    return false;
}

void ja_clock_settle_zones(struct ja_clock_work *w)
{
    const struct ja_evidence *e = w->evidence;
    struct told told = listen(w);
    for (uint32_t i = 0; i < e->stamp_count; i++) {
        const struct ja_stamp *stamp = &e->stamps[i];
        if (stamp->parts & JA_STAMP_ZONE) {
            w->offset_s[i] = stamp->offset_s;
        } else if (file_offset(w, &told, i, &w->offset_s[i])) {
            continue;
        } else if (w->context->has_zone && may_stand_for(stamp->zone, w->context->zone_offset_s)) {
            w->offset_s[i] = w->context->zone_offset_s;
        } else {
            w->offset_s[i] = 0;
            w->assumed[i] = !(stamp->parts & (JA_STAMP_UNIX | JA_STAMP_BOOT));
        }
    }
}
