/* SPDX-License-Identifier: MIT
 *
 * Where is nothing known? A gap is longer than an hour and than three times the usual distance of
 * readings; what happened inside it is not recorded.
 */
#include "model/gaps.h"
#include "model/rule.h"

static void find_gap(struct ja_case *item, uint32_t host, const struct ja_gap *gap, size_t gaps)
{
    const struct ja_seen *from = &gap->from, *to = &gap->to;
    double gap_s = (double)(to->at->unix_ns - from->at->unix_ns) / 1e9;
    struct ja_finding *f = ja_find(item, "observation_gap", JA_CONFIRMED, JA_REMARK, host, JA_NONE);
    ja_say(item, f, "The longest stretch without any evidence", JA_VERB_BE,
           "%s, from %s to %s%s (%zu gap%s of this kind)", ja_span_text(item, gap_s),
           ja_time_text(item, from->at), ja_time_text(item, to->at),
           from->boot != to->boot ? ", with a reboot in it" : "", gaps, gaps == 1 ? "" : "s");
    ja_because(item, f, "no file of this host speaks of a moment in between");
    ja_unless(item, f, "a report, dump or log from inside the gap");
    ja_next(item, f, "look for logs, monitoring or rotated reports of that time");
    ja_number(item, f, "gap_s", gap_s);
    ja_whole(item, f, "gaps", (int64_t)gaps);
    if (from->place != JA_NONE)
        ja_cite(item, f, ja_cite_place(item, from->source, from->place, NULL, JA_UNIT_TEXT));
    if (to->place != JA_NONE)
        ja_cite(item, f, ja_cite_place(item, to->source, to->place, NULL, JA_UNIT_TEXT));
}

static int64_t length_of(const struct ja_gap *gap)
{
    return gap->to.at->unix_ns - gap->from.at->unix_ns;
}

static void judge_host(struct ja_case *item, uint32_t host)
{
    struct ja_gap *gaps;
    size_t count = ja_gaps_find(item, host, item->arena, &gaps), longest = 0;
    for (size_t i = 1; i < count; i++)
        if (length_of(&gaps[i]) > length_of(&gaps[longest]))
            longest = i;
    if (count)
        find_gap(item, host, &gaps[longest], count);
}

static void judge(struct ja_case *item)
{
    for (uint32_t h = 0; h < item->host_count; h++)
        if (!item->hosts[h].processor)
            judge_host(item, h);
}

const struct ja_rule ja_rule_observation_gap = {
    .question = "where is nothing known?",
    .names = {{"observation_gap",
               "A stretch from which no file speaks: an hour or more and three times the usual "
               "distance of readings, or in a dense log a minute or more and ten times its pace. "
               "Growth across a gap is bounded by its ends, "
               "its course is not known."}},
    .judge = judge,
};
