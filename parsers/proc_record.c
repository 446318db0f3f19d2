/* SPDX-License-Identifier: MIT */
#include "parsers/proc_record.h"

#include <string.h>

#include "parsers/scan.h"

/* Files of /proc printed one after the other are one moment, until one of them comes again. */
static const char *pasted_snapshot(struct ja_parse *parse, const struct ja_proc_place *place,
                                   enum ja_kind kind)
{
    struct ja_evidence *evidence = parse->evidence;
    struct ja_carry *carry = &parse->carry;
    for (; carry->rows_counted < evidence->subject_count; carry->rows_counted++) {
        const struct ja_subject *subject = &evidence->subjects[carry->rows_counted];
        const char *word = ja_kind_word(evidence->records[subject->record].kind);
        ++*ja_index_note(&carry->rows, parse->scratch, word, subject->pid);
    }
    uint32_t rounds = ja_index_find(&carry->rows, ja_kind_word(kind), place->pid);
    return rounds ? ja_arena_print(evidence->arena, "%s#%u", place->snapshot, rounds)
                  : place->snapshot;
}

uint32_t ja_proc_record(const struct ja_piece *piece, struct ja_parse *parse,
                        const struct ja_proc_place *place, enum ja_kind kind)
{
    struct ja_evidence *evidence = parse->evidence;
    uint32_t stamp = piece->stamp;
    const char *snapshot = place->snapshot;
    if (stamp != JA_NONE)
        snapshot = ja_arena_print(evidence->arena, "%s@%u", evidence->path, (unsigned)stamp);
    else if (piece->label && snapshot == piece->file->path)
        snapshot = pasted_snapshot(parse, place, kind);
    else if (!piece->whole)
        snapshot = NULL;
    if (stamp == JA_NONE && place->stamped)
        stamp = ja_add_stamp(evidence, &place->stamp);
    uint32_t record = ja_add_record(evidence, kind, stamp);
    evidence->records[record].snapshot = ja_arena_string(evidence->arena, snapshot);
    evidence->records[record].place = ja_add_place_line(evidence, piece->first_line);
    if (place->host)
        ja_proc_system(parse, record)->host_name = ja_arena_string(evidence->arena, place->host);
    if (evidence->captured == JA_NONE)
        evidence->captured = stamp;
    ja_set_kind(evidence, kind);
    return record;
}

uint32_t ja_proc_moment(struct ja_parse *parse, enum ja_kind kind, uint32_t stamp, int line)
{
    uint32_t record = ja_add_record(parse->evidence, kind, stamp);
    parse->evidence->records[record].place = ja_add_place_line(parse->evidence, line);
    if (parse->evidence->captured == JA_NONE)
        parse->evidence->captured = stamp;
    return record;
}

/* The kind that a place promises; JA_KIND_UNKNOWN: none for sure. */
static enum ja_kind promised(const struct ja_proc_place *place)
{
    static const struct {
        const char *leaf;
        enum ja_kind kind;
    } leaves[] = {
        {"status", JA_KIND_PROC_STATUS},
        {"stat", JA_KIND_PROC_STAT},
        {"statm", JA_KIND_PROC_STATM},
        {"smaps", JA_KIND_PROC_SMAPS},
        {"smaps_rollup", JA_KIND_PROC_SMAPS_ROLLUP},
    };
    if (place->group && strncmp(place->leaf, "memory.", 7) == 0)
        return JA_KIND_CGROUP;
    if (place->snapshot && strcmp(place->leaf, "boot_id") == 0)
        return JA_KIND_BOOT_ID;
    for (size_t i = 0; place->pid != JA_UNKNOWN && i < sizeof leaves / sizeof leaves[0]; i++)
        if (strcmp(place->leaf, leaves[i].leaf) == 0)
            return leaves[i].kind;
    return JA_KIND_UNKNOWN;
}

/* Nobody could read a file whose place says what it should be. */
static void name_broken(struct ja_evidence *evidence, struct ja_arena *scratch)
{
    struct ja_proc_place place = ja_proc_place_of(evidence->path, scratch);
    enum ja_kind kind = promised(&place);
    if (kind == JA_KIND_UNKNOWN)
        return;
    ja_set_kind(evidence, kind);
    ja_set_status(evidence, JA_STATUS_DAMAGED, "its place says what it is, its content does not");
    ja_diagnose(evidence, JA_ERROR, "content-and-place", 0, NULL,
                "a file of this place should be %s, its content is not: left out",
                ja_kind_word(kind));
}

void ja_proc_adopt(struct ja_evidence *evidence, struct ja_arena *scratch)
{
    if (evidence->kind == JA_KIND_UNKNOWN && evidence->status == JA_STATUS_NONE)
        name_broken(evidence, scratch);
    if (!evidence->record_count ||
        (!strstr(evidence->path, "sos_commands/") && !strstr(evidence->path, "sosreport-")))
        return;
    struct ja_proc_place place = ja_proc_place_of(evidence->path, scratch);
    if (!place.sosreport || !place.snapshot)
        return;
    /* Archives without a host's name are of machines of their own. */
    const char *key = ja_arena_print(evidence->arena, "sosreport %s", place.snapshot);
    for (size_t i = 0; i < evidence->record_count; i++) {
        struct ja_record *record = &evidence->records[i];
        if (record->stamp == JA_NONE && !record->snapshot)
            record->snapshot = ja_arena_string(evidence->arena, place.snapshot);
        if (record->system == JA_NONE) {
            record->system = ja_add_system(evidence);
            record = &evidence->records[i];
        }
        struct ja_system *system = &evidence->systems[record->system];
        if (!system->host_key)
            system->host_key = key;
    }
}

struct ja_system *ja_proc_system(struct ja_parse *parse, uint32_t record)
{
    struct ja_evidence *evidence = parse->evidence;
    if (evidence->records[record].system == JA_NONE)
        evidence->records[record].system = ja_add_system(evidence);
    return &evidence->systems[evidence->records[record].system];
}

const char *ja_proc_stem(const struct ja_piece *piece, struct ja_arena *arena)
{
    static const char *const endings[] = {".log", ".txt", ".csv", ".out", ".jsonl", ".json"};
    const char *name = piece->file->name;
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (length > strlen(endings[i]) && ja_text_ends(name, length, endings[i])) {
            length -= strlen(endings[i]);
            break;
        }
    return ja_arena_copy(arena, name, length);
}

bool ja_proc_key_line(const struct ja_line *line, const char **ret_key, size_t *ret_key_length,
                      int64_t *ret_value)
{
    struct ja_scan scan = ja_scan_of(line->text, line->length);
    ja_scan_blanks(&scan);
    size_t start = scan.at;
    while (scan.at < scan.length && strchr(": \t", scan.text[scan.at]) == NULL)
        scan.at++;
    size_t length = scan.at - start;
    int64_t value;
    if (length == 0 || !ja_scan_char(&scan, ':'))
        return false;
    ja_scan_blanks(&scan);
    if (!ja_scan_u63(&scan, &value))
        return false;
    if (!ja_scan_end(&scan) && strchr(" \tk", scan.text[scan.at]) == NULL)
        return false;
    *ret_key = line->text + start;
    *ret_key_length = length;
    *ret_value = value;
    return true;
}

bool ja_proc_kb(int64_t kilobytes, struct ja_quantity *ret)
{
    int64_t bytes;
    if (!ja_multiply(kilobytes, JA_KIB, &bytes))
        return false;
    *ret = (struct ja_quantity){bytes, kilobytes % 4 == 0 ? 4 * JA_KIB : JA_KIB, JA_ROUNDING_EXACT};
    return true;
}

bool ja_proc_pages(int64_t pages, struct ja_quantity *ret)
{
    int64_t bytes;
    if (!ja_multiply(pages, 4 * JA_KIB, &bytes))
        return false;
    *ret = (struct ja_quantity){bytes, 4 * JA_KIB, JA_ROUNDING_EXACT};
    return true;
}

struct ja_reading *ja_proc_reading(struct ja_parse *parse, uint32_t subject, enum ja_metric metric,
                                   struct ja_quantity quantity, uint32_t place, enum ja_unit unit)
{
    struct ja_evidence *evidence = parse->evidence;
    if (!ja_room_for_reading(parse, ja_place_line(evidence, place)))
        return NULL;
    struct ja_reading *reading = ja_add_reading(evidence, subject, metric, quantity, place);
    reading->unit = (uint8_t)unit;
    return reading;
}
