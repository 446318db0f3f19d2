/* SPDX-License-Identifier: MIT */
#include "parsers/offer.h"

#include <string.h>

#include "parsers/json.h"
#include "parsers/proc_record.h"
#include "parsers/stamp.h"
#include "parsers/texts.h"

#define MOST_FOLDERS 3 /* folder names that may tell the time of a file in them */

/* The stamp of the component [start, end) of a path, or of it and the folder of a day above. */
static bool component_stamp(const char *path, size_t start, size_t end, struct ja_arena *arena,
                            struct ja_stamp *ret)
{
    size_t above = start > 0 ? start - 1 : 0;
    while (above > 0 && path[above - 1] != '/')
        above--;
    return (start > 0 && ja_stamp_in_folders(path + above, end - above, arena, ret)) ||
           ja_stamp_in_name(path + start, end - start, arena, ret);
}

/* The time in the file's own name, else in that of a folder it lies in. */
static void name_stamp(const struct ja_file *file, struct ja_evidence *evidence)
{
    size_t end = strlen(file->path);
    for (int level = 0; level <= MOST_FOLDERS && end > 0; level++) {
        size_t start = end;
        while (start > 0 && file->path[start - 1] != '/')
            start--;
        struct ja_stamp stamp;
        if (component_stamp(file->path, start, end, evidence->arena, &stamp)) {
            evidence->name_stamp = ja_add_stamp(evidence, &stamp);
            return;
        }
        end = start > 0 ? start - 1 : 0;
    }
}

struct ja_parse ja_parse_begin(const struct ja_file *file, int64_t interval_ns, size_t max_readings,
                               struct ja_arena *scratch)
{
    struct ja_parse parse = {
        .evidence = ja_evidence_new(file->path),
        .scratch = scratch,
        .carry = {.last_peak_bytes = JA_UNKNOWN,
                  .interval_ns = JA_UNKNOWN,
                  .system = JA_NONE,
                  .last_stamp = JA_NONE},
        .interval_ns = interval_ns,
        .max_readings = max_readings,
    };
    parse.texts = ja_arena_alloc(scratch, 1, sizeof *parse.texts);
    *parse.texts = ja_texts_in(parse.evidence->arena, scratch);
    ja_json_use_arena(parse.scratch);
    name_stamp(file, parse.evidence);
    return parse;
}

struct ja_evidence *ja_parse_end(struct ja_parse *parse)
{
    ja_proc_adopt(parse->evidence, parse->scratch);
    ja_evidence_close(parse->evidence);
    ja_json_use_arena(NULL);
    return parse->evidence;
}

bool ja_room_for_reading(struct ja_parse *parse, int line)
{
    if (parse->evidence->reading_count < parse->max_readings)
        return true;
    if (!parse->full) {
        ja_diagnose(parse->evidence, JA_WARNING, "too-many-readings", line, NULL,
                    "more than %zu readings: the rest was left out (--max-readings)",
                    parse->max_readings);
        ja_set_status(parse->evidence, JA_STATUS_PARTLY,
                      "it has more readings than --max-readings");
    }
    parse->full = true;
    return false;
}

void ja_note_nul_tail(struct ja_evidence *evidence, size_t count)
{
    ja_diagnose(evidence, JA_WARNING, "nul-tail", 0, NULL,
                "%zu NUL bytes at the end, as a crash leaves them, cut off", count);
}

void ja_refuse_nul(struct ja_evidence *evidence, size_t offset)
{
    ja_diagnose(evidence, JA_UNREAD, "nul-byte", 0, NULL,
                "NUL byte at offset %zu: binary data or UTF-16 without its mark, file left out",
                offset);
    ja_set_status(evidence, JA_STATUS_UNREADABLE,
                  "holds NUL bytes: binary data or UTF-16 without its mark");
}
