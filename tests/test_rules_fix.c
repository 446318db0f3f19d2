/* SPDX-License-Identifier: MIT
 *
 * The acceptance test of a fix as the rule asks it: which readings are before and after, and the
 * answer with its numbers, worked out by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/story.h"

#define MIB ((double)JA_MIB)

static const struct ja_selector web = {
    .name = "web", .pid = JA_UNKNOWN, .coalition = JA_UNKNOWN, .text = "web"};

/* Before the fix 1000 MiB more in five hours, 200 MiB an hour. After it three readings at so many
 * minutes, gaining so many MiB from the middle to the last; work in all, negative: not counted. */
struct trial {
    bool leaked;
    double apart;
    int gain;
    double work;
};

static const struct ja_case *fixed(struct story *story, struct trial trial)
{
    begin(story);
    story->said.fix = (struct ja_stated_fix){
        .stated = true, .who = web, .max_delta_bytes = 100 * JA_MIB, .min_work = 200};
    if (trial.leaked)
        READS_ALL(story, "web", 7, 60, JA_MIB, 500, 700, 900, 1100, 1300, 1500);
    else
        reads(story, "web", 7, 0, 500 * JA_MIB);
    end_file(story, "before.ndjson")->role = JA_ROLE_BEFORE;
    const int after[] = {480, 500, 500 + trial.gain};
    for (int i = 0; i < 3; i++) {
        reads(story, "web", 9, 600 + trial.apart * i, after[i] * JA_MIB);
        if (trial.work >= 0)
            works(story, "web", 9, 600 + trial.apart * i, "requests", 10 + trial.work * i / 2);
    }
    end_file(story, "after.ndjson")->role = JA_ROLE_AFTER;
    return build(story);
}

/* An hour between readings: what gains 100 MiB/h is caught, and the old leak was twice that. */
static void a_fix_that_holds(void **state)
{
    (void)state;
    struct story story;
    const struct ja_case *item = fixed(&story, (struct trial){true, 60, 18, 400});
    const struct ja_finding *f = finds(item, "fix_effective", "web", JA_CONSISTENT);
    assert_number(f, "delta_bytes", 18 * MIB);
    assert_number(f, "max_delta_bytes", 100 * MIB);
    assert_number(f, "blind_bytes_per_hour", 100 * MIB);
    assert_number(f, "blind_bytes_per_work", 0.5 * MIB);
    assert_number(f, "work", 400);
    assert_number(f, "span_s", 3600);
    assert_silent(item, "fix_not_shown", NULL);
    assert_silent(item, "fix_test_blind", NULL);
    end(&story);
}

static void a_fix_that_does_not_hold(void **state)
{
    (void)state;
    struct story story;
    const struct ja_case *item = fixed(&story, (struct trial){true, 60, 190, -1});
    const struct ja_finding *f = finds(item, "fix_not_shown", "web", JA_CONTRADICTED);
    assert_number(f, "delta_bytes", 190 * MIB);
    assert_int_equal(f->severity, JA_CRITICAL);
    assert_silent(item, "fix_effective", NULL);
    end(&story);
}

/* The same calm readings, and each thing that makes them worth nothing. */
static void a_fix_that_was_not_tested(void **state)
{
    (void)state;
    static const struct {
        struct trial trial;
        const char *why;
    } blind[] = {
        {{true, 60, 18, -1}, "nobody counted the work"},
        {{true, 60, 18, 0}, "no work was done while it was watched"},
        {{true, 60, 18, 199}, "less work was done than the test asks for"},
        {{false, 60, 18, 400}, "no leak was measured before the fix"},
        {{true, 15, 18, 400}, "the old leak itself would have passed this test"},
        {{true, 0, 18, 400},
         "three spaced readings with times, and a stated limit, are needed; a leak "
         "of any size passes this test unseen"},
    };
    for (size_t i = 0; i < sizeof blind / sizeof *blind; i++) {
        struct story story;
        const struct ja_case *item = fixed(&story, blind[i].trial);
        const struct ja_finding *f = finds(item, "fix_test_blind", "web", JA_CANNOT);
        assert_says(item, f, blind[i].why);
        if (blind[i].trial.apart > 0)
            assert_number(f, "blind_bytes_per_hour", 100 * MIB * 60 / blind[i].trial.apart);
        assert_silent(item, "fix_effective", NULL);
        end(&story);
    }
}

/* Nothing is said of a fix that nobody states. */
static void no_fix_is_no_test(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    READS_ALL(&story, "web", 7, 60, JA_MIB, 500, 700, 500, 501, 502, 503);
    const struct ja_case *item = build(&story);
    assert_silent(item, "fix_effective", NULL);
    assert_silent(item, "fix_not_shown", NULL);
    assert_silent(item, "fix_test_blind", NULL);
    end(&story);
}

/* A time instead of folders: what was read before it is before. */
static void a_fix_at_a_time(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    story.said.fix = (struct ja_stated_fix){
        .stated = true, .who = web, .max_delta_bytes = 100 * JA_MIB, .min_work = NAN};
    story.said.fix.at.parts = JA_STAMP_UNIX;
    story.said.fix.at.unix_ns = STORY_BEGIN_NS + 400 * 60 * JA_NS_PER_S;
    READS_ALL(&story, "web", 7, 60, JA_MIB, 500, 700, 900, 1100, 1300, 1500);
    for (int i = 0; i < 3; i++) {
        reads(&story, "web", 9, 600 + 60 * i, 500 * JA_MIB);
        works(&story, "web", 9, 600 + 60 * i, "requests", 100 * i);
    }
    const struct ja_finding *f = finds(build(&story), "fix_effective", "web", JA_CONSISTENT);
    assert_number(f, "delta_bytes", 0);
    assert_number(f, "work", 200);
    end(&story);
}

/* A week of readings before the fix and none after it: the question stays open, and is said. */
static void a_fix_that_nobody_watched(void **state)
{
    (void)state;
    struct story story;
    begin(&story);
    story.said.fix = (struct ja_stated_fix){
        .stated = true, .who = web, .max_delta_bytes = 100 * JA_MIB, .min_work = NAN};
    story.said.fix.at.parts = JA_STAMP_UNIX;
    story.said.fix.at.unix_ns = STORY_BEGIN_NS + 400 * 60 * JA_NS_PER_S;
    READS_ALL(&story, "web", 7, 60, JA_MIB, 500, 700, 900, 1100, 1300, 1500);
    const struct ja_case *item = build(&story);
    const struct ja_finding *f = finds(item, "fix_test_blind", "web", JA_CANNOT);
    assert_says(item, f, "there is no reading after it");
    assert_true(isnan(number_of(f, "delta_bytes")));
    end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fix_that_holds),          cmocka_unit_test(a_fix_that_does_not_hold),
        cmocka_unit_test(a_fix_that_was_not_tested), cmocka_unit_test(no_fix_is_no_test),
        cmocka_unit_test(a_fix_at_a_time),           cmocka_unit_test(a_fix_that_nobody_watched),
    };
    ja_parsers_prepare();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
