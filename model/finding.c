/* SPDX-License-Identifier: MIT
 *
 * Findings: the words of a statement. The verb comes from the grade, here and nowhere else, so
 * that no rule can say more than its grade.
 */
#include "model/rule.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const verbs[JA_VERB_COUNT][5] = {
    [JA_VERB_GROW] = {[JA_CONFIRMED] = "grew",
                      [JA_CONTRADICTED] = "did not grow",
                      [JA_CONSISTENT] = "is consistent with having grown",
                      [JA_CANNOT] = "may or may not have grown",
                      [JA_NOT_SHOWN] = "is not shown to have grown"},
    [JA_VERB_STAND] = {[JA_CONFIRMED] = "stands",
                       [JA_CONTRADICTED] = "does not stand",
                       [JA_CONSISTENT] = "is consistent with standing",
                       [JA_CANNOT] = "may or may not stand",
                       [JA_NOT_SHOWN] = "is not shown to stand"},
    [JA_VERB_EXCEED] = {[JA_CONFIRMED] = "exceed",
                        [JA_CONTRADICTED] = "do not exceed",
                        [JA_CONSISTENT] = "are consistent with exceeding",
                        [JA_CANNOT] = "may or may not exceed",
                        [JA_NOT_SHOWN] = "are not shown to exceed"},
    [JA_VERB_BE] = {[JA_CONFIRMED] = "is",
                    [JA_CONTRADICTED] = "is not",
                    [JA_CONSISTENT] = "is consistent with being",
                    [JA_CANNOT] = "may or may not be",
                    [JA_NOT_SHOWN] = "is not shown to be"},
    [JA_VERB_WERE] = {[JA_CONFIRMED] = "were",
                      [JA_CONTRADICTED] = "were not",
                      [JA_CONSISTENT] = "are consistent with having been",
                      [JA_CANNOT] = "may or may not have been",
                      [JA_NOT_SHOWN] = "are not shown to have been"},
    [JA_VERB_HOLD] = {[JA_CONFIRMED] = "holds",
                      [JA_CONTRADICTED] = "does not hold",
                      [JA_CONSISTENT] = "is consistent with holding",
                      [JA_CANNOT] = "may or may not hold",
                      [JA_NOT_SHOWN] = "is not shown to hold"},
    [JA_VERB_RECORD] = {[JA_CONFIRMED] = "records",
                        [JA_CONTRADICTED] = "contradicts",
                        [JA_CONSISTENT] = "is consistent with",
                        [JA_CANNOT] = "cannot tell",
                        [JA_NOT_SHOWN] = "does not show"},
};

struct ja_finding *ja_find(struct ja_case *item, const char *rule, enum ja_grade grade,
                           enum ja_severity severity, uint32_t host, uint32_t process)
{
    int row = 0;
    const struct ja_rule_name *name = ja_rule_named(rule, &row);
    assert(name);
    struct ja_finding *finding =
        JA_APPEND(item->arena, item->findings, item->finding_count, item->finding_capacity);
    *finding = (struct ja_finding){
        .rule = name->name,
        .row = row,
        .grade = grade,
        /* Nothing that is not shown is worse than a note. */
        .severity = grade == JA_NOT_SHOWN ? JA_REMARK : severity,
        .host = host,
        .process = process,
        .metric = -1,
        .statement = "",
    };
    return finding;
}

__attribute__((format(printf, 2, 0))) static const char *
print(struct ja_arena *arena, const char *format, va_list arguments)
{
    char text[1600];
    vsnprintf(text, sizeof text, format, arguments);
    return ja_arena_string(arena, text);
}

void ja_say(struct ja_case *item, struct ja_finding *finding, const char *subject,
            enum ja_verb verb, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *rest = print(item->arena, format, arguments);
    va_end(arguments);
    finding->statement =
        ja_arena_print(item->kept, "%s %s %s", subject, verbs[verb][finding->grade], rest);
}

void ja_because(struct ja_case *item, struct ja_finding *finding, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    finding->why = print(item->kept, format, arguments);
    va_end(arguments);
}

void ja_unless(struct ja_case *item, struct ja_finding *finding, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    finding->would_change = print(item->kept, format, arguments);
    va_end(arguments);
}

void ja_next(struct ja_case *item, struct ja_finding *finding, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    finding->next_step = print(item->kept, format, arguments);
    va_end(arguments);
}

static struct ja_named_number *add_number(struct ja_case *item, struct ja_finding *finding,
                                          const char *name)
{
    struct ja_named_number *number =
        JA_APPEND(item->arena, finding->numbers, finding->number_count, finding->number_capacity);
    *number = (struct ja_named_number){name, NAN, JA_UNKNOWN};
    return number;
}

void ja_number(struct ja_case *item, struct ja_finding *finding, const char *name, double value)
{
    add_number(item, finding, name)->value = value;
}

void ja_whole(struct ja_case *item, struct ja_finding *finding, const char *name, int64_t value)
{
    add_number(item, finding, name)->whole = value;
}

void ja_cite(struct ja_case *item, struct ja_finding *finding, uint32_t cite)
{
    if (cite == JA_NONE)
        return;
    for (size_t i = 0; i < finding->cite_count; i++)
        if (finding->cites[i] == cite)
            return;
    *JA_APPEND(item->arena, finding->cites, finding->cite_count, finding->cite_capacity) = cite;
}

void ja_cite_point(struct ja_case *item, struct ja_finding *finding, struct ja_point point)
{
    ja_cite(item, finding, ja_cite_reading(item, point.source, point.reading));
}

void ja_cite_series(struct ja_case *item, struct ja_finding *finding,
                    const struct ja_series *series)
{
    if (!series->point_count)
        return;
    ja_cite_point(item, finding, ja_first_point(series));
    struct ja_growth growth = ja_series_growth(series);
    size_t at = growth.max_step_at;
    if (growth.max_step_bytes != JA_UNKNOWN && at > 0 && at < series->point_count) {
        ja_cite_point(item, finding, ja_point_at(series, at - 1));
        ja_cite_point(item, finding, ja_point_at(series, at));
    }
    ja_cite_point(item, finding, ja_last_point(series));
}

/* ---- words for numbers ----------------------------------------------------------------------- */

static int decimals_for(double shown, double step_shown)
{
    if (step_shown >= 1.0)
        return 0;
    int by_size = fabs(shown) >= 100 ? 1 : 2;
    int by_step = 0;
    for (double step = step_shown; by_step < 2 && step > 0 && step < 0.5; step *= 10)
        by_step++;
    if (step_shown == 0)
        by_step = 2;
    return by_step < by_size ? by_step : by_size;
}

const char *ja_size_text(struct ja_case *item, double bytes, int64_t resolution_bytes)
{
    static const struct {
        double unit;
        const char *name;
    } units[] = {{(double)JA_TIB, "TiB"},
                 {(double)JA_GIB, "GiB"},
                 {(double)JA_MIB, "MiB"},
                 {(double)JA_KIB, "KiB"}};
    if (!isfinite(bytes) || bytes <= (double)JA_UNKNOWN)
        return "an unknown size";
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (fabs(bytes) < units[i].unit)
            continue;
        double shown = bytes / units[i].unit;
        int decimals = decimals_for(shown, (double)resolution_bytes / units[i].unit);
        return ja_arena_print(item->arena, "%.*f %s", decimals, shown, units[i].name);
    }
    return ja_arena_print(item->arena, "%.0f B", bytes);
}

const char *ja_rate_text(struct ja_case *item, double bytes_per_hour)
{
    if (!isfinite(bytes_per_hour))
        return "an unknown rate";
    return ja_arena_print(item->arena, "%s/h", ja_size_text(item, bytes_per_hour, 0));
}

const char *ja_span_text(struct ja_case *item, double seconds)
{
    if (!isfinite(seconds))
        return "an unknown time";
    if (seconds < 120)
        return ja_arena_print(item->arena, "%.0f s", seconds);
    if (seconds < 2 * 3600)
        return ja_arena_print(item->arena, "%.1f min", seconds / 60);
    if (seconds < 72 * 3600)
        return ja_arena_print(item->arena, "%.1f h", seconds / 3600);
    return ja_arena_print(item->arena, "%.1f days", seconds / 86400);
}

const char *ja_time_text(struct ja_case *item, const struct ja_instant *instant)
{
    int64_t at = ja_instant_known(instant)        ? instant->unix_ns
                 : instant->late_ns != JA_UNKNOWN ? instant->late_ns
                                                  : instant->early_ns;
    if (at == JA_UNKNOWN)
        return "an unknown time";
    struct ja_civil c = ja_unix_to_civil(at);
    const char *bound = ja_instant_known(instant)        ? ""
                        : instant->late_ns != JA_UNKNOWN ? "not later than "
                                                         : "not before ";
    return ja_arena_print(item->arena, "%s%04d-%02d-%02d %02d:%02d:%02dZ", bound, c.year, c.month,
                          c.day, c.hour, c.minute, c.second);
}
