/* SPDX-License-Identifier: MIT
 *
 * Rows of a Jetsam report's process table.
 *   { "pid" : 3301, "name" : "Maps", "rpages" : 52944, "lifetimeMax" : 53012, "age" : 2505600000,
 *     "cpuTime" : 12.5, "coalition" : 900, "reason" : "per-process-limit", "killDelta" : 9617 }
 * rpages is the footprint in pages, rounded down (one reading a row; of a killed row at its kill).
 * age, killDelta are ticks of the machine's clock: age counts back from the snapshot, and is an
 * unsigned difference, so that a process started after it shows 2^64 less something. cpuTime is
 * seconds. A row with a reason was killed.
 * Left out: states, priority, fds, mem_regions, csFlags, csTrustLevel, freeze_skip_reason,
 * idleDelta, genCount (nothing of memory), frozen_to_swap_pages (a part of internal[1]).
 */
#include "parsers/jetsam.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_WHOLE 9007199254740992.0 /* 2^53: above it a double skips whole numbers */
#define TWO_64 18446744073709551616.0
#define LARGEST_CPU_S 1e10

/* One row being turned into evidence. */
struct row {
    struct ja_jetsam *jetsam;
    const struct ja_pull_value *values; /* by enum ja_jetsam_key */
    bool kept;                          /* texts */
    int index, line;
};

/* Hardly any row has a fault: telling it is kept out of the way. */
#define SELDOM __attribute__((cold, noinline))

static const char *place_text(const struct row *row, const char *key)
{
    if (row->index < 0)
        return NULL;
    return ja_arena_print(row->jetsam->parse->evidence->arena, "$.processes[%d]%s%s", row->index,
                          key ? "." : "", key ? key : "");
}

static SELDOM void complain(const struct row *row, const char *code, const char *key,
                            const char *what)
{
    ja_diagnose(row->jetsam->parse->evidence, JA_ERROR, code, row->line, place_text(row, key),
                "%s: %s, value left out", key, what);
}

static SELDOM void say_conflicts(const struct row *row, uint32_t conflicts)
{
    for (int k = 0; k < JA_JETSAM_KEYS; k++)
        if (conflicts >> k & 1)
            complain(row, "conflict", ja_jetsam_keys[k], "stands twice with different values");
}

static bool is_said(const struct ja_pull_value *value)
{
    return value->type != JA_PULL_ABSENT && value->type != JA_PULL_NULL;
}

static bool is_whole(const struct ja_pull_value *value, double least)
{
    return value->type == JA_PULL_NUMBER && value->number >= least &&
           value->number <= LARGEST_WHOLE && value->number == (double)(int64_t)value->number;
}

static SELDOM int64_t not_whole(const struct row *row, enum ja_jetsam_key key, double least)
{
    const struct ja_pull_value *value = &row->values[key];
    if (!is_said(value))
        return JA_UNKNOWN;
    const char *what = "not a whole number";
    if (value->type != JA_PULL_NUMBER)
        what = "not a number";
    else if (!isfinite(value->number) || value->number > LARGEST_WHOLE)
        what = "number too large";
    else if (value->number < least)
        what = "negative";
    complain(row, "bad-number", ja_jetsam_keys[key], what);
    return JA_UNKNOWN;
}

/* A whole number of least or more; JA_UNKNOWN when it is not said or, which is diagnosed, none. */
static int64_t whole(const struct row *row, enum ja_jetsam_key key, int64_t least)
{
    const struct ja_pull_value *value = &row->values[key];
    return is_whole(value, (double)least) ? (int64_t)value->number
                                          : not_whole(row, key, (double)least);
}

/* A text in the evidence's arena; NULL when it is not said. */
static const char *text(const struct row *row, enum ja_jetsam_key key)
{
    const struct ja_pull_value *value = &row->values[key];
    if (!is_said(value))
        return NULL;
    if (value->type != JA_PULL_STRING) {
        complain(row, "bad-text", ja_jetsam_keys[key], "not a text");
        return NULL;
    }
    struct ja_texts *texts = row->jetsam->parse->texts;
    return row->kept ? value->text : ja_texts_keep(texts, value->text, value->length);
}

/* Ages are unsigned 64-bit differences: the upper half is a start after the snapshot. */
static int64_t age_ticks(const struct row *row)
{
    const struct ja_pull_value *age = &row->values[JA_JETSAM_AGE];
    double value = age->type == JA_PULL_NUMBER ? age->number : NAN;
    if (!(value >= TWO_64 / 2 && value < TWO_64))
        return whole(row, JA_JETSAM_AGE, 0);
    ja_diagnose(row->jetsam->parse->evidence, JA_NOTE, "wrapped-age", row->line,
                place_text(row, "age"),
                "age %.0f is an unsigned difference: started %.0f ticks after the snapshot", value,
                TWO_64 - value);
    return -(int64_t)(TWO_64 - value);
}

static void set_cpu(const struct row *row, uint32_t subject, uint32_t place)
{
    const struct ja_pull_value *cpu = &row->values[JA_JETSAM_CPU];
    struct ja_evidence *evidence = row->jetsam->parse->evidence;
    if (!is_said(cpu))
        return;
    double seconds = cpu->type == JA_PULL_NUMBER ? cpu->number : NAN;
    if (!(seconds >= 0 && seconds < LARGEST_CPU_S)) {
        complain(row, "bad-number", "cpuTime", "not a number of seconds");
        return;
    }
    evidence->subjects[subject].cpu_ns = ja_cpu_ns(seconds);
    ja_add_count(evidence, subject, ja_cpu_seconds, seconds, place);
}

static void set_peak(const struct row *row, uint32_t subject)
{
    struct ja_jetsam *jetsam = row->jetsam;
    int64_t pages = whole(row, JA_JETSAM_LIFETIME_MAX, 0), bytes;
    if (pages == JA_UNKNOWN || !jetsam->peak_is_footprint)
        return;
    if (ja_jetsam_bytes(jetsam, pages, &bytes))
        jetsam->parse->evidence->subjects[subject].peak_bytes = bytes;
    else if (jetsam->page_bytes != JA_UNKNOWN)
        complain(row, "bad-number", "lifetimeMax", "more bytes than any machine has");
}

static void sum(int64_t *total, int64_t pages)
{
    if (pages != JA_UNKNOWN)
        *total = *total == JA_UNKNOWN ? pages : ja_add(*total, pages);
}

/* physicalPages.internal = [resident private, compressed], purgeable: the parts of the books. */
static void add_parts(const struct row *row)
{
    struct ja_jetsam *jetsam = row->jetsam;
    const struct ja_pull_value *resident = &row->values[JA_JETSAM_RESIDENT];
    const struct ja_pull_value *compressed = &row->values[JA_JETSAM_ROW_COMPRESSED];
    sum(&jetsam->purgeable_pages, whole(row, JA_JETSAM_ROW_PURGEABLE, 0));
    if (row->values[JA_JETSAM_INTERNAL].type == JA_PULL_ABSENT)
        return;
    if (!is_whole(resident, 0) || !is_whole(compressed, 0)) {
        complain(row, "bad-number", "physicalPages.internal", "not two whole numbers");
        return;
    }
    sum(&jetsam->resident_pages, (int64_t)resident->number);
    sum(&jetsam->compressed_pages, (int64_t)compressed->number);
}

/* The place of a row's path; *last: the one of the row before. */
static uint32_t place_of(struct ja_evidence *evidence, const char *path, int index, uint32_t *last)
{
    uint32_t place = ja_place_after(evidence, *last, index);
    *last = place == JA_NONE ? ja_add_place_json(evidence, path, index, -1, NULL) : place;
    return *last;
}

static uint32_t rpages_place(const struct row *row, const struct ja_slice *source)
{
    struct ja_evidence *evidence = row->jetsam->parse->evidence;
    if (row->index >= 0)
        return place_of(evidence, "/processes/[*]/rpages", row->index, &row->jetsam->size_place);
    struct ja_slice value;
    int line = row->line;
    if (source && ja_ips_find(source->text, source->length, "rpages", &value, NULL))
        for (const char *at = source->text; at < value.text; at++)
            line += *at == '\n';
    return ja_add_place_line(evidence, line);
}

/* The row's size: bytes, JA_UNKNOWN when the row does not say. Adds its reading. */
static int64_t add_size(const struct row *row, uint32_t subject, const struct ja_slice *source,
                        uint32_t *ret_reading)
{
    struct ja_jetsam *jetsam = row->jetsam;
    struct ja_evidence *evidence = jetsam->parse->evidence;
    int64_t pages = whole(row, JA_JETSAM_RPAGES, 0), bytes;
    if (pages == JA_UNKNOWN || jetsam->page_bytes == JA_UNKNOWN)
        return JA_UNKNOWN;
    if (!ja_jetsam_bytes(jetsam, pages, &bytes)) {
        complain(row, "bad-number", "rpages", "more bytes than any machine has");
        return JA_UNKNOWN;
    }
    if (!ja_room_for_reading(jetsam->parse, row->line))
        return JA_UNKNOWN;
    struct ja_quantity quantity = {bytes, jetsam->page_bytes, JA_ROUNDING_DOWN};
    *ret_reading = (uint32_t)evidence->reading_count;
    struct ja_reading *reading =
        ja_add_reading(evidence, subject, jetsam->metric, quantity, rpages_place(row, source));
    reading->unit = JA_UNIT_PAGES;
    return bytes;
}

static bool same_name(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

void ja_jetsam_row(struct ja_jetsam *jetsam, const struct ja_jetsam_fields *fields, int index,
                   int line, const struct ja_slice *source)
{
    struct ja_evidence *evidence = jetsam->parse->evidence;
    struct row row = {.jetsam = jetsam,
                      .values = fields->values,
                      .kept = fields->kept,
                      .index = index,
                      .line = line};
    if (!fields->object) {
        ja_diagnose(evidence, JA_ERROR, "bad-row", line, place_text(&row, NULL),
                    "a row of the process table is no object, left out");
        return;
    }
    if (fields->conflicts)
        say_conflicts(&row, fields->conflicts);
    jetsam->rows++;
    const char *name = text(&row, JA_JETSAM_NAME), *reason = text(&row, JA_JETSAM_REASON);
    uint32_t subject =
        ja_add_subject(evidence, jetsam->record, NULL, whole(&row, JA_JETSAM_PID, -1));
    uint32_t place = index >= 0 ? place_of(evidence, "/processes/[*]", index, &jetsam->row_place)
                                : ja_add_place_line(evidence, line);
    struct ja_subject *s = &evidence->subjects[subject];
    s->name = name;
    s->uuid = text(&row, JA_JETSAM_UUID);
    s->coalition = whole(&row, JA_JETSAM_COALITION, 0);
    s->age_ticks = age_ticks(&row);
    s->place = place;
    s->name_cut = name && row.values[JA_JETSAM_NAME].length >= jetsam->name_bytes;
    s->killed = reason != NULL;
    jetsam->largest_seen = jetsam->largest_seen || same_name(name, jetsam->largest);
    set_peak(&row, subject);
    set_cpu(&row, subject, place);
    uint32_t reading = JA_NONE;
    int64_t bytes = add_size(&row, subject, source, &reading);
    if (!reason) {
        add_parts(&row);
        return;
    }
    ja_jetsam_kill_add(jetsam, &(struct ja_jetsam_kill){
                                   .subject = subject,
                                   .place = place,
                                   .reason = reason,
                                   .delta_ticks = whole(&row, JA_JETSAM_KILL_DELTA, 0),
                                   .bytes = bytes,
                                   .reading = reading,
                                   .row = jetsam->rows,
                               });
}
