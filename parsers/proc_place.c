/* SPDX-License-Identifier: MIT */
#include "parsers/proc_place.h"

#include <string.h>

#include "parsers/scan.h"
#include "parsers/stamp.h"

enum { COMPONENTS = 64, PID_DIGITS = 7 };

struct part {
    const char *text;
    size_t length;
};

struct parts {
    struct part items[COMPONENTS];
    size_t count;
    const char *path;
};

static void split(const char *path, struct parts *ret)
{
    ret->count = 0;
    ret->path = path;
    for (const char *at = path; *at;) {
        size_t length = strcspn(at, "/");
        if (length && ret->count == COMPONENTS) {
            memmove(ret->items, ret->items + 1, (COMPONENTS - 1) * sizeof ret->items[0]);
            ret->count--;
        }
        if (length)
            ret->items[ret->count++] = (struct part){at, length};
        at += length + (at[length] == '/');
    }
}

static bool is(const struct part *part, const char *word)
{
    return ja_text_is(part->text, part->length, word);
}

static bool pid_of(const char *text, size_t length, int64_t *ret)
{
    struct ja_scan scan = ja_scan_of(text, length);
    int64_t pid;
    if (length == 0 || length > PID_DIGITS || !ja_scan_u63(&scan, &pid) || !ja_scan_end(&scan))
        return false;
    *ret = pid;
    return true;
}

/* The folders before component count, as text; "." when there is none. */
static const char *folder(const struct parts *parts, size_t count, struct ja_arena *arena)
{
    if (count == 0)
        return ".";
    const struct part *last = &parts->items[count - 1];
    return ja_arena_copy(arena, parts->path, (size_t)(last->text + last->length - parts->path));
}

static size_t find(const struct parts *parts, const char *word)
{
    for (size_t i = 0; i + 1 < parts->count; i++)
        if (is(&parts->items[i], word))
            return i;
    return parts->count;
}

static const char *const proc_names[] = {
    "smaps_rollup", "smaps",    "statm",         "status",    "stat",      "meminfo",
    "vmstat",       "swaps",    "uptime",        "cmdline",   "comm",      "cgroup",
    "boot_id",      "version",  "memory",        "osrelease", "hostname",  "loadavg",
    "limits",       "pressure", "zoneinfo",      "slabinfo",  "buddyinfo", "mm_stat",
    "date",         "uname",    "oom_score_adj", "oom_score", "rollup",
};

static const char *proc_name(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof proc_names / sizeof proc_names[0]; i++)
        if (ja_text_is(text, length, proc_names[i]))
            return proc_names[i];
    return NULL;
}

/* The folder "proc" of a tree: behind it stands what /proc holds (a folder of samples may be called
 * so, too). */
static size_t find_proc(const struct parts *parts)
{
    int64_t pid;
    for (size_t i = parts->count - 1; i-- > 0;) {
        const struct part *next = &parts->items[i + 1];
        if (is(&parts->items[i], "proc") &&
            (pid_of(next->text, next->length, &pid) || is(next, "sys") || is(next, "pressure") ||
             is(next, "self") || (i + 2 == parts->count && proc_name(next->text, next->length))))
            return i;
    }
    return parts->count;
}

/* Flat names: words between . - _ and blanks; one of them a /proc name, one a pid; the stamp's
 * digits are not the pid's. exact: nothing but these was there. */
struct flat {
    const char *leaf;
    int64_t pid;
    bool exact;
};

static bool noise_word(const char *text, size_t length)
{
    static const char *const words[] = {"txt", "log", "out", "proc", "pid", "dump", "sys", "csv"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (ja_text_is(text, length, words[i]))
            return true;
    return false;
}

/* Where the stamp's own digits stand in the name: they are no pid. */
static void stamp_range(const struct part *name, const struct ja_stamp *stamp, size_t *ret_from,
                        size_t *ret_to)
{
    *ret_from = *ret_to = name->length;
    if (!stamp || !stamp->text)
        return;
    *ret_from = ja_text_find(name->text, name->length, stamp->text);
    *ret_to = *ret_from + strlen(stamp->text);
    if (*ret_from == 0 && *ret_to >= name->length)
        *ret_from = *ret_to = name->length;
}

static struct flat flat_name(const struct part *name, const struct ja_stamp *stamp)
{
    struct flat flat = {.pid = JA_UNKNOWN, .exact = true};
    if ((flat.leaf = proc_name(name->text, name->length)))
        return flat;
    if (ja_text_find(name->text, name->length, "smaps_rollup") < name->length)
        flat.leaf = "smaps_rollup";
    size_t from, to;
    stamp_range(name, stamp, &from, &to);
    for (size_t at = 0, end; at < name->length; at = end + 1) {
        for (end = at; end < name->length && !strchr(".-_ ", name->text[end]);)
            end++;
        const char *word = name->text + at;
        size_t length = end - at;
        const char *known = proc_name(word, length);
        int64_t number;
        if (length == 0 || (at >= from && at < to) || noise_word(word, length))
            continue;
        if (known && !flat.leaf)
            flat.leaf = known;
        else if (flat.pid == JA_UNKNOWN && pid_of(word, length, &number) &&
                 !(stamp && number == stamp->year))
            flat.pid = number;
        else if (!known && !stamp)
            flat.exact = false;
    }
    return flat;
}

static bool cgroup_leaf(const struct part *name)
{
    return ja_text_begins(name->text, name->length, "memory.") ||
           ja_text_begins(name->text, name->length, "cgroup.");
}

/* "sosreport-db07-0123456-2026-09-28-xkcd" names its host. */
static const char *sos_host(const struct parts *parts, struct ja_arena *arena)
{
    static const char prefix[] = "sosreport-";
    for (size_t i = 0; i < parts->count; i++) {
        const struct part *part = &parts->items[i];
        if (!ja_text_begins(part->text, part->length, prefix))
            continue;
        const char *host = part->text + sizeof prefix - 1;
        size_t rest = part->length - (sizeof prefix - 1), length = 0;
        while (length < rest && !(host[length] == '-' && length + 1 < rest &&
                                  host[length + 1] >= '0' && host[length + 1] <= '9'))
            length++;
        if (length && length < rest)
            return ja_arena_copy(arena, host, length);
    }
    return NULL;
}

static bool name_stamp(const struct part *part, struct ja_arena *arena, struct ja_stamp *ret)
{
    int64_t pid;
    return !pid_of(part->text, part->length, &pid) &&
           ja_stamp_in_name(part->text, part->length, arena, ret);
}

/* A folder of a day, in it one a clock reading: "20261130/093010". */
static bool nested_stamp(const struct parts *parts, size_t index, struct ja_arena *arena,
                         struct ja_stamp *ret)
{
    if (index == 0)
        return false;
    const struct part *day = &parts->items[index - 1], *clock = &parts->items[index];
    return ja_stamp_in_folders(day->text, (size_t)(clock->text + clock->length - day->text), arena,
                               ret);
}

/* The nearest stamp above, from component first downwards to the PATH. */
static void folder_stamp(const struct parts *parts, size_t first, struct ja_arena *arena,
                         struct ja_proc_place *place)
{
    for (size_t i = first; i-- > 0 && !place->stamped;)
        place->stamped = nested_stamp(parts, i, arena, &place->stamp) ||
                         name_stamp(&parts->items[i], arena, &place->stamp);
}

/* The group's path: the folders between the tree's root and the file. */
static const char *group_path(const struct parts *parts, size_t first, struct ja_arena *arena)
{
    if (first + 1 >= parts->count)
        return NULL;
    const struct part *from = &parts->items[first], *to = &parts->items[parts->count - 2];
    return ja_arena_print(arena, "/%.*s", (int)(to->text + to->length - from->text), from->text);
}

/* Files of a control group: below .../cgroup/ (v2 or v1's memory controller), below a folder that
 * carries a stamp, else the parent folder names the group. Returns how many components are above
 * the snapshot's own. */
static size_t place_group(const struct parts *parts, struct ja_arena *arena,
                          struct ja_proc_place *place)
{
    size_t leaf = parts->count - 1, root = leaf ? leaf - 1 : 0, first = root;
    size_t cgroup = find(parts, "cgroup");
    struct ja_stamp stamp;
    if (cgroup < parts->count) {
        root = cgroup;
        first = cgroup + 1;
        if (first < leaf && is(&parts->items[first], "memory"))
            first++;
        if (root >= 2 && is(&parts->items[root - 1], "fs") && is(&parts->items[root - 2], "sys"))
            root -= 2;
    } else {
        for (size_t i = leaf; i-- > 0;)
            if (name_stamp(&parts->items[i], arena, &stamp)) {
                root = first = i + 1;
                break;
            }
    }
    place->group = group_path(parts, first, arena);
    return root;
}

/* How many components stand above the files of this snapshot, for files inside a tree; SIZE_MAX
 * for a file that lies flat in its folder. */
static size_t tree_root(const struct parts *parts, struct ja_proc_place *place)
{
    size_t n = parts->count, at;
    if ((at = find(parts, "sos_commands")) < n) {
        place->sosreport = true;
        return at;
    }
    if ((at = find_proc(parts)) < n)
        return at;
    if ((at = find(parts, "sys")) < n)
        return at;
    if (n >= 2 && is(&parts->items[n - 2], "pressure"))
        return n - 2;
    if (n >= 2 && ja_text_begins(parts->items[n - 2].text, parts->items[n - 2].length, "zram"))
        return n >= 3 && is(&parts->items[n - 3], "block") ? n - 3 : n - 2;
    int64_t pid;
    if (n >= 4 && is(&parts->items[n - 3], "task") &&
        pid_of(parts->items[n - 4].text, parts->items[n - 4].length, &pid))
        return n - 4;
    if (n >= 2 && pid_of(parts->items[n - 2].text, parts->items[n - 2].length, &pid))
        return n - 2;
    return SIZE_MAX;
}

static void folder_pid(const struct parts *parts, struct ja_proc_place *place)
{
    size_t n = parts->count;
    if (n >= 4 && is(&parts->items[n - 3], "task") &&
        pid_of(parts->items[n - 4].text, parts->items[n - 4].length, &place->pid))
        place->thread = true;
    else if (n >= 2)
        pid_of(parts->items[n - 2].text, parts->items[n - 2].length, &place->pid);
}

static void place_flat(const struct parts *parts, struct ja_arena *arena,
                       struct ja_proc_place *place)
{
    const struct part *name = &parts->items[parts->count - 1];
    place->stamped = name_stamp(name, arena, &place->stamp);
    struct flat flat = flat_name(name, place->stamped ? &place->stamp : NULL);
    if (flat.leaf)
        place->leaf = flat.leaf;
    place->pid = flat.pid;
    if (!flat.leaf || !flat.exact)
        return;
    place->snapshot = folder(parts, parts->count - 1, arena);
    if (place->stamped)
        place->snapshot = ja_arena_print(arena, "%s/%s", place->snapshot, place->stamp.text);
}

struct ja_proc_place ja_proc_place_of(const char *path, struct ja_arena *arena)
{
    struct ja_proc_place place = {.leaf = "", .pid = JA_UNKNOWN};
    struct parts parts;
    split(path, &parts);
    if (parts.count == 0)
        return place;
    const struct part *name = &parts.items[parts.count - 1];
    place.leaf = ja_arena_copy(arena, name->text, name->length);
    place.host = sos_host(&parts, arena);
    size_t root;
    if (cgroup_leaf(name)) {
        root = place_group(&parts, arena, &place);
    } else {
        root = tree_root(&parts, &place);
        if (root != SIZE_MAX)
            folder_pid(&parts, &place);
    }
    if (root == SIZE_MAX)
        place_flat(&parts, arena, &place);
    else
        place.snapshot = folder(&parts, root, arena);
    /* the folder that is a pid is no clock reading */
    folder_stamp(&parts, parts.count - 1 - (place.pid != JA_UNKNOWN && root != SIZE_MAX), arena,
                 &place);
    return place;
}

struct ja_proc_place ja_proc_piece_place(const struct ja_piece *piece, struct ja_arena *arena)
{
    struct ja_proc_place place = ja_proc_place_of(piece->file->path, arena);
    if (!piece->label)
        return place;
    size_t at = ja_text_find(piece->label, piece->label_length, "/proc/");
    if (at == piece->label_length)
        return place;
    size_t end = at;
    while (end < piece->label_length && !strchr(" \t=:<>", piece->label[end]))
        end++;
    const char *inner = ja_arena_copy(arena, piece->label + at, end - at);
    struct ja_proc_place banner = ja_proc_place_of(inner, arena);
    banner.host = place.host;
    banner.stamped = place.stamped;
    banner.stamp = place.stamp;
    banner.snapshot = piece->file->path;
    return banner;
}
