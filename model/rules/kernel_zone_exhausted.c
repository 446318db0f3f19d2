/* SPDX-License-Identifier: MIT
 *
 * Was a kernel zone or map exhausted? The panic text names the resource, so this is CONFIRMED, for
 * that resource and nothing wider: neither RAM nor swap, no process, and "likely due to memory
 * leak" is the kernel's guess from the size of a zone.
 */
#include "model/panics.h"
#include "model/rule.h"

#include <math.h>
#include <string.h>

static const enum ja_fact_key cited[] = {JA_FACT_PANIC_STRING, JA_FACT_ZONE_NAME,
                                         JA_FACT_ZONE_BYTES, JA_FACT_ZONE_ELEMENTS, JA_FACT_COUNT};

/* "data.kalloc.1024" holds elements of 1024 bytes; JA_UNKNOWN for zones named otherwise. */
static int64_t element_bytes(const char *zone)
{
    const char *dot = zone ? strrchr(zone, '.') : NULL;
    if (!dot || !strstr(zone, "kalloc"))
        return JA_UNKNOWN;
    int64_t size = 0;
    for (const char *c = dot + 1; *c; c++) {
        if (*c < '0' || *c > '9' || size > 1000000)
            return JA_UNKNOWN;
        size = size * 10 + (*c - '0');
    }
    return size > 0 ? size : JA_UNKNOWN;
}

static const char *elements_text(struct ja_case *item, struct ja_finding *f, const char *zone,
                                 int64_t elements)
{
    int64_t size = element_bytes(zone), total;
    if (elements == JA_UNKNOWN || size == JA_UNKNOWN || !ja_multiply(elements, size, &total))
        return "";
    ja_whole(item, f, "elements_bytes", total);
    return ja_arena_print(item->arena, "; %lld elements of %lld B are %s", (long long)elements,
                          (long long)size, ja_size_text(item, (double)total, 0));
}

static void find_zone(struct ja_case *item, const struct ja_panic *panic, const char *resource)
{
    const char *zone = ja_panic_words(panic, JA_FACT_ZONE_NAME);
    const char *printed = ja_panic_words(panic, JA_FACT_ZONE_BYTES);
    int64_t bytes = ja_panic_number(panic, JA_FACT_ZONE_BYTES);
    int64_t elements = ja_panic_number(panic, JA_FACT_ZONE_ELEMENTS);
    struct ja_finding *f = ja_find(item, "kernel_zone_exhausted", JA_CONFIRMED, JA_CRITICAL,
                                   item->events[panic->event].host, JA_NONE);
    f->stake_bytes = bytes == JA_UNKNOWN ? 0 : bytes;
    const char *size = bytes == JA_UNKNOWN ? ""
                                           : ja_arena_print(item->arena, " (%s, printed %s%s)",
                                                            ja_size_text(item, (double)bytes, 0),
                                                            printed ? printed : "",
                                                            elements_text(item, f, zone, elements));
    ja_say(item, f, ja_panic_title(item, panic), JA_VERB_RECORD, "that %s was exhausted%s%s%s",
           resource, zone ? "; the largest zone was " : "", zone ? ja_name_text(item, zone) : "",
           size);
    ja_because(item, f,
               "the panic's own text names the resource; it does not say that RAM or swap "
               "was short, nor who filled the zone: the task that panicked made the "
               "allocation that failed, and 'likely due to memory leak' is a guess from "
               "the zone's size");
    ja_unless(item, f, "a whole copy of the report with another panic text");
    ja_next(item, f,
            "log zprint -d of the zone every hour, and list third-party kernel extensions "
            "(kmutil showloaded)");
    ja_whole(item, f, "zone_bytes", bytes);
    ja_whole(item, f, "elements", elements);
    ja_panic_cite(item, f, panic, cited);
}

static void find_no_victim(struct ja_case *item, const struct ja_panic *panic)
{
    struct ja_finding *f = ja_find(item, "no_victim_left", JA_CONFIRMED, JA_CRITICAL,
                                   item->events[panic->event].host, JA_NONE);
    ja_say(item, f, ja_panic_title(item, panic), JA_VERB_RECORD,
           "that the system was out of reclaimable pages and jetsam found nobody left to kill");
    ja_because(item, f, "the panic's own text says so; it does not say who used the memory");
    ja_unless(item, f, "a whole copy of the report with another panic text");
    ja_next(item, f, "keep the Jetsam reports of the hours before");
    ja_panic_cite(item, f, panic, cited);
}

static void judge(struct ja_case *item)
{
    struct ja_panic panic;
    for (size_t at = 0; ja_panic_next(item, &at, &panic);) {
        const char *resource = ja_panic_words(&panic, JA_FACT_EXHAUSTED);
        const char *class = ja_panic_words(&panic, JA_FACT_PANIC_CLASS);
        if (!resource)
            continue;
        if (class && strcmp(class, "no_victim") == 0)
            find_no_victim(item, &panic);
        else
            find_zone(item, &panic, resource);
    }
}

const struct ja_rule ja_rule_kernel_zone_exhausted = {
    .question = "was a kernel zone or map exhausted?",
    .names = {{"kernel_zone_exhausted",
               "The panic text names the exhausted kernel resource (zone map, zone bitmaps, kernel "
               "virtual space). Confirmed is that resource and nothing wider: not RAM, not swap, "
               "no owner. Elements times element size checks the printed size, which newer "
               "kernels cut down to whole units."},
              {"no_victim_left",
               "The kernel of a jetsam system panicked because pages were short and no process was "
               "left to kill. Who used the memory is not recorded."}},
    .judge = judge,
};
