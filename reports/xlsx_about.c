/* SPDX-License-Identifier: MIT
 *
 * The workbook: the sheet About. How this was made, and what its words and units mean.
 */
#include "reports/xlsx.h"

#include "model/rule.h"
#include "reports/text.h"

#define WORD_WIDTH 30
#define TEXT_WIDTH 120

struct page {
    struct ja_book *book;
    lxw_worksheet *sheet;
    lxw_row_t row;
};

struct entry {
    const char *word, *text;
};

static const struct entry grades[] = {
    {"CONFIRMED", "The record states it, or arithmetic on readings of one process proves it "
                  "against every rounding."},
    {"CONSISTENT WITH", "Fits a named mechanism; the mechanism itself was not recorded."},
    {"NOT SHOWN", "Looked for with enough resolution and window, and absent; or a soft sign only."},
    {"CANNOT TELL", "The window is too short, readings or work are missing, or sources conflict."},
    {"CONTRADICTED", "The record shows something else."},
};

static const struct entry severities[] = {
    {"critical", "Growth that reaches RAM or a cap within 7 days, an exhausted compressor or "
                 "kernel zone, the largest process killed for its limit, a fix that did not work."},
    {"warning", "Other growth that would fill memory within a year, books above RAM, swap nearly "
                "full, watchdog, impossible values."},
    {"note", "Everything else, and whatever was not shown."},
};

static const struct entry units[] = {
    {"GiB, MiB, KiB",
     "Powers of 1024, always; where Apple's tools print GB or MB they mean these."},
    {"[bytes]", "The same figure once more, exact; these columns stand at the right of each sheet "
                "and are not printed on paper. Above 2^53 bytes they are text."},
    {"Step", "The weight of the last digit that was read: the truth lies within it. A figure is "
             "shown with no more digits than its step allows."},
    {"Gain at least, at most", "Last reading minus first one, against every rounding."},
    {"Slope low, high", "95 % interval of the slope, per hour of wall time."},
    {"Minimum window", "One step divided by the slope that matters: in a shorter watch equal "
                       "digits prove nothing."},
    {"Times", "UTC. \"<=\" marks an upper bound: the event was known by then."},
    {"Books", "Sums of per-process figures. They count compressed, swapped and shared pages in "
              "full and are never what was in RAM."},
    {"Physical use", "macOS, iOS: anonymous + wired + compressor. Linux: MemTotal - MemAvailable."},
    {"Empty cells", "Not in the evidence. It is never shown as 0."},
    {"\\x1B, \\u{202E}", "Characters of the evidence that would hide, reorder or break text, made "
                         "visible."},
};

static const struct entry sheets[] = {
    {"Read first", "Findings, open questions, what to collect, what was not read."},
    {"Fleet", "One row a machine; only with several."},
    {"Growth", "One row a series (process, metric); charts of those that matter."},
    {"Books vs physical", "One row a moment; chart and bridge from books to physical use."},
    {"Timeline", "Events in order; stretches without any evidence are rows named gap."},
    {"Kills", "Victim, reason, limit, who was largest, did the victim grow."},
    {"Groups", "Processes that share a name or a coalition: count against size."},
    {"Caps", "Limits that may apply, how near the level is, the bill if all reach them."},
    {"Readings", "One row a reading, with its step and its interval."},
    {"Evidence", "E001 ...: file, place, text as found, and the findings that use it."},
    {"Files", "Every file, its kind, how far it was read and why, its SHA-256."},
    {"Chart data", "The figures behind the charts."},
};

static void put(struct page *page, const char *word, const char *text)
{
    struct ja_book *book = page->book;
    ja_book_text(book, page->sheet, page->row, 0, word, JA_STYLE_WRAP);
    ja_book_text(book, page->sheet, page->row, 1, text, JA_STYLE_WRAP);
    int left = ja_book_lines(word, WORD_WIDTH), right = ja_book_lines(text, TEXT_WIDTH);
    ja_book_height(book, page->sheet, page->row++, left > right ? left : right);
}

static void put_section(struct page *page, const char *title)
{
    page->row++;
    ja_book_check(page->book, worksheet_write_blank(page->sheet, page->row, 1,
                                                    page->book->styles[JA_STYLE_SECTION]));
    ja_book_text(page->book, page->sheet, page->row++, 0, title, JA_STYLE_SECTION);
}

static void put_entries(struct page *page, const char *title, const struct entry *entries,
                        size_t count)
{
    put_section(page, title);
    lxw_row_t first = page->row;
    for (size_t i = 0; i < count; i++)
        put(page, entries[i].word, entries[i].text);
    ja_book_colors(page->book, page->sheet, first, page->row - 1, 0);
}

static void put_reasons(struct page *page)
{
    put_section(page, "Why growth cannot be told, or how it was decided");
    for (int i = JA_REASON_UNDATED; i <= JA_REASON_BOUND_ABOVE_X; i++)
        put(page, ja_reason_word((enum ja_growth_reason)i),
            ja_reason_text((enum ja_growth_reason)i));
    put(page, "trend, line, steps, all, after rise, ...", ja_route_text());
}

static void put_rules(struct page *page)
{
    put_section(page, "Rules, and the question each one answers");
    for (size_t i = 0; ja_rules[i]; i++)
        for (size_t k = 0; ja_rules[i]->names[k].name; k++)
            put(page, ja_rules[i]->names[k].name,
                ja_arena_print(page->book->arena, "%s %s", ja_rules[i]->question,
                               ja_rules[i]->names[k].explain));
}

#define PUT(title, entries) put_entries(&page, title, entries, sizeof entries / sizeof *entries)

bool ja_book_about(struct ja_book *book)
{
    const struct ja_report_options *options = book->options;
    struct page page = {book, ja_book_sheet(book, "About"), 0};
    if (!page.sheet)
        return false;
    ja_book_check(book, worksheet_set_column(page.sheet, 0, 0, WORD_WIDTH, NULL));
    ja_book_check(book, worksheet_set_column(page.sheet, 1, 1, TEXT_WIDTH, NULL));
    ja_book_header(book, page.sheet, page.row, 0, "About this workbook", false);
    ja_book_header(book, page.sheet, page.row++, 1, "", false);
    put(&page, "Made by", "jetsam-audit " JA_VERSION ", from the files on the sheet Files alone");
    put(&page, "Options that change the result",
        options->options_text && *options->options_text ? options->options_text : "none");
    put(&page, "Sandbox while reading", options->sandbox ? options->sandbox : "off");
    put(&page, "What it is not",
        "No cause is stated here as a fact: findings name what is recorded, what fits, and what "
        "cannot be told. Whether one of them caused the incident is for people to decide.");
    PUT("Grades", grades);
    PUT("Severity", severities);
    PUT("Units and columns", units);
    put_reasons(&page);
    PUT("Sheets", sheets);
    put_rules(&page);
    worksheet_freeze_panes(page.sheet, 1, 0);
    ja_book_page(book, page.sheet, 0, page.row, 1);
    return true;
}
