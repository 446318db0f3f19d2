/* SPDX-License-Identifier: MIT
 *
 * Do RSS and footprint part? They count different pages: graphics, compressed and swapped pages
 * are in the footprint and not in RSS; shared file pages, and pages given back but not yet taken,
 * are in RSS and not in the footprint. Neither is wrong.
 */
#include "model/rule.h"

#include <stdlib.h>

#define ONE_MOMENT_NS (60 * JA_NS_PER_S)
#define APART_HALVES 3 /* one is at least 3/2 of the other, beyond rounding */

static bool part(const struct ja_point *rss, const struct ja_point *footprint)
{
    if (llabs(rss->at->unix_ns - footprint->at->unix_ns) > ONE_MOMENT_NS)
        return false;
    return footprint->low / APART_HALVES >= rss->high / 2 + 1 ||
           rss->low / APART_HALVES >= footprint->high / 2 + 1;
}

/* The newest pair of one moment that parts; for each RSS the footprint nearest to it in time. */
static bool find_pair(const struct ja_series *rss, const struct ja_series *footprint,
                      struct ja_point *ret_rss, struct ja_point *ret_footprint)
{
    size_t at = 0;
    bool found = false;
    for (size_t i = 0; i < rss->point_count; i++) {
        struct ja_point r = ja_point_at(rss, i);
        while (at + 1 < footprint->point_count &&
               llabs(ja_point_at(footprint, at + 1).at->unix_ns - r.at->unix_ns) <=
                   llabs(ja_point_at(footprint, at).at->unix_ns - r.at->unix_ns))
            at++;
        struct ja_point f = ja_point_at(footprint, at);
        if (!part(&r, &f))
            continue;
        *ret_rss = r;
        *ret_footprint = f;
        found = true;
    }
    return found;
}

static void find_parted(struct ja_case *item, uint32_t process, const struct ja_point *rss,
                        const struct ja_point *footprint)
{
    bool below = rss->value < footprint->value;
    double ratio = rss->value ? (double)footprint->value / (double)rss->value : 0;
    struct ja_finding *f = ja_find(item, "rss_hides_footprint", JA_CONFIRMED, JA_REMARK,
                                   item->processes[process].host, process);
    f->metric = JA_METRIC_PHYS_FOOTPRINT;
    f->stake_bytes = llabs(footprint->value - rss->value);
    ja_say(item, f, ja_process_text(item, process), JA_VERB_HOLD,
           "a footprint of %s beside an RSS of %s at one moment: %.2f to %.2f times as much",
           ja_size_text(item, (double)footprint->value, footprint->resolution),
           ja_size_text(item, (double)rss->value, rss->resolution),
           (double)footprint->low / (double)(rss->high ? rss->high : 1),
           (double)footprint->high / (double)(rss->low > 0 ? rss->low : 1));
    ja_because(item, f, "%s",
               below ? "RSS leaves out pages that were compressed or swapped out and those that a "
                       "device driver holds for the process; the footprint is charged for them"
                     : "RSS still counts pages that the process has given back but nobody has "
                       "taken yet, and shared file pages; the footprint is not charged for them");
    ja_unless(item, f, "nothing: the two measures count different pages, and both are right");
    ja_next(item, f, "follow the footprint of this process (footprint -p PID), never its RSS");
    ja_whole(item, f, "rss_bytes", rss->value);
    ja_whole(item, f, "footprint_bytes", footprint->value);
    ja_number(item, f, "ratio", ratio);
    ja_cite_point(item, f, *footprint);
    ja_cite_point(item, f, *rss);
}

static void judge(struct ja_case *item)
{
    if (!item->told[JA_METRIC_RESIDENT] || !item->told[JA_METRIC_PHYS_FOOTPRINT])
        return;
    for (uint32_t p = 0; p < item->process_count; p++) {
        const struct ja_series *rss = ja_process_series(item, p, JA_METRIC_RESIDENT);
        const struct ja_series *footprint = ja_process_series(item, p, JA_METRIC_PHYS_FOOTPRINT);
        struct ja_point r, f;
        if (item->processes[p].shown && rss && footprint && find_pair(rss, footprint, &r, &f))
            find_parted(item, p, &r, &f);
    }
}

const struct ja_rule ja_rule_rss_hides_footprint = {
    .question = "do RSS and footprint part?",
    .names = {{"rss_hides_footprint",
               "Emitted when RSS and footprint of one process, read within 60 s, differ by half or "
               "more beyond their rounding, in either direction. It is no contradiction: the two "
               "count different pages. Growth has to be judged on the footprint."}},
    .judge = judge,
};
