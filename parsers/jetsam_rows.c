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

enum row_key {
    ROW_NAME,
    ROW_PID,
    ROW_UUID,
    ROW_RPAGES,
    ROW_LIFETIME_MAX,
    ROW_AGE,
    ROW_KILL_DELTA,
    ROW_CPU,
    ROW_COALITION,
    ROW_REASON,
    ROW_PHYSICAL,
    ROW_PURGEABLE,
    ROW_KEYS,
};

static const char *const key_names[ROW_KEYS] = {
    [ROW_NAME] = "name",
    [ROW_PID] = "pid",
    [ROW_UUID] = "uuid",
    [ROW_RPAGES] = "rpages",
    [ROW_LIFETIME_MAX] = "lifetimeMax",
    [ROW_AGE] = "age",
    [ROW_KILL_DELTA] = "killDelta",
    [ROW_CPU] = "cpuTime",
    [ROW_COALITION] = "coalition",
    [ROW_REASON] = "reason",
    [ROW_PHYSICAL] = "physicalPages",
    [ROW_PURGEABLE] = "purgeable",
};

/* One row, its members found in one pass. */
struct row {
    struct ja_jetsam *jetsam;
    const cJSON *items[ROW_KEYS]; /* NULL: absent, or in conflict with itself */
    int index, line;
};

static const char *place_text(const struct row *row, const char *key)
{
    if (row->index < 0)
        return NULL;
    return ja_arena_print(row->jetsam->parse->evidence->arena, "$.processes[%d]%s%s", row->index,
                          key ? "." : "", key ? key : "");
}

static void complain(const struct row *row, const char *code, const char *key, const char *what)
{
    ja_diagnose(row->jetsam->parse->evidence, JA_ERROR, code, row->line, place_text(row, key),
                "%s: %s, value left out", key, what);
}

static void collect(struct row *row, const cJSON *object)
{
    bool conflict[ROW_KEYS] = {false};
    const cJSON *item;
    cJSON_ArrayForEach(item, object)
    {
        for (int k = 0; k < ROW_KEYS; k++) {
            if (!item->string || strcmp(item->string, key_names[k]) != 0)
                continue;
            if (!row->items[k])
                row->items[k] = item;
            else if (!cJSON_Compare(row->items[k], item, true))
                conflict[k] = true;
        }
    }
    for (int k = 0; k < ROW_KEYS; k++) {
        if (conflict[k]) {
            complain(row, "conflict", key_names[k], "stands twice with different values");
            row->items[k] = NULL;
        }
    }
}

/* What is wrong with an item as a whole number in least .. 2^53; NULL: nothing. */
static const char *whole_fault(const cJSON *item, double least)
{
    if (!cJSON_IsNumber(item))
        return "not a number";
    if (!isfinite(item->valuedouble) || item->valuedouble > LARGEST_WHOLE)
        return "number too large";
    if (item->valuedouble < least)
        return "negative";
    return item->valuedouble != floor(item->valuedouble) ? "not a whole number" : NULL;
}

static int64_t whole(const struct row *row, enum row_key key, int64_t least)
{
    const cJSON *item = row->items[key];
    if (!item || cJSON_IsNull(item))
        return JA_UNKNOWN;
    const char *fault = whole_fault(item, (double)least);
    if (fault) {
        complain(row, "bad-number", key_names[key], fault);
        return JA_UNKNOWN;
    }
    return (int64_t)item->valuedouble;
}

static const char *text(const struct row *row, enum row_key key)
{
    const cJSON *item = row->items[key];
    if (!item || cJSON_IsNull(item))
        return NULL;
    if (!cJSON_IsString(item))
        complain(row, "bad-text", key_names[key], "not a text");
    return cJSON_GetStringValue(item);
}

/* Ages are unsigned 64-bit differences: the upper half is a start after the snapshot. */
static int64_t age_ticks(const struct row *row)
{
    const cJSON *item = row->items[ROW_AGE];
    double value = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    if (!(value >= TWO_64 / 2 && value < TWO_64))
        return whole(row, ROW_AGE, 0);
    ja_diagnose(row->jetsam->parse->evidence, JA_NOTE, "wrapped-age", row->line,
                place_text(row, "age"),
                "age %.0f is an unsigned difference: started %.0f ticks after the snapshot", value,
                TWO_64 - value);
    return -(int64_t)(TWO_64 - value);
}

static void set_cpu(const struct row *row, uint32_t subject, uint32_t place)
{
    const cJSON *item = row->items[ROW_CPU];
    struct ja_evidence *evidence = row->jetsam->parse->evidence;
    if (!item || cJSON_IsNull(item))
        return;
    double seconds = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    if (!(seconds >= 0 && seconds < LARGEST_CPU_S)) {
        complain(row, "bad-number", "cpuTime", "not a number of seconds");
        return;
    }
    evidence->subjects[subject].cpu_ns = (int64_t)(seconds * 1e6 + 0.5) * JA_NS_PER_US;
    ja_add_count(evidence, subject, "cpu_s", seconds, place);
}

static void set_peak(const struct row *row, uint32_t subject)
{
    struct ja_jetsam *jetsam = row->jetsam;
    int64_t pages = whole(row, ROW_LIFETIME_MAX, 0), bytes;
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
    const cJSON *internal = ja_json_get(row->items[ROW_PHYSICAL], "internal");
    sum(&jetsam->purgeable_pages, whole(row, ROW_PURGEABLE, 0));
    if (!internal)
        return;
    const cJSON *resident = cJSON_IsArray(internal) ? internal->child : NULL;
    const cJSON *compressed = resident ? resident->next : NULL;
    if (!compressed || whole_fault(resident, 0) || whole_fault(compressed, 0)) {
        complain(row, "bad-number", "physicalPages.internal", "not two whole numbers");
        return;
    }
    sum(&jetsam->resident_pages, (int64_t)resident->valuedouble);
    sum(&jetsam->compressed_pages, (int64_t)compressed->valuedouble);
}

static uint32_t rpages_place(const struct row *row, const struct ja_slice *source)
{
    struct ja_evidence *evidence = row->jetsam->parse->evidence;
    if (row->index >= 0)
        return ja_add_place_json(evidence, "/processes/[*]/rpages", row->index, -1, NULL);
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
    int64_t pages = whole(row, ROW_RPAGES, 0), bytes;
    if (pages == JA_UNKNOWN || jetsam->page_bytes == JA_UNKNOWN)
        return JA_UNKNOWN;
    if (!ja_jetsam_bytes(jetsam, pages, &bytes)) {
        complain(row, "bad-number", "rpages", "more bytes than any machine has");
        return JA_UNKNOWN;
    }
    if (evidence->reading_count >= jetsam->parse->max_readings) {
        if (!jetsam->limit_said)
            ja_diagnose(evidence, JA_WARNING, "too-many-readings", row->line,
                        place_text(row, "rpages"),
                        "limit of readings reached, sizes from here on left out");
        jetsam->limit_said = true;
        return JA_UNKNOWN;
    }
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

void ja_jetsam_row(struct ja_jetsam *jetsam, const cJSON *object, int index, int line,
                   const struct ja_slice *source)
{
    struct ja_evidence *evidence = jetsam->parse->evidence;
    struct row row = {.jetsam = jetsam, .index = index, .line = line};
    if (!cJSON_IsObject(object)) {
        ja_diagnose(evidence, JA_ERROR, "bad-row", line, place_text(&row, NULL),
                    "a row of the process table is no object, left out");
        return;
    }
    collect(&row, object);
    jetsam->rows++;
    const char *name = text(&row, ROW_NAME), *reason = text(&row, ROW_REASON);
    uint32_t subject = ja_add_subject(evidence, jetsam->record, name, whole(&row, ROW_PID, -1));
    uint32_t place = index >= 0 ? ja_add_place_json(evidence, "/processes/[*]", index, -1, NULL)
                                : ja_add_place_line(evidence, line);
    struct ja_subject *s = &evidence->subjects[subject];
    s->uuid = ja_arena_string(evidence->arena, text(&row, ROW_UUID));
    s->coalition = whole(&row, ROW_COALITION, 0);
    s->age_ticks = age_ticks(&row);
    s->place = place;
    s->name_cut = name && strlen(name) >= jetsam->name_bytes;
    s->killed = reason != NULL;
    if (same_name(name, jetsam->largest))
        jetsam->largest_seen = true;
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
                                   .reason = ja_arena_string(evidence->arena, reason),
                                   .delta_ticks = whole(&row, ROW_KILL_DELTA, 0),
                                   .bytes = bytes,
                                   .reading = reading,
                                   .row = jetsam->rows,
                               });
}
