/* SPDX-License-Identifier: MIT
 *
 * The table of parsers, and who reads what: encoding, whole-file bids, pieces, piece bids.
 */
#include "parsers/parser.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "parsers/ips.h"
#include "parsers/json.h"
#include "parsers/offer.h"
#include "parsers/pieces.h"
#include "parsers/scan.h"
#include "parsers/tail.h"

#define LEAST_WHOLE_BID 50

extern const struct ja_parser ja_parser_case, ja_parser_manifest, ja_parser_ndjson;
extern const struct ja_parser ja_parser_oom_log, ja_parser_oom_block;
extern const struct ja_parser ja_parser_pidstat, ja_parser_top_linux, ja_parser_atop,
    ja_parser_smem, ja_parser_free, ja_parser_vmstat_log, ja_parser_vmstat_sums,
    ja_parser_docker_stats, ja_parser_kubectl_top, ja_parser_ps_rows, ja_parser_kube_json,
    ja_parser_kube_pod;
extern const struct ja_parser ja_parser_metal_log;
extern const struct ja_parser ja_parser_footprint, ja_parser_footprint_json, ja_parser_vmmap;
extern const struct ja_parser ja_parser_heap, ja_parser_leaks, ja_parser_malloc_history,
    ja_parser_sample;
extern const struct ja_parser ja_parser_proc_status;
extern const struct ja_parser ja_parser_proc_stat;
extern const struct ja_parser ja_parser_proc_statm;
extern const struct ja_parser ja_parser_proc_smaps, ja_parser_proc_smaps_block;
extern const struct ja_parser ja_parser_proc_meminfo;
extern const struct ja_parser ja_parser_proc_vmstat;
extern const struct ja_parser ja_parser_proc_pressure;
extern const struct ja_parser ja_parser_proc_swaps;
extern const struct ja_parser ja_parser_proc_uptime;
extern const struct ja_parser ja_parser_proc_cmdline;
extern const struct ja_parser ja_parser_zram;
extern const struct ja_parser ja_parser_cgroup;
extern const struct ja_parser ja_parser_proc_loop;
extern const struct ja_parser ja_parser_proc_rows;
extern const struct ja_parser ja_parser_process_json;
extern const struct ja_parser ja_parser_server_log;
extern const struct ja_parser ja_parser_vm_stat;
extern const struct ja_parser ja_parser_memory_pressure;
extern const struct ja_parser ja_parser_sysctl;
extern const struct ja_parser ja_parser_top;
extern const struct ja_parser ja_parser_ps;
extern const struct ja_parser ja_parser_zprint;
extern const struct ja_parser ja_parser_activity_monitor;
extern const struct ja_parser ja_parser_growth_log, ja_parser_hand_table;
extern const struct ja_parser ja_parser_work_log;

extern const struct ja_parser ja_parser_panic, ja_parser_panic_text, ja_parser_force_reset,
    ja_parser_stackshot, ja_parser_reset_counter, ja_parser_memory_resource,
    ja_parser_resource_report, ja_parser_shutdown_stall, ja_parser_sleep_wake, ja_parser_spin,
    ja_parser_crash, ja_parser_analytics;
extern const struct ja_parser ja_parser_jetsam, ja_parser_jetsam_text;
extern const struct ja_parser ja_parser_neighbour, ja_parser_foreign;

const struct ja_parser *const ja_parsers[] = {
    &ja_parser_case,
    &ja_parser_manifest,
    &ja_parser_ndjson,
    &ja_parser_oom_log,
    &ja_parser_oom_block,
    &ja_parser_footprint,
    &ja_parser_footprint_json,
    &ja_parser_heap,
    &ja_parser_leaks,
    &ja_parser_malloc_history,
    &ja_parser_sample,
    &ja_parser_vmmap,
    &ja_parser_metal_log,
    /* Linux */
    &ja_parser_pidstat,
    &ja_parser_top_linux,
    &ja_parser_atop,
    &ja_parser_smem,
    &ja_parser_free,
    &ja_parser_vmstat_log,
    &ja_parser_vmstat_sums,
    &ja_parser_docker_stats,
    &ja_parser_kubectl_top,
    &ja_parser_kube_json,
    &ja_parser_kube_pod,
    &ja_parser_ps_rows,
    &ja_parser_proc_status,
    &ja_parser_proc_stat,
    &ja_parser_proc_statm,
    &ja_parser_proc_smaps,
    &ja_parser_proc_smaps_block,
    &ja_parser_proc_meminfo,
    &ja_parser_proc_vmstat,
    &ja_parser_proc_pressure,
    &ja_parser_proc_swaps,
    &ja_parser_proc_uptime,
    &ja_parser_proc_cmdline,
    &ja_parser_zram,
    &ja_parser_cgroup,
    &ja_parser_proc_loop,
    &ja_parser_proc_rows,
    &ja_parser_process_json,
    &ja_parser_server_log,
    /* DiagnosticReports */
    &ja_parser_jetsam,
    &ja_parser_jetsam_text,
    &ja_parser_panic,
    &ja_parser_panic_text,
    &ja_parser_force_reset,
    &ja_parser_stackshot,
    &ja_parser_reset_counter,
    &ja_parser_memory_resource,
    &ja_parser_resource_report,
    &ja_parser_shutdown_stall,
    &ja_parser_sleep_wake,
    &ja_parser_spin,
    &ja_parser_crash,
    &ja_parser_analytics,
    /* What nobody else knows. */
    &ja_parser_neighbour,
    &ja_parser_foreign,
    /* side evidence of Macs, tables, home-made logs */
    &ja_parser_vm_stat,
    &ja_parser_memory_pressure,
    &ja_parser_sysctl,
    &ja_parser_top,
    &ja_parser_ps,
    &ja_parser_zprint,
    &ja_parser_activity_monitor,
    &ja_parser_growth_log,
    &ja_parser_hand_table,
    &ja_parser_work_log,
    NULL,
};

const struct ja_parser *ja_parser_named(const char *name)
{
    for (size_t i = 0; ja_parsers[i]; i++)
        if (strcmp(ja_parsers[i]->name, name) == 0)
            return ja_parsers[i];
    return NULL;
}

void ja_parsers_prepare(void)
{
    ja_json_install_hooks();
    for (size_t i = 0; ja_parsers[i]; i++)
        if (ja_parsers[i]->prepare)
            ja_parsers[i]->prepare();
}

bool ja_piece_line(const struct ja_piece *piece, size_t *at, int *line_number, struct ja_line *ret)
{
    if (*at >= piece->length)
        return false;
    if (*at == 0)
        *line_number = piece->first_line - 1;
    const char *line = piece->text + *at;
    const char *end = memchr(line, '\n', piece->length - *at);
    size_t length = end ? (size_t)(end - line) : piece->length - *at;
    *at += length + 1;
    *line_number += *line_number < INT_MAX;
    if (length && line[length - 1] == '\r')
        length--;
    *ret = (struct ja_line){.text = line, .length = length, .number = *line_number};
    return true;
}

static bool any_begins(const char *line, size_t length)
{
    for (size_t i = 0; ja_parsers[i]; i++)
        if (ja_parsers[i]->begins && ja_parsers[i]->begins(line, length))
            return true;
    return false;
}

#define PARSERS (sizeof ja_parsers / sizeof *ja_parsers)

/* The bids of those that say how much they bid at most, or of the others. Who cannot come up to the
 * highest bid so far is not asked. Returns the highest. */
static int ask(const struct ja_piece *piece, bool whole, bool modest, int highest, int *bids)
{
    for (size_t i = 0; ja_parsers[i]; i++) {
        const struct ja_parser *parser = ja_parsers[i];
        if (parser->whole != whole || (parser->most > 0) != modest ||
            (modest && parser->most < highest))
            continue;
        bids[i] = parser->bid(piece);
        assert(!modest || bids[i] <= parser->most);
        highest = bids[i] > highest ? bids[i] : highest;
    }
    return highest;
}

/* The parser with the highest bid of least or more; NULL when there is none. */
static const struct ja_parser *best_of(const struct ja_piece *piece, bool whole, int least,
                                       struct ja_evidence *evidence)
{
    int bids[PARSERS] = {0};
    int highest = ask(piece, whole, true, ask(piece, whole, false, least, bids), bids);
    const struct ja_parser *best = NULL, *equal = NULL;
    for (size_t i = 0; ja_parsers[i] && !equal; i++)
        if (bids[i] == highest)
            *(best ? &equal : &best) = ja_parsers[i];
    if (equal)
        ja_diagnose(evidence, JA_WARNING, "two-readers", piece->first_line, NULL,
                    "fits %s and %s equally well, read as %s", best->name, equal->name, best->name);
    return best;
}

const struct ja_parser *ja_best_whole(const struct ja_piece *piece, struct ja_evidence *evidence)
{
    return best_of(piece, true, LEAST_WHOLE_BID, evidence);
}

/* /proc/<pid>/cmdline has NULs between its words: blanks in a copy. */
static void blank_nuls(struct ja_file *file, struct ja_arena *arena)
{
    if (!strstr(file->name, "cmdline") || !memchr(file->text, '\0', file->length))
        return;
    char *copy = ja_arena_copy(arena, file->text, file->length);
    for (size_t i = 0; i < file->length; i++)
        if (copy[i] == '\0')
            copy[i] = ' ';
    file->text = copy;
}

static bool is_utf16(const struct ja_file *file)
{
    return ja_text_begins(file->text, file->length, "\xFF\xFE") ||
           ja_text_begins(file->text, file->length, "\xFE\xFF");
}

/* A crash of the machine leaves zeros behind what was written last: they are cut off. */
static void cut_nul_tail(struct ja_file *file, struct ja_evidence *evidence)
{
    size_t length = file->length;
    while (length && file->text[length - 1] == '\0')
        length--;
    if (length == 0 || length == file->length || is_utf16(file) || memchr(file->text, '\0', length))
        return;
    ja_note_nul_tail(evidence, file->length - length);
    file->length = length;
}

/* False when the file cannot be read as text; then it says why. */
static bool readable(const struct ja_file *file, struct ja_evidence *evidence)
{
    const char *nul = file->no_nul ? NULL : memchr(file->text, '\0', file->length);
    if (is_utf16(file)) {
        const char *why = "UTF-16 text: convert it first (iconv -f UTF-16 -t UTF-8)";
        ja_diagnose(evidence, JA_UNREAD, "not-text", 0, NULL, "%s, file left out", why);
        ja_set_status(evidence, JA_STATUS_UNREADABLE, why);
        return false;
    }
    if (nul)
        ja_refuse_nul(evidence, (size_t)(nul - file->text));
    return !nul;
}

/* Each parser that read a piece, once. */
static void finish(const bool *taken, struct ja_parse *parse)
{
    for (size_t i = 0; ja_parsers[i]; i++)
        if (taken[i] && ja_parsers[i]->finish)
            ja_parsers[i]->finish(parse);
}

static size_t row_of(const struct ja_parser *parser)
{
    size_t i = 0;
    while (ja_parsers[i] != parser)
        i++;
    return i;
}

/* Offers the pieces one by one. forced reads those it bids on, or the whole when it bids on none.
 */
static void read_pieces(const struct ja_piece *whole, const struct ja_parser *forced,
                        struct ja_parse *parse)
{
    struct ja_pieces pieces;
    ja_cut(whole->file, whole->text, whole->length, any_begins, parse->evidence, parse->scratch,
           &pieces);
    bool any = false;
    bool *taken = ja_arena_alloc(parse->scratch, sizeof ja_parsers / sizeof *ja_parsers, 1);
    for (size_t i = 0; i < pieces.count; i++) {
        const struct ja_piece *piece = &pieces.items[i];
        const struct ja_parser *parser = forced;
        if (forced && forced->bid(piece) <= 0)
            continue;
        if (!forced)
            parser = best_of(piece, false, 1, parse->evidence);
        if (parser) {
            parser->parse(piece, parse);
            any = taken[row_of(parser)] = true;
        }
        if (piece->stamp != JA_NONE)
            parse->carry.last_stamp = piece->stamp;
    }
    if (forced && !any) {
        forced->parse(whole, parse);
        taken[row_of(forced)] = true;
    }
    finish(taken, parse);
}

static bool is_blank(const char *text, size_t length)
{
    ja_text_trim(&text, &length);
    while (length && (*text == '\n' || *text == '\r')) {
        text++;
        length--;
        ja_text_trim(&text, &length);
    }
    return length == 0;
}

/* Offers what a parser of whole files left over, other dumps pasted around a report: the text with
 * blanks for what was taken, so that lines keep their numbers. */
static void read_rest(const struct ja_piece *whole, struct ja_parse *parse)
{
    size_t from = parse->took_from, to = parse->took_to;
    if (is_blank(whole->text, from) && is_blank(whole->text + to, whole->length - to))
        return;
    char *text = ja_arena_copy(parse->scratch, whole->text, whole->length);
    for (size_t i = from; i < to; i++)
        if (text[i] != '\n')
            text[i] = ' ';
    struct ja_piece rest = *whole;
    rest.text = text;
    read_pieces(&rest, NULL, parse);
}

static void read_text(const struct ja_file *file, const struct ja_parser *forced,
                      struct ja_parse *parse)
{
    struct ja_piece whole = {.file = file, .first_line = 1, .stamp = JA_NONE, .whole = true};
    ja_clean(file, parse->scratch, &whole.text, &whole.length);
    whole.text = ja_tail_number(whole.text, whole.length, 1, parse->scratch, parse->evidence);
    struct ja_ips ips;
    ja_ips_split(whole.text, whole.length, &ips);
    whole.ips = &ips;
    const struct ja_parser *parser = forced && forced->whole ? forced : NULL;
    if (!forced)
        parser = ja_best_whole(&whole, parse->evidence);
    if (parser)
        parser->parse(&whole, parse);
    else
        read_pieces(&whole, forced, parse);
    if (parser && parse->took_to && !forced)
        read_rest(&whole, parse);
    ja_tail_names(whole.text, whole.length, 1, parse->evidence);
}

struct ja_evidence *ja_parse_file_with(const struct ja_file *file, const struct ja_parser *forced,
                                       int64_t interval_ns, size_t max_readings,
                                       struct ja_arena *scratch, struct ja_texts *texts)
{
    struct ja_parse parse = ja_parse_begin(file, interval_ns, max_readings, scratch);
    if (texts)
        parse.texts = texts;
    struct ja_evidence *evidence = parse.evidence;
    struct ja_file as_text = *file;
    file = &as_text;
    blank_nuls(&as_text, parse.scratch);
    if (file->length == 0)
        ja_set_status(evidence, JA_STATUS_NO_MEMORY_CONTENT, "empty file");
    else if (!forced && ja_foreign_read(file, evidence))
        ; /* an archive, a picture, a core: named, not read */
    else {
        cut_nul_tail(&as_text, evidence);
        if (readable(file, evidence))
            read_text(file, forced, &parse);
    }
    return ja_parse_end(&parse);
}

struct ja_evidence *ja_parse_file(const struct ja_file *file, const struct ja_parser *forced,
                                  int64_t interval_ns, size_t max_readings)
{
    struct ja_arena *scratch = ja_arena_new();
    struct ja_evidence *evidence =
        ja_parse_file_with(file, forced, interval_ns, max_readings, scratch, NULL);
    ja_arena_free(scratch);
    return evidence;
}
