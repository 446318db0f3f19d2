/* SPDX-License-Identifier: MIT
 *
 * The panic string itself, by class. Wordings (xnu unless said otherwise):
 *
 *   watchdog timeout: no checkins from watchdogd in 94 seconds (1536 total checkins since
 *     monitoring last enabled)[, shutdown in progress]
 *   userspace watchdog timeout: no successful checkins from WindowServer (1 induced crashes) in 140
 *     seconds  service: WindowServer, total successful checkins in 52118 seconds: 5190, ...
 *   zalloc: zone map exhausted while allocating from zone kalloc.8192, likely due to memory leak in
 *     zone kalloc.1024 (5391306752 total bytes, 5264945 elements allocated)        up to
 * macOS 10.15 zalloc[3]: ... in zone [data.kalloc.1024] (19G, 20787632 elements allocated)   macOS
 * 11 on initproc exited -- exit reason namespace 1 subcode 0x7 description: none
 *
 * The size of the newer zone line is cut down to its unit ("19G" is 19 to 20 GiB): the value kept
 * is the printed one. Only the service that the watchdog names becomes a fact; other late services
 * in the list are not the trigger. Whose allocation failed is left out: it is not whose memory it
 * was.
 */
#include "parsers/panic_flat.h"

#include <string.h>

#define LONGEST_SECONDS ((int64_t)10 * 366 * 86400)

static bool number_after(const struct ja_flat *flat, size_t from, size_t to, const char *token,
                         int64_t *ret)
{
    size_t at;
    if (!ja_flat_after(flat, from, token, &at) || at >= to)
        return false;
    struct ja_scan scan = ja_flat_scan(flat, at);
    ja_scan_blanks(&scan);
    return ja_flat_number(&scan, ret);
}

/* "in 94 seconds": the last such figure of the sentence is the silence. */
static bool silence(const struct ja_flat *flat, size_t from, size_t to, int64_t *ret_s)
{
    size_t at = from;
    while (ja_flat_after(flat, at, " in ", &at) && at <= to) {
        struct ja_scan scan = ja_flat_scan(flat, at);
        int64_t seconds;
        if (!ja_scan_u63(&scan, &seconds) || seconds > LONGEST_SECONDS)
            continue;
        ja_scan_blanks(&scan);
        if (!ja_scan_text(&scan, "second"))
            continue;
        *ret_s = seconds;
        return true;
    }
    return false;
}

static void kernel_watchdog(struct ja_flat *flat, size_t from, size_t to)
{
    ja_flat_fact(flat, from, JA_FACT_WATCHDOG_KIND, JA_UNKNOWN, "kernel");
    size_t at;
    if (ja_flat_after(flat, from, " from watchdogd", &at) && at <= to)
        ja_flat_fact(flat, from, JA_FACT_WATCHDOG_WHO, JA_UNKNOWN, "watchdogd");
    int64_t value;
    if (silence(flat, from, to, &value))
        ja_flat_fact(flat, from, JA_FACT_WATCHDOG_SILENT_S, value, NULL);
    if (ja_flat_after(flat, from, "seconds (", &at) && at < to) {
        struct ja_scan scan = ja_flat_scan(flat, at);
        if (ja_scan_u63(&scan, &value) && ja_scan_text(&scan, " total"))
            ja_flat_fact(flat, at, JA_FACT_WATCHDOG_CHECKINS, value, NULL);
    }
    if (ja_flat_after(flat, from, "shutdown in progress", &at) && at <= to)
        ja_flat_fact(flat, at, JA_FACT_SHUTDOWN, JA_UNKNOWN, "shutdown in progress");
}

/* The name behind " from ": up to " (" or " in " or the end. */
static const char *service_name(const struct ja_flat *flat, size_t from, size_t to)
{
    size_t at;
    if (!ja_flat_after(flat, from, " from ", &at) || at >= to)
        return NULL;
    size_t end = to;
    static const char *const stops[] = {" (", " in ", " since ", ","};
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        size_t found = ja_text_find(flat->text + at, end - at, stops[i]);
        if (found < end - at)
            end = at + found;
    }
    return end < flat->length ? ja_flat_copy(flat, at, end) : NULL; /* else cut inside the name */
}

/* Its own line of the service list: how many successful check-ins there were. */
static void service_line(struct ja_flat *flat, size_t from, const char *name)
{
    const char *head = ja_arena_print(flat->parse->scratch, "service: %s", name);
    size_t at = from;
    while (ja_flat_after(flat, at, head, &at)) {
        char next = at < flat->length ? flat->text[at] : '\0';
        if (next != ',' && next != ' ')
            continue;
        size_t end, count;
        if (!ja_flat_after(flat, at, "service: ", &end))
            end = flat->length;
        int64_t total;
        if (ja_flat_after(flat, at, "total successful checkins", &count) && count < end &&
            number_after(flat, count, end, ": ", &total))
            ja_flat_fact(flat, at, JA_FACT_WATCHDOG_CHECKINS, total, NULL);
        return;
    }
}

static void service_watchdog(struct ja_flat *flat, size_t from, size_t to)
{
    ja_flat_fact(flat, from, JA_FACT_WATCHDOG_KIND, JA_UNKNOWN, "userspace");
    const char *name = service_name(flat, from, to);
    if (name)
        ja_flat_fact(flat, from, JA_FACT_WATCHDOG_WHO, JA_UNKNOWN, name);
    int64_t seconds;
    if (silence(flat, from, to, &seconds))
        ja_flat_fact(flat, from, JA_FACT_WATCHDOG_SILENT_S, seconds, NULL);
    if (name)
        service_line(flat, from, name);
}

/* "zone kalloc.1024" or "zone [data.kalloc.1024]". */
static const char *zone_name(const struct ja_flat *flat, size_t at, size_t to)
{
    bool bracket = at < to && flat->text[at] == '[';
    size_t from = at + bracket, end = from;
    while (end < to && flat->text[end] != (bracket ? ']' : ' ') && flat->text[end] != ',')
        end++;
    return end < flat->length ? ja_flat_copy(flat, from, end) : NULL; /* else cut inside the name */
}

static int64_t unit_of(char letter)
{
    switch (letter) {
    case 'K':
        return JA_KIB;
    case 'M':
        return JA_MIB;
    case 'G':
        return JA_GIB;
    case 'T':
        return JA_TIB;
    default:
        return 1;
    }
}

static void zone_size(struct ja_flat *flat, size_t from, size_t to)
{
    struct ja_scan scan = ja_flat_scan(flat, from);
    size_t start = scan.at;
    int64_t value, bytes;
    if (!ja_flat_number(&scan, &value))
        return;
    int64_t unit = scan.at < flat->length ? unit_of(flat->text[scan.at]) : 1;
    if (!ja_multiply(value, unit, &bytes))
        return;
    size_t end = scan.at + (unit > 1);
    ja_flat_fact(flat, from, JA_FACT_ZONE_BYTES, bytes, ja_flat_copy(flat, start, end));
    size_t at;
    if (!ja_flat_after(flat, end, ", ", &at) || at >= to)
        return;
    scan = ja_flat_scan(flat, at);
    if (ja_scan_u63(&scan, &value) && ja_scan_text(&scan, " elements"))
        ja_flat_fact(flat, at, JA_FACT_ZONE_ELEMENTS, value, NULL);
}

static void exhausted(struct ja_flat *flat, size_t from, size_t to,
                      const struct ja_panic_class *class)
{
    ja_flat_fact(flat, from, JA_FACT_EXHAUSTED, JA_UNKNOWN, class->meaning);
    size_t at;
    if (!ja_flat_after(flat, from, "leak in zone ", &at) || at >= to)
        return;
    const char *name = zone_name(flat, at, to);
    if (name)
        ja_flat_fact(flat, at, JA_FACT_ZONE_NAME, JA_UNKNOWN, name);
    if (ja_flat_after(flat, at, "(", &at) && at < to)
        zone_size(flat, at, to);
}

static const char *const namespaces[] = {
    [1] = "JETSAM", [2] = "SIGNAL",       [3] = "CODESIGNING", [4] = "HANGTRACER", [6] = "DYLD",
    [9] = "EXEC",   [10] = "SPRINGBOARD", [11] = "TCC",        [20] = "WATCHDOG",  [23] = "GUARD",
};

static void critical_exit(struct ja_flat *flat, size_t from, size_t to)
{
    int64_t space;
    if (!number_after(flat, from, to, "exit reason namespace", &space))
        return;
    size_t end = from;
    while (end < to && flat->text[end] != ' ' && flat->text[end] != '[')
        end++;
    const char *who = ja_flat_copy(flat, from, end);
    if (!who || strcmp(who, "initproc") == 0)
        who = "launchd";
    ja_flat_fact(flat, from, JA_FACT_EXIT_NAMESPACE, space, who);
    size_t at;
    uint64_t code;
    struct ja_scan scan;
    if (ja_flat_after(flat, from, "subcode ", &at) && at < to &&
        (scan = ja_flat_scan(flat, at), ja_scan_hex(&scan, &code)) && !ja_scan_end(&scan) &&
        code <= INT32_MAX)
        ja_flat_fact(flat, at, JA_FACT_EXIT_CODE, (int64_t)code, NULL);
    if (space == 1)
        return;
    size_t known = sizeof namespaces / sizeof *namespaces;
    const char *word = space > 0 && (uint64_t)space < known ? namespaces[space] : NULL;
    const char *text =
        ja_arena_print(flat->parse->scratch,
                       "the end of a critical process for a reason of namespace %lld%s%s, which is "
                       "not jetsam's",
                       (long long)space, word ? " = " : "", word ? word : "");
    ja_flat_fact(flat, from, JA_FACT_OTHER_CAUSE, JA_UNKNOWN, text);
}

void ja_panic_reason_read(struct ja_flat *flat, size_t from, size_t to,
                          const struct ja_panic_class *class)
{
    switch (class->family) {
    case JA_PANIC_EXHAUSTED:
        exhausted(flat, from, to, class);
        return;
    case JA_PANIC_WATCHDOG:
        if (strcmp(class->word, "watchdog") == 0)
            kernel_watchdog(flat, from, to);
        else if (strcmp(class->word, "userspace_watchdog") == 0)
            service_watchdog(flat, from, to);
        else
            ja_flat_fact(flat, from, JA_FACT_WATCHDOG_KIND, JA_UNKNOWN,
                         class->word[0] == 't' ? "t2" : "hardware");
        return;
    case JA_PANIC_EXIT:
        critical_exit(flat, from, to);
        return;
    case JA_PANIC_OTHER_CAUSE:
        ja_flat_fact(flat, from, JA_FACT_OTHER_CAUSE, JA_UNKNOWN, class->meaning);
        return;
    case JA_PANIC_BUTTON:
    case JA_PANIC_UNKNOWN:
        return;
    }
}

void ja_panic_stackshot(struct ja_parse *parse, uint32_t record, const char *text, size_t length,
                        uint32_t place, struct ja_panic_found *found)
{
    static const struct {
        const char *token, *meaning;
    } rows[] = {
        {"Stackshot Succeeded", NULL},
        {"Stackshot Incomplete", "the stackshot is incomplete"},
        {"Stackshot Failed", "the stackshot failed"},
        {"no stackshot", "the processors could not be halted for a stackshot"},
        {"panicked during stackshot", "the kernel panicked again while it took the stackshot"},
        {"missing stackshot buffer", "the report found no stackshot"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (ja_text_find(text, length, rows[i].token) >= length)
            continue;
        const char *meaning = rows[i].meaning;
        if (i == 1 && ja_text_find(text, length, "err 52") < length)
            meaning = "the process table did not fit into its buffer (err 52)";
        found->table_present = !meaning;
        found->table_absent = meaning;
        ja_add_fact(parse->evidence, record, JA_FACT_STACKSHOT, JA_UNKNOWN,
                    meaning ? meaning : "the stackshot succeeded", place);
        return;
    }
}
