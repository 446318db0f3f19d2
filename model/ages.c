/* SPDX-License-Identifier: MIT
 *
 * Ages of processes, which tick on while the clock is set: every survivor of one boot has aged by
 * the same number of ticks.
 */
#include "model/ages.h"

#include <string.h>

#include "model/sort.h"
#include "model/rows.h"

/* Wall clock of a report against ticks: writer latency and clock steps. */
#define AGE_WALL_SLACK_NS (2 * JA_NS_PER_S)
/* Ages in whole seconds may agree by chance; so may fewer rows. */
#define FINE_HZ 1000000
#define FEW_ROWS 3

static int by_pid(const void *a, const void *b)
{
    const struct ja_aged_row *x = a, *y = b;
    if (x->pid != y->pid)
        return x->pid < y->pid ? -1 : 1;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->age < y->age ? -1 : x->age > y->age);
}

/* A copy in order: by pid, and the few of one pid by name and age. */
static struct ja_aged_row *sorted_rows(const struct ja_aged_row *rows, size_t count,
                                       struct ja_arena *arena)
{
    struct ja_keyed *order = ja_arena_room(arena, 2 * count, sizeof *order);
    for (uint32_t i = 0; i < count; i++)
        order[i] = (struct ja_keyed){ja_rising_key(rows[i].pid), i};
    ja_sort_keyed(order, order + count, count);
    struct ja_aged_row *sorted = ja_arena_room(arena, count, sizeof *sorted);
    for (size_t i = 0; i < count; i++)
        sorted[i] = rows[order[i].item];
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && sorted[end].pid == sorted[i].pid;)
            end++;
        ja_sort(sorted + i, end - i, sizeof *sorted, by_pid);
    }
    return sorted;
}

size_t ja_aged_list(const struct ja_build *build, const struct ja_moment *moment,
                    struct ja_aged_row **ret)
{
    const struct ja_evidence *evidence = ja_moment_evidence(build, moment);
    struct ja_aged_row *rows = ja_arena_room(build->scratch, moment->subject_count, sizeof *rows);
    size_t count = 0;
    for (size_t i = 0; i < moment->subject_count; i++) {
        struct ja_subject s = ja_subject_at(evidence, ja_moment_subject(moment, i));
        if (s.age_ticks != JA_UNKNOWN && s.pid != JA_UNKNOWN && s.name)
            rows[count++] = (struct ja_aged_row){s.pid, s.name, s.uuid, s.age_ticks};
    }
    *ret = sorted_rows(rows, count, build->scratch);
    return count;
}

/* Its table ends early: which rows are left is chance. */
static bool is_cut(const struct ja_build *build, const struct ja_moment *moment)
{
    const struct ja_evidence *evidence = ja_moment_evidence(build, moment);
    const struct ja_record *record = ja_moment_record(build, moment);
    for (uint32_t i = 0; i < record->fact_count; i++)
        if (evidence->facts[record->first_fact + i].key == JA_FACT_TABLE_CUT)
            return true;
    return false;
}

/* Age differences of rows with equal pid and name (and uuid, where both tell), sorted. */
static size_t age_differences(const struct ja_aged_table *table, const struct ja_aged_row *rows,
                              size_t count, struct ja_arena *arena, int64_t **ret)
{
    struct ja_keyed *differences = ja_arena_room(arena, 2 * count, sizeof *differences);
    size_t found = 0, k = 0;
    for (size_t i = 0; i < count; i++) {
        while (k < table->row_count &&
               by_pid(&table->rows[k],
                      &(struct ja_aged_row){rows[i].pid, rows[i].name, NULL, INT64_MIN}) < 0)
            k++;
        if (k == table->row_count || table->rows[k].pid != rows[i].pid ||
            strcmp(table->rows[k].name, rows[i].name) != 0)
            continue;
        if (table->rows[k].uuid && rows[i].uuid && strcmp(table->rows[k].uuid, rows[i].uuid) != 0)
            continue;
        int64_t difference = ja_subtract(rows[i].age, table->rows[k].age);
        differences[found++] = (struct ja_keyed){.key = ja_rising_key(difference)};
    }
    ja_sort_keyed(differences, differences + count, found);
    *ret = ja_arena_room(arena, found, sizeof **ret);
    for (size_t i = 0; i < found; i++)
        (*ret)[i] = ja_rising_number(differences[i].key);
    return found;
}

/* The difference that most rows share within the tolerance; *ret_support = how many. */
static int64_t common_difference(const int64_t *differences, size_t count, size_t *ret_support)
{
    int64_t best = JA_UNKNOWN;
    size_t support = 0;
    for (size_t i = 0, end = 0; i < count; i++) {
        if (end < i)
            end = i;
        while (end < count && differences[end] - differences[i] <= JA_AGE_TOLERANCE_TICKS)
            end++;
        if (end - i > support) {
            support = end - i;
            best = differences[i + support / 2];
        }
    }
    *ret_support = support;
    return best;
}

int64_t ja_ticks_ns(int64_t ticks, int64_t hz)
{
    return (int64_t)((double)ticks / (double)hz * 1e9);
}

/* Has more time passed than that, as the clock tells it at its most? */
static bool outlasts(int64_t ns, const struct ja_instant *from, const struct ja_instant *to)
{
    if (!ja_instant_known(from) || !ja_instant_known(to))
        return true;
    int64_t early = from->early_ns != JA_UNKNOWN ? from->early_ns : from->unix_ns;
    int64_t late = to->late_ns != JA_UNKNOWN ? to->late_ns : to->unix_ns;
    return ns <= late - early + AGE_WALL_SLACK_NS;
}

enum ja_age_tie ja_aged_tie(const struct ja_build *build, const struct ja_aged_table *table,
                            const struct ja_moment *moment, const struct ja_aged_row *rows,
                            size_t count, int64_t *ret_shift)
{
    if (!table->moment || !count)
        return JA_AGE_NONE;
    int64_t *differences;
    size_t found = age_differences(table, rows, count, build->scratch, &differences), support;
    if (!found)
        return JA_AGE_NONE;
    int64_t shift = common_difference(differences, found, &support);
    int64_t hz = moment->system->tick_hz != JA_UNKNOWN ? moment->system->tick_hz : 24000000;
    bool fits = shift >= 0 && outlasts(ja_ticks_ns(shift, hz), &table->moment->at, &moment->at);
    /* Nothing that started after the report before can be older than the time in between. */
    if (shift > 0 && !fits && hz >= FINE_HZ && support >= FEW_ROWS && support * 2 > found)
        return JA_AGE_CLOCK;
    /* After a reboot daemons start in the same order with the same pids: a few rows may agree by
     * chance, never most of them. A single row is believed only when no other contradicts, and not
     * when the others are cut off: it may have started anew. */
    if (!fits || support * 3 < found)
        return JA_AGE_OTHER;
    if (support == 1 && (found > 1 || table->cut || is_cut(build, moment)))
        return JA_AGE_NONE;
    *ret_shift = shift;
    return JA_AGE_SAME;
}

void ja_aged_follow(const struct ja_build *build, struct ja_aged_table *table, bool tied,
                    struct ja_moment *moment, const struct ja_aged_row *rows, size_t count,
                    int64_t shift)
{
    table->moment = moment;
    if (!tied || count >= table->row_count / 2) {
        JA_RESERVE(build->item->arena, table->rows, 0, table->row_capacity, count);
        memcpy(table->rows, rows, count * sizeof *rows);
        table->row_count = count;
        table->cut = is_cut(build, moment);
        return;
    }
    for (size_t i = 0; i < table->row_count; i++)
        table->rows[i].age = ja_add(table->rows[i].age, shift);
}
