/* SPDX-License-Identifier: MIT
 *
 * fixtures/growth/vectors.txt: every line names a function, its input and what it must answer.
 */
#include "model/growth_parts.h"
#include "model/proof.h"
#include "model/quantity.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define LIST_MOST 64
#define TOLERANCE 1e-6
#define UNIT ((double)JA_GIB)
#define HOUR_NS 3.6e12

/* One line, cut into "key=value" words; the answer's words follow "=>". */
struct line {
    char text[4096];
    char *word[64];
    size_t words, answer; /* answer: index of the first word after => */
    int number;
};

static struct line now;
static struct ja_arena *arena;

static bool read_line(FILE *file)
{
    do {
        if (!fgets(now.text, sizeof now.text, file))
            return false;
        now.number++;
    } while (now.text[0] == '#' || now.text[0] == '\n');
    now.words = 0;
    for (char *at = strtok(now.text, " \n"); at; at = strtok(NULL, " \n")) {
        if (!strcmp(at, "=>"))
            now.answer = now.words;
        else
            now.word[now.words++] = at;
    }
    return true;
}

static const char *find(const char *key, size_t from, size_t to)
{
    size_t length = strlen(key);
    for (size_t i = from; i < to; i++)
        if (!strncmp(now.word[i], key, length) && now.word[i][length] == '=')
            return now.word[i] + length + 1;
    return NULL;
}

static const char *given(const char *key)
{
    return find(key, 1, now.answer);
}

static const char *wanted(const char *key)
{
    return find(key, now.answer, now.words);
}

static double number(const char *text)
{
    return !text || !strcmp(text, "none") ? NAN : strtod(text, NULL);
}

static double in(const char *key)
{
    return number(given(key));
}

static size_t list(const char *text, double *ret)
{
    size_t count = 0;
    for (char *end; text && *text; text = *end ? end + 1 : NULL) {
        ret[count] = strtod(text, &end);
        if (end == text)
            break;
        count++;
    }
    return count;
}

static void same(const char *what, double got, double want)
{
    bool equal = isnan(want)   ? isnan(got)
                 : isinf(want) ? got == want
                               : fabs(got - want) <= TOLERANCE * fmax(fabs(want), 1e-3);
    if (!equal)
        fail_msg("line %d %s: %s is %.12g, not %.12g", now.number, now.word[0], what, got, want);
}

static void same_word(const char *what, const char *got, const char *want)
{
    if (strcmp(got, want))
        fail_msg("line %d %s: %s is %s, not %s", now.number, now.word[0], what, got, want);
}

static void answers(double low, double high)
{
    same("low", low, number(wanted("low")));
    same("high", high, number(wanted("high")));
}

static void answer(double value)
{
    same("value", value, number(wanted("value")));
}

static void answer_bool(bool value)
{
    same_word("value", value ? "yes" : "no", wanted("value"));
}

/* Readings of the line: lo= and hi=, or v=, r= and mode=. */
static struct ja_track track(void)
{
    double t[LIST_MOST], v[LIST_MOST], r[LIST_MOST], high[LIST_MOST];
    size_t n = list(given("t"), t), steps = list(given("r"), r);
    struct ja_track made = ja_track_new(arena, n);
    double error = given("dt") ? in("dt") : 0;
    if (given("lo")) {
        list(given("lo"), v);
        list(given("hi"), high);
    } else {
        list(given("v"), v);
    }
    for (size_t i = 0; i < n; i++) {
        double step = r[steps > 1 ? i : 0];
        const char *mode = given("mode");
        made.early[i] = t[i] - error;
        made.late[i] = t[i] + error;
        if (!mode) {
            made.low[i] = v[i];
            made.high[i] = high[i];
            continue;
        }
        double below = !strcmp(mode, "nearest") ? 0.5 : !strcmp(mode, "floor") ? 0 : 1;
        double above = !strcmp(mode, "nearest") ? 0.5 : !strcmp(mode, "ceil") ? 0 : 1;
        made.low[i] = v[i] - below * step;
        made.high[i] = v[i] + above * step;
    }
    ja_track_finish(&made);
    return made;
}

static const char *form_word(enum ja_form form)
{
    static const char *words[JA_FORM_COUNT] = {"unknown",  "flat", "linear",    "decline",
                                               "plateau",  "step", "staircase", "doubling",
                                               "sawtooth", "burst"};
    return words[form];
}

static void do_strip(void)
{
    struct ja_track readings = track();
    struct ja_span span = ja_strip(&readings), slow = ja_strip_projected(&readings);
    assert_int_equal(span.exists, slow.exists);
    if (!span.exists) {
        assert_non_null(wanted("value"));
        return;
    }
    answers(span.low, span.high);
    answers(slow.low, slow.high);
}

static void do_interval(void)
{
    struct ja_track readings = track();
    double level = in("which") == 3 ? JA_LEVEL_WINDOW : JA_LEVEL_REPORT, strip[2];
    struct ja_slope slope = ja_slope_interval(ja_bench_new(arena), &readings, level, true);
    same("L", slope.low, number(wanted("L")));
    same("U", slope.high, number(wanted("U")));
    same("s", slope.best, number(wanted("s")));
    same("m", (double)slope.effective, number(wanted("m")));
    same("S", ja_pairs_rank(&readings), number(wanted("S")));
    if (wanted("strip") && list(wanted("strip"), strip) == 2) {
        same("strip", slope.line.low, strip[0]);
        same("strip", slope.line.high, strip[1]);
    } else {
        assert_false(slope.line.exists && wanted("strip"));
    }
}

static void do_inflation(void)
{
    struct ja_track readings = track();
    answer(ja_strip_inflation(&readings));
}

static void do_shape(void)
{
    struct ja_track readings = track();
    struct ja_bench *bench = ja_bench_new(arena);
    struct ja_moves moves = ja_moves_of(bench, &readings);
    struct ja_outline outline = ja_shape_of(bench, &readings, &moves);
    double next[2];
    same_word("shape", form_word(outline.form), wanted("shape"));
    if (wanted("steps"))
        same("steps", (double)outline.steps, number(wanted("steps")));
    if (wanted("next") && list(wanted("next"), next) == 2) {
        same("next", outline.next_low, next[0]);
        same("next", outline.next_high, next[1]);
    }
}

static void do_steps(void)
{
    struct ja_track readings = track();
    struct ja_moves moves = ja_moves_of(ja_bench_new(arena), &readings);
    char rises[256] = "";
    for (size_t k = 0; k < moves.rise_count; k++)
        snprintf(rises + strlen(rises), sizeof rises - strlen(rises), "%s%zu-%zu", k ? "," : "",
                 moves.rises[k].first, moves.rises[k].last);
    same_word("rises", *rises ? rises : "-", wanted("rises"));
    same("nu", moves.noise, number(wanted("nu")));
    same("falls", (double)moves.fall_count, number(wanted("falls")));
    same("last", (double)moves.last, number(wanted("last")));
}

static void do_kept(void)
{
    struct ja_track readings = track();
    size_t count;
    double want[LIST_MOST];
    size_t *kept = ja_moves_kept(ja_bench_new(arena), &readings, in("nu"), &count);
    assert_int_equal(count, list(wanted("index"), want));
    for (size_t i = 0; i < count; i++)
        same("index", (double)kept[i], want[i]);
}

static void do_reach(void)
{
    double t[LIST_MOST], low[LIST_MOST], high[LIST_MOST];
    size_t n = list(given("t"), t);
    struct ja_range reading[LIST_MOST], when;
    list(given("lo"), low);
    list(given("hi"), high);
    for (size_t i = 0; i < n; i++)
        reading[i] = (struct ja_range){low[i], high[i]};
    assert_true(ja_proof_reach(t, reading, n, in("cap"), &when));
    answers(when.low, when.high);
}

static void do_reach_by(void)
{
    struct ja_range when = ja_proof_reach_by(in("tn"), (struct ja_range){in("lo"), in("hi")},
                                             (struct ja_range){in("L"), in("U")}, in("cap"));
    answers(when.low, when.high);
}

static void do_power(void)
{
    struct ja_range power = ja_proof_power(in("D"), in("dt"), in("w1"), in("w2"), in("nu"));
    answers(power.low, power.high);
}

static struct ja_range range(const char *key)
{
    double ends[2] = {NAN, NAN};
    assert_int_equal(list(given(key), ends), 2);
    return (struct ja_range){ends[0], ends[1]};
}

static void do_effect(void)
{
    static const char *words[] = {"cannot_tell", "reduced", "increased"};
    struct ja_range change;
    enum ja_change word = ja_proof_effect(range("before"), range("after"), &change);
    same_word("word", words[word], wanted("word"));
    answers(change.low, change.high);
}

static void do_cap(void)
{
    struct ja_cap_match match = ja_proof_cap(in("level"), in("half"), in("cap"), in("baseline"));
    same_word("reached", match.reached ? "yes" : "no", wanted("reached"));
    same("distance", match.distance, number(wanted("distance")));
    answers(match.share.low, match.share.high);
}

static void do_cap_share(void)
{
    struct ja_range level = range("level");
    struct ja_cap_match match =
        ja_proof_cap((level.low + level.high) / 2, (level.high - level.low) / 2, in("cap"), 0.5);
    answers(match.share.low, match.share.high);
}

static void do_pages(void)
{
    double rows[LIST_MOST], books = 0, ends[2];
    size_t count = list(given("pages"), rows);
    for (size_t i = 0; i < count; i++)
        books += rows[i];
    struct ja_page_proof proof =
        ja_proof_pages(&(struct ja_pages){.free = in("free"),
                                          .active = in("active"),
                                          .inactive = in("inactive"),
                                          .wired = in("wired"),
                                          .speculative = in("speculative"),
                                          .throttled = in("throttled"),
                                          .compressor = in("compressor"),
                                          .file_backed = in("fileBacked"),
                                          .anonymous = in("anonymous"),
                                          .purgeable = in("purgeable"),
                                          .uncompressed = in("uncompressed"),
                                          .books = books,
                                          .wired_is_whole = !strcmp(given("platform"), "macos")});
    same("total", proof.total, number(wanted("total")));
    same("queues", proof.queues_less_kinds, number(wanted("queues_vs_kind")));
    assert_int_equal(list(wanted("in_use"), ends), 2);
    same("in use", proof.in_use.low, ends[0]);
    same("in use", proof.in_use.high, ends[1]);
    assert_int_equal(list(wanted("process_physical"), ends), 2);
    same("owned", proof.owned.low, ends[0]);
    same("owned", proof.owned.high, ends[1]);
    same("ceiling", proof.ceiling, number(wanted("ceiling")));
    same("twice", proof.counted_twice, number(wanted("double_counted_at_least")));
    same("hidden", proof.hidden, number(wanted("compressed_saving")));
    same("rest", in("memsize") - proof.total, number(wanted("unaccounted")));
}

/* Whole verdicts go through the public door: integer bytes and nanoseconds, one unit = 1 GiB. */
static size_t make_lives(struct ja_growth_life *lives)
{
    double t[LIST_MOST], v[LIST_MOST], r[LIST_MOST], w[LIST_MOST], life[LIST_MOST];
    size_t n = list(given("t"), t), steps = list(given("r"), r), count = 0;
    bool split = given("inc") && list(given("inc"), life) == n;
    bool work = given("w") && list(given("w"), w) == n;
    list(given("v"), v);
    struct ja_growth_point *points = ja_arena_alloc(arena, n, sizeof *points);
    struct ja_growth_work *samples = ja_arena_alloc(arena, n, sizeof *samples);
    for (size_t i = 0; i < n; i++) {
        struct ja_quantity value = {llround(v[i] * UNIT), llround(r[steps > 1 ? i : 0] * UNIT),
                                    JA_ROUNDING_NEAREST};
        if (!strcmp(given("mode"), "floor"))
            value.rounding = JA_ROUNDING_DOWN;
        ja_quantity_interval(value, &points[i].low_bytes, &points[i].high_bytes);
        points[i].resolution_bytes = value.resolution;
        points[i].early_ns = points[i].late_ns = llround(t[i] * HOUR_NS);
        samples[i] =
            (struct ja_growth_work){points[i].early_ns, points[i].late_ns, work ? w[i] : 0};
        if (!i || (split && life[i] != life[i - 1]))
            lives[count++] =
                (struct ja_growth_life){.points = &points[i], .work = work ? &samples[i] : NULL};
        lives[count - 1].point_count++;
        lives[count - 1].work_count += work;
    }
    return count;
}

static void do_verdict(void)
{
    static const char *verdicts[] = {"cannot_tell", "growing", "not_growing"};
    static const char *shapes[] = {"unknown",   "flat",     "linear",   "plateau", "step",
                                   "staircase", "doubling", "sawtooth", "burst"};
    static const char *reasons[] = {
        "NONE",      "UNDATED",     "ONE_READING",  "TWO_READINGS", "FEW_READINGS",
        "NO_WORK",   "LITTLE_WORK", "WORK_UNKNOWN", "NO_CONCERN",   "NOT_SIGNIFICANT",
        "ONE_STEP",  "STOPPED",     "WANDER",       "FALLS",        "SHAPE",
        "LATE_RISE", "STEPS_GROW",  "BOUND_ABOVE_X"};
    struct ja_growth_life lives[8];
    struct ja_growth_input input = {.lives = lives,
                                    .life_count = make_lives(lives),
                                    .concern_bytes_per_hour = in("x") * UNIT,
                                    .limit_bytes = JA_UNKNOWN,
                                    .assume_active = given("assume_active") != NULL,
                                    .dated = true};
    struct ja_growth growth;
    char route[32] = "-";
    ja_growth_judge_service(&input, arena, &growth);
    if (*growth.route)
        snprintf(route, sizeof route, "%s", growth.route);
    for (char *at = route; *at; at++)
        *at = *at == ' ' ? '_' : *at;
    same_word("verdict", verdicts[growth.verdict], wanted("verdict"));
    same_word("reason", reasons[growth.reason], wanted("reason"));
    same_word("route", route, wanted("route"));
    if (strcmp(wanted("shape"), "none"))
        same_word("shape", shapes[growth.shape], wanted("shape"));
    if (!strcmp(wanted("s"), "none"))
        return;
    same("s", growth.best_bytes_per_hour / UNIT, number(wanted("s")));
    same("L", growth.low_bytes_per_hour / UNIT, number(wanted("L")));
    same("U", growth.high_bytes_per_hour / UNIT, number(wanted("U")));
    double bound = number(wanted("Ufinal"));
    if (!isnan(bound))
        same("bound", growth.bound_bytes_per_hour / UNIT, isinf(bound) ? NAN : bound);
}

static void dispatch(const char *name)
{
    if (!strcmp(name, "window"))
        answer(ja_proof_window(in("r"), in("s")));
    else if (!strcmp(name, "digits"))
        answer(in("T") / ja_proof_window(in("r"), in("s")));
    else if (!strcmp(name, "bill"))
        same("ratio", in("processes") * in("cap") / in("physical"), number(wanted("ratio")));
    else if (!strcmp(name, "outside"))
        answer(in("books") - in("physical"));
    else if (!strcmp(name, "caught"))
        answer_bool(in("s") > in("s_caught"));
    else if (!strcmp(name, "open"))
        answer(
            ja_proof_slope((struct ja_range){0, 0}, (struct ja_range){in("d"), in("d")}, in("dt"))
                .high);
    else if (!strcmp(name, "catches"))
        answer_bool(ja_proof_catches(in("U_after"), in("s_before")));
    else if (!strcmp(name, "agree"))
        answer_bool(ja_proof_agree(range("a"), range("b"), in("drift")));
    else if (!strcmp(name, "silence"))
        answer(ja_proof_silence((size_t)in("k"), in("quiet")));
    else if (!strcmp(name, "kendall_tail"))
        answer(ja_kendall_tail((size_t)in("m"), in("S")));
    else if (!strcmp(name, "kendall_critical"))
        answer(ja_kendall_critical((size_t)in("m"), in("alpha")));
    else if (!strcmp(name, "student_tail"))
        answer(ja_student_tail(in("t"), (size_t)in("df")));
    else if (!strcmp(name, "student_quantile"))
        answer(ja_student_quantile((size_t)in("df"), in("alpha")));
    else
        fail_msg("line %d: unknown function %s", now.number, name);
}

static void test_vectors(void **state)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } parts[] = {
        {"strip", do_strip},         {"interval", do_interval}, {"inflation", do_inflation},
        {"shape", do_shape},         {"steps", do_steps},       {"kept", do_kept},
        {"reach", do_reach},         {"reach_by", do_reach_by}, {"power", do_power},
        {"effect", do_effect},       {"cap", do_cap},           {"pages", do_pages},
        {"cap_share", do_cap_share}, {"verdict", do_verdict}};
    (void)state;
    FILE *file = fopen(JA_FIXTURES "/growth/vectors.txt", "r");
    assert_non_null(file);
    size_t count = 0;
    while (read_line(file)) {
        size_t i = 0, known = sizeof parts / sizeof *parts;
        while (i < known && strcmp(parts[i].name, now.word[0]))
            i++;
        if (i < known)
            parts[i].run();
        else
            dispatch(now.word[0]);
        ja_arena_reset(arena);
        count++;
    }
    fclose(file);
    assert_int_equal(count, 117);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_vectors)};
    arena = ja_arena_new();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ja_arena_free(arena);
    return failed;
}
