/* SPDX-License-Identifier: MIT
 *
 * The text of a kernel panic, wherever it lies: in "panicString" of an .ips, in a plain .panic of
 * OS X 10.9 to macOS 10.15, or pasted (whole, in part, or wrapped anew). Seen: OS X 10.10 to macOS
 * 27, iOS 12 to 27, Intel and Apple silicon. Example:
 *
 *   panic(cpu 0 caller 0xfffffe004153cfdc): watchdog timeout: no checkins from watchdogd in 94 ...
 *   Epoch Time:        sec       usec
 *     Boot    : 0x6aa6c6ef 0x000418b2
 *     Calendar: 0x6aa7f1cb 0x000025dd
 *   Compressor Info: 7% of compressed pages limit (OK) and 7% of segments limit (OK) with 0
 *     swapfiles and OK swap space
 *   Panicked task 0xf4fffe2402035c88: 0 pages, 623 threads: pid 0: kernel_task
 *
 * panic string -> PANIC_STRING, PANIC_CLASS and the facts of its class (panic_reason.c).
 * Epoch Time   -> Calendar is the moment of the panic (UTC), Boot the start of the boot, Wake gives
 *                 SINCE_WAKE_S. A Calendar before 2015 or before Boot is a clock that was not set:
 *                 no time.
 * Compressor   -> percentages of two kernel limits and whether each is over 98 % (BAD). Neither is
 *                 a percentage of RAM; swapfiles are files of up to 1 GiB, not an amount.
 * mach_absolute_time, System uptime -> AWAKE_S (24 MHz on Apple silicon, ns on Intel).
 * Left out: Memory ID (the DRAM's vendor), zone address ranges, cpu_usage (by priority), kexts,
 * registers, stacks. The panicked task is kept as a name only: it is where the panic was noticed.
 */
#include "parsers/panic_flat.h"

#include <string.h>

#define YEAR_2015 INT64_C(1420070400)
#define YEAR_2200 INT64_C(7258118400)

struct pair {
    int64_t seconds, microseconds; /* JA_UNKNOWN: not said */
    size_t at;
    bool cut;
};

/* Exactly eight hexadecimal digits behind 0x; fewer are the end of a cut text. */
static bool word32(struct ja_scan *scan, int64_t *ret, bool *cut)
{
    ja_scan_blanks(scan);
    if (!ja_scan_text(scan, "0x")) {
        *cut = true;
        return false;
    }
    size_t from = scan->at;
    uint64_t value;
    if (!ja_scan_hex(scan, &value) || scan->at - from != 8) {
        *cut = true;
        return false;
    }
    *ret = (int64_t)value;
    return true;
}

static struct pair time_pair(const struct ja_flat *flat, size_t from, const char *label)
{
    struct pair pair = {.seconds = JA_UNKNOWN, .microseconds = JA_UNKNOWN};
    if (!ja_flat_after(flat, from, label, &pair.at))
        return pair;
    struct ja_scan scan = ja_flat_scan(flat, pair.at);
    ja_scan_blanks(&scan);
    if (!ja_scan_char(&scan, ':')) {
        pair.cut = ja_scan_end(&scan);
        return pair;
    }
    if (word32(&scan, &pair.seconds, &pair.cut))
        word32(&scan, &pair.microseconds, &pair.cut);
    return pair;
}

static bool sane(int64_t seconds)
{
    return seconds >= YEAR_2015 && seconds < YEAR_2200;
}

static uint32_t epoch_stamp(struct ja_flat *flat, const struct pair *pair)
{
    bool fine = pair->microseconds >= 0 && pair->microseconds < 1000000;
    struct ja_stamp stamp = {
        .clock = JA_CLOCK_REPORT,
        .parts = JA_STAMP_UNIX,
        .unix_ns = pair->seconds * JA_NS_PER_S + (fine ? pair->microseconds * JA_NS_PER_US : 0),
        .step_ns = fine ? JA_NS_PER_US : JA_NS_PER_S,
    };
    stamp.text = ja_arena_print(flat->parse->evidence->arena, "0x%08llx 0x%08llx",
                                (unsigned long long)pair->seconds,
                                (unsigned long long)(fine ? pair->microseconds : 0));
    return ja_add_stamp(flat->parse->evidence, &stamp);
}

static void read_wake(struct ja_flat *flat, size_t at, int64_t calendar)
{
    struct pair wake = time_pair(flat, at, "Wake");
    if (wake.seconds > 0 && calendar >= wake.seconds)
        ja_flat_fact(flat, wake.at, JA_FACT_SINCE_WAKE_S, calendar - wake.seconds, NULL);
}

static void read_times(struct ja_flat *flat, struct ja_panic_found *found)
{
    size_t at;
    if (!ja_flat_after(flat, 0, "Epoch Time:", &at))
        return;
    struct pair boot = time_pair(flat, at, "Boot"), calendar = time_pair(flat, at, "Calendar");
    found->cut |= boot.cut || calendar.cut || !calendar.at;
    if (sane(boot.seconds))
        found->boot = epoch_stamp(flat, &boot);
    size_t locked;
    bool unset = ja_flat_after(flat, at, "clock is locked", &locked);
    if (calendar.seconds == JA_UNKNOWN)
        return;
    if (unset || !sane(calendar.seconds) ||
        (sane(boot.seconds) && calendar.seconds < boot.seconds)) {
        ja_diagnose(flat->parse->evidence, JA_WARNING, "clock-not-set", 0, NULL,
                    "Calendar of the panic's Epoch Time is no usable clock, the panic is left "
                    "without a time of its own");
        return;
    }
    found->calendar = epoch_stamp(flat, &calendar);
    found->calendar_s = calendar.seconds;
    if (sane(boot.seconds))
        ja_flat_fact(flat, calendar.at, JA_FACT_UPTIME_S, calendar.seconds - boot.seconds, NULL);
    read_wake(flat, at, calendar.seconds);
}

static void read_awake(struct ja_flat *flat, const struct ja_panic_found *found)
{
    size_t at;
    if (ja_flat_after(flat, 0, "System uptime in nanoseconds:", &at)) {
        struct ja_scan scan = ja_flat_scan(flat, at);
        int64_t ns;
        ja_scan_blanks(&scan);
        if (ja_flat_number(&scan, &ns))
            ja_flat_fact(flat, at, JA_FACT_AWAKE_S, ns / JA_NS_PER_S, NULL);
    } else if (ja_flat_after(flat, 0, "mach_absolute_time:", &at)) {
        bool intel = found->kernel && strstr(found->kernel, "X86_64");
        struct ja_scan scan = ja_flat_scan(flat, at);
        uint64_t ticks;
        ja_scan_blanks(&scan);
        if (!intel && ja_scan_hex(&scan, &ticks) && !ja_scan_end(&scan) &&
            ticks < UINT64_C(1) << 56)
            ja_flat_fact(flat, at, JA_FACT_AWAKE_S, (int64_t)(ticks / 24000000), NULL);
    }
}

static bool limit(struct ja_flat *flat, struct ja_scan *scan, const char *words,
                  enum ja_fact_key percent_key, enum ja_fact_key state_key)
{
    size_t at = scan->at;
    int64_t percent;
    if (!ja_scan_u63(scan, &percent) || percent > 1000 || !ja_scan_text(scan, words))
        return false;
    ja_flat_fact(flat, at, percent_key, percent, NULL);
    size_t from = scan->at;
    while (!ja_scan_end(scan) && scan->text[scan->at] >= 'A' && scan->text[scan->at] <= 'Z')
        scan->at++;
    if (ja_scan_end(scan) || scan->text[scan->at] != ')' || scan->at == from)
        return false;
    ja_flat_fact(flat, from, state_key, JA_UNKNOWN, ja_flat_copy(flat, from, scan->at));
    scan->at++;
    return true;
}

static bool swap_words(struct ja_flat *flat, struct ja_scan *scan)
{
    int64_t files;
    size_t at = scan->at;
    if (!ja_scan_text(scan, " with ") || !ja_scan_u63(scan, &files) || files > 100000)
        return false;
    if (!ja_scan_text(scan, " swapfile"))
        return false;
    ja_flat_fact(flat, at, JA_FACT_SWAPFILES, files, NULL);
    ja_scan_char(scan, 's');
    const char *word;
    size_t length;
    at = scan->at;
    if (ja_scan_text(scan, " and ") && ja_scan_word(scan, &word, &length) &&
        (ja_text_is(word, length, "OK") || ja_text_is(word, length, "LOW")) &&
        ja_scan_text(scan, " swap"))
        ja_flat_fact(flat, at, JA_FACT_SWAP_SPACE_STATE, JA_UNKNOWN,
                     ja_arena_copy(flat->parse->scratch, word, length));
    return true;
}

static void read_compressor(struct ja_flat *flat, struct ja_panic_found *found)
{
    size_t at;
    if (!ja_flat_after(flat, 0, "Compressor Info:", &at))
        return;
    struct ja_scan scan = ja_flat_scan(flat, at);
    ja_scan_blanks(&scan);
    found->has_compressor = true;
    bool whole = limit(flat, &scan, "% of compressed pages limit (",
                       JA_FACT_COMPRESSOR_PAGES_PERCENT, JA_FACT_COMPRESSOR_PAGES_STATE) &&
                 ja_scan_text(&scan, " and ") &&
                 limit(flat, &scan, "% of segments limit (", JA_FACT_COMPRESSOR_SEGMENTS_PERCENT,
                       JA_FACT_COMPRESSOR_SEGMENTS_STATE) &&
                 swap_words(flat, &scan);
    if (!whole)
        found->cut = true;
}

static void read_task(struct ja_flat *flat)
{
    size_t at, name;
    int64_t pid = JA_UNKNOWN;
    if (ja_flat_after(flat, 0, "Panicked task", &at)) {
        size_t end = ja_flat_line_end(flat, at);
        if (!ja_flat_after(flat, at, "pid ", &name) || name >= end)
            return;
        struct ja_scan scan = ja_flat_scan(flat, name);
        if (!ja_scan_u63(&scan, &pid) || !ja_scan_text(&scan, ": "))
            return;
        name = scan.at;
    } else if (!ja_flat_after(flat, 0, "corresponding to current thread: ", &name)) {
        return;
    }
    const char *text = ja_flat_copy(flat, name, ja_flat_line_end(flat, name));
    if (text)
        ja_flat_fact(flat, name, JA_FACT_PANICKED_TASK, pid, text);
}

/* Up to the blank behind the token that names the build ("root:xnu-...~2/RELEASE_ARM64_T8103"). */
static const char *kernel_text(const struct ja_flat *flat)
{
    size_t at;
    if (!ja_flat_after(flat, 0, "Darwin Kernel Version ", &at))
        return NULL;
    size_t root = ja_text_find(flat->text + at, flat->length - at, "root:");
    if (root > 200 || root == flat->length - at)
        return NULL;
    size_t end = at + root;
    while (end < flat->length && flat->text[end] != ' ')
        end++;
    return ja_flat_copy(flat, at - strlen("Darwin Kernel Version "), end);
}

static const char *word_after(const struct ja_flat *flat, const char *token)
{
    size_t at;
    if (!ja_flat_after(flat, 0, token, &at))
        return NULL;
    struct ja_scan scan = ja_flat_scan(flat, at);
    const char *word;
    size_t length;
    ja_scan_blanks(&scan);
    if (!ja_scan_word(&scan, &word, &length) || length > 64 || ja_scan_end(&scan))
        return NULL;
    return ja_arena_copy(flat->parse->scratch, word, length);
}

/* A UUID that somebody blanked out ("000...", "XXX") names no boot. */
static const char *session(const struct ja_flat *flat)
{
    const char *text = word_after(flat, "Boot session UUID:");
    if (!text || strlen(text) != 36)
        return NULL;
    bool digits = false;
    for (const char *c = text; *c; c++) {
        if (!strchr("0123456789abcdefABCDEF-", *c))
            return NULL;
        digits |= c - text < 23 && *c != '0' && *c != '-';
    }
    return digits ? text : NULL;
}

/* Numbers of a ticket's quote, where no JSON table carries them. */
static void read_quoted(struct ja_flat *flat)
{
    static const struct {
        const char *token;
        enum ja_fact_key key;
    } quoted[] = {{"\"memoryPages\":{\"free\":", JA_FACT_FREE_PAGES},
                  {"\"pagesWanted\":", JA_FACT_PAGES_WANTED},
                  {"residentMemoryBytes = ", JA_FACT_LOOSE_SIZE},
                  {"residentMemoryBytes: ", JA_FACT_LOOSE_SIZE}};
    for (size_t i = 0; i < sizeof quoted / sizeof *quoted; i++) {
        size_t at;
        int64_t value;
        if (!ja_flat_after(flat, 0, quoted[i].token, &at))
            continue;
        struct ja_scan scan = ja_flat_scan(flat, at);
        ja_scan_blanks(&scan);
        if (ja_flat_number(&scan, &value))
            ja_flat_fact(flat, at, quoted[i].key, value, NULL);
    }
}

/* Where the panic's own sentence begins: behind "panic(cpu 0 caller 0x...): ". *ret_whole is the
 * offset of the "panic(" itself. */
static bool find_reason(const struct ja_flat *flat, size_t *ret_whole, size_t *ret_from)
{
    static const char *const heads[] = {"panic(cpu", "panic(CPU", "Panic(CPU"};
    size_t at = 0;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        if (!ja_flat_after(flat, 0, heads[i], &at))
            continue;
        *ret_whole = at - strlen(heads[i]);
        size_t close;
        if (ja_flat_after(flat, at, "):", &close) && close - at < 120)
            at = close;
        while (at < flat->length && flat->text[at] == ' ')
            at++;
        *ret_from = at;
        return true;
    }
    if (!ja_flat_after(flat, 0, "Debugger message:", &at))
        at = 0;
    bool first = at == strlen("Debugger message:");
    if (flat->log->json_path && !first) { /* "panicString" begins with the sentence itself */
        *ret_whole = *ret_from = 0;
        return flat->length > 0;
    }
    if (!at || ja_text_begins(flat->text + at, flat->length - at, " panic"))
        return false;
    *ret_whole = at - strlen("Debugger message:");
    *ret_from = at < flat->length && flat->text[at] == ' ' ? at + 1 : at;
    return true;
}

static void read_reason(struct ja_flat *flat, struct ja_panic_found *found)
{
    size_t whole, from;
    if (!find_reason(flat, &whole, &from)) {
        found->place = ja_flat_place(flat, 0);
        return;
    }
    size_t line = ja_flat_line_end(flat, from), end = ja_flat_part_end(flat, from);
    found->place = ja_flat_place(flat, whole);
    found->detail = ja_flat_copy(flat, whole, line);
    ja_flat_fact(flat, whole, JA_FACT_PANIC_STRING, JA_UNKNOWN, found->detail);
    found->class = ja_panic_classify(flat->text + from, line - from);
    if (!found->class)
        found->class = ja_panic_classify(flat->text + from, end - from);
    ja_flat_fact(flat, whole, JA_FACT_PANIC_CLASS, JA_UNKNOWN,
                 found->class ? found->class->word : "unknown");
    if (found->class)
        ja_panic_reason_read(flat, from, end, found->class);
}

static bool holds(const struct ja_flat *flat, const char *token)
{
    size_t at;
    return ja_flat_after(flat, 0, token, &at);
}

/* A log has a tail; one that begins like a log and lacks it was cut. */
static void judge_end(struct ja_flat *flat, struct ja_panic_found *found)
{
    bool arm = holds(flat, "Debugger message:") || holds(flat, "Epoch Time:");
    bool intel = holds(flat, "Backtrace (CPU") || holds(flat, "System uptime in");
    found->quote = !arm && !intel;
    if (arm && !holds(flat, "Panicked task") && !holds(flat, "System uptime in"))
        found->cut = true;
    if (intel && !arm && !holds(flat, "System uptime in"))
        found->cut = true;
    if (!found->detail && !found->quote)
        found->cut = true;
    if (found->cut)
        ja_flat_fact(flat, flat->length ? flat->length - 1 : 0, JA_FACT_CUT, JA_UNKNOWN,
                     "the panic text ends early");
}

void ja_panic_text_read(struct ja_parse *parse, uint32_t record, const struct ja_panic_log *log,
                        struct ja_panic_found *ret)
{
    struct ja_flat flat = ja_flat_make(parse, record, log);
    *ret = (struct ja_panic_found){
        .calendar = JA_NONE, .boot = JA_NONE, .place = JA_NONE, .calendar_s = JA_UNKNOWN};
    ret->kernel = kernel_text(&flat);
    ret->os_build = word_after(&flat, "OS version:");
    ret->model = word_after(&flat, "System model name:");
    ret->boot_session = session(&flat);
    read_reason(&flat, ret);
    read_times(&flat, ret);
    read_awake(&flat, ret);
    read_compressor(&flat, ret);
    read_task(&flat);
    if (!log->json_path)
        read_quoted(&flat);
    ja_panic_stackshot(parse, record, flat.text, flat.length, ret->place, ret);
    judge_end(&flat, ret);
    ja_panic_zones_read(&flat);
}
