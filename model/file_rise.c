/* SPDX-License-Identifier: MIT
 *
 * File pages: memory that is given back when it is wanted.
 */
#include "model/case.h"

int64_t ja_file_rise(const struct ja_case *item, uint32_t process)
{
    const struct ja_series *file = ja_process_series(item, process, JA_METRIC_FILE);
    const struct ja_series *shared = ja_process_series(item, process, JA_METRIC_SHARED);
    if (!file || file->point_count < 2)
        return 0;
    bool inside = item->processes[process].scope != JA_SCOPE_PROCESS && shared &&
                  shared->point_count > 1 && ja_series_growth(shared).net_high_bytes > 0;
    int64_t rise = ja_subtract(ja_series_growth(file).net_low_bytes,
                               inside ? ja_series_growth(shared).net_high_bytes : 0);
    return rise > 0 ? rise : 0;
}
