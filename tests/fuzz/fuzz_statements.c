/* SPDX-License-Identifier: MIT
 *
 * The operator's files on any bytes: case file and manifest.
 */
#include "tests/fuzz/fuzz.h"

#include "parsers/json.h"
#include "parsers/stated.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    prepare_once();
    struct ja_arena *arena = ja_arena_new();
    struct ja_evidence *evidence = ja_evidence_new("case.json");
    struct ja_stated stated;
    char *text = ja_arena_copy(arena, size ? (const char *)data : "", size);
    ja_json_use_arena(arena);
    ja_stated_init(&stated, arena);
    ja_case_file_read(&stated, text, size, evidence);
    ja_manifest_read(&stated, text, size, "folder/", evidence);
    ja_stated_settle(&stated);
    MUST(stated.all.ram_bytes == JA_UNKNOWN || stated.all.ram_bytes >= 0);
    for (size_t i = 0; i < stated.time_count; i++)
        MUST(stated.times[i].path);
    for (size_t i = 0; i < stated.cap_count; i++)
        ja_selector_picks(&stated.caps[i].who, "python3.12", 7, JA_UNKNOWN);
    ja_json_use_arena(NULL);
    ja_evidence_free(evidence);
    ja_arena_free(arena);
    return 0;
}
