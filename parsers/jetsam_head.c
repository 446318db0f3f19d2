/* SPDX-License-Identifier: MIT
 *
 * The head of a Jetsam report: machine, moment and pages.
 *   "kernel" : "Darwin Kernel Version 24.3.0: ...; root:xnu-11215.82.3~1\/RELEASE_ARM64_T8120"
 *   "memoryStatus" : { "pageSize" : 16384, "compressorSize" : 60000, "memoryPages" : { ... } }
 * Snapshot = date - timeDelta ms. Counts are pages of pageSize; zone sizes are bytes. `free` has
 * `speculative` inside, macOS' `wired` has `throttled` inside. Where pageSize is missing it follows
 * from kernel string or model, which is said; without both, pages stay pages.
 * Left out: genCounter, roots_installed, notes, codeSigningMonitor (nothing of memory), swap (a
 * report does not hold it).
 */
#include "parsers/jetsam.h"

#include <string.h>

#include "parsers/scan.h"
#include "parsers/stamp.h"

#define STATUS "/memoryStatus/"
#define PAGES "/memoryStatus/memoryPages/"
#define DAY_MS (INT64_C(24) * 3600 * 1000)

const struct ja_jetsam_number_row ja_jetsam_numbers[JA_JETSAM_NUMBERS] = {
    [JA_JETSAM_PAGE_SIZE] = {"pageSize", STATUS "pageSize", false},
    [JA_JETSAM_COMPRESSOR_SIZE] = {"compressorSize", STATUS "compressorSize", false},
    [JA_JETSAM_UNCOMPRESSED] = {"uncompressed", STATUS "uncompressed", false},
    [JA_JETSAM_COMPRESSIONS] = {"compressions", STATUS "compressions", false},
    [JA_JETSAM_DECOMPRESSIONS] = {"decompressions", STATUS "decompressions", false},
    [JA_JETSAM_ZONE_MAP_SIZE] = {"zoneMapSize", STATUS "zoneMapSize", false},
    [JA_JETSAM_ZONE_MAP_CAP] = {"zoneMapCap", STATUS "zoneMapCap", false},
    [JA_JETSAM_LARGEST_ZONE_SIZE] = {"largestZoneSize", STATUS "largestZoneSize", false},
    [JA_JETSAM_ACTIVE] = {"active", PAGES "active", true},
    [JA_JETSAM_INACTIVE] = {"inactive", PAGES "inactive", true},
    [JA_JETSAM_SPECULATIVE] = {"speculative", PAGES "speculative", true},
    [JA_JETSAM_THROTTLED] = {"throttled", PAGES "throttled", true},
    [JA_JETSAM_WIRED] = {"wired", PAGES "wired", true},
    [JA_JETSAM_FREE] = {"free", PAGES "free", true},
    [JA_JETSAM_PURGEABLE] = {"purgeable", PAGES "purgeable", true},
    [JA_JETSAM_FILE_BACKED] = {"fileBacked", PAGES "fileBacked", true},
    [JA_JETSAM_ANONYMOUS] = {"anonymous", PAGES "anonymous", true},
    [JA_JETSAM_TIME_DELTA] = {"timeDelta", "/timeDelta", false},
};

void ja_jetsam_head_init(struct ja_jetsam_head *head)
{
    memset(head, 0, sizeof *head);
    head->written = head->place = JA_NONE;
    for (size_t i = 0; i < JA_JETSAM_NUMBERS; i++) {
        head->numbers[i] = JA_UNKNOWN;
        head->places[i] = JA_NONE;
    }
}

/* The digits "major.minor" that follow the first occurrence of prefix. */
static bool version_after(const char *text, const char *prefix, int64_t *ret_major,
                          int64_t *ret_minor)
{
    const char *at = text ? strstr(text, prefix) : NULL;
    if (!at)
        return false;
    at += strlen(prefix);
    struct ja_scan scan = ja_scan_of(at, strlen(at));
    int64_t major, minor = 0;
    if (!ja_scan_u63(&scan, &major) || major > 1000000)
        return false;
    if (ja_scan_char(&scan, '.') && (!ja_scan_u63(&scan, &minor) || minor > 1000000))
        minor = 0;
    *ret_major = major;
    *ret_minor = minor;
    return true;
}

int ja_jetsam_os_major(const char *os, int *ret_minor)
{
    static const char *const names[] = {"iPhone OS ",  "iPad OS ",  "iPadOS ",   "iOS ",
                                        "macOS ",      "Mac OS X ", "Watch OS ", "watchOS ",
                                        "Apple TVOS ", "tvOS ",     "visionOS ", "xrOS "};
    int64_t major, minor;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (version_after(os, names[i], &major, &minor)) {
            if (ret_minor)
                *ret_minor = (int)minor;
            return (int)major;
        }
    }
    return 0;
}

bool ja_jetsam_is_mac(const char *product, const char *os)
{
    return (product && (strncmp(product, "Mac", 3) == 0 || strncmp(product, "iMac", 4) == 0 ||
                        strncmp(product, "VirtualMac", 10) == 0)) ||
           (os && (strncmp(os, "macOS", 5) == 0 || strncmp(os, "Mac OS", 6) == 0));
}

/* Number of a model family: "iPhone12,1" of "iPhone" = 12. */
static bool model_number(const char *product, const char *family, int64_t *ret, int64_t *ret_minor)
{
    size_t length = strlen(family);
    if (!product || strncmp(product, family, length) != 0)
        return false;
    struct ja_scan scan = ja_scan_of(product + length, strlen(product + length));
    int64_t major, minor = 0;
    if (!ja_scan_u63(&scan, &major) || !ja_scan_char(&scan, ',') || !ja_scan_u63(&scan, &minor))
        return false;
    *ret = major;
    *ret_minor = minor;
    return true;
}

/* First model numbers with Apple's own processor; "Mac13,1" and later names are all of them. */
static bool is_silicon_mac(const char *product)
{
    static const struct {
        const char *family;
        int64_t first;
    } silicon[] = {{"MacBookAir", 10}, {"MacBookPro", 17}, {"Macmini", 9},
                   {"iMac", 21},       {"Mac", 13},        {"VirtualMac", 2}};
    int64_t major, minor;
    for (size_t i = 0; i < sizeof silicon / sizeof *silicon; i++)
        if (model_number(product, silicon[i].family, &major, &minor))
            return major >= silicon[i].first;
    return false;
}

/* Devices of the A7 and A8 generation run a kernel with 4 KiB pages, A9 and later 16 KiB. */
static int64_t device_page_bytes(const char *product)
{
    static const struct {
        const char *family;
        int64_t first; /* first number of the family with 16 KiB pages */
    } families[] = {{"iPhone", 8}, {"iPad", 6},           {"iPod", 9},          {"AppleTV", 6},
                    {"Watch", 4},  {"AudioAccessory", 5}, {"RealityDevice", 1}, {"iBridge", 2}};
    int64_t major, minor;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        if (!model_number(product, families[i].family, &major, &minor))
            continue;
        if (major >= families[i].first)
            return 16384;
        /* Nothing was seen of the first three watches. */
        return strcmp(families[i].family, "Watch") == 0 ? JA_UNKNOWN : 4096;
    }
    return JA_UNKNOWN;
}

int64_t ja_jetsam_page_bytes(const char *kernel, const char *product)
{
    static const char *const small[] = {"ARM64_S5L8960X", "ARM64_T7000", "ARM64_T7001",
                                        "RELEASE_ARM_"};
    if (kernel && strstr(kernel, "X86_64"))
        return 4096;
    if (ja_jetsam_is_mac(product, NULL)) {
        if (is_silicon_mac(product) || (kernel && strstr(kernel, "ARM64")))
            return 16384;
        return 4096;
    }
    int64_t bytes = device_page_bytes(product);
    if (bytes != JA_UNKNOWN || !kernel)
        return bytes;
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        if (strstr(kernel, small[i]))
            return 4096;
    return strstr(kernel, "ARM64_") ? 16384 : JA_UNKNOWN;
}

int64_t ja_jetsam_tick_hz(const char *kernel, const char *product)
{
    if (kernel && strstr(kernel, "X86_64"))
        return JA_NS_PER_S;
    if (kernel && strstr(kernel, "ARM"))
        return 24000000;
    if (!product)
        return JA_UNKNOWN;
    if (ja_jetsam_is_mac(product, NULL))
        return is_silicon_mac(product) ? 24000000 : JA_NS_PER_S;
    return device_page_bytes(product) != JA_UNKNOWN ? 24000000 : JA_UNKNOWN;
}

/* xnu-4903.270 (iOS 12.3, macOS 10.14.5) turned lifetimeMax from a resident peak into the peak of
 * the footprint. */
bool ja_jetsam_peak_is_footprint(const char *kernel, const char *os)
{
    int64_t major, minor;
    if (version_after(kernel, "xnu-", &major, &minor))
        return major > 4903 || (major == 4903 && minor >= 270);
    int small = 0;
    int big = ja_jetsam_os_major(os, &small);
    if (ja_jetsam_is_mac(NULL, os))
        return big > 10 || (big == 10 && small >= 15);
    bool watch = os && (strncmp(os, "Watch", 5) == 0 || strncmp(os, "watch", 5) == 0);
    int first = watch ? 5 : 12;
    return big > first || (big == first && small >= 3);
}

static bool is_page_size(int64_t bytes)
{
    return bytes == 4096 || bytes == 8192 || bytes == 16384 || bytes == 65536;
}

static int64_t settle_page_bytes(const struct ja_jetsam_head *head, enum ja_kind kind,
                                 struct ja_evidence *evidence)
{
    int64_t bytes = head->numbers[JA_JETSAM_PAGE_SIZE];
    if (is_page_size(bytes))
        return bytes;
    if (bytes != JA_UNKNOWN)
        ja_diagnose(evidence, JA_ERROR, "bad-page-size", 0, "$.memoryStatus.pageSize",
                    "%lld is no page size of any machine, left out", (long long)bytes);
    bytes = ja_jetsam_page_bytes(head->kernel, head->product);
    if (bytes == JA_UNKNOWN && kind == JA_KIND_JETSAM_TEXT)
        bytes = 4096; /* all that wrote this form without saying it had 4 KiB pages */
    if (bytes == JA_UNKNOWN)
        ja_diagnose(evidence, JA_WARNING, "no-page-size", 0, NULL,
                    "no page size, and neither kernel nor model to tell it: sizes stay in pages, "
                    "no bytes are given");
    else
        ja_diagnose(evidence, JA_WARNING, "assumed-page-size", 0, NULL,
                    "no page size in the report: %lld bytes taken from its %s", (long long)bytes,
                    head->kernel    ? "kernel string and model"
                    : head->product ? "model"
                                    : "form");
    return bytes;
}

static uint32_t make_system(const struct ja_jetsam_head *head, enum ja_kind kind,
                            struct ja_parse *parse)
{
    struct ja_evidence *evidence = parse->evidence;
    uint32_t index = ja_add_system(evidence);
    struct ja_system *system = &evidence->systems[index];
    system->host_key = head->key;
    system->model = head->product;
    system->os = head->build ? head->build : evidence->os;
    system->kernel = head->kernel;
    system->page_bytes = settle_page_bytes(head, kind, evidence);
    system->tick_hz = ja_jetsam_tick_hz(head->kernel, head->product);
    if (!head->kernel && system->tick_hz != JA_UNKNOWN)
        ja_diagnose(evidence, JA_NOTE, "assumed-tick-rate", 0, NULL,
                    "no kernel string: ages read at %lld ticks a second, as the model has it",
                    (long long)system->tick_hz);
    return index;
}

/* The moment of the snapshot: the body's date less timeDelta; the header's time when the body has
 * none; else the stamp above the piece is not ours to take. */
static uint32_t make_stamp(const struct ja_jetsam_head *head, struct ja_parse *parse)
{
    struct ja_evidence *evidence = parse->evidence;
    struct ja_stamp stamp = {0};
    int64_t delta_ms = head->numbers[JA_JETSAM_TIME_DELTA];
    if (delta_ms != JA_UNKNOWN && delta_ms > DAY_MS) {
        ja_diagnose(evidence, JA_ERROR, "bad-number", 0, "$.timeDelta",
                    "%lld ms between snapshot and note is more than a day, taken as unknown",
                    (long long)delta_ms);
        delta_ms = JA_UNKNOWN;
    }
    if (head->date && ja_stamp_exact(head->date, strlen(head->date), evidence->arena, &stamp)) {
        stamp.clock = JA_CLOCK_REPORT;
    } else if (head->written != JA_NONE) {
        stamp = evidence->stamps[head->written];
        if (stamp.nanosecond == 0)
            stamp.step_ns = JA_NS_PER_S; /* newer systems cut this one to ".00" */
        ja_diagnose(evidence, JA_NOTE, "no-date", 0, "$.date",
                    "no usable date in the body: the header's time stands for the snapshot");
    } else {
        if (head->date)
            ja_diagnose(evidence, JA_WARNING, "bad-time", 0, "$.date",
                        "not a date and time: \"%.60s\", the report is undated", head->date);
        return JA_NONE;
    }
    if (delta_ms != JA_UNKNOWN)
        stamp.shift_ns -= delta_ms * JA_NS_PER_MS;
    return ja_add_stamp(evidence, &stamp);
}

bool ja_jetsam_bytes(const struct ja_jetsam *jetsam, int64_t pages, int64_t *ret)
{
    return jetsam->page_bytes != JA_UNKNOWN && ja_multiply(pages, jetsam->page_bytes, ret);
}

static void set_scaled(const struct ja_jetsam_head *head, struct ja_jetsam *jetsam)
{
    static const struct {
        enum ja_jetsam_number number;
        enum ja_figure figure;
        bool pages;
    } rows[] = {
        {JA_JETSAM_COMPRESSOR_SIZE, JA_FIGURE_COMPRESSOR, true},
        {JA_JETSAM_UNCOMPRESSED, JA_FIGURE_UNCOMPRESSED, true},
        {JA_JETSAM_ACTIVE, JA_FIGURE_ACTIVE, true},
        {JA_JETSAM_INACTIVE, JA_FIGURE_INACTIVE, true},
        {JA_JETSAM_SPECULATIVE, JA_FIGURE_SPECULATIVE, true},
        {JA_JETSAM_THROTTLED, JA_FIGURE_THROTTLED, true},
        {JA_JETSAM_WIRED, JA_FIGURE_WIRED, true},
        {JA_JETSAM_PURGEABLE, JA_FIGURE_PURGEABLE, true},
        {JA_JETSAM_FILE_BACKED, JA_FIGURE_FILE_BACKED, true},
        {JA_JETSAM_ANONYMOUS, JA_FIGURE_ANONYMOUS, true},
        {JA_JETSAM_COMPRESSIONS, JA_FIGURE_COMPRESSIONS, false},
        {JA_JETSAM_DECOMPRESSIONS, JA_FIGURE_DECOMPRESSIONS, false},
        {JA_JETSAM_ZONE_MAP_SIZE, JA_FIGURE_ZONE_MAP, false},
        {JA_JETSAM_ZONE_MAP_CAP, JA_FIGURE_ZONE_MAP_CAP, false},
        {JA_JETSAM_LARGEST_ZONE_SIZE, JA_FIGURE_LARGEST_ZONE, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t value = head->numbers[rows[i].number];
        if (value == JA_UNKNOWN || (rows[i].pages && !ja_jetsam_bytes(jetsam, value, &value)))
            continue;
        ja_set_figure(jetsam->parse->evidence, jetsam->record, rows[i].figure, value,
                      head->places[rows[i].number]);
    }
}

/* Pure free pages and all pages the kernel manages; never made from a part of their terms. */
static void set_derived(const struct ja_jetsam_head *head, struct ja_jetsam *jetsam)
{
    const int64_t *n = head->numbers;
    struct ja_evidence *evidence = jetsam->parse->evidence;
    if (n[JA_JETSAM_FREE] == JA_UNKNOWN || n[JA_JETSAM_SPECULATIVE] == JA_UNKNOWN)
        return;
    int64_t pure = n[JA_JETSAM_FREE] - n[JA_JETSAM_SPECULATIVE], bytes;
    if (pure < 0) {
        ja_diagnose(evidence, JA_WARNING, "pages-identity", 0, "$.memoryStatus.memoryPages.free",
                    "fewer free pages than speculative ones among them, free left out");
        return;
    }
    if (ja_jetsam_bytes(jetsam, pure, &bytes))
        ja_set_figure(evidence, jetsam->record, JA_FIGURE_FREE, bytes,
                      head->places[JA_JETSAM_FREE]);
    bool mac = ja_jetsam_is_mac(head->product, head->build ? head->build : evidence->os);
    const int64_t terms[] = {pure,
                             n[JA_JETSAM_ANONYMOUS],
                             n[JA_JETSAM_FILE_BACKED],
                             n[JA_JETSAM_WIRED],
                             n[JA_JETSAM_COMPRESSOR_SIZE],
                             mac ? 0 : n[JA_JETSAM_THROTTLED]};
    int64_t sum = 0;
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        if (terms[i] == JA_UNKNOWN)
            return;
        sum = ja_add(sum, terms[i]);
    }
    if (ja_jetsam_bytes(jetsam, sum, &bytes))
        ja_set_figure(evidence, jetsam->record, JA_FIGURE_MANAGED, bytes,
                      head->places[JA_JETSAM_ANONYMOUS]);
}

void ja_jetsam_begin(const struct ja_jetsam_head *head, enum ja_kind kind, struct ja_parse *parse,
                     struct ja_jetsam *ret)
{
    struct ja_evidence *evidence = parse->evidence;
    if (!evidence->os)
        evidence->os = head->build;
    uint32_t system = make_system(head, kind, parse);
    uint32_t stamp = make_stamp(head, parse);
    uint32_t record = ja_add_record(evidence, kind, stamp);
    evidence->records[record].system = system;
    evidence->records[record].place = head->place;
    evidence->records[record].census = true;
    if (evidence->captured == JA_NONE)
        evidence->captured = stamp;
    int major = ja_jetsam_os_major(evidence->systems[system].os, NULL);
    bool mac = ja_jetsam_is_mac(head->product, evidence->systems[system].os);
    bool text = kind == JA_KIND_JETSAM_TEXT;
    *ret = (struct ja_jetsam){
        .parse = parse,
        .record = record,
        .page_bytes = evidence->systems[system].page_bytes,
        .tick_hz = evidence->systems[system].tick_hz,
        .name_bytes = text || (major && major < 10 && !mac) ? 16 : 32,
        .peak_is_footprint =
            !text && ja_jetsam_peak_is_footprint(head->kernel, evidence->systems[system].os),
        .metric = JA_METRIC_PHYS_FOOTPRINT,
        .row_place = JA_NONE,
        .size_place = JA_NONE,
        .largest = head->largest,
        .resident_pages = JA_UNKNOWN,
        .compressed_pages = JA_UNKNOWN,
        .purgeable_pages = JA_UNKNOWN,
    };
    set_scaled(head, ret);
    set_derived(head, ret);
    if (head->largest)
        ja_add_fact(evidence, record, JA_FACT_LARGEST_PROCESS, JA_UNKNOWN, head->largest,
                    head->place);
}
