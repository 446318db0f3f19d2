/* SPDX-License-Identifier: MIT
 *
 * The postmortem, sections 0 to 6: what the evidence says.
 */
#include "reports/markdown.h"

#include <math.h>
#include <string.h>

#define OPENSSL_SUPPRESS_DEPRECATED /* as in cli/read.c: these ask for no memory */
#include <openssl/sha.h>

#include "model/bridge.h"
#include "reports/text.h"

#define MOST_FINDINGS 7
#define MOST_ROWS 15
#define PICTURE_ROWS 6
#define MOST_EVENTS 60
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- 0 header -------------------------------------------------------------------------------- */

static void put_range(struct ja_markdown_page *page)
{
    const struct ja_instant *first, *last;
    ja_evidence_range(page->item, &first, &last);
    fprintf(page->out, "| Evidence from, to | %s to %s |\n",
            first ? ja_when(page->arena, first) : "no dated evidence",
            last ? ja_when(page->arena, last) : "no dated evidence");
}

/* One hash over the hashes of all files, in their order: names this body of evidence. */
static void put_hash(struct ja_markdown_page *page)
{
    unsigned char digest[SHA256_DIGEST_LENGTH];
    SHA256_CTX context;
    SHA256_Init(&context);
    for (size_t i = 0; i < page->item->source_count; i++)
        SHA256_Update(&context, page->item->sources[i].sha256,
                      strlen(page->item->sources[i].sha256));
    SHA256_Final(digest, &context);
    fputs("| Hash of the evidence | `", page->out);
    for (unsigned i = 0; i < 16; i++)
        fprintf(page->out, "%02x", digest[i]);
    fputs("` |\n", page->out);
}

static void put_header(struct ja_markdown_page *page)
{
    FILE *out = page->out;
    fputs("| | |\n| --- | --- |\n", out);
    for (size_t h = 0; h < page->item->host_count && h < MOST_ROWS; h++) {
        const struct ja_host *host = &page->item->hosts[h];
        fprintf(out, "| Host | %s |\n", ja_markdown_code(page->arena, host->label, true));
        if (host->os)
            fprintf(out, "| OS | %s |\n", ja_markdown_code(page->arena, host->os, true));
        if (host->ram_bytes != JA_UNKNOWN)
            fprintf(out, "| RAM | %s (%s) |\n", ja_bytes(page->arena, host->ram_bytes, 0),
                    strcmp(host->ram_from, "operator") == 0 ? "stated by the operator"
                                                            : "from the evidence");
        else
            fputs("| RAM | not in the evidence |\n", out);
    }
    if (page->item->host_count > MOST_ROWS)
        fprintf(out, "| More hosts | %zu |\n", page->item->host_count - MOST_ROWS);
    put_range(page);
    put_hash(page);
    fputs("| Severity | **FILL IN** |\n| Owner | **FILL IN** |\n\n", out);
}

/* ---- 1 findings ------------------------------------------------------------------------------ */

static void put_finding(struct ja_markdown_page *page, size_t index)
{
    const struct ja_finding *f = &page->item->findings[index];
    FILE *out = page->out;
    fprintf(
        out, "- **F%02zu %s** (%s): %s.", index + 1, ja_grade_word(f->grade),
        ja_severity_word(f->severity),
        ja_markdown(page->arena, ja_placed(page->item, page->arena, f->host, f->statement), false));
    if (f->cite_count) {
        fputs(" [", out);
        ja_page_refs(page, f->cites, f->cite_count);
        fputs("]", out);
    }
    putc('\n', out);
    if (f->why)
        fprintf(out, "  - Why: %s.\n", ja_markdown(page->arena, f->why, false));
    if (f->would_change)
        fprintf(out, "  - What would change it: %s.\n",
                ja_markdown(page->arena, f->would_change, false));
    if (f->next_step)
        fprintf(out, "  - Next: %s.\n", ja_markdown(page->arena, f->next_step, false));
}

static void put_findings(struct ja_markdown_page *page)
{
    const struct ja_case *item = page->item;
    size_t shown[MOST_FINDINGS], count = ja_findings_choose(item, shown, MOST_FINDINGS);
    fputs("## 1 What the evidence says\n\n", page->out);
    for (size_t i = 0; i < count; i++)
        put_finding(page, shown[i]);
    if (!count)
        fputs("Nothing: no rule had anything to say about this evidence.\n", page->out);
    if (item->finding_count > count)
        fprintf(page->out,
                "\n%zu more findings stand in the workbook (sheet Read first) and in what `--json` "
                "prints.\n",
                item->finding_count - count);
    fputs("\nGrades: CONFIRMED is recorded or follows by arithmetic; CONSISTENT WITH fits a named "
          "mechanism that was not recorded; NOT SHOWN was looked for and is absent; CANNOT TELL "
          "lacks window, readings or work; CONTRADICTED is refuted by the record.\n\n",
          page->out);
}

/* ---- 2 impact, 3 picture --------------------------------------------------------------------- */

static size_t count_events(const struct ja_case *item, enum ja_event_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < item->event_count; i++)
        count += item->events[i].kind == kind;
    return count;
}

/* "at 2026-...", "2026-... to 2026-...", "without a time" */
static const char *when_was(struct ja_arena *arena, const struct ja_incident *incident)
{
    const char *from = ja_when(arena, &incident->from), *to = ja_when(arena, &incident->to);
    if (!*from && !*to)
        return "without a time";
    if (!*from || !*to || strcmp(from, to) == 0)
        return ja_arena_print(arena, "at %s", *from ? from : to);
    return ja_arena_print(arena, "%s to %s", from, to);
}

static void put_incident(struct ja_markdown_page *page, size_t index)
{
    const struct ja_case *item = page->item;
    const struct ja_incident *incident = &item->incidents[index];
    const char *abnormal = ja_when(page->arena, &incident->first_abnormal);
    fprintf(page->out, "- Incident %zu on %s: %s, events: %zu%s%s.\n", index + 1,
            ja_markdown_code(page->arena, item->hosts[incident->host].label, false),
            when_was(page->arena, incident), incident->event_count,
            *abnormal ? "; first thing out of the ordinary " : "", abnormal);
}

static void put_impact(struct ja_markdown_page *page)
{
    const struct ja_case *item = page->item;
    size_t resets = count_events(item, JA_EVENT_RESET) + count_events(item, JA_EVENT_FORCE_RESET);
    fputs("## 2 Impact\n\n", page->out);
    fprintf(page->out,
            "The evidence records: jetsam kills %zu, OOM kills %zu, panics %zu, resets %zu, "
            "restarts of "
            "a service %zu; incidents %zu.\n",
            count_events(item, JA_EVENT_JETSAM_KILL), count_events(item, JA_EVENT_OOM_KILL),
            count_events(item, JA_EVENT_PANIC), resets, count_events(item, JA_EVENT_RESTART),
            item->incident_count);
    for (size_t i = 0; i < item->incident_count && i < MOST_ROWS; i++)
        put_incident(page, i);
    if (item->incident_count > MOST_ROWS)
        fprintf(page->out, "- %zu more incidents stand in what `--json` prints.\n",
                item->incident_count - MOST_ROWS);
    putc('\n', page->out);
    ja_page_fill_in(page, "who was affected, for how long, what was lost");
    putc('\n', page->out);
}

static void put_picture(struct ja_markdown_page *page)
{
    static const int columns[] = {1, 2, 3, 9, 10, 11, 12, 18};
    fputs("## 3 Picture\n\n![Memory over time, with events, gaps and limits](timeline.svg)\n\n",
          page->out);
    if (!page->tables.tables[JA_TABLE_GROWTH].row_count)
        return;
    fputs("The same numbers, first and last reading of each series:\n\n", page->out);
    ja_page_table(page, JA_TABLE_GROWTH, columns, COUNT(columns), PICTURE_ROWS);
}

/* ---- 4 timeline ------------------------------------------------------------------------------ */

static void put_timeline(struct ja_markdown_page *page)
{
    static const int columns[] = {0, 1, 2, 3, 4, 5, 6, 8};
    fputs("## 4 Timeline (UTC)\n\n", page->out);
    if (page->tables.tables[JA_TABLE_TIMELINE].row_count)
        ja_page_table(page, JA_TABLE_TIMELINE, columns, COUNT(columns), MOST_EVENTS);
    else
        fputs("The evidence records no events.\n\n", page->out);
    ja_page_fill_in(page, "what people did and noticed, with times (deploys, pages, actions)");
    putc('\n', page->out);
}

/* ---- 5 processes, 6 books -------------------------------------------------------------------- */

/* What the words in the column Why mean, as far as the table shows them. */
static void put_reasons(struct ja_markdown_page *page)
{
    size_t count = page->tables.growth_count;
    const uint32_t *order = page->tables.growth_order;
    bool seen[JA_REASON_BOUND_ABOVE_X + 1] = {false};
    for (size_t i = 0; i < count && i < MOST_ROWS; i++)
        seen[page->item->series[order[i]].growth->reason] = true;
    if (!count)
        return;
    fputs("In the column Why:\n\n", page->out);
    for (int i = JA_REASON_UNDATED; i <= JA_REASON_BOUND_ABOVE_X; i++)
        if (seen[i])
            fprintf(page->out, "- `%s`: %s.\n", ja_reason_word((enum ja_growth_reason)i),
                    ja_reason_text((enum ja_growth_reason)i));
    if (seen[JA_REASON_NONE])
        fprintf(page->out, "- other words: %s.\n", ja_route_text());
    putc('\n', page->out);
}

static void put_gains(struct ja_markdown_page *page)
{
    static const int columns[] = {1, 2, 3, 5, 6, 7, 8, 13, 14, 15, 16, 17, 18, 20};
    fputs("A gain is the last reading minus the first of one life, against every rounding. "
          "That a process grew (a finding) is this gain, and proved; growing (the verdict) says "
          "more: that it went on to the end of the readings. "
          "The minimum window is one step divided by the slope that matters: below it equal digits "
          "prove nothing.\n\n",
          page->out);
    ja_page_table(page, JA_TABLE_GROWTH, columns, COUNT(columns), MOST_ROWS);
    put_reasons(page);
}

static void put_processes(struct ja_markdown_page *page)
{
    fputs("## 5 Memory by process\n\n", page->out);
    if (page->tables.tables[JA_TABLE_GROWTH].row_count)
        put_gains(page);
    else
        fputs("No process has two readings in one metric: there is nothing to compare.\n\n",
              page->out);
    if (page->tables.tables[JA_TABLE_GROUPS].row_count) {
        static const int groups[] = {0, 2, 3, 5, 6, 7};
        fputs("Groups (how many processes share a name or a coalition):\n\n", page->out);
        ja_page_table(page, JA_TABLE_GROUPS, groups, COUNT(groups), MOST_ROWS);
    }
}

static void put_bridge(struct ja_markdown_page *page, const struct ja_state *state)
{
    struct ja_bridge bridge;
    ja_bridge_build(state, &bridge);
    fprintf(page->out, "The bridge at %s:\n\n| Step | Size |\n| --- | ---: |\n",
            ja_when(page->arena, &state->at));
    fprintf(page->out, "| books: sum of %zu processes (%s) | %s |\n", state->books.processes,
            ja_metrics[state->books.metric].name, ja_bytes(page->arena, bridge.books_bytes, 0));
    for (size_t i = 0; i < bridge.count; i++)
        fprintf(page->out, "| %s%s | %s%s%s |\n", bridge.steps[i].bytes < 0 ? "less " : "plus ",
                bridge.steps[i].what, bridge.steps[i].bytes < 0 ? "" : "+",
                ja_bytes(page->arena, bridge.steps[i].bytes, 0),
                bridge.steps[i].bound ? " at most" : "");
    fprintf(page->out, "| not explained by these figures (residual) | %s%s |\n",
            bridge.residual_bytes < 0 ? "" : "+", ja_bytes(page->arena, bridge.residual_bytes, 0));
    fprintf(page->out, "| physical use | %s |\n\n", ja_bytes(page->arena, bridge.used_bytes, 0));
}

static void put_books(struct ja_markdown_page *page)
{
    static const int columns[] = {1, 3, 4, 5, 6, 7, 8, 12, 16, 18};
    fputs("## 6 Books against physical use\n\n"
          "Books are sums of per-process figures: they count compressed, swapped and shared pages "
          "in full and are never what was in RAM. "
          "Physical use is what was: on macOS and iOS anonymous, wired and compressor pages, on "
          "Linux MemTotal less MemAvailable; file cache that can be dropped is left out.\n\n",
          page->out);
    if (!page->tables.tables[JA_TABLE_BOOKS].row_count) {
        fputs("The evidence holds no process table and no system figures.\n\n", page->out);
        return;
    }
    ja_page_table(page, JA_TABLE_BOOKS, columns, COUNT(columns), MOST_ROWS);
    const struct ja_state *state = ja_worst_state(page->item);
    if (!state)
        return;
    fprintf(page->out, "At %s: %s.\n\n", ja_when(page->arena, &state->at),
            ja_state_words(page->arena, state));
    put_bridge(page, state);
}

void ja_page_evidence_part(struct ja_markdown_page *page)
{
    put_header(page);
    if (page->item->host_count > 1 && page->tables.tables[JA_TABLE_FLEET].row_count) {
        static const int columns[] = {0, 1, 2, 3, 4, 5, 6};
        fputs("## Fleet\n\n", page->out);
        ja_page_table(page, JA_TABLE_FLEET, columns, COUNT(columns), MOST_ROWS);
    }
    put_findings(page);
    put_impact(page);
    put_picture(page);
    put_timeline(page);
    put_processes(page);
    put_books(page);
}
