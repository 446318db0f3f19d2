/* SPDX-License-Identifier: MIT
 *
 * Did the fix work, and what leak could this test have missed? Readings after the fix (--after, or
 * later than the time of the fix) against the rule "middle to last below max_delta", and against
 * the leak measured before.
 */
#include "model/acceptance.h"
#include "model/points.h"
#include "model/rule.h"

#include <math.h>
#include <string.h>

/* The metric an acceptance test is read in: the first that has the most readings. */
static const enum ja_metric read_in[] = {JA_METRIC_PHYS_FOOTPRINT, JA_METRIC_RESIDENT,
                                         JA_METRIC_ANON_SWAP,      JA_METRIC_CGROUP_CURRENT,
                                         JA_METRIC_HEAP,           JA_METRIC_UNSTATED};

/* The readings of one series on one side of the fix. */
struct side {
    const struct ja_series *series;
    size_t first, count;
};

static bool any_role(const struct ja_case *item, enum ja_role role)
{
    for (size_t i = 0; i < item->source_count; i++)
        if (item->sources[i].role == role)
            return true;
    return false;
}

static bool is_after(const struct ja_case *item, struct ja_point point, int64_t fixed_ns,
                     bool roles)
{
    enum ja_role role = item->sources[point.source].role;
    if (roles && role != JA_ROLE_EVIDENCE)
        return role == JA_ROLE_AFTER;
    return fixed_ns != JA_UNKNOWN && point.at && point.at->unix_ns >= fixed_ns;
}

static bool is_before(const struct ja_case *item, struct ja_point point, int64_t fixed_ns,
                      bool roles)
{
    enum ja_role role = item->sources[point.source].role;
    if (roles && role != JA_ROLE_EVIDENCE)
        return role == JA_ROLE_BEFORE;
    return fixed_ns != JA_UNKNOWN && point.at && point.at->unix_ns < fixed_ns;
}

static struct side side_of(const struct ja_case *item, const struct ja_series *series,
                           int64_t fixed_ns, bool roles, bool after)
{
    struct side side = {series, 0, 0};
    for (size_t i = 0; i < series->point_count; i++) {
        bool in = after ? is_after(item, ja_point_at(series, i), fixed_ns, roles)
                        : is_before(item, ja_point_at(series, i), fixed_ns, roles);
        if (in && !side.count)
            side.first = i;
        side.count += in;
    }
    return side;
}

static bool matters(enum ja_metric metric)
{
    for (size_t i = 0; i < sizeof read_in / sizeof *read_in; i++)
        if (read_in[i] == metric)
            return true;
    return false;
}

static bool picked(const struct ja_case *item, const struct ja_process *process, bool any_match)
{
    const struct ja_selector *who = &item->statements->fix.who;
    return !any_match || ja_selector_picks(who, process->name, process->pid, process->coalition);
}

/* Does the stated name exist at all? A log without names is taken as it is. */
static bool name_exists(const struct ja_case *item, int64_t fixed_ns, bool roles)
{
    for (size_t s = 0; s < item->series_count; s++) {
        const struct ja_process *p = &item->processes[item->series[s].process];
        if (ja_selector_picks(&item->statements->fix.who, p->name, p->pid, p->coalition) &&
            side_of(item, &item->series[s], fixed_ns, roles, true).count)
            return true;
    }
    return false;
}

/* The side with the most readings; the newest life when several have as many. */
static struct side longest(const struct ja_case *item, int64_t fixed_ns, bool roles, bool after,
                           bool by_name)
{
    struct side best = {NULL, 0, 0};
    for (size_t m = 0; m < sizeof read_in / sizeof *read_in && !best.count; m++) {
        for (size_t s = 0; s < item->series_count; s++) {
            const struct ja_series *series = &item->series[s];
            if (series->metric != read_in[m] || series->category || !matters(series->metric) ||
                !picked(item, &item->processes[series->process], by_name))
                continue;
            struct side side = side_of(item, series, fixed_ns, roles, after);
            if (side.count && side.count >= best.count)
                best = side;
        }
    }
    return best;
}

static void life_of(struct ja_case *item, const struct side *side, struct ja_growth_life *ret)
{
    struct ja_growth_point *points = ja_arena_alloc(item->arena, side->count, sizeof *points);
    for (size_t i = 0; i < side->count; i++)
        points[i] = ja_growth_point_of(side->series, side->first + i);
    *ret = (struct ja_growth_life){
        .points = points, .point_count = side->count, .started_ns = JA_UNKNOWN};
    const struct ja_process *process = &item->processes[side->series->process];
    if (!process->work_count)
        return;
    struct ja_growth_work *samples =
        ja_arena_alloc(item->arena, process->work_count, sizeof *samples);
    for (size_t i = 0; i < process->work_count; i++) {
        struct ja_work_sample sample = ja_work_sample(item, process, i);
        samples[i] = (struct ja_growth_work){sample.at->unix_ns, sample.at->unix_ns, sample.total};
    }
    ret->work = samples;
    ret->work_count = process->work_count;
}

/* The least the old leak can have been, per hour; NaN when none was measured. */
static double old_leak(const struct side *before)
{
    if (before->count < 2 || !before->series->dated)
        return NAN;
    struct ja_point a = ja_point_at(before->series, before->first);
    struct ja_point b = ja_point_at(before->series, before->first + before->count - 1);
    double hours = (double)(b.at->unix_ns - a.at->unix_ns) / 3.6e12;
    struct ja_growth g = ja_series_growth(before->series);
    if (b.low <= a.high || hours <= 0)
        return NAN;
    if (before->count == before->series->point_count && g.low_bytes_per_hour > 0)
        return g.low_bytes_per_hour;
    return (double)(b.low - a.high) / hours;
}

static const char *gap_text(enum ja_acceptance_gap gap)
{
    switch (gap) {
    case JA_GAP_READINGS:
        return "three spaced readings with times, and a stated limit, are needed";
    case JA_GAP_NO_WORK:
        return "no work was done while it was watched";
    case JA_GAP_WORK_UNKNOWN:
        return "nobody counted the work: an idle service passes any such test";
    case JA_GAP_LITTLE_WORK:
        return "less work was done than the test asks for";
    case JA_GAP_IDLE_SPAN:
        return "the work had ended before the middle reading, and what follows it is judged";
    case JA_GAP_OLD_UNKNOWN:
        return "no leak was measured before the fix, so it is not known what had to be caught";
    case JA_GAP_TOO_SHORT:
        return "the old leak itself would have passed this test";
    default:
        return "";
    }
}

static void number_test(struct ja_case *item, struct ja_finding *f, const struct ja_acceptance *a)
{
    ja_whole(item, f, "delta_bytes", a->delta_bytes);
    ja_whole(item, f, "delta_low_bytes", a->delta_low_bytes);
    ja_whole(item, f, "delta_high_bytes", a->delta_high_bytes);
    ja_whole(item, f, "max_delta_bytes", item->statements->fix.max_delta_bytes);
    ja_number(item, f, "blind_bytes_per_hour", a->blind_bytes_per_hour);
    ja_number(item, f, "blind_bytes_per_work", a->blind_bytes_per_work);
    ja_number(item, f, "work", a->work);
    ja_number(item, f, "span_s", a->span_s);
    ja_number(item, f, "needed_span_s", a->needed_span_s);
}

static const char *needed_text(struct ja_case *item, const struct ja_acceptance *a)
{
    double span_s = isfinite(a->needed_span_s) ? a->needed_span_s : 3600;
    return ja_arena_print(item->arena,
                          "three readings, %s or more from the middle to the last, with the "
                          "service's work counted",
                          ja_span_text(item, span_s));
}

static void explain(struct ja_case *item, struct ja_finding *f, const struct side *after,
                    const struct ja_acceptance *a)
{
    bool blind = a->result == JA_ACCEPTANCE_BLIND;
    ja_because(
        item, f, "%s%sa leak %s passes this test unseen", blind ? gap_text(a->gap) : "",
        blind ? "; " : "",
        isfinite(a->blind_bytes_per_hour)
            ? ja_arena_print(item->arena, "up to %s", ja_rate_text(item, a->blind_bytes_per_hour))
            : "of any size");
    ja_unless(item, f, "a longer test under counted work that shows the old slope again");
    ja_next(item, f, "%s", needed_text(item, a));
    number_test(item, f, a);
    for (size_t i = 0; i < after->count && i < 3; i++) {
        size_t at = i == 0 ? a->first : i == 1 ? a->middle : a->last;
        if (at < after->count)
            ja_cite_point(item, f, ja_point_at(after->series, after->first + at));
    }
}

static void report(struct ja_case *item, const struct side *after, const struct ja_acceptance *a)
{
    static const struct {
        const char *rule;
        enum ja_severity severity;
    } words[] = {
        [JA_ACCEPTANCE_BLIND] = {"fix_test_blind", JA_SERIOUS},
        [JA_ACCEPTANCE_NOT_SHOWN] = {"fix_not_shown", JA_CRITICAL},
        [JA_ACCEPTANCE_EFFECTIVE] = {"fix_effective", JA_REMARK},
    };
    enum ja_grade grade = a->result == JA_ACCEPTANCE_EFFECTIVE   ? JA_CONSISTENT
                          : a->result == JA_ACCEPTANCE_NOT_SHOWN ? JA_CONTRADICTED
                                                                 : JA_CANNOT;
    uint32_t process = after->series->process;
    struct ja_finding *f = ja_find(item, words[a->result].rule, grade, words[a->result].severity,
                                   item->processes[process].host, process);
    f->metric = (int)after->series->metric;
    f->stake_bytes = a->delta_bytes == JA_UNKNOWN ? 0 : a->delta_bytes;
    const char *subject =
        ja_arena_print(item->arena, "The fix of %s", ja_process_text(item, process));
    const char *delta =
        a->delta_bytes == JA_UNKNOWN ? "unknown" : ja_size_text(item, (double)a->delta_bytes, 0);
    ja_say(item, f, subject, JA_VERB_BE, "effective: middle to last %s in %s, limit %s", delta,
           ja_span_text(item, a->span_s),
           item->statements->fix.max_delta_bytes == JA_UNKNOWN
               ? "not stated"
               : ja_size_text(item, (double)item->statements->fix.max_delta_bytes, 0));
    explain(item, f, after, a);
}

/* A fix was stated, and nobody looked afterwards. */
static void find_unwatched(struct ja_case *item, const struct side *before)
{
    uint32_t process = before->series->process;
    struct ja_finding *f = ja_find(item, "fix_test_blind", JA_CANNOT, JA_SERIOUS,
                                   item->processes[process].host, process);
    f->metric = (int)before->series->metric;
    ja_say(item, f, ja_arena_print(item->arena, "The fix of %s", ja_process_text(item, process)),
           JA_VERB_BE, "effective: there is no reading after it");
    ja_because(item, f, "a start log that says \"patched\" is no reading");
    ja_unless(item, f, "readings after the fix, under counted work");
    ja_next(item, f, "%s", needed_text(item, &(struct ja_acceptance){.needed_span_s = NAN}));
    ja_cite_point(item, f, ja_point_at(before->series, before->first + before->count - 1));
}

static void judge(struct ja_case *item)
{
    const struct ja_stated_fix *fix = &item->statements->fix;
    bool roles = any_role(item, JA_ROLE_AFTER);
    if (!fix->stated && !roles)
        return;
    int64_t fixed_ns = fix->at.parts & JA_STAMP_UNIX ? fix->at.unix_ns : JA_UNKNOWN;
    bool by_name = name_exists(item, fixed_ns, roles);
    struct side after = longest(item, fixed_ns, roles, true, by_name);
    struct side before = longest(item, fixed_ns, roles, false, by_name);
    if (!after.count && before.count)
        find_unwatched(item, &before);
    if (!after.count)
        return;
    struct ja_growth_life life;
    life_of(item, &after, &life);
    struct ja_acceptance_input input = {
        .after = &life,
        .max_delta_bytes = fix->max_delta_bytes,
        .min_work = fix->min_work,
        .old_low_bytes_per_hour = before.count ? old_leak(&before) : NAN,
        .old_low_bytes_per_work = before.count && before.series->growth->work_known
                                      ? ja_series_growth(before.series).work_slope_low_bytes
                                      : NAN,
    };
    struct ja_acceptance result;
    ja_acceptance_judge(&input, &result);
    report(item, &after, &result);
}

const struct ja_rule ja_rule_fix = {
    .question = "did the fix work, and what leak could this test have missed?",
    .names = {{"fix_effective",
               "The difference from the middle to the last reading holds, under counted work, and "
               "the leak measured before would have been caught. Slower leaks are not excluded: "
               "the blind figure says which."},
              {"fix_not_shown", "It grew by the stated limit or more after the fix."},
              {"fix_test_blind",
               "Too few readings, too short, too little or no counted work: a pass proves nothing "
               "below the blind figure. A log line that says \"patched\" is no evidence."}},
    .judge = judge,
};
