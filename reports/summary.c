/* SPDX-License-Identifier: MIT
 *
 * The terminal summary: what was read, the worst findings, where the files are.
 */
#include "reports/report.h"

#include <string.h>

#define MOST_FINDINGS 12

/* Text from evidence: nothing that a terminal would act on. */
static void put(FILE *out, const char *text)
{
    for (const unsigned char *c = (const unsigned char *)(text ? text : "?"); *c; c++) {
        if (*c < 0x20 || *c >= 0x7f)
            fprintf(out, "\\x%02x", *c);
        else
            putc(*c, out);
    }
}

static void print_sources(const struct ja_case *item, FILE *out)
{
    size_t by_status[JA_STATUS_UNREADABLE + 1] = {0};
    for (size_t i = 0; i < item->source_count; i++)
        by_status[item->sources[i].evidence->status]++;
    fprintf(out, "%zu files:", item->source_count);
    for (int i = 0; i <= JA_STATUS_UNREADABLE; i++)
        if (by_status[i])
            fprintf(out, " %zu %s", by_status[i], ja_status_word((enum ja_status)i));
    fprintf(out, "; %zu hosts, %zu boots, %zu processes, %zu events\n", item->host_count,
            item->boot_count, item->process_count, item->event_count);
}

static void print_finding(const struct ja_finding *finding, FILE *out)
{
    fprintf(out, "%s: ", ja_grade_word(finding->grade));
    put(out, finding->statement);
    fputs(" [", out);
    put(out, finding->rule);
    fputs("]\n", out);
}

bool ja_summary_print(const struct ja_case *item, const struct ja_report_options *options,
                      FILE *out)
{
    size_t shown = options->verbose ? item->finding_count : MOST_FINDINGS;
    print_sources(item, out);
    for (size_t i = 0; i < item->finding_count && i < shown; i++)
        print_finding(&item->findings[i], out);
    if (item->finding_count > shown)
        fprintf(out, "%zu more findings (-v shows them)\n", item->finding_count - shown);
    if (options->folder) {
        fputs("report in ", out);
        put(out, options->folder);
        putc('\n', out);
    }
    return !ferror(out);
}
