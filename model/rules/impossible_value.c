/* SPDX-License-Identifier: MIT
 *
 * Does a value break an identity of its own report? Then it was copied, converted or edited
 * wrongly, and nothing may be concluded from it.
 */
#include "model/rule.h"
#include "model/tables.h"

#include <string.h>

static const struct identity {
    const char *name;
    enum ja_figure value, limit; /* JA_FIGURE_COUNT: no single figure */
    const char *subject, *what;
} identities[] = {
    {"compressor_over_ram", JA_FIGURE_COMPRESSOR, JA_FIGURE_RAM, "The compressor's size",
     "the compressor cannot hold more RAM than there is"},
    {"parts_over_ram", JA_FIGURE_MANAGED, JA_FIGURE_RAM, "The sum of all page classes",
     "page classes cannot add up to more than RAM"},
    {"swap_over_total", JA_FIGURE_SWAP_USED, JA_FIGURE_SWAP_TOTAL, "The swap in use",
     "no more swap can be used than there is"},
    {"pages_identity", JA_FIGURE_ANONYMOUS, JA_FIGURE_COUNT, "The sum of the page lists",
     "active, inactive and speculative pages must sum to anonymous and file-backed ones"},
    {"cpu_over_age", JA_FIGURE_COUNT, JA_FIGURE_COUNT, "A row's CPU time",
     "no process can use more CPU time than its age on all cores"},
};

static bool breaks(const struct ja_state *state, const char *name)
{
    for (size_t i = 0; i < state->impossible_count; i++)
        if (strcmp(state->impossible[i], name) == 0)
            return true;
    return false;
}

static int64_t figure_of(const struct ja_state *state, enum ja_figure figure)
{
    return figure == JA_FIGURE_COUNT ? JA_UNKNOWN : state->figures[figure];
}

static void find(struct ja_case *item, uint32_t index, const struct identity *identity,
                 size_t moments)
{
    const struct ja_state *state = &item->states[index];
    int64_t value = figure_of(state, identity->value), limit = figure_of(state, identity->limit);
    struct ja_finding *f =
        ja_find(item, "impossible_value", JA_CONTRADICTED, JA_SERIOUS, state->host, JA_NONE);
    const char *sizes = "";
    if (value != JA_UNKNOWN && limit != JA_UNKNOWN)
        sizes = ja_arena_print(item->arena, ": %s against %s", ja_size_text(item, (double)value, 0),
                               ja_size_text(item, (double)limit, 0));
    ja_say(item, f, identity->subject, JA_VERB_BE, "possible as printed at %s%s%s",
           ja_time_text(item, &state->at), sizes,
           moments > 1 ? ja_arena_print(item->arena, " (and at %zu other moment%s)", moments - 1,
                                        moments == 2 ? "" : "s")
                       : "");
    ja_because(item, f, "%s (%s)", identity->what, identity->name);
    ja_unless(item, f, "the file as it was written, or proof that the machine has more memory");
    ja_next(item, f, "get the original file, and sysctl hw.memsize of the machine");
    ja_whole(item, f, "value_bytes", value);
    ja_whole(item, f, "limit_bytes", limit);
    if (identity->value != JA_FIGURE_COUNT)
        ja_cite(item, f, ja_cite_figure(item, index, identity->value));
    if (!f->cite_count)
        ja_cite_rows(item, f, state, 1);
}

/* One a host and identity, at the first moment that breaks it. */
static void judge(struct ja_case *item)
{
    for (uint32_t h = 0; h < item->host_count; h++) {
        const struct ja_host *host = &item->hosts[h];
        for (size_t k = 0; k < sizeof identities / sizeof *identities; k++) {
            uint32_t first = JA_NONE;
            size_t moments = 0;
            for (uint32_t i = host->first_state; i < host->first_state + host->state_count; i++) {
                if (!breaks(&item->states[i], identities[k].name))
                    continue;
                first = moments++ ? first : i;
            }
            if (first != JA_NONE)
                find(item, first, &identities[k], moments);
        }
    }
}

const struct ja_rule ja_rule_impossible_value = {
    .question = "does a value break an identity of its own report?",
    .names = {{"impossible_value",
               "Counters of one moment must fit each other and the machine: the compressor and "
               "the page classes into RAM, anonymous and file pages to the lists they are on, CPU "
               "time to age. A value that breaks one is marked and not used; the others keep "
               "theirs."}},
    .judge = judge,
};
