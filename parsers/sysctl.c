/* SPDX-License-Identifier: MIT
 *
 * sysctl lines of a Mac that bear on memory.
 * Seen: macOS 10.13 to 26.5.
 *
 *     vm.swapusage: total = 23552.00M  used = 22392.56M  free = 1159.44M  (encrypted)
 *
 * vm.swapusage (its key may be missing: sysctl -n; comma locales print 6655,06M) becomes the swap
 * figures, hw.memsize the RAM, hw.pagesize the page, hw.ncpu and hw.logicalcpu the cores, hw.model,
 * kern.hostname, kern.osproductversion, kern.version, kern.bootsessionuuid and kern.boottime what
 * they name (uname -a and sw_vers tell some of it too), iogpu.wired_limit_mb (unless 0 = the
 * default) a limit, the pressure level (1 normal, 2 warning, 4 critical) and
 * kern.memorystatus_level (the free percentage) figures. Every other key is left out. Lines that
 * follow each other are one record.
 */
#include "parsers/scan.h"
#include "parsers/side.h"
#include "parsers/stamp.h"

#include <string.h>

struct entry {
    const char *key, *value;
    size_t key_length, value_length;
};

/* "Darwin mac.local 25.1.0 Darwin Kernel Version 25.1.0: ...": uname -a */
static bool is_uname(const char *line, size_t length)
{
    return ja_text_begins(line, length, "Darwin ") &&
           ja_text_find(line, length, " Darwin Kernel Version ") < length;
}

/* Lines of other tools that tell what a sysctl tells. */
static bool split_cousin(const char *line, size_t length, struct entry *ret)
{
    static const struct {
        const char *label, *key;
    } cousins[] = {
        {"ProductVersion:", "kern.osproductversion"}, /* sw_vers */
        {"BuildVersion:", "kern.osversion"},
    };
    if (ja_text_begins(line, length, "total = ") &&
        ja_text_find(line, length, " used = ") < length) {
        *ret = (struct entry){"vm.swapusage", line, 12, length}; /* sysctl -n */
        return true;
    }
    if (is_uname(line, length)) {
        *ret = (struct entry){"uname", line, 5, length};
        return true;
    }
    for (size_t i = 0; i < sizeof cousins / sizeof cousins[0]; i++) {
        size_t n = strlen(cousins[i].label);
        if (!ja_text_begins(line, length, cousins[i].label))
            continue;
        *ret = (struct entry){cousins[i].key, line + n, strlen(cousins[i].key), length - n};
        ja_text_trim(&ret->value, &ret->value_length);
        return ret->value_length > 0;
    }
    return false;
}

/* "key: value", "key = value", "key=value" with a key of sysctl's name spaces. */
static bool split(const char *line, size_t length, struct entry *ret)
{
    static const char *const spaces[] = {"vm.", "kern.", "hw.", "machdep.", "iogpu."};
    ja_text_trim(&line, &length);
    bool known = false;
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0] && !known; i++)
        known = ja_text_begins(line, length, spaces[i]);
    if (!known)
        return split_cousin(line, length, ret);
    size_t n = 0;
    while (n < length && ((line[n] >= 'a' && line[n] <= 'z') ||
                          (line[n] >= '0' && line[n] <= '9') || line[n] == '.' || line[n] == '_'))
        n++;
    struct ja_scan scan = ja_scan_of(line, length);
    scan.at = n;
    ja_scan_blanks(&scan);
    if (!ja_scan_char(&scan, ':') && !ja_scan_char(&scan, '='))
        return false;
    ja_scan_blanks(&scan);
    *ret = (struct entry){line, line + scan.at, n, length - scan.at};
    return true;
}

static bool begins(const char *line, size_t length)
{
    struct entry entry;
    return length < 1000 && split(line, length, &entry);
}

/* "memory_pressure | tail -1" printed below: its last line alone. */
static bool is_percentage(const struct ja_line *line, struct ja_side_entry *ret)
{
    return ja_text_find(line->text, line->length, "%") < line->length && ja_side_entry(line, ret) &&
           ja_text_is(ret->key, ret->key_length, "System-wide memory free percentage");
}

static int bid(const struct ja_piece *piece)
{
    struct ja_line line;
    size_t at = 0;
    int number = 0, best = 0;
    while (ja_piece_line(piece, &at, &number, &line)) {
        struct entry entry;
        struct ja_side_entry percentage;
        if (best == 60 && is_percentage(&line, &percentage))
            return 75; /* read here, too: more than memory_pressure sees in it */
        if (best || line.length >= 1000 || !split(line.text, line.length, &entry))
            continue;
        best = ja_text_is(entry.key, entry.key_length, "vm.swapusage") ? 85 : 60;
    }
    return best;
}

static const char *copy(struct ja_parse *parse, const struct entry *entry)
{
    return ja_arena_copy(parse->evidence->arena, entry->value, entry->value_length);
}

static bool whole(const struct entry *entry, int64_t *ret)
{
    struct ja_scan scan = ja_scan_of(entry->value, entry->value_length);
    int64_t value;
    if (!ja_scan_i64(&scan, &value) || !ja_scan_end(&scan))
        return false;
    *ret = value;
    return true;
}

/* One of "total = 6655,06M" inside the line. */
static bool part(const struct entry *entry, const char *label, int64_t *ret)
{
    size_t at = ja_text_find(entry->value, entry->value_length, label);
    struct ja_scan scan = ja_scan_of(entry->value, entry->value_length);
    struct ja_quantity size;
    scan.at = at;
    if (at == entry->value_length || !ja_scan_text(&scan, label) || !ja_scan_size(&scan, &size))
        return false;
    *ret = size.value;
    return true;
}

static void read_swap(struct ja_parse *parse, uint32_t record, const struct entry *entry, int line)
{
    int64_t total, used;
    if (part(entry, "total = ", &total))
        ja_side_figure(parse, record, JA_FIGURE_SWAP_TOTAL, total, line);
    if (part(entry, "used = ", &used)) {
        ja_side_figure(parse, record, JA_FIGURE_SWAP_USED, used, line);
        return;
    }
    ja_diagnose(parse->evidence, JA_WARNING, "cut", line, NULL, "swap line cut off");
    ja_set_status(parse->evidence, JA_STATUS_DAMAGED, "cut off in a line");
}

/* "{ sec = 1791887520, usec = 204811 } Tue Oct 13 18:32:00 2026" */
static void read_boot(struct ja_parse *parse, const struct entry *entry)
{
    struct ja_scan scan = ja_scan_of(entry->value, entry->value_length);
    int64_t seconds, us = 0;
    if (!ja_scan_text(&scan, "{ sec = ") || !ja_scan_u63(&scan, &seconds) ||
        seconds > INT64_C(4102444800))
        return;
    bool exact = ja_scan_text(&scan, ", usec = ") && ja_scan_u63(&scan, &us) && us < 1000000;
    struct ja_stamp stamp = {
        .clock = JA_CLOCK_REPORT,
        .parts = JA_STAMP_UNIX,
        .unix_ns = seconds * JA_NS_PER_S + (exact ? us * JA_NS_PER_US : 0),
        .step_ns = exact ? JA_NS_PER_US : JA_NS_PER_S,
        .text = copy(parse, entry),
    };
    uint32_t index = ja_add_stamp(parse->evidence, &stamp);
    ja_side_system(parse)->boot_stamp = index;
}

/* "macOS 26.2 (25C56)", of two lines in either order; at most one of the two is given. */
static const char *os_text(struct ja_parse *parse, const char *version, const char *build)
{
    const char *known = ja_side_system(parse)->os; /* "macOS 26.2" or "macOS (25C56)" */
    struct ja_arena *arena = parse->evidence->arena;
    const char *open = known ? strchr(known, '(') : NULL;
    if (version)
        return ja_arena_print(arena, "macOS %s%s%s", version, open ? " " : "", open ? open : "");
    if (!build || (open && open - known > 6))
        return known; /* both are known from an earlier round */
    if (!known || open)
        return ja_arena_print(arena, "macOS (%s)", build);
    return ja_arena_print(arena, "%s (%s)", known, build);
}

static void read_uname(struct ja_parse *parse, const struct entry *entry)
{
    struct ja_scan scan = ja_scan_of(entry->value, entry->value_length);
    const char *host;
    size_t length,
        kernel = ja_text_find(entry->value, entry->value_length, "Darwin Kernel Version");
    ja_scan_text(&scan, "Darwin ");
    struct ja_arena *arena = parse->evidence->arena;
    if (ja_scan_word(&scan, &host, &length))
        ja_side_system(parse)->host_name = ja_arena_copy(arena, host, length);
    ja_side_system(parse)->kernel =
        ja_arena_copy(arena, entry->value + kernel, entry->value_length - kernel);
}

static void read_texts(struct ja_parse *parse, const struct entry *entry)
{
    struct ja_system *system = ja_side_system(parse);
    if (ja_text_is(entry->key, entry->key_length, "hw.model"))
        system->model = copy(parse, entry);
    else if (ja_text_is(entry->key, entry->key_length, "kern.hostname"))
        system->host_name = copy(parse, entry);
    else if (ja_text_is(entry->key, entry->key_length, "kern.osproductversion"))
        system->os = os_text(parse, copy(parse, entry), NULL);
    else if (ja_text_is(entry->key, entry->key_length, "kern.osversion"))
        system->os = os_text(parse, NULL, copy(parse, entry));
    else if (ja_text_is(entry->key, entry->key_length, "uname"))
        read_uname(parse, entry);
    else if (ja_text_is(entry->key, entry->key_length, "kern.version"))
        system->kernel = copy(parse, entry);
    else if (ja_text_is(entry->key, entry->key_length, "kern.bootsessionuuid"))
        system->boot_id = copy(parse, entry);
    else if (ja_text_is(entry->key, entry->key_length, "kern.boottime"))
        read_boot(parse, entry);
}

static void read_limit(struct ja_parse *parse, uint32_t record, int64_t mib, int line)
{
    int64_t bytes;
    if (mib <= 0 || !ja_multiply(mib, JA_MIB, &bytes))
        return; /* 0: the driver's default is in force, no limit is printed */
    ja_add_fact(parse->evidence, record, JA_FACT_LIMIT, bytes, "iogpu.wired_limit_mb",
                ja_add_place_line(parse->evidence, line));
}

static void read_number(struct ja_parse *parse, uint32_t record, const struct entry *entry,
                        int line)
{
    int64_t n;
    if (!whole(entry, &n) || n < 0)
        return;
    if (ja_text_is(entry->key, entry->key_length, "hw.memsize"))
        ja_side_ram(parse, record, n, line);
    else if (ja_text_is(entry->key, entry->key_length, "hw.pagesize") && n >= 1024 && n <= 65536)
        ja_side_system(parse)->page_bytes = n;
    else if ((ja_text_is(entry->key, entry->key_length, "hw.ncpu") ||
              ja_text_is(entry->key, entry->key_length, "hw.logicalcpu")) &&
             n >= 1 && n <= 4096)
        ja_side_system(parse)->cores = n;
    else if (ja_text_is(entry->key, entry->key_length, "kern.memorystatus_vm_pressure_level") &&
             n <= 4)
        ja_side_figure(parse, record, JA_FIGURE_PRESSURE_LEVEL, n, line);
    else if (ja_text_is(entry->key, entry->key_length, "kern.memorystatus_level") && n <= 100)
        ja_side_figure(parse, record, JA_FIGURE_PERCENT_FREE, n, line);
    else if (ja_text_is(entry->key, entry->key_length, "iogpu.wired_limit_mb"))
        read_limit(parse, record, n, line);
}

static bool is_known(const struct entry *entry)
{
    static const char *const known[] = {
        "vm.swapusage",
        "hw.memsize",
        "hw.pagesize",
        "hw.ncpu",
        "hw.logicalcpu",
        "hw.model",
        "kern.hostname",
        "kern.osversion",
        "uname",
        "kern.version",
        "kern.osproductversion",
        "kern.bootsessionuuid",
        "kern.boottime",
        "kern.memorystatus_vm_pressure_level",
        "kern.memorystatus_level",
        "iogpu.wired_limit_mb",
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (ja_text_is(entry->key, entry->key_length, known[i]))
            return true;
    return false;
}

/* The record that lines of this run share: the last one when it is ours and of the same stamp. */
static uint32_t record_of(const struct ja_piece *piece, struct ja_parse *parse, enum ja_kind kind,
                          int line)
{
    struct ja_evidence *e = parse->evidence;
    if (e->record_count) {
        const struct ja_record *last = &e->records[e->record_count - 1];
        if ((last->kind == JA_KIND_SYSCTL || last->kind == JA_KIND_SWAPUSAGE) &&
            last->stamp == piece->stamp) {
            ja_set_kind(e, kind);
            return (uint32_t)e->record_count - 1;
        }
    }
    return ja_side_record(piece, parse, kind, line);
}

static bool take_percentage(const struct ja_piece *piece, struct ja_parse *parse,
                            const struct ja_line *line)
{
    struct ja_side_entry entry;
    if (!is_percentage(line, &entry))
        return false;
    if (entry.value <= 100)
        ja_side_figure(parse, record_of(piece, parse, JA_KIND_MEMORY_PRESSURE, line->number),
                       JA_FIGURE_PERCENT_FREE, entry.value, line->number);
    return true;
}

static void parse(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    while (ja_piece_line(piece, &at, &number, &line)) {
        struct entry entry;
        if (take_percentage(piece, parse, &line))
            continue;
        if (line.length >= 1000 || !split(line.text, line.length, &entry))
            continue;
        if (!is_known(&entry)) {
            ja_set_kind(parse->evidence, JA_KIND_SYSCTL);
            continue;
        }
        bool swap = ja_text_is(entry.key, entry.key_length, "vm.swapusage");
        uint32_t record =
            record_of(piece, parse, swap ? JA_KIND_SWAPUSAGE : JA_KIND_SYSCTL, line.number);
        if (swap) {
            read_swap(parse, record, &entry, line.number);
            continue;
        }
        read_texts(parse, &entry);
        read_number(parse, record, &entry, line.number);
    }
}

const struct ja_parser ja_parser_sysctl = {
    .name = "sysctl",
    .reads = "sysctl lines: vm.swapusage, hw.memsize, pressure, iogpu limits (macOS 10.13 to 26)",
    .begins = begins,
    .bid = bid,
    .parse = parse,
};
