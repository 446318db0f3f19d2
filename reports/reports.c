/* SPDX-License-Identifier: MIT
 *
 * The table of reports, in the order they are written. A new report: a file here, its declaration
 * and its line below.
 */
#include "reports/report.h"

#include <string.h>

extern const struct ja_report ja_report_json, ja_report_ndjson, ja_report_tsv, ja_report_md,
    ja_report_svg, ja_report_xlsx;

const struct ja_report *const ja_reports[] = {
    &ja_report_md,  &ja_report_svg, &ja_report_xlsx, &ja_report_json, &ja_report_ndjson,
    &ja_report_tsv, NULL,
};

const struct ja_report *ja_report_named(const char *name)
{
    for (size_t i = 0; ja_reports[i]; i++)
        if (strcmp(ja_reports[i]->name, name) == 0)
            return ja_reports[i];
    return NULL;
}
