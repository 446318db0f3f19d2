/* SPDX-License-Identifier: MIT */
#include "model/metal_set.h"

#include <math.h>
#include <string.h>

#include "model/cap_table.h"

static void add_set(struct ja_metal_set *set, double bytes, const char *why)
{
    if (isfinite(bytes) && set->count < JA_METAL_SETS) {
        set->bytes[set->count] = bytes;
        set->why[set->count++] = why;
    }
}

/* "macOS 26.4.1 (25E253)" -> 26; 0 when not said. */
static int macos_version(const char *os)
{
    static const char name[] = "macOS ";
    int version = 0;
    if (!os || strncmp(os, name, sizeof name - 1) != 0)
        return 0;
    for (const char *at = os + sizeof name - 1; *at >= '0' && *at <= '9' && version < 1000; at++)
        version = version * 10 + (*at - '0');
    return version;
}

static void stock_set(const struct ja_host *host, struct ja_metal_set *set)
{
    double old, new;
    int version = macos_version(host->os);
    ja_working_set(host->ram_bytes == JA_UNKNOWN ? NAN : (double)host->ram_bytes, &old, &new);
    if (version < 26)
        add_set(set, old, "stock working set up to macOS 15");
    if (version == 0 || version >= 26)
        add_set(set, new, "stock working set from macOS 26 on");
}

struct ja_metal_set *ja_metal_sets(const struct ja_case *item)
{
    struct ja_metal_set *sets = ja_arena_alloc(item->arena, item->host_count, sizeof *sets);
    for (size_t i = 0; i < item->source_count; i++) {
        const struct ja_source *source = &item->sources[i];
        for (size_t k = 0; k < source->evidence->fact_count; k++) {
            const struct ja_fact *fact = &source->evidence->facts[k];
            uint32_t host =
                source->duplicate_of == JA_NONE ? source->record_host[fact->record] : JA_NONE;
            if (fact->key != JA_FACT_LIMIT || fact->value <= 0 || !fact->text || host == JA_NONE ||
                (strcmp(fact->text, "iogpu.wired_limit_mb") != 0 &&
                 strcmp(fact->text, "recommended working set") != 0))
                continue;
            sets[host] = (struct ja_metal_set){.recorded = true};
            add_set(&sets[host], (double)fact->value, fact->text);
        }
    }
    for (size_t h = 0; h < item->host_count; h++)
        if (!sets[h].recorded)
            stock_set(&item->hosts[h], &sets[h]);
    return sets;
}
