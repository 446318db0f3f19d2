/* SPDX-License-Identifier: MIT
 *
 * --ndjson and readings.ndjson: the evidence as lines, schema jetsam-audit-ndjson/1, with its
 * times, hosts and boots settled. Every file is a source line, then its records (moments), rows
 * (subjects), readings, counts, events and facts (ndjson_evidence.c). Auditing these lines gives
 * the findings of the first audit again, whole or cut per host and joined in any order. Boot,
 * process and state lines say what the audit made of them, for other programs; they are marked
 * "from":"records" and not read back.
 */
#include "reports/ndjson_lines.h"
#include "reports/report.h"

#include <errno.h>
#include <string.h>

void ja_lines_open(struct ja_lines *l, const char *type)
{
    l->json.comma[0] = false;
    ja_out_open(&l->json, NULL, '{');
    ja_out_text(&l->json, "type", type);
}

void ja_lines_close(struct ja_lines *l)
{
    ja_out_close(&l->json, '}');
    ja_out_line(&l->json);
    ja_arena_reset(l->scratch);
}

void ja_lines_where(struct ja_lines *l, uint32_t host, uint32_t boot)
{
    ja_out_text(&l->json, "host", host == JA_NONE ? NULL : l->item->hosts[host].label);
    ja_out_text(&l->json, "boot", boot == JA_NONE ? NULL : l->boots[boot]);
}

void ja_lines_when(struct ja_lines *l, const struct ja_instant *at)
{
    bool known = at && ja_instant_known(at);
    ja_out_time(&l->json, "at", at ? at->unix_ns : JA_UNKNOWN);
    if (at && (!known || at->early_ns != at->unix_ns || at->late_ns != at->unix_ns)) {
        ja_out_time(&l->json, "early", at->early_ns);
        ja_out_time(&l->json, "late", at->late_ns);
    }
    if (at && at->clock != JA_CLOCK_REPORT)
        ja_out_text(&l->json, "clock", ja_clock_word((int)at->clock));
}

void ja_lines_figures(struct ja_lines *l, const int64_t *figures)
{
    ja_out_open(&l->json, "figures", '{');
    for (int i = 0; figures && i < JA_FIGURE_COUNT; i++)
        if (figures[i] != JA_UNKNOWN)
            ja_out_whole(&l->json, ja_figure_words[i], figures[i]);
    ja_out_close(&l->json, '}');
}

/* ---- what the audit made of it --------------------------------------------------------------- */

static void put_who(struct ja_lines *l, const struct ja_process *p)
{
    ja_lines_where(l, p->host, p->boot);
    ja_out_text(&l->json, "name", p->name);
    ja_out_whole(&l->json, "pid", p->pid);
    ja_out_time(&l->json, "started", ja_process_start_ns(p));
    if (p->scope != JA_SCOPE_PROCESS)
        ja_out_text(&l->json, "scope", ja_scope_word((int)p->scope));
}

static void put_header(struct ja_lines *l)
{
    ja_lines_open(l, "header");
    ja_out_text(&l->json, "schema", "jetsam-audit-ndjson/1");
    ja_lines_close(l);
}

static void put_boot(struct ja_lines *l, uint32_t index)
{
    const struct ja_boot *boot = &l->item->boots[index];
    const struct ja_host *host = &l->item->hosts[boot->host];
    ja_lines_open(l, "boot");
    ja_lines_where(l, boot->host, index);
    ja_out_time(&l->json, "start", ja_instant_key(&boot->start));
    ja_out_time(&l->json, "last_seen", ja_instant_key(&boot->last_seen));
    ja_out_whole(&l->json, "ram_bytes", host->ram_bytes);
    ja_out_whole(&l->json, "page_bytes", host->page_bytes);
    ja_out_whole(&l->json, "cores", host->cores);
    ja_out_text(&l->json, "model", host->model);
    ja_out_text(&l->json, "os", host->os);
    ja_out_text(&l->json, "kernel", host->kernel);
    ja_out_text(&l->json, "from", "records");
    ja_lines_close(l);
}

static void put_process(struct ja_lines *l, const struct ja_process *p)
{
    ja_lines_open(l, "process");
    put_who(l, p);
    ja_lines_when(l, p->first_seen);
    ja_out_text(&l->json, "link", ja_link_word((enum ja_link)p->link));
    ja_out_whole(&l->json, "coalition", p->coalition);
    ja_out_whole(&l->json, "peak_bytes", p->peak_bytes);
    ja_out_text(&l->json, "command", p->more->command);
    ja_out_text(&l->json, "from", "records");
    ja_lines_close(l);
}

static void put_books(struct ja_lines *l, const struct ja_books *books)
{
    ja_out_open(&l->json, "books", '{');
    ja_out_text(&l->json, "metric", ja_metrics[books->metric].word);
    ja_out_whole(&l->json, "sum_bytes", books->sum_bytes);
    ja_out_whole(&l->json, "low_bytes", books->low_bytes);
    ja_out_whole(&l->json, "high_bytes", books->high_bytes);
    ja_out_whole(&l->json, "processes", (int64_t)books->processes);
    ja_out_whole(&l->json, "killed_left_out", (int64_t)books->killed_left_out);
    ja_out_bool(&l->json, "complete", books->complete);
    ja_out_close(&l->json, '}');
}

static void put_state(struct ja_lines *l, const struct ja_state *state)
{
    ja_lines_open(l, "state");
    ja_lines_where(l, state->host, state->boot);
    ja_lines_when(l, &state->at);
    ja_out_text(&l->json, "of", state->of);
    if (state->books.known)
        put_books(l, &state->books);
    ja_lines_figures(l, state->figures);
    ja_out_text(&l->json, "source", l->item->sources[state->source].evidence->path);
    ja_out_text(&l->json, "from", "records");
    ja_lines_close(l);
}

/* ---- the report ------------------------------------------------------------------------------ */

/* A boot's name: its id where the evidence has one, else its place among the boots of its host. */
static const char **name_boots(const struct ja_case *item, struct ja_arena *arena)
{
    const char **names = ja_arena_alloc(arena, item->boot_count, sizeof *names);
    for (size_t i = 0; i < item->boot_count; i++) {
        const struct ja_boot *b = &item->boots[i];
        names[i] = b->id ? b->id
                         : ja_arena_print(arena, "b%u",
                                          (unsigned)(i - item->hosts[b->host].first_boot + 1));
    }
    return names;
}

bool ja_ndjson_print(const struct ja_case *item, const struct ja_report_options *options, FILE *out)
{
    struct ja_arena *arena = ja_arena_new();
    struct ja_lines lines = {.json = {.out = out, .compact = true},
                             .item = item,
                             .scratch = ja_arena_new(),
                             .of_source = ja_arena_new(),
                             .boots = name_boots(item, arena)};
    (void)options;
    put_header(&lines);
    for (uint32_t b = 0; b < item->boot_count; b++)
        put_boot(&lines, b);
    for (size_t p = 0; p < item->process_count; p++)
        if (item->processes[p].shown)
            put_process(&lines, &item->processes[p]);
    for (size_t s = 0; s < item->state_count; s++)
        put_state(&lines, &item->states[s]);
    for (size_t i = 0; i < item->source_count; i++)
        ja_lines_evidence(&lines, &item->sources[i]);
    ja_arena_free(lines.scratch);
    ja_arena_free(lines.of_source);
    ja_arena_free(arena);
    return ja_out_flush(&lines.json);
}

static bool write_file(const struct ja_case *item, const struct ja_report_options *options,
                       const char *path, const char **ret_error)
{
    FILE *out = fopen(path, "wb");
    bool ok = out && ja_ndjson_print(item, options, out);
    if (out && fclose(out) != 0)
        ok = false;
    if (!ok)
        *ret_error = strerror(errno);
    return ok;
}

const struct ja_report ja_report_ndjson = {
    .name = "ndjson", .file_name = "readings.ndjson", .write = write_file};
