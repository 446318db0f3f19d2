/* SPDX-License-Identifier: MIT
 *
 * Did the kernel record its compressor or swap limit reached when it panicked? A limit passed and
 * a watchdog that fired are two facts; that one led to the other is never recorded, so the answer
 * is never CONFIRMED.
 */
#include "model/panics.h"
#include "model/rule.h"
#include "model/rows.h"

#include <math.h>
#include <string.h>

#define WITNESS_NS (15 * 60 * JA_NS_PER_S)

static const enum ja_fact_key cited[] = {JA_FACT_PANIC_STRING,
                                         JA_FACT_COMPRESSOR_PAGES_PERCENT,
                                         JA_FACT_COMPRESSOR_SEGMENTS_PERCENT,
                                         JA_FACT_SWAPFILES,
                                         JA_FACT_SWAP_SPACE_STATE,
                                         JA_FACT_FREE_PAGES,
                                         JA_FACT_PAGES_WANTED,
                                         JA_FACT_COUNT};

/* Kills for lack of compressor or swap space on the same boot in the quarter hour before. */
static size_t witnesses(struct ja_case *item, struct ja_finding *f, const struct ja_panic *panic)
{
    const struct ja_event *at = &item->events[panic->event];
    size_t count = 0;
    for (uint32_t i = 0; ja_instant_known(at->at) && i < item->event_count; i++) {
        const struct ja_event *kill = &item->events[i];
        if (kill->kind != JA_EVENT_JETSAM_KILL || kill->boot != at->boot || !kill->reason ||
            !ja_instant_known(kill->at) || kill->at->unix_ns > at->at->unix_ns ||
            at->at->unix_ns - kill->at->unix_ns > WITNESS_NS ||
            (strcmp(kill->reason, "vm-compressor-space-shortage") != 0 &&
             strcmp(kill->reason, "low-swap") != 0))
            continue;
        if (count < 3)
            ja_cite(item, f, ja_cite_event(item, i));
        count++;
    }
    return count;
}

/* What else agrees: such kills, and other panics of the machine with a limit passed. */
static const char *agreement(struct ja_case *item, struct ja_finding *f,
                             const struct ja_panic *panic)
{
    size_t kills = witnesses(item, f, panic), panics = 0;
    struct ja_panic other;
    for (size_t at = 0; ja_panic_next(item, &at, &other);)
        panics += other.event != panic->event &&
                  item->events[other.event].host == item->events[panic->event].host &&
                  ja_panic_exhaustion(&other) == JA_EXHAUSTION_OVER;
    const char *text = "";
    if (kills)
        text = ja_arena_print(item->arena,
                              "; %zu kill%s for lack of compressor or swap space in the quarter "
                              "hour before agree%s with it",
                              kills, kills == 1 ? "" : "s", kills == 1 ? "s" : "");
    if (panics)
        text = ja_arena_print(item->arena,
                              "%s; %zu other panic%s of this machine recorded a limit "
                              "passed",
                              text, panics, panics == 1 ? "" : "s");
    return text;
}

/* The panic itself shows nothing, but kills shortly before do. */
static const char *before(struct ja_case *item, struct ja_finding *f, const struct ja_panic *panic)
{
    size_t kills = witnesses(item, f, panic);
    return kills
               ? ja_arena_print(item->arena,
                                "; %zu kill%s for lack of compressor or swap space in the quarter "
                                "hour before show that it was short then",
                                kills, kills == 1 ? "" : "s")
               : "";
}

/* Limits of Macs on Apple silicon (xnu 8020 to 11417), upper bounds; false elsewhere. */
static bool limits(const struct ja_case *item, const struct ja_panic *panic, double *ret_held,
                   double *ret_pages)
{
    bool managed;
    int64_t ram = ja_panic_ram(item, panic, &managed);
    uint32_t host = item->events[panic->event].host;
    const char *os = host == JA_NONE ? NULL : item->hosts[host].os;
    const char *kernel = host == JA_NONE ? NULL : item->hosts[host].kernel;
    bool mac = os && strncmp(os, "macOS", 5) == 0 && !(kernel && strstr(kernel, "X86_64"));
    if (ram == JA_UNKNOWN || !mac)
        return false;
    double gib = (double)ram / (double)JA_GIB;
    double pool = gib <= 4 ? 16 * gib : gib <= 8 ? 8 * gib : gib <= 32 ? 4 * gib : 2 * gib;
    double segments = floor(fmin(pool, 192) * 1048576 / 80);
    double pages = segments * 4 * (gib <= 8 ? 1 : gib <= 32 ? 2 : 4);
    *ret_held = segments * 65536;
    *ret_pages = pages * 16384;
    return true;
}

static const char *bytes_text(struct ja_case *item, struct ja_finding *f,
                              const struct ja_panic *panic)
{
    double held, pages;
    if (!limits(item, panic, &held, &pages))
        return "";
    ja_number(item, f, "segments_limit_bytes", held);
    ja_number(item, f, "pages_limit_bytes", pages);
    return ja_arena_print(
        item->arena,
        "; on this machine the full segments limit holds about %s compressed, and "
        "the full pages limit is about %s of original data, in RAM and swap "
        "together (upper bounds)",
        ja_size_text(item, held, JA_GIB), ja_size_text(item, pages, JA_GIB));
}

static const char *line_text(struct ja_case *item, const struct ja_panic *panic)
{
    int64_t files = ja_panic_number(panic, JA_FACT_SWAPFILES);
    const char *swap = ja_panic_words(panic, JA_FACT_SWAP_SPACE_STATE);
    const char *pages = ja_panic_words(panic, JA_FACT_COMPRESSOR_PAGES_STATE);
    const char *segments = ja_panic_words(panic, JA_FACT_COMPRESSOR_SEGMENTS_STATE);
    return ja_arena_print(
        item->arena, "%lld %% of its pages limit (%s), %lld %% of its segments limit (%s)%s%s%s",
        (long long)ja_panic_number(panic, JA_FACT_COMPRESSOR_PAGES_PERCENT), pages,
        (long long)ja_panic_number(panic, JA_FACT_COMPRESSOR_SEGMENTS_PERCENT), segments,
        files == JA_UNKNOWN ? ""
                            : ja_arena_print(item->arena, ", %lld swapfiles", (long long)files),
        swap ? ", swap space " : "", swap ? swap : "");
}

static void say_over(struct ja_case *item, struct ja_finding *f, const struct ja_panic *panic,
                     bool watchdog)
{
    const char *segments = ja_panic_words(panic, JA_FACT_COMPRESSOR_SEGMENTS_STATE);
    bool by_segments = segments && strcmp(segments, "BAD") == 0;
    const char *pages = ja_panic_words(panic, JA_FACT_COMPRESSOR_PAGES_STATE);
    bool by_pages = pages && strcmp(pages, "BAD") == 0;
    ja_say(item, f, ja_panic_title(item, panic), JA_VERB_RECORD,
           "an exhausted memory compressor: it was over 98 %% of its %s limit when the %s (%s)",
           by_segments && by_pages ? "pages and its segments"
           : by_segments           ? "segments"
                                   : "pages",
           watchdog ? "watchdog fired" : "machine stopped", line_text(item, panic));
    const char *low = ja_panic_words(panic, JA_FACT_SWAP_SPACE_STATE);
    ja_because(item, f,
               "BAD is the kernel's own test (count above 98 %% of the limit); that this made the "
               "%s is not recorded%s%s%s%s",
               watchdog ? "silence" : "fault",
               by_pages ? ""
                        : "; with the pages limit OK much RAM may still have been free, so "
                          "this is not 'out of RAM'",
               low && strcmp(low, "LOW") == 0 ? "; besides, swap could not be extended (LOW)" : "",
               agreement(item, f, panic), bytes_text(item, f, panic));
}

/* Free pages under 0.1 % of memory, pages wanted, one process above 60 %: signs, no proof. */
static const char *soft_signs(struct ja_case *item, const struct ja_panic *panic)
{
    bool managed;
    int64_t ram = ja_panic_ram(item, panic, &managed);
    const struct ja_state *state = ja_panic_state(item, panic);
    int64_t wanted = ja_panic_number(panic, JA_FACT_PAGES_WANTED);
    int64_t loose_free = ja_panic_number(panic, JA_FACT_FREE_PAGES);
    int64_t free = state ? state->figures[JA_FIGURE_FREE] : JA_UNKNOWN;
    const char *text = "";
    if (ram != JA_UNKNOWN && free != JA_UNKNOWN && free < ram / 1000)
        text = "under 0.1 % of memory free";
    else if (loose_free != JA_UNKNOWN && loose_free < 4096)
        text = ja_arena_print(item->arena, "%lld free pages", (long long)loose_free);
    if (wanted > 0)
        text = ja_arena_print(item->arena, "%s%s%lld pages wanted", text, *text ? ", " : "",
                              (long long)wanted);
    if (state && state->row_count && ram != JA_UNKNOWN && state->row_bytes[0] != JA_UNKNOWN &&
        state->row_bytes[0] > ram / 10 * 6)
        text = ja_arena_print(item->arena, "%s%sone process above 60 %% of memory", text,
                              *text ? ", " : "");
    return *text ? ja_arena_print(item->arena, "; soft signs only: %s (possible, not shown)", text)
                 : "";
}

static const char *row_name(struct ja_case *item, const struct ja_panic *panic, int64_t pid)
{
    for (uint32_t i = 0; i < panic->evidence->subject_count; i++) {
        struct ja_subject subject = ja_subject_at(panic->evidence, i);
        if (subject.record == panic->record && subject.pid == pid && subject.name)
            return ja_name_text(item, subject.name);
    }
    return NULL;
}

/* A wait for a lock is a cause of its own. */
static const char *lock_text(struct ja_case *item, const struct ja_panic *panic)
{
    const struct ja_fact *fact = ja_panic_fact(panic, JA_FACT_LOCK_WAIT);
    if (!fact)
        return "";
    const char *waits =
        fact->subject == JA_NONE ? NULL : ja_subject_at(panic->evidence, fact->subject).name;
    const char *owner = fact->value == JA_UNKNOWN ? NULL : row_name(item, panic, fact->value);
    return ja_arena_print(item->arena,
                          "; the process table names a thread of %s that waits for a lock of "
                          "another thread%s%s, which is a cause of its own",
                          waits ? ja_name_text(item, waits) : "a process", owner ? " of " : "",
                          owner ? owner : "");
}

static void say_other(struct ja_case *item, struct ja_finding *f, const struct ja_panic *panic,
                      enum ja_exhaustion what)
{
    const char *title = ja_panic_title(item, panic);
    switch (what) {
    case JA_EXHAUSTION_SWAP:
        ja_say(item, f, title, JA_VERB_RECORD,
               "exhausted swap: it could not be extended when the machine stopped (%s)",
               line_text(item, panic));
        ja_because(item, f,
                   "LOW means that free swap was nearly gone and the last attempt to make "
                   "a swap file had failed; look for a full disk; it is no statement "
                   "about RAM, and the link to the stop is not recorded%s",
                   agreement(item, f, panic));
        return;
    case JA_EXHAUSTION_NEAR:
        ja_say(item, f, title, JA_VERB_RECORD,
               "a memory compressor near its limit, not over it (%s)", line_text(item, panic));
        ja_because(item, f,
                   "BAD begins above 98 %%; the percentages are of two tables of the "
                   "kernel, none of RAM, and swapfiles are files of up to 1 GiB each, no "
                   "amount");
        return;
    case JA_EXHAUSTION_NONE:
        ja_say(item, f, title, JA_VERB_RECORD, "an exhausted compressor or swap (%s)%s",
               line_text(item, panic), soft_signs(item, panic));
        ja_because(item, f,
                   "no exhaustion was recorded, which is not the same as memory having "
                   "been fine%s%s",
                   lock_text(item, panic), before(item, f, panic));
        return;
    default:
        ja_say(item, f, title, JA_VERB_RECORD,
               "an exhausted compressor or swap: there is no compressor data in this report%s",
               soft_signs(item, panic));
        ja_because(item, f,
                   "the line is absent before macOS 12 and iOS 15, and in cut copies; "
                   "missing is neither healthy nor exhausted%s",
                   before(item, f, panic));
        return;
    }
}

static void find_exhausted(struct ja_case *item, const struct ja_panic *panic, bool watchdog,
                           enum ja_exhaustion what)
{
    enum ja_grade grade = what <= JA_EXHAUSTION_NEAR ? JA_CONSISTENT : JA_NOT_SHOWN;
    bool critical = watchdog && what == JA_EXHAUSTION_OVER;
    struct ja_finding *f =
        ja_find(item, "compressor_exhausted", grade, critical ? JA_CRITICAL : JA_SERIOUS,
                item->events[panic->event].host, JA_NONE);
    ja_panic_cite(item, f, panic, cited);
    if (what == JA_EXHAUSTION_OVER)
        say_over(item, f, panic, watchdog);
    else
        say_other(item, f, panic, what);
    ja_unless(item, f,
              what == JA_EXHAUSTION_ABSENT ? "a whole copy of the report with its compressor line"
                                           : "a record of what the silent service waited for");
    ja_next(item, f,
            "keep the Jetsam reports of the hours before, and log vm_stat, sysctl "
            "vm.swapusage and vm.compressor_segment_pages_compressed every minute");
    ja_whole(item, f, "pages_percent", ja_panic_number(panic, JA_FACT_COMPRESSOR_PAGES_PERCENT));
    ja_whole(item, f, "segments_percent",
             ja_panic_number(panic, JA_FACT_COMPRESSOR_SEGMENTS_PERCENT));
    ja_whole(item, f, "swapfiles", ja_panic_number(panic, JA_FACT_SWAPFILES));
}

static void judge(struct ja_case *item)
{
    struct ja_panic panic;
    for (size_t at = 0; ja_panic_next(item, &at, &panic);) {
        bool watchdog = ja_panic_fact(&panic, JA_FACT_WATCHDOG_KIND) != NULL;
        enum ja_exhaustion what = ja_panic_exhaustion(&panic);
        if (watchdog || what <= JA_EXHAUSTION_SWAP)
            find_exhausted(item, &panic, watchdog, what);
    }
}

const struct ja_rule ja_rule_compressor_exhausted = {
    .question = "did the kernel record its compressor or swap limit reached?",
    .names = {{"compressor_exhausted",
               "Reads the Compressor Info line of a panic. BAD: a table of the compressor was over "
               "98 % of its limit; LOW: swap could not be extended. Together with a watchdog that "
               "fired this is consistent with exhaustion, never confirmed: the log does not say "
               "why somebody was silent. The percentages are none of RAM. Every watchdog panic "
               "gets an answer, also when it is no."}},
    .judge = judge,
};
