/* SPDX-License-Identifier: MIT
 *
 * The terminal summary, at most one screen: what was read, the worst findings, the worst of several
 * machines, the top growers, books against physical use, what is missing, where the files are.
 */
#include "reports/report.h"

#include <math.h>
#include <string.h>

#include "model/bridge.h"
#include "reports/tables.h"
#include "reports/text.h"

#define MOST_FINDINGS 6
#define MOST_GROWERS 5
#define MOST_OPEN 2
#define MOST_HOSTS 3 /* of several; of a fleet's worst */
#define LEAST_WIDTH 60

struct screen {
    FILE *out;
    const struct ja_case *item;
    const struct ja_report_options *options;
    struct ja_arena *arena;
    size_t width;
};

static void color(const struct screen *s, const char *code)
{
    if (s->options->color)
        fprintf(s->out, "\033[%sm", code);
}

static const char *grade_color(enum ja_grade grade)
{
    switch (grade) {
    case JA_CONFIRMED:
        return "1;31";
    case JA_CONTRADICTED:
        return "1;35";
    case JA_CONSISTENT:
        return "1;33";
    case JA_CANNOT:
        return "1;36";
    default:
        return "1;32";
    }
}

/* Words of visible text, wrapped; the first line begins at column at, the others at indent. */
static void put_wrapped(const struct screen *s, const char *text, size_t at, size_t indent)
{
    const char *word = ja_visible(s->arena, text);
    while (*word) {
        size_t length = strcspn(word, " ");
        if (at + length > s->width && at > indent) {
            fprintf(s->out, "\n%*s", (int)indent, "");
            at = indent;
        }
        fwrite(word, 1, length, s->out);
        at += length;
        word += length;
        while (*word == ' ') {
            word++;
            if (*word && at < s->width) {
                putc(' ', s->out);
                at++;
            }
        }
    }
    putc('\n', s->out);
}

/* ---- what was read --------------------------------------------------------------------------- */

static const char *memory_of(const struct screen *s, const struct ja_host *host)
{
    if (host->ram_bytes != JA_UNKNOWN)
        return ja_arena_print(s->arena, "RAM %s", ja_bytes(s->arena, host->ram_bytes, 0));
    if (host->managed_bytes != JA_UNKNOWN)
        return ja_arena_print(s->arena, "%s managed by the kernel (RAM not in the evidence)",
                              ja_bytes(s->arena, host->managed_bytes, 0));
    return "RAM not in the evidence";
}

static void put_read(const struct screen *s)
{
    const struct ja_case *item = s->item;
    size_t by_status[JA_STATUS_UNREADABLE + 1] = {0};
    for (size_t i = 0; i < item->source_count; i++)
        by_status[item->sources[i].evidence->status]++;
    const char *line = ja_arena_print(s->arena, "%zu file%s:", item->source_count,
                                      item->source_count == 1 ? "" : "s");
    for (int i = 0; i <= JA_STATUS_UNREADABLE; i++)
        if (by_status[i])
            line = ja_arena_print(s->arena, "%s %zu %s,", line, by_status[i],
                                  ja_status_word((enum ja_status)i));
    line = ja_arena_print(s->arena, "%s %zu host%s, %zu boot%s, %zu processes, %zu events", line,
                          item->host_count, item->host_count == 1 ? "" : "s", item->boot_count,
                          item->boot_count == 1 ? "" : "s", item->process_count, item->event_count);
    put_wrapped(s, line, 0, 2);
    for (size_t h = 0; h < item->host_count && item->host_count <= MOST_HOSTS; h++) {
        const struct ja_host *host = &item->hosts[h];
        line = ja_arena_print(s->arena, "%s%s%s, %s", host->label, host->os ? ", " : "",
                              host->os ? host->os : "", memory_of(s, host));
        put_wrapped(s, line, 0, 2);
    }
}

/* ---- findings -------------------------------------------------------------------------------- */

static void put_finding(const struct screen *s, size_t index)
{
    const struct ja_finding *f = &s->item->findings[index];
    const char *grade = ja_grade_word(f->grade);
    color(s, grade_color(f->grade));
    fprintf(s->out, "%-15s", grade);
    color(s, "0");
    putc(' ', s->out);
    const char *statement = ja_placed(s->item, s->arena, f->host, f->statement);
    put_wrapped(s, ja_arena_print(s->arena, "%s [%s]", statement, f->rule), 16, 16);
}

static void put_findings(const struct screen *s)
{
    const struct ja_case *item = s->item;
    size_t chosen[MOST_FINDINGS], shown = item->finding_count;
    putc('\n', s->out);
    if (!item->finding_count)
        fputs("No finding: no rule had anything to say about this evidence.\n", s->out);
    if (!s->options->verbose)
        shown = ja_findings_choose(item, chosen, MOST_FINDINGS);
    for (size_t i = 0; i < shown; i++)
        put_finding(s, s->options->verbose ? i : chosen[i]);
    if (item->finding_count > shown)
        fprintf(s->out, "%zu more findings in the report (-v shows them here)\n",
                item->finding_count - shown);
}

/* ---- fleet ----------------------------------------------------------------------------------- */

/* "grows most: indexerd [731], at least 5.3 MiB/h; books 1.04 times RAM; last seen ..." */
static const char *host_words(const struct screen *s, const struct ja_cell *cells)
{
    const char *line = ja_arena_print(s->arena, "  %s:", cells[0].text);
    if (cells[1].text)
        line = ja_arena_print(s->arena, "%s %s:", line, cells[1].text);
    /* The first clause: the finding itself stands above, in the report or behind -v. */
    line =
        ja_arena_print(s->arena, "%s %.*s", line, (int)strcspn(cells[2].text, ";"), cells[2].text);
    if (cells[3].text)
        line = ja_arena_print(s->arena, "%s; top grower %s", line, cells[3].text);
    if (!isnan(cells[4].number))
        line =
            ja_arena_print(s->arena, "%s, at least %s", line, ja_rate(s->arena, cells[4].number));
    if (!isnan(cells[5].number))
        line = ja_arena_print(s->arena, "%s; books / RAM %.2f", line, cells[5].number);
    if (cells[6].at)
        line = ja_arena_print(s->arena, "%s; last seen %s", line, ja_when(s->arena, cells[6].at));
    return line;
}

static void put_fleet(const struct screen *s, const struct ja_tables *tables)
{
    const struct ja_table *fleet = &tables->tables[JA_TABLE_FLEET];
    if (!fleet->row_count)
        return;
    fputs("\nFleet, worst first:\n", s->out);
    for (size_t r = 0; r < fleet->row_count && r < MOST_HOSTS; r++)
        put_wrapped(s, host_words(s, ja_table_cell(fleet, r, 0)), 0, 4);
    if (fleet->row_count > MOST_HOSTS)
        fprintf(s->out, "  and %zu more (sheet Fleet of the workbook)\n",
                fleet->row_count - MOST_HOSTS);
}

/* ---- growers --------------------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* One line a process: the table is ordered, its first growing row says most. */
static bool shown_before(const struct ja_table *growth, size_t row)
{
    const struct ja_cell *cells = ja_table_cell(growth, row, 0);
    for (size_t r = 0; r < row; r++) {
        const struct ja_cell *other = ja_table_cell(growth, r, 0);
        if (strcmp(other[1].text, cells[1].text) == 0 && other[2].whole == cells[2].whole &&
            same_text(other[0].text, cells[0].text) && strcmp(other[5].text, "growing") == 0)
            return true;
    }
    return false;
}

static void put_growers(const struct screen *s, const struct ja_tables *tables)
{
    const struct ja_table *growth = &tables->tables[JA_TABLE_GROWTH];
    size_t shown = 0;
    for (size_t r = 0; r < growth->row_count && shown < MOST_GROWERS; r++) {
        const struct ja_cell *cells = ja_table_cell(growth, r, 0);
        if (strcmp(cells[5].text, "growing") != 0 || cells[4].text || shown_before(growth, r))
            continue;
        if (!shown++)
            fputs("\nGrowing:\n", s->out);
        bool several = s->item->host_count > 1 && cells[0].text;
        const char *line =
            ja_arena_print(s->arena, "  %s%s%s [%s], %s: %s -> %s in %s, %s to %s",
                           several ? cells[0].text : "", several ? ": " : "", cells[1].text,
                           cells[2].whole == JA_UNKNOWN
                               ? "-"
                               : ja_arena_print(s->arena, "%lld", (long long)cells[2].whole),
                           cells[3].text, ja_bytes(s->arena, cells[11].whole, cells[11].step),
                           ja_bytes(s->arena, cells[12].whole, cells[12].step),
                           ja_span(s->arena, cells[17].number), ja_rate(s->arena, cells[15].number),
                           ja_rate(s->arena, cells[16].number));
        put_wrapped(s, line, 0, 4);
    }
}

/* ---- books ----------------------------------------------------------------------------------- */

static void put_books(const struct screen *s)
{
    const struct ja_state *worst = NULL;
    for (size_t i = 0; i < s->item->state_count; i++) {
        const struct ja_state *state = &s->item->states[i];
        if (state->books.known && !state->of && state->books.sum_bytes != JA_UNKNOWN &&
            (!worst || state->books.sum_bytes > worst->books.sum_bytes))
            worst = state;
    }
    if (!worst)
        return;
    fputs("\nBooks against physical use:\n", s->out);
    put_wrapped(s,
                ja_arena_print(s->arena, "  %s: %s", ja_when(s->arena, &worst->at),
                               ja_state_words(s->arena, worst)),
                0, 4);
}

/* ---- what is missing ------------------------------------------------------------------------- */

static const char *next_words(const struct screen *s, const struct ja_finding *f)
{
    if (f->process == JA_NONE)
        return f->next_step;
    return ja_arena_print(s->arena, "%s: %s", ja_process_text(s->item, f->process), f->next_step);
}

/* Has the rule spoken of this machine and process before? */
static bool is_repeat(const struct screen *s, struct ja_index *spoken, const struct ja_finding *f)
{
    int64_t whom = (int64_t)f->host << 31 ^ f->process; /* none is counted up to 2^31 */
    uint32_t *note = ja_index_note(spoken, s->arena, f->rule, whom);
    return (*note)++;
}

static void put_open(const struct screen *s)
{
    const struct ja_case *item = s->item;
    struct ja_index spoken = {.entries = NULL};
    size_t open = 0;
    for (size_t i = 0; i < item->finding_count; i++) {
        const struct ja_finding *f = &item->findings[i];
        if (is_repeat(s, &spoken, f) || f->grade != JA_CANNOT || !f->next_step)
            continue;
        if (!open++)
            fputs("\nNot settled; to collect next:\n", s->out);
        if (open <= MOST_OPEN)
            put_wrapped(s,
                        ja_arena_print(s->arena, "  %s",
                                       ja_placed(item, s->arena, f->host, next_words(s, f))),
                        0, 4);
    }
    if (open > MOST_OPEN)
        fprintf(s->out, "  and %zu more (postmortem, section 12)\n", open - MOST_OPEN);
}

bool ja_summary_print(const struct ja_case *item, const struct ja_report_options *options,
                      FILE *out)
{
    struct screen s = {out, item, options, ja_arena_new(), LEAST_WIDTH};
    struct ja_tables tables;
    s.width = options->width > LEAST_WIDTH ? (size_t)options->width : 80;
    ja_tables_glance(item, s.arena, &tables);
    put_read(&s);
    put_findings(&s);
    put_fleet(&s, &tables);
    put_growers(&s, &tables);
    put_books(&s);
    put_open(&s);
    if (options->folder)
        fprintf(out, "\nreport in %s\n", ja_visible(s.arena, options->folder));
    ja_arena_free(s.arena);
    return !ferror(out);
}
