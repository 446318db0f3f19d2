/* SPDX-License-Identifier: MIT
 *
 * The lines that are evidence: reading, work, event, fact, concern. Each is of the row or record it
 * names, else of a moment and a process of its own.
 */
#include "parsers/ndjson.h"

#include <string.h>

/* ---- readings -------------------------------------------------------------------------------- */

/* What the word at key stands for; false: none that is known. */
static bool word_at(struct ja_ndjson_reader *r, const char *key, struct ja_ndjson_word *last,
                    bool (*value_of)(const char *word, int *ret), int *ret)
{
    const struct ja_pull_value *text = ja_ndjson_text(&r->line, key);
    if (!text)
        return false;
    if (!last->text[0] || !ja_ndjson_same(text, last->text)) {
        if (text->length >= sizeof last->text)
            return value_of(ja_ndjson_string(&r->line, key), ret);
        memcpy(last->text, text->text, text->length);
        last->text[text->length] = '\0';
        if (!value_of(last->text, &last->value)) {
            last->text[0] = '\0';
            return false;
        }
    }
    *ret = last->value;
    return true;
}

static bool metric_of(const char *word, int *ret)
{
    enum ja_metric metric;
    if (!ja_metric_of(word, &metric))
        return false;
    *ret = (int)metric;
    return true;
}

static bool read_quantity(struct ja_ndjson_reader *r, struct ja_quantity *ret)
{
    int rounding;
    *ret = (struct ja_quantity){0, 1, JA_ROUNDING_UNKNOWN};
    if (!ja_ndjson_bytes_of(r, "value_bytes", &ret->value)) {
        ja_ndjson_bad(r, "bad-number", "no whole value_bytes");
        return false;
    }
    ja_ndjson_bytes_of(r, "resolution_bytes", &ret->resolution);
    if (ret->resolution < 0)
        ret->resolution = 1;
    if (word_at(r, "rounding", &r->rounding, ja_rounding_of, &rounding))
        ret->rounding = (enum ja_rounding)rounding;
    if (ret->rounding == JA_ROUNDING_NEAREST && ja_ndjson_true(&r->line, "edge"))
        ret->rounding = JA_ROUNDING_EDGE;
    return true;
}

/* The row that the line names, else one of its own. */
static uint32_t row_of(struct ja_ndjson_reader *r)
{
    uint32_t row = ja_ndjson_row(r);
    return row != JA_NONE ? row : ja_ndjson_subject_of(r, ja_ndjson_record_of(r));
}

void ja_ndjson_take_reading(struct ja_ndjson_reader *r)
{
    struct ja_quantity quantity;
    int metric, unit;
    r->reading_count++;
    if (!word_at(r, "metric", &r->metric, metric_of, &metric)) {
        ja_ndjson_bad(r, "bad-metric", "no known metric");
        return;
    }
    if (!read_quantity(r, &quantity))
        return;
    uint32_t subject = row_of(r);
    uint32_t place = ja_ndjson_place(r);
    uint32_t stamp = ja_ndjson_own_moment(r, subject);
    struct ja_reading *reading =
        ja_add_reading(r->evidence, subject, (enum ja_metric)metric, quantity, place);
    const char *category = ja_ndjson_string(&r->line, "category");
    reading->stamp = stamp;
    reading->printed = ja_ndjson_copy(&r->line, "raw", r->evidence->arena);
    reading->approximate = ja_ndjson_true(&r->line, "approximate");
    if (word_at(r, "unit", &r->unit, ja_unit_of, &unit))
        reading->unit = (uint8_t)unit;
    if (category)
        reading->category = ja_add_category(r->evidence, category);
}

/* ---- counts ---------------------------------------------------------------------------------- */

void ja_ndjson_take_work(struct ja_ndjson_reader *r)
{
    double total;
    if (!ja_ndjson_double(&r->line, "total", &total)) {
        ja_ndjson_bad(r, "bad-number", "no number total");
        return;
    }
    const char *unit = ja_ndjson_string(&r->line, "unit");
    uint32_t subject = row_of(r);
    uint32_t stamp = ja_ndjson_own_moment(r, subject);
    uint32_t place = ja_ndjson_place(r);
    ja_add_count(r->evidence, subject, unit ? unit : "work", total, place)->stamp = stamp;
}

/* ---- events ---------------------------------------------------------------------------------- */

void ja_ndjson_take_event(struct ja_ndjson_reader *r)
{
    const char *word = ja_ndjson_string(&r->line, "kind");
    enum ja_event_kind kind;
    if (!word || !ja_event_of(word, &kind)) {
        ja_ndjson_bad(r, "bad-event", "no known kind of event");
        return;
    }
    struct ja_arena *arena = r->evidence->arena;
    uint32_t record = ja_ndjson_record(r), subject = ja_ndjson_row(r), stamp;
    if (record == JA_NONE) {
        record = ja_ndjson_new_record(r);
        stamp = r->evidence->records[record].stamp;
        if (ja_ndjson_text(&r->line, "name"))
            subject = ja_ndjson_subject_of(r, record);
    } else {
        stamp = ja_ndjson_event_moment(r, record);
    }
    uint32_t place = ja_ndjson_place(r);
    struct ja_event_seen *event = ja_add_event(r->evidence, kind, record, stamp, place);
    event->subject = subject;
    event->reason = ja_ndjson_copy(&r->line, "reason", arena);
    event->detail = ja_ndjson_copy(&r->line, "detail", arena);
    ja_ndjson_bytes_of(r, "bytes", &event->bytes);
    ja_ndjson_bytes_of(r, "limit_bytes", &event->limit_bytes);
    int64_t order = 0;
    ja_ndjson_int(&r->line, "order", r->evidence, 0, INT32_MAX, &order);
    event->order = (int)order;
}

/* ---- facts ----------------------------------------------------------------------------------- */

void ja_ndjson_take_fact(struct ja_ndjson_reader *r)
{
    const char *word = ja_ndjson_string(&r->line, "key");
    enum ja_fact_key key;
    if (!word || !ja_fact_of(word, &key)) {
        ja_diagnose(r->evidence, JA_NOTE, "unknown-fact", r->number, NULL,
                    "fact of an unknown key, left out");
        return;
    }
    uint32_t record = ja_ndjson_record(r), subject = ja_ndjson_row(r);
    if (record == JA_NONE) {
        record = ja_ndjson_record_of(r);
        if (ja_ndjson_text(&r->line, "name"))
            subject = ja_ndjson_subject_of(r, record);
    }
    int64_t value = JA_UNKNOWN;
    ja_ndjson_bytes_of(r, "value", &value);
    uint32_t place = ja_ndjson_place(r);
    struct ja_fact *fact =
        ja_add_fact(r->evidence, record, key, value, ja_ndjson_string(&r->line, "text"), place);
    fact->subject = subject;
}

void ja_ndjson_take_concern(struct ja_ndjson_reader *r)
{
    double slope;
    if (!ja_ndjson_double(&r->line, "bytes_per_hour", &slope) || slope <= 0 || slope > 1e18) {
        ja_ndjson_bad(r, "bad-number", "no usable bytes_per_hour");
        return;
    }
    /* It speaks of a name, not of a moment: its subject must make no process of its own. */
    uint32_t record = ja_ndjson_record_of(r);
    ja_add_fact(r->evidence, record, JA_FACT_CONCERN, (int64_t)slope,
                ja_ndjson_string(&r->line, "name"), ja_ndjson_line_place(r));
}
