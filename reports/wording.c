/* SPDX-License-Identifier: MIT
 *
 * Moments, sizes, spans and reasons as people read them (text.h).
 */
#include "reports/text.h"

#include <math.h>

const char *ja_when(struct ja_arena *arena, const struct ja_instant *at)
{
    int64_t key = at ? ja_instant_key(at) : JA_UNKNOWN;
    if (key == JA_UNKNOWN)
        return "";
    struct ja_civil c = ja_unix_to_civil(key);
    const char *bound = ja_instant_known(at) ? "" : at->late_ns != JA_UNKNOWN ? "<= " : ">= ";
    return ja_arena_print(arena, "%s%04d-%02d-%02d %02d:%02d:%02dZ", bound, c.year, c.month, c.day,
                          c.hour, c.minute, c.second);
}

static int decimals_for(double shown, double step)
{
    int most = fabs(shown) >= 100 ? 1 : 2, digits = 0;
    for (; digits < most && step < 0.5; step *= 10)
        digits++;
    return digits;
}

static const char *size_text(struct ja_arena *arena, double bytes, double step, const char *tail)
{
    static const struct {
        double unit;
        const char *name;
    } units[] = {
        {1099511627776.0, "TiB"}, {1073741824.0, "GiB"}, {1048576.0, "MiB"}, {1024.0, "KiB"}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (fabs(bytes) < units[i].unit)
            continue;
        double shown = bytes / units[i].unit;
        return ja_arena_print(arena, "%.*f %s%s", decimals_for(shown, step / units[i].unit), shown,
                              units[i].name, tail);
    }
    return ja_arena_print(arena, "%.0f B%s", bytes == 0 ? 0.0 : bytes, tail);
}

const char *ja_bytes(struct ja_arena *arena, int64_t bytes, int64_t step_bytes)
{
    return bytes == JA_UNKNOWN ? "" : size_text(arena, (double)bytes, (double)step_bytes, "");
}

const char *ja_rate(struct ja_arena *arena, double bytes_per_hour)
{
    return isfinite(bytes_per_hour) ? size_text(arena, bytes_per_hour, 0, "/h") : "";
}

const char *ja_span(struct ja_arena *arena, double seconds)
{
    if (!isfinite(seconds))
        return "";
    if (seconds > 0 && seconds < 0.5)
        return "under 1 s";
    if (seconds < 120)
        return ja_arena_print(arena, "%.0f s", seconds);
    if (seconds < 7200)
        return ja_arena_print(arena, "%.1f min", seconds / 60);
    if (seconds < 72 * 3600)
        return ja_arena_print(arena, "%.1f h", seconds / 3600);
    return ja_arena_print(arena, "%.1f days", seconds / 86400);
}

/* ---- words that need one more sentence ------------------------------------------------------- */

const char *ja_reason_text(enum ja_growth_reason reason)
{
    static const char *const reasons[] = {
        [JA_REASON_UNDATED] = "the readings carry no times",
        [JA_REASON_ONE_READING] = "one reading of this life of the process tells no growth",
        [JA_REASON_TWO_READINGS] = "two readings show a difference, not whether it goes on",
        [JA_REASON_FEW_READINGS] = "too few readings of this life of the process",
        [JA_REASON_NO_WORK] = "the process did no work while it was watched",
        [JA_REASON_LITTLE_WORK] = "the process did almost no work while it was watched",
        [JA_REASON_WORK_UNKNOWN] =
            "no work counter: it may have been idle, so growth is not excluded",
        [JA_REASON_NO_CONCERN] =
            "no RAM, cap or slope is known that would say how much growth matters",
        [JA_REASON_NOT_SIGNIFICANT] = "it moves, but not in one direction beyond its own noise",
        [JA_REASON_ONE_STEP] = "it rose in one step, which may not come again",
        [JA_REASON_STOPPED] = "it rose and has stopped",
        [JA_REASON_WANDER] = "it wanders up and down",
        [JA_REASON_FALLS] = "it fell",
        [JA_REASON_SHAPE] = "its shape allows no straight answer",
        [JA_REASON_LATE_RISE] = "it rose only at the end of the window",
        [JA_REASON_STEPS_GROW] = "its steps become larger",
        [JA_REASON_BOUND_ABOVE_X] =
            "growth above the slope that matters is neither shown nor excluded by these readings",
    };
    return reasons[reason];
}

const char *ja_route_text(void)
{
    return "how it was decided: trend, line and steps prove growth over time, work:... over a "
           "counter of work, life:... over several lives; all excludes it over the whole window, "
           "kept without readings that were given back, after rise behind the last rise";
}
