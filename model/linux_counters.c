/* SPDX-License-Identifier: MIT
 *
 * Linux counts RSS in batches, by thread or by CPU: how far a reading may be off depends on the
 * kernel's release and on how many threads and CPUs there are.
 */
#include "model/linux_accuracy.h"
#include "model/series.h"
#include "model/rows.h"

static bool counted(const struct ja_evidence *evidence, uint32_t reading)
{
    enum ja_metric metric = ja_reading_metric(evidence, reading);
    if (!ja_linux_counts(metric))
        return false; /* nearly all of a fleet's: seen without looking for its record */
    return ja_linux_counted(evidence->records[ja_reading_record(evidence, reading)].kind, metric);
}

/* Linux: the kernel's own counting error, where release and threads or CPUs are known. */
int64_t ja_counting_error(const struct ja_case *item, uint32_t process,
                          const struct ja_evidence *evidence, uint32_t reading)
{
    int64_t error;
    if (!counted(evidence, reading))
        return 0;
    const struct ja_process *p = &item->processes[process];
    const struct ja_boot *boot = &item->boots[p->boot];
    if (!boot->kernel || !ja_linux_error(boot->kernel, p->more->threads, boot->cores,
                                         item->hosts[p->host].page_bytes,
                                         ja_reading_metric(evidence, reading), &error))
        return 0;
    return error;
}

static void find_threads(struct ja_case *item)
{
    for (size_t i = 0; i < item->source_count; i++) {
        const struct ja_source *source = &item->sources[i];
        const struct ja_evidence *evidence = source->evidence;
        for (size_t f = 0; source->duplicate_of == JA_NONE && f < evidence->fact_count; f++) {
            const struct ja_fact *fact = &evidence->facts[f];
            if (fact->key != JA_FACT_THREADS || fact->subject == JA_NONE ||
                ja_subject_process(source, fact->subject) == JA_NONE)
                continue;
            struct ja_process *p = &item->processes[ja_subject_process(source, fact->subject)];
            if (p->more->threads == JA_UNKNOWN || fact->value > p->more->threads)
                ja_process_more(p, item->arena)->threads = fact->value;
        }
    }
}

/* Nearly all files of a fleet have none: seen without looking at their readings. */
static bool any_counted(const struct ja_evidence *evidence)
{
    for (size_t r = 0; r < evidence->record_count; r++)
        if (ja_linux_counted(evidence->records[r].kind, JA_METRIC_RESIDENT))
            return true;
    return false;
}

/* Readings of Linux counters whose error is not known: said once. */
static void note_uncounted(struct ja_case *item)
{
    for (size_t i = 0; i < item->source_count; i++) {
        const struct ja_source *source = &item->sources[i];
        const struct ja_evidence *evidence = source->evidence;
        if (source->duplicate_of != JA_NONE || !any_counted(evidence))
            continue;
        for (uint32_t r = 0; r < evidence->reading_count; r++) {
            if (!counted(evidence, r))
                continue;
            uint32_t process = ja_subject_process(source, ja_reading_subject(evidence, r));
            if (process == JA_NONE)
                continue;
            const struct ja_process *p = &item->processes[process];
            const struct ja_boot *boot = &item->boots[p->boot];
            int64_t error;
            if (ja_linux_error(boot->kernel, p->more->threads, boot->cores, JA_UNKNOWN,
                               ja_reading_metric(evidence, r), &error))
                continue;
            ja_diagnose(source->evidence, JA_NOTE, "counter-error-unknown", 0, NULL,
                        "kernel release or number of threads is not in the evidence: RSS counters "
                        "may be off by 252 kB a thread (to 6.1) or by pages of every CPU (6.2 to "
                        "6.15); intervals were not widened");
            return;
        }
    }
}

void ja_count_threads(struct ja_case *item)
{
    find_threads(item);
    note_uncounted(item);
}
