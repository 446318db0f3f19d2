/* SPDX-License-Identifier: MIT
 *
 * The postmortem, sections 7 to 14: what people decide, what is open, and what all of it stands on.
 */
#include "reports/markdown.h"

#include <string.h>

#include "reports/text.h"

#define MOST_CANDIDATES 10
#define MOST_QUESTIONS 15
#define MOST_CITES 500
#define MOST_FILES 200

/* Rules whose findings name a mechanism: candidates, never causes. */
static bool names_a_mechanism(const char *rule)
{
    static const char *const rules[] = {
        "growing",
        "plateau_at_cap",
        "doubling_arena",
        "load_driven",
        "retained_after_free",
        "file_cache_growth",
        "many_small",
        "compressor_exhausted",
        "kernel_zone_exhausted",
        "outside_processes",
        "per_process_limit",
        "swap_nearly_full",
        "staircase",
        "watchdog",
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i], rule) == 0)
            return true;
    return false;
}

static bool says_something(const struct ja_finding *f)
{
    return f->grade == JA_CONFIRMED || f->grade == JA_CONSISTENT;
}

static void put_factors(struct ja_markdown_page *page)
{
    const struct ja_case *item = page->item;
    size_t count = 0, more = 0;
    fputs("## 7 Contributing factors (candidates)\n\n"
          "Candidates only: whether one of them contributed is for people to decide.\n\n",
          page->out);
    for (size_t i = 0; i < item->finding_count; i++) {
        const struct ja_finding *f = &item->findings[i];
        if (!names_a_mechanism(f->rule) || !says_something(f))
            continue;
        if (count == MOST_CANDIDATES) {
            more++;
            continue;
        }
        fprintf(page->out, "- F%02zu, %s: %s.\n", i + 1, ja_grade_word(f->grade),
                ja_markdown(page->arena, f->statement, false));
        if (f->would_change)
            fprintf(page->out, "  - What would disprove it: %s.\n",
                    ja_markdown(page->arena, f->would_change, false));
        count++;
    }
    if (more)
        fprintf(page->out, "- %zu more of this kind stand in the workbook.\n", more);
    if (!count)
        fputs("The evidence names none.\n", page->out);
    putc('\n', page->out);
    ja_page_fill_in(page, "which of these contributed, and what else did");
    putc('\n', page->out);
}

static void put_response(struct ja_markdown_page *page)
{
    fputs("## 8 Trigger, detection, response, resolution\n\n", page->out);
    if (page->item->incident_count)
        fprintf(page->out,
                "The first event or state of the first incident that is out of the ordinary is of "
                "%s; a process that grew (section 5) may have shown it earlier.\n\n",
                ja_when(page->arena, &page->item->incidents[0].first_abnormal));
    ja_page_fill_in(page, "trigger");
    ja_page_fill_in(page, "how and when it was detected");
    ja_page_fill_in(page, "what was done, by whom");
    ja_page_fill_in(page, "what ended it");
    putc('\n', page->out);
}

static void put_fix(struct ja_markdown_page *page)
{
    const struct ja_case *item = page->item;
    bool any = false;
    fputs("## 9 Was the fix effective\n\n", page->out);
    for (size_t i = 0; i < item->finding_count; i++) {
        const struct ja_finding *f = &item->findings[i];
        if (strncmp(f->rule, "fix_", 4) != 0)
            continue;
        any = true;
        fprintf(page->out, "- F%02zu, %s: %s.\n  - Why: %s.\n  - Next: %s.\n", i + 1,
                ja_grade_word(f->grade), ja_markdown(page->arena, f->statement, false),
                ja_markdown(page->arena, f->why, false),
                ja_markdown(page->arena, f->next_step, false));
    }
    if (!any)
        fputs("No readings from before and after a fix were given (`--before`, `--after`, or `fix` "
              "in the case file). A log line that says \"patched\" is no evidence of effect.\n",
              page->out);
    putc('\n', page->out);
}

static void put_lessons(struct ja_markdown_page *page)
{
    fputs("## 10 What went well, what went badly, where we were lucky\n\n", page->out);
    ja_page_fill_in(page, "what went well");
    ja_page_fill_in(page, "what went badly");
    ja_page_fill_in(page, "where we were lucky");
    putc('\n', page->out);
}

/* The tool proposes measurements, nothing else. Equal proposals are made once. */
static void put_actions(struct ja_markdown_page *page)
{
    const struct ja_case *item = page->item;
    size_t count = 0;
    fputs("## 11 Action items\n\n| Type | Action | Owner | Due |\n| --- | --- | --- | --- |\n",
          page->out);
    for (size_t i = 0; i < item->finding_count && count < MOST_CANDIDATES; i++) {
        const struct ja_finding *f = &item->findings[i];
        bool repeated = !f->next_step;
        for (size_t k = 0; k < i && !repeated; k++)
            repeated = item->findings[k].next_step &&
                       strcmp(item->findings[k].next_step, f->next_step) == 0;
        if (repeated)
            continue;
        fprintf(page->out, "| measure | %s (F%02zu) | **FILL IN** | **FILL IN** |\n",
                ja_markdown(page->arena, f->next_step, true), i + 1);
        count++;
    }
    fputs("| prevent | **FILL IN** | **FILL IN** | **FILL IN** |\n\n", page->out);
}

static void put_questions(struct ja_markdown_page *page)
{
    const struct ja_case *item = page->item;
    size_t count = 0, all = 0;
    fputs("## 12 Open questions\n\n", page->out);
    for (size_t i = 0; i < item->finding_count; i++) {
        const struct ja_finding *f = &item->findings[i];
        if (f->grade != JA_CANNOT || count == MOST_QUESTIONS) {
            all += f->grade == JA_CANNOT;
            continue;
        }
        fprintf(page->out, "- F%02zu: %s.\n", i + 1, ja_markdown(page->arena, f->statement, false));
        if (f->next_step)
            fprintf(page->out, "  - To settle it: %s.\n",
                    ja_markdown(page->arena, f->next_step, false));
        count++;
        all++;
    }
    if (all > count)
        fprintf(page->out, "- %zu more of this kind stand in the workbook.\n", all - count);
    if (!all)
        fputs(
            "No finding is graded CANNOT TELL; verdicts that are not decided stand in section 5.\n",
            page->out);
    putc('\n', page->out);
}

static void put_cite(struct ja_markdown_page *page, const struct ja_cite *cite)
{
    const struct ja_evidence *evidence = page->item->sources[cite->source].evidence;
    const char *place =
        cite->place == JA_NONE ? "" : ja_place_text(evidence, cite->place, page->arena);
    const char *sha = page->item->sources[cite->source].sha256;
    fprintf(page->out, "#### E%03u\n\n%s", (unsigned)cite->number,
            ja_markdown_code(page->arena, evidence->path, false));
    if (place[0])
        fprintf(page->out, ", at %s", ja_markdown_code(page->arena, place, false));
    if (cite->raw && cite->raw[0])
        fprintf(page->out, ": %s",
                ja_markdown_code(page->arena,
                                 ja_shorten(page->arena, ja_visible(page->arena, cite->raw), 300),
                                 false));
    fprintf(page->out, " (%s", ja_unit_word(cite->unit));
    if (cite->resolution_bytes != JA_UNKNOWN)
        fprintf(page->out, ", step %s", ja_bytes(page->arena, cite->resolution_bytes, 0));
    fprintf(page->out, "; SHA-256 `%.12s`)\n\n", sha);
}

static void put_evidence(struct ja_markdown_page *page)
{
    const struct ja_case *item = page->item;
    size_t left_out = 0;
    fputs("## 13 Evidence\n\n", page->out);
    for (size_t i = 0; i < item->cite_count; i++) {
        uint32_t cite = item->cite_order[i];
        if (i < MOST_CITES || page->linked[cite])
            put_cite(page, &item->cites[cite]);
        else
            left_out++;
    }
    if (left_out)
        fprintf(page->out,
                "%zu more, which nothing above links to, stand in the workbook (sheet "
                "Evidence) and in what `--json` prints.\n\n",
                left_out);
}

static void put_method(struct ja_markdown_page *page)
{
    static const int columns[] = {0, 1, 2, 3, 4, 10};
    const char *options = page->options->options_text;
    fputs("## 14 Method and limits\n\n"
          "Every reading is an interval (printed value and step), every time has an uncertainty. "
          "Growth is judged within one life of one process and one metric; slopes carry the "
          "rounding. Books are never called use. A verdict speaks of this window and of the work "
          "that was done in it. docs/METHOD.md explains the arithmetic.\n\n",
          page->out);
    fprintf(page->out, "Options that change the result: %s.\n\n",
            options && options[0] ? ja_markdown_code(page->arena, options, false) : "none");
    fputs("Files, and how far they were read:\n\n", page->out);
    ja_page_table(page, JA_TABLE_FILES, columns, sizeof columns / sizeof *columns, MOST_FILES);
}

void ja_page_people_part(struct ja_markdown_page *page)
{
    put_factors(page);
    put_response(page);
    put_fix(page);
    put_lessons(page);
    put_actions(page);
    put_questions(page);
    put_evidence(page);
    put_method(page);
}
