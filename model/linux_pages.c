/* SPDX-License-Identifier: MIT
 *
 * The page size of a Linux snapshot. statm and stat count pages and do not say how large they are;
 * status prints the same counter in kB, smaps prints the size itself. Parsers take 4 KiB.
 */
#include "model/build.h"
#include "model/rows.h"

#define ASSUMED_PAGE (4 * JA_KIB)
#define MOST_COMPARED 64 /* processes of a snapshot: one is enough, the rest is for luck */

/* 0: it has none. */
static int64_t resident_of(const struct ja_build *build, const struct ja_moment *moment,
                           int64_t *ret_pid)
{
    const struct ja_source *source = &build->item->sources[moment->source];
    for (size_t i = 0; i < moment->subject_count; i++) {
        uint32_t subject = ja_moment_subject(moment, i);
        struct ja_reading reading;
        *ret_pid = ja_subject_at(source->evidence, subject).pid;
        if (ja_subject_reading(source, subject, JA_METRIC_RESIDENT, &reading) && reading.value > 0)
            return reading.value;
    }
    return 0;
}

static int64_t page_by_pid(const struct ja_build *build, struct ja_moment *const *moments,
                           size_t count, int64_t assumed, int64_t pid)
{
    static const int64_t pages[] = {4 * JA_KIB, 16 * JA_KIB, 64 * JA_KIB};
    for (size_t i = 0; i < count; i++) {
        int64_t other;
        if (ja_moment_record(build, moments[i])->kind != JA_KIND_PROC_STATUS)
            continue;
        int64_t said = resident_of(build, moments[i], &other);
        if (said == 0 || other != pid)
            continue;
        for (size_t p = 0; p < sizeof pages / sizeof *pages; p++)
            if (said == assumed / ASSUMED_PAGE * pages[p])
                return pages[p];
    }
    return JA_UNKNOWN;
}

int64_t ja_linux_page_bytes(const struct ja_build *build, struct ja_moment *const *moments,
                            size_t count)
{
    size_t compared = 0;
    for (size_t i = 0; i < count && compared < MOST_COMPARED; i++) {
        int64_t pid;
        if (ja_moment_record(build, moments[i])->kind != JA_KIND_PROC_STATM)
            continue;
        int64_t assumed = resident_of(build, moments[i], &pid);
        if (assumed == 0)
            continue;
        compared++;
        int64_t page = page_by_pid(build, moments, count, assumed, pid);
        if (page != JA_UNKNOWN)
            return page;
    }
    return JA_UNKNOWN;
}

void ja_linux_scale_pages(struct ja_build *build, const struct ja_moment *moment,
                          int64_t page_bytes)
{
    struct ja_evidence *evidence = build->item->sources[moment->source].evidence;
    enum ja_kind kind = ja_moment_record(build, moment)->kind;
    if (page_bytes <= ASSUMED_PAGE || ja_kind_tool(kind) != JA_KIND_PROC_STATUS)
        return;
    ja_evidence_unpack(evidence);
    for (size_t i = 0; i < moment->subject_count; i++)
        for (uint32_t r = ja_first_reading(evidence, ja_moment_subject(moment, i)); r != JA_NONE;
             r = ja_next_reading(evidence, r)) {
            struct ja_reading *reading = &evidence->readings[r];
            if (reading->unit == JA_UNIT_PAGES)
                reading->value = reading->value / ASSUMED_PAGE * page_bytes;
            if (reading->resolution == ASSUMED_PAGE && reading->value % page_bytes == 0)
                reading->resolution = page_bytes;
        }
}
